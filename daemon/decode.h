/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From bytes to structs. Every length is checked before it is believed; nothing here knows of
 * tasks or touches a file.
 */
#ifndef SANDFAULT_DECODE_H
#define SANDFAULT_DECODE_H

#include "model.h"

/* A checked record: the struct of its kind, and its trailing bytes in their order on the wire. All
 * pointers go into the record. */
struct event {
	enum sf_kind kind;
	const struct sf_hdr *hdr;
	const struct sf_actor *actor;
	union {
		const struct sf_ev_bell *bell;
		const struct sf_ev_exec *exec;
		const struct sf_ev_fork *fork;
		const struct sf_ev_exit *exit;
		const struct sf_ev_thread *thread;
		const struct sf_ev_signal *signal;
		const struct sf_ev_oom *oom;
		const struct sf_ev_cgroup *cgroup;
		const struct sf_ev_state *state;
		const struct sf_ev_net *net;
		const struct sf_ev_cpu *cpu;
		const struct sf_ev_chunk *chunk;
		const struct sf_ev_mount *mount;
	};
	struct {
		const char *data;
		size_t len;
	} part[3]; /* bell: text, base; exec: file, exe, argv; exit: tail, report; cgroup: path; chunk: data;
		    * mount: point, root */
};

/* `data` is aligned to 8 bytes, as ring buffers hand it out. 0 or -EBADMSG. */
int decode_event(const void *data, size_t size, struct event *ret);

/* Into a signature that is zero but for its key. 0 or -ENOMEM. */
int decode_bell(const struct event *e, struct signature *s);
/* The same from what the signature map holds, where no bell came: no base, a text that may be cut. */
int decode_value(const struct sf_key *key, const struct sf_val *val, struct signature *s);

/* Into the process that the event is about (not its key, and not the fields of the exit). */
void decode_actor(const struct event *e, struct process *p);
int decode_exec(const struct event *e, struct process *p);
int decode_exit(const struct event *e, struct process *p);

/*
 * `text` as seen from the directory `base`, without "." components and repeated slashes. ".." stays:
 * what it means depends on links. An empty base leaves a relative text relative.
 */
int decode_path(struct text *ret, const char *base, size_t base_len, const char *text,
		size_t text_len);

#endif
