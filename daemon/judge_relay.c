/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a parent's words hand on what its child failed for. */
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

#define LAST_LINE_MIN 12 /* bytes: what is shorter may stand anywhere */
#define NAME_MIN      3
#define ASKED_MAX     64 /* each costs a look at all signatures */

/* Known by its program: a script's process bears the script's name. */
bool process_is_shell(const struct process *p)
{
	const char *slash = p->exe.len ? memrchr(p->exe.data, '/', p->exe.len) : NULL;

	return judge_is_shell(slash ? slash + 1 : p->comm);
}

static bool text_has(const struct text *text, const void *what, size_t len)
{
	return text->len && memmem(text->data, text->len, what, len);
}

/* The last line of what it said stands in what its parent said, on whichever descriptor. */
static bool last_line_stands(const struct process *p, const struct process *parent)
{
	const char *at = p->tail.data, *end = at + p->tail.len, *line;

	while (end > at && (end[-1] == '\n' || end[-1] == '\r'))
		end--;
	line = end > at ? memrchr(at, '\n', (size_t)(end - at)) : NULL;
	line = line ? line + 1 : at;
	if (end - line < LAST_LINE_MIN)
		return false;
	return text_has(&parent->report, line, (size_t)(end - line)) ||
	       text_has(&parent->tail, line, (size_t)(end - line));
}

/* It is the parent itself before an exec, and what that did not find stands in the parent's words. */
static bool exec_is_named(const struct judgement *j, const struct process *p,
			  const struct process *parent)
{
	for (const struct signature *s = j->task->signatures; s; s = s->hh.next) {
		const struct text *name = s->raw.len ? &s->raw : &s->subject;
		const char *slash;
		size_t len;

		if (s->key.tgid != p->key.tgid || s->key.start_ns != p->key.start_ns ||
		    !(s->classes & SYS_EXEC) || !name->len)
			continue;
		slash = memrchr(name->data, '/', name->len);
		slash = slash ? slash + 1 : name->data;
		len = (size_t)(name->data + name->len - slash);
		if (len >= NAME_MIN &&
		    (text_has(&parent->report, slash, len) || text_has(&parent->tail, slash, len)))
			return true;
	}
	return false;
}

bool judge_is_relayed(const struct judgement *j, struct family *f, const struct process *p)
{
	if (!f->parent->report.len && !f->parent->tail.len)
		return false;
	if (p->tail.len)
		return last_line_stands(p, f->parent);
	return !p->execs && f->asked++ < ASKED_MAX && exec_is_named(j, p, f->parent);
}

static bool text_names(const char *text, const char *word, size_t len)
{
	return len >= NAME_MIN && memmem(text, strlen(text), word, len);
}

/* The first word of one of its arguments, a path by its last component. */
static bool command_is_named(const struct process *p, const char *text)
{
	const char *at = p->argv.data, *end = at + p->argv.len, *slash;
	size_t len, word;

	for (; at < end; at += len + 1) {
		len = strnlen(at, (size_t)(end - at));
		word = strcspn(at, " ");
		word = word < len ? word : len;
		slash = memrchr(at, '/', word);
		slash = slash ? slash + 1 : at;
		if (text_names(text, slash, (size_t)(at + word - slash)))
			return true;
	}
	return false;
}

/* A fault of its own; that the child's status stands in it is as good as that child's words. */
static bool tells_of_own_fault(const char *text, int child_status)
{
	bool tells = voice_own_fault(text) || report_finds_fault(text, strlen(text));
	char number[16];

	snprintf(number, sizeof(number), "%d", child_status);
	return tells && !voice_has_word(text, number);
}

bool judge_was_kept(const struct judgement *j, const struct process *p,
		    const struct process *parent)
{
	struct voice v = { 0 };
	bool kept = false;

	if (!p->fd2 || !parent->fd2 || p->fd2 == parent->fd2 || !p->tail.len ||
	    process_is_shell(parent))
		return false;
	if (voice_listen(j, parent, &v) == 0)
		kept = tells_of_own_fault(v.text, WEXITSTATUS(p->status)) &&
		       !command_is_named(p, v.text);
	voice_clear(&v);
	return kept;
}
