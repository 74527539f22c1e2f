// SPDX-License-Identifier: GPL-2.0-only
/*
 * act WHAT [ARGUMENT]: one failure each, for the end-to-end tests. Ends with 1 and a message where
 * the call failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int say(const char *what, long r)
{
	if (r >= 0)
		return 0;
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	return 1;
}

static int act_create(const char *arg)
{
	return say(arg, open(arg, O_WRONLY | O_CREAT, 0600));
}

static int act_mkdir(const char *arg)
{
	return say(arg, mkdir(arg, 0700));
}

/* A 32-bit call out of a 64-bit program. */
static int act_int80(const char *arg)
{
#ifdef __x86_64__
	char *low = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
	long r = 5; /* open */

	if (low == MAP_FAILED)
		return 77;
	snprintf(low, 4096, "%s", arg);
	__asm__ volatile("int $0x80"
			 : "+a"(r)
			 : "b"(low), "c"(O_WRONLY | O_CREAT), "d"(0600)
			 : "memory", "r8", "r9", "r10", "r11");
	errno = r < 0 ? -r : 0;
	return say(arg, r < 0 ? -1 : 0);
#else
	(void)arg;
	return 77;
#endif
}

static void *worker(void *arg)
{
	mkdir(arg, 0700);
	return arg; /* a thread that was killed never gets here */
}

static int act_thread(const char *arg)
{
	void *done = NULL;
	pthread_t t;

	if (pthread_create(&t, NULL, worker, (void *)arg) || pthread_join(t, &done))
		return 2;
	if (done == arg)
		return 0;
	fprintf(stderr, "the worker thread is gone\n");
	return 1;
}

static void trapped(int sig, siginfo_t *si, void *context)
{
	(void)sig, (void)si, (void)context;
}

/* A program that expects SIGSYS, and does without. */
static int act_trap_handled(const char *arg)
{
	struct sigaction sa = { .sa_sigaction = trapped, .sa_flags = SA_SIGINFO };

	if (sigaction(SIGSYS, &sa, NULL))
		return 2;
	mkdir(arg, 0700);
	return 0;
}

static int act_segv(const char *arg)
{
	return *(volatile int *)atol(arg); /* nothing is mapped there */
}

static int act_abort(const char *arg)
{
	(void)arg;
	abort();
}

static int act_mlock(const char *arg)
{
	size_t size = atol(arg);
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return say("mlock", p == MAP_FAILED ? -1 : mlock(p, size));
}

static int act_spin(const char *arg)
{
	volatile unsigned long n = 1;

	(void)arg;
	while (n)
		n |= 1;
	return 0;
}

/* Another name of the process, then a failure. */
static int act_comm(const char *arg)
{
	prctl(PR_SET_NAME, "\033[31mA\n\"\\\377", 0, 0, 0);
	return act_create(arg);
}

static int act_descriptors(const char *arg)
{
	while (open(arg, O_RDONLY) >= 0)
		;
	return say(arg, -1);
}

static const struct {
	const char *name;
	int (*act)(const char *arg);
} acts[] = {
	{ "create", act_create },
	{ "mkdir", act_mkdir },
	{ "int80", act_int80 },
	{ "thread", act_thread },
	{ "segv", act_segv },
	{ "trap-handled", act_trap_handled },
	{ "abort", act_abort },
	{ "mlock", act_mlock },
	{ "spin", act_spin },
	{ "comm", act_comm },
	{ "descriptors", act_descriptors },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(acts) / sizeof(acts[0]); i++)
		if (!strcmp(argv[1], acts[i].name))
			return acts[i].act(argc > 2 ? argv[2] : "");
	return 2;
}
