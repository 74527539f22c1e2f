/* SPDX-License-Identifier: GPL-2.0-only */
/* Connections that failed without a failing call. */
#include "scene.h"

static const char no_route[] = "OSError: [Errno 113] No route to host\n";

/* A connect of p to 10.8.0.1:443 that came to nothing after `took` ms. */
static void net(struct scene *s, const struct process *p, int err, uint64_t at, uint64_t took)
{
	static const uint8_t peer[16] = { 2, 0, 1, 187, 10, 8, 0, 1 };
	struct sf_ev_net e = { .hdr.ts = at * MS,
			       .err = (uint32_t)err,
			       .duration_ns = took * MS,
			       .addr_len = sizeof(peer),
			       .actor = { .tgid = p->key.tgid, .start_ns = p->key.start_ns } };
	void *v = s->t->nets.v;

	memcpy(e.addr, peer, sizeof(peer));
	assert_int_equal(util_grow(&v, &s->t->nets.cap, s->t->nets.n + 1, sizeof(e)), 0);
	s->t->nets.v = v;
	s->t->nets.v[s->t->nets.n++] = e;
}

/* A neighbour that does not answer takes seconds; a filter answers for it at once. */
static void test_quick_answer_is_a_filters(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	net(s, p, EHOSTUNREACH, 5, 1);
	ends(s, p, 9, EXITED(1), no_route);
	expect(s, CAUSE_NETWORK_DENIED, "10.8.0.1:443");
	assert_int_equal(s->out.failures[0].confidence, CONF_POSSIBLE);
	s->t->nets.v[0].duration_ns = 3000 * MS;
	expect(s, CAUSE_NETWORK_UNREACHABLE, "10.8.0.1:443");
}

/* The program fetched the error from its socket, and then closed that. */
static void test_error_that_was_fetched(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);

	net(s, p, 0, 5, 1);
	ends(s, p, 9, EXITED(1), "ValueError: 3\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "python3");
	ends(s, p, 9, EXITED(1), no_route);
	expect(s, CAUSE_NETWORK_DENIED, "10.8.0.1:443");
}

/* One of two was given up as it was no longer wanted: the text is about the other. */
static void test_error_of_another_call(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "curl", 1);
	struct syscall other = { "connect", ECONNREFUSED, "10.9.0.1:80",
				 .text_kind = SF_TEXT_SOCKADDR };

	net(s, p, 0, 5, 1);
	fails(s, p, 6, &other);
	ends(s, p, 9, EXITED(1), "curl: (7) Connection refused\n");
	expect(s, CAUSE_NETWORK_REFUSED, "10.9.0.1:80");
	assert_int_equal(s->out.n_failures, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_quick_answer_is_a_filters),
		T(test_error_that_was_fetched),
		T(test_error_of_another_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
