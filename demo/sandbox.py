# SPDX-License-Identifier: GPL-2.0-only
"""A task's sandbox: bubblewrap, a cgroup of its own, and limits set from outside of it."""
import dataclasses
import os
import platform
import shutil
import struct
import time

PATH = "/platform/bin:/usr/local/bin:/usr/bin:/bin"
# Moves itself into the cgroups before anything of the task runs.
ENTER = 'for g in $1; do echo $$ >"$g/cgroup.procs" || exit 125; done; shift; exec "$@"'

AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SYSCALLS = {"x86_64": {"clone3": 435, "ptrace": 101}, "aarch64": {"clone3": 435, "ptrace": 117}}
SECCOMP_KILL_PROCESS = 0x80000000
SECCOMP_ERRNO = 0x00050000
SECCOMP_ALLOW = 0x7FFF0000


def seccomp_filter(name, action):
    """A filter that allows all but one syscall, as the bytes that bubblewrap reads."""
    machine = platform.machine()
    code = [(0x20, 0, 0, 4),  # load the architecture
            (0x15, 0, 3, AUDIT_ARCH[machine]),
            (0x20, 0, 0, 0),  # load the number
            (0x15, 0, 1, SYSCALLS[machine][name]),
            (0x06, 0, 0, action),
            (0x06, 0, 0, SECCOMP_ALLOW)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


@dataclasses.dataclass
class Box:
    """What a sandbox is made of. Paths in `read_only` are relative to the workspace."""
    workspace: str
    files: dict
    command: list
    capabilities: list
    deadline: float = 60.0
    read_only: list = dataclasses.field(default_factory=list)
    mounts: list = dataclasses.field(default_factory=list)  # more options of bwrap
    outside: list = dataclasses.field(default_factory=list)  # commands that start bwrap
    inside: list = dataclasses.field(default_factory=list)  # commands that start the payload
    limits: dict = dataclasses.field(default_factory=dict)  # controller -> value
    seccomp: bytes = None
    uid: int = 0
    tools: bool = True

    def fill(self):
        """The tool layer's part: writes the files that the task finds in its workspace."""
        for name, text in self.files.items():
            path = os.path.join(self.workspace, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", newline="") as f:
                f.write(text)
            if name.endswith(".sh") or name == "run-checks":
                os.chmod(path, 0o755)
        for name in self.read_only:
            os.makedirs(os.path.join(self.workspace, name), exist_ok=True)

    def bwrap(self, platform_dir):
        argv = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]
        for capability in self.capabilities:
            argv += ["--cap-add", capability]
        argv += ["--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc"]
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            if os.path.islink("/" + name):
                argv += ["--symlink", os.readlink("/" + name), "/" + name]
            elif os.path.isdir("/" + name):
                argv += ["--ro-bind", "/" + name, "/" + name]
        argv += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/run",
                 "--ro-bind", platform_dir + "/tasks", "/task"]
        if self.tools:
            argv += ["--ro-bind", platform_dir + "/bin", "/platform/bin"]
        argv += ["--bind", self.workspace, "/workspace"]
        for name in self.read_only:
            argv += ["--ro-bind", os.path.join(self.workspace, name),
                     os.path.normpath("/workspace/" + name)]
        argv += [*self.mounts, "--chdir", "/workspace", "--clearenv"]
        for name, value in (("PATH", PATH), ("HOME", "/workspace"), ("TMPDIR", "/tmp"),
                            ("LANG", "C.UTF-8")):
            argv += ["--setenv", name, value]
        return argv

    def argv(self, platform_dir, cgroups, seccomp_fd):
        """All of the command line, from the step into the cgroups to the payload."""
        argv = ["sh", "-c", ENTER, "enter", " ".join(cgroups), *self.outside]
        if self.uid:
            argv += ["setpriv", "--reuid=%d" % self.uid, "--regid=%d" % self.uid, "--clear-groups"]
        argv += self.bwrap(platform_dir)
        if seccomp_fd is not None:
            argv += ["--seccomp", str(seccomp_fd)]
        return argv + ["--", *self.inside, *self.command]


class Cgroups:
    """The campaign's cgroups: one per task in the v2 tree, and more where a limit asks for it."""

    def __init__(self, name):
        self.mounts = {}
        with open("/proc/self/mounts") as f:
            for line in f:
                _, where, kind, options = line.split()[:4]
                if kind == "cgroup2":
                    self.mounts.setdefault("v2", where)
                elif kind == "cgroup":
                    for controller in options.split(","):
                        self.mounts.setdefault(controller, where)
        if "v2" not in self.mounts:
            raise RuntimeError("no cgroup2 mount found")
        self.name = name
        self.root = os.path.join(self.mounts["v2"], name)
        os.mkdir(self.root)
        self.made = [self.root]

    def _hand_down(self, controller):
        """v2: makes the controller's files appear in the cgroups of the tasks."""
        for where in (self.mounts["v2"], self.root):
            with open(os.path.join(where, "cgroup.subtree_control")) as f:
                if controller in f.read().split():
                    continue
            with open(os.path.join(where, "cgroup.subtree_control"), "w") as f:
                f.write("+" + controller)

    def _limit(self, controller, task, value):
        """Sets a limit of the task; returns the cgroup it has to enter for it, or None."""
        if controller in self.mounts:  # v1
            base = os.path.join(self.mounts[controller], self.name)
            if base not in self.made:
                os.mkdir(base)
                self.made.append(base)
            where = os.path.join(base, task)
            os.mkdir(where)
            names = {"memory": ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"),
                     "pids": ("pids.max",)}[controller]
        else:
            self._hand_down(controller)
            where = os.path.join(self.root, task)
            names = {"memory": ("memory.max",), "pids": ("pids.max",)}[controller]
        for name in names:
            path = os.path.join(where, name)
            if name == names[0] or os.path.exists(path):  # memsw: only with swap accounting
                with open(path, "w") as f:
                    f.write(str(value))
        if where == os.path.join(self.root, task):
            swap = os.path.join(where, "memory.swap.max")
            if controller == "memory" and os.path.exists(swap):
                with open(swap, "w") as f:
                    f.write("0")
            return None
        return where

    def make(self, task, limits):
        """All cgroups of a task; the first is the one by which the daemon knows it."""
        where = os.path.join(self.root, task)
        os.mkdir(where)
        more = [self._limit(controller, task, value) for controller, value in limits.items()]
        return [where] + [w for w in more if w]

    def remove(self, cgroups, limit=2.0):
        """Removes cgroups; their last processes may still be dying. False: still busy."""
        end = time.monotonic() + limit
        for where in cgroups:
            while os.path.isdir(where):
                try:
                    os.rmdir(where)
                except OSError:
                    if time.monotonic() > end:
                        return False
                    time.sleep(0.01)
        return True

    def pids(self, where):
        try:
            with open(os.path.join(where, "cgroup.procs")) as f:
                return [int(line) for line in f]
        except OSError:
            return []

    def kill(self, where):
        for pid in self.pids(where):
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass

    def close(self):
        """Whatever still runs in a cgroup of ours was started by us: ends it and removes all."""
        for base in reversed(self.made):
            if not os.path.isdir(base):
                continue
            tasks = [os.path.join(base, d) for d in os.listdir(base)
                     if os.path.isdir(os.path.join(base, d))]
            for where in tasks:
                self.kill(where)
            self.remove(tasks + [base])


def prepare_platform(source, target):
    """Copies what the sandboxes show: readable by any uid, wherever the sources lie."""
    shutil.copytree(os.path.join(source, "tasks"), os.path.join(target, "tasks"))
    shutil.copytree(os.path.join(source, "tools"), os.path.join(target, "bin"))
    for base, dirs, files in os.walk(target):
        os.chmod(base, 0o755)
        for name in files:
            os.chmod(os.path.join(base, name), 0o755 if base.endswith("/bin") else 0o644)
