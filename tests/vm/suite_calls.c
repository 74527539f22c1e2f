/* SPDX-License-Identifier: GPL-2.0-only */
/* Failing opens and execs, seccomp, and the end of a process. */
#include <elf.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include "suite.h"

static void make_secrets(struct run *t)
{
	write_file(t, "%D/secret", 0600, "x");
	write_file(t, "%D/other", 0600, "x");
}

const struct test call_tests[] = {
	{ "open-absent", .words = "open=/nowhere/file",
	  .want = { "workload/exit/missing-file", "/nowhere/file", "failed", 1, NULL, "openat",
		    "ENOENT", 1 } },
	{ "open-mode-bits", .words = "uid=48217 open=%D/secret", .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	/* Of two refusals the one counts that the process spoke of, not the last. */
	{ "stderr-names-the-call", .words = "uid=48217 keep open=%D/secret tried=%D/other exit=1",
	  .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	{ "counted-failures",
	  .words = "uid=48217 keep open=%D/secret keep open=%D/secret open=%D/secret",
	  .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 3 } },
	{ "child-fails", .words = "uid=48217 fork open=%D/secret", .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	{ "thread-fails", .words = "uid=48217 thread open=%D/secret", .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	{ "thread-execs", .words = "uid=48217 thread exec %A open=%D/secret",
	  .prepare = make_secrets,
	  .want = { "sandbox/file-permission/denied", "%D/secret", "failed", 1, NULL, "openat",
		    "EACCES", 1 } },
	{ "healthy", .words = "tried=/nowhere/file open=/dev/null exit=0",
	  .want = { NULL, NULL, "ok" } },
	{ 0 },
};

/* ---- exec ---- */

static void make_foreign(struct run *t)
{
	Elf64_Ehdr h = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2MSB,
				      EV_CURRENT },
			 .e_type = htobe16(ET_EXEC),
			 .e_machine = htobe16(EM_S390),
			 .e_version = htobe32(EV_CURRENT) };

	write_bytes(t, "%D/program", 0755, &h, sizeof(h));
}

/* A program of this machine whose loader is not there. */
static void make_orphan(struct run *t)
{
	struct {
		Elf64_Ehdr h;
		Elf64_Phdr p[2];
		char loader[32];
	} f = { .h = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				    EV_CURRENT },
		       .e_type = ET_EXEC,
#ifdef __aarch64__
		       .e_machine = EM_AARCH64,
#else
		       .e_machine = EM_X86_64,
#endif
		       .e_version = EV_CURRENT,
		       .e_phoff = sizeof(f.h),
		       .e_ehsize = sizeof(f.h),
		       .e_phentsize = sizeof(f.p[0]),
		       .e_phnum = 2 },
		.loader = "/nowhere/ld.so" };

	f.p[0] = (Elf64_Phdr){ .p_type = PT_INTERP,
			       .p_offset = offsetof(__typeof__(f), loader),
			       .p_filesz = strlen(f.loader) + 1,
			       .p_memsz = strlen(f.loader) + 1 };
	f.p[1] = (Elf64_Phdr){ .p_type = PT_LOAD,
			       .p_flags = PF_R | PF_X,
			       .p_vaddr = 0x400000,
			       .p_filesz = sizeof(f),
			       .p_memsz = sizeof(f),
			       .p_align = 4096 };
	write_bytes(t, "%D/program", 0755, &f, sizeof(f));
}

#define INSIDE "inside of the exec "

static void make_orphan_script(struct run *t)
{
	write_file(t, "%D/program", 0755, "#!/nowhere/python2\nprint 1\n");
}

static void make_crlf_script(struct run *t)
{
	write_file(t, "%D/program", 0755, "#!/bin/sh\r\necho deploying\r\n");
}

static void make_bare_script(struct run *t)
{
	write_file(t, "%D/program", 0755, "echo deploying\n");
}

static void make_plain(struct run *t)
{
	write_file(t, "%D/program", 0644, "#!/bin/sh\n");
}

/* The exec's own opening of it was seen to fail. */
static void names_inner(struct run *t, struct json_object *task)
{
	if (sensor_active(t->daemon, "lookups"))
		must_say(t, task,
			 strstr(t->test->name, "loader") ? INSIDE "/nowhere/ld.so"
							 : INSIDE "/nowhere/python2");
}

const struct test exec_tests[] = {
	{ "exec-absent", .words = "exec /nowhere/program",
	  .want = { "sandbox/binary/not-found", "/nowhere/program", "failed", 127, NULL, "execve",
		    "ENOENT", 1 } },
	{ "exec-foreign", .words = "exec %D/program", .prepare = make_foreign,
	  .want = { "sandbox/binary/architecture", "%D/program", "failed", 126, NULL, "execve",
		    "ENOEXEC", 1 } },
	{ "exec-loader-absent", .words = "exec %D/program", .prepare = make_orphan,
	  .want = { "sandbox/library/loader", "/nowhere/ld.so", "failed", 127, NULL, "execve",
		    "ENOENT", 1 },
	  .after = names_inner },
	{ "exec-interpreter-absent", .words = "exec %D/program", .prepare = make_orphan_script,
	  .want = { "sandbox/binary/interpreter", "/nowhere/python2", "failed", 127, NULL, "execve",
		    "ENOENT", 1 },
	  .after = names_inner },
	{ "exec-crlf", .words = "exec %D/program", .prepare = make_crlf_script,
	  .want = { "interface/encoding/crlf", "/bin/sh\\r", "failed", 127, NULL, "execve",
		    "ENOENT", 1 } },
	{ "exec-no-shebang", .words = "exec %D/program", .prepare = make_bare_script,
	  .want = { "interface/script/no-shebang", "%D/program", "failed", 126, NULL, "execve",
		    "ENOEXEC", 1 } },
	{ "exec-mode-bits", .words = "exec %D/program", .prepare = make_plain,
	  .want = { "sandbox/file-permission/denied", "%D/program", "failed", 126, NULL, "execve",
		    "EACCES", 1 } },
	{ 0 },
};

/* ---- seccomp ---- */

static void as_refused(struct run *t, struct json_object *task)
{
	equal_int(t, "calls counted as refused", tally(&shared, t->test->name, "entry = 1"), 1);
}

static void as_entered(struct run *t, struct json_object *task)
{
	equal_int(t, "calls counted as refused", tally(&shared, t->test->name, "entry = 1"), 0);
}

static void nothing_failed(struct run *t, struct json_object *task)
{
	equal_int(t, "failing calls", tally(&shared, t->test->name, "1"), 0);
}

const struct test seccomp_tests[] = {
	{ "seccomp-errno", .words = "filter=mkdir:13 mkdir=%D/new",
	  .want = { "sandbox/seccomp/denied", "~mkdir", "failed", 1, NULL, NULL, "EACCES", 1 },
	  .after = as_refused },
	{ "seccomp-errno-child", .words = "filter=mkdir:1 fork exec %A mkdir=%D/new",
	  .want = { "sandbox/seccomp/denied", "~mkdir", "failed", 1, NULL, NULL, "EPERM", 1 },
	  .after = as_refused },
	{ "seccomp-kill", .words = "limit=core:0 filter=mkdir:kill mkdir=%D/new",
	  .want = { "sandbox/seccomp/killed", "~mkdir", "killed", .signal = "SIGSYS" } },
	{ "seccomp-kill-thread", .words = "filter=mkdir:kill-thread thread mkdir=%D/new",
	  .want = { "sandbox/seccomp/killed", "~mkdir", "failed", 1 } },
	{ "seccomp-trap", .words = "limit=core:0 filter=mkdir:trap mkdir=%D/new",
	  .want = { "sandbox/seccomp/trapped", "~mkdir", "killed", .signal = "SIGSYS" } },
	{ "seccomp-trap-handled", .words = "handler filter=mkdir:trap mkdir=%D/new exit=0",
	  .want = { NULL, NULL, "ok" } },
	{ "seccomp-faked-success", .words = "filter=mkdir:0 mkdir=%D/new getpriority exit=0",
	  .want = { NULL, NULL, "ok" }, .after = nothing_failed },
	{ "seccomp-faked-directory", /* what was never made is not the task's own */
	  .words = "filter=mkdir:0 mkdir=%D/new open=%D/new",
	  .want = { "workload/exit/missing-file", "%D/new", "failed", 1, NULL, "openat", "ENOENT",
		    1 },
	  .after = as_entered },
	{ "seccomp-not-to-blame", .words = "filter=kexec:1 uid=48217 mkdir=%D/new",
	  .want = { "sandbox/file-permission/denied", "%D/new", "failed", 1, NULL, NULL, "EACCES",
		    1 },
	  .after = as_entered },
	{ 0 },
};

/* ---- how processes end ---- */

static void killed_by_harness(struct run *t)
{
	static const struct want want = { "interface/deadline/killed", "suite", "killed",
					  .signal = "SIGKILL" };
	_cleanup_json_ struct json_object *task = NULL;
	struct child c;

	task_prepare(t, &c, t->test->name, NULL, "pause");
	json_object_put(task_begin(t, t->test->name, "pid", json_object_new_int(c.pid)));
	child_go(&c);
	kill(c.pid, SIGKILL);
	equal_int(t, "status", child_wait(&c), SIGKILL);
	task = end_task(t, &shared, t->test->name);
	judge(t, task, &want);
}

const struct test signal_tests[] = {
	{ "exit-plain", .words = "exit=3",
	  .want = { "workload/exit/non-zero", NULL, "failed", 3 } },
	{ "exit-with-message", .words = "said=assertion_failed exit=4",
	  .want = { "workload/exit/non-zero", NULL, "failed", 4 } },
	{ "signal-abort", .words = "limit=core:0 raise=6",
	  .want = { "workload/crash/signal", NULL, "killed", .signal = "SIGABRT" } },
	{ "signal-fault", .words = "limit=core:0 fault",
	  .want = { "workload/crash/signal", NULL, "killed", .signal = "SIGSEGV" } },
	{ "signal-of-a-child", .words = "killed=9",
	  .want = { "interface/deadline/killed", "actor", "killed", .signal = "SIGKILL" } },
	{ "signal-of-the-harness", .run = killed_by_harness },
	{ 0 },
};
