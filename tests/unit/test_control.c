/* SPDX-License-Identifier: GPL-2.0-only */
/* What a line says, and what is answered. */
#include "control_rig.h"

static void test_file(void **state)
{
	struct rig *r = *state;
	struct stat st;

	assert_int_equal(stat(r->path, &st), 0);
	assert_true(S_ISSOCK(st.st_mode));
	assert_int_equal(st.st_mode & 07777, 0660);
	*strrchr(r->path, '/') = '\0';
	assert_int_equal(stat(r->path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0755);
	strcat(r->path, "/control.sock");
}

static void test_begin(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	expect(p, "{\"op\":\"begin\",\"task\":\"t-17\",\"pid\":41}",
	       "{\"ok\":true,\"instance\":9,\"attempt\":1}");
	assert_string_equal(r->begin, "default|t-17|-|41|0|begin");
	assert_int_equal(r->peer_pid, getpid());
	expect(p,
	       "{\"op\":\"begin\",\"campaign\":\"nightly\",\"task\":\"t-18\",\"labels\":{\"app\":"
	       "\"code-sandbox\",\"a.b_c-9\":\"\\u00e9\\n\xc3\xa9\"},\"cgroup\":\"/x/"
	       "y\",\"scope\":\"cgroup\","
	       "\"source\":\"run\",\"pid\":null,\"unknown\":[1]}",
	       "{\"ok\":true,\"instance\":9,\"attempt\":1}");
	assert_string_equal(
		r->begin, "nightly|t-18|/x/y|0|1|run|app=code-sandbox|a.b_c-9=\xc3\xa9\n\xc3\xa9");
	expect(p, "{\"op\":\"begin\",\"task\":\"p\",\"pid\":1,\"scope\":\"process\"}",
	       "{\"ok\":true,\"instance\":9,\"attempt\":1}");
	assert_string_equal(r->begin, "default|p|-|1|2|begin");
	assert_int_equal(control_malformed(r->control), 0);
	leave(p);
}

static void test_end(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	expect(p, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	assert_string_equal(r->end, "default|t|unknown|-1|0|-|1");
	expect(p,
	       "{\"op\":\"end\",\"campaign\":\"c\",\"task\":\"t\",\"outcome\":\"killed\","
	       "\"exit_code\":137,\"signal\":9,\"note\":\"n\",\"wait\":false}",
	       "{\"ok\":true}");
	assert_string_equal(r->end, "c|t|killed|137|9|n|0");
	expect(p, "{\"op\":\"end\",\"task\":\"t\",\"result\":\"fail\",\"why\":\"no plan.md\"}",
	       "{\"ok\":true}");
	assert_string_equal(r->end, "default|t|unknown|-1|0|-|1|fail|no plan.md");
	expect(p, "{\"op\":\"end\",\"task\":\"t\",\"result\":\"pass\"}", "{\"ok\":true}");
	assert_string_equal(r->end, "default|t|unknown|-1|0|-|1|pass|-");
	leave(p);
}

static void test_call(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	expect(p, "{\"op\":\"call\",\"task\":\"t\",\"tool\":\"write_file\",\"ok\":false}",
	       "{\"ok\":true}");
	assert_string_equal(r->call, "default|t|write_file|0|0|0|0|-|-|-");
	expect(p,
	       "{\"op\":\"call\",\"campaign\":\"c\",\"task\":\"t\",\"tool\":\"x y\",\"ok\":true,"
	       "\"started\":\"2026-11-29T17:00:00.5Z\",\"ended\":1795971601.25,\"code\":-32602,"
	       "\"text\":\"EROFS\\u0000!\",\"path\":\"a\\u0000b\",\"id\":\"k\"}",
	       "{\"ok\":true,\"id\":\"k\"}");
	assert_string_equal(r->call, "c|t|x y|1795971600500000000|1795971601250000000|1|-32602|"
				     "EROFS\\x00!|a\\x00b|\"k\"");
	/* An empty path is one. */
	expect(p,
	       "{\"op\":\"call\",\"task\":\"t\",\"tool\":\"r\",\"ok\":false,\"path\":\"\",\"id\":7,"
	       "\"started\":1795971601}",
	       "{\"ok\":true,\"id\":7}");
	assert_string_equal(r->call, "default|t|r|1795971601000000000|0|0|0|-||7");
	assert_int_equal(r->calls, 3);
	leave(p);
}

static void test_channel(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	expect(p, "{\"op\":\"channel\",\"action\":\"list\"}", "{\"ok\":true}");
	assert_string_equal(r->channel, "0|0|-|-");
	expect(p, "{\"op\":\"channel\",\"action\":\"add\",\"pid\":41}", "{\"ok\":true}");
	assert_string_equal(r->channel, "1|41|-|-");
	expect(p, "{\"op\":\"channel\",\"action\":\"add\",\"cgroup\":\"/mcp\"}", "{\"ok\":true}");
	assert_string_equal(r->channel, "1|0|/mcp|-");
	expect(p, "{\"op\":\"channel\",\"action\":\"remove\",\"pattern\":\"*mcp*\"}",
	       "{\"ok\":true}");
	assert_string_equal(r->channel, "2|0|-|*mcp*");
	expect(p, "{\"op\":\"begin\",\"task\":\"t\",\"pid\":41,\"server\":42}",
	       "{\"ok\":true,\"instance\":9,\"attempt\":1}");
	assert_string_equal(r->begin, "default|t|-|41|0|begin|server 42");
	leave(p);
}

static void test_error(void **state)
{
	struct peer *p = join(*state);

	expect(p, "{\"op\":\"flush\"}",
	       "{\"ok\":false,\"error\":\"failed\",\"message\":\"no \\\"fl\\\\nush\\\"\"}");
	leave(p);
}

/* A field is named, and so is what it allows. */
static const struct {
	const char *request, *message;
} invalid_fields[] = {
	{ "{\"op\":\"begin\",\"pid\":1}", "field \\\"task\\\": a string of 1 to 255 bytes" },
	{ "{\"op\":\"begin\",\"task\":7,\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"task\":null,\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"\",\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"a#1\",\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"a\\u0000b\",\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"a\\nb\",\"pid\":1}", "field \\\"task\\\"" },
	{ "{\"op\":\"begin\",\"campaign\":[],\"task\":\"t\",\"pid\":1}", "field \\\"campaign\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\"}", "a cgroup or a pid is needed" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"cgroup\":\"/x\",\"scope\":\"process\"}",
	  "field \\\"pid\\\": the scope process needs one" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":0}", "field \\\"pid\\\": a process id" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":-1}", "field \\\"pid\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":4294967297}", "field \\\"pid\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":99999999999999999999}",
	  "\"message\"" }, /* json-c 0.18 refuses it before there is a field */
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1.5}", "field \\\"pid\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":\"1\"}", "field \\\"pid\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"cgroup\":\"x\"}", "field \\\"cgroup\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"cgroup\":\"/x/../y\"}", "field \\\"cgroup\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"scope\":\"host\"}",
	  "field \\\"scope\\\": auto, cgroup or process" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"source\":\"x\"}",
	  "field \\\"source\\\": begin or run" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"labels\":[]}", "field \\\"labels\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"labels\":{\"a\":1}}",
	  "field \\\"labels\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"labels\":{\"a b\":\"x\"}}",
	  "field \\\"labels\\\"" },
	{ "{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"labels\":{\"\":\"x\"}}",
	  "field \\\"labels\\\"" },
	{ "{\"op\":\"end\"}", "field \\\"task\\\"" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"outcome\":\"great\"}",
	  "field \\\"outcome\\\": ok, failed, killed or unknown" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"exit_code\":256}", "field \\\"exit_code\\\"" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"signal\":0}", "field \\\"signal\\\"" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"wait\":1}", "field \\\"wait\\\": true or false" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"note\":{}}", "field \\\"note\\\"" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"result\":\"ok\"}",
	  "field \\\"result\\\": pass or fail" },
	{ "{\"op\":\"end\",\"task\":\"t\",\"why\":1}", "field \\\"why\\\"" },
#define CALL "{\"op\":\"call\",\"task\":\"t\",\"tool\":\"r\",\"ok\":true,"
	{ "{\"op\":\"channel\"}", "field \\\"action\\\": list, add or remove" },
	{ "{\"op\":\"channel\",\"action\":\"add\"}", "one of pid, cgroup, pattern" },
	{ "{\"op\":\"channel\",\"action\":\"add\",\"pid\":1,\"pattern\":\"x\"}",
	  "one of pid, cgroup, pattern" },
	{ "{\"op\":\"channel\",\"action\":\"add\",\"pattern\":\"\"}", "field \\\"pattern\\\"" },
	{ "{\"op\":\"call\",\"tool\":\"r\",\"ok\":true}", "field \\\"task\\\"" },
	{ "{\"op\":\"call\",\"task\":\"t\",\"ok\":true}", "field \\\"tool\\\"" },
	{ "{\"op\":\"call\",\"task\":\"t\",\"tool\":\"r\"}", "field \\\"ok\\\": true or false" },
	{ CALL "\"tool\":\"\"}", "field \\\"tool\\\"" },
	{ CALL "\"tool\":\"a\\u0000\"}", "field \\\"tool\\\"" },
	{ CALL "\"started\":\"6h\"}", "field \\\"started\\\": RFC 3339" },
	{ CALL "\"started\":\"2026-11-29\"}", "field \\\"started\\\"" },
	{ CALL "\"started\":0}", "field \\\"started\\\"" },
	{ CALL "\"ended\":-1}", "field \\\"ended\\\"" },
	{ CALL "\"ended\":1e300}", "field \\\"ended\\\"" },
	{ CALL "\"ended\":true}", "field \\\"ended\\\"" },
	{ CALL "\"code\":2147483648}", "field \\\"code\\\"" },
	{ CALL "\"text\":[]}", "field \\\"text\\\": a string" },
	{ CALL "\"path\":1}", "field \\\"path\\\"" },
#undef CALL
	{ "{\"op\":\"watch\",\"level\":\"loud\"}",
	  "field \\\"level\\\": sandbox, interface or workload" },
	{ "{\"op\":\"destroy\"}",
	  "field \\\"op\\\": begin, end, call, channel, watch, flush or status" },
	{ "{\"op\":1}", "field \\\"op\\\"" },
	{ "{}", "field \\\"op\\\"" },
	{ "{\"op\":\"status\",\"id\":{}}", "field \\\"id\\\"" },
	{ "{\"op\":\"status\",\"id\":1.5}", "field \\\"id\\\"" },
};

static void test_invalid_fields(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	for (size_t i = 0; i < ARRAY_SIZE(invalid_fields); i++) {
		const char *line;

		say(p, invalid_fields[i].request);
		say(p, "\n");
		line = hear(p);
		assert_memory_equal(line, "{\"ok\":false,\"error\":\"invalid\",", 30);
		if (!strstr(line, invalid_fields[i].message))
			fail_msg("%s -> %s", invalid_fields[i].request, line);
		assert_int_equal(control_malformed(r->control), i + 1);
	}
	assert_int_equal(r->begins + r->ends + r->calls, 0);
	leave(p);
}

static void test_limits_of_fields(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);
	char request[8192], name[300];

	memset(name, 'n', 256);
	name[255] = '\0';
	snprintf(request, sizeof(request), "{\"op\":\"begin\",\"task\":\"%s\",\"pid\":1}", name);
	expect(p, request, "{\"ok\":true,\"instance\":9,\"attempt\":1}");
	name[255] = 'n';
	name[256] = '\0';
	snprintf(request, sizeof(request), "{\"op\":\"begin\",\"task\":\"%s\",\"pid\":1}", name);
	say(p, request);
	say(p, "\n");
	assert_non_null(strstr(hear(p), "field \\\"task\\\""));
	for (int n = 64; n <= 65; n++) {
		int len = snprintf(
			request, sizeof(request),
			"{\"op\":\"begin\",\"task\":\"t\",\"pid\":1,\"labels\":{\"l\":\"\"");

		for (int i = 1; i < n; i++)
			len += snprintf(request + len, sizeof(request) - (size_t)len,
					",\"l%d\":\"\"", i);
		strcat(request, "}}\n");
		say(p, request);
		assert_int_equal(strstr(hear(p), "\"ok\":true") != NULL, n == 64);
	}
	leave(p);
}

static void test_not_json(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
	} rows[] = {
#define ROW(s) { s "\n", sizeof(s) }
		ROW("hello"),
		ROW("{"),
		ROW("}"),
		ROW("[]"),
		ROW("7"),
		ROW("null"),
		ROW("\"x\""),
		ROW("{\"op\":\"status\"} {\"op\":\"status\"}"),
		ROW("{\"op\":\"status\",}"),
		ROW("{'op':'status'}"),
		ROW("{\"op\":\"stat\0us\"}"),
		ROW("\0"),
		ROW("{\"op\":\"\xff\xfe\"}"),
		ROW("{\"op\":\"\xc0\x80\"}"),
		ROW("\xef\xbb\xbf{}"),
		ROW("{\"op\":\"status\"}garbage"),
		ROW("{\"op\":\"\\ud8\"}"),
#undef ROW
	};
	struct rig *r = *state;
	struct peer *p = join(r);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *line;

		say_bytes(p, rows[i].bytes, rows[i].len);
		line = hear(p);
		assert_memory_equal(
			line, "{\"ok\":false,\"error\":\"invalid\",\"message\":\"not a JSON", 50);
		assert_int_equal(control_malformed(r->control), i + 1);
	}
	expect(p, "\n \t\r\n{\"op\":\"status\"}\r",
	       "{\"ok\":true,\"filler\":\"\"}"); /* it lives on */
	leave(p);
}

static void test_depth_and_duplicates(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);
	size_t len = 200000;
	char *deep = malloc(len);

	memset(deep, '[', len);
	memcpy(deep, "{\"a\":", 5);
	deep[len - 1] = '\n';
	say_bytes(p, deep, len);
	assert_non_null(strstr(hear(p), "\"error\":\"invalid\""));
	free(deep);
	expect(p, "{\"op\":\"begin\",\"task\":\"a\",\"op\":\"end\",\"task\":\"b\"}",
	       "{\"ok\":true}");
	assert_string_equal(r->end, "default|b|unknown|-1|0|-|1"); /* the last counts */
	leave(p);
}

static char *long_request(size_t len)
{
	char *line = malloc(len + 2);

	memset(line, ' ', len);
	memcpy(line, "{\"op\":\"status\"", 14);
	line[len - 1] = '}';
	line[len] = '\n';
	line[len + 1] = '\0';
	return line;
}

static void test_line_limit(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);
	char *line = long_request(CONTROL_LINE_MAX);

	say(p, line);
	assert_string_equal(hear(p), "{\"ok\":true,\"filler\":\"\"}");
	free(line);
	line = long_request(CONTROL_LINE_MAX + 1);
	say(p, line);
	free(line);
	assert_string_equal(hear(p),
			    "{\"ok\":false,\"error\":\"too-long\",\"message\":\"a request has "
			    "at most 262144 bytes\"}");
	/* Four limits in one line: one answer, then the next request's. */
	line = long_request(4 * CONTROL_LINE_MAX);
	say(p, line);
	free(line);
	say(p, "{\"op\":\"end\",\"task\":\"t\"}\n");
	assert_non_null(strstr(hear(p), "\"error\":\"too-long\""));
	assert_string_equal(hear(p), "{\"ok\":true}");
	assert_int_equal(control_malformed(r->control), 2);
	leave(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_file),
		TEST(test_begin),
		TEST(test_end),
		TEST(test_call),
		TEST(test_channel),
		TEST(test_error),
		TEST(test_invalid_fields),
		TEST(test_limits_of_fields),
		TEST(test_not_json),
		TEST(test_depth_and_duplicates),
		TEST(test_line_limit),
	};

	signal(SIGPIPE, SIG_DFL); /* nothing may raise it */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
