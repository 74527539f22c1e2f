/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The security hooks that are watched: one list for the programs, for what is attached and for
 * the words. Hooks that a syscall meets at most a few times; never those of each read, write, path
 * component or packet (file_permission, inode_permission, socket_sendmsg), which cost too much. A
 * trampoline each costs a search through all symbols before 6.2, and the end of each takes long: those
 * under …_MORE are watched only where one program can have them all.
 */
#ifndef SANDFAULT_HOOKS_H
#define SANDFAULT_HOOKS_H

#define SF_HOOKS_FILE(X)                                                                           \
	X(FILE_OPEN, file_open)                                                                    \
	X(PATH_MKNOD, path_mknod)                                                                  \
	X(PATH_MKDIR, path_mkdir)                                                                  \
	X(PATH_RMDIR, path_rmdir)                                                                  \
	X(PATH_UNLINK, path_unlink)                                                                \
	X(PATH_SYMLINK, path_symlink)                                                              \
	X(PATH_LINK, path_link)                                                                    \
	X(PATH_RENAME, path_rename)                                                                \
	X(PATH_TRUNCATE, path_truncate)                                                            \
	X(PATH_CHMOD, path_chmod)                                                                  \
	X(PATH_CHOWN, path_chown)                                                                  \
	X(FILE_IOCTL, file_ioctl)
#define SF_HOOKS_FILE_MORE(X)                                                                      \
	X(FILE_TRUNCATE, file_truncate)                                                            \
	X(PATH_CHROOT, path_chroot)                                                                \
	X(FILE_IOCTL_COMPAT, file_ioctl_compat)                                                    \
	X(MMAP_FILE, mmap_file)                                                                    \
	X(FILE_MPROTECT, file_mprotect)                                                            \
	X(FILE_LOCK, file_lock)                                                                    \
	X(FILE_FCNTL, file_fcntl)                                                                  \
	X(INODE_SETATTR, inode_setattr)                                                            \
	X(INODE_SETXATTR, inode_setxattr)                                                          \
	X(INODE_REMOVEXATTR, inode_removexattr)

#define SF_HOOKS_EXEC(X)                                                                           \
	X(BPRM_CREDS_FOR_EXEC, bprm_creds_for_exec)                                                \
	X(BPRM_CHECK, bprm_check)
#define SF_HOOKS_EXEC_MORE(X) X(BPRM_CREDS_FROM_FILE, bprm_creds_from_file)

#define SF_HOOKS_MOUNT(X)                                                                          \
	X(SB_MOUNT, sb_mount)                                                                      \
	X(SB_UMOUNT, sb_umount)                                                                    \
	X(SB_PIVOTROOT, sb_pivotroot)                                                              \
	X(MOVE_MOUNT, move_mount)
#define SF_HOOKS_MOUNT_MORE(X) X(SB_REMOUNT, sb_remount)

#define SF_HOOKS_SOCKET(X)                                                                         \
	X(SOCKET_CREATE, socket_create)                                                            \
	X(SOCKET_BIND, socket_bind)                                                                \
	X(SOCKET_CONNECT, socket_connect)                                                          \
	X(UNIX_STREAM_CONNECT, unix_stream_connect)
#define SF_HOOKS_SOCKET_MORE(X)                                                                    \
	X(SOCKET_LISTEN, socket_listen)                                                            \
	X(UNIX_MAY_SEND, unix_may_send)

/* Only with the sensor of the capability check beside it: what that refused is not a hook's. */
#define SF_HOOKS_CAPABLE(X) X(CAPABLE, capable)

#define SF_HOOKS_TASK(X)                                                                           \
	X(PTRACE_ACCESS_CHECK, ptrace_access_check)                                                \
	X(PTRACE_TRACEME, ptrace_traceme)                                                          \
	X(TASK_KILL, task_kill)                                                                    \
	X(CREATE_USER_NS, create_user_ns)                                                          \
	X(BPF, bpf)                                                                                \
	X(PERF_EVENT_OPEN, perf_event_open)
#define SF_HOOKS_TASK_MORE(X)                                                                      \
	X(TASK_SETNICE, task_setnice)                                                              \
	X(TASK_SETIOPRIO, task_setioprio)                                                          \
	X(TASK_SETSCHEDULER, task_setscheduler)                                                    \
	X(TASK_SETRLIMIT, task_setrlimit)                                                          \
	X(LOCKED_DOWN, locked_down)

/* Those that have a trampoline of their own on kernels that know no better. */
#define SF_HOOKS_ALONE(X)                                                                          \
	SF_HOOKS_FILE(X)                                                                           \
	SF_HOOKS_EXEC(X)                                                                           \
	SF_HOOKS_MOUNT(X)                                                                          \
	SF_HOOKS_SOCKET(X)                                                                         \
	SF_HOOKS_TASK(X)                                                                           \
	SF_HOOKS_CAPABLE(X)

/* … and one on AppArmor's own function: who asks a process for its label may come too late. */
#define SF_HOOKS_APPARMOR(X)                                                                       \
	X(FILE_OPEN, file_open)                                                                    \
	X(PATH_MKNOD, path_mknod)                                                                  \
	X(PATH_MKDIR, path_mkdir)                                                                  \
	X(PATH_UNLINK, path_unlink)                                                                \
	X(PATH_RENAME, path_rename)                                                                \
	X(BPRM_CREDS_FOR_EXEC, bprm_creds_for_exec)                                                \
	X(SB_MOUNT, sb_mount)                                                                      \
	X(SOCKET_CREATE, socket_create)                                                            \
	X(PTRACE_ACCESS_CHECK, ptrace_access_check)                                                \
	X(CAPABLE, capable)

#define SF_HOOKS(X)                                                                                \
	SF_HOOKS_ALONE(X)                                                                          \
	SF_HOOKS_FILE_MORE(X)                                                                      \
	SF_HOOKS_EXEC_MORE(X)                                                                      \
	SF_HOOKS_MOUNT_MORE(X)                                                                     \
	SF_HOOKS_SOCKET_MORE(X)                                                                    \
	SF_HOOKS_TASK_MORE(X)

#define SF_HOOK_ID(id, name) SF_HOOK_##id,
enum sf_hook { SF_HOOK_NONE, SF_HOOKS(SF_HOOK_ID) SF_HOOK_MAX };
#undef SF_HOOK_ID

/* A bit each in a word: which of them are attached. */
_Static_assert(SF_HOOK_MAX <= 64, "enum sf_hook");

/* Security modules that are known by a function of their own. */
enum sf_lsm { SF_LSM_UNNAMED = 0, SF_LSM_YAMA = 1, SF_LSM_APPARMOR = 2, SF_LSM_SELINUX = 3 };

#endif
