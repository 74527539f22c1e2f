/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <linux/audit.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "log.h"
#include "tape_call.h"

#define MAGIC "sandfault tape\n"

/* Syscalls are recorded by number: another architecture has others. */
#ifdef __aarch64__
#define TAPE_ARCH AUDIT_ARCH_AARCH64
#else
#define TAPE_ARCH AUDIT_ARCH_X86_64
#endif

struct tape {
	gzFile file;
	char *path;
	bool writing, failed;
	uint32_t own_mntns;
	char *frame; /* the one that was read last */
	size_t cap;
};

/* Whatever the frames are made of: another size is another layout. */
struct tape_header {
	char magic[16];
	uint32_t sizes[16];
	uint32_t own_mntns, pad;
};

struct tape_frame {
	uint32_t kind, len;
};

static void header_fill(struct tape_header *h, uint32_t own_mntns)
{
	*h = (struct tape_header){
		.magic = MAGIC,
		.sizes = { sizeof(struct sf_key), sizeof(struct sf_val), sizeof(struct explanation),
			   sizeof(struct sf_ev_bell), sizeof(struct sf_ev_exec),
			   sizeof(struct sf_ev_exit), sizeof(struct sf_ev_signal),
			   sizeof(struct sf_ev_oom), sizeof(struct sf_ev_net),
			   sizeof(struct sf_ev_state), sizeof(struct sf_ev_thread),
			   sizeof(struct sf_ev_fork), sizeof(struct sf_ev_cgroup),
			   sizeof(struct sf_ev_cpu), sizeof(struct tape_verdict), TAPE_ARCH },
		.own_mntns = own_mntns,
	};
}

static void tape_freep(struct tape **t)
{
	tape_close(*t);
}

/* NULL: *err says why. */
static struct tape *tape_new(const char *path, const char *mode, int *err)
{
	_cleanup_(tape_freep) struct tape *t = calloc(1, sizeof(*t));

	*err = -ENOMEM;
	if (!t)
		return NULL;
	t->path = strdup(path);
	if (!t->path)
		return NULL;
	errno = 0;
	t->file = gzopen(path, mode);
	if (!t->file) {
		*err = errno ? -errno : -ENOMEM;
		return NULL;
	}
	return TAKE_PTR(t);
}

/* ---- to write ---- */

int tape_create(struct tape **ret, const char *path, uint32_t own_mntns)
{
	struct tape_header h;
	int r;
	_cleanup_(tape_freep) struct tape *t = tape_new(path, "wbe", &r);

	if (!t)
		return r;
	t->writing = true;
	header_fill(&h, own_mntns);
	if (gzwrite(t->file, &h, sizeof(h)) != (int)sizeof(h))
		return -EIO;
	*ret = TAKE_PTR(t);
	return 0;
}

static bool put(struct tape *t, const void *data, size_t len)
{
	return !len || gzwrite(t->file, data, (unsigned int)len) == (int)len;
}

void tape_write(struct tape *t, enum tape_kind kind, const void *head, size_t head_len,
		const void *rest, size_t rest_len)
{
	struct tape_frame f = { kind, (uint32_t)(head_len + rest_len) };

	if (!t || t->failed || head_len + rest_len > TAPE_FRAME_MAX)
		return;
	if (put(t, &f, sizeof(f)) && put(t, head, head_len) && put(t, rest, rest_len))
		return;
	t->failed = true;
	log_error("can't write the recording %s: it ends here", t->path);
}

void tape_task(struct tape *t, const struct task *task)
{
	const struct task_record *rec = &task->rec;
	struct tape_task head = { .instance = task->instance, .attempt = rec->attempt };
	_cleanup_free_ char *names = NULL;
	int n;

	if (!t)
		return;
	n = asprintf(&names, "%s%c%s%c%s", rec->campaign, 0, rec->task, 0, rec->source);
	if (n < 0) {
		names = NULL;
		return;
	}
	tape_write(t, TAPE_TASK, &head, sizeof(head), names, (size_t)n + 1);
}

void tape_processes(struct tape *t, const struct task *task)
{
	struct process *p, *next;

	if (!t)
		return;
	HASH_ITER(hh, task->processes, p, next)
	{
		struct tape_process there = { .instance = task->instance,
					      .seen_ns = p->seen_ns,
					      .tgid = p->key.tgid,
					      .parent = p->parent.tgid,
					      .uid = p->uid,
					      .mntns = p->mntns,
					      .netns = p->netns,
					      .root = p->root };

		if (p->key.start_ns)
			continue;
		memcpy(there.comm, p->comm, sizeof(there.comm));
		tape_write(t, TAPE_PROCESS, &there, sizeof(there), p->exe.data, p->exe.len);
	}
}

void tape_alias(struct tape *t, uint64_t alias, const struct task *task)
{
	struct tape_alias a = { alias, task->instance };

	tape_write(t, TAPE_ALIAS, &a, sizeof(a), NULL, 0);
}

void tape_answer(struct tape *t, const struct sf_key *key, const struct explanation *e)
{
	tape_write(t, TAPE_ANSWER, key, sizeof(*key), e, sizeof(*e));
}

void tape_mounts(struct tape *t, uint32_t ns, const char *text, uint64_t at_ns)
{
	struct tape_mounts m = { .at_ns = at_ns, .ns = ns };

	tape_write(t, TAPE_MOUNTS, &m, sizeof(m), text, strlen(text) + 1);
}

void tape_verdict(struct tape *t, const struct task *task, uint64_t now_ns, int64_t utc_offset_ns)
{
	const struct task_record *rec = &task->rec;
	struct tape_verdict v = { .instance = task->instance,
				  .now_ns = now_ns,
				  .started_ns = task->started_ns,
				  .ended_ns = task->ended_ns,
				  .utc_offset_ns = utc_offset_ns,
				  .failed = task->failed,
				  .benign = task->benign,
				  .coarse = task->coarse,
				  .lost = task->lost,
				  .outcome = rec->outcome,
				  .exit_code = rec->exit_code,
				  .signal = rec->signal,
				  .outcome_given = task->outcome_given,
				  .process_scope = task->process_scope };

	tape_calls(t, task);
	tape_write(t, TAPE_VERDICT, &v, sizeof(v), NULL, 0);
}

/* ---- to read ---- */

int tape_open(struct tape **ret, const char *path, char **why)
{
	struct tape_header h, own;
	int r;
	_cleanup_(tape_freep) struct tape *t = tape_new(path, "rbe", &r);

	if (!t)
		return r;
	header_fill(&own, 0);
	if (gzread(t->file, &h, sizeof(h)) != (int)sizeof(h) ||
	    memcmp(h.magic, own.magic, sizeof(h.magic)) != 0) {
		*why = strdup("this is no recording");
		return -EBADMSG;
	}
	if (memcmp(h.sizes, own.sizes, sizeof(h.sizes)) != 0) {
		*why = strdup("recorded by a build of another layout: record it again");
		return -EBADMSG;
	}
	t->own_mntns = h.own_mntns;
	*ret = TAKE_PTR(t);
	return 0;
}

uint32_t tape_own_mntns(const struct tape *t)
{
	return t->own_mntns;
}

static int grow(struct tape *t, size_t len)
{
	char *p;

	if (len <= t->cap)
		return 0;
	p = realloc(t->frame, len);
	if (!p)
		return -ENOMEM;
	t->frame = p;
	t->cap = len;
	return 0;
}

int tape_read(struct tape *t, enum tape_kind *kind, const void **data, size_t *len)
{
	struct tape_frame f;
	int n = gzread(t->file, &f, sizeof(f));

	if (n == 0)
		return 0;
	if (n != (int)sizeof(f) || f.len > TAPE_FRAME_MAX)
		return -EBADMSG;
	if (grow(t, (size_t)f.len + 1) < 0)
		return -ENOMEM;
	if (gzread(t->file, t->frame, f.len) != (int)f.len)
		return -EBADMSG;
	t->frame[f.len] = 0; /* texts at the end of a frame are terminated, whoever wrote it */
	*kind = (enum tape_kind)f.kind;
	*data = t->frame;
	*len = f.len;
	return 1;
}

int tape_close(struct tape *t)
{
	bool failed;

	if (!t)
		return 0;
	failed = t->failed;
	if (t->file && gzclose(t->file) != Z_OK && t->writing)
		failed = true;
	free(t->path);
	free(t->frame);
	free(t);
	return failed ? -EIO : 0;
}
