/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "model.h"

static struct process *process_lookup(const struct task *t, uint32_t tgid, uint64_t start_ns)
{
	struct process_key key = { .start_ns = start_ns, .tgid = tgid };
	struct process *p;

	HASH_FIND(hh, t->processes, &key, sizeof(key), p);
	return p;
}

/* Processes that were found in /proc have no start time of the kernel's own clock: they are filed
 * under 0 until an event tells it. */
struct process *task_find_process(const struct task *t, uint32_t tgid, uint64_t start_ns)
{
	struct process *p = process_lookup(t, tgid, start_ns);

	if (p || !start_ns)
		return p;
	return process_lookup(t, tgid, 0);
}

static void process_free(struct task *t, struct process *p)
{
	HASH_DEL(t->processes, p);
	if (!p->exited && t->alive)
		t->alive--;
	text_free(&p->exe);
	text_free(&p->file);
	text_free(&p->argv);
	text_free(&p->tail);
	text_free(&p->report);
	free(p);
}

/* An event told the start time of a process from /proc: it and its children's links follow. */
static void process_rekey(struct task *t, struct process *p, uint64_t start_ns)
{
	struct process *child, *tmp;

	HASH_DEL(t->processes, p);
	p->key.start_ns = start_ns;
	HASH_ADD(hh, t->processes, key, sizeof(p->key), p);
	HASH_ITER(hh, t->processes, child, tmp)
	{
		if (child->parent.tgid == p->key.tgid && !child->parent.start_ns)
			child->parent.start_ns = start_ns;
	}
}

/* Room for new processes: ended ones that failed in nothing go, a batch at a time, as the hash
 * keeps the order of arrival and the oldest are found first. */
static void processes_forget(struct task *t)
{
	unsigned int want = TASK_MAX_PROCESSES / 16;
	struct process *p, *tmp;

	HASH_ITER(hh, t->processes, p, tmp)
	{
		if (!p->exited || p->status || p->n_last)
			continue;
		process_free(t, p);
		if (!--want)
			return;
	}
}

struct process *task_add_process(struct task *t, uint32_t tgid, uint64_t start_ns)
{
	struct process *p = task_find_process(t, tgid, start_ns);

	if (p && p->key.start_ns == start_ns)
		return p;
	if (p && !p->exited) {
		process_rekey(t, p, start_ns);
		return p;
	}
	if (HASH_COUNT(t->processes) >= TASK_MAX_PROCESSES) {
		processes_forget(t);
		if (HASH_COUNT(t->processes) >= TASK_MAX_PROCESSES)
			return NULL;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return NULL;
	p->key.start_ns = start_ns;
	p->key.tgid = tgid;
	HASH_ADD(hh, t->processes, key, sizeof(p->key), p);
	t->alive++;
	t->populated = true;
	return p;
}

/* How likely it is the task's own: a root that became no other program, where others did, is a
 * launcher's stage, and so is one that runc named so (libcontainer/nsenter/nsexec.c). */
static int root_rank(const struct process *p)
{
	if (!p->execs)
		return 0;
	return strncmp(p->comm, "runc:[", 6) == 0 ? 1 : 2;
}

const struct process *task_root(const struct task *t, size_t *ret_n)
{
	const struct process *first = NULL;
	size_t n = 0;

	for (const struct process *p = t->processes; p; p = p->hh.next) {
		if (!p->root || (first && root_rank(p) < root_rank(first)))
			continue;
		if (first && root_rank(p) > root_rank(first)) {
			first = NULL;
			n = 0;
		}
		if (!first || p->seen_ns < first->seen_ns)
			first = p;
		n++;
	}
	if (ret_n)
		*ret_n = n;
	return first;
}

static bool last_is(const struct last *a, const struct last *b)
{
	return a->hash == b->hash && a->err == b->err && a->nr == b->nr && a->abi == b->abi;
}

void process_fails(struct process *p, const struct sf_key *key, uint64_t count, uint64_t last_ns)
{
	struct last l = { key->hash, last_ns, key->err, key->nr, key->abi, key->entry };
	size_t at = 0;

	p->n_last += count;
	/* It takes the place of its own older entry, else of the oldest. */
	while (at < PROCESS_LAST - 1 && !last_is(&p->last[at], &l))
		at++;
	if (p->last[at].ts > last_ns)
		return;
	for (; at > 0 && p->last[at - 1].ts < last_ns; at--)
		p->last[at] = p->last[at - 1];
	p->last[at] = l;
}

struct signature *task_find_signature(const struct task *t, const struct sf_key *key)
{
	struct signature *s;

	HASH_FIND(hh, t->signatures, key, sizeof(*key), s);
	return s;
}

/*
 * Over the bound a signature gives up its subject, and then its process too: what is left is as
 * many as there are syscalls and errnos. The caller sees it by the key of what it gets.
 */
static struct sf_key signature_bounded(const struct task *t, const struct sf_key *key)
{
	unsigned int n = HASH_COUNT(t->signatures);
	struct sf_key k = *key;

	if (n < TASK_MAX_SIGNATURES)
		return k;
	k.hash = 0;
	k.coarse = 1;
	if (n >= TASK_MAX_SIGNATURES + TASK_MAX_SIGNATURES / 4) {
		k.tgid = 0;
		k.start_ns = 0;
	}
	return k;
}

struct signature *task_add_signature(struct task *t, const struct sf_key *key)
{
	struct signature *s = task_find_signature(t, key);
	struct sf_key k;

	if (s)
		return s;
	k = signature_bounded(t, key);
	if (memcmp(&k, key, sizeof(k)) != 0) {
		s = task_find_signature(t, &k);
		if (s)
			return s;
	}
	s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->key = k;
	HASH_ADD(hh, t->signatures, key, sizeof(s->key), s);
	return s;
}

const struct sf_creds *signature_creds(const struct signature *s)
{
	static const struct sf_creds none;

	return s->creds ? s->creds : &none;
}

const struct sf_limits *signature_limits(const struct signature *s)
{
	static const struct sf_limits none;

	return s->limits ? s->limits : &none;
}

static int copy_of(void **ret, const void *data, size_t size)
{
	void *copy = malloc(size);

	if (!copy)
		return -ENOMEM;
	memcpy(copy, data, size);
	free(*ret);
	*ret = copy;
	return 0;
}

int signature_set_creds(struct signature *s, const struct sf_creds *creds)
{
	void *v = s->creds;
	int r = creds->valid ? copy_of(&v, creds, sizeof(*creds)) : 0;

	s->creds = v;
	return r;
}

int signature_set_limits(struct signature *s, const struct sf_limits *limits)
{
	void *v = s->limits;
	int r = limits->valid ? copy_of(&v, limits, sizeof(*limits)) : 0;

	s->limits = v;
	if (r == 0 && s->limits)
		s->limits->pids_name[sizeof(s->limits->pids_name) - 1] = '\0';
	return r;
}

void signature_clear(struct signature *s)
{
	text_free(&s->subject);
	text_free(&s->raw);
	text_free(&s->inner);
	free(s->explanation);
	free(s->creds);
	free(s->limits);
	s->explanation = NULL;
	s->creds = NULL;
	s->limits = NULL;
}

bool signature_is_inner(const struct signature *s)
{
	return s->key.entry == SF_LOOKUP && !s->classes;
}

/* Who looks at a process by way of /proc is told EACCES for whatever refused the access
 * (proc_pid_permission(), mm_access()). */
bool signature_hook_refused(const struct signature *s)
{
	bool access = s->hook == SF_HOOK_PTRACE_ACCESS_CHECK;

	if (!s->hook || s->key.err <= 0)
		return false;
	return s->hook_err == s->key.err || (access && s->key.err == EACCES);
}

void task_drop_signature(struct task *t, struct signature *s)
{
	HASH_DEL(t->signatures, s);
	signature_clear(s);
	free(s);
}

struct task *task_new(uint64_t instance)
{
	struct task *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->instance = instance;
	t->rec.id = (int64_t)instance;
	t->rec.exit_code = -1;
	return t;
}

void task_free(struct task *t)
{
	struct signature *s, *next_s;
	struct process *p, *next_p;

	if (!t)
		return;
	HASH_ITER(hh, t->processes, p, next_p)
	{
		process_free(t, p);
	}
	HASH_ITER(hh, t->signatures, s, next_s)
	{
		task_drop_signature(t, s);
	}
	free(t->signals.v);
	free(t->ooms.v);
	free(t->threads.v);
	free(t->nets.v);
	free(t->states.v);
	free(t->cpus.v);
	for (size_t i = 0; i < t->calls.n; i++) {
		call_clear(t->calls.v[i]);
		free(t->calls.v[i]);
	}
	free(t->calls.v);
	for (size_t i = 0; i < t->incidents.n; i++)
		incident_clear(&t->incidents.v[i]);
	free(t->incidents.v);
	task_record_clear(&t->rec);
	free(t);
}
