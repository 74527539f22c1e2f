/* SPDX-License-Identifier: GPL-2.0-only */
/* What the text of fd 2 speaks for, of several calls that could be meant. */
#include "scene.h"

#include <fcntl.h>

static const char trace[] = "Traceback (most recent call last):\n"
			    "  File \"/w/server.py\", line 8, in <module>\n"
			    "  File \"/usr/lib/python3.11/socket.py\", line 294, in accept\n"
			    "OSError: [Errno 24] Too many open files\n";

/* The first was caught; the sources are opened for the trace alone, and stand in it for that. */
static void test_limit_is_told_by_the_call_that_ended_it(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall caught = { "fcntl", EMFILE }, fatal = { "accept4", EMFILE },
		       source = { "openat", EMFILE, "/w/server.py" };
	const struct failure_record *f;

	fails(s, p, 5, &caught);
	fails(s, p, 6, &fatal);
	fails(s, p, 7, &source);
	ends(s, p, 9, EXITED(1), trace);
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "accept4");
	f = judge(s);
	assert_string_equal(f->syscall, "accept4");
	assert_int_equal(f->count, 3);
	/* Without a word about the call: the last that is no report of an error. */
	ends(s, p, 9, EXITED(1), "OSError: [Errno 24] watcher\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "accept4");
}

static void test_limit_met_by_opens_is_told_by_the_named_one(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1);
	struct syscall first = { "openat", EMFILE, "/w/a.bin" },
		       second = { "openat", EMFILE, "/w/b.bin" };

	fails(s, p, 5, &first);
	fails(s, p, 6, &second);
	ends(s, p, 9, EXITED(1), "Error: EMFILE: too many open files, open '/w/b.bin'\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/w/b.bin");
	ends(s, p, 9, EXITED(1), "Too many open files\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/w/a.bin");
}

/* perror() dups fd 2 before it writes; a dup of another one is the program's own. */
static void test_limit_is_not_told_by_perror(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "fill", 1);
	struct syscall own = { "openat", EMFILE, "/w/a.bin" },
		       perror_own = { "dup", EMFILE, .args = { 2 } },
		       dup_own = { "dup", EMFILE, .args = { 5 } };

	fails(s, p, 5, &own);
	fails(s, p, 6, &perror_own);
	ends(s, p, 9, EXITED(1), "fill: Too many open files\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/w/a.bin");
	fails(s, p, 7, &dup_own);
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "dup");
}

/* The loader says the same sentence of a library that is not there and of one that it can't open. */
static void test_library_that_is_there(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "cat", 1);
	struct syscall c = { "openat", EMFILE, "/lib/libc.so.6" };

	fails(s, p, 5, &c);
	ends(s, p, 6, EXITED(127),
	     "cat: error while loading shared libraries: libc.so.6: cannot open shared object "
	     "file: "
	     "Error 24\n");
	expect(s, CAUSE_FDS_PROCESS_LIMIT, "/lib/libc.so.6");
	assert_int_equal(s->out.failures[0].confidence, CONF_CERTAIN);
	ends(s, p, 6, EXITED(127),
	     "cat: error while loading shared libraries: libz.so.1: cannot open shared object "
	     "file: "
	     "No such file or directory\n");
	expect(s, CAUSE_LIBRARY_SHARED_OBJECT, "libz.so.1");
}

static void test_module_that_is_shut_away(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall list = { "openat", EACCES, "/w/site", .args[2] = O_RDONLY | O_DIRECTORY,
				.cap_mask = 1 << 2 };
	static const char said[] = "ModuleNotFoundError: No module named 'tools.config'\n";

	ends(s, p, 9, EXITED(1), said);
	expect(s, CAUSE_LIBRARY_MODULE, "tools.config");
	fails(s, p, 5, &list);
	expect(s, CAUSE_FILE_PERMISSION_DENIED, "/w/site");
}

static void test_module_beside_another_refusal(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall other = { "openat", EACCES, "/w/settings", .cap_mask = 1 << 2 },
		       own = { "newfstatat", EACCES, "/w/lib/tools.py", .cap_mask = 1 << 2 };

	fails(s, p, 5, &other);
	ends(s, p, 9, EXITED(1), "ModuleNotFoundError: No module named 'tools'\n");
	expect(s, CAUSE_LIBRARY_MODULE, "tools");
	fails(s, p, 6, &own);
	expect(s, CAUSE_FILE_PERMISSION_DENIED, "/w/lib/tools.py");
}

/* What a trace quotes of the program is the program's own text. */
static void test_source_that_names_what_was_tolerated(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "node", 1), *c = process(s, 11, 10, "node", 3);
	struct syscall probe = { "execve", ENOENT, "/usr/bin/tool-x" };

	c->execs = 0;
	c->exec_ns = 0;
	fails(s, c, 4, &probe);
	ends(s, c, 5, EXITED(127), NULL);
	ends(s, p, 9, EXITED(1),
	     "/w/main.js:3\n"
	     "spawn('tool-x').on('error', () => { throw new Error('2 !== 3'); });\n"
	     "                                    ^\n\n"
	     "Error: 2 !== 3\n    at main.js:3:40\n");
	expect(s, CAUSE_EXIT_NON_ZERO, "node");
	ends(s, p, 9, EXITED(1), "Error: spawn tool-x ENOENT\n    at node:internal:3:40\n");
	expect(s, CAUSE_BINARY_NOT_FOUND, "/usr/bin/tool-x");
}

/* Two that a covered /proc lacks: the interpreter can do without the first, and only the other's path
 * stands in the message. */
static void test_call_that_could_be_any(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct explanation bare = { .done = true, .fs_magic = 0xef53 };
	struct syscall first = { "open", ENOENT, "/proc/sys/vm/overcommit_memory",
				 .explanation = &bare },
		       second = { "openat", ENOENT, "/proc/self/status", .explanation = &bare };

	fails(s, p, 5, &first);
	fails(s, p, 6, &second);
	ends(s, p, 9, EXITED(1),
	     "    print(open(\"/proc/self/status\").read())\n"
	     "FileNotFoundError: [Errno 2] No such file or directory: '/proc/self/status'\n");
	expect(s, CAUSE_MASKED_PROC, "/proc/self/status");
}

/* Of several that were refused the one whose port the trace quotes. */
static void test_port_that_is_quoted(void **state)
{
	struct scene *s = *state;
	struct process *p = process(s, 10, 0, "python3", 1);
	struct syscall first = { "connect", ECONNREFUSED, "127.0.0.1:9",
				 .text_kind = SF_TEXT_SOCKADDR },
		       second = { "connect", ECONNREFUSED, "127.0.0.1:6379",
				  .text_kind = SF_TEXT_SOCKADDR };

	fails(s, p, 5, &first);
	fails(s, p, 6, &second);
	ends(s, p, 9, EXITED(1),
	     "ConnectionRefusedError: [Errno 111] connect: Connection refused\n");
	expect(s, CAUSE_NETWORK_REFUSED, "127.0.0.1:9");
	ends(s, p, 9, EXITED(1),
	     "  File \"a.py\", line 8, in <module>\n"
	     "    s = socket.create_connection((\"127.0.0.1\", 6379))\n"
	     "ConnectionRefusedError: [Errno 111] connect: Connection refused\n");
	expect(s, CAUSE_NETWORK_REFUSED, "127.0.0.1:6379");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_limit_is_told_by_the_call_that_ended_it),
		T(test_limit_met_by_opens_is_told_by_the_named_one),
		T(test_limit_is_not_told_by_perror),
		T(test_library_that_is_there),
		T(test_module_that_is_shut_away),
		T(test_module_beside_another_refusal),
		T(test_source_that_names_what_was_tolerated),
		T(test_call_that_could_be_any),
		T(test_port_that_is_quoted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
