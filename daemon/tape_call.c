/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "tape_call.h"

#define NONE	   UINT32_MAX /* in place of a length: NULL */
#define FAULTS_MAX 4096

/* What has a fixed size; then the strings, each behind its length, then the faults. */
struct call_head {
	uint64_t id, session, instance;
	uint64_t request_len, answer_len, started_ns, ended_ns;
	uint8_t request_digest[CALL_DIGEST], answer_digest[CALL_DIGEST];
	struct call_peer server, client;
	uint32_t source, end, cut;
	int32_t code;
	uint32_t n_faults;
	int32_t status; /* 0 in older tapes */
};

struct fault_head {
	uint64_t at;
	uint32_t cause, leg, sure, pad;
};

struct incident_head {
	uint64_t session, instance, ts, bytes;
	struct call_peer who, other;
	uint32_t kind, by_server, open;
	int32_t err;
};

/* ---- to write ---- */

static void put_bytes(FILE *f, const char *data, size_t len)
{
	uint32_t n = data ? (uint32_t)len : NONE;

	fwrite(&n, sizeof(n), 1, f);
	if (data)
		fwrite(data, 1, len, f);
}

static void put_string(FILE *f, const char *s)
{
	put_bytes(f, s, s ? strlen(s) : 0);
}

static void put_fault(FILE *f, const struct call_fault *fault)
{
	struct fault_head h = {
		.at = fault->at, .cause = fault->cause, .leg = fault->leg, .sure = fault->sure
	};

	fwrite(&h, sizeof(h), 1, f);
	put_bytes(f, fault->subject.data, fault->subject.len);
	put_string(f, fault->say);
}

static void put_call(FILE *f, const struct call *c)
{
	struct call_head h = { .id = c->id,
			       .session = c->session,
			       .instance = c->instance,
			       .request_len = c->request_len,
			       .answer_len = c->answer_len,
			       .started_ns = c->started_ns,
			       .ended_ns = c->ended_ns,
			       .server = c->server,
			       .client = c->client,
			       .source = c->source,
			       .end = c->end,
			       .cut = c->cut,
			       .code = c->code,
			       .status = c->status,
			       .n_faults = (uint32_t)c->n_faults };

	memcpy(h.request_digest, c->request_digest, CALL_DIGEST);
	memcpy(h.answer_digest, c->answer_digest, CALL_DIGEST);
	fwrite(&h, sizeof(h), 1, f);
	put_string(f, c->rpc_id);
	put_string(f, c->method);
	put_string(f, c->tool);
	put_string(f, c->args);
	put_bytes(f, c->subject.data, c->subject.len);
	put_bytes(f, c->text.data, c->text.len);
	for (size_t i = 0; i < c->n_faults; i++)
		put_fault(f, &c->faults[i]);
}

static void put_incident(FILE *f, const struct incident *i)
{
	struct incident_head h = { .session = i->session,
				   .instance = i->instance,
				   .ts = i->ts,
				   .bytes = i->bytes,
				   .who = i->who,
				   .other = i->other,
				   .kind = i->kind,
				   .by_server = i->by_server,
				   .open = i->open,
				   .err = i->err };

	fwrite(&h, sizeof(h), 1, f);
	put_string(f, i->say);
}

static void write_frame(struct tape *t, enum tape_kind kind, const struct call *c,
			const struct incident *i)
{
	_cleanup_free_ char *data = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&data, &len);

	if (!f)
		return;
	if (c)
		put_call(f, c);
	if (i)
		put_incident(f, i);
	if (fclose(f) == 0)
		tape_write(t, kind, data, len, NULL, 0);
}

void tape_calls(struct tape *t, const struct task *task)
{
	if (!t)
		return;
	for (size_t i = 0; i < task->calls.n; i++)
		write_frame(t, TAPE_CALL, task->calls.v[i], NULL);
	for (size_t i = 0; i < task->incidents.n; i++)
		write_frame(t, TAPE_INCIDENT, NULL, &task->incidents.v[i]);
}

/* ---- to read ---- */

struct reader {
	const char *at, *end;
	int error;
};

static const char *take(struct reader *r, size_t len)
{
	const char *at = r->at;

	if (!r->error && len > (size_t)(r->end - r->at))
		r->error = -EBADMSG;
	if (r->error)
		return NULL;
	r->at += len;
	return at;
}

static bool take_into(struct reader *r, void *to, size_t len)
{
	const char *from = take(r, len);

	if (from)
		memcpy(to, from, len);
	return from != NULL;
}

static void get_text(struct reader *r, struct text *ret)
{
	uint32_t len = NONE;
	const char *data = NULL;

	if (take_into(r, &len, sizeof(len)) && len != NONE)
		data = take(r, len);
	if (data && text_set(ret, data, len) < 0)
		r->error = -ENOMEM;
}

static void get_string(struct reader *r, char **ret)
{
	struct text t = { 0 };

	get_text(r, &t);
	*ret = t.data;
}

static void get_fault(struct reader *r, struct call *c)
{
	struct call_fault f = { 0 };
	struct fault_head h;

	if (!take_into(r, &h, sizeof(h)))
		return;
	if (h.cause >= CAUSE_MAX || h.leg >= LEG_MAX) {
		r->error = -EBADMSG;
		return;
	}
	f.cause = (enum cause)h.cause;
	f.leg = (enum call_leg)h.leg;
	f.sure = h.sure;
	f.at = h.at;
	get_text(r, &f.subject);
	get_string(r, &f.say);
	if (call_add_fault(c, &f) < 0)
		r->error = -ENOMEM;
}

static void take_head(struct call *c, const struct call_head *h)
{
	c->id = h->id;
	c->session = h->session;
	c->instance = h->instance;
	c->request_len = h->request_len;
	c->answer_len = h->answer_len;
	c->started_ns = h->started_ns;
	c->ended_ns = h->ended_ns;
	c->server = h->server;
	c->client = h->client;
	c->source = (enum call_source)h->source;
	c->end = (enum call_end)h->end;
	c->cut = h->cut;
	c->code = h->code;
	c->status = h->status;
	memcpy(c->request_digest, h->request_digest, CALL_DIGEST);
	memcpy(c->answer_digest, h->answer_digest, CALL_DIGEST);
}

int tape_call_read(const void *data, size_t len, struct call *ret)
{
	struct reader r = { data, (const char *)data + len, 0 };
	struct call c = { 0 };
	struct call_head h;

	if (!take_into(&r, &h, sizeof(h)) || h.end >= CALL_END_MAX || h.source > CALL_TOLD ||
	    h.n_faults > FAULTS_MAX)
		return -EBADMSG;
	take_head(&c, &h);
	get_string(&r, &c.rpc_id);
	get_string(&r, &c.method);
	get_string(&r, &c.tool);
	get_string(&r, &c.args);
	get_text(&r, &c.subject);
	get_text(&r, &c.text);
	for (uint32_t i = 0; i < h.n_faults && !r.error; i++)
		get_fault(&r, &c);
	if (r.error) {
		call_clear(&c);
		return r.error;
	}
	*ret = c;
	return 0;
}

int tape_incident_read(const void *data, size_t len, struct incident *ret)
{
	struct reader r = { data, (const char *)data + len, 0 };
	struct incident_head h;
	struct incident i = { 0 };

	if (!take_into(&r, &h, sizeof(h)) || !h.kind || h.kind >= INCIDENT_MAX)
		return -EBADMSG;
	i.kind = (enum incident_kind)h.kind;
	i.session = h.session;
	i.instance = h.instance;
	i.ts = h.ts;
	i.bytes = h.bytes;
	i.who = h.who;
	i.other = h.other;
	i.by_server = h.by_server;
	i.open = h.open;
	i.err = h.err;
	get_string(&r, &i.say);
	if (r.error) {
		incident_clear(&i);
		return r.error;
	}
	*ret = i;
	return 0;
}
