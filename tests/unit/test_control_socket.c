/* SPDX-License-Identifier: GPL-2.0-only */
/* Who may connect, the socket's file, the client, and bytes of all kinds. */
#include "control_rig.h"

#include <grp.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/wait.h>

#include "client.h"

static void test_connection_limit(void **state)
{
	struct rig *r = *state;
	int fds[CONTROL_PEERS_MAX];
	struct peer *p, *first = join(r);

	for (int i = 1; i < CONTROL_PEERS_MAX; i++) {
		fds[i] = plug(r->path);
		assert_true(fds[i] >= 0);
		if (i % 32 == 0)
			expect(first, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	}
	p = join(r);
	assert_string_equal(hear(p), "{\"ok\":false,\"error\":\"failed\",\"message\":\"too many "
				     "connections\"}");
	assert_null(hear(p));
	assert_int_equal(control_connections(r->control), CONTROL_PEERS_MAX);
	assert_int_equal(control_overflow(r->control), 1);
	for (int i = 1; i < CONTROL_PEERS_MAX; i++)
		close(fds[i]);
	leave(p);
	p = join(r);
	expect(p, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	leave(p);
	leave(first);
}

/* As another user: what the first line says; exit status 1 where connect() fails. */
static pid_t stranger(const struct rig *r, uid_t uid, gid_t gid, gid_t extra, int out)
{
	pid_t pid = fork();
	struct client *c;
	struct json_object *q, *reply;

	if (pid)
		return pid;
	if (setgroups(extra ? 1 : 0, &extra) < 0 || setgid(gid) < 0 || setuid(uid) < 0)
		_exit(2);
	if (client_connect(&c, r->path) < 0)
		_exit(1);
	q = json_tokener_parse("{\"op\":\"end\",\"task\":\"t\"}");
	if (client_call(c, q, &reply) < 0)
		_exit(3);
	dprintf(out, "%s", json_object_to_json_string_ext(reply, JSON_C_TO_STRING_PLAIN));
	_exit(0);
}

static void on_child(pid_t pid, int status, void *arg)
{
	*(int *)arg = status;
}

static bool child_ended(void *arg)
{
	return *(int *)arg >= 0;
}

static int as_stranger(struct rig *r, uid_t uid, gid_t gid, gid_t extra, char *said, size_t size)
{
	int fds[2], status = -1;
	ssize_t n;

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(loop_add_child(r->loop, stranger(r, uid, gid, extra, fds[1]), on_child,
					&status, NULL),
			 0);
	close(fds[1]);
	assert_true(run_until(r->loop, child_ended, &status));
	n = read(fds[0], said, size - 1);
	said[n > 0 ? n : 0] = '\0';
	close(fds[0]);
	return WEXITSTATUS(status);
}

#define REFUSAL                                                                                    \
	"{\"ok\":false,\"error\":\"not-allowed\",\"message\":\"root or a member of the daemon's "  \
	"group only\"}"

static void test_who_may(void **state)
{
	struct rig *r = *state;
	char said[512];

	if (geteuid() != 0)
		skip(); /* becomes other users */
	assert_int_equal(as_stranger(r, 65534, 65534, 0, said, sizeof(said)),
			 1); /* the file's mode */
	control_free(r->control);
	assert_int_equal(control_new(&r->control, r->loop, r->path, 4242, &ops, r), 0);
	assert_int_equal(chmod(r->path, 0666), 0); /* the second line of defence */
	assert_int_equal(as_stranger(r, 65534, 65534, 0, said, sizeof(said)), 0);
	assert_string_equal(said, REFUSAL);
	assert_int_equal(as_stranger(r, 65534, 65534, 4243, said, sizeof(said)), 0);
	assert_string_equal(said, REFUSAL);
	assert_int_equal(control_refused(r->control), 2);
	assert_int_equal(r->ends, 0);
	assert_int_equal(as_stranger(r, 65534, 4242, 0, said, sizeof(said)), 0);
	assert_string_equal(said, "{\"ok\":true}");
	assert_int_equal(as_stranger(r, 65534, 65534, 4242, said, sizeof(said)), 0);
	assert_string_equal(said, "{\"ok\":true}");
	assert_int_equal(control_refused(r->control), 2);
	assert_int_equal(control_connections(r->control), 0);
}

static void test_second_daemon(void **state)
{
	struct rig *r = *state;
	struct control *second = NULL;
	struct peer *p;

	assert_int_equal(control_new(&second, r->loop, r->path, (gid_t)-1, &ops, r), -EADDRINUSE);
	assert_null(second);
	p = join(r); /* the first still answers */
	expect(p, "{\"op\":\"end\",\"task\":\"t\"}", "{\"ok\":true}");
	leave(p);
}

static void test_stale_socket(void **state)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct rig *r = *state;
	struct control *c;
	char path[128];
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(path, sizeof(path), "%s/stale", r->dir);
	strcpy(sun.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	close(fd); /* the file stays, nobody listens */
	assert_int_equal(control_new(&c, r->loop, path, (gid_t)-1, &ops, r), 0);
	fd = plug(path);
	assert_true(fd >= 0);
	close(fd);
	/* One that took the place meanwhile is not unlinked. */
	assert_int_equal(unlink(path), 0);
	fd = open(path, O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0600);
	close(fd);
	control_free(c);
	assert_int_equal(access(path, F_OK), 0);
	/* What is no socket is never removed. */
	assert_int_equal(control_new(&c, r->loop, path, (gid_t)-1, &ops, r), -EEXIST);
	assert_int_equal(access(path, F_OK), 0);
}

/* Anybody who may read the directory may lock it: that delays, but does not stop. */
static void test_locked_directory(void **state)
{
	struct rig *r = *state;
	struct control *c;
	char path[128];
	int fd = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	snprintf(path, sizeof(path), "%s/locked", r->dir);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(control_new(&c, r->loop, path, (gid_t)-1, &ops, r), 0);
	control_free(c);
	close(fd);
}

static void test_path_too_long(void **state)
{
	struct rig *r = *state;
	struct control *c = NULL;
	struct client *client = NULL;
	char path[200];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[108] = '\0';
	assert_int_equal(control_new(&c, r->loop, path, (gid_t)-1, &ops, r), -ENAMETOOLONG);
	assert_int_equal(client_connect(&client, path), -ENAMETOOLONG);
	assert_null(c);
	assert_null(client);
}

static void *client_thread(void *arg)
{
	struct rig *r = arg;
	struct json_object *q = json_tokener_parse("{\"op\":\"status\",\"id\":5}"), *reply = NULL;
	struct client *c = NULL;
	long ok = client_connect(&c, r->path) == 0;

	for (int i = 0; ok && i < 3; i++) {
		ok = client_call(c, q, &reply) == 0 &&
		     json_object_get_int(json_object_object_get(reply, "id")) == 5;
		json_object_put(reply);
	}
	json_object_put(q);
	client_close(c);
	return (void *)ok;
}

static bool client_done(void *arg)
{
	return __atomic_load_n(&((struct rig *)arg)->calls, __ATOMIC_SEQ_CST) == -1;
}

static void *client_thread_done(void *arg)
{
	struct rig *r = arg;
	void *ok = client_thread(r);

	__atomic_store_n(&r->calls, -1, __ATOMIC_SEQ_CST);
	return ok;
}

static void test_client(void **state)
{
	struct rig *r = *state;
	struct client *c;
	pthread_t t;
	void *ok;

	r->status_bytes = 3 * 1024 * 1024;
	assert_int_equal(pthread_create(&t, NULL, client_thread_done, r), 0);
	assert_true(run_until(r->loop, client_done, r));
	assert_int_equal(pthread_join(t, &ok), 0);
	assert_true((long)ok);
	assert_int_equal(client_connect(&c, "/nonexistent/socket"), -ENOENT);
}

/* A daemon that goes away, and one that talks nonsense. */
static void test_client_errors(void **state)
{
	struct json_object *q = json_object_new_object(), *reply = NULL;
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct rig *r = *state;
	struct client *c;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;

	snprintf(sun.sun_path, sizeof(sun.sun_path), "%s/odd", r->dir);
	assert_int_equal(bind(fd, (struct sockaddr *)&sun, sizeof(sun)), 0);
	assert_int_equal(client_connect(&c, sun.sun_path), -ECONNREFUSED);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(client_connect(&c, sun.sun_path), 0);
	peer = accept(fd, NULL, NULL);
	assert_int_equal(write(peer, "nonsense\n[1]\n{\"a\":1}\n{\"b\":2}\n{\"cut", 35), 35);
	assert_int_equal(client_call(c, q, &reply), -EBADMSG);
	assert_int_equal(client_read(c, &reply), -EBADMSG);
	assert_int_equal(client_read(c, &reply), 0);
	assert_int_equal(json_object_get_int(json_object_object_get(reply, "a")), 1);
	json_object_put(reply);
	assert_int_equal(client_read(c, &reply), 0);
	json_object_put(reply);
	close(peer);
	assert_int_equal(client_read(c, &reply), -EPIPE);
	assert_int_equal(client_call(c, q, &reply), -EPIPE);
	client_close(c);
	client_close(NULL);
	json_object_put(q);
	close(fd);
}

/* Bytes that a broken or hostile peer might send: it survives, and the next request is answered. */
static void test_random_bytes(void **state)
{
	static const char *const seeds[] = {
		"{\"op\":\"begin\",\"task\":\"t\",\"labels\":{\"a\":\"b\"},\"pid\":1}\n",
		"{\"op\":\"end\",\"task\":\"t\",\"outcome\":\"ok\",\"exit_code\":0,\"note\":"
		"\"\\u00e9\"}\n",
		"{\"op\":\"watch\",\"campaign\":\"c\",\"level\":\"sandbox\",\"id\":\"x\"}\n",
		"{\"op\":\"call\",\"task\":\"t\",\"tool\":\"r\",\"ok\":true,\"text\":\"\\u0000\","
		"\"ended\":1e9,\"a\":[[[{\"b\":1e9}]]]}\n",
	};
	struct rig *r = *state;
	uint32_t x = 12345;

	for (int round = 0; round < 300; round++) {
		struct peer *p = join(r);
		const char *line;
		char buf[256];

		for (int i = 0; i < 8; i++) {
			size_t len = strlen(seeds[i % 4]);

			memcpy(buf, seeds[i % 4], len);
			for (int k = 0; k < 3; k++) {
				x = x * 1664525 + 1013904223;
				buf[(x >> 8) % len] = (char)(x >> 24);
			}
			say_bytes(p, buf, len);
		}
		say(p, "\n{\"op\":\"status\",\"id\":\"last\"}\n");
		do {
			line = hear(p);
			assert_non_null(line);
		} while (!strstr(line, "\"id\":\"last\""));
		leave(p);
	}
	assert_true(control_malformed(r->control) > 300);
}

/* The daemon ends while connections and requests are open. */
static void test_free_with_open_requests(void **state)
{
	struct rig *r = *state;
	struct peer *p = join(r);

	r->hold = true;
	say(p, "{\"op\":\"end\",\"task\":\"t\"}\n{\"op\":\"watch\"}\n");
	assert_string_equal(hear(p), "{\"ok\":true}"); /* the watch; `end` is held */
	control_free(r->control);
	control_reply(r->held[0].peer, r->held[0].token, json_object_new_object());
	assert_null(hear(p));
	leave(p);
	assert_int_equal(control_new(&r->control, r->loop, r->path, (gid_t)-1, &ops, r), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_connection_limit), TEST(test_who_may),
		TEST(test_second_daemon),    TEST(test_stale_socket),
		TEST(test_locked_directory), TEST(test_path_too_long),
		TEST(test_client),	     TEST(test_client_errors),
		TEST(test_random_bytes),     TEST(test_free_with_open_requests),
	};

	signal(SIGPIPE, SIG_DFL); /* nothing may raise it */
	return cmocka_run_group_tests(tests, NULL, NULL);
}
