/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that write and read real files: what is damaged is said, what is meant is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "payload_rig.h"

#define S(s) s, sizeof(s) - 1
#define PNG  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\x90\x77\x93\xa3\xff"
/* PNG as a decoder of UTF-8 hands it on */
#define PNG_TEXT                                                                                   \
	"\xef\xbf\xbdPNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\xef\xbf\xbdw\xef\xbf\xbd\xef\xbf\xbd"     \
	"\xef\xbf\xbd"
#define PNG_BASE64 "iVBORw0KGgoAAAANSUhEUgAAAGCQd5Oj/w=="

static struct json_object *args(const char *path, const char *key, const char *s, size_t len)
{
	return rig_object("path", json_object_new_string(path), key, rig_json(s, len));
}

/* A call of write_file that puts `disk` there. */
static void write_call(const char *path, const char *given, size_t len, const char *disk,
		       size_t disk_len)
{
	rig_begin("write_file", args(path, "content", given, len));
	rig_write(path, disk, disk_len);
	rig_end(CALL_OK, rig_text(S("ok")));
}

static void read_call(const char *path, const char *back, size_t len)
{
	rig_begin("read_file", rig_object("path", json_object_new_string(path), NULL, NULL));
	rig_end(CALL_OK, rig_text(back, len));
}

/* ---- on the way in ---- */

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

/* ---- on the way back ---- */

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

#define TEST(t) cmocka_unit_test_setup_teardown(t, rig_set_up, rig_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_write_empty),
		TEST(test_write_crowd),
		TEST(test_write_then_run),
		TEST(test_write_healthy),
		TEST(test_write_damaged),
		TEST(test_write_base64),
		TEST(test_base64_malformed),
		TEST(test_write_not_plain),
		TEST(test_write_elsewhere),
		TEST(test_read_healthy),
		TEST(test_read_damaged),
		TEST(test_media),
		TEST(test_media_without_path),
		TEST(test_round_trip),
		TEST(test_said_once),
		TEST(test_round_unseen),
		TEST(test_other_writer),
		TEST(test_picture_as_text),
		TEST(test_latin1_as_text),
		TEST(test_shapes_only),
		TEST(test_renamed),
		TEST(test_nul_in_path),
		TEST(test_bounds),
		TEST(test_session_ends),
		TEST(test_forget),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
