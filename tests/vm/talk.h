/* SPDX-License-Identifier: GPL-2.0-only */
/* What the actors of a tool's channel say to one another, and what is to stand on record of it. */
#ifndef SANDFAULT_VM_TALK_H
#define SANDFAULT_VM_TALK_H

#define TALK_CALLS 4
#define TALK_MAX   (4 << 20) /* bytes of one text */
/* By printf: number of the call, its text. Each is a line. */
#define TALK_REQUEST                                                                               \
	"{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\","  \
	"\"arguments\":{\"text\":\"%s\"}}}"
#define TALK_ANSWER                                                                                \
	"{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"content\":[{\"type\":\"text\",\"text\":"     \
	"\"%s\"}]}}"
/* actor32's, which are short. */
#define TALK_ANSWER_BEGIN "{\"jsonrpc\":\"2.0\",\"id\":"
#define TALK_ANSWER_END	  ",\"result\":{}}"

/* The n-th byte of call `id`'s text. */
#define TALK_BYTE(id, n) ((char)('a' + ((n) / 97 + (n) + (id)) % 26))

#endif
