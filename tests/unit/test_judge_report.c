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

/* A report, line by line: how much of it is taken. */
static size_t taken(const char *report)
{
	const char *end = report + strlen(report);
	struct report_scan scan = { 0 };
	size_t n = 0;

	for (const char *line = report; line < end;) {
		size_t len = strcspn(line, "\n") + 1;

		n += report_takes(&scan, line, len, end);
		line += len;
	}
	return n;
}

static void test_sections(void **state)
{
	static const char go[] = "=== RUN   TestRefused\n"
				 "    a_test.go:5: dial tcp: connection refused\n"
				 "--- PASS: TestRefused (0.00s)\n"
				 "    a_test.go:6: no such host\n";
	static const char go_fails[] = "=== RUN   TestSum\n"
				       "    a_test.go:9: connection refused\n"
				       "--- FAIL: TestSum (0.00s)\n";
	static const char passes[] = "==================== PASSES ====================\n"
				     "___________________ test_ok ____________________\n"
				     "error: connection refused\n";
	static const char failures[] = "=================== FAILURES ===================\n"
				       "___________________ test_a _____________________\n"
				       "E   OSError: Read-only file system\n"
				       "-------------- Captured stdout call ------------\n"
				       "error: connection refused\n"
				       "___________________ test_b _____________________\n"
				       "E   KeyError: 'a'\n";

	(void)state;
	assert_int_equal(taken(go), 0);
	assert_int_equal(taken(go_fails), 2);
	assert_int_equal(taken(passes), 0);
	assert_int_equal(taken(failures), 3); /* the header's FAILURES, too */
}

/* What ended it stands on fd 2: the report may name what it likes. */
static void test_fault_outranks_report(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);
	struct syscall c = { "openat", EROFS, "/w/data/result" };

	fails(s, p, 5, &c);
	ends(s, p, 9, EXITED(1), "AssertionError: 4 == 5\n");
	reports(p, "error: Read-only file system: data/result\n");
	assert_int_equal(judge(s)->cause, CAUSE_EXIT_NON_ZERO);
	ends(s, p, 9, EXITED(1), "some words\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/data/result");
}

/* Logged as a warning, and an error after it. */
static void test_warned_of(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall c = { "openat", EROFS, "/w/data/result" };

	fails(s, p, 5, &c);
	ends(s, p, 9, EXITED(1), "WARNING not saved: Read-only file system\nERROR row 31 is bad\n");
	assert_int_equal(judge(s)->cause, CAUSE_EXIT_NON_ZERO);
	ends(s, p, 9, EXITED(1), "WARNING not saved: Read-only file system\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/data/result");
}

/* A runner goes on after what failed: its child's words, or what that could not execute, in its own
 * tell that it failed for it. */
static void test_relayed(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "ctest", 1), *child = process(s, 11, 10, "save", 2),
		       *later = process(s, 12, 10, "other", 5);
	struct syscall c = { "openat", EROFS, "/w/data/result" };

	fails(s, child, 3, &c);
	ends(s, child, 4, EXITED(1), "OSError: Read-only file system: 'data/result'\n");
	ends(s, later, 6, EXITED(0), NULL);
	ends(s, p, 9, EXITED(8), NULL);
	reports(p, "1 tests failed out of 2\n");
	assert_int_equal(judge(s)->cause, CAUSE_EXIT_NON_ZERO);
	reports(p, "OSError: Read-only file system: 'data/result'\n1 tests failed out of 2\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/data/result");
}

static void test_exec_is_named(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "pytest", 1),
		       *named = process(s, 11, 10, "pytest", 2),
		       *wanted = process(s, 12, 10, "pytest", 4);
	struct syscall one = { "execve", ENOENT, "/usr/bin/case-render" },
		       other = { "execve", ENOENT, "/opt/absent/tool" };

	named->execs = wanted->execs = 0;
	fails(s, named, 3, &one);
	ends(s, named, 3, EXITED(255), NULL);
	fails(s, wanted, 5, &other);
	ends(s, wanted, 5, EXITED(255), NULL);
	ends(s, p, 9, EXITED(1), NULL);
	reports(p, "FileNotFoundError: No such file or directory: 'case-render'\n");
	expect(s, CAUSE_BINARY_NOT_FOUND, "/usr/bin/case-render");
}

/* Who started what crashed had got over its own refusal, unless a word is about that. */
static void test_crash_outdoes(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "runner", 1),
		       *child = process(s, 11, 10, "helper", 5);
	struct syscall c = { "openat", EROFS, "/w/data/result" };

	fails(s, p, 3, &c);
	ends(s, child, 7, SIGSEGV, NULL);
	signal_from(s, child, SIGSEGV, SEGV_MAPERR, "helper", 11, 7, 1);
	ends(s, p, 9, EXITED(1), NULL);
	assert_int_equal(judge(s)->cause, CAUSE_CRASH_SIGNAL);
	ends(s, p, 9, EXITED(1), "Read-only file system: data/result\n");
	expect(s, CAUSE_READ_ONLY_MOUNT, "/w/data/result");
}

/* A question whose answer its parent kept, and failed for something else; or for that, by what it says. */
static void test_words_kept(void **state)
{
	static const char *const for_it[] = { "error: the build failed\n",
					      "AssertionError: case-vcs\n",
					      "AssertionError: 127 != 0\n" };
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1), *child = process(s, 11, 10, "sh", 2);
	static const char argv[] = "sh\0-c\0case-vcs describe";

	assert_int_equal(text_set(&child->argv, argv, sizeof(argv)), 0);
	child->fd2 = 2;
	ends(s, child, 4, EXITED(127), "sh: 1: case-vcs: not found\n");
	p->fd2 = 1;
	ends(s, p, 9, EXITED(1), "AssertionError: 4 == 5\n");
	assert_int_equal(judge(s)->cause, CAUSE_EXIT_NON_ZERO);
	p->fd2 = 2; /* the child's words stand where the parent's do */
	expect(s, CAUSE_BINARY_NOT_FOUND, "case-vcs");
	p->fd2 = 1;
	for (size_t i = 0; i < ARRAY_SIZE(for_it); i++) {
		ends(s, p, 9, EXITED(1), for_it[i]);
		expect(s, CAUSE_BINARY_NOT_FOUND, "case-vcs");
	}
}

/* A module that is missing by the report alone. */
static void test_sentence_of_report(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "pytest", 1);

	ends(s, p, 9, EXITED(2), NULL);
	reports(p, "E   ModuleNotFoundError: No module named 'absent_yaml'\n");
	expect(s, CAUSE_LIBRARY_MODULE, "absent_yaml");
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
		cmocka_unit_test(test_sections),
		T(test_fault_outranks_report),
		T(test_warned_of),
		T(test_relayed),
		T(test_exec_is_named),
		T(test_crash_outdoes),
		T(test_sentence_of_report),
		T(test_words_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
