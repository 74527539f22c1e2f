/* SPDX-License-Identifier: GPL-2.0-only */
#define __TARGET_ARCH_arm64
#define RIG compat_arm64
/* clang-format off */
#define FIELDS \
	FIELD("x0", rig_regs.regs[0]) FIELD("x1", rig_regs.regs[1]) \
	FIELD("x2", rig_regs.regs[2]) FIELD("x3", rig_regs.regs[3]) \
	FIELD("x4", rig_regs.regs[4]) FIELD("x5", rig_regs.regs[5]) \
	FIELD("x6", rig_regs.regs[6]) FIELD("x7", rig_regs.regs[7]) \
	FIELD("x8", rig_regs.regs[8]) FIELD("orig_x0", rig_regs.orig_x0) \
	FIELD("syscallno", rig_regs.syscallno) FIELD("pc", rig_regs.pc) \
	FIELD("sp", rig_regs.sp) FIELD("pstate", rig_regs.pstate)
/* clang-format on */
#include "compat_rig_impl.h"
