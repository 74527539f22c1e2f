/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The suite that runs inside a virtual machine (or here): real failures, each by a small actor,
 * against a real daemon; what it must say of them stands beside each.
 *
 *   suite [NAME…]    ok NAME | not ok NAME: why | skip NAME: why | info KEY: VALUE
 *
 * Tests run beside one another; what is alone (`alone`) runs after them, in the order of the tables.
 */
#ifndef SANDFAULT_VM_SUITE_H
#define SANDFAULT_VM_SUITE_H

#include <json-c/json.h>
#include <limits.h>

#include "../../daemon/util.h"

#define DEADLINE   90 /* seconds that anything may take: loading alone takes ten on a busy host */
#define OTHER_USER 48217 /* a user of no meaning */
#define CAMPAIGN   "suite"

struct test;
struct daemon;

/* One test under way. */
struct run {
	const struct test *test;
	const struct daemon *daemon; /* the shared one, or that of its `off` */
	char dir[PATH_MAX];	     /* of its own; everybody may look into it */
	char why[1024];		     /* empty: nothing failed */
	char skipped[256];
	struct text details; /* "# …" lines */
	int checks;
};

/* What a task must come out as. */
struct want {
	const char *verdict; /* level/primitive/cause; NULL: none */
	const char *subject; /* all of it; "~…": contained; NULL: any */
	const char *outcome;
	int exit; /* exit code where the outcome is ok or failed */
	const char *signal;
	const char *syscall, *error; /* of the verdict's failure; NULL: any */
	int count;		     /* of the verdict's failure; 0: any */
};

/* Without `run`: the actor gets `words` (expand()) as a task, which must come out as `want`; where
 * `sensor` is not active, as `without`; it is skipped where there is none, and where the sensor does not
 * work in the `way` of which the daemon must tell ("by kprobe"). Where the sensor is active (or none is
 * named) the task's JSON must say `says` (expand()). */
struct test {
	const char *name;
	const char *words;
	struct want want;
	const char *sensor;
	struct want without;
	const char *way, *says;
	const char *off; /* on a daemon with --no-sensor OFF, which all such tests share */
	void (*needs)(struct run *t);	/* skips it */
	void (*prepare)(struct run *t); /* before the task */
	void (*run)(struct run *t);
	void (*after)(struct run *t, struct json_object *task); /* more checks */
	bool alone;
};

extern const struct test call_tests[], exec_tests[], seccomp_tests[], signal_tests[], limit_tests[],
	file_tests[], policy_tests[], network_tests[], abi_tests[], module_tests[], cgroup_tests[],
	count_tests[], command_tests[], end_tests[], hook_tests[], way_tests[], yama_tests[],
	ring_tests[], throttle_tests[], channel_tests[];

/* ---- suite.c: reports ---- */

bool check(struct run *t, bool good, const char *fmt, ...) _printf_(3, 4);
bool equal_str(struct run *t, const char *what, const char *got, const char *want);
bool equal_int(struct run *t, const char *what, int64_t got, int64_t want);
void skip(struct run *t, const char *fmt, ...) _printf_(2, 3);
void detail(struct run *t, const char *fmt, ...) _printf_(2, 3);
void info(const char *key, const char *fmt, ...) _printf_(2, 3);
bool over(const struct run *t); /* failed or skipped */

/* ---- suite_env.c: this machine, files, processes ---- */

extern char work_dir[PATH_MAX], suite_dir[PATH_MAX], actor_path[PATH_MAX];
extern char cgroup2[PATH_MAX]; /* the mount point */

/* Truncation ends the suite. */
void path_set(char ret[PATH_MAX], const char *fmt, ...) _printf_(2, 3);
void env_setup(void); /* dies where it can't */
void env_clean(void);
/* %W work directory, %D the test's own, %A the actor, %S the suite's directory; owned. */
char *expand(const struct run *t, const char *text);
void write_file(struct run *t, const char *path, int mode, const char *text);
void write_bytes(struct run *t, const char *path, int mode, const void *data, size_t len);
pid_t fork_alone(void);
char *read_all(const char *path); /* "" where there is none; owned */
int64_t read_number(const char *path);
/* A process that waits for its go, then runs the command; its fd 1 and 2 go to %D/NAME.out, .err.
 * `cgroups`: directories to enter first; NULL-terminated or NULL. */
struct child {
	pid_t pid;
	int go; /* write end; its standard input */
	char name[NAME_MAX];
};
int child_start(struct run *t, struct child *c, const char *name, const char *const *cgroups,
		char *const argv[]);
void child_go(struct child *c);
/* The status as wait(2) has it; -ETIMEDOUT: it was killed. */
int child_wait(struct child *c);
bool child_ended(const struct child *c);
/* Words at blanks; NULL-terminated, owned with its first element. */
char **split(const char *words);
void split_free(char ***argv);
#define _cleanup_split_ _cleanup_(split_free)
/* Polls; false: not within the deadline. */
bool wait_until(bool (*condition)(void *arg), void *arg);

/* ---- suite_cgroup_env.c ---- */

/* Makes a cgroup below the suite's own, its directory. */
void cgroup_make(struct run *t, char ret[PATH_MAX], const char *name);
/* What is below it may be limited; then no process may be in it. */
void cgroup_hand_down(const char *directory);
void cgroup_make_v1(struct run *t, char ret[PATH_MAX], const char *mount, const char *name);
const char *cgroup_name(const char *directory); /* from the root of the tree */
void cgroup_remove(const char *directory);	/* kills what is in it */
bool cgroup_put(const char *directory, const char *file, const char *value);
/* The v1 hierarchy of a controller; NULL: it belongs to cgroup2, or nobody has it. */
const char *cgroup_v1(const char *controller);
bool cgroup_has(const char *controller); /* cgroup2 has it, and hands it down */
void cgroups_clean(void);
void cgroups_setup(void);
extern char cgroup_top[NAME_MAX]; /* the suite's own, its name below the root */

/* ---- suite_daemon.c: daemons, their sockets and databases ---- */

struct daemon {
	pid_t pid;
	char dir[PATH_MAX], db[PATH_MAX], socket[PATH_MAX], log[PATH_MAX];
	const char *off; /* sensors and ways that it does without; NULL: it has them all */
	struct json_object *sensors;
};
extern struct daemon shared;

/* With the template for what lies below the suite's own cgroup, unless sensors are off; again, if it
 * ran there before. */
int daemon_start(struct daemon *d, const char *dir);
int daemon_stop(struct daemon *d, int sig); /* status as wait(2) has it, or -ETIMEDOUT */
const char *sensor_state(const struct daemon *d, const char *name); /* "unknown": no such sensor */
const char *sensor_reason(const struct daemon *d, const char *name);
bool sensor_active(const struct daemon *d, const char *name);
void sensors_read(struct daemon *d);
/* The daemon without those sensors: the first who asks starts it. NULL: it does not start. */
const struct daemon *daemon_without(struct run *t, const char *off);
void daemons_without_stop(void);
/* One request, fields as json_object_new_* values: name, value, …, NULL. NULL: no answer. */
struct json_object *ask(const struct daemon *d, const char *op, ...) __attribute__((sentinel));
bool said_ok(struct run *t, const char *what, struct json_object *reply);
/* A first column as a number or a text; -1 and NULL where there is no row. */
int64_t sql_number(const struct daemon *d, const char *fmt, ...) _printf_(2, 3);
char *sql_text(const struct daemon *d, const char *fmt, ...) _printf_(2, 3);
/* Runs a command to its end; what it said is in out and err. Exit status, 128 + signal, -errno. */
struct said {
	int status;
	char *out, *err;
};
void command(struct run *t, struct said *ret, const char *words);
void said_free(struct said *s);
#define _cleanup_said_ _cleanup_(said_free)

/* ---- suite_task.c: tasks and what they come out as ---- */

const char *field_at(struct json_object *o, const char *path); /* "verdict.level"; "" for null */
int64_t number_at(struct json_object *o, const char *path);
/* level/primitive/cause; "none". */
void verdict_of(struct json_object *task, char *buf, size_t size);
void judge(struct run *t, struct json_object *task, const struct want *want);
/* The actor as a task, to its end: final JSON, owned. Where it holds, until all is known so far. */
struct json_object *act(struct run *t, const char *task, const char *words);
/* … and the steps of it: an actor that waits for its go; a task of it, by "pid" or "cgroup"; an actor
 * that holds (false: it ended before); its end, status as wait(2). */
void task_prepare(struct run *t, struct child *c, const char *name, const char *const *cgroups,
		  const char *words);
struct json_object *task_begin(struct run *t, const char *task, const char *key,
			       struct json_object *value);
void begin_cgroup(struct run *t, const char *task, const char *directory);
bool task_hold(struct run *t, struct child *c);
int task_finish(struct run *t, struct child *c);
void flush(struct run *t, const struct daemon *d);
struct json_object *end_task(struct run *t, const struct daemon *d, const char *task);
/* The failing calls of a task on record, where SQL says so. */
int64_t tally(const struct daemon *d, const char *task, const char *where);
#define OPENS "syscall = 'openat' AND errno = 2"
void end_counts(struct run *t, const char *task, int64_t opens); /* ends it: so many OPENS */
void must_say(struct run *t, struct json_object *task, const char *says); /* expand() */
void needs_compat(struct run *t); /* skips it where no 32-bit program runs (suite_policy.c) */
void run_words(struct run *t);	  /* a test without a function of its own */

static inline void json_putp(struct json_object **o)
{
	json_object_put(*o);
}
/* ---- suite_policy.c ---- */

#define PROFILE "sandfault-suite" /* of AppArmor: everything but files of the name "forbidden" */
void make_places(struct run *t);  /* %D/in, and the files %D/file and %D/secret, root's alone */
void has_landlock(struct run *t);
void has_profile(struct run *t); /* and has it loaded */

#define _cleanup_json_ _cleanup_(json_putp)

#endif
