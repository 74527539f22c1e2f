/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of disk*.c: what goes to the helper and comes from it. */
#ifndef SANDFAULT_DISK_INTERNAL_H
#define SANDFAULT_DISK_INTERNAL_H

#include <sys/types.h>

#include "disk.h"

#define DISK_STRINGS 32768 /* bytes of paths and roots in a question, with their NULs */

/* One packet, sent up to the end of its strings: the paths, then the roots, each with its NUL. */
struct disk_packet {
	uint64_t seq;
	struct call_peer who;
	uint32_t want, n_paths, n_roots, n_known, strings_len;
	uint8_t known[DISK_KNOWN][CALL_DIGEST];
	char strings[DISK_STRINGS];
};

struct disk_reply {
	uint64_t seq;
	int64_t err;
};

#define DISK_SLOTS 16 /* questions that are with the helper at once */

/* Both processes have it. The answer to packet `seq` is written to slot seq % DISK_SLOTS before
 * its reply; most of it is never touched, and so is no memory. */
struct disk_shared {
	struct disk_answer answers[DISK_SLOTS];
	uint8_t bytes[DISK_SLOTS][DISK_MAX];
};

/* In place of a question, and not answered: disk_hold(), disk_release(). */
#define DISK_HOLD    0x100
#define DISK_RELEASE 0x200

/* What is needed of a process to find its files. */
struct disk_view {
	int root_fd;	    /* owned; -1: none */
	char cwd[PATH_MAX]; /* within that root */
	char *argv;	    /* owned */
	ssize_t argv_len;
};

/* 0, -ESRCH (it has gone), …; disk_view_close() must follow. */
int disk_view_open(struct disk_view *v, const char *proc, const struct call_peer *who, bool argv);
void disk_view_close(struct disk_view *v);
/* One call more, or less, for which it is held. */
void disk_held_change(const char *proc, const struct call_peer *who, bool hold);
const struct disk_view *disk_held(const struct call_peer *who); /* NULL: it isn't */
/* Drops what was held for too long; milliseconds until it is to be called again, -1: never. */
int disk_held_expire(int64_t now);

/* Forks the helper: its pid, and our end of its socket; or negative errno. */
pid_t disk_helper_start(struct disk_shared *shared, bool patient, int *ret_fd);

#endif
