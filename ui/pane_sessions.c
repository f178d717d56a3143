/* pane_sessions.c - the sessions of a LUN: a row for each path, what the wires carry, which path does less
 * than its share; and where there is room, as in the full screen, one path with all that is known of it.
 */
#include <string.h>
#include "path_table.h"

#define REMARKS_MAX 4
#define TABLE_LEAST 4 /* heads and three paths stay when one path is shown in full */
#define FACTS_LEAST 4 /* rows from which on a part of that is better than nothing */

/* --- Remarks. --- */

struct remarks {
	const char *text[REMARKS_MAX];
	enum style style[REMARKS_MAX];
	int n;
	char mss[160];
};

static void remark(struct remarks *m, enum style style, const char *text)
{
	if (!text[0] || m->n == REMARKS_MAX)
		return;
	m->text[m->n] = text;
	m->style[m->n++] = style;
}

/* The worst first: only some of them may have room. */
static void gather_remarks(struct remarks *m, const struct sessions *s)
{
	const char *window = "", *full = "";

	m->n = 0;
	remark(m, ST_WARN, s->imbalance);
	for (unsigned i = 0; i < s->paths; i++) {
		if (!m->mss[0])
			path_mss_words(m->mss, sizeof(m->mss), s, &s->path[i]);
		if (s->path[i].all.window_limited)
			window = "w: more is sent when the target's command window opens";
		else if (s->path[i].all.limit)
			full = "f: fewer IOs at a time, since the target was full";
	}
	remark(m, ST_WARN, m->mss);
	remark(m, ST_NORMAL, s->wire.text);
	remark(m, ST_WARN, window[0] ? window : full);
}

static void draw_remarks(struct canvas *c, struct rect r, int row, int rows, const struct view *v,
			 const struct remarks *m)
{
	for (int i = 0; i < m->n && i < rows; i++) {
		int at = 0;

		if (m->style[i] == ST_WARN)
			at += canvas_text(c, r, row + i, 0, "! ", ST_WARN);
		text_draw(c, r, row + i, at, r.cols - at, m->text[i], v->g, m->style[i]);
	}
}

/* --- The pane. --- */

/* "3 of 4 up, 12 sessions, least busy" */
static void title_right(char *out, size_t n, const struct sessions *s, unsigned left_out)
{
	char policy[40];
	unsigned up = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < s->paths; i++)
		up += path_is_up(&s->path[i]);
	units_append(out, n, "%u of %u up", up, s->paths);
	if (left_out)
		units_append(out, n, ", %u not shown", left_out);
	if (s->count > s->paths)
		units_append(out, n, ", %u sessions", s->count);
	if (s->kernel)
		units_append(out, n, ", the kernel's");
	else if (s->paths > 1) {
		path_policy(policy, sizeof(policy), &s->policy);
		units_append(out, n, ", %s", policy);
	}
}

unsigned pane_sessions_chosen(const struct view *v)
{
	const unsigned paths = v->snap.sessions.paths;

	return v->path < paths ? v->path : paths ? paths - 1 : 0;
}

void pane_sessions_draw(struct canvas *c, struct rect r, const struct view *v)
{
	const struct sessions *s = &v->snap.sessions;
	const unsigned chosen = pane_sessions_chosen(v);
	struct rect body = pane_inset((struct rect){r.row + 1, r.col, r.rows - 1, r.cols});
	bool focused = v->focus.on_pane && v->focus.pane == PANE_SESSIONS;
	struct remarks m = {.n = 0};
	unsigned left_out = 0;
	char right[160];

	gather_remarks(&m, s);
	int table = (int)s->paths + 1, room = body.rows - table - m.n;
	int facts = room >= FACTS_LEAST ? path_facts_rows(s, chosen, body.cols) : 0;
	if (facts > room)
		table += room - facts;
	if (table < TABLE_LEAST && (int)s->paths >= TABLE_LEAST)
		table = TABLE_LEAST;
	struct rect rows = body;
	if (facts && table <= (int)s->paths)
		rows.rows = table;
	int used = path_table_draw(c, rows, v, s, focused || facts ? (int)chosen : -1, false,
				   &left_out);
	title_right(right, sizeof(right), s, left_out);
	pane_title(c, r, v, PANE_SESSIONS, right);
	if (!s->paths) {
		canvas_text(c, body, 0, 0, "nothing is known of them yet", ST_DIM);
		return;
	}
	draw_remarks(c, body, used, body.rows - used, v, &m);
	if (!facts)
		return;
	int at = used + m.n;
	/* a blank row before it, where there is one to spare */
	if (body.rows - at > facts)
		at++;
	path_facts_draw(c, (struct rect){body.row + at, body.col, body.rows - at, body.cols}, v, s,
			chosen);
}
