/* SPDX-License-Identifier: GPL-2.0-only */
/* The other end of the control socket, for the command line. Blocking. */
#ifndef SANDFAULT_CLIENT_H
#define SANDFAULT_CLIENT_H

#include <json-c/json.h>

struct client;

/* Connects; -ENOENT or -ECONNREFUSED: no daemon there; -EACCES: not allowed. */
int client_connect(struct client **ret, const char *path);
void client_close(struct client *c);
/* Sends one object (borrowed), waits for one line; *reply is owned by the caller.
 * 0, -errno, -EPIPE where the daemon went away, -EBADMSG where it answered nonsense. */
int client_call(struct client *c, struct json_object *request, struct json_object **reply);
/* Waits for the next line (watch). */
int client_read(struct client *c, struct json_object **reply);
int client_fd(const struct client *c);

#endif
