/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes that are lost, late, or never had. */
#include <errno.h>

#include "wire_rig.h"

static void lose(struct rig *r, uint64_t n)
{
	r->offset += n;
}

/* The gap shows when the next record is given up for. */
static void text_after_loss(struct rig *r, const char *s)
{
	rig_text(r, s);
	assert_int_equal(wire_flush(r->wire, UINT64_MAX), 0);
}

static void test_line_joined(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_bytes(&r, 1, "{\"result\":{\"text\":\"aaa", 22, 1000);
	rig_text(&r, "bbb\"},\"jsonrpc\":\"2.0\",\"id\":1}\n{}\n");
	assert_int_equal(r.n, 2);
	assert_true(r.m[0].cut);
	assert_int_equal(r.m[0].gap, 22);
	assert_int_equal(r.m[0].tail, 22);
	assert_int_equal(r.m[0].total, 1000 + 22 + 29);
	assert_int_equal(r.m[0].len, 22 + 29);
	rig_want(&r, 1, "{}");
	assert_false(r.m[1].cut);
	rig_end(&r);
}

/* What begins as messages do was not the same line. */
static void test_line_parted(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "{\"result\":{\"text\":\"aaa");
	lose(&r, 50);
	rig_text(&r, "{\"jsonrpc\":\"2.0\",\"id\":2}\n");
	assert_int_equal(r.n, 0); /* it may be late */
	assert_int_equal(wire_flush(r.wire, 0), 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(wire_flush(r.wire, 1), 0);
	assert_int_equal(r.n, 2);
	rig_want(&r, 0, "{\"result\":{\"text\":\"aaa");
	assert_true(r.m[0].cut);
	assert_int_equal(r.m[0].gap, r.m[0].len);
	rig_want(&r, 1, "{\"jsonrpc\":\"2.0\",\"id\":2}");
	assert_false(r.m[1].cut);
	rig_end(&r);
}

static void test_between_lines(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "{\"a\":1}\n");
	lose(&r, 10);
	text_after_loss(&r, "text\":1},\"id\":3}\n{\"b\":1}\n");
	lose(&r, 10);
	text_after_loss(&r, "{\"method\":\"x\"}\n");
	lose(&r, 10);
	text_after_loss(&r, "{\"c\":1}],\"id\":1}\n[]\n");
	assert_int_equal(r.n, 6);
	assert_true(r.m[1].cut);
	assert_int_equal(r.m[1].tail, 0);
	rig_want(&r, 1, "text\":1},\"id\":3}");
	rig_want(&r, 2, "{\"b\":1}");
	assert_false(r.m[2].cut);
	assert_false(r.m[3].cut); /* it shows that it is a beginning */
	assert_true(r.m[4].cut);  /* … and this does not */
	assert_int_equal(r.m[4].tail, 0);
	assert_false(r.m[5].cut);
	rig_end(&r);
}

static void test_first_lost(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	lose(&r, 7);
	text_after_loss(&r, "\"id\":3}\n{}\n");
	assert_int_equal(r.n, 2);
	assert_true(r.m[0].cut);
	rig_want(&r, 1, "{}");
	rig_end(&r);
}

static void test_end(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "{\"a\":1}");
	wire_end(r.wire);
	assert_int_equal(r.n, 1);
	assert_true(r.m[0].cut);
	r.offset = 0;
	rig_text(&r, "GET");
	wire_end(r.wire);
	assert_int_equal(r.n, 2);
	rig_want(&r, 1, "GET");
	r.offset = 0;
	rig_text(&r, "\n\n{}\n ");
	lose(&r, 5);
	rig_text(&r, "[]\n");
	wire_end(r.wire);
	assert_int_equal(r.n, 4);
	rig_want(&r, 3, "[]");
	wire_end(r.wire);
	assert_int_equal(r.n, 4);
	rig_end(&r);
}

#define ANSWER "HTTP/1.1 200 OK\r\n"

static void test_in_body(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_bytes(&r, 1, ANSWER "Content-Length: 20\r\n\r\n{\"a\":\"", 45, 12);
	rig_text(&r, "\"}" ANSWER "Content-Length: 2\r\n\r\n{}");
	assert_int_equal(r.n, 2);
	assert_true(r.m[0].cut);
	assert_int_equal(r.m[0].gap, 6);
	assert_int_equal(r.m[0].tail, 6);
	assert_int_equal(r.m[0].total, 20);
	rig_want(&r, 1, "{}");
	/* beyond the body's end */
	rig_bytes(&r, 1, ANSWER "Content-Length: 20\r\n\r\n{\"a\":\"", 45, 100);
	rig_text(&r, "rest of something" ANSWER);
	rig_text(&r, ANSWER "Content-Length: 2\r\n\r\n[]");
	assert_int_equal(r.n, 4);
	assert_true(r.m[2].cut);
	assert_int_equal(r.m[2].total, 20);
	rig_want(&r, 3, "[]");
	rig_end(&r);
}

static void test_in_chunks(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r,
		 ANSWER "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n");
	rig_text(&r, "9\r\ndata: {}\n\r\n1\r\n\n\r\n");
	assert_int_equal(r.n, 1);
	/* whole chunks: the next one's size tells where it goes on */
	lose(&r, 70);
	text_after_loss(&r, "b\r\ndata: [1]\n\n\r\n");
	assert_int_equal(r.n, 2);
	rig_want(&r, 1, "[1]");
	/* within a chunk */
	rig_bytes(&r, 1, "23\r\ndata: {\"result\":", 20, 10);
	rig_text(&r, "\"id\":1}\n\n");
	assert_int_equal(r.n, 3);
	assert_true(r.m[2].cut);
	rig_want(&r, 2, "{\"result\":\"id\":1}");
	assert_int_equal(r.m[2].gap, 10);
	/* from within one into another */
	rig_text(&r, "\r\n20\r\ndata: {\"result\":");
	lose(&r, 60);
	text_after_loss(&r, "\"id\":2}\n\n\r\nb\r\ndata: [3]\n\n\r\n0\r\n\r\n" ANSWER
			    "Content-Length: 2\r\n\r\n{}");
	assert_int_equal(r.n, 6);
	assert_true(r.m[3].cut);
	rig_want(&r, 3, "{\"result\":");
	rig_want(&r, 4, "[3]");
	rig_want(&r, 5, "{}");
	rig_end(&r);
}

/* A stream that was seen from a first body on. */
static void test_body_first(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "{\"jsonrpc\":\"2.0\"}");
	rig_text(&r, "Content-Length: 2\r\n\r\n");
	rig_text(&r, "[]");
	assert_int_equal(r.n, 2);
	rig_want(&r, 0, "{\"jsonrpc\":\"2.0\"}");
	assert_false(r.m[0].cut);
	rig_want(&r, 1, "[]");
	/* the same words in a string, at a record's beginning */
	rig_text(&r, "{\"text\":\"");
	rig_text(&r, "Content-Length: 2 is a head\"}\n");
	rig_want(&r, 2, "{\"text\":\"Content-Length: 2 is a head\"}");
	rig_end(&r);
}

static void test_in_head(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, ANSWER "Content-Type: text/ev");
	lose(&r, 20);
	text_after_loss(&r, "th: 2\r\n\r\n{}");
	rig_text(&r, ANSWER "Content-Length: 2\r\n\r\n[]");
	assert_true(r.n >= 1);
	rig_want(&r, r.n - 1, "[]");
	rig_end(&r);
}

static void test_hold_is_bounded(void **state)
{
	static char big[300 << 10];
	struct rig r;

	memset(big, 'x', sizeof(big));
	rig_begin(&r, 0);
	rig_text(&r, "{");
	lose(&r, 1);
	for (int i = 0; i < 20; i++) {
		rig_bytes(&r, 1, big, sizeof(big), 0);
		assert_true(wire_held(r.wire) < 20 << 20);
	}
	for (int i = 0; i < 20; i++)
		rig_text(&r, "\n{}");
	wire_end(r.wire);
	assert_int_equal(r.n, 21);
	assert_int_equal(r.m[0].total, 2 + 20 * sizeof(big));
	assert_int_equal(wire_take(r.wire, 1, UINT64_MAX, "ab", 2, 0), -EINVAL);
	assert_int_equal(wire_take(r.wire, 1, UINT64_MAX - 2, "ab", 2, 1), -EINVAL);
	rig_end(&r);
}

static uint32_t next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

static void frame(FILE *to, int framing, const char *message)
{
	size_t n = strlen(message);

	if (framing == 0)
		fprintf(to, "%s\n", message);
	else if (framing == 1)
		fprintf(to, "Content-Length: %zu\r\n\r\n%s", n, message);
	else if (framing == 2)
		fprintf(to, "POST /mcp HTTP/1.1\r\nContent-Length: %zu\r\n\r\n%s", n, message);
	else
		fprintf(to, "%zx\r\nevent: message\ndata: %s\n\n\r\n", n + 23, message);
}

#define MESSAGES 40

struct stream {
	char *text, *message[MESSAGES];
	size_t end[MESSAGES];
	size_t len;
};

static void make_stream(struct stream *s, int framing, uint32_t *seed)
{
	FILE *to = open_memstream(&s->text, &s->len);

	assert_non_null(to);
	if (framing == 3)
		fprintf(to, ANSWER "Content-Type: text/event-stream\r\n"
				   "Transfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < MESSAGES; i++) {
		assert_true(asprintf(&s->message[i],
				     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":\"%0*d\"}", i,
				     (int)(next_random(seed) % 500), i) > 0);
		frame(to, framing, s->message[i]);
		s->end[i] = (size_t)ftell(to);
	}
	assert_int_equal(fclose(to), 0);
}

static void free_stream(struct stream *s)
{
	free(s->text);
	for (int i = 0; i < MESSAGES; i++)
		free(s->message[i]);
}

static bool is_original(const struct stream *s, const struct wire_message *m)
{
	for (int i = 0; i < MESSAGES; i++)
		if (strcmp(m->data, s->message[i]) == 0)
			return true;
	return false;
}

/* As programs write: none holds the end of one message and the beginning of the next. */
static size_t record_length(const struct stream *s, size_t at, uint32_t *seed)
{
	size_t n = 1 + next_random(seed) % 400, i = 0;

	while (s->end[i] <= at)
		i++;
	return n < s->end[i] - at ? n : s->end[i] - at;
}

static void take_record(struct rig *r, const struct stream *s, size_t at, size_t end)
{
	assert_int_equal(wire_take(r->wire, 1, at, s->text + at, end - at, 0), 0);
}

/* Some records are lost, and some come after the one that follows them. */
static void send_stream(struct rig *r, const struct stream *s, uint32_t *seed)
{
	size_t late = 0, late_end = 0;

	for (size_t at = 0, end; at < s->len; at = end) {
		bool lost = at > 400 && at < s->len / 2 && next_random(seed) % 8 == 0;

		end = at + record_length(s, at, seed);
		if (!lost && !late_end && next_random(seed) % 8 == 0) {
			late = at;
			late_end = end;
			continue;
		}
		if (!lost)
			take_record(r, s, at, end);
		if (late_end)
			take_record(r, s, late, late_end);
		late_end = 0;
	}
	if (late_end)
		take_record(r, s, late, late_end);
	wire_end(r->wire);
}

/* No message that lost bytes is handed on as if it had not, and after the losses all come whole. */
static void run_random(int framing, uint32_t *seed)
{
	struct stream s;
	struct rig r;
	size_t whole = 0;

	make_stream(&s, framing, seed);
	rig_begin(&r, 0);
	send_stream(&r, &s, seed);
	for (size_t i = 0; i < r.n; i++) {
		if (r.m[i].cut)
			continue;
		whole++;
		if (!is_original(&s, &r.m[i]))
			fail_msg("framing %d, message %zu was not sent: %s", framing, i,
				 r.m[i].data);
	}
	assert_true(whole >= MESSAGES / 4);
	rig_want(&r, r.n - 1, s.message[MESSAGES - 1]);
	assert_false(r.m[r.n - 1].cut);
	rig_end(&r);
	free_stream(&s);
}

static void test_random_losses(void **state)
{
	uint32_t seed = 5;

	for (int i = 0; i < 800; i++)
		run_random(i % 4, &seed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_line_joined),   cmocka_unit_test(test_line_parted),
		cmocka_unit_test(test_between_lines), cmocka_unit_test(test_first_lost),
		cmocka_unit_test(test_end),	      cmocka_unit_test(test_in_body),
		cmocka_unit_test(test_in_chunks),     cmocka_unit_test(test_body_first),
		cmocka_unit_test(test_in_head),	      cmocka_unit_test(test_hold_is_bounded),
		cmocka_unit_test(test_random_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
