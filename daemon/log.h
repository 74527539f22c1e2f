/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Log lines to stderr, with a syslog level prefix (<3>…) where stderr is the journal
 * (JOURNAL_STREAM names it), else with the program's name in front.
 */
#ifndef SANDFAULT_LOG_H
#define SANDFAULT_LOG_H

#include "util.h"

enum log_level {
	LOG_LEVEL_ERROR = 3,
	LOG_LEVEL_WARNING = 4,
	LOG_LEVEL_INFO = 6,
	LOG_LEVEL_DEBUG = 7
};

void log_setup(const char *program, enum log_level max);
void log_msg(enum log_level level, const char *fmt, ...) _printf_(2, 3);
/* Logs "MESSAGE: strerror(-err)" and returns err (negative errno), to be used as
 * `return log_errno(r, "cannot open %s", path)`. */
int log_errno(int err, const char *fmt, ...) _printf_(2, 3);

#define log_error(...)	 log_msg(LOG_LEVEL_ERROR, __VA_ARGS__)
#define log_warning(...) log_msg(LOG_LEVEL_WARNING, __VA_ARGS__)
#define log_info(...)	 log_msg(LOG_LEVEL_INFO, __VA_ARGS__)
#define log_debug(...)	 log_msg(LOG_LEVEL_DEBUG, __VA_ARGS__)

#endif
