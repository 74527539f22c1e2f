/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the database share: a directory of their own, and records to store. */
#ifndef SANDFAULT_DB_FIXTURE_H
#define SANDFAULT_DB_FIXTURE_H

#include <errno.h>
#include <ftw.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "daemon/query.h"
#include "daemon/store.h"

#define T0	    1796000000000000000LL /* a full second, not a full minute */
#define MINUTE	    (60 * NSEC_PER_SEC)
#define FIXTURE_GID 47110

struct fixture {
	char base[64]; /* 0755, so that another user comes as far as the database's directory */
	char dir[96];  /* made by the store */
	char path[128];
};

static inline int fixture_setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	strcpy(f->base, "/tmp/sandfault-test-XXXXXX");
	if (!mkdtemp(f->base) || chmod(f->base, 0755) < 0)
		return -1;
	snprintf(f->dir, sizeof(f->dir), "%s/db", f->base);
	snprintf(f->path, sizeof(f->path), "%s/sandfault.db", f->dir);
	*state = f;
	return 0;
}

static inline int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

static inline int fixture_teardown(void **state)
{
	struct fixture *f = *state;

	nftw(f->base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	free(f);
	return 0;
}

/* In a child, where an assertion of cmocka would go on with the parent's tests. */
#define CHECK(c)                                                                                   \
	do {                                                                                       \
		if (!(c)) {                                                                        \
			fprintf(stderr, "%s:%d: %s (errno %d)\n", __FILE__, __LINE__, #c, errno);  \
			_exit(1);                                                                  \
		}                                                                                  \
	} while (0)

static inline int child_status(pid_t pid)
{
	int status = 0;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static inline struct task_record a_task(int64_t id, const char *name, int attempt,
					enum task_state state)
{
	return (struct task_record){
		.id = id,
		.campaign = (char *)"nightly",
		.task = (char *)name,
		.attempt = attempt,
		.state = state,
		.started_ns = T0 + id * NSEC_PER_SEC,
		.ended_ns = state == STATE_FINAL ? T0 + (id + 1) * NSEC_PER_SEC : 0,
		.outcome = state == STATE_FINAL ? OUTCOME_FAILED : OUTCOME_UNKNOWN,
		.exit_code = state == STATE_FINAL ? 1 : -1,
		.source = (char *)"run",
	};
}

static inline struct failure_record a_failure(uint64_t fingerprint, enum cause cause,
					      enum disposition disposition, int64_t first_ns)
{
	return (struct failure_record){
		.fingerprint = fingerprint,
		.cause = cause,
		.subject = { .data = (char *)"clone3", .len = 6 },
		.disposition = disposition,
		.confidence = CONF_CERTAIN,
		.count = 3,
		.first_ns = first_ns,
		.last_ns = first_ns + NSEC_PER_SEC,
		.syscall = (char *)"clone3",
		.err = EPERM,
		.pid = 41,
		.ns_pid = 2,
		.summary = (char *)"seccomp refused clone3",
		.remedy = (char *)"allow clone3",
	};
}

static inline struct store *open_store(const struct fixture *f)
{
	struct store *s = NULL;

	assert_int_equal(store_open(&s, f->path, (gid_t)-1, NULL), 0);
	return s;
}

static inline void put(struct store *s, struct task_record *t, struct failure_record *failures,
		       size_t n, uint64_t verdict)
{
	t->failures = failures;
	t->n_failures = n;
	t->verdict_fingerprint = verdict;
	assert_int_equal(store_put_task(s, t), 0);
	assert_int_equal(store_put_failures(s, t, false), 0);
}

static inline struct failure_record *find(struct task_record *t, uint64_t fingerprint)
{
	for (size_t i = 0; i < t->n_failures; i++)
		if (t->failures[i].fingerprint == fingerprint)
			return &t->failures[i];
	return NULL;
}

/* The first value of the first row, by a connection of its own. */
static inline int64_t number(const char *path, const char *text)
{
	sqlite3_stmt *st;
	sqlite3 *h;
	int64_t n;

	assert_int_equal(sqlite3_open_v2(path, &h, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	if (sqlite3_prepare_v2(h, text, -1, &st, NULL) != SQLITE_OK)
		fail_msg("%s: %s", text, sqlite3_errmsg(h));
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	n = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	sqlite3_close(h);
	return n;
}

/* Rows of the rollup that the failures do not say. */
#define ROLLUP_DIFFERS                                                                             \
	"SELECT count(*) FROM (SELECT minute, task, level, primitive, cause, disposition,"         \
	" failures, events, verdicts FROM rollup EXCEPT SELECT f.first_ns / 60000000000, f.task,"  \
	" f.level, f.primitive, f.cause, f.disposition, count(*), sum(f.count),"                   \
	" sum(f.id IS t.verdict) FROM failure f JOIN task t ON t.id = f.task"                      \
	" GROUP BY 1, 2, 3, 4, 5, 6)"

/* Three tasks, one of them twice; seccomp in all but t-3, a full disk in t-2 and t-3. */
static inline struct store *small_campaign(const struct fixture *f)
{
	struct store *s = open_store(f);
	struct label app[] = { { (char *)"app", (char *)"shell" } };
	struct label other[] = { { (char *)"app", (char *)"browser" },
				 { (char *)"x", (char *)"y" } };
	struct task_record t;
	struct failure_record rows[3];

	t = a_task(1, "t-1", 1, STATE_FINAL);
	t.labels = app;
	t.n_labels = 1;
	rows[0] = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0);
	put(s, &t, rows, 1, 1);

	t = a_task(2, "t-2", 1, STATE_FINAL);
	t.labels = other;
	t.n_labels = 2;
	rows[0] = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_CONTRIBUTING, T0 + MINUTE);
	rows[1] = a_failure(2, CAUSE_DISK_FULL, DISP_FATAL, T0 + 2 * MINUTE);
	rows[1].subject = (struct text){ (char *)"/data/x", 7 };
	rows[2] = a_failure(3, CAUSE_SECCOMP_KILLED, DISP_HANDLED, T0 + MINUTE);
	put(s, &t, rows, 3, 2);

	t = a_task(3, "t-3", 1, STATE_FINAL);
	t.outcome = OUTCOME_OK;
	t.exit_code = 0;
	rows[0] = a_failure(1, CAUSE_DISK_FULL, DISP_HANDLED, T0 + 3 * MINUTE);
	put(s, &t, rows, 1, 0);

	t = a_task(4, "t-1", 2, STATE_RUNNING);
	t.labels = app;
	t.n_labels = 1;
	rows[0] = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0 + 4 * MINUTE);
	rows[1] = a_failure(2, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0 + 4 * MINUTE + 1);
	put(s, &t, rows, 2, 1);
	assert_int_equal(store_commit(s), 0);
	return s;
}

static inline struct call_record a_call(int64_t task, int64_t i)
{
	return (struct call_record){ .task_id = task,
				     .session = 3,
				     .end = CALL_OK,
				     .tool = (char *)"read_file",
				     .started_ns = T0 + i * NSEC_PER_MSEC,
				     .ended_ns = T0 + (i + 1) * NSEC_PER_MSEC };
}

static inline int store_one_task(struct store *s, int64_t id)
{
	struct task_record t = a_task(id, "t-1", (int)id, STATE_RUNNING);

	return store_put_task(s, &t);
}

#endif
