/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The helper's side: finds the files a question may mean, and reads them. A path is resolved in the
 * process's own root (explain_walk.h); what is relative is looked for in its working directory and
 * in every tree it was given, for a server may take it either way.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <openssl/evp.h>
#include <poll.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <time.h>

#include "ahead.h"
#include "disk_internal.h"
#include "explain_helper.h"
#include "explain_walk.h"

#define NICENESS  10
#define SETTLE_NS (30 * NSEC_PER_MSEC)

struct look {
	const struct disk_view *view;
	const struct disk_question *q;
	struct disk_answer *a;
	uint8_t *bytes, *scratch;
};

/* ---- trees ---- */

static bool walk(const struct look *l, struct walk *w, const char *path)
{
	*w = (struct walk){ .root_fd = l->view->root_fd,
			    .follow = true,
			    .self_pid = l->q->who.tgid };
	return walk_find(w, path) == 0 && w->end == WALK_FOUND;
}

static void copy_path(char *to, const char *from)
{
	snprintf(to, PATH_MAX, "%s", from[0] ? from : "/");
}

/* A directory becomes one of the trees, if it is none yet. */
static void add_root(const struct look *l, enum disk_root_kind kind, const char *path)
{
	struct disk_answer *a = l->a;
	struct walk w;
	bool known = a->n_roots >= DISK_ROOTS;

	if (!walk(l, &w, path) || !S_ISDIR(w.st.st_mode))
		known = true;
	for (size_t i = 0; i < a->n_roots && !known; i++)
		known = strcmp(a->roots[i].path, w.resolved[0] ? w.resolved : "/") == 0;
	if (!known) {
		a->roots[a->n_roots].kind = kind;
		copy_path(a->roots[a->n_roots++].path, w.resolved);
	}
	walk_done(&w);
}

/* "files", "/srv/data", "--root=/srv/data": not what it runs, which is the first. */
static void add_argument(const struct look *l, const char *cwd, const char *arg)
{
	char path[PATH_MAX];
	const char *value = arg[0] == '-' ? strchr(arg, '=') : NULL;

	if (value)
		arg = value + 1;
	if (!arg[0] || arg[0] == '-')
		return;
	if ((size_t)snprintf(path, sizeof(path), "%s%s%s", arg[0] == '/' ? "" : cwd,
			     arg[0] == '/' ? "" : "/", arg) < sizeof(path))
		add_root(l, DISK_ROOT_ARGUMENT, path);
}

/* An interpreter's first argument, or what follows -m, is the program: it may be a directory. */
static bool is_interpreter(const char *argv0)
{
	static const char *const names[] = { "python", "node", "deno", "bun", "ruby", "java" };
	const char *slash = strrchr(argv0, '/'), *name = slash ? slash + 1 : argv0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void add_arguments(const struct look *l, const char *cwd)
{
	const char *argv = l->view->argv;
	ssize_t n = l->view->argv_len;
	bool program;

	if (n <= 0)
		return;
	program = is_interpreter(argv);
	for (const char *at = argv + strlen(argv) + 1; at < argv + n; at += strlen(at) + 1) {
		if (program && at[0] != '-')
			program = false;
		else
			add_argument(l, cwd, at);
	}
}

/* ---- files ---- */

/* Of kernel file systems nothing is read: that may do something, and is no one's content. */
static bool is_kernel_fs(int fd)
{
	static const long magics[] = { PROC_SUPER_MAGIC, SYSFS_MAGIC,	     DEBUGFS_MAGIC,
				       TRACEFS_MAGIC,	 CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC,
				       SECURITYFS_MAGIC, SELINUX_MAGIC,	     BPF_FS_MAGIC,
				       EFIVARFS_MAGIC,	 PSTOREFS_MAGIC,     DEVPTS_SUPER_MAGIC };
	struct statfs fs;

	if (fstatfs(fd, &fs) < 0)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if ((long)fs.f_type == magics[i])
			return true;
	return false;
}

static int64_t stamp(const struct timespec *t)
{
	return t->tv_sec * NSEC_PER_SEC + t->tv_nsec;
}

/* With the file open: its server may end meanwhile, and take its directory along. */
static void settle(int fd, struct stat *st)
{
	int64_t age = util_now_realtime() - stamp(&st->st_mtim);
	struct timespec t = { .tv_nsec = SETTLE_NS - age };

	if (age < 0 || age >= SETTLE_NS)
		return;
	nanosleep(&t, NULL);
	fstat(fd, st);
}

static ssize_t read_whole(int fd, uint8_t *to, size_t size)
{
	size_t len = 0;
	ssize_t n;

	do {
		n = read(fd, to + len, size - len);
		len += n > 0 ? (size_t)n : 0;
	} while ((n > 0 && len < size) || (n < 0 && errno == EINTR));
	return n < 0 ? -errno : (ssize_t)len;
}

static bool is_known(const struct look *l, const struct disk_file *f)
{
	for (size_t i = 0; i < l->q->n_known; i++)
		if (memcmp(f->digest, l->q->known[i], CALL_DIGEST) == 0)
			return true;
	return false;
}

/* Are these the bytes to hand over? */
static void keep_bytes(const struct look *l, const struct disk_file *f, size_t n)
{
	struct disk_answer *a = l->a;

	if (!(l->q->want & DISK_BYTES) || !f->digested || is_known(l, f))
		return;
	if (a->bytes && !((l->q->want & DISK_YOUNGEST) && f->mtime_ns > a->files[a->read].mtime_ns))
		return;
	memcpy(l->bytes, l->scratch, n);
	a->bytes = l->bytes;
	a->len = n;
	a->read = (size_t)(f - a->files);
}

/* The file is opened anew for reading only now that it is known to be a regular one: an open of a
 * FIFO or a device may be noticed at the other end. */
static void read_file(const struct look *l, int path_fd, struct disk_file *f)
{
	char name[64];
	struct stat st, after;
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", path_fd);
	_cleanup_close_ int fd = open(name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0)
		return;
	if (l->q->want & DISK_SETTLED)
		settle(fd, &st);
	if (st.st_size > DISK_MAX)
		return;
	n = read_whole(fd, l->scratch, DISK_MAX);
	if (n < 0 || fstat(fd, &after) < 0)
		return;
	f->size = (uint64_t)n;
	f->mtime_ns = stamp(&after.st_mtim);
	f->steady = n == st.st_size && after.st_size == st.st_size &&
		    stamp(&st.st_mtim) == stamp(&after.st_mtim) &&
		    stamp(&st.st_ctim) == stamp(&after.st_ctim);
	f->digested = EVP_Digest(l->scratch, (size_t)n, f->digest, NULL, EVP_sha256(), NULL) == 1;
	keep_bytes(l, f, (size_t)n);
}

static void add_file(const struct look *l, size_t asked, const char *path)
{
	struct disk_file *f = &l->a->files[l->a->n_files];
	bool wanted = l->q->want & (DISK_DIGEST | DISK_BYTES);
	struct walk w;

	if (l->a->n_files < DISK_FILES && walk(l, &w, path)) {
		*f = (struct disk_file){
			.asked = (uint8_t)asked,
			.link = w.links > 0,
			.link_ns = w.link_ns,
			.mode = w.st.st_mode,
			.dev = w.st.st_dev,
			.ino = w.st.st_ino,
			.size = (uint64_t)w.st.st_size,
			.mtime_ns = stamp(&w.st.st_mtim),
		};
		copy_path(f->path, path);
		copy_path(f->real, w.resolved);
		if (wanted && S_ISREG(w.st.st_mode) && !is_kernel_fs(w.fd))
			read_file(l, w.fd, f);
		l->a->n_files++;
	}
	walk_done(&w);
}

static void add_files(const struct look *l, size_t asked, const char *cwd)
{
	const char *path = l->q->paths[asked];
	char whole[PATH_MAX];

	if (path[0] == '/') {
		add_file(l, asked, path);
		return;
	}
	if ((size_t)snprintf(whole, sizeof(whole), "%s/%s", cwd, path) < sizeof(whole))
		add_file(l, asked, whole);
	for (size_t i = 0; i < l->a->n_roots; i++)
		if (strcmp(l->a->roots[i].path, cwd) != 0 &&
		    (size_t)snprintf(whole, sizeof(whole), "%s/%s", l->a->roots[i].path, path) <
			    sizeof(whole))
			add_file(l, asked, whole);
}

/* From here on the process may end: what was found is still its own. */
static void look(const struct look *l)
{
	const char *cwd = l->view->cwd;

	for (size_t i = 0; i < l->q->n_roots; i++)
		add_root(l, DISK_ROOT_DECLARED, l->q->roots[i]);
	if (!(l->q->want & DISK_NO_ARGV))
		add_arguments(l, cwd);
	add_root(l, DISK_ROOT_CWD, cwd);
	for (size_t i = 0; i < l->q->n_paths; i++)
		add_files(l, i, cwd);
	l->a->now_ns = util_now_realtime();
}

int disk_look(const char *proc, const struct disk_question *q, struct disk_answer *a,
	      uint8_t *bytes, uint8_t *scratch)
{
	_cleanup_(disk_view_close) struct disk_view own = { .root_fd = -1 };
	struct look l = { .q = q, .a = a, .bytes = bytes, .scratch = scratch, .view = &own };
	int r;

	a->n_roots = a->n_files = 0;
	a->bytes = NULL;
	a->len = 0;
	r = disk_view_open(&own, proc, &q->who, !(q->want & DISK_NO_ARGV));
	if (r == -ESRCH)
		l.view = disk_held(&q->who);
	else if (r < 0)
		return r;
	if (!l.view)
		return r;
	look(&l);
	return 0;
}

/* ---- the process that does it ---- */

static bool receive(struct disk_packet *q)
{
	const ssize_t head = offsetof(struct disk_packet, strings);
	struct pollfd p = { .fd = HELPER_SOCK_FD, .events = POLLIN };
	ssize_t n;

	while (poll(&p, 1, disk_held_expire(util_now_boottime())) == 0)
		;

	do {
		n = recv(HELPER_SOCK_FD, q, sizeof(*q), 0);
	} while (n < 0 && errno == EINTR);
	return n >= head && (size_t)(n - head) == q->strings_len;
}

static int unpack(const struct disk_packet *p, struct disk_question *q)
{
	const char *at = p->strings, *end = at + p->strings_len;

	*q = (struct disk_question){ .who = p->who, .want = p->want };
	if (p->n_paths > DISK_PATHS || p->n_roots > DISK_ROOTS || p->n_known > DISK_KNOWN)
		return -EINVAL;
	q->n_known = p->n_known;
	memcpy(q->known, p->known, sizeof(q->known));
	while (q->n_paths + q->n_roots < p->n_paths + p->n_roots) {
		if (at >= end || !memchr(at, '\0', (size_t)(end - at)))
			return -EINVAL;
		if (q->n_paths < p->n_paths)
			q->paths[q->n_paths++] = at;
		else
			q->roots[q->n_roots++] = at;
		at += strlen(at) + 1;
	}
	return 0;
}

_Noreturn static void serve(struct disk_shared *shared)
{
	static struct disk_packet packet;
	static uint8_t scratch[DISK_MAX];
	struct disk_question q;
	struct disk_reply reply;
	ssize_t n;

	while (receive(&packet)) {
		if (packet.want & (DISK_HOLD | DISK_RELEASE)) {
			disk_held_change("/proc", &packet.who, packet.want & DISK_HOLD);
			continue;
		}
		reply.seq = packet.seq;
		reply.err = unpack(&packet, &q);
		if (reply.err == 0)
			reply.err =
				disk_look("/proc", &q, &shared->answers[packet.seq % DISK_SLOTS],
					  shared->bytes[packet.seq % DISK_SLOTS], scratch);
		do {
			n = send(HELPER_SOCK_FD, &reply, sizeof(reply), MSG_NOSIGNAL);
		} while (n < 0 && errno == EINTR);
		if (n < 0)
			break;
	}
	_exit(0);
}

pid_t disk_helper_start(struct disk_shared *shared, bool patient, int *ret_fd)
{
	pid_t pid = helper_fork("sandfault-disk", -1, ret_fd);

	if (pid != 0)
		return pid;
	/* What lets files settle is behind those whose calls it looks at. The other is not: what it is
	 * asked for vanishes with a client that has failed. */
	if (patient)
		setpriority(PRIO_PROCESS, 0, NICENESS);
	else
		ahead_begin();
	helper_confine();
	serve(shared);
}
