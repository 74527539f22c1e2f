/* SPDX-License-Identifier: GPL-2.0-only */
/* The security hooks of bpf/hooks.h, by name. */
#ifndef SANDFAULT_HOOKS_NAMES_H
#define SANDFAULT_HOOKS_NAMES_H

#include "../bpf/hooks.h"

const char *hook_name(unsigned int hook); /* "file_open"; "?" where there is no such */
/* The kernel's function that asks it: "security_file_open". */
const char *hook_function(unsigned int hook);
/* The hook that a program watches; SF_HOOK_NONE: none. */
enum sf_hook hook_of_program(const char *program);
/* What an attachment to a module's own function says of itself: the hook, and the module (enum sf_lsm)
 * eight bits above; 0: it is none of those programs. */
unsigned int hook_cookie_of_module(const char *program);

#endif
