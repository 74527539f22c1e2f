/* SPDX-License-Identifier: GPL-2.0-only */
/* What the service manager is told (sd_notify(3)); without one, nothing happens. */
#ifndef SANDFAULT_NOTIFY_H
#define SANDFAULT_NOTIFY_H

#include "util.h"

void notify_ready(void); /* tasks can begin; also ends notify_reloading() */
void notify_status(const char *fmt, ...) _printf_(1, 2);
void notify_reloading(void);
void notify_stopping(void);

#endif
