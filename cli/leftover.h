/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes that a command left behind in its task's cgroup. */
#ifndef SANDFAULT_LEFTOVER_H
#define SANDFAULT_LEFTOVER_H

/* Names them on stderr; `cgroup` is a path from the v2 root, "": nothing to look at. */
void leftover_say(const char *cgroup);

#endif
