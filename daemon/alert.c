/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Baseline: hits and started tasks that have left the window, each newer task making the older
 * ones count a little less (MEMORY_TASKS; counted in tasks, not in time, so that a quiet night
 * forgets nothing). A prior of PRIOR_HITS in PRIOR_TASKS stands for what is not known yet: on a
 * cold start one task in two hundred is expected to be hit, and four of thirty are a burst.
 *
 * While a primitive fires its baseline does not learn (a burst would become its own norm), but
 * for longer than LEARN_AFTER windows (a day by default) it is the norm, and it learns again.
 */
#include <errno.h>
#include <math.h>
#include <string.h>
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

#include "alert.h"

#define HITS_MAX     65536
#define BUCKETS	     128
#define BUCKET_PARTS 32 /* buckets in a window */
#define MEMORY_TASKS 2000.0
#define PRIOR_HITS   1.0
#define PRIOR_TASKS  200.0
#define LEARN_AFTER  144
#define KINDS_MAX    64 /* primitives with a level; alert_new() checks */

/* One primitive. */
struct kind {
	enum level level;
	const char *primitive;
	int64_t tasks; /* distinct tasks hit in the window */
	double base_hits, base_tasks;
	bool firing;
	int64_t fired_ns;
	int64_t quiet_ns; /* condition false since; -1: it is true */
	unsigned int n_causes;
};

struct hit_key {
	uint64_t instance;
	uint64_t kind;
};

struct hit {
	struct hit_key key;
	int64_t at_ns;
	uint64_t causes;   /* that count, as bits: it goes with its last one */
	UT_hash_handle hh; /* in the order of insertion, that is of time */
};

/* Tasks that started, by time. */
struct bucket {
	int64_t from_ns;
	int64_t n;
};

struct alert_detector {
	struct alert_settings settings;
	double log_significance;
	int64_t now_ns; /* the latest time seen: a clock that steps back does not */
	struct kind kinds[KINDS_MAX];
	size_t n_kinds;
	uint8_t kind_of[CAUSE_MAX];
	uint64_t bit_of[CAUSE_MAX]; /* of a cause within its primitive */
	struct hit *hits;
	struct bucket buckets[BUCKETS]; /* oldest first */
	size_t n_buckets;
	int64_t started; /* sum of the buckets */
	uint64_t overflow;
};

static int find_kind(const struct alert_detector *d, enum level level, const char *primitive)
{
	for (size_t i = 0; i < d->n_kinds; i++)
		if (d->kinds[i].level == level && strcmp(d->kinds[i].primitive, primitive) == 0)
			return (int)i;
	return -ENOENT;
}

static int collect_kinds(struct alert_detector *d)
{
	for (int c = 0; c < CAUSE_MAX; c++) {
		const struct taxon *t = taxonomy_get((enum cause)c);
		int k = find_kind(d, t->level, t->primitive);

		if (k < 0) {
			if (d->n_kinds == KINDS_MAX)
				return -E2BIG;
			k = (int)d->n_kinds++;
			d->kinds[k] = (struct kind){ .level = t->level,
						     .primitive = t->primitive,
						     .quiet_ns = -1 };
		}
		if (d->kinds[k].n_causes == 64)
			return -E2BIG;
		d->kind_of[c] = (uint8_t)k;
		d->bit_of[c] = 1ULL << d->kinds[k].n_causes++;
	}
	return 0;
}

int alert_new(struct alert_detector **ret, const struct alert_settings *s)
{
	struct alert_detector *d = calloc(1, sizeof(*d));
	int r;

	if (!d)
		return -ENOMEM;
	d->now_ns = INT64_MIN;
	r = collect_kinds(d);
	if (r < 0) {
		free(d);
		return r;
	}
	alert_set(d, s);
	*ret = d;
	return 0;
}

static void drop_hit(struct alert_detector *d, struct hit *h)
{
	d->kinds[h->key.kind].tasks--;
	HASH_DEL(d->hits, h);
	free(h);
}

void alert_free(struct alert_detector *d)
{
	struct hit *h, *next;

	if (!d)
		return;
	HASH_ITER(hh, d->hits, h, next)
	drop_hit(d, h);
	free(d);
}

void alert_set(struct alert_detector *d, const struct alert_settings *s)
{
	d->settings = *s;
	if (d->settings.window_ns < 1)
		d->settings.window_ns = 1;
	if (d->settings.min_tasks < 1)
		d->settings.min_tasks = 1;
	d->log_significance = log(s->significance);
}

static bool learns(const struct alert_detector *d, const struct kind *k)
{
	return !k->firing || (d->now_ns - k->fired_ns) / LEARN_AFTER > d->settings.window_ns;
}

/* Tasks leave the window: they become baseline. */
static void learn_tasks(struct alert_detector *d, int64_t n)
{
	double keep = exp(-(double)n / MEMORY_TASKS);

	for (size_t i = 0; i < d->n_kinds; i++) {
		struct kind *k = &d->kinds[i];

		if (!learns(d, k))
			continue;
		k->base_hits *= keep;
		k->base_tasks = k->base_tasks * keep + (double)n;
	}
}

static void forget_buckets(struct alert_detector *d, size_t n)
{
	memmove(d->buckets, d->buckets + n, (d->n_buckets - n) * sizeof(*d->buckets));
	d->n_buckets -= n;
}

static void advance(struct alert_detector *d, int64_t now_ns)
{
	int64_t edge;
	size_t old = 0;

	if (now_ns > d->now_ns)
		d->now_ns = now_ns;
	edge = d->now_ns - d->settings.window_ns;
	while (old < d->n_buckets && d->buckets[old].from_ns <= edge) {
		learn_tasks(d, d->buckets[old].n);
		d->started -= d->buckets[old].n;
		old++;
	}
	if (old)
		forget_buckets(d, old);
	while (d->hits && d->hits->at_ns <= edge) {
		struct kind *k = &d->kinds[d->hits->key.kind];

		if (learns(d, k))
			k->base_hits += 1;
		drop_hit(d, d->hits);
	}
}

void alert_task(struct alert_detector *d, int64_t now_ns, uint64_t instance)
{
	struct bucket *last;

	advance(d, now_ns);
	d->started++;
	last = d->n_buckets ? &d->buckets[d->n_buckets - 1] : NULL;
	if (last && d->now_ns - last->from_ns < d->settings.window_ns / BUCKET_PARTS) {
		last->n++;
		return;
	}
	/* Only a window that was made much longer fills the array: the two oldest become one. */
	if (d->n_buckets == BUCKETS) {
		d->buckets[1].n += d->buckets[0].n;
		forget_buckets(d, 1);
	}
	d->buckets[d->n_buckets++] = (struct bucket){ d->now_ns, 1 };
}

static struct hit *find_hit(const struct alert_detector *d, uint64_t instance, enum cause cause)
{
	struct hit_key key = { .instance = instance, .kind = d->kind_of[cause] };
	struct hit *h;

	HASH_FIND(hh, d->hits, &key, sizeof(key), h);
	return h;
}

void alert_hit(struct alert_detector *d, int64_t now_ns, uint64_t instance, enum cause cause)
{
	struct hit *h;

	advance(d, now_ns);
	if (taxonomy_get(cause)->level == LEVEL_WORKLOAD)
		return;
	h = find_hit(d, instance, cause);
	if (h) {
		h->causes |= d->bit_of[cause];
		return;
	}
	h = HASH_COUNT(d->hits) < HITS_MAX ? calloc(1, sizeof(*h)) : NULL;
	if (!h) {
		d->overflow++;
		return;
	}
	h->key = (struct hit_key){ .instance = instance, .kind = d->kind_of[cause] };
	h->at_ns = d->now_ns;
	h->causes = d->bit_of[cause];
	HASH_ADD(hh, d->hits, key, sizeof(h->key), h);
	if (!h->hh.tbl) { /* no memory: uthash left it out */
		free(h);
		d->overflow++;
		return;
	}
	d->kinds[h->key.kind].tasks++;
}

void alert_retract(struct alert_detector *d, uint64_t instance, enum cause cause)
{
	struct hit *h = find_hit(d, instance, cause);

	if (!h)
		return;
	h->causes &= ~d->bit_of[cause];
	if (!h->causes)
		drop_hit(d, h);
}

/* ln of the probability of exactly k. */
static double log_poisson(double mean, int64_t k)
{
	int sign;

	return (double)k * log(mean) - mean - lgamma_r((double)k + 1, &sign);
}

double alert_log_tail(double expected, int64_t hits)
{
	double term = 1, sum = 1;

	if (hits <= 0)
		return 0;
	if ((double)hits > expected) {
		/* p(k) (1 + m/(k+1) + m²/((k+1)(k+2)) + …): every factor is below one. */
		for (int64_t i = hits + 1; term > sum * 1e-16; i++) {
			term *= expected / (double)i;
			sum += term;
		}
		return log_poisson(expected, hits) + log(sum);
	}
	/* The head is the small side: p(k-1) (1 + (k-1)/m + …), which ends by itself. */
	for (int64_t i = hits - 1; i > 0 && term > sum * 1e-16; i--) {
		term *= (double)i / expected;
		sum += term;
	}
	return log1p(-exp(log_poisson(expected, hits - 1) + log(sum)));
}

/*
 * Hits expected in the window. Tasks that were hit without having started in it (long-running
 * ones, or an idle host's) stand for the tasks at risk where they are more than those started.
 */
static double expected_hits(const struct alert_detector *d, const struct kind *k)
{
	double rate = (k->base_hits + PRIOR_HITS) / (k->base_tasks + PRIOR_TASKS);
	int64_t at_risk = d->started > k->tasks ? d->started : k->tasks;

	return fmin(rate, 1) * (double)(at_risk > 0 ? at_risk : 1);
}

static void report(const struct alert_detector *d, size_t kind, double expected, alert_fn fn,
		   void *arg)
{
	const struct kind *k = &d->kinds[kind];
	struct alert_change c = {
		.level = k->level,
		.primitive = k->primitive,
		.firing = k->firing,
		.at_ns = d->now_ns,
		.tasks = k->tasks,
		.expected = expected,
	};

	for (struct hit *h = d->hits; h && c.n_examples < ARRAY_SIZE(c.examples); h = h->hh.next)
		if (h->key.kind == kind)
			c.examples[c.n_examples++] = h->key.instance;
	fn(&c, arg);
}

static void evaluate(struct alert_detector *d, size_t kind, alert_fn fn, void *arg)
{
	struct kind *k = &d->kinds[kind];
	double expected = expected_hits(d, k);
	bool holds = k->tasks >= d->settings.min_tasks &&
		     alert_log_tail(expected, k->tasks) < d->log_significance;

	if (holds) {
		k->quiet_ns = -1;
		if (k->firing)
			return;
		k->firing = true;
		k->fired_ns = d->now_ns;
		report(d, kind, expected, fn, arg);
		return;
	}
	if (!k->firing)
		return;
	if (k->quiet_ns < 0)
		k->quiet_ns = d->now_ns;
	if (d->now_ns - k->quiet_ns < d->settings.resolve_ns)
		return;
	k->firing = false;
	k->quiet_ns = -1;
	report(d, kind, expected, fn, arg);
}

void alert_tick(struct alert_detector *d, int64_t now_ns, alert_fn fn, void *arg)
{
	advance(d, now_ns);
	for (size_t i = 0; i < d->n_kinds; i++)
		if (d->kinds[i].level != LEVEL_WORKLOAD)
			evaluate(d, i, fn, arg);
}

uint64_t alert_overflow(const struct alert_detector *d)
{
	return d->overflow;
}

bool alert_firing(const struct alert_detector *d, enum level level, const char *primitive)
{
	int k = find_kind(d, level, primitive);

	return k >= 0 && d->kinds[k].firing;
}
