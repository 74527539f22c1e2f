/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening: modes, versions, corruption, migrations. */
#include <fcntl.h>

#include "daemon/schema.h"
#include "db_fixture.h"

static void sql(const char *path, const char *text)
{
	sqlite3 *h;

	assert_int_equal(sqlite3_open(path, &h), SQLITE_OK);
	if (sqlite3_exec(h, text, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s: %s", text, sqlite3_errmsg(h));
	sqlite3_close(h);
}

static void write_file(const char *path, const void *data, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0640);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), len);
	close(fd);
}

static unsigned int mode_of(const struct fixture *f, const char *suffix, gid_t gid)
{
	char name[160];
	struct stat st;

	snprintf(name, sizeof(name), "%s%s", f->path, suffix);
	assert_int_equal(stat(name, &st), 0);
	if (gid != (gid_t)-1)
		assert_int_equal(st.st_gid, gid);
	return st.st_mode & 07777;
}

static void test_modes(void **state)
{
	static const char *const suffixes[] = { "", "-wal", "-shm" };
	struct fixture *f = *state;
	gid_t gid = geteuid() == 0 ? FIXTURE_GID : getegid();
	struct store *s = NULL;
	struct stat st;
	mode_t old = umask(0077);

	assert_int_equal(store_open(&s, f->path, gid, NULL), 0);
	umask(old);
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		assert_int_equal(mode_of(f, suffixes[i], gid), 0640);
	assert_int_equal(stat(f->dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0750);
	assert_int_equal(st.st_gid, gid);
	store_close(s);
	/* All three stay, for readers that may not make them; -wal is empty. */
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		assert_int_equal(mode_of(f, suffixes[i], gid), 0640);
	assert_int_equal(number(f->path, "PRAGMA application_id"), 0x53464c54);
	assert_int_equal(number(f->path, "PRAGMA user_version"), STORE_VERSION);
}

static void test_modes_without_group(void **state)
{
	struct fixture *f = *state;
	mode_t old = umask(0077);
	struct store *s = open_store(f);

	umask(old);
	assert_int_equal(mode_of(f, "", (gid_t)-1), 0640);
	assert_int_equal(mode_of(f, "-wal", (gid_t)-1), 0640);
	store_close(s);
	/* What its owner then makes of it stays. */
	assert_int_equal(chmod(f->path, 0600), 0);
	s = open_store(f);
	store_close(s);
	assert_int_equal(mode_of(f, "", (gid_t)-1), 0600);
}

static void test_directory_of_others_stays(void **state)
{
	struct fixture *f = *state;
	struct store *s;
	struct stat st;

	assert_int_equal(mkdir(f->dir, 0700), 0);
	assert_int_equal(chmod(f->dir, 0711), 0);
	s = open_store(f);
	store_close(s);
	assert_int_equal(stat(f->dir, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0711);
}

static void test_second_writer(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f), *other = NULL;
	pid_t pid = fork();

	if (pid == 0) {
		CHECK(store_open(&other, f->path, (gid_t)-1, NULL) == -EBUSY);
		CHECK(other == NULL);
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
	store_close(s);
}

/* Newer in the header of the file, and newer in -wal alone. */
static void test_newer_version(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	char wal[160];
	char *before = NULL, *after = NULL;
	ssize_t n;

	store_close(s);
	s = NULL;
	sql(f->path, "PRAGMA user_version = 4711");
	n = util_read_file(f->path, 1 << 20, &before);
	assert_true(n > 0);
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, NULL), -EPROTO);
	assert_null(s);
	assert_int_equal(util_read_file(f->path, 1 << 20, &after), n);
	assert_memory_equal(before, after, (size_t)n);
	free(before);
	free(after);
	snprintf(wal, sizeof(wal), "%s-wal", f->path);
	assert_int_equal(access(wal, F_OK), -1); /* sqlite3_close() removed it, we made none */
}

static void test_newer_version_in_wal(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	char *before = NULL, *after = NULL, wal[160];
	ssize_t n, n_wal;
	pid_t pid;

	store_close(s);
	s = NULL;
	pid = fork();
	if (pid == 0) {
		sqlite3 *h;

		CHECK(sqlite3_open(f->path, &h) == SQLITE_OK);
		CHECK(sqlite3_exec(h, "PRAGMA user_version = 4711", 0, 0, 0) == SQLITE_OK);
		_exit(0); /* without a checkpoint */
	}
	assert_int_equal(child_status(pid), 0);
	snprintf(wal, sizeof(wal), "%s-wal", f->path);
	n = util_read_file(f->path, 1 << 20, &before);
	assert_int_equal(before[63], STORE_VERSION); /* the file itself does not know yet */
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, NULL), -EPROTO);
	assert_int_equal(util_read_file(f->path, 1 << 20, &after), n);
	assert_memory_equal(before, after, (size_t)n);
	free(before);
	free(after);
	n_wal = util_read_file(wal, 1 << 20, &after);
	assert_true(n_wal > 0);
	free(after);
}

static void test_database_of_another_program(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;
	char *aside = NULL;

	assert_int_equal(mkdir(f->dir, 0700), 0);
	sql(f->path, "CREATE TABLE bookmark (url); INSERT INTO bookmark VALUES ('x')");
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, &aside), -EPROTO);
	assert_null(aside);
	assert_int_equal(number(f->path, "SELECT count(*) FROM bookmark"), 1);
	sql(f->path, "PRAGMA application_id = 99");
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, &aside), -EPROTO);
	assert_int_equal(number(f->path, "SELECT count(*) FROM bookmark"), 1);
}

static void test_no_database(void **state)
{
	static const char text[] = "not a database, but somebody's notes\n";
	struct fixture *f = *state;
	struct store *s = NULL;
	char *aside = NULL, *kept = NULL;

	assert_int_equal(mkdir(f->dir, 0700), 0);
	write_file(f->path, text, sizeof(text));
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, &aside), -EUCLEAN);
	assert_non_null(aside);
	assert_memory_equal(aside, f->path, strlen(f->path));
	assert_memory_equal(aside + strlen(f->path), ".corrupt-2", 10);
	assert_int_equal(util_read_file(aside, 4096, &kept), sizeof(text));
	assert_memory_equal(kept, text, sizeof(text));
	free(kept);
	free(aside);
	s = open_store(f);
	assert_int_equal(store_next_instance(s), 1);
	store_close(s);
}

/* Overwrites pages in the middle of a database that was stopped cleanly. */
static void test_corrupt(void **state)
{
	struct fixture *f = *state;
	struct store *s = open_store(f);
	char *aside = NULL, junk[8192];
	struct task_record t;
	int fd;

	for (int i = 1; i <= 200; i++) {
		char name[32];

		snprintf(name, sizeof(name), "t-%d", i);
		t = a_task(i, name, 1, STATE_FINAL);
		assert_int_equal(store_put_task(s, &t), 0);
	}
	assert_int_equal(store_commit(s), 0);
	store_close(s);
	s = NULL;
	memset(junk, 0xa5, sizeof(junk));
	fd = open(f->path, O_WRONLY | O_CLOEXEC);
	assert_int_equal(pwrite(fd, junk, sizeof(junk), 4096), sizeof(junk));
	close(fd);
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, &aside), -EUCLEAN);
	assert_null(s);
	assert_non_null(aside);
	assert_int_equal(access(aside, F_OK), 0);
	assert_int_equal(access(f->path, F_OK), -1);
	free(aside);
	s = open_store(f);
	store_close(s);
}

static void test_odd_paths(void **state)
{
	struct fixture *f = *state;
	struct store *s = NULL;
	char path[160];

	assert_int_equal(mkdir(f->dir, 0700), 0);
	assert_int_equal(mkfifo(f->path, 0600), 0);
	assert_int_equal(store_open(&s, f->path, (gid_t)-1, NULL), -EINVAL);
	assert_int_equal(store_open(&s, f->dir, (gid_t)-1, NULL), -EISDIR);
	snprintf(path, sizeof(path), "%s/no/such/place.db", f->dir);
	assert_int_equal(store_open(&s, path, (gid_t)-1, NULL), -ENOENT);
	assert_null(s);
}

static void test_migrations(void **state)
{
	static const struct migration steps[] = {
		{ "one", "CREATE TABLE a (x); INSERT INTO a VALUES (1)" },
		{ "two", "CREATE TABLE b (x); INSERT INTO b SELECT x + 1 FROM a" },
		{ "three", "CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)" },
	};
	struct fixture *f = *state;
	sqlite3 *h;

	assert_int_equal(mkdir(f->dir, 0700), 0);
	assert_int_equal(sqlite3_open(f->path, &h), SQLITE_OK);
	assert_int_equal(schema_migrate(h, steps, 1), 0);
	assert_int_equal(number(f->path, "PRAGMA user_version"), 1);
	assert_int_equal(schema_migrate(h, steps, 2), 0);
	assert_int_equal(number(f->path, "PRAGMA user_version"), 2);
	assert_int_equal(number(f->path, "SELECT x FROM b"), 2);
	/* A step that fails leaves nothing of itself. */
	assert_true(schema_migrate(h, steps, 3) < 0);
	assert_int_equal(number(f->path, "PRAGMA user_version"), 2);
	assert_int_equal(number(f->path, "SELECT count(*) FROM sqlite_schema WHERE name = 'c'"), 0);
	assert_int_equal(schema_migrate(h, steps, 1), -EPROTO);
	sqlite3_close(h);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_modes),
		T(test_modes_without_group),
		T(test_directory_of_others_stays),
		T(test_second_writer),
		T(test_newer_version),
		T(test_newer_version_in_wal),
		T(test_database_of_another_program),
		T(test_no_database),
		T(test_corrupt),
		T(test_odd_paths),
		T(test_migrations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
