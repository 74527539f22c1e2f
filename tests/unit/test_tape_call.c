/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tape_call.h"

static char path[] = "/tmp/test-tape-call-XXXXXX";

static int setup(void **state)
{
	int fd = mkstemp(path);

	return fd < 0 ? -1 : close(fd);
}

static int teardown(void **state)
{
	return unlink(path);
}

static void fill_call(struct call *c)
{
	struct call_fault f = { .cause = CAUSE_NULL_BYTE_PAYLOAD,
				.leg = LEG_WRITE,
				.sure = true,
				.at = 8,
				.say = strdup("cut at its first NUL") };

	text_set(&f.subject, "/w/\0x", 5);
	c->id = 3;
	c->session = 2;
	c->instance = 7;
	c->end = CALL_TOOL_ERROR;
	c->rpc_id = strdup("\"a\"");
	c->method = strdup("tools/call");
	c->tool = strdup("write_file");
	text_set(&c->subject, "a\0b", 3);
	c->started_ns = 10;
	c->ended_ns = 20;
	c->code = -32602;
	c->cut = true;
	c->server = (struct call_peer){ .start_ns = 5, .tgid = 6 };
	c->request_digest[31] = 9;
	call_add_fault(c, &f);
	f.say = NULL;
	f.sure = false;
	f.subject = (struct text){ 0 };
	call_add_fault(c, &f);
}

static void record(void)
{
	struct task *t = task_new(7);
	struct tape *tape;

	t->calls.v = calloc(1, sizeof(*t->calls.v));
	t->calls.v[0] = calloc(1, sizeof(*t->calls.v[0]));
	t->calls.n = t->calls.cap = 1;
	fill_call(t->calls.v[0]);
	t->incidents.v = calloc(1, sizeof(*t->incidents.v));
	t->incidents.n = t->incidents.cap = 1;
	t->incidents.v[0] = (struct incident){ .kind = INCIDENT_BROKEN_PIPE,
					       .instance = 7,
					       .ts = 30,
					       .by_server = true,
					       .err = EPIPE,
					       .open = 1,
					       .say = strdup("it left") };
	assert_int_equal(tape_create(&tape, path, 11), 0);
	tape_calls(tape, t);
	assert_int_equal(tape_close(tape), 0);
	task_free(t);
}

static void check_call(const struct call *c)
{
	assert_int_equal(c->id, 3);
	assert_int_equal(c->session, 2);
	assert_int_equal(c->instance, 7);
	assert_int_equal(c->end, CALL_TOOL_ERROR);
	assert_string_equal(c->rpc_id, "\"a\"");
	assert_string_equal(c->tool, "write_file");
	assert_null(c->args);
	assert_int_equal(c->subject.len, 3);
	assert_memory_equal(c->subject.data, "a\0b", 3);
	assert_int_equal(c->text.len, 0);
	assert_int_equal(c->code, -32602);
	assert_true(c->cut);
	assert_int_equal(c->server.tgid, 6);
	assert_int_equal(c->request_digest[31], 9);
	assert_int_equal(c->n_faults, 2);
	assert_int_equal(c->faults[0].cause, CAUSE_NULL_BYTE_PAYLOAD);
	assert_int_equal(c->faults[0].leg, LEG_WRITE);
	assert_true(c->faults[0].sure);
	assert_int_equal(c->faults[0].at, 8);
	assert_int_equal(c->faults[0].subject.len, 5);
	assert_string_equal(c->faults[0].say, "cut at its first NUL");
	assert_null(c->faults[1].say);
}

/* No frame that ends too early is believed, and none is read past its end. */
static void check_cut(enum tape_kind kind, const char *data, size_t len)
{
	for (size_t n = 0; n < len; n++) {
		_cleanup_free_ char *copy = malloc(n + 1);
		struct call c = { 0 };
		struct incident i = { 0 };

		memcpy(copy, data, n);
		assert_int_equal(kind == TAPE_CALL ? tape_call_read(copy, n, &c)
						   : tape_incident_read(copy, n, &i),
				 -EBADMSG);
	}
}

static void test_round_trip(void **state)
{
	_cleanup_free_ char *why = NULL;
	struct incident i = { 0 };
	struct call c = { 0 };
	enum tape_kind kind;
	struct tape *tape;
	const void *data;
	size_t len;

	record();
	assert_int_equal(tape_open(&tape, path, &why), 0);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 1);
	assert_int_equal(kind, TAPE_CALL);
	assert_int_equal(tape_call_read(data, len, &c), 0);
	check_call(&c);
	check_cut(kind, data, len);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 1);
	assert_int_equal(kind, TAPE_INCIDENT);
	assert_int_equal(tape_incident_read(data, len, &i), 0);
	assert_int_equal(i.kind, INCIDENT_BROKEN_PIPE);
	assert_true(i.by_server);
	assert_int_equal(i.err, EPIPE);
	assert_string_equal(i.say, "it left");
	check_cut(kind, data, len);
	assert_int_equal(tape_read(tape, &kind, &data, &len), 0);
	call_clear(&c);
	incident_clear(&i);
	tape_close(tape);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_round_trip) };

	return cmocka_run_group_tests(tests, setup, teardown);
}
