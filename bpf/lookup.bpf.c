/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opens that never were syscalls: an exec's own opening of interpreter and loader, and those of
 * io_uring, inline and by its workers, where its requests are not seen (uring.bpf.c). Optional:
 * trampolines.
 */
#include "call.bpf.h"

#define EAGAIN 11

static __always_inline struct sf_scratch *lookup_scratch(struct task_struct *task, u32 nr, u32 err)
{
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s;

	if (!instance || nr >= SF_NR_MAX)
		return NULL;
	s = noncall_slot(task, instance, cgroup, nr, err, SF_LOOKUP);
	if (!s)
		return NULL;
	s->sys.subject = SF_SUBJ_NAME;
	s->sys.path_arg = 1;
	s->sys.dirfd_arg = 0;
	return s;
}

static __always_inline u64 lookup_fold(struct sf_scratch *s, u32 dfd, const void *name, u64 flags)
{
	u64 hash;

	s->args[0] = dfd;
	s->args[1] = (u64)name;
	s->args[2] = flags;
	counter_add(SF_C_LOOKUP);
	call_fold(s);
	hash = s->hash;
	scratch_put(s);
	return hash;
}

/* Does the thread work for io_uring, a worker or in a call that submits, and nobody else tells of its
 * requests? */
static __always_inline bool lookup_is_uring(struct task_struct *task)
{
	struct pt_regs *regs;

	if (requests_on || TASK_READ(task, flags) & PF_KTHREAD)
		return false;
	if (TASK_READ(task, flags) & PF_IO_WORKER)
		return true;
	regs = compat_regs(task);
	return compat_nr(compat_raw_nr(regs)) == NR_IO_URING_ENTER;
}

/* The result, behind the arguments: read as a number, as the verifier takes it for a pointer. */
static __always_inline long lookup_result(u64 *ctx, u32 args)
{
	long ret = 0;

	bpf_probe_read_kernel(&ret, sizeof(ret), ctx + args);
	return ret < 0 && ret >= -MAX_ERRNO && ret > -ERESTARTSYS ? ret : 0;
}

static __always_inline int lookup_exit(u64 *ctx)
{
	long ret = lookup_result(ctx, 3);
	const struct open_flags *flags;
	struct task_struct *task;
	struct filename *name;
	struct sf_scratch *s;

	/* An inline attempt that would block says EAGAIN (LOOKUP_CACHED), and a worker goes on. */
	if (!ret || ret == -EAGAIN)
		return 0;
	task = compat_current();
	if (!lookup_is_uring(task))
		return 0;
	s = lookup_scratch(task, config.nr_openat, -ret);
	if (!s)
		return 0;
	name = (void *)ctx[1];
	flags = (void *)ctx[2];
	lookup_fold(s, ctx[0], BPF_CORE_READ(name, name), BPF_CORE_READ(flags, open_flag));
	return 0;
}

SEC("?fexit/do_filp_open")
int handle_lookup(u64 *ctx)
{
	return lookup_exit(ctx);
}

/* The name that it has in 7.3. */
SEC("?fexit/do_file_open")
int handle_lookup_renamed(u64 *ctx)
{
	return lookup_exit(ctx);
}

/* A file that an exec opens besides the program: that one is opened in another way. The exec that
 * fails for it tells by the hash which file it was. */
static __always_inline int lookup_inner(const void *name, long ret)
{
	struct task_struct *task;
	struct sf_thread *thread;
	struct sf_scratch *s;

	if (!ret)
		return 0;
	task = compat_current();
	thread = thread_in_call(task);
	if (!thread)
		return 0;
	s = lookup_scratch(task, config.nr_execve, -ret);
	if (s)
		thread->inner = lookup_fold(s, AT_FDCWD, name, 0);
	return 0;
}

/* Interpreter of a script, loader of an ELF file (load_script(), load_elf_binary()). */
SEC("?fexit/open_exec")
int handle_exec_open(u64 *ctx)
{
	return lookup_inner((void *)ctx[0], lookup_result(ctx, 1));
}

/* By this one the loader is opened in 7.3; 6.18 does not have it. */
SEC("?fexit/bprm_open_interpreter")
int handle_loader_open(u64 *ctx)
{
	return lookup_inner((void *)ctx[1], lookup_result(ctx, 2));
}
