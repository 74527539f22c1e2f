/* SPDX-License-Identifier: GPL-2.0-only */
/* The database as files: modes, the writer's lock, the header, and moving a corrupt one aside. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "log.h"
#include "store_internal.h"

/* https://www.sqlite.org/fileformat.html, 1.3: the database header */
#define HEADER_SIZE	   100
#define HEADER_VERSION	   60
#define HEADER_APPLICATION 68

static const char *const suffixes[] = { "", "-wal", "-shm" };

/* systemd.exec(5): StateDirectory= was made for this service, but in root's group. */
static bool made_by_systemd(const char *dir)
{
	const char *own = getenv("STATE_DIRECTORY");

	return own && strcmp(own, dir) == 0;
}

static int make_directory(const char *path, gid_t gid)
{
	_cleanup_free_ char *copy = strdup(path);
	const char *dir = copy ? dirname(copy) : NULL;
	bool made;

	if (!dir)
		return -ENOMEM;
	made = mkdir(dir, 0750) == 0;
	if (!made && errno != EEXIST)
		return log_errno(-errno, "cannot make %s", dir);
	if (!made && !made_by_systemd(dir))
		return 0;
	/* The umask may have taken bits away. */
	if ((gid != (gid_t)-1 && chown(dir, (uid_t)-1, gid) < 0) || (made && chmod(dir, 0750) < 0))
		return log_errno(-errno, "cannot set mode and group of %s", dir);
	return 0;
}

static int open_or_make(const char *path, gid_t gid)
{
	int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		/* O_NONBLOCK: a FIFO must not hang us. */
		fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	else if (fd >= 0 &&
		 ((gid != (gid_t)-1 && fchown(fd, (uid_t)-1, gid) < 0) || fchmod(fd, 0640) < 0))
		log_errno(-errno, "cannot set mode and group of %s", path);
	return fd < 0 ? log_errno(-errno, "cannot open %s", path) : fd;
}

/*
 * The lock has a file of its own: SQLite unlocks all of the database's bytes whenever it likes. It
 * is a record lock and no flock(), so that a helper process that is forked later does not inherit
 * it and hold up the next daemon.
 */
static int lock_writer(const char *path, int *ret_fd)
{
	struct flock l = { .l_type = F_WRLCK };
	_cleanup_free_ char *name = NULL;
	_cleanup_close_ int fd = -1;

	if (asprintf(&name, "%s-lock", path) < 0)
		return -ENOMEM;
	fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
	if (fd < 0)
		return log_errno(-errno, "cannot open %s", name);
	if (fcntl(fd, F_SETLK, &l) == 0) {
		*ret_fd = TAKE_FD(fd);
		return 0;
	}
	if (errno != EAGAIN && errno != EACCES)
		return log_errno(-errno, "cannot lock %s", name);
	if (fcntl(fd, F_GETLK, &l) == 0 && l.l_type != F_UNLCK)
		log_error("%s: process %d writes there already", path, (int)l.l_pid);
	else
		log_error("%s: another process writes there already", path);
	return -EBUSY;
}

static uint32_t big_endian(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Looks at the raw bytes, so that a database that is not for us is not even opened: SQLite
 * would make -wal and -shm beside it. */
static int check_header(int fd, const char *path, bool *ret_new)
{
	unsigned char b[HEADER_SIZE];
	ssize_t n = pread(fd, b, sizeof(b), 0);
	uint32_t application, version;

	if (n < 0)
		return log_errno(-errno, "cannot read %s", path);
	*ret_new = n == 0;
	if (n == 0)
		return 0;
	if (n < HEADER_SIZE || memcmp(b, "SQLite format 3", 16) != 0) {
		log_error("%s is no database", path);
		return -EUCLEAN;
	}
	application = big_endian(b + HEADER_APPLICATION);
	version = big_endian(b + HEADER_VERSION);
	if (application != 0 && application != DB_APPLICATION_ID) {
		log_error("%s is a database of another program", path);
		return -EPROTO;
	}
	if (application == DB_APPLICATION_ID && version > STORE_VERSION) {
		log_error("%s has version %u, this program knows %d: left untouched", path, version,
			  STORE_VERSION);
		return -EPROTO;
	}
	return 0;
}

int store_file_open(const char *path, gid_t gid, int *ret_lock, bool *ret_new)
{
	_cleanup_close_ int lock = -1, fd = -1;
	struct stat st;
	int r;

	r = make_directory(path, gid);
	if (r >= 0)
		r = lock_writer(path, &lock);
	if (r < 0)
		return r;
	fd = open_or_make(path, gid);
	if (fd < 0)
		return fd;
	if (fstat(fd, &st) < 0)
		return log_errno(-errno, "cannot stat %s", path);
	if (!S_ISREG(st.st_mode))
		return log_errno(-EINVAL, "%s is no regular file", path);
	r = check_header(fd, path, ret_new);
	if (r < 0)
		return r;
	*ret_lock = TAKE_FD(lock);
	return 0;
}

static void set_mode(const char *name, gid_t gid)
{
	struct stat st;

	if (lstat(name, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	if (st.st_gid != gid && chown(name, (uid_t)-1, gid) < 0)
		log_errno(-errno, "cannot set the group of %s", name);
	if ((st.st_mode & 07777) != 0640 && chmod(name, 0640) < 0)
		log_errno(-errno, "cannot set the mode of %s", name);
}

void store_file_modes(const char *path, gid_t gid)
{
	/* Without a group there is nobody to let in; SQLite gives -wal and -shm the mode of
	 * the database. */
	if (gid == (gid_t)-1)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *name = NULL;

		if (asprintf(&name, "%s%s", path, suffixes[i]) >= 0)
			set_mode(name, gid);
	}
}

bool store_file_unclean(const char *path)
{
	_cleanup_free_ char *name = NULL;
	struct stat st;

	if (asprintf(&name, "%s-wal", path) < 0)
		return true;
	return stat(name, &st) == 0 && st.st_size > 0;
}

static int rename_all(const char *path, const char *aside)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		_cleanup_free_ char *from = NULL, *to = NULL;

		if (asprintf(&from, "%s%s", path, suffixes[i]) < 0 ||
		    asprintf(&to, "%s%s", aside, suffixes[i]) < 0)
			return -ENOMEM;
		if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
			continue;
		/* Only the database itself has to be there. */
		if (i == 0)
			return -errno;
		if (errno != ENOENT)
			log_errno(-errno, "cannot rename %s", from);
	}
	return 0;
}

int store_file_aside(const char *path, char **aside)
{
	time_t now = time(NULL);
	char stamp[32];
	struct tm tm;
	int r = -EEXIST;

	gmtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%dT%H%M%SZ", &tm);
	for (int i = 0; i < 100 && r == -EEXIST; i++) {
		_cleanup_free_ char *name = NULL;

		if ((i ? asprintf(&name, "%s.corrupt-%s-%d", path, stamp, i)
		       : asprintf(&name, "%s.corrupt-%s", path, stamp)) < 0)
			return -ENOMEM;
		r = rename_all(path, name);
		if (r < 0)
			continue;
		log_error("%s is corrupt: kept as %s", path, name);
		if (aside)
			*aside = TAKE_PTR(name);
	}
	return r < 0 ? log_errno(r, "%s is corrupt and cannot be moved aside", path) : 0;
}
