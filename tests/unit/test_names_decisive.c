/* SPDX-License-Identifier: GPL-2.0-only */
/* A call in the kernel's spelling, with the argument that decides what it is. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <linux/prctl.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <asm/ioctls.h>
#include <cmocka.h>

#include "daemon/names.h"

static const struct {
	const char *syscall;
	uint64_t args[6];
	const char *expected;
} spelt[] = {
	{ "socket", { AF_UNIX, SOCK_STREAM }, "socket AF_UNIX" },
	{ "socket", { AF_INET, SOCK_RAW }, "socket AF_INET" },
	{ "socket", { 77 }, "socket 77" },
	{ "socketcall", { 3 }, "socketcall SYS_CONNECT" },
	{ "clone", { CLONE_NEWUSER | SIGCHLD }, "clone CLONE_NEWUSER" },
	{ "clone", { CLONE_VM | CLONE_THREAD | CLONE_SIGHAND }, "clone" },
	{ "clone3", { 0x7ffc12345678, 88 }, "clone3" },
	{ "unshare", { CLONE_NEWNS | CLONE_NEWUSER }, "unshare CLONE_NEWUSER|CLONE_NEWNS" },
	{ "unshare", { CLONE_NEWTIME }, "unshare CLONE_NEWTIME" },
	{ "unshare", { CLONE_NEWNET | 1 }, "unshare CLONE_NEWNET|0x1" },
	{ "unshare", { 0 }, "unshare" },
	{ "setns", { 3, CLONE_NEWNET }, "setns CLONE_NEWNET" },
	{ "setns", { 3, 0 }, "setns" },
	{ "prctl", { PR_SET_SECCOMP }, "prctl PR_SET_SECCOMP" },
	{ "prctl", { 65 }, "prctl PR_SET_MDWE" },
	{ "prctl", { PR_SET_PTRACER }, "prctl PR_SET_PTRACER" },
	{ "prctl", { PR_CAPBSET_DROP }, "prctl PR_CAPBSET_DROP" },
	{ "prctl", { 9999 }, "prctl 9999" },
	{ "ioctl", { 0, TIOCSTI }, "ioctl TIOCSTI" },
	{ "ioctl", { 0, 0x40049409 }, "ioctl FICLONE" },
	{ "ioctl", { 0, 0xdeadbeef }, "ioctl 0xdeadbeef" },
	{ "ioctl", { 0, 0xffffffff00000000 | TIOCSTI }, "ioctl TIOCSTI" },
	{ "mount", { 1, 2, 3 }, "mount" },
	{ "fchown", { 3, 1000, 1000 }, "fchown 1000:1000" },
	{ "chown", { 0x1000, 0, 0xffffffff }, "chown 0:-1" },
	{ "fchownat", { 0, 0x1000, 4294967294, 5 }, "fchownat 4294967294:5" },
	{ "setresuid", { 1, (uint64_t)-1, 3 }, "setresuid 1:-1:3" },
	{ "setuid", { 1000 }, "setuid 1000" },
	{ "setgroups", { 2, 0x1000 }, "setgroups" },
	{ "kill", { 41, 0 }, "kill 0" },
	{ "kill", { 41, SIGTERM }, "kill SIGTERM" },
	{ "tgkill", { 41, 42, SIGABRT }, "tgkill SIGABRT" },
	{ "ptrace", { PTRACE_ATTACH }, "ptrace PTRACE_ATTACH" },
	{ "ptrace", { PTRACE_SEIZE }, "ptrace PTRACE_SEIZE" },
	{ "personality", { ADDR_NO_RANDOMIZE }, "personality ADDR_NO_RANDOMIZE" },
	{ "personality", { 0xffffffff }, "personality" },
	{ "seccomp", { 1 }, "seccomp SECCOMP_SET_MODE_FILTER" },
	{ "bpf", { 5 }, "bpf BPF_PROG_LOAD" },
	{ "keyctl", { 1 }, "keyctl KEYCTL_JOIN_SESSION_KEYRING" },
	{ "mknodat", { 0, 0x1000, S_IFCHR | 0666, 0x103 }, "mknodat S_IFCHR" },
	{ "mknod", { 0x1000, 0644 }, "mknod S_IFREG" },
	{ "setrlimit", { 7 }, "setrlimit RLIMIT_NOFILE" },
	{ "prlimit64", { 0, 8 }, "prlimit64 RLIMIT_MEMLOCK" },
	{ "openat", { 1, 2, 3 }, "openat" },
	{ "syscall_4711", { 1 }, "syscall_4711" },
};

static void test_decisive(void **state)
{
	char buf[128];

	for (size_t i = 0; i < ARRAY_SIZE(spelt); i++) {
		names_decisive(spelt[i].syscall, spelt[i].args, buf, sizeof(buf));
		assert_string_equal(buf, spelt[i].expected);
	}
}

static void test_decisive_small_buffer(void **state)
{
	const uint64_t args[6] = { CLONE_NEWNS | CLONE_NEWUSER | CLONE_NEWNET };
	char buf[64], expected[64];

	names_decisive("unshare", args, expected, sizeof(expected));
	for (size_t size = 1; size < sizeof(buf); size++) {
		memset(buf, 'x', sizeof(buf));
		names_decisive("unshare", args, buf, size);
		assert_memory_equal(buf, expected, strlen(buf));
		assert_true(strlen(buf) < size);
		for (size_t i = size; i < sizeof(buf); i++)
			assert_int_equal(buf[i], 'x');
	}
	names_decisive("fchown", (uint64_t[6]){ 0, 1, 2 }, buf, 8);
	assert_string_equal(buf, "fchown ");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decisive),
		cmocka_unit_test(test_decisive_small_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
