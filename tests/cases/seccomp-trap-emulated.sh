#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# case: seccomp-trap-emulated
# report: own
# expect: none
# outcome: ok
# needs: cc
# why: A program catches SIGSYS, emulates the call in its handler and ends well.
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin; export PATH
d=$(mktemp -d) && trap 'rm -rf "$d"' EXIT && cd "$d" || exit 77
cat >emulate.c <<'EOF'
#define _GNU_SOURCE
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
static void emulate(int sig, siginfo_t *info, void *context) {
#ifdef __aarch64__
    ((ucontext_t *)context)->uc_mcontext.regs[0] = 4711;
#else
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = 4711;
#endif
}
int main(void) {
    struct sigaction action = {.sa_sigaction = emulate, .sa_flags = SA_SIGINFO};
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    sigaction(SIGSYS, &action, 0);
    if (!f || seccomp_rule_add(f, SCMP_ACT_TRAP, SCMP_SYS(getpgid), 0) || seccomp_load(f)) return 77;
    long group = syscall(SYS_getpgid, 0);
    printf("group %ld\n", group);
    access(".emulaterc", F_OK); /* an ordinary failing call, for the record */
    return group == 4711 ? 0 : 1;
}
EOF
cc -o emulate emulate.c -lseccomp || exit 77
./emulate
