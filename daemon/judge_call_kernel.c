/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel saw under a call, in its time and in its server's processes. */
#include <errno.h>
#include <string.h>

#include "judge_call.h"
#include "names.h"

/* A record's time is that of its kind's hook, a message's that of its last byte: an answer may be
 * stamped a moment before the exit of the call that it tells of. */
#define SLACK_NS (20 * NSEC_PER_MSEC)

#define RETRIES	     4
#define WRAPPERS_MAX 8 /* between a client and its server */

enum {
	POINTS_ERRNO = 30,   /* the text names its errno */
	POINTS_SUBJECT = 20, /* … or its subject */
	POINTS_HINT = 20,    /* … or what runtimes say in place of an errno */
	POINTS_SAME = 15,    /* the call's own argument is its subject */
	POINTS_OWNED = 10,   /* a primitive is known to own it */
	POINTS_KILLED = 40,  /* something under it was killed */
	POINTS_LIMIT = 30,   /* the text tells of a time limit, and something was ended */
	POINTS_SILENT = 35,  /* swallowed, and then nothing more */
	POINTS_NEEDED = 30,
};

bool call_in_window(const struct call *c, uint64_t first_ns, uint64_t last_ns)
{
	uint64_t end = c->ended_ns ? c->ended_ns + SLACK_NS : UINT64_MAX;
	uint64_t begin = c->started_ns > SLACK_NS ? c->started_ns - SLACK_NS : 0;

	return last_ns >= begin && first_ns <= end;
}

bool call_shares_name(const struct text *path, const struct text *in)
{
	const char *slash = path->len ? memrchr(path->data, '/', path->len) : NULL;
	const char *name = slash ? slash + 1 : path->data;
	size_t n = path->len - (size_t)(name - path->data);

	return path->len && n >= 3 && in->len && memmem(in->data, in->len, name, n);
}

/* Where runtimes have words of their own in place of the errno; the others' words are too common. */
static bool hints_are_telling(const struct candidate *cand)
{
	const char *primitive = taxonomy_get(cand->c.cause)->primitive;

	return judge_is_limit(cand->c.cause) || strcmp(primitive, "network") == 0;
}

static int points_of_text(const struct judgement *j, const struct call *c,
			  const struct candidate *cand)
{
	struct voice v = { .text = c->text.data, .told = c->text.data };
	char how[96];
	int points = 0;

	if (!c->text.len)
		return 0;
	if (voice_names_errno(&v, cand->err))
		points += POINTS_ERRNO;
	else if (hints_are_telling(cand) && voice_hints(&v, cand) &&
		 !judge_cancelled(j, cand, how, sizeof(how)))
		points += POINTS_HINT;
	if (voice_names_subject(&v, cand) || call_shares_name(&cand->c.subject, &c->text))
		points += POINTS_SUBJECT;
	return points;
}

/* A refusal that a server swallows before it falls silent, or a limit that it runs into time and again. */
static bool is_swallowed(const struct judgement *j, const struct candidate *cand)
{
	char how[96];

	if (!cand->sig || cand->c.prior < PRIOR_STRONG)
		return false;
	if (judge_is_limit(cand->c.cause))
		return cand->count > 1 && !judge_cancelled(j, cand, how, sizeof(how));
	return cand->sig->key.entry == SF_DENIED || cand->c.cause == CAUSE_NETWORK_TIMEOUT ||
	       cand->c.cause == CAUSE_NETWORK_DNS;
}

/* The same refusal over and over, from within the call until its client gave up: nothing else was tried.
 * A wait that doubles each time leaves half of the time after the last. */
static bool is_retried(const struct judgement *j, const struct call *c,
		       const struct candidate *cand)
{
	const struct process *client = call_process(j, &c->client);
	uint64_t end = client && client->exited ? client->exit_ns : c->ended_ns;

	if (c->ended_ns && c->ended_ns < end)
		end = c->ended_ns;
	return cand->sig && cand->c.prior >= PRIOR_WEAK && !cand->cancelled &&
	       cand->count >= RETRIES && end > c->started_ns &&
	       cand->first_ns + SLACK_NS >= c->started_ns &&
	       cand->last_ns >= c->started_ns + (end - c->started_ns) / 2;
}

static int points_of_silence(const struct judgement *j, const struct call *c,
			     const struct candidate *cand)
{
	const struct process *server = call_process(j, &c->server);

	if (cand->c.cause == CAUSE_CPU_THROTTLED || is_swallowed(j, cand) || is_retried(j, c, cand))
		return POINTS_SILENT;
	/* The server failed, and this is what it failed for. */
	if (server && server->exited && cand->process == server && process_failed(server) &&
	    cand->disposition >= DISP_HANDLED && cand->score >= POINTS_ERRNO)
		return POINTS_SILENT;
	return 0;
}

/* The server, or a wrapper around it. */
static bool is_ended_by_client(const struct judgement *j, const struct call *c,
			       const struct process *server)
{
	const struct process *p = server;

	for (int depth = 0; p && p->key.tgid != c->client.tgid && depth < WRAPPERS_MAX; depth++) {
		const struct sf_ev_signal *e = process_deadly(j->task, p);

		if (e && c->client.tgid && e->sender_tgid == c->client.tgid)
			return true;
		p = process_parent(j->task, p);
	}
	return false;
}

/* A client ends its server when it has waited enough, or by its own end: that is the echo. */
static bool is_put_away(const struct judgement *j, const struct call *c,
			const struct candidate *cand)
{
	const struct process *client = call_process(j, &c->client);

	if (cand->c.cause != CAUSE_DEADLINE_KILLED || !cand->process ||
	    cand->process->key.tgid != c->server.tgid)
		return false;
	if (c->end == CALL_CANCELLED && c->ended_ns && cand->first_ns > c->ended_ns)
		return true;
	return (client && client->exited && client->exit_ns <= cand->first_ns) ||
	       is_ended_by_client(j, c, cand->process);
}

/* The tool ended what it ran, for it took too long: its text says so. */
static int points_of_limit(const struct call *c, const struct candidate *cand)
{
	static const char *const words[] = { "imed out", "imeout", "ime limit", "eadline" };

	if (cand->sig || cand->c.cause != CAUSE_DEADLINE_KILLED || !c->text.len)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (memmem(c->text.data, c->text.len, words[i], strlen(words[i])))
			return POINTS_LIMIT;
	return 0;
}

/* A crash of the server's own is another matter than one of what it ran. */
static bool may_own(const struct candidate *cand, bool answered)
{
	return taxonomy_get(cand->c.cause)->level != LEVEL_WORKLOAD ||
	       (answered && cand->c.cause == CAUSE_CRASH_SIGNAL && !cand->sig);
}

static int points(const struct judgement *j, const struct call *c, const struct candidate *cand)
{
	bool answered = c->end == CALL_TOOL_ERROR || c->end == CALL_ERROR;
	int n = 0;

	if (cand->call || !may_own(cand, answered) ||
	    !call_in_window(c, cand->first_ns, cand->last_ns) ||
	    !call_is_under(j, c, cand->process) || is_put_away(j, c, cand) ||
	    process_went_on(cand->process, cand->last_ns))
		return 0;
	if (!cand->sig && (cand->kill || cand->c.cause == CAUSE_CRASH_SIGNAL))
		return POINTS_KILLED;
	n = answered ? points_of_text(j, c, cand) + points_of_limit(c, cand)
		     : points_of_silence(j, c, cand);
	if (call_shares_name(&c->subject, &cand->c.subject))
		n += POINTS_SAME;
	if (n && cand->c.prior >= PRIOR_STRONG)
		n += POINTS_OWNED;
	return n;
}

ssize_t call_find_cause(const struct judgement *j, const struct call *c)
{
	int best = POINTS_NEEDED - 1;
	ssize_t found = -1;

	for (size_t i = 0; i < j->n; i++) {
		int n = points(j, c, &j->v[i]);

		if (n > best ||
		    (n == best && found >= 0 && j->v[i].last_ns > j->v[found].last_ns)) {
			best = n;
			found = (ssize_t)i;
		}
	}
	return found;
}

bool call_swallowed(const struct judgement *j, const struct call *c, const struct candidate *cand)
{
	return cand->sig && !cand->cancelled && cand->disposition == DISP_HANDLED &&
	       cand->c.prior >= PRIOR_STRONG && call_shares_name(&c->subject, &cand->c.subject) &&
	       call_in_window(c, cand->first_ns, cand->last_ns) &&
	       call_is_under(j, c, cand->process);
}

const struct signature *call_find_missing(const struct judgement *j, const struct call *c)
{
	struct voice v = { .text = c->text.data };
	const struct signature *found = NULL;

	if (!c->text.len || !voice_names_errno(&v, ENOENT))
		return NULL;
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		if (s->key.err != ENOENT || !s->subject.len || s->subject.data[0] != '/' ||
		    !call_in_window(c, s->first_ns, s->last_ns) ||
		    !call_shares_name(&s->subject, &c->text) ||
		    !call_is_under(j, c, task_find_process(j->task, s->key.tgid, s->key.start_ns)))
			continue;
		if (!found || s->last_ns > found->last_ns)
			found = s;
	}
	return found;
}

/* A reader's ECONNRESET is told by the kernel alone: no byte of the channel came with it. */
bool call_was_reset(const struct judgement *j, const struct call *c)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next)
		if (s->key.err == ECONNRESET && c->client.tgid && s->key.tgid == c->client.tgid &&
		    s->key.start_ns == c->client.start_ns &&
		    call_in_window(c, s->first_ns, s->last_ns))
			return true;
	return false;
}

/* ---- what was missing ---- */

/* "/usr/bin/pandoc" -> "/pandoc", where that is a place for programs; else empty. */
static struct text program_of(const struct text *path)
{
	const char *slash = path->len ? memrchr(path->data, '/', path->len) : NULL;
	size_t dir = slash ? (size_t)(slash - path->data) : 0;

	if (dir < 4 ||
	    (memcmp(slash - 4, "/bin", 4) != 0 && (dir < 5 || memcmp(slash - 5, "/sbin", 5) != 0)))
		return (struct text){ 0 };
	return (struct text){ .data = (char *)slash, .len = path->len - dir };
}

/* Ruby, Perl and Go look along PATH themselves and execute only what they found. */
static bool is_sweep(const struct judgement *j, const struct signature *s, const struct text *name)
{
	for (const struct signature *o = j->task->signatures; o; o = o->hh.next) {
		struct text other = program_of(&o->subject);

		if (o != s && o->key.err == ENOENT && o->key.tgid == s->key.tgid &&
		    other.len == name->len && memcmp(other.data, name->data, name->len) == 0)
			return true;
	}
	return false;
}

enum cause call_missing_cause(const struct judgement *j, const struct signature *s,
			      struct text *subject)
{
	struct text name = program_of(&s->subject);

	*subject = s->subject;
	if (name.len && is_sweep(j, s, &name)) {
		*subject = (struct text){ .data = name.data + 1, .len = name.len - 1 };
		return CAUSE_BINARY_NOT_FOUND;
	}
	return CAUSE_EXIT_MISSING_FILE;
}
