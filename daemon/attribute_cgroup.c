/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "attribute_tables.h"

#define DEPTH_MAX 256 /* a ring of parents, however it came to be, ends here */

struct cgroup_node *attribute_cgroup(const struct attribution *a, uint64_t id)
{
	struct cgroup_node *n;

	HASH_FIND(hh, a->cgroups, &id, sizeof(id), n);
	return n;
}

struct cgroup_node *attribute_cgroup_add(struct attribution *a, uint64_t id, uint64_t parent,
					 const char *path, size_t path_len)
{
	struct cgroup_node *n = attribute_cgroup(a, id);

	if (n)
		return n;
	n = calloc(1, sizeof(*n));
	if (!n)
		return NULL;
	n->id = id;
	n->parent = parent;
	n->path = strndup(path, path_len);
	if (!n->path) {
		free(n);
		return NULL;
	}
	HASH_ADD(hh, a->cgroups, id, sizeof(n->id), n);
	return n;
}

void attribute_cgroup_bind(struct cgroup_node *n, struct task *t, uint64_t instance, bool own)
{
	n->task = t;
	n->instance = instance;
	n->own = own;
}

void attribute_cgroup_remove(struct attribution *a, uint64_t id)
{
	struct cgroup_node *n = attribute_cgroup(a, id);

	if (!n)
		return;
	HASH_DEL(a->cgroups, n);
	free(n->path);
	free(n);
}

void attribute_cgroup_each(struct attribution *a, const struct task *t, attribute_cgroup_fn fn,
			   void *arg)
{
	struct cgroup_node *n, *next;

	HASH_ITER(hh, a->cgroups, n, next)
	{
		if (n->task == t)
			fn(n, arg);
	}
}

/* The task of the nearest claimed cgroup above; NULL: none. One whose task has ended does not count:
 * what is made below it now is nobody's. */
static struct task *nearest(const struct attribution *a, const struct cgroup_node *n)
{
	for (int depth = 0; n && depth < DEPTH_MAX; depth++) {
		n = attribute_cgroup(a, n->parent);
		if (n && n->task)
			return n->task->rec.state == STATE_FINAL ? NULL : n->task;
	}
	return NULL;
}

int attribute_decide(const struct attribution *a, const struct cgroup_node *n,
		     struct template *const *templates, size_t n_templates,
		     enum attribute_claim *claim, struct template_match *match, struct task **task)
{
	*claim = CLAIM_NONE;
	if (n->task) {
		*claim = CLAIM_KNOWN;
		*task = n->task;
		return 0;
	}
	for (size_t i = 0; i < n_templates; i++) {
		int r = template_match(templates[i], n->path, match);

		if (r < 0)
			return r;
		if (r == 0)
			continue;
		*claim = CLAIM_TEMPLATE;
		return 0;
	}
	*task = nearest(a, n);
	if (*task)
		*claim = CLAIM_INHERITED;
	return 0;
}
