/* SPDX-License-Identifier: GPL-2.0-only */
/* Server-sent events: the HTML standard, section 9.2.6 (interpreting an event stream). */
#include "wire_impl.h"

static const char bom[] = "\xef\xbb\xbf";

static bool is_field(const struct sse *s, const char *name)
{
	const char *p = s->field;
	size_t n = s->field_len, len = strlen(name);

	if (n > 3 && memcmp(p, bom, 3) == 0) {
		p += 3;
		n -= 3;
	}
	return n == len && memcmp(p, name, len) == 0;
}

/* The older transport's first event: where to post, with the session's id. */
static void endpoint(struct wire *w)
{
	if (w->msg.keep && w->msg.len)
		http_path_session(&w->head, w->msg.buf, w->msg.len);
}

static void dispatch(struct wire *w)
{
	struct sse *s = &w->sse;
	const struct gather *m = &w->msg;
	bool beheaded = m->torn && !m->gap;

	if (m->begun && s->event_len == 8 && memcmp(s->event, "endpoint", 8) == 0)
		endpoint(w);
	else if (m->len && (beheaded || m->buf[0] == '{' || m->buf[0] == '['))
		gather_hand(w);
	gather_drop(w);
	s->event_len = 0;
	s->data = false;
}

static void value_begins(struct wire *w)
{
	struct sse *s = &w->sse;

	if (is_field(s, "data")) {
		if (s->data && w->msg.begun)
			gather_add(w, "\n", 1);
		s->data = true;
		s->in = SSE_DATA;
	} else if (is_field(s, "event")) {
		s->event_len = 0;
		s->in = SSE_EVENT;
	} else {
		s->in = SSE_OTHER;
	}
}

static void line_ends(struct wire *w)
{
	struct sse *s = &w->sse;

	if (s->in == SSE_NAME && s->field_len == 0)
		dispatch(w);
	else if (s->in == SSE_NAME)
		value_begins(w); /* a field without a colon has an empty value */
	s->in = SSE_NAME;
	s->field_len = 0;
}

static void take_name(struct wire *w, char c)
{
	struct sse *s = &w->sse;

	if (c == ':') {
		value_begins(w);
		if (s->in == SSE_DATA || s->in == SSE_EVENT)
			s->blank = true;
	} else if (s->field_len < sizeof(s->field)) {
		s->field[s->field_len++] = c;
	}
}

static void take_value(struct wire *w, const char *p, size_t n)
{
	struct sse *s = &w->sse;

	if (s->blank && *p == ' ') {
		p++;
		n--;
	}
	s->blank = false;
	if (s->in == SSE_DATA)
		gather_add(w, p, n);
	else if (s->in == SSE_EVENT)
		for (; n && s->event_len < sizeof(s->event); n--)
			s->event[s->event_len++] = *p++;
}

static size_t line_end(const char *p, size_t n)
{
	const char *lf = memchr(p, '\n', n);
	const char *cr = memchr(p, '\r', lf ? (size_t)(lf - p) : n);

	return cr ? (size_t)(cr - p) : lf ? (size_t)(lf - p) : n;
}

/* After lost bytes: a field's beginning shows that the line before it has ended unseen. */
static bool begins_field(const char *p, size_t n)
{
	static const char *const names[] = { "data:", "event:", "id:", "retry:", ":" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (n >= strlen(names[i]) && memcmp(p, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void after_gap(struct wire *w, const char *p, size_t n)
{
	struct sse *s = &w->sse;

	s->torn = false;
	if (!begins_field(p, n))
		return;
	dispatch(w);
	*s = (struct sse){ 0 };
}

void sse_take(struct wire *w, const char *p, size_t n)
{
	struct sse *s = &w->sse;

	if (s->torn && n)
		after_gap(w, p, n);
	while (n) {
		size_t len;

		if (s->cr && *p == '\n') {
			s->cr = false;
			p++;
			n--;
			continue;
		}
		s->cr = *p == '\r';
		if (*p == '\r' || *p == '\n') {
			line_ends(w);
			len = 1;
		} else if (s->in == SSE_NAME) {
			take_name(w, *p);
			len = 1;
		} else {
			len = line_end(p, n);
			take_value(w, p, len);
		}
		p += len;
		n -= len;
	}
}

void sse_gap(struct wire *w, uint64_t n)
{
	struct sse *s = &w->sse;

	if (s->in == SSE_NAME && !w->msg.begun) {
		/* of an event whose beginning is lost the end may tell its id */
		s->in = SSE_DATA;
		s->data = true;
		gather_torn(w);
	} else if (w->msg.begun) {
		gather_gap(w, s->in == SSE_DATA ? n : 0);
	}
	s->cr = s->blank = false;
	s->torn = true;
}

void sse_end(struct wire *w)
{
	if (!w->msg.begun)
		return;
	gather_cut(w);
	dispatch(w);
}
