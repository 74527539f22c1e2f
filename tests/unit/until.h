/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs the loop until something is true, or a deadline has passed. Include after cmocka.h. */
#ifndef SANDFAULT_TESTS_UNTIL_H
#define SANDFAULT_TESTS_UNTIL_H

#include <errno.h>

#include "loop.h"

#define DEADLINE_NS (20 * NSEC_PER_SEC)

typedef bool (*until_fn)(void *arg);

struct until {
	struct loop *loop;
	until_fn fn;
	void *arg;
};

static inline void until_check(void *arg)
{
	struct until *u = arg;

	if (u->fn(u->arg))
		loop_quit(u->loop, 0);
}

static inline void until_late(void *arg)
{
	loop_quit(arg, -ETIME);
}

/* The condition is looked at every millisecond: it may depend on what no callback of the test
 * sees. false: the deadline passed. */
static inline bool run_until(struct loop *l, until_fn fn, void *arg)
{
	struct until u = { l, fn, arg };
	struct loop_source *check, *late;
	int r;

	assert_int_equal(loop_add_timer(l, 0, NSEC_PER_MSEC, until_check, &u, &check), 0);
	assert_int_equal(loop_add_timer(l, DEADLINE_NS, 0, until_late, l, &late), 0);
	r = loop_run(l);
	loop_remove(check);
	loop_remove(late);
	return r == 0;
}

#endif
