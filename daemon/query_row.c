/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "query_row.h"

/* A value that this version does not know becomes the enum's first. */
static int known(int parsed)
{
	return parsed < 0 ? 0 : parsed;
}

static int64_t int_or(struct db_stmt *s, int col, int64_t null)
{
	return sqlite3_column_type(s->st, col) == SQLITE_NULL ? null : db_get_int(s, col);
}

int query_read_task(struct db_stmt *s, int col, struct task_record *ret)
{
	struct task_record t = {
		.id = db_get_int(s, col),
		.attempt = (int)db_get_int(s, col + 3),
		.state = known(task_state_parse(db_peek(s, col + 4))),
		.started_ns = db_get_int(s, col + 5),
		.ended_ns = db_get_int(s, col + 6),
		.outcome = known(outcome_parse(db_peek(s, col + 7))),
		.exit_code = (int)int_or(s, col + 8, -1),
		.signal = (int)db_get_int(s, col + 9),
		.cgroup_id = (uint64_t)db_get_int(s, col + 12),
		.provisional = db_get_int(s, col + 14),
		.failed = db_get_int(s, col + 15),
		.noise = db_get_int(s, col + 16),
		.handled = db_get_int(s, col + 17),
		.lost = db_get_int(s, col + 18),
		.verdict = db_get_int(s, col + 19),
		.calls = db_get_int(s, col + 20),
		.calls_failed = db_get_int(s, col + 21),
		.call_faults = db_get_int(s, col + 22),
		.result = known(campaign_result_parse(db_peek(s, col + 23))),
	};

	if (db_get_str(s, col + 1, &t.campaign) < 0 || db_get_str(s, col + 2, &t.task) < 0 ||
	    db_get_str(s, col + 10, &t.note) < 0 || db_get_str(s, col + 11, &t.cgroup) < 0 ||
	    db_get_str(s, col + 13, &t.source) < 0 || db_get_str(s, col + 24, &t.why) < 0) {
		task_record_clear(&t);
		return -ENOMEM;
	}
	*ret = t;
	return 0;
}

static int read_strings(struct db_stmt *s, int col, struct failure_record *f)
{
	if (db_get_text(s, col + 6, &f->subject) < 0 || db_get_str(s, col + 12, &f->syscall) < 0 ||
	    db_get_text(s, col + 18, &f->comm) < 0 || db_get_text(s, col + 19, &f->exe) < 0 ||
	    db_get_str(s, col + 20, &f->summary) < 0 || db_get_str(s, col + 21, &f->remedy) < 0)
		return -ENOMEM;
	return db_list_decode(db_peek(s, col + 22), &f->evidence, &f->n_evidence);
}

/* One after the other: each peek is good only until the next. */
static int read_cause(struct db_stmt *s, int col)
{
	_cleanup_free_ char *level = NULL, *primitive = NULL, *cause = NULL;

	if (db_get_str(s, col, &level) < 0 || db_get_str(s, col + 1, &primitive) < 0 ||
	    db_get_str(s, col + 2, &cause) < 0)
		return -ENOMEM;
	return taxonomy_find(level ?: "", primitive ?: "", cause ?: "");
}

int query_read_failure(struct db_stmt *s, int col, struct failure_record *ret)
{
	int cause = read_cause(s, col + 3);
	struct failure_record f = {
		.id = db_get_int(s, col),
		.task_id = db_get_int(s, col + 1),
		.fingerprint = (uint64_t)db_get_int(s, col + 2),
		.cause = cause,
		.disposition = known(disposition_parse(db_peek(s, col + 7))),
		.confidence = known(confidence_parse(db_peek(s, col + 8))),
		.count = db_get_int(s, col + 9),
		.first_ns = db_get_int(s, col + 10),
		.last_ns = db_get_int(s, col + 11),
		.err = (int)db_get_int(s, col + 13),
		.signal = (int)db_get_int(s, col + 14),
		.late = db_get_int(s, col + 15),
		.pid = db_get_int(s, col + 16),
		.ns_pid = db_get_int(s, col + 17),
		.caused_by = db_get_int(s, col + 23),
	};

	if (cause < 0)
		return cause;
	if (read_strings(s, col, &f) < 0) {
		failure_record_clear(&f);
		return -ENOMEM;
	}
	*ret = f;
	return 0;
}
