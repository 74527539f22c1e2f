/* SPDX-License-Identifier: GPL-2.0-only */
/* What is said of a failing call where nobody came in time to look. */
#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>

#include "classify.h"
#include "evidence.h"

static struct explanation gone = { .why = "no process left" };

/* It may be what it most often is, no more; what the kernel itself said stays as it is. */
static void test_confidence(void **state)
{
	static const struct {
		struct syscall call;
		enum cause cause;
		enum confidence confidence;
	} calls[] = {
		{ { "openat", EACCES, "/w/x" }, CAUSE_FILE_PERMISSION_DENIED, CONF_POSSIBLE },
		{ { "execve", EACCES, "/w/x" }, CAUSE_FILE_PERMISSION_DENIED, CONF_POSSIBLE },
		{ { "fchmodat", EPERM, "/w/x" }, CAUSE_FILE_PERMISSION_DENIED, CONF_POSSIBLE },
		{ { "execve", ENOENT, "/w/x" }, CAUSE_BINARY_NOT_FOUND, CONF_POSSIBLE },
		{ { "execve", ENOEXEC, "/w/x" }, CAUSE_SCRIPT_NO_SHEBANG, CONF_POSSIBLE },
		{ { "openat", EPERM, "/dev/kvm" }, CAUSE_DEVICE_DENIED, CONF_POSSIBLE },
		{ { "openat", EACCES, "/w/x", .state = SF_ST_LANDLOCK },
		  CAUSE_LSM_LANDLOCK,
		  CONF_LIKELY },
		{ { "openat", ENOENT, "/dev/shm/x", .args = { [2] = O_CREAT } },
		  CAUSE_MASKED_DEVICE,
		  CONF_LIKELY },
		{ { "openat", ENOSPC, "/w/x" }, CAUSE_DISK_FULL, CONF_LIKELY },
		{ { "openat", EACCES, "/w/x", .cap_mask = 1 << 1 },
		  CAUSE_FILE_PERMISSION_DENIED,
		  CONF_CERTAIN },
		{ { "execve", ENOENT, "/w/x", .inner = "/bin/sh\r" },
		  CAUSE_ENCODING_CRLF,
		  CONF_CERTAIN },
		{ { "execve", ENOTDIR, "/w/x/y" }, CAUSE_BINARY_NOT_FOUND, CONF_LIKELY },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct syscall call = calls[i].call;
		struct signature s = { 0 };
		struct classification c;

		call.explanation = &gone;
		evidence_call(&s, &call);
		assert_int_equal(classify_signature(&s, &c), 0);
		if (!c.matched || c.cause != calls[i].cause || c.confidence != calls[i].confidence)
			fail_msg("call %zu: cause %d, confidence %d, by rule %s", i, c.cause,
				 c.confidence, c.matched ? c.rule : "none");
		classification_clear(&c);
		evidence_forget(&s);
	}
}

/* Nobody was left to look: what was mounted came with the failure. */
static void test_mounts(void **state)
{
	struct explanation covered = gone, same = gone, late = { .done = true };
	const struct sf_creds nobody = { .valid = 1, .fsuid = 65534, .fsgid = 65534 };
	const struct {
		struct syscall call;
		enum cause cause;
	} calls[] = {
		{ { "execve", EACCES, "/w/x", .explanation = &gone, .mount_type = "tmpfs",
		    .mount_flags = ST_NOEXEC, .mount_len = 2, .mount_mode = 040755 },
		  CAUSE_NOEXEC_MOUNT },
		/* a look that came when the file and its mount had gone */
		{ { "execve", EACCES, "/w/x", .explanation = &late, .mount_type = "tmpfs",
		    .mount_flags = ST_NOEXEC, .mount_len = 2, .mount_mode = 040755 },
		  CAUSE_NOEXEC_MOUNT },
		{ { "openat", EACCES, "/w/.env", .explanation = &gone, .mount_type = "tmpfs",
		    .mount_flags = ST_NODEV, .mount_len = 7, .mount_mode = 020666 },
		  CAUSE_MASKED_FILE },
		/* the mount is above it: what lies there is not known */
		{ { "openat", EACCES, "/w/.env", .explanation = &gone, .mount_type = "tmpfs",
		    .mount_flags = ST_NODEV, .mount_len = 2, .mount_mode = 040755 },
		  CAUSE_FILE_PERMISSION_DENIED },
		{ { "openat", EACCES, "/w/hidden/f", .explanation = &covered, .creds = nobody,
		    .cover_len = 9, .mount_type = "tmpfs", .mount_len = 9, .mount_mode = 040000 },
		  CAUSE_MASKED_FILE },
		{ { "openat", EACCES, "/w/hidden/f", .explanation = &covered, .creds = nobody,
		    .cover_len = 9, .mount_type = "tmpfs", .mount_len = 9, .mount_mode = 040755 },
		  CAUSE_FILE_PERMISSION_DENIED },
		{ { "openat", EACCES, "/w/hidden/f", .explanation = &same, .creds = nobody,
		    .cover_len = 9, .mount_type = "tmpfs", .mount_len = 9, .mount_mode = 040000 },
		  CAUSE_FILE_PERMISSION_DENIED },
		{ { "openat", EACCES, "/w/hidden/f", .explanation = &gone, .creds = nobody,
		    .cover_len = 9, .mount_type = "tmpfs", .mount_len = 9, .mount_mode = 040000 },
		  CAUSE_FILE_PERMISSION_DENIED },
	};

	covered.outside = OUTSIDE_THERE;
	covered.outside_mode = 040755;
	same.outside = OUTSIDE_THERE;
	same.outside_mode = 040000;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &calls[i].call);
		assert_int_equal(classify_signature(&s, &c), 0);
		assert_int_equal(c.cause, calls[i].cause);
		if (!s.explanation->done)
			assert_int_not_equal(c.confidence, CONF_CERTAIN);
		classification_clear(&c);
		evidence_forget(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_confidence),
		cmocka_unit_test(test_mounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
