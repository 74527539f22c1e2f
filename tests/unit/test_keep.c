/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls that are over: counted all, stored as long as a task has not too many. */
#include "db_fixture.h"

#include "daemon/core.h"

struct rig {
	struct fixture *f;
	struct pipeline p;
	struct tracked tr;
};

static int set_up(void **state)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct task_record t = a_task(7, "t-7", 1, STATE_RUNNING);

	if (!r || fixture_setup((void **)&r->f) < 0)
		return -1;
	r->p.store = open_store(r->f);
	r->p.utc_offset_ns = T0;
	r->tr.task = task_new(7);
	assert_int_equal(task_record_copy(&r->tr.task->rec, &t, false), 0);
	assert_int_equal(store_put_task(r->p.store, &r->tr.task->rec), 0);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	struct rig *r = *state;

	task_free(r->tr.task);
	fixture_teardown((void **)&r->f);
	free(r);
	return 0;
}

/* Commits, and closes the store: nothing is asked of it afterwards but by SQL. */
static void done(struct rig *r)
{
	assert_int_equal(store_put_task(r->p.store, &r->tr.task->rec), 0);
	store_close(r->p.store);
}

static void test_counts(void **state)
{
	struct rig *r = *state;
	struct task_record *rec = &r->tr.task->rec;
	struct call_fault faults[2] = { { .cause = CAUSE_PAYLOAD_TRUNCATED } };
	struct call calls[] = {
		{ .id = 1, .end = CALL_OK, .started_ns = 1, .ended_ns = 2 },
		{ .id = 2, .end = CALL_TOOL_ERROR, .started_ns = 1, .ended_ns = 2 },
		{ .id = 3, .end = CALL_NEVER, .started_ns = 1 },
		{ .id = 4, .end = CALL_CANCELLED, .started_ns = 1, .ended_ns = 2 },
		{ .id = 5,
		  .end = CALL_OK,
		  .started_ns = 1,
		  .ended_ns = 2,
		  .faults = faults,
		  .n_faults = 2 },
	};

	faults[1].cause = CAUSE_ENCODING_CRLF;
	r->tr.task->dirty = false;
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++)
		keep_call(&r->p, &r->tr, &calls[i]);
	assert_true(r->tr.task->dirty);
	assert_int_equal(rec->calls, 5);
	assert_int_equal(rec->calls_failed, 2);
	assert_int_equal(rec->call_faults, 2);
	assert_int_equal(rec->lost, 0);
	done(r);
	assert_int_equal(number(r->f->path, "SELECT count(*) FROM call WHERE task = 7"), 5);
	assert_int_equal(number(r->f->path, "SELECT sum(failed) FROM call"), 2);
	assert_int_equal(number(r->f->path, "SELECT min(started_ns) FROM call"), T0 + 1);
	assert_int_equal(number(r->f->path, "SELECT calls FROM task"), 5);
}

static void test_bounds(void **state)
{
	struct rig *r = *state;
	struct call well = { .end = CALL_OK, .started_ns = 1, .ended_ns = 2 };
	struct call failed = { .end = CALL_ERROR, .started_ns = 1, .ended_ns = 2 };

	r->tr.calls_kept = 99999;
	for (int i = 0; i < 3; i++)
		keep_call(&r->p, &r->tr, &well); /* the first has room */
	for (int i = 0; i < 3; i++)
		keep_call(&r->p, &r->tr, &failed);
	r->tr.calls_kept = 200000;
	keep_call(&r->p, &r->tr, &failed);
	assert_int_equal(r->tr.task->rec.calls, 7);
	assert_int_equal(r->tr.task->rec.calls_failed, 4);
	done(r);
	assert_int_equal(number(r->f->path, "SELECT count(*) FROM call WHERE NOT failed"), 1);
	assert_int_equal(number(r->f->path, "SELECT count(*) FROM call WHERE failed"), 3);
}

/* What the queue has no room for is told of the task. */
static void test_lost(void **state)
{
	static char big[1 << 20];
	struct rig *r = *state;
	struct call c = { .end = CALL_OK, .started_ns = 1, .ended_ns = 2, .args = big };

	memset(big, 'a', sizeof(big) - 1);
	for (int i = 0; i < 70; i++)
		keep_call(&r->p, &r->tr, &c);
	assert_int_equal(r->tr.task->rec.calls, 70);
	assert_in_range(r->tr.task->rec.lost, 6, 8);
	assert_int_equal(r->tr.task->lost, r->tr.task->rec.lost);
	assert_int_equal(store_commit(r->p.store), 0);
	done(r);
	assert_int_equal(number(r->f->path, "SELECT count(*) + t.lost FROM call c JOIN task t"
					    " ON t.id = c.task"),
			 70);
}

static void test_incidents(void **state)
{
	struct rig *r = *state;
	struct incident i = { .kind = INCIDENT_CLOSED, .ts = 5, .open = 2 };

	keep_incident(&r->p, &r->tr, &i);
	r->tr.incidents_kept = TASK_MAX_EVENTS;
	keep_incident(&r->p, &r->tr, &i);
	done(r);
	assert_int_equal(number(r->f->path, "SELECT count(*) FROM incident WHERE task = 7"), 1);
	assert_int_equal(number(r->f->path, "SELECT at_ns FROM incident"), T0 + 5);
}

/* Its record is final: nobody else will write the counts. */
static void test_final(void **state)
{
	struct rig *r = *state;
	struct call c = { .end = CALL_OK, .started_ns = 1, .ended_ns = 2 };

	r->tr.task->rec.state = STATE_FINAL;
	keep_call(&r->p, &r->tr, &c);
	store_close(r->p.store);
	assert_int_equal(number(r->f->path, "SELECT calls FROM task"), 1);
}

#define T(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(test_counts), T(test_bounds), T(test_lost), T(test_incidents), T(test_final),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
