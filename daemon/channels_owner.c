/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose task a call is: the server's, by its cgroup; that which was begun with the server's pid; the
 * client's; else, of a server that was named, nobody's in particular. A server that serves many tasks
 * one after another is each one's while it lasts.
 */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"

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
	/* Its ancestors may be gone by the next call. */
	if (t->asked_tgid != server->peer.tgid || !named_still(p, t->named_tgid)) {
		t->asked_tgid = server->peer.tgid;
		t->named_tgid = named_above(p, server->peer.tgid);
	}
	/* Two tasks may have been begun with one server: then its client tells. */
	if (of_client && of_client->server && (uint32_t)of_client->server == t->named_tgid)
		return of_client;
	tr = t->named_tgid ? of_begin(p, t->named_tgid, ts) : NULL;
	if (tr || of_client)
		return tr ?: of_client;
	if (t->named_tgid || named_cgroup(p, server->cgroup))
		return tracked_unattributed(p);
	return NULL;
}

int channels_begin(struct pipeline *p, struct tracked *tr, pid_t server)
{
	int r = p->channels ? named_pid_add(p, (uint32_t)server, NAMED_BY_TASK) : -EOPNOTSUPP;

	if (r == 0)
		tr->server = server;
	return r;
}

void channels_end(struct pipeline *p, struct tracked *tr)
{
	if (tr->server && p->channels)
		named_pid_remove(p, (uint32_t)tr->server, NAMED_BY_TASK);
	tr->server = 0;
}
