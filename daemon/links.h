/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of links whose programs sit on functions. To take one off, the kernel waits until no task
 * can be inside (synchronize_rcu_tasks() in ftrace_shutdown()), a good part of a second each and one
 * after the other: fifty would keep a daemon that is told to stop for ten seconds.
 */
#ifndef SANDFAULT_LINKS_H
#define SANDFAULT_LINKS_H

#include <stddef.h>

/* Descriptors that are to be closed by somebody else, who then ends; ours are closed. */
void links_leave(const int *fds, size_t n);

#endif
