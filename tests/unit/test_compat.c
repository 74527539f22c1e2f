/* SPDX-License-Identifier: GPL-2.0-only */
/* Registers, numbers and layouts of both architectures: each test runs on every machine. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <cmocka.h>

#include "bpf/event.h"
#include "compat_rig.h"

#define DIRT 0xdeadbeef00000000ULL /* what a 32-bit task left in the upper half */

#define X32_BIT	     0x40000000u
#define PSR_EL0T     0x60000000u /* a 64-bit program that has compared something */
#define PSR_AA32_USR 0x60000010u /* arch/arm64/include/uapi/asm/ptrace.h: PSR_MODE32_BIT */

struct reg {
	const char *name;
	unsigned long long value;
};

static void set_all(const struct compat_rig *rig, const struct reg *regs, _Bool helpers)
{
	rig->reset(helpers);
	for (; regs->name; regs++)
		assert_true(rig->set(regs->name, regs->value));
}

/* The same with the helpers of a new kernel and without: the fields are read in another way. */
static void assert_args(const struct compat_rig *rig, const struct reg *regs, _Bool is32,
			const unsigned long long want[6])
{
	unsigned long long args[6];

	for (int helpers = 0; helpers < 2; helpers++) {
		set_all(rig, regs, helpers);
		memset(args, 0xff, sizeof(args));
		rig->args(args, is32);
		for (int i = 0; i < 6; i++)
			assert_int_equal(args[i], want[i]);
	}
}

static const struct reg x86_native[] = {
	{ "di", 0x7fff00000001 },
	{ "si", 2 },
	{ "dx", 3 },
	{ "r10", 4 },
	{ "r8", 5 },
	{ "r9", 6 },
	{ "bx", 91 },
	{ "cx", 92 },
	{ "bp", 93 },
	{ "orig_ax", 257 },
	{ "ip", 100 },
	{ "sp", 101 },
	{ NULL },
};

static const struct reg x86_compat[] = {
	{ "bx", DIRT | 1 }, { "cx", DIRT | 2 }, { "dx", DIRT | 3 }, { "si", DIRT | 4 },
	{ "di", DIRT | 5 }, { "bp", DIRT | 6 }, { "r8", 95 },	    { "r9", 96 },
	{ "r10", 94 },	    { "orig_ax", 5 },	{ "status", 2 },    { NULL },
};

/* x0 holds the result by the time of the exit. */
static const struct reg arm64_native[] = {
	{ "x0", -13ULL },
	{ "orig_x0", 0xffff00000001 },
	{ "x1", 2 },
	{ "x2", 3 },
	{ "x3", 4 },
	{ "x4", 5 },
	{ "x5", 6 },
	{ "x6", 97 },
	{ "x7", 98 },
	{ "x8", 56 },
	{ "syscallno", 56 },
	{ "pc", 100 },
	{ "sp", 101 },
	{ "pstate", PSR_EL0T },
	{ NULL },
};

static const struct reg arm64_compat[] = {
	{ "x0", 0xfffffff3 }, { "orig_x0", DIRT | 1 },	  { "x1", DIRT | 2 }, { "x2", DIRT | 3 },
	{ "x3", DIRT | 4 },   { "x4", DIRT | 5 },	  { "x5", DIRT | 6 }, { "x7", 5 },
	{ "syscallno", 5 },   { "pstate", PSR_AA32_USR }, { NULL },
};

static void test_arguments(void **state)
{
	static const unsigned long long x86[6] = { 0x7fff00000001, 2, 3, 4, 5, 6 };
	static const unsigned long long arm64[6] = { 0xffff00000001, 2, 3, 4, 5, 6 };
	static const unsigned long long narrow[6] = { 1, 2, 3, 4, 5, 6 };

	assert_args(&compat_x86, x86_native, false, x86);
	assert_args(&compat_x86, x86_compat, true, narrow);
	assert_args(&compat_arm64, arm64_native, false, arm64);
	assert_args(&compat_arm64, arm64_compat, true, narrow);
}

static void test_single_arguments(void **state)
{
	set_all(&compat_x86, x86_native, true);
	assert_int_equal(compat_x86.arg(0, false), 0x7fff00000001);
	assert_int_equal(compat_x86.arg(1, false), 2);
	assert_int_equal(compat_x86.arg(2, false), 3);
	set_all(&compat_x86, x86_compat, true);
	assert_int_equal(compat_x86.arg(0, true), 1);
	assert_int_equal((uint32_t)compat_x86.arg(2, true), 3); /* dx in both ABIs */
	set_all(&compat_arm64, arm64_native, true);
	assert_int_equal(compat_arm64.arg(0, false), 0xffff00000001);
	assert_int_equal(compat_arm64.arg(1, false), 2);
	assert_int_equal(compat_arm64.arg(2, false), 3);
	set_all(&compat_arm64, arm64_compat, true);
	assert_int_equal(compat_arm64.arg(0, true), 1);
	assert_int_equal((uint32_t)compat_arm64.arg(2, true), 3);
}

static void test_number(void **state)
{
	for (int helpers = 0; helpers < 2; helpers++) {
		set_all(&compat_x86, x86_native, helpers);
		assert_int_equal(compat_x86.raw_nr(), 257);
		set_all(&compat_arm64, arm64_native, helpers);
		assert_int_equal(compat_arm64.raw_nr(), 56);
		/* The number is kept beside the registers: a tracer may have changed x8. */
		assert_true(compat_arm64.set("x8", 1));
		assert_int_equal(compat_arm64.raw_nr(), 56);
		/* No syscall: a fault, or a signal's return. */
		assert_true(compat_arm64.set("syscallno", -1ULL));
		assert_int_equal(compat_arm64.raw_nr(), 0xffffffff);
		assert_true(compat_x86.set("orig_ax", -1ULL));
		assert_int_equal(compat_x86.raw_nr(), 0xffffffff);
	}
	assert_int_equal(compat_x86.nr(0xffffffff), -1);
	assert_int_equal(compat_arm64.nr(0xffffffff), -1);
	assert_int_equal(compat_x86.nr(X32_BIT | 514), 514);
	assert_int_equal(compat_x86.nr(257), 257);
	/* arm64 has no such mark: a number that no table describes. */
	assert_int_equal(compat_arm64.nr(X32_BIT | 514), X32_BIT | 514);
}

static void test_abi(void **state)
{
	assert_int_equal(compat_x86.abi(257, false), SF_ABI_NATIVE);
	assert_int_equal(compat_x86.abi(5, true), SF_ABI_COMPAT);
	assert_int_equal(compat_x86.abi(X32_BIT | 257, false), SF_ABI_X32);
	assert_int_equal(compat_x86.abi(X32_BIT | 5, true), SF_ABI_COMPAT);
	assert_int_equal(compat_x86.abi(0xffffffff, false), SF_ABI_NATIVE);
	assert_int_equal(compat_arm64.abi(56, false), SF_ABI_NATIVE);
	assert_int_equal(compat_arm64.abi(5, true), SF_ABI_COMPAT);
	assert_int_equal(compat_arm64.abi(X32_BIT | 56, false), SF_ABI_NATIVE);
}

static void test_width(void **state)
{
	for (int helpers = 0; helpers < 2; helpers++) {
		set_all(&compat_x86, x86_native, helpers);
		assert_false(compat_x86.is32());
		assert_true(compat_x86.set("status", ~2ULL & 0xffffffff));
		assert_false(compat_x86.is32());
		set_all(&compat_x86, x86_compat, helpers);
		assert_true(compat_x86.is32());
		set_all(&compat_arm64, arm64_native, helpers);
		assert_false(compat_arm64.is32());
		set_all(&compat_arm64, arm64_compat, helpers);
		assert_true(compat_arm64.is32());
	}
}

/* What tells one call of a thread from the next: the place, the number, three arguments. */
static void test_call(void **state)
{
	static const unsigned long long x86[6] = { 100, 101, 257, 0x7fff00000001, 2, 3 };
	static const unsigned long long arm64[6] = { 100, 101, 56, 0xffff00000001, 2, 3 };
	unsigned long long call[6];

	for (int helpers = 0; helpers < 2; helpers++) {
		set_all(&compat_x86, x86_native, helpers);
		compat_x86.call(call);
		assert_memory_equal(call, x86, sizeof(call));
		set_all(&compat_arm64, arm64_native, helpers);
		compat_arm64.call(call);
		assert_memory_equal(call, arm64, sizeof(call));
	}
	/* The result, which changes between a check and the exit, is no part of it. */
	assert_true(compat_arm64.set("x0", 4711));
	compat_arm64.call(call);
	assert_memory_equal(call, arm64, sizeof(call));
}

static void test_fork(void **state)
{
	assert_false(compat_x86.fork_is_silent);
	assert_true(compat_arm64.fork_is_silent);
}

static void assert_layouts(const struct compat_rig *rig)
{
	const uint32_t msg32[7] = { 1, 2, 3, 4, 5, 6, 7 };
	const uint32_t iov32[4] = { 1, 2, 3, 4 };
	struct iovec iov[2] = { { (void *)0x100000001, 2 }, { (void *)0x100000003, 4 } };
	struct msghdr msg = { (void *)0x100000001, 2, iov, 4, NULL, 0, 0 };
	unsigned long long f[4];

	rig->reset(true);
	assert_int_equal(rig->msghdr(f, &msg, false), 0);
	assert_int_equal(f[0], 0x100000001);
	assert_int_equal(f[1], 2);
	assert_int_equal(f[2], (uintptr_t)iov);
	assert_int_equal(f[3], 4);
	assert_int_equal(rig->msghdr(f, msg32, true), 0);
	for (unsigned int i = 0; i < 4; i++)
		assert_int_equal(f[i], i + 1);
	assert_int_equal(rig->msghdr(f, NULL, false), -1);
	assert_int_equal(rig->msghdr(f, NULL, true), -1);
	assert_int_equal(rig->iovec(f, iov, 1, false), 0);
	assert_int_equal(f[0], 0x100000003);
	assert_int_equal(f[1], 4);
	assert_int_equal(rig->iovec(f, iov32, 1, true), 0);
	assert_int_equal(f[0], 3);
	assert_int_equal(f[1], 4);
	assert_int_equal(rig->iovec(f, NULL, 0, false), -1);
	assert_int_equal(rig->iovec(f, NULL, 0, true), -1);
}

static void test_layouts(void **state)
{
	assert_layouts(&compat_x86);
	assert_layouts(&compat_arm64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arguments), cmocka_unit_test(test_single_arguments),
		cmocka_unit_test(test_number),	  cmocka_unit_test(test_abi),
		cmocka_unit_test(test_width),	  cmocka_unit_test(test_call),
		cmocka_unit_test(test_fork),	  cmocka_unit_test(test_layouts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
