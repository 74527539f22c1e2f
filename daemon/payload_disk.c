/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The server's files are looked up with their digests; most are what they should be, and that is
 * all. Of one that is not the bytes come along. Times, and what the session did, decide whether it
 * can be compared at all: a file that somebody wrote to since is another matter.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <utlist.h>

#include "payload_internal.h"
#include "traversal.h"

#define SKEW_NS (2 * NSEC_PER_MSEC)

/* ---- times ---- */

/* Of boottime ns: the same moment as the file system's clock has it. */
int64_t payload_file_time(uint64_t boottime)
{
	return (int64_t)boottime + util_now_realtime() - util_now_boottime();
}

static bool within(const struct disk_file *f, uint64_t started_ns, uint64_t ended_ns)
{
	return f->mtime_ns >= payload_file_time(started_ns) - PAYLOAD_COARSE_NS &&
	       f->mtime_ns <= payload_file_time(ended_ns);
}

bool payload_wrote(const struct work *w, const struct disk_file *f)
{
	return within(f, w->started_ns, w->ended_ns);
}

/* A file's times lag by a tick of the kernel at most (current_time(), fs/inode.c), and servers may be up, and
 * asked, a moment after their files were made. */
static bool written_before(const struct work *w, const struct disk_file *f)
{
	struct timespec tick = { .tv_nsec = PAYLOAD_COARSE_NS };

	clock_getres(CLOCK_REALTIME_COARSE, &tick);
	return f->mtime_ns + tick.tv_nsec + SKEW_NS < payload_file_time(w->started_ns);
}

/* ---- what was written ---- */

bool payload_same(const struct disk_file *f, const uint8_t *digest)
{
	return f->digested && memcmp(f->digest, digest, CALL_DIGEST) == 0;
}

bool payload_is_given(const struct handed *h, const struct disk_file *f)
{
	if (payload_same(f, h->content->digest))
		return h->encoding <= SHAPE_MAYBE;
	return h->decodes && payload_same(f, h->decoded_digest);
}

static void note_seen(struct work *w, size_t pair, const struct disk_file *f)
{
	struct known *k = payload_known(w->payload, w->session, w->pairs[pair].path);

	if (!k || k->given != w->pairs[pair].content)
		return;
	k->seen = true;
	memcpy(k->disk, f->digest, sizeof(k->disk));
}

/* The one file that a path can mean, of those that `may`; NULL: none, or more than one. */
static const struct disk_file *only_file(const struct work *w, const struct disk_answer *a,
					 size_t pair,
					 bool (*may)(const struct work *, const struct disk_file *))
{
	const struct disk_file *found = NULL;

	for (size_t i = 0; i < a->n_files; i++) {
		const struct disk_file *f = &a->files[i];

		if (f->asked != pair || !f->digested || !f->steady || (may && !may(w, f)))
			continue;
		if (found && (found->dev != f->dev || found->ino != f->ino))
			return NULL;
		found = f;
	}
	return found;
}

static void add_finding(struct work *w, const struct finding *f, const char *path)
{
	finding_add(w->call, f, path, w->payload->o.excerpt);
}

static void say_written(struct work *w, size_t pair, const struct finding *found)
{
	const struct handed *h = &w->pairs[pair];
	struct known *k = payload_known(w->payload, w->session, h->path);

	if (k && k->given == h->content) {
		if (k->damaged) /* a call that read it has said so */
			return;
		k->damaged = found->sure; /* of a sign a read may yet make sure */
	}
	add_finding(w, found, h->path);
}

/* Compares the bytes that have come. What may just not be written to its end is looked at again. */
static void compare_written(struct work *w, size_t pair, const struct disk_answer *a, bool settled)
{
	const struct disk_file *f = &a->files[a->read];
	const struct handed *h = &w->pairs[pair];
	struct copy given = { h->content->data, h->content->len };
	struct finding found;
	struct ask *k;

	if (!f->steady || !payload_wrote(w, f) || !payload_is_last(w, pair) || !given.data)
		return;
	note_seen(w, pair, f);
	if (!find_write(&found, given, h->encoding, h->path, (struct copy){ a->bytes, a->len },
			w->plain))
		return;
	/* Whoever empties a file right after the answer leaves the same time as the tool would. */
	if (!a->len && f->mtime_ns + PAYLOAD_COARSE_NS > payload_file_time(w->ended_ns))
		found.sure = false;
	if (found.cut && !settled) {
		k = payload_ask_bytes(w, ASK_BYTES, pair, f->real);
		if (k) {
			k->found = found;
			return;
		}
		found.sure = false;
	}
	say_written(w, pair, &found);
}

static void check_written(struct work *w, const struct disk_answer *a, size_t pair)
{
	const struct handed *h = &w->pairs[pair];
	const struct disk_file *f;

	for (size_t i = 0; i < a->n_files; i++) {
		if (a->files[i].asked != pair || !payload_is_given(h, &a->files[i]))
			continue;
		note_seen(w, pair, &a->files[i]);
		return;
	}
	f = only_file(w, a, pair, payload_wrote);
	if (!f || !h->content->data || !payload_is_last(w, pair))
		return;
	if (a->bytes && f == &a->files[a->read])
		compare_written(w, pair, a, false);
	else
		payload_ask_bytes(w, ASK_BYTES, pair, f->real);
}

/* The second look. Where there is nothing to see any more, the first is but a sign. */
static void settle_written(struct work *w, struct ask *k, const struct disk_answer *a)
{
	if (a && a->bytes) {
		compare_written(w, k->pair, a, true);
	} else if (k->found.kind) {
		k->found.sure = false;
		say_written(w, k->pair, &k->found);
	}
}

/* ---- what was read ---- */

/* What the session itself wrote stands there; where that was not seen then, nobody wrote since. */
static bool is_ours(const struct work *w, const struct disk_file *f)
{
	const struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);

	if (!payload_stands(w, k))
		return false;
	return k->seen ? payload_same(f, k->disk) : within(f, k->started_ns, k->ended_ns);
}

static bool may_read(const struct work *w, const struct disk_file *f)
{
	const struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);

	if (k && k->open) /* a write of the session is under way */
		return false;
	return written_before(w, f) || is_ours(w, f);
}

static void compare_read(struct work *w, const struct disk_answer *a)
{
	const struct disk_file *f = &a->files[a->read];
	struct finding found;

	if (!f->steady || !w->back->data || !may_read(w, f))
		return;
	if (find_read(&found, (struct copy){ a->bytes, a->len },
		      (struct copy){ w->back->data, w->back->len }, w->plain,
		      is_ours(w, f) || (w->back != w->shown && w->back->len)))
		add_finding(w, &found, w->pairs[0].path);
}

/* It was handed back as it stands there: and is that what was handed in? The write's own look may
 * have come too late. */
static void check_given(struct work *w, const struct disk_file *f)
{
	struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);
	struct finding found;

	if (!payload_stands(w, k) || k->damaged || !k->given->data || !w->back->data ||
	    !within(f, k->started_ns, k->ended_ns) || (!w->back->len && k->given->len))
		return;
	if (!find_write(&found, (struct copy){ k->given->data, k->given->len }, k->encoding,
			k->path, (struct copy){ w->back->data, w->back->len }, k->plain))
		return;
	k->damaged = found.sure;
	add_finding(w, &found, w->pairs[0].path);
}

/* What the session wrote stands there, and what it had read before that was handed back: of a cache. */
static bool check_old(struct work *w, const struct disk_file *f)
{
	const char *path = w->pairs[0].path;
	const struct known *k = payload_known(w->payload, w->session, path);
	const uint8_t *nl = w->back->data ? memchr(w->back->data, '\n', w->back->len) : NULL;

	if (!f || !is_ours(w, f) || !payload_is_old(w, k))
		return false;
	/* "Too large to be shown" is no content. */
	if (!k->old_seen && (!nl || nl + 1 == w->back->data + w->back->len))
		return false;
	fault_add(w->call, CAUSE_PAYLOAD_CORRUPTED, LEG_READ, k->old_seen, 0,
		  (struct copy){ path, strlen(path) },
		  "what an earlier call handed back was handed back again; since then the session "
		  "has written another content there, and that stands on disk");
	return true;
}

static void check_read(struct work *w, const struct disk_answer *a)
{
	const struct disk_file *f;
	bool there = false;

	if (!w->back)
		return;
	for (size_t i = 0; i < a->n_files; i++) {
		if (a->files[i].asked != 0)
			continue;
		if (payload_same(&a->files[i], w->back->digest)) {
			read_was_seen(w);
			check_given(w, &a->files[i]);
			return;
		}
		there = true;
	}
	f = only_file(w, a, 0, may_read);
	if (!there)
		payload_round(w);
	else if (check_old(w, f))
		return;
	else if (f && a->bytes && f == &a->files[a->read])
		compare_read(w, a);
	else if (f && w->back->data)
		payload_ask_bytes(w, ASK_BYTES, 0, f->real);
}

/* A picture that comes back as text is damaged, whatever stands on disk; said where nothing else
 * was, and where the session did not itself put it there. Of another text U+FFFD is a sign at most. */
static void look_at_read(struct work *w)
{
	const struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);
	struct damage_signs s;
	struct finding found = { .leg = LEG_NONE, .sure = true };

	if (!w->back || w->back != w->shown || !w->back->data || w->call->n_faults)
		return;
	if (k && k->given && memcmp(k->given->digest, w->back->digest, CALL_DIGEST) == 0)
		return;
	s = damage_signs(w->back->data, w->back->len);
	if (!s.magic && s.replacements)
		fault_add(w->call, CAUSE_ENCODING_REPLACEMENT, LEG_NONE, false, s.first,
			  (struct copy){ w->pairs[0].path, strlen(w->pairs[0].path) },
			  "U+FFFD stands in what was handed back, from byte %zu on; what stood on "
			  "disk "
			  "could not be seen any more",
			  s.first);
	if (!s.magic)
		return;
	found.kind = s.magic_by;
	found.is_len = found.was_len = w->back->len;
	add_finding(w, &found, w->pairs[0].path);
}

void payload_round(struct work *w)
{
	const struct known *k = payload_known(w->payload, w->session, w->pairs[0].path);
	struct finding found;

	if (!w->call || w->verb != SHAPE_READ || w->n_pairs != 1 || !w->back || !w->pairs[0].path)
		return;
	if (payload_stands(w, k) && k->given->data && w->back->data && !k->damaged &&
	    find_round(&found, (struct copy){ k->given->data, k->given->len }, k->encoding,
		       (struct copy){ w->back->data, w->back->len }, w->plain))
		add_finding(w, &found, w->pairs[0].path);
	look_at_read(w);
}

/* ---- the client's own ---- */

/* With the client's file, or without: then a damaged magic still can't lie. */
void payload_client(struct work *w, const struct disk_answer *a)
{
	const struct handed *h = &w->pairs[w->signs_pair];
	struct copy given = { h->content->data, h->content->len };
	const char *path = h->path ? h->path : w->call && w->call->tool ? w->call->tool : "";
	struct finding found = {
		.leg = LEG_NONE, .sure = true, .was_len = given.len, .is_len = given.len
	};

	if (!w->call)
		return;
	if (a && a->bytes && given.data &&
	    find_client(&found, (struct copy){ a->bytes, a->len }, given)) {
		add_finding(w, &found, path);
		return;
	}
	if (!w->signs.magic)
		return;
	found.kind = w->signs.magic_by;
	add_finding(w, &found, path);
}

/* ---- answers ---- */

/* The name was no UTF-8, and what was done was done to a file of another name. */
static void check_renamed(struct work *w, const struct disk_answer *a, int also)
{
	const char *path = w->pairs[0].path;
	bool other = false;

	if (!path || also < 0 || payload_is_utf8(path))
		return;
	for (size_t i = 0; i < a->n_files; i++) {
		const struct disk_file *f = &a->files[i];

		if (f->asked == 0)
			return;
		other |= f->asked == also && ((w->back && payload_same(f, w->back->digest)) ||
					      (w->verb != SHAPE_READ && payload_wrote(w, f)));
	}
	if (other)
		fault_add(
			w->call, CAUSE_ENCODING_UTF8, LEG_NONE, true, 0,
			(struct copy){ path, strlen(path) },
			"the name is not valid UTF-8, and the file that was meant is another one, "
			"with U+FFFD in its name");
}

static void take_server(struct work *w, const struct disk_answer *a)
{
	int also = w->n_pairs < DISK_PATHS ? (int)w->n_pairs : -1;

	for (size_t i = 0; i < w->n_pairs; i++) {
		if (!w->pairs[i].path || !w->pairs[i].path[0])
			continue;
		payload_outside(w, a, i, i == 0 ? also : -1);
		if (w->verb == SHAPE_WRITE && w->pairs[i].content)
			check_written(w, a, i);
	}
	if (w->verb == SHAPE_READ && w->n_pairs == 1)
		check_read(w, a);
	check_renamed(w, a, also);
}

static void take(struct work *w, struct ask *k, const struct disk_answer *a)
{
	switch (k->kind) {
	case ASK_PROOF:
		payload_proof(w, k, a);
		break;
	case ASK_CLIENT:
		payload_client(w, a);
		break;
	case ASK_LOST:
		payload_lost(w, a);
		break;
	case ASK_HELD:
		payload_client_holds(w, a);
		break;
	case ASK_SERVER:
		if (a)
			take_server(w, a);
		else
			payload_round(w);
		break;
	case ASK_BYTES:
		if (w->verb == SHAPE_WRITE)
			settle_written(w, k, a);
		else if (a && a->bytes)
			compare_read(w, a);
		else
			payload_round(w);
		break;
	}
}

void payload_on_answer(int err, const struct disk_answer *a, void *arg)
{
	struct ask *k = arg;
	struct work *w = k->work;

	DL_DELETE(w->payload->asks, k);
	/* That the process has gone is its right. */
	w->payload->unseen += err == -ETIME || err == -EPIPE;
	if (w->call)
		take(w, k, err ? NULL : a);
	if (w->call)
		payload_veil(w->payload, w->call);
	payload_fault_free(k->fault);
	free(k);
	w->questions--;
	work_settle(w);
}
