/* SPDX-License-Identifier: GPL-2.0-only */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "hooks.h"
#include "sensors_choice.h"
#include "util.h"

static void add(char *to, size_t size, const char *fmt, ...) _printf_(3, 4);

static void add(char *to, size_t size, const char *fmt, ...)
{
	size_t have = strlen(to);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(to + have, size - have, fmt, ap);
	va_end(ap);
}

/* "fexit/security_file_open" -> "security_file_open" */
static const char *section_function(const char *section)
{
	const char *slash = strchr(section, '/');

	return slash ? slash + 1 : section;
}

#define SYMBOLS_MAX (SENSOR_PROGRAMS * 3)

/* Modules whose own functions name them: these come before the list's answer. Those of Landlock have
 * names that say nothing (hook_file_open), and its domains are known. */
static const struct {
	const char *name;
	enum sf_lsm lsm;
} modules[] = { { "apparmor", SF_LSM_APPARMOR }, { "selinux", SF_LSM_SELINUX } };

struct symbols {
	const char *names[SYMBOLS_MAX];
	uint64_t cookies[SYMBOLS_MAX];
	size_t n;
};

struct weighing {
	const struct sensor_ask *ask;
	const struct sensor *t;
	struct sensor_choice *ret;
	int way[SENSOR_PROGRAMS]; /* grant that a program needs, -1: none */
	const char *refused;	  /* of the last grant that is wanting */
	char lacking[240];
	size_t n;
};

static bool is_wanted(const struct sensor_ask *ask, const struct sensor *t, const char *program)
{
	return !t->fits || t->fits(ask, program);
}

static void weigh(struct weighing *w, const struct bpf_object *obj, size_t i)
{
	const struct grants *grants = w->ask->grants;
	const char *name = w->t->programs[i];
	const struct bpf_program *p = bpf_object__find_program_by_name(obj, name);
	const char *section = p ? bpf_program__section_name(p) : "";
	const char *function = section_function(section);
	int way = grants_needed(section), args = 0;

	w->way[i] = way;
	if (!p || !is_wanted(w->ask, w->t, name))
		return;
	if (way >= 0 && grants->refused[way][0]) {
		w->refused = grants->refused[way];
		return;
	}
	if (way == GRANT_FEXIT || way == GRANT_KPROBE)
		args = grants_function(grants, function);
	if (args < 0) {
		add(w->lacking, sizeof(w->lacking), "%s%s", w->lacking[0] ? ", " : "", function);
		return;
	}
	w->ret->load[i] = true;
	w->n++;
}

/* Of several ways to see the same thing the first is enough. */
static void take_one_way(struct weighing *w)
{
	int best = GRANTS;

	for (size_t i = 0; i < SENSOR_PROGRAMS && w->t->programs[i]; i++)
		if (w->ret->load[i] && w->way[i] < best)
			best = w->way[i];
	for (size_t i = 0; i < SENSOR_PROGRAMS && w->t->programs[i]; i++)
		w->ret->load[i] &= w->way[i] == best;
	if (best >= 0 && best < GRANTS)
		add(w->ret->reason, sizeof(w->ret->reason), "by %s", grant_names[best]);
}

void sensor_choose(const struct sensor_ask *ask, const struct sensor *t,
		   const struct bpf_object *obj, struct sensor_choice *ret)
{
	struct weighing w = { .ask = ask, .t = t, .ret = ret };

	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < SENSOR_PROGRAMS && t->programs[i]; i++)
		weigh(&w, obj, i);
	if (w.n && t->one_way)
		take_one_way(&w);
	if (w.n) {
		if (w.lacking[0])
			add(ret->reason, sizeof(ret->reason), "%swithout %s",
			    ret->reason[0] ? ", " : "", w.lacking);
	} else if (w.refused) {
		ret->state = "refused";
		add(ret->reason, sizeof(ret->reason), "%s", w.refused);
	} else if (w.lacking[0]) {
		ret->state = "absent";
		add(ret->reason, sizeof(ret->reason), "this kernel has no %s", w.lacking);
	} else {
		ret->state = "absent";
		add(ret->reason, sizeof(ret->reason), "this kernel's tracepoints tell too little");
	}
}

static void add_symbol(struct symbols *to, const char *function, uint64_t cookie)
{
	if (!function || to->n == SYMBOLS_MAX)
		return;
	to->names[to->n] = function;
	to->cookies[to->n++] = cookie;
}

struct bpf_link *sensor_attach_many(const struct sensor_ask *ask, const struct sensor *t,
				    const struct bpf_program *p, uint64_t *hooks)
{
	LIBBPF_OPTS(bpf_kprobe_multi_opts, opts, .retprobe = true);
	struct symbols to = { 0 };
	uint64_t mask = 0;
	struct bpf_link *link;

	for (size_t i = 0; i < SENSOR_PROGRAMS && t->programs[i]; i++) {
		unsigned int cookie = hook_cookie(t->programs[i]);
		const char *function = hook_function(cookie);

		enum sf_hook hook = hook_of_program(t->programs[i]);

		if (!cookie || !is_wanted(ask, t, t->programs[i]) ||
		    grants_function(ask->grants, function) == -ENOENT)
			continue;
		add_symbol(&to, function, cookie);
		mask |= 1ULL << hook;
		for (size_t m = 0; hook && m < ARRAY_SIZE(modules); m++)
			add_symbol(&to,
				   grants_module_function(ask->grants, modules[m].name,
							  hook_name(hook)),
				   (uint64_t)modules[m].lsm << 8 | hook);
	}
	opts.syms = to.names;
	opts.cookies = (const __u64 *)to.cookies;
	opts.cnt = to.n;
	link = bpf_program__attach_kprobe_multi_opts(p, NULL, &opts);
	if (link)
		*hooks |= mask & ~1ULL;
	return link;
}
