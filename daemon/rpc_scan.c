/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON's grammar (RFC 8259) as far as brackets, strings and separators go: json-c makes the values,
 * but takes more than JSON (single quotes, control bytes in strings), hides lone surrogates, and
 * neither bounds its memory nor tells where a broken text was still right.
 */
#include <string.h>
#include <unistr.h>

#include "rpc_impl.h"

enum expect {
	EXPECT_VALUE,
	EXPECT_FIRST, /* a value or the array's end */
	EXPECT_KEY,
	EXPECT_FIRST_KEY, /* … or the object's end */
	EXPECT_COLON,
	EXPECT_NEXT, /* a comma or the end */
};

struct scanner {
	struct rpc_scan *ret;
	const char *text;
	size_t len, at;
	size_t depth, memory;
	enum expect expect;
	char stack[RPC_DEPTH]; /* the closing brackets */
};

static void found(struct rpc_scan *s, enum rpc_raw what, size_t at)
{
	if (!s->raw || at < s->raw_at)
		s->raw_at = at;
	s->raw |= what;
}

/* Here everything that is complete could be closed. */
static void mark(struct scanner *s)
{
	s->ret->safe = s->at;
	for (size_t i = 0; i < s->depth; i++)
		s->ret->closers[i] = s->stack[s->depth - 1 - i];
	s->ret->closers[s->depth] = '\0';
}

static bool afford(struct scanner *s, size_t bytes)
{
	s->memory += bytes;
	if (s->memory <= RPC_MEMORY && s->depth < RPC_DEPTH)
		return true;
	found(s->ret, RPC_RAW_TOO_BIG, s->at);
	return false;
}

static bool open_value(struct scanner *s, char close)
{
	/* json-c 0.16: a table of 16 entries; an array of 32 */
	if (!afford(s, close == '}' ? 1024 : 512))
		return false;
	s->stack[s->depth++] = close;
	s->at++;
	s->expect = close == '}' ? EXPECT_FIRST_KEY : EXPECT_FIRST;
	mark(s);
	return true;
}

static void value_ends(struct scanner *s)
{
	s->expect = EXPECT_NEXT;
	if (s->depth)
		mark(s);
}

static int hex4(const char *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		int c = p[i] | 0x20;

		if (p[i] >= '0' && p[i] <= '9')
			v = v * 16 + (p[i] - '0');
		else if (c >= 'a' && c <= 'f')
			v = v * 16 + (c - 'a' + 10);
		else
			return -1;
	}
	return v;
}

/* At \u: its length with its other half's, 0: none. */
static size_t unicode_escape(struct scanner *s, size_t at)
{
	const char *p = s->text + at;
	size_t left = s->len - at;
	int v = left < 6 ? -1 : hex4(p + 2), low;

	if (v < 0)
		return 0;
	if (v < 0xd800 || v > 0xdfff)
		return 6;
	low = v > 0xdbff || left < 12 || p[6] != '\\' || p[7] != 'u' ? -1 : hex4(p + 8);
	if (low >= 0xdc00 && low <= 0xdfff)
		return 12;
	found(s->ret, RPC_RAW_LONE_SURROGATE, at);
	return 6;
}

static size_t escape_length(struct scanner *s, size_t at)
{
	char c = at + 1 < s->len ? s->text[at + 1] : '\0';

	if (c == 'u')
		return unicode_escape(s, at);
	return c && strchr("\"\\/bfnrt", c) ? 2 : 0;
}

/* At the opening quote. */
static bool string(struct scanner *s)
{
	size_t i = s->at + 1, n;

	while (i < s->len && s->text[i] != '"') {
		if (s->text[i] == '\\') {
			n = escape_length(s, i);
			if (!n)
				return false;
			i += n;
		} else if ((unsigned char)s->text[i] < ' ') {
			found(s->ret, RPC_RAW_CONTROL, i);
			return false;
		} else {
			i++;
		}
	}
	if (i >= s->len)
		return false;
	s->at = i + 1;
	return true;
}

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '+' || c == '.';
}

static bool word_is(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && memcmp(p, word, n) == 0;
}

static size_t digits(const char *p, size_t n)
{
	size_t i = 0;

	while (i < n && p[i] >= '0' && p[i] <= '9')
		i++;
	return i;
}

static bool is_number(const char *p, size_t n)
{
	size_t i = n && *p == '-', d = digits(p + i, n - i);

	if (d == 0 || (d > 1 && p[i] == '0'))
		return false;
	i += d;
	if (i < n && p[i] == '.') {
		d = digits(p + i + 1, n - i - 1);
		if (!d)
			return false;
		i += 1 + d;
	}
	if (i < n && (p[i] == 'e' || p[i] == 'E')) {
		i++;
		if (i < n && (p[i] == '+' || p[i] == '-'))
			i++;
		d = digits(p + i, n - i);
		if (!d)
			return false;
		i += d;
	}
	return i == n;
}

/* A number, true, false, null; one that ends with the text may go on. */
static bool word(struct scanner *s)
{
	const char *p = s->text + s->at;
	size_t n = 0;

	while (s->at + n < s->len && is_word(p[n]))
		n++;
	if (n == 0 || (s->at + n == s->len && s->depth))
		return false;
	if (word_is(p, n, "NaN") || word_is(p, n, "Infinity") || word_is(p, n, "-Infinity"))
		found(s->ret, RPC_RAW_LENIENT, s->at);
	else if (!is_number(p, n) && !word_is(p, n, "true") && !word_is(p, n, "false") &&
		 !word_is(p, n, "null"))
		return false;
	s->at += n;
	return true;
}

static bool value(struct scanner *s)
{
	char c = s->text[s->at];

	if (c == '{' || c == '[')
		return open_value(s, c == '{' ? '}' : ']');
	if (!afford(s, 96) || !(c == '"' ? string(s) : word(s)))
		return false;
	value_ends(s);
	return true;
}

static bool close_value(struct scanner *s)
{
	if (!s->depth || s->text[s->at] != s->stack[s->depth - 1])
		return false;
	s->depth--;
	s->at++;
	value_ends(s);
	if (!s->depth) /* the whole of it */
		mark(s);
	return true;
}

static bool key(struct scanner *s)
{
	if (s->text[s->at] != '"' || !afford(s, 64) || !string(s))
		return false;
	s->expect = EXPECT_COLON;
	return true;
}

static bool colon(struct scanner *s)
{
	if (s->text[s->at] != ':')
		return false;
	s->at++;
	s->expect = EXPECT_VALUE;
	return true;
}

static bool next(struct scanner *s)
{
	if (s->text[s->at] != ',')
		return close_value(s);
	if (!s->depth)
		return false;
	s->at++;
	s->expect = s->stack[s->depth - 1] == '}' ? EXPECT_KEY : EXPECT_VALUE;
	return true;
}

static bool step(struct scanner *s)
{
	switch (s->expect) {
	case EXPECT_VALUE:
		return value(s);
	case EXPECT_FIRST:
		return s->text[s->at] == ']' ? close_value(s) : value(s);
	case EXPECT_KEY:
		return key(s);
	case EXPECT_FIRST_KEY:
		return s->text[s->at] == '}' ? close_value(s) : key(s);
	case EXPECT_COLON:
		return colon(s);
	default:
		return next(s);
	}
}

void rpc_scan(struct rpc_scan *ret, const char *text, size_t len)
{
	struct scanner s = { .ret = ret, .text = text, .len = len, .expect = EXPECT_VALUE };
	const uint8_t *bad = u8_check((const uint8_t *)text, len);

	*ret = (struct rpc_scan){ 0 };
	for (;;) {
		while (s.at < len && strchr(" \t\r\n", text[s.at]) && text[s.at])
			s.at++;
		if (s.at == len || !step(&s))
			break;
	}
	ret->whole = s.at == len && s.depth == 0 && s.expect == EXPECT_NEXT;
	if (bad)
		found(ret, RPC_RAW_INVALID_UTF8, (size_t)((const char *)bad - text));
}

struct json_object *rpc_parse_safe(const struct rpc_scan *scan, const char *text)
{
	struct json_tokener *t = json_tokener_new_ex(RPC_DEPTH + 2);
	struct json_object *o = NULL;

	if (!t)
		return NULL;
	if (scan->safe && scan->safe <= INT32_MAX) {
		o = json_tokener_parse_ex(t, text, (int)scan->safe);
		if (!o && json_tokener_get_error(t) == json_tokener_continue)
			o = json_tokener_parse_ex(t, scan->closers, (int)strlen(scan->closers));
	}
	json_tokener_free(t);
	return o;
}
