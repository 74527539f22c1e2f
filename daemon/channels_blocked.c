/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Writers that wait for a peer that does not read. Nothing comes over a channel where either end stands
 * in a write: while a call is open for long, both ends' threads are looked at, about once a second. Two looks
 * at the same write are a writer that is stuck; whether it matters is known when the call ends, or after long.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "channels_impl.h"

#define OPEN_NS	     (NSEC_PER_SEC / 2)	    /* a call that is answered sooner is not looked at */
#define SAY_NS	     (10 * NSEC_PER_SEC)    /* stuck for so long: it is said before its end */
#define FRESH_NS     (2500 * NSEC_PER_MSEC) /* the last look at it, when it ends */
#define THREADS_MAX  64
#define TALKS_LOOKED 64 /* at a time; then others' turn */
#define PF_EXITING   4	/* include/linux/sched.h */

/* proc(5), /proc/PID/syscall: number and arguments, of a thread that sleeps in one; else a word. */
static bool read_syscall(const char *path, struct blocked *ret)
{
	_cleanup_free_ char *text = NULL;
	unsigned long long args[3];
	int nr;

	if (util_read_file(path, 512, &text) <= 0 ||
	    sscanf(text, "%d 0x%llx 0x%llx 0x%llx", &nr, &args[0], &args[1], &args[2]) != 4)
		return false;
	ret->nr = nr;
	ret->fd = (int)args[0];
	ret->buf = args[1];
	ret->bytes = args[2];
	return true;
}

static bool writes(struct blocked *b)
{
	static const char *const whole[] = { "write", "sendto" }, *const parts[] = { "writev",
										     "sendmsg" };

	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		if (b->nr == names_syscall_nr(whole[i]))
			return true;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (b->nr == names_syscall_nr(parts[i])) {
			b->bytes = 0; /* how many can't be told from the arguments */
			return true;
		}
	return false;
}

/* A disk may be slow, and nobody's fault. */
static bool is_channel(const char *proc, uint32_t pid, int fd)
{
	char path[320];
	struct stat st;

	snprintf(path, sizeof(path), "%s/%u/fd/%d", proc, pid, fd);
	return stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode));
}

static bool look_at_thread(const char *proc, uint32_t pid, const char *tid, struct blocked *ret)
{
	struct blocked b = { .tid = atoi(tid) };
	char path[640];

	snprintf(path, sizeof(path), "%s/%u/task/%.16s/syscall", proc, pid, tid);
	if (!read_syscall(path, &b) || !writes(&b) || !is_channel(proc, pid, b.fd))
		return false;
	*ret = b;
	return true;
}

/* proc(5), /proc/PID/stat: the ninth field. */
static bool is_ending(const char *proc, uint32_t pid)
{
	_cleanup_free_ char *text = NULL;
	char path[320];
	const char *at;
	unsigned int flags;

	snprintf(path, sizeof(path), "%s/%u/stat", proc, pid);
	if (util_read_file(path, 1024, &text) <= 0)
		return true;
	at = strrchr(text, ')'); /* ends the second field, which may hold anything */
	return at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) == 1 &&
	       flags & PF_EXITING;
}

/* The first thread that stands in a write; fd -1: none does. -ESRCH: the process has ended, or does so:
 * a killed one leaves its write before it is gone. */
static int look_at(const char *proc, uint32_t pid, struct blocked *ret)
{
	char path[320];
	struct dirent *e;
	bool found = false;
	DIR *d;

	snprintf(path, sizeof(path), "%s/%u/task", proc, pid);
	d = opendir(path);
	if (!d)
		return -ESRCH;
	*ret = (struct blocked){ .fd = -1 };
	for (int n = 0; !found && n < THREADS_MAX && (e = readdir(d)) != NULL; n++)
		if (isdigit((unsigned char)e->d_name[0]))
			found = look_at_thread(proc, pid, e->d_name, ret);
	closedir(d);
	return !found && is_ending(proc, pid) ? -ESRCH : 0;
}

static bool same_write(const struct blocked *a, const struct blocked *b)
{
	return a->tid == b->tid && a->nr == b->nr && a->fd == b->fd && a->buf == b->buf;
}

static void look(struct pipeline *p, struct talk *t, unsigned int side, uint64_t now)
{
	struct blocked *b = &t->blocked[side], seen = { 0 };

	/* One that ended in its write was stuck to its end. */
	if (!t->ends[side].peer.tgid ||
	    look_at(p->options->proc_root, t->ends[side].peer.tgid, &seen) < 0)
		return;
	if (seen.fd < 0) {
		*b = (struct blocked){ 0 };
		return;
	}
	if (!same_write(b, &seen)) {
		*b = seen;
		b->since_ns = now;
	}
	b->seen_ns = now;
}

static void say(struct talk *t, unsigned int side, uint64_t ts)
{
	struct blocked *b = &t->blocked[side];

	if (b->said)
		return;
	b->said = true;
	session_blocked(t->session, side, ts, b->fd, b->bytes, b->seen_ns - b->since_ns);
}

static void look_at_ends(struct pipeline *p, struct talk *t, uint64_t now)
{
	for (unsigned int side = 0; side < 2; side++) {
		look(p, t, side, now);
		if (t->blocked[side].since_ns && now - t->blocked[side].since_ns > SAY_NS)
			say(t, side, now);
	}
}

/* Talks stand in the order of their numbers. */
void blocked_tick(struct pipeline *p, uint64_t now)
{
	struct channels *ch = p->channels;
	struct talk *t, *next;
	int looked = 0;

	HASH_ITER(hh, ch->talks, t, next)
	{
		const struct call *c =
			t->id > ch->blocked_after ? session_oldest(t->session, 0) : NULL;

		if (!c || c->started_ns + OPEN_NS > now)
			continue;
		look_at_ends(p, t, now);
		if (++looked == TALKS_LOOKED) {
			ch->blocked_after = t->id;
			return;
		}
	}
	ch->blocked_after = 0;
}

void blocked_end(struct talk *t, uint64_t ts)
{
	if (!session_open(t->session, 0))
		return;
	for (unsigned int side = 0; side < 2; side++) {
		const struct blocked *b = &t->blocked[side];

		if (b->seen_ns > b->since_ns && b->seen_ns + FRESH_NS > ts)
			say(t, side, ts);
	}
}
