/* dialog_baseline.c - which stored run is drawn behind the live one: the newest first, and none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"

#define LIST_COLUMNS 100
#define LIST_ROWS    20
#define TARGET_AT    46 /* where the targets begin */

struct choosing {
	struct baseline_title *list;
	int count, at, top, page; /* row 0 is none, run i stands in row i + 1 */
};

/* --- Drawing. --- */

static void started(char *out, size_t n, uint64_t wall)
{
	time_t t = (time_t)(wall / NS_PER_SEC);
	struct tm tm;

	out[0] = '\0';
	if (localtime_r(&t, &tm))
		strftime(out, n, "%Y-%m-%d %H:%M:%S", &tm);
}

static void draw_run(struct canvas *c, struct rect r, int row, const struct baseline_title *t,
		     const struct view *v, enum style s)
{
	char when[32], length[32], iops[32] = "-";

	started(when, sizeof(when), t->started);
	if (isfinite(t->iops))
		units_count(iops, sizeof(iops), t->iops);
	canvas_printf(c, r, row, 1, s, "%5lld  %-19s %9s%7s", (long long)t->run, when,
		      t->length_ns ? units_span(length, sizeof(length), t->length_ns) : "-", iops);
	text_draw(c, r, row, TARGET_AT, r.cols - TARGET_AT - 1, t->target, v->g, s);
}

static void draw_rows(struct choosing *d, struct canvas *c, struct rect r, const struct view *v)
{
	if (d->at < d->top)
		d->top = d->at;
	if (d->at >= d->top + r.rows)
		d->top = d->at - r.rows + 1;
	for (int row = 0; row < r.rows && d->top + row <= d->count; row++) {
		int i = d->top + row;
		enum style s = i == d->at ? ST_SELECTED : ST_DIALOG;
		canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', s);
		hot_choice(c, (struct rect){r.row + row, r.col, 1, r.cols}, HOT_ROW, i - d->at, 0);
		if (i == d->at)
			canvas_put(c, r, row, 0, v->g->cursor, s);
		if (i)
			draw_run(c, r, row, &d->list[i - 1], v, s);
		else
			canvas_text(c, r, row, 1, " none", s);
	}
	if (d->top > 0)
		canvas_put(c, r, 0, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + r.rows <= d->count)
		canvas_put(c, r, r.rows - 1, r.cols - 1, v->g->down, ST_DIALOG);
	c->cursor_row = r.row + d->at - d->top;
	c->cursor_col = r.col;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct choosing *d = state;
	int cols = dialog_columns(full, LIST_COLUMNS);
	int rows = d->count + 1 < LIST_ROWS ? d->count + 1 : LIST_ROWS;
	struct rect in = dialog_box(c, full, v, rows + 1, cols, "Baseline: a run to draw behind");

	canvas_printf(c, in, 0, 1, ST_DIALOG, "%5s  %-19s %9s%7s", "run", "started", "length",
		      "IOPS");
	canvas_text(c, in, 0, TARGET_AT, d->count ? "target" : "no run is kept yet", ST_DIALOG);
	d->page = in.rows > 2 ? in.rows - 2 : 1;
	if (in.rows > 1)
		draw_rows(d, c, (struct rect){in.row + 1, in.col, in.rows - 1, in.cols}, v);
	dialog_hint(c, in, "Up Down choose  Enter draws it  Esc back");
}

/* --- Keys. --- */

static enum dialog_result key(void *state, int key)
{
	struct choosing *d = state;

	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_ENTER: return DIALOG_DONE;
	case K_UP: d->at--; break;
	case K_DOWN: d->at++; break;
	case K_PGUP: d->at -= d->page; break;
	case K_PGDN: d->at += d->page; break;
	case K_HOME: d->at = 0; break;
	case K_END: d->at = d->count; break;
	}
	d->at = d->at < 0 ? 0 : d->at > d->count ? d->count : d->at;
	return DIALOG_OPEN;
}

static void release(void *state)
{
	struct choosing *d = state;

	free(d->list);
	free(d);
}

struct dialog dialog_baseline(struct baseline_title *list, size_t n, int64_t chosen)
{
	struct choosing *d = calloc(1, sizeof(*d));

	if (!d) {
		free(list);
		return (struct dialog){0};
	}
	*d = (struct choosing){.list = list, .count = (int)n, .page = 1};
	for (int i = 0; i < d->count; i++)
		if (list[i].run == chosen)
			d->at = i + 1;
	/* The newest is the likeliest, where there is one. */
	if (!chosen && d->count)
		d->at = 1;
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = release, .about = ABOUT_BASELINE};
}

int64_t baseline_answer(const void *state)
{
	const struct choosing *d = state;

	return d->at ? d->list[d->at - 1].run : 0;
}
