/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * actor32 PATH N: fails N opens of PATH by its own, 32-bit, syscall numbers, says why, ends with 1.
 * Stands without a libc, so that no 32-bit one is needed to build it.
 */
#define NR_EXIT	  1
#define NR_WRITE  4
#define NR_OPENAT 295
#define O_CREATE  0101 /* O_WRONLY | O_CREAT */

static long call(long nr, long a, long b, long c, long d)
{
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory");
	return r;
}

static long length(const char *s)
{
	long n = 0;

	while (s[n])
		n++;
	return n;
}

static void say(const char *s)
{
	call(NR_WRITE, 2, (long)s, length(s), 0);
}

/* What the kernel puts on the stack: argc, argv…, NULL. */
__attribute__((used)) static void begin(const long *stack)
{
	const char *path = (const char *)stack[2], *digits = (const char *)stack[3];
	long n = 0, r = 0;

	for (; *digits; digits++)
		n = n * 10 + *digits - '0';
	while (n-- > 0)
		r = call(NR_OPENAT, -100, (long)path, O_CREATE, 0644);
	if (r < 0) {
		say("actor32: ");
		say(path);
		say(r == -30 ? ": Read-only file system\n" : ": error\n");
	}
	call(NR_EXIT, r < 0, 0, 0, 0);
	__builtin_unreachable();
}

__asm__(".globl _start\n_start:\n\tmov %esp, %eax\n\tand $-16, %esp\n\tsub $12, %esp\n\tpush "
	"%eax\n\tcall begin\n");
