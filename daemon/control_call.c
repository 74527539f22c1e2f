/* SPDX-License-Identifier: GPL-2.0-only */
/* The operation call, as a line has it. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "control_field.h"
#include "since.h"

#define PATH_SIZE 8192 /* one that is too long is a finding */

struct told {
	struct control_call call;
	struct json_object *text, *path; /* borrowed */
};

static bool field_tool(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);

	*(const char **)to = s;
	return s && *s;
}

/* What was handed in or handed back may hold a NUL: that is what is told of. */
static bool field_bytes(struct request *r, struct json_object *v, void *to)
{
	*(struct json_object **)to = v;
	return json_object_is_type(v, json_type_string);
}

static bool field_path(struct request *r, struct json_object *v, void *to)
{
	return field_bytes(r, v, to) && json_object_get_string_len(v) <= PATH_SIZE;
}

static bool field_code(struct request *r, struct json_object *v, void *to)
{
	return field_integer_of(v, INT_MIN, INT_MAX, to);
}

/* Seconds since 1970, or RFC 3339. */
static bool field_time(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);
	double sec;

	if (s)
		return strlen(s) > 10 && (s[10] == 'T' || s[10] == 't') &&
		       since_parse(s, 0, to) == 0;
	if (!json_object_is_type(v, json_type_int) && !json_object_is_type(v, json_type_double))
		return false;
	sec = json_object_get_double(v);
	if (!(sec > 0 && sec < (double)(INT64_MAX / NSEC_PER_SEC)))
		return false;
	/* A double has no more than a quarter of a microsecond there. */
	*(int64_t *)to = llround(sec * 1e6) * (NSEC_PER_SEC / 1000000);
	return true;
}

#define AT(field)	offsetof(struct told, call.field)
#define A_TIME		"RFC 3339, or seconds since 1970"
#define A_PATH		"a string of at most 8192 bytes"
#define AT_PLACE(field) offsetof(struct told, field)
static const struct field fields[] = {
	{ "campaign", field_name, AT(campaign), false, A_NAME },
	{ "task", field_name, AT(task), true, A_NAME },
	{ "tool", field_tool, AT(tool), true, "a string of 1 to 255 bytes" },
	{ "started", field_time, AT(started_ns), false, A_TIME },
	{ "ended", field_time, AT(ended_ns), false, A_TIME },
	{ "ok", field_bool, AT(ok), true, "true or false" },
	{ "code", field_code, AT(code), false, "an integer of 32 bits" },
	{ "text", field_bytes, AT_PLACE(text), false, "a string" },
	{ "path", field_path, AT_PLACE(path), false, A_PATH },
};

void control_call(struct request *r)
{
	struct told t = { .call.campaign = "default" };
	struct control *c = r->peer->c;
	struct json_object *id = NULL;

	if (!fields_read(r, fields, ARRAY_SIZE(fields), &t))
		return;
	if (t.text) {
		t.call.text = json_object_get_string(t.text);
		t.call.text_len = (size_t)json_object_get_string_len(t.text);
	}
	if (t.path) {
		t.call.path = json_object_get_string(t.path);
		t.call.path_len = (size_t)json_object_get_string_len(t.path);
	}
	json_object_object_get_ex(r->object, "id", &id);
	t.call.id = id ? json_object_to_json_string_ext(id, JSON_C_TO_STRING_PLAIN) : NULL;
	c->ops->call(c->arg, r->peer, r->token, &t.call);
}
