/* SPDX-License-Identifier: GPL-2.0-only */
/* Tool calls that are over, and what befell their channels, go into the record and the store. */
#include <errno.h>

#include "core.h"
#include "log.h"

/* Of one task: then healthy calls are only counted, and at last failed ones too. */
#define KEEP_HEALTHY 100000
#define KEEP_MAX     200000

/* A judgement is due anyway where the task is open, and writes the record. */
static void keep_task(struct pipeline *p, struct tracked *tr)
{
	tr->task->dirty = true;
	if (tr->counted_only || tr->task->rec.state == STATE_FINAL)
		store_put_task(p->store, &tr->task->rec);
}

/* The task's own count: the record's is taken from it at every sweep. */
static void keep_lost(struct tracked *tr)
{
	tr->task->rec.lost = (int64_t)++tr->task->lost;
}

void keep_call(struct pipeline *p, struct tracked *tr, const struct call *c)
{
	struct task_record *rec = &tr->task->rec;
	bool bad = call_failed(c) || c->n_faults;
	struct call_record out;
	int r;

	rec->calls++;
	rec->calls_failed += call_failed(c);
	rec->call_faults += (int64_t)c->n_faults;
	keep_task(p, tr);
	if (tr->calls_kept >= (bad ? KEEP_MAX : KEEP_HEALTHY))
		return;
	r = call_record_from(&out, c, p->utc_offset_ns);
	if (r < 0) {
		keep_lost(tr);
		return;
	}
	out.task_id = rec->id;
	r = store_put_call(p->store, &out);
	if (r == 0)
		tr->calls_kept++;
	else
		keep_lost(tr);
	call_record_clear(&out);
}

void keep_incident(struct pipeline *p, struct tracked *tr, const struct incident *i)
{
	struct task_record *rec = &tr->task->rec;
	struct incident_record out;

	keep_task(p, tr);
	if (tr->incidents_kept >= TASK_MAX_EVENTS)
		return;
	if (incident_record_from(&out, i, p->utc_offset_ns) < 0) {
		keep_lost(tr);
		return;
	}
	out.task_id = rec->id;
	if (store_put_incident(p->store, &out) == 0)
		tr->incidents_kept++;
	else
		keep_lost(tr);
	incident_record_clear(&out);
}
