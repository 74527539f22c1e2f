/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls whose answer is no matter of modes, mounts or policies: file systems with rules of their own. */
#include <ctype.h>
#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "rules.h"
#include "rules_when.h"

#define CAP_SYS_PTRACE 19

/* What stands behind /proc/PID/, or NULL: another path, or one of its own process. */
static const char *below_process(const struct signature *s)
{
	char path[64];
	size_t n = s->subject.len < sizeof(path) - 1 ? s->subject.len : sizeof(path) - 1;
	char *at = path + strlen("/proc/");

	if (n <= strlen("/proc/") || memcmp(s->subject.data, "/proc/", strlen("/proc/")) != 0)
		return NULL;
	memcpy(path, s->subject.data, n);
	path[n] = '\0';
	if (strtoul(at, &at, 10) == s->ns_pid || *at != '/')
		return NULL;
	return s->subject.data + (at + 1 - path);
}

/* Files of another process that take the right to trace it, whatever their mode: ptrace(2),
 * PTRACE_MODE_READ; proc(5). */
bool is_ptrace_guarded(const struct signature *s)
{
	static const char *const names[] = { "exe",	  "cwd",	"root",	   "environ",
					     "maps",	  "mem",	"smaps",   "numa_maps",
					     "map_files", "fd",		"ns",	   "fdinfo",
					     "auxv",	  "io",		"syscall", "wchan",
					     "pagemap",	  "personality" };
	const char *name = below_process(s);

	if (!name || !signature_creds(s)->valid || s->key.err != EACCES ||
	    (s->state & SF_ST_LANDLOCK) ||
	    (signature_creds(s)->userns_level == 0 &&
	     (signature_creds(s)->cap_effective >> CAP_SYS_PTRACE & 1)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t n = strlen(names[i]);

		if (strncmp(name, names[i], n) == 0 && (!name[n] || name[n] == '/'))
			return true;
	}
	return false;
}

/* hidepid=1: EPERM for all below another user's /proc/PID (fs/proc/base.c, proc_pid_permission()). */
bool is_pid_hidden(const struct signature *s)
{
	return below_process(s) && s->key.err == EPERM && signature_creds(s)->valid &&
	       signature_creds(s)->fsuid;
}

/* Modes of sysctls bind root as well: no capability overrides them (fs/proc/proc_sysctl.c,
 * test_perm()). */
bool is_sysctl(const struct signature *s)
{
	const struct explanation *e = s->explanation;
	const char *at = s->subject.data ? strstr(s->subject.data, "/proc/sys") : NULL;

	return at && (!at[9] || at[9] == '/') && !(s->state & SF_ST_LANDLOCK) &&
	       (!e || !e->done || e->fs_magic == PROC_SUPER_MAGIC);
}

/* A cgroup that has processes or children is busy, too (cgroups(7)); that is nobody's mount. */
bool is_mount_point(const struct signature *s)
{
	const struct explanation *e = s->explanation;

	return on_volume(s) &&
	       !(e && e->done &&
		 (e->fs_magic == CGROUP2_SUPER_MAGIC || e->fs_magic == CGROUP_SUPER_MAGIC));
}

bool asks_exec(const struct signature *s)
{
	return s->args[strcmp(s->syscall, "access") == 0 ? 1 : 2] & X_OK;
}

bool is_huge_page(const struct signature *s)
{
	return strncmp(s->syscall, "mmap", 4) == 0 && (s->args[3] & MAP_HUGETLB);
}
