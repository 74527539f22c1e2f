/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "core.h"
#include "log.h"

#define SAY_AGAIN_NS (60 * NSEC_PER_SEC) /* a disk that stays full is said once a minute */
#define RETAIN_NS    (60 * NSEC_PER_SEC)

int64_t pipeline_utc(const struct pipeline *p, uint64_t boottime_ns)
{
	return boottime_ns ? (int64_t)boottime_ns + p->utc_offset_ns : 0;
}

static void offset_read(struct pipeline *p)
{
	p->utc_offset_ns = util_now_realtime() - util_now_boottime();
}

/* ---- the sweep's turn ---- */

int pipeline_commit(struct pipeline *p)
{
	int64_t now = util_now_boottime();
	int r = store_commit(p->store);

	if (r < 0 && (!p->commit_error || now - p->commit_said_ns > SAY_AGAIN_NS)) {
		log_errno(r, "can't write the database %s, keeping what comes in memory",
			  p->options->db);
		p->commit_said_ns = now;
	} else if (r == 0 && p->commit_error) {
		log_info("the database %s can be written again", p->options->db);
	}
	p->commit_error = r;
	return r;
}

static void retain(struct pipeline *p)
{
	int64_t now = util_now_boottime();

	if (now < p->retain_ns)
		return;
	if (store_retain(p->store, util_now_realtime(), p->options->retain_age_ns,
			 p->options->retain_bytes) <= 0)
		p->retain_ns = now + RETAIN_NS;
}

static void replies(struct pipeline *p)
{
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		if (tr->n_waiters && tr->task->rec.state == STATE_FINAL)
			tracked_reply(p, tr);
	}
	service_flushed(p, p->ticket);
}

static void heartbeat(struct pipeline *p, int64_t stopped_ns)
{
	int64_t now = util_now_realtime();

	counters_store(p, now);
	store_put_daemon(p->store, getpid(), SANDFAULT_VERSION, p->started_ns, now, stopped_ns,
			 p->generation);
}

static void leave_when_idle(struct pipeline *p)
{
	int64_t now = util_now_boottime();
	struct tracked *tr, *next;
	bool busy = control_connections(p->control) > 0;

	if (!p->options->foreground_private)
		return;
	HASH_ITER(hh, p->tracked, tr, next)
	{
		if (!tr->counted_only && tr->task->rec.state != STATE_FINAL)
			busy = true;
	}
	if (busy || !p->idle_since_ns)
		p->idle_since_ns = now;
	else if (now - p->idle_since_ns >= PRIVATE_IDLE_NS)
		loop_quit(p->loop, 0);
}

static void sweep_turn(struct pipeline *p, const struct sweep_result *r)
{
	offset_read(p);
	rings_drain(p);
	if (r->error)
		log_errno(r->error, "can't read the signature maps");
	fold_result(p, r);
	p->ticket = r->ticket;
	p->generation = r->generation;
	if (p->walk_due)
		roots_walk(p);
	roots_check(p);
	rings_sweep_channel(p);
	channels_tick(p);
	tracked_turn(p);
	scope_bury(p);
	scope_leaves(p);
	verdict_alerts(p);
	heartbeat(p, 0);
	pipeline_commit(p);
	sweep_done(p->sweep);
	replies(p);
	retain(p);
	if (p->trim_due)
		malloc_trim(0);
	p->trim_due = false;
	leave_when_idle(p);
}

static void on_sweep(int fd, uint32_t events, void *arg)
{
	struct pipeline *p = arg;
	const struct sweep_result *r = sweep_take(p->sweep);

	if (r)
		sweep_turn(p, r);
}

/* Tasks that have waited long enough for answers are judged without them. */
static void on_settle_timer(void *arg)
{
	struct pipeline *p = arg;
	int64_t now = util_now_boottime(), soonest = 0;
	struct tracked *tr, *next;

	HASH_ITER(hh, p->tracked, tr, next)
	{
		int64_t until = tr->explain_until_ns;

		if (until && until <= now)
			tracked_finalize(p, tr);
		else if (until && (!soonest || until < soonest))
			soonest = until;
	}
	p->settle_armed_ns = soonest;
	if (soonest)
		loop_rearm_timer(p->settle_timer, soonest - now, 0);
	pipeline_commit(p);
	replies(p);
}

/* ---- parts ---- */

int pipeline_watch(struct pipeline *p, int fd, loop_fd_fn fn)
{
	int r = loop_add_fd(p->loop, fd, EPOLLIN, fn, p, &p->sources[p->n_sources]);

	if (r == 0)
		p->n_sources++;
	return r;
}

static struct alert_settings alert_settings_of(const struct options *o)
{
	return (struct alert_settings){
		.window_ns = o->alert_window_ns,
		.min_tasks = o->alert_min_tasks,
		.significance = o->alert_significance,
		.resolve_ns = o->alert_resolve_ns,
	};
}

static int parts_new(struct pipeline *p)
{
	struct alert_settings alerts = alert_settings_of(p->options);
	int r = cgroupfs_new(&p->cgroupfs, p->options->proc_root, p->options->cgroup_root);

	if (r == -ENOENT) {
		log_error("no cgroup2 file system is mounted: mount -t cgroup2 none "
			  "/sys/fs/cgroup/unified");
		return r;
	}
	if (r < 0)
		return log_errno(r, "can't find the cgroup2 file system");
	r = attribute_new(&p->attribution);
	if (r == 0)
		r = mounts_new(&p->mounts);
	if (r == 0)
		r = alert_new(&p->alerts, &alerts);
	if (r == 0)
		r = sink_new(&p->sink, p->loop, p->options->alert_command,
			     p->options->alert_timeout_ns);
	return r < 0 ? log_errno(r, "can't start") : 0;
}

static void pipeline_freep(struct pipeline **p)
{
	pipeline_free(*p);
}

int pipeline_new(struct pipeline **ret, const struct pipeline_parts *parts)
{
	_cleanup_(pipeline_freep) struct pipeline *p = calloc(1, sizeof(*p));
	int r;

	if (!p)
		return -ENOMEM;
	p->options = parts->options;
	p->loop = parts->loop;
	p->store = parts->store;
	p->gid = parts->gid;
	p->started_ns = util_now_realtime();
	p->own_mntns = procfs_namespace(p->options->proc_root, getpid(), "mnt");
	offset_read(p);
	if (p->options->record) {
		r = tape_create(&p->tape, p->options->record, p->own_mntns);
		if (r < 0)
			return log_errno(r, "can't record to %s", p->options->record);
	}
	r = parts_new(p);
	if (r < 0)
		return r;
	r = roots_load(p);
	if (r < 0)
		return r;
	*ret = TAKE_PTR(p);
	return 0;
}

int pipeline_prepare(struct pipeline *p)
{
	int r = explain_new(&p->explainer, p->loop, EXPLAIN_TIME_NS, inquiry_answer, p);

	if (r < 0)
		return log_errno(r, "can't start the helper that looks at files");
	r = channels_new(p);
	if (r < 0)
		return r;
	return control_new(&p->control, p->loop, p->options->socket, p->gid, &service_ops, p);
}

int pipeline_start(struct pipeline *p, struct sensors *sensors)
{
	size_t n;
	const struct sensor_record *records = sensors_list(sensors, &n);
	int r;

	p->sensors = sensors;
	p->maps = sensors_maps(sensors);
	r = rings_new(p);
	if (r < 0)
		return r;
	/* Before there are threads; it is no loss of evidence where it can't be had. */
	r = scout_new(&p->scout, p->loop, p->maps->urgent, p->own_mntns, inquiry_scouted, p);
	if (r < 0)
		log_errno(r, "can't start the scout, files are looked at without it");
	store_put_sensors(p->store, records, n);
	verdict_alerts_load(p);
	resume_tasks(p);
	roots_walk(p);
	channels_start(p);
	heartbeat(p, 0);
	pipeline_commit(p);
	r = mover_new(&p->mover, p->loop);
	if (r < 0)
		return log_errno(r, "can't start the thread that moves processes");
	r = sweep_new(&p->sweep, p->sensors, p->options->sweep_interval_ns);
	if (r < 0)
		return log_errno(r, "can't start the sweep");
	r = rings_watch(p);
	if (r == 0)
		r = pipeline_watch(p, sweep_fd(p->sweep), on_sweep);
	if (r == 0)
		r = loop_add_timer(p->loop, EXPLAIN_WAIT_NS, 0, on_settle_timer, p,
				   &p->settle_timer);
	return r < 0 ? log_errno(r, "can't watch the rings") : 0;
}

void pipeline_reload(struct pipeline *p)
{
	struct alert_settings alerts = alert_settings_of(p->options);

	alert_set(p->alerts, &alerts);
	sink_set(p->sink, p->options->alert_command, p->options->alert_timeout_ns);
	p->retain_ns = 0; /* a lower bound holds from now on */
	roots_forget(p);
	if (roots_load(p) == 0)
		roots_walk(p);
}

/* Stops answering, then takes over what the kernel has up to now. */
void pipeline_stop(struct pipeline *p)
{
	const struct sweep_result *r;
	int64_t until = util_now_boottime() + NSEC_PER_SEC;
	uint64_t ticket;

	tracked_refuse_waiters(p);
	mover_free(TAKE_PTR(p->mover));
	begin_stop(p);
	control_free(p->control);
	p->control = NULL;
	ticket = sweep_request(p->sweep);
	while (p->ticket < ticket && util_now_boottime() < until) {
		r = sweep_wait(p->sweep, 100);
		if (!r)
			continue;
		rings_drain(p);
		rings_drain_channel(p);
		fold_result(p, r);
		p->ticket = r->ticket;
		p->generation = r->generation;
		tracked_store_all(p);
		sweep_done(p->sweep);
	}
	scope_leaves(p);
	heartbeat(p, util_now_realtime());
	pipeline_commit(p);
}

void pipeline_free(struct pipeline *p)
{
	struct question *q, *next_q;
	struct tracked *tr, *next;

	if (!p)
		return;
	loop_remove(p->settle_timer);
	while (p->n_sources)
		loop_remove(p->sources[--p->n_sources]);
	control_free(p->control);
	mover_free(p->mover);
	sweep_free(p->sweep);
	scout_free(p->scout);
	channels_free(p);
	free(p->early);
	explain_free(p->explainer);
	HASH_ITER(hh, p->tracked, tr, next)
	{
		tracked_free(p, tr);
	}
	HASH_ITER(hh, p->questions, q, next_q)
	{
		HASH_DEL(p->questions, q);
		free(q);
	}
	verdict_alerts_free(p);
	rings_free(p);
	tape_close(p->tape);
	sink_free(p->sink);
	alert_free(p->alerts);
	mounts_free(p->mounts);
	attribute_free(p->attribution);
	if (p->cgroupfs)
		scope_leave(p);
	cgroupfs_free(p->cgroupfs);
	roots_free(p);
	for (size_t i = 0; i < p->n_leaves; i++)
		free(p->leaves[i].path);
	free(p->leaves);
	free(p->dead);
	free(p->flushes);
	free(p);
}
