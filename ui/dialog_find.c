/* dialog_find.c - what is to be found: the most load whose latency stays below a goal. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"
#include "search.h"

#define FIND_COLUMNS 62
#define LABEL        8

enum row { ROW_GOAL, ROW_OF, ROW_BY, ROWS };

struct find {
	struct find_wish wish;
	struct workload workload;
	struct field field;
	bool touched; /* the first character typed replaces the old goal */
	int at;
	struct error error;
};

/* Name and value of each choice; the order of the keys left and right. */
static const struct {
	const char *name;
	int value;
} of_choice[] = {{"reads", SUM_READ}, {"writes", SUM_WRITE}, {"all IOs", SUM_TOTAL}},
  by_choice[] = {{"outstanding", KNOB_OUTSTANDING}, {"rate", KNOB_RATE}};
#define OF_CHOICES ((int)(sizeof(of_choice) / sizeof(*of_choice)))
#define BY_CHOICES ((int)(sizeof(by_choice) / sizeof(*by_choice)))

static int draw_choice(struct canvas *c, struct rect r, int row, int col, const char *name,
		       bool chosen, bool focused)
{
	enum style s = chosen && focused ? ST_SELECTED : ST_DIALOG;

	/* Brackets too: what is chosen must show without colour. */
	return canvas_printf(c, r, row, col, s, "%c%s%c", chosen ? '<' : ' ', name,
			     chosen ? '>' : ' ');
}

/* The choices of a row, side by side; at: the chosen one. */
static void add_choices(struct canvas *c, struct rect r, const struct find *d, int row, int at)
{
	int n = row == ROW_OF ? OF_CHOICES : BY_CHOICES, col = LABEL;

	for (int i = 0; i < n; i++) {
		const char *name = row == ROW_OF ? of_choice[i].name : by_choice[i].name;
		int width = canvas_width(name) + 2;
		hot_choice(c, (struct rect){r.row + row, r.col + col, 1, width}, HOT_FIELD,
			   row - d->at, i - at);
		col += width;
	}
}

static int place_of_choice(const struct find *d, int row)
{
	int at = 0;

	if (row == ROW_OF)
		while (at < OF_CHOICES - 1 && of_choice[at].value != d->wish.goal.of)
			at++;
	else
		while (at < BY_CHOICES - 1 && by_choice[at].value != (int)d->wish.by)
			at++;
	return at;
}

static void draw_rows(struct canvas *c, struct rect r, struct find *d)
{
	int col = LABEL;

	canvas_text(c, r, ROW_GOAL, 0, "Goal", ST_DIALOG);
	canvas_text(c, r, ROW_OF, 0, "of", ST_DIALOG);
	canvas_text(c, r, ROW_BY, 0, "by", ST_DIALOG);
	for (int i = 0; i < OF_CHOICES; i++)
		col += draw_choice(c, r, ROW_OF, col, of_choice[i].name,
				   of_choice[i].value == d->wish.goal.of, d->at == ROW_OF);
	col = LABEL;
	for (int i = 0; i < BY_CHOICES; i++)
		col += draw_choice(c, r, ROW_BY, col, by_choice[i].name,
				   by_choice[i].value == (int)d->wish.by, d->at == ROW_BY);
	for (int row = 0; row < ROWS; row++)
		hot_choice(c, (struct rect){r.row + row, r.col, row < r.rows, r.cols}, HOT_FIELD,
			   row - d->at, 0);
	add_choices(c, r, d, ROW_OF, place_of_choice(d, ROW_OF));
	add_choices(c, r, d, ROW_BY, place_of_choice(d, ROW_BY));
	if (d->at == ROW_GOAL) {
		field_draw(c, r, ROW_GOAL, LABEL, r.cols - LABEL, &d->field);
		return;
	}
	canvas_text(c, r, ROW_GOAL, LABEL, d->field.text, ST_DIALOG);
	c->cursor_row = r.row + d->at;
	c->cursor_col = r.col + LABEL;
}

static void add_words(struct prose *t, int cols, const struct find *d)
{
	if (d->error.text[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->error.text);
	else if (d->at == ROW_GOAL)
		prose_add(t, cols, 0, ST_DIALOG,
			  "mean, p50, p90, p95, p99 or p99.9, and a time, as p99 < 800us. What is "
			  "found stays; %s brings back what was.",
			  action_key(ACT_UNDO));
	else if (d->wish.by == KNOB_RATE)
		prose_add(t, cols, 0, ST_DIALOG,
			  "The largest rate that is also kept up, at the depth that is set. It "
			  "begins with all that goes.");
	else
		prose_add(t, cols, 0, ST_DIALOG,
			  "The most IOs in flight per worker, at the rate max. It doubles or "
			  "halves, then narrows down.");
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct find *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, FIND_COLUMNS), top = 0;

	add_words(&t, cols, d);
	int said = t.count < 2 ? 2 : t.count;
	struct rect in = dialog_box(c, full, v, ROWS + 1 + said, cols,
				    "Find the most load that meets a goal");
	draw_rows(c, in, d);
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	dialog_hint(c, in,
		    in.cols < 56 ? "Enter starts  Arrows choose  Esc back"
				 : "Enter starts  Left Right choice  Esc back");
	prose_free(&t);
}

static enum dialog_result accept(struct find *d)
{
	struct search_config c = {.goal = d->wish.goal, .by = d->wish.by, .to = 1};

	if (goal_parse(&c.goal, d->field.text, &d->error) ||
	    search_check(&c, &d->workload, &d->error))
		return DIALOG_OPEN;
	d->wish.goal = c.goal;
	snprintf(d->wish.text, sizeof(d->wish.text), "%.*s", (int)sizeof(d->wish.text) - 1,
		 d->field.text);
	return DIALOG_DONE;
}

static void choose(struct find *d, int dir)
{
	int at = place_of_choice(d, d->at) + dir;

	if (d->at == ROW_OF)
		d->wish.goal.of = of_choice[(at + OF_CHOICES) % OF_CHOICES].value;
	else
		d->wish.by = (enum knob)by_choice[(at + BY_CHOICES) % BY_CHOICES].value;
}

static void edit(struct find *d, int key)
{
	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(&d->field, "");
	d->touched |= field_key(&d->field, key);
}

static enum dialog_result key(void *state, int key)
{
	struct find *d = state;

	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return accept(d);
	case K_UP:
	case K_BACKTAB: d->at = (d->at + ROWS - 1) % ROWS; return DIALOG_OPEN;
	case K_DOWN:
	case K_TAB: d->at = (d->at + 1) % ROWS; return DIALOG_OPEN;
	}
	if (d->at == ROW_GOAL)
		edit(d, key);
	else if (key == K_LEFT || key == K_RIGHT || key == ' ')
		choose(d, key == K_LEFT ? -1 : 1);
	else
		return DIALOG_OPEN;
	d->error.text[0] = '\0';
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	const struct find *d = state;

	return d->at == ROW_GOAL;
}

struct dialog dialog_find(const struct find_wish *wish, const struct workload *w)
{
	struct find *d = calloc(1, sizeof(*d));

	if (d) {
		d->wish = *wish;
		d->workload = *w;
		field_set(&d->field, wish->text);
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_FIND,
			       .types = types};
}

struct find_wish find_answer(const void *state)
{
	return ((const struct find *)state)->wish;
}
