/* SPDX-License-Identifier: GPL-2.0-only */
/* Text of tasks and failures, from their JSON: what people read is what programs read. */
#include <stdarg.h>
#include <string.h>

#include "../daemon/names.h"
#include "../daemon/since.h"
#include "cli.h"

#define EXPLAIN_EVIDENCE 4 /* lines; with the others a dozen */
#define EXPLAIN_ALSO	 2

/* asprintf that never leaves garbage behind: "" stands in where there is no memory. */
static _printf_(1, 2) char *text(const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	return n < 0 ? calloc(1, 1) : s;
}

void time_text(const struct render *r, struct json_object *o, const char *key, char *buf,
	       size_t size)
{
	int64_t ns = 0;

	if (since_parse(field_str(o, key), 0, &ns) < 0)
		ns = 0;
	since_format(ns, r->utc, buf, size);
}

enum style failure_style(struct json_object *failure)
{
	const char *disposition = field_str(failure, "disposition");

	if (strcmp(field_str(failure, "level"), level_name(LEVEL_WORKLOAD)) == 0)
		return STYLE_DIM;
	if (strcmp(disposition, disposition_name(DISP_FATAL)) == 0)
		return STYLE_BAD;
	return strcmp(disposition, disposition_name(DISP_CONTRIBUTING)) == 0 ? STYLE_WARN
									     : STYLE_DIM;
}

char *failure_text(struct json_object *failure)
{
	const char *subject = field_str(failure, "subject");

	return text("%s/%s/%s%s%s", field_str(failure, "level"), field_str(failure, "primitive"),
		    field_str(failure, "cause"), *subject ? ": " : "", subject);
}

char *task_text_name(struct json_object *task)
{
	int attempt = (int)field_int(task, "attempt", 1);

	if (attempt > 1)
		return text("%s#%d", field_str(task, "task"), attempt);
	return text("%s", field_str(task, "task"));
}

/* A signal's name, whether the JSON has its name or its number. */
static const char *signal_field(struct json_object *o)
{
	int64_t number = field_int(o, "signal", 0);

	return number ? names_signal((int)number) : field_str(o, "signal");
}

char *outcome_text(struct json_object *task)
{
	const char *outcome = field_str(task, "outcome"), *signal = signal_field(task);
	int64_t code = field_int(task, "exit_code", -1);

	if (strcmp(field_str(task, "state"), task_state_name(STATE_FINAL)) != 0)
		return text("%s", field_str(task, "state"));
	if (*signal)
		return text("%s by %s", outcome, signal);
	if (code > 0)
		return text("%s, exit status %d", outcome, (int)code);
	return text("%s", outcome);
}

/* "clone3 EPERM, 3 times, by python3 (pid 41)": what happened and who did it. */
static char *act_text(struct json_object *failure)
{
	_cleanup_free_ char *times = NULL, *who = NULL;
	const char *root = field_str(failure, "caused_by");
	size_t skip;
	char *all;
	const char *syscall = field_str(failure, "syscall"), *error = field_str(failure, "errno");
	const char *signal = signal_field(failure), *comm = field_str(failure, "comm");
	int64_t count = field_int(failure, "count", 1), pid = field_int(failure, "pid", 0);

	times = count > 1 ? text(", %lld times", (long long)count) : text("%s", "");
	if (pid)
		who = text(", by %s (pid %lld)", *comm ? comm : "?", (long long)pid);
	else
		who = text("%s%s", *comm ? ", by " : "", comm);
	all = text("%s%s%s%s%s%s%s%s%s", syscall, *syscall && *error ? " " : "", error,
		   (*syscall || *error) && *signal ? ", " : "", signal, times ? times : "",
		   who ? who : "", *root ? ", caused by " : "", root);
	/* Whatever comes first stands without its comma. */
	skip = all && strncmp(all, ", ", 2) == 0 ? 2 : 0;
	return all && skip ? memmove(all, all + skip, strlen(all) + 1 - skip) : all;
}

/* The failure that a verdict names, else NULL. */
static struct json_object *verdict_failure(struct json_object *task)
{
	struct json_object *list = field(task, "failures");
	const char *id = field_str(field(task, "verdict"), "failure");

	for (size_t i = 0; list && *id && i < json_object_array_length(list); i++) {
		struct json_object *f = json_object_array_get_idx(list, i);

		if (strcmp(field_str(f, "id"), id) == 0)
			return f;
	}
	return NULL;
}

char *labels_text(struct json_object *task)
{
	struct json_object *labels = field(task, "labels");
	char *line = text("%s", "");

	if (!labels)
		return line;
	json_object_object_foreach (labels, key, value) {
		char *more = text("%s%slabel.%s=%s", line, *line ? "  " : "", key,
				  json_object_get_string(value));

		free(line);
		line = more;
	}
	return line;
}

char *calls_count_text(struct json_object *task)
{
	struct json_object *calls = field(task, "calls");
	int64_t total = field_int(calls, "total", 0), failed = field_int(calls, "failed", 0);
	int64_t faults = field_int(calls, "faults", 0);
	_cleanup_free_ char *bad = NULL;

	bad = faults ? text("; %lld fault%s in their bytes", (long long)faults,
			    faults > 1 ? "s" : "")
		     : text("%s", "");
	return text("%lld tool call%s, %lld failed%s", (long long)total, total == 1 ? "" : "s",
		    (long long)failed, bad ? bad : "");
}

static void explain_identity(const struct render *r, struct json_object *task)
{
	_cleanup_free_ char *name = task_text_name(task), *labels = labels_text(task);

	render_line(r, STYLE_BOLD, "%s  campaign %s%s%s", name, field_str(task, "campaign"),
		    *labels ? "  " : "", labels);
}

static void explain_outcome(const struct render *r, struct json_object *task)
{
	_cleanup_free_ char *outcome = outcome_text(task);
	int64_t started = 0, ended = 0, lost = field_int(task, "lost", 0);
	const char *word = field_str(task, "result");
	char from[40], span[32], loss[64] = "", says[32] = "";

	time_text(r, task, "started", from, sizeof(from));
	if (since_parse(field_str(task, "started"), 0, &started) < 0 ||
	    since_parse(field_str(task, "ended"), 0, &ended) < 0)
		ended = 0;
	since_span(ended - started, span, sizeof(span));
	if (lost)
		snprintf(loss, sizeof(loss), "; %lld events lost, so this may be incomplete",
			 (long long)lost);
	if (*word)
		snprintf(says, sizeof(says), "; the campaign says %s", word);
	if (ended)
		render_line(r, STYLE_NONE, "%s; %s from %s%s%s", outcome, span, from, says, loss);
	else
		render_line(r, STYLE_NONE, "%s since %s, so this is provisional%s", outcome, from,
			    loss);
}

static void explain_evidence(const struct render *r, struct json_object *failure, size_t max)
{
	struct json_object *list = field(failure, "evidence");
	size_t n = list ? json_object_array_length(list) : 0;
	size_t shown = n > max ? max - 1 : n;

	for (size_t i = 0; i < shown; i++)
		render_line(r, STYLE_NONE, "  evidence: %s",
			    json_object_get_string(json_object_array_get_idx(list, i)));
	if (shown < n)
		render_line(r, STYLE_DIM, "  evidence: %zu more; --json shows all", n - shown);
}

static void explain_also(const struct render *r, struct json_object *task,
			 struct json_object *verdict)
{
	struct json_object *list = field(task, "failures");
	size_t n = list ? json_object_array_length(list) : 0, others = verdict ? n - 1 : n;
	size_t shown = 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *f = json_object_array_get_idx(list, i);
		_cleanup_free_ char *what = NULL;

		if (f == verdict)
			continue;
		if (shown + 1 == EXPLAIN_ALSO && others > EXPLAIN_ALSO) {
			render_line(r, STYLE_DIM,
				    "  also: %zu more; `sandfault task show` lists them",
				    others - shown);
			return;
		}
		what = failure_text(f);
		render_line(r, STYLE_NONE, "  also: %s %s (%s)", field_str(f, "id"), what,
			    field_str(f, "disposition"));
		shown++;
	}
}

void task_text_explain(const struct render *r, struct json_object *task)
{
	struct json_object *verdict = field(task, "verdict"), *failure = verdict_failure(task);
	_cleanup_free_ char *what = NULL, *act = NULL;

	explain_identity(r, task);
	explain_outcome(r, task);
	if (!verdict) {
		render_line(r, STYLE_GOOD, "nothing to report");
		explain_also(r, task, NULL);
		return;
	}
	what = failure_text(verdict);
	render_line(r, failure_style(verdict), "%s", what);
	if (*field_str(verdict, "summary"))
		render_line(r, STYLE_NONE, "  %s", field_str(verdict, "summary"));
	act = failure ? act_text(failure) : NULL;
	render_line(r, STYLE_NONE, "  %s, %s%s%s", field_str(verdict, "confidence"),
		    field_str(verdict, "disposition"), act && *act ? ": " : "", act ? act : "");
	if (failure)
		explain_evidence(r, failure, EXPLAIN_EVIDENCE);
	if (*field_str(verdict, "remedy"))
		render_line(r, STYLE_BOLD, "  remedy: %s", field_str(verdict, "remedy"));
	explain_also(r, task, failure);
}

static void verdict_rest(const struct render *r, struct json_object *task, const char *hint)
{
	struct json_object *list = field(task, "failures");
	size_t n = list ? json_object_array_length(list) : 0;
	_cleanup_free_ char *name = task_text_name(task);
	int64_t lost = field_int(task, "lost", 0);

	if (n > 1)
		render_line(r, STYLE_NONE,
			    "sandfault:   %zu more failure%s: sandfault explain --campaign %s%s %s",
			    n - 1, n > 2 ? "s" : "", field_str(task, "campaign"), hint, name);
	if (lost)
		render_line(r, STYLE_WARN,
			    "sandfault:   %lld events were lost: this may be incomplete",
			    (long long)lost);
}

void task_text_verdict(const struct render *r, struct json_object *task, const char *hint)
{
	struct json_object *verdict = field(task, "verdict"), *failure = verdict_failure(task);
	struct json_object *evidence = field(failure, "evidence");
	_cleanup_free_ char *name = task_text_name(task), *outcome = outcome_text(task);
	_cleanup_free_ char *what = NULL, *act = NULL;

	if (!verdict) {
		render_line(r, STYLE_NONE, "sandfault: %s, nothing to report (task %s)", outcome,
			    name);
		return;
	}
	what = failure_text(verdict);
	render_line(r, failure_style(verdict), "sandfault: %s (task %s: %s)", what, name, outcome);
	act = failure ? act_text(failure) : NULL;
	render_line(r, STYLE_NONE, "sandfault:   %s (%s%s%s)", field_str(verdict, "summary"),
		    field_str(verdict, "confidence"), act && *act ? ": " : "", act ? act : "");
	if (evidence && json_object_array_length(evidence) > 0)
		render_line(r, STYLE_NONE, "sandfault:   evidence: %s",
			    json_object_get_string(json_object_array_get_idx(evidence, 0)));
	if (*field_str(verdict, "remedy"))
		render_line(r, STYLE_NONE, "sandfault:   remedy: %s", field_str(verdict, "remedy"));
	verdict_rest(r, task, hint);
}
