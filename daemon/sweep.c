/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/bpf.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "log.h"
#include "sweep.h"

#define BATCH	     1024 /* entries asked for at a time */
#define KEEP_ENTRIES 4096 /* larger buffers are given back after use */
#define COARSE_TURN  16	  /* sweeps until the coarse maps are swapped in any case */

enum sweep_state {
	SWEEP_IDLE,   /* waits for the time or for a request */
	SWEEP_ACTIVE, /* swaps and reads */
	SWEEP_READY,  /* the result is the loop's */
	SWEEP_DONE,   /* … which is finished with it */
};

struct sweep {
	struct sensors *sensors;
	const struct sensors_maps *maps;
	pthread_t thread;
	bool started;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	int event_fd;

	/* under the lock */
	enum sweep_state state;
	bool stop;
	bool requested;
	uint64_t begun; /* ticket of the sweep that began last */
	int64_t interval_ns;

	/* the thread's alone but in SWEEP_READY */
	int quiet_sig, quiet_coarse; /* index of the map that the slot does not point at */
	uint64_t coarse_seen;	     /* the kernel's count of coarse signatures at the last swap */
	size_t n_sig;		     /* entries of the result that are of the fine map */
	size_t cap_keys, cap_vals, cap_ids, cap_instances;
	struct sweep_result result;
};

/* ---- reading a map ---- */

static int reserve(void **array, size_t *cap, size_t need, size_t elem)
{
	return util_grow(array, cap, need, elem);
}

static int reserve_signatures(struct sweep *s, size_t need)
{
	void *keys = s->result.keys, *vals = s->result.vals;
	int r = reserve(&keys, &s->cap_keys, need, sizeof(*s->result.keys));

	s->result.keys = keys;
	if (r < 0)
		return r;
	r = reserve(&vals, &s->cap_vals, need, sizeof(*s->result.vals));
	s->result.vals = vals;
	return r;
}

static int reserve_instances(struct sweep *s, size_t need)
{
	void *ids = s->result.instance_ids, *v = s->result.instances;
	int r = reserve(&ids, &s->cap_ids, need, sizeof(*s->result.instance_ids));

	s->result.instance_ids = ids;
	if (r < 0)
		return r;
	r = reserve(&v, &s->cap_instances, need, sizeof(*s->result.instances));
	s->result.instances = v;
	return r;
}

/* Appends a whole map. -ENOSPC means that a bucket holds more than was asked for. */
static int read_signatures(struct sweep *s, int fd)
{
	uint32_t at = 0, n, batch = BATCH;
	bool first = true;

	for (;;) {
		size_t have = s->result.n;
		int r = reserve_signatures(s, have + batch);

		if (r < 0)
			return r;
		n = batch;
		r = bpf_map_lookup_batch(fd, first ? NULL : &at, &at, s->result.keys + have,
					 s->result.vals + have, &n, NULL);
		if (r < 0 && errno == ENOSPC) {
			batch *= 2;
			continue;
		}
		if (r < 0 && errno != ENOENT)
			return -errno;
		s->result.n += n;
		first = false;
		if (r < 0)
			return 0;
	}
}

static int read_instances(struct sweep *s)
{
	uint32_t at = 0, n, batch = BATCH;
	bool first = true;

	for (;;) {
		size_t have = s->result.n_instances;
		int r = reserve_instances(s, have + batch);

		if (r < 0)
			return r;
		n = batch;
		r = bpf_map_lookup_batch(s->maps->instances, first ? NULL : &at, &at,
					 s->result.instance_ids + have, s->result.instances + have,
					 &n, NULL);
		if (r < 0 && errno == ENOSPC) {
			batch *= 2;
			continue;
		}
		if (r < 0 && errno != ENOENT)
			return -errno;
		s->result.n_instances += n;
		first = false;
		if (r < 0)
			return 0;
	}
}

/* ---- one sweep ---- */

/* Points the slot at the quiet map; returns when no program can be using the other any more. */
static int flip(int slot, const int maps[2], int *quiet)
{
	uint32_t zero = 0;

	if (bpf_map_update_elem(slot, &zero, &maps[*quiet], BPF_ANY) < 0)
		return -errno;
	*quiet = !*quiet;
	return 0;
}

/* Whether the coarse maps can hold failures that are new: their swap costs a grace period of its
 * own. What happened before the fine maps' swap has been counted by now. Coarse successes are not
 * counted and wait for their turn. */
static bool coarse_wanted(struct sweep *s)
{
	uint64_t counters[SF_C_MAX];

	if (sensors_counters(s->sensors, counters) < 0)
		return true;
	if (counters[SF_C_COARSE] == s->coarse_seen && s->begun % COARSE_TURN != 0)
		return false;
	s->coarse_seen = counters[SF_C_COARSE];
	return true;
}

static int sweep_read(struct sweep *s)
{
	int r = flip(s->maps->sig_slot, s->maps->sig, &s->quiet_sig);

	if (r < 0)
		return r;
	r = read_signatures(s, s->maps->sig[s->quiet_sig]);
	s->n_sig = s->result.n;
	if (r < 0) /* what was not read stays in the map and is found after the next swap */
		return r;
	if (coarse_wanted(s)) {
		r = flip(s->maps->coarse_slot, s->maps->coarse, &s->quiet_coarse);
		if (r == 0)
			r = read_signatures(s, s->maps->coarse[s->quiet_coarse]);
	}
	return r < 0 ? r : read_instances(s);
}

static void clear_keys(int fd, struct sf_key *keys, size_t n)
{
	while (n) {
		uint32_t count = n > BATCH ? BATCH : (uint32_t)n;

		/* Some may be gone only if somebody else empties our maps: go on one by one. */
		if (bpf_map_delete_batch(fd, keys, &count, NULL) < 0) {
			bpf_map_delete_elem(fd, keys);
			count = 1;
		}
		keys += count;
		n -= count;
	}
}

static void sweep_clear(struct sweep *s)
{
	struct sweep_result *res = &s->result;

	clear_keys(s->maps->sig[s->quiet_sig], res->keys, s->n_sig);
	clear_keys(s->maps->coarse[s->quiet_coarse], res->keys + s->n_sig, res->n - s->n_sig);
	res->n = s->n_sig = 0;
	res->n_instances = 0;
	if (s->cap_keys <= KEEP_ENTRIES)
		return;
	free(res->keys);
	free(res->vals);
	res->keys = NULL;
	res->vals = NULL;
	s->cap_keys = s->cap_vals = 0;
}

/* ---- the thread ---- */

static void deadline_after(struct timespec *ts, int64_t ns)
{
	clock_gettime(CLOCK_MONOTONIC, ts);
	ns += ts->tv_nsec;
	ts->tv_sec += ns / NSEC_PER_SEC;
	ts->tv_nsec = ns % NSEC_PER_SEC;
}

/* Waits for the interval's end or a request. false: stop. With the lock held. */
static bool wait_idle(struct sweep *s)
{
	struct timespec ts;

	deadline_after(&ts, s->interval_ns);
	while (!s->stop && !s->requested)
		if (pthread_cond_timedwait(&s->wake, &s->lock, &ts) == ETIMEDOUT)
			break;
	return !s->stop;
}

/* Ahead of everybody who is not: it runs for milliseconds, and gives the CPU back at each swap. */
static void be_undisturbed(void)
{
	const struct sched_param first = { .sched_priority = 1 };
	int r = pthread_setschedparam(pthread_self(), SCHED_FIFO, &first);

	if (r > 0)
		log_warning(
			"can't run the sweep undisturbed: %s; on a busy host calls may be missed",
			strerror(r));
}

static void *sweep_main(void *arg)
{
	struct sweep *s = arg;
	uint64_t one = 1;

	if (sensors_share_guard(s->sensors))
		be_undisturbed();
	pthread_mutex_lock(&s->lock);
	while (wait_idle(s)) {
		s->requested = false;
		s->state = SWEEP_ACTIVE;
		s->result.ticket = ++s->begun;
		pthread_mutex_unlock(&s->lock);

		s->result.generation = sensors_next_generation(s->sensors);
		s->result.error = sweep_read(s);

		pthread_mutex_lock(&s->lock);
		s->state = SWEEP_READY;
		if (write(s->event_fd, &one, sizeof(one)) < 0)
			log_errno(-errno, "sweep: can't wake the loop");
		while (!s->stop && s->state == SWEEP_READY)
			pthread_cond_wait(&s->wake, &s->lock);
		if (s->stop)
			break;
		pthread_mutex_unlock(&s->lock);
		sweep_clear(s);
		pthread_mutex_lock(&s->lock);
		s->state = SWEEP_IDLE;
	}
	pthread_mutex_unlock(&s->lock);
	return NULL;
}

static int sweep_start(struct sweep *s)
{
	pthread_condattr_t attr;
	int r;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_mutex_init(&s->lock, NULL);
	pthread_cond_init(&s->wake, &attr);
	pthread_condattr_destroy(&attr);
	r = pthread_create(&s->thread, NULL, sweep_main, s);
	s->started = r == 0;
	return -r;
}

int sweep_new(struct sweep **ret, struct sensors *sensors, int64_t interval_ns)
{
	struct sweep *s = calloc(1, sizeof(*s));
	int r;

	if (!s)
		return -ENOMEM;
	s->sensors = sensors;
	s->maps = sensors_maps(sensors);
	s->interval_ns = interval_ns;
	s->quiet_sig = s->quiet_coarse = 1;
	s->event_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	r = s->event_fd < 0 ? -errno : sweep_start(s);
	if (r < 0) {
		if (s->event_fd >= 0)
			close(s->event_fd);
		free(s);
		return r;
	}
	*ret = s;
	return 0;
}

void sweep_free(struct sweep *s)
{
	if (!s)
		return;
	pthread_mutex_lock(&s->lock);
	s->stop = true;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	pthread_join(s->thread, NULL);
	pthread_cond_destroy(&s->wake);
	pthread_mutex_destroy(&s->lock);
	close(s->event_fd);
	free(s->result.keys);
	free(s->result.vals);
	free(s->result.instance_ids);
	free(s->result.instances);
	free(s);
}

int sweep_fd(const struct sweep *s)
{
	return s->event_fd;
}

uint64_t sweep_request(struct sweep *s)
{
	uint64_t ticket;

	pthread_mutex_lock(&s->lock);
	s->requested = true;
	ticket = s->begun + 1;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
	return ticket;
}

const struct sweep_result *sweep_take(struct sweep *s)
{
	uint64_t n;
	bool ready;

	if (read(s->event_fd, &n, sizeof(n)) < 0 && errno != EAGAIN)
		return NULL;
	pthread_mutex_lock(&s->lock);
	ready = s->state == SWEEP_READY;
	pthread_mutex_unlock(&s->lock);
	return ready ? &s->result : NULL;
}

const struct sweep_result *sweep_wait(struct sweep *s, int timeout_ms)
{
	struct pollfd fd = { .fd = s->event_fd, .events = POLLIN };

	return poll(&fd, 1, timeout_ms) > 0 ? sweep_take(s) : NULL;
}

void sweep_done(struct sweep *s)
{
	pthread_mutex_lock(&s->lock);
	s->state = SWEEP_DONE;
	pthread_cond_signal(&s->wake);
	pthread_mutex_unlock(&s->lock);
}
