/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/btf.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "resolve.h"
#include "spec.h"

#define DEPTH_MAX 32

struct candidates {
	bool searched;
	__u32 *ids;
	size_t n;
};

/* Where a target's field lies. */
struct place {
	__u64 bits;
	__u32 type;
	bool bitfield;
};

static bool same_essence(const char *a, const char *b)
{
	size_t n = essential_len(a);

	return n == essential_len(b) && strncmp(a, b, n) == 0;
}

static bool kinds_agree(const struct btf_type *a, const struct btf_type *b)
{
	return btf_kind(a) == btf_kind(b) || (btf_is_any_enum(a) && btf_is_any_enum(b));
}

static struct candidates *candidates(struct resolver *r, __u32 id)
{
	const struct btf_type *t = btf__type_by_id(r->local, id);
	struct candidates *c = &r->by_type[id];
	const char *name = btf_name_of(r->local, t);
	size_t len = essential_len(name);

	if (c->searched)
		return c;
	c->searched = true;
	for (__u32 i = 1; len && i < btf__type_cnt(r->target); i++) {
		const struct btf_type *cand = btf__type_by_id(r->target, i);
		const char *other = btf_name_of(r->target, cand);

		if (!kinds_agree(t, cand) || strncmp(name, other, len) != 0 ||
		    essential_len(other) != len)
			continue;
		c->ids = reallocarray(c->ids, c->n + 1, sizeof(*c->ids));
		if (!c->ids)
			err(1, "memory");
		c->ids[c->n++] = i;
	}
	return c;
}

void resolver_init(struct resolver *r, const struct btf *local, const struct btf *target)
{
	r->local = local;
	r->target = target;
	r->by_type = calloc(btf__type_cnt(local), sizeof(*r->by_type));
	if (!r->by_type)
		err(1, "memory");
}

void resolver_free(struct resolver *r)
{
	for (__u32 i = 0; i < btf__type_cnt(r->local); i++)
		free(r->by_type[i].ids);
	free(r->by_type);
}

/* ---- fields ---- */

static bool fields_compatible(const struct resolver *r, __u32 local_id, __u32 target_id)
{
	const struct btf_type *l = btf_bare(r->local, local_id, NULL);
	const struct btf_type *t = btf_bare(r->target, target_id, NULL);

	for (int depth = 0; depth < DEPTH_MAX; depth++) {
		if (btf_is_composite(l) && btf_is_composite(t))
			return true;
		if (!kinds_agree(l, t))
			return false;
		if (btf_is_any_enum(l) || btf_is_fwd(l))
			return !*btf_name_of(r->local, l) || !*btf_name_of(r->target, t) ||
			       same_essence(btf_name_of(r->local, l), btf_name_of(r->target, t));
		if (!btf_is_array(l))
			return btf_is_ptr(l) || btf_is_int(l) || btf_kind(l) == BTF_KIND_FLOAT;
		l = btf_bare(r->local, btf_array(l)->type, NULL);
		t = btf_bare(r->target, btf_array(t)->type, NULL);
	}
	return false;
}

static bool find_member(const struct resolver *r, const struct step *step, struct place *place,
			int depth)
{
	const struct btf_type *t = btf_bare(r->target, place->type, NULL);

	for (int i = 0; btf_is_composite(t) && i < btf_vlen(t) && depth < DEPTH_MAX; i++) {
		const struct btf_member *m = &btf_members(t)[i];
		const char *name = btf__name_by_offset(r->target, m->name_off);
		struct place inner = { .bits = place->bits + btf_member_bit_offset(t, i),
				       .type = m->type,
				       .bitfield = btf_member_bitfield_size(t, i) != 0 };

		if (*name && strcmp(name, step->name) != 0)
			continue;
		if (*name ? !fields_compatible(r, step->local_type, m->type)
			  : !find_member(r, step, &inner, depth + 1))
			continue;
		*place = inner;
		return true;
	}
	return false;
}

static bool find_element(const struct resolver *r, const struct step *step, struct place *place)
{
	const struct btf_type *t = btf_bare(r->target, place->type, NULL);
	__s64 size;

	if (!btf_is_array(t) || (btf_array(t)->nelems && step->index >= btf_array(t)->nelems))
		return false;
	size = btf__resolve_size(r->target, btf_array(t)->type);
	place->type = btf_array(t)->type;
	place->bits += (__u64)step->index * (size > 0 ? size : 0) * 8;
	return true;
}

static bool find_field(const struct resolver *r, const struct spec *spec, __u32 candidate,
		       struct place *place)
{
	__s64 size = btf__resolve_size(r->target, candidate);

	*place = (struct place){ .bits = (__u64)spec->first * (size > 0 ? size : 0) * 8,
				 .type = candidate };
	for (size_t i = 0; i < spec->n; i++)
		if (spec->steps[i].name ? !find_member(r, &spec->steps[i], place, 0)
					: !find_element(r, &spec->steps[i], place))
			return false;
	return true;
}

static bool field_value(const struct resolver *r, const struct bpf_core_relo *relo,
			const struct spec *spec, __u32 candidate, struct resolved *ret)
{
	struct place place;

	if (!find_field(r, spec, candidate, &place))
		return false;
	ret->known = !place.bitfield;
	switch (relo->kind) {
	case BPF_CORE_FIELD_EXISTS:
		ret->known = true;
		ret->value = 1;
		break;
	case BPF_CORE_FIELD_BYTE_OFFSET:
		ret->value = place.bits / 8;
		break;
	case BPF_CORE_FIELD_BYTE_SIZE:
		ret->value = (__u64)btf__resolve_size(r->target, place.type);
		break;
	default:
		ret->known = false;
	}
	return true;
}

/* ---- types and values ---- */

static bool type_value(const struct resolver *r, const struct bpf_core_relo *relo, __u32 candidate,
		       struct resolved *ret)
{
	const struct btf_type *l = btf_bare(r->local, relo->type_id, NULL);
	const struct btf_type *t = btf_bare(r->target, candidate, NULL);

	if (!kinds_agree(l, t))
		return false;
	ret->known = relo->kind != BPF_CORE_TYPE_ID_TARGET;
	ret->value = 1;
	if (relo->kind == BPF_CORE_TYPE_SIZE)
		ret->value = (__u64)btf__resolve_size(r->target, candidate);
	return true;
}

static bool enum_value(const struct resolver *r, const struct bpf_core_relo *relo, __u32 candidate,
		       struct resolved *ret)
{
	const struct btf_type *t = btf_bare(r->target, candidate, NULL);
	const char *asked = relo_enumerator(r->local, relo);

	for (__u32 i = 0; i < btf_vlen(t); i++) {
		__u64 value;

		if (!same_essence(asked, btf_enumerator(r->target, t, i, &value)))
			continue;
		ret->known = true;
		ret->value = relo->kind == BPF_CORE_ENUMVAL_EXISTS ? 1 : value;
		return true;
	}
	return false;
}

/* ---- all ---- */

/* A type that is not there has the size and the id 0; a field or a value can't be patched. */
static void resolve_missing(const struct bpf_core_relo *relo, struct resolved *ret)
{
	ret->usable = relo_asks(relo) || (!relo_is_field(relo) && !relo_is_enumerator(relo));
	ret->known = ret->usable;
	ret->value = 0;
}

void resolve(struct resolver *r, const struct bpf_core_relo *relo, struct resolved *ret)
{
	struct candidates *c;
	struct spec spec;

	*ret = (struct resolved){};
	if (relo->kind == BPF_CORE_TYPE_ID_LOCAL) {
		ret->found = ret->usable = true;
		return;
	}
	if (relo->kind >= BPF_CORE_TYPE_MATCHES)
		errx(1, "relocations of the kind %d are not known here", relo->kind);
	if (relo_is_field(relo))
		spec_parse(r->local, relo, &spec);
	c = candidates(r, relo->type_id);
	for (size_t i = 0; i < c->n; i++) {
		struct resolved one = { .found = true, .usable = true };

		if (relo_is_field(relo)	       ? !field_value(r, relo, &spec, c->ids[i], &one)
		    : relo_is_enumerator(relo) ? !enum_value(r, relo, c->ids[i], &one)
					       : !type_value(r, relo, c->ids[i], &one))
			continue;
		if (ret->found && (ret->known != one.known || ret->value != one.value))
			ret->ambiguous = true;
		else
			*ret = one;
	}
	if (!ret->found)
		resolve_missing(relo, ret);
	if (ret->ambiguous)
		ret->usable = ret->known = false;
}
