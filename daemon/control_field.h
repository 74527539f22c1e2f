/* SPDX-License-Identifier: GPL-2.0-only */
/* How control_request.c and control_call.c read requests: tables of fields. */
#ifndef SANDFAULT_CONTROL_FIELD_H
#define SANDFAULT_CONTROL_FIELD_H

#include "control_impl.h"

#define FIELD_NAME_MAX 255
#define LABELS_MAX     64

#define A_NAME "a string of 1 to 255 bytes without control characters and #"

struct request {
	struct control_peer *peer;
	uint64_t token;
	struct json_object *object;
	struct label labels[LABELS_MAX];
};

/* Reads a value into its place; false: not allowed. */
typedef bool (*field_fn)(struct request *r, struct json_object *v, void *to);

struct field {
	const char *name;
	field_fn read;
	size_t offset;
	bool required;
	const char *allowed;
};

/* A null counts as absent. false: answered already. */
bool fields_read(struct request *r, const struct field *fields, size_t n, void *to);
void field_invalid(struct request *r, const char *field, const char *allowed);

/* A string without NUL inside, of at most `max` bytes; NULL: something else. Borrowed. */
const char *field_string_of(struct json_object *v, size_t max);
/* Which of `names` the string is; -EINVAL: none of them, or no string. */
int field_index_of(struct json_object *v, const char *const *names, size_t n);
bool field_integer_of(struct json_object *v, int64_t min, int64_t max, int *ret);

/* Readers; strings are borrowed from the request. */
bool field_name(struct request *r, struct json_object *v, void *to);
bool field_cgroup(struct request *r, struct json_object *v, void *to);
bool field_pid(struct request *r, struct json_object *v, void *to);
bool field_exit_code(struct request *r, struct json_object *v, void *to);
bool field_signal(struct request *r, struct json_object *v, void *to);
bool field_scope(struct request *r, struct json_object *v, void *to);
bool field_source(struct request *r, struct json_object *v, void *to);
bool field_outcome(struct request *r, struct json_object *v, void *to);
bool field_level(struct request *r, struct json_object *v, void *to);
bool field_note(struct request *r, struct json_object *v, void *to);
bool field_bool(struct request *r, struct json_object *v, void *to);
bool field_result(struct request *r, struct json_object *v, void *to);
/* The only one of two places: `to` is struct control_begin itself. */
bool field_labels(struct request *r, struct json_object *v, void *to);

/* control_call.c */
void control_call(struct request *r);
/* control_channel.c */
void control_channel(struct request *r);

#endif
