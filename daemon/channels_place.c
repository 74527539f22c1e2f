/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An answer that its own stream's session does not wait for. Where the stream has no partner yet this is
 * how it finds it: by the process that was asked and now answers, and by whoever asked and now reads. It
 * may also be ahead of its request: they are told of by two processes.
 */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"

#define NOISE_MAX 4 /* lines before a stream's first message that are kept */

enum {
	SAME_SERVER = 4, /* who was asked is who answers */
	SAME_CLIENT = 2,
	STDIO = 1, /* … by its standard input and output */
	OTHER_SERVER = -4,
	OTHER_CLIENT = -1, /* a shell has its children write and read */
};

static int same_process(const struct end *a, const struct end *b)
{
	if (!a->peer.tgid || !b->peer.tgid)
		return 0;
	return a->peer.tgid == b->peer.tgid && a->peer.start_ns == b->peer.start_ns ? 1 : -1;
}

/* How well does what the stream says answer what that side of the talk asked? */
static int score(const struct stream *s, const struct talk *t, unsigned int asker)
{
	const struct end *client = &t->ends[asker], *server = &t->ends[!asker];
	int servers = same_process(server, &s->writer), clients = same_process(client, &s->reader);
	int n = 0;

	n += servers > 0 ? SAME_SERVER : servers < 0 ? OTHER_SERVER : 0;
	n += clients > 0 ? SAME_CLIENT : clients < 0 ? OTHER_CLIENT : 0;
	if (servers > 0 && server->fd == STDIN_FILENO && s->writer.fd == STDOUT_FILENO)
		n += STDIO;
	return n;
}

struct place {
	struct talk *talk;
	unsigned int asker;
	int score;
	bool doubtful; /* another is as good */
};

static void consider(struct place *best, const struct stream *s, struct talk *t, unsigned int asker,
		     const char *id)
{
	int n = score(s, t, asker);

	if (n <= 0 || (best->talk && n < best->score))
		return;
	if (id ? !session_awaits(t->session, asker, id)
	       : n < SAME_SERVER + STDIO || !session_asks(t->session, asker))
		return;
	best->doubtful = best->talk && n == best->score;
	best->talk = t;
	best->asker = asker;
	best->score = n;
}

/* For an answer to `id`; NULL: for what is no message. */
static struct place find(const struct stream *s, const char *id)
{
	struct place best = { 0 };
	struct talk *t, *next;

	HASH_ITER(hh, s->p->channels->talks, t, next)
	{
		if (t->http || t == s->talk)
			continue;
		for (unsigned int asker = 0; asker < 2; asker++)
			consider(&best, s, t, asker, id);
	}
	return best;
}

/* ---- those that wait ---- */

static void parked_clear(struct parked *k)
{
	free((char *)k->r.id);
	json_object_put(k->r.object);
	*k = (struct parked){ 0 };
}

static bool park(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	struct parked *k;

	if (s->n_parked >= PARKED_MAX || s->p->channels->n_parked >= PARKED_ALL)
		return false;
	if (!s->parked)
		s->parked = calloc(PARKED_MAX, sizeof(*s->parked));
	if (!s->parked)
		return false;
	k = &s->parked[s->n_parked];
	*k = (struct parked){ .r = *r, .m = *m };
	k->r.id = r->id ? strdup(r->id) : NULL;
	if (r->id && !k->r.id) {
		*k = (struct parked){ 0 };
		return false;
	}
	json_object_get(k->r.object); /* the others are in it */
	k->m.data = "";
	k->m.len = k->m.gap = k->m.tail = 0;
	k->m.http_method = k->m.http_path = k->m.http_session = NULL;
	s->n_parked++;
	s->p->channels->n_parked++;
	return true;
}

/* A stream that has its partner only waits for the request. */
static bool has_partner(const struct stream *s)
{
	return s->talk->streams > 1;
}

/* Where to, if that can be told now. */
static bool settle(struct stream *s, const char *id, bool force)
{
	struct talk *old = s->talk;
	struct place best;

	if (session_awaits(old->session, !s->side, id))
		return true;
	if (has_partner(s))
		return force;
	best = find(s, id);
	if (!best.talk || best.doubtful)
		return force;
	/* Nobody is known to have written it yet: whoever it was is told of in a moment. */
	if (!force && best.score < SAME_SERVER)
		return false;
	talk_join(s, best.talk, !best.asker);
	if (!old->streams)
		talk_free(s->p, old);
	return true;
}

bool place_answer(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	if (settle(s, r->id, false))
		return true;
	return !park(s, r, m);
}

/* What is no message goes where its stream does; alone it goes by who wrote it. */
static bool settle_noise(struct stream *s)
{
	struct place best;

	if (s->talk)
		return has_partner(s);
	best = find(s, NULL);
	if (!best.talk || best.doubtful)
		return false;
	talk_join(s, best.talk, !best.asker);
	return true;
}

bool place_noise(struct stream *s, const struct rpc *r, const struct wire_message *m)
{
	if (s->talk || settle_noise(s))
		return true;
	if (s->n_parked < NOISE_MAX)
		park(s, r, m);
	return false;
}

void place_parked(struct pipeline *p, struct stream *s, bool force)
{
	uint64_t old = (uint64_t)util_now_boottime() - PARKED_NS;
	size_t kept = 0;

	for (size_t i = 0; i < s->n_parked; i++) {
		struct parked *k = &s->parked[i];

		bool noise = !k->r.id;
		bool settled =
			noise ? settle_noise(s) : settle(s, k->r.id, force || k->m.end_ns < old);

		if (!settled && !(noise && force)) {
			s->parked[kept++] = *k;
			continue;
		}
		p->channels->n_parked--;
		if (settled)
			talk_say(s, s->talk, &k->r, &k->m);
		parked_clear(k);
	}
	s->n_parked = kept;
}

void place_free(struct pipeline *p, struct stream *s)
{
	p->channels->n_parked -= s->n_parked;
	while (s->n_parked)
		parked_clear(&s->parked[--s->n_parked]);
	free(s->parked);
}
