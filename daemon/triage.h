/* SPDX-License-Identifier: GPL-2.0-only */
/* A first look at a signature by its key and text alone: noise, candidate, or candidate whose
 * state will soon be gone. */
#ifndef SANDFAULT_TRIAGE_H
#define SANDFAULT_TRIAGE_H

#include "model.h"

enum triage {
	TRIAGE_NOISE = 0,     /* only its number is kept */
	TRIAGE_CANDIDATE = 1, /* kept for the judge */
	TRIAGE_EXPLAIN = 2,   /* … and state is fetched now */
	TRIAGE_SUCCESS = 3,   /* a success that matters (errno 0) */
};

enum triage triage_signature(const struct signature *s);
/* Fills path and want of a request for a signature that triages to TRIAGE_EXPLAIN; the caller adds
 * id, pids and mntns. false: there is nothing to ask. */
bool triage_request(const struct signature *s, struct explain_request *r);

#endif
