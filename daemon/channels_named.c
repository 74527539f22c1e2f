/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Servers outside of every task that were named: by process, by cgroup, by a pattern that their command
 * line fits. The kernel side looks for channels at theirs, and what is said over them is kept although no
 * task may own it.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "channels_impl.h"
#include "log.h"

#define NAMED_MAX   1024
#define PATTERN_MAX 64
#define COMMAND_MAX 65536
#define CHECK_NS    (10 * NSEC_PER_SEC) /* whether those of patterns live */

static struct named *named_pid(const struct pipeline *p, uint32_t tgid)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; tgid && i < ch->n_named; i++)
		if (ch->named[i].tgid == tgid)
			return &ch->named[i];
	return NULL;
}

static struct named *named_path(const struct pipeline *p, const char *path)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; i < ch->n_named; i++)
		if (ch->named[i].path && strcmp(ch->named[i].path, path) == 0)
			return &ch->named[i];
	return NULL;
}

bool named_cgroup(const struct pipeline *p, uint64_t cgroup)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; cgroup && i < ch->n_named; i++)
		if (ch->named[i].cgroup == cgroup)
			return true;
	return false;
}

static int named_add(struct pipeline *p, const struct named *n)
{
	struct channels *ch = p->channels;
	void *v = ch->named;
	int r = ch->n_named < NAMED_MAX
			? util_grow(&v, &ch->cap_named, ch->n_named + 1, sizeof(*ch->named))
			: -ENOSPC;

	ch->named = v;
	if (r == 0)
		ch->named[ch->n_named++] = *n;
	return r;
}

static void named_remove(struct pipeline *p, struct named *n)
{
	if (n->tgid)
		sensors_watch(p->sensors, n->tgid, false);
	else
		sensors_watch_cgroup(p->sensors, n->cgroup, false);
	free(n->path);
	*n = p->channels->named[--p->channels->n_named];
}

/* ---- by process ---- */

int named_pid_add(struct pipeline *p, uint32_t tgid, enum named_by by)
{
	struct named fresh = { .tgid = tgid }, *n = named_pid(p, tgid);
	int r;

	if (!n) {
		r = named_add(p, &fresh);
		if (r < 0)
			return r;
		n = named_pid(p, tgid);
		r = sensors_watch(p->sensors, tgid, true);
		if (r < 0) {
			p->channels->n_named--;
			return r;
		}
	}
	n->uses[by] = by == NAMED_BY_TASK ? n->uses[by] + 1 : 1;
	return 0;
}

static bool is_used(const struct named *n)
{
	for (size_t i = 0; i < ARRAY_SIZE(n->uses); i++)
		if (n->uses[i])
			return true;
	return false;
}

int named_pid_remove(struct pipeline *p, uint32_t tgid, enum named_by by)
{
	struct named *n = named_pid(p, tgid);

	if (!n || !n->uses[by])
		return -ENOENT;
	n->uses[by]--;
	if (!is_used(n))
		named_remove(p, n);
	return 0;
}

/* ---- by cgroup ---- */

int named_cgroup_add(struct pipeline *p, const char *path)
{
	_cleanup_free_ char *own = NULL;
	struct named fresh = { 0 };
	int r = cgroupfs_normalize(p->cgroupfs, path, &own);

	if (r == 0 && named_path(p, own))
		return 0;
	if (r == 0)
		r = cgroupfs_id(p->cgroupfs, own, &fresh.cgroup);
	if (r < 0)
		return r;
	fresh.path = own;
	fresh.uses[NAMED_BY_USER] = 1;
	r = named_add(p, &fresh);
	if (r < 0)
		return r;
	own = NULL;
	r = sensors_watch_cgroup(p->sensors, fresh.cgroup, true);
	if (r < 0)
		free(p->channels->named[--p->channels->n_named].path);
	return r;
}

int named_cgroup_remove(struct pipeline *p, const char *path)
{
	_cleanup_free_ char *own = NULL;
	int r = cgroupfs_normalize(p->cgroupfs, path, &own);
	struct named *n = r == 0 ? named_path(p, own) : NULL;

	if (!n)
		return r < 0 ? r : -ENOENT;
	named_remove(p, n);
	return 0;
}

/* ---- by pattern ---- */

/* argv, as people write a command: strings, each terminated, become words with blanks between. */
static void join_words(char *s, size_t len)
{
	while (len && !s[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		if (!s[i])
			s[i] = ' ';
	s[len] = '\0';
}

static bool fits(const struct channels *ch, const char *command)
{
	for (size_t i = 0; i < ch->n_patterns; i++)
		if (fnmatch(ch->patterns[i], command, 0) == 0)
			return true;
	return false;
}

static void look_at(struct pipeline *p, pid_t pid)
{
	_cleanup_free_ char *command = NULL;
	char path[320];
	ssize_t len;

	snprintf(path, sizeof(path), "%s/%d/cmdline", p->options->proc_root, pid);
	len = util_read_file(path, COMMAND_MAX, &command);
	if (len <= 0 || pid == getpid())
		return;
	join_words(command, (size_t)len);
	if (fits(p->channels, command))
		named_pid_add(p, (uint32_t)pid, NAMED_BY_PATTERN);
}

/* Those that run already. */
static void look_at_all(struct pipeline *p)
{
	DIR *d = opendir(p->options->proc_root);
	struct dirent *e;

	if (!d)
		return;
	while ((e = readdir(d)) != NULL)
		if (isdigit((unsigned char)e->d_name[0]))
			look_at(p, atoi(e->d_name));
	closedir(d);
}

/* By /proc: what the event brings of the command line is cut. */
void named_exec(struct pipeline *p, const struct event *e)
{
	if (p->channels->n_patterns && !e->actor->instance)
		look_at(p, (pid_t)e->actor->tgid);
}

static char **pattern_find(struct channels *ch, const char *pattern)
{
	for (size_t i = 0; i < ch->n_patterns; i++)
		if (strcmp(ch->patterns[i], pattern) == 0)
			return &ch->patterns[i];
	return NULL;
}

int named_pattern_add(struct pipeline *p, const char *pattern)
{
	struct channels *ch = p->channels;
	char *own;

	if (pattern_find(ch, pattern))
		return 0;
	if (ch->n_patterns >= PATTERN_MAX)
		return -ENOSPC;
	if (!ch->patterns)
		ch->patterns = calloc(PATTERN_MAX, sizeof(*ch->patterns));
	own = ch->patterns ? strdup(pattern) : NULL;
	if (!own)
		return -ENOMEM;
	ch->patterns[ch->n_patterns++] = own;
	sensors_watch_execs(p->sensors, true);
	look_at_all(p);
	return 0;
}

/* Those that fit no pattern any more, and those that have ended. */
static void patterns_check(struct pipeline *p)
{
	struct channels *ch = p->channels;
	struct procfs_info info;

	for (size_t i = ch->n_named; i-- > 0;) {
		struct named *n = &ch->named[i];

		if (!n->tgid || n->uses[NAMED_BY_TASK] ||
		    procfs_read(p->options->proc_root, (pid_t)n->tgid, &info) == 0)
			continue;
		named_remove(p, n);
	}
}

int named_pattern_remove(struct pipeline *p, const char *pattern)
{
	struct channels *ch = p->channels;
	char **at = pattern_find(ch, pattern);

	if (!at)
		return -ENOENT;
	free(*at);
	*at = ch->patterns[--ch->n_patterns];
	for (size_t i = ch->n_named; i-- > 0;)
		if (ch->named[i].tgid)
			named_pid_remove(p, ch->named[i].tgid, NAMED_BY_PATTERN);
	if (ch->n_patterns)
		look_at_all(p);
	else
		sensors_watch_execs(p->sensors, false);
	return 0;
}

/* ---- all ---- */

void named_tick(struct pipeline *p, uint64_t now)
{
	struct channels *ch = p->channels;

	if (!ch->n_named || now < ch->checked_ns + CHECK_NS)
		return;
	ch->checked_ns = now;
	patterns_check(p);
}

void channels_start(struct pipeline *p)
{
	const struct options *o = p->options;
	int r;

	for (size_t i = 0; p->channels && i < o->n_channel_servers; i++) {
		r = named_pattern_add(p, o->channel_servers[i]);
		if (r < 0)
			log_errno(r, "can't look for the server %s", o->channel_servers[i]);
	}
	for (size_t i = 0; p->channels && i < o->n_channel_cgroups; i++) {
		r = named_cgroup_add(p, o->channel_cgroups[i]);
		if (r < 0)
			log_errno(r, "can't watch the servers in the cgroup %s",
				  o->channel_cgroups[i]);
	}
}

void named_free(struct pipeline *p)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; i < ch->n_named; i++)
		free(ch->named[i].path);
	free(ch->named);
	for (size_t i = 0; i < ch->n_patterns; i++)
		free(ch->patterns[i]);
	free(ch->patterns);
}

bool named_still(const struct pipeline *p, uint32_t tgid)
{
	return named_pid(p, tgid) != NULL;
}

/* The named one that the process is, or descends from. */
uint32_t named_above(const struct pipeline *p, uint32_t tgid)
{
	struct procfs_info info;

	if (!p->channels->n_named)
		return 0;
	for (int i = 0; tgid > 1 && i < NAMED_ANCESTORS; i++) {
		if (named_pid(p, tgid))
			return tgid;
		if (procfs_read(p->options->proc_root, (pid_t)tgid, &info) < 0)
			return 0;
		tgid = (uint32_t)info.ppid;
	}
	return 0;
}
