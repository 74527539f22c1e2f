/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <netinet/in.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "decode.h"
#include "names.h"

/* A record with room for what trails it. */
union record {
	struct sf_hdr hdr;
	struct sf_ev_bell bell;
	struct sf_ev_exec exec;
	struct sf_ev_exit exit;
	struct sf_ev_cgroup cgroup;
	struct sf_ev_fork fork;
	struct sf_ev_chunk chunk;
	char bytes[16384];
	uint64_t align;
};

static union record rec;

static void begin(enum sf_kind kind, size_t size)
{
	memset(&rec, 0, sizeof(rec));
	rec.hdr.kind = (uint16_t)kind;
	rec.hdr.size = (uint32_t)size;
	rec.hdr.ts = 1000;
}

static void assert_text(const struct text *t, const char *want)
{
	assert_int_equal(t->len, strlen(want));
	assert_memory_equal(t->data, want, t->len);
}

/* ---- records ---- */

static const size_t sizes[] = {
	[SF_EV_BELL] = sizeof(struct sf_ev_bell),     [SF_EV_EXEC] = sizeof(struct sf_ev_exec),
	[SF_EV_FORK] = sizeof(struct sf_ev_fork),     [SF_EV_EXIT] = sizeof(struct sf_ev_exit),
	[SF_EV_THREAD] = sizeof(struct sf_ev_thread), [SF_EV_SIGNAL] = sizeof(struct sf_ev_signal),
	[SF_EV_OOM] = sizeof(struct sf_ev_oom),	      [SF_EV_CGROUP] = sizeof(struct sf_ev_cgroup),
	[SF_EV_STATE] = sizeof(struct sf_ev_state),   [SF_EV_NET] = sizeof(struct sf_ev_net),
	[SF_EV_CPU] = sizeof(struct sf_ev_cpu),	      [SF_EV_CHUNK] = sizeof(struct sf_ev_chunk),
	[SF_EV_MOUNT] = sizeof(struct sf_ev_mount),
};

static void every_kind_has_its_size(void **state)
{
	struct event e;

	for (size_t k = SF_EV_BELL; k < ARRAY_SIZE(sizes); k++) {
		begin((enum sf_kind)k, sizes[k]);
		assert_int_equal(decode_event(&rec, sizes[k], &e), 0);
		assert_int_equal(e.kind, k);
		assert_ptr_equal(e.actor, (char *)&rec + sizeof(struct sf_hdr));
		rec.hdr.size = (uint32_t)(sizes[k] - 1);
		assert_int_equal(decode_event(&rec, sizes[k] - 1, &e), -EBADMSG);
	}
}

static void unknown_kinds_are_refused(void **state)
{
	struct event e;

	begin((enum sf_kind)0, 256);
	assert_int_equal(decode_event(&rec, 256, &e), -EBADMSG);
	begin((enum sf_kind)(SF_EV_MOUNT + 1), 256);
	assert_int_equal(decode_event(&rec, 256, &e), -EBADMSG);
	begin((enum sf_kind)0xffff, 256);
	assert_int_equal(decode_event(&rec, 256, &e), -EBADMSG);
}

/* Its room in the ring is of a fixed size, and often longer than it. */
static void a_chunk_ends_before_its_room_does(void **state)
{
	const size_t size = sizeof(rec.chunk) + 5, room = sizeof(rec.chunk) + 1024;
	struct event e;

	begin(SF_EV_CHUNK, size);
	rec.chunk.len = 5;
	memcpy(rec.bytes + sizeof(rec.chunk), "{\"a\"}garbage", 13);
	assert_int_equal(decode_event(&rec, room, &e), 0);
	assert_ptr_equal(e.chunk, &rec);
	assert_int_equal(e.part[0].len, 5);
	assert_memory_equal(e.part[0].data, "{\"a\"}", 5);
	assert_int_equal(e.part[1].len, 0);
	rec.chunk.len = 6; /* beyond the record, not beyond the room */
	assert_int_equal(decode_event(&rec, room, &e), -EBADMSG);
	rec.chunk.len = 5;
	rec.hdr.size = (uint32_t)room + 1;
	assert_int_equal(decode_event(&rec, room, &e), -EBADMSG);
	begin(SF_EV_FORK, sizeof(rec.fork));
	assert_int_equal(decode_event(&rec, room, &e), -EBADMSG);
}

static void a_size_that_lies_is_refused(void **state)
{
	struct event e;

	begin(SF_EV_FORK, sizeof(rec.fork) + 8);
	assert_int_equal(decode_event(&rec, sizeof(rec.fork), &e), -EBADMSG);
	assert_int_equal(decode_event(&rec, 3, &e), -EBADMSG);
	assert_int_equal(decode_event(&rec, 0, &e), -EBADMSG);
}

/* Each trailing length, one byte too long. */
static void trailing_lengths_are_checked(void **state)
{
	struct event e;
	size_t size = sizeof(rec.exec) + 10;

	begin(SF_EV_EXEC, size);
	rec.exec.file_len = 3;
	rec.exec.exe_len = 4;
	rec.exec.argv_len = 3;
	memcpy(&rec.exec + 1, "fffeeeeaaa", 10);
	assert_int_equal(decode_event(&rec, size, &e), 0);
	assert_memory_equal(e.part[0].data, "fff", 3);
	assert_memory_equal(e.part[1].data, "eeee", 4);
	assert_memory_equal(e.part[2].data, "aaa", 3);
	rec.exec.argv_len = 4;
	assert_int_equal(decode_event(&rec, size, &e), -EBADMSG);
	rec.exec.argv_len = 0;
	rec.exec.exe_len = 8;
	assert_int_equal(decode_event(&rec, size, &e), -EBADMSG);

	begin(SF_EV_EXIT, sizeof(rec.exit) + 4);
	rec.exit.tail_len = 5;
	assert_int_equal(decode_event(&rec, sizeof(rec.exit) + 4, &e), -EBADMSG);
	rec.exit.tail_len = 0xffff;
	assert_int_equal(decode_event(&rec, sizeof(rec.exit) + 4, &e), -EBADMSG);
	rec.exit.tail_len = 2;
	rec.exit.report_len = 3;
	assert_int_equal(decode_event(&rec, sizeof(rec.exit) + 4, &e), -EBADMSG);

	begin(SF_EV_CGROUP, sizeof(rec.cgroup) + 4);
	rec.cgroup.path_len = 1ULL << 63;
	assert_int_equal(decode_event(&rec, sizeof(rec.cgroup) + 4, &e), -EBADMSG);
	rec.cgroup.path_len = 4;
	assert_int_equal(decode_event(&rec, sizeof(rec.cgroup) + 4, &e), 0);
}

/* ---- paths ---- */

static void paths_are_joined(void **state)
{
	static const struct {
		const char *base, *text, *want;
	} t[] = {
		{ "/home/u", "a", "/home/u/a" },
		{ "/home/u", "./a//b/./c", "/home/u/a/b/c" },
		{ "/home/u", "../x", "/home/u/../x" },
		{ "/home/u", "/etc//passwd", "/etc/passwd" },
		{ "/home/u", "/", "/" },
		{ "/", "a", "/a" },
		{ "/", "", "/" },
		{ "/home/u/", "", "/home/u" },
		{ "/home/u", ".", "/home/u" },
		{ "", "a/./b", "a/b" },
		{ "", "", "." },
		{ "", "./", "." },
		{ "", "/a/", "/a" },
		{ "", "~/x", "~/x" },
		{ "ut/off", "a", "ut/off/a" }, /* a base that lost its beginning */
		{ "/d", "...", "/d/..." },
		{ "/d", ".a", "/d/.a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct text got = { 0 };

		assert_int_equal(decode_path(&got, t[i].base, strlen(t[i].base), t[i].text,
					     strlen(t[i].text)),
				 0);
		assert_text(&got, t[i].want);
		text_free(&got);
	}
}

/* ---- processes ---- */

static void an_exec_says_what_it_gained(void **state)
{
	size_t size = sizeof(rec.exec) + 7;
	struct process p = { 0 };
	struct event e;

	begin(SF_EV_EXEC, size);
	rec.exec.exe_len = 7;
	rec.exec.secure = SF_SECURE_NNP | SF_SECURE_NOSUID;
	memcpy(&rec.exec + 1, "/bin/su", 7);
	assert_int_equal(decode_event(&rec, size, &e), 0);
	assert_int_equal(decode_exec(&e, &p), 0);
	assert_int_equal(p.secure, SECURE_NNP | SECURE_NOSUID);
	assert_text(&p.exe, "/bin/su");
	rec.exec.secure = 0; /* the next one is an ordinary program */
	assert_int_equal(decode_exec(&e, &p), 0);
	assert_int_equal(p.secure, 0);
	text_free(&p.file);
	text_free(&p.exe);
	text_free(&p.argv);
}

/* ---- bells ---- */

/* A bell for a syscall with text and base; decoded into *s. */
static void bell(struct signature *s, const char *syscall, int err, uint8_t kind, const void *text,
		 size_t len, const char *base)
{
	struct event e;
	size_t base_len = strlen(base), size = sizeof(rec.bell) + len + base_len;

	rec.bell.key.nr = (uint16_t)names_syscall_nr(syscall);
	rec.bell.key.err = (int16_t)err;
	rec.bell.text_kind = kind;
	rec.bell.text_len = (uint16_t)len;
	rec.bell.base_len = (uint16_t)base_len;
	rec.hdr.kind = SF_EV_BELL;
	rec.hdr.ts = 1000;
	rec.hdr.size = (uint32_t)size;
	if (len)
		memcpy(&rec.bell + 1, text, len);
	memcpy((char *)(&rec.bell + 1) + len, base, base_len);
	assert_int_equal(decode_event(&rec, size, &e), 0);
	memset(s, 0, sizeof(*s));
	s->key = rec.bell.key;
	assert_int_equal(decode_bell(&e, s), 0);
}

static void a_relative_path_is_made_absolute(void **state)
{
	struct signature s;

	begin(SF_EV_BELL, 0);
	bell(&s, "openat", ENOENT, SF_TEXT_PATH, "./x", 3, "/w");
	assert_string_equal(s.syscall, "openat");
	assert_true(s.classes & SYS_OPEN);
	assert_text(&s.subject, "/w/x");
	assert_text(&s.raw, "./x");
	assert_true(s.bell);
	assert_false(s.subject_cut);
	assert_int_equal(s.first_ns, 1000);
	signature_clear(&s);
}

static void cut_texts_say_so(void **state)
{
	struct signature s;

	begin(SF_EV_BELL, 0);
	rec.bell.flags = SF_BELL_BASE | SF_BELL_BASE_CUT;
	bell(&s, "openat", ENOENT, SF_TEXT_PATH, "x", 1, "tail/of/base");
	assert_text(&s.subject, "tail/of/base/x");
	assert_true(s.subject_cut);
	signature_clear(&s);
}

/* What a refused call points at was never looked at. */
static void a_refused_call_is_its_own_subject(void **state)
{
	struct signature s;

	begin(SF_EV_BELL, 0);
	rec.bell.key.entry = SF_DENIED;
	bell(&s, "openat", EPERM, SF_TEXT_UNREADABLE, "", 0, "");
	assert_text(&s.subject, "openat");
	signature_clear(&s);
	begin(SF_EV_BELL, 0);
	rec.bell.key.entry = SF_DENIED;
	bell(&s, "openat", EPERM, SF_TEXT_PATH, "/x", 2, "");
	assert_text(&s.subject, "openat");
	assert_text(&s.raw, "/x");
	signature_clear(&s);
}

/* What succeeded and yet did not do what it was asked to. */
static void a_success_that_was_none_has_a_subject(void **state)
{
	struct signature s;

	begin(SF_EV_BELL, 0);
	rec.bell.key.entry = SF_REPLY;
	rec.bell.flags = SF_BELL_CAP;
	rec.bell.cap_mask = 1ULL << 12;
	bell(&s, "sendmsg", EPERM, SF_TEXT_NONE, "", 0, "");
	assert_text(&s.subject, "sendmsg");
	assert_int_equal(s.cap_mask, 1ULL << 12);
	signature_clear(&s);
	begin(SF_EV_BELL, 0);
	rec.bell.key.entry = SF_SHORT;
	rec.bell.limits.valid = SF_LIM_RLIMITS | SF_LIM_MM;
	rec.bell.limits.rlim_fsize = 5000;
	rec.bell.limits.map_count = 7;
	bell(&s, "pwrite64", 0, SF_TEXT_FD, "/w/log", 6, "");
	assert_text(&s.subject, "/w/log");
	assert_int_equal(signature_limits(&s)->rlim_fsize, 5000);
	assert_int_equal(signature_limits(&s)->map_count, 7);
	signature_clear(&s);
}

static void the_decisive_argument_is_named(void **state)
{
	struct signature s;
	uint64_t family = 1; /* AF_UNIX */

	begin(SF_EV_BELL, 0);
	rec.bell.args[0] = family;
	bell(&s, "socket", EPERM, SF_TEXT_ARG, &family, sizeof(family), "");
	assert_text(&s.subject, "socket AF_UNIX");
	signature_clear(&s);
	begin(SF_EV_BELL, 0);
	rec.bell.args[0] = family;
	rec.bell.key.coarse = 1; /* counts for many: none of them is named */
	bell(&s, "socket", EPERM, SF_TEXT_NONE, "", 0, "");
	assert_text(&s.subject, "socket");
	signature_clear(&s);
}

static void an_address_is_shown(void **state)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_port = htons(443),
				  .sin_addr = { htonl(0x0a000007) } };
	struct signature s;

	begin(SF_EV_BELL, 0);
	bell(&s, "connect", ECONNREFUSED, SF_TEXT_SOCKADDR, &in, sizeof(in), "");
	assert_text(&s.subject, "10.0.0.7:443");
	signature_clear(&s);
}

static void hostile_bytes_stay_exact(void **state)
{
	struct signature s;

	begin(SF_EV_BELL, 0);
	memset(rec.bell.actor.comm, 'x', SF_COMM); /* not terminated */
	rec.bell.limits.valid = SF_LIM_PIDS;
	memset(rec.bell.limits.pids_name, 'y', SF_CG_NAME);
	bell(&s, "openat", ENOENT, SF_TEXT_PATH, "/a\n\xff\r", 5, "");
	assert_int_equal(s.subject.len, 5);
	assert_memory_equal(s.subject.data, "/a\n\xff\r", 5);
	assert_int_equal(strlen(s.comm), SF_COMM - 1);
	assert_int_equal(strlen(signature_limits(&s)->pids_name), SF_CG_NAME - 1);
	signature_clear(&s);
}

/* ---- the map's own text ---- */

static void a_value_stands_in_for_a_lost_bell(void **state)
{
	struct sf_key key = { .nr = (uint16_t)names_syscall_nr("openat"), .err = ENOENT };
	struct sf_val val = { .count = 3, .first_ns = 5, .last_ns = 9, .tid = 7 };
	struct signature s = { 0 };

	val.text_kind = SF_TEXT_PATH;
	val.text_len = 4;
	memcpy(val.text, "a//b", 4);
	assert_int_equal(decode_value(&key, &val, &s), 0);
	assert_text(&s.subject, "a/b");
	assert_false(s.bell);
	assert_false(s.subject_cut);
	assert_int_equal(s.first_ns, 5);
	assert_int_equal(s.last_ns, 9);
	signature_clear(&s);

	memset(&s, 0, sizeof(s));
	val.text_len = SF_SIG_TEXT + 1;
	memset(val.text, '/', sizeof(val.text));
	assert_int_equal(decode_value(&key, &val, &s), 0);
	assert_true(s.subject_cut);
	assert_int_equal(s.raw.len, SF_SIG_TEXT);
	signature_clear(&s);
}

static void a_value_keeps_its_one_argument(void **state)
{
	struct sf_key key = { .nr = (uint16_t)names_syscall_nr("socket"), .err = EPERM };
	struct sf_val val = { .text_kind = SF_TEXT_ARG, .text_len = 8 };
	struct signature s = { 0 };
	uint64_t family = 16; /* AF_NETLINK */

	memcpy(val.text, &family, sizeof(family));
	assert_int_equal(decode_value(&key, &val, &s), 0);
	assert_text(&s.subject, "socket AF_NETLINK");
	signature_clear(&s);
}

/* ---- processes ---- */

static void a_process_is_told_by_its_events(void **state)
{
	struct process p = { 0 };
	struct event e;
	size_t size = sizeof(rec.exit) + 8;

	begin(SF_EV_EXIT, size);
	rec.exit.actor = (struct sf_actor){
		.tgid = 4, .tid = 4, .ppid = 2, .ns_pid = 1, .mntns = 9, .comm = "sh"
	};
	rec.exit.status = 3 << 8;
	rec.exit.tail_len = 5;
	rec.exit.report_len = 3;
	memcpy(&rec.exit + 1, "oops\nno\n", 8);
	assert_int_equal(decode_event(&rec, size, &e), 0);
	decode_actor(&e, &p);
	assert_int_equal(decode_exit(&e, &p), 0);
	assert_string_equal(p.comm, "sh");
	assert_int_equal(p.parent.tgid, 2);
	assert_true(p.exited);
	assert_int_equal(p.status, 3 << 8);
	assert_text(&p.tail, "oops\n");
	assert_text(&p.report, "no\n");
	/* Reparented: the first parent stays. A thread's name is not the process's. */
	rec.exit.actor.ppid = 1;
	rec.exit.actor.tid = 5;
	rec.exit.actor.mntns = 0;
	memcpy(rec.exit.actor.comm, "worker", 7);
	decode_actor(&e, &p);
	assert_int_equal(p.parent.tgid, 2);
	assert_int_equal(p.mntns, 9);
	assert_string_equal(p.comm, "sh");
	text_free(&p.tail);
	text_free(&p.report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_has_its_size),
		cmocka_unit_test(unknown_kinds_are_refused),
		cmocka_unit_test(a_chunk_ends_before_its_room_does),
		cmocka_unit_test(a_size_that_lies_is_refused),
		cmocka_unit_test(trailing_lengths_are_checked),
		cmocka_unit_test(paths_are_joined),
		cmocka_unit_test(an_exec_says_what_it_gained),
		cmocka_unit_test(a_relative_path_is_made_absolute),
		cmocka_unit_test(cut_texts_say_so),
		cmocka_unit_test(a_refused_call_is_its_own_subject),
		cmocka_unit_test(a_success_that_was_none_has_a_subject),
		cmocka_unit_test(the_decisive_argument_is_named),
		cmocka_unit_test(an_address_is_shown),
		cmocka_unit_test(hostile_bytes_stay_exact),
		cmocka_unit_test(a_value_stands_in_for_a_lost_bell),
		cmocka_unit_test(a_value_keeps_its_one_argument),
		cmocka_unit_test(a_process_is_told_by_its_events),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
