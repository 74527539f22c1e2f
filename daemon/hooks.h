/* SPDX-License-Identifier: GPL-2.0-only */
/* The security hooks of bpf/hooks.h, by name. */
#ifndef SANDFAULT_HOOKS_NAMES_H
#define SANDFAULT_HOOKS_NAMES_H

#include "../bpf/hooks.h"

const char *hook_name(unsigned int hook); /* "file_open"; "?" where there is no such */
/* The hook that a program watches; SF_HOOK_NONE: none. */
enum sf_hook hook_of_program(const char *program);
/* What an attachment says of itself: the hook, and eight bits above the module (enum sf_lsm) whose own
 * function it is; 0: the program watches neither. */
unsigned int hook_cookie(const char *program);
/* The kernel's function that such an attachment is put to: "security_file_open". */
const char *hook_function(unsigned int cookie);

#endif
