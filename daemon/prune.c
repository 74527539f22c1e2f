/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "classify.h"
#include "names.h"
#include "prune.h"

#define SLACK_NS  (100 * NSEC_PER_MSEC) /* a message's time is that of another hook */
#define CALLS_MAX 256 /* failed calls that are held against look-ups: the latest */

/* A path that was made: by its bytes, which the signature owns. */
struct made {
	UT_hash_handle hh;
};

static bool is_lookup(const struct signature *s)
{
	return (s->key.err == ENOENT || s->key.err == ENOTDIR) && !s->explain_pending &&
	       s->classes & (SYS_OPEN | SYS_STAT | SYS_ACCESS | SYS_EXEC | SYS_CHDIR | SYS_XATTR);
}

/* Of a process that ended well. */
static bool ended_well(const struct task *t, const struct signature *s, uint64_t before_ns)
{
	const struct process *p = task_find_process(t, s->key.tgid, s->key.start_ns);

	return p && p->exited && p->status == 0 && p->exit_ns < before_ns;
}

/* Nothing but the end of its process could have made it count. */
static bool needs_an_end(const struct signature *s)
{
	struct classification c;
	bool needs;

	if (classify_signature(s, &c) < 0)
		return false;
	needs = !c.matched || c.prior < PRIOR_LOSS;
	classification_clear(&c);
	return needs;
}

/* When tool calls failed. */
struct windows {
	size_t n;
	struct {
		uint64_t begin, end;
	} v[CALLS_MAX];
};

static void windows_gather(const struct task *t, struct windows *w)
{
	for (size_t i = t->calls.n; i-- > 0 && w->n < CALLS_MAX;) {
		const struct call *c = t->calls.v[i];

		if (!call_failed(c) || !c->ended_ns)
			continue;
		w->v[w->n].begin = c->started_ns > SLACK_NS ? c->started_ns - SLACK_NS : 0;
		w->v[w->n].end = c->ended_ns + SLACK_NS;
		w->n++;
	}
}

/* A server that ends well has told its client all the same that a file is not there. */
static bool is_told(const struct windows *w, const struct signature *s)
{
	for (size_t i = 0; i < w->n; i++)
		if (s->last_ns >= w->v[i].begin && s->first_ns <= w->v[i].end)
			return true;
	return false;
}

static void made_free(struct made **all)
{
	struct made *m, *next;

	HASH_ITER(hh, *all, m, next)
	{
		HASH_DEL(*all, m);
		free(m);
	}
}

static int made_gather(const struct task *t, struct made **all)
{
	for (struct signature *s = t->signatures; s; s = s->hh.next) {
		struct made *m;

		if (s->key.err || !s->subject.len)
			continue;
		HASH_FIND(hh, *all, s->subject.data, s->subject.len, m);
		if (m)
			continue;
		m = calloc(1, sizeof(*m));
		if (!m)
			return -ENOMEM;
		HASH_ADD_KEYPTR(hh, *all, s->subject.data, s->subject.len, m);
	}
	return 0;
}

size_t prune_task(struct task *t, uint64_t before_ns)
{
	struct made *all = NULL, *m;
	struct signature *s, *next;
	struct windows w = { 0 };
	size_t n = 0;

	if (HASH_COUNT(t->signatures) <= PRUNE_FROM)
		return 0;
	if (made_gather(t, &all) < 0) {
		made_free(&all);
		return 0;
	}
	windows_gather(t, &w);
	HASH_ITER(hh, t->signatures, s, next)
	{
		if (!is_lookup(s) || !ended_well(t, s, before_ns) || is_told(&w, s))
			continue;
		HASH_FIND(hh, all, s->subject.data, s->subject.len, m);
		if (m || !needs_an_end(s))
			continue;
		task_drop_signature(t, s);
		n++;
	}
	made_free(&all);
	return n;
}
