/* SPDX-License-Identifier: GPL-2.0-only */
/* What the judge says of a task goes to the store, to the detector and to whoever watches. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "json.h"
#include "judge.h"
#include "log.h"

#define PUBLISHED_MAX 4096 /* fingerprints remembered per task */

/* ---- watchers ---- */

static void publish(struct pipeline *p, const char *event, const char *campaign, const char *level,
		    struct json_object *o)
{
	if (!o)
		return;
	json_object_object_add(o, "event", json_object_new_string(event));
	if (p->control)
		control_publish(p->control, campaign, level, o);
	else
		json_object_put(o);
}

void verdict_publish_task(struct pipeline *p, struct tracked *tr)
{
	const struct task_record *rec = &tr->task->rec;

	if (p->control && control_watched(p->control))
		publish(p, "task", rec->campaign, NULL, json_task(rec, false));
}

/* Whether it is new to the watchers; from now on it is not. */
static bool published_add(struct tracked *tr, uint64_t fingerprint)
{
	void *v = tr->published;
	int r;

	for (size_t i = 0; i < tr->n_published; i++)
		if (tr->published[i] == fingerprint)
			return false;
	if (tr->n_published >= PUBLISHED_MAX)
		return false;
	r = util_grow(&v, &tr->cap_published, tr->n_published + 1, sizeof(*tr->published));
	tr->published = v;
	if (r < 0)
		return false;
	tr->published[tr->n_published++] = fingerprint;
	return true;
}

static void publish_failures(struct pipeline *p, struct tracked *tr)
{
	const struct task_record *rec = &tr->task->rec;

	for (size_t i = 0; i < rec->n_failures; i++) {
		const struct failure_record *f = &rec->failures[i];

		if (f->disposition < DISP_CONTRIBUTING || !published_add(tr, f->fingerprint))
			continue;
		if (p->control && control_watched(p->control))
			publish(p, "failure", rec->campaign,
				level_name(taxonomy_get(f->cause)->level), json_failure_of(f, rec));
	}
}

/* ---- the detector ---- */

/* Those that count now, against those that counted: new ones hit, those that are gone retract. */
static void detect(struct pipeline *p, struct tracked *tr)
{
	const struct task_record *rec = &tr->task->rec;
	uint32_t hits[ARRAY_SIZE(tr->hits)] = { 0 };
	int64_t now = util_now_boottime();

	for (size_t i = 0; i < rec->n_failures; i++) {
		const struct failure_record *f = &rec->failures[i];

		if (f->disposition >= DISP_CONTRIBUTING &&
		    taxonomy_get(f->cause)->level != LEVEL_WORKLOAD)
			hits[f->cause / 32] |= 1U << f->cause % 32;
	}
	for (int c = 0; c < CAUSE_MAX; c++) {
		bool is = hits[c / 32] >> c % 32 & 1, was = tr->hits[c / 32] >> c % 32 & 1;

		if (is && !was)
			alert_hit(p->alerts, now, tr->task->instance, (enum cause)c);
		else if (was && !is)
			alert_retract(p->alerts, tr->task->instance, (enum cause)c);
	}
	memcpy(tr->hits, hits, sizeof(hits));
}

/* ---- the verdict ---- */

static void take_judgement(struct task_record *rec, struct task_record *out)
{
	for (size_t i = 0; i < rec->n_failures; i++)
		failure_record_clear(&rec->failures[i]);
	free(rec->failures);
	rec->failures = TAKE_PTR(out->failures);
	rec->n_failures = out->n_failures;
	rec->verdict_fingerprint = out->verdict_fingerprint;
	rec->noise = out->noise;
	rec->handled = out->handled;
	rec->provisional = out->provisional;
	out->n_failures = 0;
}

static void mark_late(struct task_record *rec)
{
	for (size_t i = 0; i < rec->n_failures; i++)
		rec->failures[i].late = true;
}

void verdict_judge(struct pipeline *p, struct tracked *tr, bool final)
{
	struct judge_context context = { .final = final,
					 .now_ns = (uint64_t)util_now_boottime(),
					 .utc_offset_ns = p->utc_offset_ns };
	struct task *t = tr->task;
	bool late = tr->forget_ns != 0; /* its verdict stands already */
	struct task_record out = { 0 };
	int r;

	if (final)
		tape_verdict(p->tape, t, context.now_ns, context.utc_offset_ns);
	r = judge_task(t, &context, &out);

	tr->judged_ns = util_now_boottime();
	tr->judge_cost_ns = tr->judged_ns - (int64_t)context.now_ns;
	t->dirty = false;
	if (r < 0) {
		log_errno(r, "can't judge %s/%s", t->rec.campaign, t->rec.task);
		task_record_clear(&out);
		store_put_task(p->store, &t->rec);
		return;
	}
	if (late) {
		/* Only what is new is added; the record itself stays as it was judged. */
		out.id = t->rec.id;
		out.state = STATE_FINAL;
		mark_late(&out);
		store_put_failures(p->store, &out, true);
		task_record_clear(&out);
		return;
	}
	if (resume_keep(tr, &t->rec, &out) < 0)
		log_warning("no memory for what was found before the restart");
	take_judgement(&t->rec, &out);
	task_record_clear(&out);
	store_put_task(p->store, &t->rec);
	store_put_failures(p->store, &t->rec, false);
	detect(p, tr);
	publish_failures(p, tr);
}

/* ---- alerts ---- */

static char *example_name(struct pipeline *p, uint64_t instance)
{
	struct tracked *tr = tracked_find(p, instance);
	struct task_record rec = { 0 };
	char *s = NULL;

	if (tr)
		return asprintf(&s, "%s/%s", tr->task->rec.campaign, tr->task->rec.task) < 0 ? NULL
											     : s;
	if (query_task(store_query(p->store), (int64_t)instance, false, &rec) < 0)
		return NULL;
	if (asprintf(&s, "%s/%s", rec.campaign, rec.task) < 0)
		s = NULL;
	task_record_clear(&rec);
	return s;
}

static void alert_examples(struct pipeline *p, struct alert_record *a, const struct alert_change *c)
{
	a->examples = calloc(c->n_examples + 1, sizeof(*a->examples));
	for (size_t i = 0; a->examples && i < c->n_examples; i++) {
		char *name = example_name(p, c->examples[i]);

		if (name)
			a->examples[a->n_examples++] = name;
	}
}

static struct alert_record *alert_firing_find(struct pipeline *p, const struct alert_change *c)
{
	for (size_t i = 0; i < p->n_firing; i++)
		if (p->firing[i].level == c->level &&
		    strcmp(p->firing[i].primitive, c->primitive) == 0)
			return &p->firing[i];
	return NULL;
}

static struct alert_record *alert_fired(struct pipeline *p, const struct alert_change *c)
{
	struct alert_record a = { .level = c->level,
				  .primitive = strdup(c->primitive),
				  .firing = true,
				  .fired_ns = pipeline_utc(p, (uint64_t)c->at_ns),
				  .tasks = c->tasks,
				  .expected = c->expected,
				  .window_ns = p->options->alert_window_ns };
	void *v = p->firing;
	int r = util_grow(&v, &p->cap_firing, p->n_firing + 1, sizeof(*p->firing));

	p->firing = v;
	if (r < 0 || !a.primitive) {
		alert_record_clear(&a);
		return NULL;
	}
	alert_examples(p, &a, c);
	p->firing[p->n_firing] = a;
	return &p->firing[p->n_firing++];
}

/* Stored, told to the watchers, and handed to the user's command. */
static void alert_tell(struct pipeline *p, struct alert_record *a)
{
	struct json_object *o;

	store_put_alert(p->store, a);
	o = json_alert(a);
	if (!o)
		return;
	sink_send(p->sink, json_line(o));
	log_warning("alert %s: %s/%s, %lld tasks", a->firing ? "firing" : "resolved",
		    level_name(a->level), a->primitive, (long long)a->tasks);
	publish(p, "alert", a->campaign, level_name(a->level), o);
}

static void on_alert(const struct alert_change *c, void *arg)
{
	struct pipeline *p = arg;
	struct alert_record *a = alert_firing_find(p, c);

	if (c->firing && !a)
		a = alert_fired(p, c);
	if (!a)
		return;
	a->firing = c->firing;
	if (c->tasks > a->tasks)
		a->tasks = c->tasks;
	if (!c->firing)
		a->resolved_ns = pipeline_utc(p, (uint64_t)c->at_ns);
	alert_tell(p, a);
	if (c->firing)
		return;
	alert_record_clear(a);
	*a = p->firing[--p->n_firing];
}

void verdict_alerts(struct pipeline *p)
{
	alert_tick(p->alerts, util_now_boottime(), on_alert, p);
}

/* The window went with the daemon that fired it. */
static int resolve_old(const struct alert_record *a, void *arg)
{
	struct pipeline *p = arg;
	struct alert_record old = *a;

	if (!a->firing)
		return 0;
	old.firing = false;
	old.resolved_ns = util_now_realtime();
	store_put_alert(p->store, &old);
	return 0;
}

void verdict_alerts_load(struct pipeline *p)
{
	struct query_filter any = { 0 };

	query_alerts(store_query(p->store), &any, resolve_old, p);
}

void verdict_alerts_free(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_firing; i++)
		alert_record_clear(&p->firing[i]);
	free(p->firing);
}
