/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "sensors_why.h"
#include "words.h"

#define LOCKDOWN "/sys/kernel/security/lockdown"

void sensors_say(char **why, const char *fmt, ...)
{
	va_list ap;

	free(*why);
	va_start(ap, fmt);
	if (vasprintf(why, fmt, ap) < 0)
		*why = NULL;
	va_end(ap);
}

/* kernel_lockdown(7): then no program may read the kernel's memory, and the verifier knows no helper
 * for it. */
static bool is_locked_down(void)
{
	_cleanup_free_ char *text = NULL;

	return util_read_file(LOCKDOWN, 256, &text) > 0 && strstr(text, "[confidentiality]");
}

int sensors_load_failed(int err, char **why)
{
	if (is_locked_down())
		sensors_say(why, "this kernel is locked down for confidentiality (" LOCKDOWN
				 "): no program may "
				 "read its memory; integrity would do");
	/* EACCES with a program's name is the verifier's. */
	else if (err == -EPERM || (err == -EACCES && !words_refused()[0]))
		sensors_say(why,
			    "not permitted to load BPF programs: run sandfaultd as root, or with "
			    "CAP_SYS_ADMIN");
	else if (words_refused()[0])
		sensors_say(why,
			    "the kernel refused the program %s: %s (run with --log-level debug for "
			    "the verifier's words)",
			    words_refused(), strerror(-err));
	else
		sensors_say(why, "can't load the BPF programs: %s", strerror(-err));
	words_tell();
	return err;
}
