/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A task's failures: the judge says what they are, fingerprints say which of them are stored
 * already, so that f3 stays f3. The rollup is rebuilt for the task when any of them changed.
 */
#include <errno.h>

#include "store_internal.h"

struct known {
	uint64_t fingerprint;
	int64_t id;
	bool late;
	bool stored; /* before this writing */
	bool seen;
	UT_hash_handle hh;
};

static void known_freep(struct known **all)
{
	struct known *k, *next;

	HASH_ITER(hh, *all, k, next)
	{
		HASH_DEL(*all, k);
		free(k);
	}
}

static struct known *known_find(struct known *all, uint64_t fingerprint)
{
	struct known *k;

	HASH_FIND(hh, all, &fingerprint, sizeof(fingerprint), k);
	return k;
}

static struct known *known_add(struct known **all, uint64_t fingerprint, int64_t id)
{
	struct known *k = calloc(1, sizeof(*k));

	if (!k)
		return NULL;
	k->fingerprint = fingerprint;
	k->id = id;
	HASH_ADD(hh, *all, fingerprint, sizeof(k->fingerprint), k);
	return k;
}

static int known_load(struct store *s, int64_t task, struct known **all)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_FAILURE_KNOWN, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", task);
	while ((r = db_step(&q)) > 0) {
		struct known *k = known_add(all, (uint64_t)db_get_int(&q, 0), db_get_int(&q, 1));

		if (!k)
			return -ENOMEM;
		k->late = db_get_int(&q, 2);
		k->stored = true;
	}
	return r;
}

/* Ids are given out here, ahead of the rows, so that rows can name each other. They are read anew
 * in every transaction; AUTOINCREMENT keeps those of removed rows from coming back. */
static int next_id(struct store *s, int64_t *ret)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	if (s->next_failure == 0) {
		r = store_use(s, ST_FAILURE_NEXT, &q);
		if (r < 0)
			return r;
		r = db_step(&q);
		if (r < 0)
			return r;
		s->next_failure = (r ? db_get_int(&q, 0) : 0) + 1;
	}
	*ret = s->next_failure++;
	return 0;
}

static int name_all(struct store *s, const struct task_record *t, struct known **all)
{
	for (size_t i = 0; i < t->n_failures; i++) {
		struct known *k = known_find(*all, t->failures[i].fingerprint);
		int64_t id = 0;
		int r;

		if (!k) {
			r = next_id(s, &id);
			if (r < 0)
				return r;
			k = known_add(all, t->failures[i].fingerprint, id);
			if (!k)
				return -ENOMEM;
		}
		k->seen = true;
	}
	return 0;
}

static int64_t resolve(struct known *all, uint64_t fingerprint, int64_t id)
{
	struct known *k = fingerprint ? known_find(all, fingerprint) : NULL;

	return k ? k->id : fingerprint ? 0 : id;
}

static int write_row(struct store *s, int64_t task, const struct failure_record *f, int64_t id,
		     int64_t caused_by, bool late)
{
	_cleanup_free_ char *evidence = db_list_encode(f->evidence, f->n_evidence);
	const struct text empty = { .data = "" };
	const struct taxon *x = taxonomy_get(f->cause);
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	if (!evidence)
		return -ENOMEM;
	r = store_use(s, ST_FAILURE, &q);
	if (r < 0)
		return r;
	db_int(&q, ":id", id);
	db_int(&q, ":task", task);
	db_int(&q, ":fingerprint", (int64_t)f->fingerprint);
	db_str(&q, ":level", level_name(x->level));
	db_str(&q, ":primitive", x->primitive);
	db_str(&q, ":cause", x->cause);
	db_blob(&q, ":subject", f->subject.data ? &f->subject : &empty);
	db_str(&q, ":disposition", disposition_name(f->disposition));
	db_str(&q, ":confidence", confidence_name(f->confidence));
	db_int(&q, ":count", f->count);
	db_int(&q, ":first", f->first_ns);
	db_int(&q, ":last", f->last_ns);
	db_str(&q, ":syscall", f->syscall);
	db_int(&q, ":errno", f->err);
	db_int(&q, ":signal", f->signal);
	db_int(&q, ":late", late);
	db_int(&q, ":pid", f->pid);
	db_int(&q, ":ns_pid", f->ns_pid);
	db_blob(&q, ":comm", &f->comm);
	db_blob(&q, ":exe", &f->exe);
	db_str(&q, ":summary", f->summary ?: "");
	db_str(&q, ":remedy", f->remedy ?: "");
	db_str(&q, ":evidence", evidence);
	db_int_or_null(&q, ":caused_by", caused_by, 0);
	return db_run(&q);
}

static int write_rows(struct store *s, const struct task_record *t, struct known *all,
		      bool only_add)
{
	for (size_t i = 0; i < t->n_failures; i++) {
		const struct failure_record *f = &t->failures[i];
		struct known *k = known_find(all, f->fingerprint);
		int64_t by = resolve(all, f->caused_by_fingerprint, f->caused_by);
		int r;

		/* A final task's own failures stay as they are; what came late may still grow. */
		if (only_add && k->stored && !k->late)
			continue;
		r = write_row(s, t->id, f, k->id, by, only_add || k->late || f->late);
		if (r < 0)
			return r;
	}
	return 0;
}

static int remove_gone(struct store *s, struct known *all)
{
	struct known *k, *next;

	HASH_ITER(hh, all, k, next)
	{
		_cleanup_stmt_ struct db_stmt q = {};
		int r;

		if (k->seen || k->late)
			continue;
		r = store_use(s, ST_FAILURE_REMOVE, &q);
		if (r < 0)
			return r;
		db_int(&q, ":id", k->id);
		r = db_run(&q);
		if (r < 0)
			return r;
	}
	return 0;
}

static int write_verdict(struct store *s, const struct task_record *t, struct known *all)
{
	int64_t verdict = resolve(all, t->verdict_fingerprint, t->verdict);
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, ST_VERDICT, &q);
	if (r < 0)
		return r;
	db_int(&q, ":task", t->id);
	db_int_or_null(&q, ":verdict", verdict, 0);
	return db_run(&q);
}

static int rebuild_rollup(struct store *s, int64_t task)
{
	static const enum store_statement steps[] = { ST_ROLLUP_CLEAR, ST_ROLLUP };

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		_cleanup_stmt_ struct db_stmt q = {};
		int r;

		r = store_use(s, steps[i], &q);
		if (r < 0)
			return r;
		db_int(&q, ":task", task);
		r = db_run(&q);
		if (r < 0)
			return r;
	}
	return 0;
}

int store_write_failures(struct store *s, const struct task_record *t, bool only_add)
{
	_cleanup_(known_freep) struct known *all = NULL;
	int64_t before = sqlite3_total_changes64(s->h);
	int r;

	r = known_load(s, t->id, &all);
	if (r >= 0)
		r = name_all(s, t, &all);
	if (r >= 0)
		r = write_rows(s, t, all, only_add);
	if (r >= 0 && !only_add)
		r = remove_gone(s, all);
	if (r >= 0 && !only_add)
		r = write_verdict(s, t, all);
	if (r < 0 || sqlite3_total_changes64(s->h) == before)
		return r;
	return rebuild_rollup(s, t->id);
}
