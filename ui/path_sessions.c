/* path_sessions.c - the sessions of one path, a row each: each worker has its own, and one that is worse
 * off than the others doesn't show in their sum.
 */
#include "path_table.h"

#define ROWS_LEAST 4 /* a blank one, the heads, two sessions */

enum column { NUMBER, STATE, LOCAL, DEPTH, IOS, LOST, RTT, CWND, RESENT, MSS, COLUMNS };

static const struct {
	const char *head;
	int right; /* where it ends; 0: it begins at left */
	int left;
} column[COLUMNS] = {
	[NUMBER] = {"session", 7, 0}, [STATE] = {"state", 0, 9}, [LOCAL] = {"from", 0, 21},
	[DEPTH] = {"depth", 42, 0},   [IOS] = {"IOs", 49, 0},    [LOST] = {"lost", 55, 0},
	[RTT] = {"RTT", 64, 0},       [CWND] = {"cwnd", 70, 0},  [RESENT] = {"resent", 77, 0},
	[MSS] = {"MSS", 84, 0},
};

static void draw_cell(struct canvas *c, struct rect r, int row, enum column at, const char *text,
		      enum style style)
{
	if (column[at].right > r.cols)
		return;
	if (column[at].right)
		canvas_text_right(c, r, row, column[at].right, text, style);
	else
		canvas_text(c, r, row, column[at].left, text, style);
}

static void draw_number(struct canvas *c, struct rect r, int row, enum column at, int64_t v)
{
	char text[24];

	snprintf(text, sizeof(text), v < 0 ? "-" : "%lld", (long long)v);
	draw_cell(c, r, row, at, text, ST_VALUE);
}

static void draw_session(struct canvas *c, struct rect r, int row, const struct view *v,
			 const struct backend_session *b)
{
	char text[40];

	draw_number(c, r, row, NUMBER, b->number);
	draw_cell(c, r, row, STATE, session_state_name(b->state),
		  b->state == SESSION_UP ? ST_GOOD : ST_WARN);
	draw_cell(c, r, row, LOCAL, b->local[0] ? b->local : "-", ST_NORMAL);
	draw_number(c, r, row, DEPTH, b->inflight);
	draw_cell(c, r, row, IOS, units_count(text, sizeof(text), (double)b->ios), ST_VALUE);
	draw_number(c, r, row, LOST, (int64_t)b->drops);
	draw_cell(c, r, row, RTT,
		  b->rtt_us < 0
			  ? "-"
			  : units_latency(text, sizeof(text), (double)b->rtt_us * 1e3, !v->g->utf8),
		  ST_VALUE);
	draw_number(c, r, row, CWND, b->cwnd);
	draw_number(c, r, row, RESENT, b->retransmits);
	draw_number(c, r, row, MSS, b->mss);
}

static unsigned sessions_of(const struct sessions *s, unsigned path)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->listed; i++)
		n += s->session[i].path + 1 == s->path[path].number;
	return n;
}

void path_sessions_draw(struct canvas *c, struct rect r, const struct view *v,
			const struct sessions *s, unsigned i)
{
	unsigned n = sessions_of(s, i);
	int row = 1; /* a blank one before */

	if (n < 2 || r.rows < ROWS_LEAST)
		return;
	for (int at = 0; at < COLUMNS; at++)
		draw_cell(c, r, row, (enum column)at, column[at].head, ST_LABEL);
	row++;
	for (unsigned k = 0; k < s->listed && row < r.rows; k++)
		if (s->session[k].path + 1 == s->path[i].number)
			draw_session(c, r, row++, v, &s->session[k]);
	if (n < s->path[i].sessions && row < r.rows)
		canvas_printf(c, r, row, 0, ST_DIM, "and %u more", s->path[i].sessions - n);
}
