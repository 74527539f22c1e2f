/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "log.h"
#include "options_impl.h"

#define CONFIG_MAX (1024 * 1024)

/* The mount point of the cgroup2 tree in proc_root/self/mountinfo; the last one where there are
 * several, as it covers the others. "MOUNTPOINT" has blanks as \040, which no sane host uses here:
 * such a mount point is left out. */
static int find_cgroup_root(const char *proc_root, char **ret)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_free_ char *info = NULL;
	_cleanup_free_ char *found = NULL;
	char *line, *save = NULL;
	ssize_t n;

	if (asprintf(&path, "%s/self/mountinfo", proc_root) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	n = util_read_file(path, 16 * 1024 * 1024, &info);
	if (n < 0)
		return (int)n;
	for (line = strtok_r(info, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char point[4096];

		if (!strstr(line, " - cgroup2 "))
			continue;
		if (sscanf(line, "%*s %*s %*s %*s %4095s", point) != 1 || strchr(point, '\\'))
			continue;
		free(found);
		found = strdup(point);
		if (!found)
			return -ENOMEM;
		if (strcmp(point, "/sys/fs/cgroup") == 0)
			break;
	}
	*ret = TAKE_PTR(found);
	return 0;
}

int options_init(struct options *o)
{
	*o = (struct options){
		.alert_timeout_ns = 10 * NSEC_PER_SEC,
		.alert_window_ns = 600 * NSEC_PER_SEC,
		.alert_min_tasks = 4,
		.alert_significance = 1e-4,
		.alert_resolve_ns = 600 * NSEC_PER_SEC,
		.retain_age_ns = 30 * 86400 * NSEC_PER_SEC,
		.retain_bytes = 2LL << 30,
		.judge_interval_ns = 5 * NSEC_PER_SEC,
		.sweep_interval_ns = NSEC_PER_SEC,
		.empty_ns = 2 * NSEC_PER_SEC,
		.abandon_ns = 600 * NSEC_PER_SEC,
		.signature_entries = 32768,
		.budget = 8192,
		.channels = true,
		.channel_payload = true,
		.channel_ring = 16LL << 20,
		.channel_message = 8LL << 20,
		.log_level = LOG_LEVEL_INFO,
		.ready_fd = -1,
	};
	o->db = strdup(DEFAULT_DB);
	o->socket = strdup(DEFAULT_SOCKET);
	o->group = strdup(DEFAULT_GROUP);
	o->proc_root = strdup("/proc");
	if (!o->db || !o->socket || !o->group || !o->proc_root ||
	    find_cgroup_root(o->proc_root, &o->cgroup_root) == -ENOMEM) {
		options_clear(o);
		return -ENOMEM;
	}
	return 0;
}

static void list_clear(char ***list, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		free((*list)[i]);
	free(*list);
	*list = NULL;
	*n = 0;
}

static void clear_templates(struct options *o)
{
	list_clear(&o->templates, &o->n_templates);
}

void options_clear(struct options *o)
{
	clear_templates(o);
	list_clear(&o->channel_servers, &o->n_channel_servers);
	list_clear(&o->channel_cgroups, &o->n_channel_cgroups);
	free(o->config);
	free(o->db);
	free(o->socket);
	free(o->record);
	free(o->group);
	free(o->alert_command);
	free(o->no_sensor);
	free(o->proc_root);
	free(o->cgroup_root);
	*o = (struct options){ .ready_fd = -1 };
}

static char *trim(char *s)
{
	static const char blank[] = " \t\r\f\v";
	size_t len;

	s += strspn(s, blank);
	len = strlen(s);
	while (len && strchr(blank, s[len - 1]))
		len--;
	s[len] = '\0';
	return s;
}

/* `seen` has a flag a key: a value that is silently overruled further down is hard to find. */
static int load_line(struct options *o, char *line, bool *seen, char **error)
{
	const struct options_key *k;
	char *value = strchr(line, '=');
	char *key;

	if (value) {
		*value++ = '\0';
		value = trim(value);
	}
	key = trim(line);
	if (!value || !*key) {
		*error = strdup("no setting; allowed: KEY = VALUE, or # and a comment");
		return *error ? -EINVAL : -ENOMEM;
	}
	k = options_find(key);
	if (k && !options_is_list(k) && seen[k - options_keys]) {
		if (asprintf(error,
			     "%s: stands twice; allowed: once (template, channel-server, "
			     "channel-cgroup: repeatedly)",
			     key) < 0) {
			*error = NULL;
			return -ENOMEM;
		}
		return -EINVAL;
	}
	if (k)
		seen[k - options_keys] = true;
	return options_set(o, key, value, error);
}

/* Puts "FILE:LINE: " in front. */
static int located(const char *path, size_t line, int err, char **error)
{
	_cleanup_free_ char *what = TAKE_PTR(*error);

	if (err == -ENOMEM || !what)
		return -ENOMEM;
	if (asprintf(error, "%s:%zu: %s", path, line, what) < 0) {
		*error = NULL;
		return -ENOMEM;
	}
	return -EINVAL;
}

int options_load(struct options *o, const char *path, char **error)
{
	_cleanup_free_ char *data = NULL;
	_cleanup_free_ bool *seen = calloc(options_n_keys, sizeof(*seen));
	ssize_t len = util_read_file(path, CONFIG_MAX, &data);
	size_t number = 0;
	char *next;

	*error = NULL;
	if (!seen)
		return -ENOMEM;
	if (len < 0)
		return (int)len;
	for (char *line = data; line < data + len; line = next) {
		char *end = memchr(line, '\n', (size_t)(data + len - line));
		char *text;
		int r = 0;

		if (!end)
			end = data + len;
		next = end + 1;
		number++;
		*end = '\0';
		if (strlen(line) != (size_t)(end - line)) {
			*error = strdup("a NUL byte; allowed: text");
			return located(path, number, -EINVAL, error);
		}
		text = trim(line);
		if (*text && *text != '#')
			r = load_line(o, text, seen, error);
		if (r < 0)
			return located(path, number, r, error);
	}
	return 0;
}

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Those that are the same list in the same order need no restart. */
static bool same_list(char *const *const *a, char *const *const *b)
{
	size_t n = *(const size_t *)(a + 1);

	if (n != *(const size_t *)(b + 1))
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp((*a)[i], (*b)[i]) != 0)
			return false;
	return true;
}

static bool same_value(const struct options *a, const struct options *b,
		       const struct options_key *k)
{
	const char *x = (const char *)a + k->offset, *y = (const char *)b + k->offset;

	switch (k->kind) {
	case KEY_PATH:
	case KEY_COMMAND:
	case KEY_NAME:
	case KEY_SENSORS:
		return same_string(*(char *const *)x, *(char *const *)y);
	case KEY_TEMPLATE:
		return false;
	case KEY_PATTERN:
	case KEY_CGROUP:
		return same_list((char *const *const *)x, (char *const *const *)y);
	case KEY_U32:
		return memcmp(x, y, sizeof(uint32_t)) == 0;
	case KEY_LEVEL:
		return memcmp(x, y, sizeof(int)) == 0;
	case KEY_SWITCH:
		return memcmp(x, y, sizeof(bool)) == 0;
	default:
		return memcmp(x, y, sizeof(int64_t)) == 0;
	}
}

/* Copies the list first, so that it is taken over as a whole or not at all. */
static int reload_templates(struct options *o, const struct options *fresh)
{
	struct options copy = { 0 };

	copy.templates = calloc(fresh->n_templates + 1, sizeof(*copy.templates));
	if (!copy.templates)
		return -ENOMEM;
	for (size_t i = 0; i < fresh->n_templates; i++) {
		copy.templates[i] = strdup(fresh->templates[i]);
		if (!copy.templates[i]) {
			clear_templates(&copy);
			return -ENOMEM;
		}
		copy.n_templates++;
	}
	clear_templates(o);
	o->templates = copy.templates;
	o->n_templates = copy.n_templates;
	return 0;
}

static int reload_key(struct options *o, const struct options *fresh, const struct options_key *k)
{
	char *to = (char *)o + k->offset;
	const char *from = (const char *)fresh + k->offset;
	char *command;

	switch (k->kind) {
	case KEY_TEMPLATE:
		return reload_templates(o, fresh);
	case KEY_COMMAND:
		command = *(char *const *)from ? strdup(*(char *const *)from) : NULL;
		if (!command && *(char *const *)from)
			return -ENOMEM;
		free(*(char **)to);
		*(char **)to = command;
		return 0;
	case KEY_LEVEL:
		memcpy(to, from, sizeof(int));
		return 0;
	default: /* the table holds no other live kinds than those of 64 bits */
		memcpy(to, from, sizeof(int64_t));
		return 0;
	}
}

int options_reload(struct options *o, const struct options *fresh)
{
	for (size_t i = 0; i < options_n_keys; i++) {
		const struct options_key *k = &options_keys[i];
		int r;

		if (same_value(o, fresh, k))
			continue;
		if (!k->live) {
			log_warning("%s: its change needs a restart", k->name);
			continue;
		}
		r = reload_key(o, fresh, k);
		if (r < 0)
			return log_errno(r, "cannot take over %s", k->name);
	}
	o->alert_resolve_set = fresh->alert_resolve_set;
	return 0;
}
