/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdlib.h>

#include "call.h"

static const char *const end_names[] = {
	"open", "ok", "tool-error", "error", "never", "cancelled"
};
_Static_assert(ARRAY_SIZE(end_names) == CALL_END_MAX, "every end has a name");

static const char *const leg_names[] = { "none", "client", "write", "read", "round-trip" };
_Static_assert(ARRAY_SIZE(leg_names) == LEG_MAX, "every leg has a name");

static const char *const incident_names[] = {
	[INCIDENT_NOT_JSON] = "not-json",     [INCIDENT_INVALID] = "invalid",
	[INCIDENT_UNKNOWN_ID] = "unknown-id", [INCIDENT_BROKEN_PIPE] = "broken-pipe",
	[INCIDENT_RESET] = "reset",	      [INCIDENT_CLOSED] = "closed",
	[INCIDENT_BLOCKED] = "blocked",	      [INCIDENT_OVERSIZED] = "oversized",
};
_Static_assert(ARRAY_SIZE(incident_names) == INCIDENT_MAX, "every incident has a name");

static void fault_clear(struct call_fault *f)
{
	text_free(&f->subject);
	free(f->say);
}

void call_clear(struct call *c)
{
	for (size_t i = 0; i < c->n_faults; i++)
		fault_clear(&c->faults[i]);
	free(c->faults);
	free(c->rpc_id);
	free(c->method);
	free(c->tool);
	free(c->args);
	text_free(&c->subject);
	text_free(&c->text);
	*c = (struct call){ 0 };
}

void incident_clear(struct incident *i)
{
	free(i->say);
	*i = (struct incident){ 0 };
}

int call_add_fault(struct call *c, const struct call_fault *f)
{
	struct call_fault own = *f, *v;

	v = reallocarray(c->faults, c->n_faults + 1, sizeof(*v));
	if (!v) {
		fault_clear(&own);
		return -ENOMEM;
	}
	c->faults = v;
	v[c->n_faults++] = own;
	return 0;
}

bool call_failed(const struct call *c)
{
	return c->end == CALL_TOOL_ERROR || c->end == CALL_ERROR || c->end == CALL_NEVER;
}

const char *call_end_name(enum call_end e)
{
	return (unsigned int)e < CALL_END_MAX ? end_names[e] : "unknown";
}

const char *call_leg_name(enum call_leg l)
{
	return (unsigned int)l < LEG_MAX ? leg_names[l] : "unknown";
}

const char *incident_name(enum incident_kind k)
{
	return (unsigned int)k < INCIDENT_MAX && k ? incident_names[k] : "unknown";
}
