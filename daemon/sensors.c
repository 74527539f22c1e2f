/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "abilities.h"
#include "grants.h"
#include "hooks.h"
#include "links.h"
#include "log.h"
#include "sensors.h"
#include "sensors_choice.h"
#include "sensors_config.h"
#include "sensors_why.h"
#include "words.h"
#include "sandfault.skel.h"

#define VMLINUX_BTF "/sys/kernel/btf/vmlinux"
#define CPUS_MAX    4096

struct sensors {
	struct fit_kernel kernel;
	struct btf *btf; /* until all is attached: many megabytes */
	struct grants grants;
	struct sensor_ask ask;
	struct sandfault_bpf *skel;
	struct bpf_link *links[SENSORS][SENSOR_PROGRAMS];
	struct sensor_record records[SENSORS + ABILITIES];
	const char *lacks[ABILITIES];
	struct sensors_maps maps;
	struct sensors_knobs knobs;
	uint64_t hooks; /* 1 << enum sf_hook: attached */
};

/* ---- records ---- */

/* The reason stays: by what, and without what. */
static void record_state(struct sensor_record *r, const char *state)
{
	free(r->state);
	r->state = strdup(state);
}

static bool record_off(const struct sensor_record *r)
{
	return r->state && strcmp(r->state, "off") != 0;
}

static int records_init(struct sensors *s, const struct sensors_settings *settings)
{
	for (size_t i = 0; i < SENSORS; i++) {
		struct sensor_record *r = &s->records[i];

		r->name = strdup(sensor_table[i].name);
		r->lost = strdup(sensor_table[i].lost);
		r->optional = sensor_table[i].optional;
		sensor_record_set(r, "off", NULL);
		if (r->optional && sensor_in_list(settings->off, r->name))
			sensor_record_set(r, "disabled", "switched off by no-sensor");
		if (!r->name || !r->lost || !r->state)
			return -ENOMEM;
	}
	for (size_t i = 0; i < ABILITIES; i++) {
		struct sensor_record *r = &s->records[SENSORS + i];

		r->name = strdup(ability_table[i].name);
		r->lost = strdup(ability_table[i].lost);
		r->optional = true;
		sensor_record_set(r, "off", NULL);
		if (!r->name || !r->lost || !r->state)
			return -ENOMEM;
	}
	return 0;
}

/* ---- open and load ---- */

static struct bpf_program *program(struct sensors *s, const char *name)
{
	return bpf_object__find_program_by_name(s->skel->obj, name);
}

/* Marks what fits for loading, and says what does not. */
static void sensor_mark(struct sensors *s, size_t i)
{
	const struct sensor *t = &sensor_table[i];
	struct sensor_record *r = &s->records[i];
	struct sensor_choice choice = { 0 };

	if (!record_off(r)) {
		sensor_choose(&s->ask, t, s->skel->obj, &choice);
		sensor_record_set(r, choice.state ? choice.state : "off",
				  choice.reason[0] ? "%s" : NULL, choice.reason);
	}
	for (size_t j = 0; j < SENSOR_PROGRAMS && t->programs[j]; j++) {
		struct bpf_program *p = program(s, t->programs[j]);

		if (p)
			bpf_program__set_autoload(p, choice.load[j]);
	}
}

/* Switches off what does not fit; -ENOTSUP where a sensor that must be there can't. */
static int sensors_fit(struct sensors *s, char **why)
{
	s->ask = (struct sensor_ask){ .btf = s->btf, .grants = &s->grants };
	for (size_t i = 0; i < SENSORS; i++) {
		const struct sensor *t = &sensor_table[i];
		struct sensor_record *r = &s->records[i];

		if (!record_off(r) && t->tracepoint && !sensor_tracepoint(s->btf, t->tracepoint))
			sensor_record_set(r, "absent", "this kernel has no tracepoint %s",
					  t->tracepoint);
		sensor_mark(s, i);
		if (strcmp(t->name, "capabilities") == 0)
			s->ask.capabilities = !record_off(r);
		if (record_off(r) && !t->optional) {
			sensors_say(why, "sensor %s: %s; a newer kernel is needed (5.10 at least)",
				    t->name, r->reason ? r->reason : r->state);
			return -ENOTSUP;
		}
	}
	return 0;
}

/* Of each pair of maps the one that the programs use on this kernel. */
static void sensors_choose_maps(struct sensors *s, const struct btf *btf)
{
	bool threads = fit_has_member(btf, "task_struct", "bpf_storage");
	bool sockets = fit_has_helper(btf, "get_current_task_btf");

	bpf_map__set_autocreate(s->skel->maps.threads, threads);
	bpf_map__set_autocreate(s->skel->maps.thread_table, !threads);
	bpf_map__set_autocreate(s->skel->maps.connects, sockets);
	bpf_map__set_autocreate(s->skel->maps.connect_table, !sockets);
}

static bool sensor_is_on(const struct sensors *s, const char *name)
{
	for (size_t i = 0; i < SENSORS; i++)
		if (strcmp(s->records[i].name, name) == 0)
			return !record_off(&s->records[i]);
	return false;
}

static int set_entries(struct bpf_map *map, uint32_t entries)
{
	return entries && bpf_map__set_max_entries(map, entries) < 0 ? -EINVAL : 0;
}

static int sensors_configure(struct sensors *s, const struct sensors_settings *settings)
{
	struct sf_config *config = (struct sf_config *)&s->skel->rodata->config;

	sensors_fill_config(config, &s->grants);
	config->budget = settings->budget;
	config->has_fetch = s->kernel.fetch;
	config->victim_is_pid = bpf_program__autoload(s->skel->progs.handle_mark_victim_pid);
	config->channels = sensor_is_on(s, "channels");
	if (set_entries(s->skel->maps.sig_a, settings->signature_entries) < 0 ||
	    set_entries(s->skel->maps.sig_b, settings->signature_entries) < 0 ||
	    set_entries(s->skel->maps.channel, settings->channel_ring) < 0)
		return -EINVAL;
	return 0;
}

/* The optional sensor whose program the verifier refused; NULL: not an optional one's. */
static struct sensor_record *refused_optional(struct sensors *s)
{
	for (size_t i = 0; i < SENSORS; i++)
		for (size_t j = 0; j < SENSOR_PROGRAMS && sensor_table[i].programs[j]; j++)
			if (sensor_table[i].optional &&
			    strcmp(sensor_table[i].programs[j], words_refused()) == 0)
				return &s->records[i];
	return NULL;
}

/* One program speaks for all of its kind: to ask for each would cost a load of everything each. */
static void refuse(struct sensors *s, struct sensor_record *r, int err)
{
	const struct bpf_program *p = program(s, words_refused());
	int grant = p ? grants_needed(bpf_program__section_name(p)) : -1;

	if (grant < 0)
		sensor_record_set(r, "refused", "the kernel refused the program %s: %s",
				  words_refused(), strerror(-err));
	else
		snprintf(s->grants.refused[grant], sizeof(s->grants.refused[grant]),
			 "the kernel refused the program %s: %s", words_refused(), strerror(-err));
}

static void sensors_fds(struct sensors *s)
{
	struct sensors_maps *m = &s->maps;

	m->cgroups = bpf_map__fd(s->skel->maps.cgroups);
	m->scoped = bpf_map__fd(s->skel->maps.scoped);
	m->instances = bpf_map__fd(s->skel->maps.instances);
	m->sig[0] = bpf_map__fd(s->skel->maps.sig_a);
	m->sig[1] = bpf_map__fd(s->skel->maps.sig_b);
	m->sig_slot = bpf_map__fd(s->skel->maps.sig_slot);
	m->coarse[0] = bpf_map__fd(s->skel->maps.coarse_a);
	m->coarse[1] = bpf_map__fd(s->skel->maps.coarse_b);
	m->coarse_slot = bpf_map__fd(s->skel->maps.coarse_slot);
	m->bells = bpf_map__fd(s->skel->maps.bells);
	m->rare = bpf_map__fd(s->skel->maps.rare);
	m->urgent = bpf_map__fd(s->skel->maps.urgent);
	m->channel = bpf_map__fd(s->skel->maps.channel);
	m->watched = bpf_map__fd(s->skel->maps.watched);
	m->watched_cgroups = bpf_map__fd(s->skel->maps.watched_cgroups);
	m->streams = bpf_map__fd(s->skel->maps.streams);
	m->counters = bpf_map__fd(s->skel->maps.counters);
	s->knobs = (struct sensors_knobs){
		.watched_count = &s->skel->bss->watched_count,
		.watched_cgroups_count = &s->skel->bss->watched_cgroups_count,
		.stream_count = &s->skel->bss->stream_count,
		.channel_losses = &s->skel->bss->channel_losses,
		.scoped_count = &s->skel->bss->scoped_count,
		.exec_watch = &s->skel->bss->exec_watch,
		.generation = &s->skel->bss->generation,
	};
}

/* One attempt. -EAGAIN: an optional program was refused, and is off at the next one. */
static int sensors_load(struct sensors *s, const struct sensors_settings *settings, char **why)
{
	struct sensor_record *r;
	int err;

	words_forget();
	s->skel = sandfault_bpf__open();
	if (!s->skel)
		return sensors_load_failed(-errno, why);
	err = sensors_fit(s, why);
	if (err < 0)
		return err;
	sensors_choose_maps(s, s->btf);
	err = sensors_configure(s, settings);
	if (err < 0)
		return sensors_load_failed(err, why);
	err = sandfault_bpf__load(s->skel);
	if (err == 0)
		return 0;
	r = words_refused()[0] && err != -EPERM ? refused_optional(s) : NULL;
	if (!r)
		return sensors_load_failed(err, why);
	refuse(s, r, err);
	sandfault_bpf__destroy(s->skel);
	s->skel = NULL;
	return -EAGAIN;
}

static void sensors_closep(struct sensors **s)
{
	sensors_close(*s);
}

int sensors_open(struct sensors **ret, const struct sensors_settings *settings, char **why)
{
	_cleanup_(sensors_closep) struct sensors *s = calloc(1, sizeof(*s));
	const char *lacks;
	uint32_t off = 0;
	int r;

	if (!s || records_init(s, settings) < 0)
		return -ENOMEM;
	libbpf_set_print(words_keep);
	if (access(VMLINUX_BTF, R_OK) < 0) {
		sensors_say(why,
			    "the kernel has no BTF (%s): a kernel with CONFIG_DEBUG_INFO_BTF=y is "
			    "needed",
			    VMLINUX_BTF);
		return -ENOTSUP;
	}
	s->btf = btf__load_vmlinux_btf();
	if (!s->btf)
		return sensors_load_failed(-errno, why);
	lacks = abilities_floor(s->btf);
	if (lacks) {
		sensors_say(why, "this kernel's BPF has no %s: Linux 5.10 or newer is needed",
			    lacks);
		return -ENOTSUP;
	}
	r = fit_ask(&s->kernel);
	if (r == 0)
		r = fit_programs(s->btf, &s->kernel);
	if (r < 0)
		return sensors_load_failed(r, why);
	for (int i = 0; i < GRANTS; i++)
		off |= (uint32_t)sensor_in_list(settings->off, grant_names[i]) << i;
	r = grants_ask(&s->grants, s->btf, off);
	if (r < 0)
		return r;
	do {
		r = sensors_load(s, settings, why);
	} while (r == -EAGAIN);
	if (r < 0)
		return r;
	for (size_t i = 0; i < ABILITIES; i++)
		s->lacks[i] = ability_table[i].lacks(s->btf, &s->kernel);
	sensors_fds(s);
	*ret = TAKE_PTR(s);
	return 0;
}

/* ---- attach ---- */

/* Not attached: another program calls it. */
static int sensor_put(struct sensors *s, const char *slot, const struct bpf_program *p)
{
	int map = bpf_object__find_map_fd_by_name(s->skel->obj, slot), fd = bpf_program__fd(p);
	uint32_t key = 0;

	return bpf_map_update_elem(map, &key, &fd, BPF_ANY) < 0 ? -errno : 0;
}

static int sensor_attach(struct sensors *s, size_t i)
{
	const struct sensor *t = &sensor_table[i];
	int r = 0;

	for (size_t j = 0; j < SENSOR_PROGRAMS && t->programs[j]; j++) {
		struct bpf_program *p = program(s, t->programs[j]);
		enum sf_hook hook = hook_of_program(t->programs[j]);

		if (!p || !bpf_program__autoload(p))
			continue;
		if (t->slot) {
			r = sensor_put(s, t->slot, p);
			continue;
		}
		if (bpf_program__expected_attach_type(p) == BPF_TRACE_KPROBE_MULTI)
			s->links[i][j] = sensor_attach_many(&s->ask, t, p, &s->hooks);
		else
			s->links[i][j] = bpf_program__attach(p);
		if (!s->links[i][j])
			r = -errno;
		else if (hook)
			s->hooks |= 1ULL << hook;
	}
	return r;
}

static void sensor_detach(struct sensors *s, size_t i)
{
	for (size_t j = SENSOR_PROGRAMS; j-- > 0;) {
		bpf_link__destroy(s->links[i][j]);
		s->links[i][j] = NULL;
	}
}

static void abilities_tell(struct sensors *s)
{
	for (size_t i = 0; i < ABILITIES; i++) {
		struct sensor_record *r = &s->records[SENSORS + i];

		if (s->lacks[i])
			sensor_record_set(r, "reduced", "this kernel's BPF has no %s", s->lacks[i]);
		else
			sensor_record_set(r, "active", NULL);
	}
}

int sensors_attach(struct sensors *s, char **why)
{
	for (size_t i = 0; i < SENSORS; i++) {
		struct sensor_record *rec = &s->records[i];
		int r;

		if (record_off(rec))
			continue;
		r = sensor_attach(s, i);
		if (r == 0) {
			record_state(rec, "active");
			if (strcmp(rec->name, "requests") == 0)
				__atomic_store_n(&s->skel->bss->requests_on, 1, __ATOMIC_SEQ_CST);
			continue;
		}
		sensor_detach(s, i);
		sensor_record_set(rec, "refused", "can't attach: %s", strerror(-r));
		if (rec->optional)
			continue;
		sensors_say(why, "sensor %s: can't attach: %s", rec->name, strerror(-r));
		words_tell();
		return r;
	}
	abilities_tell(s);
	__atomic_store_n(&s->skel->bss->hooks_on, s->hooks, __ATOMIC_SEQ_CST);
	grants_forget(&s->grants);
	btf__free(s->btf);
	s->btf = NULL;
	return 0;
}

/* The links whose end takes long: all that need a grant. */
static void sensors_leave(struct sensors *s)
{
	int fds[SENSORS * SENSOR_PROGRAMS + GRANTS];
	size_t n = 0;

	for (size_t i = 0; i < SENSORS; i++)
		for (size_t j = 0; j < SENSOR_PROGRAMS; j++) {
			struct bpf_link *link = s->links[i][j];
			struct bpf_program *p =
				link ? program(s, sensor_table[i].programs[j]) : NULL;

			if (!p || grants_needed(bpf_program__section_name(p)) < 0)
				continue;
			fds[n++] = bpf_link__fd(link);
			bpf_link__disconnect(link);
		}
	n += grants_take_links(&s->grants, fds + n);
	links_leave(fds, n);
}

void sensors_close(struct sensors *s)
{
	if (!s)
		return;
	if (s->skel)
		sensors_leave(s);
	for (size_t i = SENSORS; i-- > 0;)
		sensor_detach(s, i);
	for (size_t i = 0; i < ARRAY_SIZE(s->records); i++)
		sensor_record_clear(&s->records[i]);
	sandfault_bpf__destroy(s->skel);
	grants_clear(&s->grants);
	btf__free(s->btf);
	free(s);
}

/* ---- what they say ---- */

const struct sensors_maps *sensors_maps(const struct sensors *s)
{
	return &s->maps;
}

const struct sensors_knobs *sensors_knobs(const struct sensors *s)
{
	return &s->knobs;
}

const struct sensor_record *sensors_list(const struct sensors *s, size_t *n)
{
	*n = ARRAY_SIZE(s->records);
	return s->records;
}

int sensors_counters(const struct sensors *s, uint64_t ret[SF_C_MAX])
{
	int cpus = libbpf_num_possible_cpus();
	_cleanup_free_ uint64_t *values = NULL;

	if (cpus < 0 || cpus > CPUS_MAX)
		return cpus < 0 ? cpus : -E2BIG;
	values = calloc((size_t)cpus, sizeof(*values));
	if (!values)
		return -ENOMEM;
	for (uint32_t i = 0; i < SF_C_MAX; i++) {
		ret[i] = 0;
		if (bpf_map_lookup_elem(s->maps.counters, &i, values) < 0)
			return -errno;
		for (int c = 0; c < cpus; c++)
			ret[i] += values[c];
	}
	return 0;
}

bool sensors_share_guard(const struct sensors *s)
{
	return bpf_program__autoload(s->skel->progs.handle_sys_exit_held);
}

uint64_t sensors_recursion_misses(const struct sensors *s)
{
	struct bpf_program *p;
	uint64_t sum = 0;

	bpf_object__for_each_program(p, s->skel->obj)
	{
		struct bpf_prog_info info = { 0 };
		__u32 len = sizeof(info);
		int fd = bpf_program__autoload(p) ? bpf_program__fd(p) : -1;

		if (fd >= 0 && bpf_obj_get_info_by_fd(fd, &info, &len) == 0)
			sum += info.recursion_misses;
	}
	return sum;
}
