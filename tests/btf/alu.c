/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/bpf.h>

#include "alu.h"

bool alu_compute(__u8 op, __u64 a, __u64 b, __u64 *ret)
{
	switch (op) {
	case BPF_ADD:
		*ret = a + b;
		return true;
	case BPF_SUB:
		*ret = a - b;
		return true;
	case BPF_AND:
		*ret = a & b;
		return true;
	case BPF_OR:
		*ret = a | b;
		return true;
	case BPF_XOR:
		*ret = a ^ b;
		return true;
	case BPF_LSH:
		*ret = b < 64 ? a << b : 0;
		return true;
	case BPF_RSH:
		*ret = b < 64 ? a >> b : 0;
		return true;
	default:
		return false;
	}
}

bool alu_compare(__u8 op, __u64 a, __u64 b, __s64 sa, __s64 sb)
{
	switch (op) {
	case BPF_JEQ:
		return a == b;
	case BPF_JNE:
		return a != b;
	case BPF_JGT:
		return a > b;
	case BPF_JGE:
		return a >= b;
	case BPF_JLT:
		return a < b;
	case BPF_JLE:
		return a <= b;
	case BPF_JSET:
		return (a & b) != 0;
	case BPF_JSGT:
		return sa > sb;
	case BPF_JSGE:
		return sa >= sb;
	case BPF_JSLT:
		return sa < sb;
	default:
		return sa <= sb;
	}
}
