/* SPDX-License-Identifier: GPL-2.0-only */
/* The table behind classify: one row owns one kind of refusal. Internal to classify and tests. */
#ifndef SANDFAULT_RULES_H
#define SANDFAULT_RULES_H

#include "classify.h"

#define RULE_ERRNOS 8
#define SUCCESS	    255 /* in place of an errno: the call failed by its count alone */

enum subject_form {
	SUBJECT_PATH,	  /* the path (or ADDRESS:PORT) as it was resolved */
	SUBJECT_RAW,	  /* the path as the task gave it */
	SUBJECT_NAME,	  /* its last component */
	SUBJECT_CALL,	  /* the syscall's name */
	SUBJECT_DECISIVE, /* … with its decisive argument */
	SUBJECT_CAP,	  /* the capability */
	SUBJECT_INTERP,	  /* the interpreter or loader that the file names */
	SUBJECT_DEVPTS,	  /* that mount, as its type is in no register */
};

/* Matches where class, errno, facts and the predicate agree; the first such row owns the call. */
struct rule {
	const char *name;
	uint32_t classes;			 /* enum sys_class, any of; 0: every call */
	uint8_t errnos[RULE_ERRNOS];		 /* any of; first 0: every errno */
	uint32_t need;				 /* facts, all of */
	uint32_t forbid;			 /* facts, none of */
	bool (*when)(const struct signature *s); /* NULL: always */
	enum cause cause;
	enum prior prior;
	enum confidence confidence;
	enum subject_form subject;
	const char *why; /* what the owner rests on */
};

extern const struct rule rules[];
extern const size_t n_rules;

/* Capability that an EPERM of this call stands for where the kernel has no tracepoint on the check,
 * -1: none known; only where its credentials lack it. */
int rule_implied_capability(const struct signature *s);

#endif
