// SPDX-License-Identifier: GPL-2.0-only
/* The floor: a pair of programs that does nothing at every entry and exit of a syscall. */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

SEC("tp_btf/sys_enter")
int handle_sys_enter(void *ctx)
{
	return 0;
}

SEC("tp_btf/sys_exit")
int handle_sys_exit(void *ctx)
{
	return 0;
}

char _license[] SEC("license") = "GPL";
