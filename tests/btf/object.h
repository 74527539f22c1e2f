/* SPDX-License-Identifier: GPL-2.0-only */
/* A BPF object as it lies on disk: instructions, functions, calls, CO-RE relocations. */
#ifndef SANDFAULT_BTF_OBJECT_H
#define SANDFAULT_BTF_OBJECT_H

#include <linux/bpf.h>
#include <stdbool.h>
#include <stddef.h>

struct btf;

#define NOTHING (-1)

struct instruction {
	struct bpf_insn insn;
	int callee; /* function that is called, or whose address is taken; or NOTHING */
	int relo;   /* index into relos, or NOTHING */
};

struct function {
	const char *name;
	const char *section; /* says what a program is attached to; of a subprogram: .text */
	bool program;
	bool global; /* checked by the verifier on its own, with unknown arguments */
	size_t begin, end;
};

struct relo {
	struct bpf_core_relo core;
	size_t at; /* the instruction */
};

struct object {
	struct btf *btf;
	struct instruction *insns;
	struct function *functions;
	struct relo *relos;
	size_t n_insns, n_functions, n_relos;
};

/* Ends the process with a message where the file can't be used. For the life of the process. */
struct object *object_read(const char *path);

#endif
