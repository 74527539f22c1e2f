/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "decode.h"
#include "names.h"

/* ---- records ---- */

static const uint32_t event_sizes[] = {
	[SF_EV_BELL] = sizeof(struct sf_ev_bell),     [SF_EV_EXEC] = sizeof(struct sf_ev_exec),
	[SF_EV_FORK] = sizeof(struct sf_ev_fork),     [SF_EV_EXIT] = sizeof(struct sf_ev_exit),
	[SF_EV_THREAD] = sizeof(struct sf_ev_thread), [SF_EV_SIGNAL] = sizeof(struct sf_ev_signal),
	[SF_EV_OOM] = sizeof(struct sf_ev_oom),	      [SF_EV_CGROUP] = sizeof(struct sf_ev_cgroup),
	[SF_EV_STATE] = sizeof(struct sf_ev_state),   [SF_EV_NET] = sizeof(struct sf_ev_net),
	[SF_EV_CPU] = sizeof(struct sf_ev_cpu),	      [SF_EV_CHUNK] = sizeof(struct sf_ev_chunk),
	[SF_EV_MOUNT] = sizeof(struct sf_ev_mount),
};

/* Lengths of the trailing parts as the record claims them. */
static void event_lengths(const struct event *e, uint64_t len[3])
{
	len[0] = len[1] = len[2] = 0;
	switch (e->kind) {
	case SF_EV_BELL:
		len[0] = e->bell->text_len;
		len[1] = e->bell->base_len;
		break;
	case SF_EV_EXEC:
		len[0] = e->exec->file_len;
		len[1] = e->exec->exe_len;
		len[2] = e->exec->argv_len;
		break;
	case SF_EV_EXIT:
		len[0] = e->exit->tail_len;
		len[1] = e->exit->report_len;
		break;
	case SF_EV_CGROUP:
		len[0] = e->cgroup->path_len;
		break;
	case SF_EV_CHUNK:
		len[0] = e->chunk->len;
		break;
	case SF_EV_MOUNT:
		len[0] = e->mount->point_len;
		len[1] = e->mount->root_len;
		break;
	default:
		break;
	}
}

int decode_event(const void *data, size_t size, struct event *ret)
{
	const struct sf_hdr *hdr = data;
	struct event e = { .hdr = hdr };
	uint64_t len[3];
	size_t off;

	if (size < sizeof(*hdr) || hdr->size > size)
		return -EBADMSG;
	if (hdr->kind >= ARRAY_SIZE(event_sizes) || !event_sizes[hdr->kind])
		return -EBADMSG;
	if (hdr->size != size && hdr->kind != SF_EV_CHUNK)
		return -EBADMSG;
	size = hdr->size;
	off = event_sizes[hdr->kind];
	if (size < off)
		return -EBADMSG;
	e.kind = hdr->kind;
	e.bell = data;
	e.actor = (const void *)(hdr + 1); /* every event begins with header and actor */
	event_lengths(&e, len);
	for (size_t i = 0; i < 3; i++) {
		if (len[i] > size - off)
			return -EBADMSG;
		e.part[i].data = (const char *)data + off;
		e.part[i].len = len[i];
		off += len[i];
	}
	*ret = e;
	return 0;
}

/* ---- paths ---- */

/* Appends the components of `path` to out, each with a slash in front. */
static size_t path_append(char *out, size_t at, const char *path, size_t len)
{
	size_t i = 0;

	while (i < len) {
		size_t start, n;

		while (i < len && path[i] == '/')
			i++;
		start = i;
		while (i < len && path[i] != '/')
			i++;
		n = i - start;
		if (n == 0 || (n == 1 && path[start] == '.'))
			continue;
		out[at++] = '/';
		memcpy(out + at, path + start, n);
		at += n;
	}
	return at;
}

int decode_path(struct text *ret, const char *base, size_t base_len, const char *text,
		size_t text_len)
{
	bool absolute = text_len && text[0] == '/';
	_cleanup_free_ char *out = malloc(base_len + text_len + 3);
	size_t n = 0, skip = 0;

	if (!out)
		return -ENOMEM;
	if (!absolute && base_len) {
		n = path_append(out, n, base, base_len);
		absolute = base[0] == '/'; /* a base that was cut has lost its beginning */
	}
	n = path_append(out, n, text, text_len);
	if (n == 0)
		out[n++] = absolute ? '/' : '.';
	else if (!absolute)
		skip = 1;
	return text_set(ret, out + skip, n - skip);
}

/* ---- signatures ---- */

static void comm_copy(char *to, const char *from)
{
	memcpy(to, from, SF_COMM);
	to[SF_COMM - 1] = '\0';
}

static void signature_name(struct signature *s)
{
	char buf[32];
	const char *name = names_syscall(s->key.abi, s->key.nr, buf, sizeof(buf));

	snprintf(s->syscall, sizeof(s->syscall), "%s", name);
	s->classes = names_class(s->syscall);
	if (s->key.entry == SF_LOOKUP && !(s->classes & SYS_OPEN))
		s->classes = 0; /* see signature_is_inner() */
}

/* The syscall with its decisive argument. */
static int subject_syscall(struct signature *s)
{
	char buf[256];

	if (s->key.coarse) /* of many calls: no argument speaks for all of them */
		return text_set(&s->subject, s->syscall, strlen(s->syscall));
	names_decisive(s->syscall, s->args, buf, sizeof(buf));
	return text_set(&s->subject, buf, strlen(buf));
}

/* Where no bell came the one argument that was kept goes to its place. */
static void subject_argument(struct signature *s, const char *text, size_t len)
{
	const struct sf_sys *sys = names_describe(s->syscall);
	uint64_t value;

	if (s->bell || !sys || sys->path_arg >= 6 || len < sizeof(value))
		return;
	memcpy(&value, text, sizeof(value));
	s->args[sys->path_arg] = value;
}

static int signature_subject(struct signature *s, const char *text, size_t len, const char *base,
			     size_t base_len)
{
	int r;

	if (s->text_kind == SF_TEXT_PATH) {
		r = text_set(&s->raw, text, len);
		if (r < 0)
			return r;
	}
	/* What a refused call points at was never looked at: its subject is the call. */
	if (s->key.entry == SF_DENIED)
		s->text_kind = s->text_kind == SF_TEXT_ARG ? SF_TEXT_ARG : SF_TEXT_NONE;
	switch (s->text_kind) {
	case SF_TEXT_PATH:
		return decode_path(&s->subject, base, base_len, text, len);
	case SF_TEXT_FD:
		if (len)
			return decode_path(&s->subject, "", 0, text, len);
		return subject_syscall(s);
	case SF_TEXT_SOCKADDR:
		names_sockaddr(text, len, &s->subject);
		return s->subject.len ? 0 : subject_syscall(s);
	case SF_TEXT_ARG:
		subject_argument(s, text, len);
		return subject_syscall(s);
	default:
		return subject_syscall(s);
	}
}

int decode_bell(const struct event *e, struct signature *s)
{
	const struct sf_ev_bell *b = e->bell;

	comm_copy(s->comm, e->actor->comm);
	s->tid = e->actor->tid;
	s->text_kind = b->text_kind;
	s->subject_cut = b->flags & (SF_BELL_TEXT_CUT | SF_BELL_BASE_CUT);
	s->bell = true;
	s->bell_flags = b->flags;
	memcpy(s->args, b->args, sizeof(s->args));
	s->cap_mask = b->flags & SF_BELL_CAP ? b->cap_mask : 0;
	s->cap_ns_level = b->cap_ns_level;
	s->hooks = b->hooks;
	s->hook = b->hook < SF_HOOK_MAX ? b->hook : SF_HOOK_NONE;
	s->hook_err = b->hook_err;
	s->lsm = b->lsm;
	s->inner_hash = b->inner;
	s->state = e->actor->state;
	s->mntns = e->actor->mntns;
	s->mount_table = b->creds.table;
	s->netns = e->actor->netns;
	s->ns_pid = e->actor->ns_pid;
	/* Nothing asks who could not find a file: most bells are of that kind. */
	if ((b->key.err != ENOENT && signature_set_creds(s, &b->creds) < 0) ||
	    signature_set_limits(s, &b->limits) < 0)
		return -ENOMEM;
	if (!s->first_ns) {
		s->first_ns = e->hdr->ts;
		s->last_ns = e->hdr->ts;
	}
	signature_name(s);
	return signature_subject(s, e->part[0].data, e->part[0].len, e->part[1].data,
				 e->part[1].len);
}

int decode_value(const struct sf_key *key, const struct sf_val *val, struct signature *s)
{
	size_t len = val->text_len;

	s->key = *key;
	comm_copy(s->comm, val->comm);
	s->tid = val->tid;
	s->text_kind = val->text_kind;
	s->subject_cut = len > SF_SIG_TEXT;
	if (len > SF_SIG_TEXT)
		len = SF_SIG_TEXT;
	s->first_ns = val->first_ns;
	s->last_ns = val->last_ns;
	signature_name(s);
	return signature_subject(s, val->text, len, "", 0);
}

/* ---- processes ---- */

void decode_actor(const struct event *e, struct process *p)
{
	const struct sf_actor *a = e->actor;

	if (!p->seen_ns)
		p->seen_ns = e->hdr->ts;
	if (a->ppid && !p->parent.tgid) { /* the first: later it may be a reaper */
		p->parent.tgid = a->ppid;
		p->parent.start_ns = a->parent_start_ns;
	}
	p->ns_pid = a->ns_pid;
	if (a->mntns) /* gone in a process that is ending */
		p->mntns = a->mntns;
	if (a->netns)
		p->netns = a->netns;
	p->uid = a->uid;
	p->state = a->state;
	if (a->tid == a->tgid || !p->comm[0]) /* threads have names of their own */
		comm_copy(p->comm, a->comm);
}

int decode_exec(const struct event *e, struct process *p)
{
	int r = text_set(&p->file, e->part[0].data, e->part[0].len);

	if (r == 0)
		r = text_set(&p->exe, e->part[1].data, e->part[1].len);
	if (r == 0)
		r = text_set(&p->argv, e->part[2].data, e->part[2].len);
	p->secure = (uint8_t)e->exec->secure;
	p->exec_ns = e->hdr->ts;
	p->execs++;
	return r;
}

int decode_exit(const struct event *e, struct process *p)
{
	const struct sf_ev_exit *x = e->exit;
	int r = 0;

	p->exited = true;
	p->exit_ns = e->hdr->ts;
	p->reaper.tgid = e->actor->ppid;
	p->reaper.start_ns = e->actor->parent_start_ns;
	p->status = (int)x->status;
	p->tail_total = x->tail_total;
	p->fd2 = e->hdr->serial;
	p->utime_ns = x->utime_ns;
	p->rlim_cpu = x->rlim_cpu;
	if (e->part[0].len)
		r = text_set(&p->tail, e->part[0].data, e->part[0].len);
	if (r == 0 && e->part[1].len)
		r = text_set(&p->report, e->part[1].data, e->part[1].len);
	return r;
}
