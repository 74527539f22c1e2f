/* SPDX-License-Identifier: GPL-2.0-only */
/* The end of an object's text, read backwards. */
#include <string.h>

#include "rpc_impl.h"

#define MEMBERS 8 /* read at one end, at most */

struct span {
	const char *p;
	size_t len;
};

static size_t skip_blanks(const char *text, size_t end)
{
	while (end && strchr(" \t\r\n", text[end - 1]) && text[end - 1])
		end--;
	return end;
}

static bool escaped(const char *text, size_t at)
{
	size_t n = 0;

	while (n < at && text[at - 1 - n] == '\\')
		n++;
	return n & 1;
}

/* The string or word that ends at `end`. Returns where it begins; `end`: there is none. */
static size_t plain_value(const char *text, size_t end)
{
	size_t at = end;

	if (!end)
		return end;
	if (text[end - 1] == '"') {
		for (at = end - 1; at > 0; at--)
			if (text[at - 1] == '"' && !escaped(text, at - 1))
				return at - 1;
		return end;
	}
	while (at && strchr("+-.0123456789Eaeflnrstu", text[at - 1]) && text[at - 1])
		at--;
	return at;
}

/* One member before `end`: key and value. Returns where it begins; `end`: there is none. */
static size_t plain_member(const char *text, size_t end, struct span *key, struct span *value)
{
	size_t at = skip_blanks(text, end), begin = plain_value(text, at);

	if (begin == at)
		return end;
	*value = (struct span){ text + begin, at - begin };
	at = skip_blanks(text, begin);
	if (!at || text[at - 1] != ':')
		return end;
	at = skip_blanks(text, at - 1);
	if (!at || text[at - 1] != '"')
		return end;
	begin = plain_value(text, at);
	if (begin == at || at - begin < 2)
		return end;
	*key = (struct span){ text + begin + 1, at - begin - 2 };
	return begin;
}

static void add(struct json_object *o, const struct span *key, const struct span *value)
{
	char name[32];
	struct json_tokener *t;
	struct json_object *v;

	if (!o || key->len >= sizeof(name))
		return;
	memcpy(name, key->p, key->len);
	name[key->len] = '\0';
	if (json_object_object_get_ex(o, name, NULL))
		return;
	t = json_tokener_new();
	if (!t)
		return;
	/* the blank ends a number */
	v = json_tokener_parse_ex(t, value->p, (int)value->len);
	if (!v && json_tokener_get_error(t) == json_tokener_continue)
		v = json_tokener_parse_ex(t, " ", 1);
	if (json_tokener_get_error(t) == json_tokener_success &&
	    json_object_object_add(o, name, v) < 0)
		json_object_put(v);
	json_tokener_free(t);
}

/* The members at the end of the object whose closing bracket is before `end`. Returns where the
 * first of them begins, the comma before it included; 0: nothing was found. */
static size_t members(struct json_object *o, const char *text, size_t end)
{
	struct span key, value;
	size_t at = skip_blanks(text, end);

	if (!at || text[at - 1] != '}')
		return 0;
	at--;
	for (int i = 0; i < MEMBERS; i++) {
		size_t begin = plain_member(text, at, &key, &value);

		if (begin == at)
			return at;
		add(o, &key, &value);
		at = skip_blanks(text, begin);
		if (!at || text[at - 1] != ',')
			return 0;
		at--;
	}
	return 0;
}

void rpc_add_tail(struct json_object *object, struct json_object *inner, const char *text,
		  size_t len)
{
	size_t at = members(object, text, len);

	if (at && inner)
		members(inner, text, at);
}
