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
#include <utlist.h>

#include "disk_internal.h"
#include "log.h"

#define WAITING_MAX 1024
#define END_MSEC    200	       /* for a killed helper to be gone, at our own end */
#define KEPT_MAX    (64 << 10) /* of a larger answer the memory is given back */

struct asked {
	struct asked *prev, *next;
	disk_fn fn; /* NULL: nobody waits for it any more */
	void *arg;
	int64_t deadline_ns;
	struct disk_packet q; /* allocated up to its strings' end only */
};

/* A helper, and what it is asked. */
struct lane {
	struct loop *loop;
	int64_t timeout_ns;
	bool patient; /* it lets files settle */
	int pidfd;    /* -1: none */
	int fd;
	struct loop_source *source, *timer;
	struct disk_shared
		*shared;       /* of this helper alone: a killed one may still write to its own */
	struct asked *sent;    /* the helper has them, oldest first */
	struct asked *waiting; /* it is to get them, oldest first */
	size_t count, out;     /* of both; of those that the helper has */
	int64_t since_ns;      /* the helper has worked on its first for that long */
	bool inside;	       /* an answer is being looked at: its slot is not free yet */
	uint64_t seq, killed;
};

/* Two, so that what lets a file settle makes nobody else wait. */
enum { LANE_QUICK, LANE_SETTLED, LANES };

struct disk {
	struct lane lanes[LANES];
};

static void on_readable(int fd, uint32_t events, void *arg);

static void on_ended(pid_t pid, int status, void *arg)
{
	/* Only reaped: what its end means is seen on the socket, or was our wish. */
}

static void stop(struct lane *d)
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
	DL_CONCAT(d->sent, d->waiting); /* another is to get them */
	d->waiting = d->sent;
	d->sent = NULL;
	d->out = 0;
}

static int start(struct lane *d)
{
	struct disk_shared *m =
		mmap(NULL, sizeof(*m), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	if (m == MAP_FAILED)
		return -errno;
	d->shared = m;
	pid = disk_helper_start(m, d->patient, &d->fd);
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

/* The next moment at which something is late: the helper, or one that waits for it. */
static void set_deadline(struct lane *d)
{
	int64_t at = d->waiting ? d->waiting->deadline_ns : INT64_MAX, now = util_now_boottime();

	if (d->sent && d->since_ns + d->timeout_ns < at)
		at = d->since_ns + d->timeout_ns;
	loop_rearm_timer(d->timer, at == INT64_MAX ? -1 : at > now ? at - now : 1, 0);
}

static size_t packet_size(const struct disk_packet *q)
{
	return offsetof(struct disk_packet, strings) + q->strings_len;
}

/* Hands the helper what it has slots for. */
static void feed(struct lane *d)
{
	int r = d->fd < 0 && d->waiting ? start(d) : 0;

	if (r < 0) {
		log_errno(r, "cannot start the helper that compares files");
		stop(d);
		return; /* the questions end at their deadline */
	}
	while (d->waiting && d->out < DISK_SLOTS) {
		struct asked *w = d->waiting;

		w->q.seq = d->seq;
		if (send(d->fd, &w->q, packet_size(&w->q), MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
			return; /* full: the next answer makes room; ended: its socket says so */
		d->seq++;
		if (d->out++ == 0)
			d->since_ns = util_now_boottime();
		DL_DELETE(d->waiting, w);
		DL_APPEND(d->sent, w);
	}
}

static void feed_soon(struct lane *d)
{
	if (!d->inside)
		feed(d);
	set_deadline(d);
}

/* Tells who asked. It is in no list any more. */
static void tell(struct lane *d, struct asked *w, int err, const struct disk_answer *a)
{
	d->count--;
	d->inside = true;
	if (w->fn)
		w->fn(err, a, w->arg);
	d->inside = false;
	free(w);
}

static void take_sent(struct lane *d, int err)
{
	struct asked *w = d->sent;
	size_t slot = w->q.seq % DISK_SLOTS;
	struct disk_answer *a = err ? NULL : &d->shared->answers[slot];

	DL_DELETE(d->sent, w);
	d->out--;
	d->since_ns = util_now_boottime();
	if (a) /* the helper has an address of its own */
		a->bytes = a->bytes ? d->shared->bytes[slot] : NULL;
	tell(d, w, err, a);
	if (a && a->bytes && a->len > KEPT_MAX)
		madvise(d->shared->bytes[slot], DISK_MAX, MADV_REMOVE);
}

/* The helper hangs, or has ended. A new one is spared what the old one was at. */
static void give_up(struct lane *d, int err)
{
	struct asked *w = d->sent;

	if (w) {
		DL_DELETE(d->sent, w);
		d->out--;
	}
	stop(d);
	if (w)
		tell(d, w, err, NULL);
}

static void drain(struct lane *d)
{
	struct disk_reply r;
	ssize_t n;

	while (d->fd >= 0) {
		n = recv(d->fd, &r, sizeof(r), MSG_DONTWAIT);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			break;
		if (n == sizeof(r) && d->sent && r.seq == d->sent->q.seq)
			take_sent(d, r.err < 0 ? (int)r.err : 0);
		else
			give_up(d, -EPIPE);
	}
	feed_soon(d);
}

static void on_readable(int fd, uint32_t events, void *arg)
{
	drain(arg);
}

static void on_deadline(void *arg)
{
	struct lane *d = arg;
	struct asked *w;

	drain(d); /* the loop may have been the late one */
	if (d->sent && util_now_boottime() >= d->since_ns + d->timeout_ns) {
		d->killed++;
		give_up(d, -ETIME);
	}
	while ((w = d->waiting) && util_now_boottime() >= w->deadline_ns) {
		DL_DELETE(d->waiting, w);
		tell(d, w, -ETIME, NULL);
	}
	feed_soon(d);
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
	int r = 0;

	if (q->n_paths > DISK_PATHS || q->n_roots > DISK_ROOTS || q->n_known > DISK_KNOWN)
		return -EINVAL;

	p->who = q->who;
	p->want = q->want;
	p->n_paths = (uint32_t)q->n_paths;
	p->n_roots = (uint32_t)q->n_roots;
	p->n_known = (uint32_t)q->n_known;
	memcpy(p->known, q->known, sizeof(p->known));
	p->strings_len = 0;
	for (size_t i = 0; r == 0 && i < q->n_paths; i++)
		r = add_string(p, q->paths[i]);
	for (size_t i = 0; r == 0 && i < q->n_roots; i++)
		r = add_string(p, q->roots[i]);
	return r;
}

int disk_ask(struct disk *disk, const struct disk_question *q, disk_fn fn, void *arg)
{
	struct lane *d = &disk->lanes[q->want & DISK_SETTLED ? LANE_SETTLED : LANE_QUICK];
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
	memcpy(&w->q, &packet, packet_size(&packet));
	w->fn = fn;
	w->arg = arg;
	w->deadline_ns = util_now_boottime() + d->timeout_ns;
	DL_APPEND(d->waiting, w);
	d->count++;
	feed_soon(d);
	return 0;
}

static void send_aside(const struct disk *d, const struct call_peer *who, uint32_t want)
{
	static struct disk_packet packet;

	packet.who = *who;
	packet.want = want;
	for (size_t i = 0; i < LANES && who->start_ns; i++)
		if (d->lanes[i].fd >= 0)
			send(d->lanes[i].fd, &packet, packet_size(&packet),
			     MSG_DONTWAIT | MSG_NOSIGNAL);
}

void disk_hold(struct disk *d, const struct call_peer *who)
{
	send_aside(d, who, DISK_HOLD);
}

void disk_release(struct disk *d, const struct call_peer *who)
{
	send_aside(d, who, DISK_RELEASE);
}

static void forget(struct asked *list, const void *arg)
{
	for (struct asked *w = list; w; w = w->next)
		if (w->arg == arg)
			w->fn = NULL;
}

void disk_forget(struct disk *d, const void *arg)
{
	for (size_t i = 0; i < LANES; i++) {
		forget(d->lanes[i].sent, arg);
		forget(d->lanes[i].waiting, arg);
	}
}

uint64_t disk_killed(const struct disk *d)
{
	return d->lanes[LANE_QUICK].killed + d->lanes[LANE_SETTLED].killed;
}

/* Waits a moment for the killed helper: the loop that would reap it may be about to go. */
static void reap(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	if (poll(&p, 1, END_MSEC) > 0)
		waitid(P_PIDFD, (id_t)pidfd, NULL, WEXITED | WNOHANG);
}

static void lane_clear(struct lane *d)
{
	_cleanup_close_ int pidfd = d->pidfd < 0 ? -1 : fcntl(d->pidfd, F_DUPFD_CLOEXEC, 0);
	struct asked *w, *next;

	stop(d);
	if (pidfd >= 0)
		reap(pidfd);
	loop_remove(d->timer);
	DL_FOREACH_SAFE(d->waiting, w, next)
	{
		free(w);
	}
}

void disk_free(struct disk *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < LANES; i++)
		lane_clear(&d->lanes[i]);
	free(d);
}

static int lane_set_up(struct lane *d, struct loop *l, int64_t timeout_ns)
{
	int r;

	d->loop = l;
	d->timeout_ns = timeout_ns;
	r = loop_add_timer(l, -1, 0, on_deadline, d, &d->timer);
	return r < 0 ? r : start(d); /* now: later there may be threads */
}

int disk_new(struct disk **ret, struct loop *l, int64_t timeout_ns)
{
	struct disk *d = calloc(1, sizeof(*d));
	int r = d ? 0 : -ENOMEM;

	for (size_t i = 0; d && i < LANES; i++)
		d->lanes[i].fd = d->lanes[i].pidfd = -1;
	if (d)
		d->lanes[LANE_SETTLED].patient = true;
	for (size_t i = 0; d && i < LANES && r == 0; i++)
		r = lane_set_up(&d->lanes[i], l, timeout_ns);
	if (r < 0) {
		disk_free(d);
		return r;
	}
	*ret = d;
	return 0;
}
