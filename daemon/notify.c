/* SPDX-License-Identifier: GPL-2.0-only */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "log.h"
#include "notify.h"

static void notify(const char *state)
{
	int r = sd_notify(0, state);

	if (r < 0)
		log_debug("cannot tell the service manager: %s", strerror(-r));
}

void notify_ready(void)
{
	notify("READY=1");
}

void notify_status(const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *escaped = NULL;
	_cleanup_free_ char *state = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&text, fmt, ap);
	va_end(ap);
	if (n < 0)
		text = NULL;
	/* A newline in it would begin another assignment. */
	escaped = text ? util_escape(text, (size_t)n) : NULL;
	if (escaped && asprintf(&state, "STATUS=%s", escaped) < 0)
		state = NULL;
	if (state)
		notify(state);
}

void notify_reloading(void)
{
	struct timespec ts;
	char state[64];

	/* systemd.service(5), Type=notify-reload: the stamp tells this reload from an earlier one. */
	clock_gettime(CLOCK_MONOTONIC, &ts);
	snprintf(state, sizeof(state), "RELOADING=1\nMONOTONIC_USEC=%" PRId64,
		 (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000);
	notify(state);
}

void notify_stopping(void)
{
	notify("STOPPING=1");
}
