/* SPDX-License-Identifier: GPL-2.0-only */
/* A channel's records, and the buffers that their bytes are taken from. */
#ifndef SANDFAULT_CHANNEL_CHUNK_BPF_H
#define SANDFAULT_CHANNEL_CHUNK_BPF_H

#include "channel_name.bpf.h"

#define BEGIN 16 /* bytes of a message at least; among them its first letter, after blanks */

#define WORD_POST 0x54534f50U
#define WORD_GET  0x20544547U
#define WORD_DELE 0x454c4544U

/* The daemon looks often: to read memory costs it nothing, a map's value a call. */
static __always_inline void channel_lost(u32 which, u64 by)
{
	counter_sum(which, by);
	__sync_fetch_and_add(&channel_losses, by);
}

/*
 * The daemon is woken by the first bytes after a while without, and looks on its own for what follows
 * closely: else a tool's every call costs two wake-ups. Not by whether it has caught up, as the ring
 * would have it: what wakes nobody counts there as seen to.
 */
static __always_inline u64 chunk_wakes(struct sf_scratch *s)
{
	u64 size = bpf_ringbuf_query(&channel, BPF_RB_RING_SIZE);

	if (!s->chunk.first && s->now - channel_woken < SF_CH_QUIET &&
	    bpf_ringbuf_query(&channel, BPF_RB_AVAIL_DATA) < size / 4)
		return BPF_RB_NO_WAKEUP;
	channel_woken = s->now;
	return BPF_RB_FORCE_WAKEUP;
}

/* One without bytes. */
static __always_inline void chunk_say(struct sf_scratch *s, u32 what, u32 missing)
{
	s->hdr.size = sizeof(s->chunk);
	s->chunk.len = 0;
	s->chunk.what = what;
	s->chunk.missing = missing;
	if (bpf_ringbuf_output(&channel, &s->chunk, sizeof(s->chunk), BPF_RB_FORCE_WAKEUP))
		channel_lost(SF_C_LOST_CHANNEL, missing ? missing : 1);
	s->chunk.first = 0;
}

static __always_inline void chunk_begin(struct sf_scratch *s, struct channel *ch,
					struct sf_stream *e, u32 fd)
{
	struct sf_ev_chunk *c = &s->chunk;

	s->state = 0; /* what it would say of the thread is looked up for verdicts only */
	actor_fill(s->slot);
	s->hdr.kind = SF_EV_CHUNK;
	s->hdr.serial = e->serial;
	c->stream = ch->stream;
	c->back = e->back;
	c->offset = e->bytes;
	c->missing = 0;
	c->fd = fd;
	c->err = 0;
	c->kind = ch->kind;
	c->writes = ch->writes;
	c->first = !e->begun;
	c->port_local = ch->port_local;
	c->port_peer = ch->port_peer;
	e->begun = 1;
}

/* The next of several buffers becomes the piece that is looked at; false: there is none. */
static __always_inline bool next_buffer(struct sf_scratch *s)
{
	struct iovec_native iov;

	if (s->io_index >= s->io_count ||
	    compat_iovec(&iov, s->io_addr, s->io_index, s->key.abi == SF_ABI_COMPAT))
		return false;
	s->io_index++;
	s->io_at = iov.base;
	s->io_piece = iov.len > s->io_left ? s->io_left : iov.len;
	return true;
}

int channel_pieces(u32 slot); /* all bytes of the buffers, in as many records as it takes */

/* Does what the buffers hold begin a tool's message? */
enum speaks { SPEAKS = 1, SPEAKS_METHOD = 2 /* … which asks for something */ };
int channel_speaks(u32 slot);
int channel_line_speaks(u32 slot, u64 len);

#endif
