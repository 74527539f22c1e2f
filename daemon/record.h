/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is stored and shown: flat records, the same whether they come from the daemon's memory or
 * from the database, and the only input of JSON and text output. Times are ns UTC, 0: none.
 * Strings are owned by the record; bytes from outside are struct text, exact.
 */
#ifndef SANDFAULT_RECORD_H
#define SANDFAULT_RECORD_H

#include "call.h"
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

/* What the campaign itself says of a task. */
enum campaign_result { RESULT_NONE = 0, RESULT_PASS, RESULT_FAIL };

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
	char *source;	      /* "run", "begin", "template", "unattributed" */
	bool provisional;     /* judged while it runs */
	int64_t failed;	      /* failing syscalls */
	int64_t noise;	      /* … that are noise */
	int64_t handled;      /* failures that were handled */
	int64_t lost;	      /* events or counts that were lost */
	int64_t calls;	      /* tool calls that are over */
	int64_t calls_failed; /* … that were answered by an error, or never */
	int64_t call_faults;  /* things that were found wrong with their bytes */
	enum campaign_result result;
	char *why;			 /* … why, in the campaign's words; NULL: not said */
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

/* Something wrong with a call's bytes, as struct call_fault. */
struct call_fault_record {
	enum cause cause;
	enum call_leg leg;
	bool sure;
	int64_t at; /* first byte that is wrong */
	struct text subject;
	char *say;
};

#define CALL_HEX (2 * CALL_DIGEST + 1)

/* A tool call that is over. */
struct call_record {
	int64_t id; /* shown as c<id>; 0: not stored yet */
	int64_t task_id;
	int64_t session; /* numbered within a run of the daemon; 0: told by a harness */
	enum call_source source;
	enum call_end end;
	char *rpc_id; /* as JSON has it; NULL: none */
	char *method; /* NULL: told */
	char *tool;   /* NULL: another method */
	struct text subject;
	char *args; /* redacted JSON; NULL: not kept */
	int64_t started_ns, ended_ns;
	int64_t request_len, answer_len;
	char request_digest[CALL_HEX]; /* SHA-256 in hex; "": none */
	char answer_digest[CALL_HEX];
	bool cut;
	int code; /* 0: none */
	struct text text;
	int64_t server_pid, client_pid; /* 0: unknown */
	struct call_fault_record *faults;
	size_t n_faults;
};

/* What befell a channel. */
struct incident_record {
	int64_t id; /* 0: not stored yet */
	int64_t task_id;
	int64_t session;
	enum incident_kind kind;
	int64_t at_ns;
	int64_t pid, other_pid; /* whom it happened to, and who was at the other end; 0: unknown */
	bool by_server;
	int err; /* positive errno, 0: none */
	int64_t bytes;
	int64_t open; /* calls that were open */
	char *say;
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
void call_record_clear(struct call_record *c);
void incident_record_clear(struct incident_record *i);
void sensor_record_clear(struct sensor_record *s);
/* Its state, and in words why; fmt NULL: nothing to say. */
void sensor_record_set(struct sensor_record *r, const char *state, const char *fmt, ...)
	_printf_(3, 4);
/* Deep copies; 0 or -ENOMEM, *ret untouched on failure. */
int task_record_copy(struct task_record *ret, const struct task_record *t, bool with_failures);
int alert_record_copy(struct alert_record *ret, const struct alert_record *a);
int sensor_record_copy(struct sensor_record *ret, const struct sensor_record *s);
int call_record_copy(struct call_record *ret, const struct call_record *c);
int incident_record_copy(struct incident_record *ret, const struct incident_record *i);
/* From what the daemon holds; `utc_offset_ns` (realtime - boottime) makes its times UTC. Ids of the
 * database are 0. 0 or -ENOMEM, *ret untouched on failure. */
int call_record_from(struct call_record *ret, const struct call *c, int64_t utc_offset_ns);
int incident_record_from(struct incident_record *ret, const struct incident *i,
			 int64_t utc_offset_ns);
/* Bytes of memory that it holds. */
size_t task_record_size(const struct task_record *t);
bool call_record_failed(const struct call_record *c); /* as call_failed() */
size_t call_record_size(const struct call_record *c);
const char *campaign_result_name(enum campaign_result r); /* pass, fail; NULL: not said */
int campaign_result_parse(const char *s);		  /* enum campaign_result, or -EINVAL */
const char *call_source_name(enum call_source s);	  /* channel, harness */
/* Appends a formatted evidence sentence; 0 or -ENOMEM. */
int failure_record_evidence(struct failure_record *f, const char *fmt, ...) _printf_(2, 3);

#endif
