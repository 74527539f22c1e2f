/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a pipe or a connection is called: asked of every call on one while there are channels.
 */
#ifndef SANDFAULT_CHANNEL_NAME_BPF_H
#define SANDFAULT_CHANNEL_NAME_BPF_H

#include "emit.bpf.h"
#include <bpf/bpf_endian.h>

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

#endif
