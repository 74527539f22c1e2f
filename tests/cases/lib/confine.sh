# SPDX-License-Identifier: GPL-2.0-only
# lib/confine.sh - sourced by cases:  make_confine;  ./confine RIGHT... -- DIRECTORY COMMAND...
#
# Builds ./confine, which runs the command in a Landlock domain. A right to files holds below the directory only; connect
# refuses every TCP connect; abstract-socket and signal cut the domain off from sockets and processes outside of it.
# Ends with 77 where the kernel does not know such a right.

make_confine() {
    cat >confine.c <<'EOF'
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
/* word 0: files, 1: network (Linux 6.7), 2: scopes (Linux 6.12); numbers as old headers lack some names */
static const struct { const char *name; int word; unsigned long long bit; } rights[] = {
    {"execute", 0, 1 << 0}, {"write", 0, 1 << 1}, {"mkdir", 0, 1 << 7}, {"create", 0, 1 << 8}, {"refer", 0, 1 << 13},
    {"connect", 1, 1 << 1}, {"abstract-socket", 2, 1 << 0}, {"signal", 2, 1 << 1},
};
int main(int argc, char **argv) {
    unsigned long long attr[3] = {0};
    int set, last = 0;
    char **arg = argv + 1;
    for (; strcmp(*arg, "--"); arg++)
        for (unsigned int i = 0; i < sizeof rights / sizeof *rights; i++)
            if (!strcmp(rights[i].name, *arg)) {
                attr[rights[i].word] |= rights[i].bit;
                if (rights[i].word > last) last = rights[i].word;
            }
    set = syscall(SYS_landlock_create_ruleset, attr, (last + 1) * sizeof *attr, 0);
    if (set < 0) { perror("landlock"); return 77; }
    if (attr[0]) {
        struct landlock_path_beneath_attr here = {.allowed_access = attr[0]};
        here.parent_fd = open(arg[1], O_PATH | O_CLOEXEC);
        if (syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &here, 0)) return 77;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_landlock_restrict_self, set, 0)) return 77;
    execvp(arg[2], arg + 2);
    return 127;
}
EOF
    cc -o confine confine.c || exit 77
}
