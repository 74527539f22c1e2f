/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Integrity: are what a tool was given to write, what stands on disk, and what a call hands
 * back the same bytes? And: did a path leave the task's own tree? What is wrong becomes a fault
 * of the call. Which argument is the path and which the content is found by their names and
 * shapes, not by a list of servers. Only damage that can be named is reported: a tool that
 * numbers lines, adds a header or formats what it shows is left alone. The disk is asked
 * asynchronously (disk.h), in the server's own mount namespace; where it can't be seen nothing
 * is said.
 *
 * Contents that were handed in are held for a moment, in bounded memory, to be compared; none
 * is stored, and a fault quotes some only where `excerpt` allows it.
 */
#ifndef SANDFAULT_PAYLOAD_H
#define SANDFAULT_PAYLOAD_H

#include <json-c/json.h>

#include "call.h"

/* For disk_new(): two questions, one after the other, end within a third of a second. */
#define PAYLOAD_DISK_NS (120 * NSEC_PER_MSEC)

struct disk;
struct payload;

/* All that can be found about this call is in its faults: it isn't touched any more. Called
 * from the loop, never from within payload_request() or payload_answer(). */
typedef void (*payload_done_fn)(uint64_t call, void *arg);

struct payload_options {
	struct disk *disk;    /* NULL: never asked; outlives the payload */
	bool shapes_only;     /* no paths in faults: their subject is the tool */
	size_t excerpt;	      /* bytes of contents that a fault may quote; 0: none */
	size_t hold_max;      /* bytes of contents held at once; 0: 32 MiB */
	payload_done_fn done; /* may be NULL */
	/* When the task of an instance began, boottime ns; 0: not known. A symbolic link that is
	 * older was put there by whoever made the image, and is no way out. May be NULL. */
	uint64_t (*began)(uint64_t instance, void *arg);
	void *arg; /* of both */
};

/* 0 or -ENOMEM. */
int payload_new(struct payload **ret, const struct payload_options *o);
void payload_free(struct payload *p);

/*
 * A request has come whole: before its answer, with id, session, instance, method, tool,
 * client, server (as far as they are known) and started_ns filled. `params` is borrowed for the
 * call of the function. The call stays where it is until payload_answer() has returned 0,
 * done() was called, or payload_forget() was. 0 or -ENOMEM (then nothing is known of the call).
 */
int payload_request(struct payload *p, struct call *c, struct json_object *params);

/*
 * The call has ended, however it did: `end`, `ended_ns`, `cut` and the server are filled.
 * `result` is that of the answer, NULL where there is none. 0: all is said; 1: done() will be
 * called, in the end by the disk's own time limit; -ENOMEM: nothing more will come. `params` may
 * be NULL: what matters of them was taken from the request.
 */
int payload_answer(struct payload *p, struct call *c, struct json_object *params,
		   struct json_object *result);

/* The call goes away before its time: it isn't touched, and done() isn't called for it. */
void payload_forget(struct payload *p, uint64_t call);

/* What the client answered to the server's roots/list: the trees that the session may touch. */
void payload_roots(struct payload *p, uint64_t session, struct json_object *result);

/* The session has ended: what was held for it is dropped. Pending calls are finished all the
 * same. */
void payload_end(struct payload *p, uint64_t session);

/* Drops contents that were held for 60 s; call it about once a second. `now` is boottime ns. */
void payload_tick(struct payload *p, uint64_t now);

size_t payload_held(const struct payload *p); /* bytes of contents */
/* Questions to the disk that were one too many, or got no answer in time. */
uint64_t payload_unseen(const struct payload *p);

#endif
