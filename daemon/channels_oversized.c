/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A message over its reader's limit: the bytes all pass, and the reader gives up on them. Only its own words
 * tell, beside a message longer than those that went well before.
 */
#include <string.h>

#include "channels_impl.h"

#define LONG_MESSAGE 4096 /* bytes; nobody's limit is less */

/* What readers of lines and messages say. */
static const char *const words[] = {
	"chunk is longer than limit",	 /* Python, asyncio/streams.py, readuntil() */
	"chunk exceed the limit",	 /* … where the separator was not found yet */
	"delimiter was not found among", /* Python, anyio */
	"token too long",		 /* Go, bufio.ErrTooLong */
	"maxBuffer length exceeded",	 /* Node, child_process */
	"max line length exceeded",	 /* Rust, tokio_util LinesCodec */
	"Max payload size exceeded",	 /* Node, ws */
	"request entity too large",	 /* Node, body-parser */
};

static bool says_so(const struct process *p)
{
	if (!p || !p->exited || !p->status)
		return false;
	for (size_t i = 0; p->tail.len && i < ARRAY_SIZE(words); i++)
		if (memmem(p->tail.data, p->tail.len, words[i], strlen(words[i])))
			return true;
	return false;
}

/* The last call that was answered at such length, or asked so, by a channel of that process. */
static const struct call *last_long(const struct task *t, const struct process *p, bool client)
{
	const struct call *found = NULL;

	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *c = t->calls.v[i];
		const struct call_peer *peer = client ? &c->client : &c->server;
		uint64_t len = client ? c->answer_len : c->request_len;

		if (peer->tgid != p->key.tgid || peer->start_ns != p->key.start_ns || !c->session ||
		    len < LONG_MESSAGE)
			continue;
		if (!found || c->started_ns > found->started_ns)
			found = c;
	}
	return found;
}

static bool is_said(const struct task *t, uint64_t session)
{
	for (size_t i = 0; i < t->incidents.n; i++)
		if (t->incidents.v[i].kind == INCIDENT_OVERSIZED &&
		    t->incidents.v[i].session == session)
			return true;
	return false;
}

static void keep(struct pipeline *p, struct tracked *tr, struct incident *i)
{
	i->kind = INCIDENT_OVERSIZED;
	i->instance = tr->task->instance;
	if (channels_incident_add(tr->task, i) < 0)
		incident_clear(i);
	else
		keep_incident(p, tr, i);
}

static void say(struct pipeline *p, struct tracked *tr, const struct process *proc, bool client)
{
	const struct call *c = last_long(tr->task, proc, client);
	struct incident i = { .by_server = client };

	if (!c || is_said(tr->task, c->session))
		return;
	i.session = c->session;
	i.bytes = client ? c->answer_len : c->request_len;
	i.ts = client && c->ended_ns ? c->ended_ns : c->started_ns;
	i.who = client ? c->server : c->client;
	i.other = client ? c->client : c->server;
	if (asprintf(&i.say, "%s of %llu bytes was over the limit of the %s, which said so",
		     client ? "an answer" : "a request", (unsigned long long)i.bytes,
		     client ? "client" : "server") < 0)
		i.say = NULL;
	keep(p, tr, &i);
}

static bool is_peer(const struct call_peer *peer, const struct process *p)
{
	return peer->tgid == p->key.tgid && peer->start_ns == p->key.start_ns;
}

/* A reader that gave up before the message was whole: its writer met a broken pipe. */
static void say_broken(struct pipeline *p, struct tracked *tr, const struct process *proc)
{
	for (size_t k = 0; k < tr->task->incidents.n; k++) {
		const struct incident *o = &tr->task->incidents.v[k];
		struct incident i = { 0 };

		if ((o->kind != INCIDENT_BROKEN_PIPE && o->kind != INCIDENT_RESET) ||
		    !is_peer(&o->other, proc) || is_said(tr->task, o->session))
			continue;
		i.session = o->session;
		i.ts = o->ts;
		i.who = o->who;
		i.other = o->other;
		i.by_server = o->by_server;
		if (asprintf(&i.say,
			     "%s was over the limit of the %s, which said so, and left before "
			     "it had read all of it",
			     o->by_server ? "an answer" : "a request",
			     o->by_server ? "client" : "server") < 0)
			i.say = NULL;
		keep(p, tr, &i);
		return;
	}
}

void oversized_settle(struct pipeline *p, struct tracked *tr)
{
	struct process *proc, *next;

	if (!tr->task->calls.n)
		return;
	HASH_ITER(hh, tr->task->processes, proc, next)
	{
		if (!says_so(proc))
			continue;
		say(p, tr, proc, true);
		say(p, tr, proc, false);
		say_broken(p, tr, proc);
	}
}
