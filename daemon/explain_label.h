/* SPDX-License-Identifier: GPL-2.0-only */
/* Under which security policies a process stands. Internal to explain. */
#ifndef SANDFAULT_EXPLAIN_LABEL_H
#define SANDFAULT_EXPLAIN_LABEL_H

#include "explain.h"

/* Into label, label_of_parent and selinux. */
void label_look(const char *proc_root, const struct explain_request *r, struct explanation *ret);
/* Does a profile of that label refuse anything? As apparmor(7) writes its mode behind the name. */
bool label_confines(const char *label);

#endif
