# SPDX-License-Identifier: GPL-2.0-only
"""What is refused, and whose refusal it is: a refusal a row, a sandbox a column.

A cell is what the payload is told to do, the verdict that it must get (level/primitive/cause of
the level `sandbox`, and what its subject contains), and what the sandbox is given for it. Words in
braces stand for places, see Place.words in sandboxes.py.
"""
from collections import namedtuple

Cell = namedtuple("Cell", "way kind subject options")


def cell(way, kind, subject="", **options):
    return Cell(way, kind, subject, options)


def absent(why):
    """A refusal that this sandbox does not know, and why."""
    return why


LANDLOCK, READ_ONLY = "lsm/landlock", "read-only/mount"
SECCOMP, CAPABILITY, MODE = "seccomp/denied", "capability/missing", "file-permission/denied"
MASKED_FILE, MASKED_DEVICE = "masked/file", "masked/device"
NO_ROUTE, NO_LISTENER = "network/unreachable", "network/refused"

NO_SOCKETS = "its filter refuses every socket: see seccomp"
NO_NAMESPACES = "it makes no namespaces"
OWN_CALLER = "it is the caller's own filter: one call stands for all"
NOBODY = "its payload is nobody, who is refused by mode bits before"


def same(names, *args, **options):
    return {name: cell(*args, **options) for name in names.split()}


ALL = "bwrap srt codex runc podman firejail nspawn"

REFUSALS = {
    "write, read-only path": {
        **same("bwrap srt firejail", "write {readonly}/new", READ_ONLY, "{readonly}/new"),
        "codex": cell("write {readonly}/new", LANDLOCK, "{readonly}/new"),
        **same("runc podman nspawn", "write /data/new", READ_ONLY, "/data/new"),
    },
    "mkdir, read-only path": {
        **same("bwrap srt firejail", "mkdir {readonly}/new", READ_ONLY, "{readonly}/new"),
        "codex": cell("mkdir {readonly}/new", LANDLOCK, "{readonly}/new"),
        **same("runc podman nspawn", "mkdir /data/new", READ_ONLY, "/data/new"),
    },
    "read, another's file": {
        **same("bwrap srt codex firejail", "read {secret}", MODE, "{secret}"),
        **same("runc nspawn", "read /data/secret", MODE, "/data/secret"),
        "podman": cell("read /data/secret", MODE, "/data/secret", user=4242),
    },
    "seccomp": {
        **same("bwrap runc firejail nspawn", "keyring", SECCOMP, "keyctl"),
        "srt": cell("socket unix", SECCOMP, "socket AF_UNIX"),
        "codex": cell("socket inet", SECCOMP, "socket AF_INET"),
        "podman": absent("its profile's refusals are those of io_uring and of the clock"),
    },
    "io_uring": {
        **same("bwrap srt codex runc podman", "io-uring", SECCOMP, "io_uring_setup"),
        **{name: absent("its filter lets io_uring through") for name in ("firejail", "nspawn")},
    },
    "ptrace": {
        **same("bwrap codex runc firejail", "ptrace", SECCOMP, "ptrace"),
        "srt": absent("its filter lets ptrace through"),
        **{name: absent("its filter lets ptrace through") for name in ("podman", "nspawn")},
    },
    "mount": {
        **same("bwrap srt codex runc podman", "mount /tmp", CAPABILITY, "CAP_SYS_ADMIN"),
        "firejail": cell("mount /tmp", SECCOMP, "mount"),
        "nspawn": absent("it lets its root mount"),
    },
    "set the clock": {
        **same("bwrap srt codex runc", "settime", CAPABILITY, "CAP_SYS_TIME"),
        **same("podman firejail nspawn", "settime", SECCOMP, "clock_settime"),
    },
    "chown": {
        **same("bwrap srt", "chown {work}/mine 4242", "userns/unmapped-id", "4242:4242"),
        **same("codex firejail", "chown {work}/mine 4242", CAPABILITY, "CAP_CHOWN"),
        **same("runc nspawn", "chown /scratch 4242", CAPABILITY, "CAP_CHOWN"),
        "podman": cell("chown /scratch 4242", CAPABILITY, "CAP_CHOWN", user=48217),
    },
    "raw socket": {
        **same("bwrap srt runc podman firejail nspawn", "socket raw", CAPABILITY, "CAP_NET_RAW"),
        "codex": absent(NO_SOCKETS),
    },
    "missing program": same(ALL, "spawn /bin/no-such-tool", "binary/not-found", "no-such-tool"),
    "program on noexec": {
        **same(
            "bwrap srt codex firejail", "spawn {noexec}/payload", "noexec/mount", "{noexec}/payload"
        ),
        **same("runc podman", "spawn /noexec/payload", "noexec/mount", "/noexec/payload"),
        "nspawn": absent("none of its mounts is noexec"),
    },
    "no route": {
        # an address for documentation (RFC 5737); each has a network namespace of its own
        **same(
            "bwrap srt runc podman firejail nspawn",
            "connect 192.0.2.1 443",
            NO_ROUTE,
            "192.0.2.1:443",
        ),
        "codex": absent(NO_SOCKETS),
    },
    "no listener": {
        **same(
            "bwrap srt runc podman firejail nspawn",
            "connect 127.0.0.1 9",
            NO_LISTENER,
            "127.0.0.1:9",
        ),
        "codex": absent(NO_SOCKETS),
    },
    "proxy": {
        "srt": cell(
            # its forwarder may not listen yet when the first connection comes
            "curl -sS --retry 5 --retry-connrefused https://sandfault.invalid/",
            "network/denied",
            tool=True,
        ),
        **{
            name: absent("it has no proxy")
            for name in "bwrap codex runc podman firejail nspawn".split()
        },
    },
    "memory": same(ALL, "memory 256", "memory/oom-cgroup", memory=96),
    "processes": same(ALL, "fork 200", "pids/cgroup-limit", pids=60),
    "descriptors": same(ALL, "files /", "fds/process-limit", "/", nofile=64),
    "file size": {
        **same(
            "bwrap srt codex firejail",
            "fill {work}/large 4",
            "quota/file-size",
            "{work}/large",
            fsize=1,
        ),
        **same(
            "runc podman nspawn", "fill /scratch/large 4", "quota/file-size", "/scratch/large", fsize=1
        ),
    },
    "full disk": {
        **same("bwrap srt codex firejail", "fill {small}/large 4", "disk/full", "{small}/large"),
        **same("runc podman nspawn", "fill /small/large 4", "disk/full", "/small/large"),
    },
    "missing device": {
        **same(
            "bwrap srt runc podman firejail nspawn", "read /dev/fuse", MASKED_DEVICE, "/dev/fuse"
        ),
        "codex": absent("it shows the host's own /dev"),
    },
    "denied device": {
        "runc": cell("read /dev/denied", "device/denied", "/dev/denied"),
        **same("podman nspawn", "mknod /scratch/node", CAPABILITY, "CAP_MKNOD"),
        **{name: absent("it has no device rules") for name in "bwrap srt codex firejail".split()},
    },
    "covered /proc, /sys": {
        **same("runc podman nspawn", "write {hostname}", READ_ONLY, "{hostname}"),
        **{name: absent("it covers nothing there") for name in "bwrap srt codex firejail".split()},
    },
    "hidden file": {
        "srt": cell("read {hidden-file}", MASKED_FILE, "{hidden-file}"),
        "firejail": absent("its root may read what covers the file, which is empty"),
        **{name: absent("it hides no files") for name in "bwrap codex runc podman nspawn".split()},
    },
    "hidden directory": {
        **same("srt firejail", "read {hidden}/token", MASKED_FILE, "{hidden}"),
        "bwrap": cell("read {token}", MASKED_FILE, "{token}"),
        **{name: absent("it hides no directories") for name in "codex runc podman nspawn".split()},
    },
    "protected file": {
        "srt": cell("rename {work}/mine {work}/.bashrc", MASKED_FILE, "{work}/.bashrc"),
        "bwrap": cell("unlink {work}/bound", MASKED_FILE, "{work}/bound"),
        **{
            name: absent("it protects no file by a mount")
            for name in "codex runc podman firejail nspawn".split()
        },
    },
    "user namespace": {
        "bwrap": cell("userns", "userns/limit", "CLONE_NEWUSER", flags=["--disable-userns"]),
        "runc": cell("userns", SECCOMP, "unshare CLONE_NEWUSER"),
        **{
            name: absent("it lets user namespaces be made")
            for name in "srt codex podman firejail nspawn".split()
        },
    },
}
