/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The daemon's heart: calls the stages in their order (ring -> decode -> attribute -> triage ->
 * explain -> store; evidence -> judge -> store -> alert) and keeps the tasks' lives.
 */
#ifndef SANDFAULT_PIPELINE_H
#define SANDFAULT_PIPELINE_H

#include "explain.h"
#include "loop.h"
#include "options.h"
#include "sensors.h"
#include "store.h"

struct pipeline;

struct pipeline_parts {
	struct options *options; /* all borrowed, and outlive the pipeline */
	struct loop *loop;
	struct store *store;
	gid_t gid; /* of the socket; (gid_t)-1: none */
};

/* Logs why it can't. */
int pipeline_new(struct pipeline **ret, const struct pipeline_parts *parts);
/* The helper that looks at files is forked, before there are threads and big memory; then the socket
 * is taken, which a second daemon can't. */
int pipeline_prepare(struct pipeline *p);
/* The sensors are attached: tracked roots, what was open before a restart, the sweep. */
int pipeline_start(struct pipeline *p, struct sensors *sensors);
/* Takes over changed options (already in place). */
void pipeline_reload(struct pipeline *p);
/* A last sweep, then everything is stored; tasks stay open. */
void pipeline_stop(struct pipeline *p);
void pipeline_free(struct pipeline *p);

#endif
