/* SPDX-License-Identifier: GPL-2.0-only */
/* Line ends and escape sequences. */
#include <ctype.h>
#include <unistr.h>

#include "damage_internal.h"

/* ---- line ends ---- */

/* Every LF gets a CR, also one that has one already: a text-mode stream knows no better. */
static size_t step_every_crlf(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = '\r';
	out[rest.p[0] == '\n'] = rest.p[0];
	*len = rest.p[0] == '\n' ? 2 : 1;
	return 1;
}

static size_t step_crlf(struct bytes rest, uint8_t *out, size_t *len)
{
	if (!bytes_begin(rest, "\r\n", 2))
		return step_every_crlf(rest, out, len);
	out[0] = '\r';
	out[1] = '\n';
	*len = 2;
	return 2;
}

static size_t step_lf(struct bytes rest, uint8_t *out, size_t *len)
{
	bool crlf = bytes_begin(rest, "\r\n", 2);

	out[0] = crlf ? '\n' : rest.p[0];
	*len = 1;
	return crlf ? 2 : 1;
}

/* Python's universal newlines take a lone CR for one, too. */
static size_t step_universal(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = rest.p[0] == '\r' ? '\n' : rest.p[0];
	*len = 1;
	return bytes_begin(rest, "\r\n", 2) ? 2 : 1;
}

bool damage_is_line_ends(struct bytes given, struct bytes got, struct damage *d)
{
	if (damage_walk(given, got, step_crlf, d) || damage_walk(given, got, step_every_crlf, d))
		d->kind = DAMAGE_LF_TO_CRLF;
	else if (damage_walk(given, got, step_lf, d) || damage_walk(given, got, step_universal, d))
		d->kind = DAMAGE_CRLF_TO_LF;
	else
		return false;
	return true;
}

/* ---- escape sequences ---- */

static const char short_of[] = "n\nr\rt\tb\bf\f"; /* \n is LF, … */

static char short_escape(uint8_t c)
{
	for (size_t i = 0; short_of[i]; i += 2)
		if ((uint8_t)short_of[i + 1] == c)
			return short_of[i];
	return '\0';
}

static size_t keep(struct bytes rest, uint8_t *out, size_t *len)
{
	out[0] = rest.p[0];
	*len = 1;
	return 1;
}

/* \n, \r, \t alone. */
static size_t step_controls(struct bytes rest, uint8_t *out, size_t *len)
{
	char e = short_escape(rest.p[0]);

	if (!e)
		return keep(rest, out, len);
	out[0] = '\\';
	out[1] = (uint8_t)e;
	*len = 2;
	return 1;
}

static void hex4(uint8_t *out, unsigned int unit)
{
	char buf[STEP_OUT];

	snprintf(buf, sizeof(buf), "\\u%04x", unit & 0xffff);
	memcpy(out, buf, 6);
}

/* As JSON must (RFC 8259, section 7). */
static size_t step_json(struct bytes rest, uint8_t *out, size_t *len)
{
	uint8_t c = rest.p[0];

	if (c == '"' || c == '\\') {
		out[0] = '\\';
		out[1] = c;
		*len = 2;
		return 1;
	}
	if (c >= ' ' || short_escape(c))
		return step_controls(rest, out, len);
	hex4(out, c);
	*len = 6;
	return 1;
}

/* As JSON in ASCII, Python's default; of a pair the second half is left to a step of its own. */
static size_t step_json_ascii(struct bytes rest, uint8_t *out, size_t *len)
{
	ucs4_t c;
	int n = u8_mbtoucr(&c, rest.p, rest.n);

	if (n <= 1 || c > 0xffff)
		return step_json(rest, out, len);
	hex4(out, c);
	*len = 6;
	return (size_t)n;
}

static size_t step_html(struct bytes rest, uint8_t *out, size_t *len)
{
	static const struct {
		char c;
		const char *name;
	} entities[] = { { '&', "&amp;" },
			 { '<', "&lt;" },
			 { '>', "&gt;" },
			 { '"', "&quot;" },
			 { '\'', "&#39;" } };

	for (size_t i = 0; i < ARRAY_SIZE(entities); i++) {
		if (rest.p[0] != (uint8_t)entities[i].c)
			continue;
		*len = strlen(entities[i].name);
		memcpy(out, entities[i].name, *len);
		return 1;
	}
	return keep(rest, out, len);
}

/* Python's html.escape() and JavaScript's libraries write the apostrophe in hexadecimal, … */
static size_t step_html_hex(struct bytes rest, uint8_t *out, size_t *len)
{
	if (rest.p[0] != '\'')
		return step_html(rest, out, len);
	*len = 6;
	memcpy(out, "&#x27;", *len);
	return 1;
}

/* … and Go's html.EscapeString() both quotes by number. */
static size_t step_html_go(struct bytes rest, uint8_t *out, size_t *len)
{
	if (rest.p[0] != '"')
		return step_html(rest, out, len);
	*len = 5;
	memcpy(out, "&#34;", *len);
	return 1;
}

/* The three that must be escaped within an element; quotes stand. */
static size_t step_html_text(struct bytes rest, uint8_t *out, size_t *len)
{
	if (rest.p[0] == '"' || rest.p[0] == '\'')
		return keep(rest, out, len);
	return step_html(rest, out, len);
}

/* As encodeURIComponent() does. */
static size_t step_percent(struct bytes rest, uint8_t *out, size_t *len)
{
	static const char hex[] = "0123456789ABCDEF";
	uint8_t c = rest.p[0];

	if (isalnum(c) || (c && strchr("-_.!~*'()", c)))
		return keep(rest, out, len);
	out[0] = '%';
	out[1] = (uint8_t)hex[c >> 4];
	out[2] = (uint8_t)hex[c & 15];
	*len = 3;
	return 1;
}

static int hex_value(const uint8_t *p)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		if (!isxdigit(p[i]))
			return -1;
		v = v * 16 + (isdigit(p[i]) ? p[i] - '0' : tolower(p[i]) - 'a' + 10);
	}
	return v;
}

static size_t step_unescape(struct bytes rest, uint8_t *out, size_t *len)
{
	const uint8_t *p = rest.p;
	int n, v;

	if (p[0] != '\\' || rest.n < 2)
		return keep(rest, out, len);
	if (p[1] == 'u') {
		v = rest.n >= 6 ? hex_value(p + 2) : -1;
		n = v >= 0 ? u8_uctomb(out, (ucs4_t)v, STEP_OUT) : -1;
		*len = n > 0 ? (size_t)n : 0;
		return n > 0 ? 6 : keep(rest, out, len);
	}
	for (size_t i = 0; short_of[i]; i += 2) {
		if (p[1] != (uint8_t)short_of[i])
			continue;
		out[0] = (uint8_t)short_of[i + 1];
		*len = 1;
		return 2;
	}
	if (!strchr("\\\"'/", p[1]))
		return keep(rest, out, len);
	out[0] = p[1];
	*len = 1;
	return p[1] ? 2 : 1;
}

static bool quoted(struct bytes b)
{
	return b.n >= 2 && b.p[0] == '"' && b.p[b.n - 1] == '"';
}

bool damage_is_escaped(struct bytes given, struct bytes got, struct damage *d)
{
	static const damage_step steps[] = { step_controls,  step_json,	  step_json_ascii,
					     step_html_text, step_html,	  step_html_hex,
					     step_html_go,   step_percent };
	struct bytes inner = got;

	/* jq and its kin end what they print with a newline. */
	if (got.n && got.p[got.n - 1] == '\n')
		inner.n--;
	if (quoted(inner) && !quoted(given))
		inner = (struct bytes){ inner.p + 1, inner.n - 2 };
	else
		inner = got;
	d->common = bytes_common(given, inner);
	d->kind = DAMAGE_ESCAPED;
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		if (damage_walk(given, inner, steps[i], d))
			return true;
	if (inner.n != got.n && bytes_same(inner, given)) {
		d->at = 0;
		return true;
	}
	d->kind = DAMAGE_UNESCAPED;
	d->common = bytes_common(given, got);
	return damage_walk(given, got, step_unescape, d);
}
