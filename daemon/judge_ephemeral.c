/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A path that this task made earlier and that a later call finds absent, though nobody in the task
 * removed or renamed it: it lay on something that did not persist.
 */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"
#include "names.h"
#include "rules_when.h"

#define LOST_MAX 64 /* more are not compared with one another */

/* Who made a path first; by its bytes, which the signature owns. */
struct made {
	const struct signature *by;
	UT_hash_handle hh;
};

struct removal {
	const struct signature **v;
	size_t n, cap;
};

static void made_free(struct made **all)
{
	struct made *m, *next;

	HASH_ITER(hh, *all, m, next)
	{
		HASH_DEL(*all, m);
		free(m);
	}
}

static int made_add(struct made **all, const struct signature *s)
{
	struct made *m;

	HASH_FIND(hh, *all, s->subject.data, s->subject.len, m);
	if (m) {
		if (s->first_ns < m->by->first_ns)
			m->by = s;
		return 0;
	}
	m = calloc(1, sizeof(*m));
	if (!m)
		return -ENOMEM;
	m->by = s;
	HASH_ADD_KEYPTR(hh, *all, s->subject.data, s->subject.len, m);
	return 0;
}

static int removal_add(struct removal *all, const struct signature *s)
{
	void *v = all->v;
	int r = util_grow(&v, &all->cap, all->n + 1, sizeof(*all->v));

	all->v = v;
	if (r == 0)
		all->v[all->n++] = s;
	return r;
}

static int gather(const struct task *t, struct made **made, struct removal *removed)
{
	int r = 0;

	for (const struct signature *s = t->signatures; s && r == 0; s = s->hh.next) {
		if (s->key.err || s->key.entry == SF_SHORT || !s->subject.len ||
		    s->subject.data[0] != '/')
			continue;
		if (s->classes & (SYS_REMOVE | SYS_RENAME))
			r = removal_add(removed, s);
		if (r == 0 && s->classes & (SYS_OPEN | SYS_MAKE))
			r = made_add(made, s);
	}
	return r;
}

/* dir is path, or a directory above it. */
static bool covers(const struct text *dir, const struct text *path)
{
	return dir->len && dir->len <= path->len && memcmp(dir->data, path->data, dir->len) == 0 &&
	       (dir->len == path->len || path->data[dir->len] == '/');
}

/* A rename is known by its destination only: any in that window may have moved it. */
static bool was_removed(const struct removal *all, const struct signature *made,
			const struct signature *lost)
{
	for (size_t i = 0; i < all->n; i++) {
		const struct signature *o = all->v[i];

		if (o->last_ns < made->first_ns || o->first_ns > lost->last_ns)
			continue;
		if ((o->classes & SYS_RENAME) || covers(&o->subject, &lost->subject))
			return true;
	}
	return false;
}

static int add_lost(struct judgement *j, const struct signature *s, const struct signature *made)
{
	struct candidate *c = judgement_add(j);

	if (!c)
		return -ENOMEM;
	c->sig = s;
	c->c.matched = true;
	c->c.cause = made->classes & SYS_MAKE ? CAUSE_EPHEMERAL_LOST_DIRECTORY
					      : CAUSE_EPHEMERAL_LOST_FILE;
	c->c.prior = PRIOR_WEAK;
	c->c.confidence = CONF_LIKELY;
	c->process = task_find_process(j->task, s->key.tgid, s->key.start_ns);
	c->err = ENOENT;
	c->first_ns = s->first_ns;
	c->last_ns = s->last_ns;
	c->count = s->count;
	c->pid = s->key.tgid;
	c->ns_pid = s->ns_pid;
	memcpy(c->comm, s->comm, SF_COMM);
	snprintf(c->syscall, sizeof(c->syscall), "%s", s->syscall);
	snprintf(c->c.why, sizeof(c->c.why),
		 "%.16s (pid %u) had made it%s, and nobody in the task removed it", made->comm,
		 made->key.tgid,
		 made->mntns && s->mntns && made->mntns != s->mntns ? " in another mount namespace"
								    : "");
	return text_set(&c->c.subject, s->subject.data, s->subject.len);
}

/* Whoever looks for a path looks for the directories above it as well: the path is told. */
static void drop_above(struct judgement *j, size_t from)
{
	for (size_t i = from; i < j->n; i++)
		for (size_t k = from; k < j->n; k++)
			if (i != k && j->v[i].process == j->v[k].process &&
			    j->v[i].c.subject.len < j->v[k].c.subject.len &&
			    covers(&j->v[i].c.subject, &j->v[k].c.subject)) {
				j->v[i].c.prior = PRIOR_NOISE;
				break;
			}
}

static int find_lost(struct judgement *j, struct made *made, const struct removal *removed)
{
	int r = 0;

	for (const struct signature *s = j->task->signatures; s && r == 0; s = s->hh.next) {
		struct made *m;

		if (s->key.err != ENOENT || !(s->classes & (SYS_OPEN | SYS_STAT | SYS_CHDIR)) ||
		    !s->subject.len || s->subject.data[0] != '/')
			continue;
		HASH_FIND(hh, made, s->subject.data, s->subject.len, m);
		if (m && m->by->first_ns < s->last_ns && !is_hidden(s) &&
		    !was_removed(removed, m->by, s))
			r = add_lost(j, s, m->by);
	}
	return r;
}

int judge_ephemeral(struct judgement *j)
{
	struct removal removed = { 0 };
	struct made *made = NULL;
	int r = gather(j->task, &made, &removed);
	size_t from = j->n;

	if (r == 0 && made)
		r = find_lost(j, made, &removed);
	if (j->n - from <= LOST_MAX)
		drop_above(j, from);
	made_free(&made);
	free(removed.v);
	return r;
}
