/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <cmocka.h>

#include "daemon/util.h"

/* An allocation that is too large is to fail here, not to abort. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "allocator_may_return_null=1";
}

static void test_text(void **state)
{
	struct text t = { 0 };
	char *data;

	assert_int_equal(text_set(&t, "a\0b", 3), 0);
	assert_int_equal(t.len, 3);
	assert_memory_equal(t.data, "a\0b\0", 4);
	/* From itself: the old bytes must live until the new ones are there. */
	assert_int_equal(text_set(&t, t.data + 1, 2), 0);
	assert_memory_equal(t.data, "\0b\0", 3);
	assert_int_equal(text_set(&t, NULL, 0), 0);
	assert_string_equal(t.data, "");
	assert_int_equal(text_printf(&t, "%s-%d", "x", 7), 0);
	assert_int_equal(t.len, 3);
	assert_string_equal(t.data, "x-7");
	assert_int_equal(text_printf(&t, "%s%s", t.data, t.data), 0);
	assert_string_equal(t.data, "x-7x-7");
	data = t.data;
	assert_true(text_has_suffix(&t, "-7"));
	assert_true(text_has_suffix(&t, ""));
	assert_true(text_has_suffix(&t, "x-7x-7"));
	assert_false(text_has_suffix(&t, "yx-7x-7"));
	assert_false(text_has_suffix(&t, "x"));
	assert_ptr_equal(t.data, data);
	text_free(&t);
	assert_null(t.data);
	assert_int_equal(t.len, 0);
	text_free(&t);
	assert_true(text_has_suffix(&(struct text){ .data = (char[]){ "" } }, ""));
}

static const struct {
	const char *raw;
	size_t len;
	const char *expected;
} escapes[] = {
#define ROW(raw, expected)                                                                         \
	{                                                                                          \
		raw, sizeof(raw) - 1, expected                                                     \
	}
	ROW("", ""),
	ROW("plain text", "plain text"),
	ROW("back\\slash", "back\\slash"),
	ROW("a\nb\rc\td", "a\\nb\\rc\\td"),
	ROW("bash\r", "bash\\r"),
	ROW("\0\x01\x1f\x7f", "\\x00\\x01\\x1f\\x7f"),
	ROW("\x1b[31m", "\\x1b[31m"),
	ROW("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
	    "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"),
	ROW("\xff\xfe", "\\xff\\xfe"),
	ROW("caf\xe9", "caf\\xe9"),
	ROW("\xc3", "\\xc3"), /* cut */
	ROW("\xe2\x82", "\\xe2\\x82"),
	ROW("\xc3"
	    "A",
	    "\\xc3"
	    "A"),
	ROW("\xc0\xaf", "\\xc0\\xaf"), /* overlong */
	ROW("\xe0\x80\xaf", "\\xe0\\x80\\xaf"),
	ROW("\xf0\x80\x80\xaf", "\\xf0\\x80\\x80\\xaf"),
	ROW("\xed\xa0\x80", "\\xed\\xa0\\x80"),		 /* a surrogate */
	ROW("\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"), /* above U+10FFFF */
	ROW("\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"),
	ROW("\xc2\x9b", "\\xc2\\x9b"), /* C1: a terminal takes it for ESC [ */
	ROW("\xc2\xa0", "\xc2\xa0"),
	ROW("\xe2\x80\xae"
	    "txt",
	    "\\xe2\\x80\\xae"
	    "txt"), /* right-to-left override */
	ROW("\xe2\x81\xa6", "\\xe2\\x81\\xa6"),
	ROW("\xe2\x80\xa8", "\\xe2\\x80\\xa8"), /* line separator */
	ROW("\xe2\x80\x94", "\xe2\x80\x94"),
#undef ROW
};

static void test_escape(void **state)
{
	for (size_t i = 0; i < ARRAY_SIZE(escapes); i++) {
		_cleanup_free_ char *copy = malloc(escapes[i].len); /* no byte behind the end */
		_cleanup_free_ char *s = NULL;

		memcpy(copy, escapes[i].raw, escapes[i].len);
		s = util_escape(copy, escapes[i].len);
		assert_string_equal(s, escapes[i].expected);
	}
}

/* What is escaped stays printable, whatever bytes come. */
static void test_escape_all_bytes(void **state)
{
	unsigned char pair[2];

	for (int i = 0; i < 65536; i++) {
		_cleanup_free_ char *s = NULL;

		pair[0] = (unsigned char)(i >> 8);
		pair[1] = (unsigned char)i;
		s = util_escape(pair, 2);
		assert_non_null(s);
		for (const char *p = s; *p; p++)
			assert_true((unsigned char)*p >= 0x20 && *p != 0x7f);
	}
}

static void test_grow(void **state)
{
	void *array = NULL;
	size_t cap = 0, before;
	int *p;

	assert_int_equal(util_grow(&array, &cap, 0, sizeof(int)), 0);
	assert_null(array);
	assert_int_equal(util_grow(&array, &cap, 1, sizeof(int)), 0);
	assert_non_null(array);
	assert_true(cap >= 1);
	for (size_t i = 0; i < 1000; i++) {
		assert_int_equal(util_grow(&array, &cap, i + 1, sizeof(int)), 0);
		p = array;
		p[i] = (int)i;
	}
	p = array;
	for (int i = 0; i < 1000; i++)
		assert_int_equal(p[i], i);
	before = cap;
	assert_int_equal(util_grow(&array, &cap, SIZE_MAX / 2, sizeof(int)), -ENOMEM);
	assert_int_equal(cap, before);
	assert_ptr_equal(array, p);
	free(array);
}

static void test_clocks(void **state)
{
	int64_t a = util_now_boottime(), b = util_now_boottime();
	int64_t wall = util_now_realtime();

	assert_true(a > 0 && b >= a);
	assert_true(llabs(wall / NSEC_PER_SEC - (int64_t)time(NULL)) <= 1);
}

static void test_read_file(void **state)
{
	char path[] = "/tmp/sandfault-util-XXXXXX";
	_cleanup_close_ int fd = mkstemp(path);
	_cleanup_free_ char *s = NULL;
	char big[5000];

	assert_true(fd >= 0);
	assert_int_equal(util_read_file(path, 10, &s), 0);
	assert_string_equal(s, "");
	free(TAKE_PTR(s));
	memset(big, 'b', sizeof(big));
	assert_int_equal(write(fd, big, sizeof(big)), sizeof(big));
	assert_int_equal(util_read_file(path, sizeof(big), &s), sizeof(big));
	assert_memory_equal(s, big, sizeof(big));
	assert_int_equal(s[sizeof(big)], '\0');
	free(TAKE_PTR(s));
	assert_int_equal(util_read_file(path, sizeof(big) - 1, &s), -EFBIG);
	assert_null(s);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(util_read_file(path, 10, &s), -ENOENT);
	assert_int_equal(util_read_file("/", 10, &s), -EISDIR);
	assert_null(s);
	/* procfs says size 0 and has more. */
	assert_true(util_read_file("/proc/self/status", 65536, &s) > 0);
	assert_non_null(strstr(s, "\nPid:"));
}

static int closed(int fd)
{
	return fcntl(fd, F_GETFD) < 0 && errno == EBADF;
}

static void test_cleanup(void **state)
{
	int copy;

	{
		_cleanup_close_ int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		copy = fd;
		assert_false(closed(copy));
	}
	assert_true(closed(copy));
	{
		_cleanup_close_ int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

		copy = TAKE_FD(fd);
		assert_int_equal(fd, -1);
	}
	assert_false(closed(copy));
	close(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_escape),
		cmocka_unit_test(test_escape_all_bytes),
		cmocka_unit_test(test_grow),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_read_file),
		cmocka_unit_test(test_cleanup),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
