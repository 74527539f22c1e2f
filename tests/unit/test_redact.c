/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "redact.h"

#define JWT                                                                                        \
	"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0T"

/* Texts, and what is kept of them; NULL: all. */
static const struct {
	const char *text, *kept;
} texts[] = {
	{ "", NULL },
	{ "ENOENT: no such file or directory, open '/srv/w/a.txt'", NULL },
	{ "Unexpected token: x is not valid", NULL },
	{ "Invalid session: expired", NULL },
	{ "Basic authentication is required", NULL },
	{ "The bearer of this", NULL },
	{ "task-0123456789-0123456789 is done", NULL },
	{ "https://example.org:8080/a@b?max_tokens=100", NULL },
	{ "curl -H 'Authorization: Bearer abc123def456'",
	  "curl -H 'Authorization: Bearer [redacted 12 bytes]'" },
	{ "authorization=Basic dXNlcjpwYXNz", "authorization=Basic [redacted 12 bytes]" },
	{ "key sk-abcdefghijklmnop1234 is wrong", "key [redacted 23 bytes] is wrong" },
	{ "sk-short", NULL },
	{ "(ghp_0123456789abcdefghijABCDEFGHIJ012345)", "([redacted 40 bytes])" },
	{ "github_pat_11ABCDEFG0123456789_abcdefgh", "[redacted 39 bytes]" },
	{ "xoxb-1234567890-abcdef", "[redacted 22 bytes]" },
	{ "AKIAIOSFODNN7EXAMPLE, again AKIAIOSFODNN7EXAMPLE",
	  "[redacted 20 bytes], again [redacted 20 bytes]" },
	{ "token " JWT " end", "token [redacted 87 bytes] end" },
	{ "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest",
	  "[redacted 66 bytes]\nrest" },
	{ "-----BEGIN PRIVATE KEY-----\nMIIE", "[redacted 32 bytes]" },
	{ "postgres://me:hunter2@db:5432/x", "postgres://me:[redacted 7 bytes]@db:5432/x" },
	{ "https://user@host/ and ftp://a:b@c",
	  "https://user@host/ and ftp://a:[redacted 1 bytes]@c" },
	{ "export API_KEY=abcd1234; run", "export API_KEY=[redacted 8 bytes]; run" },
	{ "{\"db_password\": \"hunter two\", \"a\": 1}",
	  "{\"db_password\": \"[redacted 6 bytes] two\", \"a\": 1}" },
	{ "{\\\"apiKey\\\":\\\"abcd\\\"}", "{\\\"apiKey\\\":\\\"[redacted 4 bytes]\\\"}" },
	{ "X-Api-Key: k1234567", "X-Api-Key: [redacted 8 bytes]" },
	{ "Cookie: sid=abc123456", "Cookie: [redacted 13 bytes]" },
	{ "PWD=/srv/w OLDPWD=/srv", NULL },
	{ "MYSQL_PWD=geheim", "MYSQL_PWD=[redacted 6 bytes]" },
};

static void test_texts(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *want = texts[i].kept ? texts[i].kept : texts[i].text;
		struct text t = { 0 };

		assert_int_equal(redact_text(&t, texts[i].text, strlen(texts[i].text), 1024), 0);
		assert_string_equal(t.data, want);
		assert_int_equal(t.len, strlen(want));
		text_free(&t);
	}
}

static const struct {
	const char *name;
	bool secret;
} names[] = {
	{ "password", true },	 { "Password", true },	    { "user_password", true },
	{ "dbPasswd", true },	 { "api_key", true },	    { "apiKey", true },
	{ "API-KEY", true },	 { "X-Api-Key", true },	    { "apikey", true },
	{ "secret", true },	 { "clientSecret", true },  { "access_token", true },
	{ "token", true },	 { "AUTHORIZATION", true }, { "cookie", true },
	{ "Set-Cookie", true },	 { "private_key", true },   { "credentials", true },
	{ "session", true },	 { "sessionId", true },	    { "auth", true },
	{ "path", false },	 { "key", false },	    { "author", false },
	{ "max_tokens", false }, { "tokenizer", false },    { "pwd", false },
	{ "content", false },	 { "sessions_dir", false },
};

static void test_names(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct json_object *o = json_object_new_object();
		char *s;

		json_object_object_add(o, names[i].name, json_object_new_string("abc"));
		s = redact_json(o, 1024, false);
		assert_non_null(s);
		if (!!strstr(s, "[redacted 3 bytes]") != names[i].secret ||
		    !!strstr(s, "abc") == names[i].secret)
			fail_msg("%s", s);
		free(s);
		json_object_put(o);
	}
}

static void want_json(const char *json, size_t max, bool shapes_only, const char *want)
{
	struct json_object *o = json_tokener_parse(json);
	char *s = redact_json(o, max, shapes_only);

	assert_non_null(s);
	assert_string_equal(s, want);
	free(s);
	json_object_put(o);
}

static void test_json(void **state)
{
	want_json("{\"path\":\"/a/b\",\"n\":[1,2.50,true,null],\"o\":{}}", 1024, false,
		  "{\"path\":\"/a/b\",\"n\":[1,2.50,true,null],\"o\":{}}");
	want_json(
		"{\"token\":12345,\"secret\":{\"a\":[1]},\"password\":null,\"cookie\":false}", 1024,
		false,
		"{\"token\":\"[redacted 5 bytes]\",\"secret\":\"[redacted 9 bytes]\",\"password\":"
		"null,\"cookie\":false}");
	want_json(
		"{\"command\":\"login --token=abcd1234\",\"q\":\"a\\\"\\nb\\u0000\"}", 1024, false,
		"{\"command\":\"login --token=[redacted 8 bytes]\",\"q\":\"a\\\"\\\\nb\\\\x00\"}");
	want_json("{\"path\":\"/a\",\"n\":1,\"b\":true,\"token\":\"abc\"}", 1024, true,
		  "{\"path\":\"[2 bytes]\",\"n\":\"[number]\",\"b\":true,\"token\":\"[redacted 3 "
		  "bytes]\"}");
	want_json("{\"path\":\"/a/b\",\"content\":\"cccc\"}", 20, false, "{\"path\":\"/a/b\",\"c…");
	want_json("null", 1024, false, "null");
	want_json("\"text\"", 1024, false, "\"text\"");
}

static void test_long_string(void **state)
{
	char json[500], want[200];
	char long_string[201];

	memset(long_string, 'a', 200);
	long_string[200] = '\0';
	snprintf(json, sizeof(json), "{\"content\":\"%s\",\"password\":\"%s\"}", long_string,
		 long_string);
	/* printf 'a%.0s' {1..200} | sha256sum */
	snprintf(want, sizeof(want),
		 "{\"content\":\"[200 bytes sha256:%s]\",\"password\":"
		 "\"[redacted 200 bytes]\"}",
		 "c2a908d9");
	want_json(json, 1024, false, want);
}

static void test_limits(void **state)
{
	struct text t = { 0 };
	size_t len = 1 << 20;
	char *big = malloc(len);

	assert_non_null(big);
	memset(big, 'x', len);
	memcpy(big + 90, " password=geheim99", 18);
	assert_int_equal(redact_text(&t, big, len, 100), 0);
	assert_int_equal(t.len, 100);
	assert_memory_equal(t.data + 90, " password=", 10);
	assert_int_equal(redact_text(&t, big, len, 105), 0);
	assert_string_equal(t.data + 100, "[reda");
	assert_int_equal(redact_text(&t, "\xc3\xa9\xc3\xa9", 4, 3), 0);
	assert_string_equal(t.data, "\xc3\xa9");
	assert_int_equal(redact_text(&t, "a\0b", 3, 10), 0);
	assert_int_equal(t.len, 3);
	text_free(&t);
	free(big);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),  cmocka_unit_test(test_names),
		cmocka_unit_test(test_json),   cmocka_unit_test(test_long_string),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
