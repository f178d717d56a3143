/* pane_nic.c - the NICs that the target is reached by: a row for each; and where there is room, as in the full
 * screen, all settings of the host that are watched.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "figures.h"
#include "env/files.h"
#include "pane_util.h"

enum column {
	COL_NAME,
	COL_LINK,
	COL_SPEED,
	COL_MTU,
	COL_PAUSE,
	COL_RX, /* from here on: figures */
	COL_TX,
	COL_RX_PACKETS,
	COL_TX_PACKETS,
	COL_FRAME,
	COL_DROPS,
	COL_ERRORS,
	COL_PAUSES,
	COL_OFF,
	COLUMNS,
};

#define CELL       64
#define GAP_WIDE   2
#define FACTS_COLS 35 /* of one column of settings */
#define FACTS_GAP  3
/* Rows beyond the table from which on settings are shown. */
#define FACTS_LEAST 4

static const struct {
	const char *head;
	int width; /* at least */
	int rank;  /* the highest goes first */
	bool right;
} column[COLUMNS] = {
	[COL_NAME] = {"NIC", 4, 0, false},
	[COL_LINK] = {"link", 4, 0, false},
	[COL_SPEED] = {"speed", 7, 4, true},
	[COL_MTU] = {"MTU", 5, 0, true},
	[COL_PAUSE] = {"pause", 5, 2, false},
	[COL_RX] = {"rx ", 8, 0, true},
	[COL_TX] = {"tx ", 8, 0, true},
	[COL_RX_PACKETS] = {"rx pkt/s", 8, 3, true},
	[COL_TX_PACKETS] = {"tx pkt/s", 8, 3, true},
	[COL_FRAME] = {"B/pkt", 5, 1, true},
	[COL_DROPS] = {"drops/s", 7, 2, true},
	[COL_ERRORS] = {"errors/s", 8, 5, true},
	[COL_PAUSES] = {"pauses/s", 8, 3, true},
	[COL_OFF] = {"offloads off", 12, 6, false},
};

struct table {
	const struct view *v;
	char cell[WATCH_NICS][COLUMNS][CELL];
	char head[COLUMNS][16];
	int width[COLUMNS]; /* 0 = not shown */
	int gap;
};

/* --- What a NIC is. --- */

/* "10000 Mb/s" is what drivers say, "10 Gb/s" what people do. */
static void speed_words(char *out, size_t n, const struct nic_view *nic)
{
	long mb = strtol(nic->speed, NULL, 10);

	if (mb <= 0)
		snprintf(out, n, "-");
	else if (mb >= 1000)
		snprintf(out, n, "%g Gb/s", (double)mb / 1000);
	else
		snprintf(out, n, "%ld Mb/s", mb);
}

static void pause_words(char *out, size_t n, const struct nic_view *nic)
{
	bool rx = strstr(nic->pause, "rx on"), tx = strstr(nic->pause, "tx on");

	if (strncmp(nic->pause, "rx ", 3) != 0)
		snprintf(out, n, "-");
	else
		snprintf(out, n, "%s", rx && tx ? "rx+tx" : rx ? "rx" : tx ? "tx" : "off");
}

static void fill_figure(char *out, double value, int width)
{
	figure_digits(out, CELL, value < 0 ? NAN : value, width);
}

static void fill(struct table *t, const struct nic_view *nic, char cell[COLUMNS][CELL])
{
	double unit = t->v->unit == RATE_MB ? 1e6 : (double)MIB;
	bool rx = nic->rx_bytes_s > nic->tx_bytes_s;
	double bytes = rx ? nic->rx_bytes_s : nic->tx_bytes_s;
	double packets = rx ? nic->rx_packets_s : nic->tx_packets_s;
	double pauses = nic->pause_rx_s < 0 ? -1 : nic->pause_rx_s + nic->pause_tx_s;

	snprintf(cell[COL_NAME], CELL, "%s%s", nic->below ? " " : "", nic->name);
	snprintf(cell[COL_LINK], CELL, "%s", nic->link[0] ? nic->link : "-");
	snprintf(cell[COL_MTU], CELL, "%s", nic->mtu[0] ? nic->mtu : "-");
	speed_words(cell[COL_SPEED], CELL, nic);
	pause_words(cell[COL_PAUSE], CELL, nic);
	fill_figure(cell[COL_RX], nic->rx_bytes_s / unit, 6);
	fill_figure(cell[COL_TX], nic->tx_bytes_s / unit, 6);
	fill_figure(cell[COL_RX_PACKETS], nic->rx_packets_s, 6);
	fill_figure(cell[COL_TX_PACKETS], nic->tx_packets_s, 6);
	fill_figure(cell[COL_FRAME], packets > 0 ? bytes / packets : -1, 5);
	fill_figure(cell[COL_DROPS], nic->drops_s, 5);
	fill_figure(cell[COL_ERRORS], nic->errors_s, 5);
	fill_figure(cell[COL_PAUSES], pauses, 6);
	snprintf(cell[COL_OFF], CELL, "%s", nic->off[0] ? nic->off : "none");
}

static enum style cell_style(const struct nic_view *nic, int col)
{
	bool up = strcmp(nic->link, "up") == 0;

	if (col == COL_LINK)
		return up ? ST_GOOD : ST_BAD;
	if ((col == COL_DROPS && nic->drops_s > 0) || (col == COL_ERRORS && nic->errors_s > 0) ||
	    (col == COL_PAUSES && nic->pause_rx_s + nic->pause_tx_s > 0))
		return ST_WARN;
	return col == COL_MTU || (col >= COL_RX && col < COL_OFF) ? ST_VALUE : ST_NORMAL;
}

/* --- The table. --- */

static int table_width(const int width[COLUMNS], int limit, int gap)
{
	int sum = 0;

	for (int col = 0; col < COLUMNS; col++)
		if (column[col].rank < limit)
			sum += width[col] + (sum ? gap : 0);
	return sum;
}

static void choose_columns(struct table *t, int cols)
{
	const struct net_view *net = &t->v->snap.net;
	int natural[COLUMNS], limit = 9;

	for (int col = 0; col < COLUMNS; col++) {
		int head = canvas_width(t->head[col]);
		natural[col] = head > column[col].width ? head : column[col].width;
		for (unsigned i = 0; i < net->nics; i++) {
			int w = canvas_width(t->cell[i][col]);
			if (w > natural[col])
				natural[col] = w;
		}
	}
	while (limit > 1 && table_width(natural, limit, 1) > cols)
		limit--;
	t->gap = table_width(natural, limit, GAP_WIDE) <= cols ? GAP_WIDE : 1;
	for (int col = 0; col < COLUMNS; col++)
		t->width[col] = column[col].rank < limit ? natural[col] : 0;
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct table *t,
		     const char *(*text)(const struct table *t, int i, int col), int i)
{
	int at = 0;

	for (int col = 0; col < COLUMNS; col++) {
		enum style style = i < 0 ? ST_LABEL : cell_style(&t->v->snap.net.nic[i], col);
		if (!t->width[col])
			continue;
		if (column[col].right)
			canvas_text_right(c, r, row, at + t->width[col], text(t, i, col), style);
		else
			text_draw(c, r, row, at, t->width[col], text(t, i, col), t->v->g, style);
		at += t->width[col] + t->gap;
	}
}

static const char *head_text(const struct table *t, int i, int col)
{
	(void)i;
	return t->head[col];
}

static const char *cell_text(const struct table *t, int i, int col)
{
	return t->cell[i][col];
}

/* Returns the rows used. */
static int draw_table(struct canvas *c, struct rect r, const struct view *v)
{
	const struct net_view *net = &v->snap.net;
	struct table t = {.v = v};
	int row = 0;

	for (unsigned i = 0; i < net->nics; i++)
		fill(&t, &net->nic[i], t.cell[i]);
	for (int col = 0; col < COLUMNS; col++)
		snprintf(t.head[col], sizeof(t.head[col]), "%s%s", column[col].head,
			 col == COL_RX || col == COL_TX ? units_rate_name(v->unit) : "");
	choose_columns(&t, r.cols);
	if (r.rows > 1)
		draw_row(c, r, row++, &t, head_text, -1);
	for (unsigned i = 0; i < net->nics && row < r.rows; i++)
		draw_row(c, r, row++, &t, cell_text, (int)i);
	return row;
}

/* --- The settings. --- */

#define FACTS_MAX 512

/* Those that there are: of the NICs in the table's order but for those that are gone, then the others. What
 * drivers do not have is only counted. */
struct list {
	const struct fact *fact[FACTS_MAX];
	int count, missing;
};

/* Which NIC's it is; nics where it is none's. */
static unsigned nic_of_fact(const struct net_view *net, const struct fact *f)
{
	size_t n = strcspn(f->words, " ");

	for (unsigned i = 0; i < net->nics; i++)
		if (strlen(net->nic[i].name) == n && memcmp(net->nic[i].name, f->words, n) == 0)
			return i;
	return net->nics;
}

static void list_facts(struct list *l, const struct facts *f, const struct net_view *net)
{
	l->count = l->missing = 0;
	for (unsigned of = 0; of <= net->nics; of++)
		for (size_t i = 0; i < f->count; i++) {
			bool gone = of < net->nics && strcmp(net->nic[of].link, "gone") == 0;
			if (gone || nic_of_fact(net, &f->fact[i]) != of)
				continue;
			if (strcmp(f->fact[i].value, "(not supported)") == 0)
				l->missing++;
			else if (l->count < FACTS_MAX)
				l->fact[l->count++] = &f->fact[i];
		}
}

static bool fits(const struct fact *f, int cols)
{
	return canvas_width(f->words) <= cols - canvas_width(f->value) - 2;
}

/* brief: of "net.ipv4.tcp_rmem" the last word, which tells enough. */
static void draw_fact(struct canvas *c, struct rect r, int row, int col, int cols,
		      const struct fact *f, bool brief, const struct glyphs *g)
{
	const char *last = strrchr(f->words, '.');
	const char *words = brief && last && env_is_sysctl(f->words) ? last + 1 : f->words;
	int used = text_draw(c, r, row, col, cols - 2, words, g, ST_LABEL);

	if (canvas_width(f->value) <= cols - used - 2)
		canvas_text_right(c, r, row, col + cols, f->value, ST_VALUE);
	else
		text_draw(c, r, row, col + used + 2, cols - used - 2, f->value, g, ST_VALUE);
}

/* Where one sysctl's name does not fit, none is written out. */
static bool are_brief(const struct list *l, int width)
{
	for (int i = 0; i < l->count; i++)
		if (env_is_sysctl(l->fact[i]->words) && !fits(l->fact[i], width))
			return true;
	return false;
}

/* Column by column, as in a book, and no more rows than that takes: they are of about the same length. */
static void draw_facts(struct canvas *c, struct rect r, const struct view *v)
{
	int columns = (r.cols + FACTS_GAP) / (FACTS_COLS + FACTS_GAP), rows = r.rows - 1;
	struct list l;
	char text[120] = "";

	list_facts(&l, v->facts, &v->snap.net);
	columns = columns > 0 ? columns : 1;
	int width = (r.cols + FACTS_GAP) / columns - FACTS_GAP;
	int needed = (l.count + columns - 1) / columns;
	bool brief = are_brief(&l, width);
	rows = needed < rows ? needed : rows;
	int shown = l.count < rows * columns ? l.count : rows * columns;
	for (int i = 0; i < shown; i++)
		draw_fact(c, r, i % rows, i / rows * (width + FACTS_GAP), width, l.fact[i], brief,
			  v->g);
	if (shown < l.count)
		units_append(text, sizeof(text), "%d more: lunscope env", l.count - shown);
	if (l.missing)
		units_append(text, sizeof(text), "%s%d that the drivers do not support",
			     text[0] ? "; and " : "", l.missing);
	text_draw(c, r, rows, 0, r.cols, text, v->g, ST_DIM);
}

/* --- The pane. --- */

static void title_right(char *out, size_t n, const struct net_view *net, int room)
{
	out[0] = '\0';
	if (net->nics > (unsigned)room)
		units_append(out, n, "%u more, ", net->nics - (unsigned)room);
	if (net->retransmits_s < 0)
		units_append(out, n, "TCP retransmits not known");
	else
		units_append(out, n, "TCP retransmits of this host %.3g/s", net->retransmits_s);
}

void pane_nic_draw(struct canvas *c, struct rect r, const struct view *v)
{
	const struct net_view *net = &v->snap.net;
	struct rect body = pane_inset((struct rect){r.row + 1, r.col, r.rows - 1, r.cols});
	char right[120];

	title_right(right, sizeof(right), net, body.rows > 1 ? body.rows - 1 : body.rows);
	pane_title(c, r, v, PANE_NICS, right);
	int used = draw_table(c, body, v);
	if (!v->facts || !v->facts->count || body.rows - used < FACTS_LEAST)
		return;
	used++;
	draw_facts(c, (struct rect){body.row + used, body.col, body.rows - used, body.cols}, v);
}
