/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <openssl/sha.h>
#include <string.h>

#include "redact.h"
#include "redact_shape.h"

#define DEPTH 64   /* deeper values are "…" */
#define LOOK  4096 /* beyond what is kept of a text, so that a secret at its end is seen whole */

/* A buffer that stops growing at `max`: what is longer is cut. */
struct out {
	char *p;
	size_t len, cap, max;
	bool full;
	int error;
};

static void put(struct out *o, const char *s, size_t n)
{
	if (o->error || o->full)
		return;
	if (n > o->max - o->len) {
		n = o->max - o->len;
		while (n && ((unsigned char)s[n] & 0xc0) == 0x80) /* between characters */
			n--;
		o->full = true;
	}
	if (util_grow((void **)&o->p, &o->cap, o->len + n + sizeof("…"), 1) < 0) {
		o->error = -ENOMEM;
		return;
	}
	memcpy(o->p + o->len, s, n);
	o->len += n;
	o->p[o->len] = '\0';
}

static void puts_to(struct out *o, const char *s)
{
	put(o, s, strlen(s));
}

static void put_redacted(struct out *o, size_t n)
{
	char s[48];

	snprintf(s, sizeof(s), "[redacted %zu bytes]", n);
	puts_to(o, s);
}

/* As a JSON string too: nothing in it is to be escaped. */
static void put_digest(struct out *o, const char *s, size_t n)
{
	unsigned char sum[SHA256_DIGEST_LENGTH];
	char text[64];

	SHA256((const unsigned char *)s, n, sum);
	snprintf(text, sizeof(text), "\"[%zu bytes sha256:%02x%02x%02x%02x]\"", n, sum[0], sum[1],
		 sum[2], sum[3]);
	puts_to(o, text);
}

/* Raw text with what looks secret taken out. */
static void put_clean(struct out *o, const char *s, size_t n)
{
	size_t at = 0;

	while (at < n && !o->full) {
		struct secret x = secret_find(s, at, n);

		put(o, s + at, x.at - at);
		if (x.len)
			put_redacted(o, x.len);
		at = x.at + x.len;
	}
}

/* As a JSON string. */
static void put_string(struct out *o, const char *s, size_t n)
{
	_cleanup_free_ char *clean = util_escape(s, n);
	struct json_object *json = clean ? json_object_new_string(clean) : NULL;

	if (json)
		puts_to(o, json_object_to_json_string_ext(json, JSON_C_TO_STRING_NOSLASHESCAPE));
	else
		o->error = -ENOMEM;
	json_object_put(json);
}

static void put_text_value(struct out *o, const char *s, size_t n)
{
	struct out clean = { .max = SIZE_MAX };

	put_clean(&clean, s, n);
	if (clean.error)
		o->error = clean.error;
	else
		put_string(o, clean.p ? clean.p : "", clean.len);
	free(clean.p);
}

static void put_leaf(struct out *o, struct json_object *v, bool shapes_only)
{
	const char *s = json_object_get_string(v);
	size_t n = (size_t)json_object_get_string_len(v);
	char text[32];

	if (!json_object_is_type(v, json_type_string)) {
		puts_to(o, shapes_only && !json_object_is_type(v, json_type_boolean)
				   ? "\"[number]\""
				   : json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN));
	} else if (shapes_only) {
		snprintf(text, sizeof(text), "\"[%zu bytes]\"", n);
		puts_to(o, text);
	} else if (n > REDACT_STRING) {
		put_digest(o, s, n);
	} else {
		put_text_value(o, s, n);
	}
}

static void put_value(struct out *o, struct json_object *v, bool shapes_only, int depth);

/* Under a telling name: its length is that of its text. */
static void put_secret(struct out *o, struct json_object *v)
{
	const char *s = json_object_to_json_string_ext(v, JSON_C_TO_STRING_PLAIN);
	size_t n = json_object_is_type(v, json_type_string) ? (size_t)json_object_get_string_len(v)
							    : strlen(s ? s : "");

	puts_to(o, "\"");
	put_redacted(o, n);
	puts_to(o, "\"");
}

static bool may_be_secret(struct json_object *v)
{
	return v && !json_object_is_type(v, json_type_boolean);
}

static void put_object(struct out *o, struct json_object *v, bool shapes_only, int depth)
{
	bool more = false;

	puts_to(o, "{");
	json_object_object_foreach (v, key, member) {
		if (o->full)
			break;
		if (more)
			puts_to(o, ",");
		more = true;
		if (strlen(key) > REDACT_STRING)
			put_digest(o, key, strlen(key));
		else
			put_text_value(o, key, strlen(key));
		puts_to(o, ":");
		if (may_be_secret(member) && secret_name(key, strlen(key)))
			put_secret(o, member);
		else
			put_value(o, member, shapes_only, depth + 1);
	}
	puts_to(o, "}");
}

static void put_array(struct out *o, struct json_object *v, bool shapes_only, int depth)
{
	puts_to(o, "[");
	for (size_t i = 0; i < json_object_array_length(v) && !o->full; i++) {
		if (i)
			puts_to(o, ",");
		put_value(o, json_object_array_get_idx(v, i), shapes_only, depth + 1);
	}
	puts_to(o, "]");
}

static void put_value(struct out *o, struct json_object *v, bool shapes_only, int depth)
{
	if (depth > DEPTH)
		puts_to(o, "\"…\"");
	else if (!v)
		puts_to(o, "null");
	else if (json_object_is_type(v, json_type_object))
		put_object(o, v, shapes_only, depth);
	else if (json_object_is_type(v, json_type_array))
		put_array(o, v, shapes_only, depth);
	else
		put_leaf(o, v, shapes_only);
}

/* Says that it was cut. */
static void mark_cut(struct out *o)
{
	static const char mark[] = "…";
	size_t n = sizeof(mark) - 1, keep = o->max > n ? o->max - n : 0;

	if (!o->full || o->max < n)
		return;
	keep = keep < o->len ? keep : o->len;
	while (keep && ((unsigned char)o->p[keep] & 0xc0) == 0x80)
		keep--;
	memcpy(o->p + keep, mark, n + 1);
	o->len = keep + n;
}

char *redact_json(struct json_object *args, size_t max, bool shapes_only)
{
	struct out o = { .max = max };

	put_value(&o, args, shapes_only, 0);
	if (o.error) {
		free(o.p);
		return NULL;
	}
	mark_cut(&o);
	return o.p;
}

int redact_text(struct text *ret, const char *s, size_t len, size_t max)
{
	struct out o = { .max = max };

	put(&o, "", 0);
	put_clean(&o, s, len > max && len - max > LOOK ? max + LOOK : len);
	if (o.error) {
		free(o.p);
		return o.error;
	}
	text_free(ret);
	ret->data = o.p;
	ret->len = o.len;
	return 0;
}
