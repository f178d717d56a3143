/* chart.c - from samples to columns, and from columns to cells.
 *
 * Reads and writes must be told apart without colour: writes lie on top and are woven more loosely
 * (a shade, every other dot, another letter) than the solid reads.
 */
#include <math.h>
#include <string.h>
#include "chart.h"
#include "pane_util.h"
#include "trace.h"

#define SHRINK_AFTER_NS (10 * NS_PER_SEC)

/* --- Scale --- */

double chart_nice(double value)
{
	static const double step[] = {1, 2, 5, 10};

	if (!(value > 0) || isinf(value))
		return 1;
	double decade = pow(10, floor(log10(value)));

	/* log10 may land just beside a power of ten */
	if (decade * 10 <= value)
		decade *= 10;
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++)
		if (step[i] * decade >= value * (1 - 1e-12))
			return step[i] * decade;
	return 10 * decade;
}

double chart_scale(double current, double max, uint64_t now_ns, uint64_t *since_ns)
{
	double fits = chart_nice(max);

	if (fits >= current) {
		*since_ns = 0;
		return fits;
	}
	if (*since_ns == 0 || *since_ns > now_ns) {
		*since_ns = now_ns ? now_ns : 1;
		return current;
	}
	if (now_ns - *since_ns < SHRINK_AFTER_NS)
		return current;
	*since_ns = 0;
	return fits;
}

double chart_high(const struct chart_column *col)
{
	return col->valid ? fmax(col->read + col->write, col->high) : 0;
}

static double peak(const struct view *v, bool bytes, int n)
{
	struct chart_column col[CHART_MAX];
	double max = trace_peak(v, bytes, n > CHART_MAX ? CHART_MAX : n);

	if (n > CHART_MAX)
		n = CHART_MAX;
	chart_columns(v, bytes, col, n);
	for (int i = 0; i < n; i++)
		max = fmax(max, chart_high(&col[i]));
	return max;
}

void chart_scales(struct chart_scales *s, struct view *v, int n)
{
	double unit = units_rate_scale(v->unit);

	if (n < 1)
		n = 1;
	if (s->unit != v->unit)
		s->top[1] = 0;
	s->unit = v->unit;
	for (int bytes = 0; bytes < 2; bytes++)
		if (!v->locked || s->top[bytes] <= 0)
			s->top[bytes] =
				chart_scale(s->top[bytes], peak(v, bytes, n) / (bytes ? unit : 1),
					    v->now_ns, &s->since_ns[bytes]);
	v->y_top[0] = s->top[0];
	v->y_top[1] = s->top[1] * unit;
}

/* --- Columns --- */

int chart_resolution(enum glyph_level level, int cols)
{
	int n = level == GL_BRAILLE ? 2 * cols : cols;

	return n < 1 ? 1 : n > CHART_MAX ? CHART_MAX : n;
}

uint64_t chart_column_ns(const struct view *v, int n)
{
	uint64_t w = n > 0 ? v->chart_span_ns / (uint64_t)n : 0;

	return w ? w : 1;
}

/* Of n columns, how many a cell has. */
static uint64_t columns_a_cell(const struct view *v, int n)
{
	return v->level == GL_BRAILLE && n % 2 == 0 ? 2 : 1;
}

uint64_t chart_cell_ns(const struct view *v, int cells)
{
	int n = chart_resolution(v->level, cells);

	return columns_a_cell(v, n) * chart_column_ns(v, n);
}

uint64_t chart_end(const struct view *v)
{
	return v->end_ns ? v->end_ns : v->now_ns;
}

/* Where the last of n columns ends: the first edge of a cell at or after the end. What a cell shows stays together
 * wherever it moves. */
static uint64_t right_edge(const struct view *v, int n)
{
	uint64_t cell = columns_a_cell(v, n) * chart_column_ns(v, n);

	return (chart_end(v) + cell - 1) / cell * cell;
}

bool chart_sweeps(const struct view *v)
{
	return v->sweep && !v->end_ns;
}

/* Columns in front of the newest that a sweep leaves blank: a cell or two. */
static int sweep_gap(const struct view *v, int n)
{
	int gap = v->level == GL_BRAILLE ? 4 : 2;

	return gap < n ? gap : n - 1;
}

/* Where column i, counted from the oldest, stands. */
static int placed(const struct view *v, int i, int n)
{
	uint64_t width = chart_column_ns(v, n);

	if (!chart_sweeps(v))
		return i;
	if (i < sweep_gap(v, n))
		return -1;
	return (int)((right_edge(v, n) / width + (uint64_t)i) % (uint64_t)n);
}

int chart_column_of(const struct view *v, uint64_t t_ns, int n)
{
	if (n < 1)
		return -1;
	uint64_t width = chart_column_ns(v, n), right = right_edge(v, n);

	if (t_ns > right)
		return -1;
	uint64_t back = (right - t_ns) / width;

	return back < (uint64_t)n ? placed(v, n - 1 - (int)back, n) : -1;
}

void chart_column_span(const struct view *v, int i, int n, uint64_t *from, uint64_t *to)
{
	uint64_t width = chart_column_ns(v, n), right = right_edge(v, n);
	uint64_t back = (uint64_t)(n - i) * width;

	*from = right > back ? right - back : 0;
	*to = right > back - width ? right - (back - width) : 0;
}

static uint64_t sample_start(const struct sample *s)
{
	return s->t_ns > s->dt_ns ? s->t_ns - s->dt_ns : 0;
}

/* How much of the sample lies in (from, to], ns. */
static uint64_t overlap(const struct sample *s, uint64_t from, uint64_t to)
{
	uint64_t start = sample_start(s);
	uint64_t a = start > from ? start : from, b = s->t_ns < to ? s->t_ns : to;

	return b > a ? b - a : 0;
}

double chart_rate(const struct sample *s, bool bytes)
{
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];

	if (!s->dt_ns)
		return 0;
	return (double)(bytes ? r->bytes + w->bytes : r->ios + w->ios) * 1e9 / (double)s->dt_ns;
}

/* What lies in a column so far. */
struct pile {
	double read, write, covered;
	double low, high;
	uint64_t most; /* IOs of one sample */
	unsigned samples;
};

static void add_sample(struct pile *p, const struct view *v, size_t k, double part_ns, bool bytes)
{
	const struct sample *s = &v->chart[k];
	const struct op_sample *r = &s->op[IO_READ], *w = &s->op[IO_WRITE];
	double part = part_ns / (double)s->dt_ns, rate = chart_rate(s, bytes);
	double low = v->extent ? v->extent[k].low[bytes] : rate;
	double high = v->extent ? v->extent[k].high[bytes] : rate;

	p->read += part * (double)(bytes ? r->bytes : r->ios);
	p->write += part * (double)(bytes ? w->bytes : w->ios);
	if (r->ios + w->ios > p->most)
		p->most = r->ios + w->ios;
	p->covered += part_ns;
	p->low = !p->samples || low < p->low ? low : p->low;
	p->high = !p->samples || high > p->high ? high : p->high;
	p->samples++;
}

static struct chart_column column_of(const struct pile *p)
{
	struct chart_column out = {.valid = p->covered > 0};

	if (!out.valid)
		return out;
	out.read = p->read * 1e9 / p->covered;
	out.write = p->write * 1e9 / p->covered;
	if (p->high > p->low && p->most >= CHART_COUNTS) {
		out.low = p->low;
		out.high = p->high;
	}
	return out;
}

void chart_columns(const struct view *v, bool bytes, struct chart_column *out, int n)
{
	size_t first = 0;

	memset(out, 0, (size_t)n * sizeof(*out));
	for (int i = 0; i < n; i++) {
		struct pile pile = {0};
		uint64_t from, to;

		chart_column_span(v, i, n, &from, &to);
		while (first < v->chart_count && v->chart[first].t_ns <= from)
			first++;
		for (size_t k = first; k < v->chart_count; k++) {
			uint64_t part = overlap(&v->chart[k], from, to);

			if (sample_start(&v->chart[k]) >= to)
				break;
			if (part)
				add_sample(&pile, v, k, (double)part, bytes);
		}
		int at = placed(v, i, n);
		if (at >= 0)
			out[at] = column_of(&pile);
	}
}

/* --- Cells --- */

/* A column in steps from the bottom: below `read` reads, from there to `total` writes. What lies between `low`
 * and `high` is the band. */
struct bar {
	bool valid;
	int read, total;
	int low, high;
};

static int steps_of(double value, double top, int full)
{
	if (!(value > 0) || !(top > 0))
		return 0;
	double h = floor(value / top * full + 0.5);

	/* something is never drawn as nothing */
	return h < 1 ? 1 : h > full ? full : (int)h;
}

static struct bar bar_of(const struct chart_column *col, double top, int full)
{
	struct bar b = {.valid = col->valid};

	if (!col->valid)
		return b;
	b.total = steps_of(col->read + col->write, top, full);
	b.read = steps_of(col->read, top, full);
	if (b.read > b.total || !(col->write > 0))
		b.read = b.total;
	b.low = b.high = b.total;
	if (col->high > 0) {
		int low = steps_of(col->low, top, full), high = steps_of(col->high, top, full);
		b.low = low < b.total ? low : b.total;
		b.high = high > b.total ? high : b.total;
	}
	return b;
}

static int clamp(int value, int max)
{
	return value < 0 ? 0 : value > max ? max : value;
}

/* A cell of writes, filled to f of the level's steps. */
static uint32_t write_fill(enum glyph_level level, int f)
{
	const struct glyphs *g = &glyph_table[level];

	switch (level) {
	case GL_ASCII:
	case GL_DEC: return f < g->fill_steps ? '-' : '=';
	case GL_VT: return f < 2 ? 0x2591 : 0x2592;
	default: return f < g->fill_steps ? g->fill[f] : 0x2592;
	}
}

/* The same of the band, below the mean. */
static uint32_t write_band(enum glyph_level level)
{
	return level == GL_ASCII || level == GL_DEC ? '-' : 0x2591;
}

/* Which dots are lit: of reads all, of writes every other one, of the band every other row, above the mean half
 * of that; but the upper edge always, so that the height is exact. */
static bool braille_dot(const struct bar *b, int x, int step)
{
	if (step >= b->total)
		return step < b->high && x == 0 && step % 2 == 0;
	if (step == b->total - 1)
		return true;
	if (step >= b->low)
		return step % 2 == 0;
	return step < b->read || (step + x) % 2 == 0;
}

/* Those of half a braille cell. k: the cell's first step. */
static unsigned braille_half(const struct bar *b, int x, int k)
{
	unsigned bits = 0;

	for (int i = 0; i < 4; i++)
		if (braille_dot(b, x, k + i))
			bits |= glyph_braille_bit(x, 3 - i);
	if (b->valid && b->total == 0 && k == 0)
		bits |= glyph_braille_bit(x, 3);
	return bits;
}

static void braille_column(struct canvas *c, struct rect r, int x, const struct bar b[2])
{
	for (int row = 0; row < r.rows; row++) {
		int k = (r.rows - 1 - row) * 4;
		int read = clamp(b[0].read - k, 4) + clamp(b[1].read - k, 4);
		int all = clamp(b[0].total - k, 4) + clamp(b[1].total - k, 4);
		unsigned bits = braille_half(&b[0], 0, k) | braille_half(&b[1], 1, k);

		if (bits)
			canvas_put(c, r, row, x, 0x2800 + bits,
				   all == 0            ? row == r.rows - 1 ? ST_RULE : ST_DIM
				   : all - read > read ? ST_WRITE
						       : ST_READ);
	}
}

static void plain_column(struct canvas *c, struct rect r, int x, const struct view *v,
			 const struct bar *b)
{
	const struct glyphs *g = &glyph_table[v->level];
	int steps = g->fill_steps;

	for (int row = 0; row < r.rows; row++) {
		int k = (r.rows - 1 - row) * steps;
		int read = clamp(b->read - k, steps), all = clamp(b->total - k, steps);
		bool writes = all - read > read, band = all == steps && k >= b->low;

		if (all == 0 && k < b->high)
			canvas_put(c, r, row, x, g->peak, ST_DIM);
		else if (writes)
			canvas_put(c, r, row, x,
				   band ? write_band(v->level) : write_fill(v->level, all),
				   ST_WRITE);
		else if (all)
			canvas_put(c, r, row, x, band ? g->band : g->fill[all], ST_READ);
	}
	/* no IO is a line on the ground; no data is nothing at all */
	if (b->valid && b->total == 0)
		canvas_put(c, r, r.rows - 1, x, '_', ST_RULE);
}

static void draw_marks(struct canvas *c, struct rect r, const struct view *v, int n)
{
	for (size_t i = 0; i < v->mark_count; i++) {
		const struct mark *m = &v->marks[i];
		int col = m->letter && mark_shown(m) ? chart_column_of(v, m->t_ns, n) : -1;

		for (int row = 0; col >= 0 && row < r.rows; row++)
			canvas_put(c, r, row, col * r.cols / n, v->g->mark, ST_MARK);
	}
}

void chart_body(struct canvas *c, struct rect r, const struct view *v,
		const struct chart_column *col, int n, double top)
{
	if (r.rows < 1 || r.cols < 1 || n < 1)
		return;
	for (int x = 0; x < r.cols; x++) {
		if (v->level == GL_BRAILLE) {
			int left = (int)((long)(2 * x) * n / (2 * r.cols));
			int right = (int)((long)(2 * x + 1) * n / (2 * r.cols));
			struct bar b[2] = {bar_of(&col[left], top, r.rows * 4),
					   bar_of(&col[right], top, r.rows * 4)};

			braille_column(c, r, x, b);
		} else {
			struct bar b = bar_of(&col[(long)x * n / r.cols], top,
					      r.rows * glyph_table[v->level].fill_steps);

			plain_column(c, r, x, v, &b);
		}
	}
	draw_marks(c, r, v, n);
}

uint32_t chart_sign(enum glyph_level level, enum io_op op)
{
	const struct glyphs *g = &glyph_table[level];

	if (op == IO_READ)
		return g->fill[g->fill_steps];
	return level == GL_BRAILLE ? 0x286a : write_fill(level, g->fill_steps);
}
