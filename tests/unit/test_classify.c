/* SPDX-License-Identifier: GPL-2.0-only */
/* One failing call for every row of the rule table; a row without a test breaks the suite. */
#include "evidence.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/statvfs.h>

#include "classify.h"
#include "rules.h"

static struct explanation allows = { .done = true, .exists = true, .mode_verdict = MODE_ALLOWS };
static struct explanation denies = { .done = true,
				     .exists = true,
				     .mode_verdict = MODE_DENIES,
				     .culprit = "/srv/w",
				     .culprit_mode = 040755 };
static struct explanation noexec = {
	.done = true, .exists = true, .mode_verdict = MODE_ALLOWS, .mount_flags = ST_NOEXEC
};
static struct explanation sysctls = { .done = true,
				      .exists = true,
				      .mode_verdict = MODE_ALLOWS,
				      .mount_flags = ST_NOEXEC,
				      .fs_magic = 0x9fa0 };
static struct explanation nodev = { .done = true,
				    .exists = true,
				    .mode_verdict = MODE_ALLOWS,
				    .is_device = true,
				    .mount_flags = ST_NODEV };
static struct explanation device = {
	.done = true, .exists = true, .mode_verdict = MODE_ALLOWS, .is_device = true
};
static struct explanation crlf = {
	.done = true, .exists = true, .head = HEAD_SCRIPT_CR, .interpreter = "/bin/sh\r"
};
static struct explanation interp = {
	.done = true, .exists = true, .head = HEAD_SCRIPT_MISSING, .interpreter = "/usr/bin/pythonX"
};
static struct explanation loader = { .done = true,
				     .exists = true,
				     .head = HEAD_ELF_LOADER_MISSING,
				     .interpreter = "/lib/ld-musl.so.1" };
static struct explanation foreign = { .done = true, .exists = true, .head = HEAD_ELF_FOREIGN };
static struct explanation plain = { .done = true, .exists = true, .head = HEAD_TEXT };
static struct explanation other = { .done = true, .exists = true, .head = HEAD_OTHER };
static struct explanation gone = { .done = false, .why = "no such process" };
static struct explanation sibling = { .done = true, .sibling_normal = true };
static struct explanation bare = { .done = true, .fs_magic = 0xef53 };
static struct explanation handed = { .done = true, .env_name = "TMPDIR" };
static struct explanation no_shm = { .done = true, .missing_at = 4 };
static struct explanation confined = {
	.done = true, .exists = true, .mode_verdict = MODE_ALLOWS, .label = "box (enforce)"
};
static struct explanation selinux = { .no_path = true, .label = "staff_t", .selinux = true };
static struct explanation outside = { .no_path = true, .outside = OUTSIDE_THERE };
static struct explanation shut = { .done = true,
				   .exists = true,
				   .mode_verdict = MODE_DENIES,
				   .culprit = "/w/hidden",
				   .culprit_mode = 040400,
				   .outside = OUTSIDE_THERE,
				   .outside_mode = 040755 };
static struct explanation no_inodes = { .done = true, .exists = true, .fs_inodes = 10 };

#define USERNS                                                                                     \
	{                                                                                          \
		.valid = 1, .userns_level = 1                                                      \
	}
#define NOCAPS                                                                                     \
	{                                                                                          \
		.valid = 1, .fsuid = 1000, .euid = 1000                                            \
	}
#define PIDS(c, l)                                                                                 \
	{                                                                                          \
		.valid = SF_LIM_PIDS, .pids_count = c, .pids_limit = l, .pids_name = "box"         \
	}
#define AT_AS                                                                                      \
	{                                                                                          \
		.valid = SF_LIM_MM | SF_LIM_RLIMITS, .rlim_as = 4ULL << 30, .total_vm = 1 << 20,   \
		.rlim_data = ~0ULL                                                                 \
	}

/* clang-format off */
static const struct row {
	const char *rule;
	const char *subject;
	struct syscall call;
} rows[] = {
	{ "seccomp-enosys", "clone3", { "clone3", ENOSYS, .entry = SF_DENIED } },
	{ "seccomp-ptraced", "mkdir", { "mkdir", EPERM, "/w/d", .entry = SF_PTRACED, .state = SF_ST_SECCOMP } },
	{ "seccomp-denied", "socket AF_UNIX", { "socket", EPERM, .entry = SF_DENIED, .args = { 1 } } },
	{ "short-limit", "/w/f",
	  { "write", 0, "/w/f", .entry = SF_SHORT, .text_kind = SF_TEXT_FD,
	    .limits = { .valid = SF_LIM_RLIMITS, .rlim_fsize = 4096 } } },
	{ "short-full", "/w/f",
	  { "write", 0, "/w/f", .entry = SF_SHORT, .text_kind = SF_TEXT_FD, .explanation = &no_inodes } },
	{ "userns-denied", "unshare CLONE_NEWUSER", { "unshare", EPERM, .args = { CLONE_NEWUSER } } },
	{ "userns-limit", "unshare CLONE_NEWUSER", { "unshare", ENOSPC, .args = { CLONE_NEWUSER } } },
	{ "userns-map", "/proc/7/uid_map",
	  { "write", EPERM, "/proc/7/uid_map", .text_kind = SF_TEXT_FD } },
	{ "userns-setgroups", "setgroups", { "setgroups", EPERM, .creds = USERNS } },
	{ "userns-chown", "fchown 1000:1000",
	  { "fchown", EINVAL, "/w/f", .args = { 3, 1000, 1000 }, .creds = USERNS, .text_kind = SF_TEXT_FD } },
	{ "userns-owner", "fchownat 0:0",
	  { "fchownat", EPERM, "/w/f", .creds = { .valid = 1, .userns_level = 1, .cap_effective = 1 } } },
	{ "userns-devpts", "mount devpts", { "mount", EINVAL, "/newroot/dev/pts", .creds = USERNS } },
	{ "userns-id", "setresuid 42:42:42", { "setresuid", EINVAL, .args = { 42, 42, 42 }, .creds = USERNS } },
	{ "pids-cgroup", "vfork", { "vfork", EAGAIN, .limits = PIDS(10, 10) } },
	{ "pids-user", "vfork",
	  { "vfork", EAGAIN, .limits = { .valid = SF_LIM_NPROC | SF_LIM_RLIMITS, .nproc = 8, .rlim_nproc = 8 } } },
	{ "pids-setuid", "setuid",
	  { "setuid", EAGAIN, .limits = { .valid = SF_LIM_NPROC | SF_LIM_RLIMITS, .nproc = 8, .rlim_nproc = 8 } } },
	{ "pids-host", "clone", { "clone", EAGAIN, .limits = PIDS(3, 10) } },
	{ "inotify-instances", "inotify_init1", { "inotify_init1", EMFILE } },
	{ "inotify-watches", "inotify_add_watch", { "inotify_add_watch", ENOSPC, "/w/src" } },
	{ "fds-open", "/w/f", { "openat", EMFILE, "/w/f" } },
	{ "fds-process", "pipe2", { "pipe2", EMFILE } },
	{ "fds-host", "openat", { "openat", ENFILE, "/w/f" } },
	{ "file-size", "/w/model.bin", { "write", EFBIG, "/w/model.bin", .text_kind = SF_TEXT_FD } },
	{ "disk-quota", "/w/f", { "write", EDQUOT, "/w/f", .text_kind = SF_TEXT_FD } },
	{ "raise-nofile", "prlimit64 RLIMIT_NOFILE", { "prlimit64", EPERM, .args = { 0, 7 } } },
	{ "raise-nproc", "prlimit64 RLIMIT_NPROC", { "prlimit64", EPERM, .args = { 0, 6 } } },
	{ "raise-memory", "prlimit64 RLIMIT_AS", { "prlimit64", EPERM, .args = { 0, 9 } } },
	{ "raise-memlock", "setrlimit RLIMIT_MEMLOCK", { "setrlimit", EPERM, .args = { 8 } } },
	{ "raise-fsize", "prlimit64 RLIMIT_FSIZE", { "prlimit64", EPERM, .args = { 0, 1 } } },
	{ "raise-other", "prlimit64 RLIMIT_CORE", { "prlimit64", EPERM, .args = { 0, 4 } } },
	{ "memory-locked", "mlock",
	  { "mlock", ENOMEM, .args = { 0, 1 << 20 },
	    .limits = { .valid = SF_LIM_MM, .rlim_memlock = 65536, .rlim_as = ~0ULL } } },
	{ "memory-lock-refused", "mlockall", { "mlockall", EPERM } },
	{ "address-space", "mmap", { "mmap", ENOMEM, .args = { 0, 10ULL << 30 }, .limits = AT_AS } },
	{ "data-limit", "mmap",
	  { "mmap", ENOMEM, .args = { 0, 1 << 20 },
	    .limits = { .valid = SF_LIM_RLIMITS | SF_LIM_MM, .rlim_as = ~0ULL, .rlim_data = 4096, .data_vm = 4096 } } },
	{ "map-count", "mprotect",
	  { "mprotect", ENOMEM, .limits = { .valid = SF_LIM_MM, .rlim_as = ~0ULL, .map_count = 65530, .map_limit = 65530 } } },
	{ "huge-page", "mmap", { "mmap", ENOMEM, .args = { 0, 2 << 20, 3, 0x40022 } } },
	{ "overcommit", "mmap", { "mmap", ENOMEM, .args = { 0, 1ULL << 40 } } },
	{ "read-only-look", "/w", { "faccessat", EROFS, "/w" } },
	{ "read-only", "/w/.git/index.lock", { "openat", EROFS, "/w/.git/index.lock" } },
	{ "noexec-look", "/w/run", { "faccessat", EACCES, "/w/run", .args = { 0, 0, 1 }, .explanation = &noexec } },
	{ "noexec", "/w/pkg.test", { "execve", EACCES, "/w/pkg.test", .explanation = &noexec } },
	{ "noexec-map", "/w/lib.so",
	  { "mmap", EPERM, "/w/lib.so", .text_kind = SF_TEXT_FD, .explanation = &noexec } },
	{ "nodev-standard", "/dev/null", { "openat", EACCES, "/dev/null", .explanation = &nodev } },
	{ "covered", "/w/.env", { "openat", EACCES, "/w/.env", .explanation = &nodev } },
	{ "nodev", "/dev/fuse", { "openat", EACCES, "/dev/fuse", .explanation = &nodev } },
	{ "shut-look", "/w/hidden/f", { "newfstatat", EACCES, "/w/hidden/f", .explanation = &shut, .cover_len = 9 } },
	{ "shut", "/w/hidden/f", { "openat", EACCES, "/w/hidden/f", .explanation = &shut, .cover_len = 9 } },
	{ "mdwe", "mprotect", { "mprotect", EACCES, .state = SF_ST_MDWE } },
	{ "mode-look", "/srv/w/x", { "newfstatat", EACCES, "/srv/w/x", .explanation = &denies } },
	{ "mode-look-override", "/srv/w/x", { "newfstatat", EACCES, "/srv/w/x", .cap_mask = 1 << 1 } },
	{ "mode-denies", "/srv/w/x", { "openat", EACCES, "/srv/w/x", .explanation = &denies } },
	{ "mode-override", "/srv/w/x",
	  { "openat", EACCES, "/srv/w/x", .cap_mask = 1 << 1, .explanation = &gone } },
	{ "proc-hidden", "/proc/9/status",
	  { "openat", EPERM, "/proc/9/status", .cap_mask = 1ULL << 19, .creds = NOCAPS } },
	{ "sysctl", "/newroot/proc/sys",
	  { "access", EACCES, "/newroot/proc/sys", .args = { 0, 2 }, .explanation = &sysctls } },
	{ "sysctl-use", "/proc/sys/vm/swappiness",
	  { "openat", EACCES, "/proc/sys/vm/swappiness", .explanation = &gone } },
	{ "ptrace-look", "CAP_SYS_PTRACE", { "readlink", EACCES, "/proc/9/exe", .creds = NOCAPS } },
	{ "ptrace-use", "CAP_SYS_PTRACE",
	  { "openat", EACCES, "/proc/9/maps", .explanation = &gone, .creds = NOCAPS } },
	{ "prctl", "prctl PR_CAP_AMBIENT", { "prctl", EPERM, .args = { 47 } } },
	{ "kill-zero", "kill", { "kill", EPERM, .cap_mask = 1 << 5, .args = { 1, 0 } } },
	{ "hook-yama", "ptrace",
	  { "ptrace", EPERM, .args = { 16 }, .cap_mask = 1ULL << 19, .hook = SF_HOOK_PTRACE_ACCESS_CHECK,
	    .hook_err = EPERM, .lsm = SF_LSM_YAMA } },
	{ "capability", "CAP_NET_RAW", { "socket", EPERM, .args = { 2, 3, 1 }, .cap_mask = 1 << 13 } },
	{ "hook-landlock", "/w/f",
	  { "openat", EACCES, "/w/f", .state = SF_ST_LANDLOCK, .explanation = &confined,
	    .hook = SF_HOOK_FILE_OPEN, .hook_err = EACCES } },
	{ "hook-apparmor", "/w/f",
	  { "openat", EACCES, "/w/f", .explanation = &confined, .hook = SF_HOOK_FILE_OPEN, .hook_err = EACCES } },
	{ "hook-selinux", "socket",
	  { "socket", EACCES, .args = { 1 }, .explanation = &selinux, .hook = SF_HOOK_SOCKET_CREATE,
	    .hook_err = EACCES } },
	{ "hook-unnamed", "/w/f",
	  { "openat", EACCES, "/w/f", .explanation = &gone, .hook = SF_HOOK_FILE_OPEN, .hook_err = EACCES } },
	{ "capability-implied", "CAP_CHOWN", { "chown", EPERM, "/w/f", .creds = NOCAPS } },
	{ "device-silent", "/dev/kvm",
	  { "openat", EPERM, "/dev/kvm", .explanation = &device, .watched = true } },
	{ "hooks-silent", "/w/f",
	  { "openat", EACCES, "/w/f", .explanation = &allows, .watched = true } },
	{ "socket-silent", "socket AF_INET", { "socket", EPERM, .args = { 2 }, .watched = true } },
	{ "mount-silent", "mount",
	  { "mount", EPERM, .creds = USERNS, .watched = true, .cap_mask = 1ULL << 24 } },
	{ "landlock-look", "/w/x",
	  { "faccessat2", EACCES, "/w/x", .state = SF_ST_LANDLOCK, .explanation = &allows } },
	{ "landlock-path", "/dev/ptmx",
	  { "openat", EACCES, "/dev/ptmx", .state = SF_ST_LANDLOCK, .explanation = &allows } },
	{ "landlock-net", "10.0.0.1:443",
	  { "connect", EACCES, "10.0.0.1:443", .state = SF_ST_LANDLOCK, .text_kind = SF_TEXT_SOCKADDR } },
	{ "landlock-scope", "@app",
	  { "connect", EPERM, "@app", .state = SF_ST_LANDLOCK, .text_kind = SF_TEXT_SOCKADDR } },
	{ "landlock-signal", "kill SIGTERM", { "kill", EPERM, .args = { 9, 15 }, .state = SF_ST_LANDLOCK } },
	{ "landlock-move", "/w/out/f", { "renameat2", EXDEV, "/w/out/f", .state = SF_ST_LANDLOCK } },
	{ "landlock-gone", "/w/x",
	  { "openat", EACCES, "/w/x", .state = SF_ST_LANDLOCK, .explanation = &gone } },
	{ "device", "/dev/kvm", { "openat", EPERM, "/dev/kvm", .explanation = &device } },
	{ "device-unseen", "/dev/kvm", { "openat", EPERM, "/dev/kvm", .explanation = &gone } },
	{ "network-denied", "10.0.0.1:443",
	  { "connect", EPERM, "10.0.0.1:443", .text_kind = SF_TEXT_SOCKADDR } },
	{ "lsm-unnamed", "/w/x", { "openat", EACCES, "/w/x", .explanation = &allows } },
	{ "mode-unseen", "/w/x", { "openat", EACCES, "/w/x", .explanation = &gone } },
	{ "owner-unseen", "/w/x", { "fchmodat", EPERM, "/w/x", .explanation = &gone } },
	{ "lsm-call", "ptrace PTRACE_ATTACH", { "ptrace", EPERM, .args = { 16 } } },
	{ "exec-cr", "/bin/sh\r", { "execve", ENOENT, "/w/deploy.sh", .explanation = &crlf } },
	{ "exec-interpreter", "/usr/bin/pythonX", { "execve", ENOENT, "/w/run", .explanation = &interp } },
	{ "exec-loader", "/lib/ld-musl.so.1", { "execve", ENOENT, "/w/tool", .explanation = &loader } },
	{ "exec-foreign", "/w/tool", { "execve", ENOEXEC, "/w/tool", .explanation = &foreign } },
	{ "exec-text", "/w/run", { "execve", ENOEXEC, "/w/run", .explanation = &plain } },
	{ "exec-format", "/w/run", { "execve", ENOEXEC, "/w/run", .explanation = &gone } },
	{ "exec-bad", "/w/blob", { "execve", ENOEXEC, "/w/blob", .explanation = &other } },
	{ "args-too-long", "/w/agent.sh", { "execve", E2BIG, "/w/agent.sh" } },
	{ "path-cr", "data\r", { "chdir", ENOENT, "/w/data\r", "data\r" } },
	{ "path-tilde", "~/.cache", { "mkdir", ENOENT, "/w/~/.cache", "~/.cache" } },
	{ "path-too-long", "a prompt", { "newfstatat", ENAMETOOLONG, "/w/a prompt", "a prompt" } },
	{ "path-foreign", "C:\\data\\in.csv", { "openat", ENOENT, "/w/C:\\data\\in.csv", "C:\\data\\in.csv" } },
	{ "path-quoted", "'in.csv'", { "openat", ENOENT, "/w/'in.csv'", "'in.csv'" } },
	{ "path-replacement", "/w/caf\xef\xbf\xbd", { "openat", ENOENT, "/w/caf\xef\xbf\xbd" } },
	{ "path-utf8", "/w/caf\xe9", { "openat", ENOENT, "/w/caf\xe9" } },
	{ "path-sibling", "/w/caf\xc3\xa9", { "openat", ENOENT, "/w/caf\xc3\xa9", .explanation = &sibling } },
	{ "path-escaped", "a%20b.txt", { "openat", ENOENT, "/w/a%20b.txt", "a%20b.txt" } },
	{ "path-directory", "/none/tmp/x", { "openat", ENOENT, "/none/tmp/x", .explanation = &handed } },
	{ "path-empty", "openat", { "openat", ENOENT, "", "" } },
	{ "cwd-missing", "/w/none", { "chdir", ENOENT, "/w/none" } },
	{ "exec-unseen", "uvx", { "execve", ENOENT, "/usr/bin/uvx", .explanation = &gone } },
	{ "exec-missing", "uvx", { "execve", ENOENT, "/usr/bin/uvx" } },
	{ "inodes", "/w/f", { "openat", ENOSPC, "/w/f", .explanation = &no_inodes } },
	{ "inodes-tmpfs", "/w/f", { "openat", ENOSPC, "/w/f", .mount_type = "tmpfs" } },
	{ "shm-full", "/dev/shm/b", { "fallocate", ENOSPC, "/dev/shm/b", .text_kind = SF_TEXT_FD } },
	{ "disk-full", "/w/f", { "write", ENOSPC, "/w/f", .text_kind = SF_TEXT_FD } },
	{ "io-error", "/mnt/f", { "read", EIO, "/mnt/f", .text_kind = SF_TEXT_FD } },
	{ "io-error-path", "/mnt/f", { "openat", ESTALE, "/mnt/f" } },
	{ "terminal", "/dev/tty", { "openat", ENXIO, "/dev/tty" } },
	{ "shm-absent", "/dev/shm/s", { "openat", ENOENT, "/dev/shm/s", .explanation = &no_shm } },
	{ "device-absent", "/dev/urandom", { "openat", ENOENT, "/dev/urandom" } },
	{ "device-hidden", "/dev/kvm", { "openat", ENOENT, "/dev/kvm", .explanation = &outside, .cover_len = 4 } },
	{ "device-usual", "/dev/fuse", { "openat", ENOENT, "/dev/fuse" } },
	{ "hidden-data", "/etc/ssl/certs/ca.pem",
	  { "openat", ENOENT, "/etc/ssl/certs/ca.pem", .explanation = &outside, .cover_len = 8 } },
	{ "hidden", "/home/a/f", { "openat", ENOENT, "/home/a/f", .explanation = &outside, .cover_len = 5 } },
	{ "proc-absent", "/proc/cpuinfo", { "openat", ENOENT, "/proc/cpuinfo", .explanation = &bare } },
	{ "sys-absent", "/sys/class", { "openat", ENOENT, "/sys/class", .explanation = &bare } },
	{ "bind-protected", "/w/.git/config", { "rename", EBUSY, "/w/.git/config" } },
	{ "mount-border", "/w/out/f", { "renameat2", EXDEV, "/w/out/f" } },
	{ "image-data", "/usr/share/zoneinfo/UTC", { "openat", ENOENT, "/usr/share/zoneinfo/UTC" } },
	{ "dns-refused", "10.0.0.2:53",
	  { "recvfrom", ECONNREFUSED, "10.0.0.2:53", .text_kind = SF_TEXT_SOCKADDR } },
	{ "network-unreachable", "192.0.2.1:443",
	  { "connect", ENETUNREACH, "192.0.2.1:443", .text_kind = SF_TEXT_SOCKADDR } },
	{ "network-refused", "127.0.0.1:9",
	  { "connect", ECONNREFUSED, "127.0.0.1:9", .text_kind = SF_TEXT_SOCKADDR } },
	{ "network-timeout", "192.0.2.1:443",
	  { "connect", ETIMEDOUT, "192.0.2.1:443", .text_kind = SF_TEXT_SOCKADDR } },
	{ "address-in-use", "0.0.0.0:80",
	  { "bind", EADDRINUSE, "0.0.0.0:80", .text_kind = SF_TEXT_SOCKADDR } },
	{ "address-no-ipv6", "[::1]:80",
	  { "bind", EADDRNOTAVAIL, "[::1]:80", .text_kind = SF_TEXT_SOCKADDR } },
	{ "address-absent", "10.9.9.9:80",
	  { "bind", EADDRNOTAVAIL, "10.9.9.9:80", .text_kind = SF_TEXT_SOCKADDR } },
	{ "address-family", "socket AF_INET6", { "socket", EAFNOSUPPORT, .args = { 10 } } },
	{ "service-optional", "/var/run/nscd/socket",
	  { "connect", ENOENT, "/var/run/nscd/socket", .text_kind = SF_TEXT_SOCKADDR } },
	{ "service-absent", "/run/app.sock",
	  { "connect", ENOENT, "/run/app.sock", .text_kind = SF_TEXT_SOCKADDR } },
};
/* clang-format on */

static void test_every_row(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &rows[i].call);
		assert_int_equal(classify_signature(&s, &c), 0);
		if (!c.matched || strcmp(c.rule, rows[i].rule) != 0)
			fail_msg("%s of %s: expected rule %s, got %s", rows[i].call.syscall,
				 names_errno(rows[i].call.err), rows[i].rule,
				 c.matched ? c.rule : "none");
		if (c.subject.len != strlen(rows[i].subject) ||
		    memcmp(c.subject.data, rows[i].subject, c.subject.len) != 0)
			if (strcmp(rows[i].rule, "fds-host") != 0)
				fail_msg("%s: subject \"%s\", expected \"%s\"", rows[i].rule,
					 c.subject.data, rows[i].subject);
		classification_clear(&c);
		evidence_forget(&s);
	}
}

static void test_no_row_without_a_test(void **state)
{
	for (size_t r = 0; r < classify_rules(); r++) {
		bool found = false;

		for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
			found |= strcmp(rows[i].rule, classify_rule_name(r)) == 0;
		if (!found)
			fail_msg("rule %s has no test", classify_rule_name(r));
	}
}

/* No pair that a rule names may be benign in kernel: it would only be counted. */
static void test_no_rule_is_benign(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sf_sys *d = names_describe(rows[i].call.syscall);

		for (size_t k = 0; d && k < SF_BENIGN; k++)
			if (d->benign[k] && d->benign[k] == rows[i].call.err)
				fail_msg("%s %s is benign in kernel, and rule %s needs it",
					 rows[i].call.syscall, names_errno(rows[i].call.err),
					 rows[i].rule);
	}
	for (size_t i = 0; i < names_count(); i++) {
		const struct sf_sys *d = names_describe(names_at(i));
		uint32_t classes = names_class(names_at(i));

		for (size_t r = 0; r < n_rules; r++)
			for (size_t e = 0; e < RULE_ERRNOS && rules[r].errnos[e]; e++)
				for (size_t k = 0; rules[r].classes & classes && k < SF_BENIGN; k++)
					if (d->benign[k] == rules[r].errnos[e])
						fail_msg("%s %s is benign, rule %s names it",
							 names_at(i), names_errno(d->benign[k]),
							 rules[r].name);
	}
}

static void test_success_and_noise(void **state)
{
	struct signature s = { 0 };
	struct classification c;
	struct syscall calm = { "openat", ENOENT, "/usr/lib/none.so" };

	evidence_call(&s, &calm);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_false(c.matched);
	s.key.err = 0;
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_false(c.matched);
	evidence_forget(&s);
}

/* The override of mode bits is no missing capability: the bits are the owner. */
static void test_override_is_mode_bits(void **state)
{
	struct signature s = { 0 };
	struct classification c;
	struct syscall call = { "openat", EACCES, "/srv/w/plan.md", .cap_mask = 1 << 1 | 1 << 2 };

	evidence_call(&s, &call);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_int_equal(c.cause, CAUSE_FILE_PERMISSION_DENIED);
	classification_clear(&c);
	evidence_forget(&s);
}

/* Where the kernel has no tracepoint on the check, a lacking capability is inferred. */
static void test_implied_capability(void **state)
{
	struct signature s = { 0 };
	struct classification c;
	struct syscall call = { "chroot", EPERM, "/w", .creds = NOCAPS };

	evidence_call(&s, &call);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_int_equal(c.cause, CAUSE_CAPABILITY_MISSING);
	assert_string_equal(c.subject.data, "CAP_SYS_CHROOT");
	assert_int_equal(c.confidence, CONF_LIKELY); /* no check was seen */
	classification_clear(&c);
	evidence_forget(&s);
}

/* No mode bit lets anybody give a file away: to be its owner would not do either. */
static void test_chown_is_a_capability(void **state)
{
	struct syscall calls[] = {
		{ "chown", EPERM, "/w/f", .creds = NOCAPS, .explanation = &denies },
		{ "fchownat", EPERM, "/w/f", .cap_mask = 1, .explanation = &denies },
		{ "chown", EACCES, "/srv/w/f", .creds = NOCAPS, .explanation = &denies },
	};

	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &calls[i]);
		assert_int_equal(classify_signature(&s, &c), 0);
		assert_int_equal(c.cause,
				 i < 2 ? CAUSE_CAPABILITY_MISSING : CAUSE_FILE_PERMISSION_DENIED);
		assert_string_equal(c.subject.data, i < 2 ? "CAP_CHOWN" : "/srv/w/f");
		classification_clear(&c);
		evidence_forget(&s);
	}
}

/* What a mode of the sandbox's own mount denies is hidden only where something is there outside. */
static void test_mode_of_a_mount(void **state)
{
	struct explanation own = shut, inner = shut, same = shut;
	struct syscall calls[] = {
		{ "openat", EACCES, "/w/hidden/f", .explanation = &own, .cover_len = 9 },
		{ "openat", EACCES, "/w/hidden/f", .explanation = &inner, .cover_len = 2 },
		{ "openat", EACCES, "/w/hidden/f", .explanation = &same, .cover_len = 9 },
		{ "openat", EACCES, "/w/hidden/f", .explanation = &shut },
	};

	own.outside = OUTSIDE_ABSENT;
	same.outside_mode = same.culprit_mode;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		struct signature s = { 0 };
		struct classification c;

		evidence_call(&s, &calls[i]);
		assert_int_equal(classify_signature(&s, &c), 0);
		assert_int_equal(c.cause, CAUSE_FILE_PERMISSION_DENIED);
		classification_clear(&c);
		evidence_forget(&s);
	}
}

static void test_knob_has_value(void **state)
{
	struct signature s = { 0 };
	struct classification c;
	struct syscall call = { "vfork", EAGAIN, .limits = PIDS(10, 10) };

	evidence_call(&s, &call);
	assert_int_equal(classify_signature(&s, &c), 0);
	assert_non_null(strstr(c.knob, "pids.max of box above 10"));
	classification_clear(&c);
	evidence_forget(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row),
		cmocka_unit_test(test_no_row_without_a_test),
		cmocka_unit_test(test_no_rule_is_benign),
		cmocka_unit_test(test_success_and_noise),
		cmocka_unit_test(test_override_is_mode_bits),
		cmocka_unit_test(test_implied_capability),
		cmocka_unit_test(test_chown_is_a_capability),
		cmocka_unit_test(test_mode_of_a_mount),
		cmocka_unit_test(test_knob_has_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
