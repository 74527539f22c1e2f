/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rpc.h"

#define BIT(x) (1u << RPC_STRING_##x)

static const struct {
	const char *s;
	size_t len;
	uint32_t mask;
	size_t at; /* of the only one; of several the least */
} strings[] = {
#define STRING(s, mask, at)                                                                        \
	{                                                                                          \
		s, sizeof(s) - 1, mask, at                                                         \
	}
	STRING("", 0, 0),
	STRING("caf\xc3\xa9\n\r\t 100% \\ \\s", 0, 0),
	STRING("a\0b\0", BIT(NUL), 1),
	STRING("caf\xe9", BIT(INVALID_UTF8), 3),
	STRING("caf\xc3", BIT(INVALID_UTF8), 3),
	STRING("\xef\xbf\xbdPNG", BIT(REPLACEMENT), 0),
	STRING("a\\nb", BIT(ESCAPED), 1),
	STRING("a\\u0000b", BIT(ESCAPED), 1),
	STRING("a\\u00", 0, 0),
	STRING("a\\x41", BIT(ESCAPED), 1),
	STRING("a%20b", BIT(ESCAPED), 1),
	STRING("a%2Fb", BIT(ESCAPED), 1),
	STRING("frame%03d.png", 0, 0),
	STRING("a\r\nb", BIT(CRLF), 1),
	STRING("x\0\xff\xef\xbf\xbd\r\n\\n",
	       BIT(NUL) | BIT(INVALID_UTF8) | BIT(REPLACEMENT) | BIT(CRLF) | BIT(ESCAPED), 1),
};

static void test_faults(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		struct rpc_string_at at = { 0 };
		uint32_t mask = rpc_string_faults(strings[i].s, strings[i].len, &at);
		size_t least = SIZE_MAX;

		for (int k = 0; k < RPC_STRING_MAX; k++)
			if ((mask & (1u << k)) && at.at[k] < least)
				least = at.at[k];
		if (mask != strings[i].mask || (mask && least != strings[i].at))
			fail_msg("row %zu: %#x at %zu", i, mask, least);
		assert_int_equal(rpc_string_faults(strings[i].s, strings[i].len, NULL), mask);
	}
}

static const struct {
	const char *s;
	ssize_t at;
} base64[] = {
	{ "", -1 },	{ "YQ==", -1 },	      { "YWI=", -1 },
	{ "YWJj", -1 }, { "YWJ\r\nj\n", -1 }, { "YQ", -1 },
	{ "_-_-", -1 }, { "Y", 1 },	      { "YQ=", 3 },
	{ "YQ===", 4 }, { "=", 0 },	      { "YWJj=", 4 },
	{ "YW!j", 2 },	{ "YQ==YQ==", 4 },    { "data:image/png;base64,YQ==", 4 },
};

static void test_base64(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(base64); i++)
		if (rpc_base64_fault(base64[i].s, strlen(base64[i].s)) != base64[i].at)
			fail_msg("%s: %zd", base64[i].s,
				 rpc_base64_fault(base64[i].s, strlen(base64[i].s)));
}

struct list {
	char text[512];
	const char *stop;
};

static int list(const char *pointer, const char *s, size_t len, void *arg)
{
	struct list *l = arg;
	size_t n = strlen(l->text);

	assert_int_equal(s[len], '\0');
	snprintf(l->text + n, sizeof(l->text) - n, "%s=%zu ", pointer, len);
	return l->stop && strcmp(pointer, l->stop) == 0 ? 7 : 0;
}

static void test_walk(void **state)
{
	struct json_object *o = json_tokener_parse(
		"{\"a\":\"x\",\"b\":[1,\"yy\",{\"c/d\":\"zzz\",\"~\":\"\\u0000\"}],\"\":\"\"}");
	struct list l = { 0 };

	assert_non_null(o);
	assert_int_equal(rpc_each_string(o, list, &l), 0);
	assert_string_equal(l.text, "/a=1 /b/1=2 /b/2/c~1d=3 /b/2/~0=1 /=0 ");
	l = (struct list){ .stop = "/b/1" };
	assert_int_equal(rpc_each_string(o, list, &l), 7);
	assert_string_equal(l.text, "/a=1 /b/1=2 ");
	l = (struct list){ 0 };
	assert_int_equal(rpc_each_string(json_object_object_get(o, "a"), list, &l), 0);
	assert_string_equal(l.text, "=1 ");
	assert_int_equal(rpc_each_string(NULL, list, &l), 0);
	json_object_put(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_base64),
		cmocka_unit_test(test_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
