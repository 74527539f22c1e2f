/* SPDX-License-Identifier: GPL-2.0-only */
/* What the text of fd 2 names: errnos, subjects, and failures that no call shows. */
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_internal.h"
#include "names.h"

#define PORT_DIGITS 3 /* shorter ones are lines and counts as well */

/* Other ways in which runtimes say the same. */
static const struct {
	int err;
	const char *phrase;
} phrases[] = {
	{ ENOMEM, "out of memory" },
	{ ENOMEM, "MemoryError" },
	{ ENOMEM, "bad_alloc" },
	{ ENOMEM, "could not allocate memory" },
	{ ENOMEM, "failed to allocate memory" }, /* Ruby, NoMemoryError */
	{ ENOMEM, "allocation failed" },	 /* V8: "Array buffer allocation failed" */
	{ ENOMEM, "OutOfMemoryError" },
	{ ENOENT, "FileNotFoundError" },
	{ ENOENT, "not found" },
	{ ENOEXEC, "cannot execute" },
	{ EACCES, "PermissionError: [Errno 13]" },
	{ EPERM, "PermissionError: [Errno 1]" },
	{ ECONNREFUSED, "ConnectionRefusedError" },
	{ ETIMEDOUT, "timed out" },
	{ ETIMEDOUT, "timeout" },
	{ ETIMEDOUT, "aborted" },
	{ EROFS, "read-only file system" },
	{ ENOSPC, "disk full" },
	{ ENAMETOOLONG, "name too long" },
	{ ENOENT, "No such file" },
	{ ENOENT, "Directory nonexistent" },
	{ ENOENT, "can't cd to" },
	{ ENOENT, "cannot find the path" },
};

/* The dynamic loader has no table of messages (elf/dl-minimal.c of glibc, __strerror_r()). */
static bool loader_names_errno(const char *text, int err)
{
	char number[32];
	const char *at;

	snprintf(number, sizeof(number), "object file: Error %d", err);
	at = strstr(text, number);
	return at && !strchr("0123456789", at[strlen(number)] ?: '\n');
}

static bool text_names_errno(const char *text, int err)
{
	char number[24];

	if (!err || !text)
		return false;
	if (strcasestr(text, strerrordesc_np(err) ?: "\1") ||
	    voice_has_word(text, names_errno(err)))
		return true;
	snprintf(number, sizeof(number), "[Errno %d]", err);
	if (strstr(text, number) || loader_names_errno(text, err))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		if (phrases[i].err == err && strcasestr(text, phrases[i].phrase))
			return true;
	return false;
}

bool voice_names_errno(const struct voice *v, int err)
{
	return text_names_errno(v->text, err);
}

static bool text_holds(const char *text, const struct text *t)
{
	return t->len >= 3 && memmem(text, strlen(text), t->data, t->len);
}

static bool text_names_subject(const char *text, const struct candidate *c)
{
	const struct text *subject = &c->c.subject;
	const char *slash;

	if (!text || !subject->len)
		return false;
	if (text_holds(text, subject) || (c->sig && text_holds(text, &c->sig->raw)))
		return true;
	slash = memrchr(subject->data, '/', subject->len);
	return slash && strlen(slash + 1) >= 3 && voice_has_word(text, slash + 1);
}

/* Of several calls on paths the path tells which is meant; the call ("open") may be any of them. */
static bool text_names_call(const char *text, const struct candidate *c)
{
	if (c->c.subject.len && c->c.subject.data[0] == '/')
		return false;
	return text && c->syscall[0] && voice_has_word(text, c->syscall);
}

/* Messages about a connection seldom say whose; the line of the program that a trace quotes may. */
bool voice_quotes_port(const struct voice *v, const struct candidate *c)
{
	const char *port = c->c.subject.len ? strrchr(c->c.subject.data, ':') : NULL;

	return v->text && port && strcmp(taxonomy_get(c->c.cause)->primitive, "network") == 0 &&
	       strlen(port + 1) >= PORT_DIGITS && voice_has_word(v->text, port + 1);
}

bool voice_names_subject(const struct voice *v, const struct candidate *c)
{
	return text_names_subject(v->told, c) || text_names_call(v->text, c);
}

bool voice_warned_of(const struct voice *v, const struct candidate *c)
{
	return text_names_subject(v->warned, c) || text_names_call(v->warned, c) ||
	       text_names_errno(v->warned, c->err);
}

/* By the library's name for it: accept() is accept4(), inotify_init() inotify_init1(). */
bool voice_names_call(const struct voice *v, const struct candidate *c)
{
	char stem[sizeof(c->syscall)];
	size_t n = strcspn(c->syscall, "0123456789");

	snprintf(stem, sizeof(stem), "%.*s", (int)n, c->syscall);
	return v->text && *stem && voice_has_word(v->text, stem);
}

bool voice_own_fault(const char *text)
{
	static const char *const faults[] = {
		"AssertionError",      "KeyError",	   "ValueError",     "TypeError",
		"IndexError",	       "NameError",	   "AttributeError", "ZeroDivisionError",
		"SyntaxError",	       "IndentationError", "ReferenceError", "UnboundLocalError",
		"NotImplementedError", "RecursionError",   "FAILED (",
	};

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
			if (strncmp(line, faults[i], strlen(faults[i])) == 0)
				return true;
		if (report_asserts(line, strcspn(line, "\n")))
			return true;
		if (!*line)
			break;
	}
	return false;
}

/* By primitive: one word of these in the text speaks for it. */
static const struct {
	const char *primitive;
	const char *words[6];
} hints[] = {
	{ "pids", { "new thread", "fork", "pthread_create", "spawn", "thread" } },
	{ "seccomp", { "permi", "denied", "thread", "imeout", "timed out", "not supported" } },
	{ "memory", { "memory", "alloc", "mmap" } },
	{ "fds", { "descriptor", "open files", "pipe", "spawn" } },
	{ "network", { "connect", "resol", "getaddrinfo", "fetch", "network", "urlopen" } },
	{ "binary", { "not found", "spawn", "exec", "No such file" } },
	{ "path", { "spawn", "chdir", "directory", "path", "file name" } },
	{ "encoding", { "interpreter", "^M", "\\r", "No such file" } },
	{ "disk", { "space", "write", "quota" } },
	{ "quota", { "space", "watch", "large", "limit" } },
	{ "file-permission", { "permi", "denied", "writ" } },
	{ "capability", { "permi", "denied", "privilege", "root" } },
	{ "lsm", { "permi", "denied", "pty" } },
	{ "userns", { "namespace", "permi", "map", "chown" } },
	{ "read-only", { "writ", "read-only", "lock" } },
	{ "noexec", { "exec", "denied", "map segment" } },
	{ "args", { "too long", "E2BIG", "spawn" } },
};

bool voice_hints(const struct voice *v, const struct candidate *c)
{
	const char *primitive = taxonomy_get(c->c.cause)->primitive;

	if (!v->told)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(hints); i++) {
		if (strcmp(hints[i].primitive, primitive) != 0)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(hints[i].words) && hints[i].words[k]; k++)
			if (strcasestr(v->told, hints[i].words[k]))
				return true;
	}
	return false;
}

/*
 * Failures that make no telling call, or too many: the runtime's own sentence names them. The one
 * that stands last in the text wins: what came before was tried in its place.
 */
static const struct sentence {
	const char *pattern; /* POSIX extended */
	enum cause cause;
	const char *form; /* of the subject, with one %s where it is taken from the text */
	int group;	  /* of the pattern, 0: the subject is fixed */
	int exit_code;	  /* only with this one, 0: any */
} sentences[] = {
	{ "([^: \n]+): cannot open shared object file: No such", CAUSE_LIBRARY_SHARED_OBJECT, "%s",
	  1, 0 },
	{ "No module named '?([A-Za-z0-9_.]+)", CAUSE_LIBRARY_MODULE, "%s", 1, 0 },
	{ "Cannot find (module|package) '([^./'][^']*)'", CAUSE_LIBRARY_MODULE, "%s", 2, 0 },
	{ "Cannot find module '([./][^']*)'", CAUSE_EXIT_MISSING_FILE, "%s", 1, 0 },
	{ "cannot load such file -- ([^ \n)]+)", CAUSE_LIBRARY_MODULE, "%s", 1, 0 },
	{ "Can't locate ([^ ]+) in @INC", CAUSE_LIBRARY_MODULE, "%s", 1, 0 },
	{ "cannot find name for user ID ([0-9]+)", CAUSE_IDENTITY_UNKNOWN_USER, "uid %s", 1, 0 },
	{ "uid not found: ([0-9]+)", CAUSE_IDENTITY_UNKNOWN_USER, "uid %s", 1, 0 },
	{ "[Nn]o user exists for uid ([0-9]+)", CAUSE_IDENTITY_UNKNOWN_USER, "uid %s", 1, 0 },
	{ "dubious ownership in repository at '([^']+)'", CAUSE_IDENTITY_OWNERSHIP, "%s", 1, 0 },
	{ ": ([^: \n]+)\\^M: bad interpreter", CAUSE_ENCODING_CRLF, "%s\r", 1, 0 },
	{ ": ([^: \n]+): bad interpreter: No such", CAUSE_BINARY_INTERPRETER, "%s", 1, 0 },
	{ "([^ :\n]+): (command )?not found", CAUSE_BINARY_NOT_FOUND, "%s", 1, 127 },
	{ "make(\\[[0-9]+\\])?: ([^ :\n]+): No such file or directory", CAUSE_BINARY_NOT_FOUND,
	  "%s", 2, 2 },
	{ "not a (terminal|tty)", CAUSE_MASKED_TERMINAL, "/dev/tty", 0, 0 },
	{ "Inappropriate ioctl for device", CAUSE_MASKED_TERMINAL, "/dev/tty", 0, 0 },
	{ "mount -t proc", CAUSE_MASKED_PROC, "/proc", 0, 0 },
	{ "unsupported locale setting", CAUSE_IMAGE_DATA_MISSING, "/usr/lib/locale", 0, 0 },
	{ "No time zone found with key ([A-Za-z0-9_/+-]+)", CAUSE_IMAGE_DATA_MISSING,
	  "/usr/share/zoneinfo/%s", 1, 0 },
	{ "AF_UNIX path too long", CAUSE_PATH_TOO_LONG, "AF_UNIX path", 0, 0 },
	{ "no new privileges", CAUSE_PRIVILEGE_NNP, "sudo", 0, 0 },
	{ "effective uid is not 0", CAUSE_PRIVILEGE_NOSUID, "sudo", 0, 0 },
	/* the subject is found by judge_proxy() */
	{ "tunnel failed, response (403|407)", CAUSE_NETWORK_DENIED, "proxy", 0, 0 },
	{ "Proxy response \\((403|407)\\)", CAUSE_NETWORK_DENIED, "proxy", 0, 0 },
	{ "Tunnel connection failed: (403|407)", CAUSE_NETWORK_DENIED, "proxy", 0, 0 },
	{ "Proxy tunneling failed: (Forbidden|Proxy Auth)", CAUSE_NETWORK_DENIED, "proxy", 0, 0 },
	{ "requested URL returned error: (403|407)", CAUSE_NETWORK_DENIED, "proxy", 0, 22 },
};

static regex_t *sentence_regex(size_t i)
{
	static regex_t compiled[ARRAY_SIZE(sentences)];
	static bool done[ARRAY_SIZE(sentences)];

	if (!done[i] &&
	    regcomp(&compiled[i], sentences[i].pattern, REG_EXTENDED | REG_NEWLINE) != 0)
		return NULL;
	done[i] = true;
	return &compiled[i];
}

/* A call that met it says it better, with its place; the sentence then speaks for the call. */
static bool speak_for(struct judgement *j, const struct process *p, enum cause cause,
		      const struct text *subject)
{
	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];

		if (c->c.cause != cause || c->process != p || c->c.subject.len != subject->len ||
		    memcmp(c->c.subject.data, subject->data, subject->len) != 0)
			continue;
		c->named = true;
		c->voiced = true;
		if (c->c.prior < PRIOR_STRONG)
			c->c.prior = PRIOR_STRONG;
		return true;
	}
	return false;
}

static const char *after_slash(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash && slash[1] ? slash + 1 : name;
}

/* Loaders pass over a place that refuses them, and say in the end that there is no such thing. */
static bool is_refusal(int err)
{
	return err == EACCES || err == EPERM || err == EMFILE || err == ENFILE || err == ENOMEM ||
	       err == EIO || err == ELOOP;
}

/* The module's file, or a directory that may hold it, was what could not be opened. */
static bool is_of_search(const struct candidate *c, const char *name)
{
	const struct sf_sys *d = c->sig ? names_describe(c->sig->syscall) : NULL;
	const char *base =
		c->sig ? memrchr(c->sig->subject.data ?: "", '/', c->sig->subject.len) : NULL;
	size_t n = strcspn(name, ".");

	if (!base || !(c->sig->classes & (SYS_OPEN | SYS_STAT | SYS_ACCESS)))
		return false;
	if (n && strncmp(base + 1, name, n) == 0 && (!base[1 + n] || base[1 + n] == '.'))
		return true;
	return (c->sig->classes & SYS_OPEN) && d && d->flags_arg < 6 &&
	       (c->sig->args[d->flags_arg] & O_DIRECTORY);
}

/* The call that was refused speaks, where the sentence says no more than that nothing was found. */
static bool refused_in_search(struct judgement *j, const struct process *p, const char *name)
{
	struct candidate *found = NULL;

	for (size_t i = 0; i < j->n; i++) {
		struct candidate *c = &j->v[i];

		if (c->process == p && is_refusal(c->err) && c->first_ns >= p->exec_ns &&
		    c->c.prior > PRIOR_NOISE && is_of_search(c, name) &&
		    (!found || c->c.prior > found->c.prior))
			found = c;
	}
	if (!found)
		return false;
	found->named = true;
	found->voiced = true;
	if (found->c.prior < PRIOR_STRONG)
		found->c.prior = PRIOR_STRONG;
	return true;
}

static int add_sentence(struct judgement *j, const struct process *p, const struct sentence *s,
			const char *match)
{
	struct text subject = { 0 };
	struct candidate *c;
	/* taken from a table, never from outside: the format is one of ours */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	int r = text_printf(&subject, s->form, match);
#pragma GCC diagnostic pop
	/* 403 may be the word of whom it asked for: only one in between denies */
	bool proxied = s->cause != CAUSE_NETWORK_DENIED || judge_proxy(j, p, &subject);

	if (r == 0 && !proxied && s->exit_code) {
		text_free(&subject);
		return 0;
	}
	if (r == 0 && s->cause == CAUSE_LIBRARY_MODULE &&
	    refused_in_search(j, p, after_slash(match))) {
		text_free(&subject);
		return 0;
	}
	/* crlf and the like: a name that ends in a control character is an encoding's */
	if (r < 0 || speak_for(j, p, s->cause, &subject) ||
	    (s->cause == CAUSE_BINARY_NOT_FOUND && text_has_suffix(&subject, "\r"))) {
		text_free(&subject);
		return r;
	}
	c = judgement_add(j);
	if (!c) {
		text_free(&subject);
		return -ENOMEM;
	}
	c->c.matched = true;
	c->c.cause = s->cause;
	c->c.prior = PRIOR_STRONG;
	c->c.confidence = CONF_LIKELY;
	c->c.subject = subject;
	c->process = p;
	c->pid = p->key.tgid;
	c->ns_pid = p->ns_pid;
	memcpy(c->comm, p->comm, SF_COMM);
	c->first_ns = p->exit_ns;
	c->last_ns = p->exit_ns;
	c->count = 1;
	c->named = true;
	c->voiced = true;
	snprintf(c->c.why, sizeof(c->c.why), "its own last words say so");
	return 0;
}

/* The one that stands last; those that belong to another exit status do not count. `match` is what its
 * subject is made of. */
static const struct sentence *find_sentence(const char *text, int exit_code, char *match,
					    size_t size)
{
	const struct sentence *best = NULL;
	regmatch_t m[3], found = { .rm_so = -1 };

	match[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(sentences); i++) {
		const struct sentence *s = &sentences[i];
		regex_t *re = sentence_regex(i);
		const regmatch_t *g = &m[s->group];

		if (s->exit_code && exit_code != s->exit_code)
			continue;
		if (!re || regexec(re, text, ARRAY_SIZE(m), m, 0) != 0 || m[0].rm_so <= found.rm_so)
			continue;
		found = m[0];
		best = s;
		if (s->group && g->rm_so >= 0)
			snprintf(match, size, "%.*s", (int)(g->rm_eo - g->rm_so), text + g->rm_so);
	}
	return best;
}

static int judge_last_words(struct judgement *j, const struct process *p, const char *text)
{
	char match[SF_TAIL];
	const struct sentence *s =
		find_sentence(text, WEXITSTATUS(p->status), match, sizeof(match));

	return s ? add_sentence(j, p, s, match) : 0;
}

int judge_sentence(const char *text, enum cause *cause, struct text *subject)
{
	char match[SF_TAIL];
	const struct sentence *s = find_sentence(text, 0, match, sizeof(match));
	int r;

	/* whose word 403 is can't be told from a text alone */
	if (!s || s->cause == CAUSE_NETWORK_DENIED)
		return 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	r = text_printf(subject, s->form, match);
#pragma GCC diagnostic pop
	*cause = s->cause;
	return r < 0 ? r : 1;
}

int judge_texts(struct judgement *j)
{
	for (const struct process *p = j->task->processes; p; p = p->hh.next) {
		struct voice own = { 0 };
		int r;

		if (!process_failed(p) || !(p->tail.len || p->report.len) || !process_reaches(j, p))
			continue;
		r = voice_own_words(p, &own);
		if (r == 0)
			r = judge_last_words(j, p, own.text);
		voice_clear(&own);
		if (r < 0)
			return r;
	}
	return 0;
}
