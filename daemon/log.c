/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

static char program_name[32] = "sandfault";
static enum log_level max_level = LOG_LEVEL_INFO;
static bool to_journal;

/* systemd.exec(5): JOURNAL_STREAM is "DEV:INODE" of the stream; a service's child whose stderr was
 * redirected still inherits the variable, hence the comparison. */
static bool stderr_is_journal(void)
{
	const char *s = getenv("JOURNAL_STREAM");
	uintmax_t dev, ino;
	struct stat st;

	if (!s || sscanf(s, "%ju:%ju", &dev, &ino) != 2)
		return false;
	return fstat(STDERR_FILENO, &st) == 0 && st.st_dev == dev && st.st_ino == ino;
}

void log_setup(const char *program, enum log_level max)
{
	snprintf(program_name, sizeof(program_name), "%s", program);
	max_level = max;
	to_journal = stderr_is_journal();
}

/* One write a line, so that lines of several processes don't mix. What can't be written is lost:
 * there is nowhere left to report it. */
static void write_line(const char *line, size_t len)
{
	while (len) {
		ssize_t n = write(STDERR_FILENO, line, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return;
		line += n;
		len -= (size_t)n;
	}
}

static void log_text(enum log_level level, const char *text)
{
	/* A message may quote hostile bytes: a newline in it must not forge a second message. */
	_cleanup_free_ char *escaped = util_escape(text, strlen(text));
	_cleanup_free_ char *line = NULL;
	int n;

	if (!escaped)
		n = asprintf(&line, "%s: (no memory to log)\n", program_name);
	else if (to_journal)
		n = asprintf(&line, "<%d>%s\n", (int)level, escaped);
	else
		n = asprintf(&line, "%s: %s\n", program_name, escaped);
	if (n < 0) {
		line = NULL;
		return;
	}
	write_line(line, (size_t)n);
}

static void log_va(enum log_level level, int err, const char *fmt, va_list ap)
{
	_cleanup_free_ char *text = NULL;
	_cleanup_free_ char *full = NULL;
	char buf[128];

	if (vasprintf(&text, fmt, ap) < 0) {
		text = NULL;
		return;
	}
	if (!err) {
		log_text(level, text);
		return;
	}
	if (asprintf(&full, "%s: %s", text, strerror_r(err, buf, sizeof(buf))) < 0) {
		full = NULL;
		return;
	}
	log_text(level, full);
}

void log_msg(enum log_level level, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	if (level > max_level)
		return;
	va_start(ap, fmt);
	log_va(level, 0, fmt, ap);
	va_end(ap);
	errno = saved;
}

int log_errno(int err, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	log_va(LOG_LEVEL_ERROR, abs(err), fmt, ap);
	va_end(ap);
	errno = saved;
	return err;
}
