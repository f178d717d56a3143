/* verdicts.c - see verdicts.h. */
#include "report/verdicts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare/parts.h"
#include "report/words.h"

#define NEIGHBOURS_MOST 24 /* with a table of their own */

static void cell_p(struct grid *g, const struct verdict *v)
{
	if (v->kind == VERDICT_UNKNOWN || !isfinite(v->p))
		grid_cell(g, "%s", NONE);
	else if (v->p < 0.001)
		grid_cell(g, "< 0.001");
	else
		grid_cell(g, "%.3f", v->p);
}

static void print_figures(const struct out *o, const struct comparison *c, const struct side *a,
			  const struct side *b)
{
	struct grid g;
	char text[120];

	grid_begin(&g, "A: %s. B: %s", a->name, b->name);
	grid_column(&g, false, "Figure");
	grid_column(&g, true, "A");
	grid_column(&g, true, "B");
	grid_column(&g, true, "B against A, per cent of A [95 %%]");
	grid_column(&g, true, "p, corrected");
	grid_column(&g, false, "Verdict");
	for (unsigned m = 0; m < METRICS; m++) {
		const struct verdict *v = &c->verdict[m];
		if (!c->shown[m])
			continue;
		grid_cell(&g, "%s", metrics[m].name);
		grid_cell(&g, "%s",
			  metric_words((enum metric)m, v->a, RATE_MIB, false, text, sizeof(text)));
		grid_cell(&g, "%s",
			  metric_words((enum metric)m, v->b, RATE_MIB, false, text, sizeof(text)));
		grid_cell(&g, "%s", verdict_change(v, text, sizeof(text)));
		cell_p(&g, v);
		grid_cell(&g, "%s", verdict_word(v, c->differences));
	}
	grid_end(&g, o);
}

static void print_differing(const struct out *o, const json_t *differ)
{
	size_t n = json_array_size(differ), size = 0, i;
	char *text = NULL;
	FILE *f = open_memstream(&text, &size);
	json_t *line;

	if (!f)
		return;
	if (n == 0)
		fprintf(f, "Settings and environment are the same, as far as they were recorded.");
	else
		fprintf(f,
			n == 1 ? "One thing differs: "
			       : "%zu things differ, so no single one explains the figures: ",
			n);
	json_array_foreach((json_t *)differ, i, line)
		fprintf(f, "%s%s", i ? "; " : "", json_string_value(line));
	fclose(f);
	out_paragraph(o, "", "%s", text);
	free(text);
}

static void print_side(const struct out *o, char letter, const struct side *s)
{
	char text[160] = "";

	units_append(text, sizeof(text), "%.0f s count", s->seconds);
	if (s->unsettled)
		units_append(text, sizeof(text), ", too short to settle");
	if (s->segments > 1)
		units_append(text, sizeof(text), " in %u segments", s->segments);
	if (s->warmup)
		units_append(text, sizeof(text), " after %zu s of warm-up", s->warmup);
	if (s->judged && !s->steady && s->segments < 2)
		units_append(text, sizeof(text), ", not steady");
	out_paragraph(o, "note", "%c: %s.", letter, text);
}

static void print_notes(const struct out *o, const struct comparison *c, const struct side *a,
			const struct side *b)
{
	char *text = NULL, *rest;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return;
	compare_notes(f, c, a, b);
	fclose(f);
	/* Lines are broken for a terminal; sentences are not. */
	for (rest = text; (rest = strchr(rest, '\n'));)
		*rest = ' ';
	while (n && text[n - 1] == ' ')
		text[--n] = 0;
	if (n)
		out_paragraph(o, "note", "%s", text + strspn(text, " "));
	free(text);
}

/* "run 12, segment a > run 12, segment b: eth2 mtu 1500 > 9000" */
static void print_headline(const struct out *o, const struct side *a, const struct side *b)
{
	out_fold(o, "%.*s \342\206\222 %s", (int)strcspn(a->name, ":"), a->name, b->name);
}

/* Takes and compares two parts; *differ is a new reference. */
static int compare_parts(struct comparison *c, json_t **differ, struct part part[2],
			 uint64_t settle_ns, struct error *e)
{
	int rc = part_take(&part[0], settle_ns, e);

	*differ = NULL;
	if (rc == 0)
		rc = part_take(&part[1], settle_ns, e);
	if (rc == 0 && !(*differ = parts_differ(part)))
		rc = error_set(e, ENOMEM, "out of memory for a comparison");
	if (rc == 0)
		parts_compare(c, part, *differ);
	return rc;
}

static void free_parts(struct part part[2])
{
	for (int i = 0; i < 2; i++)
		part_free(&part[i]);
}

/* Two parts with all that there is to say; `fold`: under its headline. */
static int print_pair(const struct out *o, struct part part[2], uint64_t settle_ns, bool fold,
		      struct error *e)
{
	struct comparison c;
	json_t *differ;
	int rc = compare_parts(&c, &differ, part, settle_ns, e);

	if (rc == 0) {
		const struct side *a = &part[0].total, *b = &part[1].total;
		if (fold)
			print_headline(o, a, b);
		print_differing(o, differ);
		print_figures(o, &c, a, b);
		print_side(o, 'A', a);
		print_side(o, 'B', b);
		print_notes(o, &c, a, b);
		if (fold)
			out_fold_end(o);
	}
	json_decref(differ);
	free_parts(part);
	return rc;
}

/* --- All changes in one table. --- */

static const enum metric overview[] = {METRIC_IOPS_T, METRIC_RATE_T, METRIC_MEAN_T, METRIC_P99,
				       METRIC_CPU_IO};
#define OVERVIEW (sizeof(overview) / sizeof(*overview))

static void begin_overview(struct grid *g, const char *caption)
{
	grid_begin(g, "%s: change in per cent of A [95 %%], verdict", caption);
	grid_column(g, false, "A \342\206\222 B");
	for (size_t i = 0; i < OVERVIEW; i++)
		grid_column(g, false, "%s", metrics[overview[i]].name);
}

static int add_overview(struct grid *g, const char *name, struct part part[2], uint64_t settle_ns,
			struct error *e)
{
	struct comparison c;
	json_t *differ;
	int rc = compare_parts(&c, &differ, part, settle_ns, e);

	if (rc == 0) {
		grid_cell(g, "%s", name);
		for (size_t i = 0; i < OVERVIEW; i++) {
			const struct verdict *v = &c.verdict[overview[i]];
			char change[64];
			if (c.shown[overview[i]])
				grid_cell(g, "%s, %s", verdict_change(v, change, sizeof(change)),
					  verdict_word(v, c.differences));
			else
				grid_cell(g, "%s", NONE);
		}
	}
	json_decref(differ);
	free_parts(part);
	return rc;
}

/* A segment alone. */
static void set_part(struct part *p, struct stored_run *r, const struct stored_segment *g)
{
	memset(p, 0, sizeof(*p));
	p->run = r;
	p->segment[0] = g;
	p->segments = 1;
}

/* What lies between two marks that came together has no second, and is compared with nothing. */
static bool counts(const struct stored_segment *g)
{
	return !g->passed && !g->workload.paused && g->end_ns - g->start_ns >= TICK_NS / 2;
}

static const struct stored_segment *next_segment(const struct stored_run *r, size_t *at)
{
	while (*at < r->segments && !counts(&r->segment[*at]))
		(*at)++;
	return *at < r->segments ? &r->segment[(*at)++] : NULL;
}

static size_t count_segments(const struct stored_run *r)
{
	size_t n = 0, at = 0;

	while (next_segment(r, &at))
		n++;
	return n;
}

bool verdicts_any(struct report_run *r)
{
	return count_segments(&r->stored) > 1;
}

static void name_segment(const struct stored_segment *g, char out[16])
{
	if (g->letter)
		snprintf(out, 16, "%c", g->letter);
	else
		snprintf(out, 16, "%u", g->number);
}

/* Each segment against the one before it; grid NULL: one by one, else a row of it. */
static int neighbours(const struct out *o, struct report_run *r, struct part *part, struct grid *g,
		      uint64_t settle_ns, struct error *e)
{
	const struct stored_segment *a, *b;
	size_t at = 0, n = 0;
	int rc = 0;

	a = next_segment(&r->stored, &at);
	for (; rc == 0 && n < NEIGHBOURS_MOST && (b = next_segment(&r->stored, &at)); a = b, n++) {
		char name[240], from[16], to[16];
		set_part(&part[0], &r->stored, a);
		set_part(&part[1], &r->stored, b);
		name_segment(a, from);
		name_segment(b, to);
		snprintf(name, sizeof(name), "%s \342\206\222 %s%s%s", from, to,
			 b->letter ? ": " : "", b->letter ? b->text : "");
		rc = g ? add_overview(g, name, part, settle_ns, e)
		       : print_pair(o, part, settle_ns, true, e);
	}
	return rc;
}

static int print_neighbours(const struct out *o, struct report_run *r, struct part *part,
			    uint64_t settle_ns, struct error *e)
{
	size_t n = count_segments(&r->stored) - 1;
	struct grid g;

	begin_overview(&g, "Each segment against the one before it");
	int rc = neighbours(o, r, part, &g, settle_ns, e);
	grid_end(&g, o);
	if (n > NEIGHBOURS_MOST)
		out_paragraph(
			o, "note",
			"Of %zu changes the first %d are shown: lunscope compare %lld:SEGMENT "
			"%lld:SEGMENT compares any two.",
			n, NEIGHBOURS_MOST, (long long)r->head.id, (long long)r->head.id);
	return rc ? rc : neighbours(o, r, part, NULL, settle_ns, e);
}

int verdicts_of_run(const struct out *o, struct report_run *r, uint64_t settle_ns, struct error *e)
{
	struct part *part = calloc(2, sizeof(*part));
	int rc = 0;

	if (!part)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	if (parts_in_turn(&r->stored, part)) {
		out_paragraph(o, "", "Measured in turn, and compared by pairs:");
		rc = print_pair(o, part, settle_ns, false, e);
	}
	if (rc == 0)
		rc = print_neighbours(o, r, part, settle_ns, e);
	free(part);
	return rc;
}

/* Run b against a, segment by segment. */
static int run_against(const struct out *o, struct report_run *a, struct report_run *b,
		       struct part *part, uint64_t settle_ns, struct error *e)
{
	size_t n = count_segments(&a->stored), at[2] = {0, 0};
	int rc = 0;

	if (!a->stored.seconds || !b->stored.seconds) {
		out_paragraph(
			o, "",
			"Run %lld against run %lld: no verdict, as a verdict is of seconds, and "
			"the store has none of %s.",
			(long long)b->head.id, (long long)a->head.id,
			a->stored.seconds   ? "the former"
			: b->stored.seconds ? "the latter"
					    : "both");
		return 0;
	}
	if (n == 0 || n != count_segments(&b->stored)) {
		out_paragraph(
			o, "",
			"Run %lld has %zu segments, run %lld has %zu: which belong together "
			"only you know. lunscope compare %lld:SEGMENT %lld:SEGMENT compares any "
			"two.",
			(long long)a->head.id, n, (long long)b->head.id, count_segments(&b->stored),
			(long long)a->head.id, (long long)b->head.id);
		return 0;
	}
	for (size_t i = 0; i < n && i < NEIGHBOURS_MOST && rc == 0; i++) {
		set_part(&part[0], &a->stored, next_segment(&a->stored, &at[0]));
		set_part(&part[1], &b->stored, next_segment(&b->stored, &at[1]));
		rc = print_pair(o, part, settle_ns, n > 1, e);
	}
	return rc;
}

int verdicts_of_runs(const struct out *o, struct report *r, uint64_t settle_ns, struct error *e)
{
	struct part *part = calloc(2, sizeof(*part));
	int rc = 0;

	if (!part)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	for (size_t i = 1; i < r->runs && rc == 0; i++)
		rc = run_against(o, &r->run[0], &r->run[i], part, settle_ns, e);
	free(part);
	return rc;
}
