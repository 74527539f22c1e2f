/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is stored and shown: flat records, the same whether they come from the daemon's memory or
 * from the database, and the only input of JSON and text output. Times are ns UTC, 0: none.
 * Strings are owned by the record; bytes from outside are struct text, exact.
 */
#ifndef SANDFAULT_RECORD_H
#define SANDFAULT_RECORD_H

#include "taxonomy.h"
#include "util.h"

struct label {
	char *name;
	char *value;
};

struct failure_record {
	int64_t id; /* shown as f<id>; 0: not stored yet */
	int64_t task_id;
	uint64_t fingerprint; /* names the failure within its task across judgements */
	enum cause cause;
	struct text subject;
	enum disposition disposition;
	enum confidence confidence;
	int64_t count;
	int64_t first_ns, last_ns;
	char *syscall; /* name, NULL: none */
	int err;       /* positive errno, 0: none */
	int signal;    /* 0: none */
	bool late;
	int64_t pid, ns_pid; /* 0: unknown */
	struct text comm;
	struct text exe;
	char **evidence; /* sentences, hostile parts already escaped */
	size_t n_evidence;
	int64_t caused_by;		/* failure id, 0: none */
	uint64_t caused_by_fingerprint; /* before ids are known */
	char *summary;			/* one sentence for people, escaped */
	char *remedy; /* one sentence: the knob, with the value where it is known */
};

struct task_record {
	int64_t id; /* the instance */
	char *campaign;
	char *task;
	int attempt;
	struct label *labels;
	size_t n_labels;
	enum task_state state;
	int64_t started_ns, ended_ns;
	enum outcome outcome;
	int exit_code; /* -1: none */
	int signal;    /* 0: none */
	char *note;
	char *cgroup; /* path from the v2 root, NULL: process scope */
	uint64_t cgroup_id;
	char *source;			 /* "run", "begin", "template", "unattributed" */
	bool provisional;		 /* judged while it runs */
	int64_t failed;			 /* failing syscalls */
	int64_t noise;			 /* … that are noise */
	int64_t handled;		 /* failures that were handled */
	int64_t lost;			 /* events or counts that were lost */
	struct failure_record *failures; /* gravest first */
	size_t n_failures;
	int64_t verdict;	      /* failure id, 0: none */
	uint64_t verdict_fingerprint; /* before ids are known; 0: none */
};

/* One row of the count by (syscall, errno): every failing syscall of a task, noise too. */
struct tally_record {
	int64_t task_id;
	char syscall[32];
	int abi; /* enum sf_abi */
	int err;
	int entry; /* enum sf_entry */
	int64_t count;
};

struct alert_record {
	int64_t id;
	enum level level;
	char *primitive;
	char *campaign; /* NULL: all */
	bool firing;
	int64_t fired_ns, resolved_ns;
	int64_t tasks;	 /* distinct tasks hit in the window when it fired (its peak after) */
	double expected; /* tasks expected from the baseline */
	int64_t window_ns;
	char **examples; /* "campaign/task" */
	size_t n_examples;
};

struct sensor_record {
	char *name;
	char *state;  /* "active", "refused", "absent", "off" */
	char *reason; /* NULL where active */
	char *lost;   /* what is lost without it */
	bool optional;
};

void failure_record_clear(struct failure_record *f);
void task_record_clear(struct task_record *t);
void alert_record_clear(struct alert_record *a);
void sensor_record_clear(struct sensor_record *s);
/* Its state, and in words why; fmt NULL: nothing to say. */
void sensor_record_set(struct sensor_record *r, const char *state, const char *fmt, ...)
	_printf_(3, 4);
/* Deep copies; 0 or -ENOMEM, *ret untouched on failure. */
int task_record_copy(struct task_record *ret, const struct task_record *t, bool with_failures);
int alert_record_copy(struct alert_record *ret, const struct alert_record *a);
int sensor_record_copy(struct sensor_record *ret, const struct sensor_record *s);
/* Bytes of memory that it holds. */
size_t task_record_size(const struct task_record *t);
/* Appends a formatted evidence sentence; 0 or -ENOMEM. */
int failure_record_evidence(struct failure_record *f, const char *fmt, ...) _printf_(2, 3);

#endif
