/* SPDX-License-Identifier: GPL-2.0-only */
/* Heads of HTTP/1.1 (RFC 9112), and Content-Length heads without a first line. */
#include <strings.h>

#include "wire_impl.h"

static const char *const methods[] = { "POST ", "GET ",	    "DELETE ", "PUT ",
				       "HEAD ", "OPTIONS ", "PATCH " };

static const char length_name[] = "Content-Length:";

/* 1: it begins so; 0: it does not; -1: too few bytes to say. */
static int begins(const char *p, size_t n, const char *word)
{
	size_t len = strlen(word), have = n < len ? n : len;

	if (strncasecmp(p, word, have) != 0)
		return 0;
	return have == len ? 1 : -1;
}

static enum wire_opening method_opening(const char *p, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		size_t len = strlen(methods[i]), have = n < len ? n : len;

		if (memcmp(p, methods[i], have) != 0)
			continue;
		if (n <= len)
			return OPENS_MORE;
		return p[len] == '/' || p[len] == '*' || p[len] == 'h' ? OPENS_REQUEST : OPENS_TEXT;
	}
	return OPENS_TEXT;
}

enum wire_opening http_opening(const char *p, size_t n)
{
	static const struct {
		const char *word;
		enum wire_opening opens;
	} words[] = {
		{ "HTTP/1.", OPENS_ANSWER },
		{ length_name, OPENS_LENGTH },
		{ "Content-Type:", OPENS_LENGTH },
		{ "PRI * HTTP/2", OPENS_HTTP2 },
	};
	bool more = false;

	if (*p == '{' || *p == '[')
		return OPENS_JSON;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		int r = begins(p, n, words[i].word);

		if (r > 0)
			return words[i].opens;
		more |= r < 0;
	}
	return more ? OPENS_MORE : method_opening(p, n);
}

/* "HTTP/1.1 200 …" */
static bool answer_line(const char *p, size_t n, int *status)
{
	if (n < 12 || strncasecmp(p, "HTTP/1.", 7) != 0 || p[8] != ' ')
		return false;
	*status = 0;
	for (size_t i = 9; i < 12; i++) {
		if (p[i] < '0' || p[i] > '9')
			return false;
		*status = *status * 10 + (p[i] - '0');
	}
	return *status >= 100 && (n == 12 || p[12] == ' ');
}

/* "POST /mcp HTTP/1.1"; of a line that was too long to keep its end can't be asked. */
static bool request_line(const char *p, size_t n)
{
	static const char version[] = " HTTP/1.";
	size_t len = sizeof(version) - 1;

	if (method_opening(p, n) != OPENS_REQUEST)
		return false;
	return n == HEAD_LINE || (n > len + 1 && memcmp(p + n - len - 1, version, len) == 0);
}

/* "Content-Length: 17" */
static bool length_line(const char *p, size_t n)
{
	size_t i = sizeof(length_name) - 1;

	if (begins(p, n, length_name) <= 0)
		return false;
	while (i < n && p[i] == ' ')
		i++;
	return i < n && strspn(p + i, "0123456789") == n - i;
}

bool http_is_head(const char *p, size_t n)
{
	size_t room = n < HEAD_LINE ? n : HEAD_LINE;
	const char *end;
	int status;

	if (begins(p, room, length_name) <= 0 && *p != 'H' &&
	    method_opening(p, room) != OPENS_REQUEST)
		return false;
	end = memchr(p, '\n', room);
	if (!end || end == p || end[-1] != '\r')
		return false;
	n = (size_t)(end - p) - 1;
	return answer_line(p, n, &status) || request_line(p, n) || length_line(p, n);
}

void http_begin(struct wire *w, enum wire_opening o)
{
	w->head = (struct head){ .http = o != OPENS_LENGTH,
				 .answer = o == OPENS_ANSWER,
				 .first = o == OPENS_LENGTH };
	w->line_len = 0;
	w->astray = false;
	w->state = AT_HEAD;
}

static void keep(char *to, size_t size, const char *p, size_t n)
{
	size_t len = n < size - 1 ? n : size - 1;

	memcpy(to, p, len);
	to[len] = '\0';
}

/* The older transport names its session in the path: /messages?sessionId=…, session_id=… */
void http_path_session(struct head *h, const char *p, size_t n)
{
	static const char *const names[] = { "sessionid=", "session_id=" };
	const char *q = memchr(p, '?', n), *end = p + n;

	for (; q && q < end; q = memchr(q, '&', (size_t)(end - q))) {
		q++;
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			size_t len = strlen(names[i]), value = 0;

			if (begins(q, (size_t)(end - q), names[i]) <= 0)
				continue;
			while (q + len + value < end && !strchr("&# \r\n", q[len + value]))
				value++;
			keep(h->session, sizeof(h->session), q + len, value);
			return;
		}
	}
}

static bool first_line(struct head *h, const char *p, size_t n)
{
	const char *path, *end;

	if (h->answer)
		return answer_line(p, n, &h->status);
	if (!request_line(p, n))
		return false;
	path = memchr(p, ' ', n);
	keep(h->method, sizeof(h->method), p, (size_t)(path - p));
	path++;
	end = memchr(path, ' ', n - (size_t)(path - p));
	n = end ? (size_t)(end - path) : n - (size_t)(path - p);
	keep(h->path, sizeof(h->path), path, n);
	http_path_session(h, path, n);
	return true;
}

static bool holds(const char *p, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; i + len <= n; i++)
		if (strncasecmp(p + i, word, len) == 0)
			return true;
	return false;
}

/* Digits alone, and fewer than could overflow: else it says nothing. */
static void take_length(struct head *h, const char *v, size_t n)
{
	uint64_t length = 0;

	if (n == 0 || n > 18)
		return;
	for (size_t i = 0; i < n; i++) {
		if (v[i] < '0' || v[i] > '9')
			return;
		length = length * 10 + (uint64_t)(v[i] - '0');
	}
	h->length = length;
	h->sized = true;
}

static void take_type(struct head *h, const char *v, size_t n)
{
	h->sse = h->answer && holds(v, n, "text/event-stream");
	h->json = holds(v, n, "json");
}

static void take_coding(struct head *h, const char *v, size_t n)
{
	h->chunked = holds(v, n, "chunked");
}

static void take_encoding(struct head *h, const char *v, size_t n)
{
	h->encoded = n && !holds(v, n, "identity");
}

static void take_session(struct head *h, const char *v, size_t n)
{
	keep(h->session, sizeof(h->session), v, n);
}

static const struct {
	const char *name;
	void (*take)(struct head *h, const char *v, size_t n);
} fields[] = {
	{ "content-length", take_length },    { "content-type", take_type },
	{ "transfer-encoding", take_coding }, { "content-encoding", take_encoding },
	{ "mcp-session-id", take_session },
};

static bool is_token(const char *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((unsigned char)p[i] <= ' ' || p[i] == 0x7f || strchr("\"{}[](),/\\", p[i]))
			return false;
	return n != 0;
}

/* A field, or the continuation of one (which none of ours has). */
static bool field_line(struct head *h, const char *p, size_t n)
{
	const char *colon = memchr(p, ':', n);
	size_t name;

	if (*p == ' ' || *p == '\t')
		return true;
	if (!colon || !is_token(p, (size_t)(colon - p)))
		return false;
	name = (size_t)(colon - p);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (strlen(fields[i].name) != name || strncasecmp(p, fields[i].name, name) != 0)
			continue;
		p = colon + 1;
		n -= name + 1;
		for (; n && wire_blank(*p); n--)
			p++;
		while (n && wire_blank(p[n - 1]))
			n--;
		fields[i].take(h, p, n);
		break;
	}
	return true;
}

/* What looked like a head and is none: text, or the head's end was lost. */
static void no_head(struct wire *w, bool first)
{
	char line[HEAD_LINE + 1];
	size_t len = w->line_len;
	bool text = first && !w->http;

	memcpy(line, w->line, len);
	line[len] = '\n';
	w->line_len = 0;
	w->head = (struct head){ 0 };
	w->state = text ? AT_LINE : first ? AT_SKIP : AT_START;
	w->cr = false;
	frame_again(w, line, len + 1);
}

static void head_line(struct wire *w)
{
	struct head *h = &w->head;
	size_t n = w->line_len;
	bool first = !h->first;

	if (n && n < HEAD_LINE && w->line[n - 1] == '\r')
		n--;
	h->first = true;
	if (n == 0 && !first) {
		w->line_len = 0;
		w->http |= h->http;
		w->framed = true;
		body_begin(w);
	} else if (n == 0 || !(first ? first_line(h, w->line, n) : field_line(h, w->line, n))) {
		no_head(w, first);
	} else {
		w->line_len = 0;
	}
}

size_t http_head(struct wire *w, const char *p, size_t n)
{
	const char *end = memchr(p, '\n', n);
	size_t len = end ? (size_t)(end - p) : n, room = HEAD_LINE - w->line_len;

	memcpy(w->line + w->line_len, p, len < room ? len : room);
	w->line_len += len < room ? len : room;
	w->head.bytes += len + 1;
	if (w->head.bytes > HEAD_BYTES) {
		w->line_len = 0;
		w->state = AT_SKIP;
		return len;
	}
	if (!end)
		return n;
	head_line(w);
	return len + 1;
}
