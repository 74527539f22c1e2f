/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was seen of a task's tool channel: its calls, what was found wrong with their bytes, and what
 * befell the channel itself. Made by the sessions (or told by a harness), kept with the task, judged
 * with what the kernel saw. Contents are not kept: lengths, digests, and redacted excerpts at most.
 * Times are boottime ns.
 */
#ifndef SANDFAULT_CALL_H
#define SANDFAULT_CALL_H

#include "taxonomy.h"
#include "util.h"

#define CALL_DIGEST 32	 /* SHA-256, bytes */
#define CALL_TEXT   1024 /* kept of what an answer said, bytes, after redaction */
#define CALL_ARGS   2048 /* … of a call's arguments */

enum call_source {
	CALL_SEEN = 0, /* on its channel */
	CALL_TOLD,     /* by the harness */
};

enum call_end {
	CALL_OPEN = 0,	 /* not answered yet */
	CALL_OK,	 /* a result */
	CALL_TOOL_ERROR, /* a result with isError */
	CALL_ERROR,	 /* a JSON-RPC error; its code is `code` */
	CALL_NEVER,	 /* never answered: the channel, the server or the task ended before */
	CALL_CANCELLED,	 /* the client took it back */
	CALL_END_MAX
};

/* Between which two of the places where the same bytes were seen the damage was done. */
enum call_leg {
	LEG_NONE = 0, /* the bytes alone tell: no comparison was made */
	LEG_CLIENT,   /* what the client holds -> what it handed in */
	LEG_WRITE,    /* what was handed in -> what stands on disk */
	LEG_READ,     /* what stands on disk -> what was handed back */
	LEG_ROUND, /* what was handed in -> what a later call handed back; the disk was not seen */
	LEG_MAX
};

/* One thing that is wrong with a call's bytes. */
struct call_fault {
	enum cause cause; /* of level interface */
	enum call_leg leg;
	/* Found by comparing bytes, or unmistakable in itself: a failure whatever the answer says.
	 * Else a sign, which counts where the call failed. */
	bool sure;
	uint64_t at;	     /* first byte that is wrong */
	struct text subject; /* as docs/taxonomy has it: the path, else tool and argument; owned */
	char *say;	     /* one sentence for people, escaped, without contents; owned */
};

/* Whom it was with, where that is known; all 0 where not. */
struct call_peer {
	uint64_t start_ns; /* of the process, with tgid its name for good */
	uint32_t tgid;
	uint32_t pad;
};

struct call {
	uint64_t id;	   /* of this daemon's run, from 1 */
	uint64_t session;  /* … likewise; 0: told by a harness */
	uint64_t instance; /* the task that it belongs to; 0: none */
	enum call_source source;
	enum call_end end;
	struct call_peer server, client;
	char *rpc_id; /* as JSON has it: 7, "a"; NULL: told */
	char *method; /* tools/call, resources/read …; NULL: told */
	char *tool;   /* of tools/call; NULL: another method */
	/* Its decisive argument: the path, else the first short text; empty: none. */
	struct text subject;
	char *args;			     /* redacted JSON, cut at CALL_ARGS; NULL: not kept */
	uint64_t request_len, answer_len;    /* bytes of the whole messages */
	uint8_t request_digest[CALL_DIGEST]; /* … and of all these bytes */
	uint8_t answer_digest[CALL_DIGEST];
	bool cut;	     /* not all bytes of the request or of the answer were seen */
	uint64_t started_ns; /* last byte of the request */
	uint64_t ended_ns;   /* last byte of the answer; 0: open */
	int code;	     /* of a JSON-RPC error, or found in the text of a tool's; 0: none */
	/* Of a command that a result says has failed, as a shell has it; negative: a signal; 0: none. */
	int status;
	/* What a failed one, or that command, said; redacted, cut at CALL_TEXT. */
	struct text text;
	struct call_fault *faults;
	size_t n_faults;
};

enum incident_kind {
	INCIDENT_NOT_JSON = 1, /* a line that is no JSON */
	INCIDENT_INVALID,      /* JSON, but no JSON-RPC 2.0 object */
	INCIDENT_UNKNOWN_ID,   /* an answer to nothing that was asked */
	INCIDENT_BROKEN_PIPE,  /* a write to a peer that had left */
	INCIDENT_RESET,
	INCIDENT_CLOSED,    /* the server left with calls open */
	INCIDENT_BLOCKED,   /* a writer waits for a peer that does not read */
	INCIDENT_OVERSIZED, /* a message that was refused for its length */
	INCIDENT_MAX
};

/* What befell a channel, apart from its calls. */
struct incident {
	enum incident_kind kind;
	uint64_t session;
	uint64_t instance;
	uint64_t ts;
	struct call_peer who;	/* it happened to (who wrote, who waits) */
	struct call_peer other; /* … at the other end */
	bool by_server;		/* `who` is the server */
	int err;		/* positive errno; 0: none */
	uint64_t bytes;		/* of the line, or of what the writer holds */
	unsigned int open;	/* calls that were open */
	char *say;		/* one sentence for people, escaped; owned */
};

void call_clear(struct call *c); /* frees what it owns, not itself */
void incident_clear(struct incident *i);
/* Appends; takes over subject and say, also where it fails. 0 or -ENOMEM. */
int call_add_fault(struct call *c, const struct call_fault *f);
bool call_failed(const struct call *c);	    /* its answer is an error, or it never came */
const char *call_end_name(enum call_end e); /* ok, tool-error, error, never, open, cancelled */
const char *call_leg_name(enum call_leg l);
const char *incident_name(enum incident_kind k);

#endif
