// SPDX-License-Identifier: GPL-2.0-only
/*
 * micro CPU [filter]: for every line "getppid N" or "openat N" on stdin, makes N such calls on
 * that CPU and prints nanoseconds per call (the median of seven equal parts). With `filter` it
 * runs under a seccomp filter that lets everything through but one call it never makes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PARTS 7

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double measure(int failing, long n)
{
	double part[PARTS];

	for (int p = 0; p < PARTS; p++) {
		double began = now();

		for (long i = 0; i < n / PARTS; i++) {
			if (failing)
				syscall(SYS_openat, AT_FDCWD, "/nowhere/micro", O_RDONLY);
			else
				syscall(SYS_getppid);
		}
		part[p] = (now() - began) / (double)(n / PARTS);
	}
	qsort(part, PARTS, sizeof(part[0]), by_value);
	return part[PARTS / 2];
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
	if (sched_setaffinity(0, sizeof(set), &set) || (argc > 2 && filter_all_but_one()))
		return 1;
	while (scanf("%15s %ld", what, &n) == 2) {
		printf("%.2f\n", measure(!strcmp(what, "openat"), n));
		fflush(stdout);
	}
	return 0;
}
