/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of processes and users, mount flags, full disks. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "suite.h"

/* A controller's cgroups for a task: where it is limited, and where its processes go. */
struct place {
	char task[PATH_MAX];	/* of cgroup2: the task */
	char limited[PATH_MAX]; /* by the controller, whichever version it has */
	char inner[PATH_MAX];
	bool v1;
};

/* limited / task / inner on cgroup2, the limit on the task itself where it is its own. */
static bool place_make(struct run *t, struct place *p, const char *controller, bool own)
{
	const char *mount = cgroup_v1(controller);
	char name[NAME_MAX];

	p->v1 = mount;
	if (!mount && !cgroup_has(controller)) {
		skip(t, "nobody has the %s controller", controller);
		return false;
	}
	cgroup_make(t, p->task, t->test->name);
	if (mount) {
		cgroup_make_v1(t, p->limited, mount, t->test->name);
		snprintf(name, sizeof(name), "%s/inner", t->test->name);
		cgroup_make_v1(t, p->inner, mount, name);
		return !over(t);
	}
	path_set(p->limited, "%s", p->task);
	cgroup_hand_down(p->task);
	snprintf(name, sizeof(name), "%s/inner", t->test->name);
	cgroup_make(t, p->inner, name);
	if (!own)
		path_set(p->task, "%s", p->inner);
	return !over(t);
}

static void place_limit(struct run *t, const struct place *p, const char *file, const char *value)
{
	check(t, cgroup_put(p->limited, file, value), "%s/%s: %s", p->limited, file,
	      strerror(errno));
}

/* The task in such a place, and that the limit's owner is named. */
static void place_act(struct run *t, const struct place *p, const char *words,
		      const struct want *want)
{
	const char *const v2[] = { p->inner, NULL }, *const both[] = { p->task, p->inner, NULL };
	_cleanup_json_ struct json_object *task = NULL;
	struct child c;

	task_prepare(t, &c, t->test->name, p->v1 ? both : v2, words);
	begin_cgroup(t, t->test->name, p->task);
	child_go(&c);
	task_finish(t, &c);
	task = end_task(t, &shared, t->test->name);
	if (over(t))
		return;
	judge(t, task, want);
	if (t->test->after)
		t->test->after(t, task);
}

static const char *owner_name(const struct place *p)
{
	return strstr(p->limited, cgroup_top) - 1;
}

static void out_of_memory(struct run *t, bool own)
{
	struct want want = { "sandbox/memory/oom-cgroup", NULL, "killed", .signal = "SIGKILL" };
	struct place p;

	if (!place_make(t, &p, "memory", own))
		return;
	place_limit(t, &p, p.v1 ? "memory.limit_in_bytes" : "memory.max", "33554432");
	if (!p.v1)
		cgroup_put(p.limited, "memory.swap.max", "0"); /* where there is any swap */
	want.subject = owner_name(&p);
	place_act(t, &p, "alloc=128", &want);
}

static void oom_own(struct run *t)
{
	out_of_memory(t, true);
}

static void oom_parent(struct run *t)
{
	out_of_memory(t, false);
}

/* One process asks for the memory, all of the cgroup go. */
static void oom_group(struct run *t)
{
	struct want want = { "sandbox/memory/oom-cgroup", NULL, "killed", .signal = "SIGKILL" };
	struct place p;

	if (!place_make(t, &p, "memory", true))
		return;
	if (p.v1) {
		skip(t, "memory.oom.group is cgroup2's");
		return;
	}
	place_limit(t, &p, "memory.max", "33554432");
	place_limit(t, &p, "memory.oom.group", "1");
	cgroup_put(p.limited, "memory.swap.max", "0");
	want.subject = owner_name(&p);
	place_act(t, &p, "fork alloc=128", &want);
}

static void too_many_processes(struct run *t, bool own)
{
	static const struct want want = {
		"sandbox/pids/cgroup-limit", "clone", "failed", 1, NULL, "clone", "EAGAIN", 1
	};
	struct place p;

	if (!place_make(t, &p, "pids", own))
		return;
	place_limit(t, &p, "pids.max", "5");
	place_act(t, &p, "children=20", &want);
}

static void pids_own(struct run *t)
{
	too_many_processes(t, true);
}

static void pids_parent(struct run *t)
{
	too_many_processes(t, false);
}

/* ---- a quota of CPU ---- */

/* A tenth of a CPU, and what comes out of that. The tests are alone: beside others a program may get
 * no more than its quota, and is not throttled then. */
static bool place_throttle(struct run *t, struct place *p, struct want *want)
{
	if (!place_make(t, p, "cpu", true))
		return false;
	place_limit(t, p, p->v1 ? "cpu.cfs_quota_us" : "cpu.max", p->v1 ? "10000" : "10000 100000");
	want->verdict = "sandbox/cpu/throttled";
	want->subject = owner_name(p);
	return !over(t);
}

/* A program that is late by its own clock. */
static void throttled_and_late(struct run *t)
{
	struct want want = { .outcome = "failed", .exit = 1 };
	struct place p;

	if (place_throttle(t, &p, &want))
		place_act(t, &p, "work=1500", &want);
}

/* Half a second of waiting for the next period, by the kernel's word. */
static bool is_throttled(void *arg)
{
	const struct place *p = arg;
	const char *key = p->v1 ? "throttled_time " : "throttled_usec ", *value;
	_cleanup_free_ char *text = NULL;
	char path[PATH_MAX];

	path_set(path, "%s/cpu.stat", p->limited);
	text = read_all(path);
	value = strstr(text, key);
	return value && strtoll(value + strlen(key), NULL, 10) >= (p->v1 ? 500000000 : 500000);
}

/* A harness that loses patience. */
static void throttled_and_killed(struct run *t)
{
	struct want want = { .outcome = "killed", .signal = "SIGKILL" };
	_cleanup_json_ struct json_object *task = NULL;
	struct place p;
	const char *const v2[] = { p.inner, NULL }, *const both[] = { p.task, p.inner, NULL };
	struct child c;

	if (!place_throttle(t, &p, &want))
		return;
	task_prepare(t, &c, t->test->name, p.v1 ? both : v2, "spin");
	begin_cgroup(t, t->test->name, p.task);
	child_go(&c);
	check(t, wait_until(is_throttled, &p), "it is never throttled");
	kill(c.pid, SIGKILL);
	task_finish(t, &c);
	task = end_task(t, &shared, t->test->name);
	if (over(t))
		return;
	judge(t, task, &want);
	t->test->after(t, task);
}

static void names_quota(struct run *t, struct json_object *task)
{
	must_say(t, task, "above 10 %% of a CPU");
}

const struct test throttle_tests[] = {
	{ "throttled-and-late", .run = throttled_and_late, .after = names_quota, .alone = true },
	{ "throttled-and-killed", .run = throttled_and_killed, .after = names_quota,
	  .alone = true },
	{ 0 },
};

/* The limit's value, and the cgroup whose it is, stand in the evidence. */
static void names_memory_limit(struct run *t, struct json_object *task)
{
	const char *text = json_object_to_json_string_ext(task, JSON_C_TO_STRING_NOSLASHESCAPE);

	check(t, strstr(text, "32 MiB"), "expected the limit of 32 MiB in %.1500s", text);
}

static void names_pids_limit(struct run *t, struct json_object *task)
{
	const char *text = json_object_to_json_string_ext(task, JSON_C_TO_STRING_NOSLASHESCAPE);

	check(t, strstr(text, "of 5"), "expected the limit of 5 in %.1500s", text);
}

const struct test limit_tests[] = {
	{ "oom-own-limit", .run = oom_own, .after = names_memory_limit },
	{ "oom-parent-limit", .run = oom_parent, .after = names_memory_limit },
	{ "oom-group", .run = oom_group, .after = names_memory_limit },
	{ "pids-own-limit", .run = pids_own, .after = names_pids_limit },
	{ "pids-parent-limit", .run = pids_parent, .after = names_pids_limit },
	{ "limit-nofile", .words = "limit=nofile:24 descriptors=/dev/null",
	  .want = { "sandbox/fds/process-limit", "/dev/null", "failed", 1, NULL, "openat", "EMFILE",
		    1 } },
	{ "limit-nproc", .words = "limit=nproc:8 uid=48218 children=20",
	  .want = { "sandbox/pids/user-limit", "clone", "failed", 1, NULL, "clone", "EAGAIN", 1 } },
	{ "limit-as", .words = "limit=as:67108864 alloc=256",
	  .want = { "sandbox/memory/address-space", "mmap", "failed", 1, NULL, "mmap", "ENOMEM",
		    1 } },
	{ "limit-memlock", .words = "limit=memlock:65536 uid=48217 mlock=1048576",
	  .want = { "sandbox/memory/locked", "mlock", "failed", 1, NULL, "mlock", "ENOMEM", 1 } },
	{ "limit-fsize", .words = "limit=core:0 limit=fsize:65536 write=%D/big:200000",
	  .want = { "sandbox/quota/file-size", "%D/big", "killed", .signal = "SIGXFSZ" } },
	{ "limit-cpu", .words = "limit=core:0 limit=cpu:1:2 spin",
	  .want = { "sandbox/cpu/time-limit", NULL, "killed", .signal = "SIGXCPU" } },
	{ 0 },
};

static void make_mount_point(struct run *t)
{
	_cleanup_free_ char *path = expand(t, "%D/m");

	check(t, mkdir(path, 0755) == 0, "%s: %s", path, strerror(errno));
}

const struct test file_tests[] = {
	{ "read-only", .words = "space=mount readonly=%D create=%D/f",
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "read-only-relative", .words = "space=mount readonly=%D cd=%D create=f",
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "read-only-below-chroot", .words = "space=mount readonly=%D chroot=%D create=/f",
	  .want = { "sandbox/read-only/mount", "/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "noexec",
	  .words = "space=mount tmpfs=%D/m:noexec copy=%A:%D/m/actor keep run=%D/m/actor hold "
		   "exit=126",
	  .prepare = make_mount_point,
	  .want = { "sandbox/noexec/mount", "%D/m/actor", "failed", 126, NULL, "execve", "EACCES",
		    1 } },
	{ "nodev",
	  .words = "space=mount tmpfs=%D/m:nodev node=%D/m/zero keep open=%D/m/zero hold exit=1",
	  .prepare = make_mount_point,
	  .want = { "sandbox/masked/file", "%D/m/zero", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "disk-full",
	  .words = "space=mount tmpfs=%D/m:size=64k keep write=%D/m/f:1000000 hold exit=1",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/full", "%D/m/f", "failed", 1, NULL, "write", "ENOSPC", 1 } },
	{ "disk-inodes",
	  .words =
		  "space=mount tmpfs=%D/m:nr_inodes=2 create=%D/m/a keep create=%D/m/b hold exit=1",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/inodes", "%D/m/b", "failed", 1, NULL, "openat", "ENOSPC", 1 } },
	{ "disk-full-mapping",
	  .words = "limit=core:0 space=mount tmpfs=%D/m:size=64k map=%D/m/f:1000000",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/shm-full", "%D/m/f", "killed", .signal = "SIGBUS" } },
	{ 0 },
};
