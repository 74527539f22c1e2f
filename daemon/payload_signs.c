/* SPDX-License-Identifier: GPL-2.0-only */
/* What one copy tells by itself: of a request, and of an answer's parts. */
#include <errno.h>
#include <string.h>

#include "payload_internal.h"

#define PEEK_MAX (8U << 20) /* of text that is searched */

static int sign_nul(struct call *c, const struct shape_string *s)
{
	struct copy subject = { s->s, strlen(s->s) };

	if (!subject.len)
		subject = (struct copy){ s->key, strlen(s->key) };
	return fault_add(c, CAUSE_NULL_BYTE_ARGUMENT, LEG_NONE, false, strlen(s->s), subject,
			 "a NUL byte stands in the argument %.64s, at byte %zu of %zu", s->key,
			 strlen(s->s), s->len);
}

/* An argument beside it says that it is base64, and it is not. */
static int sign_base64(struct call *c, const struct shape_pair *p)
{
	_cleanup_free_ uint8_t *decoded = NULL;
	const char *path = p->path.s ? p->path.s : p->content.key;
	size_t n, at;
	int r;

	if (!p->content.s || p->encoding != SHAPE_BASE64_SAID)
		return 0;
	r = base64_decode(p->content.s, p->content.len, &decoded, &n, &at);
	if (r <= BASE64_EMPTY)
		return r < 0 ? r : 0;
	return fault_add(c, CAUSE_PAYLOAD_MALFORMED, LEG_NONE, false, at,
			 (struct copy){ path, strlen(path) },
			 "the base64 that was handed in can't be decoded: %s at byte %zu",
			 r == BASE64_PADDING ? "bad padding or length" : "a wrong character", at);
}

/* What was handed in as text has marks of damage: what has the client? */
void payload_look_at_text(struct work *w, const struct shape *s)
{
	for (size_t i = 0; i < s->n_pairs && i < w->n_pairs; i++) {
		const struct shape_pair *p = &s->pairs[i];

		if (!p->content.s || p->encoding >= SHAPE_BASE64 || p->content.len > PEEK_MAX)
			continue;
		w->signs = damage_signs(p->content.s, p->content.len);
		w->signs_pair = i;
		if (w->signs.magic || w->signs.replacements)
			return;
	}
}

int payload_signs(struct call *c, const struct shape *s)
{
	int r = s->nul.s ? sign_nul(c, &s->nul) : 0;

	for (size_t i = 0; i < s->n_pairs && r == 0; i++)
		r = sign_base64(c, &s->pairs[i]);
	return r;
}

/* The path, else the tool and its argument. */
static char *answer_subject(const struct work *w, const struct call *c, const char *key)
{
	const char *path = w && w->n_pairs ? w->pairs[0].path : NULL;
	const char *name = c->tool ? c->tool : c->method ? c->method : key;
	int len = c->subject.len ? (int)strnlen(c->subject.data, c->subject.len) : 0;
	char *ret;

	if (path)
		return strdup(path);
	return asprintf(&ret, "%s%s%.*s", name, len ? " " : "", len, len ? c->subject.data : "") < 0
		       ? NULL
		       : ret;
}

static int say_malformed(const struct work *w, struct call *c, const struct shape_part *part,
			 const char *what, const char *found, bool sure, size_t at)
{
	_cleanup_free_ char *subject = answer_subject(w, c, part->content.key);
	_cleanup_free_ char *mime =
		part->mime ? util_escape(part->mime, strnlen(part->mime, 64)) : strdup("base64");

	if (!subject)
		return -ENOMEM;
	return fault_add(c, CAUSE_PAYLOAD_MALFORMED, LEG_NONE, sure, at,
			 (struct copy){ subject, strlen(subject) },
			 "content that was handed back as %s %s%s", mime ? mime : "base64", what,
			 found);
}

/* Base64 in MCP's own fields must be base64, and of the type it is declared to be. Another dialect of it
 * is a sign: some decoders take it. */
int payload_check_part(struct work *w, struct call *c, const struct shape_part *part)
{
	_cleanup_free_ uint8_t *data = NULL;
	size_t n, at;
	int r;

	if (part->encoding == SHAPE_TEXT)
		return 0;
	r = base64_decode(part->content.s, part->content.len, &data, &n, &at);
	if (r < 0)
		return r;
	if (r == BASE64_ALPHABET || r == BASE64_PADDING)
		return say_malformed(w, c, part, "can't be decoded: broken base64", "", true, at);
	if (part->mime && n && mime_fit(part->mime, data, n) == MIME_OTHER)
		r = say_malformed(w, c, part, "is ", format_name(format_of(data, n)), true, 0);
	else if (!base64_is_standard(part->content.s, part->content.len, &at))
		r = say_malformed(w, c, part, "is not in standard base64: ",
				  at < part->content.len ? "the URL's alphabet" : "no padding",
				  false, at);
	if (w && !w->back && r >= 0)
		w->back = blob_new(w->payload, data, n, c->ended_ns);
	return r < 0 ? r : 0;
}

void payload_veil(const struct payload *p, struct call *c)
{
	const char *name = c->tool ? c->tool : "";

	for (size_t i = 0; i < c->n_faults && p->o.shapes_only; i++)
		if (text_set(&c->faults[i].subject, name, strlen(name)) < 0)
			text_free(&c->faults[i].subject);
}
