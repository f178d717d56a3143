/* path_table.c - the paths to a LUN, a row each. Columns go by rank where there is no room for all; numbers
 * have columns of a fixed width, so that nothing moves sideways while they change.
 */
#include <string.h>
#include "figures.h"
#include "hot.h"
#include "path_mtu.h"
#include "outage.h"
#include "path_table.h"

enum column {
	COL_CURSOR,
	COL_NUMBER,
	COL_LAMP,
	COL_STATE,
	COL_PORTAL,
	COL_LOCAL,
	COL_NIC,
	COL_DEPTH, /* from here on: figures, which a path that is down has none of */
	COL_IOPS,
	COL_RATE,
	COL_LATENCY,
	COL_SHARE,
	COL_LOST,
	COL_ANEW,
	COL_RTT,
	COL_MSS,
	COLUMNS,
};

#define CELL       80
#define PORTAL_MIN 26 /* [2001:db8:10:20::30]:3260; a longer one takes what is left over */
#define GAP_WIDE   2
#define WIDE_COLS  60
#define WHY_LEAST  24 /* less of a reason than that says nothing */

static const struct {
	const char *head;
	int width; /* at least */
	int rank;  /* the highest goes first */
	bool right;
} column[COLUMNS] = {
	[COL_CURSOR] = {"", 1, 0, false},       [COL_NUMBER] = {"#", 1, 0, true},
	[COL_LAMP] = {"", 1, 0, false},         [COL_STATE] = {"path", 5, 0, false},
	[COL_PORTAL] = {"portal", 6, 0, false}, [COL_LOCAL] = {"from", 4, 8, false},
	[COL_NIC] = {"NIC", 3, 4, false},       [COL_DEPTH] = {"depth", 5, 2, true},
	[COL_IOPS] = {"IOPS", 6, 0, true},      [COL_RATE] = {"", 5, 1, true},
	[COL_LATENCY] = {"ms", 5, 1, true},     [COL_SHARE] = {"share", 5, 3, true},
	[COL_LOST] = {"lost", 4, 4, true},      [COL_ANEW] = {"anew", 4, 7, true},
	[COL_RTT] = {"RTT", 7, 5, true},        [COL_MSS] = {"MSS/cap", 9, 6, true},
};

struct table {
	const struct view *v;
	const struct sessions *s;
	char cell[PATHS_MAX][COLUMNS][CELL];
	int width[COLUMNS]; /* 0 = not shown */
	int gap;
};

/* --- What a path is. --- */

bool path_is_up(const struct path_view *p)
{
	return !p->out && p->sessions && p->up == p->sessions;
}

void path_state(char *out, size_t n, const struct path_view *p)
{
	if (p->out)
		snprintf(out, n, "out");
	else if (path_is_up(p))
		snprintf(out, n, "up");
	else if (p->up)
		snprintf(out, n, "%u/%u", p->up, p->sessions);
	else
		snprintf(out, n, "%s", p->all.state == SESSION_LOGIN ? "login" : "down");
}

static enum style state_style(const struct path_view *p)
{
	if (p->out)
		return ST_DIM;
	if (path_is_up(p))
		return ST_GOOD;
	return p->up || p->all.state == SESSION_LOGIN ? ST_WARN : ST_BAD;
}

static uint32_t state_lamp(const struct path_view *p, const struct glyphs *g)
{
	return p->out ? g->lamp_off : path_is_up(p) ? g->lamp_on : '!';
}

void path_next_try(char *out, size_t n, const struct path_view *p, uint64_t now_ns)
{
	uint64_t at = p->all.next_login_ns;

	out[0] = '\0';
	if (p->all.state == SESSION_LOGIN || (at && at <= now_ns))
		snprintf(out, n, "trying again");
	else if (at)
		snprintf(out, n, "next try in %.1f s", (double)(at - now_ns) / 1e9);
}

/* Why it is down, from where the portal was named: that stands in the row already. */
static const char *why_in_row(const struct backend_session *b)
{
	static const char head[] = "portal ";
	const char *words = b->why;
	size_t n = strlen(b->portal);

	if (n && strncmp(words, head, sizeof(head) - 1) == 0 &&
	    strncmp(words + sizeof(head) - 1, b->portal, n) == 0 &&
	    words[sizeof(head) - 1 + n] == ' ')
		words += sizeof(head) + n;
	return words;
}

/* Since when it did harm, where that is known: as the events count it. */
static const char *away_words(char *out, size_t n, const struct backend_session *b, uint64_t now_ns)
{
	uint64_t since = b->loss.silent_ns && !b->loss.back_ns ? outage_since(&b->loss) : 0;

	return units_span(out, n, since && since < now_ns ? now_ns - since : b->outage_ns);
}

/* What stands in the place of figures: in few words where there is little room. */
static void words_of(char *out, size_t n, const struct path_view *p, uint64_t now_ns, int room)
{
	const struct backend_session *b = &p->all;
	char span[32], next[32];

	out[0] = '\0';
	if (p->out) {
		units_append(out, n, "taken out");
		if (b->inflight)
			units_append(out, n, ", %u IOs still in flight", b->inflight);
		return;
	}
	if (b->drops)
		units_append(out, n, "for %s", away_words(span, sizeof(span), b, now_ns));
	path_next_try(next, sizeof(next), p, now_ns);
	if (b->drops && next[0] && room >= WHY_LEAST)
		units_append(out, n, ", %s", next);
	if (!b->drops && !b->why[0])
		units_append(out, n, "not up yet");
	if (b->why[0] && (!b->drops || room >= WHY_LEAST))
		units_append(out, n, "%s%s", b->drops ? ": " : "", why_in_row(b));
}

bool path_mss_words(char *out, size_t n, const struct sessions *s, const struct path_view *p)
{
	if (!path_mtu_unused(p))
		return false;
	snprintf(out, n, "MSS %lld: log in anew%s to use MTU %lld", (long long)p->all.mss_cap,
		 s->kernel ? "" : " (P, r)", (long long)p->nic_mtu);
	return true;
}

/* --- Cells. --- */

/* "10.0.0.2" of "10.0.0.2:50000": every session has a port of its own. */
static void without_port(char *out, size_t n, const char *address)
{
	const char *colon = strrchr(address, ':');

	snprintf(out, n, "%.*s", colon ? (int)(colon - address) : (int)strlen(address), address);
}

static const char *or_dash(const char *text)
{
	return text[0] ? text : "-";
}

static void fill_names(const struct path_view *p, char (*cell)[CELL])
{
	char local[CELL];

	snprintf(cell[COL_NUMBER], CELL, "%u", p->number);
	path_state(cell[COL_STATE], CELL, p);
	/* The one in use; a remark has both. */
	if (p->all.sent_on[0])
		snprintf(cell[COL_PORTAL], CELL, ">%.78s", p->all.sent_on);
	else
		snprintf(cell[COL_PORTAL], CELL, "%s", or_dash(p->all.portal));
	without_port(local, sizeof(local), p->all.local);
	snprintf(cell[COL_LOCAL], CELL, "%s", or_dash(local));
	snprintf(cell[COL_NIC], CELL, "%s", or_dash(p->nic));
}

/* A letter says what limits the IOs in flight. */
static char limit_sign(const struct path_view *p)
{
	return p->all.window_limited ? 'w' : p->all.limit ? 'f' : '\0';
}

static void fill_figures(const struct table *t, const struct path_view *p, char (*cell)[CELL])
{
	const bool ascii = !t->v->g->utf8;
	const char sign[2] = {limit_sign(p), '\0'};

	snprintf(cell[COL_DEPTH], CELL, "%u%s", p->all.inflight, sign);
	snprintf(cell[COL_IOPS], CELL, "-");
	if (p->iops >= 0)
		units_count(cell[COL_IOPS], CELL, p->iops);
	snprintf(cell[COL_RATE], CELL, "-");
	if (p->bytes_s >= 0)
		figure_digits(cell[COL_RATE], CELL, p->bytes_s / units_rate_scale(t->v->unit), 5);
	snprintf(cell[COL_LATENCY], CELL, "-");
	if (p->latency_ns >= 0 && p->iops > 0)
		figure_digits(cell[COL_LATENCY], CELL, p->latency_ns / 1e6, 5);
	snprintf(cell[COL_SHARE], CELL, "-");
	if (p->share >= 0)
		snprintf(cell[COL_SHARE], CELL, "%.0f %%", 100 * p->share);
	snprintf(cell[COL_LOST], CELL, "%llu", (unsigned long long)p->all.drops);
	snprintf(cell[COL_ANEW], CELL, "-");
	if (!t->s->kernel)
		snprintf(cell[COL_ANEW], CELL, "%llu", (unsigned long long)p->all.relogins);
	snprintf(cell[COL_RTT], CELL, "-");
	if (p->all.rtt_us >= 0)
		units_latency(cell[COL_RTT], CELL, (double)p->all.rtt_us * 1e3, ascii);
	snprintf(cell[COL_MSS], CELL, "-");
	if (p->all.mss >= 0 && p->all.mss_cap >= 0)
		snprintf(cell[COL_MSS], CELL, "%lld/%lld", (long long)p->all.mss,
			 (long long)p->all.mss_cap);
	else if (p->all.mss >= 0)
		snprintf(cell[COL_MSS], CELL, "%lld/-", (long long)p->all.mss);
}

static const char *head_of(const struct table *t, int col)
{
	return col == COL_RATE ? units_rate_name(t->v->unit) : column[col].head;
}

/* --- Columns. --- */

static int natural_width(const struct table *t, int col)
{
	int width = column[col].width, head = canvas_width(head_of(t, col));

	if (head > width)
		width = head;
	for (unsigned i = 0; i < t->s->paths; i++) {
		int w = canvas_width(t->cell[i][col]);
		if (w > width)
			width = w;
	}
	return width;
}

/* Cursor, number, lamp and state stand close together. */
static int gap_before(int col, int gap)
{
	return col > COL_STATE ? gap : col > COL_NUMBER;
}

/* Columns of a rank below limit, with gaps between them. */
static int table_width(const int natural[COLUMNS], int limit, int gap)
{
	int width = 0;

	for (int col = 0; col < COLUMNS; col++)
		if (column[col].rank < limit) {
			int w = natural[col];
			if (col == COL_PORTAL && w > PORTAL_MIN)
				w = PORTAL_MIN;
			width += w + gap_before(col, gap);
		}
	return width;
}

static void choose_columns(struct table *t, int cols)
{
	int natural[COLUMNS], limit = 9;

	for (int col = 0; col < COLUMNS; col++)
		natural[col] = natural_width(t, col);
	while (limit > 1 && table_width(natural, limit, 1) > cols)
		limit--;
	/* on a narrow screen the room is for what stands in the place of figures */
	bool wide = cols >= WIDE_COLS && table_width(natural, limit, GAP_WIDE) <= cols;
	t->gap = wide ? GAP_WIDE : 1;
	int spare = cols - table_width(natural, limit, t->gap);
	for (int col = 0; col < COLUMNS; col++) {
		t->width[col] = column[col].rank < limit ? natural[col] : 0;
		if (col == COL_PORTAL && natural[col] > PORTAL_MIN)
			t->width[col] = natural[col] < PORTAL_MIN + spare ? natural[col]
									  : PORTAL_MIN + spare;
		if (t->width[col] < 0)
			t->width[col] = 0;
	}
}

/* Where a column begins; that after the last is the table's end. */
static int column_at(const struct table *t, int col)
{
	int at = 0;

	for (int i = 0; i < col; i++)
		if (t->width[i])
			at += t->width[i] + gap_before(i + 1, t->gap);
	return at;
}

/* --- Drawing. --- */

static void draw_cell(struct canvas *c, struct rect r, int row, const struct table *t, int col,
		      const char *text, enum style style)
{
	int at = column_at(t, col);

	if (!t->width[col])
		return;
	if (column[col].right)
		canvas_text_right(c, r, row, at + t->width[col], text, style);
	else
		text_draw(c, r, row, at, t->width[col], text, t->v->g, style);
}

static void draw_heads(struct canvas *c, struct rect r, const struct table *t, bool dialog)
{
	for (int col = 0; col < COLUMNS; col++)
		draw_cell(c, r, 0, t, col, head_of(t, col), dialog ? ST_DIALOG : ST_LABEL);
}

static enum style cell_style(const struct path_view *p, int col)
{
	if (col == COL_LAMP || col == COL_STATE)
		return state_style(p);
	if (p->out)
		return ST_DIM;
	if (col == COL_DEPTH && limit_sign(p))
		return ST_WARN;
	if (col == COL_LOST && p->all.drops)
		return ST_WARN;
	return col >= COL_DEPTH ? ST_VALUE : ST_NORMAL;
}

static void draw_path(struct canvas *c, struct rect r, int row, const struct table *t, unsigned i,
		      bool chosen, bool dialog)
{
	const struct path_view *p = &t->s->path[i];
	enum style ground = chosen && dialog ? ST_SELECTED : ST_DIALOG;
	char words[300];

	if (dialog)
		canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', ground);
	for (int col = 0; col < (p->up && !p->out ? COLUMNS : COL_DEPTH); col++)
		draw_cell(c, r, row, t, col, t->cell[i][col], dialog ? ground : cell_style(p, col));
	canvas_put(c, r, row, column_at(t, COL_LAMP), state_lamp(p, t->v->g),
		   dialog ? ground : state_style(p));
	if (chosen && dialog) {
		c->cursor_row = r.row + row;
		c->cursor_col = r.col;
	}
	if (chosen)
		canvas_put(c, r, row, 0, t->v->g->cursor, dialog ? ground : ST_FOCUS);
	if (p->up && !p->out)
		return;
	int at = column_at(t, COL_DEPTH);
	words_of(words, sizeof(words), p, t->v->snap.t_ns, r.cols - at);
	text_draw(c, r, row, at, r.cols - at, words, t->v->g,
		  dialog   ? ground
		  : p->out ? ST_DIM
			   : ST_WARN);
}

/* Which paths have a row: the chosen one, then those in trouble, then in their order. */
static unsigned choose_rows(const struct sessions *s, int chosen, unsigned rows,
			    bool shown[PATHS_MAX])
{
	unsigned n = 0;

	memset(shown, 0, PATHS_MAX * sizeof(shown[0]));
	for (int pass = 0; pass < 3; pass++)
		for (unsigned i = 0; i < s->paths && n < rows; i++) {
			bool wanted = pass == 0   ? (int)i == chosen
				      : pass == 1 ? !path_is_up(&s->path[i])
						  : true;
			if (wanted && !shown[i]) {
				shown[i] = true;
				n++;
			}
		}
	return n;
}

int path_table_draw(struct canvas *c, struct rect r, const struct view *v, const struct sessions *s,
		    int chosen, bool dialog, unsigned *left_out)
{
	struct table t = {.v = v, .s = s};
	bool shown[PATHS_MAX];
	int row = 0;

	for (unsigned i = 0; i < s->paths; i++) {
		fill_names(&s->path[i], t.cell[i]);
		fill_figures(&t, &s->path[i], t.cell[i]);
	}
	choose_columns(&t, r.cols);
	if (r.rows > 1) {
		draw_heads(c, r, &t, dialog);
		row++;
	}
	unsigned n = choose_rows(s, chosen, r.rows > row ? (unsigned)(r.rows - row) : 0, shown);
	for (unsigned i = 0; i < s->paths; i++) {
		if (!shown[i])
			continue;
		if (dialog)
			hot_choice(c, (struct rect){r.row + row, r.col, row < r.rows, r.cols},
				   HOT_FIELD, (int)i - chosen, 0);
		draw_path(c, r, row++, &t, i, (int)i == chosen, dialog);
	}
	*left_out = s->paths - n;
	return row;
}
