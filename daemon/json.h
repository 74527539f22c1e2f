/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records as JSON (json-c). The shapes are a contract, see docs/json.md. Hostile bytes are escaped
 * (util_escape), so that the output always is valid UTF-8 JSON. Returned objects are owned by the
 * caller (json_object_put); NULL: no memory.
 */
#ifndef SANDFAULT_JSON_H
#define SANDFAULT_JSON_H

#include <json-c/json.h>

#include "query.h"
#include "record.h"

#define JSON_SCHEMA 1

/* Flags for a tokener that is to take a text of this kind and nothing looser. */
int json_strict(const char *text, size_t len);
/* RFC 3339 UTC with ns: "2026-11-29T17:00:00.123456789Z"; buf of at least 40 bytes. */
void json_time(int64_t ns, char *buf, size_t size);
/* Adds a string with hostile bytes escaped; NULL text -> null. */
void json_add_bytes(struct json_object *o, const char *key, const void *data, size_t len);
void json_add_time(struct json_object *o, const char *key, int64_t ns); /* 0 -> null */

/* The whole task: identity, outcome, verdict, failures (handled ones only with `all`). */
struct json_object *json_task(const struct task_record *t, bool all);
struct json_object *json_failure(const struct failure_record *f);
/* A failure with the identity of its task ("campaign", "task", "attempt"), for lists and watch. */
struct json_object *json_failure_of(const struct failure_record *f, const struct task_record *t);
struct json_object *json_call(const struct call_record *c);
/* A call with the identity of its task, for lists. */
struct json_object *json_call_of(const struct call_record *c, const struct task_record *t);
struct json_object *json_incident(const struct incident_record *i);
struct json_object *json_alert(const struct alert_record *a);
struct json_object *json_sensor(const struct sensor_record *s);
/* One line, no newline inside; owned by the object. */
const char *json_line(struct json_object *o);

#endif
