/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between kernels (asked of BTF, never of the version) and between architectures.
 * Each question names the change that made it necessary.
 */
#ifndef SANDFAULT_COMPAT_BPF_H
#define SANDFAULT_COMPAT_BPF_H

#include "maps.bpf.h"

/* ---- helpers ---- */

#define compat_has(helper)                                                                         \
	__builtin_expect(bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_##helper), 1)

/* The current task. A pointer that may be followed came with 5.11 (3ca1032ab7ab); before, it is a
 * number to the verifier, and what it points at is read with TASK_READ. */
static __always_inline struct task_struct *compat_current(void)
{
	if (compat_has(get_current_task_btf))
		return bpf_get_current_task_btf();
	return (void *)bpf_get_current_task();
}

/* A field of a task that may be the current one, or of what it points at: as BPF_CORE_READ, but
 * without a call where the kernel lets us follow the pointer. */
#define TASK_READ(task, ...)                                                                       \
	(compat_has(get_current_task_btf) ? ___arrow(task, ##__VA_ARGS__)                          \
					  : BPF_CORE_READ(task, ##__VA_ARGS__))

/* The registers that the current task entered the kernel with. The helper came with 5.15
 * (dd6e10fbd9fb); before, they are looked for where task_pt_regs() does, at the stack's end. */
static __always_inline struct pt_regs *compat_regs(struct task_struct *current)
{
	u64 stack;

	if (compat_has(task_pt_regs))
		return (void *)bpf_task_pt_regs(current);
	stack = (u64)TASK_READ(current, stack);
	return (void *)(stack + THREAD_SIZE - bpf_core_type_size(struct pt_regs));
}

/* One of compat_regs()' or of a tracepoint's registers. */
#define REG(regs, name)                                                                            \
	(compat_has(task_pt_regs) ? (regs)->name : BPF_CORE_READ((struct pt_regs *)(regs), name))

/* Does seccomp mark the thread that it kills, by SECCOMP_MODE_DEAD? Since 5.17 (495ac3069a62),
 * the release of the helper that is asked for: the mark is a macro, of which BTF knows nothing. */
static __always_inline bool compat_marks_killed(void)
{
	return compat_has(loop);
}

/* ---- fields ---- */

/* A number that no other mount namespace ever had: `seq` served as one, until every namespace got
 * one of its own. */
static __always_inline u64 compat_mntns_id(struct mnt_namespace *ns)
{
	struct mnt_namespace___old *old = (void *)ns;

	if (bpf_core_field_exists(ns->ns.ns_id))
		return BPF_CORE_READ(ns, ns.ns_id);
	if (bpf_core_field_exists(old->seq))
		return BPF_CORE_READ(old, seq);
	return BPF_CORE_READ(ns, ns.inum);
}

/* 6.15 renamed kernfs_node.parent to __parent and put it under RCU (633488947ef6). */
static __always_inline struct kernfs_node *compat_kernfs_parent(struct kernfs_node *kn)
{
	struct kernfs_node___old *old = (void *)kn;

	if (bpf_core_field_exists(old->parent))
		return BPF_CORE_READ(old, parent);
	return BPF_CORE_READ(kn, __parent);
}

/* 5.15 made sock_cgroup_data a plain pointer (8520e224f547). Before, an odd value is no pointer
 * but the v1 net_prio and net_cls numbers. */
static __always_inline struct cgroup *compat_sock_cgroup(const struct sock *sk)
{
	struct sock_cgroup_data___old *old = (void *)&sk->sk_cgrp_data;
	u64 val = 0;

	if (bpf_core_field_exists(sk->sk_cgrp_data.cgroup))
		return BPF_CORE_READ(sk, sk_cgrp_data.cgroup);
	bpf_core_read(&val, sizeof(val), &old->val);
	return val & 1 ? NULL : (void *)val;
}

/* Processes of the task's user. 5.14 moved the number from user_struct to ucounts (21d1c5e386bc),
 * 5.19 from ucounts.ucount[] to ucounts.rlimit[] (de399236e240). */
static __always_inline u64 compat_nproc(const struct cred *cred)
{
	struct user_struct___old *user;
	struct ucounts___old *old;
	struct ucounts *now;
	u32 index = 0;
	s64 n = 0;

	if (!bpf_core_field_exists(cred->ucounts)) {
		user = (void *)BPF_CORE_READ(cred, user);
		return BPF_CORE_READ(user, processes.counter);
	}
	now = BPF_CORE_READ(cred, ucounts);
	if (bpf_core_field_exists(now->rlimit)) {
		bpf_core_read(&n, sizeof(n), &now->rlimit); /* UCOUNT_RLIMIT_NPROC is the first */
		return n;
	}
	old = (void *)now;
	if (bpf_core_enum_value_exists(enum ucount_type___old, UCOUNT_RLIMIT_NPROC___old))
		index = bpf_core_enum_value(enum ucount_type___old, UCOUNT_RLIMIT_NPROC___old);
	bpf_core_read(&n, sizeof(n), &old->ucount[index & 15]);
	return n;
}

/* mm_struct.flags was a word until 6.18 made it a bitmap (mm_flags_t); the bit is the same. */
static __always_inline bool compat_mm_mdwe(struct mm_struct *mm)
{
	struct mm_struct___bitmap *bitmap = (void *)mm;
	struct mm_struct___word *word = (void *)mm;
	u64 flags = 0;

	if (bpf_core_type_exists(mm_flags_t))
		bpf_core_read(&flags, sizeof(flags), &bitmap->flags);
	else
		bpf_core_read(&flags, sizeof(flags), &word->flags);
	return flags >> MMF_HAS_MDWE & 1;
}

/* Pages in memory. 6.2 made the counters per CPU (f1a7941243c1): their sum so far, without what the
 * CPUs have not handed in yet. */
static __always_inline u64 compat_mm_rss(struct mm_struct *mm)
{
	struct mm_struct___atomic *old = (void *)mm;
	u32 size = bpf_core_type_size(struct percpu_counter);
	u32 offset = bpf_core_field_offset(struct percpu_counter, count), i;
	s64 count[NR_MM_COUNTERS] = {};

	if (!mm)
		return 0;
	if (bpf_core_type_exists(struct mm_rss_stat))
		bpf_core_read(count, sizeof(count), &old->rss_stat.count);
	else
		for (i = 0; i < NR_MM_COUNTERS; i++)
			bpf_probe_read_kernel(&count[i], sizeof(count[i]),
					      (void *)&mm->rss_stat + i * size + offset);
	/* File and anonymous pages and shared memory; the third counts swap entries. */
	return (count[0] > 0 ? count[0] : 0) + (count[1] > 0 ? count[1] : 0) +
	       (count[3] > 0 ? count[3] : 0);
}

/* ---- registers and ABI ---- */

static __always_inline u32 compat_abi(u32 raw, bool is32)
{
	if (is32)
		return SF_ABI_COMPAT;
#if defined(__TARGET_ARCH_x86)
	if (raw != 0xffffffff && raw & X32_SYSCALL_BIT)
		return SF_ABI_X32;
#endif
	return SF_ABI_NATIVE;
}

/* The number without x32's mark. -1, no syscall, stays negative. */
static __always_inline s32 compat_nr(u32 raw)
{
#if defined(__TARGET_ARCH_x86)
	if ((s32)raw >= 0)
		raw &= ~X32_SYSCALL_BIT;
#endif
	return raw;
}

#if defined(__TARGET_ARCH_x86)

/* TS_COMPAT still stands at the exit, and catches int $0x80 from 64-bit code too. */
static __always_inline bool compat_is_32bit(struct task_struct *task, struct pt_regs *regs)
{
	return TASK_READ(task, thread_info.status) & TS_COMPAT;
}

#define compat_raw_nr(r) ((u32)REG(r, orig_ax))

/* Does a new thread start in user space without a sys_exit of the call that made it? */
#define COMPAT_FORK_IS_SILENT 0

/* Did a filter trap this call, and is what looks like its result an argument? Here the number comes
 * back, which is no error. */
static __always_inline bool compat_rolled_back(struct task_struct *task, struct pt_regs *regs,
					       long ret)
{
	return false;
}

#define compat_args(args, r, is32)                                                                 \
	do {                                                                                       \
		if (is32) {                                                                        \
			(args)[0] = (u32)REG(r, bx);                                               \
			(args)[1] = (u32)REG(r, cx);                                               \
			(args)[2] = (u32)REG(r, dx);                                               \
			(args)[3] = (u32)REG(r, si);                                               \
			(args)[4] = (u32)REG(r, di);                                               \
			(args)[5] = (u32)REG(r, bp);                                               \
		} else {                                                                           \
			(args)[0] = REG(r, di);                                                    \
			(args)[1] = REG(r, si);                                                    \
			(args)[2] = REG(r, dx);                                                    \
			(args)[3] = REG(r, r10);                                                   \
			(args)[4] = REG(r, r8);                                                    \
			(args)[5] = REG(r, r9);                                                    \
		}                                                                                  \
	} while (0)

#define compat_arg0(r, is32) ((is32) ? (u32)(r)->bx : (r)->di)
#define compat_arg1(r)	     ((r)->si)
#define compat_arg2(r)	     ((r)->dx)
#define compat_result(r)     ((r)->ax)

/* Where a thread stands: enough to tell one call from the next. */
#define compat_call(call, r)                                                                       \
	do {                                                                                       \
		(call)[0] = REG(r, ip);                                                            \
		(call)[1] = REG(r, sp);                                                            \
		(call)[2] = REG(r, orig_ax);                                                       \
		(call)[3] = REG(r, di);                                                            \
		(call)[4] = REG(r, si);                                                            \
		(call)[5] = REG(r, dx);                                                            \
	} while (0)

#elif defined(__TARGET_ARCH_arm64)

static __always_inline bool compat_is_32bit(struct task_struct *task, struct pt_regs *regs)
{
	return REG(regs, pstate) & PSR_MODE32_BIT;
}

#define compat_raw_nr(r) ((u32)REG(r, syscallno))

#define COMPAT_FORK_IS_SILENT 1 /* ret_from_fork, arch/arm64/kernel/entry.S */

/* Here the first argument comes back (syscall_rollback(), asm/syscall.h), often AT_FDCWD; the signal
 * is on its way. */
static __always_inline bool compat_rolled_back(struct task_struct *task, struct pt_regs *regs,
					       long ret)
{
	return (u32)ret == (u32)REG(regs, orig_x0) &&
	       TASK_READ(task, pending.signal.sig[0]) >> (SIGSYS - 1) & 1;
}

/* regs[0] holds the result already, the first argument is kept in orig_x0; 32-bit calls alike. */
#define compat_args(args, r, is32)                                                                 \
	do {                                                                                       \
		u64 __mask = (is32) ? 0xffffffffULL : ~0ULL;                                       \
		(args)[0] = REG(r, orig_x0) & __mask;                                              \
		(args)[1] = REG(r, regs[1]) & __mask;                                              \
		(args)[2] = REG(r, regs[2]) & __mask;                                              \
		(args)[3] = REG(r, regs[3]) & __mask;                                              \
		(args)[4] = REG(r, regs[4]) & __mask;                                              \
		(args)[5] = REG(r, regs[5]) & __mask;                                              \
	} while (0)

#define compat_arg0(r, is32) ((is32) ? (u32)(r)->orig_x0 : (r)->orig_x0)
#define compat_arg1(r)	     ((r)->regs[1])
#define compat_arg2(r)	     ((r)->regs[2])
#define compat_result(r)     ((r)->regs[0])

#define compat_call(call, r)                                                                       \
	do {                                                                                       \
		(call)[0] = REG(r, pc);                                                            \
		(call)[1] = REG(r, sp);                                                            \
		(call)[2] = REG(r, syscallno);                                                     \
		(call)[3] = REG(r, orig_x0);                                                       \
		(call)[4] = REG(r, regs[1]);                                                       \
		(call)[5] = REG(r, regs[2]);                                                       \
	} while (0)

#endif

/* ---- what a 32-bit process lays out differently ---- */

struct msghdr_compat {
	u32 name;
	u32 namelen;
	u32 iov;
	u32 iovlen;
};

struct msghdr_native {
	u64 name;
	u32 namelen;
	u32 pad;
	u64 iov;
	u64 iovlen;
};

static __always_inline int compat_msghdr(struct msghdr_native *msg, u64 addr, bool is32)
{
	struct msghdr_compat compat;

	if (!is32)
		return bpf_probe_read_user(msg, sizeof(*msg), (void *)addr);
	if (bpf_probe_read_user(&compat, sizeof(compat), (void *)addr))
		return -1;
	msg->name = compat.name;
	msg->namelen = compat.namelen;
	msg->iov = compat.iov;
	msg->iovlen = compat.iovlen;
	return 0;
}

struct iovec_compat {
	u32 base;
	u32 len;
};

struct iovec_native {
	u64 base;
	u64 len;
};

static __always_inline int compat_iovec(struct iovec_native *iov, u64 addr, u32 index, bool is32)
{
	struct iovec_compat compat;

	if (!is32)
		return bpf_probe_read_user(iov, sizeof(*iov),
					   (void *)(addr + index * sizeof(*iov)));
	if (bpf_probe_read_user(&compat, sizeof(compat), (void *)(addr + index * sizeof(compat))))
		return -1;
	iov->base = compat.base;
	iov->len = compat.len;
	return 0;
}

#endif
