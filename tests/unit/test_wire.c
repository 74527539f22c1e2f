/* SPDX-License-Identifier: GPL-2.0-only */
#include <openssl/sha.h>

#include "wire_rig.h"

static void want_digest(const struct wire_message *m, const void *data, size_t len)
{
	unsigned char sum[CALL_DIGEST];

	SHA256(data, len, sum);
	assert_memory_equal(m->digest, sum, sizeof(sum));
	assert_int_equal(m->total, len);
}

static void test_lines(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_text(&r, "{\"a\":1}\n{\"b\":2}\r\n\n\r\n  \n[{}]\n{\"c\"");
	assert_int_equal(r.n, 3);
	rig_want(&r, 0, "{\"a\":1}");
	rig_want(&r, 1, "{\"b\":2}");
	rig_want(&r, 2, "[{}]");
	want_digest(&r.m[1], "{\"b\":2}", 7);
	rig_text(&r, ":3}");
	rig_text(&r, "\n");
	assert_int_equal(r.n, 4);
	rig_want(&r, 3, "{\"c\":3}");
	for (size_t i = 0; i < r.n; i++) {
		assert_false(r.m[i].cut);
		assert_false(r.m[i].http);
		assert_int_equal(r.m[i].gap, r.m[i].len);
	}
	rig_end(&r);
}

/* Whatever the lengths of the records, the messages are the same. */
static void test_any_division(void **state)
{
	static const char text[] = "Server started\n{\"a\":\"\r\"}\r\n {\"b\":2}\r\n\nGET lost\n"
				   "Content-Length: 7\r\n\r\n{\"c\":3}Contents\n[]\n";
	static const char *const want[] = {
		"Server started", "{\"a\":\"\r\"}", "{\"b\":2}", "GET lost",
		"{\"c\":3}",	  "Contents",	    "[]"
	};

	for (size_t step = 1; step < sizeof(text); step++) {
		struct rig r;

		rig_begin(&r, 0);
		for (size_t i = 0; i < sizeof(text) - 1; i += step) {
			size_t left = sizeof(text) - 1 - i;

			rig_bytes(&r, 1, text + i, left < step ? left : step, 0);
		}
		assert_int_equal(r.n, ARRAY_SIZE(want));
		for (size_t i = 0; i < r.n; i++)
			rig_want(&r, i, want[i]);
		rig_end(&r);
	}
}

static void test_times_and_nul(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	rig_bytes(&r, 10, "\n {\"a\"", 6, 0);
	rig_bytes(&r, 20, ":\"\0\"}", 5, 0);
	rig_bytes(&r, 30, "\n", 1, 0);
	assert_int_equal(r.n, 1);
	assert_int_equal(r.m[0].begin_ns, 10);
	assert_int_equal(r.m[0].end_ns, 20);
	assert_int_equal(r.m[0].len, 9);
	assert_memory_equal(r.m[0].data, "{\"a\":\"\0\"}", 9);
	rig_end(&r);
}

/* A picture's line: megabytes in many records; what is beyond `max` keeps its digest and its end. */
static void test_long_line(void **state)
{
	size_t len = 5 << 20, max = 1 << 20;
	char *line = malloc(len + 1);

	assert_non_null(line);
	for (size_t i = 0; i < len; i++)
		line[i] = (char)('a' + i % 26);
	line[0] = '{';
	line[len] = '\n';
	for (int whole = 0; whole < 2; whole++) {
		struct rig r;

		rig_begin(&r, whole ? 0 : max);
		for (size_t i = 0; i < len + 1; i += 65521)
			rig_bytes(&r, 1, line + i, len + 1 - i < 65521 ? len + 1 - i : 65521, 0);
		assert_int_equal(r.n, 1);
		want_digest(&r.m[0], line, len);
		assert_int_equal(r.m[0].cut, !whole);
		assert_int_equal(r.m[0].len, whole ? len : max);
		if (whole) {
			assert_memory_equal(r.m[0].data, line, len);
		} else {
			assert_int_equal(r.m[0].gap, max - WIRE_TAIL);
			assert_int_equal(r.m[0].tail, max - WIRE_TAIL);
			assert_memory_equal(r.m[0].data, line, r.m[0].gap);
			assert_memory_equal(r.m[0].data + r.m[0].tail, line + len - WIRE_TAIL,
					    WIRE_TAIL);
		}
		assert_true(wire_held(r.wire) < 128 << 10);
		rig_end(&r);
	}
	free(line);
}

static void test_out_of_order(void **state)
{
	struct rig r;

	rig_begin(&r, 0);
	assert_int_equal(wire_take(r.wire, 2, 4, "1}\n{\"b\"", 7, 0), 0);
	assert_int_equal(wire_take(r.wire, 3, 11, ":2}\n", 4, 0), 0);
	assert_int_equal(r.n, 0);
	assert_int_equal(wire_take(r.wire, 1, 0, "{\"a:", 4, 0), 0);
	assert_int_equal(r.n, 2);
	rig_want(&r, 0, "{\"a:1}");
	rig_want(&r, 1, "{\"b\":2}");
	/* had already, and one that overlaps */
	assert_int_equal(wire_take(r.wire, 4, 4, "1}\n{\"b\"", 7, 0), 0);
	assert_int_equal(wire_take(r.wire, 5, 12, "2}\n{}\n", 6, 0), 0);
	assert_int_equal(r.n, 3);
	rig_want(&r, 2, "{}");
	rig_end(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines),	      cmocka_unit_test(test_any_division),
		cmocka_unit_test(test_times_and_nul), cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_out_of_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
