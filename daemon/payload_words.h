/* SPDX-License-Identifier: GPL-2.0-only */
/* The words by which servers name paths, contents and what they do with them. */
#ifndef SANDFAULT_PAYLOAD_WORDS_H
#define SANDFAULT_PAYLOAD_WORDS_H

#include "util.h"

#define KEY_MAX 32

/* Lists of words, each framed by blanks: for words_has(). */
extern const char words_path[], words_name[], words_content[], words_base64[], words_partial[],
	words_command[];

/* "filePath", "file_path" and "file-path" are one key, written to `buf` (KEY_MAX bytes);
 * returns it. A longer one is "". */
const char *words_key(const char *key, char *buf);
bool words_has(const char *word, const char *words);

/* What the words of a tool's name say that it does. */
struct verbs {
	bool other, write, read, list;
};

void words_verbs(const char *tool, struct verbs *ret);

#endif
