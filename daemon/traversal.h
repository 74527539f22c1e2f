/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Did a path leave the task's own tree? That is what the client declared (roots/list), else the
 * directories in the server's argv, else its working directory. A path that lies outside
 * without having been inside is none: the tool may be meant to take it. Pure, on what the disk
 * answered.
 */
#ifndef SANDFAULT_TRAVERSAL_H
#define SANDFAULT_TRAVERSAL_H

#include "disk.h"

enum traversal_by {
	TRAVERSAL_NONE = 0,
	TRAVERSAL_DOTS, /* ".." */
	TRAVERSAL_LINK, /* a symbolic link */
};

struct traversal {
	enum traversal_by by;
	enum disk_root_kind tree;     /* how the tree is known */
	const struct disk_file *file; /* what lies outside; borrowed of the answer */
};

/*
 * Of the question's path number `asked`, or of `also`, the same path in another spelling (below 0:
 * none). Where any file that it may mean lies inside, it left nothing. A symbolic link counts where
 * it was made at or after `since_ns` (realtime; 0: none counts), and does not lead to the system's
 * own programs.
 */
struct traversal traversal_check(const struct disk_answer *a, int asked, int also,
				 int64_t since_ns);
/* The real path lies in the tree. */
bool traversal_inside(const struct disk_answer *a, const char *real);
bool traversal_has_dots(const char *path); /* a component is ".." */
/* "a/../b" -> "b", as path.normalize() would: without a look at the disk. "../b" keeps its "..".
 * `out` has PATH_MAX bytes. */
void traversal_normalize(const char *path, char *out);
/* As a tool may take it that looks for ".." too early: with %XX decoded (RFC 3986, section 2.1), and once
 * more where that left any, and with backslashes for slashes. true: a component of what comes out is
 * "..", and it is another path. `out` has PATH_MAX bytes, and so many has `path` at most. */
bool traversal_decode(const char *path, char *out);

#endif
