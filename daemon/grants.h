/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel grants beyond the tracepoints that everything needed lives on: trampolines
 * (fexit) and kprobes, one at a time or many at once. Nested virtual machines and hardened hosts refuse either. Asked once, and
 * before anything is loaded: a program that could not be attached is not worth its verification.
 */
#ifndef SANDFAULT_GRANTS_H
#define SANDFAULT_GRANTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct btf_type;

/* The better way first. */
enum grant {
	GRANT_MULTI, /* one program on many functions, on their way out (kretprobe.multi) */
	GRANT_FEXIT,
	GRANT_KPROBE,
	GRANTS
};

/* A kernel function that a program may be put to: its prototype. */
struct grants_function {
	const char *name; /* of the BTF */
	const struct btf_type *proto;
};

struct grants {
	char refused[GRANTS][160]; /* why not; empty: granted */
	bool by_value;	       /* trampolines take functions with a struct among their arguments */
	const struct btf *btf; /* borrowed */
	struct grants_function *functions; /* sorted; none where nothing is granted */
	size_t n, cap;
	int links
		[GRANTS]; /* of the programs that asked; to let go of one takes the kernel as long as
			    * for a real one, so that is done at the end */
};

/* Names of the grants as options and people write them. */
extern const char *const grant_names[GRANTS];

/* `off`: bits 1 << enum grant that are not to be used. 0 or -ENOMEM. */
int grants_ask(struct grants *g, const struct btf *btf, uint32_t off);
/* The functions, which borrow from BTF; what was granted stays. */
void grants_forget(struct grants *g);
/* Only which functions a kernel has, from its BTF: everything counts as granted. 0 or -ENOMEM. */
int grants_read(struct grants *g, const struct btf *btf);
void grants_clear(struct grants *g);
/* Hands over the descriptors of the programs that asked; how many. */
size_t grants_take_links(struct grants *g, int fds[GRANTS]);
/* The grant that a program of this section needs, by the section's name; -1: none. */
int grants_needed(const char *section);
/* Arguments of a kernel function; -ENOENT: this kernel has no such function, -ENOTSUP: no trampoline
 * can be put to it. */
int grants_function(const struct grants *g, const char *name);
/* A security module's own function for a hook ("apparmor", "file_open"), borrowed; NULL: none. */
const char *grants_module_function(const struct grants *g, const char *module, const char *hook);

#endif
