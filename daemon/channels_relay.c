/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The same request on several channels. A launcher that hands on what it reads (docker, npx, socat, tee)
 * makes a chain of them, of which the last, nearest to the server, is answered first. A server of a few
 * lines of shell pipes the request through jq, and nobody answers that. What is answered first is the call;
 * its twins go.
 */
#include <string.h>

#include "channels_impl.h"

#define RELAY_NS  (2 * NSEC_PER_SEC) /* from one channel to the next */
#define ANCESTORS 16

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

bool relay_opened(struct pipeline *p, struct flight *own)
{
	struct call *c = own->call;
	struct flight *f, *next;

	own->root = own->id;
	HASH_ITER(hh, p->channels->flights, f, next)
	{
		const struct call_peer *server;
		struct twin t = { .started_ns = f->call->started_ns };

		if (f == own || f->compared || f->call->session == c->session ||
		    strlen(f->call->rpc_id) >= sizeof(t.rpc_id))
			continue;
		strcpy(t.rpc_id, f->call->rpc_id);
		memcpy(t.digest, f->call->request_digest, CALL_DIGEST);
		server = same_request(&t, c) ? server_of(talk_of(p, f->talk)) : NULL;
		if (!server || !is_of(p, c, server))
			continue;
		own->root = f->root;
		return true;
	}
	return !is_recent(p, c);
}

static void drop_twins(struct pipeline *p, struct flight *own)
{
	struct flight *f, *next;

	HASH_ITER(hh, p->channels->flights, f, next)
	{
		struct talk *t = talk_of(p, f->talk);

		if (f == own || f->root != own->root || f->compared)
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
	struct flight *f, *next;

	HASH_ITER(hh, p->channels->flights, f, next)
	{
		if (f != own && f->root == own->root && !f->compared)
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
