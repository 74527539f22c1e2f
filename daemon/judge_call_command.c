/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that were answered well, and yet tell of a command that failed: what that failed for. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_call.h"

#define SLACK_NS     (20 * NSEC_PER_MSEC) /* as of a window's ends */
#define BEGIN_NS     (5 * NSEC_PER_MSEC)  /* a reader may be faster than the writer's return */
#define EXIT_NS	     NSEC_PER_MSEC	  /* whoever tells a status has waited for it */
#define TREE_DEPTH   64
#define NOT_FOUND    127 /* POSIX.1-2024, shell, 2.8.2 */
#define POINTS_OWNED 40	 /* of the kernel's candidate, to be what ended its process */
#define POINTS_CRASH 100 /* that needs no words */

/* A server that was just started reads its first call within the slack. */
static bool is_server(const struct judgement *j, const struct call *c, const struct process *p)
{
	return process_is_under(j->task, call_process(j, &c->server), p);
}

static bool began_under(const struct judgement *j, const struct call *c, const struct process *p)
{
	return p->seen_ns + BEGIN_NS >= c->started_ns && call_is_under(j, c, p) &&
	       !is_server(j, c, p);
}

/* Python tells a signal as its negative, a shell as 128 and more. */
static bool ended_as_told(const struct process *p, int status)
{
	int sig = WIFSIGNALED(p->status) ? WTERMSIG(p->status) : 0;

	if (status < 0)
		return sig == -status;
	return sig ? status == 128 + sig : WEXITSTATUS(p->status) == status;
}

/* A shell that serves one call after the other outlives each, however new it is. */
static bool ran_for(const struct judgement *j, const struct call *c, const struct process *p)
{
	return p && p->exited && p->exit_ns <= c->ended_ns + EXIT_NS && began_under(j, c, p);
}

/* p failed, and with it what the server ran for the call, in the way that the answer tells. */
static bool failed_with_it(const struct judgement *j, const struct call *c, const struct process *p)
{
	if (!ran_for(j, c, p) || !process_failed(p))
		return false;
	for (int depth = 0; depth < TREE_DEPTH; depth++) {
		if (!ran_for(j, c, process_parent(j->task, p)))
			break;
		p = process_told(j, p);
		if (!ran_for(j, c, p))
			return false;
	}
	return !c->status || ended_as_told(p, c->status);
}

static bool is_crash(const struct candidate *cand)
{
	return !cand->sig && cand->c.cause == CAUSE_CRASH_SIGNAL;
}

static int points(const struct judgement *j, const struct call *c, const struct candidate *cand)
{
	if (cand->call || cand->incident || cand->cancelled ||
	    !call_in_window(c, cand->first_ns, cand->last_ns) ||
	    !failed_with_it(j, c, cand->process) || process_went_on(cand->process, cand->last_ns))
		return 0;
	if (!cand->sig && (cand->kill || is_crash(cand)))
		return POINTS_CRASH;
	if (taxonomy_get(cand->c.cause)->level == LEVEL_WORKLOAD || cand->score < POINTS_OWNED)
		return 0;
	return cand->score;
}

static bool ends_alike(const struct judgement *j, const struct call *c)
{
	const struct process *p = call_process(j, &c->client);

	return p && p->exited && ended_as_told(p, c->status);
}

/* Agents run commands to see whether they fail: that counts where the client ends for it. */
static enum consequence consequence(const struct judgement *j, const struct call *c,
				    const struct candidate *cand)
{
	enum consequence how = call_consequence(j, c);
	const struct process *client = call_process(j, &c->client);

	if (how == CONSEQUENCE_NONE)
		return CONSEQUENCE_NONE;
	/* Of an answer that tells no status nobody knows whether it told of a failure. */
	if (!c->status)
		return client_names(j, &c->client, cand) ? CONSEQUENCE_LAST : CONSEQUENCE_NONE;
	if (client_repeats_end(j, c))
		return CONSEQUENCE_HEARD;
	if (client_names(j, &c->client, cand))
		return CONSEQUENCE_LAST;
	if (how == CONSEQUENCE_EARLIER)
		return client && !client->tail.len && ends_alike(j, c) ? CONSEQUENCE_EARLIER
								       : CONSEQUENCE_NONE;
	return client_has_bug(j, &c->client) ? CONSEQUENCE_NONE : CONSEQUENCE_LAST;
}

ssize_t call_find_command(const struct judgement *j, const struct call *c, enum consequence *how)
{
	ssize_t found = -1;
	int best = 0;

	if (!client_failed(j, &c->client))
		return -1;
	for (size_t i = 0; i < j->n; i++) {
		int n = points(j, c, &j->v[i]);
		enum consequence told;

		if (!n || n < best || (n == best && j->v[i].last_ns <= j->v[found].last_ns))
			continue;
		told = consequence(j, c, &j->v[i]);
		if (told == CONSEQUENCE_NONE)
			continue;
		best = n;
		found = (ssize_t)i;
		*how = told;
	}
	return found;
}

const struct signature *call_find_program(const struct judgement *j, const struct call *c,
					  enum consequence *how)
{
	const struct signature *s = c->status == NOT_FOUND ? call_find_missing(j, c) : NULL;
	struct candidate cand = { .err = ENOENT };

	if (!s)
		return NULL;
	cand.c.subject = s->subject;
	*how = consequence(j, c, &cand);
	return *how == CONSEQUENCE_NONE ? NULL : s;
}

bool call_lost_worker(const struct judgement *j, const struct call *c, const struct candidate *cand)
{
	return is_crash(cand) && cand->process && began_under(j, c, cand->process) &&
	       call_in_window(c, cand->first_ns, cand->last_ns) &&
	       client_says(j, &c->client, &c->subject);
}

/* Gateways put a server's name before those of its tools. */
static bool ends_in(const char *s, const char *end)
{
	size_t n = s ? strlen(s) : 0, m = end ? strlen(end) : 0;

	return m && n >= m && strcmp(s + n - m, end) == 0;
}

const struct call *call_passed_on(const struct judgement *j, const struct call *c)
{
	for (size_t i = 0; i < j->task->calls.n; i++) {
		const struct call *o = j->task->calls.v[i];
		const struct process *gateway = call_process(j, &o->client);

		if (o != c && gateway && o->started_ns >= c->started_ns && o->end == c->end &&
		    o->ended_ns <= c->ended_ns + SLACK_NS && ends_in(c->tool, o->tool) &&
		    o->subject.len == c->subject.len &&
		    memcmp(o->subject.data ?: "", c->subject.data ?: "", o->subject.len) == 0 &&
		    gateway != call_process(j, &c->client) && call_is_under(j, c, gateway))
			return o;
	}
	return NULL;
}
