/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracked roots: what templates name, from the cgroups that are there and those that are made. */
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>

#include "core.h"
#include "log.h"

/* ---- templates ---- */

static void templates_free(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_templates; i++)
		template_free(p->templates[i]);
	free(p->templates);
	p->templates = NULL;
	p->n_templates = 0;
}

static void roots_clear(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_roots; i++)
		free(p->roots[i].path);
	free(p->roots);
	p->roots = NULL;
	p->n_roots = 0;
}

void roots_free(struct pipeline *p)
{
	templates_free(p);
	roots_clear(p);
}

static int root_add(struct pipeline *p, const char *path)
{
	for (size_t i = 0; i < p->n_roots; i++)
		/* The analyzer takes the zeroed entries behind n_roots for used ones.
		 * NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
		if (strcmp(p->roots[i].path, path) == 0)
			return 0;
	p->roots[p->n_roots].path = strdup(path);
	if (!p->roots[p->n_roots].path)
		return -ENOMEM;
	p->n_roots++;
	return 0;
}

int roots_load(struct pipeline *p)
{
	size_t n = p->options->n_templates;
	int r = 0;

	roots_free(p);
	if (!n)
		return 0;
	p->templates = calloc(n, sizeof(*p->templates));
	p->roots = calloc(n, sizeof(*p->roots));
	if (!p->templates || !p->roots)
		return -ENOMEM;
	for (size_t i = 0; i < n && r == 0; i++) {
		_cleanup_free_ char *error = NULL;

		r = template_compile(&p->templates[i], p->options->templates[i], &error);
		if (r < 0) {
			log_error("template %s", error ? error : p->options->templates[i]);
			break;
		}
		p->n_templates++;
		r = root_add(p, template_root(p->templates[i]));
	}
	return r;
}

/* ---- claiming ---- */

static void adopt(struct pipeline *p, struct tracked *tr, struct cgroup_node *n, bool own)
{
	uint64_t before = n->instance;
	int r = scope_cgroup_set(p, n->id, tr->task->instance, 0, BPF_EXIST);

	if (r < 0 && r != -ENOENT) /* released meanwhile */
		log_errno(r, "can't claim a cgroup");
	attribute_cgroup_bind(n, tr->task, tr->task->instance, own);
	if (before & SF_INSTANCE_KERNEL && before != INSTANCE_OLD)
		scope_alias(p, before, tr->task);
}

struct adding {
	struct pipeline *p;
	struct tracked *tr;
};

static void adopt_pid(pid_t pid, void *arg)
{
	struct adding *a = arg;

	scope_process_add(a->p, a->tr, pid);
}

static int template_open(struct pipeline *p, struct cgroup_node *n, const struct template_match *m)
{
	struct tracked_new new = { .campaign = m->campaign,
				   .task = m->task,
				   .source = "template",
				   .labels = m->labels,
				   .n_labels = m->n_labels };
	struct tracked *tr = tracked_by_name(p, m->campaign, m->task);
	struct adding adding = { .p = p };
	bool made;
	int r;

	if (tr && tr->task->rec.state != STATE_RUNNING) {
		tracked_unname(p, tr); /* the next attempt came before the last one was final */
		tr = NULL;
	}
	made = !tr;
	if (made) {
		r = tracked_open(p, &new, &tr);
		if (r < 0)
			return r;
		tr->task->rec.cgroup = strdup(n->path);
		tr->task->rec.cgroup_id = n->id;
	}
	adopt(p, tr, n, made);
	adding.tr = tr;
	cgroupfs_pids(p->cgroupfs, n->path, adopt_pid, &adding);
	scope_roots(tr->task);
	if (made)
		tracked_started(p, tr);
	return 0;
}

static void cgroup_decide(struct pipeline *p, struct cgroup_node *n)
{
	struct template_match match = { 0 };
	enum attribute_claim claim;
	struct task *task = NULL;
	struct adding adding = { .p = p };
	int r = attribute_decide(p->attribution, n, p->templates, p->n_templates, &claim, &match,
				 &task);

	if (r == 0 && claim == CLAIM_TEMPLATE)
		r = template_open(p, n, &match);
	if (claim == CLAIM_TEMPLATE)
		template_match_clear(&match);
	if (r < 0)
		log_errno(r, "can't track a cgroup");
	if (claim != CLAIM_INHERITED)
		return;
	adding.tr = tracked_find(p, task->instance);
	if (!adding.tr)
		return;
	adopt(p, adding.tr, n, false);
	cgroupfs_pids(p->cgroupfs, n->path, adopt_pid, &adding);
}

/* ---- the walk over what is there ---- */

static int walk_one(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct pipeline *p = arg;
	struct cgroup_node *n = attribute_cgroup(p->attribution, id);
	bool known = n != NULL;

	if (!n)
		n = attribute_cgroup_add(p->attribution, id, parent, path, strlen(path));
	if (!n)
		return -ENOMEM;
	if (n->task)
		return 0;
	/* Unless the kernel side has just made an entry of its own. */
	if (!known && scope_cgroup_set(p, id, INSTANCE_OLD, SF_CG_ROOT, BPF_NOEXIST) == 0)
		n->instance = INSTANCE_OLD;
	cgroup_decide(p, n);
	return 0;
}

static int walk_below(const char *path, uint64_t id, uint64_t parent, void *arg)
{
	struct pipeline *p = arg;

	for (size_t i = 0; i < p->n_roots; i++)
		if (p->roots[i].there && p->roots[i].id == id) /* a root within a root */
			return 0;
	return walk_one(path, id, parent, p);
}

static void root_track(struct pipeline *p, struct root *root, uint64_t id)
{
	int r = scope_cgroup_set(p, id, 0, SF_CG_ROOT, BPF_ANY);

	if (r < 0) {
		log_errno(r, "can't track %s", root->path);
		return;
	}
	root->id = id;
	root->there = true;
	r = cgroupfs_walk(p->cgroupfs, root->path, walk_below, p);
	if (r < 0)
		log_errno(r, "can't look through %s", root->path);
}

/* A root that is not there yet: the nearest cgroup above is watched, and nothing in it recorded. */
static void root_await(struct pipeline *p, struct root *root)
{
	_cleanup_free_ char *path = strdup(root->path);
	struct sf_cgroup entry;
	uint64_t id;

	while (path && strcmp(path, "/") != 0) {
		char *slash = strrchr(path, '/');

		slash[slash == path] = '\0';
		if (cgroupfs_id(p->cgroupfs, path, &id) < 0)
			continue;
		root->id = id;
		if (bpf_map_lookup_elem(p->maps->cgroups, &id, &entry) < 0)
			scope_cgroup_set(p, id, 0, SF_CG_ROOT | SF_CG_IGNORE, BPF_NOEXIST);
		return;
	}
}

void roots_check(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_roots; i++) {
		struct root *root = &p->roots[i];
		uint64_t id;
		int r = cgroupfs_id(p->cgroupfs, root->path, &id);

		if (r == 0 && root->there && root->id == id)
			continue;
		root->there = false;
		if (r == 0)
			root_track(p, root, id);
		else
			root_await(p, root);
	}
}

void roots_walk(struct pipeline *p)
{
	p->walk_due = false;
	for (size_t i = 0; i < p->n_roots; i++)
		p->roots[i].there = false;
	roots_check(p);
}

static void forget_one(struct cgroup_node *n, void *arg)
{
	struct pipeline *p = arg;

	bpf_map_delete_elem(p->maps->cgroups, &n->id);
	attribute_cgroup_remove(p->attribution, n->id);
}

void roots_forget(struct pipeline *p)
{
	for (size_t i = 0; i < p->n_roots; i++) {
		struct cgroup_node *n = attribute_cgroup(p->attribution, p->roots[i].id);

		if (p->roots[i].id && (!n || !n->task))
			bpf_map_delete_elem(p->maps->cgroups, &p->roots[i].id);
	}
	attribute_cgroup_each(p->attribution, NULL, forget_one, p);
}

/* ---- events ---- */

static bool root_appeared(struct pipeline *p, const struct event *e)
{
	for (size_t i = 0; i < p->n_roots; i++)
		if (strlen(p->roots[i].path) == e->part[0].len &&
		    memcmp(p->roots[i].path, e->part[0].data, e->part[0].len) == 0)
			return true;
	return false;
}

static void on_mkdir(struct pipeline *p, const struct event *e)
{
	const struct sf_ev_cgroup *c = e->cgroup;
	struct cgroup_node *n;
	struct alias *a;

	if (root_appeared(p, e)) {
		roots_check(p);
		return;
	}
	n = attribute_cgroup_add(p->attribution, c->id, c->parent, e->part[0].data, e->part[0].len);
	if (!n) {
		p->lost_events++;
		return;
	}
	if (n->task) { /* claimed by begin, or by the walk, before its event came */
		if (c->instance & SF_INSTANCE_KERNEL)
			scope_alias(p, c->instance, n->task);
		return;
	}
	n->instance = c->instance;
	a = attribute_find(p->attribution, c->instance);
	if (a && !(c->instance & SF_INSTANCE_KERNEL))
		attribute_cgroup_bind(n, a->task, c->instance, false);
	else
		cgroup_decide(p, n);
}

static void on_rmdir(struct pipeline *p, const struct event *e)
{
	struct cgroup_node *n = attribute_cgroup(p->attribution, e->cgroup->id);
	struct tracked *tr = n && n->own && n->task ? tracked_find(p, n->task->instance) : NULL;

	if (tr)
		tracked_settle(p, tr, (int64_t)e->hdr->ts);
}

/* The kernel side has deleted its entry. */
static void on_release(struct pipeline *p, const struct event *e)
{
	struct cgroup_node *n = attribute_cgroup(p->attribution, e->cgroup->id);

	if (e->cgroup->instance & SF_INSTANCE_KERNEL && e->cgroup->instance != INSTANCE_OLD)
		scope_dead(p, e->cgroup->instance);
	if (n)
		attribute_cgroup_remove(p->attribution, n->id);
}

void roots_cgroup_event(struct pipeline *p, const struct event *e)
{
	switch (e->cgroup->what) {
	case SF_CG_MKDIR:
		on_mkdir(p, e);
		break;
	case SF_CG_RMDIR:
		on_rmdir(p, e);
		break;
	case SF_CG_RELEASE:
		on_release(p, e);
		break;
	default:
		break;
	}
}
