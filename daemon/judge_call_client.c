/* SPDX-License-Identifier: GPL-2.0-only */
/* Who stood at the ends of a call, and what became of its client. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "judge_call.h"
#include "names.h"
#include "payload_shape.h"
#include "payload_words.h"

#define TREE_DEPTH 64
#define SLACK_NS   NSEC_PER_MSEC /* from the last byte of an answer to the next request */
#define REPEAT_MIN 12		 /* bytes that a client must repeat of what a call said */
#define REPEAT_MAX 48
#define SAID_SHOWN 160
#define NAME_MIN   3 /* bytes of a file's name that is no common word */

const struct process *call_process(const struct judgement *j, const struct call_peer *peer)
{
	return peer->tgid ? task_find_process(j->task, peer->tgid, peer->start_ns) : NULL;
}

/* Who writes the answer may be a program that the server runs for that (jq, of one in shell), and a wrapper
 * may stand around it: the server is what hangs below what it has in common with its client. */
static const struct process *top_of_server(const struct task *t, const struct process *server,
					   const struct process *client)
{
	const struct process *up = client ? process_parent(t, server) : NULL;

	if (process_is_under(t, client, server))
		return server;
	for (int depth = 0; up && !process_is_under(t, client, up) && depth < TREE_DEPTH; depth++) {
		server = up;
		up = process_parent(t, server);
	}
	return server;
}

bool call_is_under(const struct judgement *j, const struct call *c, const struct process *p)
{
	const struct process *server = call_process(j, &c->server);
	const struct process *client = call_process(j, &c->client);

	if (!server)
		return !p || p != client;
	server = top_of_server(j->task, server, client);
	return process_is_under(j->task, p, server);
}

static bool same_text(const struct text *a, const struct text *b)
{
	return a->len == b->len && (a->len == 0 || memcmp(a->data, b->data, a->len) == 0);
}

static bool same_string(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static bool has_sure_fault(const struct call *c)
{
	for (size_t i = 0; i < c->n_faults; i++)
		if (c->faults[i].sure)
			return true;
	return false;
}

/* What a gateway asks while it is asked itself is no new attempt. */
static bool is_later(const struct call *o, const struct call *c)
{
	const bool answered = c->end != CALL_NEVER && c->end != CALL_CANCELLED;

	return o->started_ns > (answered && c->ended_ns ? c->ended_ns - SLACK_NS : c->started_ns) &&
	       o->started_ns > c->started_ns;
}

bool call_recovered(const struct task *t, const struct call *c)
{
	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *o = t->calls.v[i];

		if (o->end == CALL_OK && !o->status && is_later(o, c) && !has_sure_fault(o) &&
		    same_string(o->tool, c->tool) && same_string(o->method, c->method) &&
		    same_text(&o->subject, &c->subject))
			return true;
	}
	return false;
}

bool client_failed(const struct judgement *j, const struct call_peer *peer)
{
	const struct process *p = call_process(j, peer);

	if (p && p->exited)
		return process_reaches(j, p);
	return j->task->rec.outcome == OUTCOME_FAILED || j->task->rec.outcome == OUTCOME_KILLED;
}

/* The first line of what was said, without what the SDK puts before it. */
static size_t telling_part(const struct text *said, const char **ret)
{
	static const char *const before[] = { "MCP error ", "Error: ", "Error executing tool " };
	const char *p = said->data, *end = p + said->len, *stop;

	for (size_t i = 0; i < ARRAY_SIZE(before); i++) {
		size_t n = strlen(before[i]);

		if ((size_t)(end - p) > n && memcmp(p, before[i], n) == 0)
			p += n;
	}
	stop = memchr(p, '\n', (size_t)(end - p));
	if (stop)
		end = stop;
	*ret = p;
	return (size_t)(end - p) < REPEAT_MAX ? (size_t)(end - p) : REPEAT_MAX;
}

bool client_repeats(const struct judgement *j, const struct call_peer *peer,
		    const struct text *said)
{
	const struct process *p = call_process(j, peer);
	struct voice v = { 0 };
	const char *part;
	size_t n;
	bool found;

	if (!p || !said->len)
		return false;
	n = telling_part(said, &part);
	if (n < REPEAT_MIN || voice_listen(j, p, &v) < 0)
		return false;
	found = memmem(v.text, strlen(v.text), part, n) != NULL;
	voice_clear(&v);
	return found;
}

bool client_names(const struct judgement *j, const struct call_peer *peer,
		  const struct candidate *cand)
{
	const struct process *p = call_process(j, peer);
	struct voice v = { 0 };
	bool names;

	if (!p || voice_listen(j, p, &v) < 0)
		return false;
	names = voice_names_subject(&v, cand);
	voice_clear(&v);
	return names;
}

static bool said_any(const struct judgement *j, const struct process *p, const char *const *words,
		     size_t n)
{
	struct voice v = { 0 };
	bool found = false;

	if (voice_listen(j, p, &v) < 0)
		return false;
	for (size_t i = 0; i < n && !found; i++)
		found = strstr(v.text, words[i]) != NULL;
	voice_clear(&v);
	return found;
}

bool client_blames_itself(const struct judgement *j, const struct call_peer *peer)
{
	/* Errors of a program's own making, as Python and JavaScript call them. */
	static const char *const words[] = {
		"TypeError: ",	      "NameError: ",	     "AttributeError: ",  "IndexError: ",
		"ReferenceError: ",   "ZeroDivisionError",   "UnboundLocalError", "RecursionError",
		"IndentationError: ", "NotImplementedError",
	};
	const struct process *p = call_process(j, peer);

	return p && said_any(j, p, words, ARRAY_SIZE(words));
}

bool client_names_file(const struct judgement *j, const struct call_peer *peer,
		       const struct text *path)
{
	const struct process *p = call_process(j, peer);
	const char *name = path->len ? shape_basename(path->data) : "";
	struct voice v = { 0 };
	bool names;

	if (!p || strlen(name) < NAME_MIN || voice_listen(j, p, &v) < 0)
		return false;
	names = voice_has_word(v.told, name);
	voice_clear(&v);
	return names;
}

bool client_read_no_base64(const struct judgement *j, const struct call_peer *peer)
{
	/* Python, browsers and Node, Go, Ruby, Java, coreutils, Rust. */
	static const char *const words[] = {
		"binascii.Error",	  "InvalidCharacterError", "illegal base64 data",
		"invalid base64",	  "Illegal base64",	   "base64: invalid input",
		"Invalid base64",	  "Incorrect padding",	   "Invalid padding",
		"not correctly encoded.",
	};
	const struct process *p = call_process(j, peer);

	return p && said_any(j, p, words, ARRAY_SIZE(words));
}

bool call_written_back(const struct task *t, const struct call *c)
{
	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *o = t->calls.v[i];
		struct verbs v = { 0 };

		if (o->end != CALL_OK || !o->tool || o->started_ns <= c->started_ns ||
		    o->client.tgid != c->client.tgid || !same_text(&o->subject, &c->subject))
			continue;
		words_verbs(o->tool, &v);
		if (v.write)
			return true;
	}
	return false;
}

bool client_read_no_json(const struct judgement *j, const struct call *c)
{
	/* What parsers of JSON say of what is none: V8, Python, Ruby, Perl, Go, jq, Rust. */
	static const char *const words[] = {
		"is not valid JSON",	"Unexpected token",  "JSONDecodeError",
		"JSON::ParserError",	"malformed JSON",    "invalid character",
		"parse error: Invalid", "expected value at",
	};
	const struct process *p = call_process(j, &c->client);

	if (!c->method || strcmp(c->method, "initialize") != 0 || !p || !p->exited)
		return false;
	for (size_t i = 0; i < j->task->calls.n; i++)
		if (j->task->calls.v[i] != c && j->task->calls.v[i]->client.tgid == c->client.tgid)
			return false;
	return said_any(j, p, words, ARRAY_SIZE(words));
}

/* The last line of it that is none of the status. */
static size_t last_words(const struct text *said, const char **ret)
{
	const char *begin = said->data, *end = begin + said->len;

	while (end > begin) {
		const char *nl = memrchr(begin, '\n', (size_t)(end - begin));
		const char *line = nl ? nl + 1 : begin;

		if (end - line >= REPEAT_MIN && !memmem(line, (size_t)(end - line), "exit", 4) &&
		    !memmem(line, (size_t)(end - line), "Exit", 4)) {
			*ret = line;
			return (size_t)(end - line) < REPEAT_MAX ? (size_t)(end - line)
								 : REPEAT_MAX;
		}
		end = nl ?: begin;
	}
	return 0;
}

bool client_repeats_end(const struct judgement *j, const struct call *c)
{
	const struct process *p = call_process(j, &c->client);
	struct voice v = { 0 };
	const char *part = NULL;
	size_t n = c->text.len ? last_words(&c->text, &part) : 0;
	bool found;

	if (!p || !n || voice_listen(j, p, &v) < 0)
		return false;
	found = memmem(v.text, strlen(v.text), part, n) != NULL;
	voice_clear(&v);
	return found;
}

bool client_says(const struct judgement *j, const struct call_peer *peer, const struct text *what)
{
	const struct candidate named = { .c.subject = *what };

	return what->len && client_names(j, peer, &named);
}

/* An uncaught error of its own, of a kind that a program may also raise for what it was told. */
bool client_has_bug(const struct judgement *j, const struct call_peer *peer)
{
	static const char *const words[] = { "KeyError: ",    "ValueError: ",
					     "SyntaxError: ", "RangeError: ",
					     "ImportError: ", "ModuleNotFoundError: " };
	const struct process *p = call_process(j, peer);
	struct voice v = { 0 };
	bool traced;

	if (client_blames_itself(j, peer))
		return true;
	if (!p || voice_own_words(p, &v) < 0)
		return false;
	traced = v.traced;
	voice_clear(&v);
	return traced && said_any(j, p, words, ARRAY_SIZE(words));
}

/* As Python, JavaScript and SDKs call the end of a wait, or of a channel. */
static bool tells_of_waiting(const struct judgement *j, const struct process *p)
{
	static const char *const words[] = { "imeout",	  "imed out",	    "eadline",
					     "Abort",	  "Cancel",	    "no answer",
					     "EOF",	  "losed",	    "ot respond",
					     "Interrupt", "roken pipe",	    "BrokenPipe",
					     "EPIPE",	  "ConnectionReset" };

	return said_any(j, p, words, ARRAY_SIZE(words));
}

bool client_gave_up(const struct judgement *j, const struct call_peer *peer)
{
	static const char *const words[] = { "TimeoutError", "imed out" };
	const struct process *p = call_process(j, peer);

	return p && process_failed(p) && said_any(j, p, words, ARRAY_SIZE(words));
}

static bool is_crash(int sig)
{
	return sig == SIGSEGV || sig == SIGBUS || sig == SIGFPE || sig == SIGILL ||
	       sig == SIGABRT || sig == SIGTRAP;
}

bool client_fell(const struct judgement *j, const struct call_peer *peer)
{
	const struct process *p = call_process(j, peer);

	if (!p || !process_failed(p))
		return false;
	if (WIFSIGNALED(p->status))
		return is_crash(WTERMSIG(p->status));
	return client_has_bug(j, peer) && !tells_of_waiting(j, p);
}

/* A later call of the same client went well, or was answered at all. */
static bool went_on(const struct task *t, const struct call *c)
{
	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *o = t->calls.v[i];

		if (o->started_ns > c->started_ns && o->end != CALL_OPEN &&
		    o->client.tgid == c->client.tgid && o->source == c->source && o->tool)
			return true;
	}
	return false;
}

size_t calls_after(const struct task *t, const struct call *c)
{
	size_t n = 0;

	for (size_t i = 0; i < t->calls.n; i++) {
		const struct call *o = t->calls.v[i];

		n += o->started_ns > c->started_ns && o->end == CALL_OK && !o->status && o->tool &&
		     o->client.tgid == c->client.tgid && !has_sure_fault(o);
	}
	return n;
}

enum consequence call_consequence(const struct judgement *j, const struct call *c)
{
	if (!client_failed(j, &c->client) || call_recovered(j->task, c))
		return CONSEQUENCE_NONE;
	if (client_repeats(j, &c->client, &c->text))
		return CONSEQUENCE_HEARD;
	return went_on(j->task, c) ? CONSEQUENCE_EARLIER : CONSEQUENCE_LAST;
}

int call_subject(const struct call *c, struct text *ret)
{
	const char *name = c->tool ?: c->method ?: "a call";

	if (!c->subject.len)
		return text_set(ret, name, strlen(name));
	return text_printf(ret, "%s %.*s", name, (int)c->subject.len, c->subject.data);
}

static const char *answer_of(const struct call *c)
{
	switch (c->end) {
	case CALL_OK:
		return c->status ? "was answered, with a command that failed," : "was answered";
	case CALL_TOOL_ERROR:
		return "was answered with isError";
	case CALL_ERROR:
		return "was answered with an error";
	case CALL_CANCELLED:
		return "was taken back";
	case CALL_NEVER:
		return "was never answered";
	default:
		return "is open";
	}
}

int call_say(struct candidate *cand, const struct call *c)
{
	_cleanup_free_ char *text = NULL, *name = NULL, *after = NULL;
	struct text subject = { 0 };
	int r = call_subject(c, &subject);

	if (r < 0)
		return r;
	name = util_escape(subject.data, subject.len < SAID_SHOWN ? subject.len : SAID_SHOWN);
	text_free(&subject);
	if (c->text.len)
		text = util_escape(c->text.data,
				   c->text.len < SAID_SHOWN ? c->text.len : SAID_SHOWN);
	if (c->ended_ns > c->started_ns &&
	    asprintf(&after, " after %llu ms",
		     (unsigned long long)((c->ended_ns - c->started_ns) / NSEC_PER_MSEC)) < 0)
		after = NULL;
	return candidate_say(cand, "the call %s%s%s %s%s%s%s", name ?: "?",
			     c->rpc_id ? ", id " : "", c->rpc_id ?: "", answer_of(c), after ?: "",
			     text ? ": " : "", text ?: "");
}
