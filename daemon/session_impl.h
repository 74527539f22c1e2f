/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of session*.c: session.c pairs, session_call.c fills calls, session_end.c is how it ends. */
#ifndef SANDFAULT_SESSION_IMPL_H
#define SANDFAULT_SESSION_IMPL_H

#include <uthash.h>

#include "session.h"

/* A request that waits for its answer. Those of one id stand in a row, the oldest first. */
struct pending {
	char *id; /* as JSON; the key */
	struct pending *later;
	struct call *call; /* the listener's; NULL: nobody wants it, or it is none */
	bool cancelled;	   /* its answer may come or not */
	bool roots;	   /* it asked for the client's roots */
	uint64_t conn;	   /* of HTTP */
	uint64_t ts;
	UT_hash_handle hh;
};

struct side {
	struct call_peer peer;
	struct pending *pending; /* what it asked */
	bool heard;		 /* a message of it was seen */
	bool asks;		 /* … that was a request */
	uint64_t left_ns;	 /* 0: it is there */
	uint64_t lost_ns;	 /* when bytes of it were lost last, 0: never */
};

struct session {
	uint64_t id;
	const struct session_settings *set;
	const struct session_ops *ops;
	void *arg;
	struct side sides[2];
	unsigned int server;
	bool whole;	 /* seen from its beginning: initialize */
	bool garbled[2]; /* that side sent something that can't be answered by id */
	unsigned int incidents[INCIDENT_MAX];
	uint64_t unsaid;
};

/* ---- session.c ---- */
/* Takes a request out of its row and frees it, but for its call. */
void pending_remove(struct session *s, unsigned int from, struct pending *p);
/* Ends its call, if it has one, as `end` says; the request itself stays: an answer may come late. */
void pending_end(struct session *s, unsigned int from, struct pending *p, enum call_end end,
		 uint64_t ts);
/* `say` is a format; by_server follows from `side`, which is who it happened to. */
void session_incident(struct session *s, enum incident_kind kind, unsigned int side,
		      struct incident *i, const char *fmt, ...) _printf_(5, 6);

/* ---- session_call.c ---- */
/* A call from its request. NULL: no memory. */
struct call *session_call_new(const struct session *s, const struct rpc *r,
			      const struct wire_message *m);
/* What its answer says. 0 or -ENOMEM (then parts are absent). */
int session_call_answer(const struct session *s, struct call *c, const struct rpc *r,
			const struct wire_message *m);
/* Text of a call that failed, redacted or left out as the settings say. */
int session_call_text(const struct session *s, struct call *c, const char *text, size_t len);
/* Whether a result tells of a command that failed: its status and its last words. 0 or -ENOMEM. */
int session_call_command(const struct session *s, struct call *c, struct json_object *result);
/* A request's number, as rpc.h gives ids: owned; NULL: none, or no memory. */
char *session_id_text(struct json_object *id);

#endif
