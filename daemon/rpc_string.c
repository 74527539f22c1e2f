/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <unistr.h>

#include "rpc_impl.h"

static void see(uint32_t *mask, struct rpc_string_at *at, enum rpc_string what, size_t where)
{
	if (*mask & (1u << what))
		return;
	*mask |= 1u << what;
	if (at)
		at->at[what] = where;
}

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* %20 and up: what comes below is no text, and often a format (%03d). */
static bool is_percent(const char *p, size_t left)
{
	return left >= 3 && is_hex(p[1]) && is_hex(p[2]) && p[1] >= '2';
}

static bool is_escape(const char *p, size_t left)
{
	if (left < 2)
		return false;
	if (p[1] == 'u')
		return left >= 6 && is_hex(p[2]) && is_hex(p[3]) && is_hex(p[4]) && is_hex(p[5]);
	if (p[1] == 'x')
		return left >= 4 && is_hex(p[2]) && is_hex(p[3]);
	return p[1] == 'n' || p[1] == 'r' || p[1] == 't' || p[1] == '0';
}

uint32_t rpc_string_faults(const char *s, size_t len, struct rpc_string_at *at)
{
	const uint8_t *bad = u8_check((const uint8_t *)s, len);
	uint32_t mask = 0;

	if (bad)
		see(&mask, at, RPC_STRING_INVALID_UTF8, (size_t)((const char *)bad - s));
	for (size_t i = 0; i < len; i++) {
		const char *p = s + i;
		size_t left = len - i;

		if (*p == '\0')
			see(&mask, at, RPC_STRING_NUL, i);
		else if (*p == '\r' && left > 1 && p[1] == '\n')
			see(&mask, at, RPC_STRING_CRLF, i);
		else if (*p == '\xef' && left > 2 && p[1] == '\xbf' && p[2] == '\xbd')
			see(&mask, at, RPC_STRING_REPLACEMENT, i);
		else if ((*p == '\\' && is_escape(p, left)) || (*p == '%' && is_percent(p, left)))
			see(&mask, at, RPC_STRING_ESCAPED, i);
	}
	return mask;
}

static bool is_base64(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '+' ||
	       c == '/' || c == '-' || c == '_';
}

ssize_t rpc_base64_fault(const char *s, size_t len)
{
	size_t digits = 0, padding = 0;

	for (size_t i = 0; i < len; i++) {
		if (s[i] == ' ' || s[i] == '\t' || s[i] == '\r' || s[i] == '\n')
			continue;
		if (s[i] == '=')
			padding++;
		else if (padding || !is_base64(s[i]))
			return (ssize_t)i;
		else
			digits++;
		if (padding > 2 || (padding && (digits + padding) % 4 == 1))
			return (ssize_t)i;
	}
	return digits % 4 == 1 || (padding && (digits + padding) % 4) ? (ssize_t)len : -1;
}

struct walk {
	rpc_string_fn fn;
	void *arg;
	char *pointer;
	size_t cap, len;
};

static int push(struct walk *w, const char *key)
{
	size_t n = strlen(key);

	if (util_grow((void **)&w->pointer, &w->cap, w->len + 2 * n + 2, 1) < 0)
		return -ENOMEM;
	w->pointer[w->len++] = '/';
	for (; *key; key++) {
		if (*key == '~' || *key == '/') {
			w->pointer[w->len++] = '~';
			w->pointer[w->len++] = *key == '~' ? '0' : '1';
		} else {
			w->pointer[w->len++] = *key;
		}
	}
	w->pointer[w->len] = '\0';
	return 0;
}

static int walk(struct walk *w, struct json_object *o, int depth);

static int walk_member(struct walk *w, const char *key, struct json_object *v, int depth)
{
	size_t len = w->len;
	int r = push(w, key);

	if (r == 0)
		r = walk(w, v, depth + 1);
	w->len = len;
	w->pointer[len] = '\0';
	return r;
}

static int walk_array(struct walk *w, struct json_object *o, int depth)
{
	char key[24];
	int r = 0;

	for (size_t i = 0; r == 0 && i < json_object_array_length(o); i++) {
		snprintf(key, sizeof(key), "%zu", i);
		r = walk_member(w, key, json_object_array_get_idx(o, i), depth);
	}
	return r;
}

/* What rpc_parse() made is no deeper than RPC_DEPTH. */
static int walk(struct walk *w, struct json_object *o, int depth)
{
	int r = 0;

	if (json_object_is_type(o, json_type_string))
		return w->fn(w->pointer, json_object_get_string(o),
			     (size_t)json_object_get_string_len(o), w->arg);
	if (depth > RPC_DEPTH)
		return 0;
	if (json_object_is_type(o, json_type_array))
		return walk_array(w, o, depth);
	if (json_object_is_type(o, json_type_object)) {
		json_object_object_foreach (o, key, v) {
			r = walk_member(w, key, v, depth);
			if (r)
				break;
		}
	}
	return r;
}

int rpc_each_string(struct json_object *o, rpc_string_fn fn, void *arg)
{
	struct walk w = { .fn = fn, .arg = arg };
	int r;

	if (util_grow((void **)&w.pointer, &w.cap, 1, 1) < 0)
		return -ENOMEM;
	w.pointer[0] = '\0';
	r = walk(&w, o, 0);
	free(w.pointer);
	return r;
}
