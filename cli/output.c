/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "../daemon/util.h"
#include "output.h"

static bool is_special(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* The open descriptor that a name means, else -1: opened anew it would be written from its start. */
static int descriptor_of(const char *path)
{
	int fd, n = 0;

	if (strcmp(path, "-") == 0 || strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (sscanf(path, "/dev/fd/%d%n", &fd, &n) == 1 && n && !path[n])
		return fd;
	return -1;
}

/* The file behind a symbolic link, so that the link stays; else the path itself. Owned. */
static char *target_of(const char *path)
{
	char *target = realpath(path, NULL);

	return target ? target : strdup(path);
}

int output_check(const char *path)
{
	_cleanup_free_ char *target = target_of(path);
	struct stat st;
	char *slash;

	if (!target)
		return -ENOMEM;
	if (descriptor_of(path) >= 0)
		return fcntl(descriptor_of(path), F_GETFD) < 0 ? -errno : 0;
	if (stat(target, &st) == 0 && S_ISDIR(st.st_mode))
		return -EISDIR;
	if (is_special(target))
		return access(target, W_OK) < 0 ? -errno : 0;
	slash = strrchr(target, '/');
	if (slash)
		slash[slash == target ? 1 : 0] = '\0';
	return access(slash ? target : ".", W_OK | X_OK) < 0 ? -errno : 0;
}

static int write_line(int fd, const char *line)
{
	_cleanup_free_ char *whole = NULL;
	int len = asprintf(&whole, "%s\n", line);

	if (len < 0) {
		whole = NULL;
		return -ENOMEM;
	}
	for (int at = 0; at < len;) {
		ssize_t n = write(fd, whole + at, (size_t)(len - at));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		at += (int)n;
	}
	return 0;
}

static int write_special(const char *path, const char *line)
{
	_cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : write_line(fd, line);
}

static int write_beside(const char *name, int fd, const char *target, const char *line)
{
	mode_t mask = umask(0);
	int r;

	umask(mask);
	r = write_line(fd, line);
	if (r < 0)
		return r;
	if (fchmod(fd, 0666 & ~mask) < 0 || rename(name, target) < 0)
		return -errno;
	return 0;
}

int output_write(const char *path, const char *line)
{
	_cleanup_free_ char *target = target_of(path), *name = NULL;
	_cleanup_close_ int fd = -1;
	int r;

	if (descriptor_of(path) >= 0)
		return write_line(descriptor_of(path), line);
	if (is_special(path))
		return write_special(path, line);
	if (!target || asprintf(&name, "%s.XXXXXX", target) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	r = write_beside(name, fd, target, line);
	if (r < 0)
		unlink(name);
	return r;
}
