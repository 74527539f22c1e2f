/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies in the maps that both sides read and write. Times are ns of CLOCK_BOOTTIME. */
#ifndef SANDFAULT_SHARED_H
#define SANDFAULT_SHARED_H

#ifndef __VMLINUX_H__
#include <linux/types.h>
#endif

#define SF_COMM	    16	/* TASK_COMM_LEN */
#define SF_SIG_TEXT 160 /* text kept in the signature map itself, bytes */

enum sf_cg_flag {
	SF_CG_ROOT = 1 << 0,   /* a tracked root or an unclaimed cgroup: children get an instance
				 * of their own from the kernel side */
	SF_CG_ENDED = 1 << 1,  /* its task has ended: what still comes is late */
	SF_CG_IGNORE = 1 << 2, /* below a tracked root, yet not recorded */
};

/* map `cgroups`: cgroup v2 id (u64) -> */
struct sf_cgroup {
	__u64 instance;
	__u32 flags; /* enum sf_cg_flag */
	__u32 pad;
};

/* map `scoped`: tgid (u32) -> instance (u64); a process and its descendants as a task */

/* map `watched`: tgid (u32) -> tgid (u32) of the server outside every task that it descends from, or
 * is; its channels are looked for. map `watched_cgroups`: cgroup v2 id (u64) -> u32, unused. */

/* map `streams`: what a stream is called (u64, see struct sf_ev_chunk) -> */
struct sf_stream {
	__u64 back;    /* the other direction; 0: a pipe has none */
	__u64 bytes;   /* seen of it, from its first record on */
	__u64 inode;   /* number of the captured end's, which tells it from a later stream's */
	__u64 peer;    /* … and of the other's; 0: not known yet */
	__u64 last_ns; /* when it was last used at the captured end */
	__u32 tgid;    /* who was recognised at the captured end */
	__u32 other;   /* who was last told of at the other; 0: nobody yet */
	__u8 kind;     /* enum sf_ch_kind */
	__u8 writes;   /* the captured end is 1: the writer's, 0: the reader's */
	__u8 begun;    /* its first record was sent */
	__u8 others;   /* SF_CH_OTHER sent */
	__u8 asks;     /* its first message was a request */
	__u8 pad;
	__u16 serial; /* the connection's, both directions' */
};
_Static_assert(sizeof(struct sf_stream) == 56, "struct sf_stream");

/* map `instances`: instance (u64) -> what the signature maps do not say. All failing syscalls are
 * those in the maps, the benign and the lost. */
struct sf_instance {
	__u64 benign;	  /* failing syscalls that are known-benign, only counted */
	__u64 coarse;	  /* … that are counted without subject, in the coarse map */
	__u64 lost;	  /* … that are in no map at all */
	__u64 bells_lost; /* first sightings that found their ring full (counts are not affected) */
	__u64 rare_lost;  /* rare events that found their ring full */
	__u32 generation; /* for the budget */
	__u32 made;	  /* new signatures in this generation */
};
_Static_assert(sizeof(struct sf_instance) == 48, "struct sf_instance");

/* The signature maps: `sig_slot` (ARRAY_OF_MAPS, one entry) points at one of two hashes,
 * `coarse_slot` likewise. The daemon flips, drains the quiet one, commits, clears. */
struct sf_key {
	__u64 instance;
	__u64 start_ns; /* of the thread group's leader: with tgid, names a process for good */
	__u64 hash;	/* of the subject; 0: none, or coarse */
	__u32 tgid;
	__s16 err;   /* positive errno; 0: a success that matters */
	__u16 nr;    /* syscall number, bit 30 cleared for x32; 0xffff: none */
	__u8 abi;    /* enum sf_abi */
	__u8 entry;  /* enum sf_entry */
	__u8 coarse; /* 1: counted without subject */
	__u8 pad[5];
};
_Static_assert(sizeof(struct sf_key) == 40, "struct sf_key");

enum sf_text_kind {
	SF_TEXT_NONE = 0,
	SF_TEXT_PATH = 1,	/* a path as the task gave it */
	SF_TEXT_SOCKADDR = 2,	/* raw struct sockaddr */
	SF_TEXT_ARG = 3,	/* a u64 */
	SF_TEXT_UNREADABLE = 4, /* there should be a text, but its memory could not be read */
	SF_TEXT_FD = 5,		/* absolute path of a descriptor */
};

struct sf_val {
	__u64 count;
	__u64 first_ns;
	__u64 last_ns;
	__u32 tid;	/* of the first sighting */
	__u8 text_kind; /* enum sf_text_kind */
	__u8 rung;	/* 1: its bell is in the ring; 0: tried again at the next repeat */
	__u16 text_len; /* full length in bytes; more than SF_SIG_TEXT: cut here */
	char comm[SF_COMM];
	char text[SF_SIG_TEXT];
};
_Static_assert(sizeof(struct sf_val) == 208, "struct sf_val");

#endif
