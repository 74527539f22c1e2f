/* SPDX-License-Identifier: GPL-2.0-only */
/* Predicates of the rule table, each explained where it is written. Internal to it. */
#ifndef SANDFAULT_RULES_WHEN_H
#define SANDFAULT_RULES_WHEN_H

#include "model.h"

bool in_userns(const struct signature *s);
bool is_devpts_mount(const struct signature *s); /* in a user namespace */
bool is_id_map(const struct signature *s);
bool is_inotify_init(const struct signature *s);
bool is_watch(const struct signature *s);
bool is_kill_zero(const struct signature *s);
bool is_setgroups(const struct signature *s);
bool is_tty(const struct signature *s);
bool is_unix_path(const struct signature *s);
bool is_optional_service(const struct signature *s);
bool is_dns_port(const struct signature *s);
bool is_standard_data(const struct signature *s);
bool is_not_procfs(const struct signature *s);
bool is_not_sysfs(const struct signature *s);
bool is_file_size_limited(const struct signature *s);
bool is_short_at_limit(const struct signature *s);
bool is_short_at_full(const struct signature *s);
bool is_tmpfs_make(const struct signature *s);
bool is_unseen_device(const struct signature *s);
bool is_map_limit(const struct signature *s);
bool raises_nofile(const struct signature *s);
bool raises_nproc(const struct signature *s);
bool raises_memory(const struct signature *s);
bool raises_memlock(const struct signature *s);
bool raises_fsize(const struct signature *s);
bool raises_other(const struct signature *s);
bool is_no_directory(const struct signature *s);
bool is_elsewhere(const struct signature *s);
bool is_shm_absent(const struct signature *s);
bool is_no_broadcast(const struct signature *s);
bool is_abstract(const struct signature *s);
bool is_ipv6(const struct signature *s);
bool is_ptraced_refusal(const struct signature *s);
bool is_prctl(const struct signature *s);
bool is_below_env(const struct signature *s);
bool is_no_chown(const struct signature *s);
bool is_check_seen(const struct signature *s); /* of a capability, in vain */
bool is_unmapped_owner(const struct signature *s);
/* A mount of the sandbox covers what lies there outside of it … */
bool is_hidden(const struct signature *s);	  /* … and shows nothing there */
bool is_hidden_data(const struct signature *s);	  /* … where standard data belongs */
bool is_hidden_device(const struct signature *s); /* … below /dev */
bool is_usual_device(const struct signature *s);
bool is_shut(const struct signature *s); /* … by what lets nobody in */
bool is_data_limit(const struct signature *s);
bool on_volume(const struct signature *s);
bool is_file_fd(const struct signature *s);

/* rules_hook.c: what the security hooks said of the call. */
bool by_hook(const struct signature *s);
bool by_yama(const struct signature *s);
bool by_landlock(const struct signature *s);
bool by_apparmor(const struct signature *s);
bool by_selinux(const struct signature *s);
/* All that a policy could have refused it with were watched, and none did. */
bool hooks_silent(const struct signature *s);
bool hooks_unsure(const struct signature *s);	    /* nobody said that none did */
bool is_refused_program(const struct signature *s); /* as is_no_directory, and hooks_unsure */
bool is_userns_silent(const struct signature *s);

/* Which limit a setrlimit or prlimit asked to set: where it failed, to raise beyond the hard one
 * (getrlimit(2)). -1: it is no such call. */
int rule_set_limit(const struct signature *s);

/* rules_special.c */
bool is_ptrace_guarded(const struct signature *s); /* EACCES of another process's secrets */
bool is_pid_hidden(const struct signature *s);	   /* EPERM below another process's /proc/PID */
bool is_sysctl(const struct signature *s);
bool is_mount_point(const struct signature *s); /* on_volume, and no cgroup */
bool asks_exec(const struct signature *s);	/* access(2) with X_OK */
bool is_huge_page(const struct signature *s);

#endif
