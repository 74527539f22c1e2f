/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the security hooks said of a call: which refused, or that none did. A hook that refused is
 * proof that what comes before it in the kernel let the call pass; silence is proof only where every
 * hook that could have refused this call was watched.
 */
#include <errno.h>
#include <fcntl.h>

#include "explain_label.h"
#include "names.h"
#include "rules.h"
#include "rules_when.h"

#define BIT(id) (1ULL << SF_HOOK_##id)

/* security/landlock/{fs,net,task}.c: the hooks that it fills. */
#define LANDLOCK_HOOKS                                                                             \
	(BIT(FILE_OPEN) | BIT(FILE_TRUNCATE) | BIT(PATH_MKNOD) | BIT(PATH_MKDIR) |                 \
	 BIT(PATH_RMDIR) | BIT(PATH_UNLINK) | BIT(PATH_SYMLINK) | BIT(PATH_LINK) |                 \
	 BIT(PATH_RENAME) | BIT(PATH_TRUNCATE) | BIT(FILE_IOCTL) | BIT(FILE_IOCTL_COMPAT) |        \
	 BIT(SB_MOUNT) | BIT(SB_UMOUNT) | BIT(SB_REMOUNT) | BIT(SB_PIVOTROOT) | BIT(MOVE_MOUNT) |  \
	 BIT(SOCKET_BIND) | BIT(SOCKET_CONNECT) | BIT(UNIX_STREAM_CONNECT) | BIT(UNIX_MAY_SEND) |  \
	 BIT(PTRACE_ACCESS_CHECK) | BIT(PTRACE_TRACEME) | BIT(TASK_KILL))

/* By class of call the hooks of the modules that judge paths and objects (Landlock, AppArmor, TOMOYO,
 * Yama). Not the calls that only look: what refuses those is watched by nobody here. */
static const struct {
	uint32_t classes;
	uint64_t hooks;
} cover[] = {
	{ SYS_OPEN, BIT(FILE_OPEN) | BIT(PATH_MKNOD) | BIT(PATH_TRUNCATE) },
	{ SYS_EXEC, BIT(FILE_OPEN) | BIT(BPRM_CREDS_FOR_EXEC) | BIT(BPRM_CHECK) },
	{ SYS_MAKE, BIT(PATH_MKNOD) | BIT(PATH_MKDIR) | BIT(PATH_SYMLINK) | BIT(PATH_LINK) },
	{ SYS_REMOVE, BIT(PATH_UNLINK) | BIT(PATH_RMDIR) },
	{ SYS_RENAME, BIT(PATH_RENAME) },
	{ SYS_CHOWN, BIT(PATH_CHOWN) },
	{ SYS_ATTR, BIT(PATH_CHMOD) | BIT(PATH_CHOWN) | BIT(PATH_TRUNCATE) },
	{ SYS_MMAP, BIT(MMAP_FILE) },
	{ SYS_MPROTECT, BIT(FILE_MPROTECT) },
	{ SYS_IOCTL, BIT(FILE_IOCTL) },
	{ SYS_MOUNT,
	  BIT(SB_MOUNT) | BIT(SB_UMOUNT) | BIT(MOVE_MOUNT) | BIT(SB_PIVOTROOT) | BIT(CAPABLE) },
	{ SYS_SOCKET, BIT(SOCKET_CREATE) | BIT(CAPABLE) },
	{ SYS_BIND, BIT(SOCKET_BIND) | BIT(PATH_MKNOD) | BIT(CAPABLE) },
	{ SYS_CONNECT, BIT(SOCKET_CONNECT) | BIT(UNIX_STREAM_CONNECT) | BIT(UNIX_MAY_SEND) },
	{ SYS_PROCESS,
	  BIT(PTRACE_ACCESS_CHECK) | BIT(PTRACE_TRACEME) | BIT(TASK_KILL) | BIT(CAPABLE) },
};

bool by_hook(const struct signature *s)
{
	return signature_hook_refused(s);
}

bool by_yama(const struct signature *s)
{
	return by_hook(s) && s->lsm == SF_LSM_YAMA;
}

bool by_landlock(const struct signature *s)
{
	return by_hook(s) && s->lsm == SF_LSM_UNNAMED && (s->state & SF_ST_LANDLOCK) &&
	       (LANDLOCK_HOOKS >> s->hook & 1);
}

bool by_apparmor(const struct signature *s)
{
	if (!by_hook(s) || s->lsm != SF_LSM_UNNAMED)
		return by_hook(s) && s->lsm == SF_LSM_APPARMOR;
	return s->explanation && label_confines(s->explanation->label);
}

bool by_selinux(const struct signature *s)
{
	if (!by_hook(s) || s->lsm != SF_LSM_UNNAMED)
		return by_hook(s) && s->lsm == SF_LSM_SELINUX;
	return s->explanation && s->explanation->selinux;
}

bool hooks_silent(const struct signature *s)
{
	if (s->hook || (s->explanation && s->explanation->selinux))
		return false; /* SELinux judges each component of a path, which nobody watches */
	for (size_t i = 0; i < ARRAY_SIZE(cover); i++)
		if (cover[i].classes & s->classes)
			return (s->hooks & cover[i].hooks) == cover[i].hooks;
	return false;
}

bool hooks_unsure(const struct signature *s)
{
	return !hooks_silent(s);
}

bool is_refused_program(const struct signature *s)
{
	return is_no_directory(s) && hooks_unsure(s);
}

bool is_userns_silent(const struct signature *s)
{
	return in_userns(s) && hooks_silent(s);
}
