/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A syscall with its decisive argument in the kernel's spelling. One row a syscall says where
 * that argument lies and how it is spelt.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "names_table.h"
#include "names_values.h"

#define CLONE_NEW                                                                                  \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER |             \
	 CLONE_NEWPID | CLONE_NEWNET)

struct out {
	char *buf;
	size_t size, len;
};

static void add(struct out *o, const char *fmt, ...) _printf_(2, 3);
static void add(struct out *o, const char *fmt, ...)
{
	va_list ap;
	int n;

	if (o->len >= o->size)
		return;
	va_start(ap, fmt);
	n = vsnprintf(o->buf + o->len, o->size - o->len, fmt, ap);
	va_end(ap);
	if (n > 0)
		o->len += (size_t)n;
}

static const char *find(const struct names_list *l, uint64_t value)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->values[i].value == value)
			return l->values[i].name;
	return NULL;
}

/* A name of a list, else the number. */
static void add_value(struct out *o, const struct names_list *l, uint64_t value)
{
	const char *name = find(l, value);

	if (name)
		add(o, " %s", name);
	else if (value < 10000)
		add(o, " %u", (unsigned int)value);
	else
		add(o, " 0x%llx", (unsigned long long)value);
}

/* Names joined by |, what has none as a number behind them. Nothing where no bit is set. */
static void add_bits(struct out *o, const struct names_list *l, uint64_t value)
{
	const char *sep = " ";

	for (size_t i = 0; i < l->count; i++) {
		if (!l->values[i].value || (value & l->values[i].value) != l->values[i].value)
			continue;
		add(o, "%s%s", sep, l->values[i].name);
		value &= ~l->values[i].value;
		sep = "|";
	}
	if (value)
		add(o, "%s0x%llx", sep, (unsigned long long)value);
}

static void add_clone(struct out *o, const struct names_list *l, uint64_t value)
{
	add_bits(o, l, value & CLONE_NEW);
}

static void add_setns(struct out *o, const struct names_list *l, uint64_t value)
{
	add_bits(o, l, value);
}

static void add_personality(struct out *o, const struct names_list *l, uint64_t value)
{
	if (value != 0xffffffff) /* only asks */
		add_bits(o, l, value & ~0xffULL);
}

static void add_signal(struct out *o, const struct names_list *l, uint64_t value)
{
	if (value == 0)
		add(o, " 0");
	else
		add(o, " %s", names_signal((int)value));
}

static void add_file_type(struct out *o, const struct names_list *l, uint64_t value)
{
	const char *name = find(l, value & S_IFMT);

	add(o, " %s", name ? name : "S_IFREG"); /* mknod(2): zero is a regular file */
}

static void add_id(struct out *o, const struct names_list *l, uint64_t value)
{
	/* -1 leaves an id as it is; every other id is unsigned. */
	if ((uint32_t)value == UINT32_MAX)
		add(o, " -1");
	else
		add(o, " %u", (uint32_t)value);
}

typedef void (*spell_fn)(struct out *o, const struct names_list *l, uint64_t value);

struct decisive {
	const char *syscall;
	uint8_t arg;
	uint8_t more; /* further arguments behind it, joined by ':' (ids) */
	spell_fn spell;
	const struct names_list *list;
};

static const struct decisive decisives[] = {
	{ "socket", 0, 0, add_value, &names_families },
	{ "socketpair", 0, 0, add_value, &names_families },
	{ "socketcall", 0, 0, add_value, &names_socketcalls },
	{ "clone", 0, 0, add_clone, &names_clone_flags },
	{ "unshare", 0, 0, add_bits, &names_clone_flags },
	{ "setns", 1, 0, add_setns, &names_clone_flags },
	{ "prctl", 0, 0, add_value, &names_prctls },
	{ "arch_prctl", 0, 0, add_value, &names_arch_prctls },
	{ "ioctl", 1, 0, add_value, &names_ioctls },
	{ "fcntl", 1, 0, add_value, &names_fcntls },
	{ "fcntl64", 1, 0, add_value, &names_fcntls },
	{ "ptrace", 0, 0, add_value, &names_ptraces },
	{ "personality", 0, 0, add_personality, &names_personalities },
	{ "seccomp", 0, 0, add_value, &names_seccomps },
	{ "bpf", 0, 0, add_value, &names_bpfs },
	{ "keyctl", 0, 0, add_value, &names_keyctls },
	{ "setrlimit", 0, 0, add_value, &names_rlimits },
	{ "prlimit64", 1, 0, add_value, &names_rlimits },
	{ "sched_setscheduler", 1, 0, add_value, &names_policies },
	{ "kill", 1, 0, add_signal, NULL },
	{ "tkill", 1, 0, add_signal, NULL },
	{ "tgkill", 2, 0, add_signal, NULL },
	{ "rt_sigqueueinfo", 1, 0, add_signal, NULL },
	{ "rt_tgsigqueueinfo", 2, 0, add_signal, NULL },
	{ "pidfd_send_signal", 1, 0, add_signal, NULL },
	{ "mknod", 1, 0, add_file_type, &names_file_types },
	{ "mknodat", 2, 0, add_file_type, &names_file_types },
	{ "chown", 1, 1, add_id, NULL },
	{ "lchown", 1, 1, add_id, NULL },
	{ "fchown", 1, 1, add_id, NULL },
	{ "chown32", 1, 1, add_id, NULL },
	{ "lchown32", 1, 1, add_id, NULL },
	{ "fchown32", 1, 1, add_id, NULL },
	{ "fchownat", 2, 1, add_id, NULL },
	{ "setuid", 0, 0, add_id, NULL },
	{ "setgid", 0, 0, add_id, NULL },
	{ "setreuid", 0, 1, add_id, NULL },
	{ "setregid", 0, 1, add_id, NULL },
	{ "setresuid", 0, 2, add_id, NULL },
	{ "setresgid", 0, 2, add_id, NULL },
	{ "setuid32", 0, 0, add_id, NULL },
	{ "setgid32", 0, 0, add_id, NULL },
	{ "setreuid32", 0, 1, add_id, NULL },
	{ "setregid32", 0, 1, add_id, NULL },
	{ "setresuid32", 0, 2, add_id, NULL },
	{ "setresgid32", 0, 2, add_id, NULL },
};

void names_decisive(const char *syscall_name, const uint64_t args[6], char *buf, size_t size)
{
	struct out o = { .buf = buf, .size = size };

	if (size)
		buf[0] = '\0';
	add(&o, "%s", syscall_name);
	for (size_t i = 0; i < ARRAY_SIZE(decisives); i++) {
		const struct decisive *d = &decisives[i];

		if (strcmp(d->syscall, syscall_name) != 0)
			continue;
		for (int n = 0; n <= d->more; n++) {
			size_t joint = o.len;

			d->spell(&o, d->list, (uint32_t)args[d->arg + n]);
			if (n > 0 && joint < size && buf[joint] == ' ')
				buf[joint] = ':';
		}
		return;
	}
}

const char *names_family(unsigned int family)
{
	return find(&names_families, family);
}
