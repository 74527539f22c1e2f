/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Two copies of what should be the same bytes: which known damage makes the one from the other?
 * And one copy alone: does it carry the marks of damage? Pure: bytes in, a word out.
 */
#ifndef SANDFAULT_DAMAGE_H
#define SANDFAULT_DAMAGE_H

#include "taxonomy.h"
#include "util.h"

enum damage_kind {
	DAMAGE_NONE = 0,    /* the same bytes */
	DAMAGE_NEWLINE,	    /* but for newlines at the very end: a tool's habit, no damage */
	DAMAGE_BOM_ADDED,   /* U+FEFF in front */
	DAMAGE_BOM_REMOVED, /* … gone: every reader of text may do so */
	DAMAGE_NUL_CUT,	    /* ends where the first NUL stood */
	DAMAGE_NUL_DROPPED, /* all its NULs are gone */
	DAMAGE_REPLACED,    /* U+FFFD for bytes that are no UTF-8, or for split characters */
	DAMAGE_DROPPED,	    /* bytes that are no UTF-8 are gone */
	DAMAGE_QUESTION,    /* a question mark for every character, or byte, beyond ASCII */
	DAMAGE_ASCII,	    /* characters beyond ASCII are gone */
	DAMAGE_LF_TO_CRLF,  /* line ends */
	DAMAGE_CRLF_TO_LF,
	DAMAGE_UTF8_TWICE, /* its bytes were taken for Latin-1 or Windows-1252, and encoded again */
	DAMAGE_LATIN1,	   /* its characters were written as one byte each */
	DAMAGE_UTF16,	   /* … as UTF-16 */
	DAMAGE_NORMALIZED, /* another Unicode normalization */
	DAMAGE_ESCAPED,	   /* escape sequences stand as text: \n, \u00e9, &lt; */
	DAMAGE_UNESCAPED,  /* what stood as text was taken for escape sequences */
	DAMAGE_BASE64_KEPT, /* it is given's base64 text, encoded once too often, or not decoded */
	DAMAGE_BASE64_DECODED, /* given, itself base64 text, was decoded once more */
	DAMAGE_CUT,	       /* its beginning; `at` is where it ends */
	DAMAGE_HOLES,	       /* NULs stand where other bytes were; the length is the same */
	DAMAGE_BLOCKS,	       /* whole blocks are missing in the middle, or stand twice */
	DAMAGE_BYTES,	       /* as long, but some bytes are others */
	DAMAGE_DIFFERENT,      /* in no known way: may well be meant */
	DAMAGE_MAX
};

struct damage {
	uint64_t common; /* bytes that both begin with */
	enum damage_kind kind;
	uint64_t at; /* first byte of `given` that is not in `got` as it was; NONE: its length */
	bool cut;    /* moreover it ends before its time */
	/* CUT: the length is a multiple of 512, or a number that people choose. */
	bool round;
	/* BYTES: what differs may be meant: quotes, digits, masked letters, blanks. */
	bool plain;
};

/*
 * How `got` came of `given`. A damage is recognised by 1 MiB of it; what lies behind that may
 * be in order. Unicode normalization is looked at up to 64 KiB. Where there is no memory,
 * DIFFERENT.
 */
struct damage damage_compare(const void *given, size_t given_len, const void *got, size_t got_len);
const char *damage_name(enum damage_kind k);
/* A clause for people, without a subject: "U+FFFD stands where other bytes were". */
const char *damage_say(enum damage_kind k);
/* CAUSE_MAX: none (NONE, NEWLINE, BOM_REMOVED, DIFFERENT). */
enum cause damage_cause(enum damage_kind k);

/* ---- base64 ---- */

enum base64_state {
	BASE64_OK = 0,
	BASE64_EMPTY,
	BASE64_ALPHABET, /* a character of no alphabet, `at` */
	BASE64_PADDING,	 /* a length that can't be, or padding in the middle */
};

/*
 * Standard or URL alphabet, padded or not, line ends skipped, a "data:…;base64," in front too. *ret
 * is owned, with a NUL behind; on BASE64_ALPHABET and BASE64_PADDING NULL. `at` (may be NULL):
 * the offset of what is wrong. -ENOMEM.
 */
int base64_decode(const char *s, size_t len, uint8_t **ret, size_t *ret_len, size_t *at);
/* What decodes is the standard alphabet's, and padded (RFC 4648, section 4), as decoders that do not guess
 * want it; else `at` is where it is not. */
bool base64_is_standard(const char *s, size_t len, size_t *at);
/* Looks like base64 of something: long enough, of the alphabet alone, and not a word. */
bool base64_likely(const char *s, size_t len);

/* ---- signs in one copy ---- */

enum format {
	FORMAT_UNKNOWN = 0,
	FORMAT_TEXT, /* valid UTF-8 without NUL */
	FORMAT_PNG,
	FORMAT_JPEG,
	FORMAT_GIF,
	FORMAT_WEBP,
	FORMAT_BMP,
	FORMAT_TIFF,
	FORMAT_AVIF,
	FORMAT_HEIC,
	FORMAT_ICO,
	FORMAT_PDF,
	FORMAT_ZIP,
	FORMAT_GZIP,
	FORMAT_BZIP2,
	FORMAT_XZ,
	FORMAT_ZSTD,
	FORMAT_7Z,
	FORMAT_ELF,
	FORMAT_SQLITE,
	FORMAT_WAV,
	FORMAT_OGG,
	FORMAT_MP3,
	FORMAT_FLAC,
	FORMAT_MP4,
	FORMAT_WASM,
	FORMAT_CLASS,
	FORMAT_MAX
};

enum format format_of(const void *data, size_t len);
const char *format_name(enum format f); /* PNG, text … */
bool format_is_image(enum format f);

struct damage_signs {
	/* A format whose first bytes are there but for U+FFFD, or for a second UTF-8 encoding: the
	 * whole can't be but damaged. UNKNOWN: none. */
	enum format magic;
	enum damage_kind magic_by; /* REPLACED or UTF8_TWICE */
	size_t replacements;	   /* U+FFFD in it */
	size_t first;		   /* offset of the first such; `len` where there is none */
};

struct damage_signs damage_signs(const void *data, size_t len);

enum mime_fit { MIME_FITS = 0, MIME_UNKNOWN, MIME_OTHER };
/* Is `data` what the media type says? Only MIME_OTHER is a word: types that can't be told by their
 * first bytes are UNKNOWN. */
enum mime_fit mime_fit(const char *type, const void *data, size_t len);

#endif
