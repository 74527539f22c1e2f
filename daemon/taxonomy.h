/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vocabulary: levels, primitives, causes, dispositions, confidences, and what an operator can
 * do about each. The names stand in the database, in JSON and on the command line.
 */
#ifndef SANDFAULT_TAXONOMY_H
#define SANDFAULT_TAXONOMY_H

#include "util.h"

enum level { LEVEL_SANDBOX, LEVEL_INTERFACE, LEVEL_WORKLOAD, LEVEL_MAX };
enum disposition { DISP_NOISE, DISP_HANDLED, DISP_CONTRIBUTING, DISP_FATAL, DISP_MAX };
enum confidence { CONF_POSSIBLE, CONF_LIKELY, CONF_CERTAIN, CONF_MAX };
enum outcome { OUTCOME_UNKNOWN, OUTCOME_OK, OUTCOME_FAILED, OUTCOME_KILLED, OUTCOME_MAX };
enum task_state { STATE_RUNNING, STATE_SETTLING, STATE_FINAL, STATE_MAX };

const char *level_name(enum level l);
const char *disposition_name(enum disposition d);
const char *confidence_name(enum confidence c);
const char *outcome_name(enum outcome o);
const char *task_state_name(enum task_state s);
/* The value, or -EINVAL. */
int level_parse(const char *s);
int disposition_parse(const char *s);
int confidence_parse(const char *s);
int outcome_parse(const char *s);
int task_state_parse(const char *s);

/* id, level, primitive, cause, what it means for people (no subject), the knob */
#define TAXONOMY(X)                                                                                \
	X(MEMORY_OOM_CGROUP, SANDBOX, "memory", "oom-cgroup",                                      \
	  "the OOM killer acted because a memory cgroup stood at its limit",                       \
	  "raise memory.max (v1: memory.limit_in_bytes) of that cgroup, or make the task smaller") \
	X(MEMORY_OOM_HOST, SANDBOX, "memory", "oom-host",                                          \
	  "the OOM killer acted because the host ran out of memory",                               \
	  "give the host more memory, or set memory.max so that tasks fail alone")                 \
	X(MEMORY_OOM_DAEMON, SANDBOX, "memory", "oom-daemon", "a user space OOM daemon killed it", \
	  "tune systemd-oomd or earlyoom, or memory.high")                                         \
	X(MEMORY_ADDRESS_SPACE, SANDBOX, "memory", "address-space",                                \
	  "a mapping was refused by the address space limit", "raise RLIMIT_AS (ulimit -v)")       \
	X(MEMORY_LOCKED, SANDBOX, "memory", "locked", "locking memory was refused",                \
	  "raise RLIMIT_MEMLOCK (ulimit -l), or grant CAP_IPC_LOCK")                               \
	X(MEMORY_MAP_COUNT, SANDBOX, "memory", "map-count", "too many mappings",                   \
	  "raise vm.max_map_count")                                                                \
	X(MEMORY_OVERCOMMIT, SANDBOX, "memory", "overcommit",                                      \
	  "the kernel refused to promise so much memory",                                          \
	  "change vm.overcommit_memory or vm.overcommit_ratio, or ask for less")                   \
	X(CPU_THROTTLED, SANDBOX, "cpu", "throttled", "CPU throttling used up the deadline",       \
	  "raise cpu.max")                                                                         \
	X(CPU_TIME_LIMIT, SANDBOX, "cpu", "time-limit", "the CPU time limit ended it",             \
	  "raise RLIMIT_CPU (ulimit -t)")                                                          \
	X(PIDS_CGROUP_LIMIT, SANDBOX, "pids", "cgroup-limit",                                      \
	  "no new process or thread: a pids cgroup stood at its limit",                            \
	  "raise pids.max of that cgroup, or reap children")                                       \
	X(PIDS_USER_LIMIT, SANDBOX, "pids", "user-limit",                                          \
	  "no new process or thread: the user stood at RLIMIT_NPROC",                              \
	  "raise RLIMIT_NPROC (ulimit -u), or reap children")                                      \
	X(PIDS_HOST_LIMIT, SANDBOX, "pids", "host-limit",                                          \
	  "no new process or thread: a host-wide limit was reached",                               \
	  "raise kernel.pid_max or kernel.threads-max")                                            \
	X(FDS_PROCESS_LIMIT, SANDBOX, "fds", "process-limit", "no descriptor left in the process", \
	  "raise RLIMIT_NOFILE (ulimit -n), or close leaks")                                       \
	X(FDS_HOST_LIMIT, SANDBOX, "fds", "host-limit", "no open file left on the host",           \
	  "raise fs.file-max")                                                                     \
	X(QUOTA_INOTIFY_INSTANCES, SANDBOX, "quota", "inotify-instances",                          \
	  "no inotify instance left", "raise fs.inotify.max_user_instances")                       \
	X(QUOTA_INOTIFY_WATCHES, SANDBOX, "quota", "inotify-watches", "no inotify watch left",     \
	  "raise fs.inotify.max_user_watches")                                                     \
	X(QUOTA_FILE_SIZE, SANDBOX, "quota", "file-size", "a file reached the file size limit",    \
	  "raise RLIMIT_FSIZE (ulimit -f)")                                                        \
	X(QUOTA_DISK, SANDBOX, "quota", "disk-quota", "the disk quota is used up",                 \
	  "raise the quota of that user, group or project")                                        \
	X(SECCOMP_DENIED, SANDBOX, "seccomp", "denied", "the seccomp filter refused a syscall",    \
	  "allow the syscall in the seccomp profile (or answer ENOSYS where a fallback exists)")   \
	X(SECCOMP_KILLED, SANDBOX, "seccomp", "killed", "the seccomp filter killed on a syscall",  \
	  "allow the syscall in the seccomp profile, or answer with an errno in place of a kill")  \
	X(SECCOMP_TRAPPED, SANDBOX, "seccomp", "trapped",                                          \
	  "the seccomp filter raised SIGSYS on a syscall",                                         \
	  "allow the syscall in the seccomp profile, or answer with an errno in place of a trap")  \
	X(CAPABILITY_MISSING, SANDBOX, "capability", "missing", "a capability is missing",         \
	  "grant the capability (CapAdd, securityContext.capabilities.add)")                       \
	X(PRIVILEGE_NNP, SANDBOX, "privilege", "no-new-privs",                                     \
	  "no_new_privs kept a privileged program from gaining its privilege",                     \
	  "allowPrivilegeEscalation: true, or do without the set-user-id program")                 \
	X(PRIVILEGE_NOSUID, SANDBOX, "privilege", "nosuid",                                        \
	  "a nosuid mount kept a privileged program from gaining its privilege",                   \
	  "mount without nosuid, or do without the set-user-id program")                           \
	X(USERNS_DENIED, SANDBOX, "userns", "denied", "user namespaces are refused",               \
	  "allow unprivileged user namespaces (kernel.unprivileged_userns_clone, AppArmor)")       \
	X(USERNS_LIMIT, SANDBOX, "userns", "limit", "no namespace left",                           \
	  "raise user.max_user_namespaces (or the limit of that kind of namespace)")               \
	X(USERNS_UNMAPPED_ID, SANDBOX, "userns", "unmapped-id",                                    \
	  "an id is not mapped in the user namespace", "widen the id map (subuid, subgid)")        \
	X(LSM_LANDLOCK, SANDBOX, "lsm", "landlock", "a Landlock ruleset refused it",               \
	  "add a rule for that path or port to the Landlock ruleset")                              \
	X(LSM_APPARMOR, SANDBOX, "lsm", "apparmor", "AppArmor refused it",                         \
	  "allow it in the AppArmor profile")                                                      \
	X(LSM_SELINUX, SANDBOX, "lsm", "selinux", "SELinux refused it",                            \
	  "allow it in the SELinux policy, or relabel the volume")                                 \
	X(LSM_UNNAMED, SANDBOX, "lsm", "unnamed",                                                  \
	  "refused although mode bits, mounts and capabilities allow it: another policy",          \
	  "look into the host's security module (AppArmor, SELinux, BPF LSM)")                     \
	X(FILE_PERMISSION_DENIED, SANDBOX, "file-permission", "denied",                            \
	  "the file's mode bits deny it to this user",                                             \
	  "change owner or mode (chown, chmod, fsGroup), or run as the file's owner")              \
	X(READ_ONLY_MOUNT, SANDBOX, "read-only", "mount", "the mount is read-only",                \
	  "mount it writable, or point the program at a writable directory")                       \
	X(NOEXEC_MOUNT, SANDBOX, "noexec", "mount", "the mount is noexec",                         \
	  "mount it without noexec, or build elsewhere (TMPDIR, GOTMPDIR)")                        \
	X(EXEC_MEMORY_DENIED, SANDBOX, "exec-memory", "denied",                                    \
	  "writable and executable memory is refused by policy",                                   \
	  "lift PR_SET_MDWE for this program, or turn its JIT off")                                \
	X(DISK_FULL, SANDBOX, "disk", "full", "the file system is full",                           \
	  "make the volume larger (tmpfs: size=), or free space")                                  \
	X(DISK_INODES, SANDBOX, "disk", "inodes", "the file system has no inode left",             \
	  "make a volume with more inodes (tmpfs: nr_inodes=), or remove files")                   \
	X(DISK_SHM_FULL, SANDBOX, "disk", "shm-full", "shared memory is full",                     \
	  "make /dev/shm larger (--shm-size)")                                                     \
	X(DEVICE_DENIED, SANDBOX, "device", "denied", "the device cgroup refuses the node",        \
	  "add a device rule (--device)")                                                          \
	X(STORAGE_IO_ERROR, SANDBOX, "storage", "io-error", "the volume answers with an error",    \
	  "look at the volume: its server, its disk, its FUSE process")                            \
	X(EPHEMERAL_LOST_FILE, SANDBOX, "ephemeral", "lost-file",                                  \
	  "a file that this task made is gone, though nobody in it removed it",                    \
	  "put it on a mount that outlives the sandbox")                                           \
	X(EPHEMERAL_LOST_DIRECTORY, SANDBOX, "ephemeral", "lost-directory",                        \
	  "a directory that this task made is gone, though nobody in it removed it",               \
	  "put it on a mount that outlives the sandbox")                                           \
	X(MASKED_DEVICE, SANDBOX, "masked", "device", "a standard device node can't be used",      \
	  "give the sandbox a /dev of its own, on a mount without nodev")                          \
	X(MASKED_PROC, SANDBOX, "masked", "proc", "/proc is absent or covered there",              \
	  "mount /proc, or uncover that path (procMount, unmask)")                                 \
	X(MASKED_SYS, SANDBOX, "masked", "sys", "/sys is absent or covered there",                 \
	  "mount /sys, or uncover that path")                                                      \
	X(MASKED_FILE, SANDBOX, "masked", "file", "the sandbox hides or protects that path",       \
	  "allow the path in the sandbox's settings")                                              \
	X(MASKED_TERMINAL, SANDBOX, "masked", "terminal", "a terminal is needed, there is none",   \
	  "give the task a pty (-t)")                                                              \
	X(BINARY_NOT_FOUND, SANDBOX, "binary", "not-found", "a program is not installed",          \
	  "install it in the image, or extend PATH")                                               \
	X(BINARY_INTERPRETER, SANDBOX, "binary", "interpreter",                                    \
	  "the interpreter that a script names is not installed",                                  \
	  "install the interpreter in the image, or change the script's first line")               \
	X(BINARY_ARCHITECTURE, SANDBOX, "binary", "architecture",                                  \
	  "the program is built for another architecture",                                         \
	  "use an image for this architecture, or register an emulator with binfmt_misc")          \
	X(LIBRARY_SHARED_OBJECT, SANDBOX, "library", "shared-object",                              \
	  "a shared library is not installed", "install the library in the image")                 \
	X(LIBRARY_LOADER, SANDBOX, "library", "loader",                                            \
	  "the dynamic loader that the program asks for is not installed",                         \
	  "install that C library's loader, or a build for the image's own C library")             \
	X(LIBRARY_MODULE, SANDBOX, "library", "module", "a language module is not installed",      \
	  "install the module in the image")                                                       \
	X(IMAGE_DATA_MISSING, SANDBOX, "image-data", "missing",                                    \
	  "standard data files are not installed",                                                 \
	  "install them in the image (ca-certificates, tzdata, locales, fonts)")                   \
	X(NETWORK_UNREACHABLE, SANDBOX, "network", "unreachable", "no route leads there",          \
	  "give the sandbox a network or a proxy, or allow that destination")                      \
	X(NETWORK_REFUSED, SANDBOX, "network", "refused", "nobody listens there",                  \
	  "start the service where the sandbox can see it, or correct the address")                \
	X(NETWORK_DENIED, SANDBOX, "network", "denied", "a policy refuses that destination",       \
	  "allow the destination in the egress policy")                                            \
	X(NETWORK_TIMEOUT, SANDBOX, "network", "timeout", "no answer from there",                  \
	  "allow the destination in the egress policy, which drops silently")                      \
	X(NETWORK_DNS, SANDBOX, "network", "dns", "names can't be resolved",                       \
	  "give the sandbox a resolver that answers (resolv.conf)")                                \
	X(NETWORK_ADDRESS_FAMILY, SANDBOX, "network", "address-family",                            \
	  "the address family is not available", "enable it (IPv6), or use another")               \
	X(NETWORK_ADDRESS_IN_USE, SANDBOX, "network", "address-in-use",                            \
	  "the address is in use by somebody else",                                                \
	  "give each sandbox a network namespace of its own, or another port")                     \
	X(NETWORK_SOCKET_ABSENT, SANDBOX, "network", "socket-absent",                              \
	  "a service's socket is not there", "mount the service's socket into the sandbox")        \
	X(IDENTITY_UNKNOWN_USER, SANDBOX, "identity", "unknown-user",                              \
	  "the user has no entry in the sandbox's passwd",                                         \
	  "add the uid to /etc/passwd in the image")                                               \
	X(IDENTITY_OWNERSHIP, SANDBOX, "identity", "ownership",                                    \
	  "a program refuses files of another owner",                                              \
	  "give the workspace to the user that runs the task")                                     \
	X(ENCODING_CRLF, INTERFACE, "encoding", "crlf", "the file has Windows line ends",          \
	  "let the tool layer write files as they are, with LF line ends")                         \
	X(ENCODING_UTF8, INTERFACE, "encoding", "utf8", "bytes that are not valid UTF-8",          \
	  "pass names and contents as bytes (base64), not as text")                                \
	X(ENCODING_REPLACEMENT, INTERFACE, "encoding", "replacement",                              \
	  "U+FFFD stands where other bytes were", "pass contents as bytes (base64), not as text")  \
	X(ENCODING_NORMALIZATION, INTERFACE, "encoding", "normalization",                          \
	  "the name exists in another Unicode normalization",                                      \
	  "keep names as they are, without normalization")                                         \
	X(ENCODING_ESCAPED, INTERFACE, "encoding", "escaped",                                      \
	  "an escape sequence stands as text in a name", "decode arguments once, and only once")   \
	X(NULL_BYTE_ARGUMENT, INTERFACE, "null-byte", "argument", "a NUL byte in an argument",     \
	  "refuse or strip NUL bytes where arguments come in")                                     \
	X(NULL_BYTE_PAYLOAD, INTERFACE, "null-byte", "payload", "content cut at its first NUL",    \
	  "handle contents by length, not as C strings")                                           \
	X(PATH_TILDE, INTERFACE, "path", "tilde", "a literal ~ that nobody expands",               \
	  "expand ~ where the path comes in (only a shell does so)")                               \
	X(PATH_TOO_LONG, INTERFACE, "path", "too-long", "text was handed in as a path",            \
	  "pass text as text: the tool takes it for a file name")                                  \
	X(PATH_FOREIGN, INTERFACE, "path", "foreign", "a path of another operating system",        \
	  "map paths to the sandbox's own tree")                                                   \
	X(PATH_MISSING_CWD, INTERFACE, "path", "missing-cwd",                                      \
	  "the working directory for a program does not exist",                                    \
	  "make the directory before the program is started, or correct cwd")                      \
	X(PATH_WRONG_DIRECTORY, INTERFACE, "path", "wrong-directory",                              \
	  "a relative path is looked up in another directory than where it exists",                \
	  "pass absolute paths, or set the working directory")                                     \
	X(PATH_MISSING_DIRECTORY, INTERFACE, "path", "missing-directory",                          \
	  "a directory that was handed in was never made",                                         \
	  "make TMPDIR, HOME and cache directories before the task starts")                        \
	X(PATH_TRAVERSAL, INTERFACE, "path", "traversal", "a path left the task's own tree",       \
	  "resolve and check paths in the tool layer")                                             \
	X(PATH_QUOTED, INTERFACE, "path", "quoted", "literal quotes stand in a path",              \
	  "pass arguments as a list, not as a quoted string")                                      \
	X(PATH_EMPTY, INTERFACE, "path", "empty", "an empty path was handed in",                   \
	  "check arguments where they come in")                                                    \
	X(ARGS_TOO_LONG, INTERFACE, "args", "too-long", "the arguments are too long",              \
	  "pass long text on stdin or in a file, not as an argument")                              \
	X(SCRIPT_NO_SHEBANG, INTERFACE, "script", "no-shebang",                                    \
	  "a script without a first line was executed",                                            \
	  "let the tool layer keep the #! line, or run the script by its interpreter")             \
	X(TRANSPORT_BROKEN_PIPE, INTERFACE, "transport", "broken-pipe",                            \
	  "the peer of the channel left first", "look at the peer: why did it leave?")             \
	X(TRANSPORT_CLOSED, INTERFACE, "transport", "closed", "the server ended with calls open",  \
	  "look at the server's own failure")                                                      \
	X(TRANSPORT_RESET, INTERFACE, "transport", "reset", "the peer reset the connection",       \
	  "look at the peer: why did it leave?")                                                   \
	X(TRANSPORT_BLOCKED, INTERFACE, "transport", "blocked", "nobody drains the channel",       \
	  "read the server's output all the time")                                                 \
	X(TRANSPORT_OVERSIZED, INTERFACE, "transport", "oversized", "a message over the limit",    \
	  "raise the limit, or split the message")                                                 \
	X(PROTOCOL_NOT_JSON, INTERFACE, "protocol", "not-json", "a line that is no JSON",          \
	  "keep logs off stdout, write one message a line")                                        \
	X(PROTOCOL_INVALID_REQUEST, INTERFACE, "protocol", "invalid-request",                      \
	  "the request was refused as invalid", "correct method, tool name or arguments")          \
	X(PROTOCOL_TOOL_ERROR, INTERFACE, "protocol", "tool-error", "the tool reported an error",  \
	  "look at the tool's own text")                                                           \
	X(PAYLOAD_CORRUPTED, INTERFACE, "payload", "corrupted", "content came back different",     \
	  "compare the legs: argument, disk, result")                                              \
	X(PAYLOAD_TRUNCATED, INTERFACE, "payload", "truncated", "content came back shorter",       \
	  "look for size limits on the way")                                                       \
	X(PAYLOAD_MALFORMED, INTERFACE, "payload", "malformed", "content that can't be decoded",   \
	  "encode contents once, completely")                                                      \
	X(DEADLINE_KILLED, INTERFACE, "deadline", "killed", "the signal of a supervisor ended it", \
	  "raise the time limit of whoever sent the signal, or find out why it took so long")      \
	X(DEADLINE_NO_RESPONSE, INTERFACE, "deadline", "no-response", "a request got no answer",   \
	  "look at the server: where does it wait?")                                               \
	X(CRASH_SIGNAL, WORKLOAD, "crash", "signal", "the program crashed by itself",              \
	  "nothing to turn in the sandbox: look at the program")                                   \
	X(EXIT_NON_ZERO, WORKLOAD, "exit", "non-zero", "the program failed by itself",             \
	  "nothing to turn in the sandbox: look at the program")                                   \
	X(EXIT_MISSING_FILE, WORKLOAD, "exit", "missing-file",                                     \
	  "the program asked for a file that nobody made",                                         \
	  "nothing to turn in the sandbox: look at the program")

enum cause {
#define X(id, level, primitive, cause, meaning, remedy) CAUSE_##id,
	TAXONOMY(X)
#undef X
		CAUSE_MAX
};

struct taxon {
	enum level level;
	const char *primitive;
	const char *cause;
	const char *meaning; /* a clause for people */
	const char *remedy;  /* one sentence: the knob */
};

/* The row of a cause; never NULL for 0 <= c < CAUSE_MAX. */
const struct taxon *taxonomy_get(enum cause c);
/* The cause of level/primitive/cause names, or -ENOENT. */
int taxonomy_find(const char *level, const char *primitive, const char *cause);

#endif
