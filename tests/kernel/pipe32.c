/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads once from its stdin and writes that to its stdout, whole and in two pieces, by calls of i386. */
struct iovec32 {
	void *base;
	unsigned int len;
};

static int call(int nr, int a, void *b, int c)
{
	int ret;

	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(nr), "b"(a), "c"(b), "d"(c) : "memory");
	return ret;
}

static char text[4096];

void _start(void)
{
	int n = call(3, 0, text, sizeof(text)); /* read */
	struct iovec32 iov[2] = { { text, 9 }, { text + 9, (unsigned int)n - 9 } };

	call(4, 1, text, n);	  /* write */
	call(146, 1, iov, 2);	  /* writev */
	call(1, 0, (void *)0, 0); /* exit */
	for (;;)
		;
}
