/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by control*.c alone. control.c: the socket and who may connect. control_peer.c: one
 * connection, its lines in and out. control_request.c: what a line says. control_field.c: its fields.
 * control_call.c, control_channel.c: the operations call and channel.
 */
#ifndef SANDFAULT_CONTROL_IMPL_H
#define SANDFAULT_CONTROL_IMPL_H

#include <sys/socket.h>

#include "control.h"

#define CONTROL_PEERS_MAX   512
#define CONTROL_QUEUE_MAX   (1024 * 1024) /* bytes of replies that wait for one peer */
#define CONTROL_WATCH_MAX   (256 * 1024)  /* … beyond which a watcher loses events */
#define CONTROL_PENDING_MAX 256		  /* requests without reply; then we read no further */

struct control {
	struct loop *loop;
	char *path;
	gid_t gid;
	const struct control_ops *ops;
	void *arg;
	int fd;
	int spare_fd; /* given up for a moment where descriptors run out, to refuse a peer */
	struct loop_source *source;
	dev_t dev;
	ino_t ino; /* of the socket file: only our own is unlinked */
	struct control_peer *peers;
	unsigned int n_peers, n_watchers;
	uint64_t refused, malformed, slow, overflow;
};

struct control_pending {
	uint64_t token;
	struct json_object *id; /* echoed; NULL: none */
};

struct control_peer {
	struct control *c; /* NULL: gone */
	struct control_peer *prev, *next;
	unsigned int refs; /* the connection, and one a pending request */
	int fd;		   /* -1: gone */
	struct loop_source *source;
	struct ucred cred;

	char *in;
	size_t in_len, in_cap;
	bool skipping; /* the rest of an oversized line */
	bool eof;

	char *out;
	size_t out_at, out_len, out_cap; /* out[out_at…out_len) is to be written */

	struct control_pending *pending;
	size_t n_pending, pending_cap;
	uint64_t next_token;

	bool watching;
	char *campaign, *level; /* filters, NULL: all */
	uint64_t lost;		/* events since it was last told */
};

/* control_peer.c */
int control_peer_new(struct control *c, int fd, const struct ucred *cred); /* takes the fd */
void control_peer_close(struct control_peer *p);
/* A request arrived: the token to answer it by; takes over `id`. 0: no memory, the peer is closed. */
uint64_t control_peer_token(struct control_peer *p, struct json_object *id);
int control_peer_watch(struct control_peer *p, const char *campaign, const char *level);

/* control_request.c */
void control_request(struct control_peer *p, const char *line, size_t len);

#endif
