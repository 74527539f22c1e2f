/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "judge.h"
#include "replay.h"
#include "tape_call.h"

struct replay {
	struct pipeline *p; /* one without rings, socket, store and helper */
	replay_fn fn;
	void *arg;
};

/* ---- what a task begins with ---- */

static const char *next_string(const char **at, const char *end)
{
	const char *s = *at, *stop = memchr(s, 0, (size_t)(end - s));

	if (!stop)
		return NULL;
	*at = stop + 1;
	return s;
}

static int replay_task(struct replay *r, const void *data, size_t len)
{
	const struct tape_task *head = data;
	const char *at = (const char *)(head + 1), *end = (const char *)data + len;
	const char *campaign = next_string(&at, end);
	const char *name = campaign ? next_string(&at, end) : NULL;
	const char *source = name ? next_string(&at, end) : NULL;
	struct tracked *tr;
	struct task *t;
	int err;

	if (!source)
		return -EBADMSG;
	t = task_new(head->instance);
	if (!t)
		return -ENOMEM;
	t->rec.campaign = strdup(campaign);
	t->rec.task = strdup(name);
	t->rec.source = strdup(source);
	t->rec.attempt = head->attempt;
	err = t->rec.campaign && t->rec.task && t->rec.source ? tracked_add(r->p, t, &tr) : -ENOMEM;
	if (err < 0)
		task_free(t);
	else
		tracked_unname(r->p, tr); /* a later attempt has the same */
	return err;
}

static int replay_alias(struct replay *r, const void *data, size_t len)
{
	const struct tape_alias *a = data;
	struct tracked *tr = tracked_find(r->p, a->instance);

	return tr ? attribute_alias(r->p->attribution, a->alias, tr->task) : -EBADMSG;
}

static int replay_process(struct replay *r, const void *data, size_t len)
{
	const struct tape_process *there = data;
	struct tracked *tr = tracked_find(r->p, there->instance);
	struct process *proc = tr ? task_add_process(tr->task, there->tgid, 0) : NULL;

	if (!proc)
		return tr ? -ENOMEM : -EBADMSG;
	proc->parent.tgid = there->parent;
	proc->uid = there->uid;
	proc->mntns = there->mntns;
	proc->netns = there->netns;
	proc->root = there->root;
	proc->seen_ns = there->seen_ns;
	memcpy(proc->comm, there->comm, sizeof(proc->comm));
	proc->comm[sizeof(proc->comm) - 1] = '\0';
	return text_set(&proc->exe, (const char *)(there + 1), len - sizeof(*there));
}

/* ---- what comes in ---- */

static int replay_event(struct replay *r, const void *data, size_t len)
{
	struct event e;

	if (decode_event(data, len, &e) < 0)
		return -EBADMSG;
	/* What a cgroup's coming means was told by the frames before it. */
	if (e.kind == SF_EV_CGROUP && e.cgroup->what != SF_CG_ATTACH)
		return 0;
	intake_event(r->p, &e);
	return 0;
}

static int replay_count(struct replay *r, const void *data, size_t len)
{
	const struct tape_count *c = data;
	struct tracked *tr = tracked_of_instance(r->p, c->key.instance);

	if (tr)
		fold_count(r->p, tr, &c->key, &c->val);
	return 0;
}

static int replay_answer(struct replay *r, const void *data, size_t len)
{
	struct tape_answer a = *(const struct tape_answer *)data;

	inquiry_replayed(r->p, &a.key, &a.e);
	return 0;
}

static int replay_mounts(struct replay *r, const void *data, size_t len)
{
	const struct tape_mounts *m = data;

	return mounts_set(r->p->mounts, m->ns, (const char *)(m + 1));
}

static int replay_prune(struct replay *r, const void *data, size_t len)
{
	const struct tape_prune *prune = data;
	struct tracked *tr = tracked_find(r->p, prune->instance);

	if (tr)
		prune_task(tr->task, prune->now_ns);
	return 0;
}

/* ---- tool channels ---- */

/* Before each of its verdicts a task's calls stand whole: the last word holds. */
static struct call *same_call(const struct task *t, uint64_t id)
{
	for (size_t i = 0; i < t->calls.n; i++)
		if (t->calls.v[i]->id == id)
			return t->calls.v[i];
	return NULL;
}

static int replay_call(struct replay *r, const void *data, size_t len)
{
	struct call c = { 0 }, *own;
	struct tracked *tr;
	int err = tape_call_read(data, len, &c);

	if (err < 0)
		return err;
	tr = tracked_find(r->p, c.instance);
	own = tr ? same_call(tr->task, c.id) : NULL;
	if (own) {
		call_clear(own);
		*own = c;
		return 0;
	}
	own = malloc(sizeof(*own));
	if (own)
		*own = c;
	err = !own ? -ENOMEM : tr ? channels_call_add(r->p, tr, own) : -EBADMSG;
	if (err < 0) {
		free(own);
		call_clear(&c);
	}
	return err;
}

static bool has_incident(const struct task *t, const struct incident *i)
{
	for (size_t k = 0; k < t->incidents.n; k++) {
		const struct incident *o = &t->incidents.v[k];

		if (o->session == i->session && o->ts == i->ts && o->kind == i->kind)
			return true;
	}
	return false;
}

static int replay_incident(struct replay *r, const void *data, size_t len)
{
	struct incident i = { 0 };
	struct tracked *tr;
	int err = tape_incident_read(data, len, &i);

	if (err < 0)
		return err;
	tr = tracked_find(r->p, i.instance);
	err = !tr			   ? -EBADMSG
	      : has_incident(tr->task, &i) ? -EEXIST
					   : channels_incident_add(tr->task, &i);
	if (err < 0)
		incident_clear(&i);
	return err == -EEXIST ? 0 : err;
}

/* ---- the verdict ---- */

/* As keep.c counts them. */
static void count_calls(struct task *t)
{
	t->rec.calls = t->rec.calls_failed = t->rec.call_faults = 0;
	for (size_t i = 0; i < t->calls.n; i++) {
		t->rec.calls++;
		t->rec.calls_failed += call_failed(t->calls.v[i]);
		t->rec.call_faults += (int64_t)t->calls.v[i]->n_faults;
	}
}

static void take_end(struct task *t, const struct tape_verdict *v)
{
	t->started_ns = v->started_ns;
	t->ended_ns = v->ended_ns;
	t->process_scope = v->process_scope;
	t->outcome_given = v->outcome_given;
	t->failed = v->failed;
	t->benign = v->benign;
	t->coarse = v->coarse;
	t->lost = v->lost;
	t->rec.started_ns = (int64_t)v->started_ns + v->utc_offset_ns;
	t->rec.ended_ns = v->ended_ns ? (int64_t)v->ended_ns + v->utc_offset_ns : 0;
	t->rec.state = STATE_FINAL;
	t->rec.failed = (int64_t)t->failed;
	t->rec.lost = (int64_t)t->lost;
	count_calls(t);
	if (v->outcome_given) {
		t->rec.outcome = (enum outcome)v->outcome;
		t->rec.exit_code = v->exit_code;
		t->rec.signal = v->signal;
	} else {
		tracked_outcome(t);
	}
}

/* The store numbers failures as they come; here each task begins with 1. */
static void number_failures(struct task_record *rec)
{
	rec->verdict = 0;
	for (size_t i = 0; i < rec->n_failures; i++) {
		struct failure_record *f = &rec->failures[i];

		f->id = (int64_t)i + 1;
		if (f->fingerprint == rec->verdict_fingerprint)
			rec->verdict = f->id;
	}
	for (size_t i = 0; i < rec->n_failures; i++)
		for (size_t j = 0; j < rec->n_failures; j++)
			if (rec->failures[i].caused_by_fingerprint &&
			    rec->failures[i].caused_by_fingerprint == rec->failures[j].fingerprint)
				rec->failures[i].caused_by = rec->failures[j].id;
}

static int replay_verdict(struct replay *r, const void *data, size_t len)
{
	const struct tape_verdict *v = data;
	struct judge_context context = { .final = true,
					 .now_ns = v->now_ns,
					 .utc_offset_ns = v->utc_offset_ns };
	struct tracked *tr = tracked_find(r->p, v->instance);
	struct task_record out = { 0 };
	int err;

	if (!tr)
		return -EBADMSG;
	take_end(tr->task, v);
	err = task_record_copy(&out, &tr->task->rec, false);
	if (err == 0)
		err = judge_task(tr->task, &context, &out);
	if (err == 0) {
		number_failures(&out);
		r->fn(&out, r->arg);
	}
	task_record_clear(&out);
	return err;
}

/* ---- the tape ---- */

static const struct {
	size_t least; /* bytes of the struct that it begins with */
	int (*fn)(struct replay *r, const void *data, size_t len);
} frames[] = {
	[TAPE_TASK] = { sizeof(struct tape_task), replay_task },
	[TAPE_ALIAS] = { sizeof(struct tape_alias), replay_alias },
	[TAPE_PROCESS] = { sizeof(struct tape_process), replay_process },
	[TAPE_EVENT] = { sizeof(struct sf_hdr), replay_event },
	[TAPE_COUNT] = { sizeof(struct tape_count), replay_count },
	[TAPE_ANSWER] = { sizeof(struct tape_answer), replay_answer },
	[TAPE_MOUNTS] = { sizeof(struct tape_mounts), replay_mounts },
	[TAPE_PRUNE] = { sizeof(struct tape_prune), replay_prune },
	[TAPE_VERDICT] = { sizeof(struct tape_verdict), replay_verdict },
	[TAPE_CALL] = { 1, replay_call },
	[TAPE_INCIDENT] = { 1, replay_incident },
};

static int replay_frames(struct replay *r, struct tape *t)
{
	enum tape_kind kind;
	const void *data;
	size_t len;
	int err;

	while ((err = tape_read(t, &kind, &data, &len)) > 0) {
		if ((size_t)kind >= ARRAY_SIZE(frames) || !frames[kind].fn ||
		    len < frames[kind].least)
			return -EBADMSG;
		err = frames[kind].fn(r, data, len);
		if (err < 0)
			return err;
	}
	return err;
}

static void pipeline_freep(struct pipeline **p)
{
	pipeline_free(*p);
}

static void tape_freep(struct tape **t)
{
	tape_close(*t);
}

int replay_tape(const char *path, replay_fn fn, void *arg, char **why)
{
	_cleanup_(pipeline_freep) struct pipeline *p = calloc(1, sizeof(*p));
	_cleanup_(tape_freep) struct tape *t = NULL;
	struct replay r = { .p = p, .fn = fn, .arg = arg };
	int err = p ? tape_open(&t, path, why) : -ENOMEM;

	if (err < 0)
		return err;
	p->own_mntns = tape_own_mntns(t);
	err = attribute_new(&p->attribution);
	if (err == 0)
		err = mounts_new(&p->mounts);
	return err < 0 ? err : replay_frames(&r, t);
}
