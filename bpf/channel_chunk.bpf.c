/* SPDX-License-Identifier: GPL-2.0-only */
/* The bytes of a call on a channel, into the ring. */
#include "channel_chunk.bpf.h"

/* Room for the bytes of a record, in the ring: it has to be known before their number is. */
#define ROOM_BYTES  64	/* of who reads byte by byte */
#define ROOM_SHORT  256 /* most messages take one of these two */
#define ROOM_USUAL  512
#define ROOM_SMALL  1024
#define ROOM_MIDDLE 8192
#define PIECES	    (SF_CH_CALL_MAX / SF_CH_DATA_MAX + 64) /* of one operation: records, buffers */

/* One with its bytes, `room` being fixed. What of them could not be had is told with it. */
#define CHUNK_PUT(s, len, room)                                                                    \
	({                                                                                         \
		struct sf_ev_chunk *__rec =                                                        \
			bpf_ringbuf_reserve(&channel, sizeof(*__rec) + (room), 0);                 \
		u64 __len = (len);                                                                 \
		if (__rec) {                                                                       \
			barrier_var(__len);                                                        \
			if (__len > (room))                                                        \
				__len = (room);                                                    \
			__builtin_memcpy(__rec, &(s)->chunk, sizeof(*__rec));                      \
			if (bpf_probe_read_user(__rec + 1, __len, (void *)(s)->io_at)) {           \
				channel_lost(SF_C_LOST_CHANNEL, __len);                            \
				__rec->hdr.size = sizeof(*__rec);                                  \
				__rec->missing = __rec->len;                                       \
				__rec->len = 0;                                                    \
			}                                                                          \
			bpf_ringbuf_submit(__rec, chunk_wakes(s));                                 \
		}                                                                                  \
		__rec != NULL;                                                                     \
	})

/* The next record, or the next buffer; 1: there is no more. */
int channel_piece(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	bool put;
	u64 len;

	if (!s || !s->io_left || s->ret - s->io_left >= SF_CH_CALL_MAX)
		return 1;
	if (!s->io_piece)
		return !next_buffer(s);
	/* Three records of the middle size take no more room than one of the largest. */
	len = s->io_piece;
	if (len > 3 * ROOM_MIDDLE)
		len = len > SF_CH_DATA_MAX ? SF_CH_DATA_MAX : len;
	else if (len > ROOM_MIDDLE)
		len = ROOM_MIDDLE;
	s->chunk.len = len;
	s->hdr.size = sizeof(s->chunk) + len;
	if (len > ROOM_MIDDLE)
		put = CHUNK_PUT(s, len, SF_CH_DATA_MAX);
	else if (len > ROOM_SMALL)
		put = CHUNK_PUT(s, len, ROOM_MIDDLE);
	else if (len > ROOM_USUAL)
		put = CHUNK_PUT(s, len, ROOM_SMALL);
	else if (len > ROOM_SHORT)
		put = CHUNK_PUT(s, len, ROOM_USUAL);
	else if (len > ROOM_BYTES)
		put = CHUNK_PUT(s, len, ROOM_SHORT);
	else
		put = CHUNK_PUT(s, len, ROOM_BYTES);
	if (!put) {
		channel_lost(SF_C_LOST_CHANNEL, s->io_left);
		s->io_left = 0;
		return 1;
	}
	s->chunk.first = 0;
	s->chunk.offset += len;
	s->io_at += len;
	s->io_piece -= len;
	s->io_left -= len;
	return 0;
}

int channel_pieces(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	u32 i;

	if (!s)
		return 0;
	for (i = 0; i < PIECES; i++)
		if (channel_piece(slot))
			break;
	if (s->io_left) {
		channel_lost(SF_C_LOST_CHANNEL, s->io_left);
		chunk_say(s, SF_CH_DATA, s->io_left);
	}
	return 0;
}
