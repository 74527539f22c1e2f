/* SPDX-License-Identifier: GPL-2.0-only */
/* Tools' channels: every byte of every call, whatever it goes over. */
#include <openssl/evp.h>
#include <string.h>

#include "suite.h"
#include "talk.h"

#define DIGEST 32

/* SHA-256 of a message, in hexadecimal. */
static void digest_of(const char *format, int id, size_t bytes, char ret[2 * DIGEST + 1])
{
	_cleanup_free_ char *text = malloc(bytes + 1), *line = NULL;
	unsigned char md[DIGEST];
	int len;

	if (!text)
		abort();
	for (size_t i = 0; i < bytes; i++)
		text[i] = TALK_BYTE(id, i);
	text[bytes] = '\0';
	len = asprintf(&line, format, id, text);
	if (len < 0 || !EVP_Digest(line, (size_t)len, md, NULL, EVP_sha256(), NULL))
		abort();
	for (size_t i = 0; i < DIGEST; i++)
		snprintf(ret + 2 * i, 3, "%02x", md[i]);
}

static void same_digest(struct run *t, int id, const char *column, const char *want)
{
	_cleanup_free_ char *what = NULL, *got = NULL;

	if (asprintf(&what, "call %d: %s", id, column) < 0)
		abort();
	got = sql_text(
		t->daemon,
		"SELECT %s FROM call JOIN task ON task.id = call.task WHERE task.name = '%s' "
		"AND rpc_id = '%d'",
		column, t->test->name, id);
	equal_str(t, what, got ? got : "", want);
}

static void has_channels(struct run *t)
{
	if (!sensor_active(&shared, "channels"))
		skip(t, "the sensor channels is %s: %s", sensor_state(&shared, "channels"),
		     sensor_reason(&shared, "channels"));
}

static void all_on_record(struct run *t, struct json_object *task)
{
	const char *size = strrchr(t->test->words, ':');
	size_t bytes = size ? strtoul(size + 1, NULL, 10) : 0;
	char want[2 * DIGEST + 1];

	equal_int(t, "calls", number_at(task, "calls.total"), TALK_CALLS);
	equal_int(t, "calls that failed", number_at(task, "calls.failed"), 0);
	for (int id = 0; size && id < TALK_CALLS; id++) {
		digest_of(TALK_REQUEST, id, bytes, want);
		same_digest(t, id, "request_digest", want);
		digest_of(TALK_ANSWER, id, bytes, want);
		same_digest(t, id, "answer_digest", want);
	}
}

static void has_compat_too(struct run *t)
{
	has_channels(t);
	if (!over(t))
		needs_compat(t);
}

#define FINE                                                                                       \
	{                                                                                          \
		NULL, NULL, "ok"                                                                   \
	}

const struct test channel_tests[] = {
	{ "channel-pipe", .words = "talk=pipe:100", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-pipe-large", .words = "talk=pipe:600000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-vector", .words = "talk=vector:30000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-stream", .words = "talk=stream:1000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-stream-large", .words = "talk=stream:900000", .want = FINE,
	  .needs = has_channels, .after = all_on_record },
	{ "channel-seqpacket", .words = "talk=seqpacket:9000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-message", .words = "talk=message:100000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-unix", .words = "talk=unix:2000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-tcp", .words = "talk=tcp:70000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-tcp6", .words = "talk=tcp6:70000", .want = FINE, .needs = has_channels,
	  .after = all_on_record },
	{ "channel-compat", .words = "talk32=%W/actor32", .want = FINE, .needs = has_compat_too,
	  .after = all_on_record },
	{ 0 },
};
