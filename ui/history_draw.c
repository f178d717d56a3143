/* history_draw.c - the rows of the browser over stored runs; see history.h.
 *
 * Number, time, IOPS, rate and mean always; with room for it status and CPU; name, target and tags share the rest.
 */
#include <math.h>
#include <string.h>
#include <time.h>
#include "history.h"
#include "pane_util.h"

#define ID_COLUMNS 8 /* the signs before it too */
#define SHORT_TIME 12
#define LONG_TIME  21
#define FIGURE     9 /* where it is roomy, else one less */
#define STATUS     13
#define CPU        7
#define ROOMY      110
#define NAME_SHARE 3 /* of 8, as the target's; tags have what is left, where it is roomy */

struct columns {
	bool roomy;
	int figure;                                         /* how wide one is */
	int time, figures, status, name, target, tags, end; /* where they begin */
};

static struct columns columns_of(int cols)
{
	struct columns k = {.roomy = cols >= ROOMY, .time = ID_COLUMNS, .end = cols};

	k.figures = k.time + (k.roomy ? LONG_TIME : SHORT_TIME);
	k.figure = k.roomy ? FIGURE : FIGURE - 1;
	k.status = k.figures + 3 * k.figure + (k.roomy ? CPU : 0) + 2;
	k.name = k.status + (k.roomy ? STATUS : 0);
	int left = cols > k.name ? cols - k.name : 0;
	k.target = k.name + (k.roomy ? left * NAME_SHARE / 8 : left / 2);
	k.tags = k.roomy ? k.target + left * NAME_SHARE / 8 : cols;
	return k;
}

static void right(struct canvas *c, struct rect r, int row, int end, const char *text, enum style s)
{
	if (end <= r.cols)
		canvas_text_right(c, r, row, end, text, s);
}

/* Between two columns, with both of its ends: the last of a path tells most. */
static void path_in(struct canvas *c, struct rect r, int row, int from, int to, const char *text,
		    const struct view *v, enum style s)
{
	char cut[512];

	if (to - from > 1)
		text_draw(c, r, row, from, to - from - 1,
			  text_both_ends(cut, sizeof(cut), text, to - from - 1, v->g), v->g, s);
}

/* Between two columns, with a blank behind it. */
static void text_in(struct canvas *c, struct rect r, int row, int from, int to, const char *text,
		    const struct view *v, enum style s)
{
	if (to - from > 1)
		text_draw(c, r, row, from, to - from - 1, text, v->g, s);
}

static void draw_head(struct canvas *c, struct rect r, const struct columns *k,
		      const struct view *v)
{
	canvas_text_right(c, r, 0, ID_COLUMNS - 1, "run", ST_DIALOG);
	canvas_text(c, r, 0, k->time, "started", ST_DIALOG);
	right(c, r, 0, k->figures + k->figure, "IOPS", ST_DIALOG);
	right(c, r, 0, k->figures + 2 * k->figure, units_rate_name(v->unit), ST_DIALOG);
	right(c, r, 0, k->figures + 3 * k->figure, "mean", ST_DIALOG);
	if (k->roomy) {
		right(c, r, 0, k->figures + 3 * k->figure + CPU, "CPU %", ST_DIALOG);
		canvas_text(c, r, 0, k->status, "status", ST_DIALOG);
	}
	text_in(c, r, 0, k->name, k->target, "name", v, ST_DIALOG);
	text_in(c, r, 0, k->target, k->tags, "target", v, ST_DIALOG);
	text_in(c, r, 0, k->tags, k->end, "tags", v, ST_DIALOG);
}

static void started(char *out, size_t n, uint64_t wall, bool whole)
{
	time_t t = (time_t)(wall / NS_PER_SEC);
	struct tm tm;

	out[0] = '\0';
	if (localtime_r(&t, &tm))
		strftime(out, n, whole ? "%Y-%m-%d %H:%M:%S" : "%m-%d %H:%M", &tm);
}

static void draw_figures(struct canvas *c, struct rect r, int row, const struct columns *k,
			 const struct store_entry *e, const struct view *v, enum style s)
{
	char text[48];

	if (isfinite(e->iops))
		right(c, r, row, k->figures + k->figure, units_count(text, sizeof(text), e->iops),
		      s);
	if (isfinite(e->bytes_s)) {
		double rate = e->bytes_s / units_rate_scale(v->unit);
		snprintf(text, sizeof(text),
			 rate < 10     ? "%.2f"
			 : rate < 1000 ? "%.1f"
				       : "%.0f",
			 rate);
		right(c, r, row, k->figures + 2 * k->figure, text, s);
	}
	if (isfinite(e->mean_ns))
		right(c, r, row, k->figures + 3 * k->figure,
		      units_latency(text, sizeof(text), e->mean_ns, !v->g->utf8), s);
	if (k->roomy && isfinite(e->cpu)) {
		snprintf(text, sizeof(text), "%.1f", e->cpu);
		right(c, r, row, k->figures + 3 * k->figure + CPU, text, s);
	}
}

static void draw_row(const struct history *h, struct canvas *c, struct rect r, int row, int i,
		     const struct columns *k, const struct view *v)
{
	const struct store_entry *e = &h->list[h->row[i]];
	enum style s = i == h->at ? ST_SELECTED : ST_DIALOG;
	char text[48];

	canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', s);
	if (i == h->at)
		canvas_put(c, r, row, 0, v->g->cursor, s);
	if (h->chosen[h->row[i]])
		canvas_put(c, r, row, 1, '*', s);
	snprintf(text, sizeof(text), "%lld", (long long)e->id);
	canvas_text_right(c, r, row, ID_COLUMNS - 1, text, s);
	started(text, sizeof(text), e->started, k->roomy);
	canvas_text(c, r, row, k->time, text, s);
	draw_figures(c, r, row, k, e, v, s);
	if (k->roomy)
		text_in(c, r, row, k->status, k->name, e->status, v, s);
	text_in(c, r, row, k->name, k->target, e->words.name, v, s);
	path_in(c, r, row, k->target, k->tags, e->target, v, s);
	text_in(c, r, row, k->tags, k->end, e->words.tags, v, s);
}

void history_draw(struct history *h, struct canvas *c, struct rect r, const struct view *v)
{
	struct columns k = columns_of(r.cols - 1);
	int rows = r.rows - 1;

	draw_head(c, r, &k, v);
	c->cursor_row = r.row;
	c->cursor_col = r.col;
	if (!h->rows && rows > 0)
		text_draw(c, r, 1, 1, r.cols - 1,
			  h->count ? "no run has that" : "no run is kept yet", v->g, ST_DIALOG);
	if (rows < 1 || !h->rows)
		return;
	h->page = rows > 1 ? rows - 1 : 1;
	if (h->top > h->rows - rows)
		h->top = h->rows > rows ? h->rows - rows : 0;
	if (h->at < h->top)
		h->top = h->at;
	if (h->at >= h->top + rows)
		h->top = h->at - rows + 1;
	for (int row = 0; row < rows && h->top + row < h->rows; row++)
		draw_row(h, c, r, row + 1, h->top + row, &k, v);
	if (h->top > 0)
		canvas_put(c, r, 1, r.cols - 1, v->g->up, ST_DIALOG);
	if (h->top + rows < h->rows)
		canvas_put(c, r, rows, r.cols - 1, v->g->down, ST_DIALOG);
	c->cursor_row = r.row + 1 + h->at - h->top;
}

void history_draw_details(const struct history *h, struct canvas *c, struct rect r,
			  const struct view *v)
{
	const struct store_entry *e = history_at(h);
	const struct run_words *w;
	char text[sizeof(*w) + 320], span[32];

	if (!e)
		return;
	w = &e->words;
	snprintf(text, sizeof(text), "run %lld, %s, %s: %s%s%s", (long long)e->id, e->status,
		 e->elapsed_s > 0 ? units_span(span, sizeof(span), (uint64_t)(e->elapsed_s * 1e9))
				  : "no time",
		 w->name, w->name[0] ? ", " : "", e->target);
	path_in(c, r, 0, 0, r.cols + 1, text, v, ST_DIALOG);
	snprintf(text, sizeof(text), "%s%s%s%s", w->tags[0] ? "tags " : "", w->tags,
		 w->tags[0] && w->note[0] ? "; " : "", w->note);
	text_draw(c, r, 1, 0, r.cols, text, v->g, ST_DIALOG);
}
