/* SPDX-License-Identifier: GPL-2.0-only */
/* The operation channel, as a line has it. */
#include <string.h>

#include "control_field.h"

#define PATTERN_SIZE 4095

static bool field_action(struct request *r, struct json_object *v, void *to)
{
	static const char *const names[] = {
		[CHANNEL_LIST] = "list", [CHANNEL_ADD] = "add", [CHANNEL_REMOVE] = "remove"
	};
	int n = field_index_of(v, names, ARRAY_SIZE(names));

	if (n < 0)
		return false;
	*(enum control_channel_action *)to = (enum control_channel_action)n;
	return true;
}

static bool field_pattern(struct request *r, struct json_object *v, void *to)
{
	const char *s = field_string_of(v, PATTERN_SIZE);

	*(const char **)to = s;
	return s && *s;
}

#define AT(field) offsetof(struct control_channel, field)
static const struct field fields[] = {
	{ "action", field_action, AT(action), true, "list, add or remove" },
	{ "pid", field_pid, AT(pid), false, "a process id" },
	{ "cgroup", field_cgroup, AT(cgroup), false, "an absolute path without .." },
	{ "pattern", field_pattern, AT(pattern), false, "a string of 1 to 4095 bytes" },
};

void control_channel(struct request *r)
{
	struct control *c = r->peer->c;
	struct control_channel q = { .peer_uid = r->peer->cred.uid };

	if (!fields_read(r, fields, ARRAY_SIZE(fields), &q))
		return;
	if (q.action != CHANNEL_LIST && !!q.pid + !!q.cgroup + !!q.pattern != 1)
		field_invalid(r, "pid", "one of pid, cgroup, pattern is needed");
	else
		c->ops->channel(c->arg, r->peer, r->token, &q);
}
