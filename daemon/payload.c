/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <openssl/evp.h>
#include <string.h>
#include <utlist.h>

#include "payload_internal.h"
#include "traversal.h"

#define HOLD_MAX (32U << 20)
#define HOLD_NS	 (60 * NSEC_PER_SEC)

/* ---- contents ---- */

static void blob_drop(struct blob *b)
{
	if (!b->data)
		return;
	DL_DELETE(b->payload->oldest, b);
	b->payload->held -= b->len + 1;
	free(b->data);
	b->data = NULL;
}

void blob_put(struct blob *b)
{
	if (!b || --b->refs)
		return;
	blob_drop(b);
	free(b);
}

struct blob *blob_get(struct blob *b)
{
	if (b)
		b->refs++;
	return b;
}

/* What is too long, or finds no room, is known by its digest alone. */
struct blob *blob_new(struct payload *p, const void *data, size_t len, uint64_t now)
{
	struct blob *b = calloc(1, sizeof(*b));

	if (!b)
		return NULL;
	*b = (struct blob){ .payload = p, .refs = 1, .len = len, .held_ns = now };
	EVP_Digest(data, len, b->digest, NULL, EVP_sha256(), NULL);
	if (len > DISK_MAX || len + 1 > p->o.hold_max)
		return b;
	while (p->oldest && p->held + len + 1 > p->o.hold_max)
		blob_drop(p->oldest);
	b->data = malloc(len + 1);
	if (!b->data)
		return b;
	memcpy(b->data, data, len);
	b->data[len] = '\0';
	p->held += len + 1;
	DL_APPEND(p->oldest, b);
	return b;
}

void payload_tick(struct payload *p, uint64_t now)
{
	while (p->oldest && p->oldest->held_ns + HOLD_NS < now)
		blob_drop(p->oldest);
}

size_t payload_held(const struct payload *p)
{
	return p->held;
}

uint64_t payload_unseen(const struct payload *p)
{
	return p->unseen;
}

/* ---- calls ---- */

static void work_free(struct work *w)
{
	for (size_t i = 0; i < w->n_pairs; i++) {
		free(w->pairs[i].path);
		blob_put(w->pairs[i].content);
	}
	blob_put(w->back);
	blob_put(w->shown);
	free(w->looked_in);
	free(w->stands_in);
	if (w->held.tgid)
		disk_release(w->payload->o.disk, &w->held);
	dialog_leave(w->payload, w->session);
	HASH_DEL(w->payload->works, w);
	free(w);
}

void work_settle(struct work *w)
{
	struct payload *p = w->payload;
	uint64_t id = w->id;
	bool tell = w->waits && w->call && p->o.done;

	if (w->questions || !w->answered)
		return;
	work_free(w);
	if (tell)
		p->o.done(id, p->o.arg);
}

static struct work *work_find(struct payload *p, uint64_t id)
{
	struct work *w;

	HASH_FIND(hh, p->works, &id, sizeof(id), w);
	return w;
}

static int take_pair(struct work *w, const struct shape_pair *from)
{
	struct handed *h = &w->pairs[w->n_pairs];
	_cleanup_free_ uint8_t *decoded = NULL;
	size_t n;

	/* A path with a NUL in it is said by itself: it names no file. */
	if (from->path.s && !memchr(from->path.s, '\0', from->path.len)) {
		h->path = strndup(from->path.s, from->path.len);
		if (!h->path)
			return -ENOMEM;
	}
	w->n_pairs++;
	h->encoding = from->encoding;
	if (!from->content.s)
		return 0;
	h->content = blob_new(w->payload, from->content.s, from->content.len, w->started_ns);
	if (!h->content)
		return -ENOMEM;
	if (from->encoding != SHAPE_TEXT && from->encoding != SHAPE_FOREIGN &&
	    base64_decode(from->content.s, from->content.len, &decoded, &n, NULL) == BASE64_OK)
		h->decodes = EVP_Digest(decoded, n, h->decoded_digest, NULL, EVP_sha256(), NULL);
	write_begins(w, h);
	return 0;
}

static int take_request(struct work *w, struct dialog *d, const struct shape *s)
{
	int r = 0;

	w->changes = d->changes;
	w->verb = s->verb;
	w->plain = s->plain;
	w->lists = s->lists;
	for (size_t i = 0; i < s->n_pairs && r == 0; i++)
		r = take_pair(w, &s->pairs[i]);
	return r;
}

/* ---- requests ---- */

static struct work *work_new(struct payload *p, struct call *c)
{
	struct work *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->payload = p;
	w->id = c->id;
	w->call = c;
	w->session = c->session;
	w->instance = c->instance;
	w->started_ns = c->started_ns;
	w->client = c->client;
	w->server = c->server;
	HASH_ADD(hh, p->works, id, sizeof(w->id), w);
	return w;
}

/* Reads and lists leave the files as they are, and of a plain write it is known which it
 * changes. */
static bool may_change(const struct call *c, const struct shape *s)
{
	return c->tool && s->verb != SHAPE_READ && !s->lists &&
	       !(s->verb == SHAPE_WRITE && s->plain);
}

/* Before all that takes time: the server may end with its answer. */
static void hold(struct work *w, const struct shape *s)
{
	if (!w->payload->o.disk || !w->server.tgid || s->verb == SHAPE_OTHER || !s->pairs[0].path.s)
		return;
	w->held = w->server;
	disk_hold(w->payload->o.disk, &w->held);
}

int payload_request(struct payload *p, struct call *c, struct json_object *params)
{
	_cleanup_free_ char *decoded = NULL;
	struct dialog *d = dialog_make(p, c->session);
	struct shape s;
	struct work *w;
	int r = d ? 0 : -ENOMEM;

	shape_request(&s, c->method, c->tool, params, &decoded);
	if (r == 0)
		r = payload_signs(c, &s);
	payload_veil(p, c);
	if (r < 0)
		return r;
	d->changes += may_change(c, &s);
	if (!s.n_pairs || work_find(p, c->id))
		return 0;
	w = work_new(p, c);
	if (!w)
		return -ENOMEM;
	d->works++;
	hold(w, &s);
	r = take_request(w, d, &s);
	if (r < 0) {
		work_free(w);
		return r;
	}
	payload_look_at_text(w, &s);
	if (w->signs.magic || w->signs.replacements)
		payload_ask_client(w);
	payload_veil(p, c);
	return 0;
}

/* ---- answers ---- */

static int take_shown(struct work *w, const struct shape_answer *a)
{
	size_t len = 0, texts = 0;
	char *all;

	for (size_t i = 0; i < a->n_parts; i++)
		if (a->parts[i].encoding == SHAPE_TEXT)
			len += a->parts[i].content.len + 1;
	all = malloc(len + 1);
	if (!all)
		return -ENOMEM;
	len = 0;
	for (size_t i = 0; i < a->n_parts; i++) {
		const struct shape_string *s = &a->parts[i].content;

		if (a->parts[i].encoding != SHAPE_TEXT)
			continue;
		memcpy(all + len, s->s, s->len);
		len += s->len;
		all[len++] = '\n';
		texts++;
	}
	if (texts) /* the last newline is ours */
		w->shown = blob_new(w->payload, all, len - 1, w->ended_ns);
	free(all);
	/* One content is the file's; of several nobody knows which is. */
	if (a->n_parts == 1 && texts == 1)
		w->back = blob_get(w->shown);
	return texts && !w->shown ? -ENOMEM : 0;
}

static int take_answer(struct work *w, struct call *c, struct json_object *result)
{
	struct shape_answer a;
	int r = 0;

	shape_result(&a, result);
	for (size_t i = 0; i < a.n_parts && r == 0; i++)
		r = payload_check_part(w, c, &a.parts[i]);
	if (!w || r < 0)
		return r;
	if (a.n_parts > 1) {
		blob_put(w->back);
		w->back = NULL;
	}
	if (a.partial)
		w->plain = false;
	return take_shown(w, &a);
}

int payload_answer(struct payload *p, struct call *c, struct json_object *params,
		   struct json_object *result)
{
	struct work *w = work_find(p, c->id);
	int r = 0;

	if (w) {
		w->call = c;
		w->ended_ns = c->ended_ns;
		w->server = c->server;
		w->client = c->client;
		w->instance = c->instance;
		w->ok = c->end == CALL_OK && !c->cut;
		for (size_t i = 0; i < w->n_pairs; i++)
			write_ends(w, &w->pairs[i]);
	}
	if (c->end == CALL_OK && !c->cut)
		r = take_answer(w, c, result);
	if (w && r == 0)
		read_ends(w);
	payload_veil(p, c);
	if (!w)
		return r;
	w->answered = true;
	if (r == 0 && w->ok)
		payload_ask_server(w);
	else if (r == 0 && c->end == CALL_TOOL_ERROR)
		payload_ask_lost(w);
	payload_veil(p, c);
	r = r < 0 ? r : w->questions > 0;
	if (r > 0)
		w->waits = true;
	else if (r < 0)
		w->call = NULL;
	work_settle(w);
	return r;
}

void payload_forget(struct payload *p, uint64_t call)
{
	struct work *w = work_find(p, call);

	if (!w)
		return;
	for (size_t i = 0; i < w->n_pairs; i++)
		write_lost(w, &w->pairs[i]);
	w->call = NULL;
	w->answered = true;
	work_settle(w);
}

/* ---- the whole ---- */

int payload_new(struct payload **ret, const struct payload_options *o)
{
	struct payload *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->o = *o;
	if (!p->o.hold_max)
		p->o.hold_max = HOLD_MAX;
	*ret = p;
	return 0;
}

void payload_free(struct payload *p)
{
	struct dialog *d, *next_dialog;
	struct work *w, *next_work;

	if (!p)
		return;
	payload_asks_drop(p);
	HASH_ITER(hh, p->works, w, next_work)
	{
		work_free(w);
	}
	HASH_ITER(hh, p->dialogs, d, next_dialog)
	{
		dialog_free(p, d);
	}
	free(p);
}
