/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <string.h>

#include "path_shape.h"

static bool begins(const struct text *t, const char *prefix)
{
	size_t n = strlen(prefix);

	return t->len >= n && memcmp(t->data, prefix, n) == 0;
}

bool shape_cr(const struct signature *s)
{
	return s->raw.len > 1 && s->raw.data[s->raw.len - 1] == '\r';
}

bool shape_tilde(const struct signature *s)
{
	return s->raw.len && s->raw.data[0] == '~' && (s->raw.len == 1 || strchr(s->raw.data, '/'));
}

bool shape_foreign(const struct signature *s)
{
	const struct text *t = &s->raw;

	if (t->len > 2 && isalpha((unsigned char)t->data[0]) && t->data[1] == ':' &&
	    strchr("\\/", t->data[2]))
		return true;
	return begins(t, "\\\\") || begins(t, "/Users/");
}

bool shape_quoted(const struct signature *s)
{
	const struct text *t = &s->raw;

	return t->len > 2 && strchr("\"'`", t->data[0]) && t->data[t->len - 1] == t->data[0];
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

bool shape_escaped(const struct signature *s)
{
	const struct text *t = &s->raw;

	for (size_t i = 0; i + 1 < t->len; i++) {
		if (t->data[i] == '\\' && strchr("ntrux0", t->data[i + 1]) && t->data[i + 1])
			return true;
		if (t->data[i] == '%' && i + 2 < t->len &&
		    isxdigit((unsigned char)t->data[i + 1]) &&
		    isxdigit((unsigned char)t->data[i + 2]))
			return true;
	}
	return false;
}

bool shape_empty(const struct signature *s)
{
	return s->text_kind == SF_TEXT_PATH && s->bell && s->raw.len == 0;
}
