/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Looks at files as a process of a task sees them: by its root, in its mount namespace,
 * relative paths from its working directory or from the trees it was given. A helper process
 * does it, which can be killed (a FUSE file system may never answer), holds no file between two
 * questions, and opens but regular files. It answers in turn; each question has a deadline.
 */
#ifndef SANDFAULT_DISK_H
#define SANDFAULT_DISK_H

#include <limits.h>

#include "call.h"
#include "loop.h"

#define DISK_MAX   (8U << 20) /* bytes: of a longer file nothing is read */
#define DISK_PATHS 4	      /* in a question */
#define DISK_ROOTS 12	      /* trees, in a question and in an answer */
#define DISK_FILES 16	      /* in an answer */
#define DISK_KNOWN 8	      /* digests, in a question */

enum disk_want {
	DISK_DIGEST = 1, /* of the contents of regular files */
	DISK_BYTES = 2,	 /* the contents of a regular file: the first of which no digest is known */
	DISK_SETTLED = 4,   /* first let 30 ms pass since it was last written, then read */
	DISK_NO_ARGV = 8,   /* directories in its argv are no trees: it is no server */
	DISK_YOUNGEST = 16, /* bytes: not of the first such, but of that written last */
};

struct disk_question {
	struct call_peer who;	       /* whose view; start_ns 0: whoever has that pid now */
	const char *paths[DISK_PATHS]; /* absolute, or relative; copied */
	size_t n_paths;
	const char *roots[DISK_ROOTS]; /* trees that were declared, absolute; copied */
	size_t n_roots;
	uint8_t known[DISK_KNOWN][CALL_DIGEST]; /* of these contents no bytes are wanted */
	size_t n_known;
	uint32_t want; /* enum disk_want */
};

enum disk_root_kind {
	DISK_ROOT_DECLARED = 1, /* of the question */
	DISK_ROOT_ARGUMENT,	/* a directory in its argv */
	DISK_ROOT_CWD,
};

struct disk_root {
	uint8_t kind;
	char path[PATH_MAX]; /* without any symbolic link */
};

/* One that is there. The same file by several ways stands once for each. */
struct disk_file {
	uint8_t asked; /* which of the question's paths */
	uint8_t link;  /* a symbolic link is on the way, below the tree it was looked up from … */
	int64_t link_ns; /* … and the youngest such was made then, realtime ns */
	uint32_t mode;
	uint64_t dev, ino, size;
	int64_t mtime_ns; /* realtime */
	bool digested;	  /* `digest` is filled: a regular file of at most DISK_MAX bytes */
	bool steady;	  /* … that did not change while it was read */
	uint8_t digest[CALL_DIGEST];
	char path[PATH_MAX]; /* as it was looked up: absolute, as given but for its beginning */
	char real[PATH_MAX]; /* … without any symbolic link */
};

struct disk_answer {
	int64_t now_ns; /* realtime, when it was looked at */
	size_t n_roots, n_files;
	struct disk_root roots[DISK_ROOTS];
	struct disk_file files[DISK_FILES];
	size_t read;	      /* which file `bytes` is of; only where there are any */
	const uint8_t *bytes; /* NULL: none were wanted, or none could be read */
	size_t len;
};

struct disk;
/* err 0, or -ETIME, -ESRCH (that process has gone), … with `a` NULL. `a` is valid during the
 * call. */
typedef void (*disk_fn)(int err, const struct disk_answer *a, void *arg);

/* `timeout_ns`: of the helper for one question, and of one that waits its turn. 0 or -errno. */
int disk_new(struct disk **ret, struct loop *l, int64_t timeout_ns);
/* Pending questions are dropped without an answer. */
void disk_free(struct disk *d);
/* Calls fn once, from the loop. 0, -EAGAIN (too many wait), -ENAMETOOLONG, -EINVAL, -ENOMEM. */
int disk_ask(struct disk *d, const struct disk_question *q, disk_fn fn, void *arg);
/*
 * A call of that server begins, or all is said of it: between the two its root and working directory are
 * known also after it has ended, for a second at most. Silent where it can't be had.
 */
void disk_hold(struct disk *d, const struct call_peer *who);
void disk_release(struct disk *d, const struct call_peer *who);
/* Drops the questions that were asked with this arg. */
void disk_forget(struct disk *d, const void *arg);
uint64_t disk_killed(const struct disk *d); /* helpers that did not answer in time */

/* What the helper does, in this process: `proc` is /proc or a fixture. 0 or -errno. `bytes` has
 * room for DISK_MAX bytes; so has `scratch`, for what is read for its digest alone. */
int disk_look(const char *proc, const struct disk_question *q, struct disk_answer *a,
	      uint8_t *bytes, uint8_t *scratch);

#endif
