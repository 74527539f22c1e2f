/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "record.h"

static void strings_free(char **list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		free(list[i]);
	free(list);
}

void failure_record_clear(struct failure_record *f)
{
	text_free(&f->subject);
	text_free(&f->comm);
	text_free(&f->exe);
	free(f->syscall);
	strings_free(f->evidence, f->n_evidence);
	free(f->summary);
	free(f->remedy);
	memset(f, 0, sizeof(*f));
}

void task_record_clear(struct task_record *t)
{
	for (size_t i = 0; i < t->n_failures; i++)
		failure_record_clear(&t->failures[i]);
	free(t->failures);
	for (size_t i = 0; i < t->n_labels; i++) {
		free(t->labels[i].name);
		free(t->labels[i].value);
	}
	free(t->labels);
	free(t->campaign);
	free(t->task);
	free(t->note);
	free(t->cgroup);
	free(t->source);
	free(t->why);
	memset(t, 0, sizeof(*t));
}

void alert_record_clear(struct alert_record *a)
{
	free(a->primitive);
	free(a->campaign);
	strings_free(a->examples, a->n_examples);
	memset(a, 0, sizeof(*a));
}

void sensor_record_clear(struct sensor_record *s)
{
	free(s->name);
	free(s->state);
	free(s->reason);
	free(s->lost);
	memset(s, 0, sizeof(*s));
}

void sensor_record_set(struct sensor_record *r, const char *state, const char *fmt, ...)
{
	va_list ap;

	free(r->state);
	free(r->reason);
	r->reason = NULL;
	r->state = strdup(state);
	if (!fmt)
		return;
	va_start(ap, fmt);
	if (vasprintf(&r->reason, fmt, ap) < 0)
		r->reason = NULL;
	va_end(ap);
}

int failure_record_evidence(struct failure_record *f, const char *fmt, ...)
{
	char **list = reallocarray(f->evidence, f->n_evidence + 1, sizeof(*list));
	va_list ap;
	int n;

	if (!list)
		return -ENOMEM;
	f->evidence = list;
	va_start(ap, fmt);
	n = vasprintf(&list[f->n_evidence], fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	f->n_evidence++;
	return 0;
}

static int string_copy(char **ret, const char *s)
{
	*ret = s ? strdup(s) : NULL;
	return s && !*ret ? -ENOMEM : 0;
}

static int text_copy(struct text *ret, const struct text *t)
{
	return t->data ? text_set(ret, t->data, t->len) : 0;
}

static int strings_copy(char ***ret, size_t *ret_n, char *const *list, size_t n)
{
	*ret_n = 0;
	*ret = n ? calloc(n, sizeof(**ret)) : NULL;
	if (n && !*ret)
		return -ENOMEM;
	for (; *ret_n < n; ++*ret_n)
		if (string_copy(&(*ret)[*ret_n], list[*ret_n]) < 0)
			return -ENOMEM;
	return 0;
}

/* *ret holds a plain copy of the struct; what it owns is made its own. On failure it may be
 * cleared: no pointer of the original is left in it. */
static int failure_own(struct failure_record *ret, const struct failure_record *f)
{
	int r = 0;

	ret->subject = ret->comm = ret->exe = (struct text){};
	r |= string_copy(&ret->syscall, f->syscall);
	r |= string_copy(&ret->summary, f->summary);
	r |= string_copy(&ret->remedy, f->remedy);
	r |= strings_copy(&ret->evidence, &ret->n_evidence, f->evidence, f->n_evidence);
	r |= text_copy(&ret->subject, &f->subject);
	r |= text_copy(&ret->comm, &f->comm);
	r |= text_copy(&ret->exe, &f->exe);
	return r ? -ENOMEM : 0;
}

static int labels_own(struct task_record *ret, const struct task_record *t)
{
	int r = 0;

	ret->n_labels = 0;
	ret->labels = t->n_labels ? calloc(t->n_labels, sizeof(*ret->labels)) : NULL;
	if (t->n_labels && !ret->labels)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_labels; i++) {
		r |= string_copy(&ret->labels[i].name, t->labels[i].name);
		r |= string_copy(&ret->labels[i].value, t->labels[i].value);
		ret->n_labels++;
	}
	return r;
}

static int failures_own(struct task_record *ret, const struct task_record *t)
{
	int r = 0;

	ret->failures = t->n_failures ? calloc(t->n_failures, sizeof(*ret->failures)) : NULL;
	if (t->n_failures && !ret->failures)
		return -ENOMEM;
	for (size_t i = 0; i < t->n_failures; i++) {
		ret->failures[i] = t->failures[i];
		ret->n_failures++;
		r |= failure_own(&ret->failures[i], &t->failures[i]);
	}
	return r;
}

int task_record_copy(struct task_record *ret, const struct task_record *t, bool with_failures)
{
	struct task_record copy = *t;
	int r = 0;

	copy.failures = NULL;
	copy.n_failures = 0;
	r |= labels_own(&copy, t);
	r |= string_copy(&copy.campaign, t->campaign);
	r |= string_copy(&copy.task, t->task);
	r |= string_copy(&copy.note, t->note);
	r |= string_copy(&copy.cgroup, t->cgroup);
	r |= string_copy(&copy.source, t->source);
	r |= string_copy(&copy.why, t->why);
	if (with_failures)
		r |= failures_own(&copy, t);
	if (r) {
		task_record_clear(&copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

int alert_record_copy(struct alert_record *ret, const struct alert_record *a)
{
	struct alert_record copy = *a;
	int r = 0;

	r |= string_copy(&copy.primitive, a->primitive);
	r |= string_copy(&copy.campaign, a->campaign);
	r |= strings_copy(&copy.examples, &copy.n_examples, a->examples, a->n_examples);
	if (r) {
		alert_record_clear(&copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

int sensor_record_copy(struct sensor_record *ret, const struct sensor_record *s)
{
	struct sensor_record copy = *s;
	int r = 0;

	r |= string_copy(&copy.name, s->name);
	r |= string_copy(&copy.state, s->state);
	r |= string_copy(&copy.reason, s->reason);
	r |= string_copy(&copy.lost, s->lost);
	if (r) {
		sensor_record_clear(&copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

static size_t string_size(const char *s)
{
	return s ? strlen(s) + 1 : 0;
}

size_t task_record_size(const struct task_record *t)
{
	size_t n = sizeof(*t) + string_size(t->campaign) + string_size(t->task) +
		   string_size(t->note) + string_size(t->cgroup) + string_size(t->source) +
		   string_size(t->why);

	for (size_t i = 0; i < t->n_labels; i++)
		n += sizeof(t->labels[i]) + string_size(t->labels[i].name) +
		     string_size(t->labels[i].value);
	for (size_t i = 0; i < t->n_failures; i++) {
		const struct failure_record *f = &t->failures[i];

		n += sizeof(*f) + f->subject.len + f->comm.len + f->exe.len +
		     string_size(f->syscall) + string_size(f->summary) + string_size(f->remedy);
		for (size_t j = 0; j < f->n_evidence; j++)
			n += sizeof(char *) + string_size(f->evidence[j]);
	}
	return n;
}
