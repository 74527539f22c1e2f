/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tools' channels: recognised by their first message, then captured at one end.
 *
 * A program of its own, called by the one on the way out of a syscall for calls on pipes and sockets:
 * where the kernel refuses it, or nobody wants it, the slot that it is called by stays empty.
 */
#include "call.bpf.h"
#include "channel.bpf.h"
#include "channel_chunk.bpf.h"
#include "channel_prelude.bpf.h"

#define MSG_OOB	     0x1
#define MSG_PEEK     0x2
#define MSG_TRUNC    0x20
#define MSG_ERRQUEUE 0x2000

/* ---- where the bytes lie ---- */

static __always_inline u32 call_msg_flags(struct sf_scratch *s)
{
	if (s->sys.flags_arg == 3)
		return s->args[3];
	return s->sys.flags_arg == 2 ? s->args[2] : 0;
}

/* The buffers of the call, `bytes` of which it moved, or would have. */
static __always_inline void call_buffers(struct sf_scratch *s, u64 bytes)
{
	struct msghdr_native msg = {};

	s->io_left = bytes;
	s->io_piece = 0;
	s->io_index = 0;
	s->io_count = 0;
	if (s->sys.write == SF_WRITE_BUF) {
		s->io_at = s->args[1];
		s->io_piece = s->args[2] < bytes ? s->args[2] : bytes;
		/* Thrown away, not read (tcp_recvmsg()). */
		if (s->chunk.kind == SF_CH_TCP && call_msg_flags(s) & MSG_TRUNC)
			s->io_piece = 0;
		return;
	}
	s->io_addr = s->args[1];
	s->io_count = s->args[2];
	if (s->sys.write == SF_WRITE_MSG) {
		s->io_count = 0;
		if (compat_msghdr(&msg, s->args[1], s->key.abi == SF_ABI_COMPAT))
			return;
		s->io_addr = msg.iov;
		s->io_count = msg.iovlen;
	}
}

/* Bytes that a refused call was asked to write; 0: not known. */
static __always_inline u64 call_asked(struct sf_scratch *s)
{
	return s->sys.write == SF_WRITE_BUF ? s->args[2] : 0;
}

/* ---- streams ---- */

static __always_inline void stream_forget(u64 name)
{
	if (!bpf_map_delete_elem(&streams, &name))
		__sync_fetch_and_add(&stream_count, -1);
}

/* Is the entry that of a connection that had these names before? The call was made at the captured
 * end where `captured`. */
static __always_inline bool stream_is_stale(struct sf_stream *e, struct channel *ch, bool captured)
{
	u64 own = captured ? e->inode : e->peer, peer = captured ? e->peer : e->inode;

	if ((own && own != ch->inode) || (peer && ch->peer && peer != ch->peer))
		return true;
	if (!e->peer)
		e->peer = captured ? ch->peer : ch->inode;
	return false;
}

/* Its entry, unless that is another's; NULL: it has none. `writes`: the call's end writes to it. */
static __always_inline struct sf_stream *stream_known(u64 name, struct channel *ch, bool writes)
{
	struct sf_stream *e = stream_count ? bpf_map_lookup_elem(&streams, &name) : NULL;

	if (!e || !stream_is_stale(e, ch, e->writes == writes))
		return e;
	stream_forget(name);
	return NULL;
}

static __always_inline bool stream_add(u64 name, const struct sf_stream *value)
{
	long r = bpf_map_update_elem(&streams, &name, value, BPF_NOEXIST);

	if (!r)
		__sync_fetch_and_add(&stream_count, 1);
	else if (r != -EEXIST)
		channel_lost(SF_C_LOST_STREAM, 1);
	return !r;
}

/* Whoever adds a stream captures it: its end is not the other's. */
static __always_inline struct sf_stream *stream_new(struct sf_scratch *s, struct channel *ch,
						    bool asks)
{
	struct sf_stream *back = ch->back ? stream_known(ch->back, ch, !ch->writes) : NULL;
	struct sf_stream value = {
		.asks = asks,
		.back = ch->back,
		.inode = ch->inode,
		.peer = ch->peer,
		.last_ns = s->now,
		.tgid = s->key.tgid,
		.kind = ch->kind,
		.writes = ch->writes,
		/* Two processors may take the same: it only has to differ from its name's last one. */
		.serial = back ? back->serial : ++stream_serial,
	};

	if (!stream_add(ch->stream, &value))
		return NULL;
	if (ch->back && !back) {
		value.asks = 0;
		value.back = ch->stream;
		value.writes = !ch->writes;
		stream_add(ch->back, &value);
	}
	return bpf_map_lookup_elem(&streams, &ch->stream);
}

/* ---- a call on a stream ---- */

static __always_inline bool stream_is_told(struct sf_stream *e, u32 tgid)
{
	return tgid == e->tgid || tgid == e->other || e->others >= SF_CH_OTHERS;
}

static __always_inline void stream_moved(struct sf_scratch *s, struct channel *ch,
					 struct sf_stream *e, u32 fd)
{
	chunk_begin(s, ch, e, fd);
	if (ch->writes == e->writes) {
		counter_add(SF_C_CHANNEL);
		e->last_ns = s->now;
		s->chunk.what = SF_CH_DATA;
		s->chunk.offset = total_reserve(&e->bytes, s->ret);
		call_buffers(s, s->ret);
		channel_pieces(s->slot);
		return;
	}
	e->other = s->key.tgid;
	e->others++;
	chunk_say(s, SF_CH_OTHER, 0);
}

static __always_inline void stream_failed(struct sf_scratch *s, struct channel *ch,
					  struct sf_stream *e, u32 fd)
{
	chunk_begin(s, ch, e, fd);
	s->chunk.err = -s->ret;
	chunk_say(s, SF_CH_REFUSED, call_asked(s));
}

static __always_inline void stream_ended(struct sf_scratch *s, struct channel *ch,
					 struct sf_stream *e, u32 fd)
{
	chunk_begin(s, ch, e, fd);
	chunk_say(s, SF_CH_EOF, 0);
	stream_forget(ch->stream);
}

static __always_inline struct sf_scratch *channel_slot(struct task_struct *task, struct channel *ch,
						       const volatile struct sf_sys *sys,
						       struct pt_regs *regs, long ret)
{
	u64 cgroup, instance = task_instance(task, &cgroup);
	struct sf_scratch *s = call_slot(task, instance, cgroup, ret);

	if (!s)
		return NULL;
	s->sys = *(const struct sf_sys *)sys;
	s->key.abi = ch->is32 ? SF_ABI_COMPAT : SF_ABI_NATIVE;
	s->chunk.kind = ch->kind;
	compat_args(s->args, regs, ch->is32);
	return s;
}

/* May its first bytes be a message's? */
static __always_inline bool call_may_speak(struct pt_regs *regs, u32 is32, u32 how)
{
	struct iovec_native iov = {};
	u64 text = 0;

	if (!call_first(&iov, regs, is32, how))
		return false;
	/* Of an empty first buffer nothing can be told. */
	if (how != SF_WRITE_BUF && !iov.len)
		return true;
	bpf_probe_read_user(&text, sizeof(u32), (void *)iov.base);
	switch ((u8)text) {
	case '{':
	case '[':
	case ' ':
	case '\t':
	case '\r':
	case '\n':
		return true;
	default:
		return (u32)text == WORD_POST || (u32)text == WORD_GET || (u32)text == WORD_DELE;
	}
}

/* None yet: is it one from here on? */
static __always_inline struct sf_stream *channel_recognise(struct sf_scratch *s, struct channel *ch)
{
	struct sf_stream *e;
	int speaks;

	call_buffers(s, s->ret > 0 ? (u64)s->ret : call_asked(s));
	speaks = channel_speaks(s->slot);
	if (!speaks)
		return NULL;
	e = stream_new(s, ch, speaks & SPEAKS_METHOD);
	if (e && ch->writes)
		prelude_say(s, ch, e, STDOUT);
	return e;
}

/* A line has come to its end, byte by byte: is it one from there on? */
static __always_inline struct sf_stream *line_recognise(struct sf_scratch *s, struct channel *ch)
{
	int speaks = channel_line_speaks(s->slot, prelude_take(s, ch));
	struct sf_stream *e = speaks ? stream_new(s, ch, speaks & SPEAKS_METHOD) : NULL;

	if (e)
		prelude_say(s, ch, e, STDIN);
	else
		bpf_map_delete_elem(&preludes, &ch->stream);
	return e;
}

/* Whoever is asked over its standard input will answer on its standard output, whatever it has said
 * there before. */
int channel_adopt(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct channel ch = { .writes = 1 };
	struct sf_stream *e;

	if (!s || !channel_name(&ch, task_file(compat_current(), STDOUT)) || !channel_know(&ch) ||
	    stream_known(ch.stream, &ch, true))
		return 0;
	e = stream_new(s, &ch, false);
	if (e)
		prelude_say(s, &ch, e, STDOUT);
	return 0;
}

static __always_inline void channel_act(struct sf_scratch *s, struct channel *ch,
					struct sf_stream *e, u32 fd)
{
	if (s->ret > 0)
		stream_moved(s, ch, e, fd);
	else if (s->ret < 0)
		stream_failed(s, ch, e, fd);
	else if (!ch->writes && (s->sys.write != SF_WRITE_BUF || s->args[2]))
		stream_ended(s, ch, e, fd);
}

/* What a call on a pipe or a socket that is no stream may be the beginning of. */
enum begins { BEGINS_NOTHING, BEGINS_STREAM, BEGINS_PRELUDE, BEGINS_LINE };

/* A call on a pipe or a socket that is a stream already, or may become one. */
static __always_inline int channel_used(struct task_struct *task, struct pt_regs *regs,
					struct channel *ch, const volatile struct sf_sys *sys,
					u32 fd, long ret, u32 begins)
{
	struct sf_stream *e = bpf_map_lookup_elem(&streams, &ch->stream);
	struct sf_scratch *s;

	if ((!e && begins == BEGINS_NOTHING) || !channel_know(ch))
		return 0;
	if (e && stream_is_stale(e, ch, e->writes == ch->writes)) {
		stream_forget(ch->stream);
		e = NULL;
	}
	if (e && ret > 0 && e->writes != ch->writes && stream_is_told(e, TASK_READ(task, tgid)))
		return 0;
	if (!e && begins == BEGINS_PRELUDE)
		prelude_keep(ch, regs, sys->write, ret);
	if (!e && begins != BEGINS_STREAM &&
	    !(begins == BEGINS_LINE && prelude_line(ch, regs, sys->write, ret)))
		return 0;
	s = channel_slot(task, ch, sys, regs, ret);
	if (!s)
		return 0;
	if (!(call_msg_flags(s) & (MSG_OOB | MSG_PEEK | MSG_ERRQUEUE))) {
		if (!e && begins == BEGINS_LINE)
			e = line_recognise(s, ch);
		else if (e || (e = channel_recognise(s, ch)))
			channel_act(s, ch, e, fd);
		else if (fd == STDOUT && ch->writes && ret > 0)
			prelude_keep(ch, regs, sys->write, ret);
		if (e && fd == STDIN && ret > 0 && !ch->writes && e->asks)
			channel_adopt(s->slot);
	}
	scratch_put(s);
	return 0;
}

static __always_inline int channel_left(struct task_struct *task, struct pt_regs *regs, long ret)
{
	const volatile struct sf_sys *sys;
	struct channel ch = {};
	u32 fd, nr, begins = BEGINS_NOTHING;

	ch.is32 = compat_is_32bit(task, regs);
	nr = compat_nr(compat_raw_nr(regs));
	if (nr >= SF_NR_MAX || TASK_READ(task, tgid) == config.self_tgid)
		return 0;
	sys = &config.sys[ch.is32 & 1][nr];
	if (!(sys->flags & SF_SYS_CHANNEL))
		return 0;
	ch.writes = !(sys->flags & SF_SYS_READS);
	fd = ch.is32 ? (u32)compat_arg0(regs, true) : (u32)compat_arg0(regs, false);
	if (ret > 0 && ret < BEGIN && !ch.writes && fd == STDIN)
		begins = BEGINS_LINE;
	else if (ret && call_may_speak(regs, ch.is32, sys->write))
		begins = BEGINS_STREAM;
	else if (ret > 0 && ch.writes && fd == STDOUT)
		begins = BEGINS_PRELUDE;
	if (begins && !channel_is_watched(task))
		begins = BEGINS_NOTHING;
	if (!begins && !stream_count)
		return 0;
	if (!channel_name(&ch, task_file(task, fd)))
		return 0;
	return channel_used(task, regs, &ch, sys, fd, ret, begins);
}

SEC("?tp_btf/sys_exit")
int BPF_PROG(handle_channel_exit, struct pt_regs *regs, long ret)
{
	return channel_left(compat_current(), regs, ret);
}

SEC("?tp/raw_syscalls/sys_exit")
int handle_channel_exit_held(struct trace_event_raw_sys_exit *ctx)
{
	struct task_struct *task = compat_current();

	return channel_left(task, compat_regs(task), ctx->ret);
}
