/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Owner order: seccomp; user namespaces; a limit; a mount flag; mode bits; capability; Landlock;
 * device; another LSM. Within it the special row stands before the general one.
 */
#include <errno.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>

#include "names.h"
#include "path_shape.h"
#include "rules.h"

#define PATHS                                                                                      \
	(SYS_OPEN | SYS_STAT | SYS_ACCESS | SYS_EXEC | SYS_MAKE | SYS_REMOVE | SYS_RENAME |        \
	 SYS_ATTR | SYS_CHOWN | SYS_CHDIR | SYS_XATTR)
#define LOOKS	(SYS_STAT | SYS_ACCESS | SYS_XATTR) /* asks about a file, does not use it */
#define FORKS	(SYS_FORK | SYS_NAMESPACE)
#define MEMORY	(SYS_MMAP | SYS_MPROTECT)
#define NETWORK (SYS_CONNECT | SYS_SEND | SYS_RECV | SYS_READ | SYS_WRITE)

static bool in_userns(const struct signature *s)
{
	return signature_creds(s)->valid && signature_creds(s)->userns_level > 0;
}

static bool is_id_map(const struct signature *s)
{
	return text_has_suffix(&s->subject, "/uid_map") ||
	       text_has_suffix(&s->subject, "/gid_map") ||
	       text_has_suffix(&s->subject, "/setgroups");
}

static bool is_inotify_init(const struct signature *s)
{
	return strncmp(s->syscall, "inotify_init", 12) == 0;
}

static bool is_watch(const struct signature *s)
{
	return strcmp(s->syscall, "inotify_add_watch") == 0;
}

static bool is_kill_zero(const struct signature *s)
{
	return strcmp(s->syscall, "kill") == 0 && s->args[1] == 0;
}

static bool is_setgroups(const struct signature *s)
{
	return strcmp(s->syscall, "setgroups") == 0 && in_userns(s);
}

static bool is_tty(const struct signature *s)
{
	return s->subject.len == 8 && memcmp(s->subject.data, "/dev/tty", 8) == 0;
}

static bool is_unix_path(const struct signature *s)
{
	return s->subject.len && s->subject.data[0] == '/';
}

/* Name services and log sockets that programs ask for first and never need (nscd, syslog, …). */
static bool is_optional_service(const struct signature *s)
{
	static const char *const names[] = { "/nscd/socket",	   "/dev/log", "/run/systemd/",
					     "/userdb/io.systemd", "/.lsassd", "/sssd/",
					     "/setrans",	   "/pcscd" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (s->subject.data &&
		    memmem(s->subject.data, s->subject.len, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_dns_port(const struct signature *s)
{
	return text_has_suffix(&s->subject, ":53");
}

static bool is_standard_data(const struct signature *s)
{
	static const char *const trees[] = {
		"/usr/share/zoneinfo", "/etc/ssl/certs", "/usr/share/ca-certificates",
		"/usr/share/fonts",    "/etc/fonts",	 "/etc/pki/tls"
	};

	for (size_t i = 0; i < ARRAY_SIZE(trees); i++)
		if (s->subject.data && strncmp(s->subject.data, trees[i], strlen(trees[i])) == 0)
			return true;
	return false;
}

/* What exists of the path lies on another file system than the one that belongs there. */
static bool not_on(const struct signature *s, uint64_t magic)
{
	return s->explanation && s->explanation->done && !s->explanation->exists &&
	       s->explanation->fs_magic != magic;
}

static bool is_not_procfs(const struct signature *s)
{
	return not_on(s, PROC_SUPER_MAGIC);
}

static bool is_not_sysfs(const struct signature *s)
{
	return not_on(s, SYSFS_MAGIC);
}

static bool is_data_limit(const struct signature *s)
{
	return (signature_limits(s)->valid & SF_LIM_RLIMITS) &&
	       signature_limits(s)->rlim_data != ~0ULL &&
	       signature_limits(s)->data_vm + (s->args[1] ?: 1) > signature_limits(s)->rlim_data;
}

/* A volume's file: a terminal says EIO when its other side has hung up, /proc of a dead process. */
static bool on_volume(const struct signature *s)
{
	static const char *const kernel_trees[] = { "/dev/", "/proc/", "/sys/" };

	for (size_t i = 0; i < ARRAY_SIZE(kernel_trees); i++)
		if (s->subject.len &&
		    strncmp(s->subject.data, kernel_trees[i], strlen(kernel_trees[i])) == 0)
			return false;
	return s->subject.len && s->subject.data[0] == '/';
}

static bool is_file_fd(const struct signature *s)
{
	return s->text_kind == SF_TEXT_FD && on_volume(s);
}

#define ROW(n, cls, need_, forbid_, when_, cse, pr, conf, subj, why_, ...)                         \
	{                                                                                          \
		.name = n, .classes = cls, .errnos = { __VA_ARGS__ }, .need = need_,               \
		.forbid = forbid_, .when = when_, .cause = CAUSE_##cse, .prior = PRIOR_##pr,       \
		.confidence = CONF_##conf, .subject = SUBJECT_##subj, .why = why_                  \
	}

/* clang-format off */
const struct rule rules[] = {
/* seccomp: a syscall that left the kernel without having entered (struct sf_key, entry) */
ROW("seccomp-enosys", 0, FACT_DENIED, 0, NULL, SECCOMP_DENIED, WEAK, CERTAIN, DECISIVE,
    "left the kernel without having entered, answered as if the kernel were older", ENOSYS),
ROW("seccomp-denied", 0, FACT_DENIED, 0, NULL, SECCOMP_DENIED, STRONG, CERTAIN, DECISIVE,
    "left the kernel without having entered", 0),
/* user namespaces: user_namespaces(7) */
ROW("userns-denied", FORKS, FACT_NEWUSER, 0, NULL, USERNS_DENIED, STRONG, CERTAIN, DECISIVE,
    "asked for a user namespace", EPERM, EACCES, EINVAL),
ROW("userns-limit", FORKS, 0, 0, NULL, USERNS_LIMIT, STRONG, CERTAIN, DECISIVE,
    "the limit of namespaces was reached", ENOSPC, EUSERS),
ROW("userns-map", SYS_WRITE | SYS_OPEN, 0, 0, is_id_map, USERNS_DENIED, STRONG, LIKELY, PATH,
    "an id map was refused", EPERM, EACCES),
ROW("userns-setgroups", 0, 0, FACT_CAP, is_setgroups, USERNS_DENIED, STRONG, LIKELY, CALL,
    "setgroups is denied in this user namespace", EPERM),
ROW("userns-chown", SYS_CHOWN, 0, 0, in_userns, USERNS_UNMAPPED_ID, STRONG, CERTAIN, DECISIVE,
    "the id has no mapping in this user namespace", EINVAL),
ROW("userns-id", SYS_ID, 0, 0, in_userns, USERNS_UNMAPPED_ID, STRONG, LIKELY, DECISIVE,
    "the id has no mapping in this user namespace", EINVAL),
/* limits: setrlimit(2), cgroup-v2 pids.max */
ROW("pids-cgroup", SYS_FORK, FACT_PIDS_LIMIT, 0, NULL, PIDS_CGROUP_LIMIT, STRONG, CERTAIN, CALL,
    "a pids cgroup stood at its limit", EAGAIN),
ROW("pids-user", SYS_FORK, FACT_NPROC_LIMIT, 0, NULL, PIDS_USER_LIMIT, STRONG, CERTAIN, CALL,
    "the user stood at RLIMIT_NPROC", EAGAIN),
ROW("pids-setuid", SYS_ID | SYS_EXEC, FACT_NPROC_LIMIT, 0, NULL, PIDS_USER_LIMIT, STRONG, LIKELY, CALL,
    "the user stood at RLIMIT_NPROC", EAGAIN),
ROW("pids-host", SYS_FORK, 0, 0, NULL, PIDS_HOST_LIMIT, STRONG, POSSIBLE, CALL,
    "no cgroup and no user limit was reached", EAGAIN),
ROW("inotify-instances", 0, 0, 0, is_inotify_init, QUOTA_INOTIFY_INSTANCES, STRONG, CERTAIN, CALL,
    "inotify_init fails with EMFILE at the user's limit (inotify(7))", EMFILE),
ROW("inotify-watches", 0, 0, 0, is_watch, QUOTA_INOTIFY_WATCHES, STRONG, CERTAIN, CALL,
    "inotify_add_watch says ENOSPC at the user's limit, not of a disk (inotify(7))", ENOSPC),
ROW("fds-open", SYS_OPEN, 0, 0, NULL, FDS_PROCESS_LIMIT, STRONG, CERTAIN, PATH,
    "the process stood at RLIMIT_NOFILE", EMFILE),
ROW("fds-process", 0, 0, 0, NULL, FDS_PROCESS_LIMIT, STRONG, CERTAIN, CALL,
    "the process stood at RLIMIT_NOFILE", EMFILE),
ROW("fds-host", 0, 0, 0, NULL, FDS_HOST_LIMIT, STRONG, CERTAIN, CALL,
    "the host stood at fs.file-max", ENFILE),
ROW("file-size", SYS_WRITE, 0, 0, NULL, QUOTA_FILE_SIZE, LOSS, CERTAIN, PATH,
    "the write went beyond RLIMIT_FSIZE", EFBIG),
ROW("disk-quota", 0, 0, 0, NULL, QUOTA_DISK, LOSS, CERTAIN, PATH,
    "the kernel's quota refused more", EDQUOT),
ROW("memory-locked", SYS_MLOCK | SYS_MMAP, FACT_MEMLOCK_LIMIT, 0, NULL, MEMORY_LOCKED, STRONG, CERTAIN, CALL,
    "locked memory would pass RLIMIT_MEMLOCK", ENOMEM, EAGAIN, EPERM),
ROW("memory-lock-refused", SYS_MLOCK, 0, 0, NULL, MEMORY_LOCKED, STRONG, LIKELY, CALL,
    "locking memory was refused", ENOMEM, EAGAIN, EPERM),
ROW("address-space", MEMORY, FACT_AS_LIMIT, 0, NULL, MEMORY_ADDRESS_SPACE, STRONG, CERTAIN, CALL,
    "the mapping would pass RLIMIT_AS", ENOMEM),
ROW("data-limit", MEMORY, 0, 0, is_data_limit, MEMORY_ADDRESS_SPACE, STRONG, CERTAIN, CALL,
    "the mapping would pass RLIMIT_DATA", ENOMEM),
ROW("overcommit", SYS_MMAP, 0, 0, NULL, MEMORY_OVERCOMMIT, STRONG, POSSIBLE, CALL,
    "no limit of the process was reached", ENOMEM),
/* mount flags: mount(8) */
ROW("read-only-look", LOOKS, 0, 0, NULL, READ_ONLY_MOUNT, WEAK, CERTAIN, PATH,
    "the kernel says EROFS of a read-only mount alone", EROFS),
ROW("read-only", 0, 0, 0, NULL, READ_ONLY_MOUNT, STRONG, CERTAIN, PATH,
    "the kernel says EROFS of a read-only mount alone", EROFS),
ROW("noexec", SYS_EXEC, FACT_NOEXEC, 0, NULL, NOEXEC_MOUNT, STRONG, CERTAIN, PATH,
    "the mount that covers the file is noexec", EACCES, EPERM),
ROW("noexec-map", MEMORY, FACT_NOEXEC, FACT_MDWE, NULL, NOEXEC_MOUNT, STRONG, CERTAIN, PATH,
    "the mount that covers the file is noexec", EPERM, EACCES),
ROW("nodev-standard", SYS_OPEN, FACT_NODEV | FACT_DEV_PATH, 0, NULL, MASKED_DEVICE, STRONG, CERTAIN, PATH,
    "the mount that covers the node is nodev", EACCES),
ROW("nodev", SYS_OPEN, FACT_NODEV | FACT_DEVICE, 0, NULL, MASKED_DEVICE, STRONG, CERTAIN, PATH,
    "the mount that covers the node is nodev", EACCES),
ROW("mdwe", MEMORY, FACT_MDWE, 0, NULL, EXEC_MEMORY_DENIED, STRONG, CERTAIN, CALL,
    "the process had PR_SET_MDWE", EACCES, EPERM),
/* mode bits: path_resolution(7); the override check is the kernel's own word for them */
ROW("mode-look", LOOKS, FACT_MODE_DENIES, 0, NULL, FILE_PERMISSION_DENIED, WEAK, CERTAIN, PATH,
    "mode bits deny it to its user", EACCES, EPERM),
ROW("mode-look-override", LOOKS, FACT_CAP_OVERRIDE, 0, NULL, FILE_PERMISSION_DENIED, WEAK, CERTAIN, PATH,
    "the kernel asked for an override of mode bits, in vain", EACCES, EPERM),
ROW("mode-denies", PATHS | SYS_CONNECT | SYS_INOTIFY | SYS_BIND, FACT_MODE_DENIES, 0, NULL, FILE_PERMISSION_DENIED,
    STRONG, CERTAIN, PATH, "mode bits deny it to its user", EACCES, EPERM),
ROW("mode-override", PATHS | SYS_CONNECT | SYS_INOTIFY | SYS_BIND | SYS_WRITE, FACT_CAP_OVERRIDE, 0, NULL,
    FILE_PERMISSION_DENIED, STRONG, CERTAIN, PATH,
    "the kernel asked for an override of mode bits, in vain", EACCES, EPERM),
/* capabilities(7) */
ROW("kill-zero", SYS_PROCESS, 0, 0, is_kill_zero, CAPABILITY_MISSING, NOISE, CERTAIN, CALL,
    "signal 0 only asks whether a process is alive", EPERM),
ROW("capability", 0, FACT_CAP, 0, NULL, CAPABILITY_MISSING, STRONG, CERTAIN, CAP,
    "a capability check failed inside the call", EPERM, EACCES),
/* Landlock: errno of landlock(7): EACCES, and EXDEV for rename and link across its rules */
ROW("landlock-look", LOOKS, FACT_LANDLOCK, FACT_MODE_DENIES, NULL, LSM_LANDLOCK, WEAK, LIKELY, PATH,
    "the thread stands in a Landlock domain", EACCES, EPERM),
ROW("landlock-path", PATHS | SYS_MOUNT | SYS_CHROOT | SYS_WRITE | SYS_IOCTL, FACT_LANDLOCK | FACT_MODE_ALLOWS, 0, NULL,
    LSM_LANDLOCK, STRONG, CERTAIN, PATH,
    "mode bits and mount flags allow it, the thread stands in a Landlock domain", EACCES, EPERM),
ROW("landlock-net", SYS_CONNECT | SYS_BIND | SYS_SEND, FACT_LANDLOCK, 0, NULL, LSM_LANDLOCK, STRONG, LIKELY, PATH,
    "the thread stands in a Landlock domain", EACCES),
ROW("landlock-move", SYS_RENAME | SYS_MAKE, FACT_LANDLOCK, 0, NULL, LSM_LANDLOCK, STRONG, LIKELY, PATH,
    "EXDEV in a Landlock domain", EXDEV),
ROW("landlock-gone", PATHS, FACT_LANDLOCK, FACT_MODE_DENIES, NULL, LSM_LANDLOCK, STRONG, LIKELY, PATH,
    "the thread stands in a Landlock domain, and no mode bits were overridden", EACCES),
/* devices: the device cgroup answers EPERM to an open that mode bits allow */
ROW("device", SYS_OPEN | SYS_MAKE, FACT_DEVICE, 0, NULL, DEVICE_DENIED, STRONG, LIKELY, PATH,
    "a device node that mode bits allow", EPERM),
/* packet filters answer EPERM to the sender; a policy hook may answer EACCES */
ROW("network-denied", SYS_CONNECT | SYS_SEND, 0, FACT_CAP, NULL, NETWORK_DENIED, STRONG, LIKELY, PATH,
    "a packet filter or a policy hook refused it", EPERM, EACCES),
/* what is left */
ROW("lsm-unnamed", PATHS, FACT_MODE_ALLOWS, 0, NULL, LSM_UNNAMED, STRONG, POSSIBLE, PATH,
    "mode bits, mount flags and capabilities allow it", EACCES, EPERM),
ROW("mode-unseen", PATHS, 0, FACT_MODE_ALLOWS, NULL, FILE_PERMISSION_DENIED, WEAK, POSSIBLE, PATH,
    "state gone before it could be read", EACCES),
ROW("owner-unseen", SYS_ATTR | SYS_CHOWN, 0, FACT_MODE_ALLOWS, NULL, FILE_PERMISSION_DENIED, WEAK, POSSIBLE, PATH,
    "not the file's owner", EPERM),
ROW("lsm-call", SYS_SOCKET | SYS_MOUNT | SYS_PROCESS | SYS_POLICY | SYS_CHROOT | SYS_BIND, 0, 0, NULL,
    LSM_UNNAMED, WEAK, POSSIBLE, DECISIVE, "no capability check and no filter behind it", EPERM, EACCES),
/* exec: execve(2), ERRORS */
ROW("exec-cr", SYS_EXEC, FACT_CR, 0, NULL, ENCODING_CRLF, STRONG, CERTAIN, INTERP,
    "the first line ends in a carriage return", ENOENT, EACCES),
ROW("exec-interpreter", SYS_EXEC, FACT_INTERP_MISSING, 0, NULL, BINARY_INTERPRETER, STRONG, CERTAIN, INTERP,
    "the script is there, the interpreter that it names is not", ENOENT),
ROW("exec-loader", SYS_EXEC, FACT_LOADER_MISSING, 0, NULL, LIBRARY_LOADER, STRONG, CERTAIN, INTERP,
    "the program is there, its PT_INTERP is not", ENOENT),
ROW("exec-foreign", SYS_EXEC, FACT_FOREIGN_ELF, 0, NULL, BINARY_ARCHITECTURE, STRONG, CERTAIN, PATH,
    "an ELF file for another machine", ENOEXEC, ENOENT, EINVAL),
ROW("exec-text", SYS_EXEC, FACT_TEXT_FILE, 0, NULL, SCRIPT_NO_SHEBANG, STRONG, CERTAIN, PATH,
    "a text file without #!, and execve is no shell", ENOEXEC),
ROW("exec-format", SYS_EXEC, 0, FACT_EXISTS, NULL, SCRIPT_NO_SHEBANG, WEAK, POSSIBLE, PATH,
    "state gone before the file could be read", ENOEXEC),
ROW("exec-bad", SYS_EXEC, FACT_EXISTS, FACT_TEXT_FILE, NULL, BINARY_ARCHITECTURE, STRONG, LIKELY, PATH,
    "the file is no program that this kernel can run", ENOEXEC),
ROW("args-too-long", SYS_EXEC, 0, 0, NULL, ARGS_TOO_LONG, STRONG, CERTAIN, PATH,
    "one argument over 128 KiB, or all of them over a quarter of the stack limit (execve(2))", E2BIG),
/* the shape of a path: what the tool layer handed in */
ROW("path-cr", PATHS, 0, 0, shape_cr, ENCODING_CRLF, STRONG, CERTAIN, NAME,
    "the name ends in a carriage return", ENOENT, ENOTDIR),
ROW("path-tilde", PATHS, 0, 0, shape_tilde, PATH_TILDE, STRONG, CERTAIN, RAW,
    "a literal ~, which only a shell expands", ENOENT, ENOTDIR),
ROW("path-too-long", 0, 0, 0, NULL, PATH_TOO_LONG, STRONG, CERTAIN, RAW,
    "a name over 255 bytes or a path over 4095", ENAMETOOLONG),
ROW("path-foreign", PATHS, 0, 0, shape_foreign, PATH_FOREIGN, STRONG, LIKELY, RAW,
    "a path of another operating system", ENOENT, ENOTDIR),
ROW("path-quoted", PATHS, 0, 0, shape_quoted, PATH_QUOTED, STRONG, LIKELY, RAW,
    "literal quotes stand around it", ENOENT, ENOTDIR),
ROW("path-replacement", PATHS, 0, 0, shape_replacement, ENCODING_REPLACEMENT, STRONG, LIKELY, PATH,
    "U+FFFD stands in the name", ENOENT),
ROW("path-utf8", PATHS, 0, 0, shape_bad_utf8, ENCODING_UTF8, STRONG, LIKELY, PATH,
    "the name is not valid UTF-8", ENOENT, EILSEQ),
ROW("path-sibling", PATHS, 0, 0, shape_sibling, ENCODING_NORMALIZATION, STRONG, CERTAIN, PATH,
    "a neighbour is equal after Unicode normalization", ENOENT),
ROW("path-escaped", PATHS, 0, 0, shape_escaped, ENCODING_ESCAPED, STRONG, LIKELY, RAW,
    "an escape sequence stands as text in the name", ENOENT),
ROW("path-empty", PATHS, 0, 0, shape_empty, PATH_EMPTY, WEAK, LIKELY, CALL,
    "the path is empty", ENOENT),
ROW("cwd-missing", SYS_CHDIR, 0, 0, NULL, PATH_MISSING_CWD, STRONG, CERTAIN, PATH,
    "the directory does not exist", ENOENT, ENOTDIR),
ROW("exec-missing", SYS_EXEC, 0, FACT_EXISTS, NULL, BINARY_NOT_FOUND, STRONG, CERTAIN, NAME,
    "no such file in any place that was tried", ENOENT, ENOTDIR),
/* disks and volumes */
ROW("inodes", 0, FACT_NO_INODES, 0, NULL, DISK_INODES, LOSS, CERTAIN, PATH,
    "the file system has no free inode", ENOSPC),
ROW("shm-full", 0, FACT_SHM, 0, NULL, DISK_SHM_FULL, LOSS, CERTAIN, PATH,
    "the file lies in /dev/shm", ENOSPC),
ROW("disk-full", SYS_WRITE | SYS_OPEN | SYS_MAKE | SYS_RENAME | SYS_ATTR | SYS_IOCTL | SYS_XATTR, 0, 0, NULL, DISK_FULL,
    LOSS, CERTAIN, PATH, "a file call says ENOSPC", ENOSPC),
ROW("io-error", SYS_READ | SYS_WRITE | PATHS, 0, 0, is_file_fd, STORAGE_IO_ERROR, LOSS, CERTAIN, PATH,
    "the volume answers with an error", EIO, ESTALE, ENOTCONN),
ROW("io-error-path", PATHS, 0, 0, on_volume, STORAGE_IO_ERROR, STRONG, LIKELY, PATH,
    "the volume answers with an error", EIO, ESTALE, ENOTCONN),
/* masked */
ROW("terminal", SYS_OPEN, 0, 0, is_tty, MASKED_TERMINAL, WEAK, LIKELY, PATH,
    "no controlling terminal", ENXIO, ENOENT, ENODEV),
ROW("device-absent", SYS_OPEN, FACT_DEV_PATH, 0, NULL, MASKED_DEVICE, STRONG, CERTAIN, PATH,
    "a standard node is absent", ENOENT, ENXIO, ENODEV),
ROW("proc-absent", SYS_OPEN, FACT_PROC_PATH, 0, is_not_procfs, MASKED_PROC, WEAK, CERTAIN, PATH,
    "no procfs is mounted there", ENOENT),
ROW("sys-absent", SYS_OPEN, FACT_SYS_PATH, 0, is_not_sysfs, MASKED_SYS, WEAK, CERTAIN, PATH,
    "no sysfs is mounted there", ENOENT),
ROW("bind-protected", SYS_RENAME | SYS_REMOVE, 0, 0, NULL, MASKED_FILE, STRONG, LIKELY, PATH,
    "EBUSY: something is mounted on it", EBUSY),
ROW("image-data", SYS_OPEN | SYS_STAT, 0, 0, is_standard_data, IMAGE_DATA_MISSING, NOISE, LIKELY, PATH,
    "standard data is absent", ENOENT),
ROW("mount-border", SYS_RENAME | SYS_MAKE, 0, FACT_LANDLOCK, NULL, MASKED_FILE, STRONG, LIKELY, PATH,
    "EXDEV: the border of a mount lies between the two", EXDEV),
/* network: connect(2), ip(7) */
ROW("dns-refused", NETWORK, 0, 0, is_dns_port, NETWORK_DNS, STRONG, CERTAIN, PATH,
    "the resolver's port refuses", ECONNREFUSED),
ROW("network-unreachable", 0, 0, 0, NULL, NETWORK_UNREACHABLE, STRONG, CERTAIN, PATH,
    "no route leads there", ENETUNREACH, EHOSTUNREACH, ENETDOWN),
ROW("network-refused", NETWORK, 0, 0, NULL, NETWORK_REFUSED, STRONG, CERTAIN, PATH,
    "nobody listens there", ECONNREFUSED),
ROW("network-timeout", NETWORK, 0, 0, NULL, NETWORK_TIMEOUT, STRONG, CERTAIN, PATH,
    "no answer came", ETIMEDOUT),
ROW("address-in-use", SYS_BIND, 0, 0, NULL, NETWORK_ADDRESS_IN_USE, STRONG, CERTAIN, PATH,
    "the address is taken", EADDRINUSE),
ROW("address-absent", SYS_BIND | SYS_CONNECT, 0, 0, NULL, NETWORK_UNREACHABLE, STRONG, LIKELY, PATH,
    "no interface has that address", EADDRNOTAVAIL),
ROW("address-family", SYS_SOCKET | SYS_BIND | SYS_CONNECT, 0, 0, NULL, NETWORK_ADDRESS_FAMILY, WEAK, CERTAIN, DECISIVE,
    "the kernel or the sandbox lacks the family", EAFNOSUPPORT, EPROTONOSUPPORT),
ROW("service-optional", SYS_CONNECT, 0, 0, is_optional_service, NETWORK_SOCKET_ABSENT, NOISE, CERTAIN, PATH,
    "an optional service is not there", ENOENT),
ROW("service-absent", SYS_CONNECT | SYS_SEND, 0, 0, is_unix_path, NETWORK_SOCKET_ABSENT, STRONG, CERTAIN, PATH,
    "the service's socket is not there", ENOENT, ENOTDIR),
};
/* clang-format on */
const size_t n_rules = ARRAY_SIZE(rules);

int rule_implied_capability(const struct signature *s)
{
	/* capabilities(7); only calls whose EPERM has hardly another reason */
	static const struct {
		const char *syscall;
		int cap;
	} implied[] = {
		{ "mount", 21 },
		{ "umount2", 21 },
		{ "pivot_root", 21 },
		{ "setns", 21 },
		{ "unshare", 21 },
		{ "sethostname", 21 },
		{ "chroot", 18 },
		{ "reboot", 22 },
		{ "init_module", 16 },
		{ "finit_module", 16 },
		{ "settimeofday", 25 },
		{ "clock_settime", 25 },
		{ "adjtimex", 25 },
		{ "acct", 20 },
		{ "syslog", 34 },
		{ "setpriority", 23 },
		{ "sched_setscheduler", 23 },
		{ "setuid", 7 },
		{ "setresuid", 7 },
		{ "setgid", 6 },
		{ "setresgid", 6 },
		{ "setgroups", 6 },
		{ "iopl", 17 },
		{ "ioperm", 17 },
		{ "swapon", 21 },
		{ "swapoff", 21 },
		{ "quotactl", 21 },
		{ "mknod", 27 },
		{ "mknodat", 27 },
		{ "fanotify_init", 21 },
		{ "open_by_handle_at", 2 },
	};
	int cap = -1;

	if (s->key.err != EPERM || !signature_creds(s)->valid)
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(implied); i++)
		if (strcmp(implied[i].syscall, s->syscall) == 0)
			cap = implied[i].cap;
	/* AF_INET or AF_INET6 with SOCK_RAW, AF_PACKET: packet(7), raw(7) */
	if (strcmp(s->syscall, "socket") == 0 &&
	    (s->args[0] == 17 ||
	     ((s->args[0] == 2 || s->args[0] == 10) && (s->args[1] & 0xf) == 3)))
		cap = 13;
	if (is_setgroups(s))
		return -1; /* may be denied for good there: user_namespaces(7), setgroups */
	if (cap >= 0 && signature_creds(s)->userns_level == 0 &&
	    (signature_creds(s)->cap_effective & (1ULL << cap)))
		return -1;
	return cap;
}
