/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>

#include "ahead.h"

#define AT_A_TIME_USEC 10000 /* of running without a rest; counted in ticks, 1 to 10 ms */
#define REST_MSEC      30

/* The hard limit stays: there the kernel would kill. */
static int bound(void)
{
	struct rlimit time;

	if (getrlimit(RLIMIT_RTTIME, &time) < 0)
		return -errno;
	time.rlim_cur = AT_A_TIME_USEC;
	return setrlimit(RLIMIT_RTTIME, &time) < 0 ? -errno : 0;
}

/* The kernel has raised the soft limit by a second. */
static void on_xcpu(int signo)
{
	int saved = errno;

	poll(NULL, 0, REST_MSEC);
	bound();
	errno = saved;
}

int ahead_begin(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	struct sigaction sa = { .sa_handler = on_xcpu, .sa_flags = SA_RESTART };
	int r;

	if (sigaction(SIGXCPU, &sa, NULL) < 0)
		return -errno;
	r = bound();
	if (r < 0)
		return r;
	return sched_setscheduler(0, SCHED_FIFO, &first) < 0 ? -errno : 0;
}
