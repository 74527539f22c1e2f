/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <unistd.h>

#include "fit.h"
#include "grants.h"
#include "util.h"

#define KPROBE_PMU "/sys/bus/event_source/devices/kprobe/type"

/* Seldom called, and of every kernel: the module of capabilities can't be left out. */
#define HARMLESS "cap_settime"

const char *const grant_names[GRANTS] = {
	[GRANT_MULTI] = "kprobe-multi", [GRANT_FEXIT] = "fexit", [GRANT_KPROBE] = "kprobe"
};

/* ---- functions ---- */

/* What programs are put to begins with one of these: to search BTF for each name costs two
 * milliseconds a name. */
static bool is_of_interest(const char *name)
{
	static const char *const beginnings[] = {
		"security_",	"apparmor_",	"selinux_",  "yama_ptrace_",	     "cap_capable",
		"do_filp_open", "do_file_open", "open_exec", "bprm_open_interpreter"
	};

	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static int compare(const void *a, const void *b)
{
	const struct grants_function *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static int functions_collect(struct grants *g, const struct btf *btf)
{
	for (__u32 i = 1; i < btf__type_cnt(btf); i++) {
		const struct btf_type *t = btf__type_by_id(btf, i);
		void *list = g->functions;
		const char *name;
		int r;

		if (!t || !btf_is_func(t))
			continue;
		name = btf__name_by_offset(btf, t->name_off);
		if (!name || !is_of_interest(name))
			continue;
		r = util_grow(&list, &g->cap, g->n + 1, sizeof(*g->functions));
		g->functions = list;
		if (r < 0 || !list)
			return r;
		g->functions[g->n++] =
			(struct grants_function){ name, btf__type_by_id(btf, t->type) };
	}
	if (g->n)
		qsort(g->functions, g->n, sizeof(*g->functions), compare);
	return 0;
}

static const struct grants_function *function_find(const struct grants *g, const char *name)
{
	const struct grants_function key = { .name = name };

	return g->n ? bsearch(&key, g->functions, g->n, sizeof(key), compare) : NULL;
}

const char *grants_module_function(const struct grants *g, const char *module, const char *hook)
{
	const struct grants_function *f;
	char name[96];

	snprintf(name, sizeof(name), "%s_%s", module, hook);
	f = function_find(g, name);
	return f ? f->name : NULL;
}

int grants_function(const struct grants *g, const char *name)
{
	const struct grants_function *f = function_find(g, name);

	if (!f || !f->proto || !btf_is_func_proto(f->proto))
		return -ENOENT;
	for (int i = 0; i < btf_vlen(f->proto); i++) {
		int id = btf__resolve_type(g->btf, btf_params(f->proto)[i].type);
		const struct btf_type *t = id < 0 ? NULL : btf__type_by_id(g->btf, (__u32)id);

		if (!t || (btf_is_composite(t) && !g->by_value))
			return -ENOTSUP;
	}
	return btf_vlen(f->proto);
}

/* ---- grants ---- */

static const struct bpf_insn nothing[] = {
	{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
	{ .code = BPF_JMP | BPF_EXIT },
};

/* A program that does nothing: loaded and attached. The link's descriptor, or -errno. */
static int try_fexit(const struct btf *btf)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_FEXIT);
	_cleanup_close_ int prog = -1;
	int id = btf__find_by_name_kind(btf, HARMLESS, BTF_KIND_FUNC);

	if (id < 0)
		return -ENOENT;
	opts.attach_btf_id = (__u32)id;
	prog = bpf_prog_load(BPF_PROG_TYPE_TRACING, "sf_grant", "GPL", nothing, ARRAY_SIZE(nothing),
			     &opts);
	return prog < 0 ? prog : bpf_raw_tracepoint_open(NULL, prog);
}

static int try_multi(void)
{
	LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_KPROBE_MULTI);
	LIBBPF_OPTS(bpf_link_create_opts, link);
	const char *symbol = HARMLESS;
	_cleanup_close_ int prog = -1;

	prog = bpf_prog_load(BPF_PROG_TYPE_KPROBE, "sf_grant", "GPL", nothing, ARRAY_SIZE(nothing),
			     &opts);
	if (prog < 0)
		return prog;
	link.kprobe_multi.flags = BPF_F_KPROBE_MULTI_RETURN;
	link.kprobe_multi.cnt = 1;
	link.kprobe_multi.syms = &symbol;
	return bpf_link_create(prog, 0, BPF_TRACE_KPROBE_MULTI, &link);
}

static void ask(struct grants *g, enum grant which, int fd, const char *what)
{
	g->links[which] = fd;
	if (fd < 0)
		snprintf(g->refused[which], sizeof(g->refused[which]),
			 "this kernel refuses %s (%s): %s", what, grant_names[which],
			 strerror(-fd));
}

static void grants_init(struct grants *g, const struct btf *btf)
{
	memset(g, 0, sizeof(*g));
	g->btf = btf;
	for (int i = 0; i < GRANTS; i++)
		g->links[i] = -1;
}

int grants_read(struct grants *g, const struct btf *btf)
{
	grants_init(g, btf);
	/* 6.1 has them pass a struct by value, and the model of a function a field for it. */
	g->by_value = fit_has_member(btf, "btf_func_model", "arg_flags");
	return functions_collect(g, btf);
}

static bool grants_any(const struct grants *g)
{
	for (int i = 0; i < GRANTS; i++)
		if (!g->refused[i][0])
			return true;
	return false;
}

int grants_ask(struct grants *g, const struct btf *btf, uint32_t off)
{
	grants_init(g, btf);
	for (int i = 0; i < GRANTS; i++)
		if (off >> i & 1)
			snprintf(g->refused[i], sizeof(g->refused[i]), "%s is switched off",
				 grant_names[i]);
	if (!g->refused[GRANT_FEXIT][0])
		ask(g, GRANT_FEXIT, try_fexit(btf), "programs on functions");
	if (!g->refused[GRANT_MULTI][0])
		ask(g, GRANT_MULTI, try_multi(), "programs on many functions at once");
	if (!g->refused[GRANT_KPROBE][0] && access(KPROBE_PMU, R_OK) < 0)
		snprintf(g->refused[GRANT_KPROBE], sizeof(g->refused[0]),
			 "this kernel has no kprobes (%s)", KPROBE_PMU);
	if (!grants_any(g))
		return 0;
	g->by_value = fit_has_member(btf, "btf_func_model", "arg_flags");
	return functions_collect(g, btf);
}

void grants_forget(struct grants *g)
{
	free(g->functions);
	g->functions = NULL;
	g->n = g->cap = 0;
}

size_t grants_take_links(struct grants *g, int fds[GRANTS])
{
	size_t n = 0;

	for (int i = 0; g->btf && i < GRANTS; i++)
		if (g->links[i] >= 0) {
			fds[n++] = g->links[i];
			g->links[i] = -1;
		}
	return n;
}

void grants_clear(struct grants *g)
{
	for (int i = 0; g->btf && i < GRANTS; i++)
		if (g->links[i] >= 0)
			close(g->links[i]);
	grants_forget(g);
	g->btf = NULL;
}

int grants_needed(const char *section)
{
	if (strcmp(section, "kretprobe.multi") == 0)
		return GRANT_MULTI;
	if (strncmp(section, "fexit/", 6) == 0)
		return GRANT_FEXIT;
	if (strncmp(section, "kprobe/", 7) == 0 || strncmp(section, "kretprobe/", 10) == 0)
		return GRANT_KPROBE;
	return -1;
}
