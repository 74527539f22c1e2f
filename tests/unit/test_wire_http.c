/* SPDX-License-Identifier: GPL-2.0-only */
#include "wire_rig.h"

/* What a stream becomes, however it is divided into records. */
struct want {
	const char *data;
	const char *method, *path, *session; /* NULL: none */
	int status;
	bool cut;
	uint64_t total; /* 0: as long as `data` */
};

struct row {
	const char *name, *text;
	struct want want[5];
};

#define JSON "{\"jsonrpc\":\"2.0\"}" /* 17 bytes */

static const struct row rows[] = {
	{ "keep-alive, several requests",
	  "POST /mcp HTTP/1.1\r\nHost: localhost\r\ncontent-length: 17\r\n\r\n" JSON
	  "POST /mcp HTTP/1.1\r\nMcp-Session-Id: ab-12\r\nContent-Length:17\r\n\r\n" JSON
	  "GET /mcp HTTP/1.1\r\nmcp-session-id: ab-12\r\nAccept: text/event-stream\r\n\r\n"
	  "GET /index.html HTTP/1.1\r\n\r\n"
	  "DELETE /mcp HTTP/1.1\r\nmcp-session-id:  ab-12 \r\n\r\n",

	  { { JSON, "POST", "/mcp", NULL, 0, false, 0 },
	    { JSON, "POST", "/mcp", "ab-12", 0, false, 0 },
	    { "", "GET", "/mcp", "ab-12", 0, false, 0 },
	    { "", "DELETE", "/mcp", "ab-12", 0, false, 0 } } },
	{ "answers of every length",
	  "HTTP/1.1 100 Continue\r\n\r\n"
	  "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 17\r\n"
	  "mcp-session-id: s\r\n\r\n" JSON "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n"
	  "HTTP/1.1 204 No Content\r\n\r\n"
	  "HTTP/1.1 304 Not Modified\r\nContent-Length: 100\r\n\r\n"
	  "HTTP/1.1 200 OK\r\n\r\n" JSON,

	  { { JSON, NULL, NULL, "s", 200, false, 0 }, { JSON, NULL, NULL, NULL, 200, false, 0 } } },
	{ "chunked, with an extension and a trailer",
	  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n"
	  "5;x=y\r\n{\"jso\r\nC\r\nnrpc\":\"2.0\"}\r\n0\r\nA: b\r\n\r\n"
	  "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",

	  { { JSON, NULL, NULL, NULL, 200, false, 0 },
	    { "[]", NULL, NULL, NULL, 200, false, 0 } } },
	{ "events",
	  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
	  "Mcp-Session-Id: s1\r\n\r\n"
	  ": comment\n\nid: 7\ndata: \n\nevent: message\nid: 8\ndata: " JSON "\n\n"
	  "data:{\"a\":\r\ndata:  1}\r\n\r\nretry: 5\rdata\rdata: [1]\r\rdata: text\n\n"
	  "data: {\"b\":2}\n\ndata: {\"c\"",

	  { { JSON, NULL, NULL, "s1", 200, false, 0 },
	    { "{\"a\":\n 1}", NULL, NULL, "s1", 200, false, 0 },
	    { "[1]", NULL, NULL, "s1", 200, false, 0 },
	    { "{\"b\":2}", NULL, NULL, "s1", 200, false, 0 },
	    { "{\"c\"", NULL, NULL, "s1", 200, true, 0 } } },
	{ "events in chunks, and the older transport's session",
	  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
	  "37\r\nevent: endpoint\ndata: /messages?a=b&sessionId=q-1&c=d\n\n\r\n"
	  "8\r\ndata: {}\r\n2\r\n\n\n\r\nb\r\ndata: {}\r\n\r\r\n0\r\n\r\n",

	  { { "{}", NULL, NULL, "q-1", 200, false, 0 },
	    { "{}", NULL, NULL, "q-1", 200, false, 0 } } },
	{ "the older transport's request",
	  "POST /messages?session_id=q-1 HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}",

	  { { "{}", "POST", "/messages?session_id=q-1", "q-1", 0, false, 0 } } },
	{ "no JSON: passed over, but where it is an error, or a page",
	  "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nContent-Type: text/html\r\n\r\n<html>"
	  "HTTP/1.1 202 Accepted\r\nContent-Length: 6\r\nContent-Type: text/html\r\n\r\n<html>"
	  "HTTP/1.1 200 OK\r\nContent-Length: 8\r\nContent-Type: text/plain\r\n\r\nAccepted"
	  "HTTP/1.1 404 Not Found\r\nContent-Length: 6\r\nContent-Type: text/html\r\n\r\n<html>"
	  "HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"
	  "HTTP/1.1 400 Bad\r\nContent-Length: 17\r\n\r\n" JSON
	  "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Type: application/json\r\n\r\nhello",

	  { { "", NULL, NULL, NULL, 200, false, 6 },
	    { "", NULL, NULL, NULL, 404, false, 6 },
	    { "", NULL, NULL, NULL, 500, false, 0 },
	    { JSON, NULL, NULL, NULL, 400, false, 0 },
	    { "hello", NULL, NULL, NULL, 200, false, 0 } } },
	{ "a long-running upgrade is opaque",
	  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n{\"a\":1}\n",

	  { { NULL } } },
	{ "HTTP/2 is opaque", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n{\"a\":1}\n", { { NULL } } },
	{ "a length that can't be: until the end",
	  "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999999\r\n\r\n" JSON,

	  { { JSON, NULL, NULL, NULL, 200, false, 0 } } },
	{ "text that begins as a head does",
	  "GET /x was asked\nPOST / HTTP/1.1 \n{\"a\":1}\n",

	  { { "GET /x was asked", NULL, NULL, NULL, 0, false, 0 },
	    { "POST / HTTP/1.1 ", NULL, NULL, NULL, 0, false, 0 },
	    { "{\"a\":1}", NULL, NULL, NULL, 0, false, 0 } } },
	{ "a head that a line of JSON ends",
	  "POST /mcp HTTP/1.1\r\nHost: x\r\n{\"a\":1}\n",

	  { { "{\"a\":1}", NULL, NULL, NULL, 0, false, 0 } } },
	{ "frames of language servers",
	  "Content-Length: 17\r\n\r\n" JSON
	  "Content-Type: application/x; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}"
	  "content-length: 17\n\n" JSON,

	  { { JSON, NULL, NULL, NULL, 0, false, 0 },
	    { "{}", NULL, NULL, NULL, 0, false, 0 },
	    { JSON, NULL, NULL, NULL, 0, false, 0 } } },
};

static void want_message(const struct row *row, size_t step, const struct rig *r, size_t i)
{
	const struct wire_message *m = &r->m[i];
	const struct want *w = &row->want[i];
	uint64_t total = w->total ? w->total : strlen(w->data);
	bool same = (m->http_method ? w->method && strcmp(m->http_method, w->method) == 0
				    : !w->method) &&
		    (m->http_path ? w->path && strcmp(m->http_path, w->path) == 0 : !w->path) &&
		    (m->http_session ? w->session && strcmp(m->http_session, w->session) == 0
				     : !w->session);

	if (strcmp(m->data, w->data) != 0 || m->total != total || m->http_status != w->status ||
	    m->cut != w->cut || !same)
		fail_msg("%s, by %zu, message %zu: \"%s\" (%llu bytes, cut %d, status %d, %s %s, "
			 "session %s)",
			 row->name, step, i, m->data, (unsigned long long)m->total, m->cut,
			 m->http_status, m->http_method, m->http_path, m->http_session);
}

static void run_row(const struct row *row, size_t step)
{
	size_t len = strlen(row->text), n = 0;
	struct rig r;

	rig_begin(&r, 0);
	for (size_t i = 0; i < len; i += step)
		rig_bytes(&r, 1, row->text + i, len - i < step ? len - i : step, 0);
	wire_end(r.wire);
	while (n < ARRAY_SIZE(row->want) && row->want[n].data)
		n++;
	for (size_t i = 0; i < r.n && i < n; i++)
		want_message(row, step, &r, i);
	if (r.n != n)
		fail_msg("%s, by %zu: %zu messages in place of %zu", row->name, step, r.n, n);
	rig_end(&r);
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		for (size_t step = strlen(rows[i].text); step > 0; step--)
			run_row(&rows[i], step);
}

/* Each text is a record. */
static void records(struct rig *r, const char *const *texts, size_t n)
{
	rig_begin(r, 0);
	for (size_t i = 0; i < n; i++)
		rig_text(r, texts[i]);
}

static void test_wrong_length(void **state)
{
	static const char *const texts[] = {
		/* longer than the body: the next head begins a record */
		"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n" JSON,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
		/* shorter: the rest is rubbish */
		"HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n" JSON,
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
		/* none, and the connection goes on */
		"HTTP/1.1 200 OK\r\n\r\n" JSON,
		/* to HEAD */
		"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]",
	};
	struct rig r;

	records(&r, texts, ARRAY_SIZE(texts));
	assert_int_equal(r.n, 6);
	rig_want(&r, 0, JSON);
	assert_true(r.m[0].cut);
	rig_want(&r, 1, "{}");
	assert_false(r.m[1].cut);
	assert_int_equal(r.m[2].len, 16);
	rig_want(&r, 3, "[]");
	rig_want(&r, 4, JSON);
	assert_false(r.m[4].cut);
	rig_want(&r, 5, "[]");
	rig_end(&r);
}

static void test_compressed(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n"
		     "Content-Type: application/json\r\n\r\n\x1f\x8b\x08\x01\x02");
	assert_int_equal(r.n, 1);
	assert_true(r.m[0].cut && r.m[0].encoded);
	assert_int_equal(r.m[0].len, 0);
	assert_int_equal(r.m[0].total, 5);
	rig_end(&r);
}

static void test_long_head(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "POST /mcp HTTP/1.1\r\nCookie: ");
	for (int i = 0; i < 100; i++)
		rig_text(&r, "0123456789012345678901234567890123456789");
	rig_text(&r, "\r\nContent-Length: 2\r\n\r\n{}");
	assert_int_equal(r.n, 1);
	rig_want(&r, 0, "{}");
	rig_text(&r, "POST /mcp HTTP/1.1\r\nCookie: ");
	for (int i = 0; i < 8000; i++)
		rig_text(&r, "0123456789012345678901234567890123456789");
	rig_text(&r, "\r\nContent-Length: 2\r\n\r\n");
	assert_true(wire_held(r.wire) < 64 << 10);
	rig_text(&r, "POST /b HTTP/1.1\r\nContent-Length: 2\r\n\r\n[]");
	rig_want(&r, r.n - 1, "[]");
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_wrong_length),
		cmocka_unit_test(test_compressed),
		cmocka_unit_test(test_long_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
