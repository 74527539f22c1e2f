/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of the pipeline share. Each speaks for one part of a task's life:
 *
 *	pipeline.c   parts, the sweep's turn, timers
 *	rings.c      what the kernel side sends: taken in turns
 *	intake.c     an event -> its task's evidence
 *	inquiry.c    questions about state that is soon gone: explain, mount tables
 *	fold.c       a sweep's counts -> tasks
 *	tracked.c    tasks: open, settle, final, forgotten
 *	scope.c      what the kernel side is told: cgroups and processes of a task
 *	roots.c      tracked roots and templates
 *	begin*.c     the begin operation
 *	verdict.c    judge -> store, alert, watchers
 *	service*.c   the socket's operations
 *	resume.c     after a restart
 *	counters.c   values of counters
 *	channels*.c  tool channels, see channels.h
 *	keep.c       calls that are over -> store
 */
#ifndef SANDFAULT_CORE_H
#define SANDFAULT_CORE_H

#include <bpf/libbpf.h>

#include "alert.h"
#include "attribute.h"
#include "cgroupfs.h"
#include "channels.h"
#include "control.h"
#include "counters.h"
#include "decode.h"
#include "mounts.h"
#include "mover.h"
#include "names.h"
#include "pipeline.h"
#include "procfs.h"
#include "prune.h"
#include "query.h"
#include "sink.h"
#include "sweep.h"
#include "tape.h"
#include "template.h"
#include "scout.h"

#define GRACE_NS	(10 * NSEC_PER_SEC)   /* an ended task's keys stay that long */
#define EXPLAIN_WAIT_NS (300 * NSEC_PER_MSEC) /* a settling task waits for answers */
#define EXPLAIN_TIME_NS (250 * NSEC_PER_MSEC) /* … each of which may take that long */
#define LEAVES		"/sandfault"	      /* where the cgroups lie that we make */
#define PRIVATE_IDLE_NS (5 * NSEC_PER_SEC)

/* Cgroups below a root that were there before us and that nobody has claimed: one number for all,
 * out of the way of the kernel side's own. */
#define INSTANCE_OLD (SF_INSTANCE_KERNEL | 1ULL << 48)

/* A request that waits for a task's final state. */
struct waiter {
	struct control_peer *peer;
	uint64_t token;
};

/* Failing syscalls since the last sweep, one entry a kind. */
struct tally_key {
	int abi, nr, err, entry; /* nr -1: benign, -2: lost */
};

struct tally {
	struct tally_key key;
	int64_t count;
	UT_hash_handle hh;
};

/* A task, and what the daemon has to do for it. */
struct tracked {
	struct task *task;
	bool counted_only; /* the unattributed: its calls are counted, nothing is judged */
	bool prune_due;	   /* a process ended well since the last look */
	bool attached;	   /* processes were found in it, or moved there */
	bool leaving;	   /* its processes are on the way to its leaf: it has not begun yet */
	pid_t server;	   /* outside of it, which serves it, by the harness's word; 0: none */
	uint32_t calls_kept, incidents_kept; /* rows of it in the store */
	char *leaf;			     /* the cgroup that we made for it */
	struct waiter *waiters;
	size_t n_waiters, cap_waiters;
	uint64_t ticket;	  /* of the sweep that brings its last counts; 0: none asked for */
	unsigned int explaining;  /* answers that are due */
	int64_t explain_until_ns; /* a settling task waits for them no longer, 0: not waiting */
	int64_t judged_ns;	  /* boottime */
	int64_t judge_cost_ns;	  /* how long it took: a costly one is judged less often */
	int64_t forget_ns;	  /* its keys and its memory go then, 0: not final */
	int64_t checked_ns;	  /* when its cgroup was last asked whether it is empty */
	uint32_t hits[(CAUSE_MAX + 31) / 32]; /* causes that the detector counts for it */
	uint64_t *kept; /* fingerprints of failures that an earlier daemon found: their
				   * evidence was its own, so they stay as they are */
	size_t n_kept;
	uint64_t *published; /* fingerprints that the watchers know */
	size_t n_published, cap_published;
	struct tally *tally;
	char *name;	   /* campaign, newline, task: the key of by_name */
	bool named;	   /* in by_name: until it is final */
	UT_hash_handle hh; /* by task->instance */
	UT_hash_handle hh_name;
};

/* A mount namespace whose table is to be read, and a process in it. */
struct mounted {
	uint32_t ns, pid;
};

/* An answer of the scout, for a signature that nobody has told us of yet. */
struct early {
	struct sf_key key;
	struct explanation e;
};
#define EARLY_MAX 64 /* the oldest goes */

/* A question that was asked of the helper. */
struct question {
	uint64_t id;
	uint64_t instance;
	struct sf_key key;
	UT_hash_handle hh;
};

/* An instance that no event can carry any more once `ticket` has been folded. */
struct dead_instance {
	uint64_t instance, ticket;
};

/* A leaf cgroup that could not be removed yet. */
struct leaf {
	char *path;
	int64_t until_ns;
};

struct root {
	char *path;
	uint64_t id; /* of the cgroup whose children are watched: the root, or the nearest that
		      * there is above it */
	bool there;
};

struct pipeline {
	struct options *options;
	struct loop *loop;
	struct store *store;
	struct sensors *sensors;
	const struct sensors_maps *maps;
	gid_t gid;

	struct attribution *attribution;
	struct cgroupfs *cgroupfs;
	struct mounts *mounts;
	bool mounts_sent; /* the kernel side tells: mountinfo need not be read */
	struct explainer *explainer;
	struct scout *scout; /* NULL: done without */
	struct early *early; /* answers of the scout that came before their bell */
	size_t n_early;
	struct control *control;
	struct alert_detector *alerts;
	struct sink *sink;
	struct sweep *sweep;
	struct ring_buffer *rare, *bells, *channel;
	struct channels *channels; /* NULL: off */
	struct tape *tape;	   /* what comes in is recorded there; NULL: nowhere */
	struct template **templates;
	size_t n_templates;
	struct root *roots;
	size_t n_roots;

	struct tracked *tracked, *by_name;
	struct tracked *unattributed;
	struct mounted mounted[8];
	size_t n_mounted;
	struct question *questions;
	uint64_t next_question;
	struct dead_instance *dead;
	size_t n_dead, cap_dead;
	struct leaf *leaves;
	size_t n_leaves, cap_leaves;
	struct mover *mover;
	struct leaving *leaving; /* begins that wait for it */
	struct alert_record *firing;
	size_t n_firing, cap_firing;
	struct waiter *flushes; /* wait for flush_ticket */
	size_t n_flushes, cap_flushes;
	uint64_t flush_ticket;

	uint32_t own_mntns;
	int64_t utc_offset_ns; /* realtime - boottime, re-read at every sweep */
	int64_t started_ns;    /* UTC */
	uint64_t generation, ticket;
	uint64_t last_call; /* calls are numbered from 1 */
	uint64_t scoped;    /* open tasks of process scope */
	uint64_t undecodable, stale, refused_questions, lost_events;
	int64_t counters_stored[64];
	int64_t commit_said_ns, retain_ns, idle_since_ns;
	int commit_error;
	bool trim_due;	       /* much memory was given back */
	bool walk_due;	       /* rare events were lost: cgroups are looked for again */
	unsigned int budget;   /* ring records left in this turn of the loop */
	size_t channel_budget; /* … and bytes of the ring of channels */
	struct loop_source *sources[8];
	size_t n_sources;
	struct loop_source *channel_timer; /* while channels are busy */
	struct loop_source *settle_timer;
	int64_t settle_armed_ns; /* when it goes off; in the past: it has */
};

/* ---- pipeline.c ---- */
int64_t pipeline_utc(const struct pipeline *p, uint64_t boottime_ns); /* 0 stays 0 */
int pipeline_commit(struct pipeline *p);
/* Calls fn(fd, events, p) when fd can be read, until the pipeline is freed. 0 or -errno. */
int pipeline_watch(struct pipeline *p, int fd, loop_fd_fn fn);

/* ---- rings.c ---- */
int rings_new(struct pipeline *p);   /* maps them; logs what fails */
int rings_watch(struct pipeline *p); /* from now on the loop takes what comes; 0 or -errno */
void rings_free(struct pipeline *p);
void rings_drain(struct pipeline *p); /* rare events and bells, to their end */
void rings_drain_rare(struct pipeline *p);
void rings_drain_channel(struct pipeline *p);
/* As much of the channels as a sweep's turn may take, before what it asks of the disk. */
void rings_sweep_channel(struct pipeline *p);

/* ---- intake.c ---- */
void intake_event(struct pipeline *p, const struct event *e);

/* ---- inquiry.c ---- */
void inquiry_signature(struct pipeline *p, struct tracked *tr, struct signature *s, bool inside);
/* The scout's word: it saw the file first. */
void inquiry_scouted(const struct sf_key *key, const struct explanation *e, void *arg);
/* An answer from a recording, which may come before its signature. */
void inquiry_replayed(struct pipeline *p, struct sf_key *key, const struct explanation *e);
void inquiry_answer(uint64_t id, const struct explanation *e, void *arg);
/* One answer that the task waits for is here. */
void inquiry_answered(struct pipeline *p, struct tracked *tr);
void inquiry_mounts(struct pipeline *p, uint32_t ns, uint32_t pid);
/* Something was mounted there; the table is read when the ring has been taken, before an exec may
 * come and go. */
void inquiry_mounted(struct pipeline *p, uint32_t ns, uint32_t pid);
void inquiry_mounts_flush(struct pipeline *p);
/* What the mount table says of a refused path. */
void inquiry_mount_of(struct pipeline *p, const struct tracked *tr, struct signature *s);
/* One mount of a table that the kernel side sends, or its end. */
void inquiry_mount_sent(struct pipeline *p, const struct event *e);

/* ---- fold.c ---- */
/* One count of a sweep. */
void fold_count(struct pipeline *p, struct tracked *tr, const struct sf_key *key,
		const struct sf_val *v);
void fold_result(struct pipeline *p, const struct sweep_result *r);

/* ---- tracked.c ---- */
struct tracked_new {
	const char *campaign, *task, *source;
	const struct label *labels;
	size_t n_labels;
};
struct tracked *tracked_find(const struct pipeline *p, uint64_t instance);
struct tracked *tracked_by_name(const struct pipeline *p, const char *campaign, const char *task);
/* The task that an event's instance stands for; NULL: none, or one that is only counted. */
struct tracked *tracked_of_instance(struct pipeline *p, uint64_t instance);
/* Makes and stores a task that begins now. 0 or -errno. */
int tracked_open(struct pipeline *p, const struct tracked_new *n, struct tracked **ret);
int tracked_add(struct pipeline *p, struct task *t, struct tracked **ret);
/* Undoes tracked_open() where the task could not begin. */
void tracked_abort(struct pipeline *p, struct tracked *tr);
void tracked_free(struct pipeline *p, struct tracked *tr);
void tracked_unname(struct pipeline *p, struct tracked *tr);  /* its name may be used again */
void tracked_started(struct pipeline *p, struct tracked *tr); /* it runs: stored, told */
struct tracked *tracked_unattributed(struct pipeline *p);
/* Ends it: at `at_ns` (boottime), judged after the next sweep. */
void tracked_settle(struct pipeline *p, struct tracked *tr, int64_t at_ns);
/* Outcome by the root process, where nobody said it. */
void tracked_outcome(struct task *t);
/* What time brings: emptiness, judgement, settling, forgetting. After each sweep's fold. */
void tracked_turn(struct pipeline *p);
void tracked_store_all(struct pipeline *p); /* records as they stand, at the daemon's end */
void tracked_finalize(struct pipeline *p, struct tracked *tr); /* judged, stored; replies are due */
void tracked_reply(struct pipeline *p, struct tracked *tr);
void tracked_refuse_waiters(struct pipeline *p); /* the daemon stops */
int tracked_wait(struct tracked *tr, struct control_peer *peer, uint64_t token);
struct process *tracked_live_process(const struct task *t, uint32_t tgid);

/* ---- scope.c ---- */
int scope_cgroup_set(struct pipeline *p, uint64_t id, uint64_t instance, uint32_t flags,
		     uint64_t map_flags);
/* A number of the kernel side's is the task's from now on. */
void scope_alias(struct pipeline *p, uint64_t instance, struct task *t);
/* The kernel side's counters of a task: made before it can count. */
int scope_instance(struct pipeline *p, uint64_t instance);
/* The cgroup and what lies below it, but for what other open tasks have claimed. */
int scope_claim(struct pipeline *p, struct tracked *tr, const char *path);
int scope_processes(struct pipeline *p, struct tracked *tr, pid_t pid);
void scope_process_add(struct pipeline *p, struct tracked *tr, pid_t pid);
void scope_roots(struct task *t); /* whose parent is outside */
/* The open task that was begun with this process, or one that it descends from; NULL: none. */
struct tracked *scope_owner(struct pipeline *p, pid_t pid);
bool scope_may_take(struct pipeline *p, const struct tracked *tr, pid_t pid);
void scope_ended(struct pipeline *p, struct tracked *tr);
void scope_forget(struct pipeline *p, struct tracked *tr);
void scope_dead(struct pipeline *p, uint64_t instance); /* its entry goes after the next sweep */
void scope_bury(struct pipeline *p);
int scope_leaf_later(struct pipeline *p, char *path); /* takes over path */
void scope_leaf_hand_on(struct pipeline *p, struct tracked *to);
void scope_leaves(struct pipeline *p);
void scope_leave(struct pipeline *p);	     /* the daemon ends: the leaves' own parent */
void scope_leaves_clean(struct pipeline *p); /* those of daemons that are gone */

/* ---- roots.c ---- */
int roots_load(struct pipeline *p); /* compiles the templates of the options */
void roots_free(struct pipeline *p);
void roots_forget(struct pipeline *p); /* before others are loaded: nothing is tracked by them */
void roots_walk(struct pipeline *p);
void roots_check(struct pipeline *p); /* roots that were not there yet */
void roots_cgroup_event(struct pipeline *p, const struct event *e);

/* ---- begin.c ---- */
void begin_request(void *arg, struct control_peer *peer, uint64_t token,
		   const struct control_begin *b);
void begin_stop(struct pipeline *p); /* the daemon stops: those under way are refused */

/* ---- verdict.c ---- */
void verdict_judge(struct pipeline *p, struct tracked *tr, bool final);
void verdict_alerts(struct pipeline *p);
void verdict_alerts_free(struct pipeline *p);
void verdict_alerts_load(struct pipeline *p); /* those that fired before a restart are resolved */
void verdict_publish_task(struct pipeline *p, struct tracked *tr);

/* ---- service.c ---- */
extern const struct control_ops service_ops;
void service_flushed(struct pipeline *p, uint64_t ticket);
/* service_channel.c */
void service_channel(void *arg, struct control_peer *peer, uint64_t token,
		     const struct control_channel *c);
/* service_call.c */
void service_call(void *arg, struct control_peer *peer, uint64_t token,
		  const struct control_call *c);

/* ---- keep.c ---- */
/* A call of this task is over: all that will be known of it is known. Once for each; it is counted,
 * and stored as long as the task has not too many. */
void keep_call(struct pipeline *p, struct tracked *tr, const struct call *c);
void keep_incident(struct pipeline *p, struct tracked *tr, const struct incident *i);

/* ---- resume.c ---- */
void resume_tasks(struct pipeline *p);
/* What an earlier daemon found goes from the old record into the new judgement. */
int resume_keep(const struct tracked *tr, struct task_record *old, struct task_record *out);

/* ---- counters.c ---- */
void counters_read(struct pipeline *p, int64_t values[COUNTER_MAX]);
void counters_store(struct pipeline *p, int64_t now_ns);

#endif
