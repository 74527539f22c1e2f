/* SPDX-License-Identifier: GPL-2.0-only */
/* Signs in calls that were answered well: which count, and for whose failure. */
#include "scene_call.h"

static void reads(struct scene *s, enum cause cause, const char *last_words)
{
	struct session both = session(s);

	fault(calls(s, "read_file", "src/log.txt", 100, 104, CALL_OK, NULL), cause, LEG_READ, false,
	      "src/log.txt");
	closes(s, &both, last_words ? EXITED(1) : 0, last_words);
}

static void test_the_client_names_it(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_PAYLOAD_TRUNCATED, "log.txt: no last line\n");
	expect(s, CAUSE_PAYLOAD_TRUNCATED, "src/log.txt");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
}

static void test_the_client_names_another(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_PAYLOAD_TRUNCATED, "catalog.txt: no last line\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_nobody_failed(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_PAYLOAD_TRUNCATED, NULL);
	expect_none(s);
}

/* What text mode makes of line ends is lost only where it is written back. */
static void test_line_ends(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_ENCODING_CRLF, "log.txt has no CRLF\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

static void test_line_ends_written_back(void **state)
{
	struct scene *s = *state;
	struct session both = session(s);

	fault(calls(s, "read_file", "src/log.txt", 100, 104, CALL_OK, NULL), CAUSE_ENCODING_CRLF,
	      LEG_READ, false, "src/log.txt");
	calls(s, "write_file", "src/log.txt", 200, 204, CALL_OK, NULL);
	closes(s, &both, EXITED(1), "log.txt has no CRLF\n");
	expect(s, CAUSE_ENCODING_CRLF, "src/log.txt");
}

static void test_a_dialect(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_PAYLOAD_MALFORMED, "binascii.Error: Incorrect padding\n");
	expect(s, CAUSE_PAYLOAD_MALFORMED, "src/log.txt");
}

static void test_a_dialect_that_was_understood(void **state)
{
	struct scene *s = *state;

	reads(s, CAUSE_PAYLOAD_MALFORMED, "log.txt: too dark\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "agent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_the_client_names_it),
		T(test_the_client_names_another),
		T(test_nobody_failed),
		T(test_line_ends),
		T(test_line_ends_written_back),
		T(test_a_dialect),
		T(test_a_dialect_that_was_understood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
