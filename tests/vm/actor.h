/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The actor does what its words say, one after the other, until one fails:
 *
 *   actor WORD[=ARGUMENT]…
 *
 * A word that sets the scene and can't ends it with 77; one that acts and fails says so on stderr
 * ("actor: ARGUMENT: message") and ends it with 1; after the word `keep` it goes on all the same.
 * Some words take those that follow them along, into a child or a thread. It is linked statically,
 * so that nothing but its words fails.
 */
#ifndef SANDFAULT_VM_ACTOR_H
#define SANDFAULT_VM_ACTOR_H

#include <netinet/in.h>

struct word {
	const char *name;
	/* `rest`: the words that follow, NULL-terminated. 0: go on with them. */
	int (*run)(char *arg, char **rest);
};

extern const struct word scene_words[], act_words[], network_words[], process_words[], ring_words[],
	talk_words[];

int say(const char *what, long r);  /* an act: 0 where r >= 0, else 1 and a message */
int need(const char *what, long r); /* the scene: 0 where r >= 0, else 77 and a message */
int run_words(char **words);	    /* status */
/* What stands behind the first ':' of an argument, which is cut there; "" where there is none. */
char *behind(char *arg);
struct sockaddr_in address(char *arg); /* ADDRESS:PORT, of IPv4 */

#endif
