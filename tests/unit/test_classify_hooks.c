/* SPDX-License-Identifier: GPL-2.0-only */
/* What was seen inside of a call: hooks that refused or did not, and what an exec could not open. */
#include "evidence.h"

#include <errno.h>

#include "classify.h"

static struct explanation allows = { .done = true, .exists = true, .mode_verdict = MODE_ALLOWS };
static struct explanation denies = { .done = true,
				     .exists = true,
				     .mode_verdict = MODE_DENIES,
				     .culprit = "/srv/w",
				     .culprit_mode = 040755 };
static struct explanation gone = { .done = false, .why = "no such process" };
static struct explanation confined = {
	.done = true, .exists = true, .mode_verdict = MODE_ALLOWS, .label = "box (enforce)"
};
static struct explanation complaining = { .no_path = true, .label = "box (complain)" };
static struct explanation orphaned = { .no_path = true,
				       .label = "box (enforce)",
				       .label_of_parent = true };
static struct explanation selinux = { .no_path = true, .label = "staff_t", .selinux = true };

/* What a hook said, or did not say, and what is made of it where more than one could be the owner. */
static const struct {
	const char *rule;
	enum confidence confidence;
	struct syscall call;
} hook_cases[] = {
	/* commoncap is asked by the same hook: its own check failed, nobody else refused */
	{ "capability",
	  CONF_CERTAIN,
	  { "ptrace", EPERM, .args = { 16 }, .cap_mask = 1ULL << 19, .hook_err = EPERM,
	    .hook = SF_HOOK_PTRACE_ACCESS_CHECK } },
	/* a hook was seen to refuse it, no check was: what lacks besides is not to blame */
	{ "hook-landlock",
	  CONF_CERTAIN,
	  { "mount", EPERM, "/w/m", .state = SF_ST_LANDLOCK, .hook = SF_HOOK_SB_MOUNT,
	    .creds = { .valid = 1, .userns_level = 1 }, .hook_err = EPERM } },
	/* Landlock has no hook for a change of mode */
	{ "hook-apparmor",
	  CONF_CERTAIN,
	  { "chmod", EACCES, "/w/f", .state = SF_ST_LANDLOCK, .explanation = &confined,
	    .hook = SF_HOOK_PATH_CHMOD, .hook_err = EACCES } },
	{ "hook-unnamed",
	  CONF_CERTAIN,
	  { "socket", EACCES, .explanation = &complaining, .hook = SF_HOOK_SOCKET_CREATE,
	    .hook_err = EACCES } },
	{ "hook-apparmor",
	  CONF_LIKELY,
	  { "socket", EACCES, .explanation = &orphaned, .hook = SF_HOOK_SOCKET_CREATE,
	    .hook_err = EACCES } },
	/* AppArmor's own function did: no label is needed */
	{ "hook-apparmor",
	  CONF_CERTAIN,
	  { "openat", EACCES, "/w/f", .state = SF_ST_LANDLOCK, .explanation = &gone,
	    .hook = SF_HOOK_FILE_OPEN, .hook_err = EACCES, .lsm = SF_LSM_APPARMOR } },
	/* mode bits go first: unlink asks the hook before them */
	{ "mode-denies",
	  CONF_CERTAIN,
	  { "unlink", EACCES, "/w/f", .explanation = &denies, .hook = SF_HOOK_PATH_UNLINK,
	    .hook_err = EACCES } },
	/* it refused something else inside the call */
	{ "lsm-unnamed",
	  CONF_POSSIBLE,
	  { "openat", EPERM, "/w/f", .explanation = &allows, .watched = true,
	    .hook = SF_HOOK_FILE_OPEN, .hook_err = EACCES } },
	/* /proc tells EACCES for a refused access */
	{ "hook-yama",
	  CONF_CERTAIN,
	  { "openat", EACCES, "/proc/7/mem", .hook = SF_HOOK_PTRACE_ACCESS_CHECK, .hook_err = EPERM,
	    .lsm = SF_LSM_YAMA } },
	/* silence: Landlock was not it, and SELinux may have been */
	{ "hooks-silent",
	  CONF_POSSIBLE,
	  { "openat", EACCES, "/w/f", .explanation = &allows, .state = SF_ST_LANDLOCK,
	    .watched = true } },
	{ "lsm-call",
	  CONF_POSSIBLE,
	  { "socket", EACCES, .explanation = &selinux, .watched = true } },
	/* calls that only look are watched by nobody */
	{ "landlock-look",
	  CONF_LIKELY,
	  { "stat", EACCES, "/w/f", .explanation = &allows, .state = SF_ST_LANDLOCK,
	    .watched = true } },
};

static void test_hooks(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(hook_cases); i++) {
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &hook_cases[i].call);
		assert_int_equal(classify_signature(&s, &c), 0);
		if (!c.matched || strcmp(c.rule, hook_cases[i].rule) != 0)
			fail_msg("case %zu: expected rule %s, got %s", i, hook_cases[i].rule,
				 c.matched ? c.rule : "none");
		if (c.confidence != hook_cases[i].confidence)
			fail_msg("case %zu (%s): confidence %d, expected %d", i, c.rule,
				 c.confidence, hook_cases[i].confidence);
		classification_clear(&c);
		evidence_forget(&s);
	}
}

/* What an exec could not open inside of it names the file even where nobody can look any more. */
/* The knob is Yama's own, not that of some policy. */
static void test_yama_knob(void **state)
{
	struct syscall c = { "ptrace", EPERM, .hook = SF_HOOK_PTRACE_ACCESS_CHECK,
			     .hook_err = EPERM, .lsm = SF_LSM_YAMA };
	struct signature s = { 0 };
	struct classification cl;

	evidence_call(&s, &c);
	assert_int_equal(classify_signature(&s, &cl), 0);
	assert_int_equal(cl.cause, CAUSE_LSM_UNNAMED);
	assert_non_null(strstr(cl.knob, "kernel.yama.ptrace_scope"));
	classification_clear(&cl);
	evidence_forget(&s);
}

static void test_inner(void **state)
{
	static const struct {
		const char *rule, *inner;
	} cases[] = {
		{ "exec-loader", "/lib/ld-musl-x86_64.so.1" },
		{ "exec-loader", "/lib64/ld64.so.2" },
		{ "exec-interpreter", "/usr/bin/pythonX" },
		{ "exec-cr", "/bin/sh\r" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct syscall call = { "execve", ENOENT, "/w/tool", .explanation = &gone,
					.inner = cases[i].inner };
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &call);
		assert_int_equal(classify_signature(&s, &c), 0);
		assert_true(c.matched);
		assert_string_equal(c.rule, cases[i].rule);
		assert_string_equal(c.subject.data, cases[i].inner);
		assert_int_equal(c.confidence, CONF_CERTAIN);
		classification_clear(&c);
		evidence_forget(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hooks),
		cmocka_unit_test(test_yama_knob),
		cmocka_unit_test(test_inner),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
