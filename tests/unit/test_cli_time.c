/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../../daemon/since.h"

#define NOW 1795971600000000000LL /* 2026-11-29 17:00:00 UTC */

static void set_zone(const char *tz)
{
	setenv("TZ", tz, 1);
	tzset();
}

static void test_parse(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {
		{ "2026-11-29T17:00:00Z", NOW },
		{ "2026-11-29t17:00:00z", NOW },
		{ "2026-11-29T18:00:00+01:00", NOW },
		{ "2026-11-29T11:30:00-05:30", NOW },
		{ "2026-11-29T17:00:00.5Z", NOW + 500000000 },
		{ "2026-11-29T17:00:00.123456789Z", NOW + 123456789 },
		{ "2026-11-29T17:00:00.1234567899999Z", NOW + 123456789 },
		{ "2024-02-29T00:00:00Z", 1709164800000000000LL },
		{ "2016-12-31T23:59:60Z", 1483228800000000000LL },
		/* Local: central Europe is an hour ahead in winter, two in summer. */
		{ "2026-11-29 18:00", NOW },
		{ "2026-11-30", NOW + 6 * 3600 * NSEC_PER_SEC },
		{ "2026-07-01 02:00", 1782864000000000000LL },
		{ "90s", NOW - 90 * NSEC_PER_SEC },
		{ "15m", NOW - 900 * NSEC_PER_SEC },
		{ "6h", NOW - 6 * 3600 * NSEC_PER_SEC },
		{ "2d", NOW - 2 * 86400 * NSEC_PER_SEC },
		/* 0 would mean: no bound. */
		{ "1970-01-01T00:00:00Z", 1 },
		{ "1970-01-01", 1 },
		{ "36500d", 1 },
	};

	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		int64_t ns = 0;

		if (since_parse(good[i].text, NOW, &ns) != 0 || ns != good[i].ns)
			fail_msg("%s: %lld, not %lld", good[i].text, (long long)ns,
				 (long long)good[i].ns);
	}
}

static void test_refuse(void **state)
{
	static const char *const bad[] = {
		"",
		"now",
		"15",
		"m",
		"-5m",
		"15 m",
		"15mm",
		"yesterday",
		"2026",
		"2026-11",
		"2026-11-29T17:00:00",
		"2026-11-29T17:00Z",
		"2026-11-29 17",
		"2026-11-29 17:00:00",
		"2026-11-29 17:00Z",
		"2026-11-29 ",
		"2026-02-29",
		"2026-13-01",
		"2026-00-01",
		"2026-11-00",
		"2026-11-31",
		"2026-11-29 24:00",
		"2026-11-29 17:60",
		"2026-11-29T17:00:61Z",
		"2026-11-29T17:00:00.Z",
		"2026-11-29T17:00:00+0100",
		"2026-11-29T17:00:00+24:00",
		"2026-11-29T17:00:00Zx",
		"1969-12-31T23:59:59Z",
		"2262-01-01T00:00:00Z",
		"9999-12-31",
		"99999999999999999999d",
	};

	set_zone("UTC");
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		int64_t ns = 4711;

		if (since_parse(bad[i], NOW, &ns) != -EINVAL || ns != 4711)
			fail_msg("'%s' was taken", bad[i]);
	}
}

static void test_format(void **state)
{
	char buf[40];

	set_zone("CET-1CEST,M3.5.0,M10.5.0/3");
	since_format(NOW, false, buf, sizeof(buf));
	assert_string_equal(buf, "2026-11-29 18:00:00+01:00");
	since_format(NOW + 999999999, true, buf, sizeof(buf));
	assert_string_equal(buf, "2026-11-29 17:00:00Z");
	set_zone("NST3:30NDT,M3.2.0,M11.1.0");
	since_format(NOW, false, buf, sizeof(buf));
	assert_string_equal(buf, "2026-11-29 13:30:00-03:30");
	since_format(0, true, buf, sizeof(buf));
	assert_string_equal(buf, "-");
}

static void test_span(void **state)
{
	static const struct {
		int64_t ns;
		const char *text;
	} rows[] = {
		{ -1, "-" },
		{ 0, "0 ms" },
		{ 999999999, "999 ms" },
		{ NSEC_PER_SEC, "1.0 s" },
		{ 3350 * NSEC_PER_MSEC, "3.3 s" },
		{ 250 * NSEC_PER_SEC, "4 m 10 s" },
		{ 600 * NSEC_PER_SEC, "10 m" },
		{ 11100 * NSEC_PER_SEC, "3 h 5 m" },
		{ 187200 * NSEC_PER_SEC, "2 d 4 h" },
	};
	char buf[32];

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		since_span(rows[i].ns, buf, sizeof(buf));
		assert_string_equal(buf, rows[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),
		cmocka_unit_test(test_refuse),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_span),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
