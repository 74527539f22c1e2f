/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

static int saved = -1, reader = -1;

/* stderr becomes a pipe; with `journal` the environment names it. */
static void capture(bool journal, bool matches)
{
	int fds[2];
	struct stat st;
	char stream[64];

	assert_int_equal(pipe2(fds, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(fstat(fds[1], &st), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t)st.st_dev,
		 (uintmax_t)st.st_ino + (matches ? 0 : 1));
	if (journal)
		setenv("JOURNAL_STREAM", stream, 1);
	else
		unsetenv("JOURNAL_STREAM");
	saved = dup(STDERR_FILENO);
	assert_int_equal(dup2(fds[1], STDERR_FILENO), STDERR_FILENO);
	close(fds[1]);
	reader = fds[0];
}

static const char *captured(void)
{
	static char buf[65536];
	ssize_t n = read(reader, buf, sizeof(buf) - 1);

	buf[n > 0 ? n : 0] = '\0';
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(reader);
	unsetenv("JOURNAL_STREAM");
	return buf;
}

static void test_program_in_front(void **state)
{
	capture(false, false);
	log_setup("prog", LOG_LEVEL_INFO);
	log_info("seen %d", 1);
	log_debug("not seen");
	log_error("bad");
	assert_string_equal(captured(), "prog: seen 1\nprog: bad\n");
}

static void test_levels(void **state)
{
	capture(false, false);
	log_setup("prog", LOG_LEVEL_WARNING);
	log_info("not seen");
	log_warning("seen");
	log_setup("prog", LOG_LEVEL_DEBUG);
	log_debug("seen too");
	assert_string_equal(captured(), "prog: seen\nprog: seen too\n");
}

static void test_journal_prefix(void **state)
{
	capture(true, true);
	log_setup("prog", LOG_LEVEL_DEBUG);
	log_error("e");
	log_warning("w");
	log_info("i");
	log_debug("d");
	assert_string_equal(captured(), "<3>e\n<4>w\n<6>i\n<7>d\n");
}

/* A service's child whose stderr goes elsewhere still has the variable. */
static void test_journal_of_another_stream(void **state)
{
	capture(true, false);
	log_setup("prog", LOG_LEVEL_INFO);
	log_info("i");
	assert_string_equal(captured(), "prog: i\n");
}

static void test_hostile_text(void **state)
{
	capture(false, false);
	log_setup("prog", LOG_LEVEL_INFO);
	log_info("path \"%s\"", "a\nprog: forged\x1b[2J\xff");
	assert_string_equal(captured(), "prog: path \"a\\nprog: forged\\x1b[2J\\xff\"\n");
}

static void test_errno(void **state)
{
	int r;

	capture(false, false);
	log_setup("prog", LOG_LEVEL_INFO);
	errno = EBUSY;
	r = log_errno(-ENOENT, "cannot open %s", "/x");
	assert_int_equal(r, -ENOENT);
	assert_int_equal(errno, EBUSY);
	assert_string_equal(captured(), "prog: cannot open /x: No such file or directory\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_program_in_front),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_journal_prefix),
		cmocka_unit_test(test_journal_of_another_stream),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
