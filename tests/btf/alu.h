/* SPDX-License-Identifier: GPL-2.0-only */
/* What BPF's arithmetic and comparisons make of two constants. */
#ifndef SANDFAULT_BTF_ALU_H
#define SANDFAULT_BTF_ALU_H

#include <linux/types.h>
#include <stdbool.h>

/* False: not followed, the result is unknown. */
bool alu_compute(__u8 op, __u64 a, __u64 b, __u64 *ret);
bool alu_compare(__u8 op, __u64 a, __u64 b, __s64 sa, __s64 sb);

#endif
