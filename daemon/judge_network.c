/* SPDX-License-Identifier: GPL-2.0-only */
/* Network failures without a failing call: the socket's own state, and silence. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

#define PATIENCE_NS (300 * NSEC_PER_MSEC) /* a connect given up sooner was no time-out */
#define TRANSFERS   (SYS_CONNECT | SYS_SEND | SYS_RECV | SYS_READ | SYS_WRITE)

static bool began_to_connect(const struct signature *s)
{
	return (s->classes & SYS_CONNECT) && (s->key.err == 0 || s->key.err == EINPROGRESS);
}

/* A socket that failed in a softirq has no process: it is that of the last connect to this peer. */
static const struct signature *last_connect(const struct judgement *j, const struct text *peer,
					    uint64_t before)
{
	const struct signature *last = NULL;

	for (const struct signature *s = j->task->signatures; s; s = s->hh.next)
		if (began_to_connect(s) && s->first_ns <= before && s->subject.len == peer->len &&
		    memcmp(s->subject.data, peer->data, peer->len) == 0 &&
		    (!last || s->first_ns > last->first_ns))
			last = s;
	return last;
}

/* The failing connect that an asynchronous failure stands for. */
static int make_call(const struct judgement *j, const struct sf_ev_net *e, struct signature *s)
{
	const struct signature *by;
	size_t len = e->addr_len < SF_SOCKADDR ? e->addr_len : SF_SOCKADDR;

	s->key.err = (int16_t)(e->err ? e->err : ETIMEDOUT);
	s->key.tgid = e->actor.tgid;
	s->key.start_ns = e->actor.start_ns;
	s->classes = SYS_CONNECT;
	s->count = 1;
	s->first_ns = e->hdr.ts - e->duration_ns;
	s->last_ns = e->hdr.ts;
	s->ns_pid = e->actor.ns_pid;
	snprintf(s->syscall, sizeof(s->syscall), "connect");
	memcpy(s->comm, e->actor.comm, SF_COMM);
	names_sockaddr(e->addr, len, &s->subject);
	by = s->key.tgid ? NULL : last_connect(j, &s->subject, e->hdr.ts);
	if (by) {
		s->key.tgid = by->key.tgid;
		s->key.start_ns = by->key.start_ns;
		s->ns_pid = by->ns_pid;
		memcpy(s->comm, by->comm, SF_COMM);
	}
	return s->subject.len ? 0 : -ENOMEM;
}

/* A call of the same process came back with it, then or later: that call stands for it. */
static bool is_returned(const struct judgement *j, const struct sf_ev_net *e,
			const struct signature *call)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next)
		if (e->err && s->key.err == call->key.err && s->key.tgid == call->key.tgid &&
		    s->key.start_ns == call->key.start_ns && (s->classes & TRANSFERS) &&
		    s->last_ns >= e->hdr.ts && s->subject.len == call->subject.len &&
		    memcmp(s->subject.data, call->subject.data, call->subject.len) == 0)
			return true;
	return false;
}

/* The socket of a connect that the program gave up at once had nothing to tell, as the program had
 * fetched the error before (socket(7), SO_ERROR): its text names it, and no call met it. 0: none. */
static int fetched_error(const struct judgement *j, const struct sf_ev_net *e)
{
	static const int errors[] = { EHOSTUNREACH, ENETUNREACH, ECONNREFUSED, EACCES, EPERM };
	const struct process *p = task_find_process(j->task, e->actor.tgid, e->actor.start_ns);
	const struct dossier *d = dossier_find(j, p);
	struct voice v = { 0 };
	int found = 0;

	if (!p || !process_failed(p) || voice_listen(j, p, &v) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(errors) && !found; i++)
		if (voice_names_errno(&v, errors[i]) && !(d && dossier_met(d, errors[i])))
			found = errors[i];
	voice_clear(&v);
	return found;
}

/* No neighbour is given up that fast (three requests, a second each: arp(7), mcast_solicit), and the
 * route let the call pass: somebody answered for the host, as filters do (RFC 1812, 5.2.7.1, code 13;
 * icmp_err_convert[] of the kernel makes EHOSTUNREACH of it). */
static void refine_reject(const struct sf_ev_net *e, struct candidate *c)
{
	if (c->err != EHOSTUNREACH || e->duration_ns >= PATIENCE_NS)
		return;
	c->c.cause = CAUSE_NETWORK_DENIED;
	c->c.confidence = CONF_POSSIBLE;
	snprintf(c->c.why, sizeof(c->c.why),
		 "the answer came within %llu ms, sooner than a neighbour is given up: a filter's",
		 (unsigned long long)(e->duration_ns / NSEC_PER_MSEC + 1));
}

static int add_failure(struct judgement *j, const struct sf_ev_net *e)
{
	struct signature s = { 0 };
	size_t before = j->n;
	struct candidate *c;
	int r = make_call(j, e, &s);

	if (r == 0 && is_returned(j, e, &s)) {
		text_free(&s.subject);
		return 0;
	}
	if (r == 0)
		r = dossier_meet(j, &s);
	if (r == 0)
		r = judge_add_signature(j, &s);
	text_free(&s.subject);
	if (r < 0 || j->n == before)
		return r;
	c = &j->v[before];
	c->sig = NULL;
	refine_reject(e, c);
	if (e->err)
		return 0;
	/* Given up by the program: that counts where it says so, or where somebody ended it for it. */
	snprintf(c->c.why, sizeof(c->c.why), "no answer within %llu ms, then it was given up",
		 (unsigned long long)(e->duration_ns / NSEC_PER_MSEC));
	c->c.prior = c->process && c->process->exited && WTERMSIG(c->process->status) ? PRIOR_STRONG
										      : PRIOR_WEAK;
	return 0;
}

/* Whom a process talked to last over TCP. */
static const struct signature *last_peer(const struct judgement *j, const struct process *p)
{
	const struct signature *last = NULL;

	for (const struct signature *s = j->task->signatures; s; s = s->hh.next)
		if (began_to_connect(s) && s->key.tgid == p->key.tgid &&
		    s->key.start_ns == p->key.start_ns && s->text_kind == SF_TEXT_SOCKADDR &&
		    s->subject.len && memchr(s->subject.data, ':', s->subject.len) &&
		    !text_has_suffix(&s->subject, ":53") && (!last || s->last_ns > last->last_ns))
			last = s;
	return last;
}

/* Host and port of the first URL among its arguments. 1; 0: there is none. */
static int asked_host(const struct process *p, char *host, size_t size)
{
	const char *url = NULL, *end;
	bool tls;
	int n;

	for (size_t i = 0; !url && i < p->argv.len; i += strlen(p->argv.data + i) + 1)
		if (strncmp(p->argv.data + i, "http", 4) == 0)
			url = p->argv.data + i;
	if (!url || (strncmp(url, "http://", 7) != 0 && strncmp(url, "https://", 8) != 0))
		return 0;
	tls = url[4] == 's';
	url += tls ? 8 : 7;
	end = url + strcspn(url, "/?#");
	n = snprintf(host, size, "%.*s%s", (int)(end - url), url,
		     memchr(url, ':', (size_t)(end - url)) ? ""
		     : tls				   ? ":443"
							   : ":80");
	return n > 0 && (size_t)n < size;
}

bool judge_proxy(const struct judgement *j, const struct process *p, struct text *ret)
{
	const struct signature *peer = last_peer(j, p);
	char host[512] = "";
	const char *port;
	int r;

	if (asked_host(p, host, sizeof(host)) == 0 && !peer)
		return false;
	port = strrchr(host, ':');
	r = peer ? text_set(ret, peer->subject.data, peer->subject.len)
		 : text_printf(ret, "%s", host);
	return r == 0 && peer && port && !text_has_suffix(&peer->subject, port);
}

/* What resolvers' clients say when nobody answered; not what they say of a name that is not there. */
static bool says_no_resolver(const struct process *p)
{
	static const char *const said[] = { "Temporary failure in name resolution",
					    "EAI_AGAIN",
					    "ould not resolve host",
					    "Resolving timed out",
					    "queryA ETIMEOUT",
					    "queryA ECONNREFUSED" };
	_cleanup_free_ char *text = p->tail.len ? strndup(p->tail.data, p->tail.len) : NULL;

	for (size_t i = 0; text && i < ARRAY_SIZE(said); i++)
		if (strstr(text, said[i]))
			return true;
	return false;
}

static bool is_told(const struct judgement *j, const struct process *p)
{
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].process == p && j->v[i].c.prior > PRIOR_NOISE &&
		    strcmp(taxonomy_get(j->v[i].c.cause)->primitive, "network") == 0)
			return true;
	return false;
}

/* It asked somebody at port 53, nothing failed, and no answer came. */
static int add_silence(struct judgement *j, const struct dossier *d)
{
	const struct signature *asked = NULL;
	struct candidate *c;

	for (size_t i = 0; i < d->n_successes; i++)
		if ((d->successes[i]->classes & (SYS_CONNECT | SYS_SEND)) &&
		    text_has_suffix(&d->successes[i]->subject, ":53"))
			asked = d->successes[i];
	if (!asked || is_told(j, d->process))
		return 0;
	c = judgement_add(j);
	if (!c)
		return -ENOMEM;
	c->c.matched = true;
	c->c.cause = CAUSE_NETWORK_DNS;
	c->c.prior = PRIOR_STRONG;
	c->c.confidence = CONF_LIKELY;
	c->process = d->process;
	c->pid = d->key.tgid;
	c->ns_pid = asked->ns_pid;
	memcpy(c->comm, asked->comm, SF_COMM);
	c->first_ns = asked->first_ns;
	c->last_ns = d->process->exit_ns;
	c->count = asked->count;
	c->named = true;
	c->voiced = true;
	snprintf(c->c.why, sizeof(c->c.why), "asked, and nobody answered");
	return text_set(&c->c.subject, asked->subject.data, asked->subject.len);
}

int judge_network(struct judgement *j)
{
	int r = 0;

	for (size_t i = 0; i < j->task->nets.n && r == 0; i++) {
		struct sf_ev_net e = j->task->nets.v[i];

		if (!e.err && e.duration_ns < PATIENCE_NS)
			e.err = (int32_t)fetched_error(j, &e);
		if (e.err || e.duration_ns >= PATIENCE_NS)
			r = add_failure(j, &e);
	}
	for (const struct dossier *d = j->dossiers; d && r == 0; d = d->hh.next)
		if (d->process && process_failed(d->process) && says_no_resolver(d->process))
			r = add_silence(j, d);
	return r;
}
