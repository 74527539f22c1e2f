/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_uses OBJECT…: the kernel types that the objects look up, a line each: "type NAME",
 * "field TYPE NAME" (TYPE is - for an anonymous one), "value NAME".
 */
#include <bpf/btf.h>
#include <err.h>
#include <stdio.h>

#include "object.h"
#include "spec.h"

static void list(const struct btf *btf, const struct bpf_core_relo *relo)
{
	struct spec spec;

	printf("type %s\n", btf_name_of(btf, btf__type_by_id(btf, relo->type_id)));
	if (relo_is_enumerator(relo))
		printf("value %s\n", relo_enumerator(btf, relo));
	if (!relo_is_field(relo))
		return;
	spec_parse(btf, relo, &spec);
	for (size_t i = 0; i < spec.n; i++)
		if (spec.steps[i].name)
			printf("field %s %s\n", *spec.steps[i].owner ? spec.steps[i].owner : "-",
			       spec.steps[i].name);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		errx(2, "usage: list_uses OBJECT...");
	for (int i = 1; i < argc; i++) {
		const struct object *o = object_read(argv[i]);

		for (size_t k = 0; k < o->n_relos; k++)
			list(o->btf, &o->relos[k].core);
	}
	return 0;
}
