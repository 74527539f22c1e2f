/* SPDX-License-Identifier: GPL-2.0-only */
#include <string.h>

#include "hooks.h"
#include "util.h"

static const struct {
	const char *name;
	const char *function;
	const char *program;
} hooks[SF_HOOK_MAX] = {
#define HOOK(id, word)                                                                             \
	[SF_HOOK_##id] = { .name = #word,                                                          \
			   .function = "security_" #word,                                          \
			   .program = "handle_hook_" #word },
	SF_HOOKS(HOOK)
#undef HOOK
};

const char *hook_name(unsigned int hook)
{
	return hook > SF_HOOK_NONE && hook < SF_HOOK_MAX ? hooks[hook].name : "?";
}

const char *hook_function(unsigned int hook)
{
	return hook > SF_HOOK_NONE && hook < SF_HOOK_MAX ? hooks[hook].function : "?";
}

enum sf_hook hook_of_program(const char *program)
{
	for (int i = SF_HOOK_NONE + 1; i < SF_HOOK_MAX; i++)
		if (strcmp(hooks[i].program, program) == 0)
			return i;
	return SF_HOOK_NONE;
}

unsigned int hook_cookie_of_module(const char *program)
{
	if (strcmp(program, "handle_yama_access") == 0)
		return SF_LSM_YAMA << 8 | SF_HOOK_PTRACE_ACCESS_CHECK;
	if (strcmp(program, "handle_yama_traceme") == 0)
		return SF_LSM_YAMA << 8 | SF_HOOK_PTRACE_TRACEME;
	return 0;
}
