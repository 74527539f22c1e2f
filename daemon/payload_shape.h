/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a request and its result are about, found by the names and shapes of their parts: which
 * string is a path, which is content, in what encoding, and whether the call means to write or
 * read a whole file. Pure. All strings are borrowed from the JSON.
 */
#ifndef SANDFAULT_PAYLOAD_SHAPE_H
#define SANDFAULT_PAYLOAD_SHAPE_H

#include <json-c/json.h>

#include "util.h"

#define SHAPE_PAIRS 4 /* looked at; of more the first */
#define SHAPE_PARTS 8

enum shape_verb {
	SHAPE_OTHER = 0, /* lists, edits, searches, runs, … */
	SHAPE_WRITE,	 /* puts a content into a file */
	SHAPE_READ,	 /* hands a file's content back */
};

enum shape_encoding {
	SHAPE_TEXT = 0,	   /* the characters are the content */
	SHAPE_MAYBE,	   /* … or it is base64: nothing says so, and it looks like it */
	SHAPE_BASE64,	   /* by its name, or by MCP's own rules */
	SHAPE_BASE64_SAID, /* an argument beside it says so */
	SHAPE_FOREIGN,	   /* another encoding is asked for: it can't be compared */
};

struct shape_string {
	const char *s; /* may hold anything, NULs too; NULL: none */
	size_t len;
	const char *key; /* its name in the JSON */
};

struct shape_pair {
	struct shape_string path, content; /* either may be missing */
	enum shape_encoding encoding;
};

struct shape {
	enum shape_verb verb;
	/* The whole file, as it is: no offset, no limit, no mode, no edit was asked for. */
	bool plain;
	/* The tool's own name says so; else only its arguments look like it. */
	bool named;
	bool lists; /* it shows a directory */
	struct shape_pair pairs[SHAPE_PAIRS];
	size_t n_pairs;
	struct shape_string nul; /* first path, command or name that holds a NUL */
};

struct shape_part {
	struct shape_string content;
	enum shape_encoding encoding; /* TEXT or BASE64 */
	const char *mime;	      /* NULL: none was declared */
};

struct shape_answer {
	struct shape_part parts[SHAPE_PARTS];
	size_t n_parts;
	bool partial; /* it says itself that there is more */
};

/* `params` may be NULL. The decoded path of a "file:" URI is kept in *decoded (owned; NULL:
 * none), which must outlive the shape. */
void shape_request(struct shape *ret, const char *method, const char *tool,
		   struct json_object *params, char **decoded);
void shape_result(struct shape_answer *ret, struct json_object *result);

/* Last component of a path: its start. */
const char *shape_basename(const char *path);

#endif
