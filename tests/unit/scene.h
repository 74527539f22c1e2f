/* SPDX-License-Identifier: GPL-2.0-only */
/* A whole task as evidence, built step by step, and the verdict that it must get. */
#ifndef SANDFAULT_TEST_SCENE_H
#define SANDFAULT_TEST_SCENE_H

#include "evidence.h"

#include <errno.h>
#include <signal.h>

#include "judge.h"

#define MS	     1000000ULL
#define EXITED(code) ((code) << 8)

struct scene {
	struct task *t;
	struct task_record out;
	uint64_t hash;
};

static inline int scene_new(void **state)
{
	struct scene *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	s->t = task_new(7);
	assert_non_null(s->t);
	*state = s;
	return 0;
}

static inline int scene_free(void **state)
{
	struct scene *s = *state;

	task_record_clear(&s->out);
	task_free(s->t);
	free(s);
	return 0;
}

/* A process that began at `from` ms; parent 0: the root. */
static inline struct process *process(struct scene *s, uint32_t pid, uint32_t parent,
				      const char *comm, uint64_t from)
{
	struct process *p = task_add_process(s->t, pid, pid);

	assert_non_null(p);
	snprintf(p->comm, sizeof(p->comm), "%s", comm);
	p->parent.tgid = parent;
	p->parent.start_ns = parent;
	p->root = parent == 0;
	p->seen_ns = from * MS;
	p->exec_ns = from * MS;
	p->execs = 1;
	return p;
}

static inline void ends(struct scene *s, struct process *p, uint64_t at, int status,
			const char *said)
{
	p->exited = true;
	p->exit_ns = at * MS;
	p->status = status;
	if (said)
		assert_int_equal(text_set(&p->tail, said, strlen(said)), 0);
	if (p->root)
		s->t->rec.outcome = !status	      ? OUTCOME_OK
				    : (status & 0x7f) ? OUTCOME_KILLED
						      : OUTCOME_FAILED;
}

static inline struct signature *fails(struct scene *s, const struct process *p, uint64_t at,
				      const struct syscall *c)
{
	struct sf_key key = { .instance = 7,
			      .tgid = p->key.tgid,
			      .start_ns = p->key.start_ns,
			      .hash = ++s->hash,
			      .err = (int16_t)c->err,
			      .entry = (uint8_t)c->entry };
	struct signature *sig = task_add_signature(s->t, &key);

	assert_non_null(sig);
	evidence_call(sig, c);
	sig->key = key;
	snprintf(sig->comm, sizeof(sig->comm), "%s", p->comm);
	sig->count = 1;
	sig->first_ns = at * MS;
	sig->last_ns = at * MS;
	s->t->failed += c->err != 0;
	return sig;
}

static inline const struct failure_record *judge(struct scene *s)
{
	struct judge_context c = { .final = true, .now_ns = 100000 * MS };

	task_record_clear(&s->out);
	assert_int_equal(judge_task(s->t, &c, &s->out), 0);
	for (size_t i = 0; i < s->out.n_failures; i++)
		if (s->out.failures[i].fingerprint == s->out.verdict_fingerprint)
			return &s->out.failures[i];
	return NULL;
}

static inline void expect(struct scene *s, enum cause cause, const char *subject)
{
	const struct failure_record *f = judge(s);

	if (!f)
		fail_msg("no verdict, expected %s/%s", taxonomy_get(cause)->primitive,
			 taxonomy_get(cause)->cause);
	if (f->cause != cause)
		fail_msg("verdict %s/%s (%s), expected %s/%s", taxonomy_get(f->cause)->primitive,
			 taxonomy_get(f->cause)->cause, f->subject.data,
			 taxonomy_get(cause)->primitive, taxonomy_get(cause)->cause);
	assert_string_equal(f->subject.data, subject);
}

static inline void expect_none(struct scene *s)
{
	const struct failure_record *f = judge(s);

	if (f)
		fail_msg("verdict %s/%s (%s), expected none", taxonomy_get(f->cause)->primitive,
			 taxonomy_get(f->cause)->cause, f->subject.data);
}

static inline void oom(struct scene *s, const struct process *victim, uint64_t at)
{
	struct sf_ev_oom e = { .hdr.ts = at * MS,
			       .limit = 64 << 20,
			       .usage = 64 << 20,
			       .owner = 9,
			       .nnames = 2,
			       .actor = { .tgid = victim->key.tgid,
					  .start_ns = victim->key.start_ns } };
	void *v = s->t->ooms.v;

	snprintf(e.names[0], SF_CG_NAME, "box");
	snprintf(e.names[1], SF_CG_NAME, "pods");
	assert_int_equal(util_grow(&v, &s->t->ooms.cap, s->t->ooms.n + 1, sizeof(e)), 0);
	s->t->ooms.v = v;
	s->t->ooms.v[s->t->ooms.n++] = e;
}

static inline void signal_from(struct scene *s, const struct process *to, int sig, int code,
			       const char *sender, uint32_t sender_pid, uint64_t at, uint8_t forced)
{
	struct sf_ev_signal e = { .hdr.ts = at * MS,
				  .sig = sig,
				  .code = code,
				  .nr = -1,
				  .sender_tgid = sender_pid,
				  .sender_kernel = code > 0,
				  .forced = forced,
				  .actor = { .tgid = to->key.tgid, .start_ns = to->key.start_ns } };
	void *v = s->t->signals.v;

	if (task_find_process(s->t, sender_pid, sender_pid))
		e.sender_instance = s->t->instance;
	if (sig == SIGSYS)
		e.nr = names_syscall_nr("io_uring_setup");
	snprintf(e.sender_comm, sizeof(e.sender_comm), "%s", sender);
	assert_int_equal(util_grow(&v, &s->t->signals.cap, s->t->signals.n + 1, sizeof(e)), 0);
	s->t->signals.v = v;
	s->t->signals.v[s->t->signals.n++] = e;
}

#define T(f) cmocka_unit_test_setup_teardown(f, scene_new, scene_free)

#endif
