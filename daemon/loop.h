/* SPDX-License-Identifier: GPL-2.0-only */
/* The event loop: epoll, timers by timerfd, signals by signalfd, children by pidfd. */
#ifndef SANDFAULT_LOOP_H
#define SANDFAULT_LOOP_H

#include <sys/epoll.h>
#include "util.h"

struct loop;
struct loop_source;

typedef void (*loop_fd_fn)(int fd, uint32_t events, void *arg);
typedef void (*loop_timer_fn)(void *arg);
typedef void (*loop_signal_fn)(int signo, void *arg);
typedef void (*loop_child_fn)(pid_t pid, int status, void *arg);

int loop_new(struct loop **ret);
void loop_free(struct loop *l);
/* The fd stays the caller's; the source is to be removed before the fd is closed. A source may be
 * removed from any callback, its own too. With ret == NULL the source belongs to the loop: it goes
 * when it is used up (a timer that fires once, a child) or with the loop. Else it stays valid,
 * used up or not, until loop_remove(). */
int loop_add_fd(struct loop *l, int fd, uint32_t events, loop_fd_fn fn, void *arg,
		struct loop_source **ret);
int loop_modify_fd(struct loop_source *s, uint32_t events);
/* First after `first_ns` (0: at once, negative: not armed), then every `period_ns` (0: once). */
int loop_add_timer(struct loop *l, int64_t first_ns, int64_t period_ns, loop_timer_fn fn, void *arg,
		   struct loop_source **ret);
int loop_rearm_timer(struct loop_source *s, int64_t first_ns, int64_t period_ns);
/* Blocks the signal for the process and routes it here. */
int loop_add_signal(struct loop *l, int signo, loop_signal_fn fn, void *arg);
/* Calls fn once when the child has ended, and reaps it. Status -1: somebody else had reaped it. */
int loop_add_child(struct loop *l, pid_t pid, loop_child_fn fn, void *arg,
		   struct loop_source **ret);
void loop_remove(struct loop_source *s);
int loop_run(struct loop *l); /* until loop_quit(); its value */
void loop_quit(struct loop *l, int value);

#endif
