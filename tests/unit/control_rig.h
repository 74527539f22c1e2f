/* SPDX-License-Identifier: GPL-2.0-only */
/* A control socket in a directory of its own, operations that note what they are given, and
 * clients that live in the same process, driven by the loop. */
#ifndef SANDFAULT_TESTS_CONTROL_RIG_H
#define SANDFAULT_TESTS_CONTROL_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "control_impl.h"
#include "log.h"
#include "until.h"

struct waiting {
	struct control_peer *peer;
	uint64_t token;
};

/* The daemon's side: what the operations were given. */
struct rig {
	char dir[64], path[128];
	struct loop *loop;
	struct control *control;
	int begins, ends, calls, flushes;
	char begin[4096]; /* the last one's fields, rendered */
	char end[4096];
	char call[4096];
	char channel[512];
	pid_t peer_pid;
	bool hold; /* `end` and `flush` are answered later */
	struct waiting held[1024];
	size_t n_held;
	size_t status_bytes; /* of filler in a status reply */
};

static inline void on_begin(void *arg, struct control_peer *p, uint64_t token,
			    const struct control_begin *b)
{
	struct json_object *o = json_object_new_object();
	struct rig *r = arg;
	int n;

	r->begins++;
	r->peer_pid = b->peer_pid;
	n = snprintf(r->begin, sizeof(r->begin), "%s|%s|%s|%d|%d|%s", b->campaign, b->task,
		     b->cgroup ? b->cgroup : "-", b->pid, b->scope, b->source);
	if (b->server)
		n += snprintf(r->begin + n, sizeof(r->begin) - (size_t)n, "|server %d", b->server);
	for (size_t i = 0; i < b->n_labels; i++)
		n += snprintf(r->begin + n, sizeof(r->begin) - (size_t)n, "|%s=%s",
			      b->labels[i].name, b->labels[i].value);
	json_object_object_add(o, "instance", json_object_new_int(9));
	json_object_object_add(o, "attempt", json_object_new_int(1));
	control_reply(p, token, o);
}

static inline void hold(struct rig *r, struct control_peer *p, uint64_t token)
{
	assert_true(r->n_held < ARRAY_SIZE(r->held));
	r->held[r->n_held++] = (struct waiting){ p, token };
}

static inline void on_end(void *arg, struct control_peer *p, uint64_t token,
			  const struct control_end *e)
{
	struct rig *r = arg;

	r->ends++;
	snprintf(r->end, sizeof(r->end), "%s|%s|%s|%d|%d|%s|%d", e->campaign, e->task,
		 outcome_name(e->outcome), e->exit_code, e->signal, e->note ? e->note : "-",
		 e->wait);
	if (e->result)
		snprintf(r->end + strlen(r->end), sizeof(r->end) - strlen(r->end), "|%s|%s",
			 campaign_result_name(e->result), e->why ? e->why : "-");
	if (r->hold)
		hold(r, p, token);
	else
		control_reply(p, token, NULL);
}

static inline void on_call(void *arg, struct control_peer *p, uint64_t token,
			   const struct control_call *c)
{
	_cleanup_free_ char *text = c->text ? util_escape(c->text, c->text_len) : NULL;
	_cleanup_free_ char *path = c->path ? util_escape(c->path, c->path_len) : NULL;
	struct rig *r = arg;

	r->calls++;
	snprintf(r->call, sizeof(r->call), "%s|%s|%s|%lld|%lld|%d|%d|%s|%s|%s", c->campaign,
		 c->task, c->tool, (long long)c->started_ns, (long long)c->ended_ns, c->ok, c->code,
		 text ? text : "-", path ? path : "-", c->id ? c->id : "-");
	control_reply(p, token, NULL);
}

static inline void on_flush(void *arg, struct control_peer *p, uint64_t token)
{
	struct rig *r = arg;

	r->flushes++;
	if (r->hold)
		hold(r, p, token);
	else
		control_error(p, token, "failed", "no \"%s\"", "fl\nush");
}

static inline void on_channel(void *arg, struct control_peer *p, uint64_t token,
			      const struct control_channel *c)
{
	struct rig *r = arg;

	snprintf(r->channel, sizeof(r->channel), "%d|%d|%s|%s", c->action, c->pid,
		 c->cgroup ? c->cgroup : "-", c->pattern ? c->pattern : "-");
	control_reply(p, token, NULL);
}

static inline void on_status(void *arg, struct control_peer *p, uint64_t token)
{
	struct json_object *o = json_object_new_object();
	struct rig *r = arg;
	char *filler = malloc(r->status_bytes + 1);

	memset(filler, 'x', r->status_bytes);
	filler[r->status_bytes] = '\0';
	json_object_object_add(o, "filler", json_object_new_string(filler));
	free(filler);
	control_reply(p, token, o);
}

static const struct control_ops ops = {
	on_begin, on_end, on_call, on_flush, on_status, on_channel
};

static inline int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));

	strcpy(r->dir, "/tmp/sandfault-control-XXXXXX");
	assert_non_null(mkdtemp(r->dir));
	assert_int_equal(chmod(r->dir, 0755), 0);
	snprintf(r->path, sizeof(r->path), "%s/run/sandfault/control.sock", r->dir);
	assert_int_equal(loop_new(&r->loop), 0);
	assert_int_equal(control_new(&r->control, r->loop, r->path, (gid_t)-1, &ops, r), 0);
	*state = r;
	return 0;
}

static inline int tear_down(void **state)
{
	struct rig *r = *state;
	char command[128];
	int status;

	control_free(r->control);
	loop_free(r->loop);
	assert_int_equal(access(r->path, F_OK), -1); /* unlinked */
	snprintf(command, sizeof(command), "rm -r %s", r->dir);
	status = system(command);
	free(r);
	return status;
}

/* One client: a socket that does not block, and what came from it. */
struct peer {
	struct rig *rig;
	int fd;
	char buf[CONTROL_QUEUE_MAX + 2 * CONTROL_LINE_MAX];
	size_t len;
	bool closed;
};

static inline int plug(const char *path)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(sun.sun_path, path);
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) < 0) {
		int r = -errno;

		close(fd);
		return r;
	}
	fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

static inline struct peer *join(struct rig *r)
{
	struct peer *p = calloc(1, sizeof(*p));

	p->rig = r;
	p->fd = plug(r->path);
	assert_true(p->fd >= 0);
	return p;
}

static inline void leave(struct peer *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

static inline void pull(struct peer *p)
{
	while (!p->closed && p->len < sizeof(p->buf)) {
		ssize_t n = recv(p->fd, p->buf + p->len, sizeof(p->buf) - p->len, 0);

		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			p->closed = true;
		else
			p->len += (size_t)n;
	}
}

static inline bool has_line(void *arg)
{
	struct peer *p = arg;

	pull(p);
	return p->closed || memchr(p->buf, '\n', p->len);
}

static inline bool is_closed(void *arg)
{
	struct peer *p = arg;

	pull(p);
	p->len = 0;
	return p->closed;
}

/* Sends all, letting the daemon read meanwhile. */
struct sending {
	struct peer *peer;
	const char *data;
	size_t len;
};

static inline bool sent(void *arg)
{
	struct sending *s = arg;
	ssize_t n = send(s->peer->fd, s->data, s->len, MSG_NOSIGNAL);

	if (n > 0) {
		s->data += n;
		s->len -= (size_t)n;
	}
	return s->len == 0;
}

static inline void say_bytes(struct peer *p, const char *data, size_t len)
{
	struct sending s = { p, data, len };

	assert_true(run_until(p->rig->loop, sent, &s));
}

static inline void say(struct peer *p, const char *text)
{
	say_bytes(p, text, strlen(text));
}

/* The next line as text, newline cut; NULL: closed. */
static inline const char *hear(struct peer *p)
{
	static char line[sizeof(p->buf)];
	char *newline;
	size_t n;

	assert_true(run_until(p->rig->loop, has_line, p));
	newline = memchr(p->buf, '\n', p->len);
	if (!newline)
		return NULL;
	n = (size_t)(newline - p->buf);
	memcpy(line, p->buf, n);
	line[n] = '\0';
	p->len -= n + 1;
	memmove(p->buf, newline + 1, p->len);
	return line;
}

static inline void expect(struct peer *p, const char *request, const char *reply)
{
	say(p, request);
	say(p, "\n");
	assert_string_equal(hear(p), reply);
}

static inline bool gone(void *arg)
{
	struct rig *r = arg;

	return control_connections(r->control) == 0;
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, set_up, tear_down)

#endif
