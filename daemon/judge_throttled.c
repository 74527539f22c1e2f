/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPU throttling: no call fails of it, a program is only late. It is the cause where a deadline ended
 * a process, or a process says that it ran out of time, and a good part of its life was spent
 * waiting for the next period of its cgroup.
 */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"

#define PART	5		      /* of its life: at least one in so many throttled */
#define LEAST	(100 * NSEC_PER_MSEC) /* … and at least that long */
#define MSEC(t) ((unsigned long long)((t) / NSEC_PER_MSEC))

/* What programs say that ran out of their own time. */
static const char *const late_words[] = { "timed out",	"timeout",	 "time out", "deadline",
					  "time limit", "took too long", "too slow" };

int judge_cgroup_path(const char names[][SF_CG_NAME], uint32_t n, struct text *ret)
{
	char buf[SF_CG_NAMES * (SF_CG_NAME + 1) + 1];
	size_t len = 0;

	for (size_t i = n < SF_CG_NAMES ? n : SF_CG_NAMES; i-- > 0;) {
		size_t l = strnlen(names[i], SF_CG_NAME);

		if (!l || (l == 1 && names[i][0] == '/'))
			continue;
		buf[len++] = '/';
		memcpy(buf + len, names[i], l);
		len += l;
	}
	return text_set(ret, len ? buf : "/", len ? len : 1);
}

static uint64_t began(const struct process *p)
{
	if (p->exec_ns)
		return p->exec_ns;
	return p->key.start_ns ? p->key.start_ns : p->seen_ns;
}

/* How long it was throttled while it ran; 0: not so that it mattered. */
static uint64_t throttled(const struct process *p, const struct sf_ev_cpu *e)
{
	uint64_t life = e->hdr.ts > began(p) ? e->hdr.ts - began(p) : 0;
	/* In another cgroup than the one that it began in, all is its own. */
	uint64_t before = p->throttled_ns <= e->throttled_ns ? p->throttled_ns : 0;
	uint64_t ns = e->throttled_ns - before;

	return ns >= LEAST && ns >= life / PART ? ns : 0;
}

static bool is_late(const struct process *p)
{
	_cleanup_free_ char *said = p->tail.len ? strndup(p->tail.data, p->tail.len) : NULL;

	for (size_t i = 0; said && i < ARRAY_SIZE(late_words); i++)
		if (strcasestr(said, late_words[i]))
			return true;
	return false;
}

/* The deadline that ended the process, or a process above it; NULL: none did. */
static struct candidate *deadline_of(struct judgement *j, const struct process *p)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].c.cause == CAUSE_DEADLINE_KILLED && j->v[i].process &&
		    process_is_under(j->task, p, j->v[i].process))
			return &j->v[i];
	return NULL;
}

static int add(struct judgement *j, const struct process *ended, const struct candidate *deadline,
	       const struct sf_ev_cpu *e, uint64_t ns)
{
	bool kill = deadline && deadline->kill;
	char echo[sizeof(deadline->c.why)] = "";
	struct candidate *c;
	unsigned long long percent = e->period_ns ? e->quota_ns * 100 / e->period_ns : 0;

	if (deadline) /* what it lies in may move */
		memcpy(echo, deadline->c.why, sizeof(echo));
	c = judge_add_death(j, CAUSE_CPU_THROTTLED, PRIOR_STRONG, &e->actor, e->hdr.ts);
	if (!c || (echo[0] && candidate_say(c, "an echo of it: %s", echo) < 0))
		return -ENOMEM;
	c->process = ended;
	c->kill = kill;
	snprintf(c->c.why, sizeof(c->c.why),
		 "throttled for %llu ms (in %u of %u periods since the cgroup was made)", MSEC(ns),
		 e->nr_throttled, e->nr_periods);
	snprintf(c->c.knob, sizeof(c->c.knob),
		 "raise cpu.max (v1: cpu.cfs_quota_us) of that cgroup above %llu %% of a CPU, or "
		 "allow more time",
		 percent);
	return judge_cgroup_path(e->names, e->nnames, &c->c.subject);
}

/* Index of what is told of the process already, -1: nothing. */
static int told_of(const struct judgement *j, const struct process *p)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].c.cause == CAUSE_CPU_THROTTLED && j->v[i].process == p)
			return (int)i;
	return -1;
}

void judge_throttled_echoes(struct judgement *j)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];
		int cause = c->c.cause == CAUSE_DEADLINE_KILLED ? told_of(j, c->process) : -1;

		if (cause < 0 || j->v[cause].disposition != DISP_FATAL)
			continue;
		c->echo_of = cause;
		c->disposition = DISP_HANDLED;
	}
}

int judge_throttled(struct judgement *j)
{
	for (size_t i = 0; i < j->task->cpus.n; i++) {
		const struct sf_ev_cpu *e = &j->task->cpus.v[i];
		const struct process *p =
			task_find_process(j->task, e->actor.tgid, e->actor.start_ns);
		uint64_t ns = p && p->exited ? throttled(p, e) : 0;
		const struct candidate *deadline = ns ? deadline_of(j, p) : NULL;
		const struct process *ended = deadline ? deadline->process : p;
		int r;

		if (!ns || told_of(j, ended) >= 0 ||
		    (!deadline && !(process_failed(p) && is_late(p))))
			continue;
		r = add(j, ended, deadline, e, ns);
		if (r < 0)
			return r;
	}
	return 0;
}
