/* SPDX-License-Identifier: GPL-2.0-only */
/* What went over a pipe or a socket before that was known for a tool's channel. */
#ifndef SANDFAULT_CHANNEL_PRELUDE_BPF_H
#define SANDFAULT_CHANNEL_PRELUDE_BPF_H

#include "channel_chunk.bpf.h"

/* The only buffer of a call, or the first of several. */
static __always_inline bool call_first(struct iovec_native *iov, struct pt_regs *regs, u32 is32,
				       u32 how)
{
	struct msghdr_native msg = {};
	u64 args[6];

	compat_args(args, regs, is32);
	iov->base = args[1];
	iov->len = args[2];
	if (how == SF_WRITE_BUF)
		return true;
	if (how == SF_WRITE_MSG) {
		if (compat_msghdr(&msg, args[1], is32))
			return false;
		args[1] = msg.iov;
	}
	return !compat_iovec(iov, args[1], 0, is32);
}

static const struct sf_prelude prelude_empty = {};

static __always_inline struct sf_prelude *prelude_of(struct channel *ch)
{
	struct sf_prelude *p = bpf_map_lookup_elem(&preludes, &ch->stream);

	if (p && p->inode == ch->inode)
		return p;
	bpf_map_update_elem(&preludes, &ch->stream, &prelude_empty, BPF_ANY);
	p = bpf_map_lookup_elem(&preludes, &ch->stream);
	if (p)
		p->inode = ch->inode;
	return p;
}

static __always_inline void prelude_keep(struct channel *ch, struct pt_regs *regs, u32 how,
					 u64 bytes)
{
	struct sf_prelude *p = prelude_of(ch);
	struct iovec_native iov = {};
	u64 at, len;

	if (!p)
		return;
	p->bytes += bytes;
	if (p->torn)
		return;
	if (!call_first(&iov, regs, ch->is32, how))
		iov.len = 0;
	at = p->len;
	len = SF_PRELUDE - at;
	if (len > iov.len)
		len = iov.len;
	if (len > bytes)
		len = bytes;
	p->torn = len < bytes;
	barrier_var(at);
	barrier_var(len);
	at &= SF_PRELUDE - 1;
	if (len > SF_PRELUDE || bpf_probe_read_user(p->text + at, len, (void *)iov.base)) {
		p->torn = 1;
		return;
	}
	p->len = at + len;
	if (p->len >= SF_PRELUDE)
		p->torn = 1;
}

/*
 * A reader that takes less than a message's first bytes at a time: of pipes a shell takes one, as it
 * must not read beyond its line. True: what was kept is a line that may be a message. Nothing is kept
 * of one that is none, and of one that is too long.
 */
static __always_inline bool prelude_line(struct channel *ch, struct pt_regs *regs, u32 how,
					 u64 bytes)
{
	struct sf_prelude *p = prelude_of(ch);
	struct iovec_native iov = {};
	char last = 0;
	u64 at;

	if (!p || !call_first(&iov, regs, ch->is32, how) || bytes >= BEGIN || bytes > iov.len ||
	    bpf_probe_read_user(&last, 1, (void *)(iov.base + bytes - 1)))
		return false;
	at = p->len;
	barrier_var(at);
	at &= SF_PRELUDE - 1;
	barrier_var(bytes);
	bytes &= BEGIN - 1;
	if (at + bytes >= SF_PRELUDE ||
	    bpf_probe_read_user(p->text + at, bytes, (void *)iov.base) ||
	    (p->text[0] != '{' && p->text[0] != '['))
		p->torn = 1;
	if (!p->torn) {
		p->len = at + bytes;
		p->bytes = p->len;
	}
	if (last != '\n')
		return false;
	if (!p->torn)
		return true;
	p->torn = 0;
	p->len = 0;
	p->bytes = 0;
	return false;
}

/* The line into `walk`; its length. */
static __always_inline u32 prelude_take(struct sf_scratch *s, struct channel *ch)
{
	struct sf_prelude *p = bpf_map_lookup_elem(&preludes, &ch->stream);

	if (!p)
		return 0;
	bpf_probe_read_kernel(s->walk, SF_PRELUDE, p->text);
	return p->len;
}

/* Into the ring, ahead of what the stream begins with. */
static __always_inline void prelude_say(struct sf_scratch *s, struct channel *ch,
					struct sf_stream *e, u32 fd)
{
	struct sf_prelude *p = bpf_map_lookup_elem(&preludes, &ch->stream);
	struct sf_ev_chunk *rec;

	if (!p || p->inode != ch->inode || !p->bytes)
		return;
	chunk_begin(s, ch, e, fd);
	s->chunk.what = SF_CH_DATA;
	s->chunk.len = p->len;
	s->chunk.missing = p->bytes - p->len;
	s->hdr.size = sizeof(s->chunk) + p->len;
	total_reserve(&e->bytes, p->bytes);
	rec = bpf_ringbuf_reserve(&channel, sizeof(*rec) + SF_PRELUDE, 0);
	if (rec) {
		__builtin_memcpy(rec, &s->chunk, sizeof(*rec));
		bpf_probe_read_kernel(rec + 1, SF_PRELUDE, p->text);
		bpf_ringbuf_submit(rec, BPF_RB_FORCE_WAKEUP);
	} else {
		channel_lost(SF_C_LOST_CHANNEL, p->bytes);
	}
	bpf_map_delete_elem(&preludes, &ch->stream);
}

#endif
