/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/libbpf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "ahead.h"
#include "decode.h"
#include "explain_helper.h"
#include "log.h"
#include "scout.h"
#include "triage.h"

#define HANG_USEC    300000 /* a file system that takes longer hangs: SIGALRM ends the scout */
#define RESTARTS_MAX 16	    /* then it is done without */
#define ANSWERS_MAX  256    /* taken in one turn */

struct scout_answer {
	struct sf_key key;
	struct explanation e;
};

struct scout {
	struct loop *loop;
	struct loop_source *source;
	scout_fn fn;
	void *arg;
	int ring;
	uint32_t own_mntns;
	int fd;
	pid_t pid; /* 0: none */
	unsigned int restarts;
};

/* ---- the child ---- */

static void hang_guard(suseconds_t usec)
{
	setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = usec }, NULL);
}

static void look(const struct event *ev, const struct signature *s, uint32_t own_mntns)
{
	static struct explain_request r;
	static struct scout_answer a;
	size_t n = 0;

	memset(&r, 0, sizeof(r));
	if (!triage_request(s, &r))
		return;
	r.pids[n++] = ev->actor->tgid;
	r.pids[n++] = ev->actor->ppid;
	if (ev->actor->mntns == own_mntns && !(ev->actor->state & SF_ST_CHROOT))
		r.pids[n] = EXPLAIN_HOST_PID;
	r.mntns = ev->actor->mntns;
	/* A mount of a sandbox may be what lets nobody in: is there something else outside? */
	if (r.mntns != own_mntns && r.path[0] && (s->key.err == EACCES || s->key.err == EPERM))
		r.want |= WANT_OUTSIDE;
	a.key = ev->bell->key;
	hang_guard(HANG_USEC);
	explain_path("/proc", &r, &a.e);
	hang_guard(0);
	send(HELPER_SOCK_FD, &a, sizeof(a), MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int on_urgent(void *arg, void *data, size_t size)
{
	const uint32_t *own_mntns = arg;
	struct signature s = { 0 };
	struct event ev;

	if (decode_event(data, size, &ev) < 0 || ev.kind != SF_EV_BELL)
		return 0;
	s.key = ev.bell->key;
	if (decode_bell(&ev, &s) == 0 && triage_signature(&s) == TRIAGE_EXPLAIN)
		look(&ev, &s, *own_mntns);
	signature_clear(&s);
	return 0;
}

_Noreturn static void scout(uint32_t own_mntns)
{
	struct ring_buffer *ring = ring_buffer__new(HELPER_KEPT_FD, on_urgent, &own_mntns, NULL);
	int r;

	if (!ring)
		_exit(1);
	signal(SIGALRM, SIG_DFL);
	ahead_begin();
	helper_confine();
	do {
		r = ring_buffer__poll(ring, -1);
	} while (r >= 0 || r == -EINTR);
	_exit(1);
}

/* ---- the daemon's side ---- */

static void on_answer(int fd, uint32_t events, void *arg);

static void on_ended(pid_t pid, int status, void *arg)
{
	/* Only reaped: its end is seen on the socket. */
}

static int start(struct scout *s)
{
	int r;

	s->pid = helper_fork("sandfault-scout", s->ring, &s->fd);
	if (s->pid == 0)
		scout(s->own_mntns);
	if (s->pid < 0) {
		r = s->pid;
		s->pid = 0;
		return r;
	}
	r = loop_add_fd(s->loop, s->fd, EPOLLIN, on_answer, s, &s->source);
	if (r >= 0)
		r = loop_add_child(s->loop, s->pid, on_ended, NULL, NULL);
	return r;
}

static void stop(struct scout *s)
{
	loop_remove(s->source);
	s->source = NULL;
	util_closep(&s->fd);
	s->fd = -1;
	if (s->pid)
		kill(s->pid, SIGKILL);
	s->pid = 0;
}

static void restart(struct scout *s)
{
	int r;

	stop(s);
	if (++s->restarts > RESTARTS_MAX) {
		log_warning("the scout has ended too often, files are looked at without it");
		return;
	}
	r = start(s);
	if (r < 0) {
		log_errno(r, "can't start the scout");
		stop(s);
	}
}

void scout_drain(struct scout *s)
{
	struct scout_answer a;

	for (int i = 0; s && s->fd >= 0 && i < ANSWERS_MAX; i++) {
		ssize_t n = recv(s->fd, &a, sizeof(a), MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n != sizeof(a)) {
			restart(s);
			return;
		}
		a.e.why[sizeof(a.e.why) - 1] = '\0';
		a.e.culprit[sizeof(a.e.culprit) - 1] = '\0';
		a.e.interpreter[sizeof(a.e.interpreter) - 1] = '\0';
		a.e.sibling[sizeof(a.e.sibling) - 1] = '\0';
		a.e.label[sizeof(a.e.label) - 1] = '\0';
		a.e.env_name[sizeof(a.e.env_name) - 1] = '\0';
		s->fn(&a.key, &a.e, s->arg);
	}
}

static void on_answer(int fd, uint32_t events, void *arg)
{
	scout_drain(arg);
}

int scout_new(struct scout **ret, struct loop *l, int ring, uint32_t own_mntns, scout_fn fn,
	      void *arg)
{
	struct scout *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	*s = (struct scout){
		.loop = l, .fn = fn, .arg = arg, .ring = ring, .own_mntns = own_mntns, .fd = -1
	};
	r = start(s);
	if (r < 0) {
		scout_free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void scout_free(struct scout *s)
{
	if (!s)
		return;
	stop(s);
	free(s);
}
