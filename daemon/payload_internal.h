/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Inside of payload*.c:
 *
 *	payload.c          the books: calls that are looked at, contents held
 *	payload_known.c    what sessions did to files
 *	payload_signs.c    what one copy tells by itself
 *	payload_ask.c      what the disk is asked of a call
 *	payload_disk.c     what its answers mean
 *	payload_outside.c  paths that left the task's own tree
 *	payload_lost.c     relative paths that the server does not find
 *	payload_find.c     two copies of a content become a finding
 *	payload_shape.c    which argument is what (payload_words.c: by its name)
 */
#ifndef SANDFAULT_PAYLOAD_INTERNAL_H
#define SANDFAULT_PAYLOAD_INTERNAL_H

#include <uthash.h>

#include "disk.h"
#include "payload.h"
#include "payload_find.h"
#include "payload_shape.h"

/* A content that is held: its bytes may be dropped before its digest is. */
struct blob {
	struct payload *payload;
	unsigned int refs;
	size_t len;
	uint8_t digest[CALL_DIGEST];
	uint8_t *data; /* NULL: dropped, or never held */
	uint64_t held_ns;
	struct blob *prev, *next; /* of those with data, the oldest first */
};

/* What a session knows of a file, by the name it used. */
struct known {
	char *path;
	struct blob *given; /* by the last write that succeeded; NULL: unknown */
	enum shape_encoding encoding;
	bool plain;   /* … a plain one */
	bool damaged; /* … what came of it was found damaged: said once */
	bool seen;    /* `disk` is what stood there after it */
	uint8_t disk[CALL_DIGEST];
	bool was_read, has_old;
	bool read_seen, old_seen;      /* … and so it stood on disk */
	uint8_t read[CALL_DIGEST];     /* was_read: as it was handed back last */
	uint8_t old[CALL_DIGEST];      /* has_old: … before the last write */
	uint64_t changes;	       /* the session's count when it was written, … */
	uint64_t started_ns, ended_ns; /* … by a call of that time, … */
	unsigned int writer;	       /* … which was this of the file's writes */
	unsigned int writes, open;     /* begun; and not answered yet */
	UT_hash_handle hh;
};

struct dialog { /* a session */
	uint64_t id;
	uint64_t changes;   /* calls that may have changed files, nobody knows which */
	unsigned int works; /* calls that are looked at */
	bool ended;	    /* it goes with the last of them */
	char *roots[DISK_ROOTS];
	size_t n_roots;
	struct known *files;
	UT_hash_handle hh;
};

struct handed {
	char *path; /* terminated; NULL: none */
	enum shape_encoding encoding;
	struct blob *content; /* NULL: none */
	uint8_t decoded_digest[CALL_DIGEST];
	bool decodes;	     /* `decoded_digest` is filled: base64 */
	unsigned int writes; /* of the file, this one counted; 0: it is none */
	bool alone;	     /* no other was under way when it began */
	bool closed;	     /* it is not counted as open any more */
};

/* A call that is looked at, from its request until all is said. */
struct work {
	uint64_t id;
	struct payload *payload;
	struct call *call; /* NULL: it has gone */
	uint64_t session, instance, started_ns, ended_ns;
	uint64_t changes; /* the session's count, this call counted */
	struct call_peer client, server;
	enum shape_verb verb;
	bool plain, lists;
	struct call_peer held; /* by the disk, for this call; all 0: none */
	struct handed pairs[SHAPE_PAIRS];
	size_t n_pairs;
	struct blob *back;  /* the one content that was handed back; NULL: none, or several */
	struct blob *shown; /* all text that was; NULL: none */
	struct damage_signs signs; /* of what was handed in as text */
	size_t signs_pair;	   /* … with which pair */
	char *looked_in;	  /* where the server stood that did not find it; NULL: not known */
	char *stands_in;	  /* where the client stands, that has it; NULL: not known */
	bool answered, ok, waits; /* waits: done() is owed */
	unsigned int questions;	  /* to the disk, out */
	UT_hash_handle hh;
};

enum ask_kind {
	ASK_SERVER, /* where are these files, and what stands in them? */
	ASK_BYTES,  /* the bytes of one, to be compared */
	ASK_PROOF,  /* … that lies outside: is it what was shown? */
	ASK_CLIENT, /* the client's own */
	ASK_LOST,   /* what the server did not find: is it there now? */
	ASK_HELD,   /* … is it there for the client? */
};

struct ask {
	struct ask *prev, *next;
	struct work *work;
	enum ask_kind kind;
	size_t pair;
	struct call_fault *fault; /* PROOF: what is to be said, surely or not */
	struct finding found;	  /* BYTES: what was there before it settled; kind 0: none */
};

struct payload {
	struct payload_options o;
	struct dialog *dialogs;
	struct work *works;
	struct blob *oldest;
	struct ask *asks;
	size_t held;
	uint64_t unseen;
};

/* A file's times may lag by a tick of the kernel, and more. */
#define PAYLOAD_COARSE_NS (20 * NSEC_PER_MSEC)

struct blob *blob_new(struct payload *p, const void *data, size_t len, uint64_t now);
struct blob *blob_get(struct blob *b);
void blob_put(struct blob *b); /* NULL is fine */
/* payload_known.c */
struct dialog *payload_dialog(struct payload *p, uint64_t session); /* NULL: unknown */
/* What the session knows of a file; NULL: nothing. */
struct known *payload_known(struct payload *p, uint64_t session, const char *path);
struct dialog *dialog_make(struct payload *p,
			   uint64_t session); /* finds or makes; NULL: no memory */
void dialog_free(struct payload *p, struct dialog *d);
/* One call less is looked at: the dialog may go. */
void dialog_leave(struct payload *p, uint64_t session);
/* A write of the file begins; it has ended, well or not, or nobody will know. */
void write_begins(struct work *w, struct handed *h);
void write_ends(struct work *w, struct handed *h);
void write_lost(struct work *w, struct handed *h);
/* A whole file was handed back. */
void read_ends(struct work *w);
/* … as it stood on disk. */
void read_was_seen(struct work *w);
/* It is handed back as it was before the session's last write. */
bool payload_is_old(const struct work *w, const struct known *k);
/* Nothing that the session did can have changed the file since this write. */
bool payload_is_last(const struct work *w, size_t pair);
/* The session's last write was over when this call began, and nothing was done to the file
 * since. */
bool payload_stands(const struct work *w, const struct known *k);
/* All is said: tells whoever waits for it, and frees it. */
void work_settle(struct work *w);

/* Asks for what the answer can be compared with. Questions that can't be asked are counted. */
void payload_ask_server(struct work *w);
void payload_ask_client(struct work *w);
/* The client's file has come, or can't (NULL). */
void payload_client(struct work *w, const struct disk_answer *a);
/* Without the disk: what was handed in and handed back. */
void payload_round(struct work *w);
void payload_asks_drop(struct payload *p);
void payload_on_answer(int err, const struct disk_answer *a, void *arg); /* arg: the ask */
bool payload_is_utf8(const char *path);
/* payload_disk.c to payload_outside.c. Asks for the bytes of one file; NULL: that can't be
 * asked. */
struct ask *payload_ask_bytes(struct work *w, enum ask_kind kind, size_t pair, const char *real);
int64_t payload_file_time(uint64_t boottime); /* the same moment as a file's times have it */
bool payload_wrote(const struct work *w, const struct disk_file *f); /* during this call */
bool payload_same(const struct disk_file *f, const uint8_t *digest);
bool payload_is_given(const struct handed *h, const struct disk_file *f);
void payload_fault_free(struct call_fault *f);
/* Where but shapes may be kept, a fault's subject is the tool. */
void payload_veil(const struct payload *p, struct call *c);
/* Did path number `pair`, or `also`, the same in another spelling (-1: none), lead outside? */
void payload_outside(struct work *w, const struct disk_answer *a, size_t pair, int also);
void payload_proof(struct work *w, struct ask *k, const struct disk_answer *a);
/* A question to the disk; NULL: it can't be asked. */
struct ask *payload_ask(struct work *w, const struct disk_question *q, enum ask_kind kind,
			size_t pair);
/* payload_lost.c: of a call that failed for want of a file; its two answers, in any order. */
void payload_ask_lost(struct work *w);
void payload_lost(struct work *w, const struct disk_answer *a);
void payload_client_holds(struct work *w, const struct disk_answer *a);
/* payload_signs.c: what the request, and the answer's parts, tell by themselves. 0 or -ENOMEM. */
int payload_signs(struct call *c, const struct shape *s);
void payload_look_at_text(struct work *w, const struct shape *s);
int payload_check_part(struct work *w, struct call *c, const struct shape_part *part);

#endif
