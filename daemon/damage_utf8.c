/* SPDX-License-Identifier: GPL-2.0-only */
/* What decoders and encoders of text do to bytes. */
#include <uninorm.h>
#include <unistr.h>

#include "damage_internal.h"

#define SPLIT_MAX	4	   /* bytes of a character, each of which may become a U+FFFD */
#define NORMALIZE_BYTES (64 << 10) /* normalization takes memory and time */

size_t utf8_char(struct bytes rest)
{
	ucs4_t c;
	int n = rest.n ? u8_mbtoucr(&c, rest.p, rest.n) : 0;

	return n > 0 ? (size_t)n : 0;
}

bool utf8_valid(struct bytes b)
{
	return b.n == 0 || !u8_check(b.p, b.n);
}

/* ---- replacement ---- */

static size_t count_replacements(struct bytes b)
{
	size_t n = 0;

	while (bytes_begin(bytes_from(b, n * 3), REPLACEMENT, 3))
		n++;
	return n;
}

/* Bytes in front that are no UTF-8, and genuine U+FFFD between them: their length, and between how
 * many and how many U+FFFD a decoder makes of them. The WHATWG's makes one of a maximal subpart,
 * others one of every byte, or one of the whole stretch. */
static size_t invalid_stretch(struct bytes b, size_t *least, size_t *most)
{
	size_t at = 0, run = 0;

	*least = *most = 0;
	while (at < b.n) {
		if (bytes_begin(bytes_from(b, at), REPLACEMENT, 3)) {
			++*least;
			++*most;
			at += 3;
			run = 0;
		} else if (!utf8_char(bytes_from(b, at))) {
			*least += run++ == 0;
			++*most;
			at++;
		} else {
			break;
		}
	}
	return at;
}

/* A character that was split between two pieces, each decoded by itself. */
static size_t split_char(struct bytes b, size_t replacements)
{
	size_t n = utf8_char(b);

	return n > 1 && replacements <= SPLIT_MAX && replacements <= n ? n : 0;
}

/* Consumes a run of U+FFFD in `got` and what it stands for in `given`: false where that can't
 * be. */
static bool take_run(struct bytes given, struct bytes got, size_t *i, size_t *j, bool *changed)
{
	struct bytes rest = bytes_from(given, *i);
	size_t least, most, n, r = count_replacements(bytes_from(got, *j));

	*j += r * 3;
	n = invalid_stretch(rest, &least, &most);
	if (r >= least && r <= most) {
		*changed |= n != r * 3 || memcmp(rest.p, got.p + *j - r * 3, n) != 0;
		*i += n;
		return true;
	}
	/* `got` may end within the run. */
	if (*j == got.n && r < least) {
		*changed = true;
		return true;
	}
	n = n ? 0 : split_char(rest, r);
	*i += n;
	*changed |= n > 0;
	return n > 0;
}

bool damage_is_replaced(struct bytes given, struct bytes got, struct damage *d)
{
	size_t i = damage_start(given, d->common), j = i, n;
	bool changed = false, before;

	while (j < got.n && i < given.n && !(changed && i - d->at > DAMAGE_AFTER)) {
		if (bytes_begin(bytes_from(got, j), REPLACEMENT, 3)) {
			size_t at = i;

			before = changed;
			if (!take_run(given, got, &i, &j, &changed))
				return false;
			if (changed && !before)
				d->at = at;
			continue;
		}
		n = utf8_char(bytes_from(given, i));
		if (!n || !bytes_begin(bytes_from(got, j), given.p + i, n))
			break;
		i += n;
		j += n;
	}
	if (changed && i - d->at > DAMAGE_AFTER) {
		d->kind = DAMAGE_REPLACED;
		return true;
	}
	if (!changed || (j < got.n && !bytes_only_newlines(bytes_from(got, j))))
		return false;
	d->kind = DAMAGE_REPLACED;
	d->cut = i < given.n && !bytes_only_newlines(bytes_from(given, i));
	return true;
}

/* ---- other encodings ---- */

static size_t put(uint8_t *out, size_t *len, ucs4_t c)
{
	int n = u8_uctomb(out, c, STEP_OUT);

	*len = n > 0 ? (size_t)n : 0;
	return *len;
}

static size_t step_latin1(struct bytes rest, uint8_t *out, size_t *len)
{
	return put(out, len, rest.p[0]) ? 1 : 0;
}

/* Windows-1252 where it differs from Latin-1; its five holes stay what they are, as the
 * WHATWG's. */
static size_t step_cp1252(struct bytes rest, uint8_t *out, size_t *len)
{
	static const uint16_t high[32] = {
		0x20ac, 0x81,	0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
		0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8d,	0x017d, 0x8f,
		0x90,	0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
		0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0x9d,	0x017e, 0x0178,
	};
	uint8_t c = rest.p[0];

	return put(out, len, c >= 0x80 && c < 0xa0 ? high[c - 0x80] : c) ? 1 : 0;
}

static size_t character(struct bytes rest, ucs4_t *c)
{
	int n = u8_mbtoucr(c, rest.p, rest.n);

	return n > 0 ? (size_t)n : 0;
}

static size_t step_to_latin1(struct bytes rest, uint8_t *out, size_t *len)
{
	ucs4_t c;
	size_t n = character(rest, &c);

	out[0] = (uint8_t)c;
	*len = 1;
	return n && c < 0x100 ? n : 0;
}

static size_t utf16(struct bytes rest, uint8_t *out, size_t *len, int high)
{
	uint16_t units[2];
	ucs4_t c;
	size_t n = character(rest, &c);
	int k = n ? u16_uctomb(units, c, 2) : 0;

	for (int i = 0; i < k; i++) {
		out[2 * i + high] = (uint8_t)(units[i] >> 8);
		out[2 * i + 1 - high] = (uint8_t)units[i];
	}
	*len = k > 0 ? 2 * (size_t)k : 0;
	return k > 0 ? n : 0;
}

static size_t step_utf16le(struct bytes rest, uint8_t *out, size_t *len)
{
	return utf16(rest, out, len, 1);
}

static size_t step_utf16be(struct bytes rest, uint8_t *out, size_t *len)
{
	return utf16(rest, out, len, 0);
}

/* One for a character, or for a byte where there is none. */
static size_t step_question(struct bytes rest, uint8_t *out, size_t *len)
{
	size_t n = utf8_char(rest);

	out[0] = rest.p[0] < 0x80 ? rest.p[0] : '?';
	*len = 1;
	return n ? n : 1;
}

static size_t step_question_byte(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = rest.p[0] < 0x80 ? rest.p[0] : '?';
	*len = 1;
	return 1;
}

static size_t step_ascii(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = rest.p[0];
	*len = rest.p[0] < 0x80;
	return 1;
}

static size_t step_no_invalid(struct bytes rest, uint8_t *out, size_t *len)
{
	size_t n = utf8_char(rest);

	memcpy(out, rest.p, n);
	*len = n;
	return n ? n : 1;
}

static size_t step_no_nul(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = rest.p[0];
	*len = rest.p[0] != '\0';
	return 1;
}

static const struct {
	damage_step step;
	enum damage_kind kind;
	const char *bom; /* may stand in front of `got` */
} transcodings[] = {
	{ step_no_nul, DAMAGE_NUL_DROPPED, "" },    { step_latin1, DAMAGE_UTF8_TWICE, "" },
	{ step_cp1252, DAMAGE_UTF8_TWICE, "" },	    { step_to_latin1, DAMAGE_LATIN1, "" },
	{ step_question, DAMAGE_QUESTION, "" },	    { step_question_byte, DAMAGE_QUESTION, "" },
	{ step_no_invalid, DAMAGE_DROPPED, "" },    { step_ascii, DAMAGE_ASCII, "" },
	{ step_utf16le, DAMAGE_UTF16, "\xff\xfe" }, { step_utf16be, DAMAGE_UTF16, "\xfe\xff" },
};

bool damage_is_transcoded(struct bytes given, struct bytes got, struct damage *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(transcodings); i++) {
		size_t bom = strlen(transcodings[i].bom);

		if (!bytes_begin(got, transcodings[i].bom, bom))
			bom = 0;
		if (bom) /* `got` begins elsewhere then */
			d->common = 0;
		if (!damage_walk(given, bytes_from(got, bom), transcodings[i].step, d))
			continue;
		d->kind = transcodings[i].kind;
		return true;
	}
	return false;
}

/* ---- normalization ---- */

bool damage_is_normalized(struct bytes given, struct bytes got, struct damage *d)
{
	const uninorm_t forms[] = { UNINORM_NFC, UNINORM_NFD, UNINORM_NFKC, UNINORM_NFKD };

	if (!given.n || given.n > NORMALIZE_BYTES || !got.n || got.n > NORMALIZE_BYTES ||
	    !utf8_valid(given) || !utf8_valid(got))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		size_t n = 0;
		_cleanup_free_ uint8_t *made = u8_normalize(forms[i], given.p, given.n, NULL, &n);

		if (made && bytes_same((struct bytes){ made, n }, got)) {
			d->kind = DAMAGE_NORMALIZED;
			d->at = d->common;
			return true;
		}
	}
	return false;
}
