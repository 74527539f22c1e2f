/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <wchar.h>

#include "render.h"

#define GAP	 2  /* columns between columns */
#define FLEX_MIN 8  /* a flexible column is not made narrower … */
#define FLEX_OK	 24 /* … and before it is made narrower than this, others go */
#define INDENT	 2  /* of the lines that continue one */

static const char *const escapes[] = {
	[STYLE_NONE] = "",	   [STYLE_BOLD] = "\033[1m", [STYLE_DIM] = "\033[2m",
	[STYLE_GOOD] = "\033[32m", [STYLE_BAD] = "\033[31m", [STYLE_WARN] = "\033[33m",
};
_Static_assert(ARRAY_SIZE(escapes) == STYLE_MAX, "every style has its sequence");

void render_locale(void)
{
	/* Names are UTF-8 whatever the caller's locale: without it wcwidth knows ASCII alone. */
	if (!setlocale(LC_CTYPE, "") || strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		setlocale(LC_CTYPE, "C.UTF-8");
}

static int terminal_width(int fd)
{
	const char *columns = getenv("COLUMNS");
	struct winsize ws;
	int n = columns ? atoi(columns) : 0;

	if (n > 0 && n < 10000)
		return n;
	if (ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0)
		return ws.ws_col;
	return 80;
}

void render_init(struct render *r, FILE *f, bool utc)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
	bool tty = isatty(fileno(f)) == 1;

	*r = (struct render){ .file = f, .utc = utc, .cut = tty, .width = RENDER_WIDTH_PIPE };
	if (tty)
		r->width = terminal_width(fileno(f));
	/* no-color.org: set and not empty switches colours off. */
	r->colour = tty && isatty(STDOUT_FILENO) == 1 && !(no_color && *no_color) &&
		    !(term && strcmp(term, "dumb") == 0);
}

static void print_styled(const struct render *r, enum style style, const char *s)
{
	if (r->colour && style != STYLE_NONE)
		fprintf(r->file, "%s%s\033[0m", escapes[style], s);
	else
		fputs(s, r->file);
}

/* One character: its length in bytes and its columns. What is no character counts as one column. */
static size_t next_char(const char *s, int *columns)
{
	mbstate_t state = { 0 };
	wchar_t wc;
	size_t n = mbrtowc(&wc, s, strlen(s), &state);

	if (n == 0 || n == (size_t)-1 || n == (size_t)-2) {
		*columns = 1;
		return 1;
	}
	*columns = wcwidth(wc);
	if (*columns < 0)
		*columns = 1;
	return n;
}

/* How much of s fits into a line, up to a blank. A word that is longer stays whole: it may be
 * copied. */
static size_t line_part(const char *s, int width)
{
	size_t at = strspn(s, " "), part = 0;
	int total = (int)at, columns;

	while (s[at]) {
		if (s[at] == ' ' && s[at - 1] != ' ')
			part = at;
		at += next_char(s + at, &columns);
		total += columns;
		if (total > width && part)
			return part;
	}
	return at;
}

static void print_wrapped(const struct render *r, enum style style, const char *s)
{
	int indent = (int)strspn(s, " ") + INDENT, width = r->width;

	for (;;) {
		size_t n = line_part(s, width);
		_cleanup_free_ char *part = strndup(s, n);

		if (part)
			print_styled(r, style, part);
		s += n;
		s += strspn(s, " ");
		if (!*s)
			return;
		fprintf(r->file, "\n%*s", indent, "");
		width = r->width - indent;
	}
}

void render_line(const struct render *r, enum style style, const char *fmt, ...)
{
	_cleanup_free_ char *raw = NULL, *s = NULL;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&raw, fmt, ap);
	va_end(ap);
	if (n < 0) {
		raw = NULL;
		return;
	}
	s = util_escape(raw, (size_t)n);
	if (!s)
		return;
	if (r->cut)
		print_wrapped(r, style, s);
	else
		print_styled(r, style, s);
	fputc('\n', r->file);
}

int render_width(const char *s)
{
	int total = 0, columns;

	while (*s) {
		s += next_char(s, &columns);
		total += columns;
	}
	return total;
}

int render_cut(char **s, int width)
{
	static const char mark[] = "…";
	int total = 0, columns;
	size_t at = 0;
	char *cut;

	if (render_width(*s) <= width)
		return 0;
	while ((*s)[at]) {
		size_t n = next_char(*s + at, &columns);

		if (total + columns > width - 1)
			break;
		total += columns;
		at += n;
	}
	cut = malloc(at + sizeof(mark));
	if (!cut)
		return -ENOMEM;
	memcpy(cut, *s, at);
	memcpy(cut + at, mark, sizeof(mark));
	free(*s);
	*s = cut;
	return 0;
}

struct cell {
	char *text; /* escaped */
	enum style style;
};

struct table {
	const struct column_spec *columns;
	size_t n_columns;
	struct cell *cells;
	size_t n_cells, cap;
};

int table_new(struct table **ret, const struct column_spec *columns, size_t n)
{
	struct table *t = calloc(1, sizeof(*t));

	if (!t)
		return -ENOMEM;
	t->columns = columns;
	t->n_columns = n;
	*ret = t;
	return 0;
}

void table_free(struct table *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_cells; i++)
		free(t->cells[i].text);
	free(t->cells);
	free(t);
}

int table_cell(struct table *t, enum style style, const char *fmt, ...)
{
	_cleanup_free_ char *raw = NULL;
	void *cells = t->cells;
	char *text;
	va_list ap;
	int n, r;

	va_start(ap, fmt);
	n = vasprintf(&raw, fmt, ap);
	va_end(ap);
	if (n < 0) {
		raw = NULL;
		return -ENOMEM;
	}
	r = util_grow(&cells, &t->cap, t->n_cells + 1, sizeof(*t->cells));
	if (r < 0)
		return r;
	t->cells = cells;
	text = util_escape(raw, (size_t)n);
	if (!text)
		return -ENOMEM;
	t->cells[t->n_cells++] = (struct cell){ .text = text, .style = style };
	return 0;
}

size_t table_rows(const struct table *t)
{
	return t->n_cells / t->n_columns;
}

static void natural_widths(const struct table *t, int *widths)
{
	for (size_t c = 0; c < t->n_columns; c++)
		widths[c] = render_width(t->columns[c].title);
	for (size_t i = 0; i < t->n_cells; i++) {
		int w = render_width(t->cells[i].text);

		if (w > widths[i % t->n_columns])
			widths[i % t->n_columns] = w;
	}
}

/* What the columns take; a flexible one no more than `flex`. */
static int total_width(const struct table *t, const int *widths, int flex)
{
	int total = -GAP;

	for (size_t c = 0; c < t->n_columns; c++) {
		bool shrinks = t->columns[c].kind == COLUMN_FLEX && widths[c] > flex;

		if (widths[c] >= 0)
			total += GAP + (shrinks ? flex : widths[c]);
	}
	return total;
}

/* The column that goes next, if there is one: its width becomes -1. */
static bool drop_column(const struct table *t, int *widths)
{
	int *next = NULL, rank = 0;

	for (size_t c = 0; c < t->n_columns; c++) {
		int drop = t->columns[c].drop;

		if (widths[c] < 0 || !drop || (next && drop > rank))
			continue;
		next = &widths[c];
		rank = drop;
	}
	if (next)
		*next = -1;
	return next;
}

/* Natural widths; where they don't fit, columns go, and then the widest flexible one gives a column
 * at a time. */
static void fit_columns(const struct table *t, const struct render *r, int *widths)
{
	natural_widths(t, widths);
	while (r->cut && total_width(t, widths, FLEX_OK) > r->width && drop_column(t, widths))
		;
	while (r->cut && total_width(t, widths, INT_MAX) > r->width) {
		int *widest = NULL;

		for (size_t c = 0; c < t->n_columns; c++)
			if (t->columns[c].kind == COLUMN_FLEX && widths[c] > FLEX_MIN &&
			    (!widest || widths[c] > *widest))
				widest = &widths[c];
		if (!widest)
			return;
		(*widest)--;
	}
}

/* `last`: of those that are shown. */
static void print_cell(const struct table *t, const struct render *r, size_t column, int width,
		       bool last, const struct cell *cell)
{
	_cleanup_free_ char *text = strdup(cell->text);
	int pad;

	if (!text || render_cut(&text, width) < 0)
		return;
	pad = width - render_width(text);
	if (t->columns[column].kind == COLUMN_RIGHT)
		fprintf(r->file, "%*s", pad, "");
	print_styled(r, cell->style, text);
	if (last)
		fputc('\n', r->file);
	else
		fprintf(r->file, "%*s", GAP + (t->columns[column].kind == COLUMN_RIGHT ? 0 : pad),
			"");
}

static void print_row(const struct table *t, const struct render *r, const int *widths,
		      const struct cell *cells)
{
	size_t last = t->n_columns - 1;

	while (last && widths[last] < 0)
		last--;
	for (size_t c = 0; c <= last; c++)
		if (widths[c] >= 0)
			print_cell(t, r, c, widths[c], c == last, &cells[c]);
}

void table_print(const struct table *t, const struct render *r)
{
	_cleanup_free_ int *widths = calloc(t->n_columns, sizeof(*widths));
	_cleanup_free_ struct cell *titles = calloc(t->n_columns, sizeof(*titles));

	if (!widths || !titles)
		return;
	fit_columns(t, r, widths);
	for (size_t c = 0; c < t->n_columns; c++)
		titles[c] = (struct cell){ (char *)t->columns[c].title, STYLE_BOLD };
	print_row(t, r, widths, titles);
	for (size_t i = 0; i < table_rows(t); i++)
		print_row(t, r, widths, t->cells + i * t->n_columns);
}
