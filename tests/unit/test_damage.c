/* SPDX-License-Identifier: GPL-2.0-only */
/* What became of what: every kind of damage, its first byte, and what is none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "damage.h"

#define PNG "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\x90\x77\x93\xa3\xff"

/* Text with its length, NULs and all. */
#define S(s) s, sizeof(s) - 1

struct row {
	const char *given;
	size_t given_len;
	const char *got;
	size_t got_len;
	enum damage_kind kind;
	uint64_t at;
	bool cut;
};

static const struct row rows[] = {
	{ S("abc"), S("abc"), DAMAGE_NONE, 3, false },
	{ S(""), S(""), DAMAGE_NONE, 0, false },
	{ S("abc"), S("abc\n"), DAMAGE_NEWLINE, 3, false },
	{ S("abc\n\n"), S("abc"), DAMAGE_NEWLINE, 3, false },
	{ S("abc\r\n"), S("abc"), DAMAGE_NEWLINE, 3, false },
	{ S("abc"),
	  S("\xef\xbb\xbf"
	    "abc"),
	  DAMAGE_BOM_ADDED, 0, false },
	{ S("\xef\xbb\xbf"
	    "abc"),
	  S("abc"), DAMAGE_BOM_REMOVED, 0, false },
	/* cut at NUL, with what fputs() and echo leave */
	{ S("draft.md\0notes\0"), S("draft.md"), DAMAGE_NUL_CUT, 8, false },
	{ S("draft.md\0notes\0"), S("draft.md\n"), DAMAGE_NUL_CUT, 8, false },
	{ S("\0abc"), S(""), DAMAGE_NUL_CUT, 0, false },
	{ S("a\0b\0"), S("ab"), DAMAGE_NUL_DROPPED, 1, false },
	/* the three ways in which decoders count U+FFFD, and a split character */
	{ S("caf\xe9."), S("caf\xef\xbf\xbd."), DAMAGE_REPLACED, 3, false },
	{ S("a\xe2\x82z"), S("a\xef\xbf\xbdz"), DAMAGE_REPLACED, 1, false },
	{ S("a\xe2\x82z"), S("a\xef\xbf\xbd\xef\xbf\xbdz"), DAMAGE_REPLACED, 1, false },
	{ S("a\xff\xfe\xfdz"), S("a\xef\xbf\xbdz"), DAMAGE_REPLACED, 1, false },
	{ S("a\xc3\xa9z"), S("a\xef\xbf\xbd\xef\xbf\xbdz"), DAMAGE_REPLACED, 1, false },
	{ S("\xef\xbf\xbd\xff."), S("\xef\xbf\xbd\xef\xbf\xbd."), DAMAGE_REPLACED, 0, false },
	{ S(PNG),
	  S("\xef\xbf\xbdPNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\xef\xbf\xbdw\xef\xbf\xbd"
	    "\xef\xbf\xbd\xef\xbf\xbd"),
	  DAMAGE_REPLACED, 0, false },
	{ S(PNG), S("\xef\xbf\xbdPNG\r\n"), DAMAGE_REPLACED, 0, true },
	{ S("a\xff"
	    "b"),
	  S("ab"), DAMAGE_DROPPED, 1, false },
	{ S("caf\xc3\xa9"), S("caf?"), DAMAGE_QUESTION, 3, false },
	{ S("caf\xc3\xa9"), S("caf??"), DAMAGE_QUESTION, 3, false },
	{ S("caf\xc3\xa9!"), S("caf!"), DAMAGE_ASCII, 3, false },
	{ S("a\nb\n"), S("a\r\nb\r\n"), DAMAGE_LF_TO_CRLF, 1, false },
	{ S("a\r\nb\n"), S("a\r\nb\r\n"), DAMAGE_LF_TO_CRLF, 4, false },
	{ S("a\r\nb\r\n"), S("a\r\r\nb\r\r\n"), DAMAGE_LF_TO_CRLF, 2, false },
	{ S("a\n"), S("a\r\n"), DAMAGE_LF_TO_CRLF, 1, false },
	{ S("a\r\nb\r\n"), S("a\nb\n"), DAMAGE_CRLF_TO_LF, 1, false },
	{ S("a\rb\r\n"), S("a\nb\n"), DAMAGE_CRLF_TO_LF, 1, false },
	{ S("caf\xc3\xa9"), S("caf\xc3\x83\xc2\xa9"), DAMAGE_UTF8_TWICE, 3, false },
	/* U+20AC by way of Windows-1252 */
	{ S("\xe2\x82\xac"), S("\xc3\xa2\xe2\x80\x9a\xc2\xac"), DAMAGE_UTF8_TWICE, 0, false },
	{ S("caf\xc3\xa9"), S("caf\xe9"), DAMAGE_LATIN1, 3, false },
	{ S("hi"), S("h\0i\0"), DAMAGE_UTF16, 0, false },
	{ S("hi"), S("\xff\xfeh\0i\0"), DAMAGE_UTF16, 0, false },
	{ S("hi"), S("\xfe\xff\0h\0i"), DAMAGE_UTF16, 0, false },
	{ S("e\xcc\x81"), S("\xc3\xa9"), DAMAGE_NORMALIZED, 0, false },
	{ S("x\xc3\xa9"), S("xe\xcc\x81"), DAMAGE_NORMALIZED, 1, false },
	{ S("a\nb"), S("a\\nb"), DAMAGE_ESCAPED, 1, false },
	{ S("a\n\"b\""), S("a\\n\\\"b\\\""), DAMAGE_ESCAPED, 1, false },
	{ S("a\nb"), S("\"a\\nb\""), DAMAGE_ESCAPED, 1, false },
	{ S("ab"), S("\"ab\""), DAMAGE_ESCAPED, 0, false },
	{ S("a\nb\n"), S("\"a\\nb\\n\"\n"), DAMAGE_ESCAPED, 1, false },
	{ S("caf\xc3\xa9"), S("caf\\u00e9"), DAMAGE_ESCAPED, 3, false },
	{ S("a<b"), S("a&lt;b"), DAMAGE_ESCAPED, 1, false },
	{ S("a'\"b"), S("a&#x27;&quot;b"), DAMAGE_ESCAPED, 1, false },
	{ S("a'\"b"), S("a&#39;&#34;b"), DAMAGE_ESCAPED, 1, false },
	{ S("a b"), S("a%20b"), DAMAGE_ESCAPED, 1, false },
	{ S("a\\nb"), S("a\nb"), DAMAGE_UNESCAPED, 1, false },
	{ S("a\\u00e9b"),
	  S("a\xc3\xa9"
	    "b"),
	  DAMAGE_UNESCAPED, 1, false },
	{ S("hello"), S("aGVsbG8="), DAMAGE_BASE64_KEPT, 0, false },
	{ S("hello"), S("aGVsbG8"), DAMAGE_BASE64_KEPT, 0, false },
	{ S("aGVsbG8="), S("hello"), DAMAGE_BASE64_DECODED, 0, false },
	{ S("abcdef"), S("abc"), DAMAGE_CUT, 3, false },
	{ S("abcdef"), S(""), DAMAGE_CUT, 0, false },
	{ S("ab\xc3\xa9z"), S("ab\xef\xbf\xbd"), DAMAGE_REPLACED, 2, true },
	{ S("abcd"), S("a\0\0d"), DAMAGE_HOLES, 1, false },
	{ S("abcd"), S("abXd"), DAMAGE_BYTES, 2, false },
	{ S("abcd"), S("1: abcd"), DAMAGE_DIFFERENT, 0, false },
	{ S("abcd"), S("abcd ... [truncated]"), DAMAGE_DIFFERENT, 4, false },
	{ S("a\nb\n"), S("     1\ta\n     2\tb\n"), DAMAGE_DIFFERENT, 0, false },
	{ S(""), S("x"), DAMAGE_DIFFERENT, 0, false },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];
		struct damage d = damage_compare(r->given, r->given_len, r->got, r->got_len);

		if (d.kind != r->kind || d.at != r->at || d.cut != r->cut)
			fail_msg("row %zu: %s at %llu%s, not %s at %llu", i, damage_name(d.kind),
				 (unsigned long long)d.at, d.cut ? ", cut" : "",
				 damage_name(r->kind), (unsigned long long)r->at);
	}
}

/* Large ones are told by a part of them; how long that takes must not depend on who made them. */
static void test_large(void **state)
{
	size_t n = 4 << 20, m = 0;
	char *was = malloc(n), *is = malloc(2 * n);
	struct damage d;

	assert_non_null(was);
	assert_non_null(is);
	for (size_t i = 0; i < n; i++)
		was[i] = i % 50 == 49 ? '\n' : (char)('a' + i % 26);
	for (size_t i = 0; i < n; i++) {
		if (was[i] == '\n' && i > n / 2)
			is[m++] = '\r';
		is[m++] = was[i];
	}
	/* not from its beginning on, nor … */
	d = damage_compare(was, n, is, m);
	assert_int_equal(d.kind, DAMAGE_DIFFERENT);
	/* … by chance */
	for (size_t i = 0; i < n; i += 2) {
		was[i] = (char)0xc3;
		was[i + 1] = (char)0xa9;
	}
	memcpy(is + 1, was, n);
	is[0] = '#';
	d = damage_compare(was, n, is, n + 1);
	assert_int_equal(d.kind, DAMAGE_DIFFERENT);
	memcpy(is, was, n);
	is[n - 1] = '#';
	d = damage_compare(was, n, is, n);
	assert_int_equal(d.kind, DAMAGE_BYTES);
	assert_int_equal(d.at, n - 1);
	free(was);
	free(is);
}

static void test_round(void **state)
{
	static char text[70000];

	memset(text, 'x', sizeof(text));
	assert_true(damage_compare(text, sizeof(text), text, 65536).round);
	assert_true(damage_compare(text, sizeof(text), text, 1000).round);
	assert_true(damage_compare(text, sizeof(text), text, 255).round);
	assert_false(damage_compare(text, sizeof(text), text, 65537).round);
	assert_false(damage_compare(text, sizeof(text), text, 50).round);
	/* 1000 characters of two bytes */
	for (size_t i = 0; i < sizeof(text); i += 2) {
		text[i] = (char)0xc3;
		text[i + 1] = (char)0xa9;
	}
	assert_true(damage_compare(text, sizeof(text), text, 2000).round);
	assert_true(damage_compare(text, sizeof(text), text, 2 * 1234 + 2 * 66).round);
	assert_false(damage_compare(text, sizeof(text), text, 2 * 1234).round);
}

static void test_blocks(void **state)
{
	static char text[16384], other[16384 + 4096];
	struct damage d;

	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)('a' + (i * 7 + i / 512) % 26);
	memcpy(other, text, 4096);
	memcpy(other + 4096, text + 8192, 8192);
	d = damage_compare(text, sizeof(text), other, 12288);
	assert_int_equal(d.kind, DAMAGE_BLOCKS);
	assert_in_range(d.at, 4096, 4100);
	memcpy(other, text, 8192);
	memcpy(other + 8192, text + 4096, 12288);
	d = damage_compare(text, sizeof(text), other, 20480);
	assert_int_equal(d.kind, DAMAGE_BLOCKS);
	assert_in_range(d.at, 8192, 8200);
	/* a line less is an edit */
	memcpy(other, text, 100);
	memcpy(other + 100, text + 180, sizeof(text) - 180);
	d = damage_compare(text, sizeof(text), other, sizeof(text) - 80);
	assert_int_equal(d.kind, DAMAGE_DIFFERENT);
}

/* What a formatter or a mask does to a text of the same length. */
static void test_plain(void **state)
{
	assert_true(damage_compare(S("say 'a'"), S("say \"a\"")).plain);
	assert_true(damage_compare(S("key=abc"), S("key=***")).plain);
	assert_true(damage_compare(S("on 2024-01-01"), S("on 2025-12-31")).plain);
	assert_true(damage_compare(S("a\tb"), S("a b")).plain);
	assert_false(damage_compare(S("say 'a'"), S("say \"b\"")).plain);
	assert_false(damage_compare(S("abc"), S("ABC")).plain);
}

static void test_causes(void **state)
{
	assert_int_equal(damage_cause(DAMAGE_REPLACED), CAUSE_ENCODING_REPLACEMENT);
	assert_int_equal(damage_cause(DAMAGE_NUL_CUT), CAUSE_NULL_BYTE_PAYLOAD);
	assert_int_equal(damage_cause(DAMAGE_CUT), CAUSE_PAYLOAD_TRUNCATED);
	assert_int_equal(damage_cause(DAMAGE_BYTES), CAUSE_PAYLOAD_CORRUPTED);
	assert_int_equal(damage_cause(DAMAGE_DIFFERENT), CAUSE_MAX);
	for (int k = 0; k < DAMAGE_MAX; k++) {
		assert_non_null(damage_name(k));
		assert_non_null(damage_say(k));
	}
}

/* ---- base64 ---- */

static void check_base64(const char *s, int state, const char *want, size_t want_at)
{
	_cleanup_free_ uint8_t *out = NULL;
	size_t n, at;

	assert_int_equal(base64_decode(s, strlen(s), &out, &n, &at), state);
	if (want) {
		assert_int_equal(n, strlen(want));
		assert_memory_equal(out, want, n + 1);
	} else {
		assert_null(out);
		assert_int_equal(at, want_at);
	}
}

static void test_base64_dialects(void **state)
{
	static const struct {
		const char *s;
		size_t at; /* 99: standard */
	} all[] = {
		{ "aGVsbG8=", 99 },  { "aGVs\r\nbG8=\n", 99 },
		{ "/+4/", 99 },	     { "data:text/plain;base64,aGVsbG8=", 99 },
		{ "aGVsbG8", 7 },    { "/-4/", 1 },
		{ "aGVs\nbG_o", 7 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		size_t at, len = strlen(all[i].s);

		assert_int_equal(base64_is_standard(all[i].s, len, &at), all[i].at == 99);
		assert_int_equal(at, all[i].at == 99 ? len : all[i].at);
	}
}

static void test_base64(void **state)
{
	check_base64("aGVsbG8=", BASE64_OK, "hello", 0);
	check_base64("aGVsbG8", BASE64_OK, "hello", 0);
	check_base64("aGVs\r\nbG8=\n", BASE64_OK, "hello", 0);
	check_base64("_-4_", BASE64_OK, "\xff\xee\x3f", 0);
	check_base64("data:text/plain;base64,aGVsbG8=", BASE64_OK, "hello", 0);
	check_base64("", BASE64_EMPTY, "", 0);
	check_base64("aGVs!G8=", BASE64_ALPHABET, NULL, 4);
	check_base64("aGVsbG8==", BASE64_PADDING, NULL, 9);
	check_base64("aGVsb", BASE64_PADDING, NULL, 5);
	check_base64("aGVs=bG8", BASE64_PADDING, NULL, 5);
	assert_true(base64_likely(S("aGVsbG8gd29ybGQhIQ==")));
	assert_false(base64_likely(S("hello")));
	assert_false(base64_likely(S("helloworldhelloworld")));
	assert_false(base64_likely(S("{\"json\": [1, 2, 3, 4]}")));
}

/* ---- signs ---- */

static void test_signs(void **state)
{
	struct damage_signs s = damage_signs(S("\xef\xbf\xbdPNG\r\n\x1a\n\0\0"));

	assert_int_equal(s.magic, FORMAT_PNG);
	assert_int_equal(s.magic_by, DAMAGE_REPLACED);
	assert_int_equal(s.first, 0);
	assert_int_equal(s.replacements, 1);
	s = damage_signs(S("\xc2\x89PNG\r\n\x1a\n"));
	assert_int_equal(s.magic, FORMAT_PNG);
	assert_int_equal(s.magic_by, DAMAGE_UTF8_TWICE);
	s = damage_signs(S("\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\0\x10JFIF\0\1"));
	assert_int_equal(s.magic, FORMAT_JPEG);
	s = damage_signs(S("\x1f\xef\xbf\xbd\x08\0"));
	assert_int_equal(s.magic, FORMAT_GZIP);
	s = damage_signs(S("PK\3\4\x14\0 \xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd \xef\xbf\xbd"));
	assert_int_equal(s.magic, FORMAT_ZIP);
	/* whole, or text that only speaks of it */
	s = damage_signs(S("%PDF-1.7\r\n%\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\r\n1 0 obj"));
	assert_int_equal(s.magic, FORMAT_PDF);
	assert_int_equal(s.magic_by, DAMAGE_REPLACED);
	s = damage_signs(S("%PDF-1.4\n1 0 obj (\xef\xbf\xbd\xef\xbf\xbd is U+FFFD) endobj"));
	assert_int_equal(s.magic, FORMAT_UNKNOWN);
	assert_int_equal(damage_signs(S(PNG)).magic, FORMAT_UNKNOWN);
	assert_int_equal(damage_signs(S("PK\3\4\x14\0\x90\x80")).magic, FORMAT_UNKNOWN);
	s = damage_signs(S("U+FFFD is \xef\xbf\xbd, and so is \xef\xbf\xbd"));
	assert_int_equal(s.magic, FORMAT_UNKNOWN);
	assert_int_equal(s.replacements, 2);
	assert_int_equal(s.first, 10);
	assert_int_equal(damage_signs(S("\xef\xbf\xbd")).magic, FORMAT_UNKNOWN);
	assert_int_equal(damage_signs(S("\xef\xbf\xbd PNG is damaged")).magic, FORMAT_UNKNOWN);
	assert_int_equal(damage_signs("", 0).replacements, 0);
}

static void test_formats(void **state)
{
	assert_int_equal(format_of(S(PNG)), FORMAT_PNG);
	assert_int_equal(format_of(S("caf\xc3\xa9")), FORMAT_TEXT);
	assert_int_equal(format_of(S("caf\xe9")), FORMAT_UNKNOWN);
	assert_int_equal(format_of(S("a\0b")), FORMAT_UNKNOWN);
	assert_int_equal(format_of(S("RIFF\x10\0\0\0WEBPVP8 ")), FORMAT_WEBP);
	assert_int_equal(mime_fit("image/png", S(PNG)), MIME_FITS);
	assert_int_equal(mime_fit("Image/PNG; x=y", S(PNG)), MIME_FITS);
	assert_int_equal(mime_fit("image/png", S("\xff\xd8\xff\xe0")), MIME_OTHER);
	assert_int_equal(mime_fit("image/svg+xml", S("<svg/>")), MIME_UNKNOWN);
	assert_int_equal(mime_fit("text/plain", S(PNG)), MIME_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_round),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_base64_dialects),
		cmocka_unit_test(test_base64),
		cmocka_unit_test(test_signs),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
