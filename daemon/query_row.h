/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows to records: the columns, and who reads them, in one order. */
#ifndef SANDFAULT_QUERY_ROW_H
#define SANDFAULT_QUERY_ROW_H

#include "db.h"

#define TASK_COLUMNS                                                                               \
	"t.id, t.campaign, t.name, t.attempt, t.state, t.started_ns, t.ended_ns, t.outcome,"       \
	" t.exit_code, t.signal, t.note, t.cgroup, t.cgroup_id, t.source, t.provisional,"          \
	" t.failed, t.noise, t.handled, t.lost, t.verdict"

#define FAILURE_COLUMNS                                                                            \
	"f.id, f.task, f.fingerprint, f.level, f.primitive, f.cause, f.subject, f.disposition,"    \
	" f.confidence, f.count, f.first_ns, f.last_ns, f.syscall, f.errno, f.signal, f.late,"     \
	" f.pid, f.ns_pid, f.comm, f.exe, f.summary, f.remedy, f.evidence, f.caused_by"
#define FAILURE_N_COLUMNS 24

/* Gravest first, in the order of verdicts: the verdict itself, then the platform's before the
 * workload's, fatal before contributing, confidence, earliest. */
#define FAILURE_ORDER                                                                              \
	"f.id IS t.verdict DESC, f.disposition = 'handled', f.level = 'workload',"                 \
	" f.disposition = 'contributing', CASE f.confidence WHEN 'certain' THEN 0"                 \
	" WHEN 'likely' THEN 1 ELSE 2 END, f.first_ns, f.id"

/* Both begin at column `col` and leave *ret cleared on failure. */
int query_read_task(struct db_stmt *s, int col, struct task_record *ret);
/* -ENOENT: the cause is none of the taxonomy. */
int query_read_failure(struct db_stmt *s, int col, struct failure_record *ret);

#endif
