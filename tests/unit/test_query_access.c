/* SPDX-License-Identifier: GPL-2.0-only */
/* Who can read when: with the writer running, stopped, or killed. */
#include <grp.h>
#include <signal.h>

#include "db_fixture.h"

static int count_task(const struct task_record *t, void *arg)
{
	++*(int *)arg;
	return 0;
}

/* Becomes another user who is a member of the group only. */
static void become_member(void)
{
	gid_t gid = FIXTURE_GID;

	CHECK(setgroups(1, &gid) == 0);
	CHECK(setresgid(65534, 65534, 65534) == 0);
	CHECK(setresuid(65534, 65534, 65534) == 0);
}

static void read_as_member(const char *path, int expected_tasks)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct query *q = NULL;
		int n = 0;
		int r;

		if (geteuid() == 0)
			become_member();
		r = query_open(&q, path);
		if (r < 0)
			fprintf(stderr, "query_open: %s\n", strerror(-r));
		CHECK(r == 0);
		CHECK(query_tasks(q, &(struct query_filter){}, true, count_task, &n) == 0);
		if (n != expected_tasks)
			fprintf(stderr, "%d tasks, expected %d\n", n, expected_tasks);
		CHECK(n == expected_tasks);
		query_close(q);
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
}

static struct store *member_store(const struct fixture *f)
{
	struct store *s = NULL;

	assert_int_equal(store_open(&s, f->path, geteuid() == 0 ? FIXTURE_GID : (gid_t)-1, NULL),
			 0);
	return s;
}

static void put_one(struct store *s, int64_t id)
{
	struct task_record t = a_task(id, "t", (int)id, STATE_FINAL);
	struct failure_record row = a_failure(1, CAUSE_SECCOMP_DENIED, DISP_FATAL, T0);
	char name[16];

	snprintf(name, sizeof(name), "t-%d", (int)id);
	t.task = name;
	put(s, &t, &row, 1, 1);
	assert_int_equal(store_commit(s), 0);
}

static void side(const struct fixture *f, const char *suffix, char name[160])
{
	snprintf(name, 160, "%s%s", f->path, suffix);
}

static void test_reader_beside_writer(void **state)
{
	struct fixture *f = *state;
	struct store *s = member_store(f);
	struct query *q = NULL;
	struct task_counts c;

	read_as_member(f->path, 0);
	put_one(s, 1);
	read_as_member(f->path, 1);
	assert_int_equal(query_open(&q, f->path), 0);
	put_one(s, 2);
	read_as_member(f->path, 2);
	/* A reader that is open already sees what is new, and does not hinder. */
	assert_int_equal(query_counts(q, &(struct query_filter){}, &c), 0);
	assert_int_equal(c.tasks, 2);
	put_one(s, 3);
	assert_int_equal(query_counts(q, &(struct query_filter){}, &c), 0);
	assert_int_equal(c.tasks, 3);
	query_close(q);
	store_close(s);
}

static void test_reader_after_clean_stop(void **state)
{
	struct fixture *f = *state;
	struct store *s = member_store(f);
	struct query *q = NULL;

	put_one(s, 1);
	store_close(s);
	read_as_member(f->path, 1);
	/* The owner's reading takes nothing away from the group. */
	assert_int_equal(query_open(&q, f->path), 0);
	query_close(q);
	read_as_member(f->path, 1);
	/* ... and a new writer goes on. */
	s = member_store(f);
	read_as_member(f->path, 1);
	put_one(s, 2);
	store_close(s);
	read_as_member(f->path, 2);
}

/* A writer in a process of its own that commits `n` tasks and is killed while it still is open. */
static void killed_writer(const struct fixture *f, int n)
{
	int p[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe(p), 0);
	pid = fork();
	if (pid == 0) {
		struct store *s = member_store(f);

		for (int i = 1; i <= n; i++)
			put_one(s, i);
		CHECK(write(p[1], "x", 1) == 1);
		for (;;)
			pause();
	}
	assert_int_equal(read(p[0], &c, 1), 1);
	kill(pid, SIGKILL);
	assert_true(WIFSIGNALED(child_status(pid)));
	close(p[0]);
	close(p[1]);
}

static void test_reader_after_kill(void **state)
{
	struct fixture *f = *state;
	struct query *q = NULL;
	struct store *s;
	char wal[160];
	struct stat st;

	killed_writer(f, 5);
	side(f, "-wal", wal);
	assert_int_equal(stat(wal, &st), 0);
	assert_true(st.st_size > 0); /* what was written lies there, not in the database */
	read_as_member(f->path, 5);
	assert_int_equal(query_open(&q, f->path), 0); /* root, then the member again */
	query_close(q);
	read_as_member(f->path, 5);
	s = member_store(f); /* the next daemon has all of it */
	read_as_member(f->path, 5);
	assert_int_equal(store_next_instance(s), 6);
	store_close(s);
	read_as_member(f->path, 5);
}

/* A copy without -wal and -shm, where the reader may not make them. */
static void test_reader_of_a_copy(void **state)
{
	struct fixture *f = *state;
	struct store *s = member_store(f);
	char wal[160], shm[160], odd[200];

	put_one(s, 1);
	store_close(s);
	snprintf(odd, sizeof(odd), "%s/link.db", f->base);
	assert_int_equal(symlink(f->path, odd), 0);
	read_as_member(odd, 1);
	side(f, "-wal", wal);
	side(f, "-shm", shm);
	assert_int_equal(unlink(shm), 0);
	read_as_member(f->path, 1); /* -wal is there, but empty */
	assert_int_equal(access(shm, F_OK), geteuid() == 0 ? -1 : 0);
	unlink(wal);
	unlink(shm);
	read_as_member(f->path, 1);
	snprintf(odd, sizeof(odd), "%s/a#b?c%%41 d.db", f->dir);
	assert_int_equal(rename(f->path, odd), 0);
	unlink(wal);
	unlink(shm);
	read_as_member(odd, 1);
}

static void test_reader_without_shm_after_kill(void **state)
{
	struct fixture *f = *state;
	char shm[160], link[160];
	pid_t pid;

	if (geteuid() != 0)
		skip();
	killed_writer(f, 2);
	snprintf(link, sizeof(link), "%s/link.db", f->base);
	assert_int_equal(symlink(f->path, link), 0);
	side(f, "-shm", shm);
	assert_int_equal(unlink(shm), 0);
	pid = fork();
	if (pid == 0) {
		struct query *q = NULL;

		become_member();
		/* Half of the truth would be worse than none. */
		CHECK(query_open(&q, f->path) == -EACCES);
		CHECK(query_open(&q, link) == -EACCES);
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
}

static void test_open_errors(void **state)
{
	struct fixture *f = *state;
	struct store *s;
	struct query *q = NULL;
	sqlite3 *h;
	FILE *file;

	assert_int_equal(query_open(&q, f->path), -ENOENT);
	s = open_store(f);
	store_close(s);
	assert_int_equal(query_open(&q, f->dir), -EISDIR);
	assert_int_equal(sqlite3_open(f->path, &h), SQLITE_OK);
	assert_int_equal(sqlite3_exec(h, "PRAGMA user_version = 99", 0, 0, 0), SQLITE_OK);
	sqlite3_close(h);
	assert_int_equal(query_open(&q, f->path), -EPROTO);
	file = fopen(f->path, "w");
	fputs("this is some text, longer than the header of a database would be, but none at all",
	      file);
	fclose(file);
	assert_int_equal(query_open(&q, f->path), -EUCLEAN);
	assert_int_equal(truncate(f->path, 0), 0);
	assert_int_equal(query_open(&q, f->path), -ENOENT); /* nobody has made it yet */
	assert_null(q);
}

static void test_not_a_member(void **state)
{
	struct fixture *f = *state;
	struct store *s;
	pid_t pid;

	if (geteuid() != 0)
		skip();
	s = member_store(f);
	pid = fork();
	if (pid == 0) {
		struct query *q = NULL;

		CHECK(setgroups(0, NULL) == 0);
		CHECK(setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0);
		CHECK(query_open(&q, f->path) == -EACCES);
		_exit(0);
	}
	assert_int_equal(child_status(pid), 0);
	store_close(s);
}

#define T(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_reader_beside_writer),
		T(test_reader_after_clean_stop),
		T(test_reader_after_kill),
		T(test_reader_of_a_copy),
		T(test_reader_without_shm_after_kill),
		T(test_open_errors),
		T(test_not_a_member),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
