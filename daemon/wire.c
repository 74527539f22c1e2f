/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "wire_impl.h"

struct wire *wire_new(size_t max, wire_fn fn, void *arg)
{
	struct wire *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->max = !max ? WIRE_MAX : max < 1024 ? 1024 : max;
	w->fn = fn;
	w->arg = arg;
	gather_drop(w);
	w->md = EVP_MD_CTX_new();
	if (!w->md) {
		free(w);
		return NULL;
	}
	return w;
}

void wire_free(struct wire *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n_held; i++)
		free(w->held[i].data);
	free(w->msg.buf);
	EVP_MD_CTX_free(w->md);
	free(w);
}

size_t wire_held(const struct wire *w)
{
	return sizeof(*w) + w->msg.cap + w->held_bytes;
}

/* A late record may be older than what comes behind it in the stream. */
static void tell_time(struct wire *w, uint64_t ts)
{
	if (ts > w->ts)
		w->ts = ts;
}

/* A record that is due, or overlaps what was had. */
static void consume(struct wire *w, const struct held *r)
{
	uint64_t had = w->next - r->offset;
	size_t skip = had < r->len ? (size_t)had : r->len;
	uint64_t missing = r->missing;

	had -= skip;
	missing -= had < missing ? had : missing;
	tell_time(w, r->ts);
	if (r->len > skip)
		frame_take(w, r->data + skip, r->len - skip);
	if (missing)
		frame_gap(w, missing);
	w->next += r->len - skip + missing;
}

static void drop_first(struct wire *w)
{
	w->held_bytes -= w->held[0].len;
	free(w->held[0].data);
	w->n_held--;
	memmove(w->held, w->held + 1, w->n_held * sizeof(w->held[0]));
}

static void consume_due(struct wire *w)
{
	while (w->n_held && w->held[0].offset <= w->next) {
		consume(w, &w->held[0]);
		drop_first(w);
	}
}

static void give_up(struct wire *w)
{
	tell_time(w, w->held[0].ts);
	frame_gap(w, w->held[0].offset - w->next);
	w->next = w->held[0].offset;
	consume_due(w);
}

static int hold(struct wire *w, const struct held *r)
{
	struct held copy = *r;
	size_t i = 0;

	while (w->n_held == HELD_RECORDS || (w->n_held && w->held_bytes + r->len > HELD_BYTES)) {
		give_up(w);
		if (r->offset <= w->next) {
			consume(w, r);
			consume_due(w);
			return 0;
		}
	}
	copy.data = malloc(r->len + 1);
	if (!copy.data)
		return -ENOMEM; /* the bytes become a gap when the next record comes */
	if (r->len)
		memcpy(copy.data, r->data, r->len);
	while (i < w->n_held && w->held[i].offset <= r->offset)
		i++;
	memmove(w->held + i + 1, w->held + i, (w->n_held - i) * sizeof(w->held[0]));
	w->held[i] = copy;
	w->n_held++;
	w->held_bytes += r->len;
	return 0;
}

static int take_error(struct wire *w)
{
	int r = w->error;

	w->error = 0;
	return r;
}

int wire_take(struct wire *w, uint64_t ts, uint64_t offset, const void *data, size_t len,
	      uint32_t missing)
{
	/* `data` is only read */
	struct held r = { ts, offset, missing, len, (char *)data };
	uint64_t end;
	int err;

	if (__builtin_add_overflow(offset, len, &end) || end > UINT64_MAX - missing)
		return -EINVAL;
	if (offset > w->next) {
		err = hold(w, &r);
		if (err < 0)
			return err;
	} else {
		consume(w, &r);
		consume_due(w);
	}
	return take_error(w);
}

int wire_flush(struct wire *w, uint64_t ts)
{
	/* the oldest decides: those before it in the stream go with it */
	for (size_t i = 0; i < w->n_held;) {
		if (w->held[i].ts > ts) {
			i++;
			continue;
		}
		give_up(w);
		i = 0;
	}
	return take_error(w);
}

void wire_end(struct wire *w)
{
	while (w->n_held)
		give_up(w);
	frame_end(w);
	w->next = 0;
	w->error = 0;
}
