/* SPDX-License-Identifier: GPL-2.0-only */
/* Bodies: of a known length, chunked (RFC 9112 section 7.1), or until the connection's end. */
#include "wire_impl.h"

/* RFC 9112 section 6.3 */
static bool has_body(const struct head *h)
{
	if (h->answer && (h->status < 200 || h->status == 204 || h->status == 304))
		return false;
	return h->chunked || (h->sized && h->length) || (h->answer && !h->sized);
}

void body_begin(struct wire *w)
{
	struct head *h = &w->head;

	w->sse = (struct sse){ 0 };
	w->left = h->length;
	w->state = AT_START;
	if (h->answer && h->status == 101) {
		w->state = AT_OPAQUE;
	} else if (h->answer && h->status < 200) {
		return; /* the real answer follows */
	} else if (!has_body(h)) {
		body_end(w, true);
	} else {
		w->state = h->chunked ? AT_CHUNK_SIZE : AT_BODY;
		w->msg.keep = !h->encoded;
	}
}

/* A body that neither says to be JSON nor looks so is counted only. */
static void look_at_type(struct wire *w, const char *p, size_t n)
{
	const struct head *h = &w->head;

	if (w->msg.begun || !w->msg.keep || h->json || !h->http)
		return;
	while (n && wire_blank(*p)) {
		p++;
		n--;
	}
	if (n && *p != '{' && *p != '[')
		w->msg.keep = false;
	w->head.page = n && *p == '<' && h->answer && h->status == 200;
}

static void body_take(struct wire *w, const char *p, size_t n)
{
	if (w->head.sse && !w->head.encoded) {
		sse_take(w, p, n);
		return;
	}
	look_at_type(w, p, n);
	gather_add(w, p, n);
}

static void lose(struct wire *w, uint64_t n)
{
	if (w->head.sse && !w->head.encoded)
		sse_gap(w, n);
	else
		gather_gap(w, n);
}

void body_end(struct wire *w, bool whole)
{
	const struct head *h = &w->head;
	struct gather *m = &w->msg;

	if (h->sse && !h->encoded) {
		sse_end(w);
	} else if (h->encoded && m->begun) {
		gather_cut(w);
		gather_hand(w);
	} else if (m->begun && m->keep) {
		if (!whole)
			gather_cut(w);
		gather_hand(w);
	} else if (h->answer ? h->status >= 400 || h->page
			     : !m->begun && h->http && h->session[0]) {
		m->keep = false;
		gather_hand(w);
	}
	gather_drop(w);
	w->line_len = 0;
	w->state = AT_START;
}

void body_gap(struct wire *w, uint64_t n)
{
	bool counted = w->state == AT_CHUNK || (w->state == AT_BODY && w->head.sized);

	if (w->state == AT_BODY && !counted) {
		lose(w, n);
	} else if (counted && n <= w->left) {
		lose(w, n);
		w->left -= n;
		if (w->left)
			return;
		if (w->state == AT_BODY)
			body_end(w, false);
		else
			w->state = AT_CHUNK_END;
	} else {
		if (w->state != AT_TRAILER)
			lose(w, counted ? w->left : 0);
		w->line_len = 0;
		w->head.lost = true;
		if (w->state == AT_BODY || w->state == AT_TRAILER)
			body_end(w, w->state == AT_TRAILER);
		else
			w->state = AT_CHUNK_LOST;
	}
}

static size_t at_body(struct wire *w, const char *p, size_t n)
{
	if (w->head.sized && n > w->left)
		n = (size_t)w->left;
	body_take(w, p, n);
	if (!w->head.sized)
		return n;
	w->left -= n;
	if (!w->left)
		body_end(w, true);
	return n;
}

static size_t at_chunk(struct wire *w, const char *p, size_t n)
{
	if (n > w->left)
		n = (size_t)w->left;
	body_take(w, p, n);
	w->left -= n;
	if (!w->left)
		w->state = AT_CHUNK_END;
	return n;
}

/* "1f4", "1f4;name=value" */
static bool chunk_size(const char *p, size_t n, uint64_t *size)
{
	size_t i = 0;

	*size = 0;
	for (; i < n; i++) {
		char c = p[i] | 0x20; /* lower case */
		int digit = p[i] >= '0' && p[i] <= '9' ? p[i] - '0'
			    : c >= 'a' && c <= 'f'     ? c - 'a' + 10
						       : -1;

		if (digit < 0)
			break;
		*size = *size * 16 + (uint64_t)digit;
	}
	return i && i <= 15 && (i == n || wire_blank(p[i]) || p[i] == ';');
}

/* A line that is not what it should be: the next one that is a size is awaited. */
static void lose_chunks(struct wire *w)
{
	if (w->state != AT_CHUNK_LOST)
		lose(w, 0);
	w->head.lost = true;
	w->state = AT_CHUNK_LOST;
}

static void size_line(struct wire *w, const char *p, size_t n)
{
	uint64_t size;

	if (!chunk_size(p, n, &size)) {
		lose_chunks(w);
	} else if (size) {
		w->left = size;
		w->state = AT_CHUNK;
	} else {
		w->state = AT_TRAILER;
	}
}

/* The lines between chunks. */
static size_t at_chunk_line(struct wire *w, const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);
	size_t len = end ? (size_t)(end - p) : n, room = HEAD_LINE - w->line_len;

	memcpy(w->line + w->line_len, p, len < room ? len : room);
	w->line_len += len < room ? len : room;
	if (!end)
		return n;
	n = w->line_len;
	w->line_len = 0;
	if (n && w->line[n - 1] == '\r')
		n--;
	if (w->state == AT_CHUNK_END && n)
		lose_chunks(w);
	else if (w->state == AT_CHUNK_END)
		w->state = AT_CHUNK_SIZE;
	else if (w->state != AT_TRAILER)
		size_line(w, w->line, n);
	else if (!n)
		body_end(w, true);
	else if (w->head.lost) /* the 0 was rather the end of a size than the last chunk's */
		lose_chunks(w);
	return len + 1;
}

size_t body_step(struct wire *w, const char *p, size_t n)
{
	switch (w->state) {
	case AT_BODY:
		return at_body(w, p, n);
	case AT_CHUNK:
		return at_chunk(w, p, n);
	default:
		return at_chunk_line(w, p, n);
	}
}
