/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf/compat.bpf.h as it is compiled for one architecture, with registers that a test sets. One
 * file an architecture (compat_x86.c, compat_arm64.c): each sees the kernel's types and no libc.
 */
#ifndef SANDFAULT_COMPAT_RIG_H
#define SANDFAULT_COMPAT_RIG_H

struct compat_rig {
	/* Everything 0. `helpers`: does the kernel have those that came after 5.10? */
	void (*reset)(_Bool helpers);
	/* A field of pt_regs, or of the task's thread_info. False: there is none of that name. */
	_Bool (*set)(const char *name, unsigned long long value);
	void (*args)(unsigned long long args[6], _Bool is32);
	unsigned long long (*arg)(int i, _Bool is32); /* of a native call; 0 of a compat one */
	unsigned int (*raw_nr)(void);
	int (*nr)(unsigned int raw);
	int (*abi)(unsigned int raw, _Bool is32); /* enum sf_abi */
	_Bool (*is32)(void);
	void (*call)(unsigned long long call[6]);
	/* -1: not readable. name, its length, vector, its length. */
	int (*msghdr)(unsigned long long fields[4], const void *at, _Bool is32);
	/* base, length */
	int (*iovec)(unsigned long long fields[2], const void *at, unsigned int i, _Bool is32);
	_Bool fork_is_silent;
};

extern const struct compat_rig compat_x86, compat_arm64;

#endif
