/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files that judge the tool channel share. */
#ifndef SANDFAULT_JUDGE_CALL_H
#define SANDFAULT_JUDGE_CALL_H

#include "judge_internal.h"

/* How sure it is that a call that went wrong is what the task's end tells of. */
enum consequence {
	CONSEQUENCE_NONE,    /* its client went on, or ended well */
	CONSEQUENCE_EARLIER, /* the client failed, after other calls that went well */
	CONSEQUENCE_LAST,    /* … and this was the last that did not go well */
	CONSEQUENCE_HEARD,   /* … and its own last words are the call's */
};

/* The process of the task that a peer is; NULL: none of the task's, or not known. */
const struct process *call_process(const struct judgement *j, const struct call_peer *peer);
/* p is `server` or descends from it; where that is not known, any process but the client. */
bool call_is_under(const struct judgement *j, const struct call *c, const struct process *p);
/* The same tool was called on the same subject later, and well. */
bool call_recovered(const struct task *t, const struct call *c);
enum consequence call_consequence(const struct judgement *j, const struct call *c);
/* Calls of tools of the same client that began later and went well. */
size_t calls_after(const struct task *t, const struct call *c);
/* Did the client fail, as far as the task's end tells? `peer` all 0: the task itself. */
bool client_failed(const struct judgement *j, const struct call_peer *peer);
/* Words of the client's last words are these. */
bool client_repeats(const struct judgement *j, const struct call_peer *peer,
		    const struct text *said);
/* … speak of what was refused there. */
bool client_names(const struct judgement *j, const struct call_peer *peer,
		  const struct candidate *cand);
/* Its last words tell of a bug of its own. */
bool client_blames_itself(const struct judgement *j, const struct call_peer *peer);
/* … or of one that it may also have raised for what it was told, uncaught. */
bool client_has_bug(const struct judgement *j, const struct call_peer *peer);
/* Its last words tell that it had waited enough. */
bool client_gave_up(const struct judgement *j, const struct call_peer *peer);
/* It crashed, or fell over such a bug, and not for what it waited for. */
bool client_fell(const struct judgement *j, const struct call_peer *peer);
/* Its last words name this path or word. */
bool client_says(const struct judgement *j, const struct call_peer *peer, const struct text *what);
/* … are the last words of the command that the call ran. */
bool client_repeats_end(const struct judgement *j, const struct call *c);
/* … name that file, but for where they quote a place in a program. */
bool client_names_file(const struct judgement *j, const struct call_peer *peer,
		       const struct text *path);
/* … tell of base64 that could not be decoded. */
bool client_read_no_base64(const struct judgement *j, const struct call_peer *peer);
/* What the call was about was written later, by the same client. */
bool call_written_back(const struct task *t, const struct call *c);
/* It did not get beyond its handshake, and died of what it read in place of the answer: what a server says
 * before its first message is not recognised as a channel's. */
bool client_read_no_json(const struct judgement *j, const struct call *c);
/* "read_text_file report.txt": the tool and its argument. 0 or -ENOMEM. */
int call_subject(const struct call *c, struct text *ret);
/* One sentence on the call, into the candidate's evidence. 0 or -ENOMEM. */
int call_say(struct candidate *cand, const struct call *c);

/* judge_call_kernel.c: the candidate of the kernel's that stands behind the call's failure; -1: none.
 * A call that was never answered has no text to compare with: only what is self-evident, or swallowed
 * and followed by silence, stands behind that. */
ssize_t call_find_cause(const struct judgement *j, const struct call *c);
/* The client met ECONNRESET while it waited. */
bool call_was_reset(const struct judgement *j, const struct call *c);
/* What was refused under a call that was answered well, of the very thing that it was asked for. */
bool call_swallowed(const struct judgement *j, const struct call *c, const struct candidate *cand);
bool call_in_window(const struct call *c, uint64_t first_ns, uint64_t last_ns);
/* The last component of the one stands in the other. */
bool call_shares_name(const struct text *path, const struct text *in);
/* What a call asked for was looked for in vain, and nobody of the platform is to blame. */
const struct signature *call_find_missing(const struct judgement *j, const struct call *c);
/* What that was: a program that was looked for in several places, else just a file. `subject` is what was
 * missed, borrowed. */
enum cause call_missing_cause(const struct judgement *j, const struct signature *s,
			      struct text *subject);

/* judge_call_command.c: what a command that the call ran, and tells of as failed, failed for (or, where it
 * tells of none, which the client names); -1: nothing that the kernel saw. `how`: what the task's end has to do with it. */
ssize_t call_find_command(const struct judgement *j, const struct call *c, enum consequence *how);
/* … the program that it did not find; NULL: none. */
const struct signature *call_find_program(const struct judgement *j, const struct call *c,
					  enum consequence *how);
/* A gateway's own request on behalf of the call; NULL: its server is none. */
const struct call *call_passed_on(const struct judgement *j, const struct call *c);
/* A worker that crashed under a call whose outcome the client misses. */
bool call_lost_worker(const struct judgement *j, const struct call *c,
		      const struct candidate *cand);

/* judge_incident.c: what befell the channel while the call was open, so that no answer came. */
bool call_find_incident(const struct judgement *j, const struct call *c, enum cause *ret);
int judge_incidents(struct judgement *j);

#endif
