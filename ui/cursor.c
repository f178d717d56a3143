/* cursor.c - see cursor.h. */
#include "cursor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "pane_util.h"
#include "trace.h"

/* --- What was measured there. --- */

void cursor_place(struct cursor *c, uint64_t t_ns, uint64_t width_ns)
{
	if (width_ns < 2 * TICK_NS)
		width_ns = 2 * TICK_NS;
	*c = (struct cursor){.set = true, .t_ns = t_ns};
	/* As in the charts, an edge belongs to the column that it ends. */
	c->from_ns = (t_ns ? t_ns - 1 : 0) / width_ns * width_ns;
	c->to_ns = c->from_ns + width_ns;
	sample_clear(&c->sum);
}

static bool of_seconds(const struct cursor *c)
{
	return c->to_ns - c->from_ns > NS_PER_SEC;
}

/* Adds up the seconds, and returns the highest p99 of them: percentiles can't be added. */
static uint64_t sum_seconds(const struct cursor *c, struct timeline *t, struct sample *sum)
{
	size_t n;
	uint64_t worst = 0;
	struct sample *list = timeline_seconds_between(t, c->from_ns, c->to_ns, &n);

	for (size_t i = 0; list && i < n; i++) {
		sample_add(sum, &list[i]);
		if (list[i].p99 > worst)
			worst = list[i].p99;
	}
	free(list);
	return worst;
}

void cursor_read(struct cursor *c, struct timeline *t)
{
	struct sample ticks, seconds;

	if (!c->set)
		return;
	sample_clear(&ticks);
	sample_clear(&seconds);
	uint64_t worst = sum_seconds(c, t, &seconds);
	/* Ticks are kept for a few minutes only. */
	if (!timeline_sum(t, c->from_ns, c->to_ns, &ticks))
		ticks = seconds;
	if (!ticks.dt_ns)
		return;
	c->sum = ticks;
	if (of_seconds(c) && worst)
		c->sum.p99 = worst;
}

struct reading {
	double iops[IO_OPS], bytes_s;
	double mean, p99; /* ns; NaN without an IO */
};

static struct reading reading_of(const struct sample *s)
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];
	double seconds = (double)s->dt_ns / 1e9, ios = (double)(r->ios + w->ios);

	return (struct reading){
		.iops = {(double)r->ios / seconds, (double)w->ios / seconds},
		.bytes_s = (double)(r->bytes + w->bytes) / seconds,
		.mean = ios > 0 ? (double)(r->lat_sum + w->lat_sum) / ios : NAN,
		.p99 = ios > 0 && s->p99 ? (double)s->p99 : NAN,
	};
}

/* --- Words. --- */

#define WORDS 48

struct row {
	char text[12][WORDS];
	struct piece piece[12];
	int n;
};

__attribute__((format(printf, 5, 6))) static void add(struct row *row, enum style style, int gap,
						      int rank, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(row->text[row->n], WORDS, fmt, ap);
	va_end(ap);
	row->piece[row->n] = (struct piece){row->text[row->n], style, gap, rank};
	row->n++;
}

char *cursor_clock(char *out, size_t n, const struct view *v, unsigned which)
{
	uint64_t now = v->snap.t_ns, t = v->cursors->at[which].t_ns;
	uint64_t ago = t < now ? now - t : 0, wall = v->snap.wall > ago ? v->snap.wall - ago : 0;
	char clock[16];

	snprintf(out, n, "%s.%u", clock_text(clock, sizeof(clock), wall),
		 (unsigned)(wall % NS_PER_SEC / 100000000));
	return out;
}

static void add_time(struct row *row, const struct view *v, unsigned which)
{
	char clock[24];

	add(row, which == v->cursors->active ? ST_FOCUS : ST_TITLE, 0, 0, " %u ", which + 1);
	add(row, ST_LABEL, 1, 0, "%s", cursor_clock(clock, sizeof(clock), v, which));
}

static void add_cursor(struct row *row, const struct view *v, unsigned which)
{
	const struct cursor *k = &v->cursors->at[which];
	const bool ascii = !v->g->utf8;
	char one[32], two[32];

	add_time(row, v, which);
	if (!k->sum.dt_ns) {
		add(row, ST_DIM, 2, 0, "nothing was measured then");
		return;
	}
	struct reading r = reading_of(&k->sum);
	add(row, ST_TOTAL, 2, 0, "IOPS %s",
	    units_count(one, sizeof(one), r.iops[IO_READ] + r.iops[IO_WRITE]));
	if (r.iops[IO_READ] > 0 && r.iops[IO_WRITE] > 0)
		add(row, ST_NORMAL, 2, 3, "R %s W %s",
		    units_count(one, sizeof(one), r.iops[IO_READ]),
		    units_count(two, sizeof(two), r.iops[IO_WRITE]));
	add(row, ST_NORMAL, 2, 1, "%s", units_rate(one, sizeof(one), r.bytes_s, v->unit));
	add(row, ST_NORMAL, 2, 1, "mean %s", units_latency(one, sizeof(one), r.mean, ascii));
	add(row, ST_NORMAL, 2, 2, "%s %s", of_seconds(k) ? "p99 max" : "p99",
	    units_latency(one, sizeof(one), r.p99, ascii));
	add(row, ST_DIM, 2, 4, "of %.3g s", (double)k->sum.dt_ns / 1e9);
}

/* In per cent of what it was at the first one. */
static void add_change(struct row *row, int rank, const char *name, double from, double to)
{
	double percent = 100 * (to / from - 1);

	if (!isfinite(percent))
		add(row, ST_NORMAL, 2, rank, "%s -", name);
	else if (percent >= 999.5)
		add(row, ST_NORMAL, 2, rank, "%s x%.0f", name, to / from);
	else
		add(row, ST_NORMAL, 2, rank, "%s %+.1f %%", name, percent);
}

/* What the baseline did there, behind the sign that it is drawn with; and the live run in per cent of it. */
static void add_baseline(struct row *row, const struct view *v, unsigned which)
{
	const struct cursor *k = &v->cursors->at[which];
	const struct baseline_sum b = trace_between(v, k->from_ns, k->to_ns);
	const bool ascii = !v->g->utf8;
	char one[32], two[32];

	if (!v->baseline)
		return;
	if (!(b.seconds > 0)) {
		add(row, ST_DIM, 2, 2, "%c -", TRACE_SIGN);
		return;
	}
	double iops = trace_rate(&b, false);
	add(row, ST_DIM, 2, 1, "%c %s", TRACE_SIGN, units_count(one, sizeof(one), iops));
	if (k->sum.dt_ns) {
		struct reading r = reading_of(&k->sum);
		add_change(row, 5, "vs ~", iops, r.iops[IO_READ] + r.iops[IO_WRITE]);
	}
	add(row, ST_DIM, 2, 6, "run %lld: %s", (long long)v->baseline->run,
	    units_rate(one, sizeof(one), trace_rate(&b, true), v->unit));
	add(row, ST_DIM, 2, 6, "mean %s p99 %s",
	    units_latency(one, sizeof(one), b.ios > 0 ? b.lat_sum / b.ios : NAN, ascii),
	    units_latency(two, sizeof(two), b.p99 ? (double)b.p99 : NAN, ascii));
}

static void add_difference(struct row *row, const struct view *v)
{
	const struct cursor *a = &v->cursors->at[0], *b = &v->cursors->at[1];
	double seconds = ((double)b->t_ns - (double)a->t_ns) / 1e9;

	add(row, ST_TITLE, 0, 0, "2-1");
	add(row, ST_LABEL, 1, 0, "%+.1f s", seconds);
	if (!a->sum.dt_ns || !b->sum.dt_ns)
		return;
	struct reading ra = reading_of(&a->sum), rb = reading_of(&b->sum);
	double from = ra.iops[IO_READ] + ra.iops[IO_WRITE];
	double to = rb.iops[IO_READ] + rb.iops[IO_WRITE];
	char count[16], name[32];
	snprintf(name, sizeof(name), "IOPS %s%s", to < from ? "-" : "+",
		 units_count(count, sizeof(count), fabs(to - from)));
	add_change(row, 0, name, from, to);
	add_change(row, 1, units_rate_name(v->unit), ra.bytes_s, rb.bytes_s);
	add_change(row, 1, "mean", ra.mean, rb.mean);
	add_change(row, 2, "p99", ra.p99, rb.p99);
}

int cursors_rows(const struct cursors *c)
{
	int set = c ? c->at[0].set + c->at[1].set : 0;

	return set == 2 ? 3 : set;
}

/* Which rows there are: 0 and 1 are cursors, 2 is the difference. The active one gives way last but for the
 * difference. */
static bool row_wanted(const struct cursors *k, int which, int rows)
{
	if (which < 2 && !k->at[which].set)
		return false;
	if (cursors_rows(k) <= rows)
		return which < 2 || cursors_rows(k) == 3;
	return which == 2 || (rows > 1 && which == (int)k->active);
}

void cursors_draw(struct canvas *c, struct rect r, const struct view *v)
{
	int at = 0;

	for (int which = 0; which < 3; which++) {
		struct row row = {.n = 0};
		if (!row_wanted(v->cursors, which, r.rows))
			continue;
		if (which == 2)
			add_difference(&row, v);
		else {
			add_cursor(&row, v, (unsigned)which);
			add_baseline(&row, v, (unsigned)which);
		}
		pieces_draw(c, r, at++, 0, r.cols, row.piece, row.n);
	}
}
