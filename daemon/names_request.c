/* SPDX-License-Identifier: GPL-2.0-only */
/* Requests of io_uring by the syscall that does the same (enum io_uring_op, linux/io_uring.h). */
#include <stddef.h>

#include "names.h"

static const char *const requests[SF_REQUESTS] = {
	[1] = "readv",	   [2] = "writev",   [3] = "fsync",
	[4] = "read", /* into a registered buffer */
	[5] = "write",	   [9] = "sendmsg",  [10] = "recvmsg",
	[13] = "accept4",  [16] = "connect", [17] = "fallocate",
	[18] = "openat",   [21] = "statx",   [22] = "read",
	[23] = "write",	   [26] = "sendto",  [27] = "recvfrom",
	[28] = "openat2",  [30] = "splice",  [35] = "renameat2",
	[36] = "unlinkat", [37] = "mkdirat", [38] = "symlinkat",
	[39] = "linkat",   [45] = "socket",  [55] = "ftruncate",
	[56] = "bind",	   [57] = "listen",
};

const char *names_request(unsigned int opcode)
{
	return opcode < SF_REQUESTS ? requests[opcode] : NULL;
}
