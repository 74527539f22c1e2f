/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of the configuration: one table for parsing, reloading and the messages. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "log.h"
#include "options_impl.h"
#include "payload_find.h"
#include "sensors_table.h"
#include "template.h"

#define DAY	  (86400 * NSEC_PER_SEC)
#define AT(field) offsetof(struct options, field)

const struct options_key options_keys[] = {
	{ "db", KEY_PATH, AT(db), 0, 0, false },
	{ "socket", KEY_PATH, AT(socket), 0, 0, false },
	{ "group", KEY_NAME, AT(group), 0, 0, false },
	{ "template", KEY_TEMPLATE, AT(templates), 0, 0, true },
	{ "alert-command", KEY_COMMAND, AT(alert_command), 0, 0, true },
	{ "alert-timeout", KEY_DURATION, AT(alert_timeout_ns), NSEC_PER_SEC / 10, DAY, true },
	{ "alert-window", KEY_DURATION, AT(alert_window_ns), NSEC_PER_SEC, 7 * DAY, true },
	{ "alert-min-tasks", KEY_COUNT, AT(alert_min_tasks), 1, 1000000, true },
	{ "alert-significance", KEY_PROBABILITY, AT(alert_significance), 0, 0, true },
	{ "alert-resolve", KEY_DURATION, AT(alert_resolve_ns), 0, 7 * DAY, true },
	{ "retain-age", KEY_DURATION, AT(retain_age_ns), NSEC_PER_SEC, 36500 * DAY, true },
	{ "retain-size", KEY_SIZE, AT(retain_bytes), 1LL << 20, 1LL << 50, true },
	{ "judge-interval", KEY_DURATION, AT(judge_interval_ns), NSEC_PER_SEC / 10, DAY, true },
	{ "sweep-interval", KEY_DURATION, AT(sweep_interval_ns), NSEC_PER_SEC / 100, DAY / 24,
	  false },
	{ "empty-after", KEY_DURATION, AT(empty_ns), 0, DAY, false },
	{ "abandon-after", KEY_DURATION, AT(abandon_ns), NSEC_PER_SEC, 365 * DAY, false },
	{ "signature-entries", KEY_U32, AT(signature_entries), 256, 1 << 22, false },
	{ "budget", KEY_U32, AT(budget), 16, 1 << 22, false },
	{ "channels", KEY_SWITCH, AT(channels), 0, 0, false },
	{ "channel-payload", KEY_SWITCH, AT(channel_payload), 0, 0, false },
	{ "channel-excerpt", KEY_U32, AT(channel_excerpt), 0, EXCERPT_MAX, false },
	{ "channel-server", KEY_PATTERN, AT(channel_servers), 0, 0, false },
	{ "channel-cgroup", KEY_CGROUP, AT(channel_cgroups), 0, 0, false },
	{ "channel-ring", KEY_SIZE, AT(channel_ring), 1LL << 16, 1LL << 30, false },
	{ "channel-message", KEY_SIZE, AT(channel_message), 1LL << 10, 1LL << 28, false },
	{ "log-level", KEY_LEVEL, AT(log_level), 0, 0, true },
	{ "no-sensor", KEY_SENSORS, AT(no_sensor), 0, 0, false },
	{ "cgroup-root", KEY_PATH, AT(cgroup_root), 0, 0, false },
};
const size_t options_n_keys = ARRAY_SIZE(options_keys);

static const struct {
	const char *name;
	enum log_level level;
} levels[] = {
	{ "error", LOG_LEVEL_ERROR },
	{ "warning", LOG_LEVEL_WARNING },
	{ "info", LOG_LEVEL_INFO },
	{ "debug", LOG_LEVEL_DEBUG },
};

/* What each kind is called and what it allows, for the messages. */
static const struct {
	const char *noun;
	const char *allowed;
} kinds[] = {
	[KEY_PATH] = { "absolute path", "a path that begins with / (less than 4096 bytes)" },
	[KEY_COMMAND] = { "absolute path of a program",
			  "a path that begins with /, without arguments; or nothing: no command" },
	[KEY_NAME] = { "name of a group", "letters, digits, _ . -; or - for none" },
	[KEY_TEMPLATE] = { "template", "a path like /campaigns/{campaign}/{task}" },
	[KEY_PATTERN] = { "pattern", "a pattern for whole command lines, as a shell has it: "
				     "*server-filesystem*" },
	[KEY_CGROUP] = { "cgroup",
			 "a path from the root of the cgroup2 tree, which begins with /" },
	[KEY_DURATION] = { "duration", "a number with s, m, h or d" },
	[KEY_SIZE] = { "size", "a number of bytes, or a number with K, M, G or T" },
	[KEY_COUNT] = { "count", "a whole number" },
	[KEY_U32] = { "count", "a whole number" },
	[KEY_PROBABILITY] = { "probability", "a number between 0 and 1, like 1e-4" },
	[KEY_LEVEL] = { "log level", "error, warning, info, debug" },
	[KEY_SWITCH] = { "switch", "on or off" },
	[KEY_SENSORS] = { "list of sensors that can be off",
			  "optional sensors of `sandfault doctor`, fexit, kprobe; commas between" },
};

const struct options_key *options_find(const char *key)
{
	for (size_t i = 0; i < options_n_keys; i++)
		if (strcmp(options_keys[i].name, key) == 0)
			return &options_keys[i];
	return NULL;
}

static void *field(struct options *o, const struct options_key *k)
{
	return (char *)o + k->offset;
}

static int set_string(struct options *o, const struct options_key *k, const char *value)
{
	char **s = field(o, k);
	char *copy = NULL;

	if (value) {
		copy = strdup(value);
		if (!copy)
			return -ENOMEM;
	}
	free(*s);
	*s = copy;
	return 0;
}

static int set_path(struct options *o, const struct options_key *k, const char *value)
{
	if (k->kind == KEY_COMMAND && !*value)
		return set_string(o, k, NULL);
	if (value[0] != '/' || strlen(value) >= 4096)
		return -EINVAL;
	return set_string(o, k, value);
}

static int set_name(struct options *o, const struct options_key *k, const char *value)
{
	if (!*value || strlen(value) > 64)
		return -EINVAL;
	for (const char *p = value; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_.-", *p))
			return -EINVAL;
	return set_string(o, k, strcmp(value, "-") == 0 ? NULL : value);
}

bool options_is_list(const struct options_key *k)
{
	return k->kind == KEY_TEMPLATE || k->kind == KEY_PATTERN || k->kind == KEY_CGROUP;
}

static int append(struct options *o, const struct options_key *k, const char *value)
{
	char ***at = field(o, k), **list;
	size_t *n = (size_t *)(at + 1);

	list = reallocarray(*at, *n + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	*at = list;
	list[*n] = strdup(value);
	if (!list[*n])
		return -ENOMEM;
	(*n)++;
	return 0;
}

static int set_template(struct options *o, const struct options_key *k, const char *value,
			char **error)
{
	struct template *t;
	int r = template_compile(&t, value, error);

	if (r < 0)
		return r;
	template_free(t);
	return append(o, k, value);
}

static int set_listed(struct options *o, const struct options_key *k, const char *value)
{
	if (!*value || strlen(value) >= 4096 || (k->kind == KEY_CGROUP && *value != '/'))
		return -EINVAL;
	return append(o, k, value);
}

static int set_probability(struct options *o, const struct options_key *k, const char *value)
{
	char *end;
	double d;

	/* strtod(3) takes blanks, signs, "inf" and hex too. */
	if (!isdigit((unsigned char)*value) || strpbrk(value, "xX"))
		return -EINVAL;
	d = strtod(value, &end);
	if (*end || !isfinite(d) || d <= 0 || d >= 1)
		return -EINVAL;
	*(double *)field(o, k) = d;
	return 0;
}

static int set_level(struct options *o, const struct options_key *k, const char *value)
{
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++) {
		if (strcmp(levels[i].name, value) != 0)
			continue;
		*(int *)field(o, k) = (int)levels[i].level;
		return 0;
	}
	return -EINVAL;
}

static int set_switch(struct options *o, const struct options_key *k, const char *value)
{
	bool on = strcmp(value, "on") == 0;

	if (!on && strcmp(value, "off") != 0)
		return -EINVAL;
	*(bool *)field(o, k) = on;
	return 0;
}

static int set_sensors(struct options *o, const struct options_key *k, const char *value)
{
	_cleanup_free_ char *copy = strdup(value), *both = NULL;
	char **have = field(o, k), *save = NULL;
	size_t names = 0;

	if (!copy)
		return -ENOMEM;
	for (char *s = strtok_r(copy, ",", &save); s; s = strtok_r(NULL, ",", &save), names++)
		if (!sensor_can_be_off(s))
			return -EINVAL;
	if (!names)
		return *value ? -EINVAL : set_string(o, k, NULL);
	if (!*have)
		return set_string(o, k, value);
	if (asprintf(&both, "%s,%s", *have, value) < 0) {
		both = NULL;
		return -ENOMEM;
	}
	return set_string(o, k, both);
}

static int set_number(struct options *o, const struct options_key *k, const char *value)
{
	int64_t n = 0;
	int r = 0;

	if (k->kind == KEY_DURATION)
		r = options_duration(value, &n);
	else if (k->kind == KEY_SIZE)
		r = options_size(value, &n);
	else if (strspn(value, "0123456789") != strlen(value))
		r = -EINVAL;
	else
		r = options_size(value, &n);
	if (r < 0)
		return r;
	if (n < k->min || n > k->max)
		return -ERANGE;
	if (k->kind == KEY_U32)
		*(uint32_t *)field(o, k) = (uint32_t)n;
	else
		*(int64_t *)field(o, k) = n;
	return 0;
}

static int set_value(struct options *o, const struct options_key *k, const char *value,
		     char **error)
{
	switch (k->kind) {
	case KEY_PATH:
	case KEY_COMMAND:
		return set_path(o, k, value);
	case KEY_NAME:
		return set_name(o, k, value);
	case KEY_TEMPLATE:
		return set_template(o, k, value, error);
	case KEY_PATTERN:
	case KEY_CGROUP:
		return set_listed(o, k, value);
	case KEY_PROBABILITY:
		return set_probability(o, k, value);
	case KEY_LEVEL:
		return set_level(o, k, value);
	case KEY_SWITCH:
		return set_switch(o, k, value);
	case KEY_SENSORS:
		return set_sensors(o, k, value);
	default:
		return set_number(o, k, value);
	}
}

static int say_range(const struct options_key *k, const char *value, char **error)
{
	bool duration = k->kind == KEY_DURATION;
	double unit = duration ? (double)NSEC_PER_SEC : 1;
	const char *suffix = duration ? "s" : "";

	if (asprintf(error, "%s: \"%s\" is out of range; allowed: %.15g%s to %.15g%s", k->name,
		     value, (double)k->min / unit, suffix, (double)k->max / unit, suffix) < 0)
		return -ENOMEM;
	return -EINVAL;
}

static int say_unknown(const char *key, char **error)
{
	_cleanup_free_ char *escaped = util_escape(key, strlen(key));
	struct text t = { 0 };
	int r = escaped ? text_printf(&t, "unknown key \"%s\"; allowed:", escaped) : -ENOMEM;

	for (size_t i = 0; r == 0 && i < options_n_keys; i++) {
		_cleanup_free_ char *so_far = TAKE_PTR(t.data);

		r = text_printf(&t, "%s%s %s", so_far, i ? "," : "", options_keys[i].name);
	}
	if (r < 0)
		text_free(&t);
	*error = t.data;
	return r < 0 ? r : -ENOENT;
}

int options_set(struct options *o, const char *key, const char *value, char **error)
{
	const struct options_key *k = options_find(key);
	_cleanup_free_ char *escaped = util_escape(value, strlen(value));
	_cleanup_free_ char *detail = NULL;
	int r;

	*error = NULL;
	if (!escaped)
		return -ENOMEM;
	if (!k)
		return say_unknown(key, error);
	r = set_value(o, k, value, &detail);
	if (r == -ERANGE)
		return say_range(k, escaped, error);
	if (r == -EINVAL) {
		int n = detail ? asprintf(error, "%s: %s", key, detail)
			       : asprintf(error, "%s: \"%s\" is no %s; allowed: %s", key, escaped,
					  kinds[k->kind].noun, kinds[k->kind].allowed);

		if (n < 0)
			*error = NULL;
		return n < 0 ? -ENOMEM : -EINVAL;
	}
	if (r < 0)
		return r;
	if (k->offset == AT(alert_resolve_ns))
		o->alert_resolve_set = true;
	if (!o->alert_resolve_set)
		o->alert_resolve_ns = o->alert_window_ns;
	return 0;
}
