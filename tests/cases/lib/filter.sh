# SPDX-License-Identifier: GPL-2.0-only
# lib/filter.sh - sourced by cases:  make_filter;  ./filter ACTION SYSCALL... -- COMMAND...
#
# Builds ./filter, which runs the command under a seccomp filter that answers these system calls with ACTION: kill,
# thread or trap, else the name of an errno. A system call that this machine does not have is passed over.

make_filter() {
    cat >filter.c <<'EOF'
#include <errno.h>
#include <seccomp.h>
#include <string.h>
#include <unistd.h>
static const struct { const char *name; unsigned int action; } actions[] = {
    {"kill", SCMP_ACT_KILL_PROCESS}, {"thread", SCMP_ACT_KILL_THREAD}, {"trap", SCMP_ACT_TRAP},
    {"EPERM", SCMP_ACT_ERRNO(EPERM)}, {"EACCES", SCMP_ACT_ERRNO(EACCES)}, {"ENOSYS", SCMP_ACT_ERRNO(ENOSYS)},
};
int main(int argc, char **argv) {
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    unsigned int n = sizeof actions / sizeof *actions, i = 0;
    char **arg = argv + 2;
    while (i < n && strcmp(actions[i].name, argv[1])) i++;
    for (; i < n && strcmp(*arg, "--"); arg++)
        if (seccomp_rule_add(f, actions[i].action, seccomp_syscall_resolve_name(*arg), 0)) return 77;
    if (i == n || seccomp_load(f)) return 77;
    execvp(arg[1], arg + 1);
    return 127;
}
EOF
    cc -o filter filter.c -lseccomp || exit 77
}
