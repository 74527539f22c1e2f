/* SPDX-License-Identifier: GPL-2.0-only */
/* Capabilities, security modules, user namespaces, the network, and other ABIs. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "suite.h"

/* What libc calls for chown(). */
#ifdef SYS_chown
#define CHOWN "chown"
#else
#define CHOWN "fchownat"
#endif

void make_places(struct run *t)
{
	_cleanup_free_ char *path = expand(t, "%D/in");

	check(t, mkdir(path, 0777) == 0, "%s: %s", path, strerror(errno));
	write_file(t, "%D/file", 0644, "x");
	write_file(t, "%D/secret", 0600, "x");
}

/* linux/landlock.h: the version, where there is any. */
void has_landlock(struct run *t)
{
	if (syscall(444, NULL, 0, 1) < 0)
		skip(t, "this kernel has no Landlock: %s", strerror(errno));
}

/* PR_GET_MDWE, 6.3 */
static void has_mdwe(struct run *t)
{
	if (prctl(66, 0, 0, 0, 0) < 0)
		skip(t, "this kernel has no PR_SET_MDWE: %s", strerror(errno));
}

const struct test policy_tests[] = {
	{ "capability-net-raw", .words = "space=net uid=48217 raw",
	  .want = { "sandbox/capability/missing", "CAP_NET_RAW", "failed", 1, NULL, "socket",
		    "EPERM", 1 } },
	{ "capability-sys-admin", .words = "drop=21 sethostname=suite",
	  .want = { "sandbox/capability/missing", "CAP_SYS_ADMIN", "failed", 1, NULL, "sethostname",
		    "EPERM", 1 } },
	{ "capability-chown", .words = "drop=0 chown=1000:%D/file", .prepare = make_places,
	  .want = { "sandbox/capability/missing", "CAP_CHOWN", "failed", 1, NULL, CHOWN, "EPERM",
		    1 } },
	{ "capability-low-port", .words = "space=net loopback drop=10 bind=127.0.0.1:80",
	  .sensor = "capabilities",
	  .want = { "sandbox/capability/missing", "CAP_NET_BIND_SERVICE", "failed", 1, NULL, "bind",
		    "EACCES", 1 },
	  .without = { "sandbox/lsm/unnamed", NULL, "failed", 1, NULL, "bind", "EACCES", 1 } },
	{ "landlock-create", .needs = has_landlock,
	  .words = "landlock=%D/in create=%D/in/fine create=%D/refused", .prepare = make_places,
	  .want = { "sandbox/lsm/landlock", "%D/refused", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "landlock-inherited", .needs = has_landlock,
	  .words = "landlock=%D/in fork thread exec %A create=%D/refused", .prepare = make_places,
	  .want = { "sandbox/lsm/landlock", "%D/refused", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "landlock-not-to-blame", .needs = has_landlock,
	  .words = "landlock=%D/in uid=48217 create=%D/file", .prepare = make_places,
	  .want = { "sandbox/file-permission/denied", "%D/file", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	{ "exec-memory", .needs = has_mdwe, .words = "mdwe executable",
	  .want = { "sandbox/exec-memory/denied", "mmap", "failed", 1, NULL, "mmap", "EACCES",
		    1 } },
	{ "userns-limit", .words = "userspace=0:0 put=/proc/sys/user/max_user_namespaces:0 userns",
	  .want = { "sandbox/userns/limit", "unshare CLONE_NEWUSER", "failed", 1, NULL, "unshare",
		    "ENOSPC", 1 } },
	{ "userns-denied", /* user_namespaces(7): EPERM in a chroot */
	  .words = "chroot=%D userns",
	  .want = { "sandbox/userns/denied", "unshare CLONE_NEWUSER", "failed", 1, NULL, "unshare",
		    "EPERM", 1 } },
	{ "userns-unmapped", .words = "userspace=0:0 chown=4242:%D/file", .prepare = make_places,
	  .want = { "sandbox/userns/unmapped-id", CHOWN " 4242:4242", "failed", 1, NULL, CHOWN,
		    "EINVAL", 1 } },
	{ 0 },
};

/* ---- network ---- */

/* A neighbour, in no task, has the port. */
static void port_taken(struct run *t)
{
	static const struct want want = {
		"sandbox/network/address-in-use", NULL, "failed", 1, NULL, "bind", "EADDRINUSE", 1
	};
	_cleanup_close_ int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	_cleanup_json_ struct json_object *task = NULL;
	socklen_t len = sizeof(a);
	char words[64];

	if (s < 0 || bind(s, (struct sockaddr *)&a, sizeof(a)) < 0 || listen(s, 1) < 0 ||
	    getsockname(s, (struct sockaddr *)&a, &len) < 0) {
		skip(t, "no port on the loopback: %s", strerror(errno));
		return;
	}
	snprintf(words, sizeof(words), "bind=127.0.0.1:%d", ntohs(a.sin_port));
	task = act(t, t->test->name, words);
	judge(t, task, &want);
	equal_str(t, "subject", field_at(task, "verdict.subject"), words + strlen("bind="));
}

const struct test network_tests[] = {
	{ "connect-refused", .words = "space=net loopback connect=127.0.0.1:9",
	  .want = { "sandbox/network/refused", "127.0.0.1:9", "failed", 1, NULL, "connect",
		    "ECONNREFUSED", 1 } },
	{ "connect-unreachable", .words = "space=net connect=10.1.2.3:443",
	  .want = { "sandbox/network/unreachable", "10.1.2.3:443", "failed", 1, NULL, "connect",
		    "ENETUNREACH", 1 } },
	{ "connect-refused-later", .words = "space=net loopback later=127.0.0.1:9200",
	  .sensor = "network",
	  .want = { "sandbox/network/refused", "127.0.0.1:9200", "failed", 1, NULL, "connect",
		    "ECONNREFUSED", 1 },
	  .without = { "workload/exit/non-zero", NULL, "failed", 1 } },
	{ "resolver-absent", .words = "space=net loopback resolve=127.0.0.53:53",
	  .want = { "sandbox/network/dns", "127.0.0.53:53", "failed", 1, NULL, NULL, "ECONNREFUSED",
		    1 } },
	{ "resolver-absent-unread", .words = "space=net loopback forsaken=127.0.0.53:53",
	  .sensor = "peers",
	  .want = { "sandbox/network/dns", "127.0.0.53:53", "failed", 1, NULL, NULL, "ECONNREFUSED",
		    1 },
	  /* still: it asked, and nobody answered */
	  .without = { "sandbox/network/dns", "127.0.0.53:53", "failed", 1, .count = 1 } },
	{ "service-absent", .words = "service=/nowhere/service.sock",
	  .want = { "sandbox/network/socket-absent", "/nowhere/service.sock", "failed", 1, NULL,
		    "connect", "ENOENT", 1 } },
	{ "port-taken", .run = port_taken },
	{ "port-taken-by-itself",
	  .words = "space=net loopback bind=127.0.0.1:8080 bind=127.0.0.1:8080",
	  .want = { "workload/exit/non-zero", NULL, "failed", 1 } },
	{ 0 },
};

/* ---- security modules by name ---- */

/* Everything, but one name. */
static const char profile_text[] =
	"profile " PROFILE " {\n"
	"  file,\n  capability,\n  network,\n  signal,\n  ptrace,\n  unix,\n"
	"  deny /**/forbidden rw,\n}\n";

/* The profile comes compiled beside the suite, or is compiled here. */
void has_profile(struct run *t)
{
	_cleanup_free_ char *enabled = read_all("/sys/module/apparmor/parameters/enabled");
	_cleanup_said_ struct said s = { 0 };
	char path[PATH_MAX];

	if (*enabled != 'Y') {
		skip(t, "this kernel has no AppArmor, or it is switched off");
		return;
	}
	path_set(path, "%s/apparmor.profile", suite_dir);
	if (access(path, R_OK) == 0) {
		command(t, &s, "cp %S/apparmor.profile /sys/kernel/security/apparmor/.load");
	} else {
		write_file(t, "%D/profile", 0644, profile_text);
		command(t, &s,
			"apparmor_parser --replace --skip-cache --skip-read-cache %D/profile");
	}
	if (s.status != 0)
		skip(t, "no AppArmor profile can be loaded (status %d): %.150s", s.status, s.err);
}

static void has_ring(struct run *t)
{
	int64_t off = read_number("/proc/sys/kernel/io_uring_disabled");

	if (off > 0)
		skip(t, "io_uring is switched off (kernel.io_uring_disabled)");
	if (!sensor_active(t->daemon, "requests") && !sensor_active(t->daemon, "lookups"))
		skip(t, "the sensor requests is %s, lookups %s",
		     sensor_state(t->daemon, "requests"), sensor_state(t->daemon, "lookups"));
}

const struct test module_tests[] = {
	{ "apparmor-create", .needs = has_profile,
	  .words = "profile=" PROFILE " exec %A keep create=%D/forbidden hold exit=1",
	  .sensor = "hooks-file",
	  .want = { "sandbox/lsm/apparmor", "%D/forbidden", "failed", 1, NULL, "openat", "EACCES",
		    1 },
	  .without = { "sandbox/lsm/unnamed", "%D/forbidden", "failed", 1, NULL, "openat", "EACCES",
		       1 } },
	{ "ring-open", .needs = has_ring, .prepare = make_places,
	  .words = "uid=48217 ring=%D/secret",
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, NULL,
		    "EACCES", 1 } },
	{ 0 },
};

/* ---- ABIs ---- */

void needs_compat(struct run *t)
{
	char path[PATH_MAX];
	struct said s = { 0 };

	path_set(path, "%s/actor32", work_dir);
	if (access(path, X_OK) < 0) {
		skip(t, "no 32-bit program for this machine");
		return;
	}
	command(t, &s, "%W/actor32 /dev/null 0");
	if (s.status != 0)
		skip(t, "this kernel runs no 32-bit programs (status %d)", s.status);
	said_free(&s);
}

static void under_compat(struct run *t, struct json_object *task)
{
	equal_int(t, "on record as 32-bit", tally(&shared, t->test->name, "abi = 1 AND errno = 30"),
		  t->test->want.count);
	equal_int(t, "on record as native", tally(&shared, t->test->name, "abi = 0"), 0);
}

#ifdef __x86_64__
static void under_x32(struct run *t, struct json_object *task)
{
	equal_int(t, "on record as x32",
		  tally(&shared, t->test->name, "abi = 2 AND syscall = 'openat' AND errno = 38"),
		  1);
}
#endif

const struct test abi_tests[] = {
	{ "compat-program", .words = "space=mount readonly=%D exec %W/actor32 %D/f 7",
	  .needs = needs_compat,
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 7 },
	  .after = under_compat },
#ifdef __x86_64__
	{ "compat-call", .words = "space=mount readonly=%D int80=%D/f", .needs = needs_compat,
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "open", "EROFS", 1 },
	  .after = under_compat },
	{ "x32-call", .words = "keep x32=/dev/null exit=0", .needs = needs_compat,
	  .want = { NULL, NULL, "ok" }, .after = under_x32 },
#endif
	{ 0 },
};
