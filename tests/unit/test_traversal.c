/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths that left the task's own tree: by the rule alone, and in calls on real files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "payload_rig.h"
#include "traversal.h"

#define S(s) s, sizeof(s) - 1

/* ---- the rule ---- */

static struct disk_answer a;

static void tree(enum disk_root_kind kind, const char *path)
{
	a.roots[a.n_roots].kind = kind;
	snprintf(a.roots[a.n_roots++].path, PATH_MAX, "%s", path);
}

static void file(const char *path, const char *real, int64_t link_ns)
{
	struct disk_file *f = &a.files[a.n_files++];

	*f = (struct disk_file){ .link = link_ns != 0, .link_ns = link_ns };
	snprintf(f->path, PATH_MAX, "%s", path);
	snprintf(f->real, PATH_MAX, "%s", real);
}

static void check(enum traversal_by want)
{
	struct traversal t = traversal_check(&a, 0, -1, 100);

	assert_int_equal(t.by, want);
	assert_true(!t.by || t.file == &a.files[0]);
	a.n_files = 0;
}

static void test_dots(void **state)
{
	a.n_roots = a.n_files = 0;
	tree(DISK_ROOT_ARGUMENT, "/w/files");
	tree(DISK_ROOT_CWD, "/w");
	file("/w/files/../secret", "/w/secret", 0);
	check(TRAVERSAL_DOTS);
	file("/w/files/a/../../../etc/passwd", "/etc/passwd", 0);
	check(TRAVERSAL_DOTS);
	file("/w/files/a/../b", "/w/files/b", 0); /* stays inside */
	check(TRAVERSAL_NONE);
	file("/w/../etc/passwd", "/etc/passwd", 0); /* was never inside */
	check(TRAVERSAL_NONE);
	file("/etc/passwd", "/etc/passwd", 0); /* outside without leaving */
	check(TRAVERSAL_NONE);
	file("/w/files/../filesystem", "/w/filesystem", 0); /* a name that only begins alike */
	check(TRAVERSAL_DOTS);
	file("/w/files/..a", "/w/files/..a", 0);
	check(TRAVERSAL_NONE);
	/* it may mean a file inside, and the tool may mean that one */
	file("/w/files/../secret", "/w/secret", 0);
	file("/w/files/x/../secret", "/w/files/secret", 0);
	check(TRAVERSAL_NONE);
	check(TRAVERSAL_NONE); /* nothing there */
}

static void test_links(void **state)
{
	a.n_roots = a.n_files = 0;
	tree(DISK_ROOT_DECLARED, "/w");
	file("/w/link", "/home/u/secret", 100);
	check(TRAVERSAL_LINK);
	file("/w/link", "/home/u/secret", 99); /* older than the task */
	check(TRAVERSAL_NONE);
	file("/w/venv/bin/python", "/usr/bin/python3", 200);
	check(TRAVERSAL_NONE);
	file("/w/link", "/w/other", 200);
	check(TRAVERSAL_NONE);
	file("/w/link", "/home/u/secret", 200);
	assert_int_equal(traversal_check(&a, 0, -1, 0).by, TRAVERSAL_NONE);
	a.n_files = 0;
}

static void test_trees(void **state)
{
	a.n_roots = a.n_files = 0;
	tree(DISK_ROOT_CWD, "/");
	assert_true(traversal_inside(&a, "/etc/passwd"));
	a.n_roots = 0;
	tree(DISK_ROOT_CWD, "/w");
	assert_true(traversal_inside(&a, "/w"));
	assert_true(traversal_inside(&a, "/w/a"));
	assert_false(traversal_inside(&a, "/wa"));
	tree(DISK_ROOT_ARGUMENT, "/x");
	tree(DISK_ROOT_ARGUMENT, "/y");
	assert_false(traversal_inside(&a, "/w/a"));
	assert_true(traversal_inside(&a, "/y/a"));
	tree(DISK_ROOT_DECLARED, "/z");
	assert_false(traversal_inside(&a, "/y/a"));
	assert_true(traversal_inside(&a, "/z"));
}

static void test_normalize(void **state)
{
	static const char *const rows[][2] = {
		{ "a/../b", "b" },	   { "../b", "../b" },
		{ "../../b/..", "../.." }, { "/../b", "/b" },
		{ "/a/./b//c", "/a/b/c" }, { "a/..", "." },
		{ "no/../../x", "../x" },  { "/", "/" },
		{ "/a/..", "/" },	   { "..a/..", "." },
	};
	char out[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		traversal_normalize(rows[i][0], out);
		assert_string_equal(out, rows[i][1]);
	}
	assert_true(traversal_has_dots("a/../b"));
	assert_true(traversal_has_dots(".."));
	assert_false(traversal_has_dots("a..b/...c"));
}

static void test_decode(void **state)
{
	static const char *const rows[][2] = {
		{ "%2e%2e/key", "../key" },	    { "..%2Fkey", "../key" },
		{ "%252e%252e%252fkey", "../key" }, { "a\\..\\..\\key", "a/../../key" },
		{ "..%5ckey", "../key" },	    { "%2e./a%20b", "../a b" },
		{ "%2e%2e/%00/%", "../%00/%" },
	};
	static const char *const none[] = { "../key",	"a%20b", "%2e/a", "100%",    "a%2",
					    "%2e%2e%2", "a\\b",	 "",	  "%2e%2ea", "%2e%zz" };
	char out[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(traversal_decode(rows[i][0], out));
		assert_string_equal(out, rows[i][1]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		assert_false(traversal_decode(none[i], out));
}

/* ---- calls ---- */

/* The declared tree is files/; beside it lies what is not the task's. */
static int set_up(void **state)
{
	char uri[PATH_MAX];
	struct json_object *list = json_object_new_array(), *result;

	if (rig_set_up(state) < 0 || mkdir("files", 0755) < 0)
		return -1;
	snprintf(uri, sizeof(uri), "file://%s/files", rig.dir);
	json_object_array_add(list, rig_object("uri", json_object_new_string(uri), NULL, NULL));
	result = rig_object("roots", list, NULL, NULL);
	rig_begin("list_tools", json_object_new_object()); /* the session is known */
	rig_end(CALL_OK, NULL);
	payload_roots(rig.payload, 1, result);
	json_object_put(result);
	rig_old("secret.txt", S("# comment\nthe combination is 12-34-56\n"));
	rig_old("files/a.txt", S("alpha\n"));
	return 0;
}

static struct json_object *path_arg(const char *path)
{
	return rig_object("path", json_object_new_string(path), NULL, NULL);
}

static void traversal(bool sure)
{
	char real[PATH_MAX];

	rig_fault(CAUSE_PATH_TRAVERSAL, LEG_NONE, sure, 0);
	snprintf(real, sizeof(real), "to %s/secret.txt", rig.dir);
	assert_non_null(strstr(rig.call.faults[0].say, real));
}

static void test_read_outside(void **state)
{
	static const char whole[] = "# comment\nthe combination is 12-34-56\n";

	rig_begin("read_file", path_arg("../secret.txt"));
	rig_end(CALL_OK, rig_text(S(whole)));
	traversal(true);
	assert_string_equal(rig.call.faults[0].subject.data, "../secret.txt");
	/* numbered, framed: a line of it is enough */
	rig_begin("read_file", path_arg("../secret.txt"));
	rig_end(CALL_OK, rig_text(S("   1  # comment\n   2  the combination ...")));
	traversal(true);
	/* a directory that is not there: only a look at the text of the path leads out */
	rig_begin("read_file", path_arg("no/../../secret.txt"));
	rig_end(CALL_OK, rig_text(S(whole)));
	traversal(true);
	/* decoded after it was looked at */
	rig_begin("read_file", path_arg("%2e%2e%2fsecret.txt"));
	rig_end(CALL_OK, rig_text(S(whole)));
	traversal(true);
	/* it has shown something else: whatever it read, it was not that */
	rig_begin("read_file", path_arg("../secret.txt"));
	rig_end(CALL_OK, rig_text(S("a page of a wiki")));
	traversal(false);
	/* refused */
	rig_begin("read_file", path_arg("../secret.txt"));
	rig_end(CALL_TOOL_ERROR, rig_text(S("Access denied")));
	rig_none();
	/* inside: there is a file of that very name */
	rig_old("files/%2e%2e%2fsecret.txt", S(whole));
	rig_begin("read_file", path_arg("%2e%2e%2fsecret.txt"));
	rig_end(CALL_OK, rig_text(S(whole)));
	rig_none();
	/* inside, and nowhere */
	rig_begin("read_file", path_arg("x/../a.txt"));
	rig_end(CALL_OK, rig_text(S("alpha\n")));
	rig_none();
	rig_begin("read_file", path_arg("../nothing"));
	rig_end(CALL_OK, rig_text(S("what?")));
	rig_none();
}

static void test_write_outside(void **state)
{
	rig_begin("write_file", rig_object("path", json_object_new_string("../secret.txt"),
					   "content", rig_json(S("new"))));
	rig_write("secret.txt", S("new"));
	rig_end(CALL_OK, rig_text(S("ok")));
	traversal(true);
}

static void test_link_outside(void **state)
{
	static const char whole[] = "# comment\nthe combination is 12-34-56\n";

	assert_int_equal(symlink("../secret.txt", "files/link"), 0);
	rig_begin("read_file", path_arg("link"));
	rig_end(CALL_OK, rig_text(S(whole)));
	traversal(true);
	rig.began += 3600 * NSEC_PER_SEC; /* the link was there before the task */
	rig_begin("read_file", path_arg("link"));
	rig_end(CALL_OK, rig_text(S(whole)));
	rig_none();
}

/* An absolute path that the tool takes: nothing was left. */
static void test_absolute(void **state)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/secret.txt", rig.dir);
	rig_begin("read_file", path_arg(path));
	rig_end(CALL_OK, rig_text(S("# comment\nthe combination is 12-34-56\n")));
	rig_none();
	snprintf(path, sizeof(path), "%s/files/../secret.txt", rig.dir);
	rig_begin("read_file", path_arg(path));
	rig_end(CALL_OK, rig_text(S("# comment\nthe combination is 12-34-56\n")));
	traversal(true);
}

static void test_list_outside(void **state)
{
	rig_begin("list_directory", path_arg(".."));
	rig_end(CALL_OK, rig_text(S("[FILE] secret.txt\n[DIR] files")));
	rig_fault(CAUSE_PATH_TRAVERSAL, LEG_NONE, true, 0);
	rig_begin("list_directory", path_arg("."));
	rig_end(CALL_OK, rig_text(S("[FILE] a.txt")));
	rig_none();
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, rig_tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dots),   cmocka_unit_test(test_links),
		cmocka_unit_test(test_trees),  cmocka_unit_test(test_normalize),
		cmocka_unit_test(test_decode), TEST(test_read_outside),
		TEST(test_write_outside),      TEST(test_link_outside),
		TEST(test_absolute),	       TEST(test_list_outside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
