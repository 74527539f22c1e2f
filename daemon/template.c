/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "template.h"

#define LABEL_MAX 64

enum field_kind { FIELD_CAMPAIGN, FIELD_TASK, FIELD_LABEL };

/* A template is: literal, field, literal, field, …, literal; slashes are part of the literals.
 * A literal is never empty between two fields, so that what each takes is defined. */
struct field {
	enum field_kind kind;
	char *label;
};

struct template
{
	char *text;
	char *root;
	size_t n;
	struct field fields[TEMPLATE_FIELDS];
	char *literals[TEMPLATE_FIELDS + 1];
};

struct span {
	const char *at;
	size_t len;
};

void template_free(struct template *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n; i++)
		free(t->fields[i].label);
	for (size_t i = 0; i <= t->n; i++)
		free(t->literals[i]);
	free(t->root);
	free(t->text);
	free(t);
}

static void template_freep(struct template **t)
{
	template_free(*t);
}

static int refuse(char **error, const char *text, const char *what, const char *allowed)
{
	_cleanup_free_ char *escaped = util_escape(text, strlen(text));

	if (!escaped || asprintf(error, "\"%s\": %s; allowed: %s", escaped, what, allowed) < 0) {
		*error = NULL;
		return -ENOMEM;
	}
	return -EINVAL;
}

static bool label_valid(const char *s, size_t len)
{
	if (len == 0 || len > LABEL_MAX)
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr("_.-", s[i]))
			return false;
	return true;
}

/* Sets *kind and the label's name within `s`; false: no such placeholder. */
static bool field_parse(const char *s, size_t len, enum field_kind *kind, struct span *label)
{
	static const char prefix[] = "label.";
	const size_t n = sizeof(prefix) - 1;

	*label = (struct span){ 0 };
	if (len == strlen("task") && memcmp(s, "task", len) == 0) {
		*kind = FIELD_TASK;
		return true;
	}
	if (len == strlen("campaign") && memcmp(s, "campaign", len) == 0) {
		*kind = FIELD_CAMPAIGN;
		return true;
	}
	if (len <= n || memcmp(s, prefix, n) != 0 || !label_valid(s + n, len - n))
		return false;
	*kind = FIELD_LABEL;
	*label = (struct span){ s + n, len - n };
	return true;
}

static bool field_known(const struct template *t, enum field_kind kind, const struct span *label)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct field *f = &t->fields[i];

		if (f->kind != kind)
			continue;
		if (kind != FIELD_LABEL)
			return true;
		if (strlen(f->label) == label->len && memcmp(f->label, label->at, label->len) == 0)
			return true;
	}
	return false;
}

/* The form of the path itself, placeholders aside. */
static const char *path_fault(const char *text)
{
	if (text[0] != '/')
		return "does not begin with /";
	if (strlen(text) >= TEMPLATE_PATH_MAX)
		return "is too long";
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return "holds a control character";
	for (const char *p = text; *p;) {
		size_t len = strcspn(++p, "/");

		if (len == 0)
			return "holds an empty component";
		if ((len == 1 && p[0] == '.') || (len == 2 && p[0] == '.' && p[1] == '.'))
			return "holds a . or .. component";
		p += len;
	}
	return NULL;
}

static int add_field(struct template *t, const char *s, size_t len, char **error)
{
	static const char names[] = "{campaign}, {task}, {label.NAME} (NAME of letters, digits, "
				    "_ . -, at most 64)";
	struct field *f = &t->fields[t->n];
	struct span label;
	enum field_kind kind;

	if (!field_parse(s, len, &kind, &label)) {
		_cleanup_free_ char *what = NULL;

		if (asprintf(&what, "unknown placeholder {%.*s}", (int)len, s) < 0) {
			what = NULL;
			return -ENOMEM;
		}
		return refuse(error, t->text, what, names);
	}
	if (field_known(t, kind, &label))
		return refuse(error, t->text, "a placeholder stands twice", "each name once");
	if (t->n == TEMPLATE_FIELDS)
		return refuse(error, t->text, "too many placeholders", "16");
	if (t->n && !*t->literals[t->n])
		return refuse(error, t->text, "two placeholders touch", "text between them");
	f->kind = kind;
	f->label = NULL;
	if (kind == FIELD_LABEL) {
		f->label = strndup(label.at, label.len);
		if (!f->label)
			return -ENOMEM;
	}
	t->n++;
	return 0;
}

static int compile_fields(struct template *t, char **error)
{
	for (const char *p = t->text;;) {
		size_t len = strcspn(p, "{}");
		int r;

		t->literals[t->n] = strndup(p, len);
		if (!t->literals[t->n])
			return -ENOMEM;
		p += len;
		if (!*p)
			return 0;
		len = strcspn(p + 1, "{}/");
		if (p[0] == '}' || p[1 + len] != '}')
			return refuse(error, t->text, "a brace without its partner",
				      "{NAME} within one component");
		r = add_field(t, p + 1, len, error);
		if (r < 0)
			return r;
		p += len + 2;
	}
}

int template_compile(struct template **ret, const char *text, char **error)
{
	_cleanup_(template_freep) struct template *t = calloc(1, sizeof(*t));
	const char *fault = path_fault(text);
	const struct span none = { 0 };
	char *slash;
	int r;

	*error = NULL;
	if (!t)
		return -ENOMEM;
	if (fault)
		return refuse(error, text, fault,
			      "an absolute path like /system.slice/docker-{task}.scope");
	t->text = strdup(text);
	if (!t->text)
		return -ENOMEM;
	r = compile_fields(t, error);
	if (r < 0)
		return r;
	if (!field_known(t, FIELD_TASK, &none))
		return refuse(error, text, "{task} is missing", "{task} exactly once");
	t->root = strdup(t->literals[0]);
	if (!t->root)
		return -ENOMEM;
	slash = strrchr(t->root, '/');
	slash[slash == t->root ? 1 : 0] = '\0';
	*ret = TAKE_PTR(t);
	return 0;
}

const char *template_text(const struct template *t)
{
	return t->text;
}

const char *template_root(const struct template *t)
{
	return t->root;
}

/* Where a field that starts at `p` ends, if `literal` is to follow it; NULL: nowhere. The last
 * literal must reach the end. Taking the first place is enough: where a later one would lead to a
 * match, so does the first, since a field takes any bytes but a slash. */
static const char *field_end(const char *p, const char *end, const char *literal, bool last)
{
	size_t len = strlen(literal);
	size_t left = (size_t)(end - p);
	const char *slash = memchr(p, '/', left);
	const char *found;

	if (left < 1 + len)
		return NULL;
	if (last)
		found = memcmp(end - len, literal, len) == 0 ? end - len : NULL;
	else
		found = memmem(p + 1, left - 1, literal, len);
	return found && (!slash || found <= slash) ? found : NULL;
}

/*
 * Splits the path. Fields of different components can't disturb each other: a literal that holds
 * a slash is found at its first place or not at all, as the field before it must not cross one.
 */
static bool split(const struct template *t, const char *path, struct span *spans)
{
	size_t len = strnlen(path, TEMPLATE_PATH_MAX);
	size_t first = strlen(t->literals[0]);
	const char *end = path + len, *p = path + first;

	if (len == TEMPLATE_PATH_MAX || len < first || memcmp(path, t->literals[0], first) != 0)
		return false;
	for (size_t i = 0; i < t->n; i++) {
		const char *stop = field_end(p, end, t->literals[i + 1], i + 1 == t->n);

		if (!stop)
			return false;
		spans[i] = (struct span){ p, (size_t)(stop - p) };
		p = stop + strlen(t->literals[i + 1]);
	}
	return true;
}

static char *value_of(const struct span *s)
{
	_cleanup_free_ char *escaped = util_escape(s->at, s->len);
	size_t hashes = 0;
	char *out, *o;

	if (!escaped)
		return NULL;
	for (const char *p = escaped; *p; p++)
		hashes += *p == '#';
	out = malloc(strlen(escaped) + hashes * 3 + 1);
	if (!out)
		return NULL;
	o = out;
	for (const char *p = escaped; *p; p++) {
		if (*p == '#')
			o = stpcpy(o, "\\x23");
		else
			*o++ = *p;
	}
	*o = '\0';
	return out;
}

static int take(struct template_match *m, const struct field *f, const struct span *s)
{
	_cleanup_free_ char *value = value_of(s);
	struct label *l = &m->labels[m->n_labels];

	if (!value)
		return -ENOMEM;
	switch (f->kind) {
	case FIELD_CAMPAIGN:
		m->campaign = TAKE_PTR(value);
		return 0;
	case FIELD_TASK:
		m->task = TAKE_PTR(value);
		return 0;
	case FIELD_LABEL:
		l->name = strdup(f->label);
		if (!l->name)
			return -ENOMEM;
		l->value = TAKE_PTR(value);
		m->n_labels++;
		return 0;
	}
	return 0;
}

int template_match(const struct template *t, const char *path, struct template_match *ret)
{
	_cleanup_(template_match_clear) struct template_match m = { 0 };
	struct span spans[TEMPLATE_FIELDS];

	if (!split(t, path, spans))
		return 0;
	m.labels = calloc(TEMPLATE_FIELDS, sizeof(*m.labels));
	if (!m.labels)
		return -ENOMEM;
	for (size_t i = 0; i < t->n; i++)
		if (take(&m, &t->fields[i], &spans[i]) < 0)
			return -ENOMEM;
	if (!m.campaign)
		m.campaign = strdup("default");
	if (!m.campaign)
		return -ENOMEM;
	*ret = m;
	m = (struct template_match){ 0 };
	return 1;
}

void template_match_clear(struct template_match *m)
{
	for (size_t i = 0; i < m->n_labels; i++) {
		free(m->labels[i].name);
		free(m->labels[i].value);
	}
	free(m->labels);
	free(m->campaign);
	free(m->task);
	*m = (struct template_match){ 0 };
}
