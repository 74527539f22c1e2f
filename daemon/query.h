/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The read side of the database, used by the command line (read-only, with or without a daemon)
 * and by the daemon for its replies. All functions return 0 or -errno.
 */
#ifndef SANDFAULT_QUERY_H
#define SANDFAULT_QUERY_H

#include "record.h"

struct query;

/* Opens read-only. -ENOENT: no such file; -EPROTO: another version; -EUCLEAN: corrupt or no
 * database; -EACCES. Does not log: the caller knows what it means. */
int query_open(struct query **ret, const char *path);
void query_close(struct query *q);

/* What is asked for; zero / NULL: any. */
struct query_filter {
	const char *campaign;
	const char *task; /* exact id */
	int attempt;	  /* 0: any for failures and taxonomy, the latest for tasks */
	bool all_attempts;
	const char *const *labels; /* "NAME=VALUE", NULL-terminated */
	int64_t since_ns;	   /* tasks started, failures first seen, at or after */
	int64_t until_ns;
	const char *level, *primitive, *cause;
	const char *outcome;
	const char *state;
	const char *subject; /* substring */
	bool all;	     /* handled failures too */
	bool disagree; /* tasks: final ones whose failures say something else than the campaign */
	const char *tool; /* calls: of this tool */
	bool failed;	  /* calls: those that failed, or whose bytes are wrong */
	int64_t limit;	  /* rows, 0: all */
};

/* Callbacks return 0 to go on, else the query ends and returns that value. Records are borrowed. */
typedef int (*query_task_fn)(const struct task_record *t, void *arg);
typedef int (*query_failure_fn)(const struct failure_record *f, const struct task_record *t,
				void *arg);

/* Tasks, oldest first; with their failures (and verdict) where `with_failures`. Where no
 * `all_attempts` and no `attempt` is asked for: the latest attempt of each. */
int query_tasks(struct query *q, const struct query_filter *f, bool with_failures, query_task_fn fn,
		void *arg);
/* By instance; *ret is to be cleared by the caller. -ENOENT: none. */
int query_task(struct query *q, int64_t id, bool all, struct task_record *ret);
/* Failures, newest last; t carries identity only. */
int query_failures(struct query *q, const struct query_filter *f, query_failure_fn fn, void *arg);
int query_failure(struct query *q, int64_t id, struct failure_record *ret);

/* One row of the taxonomy: distinct tasks and failures by key(s). */
struct taxonomy_row {
	const char *key[3]; /* as many as asked for; a label absent is "(none)" */
	int64_t tasks;	    /* distinct tasks with such a failure (fatal or contributing) */
	int64_t verdicts;   /* tasks whose verdict it is */
	int64_t failures;
	int64_t events; /* sum of counts */
};
typedef int (*query_taxonomy_fn)(const struct taxonomy_row *row, void *arg);
/* `by`: 1 to 3 of "level", "primitive", "cause", "label.NAME". Most tasks first. */
int query_taxonomy(struct query *q, const struct query_filter *f, const char *const *by,
		   size_t n_by, query_taxonomy_fn fn, void *arg);
/* Tasks matching the filter (identity, labels, time): all, and by outcome. */
struct task_counts {
	int64_t tasks, ok, failed, killed, unknown, running, with_verdict;
};
int query_counts(struct query *q, const struct query_filter *f, struct task_counts *ret);

typedef int (*query_alert_fn)(const struct alert_record *a, void *arg);
int query_alerts(struct query *q, const struct query_filter *f, query_alert_fn fn, void *arg);
typedef int (*query_sensor_fn)(const struct sensor_record *s, void *arg);
int query_sensors(struct query *q, query_sensor_fn fn, void *arg);
typedef int (*query_counter_fn)(const char *name, int64_t value, int64_t updated_ns, void *arg);
int query_counters(struct query *q, query_counter_fn fn, void *arg);
typedef int (*query_tally_fn)(const struct tally_record *t, void *arg);
int query_tally(struct query *q, int64_t task_id, query_tally_fn fn, void *arg);

/* Tool calls, by their begin; t carries identity only. `since`, `until`: when they began; a limit: the
 * newest. */
typedef int (*query_call_fn)(const struct call_record *c, const struct task_record *t, void *arg);
int query_calls(struct query *q, const struct query_filter *f, query_call_fn fn, void *arg);
/* … of one task. */
int query_task_calls(struct query *q, int64_t task_id, query_call_fn fn, void *arg);
typedef int (*query_incident_fn)(const struct incident_record *i, void *arg);
int query_incidents(struct query *q, int64_t task_id, query_incident_fn fn, void *arg);

struct daemon_info {
	int64_t pid, started_ns, heartbeat_ns, stopped_ns;
	uint64_t generation;
	char version[32];
};
int query_daemon(struct query *q, struct daemon_info *ret); /* -ENOENT: never ran */

#endif
