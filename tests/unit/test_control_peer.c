/* SPDX-License-Identifier: GPL-2.0-only */
/* Connections: framing, replies that come later, bounds, watching. */
#include "control_rig.h"

/* A byte at a time, several at once, the last without its newline. */
static void test_framing(void **state)
{
	static const char request[] = "{\"op\":\"end\",\"task\":\"t\",\"id\":1}\n";
	struct rig *r = *state;
	struct peer *p = join(r);

	for (size_t i = 0; i < sizeof(request) - 1; i++)
		say_bytes(p, &request[i], 1);
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":1}");
	say(p,
	    "{\"op\":\"end\",\"task\":\"a\",\"id\":1}\n{\"op\":\"end\",\"task\":\"b\",\"id\":2}\n"
	    "{\"op\":\"end\",\"task\":\"c\",\"id\":3}");
	assert_int_equal(shutdown(p->fd, SHUT_WR), 0);
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":1}");
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":2}");
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":3}");
	assert_null(hear(p)); /* nothing is due any more: closed */
	assert_true(run_until(r->loop, gone, r));
	leave(p);
}

static bool four_ends(void *arg)
{
	return ((struct rig *)arg)->ends == 4;
}

static void test_out_of_order(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r), *left = join(r);

	r->hold = true;
	say(p, "{\"op\":\"end\",\"task\":\"a\",\"id\":\"first\"}\n"
	       "{\"op\":\"end\",\"task\":\"b\",\"id\":2}\n{\"op\":\"end\",\"task\":\"c\"}\n");
	say(left, "{\"op\":\"end\",\"task\":\"d\"}\n");
	assert_true(run_until(r->loop, four_ends, r));
	leave(left); /* its reply goes nowhere */
	for (size_t i = 4; i-- > 0;) {
		control_reply(r->held[i].peer, r->held[i].token, NULL);
		if (i == 1) /* a second answer is dropped: the peer lives, an older reply is due */
			control_reply(r->held[i].peer, r->held[i].token, NULL);
	}
	assert_string_equal(hear(p), "{\"ok\":true}");
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":2}");
	assert_string_equal(hear(p), "{\"ok\":true,\"id\":\"first\"}");
	leave(p);
}

static bool both_came_and_gone(void *arg)
{
	return ((struct rig *)arg)->n_held == 2 && gone(arg);
}

/* The requests of one that hangs up at once still count; so does a late reply to it. */
static void test_fire_and_forget(void **state)
{
	struct rig *r = *state;
	int fd = plug(r->path);
	static const char request[] = "{\"op\":\"end\",\"task\":\"t\"}\n{\"op\":\"flush\"}\n";

	r->hold = true;
	assert_int_equal(send(fd, request, sizeof(request) - 1, 0), sizeof(request) - 1);
	close(fd);
	assert_true(run_until(r->loop, both_came_and_gone, r));
	assert_int_equal(r->ends, 1);
	assert_int_equal(r->flushes, 1);
	control_error(r->held[0].peer, r->held[0].token, "busy", "later");
	control_reply(r->held[1].peer, r->held[1].token, json_object_new_object());
}

struct backlog {
	struct rig *rig;
	struct peer *peer;
};

static bool paused(void *arg)
{
	struct backlog *b = arg;

	/* Reads no further, so that our own buffer fills. */
	while (send(b->peer->fd, "{\"op\":\"flush\"}\n", 15, MSG_NOSIGNAL) > 0)
		;
	return b->rig->n_held >= CONTROL_PENDING_MAX;
}

static bool all_flushed(void *arg)
{
	struct backlog *b = arg;

	for (size_t i = 0; i < b->rig->n_held; i++)
		control_reply(b->rig->held[i].peer, b->rig->held[i].token, NULL);
	b->rig->n_held = 0;
	pull(b->peer);
	b->peer->len = 0;
	if (send(b->peer->fd, "{\"op\":\"flush\"}\n", 15, MSG_NOSIGNAL) < 0)
		assert_int_equal(errno, EAGAIN);
	return b->rig->flushes > 3 * CONTROL_PENDING_MAX;
}

static void test_pending_is_bounded(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);
	struct backlog b = { r, p };
	char line[] = "{\"op\":\"flush\"}\n";

	/* One line a read, so that the bound is exact. */
	r->hold = true;
	for (int i = 0; i < CONTROL_PENDING_MAX; i++)
		say(p, line);
	assert_true(run_until(r->loop, paused, &b));
	assert_true(r->n_held < CONTROL_PENDING_MAX + 64 * 1024 / 15);
	assert_true(run_until(r->loop, all_flushed, &b));
	leave(p);
	r->hold = false;
}

static bool slow_seen(void *arg)
{
	struct peer *p = arg;

	/* Asks, never reads. */
	if (send(p->fd, "{\"op\":\"status\"}\n", 16, MSG_NOSIGNAL) < 0 && errno != EAGAIN)
		p->closed = true;
	return control_slow(p->rig->control) > 0;
}

static void test_slow_reader(void **state)
{
	struct rig *r = *state;
	struct peer *slow = join(r), *other = join(r);

	r->status_bytes = 300000;
	assert_true(run_until(r->loop, slow_seen, slow));
	assert_int_equal(control_slow(r->control), 1);
	assert_true(run_until(r->loop, is_closed, slow));
	r->status_bytes = 1;
	expect(other, "{\"op\":\"status\"}", "{\"ok\":true,\"filler\":\"x\"}");
	assert_int_equal(control_connections(r->control), 1);
	leave(slow);
	leave(other);
}

/* One reply of more than the bound passes, where it is read. */
static void test_large_reply(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	r->status_bytes = CONTROL_QUEUE_MAX + 1000;
	say(p, "{\"op\":\"status\"}\n");
	assert_int_equal(strlen(hear(p)),
			 CONTROL_QUEUE_MAX + 1000 + strlen("{\"ok\":true,\"filler\":\"\"}"));
	leave(p);
}

static struct json_object *event(int n)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "n", json_object_new_int(n));
	return o;
}

static void test_watch(void **state)
{
	struct rig *r = *state;
	struct peer *all = join(r), *some = join(r), *none = join(r);

	assert_false(control_watched(r->control));
	control_publish(r->control, "c", "sandbox", event(0));
	expect(all, "{\"op\":\"watch\",\"id\":1}", "{\"ok\":true,\"id\":1}");
	expect(some, "{\"op\":\"watch\",\"campaign\":\"c\",\"level\":\"sandbox\"}",
	       "{\"ok\":true}");
	expect(none, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	assert_true(control_watched(r->control));
	control_publish(r->control, "c", "sandbox", event(1));
	control_publish(r->control, "d", "sandbox", event(2));
	control_publish(r->control, "c", "interface", event(3));
	control_publish(r->control, NULL, "sandbox", event(4)); /* over all campaigns */
	control_publish(r->control, NULL, NULL, event(5));
	for (int i = 1; i <= 5; i++) {
		char line[32];

		snprintf(line, sizeof(line), "{\"n\":%d}", i);
		assert_string_equal(hear(all), line);
		if (i != 2 && i != 3)
			assert_string_equal(hear(some), line);
	}
	/* Asking again replaces the filters. */
	expect(some, "{\"op\":\"watch\",\"campaign\":\"d\"}", "{\"ok\":true}");
	control_publish(r->control, "c", "sandbox", event(6));
	control_publish(r->control, "d", "sandbox", event(7));
	assert_string_equal(hear(some), "{\"n\":7}");
	expect(none, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}"); /* nothing before it */
	shutdown(all->fd, SHUT_WR); /* asks nothing any more, watches on */
	expect(none, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	control_publish(r->control, "c", "sandbox", event(8));
	assert_string_equal(hear(all), "{\"n\":6}");
	assert_string_equal(hear(all), "{\"n\":7}");
	assert_string_equal(hear(all), "{\"n\":8}");
	leave(all);
	leave(some);
	leave(none);
	assert_true(run_until(r->loop, gone, r));
	assert_false(control_watched(r->control));
}

struct part {
	struct peer *peer;
	size_t bytes;
};

/* Reads that much and no more: the rest still waits in the daemon. */
static bool read_part(void *arg)
{
	struct part *part = arg;
	struct peer *p = part->peer;
	ssize_t n = recv(p->fd, p->buf + p->len, 4096, 0);

	if (n > 0)
		p->len += (size_t)n;
	return p->len >= part->bytes;
}

static void test_slow_watcher(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);
	struct part part = { p, 100000 };
	int events = 100000, seen = 0, lost = 0;

	expect(p, "{\"op\":\"watch\"}", "{\"ok\":true}");
	for (int i = 0; i < events; i++)
		control_publish(r->control, "c", "sandbox", event(i));
	assert_true(run_until(r->loop, read_part, &part));
	for (int i = 0; i < 10; i++)
		control_publish(r->control, "c", "sandbox", event(events++));
	while (seen + lost < events) {
		const char *line = hear(p);
		int n;

		if (sscanf(line, "{\"lost\":%d}", &n) == 1)
			lost += n;
		else
			assert_int_equal(sscanf(line, "{\"n\":%d}", &n), 1);
		if (line[2] == 'n')
			assert_int_equal(n, lost + seen++); /* told where they are lost */
	}
	assert_true(lost > 0);
	assert_int_equal(seen + lost, events);
	control_publish(r->control, "c", "sandbox", event(7));
	assert_string_equal(hear(p), "{\"n\":7}");
	assert_int_equal(control_connections(r->control), 1);
	leave(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_framing),	    TEST(test_out_of_order),
		TEST(test_fire_and_forget), TEST(test_pending_is_bounded),
		TEST(test_slow_reader),	    TEST(test_large_reply),
		TEST(test_watch),	    TEST(test_slow_watcher),
	};

	signal(SIGPIPE, SIG_DFL); /* nothing may raise it */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
