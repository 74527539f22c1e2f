/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The write side of the database: one writer, WAL, batched transactions, migrations by
 * user_version, retention. Every function returns 0 or -errno; -ENOSPC and -EIO leave the store
 * usable and the batch in memory (bounded): it is tried again at the next commit.
 */
#ifndef SANDFAULT_STORE_H
#define SANDFAULT_STORE_H

#include "record.h"

#define STORE_VERSION 2

struct store;

/*
 * Opens or makes the database at `path` (parent directory made 0750, file 0640, group `gid`
 * unless it is (gid_t)-1; -wal and -shm alike, kept after a clean stop so that read-only readers
 * of the group still can read). -EPROTO: a newer version, left untouched. -EUCLEAN: corrupt; it
 * was moved aside to PATH.corrupt-TIME, *aside names it (owned), and nothing was opened: call
 * again to start a new one. -EBUSY: another process writes there. Logs what is wrong.
 */
int store_open(struct store **ret, const char *path, gid_t gid, char **aside);
void store_close(struct store *s);

/* Next free instance number (never reused, above every stored one). */
int64_t store_next_instance(struct store *s);
/* Highest attempt of (campaign, task), 0: none; *ret_open the instance of an attempt that is not
 * final, or 0. */
int store_last_attempt(struct store *s, const char *campaign, const char *task, int *ret_attempt,
		       int64_t *ret_open);

/* The queueing writers copy what they are given; nothing is on disk before store_commit(). A record
 * that would pass the queue's bound is dropped, counted, and answered by -ENOBUFS. */
/* Inserts or updates; without failures. */
int store_put_task(struct store *s, const struct task_record *t);
/*
 * Replaces the task's failures by t->failures: rows are matched by fingerprint (ids stay), those
 * that are gone are removed unless `late` rows; sets the verdict and rolls up per minute. With
 * `only_add` (the task is final) rows are only added, marked late, and the verdict stays.
 */
int store_put_failures(struct store *s, const struct task_record *t, bool only_add);
/* Adds counts. */
int store_add_tally(struct store *s, const struct tally_record *rows, size_t n);
/* Inserts a call that is over; a call is put once. The database gives it its id. */
int store_put_call(struct store *s, const struct call_record *c);
int store_put_incident(struct store *s, const struct incident_record *i);
/* The campaign's word on a task that is stored already; `why` may be NULL. */
int store_put_result(struct store *s, int64_t task, enum campaign_result result, const char *why);
/* Inserts (sets the id at once) or updates. */
int store_put_alert(struct store *s, struct alert_record *a);
/* Replaces all. */
int store_put_sensors(struct store *s, const struct sensor_record *rows, size_t n);
int store_put_counter(struct store *s, const char *name, int64_t value, int64_t now_ns);
int store_put_daemon(struct store *s, int64_t pid, const char *version, int64_t started_ns,
		     int64_t now_ns, int64_t stopped_ns, uint64_t generation);
int store_add_gap(struct store *s, int64_t from_ns, int64_t to_ns, const char *reason);

/* Begins, writes all that is queued, commits. -ENOSPC, -EIO, -EBUSY …: nothing is written, all
 * stays queued. A record that breaks a constraint (failures of a task that was never put) is
 * dropped and counted, the others are written. */
int store_commit(struct store *s);
/* Bytes queued, and records dropped because the queue's bound (64 MiB) was reached or the database
 * refused them. */
size_t store_queued(const struct store *s);
uint64_t store_dropped(const struct store *s);
/* Removes final tasks older than `age_ns`, then the oldest until the file is under `bytes`; works
 * in slices of a few ms. 0: done, 1: more to do. */
int store_retain(struct store *s, int64_t now_ns, int64_t age_ns, int64_t bytes);
/* After a restart: tasks that are not final, oldest first. */
int store_open_tasks(struct store *s, struct task_record **ret, size_t *n);
/* The write handle also reads: for `end` replies. Opaque here, query.h takes it. */
struct query *store_query(struct store *s);

#endif
