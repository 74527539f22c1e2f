/* SPDX-License-Identifier: GPL-2.0-only */
/* Words that act: one kind of failure each. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "actor.h"

static int word_open(char *arg, char **rest)
{
	return say(arg, open(arg, O_RDONLY));
}

static int word_create(char *arg, char **rest)
{
	return say(arg, open(arg, O_WRONLY | O_CREAT, 0644));
}

static int word_mkdir(char *arg, char **rest)
{
	return say(arg, mkdir(arg, 0755));
}

/* tried=PATH: an open whose failure does not matter. */
static int word_tried(char *arg, char **rest)
{
	int fd = open(arg, O_RDONLY);

	if (fd >= 0)
		close(fd);
	return 0;
}

/* exec PROGRAM ARGUMENT… */
static int word_exec(char *arg, char **rest)
{
	execv(rest[0], rest);
	say(rest[0], -1);
	return errno == ENOENT ? 127 : 126;
}

/* run=PROGRAM: a program that ends well. */
static int word_run(char *arg, char **rest)
{
	return say(arg, execl(arg, arg, "exit=0", (char *)NULL));
}

/* chown=ID:PATH */
static int word_chown(char *arg, char **rest)
{
	char *path = behind(arg);
	uid_t id = (uid_t)atoi(arg);

	return say(path, chown(path, id, id));
}

/* userns: a namespace that is asked for, not set up. */
static int word_userns(char *arg, char **rest)
{
	return say("unshare", unshare(CLONE_NEWUSER));
}

static int word_sethostname(char *arg, char **rest)
{
	return say("sethostname", sethostname(arg, strlen(arg)));
}

/* alloc=MIB: touches them. */
static int word_alloc(char *arg, char **rest)
{
	size_t size = strtoul(arg, NULL, 10) << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return say("mmap", -1);
	for (size_t i = 0; i < size; i += 4096)
		*(volatile char *)(p + i) = 1;
	return 0;
}

static int word_mlock(char *arg, char **rest)
{
	size_t size = strtoul(arg, NULL, 10);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return say("mlock", p == MAP_FAILED ? -1 : mlock(p, size));
}

/* descriptors=PATH: opens it until that fails. */
static int word_descriptors(char *arg, char **rest)
{
	while (open(arg, O_RDONLY) >= 0)
		;
	return say(arg, -1);
}

/* write=PATH:BYTES, in pieces of 4096 */
static int word_write(char *arg, char **rest)
{
	long size = atol(behind(arg));
	int fd = open(arg, O_WRONLY | O_CREAT, 0644);
	static char block[4096];
	ssize_t n = fd;

	for (; n >= 0 && size > 0; size -= n) {
		n = write(fd, block, sizeof(block));
		if (n == 0)
			break;
	}
	return say(arg, n);
}

/* map=PATH:BYTES: a file of that size, mapped and filled. */
static int word_map(char *arg, char **rest)
{
	long size = atol(behind(arg));
	int fd = open(arg, O_RDWR | O_CREAT, 0644);
	char *p;

	if (fd < 0 || ftruncate(fd, size) < 0)
		return say(arg, -1);
	p = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return say(arg, -1);
	memset(p, 1, (size_t)size);
	return 0;
}

/* executable: memory that is written and run. */
static int word_executable(char *arg, char **rest)
{
	void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		       -1, 0);

	return say("mmap", p == MAP_FAILED ? -1 : 0);
}

static int word_exit(char *arg, char **rest)
{
	exit(atoi(arg));
}

/* said=TEXT: as a program would that knows no errno; _ stands for a blank. */
static int word_said(char *arg, char **rest)
{
	for (char *p = arg; *p; p++)
		if (*p == '_')
			*p = ' ';
	dprintf(2, "%s\n", arg);
	return 0;
}

/* getpriority: 0 where it was answered by a filter. */
static int word_getpriority(char *arg, char **rest)
{
	return say("getpriority", syscall(SYS_getpriority, 0, 0));
}

/* fail=N:PATHS: so many failing opens. */
static int word_fail(char *arg, char **rest)
{
	long n = atol(arg), paths = 1;
	char *more = strchr(arg, ':'), path[64];

	if (more)
		paths = atol(more + 1);
	for (long i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "/nowhere/%ld", i % paths);
		if (open(path, O_RDONLY) >= 0)
			return 2;
	}
	return 0;
}

/* int80=PATH: a 32-bit call out of a 64-bit program; number 5 is open. */
static int word_int80(char *arg, char **rest)
{
#ifdef __x86_64__
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long r = 5;

	if (low == MAP_FAILED)
		return need("mmap", -1);
	snprintf(low, 4096, "%s", arg);
	__asm__ volatile("int $0x80"
			 : "+a"(r)
			 : "b"(low), "c"(O_WRONLY | O_CREAT), "d"(0600)
			 : "memory", "r8", "r9", "r10", "r11");
	errno = r < 0 ? (int)-r : 0;
	return say(arg, r < 0 ? -1 : 0);
#else
	errno = ENOSYS;
	return need("int80", -1);
#endif
}

/* x32=PATH: a call of the x32 ABI, which Debian's kernels leave switched off. */
static int word_x32(char *arg, char **rest)
{
#ifdef __x86_64__
	return say(arg, syscall(0x40000000 | SYS_openat, AT_FDCWD, arg, O_RDONLY, 0));
#else
	errno = ENOSYS;
	return need("x32", -1);
#endif
}

const struct word act_words[] = {
	{ "open", word_open },
	{ "create", word_create },
	{ "mkdir", word_mkdir },
	{ "tried", word_tried },
	{ "exec", word_exec },
	{ "run", word_run },
	{ "chown", word_chown },
	{ "userns", word_userns },
	{ "sethostname", word_sethostname },
	{ "alloc", word_alloc },
	{ "mlock", word_mlock },
	{ "descriptors", word_descriptors },
	{ "write", word_write },
	{ "map", word_map },
	{ "executable", word_executable },
	{ "exit", word_exit },
	{ "said", word_said },
	{ "getpriority", word_getpriority },
	{ "fail", word_fail },
	{ "int80", word_int80 },
	{ "x32", word_x32 },
	{ 0 },
};
