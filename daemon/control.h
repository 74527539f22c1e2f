/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket: one JSON object a line, replies likewise. Peers are checked by SO_PEERCRED:
 * root, the daemon's own uid, or a member of the group. This module speaks the protocol and knows
 * no task: requests go to the operations, replies may come later (`end` waits for the verdict).
 */
#ifndef SANDFAULT_CONTROL_H
#define SANDFAULT_CONTROL_H

#include <json-c/json.h>
#include <sys/types.h>

#include "loop.h"
#include "record.h"

#define CONTROL_LINE_MAX (256 * 1024) /* longest request, bytes */

struct control;
struct control_peer; /* one connection; refcounted while replies are due */

enum control_scope { SCOPE_AUTO, SCOPE_CGROUP, SCOPE_PROCESS };

struct control_begin {
	const char *campaign; /* "default" where absent */
	const char *task;
	const struct label *labels;
	size_t n_labels;
	const char *cgroup; /* path from the v2 root, or absolute below its mount; NULL */
	pid_t pid;	    /* in the daemon's pid namespace; 0 */
	enum control_scope scope;
	const char *source; /* "begin" or "run" */
	pid_t server;	    /* of its tools, outside of it; 0: none named */
	uid_t peer_uid;
	pid_t peer_pid;
};

enum control_channel_action { CHANNEL_LIST, CHANNEL_ADD, CHANNEL_REMOVE };

/* Servers outside of every task; of pid, cgroup and pattern one is there, but for the list. */
struct control_channel {
	enum control_channel_action action;
	pid_t pid; /* 0: none */
	const char *cgroup, *pattern;
	uid_t peer_uid;
};

struct control_end {
	const char *campaign;
	const char *task;
	enum outcome outcome; /* OUTCOME_UNKNOWN: not said */
	int exit_code;	      /* -1: not said */
	int signal;	      /* 0: not said */
	const char *note;
	enum campaign_result result; /* RESULT_NONE: not said */
	const char *why;	     /* with a result; NULL: not said */
	bool wait; /* default true: the reply carries the final task; false: {"ok":true} at once */
};

struct control_call {
	const char *campaign;
	const char *task;
	const char *tool;
	int64_t started_ns, ended_ns; /* UTC; 0: not said */
	bool ok;
	int code;	  /* of a JSON-RPC error; 0: not said */
	const char *text; /* what the tool answered; NULL: not said; may hold NUL */
	size_t text_len;
	const char *path; /* its decisive argument; likewise */
	size_t path_len;
	const char *id; /* the request's, as JSON; NULL: none */
};

/*
 * Each operation answers by control_reply() or control_error(), now or later, exactly once.
 * `token` names the request. Strings are borrowed for the call only.
 */
struct control_ops {
	void (*begin)(void *arg, struct control_peer *p, uint64_t token,
		      const struct control_begin *b);
	void (*end)(void *arg, struct control_peer *p, uint64_t token, const struct control_end *e);
	void (*call)(void *arg, struct control_peer *p, uint64_t token,
		     const struct control_call *c);
	void (*flush)(void *arg, struct control_peer *p, uint64_t token);
	void (*status)(void *arg, struct control_peer *p, uint64_t token);
	void (*channel)(void *arg, struct control_peer *p, uint64_t token,
			const struct control_channel *c);
};

int control_new(struct control **ret, struct loop *l, const char *path,
		gid_t gid, /* (gid_t)-1: none */
		const struct control_ops *ops, void *arg);
void control_free(struct control *c); /* closes connections, unlinks the socket */
/* {"ok":true, …}; takes over `extra` (may be NULL). Replies to gone peers are dropped. */
void control_reply(struct control_peer *p, uint64_t token, struct json_object *extra);
/* {"ok":false,"error":code,"message":…}. Codes: exists, busy, no-such-task, no-such-process,
 * no-such-cgroup, invalid, too-long, not-allowed, unsupported, failed. */
void control_error(struct control_peer *p, uint64_t token, const char *code, const char *fmt, ...)
	_printf_(4, 5);
/* One event to every watcher ({"op":"watch","campaign":…,"level":…}): a slow one loses events and is
 * told so ({"lost":N}). `campaign` and `level` are for the watchers' filters. Takes over o. */
void control_publish(struct control *c, const char *campaign, const char *level,
		     struct json_object *o);
unsigned int control_connections(const struct control *c);
bool control_watched(const struct control *c);
uint64_t control_refused(const struct control *c); /* unauthorised peers */
uint64_t control_slow(const struct control *c); /* peers closed: they did not read their replies */
uint64_t
control_overflow(const struct control *c); /* peers turned away: 512 connected, or no fds */
uint64_t control_malformed(const struct control *c); /* bad or oversized messages */

#endif
