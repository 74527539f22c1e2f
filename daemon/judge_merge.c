/* SPDX-License-Identifier: GPL-2.0-only */
/* Candidates of one kind and subject are one failure, whoever met it and how often. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

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

/* To tell of an error a program opens files (sources, catalogues of messages), and perror() of the C
 * library makes a dup of fd 2 (stdio-common/perror.c of glibc). */
static bool may_report(const struct candidate *c)
{
	if (!c->sig)
		return false;
	return c->sig->classes & SYS_OPEN ||
	       (strcmp(c->syscall, "dup") == 0 && (uint32_t)c->sig->args[0] == STDERR_FILENO);
}

/* How much speaks for this call, of all that met the limit, being what its process ended for. */
static int limit_rank(const struct judgement *j, const struct candidate *c)
{
	struct dossier *d = dossier_find(j, c->process);
	const struct voice *v = d ? dossier_voice(j, d) : NULL;
	bool opens = c->sig && (c->sig->classes & SYS_OPEN);

	if (strcmp(taxonomy_get(c->c.cause)->primitive, "fds") != 0)
		return 0;
	if (v && (opens ? voice_names_subject(v, c) : voice_names_call(v, c)))
		return 2;
	return !may_report(c);
}

/* Of those that only one thing speaks for: what ended a process is the last that is no report of it;
 * of reports the first, which may be none. */
static bool tells_limit(const struct judgement *j, const struct candidate *c,
			const struct candidate *than)
{
	int rank = limit_rank(j, c), other = limit_rank(j, than);

	if (!judge_is_limit(c->c.cause) || c->disposition != than->disposition ||
	    c->process != than->process)
		return false;
	if (rank != other)
		return rank > other;
	return rank ? c->last_ns > than->last_ns : c->first_ns < than->first_ns;
}

/* `into` stays where it is in the order, and as grave. */
static void swap(struct candidate *into, struct candidate *c)
{
	struct candidate t = *into;

	*into = *c;
	*c = t;
	into->score = t.score;
	into->confidence = t.confidence;
	into->reaches = t.reaches;
}

static void absorb(const struct judgement *j, struct candidate *into, struct candidate *c)
{
	if (tells_limit(j, c, into))
		swap(into, c);
	into->count += c->count;
	if (c->last_ns > into->last_ns)
		into->last_ns = c->last_ns;
	if (c->first_ns < into->first_ns)
		into->first_ns = c->first_ns;
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
			absorb(j, &j->v[k->at], &j->v[i]);
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
