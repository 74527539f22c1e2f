/* SPDX-License-Identifier: GPL-2.0-only */
/* Calls whose path left the task's own tree, and what proves that they were let through. */
#include <string.h>
#include <sys/stat.h>

#include "payload_internal.h"
#include "redact.h"
#include "traversal.h"

#define LINE_MIN 8  /* bytes of a line that can't well stand there by chance */
#define LINE_CMP 64 /* compared of it */

static int64_t since(const struct work *w)
{
	const struct payload_options *o = &w->payload->o;
	uint64_t began = o->began && w->instance ? o->began(w->instance, o->arg) : 0;

	if (!began)
		began = w->server.start_ns;
	return began ? payload_file_time(began) - PAYLOAD_COARSE_NS : 0;
}

static struct call_fault *traversal_fault(const struct work *w, const struct traversal *t,
					  const char *path)
{
	static const char *const trees[] = {
		[DISK_ROOT_DECLARED] = "the declared roots",
		[DISK_ROOT_ARGUMENT] = "the directories that the server was given",
		[DISK_ROOT_CWD] = "the server's working directory",
	};
	_cleanup_free_ char *real = util_escape(t->file->real, strlen(t->file->real));
	struct call_fault *f = calloc(1, sizeof(*f));
	bool veiled = w->payload->o.shapes_only;

	if (!f)
		return NULL;
	*f = (struct call_fault){ .cause = CAUSE_PATH_TRAVERSAL };
	if (!real || redact_text(&f->subject, path, strlen(path), PATH_MAX) < 0 ||
	    asprintf(&f->say, "%s led out of %s%s%s",
		     t->by == TRAVERSAL_DOTS ? "\"..\"" : "a symbolic link", trees[t->tree],
		     veiled ? "" : ", to ", veiled ? "" : real) < 0) {
		f->say = NULL;
		payload_fault_free(f);
		return NULL;
	}
	return f;
}

static void say_traversal(struct work *w, struct call_fault *f, bool sure)
{
	f->sure = sure;
	if (w->call) {
		call_add_fault(w->call, f); /* takes its strings */
		free(f);
	} else {
		payload_fault_free(f);
	}
}

/* A line of the file stands in what was shown: in whatever format, numbered or framed. */
static bool shows_it(const struct blob *shown, const uint8_t *data, size_t len)
{
	const uint8_t *end = data + len;

	if (!shown || !shown->data)
		return false;
	while (data < end) {
		const uint8_t *nl = memchr(data, '\n', (size_t)(end - data));
		size_t n = (size_t)((nl ? nl : end) - data);

		while (n && (*data == ' ' || *data == '\t')) {
			data++;
			n--;
		}
		if (n >= LINE_MIN)
			return memmem(shown->data, shown->len, data, n < LINE_CMP ? n : LINE_CMP);
		data += n + 1;
	}
	return false;
}

void payload_proof(struct work *w, struct ask *k, const struct disk_answer *a)
{
	struct call_fault *f = k->fault;

	k->fault = NULL;
	say_traversal(w, f, a && a->bytes && shows_it(w->shown, a->bytes, a->len));
}

/* The path alone proves nothing: a tool may have its files in a place of its own. That it
 * showed what stands there, or wrote there, does. */
void payload_outside(struct work *w, const struct disk_answer *a, size_t pair, int also)
{
	struct traversal t = traversal_check(a, (int)pair, also, since(w));
	const struct handed *h = &w->pairs[pair];
	struct call_fault *f = t.by ? traversal_fault(w, &t, h->path) : NULL;
	struct ask *k;

	if (!f)
		return;
	if (h->content && payload_is_given(h, t.file)) {
		say_traversal(w, f, true);
	} else if (w->verb == SHAPE_WRITE || !S_ISREG(t.file->mode)) {
		say_traversal(w, f,
			      t.tree != DISK_ROOT_CWD && (w->lists || payload_wrote(w, t.file)));
	} else if (w->back && payload_same(t.file, w->back->digest)) {
		say_traversal(w, f, true);
	} else if (a->bytes && t.file == &a->files[a->read]) {
		say_traversal(w, f, shows_it(w->shown, a->bytes, a->len));
	} else {
		k = w->shown && t.file->digested
			    ? payload_ask_bytes(w, ASK_PROOF, pair, t.file->real)
			    : NULL;
		if (k)
			k->fault = f;
		else
			say_traversal(w, f, false);
	}
}
