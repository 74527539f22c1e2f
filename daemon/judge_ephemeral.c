/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A path that this task made earlier and that a later call finds absent, though nobody in the task
 * removed or renamed it: it lay on something that did not persist.
 */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"
#include "names.h"

static bool same_subject(const struct signature *a, const struct signature *b)
{
	return a->subject.len == b->subject.len && a->subject.len &&
	       memcmp(a->subject.data, b->subject.data, a->subject.len) == 0;
}

/* b is a's path or a directory above it. */
static bool covers(const struct text *dir, const struct text *path)
{
	return dir->len && dir->len <= path->len && memcmp(dir->data, path->data, dir->len) == 0 &&
	       (dir->len == path->len || path->data[dir->len] == '/');
}

static bool was_removed(const struct judgement *j, const struct signature *made,
			const struct signature *lost)
{
	for (const struct signature *o = j->task->signatures; o; o = o->hh.next) {
		if (o->key.err || !(o->classes & (SYS_REMOVE | SYS_RENAME)) ||
		    o->last_ns < made->first_ns || o->first_ns > lost->last_ns)
			continue;
		/* A rename is known by its destination only: any in that window may have moved it. */
		if ((o->classes & SYS_RENAME) && o->key.tgid)
			return true;
		if (covers(&o->subject, &lost->subject))
			return true;
	}
	return false;
}

static const struct signature *maker(const struct judgement *j, const struct signature *lost)
{
	for (const struct signature *o = j->task->signatures; o; o = o->hh.next)
		if (!o->key.err && (o->classes & (SYS_OPEN | SYS_MAKE)) &&
		    o->last_ns < lost->first_ns && same_subject(o, lost) &&
		    !was_removed(j, o, lost))
			return o;
	return NULL;
}

int judge_ephemeral(struct judgement *j)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		const struct signature *made;
		struct candidate *c;
		int r;

		if (s->key.err != ENOENT || !(s->classes & (SYS_OPEN | SYS_STAT | SYS_CHDIR)) ||
		    !s->subject.len || s->subject.data[0] != '/')
			continue;
		made = maker(j, s);
		if (!made)
			continue;
		c = judgement_add(j);
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
			 "%.16s (pid %u) had made it%s, and nobody in the task removed it",
			 made->comm, made->key.tgid,
			 made->mntns && s->mntns && made->mntns != s->mntns
				 ? " in another mount namespace"
				 : "");
		r = text_set(&c->c.subject, s->subject.data, s->subject.len);
		if (r < 0)
			return r;
	}
	return 0;
}
