/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <cmocka.h>

#include "daemon/names.h"

static struct sf_config config;

static bool is_benign(const struct sf_sys *sys, int err)
{
	for (int i = 0; i < SF_BENIGN; i++)
		if (sys->benign[i] == err)
			return true;
	return false;
}

/* What rules and fallbacks ask for: (class or name, errno). None may be benign. */
static const struct {
	uint32_t class;	  /* every syscall of it … */
	const char *name; /* … or this one */
	int err;
} used_by_rules[] = {
	{ SYS_OPEN, NULL, EEXIST },
	{ SYS_OPEN, NULL, ENXIO },
	{ SYS_OPEN, NULL, ENODEV },
	{ SYS_OPEN, NULL, EINVAL },
	{ SYS_OPEN, NULL, EINTR },
	{ SYS_OPEN, NULL, EOVERFLOW },
	{ SYS_RENAME, NULL, EEXIST },
	{ SYS_RENAME, NULL, ENOTEMPTY },
	{ SYS_REMOVE, NULL, ENOTEMPTY },
	{ SYS_STAT, NULL, ENOTCONN },
	{ SYS_EXEC, NULL, EINVAL },
	{ SYS_EXEC, NULL, ETXTBSY },
	{ SYS_EXEC, NULL, ELIBBAD },
	{ SYS_FORK, NULL, EAGAIN },
	{ SYS_FORK, NULL, EINVAL },
	{ SYS_FORK, NULL, EUSERS },
	{ SYS_MMAP, NULL, EAGAIN },
	{ SYS_MMAP, NULL, ENODEV },
	{ SYS_MLOCK, NULL, EAGAIN },
	{ SYS_CHOWN, NULL, EINVAL },
	{ SYS_ATTR, NULL, EOPNOTSUPP },
	{ SYS_CONNECT, NULL, ETIMEDOUT },
	{ SYS_CONNECT, NULL, EAGAIN },
	{ SYS_CONNECT, NULL, EADDRNOTAVAIL },
	{ SYS_CONNECT, NULL, EPROTOTYPE },
	{ SYS_BIND, NULL, EADDRNOTAVAIL },
	{ SYS_BIND, NULL, EINVAL },
	{ SYS_SOCKET, NULL, EOPNOTSUPP },
	{ SYS_SOCKET, NULL, EPROTONOSUPPORT },
	{ SYS_SOCKET, NULL, ESOCKTNOSUPPORT },
	{ SYS_SEND, NULL, EMSGSIZE },
	{ SYS_SEND, NULL, EDESTADDRREQ },
	{ SYS_SEND, NULL, EAGAIN },
	{ SYS_SEND, NULL, ENOTCONN },
	{ SYS_SEND, NULL, ENOBUFS },
	{ SYS_RECV, NULL, ETIMEDOUT },
	{ SYS_RECV, NULL, ENOTCONN },
	{ SYS_WRITE, NULL, EAGAIN },
	{ SYS_WRITE, NULL, ENOTCONN },
	{ SYS_READ, NULL, ENOTCONN },
	{ SYS_READ, NULL, ETIMEDOUT },
	{ SYS_MOUNT, NULL, EINVAL },
	{ SYS_MOUNT, NULL, ENODEV },
	{ SYS_NAMESPACE, NULL, EINVAL },
	{ SYS_NAMESPACE, NULL, EUSERS },
	{ SYS_ID, NULL, EINVAL },
	{ SYS_ID, NULL, EAGAIN },
	{ SYS_URING, NULL, EINVAL },
	{ SYS_POLICY, "seccomp", EINVAL },
	{ SYS_POLICY, "seccomp", EFAULT },
	{ SYS_POLICY, "prctl", EFAULT },
	{ 0, "setsockopt", ENOPROTOOPT },
	{ 0, "write", EBADF },
	{ 0, "sched_setaffinity", EINVAL },
};

/* Owned by a sandbox primitive wherever they come from. */
static const int never_benign[] = {
	EPERM,	      EACCES, EROFS,   ENOSYS,	     ENOSPC,	  ENOENT,	EMFILE,
	ENFILE,	      ENOMEM, EFBIG,   EDQUOT,	     EIO,	  EXDEV,	ELOOP,
	ENAMETOOLONG, E2BIG,  ENOEXEC, ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, EADDRINUSE,
	EAFNOSUPPORT, EBUSY,  EPIPE,   ECONNRESET,   ENOTDIR,	  EISDIR,	ESTALE,
};

static void test_benign_never(void **state)
{
	for (size_t i = 0; i < names_count(); i++)
		for (size_t k = 0; k < ARRAY_SIZE(never_benign); k++)
			if (is_benign(names_describe(names_at(i)), never_benign[k]))
				fail_msg("%s %s", names_at(i), names_errno(never_benign[k]));
}

static void test_benign_rules(void **state)
{
	for (size_t k = 0; k < ARRAY_SIZE(used_by_rules); k++) {
		const char *only = used_by_rules[k].name;
		int err = used_by_rules[k].err, seen = 0;

		for (size_t i = 0; i < names_count(); i++) {
			const char *name = names_at(i);

			if (only ? strcmp(name, only) != 0
				 : !(names_class(name) & used_by_rules[k].class))
				continue;
			seen++;
			if (is_benign(names_describe(name), err))
				fail_msg("%s %s", name, names_errno(err));
		}
		if (!seen)
			fail_msg("row %zu names no syscall", k);
	}
}

static void assert_benign(const char *name, int err)
{
	if (!is_benign(names_describe(name), err))
		fail_msg("%s %s is not benign", name, names_errno(err));
}

static void test_benign_ordinary(void **state)
{
	assert_benign("futex", EAGAIN);
	assert_benign("futex", ETIMEDOUT);
	assert_benign("read", EAGAIN);
	assert_benign("recvmsg", EAGAIN);
	assert_benign("epoll_wait", EINTR);
	assert_benign("wait4", ECHILD);
	assert_benign("ioctl", ENOTTY);
	assert_benign("readlink", EINVAL);
	assert_benign("lseek", ESPIPE);
	assert_benign("fgetxattr", ENODATA);
	assert_benign("mkdir", EEXIST);
	assert_benign("connect", EALREADY);
	assert_benign("getpeername", ENOTCONN);
	assert_benign("close", EBADF);
}

/* Each row is a syscall of this machine or of its compat ABI, once, and is well formed. */
static void test_table_rows(void **state)
{
	char buf[32];

	for (size_t i = 0; i < names_count(); i++) {
		const char *name = names_at(i);
		const struct sf_sys *sys = names_describe(name);
		bool found = names_syscall_nr(name) >= 0;

		for (int nr = 0; nr < SF_NR_MAX && !found; nr++)
			found = strcmp(names_syscall(SF_ABI_COMPAT, nr, buf, sizeof(buf)), name) ==
				0;
#ifdef __x86_64__
		if (strncmp(name, "arm_", 4) != 0 && strcmp(name, "send") != 0 &&
		    strcmp(name, "recv") != 0 && !found)
			fail_msg("%s is no syscall", name);
#endif
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(names_at(k), name);
		assert_true(sys->subject <= SF_SUBJ_BOUND);
		assert_true(sys->path_arg < 6);
		assert_true(sys->dirfd_arg < 6 || sys->dirfd_arg == 0xff);
		assert_true(sys->flags_arg < 6 || sys->flags_arg == 0xff);
		if (sys->flags & SF_SYS_CREAT)
			assert_true(sys->flags & SF_SYS_SUCCESS && sys->flags_arg < 6);
		if (sys->subject == SF_SUBJ_SOCKADDR || sys->subject == SF_SUBJ_MSGHDR)
			assert_true(sys->dirfd_arg < 6);
		if (sys->subject == SF_SUBJ_PATH)
			assert_true(sys->flags & SF_SYS_CREDS);
		for (int b = 1; b < SF_BENIGN; b++) /* no hole, nothing twice */
			if (sys->benign[b])
				assert_true(sys->benign[b - 1] &&
					    sys->benign[b - 1] != sys->benign[b]);
	}
	assert_null(names_at(names_count()));
}

static const struct sf_sys *native(long nr)
{
	return &config.sys[SF_ABI_NATIVE][nr];
}

static void test_config_native(void **state)
{
	const struct sf_sys *s = native(SYS_openat);

	assert_int_equal(s->subject, SF_SUBJ_PATH);
	assert_int_equal(s->path_arg, 1);
	assert_int_equal(s->dirfd_arg, 0);
	assert_int_equal(s->flags_arg, 2);
	assert_int_equal(s->flags, SF_SYS_SUCCESS | SF_SYS_CREAT | SF_SYS_LIMITS | SF_SYS_CREDS);
	s = native(SYS_openat2);
	assert_int_equal(s->flags & SF_SYS_SUCCESS, 0);
	s = native(SYS_renameat2);
	assert_int_equal(s->path_arg, 3);
	assert_int_equal(s->dirfd_arg, 2);
	s = native(SYS_symlinkat);
	assert_int_equal(s->path_arg, 2);
	assert_int_equal(s->dirfd_arg, 1);
	s = native(SYS_mount);
	assert_int_equal(s->path_arg, 1);
	assert_int_equal(s->dirfd_arg, 0xff);
	assert_true(s->flags & SF_SYS_STATE);
	s = native(SYS_sendto);
	assert_int_equal(s->subject, SF_SUBJ_SOCKADDR);
	assert_int_equal(s->path_arg, 4);
	assert_int_equal(s->dirfd_arg, 5);
	s = native(SYS_sendmsg);
	assert_int_equal(s->subject, SF_SUBJ_MSGHDR);
	assert_int_equal(s->write, SF_WRITE_MSG);
	assert_true(s->flags & SF_SYS_STDERR);
	assert_int_equal(s->flags & (SF_SYS_CHANNEL | SF_SYS_READS), SF_SYS_CHANNEL);
	assert_int_equal(native(SYS_bind)->subject, SF_SUBJ_BOUND);
	assert_int_equal(native(SYS_bind)->path_arg, 1);
	assert_int_equal(native(SYS_bind)->dirfd_arg, 2);
	assert_int_equal(native(SYS_listen)->subject, SF_SUBJ_BOUND);
	assert_int_equal(native(SYS_listen)->dirfd_arg, 0xff);
	assert_true(s->flags & SF_SYS_REPLY);
	s = native(SYS_recvmsg);
	assert_int_equal(s->write, SF_WRITE_MSG);
	assert_true(s->flags & SF_SYS_CHANNEL && s->flags & SF_SYS_READS);
	assert_true(native(SYS_write)->flags & SF_SYS_SHORT);
	assert_true(native(SYS_pwrite64)->flags & SF_SYS_SHORT);
	assert_int_equal(native(SYS_writev)->write, SF_WRITE_IOV);
	assert_int_equal(native(SYS_mmap)->subject, SF_SUBJ_FD);
	assert_int_equal(native(SYS_mmap)->path_arg, 4);
	assert_int_equal(native(SYS_prctl)->flags & (SF_SYS_STATE | SF_SYS_SUCCESS), SF_SYS_STATE);
	assert_true(native(SYS_clone)->flags & SF_SYS_FORK);
	assert_int_equal(native(SYS_getpid)->subject, SF_SUBJ_NONE);
	assert_int_equal(native(SYS_getpid)->dirfd_arg, 0xff);
	assert_int_equal(native(SYS_getpid)->flags, 0);
	assert_int_equal(config.nr_execve, SYS_execve);
	assert_int_equal(config.nr_execveat, SYS_execveat);
	assert_int_equal(config.nr_prctl, SYS_prctl);
	assert_int_equal(config.nr_landlock_restrict_self, 446);
	/* getxattrat: younger than libseccomp 2.5. */
	assert_int_equal(native(464)->subject, SF_SUBJ_PATH);
	assert_true(native(464)->benign[0] == ENODATA);
	/* Only the table and the numbers are filled. */
	assert_int_equal(config.budget, 77);
	assert_int_equal(config.self_tgid, 0);
}

static void test_config_compat(void **state)
{
#ifdef __x86_64__
	const struct sf_sys *i386 = config.sys[SF_ABI_COMPAT];

	assert_true(i386[4].flags & SF_SYS_SHORT);	       /* write */
	assert_int_equal(i386[5].flags_arg, 1);		       /* open */
	assert_int_equal(i386[295].path_arg, 1);	       /* openat */
	assert_int_equal(i386[362].subject, SF_SUBJ_SOCKADDR); /* connect */
	assert_int_equal(i386[102].subject, SF_SUBJ_ARG);      /* socketcall */
	assert_int_equal(i386[90].subject, SF_SUBJ_NONE);      /* mmap: takes a pointer */
	assert_int_equal(i386[192].subject, SF_SUBJ_FD);       /* mmap2 */
	assert_int_equal(i386[339].path_arg, 5); /* fanotify_mark: its mask fills two */
	assert_int_equal(native(SYS_fanotify_mark)->path_arg, 4);
	assert_int_equal(i386[422].benign[0], EAGAIN); /* futex_time64 */
#else
	skip();
#endif
}

static void test_syscall_names(void **state)
{
	char buf[32];

	assert_string_equal(names_syscall(SF_ABI_NATIVE, SYS_clone3, buf, sizeof(buf)), "clone3");
	assert_string_equal(names_syscall(SF_ABI_NATIVE, 467, buf, sizeof(buf)), "open_tree_attr");
	assert_string_equal(names_syscall(SF_ABI_NATIVE, 4711, buf, sizeof(buf)), "syscall_4711");
	assert_string_equal(names_syscall(SF_ABI_NATIVE, -1, buf, sizeof(buf)), "syscall_-1");
	assert_string_equal(names_syscall(9, 1, buf, sizeof(buf)), "syscall_1");
#ifdef __x86_64__
	assert_string_equal(names_syscall(SF_ABI_COMPAT, 359, buf, sizeof(buf)), "socket");
	assert_string_equal(names_syscall(SF_ABI_COMPAT, 11, buf, sizeof(buf)), "execve");
	assert_string_equal(names_syscall(SF_ABI_X32, 257, buf, sizeof(buf)), "openat");
	assert_string_equal(names_syscall(SF_ABI_X32, 514, buf, sizeof(buf)), "ioctl");
#endif
	assert_int_equal(names_syscall_nr("openat"), SYS_openat);
	assert_int_equal(names_syscall_nr("no_such_call"), -1);
	assert_int_equal(names_class("creat"), SYS_OPEN | SYS_NEWFD);
	assert_int_equal(names_class("chroot"), SYS_CHROOT);
	assert_int_equal(names_class("getpid"), 0);
	assert_null(names_describe("getpid"));
}

static void test_errno_names(void **state)
{
	assert_string_equal(names_errno(EPERM), "EPERM");
	assert_string_equal(names_errno(EAGAIN), "EAGAIN");
	assert_string_equal(names_errno(EHWPOISON), "EHWPOISON");
	assert_string_equal(names_errno(524), "ENOTSUPP");
	assert_string_equal(names_errno(4711), "errno 4711");
	assert_string_equal(names_errno(0), "errno 0");
	assert_int_equal(names_errno_parse("EWOULDBLOCK"), EAGAIN);
	assert_int_equal(names_errno_parse("ENOTSUP"), EOPNOTSUPP);
	assert_int_equal(names_errno_parse("eperm"), -EINVAL);
	assert_int_equal(names_errno_parse(""), -EINVAL);
	for (int err = 1; err <= EHWPOISON; err++)
		if (strncmp(names_errno(err), "errno ", 6) != 0)
			assert_int_equal(names_errno_parse(names_errno(err)), err);
}

static void test_signal_names(void **state)
{
	assert_string_equal(names_signal(SIGKILL), "SIGKILL");
	assert_string_equal(names_signal(SIGSYS), "SIGSYS");
	assert_string_equal(names_signal(34), "SIGRTMIN");
	assert_string_equal(names_signal(37), "SIGRTMIN+3");
	assert_string_equal(names_signal(64), "SIGRTMIN+30");
	assert_string_equal(names_signal(33), "signal 33");
	assert_string_equal(names_signal(0), "signal 0");
	assert_string_equal(names_signal(4711), "signal 4711");
	assert_int_equal(names_signal_parse("SIGSEGV"), SIGSEGV);
	assert_int_equal(names_signal_parse("SIGRTMIN+30"), 64);
	assert_int_equal(names_signal_parse("KILL"), -EINVAL);
	for (int sig = 1; sig <= 64; sig++)
		assert_int_equal(names_signal_parse(names_signal(sig)), sig);
}

static void test_capability_names(void **state)
{
	assert_string_equal(names_capability(13), "CAP_NET_RAW");
	assert_string_equal(names_capability(21), "CAP_SYS_ADMIN");
	assert_string_equal(names_capability(40), "CAP_CHECKPOINT_RESTORE");
	assert_string_equal(names_capability(63), "CAP_63");
	assert_string_equal(names_capability(-1), "CAP_-1");
	assert_string_equal(names_capability(99), "CAP_99");
}

static void assert_sockaddr(const void *addr, size_t len, const void *expected, size_t elen)
{
	struct text t = { 0 };

	names_sockaddr(addr, len, &t);
	assert_int_equal(t.len, elen);
	assert_memory_equal(t.data, expected, elen);
	text_free(&t);
}

#define ASSERT_SOCKADDR(addr, len, expected)                                                       \
	assert_sockaddr(addr, len, expected, sizeof(expected) - 1)

static void test_sockaddr_inet(void **state)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(53) };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(80) };

	inet_pton(AF_INET, "127.0.0.53", &in.sin_addr);
	ASSERT_SOCKADDR(&in, sizeof(in), "127.0.0.53:53");
	ASSERT_SOCKADDR(&in, 8, "127.0.0.53:53");
	ASSERT_SOCKADDR(&in, 7, "AF_INET");
	in6.sin6_addr = in6addr_loopback;
	ASSERT_SOCKADDR(&in6, sizeof(in6), "[::1]:80");
	ASSERT_SOCKADDR(&in6, 24, "[::1]:80");
	ASSERT_SOCKADDR(&in6, 23, "AF_INET6");
	in6.sin6_scope_id = 2;
	inet_pton(AF_INET6, "fe80::1", &in6.sin6_addr);
	ASSERT_SOCKADDR(&in6, sizeof(in6), "[fe80::1%2]:80");
}

static void test_sockaddr_other(void **state)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX, .sun_path = "/run/x.sock" };
	struct sockaddr_nl nl = { .nl_family = AF_NETLINK };
	struct sockaddr sa = { .sa_family = 222 };

	ASSERT_SOCKADDR(&un, sizeof(un), "/run/x.sock");
	ASSERT_SOCKADDR(&un, 2 + 4, "/run"); /* not terminated */
	ASSERT_SOCKADDR(&un, 2, "AF_UNIX");
	memset(un.sun_path, 'a', sizeof(un.sun_path));
	assert_sockaddr(&un, sizeof(un), un.sun_path, sizeof(un.sun_path));
	memcpy(un.sun_path, "\0x\0y", 4);
	ASSERT_SOCKADDR(&un, 2 + 4, "@x\0y");
	ASSERT_SOCKADDR(&nl, sizeof(nl), "AF_NETLINK");
	ASSERT_SOCKADDR(&sa, sizeof(sa), "address family 222");
	ASSERT_SOCKADDR(&sa, 1, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_benign_never),	cmocka_unit_test(test_benign_rules),
		cmocka_unit_test(test_benign_ordinary), cmocka_unit_test(test_table_rows),
		cmocka_unit_test(test_config_native),	cmocka_unit_test(test_config_compat),
		cmocka_unit_test(test_syscall_names),	cmocka_unit_test(test_errno_names),
		cmocka_unit_test(test_signal_names),	cmocka_unit_test(test_capability_names),
		cmocka_unit_test(test_sockaddr_inet),	cmocka_unit_test(test_sockaddr_other),
	};

	config.budget = 77;
	names_fill_config(&config);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
