/* SPDX-License-Identifier: GPL-2.0-only */
/* What a rule can't see of one call alone: its process, and what else the task did. */
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"
#include "rules_when.h"

/* A missing working directory is the tool layer's only before the payload runs: later it is a
 * program's own `cd`, and that program says what it makes of it. */
static void refine_chdir(struct candidate *c)
{
	const struct process *p = c->process;

	if (c->c.cause != CAUSE_PATH_MISSING_CWD || !process_ran_payload(p))
		return;
	/* env -C, git -C: as handed in as the working directory of a launcher */
	if (judge_is_launcher(p->comm) || strcmp(p->comm, "env") == 0 ||
	    strcmp(p->comm, "git") == 0)
		return;
	c->c.cause = CAUSE_EXIT_MISSING_FILE;
	c->c.prior = PRIOR_WEAK;
	c->c.confidence = CONF_LIKELY;
}

/* A service that this task itself offered: whether it listens is the workload's own affair. */
static void refine_own_port(const struct judgement *j, struct candidate *c)
{
	const char *port;

	if ((c->c.cause != CAUSE_NETWORK_REFUSED && c->c.cause != CAUSE_NETWORK_ADDRESS_IN_USE) ||
	    !c->c.subject.len)
		return;
	port = memrchr(c->c.subject.data, ':', c->c.subject.len);
	for (const struct signature *o = j->task->signatures; port && o; o = o->hh.next) {
		if (o->key.err || !(o->classes & SYS_BIND) || !text_has_suffix(&o->subject, port))
			continue;
		c->c.cause = CAUSE_EXIT_NON_ZERO;
		c->c.prior = PRIOR_WEAK;
		return;
	}
}

/* A server that this task starts by itself where it finds none. */
static void refine_own_socket(const struct judgement *j, struct candidate *c)
{
	struct done *done = NULL;

	if (c->c.cause != CAUSE_NETWORK_SOCKET_ABSENT || !c->c.subject.len)
		return;
	HASH_FIND(hh, j->done, c->c.subject.data, c->c.subject.len, done);
	if (done && done->classes & SYS_BIND)
		c->c.prior = PRIOR_WEAK;
}

/* One place was tried, not a search: then the whole path is what was not there. */
static int refine_single(const struct judgement *j, struct candidate *c)
{
	if (c->c.cause != CAUSE_BINARY_NOT_FOUND || !c->sig ||
	    !memchr(c->sig->raw.data ?: "", '/', c->sig->raw.len))
		return 0;
	for (size_t i = 0; i < j->n; i++) {
		const struct candidate *o = &j->v[i];

		if (o != c && o->sig && o->c.cause == c->c.cause && o->process == c->process &&
		    text_has_suffix(&o->c.subject, c->c.subject.data))
			return 0;
	}
	if (is_hidden(c->sig))
		c->c.cause = CAUSE_MASKED_FILE;
	return text_set(&c->c.subject, c->sig->subject.data, c->sig->subject.len);
}

/* inotify_init says EMFILE of the process's descriptors, too; another call tells which. */
static void refine_inotify(const struct judgement *j, struct candidate *c)
{
	if (c->c.cause != CAUSE_QUOTA_INOTIFY_INSTANCES)
		return;
	for (size_t i = 0; i < j->n; i++)
		if (j->v[i].c.cause == CAUSE_FDS_PROCESS_LIMIT && j->v[i].process == c->process)
			c->c.cause = CAUSE_FDS_PROCESS_LIMIT;
}

/* A shell would have run a text itself. */
static void refine_format(struct candidate *c)
{
	if (c->c.cause == CAUSE_SCRIPT_NO_SHEBANG && c->c.confidence == CONF_POSSIBLE && c->sig &&
	    judge_is_shell(c->sig->comm) && c->process && process_failed(c->process))
		c->c.cause = CAUSE_BINARY_ARCHITECTURE;
}

/* The file was there when it would not run, and was removed since, before anybody could look: its
 * first line named an interpreter that was not there (execve(2), ENOENT), and may have ended in CR. */
static void refine_gone(const struct judgement *j, struct candidate *c)
{
	struct done *done;

	if (c->c.cause != CAUSE_BINARY_NOT_FOUND || !c->sig || !c->sig->subject.len)
		return;
	HASH_FIND(hh, j->done, c->sig->subject.data, c->sig->subject.len, done);
	if (!done || done->removed_ns < c->last_ns)
		return;
	c->c.cause = CAUSE_BINARY_INTERPRETER;
	c->c.confidence = CONF_POSSIBLE;
	snprintf(c->c.why, sizeof(c->c.why), "state gone: the file was removed right afterwards");
}

static bool is_refusal(enum cause cause)
{
	return cause == CAUSE_FILE_PERMISSION_DENIED || cause == CAUSE_CAPABILITY_MISSING ||
	       cause == CAUSE_LSM_UNNAMED || cause == CAUSE_USERNS_DENIED;
}

/* What a set-user-id program was refused because it gained nothing. */
static int refine_privilege(struct candidate *c)
{
	const struct process *p = c->process;

	if (!p || !(p->secure & (SECURE_NNP | SECURE_NOSUID)) || !is_refusal(c->c.cause) ||
	    c->last_ns < p->exec_ns || !p->exe.len)
		return 0;
	c->c.cause = p->secure & SECURE_NNP ? CAUSE_PRIVILEGE_NNP : CAUSE_PRIVILEGE_NOSUID;
	c->c.prior = PRIOR_STRONG;
	c->c.knob[0] = '\0';
	snprintf(c->c.why, sizeof(c->c.why), "a set-user-id program that gained nothing: %s",
		 p->secure & SECURE_NNP ? "no_new_privs is set" : "its mount is nosuid");
	return text_set(&c->c.subject, p->exe.data, p->exe.len);
}

/* Which limit it is of those that programs lower for themselves; -1: another. RLIMIT_NOFILE is not
 * among them, as runtimes raise it. */
static int own_limit(enum cause cause)
{
	return cause == CAUSE_QUOTA_FILE_SIZE	     ? RLIMIT_FSIZE
	       : cause == CAUSE_MEMORY_ADDRESS_SPACE ? RLIMIT_AS
						     : -1;
}

/* Who sets a limit to itself, and meets it, reckons with it: it counts where its text says so. Not a
 * shell, whose limits are for what it runs, nor who dies of it. */
static void refine_own_limit(const struct judgement *j, struct candidate *c)
{
	const struct dossier *d = dossier_find(j, c->process);
	int limit = own_limit(c->c.cause);

	if (!d || !c->process || judge_is_shell(c->comm) ||
	    (c->process->exited && WTERMSIG(c->process->status)))
		return;
	for (size_t i = 0; limit >= 0 && i < d->n_successes; i++) {
		const struct signature *o = d->successes[i];

		if (rule_set_limit(o) != limit || o->first_ns > c->last_ns ||
		    o->first_ns < c->process->exec_ns)
			continue;
		c->c.prior = PRIOR_WEAK;
		candidate_say(c, "the process had set that limit itself");
		return;
	}
}

int judge_refine(const struct judgement *j, struct candidate *c)
{
	refine_chdir(c);
	refine_own_port(j, c);
	refine_inotify(j, c);
	refine_format(c);
	refine_gone(j, c);
	refine_own_socket(j, c);
	refine_own_limit(j, c);
	if (refine_single(j, c) < 0)
		return -ENOMEM;
	return refine_privilege(c);
}
