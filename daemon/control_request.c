/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "control_field.h"
#include "json.h"
#include "taxonomy.h"

#define DEPTH_MAX 32
#define ID_MAX	  256

struct watch {
	const char *campaign;
	const char *level;
};

#define A_LEVEL "sandbox, interface or workload"

#define AT(field) offsetof(struct control_begin, field)
static const struct field begin_fields[] = {
	{ "campaign", field_name, AT(campaign), false, A_NAME },
	{ "task", field_name, AT(task), true, A_NAME },
	{ "labels", field_labels, 0, false,
	  "an object of at most 64 strings (1 KiB each), named by letters, digits, _ . - (at most "
	  "64)" },
	{ "cgroup", field_cgroup, AT(cgroup), false, "an absolute path without .." },
	{ "pid", field_pid, AT(pid), false, "a process id" },
	{ "scope", field_scope, AT(scope), false, "auto, cgroup or process" },
	{ "server", field_pid, AT(server), false, "a process id" },
	{ "source", field_source, AT(source), false, "begin or run" },
};
#undef AT

#define AT(field) offsetof(struct control_end, field)
static const struct field end_fields[] = {
	{ "campaign", field_name, AT(campaign), false, A_NAME },
	{ "task", field_name, AT(task), true, A_NAME },
	{ "outcome", field_outcome, AT(outcome), false, "ok, failed, killed or unknown" },
	{ "exit_code", field_exit_code, AT(exit_code), false, "an integer from 0 to 255" },
	{ "signal", field_signal, AT(signal), false, "an integer from 1 to 64" },
	{ "note", field_note, AT(note), false, "a string of at most 4096 bytes" },
	{ "result", field_result, AT(result), false, "pass or fail" },
	{ "why", field_note, AT(why), false, "a string of at most 4096 bytes" },
	{ "wait", field_bool, AT(wait), false, "true or false" },
};
#undef AT

static const struct field watch_fields[] = {
	{ "campaign", field_name, offsetof(struct watch, campaign), false, A_NAME },
	{ "level", field_level, offsetof(struct watch, level), false, A_LEVEL },
};

static void do_begin(struct request *r)
{
	struct control *c = r->peer->c;
	struct control_begin b = {
		.campaign = "default",
		.source = "begin",
		.peer_uid = r->peer->cred.uid,
		.peer_pid = r->peer->cred.pid,
	};

	if (!fields_read(r, begin_fields, ARRAY_SIZE(begin_fields), &b))
		return;
	if (!b.cgroup && !b.pid)
		field_invalid(r, "cgroup", "a cgroup or a pid is needed");
	else if (b.scope == SCOPE_PROCESS && !b.pid)
		field_invalid(r, "pid", "the scope process needs one");
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

	if (fields_read(r, end_fields, ARRAY_SIZE(end_fields), &e))
		c->ops->end(c->arg, r->peer, r->token, &e);
}

static void do_watch(struct request *r)
{
	struct watch w = { 0 };

	if (!fields_read(r, watch_fields, ARRAY_SIZE(watch_fields), &w))
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
	{ "begin", do_begin },		{ "end", do_end },     { "call", control_call },
	{ "channel", control_channel }, { "watch", do_watch }, { "flush", do_flush },
	{ "status", do_status },
};

static void dispatch(struct request *r)
{
	struct json_object *v = NULL;
	const char *op;

	json_object_object_get_ex(r->object, "op", &v);
	op = v ? field_string_of(v, FIELD_NAME_MAX) : NULL;
	for (size_t i = 0; op && i < ARRAY_SIZE(ops); i++) {
		if (strcmp(ops[i].name, op) != 0)
			continue;
		ops[i].run(r);
		return;
	}
	field_invalid(r, "op", "begin, end, call, channel, watch, flush or status");
}

/* Only forms that can be echoed as they are. NULL with *bad: something else. */
static struct json_object *id_of(struct json_object *o, bool *bad)
{
	struct json_object *id = NULL;

	json_object_object_get_ex(o, "id", &id);
	if (!id || json_object_is_type(id, json_type_int) || field_string_of(id, ID_MAX))
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
		why = "field_invalid UTF-8";
	else
		r.object = parse(line, len, &why);
	r.token = control_peer_token(p, r.object ? id_of(r.object, &bad_id) : NULL);
	if (r.token && bad_id) {
		field_invalid(&r, "id", "an integer, or a string of at most 256 bytes");
	} else if (r.token && why) {
		p->c->malformed++;
		control_error(p, r.token, "invalid", "not a JSON object: %s", why);
	} else if (r.token) {
		dispatch(&r);
	}
	json_object_put(r.object);
}
