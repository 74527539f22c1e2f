#!/usr/bin/python3 -B
# SPDX-License-Identifier: GPL-2.0-only
"""What seccomp did is told from what the kernel did, whichever way the filter chose."""
import os

from lib import NOBODY, PYTHON, WORK, Daemon, check, equal, finish, judged, program, verdict

d = Daemon()
filt = program("filter", None, "-lseccomp")
act = program("act", None, "-pthread")
MKDIR = "mkdir,mkdirat" if os.uname().machine == "x86_64" else "mkdirat"
NEW = WORK + "/new"

status, task, _ = d.run(filt, "13", MKDIR, act, "mkdir", NEW, task="errno")
judged(
    "an errno of the filter is not the file's", task, "sandbox/seccomp/denied", "mkdir", "failed"
)
equal(
    "it is counted as refused",
    d.tally("errno", "syscall LIKE 'mkdir%' AND errno = 13 AND entry = 1"),
    1,
)

status, task, _ = d.run(filt, "kill", MKDIR, act, "mkdir", NEW, task="kill")
judged("kill", task, "sandbox/seccomp/killed", "mkdir", "killed")
equal("kill: the status of run", status, 128 + 31)
equal("kill: the signal", task and task["signal"], "SIGSYS")

status, task, _ = d.run(filt, "trap", MKDIR, act, "mkdir", NEW, task="trap")
judged("trap", task, "sandbox/seccomp/trapped", "mkdir", "killed")

status, task, _ = d.run(filt, "trap", MKDIR, act, "trap-handled", NEW, task="trap-handled")
equal(
    "a trap that is handled and does no harm",
    (status, verdict(task), task["outcome"]),
    (0, None, "ok"),
)

status, task, _ = d.run(filt, "kill-thread", MKDIR, act, "thread", NEW, task="thread")
judged(
    "one thread is killed, which raises no signal",
    task,
    "sandbox/seccomp/killed",
    "mkdir",
    "failed",
)

# A filter that refuses nothing the program asks for: whatever fails is the kernel's own.
code = (
    "import os\ntry: os.mkdir('/')\nexcept OSError: pass\n"
    "os.system('ls /nowhere 2>/dev/null'); import json, socket"
)
status, task, _ = d.run(filt, "1", "kexec_load", PYTHON, "-c", code, task="healthy")
equal("a healthy program under a filter", (status, verdict(task)), (0, None))
equal(
    "a healthy program under a filter: nothing counted as refused",
    d.tally("healthy", "entry = 1"),
    0,
)

# The same call, denied by mode bits under a filter that lets it through.
os.mkdir(WORK + "/closed", 0o700)
status, task, _ = d.run(
    "setpriv",
    "--reuid=%d" % NOBODY,
    "--regid=%d" % NOBODY,
    "--clear-groups",
    filt,
    "1",
    "kexec_load",
    act,
    "mkdir",
    WORK + "/closed/new",
    task="mode",
)
judged(
    "mode bits under a filter", task, "sandbox/file-permission/denied", WORK + "/closed", "failed"
)
equal(
    "mode bits under a filter: entered",
    d.tally("mode", "syscall LIKE 'mkdir%' AND errno = 13 AND entry <> 1"),
    1,
)

# A second filter on top, and a program that is refused the same call many times.
status, task, _ = d.run(
    filt,
    "1",
    "kexec_load",
    filt,
    "1",
    MKDIR,
    PYTHON,
    "-S",
    "-c",
    "import os\nfor i in range(50):\n try: os.mkdir('%s')\n except OSError: pass\n"
    "raise SystemExit(3)" % NEW,
    task="stacked",
)
judged("two filters", task, "sandbox/seccomp/denied", "mkdir", "failed")
equal(
    "two filters: every refusal is counted",
    d.tally("stacked", "syscall LIKE 'mkdir%' AND errno = 1"),
    50,
)
check("nothing was made", not os.path.exists(NEW), NEW)
finish()
