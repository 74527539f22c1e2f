/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "private.h"

static const char own_ending[] = ".sock";

char *private_file(const char *socket, const char *ending)
{
	size_t len = strlen(socket), end = strlen(own_ending);
	char *path;

	if (len < end || strcmp(socket + len - end, own_ending) != 0)
		return NULL;
	return asprintf(&path, "%.*s.%s", (int)(len - end), socket, ending) < 0 ? NULL : path;
}

/* Whether the file behind a descriptor still has that name. */
static bool is_at(int fd, const char *path)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && lstat(path, &b) == 0 && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* Who held the lock may have removed the file: then it locks nobody out. */
static int lock_file(const char *path, int flags, int how)
{
	for (;;) {
		_cleanup_close_ int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);

		if (fd < 0)
			return -errno;
		while (flock(fd, how) < 0)
			if (errno != EINTR)
				return -errno;
		if (is_at(fd, path))
			return TAKE_FD(fd);
	}
}

int private_lock(const char *path)
{
	return lock_file(path, O_CREAT, LOCK_EX);
}

void private_remove(const char *socket)
{
	_cleanup_free_ char *log = private_file(socket, "log");
	_cleanup_free_ char *lock = private_file(socket, "lock");
	_cleanup_close_ int fd = -1;

	if (!log || !lock || !is_at(STDERR_FILENO, log))
		return;
	fd = lock_file(lock, 0, LOCK_EX | LOCK_NB);
	if (fd < 0)
		return;
	unlink(log);
	unlink(lock);
}
