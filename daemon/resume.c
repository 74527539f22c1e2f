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
	if (strncmp(t->rec.cgroup, "/sandfault/", 11) == 0 || strstr(t->rec.cgroup, "/sandfault-"))
		tr->leaf = strdup(t->rec.cgroup);
	return scope_claim(p, tr, t->rec.cgroup);
}

static void end_unknown(struct pipeline *p, struct task_record *rec)
{
	rec->state = STATE_FINAL;
	rec->outcome = OUTCOME_UNKNOWN;
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
}
