/* SPDX-License-Identifier: GPL-2.0-only */
/* Two contents: what became of the one? And arguments: which of them is what? The input's first
 * byte says where it is divided, or that the second is made of the first. */
#include <assert.h>
#include <string.h>

#include "damage.h"
#include "payload_shape.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void compare(const uint8_t *was, size_t was_len, const uint8_t *is, size_t is_len)
{
	struct damage d = damage_compare(was, was_len, is, is_len);
	bool same = was_len == is_len && (!was_len || memcmp(was, is, was_len) == 0);

	assert((d.kind == DAMAGE_NONE) == same);
	assert(d.at <= was_len);
	assert(damage_name(d.kind) && damage_say(d.kind));
}

static void look(const uint8_t *data, size_t len)
{
	struct damage_signs s = damage_signs(data, len);
	uint8_t *decoded;
	size_t n, at;
	int r = base64_decode((const char *)data, len, &decoded, &n, &at);

	assert(s.first <= len && s.replacements * 3 <= len);
	assert(format_name(format_of(data, len)));
	mime_fit("image/png", data, len);
	assert(r >= 0 && at <= len && n <= len);
	assert((decoded != NULL) == (r <= BASE64_EMPTY));
	free(decoded);
}

static void shape(const char *json)
{
	struct json_object *o = json_tokener_parse(json);
	struct shape s;
	struct shape_answer a;
	char *decoded;

	shape_request(&s, "tools/call", "write_file", o, &decoded);
	assert(s.n_pairs <= SHAPE_PAIRS);
	free(decoded);
	shape_request(&s, "resources/read", NULL, o, &decoded);
	free(decoded);
	shape_result(&a, o);
	assert(a.n_parts <= SHAPE_PARTS);
	json_object_put(o);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t cut;
	char *text;

	if (size < 2)
		return 0;
	cut = data[0] % size;
	compare(data + 1, cut ? cut - 1 : 0, data + (cut ? cut : 1), size - (cut ? cut : 1));
	compare(data + 1, size - 1, data + 1, cut ? cut - 1 : 0);
	look(data + 1, size - 1);
	text = strndup((const char *)data + 1, size - 1);
	assert(text);
	shape(text);
	free(text);
	return 0;
}
