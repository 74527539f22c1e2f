/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The tool channel's word, joined with the kernel's. A call that failed is laid over what was refused
 * under it: where something was, that is the failure, and the call only tells it; where nothing was,
 * the tool layer owns it. What is wrong with the bytes of a call stands by itself.
 */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "contest.h"
#include "judge_call.h"
#include "names.h"
#include "rpc.h"

#define POINTS_FAULT 120 /* damage that was seen, where the client failed */
#define POINTS_STEP  30	 /* per step of consequence */
#define POINTS_TIED  40	 /* for a candidate of the kernel's that a call tells of */
#define LEAVE_NS     (100 * NSEC_PER_MSEC)
#define GATEWAYS     4		  /* one behind the other */
#define EXIT_NS	     NSEC_PER_SEC /* from the close of its output to a server's end */
#define FEW_CALLS    3		  /* more go well after one that did not matter */

/* ---- candidates of the channel itself ---- */

static struct candidate *add(struct judgement *j, const struct call *c, enum cause cause,
			     enum disposition disposition, enum confidence confidence)
{
	const struct process *p = call_process(j, &c->server);
	struct candidate *cand = judgement_add(j);

	if (!cand)
		return NULL;
	cand->call = c;
	cand->process = p;
	cand->c.matched = true;
	cand->c.cause = cause;
	cand->c.prior = PRIOR_STRONG;
	cand->c.confidence = CONF_CERTAIN;
	cand->disposition = disposition;
	cand->confidence = confidence;
	cand->reaches = disposition == DISP_FATAL;
	cand->count = 1;
	cand->first_ns = c->started_ns;
	cand->last_ns = c->ended_ns ?: c->started_ns;
	if (p) {
		cand->pid = p->key.tgid;
		cand->ns_pid = p->ns_pid;
		memcpy(cand->comm, p->comm, SF_COMM);
	}
	return cand;
}

static enum disposition disposition_of(enum consequence how)
{
	return how >= CONSEQUENCE_LAST ? DISP_FATAL : DISP_HANDLED;
}

static enum confidence confidence_of(enum consequence how)
{
	return how == CONSEQUENCE_HEARD	 ? CONF_CERTAIN
	       : how == CONSEQUENCE_LAST ? CONF_LIKELY
					 : CONF_POSSIBLE;
}

/* A call that failed for no reason that the kernel saw. */
static int add_failed(struct judgement *j, const struct call *c, enum cause cause,
		      enum consequence how)
{
	struct candidate *cand = add(j, c, cause, disposition_of(how), confidence_of(how));
	int r;

	if (!cand)
		return -ENOMEM;
	cand->score = POINTS_STEP * (int)how;
	cand->how = how;
	r = call_subject(c, &cand->c.subject);
	return r < 0 ? r : call_say(cand, c);
}

/* ---- faults of the bytes ---- */

static enum disposition fault_disposition(const struct judgement *j, const struct call *c,
					  const struct call_fault *f, enum consequence how)
{
	/* The task itself is unaffected by what it was let through to. */
	if (f->cause == CAUSE_PATH_TRAVERSAL)
		return DISP_CONTRIBUTING;
	if (call_recovered(j->task, c))
		return DISP_HANDLED;
	if (f->sure)
		return client_failed(j, &c->client) ? DISP_FATAL : DISP_CONTRIBUTING;
	return disposition_of(how);
}

static int add_fault(struct judgement *j, const struct call *c, const struct call_fault *f,
		     enum consequence how)
{
	struct candidate *cand = add(j, c, f->cause, fault_disposition(j, c, f, how),
				     f->sure ? CONF_CERTAIN : confidence_of(how));
	int r;

	if (!cand)
		return -ENOMEM;
	cand->how = how;
	cand->score = f->sure ? POINTS_FAULT : POINTS_STEP * (int)how + 1;
	r = f->subject.len ? text_set(&cand->c.subject, f->subject.data, f->subject.len)
			   : call_subject(c, &cand->c.subject);
	if (r == 0 && f->say)
		r = candidate_say(cand, "%s", f->say);
	return r < 0 ? r : call_say(cand, c);
}

/* Bytes that are no UTF-8, or were replaced, are not told of by whoever can't read them. Line ends that
 * every stream in text mode makes matter to whom they are written back over. */
static bool counts_for(const struct judgement *j, const struct call *c, const struct call_fault *f)
{
	if (f->cause == CAUSE_ENCODING_REPLACEMENT || f->cause == CAUSE_ENCODING_UTF8)
		return true;
	return client_names_file(j, &c->client, &f->subject) &&
	       (f->cause != CAUSE_ENCODING_CRLF || call_written_back(j->task, c));
}

/* Of a call that was answered well a sign counts where its client failed and nothing else says why; or
 * where the client says that it can't decode just that. */
static bool may_tell(const struct judgement *j, const struct call *c, const struct call_fault *f,
		     enum consequence *how)
{
	if (f->sure || call_failed(c))
		return true;
	if (f->cause == CAUSE_PAYLOAD_MALFORMED)
		return *how > CONSEQUENCE_NONE && client_read_no_base64(j, &c->client);
	if (*how > CONSEQUENCE_EARLIER)
		*how = CONSEQUENCE_EARLIER;
	return *how == CONSEQUENCE_EARLIER && counts_for(j, c, f);
}

/* Those that count: all that are sure, and of a failed call its signs. */
static int add_faults(struct judgement *j, const struct call *c, enum consequence how,
		      bool *explained)
{
	for (size_t i = 0; i < c->n_faults; i++) {
		const struct call_fault *f = &c->faults[i];
		enum consequence told = how;
		int r;

		if (!may_tell(j, c, f, &told) || contest_written(j->task, c, f))
			continue;
		r = add_fault(j, c, f, told);
		if (r < 0)
			return r;
		*explained = true;
	}
	return 0;
}

/* ---- failed calls ---- */

/* The kernel's candidate is the failure: the call says whom it hit. */
static int tie(struct judgement *j, size_t at, const struct call *c, enum consequence how)
{
	struct candidate *cand = &j->v[at];

	cand->voiced = true;
	cand->how = how;
	if (disposition_of(how) > cand->disposition)
		cand->disposition = disposition_of(how);
	if (how >= CONSEQUENCE_LAST) {
		cand->reaches = true;
		cand->echo_of = -1;
		cand->score += POINTS_TIED + POINTS_STEP * (int)how;
		cand->confidence = cand->c.confidence < CONF_LIKELY ? cand->c.confidence
				   : how == CONSEQUENCE_HEARD	    ? cand->c.confidence
								    : CONF_LIKELY;
		if (c->end == CALL_TOOL_ERROR && cand->c.confidence == CONF_CERTAIN)
			cand->confidence = CONF_CERTAIN;
	}
	return call_say(cand, c);
}

static int add_missing(struct judgement *j, const struct call *c, const struct signature *s,
		       enum consequence how)
{
	struct text subject = { 0 };
	enum cause cause = call_missing_cause(j, s, &subject);
	struct candidate *cand = add(j, c, cause, disposition_of(how), confidence_of(how));
	int r;

	if (!cand)
		return -ENOMEM;
	cand->sig = s;
	cand->err = ENOENT;
	cand->how = how;
	cand->score = POINTS_STEP * (int)how;
	snprintf(cand->syscall, sizeof(cand->syscall), "%s", s->syscall);
	snprintf(cand->c.why, sizeof(cand->c.why), "%s",
		 cause == CAUSE_BINARY_NOT_FOUND ? "no such program in any place that was looked at"
						 : "the call asked for it, and nobody made it");
	r = text_set(&cand->c.subject, subject.data, subject.len);
	return r < 0 ? r : call_say(cand, c);
}

/* JSON-RPC 2.0, section 5.1: what the code says, else that the tool said it. */
static enum cause cause_of_code(int code)
{
	if (code == RPC_PARSE_ERROR)
		return CAUSE_PROTOCOL_NOT_JSON;
	if (code == 413) /* of HTTP: RFC 9110, section 15.5.14 */
		return CAUSE_TRANSPORT_OVERSIZED;
	if (code >= -32602 && code <= -32600)
		return CAUSE_PROTOCOL_INVALID_REQUEST;
	return CAUSE_PROTOCOL_TOOL_ERROR;
}

/* What a runtime's own sentence in the answer tells of. 1: it did; 0 or -ENOMEM. */
static int add_told(struct judgement *j, const struct call *c, enum consequence how)
{
	struct text subject = { 0 };
	enum cause cause;
	int r = c->text.len ? judge_sentence(c->text.data, &cause, &subject) : 0;

	if (r == 1)
		r = add_failed(j, c, cause, how) ?: 1;
	if (r == 1)
		r = text_set(&j->v[j->n - 1].c.subject, subject.data, subject.len) ?: 1;
	text_free(&subject);
	return r;
}

/* … or what its server passed it on to, which need not be below that. */
static ssize_t find_cause(const struct judgement *j, const struct call *c)
{
	ssize_t at = call_find_cause(j, c);

	for (int i = 0; at < 0 && i < GATEWAYS; i++) {
		c = call_passed_on(j, c);
		if (!c)
			break;
		at = call_find_cause(j, c);
	}
	return at;
}

static int judge_refused(struct judgement *j, const struct call *c, enum consequence how)
{
	ssize_t at = find_cause(j, c);
	const struct signature *s;
	enum consequence ran;
	enum cause cause;
	int r;

	if (at < 0 && c->status && how >= CONSEQUENCE_LAST)
		at = call_find_command(j, c, &ran);
	if (at >= 0)
		return tie(j, (size_t)at, c, how);
	if (call_find_incident(j, c, &cause))
		return add_failed(j, c, cause, how);
	if (c->code != 0)
		return add_failed(j, c, cause_of_code(c->code), how);
	r = add_told(j, c, how);
	if (r != 0)
		return r < 0 ? r : 0;
	s = call_find_missing(j, c);
	if (s)
		return add_missing(j, c, s, how);
	return add_failed(j, c, cause_of_code(c->code), how);
}

/* The server's own end, where it came with the call open. */
static const struct process *died_under(const struct judgement *j, const struct call *c)
{
	const struct process *p = call_process(j, &c->server);
	const struct process *client = call_process(j, &c->client);

	if (!p || !p->exited || p->exit_ns < c->started_ns)
		return NULL;
	/* The client puts its server away when it has waited enough: the call was given up first. */
	if (c->end == CALL_CANCELLED && c->ended_ns && p->exit_ns > c->ended_ns)
		return NULL;
	if (c->end == CALL_NEVER && c->ended_ns && p->exit_ns > c->ended_ns + EXIT_NS)
		return NULL;
	if (client && client->exited && client->exit_ns < p->exit_ns)
		return NULL;
	/* A runtime closes what it holds a moment before it ends. */
	if (client && client->exited && client->exit_ns < p->exit_ns + LEAVE_NS &&
	    WIFEXITED(p->status) && client_gave_up(j, &c->client))
		return NULL;
	return p;
}

/* It ended well, or because nobody was there any more to write to. */
static bool ended_with_its_client(const struct judgement *j, const struct call *c,
				  const struct process *server)
{
	if (!process_failed(server))
		return true;
	for (size_t k = 0; k < j->task->incidents.n; k++) {
		const struct incident *i = &j->task->incidents.v[k];

		if (i->session == c->session && i->kind == INCIDENT_BROKEN_PIPE && i->by_server)
			return true;
	}
	return false;
}

static bool killed_by_client(const struct judgement *j, const struct call *c,
			     const struct process *server)
{
	const struct sf_ev_signal *e = process_deadly(j->task, server);

	return e && c->client.tgid && e->sender_tgid == c->client.tgid;
}

static int judge_unanswered(struct judgement *j, const struct call *c, enum consequence how)
{
	const struct process *server = died_under(j, c);
	ssize_t at = find_cause(j, c);
	enum cause cause = CAUSE_DEADLINE_NO_RESPONSE;
	bool befell = call_find_incident(j, c, &cause);

	/* It had other things to fail for than this call, and there was time for an answer still. */
	if (!server && (!befell || cause == CAUSE_TRANSPORT_BROKEN_PIPE) &&
	    client_fell(j, &c->client))
		return 0;
	if (at >= 0)
		return tie(j, (size_t)at, c, how);
	/* Of a message that is too long its reader may die; and a client that gives up closes the
	 * channel, at which a server ends. */
	if (server && cause != CAUSE_TRANSPORT_OVERSIZED && !killed_by_client(j, c, server) &&
	    !(befell && ended_with_its_client(j, c, server)))
		cause = CAUSE_TRANSPORT_CLOSED;
	else if (!befell && call_was_reset(j, c))
		cause = CAUSE_TRANSPORT_RESET;
	return add_failed(j, c, cause, how);
}

/* What died under a call that was answered well: success on the wire, failure in the kernel. */
static int say_deaths_under(struct judgement *j, const struct call *c)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *cand = &j->v[i];
		int r;

		if (cand->sig || cand->call || !cand->kill ||
		    cand->disposition < DISP_CONTRIBUTING || cand->first_ns < c->started_ns ||
		    cand->first_ns > c->ended_ns || !call_is_under(j, c, cand->process))
			continue;
		r = candidate_say(cand, "it was under a call that was answered with success:");
		if (r == 0)
			r = call_say(cand, c);
		if (r < 0)
			return r;
	}
	return 0;
}

/* A command that it ran has failed, which its answer tells as a result like others. 1: found; 0; or -ENOMEM. */
static int add_command(struct judgement *j, const struct call *c)
{
	enum consequence how;
	ssize_t at = call_find_command(j, c, &how);

	if (at < 0) {
		const struct signature *s = call_find_program(j, c, &how);

		return s ? add_missing(j, c, s, how) ?: 1 : 0;
	}
	if (how == CONSEQUENCE_EARLIER) {
		j->v[at].how = how;
		return 1;
	}
	return tie(j, (size_t)at, c, how) ?: 1;
}

/* The tool said that it did what the kernel refused it; later its client misses that. */
static int add_swallowed(struct judgement *j, const struct call *c)
{
	if (!c->subject.len || !client_failed(j, &c->client) || call_recovered(j->task, c))
		return 0;
	for (size_t i = 0; i < j->n; i++) {
		int r;

		if (call_lost_worker(j, c, &j->v[i]))
			return tie(j, i, c, CONSEQUENCE_LAST);
		if (!call_swallowed(j, c, &j->v[i]))
			continue;
		if (!client_names(j, &c->client, &j->v[i])) {
			j->v[i].how = CONSEQUENCE_EARLIER;
			continue;
		}
		r = tie(j, i, c, CONSEQUENCE_LAST);
		if (r < 0)
			return r;
	}
	return 0;
}

static int judge_call(struct judgement *j, const struct call *c)
{
	enum consequence how = call_consequence(j, c);
	bool explained = false;
	int r = add_faults(j, c, how, &explained);

	if (r < 0)
		return r;
	if (client_failed(j, &c->client) && client_read_no_json(j, c))
		return add_failed(j, c, CAUSE_PROTOCOL_NOT_JSON, CONSEQUENCE_LAST);
	switch (c->end) {
	case CALL_OK:
		r = add_command(j, c);
		if (r == 0 && !c->status)
			r = add_swallowed(j, c);
		return r < 0 ? r : say_deaths_under(j, c);
	case CALL_TOOL_ERROR:
	case CALL_ERROR:
		return explained ? 0 : judge_refused(j, c, how);
	case CALL_NEVER:
	case CALL_CANCELLED:
		return judge_unanswered(j, c, how);
	default:
		return 0;
	}
}

/* A "no" of the tool's own that several calls came after, and went well, was one that the client could do
 * without; what a primitive refused is worth a look all the same. */
static bool did_without(const struct judgement *j, const struct candidate *cand)
{
	const char *primitive = taxonomy_get(cand->c.cause)->primitive;
	const struct call *c = cand->call;

	if (!c || (taxonomy_get(cand->c.cause)->level != LEVEL_WORKLOAD &&
		   strcmp(primitive, "protocol") != 0))
		return false;
	/* A client asks for what the protocol leaves to the server, to see whether it is there. */
	if (!c->tool && c->code == -32601)
		return calls_after(j->task, c) > 0;
	return calls_after(j->task, c) >= FEW_CALLS;
}

/* The same tool served its client well afterwards, of something else: that was a guess. */
static bool was_guess(const struct task *t, const struct call *c)
{
	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *o = t->calls.v[i];

		if (o->started_ns > c->started_ns && o->end == CALL_OK && !o->status &&
		    o->client.tgid == c->client.tgid && o->tool && c->tool &&
		    strcmp(o->tool, c->tool) == 0)
			return true;
	}
	return false;
}

static bool blames_itself(const struct judgement *j, const struct call *c)
{
	return client_blames_itself(j, &c->client) ||
	       (was_guess(j->task, c) && client_has_bug(j, &c->client));
}

/* Where nothing else tells of the client's failure, an earlier call that went wrong may. */
static void raise_earlier(struct judgement *j)
{
	struct candidate *best = NULL;

	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];

		if (c->disposition == DISP_FATAL)
			return;
		if (c->how == CONSEQUENCE_EARLIER && (!best || c->last_ns > best->last_ns) &&
		    !(c->call && blames_itself(j, c->call)) && !did_without(j, c))
			best = c;
	}
	if (!best)
		return;
	best->disposition = DISP_FATAL;
	best->confidence = CONF_POSSIBLE;
	best->reaches = true;
}

int judge_calls(struct judgement *j)
{
	for (size_t i = 0; i < j->task->calls.n; i++) {
		int r = judge_call(j, j->task->calls.v[i]);

		if (r < 0)
			return r;
	}
	if (j->task->incidents.n) {
		int r = judge_incidents(j);

		if (r < 0)
			return r;
	}
	raise_earlier(j);
	return 0;
}
