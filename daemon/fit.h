/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One object for every kernel. The programs ask what the kernel has and leave the rest in branches
 * that it never takes; yet an older kernel refuses to read some instructions even there. Those are
 * replaced as a program is loaded, and only where the kernel does not know them.
 */
#ifndef SANDFAULT_FIT_H
#define SANDFAULT_FIT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

struct btf;

/* Which instructions it can read. */
struct fit_kernel {
	bool fetch;	/* atomic ones that bring the old value: since 5.12 (5ca419f2864a) */
	bool callbacks; /* the address of a function: since 5.13 (69c087ba6225) */
};

/* Asks the running kernel, with tiny programs. -EPERM: it would not be asked. */
int fit_ask(struct fit_kernel *ret);

/* Replaces what this kernel can't read; the number of instructions that were replaced. */
size_t fit_instructions(struct bpf_insn *insns, size_t n, const struct fit_kernel *kernel);

/* Programs that are opened from now on are fitted when they are loaded. Where the kernel reads all
 * instructions nothing changes. btf, the kernel's, must outlive the loading. */
int fit_programs(const struct btf *btf, const struct fit_kernel *kernel);

/* Questions to the kernel's BTF, the same that the programs ask. */
bool fit_has_helper(const struct btf *btf, const char *name); /* BPF_FUNC_name */
bool fit_has_member(const struct btf *btf, const char *type, const char *member);

#endif
