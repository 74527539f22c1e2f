/* SPDX-License-Identifier: GPL-2.0-only */
/* Cleanup attributes and the few helpers that every module uses. */
#ifndef SANDFAULT_UTIL_H
#define SANDFAULT_UTIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_SIZE(a)	 (sizeof(a) / sizeof((a)[0]))
#define NSEC_PER_SEC	 1000000000LL
#define NSEC_PER_MSEC	 1000000LL
#define _printf_(f, a)	 __attribute__((format(printf, f, a)))
#define _cleanup_(f)	 __attribute__((cleanup(f)))
#define _cleanup_free_	 _cleanup_(util_freep)
#define _cleanup_close_	 _cleanup_(util_closep)
#define _cleanup_fclose_ _cleanup_(util_fclosep)

#define TAKE_PTR(p)                                                                                \
	({                                                                                         \
		__typeof__(p) *__pp = &(p);                                                        \
		__typeof__(p) __p = *__pp;                                                         \
		*__pp = NULL;                                                                      \
		__p;                                                                               \
	})
#define TAKE_FD(fd)                                                                                \
	({                                                                                         \
		int *__fdp = &(fd);                                                                \
		int __fd = *__fdp;                                                                 \
		*__fdp = -1;                                                                       \
		__fd;                                                                              \
	})

static inline void util_freep(void *p)
{
	free(*(void **)p);
}

static inline void util_closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
}

static inline void util_fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
}

/* Bytes from outside: may hold anything. `data` is owned, one NUL is kept behind `len`. */
struct text {
	char *data;
	size_t len;
};

/* Replaces *t by a copy. 0 or -ENOMEM (then *t is unchanged). */
int text_set(struct text *t, const void *data, size_t len);
int text_printf(struct text *t, const char *fmt, ...) _printf_(2, 3);
void text_free(struct text *t);
bool text_has_suffix(const struct text *t, const char *suffix);

/*
 * Renders hostile bytes for people and for JSON: control characters and bytes that are no UTF-8
 * become \n, \r, \t or \xNN; everything else, the backslash too, stands as it is. Returns an
 * owned string, NULL where there is no memory.
 */
char *util_escape(const void *data, size_t len);

/* Appends to a malloc'ed array; grows by half. 0 or -ENOMEM. */
int util_grow(void **array, size_t *cap, size_t need, size_t elem);

/*
 * Makes this process be run soon after it is woken, for a short while: nice, and a short slice, by
 * which the scheduler lets it go before others that have long ones (Linux 6.12; older kernels
 * ignore it). It takes no more of the processor than its share. 0 or -errno.
 */
int util_be_prompt(int nice);
/*
 * The same for a session of our own, as far as its group is scheduled as one (sched(7), autogroup):
 * else a nice value counts but among its own processes. 0: done, or there is nothing to be done; or
 * -errno.
 */
int util_session_nice(int nice);

/* Clocks, ns. */
int64_t util_now_realtime(void);
int64_t util_now_boottime(void);

/* Reads a whole small file (procfs, sysfs, configuration) of at most `max` bytes; *ret is owned
 * and terminated. Returns its length or -errno (-EFBIG where it is longer). */
ssize_t util_read_file(const char *path, size_t max, char **ret);

#endif
