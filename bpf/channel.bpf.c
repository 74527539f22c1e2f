/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Tools' channels: recognised by their first message, then captured at one end.
 *
 * A program of its own, called by the one on the way out of a syscall for calls on pipes and sockets:
 * where the kernel refuses it, or nobody wants it, the slot that it is called by stays empty.
 */
#include "call.bpf.h"
#include "channel.bpf.h"
#include <bpf/bpf_endian.h>

#define MSG_OOB	     0x1
#define MSG_PEEK     0x2
#define MSG_TRUNC    0x20
#define MSG_ERRQUEUE 0x2000

/* Room for the bytes of a record, in the ring: it has to be known before their number is. */
#define ROOM_SMALL  1024
#define ROOM_MIDDLE 8192
#define PIECES	    (SF_CH_CALL_MAX / SF_CH_DATA_MAX + 64) /* of one operation: records, buffers */

#define BEGIN	     16 /* bytes of a message at least; among them its first letter, after blanks */
#define HEAD	     1024 /* … in which it must say what it is, from its beginning, */
#define HEAD_BUFFERS 8	  /* … in so many of several buffers at most */
#define TAIL	     512  /* … or from the operation's end: a node program says it last */

/* One direction of a pipe or a connection, as a call used it. */
struct channel {
	u64 stream;
	u64 back;
	u64 inode;
	u64 peer; /* inode of the other end; 0: not known */
	u64 file; /* addresses */
	u64 sk;
	u16 port_local;
	u16 port_peer;
	u8 kind; /* 0: none that tools talk over */
	u8 writes;
	u8 is32;
	u8 pad;
};

/* ---- what it is called: asked of every call on a pipe or a socket while there are channels ---- */

static __always_inline u64 stream_name(u64 kind, u64 where)
{
	u64 h = hash_mix(hash_mix(HASH_SEED, kind), where);

	return h ? h : 1;
}

/* The beginning of a socket, in one piece: it lies so on every kernel, or is read by its names. */
struct sock_head {
	__be32 daddr;
	__be32 rcv_saddr;
	u32 hash;
	__be16 dport;
	u16 num;
	u16 family;
	u16 pad;
};

static __always_inline void sock_head_read(struct sock_head *head, struct sock *sk)
{
	struct sock_common *common = &sk->__sk_common;

	if (bpf_core_field_offset(common->skc_rcv_saddr) == 4 &&
	    bpf_core_field_offset(common->skc_daddr) == 0 &&
	    bpf_core_field_offset(common->skc_dport) == 12 &&
	    bpf_core_field_offset(common->skc_num) == 14 &&
	    bpf_core_field_offset(common->skc_family) == 16) {
		bpf_probe_read_kernel(head, sizeof(*head), common);
		return;
	}
	head->daddr = BPF_CORE_READ(common, skc_daddr);
	head->rcv_saddr = BPF_CORE_READ(common, skc_rcv_saddr);
	head->dport = BPF_CORE_READ(common, skc_dport);
	head->num = BPF_CORE_READ(common, skc_num);
	head->family = BPF_CORE_READ(common, skc_family);
}

struct address {
	u64 word[2];
};

#define LOOPBACK_LAST ((u64)bpf_htonl(1) << 32)
#define IS_MAPPED(a)  (!(a).word[0] && (u32)(a).word[1] == bpf_htonl(0xffff))

/* By addresses and ports in their network namespace, from sender to receiver. An IPv4 connection has
 * its IPv4 addresses in a socket of IPv6 too, beside the mapped ones (tcp_v6_connect(),
 * tcp_v4_syn_recv_sock()). */
static __always_inline bool channel_tcp(struct channel *ch, struct sock *sk, struct sock_head *head)
{
	struct address own = {}, peer = {};
	u64 net, a, b, in, out;

	if (head->family == AF_INET6)
		bpf_core_read(&peer, sizeof(peer), &sk->__sk_common.skc_v6_daddr);
	if (head->family == AF_INET || IS_MAPPED(peer)) {
		if ((bpf_ntohl(head->daddr) >> 24) != 127)
			return false;
		peer.word[0] = 0;
		peer.word[1] = head->daddr;
		own.word[1] = head->rcv_saddr;
	} else {
		if (peer.word[0] || peer.word[1] != LOOPBACK_LAST)
			return false;
		bpf_core_read(&own, sizeof(own), &sk->__sk_common.skc_v6_rcv_saddr);
	}
	net = BPF_CORE_READ(sk, __sk_common.skc_net.net, ns.inum);
	ch->kind = SF_CH_TCP;
	ch->port_local = head->num;
	ch->port_peer = bpf_ntohs(head->dport);
	a = hash_mix(hash_mix(hash_mix(net, own.word[0]), own.word[1]), ch->port_local);
	b = hash_mix(hash_mix(hash_mix(net, peer.word[0]), peer.word[1]), ch->port_peer);
	/* Mixed with a seed first: what is mixed with one another has no direction. */
	out = stream_name(SF_CH_TCP, hash_mix(hash_mix(HASH_SEED, a), b));
	in = stream_name(SF_CH_TCP, hash_mix(hash_mix(HASH_SEED, b), a));
	ch->stream = ch->writes ? out : in;
	ch->back = ch->writes ? in : out;
	return true;
}

static __always_inline bool channel_socket(struct channel *ch, struct file *file)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk), *to = sk;
	struct sock_head head = {};

	ch->sk = (u64)sk;
	sock_head_read(&head, sk);
	if (head.family == AF_INET || head.family == AF_INET6)
		return channel_tcp(ch, sk, &head);
	if (head.family != AF_UNIX)
		return false;
	/* By the receiver. */
	if (ch->writes)
		to = BPF_CORE_READ((struct unix_sock *)sk, peer);
	ch->kind = SF_CH_UNIX;
	ch->stream = stream_name(SF_CH_UNIX, (u64)to);
	return to;
}

/* False: none that tools talk over. */
static __always_inline bool channel_name(struct channel *ch, struct file *file)
{
	struct inode *inode = file ? BPF_CORE_READ(file, f_inode) : NULL;
	u32 type = inode ? BPF_CORE_READ(inode, i_mode) & S_IFMT : 0;

	ch->file = (u64)file;
	if (type == S_IFSOCK)
		return channel_socket(ch, file);
	ch->kind = SF_CH_PIPE;
	ch->stream = stream_name(SF_CH_PIPE, (u64)inode);
	return type == S_IFIFO;
}

/* ---- what else is to be known of one that is a channel, or may be ---- */

/* Addresses are used again. The inodes' numbers of pipes and sockets are not, until they wrap
 * (get_next_ino() in fs/inode.c). One that was connected to has none before it is accepted. */
static __always_inline bool channel_know(struct channel *ch)
{
	struct sock *sk = (void *)ch->sk, *peer;
	struct file *file = (void *)ch->file;
	u32 type;

	ch->inode = BPF_CORE_READ(file, f_inode, i_ino);
	if (ch->kind == SF_CH_PIPE)
		ch->peer = ch->inode;
	if (ch->kind == SF_CH_TCP)
		return BPF_CORE_READ(sk, sk_protocol) == IPPROTO_TCP;
	if (ch->kind != SF_CH_UNIX)
		return true;
	type = BPF_CORE_READ(sk, sk_type);
	peer = BPF_CORE_READ((struct unix_sock *)sk, peer);
	if (!peer || (type != SOCK_STREAM && type != SOCK_SEQPACKET))
		return false;
	ch->back = stream_name(SF_CH_UNIX, (u64)(ch->writes ? sk : peer));
	ch->peer = BPF_CORE_READ(peer, sk_socket, file, f_inode, i_ino);
	return true;
}

/* ---- records ---- */

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
	s->hdr.pad = 0;
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
	else
		put = CHUNK_PUT(s, len, ROOM_SMALL);
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

/* ---- recognition ---- */

#define WORD_JSONRPC 0x6370726e6f736a22ULL /* "jsonrpc, with its first quote */
#define WORD_EVENTS  0x6576652f74786574ULL /* text/eve… */
#define WORD_STREAM  0x61657274732d746eULL /* … nt-strea(m) */
#define WORD_SESSION 0x737365732d70636dULL /* mcp-sess… */
#define WORD_ION_ID  0x2d6e6f69U	   /* … ion-(id) */
#define WORD_POST    0x54534f50U
#define WORD_GET     0x20544547U
#define WORD_DELE    0x454c4544U
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
			return 1;
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
			return 1;
		if (word == WORD_EVENTS && (*(u64 *)(s->walk + i + 8) | CASE) == WORD_STREAM)
			return 1;
		if (word == WORD_SESSION && (*(u32 *)(s->walk + i + 8) | (u32)CASE) == WORD_ION_ID)
			return 1;
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
	if (opening == OPENS_JSON)
		return channel_names_jsonrpc(slot, len);
	return channel_names_http(slot, len);
}

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
static __always_inline struct sf_stream *stream_new(struct sf_scratch *s, struct channel *ch)
{
	struct sf_stream value = {
		.back = ch->back,
		.inode = ch->inode,
		.peer = ch->peer,
		.last_ns = s->now,
		.tgid = s->key.tgid,
		.kind = ch->kind,
		.writes = ch->writes,
	};

	if (!stream_add(ch->stream, &value))
		return NULL;
	if (ch->back && !stream_known(ch->back, ch, !ch->writes)) {
		value.back = ch->stream;
		value.writes = !ch->writes;
		stream_add(ch->back, &value);
	}
	return bpf_map_lookup_elem(&streams, &ch->stream);
}

/* ---- a call on a stream ---- */

static __always_inline u64 stream_reserve(struct sf_stream *e, u64 bytes)
{
	u64 old;

	if (config.has_fetch)
		return __sync_fetch_and_add(&e->bytes, bytes);
	old = e->bytes;
	__sync_fetch_and_add(&e->bytes, bytes);
	return old;
}

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
		s->chunk.offset = stream_reserve(e, s->ret);
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

/* A buffer's first bytes, or those of the first of several: may they be a message's? */
static __always_inline bool call_may_speak(struct pt_regs *regs, u32 is32, u32 how)
{
	struct iovec_native iov = {};
	struct msghdr_native msg = {};
	u64 text = 0, args[6];

	compat_args(args, regs, is32);
	iov.base = args[1];
	if (how == SF_WRITE_MSG) {
		if (compat_msghdr(&msg, args[1], is32))
			return false;
		args[1] = msg.iov;
	}
	if (how != SF_WRITE_BUF && compat_iovec(&iov, args[1], 0, is32))
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
	call_buffers(s, s->ret > 0 ? (u64)s->ret : call_asked(s));
	return channel_speaks(s->slot) ? stream_new(s, ch) : NULL;
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

/* A call on a pipe or a socket that is a stream already, or may become one. */
static __always_inline int channel_used(struct task_struct *task, struct pt_regs *regs,
					struct channel *ch, const volatile struct sf_sys *sys,
					u32 fd, long ret, bool may_begin)
{
	struct sf_stream *e = bpf_map_lookup_elem(&streams, &ch->stream);
	struct sf_scratch *s;

	if ((!e && !may_begin) || !channel_know(ch))
		return 0;
	if (e && stream_is_stale(e, ch, e->writes == ch->writes)) {
		stream_forget(ch->stream);
		e = NULL;
	}
	if (e && ret > 0 && e->writes != ch->writes && stream_is_told(e, TASK_READ(task, tgid)))
		return 0;
	if (!e && !may_begin)
		return 0;
	s = channel_slot(task, ch, sys, regs, ret);
	if (!s)
		return 0;
	if (!(call_msg_flags(s) & (MSG_OOB | MSG_PEEK | MSG_ERRQUEUE))) {
		if (!e)
			e = channel_recognise(s, ch);
		if (e)
			channel_act(s, ch, e, fd);
	}
	scratch_put(s);
	return 0;
}

static __always_inline int channel_left(struct task_struct *task, struct pt_regs *regs, long ret)
{
	const volatile struct sf_sys *sys;
	struct channel ch = {};
	bool may_begin;
	u32 fd, nr;

	ch.is32 = compat_is_32bit(task, regs);
	nr = compat_nr(compat_raw_nr(regs));
	if (nr >= SF_NR_MAX || TASK_READ(task, tgid) == config.self_tgid)
		return 0;
	sys = &config.sys[ch.is32 & 1][nr];
	if (!(sys->flags & SF_SYS_CHANNEL))
		return 0;
	may_begin = ret && call_may_speak(regs, ch.is32, sys->write) && channel_is_watched(task);
	if (!may_begin && !stream_count)
		return 0;
	ch.writes = !(sys->flags & SF_SYS_READS);
	fd = ch.is32 ? (u32)compat_arg0(regs, true) : (u32)compat_arg0(regs, false);
	if (!channel_name(&ch, task_file(task, fd)))
		return 0;
	return channel_used(task, regs, &ch, sys, fd, ret, may_begin);
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
