/* SPDX-License-Identifier: GPL-2.0-only */
/* Of a result that is none of an error: whether it tells of a command that failed. MCP leaves to each
 * server how it says that; what is read here is what servers that run commands have in common. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "names.h"
#include "redact.h"
#include "session_impl.h"

#define TEXT_LOOKED (64 << 10) /* bytes of a text that are looked at */
#define TEXT_END    512	       /* … of which a status stands at the beginning or at the end */
#define JSON_DEPTH  16
#define STATUS_MAX  255

struct told {
	int status;	 /* as a shell has it; negative: a signal; 0: none failed */
	struct text say; /* what the command said; owned */
};

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(o, key, &v);
	return v;
}

static struct json_object *first_of(struct json_object *o, const char *const *keys, size_t n,
				    enum json_type type)
{
	for (size_t i = 0; i < n; i++) {
		struct json_object *v = member(o, keys[i]);

		if (v && json_object_is_type(v, type) &&
		    (type != json_type_string || json_object_get_string_len(v)))
			return v;
	}
	return NULL;
}

static bool is_status(int64_t n)
{
	return n && n >= -SIGRTMAX && n <= STATUS_MAX;
}

/* ---- an object ---- */

static bool has_output(struct json_object *o)
{
	static const char *const keys[] = { "stdout", "stderr", "output" };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (json_object_object_get_ex(o, keys[i], NULL))
			return true;
	return false;
}

/* Common words mean a status beside a command's output only. */
static int status_of(struct json_object *o)
{
	static const char *const keys[] = {
		"exitCode",    "exit_code",  "exitcode",   "returncode",
		"return_code", "returnCode", "exitStatus", "exit_status"
	};
	static const char *const common[] = { "code", "status", "rc", "exit" };
	struct json_object *v = first_of(o, keys, ARRAY_SIZE(keys), json_type_int);
	int sig;

	if (!v && has_output(o))
		v = first_of(o, common, ARRAY_SIZE(common), json_type_int);
	if (v)
		return is_status(json_object_get_int64(v)) ? json_object_get_int(v) : 0;
	/* Node's child_process: one of the two is null */
	v = has_output(o) ? member(o, "signal") : NULL;
	if (!v || !json_object_is_type(v, json_type_string))
		return 0;
	sig = names_signal_parse(json_object_get_string(v));
	return sig > 0 ? -sig : 0;
}

static int take_text(struct told *t, const char *s, size_t len)
{
	return text_set(&t->say, s, len < TEXT_LOOKED ? len : TEXT_LOOKED);
}

static int take_object(struct told *t, struct json_object *o)
{
	static const char *const keys[] = { "stderr", "output", "stdout" };
	struct json_object *v;

	t->status = status_of(o);
	v = t->status ? first_of(o, keys, ARRAY_SIZE(keys), json_type_string) : NULL;
	return v ? take_text(t, json_object_get_string(v), (size_t)json_object_get_string_len(v))
		 : 0;
}

/* … or one that stands in it: {"result": {"exitCode": …}}. */
static int look_at_object(struct told *t, struct json_object *o)
{
	int r = take_object(t, o);

	json_object_object_foreach (o, key, v) {
		(void)key;
		if (t->status || r < 0)
			break;
		if (json_object_is_type(v, json_type_object))
			r = take_object(t, v);
	}
	return r;
}

/* ---- a text ---- */

/* "exit code: 2", "exited with status 2", "(exit code=2)": what stands after the words. */
static bool number_after(const char *s, const char *end, int *ret)
{
	bool minus;
	int n = 0, digits = 0;

	while (s < end && strchr(" :=('\"`*", *s) && *s)
		s++;
	minus = s < end && *s == '-';
	for (s += minus; s < end && isdigit((unsigned char)*s) && digits < 4; s++, digits++)
		n = n * 10 + (*s - '0');
	if (!digits || (s < end && (isdigit((unsigned char)*s) || *s == '_')))
		return false;
	*ret = minus ? -n : n;
	return true;
}

/* The first in it, or the last. */
static bool find_status(const char *s, size_t len, bool last, int *ret)
{
	static const char *const words[] = {
		"exit code",  "exit status",	  "exit_code",	 "exitcode",	      "return code",
		"returncode", "exited with code", "exit_status", "exited with status"
	};
	bool found = false;

	for (size_t at = 0; at < len && (last || !found); at++)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			size_t n = strlen(words[i]);

			if (n < len - at && strncasecmp(s + at, words[i], n) == 0 &&
			    number_after(s + at + n, s + len, ret))
				found = true;
		}
	return found;
}

static int look_at_words(struct told *t, const char *s, size_t len)
{
	size_t end = len < TEXT_END ? len : TEXT_END;
	int status = 0;

	if (!find_status(s, end, false, &status) && !find_status(s + len - end, end, true, &status))
		return 0;
	if (!is_status(status))
		return 0;
	t->status = status;
	return take_text(t, s, len);
}

static int look_at_text(struct told *t, const char *s, size_t len)
{
	struct json_object *o = NULL;
	struct json_tokener *tok;
	int r;

	if (len && len < TEXT_LOOKED && s[strspn(s, " \t\r\n")] == '{') {
		tok = json_tokener_new_ex(JSON_DEPTH);
		if (!tok)
			return -ENOMEM;
		o = json_tokener_parse_ex(tok, s, (int)len);
		json_tokener_free(tok);
	}
	if (!json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		return look_at_words(t, s, len);
	}
	r = look_at_object(t, o);
	json_object_put(o);
	return r;
}

static int look_at_content(struct told *t, struct json_object *content)
{
	size_t n = json_object_is_type(content, json_type_array) ? json_object_array_length(content)
								 : 0;
	size_t looked = 0;
	int r = 0;

	for (size_t i = 0; i < n && !t->status && r == 0 && looked < TEXT_LOOKED; i++) {
		struct json_object *v = member(json_object_array_get_idx(content, i), "text");

		if (!v || !json_object_is_type(v, json_type_string))
			continue;
		looked += (size_t)json_object_get_string_len(v);
		r = look_at_text(t, json_object_get_string(v),
				 (size_t)json_object_get_string_len(v));
	}
	return r;
}

/* ---- all of it ---- */

/* The end of what it said, from the beginning of a line, as a command's last words tell most. What is
 * secret is taken out before it is cut, else half of it might not be known for one. */
static int keep_end(struct call *c, const struct text *say)
{
	struct text clean = { 0 };
	int r = redact_text(&clean, say->data, say->len, TEXT_LOOKED);
	const char *from = clean.data, *line;

	if (r == 0 && clean.len > CALL_TEXT) {
		from += clean.len - CALL_TEXT;
		line = memchr(from, '\n', CALL_TEXT - 1);
		from = line ? line + 1 : from;
		while (from < clean.data + clean.len && ((unsigned char)*from & 0xc0) == 0x80)
			from++;
	}
	if (r == 0 && clean.len)
		r = text_set(&c->text, from, clean.len - (size_t)(from - clean.data));
	text_free(&clean);
	return r;
}

int session_call_command(const struct session *s, struct call *c, struct json_object *result)
{
	struct json_object *o = member(result, "structuredContent");
	struct told t = { 0 };
	int r = 0;

	if (json_object_is_type(o, json_type_object))
		r = look_at_object(&t, o);
	if (r == 0 && !t.status)
		r = look_at_content(&t, member(result, "content"));
	c->status = t.status;
	if (r == 0 && t.status && t.say.len && !s->set->shapes_only)
		r = keep_end(c, &t.say);
	text_free(&t.say);
	return r;
}
