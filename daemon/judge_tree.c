/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"

/* One kill of a whole group ends parent and child in any order. */
#define KILL_SLACK_NS (100 * NSEC_PER_MSEC)
#define TREE_DEPTH    64

bool process_failed(const struct process *p)
{
	return p->exited && p->status != 0;
}

const struct process *process_parent(const struct task *t, const struct process *p)
{
	struct process *parent;

	if (p->root || !p->parent.tgid)
		return NULL;
	parent = task_find_process(t, p->parent.tgid, p->parent.start_ns);
	return parent == p ? NULL : parent;
}

bool process_is_under(const struct task *t, const struct process *p, const struct process *top)
{
	for (int depth = 0; p && depth < TREE_DEPTH; depth++) {
		if (p == top)
			return true;
		p = process_parent(t, p);
	}
	return false;
}

static bool task_failed(const struct task *t)
{
	return t->rec.outcome == OUTCOME_FAILED || t->rec.outcome == OUTCOME_KILLED;
}

/* As a shell tells a child's end: 128 + signal. */
static int shell_status(const struct process *p)
{
	return WTERMSIG(p->status) ? 128 + WTERMSIG(p->status) : WEXITSTATUS(p->status);
}

/* It ended well while p still ran. */
static bool left_before(const struct process *up, const struct process *p)
{
	return up && up->exited && up->status == 0 && (!p->exited || up->exit_ns < p->exit_ns);
}

/* Who was to wait for p has left, and `parent` has not taken it over. */
static bool is_orphan(const struct task *t, const struct process *p, const struct process *parent)
{
	return left_before(process_parent(t, p), p) && p->reaper.tgid != parent->key.tgid;
}

/* A helper that a member of its own task ended, and whose end nobody passed on. */
static bool was_put_away(const struct judgement *j, const struct process *p,
			 const struct process *parent)
{
	const struct sf_ev_signal *e;

	if (!p->exited || !WTERMSIG(p->status) || shell_status(p) == shell_status(parent))
		return false;
	e = process_deadly(j->task, p);
	return e && e->sender_instance == j->task->instance && e->sender_tgid != p->key.tgid;
}

/* Who waits for it: its parent, else, where that left without a word, whoever an orphan goes to, or
 * the first above that may have been told in another way. */
static const struct process *waiting_parent(const struct task *t, const struct process *p)
{
	const struct process *up = process_parent(t, p), *reaper;

	if (!left_before(up, p))
		return up;
	reaper = task_find_process(t, p->reaper.tgid, p->reaper.start_ns);
	if (p->reaper.tgid && reaper && reaper != p && !left_before(reaper, p))
		return reaper;
	for (int depth = 0; left_before(up, p) && depth < 16; depth++)
		up = process_parent(t, up);
	return up;
}

/* An orphan that watches p on behalf of one above, and has no status of its own to tell: conmon. */
static bool is_monitor(const struct judgement *j, const struct process *p,
		       const struct process *parent, const struct process *above)
{
	return process_failed(p) && !process_failed(parent) && above->exited &&
	       shell_status(above) == shell_status(p) && process_parent(j->task, parent) != above;
}

/* Over helpers that were put away: a launcher's init tells its payload's status, then is killed. */
static const struct process *telling_parent(const struct judgement *j, const struct process *p)
{
	const struct process *parent = waiting_parent(j->task, p);

	for (int depth = 0; parent && depth < 16; depth++) {
		const struct process *above = waiting_parent(j->task, parent);

		/* … or is about to be: the launcher has told and left already */
		if (!above || !(was_put_away(j, parent, above) || is_monitor(j, p, parent, above) ||
				(!parent->exited && above->exited)))
			break;
		parent = above;
	}
	return parent;
}

/* Within the life of the program that the parent last was: a shell may have executed its last
 * command in its own place. */
static bool ended_before(const struct process *p, const struct process *parent)
{
	if (parent->exec_ns && p->exit_ns <= parent->exec_ns)
		return false;
	return !parent->exited || p->exit_ns <= parent->exit_ns + KILL_SLACK_NS;
}

/* It ended a helper because that took too long, and says so. */
static bool tells_time_out(const struct process *parent)
{
	static const char *const said[] = { "imed out", "imeout", "ETIMEDOUT", "SIGTERM",
					    "SIGKILL",	"killed", "Killed" };
	_cleanup_free_ char *text = NULL;

	if (strcmp(parent->comm, "timeout") == 0)
		return true;
	text = parent->tail.len ? strndup(parent->tail.data, parent->tail.len) : NULL;
	for (size_t i = 0; text && i < ARRAY_SIZE(said); i++)
		if (strstr(text, said[i]))
			return true;
	return false;
}

static struct family *family_of(struct judgement *j, const struct process *parent)
{
	struct family *f;

	HASH_FIND_PTR(j->families, &parent, f);
	if (f)
		return f;
	f = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->parent = parent;
	HASH_ADD_PTR(j->families, parent, f);
	return f;
}

/* What a command is for its parent: FNV-1a of its arguments, mixed with who started it. */
static uint64_t command_key(const struct process *p, const struct process *parent)
{
	uint64_t h = 0xcbf29ce484222325ULL ^ (uintptr_t)parent;

	for (size_t i = 0; i < p->argv.len; i++)
		h = (h ^ (unsigned char)p->argv.data[i]) * 0x100000001b3ULL;
	return h;
}

/* The newest time that each command went well. */
static int reruns_open(struct judgement *j)
{
	for (const struct process *p = j->task->processes; p; p = p->hh.next) {
		const struct process *parent = telling_parent(j, p);
		struct rerun *r;
		uint64_t key;

		if (!parent || !p->exited || p->status || !p->argv.len)
			continue;
		key = command_key(p, parent);
		HASH_FIND(hh, j->reruns, &key, sizeof(key), r);
		if (!r) {
			r = calloc(1, sizeof(*r));
			if (!r)
				return -ENOMEM;
			r->key = key;
			HASH_ADD(hh, j->reruns, key, sizeof(r->key), r);
		}
		if (p->seen_ns > r->success_ns)
			r->success_ns = p->seen_ns;
	}
	return 0;
}

/* The same command went well when it was tried again. */
static bool was_rerun(const struct judgement *j, const struct process *p,
		      const struct process *parent)
{
	uint64_t key = command_key(p, parent);
	struct rerun *r;

	HASH_FIND(hh, j->reruns, &key, sizeof(key), r);
	return p->argv.len && r && r->success_ns >= p->exit_ns;
}

static void family_add(struct judgement *j, struct family *f, const struct process *p)
{
	const struct process *parent = f->parent;

	if (was_put_away(j, p, parent)) {
		f->put_away = p;
		return;
	}
	if (p->status == 0) {
		if (p->seen_ns > f->newest_success)
			f->newest_success = p->seen_ns;
		return;
	}
	if (was_rerun(j, p, parent))
		return;
	if (is_orphan(j->task, p, parent)) {
		if (shell_status(p) == shell_status(parent))
			f->told = p;
		return;
	}
	if (shell_status(p) == shell_status(parent) && (!f->same || p->exit_ns >= f->same->exit_ns))
		f->same = p;
	if (!f->last || p->exit_ns >= f->last->exit_ns)
		f->last = p;
	if ((!f->relayed || p->exit_ns >= f->relayed->exit_ns) && judge_is_relayed(j, f, p))
		f->relayed = p;
}

int families_open(struct judgement *j)
{
	int r = reruns_open(j);

	for (const struct process *p = j->task->processes; p && r == 0; p = p->hh.next) {
		const struct process *parent = p->exited ? telling_parent(j, p) : NULL;
		struct family *f;

		if (!parent || !ended_before(p, parent))
			continue;
		f = family_of(j, parent);
		if (!f)
			return -ENOMEM;
		family_add(j, f, p);
	}
	return r;
}

void families_close(struct judgement *j)
{
	struct rerun *r, *next_r;
	struct family *f, *next;

	HASH_ITER(hh, j->families, f, next)
	{
		HASH_DEL(j->families, f);
		free(f);
	}
	HASH_ITER(hh, j->reruns, r, next_r)
	{
		HASH_DEL(j->reruns, r);
		free(r);
	}
}

/*
 * The child whose failure its parent's own status tells: of those with the same status the last,
 * since a shell passes on what its last command said, and what went before was tolerated. Where
 * none has it, the last that failed: the parent then chose a status of its own (an exception, make's
 * 2), unless it started something else afterwards that went well. One whose words it said again it
 * failed for in any case: test runners go on.
 */
static const struct process *heir_of(const struct judgement *j, const struct process *parent)
{
	struct family *f;

	HASH_FIND_PTR(j->families, &parent, f);
	if (!f)
		return NULL;
	if (f->same || f->told)
		return f->same ?: f->told;
	if (!f->last && f->put_away && tells_time_out(parent))
		return f->put_away;
	if (f->relayed)
		return f->relayed;
	if (f->last && judge_was_kept(j, f->last, parent))
		return NULL;
	/* What a shell runs well after a failure is its clearing up. */
	if (f->last && f->newest_success > f->last->exit_ns && !process_is_shell(parent))
		return NULL;
	return f->last;
}

/* Several children of one parent may have met the same obstacle at the same time. */
static bool inherits(const struct judgement *j, const struct process *p,
		     const struct process *parent)
{
	const struct process *heir = heir_of(j, parent);

	if (heir == p || is_orphan(j->task, p, parent))
		return heir == p;
	return heir && heir->seen_ns < p->exit_ns && p->seen_ns < heir->exit_ns &&
	       shell_status(heir) == shell_status(p);
}

bool process_reaches(const struct judgement *j, const struct process *p)
{
	const struct process *parent;

	if (!process_failed(p))
		return false;
	/* A tree deeper than this is no tree. */
	for (int depth = 0; depth < 256; depth++) {
		parent = telling_parent(j, p);
		if (!parent)
			break;
		if (parent->exited && parent->status == 0)
			return false;
		if (!parent->exited && !j->context->final)
			return false;
		if (parent->exited && !inherits(j, p, parent))
			return false;
		p = parent;
	}
	return task_failed(j->task) || j->task->rec.outcome == OUTCOME_UNKNOWN;
}

const struct process *process_told(const struct judgement *j, const struct process *p)
{
	const struct process *parent = telling_parent(j, p);

	return parent && process_failed(p) && process_failed(parent) && inherits(j, p, parent)
		       ? parent
		       : NULL;
}

const struct process *process_first_failed(const struct judgement *j)
{
	const struct process *cur = task_root(j->task, NULL), *heir;

	if (!cur || !process_failed(cur))
		return NULL;
	for (int depth = 0; depth < 256; depth++) {
		heir = heir_of(j, cur);
		if (!heir)
			break;
		cur = heir;
	}
	return cur;
}

/* A program that catches SIGTERM to clear up raises it again on itself: who sent it first is the
 * one. Of SIGKILL, too, the first killed; later ones found it dying. */
static bool tells_more(const struct sf_ev_signal *e, const struct sf_ev_signal *than)
{
	bool own = e->sender_tgid == e->actor.tgid;

	if (!than)
		return true;
	if (own != (than->sender_tgid == than->actor.tgid))
		return !own;
	return e->sig != SIGKILL;
}

const struct sf_ev_signal *process_deadly(const struct task *t, const struct process *p)
{
	const struct sf_ev_signal *found = NULL;
	/* A shell tells its child's death as 128 + signal; that is an exit, not a death. */
	int sig = p->exited ? WTERMSIG(p->status) : 0;

	for (size_t i = 0; sig && i < t->signals.n; i++) {
		const struct sf_ev_signal *e = &t->signals.v[i];

		if (e->sig == sig && e->actor.tgid == p->key.tgid && e->hdr.ts <= p->exit_ns &&
		    (!e->actor.start_ns || e->actor.start_ns == p->key.start_ns) &&
		    tells_more(e, found))
			found = e;
	}
	return found;
}

bool process_went_on(const struct process *p, uint64_t ns)
{
	return p && p->exec_ns && p->exec_ns > ns;
}

bool process_ran_payload(const struct process *p)
{
	return p && p->execs > 0;
}
