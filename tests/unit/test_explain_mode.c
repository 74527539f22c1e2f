/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdict of mode bits: of one object, of a path. */
#include <linux/capability.h>
#include <sys/xattr.h>

#include "explain_tree.h"

#define CAP(c) (1ULL << (c))

static const struct {
	uint32_t fsuid, fsgid, group; /* one supplementary group */
	uint64_t caps;
	uint32_t level;
	uint32_t mode, uid, gid, want;
	bool expected;
} mays[] = {
	/* owner, group, other: the first that fits decides, even where a later one would allow */
	{ 1, 1, 0, 0, 0, S_IFREG | 0600, 1, 1, WANT_READ | WANT_WRITE, true },
	{ 1, 1, 0, 0, 0, S_IFREG | 0066, 1, 1, WANT_READ, false },
	{ 2, 1, 0, 0, 0, S_IFREG | 0640, 1, 1, WANT_READ, true },
	{ 2, 1, 0, 0, 0, S_IFREG | 0604, 1, 1, WANT_READ, false },
	{ 2, 2, 1, 0, 0, S_IFREG | 0640, 1, 1, WANT_READ, true },
	{ 2, 2, 1, 0, 0, S_IFREG | 0640, 1, 1, WANT_WRITE, false },
	{ 2, 2, 3, 0, 0, S_IFREG | 0644, 1, 1, WANT_READ, true },
	{ 2, 2, 3, 0, 0, S_IFREG | 0640, 1, 1, WANT_READ, false },
	{ 2, 2, 3, 0, 0, S_IFREG | 0000, 1, 1, WANT_EXIST, true },
	{ 1, 1, 0, 0, 0, S_IFREG | 0444, 1, 1, WANT_READ | WANT_WRITE, false },
	{ 2, 2, 0, 0, 0, S_IFDIR | 0711, 1, 1, WANT_EXEC, true },
	{ 2, 2, 0, 0, 0, S_IFDIR | 0700, 1, 1, WANT_EXEC, false },
	/* CAP_DAC_OVERRIDE: everything, but execution asks for one x bit of a file */
	{ 0, 0, 0, CAP(CAP_DAC_OVERRIDE), 0, S_IFREG | 0000, 1, 1, WANT_READ | WANT_WRITE, true },
	{ 0, 0, 0, CAP(CAP_DAC_OVERRIDE), 0, S_IFREG | 0644, 1, 1, WANT_EXEC, false },
	{ 0, 0, 0, CAP(CAP_DAC_OVERRIDE), 0, S_IFREG | 0010, 1, 1, WANT_EXEC, true },
	{ 0, 0, 0, CAP(CAP_DAC_OVERRIDE), 0, S_IFDIR | 0000, 1, 1, WANT_WRITE | WANT_EXEC, true },
	/* root without it is a user like others */
	{ 0, 0, 0, 0, 0, S_IFREG | 0600, 1, 1, WANT_READ, false },
	{ 0, 0, 0, CAP(CAP_FOWNER), 0, S_IFREG | 0600, 1, 1, WANT_READ, false },
	/* CAP_DAC_READ_SEARCH: reading, and search of directories */
	{ 5, 5, 0, CAP(CAP_DAC_READ_SEARCH), 0, S_IFREG | 0600, 1, 1, WANT_READ, true },
	{ 5, 5, 0, CAP(CAP_DAC_READ_SEARCH), 0, S_IFREG | 0600, 1, 1, WANT_WRITE, false },
	{ 5, 5, 0, CAP(CAP_DAC_READ_SEARCH), 0, S_IFREG | 0700, 1, 1, WANT_READ | WANT_EXEC,
	  false },
	{ 5, 5, 0, CAP(CAP_DAC_READ_SEARCH), 0, S_IFDIR | 0700, 1, 1, WANT_READ | WANT_EXEC, true },
	{ 5, 5, 0, CAP(CAP_DAC_READ_SEARCH), 0, S_IFDIR | 0700, 1, 1, WANT_WRITE, false },
	/* in a user namespace a capability does not count here */
	{ 0, 0, 0, CAP(CAP_DAC_OVERRIDE), 1, S_IFREG | 0600, 1, 1, WANT_READ, false },
	{ 1, 0, 0, CAP(CAP_DAC_OVERRIDE), 1, S_IFREG | 0600, 1, 1, WANT_READ, true },
};

static void test_may(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(mays); i++) {
		struct sf_creds c = { .valid = 1,
				      .fsuid = mays[i].fsuid,
				      .fsgid = mays[i].fsgid,
				      .ngroups = mays[i].group ? 1 : 0,
				      .groups = { mays[i].group },
				      .cap_effective = mays[i].caps,
				      .userns_level = mays[i].level };

		if (explain_may(&c, mays[i].mode, mays[i].uid, mays[i].gid, mays[i].want) !=
		    mays[i].expected)
			fail_msg("row %zu: mode %06o", i, mays[i].mode);
	}
}

static void test_may_too_many_groups(void **state)
{
	/* 17 groups, of which 16 are known: neither can be ruled out, so it is no "may". */
	struct sf_creds c = { .valid = 1, .fsuid = 2, .fsgid = 2, .ngroups = SF_GROUPS + 1 };

	assert_false(explain_may(&c, S_IFREG | 0640, 1, 1, WANT_READ));
	assert_false(explain_may(&c, S_IFREG | 0604, 1, 1, WANT_READ));
	assert_true(explain_may(&c, S_IFREG | 0644, 1, 1, WANT_READ));
}

static void assert_denied(const char *culprit, mode_t mode)
{
	assert_int_equal(x.mode_verdict, MODE_DENIES);
	assert_string_equal(x.culprit, culprit);
	assert_int_equal(x.culprit_mode, mode);
	assert_int_equal(x.culprit_uid, geteuid());
	assert_int_equal(x.culprit_gid, getegid());
}

static void test_mode_search(void **state)
{
	make_dir("open", 0755);
	make_dir("open/shut", 0744);
	make_dir("open/shut/in", 0755);
	make_file("open/shut/in/f", "", 0, 0644);
	look_as_user(at("open"), WANT_READ | WANT_EXEC);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	assert_string_equal(x.culprit, "");
	look_as_user(at("open/shut"), WANT_EXIST);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	look_as_user(at("open/shut/in/f"), WANT_EXIST);
	assert_denied(at("open/shut"), S_IFDIR | 0744);
	assert_true(x.exists); /* the facts go on behind it */
	look_as_user(at("open/shut/none"), WANT_EXIST);
	assert_denied(at("open/shut"), S_IFDIR | 0744);
	/* By a link, too. */
	assert_int_equal(symlink("open/shut/in", at("by")), 0);
	look_as_user(at("by/f"), WANT_EXIST);
	assert_denied(at("open/shut"), S_IFDIR | 0744);
}

/* What denies it is looked at outside as well, where nobody said which mount covers it. */
static void test_mode_outside(void **state)
{
	struct explain_request r;

	make_dir("shut", 0744);
	make_file("shut/f", "", 0, 0644);
	look_as_user(at("shut/f"), WANT_READ | WANT_OUTSIDE);
	assert_denied(at("shut"), S_IFDIR | 0744);
	assert_int_equal(x.outside, OUTSIDE_THERE);
	assert_int_equal(x.outside_mode, S_IFDIR | 0744);
	look_as_user(at("shut/none"), WANT_READ | WANT_OUTSIDE);
	assert_int_equal(x.outside, OUTSIDE_ABSENT);
	/* Nobody is left inside. */
	r = request(at("shut/f"), WANT_READ | WANT_OUTSIDE);
	r.pids[0] = UINT32_MAX - 1;
	explain("/proc", &r);
	assert_false(x.done);
	assert_int_equal(x.outside, OUTSIDE_THERE);
	assert_int_equal(x.outside_mode, 0); /* of what, is not known */
}

/* sysfs asks even of root for the bit that /proc or a disk would not. */
static void test_mode_sysfs(void **state)
{
	struct explain_request r = request("/sys/kernel/fscaps", WANT_WRITE);

	if (access(r.path, F_OK) < 0)
		skip(); /* kernel/ksysfs.c; a container may show no /sys */
	r.creds.valid = 1;
	r.creds.cap_effective = CAP(CAP_DAC_OVERRIDE) | CAP(CAP_DAC_READ_SEARCH);
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_DENIES);
	assert_string_equal(x.culprit, r.path);
	assert_int_equal(x.culprit_mode, S_IFREG | 0444);
	r.want = WANT_READ;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	make_file("r", "", 0, 0444);
	snprintf(r.path, sizeof(r.path), "%s", at("r"));
	r.want = WANT_WRITE;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
}

static void test_mode_last(void **state)
{
	make_file("r", "", 0, 0644);
	make_file("x", "", 0, 0711);
	make_dir("d", 0755);
	make_dir("shared", 01777);
	make_file("shared/f", "", 0, 0666);
	look_as_user(at("r"), WANT_READ);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	look_as_user(at("r"), WANT_READ | WANT_WRITE);
	assert_denied(at("r"), S_IFREG | 0644);
	look_as_user(at("r"), WANT_EXEC);
	assert_denied(at("r"), S_IFREG | 0644);
	look_as_user(at("x"), WANT_EXEC);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	look_as_user(at("d/new"), WANT_WRITE | WANT_CREATE);
	assert_denied(at("d"), S_IFDIR | 0755);
	look_as_user(at("shared/new"), WANT_WRITE | WANT_CREATE);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	look_as_user(at("r"), WANT_PARENT);
	assert_denied(dir, S_IFDIR | 0755);
	look_as_user(at("shared/f"), WANT_PARENT); /* sticky: not its file */
	assert_denied(at("shared/f"), S_IFREG | 0666);
	look_as_user(at("shared/f"), WANT_OWNER);
	assert_denied(at("shared/f"), S_IFREG | 0666);
	/* The name above a missing directory is not written to. */
	look_as_user(at("d/none/new"), WANT_WRITE | WANT_CREATE);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
}

static void test_mode_capabilities(void **state)
{
	struct explain_request r = request(at("shared/f"), WANT_PARENT);

	make_dir("shared", 01777);
	make_file("shared/f", "", 0, 0600);
	r.creds.valid = 1;
	r.creds.fsuid = r.creds.fsgid = USER;
	r.creds.cap_effective = 1ULL << CAP_FOWNER;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	r.want = WANT_READ;
	explain("/proc", &r);
	assert_denied(at("shared/f"), S_IFREG | 0600);
	r.creds.cap_effective = 1ULL << CAP_DAC_OVERRIDE;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
}

/* A call relative to a directory does not search what lies above it. */
static void test_mode_base(void **state)
{
	struct explain_request r = request(at("shut/base/f"), WANT_READ);
	struct stat st;

	make_dir("shut", 0700);
	make_dir("shut/base", 0755);
	make_file("shut/base/f", "", 0, 0644);
	assert_int_equal(stat(at("shut/base"), &st), 0);
	r.creds.valid = 1;
	r.creds.fsuid = r.creds.fsgid = USER;
	explain("/proc", &r);
	assert_denied(at("shut"), S_IFDIR | 0700);
	r.creds.base_ino = st.st_ino;
	r.creds.base_mode = st.st_mode;
	r.creds.base_uid = st.st_uid;
	r.creds.base_gid = st.st_gid;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	r.want = WANT_WRITE;
	explain("/proc", &r);
	assert_denied(at("shut/base/f"), S_IFREG | 0644);
	/* A base that is not met any more: no verdict against it. */
	r.creds.base_ino++;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_UNKNOWN);
}

/* version 2, owner rw-, user 4242 r--, group ---, mask r--, other --- */
static const uint8_t acl[] = {
	2, 0,	 0,    0,   1,	 0,   6,  0, 255, 255, 255, 255, 2,   0,   4,
	0, 0x92, 0x10, 0,   0,	 4,   0,  0, 0,	  255, 255, 255, 255, 16,  0,
	4, 0,	 255,  255, 255, 255, 32, 0, 0,	  0,   255, 255, 255, 255,
};

static void test_mode_acl(void **state)
{
	struct explain_request r = request(at("f"), WANT_READ);

	make_file("f", "", 0, 0600);
	if (setxattr(at("f"), "system.posix_acl_access", acl, sizeof(acl), 0) < 0)
		skip();
	look_as_user(at("f"), WANT_READ);
	assert_int_equal(x.mode_verdict, MODE_UNKNOWN);
	r.creds.valid = 1; /* root, by its capability */
	r.creds.fsuid = USER;
	r.creds.cap_effective = 1ULL << CAP_DAC_OVERRIDE;
	explain("/proc", &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
}

static void test_mode_protected(void **state)
{
	if (geteuid() != 0)
		skip();
	/* A link of a third user's in a shared directory; fs.protected_symlinks is on wherever
	 * systemd runs, but is ours to ask here. */
	_cleanup_free_ char *on = NULL;

	assert_true(util_read_file("/proc/sys/fs/protected_symlinks", 16, &on) > 0);
	make_dir("shared", 01777);
	make_file("f", "", 0, 0644);
	assert_int_equal(symlink(at("f"), at("shared/link")), 0);
	assert_int_equal(lchown(at("shared/link"), USER + 1, USER + 1), 0);
	look_as_user(at("shared/link"), WANT_READ);
	assert_int_equal(x.mode_verdict, atoi(on) ? MODE_DENIES : MODE_ALLOWS);
	assert_int_equal(lchown(at("shared/link"), USER, USER), 0);
	look_as_user(at("shared/link"), WANT_READ);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
}

/* In a user namespace a capability counts where the ids are mapped: fixtures stand for /proc. */
static void test_mode_userns(void **state)
{
	struct explain_request r = request("/f", WANT_READ);

	if (geteuid() != 0)
		skip();
	make_dir("41", 0755);
	make_dir("41/root", 0755);
	make_file("41/root/f", "", 0, 0600);
	assert_int_equal(chown(at("41/root/f"), 100005, 100005), 0);
	make_file("41/uid_map", "0 100000 65536\n", 15, 0644);
	make_file("41/gid_map", "0 100000 65536\n", 15, 0644);
	r.pids[0] = 41;
	r.creds.valid = 1;
	r.creds.fsuid = r.creds.fsgid = 100000;
	r.creds.userns_level = 1;
	r.creds.cap_effective = 1ULL << CAP_DAC_OVERRIDE;
	explain(dir, &r);
	assert_int_equal(x.mode_verdict, MODE_ALLOWS);
	make_file("41/gid_map", "0 100000 5\n", 11, 0644);
	explain(dir, &r);
	assert_int_equal(x.mode_verdict, MODE_DENIES);
	assert_string_equal(x.culprit, "/f");
	assert_int_equal(unlink(at("41/gid_map")), 0);
	explain(dir, &r);
	assert_int_equal(x.mode_verdict, MODE_UNKNOWN);
}

static void test_culprit_cut(void **state)
{
	char path[2048], name[251];
	struct explain_request r;

	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(path, sizeof(path), "%s", name);
	make_dir(path, 0755);
	for (int i = 0; i < 3; i++) {
		strcat(path, "/");
		strcat(path, name);
		make_dir(path, 0755);
	}
	strcat(path, "/shut");
	make_file(path, "", 0, 0600);
	r = request(at(path), WANT_READ);
	look_as_user(r.path, WANT_READ);
	assert_int_equal(x.mode_verdict, MODE_DENIES);
	assert_int_equal(strlen(x.culprit), sizeof(x.culprit) - 1);
	assert_string_equal(x.culprit, r.path + strlen(r.path) - (sizeof(x.culprit) - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_may),   cmocka_unit_test(test_may_too_many_groups),
		TEST(test_mode_search),	      TEST(test_mode_sysfs),
		TEST(test_mode_last),	      TEST(test_mode_outside),
		TEST(test_mode_capabilities), TEST(test_mode_base),
		TEST(test_mode_acl),	      TEST(test_mode_protected),
		TEST(test_mode_userns),	      TEST(test_culprit_cut),
	};

	umask(0022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
