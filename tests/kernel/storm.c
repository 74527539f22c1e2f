// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm OPENS PATHS [THREADS]: fails OPENS opens over PATHS names, and says how many did. Linked
 * statically, so that nothing else of it fails with ENOENT.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

static long opens, paths, failed;

static void *storm(void *arg)
{
	long first = (long)arg, n = 0;
	char path[64];

	for (long i = 0; i < opens; i++) {
		snprintf(path, sizeof(path), "/nowhere/storm-%06ld", (first + i) % paths);
		n += syscall(SYS_openat, AT_FDCWD, path, O_RDONLY) < 0 && errno == ENOENT;
	}
	__atomic_add_fetch(&failed, n, __ATOMIC_RELAXED);
	return NULL;
}

int main(int argc, char **argv)
{
	int threads = argc > 3 ? atoi(argv[3]) : 1;
	pthread_t t[64];

	if (argc < 3 || threads < 1 || threads > 64)
		return 2;
	opens = atol(argv[1]) / threads;
	paths = atol(argv[2]);
	for (int i = 1; i < threads; i++)
		if (pthread_create(&t[i], NULL, storm, (void *)(i * opens)))
			return 2;
	storm(NULL);
	for (int i = 1; i < threads; i++)
		pthread_join(t[i], NULL);
	printf("%ld\n", failed);
	return 0;
}
