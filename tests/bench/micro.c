// SPDX-License-Identifier: GPL-2.0-only
/*
 * micro CPU [filter]: for every line "WHAT N" on stdin, makes N calls of that kind on that CPU and
 * prints nanoseconds per call, of its own processor time (the median of seven equal parts). WHAT is
 * getppid; openat, which fails; read or write, of a file; pipe or socket, in turn writing and reading.
 * With `filter` it runs under a seccomp filter that lets everything through but one call it never makes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PARTS 7

#define BYTES	   64
#define FILE_BYTES (64 << 10)

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int file, ends[2], sockets[2];
static char buf[BYTES];

static void call_getppid(long i)
{
	syscall(SYS_getppid);
}

static void call_openat(long i)
{
	syscall(SYS_openat, AT_FDCWD, "/nowhere/micro", O_RDONLY);
}

/* One in a thousand is a seek. */
static void call_read(long i)
{
	if (syscall(SYS_read, file, buf, BYTES) <= 0)
		lseek(file, 0, SEEK_SET);
}

static void call_write(long i)
{
	if (i % (FILE_BYTES / BYTES) == 0)
		lseek(file, 0, SEEK_SET);
	syscall(SYS_write, file, buf, BYTES);
}

static void call_pipe(long i)
{
	syscall(i & 1 ? SYS_read : SYS_write, ends[!(i & 1)], buf, BYTES);
}

static void call_socket(long i)
{
	syscall(i & 1 ? SYS_read : SYS_write, sockets[!(i & 1)], buf, BYTES);
}

static const struct {
	const char *name;
	void (*make)(long i);
} calls[] = {
	{ "getppid", call_getppid }, { "openat", call_openat }, { "read", call_read },
	{ "write", call_write },     { "pipe", call_pipe },	{ "socket", call_socket },
};

static double measure(void (*make)(long i), long n)
{
	double part[PARTS];

	n = n / PARTS & ~1L; /* what is written is read */
	for (int p = 0; p < PARTS; p++) {
		double began = now();

		for (long i = 0; i < n; i++)
			make(i);
		part[p] = (now() - began) / (double)n;
	}
	qsort(part, PARTS, sizeof(part[0]), by_value);
	return part[PARTS / 2];
}

/* Its file lies in memory. */
static int open_all(void)
{
	file = memfd_create("micro", MFD_CLOEXEC);
	return file < 0 || ftruncate(file, FILE_BYTES) || pipe(ends) ||
	       socketpair(AF_UNIX, SOCK_STREAM, 0, sockets);
}

static int filter_all_but_one(void)
{
	scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);

	return !f || seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(kexec_load), 0) ||
	       seccomp_load(f);
}

int main(int argc, char **argv)
{
	cpu_set_t set;
	char what[16];
	long n;

	if (argc < 2)
		return 2;
	CPU_ZERO(&set);
	CPU_SET(atoi(argv[1]), &set);
	if (sched_setaffinity(0, sizeof(set), &set) || open_all() ||
	    (argc > 2 && filter_all_but_one()))
		return 1;
	while (scanf("%15s %ld", what, &n) == 2) {
		for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
			if (!strcmp(what, calls[i].name))
				printf("%.2f\n", measure(calls[i].make, n));
		fflush(stdout);
	}
	return 0;
}
