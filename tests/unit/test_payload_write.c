/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that write real files: what is damaged on the way in is said, what is meant is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "payload_calls.h"

static void test_write_healthy(void **state)
{
	write_call("a", S("one\ntwo\n"), S("one\ntwo\n"));
	rig_none();
	write_call("a", S("draft.md\0notes\0"), S("draft.md\0notes\0")); /* NUL is legal */
	rig_none();
	write_call("a", S("no newline"), S("no newline\n"));
	rig_none();
	write_call("a", S("U+FFFD is \xef\xbf\xbd, \\n is text"),
		   S("U+FFFD is \xef\xbf\xbd, \\n is text"));
	rig_none();
	write_call("a", S("x=1;y=2"), S("x = 1;\ny = 2;\n")); /* formatted on save */
	rig_none();
	write_call("a", S(""), S(""));
	rig_none();
	assert_int_equal(payload_unseen(rig.payload), 0);
}

static void test_write_damaged(void **state)
{
	static const struct {
		const char *given, *disk;
		size_t given_len, disk_len;
		enum cause cause;
		uint64_t at;
	} rows[] = {
#define ROW(g, d, c, a) { g, d, sizeof(g) - 1, sizeof(d) - 1, c, a }
		ROW("draft.md\0notes.md\0", "draft.md", CAUSE_NULL_BYTE_PAYLOAD, 8),
		ROW("a\nb\n", "a\r\nb\r\n", CAUSE_ENCODING_CRLF, 1),
		ROW("a\r\nb\r\n", "a\nb\n", CAUSE_ENCODING_CRLF, 1),
		ROW("caf\xc3\xa9", "caf\xc3\x83\xc2\xa9", CAUSE_ENCODING_UTF8, 3),
		ROW("caf\xc3\xa9", "caf\xe9", CAUSE_ENCODING_UTF8, 3),
		ROW("caf\xc3\xa9", "caf\xef\xbf\xbd\xef\xbf\xbd", CAUSE_ENCODING_REPLACEMENT, 3),
		ROW("a\nb", "a\\nb", CAUSE_ENCODING_ESCAPED, 1),
		ROW("a\\nb", "a\nb", CAUSE_ENCODING_ESCAPED, 1),
		ROW("e\xcc\x81", "\xc3\xa9", CAUSE_ENCODING_NORMALIZATION, 0),
		ROW("hello world", "aGVsbG8gd29ybGQ=", CAUSE_PAYLOAD_CORRUPTED, 0),
		ROW("hello world", "hello", CAUSE_PAYLOAD_TRUNCATED, 5),
		ROW("hello world", "helLo world", CAUSE_PAYLOAD_CORRUPTED, 3),
#undef ROW
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		write_call("b.md", rows[i].given, rows[i].given_len, rows[i].disk,
			   rows[i].disk_len);
		rig_fault(rows[i].cause, LEG_WRITE, true, rows[i].at);
		assert_string_equal(rig.call.faults[0].subject.data, "b.md");
	}
}

static int set_up_excerpts(void **state)
{
	return rig_set_up_with(16);
}

static void says(const char *what)
{
	if (!strstr(rig.call.faults[0].say, what))
		fail_msg("%s is not in: %s", what, rig.call.faults[0].say);
}

/* Only where it is allowed; secrets are no contents to show then either. */
static void test_write_excerpt(void **state)
{
	write_call("b.md", S("on the menu: caf\xc3\xa9 au lait, croissants"),
		   S("on the menu: caf\xef\xbf\xbd\xef\xbf\xbd au lait, croissants"));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_WRITE, true, 16);
	says("; \" caf\xc3\xa9 au lait, \" handed in; \" caf\xef\xbf\xbd");
	assert_null(strstr(rig.call.faults[0].say, "croissants"));
	assert_null(strstr(rig.call.faults[0].say, "menu"));
	write_call("b.md", S("AKIAIOSFODNN7EXAMPLE\n"), S("AKIAIOSFODNN7EXAMPLE"));
	rig_none();
	write_call("b.md", S("ghp_0123456789abcdefghijklmnopqrstuvwxyz"), S("ghp"));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, true, 3);
	assert_null(strstr(rig.call.faults[0].say, "ghp_0123"));
}

static void test_write_no_excerpt(void **state)
{
	write_call("b.md", S("caf\xc3\xa9"), S("caf\xe9"));
	rig_fault(CAUSE_ENCODING_UTF8, LEG_WRITE, true, 3);
	assert_null(strstr(rig.call.faults[0].say, "caf"));
}

/* Whoever emptied it: only where it was long before the answer was it the call. */
static void test_write_empty(void **state)
{
	write_call("b.md", S("hello world"), S(""));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, false, 0);
	rig.slow_ns = NSEC_PER_SEC;
	rig_begin("write_file", args("b.md", "content", S("hello world")));
	rig_write("b.md", S(""));
	rig_age("b.md", 50 * NSEC_PER_MSEC);
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, true, 0);
}

/* Two at once, of which nobody knows which came last. */
static void test_write_crowd(void **state)
{
	struct call first;

	rig_begin("write_file", args("b.md", "content", S("hello world")));
	first = rig.call;
	rig.call = (struct call){ 0 };
	rig_begin("write_file", args("b.md", "content", S("hello, all the world")));
	rig_write("b.md", S("hello"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	read_call("b.md", S("hel"));
	rig_none();
	payload_forget(rig.payload, first.id);
	call_clear(&first);
	/* over: the next is compared again */
	write_call("b.md", S("hello world"), S("hello"));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, true, 5);
}

/* What runs beside it, or right after it, may have done anything to it. */
static void test_write_then_run(void **state)
{
	rig_begin("write_file", args("b.md", "content", S("hello world")));
	rig_write("b.md", S("hello world"));
	rig.call.ended_ns = (uint64_t)util_now_boottime();
	rig.call.end = CALL_OK;
	assert_int_equal(payload_answer(rig.payload, &rig.call, NULL, NULL), 1);
	{
		struct call edit = { .id = ++rig.last, .session = 1, .end = CALL_OK };
		struct json_object *params = rig_params(json_object_new_object());

		edit.method = strdup("tools/call");
		edit.tool = strdup("edit");
		assert_int_equal(payload_request(rig.payload, &edit, params), 0);
		rig_write("b.md", S("hello"));
		assert_int_equal(payload_answer(rig.payload, &edit, params, NULL), 0);
		json_object_put(params);
		call_clear(&edit);
	}
	assert_true(run_until(rig.loop, rig_is_done, NULL));
	rig_none();
}

static void test_write_base64(void **state)
{
	/* decoded, as the name of the argument says */
	rig_begin("save_image", args("p.png", "data", S(PNG_BASE64)));
	rig_write("p.png", S(PNG));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	/* kept as text: nothing had said that it is base64 */
	rig_begin("write_file", args("p.b64", "content", S(PNG_BASE64)));
	rig_write("p.b64", S(PNG_BASE64));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	/* kept, although it was said */
	rig_begin("write_file", args("p.png", "content_base64", S(PNG_BASE64)));
	rig_write("p.png", S(PNG_BASE64));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_PAYLOAD_CORRUPTED, LEG_WRITE, true, 0);
	/* decoded, and then taken for text */
	rig_begin("write_file", args("p.png", "content_base64", S(PNG_BASE64)));
	rig_write("p.png", S(PNG_TEXT));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_WRITE, true, 0);
	/* decoded twice */
	rig_begin("write_file", args("p.txt", "blob", S("YUdWc2JHOGdkMjl5YkdRPQ==")));
	rig_write("p.txt", S("hello world"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_PAYLOAD_CORRUPTED, LEG_WRITE, true, 0);
}

static void test_base64_malformed(void **state)
{
	struct json_object *a = args("p.png", "content", S("iVBO!Rw0"));

	json_object_object_add(a, "encoding", json_object_new_string("base64"));
	rig_begin("write_file", a);
	rig_end(CALL_TOOL_ERROR, rig_text(S("bad base64")));
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, false, 4);
}

/* Edits, appends, other encodings: what stands there then is not what was handed in. */
static void test_write_not_plain(void **state)
{
	struct json_object *a = args("c", "content", S("hello world"));

	rig_old("c", S("hello"));
	json_object_object_add(a, "append", json_object_new_boolean(true));
	rig_begin("write_file", a);
	rig_write("c", S("hello"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	rig_begin("edit_file", args("c", "content", S("hello world")));
	rig_write("c", S("hello"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	a = args("c", "content", S("caf\xc3\xa9"));
	json_object_object_add(a, "encoding", json_object_new_string("latin1"));
	rig_begin("write_file", a);
	rig_write("c", S("caf\xe9"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
	/* a tool whose name says nothing of writing whole files */
	rig_begin("translate", args("c", "text", S("hello world")));
	rig_write("c", S("hello"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
}

/* Written before the call, or after it, by somebody else. */
static void test_write_elsewhere(void **state)
{
	rig_old("d", S("hello"));
	rig_begin("write_file", args("d", "content", S("hello world")));
	rig_end(CALL_OK, rig_text(S("ok, in my own store")));
	rig_none();
	rig_begin("write_file", args("d", "content", S("hello world")));
	rig_write("d", S("hello"));
	rig.call.started_ns -= NSEC_PER_SEC;
	rig.call.ended_ns = (uint64_t)util_now_boottime() - NSEC_PER_SEC / 2;
	rig.call.end = CALL_OK;
	assert_int_equal(payload_answer(rig.payload, &rig.call, NULL, NULL), 1);
	assert_true(run_until(rig.loop, rig_is_done, NULL));
	rig_none();
	/* failed: nothing is expected to stand there */
	rig_begin("write_file", args("d", "content", S("hello world")));
	rig_write("d", S("hello"));
	rig_end(CALL_TOOL_ERROR, rig_text(S("ENOSPC")));
	rig_none();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_write_healthy),
		TEST(test_write_damaged),
		TEST(test_write_empty),
		TEST(test_write_crowd),
		TEST(test_write_then_run),
		TEST(test_write_base64),
		TEST(test_base64_malformed),
		TEST(test_write_not_plain),
		TEST(test_write_elsewhere),
		TEST(test_write_no_excerpt),
		cmocka_unit_test_setup_teardown(test_write_excerpt, set_up_excerpts, rig_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
