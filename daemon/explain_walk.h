/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of explain*.c: a path resolved by hand, and what its permissions say. */
#ifndef SANDFAULT_EXPLAIN_WALK_H
#define SANDFAULT_EXPLAIN_WALK_H

#include <sys/stat.h>

#include "explain.h"

/* Whose permissions are judged, and by what of the task's. */
struct mode_ctx {
	const struct sf_creds *creds;
	const char *proc_root;
	uint32_t pid; /* whose id maps count in a user namespace; 0: none that we may ask */
};

/* One verdict over several checks: the first that does not allow stands. */
struct mode_result {
	enum explain_mode verdict;
	char culprit[512];
	uint32_t mode, uid, gid;
};

enum walk_end {
	WALK_GOING = 0,
	WALK_FOUND,
	WALK_MISSING,  /* no such name in the directory that was reached */
	WALK_NOT_DIR,  /* a component that should be a directory is none */
	WALK_LOOP,     /* more than 40 symbolic links */
	WALK_TOO_LONG, /* a name over NAME_MAX */
	WALK_UNSEEN,   /* an error of ours: `error` */
};

struct walk {
	int root_fd;		    /* the caller's */
	bool follow;		    /* a symbolic link as last component */
	uint32_t self_pid;	    /* what /proc/self stands for; 0: unknown */
	const struct mode_ctx *ctx; /* NULL: not judged */
	/* results */
	enum walk_end end;
	int error;  /* negative errno, of WALK_UNSEEN */
	int dir_fd; /* the directory last searched, O_PATH */
	struct stat dir;
	int fd; /* what was found, O_PATH; -1: nothing */
	struct stat st;
	bool last;		 /* what is missing is the last component */
	char name[256];		 /* the component looked up last */
	size_t good;		 /* bytes of the path that exist */
	struct mode_result mode; /* of the search alone */
	bool base_seen;		 /* the directory that the call started from lay on the way */
	int64_t link_ns;	 /* when the youngest link on the way was made (ctime); 0: none */
	/* state; `resolved` is a result, too */
	char *resolved; /* what was reached, without links, "" for the root */
	size_t resolved_len;
	char *rest; /* what is still to be resolved */
	size_t path_len, orig_left;
	int links; /* a result, too: how many were followed */
};

/* Resolves an absolute path. 0, or -ENOMEM: the results are void. walk_done() must follow. */
int walk_path(struct walk *w, const char *path);
/* The same for who only wants what is found: end, fd, st, links and resolved; quicker. */
int walk_find(struct walk *w, const char *path);
void walk_done(struct walk *w);

/* Judges `want` (WANT_READ|WRITE|EXEC) on an open object; `path` names it for the culprit. */
void mode_check(const struct mode_ctx *ctx, struct mode_result *m, int fd, const struct stat *st,
		uint32_t want, const char *path);
/* chmod, utimes; `sticky` removal: owner of the object, or CAP_FOWNER. */
void mode_check_owner(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *st,
		      const char *path);
/* fs.protected_symlinks: may this link in that directory be followed? */
void mode_check_link(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *dir,
		     const struct stat *link, const char *path);
/* fs.protected_regular, fs.protected_fifos: an open with O_CREAT of what exists. */
void mode_check_create(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *dir,
		       const struct stat *st, const char *path);

/* Classifies an open object and looks for its interpreter inside of the root. */
void head_read(int root_fd, int fd, const struct stat *st, struct explanation *ret);
/* A process's environment, and the variable in it that handed in the missing directory: see
 * WANT_ENVIRON. Read first, for it goes first. */
ssize_t environ_read(const char *proc_root, uint32_t pid, char **ret);
void environ_name(const char *text, ssize_t n, const char *path, struct explanation *ret);
/* Looks for names in the directory that are nearly the missing one. */
void near_look(int dir_fd, const char *name, struct explanation *ret);

#endif
