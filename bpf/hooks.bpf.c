/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which security hook refused. An LSM program of our own would not see it: "bpf" comes last in the
 * list, and call_int_hook() (security/security.c) stops at the first that refuses. So the functions
 * that ask the whole list are watched on their way out. Optional: trampolines.
 */
#include "thread.bpf.h"

/* The result stands behind the arguments, whose number is the function's own: 5.17 has a helper for
 * it (f92c1e183604), older kernels have only the place. The setting is known to the verifier. */
static __always_inline int hook_result(u64 *ctx, u32 args)
{
	u64 ret = 0;

	bpf_probe_read_kernel(&ret, sizeof(ret), ctx + args);
	return ret;
}

static __always_inline void hook_note(struct sf_thread *thread, u32 hook, int ret, u32 lsm)
{
	/* A module's own function was seen to refuse: the list's answer is the same. */
	if (lsm == SF_LSM_UNNAMED && thread->hook == hook && thread->hook_err == -ret)
		return;
	/* The capability check comes first in its list: where it refused, no other was asked. */
	if (hook == SF_HOOK_CAPABLE && thread->cap_refused) {
		thread->cap_refused = 0;
		return;
	}
	counter_add(SF_C_HOOK);
	thread->hook = hook;
	thread->hook_err = -ret;
	thread->lsm = lsm;
}

static __noinline int hook_exit(int ret, u32 hook, u32 lsm)
{
	struct sf_thread *thread;

	/* What is no errno of user space's is a word between the kernel's own. */
	if (ret >= 0 || ret < -255)
		return 0;
	thread = thread_in_call(compat_current());
	if (thread)
		hook_note(thread, hook, ret, lsm);
	return 0;
}

/* ---- all of them at once: one program, whose attachments say which hook it is (5.18, where the
 * kernel has fprobes) ---- */

SEC("?kretprobe.multi")
int handle_hook_multi(struct pt_regs *ctx)
{
	int ret = compat_result(ctx);
	u64 cookie;

	if (ret >= 0 || !compat_has(get_attach_cookie))
		return 0;
	cookie = bpf_get_attach_cookie(ctx);
	return hook_exit(ret, cookie & 0xff, cookie >> 8);
}

/* ---- a trampoline each, on kernels without ---- */

#define APPARMOR(id, name)                                                                         \
	SEC("?fexit/apparmor_" #name)                                                              \
	int handle_apparmor_##name(u64 *ctx)                                                       \
	{                                                                                          \
		int ret = hook_result(ctx, config.own_args[SF_HOOK_##id]);                         \
                                                                                                   \
		return ret < 0 ? hook_exit(ret, SF_HOOK_##id, SF_LSM_APPARMOR) : 0;                \
	}

SF_HOOKS_APPARMOR(APPARMOR)

#define HOOK(id, name)                                                                             \
	SEC("?fexit/security_" #name)                                                              \
	int handle_hook_##name(u64 *ctx)                                                           \
	{                                                                                          \
		int ret = hook_result(ctx, config.hook_args[SF_HOOK_##id]);                        \
                                                                                                   \
		return ret < 0 ? hook_exit(ret, SF_HOOK_##id, SF_LSM_UNNAMED) : 0;                 \
	}

SF_HOOKS_ALONE(HOOK)

/* Yama asks for CAP_SYS_PTRACE before it refuses (security/yama/yama_lsm.c): without a word of its
 * own its refusal looks like that of the capability check. */
SEC("?fexit/yama_ptrace_access_check")
int BPF_PROG(handle_yama_access, struct task_struct *child, unsigned int mode, int ret)
{
	return ret < 0 ? hook_exit(ret, SF_HOOK_PTRACE_ACCESS_CHECK, SF_LSM_YAMA) : 0;
}

SEC("?fexit/yama_ptrace_traceme")
int BPF_PROG(handle_yama_traceme, struct task_struct *parent, int ret)
{
	return ret < 0 ? hook_exit(ret, SF_HOOK_PTRACE_TRACEME, SF_LSM_YAMA) : 0;
}
