/* SPDX-License-Identifier: GPL-2.0-only */
/* How a session ends, and what that means for the calls that are open. */
#include <errno.h>
#include <string.h>

#include "session_impl.h"

typedef void (*pending_fn)(struct session *s, unsigned int from, struct pending *p, void *arg);

/* Every request that waits, oldest first, but for what the function removes. */
static void each_pending(struct session *s, unsigned int from, pending_fn fn, void *arg)
{
	struct pending *first, *next;

	HASH_ITER(hh, s->sides[from].pending, first, next)
	{
		for (struct pending *p = first, *later; p; p = later) {
			later = p->later;
			fn(s, from, p, arg);
		}
	}
}

static bool is_open(const struct pending *p, uint64_t instance)
{
	return p->call && (!instance || p->call->instance == instance);
}

struct counted {
	uint64_t instance, conn; /* 0: any */
	unsigned int n;
	const struct call *oldest;
};

static void count_one(struct session *s, unsigned int from, struct pending *p, void *arg)
{
	struct counted *c = arg;

	if (!is_open(p, c->instance) || (c->conn && p->conn != c->conn))
		return;
	c->n++;
	if (!c->oldest || p->call->started_ns < c->oldest->started_ns)
		c->oldest = p->call;
}

static struct counted counted(const struct session *s, uint64_t instance, uint64_t conn)
{
	struct counted c = { .instance = instance, .conn = conn };

	for (unsigned int from = 0; from < 2; from++)
		each_pending((struct session *)s, from, count_one, &c);
	return c;
}

unsigned int session_open(const struct session *s, uint64_t instance)
{
	return counted(s, instance, 0).n;
}

const struct call *session_oldest(const struct session *s, uint64_t instance)
{
	return counted(s, instance, 0).oldest;
}

/* ---- the listener lets go ---- */

struct released {
	const struct call *call;
	uint64_t instance;
};

static void release_one(struct session *s, unsigned int from, struct pending *p, void *arg)
{
	const struct released *r = arg;

	if (p->call && (r->call ? p->call == r->call : is_open(p, r->instance)))
		p->call = NULL;
}

void session_release(struct session *s, const struct call *c)
{
	struct released r = { .call = c };

	for (unsigned int from = 0; from < 2; from++)
		each_pending(s, from, release_one, &r);
}

void session_forget(struct session *s, uint64_t instance)
{
	struct released r = { .instance = instance };

	for (unsigned int from = 0; from < 2; from++)
		each_pending(s, from, release_one, &r);
}

/* ---- ends ---- */

struct never {
	uint64_t ts, instance, conn;
	bool all; /* nor can an answer come late */
};

static void never_one(struct session *s, unsigned int from, struct pending *p, void *arg)
{
	const struct never *n = arg;

	if (n->conn && p->conn != n->conn)
		return;
	if (is_open(p, n->instance))
		pending_end(s, from, p, CALL_NEVER, n->ts);
	if (n->all)
		pending_remove(s, from, p);
}

static void never_answered(struct session *s, struct never n)
{
	for (unsigned int from = 0; from < 2; from++)
		each_pending(s, from, never_one, &n);
}

void session_over(struct session *s, uint64_t ts, uint64_t instance)
{
	never_answered(s, (struct never){ .ts = ts, .instance = instance, .all = !instance });
}

void session_lost(struct session *s, unsigned int from, uint64_t ts)
{
	if (ts > s->sides[from].lost_ns)
		s->sides[from].lost_ns = ts;
}

static bool was_lost(const struct session *s, unsigned int from)
{
	const struct call *c = session_oldest(s, 0);

	return c && s->sides[from].lost_ns >= c->started_ns;
}

void session_left(struct session *s, unsigned int side, uint64_t ts)
{
	struct incident i = { .ts = ts };
	bool first = !s->sides[!side].left_ns;
	unsigned int open = session_open(s, 0);

	if (s->sides[side].left_ns)
		return;
	s->sides[side].left_ns = ts;
	/* A client that asks no more may still listen: `printf … | server`. */
	if (side != s->server)
		return;
	if (open && first && !was_lost(s, side))
		session_incident(s, INCIDENT_CLOSED, !side, &i,
				 "the server left with %u call%s open", open, open == 1 ? "" : "s");
	never_answered(s, (struct never){ .ts = ts, .all = true });
}

void session_refused(struct session *s, unsigned int side, uint64_t conn, uint64_t ts, int err)
{
	unsigned int open = counted(s, 0, conn).n;
	struct incident i = { .ts = ts, .err = err, .open = open };
	bool server = side == s->server;

	/* Whoever had all its answers may leave; a server that says more says it to nobody. */
	if (server && !open)
		return;
	/* A client whose server is known to have left: said already. */
	if (!server && s->sides[!side].left_ns && !open)
		return;
	session_incident(s, err == ECONNRESET ? INCIDENT_RESET : INCIDENT_BROKEN_PIPE, side, &i,
			 server ? "the server wrote to a client that had left, with %u call%s open"
				: "the client wrote to a server that had left, with %u call%s open",
			 open, open == 1 ? "" : "s");
	if (!conn && !s->sides[!side].left_ns)
		s->sides[!side].left_ns = ts;
	never_answered(s, (struct never){ .ts = ts, .conn = conn, .all = true });
}

void session_blocked(struct session *s, unsigned int side, uint64_t ts, int fd, uint64_t bytes,
		     uint64_t ns)
{
	struct incident i = { .ts = ts, .bytes = bytes };
	bool server = side == s->server;

	session_incident(
		s, INCIDENT_BLOCKED, side, &i,
		"the %s stood in a write to its descriptor %d for %llu ms and more: nobody reads",
		server ? "server" : "client", fd, (unsigned long long)(ns / NSEC_PER_MSEC));
}

/* ---- HTTP ---- */

struct refused_http {
	struct session *s;
	uint64_t conn;
	const struct wire_message *m;
	int code;
	struct text say;
};

static void refuse_one(struct session *s, unsigned int from, struct pending *p, void *arg)
{
	struct refused_http *r = arg;

	if (p->conn != r->conn)
		return;
	if (p->call) {
		p->call->code = r->code;
		if (r->say.data)
			session_call_text(s, p->call, r->say.data, r->say.len);
		p->call->answer_len = r->m->total;
		memcpy(p->call->answer_digest, r->m->digest, CALL_DIGEST);
	}
	pending_end(s, from, p, CALL_ERROR, r->m->end_ns);
	pending_remove(s, from, p);
}

void session_http_error(struct session *s, uint64_t conn, const struct wire_message *m)
{
	struct refused_http r = {
		.s = s, .conn = conn, .m = m, .code = m->page ? RPC_PARSE_ERROR : m->http_status
	};
	unsigned int client = s->server == 0 ? 1 : 0;
	struct incident i = { .ts = m->end_ns };

	/* RFC 9110, section 15.5.14 */
	if (m->http_status == 413)
		session_incident(s, INCIDENT_OVERSIZED, client, &i,
				 "the server refused a request for its length (HTTP 413)");
	text_printf(&r.say, "HTTP status %d%s", m->http_status,
		    m->page ? ", and a page for people in place of an answer" : "");
	each_pending(s, client, refuse_one, &r);
	text_free(&r.say);
}
