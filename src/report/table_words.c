/* table_words.c - a report's table in files: CSV, JSON and Markdown; and the words for all of them. */
#include "report/table_words.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include "export.h"
#include "report/table_print.h"
#include "units.h"

char *report_row_label(const struct report_row *r, char *out, size_t n)
{
	snprintf(out, n, "%lld%s%s", (long long)r->run, r->segment[0] ? ":" : "", r->segment);
	return out;
}

char *report_ratio(const struct verdict *v, char *out, size_t n)
{
	if (!isfinite(v->ratio))
		snprintf(out, n, "-");
	else
		snprintf(out, n, "x%.*f",
			 v->ratio < 0.0995  ? 3
			 : v->ratio < 9.995 ? 2
					    : 1,
			 v->ratio);
	return out;
}

bool report_column_says(const struct report_row *r, enum report_column c)
{
	const struct verdict *v = &r->verdict[c];

	return v->a > 0 || v->b > 0;
}

unsigned report_table_groups(const struct report_table *t)
{
	unsigned most = 0;

	for (size_t i = 0; i < t->rows; i++) {
		unsigned n = 0;
		for (size_t k = 0; k < t->rows; k++)
			n += t->row[k].against == i;
		most = n > most ? n : most;
	}
	return most;
}

/* --- CSV (RFC 4180). --- */

static void put_quoted(FILE *f, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', f);
}

/* Blank where there is none. */
static void put_number(FILE *f, double v)
{
	fputc(',', f);
	if (isfinite(v))
		fprintf(f, "%.9g", v);
}

static void put_started(FILE *f, uint64_t wall_ns)
{
	time_t t = (time_t)(wall_ns / NS_PER_SEC);
	struct tm tm;
	char text[64] = "";

	localtime_r(&t, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S%z", &tm);
	fprintf(f, ",%s", text);
}

static void put_csv_change(FILE *f, const struct report_row *r, unsigned c, bool first)
{
	const struct verdict *v = &r->verdict[c];

	put_number(f, first ? NAN : v->ratio);
	put_number(f, first || !r->judged[c] ? NAN : v->low);
	put_number(f, first || !r->judged[c] ? NAN : v->high);
	fprintf(f, ",%s", first ? "" : report_verdict_word(r, (enum report_column)c));
}

void report_table_csv(FILE *f, const struct report_table *t)
{
	char text[48];

	fputs("run,test,target,status,started,elapsed_s,errors,against", f);
	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		fprintf(f, ",%s", report_columns[c].key);
	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		fprintf(f, ",ratio_%s,low_%s,high_%s,verdict_%s", report_columns[c].key,
			report_columns[c].key, report_columns[c].key, report_columns[c].key);
	fputc('\n', f);
	for (size_t i = 0; i < t->rows; i++) {
		const struct report_row *r = &t->row[i];
		fprintf(f, "%s,", report_row_label(r, text, sizeof(text)));
		put_quoted(f, r->test);
		fputc(',', f);
		put_quoted(f, r->target);
		fputc(',', f);
		put_quoted(f, r->status);
		put_started(f, r->started_ns);
		put_number(f, r->elapsed_s);
		fprintf(f, ",%llu,%s", (unsigned long long)r->errors,
			r->against == i
				? ""
				: report_row_label(&t->row[r->against], text, sizeof(text)));
		for (unsigned c = 0; c < REPORT_COLUMNS; c++)
			put_number(f, r->value[c]);
		for (unsigned c = 0; c < REPORT_COLUMNS; c++)
			put_csv_change(f, r, c, r->against == i);
		fputc('\n', f);
	}
}

/* --- Markdown. --- */

static void put_cell(FILE *f, const char *text)
{
	fputs(" ", f);
	for (; *text; text++)
		fprintf(f, *text == '|' ? "\\|" : "%c", *text);
	fputs(" |", f);
}

static void put_rule(FILE *f, unsigned left, unsigned right)
{
	fputc('|', f);
	while (left--)
		fputs(" --- |", f);
	while (right--)
		fputs(" ---: |", f);
	fputc('\n', f);
}

static void put_value_cell(FILE *f, unsigned c, double v, enum rate_unit rate)
{
	char text[48];

	put_cell(f, report_value((enum report_column)c, v, rate, text, sizeof(text)));
}

static void md_changes(FILE *f, const struct report_table *t, enum rate_unit rate, bool ascii)
{
	char text[96];

	for (size_t i = 0; i < t->rows; i++) {
		const struct report_row *r = &t->row[i];
		if (r->against == i)
			continue;
		fprintf(f, "\n### %s against %s\n\n", r->name, t->row[r->against].name);
		fputs("| figure | old | new | ratio | change | verdict |\n"
		      "| --- | ---: | ---: | ---: | ---: | --- |\n",
		      f);
		for (unsigned c = 0; c < REPORT_COLUMNS; c++) {
			const struct verdict *v = &r->verdict[c];
			enum metric m = report_columns[c].metric;
			if (!report_column_says(r, (enum report_column)c))
				continue;
			fputc('|', f);
			put_cell(f, metrics[m].name);
			put_cell(f, metric_words(m, v->a, rate, ascii, text, sizeof(text)));
			put_cell(f, metric_words(m, v->b, rate, ascii, text, sizeof(text)));
			put_cell(f, report_ratio(v, text, sizeof(text)));
			put_cell(f, verdict_change(v, text, sizeof(text)));
			put_cell(f, report_verdict_word(r, (enum report_column)c));
			fputc('\n', f);
		}
		if (r->no_verdict[0])
			fprintf(f, "\nNo verdict: %s.\n", r->no_verdict);
	}
}

void report_table_md(FILE *f, const struct report_table *t, enum rate_unit rate, bool ascii)
{
	char text[48];

	fputs("| run | IOMeter Test |", f);
	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		put_cell(f, report_column_name((enum report_column)c, rate, text, sizeof(text)));
	fputc('\n', f);
	put_rule(f, 2, REPORT_COLUMNS);
	for (size_t i = 0; i < t->rows; i++) {
		const struct report_row *r = &t->row[i];
		fputc('|', f);
		put_cell(f, report_row_label(r, text, sizeof(text)));
		put_cell(f, r->test);
		for (unsigned c = 0; c < REPORT_COLUMNS; c++)
			put_value_cell(f, c, r->value[c], rate);
		fputc('\n', f);
	}
	md_changes(f, t, rate, ascii);
}

void report_table_md_side_by_side(FILE *f, const struct report_table *t, enum rate_unit rate,
				  bool ascii)
{
	static const enum report_column shown[] = {REPORT_IOPS_T, REPORT_RATE_T, REPORT_MEAN_T,
						   REPORT_CPU};
	unsigned groups = report_table_groups(t);
	char text[48];

	fputs("| IOMeter Test |", f);
	for (unsigned g = 0; g < groups; g++) {
		put_cell(f, "run");
		for (unsigned k = 0; k < 4; k++)
			put_cell(f, report_column_name(shown[k], rate, text, sizeof(text)));
	}
	fputc('\n', f);
	put_rule(f, 1, groups * 5);
	for (size_t i = 0; i < t->rows; i++) {
		unsigned n = 0;
		if (t->row[i].against != i)
			continue;
		fputc('|', f);
		put_cell(f, t->row[i].test);
		for (size_t k = i; k < t->rows; k++) {
			if (t->row[k].against != i)
				continue;
			n++;
			put_cell(f, report_row_label(&t->row[k], text, sizeof(text)));
			for (unsigned c = 0; c < 4; c++)
				put_value_cell(f, shown[c], t->row[k].value[shown[c]], rate);
		}
		for (; n < groups; n++)
			fputs("  |  |  |  |  |", f);
		fputc('\n', f);
	}
	md_changes(f, t, rate, ascii);
}

/* --- JSON. --- */

static json_t *real(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *figure_json(const struct report_row *r, unsigned c, bool first)
{
	static const char *const unit[] = {"1/s", "B/s", "ns", "%"};
	const struct verdict *v = &r->verdict[c];
	json_t *o =
		json_pack("{s:s, s:s, s:o}", "figure", report_columns[c].key, "unit",
			  unit[metrics[report_columns[c].metric].unit], "value", real(r->value[c]));

	if (!o || first)
		return o;
	json_object_set_new(o, "a", real(v->a));
	json_object_set_new(o, "b", real(v->b));
	json_object_set_new(o, "ratio", real(v->ratio));
	json_object_set_new(o, "low", r->judged[c] ? real(v->low) : json_null());
	json_object_set_new(o, "high", r->judged[c] ? real(v->high) : json_null());
	json_object_set_new(o, "p", r->judged[c] ? real(v->p) : json_null());
	json_object_set_new(o, "verdict",
			    r->judged[c]
				    ? json_string(report_verdict_word(r, (enum report_column)c))
				    : json_null());
	return o;
}

static json_t *row_json(const struct report_table *t, size_t i)
{
	const struct report_row *r = &t->row[i];
	bool first = r->against == i;
	json_t *figures = json_array();

	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		json_array_append_new(figures, figure_json(r, c, first));
	return json_pack(
		"{s:I, s:o, s:o, s:o, s:o, s:I, s:o, s:I, s:b, s:o, s:o, s:o, s:o}", "run",
		(json_int_t)r->run, "segment", export_known_text(r->segment), "test",
		export_text(r->test), "target", export_text(r->target), "status",
		export_text(r->status), "started_ns", (json_int_t)r->started_ns, "elapsed_s",
		real(r->elapsed_s), "errors", (json_int_t)r->errors, "seconds", (int)r->seconds,
		"against", first ? json_null() : json_integer((json_int_t)r->against), "no_verdict",
		export_known_text(r->no_verdict), "differences",
		r->differences ? json_incref(r->differences) : json_null(), "figures", figures);
}

json_t *report_table_json(const struct report_table *t)
{
	json_t *rows = json_array();

	for (size_t i = 0; rows && i < t->rows; i++)
		json_array_append_new(rows, row_json(t, i));
	return json_pack("{s:o}", "rows", rows);
}

static json_t *pair_side(const struct report_row *r)
{
	return json_pack("{s:o, s:f, s:i, s:n, s:I}", "name", export_text(r->name), "seconds", 0.0,
			 "warmup_s", 0, "steady", "errors", (json_int_t)r->errors);
}

json_t *report_pair_json(const struct report_table *t)
{
	const struct report_row *r = &t->row[1];
	json_t *figures = json_array();

	for (unsigned c = 0; figures && c < REPORT_COLUMNS; c++) {
		json_t *o;
		if (!report_column_says(r, (enum report_column)c))
			continue;
		o = figure_json(r, c, false);
		json_object_del(o, "value");
		json_object_set_new(o, "least", json_null());
		json_object_set_new(o, "batches", json_integer(0));
		json_object_set_new(o, "verdict", json_string("no verdict"));
		json_array_append_new(figures, o);
	}
	return json_pack("{s:o, s:o, s:n, s:o, s:o}", "a", pair_side(&t->row[0]), "b", pair_side(r),
			 "more_s", "figures", figures, "no_verdict", export_text(r->no_verdict));
}
