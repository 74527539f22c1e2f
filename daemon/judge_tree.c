/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"

bool process_failed(const struct process *p)
{
	return p->exited && p->status != 0;
}

const struct process *process_parent(const struct task *t, const struct process *p)
{
	struct process *parent;

	if (p->root || !p->parent.tgid)
		return NULL;
	parent = task_find_process(t, p->parent.tgid, p->parent.start_ns);
	return parent == p ? NULL : parent;
}

static bool task_failed(const struct task *t)
{
	return t->rec.outcome == OUTCOME_FAILED || t->rec.outcome == OUTCOME_KILLED;
}

bool process_reaches(const struct judgement *j, const struct process *p)
{
	const struct process *parent;

	if (!process_failed(p))
		return false;
	/* A tree deeper than this is no tree. */
	for (int depth = 0; depth < 256; depth++) {
		parent = process_parent(j->task, p);
		if (!parent)
			break;
		if (parent->exited && parent->status == 0)
			return false;
		if (!parent->exited && !j->context->final)
			return false;
		p = parent;
	}
	return task_failed(j->task) || j->task->rec.outcome == OUTCOME_UNKNOWN;
}

const struct process *task_root(const struct task *t)
{
	const struct process *first = NULL;

	for (const struct process *p = t->processes; p; p = p->hh.next)
		if (p->root && (!first || p->seen_ns < first->seen_ns))
			first = p;
	return first;
}

const struct process *process_first_failed(const struct judgement *j)
{
	const struct process *first = NULL;

	for (const struct process *p = j->task->processes; p; p = p->hh.next) {
		if (!process_reaches(j, p))
			continue;
		if (!first || p->exit_ns < first->exit_ns)
			first = p;
	}
	/* An early failing helper that its parent shrugged off is not the reason: take the one that
	 * failed last before the root did, deepest in that chain. */
	if (first) {
		const struct process *root = task_root(j->task);
		const struct process *cur = root;

		while (cur && process_failed(cur)) {
			const struct process *next = NULL;

			for (const struct process *p = j->task->processes; p; p = p->hh.next) {
				if (process_parent(j->task, p) != cur || !process_failed(p))
					continue;
				if (!next || p->exit_ns > next->exit_ns)
					next = p;
			}
			if (!next || (next->status != cur->status &&
				      cur->exit_ns - next->exit_ns > 2 * NSEC_PER_SEC))
				return cur;
			cur = next;
		}
	}
	return first;
}

const struct sf_ev_signal *process_deadly(const struct task *t, const struct process *p)
{
	const struct sf_ev_signal *found = NULL;
	int sig;

	if (!p->exited)
		return NULL;
	sig = WTERMSIG(p->status);
	/* A shell tells its child's death as 128 + signal; that is an exit, not a death. */
	if (!sig)
		return NULL;
	for (size_t i = 0; i < t->signals.n; i++) {
		const struct sf_ev_signal *e = &t->signals.v[i];

		if (e->sig == sig && e->actor.tgid == p->key.tgid && e->hdr.ts <= p->exit_ns &&
		    (!e->actor.start_ns || e->actor.start_ns == p->key.start_ns)) {
			/* The first SIGKILL is the one that killed; later ones found it dying. */
			if (!found || sig != SIGKILL)
				found = e;
		}
	}
	return found;
}

bool process_went_on(const struct process *p, uint64_t ns)
{
	return p && p->exec_ns && p->exec_ns > ns;
}

bool process_ran_payload(const struct process *p)
{
	return p && p->execs > 0;
}
