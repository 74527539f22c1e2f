/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a judgement gathers of one process, once: its successes, the errnos that it met, and what
 * was said. A task may hold thousands of candidates; each asks its own dossier alone.
 */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"

static bool bit_get(const uint64_t *bits, int i)
{
	return i >= 0 && i < DOSSIER_ERRNOS && (bits[i / 64] >> (i % 64) & 1);
}

static void bit_set(uint64_t *bits, int i)
{
	if (i >= 0 && i < DOSSIER_ERRNOS)
		bits[i / 64] |= 1ULL << (i % 64);
}

static struct dossier *dossier_make(struct judgement *j, const struct signature *s)
{
	struct process_key key = { .start_ns = s->key.start_ns, .tgid = s->key.tgid };
	struct dossier *d;

	HASH_FIND(hh, j->dossiers, &key, sizeof(key), d);
	if (d)
		return d;
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->key = key;
	d->process = task_find_process(j->task, key.tgid, key.start_ns);
	d->best = -1;
	d->root = -1;
	HASH_ADD(hh, j->dossiers, key, sizeof(d->key), d);
	return d;
}

int dossiers_open(struct judgement *j)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		struct dossier *d = dossier_make(j, s);
		void *v;
		int r;

		if (!d)
			return -ENOMEM;
		if (s->key.err) {
			if (!d->process || s->last_ns >= d->process->exec_ns)
				bit_set(d->met, s->key.err);
			continue;
		}
		v = d->successes;
		r = util_grow(&v, &d->cap, d->n_successes + 1, sizeof(*d->successes));
		d->successes = v;
		if (r < 0)
			return r;
		d->successes[d->n_successes++] = s;
	}
	return 0;
}

void dossiers_close(struct judgement *j)
{
	struct dossier *d, *next;

	HASH_ITER(hh, j->dossiers, d, next)
	{
		HASH_DEL(j->dossiers, d);
		voice_clear(&d->voice);
		free(d->successes);
		free(d);
	}
}

struct dossier *dossier_find(const struct judgement *j, const struct process *p)
{
	struct dossier *d;

	if (!p)
		return NULL;
	HASH_FIND(hh, j->dossiers, &p->key, sizeof(p->key), d);
	return d;
}

const struct voice *dossier_voice(const struct judgement *j, struct dossier *d)
{
	if (d->heard || !d->process)
		return &d->voice;
	d->heard = true;
	if (voice_listen(j, d->process, &d->voice) < 0)
		return &d->voice;
	d->own_fault = voice_own_fault(&d->voice);
	for (int err = 1; err < DOSSIER_ERRNOS; err++)
		if (bit_get(d->met, err) && voice_names_errno(&d->voice, err))
			bit_set(d->named, err);
	return &d->voice;
}

bool dossier_names(const struct dossier *d, int err)
{
	return bit_get(d->named, err);
}

bool dossier_names_other(const struct dossier *d, int err)
{
	for (int other = 1; other < DOSSIER_ERRNOS; other++)
		if (other != err && bit_get(d->named, other))
			return true;
	return false;
}
