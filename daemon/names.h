/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of syscalls, errnos, signals, capabilities, and the table that says how the kernel side
 * reads each syscall.
 */
#ifndef SANDFAULT_NAMES_H
#define SANDFAULT_NAMES_H

#include "../bpf/event.h"
#include "util.h"

/* Classes of syscalls, for the rules. One syscall is in one or more. */
enum sys_class {
	SYS_OPEN = 1 << 0,     /* open, openat, openat2, creat */
	SYS_STAT = 1 << 1,     /* stat family, access family, readlink, getxattr */
	SYS_ACCESS = 1 << 2,   /* access, faccessat, faccessat2 */
	SYS_EXEC = 1 << 3,     /* execve, execveat */
	SYS_FORK = 1 << 4,     /* clone, clone3, fork, vfork */
	SYS_MMAP = 1 << 5,     /* mmap, mmap2, mremap, brk */
	SYS_MPROTECT = 1 << 6, /* mprotect, pkey_mprotect */
	SYS_MAKE = 1 << 7,     /* mkdir, mknod, symlink, link and -at */
	SYS_REMOVE = 1 << 8,   /* unlink, rmdir, unlinkat */
	SYS_RENAME = 1 << 9,   /* rename, renameat, renameat2 */
	SYS_ATTR = 1 << 10,    /* chmod, utimes, setxattr … */
	SYS_CHOWN = 1 << 11,   /* chown family */
	/* write, pwrite64, writev, pwritev*, fallocate, ftruncate, truncate, fsync, copy_file_range,
	 * sendfile, close (NFS) */
	SYS_WRITE = 1 << 12,
	SYS_READ = 1 << 13,    /* read, pread64, readv, getdents64, lseek */
	SYS_CHDIR = 1 << 14,   /* chdir, fchdir */
	SYS_SOCKET = 1 << 15,  /* socket, socketpair */
	SYS_CONNECT = 1 << 16, /* connect */
	SYS_BIND = 1 << 17,    /* bind, listen */
	SYS_SEND = 1 << 18,    /* sendto, sendmsg, sendmmsg */
	SYS_RECV = 1 << 19,    /* recvfrom, recvmsg, recvmmsg */
	SYS_INOTIFY = 1 << 20, /* inotify_init1, inotify_add_watch, fanotify */
	/* makes descriptors: open, pipe2, dup, socket, accept, epoll_create1, eventfd2 … */
	SYS_NEWFD = 1 << 21,
	SYS_MOUNT = 1 << 22,	 /* mount family, umount2, pivot_root */
	SYS_NAMESPACE = 1 << 23, /* unshare, setns (clone with CLONE_NEW* by its flags) */
	SYS_ID = 1 << 24,	 /* setuid…, setgroups, capset */
	SYS_MLOCK = 1 << 25,	 /* mlock, mlock2, mlockall */
	SYS_URING = 1 << 26,	 /* io_uring_setup, _enter, _register */
	SYS_PROCESS = 1 << 27,	 /* kill, tkill, ptrace, process_vm_*, pidfd_* */
	SYS_XATTR = 1 << 28,
	SYS_IOCTL = 1 << 29,
	SYS_POLICY = 1 << 30,  /* prctl, seccomp, bpf, perf_event_open, keyctl … */
	SYS_CHROOT = 1U << 31, /* chroot, sethostname, reboot … administration */
};

/* Fills `sys` (by ABI and number) and the numbers of struct sf_config for this machine, from
 * the table and libseccomp. The budget and the like stay as they are. */
void names_fill_config(struct sf_config *config);
/* The name of a syscall of this machine's native or compat ABI; "syscall_NNN" where unknown
 * (then it is written to buf, of at least 32 bytes); never NULL. */
const char *names_syscall(int abi, int nr, char *buf, size_t size);
int names_syscall_nr(const char *name);
/* The syscall that does what a request of io_uring does, by its opcode; NULL: none, or nothing that a
 * sandbox refuses. */
const char *names_request(unsigned int opcode); /* native; -1 */
uint32_t names_class(const char *syscall_name); /* enum sys_class; 0: none */
/* The row's description (native argument positions); NULL: not in the table. */
const struct sf_sys *names_describe(const char *syscall_name);

const char *names_errno(int err);     /* "EPERM"; "errno 4711" (static buffer) where unknown */
int names_errno_parse(const char *s); /* "EPERM" -> 1; -EINVAL */
const char *names_signal(int sig);    /* "SIGKILL" */
int names_signal_parse(const char *s);
const char *names_capability(int cap); /* "CAP_NET_RAW" */
/* The syscall with its decisive argument in the kernel's spelling: "socket AF_UNIX",
 * "clone CLONE_NEWUSER", "prctl PR_SET_SECCOMP", "ioctl TIOCSTI", else the bare name. */
void names_decisive(const char *syscall_name, const uint64_t args[6], char *buf, size_t size);
/* "127.0.0.53:53", "[::1]:80", an AF_UNIX path, "@abstract", "AF_NETLINK": of a raw sockaddr. */
void names_sockaddr(const void *addr, size_t len, struct text *ret);

/* Walk the whole table (tests). */
size_t names_count(void);
const char *names_at(size_t i);

#endif
