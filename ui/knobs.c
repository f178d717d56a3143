/* knobs.c - the knob bar: six knobs that are always there, the one in focus between < and >. */
#include <string.h>
#include "hot.h"
#include "pane_util.h"
#include "setting.h"

/* Values' widths, so that the bar stands still while a knob is turned. */
static const int value_width[KNOB_COUNT] = {
	[KNOB_WORKERS] = 3, [KNOB_OUTSTANDING] = 4, [KNOB_BLOCK] = 4,
	[KNOB_READ] = 4,    [KNOB_RANDOM] = 4,      [KNOB_RATE] = 5,
};

enum naming { NAME_FULL, NAME_SHORT, NAME_LETTER, NAME_COUNT };

struct knob_cell {
	char name[16];
	char value[16];
	int width; /* name, blank, brackets and value */
};

static struct knob_cell make_cell(const struct workload *w, enum knob k, enum naming naming)
{
	struct knob_cell cell;
	char value[16];

	if (naming == NAME_LETTER)
		snprintf(cell.name, sizeof(cell.name), "%c", knobs[k].key_up);
	else
		snprintf(cell.name, sizeof(cell.name), "%s ",
			 naming == NAME_FULL ? knobs[k].name : knobs[k].short_name);
	if (setting_gives_way(w, (enum setting)k))
		snprintf(value, sizeof(value), "line");
	else
		knob_format(value, sizeof(value), w, k);
	snprintf(cell.value, sizeof(cell.value), "%*s", value_width[k], value);
	cell.width = canvas_width(cell.name) + canvas_width(cell.value) + 2;
	return cell;
}

static void draw_cell(struct canvas *c, struct rect r, int col, int k, const struct knob_cell *cell,
		      bool focused)
{
	int at = col + canvas_text(c, r, 0, col, cell->name, ST_LABEL);
	int value = canvas_width(cell->value);

	canvas_text(c, r, 0, at, focused ? "<" : "[", focused ? ST_FOCUS : ST_DIM);
	canvas_text(c, r, 0, at + 1, cell->value, focused ? ST_FOCUS : ST_KNOB);
	canvas_text(c, r, 0, at + 1 + value, focused ? ">" : "]", focused ? ST_FOCUS : ST_DIM);
	hot_add(c, (struct rect){r.row, r.col + col, 1, cell->width}, HOT_KNOB, k);
	if (focused) {
		c->cursor_row = r.row;
		c->cursor_col = r.col + at;
	}
}

/* The queue all knobs make together, at the right end, where there is room for it. */
static void draw_product(struct canvas *c, struct rect r, int from, const struct view *v)
{
	const struct workload *w = &v->snap.workload;
	char text[80], product[40];
	int right = r.cols - 1;

	snprintf(product, sizeof(product), "%llu", (unsigned long long)w->workers * w->outstanding);
	snprintf(text, sizeof(text), "queue %s = %u%s%u", product, w->workers, v->g->times,
		 w->outstanding);
	int at = right - canvas_width(text);

	if (at < from + 3)
		return;
	canvas_text(c, r, 0, at, text, ST_DIM);
	canvas_restyle(c, r, 0, at + 6, (int)strlen(product), ST_VALUE);
}

/* Where not all knobs fit, the bar is a window on them that holds the focused one. */
static void draw_window(struct canvas *c, struct rect r, const struct knob_cell *cell,
			const struct view *v)
{
	int focus = (int)v->focus.knob, first = 0, col, k;

	if (focus < 0 || focus >= KNOB_COUNT)
		focus = 0;
	for (;; first++) {
		int width = 2;

		for (k = first; k <= focus; k++)
			width += cell[k].width;
		if (width <= r.cols || first == focus)
			break;
	}
	canvas_put(c, r, 0, 0, first > 0 ? v->g->left : ' ', ST_DIM);
	for (k = first, col = 1; k < KNOB_COUNT && col + cell[k].width + 1 <= r.cols; k++) {
		draw_cell(c, r, col, k, &cell[k], !v->focus.on_pane && k == focus);
		col += cell[k].width;
	}
	if (k < KNOB_COUNT)
		canvas_put(c, r, 0, r.cols - 1, v->g->right, ST_DIM);
}

void knobs_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct knob_cell cell[KNOB_COUNT];
	int naming = NAME_FULL, gap = 3, col;

	if (r.rows < 1)
		return;
	for (;; naming++, gap = naming == NAME_SHORT ? 1 : 0) {
		int width = 2 + gap * (KNOB_COUNT - 1);

		for (int k = 0; k < KNOB_COUNT; k++) {
			cell[k] = make_cell(&v->snap.workload, (enum knob)k, (enum naming)naming);
			width += cell[k].width;
		}
		if (width <= r.cols)
			break;
		if (naming == NAME_LETTER) {
			draw_window(c, r, cell, v);
			return;
		}
	}
	col = 1;
	for (int k = 0; k < KNOB_COUNT; k++) {
		draw_cell(c, r, col, k, &cell[k],
			  !v->focus.on_pane && v->focus.knob == (enum knob)k);
		col += cell[k].width + gap;
	}
	draw_product(c, r, col - gap, v);
}
