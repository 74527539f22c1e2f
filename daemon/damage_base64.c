/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <errno.h>
#include <openssl/evp.h>

#include "damage_internal.h"

#define LIKELY_MIN 16
#define HEAD	   512	      /* letters: a multiple of four */
#define LIKELY_MAX (64 << 10) /* looked at */

/* Past "data:image/png;base64,". */
static size_t data_url_prefix(const char *s, size_t len)
{
	const char *comma = len > 5 && strncasecmp(s, "data:", 5) == 0 ? memchr(s, ',', len) : NULL;

	if (!comma || comma - s < 12 || strncasecmp(comma - 7, ";base64", 7) != 0)
		return 0;
	return (size_t)(comma + 1 - s);
}

/* The standard alphabet's letter for one of the URL's; NUL: no letter of either. */
static char letter(char c)
{
	if (c == '-')
		return '+';
	if (c == '_')
		return '/';
	return isalnum((unsigned char)c) || c == '+' || c == '/' ? c : '\0';
}

enum { SKIPPED = 1, PAD, OTHER };

/* What letter() says of each byte, and which are no letters: content may be megabytes, and whoever
 * waits for it to be taken is about to go. */
static const char *letters_table(void)
{
	static char table[256];

	for (int c = 0; !table[255] && c < 256; c++) {
		table[c] = letter((char)c);
		if (!table[c])
			table[c] = c == '=' ? PAD : c && strchr("\r\n\t ", c) ? SKIPPED : OTHER;
	}
	return table;
}

/* Copies the letters alone, completes the padding: what EVP_DecodeBlock() takes. */
static int clean(const char *s, size_t len, char *out, size_t *ret_len, size_t *ret_pad, size_t *at)
{
	const char *table = letters_table();
	size_t n = 0, pad = 0;

	for (size_t i = 0; i < len; i++) {
		char c = table[(unsigned char)s[i]];

		if (c > OTHER && !pad) {
			out[n++] = c;
			continue;
		}
		*at = i;
		if (c > OTHER)
			return BASE64_PADDING;
		if (c == OTHER)
			return BASE64_ALPHABET;
		pad += c == PAD;
	}
	*at = len;
	if (n % 4 == 1 || pad > 2 || (pad && (n + pad) % 4 != 0))
		return BASE64_PADDING;
	*ret_pad = (4 - n % 4) % 4;
	memset(out + n, '=', *ret_pad);
	*ret_len = n + *ret_pad;
	return n ? BASE64_OK : BASE64_EMPTY;
}

int base64_decode(const char *s, size_t len, uint8_t **ret, size_t *ret_len, size_t *at)
{
	size_t skip = data_url_prefix(s, len), n = 0, pad = 0, where = 0;
	_cleanup_free_ char *letters = malloc(len - skip + 4);
	_cleanup_free_ uint8_t *out = malloc(len - skip + 4);
	int r, got;

	*ret = NULL;
	*ret_len = 0;
	if (!letters || !out || len > INT32_MAX)
		return -ENOMEM;
	r = clean(s + skip, len - skip, letters, &n, &pad, &where);
	if (at)
		*at = skip + where;
	if (r == BASE64_ALPHABET || r == BASE64_PADDING)
		return r;
	got = n ? EVP_DecodeBlock(out, (const unsigned char *)letters, (int)n) : 0;
	if (got < 0)
		return BASE64_ALPHABET;
	*ret_len = (size_t)got - pad;
	out[*ret_len] = '\0';
	*ret = TAKE_PTR(out);
	return r;
}

bool base64_is_standard(const char *s, size_t len, size_t *at)
{
	size_t n = 0;

	for (size_t i = data_url_prefix(s, len); i < len; i++) {
		*at = i;
		if (s[i] == '-' || s[i] == '_')
			return false;
		n += letters_table()[(unsigned char)s[i]] != SKIPPED;
	}
	*at = len;
	return n % 4 == 0;
}

bool base64_likely(const char *s, size_t len)
{
	size_t upper = 0, lower = 0, other = 0;

	if (data_url_prefix(s, len))
		return true;
	while (len && (s[len - 1] == '\n' || s[len - 1] == '\r'))
		len--;
	if (len < LIKELY_MIN || len % 4 != 0)
		return false;
	for (size_t i = 0; i < len && i < LIKELY_MAX; i++) {
		if (!letter(s[i]) && s[i] != '=' && s[i] != '\n' && s[i] != '\r')
			return false;
		upper += isupper((unsigned char)s[i]) != 0;
		lower += islower((unsigned char)s[i]) != 0;
		other += isdigit((unsigned char)s[i]) || s[i] == '+' || s[i] == '/' || s[i] == '=';
	}
	return upper && lower && other;
}

/* A look at the beginning spares most of the rest. */
static bool begins_as(struct bytes text, struct bytes data)
{
	size_t skip = data_url_prefix((const char *)text.p, text.n), n = 0;
	_cleanup_free_ uint8_t *made = NULL;
	const char *s = (const char *)text.p + skip;

	return base64_decode(s, HEAD, &made, &n, NULL) != BASE64_ALPHABET &&
	       (!made || bytes_begin(data, made, n < data.n ? n : data.n));
}

static bool decodes_to(struct bytes text, struct bytes data)
{
	_cleanup_free_ uint8_t *made = NULL;
	size_t n = 0;

	/* Four letters for three bytes, and line ends. */
	if (data.n == 0 || text.n < data.n / 3 * 4 || text.n / 2 > data.n + 2)
		return false;
	if (text.n > HEAD && !begins_as(text, data))
		return false;
	return base64_decode((const char *)text.p, text.n, &made, &n, NULL) == BASE64_OK &&
	       bytes_same((struct bytes){ made, n }, data);
}

bool damage_is_base64(struct bytes given, struct bytes got, struct damage *d)
{
	d->at = 0;
	if (decodes_to(got, given))
		d->kind = DAMAGE_BASE64_KEPT;
	else if (decodes_to(given, got))
		d->kind = DAMAGE_BASE64_DECODED;
	else
		return false;
	return true;
}
