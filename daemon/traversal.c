/* SPDX-License-Identifier: GPL-2.0-only */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "traversal.h"

/* Programs and libraries, which links of build tools and environments lead to. */
static const char *const system_trees[] = { "/usr",  "/lib", "/lib64", "/bin",
					    "/sbin", "/nix", "/gnu",   "/snap" };

static bool below(const char *path, const char *tree)
{
	size_t n = strlen(tree);

	if (n == 1) /* the root */
		return true;
	return strncmp(path, tree, n) == 0 && (path[n] == '/' || !path[n]);
}

/* The best known kind of tree alone counts. */
static enum disk_root_kind tree_kind(const struct disk_answer *a)
{
	enum disk_root_kind kind = DISK_ROOT_CWD;

	for (size_t i = 0; i < a->n_roots; i++)
		if (a->roots[i].kind < kind)
			kind = a->roots[i].kind;
	return kind;
}

bool traversal_inside(const struct disk_answer *a, const char *real)
{
	enum disk_root_kind kind = tree_kind(a);

	for (size_t i = 0; i < a->n_roots; i++)
		if (a->roots[i].kind == kind && below(real, a->roots[i].path))
			return true;
	return false;
}

/* Start and length of the next component; NULL: there is none. */
static const char *component(const char **at, size_t *len)
{
	const char *s = *at + strspn(*at, "/");

	*len = strcspn(s, "/");
	*at = s + *len;
	return *len ? s : NULL;
}

bool traversal_has_dots(const char *path)
{
	const char *s;
	size_t n;

	while ((s = component(&path, &n)))
		if (n == 2 && memcmp(s, "..", 2) == 0)
			return true;
	return false;
}

/* Takes the last component off; false: it is ".." itself, or there is none. */
static bool take_off(char *out, size_t *len, size_t first)
{
	size_t n = *len;

	while (n > first && out[n - 1] != '/')
		n--;
	if (*len == first || strcmp(out + n, "..") == 0)
		return false;
	*len = n > first ? n - 1 : first;
	out[*len] = '\0';
	return true;
}

void traversal_normalize(const char *path, char *out)
{
	const size_t first = path[0] == '/';
	size_t len = first, n;
	const char *s;

	out[0] = '/';
	out[first] = '\0';
	while ((s = component(&path, &n))) {
		bool dots = n == 2 && memcmp(s, "..", 2) == 0;

		if ((n == 1 && *s == '.') || (dots && (take_off(out, &len, first) || first)))
			continue;
		if (len + n + 2 > PATH_MAX)
			return;
		if (len > first)
			out[len++] = '/';
		memcpy(out + len, s, n);
		len += n;
		out[len] = '\0';
	}
	if (!len)
		memcpy(out, ".", 2);
}

/* One round of decoding, in place; a decoded NUL would end the path. */
static void decode_percent(char *path)
{
	char *to = path;

	for (const char *at = path; *at; at++) {
		const char digits[] = { at[1], at[1] ? at[2] : '\0', '\0' };
		bool escape = *at == '%' && isxdigit((unsigned char)digits[0]) &&
			      isxdigit((unsigned char)digits[1]) && strcmp(digits, "00") != 0;

		*to++ = escape ? (char)strtoul(digits, NULL, 16) : *at;
		at += escape ? 2 : 0;
	}
	*to = '\0';
}

bool traversal_decode(const char *path, char *out)
{
	if (strlen(path) >= PATH_MAX)
		return false;
	memcpy(out, path, strlen(path) + 1);
	decode_percent(out);
	decode_percent(out);
	for (char *c = strchr(out, '\\'); c; c = strchr(c, '\\'))
		*c = '/';
	return traversal_has_dots(out) && strcmp(out, path) != 0;
}

/* Was the path in the tree before its first ".."? What begins outside left nothing. */
static bool begins_inside(const struct disk_answer *a, const char *path)
{
	char head[PATH_MAX];
	const char *at = path, *s;
	size_t n, len = strlen(path);

	while ((s = component(&at, &n))) {
		if (n == 2 && memcmp(s, "..", 2) == 0) {
			len = (size_t)(s - path);
			break;
		}
	}
	while (len > 1 && path[len - 1] == '/')
		len--;
	if (len >= sizeof(head))
		return false;
	memcpy(head, path, len);
	head[len] = '\0';
	return traversal_inside(a, head);
}

static bool to_system(const char *real)
{
	for (size_t i = 0; i < ARRAY_SIZE(system_trees); i++)
		if (below(real, system_trees[i]))
			return true;
	return false;
}

static enum traversal_by how(const struct disk_answer *a, const struct disk_file *f,
			     int64_t since_ns)
{
	char plain[PATH_MAX];

	traversal_normalize(f->path, plain);
	if (!begins_inside(a, f->path))
		return TRAVERSAL_NONE;
	if (!traversal_inside(a, plain))
		return traversal_has_dots(f->path) ? TRAVERSAL_DOTS : TRAVERSAL_NONE;
	if (f->link && since_ns && f->link_ns >= since_ns && !to_system(f->real))
		return TRAVERSAL_LINK;
	return TRAVERSAL_NONE;
}

struct traversal traversal_check(const struct disk_answer *a, int asked, int also, int64_t since_ns)
{
	struct traversal t = { .tree = tree_kind(a) };

	for (size_t i = 0; i < a->n_files; i++) {
		const struct disk_file *f = &a->files[i];
		enum traversal_by by;

		if (f->asked != asked && f->asked != also)
			continue;
		if (traversal_inside(a, f->real))
			return (struct traversal){ .tree = t.tree };
		by = how(a, f, since_ns);
		if (by && !t.by) {
			t.by = by;
			t.file = f;
		}
	}
	return t;
}
