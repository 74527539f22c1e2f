/* SPDX-License-Identifier: GPL-2.0-only */
/* A task that failed without any platform evidence failed by itself. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

/* The file that its last words name and that was looked for in vain. */
static const struct signature *missing_file(const struct judgement *j, const struct process *p)
{
	const struct signature *found = NULL;
	struct voice v = { 0 };

	if (voice_listen(j, p, &v) < 0)
		return NULL;
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		struct candidate c = { .sig = s, .process = p, .err = ENOENT };

		if (s->key.err != ENOENT || s->key.tgid != p->key.tgid || !s->subject.len ||
		    s->subject.data[0] != '/' || s->last_ns < p->exec_ns)
			continue;
		c.c.subject = s->subject;
		if (!voice_names_errno(&v, ENOENT) || !voice_names_subject(&v, &c))
			continue;
		if (!found || s->last_ns > found->last_ns)
			found = s;
	}
	voice_clear(&v);
	return found;
}

static int describe(struct candidate *c, const struct process *p)
{
	int sig = p ? WTERMSIG(p->status) : 0;

	c->c.matched = true;
	c->c.prior = PRIOR_STRONG;
	c->c.confidence = CONF_LIKELY;
	c->disposition = DISP_FATAL;
	c->confidence = CONF_LIKELY;
	c->reaches = true;
	c->count = 1;
	c->process = p;
	if (p) {
		c->pid = p->key.tgid;
		c->ns_pid = p->ns_pid;
		memcpy(c->comm, p->comm, SF_COMM);
		c->first_ns = p->exit_ns;
		c->last_ns = p->exit_ns;
	}
	if (sig) {
		c->c.cause = CAUSE_CRASH_SIGNAL;
		c->signal = sig;
		snprintf(c->c.why, sizeof(c->c.why), "ended by %s", names_signal(sig));
	} else {
		c->c.cause = CAUSE_EXIT_NON_ZERO;
		snprintf(c->c.why, sizeof(c->c.why), "no refused primitive is tied to its end");
	}
	if (p && p->comm[0])
		return text_set(&c->c.subject, p->comm, strnlen(p->comm, SF_COMM));
	return text_printf(&c->c.subject, "task");
}

int judge_workload(struct judgement *j)
{
	const struct process *p = process_first_failed(j);
	const struct signature *s;
	struct candidate *c;
	int r;

	if (!p && j->task->rec.outcome != OUTCOME_FAILED && j->task->rec.outcome != OUTCOME_KILLED)
		return 0;
	c = judgement_add(j);
	if (!c)
		return -ENOMEM;
	r = describe(c, p);
	if (r < 0 || !p)
		return r;
	s = WTERMSIG(p->status) ? NULL : missing_file(j, p);
	if (s) {
		c->sig = s;
		c->c.cause = CAUSE_EXIT_MISSING_FILE;
		c->err = ENOENT;
		snprintf(c->syscall, sizeof(c->syscall), "%s", s->syscall);
		snprintf(c->c.why, sizeof(c->c.why),
			 "its own last words name it, and nobody made it");
		c->first_ns = s->first_ns;
		c->last_ns = s->last_ns;
		c->count = s->count;
		r = text_set(&c->c.subject, s->subject.data, s->subject.len);
	}
	/* gravest first */
	if (r == 0 && j->n > 1) {
		struct candidate last = j->v[j->n - 1];

		memmove(&j->v[1], &j->v[0], (j->n - 1) * sizeof(last));
		j->v[0] = last;
	}
	return r;
}
