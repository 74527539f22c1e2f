/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls and incidents go to their tasks. */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"

/* A healthy one that nobody waits for: it has been stored, and says nothing more to the judge. */
static bool is_spent(const struct pipeline *p, const struct call *c)
{
	return c->end == CALL_OK && !c->n_faults && !channels_in_flight(p, c);
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
		return r;
	}
	c->instance = t->instance;
	t->calls.v[t->calls.n++] = c;
	t->dirty = true;
	return 0;
}

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
