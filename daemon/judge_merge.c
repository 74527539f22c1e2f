/* SPDX-License-Identifier: GPL-2.0-only */
/* Candidates of one kind and subject are one failure, whoever met it and how often. */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"
#include "names.h"

struct kept {
	uint64_t key;
	size_t at; /* index into the judgement */
	UT_hash_handle hh;
};

/* Limits are one failure however many calls run into them: the first is told. */
bool judge_is_limit(enum cause cause)
{
	const char *p = taxonomy_get(cause)->primitive;

	return strcmp(p, "pids") == 0 || strcmp(p, "fds") == 0 ||
	       cause == CAUSE_MEMORY_ADDRESS_SPACE || cause == CAUSE_MEMORY_OVERCOMMIT;
}

int candidate_graver(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;

	if (a->disposition != b->disposition)
		return (int)b->disposition - (int)a->disposition;
	if ((taxonomy_get(a->c.cause)->level == LEVEL_WORKLOAD) !=
	    (taxonomy_get(b->c.cause)->level == LEVEL_WORKLOAD))
		return taxonomy_get(a->c.cause)->level == LEVEL_WORKLOAD ? 1 : -1;
	if (a->reaches != b->reaches)
		return a->reaches ? -1 : 1;
	if (a->score / 20 != b->score / 20)
		return b->score / 20 - a->score / 20;
	if (a->confidence != b->confidence)
		return (int)b->confidence - (int)a->confidence;
	return a->first_ns < b->first_ns ? -1 : a->first_ns > b->first_ns;
}

/* One program was looked for in one place after another, and each refused: FNV-1a of who looked for
 * what, and what stood in the way. */
static uint64_t sweep_key(const struct candidate *c)
{
	const struct text *path = &c->sig->subject;
	const char *slash = memrchr(path->data, '/', path->len);
	uint64_t h = 0xcbf29ce484222325ULL ^ (uintptr_t)c->process ^ (uint64_t)c->c.cause;

	for (const char *p = slash; p < path->data + path->len; p++)
		h = (h ^ (unsigned char)*p) * 0x100000001b3ULL;
	return h;
}

static bool is_sweep(const struct candidate *c)
{
	return c->disposition > DISP_NOISE && c->sig && c->process &&
	       (c->err == EACCES || c->err == EPERM) && (c->sig->classes & SYS_EXEC) &&
	       c->sig->subject.len && memchr(c->sig->subject.data, '/', c->sig->subject.len);
}

/* A record is known by its fingerprint: what shares one is one failure in any case. */
static uint64_t merge_key(const struct candidate *c)
{
	return judge_is_limit(c->c.cause) ? (uint64_t)c->c.cause : candidate_fingerprint(c);
}

static void absorb(struct candidate *into, struct candidate *c)
{
	into->count += c->count;
	if (c->last_ns > into->last_ns)
		into->last_ns = c->last_ns;
	if (c->first_ns < into->first_ns) {
		into->first_ns = c->first_ns;
		if (judge_is_limit(into->c.cause) && c->disposition == into->disposition &&
		    c->process == into->process) {
			struct text t = into->c.subject;

			into->c.subject = c->c.subject;
			c->c.subject = t;
		}
	}
	c->disposition = DISP_NOISE;
}

static int keep(struct kept **all, uint64_t key, size_t at)
{
	struct kept *k = calloc(1, sizeof(*k));

	if (!k)
		return -ENOMEM;
	k->key = key;
	k->at = at;
	HASH_ADD(hh, *all, key, sizeof(k->key), k);
	return 0;
}

/* Gravest first: the first of a kind is the one that is told. */
static int merge_by(struct judgement *j, uint64_t (*key_of)(const struct candidate *c),
		    bool (*applies)(const struct candidate *c))
{
	struct kept *all = NULL, *k, *next;
	int r = 0;

	for (size_t i = 0; i < j->n && r == 0; i++) {
		uint64_t key;

		if (applies && !applies(&j->v[i]))
			continue;
		key = key_of(&j->v[i]);
		HASH_FIND(hh, all, &key, sizeof(key), k);
		if (k)
			absorb(&j->v[k->at], &j->v[i]);
		else
			r = keep(&all, key, i);
	}
	HASH_ITER(hh, all, k, next)
	{
		HASH_DEL(all, k);
		free(k);
	}
	return r;
}

int judge_merge(struct judgement *j)
{
	int r;

	if (!j->n)
		return 0;
	qsort(j->v, j->n, sizeof(*j->v), candidate_graver);
	r = merge_by(j, merge_key, NULL);
	if (r == 0)
		r = merge_by(j, sweep_key, is_sweep);
	qsort(j->v, j->n, sizeof(*j->v), candidate_graver);
	return r;
}
