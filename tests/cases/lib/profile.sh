# SPDX-License-Identifier: GPL-2.0-only
# lib/profile.sh - sourced by cases:  make_profile;  ./profile COMMAND...
#
# Builds ./profile, which runs the command under a filter in the manner of a container engine's default profile: what
# could reach the host is refused with EPERM, newer calls that the profile does not know with ENOSYS.

make_profile() {
    cat >profile.c <<'EOF'
#include <errno.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <unistd.h>
static const char *const refused[] = {
    "mount", "umount2", "unshare", "setns", "keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd",
    "kexec_load", "open_by_handle_at", "name_to_handle_at", "init_module", "finit_module", "delete_module", "acct",
    "quotactl", "reboot", "swapon", "swapoff", "syslog", "vhangup", "pivot_root", "mbind", "set_mempolicy",
    "get_mempolicy", "move_pages", "io_uring_setup", "io_uring_enter", "io_uring_register", "fanotify_init",
    "settimeofday", "sethostname",
};
static const char *const unknown[] = {
    "clone3", "faccessat2", "openat2", "close_range", "rseq", "epoll_pwait2", "memfd_secret", "process_madvise",
    "mount_setattr", "pidfd_open",
};
static int refuse(scmp_filter_ctx f, unsigned int errnum, const char *name) {
    int nr = seccomp_syscall_resolve_name(name);
    return nr == __NR_SCMP_ERROR ? 0 : seccomp_rule_add(f, SCMP_ACT_ERRNO(errnum), nr, 0);
}
int main(int argc, char **argv) {
    scmp_filter_ctx f = seccomp_init(SCMP_ACT_ALLOW);
    int bad = !f;
    for (unsigned int i = 0; i < sizeof refused / sizeof *refused; i++) bad |= refuse(f, EPERM, refused[i]);
    for (unsigned int i = 0; i < sizeof unknown / sizeof *unknown; i++) bad |= refuse(f, ENOSYS, unknown[i]);
    bad |= seccomp_rule_add(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_NEWUSER, CLONE_NEWUSER));
    if (bad || seccomp_load(f)) return 77;
    execvp(argv[1], argv + 1);
    perror(argv[1]);
    return 127;
}
EOF
    cc -D_GNU_SOURCE -o profile profile.c -lseccomp || exit 77
}
