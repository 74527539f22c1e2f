/* SPDX-License-Identifier: GPL-2.0-only */
/* Sockets; a part of vmlinux.h, which includes it where fields are looked up in the kernel. */
#ifndef SANDFAULT_SOCKET_H
#define SANDFAULT_SOCKET_H

struct in6_addr { /* sixteen bytes, read as such */
};

struct sock_common {
	__be32 skc_daddr;
	__be32 skc_rcv_saddr;
	__be16 skc_dport;
	u16 skc_num; /* the port it is bound to, in the machine's byte order */
	unsigned short skc_family;
	volatile unsigned char skc_state;
	struct in6_addr skc_v6_daddr;
	struct in6_addr skc_v6_rcv_saddr;
	possible_net_t skc_net;
};

struct sk_buff {
	struct sk_buff *prev;
	unsigned char *data;
};

struct sk_buff_head {
	struct sk_buff *prev; /* the newest */
};

struct sock_cgroup_data {
	struct cgroup *cgroup; /* since 5.15; see sock_cgroup_data___old */
};

struct sock {
	struct sock_common __sk_common;
	struct sk_buff_head sk_receive_queue;
	int sk_err;
	u16 sk_protocol; /* a bit field until 5.6, as the next */
	u16 sk_type;
	struct sock_cgroup_data sk_cgrp_data;
	struct socket *sk_socket; /* NULL: not accepted yet, or closed */
};

struct socket {
	struct file *file;
	struct sock *sk;
};

struct sockaddr_un { /* bytes, as long as unix_address says */
};

struct unix_address {
	int len; /* of name, with its family */
	struct sockaddr_un name[0];
};

struct unix_sock {
	struct unix_address *addr;
	struct sock *peer;
};

#endif
