/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <string.h>
#include <sys/statvfs.h>
#include <uthash.h>

#include "mounts.h"

struct table {
	uint32_t ns;
	bool dirty;
	uint64_t read_ns; /* when its entries were true */
	uint64_t used;	  /* tick of the last use */
	struct mount_entry *v;
	size_t n, cap;
	struct mount_entry *noted; /* newest last */
	size_t n_noted, cap_noted;
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

static void noted_clear(struct table *t)
{
	for (size_t i = 0; i < t->n_noted; i++)
		free(t->noted[i].point);
	free(t->noted);
	t->noted = NULL;
	t->n_noted = t->cap_noted = 0;
}

static void table_clear(struct table *t)
{
	noted_clear(t);
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

static struct table *table_find(const struct mounts *m, uint32_t ns)
{
	struct table *t;

	HASH_FIND(hh, m->tables, &ns, sizeof(ns), t);
	return t;
}

static struct table *table_make(struct mounts *m, uint32_t ns)
{
	struct table *t = table_find(m, ns), *other, *tmp, *oldest = NULL;

	if (t)
		return t;
	if (HASH_COUNT(m->tables) >= MOUNTS_NAMESPACES) {
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
	t->ns = ns;
	t->dirty = true;
	t->used = ++m->tick;
	HASH_ADD(hh, m->tables, ns, sizeof(t->ns), t);
	return t;
}

void mounts_dirty(struct mounts *m, uint32_t ns)
{
	struct table *t = table_find(m, ns);

	if (t) /* an unknown one is wanted anyway */
		t->dirty = true;
}

bool mounts_wanted(const struct mounts *m, uint32_t ns)
{
	struct table *t = table_find(m, ns);

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
static bool shows_elsewhere(const char *root, const char *point)
{
	size_t n = strlen(root), len = strlen(point);

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
	unescape(field[3]);
	ret->elsewhere = shows_elsewhere(field[3], field[4]);
	return 0;
}

static int table_add(struct table *t, char *line)
{
	struct mount_entry e = { 0 };
	void *v = t->v;
	int r;

	if (line_parse(line, &e) < 0)
		return 0;
	r = util_grow(&v, &t->cap, t->n + 1, sizeof(*t->v));
	t->v = v;
	if (r < 0)
		return r;
	e.point = strdup(e.point);
	if (!e.point)
		return -ENOMEM;
	t->v[t->n++] = e;
	return 0;
}

int mounts_set(struct mounts *m, uint32_t ns, const char *mountinfo, uint64_t at_ns)
{
	_cleanup_free_ char *copy = strdup(mountinfo);
	struct table *t = table_make(m, ns);
	char *save = NULL;
	int r = 0;

	if (!copy || !t)
		return -ENOMEM;
	table_clear(t);
	for (char *l = strtok_r(copy, "\n", &save); l && r == 0 && t->n < MOUNTS_ENTRIES;
	     l = strtok_r(NULL, "\n", &save))
		r = table_add(t, l);
	t->dirty = r < 0;
	t->read_ns = at_ns;
	t->used = ++m->tick;
	return r;
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

/* ---- what was seen since ---- */

static struct mount_entry *noted_at(struct table *t, const char *path, size_t len)
{
	for (size_t i = t->n_noted; i-- > 0;)
		if (t->noted[i].point_len == len && memcmp(t->noted[i].point, path, len) == 0)
			return &t->noted[i];
	return NULL;
}

/* The uppermost mount at exactly that point. */
static struct mount_entry *entry_at(struct table *t, const char *path, size_t len)
{
	struct mount_entry *e = noted_at(t, path, len);

	for (size_t i = t->n; !e && i-- > 0;)
		if (t->v[i].point_len == len && memcmp(t->v[i].point, path, len) == 0)
			e = &t->v[i];
	return e;
}

int mounts_note(struct mounts *m, uint32_t ns, const struct mount_entry *made, uint64_t at_ns)
{
	struct table *t = table_make(m, ns);
	struct mount_entry e = *made, *old;
	void *v;
	int r;

	if (!t)
		return -ENOMEM;
	if (at_ns <= t->read_ns)
		return 0;
	t->dirty = true;
	if (t->n_noted >= MOUNTS_NOTED)
		return 0;
	old = made->remount ? entry_at(t, made->point, made->point_len) : NULL;
	if (old) {
		old->flags = made->flags;
		old->unknown = false;
		return 0;
	}
	v = t->noted;
	r = util_grow(&v, &t->cap_noted, t->n_noted + 1, sizeof(*t->noted));
	t->noted = v;
	if (r < 0)
		return r;
	e.point = strndup(made->point, made->point_len);
	if (!e.point)
		return -ENOMEM;
	t->noted[t->n_noted++] = e;
	return 0;
}

void mounts_unmounted(struct mounts *m, uint32_t ns, const char *path, size_t len, uint64_t at_ns)
{
	struct table *t = table_find(m, ns);
	struct mount_entry *e = NULL;

	if (t && len > 1 && at_ns > t->read_ns) /* "/" may be what a pivot left behind */
		e = noted_at(t, path, len);

	if (!e)
		return;
	free(e->point);
	memmove(e, e + 1, (size_t)(t->noted + t->n_noted - (e + 1)) * sizeof(*e));
	t->n_noted--;
}

/* What lies at or below the new root stays, under its new path. */
static void entries_pivot(struct mount_entry *v, size_t *n, const char *path, size_t len)
{
	size_t kept = 0;

	for (size_t i = 0; i < *n; i++) {
		struct mount_entry *e = &v[i];

		if (e->point_len < len || memcmp(e->point, path, len) != 0 ||
		    (e->point_len > len && e->point[len] != '/')) {
			free(e->point);
			continue;
		}
		memmove(e->point, e->point + len, e->point_len - len + 1);
		e->point_len -= len;
		if (e->point_len == 0) {
			e->point[0] = '/';
			e->point[1] = '\0';
			e->point_len = 1;
		}
		v[kept++] = *e;
	}
	*n = kept;
}

/* pivot_root(".", "."), as its man page has it and launchers do, names no path: what was mounted last
 * was part of the new root, and the uppermost mount around that is the root itself. */
static const struct mount_entry *pivot_target(const struct table *t)
{
	const struct mount_entry *last, *top = NULL;

	if (!t->n_noted)
		return NULL;
	last = &t->noted[t->n_noted - 1];
	for (size_t i = 0; i < t->n_noted; i++) {
		const struct mount_entry *e = &t->noted[i];

		if (e->point_len > 1 && e->point_len < last->point_len &&
		    covers(e, last->point, last->point_len) &&
		    (!top || e->point_len < top->point_len))
			top = e;
	}
	return top;
}

void mounts_pivoted(struct mounts *m, uint32_t ns, const char *path, size_t len, uint64_t at_ns)
{
	struct table *t = table_find(m, ns);
	_cleanup_free_ char *point = NULL;

	if (!t || at_ns <= t->read_ns)
		return;
	t->dirty = true;
	if (len <= 1) {
		const struct mount_entry *top = pivot_target(t);

		point = top ? strndup(top->point, top->point_len) : NULL;
		if (!point) {
			table_clear(t);
			return;
		}
		path = point;
		len = strlen(point);
	}
	entries_pivot(t->v, &t->n, path, len);
	entries_pivot(t->noted, &t->n_noted, path, len);
}

/* A later mount hides earlier ones below its point; a remount changes the one that it names. */
static const struct mount_entry *noted_find(const struct table *t, const struct mount_entry *at,
					    const char *path, size_t len)
{
	for (size_t i = 0; i < t->n_noted; i++) {
		const struct mount_entry *e = &t->noted[i];

		if (covers(e, path, len) && !(e->remount && at && e->point_len < at->point_len))
			at = e;
	}
	return at;
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

const struct mount_entry *mounts_find(struct mounts *m, uint32_t ns, const char *path, size_t len)
{
	struct table *t = table_find(m, ns);
	const struct mount_entry *at;

	if (!t || !len || path[0] != '/')
		return NULL;
	t->used = ++m->tick;
	at = noted_find(t, t->n ? table_cover(t, path, len) : NULL, path, len);
	return at && at->unknown ? NULL : at;
}
