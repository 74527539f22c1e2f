/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A session of JSON-RPC between two sides: requests are paired with their answers, whoever asks;
 * what the client asks of the server becomes a call, and what befalls the session an incident. Pure:
 * messages and their times come in, calls and incidents go out.
 *
 * Sides are 0 and 1, as the caller numbers them; which of them is the server is told by what they
 * say (who is asked to initialize, or is asked for a tool), or by the caller.
 *
 * Nothing is claimed that was not seen: an answer is unknown only to a session that was seen from
 * its beginning, and a call stays without an answer only where answers could be seen.
 */
#ifndef SANDFAULT_SESSION_H
#define SANDFAULT_SESSION_H

#include "call.h"
#include "rpc.h"

#define SESSION_PENDING	  4096 /* requests that wait for an answer, each side; then the oldest goes */
#define SESSION_INCIDENTS 8    /* of each kind; further ones are counted only */
#define SESSION_NO_SERVER 2    /* in place of a side: not known yet */

struct session;

struct session_ops {
	/* The client asked. The call is the listener's, who numbers it and may change it; the session
	 * keeps the pointer until closed(), session_release() or session_forget(). Other than 0:
	 * nobody wants it, and the session frees it. `params` is borrowed; NULL: none. */
	int (*opened)(void *arg, struct session *s, struct call *c, struct json_object *params);
	/* Its end is known; c->end OPEN: that can't be told, as answers were not seen. `result` NULL:
	 * an error, or none. */
	void (*closed)(void *arg, struct session *s, struct call *c, struct json_object *result);
	/* Takes over what *i owns. */
	void (*incident)(void *arg, struct session *s, struct incident *i);
	/* The client named its roots (MCP roots/list); NULL: not of interest. */
	void (*roots)(void *arg, struct session *s, struct json_object *result);
};

struct session_settings {
	bool shapes_only; /* nothing of contents is kept: lengths, types, digests */
};

/* `id` is the session's number, from 1. NULL: no memory. `ops` and `set` are borrowed. */
struct session *session_new(uint64_t id, const struct session_settings *set,
			    const struct session_ops *ops, void *arg);
/* Calls that are open are closed as can't be told. */
void session_free(struct session *s);
uint64_t session_id(const struct session *s);

/* One object of a message that side `from` sent over connection `conn` (of HTTP; else 0). 0 or
 * -ENOMEM. */
int session_message(struct session *s, unsigned int from, uint64_t conn, const struct rpc *r,
		    const struct wire_message *m);
/* An answer of HTTP that says by its status alone that the requests of that connection failed; or, of
 * success, that holds markup: a proxy's page. */
void session_http_error(struct session *s, uint64_t conn, const struct wire_message *m);

/* Who stands there; may be told again, as it becomes known. */
void session_peer(struct session *s, unsigned int side, const struct call_peer *peer);
const struct call_peer *session_peer_of(const struct session *s, unsigned int side);
void session_set_server(struct session *s, unsigned int side);
unsigned int session_server(const struct session *s); /* or SESSION_NO_SERVER */
/* Bytes of what that side says were lost, or it can't be seen at all what it says. */
void session_lost(struct session *s, unsigned int from, uint64_t ts);
/* Has that side asked with this id, and waits? */
bool session_awaits(const struct session *s, unsigned int from, const char *id);
/* That side is the client, as far as is known: it has asked for something. */
bool session_asks(const struct session *s, unsigned int from);
/* A message of that side was seen: it can be. */
bool session_heard(const struct session *s, unsigned int from);

/* That side has closed, or ended: it says nothing more. */
void session_left(struct session *s, unsigned int side, uint64_t ts);
/* That side's write was refused: `err` is EPIPE or ECONNRESET. Of HTTP: what was asked over another
 * connection is not affected. */
void session_refused(struct session *s, unsigned int side, uint64_t conn, uint64_t ts, int err);
/* That side stands in a write to `fd` of `bytes` (0: not known), for `ns` at least, while calls are open. */
void session_blocked(struct session *s, unsigned int side, uint64_t ts, int fd, uint64_t bytes,
		     uint64_t ns);
/* Nothing more will be seen: calls of that instance that are open were never answered (0: all). */
void session_over(struct session *s, uint64_t ts, uint64_t instance);

/* The oldest call that is open; NULL: none. Of that instance, 0: of any. */
const struct call *session_oldest(const struct session *s, uint64_t instance);
unsigned int session_open(const struct session *s, uint64_t instance);
/* The listener's call goes: it is told of it no more. */
void session_release(struct session *s, const struct call *c);
void session_forget(struct session *s, uint64_t instance); /* … all of a task's */
/* Incidents that were one too many of their kind. */
uint64_t session_unsaid(const struct session *s);

#endif
