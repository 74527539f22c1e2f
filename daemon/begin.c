/* SPDX-License-Identifier: GPL-2.0-only */
/* The begin operation: a task is opened, and the reply goes out once the kernel holds its key. */
#include <bpf/bpf.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "core.h"
#include "json.h"
#include "log.h"

#define LEAF_ROUNDS 8 /* looks for children that were born meanwhile */

struct begin {
	struct pipeline *p;
	struct control_peer *peer;
	uint64_t token;
	const struct control_begin *b;
};

static void refuse(const struct begin *q, const char *code, const char *what, const char *about)
{
	_cleanup_free_ char *shown = util_escape(about, strlen(about));

	control_error(q->peer, q->token, code, "%s: %s", what, shown ? shown : "");
}

static void reply(const struct begin *q, const struct tracked *tr)
{
	const struct task_record *rec = &tr->task->rec;
	struct json_object *o = json_object_new_object();

	if (!o)
		return;
	json_object_object_add(o, "instance", json_object_new_int64(rec->id));
	json_object_object_add(o, "attempt", json_object_new_int(rec->attempt));
	if (rec->cgroup)
		json_add_bytes(o, "cgroup", rec->cgroup, strlen(rec->cgroup));
	else
		json_object_object_add(o, "cgroup", NULL);
	control_reply(q->peer, q->token, o);
}

static void began(const struct begin *q, struct tracked *tr)
{
	int r = q->b->server ? channels_begin(q->p, tr, q->b->server) : 0;

	if (r < 0)
		log_errno(r, "can't watch the server %d", q->b->server);
	tracked_started(q->p, tr);
	pipeline_commit(q->p);
	reply(q, tr);
}

static int begin_open(const struct begin *q, struct tracked **ret)
{
	struct tracked_new n = { .campaign = q->b->campaign,
				 .task = q->b->task,
				 .source = q->b->source,
				 .labels = q->b->labels,
				 .n_labels = q->b->n_labels };
	int r = tracked_open(q->p, &n, ret);

	if (r < 0)
		control_error(q->peer, q->token, "failed", "can't open the task: %s", strerror(-r));
	return r;
}

/* The name of a task that settles may be used again: the next attempt. */
static bool is_open(const struct begin *q)
{
	struct tracked *tr = tracked_by_name(q->p, q->b->campaign, q->b->task);

	if (!tr)
		return false;
	if (tr->counted_only || tr->task->rec.state == STATE_RUNNING) {
		refuse(q, "exists", "that task is open", q->b->task);
		return true;
	}
	tracked_unname(q->p, tr);
	return false;
}

/* ---- by cgroup ---- */

static int set_cgroup(struct tracked *tr, const char *path, uint64_t id)
{
	tr->task->rec.cgroup = strdup(path);
	tr->task->rec.cgroup_id = id;
	return tr->task->rec.cgroup ? 0 : -ENOMEM;
}

/* A running task's own cgroup; one below it may be a task of its own. One that settles has all that
 * it needs under its own instance. */
static bool is_occupied(struct pipeline *p, uint64_t id)
{
	struct cgroup_node *n = attribute_cgroup(p->attribution, id);

	return n && n->task && n->own && n->task->rec.state == STATE_RUNNING;
}

static void begin_cgroup(const struct begin *q)
{
	_cleanup_free_ char *path = NULL;
	struct tracked *tr;
	uint64_t id;
	int r = cgroupfs_normalize(q->p->cgroupfs, q->b->cgroup, &path);

	if (r == 0 && strcmp(path, "/") == 0)
		r = -EINVAL;
	if (r < 0) {
		refuse(q, "invalid", "a cgroup below the root, without . and .., is needed, not",
		       q->b->cgroup);
		return;
	}
	if (cgroupfs_id(q->p->cgroupfs, path, &id) < 0) {
		refuse(q, "no-such-cgroup", "there is no such cgroup", path);
		return;
	}
	rings_drain_rare(q->p); /* its template may be about to claim it */
	if (is_open(q))
		return;
	if (is_occupied(q->p, id)) {
		refuse(q, "busy", "another open task has that cgroup", path);
		return;
	}
	if (begin_open(q, &tr) < 0)
		return;
	r = set_cgroup(tr, path, id);
	if (r == 0)
		r = scope_claim(q->p, tr, path);
	if (r < 0) {
		tracked_abort(q->p, tr);
		refuse(q, r == -ENOENT ? "no-such-cgroup" : "failed", strerror(-r), path);
		return;
	}
	scope_leaf_hand_on(q->p, tr);
	began(q, tr);
}

/* ---- by process ---- */

/* A peer may hand in what it may signal. */
static bool may_signal(const struct control_begin *b, const struct procfs_info *info)
{
	return b->peer_uid == 0 || b->peer_uid == info->uid;
}

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
static int leaf_make(struct pipeline *p, struct tracked *tr, pid_t pid)
{
	_cleanup_free_ char *path = leaf_path(p, pid, tr->task->instance);
	uint64_t id;
	int r;

	if (!path)
		return -ENOMEM;
	r = cgroupfs_make(p->cgroupfs, path);
	if (r < 0)
		return r;
	tr->leaf = strdup(path);
	r = tr->leaf ? cgroupfs_id(p->cgroupfs, path, &id) : -ENOMEM;
	if (r == 0)
		r = scope_claim(p, tr, path);
	if (r == 0)
		r = cgroupfs_move(p->cgroupfs, path, pid);
	if (r == 0)
		r = set_cgroup(tr, path, id);
	if (r < 0)
		return r;
	scope_process_add(p, tr, pid);
	scope_roots(tr->task);
	return 0;
}

/* The children that it has already, and theirs, as far as the peer may hand them in. */
static void leaf_children(const struct begin *q, struct tracked *tr)
{
	struct pipeline *p = q->p;

	for (int i = 0; i < LEAF_ROUNDS; i++) {
		_cleanup_free_ pid_t *pids = NULL;
		size_t n = 0, moved = 0;

		if (procfs_descendants(p->options->proc_root, q->b->pid, &pids, &n) < 0)
			return;
		for (size_t k = 0; k < n; k++) {
			struct procfs_info info;

			if (tracked_live_process(tr->task, (uint32_t)pids[k]) ||
			    procfs_read(p->options->proc_root, pids[k], &info) < 0 ||
			    !may_signal(q->b, &info) || !scope_may_take(p, tr, pids[k]) ||
			    cgroupfs_move(p->cgroupfs, tr->task->rec.cgroup, pids[k]) < 0)
				continue;
			scope_process_add(p, tr, pids[k]);
			moved++;
		}
		if (!moved) /* what is born now is born in the leaf */
			break;
	}
	scope_roots(tr->task);
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

static bool pid_ok(const struct begin *q)
{
	struct procfs_info info;

	if (procfs_read(q->p->options->proc_root, q->b->pid, &info) < 0) {
		control_error(q->peer, q->token, "no-such-process", "there is no process %d",
			      q->b->pid);
		return false;
	}
	if (q->b->pid == getpid()) {
		control_error(q->peer, q->token, "invalid", "process %d is the daemon itself",
			      q->b->pid);
		return false;
	}
	if (!may_signal(q->b, &info)) {
		control_error(q->peer, q->token, "not-allowed",
			      "process %d belongs to user %u, not to you", q->b->pid, info.uid);
		return false;
	}
	return true;
}

/* A process is one task's: whoever began with it, or with one that it descends from, keeps it. What a
 * cgroup brings along may become a task of its own. */
static bool is_taken(const struct begin *q)
{
	struct tracked *tr = scope_owner(q->p, q->b->pid);
	_cleanup_free_ char *name = NULL;

	if (!tr)
		return false;
	name = util_escape(tr->task->rec.task, strlen(tr->task->rec.task));
	control_error(q->peer, q->token, "busy", "process %d belongs to the open task %s",
		      q->b->pid, name ? name : "");
	return true;
}

/* What goes to and from a server is shown to whoever may signal it. */
static bool server_ok(const struct begin *q)
{
	struct procfs_info info;

	if (!q->b->server)
		return true;
	if (procfs_read(q->p->options->proc_root, q->b->server, &info) < 0) {
		control_error(q->peer, q->token, "no-such-process", "there is no process %d",
			      q->b->server);
		return false;
	}
	if (!may_signal(q->b, &info)) {
		control_error(q->peer, q->token, "not-allowed",
			      "process %d belongs to user %u, not to you", q->b->server, info.uid);
		return false;
	}
	if (!q->p->channels) {
		control_error(q->peer, q->token, "unsupported", "tool channels are not observed");
		return false;
	}
	return true;
}

static void begin_pid(const struct begin *q)
{
	struct tracked *tr;
	int r = -EOPNOTSUPP;

	if (!pid_ok(q) || is_open(q) || is_taken(q))
		return;
	if (begin_open(q, &tr) < 0)
		return;
	if (q->b->scope != SCOPE_PROCESS) {
		r = leaf_make(q->p, tr, q->b->pid);
		if (r < 0)
			leaf_undo(q->p, tr);
		else
			leaf_children(q, tr);
	}
	if (r < 0 && q->b->scope != SCOPE_CGROUP) {
		if (q->b->scope == SCOPE_AUTO)
			log_info("process %d can't have a cgroup of its own (%s): it is a task "
				 "with its descendants",
				 q->b->pid, strerror(-r));
		r = scope_processes(q->p, tr, q->b->pid);
	}
	if (r < 0) {
		control_error(q->peer, q->token, "failed", "process %d: %s", q->b->pid,
			      strerror(-r));
		tracked_abort(q->p, tr);
		return;
	}
	began(q, tr);
}

void begin_request(void *arg, struct control_peer *peer, uint64_t token,
		   const struct control_begin *b)
{
	struct begin q = { arg, peer, token, b };

	if (!server_ok(&q))
		return;
	if (b->cgroup)
		begin_cgroup(&q);
	else if (b->pid > 0)
		begin_pid(&q);
	else
		control_error(peer, token, "invalid", "a task needs a cgroup or a pid");
}
