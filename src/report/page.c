/* page.c - the page and the Markdown: what stands in a report, in its order; see report.h. */
#include "report/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "config.h"
#include "path_rows.h"
#include "report/chart.h"
#include "report/draw.h"
#include "report/out.h"
#include "report/tables.h"
#include "report/verdicts.h"
#include "report/words.h"

/* --- Its frame. --- */

static void title_words(const struct report *r, char *out, size_t n)
{
	out[0] = 0;
	if (r->runs == 1) {
		units_append(out, n, "Run %lld: %s", (long long)r->run[0].head.id,
			     r->run[0].head.target);
		return;
	}
	for (size_t i = 0; i < r->runs; i++)
		units_append(out, n, "%s%lld", i ? ", " : "Runs ", (long long)r->run[i].head.id);
}

static void html_head(const struct out *o, const struct report *r)
{
	char title[256];

	title_words(r, title, sizeof(title));
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"generator\" content=\"lunscope " PACKAGE_VERSION "\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      /* Even if something got past the escaping, nothing would be run or fetched. */
	      "<meta http-equiv=\"Content-Security-Policy\" "
	      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n<title>",
	      o->f);
	out_text(o, title);
	fprintf(o->f, " - lunscope</title>\n<style>\n%s</style>\n</head>\n<body>\n", report_style);
	fputs("<a class=\"skip\" href=\"#content\">Skip to the figures</a>\n<header>\n<h1>", o->f);
	out_text(o, title);
	fputs("</h1>\n", o->f);
}

static bool has_ios(const struct report_run *r)
{
	for (size_t i = 0; i < r->stored.seconds; i++)
		if (r->stored.second[i].op[IO_READ].ios + r->stored.second[i].op[IO_WRITE].ios)
			return true;
	return false;
}

static void html_nav(const struct out *o, const struct report *r)
{
	fputs("<nav aria-label=\"In this report\"><ul>\n", o->f);
	if (r->runs > 1)
		fputs("<li><a href=\"#against\">Run against run</a></li>\n", o->f);
	for (size_t i = 0; i < r->runs; i++) {
		long long id = (long long)r->run[i].head.id;
		if (r->runs > 1) {
			fprintf(o->f, "<li><a href=\"#run-%lld\">Run %lld</a></li>\n", id, id);
			continue;
		}
		fprintf(o->f,
			"<li><a href=\"#run-%lld\">Result</a></li>\n"
			"<li><a href=\"#run-%lld-time\">Over time</a></li>\n"
			"<li><a href=\"#run-%lld-segments\">Marks and segments</a></li>\n",
			id, id, id);
		if (verdicts_any(&r->run[i]))
			fprintf(o->f, "<li><a href=\"#run-%lld-verdicts\">Verdicts</a></li>\n", id);
		if (has_ios(&r->run[i]))
			fprintf(o->f, "<li><a href=\"#run-%lld-spread\">Latencies</a></li>\n", id);
		fprintf(o->f,
			"<li><a href=\"#run-%lld-settings\">Settings</a></li>\n"
			"<li><a href=\"#run-%lld-inventory\">Inventory</a></li>\n",
			id, id);
	}
	fputs("</ul></nav>\n", o->f);
}

static void print_header(const struct out *o, const struct report *r)
{
	char title[256], now[WORDS];

	title_words(r, title, sizeof(title));
	if (o->md) {
		fputs("<!-- lunscope report -->\n# ", o->f);
		out_text(o, title);
		fputc('\n', o->f);
	} else {
		html_head(o, r);
	}
	out_paragraph(o, "sub", "A report of %s kept by lunscope, made %s.",
		      r->runs == 1 ? "a run" : "runs", words_time(now, wall_ns()));
	if (!o->md) {
		fputs("</header>\n", o->f);
		html_nav(o, r);
		fputs("<main id=\"content\">\n", o->f);
	}
}

static void print_footer(const struct out *o)
{
	fputs(o->md ? "\n---\n" : "</main>\n<footer>\n", o->f);
	out_paragraph(
		o, "",
		"1 MiB/s is 1,048,576 bytes a second. Rates are sums over the time that "
		"counts, means are sums over counts, percentiles come from histograms. CPU %% "
		"is the busy share of all CPUs of the host, as Iometer has it; CPU per IO and "
		"per GiB is all of that over the work done. R is reads, W is writes, T is "
		"both. %s is what was not done or is not known.",
		NONE);
	out_paragraph(o, "", "lunscope %s", PACKAGE_VERSION);
	if (!o->md)
		fputs("</footer>\n</body>\n</html>\n", o->f);
}

/* --- A run. --- */

static void tile(const struct out *o, const char *name, const char *value, const char *unit)
{
	fputs("<div><dt>", o->f);
	out_text(o, name);
	fputs("</dt><dd>", o->f);
	out_textf(o, "%s%s%s", value, *unit && strcmp(value, NONE) ? " " : "",
		  strcmp(value, NONE) ? unit : "");
	fputs("</dd></div>\n", o->f);
}

static void print_tiles(const struct out *o, const struct summary *s)
{
	const struct summary_op *t = &s->op[SUM_TOTAL];
	char text[WORDS];

	if (o->md)
		return;
	fputs("<dl class=\"tiles\">\n", o->f);
	tile(o, "IOPS", words_figure(text, t->iops), "");
	tile(o, "Rate", words_figure(text, t->bytes_s / (double)MIB), "MiB/s");
	tile(o, "Mean latency", words_latency(text, t->mean), "");
	tile(o, "p99 latency", words_latency(text, t->p99), "");
	tile(o, "CPU of the host", words_percent(text, s->cpu_percent), "%");
	snprintf(text, sizeof(text), "%llu", (unsigned long long)t->errors);
	tile(o, "Errors", text, "");
	fputs("</dl>\n", o->f);
}

/* What a reader has to know before the figures. */
static void print_state(const struct out *o, const struct report_run *r)
{
	const struct summary *s = &r->sum;
	char span[WORDS];

	if (strcmp(r->head.status, "running") == 0)
		out_paragraph(o, "warn",
			      "This run was still going on when the report was made: its figures "
			      "are of what was kept by then.");
	else if (!r->head.ended)
		out_paragraph(o, "warn",
			      "This run was cut off: no end was recorded, and its figures are of "
			      "what was kept.");
	if (!r->stored.seconds)
		out_paragraph(
			o, "warn", "No second of this run was kept%s.",
			strcmp(r->head.status, "imported")
				? ""
				: ", as it was imported: there are no charts and no verdicts");
	if (s->op[SUM_TOTAL].errors)
		out_paragraph(o, "warn",
			      "%llu IO%s failed (%llu read, %llu write). The figures are of those "
			      "that did not.",
			      (unsigned long long)s->op[SUM_TOTAL].errors,
			      s->op[SUM_TOTAL].errors == 1 ? "" : "s",
			      (unsigned long long)s->op[SUM_READ].errors,
			      (unsigned long long)s->op[SUM_WRITE].errors);
	if (s->outage.seconds > 0)
		out_paragraph(o, "warn",
			      "Paths were out for %s, which no mean counts. With it: %.0f IOPS, "
			      "%.1f MiB/s.",
			      words_span(span, s->outage.seconds), s->outage.with_iops,
			      s->outage.with_bytes_s / (double)MIB);
}

/* What show prints below the table: depth, CPU, outages, engine; and a LUN's paths. */
static void print_show(const struct out *o, const struct report_run *r)
{
	char *table = summary_table(&r->sum, RATE_MIB, false), *paths = NULL;
	size_t n;
	FILE *f = open_memstream(&paths, &n);

	out_fold(o, "The summary as lunscope show prints it");
	out_lines(o, table ? table : "");
	out_fold_end(o);
	free(table);
	if (!f)
		return;
	path_rows(f, r->head.summary, RATE_MIB);
	fclose(f);
	if (n) {
		out_fold(o, "Paths");
		out_lines(o, paths);
		out_fold_end(o);
	}
	free(paths);
}

static void print_result(const struct out *o, const struct report *report, size_t i)
{
	const struct report_run *r = &report->run[i];
	char text[WORDS], length[WORDS];

	out_paragraph(o, "sub", "Started %s, %s measured, %s.", words_time(text, r->head.started),
		      words_span(length, r->sum.elapsed_s), r->head.status);
	print_state(o, r);
	print_tiles(o, &r->sum);
	table_tests(o, report, i);
	table_iometer(o, report, i, 1);
	table_latencies(o, r);
	print_show(o, r);
}

static int print_time(const struct out *o, const struct report_run *r, const char *id, int level,
		      struct error *e)
{
	char name[64];
	int rc;

	if (o->md)
		return 0;
	snprintf(name, sizeof(name), "%s-time", id);
	out_section(o, level, name, "Over time");
	if (!has_ios(r)) {
		out_paragraph(o, "",
			      "There is nothing to draw: no IO was done in any second that "
			      "was kept.");
		out_section_end(o);
		return 0;
	}
	rc = charts_of_run(o, r, id, e);
	out_section_end(o);
	return rc;
}

static int print_verdicts(const struct out *o, struct report_run *r, const char *id, int level,
			  uint64_t settle_ns, struct error *e)
{
	char name[64];
	int rc;

	if (!verdicts_any(r))
		return 0;
	snprintf(name, sizeof(name), "%s-verdicts", id);
	out_section(o, level, name, "What the changes did");
	rc = verdicts_of_run(o, r, settle_ns, e);
	out_section_end(o);
	return rc;
}

static void print_spread(const struct out *o, const struct report_run *r, const char *id, int level)
{
	char name[64];

	if (o->md || !has_ios(r))
		return;
	snprintf(name, sizeof(name), "%s-spread", id);
	out_section(o, level, name, "Latencies");
	draw_heat(o, r, id);
	draw_histograms(o, r, id);
	out_section_end(o);
}

static void print_made_with(const struct out *o, const struct report_run *r, const char *id,
			    int level)
{
	char name[64];

	if (!o->md)
		fputs("<div class=\"two\">\n", o->f);
	snprintf(name, sizeof(name), "%s-settings", id);
	out_section(o, level, name, "Settings");
	table_settings(o, r);
	out_section_end(o);
	snprintf(name, sizeof(name), "%s-inventory", id);
	out_section(o, level, name, "Inventory");
	table_inventory(o, r);
	table_facts(o, r);
	out_section_end(o);
	if (!o->md)
		fputs("</div>\n", o->f);
}

static int print_run(const struct out *o, const struct report *r, size_t i, uint64_t settle_ns,
		     struct error *e)
{
	struct report_run *run = &r->run[i];
	char id[40], name[64];
	int rc;

	snprintf(id, sizeof(id), "run-%lld", (long long)run->head.id);
	if (r->runs == 1)
		out_section(o, 2, id, "Result");
	else
		out_section(o, 2, id, "%c: run %lld, %s", (char)('A' + i), (long long)run->head.id,
			    run->head.target);
	print_result(o, r, i);
	rc = print_time(o, run, id, 3, e);
	snprintf(name, sizeof(name), "%s-segments", id);
	out_section(o, 3, name, "Marks and segments");
	table_marks(o, run);
	table_segments(o, run);
	out_section_end(o);
	if (rc == 0)
		rc = print_verdicts(o, run, id, 3, settle_ns, e);
	print_spread(o, run, id, 3);
	print_made_with(o, run, id, 3);
	out_section_end(o);
	return rc;
}

/* --- Several. --- */

static int print_against(const struct out *o, struct report *r, uint64_t settle_ns, struct error *e)
{
	bool drawn = !o->md;
	int rc = 0;

	out_section(o, 2, "against", "Run against run");
	for (size_t i = 0; i < r->runs; i++)
		table_tests(o, r, i);
	table_iometer(o, r, 0, r->runs);
	table_side_by_side(o, r);
	for (size_t i = 0; i < r->runs; i++)
		drawn &= has_ios(&r->run[i]);
	if (drawn)
		rc = charts_of_runs(o, r, e);
	if (rc == 0) {
		out_section(o, 3, "against-verdicts", "Verdicts");
		rc = verdicts_of_runs(o, r, settle_ns, e);
		out_section_end(o);
	}
	out_section_end(o);
	return rc;
}

static int print_report(const struct out *o, struct report *r, uint64_t settle_ns, struct error *e)
{
	int rc = 0;

	print_header(o, r);
	if (r->runs > 1) {
		table_runs(o, r);
		rc = print_against(o, r, settle_ns, e);
	}
	for (size_t i = 0; i < r->runs && rc == 0; i++)
		rc = print_run(o, r, i, settle_ns, e);
	print_footer(o);
	return rc;
}

int report_html(FILE *f, struct report *r, uint64_t settle_ns, struct error *e)
{
	return print_report(&(struct out){.f = f}, r, settle_ns, e);
}

int report_markdown(FILE *f, struct report *r, uint64_t settle_ns, struct error *e)
{
	return print_report(&(struct out){.f = f, .md = true}, r, settle_ns, e);
}
