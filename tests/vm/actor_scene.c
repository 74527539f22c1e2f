/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that set the scene: what a sandbox would have done before. */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor.h"

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY), r;

	if (fd < 0)
		return -1;
	r = write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -1;
	close(fd);
	return r;
}

/* uid=N: that user, of no other group. */
static int word_uid(char *arg, char **rest)
{
	uid_t id = (uid_t)atoi(arg);
	int r = need("setgroups", setgroups(0, NULL));

	return r ?: need("setgid", setresgid(id, id, id)) ?: need("setuid", setresuid(id, id, id));
}

static const struct {
	const char *name;
	int resource;
} limits[] = {
	{ "as", RLIMIT_AS },	       { "core", RLIMIT_CORE },	    { "cpu", RLIMIT_CPU },
	{ "fsize", RLIMIT_FSIZE },     { "nofile", RLIMIT_NOFILE }, { "nproc", RLIMIT_NPROC },
	{ "memlock", RLIMIT_MEMLOCK },
};

/* limit=NAME:SOFT[:HARD] */
static int word_limit(char *arg, char **rest)
{
	char *value = behind(arg), *hard = behind(value);
	struct rlimit l = { .rlim_cur = strtoull(value, NULL, 10) };

	l.rlim_max = *hard ? strtoull(hard, NULL, 10) : l.rlim_cur;
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (strcmp(arg, limits[i].name) == 0)
			return need("setrlimit", setrlimit(limits[i].resource, &l));
	return 2;
}

static const struct {
	const char *name;
	int flag;
} spaces[] = {
	{ "mount", CLONE_NEWNS },
	{ "net", CLONE_NEWNET },
	{ "pid", CLONE_NEWPID },
};

/* space=NAME: a namespace of one's own. */
static int word_space(char *arg, char **rest)
{
	for (size_t i = 0; i < sizeof(spaces) / sizeof(spaces[0]); i++)
		if (strcmp(arg, spaces[i].name) == 0) {
			int r = need("unshare", unshare(spaces[i].flag));

			if (!r && spaces[i].flag == CLONE_NEWNS)
				r = need("mount",
					 mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
			return r;
		}
	return 2;
}

/* userspace=INSIDE:OUTSIDE: a user namespace with one id, the same for groups. */
static int word_userspace(char *arg, char **rest)
{
	char *outside = behind(arg), map[64];
	int r = need("unshare", unshare(CLONE_NEWUSER));

	snprintf(map, sizeof(map), "%s %s 1\n", arg, outside);
	return r ?: need("setgroups", put("/proc/self/setgroups", "deny"))
		 ?: need("uid_map", put("/proc/self/uid_map", map))
		 ?: need("gid_map", put("/proc/self/gid_map", map));
}

/* put=PATH:TEXT */
static int word_put(char *arg, char **rest)
{
	char *text = behind(arg);

	return need(arg, put(arg, text));
}

/* tmpfs=DIRECTORY:OPTIONS; with "nodev", "noexec" among them. */
static int word_tmpfs(char *arg, char **rest)
{
	char *options = behind(arg);
	unsigned long flags = 0;

	if (strcmp(options, "nodev") == 0)
		flags = MS_NODEV;
	if (strcmp(options, "noexec") == 0)
		flags = MS_NOEXEC;
	return need("mount", mount("none", arg, "tmpfs", flags, flags ? NULL : options));
}

/* readonly=DIRECTORY: a bind mount on itself, read-only. */
static int word_readonly(char *arg, char **rest)
{
	return need("bind", mount(arg, arg, NULL, MS_BIND, NULL))
		       ?: need("remount",
			       mount(NULL, arg, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL));
}

/* node=PATH: a copy of /dev/zero */
static int word_node(char *arg, char **rest)
{
	umask(0);
	return need(arg, mknod(arg, S_IFCHR | 0666, 1 << 8 | 5));
}

/* copy=FROM:TO: a program */
static int word_copy(char *arg, char **rest)
{
	char *to = behind(arg), buf[1 << 16];
	int in = open(arg, O_RDONLY), out = open(to, O_WRONLY | O_CREAT, 0755);
	ssize_t n = -1;

	while (in >= 0 && out >= 0 && (n = read(in, buf, sizeof(buf))) > 0)
		if (write(out, buf, (size_t)n) != n)
			return need(to, -1);
	close(in);
	close(out);
	return need(to, n);
}

/* file=PATH: an empty one of mode 0644. */
static int word_file(char *arg, char **rest)
{
	return need(arg, close(open(arg, O_WRONLY | O_CREAT, 0644)));
}

static int word_cd(char *arg, char **rest)
{
	return need(arg, chdir(arg));
}

static int word_chroot(char *arg, char **rest)
{
	return need(arg, chroot(arg)) ?: need("/", chdir("/"));
}

/* drop=N: all privileges of root, without capability N. */
static int word_drop(char *arg, char **rest)
{
	struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct d[2];
	int cap = atoi(arg), r = need("capget", syscall(SYS_capget, &h, d));

	d[cap / 32].effective &= ~(1u << cap % 32);
	d[cap / 32].permitted &= ~(1u << cap % 32);
	d[cap / 32].inheritable &= ~(1u << cap % 32);
	return r ?: need("capset", syscall(SYS_capset, &h, d));
}

/* ---- seccomp ---- */

#ifdef __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#else
#define ARCH AUDIT_ARCH_AARCH64
#endif

/* The numbers that a libc may use for it. */
static const struct {
	const char *name;
	int nr[2];
} calls[] = {
#ifdef SYS_mkdir
	{ "mkdir", { SYS_mkdir, SYS_mkdirat } },
#else
	{ "mkdir", { SYS_mkdirat, SYS_mkdirat } },
#endif
	{ "getpriority", { SYS_getpriority, SYS_getpriority } },
	{ "kexec", { SYS_kexec_load, SYS_kexec_load } },
};

static uint32_t answer(const char *action)
{
	if (strcmp(action, "kill") == 0)
		return SECCOMP_RET_KILL_PROCESS;
	if (strcmp(action, "kill-thread") == 0)
		return SECCOMP_RET_KILL_THREAD;
	if (strcmp(action, "trap") == 0)
		return SECCOMP_RET_TRAP;
	return SECCOMP_RET_ERRNO | (uint32_t)atoi(action);
}

static int install(const int nr[2], uint32_t action)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr[0], 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)nr[1], 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, action),
	};
	struct sock_fprog program = { .len = sizeof(code) / sizeof(code[0]), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

/* filter=CALL:ACTION: kill, kill-thread, trap, or the number of an errno. */
static int word_filter(char *arg, char **rest)
{
	char *action = behind(arg);

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (strcmp(arg, calls[i].name) == 0)
			return need("seccomp", install(calls[i].nr, answer(action)));
	return 2;
}

/* ---- other policies ---- */

/* landlock=DIRECTORY: files may be written below it alone; linux/landlock.h, ABI 1. */
static int word_landlock(char *arg, char **rest)
{
	enum { WRITE_FILE = 1 << 1, MAKE_REG = 1 << 8, MAKE_DIR = 1 << 7 };
	uint64_t handled = WRITE_FILE | MAKE_REG | MAKE_DIR;
	struct {
		uint64_t allowed;
		int32_t parent;
	} __attribute__((packed)) rule = { .allowed = handled };
	int set = (int)syscall(444, &handled, sizeof(handled), 0), r;

	r = need("landlock", set);
	if (r)
		return r;
	rule.parent = open(arg, O_PATH);
	return need(arg, rule.parent) ?: need("landlock", syscall(445, set, 1, &rule, 0))
		?: need("no_new_privs", prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		?: need("landlock", syscall(446, set, 0));
}

/* profile=NAME: of AppArmor, from the next exec on. */
static int word_profile(char *arg, char **rest)
{
	char text[256];

	snprintf(text, sizeof(text), "exec %s", arg);
	return need("profile", put("/proc/self/attr/apparmor/exec", text) < 0
				       ? put("/proc/self/attr/exec", text)
				       : 0);
}

/* mdwe: PR_SET_MDWE, 6.3 */
static int word_mdwe(char *arg, char **rest)
{
	return need("mdwe", prctl(65, 1, 0, 0, 0));
}

const struct word scene_words[] = {
	{ "uid", word_uid },
	{ "limit", word_limit },
	{ "space", word_space },
	{ "userspace", word_userspace },
	{ "put", word_put },
	{ "tmpfs", word_tmpfs },
	{ "readonly", word_readonly },
	{ "node", word_node },
	{ "copy", word_copy },
	{ "file", word_file },
	{ "cd", word_cd },
	{ "chroot", word_chroot },
	{ "drop", word_drop },
	{ "filter", word_filter },
	{ "landlock", word_landlock },
	{ "profile", word_profile },
	{ "mdwe", word_mdwe },
	{ 0 },
};
