/* SPDX-License-Identifier: GPL-2.0-only */
/* What sessions did to files: enough to say whether a file can still be what a call made of it. */
#include <string.h>

#include "payload_internal.h"

#define DIALOGS_MAX 4096
#define KNOWN_MAX   1024 /* files of a session */

static void known_free(struct dialog *d, struct known *k)
{
	HASH_DEL(d->files, k);
	blob_put(k->given);
	free(k->path);
	free(k);
}

static void roots_clear(struct dialog *d)
{
	for (size_t i = 0; i < d->n_roots; i++)
		free(d->roots[i]);
	d->n_roots = 0;
}

void dialog_free(struct payload *p, struct dialog *d)
{
	struct known *k, *next;

	HASH_ITER(hh, d->files, k, next)
	{
		known_free(d, k);
	}
	roots_clear(d);
	/* It is one of p->dialogs. NOLINTNEXTLINE(clang-analyzer-core.NullDereference) */
	HASH_DEL(p->dialogs, d);
	free(d);
}

struct dialog *payload_dialog(struct payload *p, uint64_t session)
{
	struct dialog *d;

	HASH_FIND(hh, p->dialogs, &session, sizeof(session), d);
	return d;
}

struct dialog *dialog_make(struct payload *p, uint64_t session)
{
	struct dialog *d = payload_dialog(p, session);

	if (d)
		return d;
	if (HASH_COUNT(p->dialogs) >= DIALOGS_MAX)
		dialog_free(p, p->dialogs); /* the oldest: uthash keeps the order */
	d = calloc(1, sizeof(*d));
	if (!d)
		return NULL;
	d->id = session;
	HASH_ADD(hh, p->dialogs, id, sizeof(d->id), d);
	return d;
}

struct known *payload_known(struct payload *p, uint64_t session, const char *path)
{
	struct dialog *d = payload_dialog(p, session);
	struct known *k = NULL;

	if (d && path)
		HASH_FIND_STR(d->files, path, k);
	return k;
}

static struct known *known_make(struct dialog *d, const char *path)
{
	struct known *k;

	HASH_FIND_STR(d->files, path, k);
	if (k)
		return k;
	if (HASH_COUNT(d->files) >= KNOWN_MAX)
		known_free(d, d->files);
	k = calloc(1, sizeof(*k));
	if (k)
		k->path = strdup(path);
	if (!k || !k->path) {
		free(k);
		return NULL;
	}
	HASH_ADD_KEYPTR(hh, d->files, k->path, strlen(k->path), k);
	return k;
}

void payload_end(struct payload *p, uint64_t session)
{
	struct dialog *d = payload_dialog(p, session);

	if (!d)
		return;
	d->ended = true;
	if (!d->works)
		dialog_free(p, d);
}

void dialog_leave(struct payload *p, uint64_t session)
{
	struct dialog *d = payload_dialog(p, session);

	if (!d)
		return;
	d->works -= d->works > 0;
	if (d->ended && !d->works)
		dialog_free(p, d);
}

static char *root_path(struct json_object *root)
{
	struct json_object *params = json_object_new_object();
	struct json_object *uri;
	struct shape s;
	char *decoded = NULL;

	if (params && json_object_object_get_ex(root, "uri", &uri)) {
		json_object_object_add(params, "uri", json_object_get(uri));
		shape_request(&s, "resources/read", NULL, params, &decoded);
	}
	json_object_put(params);
	return decoded;
}

void payload_roots(struct payload *p, uint64_t session, struct json_object *result)
{
	struct dialog *d = dialog_make(p, session);
	struct json_object *list;

	if (!d || !json_object_is_type(result, json_type_object) ||
	    !json_object_object_get_ex(result, "roots", &list) ||
	    !json_object_is_type(list, json_type_array))
		return;
	roots_clear(d);
	for (size_t i = 0; i < json_object_array_length(list) && d->n_roots < DISK_ROOTS; i++) {
		struct json_object *root = json_object_array_get_idx(list, i);
		char *path = json_object_is_type(root, json_type_object) ? root_path(root) : NULL;

		if (path && path[0] == '/')
			d->roots[d->n_roots++] = path;
		else
			free(path);
	}
}

/* ---- writes ---- */

void write_begins(struct work *w, struct handed *h)
{
	struct dialog *d = payload_dialog(w->payload, w->session);
	struct known *k = d && h->path ? known_make(d, h->path) : NULL;

	if (!k)
		return;
	h->alone = k->open++ == 0;
	h->writes = ++k->writes;
}

static struct known *close_write(struct work *w, struct handed *h)
{
	struct known *k = payload_known(w->payload, w->session, h->path);

	if (!k || !h->writes || h->closed)
		return NULL;
	h->closed = true;
	k->open -= k->open > 0;
	return k;
}

void write_lost(struct work *w, struct handed *h)
{
	close_write(w, h);
}

/* A write that succeeded, with no other beside it: its content is what stands there from now on. */
void write_ends(struct work *w, struct handed *h)
{
	struct known *k = close_write(w, h);
	bool sure = w->ok && w->verb == SHAPE_WRITE && h->alone;

	if (!k)
		return;
	blob_put(k->given);
	k->given = sure && k->writes == h->writes ? blob_get(h->content) : NULL;
	k->has_old =
		k->given && k->was_read && memcmp(k->read, k->given->digest, sizeof(k->read)) != 0;
	memcpy(k->old, k->read, sizeof(k->old));
	k->old_seen = k->read_seen;
	k->was_read = k->read_seen = false;
	k->writer = h->writes;
	k->encoding = h->encoding;
	k->plain = w->plain;
	k->damaged = k->seen = false;
	k->changes = w->changes;
	k->started_ns = w->started_ns;
	k->ended_ns = w->ended_ns;
}

void read_ends(struct work *w)
{
	struct dialog *d = payload_dialog(w->payload, w->session);
	const char *path = w->pairs[0].path;
	struct known *k = NULL;

	if (d && w->ok && w->verb == SHAPE_READ && w->plain && w->n_pairs == 1 && path && w->back)
		k = known_make(d, path);
	if (!k)
		return;
	k->was_read = true;
	k->read_seen = false;
	memcpy(k->read, w->back->digest, sizeof(k->read));
}

void read_was_seen(struct work *w)
{
	struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);

	if (k && k->was_read && memcmp(k->read, w->back->digest, sizeof(k->read)) == 0)
		k->read_seen = true;
}

bool payload_is_old(const struct work *w, const struct known *k)
{
	return payload_stands(w, k) && k->has_old && w->plain &&
	       memcmp(k->old, w->back->digest, sizeof(k->old)) == 0;
}

bool payload_is_last(const struct work *w, size_t pair)
{
	const struct handed *h = &w->pairs[pair];
	const struct known *k = payload_known(w->payload, w->session, h->path);
	const struct dialog *d = payload_dialog(w->payload, w->session);

	return k && h->alone && k->writes == h->writes && d->changes == w->changes;
}

bool payload_stands(const struct work *w, const struct known *k)
{
	const struct dialog *d = payload_dialog(w->payload, w->session);

	return d && k && k->given && k->writes == k->writer && d->changes == k->changes &&
	       k->ended_ns <= w->started_ns;
}
