/* SPDX-License-Identifier: GPL-2.0-only */
/* What libbpf says is kept, not printed: an attempt may fail and be none of the user's business. */
#ifndef SANDFAULT_WORDS_H
#define SANDFAULT_WORDS_H

#include <bpf/libbpf.h>
#include <stdarg.h>

/* For libbpf_set_print(). */
int words_keep(enum libbpf_print_level level, const char *fmt, va_list ap);
void words_forget(void);
void words_tell(void); /* the end of it, at debug level */
/* The program that the verifier refused last; "": none. */
const char *words_refused(void);

#endif
