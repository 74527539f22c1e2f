/* SPDX-License-Identifier: GPL-2.0-only */
/* Words about the network, all of them on addresses of IPv4. */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "actor.h"

struct sockaddr_in address(char *arg)
{
	char copy[64], *port;
	struct sockaddr_in a = { .sin_family = AF_INET };

	snprintf(copy, sizeof(copy), "%s", arg);
	port = behind(copy);
	a.sin_port = htons((uint16_t)atoi(port));
	a.sin_addr.s_addr = inet_addr(copy);
	return a;
}

/* loopback: up, in a namespace that was just made. */
static int word_loopback(char *arg, char **rest)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP };
	int s = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	ret = need("lo", s < 0 ? -1 : ioctl(s, SIOCSIFFLAGS, &r));
	close(s);
	return ret;
}

/* connect=ADDRESS:PORT */
static int word_connect(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_STREAM, 0);

	return say(arg, s < 0 ? -1 : connect(s, (struct sockaddr *)&a, sizeof(a)));
}

/* later=ADDRESS:PORT: a connect that is waited for. */
static int word_later(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
	struct pollfd p = { .fd = s, .events = POLLOUT };
	socklen_t len = sizeof(error);

	if (s < 0 || (connect(s, (struct sockaddr *)&a, sizeof(a)) < 0 && errno != EINPROGRESS))
		return say(arg, -1);
	if (poll(&p, 1, 20000) != 1 || getsockopt(s, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
		return say(arg, -1);
	errno = error;
	return say(arg, error ? -1 : 0);
}

/* resolve=ADDRESS:PORT: a question by UDP, and the wait for its answer. */
static int word_resolve(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct pollfd p = { .fd = s, .events = POLLIN };
	char answer[512];

	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof(a)) < 0 || send(s, "?", 1, 0) < 0)
		return say(arg, -1);
	if (poll(&p, 1, 20000) != 1)
		return say(arg, -1);
	return say(arg, recv(s, answer, sizeof(answer), 0));
}

/* forsaken=ADDRESS:PORT: the same; whatever wakes it, it reads nothing. */
static int word_forsaken(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_DGRAM, 0);
	struct pollfd p = { .fd = s, .events = POLLIN };

	if (s < 0 || connect(s, (struct sockaddr *)&a, sizeof(a)) < 0 || send(s, "?", 1, 0) < 0)
		return say(arg, -1);
	if (poll(&p, 1, 20000) == 1 && !(p.revents & POLLERR))
		return 0;
	dprintf(2, "actor: Temporary failure in name resolution\n");
	return 1;
}

/* bind=ADDRESS:PORT, and listens */
static int word_bind(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_STREAM, 0);

	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a)) < 0)
		return say(arg, -1);
	return say(arg, listen(s, 1));
}

/* service=PATH: connects to an AF_UNIX socket. */
static int word_service(char *arg, char **rest)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int s = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "%s", arg);
	return say(arg, s < 0 ? -1 : connect(s, (struct sockaddr *)&a, sizeof(a)));
}

/* raw: a socket that takes CAP_NET_RAW. */
static int word_raw(char *arg, char **rest)
{
	return say("socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
}

const struct word network_words[] = {
	{ "loopback", word_loopback }, { "connect", word_connect },   { "later", word_later },
	{ "resolve", word_resolve },   { "forsaken", word_forsaken }, { "bind", word_bind },
	{ "service", word_service },   { "raw", word_raw },	      { 0 },
};
