/* SPDX-License-Identifier: GPL-2.0-only */
/* The channel operation: servers outside of every task are named, and what is observed is listed. */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"
#include "json.h"

struct asked {
	struct pipeline *p;
	struct control_peer *peer;
	uint64_t token;
	const struct control_channel *c;
};

/* ---- the list ---- */

static void add_pid(struct json_object *o, const char *key, uint32_t pid)
{
	json_object_object_add(o, key, pid ? json_object_new_int64(pid) : NULL);
}

static const char *talk_kind(const struct channels *ch, const struct talk *t)
{
	static const char *const kinds[] = {
		[SF_CH_PIPE] = "pipe", [SF_CH_UNIX] = "unix", [SF_CH_TCP] = "tcp"
	};
	struct stream *s, *next;

	HASH_ITER(hh, ch->streams, s, next)
	{
		if (s->talk == t && s->kind < ARRAY_SIZE(kinds))
			return kinds[s->kind];
	}
	return NULL;
}

static struct json_object *talk_json(struct pipeline *p, struct talk *t)
{
	unsigned int side = session_server(t->session);
	struct json_object *o = json_object_new_object();
	struct tracked *tr = owner_of(p, t, (uint64_t)util_now_boottime());
	const char *kind = talk_kind(p->channels, t);

	if (!o)
		return NULL;
	json_object_object_add(o, "session", json_object_new_int64((int64_t)t->id));
	json_object_object_add(o, "kind", kind ? json_object_new_string(kind) : NULL);
	json_object_object_add(o, "http", json_object_new_boolean(t->http));
	add_pid(o, "server", side < 2 ? t->ends[side].peer.tgid : 0);
	add_pid(o, "client", side < 2 ? t->ends[!side].peer.tgid : 0);
	if (tr)
		json_add_bytes(o, "task", tr->task->rec.task, strlen(tr->task->rec.task));
	else
		json_object_object_add(o, "task", NULL);
	json_object_object_add(o, "open", json_object_new_int64(session_open(t->session, 0)));
	json_add_time(o, "last", pipeline_utc(p, t->last_ns));
	return o;
}

static struct json_object *named_json(const struct named *n)
{
	static const char *const by[] = { "user", "task", "pattern" };
	struct json_object *o = json_object_new_object(), *uses = json_object_new_array();

	if (!o || !uses)
		return o;
	if (n->tgid)
		add_pid(o, "pid", n->tgid);
	else
		json_add_bytes(o, "cgroup", n->path, strlen(n->path));
	for (size_t i = 0; i < NAMED_BY_MAX; i++)
		if (n->uses[i])
			json_object_array_add(uses, json_object_new_string(by[i]));
	json_object_object_add(o, "by", uses);
	return o;
}

static void list(const struct asked *q)
{
	struct json_object *o = json_object_new_object(), *sessions = json_object_new_array(),
			   *servers = json_object_new_array(), *patterns = json_object_new_array();
	struct channels *ch = q->p->channels;
	struct talk *t, *next;

	HASH_ITER(hh, ch->talks, t, next)
	{
		if (t->streams)
			json_object_array_add(sessions, talk_json(q->p, t));
	}
	for (size_t i = 0; i < ch->n_named; i++)
		json_object_array_add(servers, named_json(&ch->named[i]));
	for (size_t i = 0; i < ch->n_patterns; i++)
		json_object_array_add(patterns, json_object_new_string(ch->patterns[i]));
	json_object_object_add(o, "sessions", sessions);
	json_object_object_add(o, "servers", servers);
	json_object_object_add(o, "patterns", patterns);
	control_reply(q->peer, q->token, o);
}

/* ---- to name ---- */

/* A process may be named by whoever may signal it; what is not there yet, by root alone. */
static bool may(const struct asked *q)
{
	struct procfs_info info;

	if (q->c->peer_uid == 0)
		return true;
	if (q->c->pid && procfs_read(q->p->options->proc_root, q->c->pid, &info) == 0 &&
	    info.uid == q->c->peer_uid)
		return true;
	control_error(q->peer, q->token, "not-allowed", "%s",
		      q->c->pid ? "that process is not yours" : "only root may do that");
	return false;
}

static int add(const struct asked *q)
{
	struct procfs_info info;

	if (q->c->cgroup)
		return named_cgroup_add(q->p, q->c->cgroup);
	if (q->c->pattern)
		return named_pattern_add(q->p, q->c->pattern);
	if (q->c->pid == getpid())
		return -EINVAL;
	if (procfs_read(q->p->options->proc_root, q->c->pid, &info) < 0)
		return -ESRCH;
	return named_pid_add(q->p, (uint32_t)q->c->pid, NAMED_BY_USER);
}

static int take_away(const struct asked *q)
{
	if (q->c->cgroup)
		return named_cgroup_remove(q->p, q->c->cgroup);
	if (q->c->pattern)
		return named_pattern_remove(q->p, q->c->pattern);
	return named_pid_remove(q->p, (uint32_t)q->c->pid, NAMED_BY_USER);
}

static void refuse(const struct asked *q, int r)
{
	if (r == -ESRCH)
		control_error(q->peer, q->token, "no-such-process", "there is no process %d",
			      q->c->pid);
	else if (r == -ENOENT && q->c->action == CHANNEL_ADD)
		control_error(q->peer, q->token, "no-such-cgroup", "there is no such cgroup");
	else if (r == -ENOENT)
		control_error(q->peer, q->token, "invalid", "that was not added");
	else if (r == -EINVAL)
		control_error(q->peer, q->token, "invalid", "that can't be watched");
	else
		control_error(q->peer, q->token, "failed", "%s", strerror(-r));
}

void service_channel(void *arg, struct control_peer *peer, uint64_t token,
		     const struct control_channel *c)
{
	struct asked q = { arg, peer, token, c };
	int r;

	if (!q.p->channels) {
		control_error(peer, token, "unsupported", "tool channels are not observed");
		return;
	}
	if (c->action == CHANNEL_LIST) {
		list(&q);
		return;
	}
	if (!may(&q))
		return;
	r = c->action == CHANNEL_ADD ? add(&q) : take_away(&q);
	if (r < 0)
		refuse(&q, r);
	else
		control_reply(peer, token, NULL);
}
