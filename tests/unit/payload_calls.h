/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls of tools that write and read whole files, on the rig. Include after cmocka.h. */
#ifndef SANDFAULT_TESTS_PAYLOAD_CALLS_H
#define SANDFAULT_TESTS_PAYLOAD_CALLS_H

#include "payload_rig.h"

#define S(s) s, sizeof(s) - 1
#define PNG  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\x90\x77\x93\xa3\xff"
/* PNG as a decoder of UTF-8 hands it on */
#define PNG_TEXT                                                                                   \
	"\xef\xbf\xbdPNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x60\xef\xbf\xbdw\xef\xbf\xbd\xef\xbf\xbd"     \
	"\xef\xbf\xbd"
#define PNG_BASE64 "iVBORw0KGgoAAAANSUhEUgAAAGCQd5Oj/w=="

static inline struct json_object *args(const char *path, const char *key, const char *s, size_t len)
{
	return rig_object("path", json_object_new_string(path), key, rig_json(s, len));
}

/* A call of write_file that puts `disk` there. */
static inline void write_call(const char *path, const char *given, size_t len, const char *disk,
			      size_t disk_len)
{
	rig_begin("write_file", args(path, "content", given, len));
	rig_write(path, disk, disk_len);
	rig_end(CALL_OK, rig_text(S("ok")));
}

static inline void read_call(const char *path, const char *back, size_t len)
{
	rig_begin("read_file", rig_object("path", json_object_new_string(path), NULL, NULL));
	rig_end(CALL_OK, rig_text(back, len));
}

#define TEST(t) cmocka_unit_test_setup_teardown(t, rig_set_up, rig_tear_down)

#endif
