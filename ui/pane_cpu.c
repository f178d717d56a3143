/* pane_cpu.c - where the processors' time went, and what an IO costs.
 *
 * The mean over all CPUs hides a saturated one, so each is drawn, in a list or a character each, or at
 * least the busiest is named. What is not known is said
 * to be unknown: a probe that fails must not look like an idle machine.
 */
#include <math.h>
#include <string.h>
#include "figures.h"
#include "pane_util.h"

#define NAME_COLS  7
#define VALUE_COLS 6  /* "23.4%" and a blank */
#define FACT_COLS  19 /* "busiest 100% cpu127" */
#define CORE_COLS  20 /* the least for a CPU in the list: a name, a bar and per cent */
#define CORE_GAP   3
#define GROUP_COLS 12 /* " max of 1024" */
#define FACTS_MAX  9

struct part {
	const char *name;
	uint64_t ns;
	enum style style;
	const char *meaning;
};

struct cpu_fact {
	const char *name;
	char value[40];
	enum style style;
	int rank; /* which stay when there are few rows */
	const char *meaning;
};

/* --- Shares of time --- */

static int collect_parts(struct part *p, const struct cpu_sample *c, int rows)
{
	const struct part user = {"user", c->user, ST_CPU_USER, "programs, lunscope's workers too"};
	const struct part sys = {"system", c->system, ST_CPU_SYSTEM, "the kernel for programs"};
	const struct part hard = {"irq", c->irq, ST_CPU_IRQ, "hardware interrupts"};
	const struct part soft = {"softirq", c->softirq, ST_CPU_IRQ,
				  "what interrupts leave behind: network, block completions"};
	const struct part irqs = {"irq", c->irq + c->softirq, ST_CPU_IRQ, "interrupts"};
	const struct part wait = {"iowait", c->iowait, ST_CPU_IOWAIT, "idle with IO pending"};
	const struct part steal = {"steal", c->steal, ST_CPU_STEAL, "taken by the hypervisor"};
	int n = 0;

	p[n++] = user;
	p[n++] = sys;
	if (rows >= 6) {
		p[n++] = hard;
		p[n++] = soft;
	} else {
		p[n++] = irqs;
	}
	p[n++] = wait;
	p[n++] = steal;
	return n < rows ? n : rows;
}

static void percent_text(char *out, size_t n, double share)
{
	snprintf(out, n, share >= 0.9995 ? "%.0f%%" : "%.1f%%", share * 100);
}

static void draw_parts(struct canvas *c, struct rect r, const struct view *v, const struct part *p,
		       int n)
{
	int bar = r.cols - NAME_COLS - 1 - VALUE_COLS;

	for (int i = 0; i < n; i++) {
		double share = cpu_share(&v->snap.cpu, p[i].ns);
		char text[16];

		canvas_text(c, r, i, 0, p[i].name, ST_LABEL);
		if (bar >= 3)
			bar_draw(c, r, i, NAME_COLS + 1, bar, share, v->g, p[i].style);
		percent_text(text, sizeof(text), share);
		canvas_text_right(c, r, i, r.cols, text, ST_VALUE);
	}
}

/* All parts end to end: what is left of the bar is idle. */
static void draw_stack(struct canvas *c, struct rect r, int row, const struct view *v,
		       const struct part *p, int n)
{
	double from = 0;
	int col = 0;

	for (int i = 0; i < n; i++) {
		from += cpu_share(&v->snap.cpu, p[i].ns);
		int end = (int)(from * r.cols + 0.5);

		/* neighbours differ in more than colour */
		for (; col < end && col < r.cols; col++)
			canvas_put(c, r, row, col, v->g->shade[4 - i % 3], p[i].style);
	}
	for (; col < r.cols; col++)
		canvas_put(c, r, row, col, v->g->hline, ST_RULE);
}

/* --- Facts --- */

static void set(struct cpu_fact *f, const char *name, int rank, enum style style,
		const char *meaning)
{
	f->name = name;
	f->rank = rank;
	f->style = style;
	f->meaning = meaning;
}

/* A figure with its unit, "-" where there is none. */
static void set_value(struct cpu_fact *f, double value, const char *unit)
{
	char digits[16];

	if (isnan(value)) {
		snprintf(f->value, sizeof(f->value), "-");
		return;
	}
	figure_digits(digits, sizeof(digits), value, 5);
	snprintf(f->value, sizeof(f->value), "%s %s", digits + strspn(digits, " "), unit);
}

static double rate_of(uint64_t count, double interval_ns)
{
	return interval_ns > 0 ? (double)count * 1e9 / interval_ns : NAN;
}

static void set_count_rate(struct cpu_fact *f, uint64_t count, double interval_ns)
{
	char text[16];

	units_count(text, sizeof(text), round(rate_of(count, interval_ns)));
	snprintf(f->value, sizeof(f->value), "%s/s", text);
}

static int collect_facts(struct cpu_fact *f, const struct view *v, const struct figures *fig)
{
	const struct cpu_sample *c = &v->snap.cpu;
	double interval = cpu_capacity(c);
	char us_per_io[16], cpu[24], bytes[24];
	int n = 0;

	snprintf(us_per_io, sizeof(us_per_io), "%ss/IO", v->g->micro);
	snprintf(cpu, sizeof(cpu), "%.0f%% cpu%u", c->hot_share * 100.0, c->hot_cpu);
	set(&f[n], "busiest", 0, c->hot_share > 0.9f ? ST_WARN : ST_VALUE,
	    "the CPU with the least idle time: near 100% it is the limit");
	snprintf(f[n++].value, sizeof(f[0].value), "%s", cpu);

	set(&f[n], "cost", 1, ST_VALUE, "busy time of the whole host, per IO completed");
	set_value(&f[n++], fig->cpu_us_per_io, us_per_io);
	set(&f[n], "of that", 5, ST_VALUE, "lunscope's own, all threads");
	set_value(&f[n++], fig->self_us_per_io, us_per_io);
	set(&f[n], "", 2, ST_VALUE, "and per GiB moved, of the whole host");
	set_value(&f[n++], fig->cpu_s_per_gib, "s/GiB");

	set(&f[n], "switches", 3, ST_VALUE, "context switches, whole host");
	set_count_rate(&f[n++], c->ctx_switches, interval);
	set(&f[n], "irqs", 6, ST_VALUE, "interrupts, whole host");
	set_count_rate(&f[n++], c->interrupts, interval);

	set(&f[n], "lunscope", 4, ST_VALUE, "its own use, all threads; 100% is one CPU");
	snprintf(f[n++].value, sizeof(f[0].value), "%.1f%%",
		 interval > 0 ? 100 * (double)c->self_ns / interval : 0);
	set(&f[n], "screen", 7, ST_VALUE, "of which drawing this screen; 100% is one CPU");
	snprintf(f[n++].value, sizeof(f[0].value), "%.1f%%", 100 * v->ui_cpu_share);
	units_count(bytes, sizeof(bytes), round(v->frame_bytes));
	set(&f[n], "frame", 8, ST_VALUE, "bytes sent to the terminal per picture, mean");
	snprintf(f[n++].value, sizeof(f[0].value), "%s B", bytes);
	return n;
}

/* A name gives way to its figure, so that the two never run together. */
static void draw_name(struct canvas *c, struct rect r, int row, const struct cpu_fact *f)
{
	int room = FACT_COLS - canvas_width(f->value) - 1;

	r.cols = r.cols < room ? r.cols : room;
	canvas_text(c, r, row, 0, f->name, ST_LABEL);
}

static void draw_facts(struct canvas *c, struct rect r, const struct cpu_fact *f, int n,
		       bool meanings)
{
	int row = 0;

	for (int i = 0; i < n && row < r.rows; i++) {
		if (f[i].rank >= r.rows + f[0].rank)
			continue;
		draw_name(c, r, row, &f[i]);
		canvas_text_right(c, r, row, FACT_COLS, f[i].value, f[i].style);
		if (meanings)
			canvas_text(c, r, row, FACT_COLS + 4, f[i].meaning, ST_DIM);
		row++;
	}
}

/* --- Each CPU --- */

/* A cell as high as busy says. Where there are none, a digit: tens of per cent. */
static uint32_t core_sign(unsigned busy, const struct view *v)
{
	const int steps = v->g->column_steps;

	if (!steps)
		return '0' + (busy >= 100 ? 9 : busy / 10);
	/* An idle CPU is there too. */
	return v->g->column[1 + (busy > 100 ? 100 : busy) * (unsigned)(steps - 1) / 100];
}

/* One that is nearly full stands out from what it has otherwise. */
static enum style core_style(unsigned busy, enum style calm)
{
	return busy > 90 ? ST_WARN : calm;
}

/* The busiest CPU from number `from` on among n. */
static unsigned busiest_of(const struct cpu_cores *cores, unsigned from, unsigned n)
{
	unsigned best = from;

	for (unsigned i = from; i < from + n && i < cores->count; i++)
		if (cores->busy[i] > cores->busy[best])
			best = i;
	return best;
}

/* A name, a bar and per cent for each, column by column. */
static void draw_core_list(struct canvas *c, struct rect r, const struct view *v, int columns)
{
	const struct cpu_cores *cores = &v->snap.cores;
	int n = (int)cores->count, rows = (n + columns - 1) / columns;
	int width = (r.cols + CORE_GAP) / columns - CORE_GAP, bar = width - NAME_COLS - VALUE_COLS;

	for (int i = 0; i < n; i++) {
		struct rect cell = {r.row, r.col + i / rows * (width + CORE_GAP), rows, width};
		unsigned busy = cores->busy[i];
		char text[16];

		snprintf(text, sizeof(text), "cpu%d", i);
		canvas_text(c, cell, i % rows, 0, text, ST_LABEL);
		bar_draw(c, cell, i % rows, NAME_COLS + 1, bar - 1, busy / 100.0, v->g,
			 core_style(busy, ST_DIM));
		snprintf(text, sizeof(text), "%u%%", busy);
		canvas_text_right(c, cell, i % rows, width, text, core_style(busy, ST_VALUE));
	}
}

/* A character for each, in as many rows as there are; where that is not enough, for the busiest of
 * each few, which is said. Returns the rows used. */
static int draw_core_strip(struct canvas *c, struct rect r, const struct view *v)
{
	const struct cpu_cores *cores = &v->snap.cores;
	int n = (int)cores->count, cols = r.cols - NAME_COLS - 1, row = 0, col = 0;
	int group = 1;

	if (cols * r.rows < n)
		cols -= GROUP_COLS;
	if (cols < 1)
		return 0;
	while (cols * r.rows * group < n)
		group++;
	/* Rows of sixteens are easier to count in. */
	if (n > cols && (cols - cols % 16) * r.rows * group >= n)
		cols -= cols % 16;
	canvas_text(c, r, 0, 0, "cores", ST_LABEL);
	for (int i = 0; i < n; i += group, col++) {
		unsigned busy = cores->busy[busiest_of(cores, (unsigned)i, (unsigned)group)];

		if (col == cols) {
			col = 0;
			row++;
		}
		canvas_put(c, r, row, NAME_COLS + 1 + col, core_sign(busy, v),
			   core_style(busy, ST_NORMAL));
	}
	if (group > 1) {
		char what[32];

		snprintf(what, sizeof(what), "max of %d", group);
		canvas_text_right(c, r, 0, r.cols, what, ST_DIM);
	}
	return row + 1;
}

/* The busiest few by name: whole entries, three at most. */
static void draw_hot(struct canvas *c, struct rect r, int row, const struct view *v)
{
	struct cpu_cores left = v->snap.cores;
	int at = NAME_COLS + 1;

	canvas_text(c, r, row, 0, "hot", ST_LABEL);
	for (int i = 0; i < 3 && i < (int)left.count; i++) {
		unsigned hot = busiest_of(&left, 0, left.count);
		unsigned busy = left.busy[hot];
		char name[16], text[16];

		snprintf(name, sizeof(name), "cpu%u ", hot);
		snprintf(text, sizeof(text), "%u%%", busy);
		/* An idle one is not hot, unless all are idle. */
		if ((i > 0 && busy == 0) || at + (int)strlen(name) + (int)strlen(text) > r.cols)
			break;
		at += canvas_text(c, r, row, at, name, ST_NORMAL);
		at += canvas_text(c, r, row, at, text, core_style(busy, ST_VALUE)) + 2;
		left.busy[hot] = 0;
	}
}

/* How many columns the list of all CPUs takes in so much room; 0 when it does not fit. */
static int core_columns(const struct view *v, int rows, int cols)
{
	int columns = rows > 0 ? ((int)v->snap.cores.count + rows - 1) / rows : 0;

	return columns * (CORE_COLS + CORE_GAP) - CORE_GAP <= cols ? columns : 0;
}

/* A list where all fit, else a strip with the hottest below it. True when the busiest is named. */
static bool draw_cores(struct canvas *c, struct rect r, const struct view *v)
{
	int columns = core_columns(v, r.rows, r.cols);

	if (v->snap.cores.count == 0 || r.rows < 1)
		return false;
	if (columns) {
		draw_core_list(c, r, v, columns);
		return true;
	}
	struct rect strip = {r.row, r.col, r.rows > 1 ? r.rows - 1 : 1, r.cols};
	int used = draw_core_strip(c, strip, v);

	if (r.rows <= used)
		return false;
	draw_hot(c, r, used, v);
	return true;
}

/* --- All of it --- */

/* Shares at the left, facts at the right: the pane at its usual size. */
static void draw_side_by_side(struct canvas *c, struct rect body, const struct view *v,
			      const struct cpu_fact *f, int facts)
{
	struct part p[6];
	int left = body.cols - FACT_COLS - (body.cols < 44 ? 1 : 3);

	if (left < NAME_COLS + VALUE_COLS)
		left = body.cols;
	if (body.rows >= 10) {
		draw_stack(c, body, 0, v, p, collect_parts(p, &v->snap.cpu, 6));
		body.row += 2;
		body.rows -= 2;
	}
	int n = collect_parts(p, &v->snap.cpu, body.rows), room = body.rows - n;
	int gap = room >= 4;

	draw_parts(c, (struct rect){body.row, body.col, body.rows, left}, v, p, n);
	bool named =
		draw_cores(c, (struct rect){body.row + n + gap, body.col, room - gap, left}, v);
	struct rect right = {body.row, body.col + body.cols - FACT_COLS, body.rows, FACT_COLS};

	/* What stands at the left need not stand at the right. */
	if (left < body.cols)
		draw_facts(c, right, f + named, facts - named, false);
}

/* One above the other, each with what it means: the pane zoomed. */
static void draw_tall(struct canvas *c, struct rect body, const struct view *v,
		      const struct cpu_fact *f, int facts)
{
	struct part p[6];
	struct rect in = {body.row + 1, body.col + 2, body.rows - 1, body.cols - 4};
	int n = collect_parts(p, &v->snap.cpu, 6), bars = in.cols >= 110 ? in.cols / 2 : in.cols;

	draw_stack(c, in, 0, v, p, n);
	in.row += 2;
	in.rows -= 2;
	draw_parts(c, (struct rect){in.row, in.col, in.rows, bars}, v, p, n);
	for (int i = 0; i < n && bars < in.cols; i++)
		canvas_text(c, in, i, bars + 4, p[i].meaning, ST_DIM);
	in.row += n + 1;
	in.rows -= n + 1;
	draw_facts(c, in, f, facts, in.cols >= 80);
	in.row += facts + 1;
	in.rows -= facts + 1;
	/* As wide as the bars above where that is enough. */
	if (core_columns(v, in.rows, bars))
		in.cols = bars;
	draw_cores(c, in, v);
}

/* CPU time is counted by the second: until one has passed there is nothing to show. */
static bool first_second(const struct snapshot *s)
{
	return s->t_ns < s->start_ns + 2 * NS_PER_SEC;
}

void pane_cpu_draw(struct canvas *c, struct rect r, const struct view *v)
{
	struct figures fig = figures_of(&v->snap);
	struct cpu_fact f[FACTS_MAX];
	char title[64];

	if (!fig.cpu_known) {
		bool first = first_second(&v->snap);
		struct rect body = pane_inset(
			pane_title(c, r, v, PANE_CPU, first ? "measuring" : "not known"));

		if (body.rows > 0)
			text_draw(c, body, 0, 0, body.cols,
				  first ? "the first second is being measured"
					: "no figures of this host's CPUs",
				  v->g, ST_DIM);
		return;
	}
	snprintf(title, sizeof(title), "%.1f%% of %u", fig.cpu_percent, v->snap.cpu.cpus);
	struct rect body = pane_inset(pane_title(c, r, v, PANE_CPU, title));
	int facts = collect_facts(f, v, &fig);

	if (body.rows >= 20 && body.cols >= 50)
		draw_tall(c, body, v, f, facts);
	else
		draw_side_by_side(c, body, v, f, facts);
}
