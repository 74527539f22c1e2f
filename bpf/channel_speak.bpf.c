/* SPDX-License-Identifier: GPL-2.0-only */
/* Is it a tool's message that a call moved? */
#include "channel_chunk.bpf.h"

#define BEGIN	     16 /* bytes of a message at least; among them its first letter, after blanks */
#define HEAD	     1024 /* … in which it must say what it is, from its beginning, */
#define HEAD_BUFFERS 8	  /* … in so many of several buffers at most */
#define TAIL	     512  /* … or from the operation's end: a node program says it last */

#define WORD_JSONRPC 0x6370726e6f736a22ULL /* "jsonrpc, with its first quote */
#define WORD_METHOD  0x22646f6874656d22ULL /* "method" */
#define WORD_EVENTS  0x6576652f74786574ULL /* text/eve… */
#define WORD_STREAM  0x61657274732d746eULL /* … nt-strea(m) */
#define WORD_SESSION 0x737365732d70636dULL /* mcp-sess… */
#define WORD_ION_ID  0x2d6e6f69U	   /* … ion-(id) */
#define CASE	     0x2020202020202020ULL

/* Do the first bytes of `walk` name the protocol? They are followed by zeros. */
int channel_names_jsonrpc(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < HEAD + TAIL; i++) {
		if (i >= len)
			break;
		if (*(u64 *)(s->walk + i) == WORD_JSONRPC && s->walk[i + 8] == '"')
			return SPEAKS;
	}
	return 0;
}

int channel_names_method(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < HEAD + TAIL; i++) {
		if (i >= len)
			break;
		if (*(u64 *)(s->walk + i) == WORD_METHOD)
			return SPEAKS_METHOD;
	}
	return 0;
}

int channel_names_http(u32 slot, u64 len)
{
	struct sf_scratch *s = scratch_at(slot);
	u64 word;
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < HEAD + TAIL; i++) {
		if (i >= len)
			break;
		word = *(u64 *)(s->walk + i) | CASE;
		if (word == WORD_JSONRPC)
			return SPEAKS;
		if (word == WORD_EVENTS && (*(u64 *)(s->walk + i + 8) | CASE) == WORD_STREAM)
			return SPEAKS;
		if (word == WORD_SESSION && (*(u32 *)(s->walk + i + 8) | (u32)CASE) == WORD_ION_ID)
			return SPEAKS;
	}
	return 0;
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
	int speaks;

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
	*(u64 *)(s->walk + len) = 0;
	*(u64 *)(s->walk + len + 8) = 0;
	if (opening == OPENS_HTTP)
		return channel_names_http(slot, len);
	speaks = channel_names_jsonrpc(slot, len);
	return speaks ? speaks | channel_names_method(slot, len) : 0;
}
