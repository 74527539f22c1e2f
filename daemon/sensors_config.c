/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/libbpf.h>

#include "hooks.h"
#include "names.h"
#include "procfs.h"
#include "sensors_config.h"
#include "util.h"

#define MAX_MAPS "/proc/sys/vm/max_map_count"

/* 0: not known. */
static uint32_t max_map_count(void)
{
	_cleanup_free_ char *text = NULL;

	return util_read_file(MAX_MAPS, 32, &text) < 0 ? 0 : (uint32_t)strtoul(text, NULL, 10);
}

static void fill_hooks(struct sf_config *config, const struct grants *grants)
{
	for (unsigned int i = SF_HOOK_NONE + 1; i < SF_HOOK_MAX; i++) {
		int n = grants_function(grants, hook_function(i));
		const char *own;

		config->hook_args[i] = n < 0 ? 0 : (__u8)n;
		own = grants_module_function(grants, "apparmor", hook_name(i));
		n = own ? grants_function(grants, own) : 0;
		config->own_args[i] = n < 0 ? 0 : (__u8)n;
	}
}

void sensors_fill_config(struct sf_config *config, const struct grants *grants)
{
	int cpus = libbpf_num_possible_cpus();

	fill_hooks(config, grants);
	names_fill_config(config);
	config->page_size = (uint32_t)sysconf(_SC_PAGESIZE);
	config->self_tgid = (uint32_t)getpid();
	config->own_mntns = procfs_namespace("/proc", getpid(), "mnt");
	config->max_map_count = max_map_count();
	config->cpus = cpus > 0 ? (__u32)cpus : 1;
}
