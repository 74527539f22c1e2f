/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One stream's bytes -> messages: JSON text in lines (MCP's stdio transport), behind a
 * Content-Length head (as language servers frame it), or in HTTP/1.1 bodies and SSE events (MCP's
 * streamable HTTP, and its older HTTP with SSE). How a message is framed is told by its first bytes,
 * anew for each, so that a stream from which bytes were lost is understood again from the next line
 * or the next head on. Nothing is parsed as JSON here.
 */
#ifndef SANDFAULT_WIRE_H
#define SANDFAULT_WIRE_H

#include "call.h"

#define WIRE_MAX  (8 << 20) /* kept of a message where no setting says otherwise, bytes */
#define WIRE_TAIL 4096 /* … of which at its end: members that tell what it is may stand last */

/*
 * All that it points at lives only during the call of the function that takes it.
 *
 * Lines are handed on whatever they hold (an empty one is not), and so are SSE events and HTTP
 * bodies that are JSON by their type or their first byte. Other HTTP bodies are no message; but with
 * `len` 0 and `total` telling the body's length, these are handed on, for what their head says:
 *  - an answer whose status is 400 or more and whose body is no JSON, or is 200 and markup,
 *  - a request without a body that names a session (GET opens its event stream, DELETE ends it),
 *  - a body that is compressed (`cut` and `encoded`).
 */
struct wire_message {
	const char *data; /* JSON text: a line without its end, a body, an event's data */
	size_t len;	  /* kept; one NUL stands behind */
	uint64_t total;	  /* its full length, also where it was cut */
	bool cut;	  /* bytes are missing in it or at its end */
	/* Where it is cut: data[0 .. gap) is its beginning and data[tail .. len) its end, each
	 * without a hole. gap == len: the end is missing; tail == 0: it is not known that it begins
	 * with data[0]. Not cut: both are `len`. */
	size_t gap, tail;
	uint8_t digest[CALL_DIGEST]; /* SHA-256 of all its bytes that were seen, kept or not */
	uint64_t begin_ns, end_ns;   /* when its first and its last byte came */
	bool http;
	bool encoded;	 /* its body is compressed: not understood */
	bool page;	 /* an answer of success whose body is for people: markup */
	int http_status; /* 0: no answer of HTTP */
	/* NULL: not known. Of a request: as its head says; the session is Mcp-Session-Id, else the
	 * session's id in the path (the older transport), and of an answer likewise. */
	const char *http_method, *http_path, *http_session;
};

typedef void (*wire_fn)(const struct wire_message *m, void *arg);

struct wire;

/* `max`: what is kept of a message, bytes; 0: WIRE_MAX; less than 1 KiB becomes that. NULL: no
 * memory. `fn` must not call back into this wire. */
struct wire *wire_new(size_t max, wire_fn fn, void *arg);
/*
 * The bytes of one record: `offset` of the first in the stream, `missing` bytes that follow them and
 * could not be had, `ts` in ns. Records may come somewhat out of order: a few are held until what
 * comes before them is there or given up. Bytes that were had already are passed over. 0, -ENOMEM
 * (the message is cut) or -EINVAL (an offset that can't be).
 */
int wire_take(struct wire *w, uint64_t ts, uint64_t offset, const void *data, size_t len,
	      uint32_t missing);
/* Gives up bytes that were lost: records that are held since before `ts` are taken as they are. To
 * be called now and then, with a moment in the past (a tenth of a second is plenty). */
int wire_flush(struct wire *w, uint64_t ts);
/* End of stream: what is held and what is begun is handed on (cut, where it shows no end of its
 * own). What comes after that is taken as a new beginning. */
void wire_end(struct wire *w);
/* The bytes of memory that it holds. */
size_t wire_held(const struct wire *w);
void wire_free(struct wire *w);

#endif
