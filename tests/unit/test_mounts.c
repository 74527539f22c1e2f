/* SPDX-License-Identifier: GPL-2.0-only */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/statvfs.h>

#include <cmocka.h>

#include "mounts.h"

static struct mounts *m;

static int setup(void **state)
{
	return mounts_new(&m);
}

static int teardown(void **state)
{
	mounts_free(m);
	return 0;
}

static const struct mount_entry *find(uint32_t ns, const char *path)
{
	return mounts_find(m, ns, path, strlen(path));
}

static const char sandbox[] =
	"100 90 0:30 / / rw,relatime - overlay overlay rw,lowerdir=/l\n"
	"101 100 0:31 / /proc rw,nosuid,nodev,noexec master:5 shared:3 - proc proc rw\n"
	"102 100 0:32 / /tmp rw,nosuid - tmpfs tmpfs rw,size=1024k\n"
	"103 100 8:1 /data /jobs ro,relatime - ext4 /dev/sda1 rw\n"
	"104 103 8:1 /data/cache /jobs/cache rw - ext4 /dev/sda1 rw\n"
	"105 100 8:2 / /mnt/with\\040space\\134 rw,noexec - ext4 /dev/sdb rw\n"
	"106 100 0:33 / /image rw - squashfs /dev/loop0 ro,errors=continue\n";

static void the_longest_prefix_covers(void **state)
{
	assert_int_equal(mounts_set(m, 7, sandbox), 0);
	assert_string_equal(find(7, "/etc/x")->type, "overlay");
	assert_int_equal(find(7, "/etc/x")->flags, 0);
	assert_int_equal(find(7, "/proc/1/status")->flags, ST_NOSUID | ST_NODEV | ST_NOEXEC);
	assert_int_equal(find(7, "/tmp")->flags, ST_NOSUID);
	assert_string_equal(find(7, "/tmpfile")->type, "overlay");
	assert_int_equal(find(7, "/jobs/a")->flags, ST_RDONLY);
	assert_int_equal(find(7, "/jobs/cache/a")->flags, 0);
	assert_string_equal(find(7, "/jobs/cachet")->point, "/jobs");
}

static void escapes_are_undone(void **state)
{
	assert_int_equal(mounts_set(m, 7, sandbox), 0);
	assert_int_equal(find(7, "/mnt/with space\\/bin/x")->flags, ST_NOEXEC);
}

/* The superblock may be read-only where the mount is not. */
static void a_readonly_superblock_counts(void **state)
{
	assert_int_equal(mounts_set(m, 7, sandbox), 0);
	assert_int_equal(find(7, "/image/x")->flags, ST_RDONLY);
}

/* What lies below a mount that was put over it is not seen any more. */
static void mounts_lie_on_one_another(void **state)
{
	static const char stacked[] = "1 0 0:1 / / rw - ext4 d rw\n"
				      "2 1 0:2 / /a rw,noexec - ext4 d rw\n"
				      "3 2 0:3 / /a/b rw,nodev - ext4 d rw\n"
				      "4 2 0:4 / /a ro - tmpfs t rw\n"
				      "5 4 0:5 / /a/c rw,nosuid - tmpfs t rw\n";

	assert_int_equal(mounts_set(m, 7, stacked), 0);
	assert_int_equal(find(7, "/a/x")->id, 4);
	assert_int_equal(find(7, "/a/b/x")->id, 4);
	assert_int_equal(find(7, "/a/c/x")->id, 5);
	assert_int_equal(find(7, "/b")->id, 1);
}

static void malformed_lines_are_skipped(void **state)
{
	static const char bad[] = "\n"
				  "x\n"
				  "1 2 3\n"
				  "1 0 0:1 / / rw\n"
				  "1 0 0:1 / / rw -\n"
				  "1 0 0:1 / relative rw - ext4 d rw\n"
				  "9 0 0:1 / / rw,nodev - ext4\n";

	assert_int_equal(mounts_set(m, 7, bad), 0);
	assert_int_equal(find(7, "/x")->id, 9);
	assert_int_equal(find(7, "/x")->flags, ST_NODEV);
}

static void a_ring_of_parents_ends(void **state)
{
	assert_int_equal(mounts_set(m, 7,
				    "1 2 0:1 / / rw - a a rw\n"
				    "2 1 0:1 / / rw - b b rw\n"),
			 0);
	assert_non_null(find(7, "/x"));
	assert_int_equal(mounts_set(m, 7, "1 1 0:1 / / rw - a a rw\n"), 0);
	assert_int_equal(find(7, "/x")->id, 1);
}

static void what_is_unknown_or_dirty_is_wanted(void **state)
{
	assert_true(mounts_wanted(m, 7));
	assert_null(find(7, "/"));
	assert_int_equal(mounts_set(m, 7, sandbox), 0);
	assert_false(mounts_wanted(m, 7));
	mounts_dirty(m, 7);
	assert_true(mounts_wanted(m, 7));
	assert_non_null(find(7, "/")); /* still the best that is known */
	assert_int_equal(mounts_set(m, 7, "1 0 0:1 / / ro - ext4 d rw\n"), 0);
	assert_false(mounts_wanted(m, 7));
	assert_int_equal(find(7, "/tmp/x")->flags, ST_RDONLY);
	assert_null(find(7, "relative"));
	assert_null(mounts_find(m, 7, "", 0));
}

static void the_longest_unused_goes(void **state)
{
	for (uint32_t ns = 1; ns <= MOUNTS_TABLES; ns++)
		assert_int_equal(mounts_set(m, ns, sandbox), 0);
	assert_non_null(find(1, "/")); /* used: the second is the oldest now */
	assert_int_equal(mounts_set(m, 1000, sandbox), 0);
	assert_false(mounts_wanted(m, 1));
	assert_true(mounts_wanted(m, 2));
	assert_false(mounts_wanted(m, 3));
}

static int sent(const char *point, const char *root, int id, int parent)
{
	const struct mount_entry e = { .id = id,
				       .parent = parent,
				       .mode = 040755,
				       .point = (char *)point,
				       .point_len = strlen(point) };

	return mounts_add(m, MOUNTS_SENT(7), &e, root, strlen(root));
}

static const struct mount_entry *find_sent(const char *path)
{
	return mounts_find(m, MOUNTS_SENT(7), path, strlen(path));
}

static void a_table_that_was_sent(void **state)
{
	assert_int_equal(mounts_set(m, 7, sandbox), 0); /* of a namespace with the same number */
	assert_true(mounts_wanted(m, MOUNTS_SENT(7)));
	assert_int_equal(sent("/", "/", 50, 0), 0);
	assert_int_equal(sent("/etc/ssl", "/", 60, 50), 0);
	assert_true(mounts_wanted(m, MOUNTS_SENT(7))); /* not whole */
	assert_int_equal(sent("/home/ann", "/ann", 61, 50), 0);
	mounts_end(m, MOUNTS_SENT(7), 3);
	assert_false(mounts_wanted(m, MOUNTS_SENT(7)));
	assert_int_equal(find_sent("/etc/ssl/certs")->id, 60);
	assert_true(find_sent("/etc/ssl/certs")->elsewhere);
	assert_int_equal(find_sent("/etc/ssl/certs")->mode, 040755);
	assert_false(find_sent("/home/ann/x")->elsewhere);
	assert_int_equal(find_sent("/etc/passwd")->id, 50);
	assert_string_equal(find(7, "/etc/passwd")->type, "overlay");
}

/* A row was lost on the way. */
static void a_table_with_a_hole_is_not_whole(void **state)
{
	assert_int_equal(sent("/", "/", 50, 0), 0);
	mounts_end(m, MOUNTS_SENT(7), 2);
	assert_true(mounts_wanted(m, MOUNTS_SENT(7)));
	mounts_end(m, MOUNTS_SENT(8), 0); /* of one that is not known */
	assert_true(mounts_wanted(m, MOUNTS_SENT(8)));
}

/* Is there something else at that path without the mount? */
static void binds_of_a_path_onto_itself_hide_nothing(void **state)
{
	static const char binds[] = "1 0 0:1 / / rw - ext4 d rw\n"
				    "2 1 0:1 /w /w rw - ext4 d rw\n"
				    "3 1 0:4 /ann /home/ann rw - ext4 e rw\n"
				    "4 1 0:2 / /tmp rw - tmpfs t rw\n"
				    "5 1 0:1 /empty /etc/ssl rw - ext4 d rw\n";

	assert_int_equal(mounts_set(m, 7, binds), 0);
	assert_false(find(7, "/w/x")->elsewhere);
	assert_false(find(7, "/home/ann/x")->elsewhere);
	assert_true(find(7, "/tmp/x")->elsewhere);
	assert_true(find(7, "/etc/ssl/x")->elsewhere);
}

static void a_table_is_bounded(void **state)
{
	char *text = malloc(MOUNTS_ENTRIES * 48 + 4096), *p = text;

	assert_non_null(text);
	for (int i = 1; i <= MOUNTS_ENTRIES + 50; i++)
		p += sprintf(p, "%d %d 0:1 / /%s%d rw - t t rw\n", i, i > 1, i > 1 ? "m" : "", i);
	assert_int_equal(mounts_set(m, 7, text), 0);
	free(text);
	mounts_dirty(m, 7);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(the_longest_prefix_covers),
		T(escapes_are_undone),
		T(a_readonly_superblock_counts),
		T(mounts_lie_on_one_another),
		T(malformed_lines_are_skipped),
		T(a_ring_of_parents_ends),
		T(what_is_unknown_or_dirty_is_wanted),
		T(the_longest_unused_goes),
		T(a_table_that_was_sent),
		T(a_table_with_a_hole_is_not_whole),
		T(binds_of_a_path_onto_itself_hide_nothing),
		T(a_table_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
