/* SPDX-License-Identifier: GPL-2.0-only */
/* A session between a client and a server, what they say in it, and what it tells of that. Include
 * after cmocka.h. */
#ifndef SANDFAULT_TESTS_SESSION_RIG_H
#define SANDFAULT_TESTS_SESSION_RIG_H

#include <string.h>

#include "session.h"

#define RIG_MAX 64
#define CLIENT	0
#define SERVER	1

struct rig {
	struct session *s;
	struct session_settings set;
	struct call *calls[RIG_MAX]; /* in the order in which they were opened */
	size_t opened, closed;
	struct incident incidents[RIG_MAX];
	size_t n_incidents;
	char *roots;
	int refuse; /* what opened() returns */
	uint64_t now;
};

static inline int on_opened(void *arg, struct session *s, struct call *c,
			    struct json_object *params)
{
	struct rig *r = arg;

	if (r->refuse)
		return r->refuse;
	assert_true(r->opened < RIG_MAX);
	assert_int_equal(c->end, CALL_OPEN);
	r->calls[r->opened++] = c;
	c->id = r->opened;
	c->instance = 1;
	return 0;
}

static inline void on_closed(void *arg, struct session *s, struct call *c,
			     struct json_object *result)
{
	struct rig *r = arg;

	assert_true(r->calls[c->id - 1] == c);
	r->closed++;
}

static inline void on_incident(void *arg, struct session *s, struct incident *i)
{
	struct rig *r = arg;

	assert_true(r->n_incidents < RIG_MAX);
	r->incidents[r->n_incidents++] = *i;
}

static inline void on_roots(void *arg, struct session *s, struct json_object *result)
{
	struct rig *r = arg;

	free(r->roots);
	r->roots = strdup(json_object_to_json_string_ext(result, JSON_C_TO_STRING_PLAIN));
}

static const struct session_ops ops = { on_opened, on_closed, on_incident, on_roots };

static inline int setup(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	assert_non_null(r);
	r->s = session_new(9, &r->set, &ops, r);
	assert_non_null(r->s);
	session_peer(r->s, CLIENT, &(struct call_peer){ .start_ns = 1, .tgid = 100 });
	session_peer(r->s, SERVER, &(struct call_peer){ .start_ns = 2, .tgid = 200 });
	*state = r;
	return 0;
}

static inline int teardown(void **state)
{
	struct rig *r = *state;

	session_free(r->s);
	for (size_t i = 0; i < r->opened; i++) {
		if (!r->calls[i])
			continue;
		call_clear(r->calls[i]);
		free(r->calls[i]);
	}
	for (size_t i = 0; i < r->n_incidents; i++)
		incident_clear(&r->incidents[i]);
	free(r->roots);
	free(r);
	return 0;
}

struct said {
	struct rig *r;
	unsigned int from;
	uint64_t conn;
	const struct wire_message *m;
};

static inline void on_rpc(const struct rpc *rpc, void *arg)
{
	struct said *q = arg;

	assert_int_equal(session_message(q->r->s, q->from, q->conn, rpc, q->m), 0);
}

static inline void say_over(struct rig *r, unsigned int from, uint64_t conn, const char *json,
			    bool cut)
{
	struct wire_message m = { .data = json, .len = strlen(json), .total = strlen(json) };
	struct said q = { r, from, conn, &m };

	r->now += 10;
	m.cut = cut;
	m.gap = m.len;
	m.tail = m.len;
	m.begin_ns = r->now - 5;
	m.end_ns = r->now;
	m.digest[0] = (uint8_t)strlen(json);
	assert_true(rpc_parse(&m, on_rpc, &q) > 0);
}

static inline void say(struct rig *r, unsigned int from, const char *json)
{
	say_over(r, from, 0, json, false);
}

static inline void initialize(struct rig *r)
{
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}");
	say(r, SERVER, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
	say(r, CLIENT, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
}

static const char write_file[] =
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":"
	"{\"name\":\"write_file\",\"arguments\":{\"content\":\"x\",\"path\":\"/w/a.txt\"}}}";

static inline void check_incident(const struct rig *r, enum incident_kind kind, bool by_server,
				  unsigned int open)
{
	const struct incident *i = &r->incidents[0];

	assert_int_equal(r->n_incidents, 1);
	assert_int_equal(i->kind, kind);
	assert_int_equal(i->by_server, by_server);
	assert_int_equal(i->open, open);
	assert_int_equal(i->session, 9);
	assert_int_equal(i->who.tgid, by_server ? 200 : 100);
	assert_int_equal(i->other.tgid, by_server ? 100 : 200);
	assert_non_null(i->say);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
