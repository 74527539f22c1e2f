/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A CO-RE relocation against the types of a kernel, by libbpf's rules (tools/lib/bpf/relo_core.c in
 * the kernel's tree): what is asked for by name is there, or is not.
 */
#ifndef SANDFAULT_BTF_RESOLVE_H
#define SANDFAULT_BTF_RESOLVE_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

struct btf;

struct resolver {
	const struct btf *local;  /* the object's */
	const struct btf *target; /* the kernel's */
	struct candidates *by_type;
};

struct resolved {
	bool found;	/* the type, field or value is there */
	bool ambiguous; /* several types of that name, which answer differently */
	bool usable;	/* libbpf can patch the instruction; else it makes an invalid one of it */
	bool known;	/* `value` is what it patches in */
	__u64 value;
};

void resolver_init(struct resolver *r, const struct btf *local, const struct btf *target);
void resolver_free(struct resolver *r);
void resolve(struct resolver *r, const struct bpf_core_relo *relo, struct resolved *ret);

#endif
