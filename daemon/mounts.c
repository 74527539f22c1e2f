/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <uthash.h>

#include "mounts.h"

struct table {
	uint64_t key;
	bool dirty;    /* or not whole yet */
	uint64_t used; /* tick of the last use */
	struct mount_entry *v;
	size_t n, cap;
	UT_hash_handle hh;
};

struct mounts {
	struct table *tables;
	uint64_t tick;
};

int mounts_new(struct mounts **ret)
{
	struct mounts *m = calloc(1, sizeof(*m));

	if (!m)
		return -ENOMEM;
	*ret = m;
	return 0;
}

static void table_clear(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->v[i].point);
	free(t->v);
	t->v = NULL;
	t->n = t->cap = 0;
}

static void table_drop(struct mounts *m, struct table *t)
{
	HASH_DEL(m->tables, t);
	table_clear(t);
	free(t);
}

void mounts_free(struct mounts *m)
{
	struct table *t, *tmp;

	if (!m)
		return;
	HASH_ITER(hh, m->tables, t, tmp)
	{
		table_drop(m, t);
	}
	free(m);
}

static struct table *table_find(const struct mounts *m, uint64_t key)
{
	struct table *t;

	HASH_FIND(hh, m->tables, &key, sizeof(key), t);
	return t;
}

static struct table *table_make(struct mounts *m, uint64_t key)
{
	struct table *t = table_find(m, key), *other, *tmp, *oldest = NULL;

	if (t)
		return t;
	if (HASH_COUNT(m->tables) >= MOUNTS_TABLES) {
		HASH_ITER(hh, m->tables, other, tmp)
		{
			if (!oldest || other->used < oldest->used)
				oldest = other;
		}
		table_drop(m, oldest);
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	t->key = key;
	t->dirty = true;
	t->used = ++m->tick;
	HASH_ADD(hh, m->tables, key, sizeof(t->key), t);
	return t;
}

void mounts_dirty(struct mounts *m, uint64_t key)
{
	struct table *t = table_find(m, key);

	if (t) /* an unknown one is wanted anyway */
		t->dirty = true;
}

bool mounts_wanted(const struct mounts *m, uint64_t key)
{
	struct table *t = table_find(m, key);

	return !t || t->dirty;
}

/* ---- mountinfo: proc(5), "36 35 98:0 /root /point rw,noatime master:1 - ext3 source rw" ---- */

/* Space, tab, newline and backslash stand as \ooo. In place; returns the length. */
static size_t unescape(char *s)
{
	char *out = s, *p = s;

	while (*p) {
		if (p[0] == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
		    p[3] >= '0' && p[3] <= '7') {
			*out++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 4;
		} else {
			*out++ = *p++;
		}
	}
	*out = '\0';
	return (size_t)(out - s);
}

static uint32_t options_flags(char *options)
{
	static const struct {
		const char *name;
		uint32_t flag;
	} known[] = {
		{ "ro", ST_RDONLY },
		{ "nosuid", ST_NOSUID },
		{ "nodev", ST_NODEV },
		{ "noexec", ST_NOEXEC },
	};
	char *save = NULL;
	uint32_t flags = 0;

	for (char *o = strtok_r(options, ",", &save); o; o = strtok_r(NULL, ",", &save))
		for (size_t i = 0; i < ARRAY_SIZE(known); i++)
			if (strcmp(o, known[i].name) == 0)
				flags |= known[i].flag;
	return flags;
}

/* Of a superblock only "ro" is one of ours: the rest belongs to the mount. */
static uint32_t super_flags(char *options)
{
	return options_flags(options) & ST_RDONLY;
}

/* Does a mount show at `point` what would be there without it as well, as the bind of a path onto
 * itself does? Its root is then the end of that path: the file system may begin further down. */
static bool shows_elsewhere(const char *root, size_t n, const char *point, size_t len)
{
	return n > len || memcmp(point + len - n, root, n) != 0;
}

/* Splits a line; 0, or -EINVAL. */
static int line_parse(char *line, struct mount_entry *ret)
{
	char *field[6], *save = NULL, *rest, *type, *super;

	for (size_t i = 0; i < ARRAY_SIZE(field); i++) {
		field[i] = strtok_r(i ? NULL : line, " ", &save);
		if (!field[i])
			return -EINVAL;
	}
	do {
		rest = strtok_r(NULL, " ", &save);
	} while (rest && strcmp(rest, "-") != 0); /* optional fields end with a lone dash */
	type = strtok_r(NULL, " ", &save);
	if (!rest || !type || field[4][0] != '/')
		return -EINVAL;
	strtok_r(NULL, " ", &save); /* the source; it may be absent */
	super = strtok_r(NULL, " ", &save);
	ret->id = atoi(field[0]);
	ret->parent = atoi(field[1]);
	ret->flags = options_flags(field[5]) | (super ? super_flags(super) : 0);
	snprintf(ret->type, sizeof(ret->type), "%s", type);
	ret->point_len = unescape(field[4]);
	ret->point = field[4];
	ret->elsewhere = shows_elsewhere(field[3], unescape(field[3]), field[4], ret->point_len);
	return 0;
}

/* Takes a copy. */
static int table_add(struct table *t, const struct mount_entry *e)
{
	void *v = t->v;
	char *point;
	int r;

	if (t->n >= MOUNTS_ENTRIES)
		return 0;
	r = util_grow(&v, &t->cap, t->n + 1, sizeof(*t->v));
	t->v = v;
	if (r < 0)
		return r;
	point = strndup(e->point, e->point_len);
	if (!point)
		return -ENOMEM;
	t->v[t->n] = *e;
	t->v[t->n++].point = point;
	return 0;
}

int mounts_set(struct mounts *m, uint64_t key, const char *mountinfo)
{
	_cleanup_free_ char *copy = strdup(mountinfo);
	struct table *t = table_make(m, key);
	char *save = NULL;
	int r = 0;

	if (!copy || !t)
		return -ENOMEM;
	table_clear(t);
	for (char *l = strtok_r(copy, "\n", &save); l && r == 0; l = strtok_r(NULL, "\n", &save)) {
		struct mount_entry e = { 0 };

		if (line_parse(l, &e) == 0)
			r = table_add(t, &e);
	}
	t->dirty = r < 0;
	t->used = ++m->tick;
	return r;
}

int mounts_add(struct mounts *m, uint64_t key, const struct mount_entry *sent, const char *root,
	       size_t root_len)
{
	struct mount_entry e = *sent;
	struct table *t = table_make(m, key);

	if (!t)
		return -ENOMEM;
	e.elsewhere = shows_elsewhere(root, root_len, e.point, e.point_len);
	return table_add(t, &e);
}

void mounts_end(struct mounts *m, uint64_t key, size_t sent)
{
	struct table *t = table_find(m, key);

	if (t)
		t->dirty = t->n != sent;
}

/* ---- look-up ---- */

static bool covers(const struct mount_entry *e, const char *path, size_t len)
{
	if (e->point_len == 1) /* "/" */
		return true;
	return len >= e->point_len && memcmp(path, e->point, e->point_len) == 0 &&
	       (len == e->point_len || path[e->point_len] == '/');
}

/* The one that nothing lies under: its parent is outside of the table, or itself. */
static const struct mount_entry *table_root(const struct table *t)
{
	const struct mount_entry *root = NULL;

	for (size_t i = 0; i < t->n; i++) {
		bool inside = false;

		if (t->v[i].point_len != 1)
			continue;
		for (size_t j = 0; j < t->n && !inside; j++)
			inside = j != i && t->v[j].id == t->v[i].parent;
		if (!inside)
			return &t->v[i];
		root = &t->v[i];
	}
	return root;
}

/* As the kernel walks: from a mount to the nearest mount on it that the path goes through. */
static const struct mount_entry *table_step(const struct table *t, const struct mount_entry *at,
					    const char *path, size_t len)
{
	const struct mount_entry *best = NULL;

	for (size_t i = 0; i < t->n; i++) {
		const struct mount_entry *e = &t->v[i];

		if (e == at || e->parent != at->id || e->point_len < at->point_len ||
		    !covers(e, path, len))
			continue;
		if (!best || e->point_len < best->point_len)
			best = e;
	}
	return best;
}

static const struct mount_entry *table_cover(const struct table *t, const char *path, size_t len)
{
	const struct mount_entry *at = table_root(t), *next;

	for (size_t steps = 0; at && steps < t->n;
	     steps++) { /* malformed parents may form a ring */
		next = table_step(t, at, path, len);
		if (!next)
			break;
		at = next;
	}
	return at;
}

const struct mount_entry *mounts_find(struct mounts *m, uint64_t key, const char *path, size_t len)
{
	struct table *t = table_find(m, key);

	if (!t || !len || path[0] != '/')
		return NULL;
	t->used = ++m->tick;
	return table_cover(t, path, len);
}
