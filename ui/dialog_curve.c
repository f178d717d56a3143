/* dialog_curve.c - the load-latency curve: begun, watched and read here. It goes on when the dialog is
 * closed. Above it the header, the knobs and the answer stay in sight.
 */
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"
#include "pilot.h"
#include "plot.h"
#include "prose.h"

#define TOP_ROWS    3
#define CURVE_COLS  110
#define CURVE_ROWS  40
#define PLOT_LEAST  9
#define TABLE_LEAST 4
#define BY_COLUMNS  4

struct curves {
	struct curve_desk desk;
	enum knob by;
	int back; /* table rows from the newest */
	int page;
	struct error error;
};

/* --- Before there is one. --- */

static void add_words(struct prose *t, int cols, const struct curves *d)
{
	const struct curve_config c = d->desk.config(d->desk.ctx, d->by);
	char plan[160];

	prose_add(t, cols, 0, ST_DIALOG,
		  "What the target does at each load, from little to all it can: mean and p99 over "
		  "IOPS, and the knee, beyond which latency grows faster than IOPS.");
	prose_add(t, cols, 0, ST_DIALOG, "%s", "");
	prose_add_row(t, cols, BY_COLUMNS, ST_DIALOG, "by",
		      d->by == KNOB_RATE ? "<rate> outstanding" : " rate <outstanding>");
	prose_add(t, cols, 0, ST_DIALOG, "%s", "");
	prose_add(t, cols, 0, ST_DIALOG, "%s", curve_plan(plan, sizeof(plan), &c));
	prose_add(t, cols, 0, ST_DIALOG, "The knobs go back to where they are now.");
	if (d->error.text[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->error.text);
}

static void draw_offer(struct curves *d, struct canvas *c, struct rect full, const struct view *v)
{
	struct prose t = {0};
	int cols = dialog_columns(full, 66), top = 0;

	add_words(&t, cols, d);
	struct rect in = dialog_box(c, full, v, t.count, cols, "Load-latency curve");
	prose_draw(c, in, &t, &top, v->g);
	dialog_hint(c, in, "Enter starts  Left Right rate or outstanding  Esc back");
	prose_free(&t);
}

/* --- When there is. --- */

static void draw_table(struct curves *d, struct canvas *c, struct rect r, const struct view *v,
		       const struct curve *curve)
{
	int steps = (int)curve->log.steps, knee = curve_knee(curve), rows = r.rows - 1;
	int most = steps > rows ? steps - rows : 0;
	char text[256];

	d->page = rows > 1 ? rows : 1;
	d->back = d->back > most ? most : d->back;
	if (rows < 1)
		return;
	load_head(text, sizeof(text), curve->config.by, v->unit);
	text_draw(c, r, 0, 0, r.cols, text, v->g, ST_DIALOG);
	for (int i = 0; i < rows && i < steps; i++) {
		int at = most - d->back + i;
		size_t used = strlen(load_row(text, sizeof(text), &curve->log.step[at],
					      curve->config.of, v->unit, !v->g->utf8));
		if (at == knee)
			snprintf(text + used, sizeof(text) - used, " knee");
		text_draw(c, r, i + 1, 0, r.cols, text, v->g, ST_DIALOG);
	}
	if (d->back < most)
		canvas_put(c, r, 1, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->back > 0)
		canvas_put(c, r, rows, r.cols - 1, v->g->down, ST_DIALOG);
}

static void draw_status(struct canvas *c, struct rect r, const struct view *v)
{
	char text[MARK_TEXT];

	if (pilot_over(v->curve) && v->curve->state == PILOT_DONE)
		curve_words(text, sizeof(text), &v->curve->curve, !v->g->utf8);
	else
		pilot_progress(text, sizeof(text), v->curve);
	text_draw(c, r, 0, 0, r.cols, text, v->g, ST_DIALOG);
}

static void draw_curve(struct curves *d, struct canvas *c, struct rect full, const struct view *v)
{
	const struct curve *curve = &v->curve->curve;
	int rows = full.rows - TOP_ROWS - 3, cols = dialog_columns(full, CURVE_COLS);

	if (rows > CURVE_ROWS)
		rows = CURVE_ROWS;
	struct rect in = dialog_box_at(c, full, v, TOP_ROWS, (full.cols - cols - 4) / 2, rows, cols,
				       "Load-latency curve");
	int table = (int)curve->log.steps + 1;
	int plot = in.rows - 1 - table;
	if (plot < PLOT_LEAST) {
		plot = in.rows - 1 - TABLE_LEAST - 1;
		plot = plot < PLOT_LEAST ? plot : plot - (plot - PLOT_LEAST) / 2;
	}
	if (plot < PLOT_ROWS)
		plot = 0;
	draw_status(c, (struct rect){in.row, in.col, 1, in.cols}, v);
	if (plot)
		plot_curve(c, (struct rect){in.row + 1, in.col, plot, in.cols}, v, curve);
	draw_table(d, c, (struct rect){in.row + 1 + plot, in.col, in.rows - 1 - plot, in.cols}, v,
		   curve);
	dialog_hint(c, in,
		    !pilot_over(v->curve) ? "Enter stops it  Up Down table  Esc back, it goes on"
		    : d->by == KNOB_RATE
			    ? "Enter anew by rate  Right by outstanding  Up Down table  Esc back"
			    : "Enter anew by outstanding  Left by rate  Up Down table  Esc back");
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct curves *d = state;

	if (v->curve && !d->error.text[0])
		draw_curve(d, c, full, v);
	else
		draw_offer(d, c, full, v);
}

/* --- Keys. --- */

static void scroll(struct curves *d, int by)
{
	d->back = d->back + by > 0 ? d->back + by : 0;
}

static void start_or_stop(struct curves *d)
{
	if (d->desk.running(d->desk.ctx)) {
		d->desk.stop(d->desk.ctx);
		return;
	}
	d->back = 0;
	d->desk.start(d->desk.ctx, d->by, &d->error);
}

static enum dialog_result key(void *state, int key)
{
	struct curves *d = state;

	d->error.text[0] = '\0';
	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_ENTER: start_or_stop(d); break;
	case K_LEFT: d->by = KNOB_RATE; break;
	case K_RIGHT: d->by = KNOB_OUTSTANDING; break;
	case K_UP: scroll(d, 1); break;
	case K_DOWN: scroll(d, -1); break;
	case K_PGUP: scroll(d, d->page); break;
	case K_PGDN: scroll(d, -d->page); break;
	case K_HOME: d->back = LOAD_STEPS_MAX; break;
	case K_END: d->back = 0; break;
	}
	return action_of_key(key) == ACT_CURVE ? DIALOG_CANCELLED : DIALOG_OPEN;
}

struct dialog dialog_curve(const struct curve_desk *desk)
{
	struct curves *d = calloc(1, sizeof(*d));

	if (d) {
		d->desk = *desk;
		d->by = KNOB_RATE;
	}
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = free, .about = ABOUT_CURVE};
}
