/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The private daemon of `sandfault run`: the first run starts it under a lock, later ones join, it
 * leaves by itself some seconds after its last connection and task.
 */
#ifndef SANDFAULT_LAUNCH_H
#define SANDFAULT_LAUNCH_H

#include "../daemon/client.h"

#define LAUNCH_DIRECTORY "/run/sandfault"

/* The socket of the private daemon that writes this database; owned. 0 or -errno. */
int launch_socket(const char *db, char **ret);
/*
 * Connects to that daemon, starts it where it does not run. The connection has been answered once,
 * so the daemon counts it and stays. On failure *reason (owned) is a line for people.
 */
int launch_connect(const char *db, struct client **ret, char **reason);

/* The daemon's program: SANDFAULTD, else beside our own executable, else by PATH; owned. */
char *launch_binary(void);

#endif
