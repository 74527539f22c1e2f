/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the judge hand to one another. */
#ifndef SANDFAULT_JUDGE_INTERNAL_H
#define SANDFAULT_JUDGE_INTERNAL_H

#include "classify.h"
#include "judge.h"

/* One possible failure: a classified signature, a death, or what a text says. */
struct candidate {
	const struct signature *sig;	 /* NULL: a death, a text or of the channel */
	const struct call *call;	 /* NULL: not made from a tool call, … */
	const struct incident *incident; /* … or from what befell its channel */
	const struct process *process;	 /* NULL: unknown */
	struct classification c;	 /* owned */
	uint64_t first_ns, last_ns;	 /* boottime */
	uint64_t count;
	int err, signal;
	char syscall[32];
	uint32_t pid, ns_pid;
	char comm[SF_COMM];
	enum disposition disposition;
	enum confidence confidence;
	int score;	/* how sure it is that this is what ended the process */
	bool named;	/* the text names its subject */
	bool voiced;	/* the text names its errno */
	bool reaches;	/* its process's end reached the task's status */
	int how;	/* enum consequence, of a call that tells of it */
	bool cancelled; /* made good, or no failure by what came after */
	bool kill;	/* a death that somebody caused: the task's even if it ends well */
	int echo_of;	/* index of the candidate that caused it, -1 */
	char **evidence;
	size_t n_evidence;
};

struct voice {
	const struct process *p;
	char *text; /* report and tail of p and of its ancestors, terminated, newest last; owned */
	char *warned; /* … what of it were warnings only, before an error was told */
	char *told;   /* … without the places in the program that a trace quotes */
	bool traced;  /* an uncaught error's trace stands in it */
};

#define DOSSIER_ERRNOS 192

/* What is gathered of one process, see judge_dossier.c. */
struct dossier {
	struct process_key key;
	const struct process *process;	    /* NULL: unknown */
	const struct signature **successes; /* borrowed */
	size_t n_successes, cap;
	const struct signature **execs; /* failing ones that met something there; borrowed */
	size_t n_execs, execs_cap;
	uint64_t met[DOSSIER_ERRNOS / 64];   /* errnos of its calls since its last exec */
	uint64_t named[DOSSIER_ERRNOS / 64]; /* … that the text names, once it was heard */
	bool heard, own_fault;
	struct voice voice;
	int best, root; /* index of the candidate with most points; of a signature's */
	UT_hash_handle hh;
};

/* The newest successes on a path, by anybody in the task. */
struct done {
	uint64_t made_ns;    /* opened with O_CREAT, made, connected to … */
	uint64_t removed_ns; /* unlinked, renamed to */
	const struct signature *made_by, *removed_by;
	uint32_t classes; /* of those that made */
	UT_hash_handle hh;
};

/* Whose end told whose, see judge_tree.c. */
struct family {
	const struct process *parent;
	const struct process *same; /* the last child with the parent's own status */
	const struct process
		*told; /* an orphan with that status, whom others may have waited for */
	const struct process *last;	/* the last child that failed */
	const struct process *put_away; /* the last that a member of the task ended */
	const struct process *relayed;	/* the last whose words its parent said again */
	unsigned int asked;		/* how many were looked for in its parent's words */
	uint64_t newest_success;	/* when the newest child that ended well was first seen */
	UT_hash_handle hh;
};

/* A command that its parent ran, and when it last went well. */
struct rerun {
	uint64_t key;
	uint64_t success_ns;
	UT_hash_handle hh;
};

struct judgement {
	const struct task *task;
	const struct judge_context *context;
	struct candidate *v;
	size_t n, cap;
	struct dossier *dossiers;
	struct family *families;
	struct rerun *reruns;
	struct done *done; /* by the bytes of the path, which the signature owns */
};

/* judge_dossier.c */
int dossiers_open(struct judgement *j);
void dossiers_close(struct judgement *j);
struct dossier *dossier_find(const struct judgement *j,
			     const struct process *p); /* NULL: made no call that is kept */
int dossier_meet(struct judgement *j, const struct signature *s); /* a failure that was no call */
const struct voice *dossier_voice(const struct judgement *j, struct dossier *d);
bool dossier_met(const struct dossier *d, int err);   /* a call did, since its last exec */
bool dossier_names(const struct dossier *d, int err); /* the text, after dossier_voice() */
bool dossier_names_other(const struct dossier *d,
			 int err); /* another errno that a call really met */

/* judge_tree.c: who ended how, and whom it reached */
int families_open(struct judgement *j);
void families_close(struct judgement *j);
bool process_failed(const struct process *p);
const struct process *process_parent(const struct task *t, const struct process *p);
/* p is `top`, or descends from it. */
bool process_is_under(const struct task *t, const struct process *p, const struct process *top);
/* Every ancestor within the task failed after it, up to the task's own outcome. */
bool process_reaches(const struct judgement *j, const struct process *p);
/* Whose own failure tells p's; NULL: nobody's. */
const struct process *process_told(const struct judgement *j, const struct process *p);
/* The process that failed first on the way to the task's status; NULL: none. */
const struct process *process_first_failed(const struct judgement *j);
/* The kill that ended p: the last event of that signal; NULL: none was seen. */
const struct sf_ev_signal *process_deadly(const struct task *t, const struct process *p);
/* A successful exec of the same process after `ns`. */
bool process_went_on(const struct process *p, uint64_t ns);
bool process_ran_payload(const struct process *p);

/* judge_relay.c; the child failed, and is f's */
bool process_is_shell(const struct process *p);
bool judge_is_relayed(const struct judgement *j, struct family *f, const struct process *p);
/* What it said went to its parent alone, which tells of a fault of its own and says nothing of that: it
 * was a question, and the answer was no. */
bool judge_was_kept(const struct judgement *j, const struct process *p,
		    const struct process *parent);

/* judge_report.c: a line, without its end; it tells of a failure */
struct report_scan {
	bool passing,
		captured; /* what stands here is of a test that went well, or was its output */
};
/* Line by line; `end` of the whole. */
bool report_takes(struct report_scan *s, const char *line, size_t len, const char *end);
bool report_tells(const char *line, size_t len);
bool report_finds_fault(const char *text, size_t len); /* … with what it was given */
bool report_asserts(const char *line, size_t len); /* … of something that was not as it should be */

/* judge_voice.c: what fd 2 said, line by line, and of fd 1 what tells of failures */
int voice_own_words(const struct process *p, struct voice *ret); /* of it alone */
int voice_listen(const struct judgement *j, const struct process *p, struct voice *ret);
void voice_clear(struct voice *v);
bool voice_has_word(const char *text, const char *word);
bool voice_holds(const char *line, size_t len, const char *what); /* in whatever case */

/* judge_text.c: what it names */
bool voice_names_errno(const struct voice *v, int err);
/* It was told of as a warning, and an error of another kind after it. */
bool voice_warned_of(const struct voice *v, const struct candidate *c);
/* The subject or its last component stands in the text as a word of its own. */
bool voice_names_subject(const struct voice *v, const struct candidate *c);
bool voice_names_call(const struct voice *v, const struct candidate *c);
/* A trace quotes the port that was connected to. */
bool voice_quotes_port(const struct voice *v, const struct candidate *c);
/* A line is an error that no refused call can cause (AssertionError: …). */
bool voice_own_fault(const char *text);
/* Words that belong to the primitive though no errno is named ("can't start new thread"). */
bool voice_hints(const struct voice *v, const struct candidate *c);
/* Candidates that stand in the text alone: modules, libraries, users. */
int judge_texts(struct judgement *j);
/* … in another text, with the subject that it names. 1, 0 (none), or -ENOMEM. */
int judge_sentence(const char *text, enum cause *cause, struct text *subject);

/* judge_death.c: OOM, signals, threads */
int judge_deaths(struct judgement *j);

/* judge_cancel.c: fallbacks that made it good */
bool judge_is_shell(const char *comm);
bool judge_is_launcher(const char *comm);
bool judge_cancelled(const struct judgement *j, const struct candidate *c, char *how, size_t size);

/* judge_network.c */
int judge_network(struct judgement *j);
/* Whom it talked to, else whom it asked for, as ADDRESS:PORT; ret stays empty where neither is known.
 * True: those two differ, so that a proxy lies between. */
bool judge_proxy(const struct judgement *j, const struct process *p, struct text *ret);

/* judge_refine.c: 0 or -ENOMEM */
int judge_refine(const struct judgement *j, struct candidate *c);

/* judge_workload.c: what is nobody's fault but the task's own */
int judge_workload(struct judgement *j);

/* judge_ephemeral.c: files that the task made and that are gone, though nobody removed them */
int judge_ephemeral(struct judgement *j);

/* judge.c */
int judge_add_signature(struct judgement *j, const struct signature *s);
struct candidate *judgement_add(struct judgement *j); /* zeroed; NULL: no memory */
int candidate_say(struct candidate *c, const char *fmt, ...) _printf_(2, 3);

/* judge_call.c: what the tool channel told, once the rest has its disposition */
int judge_calls(struct judgement *j);

/* judge_merge.c: one failure of each kind and subject; leaves the candidates gravest first */
int judge_merge(struct judgement *j);
bool judge_is_limit(enum cause cause); /* one failure, however many calls run into it */

/* judge_summary.c: one sentence for people, and the record */
struct candidate *judge_add_death(struct judgement *j, enum cause cause, enum prior prior,
				  const struct sf_actor *a, uint64_t ts); /* NULL: no memory */
/* "/a/b/c" of a cgroup's names, deepest first as the wire has them. 0 or -ENOMEM. */
int judge_cgroup_path(const char names[][SF_CG_NAME], uint32_t n, struct text *ret);
int judge_throttled(struct judgement *j);	  /* after the deaths */
void judge_throttled_echoes(struct judgement *j); /* deadlines that throttling made them miss */
uint64_t candidate_fingerprint(const struct candidate *c); /* of cause and subject */
int judge_record(const struct judgement *j, const struct candidate *c, struct failure_record *f);

#endif
