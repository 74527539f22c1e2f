/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an optional sensor sees in another way than its first, and what is said where it sees nothing;
 * and refusals that such a sensor alone can name: of Yama, of requests of io_uring.
 */
#include <errno.h>
#include <string.h>

#include "suite.h"

#define SCOPE	 "/proc/sys/kernel/yama/ptrace_scope"
#define CHOWN	 "drop=0 chown=1000:%D/file"
#define LOW_PORT "space=net loopback drop=10 bind=127.0.0.1:80"

/* What two daemons do without; those of a list take turns. */
#define BARE	    "fexit,kprobe-multi" /* kprobes are left to them, which serve capabilities alone */
#define FEXIT_ALONE "kprobe-multi,capabilities,requests"

#define FORBIDDEN "profile=" PROFILE " exec %A keep create=%D/forbidden hold exit=1"
#define OUTSIDE	  "landlock=%D/in create=%D/in/fine create=%D/refused"

/* One of each daemon, so that both start at once and early. */
const struct test hook_tests[] = {
	{ "apparmor-by-fexit", .off = FEXIT_ALONE, .needs = has_profile, .words = FORBIDDEN,
	  .sensor = "hooks-file", .way = "by fexit",
	  .want = { "sandbox/lsm/apparmor", "%D/forbidden", "failed", 1, NULL, "openat", "EACCES",
		    1 },
	  .says = "the hook path_mknod refused it" },
	{ "capability-by-kprobe", .off = BARE, .words = CHOWN, .prepare = make_places,
	  .sensor = "capabilities", .way = "by kprobe",
	  .want = { "sandbox/capability/missing", "CAP_CHOWN", "failed", 1, NULL, NULL, "EPERM",
		    1 } },
	{ 0 },
};

const struct test way_tests[] = {
	{ "capability-by-kprobe-low-port", .off = BARE, .words = LOW_PORT, .sensor = "capabilities",
	  .way = "by kprobe",
	  .want = { "sandbox/capability/missing", "CAP_NET_BIND_SERVICE", "failed", 1, NULL, "bind",
		    "EACCES", 1 } },
	{ "capability-implied", /* what no check was seen to say, the call and what it held do */
	  .off = FEXIT_ALONE, .words = CHOWN, .prepare = make_places,
	  .want = { "sandbox/capability/missing", "CAP_CHOWN", "failed", 1, NULL, NULL, "EPERM",
		    1 } },
	{ "capability-unseen", .off = FEXIT_ALONE, .words = LOW_PORT,
	  .want = { "sandbox/lsm/unnamed", NULL, "failed", 1, NULL, "bind", "EACCES", 1 } },
	{ "apparmor-unhooked", .off = BARE, .needs = has_profile, .words = FORBIDDEN,
	  .want = { "sandbox/lsm/unnamed", "%D/forbidden", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "landlock-by-fexit", .off = FEXIT_ALONE, .needs = has_landlock, .words = OUTSIDE,
	  .prepare = make_places, .sensor = "hooks-file", .way = "by fexit",
	  .want = { "sandbox/lsm/landlock", "%D/refused", "failed", 1, NULL, "openat", "EACCES",
		    1 },
	  .says = "the hook path_mknod refused it" },
	{ "landlock-unhooked", .off = BARE, .needs = has_landlock, .words = OUTSIDE,
	  .prepare = make_places,
	  .want = { "sandbox/lsm/landlock", "%D/refused", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "ring-open-by-lookups", .off = FEXIT_ALONE, .prepare = make_places,
	  .words = "uid=48217 ring=%D/secret", .sensor = "lookups",
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, NULL,
		    "EACCES", 1 },
	  .says = "opened through io_uring" },
	{ 0 },
};

/* ---- Yama ---- */

static void has_yama(struct run *t)
{
	if (access(SCOPE, W_OK) < 0)
		skip(t, "this kernel has no Yama: %s", strerror(errno));
}

/* Both are alone: the setting is the machine's, and is put back. */
static void under_scope(struct run *t, const char *scope)
{
	_cleanup_free_ char *before = read_all(SCOPE);

	check(t, cgroup_put("/proc/sys/kernel/yama", "ptrace_scope", scope), "%s: %s", SCOPE,
	      strerror(errno));
	if (!over(t))
		run_words(t);
	check(t, cgroup_put("/proc/sys/kernel/yama", "ptrace_scope", before), "%s: %s", SCOPE,
	      strerror(errno));
}

static void descendants_alone(struct run *t)
{
	under_scope(t, "1");
}

static void administrators_alone(struct run *t)
{
	under_scope(t, "2");
}

/* A process whose user was changed may be attached to by nobody; the exec lets go of that. */
const struct test yama_tests[] = {
	{ "yama-attach", .needs = has_yama, .run = descendants_alone, .alone = true,
	  .words = "uid=48217 exec %A fork attach", .sensor = "hooks-task",
	  .want = { "sandbox/lsm/unnamed", "ptrace PTRACE_SEIZE", "failed", 1, NULL, "ptrace",
		    "EPERM", 1 },
	  .without = { "sandbox/capability/missing", "CAP_SYS_PTRACE", "failed", 1, NULL, "ptrace",
		       "EPERM", 1 },
	  .says = "kernel.yama.ptrace_scope" },
	{ "yama-traceme", .needs = has_yama, .run = administrators_alone, .alone = true,
	  .words = "uid=48217 exec %A fork traceme", .sensor = "hooks-task",
	  .want = { "sandbox/lsm/unnamed", "ptrace PTRACE_TRACEME", "failed", 1, NULL, "ptrace",
		    "EPERM", 1 },
	  .without = { "sandbox/lsm/unnamed", NULL, "failed", 1, NULL, "ptrace", "EPERM", 1 },
	  .says = "kernel.yama.ptrace_scope" },
	{ 0 },
};

/* ---- io_uring ---- */

#define REQUEST "a request of io_uring, no syscall of its own"

const struct test ring_tests[] = {
	{ "ring-connect", .words = "space=net loopback ring-connect=127.0.0.1:9",
	  .sensor = "requests",
	  .want = { "sandbox/network/refused", "127.0.0.1:9", "failed", 1, NULL, "connect",
		    "ECONNREFUSED", 1 },
	  .says = REQUEST },
	{ "ring-rename", .prepare = make_places, .sensor = "requests",
	  .words = "uid=48217 ring-rename=%D/file:%D/other",
	  .want = { "sandbox/file-permission/denied", "%D/other", "failed", 1, NULL, NULL, "EACCES",
		    1 },
	  .says = REQUEST },
	{ "ring-unlink", .prepare = make_places, .sensor = "requests",
	  .words = "uid=48217 ring-unlink=%D/file",
	  .want = { "sandbox/file-permission/denied", "%D/file", "failed", 1, NULL, NULL, "EACCES",
		    1 },
	  .says = REQUEST },
	{ 0 },
};
