/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that never were syscalls: by io_uring(7), without its library. */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor.h"

struct ring {
	int fd;
	struct io_uring_params p;
	char *sq, *cq;
	struct io_uring_sqe *entries;
};

static void *ring_map(const struct ring *r, size_t size, off_t what)
{
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, r->fd, what);
}

static int ring_open(struct ring *r)
{
	memset(r, 0, sizeof(*r));
	r->fd = (int)syscall(SYS_io_uring_setup, 4, &r->p);
	if (r->fd < 0)
		return -1;
	r->sq = ring_map(r, r->p.sq_off.array + r->p.sq_entries * sizeof(uint32_t),
			 IORING_OFF_SQ_RING);
	r->cq = ring_map(r, r->p.cq_off.cqes + r->p.cq_entries * sizeof(struct io_uring_cqe),
			 IORING_OFF_CQ_RING);
	r->entries = ring_map(r, r->p.sq_entries * sizeof(*r->entries), IORING_OFF_SQES);
	return r->sq == MAP_FAILED || r->cq == MAP_FAILED || r->entries == MAP_FAILED ? -1 : 0;
}

/* One operation, waited for; its result. */
static int ring_do(struct ring *r, const struct io_uring_sqe *e)
{
	uint32_t *tail = (uint32_t *)(r->sq + r->p.sq_off.tail);
	uint32_t *head = (uint32_t *)(r->cq + r->p.cq_off.head);
	struct io_uring_cqe *cqes = (struct io_uring_cqe *)(r->cq + r->p.cq_off.cqes);
	uint32_t mask = *(uint32_t *)(r->cq + r->p.cq_off.ring_mask);

	r->entries[0] = *e;
	*(uint32_t *)(r->sq + r->p.sq_off.array) = 0;
	__atomic_store_n(tail, *tail + 1, __ATOMIC_RELEASE);
	if (syscall(SYS_io_uring_enter, r->fd, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1)
		return -errno;
	return cqes[*head & mask].res;
}

/* One operation of a ring of its own. */
static int ring_once(const char *what, const struct io_uring_sqe *e)
{
	struct ring r;
	int res = need("io_uring", ring_open(&r));

	if (res)
		return res;
	res = ring_do(&r, e);
	errno = res < 0 ? -res : 0;
	return say(what, res);
}

static uint64_t pointer(const void *p)
{
	return (uint64_t)(uintptr_t)p;
}

/* ring=PATH: opens it for reading. */
static int word_ring(char *arg, char **rest)
{
	struct io_uring_sqe e = { .opcode = IORING_OP_OPENAT,
				  .fd = AT_FDCWD,
				  .addr = pointer(arg),
				  .open_flags = O_RDONLY };

	return ring_once(arg, &e);
}

/* ring-rename=FROM:TO */
static int word_rename(char *arg, char **rest)
{
	char *to = behind(arg);
	struct io_uring_sqe e = { .opcode = IORING_OP_RENAMEAT,
				  .fd = AT_FDCWD,
				  .addr = pointer(arg),
				  .len = (uint32_t)AT_FDCWD,
				  .addr2 = pointer(to) };

	return ring_once(to, &e);
}

/* ring-unlink=PATH */
static int word_unlink(char *arg, char **rest)
{
	struct io_uring_sqe e = { .opcode = IORING_OP_UNLINKAT,
				  .fd = AT_FDCWD,
				  .addr = pointer(arg) };

	return ring_once(arg, &e);
}

/* ring-connect=ADDRESS:PORT */
static int word_connect(char *arg, char **rest)
{
	struct sockaddr_in a = address(arg);
	int s = socket(AF_INET, SOCK_STREAM, 0);
	struct io_uring_sqe e = {
		.opcode = IORING_OP_CONNECT, .fd = s, .addr = pointer(&a), .off = sizeof(a)
	};

	return s < 0 ? need("socket", s) : ring_once(arg, &e);
}

const struct word ring_words[] = { { "ring", word_ring },
				   { "ring-rename", word_rename },
				   { "ring-unlink", word_unlink },
				   { "ring-connect", word_connect },
				   { 0 } };
