/* SPDX-License-Identifier: GPL-2.0-only */
/* First bytes, and the helper process. What is looked up in trees: test_explain_*.c. */
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <cmocka.h>

#include "daemon/explain.h"
#include "daemon/explain_helper.h"

#define DEADLINE_NS (10 * NSEC_PER_SEC)

/* ---- explain_head ---- */

static const struct {
	const char *data;
	size_t len;
	enum explain_head expected;
	const char *interp;
} heads[] = {
#define ROW(text, head, interp)                                                                    \
	{                                                                                          \
		text, sizeof(text) - 1, head, interp                                               \
	}
	ROW("", HEAD_EMPTY, ""),
	ROW("#!/bin/sh\necho\n", HEAD_SCRIPT, "/bin/sh"),
	ROW("#!/bin/sh", HEAD_SCRIPT, "/bin/sh"),
	ROW("#! \t/bin/sh -e\n", HEAD_SCRIPT, "/bin/sh"),
	ROW("#!/usr/bin/env python3\n", HEAD_SCRIPT, "/usr/bin/env"),
	ROW("#! /usr/bin/env -S a b\n", HEAD_SCRIPT, "/usr/bin/env"),
	ROW("#!bin/sh\n", HEAD_SCRIPT, "bin/sh"),
	ROW("#!/bin/sh\r\necho\r\n", HEAD_SCRIPT_CR, "/bin/sh\r"),
	ROW("#!/bin/sh\r", HEAD_SCRIPT_CR, "/bin/sh\r"),
	ROW("#!/usr/bin/env bash\r\n", HEAD_SCRIPT_CR, "/usr/bin/env"),
	ROW("#!/bin/sh\n\r\n", HEAD_SCRIPT, "/bin/sh"),
	ROW("#!\n", HEAD_TEXT, ""),
	ROW("#! \t \n", HEAD_TEXT, ""),
	ROW("#!", HEAD_TEXT, ""),
	ROW("#!/bin/sh\0\n", HEAD_SCRIPT, "/bin/sh"),
	ROW("\xef\xbb\xbf#!/bin/sh\n", HEAD_TEXT, ""),
	ROW("echo hello\n", HEAD_TEXT, ""),
	ROW("\xc3\xa9t\xe9\t\n", HEAD_TEXT, ""),
	ROW("#", HEAD_TEXT, ""),
	ROW("\0", HEAD_OTHER, ""),
	ROW("abc\0def", HEAD_OTHER, ""),
	ROW("\x1f\x8b\x08", HEAD_OTHER, ""),
	ROW("MZ\x90\0", HEAD_OTHER, ""),
	ROW("\x7f"
	    "ELF",
	    HEAD_OTHER, ""),
	ROW("\x7f"
	    "ELF\x02\x01\x01",
	    HEAD_OTHER, ""),
#undef ROW
};

static void test_head(void **state)
{
	char interp[256];

	for (size_t i = 0; i < ARRAY_SIZE(heads); i++) {
		_cleanup_free_ char *copy = malloc(heads[i].len); /* its end is the sanitizer's */

		memcpy(copy, heads[i].data, heads[i].len);
		if (explain_head(copy, heads[i].len, interp) != heads[i].expected)
			fail_msg("row %zu", i);
		assert_string_equal(interp, heads[i].interp);
	}
}

static void test_head_long_line(void **state)
{
	char data[400], interp[256];

	/* A name that the kernel's 256 bytes cut is refused; a cut argument is not. */
	memset(data, 'a', sizeof(data));
	memcpy(data, "#!/", 3);
	assert_int_equal(explain_head(data, sizeof(data), interp), HEAD_TEXT);
	assert_int_equal(explain_head(data, 256, interp), HEAD_TEXT);
	assert_int_equal(explain_head(data, 255, interp), HEAD_SCRIPT);
	assert_int_equal(strlen(interp), 253);
	data[200] = ' ';
	assert_int_equal(explain_head(data, sizeof(data), interp), HEAD_SCRIPT);
	assert_int_equal(strlen(interp), 198);
}

struct elf64 {
	Elf64_Ehdr h;
	Elf64_Phdr p[2];
	char interp[32];
};

static struct elf64 elf_sample(void)
{
	struct elf64 e = {
		.h = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				    1 },
		       .e_type = ET_DYN,
#ifdef __x86_64__
		       .e_machine = EM_X86_64,
#else
		       .e_machine = EM_AARCH64,
#endif
		       .e_phoff = offsetof(struct elf64, p),
		       .e_phentsize = sizeof(Elf64_Phdr),
		       .e_phnum = 2 },
		.p = { { .p_type = PT_LOAD },
		       { .p_type = PT_INTERP,
			 .p_offset = offsetof(struct elf64, interp),
			 .p_filesz = sizeof("/lib/ld.so") } },
		.interp = "/lib/ld.so",
	};

	return e;
}

static void test_head_elf(void **state)
{
	struct elf64 e = elf_sample();
	char interp[256];

	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	assert_string_equal(interp, "/lib/ld.so");
	e.p[1].p_type = PT_NOTE; /* static */
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	assert_string_equal(interp, "");
	e = elf_sample();
	e.h.e_machine = EM_S390;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF_FOREIGN);
	e = elf_sample();
	e.h.e_ident[EI_DATA] = ELFDATA2MSB;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF_FOREIGN);
}

/* Headers that point out of the file, or at too much. */
static void test_head_elf_hostile(void **state)
{
	struct elf64 e = elf_sample();
	char interp[256];

	for (size_t len = 4; len < sizeof(e); len++) {
		_cleanup_free_ char *copy = malloc(len);

		memcpy(copy, &e, len);
		explain_head(copy, len, interp);
		assert_non_null(memchr(interp, '\0', sizeof(interp)));
	}
	e.h.e_phoff = UINT64_MAX - 8;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	e = elf_sample();
	e.h.e_phnum = UINT16_MAX;
	e.p[1].p_type = PT_LOAD;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	e = elf_sample();
	e.p[1].p_offset = UINT64_MAX - 4;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	assert_string_equal(interp, "");
	e = elf_sample();
	e.p[1].p_filesz = UINT64_MAX;
	assert_int_equal(explain_head(&e, sizeof(e), interp), HEAD_ELF);
	assert_string_equal(interp, "");
}

/* ---- the helper ---- */

struct seen {
	struct loop *loop;
	struct explainer *explainer;
	size_t count, until;
	uint64_t ids[512];
	struct explanation answers[512];
};

static void on_answer(uint64_t id, const struct explanation *e, void *arg)
{
	struct seen *s = arg;

	assert_true(s->count < ARRAY_SIZE(s->ids));
	s->ids[s->count] = id;
	s->answers[s->count++] = *e;
	if (s->count == s->until)
		loop_quit(s->loop, 1);
}

static void on_too_late(void *arg)
{
	struct seen *s = arg;

	loop_quit(s->loop, 0);
}

static void seen_new(struct seen **ret, int64_t timeout_ns)
{
	struct seen *s = calloc(1, sizeof(*s));

	assert_non_null(s);
	assert_int_equal(loop_new(&s->loop), 0);
	assert_int_equal(explain_new(&s->explainer, s->loop, timeout_ns, on_answer, s), 0);
	assert_int_equal(loop_add_timer(s->loop, DEADLINE_NS, 0, on_too_late, s, NULL), 0);
	*ret = s;
}

static void seen_free(struct seen *s)
{
	explain_free(s->explainer);
	loop_free(s->loop);
	free(s);
}

static void wait_for(struct seen *s, size_t answers)
{
	s->until = answers;
	if (s->count < answers)
		assert_int_equal(loop_run(s->loop), 1);
}

static struct explain_request request(uint64_t id, const char *path)
{
	struct explain_request r = { .id = id, .pids = { (uint32_t)getpid() } };

	snprintf(r.path, sizeof(r.path), "%s", path);
	return r;
}

static bool is_helper(pid_t pid)
{
	_cleanup_free_ char *comm = NULL;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	return util_read_file(path, 64, &comm) > 0 && strcmp(comm, "sandfault-expl\n") == 0;
}

/* Our one child of that name. */
static pid_t helper_pid(void)
{
	_cleanup_free_ char *children = NULL;
	char path[64], *s, *end;
	pid_t found = 0;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	assert_true(util_read_file(path, 4096, &children) >= 0);
	for (s = children; *s; s = end) {
		pid_t pid = (pid_t)strtol(s, &end, 10);

		if (end == s)
			break;
		if (is_helper(pid))
			found = pid;
	}
	return found;
}

static void test_helper_answers(void **state)
{
	struct explain_request r;
	struct seen *s;

	seen_new(&s, DEADLINE_NS);
	r = request(7, "/");
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	r = request(8, "/no/such/file");
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	assert_int_equal(explain_waiting(s->explainer), 2);
	wait_for(s, 2);
	assert_int_equal(s->ids[0], 7);
	assert_true(s->answers[0].done && s->answers[0].exists && s->answers[0].is_dir);
	assert_int_equal(s->ids[1], 8);
	assert_true(s->answers[1].done && !s->answers[1].exists);
	assert_int_equal(s->answers[1].missing_at, 1);
	assert_int_equal(explain_waiting(s->explainer), 0);
	assert_int_equal(explain_killed(s->explainer), 0);
	seen_free(s);
}

/* Asks more than the socket takes at once, up to the bound; all are answered in order. */
static void test_helper_queue(void **state)
{
	struct explain_request r = request(0, "/");
	struct seen *s;

	seen_new(&s, DEADLINE_NS);
	memset(r.path, '/', sizeof(r.path) - 1);
	for (r.id = 0; r.id < 256; r.id++)
		assert_int_equal(explain_ask(s->explainer, &r), 0);
	assert_int_equal(explain_ask(s->explainer, &r), -EAGAIN);
	assert_int_equal(explain_waiting(s->explainer), 256);
	wait_for(s, 256);
	for (uint64_t i = 0; i < 256; i++) {
		assert_int_equal(s->ids[i], i);
		assert_true(s->answers[i].done);
	}
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 257);
	seen_free(s);
}

static void on_turn(void *arg)
{
	loop_quit(arg, 1);
}

/* It dies when it gets to run, and the loop hears of it later. */
static void wait_for_end(struct seen *s, pid_t pid)
{
	int64_t until = util_now_boottime() + DEADLINE_NS;

	while (kill(pid, 0) == 0 && util_now_boottime() < until) {
		assert_int_equal(loop_add_timer(s->loop, NSEC_PER_MSEC, 0, on_turn, s->loop, NULL),
				 0);
		loop_run(s->loop);
	}
}

/* A helper that hangs, as on a file system that never answers: the one that hung it is given up,
 * the others are answered by a new one. */
static void test_helper_hangs(void **state)
{
	struct explain_request r;
	struct seen *s;
	pid_t first;

	seen_new(&s, NSEC_PER_SEC); /* time enough for a new one to start, on a busy machine */
	r = request(1, "/");
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 1);
	first = helper_pid();
	assert_true(first > 0);
	assert_int_equal(kill(first, SIGSTOP), 0);
	for (uint64_t id = 2; id < 5; id++) {
		r = request(id, "/");
		assert_int_equal(explain_ask(s->explainer, &r), 0);
	}
	wait_for(s, 4);
	assert_int_equal(s->ids[1], 2);
	assert_false(s->answers[1].done);
	assert_string_equal(s->answers[1].why, "no answer in time");
	assert_int_equal(s->ids[2], 3);
	assert_true(s->answers[2].done);
	assert_int_equal(s->ids[3], 4);
	assert_true(s->answers[3].done);
	assert_int_equal(explain_killed(s->explainer), 1);
	assert_int_not_equal(helper_pid(), first);
	wait_for_end(s, first); /* killed for good, and reaped */
	assert_int_equal(kill(first, 0), -1);
	assert_int_equal(errno, ESRCH);
	seen_free(s);
}

static void test_helper_dies(void **state)
{
	struct explain_request r = request(1, "/");
	struct seen *s;

	seen_new(&s, DEADLINE_NS);
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 1);
	assert_int_equal(kill(helper_pid(), SIGSTOP), 0);
	r.id = 2;
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	assert_int_equal(kill(helper_pid(), SIGKILL), 0);
	wait_for(s, 2);
	assert_false(s->answers[1].done);
	assert_string_equal(s->answers[1].why, "the helper ended");
	/* Nothing waits: the next question starts the next helper. */
	r.id = 3;
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 3);
	assert_true(s->answers[2].done);
	assert_int_equal(explain_killed(s->explainer), 1);
	seen_free(s);
}

/* explain_drain() takes what is there without the loop. */
static void test_helper_drain(void **state)
{
	struct explain_request r = request(1, "/");
	int64_t until = util_now_boottime() + DEADLINE_NS;
	struct seen *s;

	seen_new(&s, DEADLINE_NS);
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	while (s->count < 1 && util_now_boottime() < until)
		explain_drain(s->explainer);
	assert_int_equal(s->count, 1);
	assert_true(s->answers[0].done);
	seen_free(s);
}

/* What it keeps: stderr, its socket, two capabilities, no signal that is not its own. */
static void test_helper_confined(void **state)
{
	struct explain_request r = request(1, "/");
	_cleanup_free_ char *status = NULL;
	char path[300], target[64];
	struct seen *s;
	struct dirent *d;
	int fds = 0;
	pid_t pid;
	DIR *dir;

	seen_new(&s, DEADLINE_NS);
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 1);
	pid = helper_pid();
	snprintf(path, sizeof(path), "/proc/%d/fd", pid);
	dir = opendir(path);
	assert_non_null(dir);
	while ((d = readdir(dir))) {
		ssize_t n;

		if (d->d_name[0] == '.')
			continue;
		fds++;
		snprintf(path, sizeof(path), "/proc/%d/fd/%s", pid, d->d_name);
		n = readlink(path, target, sizeof(target) - 1);
		assert_true(n > 0);
		target[n] = '\0';
		if (atoi(d->d_name) < 2)
			assert_string_equal(target, "/dev/null");
		if (atoi(d->d_name) == 3)
			assert_memory_equal(target, "socket:", 7);
	}
	closedir(dir);
	assert_int_equal(fds, 4);
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	assert_true(util_read_file(path, 65536, &status) > 0);
	if (geteuid() == 0)
		assert_non_null(strstr(status, "\nCapEff:\t0000000000080004\n"));
	assert_non_null(strstr(status, "\nNoNewPrivs:\t1\n"));
	/* A Ctrl-C for the daemon's group is the daemon's. */
	assert_int_equal(kill(pid, SIGINT), 0);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(explain_ask(s->explainer, &r), 0);
	wait_for(s, 2);
	assert_true(s->answers[1].done);
	assert_int_equal(helper_pid(), pid);
	seen_free(s);
	assert_int_equal(kill(pid, 0), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),	       cmocka_unit_test(test_head_long_line),
		cmocka_unit_test(test_head_elf),       cmocka_unit_test(test_head_elf_hostile),
		cmocka_unit_test(test_helper_answers), cmocka_unit_test(test_helper_queue),
		cmocka_unit_test(test_helper_hangs),   cmocka_unit_test(test_helper_dies),
		cmocka_unit_test(test_helper_drain),   cmocka_unit_test(test_helper_confined),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
