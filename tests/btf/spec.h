/* SPDX-License-Identifier: GPL-2.0-only */
/* What a CO-RE relocation asks for, in the object's own types. */
#ifndef SANDFAULT_BTF_SPEC_H
#define SANDFAULT_BTF_SPEC_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

#define STEPS_MAX 64

struct btf;
struct btf_type;

/* One step from a type into it. */
struct step {
	const char *name;  /* of a member; NULL: an element */
	const char *owner; /* the type that has the member; empty: an anonymous one */
	__u32 index;
	__u32 local_type; /* of the member */
};

struct spec {
	__u32 root;
	__u32 first; /* the root counted as an array's element */
	struct step steps[STEPS_MAX];
	size_t n;
};

/* Length of a type's name without its ___flavour. */
size_t essential_len(const char *name);
const char *btf_name_of(const struct btf *btf, const struct btf_type *t);
/* The type below modifiers and typedefs; *ret (may be NULL) is its id. */
const struct btf_type *btf_bare(const struct btf *btf, __u32 id, __u32 *ret);
/* The name and value of an enumerator. */
const char *btf_enumerator(const struct btf *btf, const struct btf_type *t, __u32 i, __u64 *value);

bool relo_is_field(const struct bpf_core_relo *relo);
bool relo_is_enumerator(const struct bpf_core_relo *relo);
/* Whether the relocation is a question that no is an answer to. */
bool relo_asks(const struct bpf_core_relo *relo);
/* Of a field. */
void spec_parse(const struct btf *btf, const struct bpf_core_relo *relo, struct spec *spec);
const char *relo_enumerator(const struct btf *btf, const struct bpf_core_relo *relo);
/* "struct sock.__sk_common.skc_num" */
void relo_describe(const struct btf *local, const struct bpf_core_relo *relo, char *buf,
		   size_t size);

#endif
