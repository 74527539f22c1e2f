/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "explain_label.h"
#include "util.h"

#define SELINUX_ENFORCE "/sys/fs/selinux/enforce"

/* attr/apparmor/ is AppArmor's own on kernels that have it; attr/current is that of whichever module
 * comes first, and what another one says there has no mode behind it. */
static bool label_read(const char *proc_root, uint32_t pid, char *buf, size_t size)
{
	static const char *const files[] = { "attr/apparmor/current", "attr/current" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		_cleanup_free_ char *text = NULL;
		char path[320];
		ssize_t n;

		snprintf(path, sizeof(path), "%s/%u/%s", proc_root, pid, files[i]);
		n = util_read_file(path, size - 1, &text);
		if (n <= 0)
			continue;
		snprintf(buf, size, "%.*s", (int)strcspn(text, "\n"), text);
		return true;
	}
	return false;
}

void label_look(const char *proc_root, const struct explain_request *r, struct explanation *ret)
{
	_cleanup_free_ char *enforce = NULL;

	for (size_t i = 0; i < 2 && !ret->label[0]; i++) {
		if (!r->pids[i] || r->pids[i] == EXPLAIN_HOST_PID)
			continue;
		ret->label_of_parent = i > 0;
		label_read(proc_root, r->pids[i], ret->label, sizeof(ret->label));
	}
	ret->selinux = util_read_file(SELINUX_ENFORCE, 8, &enforce) > 0 && enforce[0] == '1';
}

bool label_confines(const char *label)
{
	static const char *const modes[] = { " (enforce)", " (kill)", " (mixed)", " (prompt)" };
	size_t len = strlen(label);

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (len > strlen(modes[i]) && strcmp(label + len - strlen(modes[i]), modes[i]) == 0)
			return true;
	return false;
}
