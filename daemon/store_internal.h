/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files of the store share; nobody else includes it. */
#ifndef SANDFAULT_STORE_INTERNAL_H
#define SANDFAULT_STORE_INTERNAL_H

#include <uthash.h>

#include "db.h"
#include "store.h"

#define STORE_QUEUE_MAX (64 * 1024 * 1024)
/* Numbers from here on are the kernel side's own (SF_INSTANCE_KERNEL). */
#define STORE_INSTANCE_KERNEL (1LL << 62)

enum item_kind {
	ITEM_TASK,
	ITEM_FAILURES,
	ITEM_LATE, /* failures that are only added */
	ITEM_TALLY,
	ITEM_CALLS,
	ITEM_INCIDENT,
	ITEM_RESULT,
	ITEM_ALERT,
	ITEM_SENSORS,
	ITEM_COUNTER,
	ITEM_DAEMON,
	ITEM_GAP,
	ITEM_MAX,
};

struct daemon_row {
	int64_t pid, started_ns, now_ns, stopped_ns;
	uint64_t generation;
	char *version;
};

struct item {
	enum item_kind kind;
	size_t size;
	char *key; /* a later item with the same key takes this one's place; NULL: none */
	unsigned int refused; /* records in it that the database itself refused at the last try */
	struct item *prev, *next;
	UT_hash_handle hh;
	union {
		struct task_record task; /* ITEM_TASK, ITEM_FAILURES, ITEM_LATE */
		struct alert_record alert;
		struct daemon_row daemon;
		struct {
			struct tally_record *rows;
			size_t n;
		} tally;
		struct {
			struct call_record *rows;
			size_t n, cap;
		} calls;
		struct incident_record incident;
		struct {
			int64_t task;
			enum campaign_result result;
			char *why;
		} result;
		struct {
			struct sensor_record *rows;
			size_t n;
		} sensors;
		struct {
			char *name;
			int64_t value, now_ns;
		} counter;
		struct {
			char *reason;
			int64_t from_ns, to_ns;
		} gap;
	};
};

enum store_statement {
	ST_BEGIN,
	ST_COMMIT,
	ST_SAVEPOINT,
	ST_RELEASE,
	ST_UNDO,
	ST_TASK,
	ST_LABEL,
	ST_LABEL_COUNT,
	ST_LABEL_CLEAR,
	ST_FAILURE_KNOWN,
	ST_FAILURE_NEXT,
	ST_FAILURE,
	ST_FAILURE_REMOVE,
	ST_VERDICT_GET,
	ST_VERDICT,
	ST_ROLLUP_CLEAR,
	ST_ROLLUP,
	ST_TALLY,
	ST_CALL,
	ST_INCIDENT,
	ST_RESULT,
	ST_ALERT,
	ST_SENSOR_CLEAR,
	ST_SENSOR,
	ST_COUNTER,
	ST_DAEMON,
	ST_GAP,
	ST_ATTEMPTS,
	ST_OLDEST,
	ST_CALLS_REMOVE,
	ST_TASK_REMOVE,
	ST_ALERT_EXPIRE,
	ST_GAP_EXPIRE,
	ST_MAX,
};

struct store {
	sqlite3 *h;
	int lock_fd; /* holds the writer's lock */
	char *path;
	int64_t next_instance;
	int64_t next_alert;
	int64_t next_failure; /* within a transaction */
	struct item *queue;   /* in order */
	struct item *keyed;
	size_t queued;
	uint64_t dropped;
	struct query *query;
	sqlite3_stmt *slots[ST_MAX];
};

int store_use(struct store *s, enum store_statement which, struct db_stmt *ret);
/* Writes one item, within a transaction. -EINVAL, -E2BIG: the item itself is at fault. Counts single
 * records of it that are. */
int store_write(struct store *s, struct item *i);
int store_write_failures(struct store *s, const struct task_record *t, bool only_add);
/* `ret_refused`: how many of them were at fault, and left out. */
int store_write_calls(struct store *s, const struct call_record *rows, size_t n,
		      unsigned int *ret_refused);
int store_write_incident(struct store *s, const struct incident_record *i);
/* Ends a transaction that failed, where SQLite did not do so itself. */
void store_rollback(struct store *s);
void store_queue_clear(struct store *s);

/* The file: made where it is absent, locked for this writer, its header looked at. *ret_lock holds
 * the lock; *ret_new: made or empty. As store_open() returns. */
int store_file_open(const char *path, gid_t gid, int *ret_lock, bool *ret_new);
/* Mode and group of the database and of what lies beside it. */
void store_file_modes(const char *path, gid_t gid);
/* -wal holds something: the last writer did not stop cleanly. */
bool store_file_unclean(const char *path);
/* Moves database, -wal and -shm to PATH.corrupt-TIME; *aside names it. */
int store_file_aside(const char *path, char **aside);

#endif
