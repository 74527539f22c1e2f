/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whose is it: from the instance that the kernel side put into an event to the task, and from a
 * cgroup's path to the task that it belongs to. Tables alone; what has to be told to the kernel is
 * the caller's part.
 */
#ifndef SANDFAULT_ATTRIBUTE_H
#define SANDFAULT_ATTRIBUTE_H

#include "model.h"
#include "template.h"

struct attribution;

/* One key of a task in the kernel. A task has one of its own, and one more for each cgroup that the
 * kernel side numbered before the daemon knew whose it was. */
struct alias {
	uint64_t instance;
	struct task *task;
	struct sf_instance last; /* the kernel's counters as last folded into the task */
	UT_hash_handle hh;
};

struct cgroup_node {
	uint64_t id, parent;
	uint64_t instance; /* as the kernel side last had it */
	struct task *task; /* NULL: nobody has claimed it */
	bool own;	   /* it is the cgroup that the task was opened with, not one below */
	char *path;
	UT_hash_handle hh;
};

int attribute_new(struct attribution **ret);
void attribute_free(struct attribution *a);

/* ---- instances (attribute.c) ---- */

/* -EEXIST: it already is another task's. */
int attribute_alias(struct attribution *a, uint64_t instance, struct task *t);
struct alias *attribute_find(const struct attribution *a, uint64_t instance); /* NULL: unknown */
void attribute_drop(struct attribution *a, uint64_t instance);
typedef void (*attribute_alias_fn)(struct alias *alias, void *arg);
/* Calls fn for each of the task's; fn may drop it. */
void attribute_each(struct attribution *a, const struct task *t, attribute_alias_fn fn, void *arg);
/* What of the kernel's counters is new since the last look; also adds it to the task's. */
struct sf_instance attribute_count(struct alias *alias, const struct sf_instance *now);

/* ---- cgroups (attribute_cgroup.c) ---- */

enum attribute_claim {
	CLAIM_NONE,	 /* nobody's */
	CLAIM_KNOWN,	 /* the instance that it carries is a task's already */
	CLAIM_TEMPLATE,	 /* a template names its task: *match is filled */
	CLAIM_INHERITED, /* the nearest claimed cgroup above is *task's */
};

struct cgroup_node *attribute_cgroup(const struct attribution *a, uint64_t id);
/* Finds or makes; NULL: no memory. */
struct cgroup_node *attribute_cgroup_add(struct attribution *a, uint64_t id, uint64_t parent,
					 const char *path, size_t path_len);
void attribute_cgroup_bind(struct cgroup_node *n, struct task *t, uint64_t instance, bool own);
void attribute_cgroup_remove(struct attribution *a, uint64_t id);
typedef void (*attribute_cgroup_fn)(struct cgroup_node *n, void *arg);
/* Each cgroup of the task; fn may remove it. */
void attribute_cgroup_each(struct attribution *a, const struct task *t, attribute_cgroup_fn fn,
			   void *arg);

/*
 * Whose is this cgroup? Templates speak for whole paths, the nearest claimed cgroup above for the
 * rest. Changes nothing. 0 or -ENOMEM; *match is to be cleared where CLAIM_TEMPLATE.
 */
int attribute_decide(const struct attribution *a, const struct cgroup_node *n,
		     struct template *const *templates, size_t n_templates,
		     enum attribute_claim *claim, struct template_match *match, struct task **task);

#endif
