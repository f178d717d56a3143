/* table_print.c - a report's table for the terminal; see table_print.h. */
#include "report/table_print.h"

#include <math.h>
#include <string.h>
#include "report/table_words.h"
#include "segment_table.h"
#include "units.h"

#define GROUP    8  /* columns of a figure */
#define FIGURES  79 /* of all ten */
#define NAME_MIN 12 /* its head */
#define NAME_MAX 40

static unsigned columns(const char *text)
{
	unsigned n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* Left-aligned; what is too long is cut at a character. */
static void put_left(FILE *f, unsigned width, const char *text)
{
	unsigned n = 0;

	for (; *text; text++) {
		bool begins = ((unsigned char)*text & 0xc0) != 0x80;
		if (begins && n == width)
			break;
		n += begins;
		fputc(*text, f);
	}
	fprintf(f, "%*s", (int)(width - n), "");
}

static void put_value(FILE *f, int width, enum report_column c, double value, enum rate_unit rate)
{
	char text[32];

	table_figure(f, width, report_value(c, value, rate, text, sizeof(text)));
}

static unsigned widest(const struct report_table *t, bool label)
{
	unsigned most = label ? 4 : NAME_MIN;
	char text[48];

	for (size_t i = 0; i < t->rows; i++) {
		unsigned n = columns(label ? report_row_label(&t->row[i], text, sizeof(text))
					   : t->row[i].test);
		most = n > most ? n : most;
	}
	return !label && most > NAME_MAX ? NAME_MAX : most;
}

/* --- A row a run. --- */

static void put_dashes(FILE *f, const char *name)
{
	int dashes = 3 * GROUP - 3 - 2 - (int)strlen(name);

	fprintf(f, "   %.*s %s %.*s", dashes / 2, "----------", name, dashes - dashes / 2,
		"----------");
}

static void put_heads(FILE *f, unsigned left, const char *head, enum rate_unit rate)
{
	fprintf(f, "%*s", (int)left, "");
	put_dashes(f, "IOPS");
	put_dashes(f, units_rate_name(rate));
	put_dashes(f, "IO Rp, ms");
	fputc('\n', f);
	put_left(f, left, head);
	for (unsigned c = 0; c < REPORT_CPU; c++)
		table_right(f, GROUP, report_columns[c].op);
	fprintf(f, "  CPU %%\n");
}

static void put_figures(FILE *f, const struct report_row *r, enum rate_unit rate)
{
	for (unsigned c = 0; c < REPORT_COLUMNS; c++)
		put_value(f, c == REPORT_CPU ? 7 : GROUP, (enum report_column)c, r->value[c], rate);
	fputc('\n', f);
}

static void print_figures(FILE *f, const struct report_table *t, enum rate_unit rate,
			  unsigned width)
{
	unsigned label = widest(t, true), name = widest(t, false);
	char head[96], text[48];

	if (width && label + 2 + name + FIGURES > width)
		name = width > label + 2 + FIGURES ? width - label - 2 - FIGURES : 0;
	bool beside = name >= NAME_MIN || name == widest(t, false);
	snprintf(head, sizeof(head), "%*s  %s", (int)label, "run", "IOMeter Test");
	if (!beside)
		fprintf(f, "%s\n", head);
	put_heads(f, beside ? label + 2 + name : 0, beside ? head : "", rate);
	for (size_t i = 0; i < t->rows; i++) {
		const struct report_row *r = &t->row[i];
		table_right(f, (int)label, report_row_label(r, text, sizeof(text)));
		fputs("  ", f);
		if (beside)
			put_left(f, name, r->test);
		else
			fprintf(f, "%s\n", r->test);
		put_figures(f, r, rate);
	}
}

/* --- Against the first. --- */

static void print_differences(FILE *f, const json_t *list)
{
	size_t i;
	json_t *line;

	if (!json_array_size(list))
		return;
	fprintf(f, "%zu thing%s besides:\n", json_array_size(list),
		json_array_size(list) == 1 ? " differs" : "s differ");
	json_array_foreach((json_t *)list, i, line) fprintf(f, "  %s\n", json_string_value(line));
}

void report_row_print(FILE *f, const struct report_table *t, size_t i, enum rate_unit rate,
		      bool ascii)
{
	const struct report_row *r = &t->row[i], *first = &t->row[r->against];
	char text[96];

	fprintf(f, "%s against %s", r->name, first->name);
	if (strcmp(r->test, first->test) == 0)
		fprintf(f, ": %s\n", r->test);
	else
		fprintf(f, "\n  test: %s > %s\n", first->test, r->test);
	print_differences(f, r->differences);
	fprintf(f, "%-8s%11s%11s%9s  %-24s %s\n", "", "old", "new", "ratio", "change", "verdict");
	for (unsigned c = 0; c < REPORT_COLUMNS; c++) {
		const struct verdict *v = &r->verdict[c];
		enum metric m = report_columns[c].metric;
		if (!report_column_says(r, (enum report_column)c))
			continue;
		put_left(f, 8, metrics[m].name);
		table_figure(f, 11, metric_words(m, v->a, rate, ascii, text, sizeof(text)));
		table_figure(f, 11, metric_words(m, v->b, rate, ascii, text, sizeof(text)));
		table_right(f, 9, report_ratio(v, text, sizeof(text)));
		fputs("  ", f);
		put_left(f, 24, verdict_change(v, text, sizeof(text)));
		fprintf(f, " %s\n", report_verdict_word(r, (enum report_column)c));
	}
	if (r->no_verdict[0])
		fprintf(f, "No verdict: %s.\n", r->no_verdict);
}

/* Where it stands that verdicts are not of the whole runs. */
static void print_basis(FILE *f, const struct report_table *t)
{
	bool judged = false;

	for (size_t i = 0; i < t->rows; i++)
		for (unsigned c = 0; c < REPORT_COLUMNS; c++)
			judged |= t->row[i].judged[c];
	if (judged)
		fprintf(f, "\nWhere there is a verdict, old and new are of the seconds that count, "
			   "as in\nlunscope compare; else, as in the table, of all of the run.\n");
}

void report_table_print(FILE *f, const struct report_table *t, enum rate_unit rate, unsigned width,
			bool ascii)
{
	print_figures(f, t, rate, width);
	for (size_t i = 0; i < t->rows; i++) {
		if (t->row[i].against == i)
			continue;
		fputc('\n', f);
		report_row_print(f, t, i, rate, ascii);
	}
	print_basis(f, t);
}

/* --- Side by side. --- */

static const enum report_column beside[] = {REPORT_IOPS_T, REPORT_RATE_T, REPORT_MEAN_T,
					    REPORT_CPU};
static const int beside_width[] = {9, 9, 9, 7};
#define BESIDE       4
#define BESIDE_WIDTH 34
#define CHANGE_WIDTH 10

/* Per cent of IOPS against the first of the same test. */
static void put_change(FILE *f, const struct report_row *r)
{
	const struct verdict *v = &r->verdict[REPORT_IOPS_T];
	struct verdict plain = {.kind = VERDICT_UNKNOWN, .a = v->a, .b = v->b, .ratio = v->ratio};
	char text[48];

	table_right(f, CHANGE_WIDTH, verdict_change(&plain, text, sizeof(text)));
}

static void put_run(FILE *f, const struct report_row *r, int label, bool change,
		    enum rate_unit rate)
{
	char text[48];

	table_right(f, label, report_row_label(r, text, sizeof(text)));
	for (unsigned k = 0; k < BESIDE; k++)
		put_value(f, beside_width[k], beside[k], r->value[beside[k]], rate);
	if (change)
		put_change(f, r);
}

static void put_beside_head(FILE *f, int label, bool change, enum rate_unit rate)
{
	char text[48];

	table_right(f, label, "run");
	for (unsigned k = 0; k < BESIDE; k++) {
		report_column_name(beside[k], rate, text, sizeof(text));
		/* All of it is of both: without "T". */
		text[strcspn(text, " ")] = 0;
		table_right(f, beside_width[k], k == 2 ? "ms" : k == 3 ? "CPU %" : text);
	}
	if (change)
		table_right(f, CHANGE_WIDTH, "IOPS by");
}

static void print_beneath(FILE *f, const struct report_table *t, enum rate_unit rate)
{
	int label = (int)widest(t, true) + 2;

	put_beside_head(f, label, true, rate);
	fputc('\n', f);
	for (size_t i = 0; i < t->rows; i++) {
		if (t->row[i].against != i)
			continue;
		fprintf(f, "%s\n", t->row[i].test);
		for (size_t k = i; k < t->rows; k++) {
			if (t->row[k].against != i)
				continue;
			put_run(f, &t->row[k], label, k != i, rate);
			fputc('\n', f);
		}
	}
}

void report_table_side_by_side(FILE *f, const struct report_table *t, enum rate_unit rate,
			       unsigned width, bool ascii)
{
	unsigned name = widest(t, false), groups = report_table_groups(t);
	int label = (int)widest(t, true) + 2;

	name = name < 12 ? 12 : name;
	if (width &&
	    name + groups * ((unsigned)label + BESIDE_WIDTH) + (groups - 1) * CHANGE_WIDTH >
		    width) {
		print_beneath(f, t, rate);
	} else {
		put_left(f, name, "IOMeter Test");
		for (unsigned g = 0; g < groups; g++)
			put_beside_head(f, label, g > 0, rate);
		fputc('\n', f);
		for (size_t i = 0; i < t->rows; i++) {
			if (t->row[i].against != i)
				continue;
			put_left(f, name, t->row[i].test);
			for (size_t k = i; k < t->rows; k++)
				if (t->row[k].against == i)
					put_run(f, &t->row[k], label, k != i, rate);
			fputc('\n', f);
		}
	}
	for (size_t i = 0; i < t->rows; i++) {
		if (t->row[i].against == i)
			continue;
		fputc('\n', f);
		report_row_print(f, t, i, rate, ascii);
	}
	print_basis(f, t);
}
