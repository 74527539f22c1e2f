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

enum sf_hook hook_of_program(const char *program)
{
	for (int i = SF_HOOK_NONE + 1; i < SF_HOOK_MAX; i++)
		if (strcmp(hooks[i].program, program) == 0)
			return i;
	return SF_HOOK_NONE;
}

/* Of modules that are known by a function of their own. */
static const struct {
	const char *program, *function;
	unsigned int cookie;
} modules[] = {
	{ "handle_yama_access", "yama_ptrace_access_check",
	  SF_LSM_YAMA << 8 | SF_HOOK_PTRACE_ACCESS_CHECK },
	{ "handle_yama_traceme", "yama_ptrace_traceme", SF_LSM_YAMA << 8 | SF_HOOK_PTRACE_TRACEME },
};

unsigned int hook_cookie(const char *program)
{
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		if (strcmp(modules[i].program, program) == 0)
			return modules[i].cookie;
	return hook_of_program(program);
}

const char *hook_function(unsigned int cookie)
{
	for (size_t i = 0; i < ARRAY_SIZE(modules); i++)
		if (modules[i].cookie == cookie)
			return modules[i].function;
	return cookie > SF_HOOK_NONE && cookie < SF_HOOK_MAX ? hooks[cookie].function : "?";
}
