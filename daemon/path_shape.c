/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <string.h>

#include "path_shape.h"

/* What the task handed in: the path as it was given, or a socket's name. */
static const struct text *given(const struct signature *s)
{
	return s->raw.len ? &s->raw : &s->subject;
}

static bool begins(const char *at, const char *end, const char *prefix)
{
	size_t n = strlen(prefix);

	return (size_t)(end - at) >= n && memcmp(at, prefix, n) == 0;
}

/* Calls `is` at the start of every component: a runtime that made the path absolute has put the
 * odd part into its middle. */
static bool any_component(const struct text *t, bool (*is)(const char *at, const char *end))
{
	const char *at = t->data, *end = t->data + t->len;

	while (at && at < end) {
		if (is(at, end))
			return true;
		at = memchr(at, '/', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	return false;
}

static bool is_cr(const char *at, const char *end)
{
	const char *slash = memchr(at, '/', (size_t)(end - at));

	if (slash)
		end = slash;
	return end - at > 1 && end[-1] == '\r';
}

bool shape_cr(const struct signature *s)
{
	return any_component(given(s), is_cr);
}

static bool is_tilde(const char *at, const char *end)
{
	return *at == '~' && (end - at == 1 || at[1] == '/');
}

bool shape_tilde(const struct signature *s)
{
	const struct text *t = &s->raw;

	/* ~user is a name that editors give to backups, too: only in front, and only with more. */
	if (t->len > 1 && t->data[0] == '~' && memchr(t->data, '/', t->len))
		return true;
	return t->len && any_component(t, is_tilde);
}

static bool is_drive(const char *at, const char *end)
{
	return end - at > 2 && isalpha((unsigned char)at[0]) && at[1] == ':' &&
	       (at[2] == '\\' || at[2] == '/');
}

/* src\main.py: separators of another system, none of which is an escape sequence. */
static bool is_backslashed(const struct text *t)
{
	bool found = false;

	for (size_t i = 0; i < t->len; i++) {
		if (t->data[i] == '\\') {
			if (i + 1 >= t->len || strchr("ntrux0\\", t->data[i + 1]))
				return false;
			found = true;
		} else if (!isalnum((unsigned char)t->data[i]) && !strchr("._-/", t->data[i])) {
			return false;
		}
	}
	return found;
}

bool shape_foreign(const struct signature *s)
{
	const struct text *t = &s->raw;

	if (!t->len)
		return false;
	return begins(t->data, t->data + t->len, "\\\\") ||
	       begins(t->data, t->data + t->len, "/Users/") || any_component(t, is_drive) ||
	       is_backslashed(t);
}

bool shape_quoted(const struct signature *s)
{
	const struct text *t = &s->raw;
	const char *at = t->data, *slash = t->len ? memrchr(t->data, '/', t->len) : NULL;
	size_t len = t->len;

	if (len > 2 && strchr("\"'`", at[0]) && at[len - 1] == at[0])
		return true;
	if (!slash)
		return false;
	len -= (size_t)(slash + 1 - at);
	at = slash + 1;
	return len > 2 && strchr("\"'`", at[0]) && at[len - 1] == at[0];
}

bool shape_replacement(const struct signature *s)
{
	return s->raw.len && memmem(s->raw.data, s->raw.len, "\xef\xbf\xbd", 3);
}

bool shape_bad_utf8(const struct signature *s)
{
	_cleanup_free_ char *shown = NULL;
	bool high = false;

	for (size_t i = 0; i < s->raw.len; i++)
		high |= (unsigned char)s->raw.data[i] >= 0x80;
	if (!high || s->subject_cut)
		return false;
	/* util_escape turns a byte above 0x7f into \xNN only where it is no part of valid UTF-8
	 * (controls and overrides aside, which no tool writes into names by accident). */
	shown = util_escape(s->raw.data, s->raw.len);
	for (const char *p = shown ? strstr(shown, "\\x") : NULL; p; p = strstr(p + 2, "\\x"))
		if (strchr("89abcdef", p[2]) && p[2])
			return true;
	return false;
}

bool shape_sibling(const struct signature *s)
{
	return s->explanation && s->explanation->done && s->explanation->sibling_normal;
}

static int hex_value(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : tolower((unsigned char)c) - 'a' + 10;
}

/* %20 stands for a byte that one would write; %03 is rather printf's. */
static bool is_percent(const struct text *t, size_t i)
{
	return i + 2 < t->len && isxdigit((unsigned char)t->data[i + 1]) &&
	       isxdigit((unsigned char)t->data[i + 2]) &&
	       hex_value(t->data[i + 1]) * 16 + hex_value(t->data[i + 2]) >= ' ';
}

bool shape_escaped(const struct signature *s)
{
	const struct text *t = &s->raw;

	for (size_t i = 0; i + 1 < t->len; i++) {
		if (t->data[i] == '\\' && strchr("ntrux0", t->data[i + 1]) && t->data[i + 1])
			return true;
		if (t->data[i] == '%' && is_percent(t, i))
			return true;
	}
	return false;
}

bool shape_empty(const struct signature *s)
{
	return s->text_kind == SF_TEXT_PATH && s->bell && s->raw.len == 0;
}
