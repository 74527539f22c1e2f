/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that read real files, some of which a call has written: what is damaged on the way back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "payload_calls.h"

static void test_read_healthy(void **state)
{
	rig_old("e", S("one\ntwo\nthree\n"));
	read_call("e", S("one\ntwo\nthree\n"));
	rig_none();
	read_call("e", S("one\ntwo\nthree"));
	rig_none();
	read_call("e", S("     1\tone\n     2\ttwo\n     3\tthree\n"));
	rig_none();
	read_call("e", S("e:\none\ntwo\nthree\n---\n"));
	rig_none();
	read_call("e", S("one\n[2 more lines]"));
	rig_none();
	rig_begin("read_file", args("e", "head", S("1")));
	rig_end(CALL_OK, rig_text(S("one")));
	rig_none();
	rig_begin("read_file",
		  rig_object("path", json_object_new_string("e"), "limit", json_object_new_int(1)));
	rig_end(CALL_OK, rig_text(S("one\n")));
	rig_none();
	rig_begin("get_file_info", rig_object("path", json_object_new_string("e"), NULL, NULL));
	rig_end(CALL_OK, rig_text(S("size: 14")));
	rig_none();
	read_call("e", S("one\ntwo\n")); /* it may be meant: a sign */
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_READ, false, 8);
	rig_write("young", S("caf\xc3\xa9"));
	rig_age("young", 15 * NSEC_PER_MSEC); /* before the call, all the same */
	read_call("young", S("caf\xc3\x83\xc2\xa9"));
	rig_fault(CAUSE_ENCODING_UTF8, LEG_READ, true, 3);
	rig_old("crlf", S("a\r\nb\r\n"));
	read_call("crlf", S("a\nb\n"));
	for (size_t i = 0; i < rig.call.n_faults; i++)
		assert_false(rig.call.faults[i].sure);
	rig_old("latin1", S("caf\xe9"));
	read_call("latin1", S("caf\xc3\xa9")); /* understood */
	rig_none();
}

static void test_read_damaged(void **state)
{
	rig_old("p.png", S(PNG));
	read_call("p.png", S(PNG_TEXT));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_READ, true, 0);
	rig_old("nul", S("draft.md\0notes.md\0"));
	read_call("nul", S("draft.md"));
	rig_fault(CAUSE_NULL_BYTE_PAYLOAD, LEG_READ, true, 8);
	rig_old("utf8", S("caf\xc3\xa9"));
	read_call("utf8", S("caf\xc3\x83\xc2\xa9"));
	rig_fault(CAUSE_ENCODING_UTF8, LEG_READ, true, 3);
}

static struct json_object *image(const char *mime, const char *data, size_t len)
{
	struct json_object *list = json_object_new_array(), *item;

	item = rig_object("data", rig_json(data, len), "mimeType", json_object_new_string(mime));
	json_object_object_add(item, "type", json_object_new_string("image"));
	json_object_array_add(list, item);
	return rig_object("content", list, NULL, NULL);
}

static void media_call(const char *mime, const char *data, size_t len)
{
	rig_begin("read_media_file",
		  rig_object("path", json_object_new_string("p.png"), NULL, NULL));
	rig_end(CALL_OK, image(mime, data, len));
}

/* Where there is no path the tool is named, with its argument. */
static void test_media_without_path(void **state)
{
	const char *url = "http://localhost/";

	rig_begin("screenshot", rig_object("url", json_object_new_string(url), NULL, NULL));
	assert_int_equal(text_set(&rig.call.subject, url, strlen(url)), 0);
	rig_end(CALL_OK, image("image/png", S("iVBO!Rw0")));
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, true, 4);
	assert_string_equal(rig.call.faults[0].subject.data, "screenshot http://localhost/");
}

static void test_media(void **state)
{
	rig_old("p.png", S(PNG));
	media_call("image/png", S(PNG_BASE64));
	rig_none();
	media_call("image/jpeg", S("/9j/4AAQSkZJRgABAQ==")); /* converted, smaller: as it likes */
	rig_none();
	media_call("image/jpeg", S(PNG_BASE64));
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, true, 0);
	media_call("image/png", S("iVBO!Rw0"));
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, true, 4);
	assert_string_equal(rig.call.faults[0].subject.data, "p.png");
	media_call("image/png", S("iVBORw0KGgoAAAANSUhEUgAAAGCQd5Oj_w==")); /* another alphabet */
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, false, 32);
	media_call("image/png", S("iVBORw0KGgoAAAANSUhEUgAAAGCQd5Oj/w"));
	rig_fault(CAUSE_PAYLOAD_MALFORMED, LEG_NONE, false, 34);
	media_call("image/png", S("iVBORw0KGgoAAAANSUhEUgAA")); /* nobody looks at half of it */
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_READ, true, 18);
	media_call("image/svg+xml", S("PHN2Zy8+"));
	rig_none();
	/* base64 of what was text by then */
	media_call("application/octet-stream",
		   S("77+9UE5HDQoaCgAAAA1JSERSAAAAYO+/vXfvv73vv73vv70="));
	rig_fault(CAUSE_ENCODING_REPLACEMENT, LEG_READ, true, 0);
}

/* ---- there and back ---- */

static void test_round_trip(void **state)
{
	write_call("f", S("caf\xc3\xa9 au lait"), S("caf\xc3\xa9 au lait"));
	rig_none();
	read_call("f", S("caf\xc3\xa9 au lait"));
	rig_none();
	/* right on disk, so that it is the way back that cuts */
	read_call("f", S("caf\xc3\xa9"));
	rig_fault(CAUSE_PAYLOAD_TRUNCATED, LEG_READ, true, 5);
	read_call("f", S("caf\xc3\xa9 au LAIT"));
	rig_fault(CAUSE_PAYLOAD_CORRUPTED, LEG_READ, true, 9);
}

/* A cache that the write did not clear. */
static void test_old_content(void **state)
{
	rig_old("c", S("version = 1\n"));
	read_call("c", S("version = 1\n"));
	write_call("c", S("version = 2, and more\n"), S("version = 2, and more\n"));
	rig_none();
	read_call("c", S("version = 1\n"));
	rig_fault(CAUSE_PAYLOAD_CORRUPTED, LEG_READ, true, 0);
	read_call("c", S("version = 2, and more\n"));
	rig_none();
	/* what is no content is the same whatever stands there */
	rig_old("d", S("version = 1\n"));
	read_call("d", S("[too large to be shown]"));
	write_call("d", S("version = 2\n"), S("version = 2\n"));
	read_call("d", S("[too large to be shown]"));
	rig_none();
	/* it was put back, by whomever: then it is what stands there */
	rig_write("c", S("version = 1\n"));
	read_call("c", S("version = 1\n"));
	rig_none();
}

/* The damage is said where it was done, and once. */
static void test_said_once(void **state)
{
	write_call("g", S("draft.md\0notes.md\0"), S("draft.md"));
	rig_fault(CAUSE_NULL_BYTE_PAYLOAD, LEG_WRITE, true, 8);
	read_call("g", S("draft.md"));
	rig_none();
}

/* Where the disk can't be seen, both ends of the channel still can. */
static void test_round_unseen(void **state)
{
	rig_begin("save", args("no/such/dir/h", "content", S("draft.md\0notes.md\0")));
	rig_end(CALL_OK, rig_text(S("saved")));
	rig_none();
	rig_begin("load", rig_object("path", json_object_new_string("no/such/dir/h"), NULL, NULL));
	rig_end(CALL_OK, rig_text(S("draft.md")));
	rig_fault(CAUSE_NULL_BYTE_PAYLOAD, LEG_ROUND, true, 8);
	/* something ran in between: anything may have happened to it */
	rig_begin("save", args("no/such/dir/h", "content", S("hello world")));
	rig_end(CALL_OK, rig_text(S("saved")));
	rig_begin("run", rig_object("command", json_object_new_string("make"), NULL, NULL));
	rig_end(CALL_OK, rig_text(S("done")));
	rig_begin("load", rig_object("path", json_object_new_string("no/such/dir/h"), NULL, NULL));
	rig_end(CALL_OK, rig_text(S("hello")));
	rig_none();
}

/* Somebody else wrote there in between, whom the channel does not show. */
static void test_other_writer(void **state)
{
	write_call("i", S("hello world"), S("hello world"));
	rig_begin("read_file", rig_object("path", json_object_new_string("i"), NULL, NULL));
	rig_write("i", S("hello world, and more"));
	rig_end(CALL_OK, rig_text(S("hello")));
	rig_none();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_read_healthy), TEST(test_read_damaged), TEST(test_media_without_path),
		TEST(test_media),	 TEST(test_round_trip),	  TEST(test_said_once),
		TEST(test_old_content),	 TEST(test_round_unseen), TEST(test_other_writer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
