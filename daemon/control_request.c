/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "control_impl.h"
#include "json.h"
#include "taxonomy.h"

#define DEPTH_MAX  32
#define NAME_MAX_  255
#define ID_MAX	   256
#define LABELS_MAX 64
#define LABEL_NAME 64
#define LABEL_SIZE 1024
#define NOTE_MAX   4096

struct request {
	struct control_peer *peer;
	uint64_t token;
	struct json_object *object;
	struct label labels[LABELS_MAX];
};

struct watch {
	const char *campaign;
	const char *level;
};

/* Reads a value into its place; false: not allowed. */
typedef bool (*field_fn)(struct request *r, struct json_object *v, void *to);

struct field {
	const char *name;
	field_fn read;
	size_t offset;
	bool required;
	const char *allowed;
};

/* A string without NUL inside, of at most `max` bytes; NULL: something else. */
static const char *string_of(struct json_object *v, size_t max)
{
	const char *s;
	size_t len;

	if (!json_object_is_type(v, json_type_string))
		return NULL;
	s = json_object_get_string(v);
	len = (size_t)json_object_get_string_len(v);
	return len <= max && strlen(s) == len ? s : NULL;
}

static bool has_control(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			return true;
	return false;
}

static bool integer_of(struct json_object *v, int64_t min, int64_t max, int *ret)
{
	int64_t n;

	if (!json_object_is_type(v, json_type_int))
		return false;
	n = json_object_get_int64(v); /* saturates */
	if (n < min || n > max)
		return false;
	*ret = (int)n;
	return true;
}

/* '#' parts a task's name from its attempt. */
static bool read_name(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, NAME_MAX_);

	if (!s || !*s || has_control(s) || strchr(s, '#'))
		return false;
	*(const char **)to = s;
	return true;
}

static bool read_cgroup(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, PATH_MAX - 1);
	size_t len;

	if (!s || s[0] != '/' || has_control(s))
		return false;
	for (const char *p = s; *p; p += len) {
		p += strspn(p, "/");
		len = strcspn(p, "/");
		if (len == 2 && p[0] == '.' && p[1] == '.')
			return false;
	}
	*(const char **)to = s;
	return true;
}

static bool read_pid(struct request *r, struct json_object *v, void *to)
{
	return integer_of(v, 1, INT_MAX, to);
}

static bool read_exit_code(struct request *r, struct json_object *v, void *to)
{
	return integer_of(v, 0, 255, to);
}

static bool read_signal(struct request *r, struct json_object *v, void *to)
{
	return integer_of(v, 1, 64, to);
}

static bool read_scope(struct request *r, struct json_object *v, void *to)
{
	static const char *const names[] = {
		[SCOPE_AUTO] = "auto", [SCOPE_CGROUP] = "cgroup", [SCOPE_PROCESS] = "process"
	};
	const char *s = string_of(v, NAME_MAX_);

	for (unsigned int i = 0; s && i < ARRAY_SIZE(names); i++) {
		if (strcmp(names[i], s) != 0)
			continue;
		*(enum control_scope *)to = (enum control_scope)i;
		return true;
	}
	return false;
}

static bool read_source(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, NAME_MAX_);

	if (!s || (strcmp(s, "begin") != 0 && strcmp(s, "run") != 0))
		return false;
	*(const char **)to = s;
	return true;
}

static bool read_outcome(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, NAME_MAX_);
	int n = s ? outcome_parse(s) : -EINVAL;

	if (n < 0)
		return false;
	*(enum outcome *)to = (enum outcome)n;
	return true;
}

static bool read_level(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, NAME_MAX_);

	if (!s || level_parse(s) < 0)
		return false;
	*(const char **)to = s;
	return true;
}

static bool read_note(struct request *r, struct json_object *v, void *to)
{
	const char *s = string_of(v, NOTE_MAX);

	*(const char **)to = s;
	return s != NULL;
}

static bool read_bool(struct request *r, struct json_object *v, void *to)
{
	if (!json_object_is_type(v, json_type_boolean))
		return false;
	*(bool *)to = json_object_get_boolean(v);
	return true;
}

static bool label_name_valid(const char *s)
{
	size_t len = strlen(s);

	if (len == 0 || len > LABEL_NAME)
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && !strchr("_.-", *s))
			return false;
	return true;
}

/* The only field of two places: `to` is struct control_begin itself. */
static bool read_labels(struct request *r, struct json_object *v, void *to)
{
	struct control_begin *b = to;
	size_t n = 0;

	if (!json_object_is_type(v, json_type_object))
		return false;
	json_object_object_foreach (v, name, value) {
		const char *s = string_of(value, LABEL_SIZE);

		if (!s || !label_name_valid(name) || n == LABELS_MAX)
			return false;
		r->labels[n++] = (struct label){ name, (char *)s };
	}
	b->labels = r->labels;
	b->n_labels = n;
	return true;
}

#define A_NAME	"a string of 1 to 255 bytes without control characters and #"
#define A_LEVEL "sandbox, interface or workload"

#define AT(field) offsetof(struct control_begin, field)
static const struct field begin_fields[] = {
	{ "campaign", read_name, AT(campaign), false, A_NAME },
	{ "task", read_name, AT(task), true, A_NAME },
	{ "labels", read_labels, 0, false,
	  "an object of at most 64 strings (1 KiB each), named by letters, digits, _ . - (at most "
	  "64)" },
	{ "cgroup", read_cgroup, AT(cgroup), false, "an absolute path without .." },
	{ "pid", read_pid, AT(pid), false, "a process id" },
	{ "scope", read_scope, AT(scope), false, "auto, cgroup or process" },
	{ "source", read_source, AT(source), false, "begin or run" },
};
#undef AT

#define AT(field) offsetof(struct control_end, field)
static const struct field end_fields[] = {
	{ "campaign", read_name, AT(campaign), false, A_NAME },
	{ "task", read_name, AT(task), true, A_NAME },
	{ "outcome", read_outcome, AT(outcome), false, "ok, failed, killed or unknown" },
	{ "exit_code", read_exit_code, AT(exit_code), false, "an integer from 0 to 255" },
	{ "signal", read_signal, AT(signal), false, "an integer from 1 to 64" },
	{ "note", read_note, AT(note), false, "a string of at most 4096 bytes" },
	{ "wait", read_bool, AT(wait), false, "true or false" },
};
#undef AT

static const struct field watch_fields[] = {
	{ "campaign", read_name, offsetof(struct watch, campaign), false, A_NAME },
	{ "level", read_level, offsetof(struct watch, level), false, A_LEVEL },
};

static void invalid(struct request *r, const char *field, const char *allowed)
{
	r->peer->c->malformed++;
	control_error(r->peer, r->token, "invalid", "field \"%s\": %s", field, allowed);
}

/* A null counts as absent. false: answered already. */
static bool read_fields(struct request *r, const struct field *fields, size_t n, void *to)
{
	for (size_t i = 0; i < n; i++) {
		const struct field *f = &fields[i];
		struct json_object *v = NULL;

		json_object_object_get_ex(r->object, f->name, &v);
		if (!v && !f->required)
			continue;
		if (v && f->read(r, v, (char *)to + f->offset))
			continue;
		invalid(r, f->name, f->allowed);
		return false;
	}
	return true;
}

static void do_begin(struct request *r)
{
	struct control *c = r->peer->c;
	struct control_begin b = {
		.campaign = "default",
		.source = "begin",
		.peer_uid = r->peer->cred.uid,
		.peer_pid = r->peer->cred.pid,
	};

	if (!read_fields(r, begin_fields, ARRAY_SIZE(begin_fields), &b))
		return;
	if (!b.cgroup && !b.pid)
		invalid(r, "cgroup", "a cgroup or a pid is needed");
	else if (b.scope == SCOPE_PROCESS && !b.pid)
		invalid(r, "pid", "the scope process needs one");
	else
		c->ops->begin(c->arg, r->peer, r->token, &b);
}

static void do_end(struct request *r)
{
	struct control *c = r->peer->c;
	struct control_end e = {
		.campaign = "default",
		.outcome = OUTCOME_UNKNOWN,
		.exit_code = -1,
		.wait = true,
	};

	if (read_fields(r, end_fields, ARRAY_SIZE(end_fields), &e))
		c->ops->end(c->arg, r->peer, r->token, &e);
}

static void do_call(struct request *r)
{
	struct control *c = r->peer->c;

	c->ops->call(c->arg, r->peer, r->token, r->object);
}

static void do_watch(struct request *r)
{
	struct watch w = { 0 };

	if (!read_fields(r, watch_fields, ARRAY_SIZE(watch_fields), &w))
		return;
	if (control_peer_watch(r->peer, w.campaign, w.level) < 0)
		control_error(r->peer, r->token, "failed", "no memory");
	else
		control_reply(r->peer, r->token, NULL);
}

static void do_flush(struct request *r)
{
	struct control *c = r->peer->c;

	c->ops->flush(c->arg, r->peer, r->token);
}

static void do_status(struct request *r)
{
	struct control *c = r->peer->c;

	c->ops->status(c->arg, r->peer, r->token);
}

static const struct {
	const char *name;
	void (*run)(struct request *r);
} ops[] = {
	{ "begin", do_begin }, { "end", do_end },     { "call", do_call },
	{ "watch", do_watch }, { "flush", do_flush }, { "status", do_status },
};

static void dispatch(struct request *r)
{
	struct json_object *v = NULL;
	const char *op;

	json_object_object_get_ex(r->object, "op", &v);
	op = v ? string_of(v, NAME_MAX_) : NULL;
	for (size_t i = 0; op && i < ARRAY_SIZE(ops); i++) {
		if (strcmp(ops[i].name, op) != 0)
			continue;
		ops[i].run(r);
		return;
	}
	invalid(r, "op", "begin, end, call, watch, flush or status");
}

/* Only forms that can be echoed as they are. NULL with *bad: something else. */
static struct json_object *id_of(struct json_object *o, bool *bad)
{
	struct json_object *id = NULL;

	json_object_object_get_ex(o, "id", &id);
	if (!id || json_object_is_type(id, json_type_int) || string_of(id, ID_MAX))
		return json_object_get(id);
	*bad = true;
	return NULL;
}

/* json-c's own check lets overlong forms and surrogates pass (RFC 3629 does not). */
static bool utf8_valid(const char *line, size_t len)
{
	const unsigned char *s = (const unsigned char *)line, *end = s + len;

	while (s < end) {
		size_t n = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;

		if (n == 0 || *s > 0xf4 || (size_t)(end - s) < n)
			return false;
		for (size_t i = 1; i < n; i++)
			if ((s[i] & 0xc0) != 0x80)
				return false;
		if ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) ||
		    (*s == 0xf0 && s[1] < 0x90) || (*s == 0xf4 && s[1] > 0x8f))
			return false;
		s += n;
	}
	return true;
}

/* NULL: *why says what is wrong. */
static struct json_object *parse(const char *line, size_t len, const char **why)
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *o = NULL;

	*why = "no memory";
	if (!t)
		return NULL;
	json_tokener_set_flags(t, json_strict(line, len));
	o = json_tokener_parse_ex(t, line, (int)len);
	if (!o)
		*why = json_tokener_error_desc(json_tokener_get_error(t));
	else if (json_tokener_get_parse_end(t) != len)
		*why = "more than one value in a line";
	else if (!json_object_is_type(o, json_type_object))
		*why = "no object";
	else
		*why = NULL;
	json_tokener_free(t);
	if (*why) {
		json_object_put(o);
		return NULL;
	}
	return o;
}

void control_request(struct control_peer *p, const char *line, size_t len)
{
	struct request r = { .peer = p };
	const char *why = NULL;
	bool bad_id = false;

	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	if (len == 0)
		return;
	if (memchr(line, '\0', len))
		why = "a NUL byte";
	else if (!utf8_valid(line, len))
		why = "invalid UTF-8";
	else
		r.object = parse(line, len, &why);
	r.token = control_peer_token(p, r.object ? id_of(r.object, &bad_id) : NULL);
	if (r.token && bad_id) {
		invalid(&r, "id", "an integer, or a string of at most 256 bytes");
	} else if (r.token && why) {
		p->c->malformed++;
		control_error(p, r.token, "invalid", "not a JSON object: %s", why);
	} else if (r.token) {
		dispatch(&r);
	}
	json_object_put(r.object);
}
