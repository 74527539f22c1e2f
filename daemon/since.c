/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "since.h"

/* Exactly `n` digits; moves *s on. -1: other characters. */
static int digits(const char **s, int n)
{
	int v = 0;

	for (int i = 0; i < n; i++, (*s)++) {
		if (**s < '0' || **s > '9')
			return -1;
		v = v * 10 + (**s - '0');
	}
	return v;
}

static bool take(const char **s, char c)
{
	if (**s != c)
		return false;
	(*s)++;
	return true;
}

static int month_days(int year, int month)
{
	static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
	bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

	return days[month - 1] + (month == 2 && leap);
}

static bool parse_date(const char **s, struct tm *tm)
{
	int year, month, day;

	/* Beyond, int64 nanoseconds overflow. */
	year = digits(s, 4);
	if (year < 1970 || year > 2261 || !take(s, '-'))
		return false;
	month = digits(s, 2);
	if (month < 1 || month > 12 || !take(s, '-'))
		return false;
	day = digits(s, 2);
	if (day < 1 || day > month_days(year, month))
		return false;
	tm->tm_year = year - 1900;
	tm->tm_mon = month - 1;
	tm->tm_mday = day;
	return true;
}

static bool parse_minute(const char **s, struct tm *tm)
{
	tm->tm_hour = digits(s, 2);
	if (tm->tm_hour < 0 || tm->tm_hour > 23 || !take(s, ':'))
		return false;
	tm->tm_min = digits(s, 2);
	return tm->tm_min >= 0 && tm->tm_min <= 59;
}

/* ":SS[.fraction]"; 60 is a leap second (RFC 3339, 5.6). */
static bool parse_second(const char **s, struct tm *tm, int64_t *ns)
{
	int64_t unit = NSEC_PER_SEC / 10;

	if (!take(s, ':'))
		return false;
	tm->tm_sec = digits(s, 2);
	if (tm->tm_sec < 0 || tm->tm_sec > 60)
		return false;
	if (!take(s, '.'))
		return true;
	if (**s < '0' || **s > '9')
		return false;
	for (; **s >= '0' && **s <= '9'; (*s)++, unit /= 10)
		*ns += (**s - '0') * unit;
	return true;
}

/* "Z" or "+HH:MM", in seconds east of Greenwich. */
static bool parse_zone(const char **s, int *offset)
{
	struct tm tm = { 0 };
	bool west = **s == '-';

	if (take(s, 'Z') || take(s, 'z'))
		return true;
	if (!take(s, '+') && !take(s, '-'))
		return false;
	if (!parse_minute(s, &tm))
		return false;
	*offset = (tm.tm_hour * 60 + tm.tm_min) * 60 * (west ? -1 : 1);
	return true;
}

static int parse_absolute(const char *s, int64_t *ret_ns)
{
	struct tm tm = { .tm_isdst = -1 };
	int64_t ns = 0;
	int offset = 0;

	if (!parse_date(&s, &tm))
		return -EINVAL;
	if (take(&s, 'T') || take(&s, 't')) {
		if (!parse_minute(&s, &tm) || !parse_second(&s, &tm, &ns) ||
		    !parse_zone(&s, &offset) || *s)
			return -EINVAL;
		*ret_ns = ((int64_t)timegm(&tm) - offset) * NSEC_PER_SEC + ns;
		return 0;
	}
	if (*s && (!take(&s, ' ') || !parse_minute(&s, &tm) || *s))
		return -EINVAL;
	*ret_ns = (int64_t)mktime(&tm) * NSEC_PER_SEC;
	return 0;
}

int since_parse(const char *s, int64_t now_ns, int64_t *ret_ns)
{
	int64_t ns;
	int r;

	if (strlen(s) >= 10 && s[4] == '-') {
		r = parse_absolute(s, &ns);
	} else {
		r = options_duration(s, &ns);
		ns = r == 0 ? now_ns - ns : 0;
	}
	if (r < 0)
		return r;
	*ret_ns = ns > 0 ? ns : 1;
	return 0;
}

void since_format(int64_t ns, bool utc, char *buf, size_t size)
{
	time_t sec = (time_t)(ns / NSEC_PER_SEC);
	struct tm tm;
	size_t n;

	if (ns == 0 || !(utc ? gmtime_r(&sec, &tm) : localtime_r(&sec, &tm))) {
		snprintf(buf, size, "-");
		return;
	}
	n = strftime(buf, size, "%Y-%m-%d %H:%M:%S", &tm);
	if (utc) {
		snprintf(buf + n, size - n, "Z");
		return;
	}
	snprintf(buf + n, size - n, "%c%02ld:%02ld", tm.tm_gmtoff < 0 ? '-' : '+',
		 labs(tm.tm_gmtoff) / 3600, labs(tm.tm_gmtoff) / 60 % 60);
}

static void span_of(char *buf, size_t size, int n, char unit, int rest, char small)
{
	if (rest)
		snprintf(buf, size, "%d %c %d %c", n, unit, rest, small);
	else
		snprintf(buf, size, "%d %c", n, unit);
}

void since_span(int64_t ns, char *buf, size_t size)
{
	int64_t sec = ns / NSEC_PER_SEC;

	if (ns < 0)
		snprintf(buf, size, "-");
	else if (sec == 0)
		snprintf(buf, size, "%d ms", (int)(ns / NSEC_PER_MSEC));
	else if (sec < 60)
		snprintf(buf, size, "%d.%d s", (int)sec,
			 (int)(ns % NSEC_PER_SEC / (100 * NSEC_PER_MSEC)));
	else if (sec < 3600)
		span_of(buf, size, (int)(sec / 60), 'm', (int)(sec % 60), 's');
	else if (sec < 86400)
		span_of(buf, size, (int)(sec / 3600), 'h', (int)(sec / 60 % 60), 'm');
	else
		span_of(buf, size, (int)(sec / 86400), 'd', (int)(sec / 3600 % 24), 'h');
}
