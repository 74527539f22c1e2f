/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a stream, in records that may be lost, late or double -> messages -> objects. The input's
 * first byte says how it is divided; 0xff in it begins a record with an offset of its own. */
#include <assert.h>
#include <string.h>

#include "redact.h"
#include "rpc.h"

#define MAX 2048

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_rpc(const struct rpc *r, void *arg)
{
	assert(r->kind >= RPC_NOT_JSON && r->kind <= RPC_ERROR);
	assert(r->kind != RPC_RESULT || r->partial || r->id);
}

static void take(const struct wire_message *m, void *arg)
{
	assert(m->len <= MAX && m->gap <= m->tail && m->tail <= m->len);
	assert(m->data[m->len] == '\0');
	assert(m->cut || m->len == 0 || m->total == m->len);
	assert(m->cut || m->gap == m->len);
	assert(m->begin_ns <= m->end_ns);
	assert(rpc_parse(m, take_rpc, NULL) >= 0);
}

/* A record that begins with 0xff: how far it is moved, what is missing after it. */
static void one_record(struct wire *w, uint64_t ts, uint64_t *offset, const uint8_t *p, size_t n)
{
	uint64_t at = *offset;
	uint32_t missing = 0;

	if (n > 3 && *p == 0xff) {
		at += (uint64_t)(int8_t)p[1];
		missing = p[2] & 1 ? p[2] : 0;
		if (p[2] == 0x80)
			at = UINT64_MAX - 4;
		p += 3;
		n -= 3;
	}
	if (wire_take(w, ts, at, p, n, missing) < 0)
		return;
	*offset = at + n + missing;
	assert(wire_held(w) < 8 << 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wire *w;
	uint64_t ts = 1, offset = 0;
	size_t step;

	if (size < 2)
		return 0;
	step = data[0] ? data[0] : size;
	w = wire_new(MAX, take, NULL);
	assert(w);
	for (size_t i = 1; i < size; ts++) {
		size_t n = step < size - i ? step : size - i;
		const uint8_t *mark = n > 1 ? memchr(data + i + 1, 0xff, n - 1) : NULL;

		if (mark)
			n = (size_t)(mark - data) - i;
		one_record(w, ts, &offset, data + i, n);
		if (n == 7)
			assert(wire_flush(w, ts - 1) == 0);
		i += n;
	}
	wire_end(w);
	wire_free(w);
	return 0;
}
