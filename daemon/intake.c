/* SPDX-License-Identifier: GPL-2.0-only */
/* From an event to the evidence of its task. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"
#include "names.h"
#include "triage.h"

/* ---- processes ---- */

/* A forked child runs what its parent runs, until it says otherwise. */
static void inherit_program(struct process *p, const struct process *parent)
{
	if (p->exe.len || !parent)
		return;
	if (parent->exe.len)
		text_set(&p->exe, parent->exe.data, parent->exe.len);
	if (parent->file.len)
		text_set(&p->file, parent->file.data, parent->file.len);
}

/* The process that the event is about, with what the event says of it; NULL: none is named. */
static struct process *intake_process(struct tracked *tr, const struct event *e)
{
	const struct sf_actor *a = e->actor;
	struct task *t = tr->task;
	struct process *p, *parent;
	bool known;

	if (!a->tgid)
		return NULL;
	if (!a->start_ns) /* an event that knows the number only */
		return tracked_live_process(t, a->tgid);
	known = task_find_process(t, a->tgid, a->start_ns) != NULL;
	p = task_add_process(t, a->tgid, a->start_ns);
	if (!p)
		return NULL;
	decode_actor(e, p);
	if (known)
		return p;
	parent = task_find_process(t, p->parent.tgid, p->parent.start_ns);
	p->root = !parent;
	inherit_program(p, parent);
	t->empty_since_ns = 0;
	tr->attached = true;
	return p;
}

static void intake_fork(struct tracked *tr, const struct event *e)
{
	struct process *proc = intake_process(tr, e);

	if (proc)
		proc->throttled_ns = e->fork->throttled_ns;
}

static void intake_exec(struct pipeline *p, struct tracked *tr, const struct event *e)
{
	struct process *proc = intake_process(tr, e);

	if (!proc)
		return;
	if (decode_exec(e, proc) < 0)
		p->lost_events++;
	proc->throttled_ns = e->exec->throttled_ns;
	inquiry_mounts(p, proc->mntns, proc->key.tgid);
}

static void intake_exit(struct pipeline *p, struct tracked *tr, const struct event *e)
{
	struct process *proc = intake_process(tr, e);
	struct task *t = tr->task;

	if (!proc || proc->exited)
		return;
	if (decode_exit(e, proc) < 0)
		p->lost_events++;
	tr->prune_due |= proc->status == 0;
	if (t->alive && !--t->alive)
		t->empty_since_ns = e->hdr->ts;
}

/* ---- signatures ---- */

/* Takes over what the bell said, but for the counts, which are the sweep's. */
static void signature_take(struct signature *s, struct signature *from)
{
	struct signature old = *s;

	text_free(&old.subject);
	text_free(&old.raw);
	*s = *from;
	s->hh = old.hh;
	s->key = old.key;
	s->count = old.count;
	if (old.count) {
		s->first_ns = old.first_ns;
		s->last_ns = old.last_ns;
	}
	s->explanation = old.explanation;
	s->explain_pending = old.explain_pending;
	memset(from, 0, sizeof(*from));
}

/* Over the task's bound: only what kind of call it was. */
static void signature_coarse(struct signature *s, const struct signature *from)
{
	if (s->syscall[0])
		return;
	memcpy(s->syscall, from->syscall, sizeof(s->syscall));
	memcpy(s->comm, from->comm, sizeof(s->comm));
	s->classes = from->classes;
	s->first_ns = from->first_ns;
	s->last_ns = from->last_ns;
	text_set(&s->subject, s->syscall, strlen(s->syscall));
}

/* Which file inside of an exec could not be opened: it rang just before the exec itself. */
static void intake_inner(struct tracked *tr, struct signature *s)
{
	struct sf_key key = { .instance = s->key.instance,
			      .start_ns = s->key.start_ns,
			      .hash = s->inner_hash,
			      .tgid = s->key.tgid,
			      .err = s->key.err,
			      .nr = (uint16_t)names_syscall_nr("execve"),
			      .entry = SF_LOOKUP };
	const struct signature *inner = s->inner_hash ? task_find_signature(tr->task, &key) : NULL;

	if (inner && inner->raw.len)
		text_set(&s->inner, inner->raw.data, inner->raw.len);
}

static void intake_kept(struct pipeline *p, struct tracked *tr, struct signature *bell,
			enum triage triage)
{
	struct signature *s = task_add_signature(tr->task, &bell->key);

	if (!s) {
		p->lost_events++;
		return;
	}
	tr->task->dirty = true;
	if (memcmp(&s->key, &bell->key, sizeof(s->key)) != 0) {
		signature_coarse(s, bell);
		return;
	}
	if (s->bell) /* rung again after a swap of the maps */
		return;
	signature_take(s, bell);
	intake_inner(tr, s);
	if (triage == TRIAGE_SUCCESS)
		return;
	inquiry_mount_of(p, tr, s);
	if (triage == TRIAGE_EXPLAIN || s->cover_len)
		inquiry_signature(p, tr, s, triage == TRIAGE_EXPLAIN);
}

static void intake_bell(struct pipeline *p, struct tracked *tr, const struct event *e)
{
	struct signature bell = { .key = e->bell->key };
	enum triage triage;

	/* One task, one key: whichever of its instances the kernel side counted under. */
	bell.key.instance = tr->task->instance;
	intake_process(tr, e);
	if (decode_bell(e, &bell) < 0) {
		p->lost_events++;
		signature_clear(&bell);
		return;
	}
	triage = triage_signature(&bell);
	if (triage != TRIAGE_NOISE)
		intake_kept(p, tr, &bell, triage);
	signature_clear(&bell);
}

/* ---- rare events: kept as they are, up to a bound ---- */

#define KEEP(list, event)                                                                          \
	({                                                                                         \
		void *__v = (list).v;                                                              \
		int __r = (list).n < TASK_MAX_EVENTS                                               \
				  ? util_grow(&__v, &(list).cap, (list).n + 1, sizeof(*(list).v))  \
				  : -ENOSPC;                                                       \
		(list).v = __v;                                                                    \
		if (__r == 0)                                                                      \
			(list).v[(list).n++] = *(event);                                           \
		else                                                                               \
			(list).dropped++;                                                          \
	})

static void intake_state(struct pipeline *p, struct tracked *tr, const struct event *e)
{
	intake_process(tr, e);
	KEEP(tr->task->states, e->state);
	if (e->state->what == SF_STATE_MOUNT)
		inquiry_mounted(p, e->actor->mntns, e->actor->tgid);
}

static void intake_rare(struct pipeline *p, struct tracked *tr, const struct event *e)
{
	struct task *t = tr->task;

	switch (e->kind) {
	case SF_EV_EXEC:
		intake_exec(p, tr, e);
		break;
	case SF_EV_EXIT:
		intake_exit(p, tr, e);
		break;
	case SF_EV_STATE:
		intake_state(p, tr, e);
		break;
	case SF_EV_THREAD:
		intake_process(tr, e);
		KEEP(t->threads, e->thread);
		break;
	case SF_EV_SIGNAL:
		intake_process(tr, e);
		KEEP(t->signals, e->signal);
		break;
	case SF_EV_OOM:
		intake_process(tr, e);
		KEEP(t->ooms, e->oom);
		break;
	case SF_EV_NET:
		intake_process(tr, e);
		KEEP(t->nets, e->net);
		break;
	case SF_EV_CPU:
		intake_process(tr, e);
		KEEP(t->cpus, e->cpu);
		break;
	default: /* SF_EV_FORK */
		intake_fork(tr, e);
		return; /* by itself it changes no verdict */
	}
	t->dirty = true;
}

void intake_event(struct pipeline *p, const struct event *e)
{
	uint64_t instance = e->actor->instance;
	struct tracked *tr;

	if (e->kind == SF_EV_MOUNT) {
		inquiry_mount_sent(p, e);
		return;
	}
	if (e->kind == SF_EV_CGROUP) {
		roots_cgroup_event(p, e);
		instance = e->cgroup->instance;
		if (e->cgroup->what != SF_CG_ATTACH)
			return;
	}
	tr = tracked_of_instance(p, instance);
	/* The ring of bells may be ahead of the cgroup's own event. */
	if (!tr && e->kind == SF_EV_BELL && instance & SF_INSTANCE_KERNEL) {
		rings_drain_rare(p);
		tr = tracked_of_instance(p, instance);
	}
	if (!tr)
		return;
	if (e->kind == SF_EV_BELL)
		intake_bell(p, tr, e);
	else if (e->kind == SF_EV_CGROUP)
		intake_process(tr, e);
	else
		intake_rare(p, tr, e);
}
