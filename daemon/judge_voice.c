/* SPDX-License-Identifier: GPL-2.0-only */
/* What a process said on fd 2 before it ended, or of its failures on fd 1, and what its parents said of
 * it. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "judge_internal.h"

#define VOICE_DEPTH 4 /* the process, and three ancestors that may speak for it */

struct line {
	const char *at;
	size_t len; /* with its newline */
};

bool voice_holds(const char *line, size_t len, const char *what)
{
	size_t n = strlen(what);

	for (size_t i = 0; i + n <= len; i++)
		if (strncasecmp(line + i, what, n) == 0)
			return true;
	return false;
}

static bool holds_any(const char *line, size_t len, const char *const *what, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (voice_holds(line, len, what[i]))
			return true;
	return false;
}

/* One that calls itself a warning, where an error was told after it, is not what it ended for. */
static bool is_overruled(const struct line *l, const char *end)
{
	/* of compilers and shells; of logging in Python, and as JSON; of scripts */
	static const char *const warnings[] = { "warning:",	  "WARNING ",	     "WARN ",
						"level\":\"warn", "level\": \"warn", "note:" };
	static const char *const errors[] = {
		"error:",	    "fatal:",	      "ERROR ", "CRITICAL ", "level\":\"error",
		"level\": \"error", "AssertionError", "FAIL: ", "FAILED "
	};
	const char *rest = l->at + l->len;

	return holds_any(l->at, l->len, warnings, ARRAY_SIZE(warnings)) &&
	       holds_any(rest, (size_t)(end - rest), errors, ARRAY_SIZE(errors));
}

static struct line next_line(const char *at, const char *end)
{
	const char *stop = at < end ? memchr(at, '\n', (size_t)(end - at)) : NULL;

	return (struct line){ at, (size_t)((stop ? stop + 1 : end) - at) };
}

static size_t indent(const struct line *l)
{
	size_t n = 0;

	while (n < l->len && (l->at[n] == ' ' || l->at[n] == '\t'))
		n++;
	return n;
}

static bool begins(const struct line *l, const char *what)
{
	size_t n = indent(l), len = strlen(what);

	return l->len - n >= len && memcmp(l->at + n, what, len) == 0;
}

/* It points at a part of the line above. */
static bool is_marker(const struct line *l)
{
	bool marked = false;

	for (size_t i = 0; i < l->len; i++) {
		if (!strchr(" \t\n^~", l->at[i]))
			return false;
		marked |= l->at[i] == '^';
	}
	return marked;
}

/* A frame of a trace: Python's `  File "a.py", line 3`, and the `    at f (a.js:3:4)` of JavaScript
 * and Java. */
static bool is_frame(const struct line *l)
{
	if (!indent(l))
		return false;
	return begins(l, "at ") ||
	       (begins(l, "File \"") && voice_holds(l->at, l->len, "\", line "));
}

/* Where in the program it happened, and the line of the program that stands there: whatever is named
 * in it is the program's own text, not what was refused. */
static bool is_place(const struct line *before, const struct line *l, const struct line *after)
{
	return is_frame(l) || is_marker(l) || is_marker(after) ||
	       (begins(before, "File \"") && is_frame(before) && indent(l) > indent(before));
}

static void take(char *to, size_t *len, const struct line *l)
{
	for (size_t i = 0; i < l->len; i++)
		to[*len + i] = l->at[i] ? l->at[i] : ' ';
	*len += l->len;
}

struct lengths {
	size_t text, warned, told;
};

/* What it said, what of it it took back, what is left without the program's own text; a NUL becomes a
 * blank. */
static void take_text(const struct text *text, bool report, struct voice *v, struct lengths *n)
{
	size_t total = text->len < SF_TAIL ? text->len : SF_TAIL;
	const char *end = text->data + total;
	struct line before = { text->data, 0 }, l = next_line(text->data, end), after;
	struct report_scan scan = { 0 };

	for (; l.len; before = l, l = after) {
		after = next_line(l.at + l.len, end);
		if (report && !report_takes(&scan, l.at, l.len, end))
			continue;
		v->traced |= is_frame(&l);
		if (is_overruled(&l, end)) {
			take(v->warned, &n->warned, &l);
			continue;
		}
		take(v->text, &n->text, &l);
		if (!is_place(&before, &l, &after))
			take(v->told, &n->told, &l);
	}
	if (total) {
		v->text[n->text++] = '\n';
		v->told[n->told++] = '\n';
	}
}

/* What ended it, and is told on fd 2, is nothing that a report can be asked about. */
static bool tail_has_fault(const struct process *p)
{
	_cleanup_free_ char *text = p->tail.len ? strndup(p->tail.data, p->tail.len) : NULL;

	return text && voice_own_fault(text);
}

static void voice_take(const struct process *p, struct voice *v, struct lengths *n)
{
	if (p->report.len && !tail_has_fault(p))
		take_text(&p->report, true, v, n);
	take_text(&p->tail, false, v, n);
}

static int voice_open(const struct process *p, struct voice *ret)
{
	const size_t size = 2 * (SF_TAIL + 1) * VOICE_DEPTH + 1;

	ret->p = p;
	ret->text = calloc(3, size);
	if (!ret->text)
		return -ENOMEM;
	ret->warned = ret->text + size;
	ret->told = ret->warned + size;
	return 0;
}

int voice_own_words(const struct process *p, struct voice *ret)
{
	struct lengths n = { 0 };
	int r = voice_open(p, ret);

	if (r == 0)
		voice_take(p, ret, &n);
	return r;
}

int voice_listen(const struct judgement *j, const struct process *p, struct voice *ret)
{
	struct lengths n = { 0 };
	int r = voice_open(p, ret);

	if (r < 0)
		return r;
	for (int depth = 0; p && depth < VOICE_DEPTH; depth++) {
		voice_take(p, ret, &n);
		p = process_parent(j->task, p);
	}
	return 0;
}

void voice_clear(struct voice *v)
{
	free(v->text);
	v->text = v->warned = v->told = NULL;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool voice_has_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = strstr(text, word); p; p = strstr(p + 1, word))
		if ((p == text || !is_word(p[-1])) && !is_word(p[n]))
			return true;
	return false;
}
