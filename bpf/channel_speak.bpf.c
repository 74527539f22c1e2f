/* SPDX-License-Identifier: GPL-2.0-only */
/* Is it a tool's message that a call moved? */
#include "channel_chunk.bpf.h"

#define HEAD	     1024 /* … in which it must say what it is, from its beginning, */
#define HEAD_BUFFERS 8	  /* … in so many of several buffers at most */
#define BLOCK	     32	  /* bytes of it that are looked at at once */
#define TAIL	     256  /* … or from the operation's end: a node program says it last */

#define WORD_JSONRPC 0x6370726e6f736a22ULL /* "jsonrpc, with its first quote */
#define WORD_METHOD  0x22646f6874656d22ULL /* "method" */
#define WORD_EVENTS  0x657274732d746e65ULL /* ent-stre: of text/event-stream */
#define WORD_SESSION 0x737365732d70636dULL /* mcp-sess: of mcp-session-id */
#define CASE	     0x2020202020202020ULL

/* Its sign is that the two differ. Without a branch: of a thousand the verifier would follow each. */
static __always_inline u64 differs(u64 a, u64 b)
{
	u64 x = a ^ b;

	barrier_var(x);
	return x | -x;
}

/* What the `len` bytes of `walk`, a block of zeros behind them, say of themselves in JSON: */
int channel_json_words(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 protocol = ~0ULL, method = ~0ULL;
	u32 at, i;

	if (!s)
		return 0;
	for (at = 0; at < HEAD + TAIL; at += BLOCK) {
		if (at >= len)
			break;
#pragma unroll
		for (i = 0; i < BLOCK; i++) {
			u64 word = *(u64 *)(s->walk + at + i);

			protocol &= differs(word, WORD_JSONRPC);
			method &= differs(word, WORD_METHOD);
		}
	}
	if (protocol >> 63)
		return 0;
	return method >> 63 ? SPEAKS : SPEAKS | SPEAKS_METHOD;
}

/* … and in HTTP, in whatever case; its head alone. */
int channel_http_words(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 all = ~0ULL;
	u32 at, i;

	if (!s)
		return 0;
	for (at = 0; at < HEAD; at += BLOCK) {
		if (at >= len)
			break;
#pragma unroll
		for (i = 0; i < BLOCK; i++) {
			u64 word = *(u64 *)(s->walk + at + i) | CASE;

			all &= differs(word, WORD_JSONRPC) & differs(word, WORD_EVENTS) &
			       differs(word, WORD_SESSION);
		}
	}
	return all >> 63 ? 0 : SPEAKS;
}

enum opening { OPENS_NOTHING, OPENS_JSON, OPENS_HTTP };

/* The first letters of the walk's text; a method's blank or slash is left out where it is clear. */
static __always_inline u32 message_opening(const char *text)
{
	char letter = 0;
	u32 i;

	for (i = 0; i < BEGIN; i++) {
		letter = text[i];
		if (letter != ' ' && letter != '\t' && letter != '\r' && letter != '\n')
			break;
	}
	if (letter == '{' || letter == '[')
		return OPENS_JSON;
	if (*(u32 *)text == WORD_POST || *(u32 *)text == WORD_GET || *(u32 *)text == WORD_DELE)
		return OPENS_HTTP;
	return OPENS_NOTHING;
}

/* Up to HEAD bytes from the beginning of what was moved, into `walk`; how many. */
int channel_head(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 len = 0, n;
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < HEAD_BUFFERS; i++) {
		if (!s->io_piece && !next_buffer(s))
			break;
		n = s->io_piece;
		if (n > HEAD - len)
			n = HEAD - len;
		barrier_var(n);
		barrier_var(len);
		if (len > HEAD || n > HEAD ||
		    bpf_probe_read_user(s->walk + len, n, (void *)s->io_at))
			break;
		s->io_at += n;
		s->io_piece -= n;
		s->io_left -= n;
		len += n;
	}
	return len;
}

/* Is it a message's beginning that the call moved? */
int channel_speaks(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 len, tail;
	u32 opening;

	if (!s)
		return 0;
	len = channel_head(slot);
	barrier_var(len);
	if (len < BEGIN || len > HEAD)
		return 0;
	opening = message_opening(s->walk);
	if (opening == OPENS_NOTHING)
		return 0;
	/* The end of the same buffer. */
	tail = s->io_piece > TAIL ? TAIL : s->io_piece;
	barrier_var(tail);
	if (tail > TAIL ||
	    bpf_probe_read_user(s->walk + len, tail, (void *)(s->io_at + s->io_piece - tail)))
		return 0;
	len += tail;
	__builtin_memset(s->walk + len, 0, BLOCK + sizeof(u64));
	return opening == OPENS_HTTP ? channel_http_words(slot, len)
				     : channel_json_words(slot, len);
}

/* Is it a message, the line in `walk`? It begins as one. */
int channel_line_speaks(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);

	if (!s || len < BEGIN || len >= SF_PRELUDE)
		return 0;
	barrier_var(len);
	len &= SF_PRELUDE - 1;
	__builtin_memset(s->walk + len, 0, BLOCK + sizeof(u64));
	return channel_json_words(slot, len);
}
