/* SPDX-License-Identifier: GPL-2.0-only */
/* What the disk is asked of a call. */
#include <errno.h>
#include <string.h>
#include <unistr.h>
#include <utlist.h>

#include "payload_internal.h"
#include "traversal.h"

bool payload_is_utf8(const char *path)
{
	return !u8_check((const uint8_t *)path, strlen(path));
}

struct ask *payload_ask(struct work *w, const struct disk_question *q, enum ask_kind kind,
			size_t pair)
{
	struct payload *p = w->payload;
	struct ask *k = p->o.disk && q->who.tgid ? calloc(1, sizeof(*k)) : NULL;

	if (!k)
		return NULL;
	*k = (struct ask){ .work = w, .kind = kind, .pair = pair };
	if (disk_ask(p->o.disk, q, payload_on_answer, k) < 0) {
		p->unseen++;
		free(k);
		return NULL;
	}
	DL_APPEND(p->asks, k);
	w->questions++;
	return k;
}

void payload_fault_free(struct call_fault *f)
{
	if (!f)
		return;
	text_free(&f->subject);
	free(f->say);
	free(f);
}

void payload_asks_drop(struct payload *p)
{
	struct ask *k, *next;

	DL_FOREACH_SAFE(p->asks, k, next)
	{
		disk_forget(p->o.disk, k);
		DL_DELETE(p->asks, k);
		payload_fault_free(k->fault);
		free(k);
	}
}

static void add_roots(const struct work *w, struct disk_question *q)
{
	const struct dialog *d = payload_dialog(w->payload, w->session);

	for (size_t i = 0; d && i < d->n_roots; i++)
		q->roots[q->n_roots++] = d->roots[i];
}

static bool has_path(const struct work *w)
{
	for (size_t i = 0; i < w->n_pairs; i++)
		if (w->pairs[i].path && w->pairs[i].path[0])
			return true;
	return false;
}

/* As a decoder reads it that puts U+FFFD for what is no UTF-8. */
static void replace_invalid(const char *path, char *buf)
{
	size_t left = strlen(path), n = 0;
	const uint8_t *at = (const uint8_t *)path;

	while (left && n + 8 < PATH_MAX) {
		ucs4_t c;
		int used = u8_mbtouc(&c, at, left);

		n += (size_t)u8_uctomb((uint8_t *)buf + n, c, 8);
		at += used;
		left -= (size_t)used;
	}
	buf[n] = '\0';
}

/* The call's first path in another spelling, which is a question of its own: NULL: it has none. */
static const char *other_spelling(const char *path, char *buf)
{
	if (strlen(path) >= PATH_MAX)
		return NULL;
	if (!payload_is_utf8(path))
		replace_invalid(path, buf);
	else if (traversal_decode(path, buf))
		return buf;
	else if (traversal_has_dots(path)) /* as path.normalize() makes it */
		traversal_normalize(path, buf);
	else
		return NULL;
	return strcmp(buf, path) ? buf : NULL;
}

static void add_known(struct disk_question *q, const uint8_t *digest)
{
	if (q->n_known < DISK_KNOWN)
		memcpy(q->known[q->n_known++], digest, CALL_DIGEST);
}

/* What is to stand in the files, and so needs not be sent. */
static void expect(const struct work *w, struct disk_question *q)
{
	if (w->verb == SHAPE_READ && (w->back || w->shown))
		q->want |= DISK_BYTES;
	if (w->back)
		add_known(q, w->back->digest);
	for (size_t i = 0; i < w->n_pairs && w->verb == SHAPE_WRITE; i++) {
		const struct handed *h = &w->pairs[i];

		if (!h->content)
			continue;
		q->want |= DISK_BYTES | DISK_YOUNGEST;
		if (h->encoding <= SHAPE_MAYBE)
			add_known(q, h->content->digest);
		if (h->decodes)
			add_known(q, h->decoded_digest);
	}
}

void payload_ask_server(struct work *w)
{
	struct disk_question q = { .who = w->server, .want = DISK_DIGEST };
	char other[PATH_MAX];
	const char *more;

	if (!has_path(w))
		return;
	for (size_t i = 0; i < w->n_pairs; i++) {
		const char *path = w->pairs[i].path;

		/* Every pair keeps its number. */
		q.paths[q.n_paths++] = path && path[0] ? path : ".";
	}
	more = w->pairs[0].path ? other_spelling(w->pairs[0].path, other) : NULL;
	if (more && q.n_paths < DISK_PATHS)
		q.paths[q.n_paths++] = more;
	add_roots(w, &q);
	expect(w, &q);
	if (!payload_ask(w, &q, ASK_SERVER, 0))
		payload_round(w);
}

struct ask *payload_ask_bytes(struct work *w, enum ask_kind kind, size_t pair, const char *real)
{
	struct disk_question q = {
		.who = w->server, .paths[0] = real, .n_paths = 1, .want = DISK_BYTES | DISK_NO_ARGV
	};

	if (kind == ASK_BYTES && w->verb == SHAPE_WRITE)
		q.want |= DISK_SETTLED;
	return payload_ask(w, &q, kind, pair);
}

void payload_ask_client(struct work *w)
{
	struct disk_question q = { .who = w->client, .want = DISK_BYTES | DISK_NO_ARGV };
	const char *path = w->pairs[w->signs_pair].path;

	if (path && *shape_basename(path)) {
		q.paths[q.n_paths++] = shape_basename(path);
		if (strcmp(path, shape_basename(path)) != 0)
			q.paths[q.n_paths++] = path;
	}
	add_known(&q, w->pairs[w->signs_pair].content->digest); /* the server's own copy */
	if (!q.n_paths || !payload_ask(w, &q, ASK_CLIENT, w->signs_pair))
		payload_client(w, NULL);
}
