/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * check_btf OBJECT NAME=BTF…: holds the object against each kernel's types, as libbpf and the
 * verifier would when it is loaded there, without a kernel to boot. A row a kernel; fails where a
 * program reads what the kernel lacks, or calls a helper that it lacks, without having asked; where
 * a tracepoint's prototype is another one; where a sensor that must be there can't. Relocations:
 * ok; guarded: lacking, and asked about; unused: there, in code that this kernel does not run.
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow.h"
#include "grants.h"
#include "sensors_table.h"
#include "spec.h"
#include "util.h"

struct kernel {
	const char *name;
	struct btf *btf;
	struct grants
		grants; /* all of them: what the kernel has is asked, not what it lets us do */
	size_t loaded, absent;		     /* programs */
	size_t ok, guarded, unused, missing; /* relocations */
	size_t wrong;			     /* prototypes and sensors */
};

/* Where a program hangs, by the section's name: that is what libbpf goes by. */
static const char *attached_to(const struct function *f, const char *how)
{
	size_t n = strlen(how);

	return strncmp(f->section, how, n) == 0 && f->section[n] == '/' ? f->section + n + 1 : NULL;
}

static const struct btf_type *function_proto(const struct btf *btf, const char *prefix,
					     const char *name)
{
	char full[128];
	int id;

	snprintf(full, sizeof(full), "%s%s", prefix, name);
	id = btf__find_by_name_kind(btf, full, BTF_KIND_FUNC);
	return id < 0 ? NULL : btf__type_by_id(btf, btf__type_by_id(btf, (__u32)id)->type);
}

static void take_parameters(struct arguments *a, const struct btf_type *proto, int from)
{
	a->known = true;
	for (int i = from; i < btf_vlen(proto) && a->n < ARGUMENTS_MAX; i++)
		a->types[a->n++] = btf_params(proto)[i].type;
}

/* False: this kernel has no such place. */
static bool arguments_of(const struct btf *btf, const struct function *f, struct arguments *a)
{
	const struct btf_type *proto;
	const char *name;
	bool leaves = false;

	*a = (struct arguments){};
	name = attached_to(f, "tp_btf");
	if (name) {
		proto = sensor_tracepoint(btf, name);
		if (proto)
			take_parameters(a, proto, 1); /* the first is the tracepoint's own data */
		return proto;
	}
	name = attached_to(f, "lsm");
	if (name) {
		proto = function_proto(btf, "bpf_lsm_", name);
		leaves = true;
	} else {
		name = attached_to(f, "fexit");
		leaves = name;
		if (!name)
			name = attached_to(f, "fentry");
		if (!name)
			return true;
		proto = function_proto(btf, "", name);
	}
	if (!proto)
		return false;
	take_parameters(a, proto, 0);
	if (leaves && a->n < ARGUMENTS_MAX)
		a->types[a->n++] = proto->type;
	return true;
}

/* ---- which programs the daemon would load ---- */

static const struct sensor *sensor_of(const char *program)
{
	for (size_t i = 0; i < SENSORS; i++)
		for (size_t j = 0; j < SENSOR_PROGRAMS && sensor_table[i].programs[j]; j++)
			if (strcmp(sensor_table[i].programs[j], program) == 0)
				return &sensor_table[i];
	return NULL;
}

static bool sensor_there(const struct btf *btf, const struct sensor *s)
{
	return !s->tracepoint || sensor_tracepoint(btf, s->tracepoint);
}

static bool fits(const struct kernel *k, const struct sensor *s, const char *program)
{
	struct sensor_ask ask = { .btf = k->btf, .grants = &k->grants, .capabilities = true };

	return sensor_there(k->btf, s) && (!s->fits || s->fits(&ask, program));
}

static bool is_loaded(struct kernel *k, const struct function *f, struct arguments *a)
{
	const struct sensor *s = sensor_of(f->name);

	if (s && !fits(k, s, f->name))
		return false;
	if (arguments_of(k->btf, f, a))
		return true;
	if (!s || !s->optional) {
		printf("  %s wants %s, which this kernel has not\n", f->name, f->section);
		k->wrong++;
	}
	return false;
}

/* A sensor that must be there needs its question answered and one program at least. */
static void check_sensors(struct kernel *k, const struct object *o)
{
	for (size_t i = 0; i < SENSORS; i++) {
		const struct sensor *s = &sensor_table[i];
		bool works = false, has = false;

		for (size_t j = 0; j < o->n_functions; j++) {
			const struct function *f = &o->functions[j];

			if (sensor_of(f->name) != s)
				continue;
			has = true;
			works |= fits(k, s, f->name);
		}
		if (works || !has || s->optional)
			continue;
		printf("  sensor %s: no program of it fits this kernel\n", s->name);
		k->wrong++;
	}
}

/* ---- relocations ---- */

static const char *function_around(const struct object *o, size_t insn)
{
	for (size_t i = 0; i < o->n_functions; i++)
		if (insn >= o->functions[i].begin && insn < o->functions[i].end)
			return o->functions[i].name;
	return "?";
}

static void check_relo(struct kernel *k, const struct object *o, const struct flow *f, size_t i,
		       const struct resolved *r)
{
	const struct relo *relo = &o->relos[i];
	char text[256];

	if (!flow_reached(f, relo->at)) {
		if (r->usable)
			k->unused++;
		else
			k->guarded++;
	} else if (r->usable) {
		k->ok++;
	} else {
		relo_describe(o->btf, &relo->core, text, sizeof(text));
		printf("  %s: %s %s\n", function_around(o, relo->at), text,
		       r->ambiguous ? "is there more than once, and differs" : "is not there");
		k->missing++;
	}
}

static void check_kernel(struct kernel *k, const struct object *o)
{
	_cleanup_free_ struct resolved *resolved = calloc(o->n_relos, sizeof(*resolved));
	_cleanup_free_ struct arguments *arguments = calloc(o->n_functions, sizeof(*arguments));
	struct resolver resolver;
	struct flow *flow;

	if (!resolved || !arguments)
		err(1, "memory");
	resolver_init(&resolver, o->btf, k->btf);
	for (size_t i = 0; i < o->n_relos; i++)
		resolve(&resolver, &o->relos[i].core, &resolved[i]);
	flow = flow_new(o, &resolver, resolved);
	check_sensors(k, o);
	for (size_t i = 0; i < o->n_functions; i++) {
		if (!o->functions[i].program)
			continue;
		if (is_loaded(k, &o->functions[i], &arguments[i])) {
			flow_program(flow, (int)i, &arguments[i]);
			k->loaded++;
		} else {
			k->absent++;
		}
	}
	k->wrong += flow_complain(flow);
	for (size_t i = 0; i < o->n_relos; i++)
		check_relo(k, o, flow, i, &resolved[i]);
	flow_free(flow);
	resolver_free(&resolver);
}

static struct kernel kernel_open(char *arg)
{
	struct kernel k = { .name = arg };
	char *path = strchr(arg, '=');

	if (!path)
		errx(2, "%s is not NAME=BTF", arg);
	*path++ = '\0';
	k.btf = btf__parse(path, NULL);
	if (!k.btf)
		err(1, "%s", path);
	if (grants_read(&k.grants, k.btf) < 0)
		errx(1, "out of memory");
	return k;
}

int main(int argc, char **argv)
{
	struct object *o;
	size_t passed = 0;

	if (argc < 3)
		errx(2, "usage: check_btf OBJECT NAME=BTF...");
	o = object_read(argv[1]);
	printf("%zu relocations in %zu functions\n", o->n_relos, o->n_functions);
	printf("%-14s %8s %6s | %5s %7s %6s %7s %5s\n", "kernel", "programs", "absent", "ok",
	       "guarded", "unused", "missing", "wrong");
	for (int i = 2; i < argc; i++) {
		struct kernel k = kernel_open(argv[i]);

		check_kernel(&k, o);
		printf("%-14s %8zu %6zu | %5zu %7zu %6zu %7zu %5zu\n", k.name, k.loaded, k.absent,
		       k.ok, k.guarded, k.unused, k.missing, k.wrong);
		passed += !k.missing && !k.wrong && k.ok;
		grants_clear(&k.grants);
		btf__free(k.btf);
	}
	printf("%zu passed, %zu failed\n", passed, (size_t)argc - 2 - passed);
	return passed == (size_t)argc - 2 ? 0 : 1;
}
