/* SPDX-License-Identifier: GPL-2.0-only */
/* explain_path(): first bytes, privilege, neighbours. */

#include "explain_tree.h"

#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

/* ---- first bytes ---- */

static enum explain_head head_of(const char *name, const char *text)
{
	make_file(name, text, strlen(text), 0755);
	look(at(name), WANT_EXEC | WANT_HEAD);
	assert_true(x.done && x.exists);
	return x.head;
}

static void test_head_script(void **state)
{
	char text[256];

	assert_int_equal(head_of("a", "#!/bin/sh\n"), HEAD_SCRIPT);
	assert_string_equal(x.interpreter, "/bin/sh");
	assert_int_equal(head_of("b", "#!/no/such/interpreter -x\n"), HEAD_SCRIPT_MISSING);
	assert_string_equal(x.interpreter, "/no/such/interpreter");
	assert_int_equal(head_of("c", "#!/bin/sh\r\n"), HEAD_SCRIPT_CR);
	assert_string_equal(x.interpreter, "/bin/sh\r");
	assert_int_equal(head_of("d", "#! /usr/bin/env nosuchprogram\n"), HEAD_SCRIPT);
	assert_string_equal(x.interpreter, "/usr/bin/env");
	assert_int_equal(head_of("e", "echo\n"), HEAD_TEXT);
	assert_int_equal(head_of("f", ""), HEAD_EMPTY);
	/* A script whose interpreter is a script whose interpreter is missing. */
	snprintf(text, sizeof(text), "#!%s\n", at("b"));
	assert_int_equal(head_of("g", text), HEAD_SCRIPT_MISSING);
	assert_string_equal(x.interpreter, "/no/such/interpreter");
	snprintf(text, sizeof(text), "#!%s\n", at("h"));
	assert_int_equal(head_of("h", text), HEAD_SCRIPT); /* itself: ends all the same */
	make_dir("dir", 0755);
	look(at("dir"), WANT_EXEC | WANT_HEAD);
	assert_int_equal(x.head, HEAD_UNKNOWN);
	assert_int_equal(mkfifo(at("fifo"), 0755), 0);
	look(at("fifo"), WANT_EXEC | WANT_HEAD); /* must not wait for a writer */
	assert_int_equal(x.head, HEAD_UNKNOWN);
}

/* Our own binary, with another loader written over the one it names. */
static void test_head_elf(void **state)
{
	_cleanup_free_ char *data = NULL;
	ssize_t len = util_read_file("/proc/self/exe", 256 << 20, &data);
	char *loader;

	assert_true(len > 0);
	make_file("own", data, (size_t)len, 0755);
	look(at("own"), WANT_EXEC | WANT_HEAD);
	assert_int_equal(x.head, HEAD_ELF);
	assert_true(x.interpreter[0] == '/');
	assert_true(x.elf_machine > 0);
	loader = memmem(data, (size_t)len, x.interpreter, strlen(x.interpreter));
	assert_non_null(loader);
	memcpy(loader, "/nol", 4);
	make_file("foreign-libc", data, (size_t)len, 0755);
	look(at("foreign-libc"), WANT_EXEC | WANT_HEAD);
	assert_int_equal(x.head, HEAD_ELF_LOADER_MISSING);
	assert_memory_equal(x.interpreter, "/nol", 4);
	data[18] = 22; /* e_machine: s390 */
	data[19] = 0;
	make_file("foreign", data, (size_t)len, 0755);
	look(at("foreign"), WANT_EXEC | WANT_HEAD);
	assert_int_equal(x.head, HEAD_ELF_FOREIGN);
	assert_int_equal(x.elf_machine, 22);
}

static void test_setid(void **state)
{
	make_file("plain", "", 0, 0755);
	make_file("setuid", "", 0, 04755);
	make_file("setgid", "", 0, 02755);
	make_file("locking", "", 0, 02745);
	make_dir("dir", 02755);
	look(at("plain"), WANT_EXEC);
	assert_false(x.setid);
	look(at("setuid"), WANT_EXEC);
	assert_true(x.setid);
	look(at("setgid"), WANT_EXEC);
	assert_true(x.setid);
	look(at("locking"), WANT_EXEC);
	assert_false(x.setid);
	look(at("dir"), WANT_EXEC);
	assert_false(x.setid);
}

/* ---- neighbours ---- */

static void assert_near(const char *made, const char *asked, bool cr, bool normal, bool letters)
{
	make_file(made, "", 0, 0644);
	look(at(asked), WANT_READ | WANT_NEIGHBOURS);
	assert_true(x.done && !x.exists);
	assert_int_equal(x.sibling_cr, cr);
	assert_int_equal(x.sibling_normal, normal);
	assert_int_equal(x.sibling_case, letters);
	assert_string_equal(x.sibling, cr || normal || letters ? made : "");
	assert_int_equal(unlink(at(made)), 0);
}

static void test_neighbours(void **state)
{
	assert_near("a.txt", "b.txt", false, false, false);
	assert_near("a.txt\r", "a.txt", true, false, false);
	assert_near("a.txt", "a.txt\r", true, false, false);
	assert_near("a.txt", "a.txt \n", true, false, false);
	assert_near("README", "readme", false, false, true);
	/* e with acute, composed and decomposed */
	assert_near("caf\xc3\xa9", "cafe\xcc\x81", false, true, false);
	assert_near("cafe\xcc\x81", "caf\xc3\xa9", false, true, false);
	assert_near("caf\xc3\x89", "cafe\xcc\x81", false, false, true);
	/* Hangul and two marks in another order */
	assert_near("\xea\xb0\x80", "\xe1\x84\x80\xe1\x85\xa1", false, true, false);
	assert_near("a\xcc\xa3\xcc\x81", "a\xcc\x81\xcc\xa3", false, true, false);
	/* Accents are no matter of normalization, nor are bytes that are no UTF-8. */
	assert_near("cafe", "caf\xc3\xa9", false, false, false);
	assert_near("caf\xe9", "caf\xc3\xa9", false, false, false);
}

static void test_neighbours_best(void **state)
{
	make_file("Caf\xc3\xa9", "", 0, 0644);
	make_file("caf\xc3\xa9", "", 0, 0644);
	look(at("cafe\xcc\x81"), WANT_READ | WANT_NEIGHBOURS);
	assert_true(x.sibling_normal && !x.sibling_case);
	assert_string_equal(x.sibling, "caf\xc3\xa9");
	/* Of a directory in the middle as well; not without being asked. */
	look(at("cafe\xcc\x81/x"), WANT_READ | WANT_NEIGHBOURS);
	assert_true(x.sibling_normal);
	look(at("cafe\xcc\x81"), WANT_READ);
	assert_false(x.sibling_normal);
	assert_string_equal(x.sibling, "");
}

/* ---- the environment ---- */

static pid_t start_with(const char *variable)
{
	char *argv[] = { (char *)"sleep", (char *)"60", NULL };
	char *env[] = { (char *)"PATH=/usr/bin:/bin", (char *)variable, NULL };
	char file[64];
	pid_t pid;

	assert_int_equal(posix_spawn(&pid, "/bin/sleep", NULL, NULL, argv, env), 0);
	/* posix_spawn() returns while the new program is still being laid out. */
	snprintf(file, sizeof(file), "/proc/%d/environ", pid);
	for (int64_t end = util_now_boottime() + 5 * NSEC_PER_SEC; util_now_boottime() < end;) {
		_cleanup_free_ char *text = NULL;

		if (util_read_file(file, 4096, &text) > 0)
			return pid;
	}
	fail_msg("%s stays empty", file);
	return pid;
}

static const char *named_by(const char *variable, const char *path, uint32_t want)
{
	struct explain_request r = { .want = want };
	pid_t pid = start_with(variable);

	r.pids[0] = (uint32_t)pid;
	snprintf(r.path, sizeof(r.path), "%s", path);
	explain_path("/proc", &r, &x);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(x.done && !x.exists);
	return x.env_name;
}

static void test_environ(void **state)
{
	char variable[600], path[600];

	make_dir("home", 0755);
	snprintf(variable, sizeof(variable), "TMPDIR=%s", at("none"));
	snprintf(path, sizeof(path), "%s", at("none/f"));
	assert_string_equal(named_by(variable, path, WANT_CREATE | WANT_ENVIRON), "TMPDIR");
	assert_string_equal(named_by(variable, path, WANT_CREATE), "");
	snprintf(path, sizeof(path), "%s", at("nonesuch/f"));
	assert_string_equal(named_by(variable, path, WANT_CREATE | WANT_ENVIRON), "");
	/* the directory that was handed in is there; what lacks is below it */
	snprintf(variable, sizeof(variable), "HOME=%s", at("home"));
	snprintf(path, sizeof(path), "%s", at("home/sub/f"));
	assert_string_equal(named_by(variable, path, WANT_CREATE | WANT_ENVIRON), "");
	/* a shell's own word for where it is */
	snprintf(variable, sizeof(variable), "PWD=%s", at("none"));
	snprintf(path, sizeof(path), "%s", at("none/f"));
	assert_string_equal(named_by(variable, path, WANT_CREATE | WANT_ENVIRON), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_head_script), TEST(test_head_elf),	    TEST(test_setid),
		TEST(test_neighbours),	TEST(test_neighbours_best), TEST(test_environ),
	};

	umask(0022);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
