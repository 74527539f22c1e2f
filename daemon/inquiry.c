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

/* Whoever saw it there saw it earlier than whoever did not. */
static void take_outside(struct explanation *to, const struct explanation *from)
{
	if (from->outside <= to->outside && (to->outside_mode || !from->outside_mode))
		return;
	to->outside = from->outside;
	to->outside_mode = from->outside_mode;
	to->outside_uid = from->outside_uid;
	to->outside_gid = from->outside_gid;
}

static bool has_seen(const struct explanation *e)
{
	return e->done || e->label[0];
}

static void take_explanation(struct signature *s, const struct explanation *e)
{
	struct explanation *old = s->explanation, *copy;

	/* Whoever saw the state saw it earlier than whoever did not. */
	if (old && (old->done || !has_seen(e))) {
		take_outside(old, e);
		return;
	}
	copy = malloc(sizeof(*copy));
	if (!copy)
		return;
	*copy = *e;
	if (old)
		take_outside(copy, old);
	free(old);
	s->explanation = copy;
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

	if (!(has_seen(e) || e->outside) || !tr)
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

/* Hands the question on; 0, or what kept it from being asked. */
static int ask(struct pipeline *p, struct tracked *tr, struct signature *s,
	       struct explain_request *r)
{
	struct question *q = calloc(1, sizeof(*q));
	int err;

	if (!q)
		return -ENOMEM;
	r->id = q->id = ++p->next_question;
	q->instance = tr->task->instance;
	q->key = s->key;
	HASH_ADD(hh, p->questions, id, sizeof(q->id), q);
	err = explain_ask(p->explainer, r);
	if (err == 0) {
		s->explain_pending = true;
		tr->explaining++;
		return 0;
	}
	p->refused_questions++;
	HASH_DEL(p->questions, q);
	free(q);
	return err;
}

void inquiry_signature(struct pipeline *p, struct tracked *tr, struct signature *s, bool inside)
{
	_cleanup_free_ struct explain_request *r = calloc(1, sizeof(*r));

	scout_drain(p->scout);
	early_take(p, s);
	if (!p->explainer) /* a replay */
		return;
	inside = inside && !(s->explanation && has_seen(s->explanation));
	if (!r || s->explain_pending || !(inside || s->cover_len) || !triage_request(s, r))
		return;
	if (inside)
		request_pids(p, tr->task, s, r);
	if (s->cover_len)
		r->want = inside ? r->want | WANT_OUTSIDE : WANT_OUTSIDE;
	r->cover_len = s->cover_len;
	if (ask(p, tr, s, r) == -EAGAIN && inside)
		no_answer(p, s, "too many questions at once");
}

void inquiry_answered(struct pipeline *p, struct tracked *tr)
{
	if (tr->explaining && --tr->explaining)
		return;
	if (!tr->explain_until_ns)
		return;
	tracked_finalize(p, tr);
	pipeline_commit(p);
	tracked_reply(p, tr);
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
	inquiry_answered(p, tr);
}

/* ---- mount tables ---- */

/* At once and in the loop: this file is made of memory and can't block. The number may have passed
 * on to another process: it has to be of the namespace still. */
void inquiry_mounts(struct pipeline *p, uint32_t ns, uint32_t pid)
{
	_cleanup_free_ char *text = NULL;
	char path[320];
	int n;

	if (!p->explainer || p->mounts_sent || !ns || ns == p->own_mntns ||
	    !mounts_wanted(p->mounts, ns))
		return;
	n = snprintf(path, sizeof(path), "%s/%u/mountinfo", p->options->proc_root, pid);
	if (n >= (int)sizeof(path) ||
	    procfs_namespace(p->options->proc_root, (pid_t)pid, "mnt") != ns)
		return;
	n = (int)util_read_file(path, MOUNTS_TEXT_MAX, &text);
	if (n <= 0)
		return;
	tape_mounts(p->tape, ns, text, (uint64_t)util_now_boottime());
	mounts_set(p->mounts, ns, text);
}

void inquiry_mounted(struct pipeline *p, uint32_t ns, uint32_t pid)
{
	if (!p->explainer || p->mounts_sent)
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

/* Below these, what a mount shows is of the kernel's making, and differs from process to process. */
static bool in_kernel_tree(const struct signature *s)
{
	return strncmp(s->subject.data, "/proc/", 6) == 0 ||
	       strncmp(s->subject.data, "/sys/", 5) == 0;
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
		return true;
	default:
		return false;
	}
}

/* Of whoever lives to show it: the process itself, else another one of its namespace. */
static void read_table(struct pipeline *p, const struct tracked *tr, const struct signature *s)
{
	const struct process *other = tr->task->processes;

	inquiry_mounts(p, s->mntns, s->key.tgid);
	for (size_t looked = 0; other && looked < LOOK_AT; other = other->hh.next, looked++) {
		if (!mounts_wanted(p->mounts, s->mntns))
			return;
		if (!other->exited && other->mntns == s->mntns && other->key.tgid != s->key.tgid)
			inquiry_mounts(p, s->mntns, other->key.tgid);
	}
}

/* The table of that very moment; without one, that of its namespace. */
static const struct mount_entry *mount_find(struct pipeline *p, const struct tracked *tr,
					    const struct signature *s)
{
	uint64_t key = s->mount_table ? MOUNTS_SENT(s->mount_table) : s->mntns;

	if (s->mount_table && mounts_wanted(p->mounts, key))
		return NULL;
	if (!s->mount_table && p->explainer && s->mntns != p->own_mntns)
		read_table(p, tr, s);
	return mounts_find(p->mounts, key, s->subject.data, s->subject.len);
}

void inquiry_mount_of(struct pipeline *p, const struct tracked *tr, struct signature *s)
{
	const struct mount_entry *m;

	if (s->mount_known || !s->subject.len || s->subject.data[0] != '/' || !mount_may_refuse(s))
		return;
	m = mount_find(p, tr, s);
	if (!m)
		return;
	s->mount_known = true;
	s->mount_flags = m->flags;
	s->mount_len = (uint32_t)m->point_len;
	s->mount_mode = m->mode;
	s->mount_uid = m->uid;
	s->mount_gid = m->gid;
	memcpy(s->mount_type, m->type, sizeof(s->mount_type));
	if (m->elsewhere && m->point_len > 1 && !in_kernel_tree(s) && s->key.entry != SF_DENIED &&
	    (s->key.err == ENOENT || s->key.err == EACCES))
		s->cover_len = (uint32_t)m->point_len;
}

static uint32_t mount_flags(const struct sf_ev_mount *m)
{
	static const struct {
		uint32_t mnt, st; /* include/linux/mount.h of the kernel; statvfs(3) */
	} known[] = {
		{ 1, ST_NOSUID },
		{ 2, ST_NODEV },
		{ 4, ST_NOEXEC },
		{ 0x40, ST_RDONLY },
	};
	uint32_t flags = m->sb_flags & MS_RDONLY ? ST_RDONLY : 0;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (m->flags & known[i].mnt)
			flags |= known[i].st;
	return flags;
}

void inquiry_mount_sent(struct pipeline *p, const struct event *e)
{
	const struct sf_ev_mount *m = e->mount;
	const uint64_t key = MOUNTS_SENT(m->table);
	struct mount_entry entry = {
		.id = (int)m->id,
		.parent = (int)m->parent,
		.flags = mount_flags(m),
		.mode = m->mode,
		.uid = m->uid,
		.gid = m->gid,
		.point_len = e->part[0].len,
	};

	p->mounts_sent = true;
	if (m->end) {
		mounts_end(p->mounts, key, m->id);
		return;
	}
	snprintf(entry.type, sizeof(entry.type), "%.*s", SF_FS_TYPE - 1, m->type);
	entry.point = (char *)e->part[0].data;
	if (mounts_add(p->mounts, key, &entry, e->part[1].data, e->part[1].len) < 0)
		p->lost_events++;
}
