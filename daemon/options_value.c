/* SPDX-License-Identifier: GPL-2.0-only */
/* What a number with a unit means. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "options.h"

struct unit {
	char letter;
	int64_t factor;
};

static const struct unit durations[] = {
	{ 's', NSEC_PER_SEC },
	{ 'm', 60 * NSEC_PER_SEC },
	{ 'h', 3600 * NSEC_PER_SEC },
	{ 'd', 86400 * NSEC_PER_SEC },
};

static const struct unit sizes[] = {
	{ 'K', 1LL << 10 },
	{ 'M', 1LL << 20 },
	{ 'G', 1LL << 30 },
	{ 'T', 1LL << 40 },
};

/* Digits with at most one point and at least one digit: no sign, blank, exponent or hex. The
 * fraction is exact in units of 10^-9. Returns what follows, NULL: no number, or out of range. */
static const char *parse_decimal(const char *s, int64_t *whole, int64_t *nano)
{
	int64_t scale = 100000000;

	if (!isdigit((unsigned char)*s))
		return NULL;
	*whole = *nano = 0;
	for (; isdigit((unsigned char)*s); s++)
		if (__builtin_mul_overflow(*whole, 10, whole) ||
		    __builtin_add_overflow(*whole, *s - '0', whole))
			return NULL;
	if (*s != '.')
		return s;
	if (!isdigit((unsigned char)*++s))
		return NULL;
	for (; isdigit((unsigned char)*s); s++) {
		*nano += scale * (*s - '0');
		scale /= 10;
	}
	return s;
}

static int parse_unit(const char *s, const struct unit *units, size_t n, int64_t *ret)
{
	int64_t whole, nano, value;

	s = parse_decimal(s, &whole, &nano);
	if (!s || !*s || s[1])
		return -EINVAL;
	for (size_t i = 0; i < n; i++) {
		if (units[i].letter != *s)
			continue;
		if (__builtin_mul_overflow(whole, units[i].factor, &value) ||
		    __builtin_add_overflow(
			    value, (int64_t)((double)nano / 1e9 * (double)units[i].factor), &value))
			return -EINVAL;
		*ret = value;
		return 0;
	}
	return -EINVAL;
}

int options_duration(const char *s, int64_t *ret_ns)
{
	return parse_unit(s, durations, ARRAY_SIZE(durations), ret_ns);
}

int options_size(const char *s, int64_t *ret_bytes)
{
	int64_t whole, nano;
	const char *end = parse_decimal(s, &whole, &nano);

	if (!end)
		return -EINVAL;
	if (*end)
		return parse_unit(s, sizes, ARRAY_SIZE(sizes), ret_bytes);
	if (strchr(s, '.'))
		return -EINVAL;
	*ret_bytes = whole;
	return 0;
}
