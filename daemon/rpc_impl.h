/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of rpc: a look over the bytes (rpc_scan.c), and what an incomplete message still tells
 * (rpc_partial.c). */
#ifndef SANDFAULT_RPC_IMPL_H
#define SANDFAULT_RPC_IMPL_H

#include "rpc.h"

#define RPC_DEPTH 128 /* of nesting; json_object_put() recurses */
/* What a message's objects may take of memory, as estimated; in bytes. An array of empty arrays
 * takes a hundred times its text. */
#define RPC_MEMORY (64 << 20)

/* What a look over JSON text found, which stops where it is no JSON any more. */
struct rpc_scan {
	bool whole; /* it is one value, with blanks around it at most */
	/* text[0 .. safe) and then `closers` are JSON: the values that were complete. 0: none. */
	size_t safe;
	char closers[RPC_DEPTH + 1];
	uint32_t raw;
	size_t raw_at;
};

void rpc_scan(struct rpc_scan *ret, const char *text, size_t len);
/* The object or array of text[0 .. safe); NULL: none, or no memory. */
struct json_object *rpc_parse_safe(const struct rpc_scan *scan, const char *text);

/*
 * The members with plain values (strings, numbers, words) that stand at the end of an object's text,
 * "…,"jsonrpc":"2.0","id":1}", are added to `object` where it has none of that name; those at the end
 * of the member before them ("…,"isError":true},"jsonrpc"…") to its `inner`, which may be NULL.
 */
void rpc_add_tail(struct json_object *object, struct json_object *inner, const char *text,
		  size_t len);

#endif
