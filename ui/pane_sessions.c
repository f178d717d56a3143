/* pane_sessions.c - the sessions of a LUN: a row for each path, what the wires carry, which path does less
 * than its share; and where there is room, as in the full screen, one path with all that is known of it.
 */
#include <string.h>
#include "path_table.h"
#include "prose.h"

#define TABLE_LEAST 3 /* heads and two paths stay when one path is shown in full */
#define FACTS_LEAST 4 /* rows from which on a part of that is better than nothing */
#define SHOWN_LEAST 2 /* remarks that the pane has room for among the others */

/* --- Remarks. --- */

/* The worst first: only some of them may have room. */
static void remark(struct prose *t, int cols, enum style style, const char *text)
{
	if (text[0])
		prose_add(t, cols, 2, style, "%s%s", style == ST_WARN ? "! " : "", text);
}

/* The first path whose connection could use more of its NIC. */
static void remark_mss(struct prose *t, int cols, const struct sessions *s)
{
	char words[120], text[160];

	for (unsigned i = 0; i < s->paths; i++)
		if (path_mss_words(words, sizeof(words), s, &s->path[i])) {
			snprintf(text, sizeof(text), "path %u: %s", s->path[i].number, words);
			remark(t, cols, ST_WARN, text);
			return;
		}
}

static void remark_signs(struct prose *t, int cols, const struct sessions *s)
{
	for (unsigned i = 0; i < s->paths; i++)
		if (s->path[i].all.window_limited) {
			remark(t, cols, ST_WARN,
			       "w: more is sent when the target's command window opens");
			return;
		}
	for (unsigned i = 0; i < s->paths; i++)
		if (s->path[i].all.limit) {
			remark(t, cols, ST_WARN,
			       "f: fewer IOs at a time, since the target was full");
			return;
		}
}

static void gather_remarks(struct prose *t, int cols, const struct sessions *s)
{
	remark(t, cols, ST_WARN, s->imbalance);
	remark(t, cols, ST_NORMAL, s->wire.text);
	remark_mss(t, cols, s);
	remark_signs(t, cols, s);
}

static void draw_remarks(struct canvas *c, struct rect r, int row, int rows, const struct view *v,
			 const struct prose *t)
{
	for (int i = 0; i < t->count && i < rows; i++)
		text_draw(c, r, row + i, 0, r.cols, t->line[i].text, v->g, t->line[i].style);
}

/* --- The pane. --- */

/* "3 of 4 up, 12 sessions, least busy" */
static void title_right(char *out, size_t n, const struct sessions *s, unsigned left_out)
{
	char policy[40];
	unsigned up = 0;

	out[0] = '\0';
	for (unsigned i = 0; i < s->paths; i++)
		up += !s->path[i].out && s->path[i].up > 0;
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

/* How the rows are shared out: what is shown of one path takes them from the remarks, then from the table;
 * both keep their least. */
struct shares {
	int table, remarks, facts;
};

static struct shares share_out(int rows, int paths, int remarks, int facts)
{
	struct shares s = {paths + 1, remarks, 0};

	if (rows - paths - 1 - SHOWN_LEAST < FACTS_LEAST) {
		s.remarks = rows - s.table > remarks ? remarks : rows - s.table;
		return s;
	}
	s.facts = facts;
	while (s.table + s.remarks + s.facts > rows && s.remarks > 1)
		s.remarks--;
	while (s.table + s.remarks + s.facts > rows && s.table > TABLE_LEAST)
		s.table--;
	if (s.table + s.remarks + s.facts > rows)
		s.facts = rows - s.table - s.remarks;
	return s;
}

void pane_sessions_draw(struct canvas *c, struct rect r, const struct view *v)
{
	const struct sessions *s = &v->snap.sessions;
	const unsigned chosen = pane_sessions_chosen(v);
	const bool focused = v->focus.on_pane && v->focus.pane == PANE_SESSIONS;
	struct rect body = pane_inset((struct rect){r.row + 1, r.col, r.rows - 1, r.cols});
	struct prose remarks = {0};
	unsigned left_out = 0;
	char right[160];

	gather_remarks(&remarks, body.cols, s);
	struct shares share = share_out(body.rows, (int)s->paths, remarks.count,
					s->paths ? path_facts_rows(s, chosen, body.cols) : 0);
	/* half a sentence is worth less than its beginning with dots */
	if (share.remarks < remarks.count) {
		prose_free(&remarks);
		gather_remarks(&remarks, PROSE_COLUMNS, s);
	}
	struct rect table = body;
	if (share.facts)
		table.rows = share.table;
	int used = path_table_draw(c, table, v, s, focused || share.facts ? (int)chosen : -1, false,
				   &left_out);
	title_right(right, sizeof(right), s, left_out);
	pane_title(c, r, v, PANE_SESSIONS, right);
	draw_remarks(c, body, used, share.remarks, v, &remarks);
	prose_free(&remarks);
	if (!share.facts)
		return;
	int at = used + share.remarks;
	/* a blank row before it, where there is one to spare */
	if (body.rows - at > share.facts)
		at++;
	at += path_facts_draw(c, (struct rect){body.row + at, body.col, body.rows - at, body.cols},
			      v, s, chosen);
	path_sessions_draw(c, (struct rect){body.row + at, body.col, body.rows - at, body.cols}, v,
			   s, chosen);
}
