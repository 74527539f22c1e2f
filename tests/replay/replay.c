/* SPDX-License-Identifier: GPL-2.0-only */
/* replay TAPE: the verdicts of a recording, a task a line, as JSON. */
#include <json-c/json.h>
#include <string.h>

#include "json.h"
#include "log.h"
#include "replay.h"

static void print(const struct task_record *rec, void *arg)
{
	struct json_object *o = json_task(rec, true);
	unsigned int *n = arg;

	++*n;
	puts(json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY |
						       JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(o);
}

int main(int argc, char **argv)
{
	_cleanup_free_ char *why = NULL;
	unsigned int n = 0;
	int r;

	log_setup("replay", LOG_LEVEL_WARNING);
	if (argc != 2) {
		fputs("usage: replay TAPE\n", stderr);
		return 2;
	}
	r = replay_tape(argv[1], print, &n, &why);
	if (r < 0) {
		fprintf(stderr, "replay: %s: %s\n", argv[1], why ? why : strerror(-r));
		return 1;
	}
	if (!n)
		fprintf(stderr, "replay: %s: no task was judged\n", argv[1]);
	return n ? 0 : 3;
}
