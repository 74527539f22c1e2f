/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks, from their opening to the moment when they are forgotten. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "core.h"
#include "log.h"

#define JUDGE_SHARE 50		       /* of the time, at most one part in so many */
#define CHECK_NS    (2 * NSEC_PER_SEC) /* a cgroup that seems to have processes is asked again */

/* ---- finding ---- */

struct tracked *tracked_find(const struct pipeline *p, uint64_t instance)
{
	struct tracked *tr;

	HASH_FIND(hh, p->tracked, &instance, sizeof(instance), tr);
	return tr;
}

static char *name_of(const char *campaign, const char *task)
{
	char *s = NULL;

	return asprintf(&s, "%s\n%s", campaign, task) < 0 ? NULL : s;
}

struct tracked *tracked_by_name(const struct pipeline *p, const char *campaign, const char *task)
{
	_cleanup_free_ char *name = name_of(campaign, task);
	struct tracked *tr;

	if (!name)
		return NULL;
	HASH_FIND(hh_name, p->by_name, name, strlen(name), tr);
	return tr;
}

struct tracked *tracked_of_instance(struct pipeline *p, uint64_t instance)
{
	struct alias *a = instance ? attribute_find(p->attribution, instance) : NULL;
	struct tracked *tr = a ? tracked_find(p, a->task->instance) : NULL;

	return tr && !tr->counted_only ? tr : NULL;
}

struct process *tracked_live_process(const struct task *t, uint32_t tgid)
{
	struct process *p, *next;

	HASH_ITER(hh, t->processes, p, next)
	{
		if (p->key.tgid == tgid && !p->exited)
			return p;
	}
	return NULL;
}

/* ---- opening ---- */

int tracked_add(struct pipeline *p, struct task *t, struct tracked **ret)
{
	struct tracked *tr = calloc(1, sizeof(*tr));
	int r;

	if (!tr)
		return -ENOMEM;
	tr->task = t;
	tr->name = name_of(t->rec.campaign, t->rec.task);
	r = tr->name ? attribute_alias(p->attribution, t->instance, t) : -ENOMEM;
	if (r < 0) {
		free(tr->name);
		free(tr);
		return r;
	}
	HASH_ADD(hh, p->tracked, task->instance, sizeof(t->instance), tr);
	HASH_ADD_KEYPTR(hh_name, p->by_name, tr->name, strlen(tr->name), tr);
	tr->named = true;
	*ret = tr;
	return 0;
}

static int record_labels(struct task_record *rec, const struct label *labels, size_t n)
{
	if (!n)
		return 0;
	rec->labels = calloc(n, sizeof(*rec->labels));
	if (!rec->labels)
		return -ENOMEM;
	for (; rec->n_labels < n; rec->n_labels++) {
		struct label *l = &rec->labels[rec->n_labels];

		l->name = strdup(labels[rec->n_labels].name);
		l->value = strdup(labels[rec->n_labels].value);
		if (!l->name || !l->value) {
			rec->n_labels++; /* what of it was made is freed with the rest */
			return -ENOMEM;
		}
	}
	return 0;
}

static int record_fill(struct pipeline *p, struct task *t, const struct tracked_new *n)
{
	struct task_record *rec = &t->rec;
	int64_t open = 0;
	int attempt = 0, r;

	rec->campaign = strdup(n->campaign);
	rec->task = strdup(n->task);
	rec->source = strdup(n->source);
	if (!rec->campaign || !rec->task || !rec->source)
		return -ENOMEM;
	r = store_last_attempt(p->store, n->campaign, n->task, &attempt, &open);
	if (r < 0)
		return r;
	rec->attempt = attempt + 1;
	rec->state = STATE_RUNNING;
	t->started_ns = (uint64_t)util_now_boottime();
	rec->started_ns = pipeline_utc(p, t->started_ns);
	return record_labels(rec, n->labels, n->n_labels);
}

static void task_freep(struct task **t)
{
	task_free(*t);
}

int tracked_open(struct pipeline *p, const struct tracked_new *n, struct tracked **ret)
{
	int64_t instance = store_next_instance(p->store);
	_cleanup_(task_freep) struct task *t = NULL;
	int r;

	if (instance < 0)
		return (int)instance;
	t = task_new((uint64_t)instance);
	if (!t)
		return -ENOMEM;
	r = record_fill(p, t, n);
	if (r < 0)
		return r;
	r = tracked_add(p, t, ret);
	if (r < 0)
		return r;
	t = NULL; /* the tracked one's now */
	r = scope_instance(p, (uint64_t)instance);
	if (r < 0)
		tracked_free(p, *ret);
	else
		tape_task(p->tape, (*ret)->task);
	return r;
}

void tracked_unname(struct pipeline *p, struct tracked *tr)
{
	if (!tr->named)
		return;
	HASH_DELETE(hh_name, p->by_name, tr);
	tr->named = false;
}

static void drop_alias(struct alias *a, void *arg)
{
	struct pipeline *p = arg;

	attribute_drop(p->attribution, a->instance);
}

void tracked_free(struct pipeline *p, struct tracked *tr)
{
	struct tally *row, *next;

	channels_end(p, tr);
	channels_forget(p, tr);
	tracked_unname(p, tr);
	HASH_DEL(p->tracked, tr);
	if (p->unattributed == tr)
		p->unattributed = NULL;
	attribute_each(p->attribution, tr->task, drop_alias, p);
	HASH_ITER(hh, tr->tally, row, next)
	{
		HASH_DEL(tr->tally, row);
		free(row);
	}
	task_free(tr->task);
	free(tr->leaf);
	free(tr->waiters);
	free(tr->kept);
	free(tr->published);
	free(tr->name);
	free(tr);
}

void tracked_abort(struct pipeline *p, struct tracked *tr)
{
	scope_forget(p, tr);
	tracked_free(p, tr);
}

void tracked_started(struct pipeline *p, struct tracked *tr)
{
	store_put_task(p->store, &tr->task->rec);
	if (tr->counted_only)
		return;
	tape_processes(p->tape, tr->task);
	alert_task(p->alerts, util_now_boottime(), tr->task->instance);
	verdict_publish_task(p, tr);
}

struct tracked *tracked_unattributed(struct pipeline *p)
{
	struct tracked_new n = { .campaign = "unattributed",
				 .task = "unattributed",
				 .source = "unattributed" };
	int r;

	if (p->unattributed)
		return p->unattributed;
	r = tracked_open(p, &n, &p->unattributed);
	if (r < 0) {
		log_errno(r, "can't count what no template names");
		return NULL;
	}
	p->unattributed->counted_only = true;
	tracked_started(p, p->unattributed);
	return p->unattributed;
}

/* ---- the end ---- */

static void outcome_of_status(struct task_record *rec, int status)
{
	if (WIFSIGNALED(status)) {
		rec->outcome = OUTCOME_KILLED;
		rec->signal = WTERMSIG(status);
		return;
	}
	rec->exit_code = WEXITSTATUS(status);
	rec->outcome = rec->exit_code ? OUTCOME_FAILED : OUTCOME_OK;
}

void tracked_outcome(struct task *t)
{
	const struct process *root;
	size_t n;

	if (t->outcome_given)
		return;
	root = task_root(t, &n);
	/* In a container the first one is the task, later ones were sent in. */
	if (!root || !root->exited || (n > 1 && strcmp(t->rec.source, "template") != 0))
		return;
	outcome_of_status(&t->rec, root->status);
}

void tracked_settle(struct pipeline *p, struct tracked *tr, int64_t at_ns)
{
	struct task *t = tr->task;

	if (t->rec.state != STATE_RUNNING)
		return;
	t->rec.state = STATE_SETTLING;
	t->ended_ns = (uint64_t)at_ns;
	t->rec.ended_ns = pipeline_utc(p, t->ended_ns);
	tr->ticket = sweep_request(p->sweep);
	scope_ended(p, tr);
}

void tracked_finalize(struct pipeline *p, struct tracked *tr)
{
	struct task *t = tr->task;

	tr->explain_until_ns = 0;
	t->rec.state = STATE_FINAL;
	channels_end(p, tr);
	tracked_outcome(t);
	verdict_judge(p, tr, true);
	tr->forget_ns = util_now_boottime() + GRACE_NS;
	if (tr->leaf) /* its instance outlives it */
		scope_leaf_later(p, TAKE_PTR(tr->leaf));
	tracked_unname(p, tr);
	verdict_publish_task(p, tr);
}

/* Its last counts are here; answers that are due are waited for, not long. */
static void settle_turn(struct pipeline *p, struct tracked *tr, int64_t now)
{
	if (!tr->ticket || tr->ticket > p->ticket || tr->explain_until_ns)
		return;
	rings_drain_channel(p);
	channels_settle(p, tr);
	scout_drain(p->scout);
	explain_drain(p->explainer);
	if (!tr->explaining) {
		tracked_finalize(p, tr);
		return;
	}
	tr->explain_until_ns = now + EXPLAIN_WAIT_NS;
	if (!p->settle_armed_ns || p->settle_armed_ns <= now) {
		p->settle_armed_ns = tr->explain_until_ns;
		loop_rearm_timer(p->settle_timer, EXPLAIN_WAIT_NS, 0);
	}
}

/* ---- time ---- */

/* Whether it has no process: our own count first, the kernel where that is in doubt. */
static bool is_empty(struct pipeline *p, struct tracked *tr, int64_t now, bool *gone)
{
	struct task *t = tr->task;
	int r;

	*gone = false;
	if (t->process_scope || !t->rec.cgroup)
		return t->alive == 0;
	if (t->alive && !t->empty_since_ns && now - tr->checked_ns < CHECK_NS)
		return false;
	tr->checked_ns = now;
	r = cgroupfs_populated(p->cgroupfs, t->rec.cgroup);
	*gone = r == -ENOENT;
	if (r > 0)
		t->populated = true;
	return r == 0 || *gone;
}

/* A task of very many signatures must not take the loop's time from the others. */
static int64_t judge_interval(const struct pipeline *p, const struct tracked *tr)
{
	int64_t least = tr->judge_cost_ns * JUDGE_SHARE;

	return least > p->options->judge_interval_ns ? least : p->options->judge_interval_ns;
}

static void running_turn(struct pipeline *p, struct tracked *tr, int64_t now)
{
	struct task *t = tr->task;
	bool gone, empty = is_empty(p, tr, now, &gone);
	int64_t since;

	if (!empty) {
		t->empty_since_ns = 0;
	} else {
		if (!t->empty_since_ns)
			t->empty_since_ns = (uint64_t)now;
		since = (int64_t)t->empty_since_ns;
		if (gone || (t->populated && now - since >= p->options->empty_ns) ||
		    now - since >= p->options->abandon_ns) {
			tracked_settle(p, tr, since);
			return;
		}
	}
	if (t->dirty && now - tr->judged_ns >= judge_interval(p, tr))
		verdict_judge(p, tr, false);
}

/* Both rings have been drained to their end: no bell of a process that has ended is still to come. */
static void prune_turn(struct pipeline *p, struct tracked *tr, int64_t now)
{
	if (!tr->prune_due)
		return;
	tr->prune_due = false;
	tape_write(p->tape, TAPE_PRUNE, &(struct tape_prune){ tr->task->instance, (uint64_t)now },
		   sizeof(struct tape_prune), NULL, 0);
	if (prune_task(tr->task, (uint64_t)now) > PRUNE_FROM)
		p->trim_due = true;
}

static void final_turn(struct pipeline *p, struct tracked *tr, int64_t now)
{
	if (tr->task->dirty)
		verdict_judge(p, tr, true);
	if (now < tr->forget_ns || tr->n_waiters)
		return;
	scope_forget(p, tr);
	tracked_free(p, tr);
	p->trim_due = true;
}

void tracked_turn(struct pipeline *p)
{
	int64_t now = util_now_boottime();
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		if (tr->counted_only || tr->leaving)
			continue;
		prune_turn(p, tr, now);
		if (tr->task->rec.state == STATE_RUNNING)
			running_turn(p, tr, now);
		else if (tr->task->rec.state == STATE_SETTLING)
			settle_turn(p, tr, now);
		else
			final_turn(p, tr, now);
	}
}

void tracked_store_all(struct pipeline *p)
{
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		if (tr->leaving)
			continue;
		if (tr->task->rec.state == STATE_FINAL) {
			if (tr->leaf)
				scope_leaf_later(p, TAKE_PTR(tr->leaf));
			continue;
		}
		if (!tr->counted_only && tr->task->dirty)
			verdict_judge(p, tr, false);
		store_put_task(p->store, &tr->task->rec);
	}
}

/* ---- who waits for it ---- */

int tracked_wait(struct tracked *tr, struct control_peer *peer, uint64_t token)
{
	void *v = tr->waiters;
	int r = util_grow(&v, &tr->cap_waiters, tr->n_waiters + 1, sizeof(*tr->waiters));

	tr->waiters = v;
	if (r < 0)
		return r;
	tr->waiters[tr->n_waiters++] = (struct waiter){ peer, token };
	return 0;
}

void tracked_refuse_waiters(struct pipeline *p)
{
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		while (tr->n_waiters) {
			struct waiter *w = &tr->waiters[--tr->n_waiters];

			control_error(w->peer, w->token, "failed", "the daemon is stopping");
		}
	}
	while (p->n_flushes) {
		struct waiter *w = &p->flushes[--p->n_flushes];

		control_error(w->peer, w->token, "failed", "the daemon is stopping");
	}
}
