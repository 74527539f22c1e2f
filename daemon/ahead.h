/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process that goes ahead of all that are scheduled by fair shares, for moments: what a helper is
 * asked for vanishes while it waits, and a nice value gets it there late once in twenty times on a
 * busy host. Where it does not come to rest by itself it is laid to rest (SIGXCPU by RLIMIT_RTTIME,
 * see setrlimit(2)): a storm of questions costs others a quarter of one processor. Of a process with
 * one thread.
 */
#ifndef SANDFAULT_AHEAD_H
#define SANDFAULT_AHEAD_H

/* From now on, and after a loss of privilege too. 0 or -errno: it stays as it is. */
int ahead_begin(void);

#endif
