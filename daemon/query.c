/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening read-only, and tasks. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "query_internal.h"
#include "query_row.h"
#include "store.h"

#define BUSY_MS 5000

static const char *const statements[] = {
	[QS_TASK] = "SELECT " TASK_COLUMNS " FROM task t WHERE t.id = :id",
	[QS_LABELS] = "SELECT name, value FROM label WHERE task = :id ORDER BY name",
	[QS_FAILURES] = "SELECT " FAILURE_COLUMNS " FROM failure f JOIN task t ON t.id = f.task"
			" WHERE f.task = :id AND f.disposition IN ('fatal', 'contributing')"
			" ORDER BY " FAILURE_ORDER,
	[QS_FAILURES_ALL] = "SELECT " FAILURE_COLUMNS " FROM failure f"
			    " JOIN task t ON t.id = f.task WHERE f.task = :id"
			    " AND f.disposition <> 'noise' ORDER BY " FAILURE_ORDER,
	[QS_FAILURE] = "SELECT " FAILURE_COLUMNS " FROM failure f WHERE f.id = :id",
};
_Static_assert(ARRAY_SIZE(statements) == QS_MAX, "every statement has its SQL");

static int use(struct query *q, enum query_statement which, int64_t id, struct db_stmt *ret)
{
	int r = db_use(q->h, &q->slots[which], statements[which], ret);

	if (r >= 0)
		db_int(ret, ":id", id);
	return r;
}

void query_close(struct query *q)
{
	if (!q)
		return;
	db_finalize(q->slots, QS_MAX);
	if (q->owned)
		sqlite3_close(q->h);
	free(q);
}

static void query_closep(struct query **q)
{
	query_close(*q);
}

int query_wrap(struct query **ret, sqlite3 *h)
{
	struct query *q = calloc(1, sizeof(*q));

	if (!q)
		return -ENOMEM;
	q->h = h;
	*ret = q;
	return 0;
}

/* A path as a SQLite URI: what would end or encode it is encoded. */
static char *immutable_uri(const char *path)
{
	char *uri = malloc(strlen(path) * 3 + 32), *p = uri;

	if (!uri)
		return NULL;
	/* A path that begins with two slashes would name a host. */
	p = stpcpy(p, *path == '/' ? "file://" : "file:");
	for (; *path; path++) {
		if (strchr("?#%", *path))
			p += sprintf(p, "%%%02x", (unsigned char)*path);
		else
			*p++ = *path;
	}
	strcpy(p, "?immutable=1");
	return uri;
}

static int look(sqlite3 *h)
{
	int64_t application = 0, version = 0, tables = 0;
	int r;

	r = db_scalar(h, "SELECT count(*) FROM sqlite_schema", &tables);
	if (r >= 0)
		r = db_scalar(h, "PRAGMA application_id", &application);
	if (r >= 0)
		r = db_scalar(h, "PRAGMA user_version", &version);
	if (r < 0)
		return r;
	if (tables == 0 && application == 0)
		return -ENOENT; /* its maker has not come further yet */
	if (application != DB_APPLICATION_ID)
		return -EUCLEAN;
	return version == STORE_VERSION ? 0 : -EPROTO;
}

static int connect_to(const char *name, int flags, sqlite3 **ret)
{
	int on = 1, r;

	if (sqlite3_open_v2(name, ret, SQLITE_OPEN_READONLY | SQLITE_OPEN_EXRESCODE | flags, NULL))
		return *ret ? db_errno(*ret) : -ENOMEM;
	sqlite3_busy_timeout(*ret, BUSY_MS);
	/* Where we are root, our close must not take away what readers of the group need. */
	sqlite3_file_control(*ret, "main", SQLITE_FCNTL_PERSIST_WAL, &on);
	r = look(*ret);
	return r;
}

static bool wal_is_empty(const char *path)
{
	_cleanup_free_ char *wal = NULL;
	struct stat st;

	if (asprintf(&wal, "%s-wal", path) < 0)
		return false;
	return stat(wal, &st) < 0 ? errno == ENOENT : st.st_size == 0;
}

/* Whether the failure may come from -wal or -shm that can neither be read nor made. */
static bool is_side_file(sqlite3 *h)
{
	int rc = h ? sqlite3_errcode(h) & 0xff : 0;

	return rc == SQLITE_CANTOPEN || rc == SQLITE_READONLY || rc == SQLITE_PERM;
}

/* A database in a directory that we can't write, with no -shm beside it (a copy, a snapshot, a
 * read-only mount): nobody writes there, so it can be read as it stands, unless -wal holds more. */
static int connect_immutable(const char *path, sqlite3 **ret)
{
	_cleanup_free_ char *uri = NULL;

	if (!wal_is_empty(path))
		return -EACCES;
	uri = immutable_uri(path);
	if (!uri)
		return -ENOMEM;
	return connect_to(uri, SQLITE_OPEN_URI, ret);
}

int query_open(struct query **ret, const char *name)
{
	_cleanup_(query_closep) struct query *q = calloc(1, sizeof(*q));
	/* As SQLite does: -wal and -shm lie beside the file that a link leads to. */
	_cleanup_free_ char *path = realpath(name, NULL);
	struct stat st;
	int r;

	if (!path)
		return -errno;
	if (!q)
		return -ENOMEM;
	q->owned = true;
	if (stat(path, &st) < 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode) ? -EISDIR : -EUCLEAN;
	if (access(path, R_OK) < 0)
		return -errno;
	r = connect_to(path, 0, &q->h);
	if (r < 0 && is_side_file(q->h)) {
		sqlite3_close(q->h);
		q->h = NULL;
		r = connect_immutable(path, &q->h);
	}
	if (r < 0)
		return r;
	*ret = TAKE_PTR(q);
	return 0;
}

static int load_labels(struct query *q, struct task_record *t)
{
	_cleanup_stmt_ struct db_stmt s = {};
	size_t cap = 0;
	int r;

	r = use(q, QS_LABELS, t->id, &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		void *p = t->labels;

		if (util_grow(&p, &cap, t->n_labels + 1, sizeof(*t->labels)) < 0)
			return -ENOMEM;
		t->labels = p;
		t->labels[t->n_labels] = (struct label){};
		t->n_labels++;
		if (db_get_str(&s, 0, &t->labels[t->n_labels - 1].name) < 0 ||
		    db_get_str(&s, 1, &t->labels[t->n_labels - 1].value) < 0)
			return -ENOMEM;
	}
	return r;
}

static int load_failures(struct query *q, struct task_record *t, bool all)
{
	_cleanup_stmt_ struct db_stmt s = {};
	size_t cap = 0;
	int r;

	r = use(q, all ? QS_FAILURES_ALL : QS_FAILURES, t->id, &s);
	if (r < 0)
		return r;
	while ((r = db_step(&s)) > 0) {
		void *p = t->failures;

		if (util_grow(&p, &cap, t->n_failures + 1, sizeof(*t->failures)) < 0)
			return -ENOMEM;
		t->failures = p;
		r = query_read_failure(&s, 0, &t->failures[t->n_failures]);
		if (r == 0)
			t->n_failures++;
		else if (r != -ENOENT) /* a cause that this version does not know is left out */
			return r;
	}
	return r;
}

static int load_task(struct query *q, int64_t id, struct task_record *ret)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = use(q, QS_TASK, id, &s);
	if (r < 0)
		return r;
	r = db_step(&s);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	return query_read_task(&s, 0, ret);
}

/* The names that outlive a judgement, so that a record that was read can be put again. */
static void name_links(struct task_record *t)
{
	for (size_t i = 0; i < t->n_failures; i++) {
		const struct failure_record *f = &t->failures[i];

		if (t->verdict == f->id)
			t->verdict_fingerprint = f->fingerprint;
		for (size_t j = 0; j < t->n_failures; j++)
			if (t->failures[j].caused_by == f->id)
				t->failures[j].caused_by_fingerprint = f->fingerprint;
	}
}

static int load_whole(struct query *q, int64_t id, bool failures, bool all, struct task_record *ret)
{
	int r;

	r = load_task(q, id, ret);
	if (r >= 0)
		r = load_labels(q, ret);
	if (r >= 0 && failures)
		r = load_failures(q, ret, all);
	if (r >= 0)
		name_links(ret);
	return r;
}

static int load(struct query *q, int64_t id, bool failures, bool all, struct task_record *ret)
{
	struct task_record t = {};
	/* One snapshot for the task and its parts; within the writer's own transaction there is
	 * one already. */
	bool own = sqlite3_get_autocommit(q->h);
	int r = own ? db_exec(q->h, "BEGIN") : 0;

	if (r < 0)
		return r;
	r = load_whole(q, id, failures, all, &t);
	if (own)
		db_exec(q->h, "COMMIT");
	if (r < 0) {
		task_record_clear(&t);
		return r;
	}
	*ret = t;
	return 0;
}

int query_task(struct query *q, int64_t id, bool all, struct task_record *ret)
{
	return load(q, id, true, all, ret);
}

int query_failure(struct query *q, int64_t id, struct failure_record *ret)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = use(q, QS_FAILURE, id, &s);
	if (r < 0)
		return r;
	r = db_step(&s);
	if (r <= 0)
		return r < 0 ? r : -ENOENT;
	return query_read_failure(&s, 0, ret);
}

/* " AND the task has a failure that …", as the taxonomy counts it. */
static void filter_hit(struct clause *c, const struct query_filter *f)
{
	if (!f->level && !f->primitive && !f->cause && !f->subject)
		return;
	clause_add(c, " AND EXISTS (SELECT 1 FROM failure f WHERE f.task = t.id");
	filter_disposition(c, f, "f");
	filter_kind(c, f, "f");
	if (f->subject)
		clause_blob(c, " AND instr(f.subject, ?) > 0", f->subject);
	clause_add(c, ")");
}

static void select_tasks(struct clause *c, const struct query_filter *f)
{
	clause_add(c, "SELECT t.id FROM task t WHERE 1");
	filter_identity(c, f);
	filter_latest(c, f);
	if (f->outcome)
		clause_text(c, " AND t.outcome = ?", f->outcome, strlen(f->outcome));
	if (f->state)
		clause_text(c, " AND t.state = ?", f->state, strlen(f->state));
	if (f->since_ns)
		clause_number(c, " AND t.started_ns >= ?", f->since_ns);
	if (f->until_ns)
		clause_number(c, " AND t.started_ns < ?", f->until_ns);
	filter_hit(c, f);
	filter_disagree(c, f);
	clause_add(c, " ORDER BY t.started_ns DESC, t.id DESC");
	if (f->limit > 0)
		clause_number(c, " LIMIT ?", f->limit);
}

int query_tasks(struct query *q, const struct query_filter *f, bool with_failures, query_task_fn fn,
		void *arg)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_(id_list_free) struct id_list list = {};
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	select_tasks(&c, f);
	r = clause_ids(q, &c, &list);
	if (r < 0)
		return r;
	/* The newest were asked for, oldest first is how they are told. */
	for (size_t i = list.n; i-- > 0;) {
		_cleanup_(task_record_clear) struct task_record t = {};

		r = load(q, list.ids[i], with_failures, f->all, &t);
		if (r == -ENOENT) /* retention was here */
			continue;
		if (r >= 0)
			r = fn(&t, arg);
		if (r != 0)
			return r;
	}
	return 0;
}

int query_open_tasks(struct query *q, struct task_record **ret, size_t *n)
{
	_cleanup_(clause_free) struct clause c = {};
	_cleanup_(id_list_free) struct id_list list = {};
	struct task_record *tasks;
	size_t done = 0;
	int r;

	r = clause_begin(&c);
	if (r < 0)
		return r;
	clause_add(&c, "SELECT id FROM task WHERE state <> 'final' ORDER BY started_ns, id");
	r = clause_ids(q, &c, &list);
	if (r < 0)
		return r;
	tasks = calloc(list.n + 1, sizeof(*tasks));
	if (!tasks)
		return -ENOMEM;
	for (size_t i = 0; i < list.n && r >= 0; i++) {
		r = load(q, list.ids[i], false, false, &tasks[done]);
		if (r >= 0)
			done++;
	}
	if (r < 0) {
		while (done > 0)
			task_record_clear(&tasks[--done]);
		free(tasks);
		return r;
	}
	*ret = tasks;
	*n = done;
	return 0;
}
