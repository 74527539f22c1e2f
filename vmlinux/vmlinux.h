/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel types that the programs touch, and only those: this file is the whole kernel surface
 * that we stand on. Field offsets are looked up in the running kernel's BTF at load time
 * (preserve_access_index), so order, size and the fields left out do not matter here; names and
 * kinds do. What was renamed or changed its type between 5.10 and today stands in older.h
 * as NAME___flavour and is chosen in compat.bpf.h.
 */
#ifndef __VMLINUX_H__
#define __VMLINUX_H__

#include "plain.h"
#include "constants.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

/* ---- atomics, identifiers ---- */

typedef struct {
	int counter;
} atomic_t;

typedef struct {
	s64 counter;
} atomic64_t;

typedef atomic64_t atomic_long_t;

typedef struct {
	uid_t val;
} kuid_t;

typedef struct {
	unsigned int val;
} kgid_t;

/* {__u32 cap[2]} until 6.3 (f122a08b197d), {u64 val} since: read as eight bytes, never by field. */
typedef struct {
	u64 val;
} kernel_cap_t;

/* ---- the helpers that not every kernel has; asked for by name, the values do not matter ---- */

enum bpf_func_id {
	BPF_FUNC_get_current_task_btf,
	BPF_FUNC_task_pt_regs,
	BPF_FUNC_loop,
	BPF_FUNC_find_vma,
	BPF_FUNC_get_attach_cookie,
};

/* ---- registers at the syscall's entry ---- */

#if defined(__TARGET_ARCH_x86)
struct pt_regs {
	unsigned long r10, r9, r8;
	unsigned long bp, bx, cx, dx, si, di;
	unsigned long ax, orig_ax;
	unsigned long ip, sp;
};
struct thread_info {
	u32 status;
};
#elif defined(__TARGET_ARCH_arm64)
struct pt_regs {
	u64 regs[31];
	u64 sp;
	u64 pc;
	u64 pstate;
	u64 orig_x0;
	s32 syscallno;
};
struct thread_info {
};
#else
#error "no register layout for this architecture"
#endif

/* ---- file system: where a relative path starts, what a descriptor stands for ---- */

struct qstr {
	u32 len;
	const unsigned char *name;
};

struct hlist_bl_node {
	struct hlist_bl_node **pprev; /* NULL: unhashed, the name was removed */
};

struct list_head {
	struct list_head *next;
};

struct file_system_type {
	const char *name;
};

struct super_block {
	dev_t s_dev;
	struct file_system_type *s_type;
	unsigned long s_flags;
	unsigned long s_magic;
	struct dentry *s_root;
};

struct inode {
	umode_t i_mode;
	kuid_t i_uid;
	kgid_t i_gid;
	struct super_block *i_sb;
	unsigned long i_ino;
	long long i_size;
};

struct dentry {
	struct hlist_bl_node d_hash;
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
	struct super_block *d_sb;
};

struct vfsmount {
	struct dentry *mnt_root;
	struct super_block *mnt_sb;
	int mnt_flags;
};

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
	struct list_head mnt_mounts; /* those on it, linked by their mnt_child */
	struct list_head mnt_child;
	int mnt_id;
};

struct path {
	struct vfsmount *mnt;
	struct dentry *dentry;
};

struct file {
	unsigned int f_mode;
	void *private_data; /* a socket's struct socket */
	struct inode *f_inode;
	struct path f_path;
};

struct vm_area_struct {
	unsigned long vm_start;
	unsigned long vm_pgoff; /* pages */
	struct file *vm_file;
};

/* A path's text, in the kernel's memory. */
struct filename {
	const char *name;
};

struct open_flags {
	int open_flag;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct fs_struct {
	struct path root;
	struct path pwd;
};

/* ---- namespaces ---- */

struct ns_common {
	unsigned int inum;
	u64 ns_id; /* never given again; since 6.18 */
};

struct mnt_namespace {
	struct ns_common ns;
	struct mount *root;
	u64 event; /* another after each change */
};

struct net {
	struct ns_common ns;
};

typedef struct {
	struct net *net;
} possible_net_t;

struct nsproxy {
	struct mnt_namespace *mnt_ns;
	struct net *net_ns;
};

struct ucounts;

struct user_namespace {
	int level;
	kuid_t owner;
	struct ucounts *ucounts; /* of its maker, in the namespace above */
	long rlimit_max[4];	 /* since 5.19: what its maker was limited to */
};

/* One pid in one namespace; numbers[level] is the innermost. */
struct upid {
	int nr;
};

struct pid {
	unsigned int level;
	struct upid numbers[1];
};

/* ---- credentials ---- */

struct group_info {
	int ngroups;
	kgid_t gid[1];
};

struct ucounts {
	struct user_namespace *ns;
	atomic_long_t rlimit[4]; /* since 5.19; see ucounts___old */
};

struct user_struct;

struct cred {
	kuid_t euid;
	kgid_t egid;
	kuid_t fsuid;
	kgid_t fsgid;
	kernel_cap_t cap_effective;
	struct user_struct *user;
	struct user_namespace *user_ns;
	struct ucounts *ucounts; /* since 5.14 */
	struct group_info *group_info;
};

/* ---- cgroups ---- */

enum cgroup_subsys_id { memory_cgrp_id, pids_cgrp_id }; /* values by CO-RE: they vary by config */

/* Since 6.15 the parent is __parent (633488947ef6); see kernfs_node___old. */
struct kernfs_node {
	struct kernfs_node *__parent;
	const char *name;
	u64 id;
};

struct cgroup;

struct cgroup_subsys_state {
	struct cgroup *cgroup;
	struct cgroup_subsys_state *parent;
};

struct cgroup_root {
	int hierarchy_id; /* 0: the v2 hierarchy */
};

struct cgroup {
	struct cgroup_subsys_state self;
	int level;
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct css_set {
	struct cgroup_subsys_state *subsys[16];
	struct cgroup *dfl_cgrp; /* in the v2 hierarchy */
};

struct pids_cgroup {
	struct cgroup_subsys_state css;
	atomic64_t counter;
	atomic64_t limit;
};

struct page_counter {
	atomic_long_t usage;
	unsigned long max;
	struct page_counter *parent;
};

struct mem_cgroup {
	struct cgroup_subsys_state css;
	struct page_counter memory;
	struct page_counter swap; /* v2: swap alone; v1 has memsw in its place: with memory */
};

/* ---- the task ---- */

struct percpu_counter {
	s64 count;
};

struct mm_struct {
	struct percpu_counter rss_stat[4]; /* since 6.2; see mm_struct___atomic */
	unsigned long total_vm;
	unsigned long locked_vm;
	unsigned long data_vm;
	int map_count;
	unsigned long arg_start, arg_end;
};

struct bpf_local_storage;

struct rlimit {
	unsigned long rlim_cur;
};

struct signal_struct {
	atomic_t live;
	int group_exit_code;
	unsigned int flags;
	struct pid *pids[4];
	u64 utime;
	u64 stime;
	struct rlimit rlim[RLIM_NLIMITS];
};

/* sa_handler, which comes first on both architectures, is read without its name. */
struct sigaction {
	unsigned long sa_flags;
};

struct k_sigaction {
	struct sigaction sa;
};

struct sighand_struct {
	struct k_sigaction action[64];
};

struct seccomp {
	int mode;
};

typedef struct {
	unsigned long sig[1];
} sigset_t;

struct sigpending {
	sigset_t signal;
};

struct task_struct {
	struct thread_info thread_info;
	unsigned int flags;
	unsigned int ptrace;
	struct mm_struct *mm;
	int exit_code;
	unsigned long atomic_flags;
	pid_t pid;
	pid_t tgid;
	struct task_struct *real_parent;
	struct task_struct *group_leader;
	u64 utime;
	u64 stime;
	u64 start_boottime;
	const struct cred *cred;
	char comm[16];
	struct fs_struct *fs;
	struct files_struct *files;
	struct nsproxy *nsproxy;
	struct signal_struct *signal;
	struct sighand_struct *sighand;
	struct sigpending pending; /* of this thread alone */
	struct seccomp seccomp;
	struct css_set *cgroups;
	struct bpf_local_storage *bpf_storage; /* since 5.13 */
	void *stack;
	struct task_group *sched_task_group; /* CONFIG_CGROUP_SCHED */
};

struct cfs_bandwidth {
	u64 period; /* ktime_t: ns */
	u64 quota;
	int nr_periods;
	int nr_throttled;
	u64 throttled_time;
};

struct task_group {
	struct cgroup_subsys_state css;
	struct task_group *parent;
	struct cfs_bandwidth cfs_bandwidth; /* CONFIG_CFS_BANDWIDTH */
};

/* ---- what a call leaves, and a program begins with ---- */

/* The record of raw_syscalls:sys_exit (kernel/trace, TRACE_EVENT). */
struct trace_event_raw_sys_exit {
	long ret;
};

struct linux_binprm {
	unsigned int secureexec : 1;
	struct file *file;
	const char *filename;
};

/* ---- signals ---- */

union __sifields {
	struct {
		void *_addr;
	} _sigfault;
	struct {
		void *_call_addr;
		int _syscall;
	} _sigsys;
};

struct kernel_siginfo {
	int si_errno;
	int si_code;
	union __sifields _sifields;
};

/* ---- the rest of it ---- */

#include "socket.h"
#include "uring.h"
#include "older.h"

#pragma clang attribute pop

#endif
