/* SPDX-License-Identifier: GPL-2.0-only */
/* Plain types: those that bpf_helpers.h and event.h want, and the kernel's short ones. */
#ifndef SANDFAULT_PLAIN_H
#define SANDFAULT_PLAIN_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef short __s16;
typedef unsigned int __u32;
typedef int __s32;
typedef unsigned long long __u64;
typedef long long __s64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

typedef __u8 u8;
typedef __u16 u16;
typedef __s16 s16;
typedef __u32 u32;
typedef __s32 s32;
typedef __u64 u64;
typedef __s64 s64;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned short umode_t;
typedef u32 dev_t;
typedef _Bool bool;
enum { false = 0, true = 1 };

#define NULL ((void *)0)

#endif
