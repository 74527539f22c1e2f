/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "disk_internal.h"
#include "log.h"

#define WAITING_MAX 1024
#define END_MSEC    200	      /* for a killed helper to be gone, at our own end */
#define KEPT_MAX    (1 << 20) /* of a larger answer the memory is given back */

struct asked {
	struct asked *next;
	disk_fn fn; /* NULL: nobody waits for it any more */
	void *arg;
	int64_t deadline_ns;
	struct disk_packet q; /* allocated up to its strings' end only */
};

struct disk {
	struct loop *loop;
	int64_t timeout_ns;
	int pidfd; /* of the helper; -1: none */
	int fd;
	struct loop_source *source, *timer;
	struct disk_shared
		*shared; /* of this helper alone: a killed one may still write to its own */
	struct asked *first, **tail;
	struct asked *unsent; /* the first that the helper has not got; NULL: it has all */
	size_t count, out;    /* of all; of those that the helper has */
	bool bytes_out;	      /* one of them asks for bytes */
	bool inside;	      /* an answer is being looked at: its slot is not free yet */
	uint64_t seq, killed;
};

static void on_readable(int fd, uint32_t events, void *arg);

static void on_ended(pid_t pid, int status, void *arg)
{
	/* Only reaped: what its end means is seen on the socket, or was our wish. */
}

static void stop(struct disk *d)
{
	loop_remove(d->source);
	d->source = NULL;
	util_closep(&d->fd);
	d->fd = -1;
	if (d->pidfd >= 0)
		syscall(SYS_pidfd_send_signal, d->pidfd, SIGKILL, NULL, 0);
	util_closep(&d->pidfd);
	d->pidfd = -1;
	if (d->shared)
		munmap(d->shared, sizeof(*d->shared));
	d->shared = NULL;
	d->unsent = d->first;
	d->out = 0;
	d->bytes_out = false;
}

static int start(struct disk *d)
{
	struct disk_shared *m =
		mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (m == MAP_FAILED)
		return -errno;
	d->shared = m;
	pid = disk_helper_start(m, &d->fd);
	if (pid < 0) {
		d->fd = -1;
		return pid;
	}
	/* A descriptor, not a number: that may be another process's by the time it is killed. */
	d->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	madvise(m, sizeof(*m), MADV_DONTFORK);
	loop_add_child(d->loop, pid, on_ended, NULL, NULL);
	return loop_add_fd(d->loop, d->fd, EPOLLIN, on_readable, d, &d->source);
}

static void set_deadline(struct disk *d)
{
	int64_t in = d->first ? d->first->deadline_ns - util_now_boottime() : -1;

	loop_rearm_timer(d->timer, d->first && in < 1 ? 1 : in, 0);
}

static size_t packet_size(const struct disk_packet *q)
{
	return offsetof(struct disk_packet, strings) + q->strings_len;
}

static bool wants_bytes(const struct asked *w)
{
	return w->q.want & DISK_BYTES;
}

/* Hands the helper what it has slots for. */
static void feed(struct disk *d)
{
	int r;

	if (!d->unsent || d->inside)
		return;
	r = d->fd < 0 ? start(d) : 0;
	if (r < 0) {
		log_errno(r, "cannot start the helper that compares files");
		stop(d);
		return; /* the questions end at their deadline */
	}
	while (d->unsent && d->out < DISK_SLOTS && !(d->bytes_out && wants_bytes(d->unsent))) {
		const struct disk_packet *q = &d->unsent->q;

		if (send(d->fd, q, packet_size(q), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			return; /* full: the next answer makes room; ended: its socket says so */
		d->bytes_out |= wants_bytes(d->unsent);
		d->unsent = d->unsent->next;
		d->out++;
	}
}

static struct asked *pop(struct disk *d)
{
	struct asked *w = d->first;

	if (d->unsent == w)
		d->unsent = w->next;
	else
		d->out--;
	d->first = w->next;
	if (!d->first)
		d->tail = &d->first;
	d->count--;
	return w;
}

/* Takes the first off the queue and tells who asked. */
static void answer(struct disk *d, int err)
{
	struct asked *w = pop(d);
	struct disk_answer *a =
		err || !d->shared ? NULL : &d->shared->answers[w->q.seq % DISK_SLOTS];

	if (a) /* the helper has an address of its own */
		a->bytes = a->bytes ? d->shared->bytes : NULL;
	d->inside = true;
	if (w->fn)
		w->fn(err, a, w->arg);
	d->inside = false;
	if (a && a->bytes && a->len > KEPT_MAX)
		madvise(d->shared->bytes, sizeof(d->shared->bytes), MADV_REMOVE);
	if (wants_bytes(w))
		d->bytes_out = false;
	free(w);
	set_deadline(d);
}

/* One reply. 1: there was one; 0: none now; -EPIPE: the helper has ended. */
static int receive(struct disk *d)
{
	struct disk_reply r;
	ssize_t n = d->fd < 0 ? 0 : recv(d->fd, &r, sizeof(r), MSG_DONTWAIT);

	if (d->fd < 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return 0;
	if (n != sizeof(r) || !d->out || r.seq != d->first->q.seq)
		return -EPIPE;
	answer(d, r.err < 0 ? (int)r.err : 0);
	return 1;
}

static void give_up(struct disk *d, int err)
{
	stop(d);
	if (d->first) /* a new one is spared what hung, or ended, the old one */
		answer(d, err);
}

static void drain(struct disk *d)
{
	int r;

	do {
		r = receive(d);
	} while (r > 0);
	if (r < 0)
		give_up(d, -EPIPE);
	feed(d);
}

static void on_readable(int fd, uint32_t events, void *arg)
{
	drain(arg);
}

static void on_deadline(void *arg)
{
	struct disk *d = arg;
	const struct asked *late = d->first;

	if (!late)
		return;
	drain(d); /* the loop may have been the late one */
	if (d->first == late) {
		d->killed += d->out > 0;
		give_up(d, -ETIME);
	}
	set_deadline(d); /* at once, where the next is late as well */
	feed(d);
}

static int add_string(struct disk_packet *q, const char *s)
{
	size_t n = strlen(s) + 1;

	if (n == 1)
		return -EINVAL;
	if (n > PATH_MAX || n > DISK_STRINGS - q->strings_len)
		return -ENAMETOOLONG;
	memcpy(q->strings + q->strings_len, s, n);
	q->strings_len += n;
	return 0;
}

static int make_packet(struct disk_packet *p, const struct disk_question *q)
{
	int r = q->n_paths <= DISK_PATHS && q->n_roots <= DISK_ROOTS ? 0 : -EINVAL;

	p->who = q->who;
	p->want = q->want;
	p->n_paths = (uint32_t)q->n_paths;
	p->n_roots = (uint32_t)q->n_roots;
	p->strings_len = 0;
	for (size_t i = 0; r == 0 && i < q->n_paths; i++)
		r = add_string(p, q->paths[i]);
	for (size_t i = 0; r == 0 && i < q->n_roots; i++)
		r = add_string(p, q->roots[i]);
	return r;
}

int disk_ask(struct disk *d, const struct disk_question *q, disk_fn fn, void *arg)
{
	static struct disk_packet packet;
	struct asked *w;
	int r = make_packet(&packet, q);

	if (r < 0)
		return r;
	if (d->count >= WAITING_MAX)
		return -EAGAIN;
	w = malloc(offsetof(struct asked, q) + packet_size(&packet));
	if (!w)
		return -ENOMEM;
	w->next = NULL;
	w->fn = fn;
	w->arg = arg;
	w->deadline_ns = util_now_boottime() + d->timeout_ns;
	packet.seq = ++d->seq;
	memcpy(&w->q, &packet, packet_size(&packet));
	*d->tail = w;
	d->tail = &w->next;
	if (!d->unsent)
		d->unsent = w;
	if (d->count++ == 0)
		set_deadline(d);
	feed(d);
	return 0;
}

void disk_forget(struct disk *d, const void *arg)
{
	for (struct asked *w = d->first; w; w = w->next)
		if (w->arg == arg)
			w->fn = NULL;
}

uint64_t disk_killed(const struct disk *d)
{
	return d->killed;
}

/* Waits a moment for the killed helper: the loop that would reap it may be about to go. */
static void reap(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	if (poll(&p, 1, END_MSEC) > 0)
		waitid(P_PIDFD, (id_t)pidfd, NULL, WEXITED | WNOHANG);
}

int disk_new(struct disk **ret, struct loop *l, int64_t timeout_ns)
{
	struct disk *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return -ENOMEM;
	d->loop = l;
	d->timeout_ns = timeout_ns;
	d->fd = -1;
	d->pidfd = -1;
	d->tail = &d->first;
	r = loop_add_timer(l, -1, 0, on_deadline, d, &d->timer);
	if (r < 0) {
		free(d);
		return r;
	}
	r = start(d); /* now: later there may be threads */
	if (r < 0) {
		disk_free(d);
		return r;
	}
	*ret = d;
	return 0;
}

void disk_free(struct disk *d)
{
	_cleanup_close_ int pidfd = -1;

	if (!d)
		return;
	pidfd = d->pidfd < 0 ? -1 : fcntl(d->pidfd, F_DUPFD_CLOEXEC, 0);
	stop(d);
	if (pidfd >= 0)
		reap(pidfd);
	loop_remove(d->timer);
	while (d->first) {
		struct asked *w = d->first;

		d->first = w->next;
		free(w);
	}
	free(d);
}
