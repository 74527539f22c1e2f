/* SPDX-License-Identifier: GPL-2.0-only */
/* Records of tool calls and of what befell their channels. */
#include <errno.h>
#include <string.h>

#include "record.h"

static const char *const result_names[] = { NULL, "pass", "fail" };

const char *campaign_result_name(enum campaign_result r)
{
	return (unsigned int)r < ARRAY_SIZE(result_names) ? result_names[r] : NULL;
}

int campaign_result_parse(const char *s)
{
	for (unsigned int i = RESULT_PASS; i < ARRAY_SIZE(result_names); i++)
		if (strcmp(result_names[i], s) == 0)
			return (int)i;
	return -EINVAL;
}

const char *call_source_name(enum call_source s)
{
	return s == CALL_TOLD ? "harness" : "channel";
}

static void faults_clear(struct call_record *c)
{
	for (size_t i = 0; i < c->n_faults; i++) {
		text_free(&c->faults[i].subject);
		free(c->faults[i].say);
	}
	free(c->faults);
}

void call_record_clear(struct call_record *c)
{
	faults_clear(c);
	free(c->rpc_id);
	free(c->method);
	free(c->tool);
	free(c->args);
	text_free(&c->subject);
	text_free(&c->text);
	*c = (struct call_record){ 0 };
}

void incident_record_clear(struct incident_record *i)
{
	free(i->say);
	*i = (struct incident_record){ 0 };
}

static int own_string(char **ret, const char *s)
{
	*ret = s ? strdup(s) : NULL;
	return s && !*ret ? -ENOMEM : 0;
}

static int own_text(struct text *t)
{
	struct text from = *t;

	*t = (struct text){};
	return from.data ? text_set(t, from.data, from.len) : 0;
}

/* *c is a plain copy: what it points to is another's, and is made its own. All pointers are replaced,
 * also on failure, so that it may be cleared. */
static int call_own(struct call_record *c)
{
	const struct call_fault_record *from = c->faults;
	size_t n = c->n_faults;
	int r = 0;

	r |= own_string(&c->rpc_id, c->rpc_id);
	r |= own_string(&c->method, c->method);
	r |= own_string(&c->tool, c->tool);
	r |= own_string(&c->args, c->args);
	r |= own_text(&c->subject);
	r |= own_text(&c->text);
	c->n_faults = 0;
	c->faults = n ? calloc(n, sizeof(*c->faults)) : NULL;
	if (n && !c->faults)
		return -ENOMEM;
	for (; c->n_faults < n; c->n_faults++) {
		struct call_fault_record *f = &c->faults[c->n_faults];

		*f = from[c->n_faults];
		r |= own_text(&f->subject);
		r |= own_string(&f->say, f->say);
	}
	return r ? -ENOMEM : 0;
}

int call_record_copy(struct call_record *ret, const struct call_record *c)
{
	struct call_record copy = *c;

	if (call_own(&copy) < 0) {
		call_record_clear(&copy);
		return -ENOMEM;
	}
	*ret = copy;
	return 0;
}

int incident_record_copy(struct incident_record *ret, const struct incident_record *i)
{
	struct incident_record copy = *i;

	if (own_string(&copy.say, i->say) < 0)
		return -ENOMEM;
	*ret = copy;
	return 0;
}

/* All zero: no bytes were seen. */
static void hex(char ret[CALL_HEX], const uint8_t digest[CALL_DIGEST])
{
	static const uint8_t none[CALL_DIGEST];

	ret[0] = '\0';
	if (memcmp(digest, none, CALL_DIGEST) == 0)
		return;
	for (size_t i = 0; i < CALL_DIGEST; i++)
		snprintf(ret + 2 * i, 3, "%02x", digest[i]);
}

static int64_t utc(uint64_t boottime_ns, int64_t offset_ns)
{
	return boottime_ns ? (int64_t)boottime_ns + offset_ns : 0;
}

static int64_t number(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (int64_t)v;
}

int call_record_from(struct call_record *ret, const struct call *c, int64_t utc_offset_ns)
{
	_cleanup_free_ struct call_fault_record *faults = NULL;
	struct call_record view = {
		.task_id = (int64_t)c->instance,
		.session = number(c->session),
		.source = c->source,
		.end = c->end,
		.rpc_id = c->rpc_id,
		.method = c->method,
		.tool = c->tool,
		.subject = c->subject,
		.args = c->args,
		.started_ns = utc(c->started_ns, utc_offset_ns),
		.ended_ns = utc(c->ended_ns, utc_offset_ns),
		.request_len = number(c->request_len),
		.answer_len = number(c->answer_len),
		.cut = c->cut,
		.code = c->code,
		.text = c->text,
		.server_pid = c->server.tgid,
		.client_pid = c->client.tgid,
		.n_faults = c->n_faults,
	};

	faults = calloc(c->n_faults + 1, sizeof(*faults));
	if (!faults)
		return -ENOMEM;
	for (size_t i = 0; i < c->n_faults; i++) {
		const struct call_fault *f = &c->faults[i];

		faults[i] = (struct call_fault_record){ f->cause,      f->leg,	   f->sure,
							number(f->at), f->subject, f->say };
	}
	view.faults = faults;
	hex(view.request_digest, c->request_digest);
	hex(view.answer_digest, c->answer_digest);
	return call_record_copy(ret, &view);
}

int incident_record_from(struct incident_record *ret, const struct incident *i,
			 int64_t utc_offset_ns)
{
	struct incident_record view = {
		.task_id = (int64_t)i->instance,
		.session = number(i->session),
		.kind = i->kind,
		.at_ns = utc(i->ts, utc_offset_ns),
		.pid = i->who.tgid,
		.other_pid = i->other.tgid,
		.by_server = i->by_server,
		.err = i->err,
		.bytes = number(i->bytes),
		.open = i->open,
		.say = i->say,
	};

	return incident_record_copy(ret, &view);
}

bool call_record_failed(const struct call_record *c)
{
	const struct call view = { .end = c->end };

	return call_failed(&view);
}

static size_t size_of(const char *s)
{
	return s ? strlen(s) + 1 : 0;
}

size_t call_record_size(const struct call_record *c)
{
	size_t n = sizeof(*c) + size_of(c->rpc_id) + size_of(c->method) + size_of(c->tool) +
		   size_of(c->args) + c->subject.len + c->text.len;

	for (size_t i = 0; i < c->n_faults; i++)
		n += sizeof(c->faults[i]) + c->faults[i].subject.len + size_of(c->faults[i].say);
	return n;
}
