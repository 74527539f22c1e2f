/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside of explain*.c: the process that looks, and what goes to and from it. */
#ifndef SANDFAULT_EXPLAIN_HELPER_H
#define SANDFAULT_EXPLAIN_HELPER_H

#include <sys/types.h>

#include "explain.h"

/* One packet each. A request is sent up to the terminator of its path. */
struct helper_request {
	uint64_t seq;
	struct explain_request r;
};

struct helper_answer {
	uint64_t seq;
	struct explanation e;
};

#define HELPER_SOCK_FD 3 /* in the child */
#define HELPER_KEPT_FD 4

/* Forks a child that has but stderr, its end of a socket, and `keep` (-1: none). In the parent: its
 * pid and *ret_fd, or negative errno. In the child 0: helper_confine() drops what it needs no more. */
pid_t helper_fork(const char *name, int keep, int *ret_fd);
void helper_confine(void);
/* Forks the helper: its pid, and our end of its socket; or negative errno. */
pid_t helper_start(int *ret_fd);

#endif
