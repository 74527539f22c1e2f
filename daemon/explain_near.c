/* SPDX-License-Identifier: GPL-2.0-only */
/* Names that are nearly the missing one: by line ends, by Unicode normalization, by case. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unicase.h>
#include <uninorm.h>
#include <unistr.h>

#include "explain_walk.h"

#define ENTRIES_MAX 4096
#define KEY_MAX	    1024

/* How near a name is; the greater the nearer. */
enum nearness { FAR = 0, NEAR_CASE, NEAR_NORMAL, NEAR_CR };

struct key {
	uint8_t data[KEY_MAX];
	size_t len; /* 0: no UTF-8, or too long */
};

static bool is_ascii(const char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s >= 0x80)
			return false;
	return true;
}

/* libunistring answers in our buffer where it fits, else in memory of its own. */
static void key_set(struct key *k, uint8_t *made, size_t len)
{
	k->len = made == k->data ? len : 0;
	if (made != k->data)
		free(made);
}

static void key_normal(struct key *k, const char *name)
{
	const uint8_t *s = (const uint8_t *)name;
	size_t n = strlen(name), len = sizeof(k->data);
	uint8_t *made;

	k->len = 0;
	if (u8_check(s, n))
		return;
	made = u8_normalize(UNINORM_NFC, s, n, k->data, &len);
	key_set(k, made, len);
}

static void key_case(struct key *k, const char *name)
{
	const uint8_t *s = (const uint8_t *)name;
	size_t n = strlen(name), len = sizeof(k->data);
	uint8_t *made;

	k->len = 0;
	if (u8_check(s, n))
		return;
	made = u8_casefold(s, n, NULL, UNINORM_NFC, k->data, &len);
	key_set(k, made, len);
}

static bool key_equal(const struct key *a, const struct key *b)
{
	return a->len && a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* Length without the line end and blanks behind it. */
static size_t trimmed(const char *s)
{
	size_t n = strlen(s);

	while (n > 0 && strchr(" \t\r\n", s[n - 1]))
		n--;
	return n;
}

struct wanted {
	const char *name;
	bool ascii;
	size_t trimmed;
	struct key normal, folded;
};

static enum nearness compare(const struct wanted *w, const char *other)
{
	size_t n = trimmed(other);
	struct key k;

	if (n > 0 && n == w->trimmed && memcmp(w->name, other, n) == 0)
		return NEAR_CR;
	if (w->ascii && is_ascii(other))
		return strcasecmp(w->name, other) == 0 ? NEAR_CASE : FAR;
	key_normal(&k, other);
	if (key_equal(&k, &w->normal))
		return NEAR_NORMAL;
	key_case(&k, other);
	return key_equal(&k, &w->folded) ? NEAR_CASE : FAR;
}

static void scan(DIR *dir, const struct wanted *w, struct explanation *ret)
{
	enum nearness best = FAR;
	struct dirent *d;

	for (int i = 0; i < ENTRIES_MAX && (d = readdir(dir)); i++) {
		enum nearness n;

		if (strcmp(d->d_name, w->name) == 0)
			continue; /* it has come into being since */
		n = compare(w, d->d_name);
		if (n <= best)
			continue;
		best = n;
		snprintf(ret->sibling, sizeof(ret->sibling), "%s", d->d_name);
	}
	ret->sibling_cr = best == NEAR_CR;
	ret->sibling_normal = best == NEAR_NORMAL;
	ret->sibling_case = best == NEAR_CASE;
}

void near_look(int dir_fd, const char *name, struct explanation *ret)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct wanted w = { .name = name, .ascii = is_ascii(name), .trimmed = trimmed(name) };
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir) {
		util_closep(&fd);
		return;
	}
	key_normal(&w.normal, name);
	key_case(&w.folded, name);
	scan(dir, &w, ret);
	closedir(dir);
}
