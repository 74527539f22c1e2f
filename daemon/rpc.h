/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A message -> JSON-RPC 2.0 objects, and what is wrong with the strings in them. Lenient in what it
 * reads: bytes that are no UTF-8 stand in strings as they came, strings with NUL keep their length,
 * and of a message that was cut, or that is no JSON, what stands at its beginning and at its end is
 * still told.
 */
#ifndef SANDFAULT_RPC_H
#define SANDFAULT_RPC_H

#include <json-c/json.h>

#include "wire.h"

#define RPC_PARSE_ERROR (-32700) /* JSON-RPC 2.0, section 5.1 */

enum rpc_kind {
	RPC_NOT_JSON = 1,
	RPC_INVALID, /* JSON, but no JSON-RPC 2.0 object (of MCP: an id is no null) */
	RPC_REQUEST,
	RPC_NOTIFICATION,
	RPC_RESULT,
	RPC_ERROR,
};

/* What the bytes of a message show and a parsed object does not. */
enum rpc_raw {
	RPC_RAW_INVALID_UTF8 = 1 << 0,	 /* each reader makes something else of it */
	RPC_RAW_LONE_SURROGATE = 1 << 1, /* \ud800 … without its other half; json-c: U+FFFD */
	RPC_RAW_CONTROL = 1 << 2,	 /* a control byte, NUL too, in a string: no JSON */
	RPC_RAW_BOM = 1 << 3,		 /* a byte order mark before it: no JSON to most */
	RPC_RAW_LENIENT = 1 << 4,	 /* NaN, Infinity: JSON to some readers (Python's) only */
	RPC_RAW_TOO_BIG = 1 << 5,	 /* deeper or of more values than is taken: `partial` */
};

struct rpc {
	enum rpc_kind kind;
	const char *id;	    /* as JSON: 7, "a"; NULL: none or null; borrowed */
	const char *method; /* NULL: none */
	/* Borrowed; NULL where absent. json_object_get() keeps one longer. */
	struct json_object *object, *params, *result, *error;
	int code;	     /* of an error */
	const char *message; /* … */
	uint32_t raw;	     /* enum rpc_raw, of the whole message (of a batch: of all of it) */
	size_t raw_at;	     /* offset of the first of them in the message's data */
	/*
	 * Not all of the message was had or taken: its values are those that stood whole at its
	 * beginning and its end; nothing can be said of what is absent, nor may lengths be compared.
	 * RPC_REQUEST with a NULL id: the id was not had. RPC_INVALID: not enough was had to say.
	 * Never set of RPC_NOT_JSON, which has what stood before the text went wrong.
	 */
	bool partial;
	size_t batch; /* objects in the batch that it came in; 0: it came alone */
};

/*
 * Calls `fn` for each object of the message. A batch that holds none is one RPC_INVALID, and so is
 * a single value that is no object. A message without bytes (wire.h says which) has none.
 * Returns how often it was called, or -ENOMEM.
 */
int rpc_parse(const struct wire_message *m, void (*fn)(const struct rpc *r, void *arg), void *arg);

/* What is to be seen in a string, as it stands in an object. */
enum rpc_string {
	RPC_STRING_NUL = 0,
	RPC_STRING_INVALID_UTF8,
	RPC_STRING_REPLACEMENT, /* U+FFFD */
	RPC_STRING_ESCAPED,	/* \n, \u0000, %20 standing as text; in content that is usual */
	RPC_STRING_CRLF,
	RPC_STRING_BASE64, /* no base64, where that is what it should be */
	RPC_STRING_MAX
};

struct rpc_string_at {
	size_t at[RPC_STRING_MAX]; /* the first of each; of those in the mask only */
};

/* A mask of 1 << enum rpc_string; `at` may be NULL. RPC_STRING_BASE64 is not looked for. */
uint32_t rpc_string_faults(const char *s, size_t len, struct rpc_string_at *at);
/*
 * Whether it is base64 (RFC 4648, both alphabets, blanks allowed, padding may be absent as a whole).
 * -1: it is, else the offset of the first byte that is wrong (`len`: it ends too early).
 */
ssize_t rpc_base64_fault(const char *s, size_t len);

/*
 * Each string in `o` (not the keys), with its JSON pointer (RFC 6901; "" is `o` itself). A function
 * that returns other than 0 ends it. Returns what it returned last, else 0, or -ENOMEM.
 */
typedef int (*rpc_string_fn)(const char *pointer, const char *s, size_t len, void *arg);
int rpc_each_string(struct json_object *o, rpc_string_fn fn, void *arg);

#endif
