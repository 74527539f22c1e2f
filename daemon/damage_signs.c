/* SPDX-License-Identifier: GPL-2.0-only */
/* What one copy tells by itself: formats by their first bytes, and such first bytes damaged. */
#include <ctype.h>

#include "damage_internal.h"

#define MAGIC_MAX 64   /* bytes of a magic's damaged form */
#define PDF_HEAD  16   /* bytes: its first line */
#define TEXT_HEAD 4096 /* of a text: enough to call it one */

static const struct {
	enum format format;
	uint8_t at;
	uint8_t len;
	const char *magic;
} magics[] = {
	{ FORMAT_PNG, 0, 8, "\x89PNG\r\n\x1a\n" },
	{ FORMAT_JPEG, 0, 3, "\xff\xd8\xff" },
	{ FORMAT_GIF, 0, 6, "GIF87a" },
	{ FORMAT_GIF, 0, 6, "GIF89a" },
	{ FORMAT_WEBP, 8, 4, "WEBP" },
	{ FORMAT_WAV, 8, 4, "WAVE" },
	{ FORMAT_BMP, 6, 4, "\0\0\0\0" }, /* and BM in front: below */
	{ FORMAT_TIFF, 0, 4, "II*\0" },
	{ FORMAT_TIFF, 0, 4, "MM\0*" },
	{ FORMAT_AVIF, 4, 8, "ftypavif" },
	{ FORMAT_HEIC, 4, 7, "ftyphei" },
	{ FORMAT_HEIC, 4, 8, "ftypmif1" },
	{ FORMAT_MP4, 4, 4, "ftyp" },
	{ FORMAT_ICO, 0, 4, "\0\0\1\0" },
	{ FORMAT_PDF, 0, 5, "%PDF-" },
	{ FORMAT_ZIP, 0, 4, "PK\3\4" },
	{ FORMAT_ZIP, 0, 4, "PK\5\6" },
	{ FORMAT_GZIP, 0, 3, "\x1f\x8b\x08" },
	{ FORMAT_BZIP2, 4, 6, "1AY&SY" },
	{ FORMAT_XZ, 0, 6,
	  "\xfd"
	  "7zXZ\0" },
	{ FORMAT_ZSTD, 0, 4, "\x28\xb5\x2f\xfd" },
	{ FORMAT_7Z, 0, 6, "7z\xbc\xaf\x27\x1c" },
	{ FORMAT_ELF, 0, 4,
	  "\x7f"
	  "ELF" },
	{ FORMAT_SQLITE, 0, 16, "SQLite format 3\0" },
	{ FORMAT_OGG, 0, 4, "OggS" },
	{ FORMAT_MP3, 0, 3, "ID3" },
	{ FORMAT_FLAC, 0, 4, "fLaC" },
	{ FORMAT_WASM, 0, 4, "\0asm" },
	{ FORMAT_CLASS, 0, 4, "\xca\xfe\xba\xbe" },
};

static const char *const names[] = {
	"unknown", "text",   "PNG", "JPEG", "GIF",  "WebP",  "BMP", "TIFF",	   "AVIF",
	"HEIC",	   "ICO",    "PDF", "zip",  "gzip", "bzip2", "xz",  "zstd",	   "7z",
	"ELF",	   "SQLite", "WAV", "Ogg",  "MP3",  "FLAC",  "MP4", "WebAssembly", "Java class",
};
_Static_assert(ARRAY_SIZE(names) == FORMAT_MAX, "every format has a name");

const char *format_name(enum format f)
{
	return (unsigned int)f < FORMAT_MAX ? names[f] : "unknown";
}

bool format_is_image(enum format f)
{
	return f >= FORMAT_PNG && f <= FORMAT_ICO;
}

static bool has_magic(struct bytes b, size_t i)
{
	if (magics[i].format == FORMAT_BMP && !bytes_begin(b, "BM", 2))
		return false;
	return b.n >= magics[i].at &&
	       bytes_begin(bytes_from(b, magics[i].at), magics[i].magic, magics[i].len);
}

static bool is_text(struct bytes b)
{
	struct bytes head = { b.p, b.n < TEXT_HEAD ? b.n : TEXT_HEAD };
	size_t i = 0, n;

	while (i < head.n) {
		n = utf8_char(bytes_from(head, i));
		if (!n) /* the head may end within a character */
			return b.n > head.n && head.n - i < 4;
		if (head.p[i] == '\0')
			return false;
		i += n;
	}
	return true;
}

enum format format_of(const void *data, size_t len)
{
	const struct bytes b = { data, len };

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (has_magic(b, i))
			return magics[i].format;
	return len && is_text(b) ? FORMAT_TEXT : FORMAT_UNKNOWN;
}

/* ---- damaged ---- */

/* Of the magic at the very front, with something beyond ASCII in it, that no text begins with
 * once damaged: "\x89PNG\r\n\x1a\n", "\x1f\x8b\x08". JPEG's three bytes leave U+FFFD alone: see
 * below. */
static bool is_damaged(struct bytes b, size_t i, damage_step step)
{
	struct bytes magic = { (const uint8_t *)magics[i].magic, magics[i].len };
	uint8_t made[MAGIC_MAX];
	size_t n = 0, at = 0, used, len, plain = 0;

	if (magics[i].at)
		return false;
	while (at < magic.n) {
		used = step(bytes_from(magic, at), made + n, &len);
		plain += magic.p[at] < 0x80;
		at += used;
		n += len;
	}
	return plain >= 2 && plain < magic.n && bytes_begin(b, made, n);
}

static const uint8_t replacement[3] = { 0xef, 0xbf, 0xbd };

static size_t step_replace(struct bytes rest, uint8_t *out, size_t *len)
{
	if (rest.p[0] < 0x80) {
		out[0] = rest.p[0];
		*len = 1;
	} else {
		memcpy(out, replacement, sizeof(replacement));
		*len = 3;
	}
	return 1;
}

static size_t step_again(struct bytes rest, uint8_t *out, size_t *len)
{
	if (rest.p[0] < 0x80) {
		out[0] = rest.p[0];
		*len = 1;
	} else {
		out[0] = (uint8_t)(0xc0 | rest.p[0] >> 6);
		out[1] = (uint8_t)(0x80 | (rest.p[0] & 0x3f));
		*len = 2;
	}
	return 1;
}

/* JPEG: ff d8 ff eN, a length of two bytes, then JFIF or Exif. */
static bool is_jpeg_damaged(struct bytes b)
{
	struct bytes head = { b.p, b.n < MAGIC_MAX / 2 ? b.n : MAGIC_MAX / 2 };

	return bytes_begin(b, REPLACEMENT, 3) &&
	       (memmem(head.p, head.n, "JFIF\0", 5) || memmem(head.p, head.n, "Exif\0", 5));
}

/* PDF: a version, and where its file has binary content (ISO 32000-1, 7.5.2) a comment of four
 * bytes above 127, which no text has there. */
static bool is_pdf_damaged(struct bytes b)
{
	const uint8_t *at = b.n > PDF_HEAD ? memchr(b.p, '\n', PDF_HEAD) : NULL;

	if (!at)
		at = b.n > PDF_HEAD ? memchr(b.p, '\r', PDF_HEAD) : NULL;
	return at &&
	       bytes_begin(bytes_from(b, (size_t)(at - b.p) + 1), "%" REPLACEMENT REPLACEMENT, 7);
}

/* ASCII in front, binary behind: "%PDF-1.4\n%âãÏÓ", a zip's local header. Such a start is whole
 * also where the rest is damaged: many U+FFFD in what can have none. */
static bool is_mixed_damaged(struct bytes b, enum format f, size_t replacements)
{
	static const enum format binary[] = { FORMAT_GIF, FORMAT_ZIP, FORMAT_ELF, FORMAT_SQLITE,
					      FORMAT_WASM };

	for (size_t i = 0; i < ARRAY_SIZE(binary); i++)
		if (f == binary[i])
			return replacements >= 4 && utf8_valid(b);
	return false;
}

static void look_at_magic(struct bytes b, struct damage_signs *s)
{
	enum format whole = format_of(b.p, b.n);

	for (size_t i = 0; i < ARRAY_SIZE(magics) && !s->magic; i++) {
		if (is_damaged(b, i, step_replace)) {
			s->magic = magics[i].format;
			s->magic_by = DAMAGE_REPLACED;
		} else if (is_damaged(b, i, step_again)) {
			s->magic = magics[i].format;
			s->magic_by = DAMAGE_UTF8_TWICE;
		}
	}
	if (s->magic)
		return;
	if (is_jpeg_damaged(b))
		s->magic = FORMAT_JPEG;
	else if (is_mixed_damaged(b, whole, s->replacements) ||
		 (whole == FORMAT_PDF && is_pdf_damaged(b)))
		s->magic = whole;
	if (s->magic)
		s->magic_by = DAMAGE_REPLACED;
}

struct damage_signs damage_signs(const void *data, size_t len)
{
	const struct bytes b = { data, len };
	struct damage_signs s = { .first = len };
	const uint8_t *at = len ? memmem(data, len, REPLACEMENT, 3) : NULL;

	if (at)
		s.first = (size_t)(at - b.p);
	for (; at; at = memmem(at + 3, len - (size_t)(at + 3 - b.p), REPLACEMENT, 3))
		s.replacements++;
	if (len)
		look_at_magic(b, &s);
	return s;
}

/* ---- media types ---- */

static const struct {
	const char *type;
	enum format format;
} types[] = {
	{ "image/png", FORMAT_PNG },	   { "image/jpeg", FORMAT_JPEG },
	{ "image/jpg", FORMAT_JPEG },	   { "image/gif", FORMAT_GIF },
	{ "image/webp", FORMAT_WEBP },	   { "image/tiff", FORMAT_TIFF },
	{ "image/avif", FORMAT_AVIF },	   { "image/bmp", FORMAT_BMP },
	{ "application/pdf", FORMAT_PDF }, { "application/gzip", FORMAT_GZIP },
	{ "audio/flac", FORMAT_FLAC },	   { "audio/wav", FORMAT_WAV },
	{ "audio/x-wav", FORMAT_WAV },	   { "audio/ogg", FORMAT_OGG },
};

enum mime_fit mime_fit(const char *type, const void *data, size_t len)
{
	size_t n = strcspn(type, "; ");

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (strlen(types[i].type) != n || strncasecmp(types[i].type, type, n) != 0)
			continue;
		return format_of(data, len) == types[i].format ? MIME_FITS : MIME_OTHER;
	}
	return MIME_UNKNOWN;
}
