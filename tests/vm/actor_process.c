/* SPDX-License-Identifier: GPL-2.0-only */
/* Words about processes: children, threads, signals, cgroups. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "actor.h"

/* A child's end becomes one's own exit status, as a shell has it. */
static int status_of(pid_t pid)
{
	int status;

	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return say("fork", -1);
	if (WIFSIGNALED(status))
		dprintf(2, "actor: a child was killed by signal %d\n", WTERMSIG(status));
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* fork WORD…: the rest in a child; its status is the actor's. */
static int word_fork(char *arg, char **rest)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(run_words(rest));
	exit(status_of(pid));
}

/* each=N WORD…: the rest in N children at once. */
static int word_each(char *arg, char **rest)
{
	int n = atoi(arg), worst = 0;
	pid_t pids[64];

	for (int i = 0; i < n; i++) {
		pids[i] = fork();
		if (pids[i] == 0)
			_exit(run_words(rest));
	}
	for (int i = 0; i < n; i++) {
		int r = status_of(pids[i]);

		worst = r > worst ? r : worst;
	}
	exit(worst);
}

struct errand {
	char **words;
	int status;
	volatile int done;
};

static void *errand_run(void *arg)
{
	struct errand *e = arg;

	e->status = run_words(e->words);
	e->done = 1;
	return NULL;
}

static int threads(void)
{
	FILE *f = fopen("/proc/self/status", "re");
	char line[128];
	int n = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "Threads: %d", &n) == 1)
			break;
	if (f)
		fclose(f);
	return n;
}

/* thread WORD…: the rest in a second thread. One that was killed is noticed by its number being free:
 * joining it would wait for ever. */
static int word_thread(char *arg, char **rest)
{
	struct errand e = { .words = rest };
	struct timespec pause = { .tv_nsec = 5000000 };
	pthread_t t;

	if (pthread_create(&t, NULL, errand_run, &e))
		return need("pthread_create", -1);
	for (int i = 0; i < 4000 && !e.done; i++) {
		if (threads() == 1 && !e.done) {
			dprintf(2, "actor: a thread is gone\n");
			exit(1);
		}
		nanosleep(&pause, NULL);
	}
	exit(e.done ? e.status : 3);
}

/* raise=N: at itself. */
static int word_raise(char *arg, char **rest)
{
	return say("kill", kill(getpid(), atoi(arg)));
}

/* killed=N: by a child of its own. */
static int word_killed(char *arg, char **rest)
{
	pid_t me = getpid(), pid = fork();

	if (pid == 0)
		_exit(kill(me, atoi(arg)) < 0);
	for (;;)
		pause();
}

static int word_pause(char *arg, char **rest)
{
	pause();
	return 0;
}

static int word_spin(char *arg, char **rest)
{
	volatile unsigned long n = 1;

	while (n)
		n |= 1;
	return 0;
}

/* work=MS: so long by the clock, then it runs out of patience. */
static int word_work(char *arg, char **rest)
{
	long left = atol(arg) * 1000000;
	struct timespec began, now;

	clock_gettime(CLOCK_MONOTONIC, &began);
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - began.tv_sec) * 1000000000 + now.tv_nsec - began.tv_nsec < left);
	dprintf(2, "actor: timed out\n");
	return 1;
}

/* attach: to its parent, which it may debug as far as users are concerned. */
static int word_attach(char *arg, char **rest)
{
	return say("ptrace", ptrace(PTRACE_SEIZE, getppid(), NULL, NULL));
}

/* traceme: by its parent. */
static int word_traceme(char *arg, char **rest)
{
	return say("ptrace", ptrace(PTRACE_TRACEME, 0, NULL, NULL));
}

static const int *volatile nowhere; /* nothing is mapped there */

static int word_fault(char *arg, char **rest)
{
	return *nowhere;
}

static volatile int trapped;

/* Gives the call a result of its own: what is in its place is the number on x86, and the first
 * argument on arm64. */
static void on_trap(int sig, siginfo_t *si, void *context)
{
	ucontext_t *u = context;

#ifdef __x86_64__
	u->uc_mcontext.gregs[REG_RAX] = 0;
#else
	u->uc_mcontext.regs[0] = 0;
#endif
	trapped = 1;
}

/* handler: SIGSYS is expected. */
static int word_handler(char *arg, char **rest)
{
	struct sigaction sa = { .sa_sigaction = on_trap, .sa_flags = SA_SIGINFO };

	return need("sigaction", sigaction(SIGSYS, &sa, NULL));
}

/* children=N: so many that wait, then a message where one could not be made. */
static int word_children(char *arg, char **rest)
{
	int n = atoi(arg), made = 0, r = 0;
	pid_t pids[64];

	for (; made < n && r == 0; made++) {
		pids[made] = fork();
		if (pids[made] == 0) {
			pause();
			_exit(0);
		}
		if (pids[made] < 0)
			r = say("fork", -1);
	}
	for (int i = 0; i < made; i++)
		if (pids[i] > 0) {
			kill(pids[i], SIGKILL);
			waitpid(pids[i], NULL, 0);
		}
	return r;
}

/* hold: says so, and goes on with the next byte of its input. */
static int word_hold(char *arg, char **rest)
{
	char c;

	return need("hold", write(1, "held\n", 5) == 5 && read(0, &c, 1) == 1 ? 0 : -1);
}

/* enter=DIRECTORY: moves itself to a cgroup. */
static int word_enter(char *arg, char **rest)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", arg);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return need(path, fd < 0 ? -1 : write(fd, "0", 1) == 1 ? close(fd) : -1);
}

/* into=DIRECTORY WORD…: the rest in a child that is born in that cgroup (CLONE_INTO_CGROUP, 5.7). */
static int word_into(char *arg, char **rest)
{
	struct {
		uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls,
			set_tid, set_tid_size, cgroup;
	} args = { .flags = 1ULL << 33, .exit_signal = SIGCHLD };
	int fd = open(arg, O_PATH | O_CLOEXEC);
	pid_t pid;

	if (fd < 0)
		return need(arg, -1);
	args.cgroup = (uint64_t)fd;
	pid = (pid_t)syscall(SYS_clone3, &args, sizeof(args));
	if (pid == 0)
		_exit(run_words(rest));
	if (pid < 0)
		return need("clone3", -1);
	exit(status_of(pid));
}

const struct word process_words[] = {
	{ "fork", word_fork },
	{ "each", word_each },
	{ "thread", word_thread },
	{ "raise", word_raise },
	{ "killed", word_killed },
	{ "pause", word_pause },
	{ "spin", word_spin },
	{ "fault", word_fault },
	{ "handler", word_handler },
	{ "children", word_children },
	{ "hold", word_hold },
	{ "enter", word_enter },
	{ "into", word_into },
	{ "work", word_work },
	{ "attach", word_attach },
	{ "traceme", word_traceme },
	{ 0 },
};
