/* SPDX-License-Identifier: GPL-2.0-only */
/* What a failing program told on fd 1, as test runners do. */
#include "scene.h"

#include "judge_internal.h"

static void test_lines(void **state)
{
	static const char *const telling[] = {
		"error: cannot open data/result",
		"FAILED test_errors.py::test_save - OSError: [Errno 30] Read-only file system",
		"E       PermissionError: [Errno 13] Permission denied: '/x'",
		"not ok 4 - sum",
		"# fail 1",
		"thread 'main' panicked at src/main.rs:3:5:",
	};
	static const char *const others[] = {
		"",
		"total 48",
		"ok 2 - fails with EACCES",
		"    ok 2 - fails with EACCES",
		"test_errors.py::test_denied PASSED                  [ 20%]",
		"test errors::denied ... ok",
		"\xe2\x9c\x94 rejects with ECONNREFUSED (1.2ms)",
		"[       OK ] denied",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(telling); i++)
		if (!report_tells(telling[i], strlen(telling[i])))
			fail_msg("tells of a failure: %s", telling[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (report_tells(others[i], strlen(others[i])))
			fail_msg("tells of none: %s", others[i]);
}

static void test_assertions(void **state)
{
	static const char *const asserting[] = {
		"E       assert (1 + 1) == 3",
		"FAILED test_errors.py::test_sum - assert (1 + 1) == 3",
		"    code: 'ERR_ASSERTION'",
		"#     expected: '3'",
		"    sum_test.go:9: got 2, want 3",
		"assertion `left == right` failed",
		"t: t.c:9: main: Assertion `a == 3' failed.",
	};
	static const char *const others[] = {
		"",
		"E       FileNotFoundError: [Errno 2] No such file or directory: '/x'",
		"ok 3 - expected",
		"we expected as much", /* prose */
		"FAIL: test_save",
		"got 2",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(asserting); i++)
		if (!report_asserts(asserting[i], strlen(asserting[i])))
			fail_msg("an assertion: %s", asserting[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (report_asserts(others[i], strlen(others[i])))
			fail_msg("none: %s", others[i]);
}

static void reports(struct process *p, const char *report)
{
	assert_int_equal(text_set(&p->report, report, strlen(report)), 0);
}

/* Two calls were refused; the runner says of which one it failed, or of none. */
static void test_runner(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "pytest", 1);
	struct syscall provoked = { "openat", ENOENT, "/w/~/absent", .raw = "~/absent" },
		       real = { "openat", EROFS, "/w/data/result" };

	fails(s, p, 5, &real);
	fails(s, p, 6, &provoked);
	ends(s, p, 9, EXITED(1), NULL);
	reports(p, "test_missing PASSED\n"
		   "FAILED t.py::test_save - OSError: [Errno 30] Read-only file system: "
		   "'data/result'\n"
		   "1 failed, 4 passed in 0.11s\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/data/result");
	reports(p, "E       FileNotFoundError: [Errno 2] No such file or directory: '~/absent'\n");
	expect(s, CAUSE_PATH_TILDE, "~/absent");
	reports(p, "E       assert (1 + 1) == 3\n1 failed, 4 passed in 0.11s\n");
	assert_int_equal(judge(s)->cause, CAUSE_EXIT_NON_ZERO);
}

/* Names that a program puts out are no word about them. */
static void test_output_is_no_report(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "list", 1);
	struct syscall first = { "openat", EMFILE, "/w/a.bin" },
		       second = { "openat", EMFILE, "/w/b.bin" };

	fails(s, p, 5, &first);
	fails(s, p, 6, &second);
	ends(s, p, 9, EXITED(1), "Too many open files\n");
	reports(p, "/w/b.bin\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/w/a.bin");
	reports(p, "error: /w/b.bin\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/w/b.bin");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_assertions),
		T(test_runner),
		T(test_output_is_no_report),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
