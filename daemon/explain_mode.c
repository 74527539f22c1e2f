/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What mode bits, groups and capabilities say; after generic_permission() and its callers in
 * fs/namei.c of the kernel.
 */
#include <errno.h>
#include <linux/capability.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

#include "explain_walk.h"

static bool has_cap(const struct sf_creds *creds, int cap)
{
	return creds->cap_effective >> cap & 1;
}

/* Is `gid` one of theirs? MODE_UNKNOWN: not all groups are known. */
static enum explain_mode in_group(const struct sf_creds *creds, uint32_t gid)
{
	uint32_t n = creds->ngroups < SF_GROUPS ? creds->ngroups : SF_GROUPS;

	if (creds->fsgid == gid)
		return MODE_ALLOWS;
	for (uint32_t i = 0; i < n; i++)
		if (creds->groups[i] == gid)
			return MODE_ALLOWS;
	return creds->ngroups > SF_GROUPS ? MODE_UNKNOWN : MODE_DENIES;
}

/* rwx as in one digit of a mode. */
static uint32_t need_bits(uint32_t want)
{
	return (want & WANT_READ ? 4 : 0) | (want & WANT_WRITE ? 2 : 0) |
	       (want & WANT_EXEC ? 1 : 0);
}

static enum explain_mode judge_bits(const struct sf_creds *creds, uint32_t mode, uint32_t uid,
				    uint32_t gid, uint32_t need)
{
	bool group = (mode >> 3 & need) == need, other = (mode & need) == need;

	if (creds->fsuid == uid)
		return (mode >> 6 & need) == need ? MODE_ALLOWS : MODE_DENIES;
	switch (in_group(creds, gid)) {
	case MODE_ALLOWS:
		return group ? MODE_ALLOWS : MODE_DENIES;
	case MODE_DENIES:
		return other ? MODE_ALLOWS : MODE_DENIES;
	default:
		if (group != other)
			return MODE_UNKNOWN;
		return group ? MODE_ALLOWS : MODE_DENIES;
	}
}

/* Would a capability override the bits, if it counted for this object? */
static bool overrides(const struct sf_creds *creds, uint32_t mode, uint32_t need)
{
	bool search = has_cap(creds, CAP_DAC_READ_SEARCH);
	bool override = has_cap(creds, CAP_DAC_OVERRIDE);

	if (S_ISDIR(mode))
		return override || (search && !(need & 2));
	if (search && need == 4)
		return true;
	return override && (!(need & 1) || mode & 0111);
}

bool explain_may(const struct sf_creds *creds, uint32_t mode, uint32_t uid, uint32_t gid,
		 uint32_t want)
{
	uint32_t need = need_bits(want);

	if (judge_bits(creds, mode, uid, gid, need) == MODE_ALLOWS)
		return true;
	return creds->userns_level == 0 && overrides(creds, mode, need);
}

/* Is `id` mapped into the user namespace of that process? Its second column is in our own
 * numbers, whoever reads it; user_namespaces(7). */
static enum explain_mode id_mapped(const struct mode_ctx *ctx, const char *file, uint32_t id)
{
	unsigned long inside, outside, count;
	char path[512];
	_cleanup_fclose_ FILE *f = NULL;

	snprintf(path, sizeof(path), "%s/%u/%s", ctx->proc_root, ctx->pid, file);
	f = ctx->pid ? fopen(path, "re") : NULL;
	if (!f)
		return MODE_UNKNOWN;
	while (fscanf(f, "%lu %lu %lu", &inside, &outside, &count) == 3)
		if (id >= outside && id - outside < count)
			return MODE_ALLOWS;
	return MODE_DENIES;
}

/* A capability of a user namespace counts for objects whose owner and group are mapped there
 * (privileged_wrt_inode_uidgid() of the kernel). */
static enum explain_mode cap_counts(const struct mode_ctx *ctx, uint32_t uid, uint32_t gid)
{
	enum explain_mode user, group;

	if (ctx->creds->userns_level == 0)
		return MODE_ALLOWS;
	user = id_mapped(ctx, "uid_map", uid);
	group = id_mapped(ctx, "gid_map", gid);
	if (user == MODE_DENIES || group == MODE_DENIES)
		return MODE_DENIES;
	return user == MODE_ALLOWS && group == MODE_ALLOWS ? MODE_ALLOWS : MODE_UNKNOWN;
}

/* The kernel asks an ACL of everyone but the owner, and only where the group bits (its mask) are
 * not empty; acl_permission_check(). */
static bool has_acl(const struct sf_creds *creds, int fd, const struct stat *st)
{
	char path[64];

	if (creds->fsuid == st->st_uid || !(st->st_mode & 070))
		return false;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

static void record(struct mode_result *m, enum explain_mode verdict, const struct stat *st,
		   const char *path)
{
	size_t len = strlen(path), max = sizeof(m->culprit) - 1;

	m->verdict = verdict;
	if (verdict != MODE_DENIES)
		return;
	if (len == 0)
		path = "/";
	snprintf(m->culprit, sizeof(m->culprit), "%s", len > max ? path + len - max : path);
	m->mode = st->st_mode;
	m->uid = st->st_uid;
	m->gid = st->st_gid;
}

/* sysfs asks even those for a bit whom a capability lets pass elsewhere (kernfs_fop_open()). */
static bool asks_of_all(int fd, const struct stat *st, uint32_t need)
{
	struct statfs fs;

	if (!S_ISREG(st->st_mode) || fstatfs(fd, &fs) < 0 || fs.f_type != SYSFS_MAGIC)
		return false;
	return (need & 2 && !(st->st_mode & 0222)) || (need & 4 && !(st->st_mode & 0444));
}

void mode_check(const struct mode_ctx *ctx, struct mode_result *m, int fd, const struct stat *st,
		uint32_t want, const char *path)
{
	uint32_t need = need_bits(want);
	enum explain_mode verdict;

	if (m->verdict != MODE_ALLOWS || !need)
		return;
	verdict = judge_bits(ctx->creds, st->st_mode, st->st_uid, st->st_gid, need);
	if (has_acl(ctx->creds, fd, st))
		verdict = MODE_UNKNOWN;
	if (verdict != MODE_ALLOWS && overrides(ctx->creds, st->st_mode, need) &&
	    !asks_of_all(fd, st, need)) {
		enum explain_mode counts = cap_counts(ctx, st->st_uid, st->st_gid);

		if (counts != MODE_DENIES)
			verdict = counts;
	}
	if (verdict != MODE_ALLOWS)
		record(m, verdict, st, path);
}

void mode_check_owner(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *st,
		      const char *path)
{
	enum explain_mode verdict = MODE_DENIES;

	if (m->verdict != MODE_ALLOWS || ctx->creds->fsuid == st->st_uid)
		return;
	if (has_cap(ctx->creds, CAP_FOWNER))
		verdict = cap_counts(ctx, st->st_uid, st->st_gid);
	if (verdict != MODE_ALLOWS)
		record(m, verdict, st, path);
}

static int sysctl_fs(const char *name)
{
	_cleanup_free_ char *text = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/sys/fs/%s", name);
	return util_read_file(path, 16, &text) > 0 ? atoi(text) : 0;
}

void mode_check_link(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *dir,
		     const struct stat *link, const char *path)
{
	const uint32_t shared = S_ISVTX | S_IWOTH;

	if (m->verdict != MODE_ALLOWS || (dir->st_mode & shared) != shared)
		return;
	if (ctx->creds->fsuid == link->st_uid || dir->st_uid == link->st_uid)
		return;
	if (sysctl_fs("protected_symlinks"))
		record(m, MODE_DENIES, link, path);
}

void mode_check_create(const struct mode_ctx *ctx, struct mode_result *m, const struct stat *dir,
		       const struct stat *st, const char *path)
{
	int level;

	if (m->verdict != MODE_ALLOWS || !(dir->st_mode & S_ISVTX))
		return;
	if (!S_ISREG(st->st_mode) && !S_ISFIFO(st->st_mode))
		return;
	if (ctx->creds->fsuid == st->st_uid || dir->st_uid == st->st_uid)
		return;
	level = sysctl_fs(S_ISREG(st->st_mode) ? "protected_regular" : "protected_fifos");
	if ((level && dir->st_mode & S_IWOTH) || (level >= 2 && dir->st_mode & S_IWGRP))
		record(m, MODE_DENIES, st, path);
}
