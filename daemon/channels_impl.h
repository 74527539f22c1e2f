/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of channels*.c:
 *
 *	channels.c          streams: records to bytes to messages; time; the end of tasks
 *	channels_talk.c     which streams, and which messages of HTTP, are one session
 *	channels_place.c    an answer that nobody waits for: whose is it?
 *	channels_owner.c    whose task a call is
 *	channels_named.c    servers that were named
 *	channels_blocked.c  writers that are stuck
 *	channels_oversized.c  messages over their reader's limit
 *	channels_relay.c    the same call on several channels
 *	channels_call.c     calls and incidents go to their tasks
 */
#ifndef SANDFAULT_CHANNELS_IMPL_H
#define SANDFAULT_CHANNELS_IMPL_H

#include "core.h"
#include "disk.h"
#include "payload.h"
#include "session.h"
#include "wire.h"

#define STREAMS_MAX   1024
#define HELD_MAX      (64 << 20) /* bytes of messages that are on their way */
#define PARKED_MAX    64	 /* answers that wait for their request, a stream */
#define PARKED_ALL    256	 /* … and of all streams */
#define RETRY_NS      (20 * NSEC_PER_MSEC)
#define PARKED_NS     (300 * NSEC_PER_MSEC)
#define WIRE_PATIENCE (100 * NSEC_PER_MSEC) /* for bytes that come out of order */

/* Who stands at one end, as the last record of it said. tgid 0: not known yet. */
struct end {
	struct call_peer peer;
	uint64_t instance, cgroup;
	int fd;
};

/* A write that one end stands in. */
struct blocked {
	int tid, nr, fd;
	uint64_t buf, bytes;	    /* its arguments; bytes 0: not known */
	uint64_t since_ns, seen_ns; /* the first and the last look at it; since_ns 0: none */
	bool said;
};

/* A session, and who talks. Side 0 is the client of HTTP. */
struct talk {
	uint64_t id;
	struct pipeline *p;
	struct session *session;
	bool http;
	char *name; /* of HTTP: the session's id; NULL: none */
	struct end ends[2];
	struct blocked blocked[2];
	unsigned int streams; /* that are its */
	uint32_t asked_tgid;  /* whose named ancestor was looked for … */
	uint32_t named_tgid;  /* … and found; 0: it has none */
	uint64_t last_ns;
	UT_hash_handle hh;
};

/* An answer whose request has not been seen yet. */
struct parked {
	struct rpc r;	       /* with an id and an object of its own */
	struct wire_message m; /* without data */
};

/* One direction of a channel. */
struct stream {
	uint64_t key, back;
	struct pipeline *p;
	struct wire *wire;
	struct talk *talk; /* NULL: no message yet */
	unsigned int side; /* of the talk: who writes */
	struct end writer, reader;
	uint64_t next; /* offset that is expected */
	size_t held;   /* of the wire */
	uint64_t last_ns;
	struct parked *parked;
	size_t n_parked;
	uint16_t serial;   /* of the connection: an earlier one of that name had another */
	uint8_t kind;	   /* enum sf_ch_kind */
	UT_hash_handle hh; /* by key; the least recently used first */
};

/* A call that somebody holds on to: its session, or the payload. */
struct flight {
	uint64_t id;
	uint64_t instance;
	uint64_t talk;
	uint64_t root; /* id of the first of those that are the same request */
	struct call *call;
	bool compared;		     /* the disk was asked: the task waits for it */
	uint8_t digest[CALL_DIGEST]; /* of the request; those that have the same stand in a row */
	struct flight *next_same, *prev_same;
	UT_hash_handle hh;
	UT_hash_handle hh_digest; /* of the first of such a row */
};

enum named_by {
	NAMED_BY_USER = 0, /* `channel add`, the configuration */
	NAMED_BY_TASK,	   /* begun with it; counted */
	NAMED_BY_PATTERN,
	NAMED_BY_MAX
};

/* A server outside of every task that was named. */
struct named {
	uint32_t tgid; /* it and its descendants; 0: a cgroup's */
	uint64_t cgroup;
	char *path; /* of the cgroup */
	unsigned int uses[NAMED_BY_MAX];
};

/* A request that was answered a moment ago. */
struct twin {
	char rpc_id[64]; /* longer ones are not looked for */
	uint8_t digest[CALL_DIGEST];
	uint64_t started_ns;
	struct call_peer server;
};
#define RECENT_MAX 64

struct channels {
	struct pipeline *p;
	struct session_settings set;
	struct stream *streams;
	struct talk *talks;
	uint64_t last_talk;
	struct flight *flights, *by_digest;
	struct twin recent[RECENT_MAX];
	size_t n_recent; /* ever */
	struct disk *disk;
	struct payload *payload;
	struct named *named;
	size_t n_named, cap_named;
	char **patterns;
	size_t n_patterns;
	uint64_t checked_ns;	/* when it was looked whether the named live */
	size_t n_parked;	/* of all streams */
	uint64_t retried_ns;	/* when they were looked through last */
	uint64_t blocked_after; /* the talk whose ends were looked at last */
	size_t held;
	uint64_t lost; /* bytes and streams, by the kernel's counters, up to now */
	uint64_t idle_looked_ns;
	uint64_t unowned; /* calls of nobody's */
	uint64_t evicted; /* streams that went for want of room */
};

/* ---- channels.c ---- */
void stream_free(struct pipeline *p, struct stream *s);

/* ---- channels_talk.c ---- */
struct talk *talk_new(struct pipeline *p);
void talk_free(struct pipeline *p, struct talk *t);
void talks_tick(struct pipeline *p, uint64_t now); /* those that are over go */
void talk_leave(struct stream *s);		   /* the stream is no more its talk's */
void talk_join(struct stream *s, struct talk *t, unsigned int side);
/* A stream without one may have that of its other direction. */
void talk_find(struct stream *s);
/* Of HTTP: what stands for its connection; else 0. */
uint64_t talk_conn(const struct stream *s);
/* Who stands at the stream's ends is told to its session. */
void talk_ends(struct stream *s);
/* One message of a stream. */
void talk_message(const struct wire_message *m, void *stream);
/* Hands it to its session. */
void talk_say(struct stream *s, struct talk *t, const struct rpc *r, const struct wire_message *m);

/* ---- channels_place.c ---- */
/* Where it goes: the stream's own talk, or another, that it joins. false: it was parked. */
bool place_answer(struct stream *s, const struct rpc *r, const struct wire_message *m);
/* The same for what is no message, on a stream that has no talk of its own yet. */
bool place_noise(struct stream *s, const struct rpc *r, const struct wire_message *m);
/* Tries those that wait again; `force`: they wait no longer. */
void place_parked(struct pipeline *p, struct stream *s, bool force);
void place_free(struct pipeline *p, struct stream *s);

/* ---- channels_owner.c ---- */
/* Whose is a call of that talk now? NULL: nobody's. The unattributed one: of a server that was named. */
struct tracked *owner_of(struct pipeline *p, struct talk *t, uint64_t ts);

/* ---- channels_named.c ---- */
#define NAMED_ANCESTORS 32
/* 0, -ENOSPC, -E2BIG … ; removal: -ENOENT. */
int named_pid_add(struct pipeline *p, uint32_t tgid, enum named_by by);
int named_pid_remove(struct pipeline *p, uint32_t tgid, enum named_by by);
int named_cgroup_add(struct pipeline *p, const char *path);
int named_cgroup_remove(struct pipeline *p, const char *path);
/* A shell's pattern (fnmatch(3)) for whole command lines. */
int named_pattern_add(struct pipeline *p, const char *pattern);
int named_pattern_remove(struct pipeline *p, const char *pattern);
bool named_still(const struct pipeline *p, uint32_t tgid);
uint32_t named_above(const struct pipeline *p, uint32_t tgid); /* 0: none */
bool named_cgroup(const struct pipeline *p, uint64_t cgroup);
void named_exec(struct pipeline *p, const struct event *e);
void named_tick(struct pipeline *p, uint64_t now); /* those that have ended go */
void named_free(struct pipeline *p);

/* ---- channels_blocked.c ---- */
void blocked_tick(struct pipeline *p, uint64_t now);
/* The session is about to end, or what is open in it: whoever was stuck until now is told of. */
void blocked_end(struct talk *t, uint64_t ts);

/* ---- channels_oversized.c ---- */
void oversized_settle(struct pipeline *p, struct tracked *tr);

/* ---- channels_relay.c ---- */
void relay_add(struct pipeline *p, struct flight *f);
void relay_remove(struct pipeline *p, struct flight *f);
/* false: it is a request that was answered already, passed on by its server. */
bool relay_opened(struct pipeline *p, struct flight *own);
/* false: another one is the call, this one goes. */
bool relay_closed(struct pipeline *p, struct flight *own);

/* ---- channels_call.c ---- */
void flight_drop(struct pipeline *p,
		 struct flight *f);	  /* with its call; nobody else holds on to it */
extern const struct session_ops call_ops; /* arg: the talk */
void call_done(uint64_t id, void *arg);	  /* payload_done_fn */
void flights_forget(struct pipeline *p, uint64_t instance); /* 0: all */

#endif
