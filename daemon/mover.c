/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <utlist.h>

#include "log.h"
#include "mover.h"
#include "util.h"

struct move {
	struct move *prev, *next;
	char *file;
	pid_t *pids;
	int *results;
	size_t n;
	mover_fn fn;
	void *arg;
};

struct mover {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int event_fd;
	struct loop_source *source;

	/* under the lock */
	struct move *waiting, *moved;
	bool stop;
};

static void move_free(struct move *v)
{
	free(v->file);
	free(v->pids);
	free(v->results);
	free(v);
}

/* ---- the thread ---- */

static void move_all(struct move *v)
{
	_cleanup_close_ int fd = open(v->file, O_WRONLY | O_CLOEXEC);
	int r = fd < 0 ? -errno : 0;

	for (size_t i = 0; i < v->n; i++) {
		char text[16];
		int len = snprintf(text, sizeof(text), "%d", v->pids[i]);

		v->results[i] = r < 0 ? r : write(fd, text, (size_t)len) < 0 ? -errno : 0;
	}
}

static struct move *next_move(struct mover *m)
{
	struct move *v;

	while (!m->stop && !m->waiting)
		pthread_cond_wait(&m->wake, &m->lock);
	v = m->stop ? NULL : m->waiting;
	if (v)
		DL_DELETE(m->waiting, v);
	return v;
}

static void *mover_main(void *arg)
{
	const uint64_t one = 1;
	struct mover *m = arg;
	struct move *v;

	pthread_mutex_lock(&m->lock);
	while ((v = next_move(m))) {
		pthread_mutex_unlock(&m->lock);
		move_all(v);
		pthread_mutex_lock(&m->lock);
		DL_APPEND(m->moved, v);
		if (write(m->event_fd, &one, sizeof(one)) < 0)
			log_errno(-errno, "mover: can't wake the loop");
	}
	pthread_mutex_unlock(&m->lock);
	return NULL;
}

/* ---- the loop's side ---- */

static struct move *take_moved(struct mover *m)
{
	struct move *v;

	pthread_mutex_lock(&m->lock);
	v = m->moved;
	if (v)
		DL_DELETE(m->moved, v);
	pthread_mutex_unlock(&m->lock);
	return v;
}

static void on_moved(int fd, uint32_t events, void *arg)
{
	struct mover *m = arg;
	struct move *v;
	uint64_t n;

	if (read(fd, &n, sizeof(n)) < 0)
		return;
	while ((v = take_moved(m))) {
		v->fn(v->pids, v->results, v->n, v->arg);
		move_free(v);
	}
}

int mover_move(struct mover *m, const char *file, pid_t *pids, size_t n, mover_fn fn, void *arg)
{
	struct move *v = calloc(1, sizeof(*v));

	if (!v)
		return -ENOMEM;
	*v = (struct move){ .n = n, .fn = fn, .arg = arg };
	v->file = strdup(file);
	v->results = calloc(n ?: 1, sizeof(*v->results));
	if (!v->file || !v->results) {
		move_free(v);
		return -ENOMEM;
	}
	v->pids = pids;
	pthread_mutex_lock(&m->lock);
	DL_APPEND(m->waiting, v);
	pthread_cond_signal(&m->wake);
	pthread_mutex_unlock(&m->lock);
	return 0;
}

int mover_new(struct mover **ret, struct loop *l)
{
	struct mover *m = calloc(1, sizeof(*m));
	int r;

	if (!m)
		return -ENOMEM;
	pthread_mutex_init(&m->lock, NULL);
	pthread_cond_init(&m->wake, NULL);
	m->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = m->event_fd < 0 ? -errno
			    : loop_add_fd(l, m->event_fd, EPOLLIN, on_moved, m, &m->source);
	if (r == 0)
		r = -pthread_create(&m->thread, NULL, mover_main, m);
	if (r < 0) {
		loop_remove(m->source);
		if (m->event_fd >= 0)
			close(m->event_fd);
		free(m);
		return r;
	}
	*ret = m;
	return 0;
}

void mover_free(struct mover *m)
{
	struct move *v, *next;

	if (!m)
		return;
	pthread_mutex_lock(&m->lock);
	m->stop = true;
	pthread_cond_signal(&m->wake);
	pthread_mutex_unlock(&m->lock);
	pthread_join(m->thread, NULL);
	loop_remove(m->source);
	close(m->event_fd);
	DL_CONCAT(m->moved, m->waiting);
	DL_FOREACH_SAFE(m->moved, v, next)
	{
		move_free(v);
	}
	pthread_cond_destroy(&m->wake);
	pthread_mutex_destroy(&m->lock);
	free(m);
}
