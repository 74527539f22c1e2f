/* SPDX-License-Identifier: GPL-2.0-only */
/* The begin operation: a task is opened, and the reply goes out once the kernel holds its key. */
#include <errno.h>
#include <string.h>

#include "begin.h"
#include "json.h"
#include "log.h"

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

void begin_done(const struct begin *q, struct tracked *tr)
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

int begin_set_cgroup(struct tracked *tr, const char *path, uint64_t id)
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
	r = begin_set_cgroup(tr, path, id);
	if (r == 0)
		r = scope_claim(q->p, tr, path);
	if (r < 0) {
		tracked_abort(q->p, tr);
		refuse(q, r == -ENOENT ? "no-such-cgroup" : "failed", strerror(-r), path);
		return;
	}
	scope_leaf_hand_on(q->p, tr);
	begin_done(q, tr);
}

/* ---- by process ---- */

/* A peer may hand in what it may signal. */
bool begin_may_signal(const struct control_begin *b, const struct procfs_info *info)
{
	return b->peer_uid == 0 || b->peer_uid == info->uid;
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
	if (!begin_may_signal(q->b, &info)) {
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
	if (!begin_may_signal(q->b, &info)) {
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

/* Where it can't have a cgroup of its own (r): the process with its descendants. */
void begin_processes(const struct begin *q, struct tracked *tr, int r)
{
	if (q->b->scope != SCOPE_CGROUP) {
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
	begin_done(q, tr);
}

static void begin_pid(const struct begin *q)
{
	struct tracked *tr;

	if (!pid_ok(q) || is_open(q) || is_taken(q))
		return;
	if (begin_open(q, &tr) < 0)
		return;
	if (q->b->scope == SCOPE_PROCESS)
		begin_processes(q, tr, 0);
	else
		begin_leaf(q, tr);
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
