/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <bpf/btf.h>
#include <linux/bpf.h>
#include <string.h>

#include "abilities.h"
#include "fit.h"
#include "util.h"

#define LOAD64 (BPF_LD | BPF_DW | BPF_IMM)
#define ATOMIC (BPF_STX | BPF_ATOMIC | BPF_DW)

static const struct fit_kernel everything = { .fetch = true, .callbacks = true };
static const struct fit_kernel nothing = { 0 };

static const struct bpf_insn jump_nowhere = { .code = BPF_JMP | BPF_JA };

static void assert_insn(const struct bpf_insn *got, const struct bpf_insn *want)
{
	assert_memory_equal(got, want, sizeof(*got));
}

/* One program with everything in it that a rewrite may touch, or must not. */
static const struct bpf_insn program[] = {
	{ .code = ATOMIC, .dst_reg = 1, .src_reg = 2, .off = 8, .imm = BPF_ADD },
	{ .code = ATOMIC, .dst_reg = 1, .src_reg = 2, .off = 8, .imm = BPF_ADD | BPF_FETCH },
	{ .code = BPF_STX | BPF_ATOMIC | BPF_W, .dst_reg = 6, .src_reg = 1, .imm = BPF_CMPXCHG },
	{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 10, .src_reg = 1, .off = -8 },
	{ .code = LOAD64, .dst_reg = 2, .src_reg = BPF_PSEUDO_FUNC, .imm = 41 },
	{ 0 },
	{ .code = LOAD64, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = 7 },
	{ 0 },
	{ .code = BPF_JMP | BPF_CALL, .src_reg = BPF_PSEUDO_CALL, .imm = 30 },
	{ .code = BPF_JMP | BPF_EXIT },
};

static void test_new_kernel_unchanged(void **state)
{
	struct bpf_insn insns[ARRAY_SIZE(program)];

	memcpy(insns, program, sizeof(program));
	assert_int_equal(fit_instructions(insns, ARRAY_SIZE(insns), &everything), 0);
	assert_memory_equal(insns, program, sizeof(program));
}

static void test_old_kernel(void **state)
{
	const struct bpf_insn call = { .code = BPF_JMP | BPF_CALL,
				       .src_reg = BPF_PSEUDO_CALL,
				       .imm = 41 };
	struct bpf_insn insns[ARRAY_SIZE(program)];

	memcpy(insns, program, sizeof(program));
	assert_int_equal(fit_instructions(insns, ARRAY_SIZE(insns), &nothing), 4);
	assert_insn(&insns[0],
		    &program[0]); /* an addition that fetches nothing is as old as BPF_XADD */
	assert_insn(&insns[1], &jump_nowhere);
	assert_insn(&insns[2], &jump_nowhere);
	assert_insn(&insns[3], &program[3]);
	assert_insn(&insns[4], &call); /* of the same function: its distance is the same */
	assert_insn(&insns[5], &jump_nowhere);
	for (size_t i = 6; i < ARRAY_SIZE(program); i++)
		assert_insn(&insns[i], &program[i]);
}

/* 5.12 knows the one and not the other. */
static void test_one_of_two(void **state)
{
	const struct fit_kernel kernel = { .fetch = true };
	struct bpf_insn insns[ARRAY_SIZE(program)];

	memcpy(insns, program, sizeof(program));
	assert_int_equal(fit_instructions(insns, ARRAY_SIZE(insns), &kernel), 2);
	assert_insn(&insns[1], &program[1]);
	assert_insn(&insns[2], &program[2]);
	assert_int_equal(insns[4].code, BPF_JMP | BPF_CALL);
}

/* The second half of a wide instruction is data, whatever it looks like; nor is there one at the
 * end of the memory. */
static void test_halves(void **state)
{
	const struct bpf_insn wide[] = {
		{ .code = LOAD64, .dst_reg = 1, .imm = 1 },
		{ .code = ATOMIC, .imm = BPF_XCHG },
		{ .code = LOAD64, .dst_reg = 1, .src_reg = BPF_PSEUDO_FUNC, .imm = 5 },
	};
	struct bpf_insn insns[ARRAY_SIZE(wide)];

	memcpy(insns, wide, sizeof(wide));
	assert_int_equal(fit_instructions(insns, ARRAY_SIZE(insns), &nothing), 0);
	assert_memory_equal(insns, wide, sizeof(wide));
}

static struct btf *make_btf(const char *helper)
{
	struct btf *btf = btf__new_empty();
	int u64;

	assert_non_null(btf);
	u64 = btf__add_int(btf, "u64", 8, 0);
	assert_true(u64 > 0);
	assert_true(btf__add_enum(btf, "bpf_func_id", 4) > 0);
	assert_int_equal(btf__add_enum_value(btf, "BPF_FUNC_unspec", 0), 0);
	assert_int_equal(btf__add_enum_value(btf, helper, 1), 0);
	assert_true(btf__add_struct(btf, "task_struct", 16) > 0);
	assert_int_equal(btf__add_field(btf, "first", u64, 0, 0), 0);
	assert_int_equal(btf__add_field(btf, "bpf_storage", u64, 64, 0), 0);
	return btf;
}

static void test_questions(void **state)
{
	struct btf *btf = make_btf("BPF_FUNC_ringbuf_query"), *empty = btf__new_empty();

	assert_true(fit_has_helper(btf, "ringbuf_query"));
	assert_false(fit_has_helper(btf, "ringbuf"));
	assert_false(fit_has_helper(btf, "loop"));
	assert_true(fit_has_member(btf, "task_struct", "bpf_storage"));
	assert_false(fit_has_member(btf, "task_struct", "bpf"));
	assert_false(fit_has_member(btf, "mm_struct", "bpf_storage"));
	assert_false(fit_has_helper(empty, "ringbuf_query"));
	assert_false(fit_has_member(empty, "task_struct", "bpf_storage"));
	btf__free(btf);
	btf__free(empty);
}

static void test_floor(void **state)
{
	struct btf *enough = make_btf("BPF_FUNC_ringbuf_query"),
		   *old = make_btf("BPF_FUNC_send_signal");

	assert_null(abilities_floor(enough));
	assert_string_equal(abilities_floor(old), "ring buffer");
	btf__free(enough);
	btf__free(old);
}

static const char *lacks(const char *name, const struct btf *btf, const struct fit_kernel *kernel)
{
	for (size_t i = 0; i < ABILITIES; i++)
		if (strcmp(ability_table[i].name, name) == 0)
			return ability_table[i].lacks(btf, kernel);
	fail_msg("no ability %s", name);
	return NULL;
}

static void test_abilities(void **state)
{
	struct btf *btf = make_btf("BPF_FUNC_loop"), *old = btf__new_empty();

	assert_null(lacks("threads", btf, &nothing));
	assert_null(lacks("paths", btf, &nothing));
	assert_null(lacks("stderr", btf, &everything));
	assert_string_equal(lacks("stderr", btf, &nothing), "atomic instructions that fetch");
	assert_string_equal(lacks("threads", old, &everything), "task storage");
	assert_string_equal(lacks("paths", old, &everything), "bpf_loop");
	btf__free(btf);
	btf__free(old);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_kernel_unchanged),
		cmocka_unit_test(test_old_kernel),
		cmocka_unit_test(test_one_of_two),
		cmocka_unit_test(test_halves),
		cmocka_unit_test(test_questions),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_abilities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
