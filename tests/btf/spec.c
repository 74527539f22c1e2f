/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/btf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec.h"

size_t essential_len(const char *name)
{
	size_t n = strlen(name);

	for (size_t i = n > 4 ? n - 4 : 0; i > 0; i--)
		if (name[i - 1] != '_' && strncmp(name + i, "___", 3) == 0 && name[i + 3] != '_')
			return i;
	return n;
}

const char *btf_name_of(const struct btf *btf, const struct btf_type *t)
{
	return btf__name_by_offset(btf, t->name_off);
}

const struct btf_type *btf_bare(const struct btf *btf, __u32 id, __u32 *ret)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	while (t && (btf_is_mod(t) || btf_is_typedef(t))) {
		id = t->type;
		t = btf__type_by_id(btf, id);
	}
	if (!t)
		errx(1, "BTF without the type %u", id);
	if (ret)
		*ret = id;
	return t;
}

bool relo_is_field(const struct bpf_core_relo *relo)
{
	return relo->kind <= BPF_CORE_FIELD_RSHIFT_U64;
}

bool relo_is_enumerator(const struct bpf_core_relo *relo)
{
	return relo->kind == BPF_CORE_ENUMVAL_EXISTS || relo->kind == BPF_CORE_ENUMVAL_VALUE;
}

bool relo_asks(const struct bpf_core_relo *relo)
{
	return relo->kind == BPF_CORE_FIELD_EXISTS || relo->kind == BPF_CORE_TYPE_EXISTS ||
	       relo->kind == BPF_CORE_ENUMVAL_EXISTS;
}

/* The name and value of an enumerator. */
const char *btf_enumerator(const struct btf *btf, const struct btf_type *t, __u32 i, __u64 *value)
{
	if (btf_is_enum64(t)) {
		*value = btf_enum64_value(&btf_enum64(t)[i]);
		return btf__name_by_offset(btf, btf_enum64(t)[i].name_off);
	}
	*value = (__u64)(__s64)btf_enum(t)[i].val;
	return btf__name_by_offset(btf, btf_enum(t)[i].name_off);
}

const char *relo_enumerator(const struct btf *btf, const struct bpf_core_relo *relo)
{
	const struct btf_type *t = btf_bare(btf, relo->type_id, NULL);
	const char *index = btf__name_by_offset(btf, relo->access_str_off);
	__u64 value;

	return btf_enumerator(btf, t, (__u32)strtoul(index, NULL, 10), &value);
}

void spec_parse(const struct btf *btf, const struct bpf_core_relo *relo, struct spec *spec)
{
	const char *p = btf__name_by_offset(btf, relo->access_str_off);
	__u32 id;
	char *end;

	spec->root = relo->type_id;
	spec->n = 0;
	spec->first = (__u32)strtoul(p, &end, 10);
	id = relo->type_id;
	while (*end == ':') {
		__u32 index = (__u32)strtoul(end + 1, &end, 10);
		const struct btf_type *t = btf_bare(btf, id, NULL);
		struct step step = { .index = index };

		if (btf_is_composite(t) && index < btf_vlen(t)) {
			id = step.local_type = btf_members(t)[index].type;
			step.name = btf__name_by_offset(btf, btf_members(t)[index].name_off);
			step.owner = btf_name_of(btf, t);
		} else if (btf_is_array(t)) {
			id = btf_array(t)->type;
		} else {
			errx(1, "a relocation that leads nowhere: %s", p);
		}
		if (step.name &&
		    !*step.name) /* an anonymous member: the next one names the field */
			continue;
		if (spec->n == STEPS_MAX)
			errx(1, "a relocation of more than %d steps", STEPS_MAX);
		spec->steps[spec->n++] = step;
	}
}

void relo_describe(const struct btf *local, const struct bpf_core_relo *relo, char *buf,
		   size_t size)
{
	const struct btf_type *t = btf__type_by_id(local, relo->type_id);
	const char *kind = btf_is_struct(t) ? "struct " : btf_is_union(t) ? "union " : "";
	struct spec spec;
	size_t n;

	n = (size_t)snprintf(buf, size, "%s%s", btf_is_any_enum(t) ? "enum " : kind,
			     btf_name_of(local, t));
	if (relo_is_enumerator(relo) && n < size)
		snprintf(buf + n, size - n, " %s", relo_enumerator(local, relo));
	if (!relo_is_field(relo))
		return;
	spec_parse(local, relo, &spec);
	for (size_t i = 0; i < spec.n && n < size; i++)
		n += (size_t)(spec.steps[i].name
				      ? snprintf(buf + n, size - n, ".%s", spec.steps[i].name)
				      : snprintf(buf + n, size - n, "[%u]", spec.steps[i].index));
}
