/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests meet their answers. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "session_impl.h"

/* What a server asks of its client (MCP 2025-06-18, "Client features"; roots, sampling, elicitation). */
static const char *const of_client[] = { "roots/list", "sampling/createMessage",
					 "elicitation/create" };

static bool asks_client(const char *method)
{
	for (size_t i = 0; method && i < ARRAY_SIZE(of_client); i++)
		if (strcmp(method, of_client[i]) == 0)
			return true;
	return false;
}

/* ---- rows of requests ---- */

static struct pending *pending_find(const struct session *s, unsigned int from, const char *id)
{
	struct pending *p = NULL;

	if (id)
		HASH_FIND_STR(s->sides[from].pending, id, p);
	return p;
}

bool session_awaits(const struct session *s, unsigned int from, const char *id)
{
	return pending_find(s, from, id) != NULL;
}

static void pending_free(struct pending *p)
{
	free(p->id);
	free(p);
}

void pending_remove(struct session *s, unsigned int from, struct pending *p)
{
	struct side *side = &s->sides[from];
	struct pending *first = pending_find(s, from, p->id);

	if (first == p) {
		HASH_DEL(side->pending, p);
		if (p->later)
			HASH_ADD_KEYPTR(hh, side->pending, p->later->id, strlen(p->later->id),
					p->later);
	} else {
		while (first && first->later != p)
			first = first->later;
		if (first)
			first->later = p->later;
	}
	pending_free(p);
}

/* What was said and not seen may have been the answer. Nor is it known that answers go where they can be
 * seen, of what began unseen, until there was one. */
static bool may_be_unseen(const struct session *s, unsigned int side, uint64_t since)
{
	return s->sides[side].lost_ns >= since || !(s->whole || s->sides[side].heard);
}

void pending_end(struct session *s, unsigned int from, struct pending *p, enum call_end end,
		 uint64_t ts)
{
	struct call *c = TAKE_PTR(p->call);

	if (!c)
		return;
	if (end == CALL_NEVER && may_be_unseen(s, !from, p->ts)) {
		end = CALL_OPEN;
		c->cut = true;
	}
	c->end = end;
	c->ended_ns = end == CALL_OPEN ? 0 : ts;
	s->ops->closed(s->arg, s, c, NULL);
}

static void pending_add(struct session *s, unsigned int from, struct pending *p)
{
	struct side *side = &s->sides[from];
	struct pending *first = pending_find(s, from, p->id);

	while (first && first->later)
		first = first->later;
	if (first)
		first->later = p;
	else
		HASH_ADD_KEYPTR(hh, side->pending, p->id, strlen(p->id), p);
	if (HASH_COUNT(side->pending) > SESSION_PENDING) {
		pending_end(s, from, side->pending, CALL_NEVER, p->ts);
		pending_remove(s, from, side->pending);
	}
}

/* ---- who is who ---- */

static void learn_server(struct session *s, unsigned int from, const struct rpc *r)
{
	if (strcmp(r->method, "initialize") == 0) {
		s->server = !from;
		s->whole = true;
	} else if (s->server == SESSION_NO_SERVER) {
		s->server = asks_client(r->method) ? from : !from;
	}
}

/* While nobody has asked for anything: whoever talks out of turn is a server that begins. */
static bool is_server(const struct session *s, unsigned int side)
{
	return s->server == SESSION_NO_SERVER || s->server == side;
}

/* ---- incidents ---- */

void session_incident(struct session *s, enum incident_kind kind, unsigned int side,
		      struct incident *i, const char *fmt, ...)
{
	va_list ap;

	if (s->incidents[kind] >= SESSION_INCIDENTS) {
		s->unsaid++;
		return;
	}
	s->incidents[kind]++;
	i->kind = kind;
	i->session = s->id;
	i->who = s->sides[side].peer;
	i->other = s->sides[!side].peer;
	i->by_server = is_server(s, side);
	i->open = i->open ?: session_open(s, 0);
	va_start(ap, fmt);
	if (vasprintf(&i->say, fmt, ap) < 0)
		i->say = NULL;
	va_end(ap);
	s->ops->incident(s->arg, s, i);
}

/* ---- requests ---- */

/* Whose answer is worth a call: what the client asks. */
static int open_call(struct session *s, struct pending *p, const struct rpc *r,
		     const struct wire_message *m)
{
	struct call *c = session_call_new(s, r, m);

	if (!c)
		return -ENOMEM;
	c->server = s->sides[s->server].peer;
	c->client = s->sides[!s->server].peer;
	if (s->ops->opened(s->arg, s, c, r->params) == 0) {
		p->call = c;
	} else {
		call_clear(c);
		free(c);
	}
	return 0;
}

static int on_request(struct session *s, unsigned int from, uint64_t conn, const struct rpc *r,
		      const struct wire_message *m)
{
	struct pending *p;
	int r_open = 0;

	if (!r->method)
		return 0;
	learn_server(s, from, r);
	if (!r->id) { /* it was cut: whatever answers it can't be told apart */
		s->garbled[from] = true;
		return 0;
	}
	p = calloc(1, sizeof(*p));
	if (p)
		p->id = strdup(r->id);
	if (!p || !p->id) {
		free(p);
		return -ENOMEM;
	}
	p->conn = conn;
	p->ts = m->end_ns;
	p->roots = strcmp(r->method, "roots/list") == 0;
	if (from != s->server)
		r_open = open_call(s, p, r, m);
	pending_add(s, from, p);
	return r_open;
}

/* ---- answers ---- */

/* The one request that waits, where there is but one. */
static struct pending *only_one(const struct session *s, unsigned int from)
{
	struct pending *p = s->sides[from].pending;

	return p && HASH_COUNT(p) == 1 && !p->later ? p : NULL;
}

static void unknown_answer(struct session *s, unsigned int from, const struct rpc *r,
			   const struct wire_message *m)
{
	struct incident i = { .ts = m->end_ns, .bytes = m->total };
	_cleanup_free_ char *id = NULL;

	/* An error without id answers what could not be read. */
	if (!s->whole || r->partial || s->sides[!from].lost_ns || s->garbled[!from])
		return;
	id = r->id ? util_escape(r->id, strlen(r->id)) : NULL;
	session_incident(s, INCIDENT_UNKNOWN_ID, from, &i, "an answer to id %s, which nobody asked",
			 id ? id : "null");
}

static int on_answer(struct session *s, unsigned int from, const struct rpc *r,
		     const struct wire_message *m)
{
	struct pending *p = pending_find(s, !from, r->id);
	int ret = 0;

	if (!p && !r->id)
		p = only_one(s, !from);
	if (!p) {
		unknown_answer(s, from, r, m);
		return 0;
	}
	if (p->roots && r->result && s->ops->roots)
		s->ops->roots(s->arg, s, r->result);
	if (p->call) {
		/* The answer may be told of before the request: two processes, two records. */
		if (p->call->started_ns > m->end_ns)
			p->call->started_ns = m->end_ns;
		p->call->server = s->sides[from].peer;
		p->call->client = s->sides[!from].peer;
		ret = session_call_answer(s, p->call, r, m);
		s->ops->closed(s->arg, s, p->call, r->result);
	}
	pending_remove(s, !from, p);
	return ret;
}

/* ---- notifications ---- */

/* The client takes a request back (MCP "Cancellation"; LSP has the same with another name). An answer
 * may come all the same, and is nobody's. */
static void on_cancelled(struct session *s, unsigned int from, const struct rpc *r,
			 const struct wire_message *m)
{
	struct json_object *id = NULL, *reason = NULL;
	_cleanup_free_ char *text = NULL;
	struct pending *p;

	if (!json_object_object_get_ex(r->params, "requestId", &id))
		json_object_object_get_ex(r->params, "id", &id);
	text = session_id_text(id);
	p = pending_find(s, from, text);
	if (!p || p->cancelled)
		return;
	p->cancelled = true;
	if (!p->call)
		return;
	p->call->end = CALL_CANCELLED;
	p->call->ended_ns = m->end_ns;
	if (json_object_object_get_ex(r->params, "reason", &reason) &&
	    json_object_is_type(reason, json_type_string))
		session_call_text(s, p->call, json_object_get_string(reason),
				  (size_t)json_object_get_string_len(reason));
	s->ops->closed(s->arg, s, TAKE_PTR(p->call), NULL);
}

static void on_notification(struct session *s, unsigned int from, const struct rpc *r,
			    const struct wire_message *m)
{
	if (!r->method || !r->params)
		return;
	if (strcmp(r->method, "notifications/cancelled") == 0 ||
	    strcmp(r->method, "$/cancelRequest") == 0)
		on_cancelled(s, from, r, m);
}

/* ---- what is none ---- */

static void on_bad(struct session *s, unsigned int from, const struct rpc *r,
		   const struct wire_message *m)
{
	struct incident i = { .ts = m->end_ns, .bytes = m->total };
	bool json = r->kind == RPC_INVALID;

	s->garbled[from] = true;
	if (r->partial || m->cut) {
		s->sides[from].lost_ns = m->end_ns;
		return;
	}
	session_incident(s, json ? INCIDENT_INVALID : INCIDENT_NOT_JSON, from, &i,
			 "%llu bytes that are no %s", (unsigned long long)m->total,
			 json ? "JSON-RPC 2.0 object" : "JSON");
}

int session_message(struct session *s, unsigned int from, uint64_t conn, const struct rpc *r,
		    const struct wire_message *m)
{
	struct side *side = &s->sides[from];

	switch (r->kind) {
	case RPC_REQUEST:
		side->heard = true;
		side->asks = true;
		return on_request(s, from, conn, r, m);
	case RPC_NOTIFICATION:
		side->heard = true;
		on_notification(s, from, r, m);
		return 0;
	case RPC_RESULT:
	case RPC_ERROR:
		side->heard = true;
		return on_answer(s, from, r, m);
	default:
		on_bad(s, from, r, m);
		return 0;
	}
}

/* ---- the session itself ---- */

struct session *session_new(uint64_t id, const struct session_settings *set,
			    const struct session_ops *ops, void *arg)
{
	struct session *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->id = id;
	s->set = set;
	s->ops = ops;
	s->arg = arg;
	s->server = SESSION_NO_SERVER;
	return s;
}

void session_free(struct session *s)
{
	if (!s)
		return;
	for (unsigned int from = 0; from < 2; from++) {
		struct pending **first = &s->sides[from].pending;

		while (*first) {
			pending_end(s, from, *first, CALL_OPEN, 0);
			pending_remove(s, from, *first);
		}
	}
	free(s);
}

uint64_t session_id(const struct session *s)
{
	return s->id;
}

void session_peer(struct session *s, unsigned int side, const struct call_peer *peer)
{
	s->sides[side].peer = *peer;
}

const struct call_peer *session_peer_of(const struct session *s, unsigned int side)
{
	return &s->sides[side].peer;
}

void session_set_server(struct session *s, unsigned int side)
{
	s->server = side;
	s->sides[side].heard = true; /* it can be */
}

unsigned int session_server(const struct session *s)
{
	return s->server;
}

bool session_asks(const struct session *s, unsigned int from)
{
	return s->sides[from].asks && s->server != from;
}

bool session_heard(const struct session *s, unsigned int from)
{
	return s->sides[from].heard;
}

uint64_t session_unsaid(const struct session *s)
{
	return s->unsaid;
}
