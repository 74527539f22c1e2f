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

/* Forks the helper: its pid, and our end of its socket; or negative errno. */
pid_t disk_helper_start(struct disk_shared *shared, bool patient, int *ret_fd);

#endif
