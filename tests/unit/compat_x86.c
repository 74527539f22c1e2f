/* SPDX-License-Identifier: GPL-2.0-only */
#define __TARGET_ARCH_x86
#define RIG compat_x86
/* clang-format off */
#define FIELDS \
	FIELD("bx", rig_regs.bx) FIELD("cx", rig_regs.cx) \
	FIELD("dx", rig_regs.dx) FIELD("si", rig_regs.si) \
	FIELD("di", rig_regs.di) FIELD("bp", rig_regs.bp) \
	FIELD("r8", rig_regs.r8) FIELD("r9", rig_regs.r9) \
	FIELD("r10", rig_regs.r10) FIELD("orig_ax", rig_regs.orig_ax) \
	FIELD("ip", rig_regs.ip) FIELD("sp", rig_regs.sp) \
	FIELD("status", rig_task.thread_info.status)
/* clang-format on */
#include "compat_rig_impl.h"
