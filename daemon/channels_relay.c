/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same request on several channels. A launcher that hands on what it reads (docker, npx, socat, tee)
 * makes a chain of them, of which the last, nearest to the server, is answered first. A server of a few
 * lines of shell pipes the request through jq, and nobody answers that. What is answered first is the call;
 * its twins go.
 */
#include <string.h>
#include <utlist.h>

#include "channels_impl.h"

#define RELAY_NS  (2 * NSEC_PER_SEC) /* from one channel to the next */
#define ANCESTORS 16
#define TWINS_MAX 64 /* of one request that are looked through */

static bool same_peer(const struct call_peer *a, const struct call_peer *b)
{
	return a->tgid && a->tgid == b->tgid && a->start_ns == b->start_ns;
}

/* It is that process, or one that it made. */
static bool is_of(const struct pipeline *p, const struct call *c, const struct call_peer *server)
{
	struct tracked *tr = tracked_find(p, c->instance);
	const struct process *proc;

	if (same_peer(&c->client, server))
		return true;
	proc = tr ? task_find_process(tr->task, c->client.tgid, c->client.start_ns) : NULL;
	for (int i = 0; proc && i < ANCESTORS; i++) {
		if (proc->key.tgid == server->tgid)
			return server->tgid != 0;
		proc = task_find_process(tr->task, proc->parent.tgid, proc->parent.start_ns);
	}
	return false;
}

static bool same_request(const struct twin *t, const struct call *c)
{
	return t->started_ns + RELAY_NS > c->started_ns && strcmp(t->rpc_id, c->rpc_id) == 0 &&
	       memcmp(t->digest, c->request_digest, CALL_DIGEST) == 0;
}

static struct talk *talk_of(const struct pipeline *p, uint64_t id)
{
	struct talk *t = NULL;

	HASH_FIND(hh, p->channels->talks, &id, sizeof(id), t);
	return t;
}

/* As it is known by now: who reads a request may be told of after it. */
static const struct call_peer *server_of(const struct talk *t)
{
	unsigned int side = t ? session_server(t->session) : SESSION_NO_SERVER;

	return side < 2 ? &t->ends[side].peer : NULL;
}

static bool is_heard(const struct pipeline *p, const struct flight *f)
{
	const struct talk *t = talk_of(p, f->talk);

	return t && session_heard(t->session, session_server(t->session));
}

/* ---- those that were answered a moment ago ---- */

static void recent_add(struct channels *ch, const struct call *c)
{
	struct twin *t = &ch->recent[ch->n_recent++ % RECENT_MAX];

	if (strlen(c->rpc_id) >= sizeof(t->rpc_id))
		return;
	strcpy(t->rpc_id, c->rpc_id);
	memcpy(t->digest, c->request_digest, CALL_DIGEST);
	t->started_ns = c->started_ns;
	t->server = c->server;
}

static bool is_recent(const struct pipeline *p, const struct call *c)
{
	for (size_t i = 0; i < RECENT_MAX; i++)
		if (same_request(&p->channels->recent[i], c) &&
		    is_of(p, c, &p->channels->recent[i].server))
			return true;
	return false;
}

/* ---- those in flight ---- */

static struct flight *row_of(const struct pipeline *p, const uint8_t *digest)
{
	struct flight *first = NULL;

	HASH_FIND(hh_digest, p->channels->by_digest, digest, CALL_DIGEST, first);
	return first;
}

void relay_add(struct pipeline *p, struct flight *f)
{
	struct channels *ch = p->channels;
	struct flight *first;

	f->root = f->id;
	memcpy(f->digest, f->call->request_digest, CALL_DIGEST);
	first = row_of(p, f->digest);
	if (first)
		HASH_DELETE(hh_digest, ch->by_digest, first);
	DL_PREPEND2(first, f, prev_same, next_same);
	HASH_ADD(hh_digest, ch->by_digest, digest, CALL_DIGEST, f);
}

void relay_remove(struct pipeline *p, struct flight *f)
{
	struct channels *ch = p->channels;
	struct flight *first = row_of(p, f->digest);

	if (first != f) {
		DL_DELETE2(first, f, prev_same, next_same);
		return;
	}
	HASH_DELETE(hh_digest, ch->by_digest, f);
	DL_DELETE2(first, f, prev_same, next_same);
	if (first)
		HASH_ADD(hh_digest, ch->by_digest, digest, CALL_DIGEST, first);
}

static bool may_be_twin(const struct flight *f, const struct flight *own)
{
	return f != own && !f->compared && f->call->session != own->call->session;
}

bool relay_opened(struct pipeline *p, struct flight *own)
{
	struct call *c = own->call;
	struct flight *f;
	int looked = 0;

	DL_FOREACH2(row_of(p, own->digest), f, next_same)
	{
		const struct call_peer *server = server_of(talk_of(p, f->talk));

		if (looked++ > TWINS_MAX)
			break;
		if (!may_be_twin(f, own) || !server || strcmp(f->call->rpc_id, c->rpc_id) != 0 ||
		    f->call->started_ns + RELAY_NS < c->started_ns || !is_of(p, c, server))
			continue;
		own->root = f->root;
		return true;
	}
	return !is_recent(p, c);
}

static void drop_twins(struct pipeline *p, struct flight *own)
{
	struct flight *f, *next;

	DL_FOREACH_SAFE2(row_of(p, own->digest), f, next, next_same)
	{
		struct talk *t = talk_of(p, f->talk);

		if (f->root != own->root || !may_be_twin(f, own))
			continue;
		/* Whoever asked the relay is whom it matters to. */
		if (server_of(t) && same_peer(server_of(t), &own->call->client))
			own->call->client = f->call->client;
		if (t)
			session_release(t->session, f->call);
		flight_drop(p, f);
	}
}

static bool has_twin(const struct pipeline *p, const struct flight *own)
{
	struct flight *f;

	DL_FOREACH2(row_of(p, own->digest), f, next_same)
	{
		if (f->root == own->root && may_be_twin(f, own))
			return true;
	}
	return false;
}

bool relay_closed(struct pipeline *p, struct flight *own)
{
	enum call_end end = own->call->end;
	bool answered = end == CALL_OK || end == CALL_ERROR || end == CALL_TOOL_ERROR;

	if (answered)
		recent_add(p->channels, own->call);
	if (!has_twin(p, own))
		return true;
	/* Of two without an answer that one counts which could have had one. */
	if (!answered && !is_heard(p, own))
		return false;
	drop_twins(p, own);
	return true;
}
