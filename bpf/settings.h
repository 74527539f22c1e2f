/* SPDX-License-Identifier: GPL-2.0-only */
/* What the daemon tells the kernel programs before they are loaded: one read-only struct. */
#ifndef SANDFAULT_SETTINGS_H
#define SANDFAULT_SETTINGS_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define SF_NR_MAX   512 /* syscall numbers described by the table, per ABI */
#define SF_BENIGN   6	/* known-benign errnos per syscall */
#define SF_REQUESTS 64	/* opcodes of io_uring described, from 0 */

/* How the subject of a syscall is read. */
enum sf_subject {
	SF_SUBJ_NONE = 0,     /* the syscall's own name */
	SF_SUBJ_PATH = 1,     /* path at args[path_arg]; relative to the dirfd at args[dirfd_arg],
			       * or to the working directory where dirfd_arg is 0xff */
	SF_SUBJ_SOCKADDR = 2, /* struct sockaddr at args[path_arg], length at args[dirfd_arg] */
	SF_SUBJ_FD = 3,	      /* what descriptor args[path_arg] stands for: a file's path, or a
			       * socket's peer (as a sockaddr) */
	SF_SUBJ_ARG = 4,      /* the value of args[path_arg] (socket family, prctl option, …) */
	SF_SUBJ_MSGHDR = 5,   /* msg_name of the struct msghdr at args[path_arg], else the socket's
			       * peer of descriptor args[dirfd_arg] */
	SF_SUBJ_BOUND = 6,    /* what the socket args[0] is bound to after a success; after a
			       * failure as SF_SUBJ_SOCKADDR, nothing where dirfd_arg is 0xff */
	SF_SUBJ_NAME = 7,     /* as SF_SUBJ_PATH, with the path in the kernel's memory */
	SF_SUBJ_FILE = 8,     /* as SF_SUBJ_FD, by the address of a struct file */
	SF_SUBJ_ADDRESS = 9,  /* as SF_SUBJ_SOCKADDR, in the kernel's memory */
};

enum sf_sys_flag {
	SF_SYS_SUCCESS = 1 << 0, /* fold successes into the map too (errno 0) */
	SF_SYS_CREAT = 1 << 1,	 /* … only where the open flags at args[flags_arg] say O_CREAT */
	SF_SYS_STDERR = 1 << 2,	 /* may write to fd 2: args[0] */
	SF_SYS_STATE = 1 << 3,	 /* success changes what later failures mean: Landlock, MDWE,
				     * mounts; emits SF_EV_STATE */
	SF_SYS_FORK = 1 << 4,	 /* makes a process or thread: EAGAIN asks for the pids limits */
	SF_SYS_MEMORY = 1 << 5,	 /* asks for address space: ENOMEM asks for the memory limits */
	SF_SYS_LIMITS = 1 << 6,	 /* any failure asks for the limits (descriptors, file size) */
	SF_SYS_CREDS = 1 << 7,	 /* EACCES, EPERM or ENOENT asks for credentials and base */
	SF_SYS_SHORT = 1 << 8,	 /* a success that wrote fewer than args[2] bytes to the regular
				  * file args[0] is folded as SF_SHORT */
	SF_SYS_REPLY = 1 << 9, /* a success on the netlink socket args[0] whose answer is a refusal
				  * is folded as SF_REPLY */
	SF_SYS_CHANNEL = 1 << 10, /* moves bytes through args[0], which may be a tool's channel */
	SF_SYS_READS = 1 << 11,	  /* … out of it; else into it */
	SF_SYS_SETS = 1 << 12,	  /* successes only where args[2] is not NULL: it sets, and not only
				  * asks */
};

/* How the bytes lie in the arguments (with SF_SYS_STDERR or SF_SYS_CHANNEL). */
enum sf_write { SF_WRITE_BUF = 0, SF_WRITE_IOV = 1, SF_WRITE_MSG = 2 };

struct sf_sys {
	__u8 subject;		/* enum sf_subject */
	__u8 path_arg;		/* 0…5 */
	__u8 dirfd_arg;		/* 0…5, 0xff: none */
	__u8 flags_arg;		/* 0…5, 0xff: none */
	__u16 flags;		/* enum sf_sys_flag */
	__u8 write;		/* enum sf_write, of reads too */
	__u8 benign[SF_BENIGN]; /* errnos that are only counted; 0: unused */
	__u8 pad[3];
} __attribute__((aligned(8))); /* copied by the word for every failing call */
_Static_assert(sizeof(struct sf_sys) == 16, "struct sf_sys");

struct sf_config {
	struct sf_sys sys[2][SF_NR_MAX]; /* by ABI (x32 uses native, bit 30 cleared) and number */
	__u32 nr_landlock_restrict_self; /* numbers the programs name themselves, native ABI */
	__u32 nr_prctl;
	__u32 nr_execve;
	__u32 nr_execveat;
	__u32 nr_openat;
	__u32 budget;	     /* new signatures a task may make in one generation */
	__u32 page_size;     /* bytes */
	__u32 self_tgid;     /* the daemon: never recorded */
	__u32 max_map_count; /* vm.max_map_count */
	__u32 has_fetch;     /* 1: this kernel's BPF has atomic instructions that fetch */
	__u32 victim_is_pid; /* 1: its tracepoint mark_victim brings a number, not a task */
	__u32 cpus;	     /* possible ones */
	__u16 request_nr[SF_REQUESTS]; /* by opcode of io_uring: the syscall that does the same,
					* 0xffff: none */
	__u8 hook_args[64]; /* by enum sf_hook: arguments of the function that asks it, */
	__u8 own_args[64];  /* … and of AppArmor's own */
	__u32 channels;	    /* 1: the sensor of tool channels is there */
	__u32 own_mntns;    /* the daemon's mount namespace: it can look there itself */
};

#endif
