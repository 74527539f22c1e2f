/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the programs are told while they run: above all where to look for tools' channels, and what to
 * forget of them. An entry that the kernel side and we delete at once counts for whose deletion it
 * was.
 */
#include <errno.h>
#include <string.h>
#include <bpf/bpf.h>

#include "sensors.h"

#define WATCHED_MAX 16384 /* entries of the maps */
#define STREAMS_MAX 4096

static void count(__u64 *counter, int64_t by)
{
	__atomic_add_fetch(counter, (__u64)by, __ATOMIC_SEQ_CST);
}

/* A walk over a hash, to delete what `wanted` is true of. */
struct walk {
	int map;
	void *key, *next; /* room for one each */
	size_t key_size;
	void *value;
	bool (*wanted)(const struct walk *w);
	uint64_t arg;
};

/* How many were deleted. After a key that the kernel side deletes meanwhile the walk begins anew
 * (htab_map_get_next_key() in kernel/bpf/hashtab.c): `bound` keeps it finite. */
static size_t walk_delete(struct walk *w, size_t bound)
{
	bool more = bpf_map_get_next_key(w->map, NULL, w->next) == 0;
	size_t n = 0;

	while (more && bound--) {
		memcpy(w->key, w->next, w->key_size);
		more = bpf_map_get_next_key(w->map, w->key, w->next) == 0;
		if (bpf_map_lookup_elem(w->map, w->key, w->value) == 0 && w->wanted(w) &&
		    bpf_map_delete_elem(w->map, w->key) == 0)
			n++;
	}
	return n;
}

static bool is_of_root(const struct walk *w)
{
	return *(const uint32_t *)w->value == w->arg;
}

/* It and its descendants. */
static void unwatch(int map, uint32_t root)
{
	uint32_t key, next, value;
	struct walk w = { map, &key, &next, sizeof(key), &value, is_of_root, root };

	walk_delete(&w, (size_t)2 * WATCHED_MAX);
}

int sensors_watch(struct sensors *s, uint32_t tgid, bool on)
{
	const struct sensors_knobs *knobs = sensors_knobs(s);
	int map = sensors_maps(s)->watched;

	if (!on) {
		unwatch(map, tgid);
		count(knobs->watched_count, -1);
		return 0;
	}
	/* Counted first: a child that is made from here on inherits. */
	count(knobs->watched_count, 1);
	if (bpf_map_update_elem(map, &tgid, &tgid, BPF_ANY) == 0)
		return 0;
	count(knobs->watched_count, -1);
	return -errno;
}

int sensors_watch_cgroup(struct sensors *s, uint64_t cgroup, bool on)
{
	const struct sensors_knobs *knobs = sensors_knobs(s);
	int map = sensors_maps(s)->watched_cgroups;
	uint32_t value = 1;

	if (!on) {
		if (bpf_map_delete_elem(map, &cgroup) < 0)
			return -errno;
		count(knobs->watched_cgroups_count, -1);
		return 0;
	}
	if (bpf_map_update_elem(map, &cgroup, &value, BPF_NOEXIST) < 0)
		return errno == EEXIST ? 0 : -errno;
	count(knobs->watched_cgroups_count, 1);
	return 0;
}

void sensors_watch_execs(struct sensors *s, bool on)
{
	__atomic_store_n(sensors_knobs(s)->exec_watch, on, __ATOMIC_SEQ_CST);
}

void sensors_forget_stream(struct sensors *s, uint64_t stream)
{
	if (bpf_map_delete_elem(sensors_maps(s)->streams, &stream) == 0)
		count(sensors_knobs(s)->stream_count, -1);
}

static bool is_idle(const struct walk *w)
{
	return ((const struct sf_stream *)w->value)->last_ns < w->arg;
}

size_t sensors_forget_idle(struct sensors *s, uint64_t since)
{
	uint64_t key, next;
	struct sf_stream value;
	struct walk w = {
		sensors_maps(s)->streams, &key, &next, sizeof(key), &value, is_idle, since
	};
	size_t n = walk_delete(&w, (size_t)2 * STREAMS_MAX);

	count(sensors_knobs(s)->stream_count, -(int64_t)n);
	return n;
}

uint64_t sensors_channel_losses(const struct sensors *s)
{
	return __atomic_load_n(sensors_knobs(s)->channel_losses, __ATOMIC_SEQ_CST);
}

uint32_t sensors_next_generation(struct sensors *s)
{
	return __atomic_add_fetch(sensors_knobs(s)->generation, 1, __ATOMIC_SEQ_CST);
}

void sensors_set_scoped(struct sensors *s, uint64_t scoped)
{
	__atomic_store_n(sensors_knobs(s)->scoped_count, scoped, __ATOMIC_SEQ_CST);
}
