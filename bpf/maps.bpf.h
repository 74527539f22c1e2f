/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps and the memory that the program files share. Each is defined once (base.bpf.c, and
 * fold.bpf.c for the signature maps) and declared here for the others; the linker joins them.
 */
#ifndef SANDFAULT_MAPS_BPF_H
#define SANDFAULT_MAPS_BPF_H

#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>
#include <bpf/bpf_core_read.h>
#include "event.h"

/* ---- per thread: task storage, or a hash by tid ---- */

struct sf_thread {
	u8 armed;   /* an exit under a filter was seen: from here on `entered` can be trusted */
	u8 entered; /* the current syscall passed seccomp */
	u16 pad;
	u32 state; /* SF_ST_LANDLOCK, SF_ST_MDWE: observed, inherited on fork */

	/* A syscall, and what was seen inside of it: a later call never takes that for its own. */
	u64 call[6];
	u64 cap_mask;	  /* failed capability checks */
	u64 inner;	  /* hash of the file that an exec could not open; 0: none */
	u32 cap_ns_level; /* of the last check that failed */
	u8 hook;	  /* enum sf_hook: the last that refused; 0: none */
	u8 hook_err;
	u8 lsm;		/* enum sf_lsm */
	u8 cap_refused; /* the last check failed, and who asked has not heard yet */
	u64 cap_target; /* with kprobes: the check that is under way asks about this namespace, */
	u64 cap;	/* … and this capability */

	/* Whom the kernel last killed while this thread ran, the task's address: kept where the
	 * OOM killer tells its victim's number only. */
	u64 killed;
	/* The call that it left last, under a filter: kept where seccomp leaves no mark on those
	 * that it kills. */
	u64 left_call[6];
};

/* ---- per process: hash by tgid, as a leader's storage is lost when another thread execs ---- */

/* The end of what was written. */
struct sf_tail {
	char ring[2 * SF_TAIL]; /* of SF_TAIL; the rest lets the verifier add a length */
	u64 total;
};

struct sf_process {
	struct sf_tail tail; /* of fd 2 */
	u64 start_ns;	     /* 0: just made */
	u64 instance;
	u64 cgroup;
};

/* What went to fd 1: test runners and the like tell their failures there. A process that writes more
 * often than that puts out data. */
#define SF_REPORT_WRITES 1024
struct sf_report {
	struct sf_tail tail;
	u64 start_ns;
	u64 writes;
};

/* ---- per connecting socket: socket storage ---- */

struct sf_connect {
	struct sf_actor actor;
	u64 ts;
	u32 addr_len;
	u32 family;
	u8 addr[28]; /* room for a sockaddr_in6 */
	u32 pad;
};

/* ---- scratch memory ---- */

/*
 * Per CPU, in slots that are taken and given back: the programs may be preempted or interrupted by
 * one another. State that a loop changes lives here too: on the stack the verifier
 * would follow every combination of it.
 *
 * Global functions take the slot's number and look it up again. A pointer to plain memory would do
 * from 6.2 on (d1673304097c); before, it is refused as a map's key or value.
 */
#define SF_SLOTS 4
#define SF_DATA	 (2 * SF_PATH)
#define SF_WALK	 (SF_PATH + 256)

struct sf_scratch {
	u32 busy;
	u32 slot;
	u64 now;

	/* Whom it is about. Addresses are kept as numbers; what they point at is read with
	 * BPF_CORE_READ. `state` is what its thread storage says, filled by the program. */
	u64 task;
	u64 instance;
	u64 cgroup;
	u32 state;
	u32 late_fd; /* 1: the text is the path of `from`, walked on first sighting only */

	/* The syscall. */
	u64 args[6];
	s64 ret;
	u32 marked; /* the seccomp marker was consulted */
	struct sf_sys sys;
	u64 io_addr; /* the pieces of a write that are still to be looked at */
	u64 io_count;
	u64 io_left;
	u64 io_at;    /* a channel's: the piece that is copied, … */
	u64 io_piece; /* … what is left of it, … */
	u32 io_index; /* … and how many were before it, with it */
	u32 ch_pad;

	/* The subject: its text lies in bell.data. */
	u64 hash;
	u32 text_len;
	u16 text_kind;
	u16 text_cut;
	u64 from_dentry; /* the directory it starts from, or the descriptor's file; 0: none */
	u64 from_mnt;

	/* The path walk: backwards, into the end of `walk`. */
	u64 walk_dentry;
	u64 walk_mnt;
	u64 root_dentry;
	u64 root_mnt;
	u32 walk_off;	 /* first byte in use; the path ends at SF_PATH - 1 */
	u32 walk_flags;	 /* SF_BELL_BASE_* */
	u32 walk_inside; /* 1: no further than the file system's root */

	/* The mount table: where in the tree of mounts. */
	u32 mount_up; /* 1: those below it are done */
	u64 mount_at;
	u64 mount_top; /* the one that holds the process's root */
	u32 mounts;    /* sent */
	u32 mounts_whole;

	struct sf_key key;
	struct sf_val val;

	union {
		struct sf_hdr hdr;
		struct {
			struct sf_ev_bell head;
			char data[SF_DATA + 16];
		} bell;
		struct {
			struct sf_ev_exec head;
			char data[SF_DATA + SF_ARGV];
		} exec;
		struct {
			struct sf_ev_exit head;
			char data[4 * SF_TAIL]; /* half of it lets the verifier add lengths */
		} exit;
		struct {
			struct sf_ev_cgroup head;
			char data[SF_PATH];
		} cgroup_ev;
		struct sf_ev_fork fork;
		struct sf_ev_thread thread;
		struct sf_ev_signal signal;
		struct sf_ev_oom oom;
		struct sf_ev_state state_ev;
		struct sf_ev_net net;
		struct sf_ev_cpu cpu;
		struct sf_ev_chunk chunk;
		struct {
			struct sf_ev_mount head;
			char data[SF_DATA + 16];
		} mount;
	};
	char walk[SF_WALK];
};

/* ---- maps ---- */

struct cgroups_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, struct sf_cgroup);
};

struct scoped_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, u64);
};

struct instances_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u64);
	__type(value, struct sf_instance);
};

struct processes_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct sf_process);
};

struct reports_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, u32); /* tgid */
	__type(value, struct sf_report);
};

struct threads_map {
	__uint(type, BPF_MAP_TYPE_TASK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sf_thread);
};

/* Where programs of our kind have no task storage: deleted at each thread's exit. */
struct thread_table_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, struct sf_thread);
};

struct scratches_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SF_SLOTS);
	__type(key, u32);
	__type(value, struct sf_scratch);
};

struct counters_map {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, SF_C_MAX);
	__type(key, u32);
	__type(value, u64);
};

struct ring_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 20);
};

struct small_ring_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 18);
};

/* Tools' channels. */

struct watched_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, u32);
	__type(value, u32);
};

struct watched_cgroups_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__type(key, u64);
	__type(value, u32);
};

struct streams_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, u64);
	__type(value, struct sf_stream);
};

/* What a process wrote to its standard output, a pipe or a socket, before that was known as a tool's
 * channel: the beginning of it. Or what it has read, by the byte, of a line of its standard input. */
#define SF_PRELUDE 512 /* bytes; a power of two */
struct sf_prelude {
	u64 inode;		   /* of the pipe's or the socket's end */
	u64 bytes;		   /* written in all */
	u32 len;		   /* kept */
	u32 torn;		   /* 1: not all of a call could be kept: nothing more is */
	char text[2 * SF_PRELUDE]; /* the rest lets the verifier add a length */
};

struct preludes_map {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, u64); /* of the stream */
	__type(value, struct sf_prelude);
};

struct channel_programs_map {
	__uint(type, BPF_MAP_TYPE_PROG_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, u32);
};

struct channel_ring_map {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
};

extern struct cgroups_map cgroups SEC(".maps");
extern struct scoped_map scoped SEC(".maps");
extern struct instances_map instances SEC(".maps");
extern struct processes_map processes SEC(".maps");
extern struct reports_map reports SEC(".maps");
extern struct threads_map threads SEC(".maps");
extern struct thread_table_map thread_table SEC(".maps");
extern struct scratches_map scratches SEC(".maps");
extern struct counters_map counters SEC(".maps");
extern struct ring_map bells SEC(".maps");
extern struct ring_map rare SEC(".maps");
extern struct small_ring_map urgent SEC(".maps"); /* bells of refused files, once more */
extern struct watched_map watched SEC(".maps");
extern struct watched_cgroups_map watched_cgroups SEC(".maps");
extern struct streams_map streams SEC(".maps");
extern struct preludes_map preludes SEC(".maps");
extern struct channel_programs_map channel_programs SEC(".maps");
extern struct channel_ring_map channel SEC(".maps");

/* ---- settings, and what the daemon changes while we run ---- */

extern const volatile struct sf_config config;
extern __u64 scoped_count;  /* live scoped roots: with none, `scoped` is not looked up */
extern __u32 generation;    /* bumped at each flip of the signature maps; for the budget */
extern __u64 next_instance; /* for cgroups that nobody has claimed yet */
extern __u32 requests_on;   /* 1: requests of io_uring are seen */
extern __u64 hooks_on;	    /* 1 << enum sf_hook: those that are attached */
extern __u32 send_refused;  /* a check failed inside a send: until one did, none is looked at */
extern __u64 watched_count; /* servers in `watched`: with none it is not looked up */
extern __u64 watched_cgroups_count;
extern __u64 stream_count;   /* entries of `streams`; the daemon forgets some too */
extern __u32 stream_serial;  /* of the last connection that became a channel */
extern __u64 channel_woken;  /* boottime ns: when the daemon was last woken by a channel's bytes */
extern __u64 channel_losses; /* bytes, streams and records of channels that were lost */
extern __u32 exec_watch;     /* 1: programs started outside of every task are told of */

/* ---- global functions: verified once each; `slot` is a scratch slot that the caller holds ---- */

int subject_read(u32 slot); /* text and hash of what the call was about */
int subject_hash(u32 slot, u32 len, u64 seed);
int stderr_keep(u32 slot);  /* what the call wrote to fd 2, or to fd 1 where args[0] says so */
int actor_fill(u32 slot);   /* hdr and actor of the event, from task, instance, cgroup, state */
int path_walk(u32 slot);    /* from_* into walk, up to the task's root */
int mounts_table(u32 slot); /* sent, unless it has been: its number, or 0 */
int creds_fill(u32 slot);   /* bell.head.creds */
int limits_fill(u32 slot);  /* bell.head.limits */
int bell_ring(u32 slot);    /* the whole bell into its ring; 0, or -1: the ring was full */
int rare_emit(u32 slot, u32 kind, u32 size);
int channel_emit(u32 slot, u32 kind, u32 size); /* into the ring of channels */
int cpu_emit(u32 slot);				/* an event, where its cgroup was throttled */
int signature_fold(u32 slot);
int signature_fold_bare(u64 instance, u32 err, u32 nr, u32 abi, u32 entry); /* without a slot */

#endif
