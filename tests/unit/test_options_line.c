/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line, and reading everything once more. */
#include "options_rig.h"

static void test_order_of_sources(void **state)
{
	char *const line[] = { "sandfaultd", "--config",  config,	"--db",	     "/line.db",
			       "--template", "/l/{task}", "--template", "/m/{task}", NULL };
	struct options o;

	put_config("db = /file.db\nsocket = /file.sock\ngroup = file\ntemplate = /f/{task}\n");
	setenv("SANDFAULT_DB", "/env.db", 1);
	setenv("SANDFAULT_SOCKET", "/env.sock", 1);
	new_options(&o);
	assert_int_equal(options_parse(&o, 9, (char **)line), 0);
	unsetenv("SANDFAULT_DB");
	unsetenv("SANDFAULT_SOCKET");
	assert_true(o.channel_payload);
	assert_string_equal(o.config, config);
	assert_string_equal(o.db, "/line.db");
	assert_string_equal(o.socket, "/env.sock");
	assert_string_equal(o.group, "file");
	assert_int_equal(o.n_templates, 3);
	assert_string_equal(o.templates[0], "/f/{task}");
	assert_string_equal(o.templates[2], "/m/{task}");
	unlink(config);
	options_clear(&o);
}

static void test_flags(void **state)
{
	char *const line[] = { "sandfaultd", "--private",   "--check",	    "--ready-fd",
			       "2",	     "--log-level", "error",	    "--group=-",
			       "--db",	     "rel.db",	    "--no-payload", NULL };
	_cleanup_free_ char *cwd = getcwd(NULL, 0);
	char path[4200];
	struct options o;

	new_options(&o);
	assert_int_equal(options_parse(&o, 11, (char **)line), 0);
	assert_true(o.foreground_private);
	assert_true(o.check);
	assert_false(o.channel_payload);
	assert_int_equal(o.ready_fd, 2);
	assert_int_equal(o.log_level, LOG_LEVEL_ERROR);
	assert_null(o.group);
	snprintf(path, sizeof(path), "%s/rel.db", cwd);
	assert_string_equal(o.db, path);
	options_clear(&o);
}

static void test_bad_lines(void **state)
{
	static const struct {
		const char *a, *b, *says;
	} rows[] = {
		{ "--frobnicate", NULL, "unrecognized option '--frobnicate'\nusage: sandfaultd" },
		{ "--db", NULL, "option '--db' requires an argument\nusage: sandfaultd" },
		{ "stray", NULL, "sandfaultd: unexpected argument \"stray\"\nusage: sandfaultd" },
		{ "--log-level", "loud",
		  "sandfaultd: --log-level: \"loud\" is no log level; "
		  "allowed: error, warning, info, debug\n" },
		{ "--ready-fd", "999",
		  "sandfaultd: --ready-fd: \"999\" is no open descriptor; "
		  "allowed: the number of one\n" },
		{ "--ready-fd", "x",
		  "sandfaultd: --ready-fd: \"x\" is no open descriptor; "
		  "allowed: the number of one\n" },
		{ "--config", "/nonexistent.conf",
		  "sandfaultd: cannot read /nonexistent.conf: No such file or directory\n" },
		{ "--template", "/x",
		  "sandfaultd: --template: \"/x\": {task} is missing; allowed: "
		  "{task} exactly once\n" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		char *line[] = { "sandfaultd", (char *)rows[i].a, (char *)rows[i].b, NULL };
		struct options o;
		const char *said;
		int r;

		new_options(&o);
		capture();
		r = options_parse(&o, rows[i].b ? 3 : 2, line);
		said = captured();
		assert_int_equal(r, -EINVAL);
		if (!strstr(said, rows[i].says))
			fail_msg("%s", said);
		options_clear(&o);
	}
}

static void test_reload(void **state)
{
	struct options o, fresh;
	char *error;
	const char *said;

	new_options(&o);
	new_options(&fresh);
	assert_int_equal(options_set(&o, "template", "/old/{task}", &error), 0);
	put_config("template = /new/{task}\ntemplate = /newer/{task}\nalert-command = /bin/x\n"
		   "alert-window = 1m\nalert-min-tasks = 9\nalert-significance = 0.5\n"
		   "alert-timeout = 1s\nretain-age = 1d\nretain-size = 1G\njudge-interval = 1s\n"
		   "log-level = error\ndb = /new.db\nbudget = 77\ngroup = other\n");
	assert_int_equal(options_load(&fresh, config, &error), 0);
	log_setup("test", LOG_LEVEL_INFO);
	capture();
	assert_int_equal(options_reload(&o, &fresh), 0);
	said = captured();
	assert_string_equal(said, "test: db: its change needs a restart\n"
				  "test: group: its change needs a restart\n"
				  "test: budget: its change needs a restart\n");
	assert_int_equal(o.n_templates, 2);
	assert_string_equal(o.templates[1], "/newer/{task}");
	assert_string_equal(o.alert_command, "/bin/x");
	assert_int_equal(o.alert_window_ns, 60 * S);
	assert_int_equal(o.alert_resolve_ns, 60 * S);
	assert_int_equal(o.alert_min_tasks, 9);
	assert_true(o.alert_significance == 0.5);
	assert_int_equal(o.alert_timeout_ns, S);
	assert_int_equal(o.retain_age_ns, 86400 * S);
	assert_int_equal(o.retain_bytes, 1 << 30);
	assert_int_equal(o.judge_interval_ns, S);
	assert_int_equal(o.log_level, LOG_LEVEL_ERROR);
	assert_string_equal(o.db, DEFAULT_DB);
	assert_int_equal(o.budget, 8192);
	unlink(config);
	options_clear(&fresh);
	new_options(&fresh); /* the command is gone again */
	assert_int_equal(options_reload(&o, &fresh), 0);
	assert_null(o.alert_command);
	assert_int_equal(o.n_templates, 0);
	options_clear(&fresh);
	options_clear(&o);
}

/* What the line says holds over a reload, too. */
static void test_reread(void **state)
{
	char *line[] = { "sandfaultd", "--config", config,	 "--ready-fd",	 "9",
			 "--db",       "/line.db", "--template", "/line/{task}", NULL };
	struct options o, fresh;
	const char *said;
	int r;

	put_config("alert-min-tasks = 5\n");
	new_options(&o);
	assert_int_equal(dup2(STDERR_FILENO, 9), 9);
	assert_int_equal(options_parse(&o, 9, line), 0);
	close(9);
	r = open(config, O_WRONLY | O_TRUNC | O_CLOEXEC);
	assert_int_equal(write(r, "alert-min-tasks = 6\ntemplate = /f/{task}\n", 41), 41);
	close(r);
	assert_int_equal(options_reread(&fresh, &o), 0);
	capture();
	r = options_reload(&o, &fresh);
	said = captured();
	assert_string_equal(said, "");
	assert_int_equal(r, 0);
	assert_int_equal(o.alert_min_tasks, 6);
	assert_int_equal(o.n_templates, 2);
	assert_string_equal(o.templates[0], "/f/{task}");
	assert_string_equal(o.templates[1], "/line/{task}");
	options_clear(&fresh);
	unlink(config);
	capture();
	r = options_reread(&fresh, &o);
	said = captured();
	assert_int_equal(r, -EINVAL);
	assert_non_null(strstr(said, "cannot read "));
	options_clear(&o);
}

/* reload_key() copies 64 bits for whatever it does not name. */
static void test_live_kinds(void **state)
{
	for (size_t i = 0; i < options_n_keys; i++) {
		const struct options_key *k = &options_keys[i];

		if (k->live)
			assert_true(k->kind != KEY_PATH && k->kind != KEY_NAME &&
				    k->kind != KEY_U32);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_of_sources), cmocka_unit_test(test_flags),
		cmocka_unit_test(test_bad_lines),	 cmocka_unit_test(test_reload),
		cmocka_unit_test(test_reread),		 cmocka_unit_test(test_live_kinds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
