/* SPDX-License-Identifier: GPL-2.0-only */
/* What was broken before the channel had it, arguments that break, and the bounds of what is held. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "payload_calls.h"

/* ---- the client's own ---- */

static void test_picture_as_text(void **state)
{
	assert_int_equal(mkdir("files", 0755), 0);
	rig_old("photo.png", S(PNG));
	rig_begin("write_file", args("files/photo.png", "content", S(PNG_TEXT)));
	rig_write("files/photo.png", S(PNG_TEXT));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_CLIENT, true, 0);
	assert_string_equal(rig.call.faults[0].subject.data, "files/photo.png");
	/* what the channel did is said; what it hands back is what it was given */
	read_call("files/photo.png", S(PNG_TEXT));
	rig_none();
	/* without the client's file its first bytes tell */
	rig_begin("write_file", args("files/other.png", "content", S(PNG_TEXT)));
	rig_write("files/other.png", S(PNG_TEXT));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_NONE, true, 0);
	rig.no_client = true;
	rig_begin("write_file", args("files/third.png", "content", S(PNG_TEXT)));
	rig_write("files/third.png", S(PNG_TEXT));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_NONE, true, 0);
}

static void test_latin1_as_text(void **state)
{
	assert_int_equal(mkdir("files", 0755), 0);
	rig_old("menu.txt", S("caf\xe9"));
	rig_begin("write_file", args("files/menu.txt", "content", S("caf\xef\xbf\xbd")));
	rig_write("files/menu.txt", S("caf\xef\xbf\xbd"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_CLIENT, true, 3);
	/* a text that has U+FFFD of its own */
	rig_old("menu.txt", S("caf\xef\xbf\xbd"));
	rig_begin("write_file", args("files/menu.txt", "content", S("caf\xef\xbf\xbd")));
	rig_write("files/menu.txt", S("caf\xef\xbf\xbd"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
}

/* ---- arguments ---- */

static void test_nul_in_path(void **state)
{
	rig_old("report.txt", S("three open points"));
	rig_begin("read_text_file", rig_object("path", rig_json(S("report.txt\0")), NULL, NULL));
	rig_end(CALL_TOOL_ERROR, rig_text(S("Access denied")));
	rig_fault(CAUSE_NULL_BYTE_ARGUMENT, LEG_NONE, false, 10);
	assert_string_equal(rig.call.faults[0].subject.data, "report.txt");
}

/* The name's bytes are no UTF-8: the server has made another name of it. */
static void test_renamed(void **state)
{
	rig_begin("write_file", args("caf\xe9.txt", "content", S("hello world")));
	rig_write("caf\xef\xbf\xbd.txt", S("hello world"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_fault(CAUSE_ENCODING_UTF8, LEG_NONE, true, 0);
	rig_age("caf\xef\xbf\xbd.txt", 3600 * NSEC_PER_SEC);
	read_call("caf\xe9.txt", S("hello world"));
	rig_fault(CAUSE_ENCODING_UTF8, LEG_NONE, true, 0);
	/* a server that takes bytes */
	rig_begin("write_file", args("caf\xe9.txt", "content", S("hello world")));
	rig_write("caf\xe9.txt", S("hello world"));
	rig_end(CALL_OK, rig_text(S("ok")));
	rig_none();
}

/* Where but shapes are kept no name of a file stands in what is said. */
static void test_shapes_only(void **state)
{
	struct payload_options o = { .disk = rig.disk, .done = rig_done, .shapes_only = true };
	struct payload *names = rig.payload;

	assert_int_equal(payload_new(&rig.payload, &o), 0);
	write_call("private.txt", S("draft.md\0notes.md\0"), S("draft.md"));
	rig_fault(CAUSE_NULL_BYTE_PAYLOAD, LEG_WRITE, true, 8);
	assert_string_equal(rig.call.faults[0].subject.data, "write_file");
	assert_null(strstr(rig.call.faults[0].say, "private"));
	rig_begin("read_file", rig_object("path", rig_json(S("private.txt\0")), NULL, NULL));
	rig_end(CALL_TOOL_ERROR, NULL);
	rig_fault(CAUSE_NULL_BYTE_ARGUMENT, LEG_NONE, false, 11);
	assert_string_equal(rig.call.faults[0].subject.data, "read_file");
	payload_free(rig.payload);
	rig.payload = names;
}

/* ---- bounds ---- */

static void test_bounds(void **state)
{
	static char big[3 << 20];
	struct payload_options o = { .hold_max = 4 << 20 };
	struct payload *p;
	struct call c[3] = { 0 };

	memset(big, 'x', sizeof(big));
	assert_int_equal(payload_new(&p, &o), 0);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++) {
		struct json_object *params = rig_params(args("a", "content", big, sizeof(big)));

		c[i].id = i + 1;
		c[i].method = strdup("tools/call");
		c[i].tool = strdup("write_file");
		c[i].started_ns = NSEC_PER_SEC;
		assert_int_equal(payload_request(p, &c[i], params), 0);
		json_object_put(params);
		assert_in_range(payload_held(p), sizeof(big), 4 << 20);
	}
	payload_tick(p, 30 * NSEC_PER_SEC);
	assert_in_range(payload_held(p), sizeof(big), 4 << 20);
	payload_tick(p, 62 * NSEC_PER_SEC);
	assert_int_equal(payload_held(p), 0);
	payload_forget(p, 1);
	payload_end(p, 0);
	c[1].end = CALL_OK;
	assert_int_equal(payload_answer(p, &c[1], NULL, NULL), 0); /* no disk to ask */
	payload_free(p);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++)
		call_clear(&c[i]);
}

/* The server leaves right after its answer: what was asked before is still compared. */
static void test_session_ends(void **state)
{
	rig_begin("write_file", args("l", "content", S("hello world")));
	rig_write("l", S("hello"));
	rig.call.ended_ns = (uint64_t)util_now_boottime();
	rig.call.end = CALL_OK;
	assert_int_equal(payload_answer(rig.payload, &rig.call, NULL, NULL), 1);
	payload_end(rig.payload, rig.call.session);
	assert_true(run_until(rig.loop, rig_is_done, NULL));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, true, 5);
	assert_int_equal(payload_held(rig.payload), 0);
}

/* The call goes while the disk is being asked: nothing may touch it then. */
static void test_forget(void **state)
{
	rig_begin("write_file", args("j", "content", S("hello world")));
	rig_write("j", S("hello"));
	rig.call.ended_ns = (uint64_t)util_now_boottime();
	rig.call.end = CALL_OK;
	assert_int_equal(payload_answer(rig.payload, &rig.call, NULL, NULL), 1);
	payload_forget(rig.payload, rig.call.id);
	call_clear(&rig.call);
	write_call("k", S("hello world"), S("hello"));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_WRITE, true, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_picture_as_text), TEST(test_latin1_as_text), TEST(test_nul_in_path),
		TEST(test_renamed),	    TEST(test_shapes_only),    TEST(test_bounds),
		TEST(test_session_ends),    TEST(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
