/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which variable of a process's environment handed in the directory that a path lies in? TMPDIR,
 * HOME, XDG_CACHE_HOME and their like are set by the tool layer, and somebody has to make them.
 */
#include <string.h>

#include "explain_walk.h"

#define ENVIRON_MAX (256 * 1024)

/* value is path, or a directory above it; both absolute. */
static bool lies_in(const char *value, const char *path)
{
	size_t n = strlen(value);

	while (n > 1 && value[n - 1] == '/')
		n--;
	return n > 1 && value[0] == '/' && strncmp(value, path, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0');
}

/* The working directory is told by every shell in these, and is no directory that was handed in. */
static bool is_place(const char *name, size_t len)
{
	static const char *const no[] = { "PWD", "OLDPWD", "_", "SHELL" };

	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		if (strlen(no[i]) == len && memcmp(no[i], name, len) == 0)
			return false;
	return true;
}

ssize_t environ_read(const char *proc_root, uint32_t pid, char **ret)
{
	char file[512];

	snprintf(file, sizeof(file), "%s/%u/environ", proc_root, pid);
	return util_read_file(file, ENVIRON_MAX, ret);
}

void environ_name(const char *text, ssize_t n, const char *path, struct explanation *ret)
{
	for (const char *at = text; n > 0 && at < text + n; at += strlen(at) + 1) {
		const char *eq = strchr(at, '=');

		if (!eq || !is_place(at, (size_t)(eq - at)) || !lies_in(eq + 1, path))
			continue;
		/* … of which the part that exists ends before the directory that was named. */
		if (ret->missing_at >= strlen(eq + 1))
			continue;
		snprintf(ret->env_name, sizeof(ret->env_name), "%.*s", (int)(eq - at), at);
		return;
	}
}
