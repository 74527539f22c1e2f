/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process is begun with: it gets a cgroup of its own, and so do the children that it has already.
 * The moves are made on another thread, round after round, until no child is left outside.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <utlist.h>

#include "begin.h"

#define ROUNDS 8 /* looks for children that were born meanwhile */

struct leaving {
	struct leaving *prev, *next;
	struct begin q;
	struct control_begin b; /* without its strings */
	uint64_t instance;
	uint64_t id; /* of the leaf */
	int round;
};

/*
 * Where the leaf goes. A cgroup that controllers limit keeps its hold on the process: the leaf lies
 * below it. Elsewhere all leaves lie together. Several daemons may run, each with a database and
 * instances of its own: the name says whose it is.
 */
static char *leaf_path(struct pipeline *p, pid_t pid, uint64_t instance)
{
	_cleanup_free_ char *at = NULL;
	char *path = NULL;
	int n;

	if (procfs_cgroup(p->options->proc_root, pid, &at) == 0 && strcmp(at, "/") != 0 &&
	    !strstr(at, "/..") && cgroupfs_controlled(p->cgroupfs, at))
		n = asprintf(&path, "%s/sandfault-%d-%llu", at, getpid(),
			     (unsigned long long)instance);
	else
		n = asprintf(&path, LEAVES "/%d-%llu", getpid(), (unsigned long long)instance);
	return n < 0 ? NULL : path;
}

/* Claimed before the process is moved, so that its attach event is the task's. */
static int leaf_make(struct pipeline *p, struct tracked *tr, pid_t pid, uint64_t *id)
{
	_cleanup_free_ char *path = leaf_path(p, pid, tr->task->instance);
	int r = path ? cgroupfs_make(p->cgroupfs, path) : -ENOMEM;

	if (r < 0)
		return r;
	tr->leaf = strdup(path);
	r = tr->leaf ? cgroupfs_id(p->cgroupfs, path, id) : -ENOMEM;
	return r < 0 ? r : scope_claim(p, tr, path);
}

static void unclaim(struct cgroup_node *n, void *arg)
{
	struct pipeline *p = arg;

	bpf_map_delete_elem(p->maps->cgroups, &n->id);
	attribute_cgroup_remove(p->attribution, n->id);
}

static void leaf_undo(struct pipeline *p, struct tracked *tr)
{
	attribute_cgroup_each(p->attribution, tr->task, unclaim, p);
	if (tr->leaf)
		scope_leaf_later(p, TAKE_PTR(tr->leaf));
}

/* ---- who is to be moved ---- */

static bool may_move(const struct leaving *l, const struct tracked *tr, pid_t pid)
{
	struct pipeline *p = l->q.p;
	struct procfs_info info;

	return !tracked_live_process(tr->task, (uint32_t)pid) &&
	       procfs_read(p->options->proc_root, pid, &info) == 0 &&
	       begin_may_signal(&l->b, &info) && scope_may_take(p, tr, pid);
}

/* First the process, then the children that it has already, and theirs. May be none. */
static int outside(const struct leaving *l, const struct tracked *tr, pid_t **ret, size_t *ret_n)
{
	_cleanup_free_ pid_t *pids = NULL;
	size_t n = 0, kept = 0;
	int r;

	if (l->round == 0) {
		pids = malloc(sizeof(*pids));
		if (!pids)
			return -ENOMEM;
		pids[kept++] = l->b.pid;
	} else {
		r = procfs_descendants(l->q.p->options->proc_root, l->b.pid, &pids, &n);
		if (r < 0)
			return r;
		for (size_t i = 0; i < n; i++)
			if (may_move(l, tr, pids[i]))
				pids[kept++] = pids[i];
	}
	*ret = TAKE_PTR(pids);
	*ret_n = kept;
	return 0;
}

/* ---- moving ---- */

static void on_moved(const pid_t *pids, const int *results, size_t n, void *arg);

static void drop(struct leaving *l)
{
	DL_DELETE(l->q.p->leaving, l);
	free(l);
}

/* 1: it is under way; 0: nobody is left outside; or -errno. */
static int move_round(struct leaving *l, const struct tracked *tr)
{
	_cleanup_free_ char *file = cgroupfs_procs(l->q.p->cgroupfs, tr->leaf);
	_cleanup_free_ pid_t *pids = NULL;
	size_t n = 0;
	int r = file ? outside(l, tr, &pids, &n) : -ENOMEM;

	if (r < 0 || !n)
		return r;
	l->round++;
	r = mover_move(l->q.p->mover, file, pids, n, on_moved, l);
	if (r < 0)
		return r;
	TAKE_PTR(pids);
	return 1;
}

/* The process is there. Where a child can't be had, the task is what could. */
static void settle(struct leaving *l, struct tracked *tr)
{
	scope_roots(tr->task);
	tr->leaving = false;
	begin_done(&l->q, tr);
	drop(l);
}

static void give_up(struct leaving *l, struct tracked *tr, int r)
{
	tr->leaving = false;
	leaf_undo(l->q.p, tr);
	begin_processes(&l->q, tr, r);
	drop(l);
}

static void on_moved(const pid_t *pids, const int *results, size_t n, void *arg)
{
	struct leaving *l = arg;
	struct tracked *tr = tracked_find(l->q.p, l->instance);
	bool first = l->round == 1, any = false;
	int r = first ? results[0] : 0;

	if (!tr || tr->task->rec.state != STATE_RUNNING) { /* somebody removed its cgroup */
		if (tr)
			tr->leaving = false;
		control_error(l->q.peer, l->q.token, "failed", "process %d: its cgroup was removed",
			      l->b.pid);
		drop(l);
		return;
	}
	if (r == 0 && first)
		r = begin_set_cgroup(tr, tr->leaf, l->id);
	if (r < 0) {
		give_up(l, tr, r);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		if (results[i] < 0)
			continue;
		scope_process_add(l->q.p, tr, pids[i]);
		any = true;
	}
	/* What is born now is born in the leaf. */
	if (!any || l->round > ROUNDS || move_round(l, tr) != 1)
		settle(l, tr);
}

void begin_leaf(const struct begin *q, struct tracked *tr)
{
	struct leaving *l = calloc(1, sizeof(*l));
	int r = -ENOMEM;

	if (!l) {
		begin_processes(q, tr, r);
		return;
	}
	l->q = *q;
	l->b = *q->b;
	l->q.b = &l->b;
	l->b.campaign = l->b.task = l->b.cgroup = l->b.source = NULL;
	l->b.labels = NULL;
	l->b.n_labels = 0;
	l->instance = tr->task->instance;
	tr->leaving = true;
	DL_APPEND(q->p->leaving, l);
	r = leaf_make(q->p, tr, q->b->pid, &l->id);
	if (r == 0)
		r = move_round(l, tr);
	if (r < 0)
		give_up(l, tr, r);
}

void begin_stop(struct pipeline *p)
{
	struct leaving *l, *next;

	DL_FOREACH_SAFE(p->leaving, l, next)
	{
		control_error(l->q.peer, l->q.token, "failed", "the daemon is stopping");
		drop(l);
	}
}
