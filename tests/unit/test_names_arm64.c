/* SPDX-License-Identifier: GPL-2.0-only */
/* The tables of syscalls as they come out on arm64, whose 32-bit programs are those of arm. */
#include <errno.h>
#include <setjmp.h>
#include <seccomp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "daemon/names.h"

static struct sf_config config;

/* Taken before libseccomp's own. */
uint32_t seccomp_arch_native(void)
{
	return SCMP_ARCH_AARCH64;
}

static const struct sf_sys *sys(int abi, int nr, const char *name)
{
	char buf[32];

	assert_string_equal(names_syscall(abi, nr, buf, sizeof(buf)), name);
	return &config.sys[abi][nr];
}

/* include/uapi/asm-generic/unistd.h */
static void test_native(void **state)
{
	const struct sf_sys *s = sys(SF_ABI_NATIVE, 56, "openat");

	assert_int_equal(s->subject, SF_SUBJ_PATH);
	assert_int_equal(s->path_arg, 1);
	assert_int_equal(s->dirfd_arg, 0);
	assert_int_equal(s->flags_arg, 2);
	assert_true(s->flags & SF_SYS_CREAT);
	assert_int_equal(sys(SF_ABI_NATIVE, 34, "mkdirat")->path_arg, 1);
	assert_true(sys(SF_ABI_NATIVE, 64, "write")->flags & SF_SYS_STDERR);
	assert_true(sys(SF_ABI_NATIVE, 220, "clone")->flags & SF_SYS_FORK);
	assert_int_equal(sys(SF_ABI_NATIVE, 203, "connect")->subject, SF_SUBJ_SOCKADDR);
	assert_int_equal(sys(SF_ABI_NATIVE, 276, "renameat2")->path_arg, 3);
	assert_int_equal(sys(SF_ABI_NATIVE, 54, "fchownat")->path_arg, 1);
	assert_int_equal(sys(SF_ABI_NATIVE, 263, "fanotify_mark")->path_arg, 4);
	assert_int_equal(sys(SF_ABI_NATIVE, 464, "getxattrat")->subject, SF_SUBJ_PATH);
	assert_int_equal(config.nr_execve, 221);
	assert_int_equal(config.nr_execveat, 281);
	assert_int_equal(config.nr_prctl, 167);
	assert_int_equal(config.nr_landlock_restrict_self, 446);
	/* Those that take a path without a directory are not there. */
	assert_int_equal(names_syscall_nr("open"), -1);
	assert_int_equal(names_syscall_nr("mkdir"), -1);
	assert_int_equal(names_syscall_nr("fork"), -1);
	assert_int_equal(names_syscall_nr("arch_prctl"), -1);
}

/* arch/arm/tools/syscall.tbl */
static void test_compat(void **state)
{
	assert_int_equal(sys(SF_ABI_COMPAT, 5, "open")->flags_arg, 1);
	assert_int_equal(sys(SF_ABI_COMPAT, 322, "openat")->path_arg, 1);
	assert_int_equal(sys(SF_ABI_COMPAT, 11, "execve")->subject, SF_SUBJ_PATH);
	assert_true(sys(SF_ABI_COMPAT, 4, "write")->flags & SF_SYS_STDERR);
	assert_true(sys(SF_ABI_COMPAT, 2, "fork")->flags & SF_SYS_FORK);
	assert_int_equal(sys(SF_ABI_COMPAT, 283, "connect")->subject, SF_SUBJ_SOCKADDR);
	assert_int_equal(sys(SF_ABI_COMPAT, 192, "mmap2")->subject, SF_SUBJ_FD);
	assert_int_equal(sys(SF_ABI_COMPAT, 422, "futex_time64")->benign[0], EAGAIN);
	/* Its mask fills two registers. */
	assert_int_equal(sys(SF_ABI_COMPAT, 368, "fanotify_mark")->path_arg, 5);
	sys(SF_ABI_COMPAT, 102, "syscall_102"); /* i386's socketcall */
}

/* arm64 knows no x32. */
static void test_no_x32(void **state)
{
	char buf[32];

	assert_string_equal(names_syscall(SF_ABI_X32, 257, buf, sizeof(buf)), "syscall_257");
}

static int setup(void **state)
{
	names_fill_config(&config);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_native),
		cmocka_unit_test(test_compat),
		cmocka_unit_test(test_no_x32),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
