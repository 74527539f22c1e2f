// SPDX-License-Identifier: GPL-2.0-only
/*
 * mix N: makes N failing calls of each of many kinds, all by raw numbers, and says for each
 * (syscall, errno) how many failed: "NAME ERRNO COUNT" a line. Linked statically: whatever else
 * fails in it stands in no other row.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define KIND(name, ...)                                                                            \
	{                                                                                          \
#name, SYS_##name,                                                                 \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

static const struct kind {
	const char *name;
	long nr, args[6];
} kinds[] = {
	KIND(openat, AT_FDCWD, (long)"/nowhere/mix", O_RDONLY),
	KIND(openat, AT_FDCWD, (long)"/dev/null/mix", O_RDONLY),
	KIND(openat, AT_FDCWD, (long)"/", O_WRONLY),
	KIND(newfstatat, AT_FDCWD, (long)"/nowhere/mix", 0, 0x7fffffff),
	KIND(mkdirat, AT_FDCWD, (long)"/", 0700),
	KIND(unlinkat, AT_FDCWD, (long)"/nowhere/mix", 0),
	KIND(renameat2, AT_FDCWD, (long)"/nowhere/a", AT_FDCWD, (long)"/nowhere/b", 0),
	KIND(readlinkat, AT_FDCWD, (long)"/", 0, 0),
	KIND(close, 4711),
	KIND(read, 4711, 0, 0),
	KIND(write, 4711, 0, 0),
	KIND(fcntl, 4711, F_GETFL),
	KIND(ioctl, 0, 0x5401, 0),
	KIND(lseek, 4711, 0, SEEK_SET),
	KIND(mmap, 0, 0, 0, 0, -1, 0),
	KIND(mprotect, 1, 1, 0),
	KIND(kill, 0x7ffffff0, 0),
	KIND(execve, (long)"/nowhere/mix", 0, 0),
	KIND(socket, 4711, 0, 0),
	KIND(connect, 4711, 0, 0),
	KIND(bind, 4711, 0, 0),
	KIND(epoll_ctl, 4711, 0, 0, 0),
	KIND(inotify_add_watch, 4711, (long)"/", 1),
	KIND(setrlimit, 4711, 0),
	KIND(ftruncate, 4711, 0),
	KIND(prctl, 4711, 0, 0, 0, 0),
	KIND(getxattr, (long)"/", (long)"user.none", 0, 0),
	KIND(futex, 0, 4711, 0, 0, 0, 0),
};

int main(int argc, char **argv)
{
	long n = argc > 1 ? atol(argv[1]) : 1;

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		const long *a = kinds[k].args;
		long failed = 0;
		int err = 0;

		for (long i = 0; i < n; i++) {
			if (syscall(kinds[k].nr, a[0], a[1], a[2], a[3], a[4], a[5]) >= 0)
				continue;
			err = errno;
			failed++;
		}
		if (failed)
			printf("%s %d %ld\n", kinds[k].name, err, failed);
	}
	return 0;
}
