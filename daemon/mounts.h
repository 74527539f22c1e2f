/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Mount tables by mount namespace: what mountinfo said while a process of it lived, for the
 * question which mount refused a path when nobody can be asked any more. Pure: takes text.
 */
#ifndef SANDFAULT_MOUNTS_H
#define SANDFAULT_MOUNTS_H

#include "util.h"

#define MOUNTS_NAMESPACES 64		/* tables kept; the longest unused goes */
#define MOUNTS_TEXT_MAX	  (1024 * 1024) /* longest mountinfo that is read, bytes */
#define MOUNTS_ENTRIES	  4096		/* of one namespace */
#define MOUNTS_NOTED	  256		/* of one namespace, not yet in a table that was read */

struct mount_entry {
	int id, parent;
	uint32_t flags; /* ST_RDONLY, ST_NOSUID, ST_NODEV, ST_NOEXEC: of mount or superblock */
	bool elsewhere; /* shows what lies at another path of its file system */
	bool remount;	/* noted: it changed the mount that was there */
	bool unknown;	/* noted: a bind or a move, of what and with which flags nobody told */
	char type[16];
	char *point; /* absolute, as the namespace sees it */
	size_t point_len;
};

struct mounts;

int mounts_new(struct mounts **ret);
void mounts_free(struct mounts *m);
/* Something was mounted there: the table is read again at the next occasion. */
void mounts_dirty(struct mounts *m, uint32_t ns);
bool mounts_wanted(const struct mounts *m, uint32_t ns); /* unknown, or dirty */
/* Takes over what /proc/PID/mountinfo said at that time (boottime). 0, -ENOMEM; malformed lines are
 * skipped. */
int mounts_set(struct mounts *m, uint32_t ns, const char *mountinfo, uint64_t at_ns);
/* What happened to mounts after the table was read, in the order of events: it stands in for a
 * table that nobody lives to show, until the next mounts_set(). Of an entry point, flags and the
 * booleans count, and the point is copied. 0 or -ENOMEM. */
int mounts_note(struct mounts *m, uint32_t ns, const struct mount_entry *made, uint64_t at_ns);
void mounts_unmounted(struct mounts *m, uint32_t ns, const char *path, size_t len, uint64_t at_ns);
/* pivot_root(2) to that path; "/": to one that nobody named. Where it can't be told from what was
 * mounted before, nothing is known any more. */
void mounts_pivoted(struct mounts *m, uint32_t ns, const char *path, size_t len, uint64_t at_ns);
/* The mount that covers an absolute path, through mounts that lie on one another; NULL: unknown. */
const struct mount_entry *mounts_find(struct mounts *m, uint32_t ns, const char *path, size_t len);

#endif
