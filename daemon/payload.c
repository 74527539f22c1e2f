/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>

#include "payload.h"

struct payload {
	struct payload_options o;
};

int payload_new(struct payload **ret, const struct payload_options *o)
{
	struct payload *p = calloc(1, sizeof(*p));

	if (!p)
		return -ENOMEM;
	p->o = *o;
	*ret = p;
	return 0;
}

void payload_free(struct payload *p)
{
	free(p);
}

int payload_request(struct payload *p, struct call *c, struct json_object *params)
{
	return 0;
}

int payload_answer(struct payload *p, struct call *c, struct json_object *params,
		   struct json_object *result)
{
	return 0;
}

void payload_forget(struct payload *p, uint64_t call)
{
}
void payload_roots(struct payload *p, uint64_t session, struct json_object *result)
{
}
void payload_end(struct payload *p, uint64_t session)
{
}
void payload_tick(struct payload *p, uint64_t now)
{
}

size_t payload_held(const struct payload *p)
{
	return 0;
}

uint64_t payload_unseen(const struct payload *p)
{
	return 0;
}
