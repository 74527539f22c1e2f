/* SPDX-License-Identifier: GPL-2.0-only */
/* Fallbacks: what made a refused call good. */
#include <errno.h>
#include <string.h>

#include "judge_internal.h"
#include "names.h"

/* A later success of one of `by` in the same process cancels a failing `failed`. */
static const struct {
	const char *failed;
	int err; /* 0: any */
	bool any_time;
	const char *by[5];
} fallbacks[] = {
	/* glibc 2.34: clone3 ENOSYS -> clone (sysdeps/unix/sysv/linux/clone-internal.c) */
	{ "clone3", 0, false, { "clone", "vfork", "fork" } },
	{ "vfork", 0, false, { "vfork", "clone", "fork", "clone3" } },
	{ "clone", 0, false, { "clone", "clone3", "fork" } },
	{ "fork", 0, false, { "fork", "clone" } },
	/* libuv and liburing users keep an epoll loop that they made before or after */
	{ "io_uring_setup", 0, true, { "epoll_create1", "epoll_create" } },
	{ "bind", EADDRINUSE, false, { "bind" } },
};

static const char *const launchers[] = { "bwrap",   "runc",	"crun",		  "podman",
					 "conmon",  "firejail", "nsjail",	  "unshare",
					 "setpriv", "srt",	"systemd-nspawn", "lxc-execute" };

bool judge_is_shell(const char *comm)
{
	static const char *const shells[] = {
		"sh", "bash", "dash", "zsh", "ksh", "busybox", "fish"
	};

	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strncmp(comm, shells[i], SF_COMM) == 0)
			return true;
	return false;
}

/* "runc:[2:INIT]" is runc. */
bool judge_is_launcher(const char *comm)
{
	for (size_t i = 0; i < ARRAY_SIZE(launchers); i++) {
		size_t n = strlen(launchers[i]);

		if (strncmp(comm, launchers[i], n) == 0 && (!comm[n] || comm[n] == ':'))
			return true;
	}
	return false;
}

/* By its program, by its name, and by the name that it had then: stages of a launcher rename
 * themselves ("(sd-ns)"). */
static bool by_launcher(const struct candidate *c)
{
	const struct text *exe = &c->process->exe;
	const char *slash = exe->len ? memrchr(exe->data, '/', exe->len) : NULL;

	return judge_is_launcher(c->process->comm) || judge_is_launcher(c->sig->comm) ||
	       (slash && judge_is_launcher(slash + 1));
}

/* A descendant of p has run something else than the launcher. */
static bool has_payload(const struct task *t, const struct process *p)
{
	for (const struct process *q = t->processes; q; q = q->hh.next) {
		const struct process *up = q;

		if (!q->execs || q == p || judge_is_launcher(q->comm))
			continue;
		for (int depth = 0; up && depth < 8; depth++) {
			up = process_parent(t, up);
			if (up == p)
				return true;
		}
	}
	return false;
}

static bool by_fallback(const struct dossier *d, const struct signature *s, const char **by)
{
	for (size_t i = 0; i < ARRAY_SIZE(fallbacks); i++) {
		if (strcmp(fallbacks[i].failed, s->syscall) != 0 ||
		    (fallbacks[i].err && fallbacks[i].err != s->key.err))
			continue;
		for (size_t n = 0; n < d->n_successes; n++) {
			const struct signature *o = d->successes[n];

			if (!fallbacks[i].any_time && o->last_ns < s->last_ns)
				continue;
			/* another program did it, before this one took its place */
			if (d->process && o->last_ns < d->process->exec_ns)
				continue;
			for (size_t k = 0; k < ARRAY_SIZE(fallbacks[i].by) && fallbacks[i].by[k];
			     k++)
				if (strcmp(o->syscall, fallbacks[i].by[k]) == 0) {
					*by = fallbacks[i].by[k];
					return true;
				}
		}
	}
	return false;
}

static const char *after_last(const struct text *t, char c)
{
	const char *p = t->len ? memrchr(t->data, c, t->len) : NULL;

	return p && p[1] ? p : NULL;
}

/* The very same call went well afterwards: what stood in its way was removed meanwhile. Not of a
 * fork: a child that was made earlier comes back from it when it first runs. */
static bool by_same_call(const struct dossier *d, const struct signature *s)
{
	if (s->classes & SYS_FORK)
		return false;
	for (size_t n = 0; s->subject.len && n < d->n_successes; n++) {
		const struct signature *o = d->successes[n];

		if (o->last_ns > s->last_ns && o->key.nr == s->key.nr && o->key.abi == s->key.abi &&
		    strcmp(o->syscall, s->syscall) == 0 && o->subject.len == s->subject.len &&
		    memcmp(o->subject.data, s->subject.data, s->subject.len) == 0)
			return true;
	}
	return false;
}

/* Another address of the same port answered (happy eyeballs, a second resolver). */
static bool by_other_address(const struct dossier *d, const struct signature *s)
{
	const char *port = after_last(&s->subject, ':');

	if (!(s->classes & (SYS_CONNECT | SYS_SEND)) || !port)
		return false;
	for (size_t n = 0; n < d->n_successes; n++) {
		const struct signature *o = d->successes[n];
		const char *other = after_last(&o->subject, ':');

		if ((o->classes & SYS_CONNECT) && o->last_ns > s->first_ns && other &&
		    strcmp(other, port) == 0 && strcmp(o->subject.data, s->subject.data) != 0)
			return true;
	}
	return false;
}

/* A file of the same name was made elsewhere afterwards, or this very one in another way. */
static bool by_other_place(const struct dossier *d, const struct signature *s)
{
	const char *name = after_last(&s->subject, '/');

	if (!(s->classes & (SYS_OPEN | SYS_MAKE)) || !name)
		return false;
	for (size_t n = 0; n < d->n_successes; n++) {
		const struct signature *o = d->successes[n];
		const char *other = after_last(&o->subject, '/');

		if ((o->classes & (SYS_OPEN | SYS_MAKE)) && o->last_ns > s->last_ns && other &&
		    strcmp(other, name) == 0)
			return true;
	}
	return false;
}

/* The half-written file was removed again: its writer knows. */
static bool by_clean_up(const struct dossier *d, const struct signature *s)
{
	if (!(s->classes & SYS_WRITE) || !s->subject.len)
		return false;
	for (size_t n = 0; n < d->n_successes; n++) {
		const struct signature *o = d->successes[n];

		if ((o->classes & SYS_REMOVE) && o->last_ns > s->last_ns &&
		    o->subject.len == s->subject.len &&
		    memcmp(o->subject.data, s->subject.data, s->subject.len) == 0)
			return true;
	}
	return false;
}

/* A name without the number at its end. */
static size_t stem_len(const struct text *t)
{
	size_t n = t->len;

	while (n && t->data[n - 1] >= '0' && t->data[n - 1] <= '9')
		n--;
	return n;
}

/* A log that reached its limit: the process went on in the next of its files, "log.1" after "log.0"
 * or "log". */
static bool by_rotation(const struct dossier *d, const struct candidate *c)
{
	const struct text *t = &c->sig->subject;
	size_t n = stem_len(t);

	if (c->c.cause != CAUSE_QUOTA_FILE_SIZE || !t->len)
		return false;
	for (size_t i = 0; i < d->n_successes; i++) {
		const struct signature *o = d->successes[i];
		size_t m = stem_len(&o->subject);

		if (!(o->classes & (SYS_OPEN | SYS_RENAME)) || o->first_ns < c->first_ns ||
		    m == o->subject.len || m < n || memcmp(o->subject.data, t->data, n) != 0)
			continue;
		if (m == n || (m == n + 1 && n == t->len))
			return true;
	}
	return false;
}

/* What is no text can't be run by a shell either; the process that ended badly says so. */
static bool is_hopeless(const struct candidate *c)
{
	return c->c.cause == CAUSE_BINARY_ARCHITECTURE && c->process && process_failed(c->process);
}

/* The same sweep met something else under that name: that is the answer. */
static bool by_other_errno(const struct dossier *d, const struct candidate *c)
{
	if (c->c.cause != CAUSE_BINARY_NOT_FOUND)
		return false;
	for (size_t n = 0; n < d->n_execs; n++) {
		const struct text *o = &d->execs[n]->raw;

		if (o->len > c->c.subject.len && o->data[o->len - c->c.subject.len - 1] == '/' &&
		    memcmp(o->data + o->len - c->c.subject.len, c->c.subject.data,
			   c->c.subject.len) == 0)
			return true;
		if (o->len == c->c.subject.len && memcmp(o->data, c->c.subject.data, o->len) == 0)
			return true;
	}
	return false;
}

/* The same process, or another one that the same parent started for the same user. */
static bool same_hand(const struct judgement *j, const struct signature *a,
		      const struct signature *b)
{
	const struct process *p = task_find_process(j->task, a->key.tgid, a->key.start_ns),
			     *q = task_find_process(j->task, b->key.tgid, b->key.start_ns);

	return p && q &&
	       (p == q || (p->uid == q->uid && p->parent.tgid == q->parent.tgid &&
			   p->parent.start_ns == q->parent.start_ns));
}

/* The same program did the same to the same path afterwards: a retry. Another one that clears up
 * behind it is none. */
static bool by_retry(const struct judgement *j, const struct candidate *c)
{
	const struct signature *s = c->sig, *o;
	struct done *done;

	if (!s->subject.len || s->subject.data[0] != '/')
		return false;
	HASH_FIND(hh, j->done, s->subject.data, s->subject.len, done);
	if (!done)
		return false;
	o = s->classes & (SYS_REMOVE | SYS_RENAME) ? done->removed_by : done->made_by;
	return o && o->last_ns > s->last_ns && o->classes & s->classes &&
	       strncmp(o->comm, s->comm, SF_COMM) == 0 && same_hand(j, o, s);
}

/* A shell runs a text without #! itself after ENOEXEC (POSIX, Command Search and Execution). */
static bool by_shell(const struct candidate *c)
{
	static const char *const shells[] = {
		"sh", "bash", "dash", "zsh", "ksh", "busybox", "fish"
	};

	if (c->err != ENOEXEC)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(shells); i++)
		if (strncmp(c->sig->comm, shells[i], SF_COMM) == 0)
			return true;
	return false;
}

bool judge_cancelled(const struct judgement *j, const struct candidate *c, char *how, size_t size)
{
	static const struct dossier nothing;
	const struct dossier *d = dossier_find(j, c->process);
	const char *by = NULL;

	if (!c->sig)
		return false;
	if (!d)
		d = &nothing;
	if (is_hopeless(c))
		return false;
	if (process_went_on(c->process, c->last_ns))
		snprintf(how, size, "the process went on and executed a program");
	else if (by_other_errno(d, c))
		snprintf(how, size, "another place answered otherwise");
	else if (by_retry(j, c) || by_same_call(d, c->sig))
		snprintf(how, size, "it was done afterwards");
	else if (c->process && by_launcher(c) && has_payload(j->task, c->process))
		snprintf(how, size, "set-up of the sandbox launcher, whose payload ran");
	else if (by_fallback(d, c->sig, &by) && !(c->err == EADDRINUSE && c->voiced))
		snprintf(how, size, "%s did it in its place", by);
	else if (by_other_address(d, c->sig))
		snprintf(how, size, "another address answered");
	else if (by_other_place(d, c->sig))
		snprintf(how, size, "a file of that name was made all the same");
	else if (by_clean_up(d, c->sig) && c->process && c->process->exited && !c->process->status)
		snprintf(how, size, "the file was removed again by its writer");
	else if (by_rotation(d, c) && c->process && c->process->exited && !c->process->status)
		snprintf(how, size, "its writer went on in another file");
	else if (by_shell(c))
		snprintf(how, size, "the shell runs the text itself");
	else
		return false;
	return true;
}
