# SPDX-License-Identifier: GPL-2.0-only
"""
The faults that the campaign plants: each changes the sandbox around one task or what the tool layer
wrote for it, never the program that runs in it. What must come out of each stands beside it.
"""
import dataclasses
import json
import os
import subprocess

import sandbox

EPERM = 1
OUTSIDE_USER = 48217


def read_only_workspace(box):
    box.read_only.append(".")


def read_only_directory(name):
    def plant(box):
        box.read_only.append(name)
    return plant


def read_only_git(box):
    repo = os.path.join(box.workspace, "repo")
    subprocess.run(["git", "init", "-q", "-b", "main", repo], check=True)
    box.read_only.append("repo/.git")


def seccomp(name, action):
    def plant(box):
        box.seccomp = sandbox.seccomp_filter(name, action)
    return plant


def limit(controller, value):
    def plant(box):
        box.limits[controller] = value
    return plant


def rlimit(option):
    def plant(box):
        box.outside = ["prlimit", option, "--core=0", "--"]
    return plant


def user_limit(box):
    box.uid = OUTSIDE_USER
    box.outside = ["prlimit", "--nproc=10", "--"]
    os.chown(box.workspace, box.uid, box.uid)


def other_owner(box):
    box.uid = OUTSIDE_USER + 1  # the workspace stays root's


def inotify_watches(box):
    script = 'echo 3 >/proc/sys/user/max_inotify_watches && exec "$@"'
    box.outside = ["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"]


def noexec_build(box):
    where = os.path.join(box.workspace, "build")
    os.mkdir(where)
    script = 'mount -t tmpfs -o noexec,size=32m build "$0" && exec "$@"'
    box.outside = ["unshare", "--mount", "sh", "-c", script, where]


def small_disk(name):
    def plant(box):
        box.mounts += ["--size", "196608", "--tmpfs", "/workspace/" + name]
    return plant


def no_capability(box):
    box.capabilities.clear()


def landlock(box):
    box.inside = ["confine", "/workspace", "/tmp", "--"]


def no_tools(box):
    box.tools = False


def settings(**changes):
    def plant(box):
        box.files["settings.json"] = json.dumps(changes)
    return plant


def no_worktree(box):
    box.files = {name: text for name, text in box.files.items() if "worktrees" not in name}


def text_as_source(box):
    text = box.files.pop("minutes.txt")
    box.files["task.json"] = json.dumps({"source": (text * 20).replace(". ", ".\n")})


def long_prompt(box):
    prompts = json.loads(box.files["prompts.json"])
    prompts[2] = "Please review this change with care. " * 6000
    box.files["prompts.json"] = json.dumps(prompts)


def windows_line_ends(name):
    def plant(box):
        box.files[name] = box.files[name].replace("\n", "\r\n")
    return plant


def no_first_line(name):
    def plant(box):
        box.files[name] = box.files[name].split("\n", 1)[1]
    return plant


def short_deadline(box):
    box.deadline = 1.5


@dataclasses.dataclass(frozen=True)
class Fault:
    kind: str  # level/primitive/cause
    program: str
    plant: object
    subject: str = ""  # must be contained in the verdict's subject


# The primitive whose faults come in a burst, and one fault of each other kind.
BURST = [
    Fault("sandbox/read-only/mount", "file-io/journal.py", read_only_workspace,
          "/workspace/journal"),
    Fault("sandbox/read-only/mount", "documents/site.js", read_only_directory("site"),
          "/workspace/site/"),
    Fault("sandbox/read-only/mount", "packages/environment.py", read_only_directory("env"),
          "/workspace/env"),
    Fault("sandbox/read-only/mount", "browser/dom.py", read_only_directory("profile"),
          "/workspace/profile"),
    Fault("sandbox/read-only/mount", "builds/git.sh", read_only_git, "/workspace/repo/.git/"),
]
FAULTS = [
    Fault("sandbox/seccomp/denied", "data-analysis/parallel.py",
          seccomp("clone3", sandbox.SECCOMP_ERRNO | EPERM), "clone3"),
    Fault("sandbox/seccomp/killed", "processes/trace.c",
          seccomp("ptrace", sandbox.SECCOMP_KILL_PROCESS), "ptrace"),
    Fault("sandbox/memory/oom-cgroup", "machine-learning/batch.py", limit("memory", 48 << 20),
          "sandfault-demo"),
    Fault("sandbox/pids/cgroup-limit", "processes/pool.py", limit("pids", 10)),
    Fault("sandbox/fds/process-limit", "file-io/merge.py", rlimit("--nofile=32")),
    Fault("sandbox/quota/file-size", "machine-learning/checkpoint.py", rlimit("--fsize=131072"),
          "model.bin"),
    Fault("sandbox/quota/inotify-watches", "file-io/watch.js", inotify_watches,
          "inotify_add_watch"),
    Fault("sandbox/disk/full", "file-io/tree.sh", small_disk("out"), "/workspace/out"),
    Fault("sandbox/noexec/mount", "builds/cc.sh", noexec_build, "build/main"),
    Fault("sandbox/file-permission/denied", "packages/wheel.py", other_owner, "/workspace"),
    Fault("sandbox/capability/missing", "browser/served.py", no_capability,
          "CAP_NET_BIND_SERVICE"),
    Fault("sandbox/lsm/landlock", "processes/terminal.py", landlock, "/dev/ptmx"),
    Fault("sandbox/binary/not-found", "packages/audit.py", no_tools, "pkg-audit"),
    Fault("sandbox/network/unreachable", "networking/replicas.py",
          settings(replicas=["127.0.0.1:7080", "192.0.2.1:7080"]), "192.0.2.1"),
    Fault("interface/encoding/crlf", "documents/report.sh", windows_line_ends("render.sh"), "\\r"),
    Fault("interface/path/tilde", "sessions/notebook.js", settings(cacheDir="~/.notebook-cache"),
          "~/.notebook-cache"),
    Fault("interface/deadline/killed", "sessions/agent.py", short_deadline),
    Fault("sandbox/memory/address-space", "data-analysis/matrix.py", rlimit("--as=268435456"),
          "mmap"),
    Fault("sandbox/pids/user-limit", "processes/pool.py", user_limit),
    Fault("interface/path/missing-cwd", "processes/supervise.js", no_worktree, "worktrees/feature"),
    Fault("interface/path/too-long", "documents/summary.py", text_as_source,
          "Summarise the meeting"),
    Fault("interface/args/too-long", "sessions/prompt.js", long_prompt, "agent.sh"),
    Fault("interface/script/no-shebang", "builds/checks.py", no_first_line("run-checks"),
          "run-checks"),
    Fault("sandbox/file-permission/denied", "documents/print.py", other_owner, "/workspace"),
    Fault("interface/deadline/killed", "sessions/browse.py", short_deadline),
    Fault("sandbox/capability/missing", "networking/ping.py", no_capability, "CAP_NET_RAW"),
    Fault("sandbox/noexec/mount", "packages/native.py", noexec_build, "build/libnative.so"),
]
