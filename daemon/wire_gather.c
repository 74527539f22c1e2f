/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "wire_impl.h"

#define KEEP_BUFFER (64 << 10) /* a larger one is given back after each message */

static void begin(struct wire *w)
{
	struct gather *m = &w->msg;

	if (m->begun)
		return;
	m->begun = true;
	m->begin_ns = m->end_ns = w->ts;
	EVP_DigestInit_ex(w->md, EVP_sha256(), NULL);
}

/* The end of a message that is longer than what is kept: the last bytes move through a window. */
static void store_end(struct wire *w, const char *p, size_t n)
{
	struct gather *m = &w->msg;
	size_t window = w->max / 4 < WIRE_TAIL ? w->max / 4 : WIRE_TAIL;
	size_t head = w->max - window;

	m->cut = true;
	if (!m->torn || m->gap > head)
		m->gap = head;
	if (!m->torn || m->tail < head)
		m->tail = head;
	m->torn = true;
	if (n >= window) {
		memcpy(m->buf + head, p + n - window, window);
		m->tail = head;
		return;
	}
	memmove(m->buf + head, m->buf + head + n, window - n);
	memcpy(m->buf + w->max - n, p, n);
	m->tail = m->tail - head > n ? m->tail - n : head;
}

static void store(struct wire *w, const char *p, size_t n)
{
	struct gather *m = &w->msg;
	size_t take = n < w->max - m->len ? n : w->max - m->len;

	if (take) {
		if (util_grow((void **)&m->buf, &m->cap, m->len + take + 1, 1) < 0) {
			w->error = -ENOMEM;
			m->keep = false;
			m->len = m->gap = m->tail = 0;
			m->torn = m->cut = true;
			return;
		}
		memcpy(m->buf + m->len, p, take);
		m->len += take;
	}
	if (n > take)
		store_end(w, p + take, n - take);
}

void gather_add(struct wire *w, const char *p, size_t n)
{
	struct gather *m = &w->msg;

	if (!n)
		return;
	begin(w);
	EVP_DigestUpdate(w->md, p, n);
	m->total += n;
	m->end_ns = w->ts;
	if (m->keep)
		store(w, p, n);
}

void gather_gap(struct wire *w, uint64_t n)
{
	struct gather *m = &w->msg;

	begin(w);
	m->total += n;
	m->cut = true;
	if (!m->torn)
		m->gap = m->len;
	m->tail = m->len;
	m->torn = true;
}

void gather_torn(struct wire *w)
{
	gather_gap(w, 0);
}

void gather_cut(struct wire *w)
{
	if (w->msg.begun)
		gather_gap(w, 0);
}

static const char *or_null(const char *s)
{
	return *s ? s : NULL;
}

void gather_hand(struct wire *w)
{
	struct gather *g = &w->msg;
	const struct head *h = &w->head;
	struct wire_message m = {
		.data = "",
		.total = g->total,
		.cut = g->cut,
		.begin_ns = g->begun ? g->begin_ns : w->ts,
		.end_ns = g->begun ? g->end_ns : w->ts,
		.http = h->http,
		.encoded = h->encoded,
		.page = h->page,
		.http_status = h->status,
		.http_method = or_null(h->method),
		.http_path = or_null(h->path),
		.http_session = or_null(h->session),
	};

	if (g->keep && g->len && g->buf) {
		g->buf[g->len] = '\0';
		m.data = g->buf;
		m.len = g->len;
	}
	begin(w); /* an empty body has a digest too */
	EVP_DigestFinal_ex(w->md, m.digest, NULL);
	m.gap = g->torn && m.len ? g->gap : m.len;
	m.tail = g->torn && m.len ? g->tail : m.len;
	w->fn(&m, w->arg);
	gather_drop(w);
}

void gather_drop(struct wire *w)
{
	struct gather *m = &w->msg;

	if (m->cap > KEEP_BUFFER) {
		free(m->buf);
		m->buf = NULL;
		m->cap = 0;
	}
	*m = (struct gather){ .buf = m->buf, .cap = m->cap, .keep = true };
}
