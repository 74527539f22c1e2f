/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tape: what the daemon was told, in the order in which it was told, so that the same verdicts can
 * be reached again from it without a kernel. Written where --record names a file; read by replay.h.
 *
 * Frames behind a header, compressed by zlib. The structs are those of the wire and of the answers,
 * as this build has them: a tape says which, and one of another layout is refused. It holds paths,
 * arguments and the end of what programs said, as the database does.
 */
#ifndef SANDFAULT_TAPE_H
#define SANDFAULT_TAPE_H

#include "model.h"

enum tape_kind {
	TAPE_TASK = 1, /* struct tape_task, then campaign, task and source, each terminated */
	TAPE_ALIAS,    /* struct tape_alias */
	TAPE_PROCESS,  /* struct tape_process, then the program's path */
	TAPE_EVENT,    /* a record of a ring, after what was asked because of it */
	TAPE_COUNT,    /* struct tape_count: of a sweep */
	TAPE_ANSWER,   /* struct tape_answer */
	TAPE_MOUNTS,   /* struct tape_mounts, then mountinfo's text */
	TAPE_PRUNE,    /* struct tape_prune */
	TAPE_VERDICT,  /* struct tape_verdict: the task was judged for good */
	TAPE_CALL,     /* a call of its tool channels, see tape_call.h; before its verdict */
	TAPE_INCIDENT, /* … and what befell them */
};

#define TAPE_FRAME_MAX (4U << 20) /* bytes; mountinfo is the longest */

struct tape_task {
	uint64_t instance;
	int32_t attempt;
	uint32_t pad;
};

/* A number that the kernel gave to a cgroup before it was known to be the task's. */
struct tape_alias {
	uint64_t alias, instance;
};

/* A process that was there when the task was begun. */
struct tape_process {
	uint64_t instance, seen_ns;
	uint32_t tgid, parent, uid, mntns, netns, root;
	char comm[SF_COMM];
};

struct tape_count {
	struct sf_key key;
	struct sf_val val;
};

struct tape_answer {
	struct sf_key key;
	struct explanation e;
};

struct tape_mounts {
	uint64_t at_ns; /* when it was so, boottime */
	uint32_t ns, pad;
};

struct tape_prune {
	uint64_t instance, now_ns;
};

struct tape_verdict {
	uint64_t instance, now_ns, started_ns, ended_ns; /* boottime */
	int64_t utc_offset_ns;
	uint64_t failed, benign, coarse, lost;
	int32_t outcome, exit_code, signal;
	uint8_t outcome_given; /* else it is that of the root process */
	uint8_t process_scope;
	uint8_t pad[2];
};

struct tape;

/* To write. `own_mntns`: the daemon's own mount namespace. 0 or -errno. */
int tape_create(struct tape **ret, const char *path, uint32_t own_mntns);
/* NULL is a tape that nobody wants. A failed write is said once and ends the recording. */
void tape_write(struct tape *t, enum tape_kind kind, const void *head, size_t head_len,
		const void *rest, size_t rest_len);
void tape_task(struct tape *t, const struct task *task);
void tape_processes(struct tape *t, const struct task *task); /* those that were there before us */
void tape_alias(struct tape *t, uint64_t alias, const struct task *task);
void tape_answer(struct tape *t, const struct sf_key *key, const struct explanation *e);
void tape_mounts(struct tape *t, uint32_t ns, const char *text, uint64_t at_ns);
void tape_verdict(struct tape *t, const struct task *task, uint64_t now_ns, int64_t utc_offset_ns);

/* To read. -EBADMSG: no tape, or one of another layout; *why (owned) says which. */
int tape_open(struct tape **ret, const char *path, char **why);
uint32_t tape_own_mntns(const struct tape *t);
/* The next frame; *data stays valid until the next call. 1; 0 at the end; -EBADMSG. */
int tape_read(struct tape *t, enum tape_kind *kind, const void **data, size_t *len);

/* 0, or -EIO where not all could be written. */
int tape_close(struct tape *t);

#endif
