/* SPDX-License-Identifier: GPL-2.0-only */
/* What the first bytes of a file say to execve. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "explain_walk.h"

#define SCRIPT_MAX 256 /* BINPRM_BUF_SIZE: all that the kernel reads of a first line */
#define INTERP_MAX 256 /* of the caller's buffer */
#define PHDRS_MAX  128
#define DEPTH_MAX  4 /* interpreters of interpreters; search_binary_handler() allows five */

#ifdef __x86_64__
#define MACHINE	       EM_X86_64
#define MACHINE_COMPAT EM_386
#else
#define MACHINE	       EM_AARCH64
#define MACHINE_COMPAT EM_ARM
#endif

/* Bytes of a file: those that are there, or an open file. */
struct source {
	const unsigned char *data;
	size_t len;
	int fd; /* -1: `data` is all */
};

static bool source_read(const struct source *s, uint64_t offset, void *buf, size_t len)
{
	if (offset <= s->len && len <= s->len - offset) {
		memcpy(buf, s->data + offset, len);
		return true;
	}
	return s->fd >= 0 && offset < INT64_MAX &&
	       pread(s->fd, buf, len, (off_t)offset) == (ssize_t)len;
}

/* The one program header that names the loader. */
struct segment {
	uint64_t offset, size;
};

static bool find_interp(const struct source *s, bool wide, struct segment *ret)
{
	union {
		Elf32_Ehdr e32;
		Elf64_Ehdr e64;
	} h;
	uint64_t phoff;
	unsigned int n, size;

	if (!source_read(s, 0, &h, wide ? sizeof(h.e64) : sizeof(h.e32)))
		return false;
	phoff = wide ? h.e64.e_phoff : h.e32.e_phoff;
	n = wide ? h.e64.e_phnum : h.e32.e_phnum;
	size = wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
	for (unsigned int i = 0; i < n && i < PHDRS_MAX; i++) {
		union {
			Elf32_Phdr p32;
			Elf64_Phdr p64;
		} p;

		if (phoff > INT64_MAX || !source_read(s, phoff + (uint64_t)i * size, &p, size))
			return false;
		if (p.p32.p_type != PT_INTERP) /* first in both */
			continue;
		ret->offset = wide ? p.p64.p_offset : p.p32.p_offset;
		ret->size = wide ? p.p64.p_filesz : p.p32.p_filesz;
		return true;
	}
	return false;
}

static enum explain_head elf_head(const struct source *s, char *interp, uint32_t *machine)
{
	const unsigned char native = __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB;
	unsigned char ident[EI_NIDENT];
	struct segment seg;
	uint16_t m;
	bool wide;

	if (!source_read(s, 0, ident, sizeof(ident)) ||
	    !source_read(s, offsetof(Elf32_Ehdr, e_machine), &m, sizeof(m)))
		return HEAD_OTHER;
	if (ident[EI_DATA] != native) {
		*machine = (uint32_t)(m >> 8 | (m & 0xff) << 8);
		return HEAD_ELF_FOREIGN;
	}
	*machine = m;
	if (m != MACHINE && m != MACHINE_COMPAT)
		return HEAD_ELF_FOREIGN;
	wide = ident[EI_CLASS] == ELFCLASS64;
	if (!find_interp(s, wide, &seg))
		return HEAD_ELF; /* static */
	if (seg.size == 0 || seg.size > INTERP_MAX || !source_read(s, seg.offset, interp, seg.size))
		interp[0] = '\0';
	else
		interp[seg.size - 1] = '\0';
	return HEAD_ELF;
}

/* After load_script() of fs/binfmt_script.c. */
static enum explain_head script_head(const unsigned char *data, size_t len, char *interp)
{
	const char *line = (const char *)data + 2, *end;
	size_t n;
	bool whole;

	len = len < SCRIPT_MAX ? len : SCRIPT_MAX;
	whole = len < SCRIPT_MAX; /* the end of the file ends the line too */
	end = memchr(line, '\n', len - 2);
	whole |= end != NULL;
	if (!end)
		end = line + strnlen(line, len - 2);
	while (line < end && (*line == ' ' || *line == '\t'))
		line++;
	for (n = 0; line + n < end && line[n] && line[n] != ' ' && line[n] != '\t'; n++)
		;
	if (n == 0 || (!whole && line + n == end))
		return HEAD_TEXT; /* no name, or one that was cut: ENOEXEC */
	memcpy(interp, line, n);
	interp[n] = '\0';
	return end[-1] == '\r' ? HEAD_SCRIPT_CR : HEAD_SCRIPT;
}

static bool is_text(const unsigned char *data, size_t len)
{
	for (size_t i = 0; i < len && i < SCRIPT_MAX; i++)
		if (data[i] == 0x7f || (data[i] < 0x20 && !strchr("\t\n\v\f\r\b\033", data[i])))
			return false;
	return true;
}

static enum explain_head source_head(const struct source *s, char *interp, uint32_t *machine)
{
	interp[0] = '\0';
	if (s->len == 0)
		return HEAD_EMPTY;
	if (s->len >= SELFMAG && memcmp(s->data, ELFMAG, SELFMAG) == 0)
		return elf_head(s, interp, machine);
	if (s->len >= 2 && s->data[0] == '#' && s->data[1] == '!')
		return script_head(s->data, s->len, interp);
	/* strchr() finds a NUL in every string: look for it first. */
	if (memchr(s->data, '\0', s->len < SCRIPT_MAX ? s->len : SCRIPT_MAX))
		return HEAD_OTHER;
	return is_text(s->data, s->len) ? HEAD_TEXT : HEAD_OTHER;
}

enum explain_head explain_head(const void *data, size_t len, char *interp)
{
	const struct source s = { .data = data, .len = len, .fd = -1 };
	uint32_t machine = 0;

	return source_head(&s, interp, &machine);
}

static int reopen(int fd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

static enum explain_head head_of(int fd, const struct stat *st, char *interp, uint32_t *machine)
{
	_cleanup_close_ int file = S_ISREG(st->st_mode) ? reopen(fd) : -1;
	unsigned char data[4096];
	struct source s = { .data = data, .fd = file };
	ssize_t n = file < 0 ? -1 : pread(file, data, sizeof(data), 0);

	interp[0] = '\0';
	if (n < 0)
		return HEAD_UNKNOWN;
	s.len = (size_t)n;
	return source_head(&s, interp, machine);
}

/* The interpreter would fail in its turn: then its failure is what execve reports. */
static bool fails_itself(enum explain_head h)
{
	return h == HEAD_SCRIPT_MISSING || h == HEAD_ELF_LOADER_MISSING || h == HEAD_ELF_FOREIGN;
}

static void head_chain(int root_fd, int fd, const struct stat *st, int depth,
		       struct explanation *ret)
{
	struct walk w = { .root_fd = root_fd, .follow = true };
	struct explanation next = { 0 };
	bool script, missing;

	ret->head = head_of(fd, st, ret->interpreter, &ret->elf_machine);
	script = ret->head == HEAD_SCRIPT || ret->head == HEAD_SCRIPT_CR;
	/* Relative names depend on a working directory that we do not know. */
	if ((!script && ret->head != HEAD_ELF) || ret->interpreter[0] != '/')
		return;
	if (walk_path(&w, ret->interpreter) < 0) {
		walk_done(&w);
		return;
	}
	missing = w.end == WALK_MISSING || w.end == WALK_NOT_DIR;
	if (missing && ret->head == HEAD_ELF)
		ret->head = HEAD_ELF_LOADER_MISSING;
	else if (missing && ret->head == HEAD_SCRIPT)
		ret->head = HEAD_SCRIPT_MISSING;
	else if (ret->head == HEAD_SCRIPT && w.end == WALK_FOUND && depth > 1)
		head_chain(root_fd, w.fd, &w.st, depth - 1, &next);
	walk_done(&w);
	if (!fails_itself(next.head))
		return;
	ret->head = next.head;
	ret->elf_machine = next.elf_machine;
	if (next.interpreter[0])
		memcpy(ret->interpreter, next.interpreter, sizeof(ret->interpreter));
}

void head_read(int root_fd, int fd, const struct stat *st, struct explanation *ret)
{
	head_chain(root_fd, fd, st, DEPTH_MAX, ret);
}
