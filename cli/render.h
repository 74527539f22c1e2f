/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text for people: lines and tables that are safe on a terminal (every string is escaped), cut to
 * its width, coloured where it wants colours.
 */
#ifndef SANDFAULT_RENDER_H
#define SANDFAULT_RENDER_H

#include "../daemon/util.h"

#define RENDER_WIDTH_PIPE 120 /* assumed where nothing is cut */

enum style { STYLE_NONE, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_BAD, STYLE_WARN, STYLE_MAX };

struct render {
	FILE *file;
	int width; /* columns; RENDER_WIDTH_PIPE where not a terminal */
	bool cut;  /* tables are cut to width, lines are wrapped */
	bool colour;
	bool utc;
};

/* Sets up the locale; call once, before anything is measured. */
void render_locale(void);
void render_init(struct render *r, FILE *f, bool utc);
/* The text is escaped, wrapped between words on a terminal, and ended by a newline. */
void render_line(const struct render *r, enum style style, const char *fmt, ...) _printf_(3, 4);

/* Columns that a valid UTF-8 string takes on a terminal. */
int render_width(const char *s);
/* Cuts a valid UTF-8 string in place of *s (owned) to `width` columns; the last one is "…". */
int render_cut(char **s, int width);

enum column { COLUMN_LEFT, COLUMN_RIGHT, COLUMN_FLEX /* left, shrinks where space is short */ };

struct table;

struct column_spec {
	const char *title;
	enum column kind;
	int drop; /* where the terminal is too narrow 1 goes first, then 2…; 0 stays */
};

int table_new(struct table **ret, const struct column_spec *columns, size_t n);
void table_free(struct table *t);
/* Fills the next cell, row by row. 0 or -ENOMEM. */
int table_cell(struct table *t, enum style style, const char *fmt, ...) _printf_(3, 4);
size_t table_rows(const struct table *t);
void table_print(const struct table *t, const struct render *r);

static inline void table_freep(struct table **t)
{
	table_free(*t);
}
#define _cleanup_table_ _cleanup_(table_freep)

#endif
