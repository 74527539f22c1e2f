/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "control_impl.h"

#define CHUNK (64 * 1024)

static void update(struct control_peer *p);

static void peer_unref(struct control_peer *p)
{
	if (--p->refs)
		return;
	for (size_t i = 0; i < p->n_pending; i++)
		json_object_put(p->pending[i].id);
	free(p->pending);
	free(p->campaign);
	free(p->level);
	free(p->in);
	free(p->out);
	free(p);
}

/* The memory stays while replies are due: whoever holds a token may still answer. */
void control_peer_close(struct control_peer *p)
{
	if (p->fd < 0)
		return;
	loop_remove(p->source);
	p->source = NULL;
	close(TAKE_FD(p->fd));
	if (p->prev)
		p->prev->next = p->next;
	else
		p->c->peers = p->next;
	if (p->next)
		p->next->prev = p->prev;
	p->c->n_peers--;
	if (p->watching)
		p->c->n_watchers--;
	p->c = NULL;
	peer_unref(p);
}

static void peer_write(struct control_peer *p)
{
	while (p->fd >= 0 && p->out_at < p->out_len) {
		ssize_t n = send(p->fd, p->out + p->out_at, p->out_len - p->out_at, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) {
			control_peer_close(p);
			return;
		}
		p->out_at += (size_t)n;
	}
	p->out_at = p->out_len = 0;
}

static int append(struct control_peer *p, const char *data, size_t len)
{
	void *buf = p->out;
	int r;

	if (p->out_at) {
		memmove(p->out, p->out + p->out_at, p->out_len - p->out_at);
		p->out_len -= p->out_at;
		p->out_at = 0;
	}
	r = util_grow(&buf, &p->out_cap, p->out_len + len + 1, 1);
	p->out = buf;
	if (r < 0)
		return r;
	memcpy(p->out + p->out_len, data, len);
	p->out_len += len;
	p->out[p->out_len++] = '\n';
	return 0;
}

static size_t queued(const struct control_peer *p)
{
	return p->out_len - p->out_at;
}

/* May close the peer. */
static void send_line(struct control_peer *p, const char *line, size_t len)
{
	if (queued(p) >= CONTROL_QUEUE_MAX)
		p->c->slow++;
	else if (append(p, line, len) == 0)
		return;
	control_peer_close(p);
}

static void send_object(struct control_peer *p, struct json_object *o)
{
	size_t len;
	const char *line = json_object_to_json_string_length(
		o, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE, &len);

	if (line)
		send_line(p, line, len);
	else
		control_peer_close(p);
}

static void tell_lost(struct control_peer *p)
{
	char line[48];
	int n = snprintf(line, sizeof(line), "{\"lost\":%llu}", (unsigned long long)p->lost);

	p->lost = 0;
	send_line(p, line, (size_t)n);
}

/* Writes what can be written, then waits for what is of use. May close the peer. */
static void update(struct control_peer *p)
{
	uint32_t events = 0;

	if (p->fd < 0)
		return;
	peer_write(p);
	if (p->fd >= 0 && p->lost && !queued(p)) {
		tell_lost(p);
		peer_write(p);
	}
	if (p->fd < 0)
		return;
	if (p->eof && !p->n_pending && !queued(p) && !p->watching) {
		control_peer_close(p);
		return;
	}
	if (!p->eof && p->n_pending < CONTROL_PENDING_MAX)
		events |= EPOLLIN;
	if (queued(p))
		events |= EPOLLOUT;
	if (loop_modify_fd(p->source, events) < 0)
		control_peer_close(p);
}

uint64_t control_peer_token(struct control_peer *p, struct json_object *id)
{
	void *array = p->pending;
	int r = util_grow(&array, &p->pending_cap, p->n_pending + 1, sizeof(*p->pending));

	p->pending = array;
	if (r < 0) {
		json_object_put(id);
		control_peer_close(p);
		return 0;
	}
	p->pending[p->n_pending++] = (struct control_pending){ ++p->next_token, id };
	p->refs++;
	return p->next_token;
}

/* Ends the request: its id goes to *id. false: no such request (answered already). */
static bool take_pending(struct control_peer *p, uint64_t token, struct json_object **id)
{
	for (size_t i = 0; i < p->n_pending; i++) {
		if (p->pending[i].token != token)
			continue;
		*id = p->pending[i].id;
		p->pending[i] = p->pending[--p->n_pending];
		return true;
	}
	return false;
}

/* Takes over `fields` and `id`. */
static struct json_object *reply_object(bool ok, struct json_object *id, struct json_object *fields)
{
	struct json_object *o = json_object_new_object();

	if (!o) {
		json_object_put(id);
		json_object_put(fields);
		return NULL;
	}
	json_object_object_add(o, "ok", json_object_new_boolean(ok));
	if (id)
		json_object_object_add(o, "id", id);
	if (fields) {
		json_object_object_foreach (fields, key, value) {
			json_object_object_add(o, key, json_object_get(value));
		}
	}
	json_object_put(fields);
	return o;
}

static void answer(struct control_peer *p, uint64_t token, bool ok, struct json_object *fields)
{
	struct json_object *id = NULL, *o;

	if (!take_pending(p, token, &id)) {
		json_object_put(fields);
		return;
	}
	o = reply_object(ok, id, fields);
	if (p->fd >= 0 && o)
		send_object(p, o);
	else
		control_peer_close(p);
	json_object_put(o);
	update(p);
	peer_unref(p);
}

void control_reply(struct control_peer *p, uint64_t token, struct json_object *extra)
{
	answer(p, token, true, extra);
}

void control_error(struct control_peer *p, uint64_t token, const char *code, const char *fmt, ...)
{
	struct json_object *fields = json_object_new_object();
	_cleanup_free_ char *message = NULL;
	_cleanup_free_ char *escaped = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&message, fmt, ap);
	va_end(ap);
	if (n < 0)
		message = NULL;
	escaped = message ? util_escape(message, (size_t)n) : NULL;
	if (fields) {
		json_object_object_add(fields, "error", json_object_new_string(code));
		json_object_object_add(fields, "message",
				       json_object_new_string(escaped ? escaped : "no memory"));
	}
	answer(p, token, false, fields);
}

int control_peer_watch(struct control_peer *p, const char *campaign, const char *level)
{
	_cleanup_free_ char *c = campaign ? strdup(campaign) : NULL;
	_cleanup_free_ char *l = level ? strdup(level) : NULL;

	if ((campaign && !c) || (level && !l))
		return -ENOMEM;
	free(p->campaign);
	free(p->level);
	p->campaign = TAKE_PTR(c);
	p->level = TAKE_PTR(l);
	if (!p->watching)
		p->c->n_watchers++;
	p->watching = true;
	return 0;
}

/* An event that says no campaign or level (an alert over all) is for everybody. */
static bool wants(const struct control_peer *p, const char *campaign, const char *level)
{
	if (!p->watching)
		return false;
	if (p->campaign && campaign && strcmp(p->campaign, campaign) != 0)
		return false;
	return !p->level || !level || strcmp(p->level, level) == 0;
}

void control_publish(struct control *c, const char *campaign, const char *level,
		     struct json_object *o)
{
	struct control_peer *next;

	for (struct control_peer *p = c->peers; p; p = next) {
		next = p->next;
		if (!wants(p, campaign, level))
			continue;
		if (queued(p) >= CONTROL_WATCH_MAX) {
			p->lost++;
			continue;
		}
		p->refs++;
		if (p->lost)
			tell_lost(p);
		if (p->fd >= 0)
			send_object(p, o);
		update(p);
		peer_unref(p);
	}
	json_object_put(o);
}

static void too_long(struct control_peer *p)
{
	uint64_t token = control_peer_token(p, NULL);

	if (!token)
		return;
	p->c->malformed++;
	control_error(p, token, "too-long", "a request has at most %d bytes", CONTROL_LINE_MAX);
}

static int keep(struct control_peer *p, const char *data, size_t len)
{
	void *buf = p->in;
	int r = util_grow(&buf, &p->in_cap, p->in_len + len, 1);

	p->in = buf;
	if (r < 0)
		return r;
	if (len)
		memcpy(p->in + p->in_len, data, len);
	p->in_len += len;
	return 0;
}

/* One piece of a line; `whole`: its end was reached. */
static void feed_piece(struct control_peer *p, const char *data, size_t len, bool whole)
{
	if (p->skipping) {
		p->skipping = !whole;
		return;
	}
	if (p->in_len + len > CONTROL_LINE_MAX) {
		p->in_len = 0;
		p->skipping = !whole;
		too_long(p);
		return;
	}
	if (keep(p, data, len) < 0) {
		control_peer_close(p);
		return;
	}
	if (!whole)
		return;
	len = p->in_len;
	p->in_len = 0;
	control_request(p, p->in, len);
}

static void feed(struct control_peer *p, const char *data, size_t len)
{
	while (len && p->fd >= 0) {
		const char *newline = memchr(data, '\n', len);
		size_t piece = newline ? (size_t)(newline - data) : len;

		feed_piece(p, data, piece, newline != NULL);
		piece += newline ? 1 : 0;
		data += piece;
		len -= piece;
	}
}

/* Returns whether there may be more. */
static bool peer_read(struct control_peer *p)
{
	static char chunk[CHUNK];
	ssize_t n = recv(p->fd, chunk, sizeof(chunk), 0);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return errno == EINTR;
	if (n < 0) {
		control_peer_close(p);
		return false;
	}
	if (n > 0) {
		feed(p, chunk, (size_t)n);
		return p->fd >= 0;
	}
	p->eof = true;
	/* A last line need not end in a newline: an object's end is its own. */
	if (p->in_len)
		feed(p, "\n", 1);
	return false;
}

static void on_event(int fd, uint32_t events, void *arg)
{
	struct control_peer *p = arg;

	p->refs++;
	/* Both directions are closed: what was sent before still counts, nobody reads replies. */
	if (events & (EPOLLHUP | EPOLLERR)) {
		while (!p->eof && p->fd >= 0 && peer_read(p))
			;
		control_peer_close(p);
	} else if (events & EPOLLIN) {
		peer_read(p);
	}
	update(p);
	peer_unref(p);
}

int control_peer_new(struct control *c, int fd, const struct ucred *cred)
{
	struct control_peer *p = calloc(1, sizeof(*p));
	int r = p ? loop_add_fd(c->loop, fd, EPOLLIN, on_event, p, &p->source) : -ENOMEM;

	if (r < 0) {
		close(fd);
		free(p);
		return r;
	}
	p->c = c;
	p->fd = fd;
	p->cred = *cred;
	p->refs = 1;
	p->next = c->peers;
	if (p->next)
		p->next->prev = p;
	c->peers = p;
	c->n_peers++;
	return 0;
}
