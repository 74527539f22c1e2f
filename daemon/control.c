/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "control_impl.h"
#include "log.h"

#define ACCEPT_BATCH 16
#define LOCK_TRIES   100
#define LOCK_WAIT_US 20000
#define GROUPS_MAX   65536 /* NGROUPS_MAX */

static bool in_groups(int fd, gid_t gid)
{
	_cleanup_free_ gid_t *groups = NULL;
	socklen_t len = 0;

	/* SO_PEERGROUPS (4.13): as they were at connect(), with no race by way of /proc. The first
	 * call says how many. */
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &len) == 0 || errno != ERANGE ||
	    len > GROUPS_MAX * sizeof(gid_t))
		return false;
	groups = malloc(len);
	if (!groups || getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len) < 0)
		return false;
	for (size_t i = 0; i < len / sizeof(gid_t); i++)
		if (groups[i] == gid)
			return true;
	return false;
}

static bool allowed(const struct control *c, int fd, struct ucred *cred)
{
	socklen_t len = sizeof(*cred);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, cred, &len) < 0)
		return false;
	if (cred->uid == 0 || cred->uid == geteuid())
		return true;
	return c->gid != (gid_t)-1 && (cred->gid == c->gid || in_groups(fd, c->gid));
}

/* One line to a peer that gets no connection; where it doesn't fit, the closing tells. */
static void turn_away(int fd, const char *line)
{
	if (send(fd, line, strlen(line), MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
		log_debug("control: a peer was turned away unheard: %s", strerror(errno));
}

static void admit(struct control *c, int fd)
{
	_cleanup_close_ int own = fd;
	struct ucred cred;
	int r;

	if (!allowed(c, fd, &cred)) {
		c->refused++;
		turn_away(fd, "{\"ok\":false,\"error\":\"not-allowed\",\"message\":\"root or "
			      "a member of the daemon's group only\"}\n");
		return;
	}
	if (c->n_peers >= CONTROL_PEERS_MAX) {
		c->overflow++;
		turn_away(fd, "{\"ok\":false,\"error\":\"failed\",\"message\":\"too many "
			      "connections\"}\n");
		return;
	}
	r = control_peer_new(c, TAKE_FD(own), &cred);
	if (r < 0)
		log_errno(r, "control: cannot take a connection");
}

/* Without a descriptor to accept by, the connection would ring for ever. */
static void refuse_for_want_of_fds(struct control *c)
{
	_cleanup_close_ int fd = -1;

	c->overflow++;
	if (c->spare_fd < 0)
		return;
	close(TAKE_FD(c->spare_fd));
	fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC);
	if (fd >= 0)
		close(TAKE_FD(fd));
	c->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void on_connect(int fd, uint32_t events, void *arg)
{
	struct control *c = arg;

	for (int i = 0; i < ACCEPT_BATCH; i++) {
		int peer = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (peer >= 0) {
			admit(c, peer);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE)
			refuse_for_want_of_fds(c);
		if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

static int address(const char *path, struct sockaddr_un *ret)
{
	*ret = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (strlen(path) >= sizeof(ret->sun_path))
		return -ENAMETOOLONG;
	strcpy(ret->sun_path, path);
	return 0;
}

static int make_parents(const char *path)
{
	_cleanup_free_ char *dir = strdup(path);

	if (!dir)
		return -ENOMEM;
	for (char *p = strchr(dir + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(dir, 0755) < 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return 0;
}

/* 0: nobody listens there; -EADDRINUSE: somebody does. */
static int probe(const struct sockaddr_un *sun)
{
	_cleanup_close_ int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if (connect(fd, (const struct sockaddr *)sun, sizeof(*sun)) == 0 || errno == EAGAIN)
		return -EADDRINUSE;
	return errno == ECONNREFUSED || errno == ENOENT ? 0 : -errno;
}

static int remove_stale(const struct sockaddr_un *sun)
{
	struct stat st;
	int r;

	if (lstat(sun->sun_path, &st) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISSOCK(st.st_mode))
		return log_errno(-EEXIST, "%s is in the way and no socket", sun->sun_path);
	r = probe(sun);
	if (r == -EADDRINUSE) {
		log_error("another sandfaultd is running: %s answers", sun->sun_path);
		return r;
	}
	if (r < 0)
		return log_errno(r, "cannot probe %s", sun->sun_path);
	return unlink(sun->sun_path) < 0 && errno != ENOENT ? -errno : 0;
}

/* Group and mode are right before anybody can connect: connect() is refused until listen(). */
static int bind_and_listen(struct control *c, const struct sockaddr_un *sun)
{
	mode_t mask = umask(0177);
	int r = bind(c->fd, (const struct sockaddr *)sun, sizeof(*sun)) < 0 ? -errno : 0;
	struct stat st;

	umask(mask);
	if (r < 0)
		return log_errno(r, "cannot bind %s", c->path);
	if (lstat(c->path, &st) < 0)
		return log_errno(-errno, "cannot look at %s", c->path);
	c->dev = st.st_dev;
	c->ino = st.st_ino;
	if (c->gid != (gid_t)-1 && lchown(c->path, (uid_t)-1, c->gid) < 0)
		return log_errno(-errno, "cannot give %s to group %u", c->path, c->gid);
	if (chmod(c->path, 0660) < 0)
		return log_errno(-errno, "cannot set the mode of %s", c->path);
	if (listen(c->fd, SOMAXCONN) < 0)
		return log_errno(-errno, "cannot listen on %s", c->path);
	return 0;
}

/* Between one daemon's probe and its unlink another may bind, so the directory is locked. Whoever
 * may read it can hold that lock too: it is waited for, but not for ever. */
static int lock_directory(const char *path)
{
	_cleanup_free_ char *dir = strdup(path);
	char *slash = dir ? strrchr(dir, '/') : NULL;
	int fd;

	if (!dir)
		return -ENOMEM;
	if (slash)
		slash[slash == dir ? 1 : 0] = '\0';
	fd = open(slash ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) < 0; i++) {
		if (errno != EWOULDBLOCK || i == LOCK_TRIES) {
			log_warning("going on without a lock on the directory of %s: %s", path,
				    strerror(errno));
			break;
		}
		usleep(LOCK_WAIT_US);
	}
	return fd;
}

static int open_socket(struct control *c)
{
	_cleanup_close_ int lock = -1;
	struct sockaddr_un sun;
	int r = address(c->path, &sun);

	if (r < 0)
		return log_errno(r, "%s: a socket's path has at most %zu bytes", c->path,
				 sizeof(sun.sun_path) - 1);
	r = make_parents(c->path);
	if (r < 0)
		return log_errno(r, "cannot make the directory of %s", c->path);
	lock = lock_directory(c->path);
	if (lock < 0)
		return log_errno(lock, "cannot open the directory of %s", c->path);
	r = remove_stale(&sun);
	if (r < 0)
		return r;
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->fd < 0)
		return log_errno(-errno, "cannot make a socket");
	return bind_and_listen(c, &sun);
}

static void control_freep(struct control **c)
{
	control_free(*c);
}

int control_new(struct control **ret, struct loop *l, const char *path, gid_t gid,
		const struct control_ops *ops, void *arg)
{
	_cleanup_(control_freep) struct control *c = calloc(1, sizeof(*c));
	int r;

	if (!c)
		return -ENOMEM;
	*c = (struct control){
		.loop = l, .gid = gid, .ops = ops, .arg = arg, .fd = -1, .spare_fd = -1
	};
	c->path = strdup(path);
	if (!c->path)
		return -ENOMEM;
	r = open_socket(c);
	if (r < 0)
		return r;
	c->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	r = loop_add_fd(l, c->fd, EPOLLIN, on_connect, c, &c->source);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(c);
	return 0;
}

void control_free(struct control *c)
{
	struct stat st;

	if (!c)
		return;
	while (c->peers)
		control_peer_close(c->peers);
	loop_remove(c->source);
	if (c->ino && lstat(c->path, &st) == 0 && st.st_dev == c->dev && st.st_ino == c->ino)
		unlink(c->path);
	if (c->fd >= 0)
		close(c->fd);
	if (c->spare_fd >= 0)
		close(c->spare_fd);
	free(c->path);
	free(c);
}

unsigned int control_connections(const struct control *c)
{
	return c->n_peers;
}

bool control_watched(const struct control *c)
{
	return c->n_watchers > 0;
}

uint64_t control_refused(const struct control *c)
{
	return c->refused;
}

uint64_t control_malformed(const struct control *c)
{
	return c->malformed;
}

uint64_t control_slow(const struct control *c)
{
	return c->slow;
}

uint64_t control_overflow(const struct control *c)
{
	return c->overflow;
}
