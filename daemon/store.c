/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"
#include "query_internal.h"
#include "schema.h"
#include "store_internal.h"

/* How long a lock of somebody else (a shell in the database) is waited for: the event loop stands
 * still meanwhile. */
#define BUSY_MS 250
/* -wal is cut to this after a checkpoint, and to nothing at a clean stop. */
#define WAL_KEPT (16 * 1024 * 1024)
/* A database up to this size is checked at every start, a larger one after an unclean stop. */
#define CHECK_ALWAYS (32 * 1024 * 1024)
#define CHECK_NS     (5 * NSEC_PER_SEC)

static void store_free(struct store *s)
{
	if (!s)
		return;
	store_queue_clear(s);
	query_close(s->query);
	db_finalize(s->slots, ST_MAX);
	sqlite3_close(s->h);
	util_closep(&s->lock_fd);
	free(s->path);
	free(s);
}

static void store_freep(struct store **s)
{
	store_free(*s);
}

void store_close(struct store *s)
{
	if (!s)
		return;
	if (s->queued && store_commit(s) < 0)
		log_error("%s: %zu bytes of records could not be written", s->path, s->queued);
	store_free(s);
}

static int connection_open(struct store *s)
{
	int on = 1;

	if (sqlite3_open_v2(s->path, &s->h, SQLITE_OPEN_READWRITE | SQLITE_OPEN_EXRESCODE, NULL))
		return s->h ? db_errno(s->h) : -ENOMEM;
	sqlite3_busy_timeout(s->h, BUSY_MS);
	/* A reader that may not write here needs both files after we are gone. */
	sqlite3_file_control(s->h, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	/* Until it is known to be ours: not a byte of it changes at close. */
	sqlite3_db_config(s->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	return 0;
}

/* The header once more, through SQLite: the newest one may lie in -wal. */
static int check_version(struct store *s)
{
	int64_t application = 0, version = 0, tables = 0;
	int r;

	r = db_scalar(s->h, "PRAGMA application_id", &application);
	if (r >= 0)
		r = db_scalar(s->h, "PRAGMA user_version", &version);
	if (r >= 0)
		r = db_scalar(s->h, "SELECT count(*) FROM sqlite_schema", &tables);
	if (r < 0)
		return r;
	if (application != DB_APPLICATION_ID && (application != 0 || tables > 0)) {
		log_error("%s is a database of another program", s->path);
		return -EPROTO;
	}
	if (version > STORE_VERSION) {
		log_error("%s has version %lld, this program knows %d: left untouched", s->path,
			  (long long)version, STORE_VERSION);
		return -EPROTO;
	}
	return 0;
}

static int check_deadline(void *arg)
{
	return util_now_boottime() > *(int64_t *)arg;
}

/* Reads the whole file, so not at every start of a large one, and never for long. */
static int check_content(struct store *s, bool unclean)
{
	int64_t deadline = util_now_boottime() + CHECK_NS;
	_cleanup_stmt_ struct db_stmt q = {};
	struct stat st;
	int r;

	if (!unclean && stat(s->path, &st) == 0 && st.st_size > CHECK_ALWAYS)
		return 0;
	r = db_prepare(s->h, "PRAGMA quick_check(1)", &q);
	if (r < 0)
		return r;
	sqlite3_progress_handler(s->h, 10000, check_deadline, &deadline);
	r = db_step(&q);
	sqlite3_progress_handler(s->h, 0, NULL, NULL);
	if (r == -EINTR)
		return 0;
	if (r < 0)
		return r;
	if (r > 0 && strcmp(db_peek(&q, 0), "ok") != 0) {
		log_error("%s: %s", s->path, db_peek(&q, 0));
		return -EUCLEAN;
	}
	return 0;
}

static int set_up(struct store *s, bool fresh)
{
	_cleanup_free_ char *limit = NULL;
	int r = 0;

	if (asprintf(&limit, "PRAGMA journal_size_limit = %d", WAL_KEPT) < 0)
		return -ENOMEM;
	/* Before the first table: it can't be turned on later without a copy of the file. */
	if (fresh)
		r = db_exec(s->h, "PRAGMA auto_vacuum = INCREMENTAL");
	if (r >= 0)
		r = db_exec(s->h, "PRAGMA journal_mode = WAL");
	if (r >= 0)
		r = db_exec(s->h, "PRAGMA synchronous = NORMAL");
	if (r >= 0)
		r = db_exec(s->h, "PRAGMA foreign_keys = ON");
	if (r >= 0)
		r = db_exec(s->h, limit);
	if (r >= 0)
		r = schema_migrate(s->h, schema_migrations, schema_version);
	return r;
}

static int load_sequences(struct store *s)
{
	int64_t instance = 0, alert = 0;
	int r;

	r = db_scalar(s->h, "SELECT value FROM sequence WHERE name = 'instance'", &instance);
	if (r >= 0)
		r = db_scalar(s->h, "SELECT seq FROM sqlite_sequence WHERE name = 'alert'", &alert);
	s->next_instance = instance + 1;
	s->next_alert = alert + 1;
	return r;
}

static int store_start(struct store *s, bool fresh, bool unclean)
{
	int r;

	r = connection_open(s);
	if (r >= 0)
		r = check_version(s);
	if (r >= 0)
		r = check_content(s, unclean);
	if (r >= 0)
		r = set_up(s, fresh);
	if (r >= 0)
		r = load_sequences(s);
	if (r >= 0)
		r = query_wrap(&s->query, s->h);
	if (r < 0)
		return r;
	sqlite3_db_config(s->h, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	return 0;
}

int store_open(struct store **ret, const char *name, gid_t gid, char **aside)
{
	_cleanup_(store_freep) struct store *s = calloc(1, sizeof(*s));
	/* As SQLite does: -wal and -shm lie beside the file that a link leads to. */
	_cleanup_free_ char *real = realpath(name, NULL);
	const char *path = real ?: name;
	bool fresh = false, unclean = store_file_unclean(path);
	int r;

	if (!s)
		return -ENOMEM;
	s->lock_fd = -1;
	s->path = strdup(path);
	if (!s->path)
		return -ENOMEM;
	r = store_file_open(path, gid, &s->lock_fd, &fresh);
	if (r >= 0) {
		r = store_start(s, fresh, unclean);
		if (r < 0 && r != -EPROTO)
			log_errno(r, "cannot use %s (%s)", path, sqlite3_errmsg(s->h));
	}
	if (r == -EUCLEAN) {
		int moved;

		/* Nothing of it may be open when it is moved. */
		store_free(TAKE_PTR(s));
		moved = store_file_aside(path, aside);
		return moved < 0 ? moved : -EUCLEAN;
	}
	if (r < 0)
		return r;
	store_file_modes(path, gid);
	*ret = TAKE_PTR(s);
	return 0;
}

int64_t store_next_instance(struct store *s)
{
	return s->next_instance++;
}

struct query *store_query(struct store *s)
{
	return s->query;
}

/* What is queued is newer than what is stored. */
static void attempts_queued(struct store *s, const char *campaign, const char *task, int *attempt,
			    int64_t *open)
{
	for (const struct item *i = s->queue; i; i = i->next) {
		const struct task_record *t = &i->task;

		if (i->kind != ITEM_TASK || strcmp(t->task, task) != 0 ||
		    strcmp(t->campaign, campaign) != 0)
			continue;
		if (t->attempt > *attempt)
			*attempt = t->attempt;
		if (t->state != STATE_FINAL)
			*open = t->id;
		else if (*open == t->id)
			*open = 0;
	}
}

int store_last_attempt(struct store *s, const char *campaign, const char *task, int *ret_attempt,
		       int64_t *ret_open)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int64_t open = 0;
	int attempt = 0;
	int r;

	r = store_use(s, ST_ATTEMPTS, &q);
	if (r < 0)
		return r;
	db_str(&q, ":campaign", campaign);
	db_str(&q, ":name", task);
	r = db_step(&q);
	if (r < 0)
		return r;
	if (r > 0) {
		attempt = (int)db_get_int(&q, 0);
		open = db_get_int(&q, 1);
	}
	attempts_queued(s, campaign, task, &attempt, &open);
	*ret_attempt = attempt;
	*ret_open = open;
	return 0;
}

int store_open_tasks(struct store *s, struct task_record **ret, size_t *n)
{
	return query_open_tasks(s->query, ret, n);
}
