/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Capability checks that failed, kept with the thread until its syscall fails. Optional: the
 * tracepoint came with 6.14.
 */
#include "emit.bpf.h"

SEC("tp_btf/cap_capable")
int BPF_PROG(handle_cap_capable, const struct cred *cred, struct user_namespace *target,
	     const struct user_namespace *capable_ns, int cap, int ret)
{
	struct task_struct *task = compat_current();
	struct sf_thread *thread;
	struct pt_regs *regs;
	u64 call[6], cgroup;
	bool same = true;
	u32 i, nr;

	if (ret >= 0 || TASK_READ(task, flags) & PF_KTHREAD || !task_instance(task, &cgroup))
		return 0;
	thread = thread_get(task, true);
	if (!thread) {
		counter_add(SF_C_LOST_THREAD);
		return 0;
	}
	counter_add(SF_C_CAP);
	regs = compat_regs(task);
	compat_call(call, regs);
	for (i = 0; i < 6; i++) {
		same &= thread->cap_call[i] == call[i];
		thread->cap_call[i] = call[i];
	}
	if (!same)
		thread->cap_mask = 0;
	thread->cap_mask |= 1ULL << (cap & 63);
	nr = compat_nr(compat_raw_nr(regs));
	if (!send_refused && nr < SF_NR_MAX &&
	    config.sys[compat_is_32bit(task, regs)][nr].flags & SF_SYS_REPLY)
		send_refused = 1;
	thread->cap_ns_level = BPF_CORE_READ(target, level);
	return 0;
}
