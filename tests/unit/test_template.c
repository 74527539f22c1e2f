/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "template.h"

/* The expected match as "campaign|task|name=value|…"; NULL: none. */
struct row {
	const char *template, *root, *path, *match;
};

static const struct row rows[] = {
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns",
	  "/campaigns/nightly/sandbox/t-17", "nightly|t-17|app=sandbox" },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns", "/campaigns/nightly/sandbox",
	  NULL },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns",
	  "/campaigns/nightly/sandbox/t-17/deeper", NULL },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns", "/campaigns/nightly/sandbox/",
	  NULL },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns", "/campaigns//sandbox/t", NULL },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns", "/campaign/a/b/c", NULL },
	{ "/campaigns/{campaign}/{label.app}/{task}", "/campaigns", "", NULL },
	{ "/system.slice/docker-{task}.scope", "/system.slice",
	  "/system.slice/docker-0123abcd.scope", "default|0123abcd" },
	{ "/system.slice/docker-{task}.scope", "/system.slice", "/system.slice/docker-.scope",
	  NULL },
	{ "/system.slice/docker-{task}.scope", "/system.slice", "/system.slice/docker-x.service",
	  NULL },
	{ "/system.slice/docker-{task}.scope", "/system.slice", "/system.slice/docker-x.scope/init",
	  NULL },
	{ "/system.slice/docker-{task}.scope", "/system.slice",
	  "/system.slice/docker-a.scope.scope", "default|a.scope" },
	{ "/system.slice/docker-{task}.scope", "/system.slice",
	  "/system.slice/docker-a/docker-b.scope", NULL },
	{ "/k/{campaign}-{task}", "/k", "/k/a-b-c", "a|b-c" },
	{ "/k/{campaign}-{task}", "/k", "/k/--b", "-|b" },
	{ "/k/{campaign}-{task}", "/k", "/k/a-", NULL },
	{ "/k/{campaign}-{task}", "/k", "/k/-a", NULL },
	{ "/k/{campaign}-x/{task}.y/leaf", "/k", "/k/a-x-x/b.y.y/leaf", "a-x|b.y" },
	{ "/k/{campaign}-x/{task}.y/leaf", "/k", "/k/a/b-x/c.y/leaf", NULL },
	{ "/{task}", "/", "/t", "default|t" },
	{ "/{task}", "/", "/", NULL },
	{ "/docker-{task}", "/", "/docker-t", "default|t" },
	{ "/a/b/c/{task}", "/a/b/c", "/a/b/c/t", "default|t" },
	{ "/{label.z}/{task}/{label.a}", "/", "/1/2/3", "default|2|z=1|a=3" },
	/* What a hostile parent may name its cgroups. */
	{ "/k/{task}", "/k", "/k/a\nb\x1b\xff", "default|a\\nb\\x1b\\xff" },
	{ "/k/{task}", "/k", "/k/t-17#1", "default|t-17\\x231" },
	{ "/k/{task}", "/k", "/k/{task}", "default|{task}" },
};

static void render(const struct template_match *m, char *buf, size_t size)
{
	int n = snprintf(buf, size, "%s|%s", m->campaign, m->task);

	for (size_t i = 0; i < m->n_labels; i++)
		n += snprintf(buf + n, size - (size_t)n, "|%s=%s", m->labels[i].name,
			      m->labels[i].value);
}

static void test_match(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct template_match m = { 0 };
		struct template *t;
		char *error, text[512];
		int r;

		assert_int_equal(template_compile(&t, rows[i].template, &error), 0);
		assert_null(error);
		assert_string_equal(template_text(t), rows[i].template);
		assert_string_equal(template_root(t), rows[i].root);
		r = template_match(t, rows[i].path, &m);
		if (r != (rows[i].match ? 1 : 0))
			fail_msg("%s against %s: %d", rows[i].path, rows[i].template, r);
		if (r == 1) {
			render(&m, text, sizeof(text));
			assert_string_equal(text, rows[i].match);
			template_match_clear(&m);
		}
		template_free(t);
	}
}

static const struct {
	const char *text, *error;
} refused[] = {
	{ "k/{task}", "\"k/{task}\": does not begin with /; allowed: an absolute path like "
		      "/system.slice/docker-{task}.scope" },
	{ "", "\"\": does not begin with /; allowed: an absolute path like "
	      "/system.slice/docker-{task}.scope" },
	{ "/k/{tsak}", "\"/k/{tsak}\": unknown placeholder {tsak}; allowed: {campaign}, {task}, "
		       "{label.NAME} (NAME of letters, digits, _ . -, at most 64)" },
	{ "/k/{}/{task}", "\"/k/{}/{task}\": unknown placeholder {}; allowed: {campaign}, {task}, "
			  "{label.NAME} (NAME of letters, digits, _ . -, at most 64)" },
	{ "/k/{label.}/{task}", "\"/k/{label.}/{task}\": unknown placeholder {label.}; allowed: "
				"{campaign}, {task}, {label.NAME} (NAME of letters, digits, _ . -, "
				"at most 64)" },
	{ "/k/{campaign}", "\"/k/{campaign}\": {task} is missing; allowed: {task} exactly once" },
	{ "/k", "\"/k\": {task} is missing; allowed: {task} exactly once" },
	{ "/{task}/{task}",
	  "\"/{task}/{task}\": a placeholder stands twice; allowed: each name once" },
	{ "/{label.a}/{label.a}/{task}",
	  "\"/{label.a}/{label.a}/{task}\": a placeholder stands twice; "
	  "allowed: each name once" },
	{ "/k/{campaign}{task}", "\"/k/{campaign}{task}\": two placeholders touch; allowed: text "
				 "between them" },
	{ "/k/{task",
	  "\"/k/{task\": a brace without its partner; allowed: {NAME} within one component" },
	{ "/k/task}",
	  "\"/k/task}\": a brace without its partner; allowed: {NAME} within one component" },
	{ "/k/{ta/sk}", "\"/k/{ta/sk}\": a brace without its partner; allowed: {NAME} within one "
			"component" },
	{ "/k/{{task}}", "\"/k/{{task}}\": a brace without its partner; allowed: {NAME} within one "
			 "component" },
	{ "/k//{task}", "\"/k//{task}\": holds an empty component; allowed: an absolute path like "
			"/system.slice/docker-{task}.scope" },
	{ "/k/{task}/", "\"/k/{task}/\": holds an empty component; allowed: an absolute path like "
			"/system.slice/docker-{task}.scope" },
	{ "/", "\"/\": holds an empty component; allowed: an absolute path like "
	       "/system.slice/docker-{task}.scope" },
	{ "/k/../{task}",
	  "\"/k/../{task}\": holds a . or .. component; allowed: an absolute path like "
	  "/system.slice/docker-{task}.scope" },
	{ "/k\n/{task}",
	  "\"/k\\n/{task}\": holds a control character; allowed: an absolute path like "
	  "/system.slice/docker-{task}.scope" },
};

static void test_refused(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++) {
		struct template *t = NULL;
		char *error = NULL;

		assert_int_equal(template_compile(&t, refused[i].text, &error), -EINVAL);
		assert_null(t);
		assert_string_equal(error, refused[i].error);
		free(error);
	}
}

static void test_field_limit(void **state)
{
	char text[512] = "/{task}", *error;
	struct template *t = NULL;

	for (int i = 1; i < TEMPLATE_FIELDS; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "/{label.l%d}", i);
	assert_int_equal(template_compile(&t, text, &error), 0);
	template_free(t);
	strcat(text, "/{campaign}");
	assert_int_equal(template_compile(&t, text, &error), -EINVAL);
	assert_non_null(strstr(error, "too many placeholders; allowed: 16"));
	free(error);
}

/* A backtracking matcher would take longer than the universe has. */
static void test_hostile_length(void **state)
{
	struct template_match m = { 0 };
	struct template *t;
	char *error, path[TEMPLATE_PATH_MAX + 8];

	assert_int_equal(template_compile(&t,
					  "/{label.a}a{label.b}a{label.c}a{label.d}a{label.e}a"
					  "{label.f}a{label.g}a{task}b",
					  &error),
			 0);
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[TEMPLATE_PATH_MAX - 1] = '\0';
	for (int i = 0; i < 1000; i++)
		assert_int_equal(template_match(t, path, &m), 0);
	path[TEMPLATE_PATH_MAX - 2] = 'b';
	assert_int_equal(template_match(t, path, &m), 1);
	assert_string_equal(m.labels[0].value, "a");
	assert_int_equal(strlen(m.task), TEMPLATE_PATH_MAX - 2 - 7 * 2 - 1);
	template_match_clear(&m);
	memset(path, 'a', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 2] = 'b';
	path[sizeof(path) - 1] = '\0';
	assert_int_equal(template_match(t, path, &m), 0); /* longer than any cgroup's path */
	template_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_field_limit),
		cmocka_unit_test(test_hostile_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
