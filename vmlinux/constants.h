/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Constants that BTF does not carry: the BPF interface's own, and macros of the kernel. Nothing
 * here is looked up in the running kernel, so only what is part of the user-space interface, or
 * has kept its value since 5.10, belongs here.
 */
#ifndef SANDFAULT_CONSTANTS_H
#define SANDFAULT_CONSTANTS_H

/* ---- BPF UAPI (include/uapi/linux/bpf.h): the map types and flags in use ---- */

enum bpf_map_type {
	BPF_MAP_TYPE_HASH = 1,
	BPF_MAP_TYPE_PROG_ARRAY = 3,
	BPF_MAP_TYPE_PERCPU_ARRAY = 6,
	BPF_MAP_TYPE_LRU_HASH = 9,
	BPF_MAP_TYPE_ARRAY_OF_MAPS = 12,
	BPF_MAP_TYPE_SK_STORAGE = 24,
	BPF_MAP_TYPE_RINGBUF = 27,
	BPF_MAP_TYPE_TASK_STORAGE = 29,
};

enum {
	BPF_ANY = 0,
	BPF_NOEXIST = 1,
};

enum { BPF_F_NO_PREALLOC = 1 };

enum {
	BPF_RB_AVAIL_DATA = 0,
	BPF_RB_RING_SIZE = 1,
};

enum {
	BPF_LOCAL_STORAGE_GET_F_CREATE = 1,
	BPF_RB_NO_WAKEUP = 1 << 0,
	BPF_RB_FORCE_WAKEUP = 1 << 1, /* wake the reader of a ring whatever it reads */
	BPF_SK_STORAGE_GET_F_CREATE = 1,
};

/* ---- kernel constants that BTF does not carry ---- */

#define EPERM	   1
#define EEXIST	   17
#define EPIPE	   32
#define ECONNRESET 104

#define SIGSYS 31

#define SECCOMP_MODE_FILTER 2
#define SECCOMP_MODE_DEAD   3 /* since 5.17: this thread was killed by its filter */
#define PF_IO_WORKER	    0x00000010
#define PF_KTHREAD	    0x00200000
#define PFA_NO_NEW_PRIVS    0	 /* bit of task_struct.atomic_flags */
#define SIGNAL_GROUP_EXIT   4	 /* signal_struct.flags */
#define TS_COMPAT	    2	 /* x86 thread_info.status: the current syscall is a 32-bit one */
#define PSR_MODE32_BIT	    0x10 /* arm64 pt_regs.pstate: AArch32 (uapi/asm/ptrace.h) */
#define X32_SYSCALL_BIT	    0x40000000
#define PIDTYPE_TGID	    1
#define MMF_HAS_MDWE	    28 /* since 6.3; unused before */
#define AT_FDCWD	    (-100)
#define PR_SET_MDWE	    65

#define RLIMIT_CPU     0
#define RLIMIT_FSIZE   1
#define RLIMIT_DATA    2
#define RLIMIT_NPROC   6
#define RLIMIT_NOFILE  7
#define RLIMIT_MEMLOCK 8
#define RLIMIT_AS      9
#define RLIM_NLIMITS   16

/* x86-64 and arm64 without KASAN; asked for where a helper is missing only. */
#define THREAD_SIZE 16384

#define S_IFMT	 0170000
#define S_IFSOCK 0140000
#define S_IFIFO	 0010000
#define S_IFREG	 0100000
#define S_ISUID	 0004000
#define S_ISGID	 0002000
#define S_IXGRP	 0000010

#define FMODE_LSEEK 0x4 /* file.f_mode: it has a place in it; no pipe, no socket (stream_open()) */

#define MNT_NOSUID 1

#define NLMSG_ERROR 2

#define NR_IO_URING_ENTER 426 /* one number in every ABI, since 5.1 */

#define NR_MM_COUNTERS 4

#define AF_UNIX	    1
#define AF_INET	    2
#define AF_INET6    10
#define AF_NETLINK  16
#define SOCK_STREAM    1
#define SOCK_SEQPACKET 5
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17

enum { TCP_ESTABLISHED = 1, TCP_SYN_SENT = 2, TCP_CLOSE = 7 };

#endif
