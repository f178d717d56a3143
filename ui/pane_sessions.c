/* pane_sessions.c - the sessions of a LUN: a row for each path, what the wires carry, which path does less
 * than its share; and where there is room, as in the full screen, one path with all that is known of it.
 */
#include <string.h>
#include "path_table.h"
#include "prose.h"
#include "wire.h"

#define REMARKS_MAX 8
#define UNWRAPPED   1000 /* columns: each remark has one row, and ends with dots */
#define FACTS_LEAST 4    /* rows from which on a part of that is better than nothing */
#define SHOWN_LEAST 2    /* remarks that the pane has room for among the others */

/* --- Remarks. --- */

struct remarks {
	struct {
		enum style style;
		char text[320];
	} line[REMARKS_MAX];
	int n, cols, room; /* where to wrap, and what there is in truth */
	int except;        /* a path that tells of itself elsewhere, from 0 on; -1: none */
};

static void add_line(struct remarks *m, enum style style, const char *text)
{
	if (m->n == REMARKS_MAX)
		return;
	m->line[m->n].style = style;
	snprintf(m->line[m->n++].text, sizeof(m->line[0].text), "%s", text);
}

/* In one row where it fits, else wrapped. */
static void remark(struct remarks *m, enum style style, const char *text)
{
	struct prose t = {0};
	char whole[320];

	snprintf(whole, sizeof(whole), "%s%s", style == ST_WARN ? "! " : "", text);
	if (!text[0])
		return;
	if (canvas_width(whole) <= m->cols) {
		add_line(m, style, whole);
		return;
	}
	prose_add(&t, m->cols, 2, style, "%s", whole);
	for (int i = 0; i < t.count; i++)
		add_line(m, style, t.line[i].text);
	prose_free(&t);
}

/* The first path whose connection could use more of its NIC, and how many more there are. */
static void remark_mss(struct remarks *m, const struct sessions *s)
{
	char words[120], of_one[120], text[200] = "";
	unsigned first = 0, found = 0;

	for (unsigned i = 0; i < s->paths; i++)
		if ((int)i != m->except && path_mss_words(of_one, sizeof(of_one), s, &s->path[i]) &&
		    !found++) {
			first = s->path[i].number;
			memcpy(words, of_one, sizeof(words));
		}
	if (found > 1)
		snprintf(text, sizeof(text), "path %u and %u more: %s", first, found - 1, words);
	else if (found)
		snprintf(text, sizeof(text), "path %u: %s", first, words);
	if (found)
		remark(m, ST_WARN, text);
}

/* Where the target sends logins on to; one line for the first, as with the MSS. */
static void remark_sent_on(struct remarks *m, const struct sessions *s)
{
	char more[16] = "", text[240];
	const struct path_view *first = NULL;
	unsigned found = 0;

	for (unsigned i = s->paths; i-- > 0;)
		if (s->path[i].all.sent_on[0] && (int)i != m->except) {
			first = &s->path[i];
			found++;
		}
	if (!found)
		return;
	if (found > 1)
		snprintf(more, sizeof(more), " and %u more", found - 1);
	snprintf(text, sizeof(text), "path %u%s: the target sent the login at %s on to %s",
		 first->number, more, first->all.portal, first->all.sent_on);
	remark(m, ST_NORMAL, text);
}

static void remark_signs(struct remarks *m, const struct sessions *s)
{
	bool window = false, full = false;

	for (unsigned i = 0; i < s->paths; i++) {
		window |= s->path[i].all.window_limited;
		full |= s->path[i].all.limit > 0;
	}
	if (window)
		remark(m, ST_WARN,
		       "w: more can be in flight when the target's command window opens");
	else if (full)
		remark(m, ST_WARN, "f: fewer IOs at a time, since the target was full");
}

/* What the wires carry, in fewer words where there is no room for more. */
static void remark_wire(struct remarks *m, const struct wire *w, enum rate_unit unit)
{
	char text[sizeof(w->text) + 16];

	wire_words(text, sizeof(text), w->text, w->data_bytes_s, unit);
	if (m->cols == UNWRAPPED && canvas_width(text) > m->room)
		wire_words(text, sizeof(text), w->brief, w->data_bytes_s, unit);
	remark(m, ST_NORMAL, text);
}

/* The worst first: only some of them may have room. */
static void gather_remarks(struct remarks *m, const struct sessions *s, enum rate_unit unit)
{
	m->n = 0;
	remark(m, ST_WARN, s->imbalance);
	remark_mss(m, s);
	remark_wire(m, &s->wire, unit);
	remark_sent_on(m, s);
	remark_signs(m, s);
}

static void draw_remarks(struct canvas *c, struct rect r, int row, int rows, const struct view *v,
			 const struct remarks *m)
{
	for (int i = 0; i < m->n && i < rows; i++)
		text_draw(c, r, row + i, 0, r.cols, m->line[i].text, v->g, m->line[i].style);
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
		sessions_policy_words(policy, sizeof(policy), &s->policy);
		units_append(out, n, ", %s", policy);
	}
}

unsigned pane_sessions_chosen(const struct view *v)
{
	const unsigned paths = v->snap.sessions.paths;

	return v->path < paths ? v->path : paths ? paths - 1 : 0;
}

/* The pane has more rows than its table and remarks ask for in layout.c: it is zoomed. */
static bool has_room_for_facts(int rows, int paths)
{
	return paths && rows - paths - 1 - SHOWN_LEAST >= FACTS_LEAST;
}

/* How the rows are shared out: all paths have one first; what is shown of one path takes them from the remarks but
 * for the first, and what has no room of it is its end, the keys of the login. */
struct shares {
	int table, remarks, facts;
};

static struct shares share_out(int rows, int paths, int remarks, int facts)
{
	struct shares s = {paths + 1, remarks, 0};

	if (!facts) {
		s.remarks = rows - s.table > remarks ? remarks : rows - s.table;
		return s;
	}
	s.facts = facts;
	while (s.table + s.remarks + s.facts > rows && s.remarks > 1)
		s.remarks--;
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
	const bool full = has_room_for_facts(body.rows, (int)s->paths);
	struct remarks m = {
		.cols = body.cols, .room = body.cols, .except = full ? (int)chosen : -1};
	unsigned left_out = 0;
	char right[160];

	gather_remarks(&m, s, v->unit);
	struct shares share = share_out(body.rows, (int)s->paths, m.n,
					full ? path_facts_rows(s, chosen, body.cols) : 0);
	/* half a sentence is worth less than its beginning with dots */
	if (share.remarks < m.n) {
		m.cols = UNWRAPPED;
		gather_remarks(&m, s, v->unit);
	}
	struct rect table = body;
	if (share.facts)
		table.rows = share.table;
	int used = path_table_draw(c, table, v, s, focused || share.facts ? (int)chosen : -1, false,
				   &left_out);
	title_right(right, sizeof(right), s, left_out);
	pane_title(c, r, v, PANE_SESSIONS, right);
	draw_remarks(c, body, used, share.remarks, v, &m);
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
