/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that is there whole or not at all. */
#ifndef SANDFAULT_OUTPUT_H
#define SANDFAULT_OUTPUT_H

/* Whether output_write() has a chance. 0 or -errno. */
int output_check(const char *path);
/* Writes the line and a newline: beside the file, then renamed over it; straight into what is no
 * regular file (a pipe, /dev/stdout, "-"). 0 or -errno. */
int output_write(const char *path, const char *line);

#endif
