/* SPDX-License-Identifier: GPL-2.0-only */
/* Writes blocks out of order, reads them through a mapping, and punches nothing twice. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = 256 };

static uint8_t pattern(unsigned int block, unsigned int i, unsigned int n)
{
	return (uint8_t)(block * 31 + i * 7 + n);
}

static void fill(uint8_t *buf, unsigned int block, unsigned int n)
{
	for (unsigned int i = 0; i < BLOCK; i++)
		buf[i] = pattern(block, i, n);
}

int main(int argc, char **argv)
{
	unsigned int n = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	uint8_t buf[BLOCK];
	struct stat st;
	uint8_t *map;
	int fd = open("blocks.bin", O_RDWR | O_CREAT | O_TRUNC, 0644);

	if (fd < 0)
		return perror("blocks.bin"), 1;
	for (unsigned int k = 0; k < BLOCKS; k++) {
		unsigned int block = k * 37 % BLOCKS; /* 37 and 256 share no divisor */

		fill(buf, block, n);
		if (pwrite(fd, buf, BLOCK, (off_t)block * BLOCK) != BLOCK)
			return perror("pwrite"), 1;
	}
	if (fsync(fd) || fstat(fd, &st) || st.st_size != (off_t)BLOCK * BLOCKS)
		return perror("fstat"), 1;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return perror("mmap"), 1;
	for (unsigned int block = 0; block < BLOCKS; block++) {
		fill(buf, block, n);
		if (memcmp(map + (size_t)block * BLOCK, buf, BLOCK))
			return fprintf(stderr, "block %u differs\n", block), 1;
	}
	printf("blocks: %d blocks written and mapped\n", BLOCKS);
	return 0;
}
