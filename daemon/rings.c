/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "core.h"
#include "log.h"

#define TURN_RECORDS  4096	  /* of a ring in one turn of the loop, … */
#define DRAIN_RECORDS (1 << 18)	  /* … and where everything has to come out */
#define TURN_BYTES    (256 << 10) /* of the ring of channels in one turn, … */
#define SWEEP_BYTES   (4 << 20)	  /* … and in a sweep's */

static void decoded(struct pipeline *p, const void *data, size_t size,
		    void (*take)(struct pipeline *p, const struct event *e))
{
	struct event e;

	if (decode_event(data, size, &e) < 0)
		p->undecodable++;
	else
		take(p, &e);
}

/* Ends a turn by an error, which libbpf hands through after it has taken the record. */
static int on_record(void *arg, void *data, size_t size)
{
	struct pipeline *p = arg;

	decoded(p, data, size, intake_event);
	/* After what was asked because of it: a replay has the answers first. */
	tape_write(p->tape, TAPE_EVENT, data, size, NULL, 0);
	return --p->budget ? 0 : -EAGAIN;
}

static void ring_take(struct pipeline *p, struct ring_buffer *ring, unsigned int records)
{
	unsigned int before = p->budget;

	p->budget = records;
	ring_buffer__consume(ring);
	p->budget = before;
	inquiry_mounts_flush(p);
}

/* No tape: what sessions make of it goes there. */
static int on_chunk(void *arg, void *data, size_t size)
{
	struct pipeline *p = arg;

	decoded(p, data, size, channels_event);
	if (size >= p->channel_budget)
		return -EAGAIN;
	p->channel_budget -= size;
	return 0;
}

/* How many records. */
static int channel_take(struct pipeline *p, size_t bytes)
{
	int n;

	if (!p->channel)
		return 0;
	p->channel_budget = bytes;
	n = ring_buffer__consume(p->channel);
	channels_turn(p);
	return n;
}

void rings_sweep_channel(struct pipeline *p)
{
	channel_take(p, SWEEP_BYTES);
}

void rings_drain_channel(struct pipeline *p)
{
	channel_take(p, SIZE_MAX);
}

void rings_drain_rare(struct pipeline *p)
{
	ring_take(p, p->rare, DRAIN_RECORDS);
}

/* Rare first: what a cgroup is, is known before the bells of its processes. */
void rings_drain(struct pipeline *p)
{
	rings_drain_rare(p);
	ring_take(p, p->bells, DRAIN_RECORDS);
}

static void on_rare(int fd, uint32_t events, void *arg)
{
	struct pipeline *p = arg;

	ring_take(p, p->rare, TURN_RECORDS);
}

static void on_bells(int fd, uint32_t events, void *arg)
{
	struct pipeline *p = arg;

	rings_drain_rare(p);
	ring_take(p, p->bells, TURN_RECORDS);
}

/* Last of all: tools that talk much must not starve what fails. */
static int channel_turn(struct pipeline *p)
{
	rings_drain_rare(p);
	ring_take(p, p->bells, TURN_RECORDS);
	return channel_take(p, TURN_BYTES);
}

/* What follows within SF_CH_QUIET does not wake us: it is looked for when that is over, until nothing
 * has come. */
static void on_channel(int fd, uint32_t events, void *arg)
{
	struct pipeline *p = arg;

	channel_turn(p);
	loop_rearm_timer(p->channel_timer, SF_CH_QUIET, SF_CH_QUIET);
}

static void on_channel_timer(void *arg)
{
	struct pipeline *p = arg;

	if (channel_turn(p) == 0)
		loop_rearm_timer(p->channel_timer, -1, 0);
}

int rings_new(struct pipeline *p)
{
	p->rare = ring_buffer__new(p->maps->rare, on_record, p, NULL);
	if (!p->rare)
		return log_errno(-errno, "can't map the ring of rare events");
	p->bells = ring_buffer__new(p->maps->bells, on_record, p, NULL);
	if (!p->bells)
		return log_errno(-errno, "can't map the ring of bells");
	if (!p->channels)
		return 0;
	p->channel = ring_buffer__new(p->maps->channel, on_chunk, p, NULL);
	if (!p->channel)
		return log_errno(-errno, "can't map the ring of channels");
	return 0;
}

int rings_watch(struct pipeline *p)
{
	int r = pipeline_watch(p, ring_buffer__epoll_fd(p->rare), on_rare);

	if (r == 0)
		r = pipeline_watch(p, ring_buffer__epoll_fd(p->bells), on_bells);
	if (r < 0 || !p->channel)
		return r;
	r = loop_add_timer(p->loop, -1, SF_CH_QUIET, on_channel_timer, p, &p->channel_timer);
	return r < 0 ? r : pipeline_watch(p, ring_buffer__epoll_fd(p->channel), on_channel);
}

void rings_free(struct pipeline *p)
{
	loop_remove(p->channel_timer);
	ring_buffer__free(p->rare);
	ring_buffer__free(p->bells);
	ring_buffer__free(p->channel);
}
