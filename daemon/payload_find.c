/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistr.h>

#include "payload_find.h"
#include "redact.h"

#define BYTES_MIN 8 /* of a shorter content a changed byte tells nothing */

enum weight { SILENT = 0, SIGN, SURE };

/*
 * What a damage weighs on each leg. A tool may show a file otherwise than it is, and may mean
 * it: so the way back weighs less than the way in. PLAIN_*: only where the call asked for the
 * whole file, as it is.
 */
#define PLAIN 4

static const struct {
	uint8_t write, read, round;
} weights[DAMAGE_MAX] = {
	[DAMAGE_BOM_ADDED] = { SIGN, SILENT, SIGN },
	[DAMAGE_NUL_CUT] = { SURE, SURE, SURE },
	[DAMAGE_NUL_DROPPED] = { SURE, SURE, SURE },
	[DAMAGE_REPLACED] = { SURE, SURE, SURE },
	[DAMAGE_DROPPED] = { SURE, SURE, SURE },
	[DAMAGE_QUESTION] = { SURE, SURE, SURE },
	[DAMAGE_ASCII] = { SURE, SIGN, SURE },
	[DAMAGE_LF_TO_CRLF] = { SURE, SURE, SURE },
	/* Every stream in text mode does that on the way back. */
	[DAMAGE_CRLF_TO_LF] = { SURE, SIGN, SIGN },
	[DAMAGE_UTF8_TWICE] = { SURE, SURE, SURE },
	[DAMAGE_LATIN1] = { SURE, SILENT, SILENT },
	[DAMAGE_UTF16] = { SURE, SILENT, SILENT },
	[DAMAGE_NORMALIZED] = { SURE, SURE, SURE },
	[DAMAGE_ESCAPED] = { SURE | PLAIN, SIGN, SIGN },
	[DAMAGE_UNESCAPED] = { SURE | PLAIN, SIGN, SIGN },
	[DAMAGE_BASE64_KEPT] = { SURE, SILENT, SILENT },
	[DAMAGE_BASE64_DECODED] = { SURE, SILENT, SILENT },
	[DAMAGE_CUT] = { SURE | PLAIN, SURE | PLAIN, SURE | PLAIN },
	[DAMAGE_HOLES] = { SURE | PLAIN, SURE | PLAIN, SURE | PLAIN },
	[DAMAGE_BLOCKS] = { SURE | PLAIN, SURE | PLAIN, SURE | PLAIN },
	[DAMAGE_BYTES] = { SURE | PLAIN, SURE | PLAIN, SURE | PLAIN },
};

#define AROUND	      8192	    /* a private key of many bits is 6 KiB of text */
#define BEFORE(bytes) ((bytes) / 4) /* of an excerpt stand before the damage */

/* A part of a secret does not look like one: it is looked for round about. */
static bool holds_secret(struct copy c, size_t at)
{
	size_t from = at > AROUND ? at - AROUND : 0;
	size_t len = c.len - from < 2 * AROUND ? c.len - from : 2 * AROUND;
	const char *s = (const char *)c.data + from;
	struct text t = { 0 };
	bool same = redact_text(&t, s, len, 2 * AROUND) == 0 && t.len == len &&
		    memcmp(t.data, s, len) == 0;

	text_free(&t);
	return !same;
}

static struct excerpt excerpt_of(struct copy c, uint64_t at)
{
	size_t from = at > BEFORE(EXCERPT_MAX) ? at - BEFORE(EXCERPT_MAX) : 0;
	struct excerpt e = { .before = at - from };

	if (from < c.len && !holds_secret(c, from)) {
		e.len = c.len - from < EXCERPT_MAX ? c.len - from : EXCERPT_MAX;
		memcpy(e.data, (const uint8_t *)c.data + from, e.len);
	}
	return e;
}

static bool weigh(struct finding *ret, enum call_leg leg, const struct damage *d, struct copy was,
		  struct copy is, bool plain)
{
	uint8_t w = leg == LEG_WRITE  ? weights[d->kind].write
		    : leg == LEG_READ ? weights[d->kind].read
				      : weights[d->kind].round;

	if ((w & PLAIN) && !plain)
		return false;
	if (d->kind == DAMAGE_BYTES && (d->plain || was.len < BYTES_MIN))
		return false;
	*ret = (struct finding){ .leg = leg,
				 .kind = d->kind,
				 .sure = (w & ~PLAIN) == SURE,
				 .cut = d->cut || d->kind >= DAMAGE_CUT,
				 .at = d->at,
				 .was_len = was.len,
				 .is_len = is.len,
				 .was = excerpt_of(was, d->at),
				 .is = excerpt_of(is, d->at) };
	return (w & ~PLAIN) != SILENT;
}

static struct damage compare(struct copy was, struct copy is)
{
	return damage_compare(was.data, was.len, is.data, is.len);
}

static bool is_text(struct copy c)
{
	enum format f = format_of(c.data, c.len);

	return f == FORMAT_TEXT || c.len == 0;
}

static bool is_valid(struct copy c)
{
	return c.len == 0 || !u8_check(c.data, c.len);
}

/* ---- what was handed in ---- */

struct decoded {
	uint8_t *data; /* NULL: it can't be decoded */
	size_t len;
};

static void decoded_free(struct decoded *d)
{
	free(d->data);
}

static struct decoded decode(struct copy given, enum shape_encoding encoding)
{
	struct decoded d = { 0 };

	if (encoding != SHAPE_TEXT && encoding != SHAPE_FOREIGN)
		base64_decode(given.data, given.len, &d.data, &d.len, NULL);
	return d;
}

static bool may_be_text(enum shape_encoding encoding)
{
	return encoding == SHAPE_TEXT || encoding == SHAPE_MAYBE;
}

static bool harmless(enum damage_kind k)
{
	return k == DAMAGE_NONE || k == DAMAGE_NEWLINE || k == DAMAGE_BOM_REMOVED;
}

/* How `is` came of what was handed in, taken the way that explains it best. */
static struct damage compare_given(struct copy given, enum shape_encoding encoding, struct copy is)
{
	_cleanup_(decoded_free) struct decoded dec = decode(given, encoding);
	struct copy bytes = { dec.data, dec.len };
	struct damage raw = { .kind = DAMAGE_DIFFERENT }, d;

	if (encoding == SHAPE_FOREIGN)
		return raw;
	if (may_be_text(encoding)) {
		raw = compare(given, is);
		/* A tool that takes either has understood it. */
		if (raw.kind == DAMAGE_BASE64_DECODED || raw.kind == DAMAGE_NONE)
			raw.kind = DAMAGE_NONE;
		if (harmless(raw.kind) || !dec.data)
			return raw;
	}
	if (!dec.data)
		return raw;
	d = compare(bytes, is);
	/* The name of the argument is no promise where text was encoded and text is kept. */
	if (d.kind == DAMAGE_BASE64_KEPT && encoding != SHAPE_BASE64_SAID && is_text(bytes))
		d.kind = DAMAGE_NONE;
	if (harmless(d.kind) || (d.kind != DAMAGE_DIFFERENT && d.kind != DAMAGE_BASE64_KEPT))
		return d;
	return encoding == SHAPE_MAYBE ? raw : d;
}

bool find_same(struct copy given, enum shape_encoding encoding, struct copy other)
{
	return harmless(compare_given(given, encoding, other).kind);
}

static bool is_named_text(const char *path)
{
	static const char *const ends[] = { ".b64", ".base64", ".txt", ".json", ".pem", ".eml" };
	size_t n = strlen(path);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (n > strlen(ends[i]) && strcasecmp(path + n - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

/* It was encoded twice before it was handed in: decoded once, as it should be, text is left that
 * encodes a picture or the like. */
static bool encoded_twice(struct finding *ret, struct copy given, enum shape_encoding encoding,
			  const char *path, struct copy disk)
{
	_cleanup_free_ uint8_t *inner = NULL;
	size_t n = 0;
	enum format f;

	if (encoding != SHAPE_BASE64 && encoding != SHAPE_BASE64_SAID)
		return false;
	if (is_named_text(path) || !base64_likely(disk.data, disk.len) ||
	    base64_decode(disk.data, disk.len, &inner, &n, NULL) != BASE64_OK)
		return false;
	f = format_of(inner, n);
	if (f == FORMAT_UNKNOWN || f == FORMAT_TEXT)
		return false;
	*ret = (struct finding){ .leg = LEG_CLIENT,
				 .kind = DAMAGE_BASE64_KEPT,
				 .sure = true,
				 .was_len = n,
				 .is_len = given.len };
	return true;
}

/* ---- the legs ---- */

/* The place is one in the decoded bytes. */
static void drop_encoded(struct finding *f, enum shape_encoding encoding)
{
	if (encoding != SHAPE_TEXT)
		f->was.len = 0;
}

bool find_write(struct finding *ret, struct copy given, enum shape_encoding encoding,
		const char *path, struct copy disk, bool plain)
{
	struct damage d = compare_given(given, encoding, disk);

	if (harmless(d.kind))
		return encoded_twice(ret, given, encoding, path, disk);
	if (d.kind == DAMAGE_BASE64_KEPT && is_named_text(path))
		return false;
	if (!weigh(ret, LEG_WRITE, &d, given, disk, plain))
		return false;
	drop_encoded(ret, encoding);
	return true;
}

bool find_read(struct finding *ret, struct copy disk, struct copy back, bool plain, bool whole)
{
	struct damage d = compare(disk, back);

	/* It was Latin-1, and was handed back as what it says. */
	if (d.kind == DAMAGE_UTF8_TWICE && !is_valid(disk))
		return false;
	if (!weigh(ret, LEG_READ, &d, disk, back, plain))
		return false;
	if (d.kind == DAMAGE_CUT && !whole)
		ret->sure = false;
	return true;
}

bool find_round(struct finding *ret, struct copy given, enum shape_encoding encoding,
		struct copy back, bool plain)
{
	struct damage d = compare_given(given, encoding, back);

	if (harmless(d.kind) || !weigh(ret, LEG_ROUND, &d, given, back, plain))
		return false;
	if (!back.len) /* emptied by whomever: nobody saw the disk */
		ret->sure = false;
	drop_encoded(ret, encoding);
	return true;
}

bool find_client(struct finding *ret, struct copy own, struct copy given)
{
	struct damage d = compare(own, given);

	if (d.kind != DAMAGE_REPLACED && d.kind != DAMAGE_UTF8_TWICE && d.kind != DAMAGE_DROPPED)
		return false;
	/* Latin-1 text that was read as what it is. */
	if (d.kind == DAMAGE_UTF8_TWICE && format_of(own.data, own.len) == FORMAT_UNKNOWN)
		return false;
	*ret = (struct finding){ .leg = LEG_CLIENT,
				 .kind = d.kind,
				 .sure = true,
				 .at = d.at,
				 .was_len = own.len,
				 .is_len = given.len,
				 .was = excerpt_of(own, d.at),
				 .is = excerpt_of(given, d.at) };
	return true;
}

/* ---- faults ---- */

int fault_add(struct call *c, enum cause cause, enum call_leg leg, bool sure, uint64_t at,
	      struct copy subject, const char *fmt, ...)
{
	struct call_fault f = { .cause = cause, .leg = leg, .sure = sure, .at = at };
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&f.say, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	if (redact_text(&f.subject, subject.data, subject.len, PATH_MAX) < 0) {
		free(f.say);
		return -ENOMEM;
	}
	return call_add_fault(c, &f);
}

static const char *const between[LEG_MAX][2] = {
	[LEG_NONE] = { "before", "after" },
	[LEG_CLIENT] = { "the client's own", "handed in" },
	[LEG_WRITE] = { "handed in", "on disk" },
	[LEG_READ] = { "on disk", "handed back" },
	[LEG_ROUND] = { "handed in", "handed back" },
};

/* A clause behind the sentence, or an empty one. NULL: no memory. */
static char *quote(const struct excerpt *e, size_t max, const char *where)
{
	size_t from = e->before > BEFORE(max) ? e->before - BEFORE(max) : 0;
	size_t len = e->len <= from ? 0 : e->len - from < max ? e->len - from : max;
	_cleanup_free_ char *escaped = util_escape((const char *)e->data + from, len);
	char *s = NULL;

	if (!escaped)
		return NULL;
	if (!len)
		return strdup("");
	return asprintf(&s, "; \"%s\" %s", escaped, where) < 0 ? NULL : s;
}

int finding_add(struct call *c, const struct finding *f, const char *path, size_t excerpt)
{
	_cleanup_free_ char *was = quote(&f->was, excerpt, between[f->leg][0]);
	_cleanup_free_ char *is = quote(&f->is, excerpt, between[f->leg][1]);

	if (!was || !is)
		return -ENOMEM;
	return fault_add(c, damage_cause(f->kind), f->leg, f->sure, f->at,
			 (struct copy){ path, strlen(path) },
			 "%s, from byte %llu on (%llu bytes %s, %llu %s)%s%s", damage_say(f->kind),
			 (unsigned long long)f->at, (unsigned long long)f->was_len,
			 between[f->leg][0], (unsigned long long)f->is_len, between[f->leg][1], was,
			 is);
}
