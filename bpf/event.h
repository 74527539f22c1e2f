/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire contract: everything that crosses from the kernel programs to the daemon. With the headers
 * that it includes, the only one that both sides have.
 *
 * Times are nanoseconds of CLOCK_BOOTTIME. Strings are the task's own bytes: hostile, not
 * terminated unless said so. Every struct has fixed widths and no implicit padding.
 */
#ifndef SANDFAULT_EVENT_H
#define SANDFAULT_EVENT_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif
#include "hooks.h"
#include "settings.h"
#include "shared.h"

#define SF_PATH	    4096 /* PATH_MAX: longest text and longest base of one subject, bytes */
#define SF_TAIL	    1024 /* end of what a process wrote to fd 2, or 1, bytes; a power of two */
#define SF_GROUPS   16	 /* supplementary groups sent with a refused path */
#define SF_CG_NAMES 8	 /* components of a cgroup's path, deepest first */
#define SF_CG_NAME  64	 /* bytes of one component, terminated */
#define SF_ARGV	    512	 /* bytes of argv sent at exec: strings, each terminated */
#define SF_MAP_PATH 256	 /* path of a mapped file sent with SIGBUS, bytes */
#define SF_SOCKADDR 128	 /* sizeof(struct sockaddr_storage) */
#define SF_FS_TYPE  16	 /* bytes of a file system type's name, terminated */

/* Instances made by the kernel side for a cgroup that appeared below a tracked root and that
 * nobody has claimed yet: this bit and a counter. The daemon's own have the bit clear. */
#define SF_INSTANCE_KERNEL (1ULL << 62)

enum sf_abi { SF_ABI_NATIVE = 0, SF_ABI_COMPAT = 1, SF_ABI_X32 = 2 };

/* What the seccomp marker says of a syscall that left the kernel (KERNEL: armed, entered). */
enum sf_entry {
	SF_ENTERED = 0, /* the syscall ran: its errno is the kernel's own */
	SF_DENIED = 1,	/* left without having entered: seccomp refused it */
	SF_UNKNOWN = 2, /* first sight of this thread under a filter: can't tell */
	SF_PTRACED = 3, /* not entered, but a tracer may have skipped it */
	/* No failing syscalls, yet folded like them; in no count of failing ones: */
	SF_SHORT = 4,  /* errno 0: wrote less to a regular file than it was asked to */
	SF_REPLY = 5,  /* errno EPERM: succeeded, with a failed capability check inside (netlink) */
	SF_LOOKUP = 6, /* an open that was no syscall: of io_uring (number: openat), or inside of an
			* exec (number: execve) */
	/* No syscall either, and counted as one: */
	SF_REQUEST = 7, /* a request of io_uring */
};

/* ---- events ---- */

enum sf_kind {
	SF_EV_BELL = 1,	  /* struct sf_ev_bell     first sighting of a signature    ring bells */
	SF_EV_EXEC = 2,	  /* struct sf_ev_exec     a successful exec                ring rare  */
	SF_EV_FORK = 3,	  /* struct sf_ev_fork     a new process (not a thread)     ring rare  */
	SF_EV_EXIT = 4,	  /* struct sf_ev_exit     a process ended                  ring rare  */
	SF_EV_THREAD = 5, /* struct sf_ev_thread   one thread ended by SIGSYS       ring rare  */
	SF_EV_SIGNAL = 6, /* struct sf_ev_signal   a signal that ends, or asks to     ring rare */
	SF_EV_OOM = 7,	  /* struct sf_ev_oom      the OOM killer chose a victim    ring rare  */
	SF_EV_CGROUP = 8, /* struct sf_ev_cgroup   made, removed, released, task attached rare */
	SF_EV_STATE = 9,  /* struct sf_ev_state    Landlock, MDWE, mounts           ring rare  */
	SF_EV_NET = 10,	  /* struct sf_ev_net      an asynchronous TCP failure      ring rare  */
	SF_EV_CPU = 11,	  /* struct sf_ev_cpu      its cgroup had used up its CPU   ring rare  */
	SF_EV_MOUNT = 13, /* struct sf_ev_mount    one mount of a table, or its end ring bells */
	/* Ring channel; there SF_EV_EXEC too, of programs outside every task (instance 0). */
	SF_EV_CHUNK = 12, /* struct sf_ev_chunk    bytes of a tool's channel                   */
};

struct sf_hdr {
	__u16 kind;   /* enum sf_kind */
	__u16 serial; /* CHUNK: tells a connection from another that had its name; EXIT: tells what
		       * fd 2 was from what another process's was, 0: not known; else 0 */
	__u32 size; /* of the whole record with its trailing bytes; a CHUNK may be followed by more,
		     * which mean nothing */
	__u64 ts;   /* boottime ns */
};

/* Who did it. For SIGNAL and OOM: the target, not the sender. */
struct sf_actor {
	__u64 instance;
	__u64 cgroup;	/* v2 cgroup id */
	__u64 start_ns; /* of the thread group's leader */
	__u64 parent_start_ns;
	__u32 tgid;
	__u32 tid;
	__u32 ppid;   /* tgid of the real parent */
	__u32 ns_pid; /* tgid in its innermost pid namespace */
	__u32 mntns;  /* inode number of its mount namespace */
	__u32 netns;  /* inode number of its network namespace */
	__u32 state;  /* enum sf_state */
	__u32 uid;    /* fsuid, in the initial namespace's numbers */
	char comm[SF_COMM];
};
_Static_assert(sizeof(struct sf_actor) == 80, "struct sf_actor");

/* What was observed of a thread and is inherited on fork. */
enum sf_state {
	SF_ST_LANDLOCK = 1 << 0, /* landlock_restrict_self succeeded */
	SF_ST_MDWE = 1 << 1,	 /* prctl(PR_SET_MDWE) succeeded */
	SF_ST_SECCOMP = 1 << 2,	 /* seccomp.mode == 2 */
	SF_ST_NNP = 1 << 3,	 /* no_new_privs */
	SF_ST_PTRACED = 1 << 4,
	SF_ST_CHROOT = 1 << 5, /* its root is not its mount namespace's root */
};

/* Limits and usage at the moment of failure. A limit of ~0 means unlimited. */
enum sf_limits_valid { SF_LIM_RLIMITS = 1, SF_LIM_PIDS = 2, SF_LIM_NPROC = 4, SF_LIM_MM = 8 };
struct sf_limits {
	__u32 valid;	  /* enum sf_limits_valid */
	__u32 pids_depth; /* levels above the task's own pids cgroup */
	__u64 rlim_as, rlim_nofile, rlim_fsize, rlim_nproc, rlim_memlock; /* soft limits */
	__u64 total_vm;							  /* bytes mapped */
	__u64 locked_vm;						  /* bytes locked */
	__u64 data_vm; /* bytes, against rlim_data */
	__u64 rlim_data;
	__u64 map_count;  /* mappings */
	__u64 map_limit;  /* vm.max_map_count; 0: not known */
	__u64 nproc;	  /* processes of that user */
	__s64 pids_count; /* at the pids cgroup with the least slack */
	__s64 pids_limit;
	__u64 pids_cgroup;	    /* its id (v1 or v2 numbers) */
	char pids_name[SF_CG_NAME]; /* its last component, terminated */
};
_Static_assert(sizeof(struct sf_limits) == 192, "struct sf_limits");

struct sf_creds {
	__u32 valid; /* 1: filled */
	__u32 fsuid, fsgid, euid;
	__u64 cap_effective;
	__u32 userns_level; /* 0: the initial user namespace */
	__u32 ngroups;	    /* all of them; at most SF_GROUPS are sent */
	__u32 groups[SF_GROUPS];
	/* The directory that the path starts from: root, working directory or dirfd. */
	__u64 base_ino;
	__u32 base_dev; /* kernel encoding of s_dev */
	__u32 base_mode, base_uid, base_gid;
	__u32 base_mnt_flags; /* MNT_* of its mount: 1 nosuid, 2 nodev, 4 noexec, 0x40 readonly */
	__u32 base_sb_flags;  /* SB_RDONLY 1 … */
	__u64 base_magic;     /* superblock magic */
	__u32 userns_owner_uid;
	__u32 table; /* of the mounts at that moment, see struct sf_ev_mount; 0: not told */
};
_Static_assert(sizeof(struct sf_creds) == 144, "struct sf_creds");

enum sf_bell_flag {
	SF_BELL_BASE = 1 << 0,	       /* `base` holds the absolute directory of a relative text */
	SF_BELL_BASE_CUT = 1 << 1,     /* … of which only the end did fit */
	SF_BELL_BASE_REMOVED = 1 << 2, /* the directory was removed */
	SF_BELL_BASE_OUTSIDE = 1 << 3, /* it lies outside of the process's root */
	SF_BELL_TEXT_CUT = 1 << 4,     /* the text did not fit */
	SF_BELL_CAP = 1 << 5,	       /* cap_mask is valid: checks that failed inside this call */
	SF_BELL_MARKED = 1 << 6,       /* seccomp marker consulted */
};

struct sf_ev_bell {
	struct sf_hdr hdr;
	struct sf_actor actor;
	struct sf_key key;
	__u64 args[6];	    /* as the ABI passes them; compat: zero-extended */
	__u64 cap_mask;	    /* 1 << CAP_… */
	__u32 cap_ns_level; /* level of the user namespace checked against */
	__u32 flags;	    /* enum sf_bell_flag */
	__u64 hooks;	    /* 1 << enum sf_hook: those that were watched over the whole call */
	__u64 inner; /* an exec: hash of the SF_LOOKUP that failed inside of it; 0: none did */
	struct sf_creds creds;
	struct sf_limits limits;
	__u8 text_kind; /* enum sf_text_kind */
	__u8 hook;	/* enum sf_hook: the last that refused inside this call */
	__u8 hook_err;	/* … with this errno */
	__u8 lsm;	/* enum sf_lsm: … and the module whose own function did */
	__u16 text_len; /* bytes of text that follow, not terminated */
	__u16 base_len; /* bytes of base that follow the text, not terminated */
			/* char text[text_len]; char base[base_len]; */
};
_Static_assert(sizeof(struct sf_ev_bell) == 16 + 80 + 40 + 48 + 32 + 144 + 192 + 8,
	       "struct sf_ev_bell");

/* What an exec did to the privileges of its process. */
enum sf_secure {
	SF_SECURE_GAINED = 1, /* set-user-id, set-group-id or file capabilities took effect */
	/* A set-user-id or set-group-id file of another owner or group gained nothing, as … */
	SF_SECURE_NNP = 2,    /* … the task has no_new_privs */
	SF_SECURE_NOSUID = 4, /* … its mount is nosuid */
};

struct sf_ev_exec {
	struct sf_hdr hdr;
	struct sf_actor actor;
	__u16 file_len;	    /* bprm->filename as the task gave it: for a script, the script */
	__u16 exe_len;	    /* absolute path of the program that runs now */
	__u16 argv_len;	    /* at most SF_ARGV */
	__u16 secure;	    /* enum sf_secure */
	__u64 throttled_ns; /* of the cgroup until now, see struct sf_ev_cpu */
			    /* char file[]; char exe[]; char argv[]; */
};

struct sf_ev_fork {
	struct sf_hdr hdr;
	struct sf_actor actor; /* the child; its parent is actor.ppid */
	__u64 throttled_ns;    /* of the cgroup until now, see struct sf_ev_cpu */
};

struct sf_ev_exit {
	struct sf_hdr hdr;
	struct sf_actor actor;
	__u32 status;	  /* as wait(2) has it: code << 8 | signal | core << 7 */
	__u16 tail_len;	  /* bytes that follow, oldest first: of fd 2, … */
	__u16 report_len; /* … and, of one that failed, of fd 1 */
	__u64 utime_ns;	  /* user and system time of the group */
	__u64 rlim_cpu;	  /* seconds, soft; ~0 unlimited */
	__u64 tail_total; /* bytes written to fd 2 since the last exec */
			  /* char tail[tail_len]; char report[report_len]; */
};

struct sf_ev_thread {
	struct sf_hdr hdr;
	struct sf_actor actor;
	__u32 code; /* the thread's own exit_code: 31 for seccomp's kill */
	__s32 nr;   /* the syscall it stood in; -1: unknown */
	__u64 args[6];
	__u32 group_alive; /* 1: other threads live on */
	__u8 abi;
	__u8 pad[3];
};

struct sf_ev_signal {
	struct sf_hdr hdr;
	struct sf_actor actor; /* the target */
	__s32 sig;
	__s32 code;  /* si_code; SI_KERNEL 128, SI_USER 0, SYS_SECCOMP 1 for SIGSYS */
	__s32 err;   /* si_errno */
	__u32 group; /* 1: to the process, 0: to the thread */
	__u64 addr;  /* fault address where the kernel raised it */
	__s32 nr;    /* SIGSYS: the syscall */
	__u32 sender_tgid;
	__u64 sender_start_ns;
	__u64 sender_instance; /* 0: outside every task */
	__u64 sender_cgroup;
	char sender_comm[SF_COMM];
	__u32 sender_kernel; /* 1: raised by the kernel itself, sender_* is who ran */
	__u8 abi;
	__u8 forced;  /* 1: its handler was made immutable: seccomp kills, does not trap (5.16) */
	__u8 handled; /* 1: a handler will have it: SIGHUP, SIGINT, SIGQUIT, SIGTERM alone */
	__u8 pad;
	__u64 args[6]; /* of the syscall that the target stands in, for SIGSYS and SIGXFSZ */
	__u64 rlim_fsize;
	/* SIGBUS: the file whose mapping holds addr */
	__u64 map_size;		    /* of the file, bytes */
	__u64 map_offset;	    /* of addr in the file, bytes */
	__u64 map_magic;	    /* superblock magic; 0: no such mapping was found */
	char map_path[SF_MAP_PATH]; /* absolute, terminated; a longer one keeps its end */
};

struct sf_ev_oom {
	struct sf_hdr hdr;
	struct sf_actor actor; /* the victim */
	__u64 limit;	       /* bytes; ~0 where no cgroup stood at its limit (the host did) */
	__u64 usage;	       /* bytes */
	__u64 owner;	       /* id of the cgroup at its limit (v1 or v2 numbers); 0: the host */
	__u64 victim_rss;      /* bytes; 0 where it can't be read */
	__u32 depth;	       /* levels above the victim's own memory cgroup */
	__u32 nnames;
	__u64 swap_limit;		     /* bytes, ~0 unlimited */
	char names[SF_CG_NAMES][SF_CG_NAME]; /* deepest first; cut in the middle of nowhere: the
					      * eight deepest are sent */
};

/*
 * Before the exit of a process that lived for a while below a CPU quota that ran out. The cgroup's
 * numbers, since it was made: what of it fell into the process's life is the difference to what its
 * exec or fork said.
 */
struct sf_ev_cpu {
	struct sf_hdr hdr;
	struct sf_actor actor;
	__u64 throttled_ns; /* summed over the CPUs */
	__u64 quota_ns;	    /* CPU time per period; ~0: none */
	__u64 period_ns;
	__u64 owner; /* id of the cgroup that was throttled most (v1 or v2 numbers) */
	__u32 nr_periods, nr_throttled;
	__u32 nnames;
	__u32 pad;
	char names[SF_CG_NAMES][SF_CG_NAME]; /* as in struct sf_ev_oom */
};

/*
 * What was mounted when a path failed, as its process saw it: the first failure after a change sends
 * the whole table ahead of its bell, mount by mount, and then its end. By the time that somebody
 * comes to read mountinfo the last process of a sandbox may be gone.
 */
struct sf_ev_mount {
	struct sf_hdr hdr;
	struct sf_actor actor; /* who failed */
	__u32 table;	       /* its number */
	__u32 end;	       /* 1: no mount, the table is whole; `id` is how many came */
	__u32 id, parent;      /* mount ids; the one that holds the process's root has parent 0 */
	__u32 flags;	       /* MNT_*, as base_mnt_flags */
	__u32 sb_flags;	       /* SB_* */
	__u32 mode, uid, gid;  /* of what it shows at its point */
	__u32 pad;
	__u64 magic; /* superblock magic */
	char type[SF_FS_TYPE];
	__u16 point_len; /* bytes: where, from the process's root */
	__u16 root_len;	 /* bytes: what, from the root of its file system */
	__u8 pad2[4];
	/* char point[point_len]; char root[root_len]; */
};
_Static_assert(sizeof(struct sf_ev_mount) == 16 + 80 + 72, "struct sf_ev_mount");

enum sf_cg_what { SF_CG_MKDIR = 1, SF_CG_RMDIR = 2, SF_CG_RELEASE = 3, SF_CG_ATTACH = 4 };
struct sf_ev_cgroup {
	struct sf_hdr hdr;
	struct sf_actor
		actor; /* MKDIR, RMDIR: who did it; ATTACH: the task that was moved; RELEASE: zero */
	__u64 id;
	__u64 parent;
	__u64 instance; /* of the cgroup, as the map has it */
	__u32 what;	/* enum sf_cg_what */
	__u32 level;
	__u64 path_len; /* bytes that follow: path from the v2 root, with leading slash */
			/* char path[]; */
};

enum sf_state_what {
	SF_STATE_LANDLOCK = 1,
	SF_STATE_MDWE = 2,
	SF_STATE_MOUNT = 3, /* any of the mount family, pivot_root, chroot, setns, unshare */
};
struct sf_ev_state {
	struct sf_hdr hdr;
	struct sf_actor actor;
	__u32 what; /* enum sf_state_what */
	__u32 nr;
	__u64 args[6];
	__u8 abi;
	__u8 pad[7];
};

struct sf_ev_net {
	struct sf_hdr hdr;
	struct sf_actor actor; /* owner by the socket's cgroup; tgid where it is known, else 0 */
	__u32 err;	       /* positive errno; 0: given up by the application */
	__u32 family;
	__u64 duration_ns; /* since the connect */
	__u32 addr_len;	   /* bytes of addr that are valid */
	__u32 protocol;
	__u8 addr[SF_SOCKADDR]; /* the peer, a struct sockaddr */
};

/*
 * A tool's channel: a pipe, a unix socket of a stream, or a TCP connection on the loopback over which
 * JSON-RPC goes. One direction of it is a stream. It is recognised by the first message that a watched
 * process reads or writes, and captured at that end from there on, whoever holds it: the same bytes
 * are sent once, although they pass two ends.
 *
 * The operations of one end come in the order in which their calls returned.
 */
enum sf_ch_kind { SF_CH_PIPE = 1, SF_CH_UNIX = 2, SF_CH_TCP = 3 };
enum sf_ch_what {
	SF_CH_DATA = 1,
	SF_CH_OTHER = 2, /* another process uses the end that is not captured: no bytes, `offset` is
			    * what has been seen so far. Once a process, SF_CH_OTHERS of them at most */
	SF_CH_EOF = 3,	 /* a reader, of any end, found its end: the stream is forgotten */
	SF_CH_REFUSED = 4, /* the call failed: EPIPE, ECONNRESET */
};
#define SF_CH_OTHERS   16
#define SF_CH_DATA_MAX 65536	  /* bytes of one record; a longer operation is a run of them */
#define SF_CH_CALL_MAX (8U << 20) /* bytes kept of one operation */
#define SF_CH_QUIET    500000	  /* ns; for as long after one that did, DATA wakes nobody */

struct sf_ev_chunk {
	struct sf_hdr hdr;
	struct sf_actor actor; /* who did it; instance 0: outside of every task */
	__u64 stream;  /* names one direction of one channel as long as that lives, never 0 */
	__u64 back;    /* the other direction; 0: a pipe has none */
	__u64 offset;  /* of the first byte, in what was seen of the stream */
	__u32 len;     /* bytes that follow */
	__u32 missing; /* bytes after them that could not be had; REFUSED: that were refused */
	__s32 fd;
	__u32 err;   /* REFUSED: positive errno */
	__u8 what;   /* enum sf_ch_what */
	__u8 kind;   /* enum sf_ch_kind */
	__u8 writes; /* 1: the actor wrote it, 0: it read it */
	__u8 first;  /* 1: the stream's first record: an earlier one of that name is another */
	__u16 port_local, port_peer; /* TCP, host order: of the actor's socket */
				     /* char data[len]; */
};
_Static_assert(sizeof(struct sf_ev_chunk) == 144, "struct sf_ev_chunk");

/* ---- counters, per CPU, map `counters`: index -> u64 ---- */
enum sf_counter {
	SF_C_FAILED = 0,      /* failing syscalls of tracked tasks, and requests of io_uring */
	SF_C_BENIGN,	      /* … known-benign */
	SF_C_INTERNAL,	      /* kernel-internal returns, ignored (-512…-516 and the like) */
	SF_C_DENIED,	      /* refused by seccomp */
	SF_C_UNKNOWN,	      /* first sight under a filter */
	SF_C_FAKED,	      /* successes that seccomp or a tracer faked */
	SF_C_SUCCESS,	      /* successes that matter */
	SF_C_COARSE,	      /* counted without subject */
	SF_C_LOST_SIG,	      /* failing syscalls that found no place in any map */
	SF_C_LOST_BELL,	      /* bells that found their ring full */
	SF_C_LOST_RARE,	      /* rare events that found their ring full */
	SF_C_LOST_SCRATCH,    /* no scratch buffer was free */
	SF_C_LOST_PROC,	      /* the process table was full */
	SF_C_LOST_THREAD,     /* no thread storage could be had */
	SF_C_TEXT_UNREADABLE, /* subject text that could not be read */
	SF_C_EXEC,
	SF_C_FORK,
	SF_C_EXIT,
	SF_C_SIGNAL,
	SF_C_OOM,
	SF_C_CGROUP,
	SF_C_STATE,
	SF_C_NET,
	SF_C_CPU,
	SF_C_CAP,	    /* failed capability checks of tracked tasks */
	SF_C_HOOK,	    /* hooks that refused tracked tasks */
	SF_C_REQUEST,	    /* failing requests of io_uring */
	SF_C_LOOKUP,	    /* failing opens that were no syscalls */
	SF_C_MOUNTS,	    /* mount tables sent */
	SF_C_LOST_MOUNTS,   /* mount tables that found their ring full, or have too many mounts */
	SF_C_LOST_CGROUP,   /* a cgroup below a tracked root that found no place in the map */
	SF_C_LOST_INSTANCE, /* an instance that found no place in its table */
	SF_C_CHANNEL,	    /* operations on tools' channels that were captured */
	SF_C_LOST_CHANNEL,  /* bytes of theirs that found their ring full, or could not be read */
	SF_C_LOST_STREAM,   /* tools' channels that found no place in their table */
	SF_C_MAX
};

#endif
