/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "actor.h"

static const struct word *const tables[] = { scene_words,   act_words,	network_words,
					     process_words, ring_words, talk_words };

static void tell(const char *what)
{
	char line[512];
	int n = snprintf(line, sizeof(line), "actor: %s: %s\n", what, strerror(errno));

	if (write(2, line, n < (int)sizeof(line) ? (size_t)n : sizeof(line) - 1) < 0)
		_exit(2);
}

int say(const char *what, long r)
{
	if (r >= 0)
		return 0;
	tell(what);
	return 1;
}

int need(const char *what, long r)
{
	if (r >= 0)
		return 0;
	tell(what);
	return 77;
}

char *behind(char *arg)
{
	char *colon = strchr(arg, ':');

	if (!colon)
		return arg + strlen(arg);
	*colon = '\0';
	return colon + 1;
}

static const struct word *find(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (const struct word *w = tables[i]; w->name; w++)
			if (strlen(w->name) == len && memcmp(w->name, name, len) == 0)
				return w;
	return NULL;
}

int run_words(char **words)
{
	int keep = 0;

	for (; *words; words++) {
		size_t len = strcspn(*words, "=");
		const struct word *w = find(*words, len);
		int r;

		if (strcmp(*words, "keep") == 0) { /* the next one's failure is said, no more */
			keep = 1;
			continue;
		}
		if (!w) {
			fprintf(stderr, "actor: no such word: %s\n", *words);
			return 2;
		}
		r = w->run(*words + len + ((*words)[len] == '='), words + 1);
		if (r && !keep)
			return r;
		keep = 0;
	}
	return 0;
}

int main(int argc, char **argv)
{
	return argc > 1 ? run_words(argv + 1) : 2;
}
