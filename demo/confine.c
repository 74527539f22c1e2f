/* SPDX-License-Identifier: GPL-2.0-only */
/* confine DIR… -- COMMAND…: writes only beneath DIR, by Landlock; then becomes COMMAND. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static int allow(int ruleset, const char *dir, __u64 access)
{
	struct landlock_path_beneath_attr rule = { .allowed_access = access };

	rule.parent_fd = open(dir, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return -1;
	return (int)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

int main(int argc, char **argv)
{
	struct landlock_ruleset_attr attr = {
		.handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
				     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE,
	};
	int ruleset =
		(int)syscall(SYS_landlock_create_ruleset, &attr, sizeof(attr.handled_access_fs), 0);
	int i = 1;

	if (ruleset < 0)
		return perror("confine: Landlock"), 125;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (allow(ruleset, argv[i], attr.handled_access_fs))
			return perror(argv[i]), 125;
	if (i + 1 >= argc)
		return fprintf(stderr, "usage: confine DIR... -- COMMAND...\n"), 125;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_landlock_restrict_self, ruleset, 0))
		return perror("confine"), 125;
	close(ruleset);
	execvp(argv[i + 1], argv + i + 1);
	return perror(argv[i + 1]), 127;
}
