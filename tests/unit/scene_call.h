/* SPDX-License-Identifier: GPL-2.0-only */
/* A task with a client and its server, their calls, and what befell their channel. */
#ifndef SANDFAULT_SCENE_CALL_H
#define SANDFAULT_SCENE_CALL_H

#include "scene.h"

#define CLIENT 10
#define SERVER 20

struct session {
	struct process *client, *server;
};

static inline struct session session(struct scene *s)
{
	struct session both = { .client = process(s, CLIENT, 0, "agent", 1) };

	both.server = process(s, SERVER, CLIENT, "server", 2);
	return both;
}

/* Both end: the server well, when its client closes the channel. */
static inline void closes(struct scene *s, const struct session *both, int status, const char *said)
{
	ends(s, both->server, 900, 0, NULL);
	ends(s, both->client, 1000, status, said);
}

static inline struct call *calls(struct scene *s, const char *tool, const char *subject,
				 uint64_t from, uint64_t to, enum call_end end, const char *said)
{
	struct call *c = calloc(1, sizeof(*c));
	void *v = s->t->calls.v;

	assert_non_null(c);
	c->id = s->t->calls.n + 1;
	c->session = 1;
	c->end = end;
	c->client = (struct call_peer){ .tgid = CLIENT, .start_ns = CLIENT };
	c->server = (struct call_peer){ .tgid = SERVER, .start_ns = SERVER };
	c->tool = strdup(tool);
	c->method = strdup("tools/call");
	c->rpc_id = strdup("1");
	c->started_ns = from * MS;
	c->ended_ns = to * MS;
	assert_int_equal(text_set(&c->subject, subject, strlen(subject)), 0);
	if (said)
		assert_int_equal(text_set(&c->text, said, strlen(said)), 0);
	assert_int_equal(util_grow(&v, &s->t->calls.cap, s->t->calls.n + 1, sizeof(c)), 0);
	s->t->calls.v = v;
	s->t->calls.v[s->t->calls.n++] = c;
	return c;
}

static inline void fault(struct call *c, enum cause cause, enum call_leg leg, bool sure,
			 const char *path)
{
	struct call_fault f = { .cause = cause, .leg = leg, .sure = sure, .at = 8 };

	assert_int_equal(text_set(&f.subject, path, strlen(path)), 0);
	f.say = strdup("the bytes differ from byte 8 on");
	assert_int_equal(call_add_fault(c, &f), 0);
}

static inline struct incident *incident(struct scene *s, enum incident_kind kind, uint64_t at)
{
	void *v = s->t->incidents.v;
	struct incident *i;

	assert_int_equal(util_grow(&v, &s->t->incidents.cap, s->t->incidents.n + 1, sizeof(*i)), 0);
	s->t->incidents.v = v;
	i = &s->t->incidents.v[s->t->incidents.n++];
	*i = (struct incident){ .kind = kind,
				.session = 1,
				.ts = at * MS,
				.by_server = true,
				.who = { .tgid = SERVER, .start_ns = SERVER },
				.other = { .tgid = CLIENT, .start_ns = CLIENT } };
	return i;
}

#endif
