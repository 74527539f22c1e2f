/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* The command line is not in the library. */
#include "../../cli/render.c"

static void test_width(void **state)
{
	assert_int_equal(render_width(""), 0);
	assert_int_equal(render_width("abc"), 3);
	assert_int_equal(render_width("größe"), 5);
	assert_int_equal(render_width("漢字"), 4);
	/* e and a combining acute accent. */
	assert_int_equal(render_width("e\xcc\x81"), 1);
}

static void check_cut(const char *text, int width, const char *expected)
{
	char *s = strdup(text);

	assert_int_equal(render_cut(&s, width), 0);
	assert_string_equal(s, expected);
	assert_true(render_width(s) <= width || width < 1);
	free(s);
}

static void test_cut(void **state)
{
	check_cut("abcdef", 6, "abcdef");
	check_cut("abcdef", 5, "abcd…");
	check_cut("abcdef", 1, "…");
	check_cut("größer", 4, "grö…");
	/* A wide character that does not fit whole is left out. */
	check_cut("漢字漢字", 6, "漢字…");
	check_cut("漢字漢字", 5, "漢字…");
	check_cut("漢字漢字", 4, "漢…");
}

struct capture {
	char *text;
	size_t len;
	struct render render;
};

static void capture_open(struct capture *c, int width)
{
	*c = (struct capture){ 0 };
	c->render = (struct render){ .file = open_memstream(&c->text, &c->len),
				     .width = width ? width : RENDER_WIDTH_PIPE,
				     .cut = width > 0 };
	assert_non_null(c->render.file);
}

static void capture_is(struct capture *c, const char *expected)
{
	fclose(c->render.file);
	assert_string_equal(c->text, expected);
	free(c->text);
}

static const struct column_spec columns[] = {
	{ "TASK", COLUMN_FLEX },
	{ "COUNT", COLUMN_RIGHT },
	{ "SUBJECT", COLUMN_FLEX },
};

static struct table *make_table(void)
{
	struct table *t = NULL;

	assert_int_equal(table_new(&t, columns, ARRAY_SIZE(columns)), 0);
	assert_int_equal(table_cell(t, STYLE_NONE, "t-%d", 17), 0);
	assert_int_equal(table_cell(t, STYLE_BAD, "%d", 3), 0);
	assert_int_equal(table_cell(t, STYLE_NONE, "%s", "/srv/größe/a/long/name"), 0);
	assert_int_equal(table_cell(t, STYLE_NONE, "%s", "漢字"), 0);
	assert_int_equal(table_cell(t, STYLE_NONE, "%d", 12345), 0);
	assert_int_equal(table_cell(t, STYLE_NONE, "%s", "x\033[31m\n"), 0);
	assert_int_equal(table_rows(t), 2);
	return t;
}

static void test_table_whole(void **state)
{
	struct table *t = make_table();
	struct capture c;

	capture_open(&c, 0);
	table_print(t, &c.render);
	capture_is(&c, "TASK  COUNT  SUBJECT\n"
		       "t-17      3  /srv/größe/a/long/name\n"
		       "漢字  12345  x\\x1b[31m\\n\n");
	table_free(t);
}

static void test_table_cut(void **state)
{
	struct table *t = make_table();
	struct capture c;

	capture_open(&c, 25);
	table_print(t, &c.render);
	capture_is(&c, "TASK  COUNT  SUBJECT\n"
		       "t-17      3  /srv/größe/…\n"
		       "漢字  12345  x\\x1b[31m\\n\n");
	/* Flexible columns keep eight columns: then the line is longer. */
	capture_open(&c, 10);
	table_print(t, &c.render);
	capture_is(&c, "TASK  COUNT  SUBJECT\n"
		       "t-17      3  /srv/gr…\n"
		       "漢字  12345  x\\x1b[3…\n");
	table_free(t);
}

/* Whole columns go, in their order, before a flexible one becomes too narrow to be read. */
static void test_table_dropped(void **state)
{
	static const struct column_spec narrow[] = {
		{ "WHEN", COLUMN_LEFT, 2 },
		{ "TASK", COLUMN_LEFT },
		{ "SUBJECT", COLUMN_FLEX },
		{ "LAST", COLUMN_RIGHT, 1 },
	};
	static const struct {
		int width;
		const char *text;
	} rows[] = {
		{ 0, "WHEN   TASK  SUBJECT                     LAST\n"
		     "today  t-1   /a/path/of/26/columns/wide     1\n" },
		{ 45, "WHEN   TASK  SUBJECT                     LAST\n"
		      "today  t-1   /a/path/of/26/columns/wide     1\n" },
		{ 40, "WHEN   TASK  SUBJECT\n"
		      "today  t-1   /a/path/of/26/columns/wide\n" },
		{ 35, "TASK  SUBJECT\n"
		      "t-1   /a/path/of/26/columns/wide\n" },
		{ 20, "TASK  SUBJECT\n"
		      "t-1   /a/path/of/26…\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct table *t = NULL;
		struct capture c;

		assert_int_equal(table_new(&t, narrow, ARRAY_SIZE(narrow)), 0);
		assert_int_equal(table_cell(t, STYLE_NONE, "today"), 0);
		assert_int_equal(table_cell(t, STYLE_NONE, "t-1"), 0);
		assert_int_equal(table_cell(t, STYLE_NONE, "/a/path/of/26/columns/wide"), 0);
		assert_int_equal(table_cell(t, STYLE_NONE, "1"), 0);
		capture_open(&c, rows[i].width);
		table_print(t, &c.render);
		capture_is(&c, rows[i].text);
		table_free(t);
	}
}

static void test_wrap(void **state)
{
	static const struct {
		int width;
		const char *text, *expected;
	} rows[] = {
		{ 0, "  one two three", "  one two three\n" },
		{ 15, "  one two three", "  one two three\n" },
		{ 14, "  one two three", "  one two\n    three\n" },
		{ 8, "one  two   three", "one  two\n  three\n" },
		{ 8, "größe größe", "größe\n  größe\n" },
		{ 4, "/a/long/path x", "/a/long/path\n  x\n" },
		{ 4, "", "\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct capture c;

		capture_open(&c, rows[i].width);
		render_line(&c.render, STYLE_NONE, "%s", rows[i].text);
		capture_is(&c, rows[i].expected);
	}
}

static void test_colour(void **state)
{
	struct table *t = make_table();
	struct capture c;

	capture_open(&c, 0);
	c.render.colour = true;
	render_line(&c.render, STYLE_BAD, "%s", "no\033[0m");
	render_line(&c.render, STYLE_NONE, "%s", "plain");
	table_print(t, &c.render);
	capture_is(&c, "\033[31mno\\x1b[0m\033[0m\nplain\n"
		       "\033[1mTASK\033[0m  \033[1mCOUNT\033[0m  \033[1mSUBJECT\033[0m\n"
		       "t-17      \033[31m3\033[0m  /srv/größe/a/long/name\n"
		       "漢字  12345  x\\x1b[31m\\n\n");
	table_free(t);
}

static void test_no_terminal(void **state)
{
	FILE *f = tmpfile();
	struct render r;

	assert_non_null(f);
	setenv("COLUMNS", "20", 1);
	unsetenv("NO_COLOR");
	render_init(&r, f, true);
	assert_false(r.cut);
	assert_false(r.colour);
	assert_true(r.utc);
	assert_int_equal(r.width, RENDER_WIDTH_PIPE);
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_width),	      cmocka_unit_test(test_cut),
		cmocka_unit_test(test_table_whole),   cmocka_unit_test(test_table_cut),
		cmocka_unit_test(test_table_dropped), cmocka_unit_test(test_wrap),
		cmocka_unit_test(test_colour),	      cmocka_unit_test(test_no_terminal),
	};

	setenv("LC_ALL", "C", 1);
	render_locale();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
