/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of wire: order of records (wire.c), framing (wire_frame.c), HTTP heads and bodies
 * (wire_http.c, wire_body.c), streams of events (wire_sse.c), and the gathering of one message
 * (wire_gather.c). */
#ifndef SANDFAULT_WIRE_IMPL_H
#define SANDFAULT_WIRE_IMPL_H

#include <openssl/evp.h>
#include <string.h>

#include "wire.h"

#define HELD_RECORDS 8		 /* out of order, at most */
#define HELD_BYTES   (1 << 20)	 /* … of them */
#define HEAD_LINE    1024	 /* kept of a head's line, bytes */
#define HEAD_BYTES   (256 << 10) /* longer heads are given up */

enum wire_state {
	AT_START = 0,  /* between messages, or in the few bytes that tell what begins */
	AT_LINE,       /* in a line that is handed on */
	AT_SKIP,       /* … that is not */
	AT_HEAD,       /* in the lines of a head */
	AT_BODY,       /* `left` bytes, or what there is */
	AT_CHUNK_SIZE, /* HTTP's chunked coding, RFC 9112 section 7.1 */
	AT_CHUNK,      /* `left` bytes */
	AT_CHUNK_END,  /* its line end */
	AT_TRAILER,
	AT_CHUNK_LOST, /* bytes are missing: the next line that is a chunk's size is awaited */
	AT_OPAQUE,     /* no HTTP/1.1 any more: nothing is understood until the end */
};

/* One message that is being gathered. */
struct gather {
	char *buf;
	size_t cap, len;
	uint64_t total;
	bool begun, cut;
	bool keep; /* else it is counted only */
	bool torn; /* gap and tail hold */
	size_t gap, tail;
	uint64_t begin_ns, end_ns;
};

struct head {
	bool http, answer, chunked, sse, json, encoded;
	bool page;  /* an answer of success that is for people: markup, by its first byte */
	bool sized; /* `left` says where the body ends */
	bool first; /* its first line has been read */
	bool lost;  /* chunks were lost: sizes are found anew */
	int status;
	uint64_t length;
	size_t bytes;
	char method[8], path[HEAD_LINE], session[256];
};

/* A body of server-sent events. */
struct sse {
	char field[16]; /* its name, until the colon; longer ones are cut, and unknown anyway */
	size_t field_len;
	enum { SSE_NAME = 0, SSE_DATA, SSE_EVENT, SSE_OTHER } in;
	char event[16];
	size_t event_len;
	bool data;  /* this event has a line of data */
	bool blank; /* a blank that comes now is not of the value */
	bool cr;    /* a line end's first half was last */
	bool torn;  /* bytes were lost just before what comes now */
};

struct held {
	uint64_t ts, offset;
	uint32_t missing;
	size_t len;
	char *data;
};

struct wire {
	size_t max;
	wire_fn fn;
	void *arg;
	EVP_MD_CTX *md;
	uint64_t ts;   /* of the bytes that are being taken */
	uint64_t next; /* offset of the byte that is awaited */
	struct held held[HELD_RECORDS];
	size_t n_held, held_bytes;
	enum wire_state state;
	bool cr;     /* AT_LINE: a CR that may belong to the line's end */
	bool torn;   /* bytes were lost just before what comes now */
	bool http;   /* HTTP was seen: a line of anything else is rubbish */
	bool framed; /* heads were seen: a message needs no line end */
	bool astray; /* … and bytes were lost: the next head is awaited */
	int error;
	uint64_t left;
	char line[HEAD_LINE + 1];
	size_t line_len;
	struct gather msg;
	struct head head;
	struct sse sse;
};

static inline bool wire_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* wire_gather.c */
void gather_add(struct wire *w, const char *p, size_t n);
void gather_gap(struct wire *w, uint64_t n); /* bytes that are missing here */
void gather_torn(struct wire *w);	     /* its beginning is not known */
void gather_cut(struct wire *w);	     /* its end is missing */
void gather_hand(struct wire *w);	     /* hands it on and forgets it */
void gather_drop(struct wire *w);

/* wire_frame.c */
void frame_take(struct wire *w, const char *p, size_t n); /* one record's bytes */
void frame_gap(struct wire *w, uint64_t n);
void frame_end(struct wire *w);
void frame_again(struct wire *w, const char *p, size_t n); /* bytes that were held back */

/* wire_http.c */
enum wire_opening {
	OPENS_MORE = 0, /* too few bytes to say */
	OPENS_JSON,
	OPENS_TEXT,
	OPENS_REQUEST,
	OPENS_ANSWER,
	OPENS_LENGTH,
	OPENS_HTTP2,
};

enum wire_opening http_opening(const char *p, size_t n);
/* Whether the bytes begin with the whole first line of an HTTP head. JSON has no bare line end in
 * its strings: no body can hold it. */
bool http_is_head(const char *p, size_t n);
void http_begin(struct wire *w, enum wire_opening o);
size_t http_head(struct wire *w, const char *p, size_t n); /* AT_HEAD: what it took */
void http_path_session(struct head *h, const char *p, size_t n);

/* wire_body.c */
void body_begin(struct wire *w);			   /* the head is complete */
size_t body_step(struct wire *w, const char *p, size_t n); /* what it took */
void body_gap(struct wire *w, uint64_t n);
void body_end(struct wire *w, bool whole);

/* wire_sse.c */
void sse_take(struct wire *w, const char *p, size_t n);
void sse_gap(struct wire *w, uint64_t n);
void sse_end(struct wire *w);

#endif
