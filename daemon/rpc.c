/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>

#include "rpc_impl.h"

static struct json_object *member(struct json_object *o, const char *key)
{
	struct json_object *v = NULL;

	json_object_object_get_ex(o, key, &v);
	return v;
}

static const char *string_of(struct json_object *o)
{
	return json_object_is_type(o, json_type_string) ? json_object_get_string(o) : NULL;
}

static bool is_id(struct json_object *id)
{
	return json_object_is_type(id, json_type_string) ||
	       json_object_is_type(id, json_type_int) || json_object_is_type(id, json_type_double);
}

/* What is there, whatever it is worth. */
static void fill(struct rpc *r, struct json_object *o)
{
	struct json_object *id, *code;

	r->object = o;
	if (!json_object_is_type(o, json_type_object))
		return;
	id = member(o, "id");
	r->id = is_id(id) ? json_object_to_json_string_ext(
				    id, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE)
			  : NULL;
	r->method = string_of(member(o, "method"));
	r->params = member(o, "params");
	r->result = member(o, "result");
	r->error = member(o, "error");
	if (!json_object_is_type(r->error, json_type_object))
		return;
	code = member(r->error, "code");
	r->code = json_object_is_type(code, json_type_int) ? json_object_get_int(code) : 0;
	r->message = string_of(member(r->error, "message"));
}

static bool has(const struct rpc *r, const char *key)
{
	return json_object_object_get_ex(r->object, key, NULL);
}

static enum rpc_kind answer_kind(const struct rpc *r)
{
	if (has(r, "result") == has(r, "error"))
		return RPC_INVALID;
	if (has(r, "result"))
		return r->id ? RPC_RESULT : RPC_INVALID;
	/* an error's id is null where the request's could not be read */
	if (!json_object_is_type(r->error, json_type_object) ||
	    !json_object_is_type(member(r->error, "code"), json_type_int))
		return RPC_INVALID;
	return RPC_ERROR;
}

/* JSON-RPC 2.0, sections 4 and 5; MCP's base protocol forbids an id that is null. */
static enum rpc_kind kind_of(const struct rpc *r)
{
	const char *version;

	if (!json_object_is_type(r->object, json_type_object))
		return RPC_INVALID;
	version = string_of(member(r->object, "jsonrpc"));
	if (!version || strcmp(version, "2.0") != 0)
		return RPC_INVALID;
	if (!has(r, "method"))
		return answer_kind(r);
	if (!r->method || has(r, "result") || has(r, "error"))
		return RPC_INVALID;
	if (has(r, "params") && !json_object_is_type(r->params, json_type_object) &&
	    !json_object_is_type(r->params, json_type_array))
		return RPC_INVALID;
	if (!has(r, "id"))
		return RPC_NOTIFICATION;
	return r->id ? RPC_REQUEST : RPC_INVALID;
}

/* By MCP's names: a notification's begins with "notifications/". */
static enum rpc_kind partial_kind(const struct rpc *r)
{
	if (!json_object_is_type(r->object, json_type_object))
		return RPC_INVALID;
	if (r->method)
		return r->id || strncmp(r->method, "notifications/", 14) != 0 ? RPC_REQUEST
									      : RPC_NOTIFICATION;
	return has(r, "error") ? RPC_ERROR : has(r, "result") ? RPC_RESULT : RPC_INVALID;
}

struct parse {
	const struct wire_message *m;
	void (*fn)(const struct rpc *r, void *arg);
	void *arg;
	struct rpc_scan scan;
	int calls;
};

static void emit(struct parse *p, struct json_object *o, size_t batch, bool partial)
{
	struct rpc r = {
		.raw = p->scan.raw, .raw_at = p->scan.raw_at, .partial = partial, .batch = batch
	};

	fill(&r, o);
	r.kind = partial ? partial_kind(&r) : kind_of(&r);
	p->fn(&r, p->arg);
	p->calls++;
}

/* The elements of a batch; of one that is not complete the last may be open. */
static void emit_batch(struct parse *p, struct json_object *array, bool partial)
{
	size_t n = json_object_array_length(array);
	bool open = partial && strlen(p->scan.closers) > 1;

	if (!n)
		emit(p, array, 0, partial);
	for (size_t i = 0; i < n; i++)
		emit(p, json_object_array_get_idx(array, i), n, open && i == n - 1);
}

static int emit_whole(struct parse *p, const char *text)
{
	struct json_object *o = rpc_parse_safe(&p->scan, text);

	if (!o && p->scan.safe)
		return -ENOMEM;
	if (json_object_is_type(o, json_type_array))
		emit_batch(p, o, false);
	else
		emit(p, o, 0, false);
	json_object_put(o);
	return p->calls;
}

/* The member of the object that was open where the text was cut. */
static struct json_object *open_member(struct json_object *o)
{
	struct json_object *v = member(o, "result");

	return json_object_is_type(v, json_type_object) ? v : NULL;
}

/* What stands at the beginning and, where the object is one, at the end. */
static int emit_partial(struct parse *p, const char *head, const char *tail, size_t tail_len)
{
	struct json_object *o = rpc_parse_safe(&p->scan, head);

	if (json_object_is_type(o, json_type_array)) {
		emit_batch(p, o, true);
		json_object_put(o);
		return p->calls;
	}
	if (!o)
		o = json_object_new_object();
	if (!o)
		return -ENOMEM;
	rpc_add_tail(o, open_member(o), tail, tail_len);
	emit(p, o, 0, true);
	json_object_put(o);
	return p->calls;
}

static int emit_not_json(struct parse *p, const char *text)
{
	struct json_object *o = rpc_parse_safe(&p->scan, text);
	struct rpc r = { .kind = RPC_NOT_JSON, .raw = p->scan.raw, .raw_at = p->scan.raw_at };

	if (json_object_is_type(o, json_type_object))
		fill(&r, o);
	p->fn(&r, p->arg);
	p->calls++;
	json_object_put(o);
	return p->calls;
}

static bool has_hole(const struct wire_message *m)
{
	return m->cut && m->gap < m->len && m->tail > 0;
}

int rpc_parse(const struct wire_message *m, void (*fn)(const struct rpc *r, void *arg), void *arg)
{
	struct parse p = { .m = m, .fn = fn, .arg = arg };
	const char *text = m->data;
	size_t len = m->len, bom;

	if (!len)
		return 0;
	bom = len >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
	if (!bom && has_hole(m)) {
		rpc_scan(&p.scan, text, m->gap);
		return emit_partial(&p, text, text + m->tail, len - m->tail);
	}
	rpc_scan(&p.scan, text + bom, len - bom);
	if (bom) {
		p.scan.raw |= RPC_RAW_BOM;
		p.scan.raw_at = 0;
		return emit_not_json(&p, text + bom);
	}
	if (p.scan.whole)
		return emit_whole(&p, text);
	if (m->cut && !m->tail)
		p.scan.safe = 0; /* not the beginning of anything */
	if (m->cut || (p.scan.raw & RPC_RAW_TOO_BIG))
		return emit_partial(&p, text, text, m->cut && m->tail ? 0 : len);
	return emit_not_json(&p, text);
}
