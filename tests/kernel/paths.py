#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""Names come out absolute, as the task sees them: by directory, descriptor, root, mount."""
import os

from lib import PYTHON, WORK, Daemon, check, equal, finish, judged, program, skip, subject, verdict

READ_ONLY = "sandbox/read-only/mount"
d = Daemon()
base = os.path.join(WORK, "tree")
os.makedirs(base + "/a/b")
os.makedirs(base + "/mnt")
os.makedirs(WORK + "/loose")


def read_only(name, code, want):
    """Runs Python in a mount namespace where the tree is read-only; the subject names one file."""
    script = (
        'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && '
        'mount -t tmpfs -o ro none "$0/mnt" || exit 77; '
        'exec "$1" -B -S -c "$2" "$0"'
    )
    status, task, _ = d.run(
        "unshare",
        "-m",
        "/bin/sh",
        "-c",
        script,
        base,
        PYTHON,
        "import os, sys; D = sys.argv[1]\n" + code,
        task=name,
    )
    if status == 77:
        return skip(name, "no mount namespace")
    if judged(name, task, READ_ONLY, outcome="failed"):
        equal(name + ": the subject", os.path.normpath(subject(task)), want)


read_only("absolute", "open(D + '/a/f', 'w')", base + "/a/f")
read_only("working-directory", "os.chdir(D + '/a/b'); open('f', 'w')", base + "/a/b/f")
read_only("dot-dot", "os.chdir(D + '/a/b'); open('../f', 'w')", base + "/a/f")
read_only(
    "descriptor",
    "fd = os.open(D + '/a', os.O_PATH); os.open('b/f', os.O_CREAT | os.O_WRONLY, dir_fd=fd)",
    base + "/a/b/f",
)
read_only("other-mount", "os.chdir(D + '/mnt'); open('f', 'w')", base + "/mnt/f")
read_only("chroot", "os.chroot(D); os.chdir('/a'); open('f', 'w')", "/a/f")
read_only("mkdir-relative", "os.chdir(D); os.mkdir('a/new')", base + "/a/new")
read_only("long-name", "os.chdir(D + '/a'); open('n' * 250, 'w')", base + "/a/" + "n" * 250)
read_only("long-path", "os.chdir(D + '/a'); open('./' * 1500 + 'f', 'w')", base + "/a/f")
read_only(
    "thread",
    "import threading; os.chdir(D + '/a'); bad = []\n"
    "def f():\n try: open('f', 'w')\n except OSError: "
    "bad.append(1)\nt = threading.Thread(target=f); t.start(); t.join(); sys.exit(len(bad))",
    base + "/a/f",
)

# A working directory that is gone still has a name.
code = (
    "import os, sys; os.chdir(sys.argv[1]); os.mkdir('gone'); os.chdir('gone'); "
    "os.rmdir('../gone'); open('plan.md', 'w')"
)
_, task, _ = d.run(PYTHON, "-B", "-S", "-c", code, WORK + "/loose", task="removed")
check(
    "removed: named with its directory",
    subject(task)
    and subject(task).startswith(WORK + "/loose/gone")
    and subject(task).endswith("/plan.md"),
    "expected %s/loose/gone…/plan.md, got %s %s" % (WORK, verdict(task), subject(task)),
)

# 32-bit programs, and 32-bit calls of a 64-bit program, have numbers of their own.
storm32 = program("storm", "storm32", "-m32", "-static", "-pthread")
act32 = program("act", "act32", "-m32", "-static", "-pthread")
act = program("act", None, "-pthread")
script = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" || exit 77; exec "$@"'


def in_read_only(name, *command):
    status, task, _ = d.run("unshare", "-m", "/bin/sh", "-c", script, base, *command, task=name)
    if status == 77:
        return skip(name, "no mount namespace")
    judged(name, task, READ_ONLY, base + "/a/f", "failed")
    equal(name + ": stands under its own ABI", d.tally(name, "abi = 1 AND errno = 30"), 1)


if storm32 and act32:
    status, task, out = d.run(storm32, "2000", "10", task="storm32")
    equal(
        "32-bit: the task's tally",
        d.tally("storm32", "abi = 1 AND syscall = 'openat' AND errno = 2"),
        int(out),
    )
    in_read_only("32-bit", act32, "create", base + "/a/f")
else:
    skip("32-bit", "no 32-bit compiler (gcc-multilib)")
in_read_only("int80", act, "int80", base + "/a/f")
finish()
