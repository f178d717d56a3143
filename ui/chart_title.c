/* chart_title.c - see chart_title.h. */
#include <stdio.h>
#include <string.h>
#include "chart.h"
#include "chart_title.h"
#include "pane_util.h"
#include "trace.h"

/* In the order in which they give way. */
enum part { PART_TARGET, PART_COLUMN, PART_UNIT, PART_SIGNS, PARTS };

struct words {
	const struct view *v;
	enum pane_id id;
	int cols, n;
	bool wrote;
	const char *right_unit;
};

static void add_unit(char *out, size_t n, const struct words *w)
{
	if (w->cols < 56)
		return;
	if (w->id == PANE_RATE)
		units_append(out, n, "%s  ", units_rate_name(w->v->unit));
	else if (w->right_unit[0])
		units_append(out, n, "%s right  ", w->right_unit);
}

static void add_column(char *out, size_t n, const struct words *w)
{
	double s = (double)chart_column_ns(w->v, w->n) / 1e9;

	if (w->cols >= 48)
		units_append(out, n, s < 10 ? "%.2g s/col  " : "%.0f s/col  ", s);
}

/* Without the parts before `first`. Returns the columns it takes. */
static int make(char *out, size_t n, const struct words *w, int first)
{
	char sign[5], name[96];
	const struct view *v = w->v;

	out[0] = '\0';
	if (first <= PART_SIGNS)
		units_append(out, n, "%s read  ", utf8_of(sign, chart_sign(v->level, IO_READ)));
	if (first <= PART_SIGNS && w->wrote)
		units_append(out, n, "%s write  ", utf8_of(sign, chart_sign(v->level, IO_WRITE)));
	if (first <= PART_UNIT)
		add_unit(out, n, w);
	if (v->locked)
		units_append(out, n, "locked  ");
	trace_name(name, sizeof(name), v, first <= PART_TARGET ? w->cols / 4 : 0);
	if (name[0])
		units_append(out, n, "%s  ", name);
	if (first <= PART_COLUMN)
		add_column(out, n, w);
	/* The blanks between the parts */
	size_t length = strlen(out);
	if (length >= 2)
		out[length - 2] = '\0';
	return canvas_width(out);
}

struct rect chart_title(struct canvas *c, struct rect r, const struct view *v, enum pane_id id,
			bool wrote, int n, const char *right_unit)
{
	const struct words w = {v, id, r.cols, n, wrote, right_unit};
	int least = canvas_width(panes[id].title) + 5, first = 0, at;
	char text[256];

	while ((at = r.cols - 2 - make(text, sizeof(text), &w, first)) < least && first < PARTS)
		first++;
	struct rect body = pane_title(c, r, v, id, text);
	if (at < least || first > PART_SIGNS)
		return body;
	canvas_restyle(c, r, 0, at, 6, ST_READ);
	if (wrote)
		canvas_restyle(c, r, 0, at + 8, 7, ST_WRITE);
	return body;
}
