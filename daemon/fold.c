/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A sweep's counts into their tasks. The maps are the truth: every failing call is in the tally,
 * whether its bell came or not; what no rule may ever ask for is nowhere else.
 */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"
#include "triage.h"

#define NR_BENIGN (-1)
#define NR_LOST	  (-2)

/* ---- tally ---- */

static void tally_add(struct pipeline *p, struct tracked *tr, const struct tally_key *key,
		      int64_t count)
{
	struct tally *row;

	HASH_FIND(hh, tr->tally, key, sizeof(*key), row);
	if (!row) {
		row = calloc(1, sizeof(*row));
		if (!row) {
			p->lost_events++;
			return;
		}
		row->key = *key;
		HASH_ADD(hh, tr->tally, key, sizeof(row->key), row);
	}
	row->count += count;
}

static void tally_name(const struct tally_key *key, char *name, size_t size)
{
	char buf[32];

	snprintf(name, size, "%s",
		 key->nr == NR_BENIGN ? "(benign)"
		 : key->nr == NR_LOST ? "(lost)"
				      : names_syscall(key->abi, key->nr, buf, sizeof(buf)));
}

/* What came since the last sweep goes to the store, and is forgotten here. */
static void tally_flush(struct pipeline *p, struct tracked *tr)
{
	size_t n = HASH_COUNT(tr->tally), i = 0;
	_cleanup_free_ struct tally_record *rows = NULL;
	struct tally *row, *next;

	if (!n || tr->leaving)
		return;
	rows = calloc(n, sizeof(*rows));
	if (!rows)
		return;
	HASH_ITER(hh, tr->tally, row, next)
	{
		struct tally_record *r = &rows[i++];

		r->task_id = tr->task->rec.id;
		tally_name(&row->key, r->syscall, sizeof(r->syscall));
		r->abi = row->key.abi;
		r->err = row->key.err;
		r->entry = row->key.entry;
		r->count = row->count;
		HASH_DEL(tr->tally, row);
		free(row);
	}
	store_add_tally(p->store, rows, n);
	/* In the same transaction as the tally, so that the two agree whenever we are killed. */
	store_put_task(p->store, &tr->task->rec);
}

/* ---- signatures ---- */

static void signature_count(struct signature *s, const struct sf_val *v)
{
	if (!s->count || v->first_ns < s->first_ns)
		s->first_ns = v->first_ns;
	if (v->last_ns > s->last_ns)
		s->last_ns = v->last_ns;
	s->count += v->count;
}

/* No bell came: the ring was full. The text in the map has to do. */
static void fold_unrung(struct pipeline *p, struct tracked *tr, const struct sf_key *key,
			const struct sf_val *v)
{
	struct signature found = { 0 }, *s;
	bool kept = decode_value(key, v, &found) == 0 && triage_signature(&found) != TRIAGE_NOISE;

	s = kept ? task_add_signature(tr->task, key) : NULL;
	if (!s) {
		signature_clear(&found);
		return;
	}
	if (!s->syscall[0]) {
		UT_hash_handle hh = s->hh;
		struct sf_key k = s->key;

		*s = found;
		s->hh = hh;
		s->key = k;
	} else {
		signature_clear(&found);
	}
	signature_count(s, v);
	tr->task->dirty = true;
}

static void fold_process(struct task *t, const struct sf_key *key, const struct sf_val *v)
{
	struct process *p = task_find_process(t, key->tgid, key->start_ns);

	if (p)
		process_fails(p, key, v->count, v->last_ns);
}

void fold_count(struct pipeline *p, struct tracked *tr, const struct sf_key *key,
		const struct sf_val *v)
{
	struct sf_key own = *key;
	struct signature *s;

	bool failing = key->err && key->entry != SF_REPLY && key->entry != SF_LOOKUP;

	if (failing) {
		tally_add(p, tr, &(struct tally_key){ key->abi, key->nr, key->err, key->entry },
			  (int64_t)v->count);
		tr->task->failed += v->count;
	}
	if (tr->counted_only)
		return;
	tape_write(p->tape, TAPE_COUNT, key, sizeof(*key), v, sizeof(*v));
	if (failing && key->err != EINPROGRESS) /* nothing has failed yet */
		fold_process(tr->task, key, v);
	own.instance = tr->task->instance;
	s = task_find_signature(tr->task, &own);
	if (s) {
		/* A count alone changes no verdict, but it is shown. */
		tr->task->dirty = true;
		signature_count(s, v);
	} else if (!v->rung) {
		fold_unrung(p, tr, &own, v);
	}
}

/* ---- instances ---- */

/* What nobody has claimed is counted under one name. */
static struct alias *alias_of(struct pipeline *p, uint64_t instance)
{
	struct alias *a = attribute_find(p->attribution, instance);
	struct tracked *tr;

	if (a || !(instance & SF_INSTANCE_KERNEL))
		return a;
	tr = tracked_unattributed(p);
	if (!tr || attribute_alias(p->attribution, instance, tr->task) < 0)
		return NULL;
	return attribute_find(p->attribution, instance);
}

static void fold_instance(struct pipeline *p, uint64_t instance, const struct sf_instance *now)
{
	struct sf_instance delta;
	struct tracked *tr;
	struct alias *a;

	if (!now->benign && !now->lost && !now->rare_lost &&
	    !attribute_find(p->attribution, instance))
		return;
	a = alias_of(p, instance);
	tr = a ? tracked_find(p, a->task->instance) : NULL;
	if (!tr)
		return;
	delta = attribute_count(a, now);
	if (delta.benign)
		tally_add(p, tr, &(struct tally_key){ .nr = NR_BENIGN }, (int64_t)delta.benign);
	if (delta.lost)
		tally_add(p, tr, &(struct tally_key){ .nr = NR_LOST }, (int64_t)delta.lost);
	if (delta.rare_lost)
		p->walk_due = true;
}

void fold_result(struct pipeline *p, const struct sweep_result *r)
{
	struct tracked *tr = NULL, *next;
	uint64_t last = 0;

	for (size_t i = 0; i < r->n_instances; i++)
		fold_instance(p, r->instance_ids[i], &r->instances[i]);
	for (size_t i = 0; i < r->n; i++) {
		const struct sf_key *key = &r->keys[i];

		if (key->instance != last || !tr) {
			struct alias *a = alias_of(p, key->instance);

			tr = a ? tracked_find(p, a->task->instance) : NULL;
			last = key->instance;
		}
		if (!tr)
			p->stale += r->vals[i].count;
		else if (r->vals[i].count)
			fold_count(p, tr, key, &r->vals[i]);
	}
	HASH_ITER(hh, p->tracked, tr, next)
	{
		tr->task->rec.failed = (int64_t)tr->task->failed;
		tr->task->rec.lost = (int64_t)tr->task->lost;
		tally_flush(p, tr);
	}
}
