/* SPDX-License-Identifier: GPL-2.0-only */
/* Relative paths that the server does not find, and its client would. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "payload_rig.h"

#define MISSING "[Errno 2] No such file or directory: 'src/main.py'"

static pid_t client;

/* The client stands in project/, where src/main.py is; the server one above. */
static int set_up(void **state)
{
	int ready[2];
	char c;

	if (rig_set_up(state) < 0 || mkdir("project", 0755) < 0 || mkdir("project/src", 0755) < 0 ||
	    pipe2(ready, O_CLOEXEC) < 0)
		return -1;
	rig_write("project/src/main.py", "pass\n", 5);
	client = fork();
	if (client == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (chdir("project") < 0 || write(ready[1], "x", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ready[1]);
	c = read(ready[0], &c, 1) == 1;
	close(ready[0]);
	return client > 0 && c ? 0 : -1;
}

static int tear_down(void **state)
{
	kill(client, SIGKILL);
	waitpid(client, NULL, 0);
	return rig_tear_down(state);
}

static void refused(const char *path, const char *said)
{
	rig_begin("read_file", rig_object("path", json_object_new_string(path), NULL, NULL));
	rig.call.client.tgid = (uint32_t)client;
	assert_int_equal(text_set(&rig.call.text, said, strlen(said)), 0);
	rig_end(CALL_TOOL_ERROR, rig_text(said, strlen(said)));
}

static void test_where_the_client_stands(void **state)
{
	refused("src/main.py", MISSING);
	rig_fault(CAUSE_PATH_WRONG_DIRECTORY, LEG_NONE, false, 0);
	assert_string_equal(rig.call.faults[0].subject.data, "src/main.py");
	assert_non_null(strstr(rig.call.faults[0].say, "/project, where the client stands"));
}

static void test_nowhere(void **state)
{
	refused("src/other.py", MISSING);
	rig_none();
}

static void test_there_for_both(void **state)
{
	assert_int_equal(mkdir("src", 0755), 0);
	rig_write("src/main.py", "pass\n", 5);
	refused("src/main.py", MISSING);
	rig_none();
}

static void test_absolute(void **state)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/project/src/main.py", rig.dir);
	refused(path, MISSING);
	rig_none();
}

static void test_refused_for_another_reason(void **state)
{
	refused("src/main.py", "the index is being built");
	rig_none();
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_where_the_client_stands),
		TEST(test_nowhere),
		TEST(test_there_for_both),
		TEST(test_absolute),
		TEST(test_refused_for_another_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
