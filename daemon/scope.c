/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel side is told of tasks: which cgroups and which processes are theirs. */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"

#define SCOPE_ROUNDS 8 /* looks for children that were born meanwhile */
#define LEAF_TRY_NS  (3600 * NSEC_PER_SEC)

int scope_cgroup_set(struct pipeline *p, uint64_t id, uint64_t instance, uint32_t flags,
		     uint64_t map_flags)
{
	struct sf_cgroup entry = { .instance = instance, .flags = flags };

	return bpf_map_update_elem(p->maps->cgroups, &id, &entry, map_flags) < 0 ? -errno : 0;
}

void scope_alias(struct pipeline *p, uint64_t instance, struct task *t)
{
	if (attribute_alias(p->attribution, instance, t) == 0)
		tape_alias(p->tape, instance, t);
}

int scope_instance(struct pipeline *p, uint64_t instance)
{
	struct sf_instance zero = { 0 };

	if (bpf_map_update_elem(p->maps->instances, &instance, &zero, BPF_NOEXIST) < 0 &&
	    errno != EEXIST)
		return -errno;
	return 0;
}

/* ---- processes that are there already ---- */

void scope_process_add(struct pipeline *p, struct tracked *tr, pid_t pid)
{
	struct procfs_info info;
	struct process *proc;

	if (tracked_live_process(tr->task, (uint32_t)pid) ||
	    procfs_read(p->options->proc_root, pid, &info) < 0)
		return;
	proc = task_add_process(tr->task, (uint32_t)pid, 0);
	if (!proc)
		return;
	proc->parent.tgid = (uint32_t)info.ppid;
	proc->uid = info.uid;
	proc->mntns = info.mntns;
	proc->netns = procfs_namespace(p->options->proc_root, pid, "net");
	proc->seen_ns = (uint64_t)util_now_boottime();
	memcpy(proc->comm, info.comm, sizeof(proc->comm));
	text_set(&proc->exe, info.exe, strlen(info.exe));
	tr->attached = true;
	inquiry_mounts(p, proc->mntns, proc->key.tgid);
}

void scope_roots(struct task *t)
{
	struct process *p, *next;

	HASH_ITER(hh, t->processes, p, next)
	{
		if (!p->key.start_ns)
			p->root = !tracked_live_process(t, p->parent.tgid);
	}
}

/* ---- whose a process is ---- */

static struct tracked *if_running(struct tracked *tr)
{
	return tr && tr->task->rec.state == STATE_RUNNING ? tr : NULL;
}

/* The open task that has it, or what it descends from, as a process. */
static struct tracked *scoped_owner(struct pipeline *p, pid_t pid)
{
	uint32_t tgid = (uint32_t)pid;
	uint64_t instance;

	if (bpf_map_lookup_elem(p->maps->scoped, &tgid, &instance) < 0)
		return NULL;
	return if_running(tracked_find(p, instance));
}

struct tracked *scope_owner(struct pipeline *p, pid_t pid)
{
	struct tracked *tr = scoped_owner(p, pid);
	_cleanup_free_ char *path = NULL;
	struct cgroup_node *n = NULL;
	uint64_t id;

	if (tr)
		return tr;
	if (procfs_cgroup(p->options->proc_root, pid, &path) == 0 &&
	    cgroupfs_id(p->cgroupfs, path, &id) == 0)
		n = attribute_cgroup(p->attribution, id);
	tr = n && n->task ? tracked_find(p, n->task->instance) : NULL;
	return tr && tr->leaf ? if_running(tr) : NULL;
}

bool scope_may_take(struct pipeline *p, const struct tracked *tr, pid_t pid)
{
	struct tracked *owner = scope_owner(p, pid);

	return !owner || owner == tr;
}

/* ---- a task that is a cgroup ---- */

struct claim {
	struct pipeline *p;
	struct tracked *tr;
	struct task *before; /* whose the cgroup was: what lies below and was its, goes along */
	bool top;
	int error;
};

static void claim_pid(pid_t pid, void *arg)
{
	struct claim *c = arg;
	struct tracked *owner = scoped_owner(c->p, pid);

	if (!owner || owner == c->tr)
		scope_process_add(c->p, c->tr, pid);
}

/* The kernel's own number of a cgroup that nobody had claimed: what it counted until now belongs to
 * the task too, unless it has been counted as unattributed. */
static void claim_number(struct claim *c, uint64_t instance)
{
	if (instance & SF_INSTANCE_KERNEL && instance != INSTANCE_OLD)
		scope_alias(c->p, instance, c->tr->task);
}

static bool is_others(const struct claim *c, const struct task *t)
{
	return t && t != c->before && t != c->tr->task && t->rec.state == STATE_RUNNING;
}

static int claim_one(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct claim *c = arg;
	struct cgroup_node *n =
		attribute_cgroup_add(c->p->attribution, id, parent, path, strlen(path));
	bool top = c->top;

	if (!n) {
		c->error = -ENOMEM;
		return 1;
	}
	if (top)
		c->before = n->task;
	else if (is_others(c, n->task))
		return 0;
	c->top = false;
	c->error = scope_cgroup_set(c->p, id, c->tr->task->instance, 0, BPF_ANY);
	if (c->error < 0)
		return 1;
	claim_number(c, n->instance);
	attribute_cgroup_bind(n, c->tr->task, c->tr->task->instance, top);
	cgroupfs_pids(c->p->cgroupfs, path, claim_pid, c);
	return 0;
}

int scope_claim(struct pipeline *p, struct tracked *tr, const char *path)
{
	struct claim c = { .p = p, .tr = tr, .top = true };
	int r = cgroupfs_walk(p->cgroupfs, path, claim_one, &c);

	if (c.error < 0)
		return c.error;
	if (r < 0)
		return r;
	scope_roots(tr->task);
	return 0;
}

/* ---- a task that is a process and its descendants ---- */

static int scoped_set(struct pipeline *p, uint32_t tgid, uint64_t instance)
{
	return bpf_map_update_elem(p->maps->scoped, &tgid, &instance, BPF_ANY) < 0 ? -errno : 0;
}

static bool scoped_is(struct pipeline *p, uint32_t tgid, uint64_t instance)
{
	uint64_t now;

	return bpf_map_lookup_elem(p->maps->scoped, &tgid, &now) == 0 && now == instance;
}

/* One look at the tree: how many had not been entered yet. */
static int scope_round(struct pipeline *p, struct tracked *tr, pid_t pid)
{
	_cleanup_free_ pid_t *pids = NULL;
	size_t n = 0;
	int r = procfs_descendants(p->options->proc_root, pid, &pids, &n), fresh = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		if (!scope_may_take(p, tr, pids[i]))
			continue;
		if (!scoped_is(p, (uint32_t)pids[i], tr->task->instance)) {
			r = scoped_set(p, (uint32_t)pids[i], tr->task->instance);
			fresh++;
		}
		scope_process_add(p, tr, pids[i]);
	}
	return r < 0 ? r : fresh;
}

/* The process first: from then on its new children are entered by the kernel side. Those that
 * it had may bear some of their own meanwhile, so the tree is looked at until nothing is new. */
int scope_processes(struct pipeline *p, struct tracked *tr, pid_t pid)
{
	int r;

	sensors_set_scoped(p->sensors, ++p->scoped);
	tr->task->process_scope = true;
	r = scoped_set(p, (uint32_t)pid, tr->task->instance);
	scope_process_add(p, tr, pid);
	for (int i = 0; i < SCOPE_ROUNDS && r == 0; i++) {
		r = scope_round(p, tr, pid);
		if (r <= 0)
			break;
		r = 0;
	}
	scope_roots(tr->task);
	return r < 0 ? r : 0;
}

/* ---- the end ---- */

static void flag_ended(struct cgroup_node *n, void *arg)
{
	struct pipeline *p = arg;

	scope_cgroup_set(p, n->id, n->instance, SF_CG_ENDED, BPF_EXIST);
}

void scope_ended(struct pipeline *p, struct tracked *tr)
{
	attribute_cgroup_each(p->attribution, tr->task, flag_ended, p);
}

/* Its cgroup falls back to the task around it, if there is one, else out of sight. */
static void release_cgroup(struct cgroup_node *n, void *arg)
{
	struct pipeline *p = arg;
	struct task *around = NULL;
	struct template_match match;
	enum attribute_claim claim;

	n->task = NULL;
	attribute_decide(p->attribution, n, NULL, 0, &claim, &match, &around);
	if (claim == CLAIM_INHERITED &&
	    scope_cgroup_set(p, n->id, around->instance, 0, BPF_EXIST) == 0) {
		attribute_cgroup_bind(n, around, around->instance, false);
		return;
	}
	bpf_map_delete_elem(p->maps->cgroups, &n->id);
	attribute_cgroup_remove(p->attribution, n->id);
}

static void bury_alias(struct alias *a, void *arg)
{
	struct pipeline *p = arg;

	bpf_map_delete_elem(p->maps->instances, &a->instance);
}

static void release_scoped(struct pipeline *p, struct tracked *tr)
{
	struct process *proc, *next;

	HASH_ITER(hh, tr->task->processes, proc, next)
	{
		if (scoped_is(p, proc->key.tgid, tr->task->instance))
			bpf_map_delete_elem(p->maps->scoped, &proc->key.tgid);
	}
	if (p->scoped)
		sensors_set_scoped(p->sensors, --p->scoped);
}

void scope_forget(struct pipeline *p, struct tracked *tr)
{
	if (tr->task->process_scope)
		release_scoped(p, tr);
	attribute_cgroup_each(p->attribution, tr->task, release_cgroup, p);
	attribute_each(p->attribution, tr->task, bury_alias, p);
	if (tr->leaf)
		scope_leaf_later(p, TAKE_PTR(tr->leaf));
}

/* ---- instances of cgroups that are gone ---- */

void scope_dead(struct pipeline *p, uint64_t instance)
{
	void *v = p->dead;
	int r = util_grow(&v, &p->cap_dead, p->n_dead + 1, sizeof(*p->dead));

	p->dead = v;
	if (r < 0)
		return;
	/* The sweep that is under way may have read the counters already: the one after it. */
	p->dead[p->n_dead++] = (struct dead_instance){ instance, p->ticket + 2 };
}

void scope_bury(struct pipeline *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->n_dead; i++) {
		const struct dead_instance *d = &p->dead[i];
		struct tracked *tr;
		struct alias *a;

		if (d->ticket > p->ticket) {
			p->dead[kept++] = *d;
			continue;
		}
		bpf_map_delete_elem(p->maps->instances, &d->instance);
		a = attribute_find(p->attribution, d->instance);
		tr = a ? tracked_find(p, a->task->instance) : NULL;
		if (tr && tr->counted_only)
			attribute_drop(p->attribution, d->instance);
	}
	p->n_dead = kept;
}

/* ---- leaf cgroups that we made ---- */

int scope_leaf_later(struct pipeline *p, char *path)
{
	void *v = p->leaves;
	int r;

	if (cgroupfs_remove(p->cgroupfs, path) != -EBUSY) {
		free(path);
		return 0;
	}
	r = util_grow(&v, &p->cap_leaves, p->n_leaves + 1, sizeof(*p->leaves));
	p->leaves = v;
	if (r < 0) {
		free(path);
		return r;
	}
	p->leaves[p->n_leaves++] = (struct leaf){ path, util_now_boottime() + LEAF_TRY_NS };
	return 0;
}

/* A task was begun with a leaf that we made for an earlier one: it is that task's to remove. */
void scope_leaf_hand_on(struct pipeline *p, struct tracked *to)
{
	const char *path = to->task->rec.cgroup;
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		if (tr != to && tr->leaf && strcmp(tr->leaf, path) == 0)
			to->leaf = TAKE_PTR(tr->leaf);
	}
	for (size_t i = 0; i < p->n_leaves && !to->leaf; i++) {
		if (strcmp(p->leaves[i].path, path) != 0)
			continue;
		to->leaf = p->leaves[i].path;
		p->leaves[i] = p->leaves[--p->n_leaves];
	}
}

/* "/sandfault/PID-INSTANCE": one whose daemon is gone and that no open task of ours has. */
static int clean_one(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct pipeline *p = arg;
	struct procfs_info info;
	int pid = 0, at = 0;

	if (sscanf(path, LEAVES "/%d-%n", &pid, &at) != 1 || !at ||
	    attribute_cgroup(p->attribution, id))
		return 0;
	if (pid != getpid() && procfs_read(p->options->proc_root, pid, &info) == 0)
		return 0;
	cgroupfs_remove(p->cgroupfs, path); /* refused where it has processes */
	return 0;
}

void scope_leaves_clean(struct pipeline *p)
{
	cgroupfs_walk(p->cgroupfs, LEAVES, clean_one, p);
}

void scope_leave(struct pipeline *p)
{
	cgroupfs_remove(p->cgroupfs, LEAVES); /* refused where somebody's leaf is in it */
}

void scope_leaves(struct pipeline *p)
{
	int64_t now = util_now_boottime();
	size_t kept = 0;

	for (size_t i = 0; i < p->n_leaves; i++) {
		struct leaf *l = &p->leaves[i];

		if (cgroupfs_remove(p->cgroupfs, l->path) == -EBUSY && now < l->until_ns)
			p->leaves[kept++] = *l;
		else
			free(l->path);
	}
	p->n_leaves = kept;
}
