/* SPDX-License-Identifier: GPL-2.0-only */
/* What check_btf must find, and what it must leave alone: held against 6.1, see broken.expected. */
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>

#define READ(type, from, field) BPF_CORE_READ((struct type *)(from), field)

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct task_struct___wrong {
	int no_such_field;
	struct cred *comm; /* an array there */
};

struct pt_regs___wrong {
	unsigned long orig_bx;
};

struct no_such_type {
	int field;
};

enum bpf_func_id___wrong { BPF_FUNC_no_such_helper___wrong = 9999, BPF_FUNC_map_lookup_elem };

#pragma clang attribute pop

char LICENSE[] SEC("license") = "GPL";
u64 sink = 0;

static __noinline int deeper(struct task_struct *task)
{
	return READ(task_struct___wrong, task, no_such_field);
}

SEC("tp_btf/sys_exit")
int BPF_PROG(good_guarded, struct pt_regs *regs, long ret)
{
	struct task_struct___wrong *task = (void *)bpf_get_current_task();

	if (bpf_core_field_exists(task->no_such_field))
		sink = BPF_CORE_READ(task, no_such_field);
	if (bpf_core_type_exists(struct no_such_type))
		sink += READ(no_such_type, task, field) + deeper((void *)task);
	if (bpf_core_enum_value_exists(enum bpf_func_id___wrong, BPF_FUNC_no_such_helper___wrong))
		((long (*)(void))9999)();
	if (bpf_core_enum_value_exists(enum bpf_func_id___wrong, BPF_FUNC_map_lookup_elem))
		sink += regs->sp + ret;
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_field, struct pt_regs *regs, long ret)
{
	sink = READ(task_struct___wrong, bpf_get_current_task(), no_such_field);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_kind_of_field, struct pt_regs *regs, long ret)
{
	sink = (u64)READ(task_struct___wrong, bpf_get_current_task(), comm);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_guard, struct pt_regs *regs, long ret)
{
	struct task_struct___wrong *task = (void *)bpf_get_current_task();

	if (!bpf_core_field_exists(task->no_such_field))
		sink = READ(no_such_type, task, field);
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_direct, struct pt_regs *regs, long ret)
{
	return ((struct pt_regs___wrong *)regs)->orig_bx;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_count, struct pt_regs *regs, long ret, long more)
{
	sink = more;
	return 0;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_type, struct task_struct *task, long ret)
{
	return task->pid;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_number, struct pt_regs *regs, struct task_struct *ret)
{
	return ret->pid;
}

SEC("tp_btf/sys_exit")
int BPF_PROG(bad_helper, struct pt_regs *regs, long ret)
{
	return ((long (*)(void))9999)();
}

SEC("tp_btf/no_such_tracepoint")
int BPF_PROG(bad_place, struct pt_regs *regs, long ret)
{
	return 0;
}
