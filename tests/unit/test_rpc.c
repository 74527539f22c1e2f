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
		if (all.n != 1 || all.s[0].kind != kinds[i].kind ||
		    strcmp(all.s[0].id, kinds[i].id) != 0 ||
		    strcmp(all.s[0].method, kinds[i].method) != 0 || all.s[0].code != kinds[i].code)
			fail_msg("%s: %zu objects, kind %d, id %s, method %s, code %d",
				 kinds[i].text, all.n, all.s[0].kind, all.s[0].id, all.s[0].method,
				 all.s[0].code);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
