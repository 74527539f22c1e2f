/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which instructions of the loaded programs a kernel's verifier comes to: it follows constants, and
 * the answer to a question (bpf_core_field_exists()) is one, so the branch not taken may hold what
 * this kernel lacks. On the way the programs' arguments are held against the kernel's prototypes.
 */
#ifndef SANDFAULT_BTF_FLOW_H
#define SANDFAULT_BTF_FLOW_H

#include "object.h"
#include "resolve.h"

#define ARGUMENTS_MAX 16

/* What a program is given, in the kernel's types. */
struct arguments {
	bool known; /* else nothing is said of them: a kprobe's */
	size_t n;
	__u32 types[ARGUMENTS_MAX];
};

struct flow;

struct flow *flow_new(const struct object *object, struct resolver *resolver,
		      const struct resolved *resolved);
void flow_free(struct flow *f);
/* Follows a program; `arguments` must stay. */
void flow_program(struct flow *f, int function, const struct arguments *arguments);
bool flow_reached(const struct flow *f, size_t insn);
/* Arguments that the prototype has not, or not of that type: one line each, on stdout. */
size_t flow_complain(const struct flow *f);

#endif
