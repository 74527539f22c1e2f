/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows to records: the columns, and who reads them, in one order. */
#ifndef SANDFAULT_QUERY_ROW_H
#define SANDFAULT_QUERY_ROW_H

#include "db.h"

#define TASK_COLUMNS                                                                               \
	"t.id, t.campaign, t.name, t.attempt, t.state, t.started_ns, t.ended_ns, t.outcome,"       \
	" t.exit_code, t.signal, t.note, t.cgroup, t.cgroup_id, t.source, t.provisional,"          \
	" t.failed, t.noise, t.handled, t.lost, t.verdict, t.calls, t.calls_failed,"               \
	" t.call_faults, t.result, t.why"

#define FAILURE_COLUMNS                                                                            \
	"f.id, f.task, f.fingerprint, f.level, f.primitive, f.cause, f.subject, f.disposition,"    \
	" f.confidence, f.count, f.first_ns, f.last_ns, f.syscall, f.errno, f.signal, f.late,"     \
	" f.pid, f.ns_pid, f.comm, f.exe, f.summary, f.remedy, f.evidence, f.caused_by"
#define FAILURE_N_COLUMNS 24

#define CALL_COLUMNS                                                                               \
	"c.id, c.task, c.session, c.source, c.rpc_id, c.method, c.tool, c.subject, c.args,"        \
	" c.started_ns, c.ended_ns, c.end, c.code, c.text, c.request_len, c.request_digest,"       \
	" c.answer_len, c.answer_digest, c.cut, c.server_pid, c.client_pid, c.faults"
#define CALL_N_COLUMNS 22

#define INCIDENT_COLUMNS                                                                           \
	"i.id, i.task, i.session, i.kind, i.at_ns, i.pid, i.other_pid, i.by_server, i.errno,"      \
	" i.bytes, i.open, i.say"

/* Gravest first, in the order of verdicts: the verdict itself, then the platform's before the
 * workload's, fatal before contributing, confidence, earliest. */
#define FAILURE_ORDER                                                                              \
	"f.id IS t.verdict DESC, f.disposition = 'handled', f.level = 'workload',"                 \
	" f.disposition = 'contributing', CASE f.confidence WHEN 'certain' THEN 0"                 \
	" WHEN 'likely' THEN 1 ELSE 2 END, f.first_ns, f.id"

/* All begin at column `col` and leave *ret cleared on failure. */
int query_read_task(struct db_stmt *s, int col, struct task_record *ret);
/* -ENOENT: the cause is none of the taxonomy. */
int query_read_failure(struct db_stmt *s, int col, struct failure_record *ret);
int query_read_call(struct db_stmt *s, int col, struct call_record *ret);
int query_read_incident(struct db_stmt *s, int col, struct incident_record *ret);

#endif
