/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <pthread.h>
#include <seccomp.h>
#include <string.h>

#include "names_table.h"

#define ABIS	 3
#define NR_NAMED 600 /* x32 has numbers of its own from 512 on */
#define X32_BIT	 0x40000000

static const char *nr_names[ABIS][NR_NAMED];
static const struct names_row **by_name; /* the table, sorted; for the life of the process */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uint32_t compat_arch(void)
{
	switch (seccomp_arch_native()) {
	case SCMP_ARCH_X86_64:
		return SCMP_ARCH_X86;
	case SCMP_ARCH_AARCH64:
		return SCMP_ARCH_ARM;
	default:
		return 0;
	}
}

static int compare_rows(const void *a, const void *b)
{
	const struct names_row *const *x = a, *const *y = b;

	return strcmp((*x)->name, (*y)->name);
}

static int compare_key(const void *key, const void *b)
{
	const struct names_row *const *y = b;

	return strcmp(key, (*y)->name);
}

/* Asks by number: by name libseccomp answers with the multiplexer's pseudo numbers for the
 * sockets of i386, which have had numbers of their own since Linux 4.3. */
static void name_abi(int abi, uint32_t arch, int base)
{
	for (int nr = 0; nr < NR_NAMED; nr++)
		nr_names[abi][nr] = seccomp_syscall_resolve_num_arch(arch, nr + base);
	for (size_t i = 0; i < names_young_count; i++)
		if (!nr_names[abi][names_young[i].nr])
			nr_names[abi][names_young[i].nr] = names_young[i].name;
}

static void names_init(void)
{
	uint32_t native = seccomp_arch_native(), compat = compat_arch();

	name_abi(SF_ABI_NATIVE, native, 0);
	if (compat)
		name_abi(SF_ABI_COMPAT, compat, 0);
	if (native == SCMP_ARCH_X86_64)
		name_abi(SF_ABI_X32, SCMP_ARCH_X32, X32_BIT);
	by_name = calloc(names_rows_count, sizeof(*by_name));
	if (!by_name)
		abort(); /* 3 KiB at the start of the program */
	for (size_t i = 0; i < names_rows_count; i++)
		by_name[i] = &names_rows[i];
	qsort(by_name, names_rows_count, sizeof(*by_name), compare_rows);
}

static const struct names_row *find_row(const char *name)
{
	const struct names_row *const *row;

	pthread_once(&once, names_init);
	row = bsearch(name, by_name, names_rows_count, sizeof(*by_name), compare_key);
	return row ? *row : NULL;
}

/* The x86 rows differ in mmap, but arm has no compat mmap of its own: one table serves both. */
static const struct names_row *find_row_compat(const char *name)
{
	for (size_t i = 0; i < names_rows_compat_count; i++)
		if (strcmp(names_rows_compat[i].name, name) == 0)
			return &names_rows_compat[i];
	return find_row(name);
}

static void undescribed(struct sf_sys *sys)
{
	memset(sys, 0, sizeof(*sys));
	sys->dirfd_arg = 0xff;
	sys->flags_arg = 0xff;
}

void names_fill_config(struct sf_config *config)
{
	pthread_once(&once, names_init);
	for (int abi = 0; abi < 2; abi++) {
		for (int nr = 0; nr < SF_NR_MAX; nr++) {
			const char *name = nr_names[abi][nr];
			const struct names_row *row = NULL;

			if (name)
				row = abi ? find_row_compat(name) : find_row(name);
			if (row)
				config->sys[abi][nr] = row->sys;
			else
				undescribed(&config->sys[abi][nr]);
		}
	}
	config->nr_landlock_restrict_self = (__u32)names_syscall_nr("landlock_restrict_self");
	config->nr_prctl = (__u32)names_syscall_nr("prctl");
	config->nr_execve = (__u32)names_syscall_nr("execve");
	config->nr_execveat = (__u32)names_syscall_nr("execveat");
	config->nr_openat = (__u32)names_syscall_nr("openat");
	for (unsigned int op = 0; op < SF_REQUESTS; op++) {
		const char *name = names_request(op);
		int nr = name ? names_syscall_nr(name) : -1;

		config->request_nr[op] = nr < 0 ? 0xffff : (__u16)nr;
	}
}

const char *names_syscall(int abi, int nr, char *buf, size_t size)
{
	pthread_once(&once, names_init);
	if (abi >= 0 && abi < ABIS && nr >= 0 && nr < NR_NAMED && nr_names[abi][nr])
		return nr_names[abi][nr];
	snprintf(buf, size, "syscall_%d", nr);
	return buf;
}

int names_syscall_nr(const char *name)
{
	pthread_once(&once, names_init);
	for (int nr = 0; nr < NR_NAMED; nr++)
		if (nr_names[SF_ABI_NATIVE][nr] && strcmp(nr_names[SF_ABI_NATIVE][nr], name) == 0)
			return nr;
	return -1;
}

uint32_t names_class(const char *syscall_name)
{
	const struct names_row *row = find_row(syscall_name);

	return row ? row->class : 0;
}

const struct sf_sys *names_describe(const char *syscall_name)
{
	const struct names_row *row = find_row(syscall_name);

	return row ? &row->sys : NULL;
}

size_t names_count(void)
{
	return names_rows_count;
}

const char *names_at(size_t i)
{
	return i < names_rows_count ? names_rows[i].name : NULL;
}
