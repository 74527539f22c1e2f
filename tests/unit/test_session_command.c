/* SPDX-License-Identifier: GPL-2.0-only */
/* Results that tell of a command that failed, as servers word that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "session_rig.h"
#include "util.h"

#define RUN                                                                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"run\","    \
	"\"arguments\":{\"command\":\"make\"}}}"
#define RESULT(members)	    "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{" members "}}"
#define STRUCTURED(members) RESULT("\"isError\":false,\"structuredContent\":{" members "}")
#define TEXT(text)	    RESULT("\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]")

static const struct {
	const char *answer;
	int status;
	const char *said;
} answers[] = {
	{ STRUCTURED("\"exitCode\":2,\"stdout\":\"\",\"stderr\":\"make: no rule\""), 2,
	  "make: no rule" },
	{ STRUCTURED("\"result\":{\"returncode\":-11,\"output\":\"half\"}"), -11, "half" },
	{ STRUCTURED("\"code\":1,\"stdout\":\"\",\"stderr\":\"\""), 1, NULL },
	{ STRUCTURED("\"code\":null,\"signal\":\"SIGSEGV\",\"stdout\":\"\""), -11, NULL },
	{ STRUCTURED("\"exit_code\":0,\"stderr\":\"warning: old\""), 0, NULL },
	/* these words mean other things elsewhere */
	{ STRUCTURED("\"code\":404,\"status\":1"), 0, NULL },
	{ STRUCTURED("\"exitCode\":70000,\"stdout\":\"\""), 0, NULL },
	{ TEXT("{\\\"exit_code\\\": 127, \\\"stderr\\\": \\\"sh: rg: not found\\\"}"), 127,
	  "sh: rg: not found" },
	{ TEXT("Exit code: 1\\nmake: no rule"), 1, "Exit code: 1\nmake: no rule" },
	{ TEXT("make: no rule\\n[exit status 2]"), 2, "make: no rule\n[exit status 2]" },
	{ TEXT("Command exited with code 3."), 3, "Command exited with code 3." },
	{ TEXT("Exit code: 0\\nsee exit code 1"), 0, NULL },
	{ TEXT("the exit code is told below"), 0, NULL },
	{ TEXT("exit code 1_000"), 0, NULL },
	{ TEXT("{\\\"exit_code\\\": 1, \\\"stdout\\\": \\\"a lo"), 1,
	  "{\"exit_code\": 1, \"stdout\": \"a lo" },
};

static void test_answers(void **state)
{
	struct rig *r = *state;

	initialize(r);
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		const struct call *c;

		say(r, CLIENT, RUN);
		say(r, SERVER, answers[i].answer);
		c = r->calls[r->opened - 1];
		assert_int_equal(c->end, CALL_OK);
		if (c->status != answers[i].status)
			fail_msg("%s: status %d", answers[i].answer, c->status);
		if (answers[i].said)
			assert_string_equal(c->text.data, answers[i].said);
		else
			assert_int_equal(c->text.len, 0);
	}
}

static void test_error(void **state)
{
	struct rig *r = *state;

	initialize(r);
	say(r, CLIENT, RUN);
	say(r, SERVER,
	    RESULT("\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"Command failed "
		   "with exit code 2\"}]"));
	assert_int_equal(r->calls[r->opened - 1]->end, CALL_TOOL_ERROR);
	assert_int_equal(r->calls[r->opened - 1]->status, 2);
}

/* The end is kept, without what is secret. */
static void test_long_output(void **state)
{
	struct rig *r = *state;
	_cleanup_free_ char *fill = strdup(""), *answer = NULL;
	const struct call *c;

	initialize(r);
	for (int i = 0; i < 100; i++) {
		char *more;

		assert_true(asprintf(&more, "%stoken: ghp_0123456789abcdefghijABCDEFGHIJ456789\\n",
				     fill) > 0);
		free(fill);
		fill = more;
	}
	assert_true(asprintf(&answer, STRUCTURED("\"exitCode\":1,\"stderr\":\"%scp: read-only\""),
			     fill) > 0);
	say(r, CLIENT, RUN);
	say(r, SERVER, answer);
	c = r->calls[r->opened - 1];
	assert_int_equal(c->status, 1);
	assert_true(c->text.len > 100 && c->text.len <= CALL_TEXT);
	assert_null(strstr(c->text.data, "ghp_"));
	assert_null(strstr(c->text.data, "456789"));
	assert_string_equal(c->text.data + c->text.len - 13, "cp: read-only");
}

static void test_shapes_only(void **state)
{
	struct rig *r = *state;

	r->set.shapes_only = true;
	initialize(r);
	say(r, CLIENT, RUN);
	say(r, SERVER, answers[0].answer);
	assert_int_equal(r->calls[r->opened - 1]->status, 2);
	assert_int_equal(r->calls[r->opened - 1]->text.len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_answers, setup, teardown),
		cmocka_unit_test_setup_teardown(test_error, setup, teardown),
		cmocka_unit_test_setup_teardown(test_long_output, setup, teardown),
		cmocka_unit_test_setup_teardown(test_shapes_only, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
