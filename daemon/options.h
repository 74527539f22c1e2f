/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Settings of the daemon: defaults, then one file of `key = value` lines (# comments, [sections]
 * not used), then command line options. A bad key or value is refused with file, line and what is
 * allowed. Order for places: option, SANDFAULT_DB / SANDFAULT_SOCKET, file, default.
 */
#ifndef SANDFAULT_OPTIONS_H
#define SANDFAULT_OPTIONS_H

#include "util.h"

#define DEFAULT_CONFIG "/etc/sandfault.conf"
#define DEFAULT_SOCKET "/run/sandfault/control.sock"
#define DEFAULT_DB     "/var/lib/sandfault/sandfault.db"
#define DEFAULT_GROUP  "sandfault"

struct options {
	char *config; /* file it came from, NULL: none */
	char *db;
	char *socket;
	char *group;	  /* reads the database, may use the socket */
	char **templates; /* path templates, see template.h */
	size_t n_templates;
	char *alert_command;	       /* absolute path of a program, NULL: none */
	int64_t alert_timeout_ns;      /* default 10 s */
	int64_t alert_window_ns;       /* default 10 min */
	int64_t alert_min_tasks;       /* default 4 */
	double alert_significance;     /* default 1e-4: Poisson tail below which it fires */
	int64_t alert_resolve_ns;      /* quiet time until it resolves, default: the window */
	int64_t retain_age_ns;	       /* default 30 d */
	int64_t retain_bytes;	       /* default 2 GiB */
	int64_t judge_interval_ns;     /* running tasks, default 5 s */
	int64_t sweep_interval_ns;     /* default 1 s */
	int64_t empty_ns;	       /* a populated cgroup empty this long settles, default 2 s */
	int64_t abandon_ns;	       /* an empty cgroup ends its task, default 10 min */
	uint32_t signature_entries;    /* of each of the two maps, default 32768 */
	uint32_t budget;	       /* new signatures per task and sweep, default 8192 */
	char *proc_root, *cgroup_root; /* default /proc and the cgroup2 mount (found); for tests */
	char *no_sensor; /* names of sensors that are not to be used, commas between; NULL: none */
	bool channels;	 /* tool channels are observed, default on */
	bool channel_payload; /* what they carry may be kept, redacted; else shapes and digests */
	uint32_t channel_excerpt; /* bytes of damaged contents that may be kept, default none */
	char **channel_servers;	  /* patterns of command lines of servers outside of tasks */
	size_t n_channel_servers;
	char **channel_cgroups; /* whose processes are such servers */
	size_t n_channel_cgroups;
	int64_t channel_ring; /* bytes of their ring, rounded up to a power of two; default 16 MiB */
	int64_t channel_message; /* bytes kept of a message while it is looked at, default 8 MiB */
	int log_level;		 /* enum log_level */
	bool foreground_private; /* --private: leave after the last `run` (5 s) */
	bool alert_resolve_set;	 /* else it follows the window */
	char *record;		 /* --record FILE: what comes in is kept there, NULL: no */
	bool check;		 /* --check: load, attach, print the sensors as JSON, leave */
	int argc;		 /* the line it was parsed from, borrowed */
	char **argv;
	int ready_fd; /* --ready-fd N: "ready\n" is written there; -1: none */
};

int options_init(struct options *o); /* defaults; 0 or -ENOMEM */
void options_clear(struct options *o);
/* Sets one key from text. 0, -ENOENT: no such key, -EINVAL; then *error (owned) says what is wrong
 * and what is allowed. Alone: alert-resolve follows alert-window until it is set itself. */
int options_set(struct options *o, const char *key, const char *value, char **error);
/* Reads a file; 0, -ENOENT, or -EINVAL with *error (owned) = "FILE:LINE: what; what is allowed". */
int options_load(struct options *o, const char *path, char **error);
/* Parses the daemon's command line (and the environment and the file it names) into `o`, which was
 * initialised; argv is kept. 0; 1: help or version was printed, exit 0; -EINVAL: said on stderr,
 * exit 2. */
int options_parse(struct options *o, int argc, char **argv);
/* Reads line, environment and file of `o` once more, into `fresh`, which is to be cleared on success;
 * for options_reload(). 0 or -errno; said on stderr what is wrong. */
int options_reread(struct options *fresh, const struct options *o);
/* Takes over what can be changed while it runs (SIGHUP); logs what can't. 0 or -errno. */
int options_reload(struct options *o, const struct options *fresh);
/* "90s", "0.5s", "15m", "6h", "2d" -> ns; -EINVAL. */
int options_duration(const char *s, int64_t *ret_ns);
/* "512M", "2G", plain bytes; -EINVAL. */
int options_size(const char *s, int64_t *ret_bytes);

#endif
