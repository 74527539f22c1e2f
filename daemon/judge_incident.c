/* SPDX-License-Identifier: GPL-2.0-only */
/* What befell the channel itself. */
#include <errno.h>
#include <string.h>

#include "judge_call.h"
#include "names.h"

#define POINTS_INCIDENT 55 /* behind a call's own failure that the client repeats */
#define SLACK_NS	(100 * NSEC_PER_MSEC) /* times of several hooks, and of looks at a distance */

static const enum cause causes[INCIDENT_MAX] = {
	[INCIDENT_NOT_JSON] = CAUSE_PROTOCOL_NOT_JSON,
	[INCIDENT_INVALID] = CAUSE_PROTOCOL_INVALID_REQUEST,
	[INCIDENT_UNKNOWN_ID] = CAUSE_PROTOCOL_INVALID_REQUEST,
	[INCIDENT_BROKEN_PIPE] = CAUSE_TRANSPORT_BROKEN_PIPE,
	[INCIDENT_RESET] = CAUSE_TRANSPORT_RESET,
	[INCIDENT_CLOSED] = CAUSE_TRANSPORT_CLOSED,
	[INCIDENT_BLOCKED] = CAUSE_TRANSPORT_BLOCKED,
	[INCIDENT_OVERSIZED] = CAUSE_TRANSPORT_OVERSIZED,
};

static const struct call_peer *client_of(const struct incident *i)
{
	return i->by_server ? &i->other : &i->who;
}

static const struct call_peer *server_of(const struct incident *i)
{
	return i->by_server ? &i->who : &i->other;
}

/* A request of the same session came afterwards: the client could read on. */
static bool channel_went_on(const struct task *t, const struct incident *i)
{
	for (size_t k = 0; k < t->calls.n; k++) {
		const struct call *c = t->calls.v[k];

		if (c->session == i->session && c->started_ns > i->ts)
			return true;
	}
	return false;
}

/* What can keep a request from its answer; a server that left is another matter. */
static bool keeps_answers(enum incident_kind kind, bool answered)
{
	switch (kind) {
	case INCIDENT_OVERSIZED:
		return true;
	case INCIDENT_NOT_JSON:
	case INCIDENT_INVALID:
	case INCIDENT_BROKEN_PIPE:
	case INCIDENT_BLOCKED:
		return !answered;
	default:
		return false;
	}
}

bool call_find_incident(const struct judgement *j, const struct call *c, enum cause *ret)
{
	const bool answered = c->end == CALL_TOOL_ERROR || c->end == CALL_ERROR;
	const uint64_t end = c->ended_ns ? c->ended_ns + SLACK_NS : UINT64_MAX;

	for (size_t k = 0; c->session && k < j->task->incidents.n; k++) {
		const struct incident *i = &j->task->incidents.v[k];

		if (i->session != c->session || i->ts + SLACK_NS < c->started_ns || i->ts > end ||
		    !keeps_answers(i->kind, answered))
			continue;
		*ret = causes[i->kind];
		return true;
	}
	return false;
}

/* A candidate that tells of the same: a call that stayed open when the server left, or what the
 * server died of. */
static bool is_told(const struct judgement *j, const struct incident *i)
{
	const struct process *server = call_process(j, server_of(i));

	for (size_t k = 0; k < j->n; k++) {
		const struct candidate *c = &j->v[k];

		if (c->disposition < DISP_CONTRIBUTING)
			continue;
		if (c->call && c->call->session == i->session &&
		    (c->call->end == CALL_NEVER || c->call->end == CALL_CANCELLED) &&
		    (i->kind == INCIDENT_CLOSED || c->c.cause == causes[i->kind]))
			return true;
		/* Whoever waits in vain puts the server away afterwards: that is the echo. */
		if (server && c->process == server && !c->call && i->kind >= INCIDENT_BROKEN_PIPE &&
		    c->first_ns <= i->ts + SLACK_NS)
			return true;
	}
	return false;
}

/* A reader that gave up on a message that is too long leaves its writer with a broken pipe. */
static bool is_echo(const struct task *t, const struct incident *i)
{
	if (i->kind != INCIDENT_BROKEN_PIPE && i->kind != INCIDENT_RESET)
		return false;
	for (size_t k = 0; k < t->incidents.n; k++)
		if (t->incidents.v[k].session == i->session &&
		    t->incidents.v[k].kind == INCIDENT_OVERSIZED)
			return true;
	return false;
}

/* The client was gone by a fault of its own before its server wrote. */
static bool is_fall(const struct judgement *j, const struct incident *i)
{
	return i->by_server && (i->kind == INCIDENT_BROKEN_PIPE || i->kind == INCIDENT_RESET) &&
	       client_fell(j, client_of(i));
}

static enum disposition dispose_incident(const struct judgement *j, const struct incident *i)
{
	if (!client_failed(j, client_of(i)) || is_told(j, i) || is_echo(j->task, i) ||
	    is_fall(j, i))
		return DISP_HANDLED;
	switch (i->kind) {
	case INCIDENT_UNKNOWN_ID:
		return DISP_HANDLED;
	case INCIDENT_NOT_JSON:
	case INCIDENT_INVALID:
		return channel_went_on(j->task, i) ? DISP_HANDLED : DISP_FATAL;
	default:
		return DISP_FATAL;
	}
}

/* Its client was not there any more to fail for it; the server did, with work in its hands. */
static bool is_lost_work(const struct judgement *j, const struct incident *i)
{
	const struct process *server = call_process(j, server_of(i));

	return i->kind == INCIDENT_BROKEN_PIPE && i->by_server && i->open && server &&
	       server->exited && process_failed(server) &&
	       client_failed(j, &(struct call_peer){ 0 });
}

/* The program behind the server; the incident's own comm where it is none of the task's. */
static int subject_of(const struct judgement *j, const struct incident *i, struct candidate *c)
{
	const struct process *p = call_process(j, server_of(i));

	c->process = p;
	if (!p)
		return text_printf(&c->c.subject, "tool server");
	c->pid = p->key.tgid;
	c->ns_pid = p->ns_pid;
	memcpy(c->comm, p->comm, SF_COMM);
	return text_set(&c->c.subject, p->comm, strnlen(p->comm, SF_COMM));
}

static int add(struct judgement *j, const struct incident *i)
{
	enum disposition disposition = dispose_incident(j, i);
	struct candidate *c = judgement_add(j);
	int r;

	if (!c)
		return -ENOMEM;
	c->incident = i;
	c->c.matched = true;
	c->c.cause = causes[i->kind];
	c->c.prior = PRIOR_STRONG;
	c->c.confidence = CONF_CERTAIN;
	c->disposition = disposition;
	c->confidence = CONF_LIKELY;
	c->reaches = disposition == DISP_FATAL;
	c->score = POINTS_INCIDENT;
	if (disposition != DISP_FATAL && is_lost_work(j, i) && !is_fall(j, i))
		c->how = CONSEQUENCE_EARLIER;
	c->count = 1;
	c->first_ns = c->last_ns = i->ts;
	r = subject_of(j, i, c);
	if (r == 0 && i->say)
		r = candidate_say(c, "%s", i->say);
	if (r == 0 && i->open)
		r = candidate_say(c, "%u call%s open", i->open, i->open == 1 ? " was" : "s were");
	return r;
}

int judge_incidents(struct judgement *j)
{
	for (size_t i = 0; i < j->task->incidents.n; i++) {
		int r = add(j, &j->task->incidents.v[i]);

		if (r < 0)
			return r;
	}
	return 0;
}
