/* SPDX-License-Identifier: GPL-2.0-only */
/* Streams: from records to bytes to messages. */
#include <errno.h>
#include <string.h>

#include "channels_impl.h"
#include "log.h"

#define DISK_TIME_NS (250 * NSEC_PER_MSEC)
#define IDLE_NS	     (15 * 60 * NSEC_PER_SEC) /* a stream that is recognised again, if need be */
#define IDLE_LOOK_NS (60 * NSEC_PER_SEC)

/* ---- streams ---- */

void stream_free(struct pipeline *p, struct stream *s)
{
	struct channels *ch = p->channels;

	HASH_DEL(ch->streams, s);
	ch->held -= s->held;
	place_free(p, s);
	talk_leave(s);
	wire_free(s->wire);
	free(s);
}

/* Nothing was heard of it for longest; what it says from now on begins anew. */
static void stream_evict(struct pipeline *p, struct stream *s)
{
	uint64_t now = (uint64_t)util_now_boottime();

	p->channels->evicted++;
	if (s->talk)
		session_lost(s->talk->session, s->side, now);
	if (p->sensors)
		sensors_forget_stream(p->sensors, s->key);
	stream_free(p, s);
}

static struct stream *stream_find(const struct pipeline *p, uint64_t key)
{
	struct stream *s;

	HASH_FIND(hh, p->channels->streams, &key, sizeof(key), s);
	return s;
}

static struct stream *stream_new(struct pipeline *p, const struct sf_ev_chunk *c)
{
	struct channels *ch = p->channels;
	struct stream *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->p = p;
	s->key = c->stream;
	s->back = c->back;
	s->kind = c->kind;
	s->serial = c->hdr.serial;
	s->next = c->offset;
	s->wire = wire_new(p->options->channel_message, talk_message, s);
	if (!s->wire) {
		free(s);
		return NULL;
	}
	if (HASH_COUNT(ch->streams) >= STREAMS_MAX)
		stream_evict(p, ch->streams);
	HASH_ADD(hh, ch->streams, key, sizeof(s->key), s);
	return s;
}

static bool is_another(const struct stream *s, const struct sf_ev_chunk *c)
{
	return s->serial != c->hdr.serial;
}

/*
 * Names are used again. Where both ends were killed at once nobody told of the old one's end: what it
 * left here, of either direction, is nothing that the new one goes on with.
 */
static void drop_stale(struct pipeline *p, const struct sf_ev_chunk *c)
{
	struct stream *s = stream_find(p, c->stream);

	if (s && (c->first || is_another(s, c)))
		stream_free(p, s);
	s = c->back ? stream_find(p, c->back) : NULL;
	if (s && is_another(s, c))
		stream_free(p, s);
}

/* The stream of a record, as the one that was used last. */
static struct stream *stream_of(struct pipeline *p, const struct sf_ev_chunk *c)
{
	struct channels *ch = p->channels;
	struct stream *s;

	drop_stale(p, c);
	s = stream_find(p, c->stream);
	if (!s && c->what != SF_CH_EOF) {
		s = stream_new(p, c);
		if (!s)
			p->lost_events++;
		return s;
	}
	if (s) {
		HASH_DEL(ch->streams, s);
		HASH_ADD(hh, ch->streams, key, sizeof(s->key), s);
	}
	return s;
}

static void take_end(struct stream *s, const struct sf_ev_chunk *c)
{
	struct end *end = c->writes ? &s->writer : &s->reader;

	*end = (struct end){
		.peer = { .start_ns = c->actor.start_ns, .tgid = c->actor.tgid },
		.instance = c->actor.instance,
		.cgroup = c->actor.cgroup,
		.fd = c->fd,
	};
	talk_ends(s);
}

/* A record that found its ring full is told of by the next one's offset. */
static void take_offset(struct stream *s, const struct sf_ev_chunk *c, uint64_t ts)
{
	if (c->offset > s->next && s->talk)
		session_lost(s->talk->session, s->side, ts);
	if (c->offset + c->len + c->missing > s->next)
		s->next = c->offset + c->len + c->missing;
}

/* … unless there is none: then all that is known is that something was lost of some stream. */
static void look_for_losses(struct pipeline *p)
{
	uint64_t now = (uint64_t)util_now_boottime(), lost;
	struct channels *ch = p->channels;
	struct talk *t, *next;

	if (!p->sensors)
		return;
	lost = sensors_channel_losses(p->sensors);
	if (lost == ch->lost)
		return;
	ch->lost = lost;
	HASH_ITER(hh, ch->talks, t, next)
	{
		session_lost(t->session, 0, now);
		session_lost(t->session, 1, now);
	}
}

static void weigh(struct pipeline *p, struct stream *s)
{
	size_t held = wire_held(s->wire);

	p->channels->held += held - s->held;
	s->held = held;
}

/* Over the bound, whatever holds most goes. */
static void bound_held(struct pipeline *p)
{
	struct channels *ch = p->channels;
	struct stream *s, *next, *most = NULL;

	if (ch->held <= HELD_MAX)
		return;
	HASH_ITER(hh, ch->streams, s, next)
	{
		if (!most || s->held > most->held)
			most = s;
	}
	if (most)
		stream_evict(p, most);
}

static void take_data(struct pipeline *p, struct stream *s, const struct event *e)
{
	const struct sf_ev_chunk *c = e->chunk;
	int r;

	r = wire_take(s->wire, e->hdr->ts, c->offset, e->part[0].data, e->part[0].len, c->missing);
	if (r < 0)
		p->lost_events++;
	weigh(p, s);
	bound_held(p);
}

static void take_eof(struct pipeline *p, struct stream *s, uint64_t ts)
{
	wire_end(s->wire);
	place_parked(p, s, true);
	if (s->talk && session_open(s->talk->session, 0))
		look_for_losses(p);
	if (s->talk && !s->talk->http) {
		blocked_end(s->talk, ts);
		session_left(s->talk->session, s->side, ts);
	}
	stream_free(p, s);
}

static void take_refused(struct stream *s, const struct sf_ev_chunk *c, uint64_t ts)
{
	talk_find(s);
	if (!s->talk)
		return;
	blocked_end(s->talk, ts);
	session_refused(s->talk->session, s->side, talk_conn(s), ts, (int)c->err);
}

static void take_chunk(struct pipeline *p, const struct event *e)
{
	const struct sf_ev_chunk *c = e->chunk;
	struct stream *s = stream_of(p, c);

	if (!s)
		return;
	s->last_ns = e->hdr->ts;
	take_end(s, c);
	take_offset(s, c, e->hdr->ts);
	switch (c->what) {
	case SF_CH_DATA:
		take_data(p, s, e);
		break;
	case SF_CH_OTHER:
		place_parked(p, s, false);
		break;
	case SF_CH_EOF:
		take_eof(p, s, e->hdr->ts);
		break;
	case SF_CH_REFUSED:
		take_refused(s, c, e->hdr->ts);
		break;
	}
}

void channels_event(struct pipeline *p, const struct event *e)
{
	if (!p->channels)
		return;
	if (e->kind == SF_EV_CHUNK)
		take_chunk(p, e);
	else if (e->kind == SF_EV_EXEC)
		named_exec(p, e);
}

/* ---- time ---- */

/* The kernel side's table, which is larger than ours: of streams whose ends went at once nobody tells. */
static void forget_idle(struct pipeline *p, uint64_t now)
{
	struct channels *ch = p->channels;

	if (!p->sensors || now < ch->idle_looked_ns + IDLE_LOOK_NS || now < IDLE_NS)
		return;
	ch->idle_looked_ns = now;
	sensors_forget_idle(p->sensors, now - IDLE_NS);
}

static void retry_parked(struct pipeline *p)
{
	struct stream *s, *next;

	HASH_ITER(hh, p->channels->streams, s, next)
	{
		if (s->n_parked)
			place_parked(p, s, false);
	}
}

void channels_turn(struct pipeline *p)
{
	struct channels *ch = p->channels;
	uint64_t now = (uint64_t)util_now_boottime();

	if (!ch || !ch->n_parked || now < ch->retried_ns + RETRY_NS)
		return;
	ch->retried_ns = now;
	retry_parked(p);
}

/* Bytes that wait for what came before them wait no longer, nor do answers for their requests. */
static void flush_all(struct pipeline *p, uint64_t before, bool force)
{
	struct stream *s, *next;

	HASH_ITER(hh, p->channels->streams, s, next)
	{
		if (s->held)
			wire_flush(s->wire, before);
		weigh(p, s);
		place_parked(p, s, force);
	}
}

void channels_tick(struct pipeline *p)
{
	uint64_t now = (uint64_t)util_now_boottime();

	if (!p->channels)
		return;
	look_for_losses(p);
	flush_all(p, now - WIRE_PATIENCE, false);
	forget_idle(p, now);
	talks_tick(p, now);
	named_tick(p, now);
	blocked_tick(p, now);
	payload_tick(p->channels->payload, now);
}

void channels_settle(struct pipeline *p, struct tracked *tr)
{
	uint64_t now = (uint64_t)util_now_boottime();
	struct talk *t, *next;

	if (!p->channels)
		return;
	look_for_losses(p);
	flush_all(p, now, true);
	HASH_ITER(hh, p->channels->talks, t, next)
	{
		if (session_open(t->session, tr->task->instance))
			blocked_end(t, tr->task->ended_ns);
		session_over(t->session, tr->task->ended_ns, tr->task->instance);
	}
	oversized_settle(p, tr);
}

static bool is_of(const struct pipeline *p, const struct end *e, const struct tracked *tr)
{
	const struct alias *a = attribute_find(p->attribution, e->instance);

	return !e->peer.tgid || (a && a->task == tr->task);
}

/* Streams between processes of the task: they have ended with it, and not each is told of. */
static void streams_forget(struct pipeline *p, const struct tracked *tr)
{
	struct stream *s, *next;

	HASH_ITER(hh, p->channels->streams, s, next)
	{
		if (!is_of(p, &s->writer, tr) || !is_of(p, &s->reader, tr))
			continue;
		if (p->sensors)
			sensors_forget_stream(p->sensors, s->key);
		stream_free(p, s);
	}
}

void channels_forget(struct pipeline *p, const struct tracked *tr)
{
	struct talk *t, *next;

	if (!p->channels)
		return;
	streams_forget(p, tr);
	HASH_ITER(hh, p->channels->talks, t, next)
	{
		session_forget(t->session, tr->task->instance);
	}
	flights_forget(p, tr->task->instance);
}

void channels_count(const struct pipeline *p, int64_t *values)
{
	const struct channels *ch = p->channels;

	values[OWN_CALLS_UNOWNED] = ch ? (int64_t)ch->unowned : 0;
	values[OWN_STREAMS_EVICTED] = ch ? (int64_t)ch->evicted : 0;
	values[OWN_DISK_KILLED] = ch ? (int64_t)disk_killed(ch->disk) : 0;
}

/* ---- the whole ---- */

static uint64_t task_began(uint64_t instance, void *arg)
{
	struct pipeline *p = arg;
	struct tracked *tr = tracked_find(p, instance);

	return tr ? tr->task->started_ns : 0;
}

int channels_new(struct pipeline *p)
{
	struct payload_options o = { .done = call_done, .began = task_began, .arg = p };
	struct channels *ch;
	int r;

	if (!p->options->channels)
		return 0;
	ch = calloc(1, sizeof(*ch));
	if (!ch)
		return -ENOMEM;
	p->channels = ch;
	ch->set.shapes_only = !p->options->channel_payload;
	o.shapes_only = ch->set.shapes_only;
	o.excerpt = o.shapes_only ? 0 : p->options->channel_excerpt;
	r = disk_new(&ch->disk, p->loop, DISK_TIME_NS);
	if (r < 0)
		return log_errno(r, "can't start the helper that compares files");
	o.disk = ch->disk;
	return payload_new(&ch->payload, &o);
}

void channels_free(struct pipeline *p)
{
	struct channels *ch = p->channels;
	struct stream *s, *next_s;
	struct talk *t, *next_t;

	if (!ch)
		return;
	HASH_ITER(hh, ch->streams, s, next_s)
	{
		stream_free(p, s);
	}
	HASH_ITER(hh, ch->talks, t, next_t)
	{
		talk_free(p, t);
	}
	flights_forget(p, 0);
	named_free(p);
	payload_free(ch->payload);
	disk_free(ch->disk);
	free(ch);
	p->channels = NULL;
}

uint64_t channels_uncompared(const struct pipeline *p)
{
	return p->channels && p->channels->payload ? payload_unseen(p->channels->payload) : 0;
}
