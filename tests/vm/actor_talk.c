/* SPDX-License-Identifier: GPL-2.0-only */
/* The word `talk`: a client of a tool and its server, over each kind of channel. */
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "actor.h"
#include "talk.h"

#define PIECES 40
#define MARGIN 256 /* bytes of a message beside its text */

enum how { PLAIN, VECTOR, MESSAGE };

struct talk {
	int in, out;
	enum how how;
	size_t bytes;
	char *line; /* the last that was read, ended by 0 */
	size_t len;
};

/* Some of the bytes, in pieces of no use but that there are many. */
static ssize_t put_some(const struct talk *t, char *data, size_t len)
{
	struct iovec iov[PIECES];
	struct msghdr m = { .msg_iov = iov };
	size_t piece = len / (PIECES - 1) + 1;
	int n = 0;

	for (size_t at = 0; at < len; at += piece, n++)
		iov[n] = (struct iovec){ data + at, len - at < piece ? len - at : piece };
	m.msg_iovlen = (size_t)n;
	switch (t->how) {
	case VECTOR:
		return writev(t->out, iov, n);
	case MESSAGE:
		return sendmsg(t->out, &m, MSG_NOSIGNAL);
	default:
		return write(t->out, data, len);
	}
}

static ssize_t get_some(const struct talk *t, char *data, size_t len)
{
	struct iovec iov[3] = { { data, len > 100 ? 100 : len } };
	struct msghdr m = { .msg_iov = iov, .msg_iovlen = 3 };

	iov[1] = (struct iovec){ data + iov[0].iov_len, len > 1000 ? 500 : 0 };
	iov[2].iov_base = data + iov[0].iov_len + iov[1].iov_len;
	iov[2].iov_len = len - iov[0].iov_len - iov[1].iov_len;
	switch (t->how) {
	case VECTOR:
		return readv(t->in, iov, 3);
	case MESSAGE:
		return recvmsg(t->in, &m, 0);
	default:
		return read(t->in, data, len);
	}
}

/* 0 or -1; the line's end is sent with it. */
static int put_line(const struct talk *t, const char *format, int id)
{
	char *text = malloc(t->bytes + 1), *line = malloc(t->bytes + MARGIN);
	ssize_t n = 0;
	size_t len;

	if (!text || !line)
		return -1;
	for (size_t i = 0; i < t->bytes; i++)
		text[i] = TALK_BYTE(id, i);
	text[t->bytes] = '\0';
	len = (size_t)snprintf(line, t->bytes + MARGIN, format, id, text);
	line[len++] = '\n';
	for (size_t at = 0; at < len && n >= 0; at += (size_t)n)
		n = put_some(t, line + at, len - at);
	free(text);
	free(line);
	return n < 0 ? -1 : 0;
}

/* 1: a line; 0: the end; -1. */
static int get_line(struct talk *t)
{
	t->len = 0;
	for (;;) {
		ssize_t n = get_some(t, t->line + t->len, t->bytes + MARGIN - t->len);

		if (n <= 0)
			return (int)n;
		t->len += (size_t)n;
		if (t->line[t->len - 1] == '\n')
			return 1;
	}
}

static int serve(struct talk *t)
{
	int r, id = 0;

	while ((r = get_line(t)) > 0)
		if (put_line(t, TALK_ANSWER, id++) < 0)
			return 1;
	return r < 0;
}

static int converse(struct talk *t)
{
	for (int id = 0; id < TALK_CALLS; id++)
		if (say("request", put_line(t, TALK_REQUEST, id)) ||
		    say("answer", get_line(t) > 0 ? 0 : -1))
			return 1;
	return 0;
}

/* ---- channels: ends[0] is the client's, in and out ---- */

static int by_pipes(int ends[2][2], const char *kind)
{
	int there[2], back[2];

	if (pipe(there) < 0 || pipe(back) < 0)
		return -1;
	ends[0][0] = back[0];
	ends[0][1] = there[1];
	ends[1][0] = there[0];
	ends[1][1] = back[1];
	return 0;
}

static int by_pair(int ends[2][2], const char *kind)
{
	int type = strcmp(kind, "seqpacket") == 0 ? SOCK_SEQPACKET : SOCK_STREAM, pair[2];

	if (socketpair(AF_UNIX, type, 0, pair) < 0)
		return -1;
	for (int i = 0; i < 2; i++)
		ends[i][0] = ends[i][1] = pair[i];
	return 0;
}

/* Connected before it is accepted; the listener is of no use afterwards. */
static int by_listener(int ends[2][2], const struct sockaddr *name, socklen_t len)
{
	struct sockaddr_storage bound;
	socklen_t size = sizeof(bound);
	int listener = socket(name->sa_family, SOCK_STREAM, 0), client, server;

	if (listener < 0 || bind(listener, name, len) < 0 || listen(listener, 1) < 0 ||
	    getsockname(listener, (struct sockaddr *)&bound, &size) < 0)
		return -1;
	client = socket(name->sa_family, SOCK_STREAM, 0);
	if (client < 0 || connect(client, (struct sockaddr *)&bound, size) < 0)
		return -1;
	server = accept(listener, NULL, NULL);
	close(listener);
	ends[0][0] = ends[0][1] = client;
	ends[1][0] = ends[1][1] = server;
	return server;
}

static int by_network(int ends[2][2], const char *kind)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 b = { .sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr_un u = { .sun_family = AF_UNIX };

	if (strcmp(kind, "tcp") == 0)
		return by_listener(ends, (struct sockaddr *)&a, sizeof(a));
	if (strcmp(kind, "tcp6") == 0)
		return by_listener(ends, (struct sockaddr *)&b, sizeof(b));
	return by_listener(ends, (struct sockaddr *)&u,
			   sizeof(sa_family_t)); /* a name of its own */
}

static const struct {
	const char *name;
	int (*make)(int ends[2][2], const char *kind);
	enum how how;
} kinds[] = {
	{ "pipe", by_pipes, PLAIN },	 { "vector", by_pipes, VECTOR },
	{ "stream", by_pair, PLAIN },	 { "seqpacket", by_pair, PLAIN },
	{ "message", by_pair, MESSAGE }, { "unix", by_network, PLAIN },
	{ "tcp", by_network, PLAIN },	 { "tcp6", by_network, MESSAGE },
};

/* The server's end becomes its standard input and output where another program serves. */
static int run_server(struct talk *t, int ends[2][2], char *program)
{
	close(ends[0][0]);
	if (ends[0][1] != ends[0][0])
		close(ends[0][1]);
	t->in = ends[1][0];
	t->out = ends[1][1];
	if (!program)
		return serve(t);
	dup2(t->in, 0);
	dup2(t->out, 1);
	execl(program, program, "talk", NULL);
	return 127;
}

static int talk(const char *kind, size_t bytes, char *program)
{
	struct talk t = { .bytes = bytes, .line = malloc(bytes + MARGIN) };
	int ends[2][2], status = 0, r = -1;
	pid_t server;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kind, kinds[i].name) != 0)
			continue;
		t.how = kinds[i].how;
		r = kinds[i].make(ends, kind);
	}
	if (!t.line || need(kind, r))
		return 77;
	server = fork();
	if (server == 0)
		_exit(run_server(&t, ends, program));
	close(ends[1][0]);
	if (ends[1][1] != ends[1][0])
		close(ends[1][1]);
	t.in = ends[0][0];
	t.out = ends[0][1];
	r = converse(&t);
	close(t.out);
	if (t.in != t.out)
		close(t.in);
	if (server < 0 || waitpid(server, &status, 0) < 0)
		return 1;
	return r || status;
}

/* talk=KIND:BYTES */
static int word_talk(char *arg, char **rest)
{
	size_t bytes = strtoul(behind(arg), NULL, 10);

	return bytes > TALK_MAX ? 2 : talk(arg, bytes, NULL);
}

/* talk32=PROGRAM: over pipes, served by actor32 */
static int word_talk32(char *arg, char **rest)
{
	return talk("pipe", 40, arg);
}

const struct word talk_words[] = {
	{ "talk", word_talk },
	{ "talk32", word_talk32 },
	{ 0 },
};
