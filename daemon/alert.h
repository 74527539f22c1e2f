/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The spike detector: pure, with the clock handed in. Counts distinct tasks hit by a primitive in
 * a sliding window, against that primitive's own baseline (hits per started task before the
 * window), Poisson tail, minimum count, hysteresis.
 */
#ifndef SANDFAULT_ALERT_H
#define SANDFAULT_ALERT_H

#include "taxonomy.h"

struct alert_detector;

struct alert_settings {
	int64_t window_ns;
	int64_t min_tasks;   /* never fires below */
	double significance; /* fires where P(X >= hits | expected) is below */
	int64_t resolve_ns;  /* resolves when the condition has been false this long */
};

/* What alert_tick() hands out; `primitive` is borrowed from the taxonomy. */
struct alert_change {
	enum level level;
	const char *primitive;
	bool firing; /* false: resolved */
	int64_t at_ns;
	int64_t tasks; /* distinct tasks hit in the window */
	double expected;
	uint64_t examples[5]; /* instances */
	size_t n_examples;
};
typedef void (*alert_fn)(const struct alert_change *c, void *arg);

int alert_new(struct alert_detector **ret, const struct alert_settings *s);
void alert_free(struct alert_detector *d);
void alert_set(struct alert_detector *d, const struct alert_settings *s);
/* A task started (for the normalisation by tasks that run). */
void alert_task(struct alert_detector *d, int64_t now_ns, uint64_t instance);
/* A failure of this task (fatal or contributing; sandbox or interface) was seen: a task counts once
 * per primitive and window. */
void alert_hit(struct alert_detector *d, int64_t now_ns, uint64_t instance, enum cause cause);
/* It was judged not to be one after all: lowers the count, never unfires by itself. */
void alert_retract(struct alert_detector *d, uint64_t instance, enum cause cause);
/* Evaluates; calls fn for each change of state. */
void alert_tick(struct alert_detector *d, int64_t now_ns, alert_fn fn, void *arg);
/* ln P(X >= hits) of a Poisson distribution with that mean; expected > 0. */
double alert_log_tail(double expected, int64_t hits);
/* Hits that found the memory (65536 in a window) full: not counted, the alert fires all the same. */
uint64_t alert_overflow(const struct alert_detector *d);
bool alert_firing(const struct alert_detector *d, enum level level, const char *primitive);

#endif
