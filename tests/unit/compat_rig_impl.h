/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The body of compat_x86.c and compat_arm64.c, which set __TARGET_ARCH_*, RIG and FIELDS: the
 * programs' own header, with a kernel whose memory is ours. libc's headers can't be had here, since
 * the kernel's types have the same names.
 */
#ifndef SANDFAULT_COMPAT_RIG_IMPL_H
#define SANDFAULT_COMPAT_RIG_IMPL_H

#pragma GCC diagnostic ignored "-Wunknown-pragmas" /* clang's, of vmlinux.h */

#include "compat_rig.h"
#include "../../vmlinux/vmlinux.h"
#include "../../bpf/event.h"

#define SANDFAULT_MAPS_BPF_H /* the maps are of no use here */
#define __always_inline	     inline __attribute__((always_inline, unused))

static struct pt_regs rig_regs;
static struct task_struct rig_task;
static bool has_helpers;

#define copy(to, from, n) __builtin_memcpy(to, from, n)

static int read_memory(void *to, u32 n, const void *from)
{
	if (!from)
		return -14;
	copy(to, from, n);
	return 0;
}

#define bpf_get_current_task_btf()		(&rig_task)
#define bpf_get_current_task()			((u64)&rig_task)
#define bpf_task_pt_regs(task)			((u64)&rig_regs)
#define bpf_probe_read_kernel			read_memory
#define bpf_probe_read_user			read_memory
#define bpf_core_read(to, n, from)		read_memory(to, n, from)
#define bpf_core_field_exists(...)		1
#define bpf_core_type_exists(type)		1
#define bpf_core_type_size(type)		sizeof(type)
#define bpf_core_field_offset(type, field)	__builtin_offsetof(type, field)
#define bpf_core_enum_value(type, value)	value
#define bpf_core_enum_value_exists(type, value) has_helpers
#define ARROW1(a, b)				(a)->b
#define ARROW2(a, b, c)				(a)->b->c
#define ARROW(a, b, name, ...)			name
#define BPF_CORE_READ(a, ...)			ARROW(__VA_ARGS__, ARROW2, ARROW1, )(a, __VA_ARGS__)
#define ___arrow(a, ...)			BPF_CORE_READ(a, __VA_ARGS__)

#include "../../bpf/compat.bpf.h"

static void rig_reset(bool helpers)
{
	__builtin_memset(&rig_regs, 0, sizeof(rig_regs));
	__builtin_memset(&rig_task, 0, sizeof(rig_task));
	has_helpers = helpers;
}

static bool rig_set(const char *name, unsigned long long value)
{
#define FIELD(key, place)                                                                          \
	if (!__builtin_strcmp(name, key)) {                                                        \
		place = value;                                                                     \
		return true;                                                                       \
	}
	FIELDS
#undef FIELD
	return false;
}

static void rig_args(unsigned long long args[6], bool is32)
{
	struct pt_regs *r = &rig_regs;

	compat_args(args, r, is32);
}

static unsigned long long rig_arg(int i, bool is32)
{
	struct pt_regs *r = &rig_regs;

	return i == 0 ? compat_arg0(r, is32) : i == 1 ? compat_arg1(r) : compat_arg2(r);
}

static unsigned int rig_raw_nr(void)
{
	struct pt_regs *r = &rig_regs;

	return compat_raw_nr(r);
}

static int rig_nr(unsigned int raw)
{
	return compat_nr(raw);
}

static int rig_abi(unsigned int raw, bool is32)
{
	return (int)compat_abi(raw, is32);
}

static bool rig_is32(void)
{
	return compat_is_32bit(compat_current(), &rig_regs);
}

static void rig_call(unsigned long long call[6])
{
	struct pt_regs *r = &rig_regs;

	compat_call(call, r);
}

static int rig_msghdr(unsigned long long fields[4], const void *at, bool is32)
{
	struct msghdr_native msg = {};
	int err = compat_msghdr(&msg, (u64)at, is32);

	fields[0] = msg.name;
	fields[1] = msg.namelen;
	fields[2] = msg.iov;
	fields[3] = msg.iovlen;
	return err ? -1 : 0;
}

static int rig_iovec(unsigned long long fields[2], const void *at, unsigned int i, bool is32)
{
	struct iovec_native iov = {};
	int err = compat_iovec(&iov, (u64)at, i, is32);

	fields[0] = iov.base;
	fields[1] = iov.len;
	return err ? -1 : 0;
}

const struct compat_rig RIG = {
	.reset = rig_reset,
	.set = rig_set,
	.args = rig_args,
	.arg = rig_arg,
	.raw_nr = rig_raw_nr,
	.nr = rig_nr,
	.abi = rig_abi,
	.is32 = rig_is32,
	.call = rig_call,
	.msghdr = rig_msghdr,
	.iovec = rig_iovec,
	.fork_is_silent = COMPAT_FORK_IS_SILENT,
};

#endif
