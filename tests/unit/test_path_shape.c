/* SPDX-License-Identifier: GPL-2.0-only */
#include "evidence.h"

#include "path_shape.h"

typedef bool (*shape_fn)(const struct signature *s);

static const struct {
	const char *name;
	shape_fn shape;
	bool is;
	const char *raw;
} rows[] = {
	{ "cr", shape_cr, true, "dir\r" },
	{ "cr", shape_cr, true, "data\r/a.json" },
	{ "cr", shape_cr, false, "/usr/bin/env" },
	{ "cr", shape_cr, false, "\r" },
	{ "tilde", shape_tilde, true, "~/x" },
	{ "tilde", shape_tilde, true, "~user/x" },
	{ "tilde", shape_tilde, true, "/srv/w/~/x" },
	{ "tilde", shape_tilde, true, "~" },
	{ "tilde", shape_tilde, false, "/srv/w/notes.txt~" },
	{ "tilde", shape_tilde, false, "/srv/w/~lock" },
	{ "foreign", shape_foreign, true, "C:\\Users\\me\\a.txt" },
	{ "foreign", shape_foreign, true, "/srv/w/C:/jobs/app.js" },
	{ "foreign", shape_foreign, true, "\\\\host\\share" },
	{ "foreign", shape_foreign, true, "/Users/me/a.txt" },
	{ "foreign", shape_foreign, true, "src\\main.py" },
	{ "foreign", shape_foreign, false, "a\\nb.txt" },
	{ "foreign", shape_foreign, false, "/srv/w/a:b" },
	{ "quoted", shape_quoted, true, "'in.csv'" },
	{ "quoted", shape_quoted, true, "/srv/w/\"data.json\"" },
	{ "quoted", shape_quoted, false, "it's" },
	{ "replacement", shape_replacement, true, "caf\xef\xbf\xbd" },
	{ "replacement", shape_replacement, false, "caf\xc3\xa9" },
	{ "utf8", shape_bad_utf8, true, "caf\xe9" },
	{ "utf8", shape_bad_utf8, false, "caf\xc3\xa9" },
	{ "utf8", shape_bad_utf8, false, "plain\nname" },
	{ "escaped", shape_escaped, true, "a%20b" },
	{ "escaped", shape_escaped, true, "a\\nb" },
	{ "escaped", shape_escaped, true, "caf\\u00e9" },
	{ "escaped", shape_escaped, false, "frame%03d.png" },
	{ "escaped", shape_escaped, false, "100%" },
	{ "empty", shape_empty, true, "" },
	{ "empty", shape_empty, false, "x" },
};

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct syscall c = { "openat", 2, rows[i].raw };
		struct signature s = { 0 };

		evidence_call(&s, &c);
		if (rows[i].shape(&s) != rows[i].is)
			fail_msg("%s of \"%s\": expected %d", rows[i].name, rows[i].raw,
				 rows[i].is);
		evidence_forget(&s);
	}
}

/* A socket's name has no raw text: its subject is what was handed in. */
static void test_socket_name(void **state)
{
	struct syscall c = { "connect", 2, "/run/app.sock\r", .raw = "",
			     .text_kind = SF_TEXT_SOCKADDR };
	struct signature s = { 0 };

	evidence_call(&s, &c);
	assert_true(shape_cr(&s));
	evidence_forget(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_socket_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
