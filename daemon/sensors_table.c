/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>
#include <bpf/btf.h>

#include "grants.h"
#include "sensors_table.h"
#include "util.h"
#include "../bpf/hooks.h"

#define APPARMOR_ENABLED "/sys/module/apparmor/parameters/enabled"

const struct btf_type *sensor_tracepoint(const struct btf *btf, const char *name)
{
	const struct btf_type *t;
	char type[64];
	int id;

	snprintf(type, sizeof(type), "btf_trace_%s", name);
	id = btf__find_by_name_kind(btf, type, BTF_KIND_TYPEDEF);
	if (id < 0)
		return NULL;
	t = btf__type_by_id(btf, btf__type_by_id(btf, (__u32)id)->type);
	if (!t || !btf_is_ptr(t))
		return NULL;
	t = btf__type_by_id(btf, t->type);
	return t && btf_is_func_proto(t) ? t : NULL;
}

/* 6.9 gave mark_victim the task in place of a pid (72ba14deb40a). Parameter 0 is libbpf's. */
static bool victim_fits(const struct sensor_ask *ask, const char *program)
{
	const struct btf_type *proto = sensor_tracepoint(ask->btf, "mark_victim");
	bool wants_task = strcmp(program, "handle_mark_victim") == 0, has_task;

	if (!proto || btf_vlen(proto) < 2)
		return false;
	has_task = btf_is_ptr(btf__type_by_id(ask->btf, btf_params(proto)[1].type));
	return has_task == wants_task;
}

/* Parameters that the tracepoint hands to a program; 0: there is no such tracepoint. */
static unsigned int tracepoint_args(const struct sensor_ask *ask, const char *name)
{
	const struct btf_type *proto = sensor_tracepoint(ask->btf, name);

	return proto && btf_vlen(proto) ? btf_vlen(proto) - 1U : 0;
}

/* include/trace/events/io_uring.h: in 5.10 completions do not carry the request, from 6.1 on they do;
 * with less it is not known what failed. The number of parameters tells each form. */
static bool request_fits(const struct sensor_ask *ask, const char *program)
{
	unsigned int complete = tracepoint_args(ask, "io_uring_complete");
	bool renamed = tracepoint_args(ask, "io_uring_submit_req") == 1;
	bool submit = renamed || tracepoint_args(ask, "io_uring_submit_sqe") == 2;

	if (!submit || (complete != 3 && complete != 7))
		return false;
	if (strcmp(program, "handle_io_uring_submit_req") == 0)
		return renamed;
	if (strcmp(program, "handle_io_uring_submit_sqe") == 0)
		return !renamed;
	return (strcmp(program, "handle_io_uring_complete") == 0) == (complete == 3);
}

/* The tracepoint came with 6.14 (d48da4d5ed7b). */
static bool capability_fits(const struct sensor_ask *ask, const char *program)
{
	return strcmp(program, "handle_cap_capable") != 0 ||
	       sensor_tracepoint(ask->btf, "cap_capable");
}

/* Built into many kernels that do not run it. */
static bool apparmor_fits(const struct sensor_ask *ask, const char *program)
{
	_cleanup_free_ char *enabled = NULL;

	return strncmp(program, "handle_apparmor_", 16) != 0 ||
	       (util_read_file(APPARMOR_ENABLED, 8, &enabled) > 0 && enabled[0] == 'Y');
}

/* Yama may be left out of a kernel. A refused capability is told from a refusing hook by the former's
 * own sensor. */
static bool task_hook_fits(const struct sensor_ask *ask, const char *program)
{
	if (strcmp(program, "handle_yama_access") == 0)
		return grants_function(ask->grants, "yama_ptrace_access_check") >= 0;
	if (strcmp(program, "handle_yama_traceme") == 0)
		return grants_function(ask->grants, "yama_ptrace_traceme") >= 0;
	return strcmp(program, "handle_hook_capable") != 0 || ask->capabilities;
}

/* The function was renamed between 6.18 and 7.3. */
static bool lookup_fits(const struct sensor_ask *ask, const char *program)
{
	bool renamed = grants_function(ask->grants, "do_file_open") >= 0;

	if (strcmp(program, "handle_lookup") == 0)
		return !renamed;
	if (strcmp(program, "handle_lookup_renamed") == 0)
		return renamed;
	return strcmp(program, "handle_loader_open") != 0 ||
	       grants_function(ask->grants, "bprm_open_interpreter") >= 0;
}

/* Are the tracepoints of this kernel guarded by SRCU alone (a46023d5616e, 7.0), so that a program on one
 * may be preempted? Their domain is known by its data for each CPU, of which BTF tells; older kernels
 * had one too, for a few of them, but not the guard that goes with it. */
static bool is_preemptible(const struct btf *btf)
{
	return btf__find_by_name_kind(btf, "tracepoint_srcu_srcu_data", BTF_KIND_VAR) >= 0 &&
	       btf__find_by_name_kind(btf, "class_srcu_fast_notrace_t", BTF_KIND_TYPEDEF) >= 0;
}

static bool syscall_fits(const struct sensor_ask *ask, const char *program)
{
	size_t len = strlen(program);
	bool held = strcmp(program + len - strlen("_held"), "_held") == 0;

	return held == is_preemptible(ask->btf);
}

/* The program on syscalls calls it, and calls functions of its own besides: of the compilers in the
 * kernel x86's can do both since 5.10 (ebf7d1f508a7), arm64's since 6.0 (d4609a5d8c70), when they were
 * first asked (95acd8817e66). */
static bool channel_fits(const struct sensor_ask *ask, const char *program)
{
#ifdef __x86_64__
	bool calls = true;
#else
	bool calls = btf__find_by_name_kind(ask->btf, "bpf_jit_supports_subprog_tailcalls",
					    BTF_KIND_FUNC) >= 0;
#endif
	return calls && syscall_fits(ask, program);
}

/* Of a process's end alone there are two. */
static bool process_fits(const struct sensor_ask *ask, const char *program)
{
	return !strstr(program, "_exit") || syscall_fits(ask, program);
}

#define HOOK_PROGRAM(id, name)	   "handle_hook_" #name,
#define APPARMOR_PROGRAM(id, name) "handle_apparmor_" #name,

/* In the order of attaching; detached from the end. */
const struct sensor sensor_table[SENSORS] = {
	{ "cgroups",
	  false,
	  "cgroup_mkdir",
	  { "handle_cgroup_mkdir", "handle_cgroup_rmdir", "handle_cgroup_release",
	    "handle_cgroup_attach_task" },
	  NULL,
	  false,
	  "tasks known by a path template, and cgroups made below a task's own" },
	{ "processes",
	  false,
	  "sched_process_exec",
	  { "handle_sched_process_fork", "handle_sched_process_exec", "handle_sched_process_exit",
	    "handle_sched_process_exit_held" },
	  process_fits,
	  false,
	  "how processes ended and what they wrote to stderr" },
	{ "signals",
	  false,
	  "signal_generate",
	  { "handle_signal_generate" },
	  NULL,
	  false,
	  "who sent a deadly signal" },
	{ "oom",
	  false,
	  "mark_victim",
	  { "handle_mark_victim", "handle_mark_victim_pid" },
	  victim_fits,
	  false,
	  "the OOM killer's choice and the cgroup at its limit" },
	{ "network",
	  true,
	  "inet_sock_set_state",
	  { "handle_inet_sock_set_state" },
	  NULL,
	  false,
	  "TCP connections that failed after a non-blocking connect" },
	/* The tracepoint came with 5.14 (e6a3e4434000). */
	{ "peers",
	  true,
	  "inet_sk_error_report",
	  { "handle_inet_sk_error_report" },
	  NULL,
	  false,
	  "UDP peers that refuse while nobody reads: a resolver that is not there" },
	{ "requests",
	  true,
	  "io_uring_complete",
	  { "handle_io_uring_submit_req", "handle_io_uring_submit_sqe", "handle_io_uring_complete",
	    "handle_io_uring_complete_res" },
	  request_fits,
	  false,
	  "requests of io_uring that fail: they are no syscalls" },
	{ "capabilities",
	  true,
	  NULL,
	  { "handle_cap_capable", "handle_cap_capable_exit", "handle_cap_capable_enter",
	    "handle_cap_capable_return" },
	  capability_fits,
	  true,
	  "which capability was missing: EPERM is told from other policies by exclusion only" },
	{ "hooks-file",
	  true,
	  NULL,
	  { "handle_hook_multi", SF_HOOKS_APPARMOR(APPARMOR_PROGRAM) SF_HOOKS_FILE(HOOK_PROGRAM)
					 SF_HOOKS_FILE_MORE(HOOK_PROGRAM) },
	  apparmor_fits,
	  true,
	  "which hook refused a file: policies are told from mode bits and devices by exclusion" },
	{ "hooks-exec",
	  true,
	  NULL,
	  { "handle_hook_multi", SF_HOOKS_EXEC(HOOK_PROGRAM) SF_HOOKS_EXEC_MORE(HOOK_PROGRAM) },
	  NULL,
	  true,
	  "which hook refused a program: policies are told from mode bits by exclusion" },
	{ "hooks-mount",
	  true,
	  NULL,
	  { "handle_hook_multi", SF_HOOKS_MOUNT(HOOK_PROGRAM) SF_HOOKS_MOUNT_MORE(HOOK_PROGRAM) },
	  NULL,
	  true,
	  "which hook refused a mount: policies are told by exclusion" },
	{ "hooks-socket",
	  true,
	  NULL,
	  { "handle_hook_multi", SF_HOOKS_SOCKET(HOOK_PROGRAM) SF_HOOKS_SOCKET_MORE(HOOK_PROGRAM) },
	  NULL,
	  true,
	  "which hook refused a socket: policies are told from packet filters by exclusion" },
	{ "hooks-task",
	  true,
	  NULL,
	  { "handle_hook_multi", "handle_yama_access", "handle_yama_traceme",
	    SF_HOOKS_TASK(HOOK_PROGRAM) SF_HOOKS_TASK_MORE(HOOK_PROGRAM)
		    SF_HOOKS_CAPABLE(HOOK_PROGRAM) },
	  task_hook_fits,
	  true,
	  "which hook refused an access to a process, a namespace or a capability that was held" },
	{ "lookups",
	  true,
	  NULL,
	  { "handle_lookup", "handle_lookup_renamed", "handle_exec_open", "handle_loader_open" },
	  lookup_fits,
	  false,
	  "opens that were no syscalls: of io_uring, and the loader or interpreter inside an "
	  "exec" },
	{ "channels",
	  true,
	  NULL,
	  { "handle_channel_exit", "handle_channel_exit_held" },
	  channel_fits,
	  false,
	  "what was said between a tool's client and its server",
	  "channel_programs" },
	{ "syscalls",
	  false,
	  "sys_exit",
	  { "handle_sys_enter", "handle_sys_exit", "handle_sys_enter_held",
	    "handle_sys_exit_held" },
	  syscall_fits,
	  false,
	  "everything: no failing syscall is seen" },
};

bool sensor_can_be_off(const char *name)
{
	for (size_t i = 0; i < SENSORS; i++)
		if (sensor_table[i].optional && strcmp(sensor_table[i].name, name) == 0)
			return true;
	for (size_t i = 0; i < GRANTS; i++)
		if (strcmp(grant_names[i], name) == 0)
			return true;
	return false;
}

bool sensor_in_list(const char *list, const char *name)
{
	size_t len = strlen(name);

	for (const char *p = list; p && *p; p += strcspn(p, ",") + (p[strcspn(p, ",")] == ','))
		if (strcspn(p, ",") == len && memcmp(p, name, len) == 0)
			return true;
	return false;
}
