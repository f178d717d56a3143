/* state_cursor.c - the keys that move the cursors of the charts. */
#include "pane_util.h"
#include "state.h"

#define BIG_STEP 10 /* columns */

static bool has_time_line(const struct view *v, enum pane_id p)
{
	return p == PANE_IOPS || p == PANE_RATE || p == PANE_HEAT ||
	       (p == PANE_LATENCY && v->latency == LATENCY_HEAT);
}

static bool on_chart(const struct ui_state *s)
{
	const struct view *v = &s->gather.view;

	return v->focus.on_pane && has_time_line(v, v->focus.pane);
}

struct rect state_cursor_body(const struct ui_state *s, enum pane_id p)
{
	const struct view *v = &s->gather.view;
	struct rect r = s->layout.pane[p];

	if (!has_time_line(v, p) || r.rows < 1)
		return (struct rect){0};
	return pane_chart_body(s->cols, r, v, p == PANE_RATE ? PANE_RATE : PANE_IOPS);
}

/* The one in focus or, without one, the first that is there. */
static enum pane_id chart_of(const struct ui_state *s)
{
	static const enum pane_id charts[] = {PANE_IOPS, PANE_RATE, PANE_HEAT};

	if (on_chart(s))
		return s->gather.view.focus.pane;
	for (int i = 0; i < 3; i++)
		if (s->layout.pane[charts[i]].rows > 0)
			return charts[i];
	return PANE_IOPS;
}

/* How many cells it has from left to right. The heat map is cut into them as the first chart is. */
static int cells_of(const struct ui_state *s)
{
	const struct view *v = &s->gather.view;
	enum pane_id id = chart_of(s);

	return pane_chart_cells(s->cols, s->layout.pane[id], v,
				id == PANE_RATE ? PANE_RATE : PANE_IOPS);
}

/* How long a column of its cells is. */
static uint64_t cell_ns(const struct ui_state *s)
{
	return chart_cell_ns(&s->gather.view, cells_of(s));
}

/* Where the run began. */
static uint64_t first_ns(const struct view *v)
{
	uint64_t start = v->snap.start_ns ? v->snap.start_ns : 1;

	return v->mark_count && v->marks[0].t_ns < start ? v->marks[0].t_ns : start;
}

/* The gap in front of a sweep's newest column is where the oldest ones were. */
static bool in_gap(const struct ui_state *s, uint64_t t)
{
	const struct view *v = &s->gather.view;

	return chart_sweeps(v) &&
	       chart_column_of(v, t, chart_resolution(v->level, cells_of(s))) < 0;
}

/* Moves the charts so far that t is in them, and back to now where that does. */
static void show(struct ui_state *s, uint64_t t)
{
	const struct view *v = &s->gather.view;
	uint64_t end = chart_end(v), span = v->chart_span_ns;

	if (t > end || end - t >= span - cell_ns(s) || in_gap(s, t))
		gather_scroll(&s->gather, s->run, t + span / 2);
}

/* Anywhere from the run's beginning to now. */
static void place(struct ui_state *s, uint64_t t)
{
	const struct view *v = &s->gather.view;
	struct cursor *c = &s->cursors.at[s->cursors.active];
	uint64_t first = first_ns(v);

	t = t < first ? first : t;
	t = t > v->now_ns ? v->now_ns : t;
	show(s, t);
	cursor_place(c, t, cell_ns(s));
	cursor_read(c, run_timeline(s->run));
}

static void move_by(struct ui_state *s, int columns)
{
	const struct cursor *c = &s->cursors.at[s->cursors.active];
	uint64_t step = cell_ns(s) * (uint64_t)(columns < 0 ? -columns : columns);

	/* The first key only sets it, at the newest column that is full. */
	if (!c->set) {
		uint64_t now = s->gather.view.now_ns;
		place(s, now > cell_ns(s) ? now - cell_ns(s) : now);
		return;
	}
	if (columns > 0)
		place(s, c->t_ns + step);
	else
		place(s, c->t_ns > step ? c->t_ns - step : 0);
}

static bool pointed_at(const struct mark *m)
{
	return m->letter && mark_shown(m);
}

/* To the nearest mark before or behind it. */
static void move_to_mark(struct ui_state *s, int dir)
{
	const struct view *v = &s->gather.view;
	const struct cursor *c = &s->cursors.at[s->cursors.active];
	uint64_t from = c->set ? c->t_ns : v->now_ns, best = 0;

	for (size_t i = 0; i < v->mark_count; i++) {
		uint64_t t = v->marks[i].t_ns;
		if (!pointed_at(&v->marks[i]))
			continue;
		if (dir < 0 ? t < from : t > from && !best)
			best = t;
	}
	if (best)
		place(s, best);
	else
		state_say(s, false, "There is no mark %s it.", dir < 0 ? "before" : "behind");
}

bool state_cursor_key(struct ui_state *s, int key)
{
	if (!on_chart(s) || !s->gather.view.now_ns)
		return false;
	switch (key) {
	case K_LEFT: move_by(s, -1); return true;
	case K_RIGHT: move_by(s, 1); return true;
	case K_PGUP: move_by(s, -BIG_STEP); return true;
	case K_PGDN: move_by(s, BIG_STEP); return true;
	case K_HOME: move_to_mark(s, -1); return true;
	case K_END: move_to_mark(s, 1); return true;
	default: return false;
	}
}

void state_cursor_next(struct ui_state *s)
{
	struct cursors *k = &s->cursors;

	if (!s->gather.view.now_ns)
		return;
	if (!on_chart(s) && s->layout.pane[chart_of(s)].rows > 0)
		s->gather.view.focus = (struct focus){true, s->gather.view.focus.knob, chart_of(s)};
	if (!k->at[k->active].set) {
		move_by(s, -1);
		return;
	}
	uint64_t t = k->at[k->active].t_ns;
	k->active = !k->active;
	/* The other one begins where this one stands, or is looked at where it does. */
	if (k->at[k->active].set)
		show(s, k->at[k->active].t_ns);
	else
		place(s, t);
}

void state_cursor_point(struct ui_state *s, int col)
{
	const struct view *v = &s->gather.view;

	if (!on_chart(s) || !cursors_rows(&s->cursors) || !v->now_ns)
		return;
	struct rect body = state_cursor_body(s, v->focus.pane);
	int n = chart_resolution(v->level, body.cols), cell = col - body.col;
	uint64_t from, to;
	if (cell < 0 || cell >= body.cols)
		return;
	/* The last column of the cell. */
	chart_column_span(v, (cell + 1) * n / body.cols - 1, n, &from, &to);
	place(s, to);
}

void state_cursor_zoomed(struct ui_state *s)
{
	for (int i = 0; i < 2; i++) {
		struct cursor *c = &s->cursors.at[i];
		if (!c->set)
			continue;
		cursor_place(c, c->t_ns, cell_ns(s));
		cursor_read(c, run_timeline(s->run));
	}
}

bool state_cursor_drop(struct ui_state *s)
{
	bool any = cursors_rows(&s->cursors) > 0;

	s->cursors = (struct cursors){.active = 0};
	if (any && s->run)
		gather_scroll(&s->gather, s->run, 0);
	return any;
}

void state_cursor_show(struct ui_state *s)
{
	const struct cursor *c = &s->cursors.at[s->cursors.active];

	if (c->set && s->gather.view.end_ns)
		show(s, c->t_ns);
}

void state_cursor_tick(struct ui_state *s)
{
	struct view *v = &s->gather.view;

	v->cursors = &s->cursors;
	/* What a column that is still filling holds is not all yet. */
	for (int i = 0; i < 2; i++)
		if (s->run && !v->frozen && s->cursors.at[i].set &&
		    s->cursors.at[i].to_ns + NS_PER_SEC > v->now_ns)
			cursor_read(&s->cursors.at[i], run_timeline(s->run));
}
