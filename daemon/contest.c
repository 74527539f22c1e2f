/* SPDX-License-Identifier: GPL-2.0-only */
#include <limits.h>
#include <string.h>

#include "contest.h"
#include "names.h"
#include "payload_words.h"
#include "traversal.h"

#define AFTER_NS (100 * NSEC_PER_MSEC) /* when a call's file is looked at, at the latest */
#define DEPTH	 32		       /* of processes below the server */

/* Only what a shorter or another content may come of: an encoding's damage is nobody's edit. */
static bool may_be_edit(const struct call_fault *f)
{
	return (f->cause == CAUSE_PAYLOAD_TRUNCATED || f->cause == CAUSE_PAYLOAD_CORRUPTED) &&
	       (f->leg == LEG_WRITE || f->leg == LEG_READ || f->leg == LEG_ROUND);
}

static bool same_text(const struct text *a, const struct text *b)
{
	return a->len && a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static bool writes(const struct call *c)
{
	struct verbs v = { 0 };

	if (c->tool)
		words_verbs(c->tool, &v);
	return v.write && !v.other;
}

/* When the write began whose content is compared: this call, or the last of its session on the same
 * file before it. */
static uint64_t since(const struct task *t, const struct call *c, const struct call_fault *f)
{
	uint64_t best = 0;

	for (size_t i = 0; i < t->calls.n && f->leg != LEG_WRITE; i++) {
		const struct call *o = t->calls.v[i];

		if (o->session == c->session && writes(o) && o->started_ns > best &&
		    o->started_ns < c->started_ns && same_text(&o->subject, &f->subject))
			best = o->started_ns;
	}
	return best ? best : c->started_ns;
}

static bool is_servers(const struct task *t, const struct call_peer *server,
		       const struct process_key *key)
{
	struct process_key k = *key;

	for (int i = 0; i < DEPTH && k.tgid; i++) {
		const struct process *p;

		if (k.tgid == server->tgid)
			return true;
		p = task_find_process(t, k.tgid, k.start_ns);
		if (!p)
			return false;
		k = p->parent;
	}
	return false;
}

/* The path as a call has it, at the end of the kernel's own. */
static bool names_it(const struct signature *s, const char *path)
{
	size_t n = strlen(path);

	return s->subject.len >= n && text_has_suffix(&s->subject, path) &&
	       (path[0] == '/' || s->subject.len == n ||
		s->subject.data[s->subject.len - n - 1] == '/');
}

bool contest_written(const struct task *t, const struct call *c, const struct call_fault *f)
{
	char path[PATH_MAX], *name = path;
	uint64_t from;

	if (!may_be_edit(f) || !f->subject.len || f->subject.len >= sizeof(path))
		return false;
	traversal_normalize(f->subject.data, path);
	while (strncmp(name, "../", 3) == 0)
		name += 3;
	from = since(t, c, f);
	for (struct signature *s = t->signatures; s; s = s->hh.next) {
		const struct process_key key = { .tgid = s->key.tgid, .start_ns = s->key.start_ns };

		if (s->key.err || !(s->classes & SYS_OPEN) || s->last_ns < from ||
		    s->first_ns > c->ended_ns + AFTER_NS)
			continue;
		if (names_it(s, name) && !is_servers(t, &c->server, &key))
			return true;
	}
	return false;
}
