/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lines that a program tells its failures in, as test runners do on fd 1: TAP (testanything.org), pytest,
 * Node's and Rust's runners, xUnit, and what assertions of C, Perl and Go print.
 */
#include <ctype.h>
#include <string.h>

#include "judge_internal.h"

static bool begins(const char *line, size_t len, const char *what)
{
	size_t n = strlen(what);

	return len >= n && memcmp(line, what, n) == 0;
}

static bool ends(const char *line, size_t len, const char *what)
{
	size_t n = strlen(what);

	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len >= n && memcmp(line + len - n, what, n) == 0;
}

/* Without what runners put before a line: blanks, comment signs, pytest's "E", a vertical rule. */
static void strip(const char **line, size_t *len)
{
	while (*len && (isspace((unsigned char)**line) || strchr("#|>", **line) ||
			(begins(*line, *len, "E ")))) {
		(*line)++;
		(*len)--;
	}
}

/* Of something that went well, as its name may be "fails with EACCES". */
static bool tells_of_success(const char *line, size_t len)
{
	static const char *const marks[] = { "ok ", "PASS", "pass ",	  "✔",
					     "✓",   "√",    "[       OK", "[ RUN" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (begins(line, len, marks[i]))
			return true;
	return ends(line, len, " ok") || ends(line, len, " PASSED") || ends(line, len, " PASS") ||
	       voice_holds(line, len, " PASSED  ");
}

/* Go tells at a test's end how that went; what it logs is indented, or stands before. */
static bool go_passes(const char *rest, size_t len)
{
	const char *next = memmem(rest, len, "--- ", 4);

	return next && begins(next, len - (size_t)(next - rest), "--- PASS");
}

/* Sections of pytest and of Go. What pytest captured of a test that failed is what that printed, and
 * stands below the reason. */
static void enter_section(struct report_scan *s, const char *line, size_t len, const char *end)
{
	const char *rest = line + len;

	if (begins(line, len, "=== RUN")) {
		s->passing = go_passes(rest, (size_t)(end - rest));
	} else if (begins(line, len, "--- ")) {
		s->passing = begins(line, len, "--- PASS");
	} else if (begins(line, len, "=====")) {
		s->passing = voice_holds(line, len, " PASSES ");
		s->captured = false;
	} else if (begins(line, len, "_____")) {
		s->captured = false;
	} else if (begins(line, len, "-----")) {
		s->captured = voice_holds(line, len, " Captured ");
	}
}

bool report_takes(struct report_scan *s, const char *line, size_t len, const char *end)
{
	enter_section(s, line, len, end);
	return !s->passing && !s->captured &&
	       (report_tells(line, len) || report_asserts(line, len));
}

bool report_finds_fault(const char *text, size_t len)
{
	static const char *const words[] = { "invalid", "illegal", "unexpected", "mismatch" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (voice_holds(text, len, words[i]))
			return true;
	return false;
}

bool report_tells(const char *line, size_t len)
{
	static const char *const words[] = {
		"error",    "fail",	 "exception",	  "denied",    "not permitted", "cannot",
		"can't",    "could not", "unable",	  "not ok",    "no such",	"not found",
		"panic",    "assert",	 "expected",	  "refused",   "timed out",	"timeout",
		"too many", "read-only", "not supported", "no module",
	};

	strip(&line, &len);
	if (tells_of_success(line, len))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (voice_holds(line, len, words[i]))
			return true;
	return report_finds_fault(line, len);
}

bool report_asserts(const char *line, size_t len)
{
	static const char *const openings[] = { "assert ", "expected", "Expected", "expect(",
						"no tests ran" };
	static const char *const words[] = { "AssertionError",	     "ERR_ASSERTION",
					     "AssertionFailedError", " - assert ",
					     "assertion failed",     "assertion `" };

	strip(&line, &len);
	if (tells_of_success(line, len))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(openings); i++)
		if (begins(line, len, openings[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (voice_holds(line, len, words[i]))
			return true;
	return voice_holds(line, len, "got ") && voice_holds(line, len, "want ");
}
