/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The signature maps. A failing syscall becomes a key; the first sighting stores it and rings, a
 * repeat only counts. The sum over both kinds of maps, known-benign calls and losses is the number
 * of failing syscalls, exactly.
 *
 * The daemon never touches the map that the slot points at: it flips the slot, and the update
 * returns once no program can be using the old map any more.
 */
#include "emit.bpf.h"

struct sig_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768);
	__type(key, struct sf_key);
	__type(value, struct sf_val);
};

struct coarse_map {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 8192);
	__type(key, struct sf_key);
	__type(value, struct sf_val);
};

struct sig_map sig_a SEC(".maps");
struct sig_map sig_b SEC(".maps");
struct coarse_map coarse_a SEC(".maps");
struct coarse_map coarse_b SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct sig_map);
} sig_slot SEC(".maps") = {
	.values = { &sig_a },
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, u32);
	__array(values, struct coarse_map);
} coarse_slot SEC(".maps") = {
	.values = { &coarse_a },
};

/* A bell that found its ring full is tried again at the next repeat, from the same state: the call
 * is the same but for its time. Not before the ring has half emptied: a bell costs far more than a
 * count. */
static __always_inline void fold_ring(struct sf_scratch *s, struct sf_val *val)
{
	u64 size = bpf_ringbuf_query(&bells, BPF_RB_RING_SIZE);

	if (bpf_ringbuf_query(&bells, BPF_RB_AVAIL_DATA) > size / 2)
		return;
	val->rung = 1;
	if (bell_ring(s->slot))
		val->rung = 0;
}

static __always_inline void fold_repeat(struct sf_scratch *s, struct sf_val *val)
{
	__sync_fetch_and_add(&val->count, 1);
	val->last_ns = s->now;
	if (!val->rung)
		fold_ring(s, val);
}

static __always_inline void fold_value(struct sf_scratch *s)
{
	struct sf_val *val = &s->val;

	val->count = 1;
	val->first_ns = s->now;
	val->last_ns = s->now;
	val->tid = (u32)bpf_get_current_pid_tgid();
	val->rung = 1;
	val->text_kind = s->key.coarse ? SF_TEXT_NONE : s->text_kind;
	val->text_len = s->key.coarse ? 0 : s->text_len;
	bpf_get_current_comm(val->comm, sizeof(val->comm));
	__builtin_memcpy(val->text, s->bell.data, sizeof(val->text));
}

/* The path of a descriptor costs a walk: only on first sighting. */
static __always_inline void fold_late_text(struct sf_scratch *s)
{
	u32 off, len;

	s->late_fd = 0;
	path_walk(s->slot);
	off = s->walk_off;
	len = SF_PATH - 1 - off;
	barrier_var(len);
	barrier_var(off);
	s->text_len = 0;
	if (len >= SF_PATH || off >= SF_PATH)
		return;
	bpf_probe_read_kernel(s->bell.data, len, s->walk + off);
	s->text_len = len;
	s->text_cut = s->walk_flags & SF_BELL_BASE_CUT;
}

/* 1: counted in `map`. */
static __always_inline int fold_into(struct sf_scratch *s, void *map)
{
	struct sf_val *val = bpf_map_lookup_elem(map, &s->key);
	long r;

	if (val) {
		fold_repeat(s, val);
		return 1;
	}
	if (s->late_fd)
		fold_late_text(s);
	fold_value(s);
	r = bpf_map_update_elem(map, &s->key, &s->val, BPF_NOEXIST);
	if (!r) {
		if (!bell_ring(s->slot))
			return 1;
		val = bpf_map_lookup_elem(map, &s->key);
		if (val)
			val->rung = 0;
		return 1;
	}
	if (r != -EEXIST)
		return 0;
	val = bpf_map_lookup_elem(map, &s->key); /* another thread was faster */
	if (!val)
		return 0;
	__sync_fetch_and_add(&val->count, 1);
	return 1;
}

/* May this task make one more signature in this generation? */
static __always_inline bool fold_in_budget(struct sf_instance *instance)
{
	if (instance->generation != generation) {
		instance->generation = generation;
		instance->made = 0;
	}
	return instance->made < config.budget;
}

static __always_inline struct sf_instance *fold_instance(struct sf_scratch *s)
{
	static const struct sf_instance empty = {};
	struct sf_instance *instance;

	instance = bpf_map_lookup_elem(&instances, &s->key.instance);
	if (instance)
		return instance;
	bpf_map_update_elem(&instances, &s->key.instance, &empty, BPF_NOEXIST);
	instance = bpf_map_lookup_elem(&instances, &s->key.instance);
	if (!instance)
		counter_add(SF_C_LOST_INSTANCE);
	return instance;
}

/* The common case, and the short way: it has been seen before. */
static __always_inline bool fold_seen(struct sf_scratch *s)
{
	u32 zero = 0;
	void *map = bpf_map_lookup_elem(&sig_slot, &zero);
	struct sf_val *val = map ? bpf_map_lookup_elem(map, &s->key) : NULL;

	if (!val)
		return false;
	fold_repeat(s, val);
	return true;
}

static __always_inline int fold_fine(struct sf_scratch *s, struct sf_instance *instance)
{
	u32 zero = 0;
	void *map = bpf_map_lookup_elem(&sig_slot, &zero);

	if (!map)
		return 0;
	if (instance) {
		if (!fold_in_budget(instance))
			return 0;
		__sync_fetch_and_add(&instance->made, 1);
	}
	return fold_into(s, map);
}

/* Not each entry of the map is a failing syscall: a success that matters is none, nor is a call
 * that was refused only in the answer to it, nor an open that was no call. */
static __always_inline bool fold_is_failing(struct sf_scratch *s)
{
	return s->key.err && s->key.entry != SF_REPLY && s->key.entry != SF_LOOKUP;
}

int signature_fold(u32 slot)
{
	struct sf_scratch *s = scratch_at(slot);
	struct sf_instance *instance;
	u32 zero = 0;
	void *map;

	if (!s)
		return 0;
	if (fold_seen(s))
		return 0;
	instance = fold_instance(s);
	if (!s->key.coarse && fold_fine(s, instance))
		return 0;
	/* Over budget, or the map is full: only the subject is given up, never the count. */
	s->key.hash = 0;
	s->key.coarse = 1;
	s->late_fd = 0;
	if (fold_is_failing(s)) {
		counter_add(SF_C_COARSE);
		if (instance)
			__sync_fetch_and_add(&instance->coarse, 1);
	}
	map = bpf_map_lookup_elem(&coarse_slot, &zero);
	if (map && fold_into(s, map))
		return 0;
	if (!fold_is_failing(s))
		return 0;
	counter_add(SF_C_LOST_SIG);
	if (instance)
		__sync_fetch_and_add(&instance->lost, 1);
	return 0;
}

/* No scratch slot was free: the call is counted without its subject. */
int signature_fold_bare(u64 id, u32 err, u32 nr, u32 abi, u32 entry)
{
	struct task_struct *task = compat_current();
	struct sf_instance *instance = bpf_map_lookup_elem(&instances, &id);
	struct sf_val value = {}, *val;
	struct sf_key key = {};
	u32 zero = 0;
	void *map = bpf_map_lookup_elem(&coarse_slot, &zero);

	key.instance = id;
	key.start_ns = TASK_READ(task, group_leader, start_boottime);
	key.tgid = TASK_READ(task, tgid);
	key.err = err;
	key.nr = nr > 0xffff ? 0xffff : nr;
	key.abi = abi;
	key.entry = entry;
	key.coarse = 1;
	counter_add(SF_C_COARSE);
	if (instance) {
		__sync_fetch_and_add(&instance->coarse, 1);
	}
	if (map) {
		value.first_ns = value.last_ns = bpf_ktime_get_boot_ns();
		value.tid = TASK_READ(task, pid);
		bpf_get_current_comm(value.comm, sizeof(value.comm));
		/* With a count of 0, so that the one who lost a race adds to the winner's. */
		bpf_map_update_elem(map, &key, &value, BPF_NOEXIST);
		val = bpf_map_lookup_elem(map, &key);
		if (val) {
			__sync_fetch_and_add(&val->count, 1);
			return 0;
		}
	}
	counter_add(SF_C_LOST_SIG);
	if (instance)
		__sync_fetch_and_add(&instance->lost, 1);
	return 0;
}
