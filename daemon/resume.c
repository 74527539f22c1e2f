/* SPDX-License-Identifier: GPL-2.0-only */
/* After a restart: the time that was not watched is said, open tasks go on where they can. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"

static void add_gap(struct pipeline *p)
{
	struct daemon_info d;
	int64_t from;

	if (query_daemon(store_query(p->store), &d) < 0)
		return;
	from = d.stopped_ns ? d.stopped_ns : d.heartbeat_ns;
	if (from && from < p->started_ns)
		store_add_gap(p->store, from, util_now_realtime(),
			      d.stopped_ns ? "the daemon was stopped" : "the daemon was killed");
}

/* The same cgroup still: paths are used again, ids are not. */
static bool goes_on(struct pipeline *p, const struct task_record *rec)
{
	uint64_t id;

	return rec->state == STATE_RUNNING && rec->cgroup && rec->cgroup_id &&
	       cgroupfs_id(p->cgroupfs, rec->cgroup, &id) == 0 && id == rec->cgroup_id;
}

/* ---- failures that were found before ---- */

static bool is_kept(const struct tracked *tr, uint64_t fingerprint)
{
	for (size_t i = 0; i < tr->n_kept; i++)
		if (tr->kept[i] == fingerprint)
			return true;
	return false;
}

static struct failure_record *failure_find(struct task_record *rec, uint64_t fingerprint)
{
	for (size_t i = 0; i < rec->n_failures; i++)
		if (rec->failures[i].fingerprint == fingerprint)
			return &rec->failures[i];
	return NULL;
}

/* A verdict of the sandbox or the tool layer that was there goes before none, and before the
 * workload's. */
static void keep_verdict(struct task_record *old, struct task_record *out)
{
	struct failure_record *was = failure_find(out, old->verdict_fingerprint);
	struct failure_record *now = failure_find(out, out->verdict_fingerprint);

	if (!old->verdict_fingerprint || !was)
		return;
	if (!now || (taxonomy_get(now->cause)->level == LEVEL_WORKLOAD &&
		     taxonomy_get(was->cause)->level != LEVEL_WORKLOAD))
		out->verdict_fingerprint = old->verdict_fingerprint;
}

int resume_keep(const struct tracked *tr, struct task_record *old, struct task_record *out)
{
	if (!tr->n_kept)
		return 0;
	for (size_t i = 0; i < old->n_failures; i++) {
		struct failure_record *f = &old->failures[i], *v;

		if (!is_kept(tr, f->fingerprint) || failure_find(out, f->fingerprint))
			continue;
		v = reallocarray(out->failures, out->n_failures + 1, sizeof(*v));
		if (!v)
			return -ENOMEM;
		out->failures = v;
		v[out->n_failures++] = *f;
		memset(f, 0, sizeof(*f));
	}
	keep_verdict(old, out);
	return 0;
}

static int load_failures(struct pipeline *p, struct tracked *tr)
{
	struct task_record *rec = &tr->task->rec, stored = { 0 };

	if (query_task(store_query(p->store), rec->id, true, &stored) < 0)
		return 0;
	tr->kept = calloc(stored.n_failures + 1, sizeof(*tr->kept));
	if (!tr->kept) {
		task_record_clear(&stored);
		return -ENOMEM;
	}
	for (size_t i = 0; i < rec->n_failures; i++)
		failure_record_clear(&rec->failures[i]);
	free(rec->failures);
	rec->failures = TAKE_PTR(stored.failures);
	rec->n_failures = stored.n_failures;
	rec->verdict_fingerprint = stored.verdict_fingerprint;
	stored.n_failures = 0;
	task_record_clear(&stored);
	for (size_t i = 0; i < rec->n_failures; i++)
		tr->kept[tr->n_kept++] = rec->failures[i].fingerprint;
	return 0;
}

/* ---- tasks ---- */

/* Takes over the record. */
static int resume_one(struct pipeline *p, struct task_record *rec)
{
	struct task *t = task_new((uint64_t)rec->id);
	struct tracked *tr;
	int r;

	if (!t)
		return -ENOMEM;
	t->rec = *rec;
	memset(rec, 0, sizeof(*rec));
	t->started_ns = (uint64_t)(t->rec.started_ns - p->utc_offset_ns);
	/* The kernel counts anew: what the earlier daemon had counted stays. */
	t->failed = (uint64_t)t->rec.failed;
	t->lost = (uint64_t)t->rec.lost;
	r = tracked_add(p, t, &tr);
	if (r < 0) {
		task_free(t);
		return r;
	}
	if (strncmp(t->rec.cgroup, LEAVES "/", strlen(LEAVES) + 1) == 0 ||
	    strstr(t->rec.cgroup, "/sandfault-"))
		tr->leaf = strdup(t->rec.cgroup);
	r = scope_instance(p, t->instance);
	if (r == 0)
		r = load_failures(p, tr);
	return r < 0 ? r : scope_claim(p, tr, t->rec.cgroup);
}

static void end_unknown(struct pipeline *p, struct task_record *rec)
{
	rec->state = STATE_FINAL;
	rec->outcome = OUTCOME_UNKNOWN;
	rec->provisional = false;
	rec->ended_ns = p->started_ns;
	store_put_task(p->store, rec);
}

void resume_tasks(struct pipeline *p)
{
	struct task_record *recs = NULL;
	size_t n = 0;
	int r;

	add_gap(p);
	r = store_open_tasks(p->store, &recs, &n);
	if (r < 0)
		log_errno(r, "can't read the tasks that were open");
	for (size_t i = 0; r == 0 && i < n; i++) {
		if (!goes_on(p, &recs[i]))
			end_unknown(p, &recs[i]);
		else if (resume_one(p, &recs[i]) < 0)
			log_warning("a task that was open can't be taken up again");
		task_record_clear(&recs[i]);
	}
	free(recs);
	scope_leaves_clean(p);
}
