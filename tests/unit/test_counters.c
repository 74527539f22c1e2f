/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "counters.h"

/* A row that was forgotten is NULL; a name that stands twice is found once. */
static void test_table(void **state)
{
	for (size_t i = 0; i < COUNTER_MAX; i++) {
		assert_non_null(counters[i].name);
		assert_true(counters[i].meaning && *counters[i].meaning);
		assert_ptr_equal(counters_find(counters[i].name), &counters[i]);
	}
	assert_null(counters_find("no such counter"));
}

/* What says that it lost something is shown as a loss. */
static void test_losses(void **state)
{
	static const char *const words[] = { "lost", "dropped", "overflow", "refused" };

	for (size_t i = 0; i < COUNTER_MAX; i++)
		for (size_t w = 0; w < sizeof(words) / sizeof(*words); w++)
			if (strstr(counters[i].name, words[w]))
				assert_true(counters[i].loss);
	assert_false(counters_find("failed")->loss);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_losses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
