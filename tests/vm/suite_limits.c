/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits of processes and users, mount flags, full disks. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "suite.h"

const struct test limit_tests[] = {
	{ "limit-nofile", .words = "limit=nofile:24 descriptors=/dev/null",
	  .want = { "sandbox/fds/process-limit", "/dev/null", "failed", 1, NULL, "openat", "EMFILE",
		    1 } },
	{ "limit-nproc", .words = "limit=nproc:8 uid=48218 children=20",
	  .want = { "sandbox/pids/user-limit", "clone", "failed", 1, NULL, "clone", "EAGAIN", 1 } },
	{ "limit-as", .words = "limit=as:67108864 alloc=256",
	  .want = { "sandbox/memory/address-space", "mmap", "failed", 1, NULL, "mmap", "ENOMEM",
		    1 } },
	{ "limit-memlock", .words = "limit=memlock:65536 uid=48217 mlock=1048576",
	  .want = { "sandbox/memory/locked", "mlock", "failed", 1, NULL, "mlock", "ENOMEM", 1 } },
	{ "limit-fsize", .words = "limit=core:0 limit=fsize:65536 write=%D/big:200000",
	  .want = { "sandbox/quota/file-size", "%D/big", "killed", .signal = "SIGXFSZ" } },
	{ "limit-cpu", .words = "limit=core:0 limit=cpu:1:2 spin",
	  .want = { "sandbox/cpu/time-limit", NULL, "killed", .signal = "SIGXCPU" } },
	{ 0 },
};

static void make_mount_point(struct run *t)
{
	_cleanup_free_ char *path = expand(t, "%D/m");

	check(t, mkdir(path, 0755) == 0, "%s: %s", path, strerror(errno));
}

const struct test file_tests[] = {
	{ "read-only", .words = "space=mount readonly=%D create=%D/f",
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "read-only-relative", .words = "space=mount readonly=%D cd=%D create=f",
	  .want = { "sandbox/read-only/mount", "%D/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "read-only-below-chroot", .words = "space=mount readonly=%D chroot=%D create=/f",
	  .want = { "sandbox/read-only/mount", "/f", "failed", 1, NULL, "openat", "EROFS", 1 } },
	{ "noexec",
	  .words = "space=mount tmpfs=%D/m:noexec copy=%A:%D/m/actor exec %D/m/actor exit=0",
	  .prepare = make_mount_point,
	  .want = { "sandbox/noexec/mount", "%D/m/actor", "failed", 126, NULL, "execve", "EACCES",
		    1 } },
	{ "nodev", .words = "space=mount tmpfs=%D/m:nodev node=%D/m/zero open=%D/m/zero",
	  .prepare = make_mount_point,
	  .want = { "sandbox/masked/file", "%D/m/zero", "failed", 1, NULL, "openat", "EACCES",
		    1 } },
	{ "disk-full", .words = "space=mount tmpfs=%D/m:size=64k write=%D/m/f:1000000",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/full", "%D/m/f", "failed", 1, NULL, "write", "ENOSPC", 1 } },
	{ "disk-inodes", .words = "space=mount tmpfs=%D/m:nr_inodes=2 create=%D/m/a create=%D/m/b",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/inodes", "%D/m/b", "failed", 1, NULL, "openat", "ENOSPC", 1 } },
	{ "disk-full-mapping",
	  .words = "limit=core:0 space=mount tmpfs=%D/m:size=64k map=%D/m/f:1000000",
	  .prepare = make_mount_point,
	  .want = { "sandbox/disk/full", "%D/m/f", "killed", .signal = "SIGBUS" } },
	{ 0 },
};
