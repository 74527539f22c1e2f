/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests to the daemon that more than one verb makes. NULL: no memory. */
#ifndef SANDFAULT_REQUEST_H
#define SANDFAULT_REQUEST_H

#include "cli.h"

#define REQUEST_CAMPAIGN "default"

/* Campaign, labels, cgroup and scope from the options; `pid` 0: none. */
struct json_object *request_begin(const struct cli *c, const char *task, const char *source,
				  pid_t pid);

struct request_end {
	const char *task;
	const char *outcome; /* NULL: not said */
	int exit_code;	     /* -1: not said */
	int signal;	     /* 0: none */
	const char *note;    /* NULL: none */
	const char *result;  /* NULL: not said */
	const char *why;     /* likewise */
};
struct json_object *request_end(const struct cli *c, const struct request_end *e);

/* A tool call, of the options. */
struct json_object *request_call(const struct cli *c, const char *task);

/* `action` with the pid, cgroup or pattern of the options. */
struct json_object *request_channel(const struct cli *c, const char *action);

/* A bare {"op": …}. */
struct json_object *request_op(const char *op);

#endif
