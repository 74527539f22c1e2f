/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Requests wait in a queue; those at its front are with the helper already, as many as its socket
 * takes. It answers in order. The deadline is that of the first: where it passes, the helper is
 * killed, the first is answered "state gone", and the others go to a new helper.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "explain_helper.h"
#include "log.h"

#define WAITING_MAX 256
#define END_MSEC    200 /* for a killed helper to be gone, at our own end */

struct waiting {
	struct waiting *next;
	struct helper_request q; /* allocated up to its path's terminator only */
};

struct explainer {
	struct loop *loop;
	explain_fn fn;
	void *arg;
	int64_t timeout_ns;
	pid_t pid; /* 0: none */
	int fd;
	struct loop_source *source, *timer;
	struct waiting *first, **tail;
	struct waiting *unsent; /* the first that the helper has not got; NULL: it has all */
	size_t count;
	uint64_t seq;
	uint64_t killed;
};

static void on_answer(int fd, uint32_t events, void *arg);

static void on_ended(pid_t pid, int status, void *arg)
{
	/* Only reaped: what its end means is seen on the socket, or was our wish. */
}

static void stop(struct explainer *e)
{
	loop_remove(e->source);
	e->source = NULL;
	util_closep(&e->fd);
	e->fd = -1;
	if (e->pid)
		kill(e->pid, SIGKILL);
	e->pid = 0;
	e->unsent = e->first;
}

static int start(struct explainer *e)
{
	int r;

	e->pid = helper_start(&e->fd);
	if (e->pid < 0) {
		r = e->pid;
		e->pid = 0;
		e->fd = -1;
		return r;
	}
	r = loop_add_fd(e->loop, e->fd, EPOLLIN, on_answer, e, &e->source);
	if (r >= 0)
		r = loop_add_child(e->loop, e->pid, on_ended, NULL, NULL);
	return r;
}

static void set_deadline(struct explainer *e)
{
	int64_t in = e->fd < 0 ? 0 : e->timeout_ns;

	loop_rearm_timer(e->timer, e->first ? in : -1, 0);
}

/* Only where something waits: a helper that can't live must not be started over and over. */
static void ensure_helper(struct explainer *e)
{
	int r = e->fd < 0 ? start(e) : 0;

	if (r < 0) {
		log_errno(r, "cannot start the helper that looks at files");
		stop(e);
	}
}

static size_t packet_size(const struct explain_request *r)
{
	return offsetof(struct helper_request, r.path) + strlen(r->path) + 1;
}

/* Hands the helper what it takes. */
static void feed(struct explainer *e)
{
	while (e->unsent && e->fd >= 0) {
		const struct helper_request *q = &e->unsent->q;

		if (send(e->fd, q, packet_size(&q->r), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			return; /* full: the next answer makes room; dead: its socket says so */
		e->unsent = e->unsent->next;
	}
}

/* Takes the first off the queue and tells its owner. */
static void answer(struct explainer *e, const struct explanation *x)
{
	struct waiting *w = e->first;
	uint64_t id = w->q.r.id;

	if (e->unsent == w)
		e->unsent = w->next;
	e->first = w->next;
	if (!e->first)
		e->tail = &e->first;
	e->count--;
	free(w);
	set_deadline(e);
	e->fn(id, x, e->arg);
}

static void give_up(struct explainer *e, const char *why)
{
	struct explanation x = { 0 };

	if (e->pid)
		e->killed++;
	stop(e);
	if (!e->first)
		return;
	e->unsent = e->first->next; /* a new one is spared what hung the old one */
	if (e->unsent)
		ensure_helper(e);
	snprintf(x.why, sizeof(x.why), "%s", why);
	answer(e, &x);
	feed(e);
}

/* One answer. 1: there was one; 0: none now; -EPIPE: the helper has ended. */
static int receive(struct explainer *e)
{
	struct helper_answer a;
	ssize_t n = e->fd < 0 ? 0 : recv(e->fd, &a, sizeof(a), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n != sizeof(a) || !e->first || a.seq != e->first->q.seq)
		return e->fd < 0 ? 0 : -EPIPE;
	a.e.why[sizeof(a.e.why) - 1] = '\0';
	a.e.culprit[sizeof(a.e.culprit) - 1] = '\0';
	a.e.interpreter[sizeof(a.e.interpreter) - 1] = '\0';
	a.e.sibling[sizeof(a.e.sibling) - 1] = '\0';
	a.e.label[sizeof(a.e.label) - 1] = '\0';
	answer(e, &a.e);
	feed(e);
	return 1;
}

void explain_drain(struct explainer *e)
{
	int r;

	do {
		r = receive(e);
	} while (r > 0);
	if (r < 0)
		give_up(e, "the helper ended");
}

static void on_answer(int fd, uint32_t events, void *arg)
{
	explain_drain(arg);
}

static void on_deadline(void *arg)
{
	struct explainer *e = arg;
	const struct waiting *late = e->first;
	uint64_t seq = late ? late->q.seq : 0;

	explain_drain(e); /* the loop may have been the late one */
	if (e->first && e->first->q.seq == seq)
		give_up(e, e->fd < 0 ? "no helper" : "no answer in time");
}

int explain_ask(struct explainer *e, const struct explain_request *r)
{
	size_t size = packet_size(r);
	struct waiting *w;

	if (e->count >= WAITING_MAX)
		return -EAGAIN;
	w = malloc(offsetof(struct waiting, q) + size);
	if (!w)
		return -ENOMEM;
	w->next = NULL;
	w->q.seq = ++e->seq;
	memcpy(&w->q.r, r, size - offsetof(struct helper_request, r));
	*e->tail = w;
	e->tail = &w->next;
	if (!e->unsent)
		e->unsent = w;
	ensure_helper(e);
	if (e->count++ == 0)
		set_deadline(e);
	feed(e);
	return 0;
}

size_t explain_waiting(const struct explainer *e)
{
	return e->count;
}

uint64_t explain_killed(const struct explainer *e)
{
	return e->killed;
}

int explain_new(struct explainer **ret, struct loop *l, int64_t timeout_ns, explain_fn fn,
		void *arg)
{
	struct explainer *e = calloc(1, sizeof(*e));
	int r;

	if (!e)
		return -ENOMEM;
	e->loop = l;
	e->fn = fn;
	e->arg = arg;
	e->timeout_ns = timeout_ns;
	e->fd = -1;
	e->tail = &e->first;
	r = loop_add_timer(l, -1, 0, on_deadline, e, &e->timer);
	if (r >= 0)
		r = start(e);
	if (r < 0) {
		explain_free(e);
		return r;
	}
	*ret = e;
	return 0;
}

/* Waits a moment for the killed helper: the loop that would reap it may be about to go. */
static void reap(pid_t pid)
{
	struct pollfd p = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };

	if (p.fd < 0)
		return;
	if (poll(&p, 1, END_MSEC) > 0)
		waitpid(pid, NULL, WNOHANG);
	close(p.fd);
}

void explain_free(struct explainer *e)
{
	pid_t pid;

	if (!e)
		return;
	pid = e->pid;
	stop(e);
	if (pid)
		reap(pid);
	loop_remove(e->timer);
	while (e->first) {
		struct waiting *w = e->first;

		e->first = w->next;
		free(w);
	}
	free(e);
}
