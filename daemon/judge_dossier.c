/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a judgement gathers of one process, once: its successes, the errnos that it met, and what
 * was said. A task may hold thousands of candidates; each asks its own dossier alone.
 */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"
#include "names.h"

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

static int list_add(const struct signature ***list, size_t *n, size_t *cap,
		    const struct signature *s)
{
	void *v = *list;
	int r = util_grow(&v, cap, *n + 1, sizeof(**list));

	*list = v;
	if (r == 0)
		(*list)[(*n)++] = s;
	return r;
}

static int done_add(struct judgement *j, const struct signature *s)
{
	struct done *d;

	if (!s->subject.len || s->subject.data[0] != '/')
		return 0;
	HASH_FIND(hh, j->done, s->subject.data, s->subject.len, d);
	if (!d) {
		d = calloc(1, sizeof(*d));
		if (!d)
			return -ENOMEM;
		HASH_ADD_KEYPTR(hh, j->done, s->subject.data, s->subject.len, d);
	}
	if (s->classes & (SYS_REMOVE | SYS_RENAME)) {
		if (s->last_ns > d->removed_ns) {
			d->removed_ns = s->last_ns;
			d->removed_by = s;
		}
		return 0;
	}
	d->classes |= s->classes;
	if (s->last_ns > d->made_ns) {
		d->made_ns = s->last_ns;
		d->made_by = s;
	}
	return 0;
}

static int dossier_add(struct judgement *j, struct dossier *d, const struct signature *s)
{
	int r;

	if (s->key.entry == SF_SHORT || signature_is_inner(s))
		return 0;
	if (!s->key.err) {
		r = list_add(&d->successes, &d->n_successes, &d->cap, s);
		return r < 0 ? r : done_add(j, s);
	}
	if (!d->process || s->last_ns >= d->process->exec_ns)
		bit_set(d->met, s->key.err);
	if ((s->classes & SYS_EXEC) && s->key.err != ENOENT && s->key.err != ENOTDIR)
		return list_add(&d->execs, &d->n_execs, &d->execs_cap, s);
	return 0;
}

int dossiers_open(struct judgement *j)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		struct dossier *d = dossier_make(j, s);
		int r = d ? dossier_add(j, d, s) : -ENOMEM;

		if (r < 0)
			return r;
	}
	return 0;
}

void dossiers_close(struct judgement *j)
{
	struct done *done, *next_done;
	struct dossier *d, *next;

	HASH_ITER(hh, j->done, done, next_done)
	{
		HASH_DEL(j->done, done);
		free(done);
	}
	HASH_ITER(hh, j->dossiers, d, next)
	{
		HASH_DEL(j->dossiers, d);
		voice_clear(&d->voice);
		free(d->successes);
		free(d->execs);
		free(d);
	}
}

int dossier_meet(struct judgement *j, const struct signature *s)
{
	struct dossier *d = dossier_make(j, s);

	if (!d)
		return -ENOMEM;
	bit_set(d->met, s->key.err);
	return 0;
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
	d->own_fault = voice_own_fault(d->voice.text);
	for (int err = 1; err < DOSSIER_ERRNOS; err++)
		if (bit_get(d->met, err) && voice_names_errno(&d->voice, err))
			bit_set(d->named, err);
	return &d->voice;
}

bool dossier_met(const struct dossier *d, int err)
{
	return bit_get(d->met, err);
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
