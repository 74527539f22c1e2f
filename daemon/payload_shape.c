/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <limits.h>
#include <string.h>

#include "damage.h"
#include "payload_shape.h"
#include "payload_words.h"

#define DEPTH_MAX 4 /* of objects within arguments */

/* ---- strings ---- */

static struct shape_string string_of(const char *key, struct json_object *v)
{
	if (!json_object_is_type(v, json_type_string))
		return (struct shape_string){ 0 };
	return (struct shape_string){ json_object_get_string(v),
				      (size_t)json_object_get_string_len(v), key };
}

static bool has_prefix(const struct shape_string *s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s->len >= n && strncasecmp(s->s, prefix, n) == 0;
}

/* May stand where a path does: a URL of another kind, or prose, does not. */
static bool may_be_path(const struct shape_string *s)
{
	const char *colon;

	if (!s->s || s->len == 0 || s->len >= PATH_MAX || memchr(s->s, '\n', s->len))
		return false;
	if (has_prefix(s, "file:"))
		return true;
	colon = memmem(s->s, s->len, "://", 3);
	return !colon && !has_prefix(s, "data:");
}

/* The value alone gives it away. */
static bool is_path(const struct shape_string *s)
{
	static const char *const starts[] = { "/", "./", "../", "~/", "file:///" };

	if (!s->s || !may_be_path(s) || memchr(s->s, ' ', s->len))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (has_prefix(s, starts[i]) && s->len > strlen(starts[i]))
			return true;
	return false;
}

const char *shape_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* ---- arguments ---- */

struct scan {
	struct shape *shape;
	char **decoded;
	bool partial;
};

/* One object's own members. */
struct members {
	struct shape_string path, name, content;
	enum shape_encoding encoding;
	unsigned int paths;
};

static void note_nul(struct scan *sc, const struct shape_string *s)
{
	if (s->s && memchr(s->s, '\0', s->len) && !sc->shape->nul.s)
		sc->shape->nul = *s;
}

static int hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* file:///a%20b, file://localhost/a (RFC 8089): into a copy, one for a request. */
static struct shape_string decode_uri(struct scan *sc, struct shape_string s)
{
	const char *at = s.s + strlen("file:"), *end = s.s + s.len;
	char *to;

	if (!has_prefix(&s, "file:") || *sc->decoded)
		return s;
	if (end - at >= 2 && at[0] == '/' && at[1] == '/') {
		at = memchr(at + 2, '/', (size_t)(end - at - 2));
		if (!at)
			return s;
	}
	to = malloc((size_t)(end - at) + 1);
	if (!to)
		return s;
	*sc->decoded = to;
	s.s = to;
	for (; at < end; at++) {
		bool escape = *at == '%' && end - at > 2 && hex(at[1]) >= 0 && hex(at[2]) >= 0;

		*to++ = (char)(escape ? hex(at[1]) << 4 | hex(at[2]) : *at);
		at += escape ? 2 : 0;
	}
	*to = '\0';
	s.len = (size_t)(to - s.s);
	return s;
}

static void add_pair(struct scan *sc, struct shape_string path, const struct members *content)
{
	struct shape *sh = sc->shape;
	struct shape_pair *p = &sh->pairs[sh->n_pairs];

	if (sh->n_pairs >= SHAPE_PAIRS)
		return;
	*p = (struct shape_pair){ .path = path };
	if (path.s)
		p->path = decode_uri(sc, path);
	if (content) {
		p->content = content->content;
		p->encoding = content->encoding;
	}
	sh->n_pairs++;
}

static bool is_set(struct json_object *v)
{
	switch (json_object_get_type(v)) {
	case json_type_null:
		return false;
	case json_type_boolean:
		return json_object_get_boolean(v);
	case json_type_array:
		return json_object_array_length(v) > 0;
	case json_type_string:
		return json_object_get_string_len(v) > 0;
	default:
		return true;
	}
}

static enum shape_encoding encoding_of(const struct shape_string *s)
{
	char name[KEY_MAX];

	if (!s->s)
		return SHAPE_FOREIGN;
	words_key(s->s, name);
	if (words_has(name, " base64 b64 "))
		return SHAPE_BASE64_SAID;
	return words_has(name, " utf8 text plain ascii string auto none ") ? SHAPE_TEXT
									   : SHAPE_FOREIGN;
}

/* "w" is what a plain write does anyway. */
static bool is_usual_mode(const struct shape_string *s)
{
	char name[KEY_MAX];

	return s->s &&
	       words_has(words_key(s->s, name),
			 " w wb wt r rb rt write overwrite read text create utf8 full raw ");
}

static void scan_object(struct scan *sc, struct json_object *o, int depth);

static void scan_array(struct scan *sc, struct json_object *v, const char *key, bool paths,
		       int depth)
{
	for (size_t i = 0; i < json_object_array_length(v); i++) {
		struct json_object *e = json_object_array_get_idx(v, i);
		struct shape_string s = string_of(key, e);

		if (json_object_is_type(e, json_type_object))
			scan_object(sc, e, depth + 1);
		if (paths || is_path(&s))
			note_nul(sc, &s);
		if (paths ? may_be_path(&s) : is_path(&s))
			add_pair(sc, s, NULL);
	}
}

/* A member that is about how, not what. true: it was one. */
static bool scan_manner(struct scan *sc, struct members *l, const char *key, struct json_object *v,
			const struct shape_string *s)
{
	if (words_has(key, " encoding contentencoding fileencoding ")) {
		if (is_set(v))
			l->encoding = encoding_of(s);
		return true;
	}
	if (json_object_is_type(v, json_type_boolean) && words_has(key, " isbase64 base64 ")) {
		l->encoding = is_set(v) ? SHAPE_BASE64_SAID : SHAPE_TEXT;
		return true;
	}
	if (words_has(key, " mode flag flags "))
		sc->partial |= is_set(v) && !is_usual_mode(s);
	else if (words_has(key, words_partial))
		sc->partial |= is_set(v);
	else
		return false;
	return true;
}

static void scan_string(struct scan *sc, struct members *l, const char *key,
			const struct shape_string *s)
{
	bool path = words_has(key, words_path);

	if (path || words_has(key, words_name) || words_has(key, words_command))
		note_nul(sc, s);
	if (words_has(key, words_content)) {
		if (!l->content.s) {
			l->content = *s;
			if (l->encoding == SHAPE_TEXT && words_has(key, words_base64))
				l->encoding = SHAPE_BASE64;
		}
		return;
	}
	if (words_has(key, words_name) && !l->name.s)
		l->name = *s;
	if (!(path ? may_be_path(s) : is_path(s) && !words_has(key, words_command)))
		return;
	if (l->paths++ == 0)
		l->path = *s;
	else
		add_pair(sc, *s, NULL);
}

static void scan_object(struct scan *sc, struct json_object *o, int depth)
{
	struct members l = { 0 };
	char buf[KEY_MAX];

	if (depth > DEPTH_MAX)
		return;
	json_object_object_foreach (o, name, v) {
		const char *key = words_key(name, buf);
		struct shape_string s = string_of(name, v);

		if (scan_manner(sc, &l, key, v, &s))
			continue;
		if (s.s)
			scan_string(sc, &l, key, &s);
		else if (json_object_is_type(v, json_type_array))
			scan_array(sc, v, name, words_has(key, words_path), depth);
		else if (json_object_is_type(v, json_type_object))
			scan_object(sc, v, depth + 1);
	}
	if (!l.paths && l.content.s && may_be_path(&l.name))
		l.path = l.name;
	if (l.content.s && l.encoding == SHAPE_TEXT && base64_likely(l.content.s, l.content.len))
		l.encoding = SHAPE_MAYBE;
	if (l.path.s || l.content.s)
		add_pair(sc, l.path, &l);
	/* With two paths nobody knows whose content it is. */
	if (l.paths > 1)
		sc->partial = true;
}

/* str_replace_based_edit_tool and its kin: one tool, a verb in its arguments. */
static bool verb_of_command(struct json_object *args, enum shape_verb *verb)
{
	struct json_object *v;
	const char *s;

	if (!json_object_object_get_ex(args, "command", &v) ||
	    !json_object_is_type(v, json_type_string))
		return false;
	s = json_object_get_string(v);
	if (strcmp(s, "create") == 0)
		*verb = SHAPE_WRITE;
	else if (strcmp(s, "view") == 0)
		*verb = SHAPE_READ;
	else
		return words_has(s, " str_replace insert undo_edit delete rename ");
	return true;
}

static void find_verb(struct shape *sh, const char *tool, struct json_object *args)
{
	bool content = false;
	struct verbs v;

	for (size_t i = 0; i < sh->n_pairs; i++)
		content |= sh->pairs[i].path.s && sh->pairs[i].content.s;
	words_verbs(tool, &v);
	sh->lists = v.list;
	sh->named = true;
	if (verb_of_command(args, &sh->verb))
		return;
	if (v.other)
		sh->verb = SHAPE_OTHER;
	else if (content && v.write)
		sh->verb = SHAPE_WRITE;
	else if (!content && v.read)
		sh->verb = SHAPE_READ;
	else
		sh->named = false;
	if (!sh->named && content)
		sh->verb = SHAPE_WRITE;
}

void shape_request(struct shape *ret, const char *method, const char *tool,
		   struct json_object *params, char **decoded)
{
	struct scan sc = { .shape = ret, .decoded = decoded };
	struct json_object *args = params;

	*ret = (struct shape){ 0 };
	*decoded = NULL;
	if (!method || !json_object_is_type(params, json_type_object))
		return;
	if (strcmp(method, "tools/call") == 0) {
		if (!tool || !json_object_object_get_ex(params, "arguments", &args) ||
		    !json_object_is_type(args, json_type_object))
			return;
		scan_object(&sc, args, 0);
		find_verb(ret, tool, args);
	} else if (strcmp(method, "resources/read") == 0) {
		scan_object(&sc, args, 0);
		ret->verb = SHAPE_READ;
		ret->named = true;
	}
	ret->plain = ret->verb && ret->named && !sc.partial;
	if (sc.partial)
		ret->verb = SHAPE_OTHER;
}

/* ---- results ---- */

static void add_part(struct shape_answer *a, struct json_object *item, const char *key,
		     enum shape_encoding encoding)
{
	struct shape_part *p = &a->parts[a->n_parts];
	struct json_object *v, *mime;

	if (a->n_parts >= SHAPE_PARTS || !json_object_object_get_ex(item, key, &v))
		return;
	*p = (struct shape_part){ .content = string_of(key, v), .encoding = encoding };
	if (!p->content.s)
		return;
	if (json_object_object_get_ex(item, "mimeType", &mime) &&
	    json_object_is_type(mime, json_type_string))
		p->mime = json_object_get_string(mime);
	a->n_parts++;
}

static bool is_media(struct json_object *item)
{
	struct json_object *v;
	const char *type;

	if (!json_object_object_get_ex(item, "type", &v) ||
	    !json_object_is_type(v, json_type_string))
		return false;
	type = json_object_get_string(v);
	return strcmp(type, "image") == 0 || strcmp(type, "audio") == 0;
}

/* MCP's content blocks, and the contents of resources/read. */
static void add_block(struct shape_answer *a, struct json_object *item)
{
	struct json_object *resource;

	if (!json_object_is_type(item, json_type_object))
		return;
	add_part(a, item, "text", SHAPE_TEXT);
	if (is_media(item)) /* "data" of a type that we don't know may be anything */
		add_part(a, item, "data", SHAPE_BASE64);
	add_part(a, item, "blob", SHAPE_BASE64);
	if (!json_object_object_get_ex(item, "resource", &resource) ||
	    !json_object_is_type(resource, json_type_object))
		return;
	add_part(a, resource, "text", SHAPE_TEXT);
	add_part(a, resource, "blob", SHAPE_BASE64);
}

static void add_blocks(struct shape_answer *a, struct json_object *result, const char *key)
{
	struct json_object *list;

	if (!json_object_object_get_ex(result, key, &list) ||
	    !json_object_is_type(list, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		add_block(a, json_object_array_get_idx(list, i));
}

static bool says_partial(struct json_object *o)
{
	static const char keys[] = " truncated istruncated hasmore nextcursor cursor nextoffset "
				   "partial totallines totalsize totalbytes remaining ";
	char buf[KEY_MAX];

	json_object_object_foreach (o, name, v)
		if (words_has(words_key(name, buf), keys) && is_set(v))
			return true;
	return false;
}

void shape_result(struct shape_answer *ret, struct json_object *result)
{
	static const char *const more[] = { "structuredContent", "_meta" };
	struct json_object *o;

	*ret = (struct shape_answer){ 0 };
	if (!json_object_is_type(result, json_type_object))
		return;
	add_blocks(ret, result, "content");
	add_blocks(ret, result, "contents");
	ret->partial = says_partial(result);
	for (size_t i = 0; i < ARRAY_SIZE(more); i++) {
		if (!json_object_object_get_ex(result, more[i], &o) ||
		    !json_object_is_type(o, json_type_object))
			continue;
		ret->partial |= says_partial(o);
		if (i == 0 && ret->n_parts == 0)
			add_part(ret, o, "content", SHAPE_TEXT);
	}
}
