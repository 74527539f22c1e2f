# SPDX-License-Identifier: GPL-2.0-only
"""Two judges that know nothing of the kernel, as agent sandboxes have them today.

Each returns what it would say of a run: a list of (level, primitive, cause) that its finding may
mean, () where it has nothing to say. Where a word or a status stands for several causes, all of
them are in the list, and it is right if one of them is: the benefit of the doubt is theirs.
"""

OOM = (("sandbox", "memory", "oom-cgroup"),)
TIMEOUT = (("interface", "deadline", "killed"), ("interface", "deadline", "no-response"))
CRASH = (("workload", "crash", "signal"),)
EXIT = (("workload", "exit", "non-zero"),)
SECCOMP_KILL = (("sandbox", "seccomp", "killed"),)

# What a shell or a harness makes of an exit status; 128 + N is a death by signal N.
STATUS = {
    124: TIMEOUT,  # timeout(1)
    126: (("sandbox", "file-permission", "denied"),),  # sh: found, not executable
    127: (("sandbox", "binary", "not-found"),),  # sh: not found
    128 + 4: CRASH,  # SIGILL
    128 + 6: CRASH,  # SIGABRT
    128 + 7: CRASH,  # SIGBUS
    128 + 8: CRASH,  # SIGFPE
    128 + 9: OOM,  # SIGKILL
    128 + 11: CRASH,  # SIGSEGV
    128 + 13: (("interface", "transport", "broken-pipe"),),  # SIGPIPE
    128 + 15: TIMEOUT,  # SIGTERM
    128 + 24: (("sandbox", "cpu", "time-limit"),),  # SIGXCPU
    128 + 25: (("sandbox", "quota", "file-size"),),  # SIGXFSZ
    128 + 31: SECCOMP_KILL,  # SIGSYS
}


def sandbox(*names):
    return tuple(("sandbox", *name.split("/")) for name in names)


# Words in what the run printed, each with all that it may mean. Found without regard to case.
WORDS = (
    ("bad system call", SECCOMP_KILL),
    ("seccomp", sandbox("seccomp/denied", "seccomp/killed", "seccomp/trapped")),
    ("landlock", sandbox("lsm/landlock")),
    ("illegal instruction", sandbox("seccomp/killed")),
    ("read-only file system", sandbox("read-only/mount")),
    ("no space left", sandbox("disk/full", "disk/inodes", "disk/shm-full")),
    ("disk quota exceeded", sandbox("quota/disk-quota")),
    ("file too large", sandbox("quota/file-size")),
    ("file size limit exceeded", sandbox("quota/file-size")),
    ("too many open files", sandbox("fds/process-limit", "fds/host-limit")),
    ("resource temporarily unavailable", sandbox("pids/cgroup-limit", "pids/user-limit")),
    ("can't start new thread", sandbox("pids/cgroup-limit", "pids/user-limit")),
    ("out of memory", sandbox("memory/oom-cgroup", "memory/address-space")),
    ("cannot allocate memory", sandbox("memory/address-space", "memory/oom-cgroup")),
    ("memoryerror", sandbox("memory/address-space", "memory/oom-cgroup")),
    ("cpu time limit exceeded", sandbox("cpu/time-limit")),
    ("timed out", TIMEOUT + sandbox("network/timeout")),
    ("could not resolve", sandbox("network/dns")),
    ("temporary failure in name resolution", sandbox("network/dns")),
    ("name or service not known", sandbox("network/dns")),
    ("eai_again", sandbox("network/dns")),
    ("network is unreachable", sandbox("network/unreachable")),
    ("no route to host", sandbox("network/unreachable")),
    ("connection refused", sandbox("network/refused")),
    ("econnrefused", sandbox("network/refused")),
    ("address already in use", sandbox("network/address-in-use")),
    ("address family not supported", sandbox("network/address-family")),
    ("argument list too long", (("interface", "args", "too-long"),)),
    ("file name too long", (("interface", "path", "too-long"),)),
    ("broken pipe", (("interface", "transport", "broken-pipe"),)),
    ("connection reset", (("interface", "transport", "reset"),)),
    ("exec format error", sandbox("binary/architecture") + (("interface", "script", "no-shebang"),)),
    ("error while loading shared libraries", sandbox("library/shared-object")),
    ("modulenotfounderror", sandbox("library/module")),
    ("cannot find module", sandbox("library/module")),
    ("bad interpreter", sandbox("binary/interpreter") + (("interface", "encoding", "crlf"),)),
    ("dubious ownership", sandbox("identity/ownership")),
    ("inappropriate ioctl", sandbox("masked/terminal")),
    ("operation not permitted",
     sandbox("seccomp/denied", "capability/missing", "userns/denied")),
    ("permission denied", sandbox("file-permission/denied")),
    ("command not found", sandbox("binary/not-found")),
    ("executable file not found", sandbox("binary/not-found")),
    ("function not implemented", sandbox("seccomp/denied")),
    ("segmentation fault", CRASH),
    ("killed", OOM),
    ("no such file or directory",
     sandbox("binary/not-found") + (("workload", "exit", "missing-file"),)),
)


def by_status(status):
    """Exit code and signal alone."""
    if status == 0:
        return ()
    return STATUS.get(status, EXIT)


def by_words(status, output):
    """Words in the output of a run that failed, most telling first; its status where none is there.

    Runs that ended with 0 aren't searched, as published sandboxes don't: nearly every healthy
    program prints one of these words now and then.
    """
    if status == 0:
        return ()
    output = output.lower()
    for word, meaning in WORDS:
        if word in output:
            return meaning
    return by_status(status)
