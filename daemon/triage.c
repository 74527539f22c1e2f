/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "names.h"
#include "triage.h"

#define SYS_PATHS                                                                                  \
	(SYS_OPEN | SYS_STAT | SYS_ACCESS | SYS_EXEC | SYS_MAKE | SYS_REMOVE | SYS_RENAME |        \
	 SYS_ATTR | SYS_CHOWN | SYS_CHDIR | SYS_XATTR)

/*
 * What healthy programs meet all the time and no rule asks for. Everything else is kept until the
 * judge has seen how the process ended. classes 0: any call.
 */
static const struct {
	uint8_t err;
	uint32_t classes; /* the pair is a candidate only for these */
} candidates[] = {
	{ EPERM, 0 },
	{ EACCES, 0 },
	{ EROFS, 0 },
	{ ENOSYS, 0 },
	{ ENOSPC, 0 },
	{ EDQUOT, 0 },
	{ EFBIG, 0 },
	{ EMFILE, 0 },
	{ ENFILE, 0 },
	{ ENOMEM, 0 },
	{ E2BIG, 0 },
	{ ENOEXEC, 0 },
	{ ENAMETOOLONG, 0 },
	{ ELOOP, 0 },
	{ EXDEV, 0 },
	{ EIO, 0 },
	{ ESTALE, 0 },
	{ EUSERS, 0 },
	{ EILSEQ, 0 },
	{ ENOENT, SYS_PATHS | SYS_CONNECT | SYS_SEND | SYS_INOTIFY | SYS_MOUNT | SYS_CHROOT },
	{ ENOTDIR, SYS_PATHS },
	{ EISDIR, SYS_OPEN },
	{ ENXIO, SYS_OPEN },
	{ ENODEV, SYS_OPEN },
	{ ENOTCONN, SYS_PATHS },
	{ EBUSY, SYS_RENAME | SYS_REMOVE | SYS_MOUNT },
	{ EAGAIN, SYS_FORK | SYS_MLOCK | SYS_MMAP | SYS_ID },
	{ EINVAL, SYS_CHOWN | SYS_ID | SYS_EXEC | SYS_MOUNT | SYS_NAMESPACE | SYS_FORK },
	{ EINPROGRESS, SYS_CONNECT }, /* no failure, but it tells whom a program talks to */
	{ ECONNREFUSED, 0 },
	{ ECONNRESET, 0 },
	{ EPIPE, 0 },
	{ ENETUNREACH, 0 },
	{ ENETDOWN, 0 },
	{ EHOSTUNREACH, 0 },
	{ ETIMEDOUT, SYS_CONNECT | SYS_SEND | SYS_RECV | SYS_READ | SYS_WRITE },
	{ EADDRINUSE, 0 },
	{ EADDRNOTAVAIL, 0 },
	{ EAFNOSUPPORT, 0 },
	{ EPROTONOSUPPORT, SYS_SOCKET },
};

static bool text_is_ascii(const struct text *t)
{
	for (size_t i = 0; i < t->len; i++)
		if ((unsigned char)t->data[i] >= 0x80)
			return false;
	return true;
}

/* A name that may be a damaged form of one that exists. */
static bool odd_name(const struct text *t)
{
	return t->len && (!text_is_ascii(t) || strchr("\r \t", t->data[t->len - 1]));
}

/* Is it absent, or is the whole tree not mounted? */
static bool below_kernel_tree(const struct text *t)
{
	return (t->len > 6 && memcmp(t->data, "/proc/", 6) == 0) ||
	       (t->len > 9 && memcmp(t->data, "/dev/shm/", 9) == 0) ||
	       (t->len > 5 && memcmp(t->data, "/sys/", 5) == 0);
}

/* It would have made something: the directory for it is not there. */
static bool makes(const struct signature *s)
{
	const struct sf_sys *d = names_describe(s->syscall);

	if (s->classes & SYS_MAKE)
		return true;
	return (s->classes & SYS_OPEN) && d && d->flags_arg < 6 &&
	       (s->args[d->flags_arg] & O_CREAT);
}

static bool has_path(const struct signature *s)
{
	return (s->text_kind == SF_TEXT_PATH || s->text_kind == SF_TEXT_FD) && s->subject.len &&
	       s->subject.data[0] == '/';
}

static bool wants_state(const struct signature *s)
{
	if (s->key.entry == SF_DENIED)
		return false;
	if (!has_path(s))
		return signature_hook_refused(s); /* whose policy is it? */
	switch (s->key.err) {
	case EACCES:
	case EPERM:
		return true;
	case ENOSPC:
		return (s->classes & SYS_INOTIFY) == 0;
	case ENOEXEC:
		return true;
	case EBUSY: /* on what? */
		return s->classes & SYS_REMOVE;
	case ENOENT:
		return (s->classes & SYS_EXEC) || (s->raw.len && odd_name(&s->raw)) ||
		       ((s->classes & SYS_OPEN) && below_kernel_tree(&s->subject)) || makes(s);
	default:
		return false;
	}
}

enum triage triage_signature(const struct signature *s)
{
	if (s->key.entry == SF_SHORT)
		return has_path(s) ? TRIAGE_EXPLAIN : TRIAGE_NOISE;
	if (s->key.entry == SF_REPLY || signature_is_inner(s))
		return TRIAGE_CANDIDATE;
	if (s->key.err == 0)
		return TRIAGE_SUCCESS;
	if (s->key.entry == SF_DENIED)
		return TRIAGE_CANDIDATE;
	for (size_t i = 0; i < ARRAY_SIZE(candidates); i++) {
		if (candidates[i].err != s->key.err ||
		    (candidates[i].classes && !(candidates[i].classes & s->classes)))
			continue;
		return wants_state(s) ? TRIAGE_EXPLAIN : TRIAGE_CANDIDATE;
	}
	return TRIAGE_NOISE;
}

static uint32_t open_want(const struct signature *s)
{
	const struct sf_sys *d = names_describe(s->syscall);
	uint64_t flags = d && d->flags_arg < 6 ? s->args[d->flags_arg] : O_RDONLY;
	uint32_t want;

	if (strcmp(s->syscall, "creat") == 0)
		flags = O_CREAT | O_WRONLY | O_TRUNC;
	want = (flags & O_ACCMODE) == O_RDONLY	 ? WANT_READ
	       : (flags & O_ACCMODE) == O_WRONLY ? WANT_WRITE
						 : WANT_READ | WANT_WRITE;
	if (flags & O_TRUNC)
		want |= WANT_WRITE;
	if (flags & O_CREAT)
		want |= WANT_CREATE;
	return want;
}

static uint32_t access_want(const struct signature *s)
{
	uint64_t mode = s->args[strcmp(s->syscall, "access") == 0 ? 1 : 2];

	return (mode & R_OK ? WANT_READ : 0) | (mode & W_OK ? WANT_WRITE : 0) |
	       (mode & X_OK ? WANT_EXEC : 0);
}

bool triage_request(const struct signature *s, struct explain_request *r)
{
	if (!has_path(s) && signature_hook_refused(s)) {
		r->want = WANT_LABEL;
		r->path[0] = '\0';
		return true;
	}
	if (!has_path(s) || s->subject.len >= sizeof(r->path))
		return false;
	memcpy(r->path, s->subject.data, s->subject.len);
	r->path[s->subject.len] = '\0';
	r->creds = *signature_creds(s);
	if (s->classes & SYS_EXEC)
		r->want = WANT_EXEC | WANT_HEAD;
	else if (s->classes & SYS_OPEN)
		r->want = open_want(s);
	else if (s->classes & SYS_ACCESS)
		r->want = access_want(s);
	else if (s->classes & (SYS_MAKE | SYS_REMOVE | SYS_RENAME))
		r->want = WANT_PARENT;
	else if (s->classes & (SYS_ATTR | SYS_CHOWN))
		r->want = WANT_OWNER;
	else if (s->classes & SYS_CHDIR)
		r->want = WANT_EXEC;
	else if (s->classes & SYS_WRITE)
		r->want = s->text_kind == SF_TEXT_PATH ? WANT_WRITE : WANT_EXIST;
	else
		r->want = WANT_EXIST;
	if (s->hooks)
		r->want |= WANT_LABEL;
	if (s->key.err == ENOENT && s->raw.len && odd_name(&s->raw))
		r->want |= WANT_NEIGHBOURS;
	if (s->key.err == ENOENT && makes(s))
		r->want |= WANT_ENVIRON;
	return true;
}
