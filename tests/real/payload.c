/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * payload WAY [ARGUMENT…]: does one thing that a sandbox may refuse, and behaves like a real program
 * when it is refused: perror() and a status that is not 0. With 0 it was let through. Static, so
 * that it runs in an empty root.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define EXIT_USAGE 99
#define MIB	   (1 << 20)
#define ENOUGH	   4096 /* descriptors or processes: no limit in the table is above */

static int complain(const char *what)
{
	perror(what);
	return EXIT_FAILURE;
}

static int way_read(char **arg)
{
	int fd = open(arg[0], O_RDONLY | O_CLOEXEC);
	char byte;

	if (fd < 0 || read(fd, &byte, 1) < 0)
		return complain(arg[0]);
	return EXIT_SUCCESS;
}

static int way_write(char **arg)
{
	int fd = open(arg[0], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, "x", 1) != 1)
		return complain(arg[0]);
	return EXIT_SUCCESS;
}

static int way_mkdir(char **arg)
{
	return mkdir(arg[0], 0755) ? complain(arg[0]) : EXIT_SUCCESS;
}

static int way_unlink(char **arg)
{
	return unlink(arg[0]) ? complain(arg[0]) : EXIT_SUCCESS;
}

static int way_rename(char **arg)
{
	return rename(arg[0], arg[1]) ? complain(arg[1]) : EXIT_SUCCESS;
}

static int way_chown(char **arg)
{
	uid_t id = strtoul(arg[1], NULL, 10);

	return chown(arg[0], id, id) ? complain(arg[0]) : EXIT_SUCCESS;
}

static int way_mknod(char **arg)
{
	return mknod(arg[0], S_IFCHR | 0600, 0x103) ? complain(arg[0]) : EXIT_SUCCESS;
}

static int way_mount(char **arg)
{
	return mount("none", arg[0], "tmpfs", 0, NULL) ? complain(arg[0]) : EXIT_SUCCESS;
}

/* Sets the time that it is; a refusal is all that the tables know of this. */
static int way_settime(char **arg)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return clock_settime(CLOCK_REALTIME, &now) ? complain("clock_settime") : EXIT_SUCCESS;
}

static int way_exec(char **arg)
{
	execv(arg[0], arg);
	perror(arg[0]);
	return errno == ENOENT ? 127 : 126;
}

static int way_spawn(char **arg)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		return complain("fork");
	if (pid == 0)
		_exit(way_exec(arg));
	if (waitpid(pid, &status, 0) != pid || status)
		return fprintf(stderr, "payload: %s failed\n", arg[0]), EXIT_FAILURE;
	return EXIT_SUCCESS;
}

static int way_socket(char **arg)
{
	static const struct {
		const char *name;
		int family, type, protocol;
	} kinds[] = {
		{ "inet", AF_INET, SOCK_STREAM, 0 },
		{ "raw", AF_INET, SOCK_RAW, IPPROTO_ICMP },
		{ "unix", AF_UNIX, SOCK_STREAM, 0 },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].name, arg[0]) == 0)
			return socket(kinds[i].family, kinds[i].type, kinds[i].protocol) < 0
				       ? complain("socket")
				       : EXIT_SUCCESS;
	return EXIT_USAGE;
}

static int dial(char **arg)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(strtoul(arg[1], NULL, 10)) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || inet_pton(AF_INET, arg[0], &to.sin_addr) != 1 ||
	    connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return -1;
	return fd;
}

static int way_connect(char **arg)
{
	return dial(arg) < 0 ? complain(arg[0]) : EXIT_SUCCESS;
}

/* Asks the proxy at ADDRESS PORT for a tunnel to HOST:PORT. */
static int way_tunnel(char **arg)
{
	char text[512] = "";
	int fd = dial(arg), n = snprintf(text, sizeof(text),
					 "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", arg[2], arg[2]);

	if (fd < 0 || send(fd, text, n, MSG_NOSIGNAL) != n)
		return complain(arg[0]);
	n = recv(fd, text, sizeof(text) - 1, 0);
	if (n < 0)
		return complain(arg[0]);
	text[n] = '\0';
	text[strcspn(text, "\r\n")] = '\0';
	if (strncmp(text, "HTTP/1.1 200", 12) == 0)
		return EXIT_SUCCESS;
	fprintf(stderr, "payload: the proxy says: %s\n", text);
	return EXIT_FAILURE;
}

static int way_userns(char **arg)
{
	return unshare(CLONE_NEWUSER) ? complain("unshare") : EXIT_SUCCESS;
}

static int way_ptrace(char **arg)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) ? complain("ptrace") : EXIT_SUCCESS;
}

static int way_uring(char **arg)
{
	struct io_uring_params params = { 0 };

	return syscall(SYS_io_uring_setup, 4, &params) < 0 ? complain("io_uring_setup")
							   : EXIT_SUCCESS;
}

static int way_keyring(char **arg)
{
	/* KEYCTL_GET_KEYRING_ID of the session's keyring */
	return syscall(SYS_keyctl, 0, -3, 0) < 0 ? complain("keyctl") : EXIT_SUCCESS;
}

static int way_memory(char **arg)
{
	for (size_t left = strtoul(arg[0], NULL, 10); left; left--) {
		char *block = malloc(MIB);

		if (!block)
			return complain("malloc");
		memset(block, 1, MIB);
		__asm__ volatile("" ::"r"(block) : "memory"); /* else nobody would need it */
	}
	return EXIT_SUCCESS;
}

static int way_lock(char **arg)
{
	size_t size = strtoul(arg[0], NULL, 10) * MIB;
	void *block = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return block == MAP_FAILED || mlock(block, size) ? complain("mlock") : EXIT_SUCCESS;
}

static int way_fork(char **arg)
{
	pid_t made[ENOUGH], child = 0;
	int n = 0, wanted = strtoul(arg[0], NULL, 10), failed = 0;

	while (n < wanted && n < ENOUGH && (child = fork()) > 0)
		made[n++] = child;
	if (child == 0)
		for (;;)
			pause();
	if (child < 0)
		failed = complain("fork");
	while (n) {
		kill(made[--n], SIGTERM);
		waitpid(made[n], NULL, 0);
	}
	return failed;
}

static int way_files(char **arg)
{
	for (int i = 0; i < ENOUGH; i++)
		if (open(arg[0], O_RDONLY | O_CLOEXEC) < 0)
			return complain(arg[0]);
	return EXIT_SUCCESS;
}

/* Writes so many MiB into a file, past a file-size limit too (SIGXFSZ would say nothing). */
static int way_fill(char **arg)
{
	static char block[1 << 16];
	int fd = open(arg[0], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	size_t left = strtoul(arg[1], NULL, 10) * MIB;

	signal(SIGXFSZ, SIG_IGN);
	if (fd < 0)
		return complain(arg[0]);
	while (left) {
		ssize_t n = write(fd, block, sizeof(block));

		if (n < 0) {
			complain(arg[0]);
			unlink(arg[0]);
			return EXIT_FAILURE;
		}
		left -= (size_t)n < left ? (size_t)n : left;
	}
	unlink(arg[0]);
	return EXIT_SUCCESS;
}

/* What every program does, and what it may look for in vain: nothing here is a failure. */
static int way_healthy(char **arg)
{
	char *self[] = { arg[1], (char *)"idle", NULL }, name[4096];
	int fd;

	(void)access("/etc/ld.so.preload", R_OK);
	open("/etc/payload.conf", O_RDONLY | O_CLOEXEC);
	(void)isatty(STDIN_FILENO);
	if (way_spawn(self))
		return EXIT_FAILURE;
	snprintf(name, sizeof(name), "%s/healthy-%d", arg[0], getpid());
	fd = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "x", 1) != 1 || unlink(name))
		return complain(name);
	return puts("healthy") < 0;
}

static int way_idle(char **arg)
{
	return EXIT_SUCCESS;
}

static const struct {
	const char *name;
	int args;
	int (*run)(char **arg);
} ways[] = {
	{ "healthy", 2, way_healthy }, /* DIRECTORY OWN-PATH */
	{ "idle", 0, way_idle },       { "read", 1, way_read },	      { "write", 1, way_write },
	{ "mkdir", 1, way_mkdir },     { "unlink", 1, way_unlink },   { "rename", 2, way_rename },
	{ "chown", 2, way_chown },     { "mknod", 1, way_mknod },     { "mount", 1, way_mount },
	{ "settime", 0, way_settime }, { "exec", 1, way_exec },	      { "spawn", 1, way_spawn },
	{ "socket", 1, way_socket },   { "connect", 2, way_connect }, { "tunnel", 3, way_tunnel },
	{ "userns", 0, way_userns },   { "ptrace", 0, way_ptrace },   { "io-uring", 0, way_uring },
	{ "keyring", 0, way_keyring }, { "memory", 1, way_memory }, /* MIB */
	{ "lock", 1, way_lock },				    /* MIB */
	{ "fork", 1, way_fork },				    /* PROCESSES */
	{ "files", 1, way_files },				    /* PATH */
	{ "fill", 2, way_fill },				    /* PATH MIB */
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(ways) / sizeof(*ways); i++)
		if (strcmp(ways[i].name, argv[1]) == 0 && argc - 2 == ways[i].args)
			return ways[i].run(argv + 2);
	fprintf(stderr, "usage: payload WAY [ARGUMENT…]\n");
	return EXIT_USAGE;
}
