/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>
#include <bpf/btf.h>

#include "sensors_table.h"
#include "util.h"

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
static bool victim_fits(const struct btf *btf, const char *program)
{
	const struct btf_type *proto = sensor_tracepoint(btf, "mark_victim");
	bool wants_task = strcmp(program, "handle_mark_victim") == 0, has_task;

	if (!proto || btf_vlen(proto) < 2)
		return false;
	has_task = btf_is_ptr(btf__type_by_id(btf, btf_params(proto)[1].type));
	return has_task == wants_task;
}

/* In the order of attaching; detached from the end. */
const struct sensor sensor_table[SENSORS] = {
	{ "cgroups",
	  false,
	  "cgroup_mkdir",
	  { "handle_cgroup_mkdir", "handle_cgroup_rmdir", "handle_cgroup_release",
	    "handle_cgroup_attach_task" },
	  NULL,
	  "tasks known by a path template, and cgroups made below a task's own" },
	{ "processes",
	  false,
	  "sched_process_exec",
	  { "handle_sched_process_fork", "handle_sched_process_exec", "handle_sched_process_exit" },
	  NULL,
	  "how processes ended and what they wrote to stderr" },
	{ "signals",
	  false,
	  "signal_generate",
	  { "handle_signal_generate" },
	  NULL,
	  "who sent a deadly signal" },
	{ "oom",
	  false,
	  "mark_victim",
	  { "handle_mark_victim", "handle_mark_victim_pid" },
	  victim_fits,
	  "the OOM killer's choice and the cgroup at its limit" },
	{ "network",
	  true,
	  "inet_sock_set_state",
	  { "handle_inet_sock_set_state" },
	  NULL,
	  "TCP connections that failed after a non-blocking connect" },
	/* The tracepoint came with 5.14 (e6a3e4434000). */
	{ "peers",
	  true,
	  "inet_sk_error_report",
	  { "handle_inet_sk_error_report" },
	  NULL,
	  "UDP peers that refuse while nobody reads: a resolver that is not there" },
	/* The tracepoint came with 6.14 (d48da4d5ed7b). */
	{ "capabilities",
	  true,
	  "cap_capable",
	  { "handle_cap_capable" },
	  NULL,
	  "which capability was missing: EPERM is told from other policies by exclusion only" },
	{ "syscalls",
	  false,
	  "sys_exit",
	  { "handle_sys_enter", "handle_sys_exit" },
	  NULL,
	  "everything: no failing syscall is seen" },
};
