/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The wire contract: everything that crosses from the kernel programs to the daemon, and the
 * settings that go the other way. The only header that both sides include.
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

#define SF_COMM	    16	 /* TASK_COMM_LEN */
#define SF_PATH	    4096 /* PATH_MAX: longest text and longest base of one subject, bytes */
#define SF_SIG_TEXT 160	 /* text kept in the signature map itself, bytes */
#define SF_TAIL	    1024 /* end of what a process wrote to fd 2, bytes; a power of two */
#define SF_GROUPS   16	 /* supplementary groups sent with a refused path */
#define SF_CG_NAMES 8	 /* components of a cgroup's path, deepest first */
#define SF_CG_NAME  64	 /* bytes of one component, terminated */
#define SF_NR_MAX   512	 /* syscall numbers described by the table, per ABI */
#define SF_BENIGN   6	 /* known-benign errnos per syscall */
#define SF_ARGV	    512	 /* bytes of argv sent at exec: strings, each terminated */
#define SF_MAP_PATH 256	 /* path of a mapped file sent with SIGBUS, bytes */
#define SF_REQUESTS 64	 /* opcodes of io_uring described, from 0 */
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

/* ---- settings, one read-only struct, filled before load ---- */

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

/* ---- maps shared by layout ---- */

enum sf_cg_flag {
	SF_CG_ROOT = 1 << 0,   /* a tracked root or an unclaimed cgroup: children get an instance
				 * of their own from the kernel side */
	SF_CG_ENDED = 1 << 1,  /* its task has ended: what still comes is late */
	SF_CG_IGNORE = 1 << 2, /* below a tracked root, yet not recorded */
};

/* map `cgroups`: cgroup v2 id (u64) -> */
struct sf_cgroup {
	__u64 instance;
	__u32 flags; /* enum sf_cg_flag */
	__u32 pad;
};

/* map `scoped`: tgid (u32) -> instance (u64); a process and its descendants as a task */

/* map `watched`: tgid (u32) -> tgid (u32) of the server outside every task that it descends from, or
 * is; its channels are looked for. map `watched_cgroups`: cgroup v2 id (u64) -> u32, unused. */

/* map `streams`: what a stream is called (u64, see struct sf_ev_chunk) -> */
struct sf_stream {
	__u64 back;    /* the other direction; 0: a pipe has none */
	__u64 bytes;   /* seen of it, from its first record on */
	__u64 inode;   /* number of the captured end's, which tells it from a later stream's */
	__u64 peer;    /* … and of the other's; 0: not known yet */
	__u64 last_ns; /* when it was last used at the captured end */
	__u32 tgid;    /* who was recognised at the captured end */
	__u32 other;   /* who was last told of at the other; 0: nobody yet */
	__u8 kind;     /* enum sf_ch_kind */
	__u8 writes;   /* the captured end is 1: the writer's, 0: the reader's */
	__u8 begun;    /* its first record was sent */
	__u8 others;   /* SF_CH_OTHER sent */
	__u8 asks;     /* its first message was a request */
	__u8 pad[3];
};
_Static_assert(sizeof(struct sf_stream) == 56, "struct sf_stream");

/* map `instances`: instance (u64) -> what the signature maps do not say. All failing syscalls are
 * those in the maps, the benign and the lost. */
struct sf_instance {
	__u64 benign;	  /* failing syscalls that are known-benign, only counted */
	__u64 coarse;	  /* … that are counted without subject, in the coarse map */
	__u64 lost;	  /* … that are in no map at all */
	__u64 bells_lost; /* first sightings that found their ring full (counts are not affected) */
	__u64 rare_lost;  /* rare events that found their ring full */
	__u32 generation; /* for the budget */
	__u32 made;	  /* new signatures in this generation */
};
_Static_assert(sizeof(struct sf_instance) == 48, "struct sf_instance");

/* The signature maps: `sig_slot` (ARRAY_OF_MAPS, one entry) points at one of two hashes,
 * `coarse_slot` likewise. The daemon flips, drains the quiet one, commits, clears. */
struct sf_key {
	__u64 instance;
	__u64 start_ns; /* of the thread group's leader: with tgid, names a process for good */
	__u64 hash;	/* of the subject; 0: none, or coarse */
	__u32 tgid;
	__s16 err;   /* positive errno; 0: a success that matters */
	__u16 nr;    /* syscall number, bit 30 cleared for x32; 0xffff: none */
	__u8 abi;    /* enum sf_abi */
	__u8 entry;  /* enum sf_entry */
	__u8 coarse; /* 1: counted without subject */
	__u8 pad[5];
};
_Static_assert(sizeof(struct sf_key) == 40, "struct sf_key");

enum sf_text_kind {
	SF_TEXT_NONE = 0,
	SF_TEXT_PATH = 1,	/* a path as the task gave it */
	SF_TEXT_SOCKADDR = 2,	/* raw struct sockaddr */
	SF_TEXT_ARG = 3,	/* a u64 */
	SF_TEXT_UNREADABLE = 4, /* there should be a text, but its memory could not be read */
	SF_TEXT_FD = 5,		/* absolute path of a descriptor */
};

struct sf_val {
	__u64 count;
	__u64 first_ns;
	__u64 last_ns;
	__u32 tid;	/* of the first sighting */
	__u8 text_kind; /* enum sf_text_kind */
	__u8 rung;	/* 1: its bell is in the ring; 0: tried again at the next repeat */
	__u16 text_len; /* full length in bytes; more than SF_SIG_TEXT: cut here */
	char comm[SF_COMM];
	char text[SF_SIG_TEXT];
};
_Static_assert(sizeof(struct sf_val) == 208, "struct sf_val");

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
	__u16 kind; /* enum sf_kind */
	__u16 pad;
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
	__u32 tail_len;	  /* bytes that follow, oldest first */
	__u64 utime_ns;	  /* user and system time of the group */
	__u64 rlim_cpu;	  /* seconds, soft; ~0 unlimited */
	__u64 tail_total; /* bytes written to fd 2 since the last exec */
			  /* char tail[tail_len]; */
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
#define SF_CH_QUIET    2000000	  /* ns; for as long after one that did, DATA wakes nobody */

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
