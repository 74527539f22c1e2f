/* SPDX-License-Identifier: GPL-2.0-only */
/* What the rules ask of one signature beyond class, errno and facts. */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "names.h"
#include "rules.h"
#include "rules_when.h"

bool in_userns(const struct signature *s)
{
	return signature_creds(s)->valid && signature_creds(s)->userns_level > 0;
}

/* Its options are out of sight; of those that people give it, only gid= is refused with EINVAL
 * (fs/devpts/inode.c, parse_mount_options()). */
bool is_devpts_mount(const struct signature *s)
{
	return in_userns(s) && strcmp(s->syscall, "mount") == 0 && !(s->args[3] & MS_BIND) &&
	       text_has_suffix(&s->subject, "/pts");
}

bool is_id_map(const struct signature *s)
{
	return text_has_suffix(&s->subject, "/uid_map") ||
	       text_has_suffix(&s->subject, "/gid_map") ||
	       text_has_suffix(&s->subject, "/setgroups");
}

bool is_inotify_init(const struct signature *s)
{
	return strncmp(s->syscall, "inotify_init", 12) == 0;
}

bool is_watch(const struct signature *s)
{
	return strcmp(s->syscall, "inotify_add_watch") == 0;
}

bool is_kill_zero(const struct signature *s)
{
	return strcmp(s->syscall, "kill") == 0 && s->args[1] == 0;
}

bool is_setgroups(const struct signature *s)
{
	return strcmp(s->syscall, "setgroups") == 0 && in_userns(s);
}

bool is_tty(const struct signature *s)
{
	return s->subject.len == 8 && memcmp(s->subject.data, "/dev/tty", 8) == 0;
}

bool is_unix_path(const struct signature *s)
{
	return s->subject.len && s->subject.data[0] == '/';
}

/* Name services and log sockets that programs ask for first and never need (nscd, syslog, …). */
bool is_optional_service(const struct signature *s)
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

bool is_dns_port(const struct signature *s)
{
	return text_has_suffix(&s->subject, ":53");
}

bool is_standard_data(const struct signature *s)
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
static bool not_on(const struct signature *s, uint64_t magic, const char *type)
{
	if (s->explanation && s->explanation->done)
		return !s->explanation->exists && s->explanation->fs_magic != magic;
	return s->mount_known && s->mount_type[0] && strcmp(s->mount_type, type) != 0;
}

bool is_not_procfs(const struct signature *s)
{
	return not_on(s, PROC_SUPER_MAGIC, "proc");
}

bool is_not_sysfs(const struct signature *s)
{
	return not_on(s, SYSFS_MAGIC, "sysfs");
}

/* A set limit, or none that was read. */
bool is_file_size_limited(const struct signature *s)
{
	const struct sf_limits *l = signature_limits(s);

	return !(l->valid & SF_LIM_RLIMITS) || l->rlim_fsize != ~0ULL;
}

bool is_map_limit(const struct signature *s)
{
	const struct sf_limits *l = signature_limits(s);

	return (l->valid & SF_LIM_MM) && l->map_limit && l->map_count + 1 >= l->map_limit;
}

bool is_short_at_limit(const struct signature *s)
{
	const struct sf_limits *l = signature_limits(s);

	return (l->valid & SF_LIM_RLIMITS) && l->rlim_fsize != ~0ULL;
}

/* To make a file on a tmpfs takes an inode and nothing else (mm/shmem.c, shmem_reserve_inode). */
bool is_tmpfs_make(const struct signature *s)
{
	bool gone = !s->explanation || !s->explanation->done;

	return gone && s->mount_known && strcmp(s->mount_type, "tmpfs") == 0 &&
	       (s->classes & (SYS_OPEN | SYS_MAKE));
}

bool is_unseen_device(const struct signature *s)
{
	return !is_elsewhere(s) && (!s->explanation || !s->explanation->done);
}

/* Less than one page is left, or one could not look any more. */
bool is_short_at_full(const struct signature *s)
{
	const struct explanation *e = s->explanation;

	return on_volume(s) && (!e || !e->done || e->fs_free < 65536);
}

int rule_set_limit(const struct signature *s)
{
	if (strcmp(s->syscall, "prlimit64") == 0)
		return (int)s->args[1];
	return strcmp(s->syscall, "setrlimit") == 0 ? (int)s->args[0] : -1;
}

bool raises_nofile(const struct signature *s)
{
	return rule_set_limit(s) == RLIMIT_NOFILE;
}

bool raises_nproc(const struct signature *s)
{
	return rule_set_limit(s) == RLIMIT_NPROC;
}

bool raises_memory(const struct signature *s)
{
	return rule_set_limit(s) == RLIMIT_AS || rule_set_limit(s) == RLIMIT_DATA ||
	       rule_set_limit(s) == RLIMIT_STACK;
}

bool raises_memlock(const struct signature *s)
{
	return rule_set_limit(s) == RLIMIT_MEMLOCK;
}

bool raises_fsize(const struct signature *s)
{
	return rule_set_limit(s) == RLIMIT_FSIZE;
}

bool raises_other(const struct signature *s)
{
	return rule_set_limit(s) >= 0;
}

/* A program can't be a directory: no policy says so, and no mode bit. */
bool is_no_directory(const struct signature *s)
{
	return !(s->classes & SYS_EXEC) || !s->explanation || !s->explanation->is_dir;
}

bool is_elsewhere(const struct signature *s)
{
	return s->subject.len <= 5 || memcmp(s->subject.data, "/dev/", 5) != 0;
}

/* The directory of POSIX shared memory itself is not there: what would have been made in it can't be
 * what is missing. */
bool is_shm_absent(const struct signature *s)
{
	const struct sf_sys *d = names_describe(s->syscall);
	size_t n = strlen("/dev/shm/");

	if (s->explanation && s->explanation->done)
		return !s->explanation->exists && s->explanation->missing_at < strlen("/dev/shm");
	return d && d->flags_arg < 6 && s->args[d->flags_arg] & O_CREAT && s->subject.len > n &&
	       !memchr(s->subject.data + n, '/', s->subject.len - n);
}

/* EACCES without SO_BROADCAST (ip(7)) is the program's own omission. */
bool is_no_broadcast(const struct signature *s)
{
	const char *dot = s->subject.len ? memrchr(s->subject.data, '.', s->subject.len) : NULL;

	return s->key.err != EACCES || !dot || strncmp(dot, ".255:", 5) != 0;
}

bool is_abstract(const struct signature *s)
{
	return s->subject.len && s->subject.data[0] == '@';
}

bool is_ipv6(const struct signature *s)
{
	return s->subject.len && s->subject.data[0] == '[';
}

/* Not entered and refused, under a tracer that may have skipped it as well. */
bool is_ptraced_refusal(const struct signature *s)
{
	return s->key.entry == SF_PTRACED && (s->state & SF_ST_SECCOMP);
}

/* The capability sets of prctl(2): launchers and runtimes drop them one by one, also those that
 * they have not. */
bool is_prctl(const struct signature *s)
{
	return strcmp(s->syscall, "prctl") == 0;
}

/* Below a directory that the environment names, and that is not there. */
bool is_below_env(const struct signature *s)
{
	return s->explanation && s->explanation->done && s->explanation->env_name[0];
}

/* To give a file away takes CAP_CHOWN, which no mode bit stands for (chown(2), EPERM). */
bool is_no_chown(const struct signature *s)
{
	return !(s->classes & SYS_CHOWN) || s->key.err != EPERM;
}

/* CAP_CHOWN holds for files whose owner is mapped (capable_wrt_inode_uidgid() of the kernel). */
bool is_unmapped_owner(const struct signature *s)
{
	return in_userns(s) && signature_creds(s)->cap_effective & (1ULL << 0);
}

static bool covers_outside(const struct signature *s)
{
	return s->cover_len && s->explanation && s->explanation->outside == OUTSIDE_THERE;
}

bool is_hidden(const struct signature *s)
{
	return covers_outside(s) && is_elsewhere(s) &&
	       !(s->explanation->done && s->explanation->exists);
}

bool is_hidden_data(const struct signature *s)
{
	return is_standard_data(s) && is_hidden(s);
}

bool is_hidden_device(const struct signature *s)
{
	return covers_outside(s) && !is_elsewhere(s);
}

/* There on every host, and left out by sandboxes. */
bool is_usual_device(const struct signature *s)
{
	const char *path = s->subject.data ?: "";

	return strcmp(path, "/dev/fuse") == 0 || strcmp(path, "/dev/net/tun") == 0;
}

/* The same by what was mounted at that moment, where nobody could look any more. */
static bool is_shut_by_table(const struct signature *s)
{
	const struct explanation *e = s->explanation;
	uint32_t want = s->subject.len > s->mount_len ? WANT_EXEC : WANT_READ;

	if (!s->mount_mode || !e->outside_mode || !signature_creds(s)->valid ||
	    explain_may(signature_creds(s), s->mount_mode, s->mount_uid, s->mount_gid, want))
		return false;
	return e->outside_mode != s->mount_mode || e->outside_uid != s->mount_uid ||
	       e->outside_gid != s->mount_gid;
}

bool is_shut(const struct signature *s)
{
	const struct explanation *e = s->explanation;

	if (!covers_outside(s))
		return false;
	if (!e->done)
		return is_shut_by_table(s);
	if (e->mode_verdict != MODE_DENIES || strlen(e->culprit) != s->cover_len ||
	    s->cover_len > s->subject.len || memcmp(e->culprit, s->subject.data, s->cover_len) != 0)
		return false;
	/* … and not what is mounted there outside as well */
	return e->outside_mode != e->culprit_mode || e->outside_uid != e->culprit_uid ||
	       e->outside_gid != e->culprit_gid;
}

bool is_data_limit(const struct signature *s)
{
	return (signature_limits(s)->valid & SF_LIM_RLIMITS) &&
	       signature_limits(s)->rlim_data != ~0ULL &&
	       signature_limits(s)->data_vm + (s->args[1] ?: 1) > signature_limits(s)->rlim_data;
}

/* A devpts may be mounted anywhere, and a sandbox sees its own in other places than we do: its files
 * are ptmx and numbers below pts. */
static bool is_terminal(const struct signature *s)
{
	const char *name = memrchr(s->subject.data, '/', s->subject.len);
	size_t len;

	if (strcmp(s->mount_type, "devpts") == 0 || text_has_suffix(&s->subject, "/ptmx"))
		return true;
	if (!name)
		return false;
	len = s->subject.len - (size_t)(name + 1 - s->subject.data);
	return len && strspn(name + 1, "0123456789") >= len && name - s->subject.data >= 4 &&
	       memcmp(name - 4, "/pts", 4) == 0;
}

/* A volume's file: a terminal says EIO when its other side has hung up, /proc of a dead process. */
bool on_volume(const struct signature *s)
{
	static const char *const kernel_trees[] = { "/dev/", "/proc/", "/sys/" };

	for (size_t i = 0; i < ARRAY_SIZE(kernel_trees); i++)
		if (s->subject.len &&
		    strncmp(s->subject.data, kernel_trees[i], strlen(kernel_trees[i])) == 0)
			return false;
	return s->subject.len && s->subject.data[0] == '/' && !is_terminal(s);
}

bool is_file_fd(const struct signature *s)
{
	return s->text_kind == SF_TEXT_FD && on_volume(s);
}

bool is_check_seen(const struct signature *s)
{
	return s->bell_flags & SF_BELL_CAP;
}

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
	if (!is_no_chown(s) && !is_unmapped_owner(s))
		cap = 0;
	if (is_setgroups(s))
		return -1; /* may be denied for good there: user_namespaces(7), setgroups */
	if (cap >= 0 && signature_creds(s)->userns_level == 0 &&
	    (signature_creds(s)->cap_effective & (1ULL << cap)))
		return -1;
	return cap;
}
