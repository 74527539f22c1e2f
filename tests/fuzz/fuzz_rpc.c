/* SPDX-License-Identifier: GPL-2.0-only */
/* A message -> objects -> strings and what is kept of them. The input's first two bytes say where it
 * was cut. */
#include <assert.h>
#include <string.h>

#include "redact.h"
#include "rpc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int each(const char *pointer, const char *s, size_t len, void *arg)
{
	struct rpc_string_at at;
	uint32_t mask = rpc_string_faults(s, len, &at);
	ssize_t wrong = rpc_base64_fault(s, len);

	for (int i = 0; i < RPC_STRING_MAX; i++)
		assert(!(mask & (1u << i)) || at.at[i] < len);
	assert(wrong >= -1 && wrong <= (ssize_t)len);
	assert(pointer[0] == '\0' || pointer[0] == '/');
	return 0;
}

static void keep(struct json_object *o, size_t max, bool shapes_only)
{
	char *s = redact_json(o, max, shapes_only);

	assert(s && strlen(s) <= max);
	free(s);
}

static void take(const struct rpc *r, void *arg)
{
	assert(r->kind >= RPC_NOT_JSON && r->kind <= RPC_ERROR);
	assert(rpc_each_string(r->object, each, NULL) == 0);
	keep(r->object, 1024, false);
	keep(r->object, 64, false);
	keep(r->object, 1024, true);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire_message m = { 0 };
	struct text t = { 0 };
	char *copy;

	if (size < 3)
		return 0;
	m.len = m.total = m.gap = m.tail = size - 2;
	copy = malloc(m.len + 1);
	assert(copy);
	memcpy(copy, data + 2, m.len);
	copy[m.len] = '\0';
	m.data = copy;
	if (data[0] != ' ') {
		m.cut = true;
		m.gap = data[0] < m.len ? data[0] : m.len;
		m.tail = m.gap + data[1] < m.len ? m.gap + data[1] : m.len;
	}
	assert(rpc_parse(&m, take, NULL) >= 0);
	assert(redact_text(&t, copy, m.len, 100) == 0);
	assert(t.len <= 100);
	text_free(&t);
	free(copy);
	return 0;
}
