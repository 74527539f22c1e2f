/* SPDX-License-Identifier: GPL-2.0-only */
/* Which argument is the path, which the content, and what the call means to do: of many
 * servers' tools. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "payload_shape.h"

struct row {
	const char *tool, *args;
	enum shape_verb verb;
	bool plain;
	const char *path, *content; /* of the first pair; NULL: none */
	enum shape_encoding encoding;
};

#define B64 "aGVsbG8gd29ybGQhIQ=="

static const struct row rows[] = {
	/* server-filesystem */
	{ "write_file", "{\"path\":\"a.txt\",\"content\":\"x\"}", SHAPE_WRITE, true, "a.txt", "x" },
	{ "read_text_file", "{\"path\":\"a.txt\"}", SHAPE_READ, true, "a.txt" },
	{ "read_text_file", "{\"path\":\"a.txt\",\"head\":3}", SHAPE_OTHER, false, "a.txt" },
	{ "read_text_file", "{\"path\":\"a.txt\",\"tail\":null}", SHAPE_READ, true, "a.txt" },
	{ "read_media_file", "{\"path\":\"a.png\"}", SHAPE_READ, true, "a.png" },
	{ "read_multiple_files", "{\"paths\":[\"a\",\"b\"]}", SHAPE_OTHER, false, "a" },
	{ "edit_file", "{\"path\":\"a\",\"edits\":[{\"oldText\":\"x\",\"newText\":\"y\"}]}",
	  SHAPE_OTHER, false, "a" },
	{ "list_directory", "{\"path\":\".\"}", SHAPE_OTHER, false, "." },
	{ "create_directory", "{\"path\":\"d\"}", SHAPE_OTHER, false, "d" },
	{ "move_file", "{\"source\":\"a\",\"destination\":\"b\"}", SHAPE_OTHER, false, "b" },
	{ "get_file_info", "{\"path\":\"a\"}", SHAPE_OTHER, false, "a" },
	/* others' names for the same */
	{ "readFile", "{\"filePath\":\"/w/a\"}", SHAPE_READ, true, "/w/a" },
	{ "fs.read", "{\"uri\":\"file:///w/a%20b\"}", SHAPE_READ, true, "/w/a b" },
	{ "get_file_contents", "{\"file-name\":\"a\"}", SHAPE_READ, true, "a" },
	{ "save", "{\"path\":\"l.txt\",\"content\":\"a\\u0000b\"}", SHAPE_WRITE, true, "l.txt",
	  "a" },
	{ "Write", "{\"file_path\":\"/w/a\",\"content\":\"x\"}", SHAPE_WRITE, true, "/w/a", "x" },
	{ "str_replace_based_edit_tool",
	  "{\"command\":\"create\",\"path\":\"/w/a\",\"file_text\":\"x\"}", SHAPE_WRITE, true,
	  "/w/a", "x" },
	{ "str_replace_based_edit_tool",
	  "{\"command\":\"str_replace\",\"path\":\"/w/a\",\"old_str\":\"x\",\"new_str\":\"y\"}",
	  SHAPE_OTHER, false, "/w/a" },
	{ "str_replace_based_edit_tool",
	  "{\"command\":\"view\",\"path\":\"/w/a\",\"view_range\":[1,2]}", SHAPE_OTHER, false,
	  "/w/a" },
	{ "upload_file", "{\"filename\":\"a.bin\",\"data\":\"" B64 "\"}", SHAPE_WRITE, true,
	  "a.bin", B64, SHAPE_MAYBE },
	{ "upload_file", "{\"filename\":\"a.bin\",\"content_base64\":\"aGk=\"}", SHAPE_WRITE, true,
	  "a.bin", "aGk=", SHAPE_BASE64 },
	{ "write_file", "{\"path\":\"a\",\"content\":\"aGk=\",\"encoding\":\"base64\"}",
	  SHAPE_WRITE, true, "a", "aGk=", SHAPE_BASE64_SAID },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"encoding\":\"utf-8\"}", SHAPE_WRITE,
	  true, "a", "x", SHAPE_TEXT },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"encoding\":\"latin1\"}", SHAPE_WRITE,
	  true, "a", "x", SHAPE_FOREIGN },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"append\":true}", SHAPE_OTHER, false,
	  "a", "x" },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"append\":false}", SHAPE_WRITE, true,
	  "a", "x" },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"mode\":\"a\"}", SHAPE_OTHER, false,
	  "a", "x" },
	{ "write_file", "{\"path\":\"a\",\"content\":\"x\",\"mode\":\"w\"}", SHAPE_WRITE, true, "a",
	  "x" },
	{ "append_file", "{\"path\":\"a\",\"content\":\"x\"}", SHAPE_OTHER, false, "a", "x" },
	{ "read_file", "{\"path\":\"a\",\"offset\":10,\"limit\":5}", SHAPE_OTHER, false, "a" },
	/* what the name does not tell: only sure damage counts there */
	{ "notes", "{\"path\":\"a\",\"text\":\"x\"}", SHAPE_WRITE, false, "a", "x" },
	{ "stat", "{\"path\":\"a\"}", SHAPE_OTHER, false, "a" },
	/* files handed in beside code */
	{ "run_python",
	  "{\"code\":\"print(1)\",\"files\":[{\"name\":\"in.csv\",\"content\":\"a,b\"}]}",
	  SHAPE_OTHER, false, "in.csv", "a,b" },
	/* no paths */
	{ "fetch", "{\"url\":\"https://example.org/a\"}", SHAPE_READ, true, NULL },
	{ "browser_navigate", "{\"url\":\"http://localhost/\"}", SHAPE_OTHER, false, NULL },
	{ "echo", "{\"message\":\"a/b is no path\"}", SHAPE_OTHER, false, NULL },
	{ "grep", "{\"pattern\":\"/x/\",\"glob\":\"*.c\"}", SHAPE_OTHER, false, NULL },
	{ "shell", "{\"command\":\"/bin/ls\"}", SHAPE_OTHER, false, NULL },
	/* … and one that only its value gives away */
	{ "analyze", "{\"subject\":\"/w/a.csv\"}", SHAPE_OTHER, false, "/w/a.csv" },
	{ "browser_take_screenshot", "{\"filename\":\"s.png\"}", SHAPE_OTHER, false, "s.png" },
	{ "write_file", "[]", SHAPE_OTHER, false, NULL },
	{ "write_file", "{\"path\":7,\"content\":null}", SHAPE_OTHER, false, NULL },
};

static bool equal(const struct shape_string *s, const char *want)
{
	if (!want)
		return !s->s;
	/* up to a NUL: what lies behind it is the length's */
	return s->s && strcmp(s->s, want) == 0 && s->len >= strlen(want);
}

static void check(const struct row *r)
{
	struct json_object *params = json_object_new_object();
	struct shape s;
	char *decoded;

	json_object_object_add(params, "arguments", json_tokener_parse(r->args));
	shape_request(&s, "tools/call", r->tool, params, &decoded);
	if (s.verb != r->verb || s.plain != r->plain ||
	    (s.n_pairs > 0) != (r->path || r->content) || !equal(&s.pairs[0].path, r->path) ||
	    !equal(&s.pairs[0].content, r->content) || s.pairs[0].encoding != r->encoding)
		fail_msg("%s %s: verb %d, plain %d, %zu pairs, path %s, content %s, encoding %d",
			 r->tool, r->args, s.verb, s.plain, s.n_pairs,
			 s.pairs[0].path.s ? s.pairs[0].path.s : "-",
			 s.pairs[0].content.s ? s.pairs[0].content.s : "-", s.pairs[0].encoding);
	free(decoded);
	json_object_put(params);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		check(&rows[i]);
}

static void test_nul(void **state)
{
	struct json_object *params =
		json_tokener_parse("{\"arguments\":{\"path\":\"a\",\"content\":\"x\\u0000y\","
				   "\"command\":\"ls\\u0000 -l\"}}");
	struct shape s;
	char *decoded;

	shape_request(&s, "tools/call", "x", params, &decoded);
	assert_string_equal(s.nul.key, "command"); /* in a content it is legal */
	assert_int_equal(s.nul.len, 6);
	json_object_put(params);
}

static void test_resources(void **state)
{
	struct json_object *params = json_tokener_parse("{\"uri\":\"file:///w/%C3%A9%2e%2e\"}");
	struct shape s;
	char *decoded;

	shape_request(&s, "resources/read", NULL, params, &decoded);
	assert_int_equal(s.verb, SHAPE_READ);
	assert_string_equal(s.pairs[0].path.s, "/w/\xc3\xa9..");
	free(decoded);
	json_object_put(params);
	params = json_tokener_parse("{\"uri\":\"demo://resource/1\"}");
	shape_request(&s, "resources/read", NULL, params, &decoded);
	assert_int_equal(s.n_pairs, 0);
	json_object_put(params);
	shape_request(&s, "tools/list", NULL, NULL, &decoded);
	assert_int_equal(s.n_pairs, 0);
}

static void result(const char *json, size_t parts, bool partial)
{
	struct json_object *o = json_tokener_parse(json);
	struct shape_answer r;

	shape_result(&r, o);
	assert_int_equal(r.n_parts, parts);
	assert_int_equal(r.partial, partial);
	json_object_put(o);
}

static void test_results(void **state)
{
	result("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}", 1, false);
	result("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],"
	       "\"structuredContent\":{\"content\":\"x\"}}",
	       1, false);
	result("{\"structuredContent\":{\"content\":\"x\"}}", 1, false);
	result("{\"content\":[{\"type\":\"image\",\"data\":\"aGk=\",\"mimeType\":\"image/png\"},"
	       "{\"type\":\"text\",\"text\":\"x\"}]}",
	       2, false);
	result("{\"contents\":[{\"uri\":\"x:y\",\"blob\":\"aGk=\"}]}", 1, false);
	result("{\"content\":[{\"type\":\"resource\",\"resource\":{\"uri\":\"x:y\","
	       "\"text\":\"t\"}}]}",
	       1, false);
	result("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],"
	       "\"structuredContent\":{\"truncated\":true}}",
	       1, true);
	result("{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"nextCursor\":\"7\"}", 1, true);
	result("{\"content\":[{\"type\":\"table\",\"data\":\"a|b\"}]}", 0, false);
	result("{\"content\":\"x\"}", 0, false);
	result("{\"content\":[7,null,{\"text\":7},[{}]]}", 0, false);
	result("[]", 0, false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_nul),
		cmocka_unit_test(test_resources),
		cmocka_unit_test(test_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
