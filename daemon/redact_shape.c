/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "redact_shape.h"

#define NAME_MAX_LEN 48	 /* longer names are none that we know */
#define LOOK	     256 /* of a value, where it is judged by its characters */

enum name_match { WITHIN, AT_END, WHOLE };

/* Of names in lower case without '_', '-' and the like. max_tokens, tokenizer, PWD are no secrets. */
static const struct {
	const char *word;
	enum name_match match;
} names[] = {
	{ "password", WITHIN },	   { "passwd", WITHIN },     { "passphrase", WITHIN },
	{ "secret", WITHIN },	   { "apikey", WITHIN },     { "privatekey", WITHIN },
	{ "accesskey", WITHIN },   { "signingkey", WITHIN }, { "encryptionkey", WITHIN },
	{ "credential", WITHIN },  { "cookie", WITHIN },     { "authorization", WITHIN },
	{ "sessionid", WITHIN },   { "sessionkey", WITHIN }, { "session", AT_END },
	{ "accesstoken", WITHIN }, { "token", AT_END },	     { "auth", WHOLE },
	{ "bearer", WHOLE },	   { "jwt", WHOLE },	     { "mysqlpwd", AT_END },
	{ "pgpass", WHOLE },
};

bool secret_name(const char *key, size_t len)
{
	char name[NAME_MAX_LEN + 1];
	size_t n = 0;

	if (len > NAME_MAX_LEN)
		return false;
	for (size_t i = 0; i < len; i++)
		if (isalnum((unsigned char)key[i]))
			name[n++] = (char)tolower((unsigned char)key[i]);
	name[n] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t word = strlen(names[i].word);
		const char *at = strstr(name, names[i].word);

		if (names[i].match == AT_END)
			at = n >= word && strcmp(name + n - word, names[i].word) == 0 ? name : NULL;
		if (at && (names[i].match != WHOLE || n == word))
			return true;
	}
	return false;
}

static bool in_token(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* The shapes that begin so; at least `min` bytes follow, of letters, digits, '_' and '-'. */
static const struct {
	const char *prefix;
	size_t min;
} prefixes[] = {
	{ "sk-", 16 },	 { "sk_live_", 16 }, { "rk_live_", 16 },    { "ghp_", 20 },
	{ "gho_", 20 },	 { "ghu_", 20 },     { "ghs_", 20 },	    { "ghr_", 20 },
	{ "xoxb-", 10 }, { "xoxp-", 10 },    { "xoxa-", 10 },	    { "xoxr-", 10 },
	{ "xoxs-", 10 }, { "AKIA", 16 },     { "ASIA", 16 },	    { "AIza", 32 },
	{ "npm_", 32 },	 { "hf_", 30 },	     { "github_pat_", 20 }, { "glpat-", 16 },
	{ "pypi-", 32 },
};

static size_t token_length(const char *p, size_t left)
{
	size_t n = 0;

	while (n < left && in_token(p[n]))
		n++;
	return n;
}

static bool starts(const char *p, size_t left, const char *word)
{
	size_t n = strlen(word);

	return left >= n && memcmp(p, word, n) == 0;
}

static bool starts_any_case(const char *p, size_t left, const char *word)
{
	size_t n = strlen(word);

	return left >= n && strncasecmp(p, word, n) == 0;
}

/* At the beginning of a word. */
static size_t prefix_length(const char *p, size_t left)
{
	for (size_t i = 0; i < ARRAY_SIZE(prefixes); i++) {
		if (!starts(p, left, prefixes[i].prefix))
			continue;
		size_t n = token_length(p, left);

		return n >= strlen(prefixes[i].prefix) + prefixes[i].min ? n : 0;
	}
	return 0;
}

/* A signed token (RFC 7519): three parts in base64url; the first two begin an object. */
static size_t jwt_length(const char *p, size_t left)
{
	size_t n, part;

	if (!starts(p, left, "eyJ"))
		return 0;
	n = token_length(p, left);
	if (n < 8 || !starts(p + n, left - n, ".eyJ"))
		return 0;
	n++;
	n += token_length(p + n, left - n);
	if (n >= left || p[n] != '.')
		return 0;
	part = token_length(p + n + 1, left - n - 1);
	return n + 1 + part;
}

static size_t pem_length(const char *p, size_t left)
{
	static const char end[] = "-----END ";
	const char *q, *dashes;

	if (!starts(p, left, "-----BEGIN "))
		return 0;
	q = memmem(p, left, end, sizeof(end) - 1);
	if (!q)
		return left;
	q += sizeof(end) - 1;
	dashes = memmem(q, left - (size_t)(q - p), "-----", 5);
	return dashes ? (size_t)(dashes - p) + 5 : left;
}

/* What stands in a value: until a blank, a quote or a separator. */
static size_t value_length(const char *p, size_t left)
{
	size_t n = 0;

	while (n < left && !isspace((unsigned char)p[n]) && p[n] && !strchr("\"'`\\&,;)}]<>", p[n]))
		n++;
	return n;
}

static bool has_digit(const char *p, size_t n)
{
	for (size_t i = 0; i < n && i < LOOK; i++)
		if (isdigit((unsigned char)p[i]) || p[i] == '=')
			return true;
	return false;
}

/* "Bearer …", "Basic …": not "Basic authentication". The secret stands behind the word. */
static struct secret scheme(const char *s, size_t at, size_t len)
{
	size_t word = starts_any_case(s + at, len - at, "bearer ")  ? 7
		      : starts_any_case(s + at, len - at, "basic ") ? 6
								    : 0;
	size_t n = word ? value_length(s + at + word, len - at - word) : 0;

	if (n < 6 || !(has_digit(s + at + word, n) || n > 24))
		return (struct secret){ 0 };
	return (struct secret){ at + word, n };
}

/* At "://": the password of user:password@host. */
static struct secret url_password(const char *s, size_t at, size_t len)
{
	size_t begin = at + 3, end = begin, colon = 0, sign = 0;

	for (; end < len && end < begin + LOOK && !strchr("/?# \t\r\n\"'<>", s[end]); end++) {
		if (s[end] == ':' && !colon)
			colon = end;
		else if (s[end] == '@')
			sign = end;
	}
	if (!colon || sign <= colon + 1)
		return (struct secret){ 0 };
	return (struct secret){ colon + 1, sign - colon - 1 };
}

static bool is_quote(char c)
{
	return c == '"' || c == '\'' || c == '\\' || c == '`';
}

/* The name that ends before s[at], which may be quoted. */
static bool telling_name(const char *s, size_t from, size_t at)
{
	size_t end = at, begin;

	while (end > from && is_quote(s[end - 1]) && at - end < 3)
		end--;
	while (end > from && s[end - 1] == ' ' && at - end < 3)
		end--;
	for (begin = end; begin > from && end - begin <= NAME_MAX_LEN && in_token(s[begin - 1]);)
		begin--;
	return begin < end && secret_name(s + begin, end - begin);
}

/* At '=' or ':': password=…, "api_key": "…", X-Api-Key: …; but not "Invalid token: unexpected". */
static struct secret named(const char *s, size_t from, size_t at, size_t len)
{
	bool quoted = false;
	size_t i = at + 1, n;

	if (!telling_name(s, from, at))
		return (struct secret){ 0 };
	for (; i < len && (s[i] == ' ' || is_quote(s[i])) && i < at + 8; i++)
		quoted |= is_quote(s[i]);
	if (starts_any_case(s + i, len - i, "bearer "))
		i += 7;
	else if (starts_any_case(s + i, len - i, "basic "))
		i += 6;
	n = value_length(s + i, len - i);
	if (n < 3 || (s[at] == ':' && !quoted && !(n >= 6 && has_digit(s + i, n))))
		return (struct secret){ 0 };
	return (struct secret){ i, n };
}

static struct secret secret_at(const char *s, size_t from, size_t i, size_t len)
{
	const char *p = s + i;
	size_t left = len - i, n = 0;
	struct secret x = { 0 };

	if (*p == '=' || *p == ':') {
		x = *p == ':' && starts(p, left, "://") ? url_password(s, i, len) : x;
		return x.len ? x : named(s, from, i, len);
	}
	if (*p == '-')
		n = pem_length(p, left);
	else if (isalnum((unsigned char)*p) && (i == 0 || !in_token(s[i - 1]))) {
		n = prefix_length(p, left);
		if (!n)
			n = jwt_length(p, left);
		if (!n)
			return scheme(s, i, len);
	}
	return (struct secret){ i, n };
}

struct secret secret_find(const char *s, size_t from, size_t len)
{
	for (size_t i = from; i < len; i++) {
		struct secret x = secret_at(s, from, i, len);

		if (x.len)
			return x;
	}
	return (struct secret){ len, 0 };
}
