/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/btf.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alu.h"
#include "flow.h"
#include "spec.h"

#define REGISTERS    11
#define FP	     10
#define SLOTS	     64 /* eight bytes each: the stack */
#define HELPER(name) [BPF_FUNC_##name] = #name

enum kind {
	UNSEEN, /* no path has come here yet */
	UNKNOWN,
	CONSTANT, /* n */
	CONTEXT,  /* the program's arguments */
	OBJECT,	  /* an argument: a pointer to the type n */
	SCALAR,	  /* an argument that is no pointer */
	FRAME,	  /* n bytes from the frame's top */
};

struct value {
	enum kind kind;
	__s64 n;
};

struct state {
	struct value regs[REGISTERS];
	struct value stack[SLOTS];
};

struct complaint {
	const struct function *function;
	char text[160];
};

struct flow {
	const struct object *o;
	struct resolver *r;
	const struct resolved *resolved;
	struct state *states; /* one an instruction: before it */
	bool *reached;
	bool *waiting;
	size_t *queue;
	size_t head, n_queued;
	__u32 helpers; /* the kernel's helpers have numbers below this */
	const struct arguments *arguments;
	struct complaint *complaints;
	size_t n_complaints;
};

/* ---- values ---- */

static const struct value unknown = { .kind = UNKNOWN };

static struct value constant(__s64 n)
{
	return (struct value){ .kind = CONSTANT, .n = n };
}

static bool join_value(struct value *to, const struct value *from)
{
	struct value now = *to;

	if (to->kind == UNSEEN)
		now = *from;
	else if (from->kind != to->kind || from->n != to->n)
		now = unknown;
	if (now.kind == to->kind && now.n == to->n)
		return false;
	*to = now;
	return true;
}

static void flow_to(struct flow *f, size_t at, const struct state *s)
{
	bool changed;

	if (at >= f->o->n_insns)
		errx(1, "a jump out of the program");
	changed = !f->reached[at];
	f->reached[at] = true;
	for (int i = 0; i < REGISTERS; i++)
		changed |= join_value(&f->states[at].regs[i], &s->regs[i]);
	for (int i = 0; i < SLOTS; i++)
		changed |= join_value(&f->states[at].stack[i], &s->stack[i]);
	if (!changed || f->waiting[at])
		return;
	f->waiting[at] = true;
	f->queue[(f->head + f->n_queued++) % f->o->n_insns] = at;
}

static const struct function *function_around(const struct flow *f, size_t insn)
{
	size_t i = 0;

	while (insn < f->o->functions[i].begin || insn >= f->o->functions[i].end)
		if (++i == f->o->n_functions)
			errx(1, "instruction %zu is in no function", insn);
	return &f->o->functions[i];
}

static void complain(struct flow *f, size_t at, const char *text)
{
	const struct function *function = function_around(f, at);

	for (size_t i = 0; i < f->n_complaints; i++)
		if (f->complaints[i].function == function &&
		    strcmp(f->complaints[i].text, text) == 0)
			return;
	f->complaints = reallocarray(f->complaints, f->n_complaints + 1, sizeof(*f->complaints));
	if (!f->complaints)
		err(1, "memory");
	f->complaints[f->n_complaints].function = function;
	snprintf(f->complaints[f->n_complaints++].text, sizeof(f->complaints->text), "%s", text);
}

/* ---- arguments ---- */

static struct value load_argument(struct flow *f, size_t at, __s64 offset)
{
	const struct arguments *a = f->arguments;
	size_t i = (size_t)offset / 8;
	const struct btf_type *t;
	struct value v = { .kind = SCALAR };
	__u32 id;
	char text[160];

	if (!a->known)
		return unknown;
	if (offset < 0 || i >= a->n) {
		snprintf(text, sizeof(text), "reads argument %zu of a prototype of %zu", i, a->n);
		complain(f, at, text);
		return unknown;
	}
	t = btf_bare(f->r->target, a->types[i], &id);
	if (btf_is_ptr(t)) {
		v.kind = OBJECT;
		btf_bare(f->r->target, t->type, &id);
		v.n = id;
	}
	return v;
}

/* A direct load: the verifier lets a field of an argument's own type be read, and nothing else. */
static void check_base(struct flow *f, size_t at, const struct value *base)
{
	const struct bpf_core_relo *relo = &f->o->relos[f->o->insns[at].relo].core;
	const char *given = "a number", *wanted;
	char text[160];

	if (base->kind != OBJECT && base->kind != SCALAR)
		return;
	wanted = btf__name_by_offset(f->r->local,
				     btf__type_by_id(f->r->local, relo->type_id)->name_off);
	if (base->kind == OBJECT) {
		const struct btf_type *t = btf__type_by_id(f->r->target, (__u32)base->n);

		given = t ? btf__name_by_offset(f->r->target, t->name_off) : "void";
		if (strlen(given) == essential_len(wanted) &&
		    strncmp(given, wanted, strlen(given)) == 0)
			return;
	}
	snprintf(text, sizeof(text), "is given %s and takes it for %s", given, wanted);
	complain(f, at, text);
}

/* ---- instructions ---- */

/* The immediate, as libbpf would leave it. */
static struct value immediate(const struct flow *f, size_t at)
{
	const struct instruction *i = &f->o->insns[at];
	const struct resolved *r;

	if (i->relo == NOTHING)
		return constant(i->insn.imm);
	r = &f->resolved[i->relo];
	return r->known ? constant((__s64)r->value) : unknown;
}

static void step_alu(struct flow *f, size_t at, struct state *s)
{
	const struct bpf_insn *i = &f->o->insns[at].insn;
	bool wide = BPF_CLASS(i->code) == BPF_ALU64;
	struct value *to = &s->regs[i->dst_reg], from;
	__u64 n;

	from = BPF_SRC(i->code) == BPF_X ? s->regs[i->src_reg] : immediate(f, at);
	if (BPF_OP(i->code) == BPF_MOV) {
		*to = wide || from.kind == CONSTANT ? from : unknown;
		if (!wide && to->kind == CONSTANT)
			to->n = (__u32)to->n;
	} else if (wide && to->kind == FRAME && from.kind == CONSTANT &&
		   BPF_OP(i->code) == BPF_ADD) {
		to->n += from.n;
	} else if (to->kind == CONSTANT && from.kind == CONSTANT &&
		   alu_compute(BPF_OP(i->code), wide ? (__u64)to->n : (__u32)to->n,
			       wide ? (__u64)from.n : (__u32)from.n, &n)) {
		to->n = wide ? (__s64)n : (__u32)n;
	} else {
		*to = unknown;
	}
}

static struct value *slot(struct state *s, const struct value *base, __s16 offset)
{
	__s64 at = base->n + offset + SLOTS * 8;

	return base->kind == FRAME && at >= 0 && at < SLOTS * 8 ? &s->stack[at / 8] : NULL;
}

static void step_load(struct flow *f, size_t at, struct state *s)
{
	const struct bpf_insn *i = &f->o->insns[at].insn;
	struct value base = s->regs[i->src_reg], *from = slot(s, &base, i->off);

	if (f->o->insns[at].relo != NOTHING)
		check_base(f, at, &base);
	s->regs[i->dst_reg] = unknown;
	if (base.kind == CONTEXT)
		s->regs[i->dst_reg] = load_argument(f, at, i->off);
	else if (from && BPF_SIZE(i->code) == BPF_DW)
		s->regs[i->dst_reg] = *from;
}

static void step_store(const struct bpf_insn *i, struct state *s)
{
	struct value *to = slot(s, &s->regs[i->dst_reg], i->off);

	if (!to)
		return;
	*to = unknown;
	if (BPF_SIZE(i->code) == BPF_DW && BPF_MODE(i->code) == BPF_MEM)
		*to = BPF_CLASS(i->code) == BPF_STX ? s->regs[i->src_reg] : constant(i->imm);
}

/* What a call is given the address of, it may write: from there up to the top of the frame. */
static void forget_passed(struct state *s)
{
	for (int reg = BPF_REG_1; reg <= BPF_REG_5; reg++) {
		struct value *from = slot(s, &s->regs[reg], 0);

		for (struct value *v = from; v && v < s->stack + SLOTS; v++)
			*v = unknown;
	}
}

static void enter(struct flow *f, int function, const struct state *caller, bool with_arguments)
{
	const struct function *callee = &f->o->functions[function];
	struct state s;

	for (int i = 0; i < REGISTERS; i++)
		s.regs[i] = unknown;
	for (int i = 0; i < SLOTS; i++)
		s.stack[i] = unknown;
	for (int i = BPF_REG_1; i <= BPF_REG_5 && with_arguments && !callee->global; i++)
		if (caller->regs[i].kind != FRAME) /* another frame's */
			s.regs[i] = caller->regs[i];
	s.regs[FP] = (struct value){ .kind = FRAME };
	flow_to(f, callee->begin, &s);
}

static void check_helper(struct flow *f, size_t at)
{
	static const char *const names[] = { __BPF_FUNC_MAPPER(HELPER) };
	const struct bpf_insn *i = &f->o->insns[at].insn;
	__u32 id = (__u32)i->imm;
	char text[160];

	if (i->src_reg || id < f->helpers)
		return;
	snprintf(text, sizeof(text), "calls bpf_%s(), which this kernel has not",
		 id < sizeof(names) / sizeof(names[0]) ? names[id] : "?");
	complain(f, at, text);
}

static void step_call(struct flow *f, size_t at, struct state *s)
{
	if (f->o->insns[at].callee != NOTHING)
		enter(f, f->o->insns[at].callee, s, true);
	else
		check_helper(f, at);
	forget_passed(s);
	for (int reg = BPF_REG_0; reg <= BPF_REG_5; reg++)
		s->regs[reg] = unknown;
}

static void step_branch(struct flow *f, size_t at, const struct state *s)
{
	const struct bpf_insn *i = &f->o->insns[at].insn;
	bool narrow = BPF_CLASS(i->code) == BPF_JMP32, jumps = true, stays = true;
	struct value a = s->regs[i->dst_reg], b;

	b = BPF_SRC(i->code) == BPF_X ? s->regs[i->src_reg] : immediate(f, at);
	if (a.kind == CONSTANT && b.kind == CONSTANT) {
		jumps = narrow ? alu_compare(BPF_OP(i->code), (__u32)a.n, (__u32)b.n, (__s32)a.n,
					     (__s32)b.n)
			       : alu_compare(BPF_OP(i->code), (__u64)a.n, (__u64)b.n, a.n, b.n);
		stays = !jumps;
	}
	if (jumps)
		flow_to(f, at + 1 + i->off, s);
	if (stays)
		flow_to(f, at + 1, s);
}

/* Sixteen bytes: a number, the address of a map or variable, or that of a function. */
static size_t step_wide(struct flow *f, size_t at, struct state *s)
{
	const struct instruction *i = &f->o->insns[at];

	s->regs[i->insn.dst_reg] = unknown;
	if (i->callee != NOTHING)
		enter(f, i->callee, s, false);
	else if (i->relo != NOTHING)
		s->regs[i->insn.dst_reg] = immediate(f, at);
	return at + 2;
}

/* One that is there but can't be used ends the path: the verifier goes no further either. */
static bool is_invalid(const struct flow *f, size_t at)
{
	int relo = f->o->insns[at].relo;

	return relo != NOTHING && !f->resolved[relo].usable;
}

static void step(struct flow *f, size_t at)
{
	const struct bpf_insn *i = &f->o->insns[at].insn;
	struct state s = f->states[at];
	size_t next = at + 1;

	if (is_invalid(f, at) || i->code == (BPF_JMP | BPF_EXIT))
		return;
	switch (BPF_CLASS(i->code)) {
	case BPF_ALU:
	case BPF_ALU64:
		step_alu(f, at, &s);
		break;
	case BPF_LDX:
		step_load(f, at, &s);
		break;
	case BPF_ST:
	case BPF_STX:
		step_store(i, &s);
		if (BPF_MODE(i->code) == BPF_ATOMIC) /* may fetch into either */
			s.regs[i->src_reg] = s.regs[BPF_REG_0] = unknown;
		break;
	case BPF_LD:
		next = step_wide(f, at, &s);
		break;
	default:
		if (BPF_OP(i->code) == BPF_JA) {
			next = at + 1 + i->off;
		} else if (BPF_OP(i->code) == BPF_CALL) {
			step_call(f, at, &s);
		} else {
			step_branch(f, at, &s);
			return;
		}
	}
	flow_to(f, next, &s);
}

/* ---- all ---- */

/* The kernel's enum of its helpers ends with their number. */
static __u32 helpers_of(const struct btf *btf)
{
	int id = btf__find_by_name_kind(btf, "bpf_func_id", BTF_KIND_ENUM);
	const struct btf_type *t = btf__type_by_id(btf, id < 0 ? 0 : (__u32)id);

	for (int i = 0; id > 0 && i < btf_vlen(t); i++)
		if (strcmp(btf__name_by_offset(btf, btf_enum(t)[i].name_off),
			   "__BPF_FUNC_MAX_ID") == 0)
			return (__u32)btf_enum(t)[i].val;
	errx(1, "a kernel whose BTF has no bpf_func_id");
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		err(1, "memory");
	return p;
}

struct flow *flow_new(const struct object *object, struct resolver *resolver,
		      const struct resolved *resolved)
{
	struct flow *f = zeroed(1, sizeof(*f));

	f->o = object;
	f->r = resolver;
	f->resolved = resolved;
	f->helpers = helpers_of(resolver->target);
	f->states = zeroed(object->n_insns, sizeof(*f->states));
	f->reached = zeroed(object->n_insns, sizeof(*f->reached));
	f->waiting = zeroed(object->n_insns, sizeof(*f->waiting));
	f->queue = zeroed(object->n_insns, sizeof(*f->queue));
	return f;
}

void flow_free(struct flow *f)
{
	free(f->states);
	free(f->reached);
	free(f->waiting);
	free(f->queue);
	free(f->complaints);
	free(f);
}

void flow_program(struct flow *f, int function, const struct arguments *arguments)
{
	size_t begin = f->o->functions[function].begin, at;

	f->arguments = arguments;
	enter(f, function, NULL, false);
	f->states[begin].regs[BPF_REG_1] = (struct value){ .kind = CONTEXT };
	while (f->n_queued) {
		at = f->queue[f->head];
		f->head = (f->head + 1) % f->o->n_insns;
		f->n_queued--;
		f->waiting[at] = false;
		step(f, at);
	}
}

bool flow_reached(const struct flow *f, size_t insn)
{
	return f->reached[insn];
}

size_t flow_complain(const struct flow *f)
{
	for (size_t i = 0; i < f->n_complaints; i++)
		printf("  %s %s\n", f->complaints[i].function->name, f->complaints[i].text);
	return f->n_complaints;
}
