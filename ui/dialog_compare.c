/* dialog_compare.c - the compare view: which segments there are, and two of them figure by figure. It has the
 * whole screen, and sharpens while the run goes on.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "ab_row.h"
#include "action.h"
#include "compare_figures.h"
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"
#include "verdict.h"

#define LIST_LEAST   3
#define REMARK_ROWS  3
#define LENGTH_RIGHT 23
#define STEADY_COL   25
#define TEXT_COL     33

struct comparing_view {
	struct compare_desk desk;
	int top; /* the first row of figures that is seen */
	int page;
	bool segments; /* although there are pairs of segments in turn */
};

/* --- Parts. --- */

static void draw_keys(struct canvas *c, struct rect r, bool pairs, bool any)
{
	const char *const keys[][2] = {
		{"Esc", "Back"},
		{action_key(ACT_HELP), "Help"},
		{action_key(ACT_AB), "In turn"},
		{any ? "b" : "", pairs ? "Segments" : "Pairs"},
		{"Up/Dn", "Choose B"},
		{"Left/Right", "Choose A"},
		{"d", "Differs"},
		{"Home", "Last mark"},
		{"PgUp/Dn", "Scroll"},
	};
	int col = 0;

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		int width = canvas_width(keys[i][0]) + canvas_width(keys[i][1]);
		if (!keys[i][0][0])
			continue;
		if (col + width > r.cols)
			return;
		struct rect here = {r.row, r.col + col, 1, width};
		char words[40];
		snprintf(words, sizeof(words), "%s %s", keys[i][0], keys[i][1]);
		hot_words(c, here, 0, words);
		col += canvas_text(c, r, 0, col, keys[i][0], ST_KEY);
		col += canvas_text(c, r, 0, col, keys[i][1], ST_KEY_LABEL) + 1;
	}
}

/* --- The segments. --- */

static uint32_t wished(uint32_t number, const struct live_pair *l, size_t at)
{
	return number ? number : l->segment[at].number;
}

/* Which segment is in a row of the list. B is always seen; A takes the place of the outermost row where it
 * would not be. */
static size_t segment_in(const struct live_pair *l, int row, int rows, size_t a, size_t b)
{
	size_t n = (size_t)rows, first = b + 1 > n ? b + 1 - n : 0;

	if (first + n > l->segments)
		first = l->segments > n ? l->segments - n : 0;
	if (a < first && row == 0)
		return a;
	if (a >= first + n && row == rows - 1)
		return a;
	return first + (size_t)row;
}

static void draw_segment(struct canvas *c, struct rect r, int row, const struct view *v,
			 const struct live_segment *g, char role)
{
	char time[16], length[32];
	struct rect line = {r.row + row, r.col, 1, r.cols};
	bool chosen = role == 'B';
	enum style s = chosen ? ST_SELECTED : ST_NORMAL;

	if (chosen)
		canvas_fill(c, line, ' ', s);
	if (role)
		canvas_put(c, line, 0, 1, (uint32_t)role, chosen ? s : ST_VALUE);
	canvas_put(c, line, 0, 3, g->mark.letter ? (uint32_t)g->mark.letter : '-',
		   chosen ? s : ST_MARK);
	canvas_text(c, line, 0, 5, clock_text(time, sizeof(time), g->mark.wall),
		    chosen ? s : ST_DIM);
	canvas_text_right(c, line, 0, LENGTH_RIGHT,
			  units_span(length, sizeof(length), g->end_ns - g->start_ns), s);
	canvas_text(c, line, 0, STEADY_COL, steady_word_name(g->steady), s);
	text_draw(c, line, 0, TEXT_COL, r.cols - TEXT_COL, g->mark.text, v->g, s);
	if (!chosen)
		return;
	c->cursor_row = line.row;
	c->cursor_col = line.col + 1;
}

/* Down from B, which passes A over. */
static int steps_to(int at, int a, int b)
{
	return at - b - (b < a && a < at) + (at < a && a < b);
}

static void draw_list(struct canvas *c, struct rect r, const struct view *v)
{
	const struct live_pair *l = v->pair;
	size_t a = l->a, b = l->b;
	int rows = r.rows - 1;

	for (size_t i = 0; i < l->segments; i++) {
		a = v->pair_a && l->segment[i].number == v->pair_a ? i : a;
		b = v->pair_b && l->segment[i].number == v->pair_b ? i : b;
	}
	canvas_text(c, r, 0, 3, "  from", ST_LABEL);
	canvas_text_right(c, r, 0, LENGTH_RIGHT, "length", ST_LABEL);
	canvas_text(c, r, 0, STEADY_COL, "steady", ST_LABEL);
	canvas_text(c, r, 0, TEXT_COL, "what changed at its start", ST_LABEL);
	for (int row = 0; row < rows && (size_t)row < l->segments; row++) {
		size_t at = segment_in(l, row, rows, a, b);
		char role = at == b ? 'B' : at == a ? 'A' : 0;
		draw_segment(c, r, row + 1, v, &l->segment[at], role);
		if (role != 'A')
			hot_choice(c, (struct rect){r.row + row + 1, r.col, 1, r.cols}, HOT_FIELD,
				   steps_to((int)at, (int)a, (int)b), 0);
	}
}

/* --- What else is to be known. --- */

static void differences_words(char *out, size_t n, const struct live_pair *l)
{
	const char *first = json_string_value(json_array_get(l->differ, 0));

	if (!l->c.differences)
		snprintf(out, n, "Nothing else differs that is known of.");
	else if (l->c.differences == 1)
		snprintf(out, n, "One thing differs: %s", first ? first : "");
	else
		snprintf(out, n,
			 "! %u things differ, so that no single one explains the figures: d lists "
			 "them.",
			 l->c.differences);
}

static void counted_words(char *out, size_t n, const struct live_pair *l)
{
	const struct side *a = &l->side[0], *b = &l->side[1];

	snprintf(out, n, "Counted: A %.0f s%s, B %.0f s%s; not 3 s next to a mark", a->seconds,
		 a->unsettled ? " (unsettled)" : "", b->seconds,
		 b->unsettled ? " (unsettled)" : "");
	if (a->warmup || b->warmup)
		units_append(out, n, ", nor warm-up (A %zu s, B %zu s)", a->warmup, b->warmup);
	units_append(out, n, ".");
}

static void draw_remarks(struct canvas *c, struct rect r, const struct view *v)
{
	const struct live_pair *l = v->pair;
	char text[640];

	differences_words(text, sizeof(text), l);
	text_draw(c, r, 0, 1, r.cols - 2, text, v->g, l->c.differences > 1 ? ST_WARN : ST_NORMAL);
	counted_words(text, sizeof(text), l);
	if (r.rows > 1)
		text_draw(c, r, 1, 1, r.cols - 2, text, v->g, ST_DIM);
	if (r.rows > 2)
		text_draw(c, r, 2, 1, r.cols - 2,
			  "Intervals hold 95 % each; verdicts are corrected for their number.",
			  v->g, ST_DIM);
}

/* --- All of it. --- */

static void draw_nothing(struct canvas *c, struct rect r, const struct view *v)
{
	struct prose t = {0};
	int top = 0;

	prose_add(&t, r.cols - 2 < PROSE_COLUMNS ? r.cols - 2 : PROSE_COLUMNS, 0, ST_NORMAL,
		  "There is one segment so far. Turn a knob, or set a mark (%s) when you change "
		  "something that no host can see: what was before and after is compared here. "
		  "%s sets one thing and another in turn (ABBA), so that a drift is excluded.",
		  action_key(ACT_MARK), action_key(ACT_AB));
	prose_draw(c, (struct rect){r.row + 1, r.col + 1, r.rows - 1, r.cols - 2}, &t, &top, v->g);
	prose_free(&t);
}

/* The list has what the figures leave, and at least so much that both segments are seen. */
static int list_rows(const struct live_pair *l, int room)
{
	int wanted = (int)(l->segments < 1000 ? l->segments : 1000) + 1;
	int left = room - figures_shown(&l->c) - 1;

	if (left < LIST_LEAST)
		left = LIST_LEAST;
	return wanted < left ? wanted : left;
}

static void draw_body(struct comparing_view *d, struct canvas *c, struct rect r,
		      const struct view *v)
{
	const struct live_pair *l = v->pair;
	bool looking = wished(v->pair_a, l, l->a) != l->segment[l->a].number ||
		       wished(v->pair_b, l, l->b) != l->segment[l->b].number;
	char names[48], standing[96];
	char count[32];
	int remarks = r.rows < 30 ? 2 : REMARK_ROWS;
	int list = list_rows(l, r.rows - remarks - 2);
	int figures = r.rows - remarks - 2 - list > 0 ? r.rows - remarks - 2 - list : 0;

	snprintf(count, sizeof(count), "%zu segments", l->segments);
	compare_rule(c, r, 0, v, "Segments", count);
	draw_list(c, (struct rect){r.row + 1, r.col, list, r.cols}, v);
	verdict_names(names, sizeof(names), l);
	live_words(standing, sizeof(standing), l);
	if (l->held_s > 0)
		snprintf(standing, sizeof(standing), "as of %.0f s ago", l->held_s);
	compare_rule(c, r, list + 1, v, names,
		     looking       ? "looking"
		     : standing[0] ? standing
				   : "change in % of A");
	if (looking)
		return;
	int used = figures_shown(&l->c) + 1 < figures ? figures_shown(&l->c) + 1 : figures;
	const struct figures f = {&l->c, l, &d->top, &d->page};
	figures_draw(c, (struct rect){r.row + list + 2, r.col, used, r.cols}, v, &f);
	int rest = r.rows - list - 2 - used, gap = rest > remarks;
	draw_remarks(c,
		     (struct rect){r.row + list + 2 + used + gap, r.col,
				   rest - gap < REMARK_ROWS ? rest - gap : REMARK_ROWS, r.cols},
		     v);
}

static bool by_pairs(const struct comparing_view *d, const struct view *v)
{
	return v->ab && !d->segments;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct comparing_view *d = state;
	struct rect body = {full.row + 1, full.col, full.rows - 2, full.cols};
	struct rect keys = {full.row + full.rows - 1, full.col, 1, full.cols};
	char clock[16];

	canvas_fill(c, full, ' ', ST_NORMAL);
	canvas_text(c, full, 0, 1, "lunscope: compare", ST_TITLE);
	if (v->frozen)
		canvas_text(c, full, 0, 20, "FROZEN", ST_WARN);
	canvas_text_right(c, full, 0, full.cols - 1, clock_text(clock, sizeof(clock), v->snap.wall),
			  ST_DIM);
	if (full.rows < 3)
		return;
	/* What is under way has its words in the place of the keys. */
	int more = ab_row_wanted(v) ? ab_row_rows(v, full.cols) - 1 : 0;
	keys.row -= more;
	keys.rows += more;
	body.rows -= more;
	if (by_pairs(d, v))
		compare_pairs_draw(c, body, v, &d->top, &d->page);
	else if (v->pair && v->pair->state != LIVE_ONE)
		draw_body(d, c, body, v);
	else
		draw_nothing(c, body, v);
	canvas_fill(c, keys, ' ', ST_NORMAL);
	if (ab_row_wanted(v))
		ab_row_draw(c, keys, v);
	else
		draw_keys(c, keys, by_pairs(d, v), v->ab != NULL);
}

/* Choosing segments is to look at them. */
static void choose(struct comparing_view *d, bool baseline, int dir)
{
	d->segments = true;
	d->desk.choose(d->desk.ctx, baseline, dir);
}

static enum dialog_result key(void *state, int key)
{
	struct comparing_view *d = state;
	const struct compare_desk *k = &d->desk;

	if (action_of_key(key) == ACT_HELP) {
		k->help(k->ctx);
		return DIALOG_OPEN;
	}
	if (k->in_turn(k->ctx, key))
		return DIALOG_OPEN;
	if (action_of_key(key) == ACT_COMPARE)
		return DIALOG_CANCELLED;
	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_UP: choose(d, false, -1); break;
	case K_DOWN: choose(d, false, 1); break;
	case K_LEFT: choose(d, true, -1); break;
	case K_RIGHT: choose(d, true, 1); break;
	case K_HOME: k->usual(k->ctx); break;
	case 'b':
		d->segments = !d->segments;
		d->top = 0;
		break;
	case 'd': k->differences(k->ctx, !d->segments); break;
	case K_PGUP: d->top = d->top > d->page ? d->top - d->page : 0; break;
	case K_PGDN: d->top += d->page; break;
	}
	return DIALOG_OPEN;
}

struct dialog dialog_compare(const struct compare_desk *desk, bool segments)
{
	struct comparing_view *d = calloc(1, sizeof(*d));

	if (d) {
		d->desk = *desk;
		d->segments = segments;
	}
	return (struct dialog){.state = d, .draw = draw, .key = key, .free = free};
}
