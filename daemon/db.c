/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <json-c/json.h>
#include <string.h>

#include "db.h"

int db_errno_of(int rc, int sys)
{
	/* An I/O error may be a full disk behind another call than write: growing -shm, or the
	 * file size limit. */
	if ((rc & 0xff) == SQLITE_IOERR)
		return sys == ENOSPC || sys == EDQUOT || sys == EFBIG ? -ENOSPC
		       : rc == SQLITE_IOERR_NOMEM		      ? -ENOMEM
								      : -EIO;
	switch (rc & 0xff) {
	case SQLITE_OK:
	case SQLITE_ROW:
	case SQLITE_DONE:
		return 0;
	case SQLITE_FULL:
		return -ENOSPC;
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return -EBUSY;
	case SQLITE_NOMEM:
		return -ENOMEM;
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return -EUCLEAN;
	case SQLITE_READONLY:
		return -EROFS;
	case SQLITE_PERM:
	case SQLITE_AUTH:
		return -EACCES;
	case SQLITE_CANTOPEN:
		return sys == ENOENT || sys == EACCES || sys == EROFS ? -sys : -EIO;
	case SQLITE_CONSTRAINT:
	case SQLITE_MISMATCH:
	case SQLITE_RANGE:
		return -EINVAL;
	case SQLITE_TOOBIG:
		return -E2BIG;
	case SQLITE_INTERRUPT:
		return -EINTR;
	default:
		return -EIO;
	}
}

int db_errno(sqlite3 *h)
{
	/* SQLite 3.40 does not keep the errno of a COMMIT that fails; the C library does, since
	 * what runs after it succeeds. */
	int sys = sqlite3_system_errno(h) ?: errno;
	int r = db_errno_of(sqlite3_extended_errcode(h), sys);

	return r < 0 ? r : -EIO;
}

int db_exec(sqlite3 *h, const char *sql)
{
	errno = 0;
	return sqlite3_exec(h, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_errno(h);
}

int db_scalar(sqlite3 *h, const char *sql, int64_t *ret)
{
	_cleanup_stmt_ struct db_stmt s = {};
	int r;

	r = db_prepare(h, sql, &s);
	if (r < 0)
		return r;
	r = db_step(&s);
	if (r < 0)
		return r;
	*ret = r ? db_get_int(&s, 0) : 0;
	return 0;
}

int db_use(sqlite3 *h, sqlite3_stmt **slot, const char *sql, struct db_stmt *ret)
{
	if (!*slot && sqlite3_prepare_v3(h, sql, -1, SQLITE_PREPARE_PERSISTENT, slot, NULL))
		return db_errno(h);
	*ret = (struct db_stmt){ .st = *slot };
	return 0;
}

int db_prepare(sqlite3 *h, const char *sql, struct db_stmt *ret)
{
	sqlite3_stmt *st = NULL;

	if (sqlite3_prepare_v2(h, sql, -1, &st, NULL))
		return db_errno(h);
	*ret = (struct db_stmt){ .st = st, .owned = true };
	return 0;
}

void db_done(struct db_stmt *s)
{
	if (!s->st)
		return;
	if (s->owned) {
		sqlite3_finalize(s->st);
	} else {
		sqlite3_reset(s->st);
		sqlite3_clear_bindings(s->st);
	}
	s->st = NULL;
}

void db_finalize(sqlite3_stmt **slots, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		sqlite3_finalize(slots[i]);
		slots[i] = NULL;
	}
}

/* Index 0 (no such name) makes the bind fail with SQLITE_RANGE, which the step reports. */
static int place(struct db_stmt *s, const char *name)
{
	return sqlite3_bind_parameter_index(s->st, name);
}

void db_int(struct db_stmt *s, const char *name, int64_t v)
{
	if (!s->rc)
		s->rc = sqlite3_bind_int64(s->st, place(s, name), v);
}

void db_int_or_null(struct db_stmt *s, const char *name, int64_t v, int64_t null)
{
	if (v != null)
		db_int(s, name, v);
	else if (!s->rc)
		s->rc = sqlite3_bind_null(s->st, place(s, name));
}

void db_real(struct db_stmt *s, const char *name, double v)
{
	if (!s->rc)
		s->rc = sqlite3_bind_double(s->st, place(s, name), v);
}

void db_str(struct db_stmt *s, const char *name, const char *v)
{
	if (!s->rc)
		s->rc = sqlite3_bind_text(s->st, place(s, name), v, -1, SQLITE_STATIC);
}

void db_blob(struct db_stmt *s, const char *name, const struct text *v)
{
	if (!s->rc)
		s->rc = sqlite3_bind_blob64(s->st, place(s, name), v->data, v->len, SQLITE_STATIC);
}

int db_step(struct db_stmt *s)
{
	int rc;

	if (s->rc)
		return db_errno_of(s->rc, 0);
	errno = 0;
	rc = sqlite3_step(s->st);
	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	return db_errno(sqlite3_db_handle(s->st));
}

int db_run(struct db_stmt *s)
{
	int r;

	do
		r = db_step(s);
	while (r > 0);
	return r;
}

int64_t db_get_int(struct db_stmt *s, int col)
{
	return sqlite3_column_int64(s->st, col);
}

int db_get_text(struct db_stmt *s, int col, struct text *ret)
{
	const void *p;

	if (sqlite3_column_type(s->st, col) == SQLITE_NULL)
		return 0;
	/* The pointer first, then the length: the order that SQLite asks for. */
	p = sqlite3_column_blob(s->st, col);
	return text_set(ret, p, (size_t)sqlite3_column_bytes(s->st, col));
}

int db_get_str(struct db_stmt *s, int col, char **ret)
{
	struct text t = {};
	int r;

	r = db_get_text(s, col, &t);
	if (r < 0)
		return r;
	free(*ret);
	*ret = t.data;
	return 0;
}

const char *db_peek(struct db_stmt *s, int col)
{
	const char *p = (const char *)sqlite3_column_text(s->st, col);

	return p ? p : "";
}

char *db_list_encode(char *const *list, size_t n)
{
	struct json_object *a = json_object_new_array();
	char *ret = NULL;

	for (size_t i = 0; a && i < n; i++)
		json_object_array_add(a, json_object_new_string(list[i]));
	if (a)
		ret = strdup(json_object_to_json_string_ext(a, JSON_C_TO_STRING_PLAIN));
	json_object_put(a);
	return ret;
}

int db_list_decode(const char *json, char ***ret, size_t *n)
{
	struct json_object *a = json_tokener_parse(json);
	size_t len = a && json_object_is_type(a, json_type_array) ? json_object_array_length(a) : 0;
	char **list = calloc(len + 1, sizeof(*list));
	size_t i;

	for (i = 0; list && i < len; i++) {
		list[i] = strdup(json_object_get_string(json_object_array_get_idx(a, i)) ?: "");
		if (!list[i])
			break;
	}
	json_object_put(a);
	if (!list || i < len) {
		while (list && i > 0)
			free(list[--i]);
		free(list);
		return -ENOMEM;
	}
	*ret = list;
	*n = len;
	return 0;
}
