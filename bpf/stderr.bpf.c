/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The end of what a process writes to fd 2, in a ring in the record of the process, and to fd 1.
 */
#include "process.bpf.h"

#define STDERR_IOVECS 16

static __noinline int stderr_put(struct sf_tail *tail, u64 addr, u64 total)
{
	u32 len, at, first, rest;
	u64 old;

	if (!tail)
		return 0;
	old = total_reserve(&tail->total, total);
	len = total > SF_TAIL ? SF_TAIL : total;
	addr += total - len;
	at = (u32)(old + total - len) & (SF_TAIL - 1);
	first = SF_TAIL - at;
	if (first > len)
		first = len;
	rest = len - first;
	/* Clamps that the compiler can prove are gone by now; the verifier needs them. */
	barrier_var(at);
	barrier_var(first);
	barrier_var(rest);
	at &= SF_TAIL - 1;
	rest &= SF_TAIL - 1;
	if (first > SF_TAIL)
		return 0;
	if (first)
		bpf_probe_read_user(tail->ring + at, first, (void *)addr);
	if (rest)
		bpf_probe_read_user(tail->ring, rest, (void *)(addr + first));
	return 0;
}

/* One piece; 1: no more of them. What changes from piece to piece lives in scratch memory. */
static __always_inline int stderr_piece(struct sf_scratch *s, struct sf_tail *tail, u32 index)
{
	struct iovec_native iov;
	u64 len;

	if (index >= s->io_count || !s->io_left)
		return 1;
	if (compat_iovec(&iov, s->io_addr, index, s->key.abi == SF_ABI_COMPAT))
		return 1;
	len = iov.len > s->io_left ? s->io_left : iov.len;
	s->io_left -= len;
	stderr_put(tail, iov.base, len);
	return 0;
}

static const struct sf_report report_empty = {};

static __always_inline struct sf_tail *report_tail(struct sf_scratch *s)
{
	u32 tgid = s->key.tgid;
	struct sf_report *r = bpf_map_lookup_elem(&reports, &tgid);

	if (!r || r->start_ns != s->key.start_ns) {
		bpf_map_update_elem(&reports, &tgid, &report_empty, BPF_ANY);
		r = bpf_map_lookup_elem(&reports, &tgid);
		if (!r)
			return NULL;
		r->start_ns = s->key.start_ns;
	}
	r->writes++;
	return &r->tail;
}

static __always_inline struct sf_tail *stderr_tail(struct sf_scratch *s)
{
	struct sf_process *p = process_get(s->key.tgid, s->key.start_ns, s->instance, s->cgroup);

	return p ? &p->tail : NULL;
}

int stderr_keep(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct msghdr_native msg = {};
	struct sf_tail *tail;
	u32 i;

	if (!s || s->ret <= 0)
		return 0;
	tail = (u32)s->args[0] == STDOUT ? report_tail(s) : stderr_tail(s);
	if (!tail)
		return 0;
	if (s->sys.write == SF_WRITE_BUF) {
		stderr_put(tail, s->args[1], s->ret);
		return 0;
	}
	s->io_addr = s->args[1];
	s->io_count = s->args[2];
	s->io_left = s->ret;
	if (s->sys.write == SF_WRITE_MSG) {
		if (compat_msghdr(&msg, s->args[1], s->key.abi == SF_ABI_COMPAT))
			return 0;
		s->io_addr = msg.iov;
		s->io_count = msg.iovlen;
	}
	for (i = 0; i < STDERR_IOVECS; i++)
		if (stderr_piece(s, tail, i))
			break;
	return 0;
}
