/* SPDX-License-Identifier: GPL-2.0-only */
/* A candidate as a record: one sentence for people, the chain of evidence, the knob. */
#include <errno.h>
#include <string.h>
#include <sys/wait.h>

#include "hooks.h"
#include "judge_internal.h"
#include "names.h"

#define QUOTE_MAX 160 /* bytes of one line of fd 2 that evidence quotes */

/* FNV-1a over cause and subject: the same failure keeps its name across judgements. */
uint64_t candidate_fingerprint(const struct candidate *c)
{
	const struct taxon *x = taxonomy_get(c->c.cause);
	uint64_t h = 0xcbf29ce484222325ULL;
	const char *parts[] = { level_name(x->level), x->primitive, x->cause };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		for (const char *p = parts[i]; *p; p++)
			h = (h ^ (unsigned char)*p) * 0x100000001b3ULL;
	for (size_t i = 0; i < c->c.subject.len; i++)
		h = (h ^ (unsigned char)c->c.subject.data[i]) * 0x100000001b3ULL;
	return h >> 1; /* SQLite's integers are signed */
}

static int say_call(const struct candidate *c, struct failure_record *f, const char *subject,
		    const char *comm)
{
	_cleanup_free_ char *raw = NULL;

	if (!c->err)
		return 0;
	if (c->sig && c->sig->raw.len)
		raw = util_escape(c->sig->raw.data, c->sig->raw.len < 256 ? c->sig->raw.len : 256);
	return failure_record_evidence(
		f, "%s(%s) = %s, %llu time%s, by %s (pid %u)%s%s", c->syscall, raw ? raw : subject,
		names_errno(c->err), (unsigned long long)c->count, c->count == 1 ? "" : "s", comm,
		c->pid, c->sig && c->sig->key.entry == SF_DENIED ? ", not entered" : "",
		c->sig && c->sig->key.abi == SF_ABI_COMPAT ? ", 32-bit" : "");
}

/* What was seen inside of the call, below what a syscall shows. */
static int say_inside(const struct signature *s, struct failure_record *f)
{
	_cleanup_free_ char *text = NULL;
	int r = 0;

	if (s->key.entry == SF_REQUEST)
		r = failure_record_evidence(f, "a request of io_uring, no syscall of its own");
	if (s->key.entry == SF_LOOKUP)
		r = failure_record_evidence(f, "opened through io_uring, by no syscall of its own");
	if (r == 0 && signature_hook_refused(s))
		r = failure_record_evidence(f, "the hook %s refused it", hook_name(s->hook));
	if (r == 0 && signature_hook_refused(s) && s->explanation && s->explanation->label[0]) {
		text = util_escape(s->explanation->label, strlen(s->explanation->label));
		r = failure_record_evidence(f, "AppArmor's label of %s: %s",
					    s->explanation->label_of_parent ? "its parent" : "it",
					    text ? text : "?");
	}
	if (r == 0 && s->inner.len) {
		_cleanup_free_ char *inner = util_escape(s->inner.data, s->inner.len);

		r = failure_record_evidence(f, "inside of the exec %s could not be opened: %s",
					    inner ? inner : "?", names_errno(s->key.err));
	}
	return r;
}

/* The last line of the text that names the errno or the subject. */
static int say_quote(const struct judgement *j, const struct candidate *c, struct failure_record *f)
{
	struct voice v = { 0 };
	const char *best = NULL;
	size_t len = 0;
	int r = 0;

	if (!c->process || !(c->named || c->voiced) || voice_listen(j, c->process, &v) < 0)
		return 0;
	for (char *line = v.told; line && *line;) {
		char *end = strchr(line, '\n');
		size_t n = end ? (size_t)(end - line) : strlen(line);
		char saved = line[n];
		struct voice one = { .p = v.p, .text = line, .told = line };

		line[n] = '\0';
		if (n > 3 && (voice_names_errno(&one, c->err) || voice_names_subject(&one, c))) {
			best = line;
			len = n;
		}
		line[n] = saved;
		line = end ? end + 1 : NULL;
	}
	if (best) {
		_cleanup_free_ char *shown = util_escape(best, len < QUOTE_MAX ? len : QUOTE_MAX);

		r = failure_record_evidence(f, "fd 2 said: %s", shown ? shown : "?");
	}
	voice_clear(&v);
	return r;
}

static int say_end(const struct judgement *j, const struct candidate *c, struct failure_record *f)
{
	const struct process *p = c->process, *root = task_root(j->task, NULL);
	int r = 0;

	if (!p || !p->exited)
		return 0;
	if (WTERMSIG(p->status))
		r = failure_record_evidence(f, "pid %u was ended by %s", p->key.tgid,
					    names_signal(WTERMSIG(p->status)));
	else if (c->err || p->status)
		r = failure_record_evidence(f, "pid %u ended with status %d", p->key.tgid,
					    WEXITSTATUS(p->status));
	if (r == 0 && root && root != p && root->exited && c->reaches &&
	    c->disposition == DISP_FATAL) {
		_cleanup_free_ char *comm = util_escape(root->comm, strnlen(root->comm, SF_COMM));

		r = failure_record_evidence(f, "it reached the task: %s (pid %u) ended with %s %d",
					    comm ? comm : "?", root->key.tgid,
					    WTERMSIG(root->status) ? "signal" : "status",
					    WTERMSIG(root->status) ? WTERMSIG(root->status)
								   : WEXITSTATUS(root->status));
	}
	return r;
}

static char *summarise(const struct candidate *c, const char *subject, const char *comm)
{
	const struct taxon *x = taxonomy_get(c->c.cause);
	char *s = NULL;
	int n;

	if (c->call && x->level == LEVEL_INTERFACE)
		n = asprintf(&s, "the tool call %s %s: %s",
			     c->call->tool ?: c->call->method ?: subject,
			     call_failed(c->call) ? "failed" : "reported success",
			     x->meaning);
	else if (c->incident)
		n = asprintf(&s, "the channel of %s failed: %s", subject, x->meaning);
	else if (c->err && c->syscall[0] && strcmp(subject, c->syscall) != 0)
		n = asprintf(&s, "%s got %s from %s for %s: %s", comm, names_errno(c->err),
			     c->syscall, subject, x->meaning);
	else if (c->err && c->syscall[0])
		n = asprintf(&s, "%s got %s from %s: %s", comm, names_errno(c->err), c->syscall,
			     x->meaning);
	else if (c->signal)
		n = asprintf(&s, "%s was ended by %s (%s): %s", comm, names_signal(c->signal),
			     subject, x->meaning);
	else if (x->level == LEVEL_WORKLOAD)
		n = asprintf(&s, "%s: %s", comm, x->meaning);
	else
		n = asprintf(&s, "%s failed over %s: %s", comm, subject, x->meaning);
	return n < 0 ? NULL : s;
}

static int64_t to_utc(const struct judgement *j, uint64_t ns)
{
	return ns ? (int64_t)ns + j->context->utc_offset_ns : 0;
}

int judge_record(const struct judgement *j, const struct candidate *c, struct failure_record *f)
{
	const struct taxon *x = taxonomy_get(c->c.cause);
	_cleanup_free_ char *subject = util_escape(c->c.subject.data, c->c.subject.len);
	_cleanup_free_ char *comm = util_escape(c->comm, strnlen(c->comm, SF_COMM));
	int r;

	if (!subject || !comm)
		return -ENOMEM;
	f->task_id = (int64_t)j->task->instance;
	f->fingerprint = candidate_fingerprint(c);
	f->cause = c->c.cause;
	f->disposition = c->disposition;
	f->confidence = c->confidence;
	f->count = (int64_t)c->count;
	f->first_ns = to_utc(j, c->first_ns);
	f->last_ns = to_utc(j, c->last_ns);
	f->err = c->err;
	f->signal = c->signal;
	f->pid = c->pid;
	f->ns_pid = c->ns_pid;
	f->syscall = c->syscall[0] ? strdup(c->syscall) : NULL;
	f->summary = summarise(c, subject, *comm ? comm : "a process");
	f->remedy = strdup(c->c.knob[0] ? c->c.knob : x->remedy);
	if (!f->summary || !f->remedy)
		return -ENOMEM;
	r = text_set(&f->subject, c->c.subject.data ? c->c.subject.data : "", c->c.subject.len);
	if (r == 0)
		r = text_set(&f->comm, c->comm, strnlen(c->comm, SF_COMM));
	if (r == 0 && c->process && c->process->exe.len)
		r = text_set(&f->exe, c->process->exe.data, c->process->exe.len);
	if (r == 0)
		r = say_call(c, f, subject, *comm ? comm : "?");
	if (r == 0 && c->c.why[0])
		r = failure_record_evidence(f, "%s", c->c.why);
	if (r == 0 && c->sig)
		r = say_inside(c->sig, f);
	if (r == 0 && c->sig && c->sig->explanation && !c->sig->explanation->done &&
	    !c->sig->explanation->no_path)
		r = failure_record_evidence(f, "state gone: %.60s", c->sig->explanation->why);
	for (size_t i = 0; r == 0 && i < c->n_evidence; i++)
		r = failure_record_evidence(f, "%s", c->evidence[i]);
	if (r == 0)
		r = say_quote(j, c, f);
	return r < 0 ? r : say_end(j, c, f);
}
