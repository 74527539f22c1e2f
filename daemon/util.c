/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>

#include "util.h"

int text_set(struct text *t, const void *data, size_t len)
{
	char *copy = malloc(len + 1);

	if (!copy)
		return -ENOMEM;
	if (len)
		memcpy(copy, data, len);
	copy[len] = '\0';
	free(t->data);
	t->data = copy;
	t->len = len;
	return 0;
}

int text_printf(struct text *t, const char *fmt, ...)
{
	char *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		return -ENOMEM;
	free(t->data);
	t->data = s;
	t->len = (size_t)n;
	return 0;
}

void text_free(struct text *t)
{
	free(t->data);
	t->data = NULL;
	t->len = 0;
}

bool text_has_suffix(const struct text *t, const char *suffix)
{
	size_t n = strlen(suffix);

	return t->len >= n && memcmp(t->data + t->len - n, suffix, n) == 0;
}

/* Length of the valid UTF-8 sequence at s (RFC 3629: no overlong forms, no surrogates), else 0. */
static size_t utf8_sequence(const unsigned char *s, size_t left)
{
	size_t n;

	if (s[0] < 0x80)
		return 1;
	if (s[0] < 0xc2 || s[0] > 0xf4)
		return 0;
	n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
	if (left < n)
		return 0;
	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return n;
}

/* C1 controls (U+0080…U+009F) and the bidirectional overrides move cursors and swap text too. */
static bool utf8_unprintable(const unsigned char *s, size_t n)
{
	if (n == 1)
		return s[0] < 0x20 || s[0] == 0x7f;
	if (n == 2)
		return s[0] == 0xc2 && s[1] < 0xa0;
	if (n == 3 && s[0] == 0xe2)
		return (s[1] == 0x80 && s[2] >= 0xa8 && s[2] <= 0xae) ||
		       (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9);
	return false;
}

static char *escape_byte(char *out, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char letter = c == '\n' ? 'n' : c == '\r' ? 'r' : c == '\t' ? 't' : 0;

	*out++ = '\\';
	if (letter) {
		*out++ = letter;
		return out;
	}
	*out++ = 'x';
	*out++ = hex[c >> 4];
	*out++ = hex[c & 15];
	return out;
}

char *util_escape(const void *data, size_t len)
{
	const unsigned char *s = data;
	char *out = malloc(len * 4 + 1), *p = out;

	if (!out)
		return NULL;
	for (size_t i = 0; i < len;) {
		size_t n = utf8_sequence(s + i, len - i);

		if (n && !utf8_unprintable(s + i, n)) {
			memcpy(p, s + i, n);
			p += n;
			i += n;
			continue;
		}
		for (size_t end = i + (n ? n : 1); i < end; i++)
			p = escape_byte(p, s[i]);
	}
	*p = '\0';
	return out;
}

int util_grow(void **array, size_t *cap, size_t need, size_t elem)
{
	size_t n = *cap + *cap / 2;
	void *p;

	if (need <= *cap)
		return 0;
	if (n < need)
		n = need;
	if (n < 8)
		n = 8;
	p = reallocarray(*array, n, elem);
	if (!p)
		return -ENOMEM;
	*array = p;
	*cap = n;
	return 0;
}

#define PROMPT_SLICE_NS 100000

int util_be_prompt(int nice)
{
	/* sched_setattr(2); the C library of Debian 12 has no wrapper. */
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = { .size = sizeof(attr), .nice = nice, .runtime = PROMPT_SLICE_NS };

	return syscall(SYS_sched_setattr, 0, &attr, 0) < 0 ? -errno : 0;
}

int util_session_nice(int nice)
{
	_cleanup_close_ int fd = -1;
	char text[8];
	int n = snprintf(text, sizeof(text), "%d", nice);

	if (getsid(0) != getpid())
		return 0;
	fd = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? 0 : -errno;
	return write(fd, text, (size_t)n) < 0 ? -errno : 0;
}

static int64_t now(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

int64_t util_now_realtime(void)
{
	return now(CLOCK_REALTIME);
}

int64_t util_now_boottime(void)
{
	return now(CLOCK_BOOTTIME);
}

ssize_t util_read_file(const char *path, size_t max, char **ret)
{
	_cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, cap = 0;

	if (fd < 0)
		return -errno;
	for (;;) {
		void *p = buf;
		ssize_t n;
		int r = util_grow(&p, &cap, len + 4096, 1);

		buf = p;
		if (r < 0)
			return r;
		n = read(fd, buf + len, cap - len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		len += (size_t)n;
		if (len > max)
			return -EFBIG;
	}
	buf[len] = '\0';
	*ret = TAKE_PTR(buf);
	return (ssize_t)len;
}
