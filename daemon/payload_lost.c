/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A relative path that the server did not find, and that its client would have: the two stand in different
 * directories. The server is asked for first, as it may be gone in a moment.
 */
#include <string.h>

#include "payload_internal.h"

static bool says_missing(const struct text *t)
{
	static const char *const words[] = { "ENOENT", "o such file", "not found", "not exist" };

	for (size_t i = 0; t->len && i < ARRAY_SIZE(words); i++)
		if (memmem(t->data, t->len, words[i], strlen(words[i])))
			return true;
	return false;
}

static const char *cwd_of(const struct disk_answer *a)
{
	for (size_t i = 0; i < a->n_roots; i++)
		if (a->roots[i].kind == DISK_ROOT_CWD)
			return a->roots[i].path;
	return NULL;
}

void payload_ask_lost(struct work *w)
{
	struct disk_question q = { .who = w->server, .n_paths = 1 };
	const char *path = w->n_pairs == 1 ? w->pairs[0].path : NULL;

	if (!path || !path[0] || path[0] == '/' || !says_missing(&w->call->text))
		return;
	q.paths[0] = path;
	payload_ask(w, &q, ASK_LOST, 0);
}

/* Not there for the server, in any tree of its own: is it where the client stands? */
void payload_lost(struct work *w, const struct disk_answer *a)
{
	struct disk_question q = { .who = w->client, .n_paths = 1, .want = DISK_NO_ARGV };
	const char *cwd = a && !a->n_files ? cwd_of(a) : NULL;

	if (!cwd)
		return;
	w->looked_in = strdup(cwd);
	q.paths[0] = w->pairs[0].path;
	if (w->looked_in)
		payload_ask(w, &q, ASK_HELD, 0);
}

void payload_client_holds(struct work *w, const struct disk_answer *a)
{
	const char *path = w->pairs[0].path, *cwd = a && a->n_files ? cwd_of(a) : NULL;
	_cleanup_free_ char *name = NULL, *here = NULL, *there = NULL;

	if (!cwd || strcmp(cwd, w->looked_in) == 0)
		return;
	name = util_escape(path, strlen(path));
	here = util_escape(cwd, strlen(cwd));
	there = util_escape(w->looked_in, strlen(w->looked_in));
	fault_add(w->call, CAUSE_PATH_WRONG_DIRECTORY, LEG_NONE, false, 0,
		  (struct copy){ path, strlen(path) },
		  "%s is in %s, where the client stands; the server looked in %s",
		  name ? name : "it", here ? here : "?", there ? there : "?");
}
