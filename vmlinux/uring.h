/* SPDX-License-Identifier: GPL-2.0-only */
/* io_uring; a part of vmlinux.h, which includes it where fields are looked up in the kernel. */
#ifndef SANDFAULT_URING_H
#define SANDFAULT_URING_H

struct io_cmd_data {
};

struct io_kiocb {
	struct file *file;
	struct io_cmd_data cmd; /* since 6.0; the struct of the opcode's own, in its place */
	u8 opcode;
};

struct io_uring_cqe {
	int res;
};

struct io_ring_ctx;

struct delayed_filename {
	struct filename *__incomplete_filename;
};

struct open_how {
	u64 flags;
};

struct io_open {
	int dfd;
	struct filename *filename;
	struct open_how how;
};

struct io_statx {
	struct filename *filename;
};

struct io_unlink {
	struct filename *filename;
};

struct io_mkdir {
	struct filename *filename;
};

struct io_rename {
	int new_dfd;
	struct filename *newpath;
};

struct io_link {
	int new_dfd;
	struct filename *newpath;
};

struct io_connect {
	struct sockaddr *addr;
	int addr_len;
};

struct io_open___delayed {
	struct delayed_filename filename;
};

struct io_statx___delayed {
	struct delayed_filename filename;
};

struct io_unlink___delayed {
	struct delayed_filename filename;
};

struct io_mkdir___delayed {
	struct delayed_filename filename;
};

struct io_rename___delayed {
	struct delayed_filename newpath;
};

struct io_link___delayed {
	struct delayed_filename newpath;
};

#endif
