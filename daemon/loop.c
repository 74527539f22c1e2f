/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>

#include "loop.h"

#define BATCH 64

enum source_kind { SOURCE_FD, SOURCE_TIMER, SOURCE_SIGNAL, SOURCE_CHILD };

struct loop_source {
	struct loop *loop;
	struct loop_source *prev, *next;
	enum source_kind kind;
	int fd;		 /* of SOURCE_FD the caller's, else ours */
	uint32_t events; /* what was asked for */
	pid_t pid;
	bool unowned; /* nobody holds a pointer: goes by itself when it is used up */
	bool once;
	bool dead;
	union {
		loop_fd_fn on_fd;
		loop_timer_fn on_timer;
		loop_child_fn on_child;
	};
	void *arg;
};

struct loop_handler {
	loop_signal_fn fn;
	void *arg;
};

struct loop {
	int epoll_fd;
	struct loop_source *sources;
	struct loop_source *dead; /* removed while events may still point at them */
	bool dispatching;
	bool quit;
	int value;
	struct loop_source *signals;
	sigset_t signal_set;
	struct loop_handler handlers[_NSIG];
};

int loop_new(struct loop **ret)
{
	struct loop *l = calloc(1, sizeof(*l));

	if (!l)
		return -ENOMEM;
	l->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll_fd < 0) {
		int r = -errno;

		free(l);
		return r;
	}
	sigemptyset(&l->signal_set);
	*ret = l;
	return 0;
}

static void free_dead(struct loop *l)
{
	while (l->dead) {
		struct loop_source *s = l->dead;

		l->dead = s->next;
		free(s);
	}
}

void loop_free(struct loop *l)
{
	if (!l)
		return;
	l->dispatching = false;
	while (l->sources)
		loop_remove(l->sources);
	free_dead(l);
	close(l->epoll_fd);
	free(l);
}

/* Takes over the fd where the source is not SOURCE_FD, on failure too. */
static int add_source(struct loop *l, enum source_kind kind, int fd, uint32_t events, void *arg,
		      struct loop_source **ret)
{
	struct loop_source *s = calloc(1, sizeof(*s));
	struct epoll_event e = { .events = events, .data.ptr = s };
	int r = s ? 0 : -ENOMEM;

	if (r == 0 && epoll_ctl(l->epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0)
		r = -errno;
	if (r < 0) {
		if (kind != SOURCE_FD)
			close(fd);
		free(s);
		return r;
	}
	s->loop = l;
	s->kind = kind;
	s->fd = fd;
	s->events = events;
	s->arg = arg;
	s->next = l->sources;
	if (s->next)
		s->next->prev = s;
	l->sources = s;
	*ret = s;
	return 0;
}

static void hand_out(struct loop_source *s, struct loop_source **ret)
{
	s->unowned = !ret;
	if (ret)
		*ret = s;
}

int loop_add_fd(struct loop *l, int fd, uint32_t events, loop_fd_fn fn, void *arg,
		struct loop_source **ret)
{
	struct loop_source *s;
	int r = add_source(l, SOURCE_FD, fd, events, arg, &s);

	if (r < 0)
		return r;
	s->on_fd = fn;
	hand_out(s, ret);
	return 0;
}

int loop_modify_fd(struct loop_source *s, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.ptr = s };

	if (s->dead)
		return -ESTALE;
	if (s->events == events)
		return 0;
	if (epoll_ctl(s->loop->epoll_fd, EPOLL_CTL_MOD, s->fd, &e) < 0)
		return -errno;
	s->events = events;
	return 0;
}

static struct timespec timespec_of(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / NSEC_PER_SEC, .tv_nsec = ns % NSEC_PER_SEC };
}

int loop_rearm_timer(struct loop_source *s, int64_t first_ns, int64_t period_ns)
{
	struct itimerspec t = { 0 };

	if (s->dead)
		return -ESTALE;
	/* timerfd_settime(2): a zero it_value disarms; to us zero means at once, negative disarms. */
	if (first_ns >= 0) {
		t.it_value = timespec_of(first_ns ? first_ns : 1);
		t.it_interval = timespec_of(period_ns > 0 ? period_ns : 0);
	}
	if (timerfd_settime(s->fd, 0, &t, NULL) < 0)
		return -errno;
	s->once = period_ns <= 0;
	return 0;
}

int loop_add_timer(struct loop *l, int64_t first_ns, int64_t period_ns, loop_timer_fn fn, void *arg,
		   struct loop_source **ret)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	struct loop_source *s;
	int r;

	if (fd < 0)
		return -errno;
	r = add_source(l, SOURCE_TIMER, fd, EPOLLIN, arg, &s);
	if (r < 0)
		return r;
	s->on_timer = fn;
	r = loop_rearm_timer(s, first_ns, period_ns);
	if (r < 0) {
		loop_remove(s);
		return r;
	}
	hand_out(s, ret);
	return 0;
}

int loop_add_signal(struct loop *l, int signo, loop_signal_fn fn, void *arg)
{
	sigset_t one;
	int fd, r;

	if (signo <= 0 || signo >= _NSIG)
		return -EINVAL;
	sigaddset(&l->signal_set, signo);
	fd = signalfd(l->signals ? l->signals->fd : -1, &l->signal_set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (!l->signals) {
		r = add_source(l, SOURCE_SIGNAL, fd, EPOLLIN, NULL, &l->signals);
		if (r < 0)
			return r;
	}
	sigemptyset(&one);
	sigaddset(&one, signo);
	if (sigprocmask(SIG_BLOCK, &one, NULL) < 0)
		return -errno;
	l->handlers[signo] = (struct loop_handler){ .fn = fn, .arg = arg };
	return 0;
}

int loop_add_child(struct loop *l, pid_t pid, loop_child_fn fn, void *arg, struct loop_source **ret)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0); /* close-on-exec by itself */
	struct loop_source *s;
	int r;

	if (fd < 0)
		return -errno;
	r = add_source(l, SOURCE_CHILD, fd, EPOLLIN, arg, &s);
	if (r < 0)
		return r;
	s->on_child = fn;
	s->pid = pid;
	hand_out(s, ret);
	return 0;
}

/* A source that is used up stays until its owner removes it, but watches nothing any more. */
static void detach(struct loop_source *s)
{
	if (s->fd < 0)
		return;
	epoll_ctl(s->loop->epoll_fd, EPOLL_CTL_DEL, s->fd, NULL);
	if (s->kind != SOURCE_FD)
		close(s->fd);
	s->fd = -1;
}

void loop_remove(struct loop_source *s)
{
	struct loop *l;

	if (!s || s->dead)
		return;
	l = s->loop;
	detach(s);
	s->dead = true;
	if (s->prev)
		s->prev->next = s->next;
	else
		l->sources = s->next;
	if (s->next)
		s->next->prev = s->prev;
	if (l->signals == s)
		l->signals = NULL;
	s->next = l->dead;
	l->dead = s;
	if (!l->dispatching)
		free_dead(l);
}

static void dispatch_timer(struct loop_source *s)
{
	uint64_t expirations;
	bool last = s->unowned && s->once;

	/* Rearmed or read by an earlier event of this batch: nothing there. */
	if (read(s->fd, &expirations, sizeof(expirations)) != sizeof(expirations))
		return;
	s->on_timer(s->arg);
	if (last)
		loop_remove(s);
}

static void dispatch_signals(struct loop_source *s)
{
	struct loop *l = s->loop;
	struct signalfd_siginfo si;

	while (!s->dead && read(s->fd, &si, sizeof(si)) == sizeof(si)) {
		struct loop_handler *h;

		if (si.ssi_signo >= _NSIG)
			continue;
		h = &l->handlers[si.ssi_signo];
		if (h->fn)
			h->fn((int)si.ssi_signo, h->arg);
	}
}

static void dispatch_child(struct loop_source *s)
{
	int status = 0;
	pid_t r = waitpid(s->pid, &status, WNOHANG);

	if (r == 0)
		return;
	if (r < 0)
		status = -1; /* reaped by somebody else: neither exited nor signalled */
	detach(s);
	s->on_child(s->pid, status, s->arg);
	if (s->unowned)
		loop_remove(s);
}

static void dispatch(struct loop_source *s, uint32_t events)
{
	if (s->dead)
		return;
	switch (s->kind) {
	case SOURCE_FD:
		/* An earlier event of this batch may have narrowed the interest. */
		events &= s->events | EPOLLERR | EPOLLHUP;
		if (events)
			s->on_fd(s->fd, events, s->arg);
		break;
	case SOURCE_TIMER:
		dispatch_timer(s);
		break;
	case SOURCE_SIGNAL:
		dispatch_signals(s);
		break;
	case SOURCE_CHILD:
		dispatch_child(s);
		break;
	}
}

int loop_run(struct loop *l)
{
	struct epoll_event events[BATCH];

	while (!l->quit) {
		int n = epoll_wait(l->epoll_fd, events, BATCH, -1);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		l->dispatching = true;
		for (int i = 0; i < n && !l->quit; i++)
			dispatch(events[i].data.ptr, events[i].events);
		l->dispatching = false;
		free_dead(l);
	}
	l->quit = false;
	return l->value;
}

void loop_quit(struct loop *l, int value)
{
	l->quit = true;
	l->value = value;
}
