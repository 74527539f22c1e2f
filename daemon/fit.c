/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "fit.h"
#include "util.h"

#define INSN(c, d, s, o, i)                                                                        \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

#define MOV0	INSN(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, 0)
#define RET	INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define NOTHING INSN(BPF_JMP | BPF_JA, 0, 0, 0, 0)
#define LOAD64	(BPF_LD | BPF_DW | BPF_IMM)

/* ---- the kernel's instruction set ---- */

static int ask(const struct bpf_insn *insns, size_t n, bool *ret)
{
	int fd = bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, NULL, "GPL", insns, n, NULL);

	if (fd == -EPERM)
		return fd;
	*ret = fd >= 0;
	if (fd >= 0)
		close(fd);
	return 0;
}

int fit_ask(struct fit_kernel *ret)
{
	const struct bpf_insn fetch[] = {
		MOV0,
		INSN(BPF_STX | BPF_MEM | BPF_DW, BPF_REG_10, BPF_REG_0, -8, 0),
		INSN(BPF_STX | BPF_ATOMIC | BPF_DW, BPF_REG_10, BPF_REG_0, -8, BPF_ADD | BPF_FETCH),
		MOV0,
		RET,
	};
	/* In a branch that is not taken, as in our programs: taken, it would need a BTF. */
	const struct bpf_insn callback[] = {
		MOV0,
		INSN(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_0, 0, 2, 0),
		INSN(LOAD64, BPF_REG_1, BPF_PSEUDO_FUNC, 0, 3),
		INSN(0, 0, 0, 0, 0),
		MOV0,
		RET,
		MOV0,
		RET,
	};
	int r = ask(fetch, ARRAY_SIZE(fetch), &ret->fetch);

	return r < 0 ? r : ask(callback, ARRAY_SIZE(callback), &ret->callbacks);
}

/* ---- replacing ---- */

static bool is_fetch(const struct bpf_insn *i)
{
	return BPF_CLASS(i->code) == BPF_STX && BPF_MODE(i->code) == BPF_ATOMIC &&
	       i->imm != BPF_ADD;
}

/*
 * The address of a function becomes a call of it: what nobody can reach is refused too, and so is a
 * function that the BTF of the program lists and no instruction names. The distance is counted
 * alike in both.
 */
static void call_instead(struct bpf_insn *i)
{
	i[0] = INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_CALL, 0, i[0].imm);
	i[1] = NOTHING;
}

size_t fit_instructions(struct bpf_insn *insns, size_t n, const struct fit_kernel *kernel)
{
	size_t replaced = 0;

	for (size_t i = 0; i < n; i++) {
		bool wide = insns[i].code == LOAD64;

		if (is_fetch(&insns[i]) && !kernel->fetch) {
			insns[i] = NOTHING;
			replaced++;
		} else if (wide && i + 1 < n && insns[i].src_reg == BPF_PSEUDO_FUNC &&
			   !kernel->callbacks) {
			call_instead(&insns[i]);
			replaced += 2;
		}
		i += wide; /* the other half of it is no instruction of its own */
	}
	return replaced;
}

/* ---- as libbpf loads ---- */

static struct {
	struct fit_kernel kernel;
	const struct btf *btf;
} fit;

/* Our handlers stand in place of libbpf's, which would have found the target. */
struct fit_section {
	const char *name;
	enum bpf_prog_type type;
	enum bpf_attach_type attach;
	const char *prefix; /* of the target's name in the kernel's BTF */
	__u32 kind;
};

static const struct fit_section sections[] = {
	{ "tp_btf+", BPF_PROG_TYPE_TRACING, BPF_TRACE_RAW_TP, "btf_trace_", BTF_KIND_TYPEDEF },
	{ "fentry+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, "", BTF_KIND_FUNC },
	{ "fexit+", BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, "", BTF_KIND_FUNC },
	{ "lsm+", BPF_PROG_TYPE_LSM, BPF_LSM_MAC, "bpf_lsm_", BTF_KIND_FUNC },
};

static int prepare_target(struct bpf_program *p, const struct fit_section *section, __u32 *ret)
{
	const char *target = strchr(bpf_program__section_name(p), '/');
	char name[128];
	int id;

	if (!target)
		return -EINVAL;
	snprintf(name, sizeof(name), "%s%s", section->prefix, target + 1);
	id = btf__find_by_name_kind(fit.btf, name, section->kind);
	if (id < 0)
		return id;
	*ret = (__u32)id;
	return 0;
}

/* Called by libbpf with the instructions complete: relocated, the functions they call appended. */
static int prepare(struct bpf_program *p, struct bpf_prog_load_opts *opts, long cookie)
{
	size_t n = bpf_program__insn_cnt(p), size = n * sizeof(struct bpf_insn);
	_cleanup_free_ struct bpf_insn *insns = malloc(size);

	if (!insns)
		return -ENOMEM;
	memcpy(insns, bpf_program__insns(p), size);
	if (fit_instructions(insns, n, &fit.kernel) > 0 && bpf_program__set_insns(p, insns, n) < 0)
		return -ENOMEM;
	return prepare_target(p, &sections[cookie], &opts->attach_btf_id);
}

static int attach(const struct bpf_program *p, long cookie, struct bpf_link **link)
{
	*link = bpf_program__attach_trace(p);
	return *link ? 0 : -errno;
}

int fit_programs(const struct btf *btf, const struct fit_kernel *kernel)
{
	static bool registered;

	fit.kernel = *kernel;
	fit.btf = btf;
	if (registered || (kernel->fetch && kernel->callbacks))
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		LIBBPF_OPTS(libbpf_prog_handler_opts, opts, .cookie = (long)i,
			    .prog_prepare_load_fn = prepare, .prog_attach_fn = attach);
		int r = libbpf_register_prog_handler(sections[i].name, sections[i].type,
						     sections[i].attach, &opts);

		if (r < 0)
			return r;
	}
	registered = true;
	return 0;
}

/* ---- questions to BTF ---- */

bool fit_has_helper(const struct btf *btf, const char *name)
{
	int id = btf__find_by_name_kind(btf, "bpf_func_id", BTF_KIND_ENUM);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(btf, (__u32)id);
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "BPF_FUNC_%s", name);
	for (int i = 0; t && i < btf_vlen(t); i++)
		if (strcmp(btf__name_by_offset(btf, btf_enum(t)[i].name_off), wanted) == 0)
			return true;
	return false;
}

bool fit_has_member(const struct btf *btf, const char *type, const char *member)
{
	int id = btf__find_by_name_kind(btf, type, BTF_KIND_STRUCT);
	const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(btf, (__u32)id);

	for (int i = 0; t && i < btf_vlen(t); i++)
		if (strcmp(btf__name_by_offset(btf, btf_members(t)[i].name_off), member) == 0)
			return true;
	return false;
}
