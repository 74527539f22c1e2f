/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "attribute_tables.h"

int attribute_new(struct attribution **ret)
{
	struct attribution *a = calloc(1, sizeof(*a));

	if (!a)
		return -ENOMEM;
	*ret = a;
	return 0;
}

void attribute_free(struct attribution *a)
{
	struct cgroup_node *n, *next_n;
	struct alias *alias, *next;

	if (!a)
		return;
	HASH_ITER(hh, a->aliases, alias, next)
	{
		HASH_DEL(a->aliases, alias);
		free(alias);
	}
	HASH_ITER(hh, a->cgroups, n, next_n)
	{
		attribute_cgroup_remove(a, n->id);
	}
	free(a);
}

struct alias *attribute_find(const struct attribution *a, uint64_t instance)
{
	struct alias *alias;

	HASH_FIND(hh, a->aliases, &instance, sizeof(instance), alias);
	return alias;
}

int attribute_alias(struct attribution *a, uint64_t instance, struct task *t)
{
	struct alias *alias = attribute_find(a, instance);

	if (alias)
		return alias->task == t ? 0 : -EEXIST;
	alias = calloc(1, sizeof(*alias));
	if (!alias)
		return -ENOMEM;
	alias->instance = instance;
	alias->task = t;
	HASH_ADD(hh, a->aliases, instance, sizeof(alias->instance), alias);
	return 0;
}

void attribute_drop(struct attribution *a, uint64_t instance)
{
	struct alias *alias = attribute_find(a, instance);

	if (!alias)
		return;
	HASH_DEL(a->aliases, alias);
	free(alias);
}

void attribute_each(struct attribution *a, const struct task *t, attribute_alias_fn fn, void *arg)
{
	struct alias *alias, *next;

	HASH_ITER(hh, a->aliases, alias, next)
	{
		if (alias->task == t)
			fn(alias, arg);
	}
}

struct sf_instance attribute_count(struct alias *alias, const struct sf_instance *now)
{
	const struct sf_instance *last = &alias->last;
	struct task *t = alias->task;
	struct sf_instance delta = {
		.benign = now->benign - last->benign,
		.coarse = now->coarse - last->coarse,
		.lost = now->lost - last->lost,
		.bells_lost = now->bells_lost - last->bells_lost,
		.rare_lost = now->rare_lost - last->rare_lost,
	};

	t->failed += delta.benign + delta.lost; /* the others are in the signature maps */
	t->benign += delta.benign;
	t->coarse += delta.coarse;
	t->lost += delta.lost + delta.rare_lost;
	alias->last = *now;
	return delta;
}
