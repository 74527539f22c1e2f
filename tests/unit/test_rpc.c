/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rpc.h"

/* One object of a message, as text. */
struct seen {
	enum rpc_kind kind;
	char id[64], method[64], message[64], params[256], result[256];
	int code;
	uint32_t raw;
	size_t raw_at, batch;
	bool partial;
};

struct all {
	struct seen s[16];
	size_t n;
};

static void copy(char *to, size_t size, const char *s)
{
	snprintf(to, size, "%s", s ? s : "");
}

static void copy_json(char *to, size_t size, struct json_object *o)
{
	copy(to, size, o ? json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN) : NULL);
}

static void take(const struct rpc *r, void *arg)
{
	struct all *all = arg;
	struct seen *s = &all->s[all->n++];

	assert_true(all->n <= ARRAY_SIZE(all->s));
	*s = (struct seen){ .kind = r->kind,
			    .code = r->code,
			    .raw = r->raw,
			    .raw_at = r->raw_at,
			    .batch = r->batch,
			    .partial = r->partial };
	copy(s->id, sizeof(s->id), r->id);
	copy(s->method, sizeof(s->method), r->method);
	copy(s->message, sizeof(s->message), r->message);
	copy_json(s->params, sizeof(s->params), r->params);
	copy_json(s->result, sizeof(s->result), r->result);
}

static void parse_message(struct all *all, const struct wire_message *m)
{
	int n;

	*all = (struct all){ 0 };
	n = rpc_parse(m, take, all);
	assert_int_equal(n, all->n);
}

static void parse(struct all *all, const char *text, size_t len)
{
	struct wire_message m = { .data = text, .len = len, .total = len, .gap = len, .tail = len };

	parse_message(all, &m);
}

#define V "\"jsonrpc\":\"2.0\""

static const struct {
	const char *text;
	enum rpc_kind kind;
	const char *id, *method;
	int code;
} kinds[] = {
	{ "{" V ",\"id\":7,\"method\":\"tools/list\"}", RPC_REQUEST, "7", "tools/list", 0 },
	{ "{\"method\":\"ping\",\"params\":{}," V ",\"id\":\"a/b\"}", RPC_REQUEST, "\"a/b\"",
	  "ping", 0 },
	{ "{" V ",\"method\":\"notifications/initialized\"}", RPC_NOTIFICATION, "",
	  "notifications/initialized", 0 },
	{ "{\"result\":{}," V ",\"id\":1}", RPC_RESULT, "1", "", 0 },
	{ "{\"result\":null," V ",\"id\":1}", RPC_RESULT, "1", "", 0 },
	{ "{" V ",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"no\"}}", RPC_ERROR, "1", "",
	  -32601 },
	{ "{" V ",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"no\"}}", RPC_ERROR, "", "",
	  -32700 },
	{ " {" V ",\"id\":1,\"result\":{}} \t", RPC_RESULT, "1", "", 0 },
	{ "{" V ",\"id\":1.5,\"result\":NaN}", RPC_RESULT, "1.5", "", 0 },
	{ "{" V ",\"id\":1,\"method\":\"a\",\"method\":\"b\"}", RPC_REQUEST, "1", "b", 0 },
	/* JSON, and no JSON-RPC */
	{ "{}", RPC_INVALID, "", "", 0 },
	{ "[]", RPC_INVALID, "", "", 0 },
	{ "12", RPC_INVALID, "", "", 0 },
	{ "\"text\"", RPC_INVALID, "", "", 0 },
	{ "null", RPC_INVALID, "", "", 0 },
	{ "{\"id\":1,\"method\":\"ping\"}", RPC_INVALID, "1", "ping", 0 },
	{ "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", RPC_INVALID, "1", "ping", 0 },
	{ "{\"jsonrpc\":2.0,\"id\":1,\"method\":\"ping\"}", RPC_INVALID, "1", "ping", 0 },
	{ "{" V ",\"id\":null,\"method\":\"ping\"}", RPC_INVALID, "", "ping", 0 },
	{ "{" V ",\"id\":[1],\"method\":\"ping\"}", RPC_INVALID, "", "ping", 0 },
	{ "{" V ",\"id\":1,\"method\":5}", RPC_INVALID, "1", "", 0 },
	{ "{" V ",\"id\":1,\"method\":\"a\",\"params\":\"b\"}", RPC_INVALID, "1", "a", 0 },
	{ "{" V ",\"id\":1}", RPC_INVALID, "1", "", 0 },
	{ "{" V ",\"result\":{}}", RPC_INVALID, "", "", 0 },
	{ "{" V ",\"id\":1,\"result\":{},\"error\":{\"code\":1}}", RPC_INVALID, "1", "", 1 },
	{ "{" V ",\"id\":1,\"error\":{\"message\":\"no\"}}", RPC_INVALID, "1", "", 0 },
	/* no JSON; what could be read of it is told */
	{ "Server started", RPC_NOT_JSON, "", "", 0 },
	{ "{" V ",\"id\":1,\"result\":{}}x", RPC_NOT_JSON, "1", "", 0 },
	{ "{" V ",\"id\":3,\"method\":\"tools/call\",\"params\":{\"a\":}}", RPC_NOT_JSON, "3",
	  "tools/call", 0 },
	{ "{'jsonrpc':'2.0'}", RPC_NOT_JSON, "", "", 0 },
	{ "{" V ",\"id\":01}", RPC_NOT_JSON, "", "", 0 },
	{ "{" V ",\"id\":1,}", RPC_NOT_JSON, "1", "", 0 },
	{ "{" V ",\"id\":1", RPC_NOT_JSON, "", "", 0 },
	{ "{" V ",\"id\":1,\"a\":\"\\x\"}", RPC_NOT_JSON, "1", "", 0 },
	{ "{" V ",\"id\":1,\"a\":\"b\tc\"}", RPC_NOT_JSON, "1", "", 0 },
	{ "{" V ",\"id\":1}{}", RPC_NOT_JSON, "1", "", 0 },
	{ "{" V ",\"id\":1.}", RPC_NOT_JSON, "", "", 0 },
	{ "[1,2", RPC_NOT_JSON, "", "", 0 },
	{ "{\"a\":tru}", RPC_NOT_JSON, "", "", 0 },
	{ "\xef\xbb\xbf{" V ",\"id\":1,\"result\":{}}", RPC_NOT_JSON, "1", "", 0 },
	{ "\x80", RPC_NOT_JSON, "", "", 0 },
};

static void test_kinds(void **state)
{
	struct all all;

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		parse(&all, kinds[i].text, strlen(kinds[i].text));
		if (all.n != 1 || all.s[0].kind != kinds[i].kind || all.s[0].partial ||
		    strcmp(all.s[0].id, kinds[i].id) != 0 ||
		    strcmp(all.s[0].method, kinds[i].method) != 0 || all.s[0].code != kinds[i].code)
			fail_msg("%s: %zu objects, kind %d, id %s, method %s, code %d",
				 kinds[i].text, all.n, all.s[0].kind, all.s[0].id, all.s[0].method,
				 all.s[0].code);
	}
}

static void test_members(void **state)
{
	struct all all;
	static const char text[] =
		"{" V ",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"x\","
		"\"arguments\":{\"path\":\"a\\u0000b\"}}}";

	parse(&all, text, sizeof(text) - 1);
	assert_string_equal(all.s[0].params,
			    "{\"name\":\"x\",\"arguments\":{\"path\":\"a\\u0000b\"}}");
	assert_false(all.s[0].partial);
	assert_int_equal(all.s[0].raw, 0);
	parse(&all, "", 0);
	assert_int_equal(all.n, 0);
}

static void test_batch(void **state)
{
	struct all all;
	static const char text[] =
		"[{" V ",\"id\":1,\"method\":\"a\"},{" V ",\"method\":\"b\"},3,[],"
		"{" V ",\"id\":2,\"result\":{}}]";
	static const enum rpc_kind want[] = { RPC_REQUEST, RPC_NOTIFICATION, RPC_INVALID,
					      RPC_INVALID, RPC_RESULT };

	parse(&all, text, sizeof(text) - 1);
	assert_int_equal(all.n, ARRAY_SIZE(want));
	for (size_t i = 0; i < all.n; i++) {
		assert_int_equal(all.s[i].kind, want[i]);
		assert_int_equal(all.s[i].batch, all.n);
	}
}

static const struct {
	const char *text;
	size_t len;
	uint32_t raw;
	size_t at;
} raws[] = {
#define RAW(s, mask, at)                                                                           \
	{                                                                                          \
		s, sizeof(s) - 1, mask, at                                                         \
	}
	RAW("{\"a\":\"\xc3\xa9\xf0\x9f\x98\x80\\ud83d\\ude00\"}", 0, 0),
	RAW("{\"a\":\"x\xe9y\"}", RPC_RAW_INVALID_UTF8, 7),
	RAW("{\"a\":\"\xed\xa0\x80\"}", RPC_RAW_INVALID_UTF8, 6),
	RAW("{\"a\":\"\\ud800\"}", RPC_RAW_LONE_SURROGATE, 6),
	RAW("{\"a\":\"\\udc00\\ud800\"}", RPC_RAW_LONE_SURROGATE, 6),
	RAW("{\"a\":\"\\ud83d\\ude0g\"}", RPC_RAW_LONE_SURROGATE, 6),
	RAW("{\"\\uD800\\u0041\":1}", RPC_RAW_LONE_SURROGATE, 2),
	RAW("{\"a\":\"b\0c\"}", RPC_RAW_CONTROL, 7),
	RAW("{\"a\":\"\x1f\"}", RPC_RAW_CONTROL, 6),
	RAW("\xef\xbb\xbf{}", RPC_RAW_BOM, 0),
	RAW("{\"a\":-Infinity}", RPC_RAW_LENIENT, 5),
	RAW("{\"a\":[NaN,\"\\ud800\"]}", RPC_RAW_LENIENT | RPC_RAW_LONE_SURROGATE, 6),
};

static void test_raw(void **state)
{
	struct all all;

	for (size_t i = 0; i < ARRAY_SIZE(raws); i++) {
		parse(&all, raws[i].text, raws[i].len);
		if (all.n != 1 || all.s[0].raw != raws[i].raw || all.s[0].raw_at != raws[i].at)
			fail_msg("%s: %#x at %zu", raws[i].text, all.s[0].raw, all.s[0].raw_at);
	}
}

/* A message of which `lost` bytes from `gap` on were not had. */
static void parse_cut(struct all *all, const char *text, size_t gap, size_t lost)
{
	size_t len = strlen(text) - lost;
	char *data = malloc(len + 1);
	struct wire_message m = {
		.data = data, .len = len, .total = len + lost, .cut = true, .gap = gap, .tail = gap
	};

	assert_non_null(data);
	memcpy(data, text, gap);
	memcpy(data + gap, text + gap + lost, len - gap + 1);
	parse_message(all, &m);
	free(data);
}

static void test_cut_in_the_middle(void **state)
{
	static const char sdk[] =
		"{\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"aaaaaaaaaaaaa\"}],"
		"\"isError\":true}," V ",\"id\":\"q 1\"}";
	static const char python[] =
		"{" V ",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":"
		"\"write\",\"arguments\":{\"path\":\"f\",\"content\":\"bbbbbbbb\"}}}";
	static const char python_result[] =
		"{" V ",\"id\":7,\"result\":{\"content\":[{\"text\":\"bb\"}],"
		"\"isError\" : false } }";
	struct all all;

	parse_cut(&all, sdk, 50, 10);
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_true(all.s[0].partial);
	assert_string_equal(all.s[0].id, "\"q 1\"");
	assert_string_equal(all.s[0].result,
			    "{\"content\":[{\"type\":\"text\"}],\"isError\":true}");
	parse_cut(&all, python, strlen(python) - 12, 6);
	assert_int_equal(all.s[0].kind, RPC_REQUEST);
	assert_string_equal(all.s[0].id, "7");
	assert_string_equal(all.s[0].method, "tools/call");
	assert_string_equal(all.s[0].params, "{\"name\":\"write\",\"arguments\":{\"path\":\"f\"}}");
	parse_cut(&all, python_result, strlen(python_result) - 30, 6);
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_string_equal(all.s[0].result, "{\"content\":[{}],\"isError\":false}");
}

static void test_cut_at_the_end(void **state)
{
	static const char request[] = "{\"method\":\"tools/call\",\"params\":{\"name\":\"write\"";
	static const char notification[] = "{\"method\":\"notifications/message\",\"params\":{\"da";
	static const char batch[] =
		"[{" V ",\"id\":1,\"method\":\"a\"},{" V ",\"id\":2,\"method\":\"b\",";
	static const char whole[] = "{" V ",\"id\":1,\"result\":{}}";
	struct all all;

	parse_cut(&all, request, strlen(request), 0);
	assert_int_equal(all.s[0].kind, RPC_REQUEST);
	assert_string_equal(all.s[0].id, "");
	assert_string_equal(all.s[0].params, "{\"name\":\"write\"}");
	parse_cut(&all, notification, strlen(notification), 0);
	assert_int_equal(all.s[0].kind, RPC_NOTIFICATION);
	assert_true(all.s[0].partial);
	parse_cut(&all, batch, strlen(batch), 0);
	assert_int_equal(all.n, 2);
	assert_int_equal(all.s[0].kind, RPC_REQUEST);
	assert_false(all.s[0].partial);
	assert_int_equal(all.s[1].kind, RPC_REQUEST);
	assert_true(all.s[1].partial);
	assert_string_equal(all.s[1].id, "2");
	parse_cut(&all, whole, strlen(whole), 0);
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_false(all.s[0].partial);
	parse_cut(&all, "[", 1, 0);
	assert_true(all.s[0].partial);
}

static void test_cut_at_the_beginning(void **state)
{
	static const char end[] = "{\"a\":1}\"}]}," V ",\"id\":4}";
	static const char answer[] = "xx\"}]},\"error\":\"y\"," V ",\"id\":4}";
	struct all all;

	parse_cut(&all, end, 0, 0);
	assert_int_equal(all.n, 1);
	assert_int_equal(all.s[0].kind, RPC_INVALID);
	assert_true(all.s[0].partial);
	assert_string_equal(all.s[0].id, "4");
	parse_cut(&all, answer, 0, 0);
	assert_int_equal(all.s[0].kind, RPC_ERROR);
	parse_cut(&all, "{" V ",\"id\":4,\"result\":{}}", 0, 0);
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_false(all.s[0].partial);
}

/* `n` times `unit` between `begin` and `end`. */
static void parse_many(struct all *all, const char *begin, const char *unit, size_t n,
		       const char *end)
{
	char *text = NULL;
	size_t len = 0;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	fputs(begin, to);
	for (size_t i = 0; i < n; i++)
		fputs(unit, to);
	fputs(end, to);
	assert_int_equal(fclose(to), 0);
	parse(all, text, len);
	free(text);
}

static void test_bombs(void **state)
{
	struct all all;

	parse_many(&all, "{\"method\":\"a\",\"params\":", "[", 1 << 20, "");
	assert_int_equal(all.s[0].kind, RPC_REQUEST);
	assert_true(all.s[0].partial);
	assert_int_equal(all.s[0].raw, RPC_RAW_TOO_BIG);
	parse_many(&all, "{" V ",\"method\":\"a\",\"id\":5,\"params\":[", "[],", 1 << 20, "1]}");
	assert_int_equal(all.s[0].raw, RPC_RAW_TOO_BIG);
	assert_string_equal(all.s[0].method, "a");
	assert_string_equal(all.s[0].id, "5");
	parse_many(&all, "{\"params\":[", "{},", 1 << 20, "1],\"method\":\"a\",\"id\":5," V "}");
	assert_string_equal(all.s[0].method, "a");
	assert_string_equal(all.s[0].id, "5");
	parse_many(&all, "{" V ",\"id\":1", "0", 1 << 20, ",\"result\":{}}");
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_string_equal(all.s[0].id, "18446744073709551615");
	parse_many(&all, "{" V ",\"id\":1,\"result\":{\"a\":1", ",\"a\":1", 1 << 19, "}}");
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_string_equal(all.s[0].result, "{\"a\":1}");
	parse_many(&all, "{" V ",\"id\":1,\"result\":{\"a\":\"", "0123456789abcdef", 1 << 19,
		   "\"}}");
	assert_int_equal(all.s[0].kind, RPC_RESULT);
	assert_false(all.s[0].partial);
	parse_many(&all, "\"", "\\\\\\\"", 1 << 20, "");
	assert_int_equal(all.s[0].kind, RPC_NOT_JSON);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_members),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_raw),
		cmocka_unit_test(test_cut_in_the_middle),
		cmocka_unit_test(test_cut_at_the_end),
		cmocka_unit_test(test_cut_at_the_beginning),
		cmocka_unit_test(test_bombs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
