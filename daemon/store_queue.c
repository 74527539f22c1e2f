/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What waits for the next commit: copies, bounded in bytes. A record that only the newest version
 * of matters (a task, its failures, a counter) takes the place of an older one, so that a disk
 * that stays full does not fill the queue with history.
 */
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <utlist.h>

#include "log.h"
#include "store_internal.h"

#define CALL_BATCH 256 /* calls in one item, which is one savepoint */

static void calls_free(struct item *i)
{
	for (size_t n = 0; n < i->calls.n; n++)
		call_record_clear(&i->calls.rows[n]);
	free(i->calls.rows);
}

static void item_free(struct item *i)
{
	if (!i)
		return;
	switch (i->kind) {
	case ITEM_TASK:
	case ITEM_FAILURES:
	case ITEM_LATE:
		task_record_clear(&i->task);
		break;
	case ITEM_TALLY:
		free(i->tally.rows);
		break;
	case ITEM_CALLS:
		calls_free(i);
		break;
	case ITEM_INCIDENT:
		incident_record_clear(&i->incident);
		break;
	case ITEM_RESULT:
		free(i->result.why);
		break;
	case ITEM_ALERT:
		alert_record_clear(&i->alert);
		break;
	case ITEM_SENSORS:
		for (size_t n = 0; n < i->sensors.n; n++)
			sensor_record_clear(&i->sensors.rows[n]);
		free(i->sensors.rows);
		break;
	case ITEM_COUNTER:
		free(i->counter.name);
		break;
	case ITEM_DAEMON:
		free(i->daemon.version);
		break;
	case ITEM_GAP:
		free(i->gap.reason);
		break;
	case ITEM_MAX:
		break;
	}
	free(i->key);
	free(i);
}

static void item_freep(struct item **i)
{
	item_free(*i);
}

static struct item *item_new(enum item_kind kind, size_t size)
{
	struct item *i = calloc(1, sizeof(*i));

	if (i) {
		i->kind = kind;
		i->size = sizeof(*i) + size;
	}
	return i;
}

static void queue_remove(struct store *s, struct item *i)
{
	if (i->key)
		HASH_DEL(s->keyed, i);
	DL_DELETE(s->queue, i);
	s->queued -= i->size;
	item_free(i);
}

/* Takes over i. -ENOBUFS: no room, dropped and counted. */
static int queue_add(struct store *s, struct item *i)
{
	struct item *old = NULL;

	if (i->key)
		HASH_FIND_STR(s->keyed, i->key, old);
	if (s->queued - (old ? old->size : 0) + i->size > STORE_QUEUE_MAX) {
		item_free(i);
		s->dropped++;
		return -ENOBUFS;
	}
	s->queued += i->size;
	if (old) {
		DL_REPLACE_ELEM(s->queue, old, i);
		HASH_DEL(s->keyed, old);
		s->queued -= old->size;
		item_free(old);
	} else {
		DL_APPEND(s->queue, i);
	}
	if (i->key)
		HASH_ADD_KEYPTR(hh, s->keyed, i->key, strlen(i->key), i);
	return 0;
}

void store_queue_clear(struct store *s)
{
	struct item *i, *next;

	HASH_CLEAR(hh, s->keyed);
	DL_FOREACH_SAFE(s->queue, i, next)
	item_free(i);
	s->queue = NULL;
	s->queued = 0;
}

static int item_key(struct item *i, const char *fmt, ...) _printf_(2, 3);
static int item_key(struct item *i, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&i->key, fmt, ap);
	va_end(ap);
	if (n >= 0)
		return 0;
	i->key = NULL;
	return -ENOMEM;
}

static int put_task(struct store *s, const struct task_record *t, enum item_kind kind)
{
	_cleanup_(item_freep) struct item *i = item_new(kind, 0);

	if (!i || task_record_copy(&i->task, t, kind != ITEM_TASK) < 0)
		return -ENOMEM;
	i->size += task_record_size(&i->task);
	/* Late failures are not replaced: each lot adds to the one before. */
	if (kind != ITEM_LATE &&
	    item_key(i, "%c%lld", kind == ITEM_TASK ? 't' : 'f', (long long)t->id) < 0)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_task(struct store *s, const struct task_record *t)
{
	if (t->id < STORE_INSTANCE_KERNEL && t->id >= s->next_instance)
		s->next_instance = t->id + 1;
	return put_task(s, t, ITEM_TASK);
}

int store_put_failures(struct store *s, const struct task_record *t, bool only_add)
{
	return put_task(s, t, only_add ? ITEM_LATE : ITEM_FAILURES);
}

int store_add_tally(struct store *s, const struct tally_record *rows, size_t n)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_TALLY, n * sizeof(*rows));

	if (n == 0)
		return 0;
	if (!i)
		return -ENOMEM;
	i->tally.rows = malloc(n * sizeof(*rows));
	if (!i->tally.rows)
		return -ENOMEM;
	memcpy(i->tally.rows, rows, n * sizeof(*rows));
	i->tally.n = n;
	return queue_add(s, TAKE_PTR(i));
}

/* The item that calls are gathered in: the queue's last, where it is one. NULL: no memory. */
static struct item *calls_item(struct store *s)
{
	struct item *i = s->queue ? s->queue->prev : NULL;

	if (i && i->kind == ITEM_CALLS && i->calls.n < CALL_BATCH)
		return i;
	i = item_new(ITEM_CALLS, 0);
	return i && queue_add(s, i) == 0 ? i : NULL;
}

int store_put_call(struct store *s, const struct call_record *c)
{
	size_t size = call_record_size(c);
	struct item *i;
	void *rows;

	if (s->queued + sizeof(*i) + size > STORE_QUEUE_MAX) {
		s->dropped++;
		return -ENOBUFS;
	}
	i = calls_item(s);
	if (!i)
		return -ENOMEM;
	rows = i->calls.rows;
	if (util_grow(&rows, &i->calls.cap, i->calls.n + 1, sizeof(*c)) < 0)
		return -ENOMEM;
	i->calls.rows = rows;
	if (call_record_copy(&i->calls.rows[i->calls.n], c) < 0)
		return -ENOMEM;
	i->calls.n++;
	i->size += size;
	s->queued += size;
	return 0;
}

int store_put_incident(struct store *s, const struct incident_record *r)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_INCIDENT, r->say ? strlen(r->say) : 0);

	if (!i || incident_record_copy(&i->incident, r) < 0)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_result(struct store *s, int64_t task, enum campaign_result result, const char *why)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_RESULT, why ? strlen(why) : 0);

	if (!i)
		return -ENOMEM;
	i->result.task = task;
	i->result.result = result;
	i->result.why = why ? strdup(why) : NULL;
	if ((why && !i->result.why) || item_key(i, "r%lld", (long long)task) < 0)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_alert(struct store *s, struct alert_record *a)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_ALERT, 1024);

	if (!i || alert_record_copy(&i->alert, a) < 0)
		return -ENOMEM;
	i->alert.id = a->id ?: s->next_alert;
	if (item_key(i, "a%lld", (long long)i->alert.id) < 0)
		return -ENOMEM;
	if (!a->id)
		a->id = s->next_alert++;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_sensors(struct store *s, const struct sensor_record *rows, size_t n)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_SENSORS, n * 512);

	if (!i)
		return -ENOMEM;
	i->sensors.rows = calloc(n + 1, sizeof(*rows));
	if (!i->sensors.rows || item_key(i, "s") < 0)
		return -ENOMEM;
	for (; i->sensors.n < n; i->sensors.n++)
		if (sensor_record_copy(&i->sensors.rows[i->sensors.n], &rows[i->sensors.n]) < 0)
			return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_counter(struct store *s, const char *name, int64_t value, int64_t now_ns)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_COUNTER, strlen(name) * 2);

	if (!i)
		return -ENOMEM;
	i->counter.name = strdup(name);
	i->counter.value = value;
	i->counter.now_ns = now_ns;
	if (!i->counter.name || item_key(i, "c%s", name) < 0)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_put_daemon(struct store *s, int64_t pid, const char *version, int64_t started_ns,
		     int64_t now_ns, int64_t stopped_ns, uint64_t generation)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_DAEMON, 0);

	if (!i)
		return -ENOMEM;
	i->daemon = (struct daemon_row){
		.pid = pid,
		.started_ns = started_ns,
		.now_ns = now_ns,
		.stopped_ns = stopped_ns,
		.generation = generation,
		.version = strdup(version),
	};
	if (!i->daemon.version || item_key(i, "d") < 0)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

int store_add_gap(struct store *s, int64_t from_ns, int64_t to_ns, const char *reason)
{
	_cleanup_(item_freep) struct item *i = item_new(ITEM_GAP, strlen(reason));

	if (!i)
		return -ENOMEM;
	i->gap.from_ns = from_ns;
	i->gap.to_ns = to_ns;
	i->gap.reason = strdup(reason);
	if (!i->gap.reason)
		return -ENOMEM;
	return queue_add(s, TAKE_PTR(i));
}

static int run(struct store *s, enum store_statement which)
{
	_cleanup_stmt_ struct db_stmt q = {};
	int r;

	r = store_use(s, which, &q);
	return r < 0 ? r : db_run(&q);
}

/* A record that breaks a constraint would hold up all that come behind it for ever: it alone is
 * undone and dropped. */
static int write_guarded(struct store *s, struct item *i)
{
	int r;

	i->refused = 0;
	r = run(s, ST_SAVEPOINT);
	if (r < 0)
		return r;
	r = store_write(s, i);
	if (r == -EINVAL || r == -E2BIG) {
		log_debug("%s: a record of kind %d is refused: %s", s->path, (int)i->kind,
			  sqlite3_errmsg(s->h));
		i->refused = 1;
		r = run(s, ST_UNDO);
	}
	return r < 0 ? r : run(s, ST_RELEASE);
}

void store_rollback(struct store *s)
{
	if (!sqlite3_get_autocommit(s->h))
		db_exec(s->h, "ROLLBACK");
}

int store_commit(struct store *s)
{
	struct item *i, *next;
	unsigned int refused = 0;
	int r;

	if (!s->queue)
		return 0;
	r = run(s, ST_BEGIN);
	if (r < 0)
		return r;
	s->next_failure = 0;
	for (i = s->queue; i && r >= 0; i = i->next)
		r = write_guarded(s, i);
	if (r >= 0)
		r = run(s, ST_COMMIT);
	if (r < 0) {
		store_rollback(s);
		return r;
	}
	DL_FOREACH_SAFE(s->queue, i, next)
	{
		refused += i->refused;
		queue_remove(s, i);
	}
	s->dropped += refused;
	if (refused)
		log_error("%s: %u records break the database's own rules and were dropped", s->path,
			  refused);
	return 0;
}

size_t store_queued(const struct store *s)
{
	return s->queued;
}

uint64_t store_dropped(const struct store *s)
{
	return s->dropped;
}
