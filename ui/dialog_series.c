/* dialog_series.c - Iometer's tests on the screen: which, how long, with what cycle; then a row for each as it is
 * over. They go on when the dialog is closed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "iometer/spec_words.h"
#include "iometer/specs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"
#include "series_table.h"

#define TOP_ROWS    3
#define OFFER_COLS  70
#define LABEL       13
#define SERIES_COLS 128
#define SERIES_ROWS 40

enum row { ROW_NAME, ROW_WORKERS, ROW_OUTSTANDING, ROW_RUN, ROW_RAMP, ROW_CYCLE, ROWS };

static const char *const labels[ROWS] = {"Tests",    "Workers", "Outstanding",
					 "Run time", "Ramp",    "Cycle"};

static const uint64_t run_choices[] = {1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600};
static const uint64_t ramp_choices[] = {0, 1, 2, 5, 10, 20, 30, 60, 120, 300};
#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* The cycles that one target can have. */
static const struct {
	enum iometer_test test;
	bool exponential;
	const char *words;
} cycles[] = {
	{IOMETER_NORMAL, false, "none"},
	{IOMETER_CYCLE_OUTSTANDING, true, "outstanding 1, 2, 4 ... up to what is set"},
	{IOMETER_CYCLE_OUTSTANDING, false, "outstanding 1, 2, 3 ... up to what is set"},
	{IOMETER_CYCLE_WORKERS, true, "workers 1, 2, 4 ... up to what is set"},
	{IOMETER_CYCLE_WORKERS, false, "workers 1, 2, 3 ... up to what is set"},
};

struct tests {
	struct series_desk desk;
	struct series_wish wish;
	struct specs specs;
	struct error error;
	int at;   /* the row in hand */
	int back; /* table rows from the newest */
	int page;
	bool deleting, asked; /* Del was the last key; and before this one */
	bool typing;          /* the number in hand: what is typed next goes behind it */
	bool anew;            /* the offer is shown although there are results */
};

/* --- What can be chosen: the sets, then each specification. --- */

static size_t choices(const struct tests *d)
{
	return SPECS_SETS + d->specs.count;
}

/* NULL for a set that has nothing in it. */
static const char *choice(const struct tests *d, size_t i)
{
	if (i >= SPECS_SETS)
		return d->specs.row[i - SPECS_SETS].spec.count
			       ? d->specs.row[i - SPECS_SETS].spec.name
			       : NULL;
	for (size_t k = 0; k < d->specs.count; k++) {
		if (d->specs.row[k].from == (enum specs_from)i && d->specs.row[k].spec.count)
			return specs_set_name((enum specs_from)i);
	}
	return NULL;
}

static size_t chosen(const struct tests *d)
{
	for (size_t i = 0; i < choices(d); i++) {
		const char *name = choice(d, i);
		if (name && strcmp(name, d->wish.name) == 0)
			return i;
	}
	return SPECS_MD3000I;
}

static void choose(struct tests *d, int dir)
{
	size_t n = choices(d), i = chosen(d);

	if (!d->specs.count)
		return;
	do {
		i = (i + n + (size_t)dir) % n;
	} while (!choice(d, i));
	snprintf(d->wish.name, sizeof(d->wish.name), "%s", choice(d, i));
}

/* The user's own specification that is chosen; NULL: another. */
static const struct specs_row *own(const struct tests *d)
{
	size_t i = chosen(d);

	if (i < SPECS_SETS || d->specs.row[i - SPECS_SETS].from != SPECS_OWN)
		return NULL;
	return &d->specs.row[i - SPECS_SETS];
}

/* --- The offer. --- */

static void value_of(const struct tests *d, int row, char *out, size_t n)
{
	const struct series_wish *w = &d->wish;

	switch (row) {
	case ROW_NAME:
		snprintf(out, n, chosen(d) < SPECS_SETS ? "%s: %s" : "%s", w->name,
			 chosen(d) < SPECS_SETS ? specs_set_words((enum specs_from)chosen(d)) : "");
		break;
	case ROW_WORKERS: snprintf(out, n, "%u", w->workers); break;
	case ROW_OUTSTANDING: snprintf(out, n, "%u per worker", w->outstanding); break;
	case ROW_RUN: units_span(out, n, w->run_s * NS_PER_SEC); break;
	case ROW_RAMP: units_span(out, n, w->ramp_s * NS_PER_SEC); break;
	default: snprintf(out, n, "%s", cycles[w->cycle].words); break;
	}
}

/* What is in the set, or the specification's lines. */
static void add_tests(struct prose *t, int cols, const struct tests *d)
{
	size_t at = chosen(d);
	char brief[160];

	for (size_t i = 0; i < d->specs.count; i++) {
		const struct specs_row *r = &d->specs.row[i];
		bool in = at < SPECS_SETS ? r->from == (enum specs_from)at : i == at - SPECS_SETS;
		if (!in || !r->spec.count)
			continue;
		spec_brief(brief, sizeof(brief), &r->spec);
		prose_add(t, cols, 4, ST_DIALOG, "  %s: %s", r->spec.name, brief);
	}
}

static void draw_offer(struct tests *d, struct canvas *c, struct rect full, const struct view *v)
{
	struct prose t = {0};
	int cols = dialog_columns(full, OFFER_COLS), top = 0;
	char value[200], text[240];

	if (d->error.text[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->error.text);
	else if (d->deleting)
		prose_add(&t, cols, 2, ST_WARN, "! Del again takes '%s' out for good",
			  d->wish.name);
	add_tests(&t, cols, d);
	struct rect in = dialog_box(c, full, v, ROWS + 1 + t.count, cols, "Iometer's tests");
	for (int i = 0; i < ROWS && i < in.rows; i++) {
		value_of(d, i, value, sizeof(value));
		canvas_text(c, in, i, 0, labels[i], ST_DIALOG);
		hot_choice(c, (struct rect){in.row + i, in.col, 1, in.cols}, HOT_FIELD, i - d->at,
			   0);
		/* Brackets too: what is chosen must show without colour. */
		snprintf(text, sizeof(text), i == d->at ? "<%s>" : " %s ", value);
		text_draw(c, in, i, LABEL, in.cols - LABEL, text, v->g,
			  i == d->at ? ST_SELECTED : ST_DIALOG);
	}
	if (d->at < in.rows && LABEL < in.cols) {
		c->cursor_row = in.row + d->at;
		c->cursor_col = in.col + LABEL;
	}
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	dialog_hint(c, in,
		    own(d) ? "Enter starts  Arrows  e edit  n new  Del  Esc"
			   : "Enter starts  Arrows choose  n new one  Esc back");
	prose_free(&t);
}

/* --- The results. --- */

static void draw_table(struct tests *d, struct canvas *c, struct rect r, const struct view *v)
{
	const struct series_done *done;
	int n = (int)series_results(v->series, &done), rows = r.rows - 1;
	int most = n > rows ? n - rows : 0;

	if (rows < 1)
		return;
	d->page = rows > 1 ? rows : 1;
	d->back = d->back > most ? most : d->back;
	series_table_head(c, r, 0, v);
	for (int i = 0; i < rows && i < n; i++)
		series_table_row(c, r, i + 1, v, &done[most - d->back + i]);
	if (d->back < most)
		canvas_put(c, r, 1, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->back > 0)
		canvas_put(c, r, rows, r.cols - 1, v->g->down, ST_DIALOG);
}

static void draw_results(struct tests *d, struct canvas *c, struct rect full, const struct view *v)
{
	int rows = full.rows - TOP_ROWS - 3, cols = dialog_columns(full, SERIES_COLS);
	char text[160];

	if (rows > SERIES_ROWS)
		rows = SERIES_ROWS;
	struct rect in = dialog_box_at(c, full, v, TOP_ROWS, (full.cols - cols - 4) / 2, rows, cols,
				       "Iometer's tests");
	text_draw(c, in, 0, 0, in.cols, series_progress(text, sizeof(text), v->series), v->g,
		  ST_DIALOG);
	draw_table(d, c, (struct rect){in.row + 1, in.col, in.rows - 1, in.cols}, v);
	dialog_hint(c, in,
		    series_over(v->series)
			    ? "Enter anew  Up Down table  Esc back"
			    : "n next test  Enter stops all  Up Down  Esc back, it goes on");
}

static bool shows_results(const struct tests *d, const struct view *v)
{
	return v->series && !d->error.text[0] && !(d->anew && series_over(v->series));
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct tests *d = state;

	if (shows_results(d, v))
		draw_results(d, c, full, v);
	else
		draw_offer(d, c, full, v);
}

/* --- Keys. --- */

static uint64_t step_choice(const uint64_t *list, size_t n, uint64_t now, int dir)
{
	size_t i = 0;

	while (i + 1 < n && list[i] < now)
		i++;
	if (dir > 0 && i + 1 < n && list[i] == now)
		i++;
	if (dir < 0 && i > 0)
		i--;
	return list[i];
}

static unsigned step_number(unsigned now, int dir, unsigned most, bool doubled)
{
	if (dir > 0)
		now = doubled ? now * 2 : now + 1;
	else if (now > 1)
		now = doubled ? now / 2 : now - 1;
	return now > most ? most : now;
}

static void turn(struct tests *d, int dir)
{
	struct series_wish *w = &d->wish;

	switch (d->at) {
	case ROW_NAME: choose(d, dir); break;
	case ROW_WORKERS: w->workers = step_number(w->workers, dir, WORKERS_MAX, false); break;
	case ROW_OUTSTANDING:
		w->outstanding = step_number(w->outstanding, dir, d->desk.most_outstanding, true);
		break;
	case ROW_RUN: w->run_s = step_choice(run_choices, COUNT(run_choices), w->run_s, dir); break;
	case ROW_RAMP:
		w->ramp_s = step_choice(ramp_choices, COUNT(ramp_choices), w->ramp_s, dir);
		break;
	default:
		w->cycle = (unsigned)((w->cycle + COUNT(cycles) + (size_t)dir) % COUNT(cycles));
		break;
	}
}

static void scroll(struct tests *d, int by)
{
	d->back = d->back + by > 0 ? d->back + by : 0;
}

static void start(struct tests *d)
{
	struct series_plan_wish p = {
		.name = d->wish.name,
		.workers = d->wish.workers,
		.outstanding = d->wish.outstanding,
		.run_s = d->wish.run_s,
		.ramp_s = d->wish.ramp_s,
		.test = cycles[d->wish.cycle].test,
		.exponential = cycles[d->wish.cycle].exponential,
	};

	if (d->desk.running(d->desk.ctx))
		return;
	d->back = 0;
	d->anew = d->desk.start(d->desk.ctx, &p, &d->wish, &d->error) != 0;
}

/* The number in hand, as it is typed. Whether the key was for it. */
static bool type_number(struct tests *d, int key)
{
	unsigned *n = d->at == ROW_WORKERS ? &d->wish.workers : &d->wish.outstanding;
	unsigned most = d->at == ROW_WORKERS ? WORKERS_MAX : d->desk.most_outstanding;
	bool number = d->at == ROW_WORKERS || d->at == ROW_OUTSTANDING;

	if (number && d->typing && key == K_BACKSPACE) {
		*n /= 10;
	} else if (number && key >= '0' && key <= '9') {
		*n = (d->typing ? *n * 10 : 0) + (unsigned)(key - '0');
		d->typing = true;
	} else {
		d->typing = false;
		*n = *n ? *n : 1;
		return false;
	}
	if (*n > most)
		*n = most;
	return true;
}

/* The first time only asks. */
static void delete_own(struct tests *d)
{
	if (d->asked)
		d->deleting = specs_delete(d->wish.name, false, &d->error) != 0;
	else
		d->deleting = true;
	if (!d->deleting)
		series_reload(d, NULL);
}

static enum dialog_result offer_key(struct tests *d, int key)
{
	if (type_number(d, key))
		return DIALOG_OPEN;
	switch (key) {
	case K_ENTER: start(d); break;
	case K_UP:
	case K_BACKTAB: d->at = (d->at + ROWS - 1) % ROWS; break;
	case K_DOWN:
	case K_TAB: d->at = (d->at + 1) % ROWS; break;
	case K_LEFT:
	case '-': turn(d, -1); break;
	case K_RIGHT:
	case '+':
	case ' ': turn(d, 1); break;
	case 'n': d->desk.edit(d->desk.ctx, NULL); break;
	case 'e':
		if (own(d))
			d->desk.edit(d->desk.ctx, &own(d)->spec);
		break;
	case K_DELETE:
		if (own(d))
			delete_own(d);
		break;
	}
	return DIALOG_OPEN;
}

static enum dialog_result results_key(struct tests *d, int key)
{
	bool on = d->desk.running(d->desk.ctx);

	switch (key) {
	case K_ENTER:
		if (on)
			d->desk.stop(d->desk.ctx);
		else
			d->anew = true;
		break;
	case 'n':
		if (on)
			d->desk.next(d->desk.ctx);
		break;
	case K_UP: scroll(d, 1); break;
	case K_DOWN: scroll(d, -1); break;
	case K_PGUP: scroll(d, d->page); break;
	case K_PGDN: scroll(d, -d->page); break;
	case K_HOME: d->back = (int)IOMETER_TESTS_MAX; break;
	case K_END: d->back = 0; break;
	}
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct tests *d = state;
	bool results = d->desk.any(d->desk.ctx) && !d->error.text[0] &&
		       !(d->anew && !d->desk.running(d->desk.ctx));

	d->asked = d->deleting;
	d->deleting = false;
	d->error.text[0] = '\0';
	if (key == K_ESC || key == 'q')
		return DIALOG_CANCELLED;
	return results ? results_key(d, key) : offer_key(d, key);
}

static void free_tests(void *state)
{
	struct tests *d = state;

	specs_free(&d->specs);
	free(d);
}

void series_reload(void *state, const char *name)
{
	struct tests *d = state;

	specs_free(&d->specs);
	specs_load(&d->specs, &d->error);
	if (name)
		snprintf(d->wish.name, sizeof(d->wish.name), "%s", name);
	else
		snprintf(d->wish.name, sizeof(d->wish.name), "%s", specs_set_name(SPECS_MD3000I));
	d->anew = true;
}

struct dialog dialog_series(const struct series_wish *wish, const struct series_desk *desk)
{
	struct tests *d = calloc(1, sizeof(*d));

	if (d) {
		d->wish = *wish;
		d->desk = *desk;
		specs_load(&d->specs, &d->error);
	}
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = free_tests, .about = ABOUT_SERIES};
}
