/* SPDX-License-Identifier: GPL-2.0-only */
#include <unistr.h>

#include "damage_internal.h"

#define BOM	  "\xef\xbb\xbf"
#define BLOCK	  512
#define ROUND_MIN 100 /* a limit that people set */

static const struct {
	const char *name;
	const char *say;
	enum cause cause;
} kinds[] = {
	[DAMAGE_NONE] = { "none", "it is the same", CAUSE_MAX },
	[DAMAGE_NEWLINE] = { "newline", "newlines at its end differ", CAUSE_MAX },
	[DAMAGE_BOM_ADDED] = { "bom-added", "a byte order mark was put in front",
			       CAUSE_ENCODING_UTF8 },
	[DAMAGE_BOM_REMOVED] = { "bom-removed", "its byte order mark is gone", CAUSE_MAX },
	[DAMAGE_NUL_CUT] = { "nul-cut", "it ends where its first NUL stood",
			     CAUSE_NULL_BYTE_PAYLOAD },
	[DAMAGE_NUL_DROPPED] = { "nul-dropped", "its NUL bytes are gone", CAUSE_NULL_BYTE_PAYLOAD },
	[DAMAGE_REPLACED] = { "replaced", "U+FFFD stands where other bytes were",
			      CAUSE_ENCODING_REPLACEMENT },
	[DAMAGE_DROPPED] = { "dropped", "bytes that are not valid UTF-8 are gone",
			     CAUSE_ENCODING_UTF8 },
	[DAMAGE_QUESTION] = { "question", "question marks stand for all that is not ASCII",
			      CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_ASCII] = { "ascii", "all that is not ASCII is gone", CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_LF_TO_CRLF] = { "lf-to-crlf", "its line ends became CRLF", CAUSE_ENCODING_CRLF },
	[DAMAGE_CRLF_TO_LF] = { "crlf-to-lf", "its line ends were CRLF and became LF",
				CAUSE_ENCODING_CRLF },
	[DAMAGE_UTF8_TWICE] = { "utf8-twice", "its bytes were taken for Latin-1 and encoded again",
				CAUSE_ENCODING_UTF8 },
	[DAMAGE_LATIN1] = { "latin1", "it was written as Latin-1, which is not valid UTF-8",
			    CAUSE_ENCODING_UTF8 },
	[DAMAGE_UTF16] = { "utf16", "it was written as UTF-16", CAUSE_ENCODING_UTF8 },
	[DAMAGE_NORMALIZED] = { "normalized", "its characters are in another normalization",
				CAUSE_ENCODING_NORMALIZATION },
	[DAMAGE_ESCAPED] = { "escaped", "escape sequences stand as text", CAUSE_ENCODING_ESCAPED },
	[DAMAGE_UNESCAPED] = { "unescaped", "its text was taken for escape sequences and decoded",
			       CAUSE_ENCODING_ESCAPED },
	[DAMAGE_BASE64_KEPT] = { "base64-kept",
				 "base64 text stands there in place of what it encodes",
				 CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_BASE64_DECODED] = { "base64-decoded", "it was decoded from base64 once too often",
				    CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_CUT] = { "cut", "only its beginning is there", CAUSE_PAYLOAD_TRUNCATED },
	[DAMAGE_HOLES] = { "holes", "NUL bytes stand where others were", CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_BLOCKS] = { "blocks", "whole blocks of it are missing, or stand twice",
			    CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_BYTES] = { "bytes", "some of its bytes are others", CAUSE_PAYLOAD_CORRUPTED },
	[DAMAGE_DIFFERENT] = { "different", "it is another", CAUSE_MAX },
};
_Static_assert(ARRAY_SIZE(kinds) == DAMAGE_MAX, "every kind has a row");

const char *damage_name(enum damage_kind k)
{
	return (unsigned int)k < DAMAGE_MAX ? kinds[k].name : "unknown";
}

const char *damage_say(enum damage_kind k)
{
	return (unsigned int)k < DAMAGE_MAX ? kinds[k].say : "unknown";
}

enum cause damage_cause(enum damage_kind k)
{
	return (unsigned int)k < DAMAGE_MAX ? kinds[k].cause : CAUSE_MAX;
}

/* ---- bytes ---- */

bool bytes_only_newlines(struct bytes b)
{
	for (size_t i = 0; i < b.n; i++)
		if (b.p[i] != '\n' && b.p[i] != '\r')
			return false;
	return true;
}

size_t bytes_common(struct bytes a, struct bytes b)
{
	size_t max = a.n < b.n ? a.n : b.n, i = 0;

	while (max - i >= BLOCK && memcmp(a.p + i, b.p + i, BLOCK) == 0)
		i += BLOCK;
	while (i < max && a.p[i] == b.p[i])
		i++;
	return i;
}

size_t damage_start(struct bytes given, size_t common)
{
	size_t at = common > DAMAGE_BEFORE ? common - DAMAGE_BEFORE : 0;

	while (at > 0 && at < given.n && (given.p[at] & 0xc0) == 0x80)
		at--;
	if (at > 0 && given.p[at - 1] == '\r')
		at--;
	return at;
}

bool damage_walk(struct bytes given, struct bytes got, damage_step step, struct damage *d)
{
	uint8_t out[STEP_OUT];
	size_t i = damage_start(given, d->common), j = i, n, len = 0, at_j = 0;
	bool changed = false, cut = false;

	while (i < given.n && j < got.n) {
		if (changed && i - d->at > DAMAGE_AFTER && j - at_j > DAMAGE_AFTER)
			return true;
		size_t left = got.n - j;

		n = step(bytes_from(given, i), out, &len);
		if (!n)
			return false;
		if (len > left) { /* the last of it is there in part only */
			if (memcmp(got.p + j, out, left) != 0)
				return false;
			len = left;
			cut = true;
		} else if (len && memcmp(got.p + j, out, len) != 0) {
			break;
		}
		if (!changed && (len != n || memcmp(out, given.p + i, n) != 0)) {
			changed = true;
			d->at = i;
			at_j = j;
		}
		i += n;
		j += len;
	}
	if (j < got.n && !bytes_only_newlines(bytes_from(got, j)))
		return false;
	/* What `step` drops may be all that is left. */
	while (i < given.n && (n = step(bytes_from(given, i), out, &len)) > 0 && len == 0) {
		if (!changed)
			d->at = i;
		changed = true;
		i += n;
	}
	d->cut = cut || !bytes_only_newlines(bytes_from(given, i));
	return changed;
}

/* ---- simple ones ---- */

static bool is_newline(struct bytes given, struct bytes got, struct damage *d)
{
	size_t n = d->common;
	struct bytes was = bytes_from(given, n), is = bytes_from(got, n);

	if (!bytes_only_newlines(was) || !bytes_only_newlines(is))
		return false;
	if (was.n && is.n) /* not at their number: at their kind */
		return false;
	if (is.n && memchr(is.p, '\r', is.n))
		return false;
	d->kind = DAMAGE_NEWLINE;
	d->at = n;
	return true;
}

static bool is_bom(struct bytes given, struct bytes got, struct damage *d)
{
	d->at = 0;
	if (bytes_begin(got, BOM, 3) && bytes_same(bytes_from(got, 3), given))
		d->kind = DAMAGE_BOM_ADDED;
	else if (bytes_begin(given, BOM, 3) && bytes_same(bytes_from(given, 3), got))
		d->kind = DAMAGE_BOM_REMOVED;
	else
		return false;
	return true;
}

static bool is_nul_cut(struct bytes given, struct bytes got, struct damage *d)
{
	const uint8_t *nul = given.n ? memchr(given.p, '\0', given.n) : NULL;
	size_t n = nul ? (size_t)(nul - given.p) : 0;

	if (!nul || got.n < n || d->common < n || !bytes_only_newlines(bytes_from(got, n)))
		return false;
	d->kind = DAMAGE_NUL_CUT;
	d->at = n;
	return true;
}

/* ---- cuts, holes, blocks ---- */

static bool is_round(size_t n)
{
	bool power = n && (n & (n - 1)) == 0, below = ((n + 1) & n) == 0;

	return n >= ROUND_MIN && (power || below || n % BLOCK == 0 || n % 100 == 0);
}

static bool is_cut(struct bytes given, struct bytes got, struct damage *d)
{
	size_t n = d->common;
	struct bytes rest = bytes_from(got, n);

	/* The last character may have been cut in two, and its half been replaced. */
	if (n < given.n && bytes_begin(rest, REPLACEMENT, 3) && given.p[n] >= 0x80)
		rest = bytes_from(rest, 3);
	if (n == given.n || !bytes_only_newlines(rest))
		return false;
	d->kind = DAMAGE_CUT;
	d->at = n;
	d->round = is_round(n) || is_round(n + 1) || (n && is_round(u8_mbsnlen(given.p, n)));
	return true;
}

static bool may_be_meant(uint8_t was, uint8_t is)
{
	static const char quotes[] = "\"'`", blanks[] = " \t\r\n";

	if (!was || !is)
		return false;
	return (strchr(quotes, was) && strchr(quotes, is)) ||
	       (strchr(blanks, was) && strchr(blanks, is)) || strchr("*#xX", is) ||
	       (was >= '0' && was <= '9' && is >= '0' && is <= '9');
}

static bool is_bytes(struct bytes given, struct bytes got, struct damage *d)
{
	bool holes = true;

	if (given.n != got.n)
		return false;
	d->at = d->common;
	d->plain = true;
	for (size_t i = d->at; i < given.n; i++) {
		if (given.p[i] == got.p[i])
			continue;
		holes = holes && got.p[i] == '\0';
		d->plain = d->plain && may_be_meant(given.p[i], got.p[i]);
	}
	d->kind = holes ? DAMAGE_HOLES : DAMAGE_BYTES;
	return true;
}

static bool is_blocks(struct bytes given, struct bytes got, struct damage *d)
{
	size_t n = d->common;
	bool longer = got.n > given.n;
	size_t gap = longer ? got.n - given.n : given.n - got.n;
	struct bytes tail;

	if (gap % BLOCK != 0 || n < gap)
		return false;
	if (longer) /* what stands before it, once more */
		tail = (struct bytes){ given.p + n - gap, given.n - n + gap };
	else
		tail = bytes_from(given, n + gap > given.n ? given.n : n + gap);
	d->kind = DAMAGE_BLOCKS;
	d->at = n;
	return bytes_same(tail, bytes_from(got, n));
}

static bool is_same(struct bytes given, struct bytes got, struct damage *d)
{
	d->kind = DAMAGE_NONE;
	d->at = given.n;
	return bytes_same(given, got);
}

/* The first that explains it has the word: the more is known of how, the sooner. */
static bool (*const matchers[])(struct bytes, struct bytes, struct damage *) = {
	is_same,
	is_newline,
	is_bom,
	is_nul_cut,
	damage_is_line_ends,
	damage_is_replaced,
	damage_is_transcoded,
	damage_is_escaped,
	damage_is_base64,
	damage_is_normalized,
	is_cut,
	is_bytes,
	is_blocks,
};

struct damage damage_compare(const void *given, size_t given_len, const void *got, size_t got_len)
{
	const struct bytes a = { given, given_len }, b = { got, got_len };
	const size_t common = bytes_common(a, b);
	struct damage d;

	for (size_t i = 0; i < ARRAY_SIZE(matchers); i++) {
		d = (struct damage){ .common = common };
		if (matchers[i](a, b, &d))
			return d;
	}
	return (struct damage){ .kind = DAMAGE_DIFFERENT, .common = common, .at = common };
}
