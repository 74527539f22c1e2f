/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which primitive owned a failing call: facts of one signature, looked up in a table of rules. One
 * row to read, one row to change, one unit test a row. Pure.
 */
#ifndef SANDFAULT_CLASSIFY_H
#define SANDFAULT_CLASSIFY_H

#include "model.h"

/* What is known of a signature, each bit from evidence. */
enum fact {
	FACT_DENIED = 1 << 0,	    /* seccomp refused it: left without having entered */
	FACT_CAP = 1 << 1,	    /* a capability check failed inside it (not a mere override) */
	FACT_CAP_OVERRIDE = 1 << 2, /* only overrides of mode bits or limits failed */
	FACT_MODE_DENIES = 1 << 3,  /* mode bits deny it to its credentials */
	FACT_MODE_ALLOWS = 1 << 4,
	FACT_RDONLY = 1 << 5, /* flags of the mount that covers the path */
	FACT_NODEV = 1 << 6,
	FACT_NOEXEC = 1 << 7,
	FACT_LANDLOCK = 1 << 8, /* the thread stands in a Landlock domain */
	FACT_MDWE = 1 << 9,
	FACT_PIDS_LIMIT = 1 << 10,  /* a pids cgroup stood at its limit */
	FACT_NPROC_LIMIT = 1 << 11, /* the user stood at RLIMIT_NPROC */
	FACT_AS_LIMIT = 1 << 12,    /* RLIMIT_AS is below what was asked */
	FACT_MEMLOCK_LIMIT = 1 << 13,
	FACT_NEWUSER = 1 << 14, /* CLONE_NEWUSER among the flags */
	FACT_NEWNS = 1 << 15,	/* another CLONE_NEW* among the flags */
	FACT_EXISTS = 1 << 16,	/* the path exists */
	FACT_ABSENT = 1 << 17,	/* it does not */
	FACT_CR = 1 << 18,	/* a carriage return: in the #! line, or at the name's end */
	FACT_INTERP_MISSING = 1 << 19,
	FACT_LOADER_MISSING = 1 << 20,
	FACT_FOREIGN_ELF = 1 << 21,
	FACT_TEXT_FILE = 1 << 22,  /* text without #! */
	FACT_DEVICE = 1 << 23,	   /* a device node */
	FACT_DEV_PATH = 1 << 24,   /* a standard node's path under /dev */
	FACT_WRITE = 1 << 25,	   /* it asked to write or to make */
	FACT_NO_INODES = 1 << 26,  /* the file system has no inode left */
	FACT_SHM = 1 << 27,	   /* under /dev/shm */
	FACT_PROC_PATH = 1 << 28,  /* under /proc */
	FACT_SYS_PATH = 1 << 29,   /* under /sys */
	FACT_STATE_GONE = 1 << 30, /* state was asked for and had gone */
	FACT_SETUP = 1U << 31,	   /* made by a sandbox launcher before its payload's exec */
};

/* What it takes for the classified call to count. */
enum prior {
	PRIOR_NOISE,  /* healthy programs make it all the time: needs its name in the text */
	PRIOR_WEAK,   /* needs its errno or its subject in the text */
	PRIOR_STRONG, /* needs a process that failed after it */
	PRIOR_LOSS,   /* data is lost even where the process ends well */
	PRIOR_SELF,   /* self-evident */
};

struct classification {
	bool matched;
	enum cause cause;
	enum prior prior;
	enum confidence confidence; /* of the owner */
	const char *rule;	    /* name of the row */
	struct text subject;	    /* owned; in the taxonomy's fixed form */
	char knob[160]; /* the knob with its value, empty: the taxonomy's own sentence */
	char why[240];	/* what the owner rests on, escaped */
};

uint32_t classify_facts(const struct signature *s);
/* 0 or -ENOMEM; ret->matched false: no rule owns it (noise). */
int classify_signature(const struct signature *s, struct classification *ret);
void classification_clear(struct classification *c);
/* Walk the table (tests). */
size_t classify_rules(void);
const char *classify_rule_name(size_t i);

#endif
