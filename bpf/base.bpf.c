/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The maps and settings that all files share. Must be the first object of the link: libbpf's linker
 * (1.1) leaves a variable that it met as extern before its definition at offset 0 of the section,
 * and the maps cannot be told apart.
 */
#include "maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";

struct cgroups_map cgroups SEC(".maps");
struct scoped_map scoped SEC(".maps");
struct instances_map instances SEC(".maps");
struct processes_map processes SEC(".maps");
struct reports_map reports SEC(".maps");
struct threads_map threads SEC(".maps");
struct thread_table_map thread_table SEC(".maps");
struct scratches_map scratches SEC(".maps");
struct counters_map counters SEC(".maps");
struct ring_map bells SEC(".maps");
struct ring_map rare SEC(".maps");
struct small_ring_map urgent SEC(".maps");
struct watched_map watched SEC(".maps");
struct watched_cgroups_map watched_cgroups SEC(".maps");
struct streams_map streams SEC(".maps");
struct preludes_map preludes SEC(".maps");
struct channel_programs_map channel_programs SEC(".maps");
struct channel_ring_map channel SEC(".maps");

const volatile struct sf_config config = {};
__u64 scoped_count = 0;
__u32 generation = 0;
__u64 next_instance = 0;
__u64 hooks_on = 0;
__u32 send_refused = 0;
__u32 requests_on = 0;
__u64 watched_count = 0;
__u64 watched_cgroups_count = 0;
__u64 stream_count = 0;
__u32 stream_serial = 0;
__u64 channel_woken = 0;
__u64 channel_losses = 0;
__u32 exec_watch = 0;
