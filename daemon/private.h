/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files of a private daemon, beside its socket X.sock: X.log is its stderr, locked by that
 * descriptor until its process is gone; X.lock is held while somebody looks for the daemon, starts
 * it, or removes the files. `run` makes them, the daemon that leaves removes them.
 */
#ifndef SANDFAULT_PRIVATE_H
#define SANDFAULT_PRIVATE_H

#include "util.h"

/* X.ENDING for X.sock; owned. NULL: no memory, or no such name. */
char *private_file(const char *socket, const char *ending);
/* Makes the lock file if need be and waits for the lock; the descriptor that holds it, or -errno. */
int private_lock(const char *path);
/* At the very end: nothing of this process may be in its successor's way any more. Where somebody
 * waits to start one, the files are left to them. */
void private_remove(const char *socket);

#endif
