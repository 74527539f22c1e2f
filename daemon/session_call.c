/* SPDX-License-Identifier: GPL-2.0-only */
/* A call as its request and its answer tell of it. Contents become lengths, digests, redacted ends. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "redact.h"
#include "session_impl.h"

#define SUBJECT_SHORT 160	 /* bytes of a text that may stand for a call */
#define TEXT_LOOKED   (64 << 10) /* bytes of what an answer says that are looked at */
#define CODE_WITHIN   512	 /* … of which a code stands at the beginning */

/* ---- its subject ---- */

/* What tools call the path that they work on, best first. */
static const char *const path_keys[] = {
	"path",	    "file_path", "filepath", "filePath", "absolute_path", "file",
	"filename", "fileName",	 "uri",	     "source",	 "src",		  "destination",
	"dir",	    "directory", "paths",    "files",	 "url",
};

static bool is_string(struct json_object *v)
{
	return v && json_object_is_type(v, json_type_string);
}

/* The first string of an array, or the string itself. */
static struct json_object *string_of(struct json_object *v)
{
	if (v && json_object_is_type(v, json_type_array) && json_object_array_length(v))
		v = json_object_array_get_idx(v, 0);
	return is_string(v) ? v : NULL;
}

static struct json_object *path_of(struct json_object *args)
{
	for (size_t i = 0; i < ARRAY_SIZE(path_keys); i++) {
		struct json_object *v = NULL;

		json_object_object_get_ex(args, path_keys[i], &v);
		v = string_of(v);
		if (v)
			return v;
	}
	return NULL;
}

/* A secret is told by its key too: the pair is what is asked. */
static bool is_secret(const char *key, struct json_object *v)
{
	struct json_object *pair = json_object_new_object();
	_cleanup_free_ char *text = NULL;

	if (!pair)
		return true;
	json_object_object_add(pair, key, json_object_get(v));
	text = redact_json(pair, CALL_ARGS, false);
	json_object_put(pair);
	return !text || strstr(text, "[redacted ");
}

static struct json_object *short_text_of(struct json_object *args)
{
	json_object_object_foreach (args, key, v) {
		if (is_string(v) && json_object_get_string_len(v) > 0 &&
		    json_object_get_string_len(v) <= SUBJECT_SHORT && !is_secret(key, v))
			return v;
	}
	return NULL;
}

static int fill_subject(struct call *c, struct json_object *args)
{
	static const char scheme[] = "file://";
	struct json_object *v = path_of(args);
	const char *s;
	size_t len;

	if (!v)
		v = short_text_of(args);
	if (!v)
		return 0;
	s = json_object_get_string(v);
	len = (size_t)json_object_get_string_len(v);
	if (len > sizeof(scheme) && memcmp(s, scheme, sizeof(scheme) - 1) == 0) {
		s += sizeof(scheme) - 1;
		len -= sizeof(scheme) - 1;
	}
	return redact_text(&c->subject, s, len, PATH_MAX);
}

/* ---- what no parsed object shows ---- */

/* RFC 8259, section 8: each reader makes something else of it. Of a batch nobody knows whose it is. */
static int fill_raw(struct call *c, const struct rpc *r, const char *what)
{
	bool utf8 = r->raw & RPC_RAW_INVALID_UTF8;
	struct call_fault f = { .cause = CAUSE_ENCODING_UTF8, .at = r->raw_at };

	if (r->batch || !(utf8 || r->raw & RPC_RAW_LONE_SURROGATE))
		return 0;
	if (asprintf(&f.say, "%s holds %s, from byte %zu of the message on", what,
		     utf8 ? "bytes that are no UTF-8" : "half a surrogate pair", r->raw_at) < 0)
		return -ENOMEM;
	return call_add_fault(c, &f);
}

/* ---- the request ---- */

static int fill_request(const struct session *s, struct call *c, const struct rpc *r)
{
	bool tool = strcmp(r->method, "tools/call") == 0;
	struct json_object *args = r->params, *name = NULL, *v = NULL;

	if (json_object_object_get_ex(args, "name", &name) && is_string(name) && tool)
		c->tool = strdup(json_object_get_string(name));
	if (tool) {
		json_object_object_get_ex(args, "arguments", &v);
		args = v;
	}
	if (!args || !json_object_is_type(args, json_type_object))
		return 0;
	c->args = redact_json(args, CALL_ARGS, s->set->shapes_only);
	if (!c->args)
		return -ENOMEM;
	return s->set->shapes_only ? 0 : fill_subject(c, args);
}

static void call_freep(struct call **c)
{
	if (!*c)
		return;
	call_clear(*c);
	free(*c);
}

struct call *session_call_new(const struct session *s, const struct rpc *r,
			      const struct wire_message *m)
{
	_cleanup_(call_freep) struct call *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->session = s->id;
	c->started_ns = m->end_ns;
	c->request_len = m->total;
	memcpy(c->request_digest, m->digest, CALL_DIGEST);
	c->cut = m->cut;
	c->rpc_id = strdup(r->id);
	c->method = strdup(r->method);
	if (!c->rpc_id || !c->method || fill_request(s, c, r) < 0 ||
	    fill_raw(c, r, "the request") < 0)
		return NULL;
	return TAKE_PTR(c);
}

/* ---- the answer ---- */

/* JSON-RPC's own codes stand in the text of a tool's error too ("MCP error -32602: …"). */
static int code_in(const char *s, size_t len)
{
	if (len > CODE_WITHIN)
		len = CODE_WITHIN;
	for (size_t i = 0; i + 6 <= len; i++) {
		if (s[i] != '-' || s[i + 1] != '3' || s[i + 2] != '2')
			continue;
		if (isdigit((unsigned char)s[i + 3]) && isdigit((unsigned char)s[i + 4]) &&
		    isdigit((unsigned char)s[i + 5]) &&
		    (i + 6 == len || !isdigit((unsigned char)s[i + 6])))
			return -(32000 + (s[i + 3] - '0') * 100 + (s[i + 4] - '0') * 10 +
				 (s[i + 5] - '0'));
	}
	return 0;
}

int session_call_text(const struct session *s, struct call *c, const char *text, size_t len)
{
	if (!c->code)
		c->code = code_in(text, len);
	if (s->set->shapes_only)
		return 0;
	return redact_text(&c->text, text, len < TEXT_LOOKED ? len : TEXT_LOOKED, CALL_TEXT);
}

/* The texts of a result's content, a line each. */
static int content_text(struct json_object *content, struct text *ret)
{
	size_t n = content && json_object_is_type(content, json_type_array)
			   ? json_object_array_length(content)
			   : 0;
	size_t len = 0;
	FILE *f = open_memstream(&ret->data, &ret->len);

	if (!f)
		return -ENOMEM;
	for (size_t i = 0; i < n && len < TEXT_LOOKED; i++) {
		struct json_object *v = NULL;

		if (!json_object_object_get_ex(json_object_array_get_idx(content, i), "text", &v) ||
		    !is_string(v))
			continue;
		if (len)
			fputc('\n', f);
		len += (size_t)json_object_get_string_len(v);
		fwrite(json_object_get_string(v), 1, (size_t)json_object_get_string_len(v), f);
	}
	return fclose(f) == 0 ? 0 : -ENOMEM;
}

static int answer_result(const struct session *s, struct call *c, struct json_object *result)
{
	struct json_object *v = NULL, *content = NULL;
	struct text text = { 0 };
	int r;

	c->end = CALL_OK;
	if (!json_object_object_get_ex(result, "isError", &v) || !json_object_get_boolean(v))
		return c->tool ? session_call_command(s, c, result) : 0;
	c->end = CALL_TOOL_ERROR;
	r = session_call_command(s, c, result);
	if (r < 0)
		return r;
	json_object_object_get_ex(result, "content", &content);
	r = content_text(content, &text);
	if (r == 0 && text.len)
		r = session_call_text(s, c, text.data, text.len);
	text_free(&text);
	return r;
}

int session_call_answer(const struct session *s, struct call *c, const struct rpc *r,
			const struct wire_message *m)
{
	c->ended_ns = m->end_ns;
	c->answer_len = m->total;
	memcpy(c->answer_digest, m->digest, CALL_DIGEST);
	c->cut |= m->cut;
	if (fill_raw(c, r, "the answer") < 0)
		return -ENOMEM;
	if (r->kind == RPC_RESULT)
		return answer_result(s, c, r->result);
	c->end = CALL_ERROR;
	c->code = m->http_status == 413 ? 413 : r->code; /* "Content Too Large" says more */
	return r->message ? session_call_text(s, c, r->message, strlen(r->message)) : 0;
}

char *session_id_text(struct json_object *id)
{
	const char *s;

	if (!id || (!is_string(id) && !json_object_is_type(id, json_type_int)))
		return NULL;
	s = json_object_to_json_string_ext(id,
					   JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	return s ? strdup(s) : NULL;
}
