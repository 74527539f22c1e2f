/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Older and newer shapes of what stands in vmlinux.h, which includes this where fields are looked up
 * in the kernel; chosen in compat.bpf.h.
 */
#ifndef SANDFAULT_OLDER_H
#define SANDFAULT_OLDER_H

struct kernfs_node___old {
	struct kernfs_node *parent;
};

struct mnt_namespace___old {
	u64 seq;
};

struct ucounts___old {
	atomic_long_t ucount[16];
};
enum ucount_type___old { UCOUNT_RLIMIT_NPROC___old };

struct user_struct___old {
	atomic_t processes;
};

struct sock_cgroup_data___old {
	u64 val;
};

typedef struct {
} mm_flags_t; /* since 6.18 */

struct mm_rss_stat {
	atomic_long_t count[4];
};

struct mm_struct___atomic {
	struct mm_rss_stat rss_stat;
};

/* The mappings in a tree, until 6.1 (524e00b36e8c). */
struct rb_node {
	struct rb_node *rb_left, *rb_right;
};

struct rb_root {
	struct rb_node *rb_node;
};

struct mm_struct___tree {
	struct rb_root mm_rb;
};

struct vm_area_struct___tree {
	unsigned long vm_start, vm_end;
	struct rb_node vm_rb;
};

struct mm_struct___bitmap {
	mm_flags_t flags;
};

struct mm_struct___word {
	unsigned long flags;
};

#endif
