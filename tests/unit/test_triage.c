/* SPDX-License-Identifier: GPL-2.0-only */
#include "evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "triage.h"

static const struct {
	enum triage expect;
	struct syscall call;
} rows[] = {
	{ TRIAGE_SUCCESS, { "mkdir", 0, "/w/d" } },
	{ TRIAGE_NOISE, { "futex", EAGAIN } },
	{ TRIAGE_NOISE, { "read", EAGAIN } },
	{ TRIAGE_NOISE, { "ioctl", ENOTTY } },
	{ TRIAGE_NOISE, { "openat", EEXIST, "/w/x" } },
	{ TRIAGE_CANDIDATE, { "openat", ENOENT, "/w/x" } },
	{ TRIAGE_CANDIDATE, { "openat", EROFS, "/w/x" } },
	{ TRIAGE_CANDIDATE, { "vfork", EAGAIN } },
	{ TRIAGE_CANDIDATE, { "futex", EAGAIN, .entry = SF_DENIED } },
	{ TRIAGE_CANDIDATE, { "openat", EACCES, "/w/x", .entry = SF_DENIED } },
	{ TRIAGE_CANDIDATE, { "connect", ECONNREFUSED, "127.0.0.1:9" } },
	{ TRIAGE_EXPLAIN, { "openat", EACCES, "/w/x" } },
	{ TRIAGE_EXPLAIN, { "execve", ENOENT, "/w/x" } },
	{ TRIAGE_EXPLAIN, { "execve", ENOEXEC, "/w/x" } },
	{ TRIAGE_EXPLAIN, { "openat", ENOENT, "/w/caf\xc3\xa9" } },
	{ TRIAGE_CANDIDATE, { "inotify_add_watch", ENOSPC, "/w/x" } },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct signature s = { 0 };

		evidence_call(&s, &rows[i].call);
		if (triage_signature(&s) != rows[i].expect)
			fail_msg("%s %s: %d, expected %d", rows[i].call.syscall,
				 names_errno(rows[i].call.err), triage_signature(&s),
				 rows[i].expect);
		evidence_forget(&s);
	}
}

static uint32_t want(const char *syscall, int err, uint64_t a1, uint64_t a2)
{
	struct syscall c = { syscall, err, "/w/x", .args = { 0, a1, a2 } };
	struct explain_request r = { 0 };
	struct signature s = { 0 };

	evidence_call(&s, &c);
	assert_true(triage_request(&s, &r));
	assert_string_equal(r.path, "/w/x");
	evidence_forget(&s);
	return r.want;
}

static void test_wants(void **state)
{
	assert_int_equal(want("openat", EACCES, 0, O_RDONLY), WANT_READ);
	assert_int_equal(want("openat", EACCES, 0, O_WRONLY | O_CREAT), WANT_WRITE | WANT_CREATE);
	assert_int_equal(want("openat", EACCES, 0, O_RDWR), WANT_READ | WANT_WRITE);
	assert_int_equal(want("open", EACCES, O_RDONLY | O_TRUNC, 0), WANT_READ | WANT_WRITE);
	assert_int_equal(want("access", EACCES, W_OK, 0), WANT_WRITE);
	assert_int_equal(want("faccessat2", EACCES, 0, X_OK), WANT_EXEC);
	assert_int_equal(want("execve", EACCES, 0, 0), WANT_EXEC | WANT_HEAD);
	assert_int_equal(want("mkdir", EACCES, 0, 0), WANT_PARENT);
	assert_int_equal(want("chmod", EPERM, 0, 0), WANT_OWNER);
	assert_int_equal(want("chdir", EACCES, 0, 0), WANT_EXEC);
	assert_int_equal(want("newfstatat", EACCES, 0, 0), WANT_EXIST);
}

static void test_no_request_without_a_path(void **state)
{
	struct explain_request r = { 0 };
	struct signature s = { 0 };
	struct syscall c = { "socket", EPERM };

	evidence_call(&s, &c);
	assert_false(triage_request(&s, &r));
	evidence_forget(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_wants),
		cmocka_unit_test(test_no_request_without_a_path),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
