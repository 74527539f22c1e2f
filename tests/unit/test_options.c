/* SPDX-License-Identifier: GPL-2.0-only */
/* Defaults, values, the file. */
#include "options_rig.h"

#include <ctype.h>

static void test_defaults(void **state)
{
	struct options o;
	struct stat st;

	new_options(&o);
	assert_string_equal(o.db, "/var/lib/sandfault/sandfault.db");
	assert_string_equal(o.socket, "/run/sandfault/control.sock");
	assert_string_equal(o.group, "sandfault");
	assert_null(o.config);
	assert_null(o.alert_command);
	assert_int_equal(o.n_templates, 0);
	assert_int_equal(o.alert_timeout_ns, 10 * S);
	assert_int_equal(o.alert_window_ns, 600 * S);
	assert_int_equal(o.alert_min_tasks, 4);
	assert_true(o.alert_significance == 1e-4);
	assert_int_equal(o.alert_resolve_ns, 600 * S);
	assert_int_equal(o.retain_age_ns, 30 * 86400 * S);
	assert_int_equal(o.retain_bytes, 2147483648);
	assert_int_equal(o.judge_interval_ns, 5 * S);
	assert_int_equal(o.sweep_interval_ns, S);
	assert_int_equal(o.empty_ns, 2 * S);
	assert_int_equal(o.abandon_ns, 600 * S);
	assert_int_equal(o.signature_entries, 32768);
	assert_int_equal(o.budget, 8192);
	assert_int_equal(o.log_level, LOG_LEVEL_INFO);
	assert_int_equal(o.ready_fd, -1);
	assert_string_equal(o.proc_root, "/proc");
	if (o.cgroup_root) { /* this host has a cgroup2 tree: it is one indeed */
		char path[4200];

		snprintf(path, sizeof(path), "%s/cgroup.procs", o.cgroup_root);
		assert_int_equal(stat(path, &st), 0);
	}
	options_clear(&o);
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		int64_t ns; /* -1: refused */
	} rows[] = {
		{ "90s", 90 * S },
		{ "15m", 900 * S },
		{ "6h", 21600 * S },
		{ "2d", 172800 * S },
		{ "0s", 0 },
		{ "0.5s", S / 2 },
		{ "1.5h", 5400 * S },
		{ "0.000000001s", 1 },
		{ "106751d", 106751LL * 86400 * S },
		{ "106752d", -1 },
		{ "9223372036854775808s", -1 },
		{ "10", -1 },
		{ "", -1 },
		{ "s", -1 },
		{ "-1s", -1 },
		{ "+1s", -1 },
		{ " 1s", -1 },
		{ "1s ", -1 },
		{ "1 s", -1 },
		{ "1ms", -1 },
		{ "1S", -1 },
		{ "1.s", -1 },
		{ ".5s", -1 },
		{ "1e3s", -1 },
		{ "0x10s", -1 },
		{ "inf", -1 },
		{ "abc", -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int64_t ns = -1;

		assert_int_equal(options_duration(rows[i].text, &ns), rows[i].ns < 0 ? -EINVAL : 0);
		if (ns != rows[i].ns)
			fail_msg("%s: %lld", rows[i].text, (long long)ns);
	}
}

static void test_sizes(void **state)
{
	static const struct {
		const char *text;
		int64_t bytes; /* -1: refused */
	} rows[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "1K", 1024 },
		{ "512M", 536870912 },
		{ "2G", 2147483648 },
		{ "1T", 1099511627776 },
		{ "1.5G", 1610612736 },
		{ "1.5", -1 },
		{ "8388608T", -1 },
		{ "2g", -1 },
		{ "2GB", -1 },
		{ "2 G", -1 },
		{ "-1", -1 },
		{ "", -1 },
		{ "G", -1 },
		{ "lots", -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int64_t bytes = -1;

		assert_int_equal(options_size(rows[i].text, &bytes),
				 rows[i].bytes < 0 ? -EINVAL : 0);
		if (bytes != rows[i].bytes)
			fail_msg("%s: %lld", rows[i].text, (long long)bytes);
	}
}

static void test_whole_file(void **state)
{
	struct options o;
	char *error;

	new_options(&o);
	put_config("# every key, but for the channels'\n"
		   "\n"
		   "db = /srv/x.db\r\n"
		   "  socket=/srv/x.sock\n"
		   "group = -\n"
		   "template = /campaigns/{campaign}/{task}\n"
		   "template = /system.slice/docker-{task}.scope\n"
		   "alert-command = /usr/bin/true\n"
		   "alert-timeout = 3s\n"
		   "alert-window = 20m\n"
		   "alert-min-tasks = 7\n"
		   "alert-significance = 1e-6\n"
		   "retain-age = 12h\n"
		   "retain-size = 512M\n"
		   "judge-interval = 2s\n"
		   "sweep-interval = 0.25s\n"
		   "empty-after = 0s\n"
		   "abandon-after = 1h\n"
		   "signature-entries = 1024\n"
		   "budget = 100\n"
		   "log-level = debug\n"
		   "cgroup-root = /mnt/cg"); /* no newline at the end */
	assert_int_equal(options_load(&o, config, &error), 0);
	assert_string_equal(o.db, "/srv/x.db");
	assert_string_equal(o.socket, "/srv/x.sock");
	assert_null(o.group);
	assert_int_equal(o.n_templates, 2);
	assert_string_equal(o.templates[0], "/campaigns/{campaign}/{task}");
	assert_string_equal(o.templates[1], "/system.slice/docker-{task}.scope");
	assert_string_equal(o.alert_command, "/usr/bin/true");
	assert_int_equal(o.alert_timeout_ns, 3 * S);
	assert_int_equal(o.alert_window_ns, 1200 * S);
	assert_int_equal(o.alert_resolve_ns, 1200 * S); /* follows the window */
	assert_int_equal(o.alert_min_tasks, 7);
	assert_true(o.alert_significance == 1e-6);
	assert_int_equal(o.retain_age_ns, 43200 * S);
	assert_int_equal(o.retain_bytes, 536870912);
	assert_int_equal(o.judge_interval_ns, 2 * S);
	assert_int_equal(o.sweep_interval_ns, S / 4);
	assert_int_equal(o.empty_ns, 0);
	assert_int_equal(o.abandon_ns, 3600 * S);
	assert_int_equal(o.signature_entries, 1024);
	assert_int_equal(o.budget, 100);
	assert_int_equal(o.log_level, LOG_LEVEL_DEBUG);
	assert_string_equal(o.cgroup_root, "/mnt/cg");
	unlink(config);
	options_clear(&o);
}

static void test_channel_keys(void **state)
{
	struct options o;
	char *error;

	new_options(&o);
	put_config("channels = off\n"
		   "channel-payload = off\n"
		   "channel-excerpt = 64\n"
		   "channel-server = *server-filesystem*\n"
		   "channel-server = npx -y *\n"
		   "channel-cgroup = /mcp\n"
		   "channel-ring = 1M\n"
		   "channel-message = 64K\n");
	assert_int_equal(options_load(&o, config, &error), 0);
	assert_false(o.channels);
	assert_false(o.channel_payload);
	assert_int_equal(o.channel_excerpt, 64);
	assert_int_equal(o.n_channel_servers, 2);
	assert_string_equal(o.channel_servers[1], "npx -y *");
	assert_int_equal(o.n_channel_cgroups, 1);
	assert_string_equal(o.channel_cgroups[0], "/mcp");
	assert_int_equal(o.channel_ring, 1 << 20);
	assert_int_equal(o.channel_message, 64 << 10);
	unlink(config);
	options_clear(&o);
}

static void test_resolve_on_its_own(void **state)
{
	struct options o;
	char *error;

	new_options(&o);
	put_config("alert-resolve = 10m\nalert-window = 20m\n");
	assert_int_equal(options_load(&o, config, &error), 0);
	assert_int_equal(o.alert_resolve_ns, 600 * S);
	unlink(config);
	options_clear(&o);
}

#define KEYS                                                                                       \
	"db, socket, group, template, alert-command, alert-timeout, alert-window, "                \
	"alert-min-tasks, alert-significance, alert-resolve, retain-age, retain-size, "            \
	"judge-interval, sweep-interval, empty-after, abandon-after, signature-entries, budget, "  \
	"channels, channel-payload, channel-excerpt, channel-server, channel-cgroup, "             \
	"channel-ring, channel-message, "                                                          \
	"log-level, no-sensor, cgroup-root"

static const struct {
	const char *text, *error; /* behind "FILE:" */
} bad_files[] = {
	{ "x = 1\n", "1: unknown key \"x\"; allowed: " KEYS },
	{ "\n# c\nalert-window = abc\n",
	  "3: alert-window: \"abc\" is no duration; allowed: a number with s, m, h or d" },
	{ "alert-window = 0s\n",
	  "1: alert-window: \"0s\" is out of range; allowed: 1s to 604800s" },
	{ "db = x.db\n", "1: db: \"x.db\" is no absolute path; allowed: a path that begins "
			 "with / (less than 4096 bytes)" },
	{ "db =\n", "1: db: \"\" is no absolute path; allowed: a path that begins with / "
		    "(less than 4096 bytes)" },
	{ "alert-command = mail -s x\n",
	  "1: alert-command: \"mail -s x\" is no absolute path of a program; allowed: a "
	  "path "
	  "that begins with /, without arguments; or nothing: no command" },
	{ "group = a b\n",
	  "1: group: \"a b\" is no name of a group; allowed: letters, digits, _ . -; or - "
	  "for none" },
	{ "retain-size = big\n", "1: retain-size: \"big\" is no size; allowed: a number of "
				 "bytes, or a number with K, M, G or T" },
	{ "retain-size = 1K\n", "1: retain-size: \"1K\" is out of range; allowed: 1048576 "
				"to 1.12589990684262e+15" },
	{ "alert-min-tasks = 0\n",
	  "1: alert-min-tasks: \"0\" is out of range; allowed: 1 to 1000000" },
	{ "alert-min-tasks = 2.5\n",
	  "1: alert-min-tasks: \"2.5\" is no count; allowed: a whole number" },
	{ "budget = 1K\n", "1: budget: \"1K\" is no count; allowed: a whole number" },
	{ "alert-significance = 1\n", "1: alert-significance: \"1\" is no probability; "
				      "allowed: a number between 0 and 1, like 1e-4" },
	{ "alert-significance = nan\n", "1: alert-significance: \"nan\" is no probability; "
					"allowed: a number between 0 and 1, like 1e-4" },
	{ "channel-cgroup = mcp\n",
	  "1: channel-cgroup: \"mcp\" is no cgroup; allowed: a path from the root of the cgroup2 "
	  "tree, which begins with /" },
	{ "channels = maybe\n", "1: channels: \"maybe\" is no switch; allowed: on or off" },
	{ "log-level = loud\n", "1: log-level: \"loud\" is no log level; allowed: error, "
				"warning, info, debug" },
	{ "template = /x/{foo}/{task}\n",
	  "1: template: \"/x/{foo}/{task}\": unknown placeholder {foo}; allowed: "
	  "{campaign}, "
	  "{task}, {label.NAME} (NAME of letters, digits, _ . -, at most 64)" },
	{ "budget\n", "1: no setting; allowed: KEY = VALUE, or # and a comment" },
	{ "= 1\n", "1: no setting; allowed: KEY = VALUE, or # and a comment" },
	{ "[daemon]\n", "1: no setting; allowed: KEY = VALUE, or # and a comment" },
	{ "budget = 100\nbudget = 200\n",
	  "2: budget: stands twice; allowed: once (template, channel-server, channel-cgroup: "
	  "repeatedly)" },
	{ "a\x1b[31m = 1\n", "1: unknown key \"a\\x1b[31m\"; allowed: " KEYS },
};

static void test_errors(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(bad_files); i++) {
		_cleanup_free_ char *error = NULL;
		struct options o;
		size_t n;

		new_options(&o);
		put_config(bad_files[i].text);
		assert_int_equal(options_load(&o, config, &error), -EINVAL);
		n = strlen(config);
		assert_memory_equal(error, config, n);
		assert_int_equal(error[n], ':');
		assert_string_equal(error + n + 1, bad_files[i].error);
		unlink(config);
		options_clear(&o);
	}
}

static void test_unreadable(void **state)
{
	_cleanup_free_ char *error = NULL;
	struct options o;

	new_options(&o);
	assert_int_equal(options_load(&o, "/nonexistent/sandfault.conf", &error), -ENOENT);
	assert_null(error);
	put_config_bytes("budget = 1\0"
			 "00\n",
			 14);
	assert_int_equal(options_load(&o, config, &error), -EINVAL);
	assert_non_null(strstr(error, ":1: a NUL byte; allowed: text"));
	unlink(config);
	options_clear(&o);
}

/* The file that we ship names every key, with its default (make runs this from the top). */
static void test_shipped_file(void **state)
{
	_cleanup_free_ char *file = NULL;
	struct options defaults, o;
	char *error, *line, *save = NULL;
	size_t shown = 0;

	new_options(&defaults);
	new_options(&o);
	assert_int_equal(options_load(&o, "etc/sandfault.conf", &error), 0); /* all commented out */
	assert_true(util_read_file("etc/sandfault.conf", 1 << 20, &file) > 0);
	for (line = strtok_r(file, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *value = strstr(line, " =");

		if (line[0] != '#' || !value || !isalpha((unsigned char)line[1]))
			continue;
		*value = '\0';
		value += value[2] ? 3 : 2;
		if (options_set(&o, line + 1, value, &error) < 0)
			fail_msg("%s", error);
		shown += strcmp(line + 1, "template") == 0 ? o.n_templates == 1 : 1;
	}
	assert_int_equal(shown, options_n_keys);
	assert_string_equal(o.db, defaults.db);
	assert_string_equal(o.socket, defaults.socket);
	assert_string_equal(o.group, defaults.group);
	assert_null(o.alert_command);
	assert_int_equal(o.n_templates, 2);
	for (size_t i = 0; i < options_n_keys; i++) {
		const struct options_key *k = &options_keys[i];
		size_t size = k->kind == KEY_SWITCH			   ? sizeof(bool)
			      : k->kind == KEY_U32 || k->kind == KEY_LEVEL ? 4
									   : 8;

		if (!options_is_list(k) && k->kind > KEY_TEMPLATE &&
		    memcmp((char *)&o + k->offset, (char *)&defaults + k->offset, size) != 0)
			fail_msg("%s: not its default", k->name);
	}
	options_clear(&o);
	options_clear(&defaults);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_defaults),     cmocka_unit_test(test_durations),
		cmocka_unit_test(test_sizes),	     cmocka_unit_test(test_whole_file),
		cmocka_unit_test(test_channel_keys), cmocka_unit_test(test_resolve_on_its_own),
		cmocka_unit_test(test_errors),	     cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_shipped_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
