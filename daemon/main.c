/* SPDX-License-Identifier: GPL-2.0-only */
/* sandfaultd: a checklist from the command line to the loop, and back. */
#include <errno.h>
#include <grp.h>
#include <json-c/json.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#include "json.h"
#include "log.h"
#include "loop.h"
#include "notify.h"
#include "options.h"
#include "pipeline.h"
#include "private.h"
#include "sensors.h"
#include "store.h"

#define MMAP_FROM (128 * 1024)
#define NICE	  (-10) /* what a process leaves behind is gone in a millisecond */

struct daemon {
	struct options options;
	struct loop *loop;
	struct store *store;
	struct sensors *sensors;
	struct pipeline *pipeline;
};

static void daemon_clear(struct daemon *d)
{
	pipeline_free(d->pipeline);
	sensors_close(d->sensors);
	store_close(d->store);
	loop_free(d->loop);
	options_clear(&d->options);
}

/* ---- sensors ---- */

/* A ring is a power of two of pages. */
static uint32_t ring_size(int64_t bytes)
{
	uint32_t size = bytes ? 1U << 16 : 0;

	while (size < bytes)
		size <<= 1;
	return size;
}

/* *why (owned): what to say where it fails. */
static int load_sensors(struct daemon *d, char **why)
{
	struct sensors_settings settings = { .signature_entries = d->options.signature_entries,
					     .budget = d->options.budget,
					     .channel_ring = ring_size(d->options.channel_ring),
					     .off = d->options.no_sensor };
	int64_t begun = util_now_boottime(), loaded;
	int r = sensors_open(&d->sensors, &settings, why);

	loaded = util_now_boottime();
	if (r == 0)
		r = sensors_attach(d->sensors, why);
	log_debug("loaded in %lld ms, attached in %lld ms",
		  (long long)((loaded - begun) / NSEC_PER_MSEC),
		  (long long)((util_now_boottime() - loaded) / NSEC_PER_MSEC));
	return r;
}

static int open_sensors(struct daemon *d)
{
	_cleanup_free_ char *why = NULL;
	int r = load_sensors(d, &why);

	if (r < 0)
		log_error("%s", why ? why : strerror(-r));
	return r;
}

/* --check: can this machine be watched? The answer is on stdout, also where it is no. */
static int check(struct daemon *d)
{
	struct json_object *o = json_object_new_object(), *list = json_object_new_array();
	_cleanup_free_ char *why = NULL;
	const struct sensor_record *s = NULL;
	int r = load_sensors(d, &why);
	size_t n = 0;

	if (r < 0)
		json_object_object_add(o, "error",
				       json_object_new_string(why ? why : strerror(-r)));
	else
		s = sensors_list(d->sensors, &n);
	for (size_t i = 0; i < n; i++)
		json_object_array_add(list, json_sensor(&s[i]));
	json_object_object_add(o, "ok", json_object_new_boolean(r == 0));
	json_object_object_add(o, "sensors", list);
	puts(json_line(o));
	json_object_put(o);
	return r;
}

/* ---- the database ---- */

static gid_t group_of(const struct options *o)
{
	struct group *g;

	if (o->foreground_private || !o->group)
		return (gid_t)-1;
	g = getgrnam(o->group);
	if (!g)
		log_warning("there is no group %s: only root can use the socket and read the "
			    "database",
			    o->group);
	return g ? g->gr_gid : (gid_t)-1;
}

static int open_store(struct daemon *d, gid_t gid)
{
	_cleanup_free_ char *aside = NULL;
	int r = store_open(&d->store, d->options.db, gid, &aside);

	if (r != -EUCLEAN)
		return r;
	log_warning("a new database is begun: %s", d->options.db);
	free(aside);
	aside = NULL;
	return store_open(&d->store, d->options.db, gid, &aside);
}

/* ---- signals ---- */

static void on_stop(int signo, void *arg)
{
	struct daemon *d = arg;

	log_info("%s: the last sweep, then the end", strsignal(signo));
	loop_quit(d->loop, 0);
}

/* The file again, under the same command line. What is wrong has been said. */
static void on_reload(int signo, void *arg)
{
	struct daemon *d = arg;
	struct options fresh;
	int r;

	notify_reloading();
	r = options_reread(&fresh, &d->options);
	if (r == 0) {
		r = options_reload(&d->options, &fresh);
		options_clear(&fresh);
	}
	if (r == 0) {
		log_setup("sandfaultd", (enum log_level)d->options.log_level);
		pipeline_reload(d->pipeline);
		log_info("the configuration was read again");
	} else {
		log_error("the configuration stays as it is");
	}
	notify_ready();
}

static int add_signals(struct daemon *d)
{
	int r = loop_add_signal(d->loop, SIGTERM, on_stop, d);

	if (r == 0)
		r = loop_add_signal(d->loop, SIGINT, on_stop, d);
	if (r == 0)
		r = loop_add_signal(d->loop, SIGHUP, on_reload, d);
	signal(SIGPIPE, SIG_IGN);
	return r;
}

/* ---- start ---- */

static int prepare(struct daemon *d)
{
	gid_t gid = group_of(&d->options);
	struct pipeline_parts parts = { .options = &d->options, .gid = gid };
	int r = loop_new(&d->loop);

	if (r == 0)
		r = add_signals(d);
	if (r < 0)
		return log_errno(r, "can't start the event loop");
	r = open_store(d, gid);
	if (r < 0)
		return r;
	parts.loop = d->loop;
	parts.store = d->store;
	r = pipeline_new(&d->pipeline, &parts);
	return r < 0 ? r : pipeline_prepare(d->pipeline);
}

static void ready(struct daemon *d)
{
	static const char word[] = "ready\n";

	malloc_trim(0); /* loading took memory that is never needed again */
	notify_ready();
	log_info("sandfaultd " SANDFAULT_VERSION " is ready: %s, %s", d->options.socket,
		 d->options.db);
	if (d->options.ready_fd < 0)
		return;
	if (write(d->options.ready_fd, word, sizeof(word) - 1) < 0)
		log_warning("nobody waits on file descriptor %d", d->options.ready_fd);
	close(d->options.ready_fd);
	d->options.ready_fd = -1;
}

static int run(struct daemon *d)
{
	int r;

	r = util_be_prompt(NICE); /* the helper's too */
	if (r == 0)
		r = util_session_nice(NICE);
	if (r < 0)
		log_debug("can't raise the priority: %s", strerror(-r));
	r = prepare(d);
	if (r == 0)
		r = open_sensors(d);
	if (r == 0)
		r = pipeline_start(d->pipeline, d->sensors);
	if (r < 0)
		return r;
	ready(d);
	r = loop_run(d->loop);
	notify_stopping();
	pipeline_stop(d->pipeline);
	return r;
}

int main(int argc, char **argv)
{
	_cleanup_free_ char *private = NULL;
	struct daemon d = { 0 };
	int r;

	/* The big buffers of a sweep go back at once, and one arena does for two threads. */
	mallopt(M_MMAP_THRESHOLD, MMAP_FROM);
	mallopt(M_ARENA_MAX, 1);
	log_setup("sandfaultd", LOG_LEVEL_INFO);
	if (options_init(&d.options) < 0)
		return EXIT_FAILURE;
	r = options_parse(&d.options, argc, argv);
	if (r != 0) {
		options_clear(&d.options);
		return r == 1 ? EXIT_SUCCESS : 2;
	}
	log_setup("sandfaultd", (enum log_level)d.options.log_level);
	if (d.options.foreground_private)
	private = strdup(d.options.socket);
	r = d.options.check ? check(&d) : run(&d);
	daemon_clear(&d);
	if (private && r == 0)
		private_remove(private);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
