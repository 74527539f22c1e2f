/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * actor32 PATH N: fails N opens of PATH by its own, 32-bit, syscall numbers, says why, ends with 1.
 * actor32 talk: answers a tool's client, line for line, at most ten.
 * Stands without a libc, so that no 32-bit one is needed to build it.
 */
#include "talk.h"

#define NR_EXIT	 1
#define NR_READ	 3
#define NR_WRITE 4
#ifdef __arm__
#define NR_OPENAT 322
#else
#define NR_OPENAT 295
#endif
#define O_CREATE 0101 /* O_WRONLY | O_CREAT */

static long call(long nr, long a, long b, long c, long d)
{
#ifdef __arm__
	register long r0 __asm__("r0") = a;
	register long r1 __asm__("r1") = b;
	register long r2 __asm__("r2") = c;
	register long r3 __asm__("r3") = d;
	register long r7 __asm__("r7") = nr;

	__asm__ volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r7) : "memory");
	return r0;
#else
	long r;

	__asm__ volatile("int $0x80"
			 : "=a"(r)
			 : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d)
			 : "memory");
	return r;
#endif
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

static char line[4096];

/* Until the end of its input; a message comes in one piece. */
static long talk(void)
{
	char answer[] = TALK_ANSWER_BEGIN "0" TALK_ANSWER_END "\n";
	long n;

	while ((n = call(NR_READ, 0, (long)line, sizeof(line), 0)) > 0) {
		if (line[n - 1] != '\n' ||
		    call(NR_WRITE, 1, (long)answer, sizeof(answer) - 1, 0) < 0)
			return 1;
		answer[sizeof(TALK_ANSWER_BEGIN) - 1]++;
	}
	return n < 0;
}

/* What the kernel puts on the stack: argc, argv…, NULL. */
__attribute__((used)) static void begin(const long *stack)
{
	const char *path = (const char *)stack[2], *digits = (const char *)stack[3];
	long n = 0, r = 0;

	if (stack[0] == 2)
		call(NR_EXIT, talk(), 0, 0, 0);
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

#ifdef __arm__
__asm__(".globl _start\n_start:\n\tmov r0, sp\n\tbic sp, sp, #7\n\tbl begin\n");
#else
__asm__(".globl _start\n_start:\n\tmov %esp, %eax\n\tand $-16, %esp\n\tsub $12, %esp\n\tpush "
	"%eax\n\tcall begin\n");
#endif
