/* SPDX-License-Identifier: GPL-2.0-only */
/* The verdict: root and not echo. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

/*
 * Points that a candidate collects for being what ended its process. A text that names the subject
 * weighs as much as the strongest prior; a contradiction outweighs every prior but self-evidence.
 */
enum {
	POINTS_SELF = 90,
	POINTS_LOSS = 45,
	POINTS_STRONG = 40,
	POINTS_WEAK = 10,
	POINTS_NOISE = -20,
	POINTS_NAMED = 40,
	POINTS_VOICED = 25,
	POINTS_QUOTED = 20,
	POINTS_HINTED = 15,
	POINTS_DENIED = 10,
	POINTS_NEAR = 10,
	POINTS_LAST = 20,
	POINTS_CONTRADICTED = -50,
	POINTS_ENOUGH = 40, /* to be held against the process's end */
	POINTS_ECHO = 30,   /* that far behind the best of the process: not the root */
};
#define NEAR_NS (200 * NSEC_PER_MSEC) /* a call that close to the end of its process */

struct candidate *judgement_add(struct judgement *j)
{
	void *v = j->v;
	int r = util_grow(&v, &j->cap, j->n + 1, sizeof(*j->v));
	struct candidate *c;

	j->v = v;
	if (r < 0)
		return NULL;
	c = &j->v[j->n++];
	memset(c, 0, sizeof(*c));
	c->echo_of = -1;
	return c;
}

int candidate_say(struct candidate *c, const char *fmt, ...)
{
	char **list = reallocarray(c->evidence, c->n_evidence + 1, sizeof(*list));
	va_list ap;
	int n;

	if (!list)
		return -ENOMEM;
	c->evidence = list;
	va_start(ap, fmt);
	n = vasprintf(&list[c->n_evidence], fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	c->n_evidence++;
	return 0;
}

static void judgement_clear(struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++) {
		classification_clear(&j->v[i].c);
		for (size_t k = 0; k < j->v[i].n_evidence; k++)
			free(j->v[i].evidence[k]);
		free(j->v[i].evidence);
	}
	free(j->v);
}

int judge_add_signature(struct judgement *j, const struct signature *s)
{
	struct classification cl;
	struct candidate *c;
	int r = classify_signature(s, &cl);

	if (r < 0 || !cl.matched)
		return r;
	c = judgement_add(j);
	if (!c) {
		classification_clear(&cl);
		return -ENOMEM;
	}
	c->c = cl;
	c->sig = s;
	c->process = task_find_process(j->task, s->key.tgid, s->key.start_ns);
	c->first_ns = s->first_ns;
	c->last_ns = s->last_ns;
	c->count = s->count;
	c->err = s->key.err;
	c->pid = s->key.tgid;
	c->ns_pid = s->ns_pid;
	memcpy(c->comm, s->comm, SF_COMM);
	/* A shell met it as well, before it became the program that did. */
	if (c->process && s->first_ns < c->process->exec_ns && s->last_ns >= c->process->exec_ns)
		memcpy(c->comm, c->process->comm, SF_COMM);
	snprintf(c->syscall, sizeof(c->syscall), "%s", s->syscall);
	return 0;
}

/* A name that is nowhere: programs ask for what they can do without, and an error that ends them says
 * what it was about. */
static bool was_asked_for(const struct candidate *c)
{
	const struct taxon *x = taxonomy_get(c->c.cause);

	return c->err == ENOENT &&
	       (x->level == LEVEL_INTERFACE || strcmp(x->primitive, "binary") == 0);
}

static void judge_voice(const struct judgement *j, struct candidate *c)
{
	struct dossier *d = dossier_find(j, c->process);
	const struct voice *v;

	if (c->named || !d)
		return;
	v = dossier_voice(j, d);
	c->voiced = dossier_names(d, c->err);
	c->named = voice_names_subject(v, c) && (c->voiced || c->c.prior >= PRIOR_STRONG);
	if (c->voiced && voice_quotes_port(v, c))
		c->score += POINTS_QUOTED;
	if (!c->voiced && voice_hints(v, c))
		c->score += POINTS_HINTED;
	else if (!c->named && !c->voiced && (d->own_fault || (v->traced && was_asked_for(c))))
		c->score += POINTS_CONTRADICTED;
	if (!c->named && !c->voiced && voice_warned_of(v, c))
		c->score += POINTS_CONTRADICTED;
	if (!c->named && !c->voiced && dossier_names_other(d, c->err))
		c->score += POINTS_CONTRADICTED;
}

/* Is it the nth of the last things that failed, 0 the newest? */
static bool is_last(const struct candidate *c, uint64_t nth)
{
	const struct process *p = c->process;

	return p && c->sig && nth < p->n_last && p->last[nth].err == c->err &&
	       p->last[nth].nr == c->sig->key.nr && p->last[nth].hash == c->sig->key.hash;
}

/* The last thing that failed before a silence that somebody else ended. */
static bool last_failing(const struct candidate *c)
{
	return is_last(c, 0);
}

/* … or one of the last few: who tries again and again does other things in between. */
static bool is_among_last(const struct candidate *c)
{
	for (uint64_t nth = 0; nth < PROCESS_LAST; nth++)
		if (is_last(c, nth))
			return true;
	return false;
}

static bool is_near_end(const struct candidate *c)
{
	return c->process && c->process->exited && c->last_ns + NEAR_NS >= c->process->exit_ns;
}

/* What the sandbox hides is looked for by programs that can do without it; of one that says nothing
 * (or nothing that is heard) the last vain call tells what it could not do without. */
static bool is_last_deed(const struct candidate *c)
{
	return strcmp(taxonomy_get(c->c.cause)->primitive, "masked") == 0 && is_near_end(c) &&
	       process_failed(c->process) && !c->process->tail.len && last_failing(c);
}

/* No retry by a shell makes a program of another machine run: whose attempt of several met it does
 * not matter. */
static bool fails_its_parent(const struct judgement *j, const struct candidate *c)
{
	const struct process *parent = process_parent(j->task, c->process);

	return c->c.cause == CAUSE_BINARY_ARCHITECTURE && c->c.confidence == CONF_CERTAIN &&
	       process_failed(c->process) && parent && process_reaches(j, parent);
}

static void score(const struct judgement *j, struct candidate *c)
{
	static const int priors[] = { [PRIOR_NOISE] = POINTS_NOISE,
				      [PRIOR_WEAK] = POINTS_WEAK,
				      [PRIOR_STRONG] = POINTS_STRONG,
				      [PRIOR_LOSS] = POINTS_LOSS,
				      [PRIOR_SELF] = POINTS_SELF };
	const struct process *p = c->process;

	c->score = priors[c->c.prior];
	c->reaches = p && (process_reaches(j, p) || fails_its_parent(j, c));
	if (p)
		judge_voice(j, c);
	if (c->named)
		c->score += POINTS_NAMED;
	if (c->voiced)
		c->score += POINTS_VOICED;
	if (c->sig && c->sig->key.entry == SF_DENIED)
		c->score += POINTS_DENIED;
	if (is_near_end(c))
		c->score += POINTS_NEAR;
	if (is_last_deed(c))
		c->score += POINTS_LAST;
}

/* A refusal that programs swallow and then wait for ever; a plain errno they act upon. */
static bool is_swallowed(const struct candidate *c)
{
	const char *primitive = taxonomy_get(c->c.cause)->primitive;

	return (c->sig && c->sig->key.entry == SF_DENIED) || c->c.cause == CAUSE_NETWORK_TIMEOUT ||
	       strcmp(primitive, "lsm") == 0 || strcmp(primitive, "capability") == 0;
}

/* Somebody else ended it, and what it had said by then names nothing. */
static bool was_ended_by_others(const struct judgement *j, const struct candidate *c)
{
	const struct sf_ev_signal *e = process_deadly(j->task, c->process);

	return e && !e->sender_kernel && e->sender_tgid != c->process->key.tgid;
}

static enum disposition dispose_signature(const struct judgement *j, struct candidate *c)
{
	const struct process *p = c->process;
	char how[96];

	if (judge_cancelled(j, c, how, sizeof(how))) {
		candidate_say(c, "%s", how);
		c->cancelled = true;
		return c->err == ENOENT || c->c.prior == PRIOR_NOISE ? DISP_NOISE : DISP_HANDLED;
	}
	if (c->c.prior == PRIOR_SELF)
		return DISP_FATAL;
	if (!p || !p->exited || p->status == 0) {
		if (c->c.prior == PRIOR_LOSS)
			return DISP_CONTRIBUTING;
		if (p && !p->exited && !j->context->final)
			return DISP_NOISE; /* not yet known */
		return c->err == ENOENT || c->c.prior == PRIOR_NOISE ? DISP_NOISE : DISP_HANDLED;
	}
	if (c->score < POINTS_ENOUGH)
		return c->c.prior <= PRIOR_WEAK ? DISP_NOISE : DISP_HANDLED;
	if (WTERMSIG(p->status) && !c->voiced && !last_failing(c) &&
	    c->last_ns + NEAR_NS < p->exit_ns)
		return DISP_HANDLED; /* killed long after: not by this */
	/* What it told of, and then went on for long to do other things, was not waited for either. */
	if (!is_swallowed(c) && was_ended_by_others(j, c) &&
	    (!c->voiced || (!is_among_last(c) && !is_near_end(c))))
		return DISP_HANDLED;
	if (!c->reaches)
		return c->c.prior == PRIOR_LOSS ? DISP_CONTRIBUTING
		       : c->err == ENOENT	? DISP_NOISE
						: DISP_HANDLED;
	return DISP_FATAL;
}

static enum disposition dispose_death(const struct judgement *j, const struct candidate *c)
{
	if (c->kill)
		return DISP_FATAL;
	if (!c->process || !c->reaches)
		return DISP_NOISE;
	return j->context->final || c->c.prior == PRIOR_SELF ? DISP_FATAL : DISP_NOISE;
}

/* The strongest of a process, and the strongest that is a refused call. */
static void find_best(struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];
		struct dossier *d = dossier_find(j, c->process);

		if (!d || c->disposition != DISP_FATAL)
			continue;
		if (!c->sig && c->signal)
			continue; /* a death is what a refused call leads to */
		if (d->best < 0 || c->score > j->v[d->best].score)
			d->best = (int)i;
		if (c->sig && (d->root < 0 || c->score > j->v[d->root].score))
			d->root = (int)i;
	}
}

/* One process dies of one thing: what stands far behind its best candidate is an echo, and so is a
 * crash or a kill that a refused primitive led to. */
static void mark_echoes(struct judgement *j)
{
	find_best(j);
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];
		struct dossier *d = dossier_find(j, c->process);

		if (!d || c->disposition != DISP_FATAL || c->c.prior == PRIOR_SELF)
			continue;
		if (!c->sig && c->signal)
			c->echo_of = d->root;
		else if (d->best >= 0 && j->v[d->best].score >= c->score + POINTS_ECHO &&
			 !(judge_is_limit(c->c.cause) && j->v[d->best].c.cause == c->c.cause))
			c->echo_of = d->best;
		if (c->echo_of >= 0)
			c->disposition = c->err == ENOENT ? DISP_NOISE : DISP_HANDLED;
	}
}

/* A crash that reached the task through its ancestors outranks a call of theirs that no word is about:
 * who started the one that crashed had got over it by then. */
static void mark_outdone_by(struct judgement *j, const struct candidate *crash)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];

		if (!c->sig || c->disposition != DISP_FATAL || c->named || c->voiced ||
		    c->c.prior == PRIOR_SELF || c->last_ns >= crash->process->seen_ns ||
		    c->process == crash->process ||
		    !process_is_under(j->task, crash->process, c->process))
			continue;
		c->disposition = c->err == ENOENT ? DISP_NOISE : DISP_HANDLED;
		candidate_say(c, "what was started after it crashed by itself");
	}
}

static void mark_outdone(struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++) {
		const struct candidate *c = &j->v[i];

		if (c->c.cause == CAUSE_CRASH_SIGNAL && c->disposition == DISP_FATAL &&
		    c->reaches && c->process)
			mark_outdone_by(j, c);
	}
}

/* The syscall that the filter killed on also left without entering: one failure. */
static void drop_killed_calls(struct judgement *j)
{
	for (size_t k = 0; k < j->n; k++) {
		if (j->v[k].signal != SIGSYS)
			continue;
		for (size_t i = 0; i < j->n; i++)
			if (j->v[i].c.cause == CAUSE_SECCOMP_DENIED && j->v[i].pid == j->v[k].pid &&
			    strcmp(j->v[i].syscall, j->v[k].syscall) == 0)
				j->v[i].disposition = DISP_NOISE;
	}
}

static enum confidence confide(const struct candidate *c)
{
	enum confidence tie = c->named || c->voiced || c->c.prior == PRIOR_SELF || c->kill
				      ? CONF_CERTAIN
			      : c->score >= POINTS_ENOUGH ? CONF_LIKELY
							  : CONF_POSSIBLE;

	if (!c->sig && c->c.confidence == CONF_CERTAIN)
		tie = CONF_CERTAIN;
	if (c->disposition == DISP_CONTRIBUTING)
		tie = CONF_CERTAIN;
	return tie < c->c.confidence ? tie : c->c.confidence;
}

static int gather(struct judgement *j)
{
	int r;

	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		r = judge_add_signature(j, s);
		if (r < 0)
			return r;
	}
	r = judge_network(j);
	if (r < 0)
		return r;
	r = judge_ephemeral(j);
	if (r < 0)
		return r;
	r = judge_deaths(j);
	if (r == 0)
		r = judge_throttled(j);
	return r < 0 ? r : judge_texts(j);
}

static int dispose(struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];
		int r = judge_refine(j, c);

		if (r < 0)
			return r;
		score(j, c);
		c->disposition = c->sig || c->err ? dispose_signature(j, c) : dispose_death(j, c);
	}
	drop_killed_calls(j);
	judge_throttled_echoes(j);
	mark_echoes(j);
	mark_outdone(j);
	for (size_t i = 0; i < j->n; i++)
		j->v[i].confidence = confide(&j->v[i]);
	return 0;
}

static bool has_failure(const struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].disposition >= DISP_CONTRIBUTING)
			return true;
	return false;
}

static int write_record(struct judgement *j, struct task_record *out)
{
	size_t n = 0;

	for (size_t i = 0; i < j->n; i++)
		n += j->v[i].disposition >= DISP_HANDLED;
	out->failures = calloc(n ? n : 1, sizeof(*out->failures));
	if (!out->failures)
		return -ENOMEM;
	for (size_t i = 0; i < j->n; i++) {
		struct failure_record *f = &out->failures[out->n_failures];
		int r;

		if (j->v[i].disposition < DISP_HANDLED)
			continue;
		r = judge_record(j, &j->v[i], f);
		out->n_failures++;
		if (r < 0)
			return r;
		out->handled += f->disposition == DISP_HANDLED;
		if (out->n_failures == 1 && f->disposition >= DISP_CONTRIBUTING)
			out->verdict_fingerprint = f->fingerprint;
	}
	return 0;
}

int judge_task(const struct task *t, const struct judge_context *c, struct task_record *out)
{
	struct judgement j = { .task = t, .context = c };
	uint64_t told = 0;
	int r;

	out->provisional = !c->final;
	r = dossiers_open(&j);
	if (r == 0)
		r = families_open(&j);
	if (r == 0)
		r = gather(&j);
	if (r == 0)
		r = dispose(&j);
	if (r == 0)
		r = judge_calls(&j);
	if (r == 0) {
		r = judge_merge(&j);
		if (r == 0 && !has_failure(&j) && c->final)
			r = judge_workload(&j);
	}
	if (r == 0)
		r = write_record(&j, out);
	for (size_t i = 0; i < j.n; i++)
		if (j.v[i].disposition >= DISP_HANDLED && j.v[i].err &&
		    !(j.v[i].sig &&
		      (j.v[i].sig->key.entry == SF_REPLY || j.v[i].sig->key.entry == SF_LOOKUP)))
			told += j.v[i].count;
	out->noise = t->failed > told ? (int64_t)(t->failed - told) : 0;
	dossiers_close(&j);
	families_close(&j);
	judgement_clear(&j);
	return r;
}
