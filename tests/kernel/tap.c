/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tap: what the kernel side says of tools' channels, one JSON object a record, bytes in hexadecimal.
 * Takes on stdin: watch PID, unwatch PID, cgroup ID, uncgroup ID, execs 0|1, forget STREAM, idle,
 * ring BYTES ahead of all; answers each with a line that begins with "=".
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "decode.h"
#include "sensors.h"

static void put_hex(const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		printf("%02x", (unsigned char)data[i]);
}

static int record(void *ctx, void *data, size_t size)
{
	struct event e;

	if (decode_event(data, size, &e) < 0) {
		printf("{\"bad\":%zu}\n", size);
		return 0;
	}
	printf("{\"record\":%d,\"tgid\":%u,\"instance\":%" PRIu64 ",", e.kind, e.actor->tgid,
	       (uint64_t)e.actor->instance);
	if (e.kind == SF_EV_CHUNK) {
		const struct sf_ev_chunk *c = e.chunk;

		printf("\"stream\":\"%" PRIx64 "\",\"back\":\"%" PRIx64 "\",\"offset\":%" PRIu64
		       ",\"missing\":%u,\"fd\":%d,\"err\":%u,\"what\":%u,\"kind\":%u,"
		       "\"writes\":%u,\"first\":%u,\"serial\":%u,\"local\":%u,\"peer\":%u,",
		       (uint64_t)c->stream, (uint64_t)c->back, (uint64_t)c->offset, c->missing,
		       c->fd, c->err, c->what, c->kind, c->writes, c->first, c->hdr.serial,
		       c->port_local, c->port_peer);
	}
	printf("\"data\":\"");
	if (e.kind == SF_EV_CHUNK)
		put_hex(e.part[0].data, e.part[0].len);
	else
		put_hex(e.part[2].data, e.part[2].len);
	printf("\"}\n");
	return 0;
}

static uint64_t entries(int map, size_t key_size)
{
	unsigned char key[8], next[8];
	uint64_t n = 0;
	bool more = bpf_map_get_next_key(map, NULL, next) == 0;

	for (; more; n++) {
		memcpy(key, next, key_size);
		more = bpf_map_get_next_key(map, key, next) == 0;
	}
	return n;
}

static void state(const struct sensors *s)
{
	uint64_t c[SF_C_MAX];

	if (sensors_counters(s, c) < 0)
		return;
	printf("= {\"streams\":%" PRIu64 ",\"stream_count\":%" PRIu64 ",\"watched\":%" PRIu64
	       ",\"watched_count\":%" PRIu64 ",\"channel\":%" PRIu64 ",\"lost_channel\":%" PRIu64
	       ",\"lost_stream\":%" PRIu64 ",\"lost_scratch\":%" PRIu64 "}\n",
	       entries(sensors_maps(s)->streams, 8), (uint64_t)*sensors_knobs(s)->stream_count,
	       entries(sensors_maps(s)->watched, 4), (uint64_t)*sensors_knobs(s)->watched_count,
	       c[SF_C_CHANNEL], c[SF_C_LOST_CHANNEL], c[SF_C_LOST_STREAM], c[SF_C_LOST_SCRATCH]);
}

static void command(struct sensors *s, const char *line)
{
	char verb[16], text[32];
	int r = 0;

	if (sscanf(line, "%15s %31s", verb, text) < 2)
		return state(s);
	if (strcmp(verb, "watch") == 0)
		r = sensors_watch(s, (uint32_t)atoi(text), true);
	else if (strcmp(verb, "unwatch") == 0)
		r = sensors_watch(s, (uint32_t)atoi(text), false);
	else if (strcmp(verb, "cgroup") == 0)
		r = sensors_watch_cgroup(s, strtoull(text, NULL, 10), true);
	else if (strcmp(verb, "uncgroup") == 0)
		r = sensors_watch_cgroup(s, strtoull(text, NULL, 10), false);
	else if (strcmp(verb, "execs") == 0)
		sensors_watch_execs(s, atoi(text));
	else if (strcmp(verb, "forget") == 0)
		sensors_forget_stream(s, strtoull(text, NULL, 16));
	else if (strcmp(verb, "idle") == 0)
		r = (int)sensors_forget_idle(s, strtoull(text, NULL, 10));
	printf("= %d\n", r);
}

static int run(struct sensors *s)
{
	struct ring_buffer *ring = ring_buffer__new(sensors_maps(s)->channel, record, NULL, NULL);
	struct pollfd fds[2] = { { .fd = 0, .events = POLLIN }, { .events = POLLIN } };
	char line[128];

	if (!ring)
		return 1;
	fds[1].fd = ring_buffer__epoll_fd(ring);
	puts("= ready");
	do {
		fflush(stdout);
		if (poll(fds, 2, 1000) < 0)
			return 1;
		ring_buffer__consume(ring);
		if (!(fds[0].revents & (POLLIN | POLLHUP)))
			continue;
		if (!fgets(line, sizeof(line), stdin))
			return 0;
		command(s, line);
	} while (true);
}

int main(int argc, char **argv)
{
	struct sensors_settings settings = { .budget = 100,
					     .channel_ring =
						     argc > 1 ? (uint32_t)atoi(argv[1]) : 0 };
	struct sensors *s;
	char *why = NULL;
	int r = sensors_open(&s, &settings, &why);

	if (r == 0)
		r = sensors_attach(s, &why);
	if (r < 0) {
		fprintf(stderr, "tap: %s\n", why ? why : strerror(-r));
		return 1;
	}
	setvbuf(stdin, NULL, _IONBF, 0); /* what is buffered no poll tells of */
	r = run(s);
	sensors_close(s);
	return r;
}
