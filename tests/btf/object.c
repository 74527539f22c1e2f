/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <err.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "object.h"

#define SECTIONS_MAX 256

/* The head of .BTF.ext (Documentation/bpf/btf.rst): offsets count from its end. */
struct btf_ext_head {
	__u16 magic;
	__u8 version, flags;
	__u32 hdr_len;
	__u32 func_info_off, func_info_len;
	__u32 line_info_off, line_info_len;
	__u32 core_relo_off, core_relo_len;
};

struct btf_ext_section {
	__u32 name_off;
	__u32 n;
};

struct reader {
	struct object *o;
	Elf *elf;
	size_t strings;
	Elf_Data *symbols;
	size_t symbol_strings;
	size_t base[SECTIONS_MAX]; /* first instruction of a section that has code */
	bool code[SECTIONS_MAX];
	const char *name[SECTIONS_MAX];
	Elf_Scn *scn[SECTIONS_MAX];
	size_t n;
};

static void *grow(void *array, size_t n, size_t size)
{
	void *p = reallocarray(array, n ? n : 1, size);

	if (!p)
		err(1, "memory");
	return p;
}

static void read_code(struct reader *r, size_t section, Elf_Data *data)
{
	struct object *o = r->o;
	size_t n = data->d_size / sizeof(struct bpf_insn);

	r->code[section] = true;
	r->base[section] = o->n_insns;
	o->insns = grow(o->insns, o->n_insns + n, sizeof(*o->insns));
	for (size_t i = 0; i < n; i++) {
		struct instruction *at = &o->insns[o->n_insns++];

		memcpy(&at->insn, (char *)data->d_buf + i * sizeof(at->insn), sizeof(at->insn));
		at->callee = NOTHING;
		at->relo = NOTHING;
	}
}

static void read_sections(struct reader *r)
{
	for (Elf_Scn *scn = elf_nextscn(r->elf, NULL); scn; scn = elf_nextscn(r->elf, scn)) {
		size_t i = elf_ndxscn(scn);
		GElf_Shdr shdr;

		if (i >= SECTIONS_MAX || !gelf_getshdr(scn, &shdr))
			errx(1, "the object has sections that can't be read");
		r->scn[i] = scn;
		r->name[i] = elf_strptr(r->elf, r->strings, shdr.sh_name);
		if (r->n <= i)
			r->n = i + 1;
		if (shdr.sh_type == SHT_SYMTAB) {
			r->symbols = elf_getdata(scn, NULL);
			r->symbol_strings = shdr.sh_link;
		} else if (shdr.sh_type == SHT_PROGBITS && shdr.sh_flags & SHF_EXECINSTR &&
			   shdr.sh_size) {
			read_code(r, i, elf_getdata(scn, NULL));
		}
	}
	if (!r->symbols || !r->o->n_insns)
		errx(1, "the object has no symbols or no code");
}

static void read_functions(struct reader *r)
{
	struct object *o = r->o;
	GElf_Sym sym;

	for (int i = 0; gelf_getsym(r->symbols, i, &sym); i++) {
		struct function *f;

		if (GELF_ST_TYPE(sym.st_info) != STT_FUNC || sym.st_shndx >= r->n ||
		    !r->code[sym.st_shndx])
			continue;
		o->functions = grow(o->functions, o->n_functions + 1, sizeof(*o->functions));
		f = &o->functions[o->n_functions++];
		f->name = elf_strptr(r->elf, r->symbol_strings, sym.st_name);
		f->section = r->name[sym.st_shndx];
		f->program = strcmp(f->section, ".text") != 0;
		f->global = GELF_ST_BIND(sym.st_info) == STB_GLOBAL;
		f->begin = r->base[sym.st_shndx] + sym.st_value / sizeof(struct bpf_insn);
		f->end = f->begin + sym.st_size / sizeof(struct bpf_insn);
	}
}

static int function_at(const struct object *o, size_t insn)
{
	for (size_t i = 0; i < o->n_functions; i++)
		if (o->functions[i].begin == insn)
			return (int)i;
	return NOTHING;
}

static bool is_call(const struct bpf_insn *insn)
{
	return insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL;
}

/* What an instruction that the linker would patch refers to; maps and variables are of no interest.
 * A symbol of a section leaves the place in it to the instruction. */
static void link_symbol(struct reader *r, size_t at, const GElf_Sym *sym)
{
	struct instruction *i = &r->o->insns[at];
	long place = (long)(sym->st_value / sizeof(struct bpf_insn));

	if (sym->st_shndx >= r->n || !r->code[sym->st_shndx])
		return;
	if (GELF_ST_TYPE(sym->st_info) == STT_SECTION)
		place += is_call(&i->insn) ? i->insn.imm + 1
					   : i->insn.imm / (long)sizeof(struct bpf_insn);
	i->callee = function_at(r->o, r->base[sym->st_shndx] + place);
	if (i->callee == NOTHING)
		errx(1, "instruction %zu calls no function", at);
}

static void read_links(struct reader *r)
{
	for (size_t s = 0; s < r->n; s++) {
		GElf_Shdr shdr;
		GElf_Rel rel;
		GElf_Sym sym;
		Elf_Data *data;

		if (!r->scn[s] || !gelf_getshdr(r->scn[s], &shdr) || shdr.sh_type != SHT_REL ||
		    shdr.sh_info >= r->n || !r->code[shdr.sh_info])
			continue;
		data = elf_getdata(r->scn[s], NULL);
		for (int i = 0; gelf_getrel(data, i, &rel); i++)
			if (gelf_getsym(r->symbols, GELF_R_SYM(rel.r_info), &sym))
				link_symbol(r,
					    r->base[shdr.sh_info] +
						    rel.r_offset / sizeof(struct bpf_insn),
					    &sym);
	}
}

/* Calls within a section have no relocation: their distance is in the instruction. */
static void read_calls(struct reader *r)
{
	for (size_t i = 0; i < r->o->n_insns; i++) {
		struct instruction *at = &r->o->insns[i];

		if (!is_call(&at->insn) || at->callee != NOTHING)
			continue;
		at->callee = function_at(r->o, i + at->insn.imm + 1);
		if (at->callee == NOTHING)
			errx(1, "instruction %zu calls no function", i);
	}
}

static size_t section_base(const struct reader *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->code[i] && strcmp(r->name[i], name) == 0)
			return r->base[i];
	errx(1, "relocations for a section %s without code", name);
}

static void read_relos(struct reader *r, const struct btf_ext *ext)
{
	const struct btf_ext_head *head;
	const char *p, *end;
	struct object *o = r->o;
	__u32 size, ext_size;

	head = btf_ext__get_raw_data(ext, &ext_size);
	if (head->hdr_len < sizeof(*head) || !head->core_relo_len)
		errx(1, "the object has no CO-RE relocations");
	p = (const char *)head + head->hdr_len + head->core_relo_off;
	end = p + head->core_relo_len;
	memcpy(&size, p, sizeof(size));
	p += sizeof(size);
	while (p < end) {
		const struct btf_ext_section *s = (const void *)p;
		size_t base = section_base(r, btf__name_by_offset(o->btf, s->name_off));

		p += sizeof(*s);
		o->relos = grow(o->relos, o->n_relos + s->n, sizeof(*o->relos));
		for (__u32 i = 0; i < s->n; i++, p += size) {
			struct relo *relo = &o->relos[o->n_relos];

			memcpy(&relo->core, p, sizeof(relo->core));
			relo->at = base + relo->core.insn_off / sizeof(struct bpf_insn);
			o->insns[relo->at].relo = (int)o->n_relos++;
		}
	}
}

struct object *object_read(const char *path)
{
	struct reader r = { .o = calloc(1, sizeof(*r.o)) };
	struct btf_ext *ext = NULL;
	int fd;

	if (!r.o)
		err(1, "memory");
	elf_version(EV_CURRENT);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	r.elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!r.elf || elf_getshdrstrndx(r.elf, &r.strings))
		errx(1, "%s is no object file", path);
	r.o->btf = btf__parse_elf(path, &ext);
	if (!r.o->btf || !ext)
		errx(1, "%s has no BTF", path);
	read_sections(&r);
	read_functions(&r);
	read_links(&r);
	read_calls(&r);
	read_relos(&r, ext);
	btf_ext__free(ext);
	close(fd);
	return r.o; /* its names lie in the ELF data, which stays */
}
