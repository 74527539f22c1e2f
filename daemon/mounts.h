/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mount tables, for the question which mount refused a path when nobody can be asked any more: as the
 * kernel side sent them with the failure, each under a number of its own; where it can't, by mount
 * namespace, as mountinfo said while a process of it lived. Pure.
 */
#ifndef SANDFAULT_MOUNTS_H
#define SANDFAULT_MOUNTS_H

#include "util.h"

#define MOUNTS_TABLES	64	      /* tables kept; the longest unused goes */
#define MOUNTS_TEXT_MAX (1024 * 1024) /* longest mountinfo that is read, bytes */
#define MOUNTS_ENTRIES	4096	      /* of one table */

struct mount_entry {
	int id, parent;
	uint32_t flags; /* ST_RDONLY, ST_NOSUID, ST_NODEV, ST_NOEXEC: of mount or superblock */
	bool elsewhere; /* shows what lies at another path of its file system */
	uint32_t mode, uid, gid; /* of what it shows at its point; mode 0: not told */
	char type[16];
	char *point; /* absolute, as the namespace sees it */
	size_t point_len;
};

/* The key of a table: a mount namespace, or a number of the kernel side's. */
#define MOUNTS_SENT(table) (1ULL << 32 | (table))

struct mounts;

int mounts_new(struct mounts **ret);
void mounts_free(struct mounts *m);
/* Something was mounted there: the table is read again at the next occasion. */
void mounts_dirty(struct mounts *m, uint64_t key);
bool mounts_wanted(const struct mounts *m, uint64_t key); /* unknown, dirty, or not whole */
/* Takes over what /proc/PID/mountinfo said. 0, -ENOMEM; malformed lines are skipped. */
int mounts_set(struct mounts *m, uint64_t key, const char *mountinfo);
/* One mount of a table that is being sent: its point is copied, and what `root` of its file system
 * it shows decides `elsewhere`. 0 or -ENOMEM. */
int mounts_add(struct mounts *m, uint64_t key, const struct mount_entry *e, const char *root,
	       size_t root_len);
/* So many were sent. */
void mounts_end(struct mounts *m, uint64_t key, size_t sent);
/* The mount that covers an absolute path, through mounts that lie on one another; NULL: unknown. */
const struct mount_entry *mounts_find(struct mounts *m, uint64_t key, const char *path, size_t len);

#endif
