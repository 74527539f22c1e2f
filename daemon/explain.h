/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fetches the state behind a failure before it is gone: mode bits component by component, mount
 * flags, first bytes of a file that would not exec, fill of the file system, neighbours of a
 * missing name. Runs in a helper process that can be killed (a FUSE file system may never answer),
 * in the task's own mount namespace by way of /proc/PID/root; it never holds a descriptor over a
 * request. Answers are facts; what they mean is for classify.
 */
#ifndef SANDFAULT_EXPLAIN_H
#define SANDFAULT_EXPLAIN_H

#include "../bpf/event.h"
#include "loop.h"

enum explain_want {		    /* what the call asked of the path's last component */
		    WANT_EXIST = 0, /* stat, readlink, access F_OK */
		    WANT_READ = 1 << 0,
		    WANT_WRITE = 1 << 1,
		    WANT_EXEC = 1 << 2,
		    WANT_CREATE =
			    1 << 3, /* make it where it is absent: write and search on the parent */
		    WANT_PARENT =
			    1
			    << 4, /* unlink, rename, rmdir, mkdir, link: write on the parent, sticky */
		    WANT_OWNER = 1 << 5,      /* chmod, utimes: be its owner */
		    WANT_HEAD = 1 << 6,	      /* also read its first bytes (exec) */
		    WANT_NEIGHBOURS = 1 << 7, /* also look for similar names in its directory */
		    WANT_ENVIRON = 1 << 8, /* also look which variable names a directory above it */
		    WANT_LABEL = 1 << 9,   /* also look under which policies the process stands */
		    WANT_OUTSIDE = 1
				   << 10, /* also look whether it exists in the helper's own root */
};

#define EXPLAIN_HOST_PID UINT32_MAX /* in place of a process: the helper's own root */

struct explain_request {
	uint64_t id;		/* the caller's */
	uint32_t pids[8];	/* whose root to look through, best first; 0: unused */
	uint32_t mntns;		/* an answer from another mount namespace is refused; 0: any */
	uint32_t want;		/* enum explain_want */
	uint32_t cover_len;	/* WANT_OUTSIDE: of the point of the mount that covers it; 0: of
				 * what denies it */
	struct sf_creds creds;	/* valid == 0: mode bits are not judged */
	char path[SF_PATH * 2]; /* absolute as the task sees it, terminated */
};

enum explain_mode { /* the verdict of mode bits */
		    MODE_UNKNOWN = 0,
		    MODE_ALLOWS,
		    MODE_DENIES, /* by `culprit` */
};

enum explain_head {
	HEAD_UNKNOWN = 0, /* not asked or unreadable */
	HEAD_EMPTY,
	HEAD_SCRIPT,	     /* #! with an interpreter that exists */
	HEAD_SCRIPT_CR,	     /* its #! line ends in a carriage return */
	HEAD_SCRIPT_MISSING, /* its interpreter does not exist */
	HEAD_TEXT,	     /* text without #! */
	HEAD_ELF,	     /* an ELF file for this machine, loader there (or static) */
	HEAD_ELF_LOADER_MISSING,
	HEAD_ELF_FOREIGN, /* of another machine */
	HEAD_OTHER,
};

enum explain_outside {
	OUTSIDE_UNKNOWN = 0, /* not asked, or nobody could look */
	OUTSIDE_ABSENT,
	OUTSIDE_THERE,
};

struct explanation {
	bool done; /* the state was seen; else: state gone, and `why` says why */
	char why[64];
	bool exists;
	uint32_t missing_at; /* length of the prefix of path that exists (bytes), where !exists */
	uint32_t mode, uid, gid; /* of the last component that exists */
	bool is_dir, is_device;
	uint32_t dev_major, dev_minor;
	enum explain_mode mode_verdict;
	char culprit[512]; /* the component that denies, absolute, cut at the front */
	uint32_t culprit_mode, culprit_uid, culprit_gid;
	uint32_t
		mount_flags; /* ST_RDONLY, ST_NOSUID, ST_NODEV, ST_NOEXEC … of the mount it lies on */
	uint64_t fs_magic;				      /* statfs f_type */
	uint64_t fs_size, fs_free, fs_inodes, fs_inodes_free; /* bytes; counts */
	enum explain_head head;
	char interpreter[256]; /* of a script or ELF, exact but for a terminator */
	uint32_t elf_machine;
	bool sibling_cr;     /* a neighbour differs by CR or trailing blanks */
	bool sibling_normal; /* … is equal after Unicode normalization */
	bool sibling_case;   /* … is equal after case folding: no fault of an encoding */
	char sibling[256];
	char env_name[32]; /* variable of the process's environment whose value is the path or a
			    * directory above it, and does not exist; empty: none */
	bool setid;	   /* set-user-id, set-group-id or file capabilities on it */
	bool no_path;	/* only the policies were asked for; then not done, and nothing is gone */
	char label[96]; /* AppArmor's, as /proc/PID/attr shows it, cut; empty: not known */
	bool label_of_parent;	      /* … the process itself had gone */
	bool selinux;		      /* SELinux enforces its policy on this host */
	enum explain_outside outside; /* is the path there where no sandbox is? … */
	uint32_t outside_mode, outside_uid, outside_gid; /* … and what is at the mount's point */
};

struct explainer;
typedef void (*explain_fn)(uint64_t id, const struct explanation *e, void *arg);

/* Forks the helper (before threads are made). Requests are answered in order, each within
 * `timeout_ns` (then the helper is killed, a new one started, and the answer is "state gone"). */
int explain_new(struct explainer **ret, struct loop *l, int64_t timeout_ns, explain_fn fn,
		void *arg);
void explain_free(struct explainer *e);
/* 0, -EAGAIN: too many waiting (256): the caller counts it as state gone. */
int explain_ask(struct explainer *e, const struct explain_request *r);
size_t explain_waiting(const struct explainer *e);
uint64_t explain_killed(const struct explainer *e);
/* Makes the fds of epoll known so that the daemon can drain answers at once: reads all answers
 * that are there. */
void explain_drain(struct explainer *e);

/* The work itself, without a process; the helper calls it, tests too. `root` replaces /proc. */
void explain_path(const char *proc_root, const struct explain_request *r, struct explanation *ret);
/* Pure: may `creds` do `want` (WANT_READ|WRITE|EXEC) on an object of that mode and owner? CAP_DAC_OVERRIDE
 * and CAP_DAC_READ_SEARCH count where userns_level is 0. */
bool explain_may(const struct sf_creds *creds, uint32_t mode, uint32_t uid, uint32_t gid,
		 uint32_t want);
/* Pure: classifies the first bytes of a file. `interp` of at least 256 bytes. */
enum explain_head explain_head(const void *data, size_t len, char *interp);

#endif
