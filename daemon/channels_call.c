/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls and incidents go to their tasks. */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"

/* ---- what the task keeps ---- */

static struct flight *flight_find(const struct pipeline *p, uint64_t id)
{
	struct flight *f = NULL;

	if (p->channels)
		HASH_FIND(hh, p->channels->flights, &id, sizeof(id), f);
	return f;
}

/* A healthy one that nobody waits for: it has been stored, and says nothing more to the judge. */
static bool is_spent(const struct pipeline *p, const struct call *c)
{
	return c->end == CALL_OK && !c->n_faults && !flight_find(p, c->id);
}

/* Room for another: healthy ones go, a batch at a time, oldest first. */
static void calls_forget(struct pipeline *p, struct task *t)
{
	size_t want = TASK_MAX_CALLS / 16, kept = 0;

	for (size_t i = 0; i < t->calls.n; i++) {
		struct call *c = t->calls.v[i];

		if (want && is_spent(p, c)) {
			want--;
			call_clear(c);
			free(c);
		} else {
			t->calls.v[kept++] = c;
		}
	}
	t->calls.n = kept;
}

int channels_call_add(struct pipeline *p, struct tracked *tr, struct call *c)
{
	struct task *t = tr->task;
	void *v = t->calls.v;
	int r;

	if (t->calls.n >= TASK_MAX_CALLS)
		calls_forget(p, t);
	r = t->calls.n < TASK_MAX_CALLS
		    ? util_grow(&v, &t->calls.cap, t->calls.n + 1, sizeof(*t->calls.v))
		    : -ENOSPC;
	t->calls.v = v;
	if (r < 0) {
		t->calls.dropped++;
		t->lost++;
		return r;
	}
	c->instance = t->instance;
	t->calls.v[t->calls.n++] = c;
	t->dirty = true;
	return 0;
}

/* Takes it out of its task, and frees it. */
static void call_drop(struct pipeline *p, struct call *c)
{
	struct tracked *tr = tracked_find(p, c->instance);
	struct task *t = tr ? tr->task : NULL;
	size_t kept = 0;

	for (size_t i = 0; t && i < t->calls.n; i++)
		if (t->calls.v[i] != c)
			t->calls.v[kept++] = t->calls.v[i];
	if (t)
		t->calls.n = kept;
	call_clear(c);
	free(c);
}

/* ---- in flight ---- */

static struct flight *flight_add(struct pipeline *p, struct call *c, struct talk *t)
{
	struct flight *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	f->id = c->id;
	f->instance = c->instance;
	f->call = c;
	f->talk = t->id;
	HASH_ADD(hh, p->channels->flights, id, sizeof(f->id), f);
	relay_add(p, f);
	return f;
}

static void flight_remove(struct pipeline *p, struct flight *f)
{
	relay_remove(p, f);
	HASH_DEL(p->channels->flights, f);
	free(f);
}

void flight_drop(struct pipeline *p, struct flight *f)
{
	struct call *c = f->call;

	payload_forget(p->channels->payload, f->id);
	flight_remove(p, f);
	call_drop(p, c);
}

void flights_forget(struct pipeline *p, uint64_t instance)
{
	struct flight *f, *next;

	HASH_ITER(hh, p->channels->flights, f, next)
	{
		if (instance && f->instance != instance)
			continue;
		payload_forget(p->channels->payload, f->id);
		flight_remove(p, f);
	}
}

/* All is known of it. */
static void call_final(struct pipeline *p, struct flight *f)
{
	struct tracked *tr = tracked_find(p, f->instance);

	if (tr)
		keep_call(p, tr, f->call);
	flight_remove(p, f);
}

void call_done(uint64_t id, void *arg)
{
	struct pipeline *p = arg;
	struct flight *f = flight_find(p, id);
	struct tracked *tr = f ? tracked_find(p, f->instance) : NULL;

	if (!f)
		return;
	call_final(p, f);
	if (tr)
		inquiry_answered(p, tr);
}

/* ---- what sessions say ---- */

static int on_opened(void *arg, struct session *s, struct call *c, struct json_object *params)
{
	struct talk *t = arg;
	struct pipeline *p = t->p;
	struct tracked *tr = owner_of(p, t, c->started_ns);
	struct flight *f;
	int r;

	if (!tr) {
		p->channels->unowned++;
		return -ESRCH;
	}
	c->id = ++p->last_call;
	r = channels_call_add(p, tr, c);
	if (r < 0)
		return r;
	f = flight_add(p, c, t);
	if (f && relay_opened(p, f)) {
		payload_request(p->channels->payload, c, params);
		return 0;
	}
	tr->task->calls.n--; /* the session frees it */
	if (f)
		flight_remove(p, f);
	return f ? -EEXIST : -ENOMEM;
}

static void on_closed(void *arg, struct session *s, struct call *c, struct json_object *result)
{
	struct talk *t = arg;
	struct pipeline *p = t->p;
	struct flight *f = flight_find(p, c->id);
	struct tracked *tr = tracked_find(p, c->instance);

	if (!f)
		return;
	if (!relay_closed(p, f)) {
		flight_drop(p, f);
		return;
	}
	if (payload_answer(p->channels->payload, c, NULL, result) != 1) {
		call_final(p, f);
		return;
	}
	f->compared = true;
	if (tr)
		tr->explaining++;
}

int channels_incident_add(struct task *t, const struct incident *i)
{
	void *v = t->incidents.v;
	int r = t->incidents.n < TASK_MAX_EVENTS
			? util_grow(&v, &t->incidents.cap, t->incidents.n + 1, sizeof(*i))
			: -ENOSPC;

	t->incidents.v = v;
	if (r == 0)
		t->incidents.v[t->incidents.n++] = *i;
	else
		t->incidents.dropped++;
	return r;
}

static void on_incident(void *arg, struct session *s, struct incident *i)
{
	struct talk *t = arg;
	struct tracked *tr = owner_of(t->p, t, i->ts);

	if (!tr) {
		incident_clear(i);
		return;
	}
	i->instance = tr->task->instance;
	if (channels_incident_add(tr->task, i) < 0) {
		incident_clear(i);
		return;
	}
	keep_incident(t->p, tr, i);
}

static void on_roots(void *arg, struct session *s, struct json_object *result)
{
	struct talk *t = arg;

	payload_roots(t->p->channels->payload, t->id, result);
}

const struct session_ops call_ops = {
	.opened = on_opened,
	.closed = on_closed,
	.incident = on_incident,
	.roots = on_roots,
};

/* ---- told by the harness ---- */

int channels_told(struct pipeline *p, struct tracked *tr, struct call *c)
{
	struct call *own = malloc(sizeof(*own));
	int r = own ? 0 : -ENOMEM;

	if (own) {
		*own = *c;
		memset(c, 0, sizeof(*c));
		own->id = ++p->last_call;
		own->source = CALL_TOLD;
		r = channels_call_add(p, tr, own);
		if (r < 0)
			call_clear(own);
		else
			keep_call(p, tr, own);
	} else {
		call_clear(c);
	}
	if (r < 0)
		free(own);
	return r;
}
