/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which streams are one session. Both directions of a socket are; pipes find one another by their
 * first answer (channels_place.c), and so do the two socket pairs that Node makes of a child's stdin
 * and stdout. Over HTTP a session is what Mcp-Session-Id says, on any connection, else a connection.
 */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"

#define TALKS_MAX    2048
#define TALK_IDLE_NS (2 * NSEC_PER_SEC)	  /* without streams and open calls */
#define HTTP_IDLE_NS (600 * NSEC_PER_SEC) /* … whose client may come again */
#define NOISE_LOOK   1024		  /* bytes in which a message would say what it is */
#define CLIENT	     0			  /* side of HTTP */
#define SERVER	     1

/* ---- talks ---- */

/* The one without streams that was used least recently. */
static void talks_bound(struct pipeline *p)
{
	struct talk *t, *next, *oldest = NULL;

	if (HASH_COUNT(p->channels->talks) < TALKS_MAX)
		return;
	HASH_ITER(hh, p->channels->talks, t, next)
	{
		if (!t->streams && (!oldest || t->last_ns < oldest->last_ns))
			oldest = t;
	}
	if (oldest)
		talk_free(p, oldest);
}

struct talk *talk_new(struct pipeline *p)
{
	struct channels *ch = p->channels;
	struct talk *t;

	talks_bound(p);
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->p = p;
	t->id = ++ch->last_talk;
	t->session = session_new(t->id, &ch->set, &call_ops, t);
	if (!t->session) {
		free(t);
		return NULL;
	}
	HASH_ADD(hh, ch->talks, id, sizeof(t->id), t);
	return t;
}

void talk_free(struct pipeline *p, struct talk *t)
{
	HASH_DEL(p->channels->talks, t);
	session_free(t->session);
	payload_end(p->channels->payload, t->id);
	free(t->name);
	free(t);
}

void talk_leave(struct stream *s)
{
	if (s->talk)
		s->talk->streams--;
	s->talk = NULL;
}

static void tell_end(struct talk *t, unsigned int side, const struct end *end)
{
	if (!end->peer.tgid)
		return;
	t->ends[side] = *end;
	session_peer(t->session, side, &end->peer);
}

void talk_ends(struct stream *s)
{
	if (!s->talk)
		return;
	tell_end(s->talk, s->side, &s->writer);
	tell_end(s->talk, !s->side, &s->reader);
}

void talk_join(struct stream *s, struct talk *t, unsigned int side)
{
	if (s->talk != t) {
		talk_leave(s);
		s->talk = t;
		t->streams++;
	}
	s->side = side;
	talk_ends(s);
}

void talks_tick(struct pipeline *p, uint64_t now)
{
	struct talk *t, *next;

	HASH_ITER(hh, p->channels->talks, t, next)
	{
		uint64_t idle = t->http ? HTTP_IDLE_NS : TALK_IDLE_NS;

		if (!t->streams && now > t->last_ns + idle && !session_open(t->session, 0))
			talk_free(p, t);
	}
}

/* ---- lines ---- */

static struct stream *back_of(const struct stream *s)
{
	struct stream *back = NULL;

	if (s->back)
		HASH_FIND(hh, s->p->channels->streams, &s->back, sizeof(s->back), back);
	return back;
}

static bool is_answer(const struct rpc *r)
{
	return r->kind == RPC_RESULT || r->kind == RPC_ERROR;
}

void talk_find(struct stream *s)
{
	struct stream *back = s->talk ? NULL : back_of(s);

	if (back && back->talk)
		talk_join(s, back->talk, !back->side);
}

static int line_talk(struct stream *s)
{
	struct talk *t;

	talk_find(s);
	if (s->talk && !s->talk->http)
		return 0;
	t = talk_new(s->p);
	if (!t)
		return -ENOMEM;
	talk_join(s, t, 0);
	return 0;
}

/* A line that nobody would have taken for a message of the protocol. */
static bool is_noise(const struct rpc *r, const struct wire_message *m)
{
	return (r->kind == RPC_NOT_JSON || r->kind == RPC_INVALID) &&
	       !memmem(m->data, m->len < NOISE_LOOK ? m->len : NOISE_LOOK, "\"jsonrpc\"", 9);
}

static void on_line(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	talk_find(s);
	if (is_noise(r, m) && !place_noise(s, r, m))
		return;
	if (line_talk(s) < 0) {
		s->p->lost_events++;
		return;
	}
	if (is_answer(r) && r->id && !session_awaits(s->talk->session, !s->side, r->id) &&
	    !place_answer(s, r, m))
		return;
	talk_say(s, s->talk, r, m);
}

/* ---- HTTP ---- */

static struct talk *http_named(const struct pipeline *p, const char *name)
{
	struct talk *t, *next;

	HASH_ITER(hh, p->channels->talks, t, next)
	{
		if (t->name && strcmp(t->name, name) == 0)
			return t;
	}
	return NULL;
}

static struct talk *http_new(struct stream *s, const char *name)
{
	struct talk *t = talk_new(s->p);

	if (!t)
		return NULL;
	t->http = true;
	session_set_server(t->session, SERVER);
	t->name = name ? strdup(name) : NULL;
	return t;
}

/* A request: the session that it names, else what its connection has without a name. */
static struct talk *http_asked(struct stream *s, const struct wire_message *m)
{
	struct talk *t = m->http_session ? http_named(s->p, m->http_session) : s->talk;

	if (t && !m->http_session && t->name)
		t = NULL;
	if (!t)
		t = http_new(s, m->http_session);
	return t;
}

static struct talk *http_waiting(const struct pipeline *p, const char *id, const struct stream *s)
{
	struct talk *t, *next, *found = NULL;

	HASH_ITER(hh, p->channels->talks, t, next)
	{
		if (!t->http || !session_awaits(t->session, CLIENT, id))
			continue;
		if (t->ends[SERVER].peer.tgid && s->writer.peer.tgid &&
		    t->ends[SERVER].peer.tgid != s->writer.peer.tgid)
			continue;
		if (!found || t->last_ns > found->last_ns)
			found = t;
	}
	return found;
}

/* An answer: of what was asked on its connection; of the session that it names; of whoever waits for
 * it, as the older transport answers on another connection. */
static struct talk *http_answered(struct stream *s, const struct rpc *r,
				  const struct wire_message *m)
{
	struct stream *back = back_of(s);
	struct talk *t = back ? back->talk : s->talk, *named = NULL;

	if (m->http_session)
		named = http_named(s->p, m->http_session);
	/* The answer to initialize gives the session its name. */
	if (t && t->http && !t->name && m->http_session && !named)
		t->name = strdup(m->http_session);
	if (!r || !r->id || !is_answer(r))
		return t ?: named;
	if (t && t->http && session_awaits(t->session, CLIENT, r->id))
		return t;
	if (named && session_awaits(named->session, CLIENT, r->id))
		return named;
	return http_waiting(s->p, r->id, s) ?: t ?: named;
}

static struct talk *http_talk(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	struct talk *t = m->http_status ? http_answered(s, r, m) : http_asked(s, m);

	/* What the server says first, on a stream that was not asked for where it was seen. */
	if (!t)
		t = http_new(s, m->http_session);
	if (t)
		talk_join(s, t, m->http_status ? SERVER : CLIENT);
	return t;
}

/* The stream of what was asked. */
uint64_t talk_conn(const struct stream *s)
{
	if (!s->talk || !s->talk->http)
		return 0;
	return s->side == SERVER ? s->back : s->key;
}

static void on_http(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	struct talk *t;

	/* An SSE event that is no JSON belongs to the transport. */
	if (r->kind == RPC_NOT_JSON)
		return;
	t = http_talk(s, r, m);
	if (t)
		talk_say(s, t, r, m);
	else
		s->p->lost_events++;
}

/* By its head alone. */
static void on_http_head(struct stream *s, const struct wire_message *m)
{
	struct talk *t = http_talk(s, NULL, m);

	if (t && (m->http_status >= 400 || m->page))
		session_http_error(t->session, talk_conn(s), m);
}

/* ---- messages ---- */

void talk_say(struct stream *s, struct talk *t, const struct rpc *r, const struct wire_message *m)
{
	t->last_ns = m->end_ns;
	if (session_message(t->session, s->side, talk_conn(s), r, m) < 0)
		s->p->lost_events++;
}

struct message {
	struct stream *s;
	const struct wire_message *m;
};

static void on_object(const struct rpc *r, void *arg)
{
	struct message *q = arg;

	if (q->m->http)
		on_http(q->s, r, q->m);
	else
		on_line(q->s, r, q->m);
}

void talk_message(const struct wire_message *m, void *stream)
{
	struct message q = { stream, m };

	if (m->http && !m->len)
		on_http_head(q.s, m);
	else if (rpc_parse(m, on_object, &q) < 0)
		q.s->p->lost_events++;
}
