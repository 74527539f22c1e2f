/* SPDX-License-Identifier: GPL-2.0-only */
/* The suite's frame: which tests, in which order, and what is printed of them. */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "suite.h"

#define WORKERS 4
#define SLOWEST 6 /* tests that are told of */
#define PATIENCE                                                                                   \
	200 /* seconds for all tests; a busy host needs three times what an idle one does */

/* What takes longest begins first. */
static const struct test *const tables[] = {
	hook_tests,   command_tests, throttle_tests, limit_tests,   count_tests,
	cgroup_tests, call_tests,    exec_tests,     seccomp_tests, signal_tests,
	file_tests,   policy_tests,  network_tests,  abi_tests,	    module_tests,
	yama_tests,   ring_tests,    way_tests,	     channel_tests, end_tests,
};

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	const struct test *queue[512];
	size_t n, next;
	const struct test *busy[WORKERS];
	struct {
		const char *name;
		int64_t ns;
	} slow[SLOWEST + 1];
	int idle, passed, failed, skipped;
} all = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

void info(const char *key, const char *fmt, ...)
{
	va_list ap;

	flockfile(stdout);
	printf("info %s: ", key);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	funlockfile(stdout);
}

static char *escaped(const char *fmt, va_list ap)
{
	char text[4096], *e;

	vsnprintf(text, sizeof(text), fmt, ap);
	e = util_escape(text, strlen(text));
	if (!e)
		abort();
	return e;
}

void detail(struct run *t, const char *fmt, ...)
{
	_cleanup_free_ char *line = NULL, *so_far = NULL;
	va_list ap;

	va_start(ap, fmt);
	line = escaped(fmt, ap);
	va_end(ap);
	so_far = TAKE_PTR(t->details.data);
	if (text_printf(&t->details, "%s# %s\n", so_far ? so_far : "", line) < 0)
		abort();
}

bool check(struct run *t, bool good, const char *fmt, ...)
{
	_cleanup_free_ char *why = NULL;
	va_list ap;

	t->checks++;
	if (good)
		return true;
	va_start(ap, fmt);
	why = escaped(fmt, ap);
	va_end(ap);
	if (*t->why)
		detail(t, "%s", why);
	else
		snprintf(t->why, sizeof(t->why), "%s", why);
	return false;
}

bool equal_str(struct run *t, const char *what, const char *got, const char *want)
{
	return check(t, strcmp(got ? got : "(none)", want) == 0, "%s: expected %s, got %s", what,
		     want, got ? got : "(none)");
}

bool equal_int(struct run *t, const char *what, int64_t got, int64_t want)
{
	return check(t, got == want, "%s: expected %lld, got %lld", what, (long long)want,
		     (long long)got);
}

void skip(struct run *t, const char *fmt, ...)
{
	va_list ap;

	if (*t->skipped)
		return;
	va_start(ap, fmt);
	vsnprintf(t->skipped, sizeof(t->skipped), fmt, ap);
	va_end(ap);
}

bool over(const struct run *t)
{
	return *t->why || *t->skipped;
}

static void print_result(struct run *t)
{
	const char *name = t->test->name;

	pthread_mutex_lock(&all.lock);
	if (!*t->why && !*t->skipped && !t->checks)
		snprintf(t->why, sizeof(t->why), "it checked nothing");
	if (*t->why) {
		all.failed++;
		printf("not ok %s: %s\n%s", name, t->why, t->details.data ? t->details.data : "");
	} else if (*t->skipped) {
		all.skipped++;
		printf("skip %s: %s\n", name, t->skipped);
	} else {
		all.passed++;
		printf("ok %s\n", name);
	}
	fflush(stdout);
	pthread_mutex_unlock(&all.lock);
}

/* The slowest so far, slowest first. */
static void note_time(const char *name, int64_t ns)
{
	pthread_mutex_lock(&all.lock);
	for (size_t i = SLOWEST; i-- > 0 && all.slow[i].ns < ns;) {
		all.slow[i + 1] = all.slow[i];
		all.slow[i].name = name;
		all.slow[i].ns = ns;
	}
	pthread_mutex_unlock(&all.lock);
}

static void print_times(int64_t began)
{
	for (size_t i = 0; i < SLOWEST && all.slow[i].name; i++)
		info("slow", "%s %.1f s", all.slow[i].name, (double)all.slow[i].ns / NSEC_PER_SEC);
	info("seconds", "%.1f", (double)(util_now_boottime() - began) / NSEC_PER_SEC);
}

static void run_test(const struct test *test)
{
	int64_t began = util_now_boottime();
	struct run t = { .test = test, .daemon = &shared };

	path_set(t.dir, "%s/%s", work_dir, test->name);
	if (mkdir(t.dir, 0755) < 0)
		check(&t, false, "%s: %s", t.dir, strerror(errno));
	if (test->off)
		t.daemon = daemon_without(&t, test->off);
	if (!over(&t) && test->needs)
		test->needs(&t);
	if (!over(&t) && test->prepare)
		test->prepare(&t);
	if (!over(&t))
		(test->run ? test->run : run_words)(&t);
	print_result(&t);
	note_time(test->name, util_now_boottime() - began);
	text_free(&t.details);
}

static void *work(void *arg)
{
	const struct test **mine = arg;

	pthread_mutex_lock(&all.lock);
	while (all.next < all.n) {
		*mine = all.queue[all.next++];
		pthread_mutex_unlock(&all.lock);
		run_test(*mine);
		pthread_mutex_lock(&all.lock);
		*mine = NULL;
	}
	all.idle++;
	pthread_cond_signal(&all.changed);
	pthread_mutex_unlock(&all.lock);
	return NULL;
}

/* What still runs is not waited for: the machine may hang with it. */
static void give_up(void)
{
	for (size_t i = 0; i < WORKERS; i++)
		if (all.busy[i])
			printf("not ok %s: no end within %d s\n", all.busy[i]->name, PATIENCE);
	printf("%d passed, %d failed, %d skipped\n", all.passed, all.failed + 1, all.skipped);
	fflush(stdout);
	_exit(1);
}

static void work_all(int workers)
{
	struct timespec end;
	pthread_t thread;
	int r = 0;

	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += PATIENCE;
	all.idle = 0;
	for (int i = 0; i < workers; i++)
		if (pthread_create(&thread, NULL, work, &all.busy[i]) || pthread_detach(thread))
			abort();
	pthread_mutex_lock(&all.lock);
	while (all.idle < workers && r == 0)
		r = pthread_cond_timedwait(&all.changed, &all.lock, &end);
	if (r)
		give_up();
	pthread_mutex_unlock(&all.lock);
}

static bool chosen(const char *name, char **names)
{
	if (!*names)
		return true;
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

static void run_tables(char **names, bool alone)
{
	all.n = all.next = 0;
	for (size_t i = 0; i < ARRAY_SIZE(tables); i++)
		for (const struct test *t = tables[i]; t->name; t++)
			if (t->alone == alone && chosen(t->name, names) &&
			    all.n < ARRAY_SIZE(all.queue))
				all.queue[all.n++] = t;
	work_all(alone ? 1 : WORKERS);
}

static void describe(void)
{
	struct utsname u;

	uname(&u);
	info("kernel", "%s %s", u.release, u.machine);
	info("cgroups", "%s", cgroup_v1("memory") || cgroup_v1("pids") ? "hybrid" : "v2");
}

static void start_shared(void)
{
	char dir[PATH_MAX];
	_cleanup_free_ char *log = NULL;

	path_set(dir, "%s/daemon", work_dir);
	if (daemon_start(&shared, dir) == 0)
		return sensors_read(&shared);
	log = read_all(shared.log);
	printf("not ok daemon: it does not start\n# %.1000s\n0 passed, 1 failed, 0 skipped\n", log);
	env_clean();
	exit(1);
}

int main(int argc, char **argv)
{
	int64_t began = util_now_boottime();

	signal(SIGPIPE, SIG_IGN);
	env_setup();
	describe();
	start_shared();
	run_tables(argv + 1, false);
	daemons_without_stop();
	run_tables(argv + 1, true);
	daemon_stop(&shared, SIGTERM);
	env_clean();
	print_times(began);
	if (all.passed + all.failed + all.skipped == 0)
		printf("not ok suite: no such test\n"), all.failed++;
	printf("%d passed, %d failed, %d skipped\n", all.passed, all.failed, all.skipped);
	return all.failed ? 1 : 0;
}
