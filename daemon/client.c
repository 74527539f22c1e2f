/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "client.h"
#include "json.h"
#include "util.h"

#define LINE_MAX_BYTES (64u * 1024 * 1024) /* no reply is longer; more is nonsense */

struct client {
	int fd;
	char *buf; /* what was read beyond the last line */
	size_t len, cap;
};

static int connect_retrying(int fd, const struct sockaddr_un *sun)
{
	while (connect(fd, (const struct sockaddr *)sun, sizeof(*sun)) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

int client_connect(struct client **ret, const char *path)
{
	_cleanup_close_ int fd = -1;
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	struct client *c;
	int r;

	if (strlen(path) >= sizeof(sun.sun_path))
		return -ENAMETOOLONG;
	strcpy(sun.sun_path, path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	r = connect_retrying(fd, &sun);
	if (r < 0)
		return r;
	c = calloc(1, sizeof(*c));
	if (!c)
		return -ENOMEM;
	c->fd = TAKE_FD(fd);
	*ret = c;
	return 0;
}

void client_close(struct client *c)
{
	if (!c)
		return;
	close(c->fd);
	free(c->buf);
	free(c);
}

static int send_all(int fd, const char *data, size_t len)
{
	while (len) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		len -= (size_t)n;
	}
	return 0;
}

static int parse_line(const char *line, size_t len, struct json_object **reply)
{
	struct json_tokener *t = json_tokener_new();
	struct json_object *o;

	if (!t)
		return -ENOMEM;
	json_tokener_set_flags(t, json_strict(line, len));
	o = json_tokener_parse_ex(t, line, (int)len);
	json_tokener_free(t);
	if (!json_object_is_type(o, json_type_object)) {
		json_object_put(o);
		return -EBADMSG;
	}
	*reply = o;
	return 0;
}

/* Bytes of the first line with its newline, reading on until it is whole. `seen`: no newline
 * stands before it. */
static ssize_t whole_line(struct client *c)
{
	size_t seen = 0;

	for (;;) {
		char *newline = c->len > seen ? memchr(c->buf + seen, '\n', c->len - seen) : NULL;
		void *buf = c->buf;
		ssize_t n;
		int r;

		if (newline)
			return newline - c->buf + 1;
		if (c->len > LINE_MAX_BYTES)
			return -EBADMSG;
		seen = c->len;
		r = util_grow(&buf, &c->cap, c->len + 16384, 1);
		c->buf = buf;
		if (r < 0)
			return r;
		n = recv(c->fd, c->buf + c->len, c->cap - c->len, 0);
		if (n < 0 && errno == EINTR)
			continue;
		/* A daemon that closed on unread bytes resets. */
		if (n == 0 || (n < 0 && errno == ECONNRESET))
			return -EPIPE;
		if (n < 0)
			return -errno;
		c->len += (size_t)n;
	}
}

int client_read(struct client *c, struct json_object **reply)
{
	ssize_t len = whole_line(c);
	int r;

	if (len < 0)
		return (int)len;
	r = parse_line(c->buf, (size_t)len - 1, reply);
	c->len -= (size_t)len;
	memmove(c->buf, c->buf + len, c->len);
	return r;
}

int client_call(struct client *c, struct json_object *request, struct json_object **reply)
{
	const char *text = json_object_to_json_string_ext(request, JSON_C_TO_STRING_PLAIN);
	_cleanup_free_ char *line = NULL;
	int r, n;

	n = text ? asprintf(&line, "%s\n", text) : -1;
	if (n < 0) {
		line = NULL;
		return -ENOMEM;
	}
	r = send_all(c->fd, line, (size_t)n);
	/* One that refuses us says why, then closes: the answer may be there already. */
	if (r < 0 && r != -EPIPE && r != -ECONNRESET)
		return r;
	return client_read(c, reply);
}

int client_fd(const struct client *c)
{
	return c->fd;
}
