/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "names.h"
#include "path_shape.h"
#include "rules.h"
#include "rules_when.h"

/* capabilities(7): these override mode bits or limits, so the bits or the limit are the owner. */
#define CAP_BIT(n) (1ULL << (n))
#define CAP_OVERRIDES                                                                              \
	(CAP_BIT(1) | CAP_BIT(2) | CAP_BIT(3) | CAP_BIT(4)) /* DAC_*, FOWNER, FSETID */
#define CAP_LIMITS (CAP_BIT(14) | CAP_BIT(24))		    /* IPC_LOCK, SYS_RESOURCE */

static bool below(const struct text *t, const char *dir)
{
	size_t n = strlen(dir);

	return t->len > n && memcmp(t->data, dir, n) == 0 && t->data[n] == '/';
}

/* The nodes that every program may count on (devices.txt of the kernel, LSB). */
static bool standard_node(const struct text *t)
{
	static const char *const nodes[] = { "/dev/null",   "/dev/zero",    "/dev/full",
					     "/dev/random", "/dev/urandom", "/dev/ptmx",
					     "/dev/fd",	    "/dev/stdin",   "/dev/stdout",
					     "/dev/stderr", "/dev/pts/ptmx" };

	if (t->len > 8 && memcmp(t->data, "/dev/fd/", 8) == 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(nodes); i++)
		if (t->len == strlen(nodes[i]) && memcmp(t->data, nodes[i], t->len) == 0)
			return true;
	return false;
}

static uint32_t capability_facts(const struct signature *s)
{
	uint64_t owned = s->cap_mask & ~(CAP_OVERRIDES | CAP_LIMITS);

	if (s->bell_flags & SF_BELL_CAP) {
		if (owned)
			return FACT_CAP;
		return (s->cap_mask & CAP_OVERRIDES) ? FACT_CAP_OVERRIDE : 0;
	}
	return rule_implied_capability(s) >= 0 ? FACT_CAP : 0;
}

static uint32_t limit_facts(const struct signature *s)
{
	const struct sf_limits *l = signature_limits(s);
	uint64_t asked = (s->classes & SYS_MMAP) && strcmp(s->syscall, "brk") != 0 ? s->args[1] : 0;
	uint32_t f = 0;

	if ((l->valid & SF_LIM_PIDS) && l->pids_limit >= 0 && l->pids_count >= l->pids_limit)
		f |= FACT_PIDS_LIMIT;
	if ((l->valid & SF_LIM_NPROC) && (l->valid & SF_LIM_RLIMITS) && l->rlim_nproc != ~0ULL &&
	    l->nproc >= l->rlim_nproc)
		f |= FACT_NPROC_LIMIT;
	if ((l->valid & SF_LIM_MM) && l->rlim_as != ~0ULL && l->total_vm + asked > l->rlim_as)
		f |= FACT_AS_LIMIT;
	/* brk gives no length: a process within 1 MiB of its limit counts as at it */
	if ((l->valid & SF_LIM_MM) && l->rlim_as != ~0ULL && l->total_vm + (1 << 20) > l->rlim_as)
		f |= FACT_AS_LIMIT;
	if ((l->valid & SF_LIM_MM) && (s->classes & SYS_MLOCK) && l->rlim_memlock != ~0ULL &&
	    l->locked_vm + s->args[1] > l->rlim_memlock)
		f |= FACT_MEMLOCK_LIMIT;
	/* EAGAIN of a mapping is said of locked memory alone (mmap(2)). */
	if ((s->classes & SYS_MMAP) && s->key.err == EAGAIN)
		f |= FACT_MEMLOCK_LIMIT;
	return f;
}

/* The table knows a path as it is written: /dev/ptmx and its like are links onto another mount, and
 * where a Landlock domain may have refused a node, nodev of what covers it is no proof. */
static uint32_t link_flags(const struct signature *s)
{
	static const char *const links[] = { "/dev/ptmx", "/dev/stdin", "/dev/stdout",
					     "/dev/stderr", "/dev/fd" };

	if (s->state & SF_ST_LANDLOCK)
		return ST_NODEV;
	for (size_t i = 0; i < ARRAY_SIZE(links); i++)
		if (s->subject.len >= strlen(links[i]) &&
		    memcmp(s->subject.data, links[i], strlen(links[i])) == 0)
			return ST_NODEV;
	return 0;
}

static uint32_t mount_facts(const struct signature *s)
{
	const struct explanation *e = s->explanation;
	uint32_t flags, f = 0;

	/* What has gone may have taken its mount along. */
	if (e && e->done && (e->exists || !s->mount_table)) {
		flags = e->mount_flags;
	} else if (s->mount_known) {
		flags = s->mount_flags & ~link_flags(s);
		/* One node, mounted onto that very path. */
		if (s->mount_len == s->subject.len &&
		    (S_ISCHR(s->mount_mode) || S_ISBLK(s->mount_mode)))
			f |= FACT_DEVICE;
	} else {
		return 0;
	}
	return f | (flags & ST_RDONLY ? FACT_RDONLY : 0) | (flags & ST_NODEV ? FACT_NODEV : 0) |
	       (flags & ST_NOEXEC ? FACT_NOEXEC : 0);
}

static uint32_t head_facts(const struct explanation *e)
{
	switch (e->head) {
	case HEAD_SCRIPT_CR:
		return FACT_CR;
	case HEAD_SCRIPT_MISSING:
		return FACT_INTERP_MISSING;
	case HEAD_ELF_LOADER_MISSING:
		return FACT_LOADER_MISSING;
	case HEAD_ELF_FOREIGN:
		return FACT_FOREIGN_ELF;
	case HEAD_TEXT:
	case HEAD_EMPTY:
		return FACT_TEXT_FILE;
	default:
		return 0;
	}
}

/* A call for which the last component need not exist. */
static bool may_be_made(const struct signature *s)
{
	const struct sf_sys *d = names_describe(s->syscall);

	if (s->classes & (SYS_MAKE | SYS_RENAME))
		return true;
	return (s->classes & SYS_OPEN) &&
	       (strcmp(s->syscall, "creat") == 0 ||
		(d && d->flags_arg < 6 && (s->args[d->flags_arg] & O_CREAT)));
}

static uint32_t state_facts(const struct signature *s)
{
	const struct explanation *e = s->explanation;
	uint32_t f = 0;

	if (!e)
		return 0;
	if (!e->done)
		return e->no_path ? 0 : FACT_STATE_GONE;
	f |= e->exists ? FACT_EXISTS : FACT_ABSENT;
	/* What was refused was there: by now it has gone, and its mode bits with it. */
	if (e->mode_verdict == MODE_DENIES)
		f |= FACT_MODE_DENIES;
	else if (e->mode_verdict == MODE_ALLOWS && (e->exists || may_be_made(s)))
		f |= FACT_MODE_ALLOWS;
	if (e->is_device)
		f |= FACT_DEVICE;
	if (e->fs_inodes && !e->fs_inodes_free)
		f |= FACT_NO_INODES;
	return f | head_facts(e);
}

/* The kernel's own word for what inside of an exec was not there. */
static uint32_t inner_facts(const struct signature *s)
{
	const char *slash, *name;

	if (!s->inner.len || s->key.err != ENOENT)
		return 0;
	if (s->inner.data[s->inner.len - 1] == '\r')
		return FACT_CR;
	slash = memrchr(s->inner.data, '/', s->inner.len);
	name = slash ? slash + 1 : s->inner.data;
	/* ld-linux-x86-64.so.2, ld-musl-x86_64.so.1, ld.so.1, ld64.so.2 */
	return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld.so", 5) == 0 ||
			       strncmp(name, "ld64.so", 7) == 0
		       ? FACT_LOADER_MISSING
		       : FACT_INTERP_MISSING;
}

static uint32_t call_facts(const struct signature *s)
{
	bool flags_first = strcmp(s->syscall, "unshare") == 0 || strcmp(s->syscall, "clone") == 0;
	uint64_t flags = flags_first ? s->args[0] : 0;
	uint32_t f = 0;

	if (flags & CLONE_NEWUSER)
		f |= FACT_NEWUSER;
	if (flags & (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
		     CLONE_NEWCGROUP))
		f |= FACT_NEWNS;
	return f;
}

static uint32_t path_facts(const struct signature *s)
{
	uint32_t f = 0;

	if (!s->subject.len || s->subject.data[0] != '/')
		return 0;
	if (standard_node(&s->subject))
		f |= FACT_DEV_PATH;
	if (below(&s->subject, "/dev/shm"))
		f |= FACT_SHM;
	if (below(&s->subject, "/proc"))
		f |= FACT_PROC_PATH;
	if (below(&s->subject, "/sys"))
		f |= FACT_SYS_PATH;
	if (s->classes & SYS_OPEN) {
		const struct sf_sys *d = names_describe(s->syscall);

		if (d && d->flags_arg < 6 &&
		    (s->args[d->flags_arg] & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)))
			f |= FACT_WRITE;
	}
	return f;
}

uint32_t classify_facts(const struct signature *s)
{
	uint32_t f = 0;

	if (s->key.entry == SF_DENIED)
		return FACT_DENIED;
	if (s->state & SF_ST_LANDLOCK)
		f |= FACT_LANDLOCK;
	if (s->state & SF_ST_MDWE)
		f |= FACT_MDWE;
	return f | capability_facts(s) | limit_facts(s) | mount_facts(s) | state_facts(s) |
	       inner_facts(s) | call_facts(s) | path_facts(s);
}

static bool rule_matches(const struct rule *r, const struct signature *s, uint32_t facts)
{
	bool found = r->errnos[0] == 0;

	if (r->classes && !(r->classes & s->classes))
		return false;
	for (size_t i = 0; i < RULE_ERRNOS && r->errnos[i]; i++)
		found |= r->errnos[i] == (s->key.err ? s->key.err : SUCCESS);
	return found && (facts & r->need) == r->need && !(facts & r->forbid) &&
	       (!r->when || r->when(s));
}

static int first_capability(const struct signature *s)
{
	uint64_t mask = s->cap_mask & ~(CAP_OVERRIDES | CAP_LIMITS);

	if (is_ptrace_guarded(s))
		return 19;
	if (!(s->bell_flags & SF_BELL_CAP) || !mask)
		return rule_implied_capability(s);
	/* Several checks: CAP_SYS_ADMIN is asked for last and as a way out; name the special one. */
	if (mask & (mask - 1))
		mask &= ~CAP_BIT(21);
	return __builtin_ctzll(mask);
}

static int set_subject(struct text *t, enum subject_form form, const struct signature *s)
{
	char buf[SF_PATH];
	const char *slash;

	switch (form) {
	case SUBJECT_RAW:
		if (s->raw.len)
			return text_set(t, s->raw.data, s->raw.len);
		break;
	case SUBJECT_NAME:
		slash = s->raw.len ? memrchr(s->raw.data, '/', s->raw.len) : NULL;
		/* … unless what is odd about it stands further in front */
		if (slash && slash[1] &&
		    (memchr(slash, '\r', s->raw.len - (size_t)(slash - s->raw.data)) ||
		     !memchr(s->raw.data, '\r', s->raw.len)))
			return text_set(t, slash + 1,
					s->raw.len - (size_t)(slash + 1 - s->raw.data));
		if (s->raw.len)
			return text_set(t, s->raw.data, s->raw.len);
		break;
	case SUBJECT_CALL:
		return text_printf(t, "%s", s->syscall);
	case SUBJECT_DECISIVE:
		names_decisive(s->syscall, s->args, buf, sizeof(buf));
		return text_printf(t, "%s", s->bell ? buf : s->syscall);
	case SUBJECT_CAP:
		if (first_capability(s) >= 0)
			return text_printf(t, "%s", names_capability(first_capability(s)));
		return text_printf(t, "%s", s->syscall);
	case SUBJECT_DEVPTS:
		return text_printf(t, "mount devpts");
	case SUBJECT_INTERP:
		if (s->inner.len)
			return text_set(t, s->inner.data, s->inner.len);
		if (s->explanation && s->explanation->interpreter[0])
			return text_printf(t, "%s", s->explanation->interpreter);
		break;
	case SUBJECT_PATH:
		break;
	}
	if (s->subject.len)
		return text_set(t, s->subject.data, s->subject.len);
	return text_printf(t, "%s", s->syscall);
}

static void say_mode(const struct signature *s, struct classification *c)
{
	const struct explanation *e = s->explanation;
	_cleanup_free_ char *who = NULL;

	if (!e || !e->done || e->mode_verdict != MODE_DENIES)
		return;
	who = util_escape(e->culprit, strnlen(e->culprit, sizeof(e->culprit)));
	snprintf(c->why, sizeof(c->why), "mode %04o of %s, owner %u:%u, denies it to uid %u",
		 e->culprit_mode & 07777, who ? who : "?", e->culprit_uid, e->culprit_gid,
		 signature_creds(s)->fsuid);
	if (e->fs_magic == PROC_SUPER_MAGIC)
		snprintf(c->knob, sizeof(c->knob),
			 "run the task as uid %u: nothing else lets it in below /proc",
			 e->culprit_uid);
	else
		snprintf(c->knob, sizeof(c->knob),
			 "let uid %u in: chown or chmod that path, or run the task as uid %u",
			 signature_creds(s)->fsuid, e->culprit_uid);
}

#define MIB(b) ((unsigned long long)(b) >> 20)

/* The knob with its value, where the limit was read at the moment of failure. */
static void say_limit(const struct signature *s, struct classification *c)
{
	const struct sf_limits *l = signature_limits(s);

	if (c->cause == CAUSE_PIDS_CGROUP_LIMIT) {
		_cleanup_free_ char *name =
			util_escape(l->pids_name, strnlen(l->pids_name, SF_CG_NAME));

		snprintf(c->why, sizeof(c->why), "pids cgroup %s held %lld of %lld",
			 name ? name : "?", (long long)l->pids_count, (long long)l->pids_limit);
		snprintf(c->knob, sizeof(c->knob),
			 "raise pids.max of %.64s above %lld, or reap children", name ? name : "?",
			 (long long)l->pids_limit);
	} else if (c->cause == CAUSE_PIDS_USER_LIMIT && (l->valid & SF_LIM_RLIMITS)) {
		snprintf(c->why, sizeof(c->why), "uid %u had %llu processes, RLIMIT_NPROC is %llu",
			 signature_creds(s)->valid ? signature_creds(s)->euid : 0,
			 (unsigned long long)l->nproc, (unsigned long long)l->rlim_nproc);
		snprintf(c->knob, sizeof(c->knob),
			 "raise RLIMIT_NPROC (ulimit -u) above %llu, or reap children",
			 (unsigned long long)l->rlim_nproc);
	} else if (c->cause == CAUSE_FDS_PROCESS_LIMIT && (l->valid & SF_LIM_RLIMITS)) {
		snprintf(c->why, sizeof(c->why), "RLIMIT_NOFILE is %llu",
			 (unsigned long long)l->rlim_nofile);
		snprintf(c->knob, sizeof(c->knob),
			 "raise RLIMIT_NOFILE (ulimit -n) above %llu, or close leaks",
			 (unsigned long long)l->rlim_nofile);
	} else if (c->cause == CAUSE_QUOTA_FILE_SIZE && (l->valid & SF_LIM_RLIMITS)) {
		snprintf(c->why, sizeof(c->why), "RLIMIT_FSIZE is %llu bytes",
			 (unsigned long long)l->rlim_fsize);
		snprintf(c->knob, sizeof(c->knob),
			 "raise RLIMIT_FSIZE (ulimit -f) above %llu bytes",
			 (unsigned long long)l->rlim_fsize);
	} else if (c->cause == CAUSE_MEMORY_ADDRESS_SPACE && (l->valid & SF_LIM_MM)) {
		snprintf(c->why, sizeof(c->why),
			 "asked for %llu MiB, had %llu MiB mapped, RLIMIT_AS is %llu MiB",
			 MIB(s->args[1]), MIB(l->total_vm), MIB(l->rlim_as));
		snprintf(c->knob, sizeof(c->knob), "raise RLIMIT_AS (ulimit -v) above %llu MiB",
			 MIB(s->args[1] + l->total_vm));
	}
}

static void say_state(const struct signature *s, struct classification *c)
{
	const struct explanation *e = s->explanation;

	if (c->cause == CAUSE_FILE_PERMISSION_DENIED)
		say_mode(s, c);
	if (c->cause == CAUSE_SECCOMP_DENIED) {
		snprintf(c->why, sizeof(c->why),
			 "%s left the kernel without having entered, with %s", s->syscall,
			 names_errno(s->key.err));
		snprintf(c->knob, sizeof(c->knob), "allow %s in the seccomp profile%s", s->syscall,
			 s->key.err == ENOSYS ? "" : " (or answer ENOSYS where a fallback exists)");
	}
	if (c->cause == CAUSE_CAPABILITY_MISSING && first_capability(s) >= 0)
		snprintf(c->knob, sizeof(c->knob),
			 "grant %s (CapAdd, securityContext.capabilities.add)",
			 names_capability(first_capability(s)));
	if (c->cause == CAUSE_MEMORY_OVERCOMMIT && is_huge_page(s))
		snprintf(c->knob, sizeof(c->knob),
			 "reserve huge pages (vm.nr_hugepages), or map without MAP_HUGETLB");
	if (c->cause == CAUSE_MASKED_PROC && is_pid_hidden(s))
		snprintf(c->knob, sizeof(c->knob), "mount /proc without hidepid, or with gid=");
	if (c->cause == CAUSE_LSM_UNNAMED && by_yama(s))
		snprintf(c->knob, sizeof(c->knob),
			 "lower kernel.yama.ptrace_scope, grant CAP_SYS_PTRACE, or have the "
			 "target allow it (prctl PR_SET_PTRACER)");
	if (c->cause == CAUSE_DISK_FULL && e && e->done)
		snprintf(c->why, sizeof(c->why), "the file system has %llu of %llu KiB free",
			 (unsigned long long)e->fs_free >> 10,
			 (unsigned long long)e->fs_size >> 10);
	say_limit(s, c);
}

/* What the kernel itself said needs no look at the state; whose policy it was may need one. */
static bool is_weakened(const struct signature *s, uint32_t facts)
{
	if (signature_hook_refused(s))
		return s->lsm == SF_LSM_UNNAMED && by_apparmor(s) &&
		       s->explanation->label_of_parent;
	return (facts & FACT_STATE_GONE) && !s->inner.len &&
	       !(facts & (FACT_CAP | FACT_CAP_OVERRIDE | FACT_DENIED));
}

int classify_signature(const struct signature *s, struct classification *ret)
{
	uint32_t facts = classify_facts(s);
	const struct rule *r = NULL;

	memset(ret, 0, sizeof(*ret));
	if ((s->key.err == 0 && s->key.entry != SF_SHORT) || s->key.coarse || signature_is_inner(s))
		return 0;
	for (size_t i = 0; i < n_rules && !r; i++)
		if (rule_matches(&rules[i], s, facts))
			r = &rules[i];
	if (!r)
		return 0;
	ret->matched = true;
	ret->cause = r->cause;
	ret->prior = r->prior;
	ret->confidence = r->confidence;
	ret->rule = r->name;
	if (ret->confidence == CONF_CERTAIN && is_weakened(s, facts))
		ret->confidence = CONF_LIKELY;
	snprintf(ret->why, sizeof(ret->why), "%s", r->why);
	say_state(s, ret);
	return set_subject(&ret->subject, r->subject, s);
}

void classification_clear(struct classification *c)
{
	text_free(&c->subject);
	memset(c, 0, sizeof(*c));
}

size_t classify_rules(void)
{
	return n_rules;
}

const char *classify_rule_name(size_t i)
{
	return rules[i].name;
}
