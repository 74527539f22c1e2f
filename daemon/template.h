/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Path templates: how a cgroup's path names its task. `/campaigns/{campaign}/{label.app}/{task}`,
 * `/system.slice/docker-{task}.scope`: a placeholder is a whole component or a part of one, and
 * takes at least one byte, the fewest that fit where several stand in one component. {task} is
 * required once; {campaign} ("default" where absent) and each {label.NAME} may stand once.
 */
#ifndef SANDFAULT_TEMPLATE_H
#define SANDFAULT_TEMPLATE_H

#include "record.h"

#define TEMPLATE_PATH_MAX 4096 /* longer paths never match */
#define TEMPLATE_FIELDS	  16   /* placeholders in one template, at most */

struct template;

/* What a path says. Hostile bytes are escaped (util_escape), and '#' as \x23: it parts a task's
 * name from its attempt. */
struct template_match {
	char *campaign;
	char *task;
	struct label *labels; /* in the template's order */
	size_t n_labels;
};

/* 0, -ENOMEM, or -EINVAL with *error (owned) = what is wrong and what is allowed. */
int template_compile(struct template **ret, const char *text, char **error);
void template_free(struct template *t);
const char *template_text(const struct template *t);
/* The directory before the first component with a placeholder: "/system.slice"; "/" where the
 * first component has one. */
const char *template_root(const struct template *t);
/* 1: the whole path matches, *ret is to be cleared; 0: it does not; -ENOMEM. The time is linear
 * in the path's length. */
int template_match(const struct template *t, const char *path, struct template_match *ret);
void template_match_clear(struct template_match *m);

#endif
