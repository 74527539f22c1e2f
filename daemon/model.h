/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the daemon knows of a task while it is open: processes, signatures, rare events. Plain
 * structs that the stages hand on; only attribute and the pipeline change them. Times are boottime
 * ns as the kernel side gives them.
 */
#ifndef SANDFAULT_MODEL_H
#define SANDFAULT_MODEL_H

#include <uthash.h>

#include "../bpf/event.h"
#include "call.h"
#include "explain.h"
#include "record.h"

#define TASK_MAX_PROCESSES  16384 /* then finished ones that failed in nothing are forgotten */
#define TASK_MAX_SIGNATURES 16384 /* then folded into coarse ones */
#define TASK_MAX_EVENTS	    1024  /* of each kind of rare event; further ones are only counted */
#define TASK_MAX_CALLS	    16384 /* then healthy ones are forgotten */
#define PROCESS_LAST	    8	  /* last failing signatures kept per process */

/* As enum sf_secure of bpf/event.h. */
enum secure {
	SECURE_GAINED = SF_SECURE_GAINED,
	SECURE_NNP = SF_SECURE_NNP,
	SECURE_NOSUID = SF_SECURE_NOSUID,
};

struct process_key {
	uint64_t start_ns;
	uint32_t tgid;
	uint32_t pad; /* 0: the key is compared as bytes */
};

/* One of the last failing signatures of a process. */
struct last {
	uint64_t hash, ts;
	int16_t err;
	uint16_t nr;
	uint8_t abi, entry;
};

struct process {
	struct process_key key;
	struct process_key parent; /* start_ns 0: unknown */
	struct process_key reaper; /* its parent when it ended; tgid 0: not told */
	uint32_t ns_pid, mntns, netns, uid;
	uint32_t state;	    /* enum sf_state, newest known */
	char comm[SF_COMM]; /* newest known, terminated */
	struct text exe;    /* absolute path of what it runs */
	struct text file;   /* as it was asked for: for a script, the script */
	struct text argv;   /* strings, each terminated */
	uint64_t seen_ns;   /* first event */
	uint64_t exec_ns;   /* last successful exec, 0: none seen */
	unsigned int execs; /* successful ones that were seen */
	uint8_t secure;	    /* enum secure, of its last exec */
	bool root;	    /* its parent is outside of the task */
	bool exited;
	uint64_t exit_ns;
	int status;	    /* as wait(2) */
	struct text tail;   /* end of what went to fd 2 */
	struct text report; /* … and, of one that failed, to fd 1 */
	uint64_t tail_total;
	uint16_t fd2; /* equal to another's: they had the same file for fd 2; 0: not known */
	uint64_t utime_ns, rlim_cpu;
	uint64_t throttled_ns;		/* of its cgroup, before it began to run what it runs */
	uint64_t n_last;		/* failing calls of its own, but for benign ones */
	struct last last[PROCESS_LAST]; /* newest first */
	UT_hash_handle hh;
};

struct signature {
	struct sf_key key;
	uint64_t count;
	uint64_t first_ns, last_ns;
	uint32_t tid;
	char comm[SF_COMM];
	char syscall[32]; /* name */
	uint32_t classes; /* enum sys_class */
	struct text
		subject; /* absolute path, ADDRESS:PORT, or the syscall with its decisive argument */
	struct text raw;     /* the path as the task gave it; empty where there is none */
	uint8_t text_kind;   /* enum sf_text_kind */
	bool subject_cut;    /* the text did not fit */
	bool bell;	     /* what follows is filled */
	uint32_t bell_flags; /* enum sf_bell_flag */
	uint64_t args[6];
	uint64_t cap_mask;
	uint32_t cap_ns_level;
	uint64_t hooks;	  /* 1 << enum sf_hook: those that were watched */
	uint8_t hook;	  /* enum sf_hook: the last that refused inside the call, with … */
	uint8_t hook_err; /* … this errno, and … */
	uint8_t lsm;	  /* enum sf_lsm: … the module that did, where it was seen */
	uint64_t
		inner_hash; /* an exec: of the file inside of it that could not be opened; 0: none */
	struct text inner;  /* … that file's path */
	uint32_t state;	    /* enum sf_state at that moment */
	uint32_t mntns, netns, ns_pid;
	struct sf_creds *creds;		 /* owned; NULL: none were sent, or of no use (ENOENT) */
	struct sf_limits *limits;	 /* owned; NULL: none were sent */
	struct explanation *explanation; /* owned; NULL: not asked, or not here yet */
	bool explain_pending;
	uint32_t mount_table; /* that its kernel side sent with it; 0: none */
	bool mount_known;     /* from a mount table, where explain came too late */
	uint32_t mount_flags; /* ST_RDONLY, ST_NODEV, ST_NOEXEC, ST_NOSUID */
	uint32_t mount_len;   /* of that mount's point … */
	uint32_t mount_mode, mount_uid,
		mount_gid; /* … and of what it shows there; mode 0: not told */
	char mount_type[16];
	uint32_t cover_len; /* as mount_len, where it covers what lies there outside; 0 */
	UT_hash_handle hh;
};

/* Events of one kind, as the wire has them. */
#define EVENTS(type)                                                                               \
	struct {                                                                                   \
		type *v;                                                                           \
		size_t n, cap;                                                                     \
		uint64_t dropped;                                                                  \
	}

struct task {
	uint64_t instance;	/* = rec.id */
	struct task_record rec; /* identity, state, outcome, counters; failures as last judged */
	uint64_t started_ns, ended_ns; /* boottime; ended_ns 0: open */
	bool process_scope;
	bool outcome_given; /* by `end` */
	struct process *processes;
	struct signature *signatures;
	EVENTS(struct sf_ev_signal) signals;
	EVENTS(struct sf_ev_oom) ooms;
	EVENTS(struct sf_ev_thread) threads;
	EVENTS(struct sf_ev_net) nets;
	EVENTS(struct sf_ev_state) states;
	EVENTS(struct sf_ev_cpu) cpus;
	EVENTS(struct call *) calls; /* owned, oldest first */
	EVENTS(struct incident) incidents;
	uint64_t failed, benign, coarse, lost; /* of the kernel's counters for this instance */
	unsigned int alive;		       /* processes that have not exited */
	bool populated;			       /* it has had a process */
	bool dirty;			       /* something came since it was judged */
	uint64_t empty_since_ns;	       /* 0: not empty */
	UT_hash_handle hh;
};

/* Never NULL: all zero, and so not valid, where there are none. */
const struct sf_creds *signature_creds(const struct signature *s);
const struct sf_limits *signature_limits(const struct signature *s);
/* Copies what is valid; 0 or -ENOMEM. */
int signature_set_creds(struct signature *s, const struct sf_creds *creds);
int signature_set_limits(struct signature *s, const struct sf_limits *limits);
struct process *task_find_process(const struct task *t, uint32_t tgid, uint64_t start_ns);
struct process *task_add_process(struct task *t, uint32_t tgid,
				 uint64_t start_ns); /* finds or makes; NULL: no memory */
/* Whose end is the task's; NULL: none. `ret_n`, unless NULL: how many could be it. */
const struct process *task_root(const struct task *t, size_t *ret_n);
/* `count` calls of that kind failed, the last of them at `last_ns`. */
void process_fails(struct process *p, const struct sf_key *key, uint64_t count, uint64_t last_ns);
struct signature *task_find_signature(const struct task *t, const struct sf_key *key);
/* Finds or makes; over TASK_MAX_SIGNATURES the one that it gets has a coarser key. NULL: no memory. */
struct signature *task_add_signature(struct task *t, const struct sf_key *key);
/* A file that an exec opened by itself, in vain: evidence of that exec, no failure of its own. */
bool signature_is_inner(const struct signature *s);
/* Did a hook refuse this very call? */
bool signature_hook_refused(const struct signature *s);
void task_drop_signature(struct task *t, struct signature *s);
void signature_clear(struct signature *s); /* frees what it owns, not itself */
struct task *task_new(uint64_t instance);
void task_free(struct task *t);

#endif
