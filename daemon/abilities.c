/* SPDX-License-Identifier: GPL-2.0-only */
#include "abilities.h"

/* The ring buffer: 5.8 (457f44363a88). BTF tracing programs (5.5) and the other helpers that we
 * can't do without are older. */
const char *abilities_floor(const struct btf *btf)
{
	return fit_has_helper(btf, "ringbuf_query") ? NULL : "ring buffer";
}

static const char *threads_lack(const struct btf *btf, const struct fit_kernel *kernel)
{
	return fit_has_member(btf, "task_struct", "bpf_storage") ? NULL : "task storage";
}

static const char *paths_lack(const struct btf *btf, const struct fit_kernel *kernel)
{
	return fit_has_helper(btf, "loop") ? NULL : "bpf_loop";
}

static const char *stderr_lacks(const struct btf *btf, const struct fit_kernel *kernel)
{
	return kernel->fetch ? NULL : "atomic instructions that fetch";
}

const struct ability ability_table[ABILITIES] = {
	/* 5.13 (a10787e6d58c) */
	{ "threads", "what seccomp refused, beyond 16384 threads under a filter at a time",
	  threads_lack },
	/* 5.17 (e6f2dd0f8067) */
	{ "paths", "the beginning of a path of more than 128 directories", paths_lack },
	/* 5.12 (5ca419f2864a) */
	{ "stderr", "whole lines, where threads of one process write them at the same moment",
	  stderr_lacks },
};
