/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "attribute.h"

#define KERNEL(n) (SF_INSTANCE_KERNEL | (n))

static struct attribution *a;
static struct task *one, *two;
static struct template *templates[2];

static int setup(void **state)
{
	char *error = NULL;

	one = task_new(1);
	two = task_new(2);
	if (!one || !two || attribute_new(&a) < 0)
		return -1;
	if (template_compile(&templates[0], "/t/{campaign}/{task}", &error) < 0)
		return -1;
	return template_compile(&templates[1], "/s/docker-{task}.scope", &error);
}

static int teardown(void **state)
{
	attribute_free(a);
	task_free(one);
	task_free(two);
	template_free(templates[0]);
	template_free(templates[1]);
	return 0;
}

static struct cgroup_node *node(uint64_t id, uint64_t parent, const char *path)
{
	struct cgroup_node *n = attribute_cgroup_add(a, id, parent, path, strlen(path));

	assert_non_null(n);
	return n;
}

static enum attribute_claim decide(struct cgroup_node *n, struct task **task,
				   struct template_match *match)
{
	enum attribute_claim claim;

	*task = NULL;
	assert_int_equal(attribute_decide(a, n, templates, 2, &claim, match, task), 0);
	return claim;
}

/* ---- instances ---- */

static void an_instance_is_one_task(void **state)
{
	assert_null(attribute_find(a, 1));
	assert_int_equal(attribute_alias(a, 1, one), 0);
	assert_int_equal(attribute_alias(a, KERNEL(5), one), 0);
	assert_int_equal(attribute_alias(a, 1, one), 0);
	assert_int_equal(attribute_alias(a, 1, two), -EEXIST);
	assert_ptr_equal(attribute_find(a, 1)->task, one);
	assert_ptr_equal(attribute_find(a, KERNEL(5))->task, one);
	attribute_drop(a, 1);
	assert_null(attribute_find(a, 1));
	attribute_drop(a, 1);
}

static void count(struct alias *alias, void *arg)
{
	++*(int *)arg;
	attribute_drop(a, alias->instance);
}

static void each_visits_the_tasks_own(void **state)
{
	int n = 0;

	assert_int_equal(attribute_alias(a, 1, one), 0);
	assert_int_equal(attribute_alias(a, KERNEL(1), one), 0);
	assert_int_equal(attribute_alias(a, 2, two), 0);
	attribute_each(a, one, count, &n);
	assert_int_equal(n, 2);
	assert_null(attribute_find(a, 1));
	assert_non_null(attribute_find(a, 2));
}

/* A task's numbers are the sum over its instances, each counted once. */
static void counters_add_up(void **state)
{
	struct sf_instance now = { .benign = 4, .lost = 1, .rare_lost = 2 }, delta;

	assert_int_equal(attribute_alias(a, 1, one), 0);
	assert_int_equal(attribute_alias(a, KERNEL(1), one), 0);
	delta = attribute_count(attribute_find(a, 1), &now);
	assert_int_equal(delta.benign, 4);
	now.benign = 6;
	delta = attribute_count(attribute_find(a, 1), &now);
	assert_int_equal(delta.benign, 2);
	assert_int_equal(delta.lost, 0);
	now = (struct sf_instance){ .coarse = 5 };
	attribute_count(attribute_find(a, KERNEL(1)), &now);
	assert_int_equal(one->failed, 7);
	assert_int_equal(one->benign, 6);
	assert_int_equal(one->coarse, 5);
	assert_int_equal(one->lost, 3);
}

/* ---- cgroups ---- */

static void a_template_names_the_task(void **state)
{
	struct template_match match = { 0 };
	struct task *task;

	assert_int_equal(decide(node(10, 1, "/t/night/x"), &task, &match), CLAIM_TEMPLATE);
	assert_string_equal(match.campaign, "night");
	assert_string_equal(match.task, "x");
	template_match_clear(&match);
	assert_int_equal(decide(node(11, 1, "/s/docker-abc.scope"), &task, &match), CLAIM_TEMPLATE);
	assert_string_equal(match.task, "abc");
	template_match_clear(&match);
}

static void what_matches_nothing_is_nobodys(void **state)
{
	struct template_match match;
	struct task *task;

	assert_int_equal(decide(node(10, 1, "/t"), &task, &match), CLAIM_NONE);
	assert_int_equal(decide(node(11, 1, "/t/night"), &task, &match), CLAIM_NONE);
	assert_int_equal(decide(node(12, 1, "/s/cron.service"), &task, &match), CLAIM_NONE);
}

static void the_nearest_claim_above_wins(void **state)
{
	struct template_match match;
	struct task *task;

	attribute_cgroup_bind(node(10, 1, "/t/night/x"), one, 1, true);
	node(11, 10, "/t/night/x/a");
	assert_int_equal(decide(node(12, 11, "/t/night/x/a/b"), &task, &match), CLAIM_INHERITED);
	assert_ptr_equal(task, one);
	attribute_cgroup_bind(attribute_cgroup(a, 11), two, 2, true);
	assert_int_equal(decide(attribute_cgroup(a, 12), &task, &match), CLAIM_INHERITED);
	assert_ptr_equal(task, two);
	assert_int_equal(decide(attribute_cgroup(a, 11), &task, &match), CLAIM_KNOWN);
	assert_ptr_equal(task, two);
}

static void an_ended_task_inherits_nothing(void **state)
{
	struct template_match match;
	struct task *task;

	attribute_cgroup_bind(node(10, 1, "/t/night/x"), one, 1, true);
	one->rec.state = STATE_FINAL;
	assert_int_equal(decide(node(11, 10, "/t/night/x/a"), &task, &match), CLAIM_NONE);
}

static void a_ring_of_parents_ends(void **state)
{
	struct template_match match;
	struct task *task;

	node(10, 11, "/p");
	assert_int_equal(decide(node(11, 10, "/q"), &task, &match), CLAIM_NONE);
	node(12, 12, "/r");
	assert_int_equal(decide(attribute_cgroup(a, 12), &task, &match), CLAIM_NONE);
}

static void a_cgroup_is_added_once(void **state)
{
	struct cgroup_node *n = attribute_cgroup_add(a, 10, 1, "/t/night/xYZ", 10);

	assert_string_equal(n->path, "/t/night/x");
	assert_ptr_equal(attribute_cgroup_add(a, 10, 2, "/other", 6), n);
	assert_string_equal(n->path, "/t/night/x");
	attribute_cgroup_remove(a, 10);
	assert_null(attribute_cgroup(a, 10));
	attribute_cgroup_remove(a, 10);
}

/* ---- the model that attribution fills ---- */

/* Found in /proc first, told its start time by an event: one process, and its children's parent. */
static void a_process_from_proc_is_recognised(void **state)
{
	struct process *p = task_add_process(one, 40, 0), *child = task_add_process(one, 41, 777);

	child->parent.tgid = 40;
	assert_ptr_equal(task_add_process(one, 40, 555), p);
	assert_int_equal(p->key.start_ns, 555);
	assert_int_equal(child->parent.start_ns, 555);
	assert_ptr_equal(task_find_process(one, 40, 555), p);
	assert_int_equal(one->alive, 2);
	/* The number is used again by another process. */
	assert_ptr_not_equal(task_add_process(one, 40, 999), p);
	assert_int_equal(one->alive, 3);
}

static void last_failures_are_kept_newest_first(void **state)
{
	struct process *p = task_add_process(one, 10, 5);
	struct sf_key key = { .err = 2 };

	assert_non_null(p);
	for (uint64_t i = 1; i <= PROCESS_LAST + 2; i++) {
		key.hash = i;
		process_fails(p, &key, 2, i * 10);
	}
	assert_int_equal(p->n_last, 2 * (PROCESS_LAST + 2));
	assert_int_equal(p->last[0].hash, PROCESS_LAST + 2);
	assert_int_equal(p->last[PROCESS_LAST - 1].hash, 3);
	key.hash = 5; /* known already: it comes to the front, and the others stay */
	process_fails(p, &key, 1, 1000);
	assert_int_equal(p->last[0].hash, 5);
	assert_int_equal(p->last[1].hash, PROCESS_LAST + 2);
	assert_int_equal(p->last[PROCESS_LAST - 1].hash, 3);
	key.hash = 77; /* older than all */
	process_fails(p, &key, 1, 1);
	key.hash = 78; /* between them: a sweep brings them in no order */
	process_fails(p, &key, 1, 85);
	assert_int_equal(p->last[PROCESS_LAST - 1].hash, 4);
	for (size_t i = 1; i < PROCESS_LAST; i++)
		assert_true(p->last[i - 1].ts >= p->last[i].ts && p->last[i].hash != 77);
}

static void processes_are_bounded(void **state)
{
	for (uint32_t i = 1; i <= TASK_MAX_PROCESSES; i++) {
		struct process *p = task_add_process(one, i, i);

		assert_non_null(p);
		if (i > 100) {
			p->exited = true;
			p->status = i % 2 ? 0 : 256;
			one->alive--;
		}
	}
	assert_non_null(task_add_process(one, 1, 1000000));
	assert_true(HASH_COUNT(one->processes) <= TASK_MAX_PROCESSES);
	assert_non_null(task_find_process(one, 1, 1));	   /* alive */
	assert_non_null(task_find_process(one, 102, 102)); /* failed */
	assert_null(task_find_process(one, 101, 101));	   /* ended well, the oldest */
	assert_int_equal(one->alive, 101);
}

static void signatures_are_bounded(void **state)
{
	struct sf_key key = { .instance = 1, .tgid = 9, .err = ENOENT, .nr = 2 };
	struct signature *s = NULL, *same;

	for (uint64_t i = 1; i <= TASK_MAX_SIGNATURES; i++) {
		key.hash = i;
		s = task_add_signature(one, &key);
		assert_int_equal(s->key.hash, i);
	}
	key.hash = TASK_MAX_SIGNATURES + 1;
	s = task_add_signature(one, &key);
	assert_int_equal(s->key.hash, 0);
	assert_int_equal(s->key.coarse, 1);
	assert_int_equal(s->key.tgid, 9);
	key.hash++;
	same = task_add_signature(one, &key);
	assert_ptr_equal(same, s);
	key.hash = 3; /* one that is there is found still */
	assert_int_equal(task_add_signature(one, &key)->key.hash, 3);
}

int main(void)
{
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
	const struct CMUnitTest tests[] = {
		T(an_instance_is_one_task),
		T(each_visits_the_tasks_own),
		T(counters_add_up),
		T(a_template_names_the_task),
		T(what_matches_nothing_is_nobodys),
		T(the_nearest_claim_above_wins),
		T(an_ended_task_inherits_nothing),
		T(a_ring_of_parents_ends),
		T(a_cgroup_is_added_once),
		T(a_process_from_proc_is_recognised),
		T(last_failures_are_kept_newest_first),
		T(processes_are_bounded),
		T(signatures_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
