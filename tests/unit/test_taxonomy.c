/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "taxonomy.h"

static void test_every_cause_is_found_by_its_names(void **state)
{
	for (int i = 0; i < CAUSE_MAX; i++) {
		const struct taxon *x = taxonomy_get((enum cause)i);

		assert_int_equal(taxonomy_find(level_name(x->level), x->primitive, x->cause), i);
		assert_true(strlen(x->meaning) > 5);
		assert_true(strlen(x->remedy) > 5);
	}
	assert_int_equal(taxonomy_find("sandbox", "seccomp", "none"), -ENOENT);
}

static void test_names_go_both_ways(void **state)
{
	for (int i = 0; i < LEVEL_MAX; i++)
		assert_int_equal(level_parse(level_name((enum level)i)), i);
	for (int i = 0; i < DISP_MAX; i++)
		assert_int_equal(disposition_parse(disposition_name((enum disposition)i)), i);
	for (int i = 0; i < CONF_MAX; i++)
		assert_int_equal(confidence_parse(confidence_name((enum confidence)i)), i);
	for (int i = 0; i < OUTCOME_MAX; i++)
		assert_int_equal(outcome_parse(outcome_name((enum outcome)i)), i);
	for (int i = 0; i < STATE_MAX; i++)
		assert_int_equal(task_state_parse(task_state_name((enum task_state)i)), i);
	assert_int_equal(level_parse("Sandbox"), -EINVAL);
	assert_string_equal(outcome_name((enum outcome)99), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_cause_is_found_by_its_names),
		cmocka_unit_test(test_names_go_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
