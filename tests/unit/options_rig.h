/* SPDX-License-Identifier: GPL-2.0-only */
/* A configuration file, and what is said on stderr. */
#ifndef SANDFAULT_TESTS_OPTIONS_RIG_H
#define SANDFAULT_TESTS_OPTIONS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "log.h"
#include "options_impl.h"

#define S NSEC_PER_SEC

static char config[64];

static inline void put_config_bytes(const char *text, size_t len)
{
	int fd;

	strcpy(config, "/tmp/sandfault-options-XXXXXX");
	fd = mkstemp(config);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
}

static inline void put_config(const char *text)
{
	put_config_bytes(text, strlen(text));
}

static inline void new_options(struct options *o)
{
	assert_int_equal(options_init(o), 0);
}

/* stderr goes to a file meanwhile. */
static int saved_stderr, memory;

static inline void capture(void)
{
	memory = memfd_create("stderr", MFD_CLOEXEC);
	saved_stderr = dup(STDERR_FILENO);
	assert_int_equal(dup2(memory, STDERR_FILENO), STDERR_FILENO);
}

static inline const char *captured(void)
{
	static char buf[16384];
	ssize_t n = pread(memory, buf, sizeof(buf) - 1, 0);

	buf[n > 0 ? n : 0] = '\0';
	dup2(saved_stderr, STDERR_FILENO);
	close(saved_stderr);
	close(memory);
	return buf;
}

#endif
