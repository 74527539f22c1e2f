/* SPDX-License-Identifier: GPL-2.0-only */
/* An echo server with epoll and a forked client that opens many connections to it. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS = 24, ROUNDS = 10 };

static int client(const struct sockaddr_in *to)
{
	int fds[CLIENTS];
	char msg[32], back[32];

	for (int i = 0; i < CLIENTS; i++) {
		fds[i] = socket(AF_INET, SOCK_STREAM, 0);
		if (fds[i] < 0 || connect(fds[i], (const struct sockaddr *)to, sizeof(*to)))
			return perror("connect"), 1;
	}
	for (int k = 0; k < ROUNDS * CLIENTS; k++) {
		int fd = fds[k * 7 % CLIENTS];

		memset(msg, 'a' + k % 26, sizeof(msg));
		if (write(fd, msg, sizeof(msg)) != sizeof(msg) ||
		    recv(fd, back, sizeof(back), MSG_WAITALL) != sizeof(back) ||
		    memcmp(msg, back, sizeof(msg)))
			return fprintf(stderr, "echo %d differs\n", k), 1;
	}
	return 0;
}

static int serve(int listener)
{
	int ep = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event e = { .events = EPOLLIN, .data.fd = listener };
	int closed = 0;
	char buf[256];

	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, listener, &e))
		return perror("epoll"), 1;
	while (closed < CLIENTS) {
		ssize_t n;

		if (epoll_wait(ep, &e, 1, 10000) != 1)
			return fprintf(stderr, "nobody came\n"), 1;
		if (e.data.fd == listener) {
			e.data.fd = accept(listener, NULL, NULL);
			if (e.data.fd < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, e.data.fd, &e))
				return perror("accept"), 1;
			continue;
		}
		n = read(e.data.fd, buf, sizeof(buf));
		if (n > 0 && write(e.data.fd, buf, (size_t)n) == n)
			continue;
		close(e.data.fd);
		closed++;
	}
	return 0;
}

int main(void)
{
	struct sockaddr_in addr = { .sin_family = AF_INET,
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof(addr);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int status = 0;
	pid_t pid;

	if (listener < 0 || bind(listener, (struct sockaddr *)&addr, len) || listen(listener, 64) ||
	    getsockname(listener, (struct sockaddr *)&addr, &len))
		return perror("listen"), 1;
	pid = fork();
	if (pid < 0)
		return perror("fork"), 1;
	if (!pid)
		_exit(client(&addr));
	if (serve(listener) || waitpid(pid, &status, 0) != pid || status)
		return fprintf(stderr, "client's status %x\n", (unsigned int)status), 1;
	printf("epoll: %d echoes over %d connections\n", ROUNDS * CLIENTS, CLIENTS);
	return 0;
}
