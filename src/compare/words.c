/* words.c - a comparison in words, as a table and as JSON; see compare.h. */
#include "compare/compare.h"

#include <math.h>
#include <string.h>

/* Beyond it a figure says only that too little is known. */
#define PERCENT_MOST 999.5
/* Of the host's CPU time; above it the host is what is measured. */
#define CPU_FULL 90

/* A change of 0.1 % is "+0.1", one of 140 % "+140", of 0.04 % "+0.0". */
static double percent(double ratio)
{
	double p = 100 * (ratio - 1);

	/* No "-0.0". */
	return fabs(p) < 0.05 ? 0 : p;
}

static void number(double ratio, char *out, size_t n)
{
	double p = percent(ratio);

	if (p >= PERCENT_MOST)
		snprintf(out, n, ">999");
	else if (fabs(p) >= 99.95)
		snprintf(out, n, "%+.0f", p);
	else
		snprintf(out, n, p == 0 ? "%.1f" : "%+.1f", p);
}

char *verdict_change(const struct verdict *v, char *out, size_t n)
{
	char change[24], low[24], high[24];

	if (!isfinite(v->ratio)) {
		snprintf(out, n, v->a == 0 && v->b > 0 ? "from none" : "-");
		return out;
	}
	number(v->ratio, change, sizeof(change));
	if (v->kind == VERDICT_UNKNOWN || !isfinite(v->low)) {
		snprintf(out, n, "%s %%", change);
		return out;
	}
	number(v->low, low, sizeof(low));
	number(v->high, high, sizeof(high));
	snprintf(out, n, "%s %% [%s, %s]", change, low, high);
	return out;
}

bool verdict_open(const struct verdict *v)
{
	return v->kind == VERDICT_NOISE && (v->low > 1 || v->high < 1);
}

const char *verdict_word(const struct verdict *v, unsigned differences)
{
	if (v->kind == VERDICT_UNKNOWN)
		return "not enough data";
	if (v->kind == VERDICT_DIFFERENT)
		return "different";
	if (verdict_none(v))
		return "the same";
	if (verdict_open(v))
		return "undecided";
	return differences > 1 ? "not shown" : "within noise";
}

char *verdict_words(const struct verdict *v, char *out, size_t n)
{
	switch (v->kind) {
	case VERDICT_UNKNOWN:
		snprintf(out, n, "not enough data: about %.0f s more", ceil(v->more));
		break;
	case VERDICT_NOISE:
		if (verdict_none(v))
			snprintf(out, n, "the same: none");
		else if (verdict_open(v))
			snprintf(out, n,
				 "undecided: alone it would be a difference, among so many "
				 "figures it may be chance");
		else if (100 * v->least > PERCENT_MOST)
			snprintf(out, n, "within noise; too little data to see anything");
		else if (isfinite(v->least))
			snprintf(out, n, "within noise; would have seen %.1f %%", 100 * v->least);
		else
			snprintf(out, n, "within noise");
		break;
	case VERDICT_DIFFERENT: snprintf(out, n, "different"); break;
	}
	return out;
}

char *drift_words(const struct drift *d, char *out, size_t n)
{
	char slope[24], low[24], high[24];

	if (!d->known) {
		snprintf(out, n, "not known");
		return out;
	}
	number(1 + d->per_minute, slope, sizeof(slope));
	number(1 + d->low, low, sizeof(low));
	number(1 + d->high, high, sizeof(high));
	snprintf(out, n, "%s %% a minute [%s, %s]: %s", slope, low, high,
		 d->shown ? "it drifts" : "none shown");
	return out;
}

static void print_side(FILE *f, const char *letter, const struct side *s)
{
	fprintf(f, "%s  %s: %.0f s", letter, s->name, s->seconds);
	if (s->unsettled)
		fprintf(f, ", too short to settle");
	if (s->segments > 1)
		fprintf(f, " in %u segments", s->segments);
	if (s->warmup)
		fprintf(f, " after %zu s of warm-up", s->warmup);
	fprintf(f, "%s\n", s->judged && !s->steady && s->segments < 2 ? ", not steady" : "");
}

/* µ takes two bytes and one column. */
static int padding(const char *text, int width)
{
	int columns = 0;

	for (const char *p = text; *p; p++)
		columns += ((unsigned char)*p & 0xc0) != 0x80;
	return columns < width ? width - columns : 0;
}

static void print_right(FILE *f, const char *text, int width)
{
	fprintf(f, "%*s%s", padding(text, width), "", text);
}

static void print_left(FILE *f, const char *text, int width)
{
	fprintf(f, "%s%*s", text, padding(text, width), "");
}

/* Whether an interval says that there is a difference, and the verdict among so many figures does not. */
static bool is_open(const struct comparison *c)
{
	for (unsigned m = 0; m < METRICS; m++)
		if (c->shown[m] && verdict_open(&c->verdict[m]))
			return true;
	return false;
}

/* What the verdicts stand on. */
static void print_basis(FILE *f, const struct comparison *c)
{
	const struct verdict *iops = &c->verdict[METRIC_IOPS_T];
	char text[120];

	if (iops->kind == VERDICT_NOISE && !verdict_open(iops) && c->differences > 1)
		fprintf(f,
			"\nIOPS: no difference shown, which does not make them alike: %u things "
			"differ.\n",
			c->differences);
	else if (c->pairs == 1)
		fprintf(f, "\n");
	else if (iops->kind == VERDICT_UNKNOWN && c->pairs)
		fprintf(f, "\nIOPS: not enough data: a pair has no whole second that counts.\n");
	else
		fprintf(f, "\nIOPS: %s.\n", verdict_words(iops, text, sizeof(text)));
	if (c->pairs == 1)
		fprintf(f, "One pair of segments: no verdict, and a drift is not excluded.\n");
	else if (c->pairs)
		fprintf(f,
			"Drift of IOPS: %s.\n"
			"By %u pairs of segments: what drifts evenly cancels out in the order "
			"ABBA.\n",
			drift_words(&c->drift[METRIC_IOPS_T], text, sizeof(text)), c->pairs);
	else
		fprintf(f, "One change only: a drift is not excluded (lunscope ab does that).\n");
	fprintf(f, "Intervals hold 95 %% each; verdicts are corrected for their number.\n");
	if (is_open(c))
		fprintf(f,
			"Undecided: the interval is all on one side, yet among so many "
			"figures that may\nbe chance. %s.\n",
			c->pairs ? "More pairs decide" : "More time decides");
}

/* What no figure has, and would make them mean something else. */
static void print_cautions(FILE *f, const struct comparison *c, const struct side *a,
			   const struct side *b)
{
	const struct verdict *cpu = &c->verdict[METRIC_CPU];

	if (a->errors || b->errors)
		fprintf(f,
			"IOs that failed: A %llu, B %llu. The figures are of those that did "
			"not.\n",
			(unsigned long long)a->errors, (unsigned long long)b->errors);
	if (c->shown[METRIC_CPU] && (cpu->a >= CPU_FULL || cpu->b >= CPU_FULL))
		fprintf(f, "The host's CPUs were almost full: it may be the host that was "
			   "measured.\n");
}

void compare_notes(FILE *f, const struct comparison *c, const struct side *a, const struct side *b)
{
	if (a->unkept || b->unkept)
		fprintf(f, "\nNo verdict: of %s no seconds are kept.\n",
			a->unkept ? a->name : b->name);
	else
		print_basis(f, c);
	print_cautions(f, c, a, b);
}

void compare_print(FILE *f, const struct comparison *c, const struct side *a, const struct side *b,
		   enum rate_unit rate, bool ascii)
{
	char text[80];

	print_side(f, "A", a);
	print_side(f, "B", b);
	fprintf(f, "\n%-12s %11s %11s  %-22s %s\n", "", "A", "B", "B against A", "verdict");
	for (unsigned m = 0; m < METRICS; m++) {
		const struct verdict *v = &c->verdict[m];
		if (!c->shown[m])
			continue;
		fprintf(f, "%-12s ", metrics[m].name);
		print_right(f, metric_words((enum metric)m, v->a, rate, ascii, text, sizeof(text)),
			    11);
		fprintf(f, " ");
		print_right(f, metric_words((enum metric)m, v->b, rate, ascii, text, sizeof(text)),
			    11);
		fprintf(f, "  ");
		print_left(f, verdict_change(v, text, sizeof(text)), 22);
		fprintf(f, " %s\n",
			v->kind == VERDICT_UNKNOWN ? "too short" : verdict_word(v, c->differences));
	}
	compare_notes(f, c, a, b);
}

/* --- JSON. --- */

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static const char *const unit_name[] = {"1/s", "B/s", "ns", "%", "us", "s", "1/s", "B"};

static json_t *side_json(const struct side *s)
{
	return json_pack("{s:s, s:f, s:I, s:o, s:I}", "name", s->name, "seconds", s->seconds,
			 "warmup_s", (json_int_t)s->warmup, "steady",
			 s->judged ? json_boolean(s->steady) : json_null(), "errors",
			 (json_int_t)s->errors);
}

static json_t *drift_json(const struct drift *d)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "per_minute", real(d->per_minute), "low",
			 real(d->low), "high", real(d->high), "p", real(d->p));
}

static json_t *figure_json(const struct comparison *c, unsigned m)
{
	const struct verdict *v = &c->verdict[m];
	json_t *row =
		json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:s}", "figure",
			  metrics[m].key, "unit", unit_name[metrics[m].unit], "a", real(v->a), "b",
			  real(v->b), "ratio", real(v->ratio), "low", real(v->low), "high",
			  real(v->high), "p", real(v->p), "least", real(v->least), "batches",
			  (int)v->batches, "verdict", verdict_word(v, c->differences));

	if (row && c->pairs)
		json_object_set_new(row, "drift", drift_json(&c->drift[m]));
	return row;
}

json_t *compare_json(const struct comparison *c, const struct side *a, const struct side *b)
{
	json_t *rows = json_array();

	for (unsigned m = 0; rows && m < METRICS; m++)
		if (c->shown[m])
			json_array_append_new(rows, figure_json(c, m));
	json_t *o = json_pack("{s:o, s:o, s:f, s:o}", "a", side_json(a), "b", side_json(b),
			      "more_s", c->more_s, "figures", rows);
	if (o && c->pairs)
		json_object_set_new(o, "pairs", json_integer(c->pairs));
	return o;
}
