/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "json.h"

/* json-c 0.18 compares signed bytes with 0x1f in strict mode, and so refuses all UTF-8 but ASCII
 * (json_tokener.c, state json_tokener_state_string). */
int json_strict(const char *text, size_t len)
{
	bool ascii = true;

	for (size_t i = 0; ascii && i < len; i++)
		ascii = !((unsigned char)text[i] & 0x80);
	return ascii || json_c_version_num() != 18 << 8 ? JSON_TOKENER_STRICT : 0;
}

/* json-c answers NULL where there is no memory; adding NULL would say `null`, which is untrue. The
 * out-of-memory case therefore drops the key. */
static void add(struct json_object *o, const char *key, struct json_object *v)
{
	if (v && json_object_object_add(o, key, v) < 0)
		json_object_put(v);
}

static void add_null(struct json_object *o, const char *key)
{
	json_object_object_add(o, key, NULL);
}

static void add_string(struct json_object *o, const char *key, const char *s)
{
	json_add_bytes(o, key, s, s ? strlen(s) : 0);
}

static void add_int(struct json_object *o, const char *key, int64_t v)
{
	add(o, key, json_object_new_int64(v));
}

/* `none` stands for "not known". */
static void add_int_or_null(struct json_object *o, const char *key, int64_t v, int64_t none)
{
	if (v == none)
		add_null(o, key);
	else
		add_int(o, key, v);
}

/* An estimate has no seventeen digits. */
static void add_estimate(struct json_object *o, const char *key, double v)
{
	char s[32];

	snprintf(s, sizeof(s), "%.4g", v);
	add(o, key, json_object_new_double_s(v, s));
}

static void add_bool(struct json_object *o, const char *key, bool v)
{
	add(o, key, json_object_new_boolean(v));
}

static void add_id(struct json_object *o, const char *key, char letter, int64_t id)
{
	char s[32];

	snprintf(s, sizeof(s), "%c%lld", letter, (long long)id);
	add_string(o, key, id ? s : NULL);
}

static void add_signal(struct json_object *o, const char *key, int sig)
{
	const char *name = sigabbrev_np(sig);
	char s[32];

	if (name)
		snprintf(s, sizeof(s), "SIG%s", name);
	else if (sig >= SIGRTMIN && sig <= SIGRTMAX)
		snprintf(s, sizeof(s), sig > SIGRTMIN ? "SIGRTMIN+%d" : "SIGRTMIN", sig - SIGRTMIN);
	else
		snprintf(s, sizeof(s), "signal %d", sig);
	add_string(o, key, sig ? s : NULL);
}

static void add_errno(struct json_object *o, const char *key, int err)
{
	const char *name = err ? strerrorname_np(err) : NULL;
	char s[32];

	snprintf(s, sizeof(s), "errno %d", err);
	add_string(o, key, err ? name ?: s : NULL);
}

void json_add_bytes(struct json_object *o, const char *key, const void *data, size_t len)
{
	char *s;

	if (!data) {
		add_null(o, key);
		return;
	}
	s = util_escape(data, len);
	if (s)
		add(o, key, json_object_new_string(s));
	free(s);
}

void json_time(int64_t ns, char *buf, size_t size)
{
	/* Floored, so that the fraction is not negative before 1970. */
	int64_t fraction = ((ns % NSEC_PER_SEC) + NSEC_PER_SEC) % NSEC_PER_SEC;
	time_t sec = (ns - fraction) / NSEC_PER_SEC;
	char day[24];
	struct tm tm;

	gmtime_r(&sec, &tm);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf, size, "%s.%09lldZ", day, (long long)fraction);
}

void json_add_time(struct json_object *o, const char *key, int64_t ns)
{
	char s[40];

	json_time(ns, s, sizeof(s));
	add_string(o, key, ns ? s : NULL);
}

static void add_strings(struct json_object *o, const char *key, char *const *list, size_t n)
{
	struct json_object *a = json_object_new_array();

	for (size_t i = 0; a && i < n; i++) {
		char *s = util_escape(list[i], strlen(list[i]));

		if (s)
			json_object_array_add(a, json_object_new_string(s));
		free(s);
	}
	add(o, key, a);
}

static void add_labels(struct json_object *o, const struct task_record *t)
{
	struct json_object *labels = json_object_new_object();

	for (size_t i = 0; labels && i < t->n_labels; i++) {
		char *name = util_escape(t->labels[i].name, strlen(t->labels[i].name));

		if (name)
			add_string(labels, name, t->labels[i].value);
		free(name);
	}
	add(o, "labels", labels);
}

/* level, primitive, cause, subject, disposition, confidence: how verdict and failure begin. */
static void add_kind(struct json_object *o, const struct failure_record *f)
{
	const struct taxon *x = taxonomy_get(f->cause);

	add_string(o, "level", level_name(x->level));
	add_string(o, "primitive", x->primitive);
	add_string(o, "cause", x->cause);
	json_add_bytes(o, "subject", f->subject.data ?: "", f->subject.len);
	add_string(o, "disposition", disposition_name(f->disposition));
	add_string(o, "confidence", confidence_name(f->confidence));
}

static const struct failure_record *find_failure(const struct task_record *t, int64_t id,
						 uint64_t fingerprint)
{
	for (size_t i = 0; i < t->n_failures; i++)
		if ((id && t->failures[i].id == id) ||
		    (!id && fingerprint && t->failures[i].fingerprint == fingerprint))
			return &t->failures[i];
	return NULL;
}

static void add_verdict(struct json_object *o, const struct task_record *t)
{
	const struct failure_record *f = find_failure(t, t->verdict, t->verdict_fingerprint);
	struct json_object *v;

	if (!f) {
		add_null(o, "verdict");
		return;
	}
	v = json_object_new_object();
	if (!v)
		return;
	add_kind(v, f);
	add_id(v, "failure", 'f', f->id);
	add_string(v, "summary", f->summary);
	add_string(v, "remedy", f->remedy);
	add(o, "verdict", v);
}

static void add_task_name(struct json_object *o, const struct task_record *t)
{
	add_string(o, "campaign", t->campaign);
	add_string(o, "task", t->task);
	add_int(o, "attempt", t->attempt);
}

static void fill_failure(struct json_object *o, const struct failure_record *f, int64_t caused_by)
{
	add_id(o, "id", 'f', f->id);
	add_kind(o, f);
	add_int(o, "count", f->count);
	json_add_time(o, "first", f->first_ns);
	json_add_time(o, "last", f->last_ns);
	add_string(o, "syscall", f->syscall);
	add_errno(o, "errno", f->err);
	add_signal(o, "signal", f->signal);
	add_bool(o, "late", f->late);
	add_int_or_null(o, "pid", f->pid, 0);
	add_int_or_null(o, "ns_pid", f->ns_pid, 0);
	json_add_bytes(o, "comm", f->comm.data, f->comm.len);
	json_add_bytes(o, "exe", f->exe.data, f->exe.len);
	add_strings(o, "evidence", f->evidence, f->n_evidence);
	add_id(o, "caused_by", 'f', caused_by);
}

struct json_object *json_failure(const struct failure_record *f)
{
	struct json_object *o = json_object_new_object();

	if (o)
		fill_failure(o, f, f->caused_by);
	return o;
}

struct json_object *json_failure_of(const struct failure_record *f, const struct task_record *t)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_task_name(o, t);
	fill_failure(o, f, f->caused_by);
	return o;
}

static void add_failures(struct json_object *o, const struct task_record *t, bool all)
{
	struct json_object *a = json_object_new_array();

	for (size_t i = 0; a && i < t->n_failures; i++) {
		const struct failure_record *f = &t->failures[i], *by;
		struct json_object *item;

		if (f->disposition == DISP_NOISE || (f->disposition == DISP_HANDLED && !all))
			continue;
		by = find_failure(t, f->caused_by, f->caused_by_fingerprint);
		item = json_object_new_object();
		if (!item)
			continue;
		fill_failure(item, f, by ? by->id : f->caused_by);
		json_object_array_add(a, item);
	}
	add(o, "failures", a);
}

static void add_calls(struct json_object *o, const struct task_record *t)
{
	struct json_object *calls = json_object_new_object();

	if (!calls)
		return;
	add_int(calls, "total", t->calls);
	add_int(calls, "failed", t->calls_failed);
	add_int(calls, "faults", t->call_faults);
	add(o, "calls", calls);
}

struct json_object *json_task(const struct task_record *t, bool all)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_int(o, "schema", JSON_SCHEMA);
	add_task_name(o, t);
	add_labels(o, t);
	add_string(o, "state", task_state_name(t->state));
	json_add_time(o, "started", t->started_ns);
	json_add_time(o, "ended", t->ended_ns);
	add_string(o, "outcome", outcome_name(t->outcome));
	add_int_or_null(o, "exit_code", t->exit_code, -1);
	add_signal(o, "signal", t->signal);
	add_verdict(o, t);
	add_failures(o, t, all);
	add_int(o, "handled", t->handled);
	add_int(o, "noise", t->noise);
	add_int(o, "lost", t->lost);
	add_calls(o, t);
	add_string(o, "result", campaign_result_name(t->result));
	add_string(o, "why", t->why);
	return o;
}

static void add_message(struct json_object *o, const char *key, int64_t len, const char *digest)
{
	struct json_object *m = json_object_new_object();

	if (!m)
		return;
	add_int(m, "bytes", len);
	add_string(m, "sha256", *digest ? digest : NULL);
	add(o, key, m);
}

static struct json_object *fault_json(const struct call_fault_record *f)
{
	const struct taxon *x = taxonomy_get(f->cause);
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_string(o, "level", level_name(x->level));
	add_string(o, "primitive", x->primitive);
	add_string(o, "cause", x->cause);
	json_add_bytes(o, "subject", f->subject.data ?: "", f->subject.len);
	add_string(o, "leg", f->leg == LEG_NONE ? NULL : call_leg_name(f->leg));
	add_bool(o, "sure", f->sure);
	add_int(o, "at", f->at);
	add_string(o, "say", f->say ?: "");
	return o;
}

static void add_faults(struct json_object *o, const struct call_record *c)
{
	struct json_object *a = json_object_new_array();

	for (size_t i = 0; a && i < c->n_faults; i++)
		json_object_array_add(a, fault_json(&c->faults[i]));
	add(o, "faults", a);
}

static void fill_call(struct json_object *o, const struct call_record *c)
{
	add_id(o, "id", 'c', c->id);
	add_int_or_null(o, "session", c->session, 0);
	add_string(o, "source", call_source_name(c->source));
	add_string(o, "rpc_id", c->rpc_id);
	add_string(o, "method", c->method);
	add_string(o, "tool", c->tool);
	json_add_bytes(o, "subject", c->subject.data ?: "", c->subject.len);
	add_string(o, "args", c->args);
	json_add_time(o, "started", c->started_ns);
	json_add_time(o, "ended", c->ended_ns);
	add_string(o, "end", call_end_name(c->end));
	add_int_or_null(o, "code", c->code, 0);
	json_add_bytes(o, "text", c->text.data, c->text.len);
	add_message(o, "request", c->request_len, c->request_digest);
	add_message(o, "answer", c->answer_len, c->answer_digest);
	add_bool(o, "cut", c->cut);
	add_int_or_null(o, "server_pid", c->server_pid, 0);
	add_int_or_null(o, "client_pid", c->client_pid, 0);
	add_faults(o, c);
}

struct json_object *json_call(const struct call_record *c)
{
	struct json_object *o = json_object_new_object();

	if (o)
		fill_call(o, c);
	return o;
}

struct json_object *json_call_of(const struct call_record *c, const struct task_record *t)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_task_name(o, t);
	fill_call(o, c);
	return o;
}

struct json_object *json_incident(const struct incident_record *i)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_string(o, "kind", incident_name(i->kind));
	add_int_or_null(o, "session", i->session, 0);
	json_add_time(o, "at", i->at_ns);
	add_int_or_null(o, "pid", i->pid, 0);
	add_int_or_null(o, "other_pid", i->other_pid, 0);
	add_bool(o, "by_server", i->by_server);
	add_errno(o, "errno", i->err);
	add_int(o, "bytes", i->bytes);
	add_int(o, "open_calls", i->open);
	add_string(o, "say", i->say ?: "");
	return o;
}

struct json_object *json_alert(const struct alert_record *a)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_int(o, "schema", JSON_SCHEMA);
	add_id(o, "id", 'a', a->id);
	add_string(o, "level", level_name(a->level));
	add_string(o, "primitive", a->primitive);
	add_string(o, "campaign", a->campaign);
	add_string(o, "state", a->firing ? "firing" : "resolved");
	json_add_time(o, "fired", a->fired_ns);
	json_add_time(o, "resolved", a->resolved_ns);
	add_int(o, "tasks", a->tasks);
	add_estimate(o, "expected", a->expected);
	add_int(o, "window_seconds", a->window_ns / NSEC_PER_SEC);
	add_strings(o, "examples", a->examples, a->n_examples);
	return o;
}

struct json_object *json_sensor(const struct sensor_record *s)
{
	struct json_object *o = json_object_new_object();

	if (!o)
		return NULL;
	add_string(o, "name", s->name);
	add_string(o, "state", s->state);
	add_string(o, "reason", s->reason);
	add_string(o, "lost", s->lost);
	add_bool(o, "optional", s->optional);
	return o;
}

const char *json_line(struct json_object *o)
{
	return json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
							 JSON_C_TO_STRING_NOSLASHESCAPE);
}
