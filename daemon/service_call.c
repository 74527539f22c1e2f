/* SPDX-License-Identifier: GPL-2.0-only */
/* The call operation: a harness tells of a tool call whose channel may be out of sight. */
#include <errno.h>
#include <string.h>

#include "core.h"
#include "redact.h"

/* The end of the call that was told before it, else the task's begin. */
static uint64_t last_told(const struct task *t)
{
	for (size_t i = t->calls.n; i-- > 0;)
		if (t->calls.v[i]->source == CALL_TOLD)
			return t->calls.v[i]->ended_ns;
	return t->started_ns;
}

static int64_t clamp(int64_t v, int64_t min, int64_t max)
{
	return v < min ? min : v > max ? max : v;
}

/* Into boottime, and into the task's own time: clocks are read before and after. -ERANGE: it lies
 * outside, or ends before it starts. */
static int told_times(const struct pipeline *p, const struct task *t, const struct control_call *c,
		      struct call *ret)
{
	int64_t now = util_now_boottime(), begin = (int64_t)t->started_ns;
	int64_t ended = c->ended_ns ? c->ended_ns - p->utc_offset_ns : now;
	int64_t started = c->started_ns ? c->started_ns - p->utc_offset_ns : (int64_t)last_told(t);

	if (ended < begin || (c->started_ns && (started > now || started > ended)))
		return -ERANGE;
	ret->ended_ns = (uint64_t)clamp(ended, begin, now);
	ret->started_ns = (uint64_t)clamp(started, begin, (int64_t)ret->ended_ns);
	return 0;
}

/* `contents`: what goes over channels may be kept, as of those that are seen. */
static int told_texts(const struct control_call *c, bool contents, struct call *ret)
{
	int r;

	ret->tool = strdup(c->tool);
	ret->rpc_id = c->id ? strdup(c->id) : NULL;
	if (!ret->tool || (c->id && !ret->rpc_id))
		return -ENOMEM;
	if (!contents)
		return 0;
	r = c->path ? text_set(&ret->subject, c->path, c->path_len) : 0;
	if (r == 0 && c->text)
		r = redact_text(&ret->text, c->text, c->text_len, CALL_TEXT);
	return r;
}

/* A NUL in a path is never meant; whether it did harm the answer says. */
static int told_faults(struct call *c)
{
	struct call_fault f = { .cause = CAUSE_NULL_BYTE_ARGUMENT };

	f.at = c->subject.data ? strnlen(c->subject.data, c->subject.len) : 0;
	if (f.at == c->subject.len)
		return 0;
	if (text_set(&f.subject, f.at ? c->subject.data : c->tool, f.at ? f.at : strlen(c->tool)) <
		    0 ||
	    asprintf(&f.say, "a NUL byte stands in the path, at byte %llu of %zu",
		     (unsigned long long)f.at, c->subject.len) < 0) {
		text_free(&f.subject);
		return -ENOMEM;
	}
	return call_add_fault(c, &f);
}

static struct tracked *told_task(struct pipeline *p, struct control_peer *peer, uint64_t token,
				 const struct control_call *c)
{
	struct tracked *tr = tracked_by_name(p, c->campaign, c->task);
	_cleanup_free_ char *shown = NULL;

	if (tr && !tr->counted_only)
		return tr;
	shown = util_escape(c->task, strlen(c->task));
	control_error(peer, token, "no-such-task", "no task %s is open", shown ? shown : "");
	return NULL;
}

void service_call(void *arg, struct control_peer *peer, uint64_t token,
		  const struct control_call *c)
{
	struct pipeline *p = arg;
	struct tracked *tr = told_task(p, peer, token, c);
	_cleanup_(call_clear) struct call call = {
		.source = CALL_TOLD,
		.end = c->ok ? CALL_OK : CALL_TOOL_ERROR,
		.code = c->code,
		.answer_len = c->text_len,
	};
	int r;

	if (!tr)
		return;
	r = told_times(p, tr->task, c, &call);
	if (r < 0) {
		control_error(peer, token, "invalid",
			      "the call's times are not within those of its task");
		return;
	}
	r = told_texts(c, p->options->channel_payload, &call);
	if (r == 0)
		r = told_faults(&call);
	if (r == 0)
		r = channels_told(p, tr, &call);
	if (r == 0)
		control_reply(peer, token, NULL);
	else
		control_error(peer, token, "failed", "%s",
			      r == -ENOSPC ? "the task has too many calls" : "no memory");
}
