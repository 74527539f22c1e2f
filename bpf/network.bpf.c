/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TCP connections that never came about, and UDP peers that refuse. Both may be seen from a timer or
 * a softirq that interrupted anybody: the task is the one of the socket; the process the one that
 * connected, where it is known.
 */
#include "emit.bpf.h"

struct {
	__uint(type, BPF_MAP_TYPE_SK_STORAGE);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, int);
	__type(value, struct sf_connect);
} connects SEC(".maps");

/* The same by the socket's address, where tracing programs have no socket storage: deleted when the
 * connection is made or failed. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, u64);
	__type(value, struct sf_connect);
} connect_table SEC(".maps");

struct peer_in {
	u16 family;
	u16 port;
	u32 addr; /* IPv6: flow information */
};

/* The peer as it is now: it may be cleared by the time the connection fails. */
static __always_inline void connect_peer(struct sf_connect *c, const struct sock *sk)
{
	struct peer_in *peer = (void *)c->addr;

	__builtin_memset(c->addr, 0, sizeof(c->addr));
	c->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	peer->family = c->family;
	peer->port = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (c->family == AF_INET6) {
		bpf_core_read(c->addr + 8, 16, &sk->__sk_common.skc_v6_daddr);
		c->addr_len = 28;
	} else {
		peer->addr = BPF_CORE_READ(sk, __sk_common.skc_daddr);
		c->addr_len = 16;
	}
}

/* Since 5.11 (8e4597c627fb). Its release brought the helper that is asked for. */
static __always_inline bool connect_has_storage(void)
{
	return compat_has(get_current_task_btf);
}

static __always_inline struct sf_connect *connect_get(const struct sock *sk, bool create)
{
	static const struct sf_connect empty = {};
	u64 key = (u64)sk;

	if (connect_has_storage())
		return bpf_sk_storage_get(&connects, (void *)sk, NULL,
					  create ? BPF_SK_STORAGE_GET_F_CREATE : 0);
	if (create)
		bpf_map_update_elem(&connect_table, &key, &empty, BPF_NOEXIST);
	return bpf_map_lookup_elem(&connect_table, &key);
}

static __always_inline void connect_forget(const struct sock *sk)
{
	u64 key = (u64)sk;

	if (!connect_has_storage())
		bpf_map_delete_elem(&connect_table, &key);
}

static __always_inline void connect_begin(const struct sock *sk)
{
	struct task_struct *current = compat_current();
	u64 id = 0, cgroup, instance = 0;
	struct cgroup *owner = compat_sock_cgroup(sk);
	struct sf_connect *c;
	struct sf_scratch *s;

	if (owner)
		id = BPF_CORE_READ(owner, kn, id);
	if (scoped_count)
		instance = task_instance(current, &cgroup);
	if (!instance)
		instance = cgroup_instance(id);
	if (!instance || TASK_READ(current, tgid) == config.self_tgid)
		return;
	c = connect_get(sk, true);
	if (!c) {
		counter_add(SF_C_LOST_RARE);
		return;
	}
	s = scratch_for(current, instance, id);
	if (!s)
		return;
	actor_fill(s->slot);
	c->actor = s->fork.actor;
	c->ts = s->now;
	connect_peer(c, sk);
	scratch_put(s);
}

static __always_inline void connect_failed(const struct sock *sk)
{
	struct sf_connect *c = connect_get(sk, false);
	struct sf_ev_net *ev;
	struct sf_scratch *s;

	if (!c || !c->ts)
		return;
	counter_add(SF_C_NET);
	s = scratch_get();
	if (!s)
		return;
	ev = &s->net;
	__builtin_memset(ev, 0, sizeof(*ev));
	s->instance = c->actor.instance;
	s->hdr.ts = bpf_ktime_get_boot_ns();
	ev->actor = c->actor;
	ev->err = BPF_CORE_READ(sk, sk_err);
	ev->family = c->family;
	ev->duration_ns = s->hdr.ts - c->ts;
	ev->addr_len = c->addr_len;
	ev->protocol = IPPROTO_TCP;
	__builtin_memcpy(ev->addr, c->addr, sizeof(c->addr));
	c->ts = 0;
	rare_emit(s->slot, SF_EV_NET, sizeof(*ev));
	scratch_put(s);
}

/* A connected UDP socket whose peer answered with an ICMP error: no call fails until the next one,
 * and a resolver that polls may never make it. An unconnected socket is not told (ip(7)). */
static __always_inline void peer_refused(const struct sock *sk)
{
	struct cgroup *owner = compat_sock_cgroup(sk);
	struct sf_connect c = {};
	struct sf_ev_net *ev;
	struct sf_scratch *s;
	u64 id, instance;

	if (!owner)
		return;
	id = BPF_CORE_READ(owner, kn, id);
	instance = cgroup_instance(id);
	if (!instance)
		return;
	counter_add(SF_C_NET);
	s = scratch_get();
	if (!s)
		return;
	ev = &s->net;
	__builtin_memset(ev, 0, sizeof(*ev));
	connect_peer(&c, sk);
	s->instance = instance;
	s->hdr.ts = bpf_ktime_get_boot_ns();
	ev->actor.instance = instance;
	ev->actor.cgroup = id;
	ev->err = BPF_CORE_READ(sk, sk_err);
	ev->family = c.family;
	ev->addr_len = c.addr_len;
	ev->protocol = IPPROTO_UDP;
	__builtin_memcpy(ev->addr, c.addr, sizeof(c.addr));
	rare_emit(s->slot, SF_EV_NET, sizeof(*ev));
	scratch_put(s);
}

SEC("tp_btf/inet_sk_error_report")
int BPF_PROG(handle_inet_sk_error_report, const struct sock *sk)
{
	if (sk->sk_protocol == IPPROTO_UDP && sk->__sk_common.skc_state == TCP_ESTABLISHED)
		peer_refused(sk);
	return 0;
}

SEC("tp_btf/inet_sock_set_state")
int BPF_PROG(handle_inet_sock_set_state, const struct sock *sk, const int oldstate,
	     const int newstate)
{
	if (sk->sk_protocol != IPPROTO_TCP)
		return 0;
	if (oldstate == TCP_CLOSE && newstate == TCP_SYN_SENT)
		connect_begin(sk);
	else if (oldstate == TCP_SYN_SENT && newstate == TCP_CLOSE)
		connect_failed(sk);
	if (oldstate == TCP_SYN_SENT)
		connect_forget(sk);
	return 0;
}
