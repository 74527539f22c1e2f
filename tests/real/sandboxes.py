# SPDX-License-Identifier: GPL-2.0-only
"""The sandboxes: the command that runs a payload in each, and the places that they share."""
import contextlib
import copy
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading

from tasks import Tasks, TasksByPath

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT_SH = os.path.join(HERE, "..", "cases", "lib", "limit.sh")
OWN_CGROUP = '"$(sed -n s/^0:://p /proc/self/cgroup)"'
NOBODY = 65534
OTHER = 48217  # a user of no meaning
FILTERED = ("keyctl", "io_uring_setup", "ptrace")


def run(*command, **options):
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, **options)


class Place:
    """A directory that every user can reach, and what lies in it.

    It lies outside of /tmp, which some sandboxes replace. `small` is a full disk to be.
    """

    def __init__(self, base):
        self.base = base
        self.payload = self.path("bin/payload")
        self.words = {
            name: self.path(path)
            for name, path in {
                "work": "work",
                "small": "work/small",
                "noexec": "work/noexec",
                "readonly": "readonly",
                "secret": "secret",
                "hidden": "hidden",
                "hidden-file": "hidden-file",
            }.items()
        }
        self.words["hostname"] = "/proc/sys/kernel/hostname"
        os.chmod(base, 0o755)
        for name in ("bin", "home", "work", "work/small", "work/noexec", "readonly", "hidden"):
            self.make(name)
        os.chmod(self.path("work"), 0o777)  # for a root without capabilities, too
        for name in ("work/mine", "work/bound", "work/.bashrc", "hidden/token", "hidden-file"):
            self.file(name)
        self.file("secret", OTHER, 0o600)
        self.compile("payload.c", "bin/payload", "-static")
        self._root()
        self.mounted = []
        self._mount("work/small", "size=1m,mode=1777")
        self._mount("work/noexec", "noexec,mode=755")
        shutil.copy(self.payload, self.path("work/noexec"))
        # what lies in /tmp here and not in a sandbox's own
        token, self.words["token"] = tempfile.mkstemp(prefix="sandfault-real-", dir="/tmp")
        os.fchmod(token, 0o644)
        os.write(token, b"sacrificial\n")
        os.close(token)

    def path(self, name):
        return os.path.join(self.base, name)

    def make(self, name, owner=NOBODY):
        os.mkdir(self.path(name))
        os.chown(self.path(name), owner, owner)

    def file(self, name, owner=NOBODY, mode=0o644):
        with open(self.path(name), "w") as f:
            f.write("sacrificial\n")
        os.chown(self.path(name), owner, owner)
        os.chmod(self.path(name), mode)

    def compile(self, source, out, *flags):
        run(
            *"gcc -std=gnu11 -O2 -Wall -Wextra -Werror -Wno-unused-parameter -D_GNU_SOURCE".split(),
            *("-o", self.path(out), os.path.join(HERE, source), *flags)
        )

    def _root(self):
        """The root directory of containers: the payload alone."""
        self.make("root", 0)
        for name in "bin data dev etc noexec proc run small sys tmp usr var work".split():
            self.make("root/" + name, 0)
        shutil.copy(self.payload, self.path("root/bin/payload"))
        self.file("root/data/secret", OTHER, 0o600)
        os.chmod(self.path("root/data"), 0o777)

    def _mount(self, name, options):
        run("mount", "-t", "tmpfs", "-o", options, "tmpfs", self.path(name))
        self.mounted.append(self.path(name))

    def remove(self):
        for path in self.mounted:
            run("umount", path)
        os.remove(self.words["token"])
        shutil.rmtree(self.base)

    def fill(self, way):
        return [word.format(**self.words) for word in way.split()]


class Sandbox:
    """One sandbox. `column` is whose column of the table it takes; `alone`: one at a time."""

    name = column = None
    alone = False
    tasks = Tasks

    def __init__(self, place):
        self.place = place
        self.turn = threading.Lock() if self.alone else contextlib.nullcontext()
        self.prepare()

    def prepare(self):
        pass

    def healthy(self):
        return ["healthy", self.place.words["work"], self.place.payload]

    def command(self, task, way, options):
        raise NotImplementedError

    @staticmethod
    def outcome(cell):
        """What becomes of the task: the launcher ends with a status, whatever befell its payload."""
        return "failed"

    def clean(self):
        pass


def in_cgroup(command, options):
    """In a cgroup that the harness makes, where one of its limits is asked for."""
    for limit, unit in (("memory", "M"), ("pids", "")):
        if limit in options:
            text = '. "$0"; in_limited_cgroup %s=%d%s -- "$@"' % (limit, options[limit], unit)
            command = ["sh", "-c", text, LIMIT_SH, *command]
    return command


class Launcher(Sandbox):
    """A program that becomes the payload's parent, run as nobody in the host's own tree; the
    harness around it sets its limits."""

    user = ("setpriv", "--reuid=%d" % NOBODY, "--regid=%d" % NOBODY, "--clear-groups")

    def launch(self, payload, options):
        raise NotImplementedError

    def command(self, task, way, options):
        payload = way if options.get("tool") else [self.place.payload, *way]
        for limit, size in (("nofile", 1), ("fsize", 1 << 20)):
            if limit in options:
                payload = ["prlimit", "--%s=%d" % (limit, options[limit] * size), *payload]
        place = ("env", "-C", self.place.words["work"], "HOME=" + self.place.path("home"))
        return in_cgroup([*self.user, *place, *self.launch(payload, options)], options)


class Bwrap(Launcher):
    name = column = "bwrap"

    def prepare(self):
        self.place.compile("filter.c", "bin/filter", "-lseccomp")
        with open(self.place.path("filter"), "wb") as f:
            run(self.place.path("bin/filter"), *FILTERED, stdout=f)

    def launch(self, payload, options):
        work = self.place.words["work"]
        return [
            *("sh", "-c", 'exec "$@" 9<"$0"', self.place.path("filter")),
            *"bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp".split(),
            *("--bind", work, work, "--ro-bind", work + "/mine", work + "/bound"),
            *"--unshare-user --unshare-all --die-with-parent --new-session --seccomp 9".split(),
            *(*options.get("flags", ()), "--", *payload),
        ]


class Npm(Launcher):
    """A launcher from npm, installed into the cache; a copy of it lies where nobody can run it."""

    npm = script = None

    def prepare(self):
        copied = self.place.path(self.npm)
        shutil.copytree(os.path.join(os.environ["SANDFAULT_REAL"], self.npm), copied, symlinks=True)
        self.main = os.path.join(copied, self.script)


class Srt(Npm):
    name = column = npm = "srt"
    alone = True  # it makes files of its own in the working directory, and removes them
    script = "node_modules/@anthropic-ai/sandbox-runtime/dist/cli.js"

    def prepare(self):
        super().prepare()
        words = self.place.words
        settings = {
            "network": {"allowedDomains": [], "deniedDomains": []},
            "filesystem": {
                "denyRead": [words["hidden"], words["hidden-file"]],
                "allowWrite": [words["work"]],
                "denyWrite": [],
            },
        }
        with open(self.place.path("srt.json"), "w") as f:
            json.dump(settings, f)

    def launch(self, payload, options):
        settings = self.place.path("srt.json")
        # It leaves a socket where temporary files are.
        own = ["env", "TMPDIR=" + self.place.words["work"]]
        return [*own, "node", self.main, "--settings", settings, "-c", shlex.join(payload)]


class Codex(Npm):
    name = column = npm = "codex"
    script = "node_modules/@openai/codex/bin/codex.js"

    def launch(self, payload, options):
        return ["node", self.main, "sandbox", "linux", "--full-auto", "--", *payload]


class Firejail(Launcher):
    """As root, without its capabilities: others must be let in by a file of the host."""

    name = column = "firejail"
    user = ()

    def launch(self, payload, options):
        words = self.place.words
        return [
            *"firejail --quiet --noprofile --keep-var-tmp --private-dev --net=none".split(),
            *("--caps.drop=all", "--seccomp", "--read-write=" + words["work"]),
            "--read-only=" + words["readonly"],
            *("--blacklist=" + words["hidden"], "--blacklist=" + words["hidden-file"]),
            *payload,
        ]


class Container(Sandbox):
    """A container: its root is read-only and holds the payload, /scratch is a tmpfs."""

    def healthy(self):
        return ["healthy", "/scratch", "/bin/payload"]


class Runc(Container):
    """Runc makes a container's cgroup from the root on, so it must be told of the task's own, which
    a shell reads."""

    name = column = "runc"
    cgroup = "@/box"

    def prepare(self):
        self.runc = ["runc", "--root", self.place.path("runc")]
        run("runc", "spec", cwd=self.place.base)
        with open(self.place.path("config.json")) as f:
            self.spec = json.load(f)
        os.remove(self.place.path("config.json"))
        self.spec["process"]["terminal"] = False
        self.spec["root"] = {"path": self.place.path("root"), "readonly": True}
        self.spec["mounts"] += [
            self.mount("/scratch", "tmpfs", "tmpfs", "mode=1777"),
            self.mount("/small", "tmpfs", "tmpfs", "mode=1777", "size=1m"),
            self.mount("/noexec", "bind", self.place.path("bin"), "bind", "noexec"),
        ]
        linux = self.spec["linux"]
        fuse = {"type": "c", "major": 10, "minor": 229, "fileMode": 0o666}
        linux["devices"] = [{"path": "/dev/denied", **fuse}]  # and no rule that allows it
        names = [*FILTERED, "unshare"]
        linux["seccomp"] = {
            "defaultAction": "SCMP_ACT_ALLOW",
            "syscalls": [{"names": names, "action": "SCMP_ACT_ERRNO", "errnoRet": 1}],
        }

    @staticmethod
    def mount(at, kind, source, *options):
        return {"destination": at, "type": kind, "source": source, "options": list(options)}

    def bundle(self, task, way, options):
        spec = copy.deepcopy(self.spec)
        spec["process"]["args"] = ["/bin/payload", *way]
        for limit, size in (("nofile", 1), ("fsize", 1 << 20)):
            if limit in options:
                n = options[limit] * size
                spec["process"].setdefault("rlimits", []).append(
                    {"type": "RLIMIT_" + limit.upper(), "hard": n, "soft": n}
                )
        spec["linux"]["cgroupsPath"] = self.cgroup.format(task=task)
        limits = spec["linux"]["resources"]
        if "memory" in options:
            limits["memory"] = {"limit": options["memory"] << 20}
        if "pids" in options:
            limits["pids"] = {"limit": options["pids"]}
        path = self.place.path("bundle-" + task)
        os.mkdir(path)
        with open(os.path.join(path, "template.json"), "w") as f:
            json.dump(spec, f)
        return path

    def command(self, task, way, options):
        path = self.bundle(task, way, options)
        own = OWN_CGROUP.replace('"', "")
        text = 'sed "s,@,%s," <"$0/template.json" >"$0/config.json" && exec "$@"' % own
        return ["sh", "-c", text, path, *self.runc, "run", "--bundle", path, "real-" + task]

    def clean(self):
        left = subprocess.run([*self.runc, "list", "-q"], stdout=subprocess.PIPE, text=True).stdout
        for name in left.split():
            run(*self.runc, "delete", "--force", name)


class RuncByPath(Runc):
    """The same, where a harness has a place of its own for cgroups: the daemon knows tasks by
    their path."""

    name = "runc-template"
    tasks = TasksByPath

    def prepare(self):
        super().prepare()
        self.cgroup = "/" + os.path.basename(self.place.base) + "/{task}"

    @staticmethod
    def outcome(cell):
        return "killed" if "memory" in cell.options else "failed"


class Podman(Container):
    """Podman wants to be told the parent of the container's cgroup."""

    name = column = "podman"

    def prepare(self):
        with open(self.place.path("containers.conf"), "w") as f:  # else in /dev/shm and /run
            f.write('[engine]\nlock_type = "file"\n')
            f.write('tmp_dir = "%s"\n' % self.place.path("podman-tmp"))
        self.podman = [
            *("env", "CONTAINERS_CONF=" + self.place.path("containers.conf"), "podman"),
            *("--root", self.place.path("podman")),
            *("--runroot", self.place.path("podman-run")),
            *"--runtime runc --cgroup-manager cgroupfs --events-backend file".split(),
        ]

    def command(self, task, way, options):
        texts = {"memory": "--memory=%dm", "pids": "--pids-limit=%d", "user": "--user=%d"}
        flags = [texts[name] % options[name] for name in texts if name in options]
        # its own defaults are above what the harness may set
        limits = {"nofile": options.get("nofile", 1024), "nproc": 4096}
        if "fsize" in options:
            limits["fsize"] = options["fsize"] << 20
        return [
            *("sh", "-c"),
            "exec %s --cgroup-parent %s %s"
            % (
                shlex.join([*self.podman, "run", "--rm", "--name", "real-" + task]),
                OWN_CGROUP,
                shlex.join(
                    [
                        *"--network none --read-only --cap-drop net_raw,mknod".split(),
                        *("--tmpfs", "/scratch:mode=1777"),
                        *("--tmpfs", "/small:mode=1777,size=1m"),
                        *("--volume", self.place.path("bin") + ":/noexec:noexec"),
                        *("--ulimit=%s=%d:%d" % (name, n, n) for name, n in limits.items()),
                        *flags,
                        *("--rootfs", self.place.path("root"), "/bin/payload", *way),
                    ]
                ),
            ),
        ]

    def clean(self):
        if os.path.exists(self.place.path("podman")):
            run(*self.podman, "rm", "--all", "--force", "--time", "0", stdout=subprocess.DEVNULL)


class Nspawn(Container):
    """systemd-nspawn: its payload is a grandchild, of a parent that leaves."""

    name = column = "nspawn"

    def command(self, task, way, options):
        limits = [
            "--rlimit=%s=%d" % (limit.upper(), options[limit] * size)
            for limit, size in (("nofile", 1), ("fsize", 1 << 20))
            if limit in options
        ]
        dropped = "DAC_OVERRIDE DAC_READ_SEARCH CHOWN MKNOD NET_RAW".split()
        command = [
            *("systemd-nspawn", "--quiet", "--directory=" + self.place.path("root")),
            *"--register=no --keep-unit --as-pid2 --console=pipe --timezone=off".split(),
            *"--read-only --private-network --tmpfs=/scratch:mode=1777".split(),
            "--tmpfs=/small:mode=1777,size=1m",
            "--machine=real-" + re.sub("[^a-z-]", "-", task),
            "--drop-capability=" + ",".join("CAP_" + name for name in dropped),
            *limits,
            *("/bin/payload", *way),
        ]
        return in_cgroup(command, options)


KINDS = {
    kind.name: kind for kind in (Bwrap, Srt, Codex, Runc, RuncByPath, Podman, Firejail, Nspawn)
}
