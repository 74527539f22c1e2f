/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What of a call may be kept: its arguments and what its answer says, without secrets. A secret is
 * told by the name it stands under (password, api_key, authorization …, however written) or by its
 * shape (Bearer …, sk-…, ghp_…, AKIA…, JWT, PEM, user:password@ in a URL). What can't be told by
 * either is kept: this is a filter for accidents, not a proof.
 */
#ifndef SANDFAULT_REDACT_H
#define SANDFAULT_REDACT_H

#include <json-c/json.h>

#include "util.h"

#define REDACT_STRING 128 /* longer strings become their length and the start of their digest */

/*
 * JSON text for people, at most `max` bytes (where it is longer it ends in "…" and is no JSON any
 * more). Secrets become "[redacted 12 bytes]", strings of more than REDACT_STRING bytes
 * "[533120 bytes sha256:0123abcd]", bytes that are no UTF-8 \xNN. shapes_only: strings become
 * "[12 bytes]", numbers "[number]"; keys, true, false and null stay. Owned; NULL: no memory.
 */
char *redact_json(struct json_object *args, size_t max, bool shapes_only);
/* Text, at most `max` bytes of it (cut between characters), with secrets as above. 0 or -ENOMEM. */
int redact_text(struct text *ret, const char *s, size_t len, size_t max);

#endif
