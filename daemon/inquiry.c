/* SPDX-License-Identifier: GPL-2.0-only */
/* Questions about state that will soon be gone: the helper is asked, mount tables are read. */
#include <errno.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/statvfs.h>

#include "core.h"
#include "log.h"
#include "names.h"
#include "triage.h"

#define LOOK_AT	 256	     /* processes of a task that are looked through for a way in */
#define OWN_ROOT 0xffffffffU /* the helper's own root, in place of a process */

/* ---- explain ---- */

static void no_answer(struct pipeline *p, struct signature *s, const char *why)
{
	if (s->explanation)
		return;
	s->explanation = calloc(1, sizeof(*s->explanation));
	if (s->explanation)
		snprintf(s->explanation->why, sizeof(s->explanation->why), "%s", why);
	if (s->explanation)
		tape_answer(p->tape, &s->key, s->explanation);
}

static bool same_root(const struct signature *s, const struct process *p)
{
	return !p->exited && p->mntns == s->mntns &&
	       (p->state & SF_ST_CHROOT) == (s->state & SF_ST_CHROOT);
}

static size_t add_pid(struct explain_request *r, size_t n, uint32_t pid)
{
	for (size_t i = 0; i < n; i++)
		if (r->pids[i] == pid)
			return n;
	if (pid && n < ARRAY_SIZE(r->pids))
		r->pids[n++] = pid;
	return n;
}

/* Through whose root to look, best first: the process may be gone in a millisecond, its parent or a
 * sibling in the same namespace shows the same tree. */
static void request_pids(const struct pipeline *p, const struct task *t, const struct signature *s,
			 struct explain_request *r)
{
	struct process *self = task_find_process(t, s->key.tgid, s->key.start_ns), *other, *tmp;
	bool own = s->mntns == p->own_mntns && !(s->state & SF_ST_CHROOT);
	size_t n = add_pid(r, 0, s->key.tgid), looked = 0;

	if (self)
		n = add_pid(r, n, self->parent.tgid);
	HASH_ITER(hh, t->processes, other, tmp)
	{
		if (n >= ARRAY_SIZE(r->pids) - 1 || looked++ > LOOK_AT)
			break;
		if (other != self && same_root(s, other))
			n = add_pid(r, n, other->key.tgid);
	}
	if (own)
		add_pid(r, n, OWN_ROOT);
	r->mntns = s->mntns;
}

static void take_explanation(struct signature *s, const struct explanation *e)
{
	/* Whoever saw the state saw it earlier than whoever did not. */
	if (s->explanation && (s->explanation->done || !(e->done || e->label[0])))
		return;
	free(s->explanation);
	s->explanation = malloc(sizeof(*e));
	if (s->explanation)
		*s->explanation = *e;
}

static void early_keep(struct pipeline *p, const struct sf_key *key, const struct explanation *e)
{
	if (!p->early)
		p->early = calloc(EARLY_MAX, sizeof(*p->early));
	if (!p->early)
		return;
	if (p->n_early == EARLY_MAX)
		memmove(p->early, p->early + 1, --p->n_early * sizeof(*p->early));
	p->early[p->n_early++] = (struct early){ .key = *key, .e = *e };
}

static void early_take(struct pipeline *p, struct signature *s)
{
	for (size_t i = 0; i < p->n_early; i++) {
		if (memcmp(&p->early[i].key, &s->key, sizeof(s->key)) != 0)
			continue;
		take_explanation(s, &p->early[i].e);
		memmove(&p->early[i], &p->early[i + 1], (--p->n_early - i) * sizeof(*p->early));
		return;
	}
}

void inquiry_scouted(const struct sf_key *key, const struct explanation *e, void *arg)
{
	struct pipeline *p = arg;
	struct tracked *tr = tracked_of_instance(p, key->instance);
	struct sf_key own = *key;
	struct signature *s;

	if (!(e->done || e->label[0]) || !tr)
		return;
	own.instance = tr->task->instance;
	tape_answer(p->tape, &own, e);
	s = task_find_signature(tr->task, &own);
	if (!s) {
		early_keep(p, &own, e);
		return;
	}
	take_explanation(s, e);
	tr->task->dirty = true;
}

void inquiry_replayed(struct pipeline *p, struct sf_key *key, const struct explanation *e)
{
	struct tracked *tr = tracked_of_instance(p, key->instance);
	struct signature *s = tr ? task_find_signature(tr->task, key) : NULL;

	if (s)
		take_explanation(s, e);
	else
		early_keep(p, key, e);
}

void inquiry_signature(struct pipeline *p, struct tracked *tr, struct signature *s)
{
	_cleanup_free_ struct explain_request *r = calloc(1, sizeof(*r));
	struct question *q;

	scout_drain(p->scout);
	early_take(p, s);
	if (!p->explainer) /* a replay */
		return;
	if (!r || s->explain_pending || s->explanation || !triage_request(s, r))
		return;
	q = calloc(1, sizeof(*q));
	if (!q)
		return;
	r->id = q->id = ++p->next_question;
	q->instance = tr->task->instance;
	q->key = s->key;
	request_pids(p, tr->task, s, r);
	HASH_ADD(hh, p->questions, id, sizeof(q->id), q);
	s->explain_pending = true;
	tr->explaining++;
	if (explain_ask(p->explainer, r) == 0)
		return;
	p->refused_questions++;
	HASH_DEL(p->questions, q);
	free(q);
	s->explain_pending = false;
	tr->explaining--;
	no_answer(p, s, "too many questions at once");
}

void inquiry_answer(uint64_t id, const struct explanation *e, void *arg)
{
	struct pipeline *p = arg;
	struct signature *s;
	struct tracked *tr;
	struct question *q;

	HASH_FIND(hh, p->questions, &id, sizeof(id), q);
	if (!q)
		return;
	HASH_DEL(p->questions, q);
	tr = tracked_find(p, q->instance);
	s = tr ? task_find_signature(tr->task, &q->key) : NULL;
	free(q);
	if (!tr)
		return;
	if (s) {
		s->explain_pending = false;
		tape_answer(p->tape, &s->key, e);
		take_explanation(s, e);
		tr->task->dirty = true;
	}
	if (tr->explaining && --tr->explaining)
		return;
	if (!tr->explain_until_ns)
		return;
	tracked_finalize(p, tr);
	pipeline_commit(p);
	tracked_reply(p, tr);
}

/* ---- mount tables ---- */

/* At once and in the loop: this file is made of memory and can't block. The number may have passed
 * on to another process: it has to be of the namespace still. */
void inquiry_mounts(struct pipeline *p, uint32_t ns, uint32_t pid)
{
	_cleanup_free_ char *text = NULL;
	char path[320];
	int n;

	if (!p->explainer || !ns || ns == p->own_mntns || !mounts_wanted(p->mounts, ns))
		return;
	n = snprintf(path, sizeof(path), "%s/%u/mountinfo", p->options->proc_root, pid);
	if (n >= (int)sizeof(path) ||
	    procfs_namespace(p->options->proc_root, (pid_t)pid, "mnt") != ns)
		return;
	if (util_read_file(path, MOUNTS_TEXT_MAX, &text) <= 0)
		return;
	tape_mounts(p->tape, ns, text);
	mounts_set(p->mounts, ns, text);
}

void inquiry_mounted(struct pipeline *p, uint32_t ns, uint32_t pid)
{
	if (!p->explainer)
		return;
	mounts_dirty(p->mounts, ns);
	for (size_t i = 0; i < p->n_mounted; i++)
		if (p->mounted[i].ns == ns) {
			p->mounted[i].pid = pid;
			return;
		}
	if (p->n_mounted == ARRAY_SIZE(p->mounted))
		inquiry_mounts_flush(p);
	p->mounted[p->n_mounted++] = (struct mounted){ ns, pid };
}

void inquiry_mounts_flush(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_mounted; i++)
		inquiry_mounts(p, p->mounted[i].ns, p->mounted[i].pid);
	p->n_mounted = 0;
}

static bool mount_may_refuse(const struct signature *s)
{
	switch (s->key.err) {
	case EACCES:
	case EPERM:
	case EROFS:
		return true;
	case ENOSPC:
		return true;
	case ENOENT:
		return (s->classes & SYS_EXEC) || strncmp(s->subject.data, "/proc/", 6) == 0 ||
		       strncmp(s->subject.data, "/sys/", 5) == 0;
	default:
		return false;
	}
}

void inquiry_mount_of(struct pipeline *p, struct signature *s)
{
	const struct mount_entry *m;

	if (s->mount_known || !s->subject.len || s->subject.data[0] != '/' || !mount_may_refuse(s))
		return;
	inquiry_mounts(p, s->mntns, s->key.tgid);
	m = mounts_find(p->mounts, s->mntns, s->subject.data, s->subject.len);
	if (!m)
		return;
	s->mount_known = true;
	s->mount_flags = m->flags;
	memcpy(s->mount_type, m->type, sizeof(s->mount_type));
}

void inquiry_mount_made(struct pipeline *p, const struct signature *s)
{
	/* mount(2): flags are args[3]; a bind takes those of its source, a change of propagation none */
	const uint64_t unknown =
		MS_BIND | MS_MOVE | MS_SHARED | MS_PRIVATE | MS_SLAVE | MS_UNBINDABLE;
	const uint32_t kept = ST_RDONLY | ST_NOSUID | ST_NODEV | ST_NOEXEC;
	bool remount = s->args[3] & MS_REMOUNT;

	if (strcmp(s->syscall, "mount") != 0 || s->mntns == p->own_mntns || !s->subject.len ||
	    s->subject.data[0] != '/' || (s->args[3] & unknown && !remount))
		return;
	if (mounts_note(p->mounts, s->mntns, s->subject.data, s->subject.len,
			(uint32_t)s->args[3] & kept) < 0)
		p->lost_events++;
}
