/* SPDX-License-Identifier: GPL-2.0-only */
/* Values of a request's fields, each with its limits. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "control_field.h"
#include "taxonomy.h"

#define LABEL_NAME 64
#define LABEL_SIZE 1024
#define NOTE_MAX   4096

const char *field_string_of(struct json_object *v, size_t max)
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

bool field_integer_of(struct json_object *v, int64_t min, int64_t max, int *ret)
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

int field_index_of(struct json_object *v, const char *const *names, size_t n)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);

	for (size_t i = 0; s && i < n; i++)
		if (strcmp(names[i], s) == 0)
			return (int)i;
	return -EINVAL;
}

/* '#' parts a task's name from its attempt. */
bool field_name(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);

	if (!s || !*s || has_control(s) || strchr(s, '#'))
		return false;
	*(const char **)to = s;
	return true;
}

bool field_cgroup(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, PATH_MAX - 1);
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

bool field_pid(struct request *r, struct json_object *v, void *to)
{
	return field_integer_of(v, 1, INT_MAX, to);
}

bool field_exit_code(struct request *r, struct json_object *v, void *to)
{
	return field_integer_of(v, 0, 255, to);
}

bool field_signal(struct request *r, struct json_object *v, void *to)
{
	return field_integer_of(v, 1, 64, to);
}

bool field_scope(struct request *r, struct json_object *v, void *to)
{
	static const char *const names[] = {
		[SCOPE_AUTO] = "auto", [SCOPE_CGROUP] = "cgroup", [SCOPE_PROCESS] = "process"
	};
	int n = field_index_of(v, names, ARRAY_SIZE(names));

	if (n < 0)
		return false;
	*(enum control_scope *)to = (enum control_scope)n;
	return true;
}

bool field_source(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);

	if (!s || (strcmp(s, "begin") != 0 && strcmp(s, "run") != 0))
		return false;
	*(const char **)to = s;
	return true;
}

bool field_outcome(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);
	int n = s ? outcome_parse(s) : -EINVAL;

	if (n < 0)
		return false;
	*(enum outcome *)to = (enum outcome)n;
	return true;
}

bool field_result(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);
	int n = s ? campaign_result_parse(s) : -EINVAL;

	if (n < 0)
		return false;
	*(enum campaign_result *)to = (enum campaign_result)n;
	return true;
}

bool field_level(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, FIELD_NAME_MAX);

	if (!s || level_parse(s) < 0)
		return false;
	*(const char **)to = s;
	return true;
}

bool field_note(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, NOTE_MAX);

	*(const char **)to = s;
	return s != NULL;
}

bool field_bool(struct request *r, struct json_object *v, void *to)
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

bool field_labels(struct request *r, struct json_object *v, void *to)
{
	struct control_begin *b = to;
	size_t n = 0;

	if (!json_object_is_type(v, json_type_object))
		return false;
	json_object_object_foreach (v, name, value) {
		const char *s = field_string_of(value, LABEL_SIZE);

		if (!s || !label_name_valid(name) || n == LABELS_MAX)
			return false;
		r->labels[n++] = (struct label){ name, (char *)s };
	}
	b->labels = r->labels;
	b->n_labels = n;
	return true;
}

void field_invalid(struct request *r, const char *field, const char *allowed)
{
	r->peer->c->malformed++;
	control_error(r->peer, r->token, "invalid", "field \"%s\": %s", field, allowed);
}

bool fields_read(struct request *r, const struct field *fields, size_t n, void *to)
{
	for (size_t i = 0; i < n; i++) {
		const struct field *f = &fields[i];
		struct json_object *v = NULL;

		json_object_object_get_ex(r->object, f->name, &v);
		if (!v && !f->required)
			continue;
		if (v && f->read(r, v, (char *)to + f->offset))
			continue;
		field_invalid(r, f->name, f->allowed);
		return false;
	}
	return true;
}
