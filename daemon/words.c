/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "log.h"
#include "words.h"

#define WORDS_KEEP 4096 /* end of what it said, bytes */

static char said[WORDS_KEEP];
static char refused[64]; /* the program that the verifier refused last */

int words_keep(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	static const char mark[] = "prog '";
	char line[1024];
	int n = vsnprintf(line, sizeof(line), fmt, ap);
	size_t have = strlen(said), len;
	const char *p;

	if (level == LIBBPF_DEBUG || n < 0)
		return 0;
	p = strstr(line, mark);
	if (p && strstr(line, "failed to load"))
		snprintf(refused, sizeof(refused), "%.*s", (int)strcspn(p + strlen(mark), "'"),
			 p + strlen(mark));
	len = strlen(line);
	if (have + len >= sizeof(said)) {
		size_t drop = have + len + 1 - sizeof(said);

		memmove(said, said + drop, have - drop + 1);
		have -= drop;
	}
	memcpy(said + have, line, len + 1);
	return 0;
}

void words_forget(void)
{
	said[0] = '\0';
	refused[0] = '\0';
}

void words_tell(void)
{
	char *save = NULL;

	for (char *l = strtok_r(said, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
		log_debug("%s", l);
}

const char *words_refused(void)
{
	return refused;
}
