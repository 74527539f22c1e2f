/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of errnos, signals, capabilities and socket addresses. */
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/capability.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "names_table.h"

#define ERRNO_MAX  133 /* EHWPOISON: the last that user space knows */
#define ENOTSUPP   524 /* the kernel's own, yet some drivers let it through */
#define SIGNAL_MAX 64

static const struct names_value errno_aliases[] = {
	{ EAGAIN, "EWOULDBLOCK" },
	{ EOPNOTSUPP, "ENOTSUP" },
	{ EDEADLK, "EDEADLOCK" },
	{ ENOTSUPP, "ENOTSUPP" },
};

const char *names_errno(int err)
{
	static _Thread_local char unknown[32];
	const char *name = err > 0 ? strerrorname_np(err) : NULL;

	if (name)
		return name;
	if (err == ENOTSUPP)
		return "ENOTSUPP";
	snprintf(unknown, sizeof(unknown), "errno %d", err);
	return unknown;
}

int names_errno_parse(const char *s)
{
	for (int err = 1; err <= ERRNO_MAX; err++) {
		const char *name = strerrorname_np(err);

		if (name && strcmp(name, s) == 0)
			return err;
	}
	for (size_t i = 0; i < ARRAY_SIZE(errno_aliases); i++)
		if (strcmp(errno_aliases[i].name, s) == 0)
			return (int)errno_aliases[i].value;
	return -EINVAL;
}

/* 34 is what the C libraries call SIGRTMIN: they keep 32 and 33 for their threads. */
#define RTMIN 34

static char signal_names[SIGNAL_MAX + 1][32];

static void name_signals(void)
{
	for (int sig = 1; sig <= SIGNAL_MAX; sig++) {
		char *out = signal_names[sig];
		const char *abbrev = sigabbrev_np(sig);

		if (abbrev)
			snprintf(out, sizeof(signal_names[0]), "SIG%s", abbrev);
		else if (sig == RTMIN)
			snprintf(out, sizeof(signal_names[0]), "SIGRTMIN");
		else if (sig > RTMIN)
			snprintf(out, sizeof(signal_names[0]), "SIGRTMIN+%d", sig - RTMIN);
		else
			snprintf(out, sizeof(signal_names[0]), "signal %d", sig);
	}
}

const char *names_signal(int sig)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static _Thread_local char unknown[32];

	pthread_once(&once, name_signals);
	if (sig > 0 && sig <= SIGNAL_MAX)
		return signal_names[sig];
	snprintf(unknown, sizeof(unknown), "signal %d", sig);
	return unknown;
}

int names_signal_parse(const char *s)
{
	for (int sig = 1; sig <= SIGNAL_MAX; sig++)
		if (strcmp(names_signal(sig), s) == 0)
			return sig;
	return -EINVAL;
}

static char capability_names[64][32];

static void name_capabilities(void)
{
	for (int cap = 0; cap < 64; cap++) {
		char *name = cap_to_name(cap);
		char *out = capability_names[cap];

		/* libcap answers with the number where it has no name. */
		if (!name || isdigit((unsigned char)name[0]))
			snprintf(out, sizeof(capability_names[0]), "CAP_%d", cap);
		else
			snprintf(out, sizeof(capability_names[0]), "%s", name);
		for (; *out; out++)
			*out = (char)toupper((unsigned char)*out);
		cap_free(name);
	}
}

const char *names_capability(int cap)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	static _Thread_local char unknown[32];

	pthread_once(&once, name_capabilities);
	if (cap >= 0 && cap < 64)
		return capability_names[cap];
	snprintf(unknown, sizeof(unknown), "CAP_%d", cap);
	return unknown;
}

static void name_unix(const char *path, size_t len, struct text *ret)
{
	if (len == 0) {
		text_printf(ret, "AF_UNIX"); /* an unnamed socket */
		return;
	}
	if (path[0] != '\0') {
		text_set(ret, path, strnlen(path, len));
		return;
	}
	/* Abstract: all bytes count, NULs too; unix(7). */
	if (text_set(ret, path, len) == 0)
		ret->data[0] = '@';
}

static void name_inet(const void *addr, size_t len, struct text *ret)
{
	struct sockaddr_in in;
	char text[INET_ADDRSTRLEN];

	if (len < sizeof(in) - sizeof(in.sin_zero)) {
		text_printf(ret, "AF_INET");
		return;
	}
	memcpy(&in, addr, sizeof(in) - sizeof(in.sin_zero));
	inet_ntop(AF_INET, &in.sin_addr, text, sizeof(text));
	text_printf(ret, "%s:%u", text, ntohs(in.sin_port));
}

static void name_inet6(const void *addr, size_t len, struct text *ret)
{
	struct sockaddr_in6 in6 = { 0 };
	char text[INET6_ADDRSTRLEN];

	/* The kernel takes an address without scope too (SIN6_LEN_RFC2133). */
	if (len < offsetof(struct sockaddr_in6, sin6_scope_id)) {
		text_printf(ret, "AF_INET6");
		return;
	}
	memcpy(&in6, addr, len < sizeof(in6) ? len : sizeof(in6));
	inet_ntop(AF_INET6, &in6.sin6_addr, text, sizeof(text));
	if (in6.sin6_scope_id)
		text_printf(ret, "[%s%%%u]:%u", text, in6.sin6_scope_id, ntohs(in6.sin6_port));
	else
		text_printf(ret, "[%s]:%u", text, ntohs(in6.sin6_port));
}

void names_sockaddr(const void *addr, size_t len, struct text *ret)
{
	const char *family_name;
	sa_family_t family;

	if (len < sizeof(family)) {
		text_set(ret, "", 0);
		return;
	}
	memcpy(&family, addr, sizeof(family));
	switch (family) {
	case AF_UNIX:
		name_unix((const char *)addr + sizeof(family), len - sizeof(family), ret);
		return;
	case AF_INET:
		name_inet(addr, len, ret);
		return;
	case AF_INET6:
		name_inet6(addr, len, ret);
		return;
	default:
		break;
	}
	family_name = names_family(family);
	if (family_name)
		text_printf(ret, "%s", family_name);
	else
		text_printf(ret, "address family %u", family);
}
