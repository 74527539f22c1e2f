/* SPDX-License-Identifier: GPL-2.0-only */
/* File systems with rules of their own: what their answers are, and are not. */
#include "evidence.h"

#include <errno.h>

#include "classify.h"

#define USER                                                                                       \
	{                                                                                          \
		.valid = 1, .fsuid = 1000, .euid = 1000                                            \
	}

/* NULL: no rule owns it. */
static void expect_rule(const struct syscall *call, const char *rule)
{
	struct signature s = { 0 };
	struct classification c;

	evidence_call(&s, call);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_int_equal(c.matched, rule != NULL);
	if (rule)
		assert_string_equal(c.rule, rule);
	classification_clear(&c);
	evidence_forget(&s);
}

/* A cgroup is busy while anything is in it: that is the program's own affair. */
static void test_busy_cgroup(void **state)
{
	struct syscall c = { "rmdir", EBUSY, "/run/cg/box" };
	struct explanation cgroupfs = { .done = true, .exists = true, .fs_magic = 0x63677270 };

	expect_rule(&c, "bind-protected");
	c.explanation = &cgroupfs;
	expect_rule(&c, NULL);
}

static void test_process_that_is_ones_own(void **state)
{
	struct syscall other = { "openat", EACCES, "/proc/9/maps", .creds = USER },
		       own = { "openat", EACCES, "/proc/self/maps", .creds = USER },
		       able = { "openat", EACCES, "/proc/9/maps",
				.creds = { .valid = 1, .cap_effective = 1 << 19 } };

	expect_rule(&other, "ptrace-use");
	expect_rule(&own, "mode-unseen");
	expect_rule(&able, "mode-unseen");
}

/* Modes of /proc can't be changed: nobody is told to. */
static void test_knob_below_proc(void **state)
{
	struct explanation denies = { .done = true,
				      .exists = true,
				      .mode_verdict = MODE_DENIES,
				      .culprit = "/proc/9/environ",
				      .culprit_mode = 0400,
				      .fs_magic = 0x9fa0 };
	struct syscall call = { "openat", EACCES, "/proc/9/environ", .creds = USER,
				.explanation = &denies };
	struct signature s = { 0 };
	struct classification c;

	evidence_call(&s, &call);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_string_equal(c.rule, "mode-denies");
	assert_null(strstr(c.knob, "chmod"));
	assert_non_null(strstr(c.knob, "as uid 0"));
	classification_clear(&c);
	evidence_forget(&s);
}

static void test_look_at_a_noexec_mount(void **state)
{
	struct explanation noexec = {
		.done = true, .exists = true, .mode_verdict = MODE_ALLOWS, .mount_flags = 8
	};
	struct syscall runs = { "access", EACCES, "/w/run", .args = { 0, 1 },
				.explanation = &noexec },
		       writes = { "access", EACCES, "/w/run", .args = { 0, 2 },
				  .explanation = &noexec };

	expect_rule(&runs, "noexec-look");
	expect_rule(&writes, "lsm-unnamed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_busy_cgroup),
		cmocka_unit_test(test_process_that_is_ones_own),
		cmocka_unit_test(test_knob_below_proc),
		cmocka_unit_test(test_look_at_a_noexec_mount),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
