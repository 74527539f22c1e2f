/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose task a call is: the server's, by its cgroup; that which was begun with the server's pid; the
 * client's; else, of a server that was named, nobody's in particular. A server that serves many tasks
 * one after another is each one's while it lasts.
 */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"
#include "log.h"

#define ANCESTORS 32
#define NAMED_MAX 1024

/* ---- servers that were named ---- */

static struct named *named_pid(const struct pipeline *p, uint32_t tgid)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; i < ch->n_named; i++)
		if (ch->named[i].tgid == tgid && tgid)
			return &ch->named[i];
	return NULL;
}

static bool named_cgroup(const struct pipeline *p, uint64_t cgroup)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; i < ch->n_named; i++)
		if (!ch->named[i].tgid && ch->named[i].cgroup == cgroup)
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

int channels_watch_pid(struct pipeline *p, pid_t pid)
{
	struct named fresh = { .tgid = (uint32_t)pid, .uses = 1 }, *n;
	int r;

	if (!p->channels)
		return -EOPNOTSUPP;
	n = named_pid(p, fresh.tgid);
	if (n) {
		n->uses++;
		return 0;
	}
	r = named_add(p, &fresh);
	if (r < 0)
		return r;
	r = sensors_watch(p->sensors, fresh.tgid, true);
	if (r < 0)
		p->channels->n_named--;
	return r;
}

void channels_unwatch_pid(struct pipeline *p, pid_t pid)
{
	struct named *n = p->channels ? named_pid(p, (uint32_t)pid) : NULL;

	if (!n || --n->uses)
		return;
	sensors_watch(p->sensors, n->tgid, false);
	*n = p->channels->named[--p->channels->n_named];
}

void named_free(struct pipeline *p)
{
	struct channels *ch = p->channels;

	for (size_t i = 0; i < ch->n_named; i++)
		free(ch->named[i].path);
	free(ch->named);
}

/* The named one that the process is, or descends from. */
static uint32_t named_above(const struct pipeline *p, uint32_t tgid)
{
	struct procfs_info info;

	if (!p->channels->n_named)
		return 0;
	for (int i = 0; tgid > 1 && i < ANCESTORS; i++) {
		if (named_pid(p, tgid))
			return tgid;
		if (procfs_read(p->options->proc_root, (pid_t)tgid, &info) < 0)
			return 0;
		tgid = (uint32_t)info.ppid;
	}
	return 0;
}

/* ---- whose ---- */

static bool is_current(const struct tracked *tr, uint64_t ts)
{
	if (!tr || tr->counted_only)
		return false;
	return tr->task->rec.state == STATE_RUNNING || tr->task->ended_ns >= ts;
}

/* By the instance that its last record carried; the cgroup may have passed on to another task since. */
static struct tracked *of_end(struct pipeline *p, const struct end *e, uint64_t ts)
{
	struct tracked *tr = tracked_of_instance(p, e->instance);
	struct cgroup_node *n;

	if (is_current(tr, ts))
		return tr;
	n = e->cgroup ? attribute_cgroup(p->attribution, e->cgroup) : NULL;
	tr = n && n->task ? tracked_find(p, n->task->instance) : NULL;
	return is_current(tr, ts) ? tr : NULL;
}

/* The task that was begun last with that server. */
static struct tracked *of_begin(struct pipeline *p, uint32_t server, uint64_t ts)
{
	struct tracked *tr, *next, *found = NULL;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		if ((uint32_t)tr->server != server || !is_current(tr, ts))
			continue;
		if (!found || tr->task->started_ns > found->task->started_ns)
			found = tr;
	}
	return found;
}

struct tracked *owner_of(struct pipeline *p, struct talk *t, uint64_t ts)
{
	unsigned int side = session_server(t->session) == 1 ? 1 : 0; /* either, if not known yet */
	const struct end *server = &t->ends[side], *client = &t->ends[!side];
	struct tracked *tr = of_end(p, server, ts), *of_client = of_end(p, client, ts);

	if (tr)
		return tr;
	if (t->asked_tgid != server->peer.tgid) {
		t->asked_tgid = server->peer.tgid;
		t->named_tgid = named_above(p, server->peer.tgid);
	}
	/* Two tasks may have been begun with one server: then its client tells. */
	if (of_client && of_client->server && (uint32_t)of_client->server == t->named_tgid)
		return of_client;
	tr = t->named_tgid ? of_begin(p, t->named_tgid, ts) : NULL;
	if (tr || of_client)
		return tr ?: of_client;
	if (t->named_tgid || (server->cgroup && named_cgroup(p, server->cgroup)))
		return tracked_unattributed(p);
	return NULL;
}

int channels_begin(struct pipeline *p, struct tracked *tr, pid_t server)
{
	int r = channels_watch_pid(p, server);

	if (r == 0)
		tr->server = server;
	return r;
}

void channels_end(struct pipeline *p, struct tracked *tr)
{
	if (tr->server)
		channels_unwatch_pid(p, tr->server);
	tr->server = 0;
}
