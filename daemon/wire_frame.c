/* SPDX-License-Identifier: GPL-2.0-only */
#include "wire_impl.h"

#define OPENING 24 /* more than the longest word that tells what begins */

/*
 * Whether a message begins here, as all that are known do: after lost bytes it is the sign that
 * what came before the loss has ended unseen. (A nested object could begin so, at the first byte
 * after a loss: that is as good as never.)
 */
static bool begins_message(const char *p, size_t n)
{
	static const char *const starts[] = { "{\"jsonrpc\"", "{\"method\"", "{\"result\"",
					      "{\"id\"",      "{\"error\"",  "{\"params\"",
					      "[{\"jsonrpc\"" };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		size_t len = strlen(starts[i]);

		if (n >= len && memcmp(p, starts[i], len) == 0)
			return true;
	}
	return false;
}

static void start_line(struct wire *w, bool torn)
{
	w->head = (struct head){ 0 };
	w->state = AT_LINE;
	w->cr = false;
	if (torn)
		gather_torn(w);
}

/* At the first bytes of something, of which `n` are to be seen. */
static void start_as(struct wire *w, enum wire_opening o, const char *p, size_t n)
{
	bool torn = w->torn;

	w->torn = false;
	switch (o) {
	case OPENS_JSON:
		start_line(w, w->astray || (torn && !begins_message(p, n)));
		break;
	case OPENS_REQUEST:
	case OPENS_ANSWER:
	case OPENS_LENGTH:
		http_begin(w, o);
		break;
	case OPENS_HTTP2:
		w->state = AT_OPAQUE;
		break;
	default:
		if (w->http || w->astray)
			w->state = AT_SKIP;
		else
			start_line(w, torn);
	}
}

static size_t at_start(struct wire *w, const char *p, size_t n)
{
	enum wire_opening o;
	char held[OPENING];
	size_t len;

	if (w->line_len == 0) {
		size_t i = 0;

		while (i < n && wire_blank(p[i]))
			i++;
		if (i)
			return i;
		o = http_opening(p, n);
		if (o != OPENS_MORE) {
			start_as(w, o, p, n);
			return 0;
		}
	}
	w->line[w->line_len++] = *p;
	o = w->line_len == OPENING ? OPENS_TEXT : http_opening(w->line, w->line_len);
	if (o == OPENS_MORE)
		return 1;
	len = w->line_len;
	memcpy(held, w->line, len);
	w->line_len = 0;
	start_as(w, o, held, len);
	frame_again(w, held, len);
	return 1;
}

static size_t at_line(struct wire *w, const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);
	size_t len = end ? (size_t)(end - p) : n;

	if (w->cr && len)
		gather_add(w, "\r", 1);
	w->cr = len ? p[len - 1] == '\r' : w->cr;
	gather_add(w, p, len && w->cr ? len - 1 : len);
	if (!end)
		return n;
	gather_hand(w);
	w->state = AT_START;
	return len + 1;
}

static size_t at_skip(struct wire *w, const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);

	if (!end)
		return n;
	w->state = AT_START;
	return (size_t)(end - p) + 1;
}

static size_t step(struct wire *w, const char *p, size_t n)
{
	switch (w->state) {
	case AT_START:
		return at_start(w, p, n);
	case AT_LINE:
		return at_line(w, p, n);
	case AT_SKIP:
		return at_skip(w, p, n);
	case AT_OPAQUE:
		return n;
	case AT_HEAD:
		return http_head(w, p, n);
	default:
		return body_step(w, p, n);
	}
}

void frame_again(struct wire *w, const char *p, size_t n)
{
	while (n) {
		size_t took = step(w, p, n);

		p += took;
		n -= took;
	}
}

static bool in_body(const struct wire *w)
{
	return w->state >= AT_BODY && w->state <= AT_CHUNK_LOST;
}

/* A head at the beginning of a record ends what came before it, whatever that said. */
static void head_comes(struct wire *w)
{
	if (in_body(w)) /* an answer to HEAD, a wrong length, or bytes were lost */
		body_end(w, !w->head.sized && !w->head.chunked);
	else if (w->state == AT_LINE) /* the body of a head that was not seen */
		gather_hand(w);
	w->state = AT_START;
	w->line_len = 0;
}

void frame_take(struct wire *w, const char *p, size_t n)
{
	if (w->state != AT_HEAD && w->state != AT_OPAQUE && http_is_head(p, n)) {
		head_comes(w);
	} else if (w->state == AT_LINE && w->torn) {
		if (begins_message(p, n)) {
			gather_cut(w);
			gather_hand(w);
			w->state = AT_START;
		}
		w->torn = false;
	}
	frame_again(w, p, n);
}

void frame_gap(struct wire *w, uint64_t n)
{
	switch (w->state) {
	case AT_OPAQUE:
		return;
	case AT_LINE:
		if (w->cr)
			gather_add(w, "\r", 1);
		w->cr = false;
		gather_gap(w, n);
		break;
	case AT_START:
	case AT_SKIP:
	case AT_HEAD:
		w->line_len = 0;
		w->state = AT_START;
		break;
	default:
		body_gap(w, n);
		if (w->state != AT_START)
			return; /* it is known where the next one begins, or will be */
	}
	w->torn = true;
	w->astray = w->framed;
}

void frame_end(struct wire *w)
{
	char held[OPENING];
	size_t len = w->line_len;

	if (w->state == AT_START && len) {
		memcpy(held, w->line, len);
		w->line_len = 0;
		start_as(w, OPENS_TEXT, held, len);
		frame_again(w, held, len);
	}
	if (w->state == AT_LINE) {
		gather_cut(w);
		gather_hand(w);
	} else if (in_body(w)) {
		body_end(w, w->state == AT_BODY && !w->head.sized);
	}
	gather_drop(w);
	w->state = AT_START;
	w->torn = w->cr = w->http = w->framed = w->astray = false;
	w->line_len = 0;
	w->head = (struct head){ 0 };
}
