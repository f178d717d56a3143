/* csv.c - the figures of runs and segments as CSV (RFC 4180), and which files are reports; see report.h. */
#include "report/report.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include "report/out.h"

#define CSV_FIRST "run,target,started,status,segment,mark,"

/* In quotes, for commas, quotes and whatever else is in it; controls become '?'. */
static void text_field(FILE *f, const char *text)
{
	fputs(",\"", f);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', f);
		fputc((unsigned char)*text < 0x20 || *text == 0x7f ? '?' : *text, f);
	}
	fputc('"', f);
}

static void number_field(FILE *f, int decimals, double v)
{
	fputc(',', f);
	if (isfinite(v))
		fprintf(f, "%.*f", decimals, v);
}

static void op_fields(FILE *f, const struct summary *s, size_t offset, double scale, int decimals)
{
	for (int op = 0; op < SUM_COUNT; op++) {
		double v;
		memcpy(&v, (const char *)&s->op[op] + offset, sizeof(v));
		number_field(f, decimals, v / scale);
	}
}

static void figures(FILE *f, const struct summary *s)
{
	op_fields(f, s, offsetof(struct summary_op, iops), 1, 3);
	op_fields(f, s, offsetof(struct summary_op, bytes_s), (double)MIB, 3);
	op_fields(f, s, offsetof(struct summary_op, mean), 1e6, 6);
	op_fields(f, s, offsetof(struct summary_op, p50), 1e6, 6);
	op_fields(f, s, offsetof(struct summary_op, p99), 1e6, 6);
	op_fields(f, s, offsetof(struct summary_op, max), 1e6, 6);
	number_field(f, 3, s->cpu_percent);
	number_field(f, 3, s->cpu_us_per_io);
	number_field(f, 3, s->cpu_s_per_gib);
	number_field(f, 3, s->depth_achieved);
	fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, s->op[SUM_READ].errors,
		s->op[SUM_WRITE].errors, s->op[SUM_TOTAL].errors);
}

static void head(FILE *f)
{
	static const char *const group[] = {"iops",   "mib_s",  "mean_ms",
					    "p50_ms", "p99_ms", "max_ms"};

	fputs(CSV_FIRST "words,asked_for,start_s,length_s,outage_s", f);
	for (size_t i = 0; i < sizeof(group) / sizeof(*group); i++)
		fprintf(f, ",%s_r,%s_w,%s_t", group[i], group[i], group[i]);
	fputs(",cpu_percent,cpu_us_per_io,cpu_s_per_gib,depth,errors_r,errors_w,errors_t\n", f);
}

/* The columns that a run and all of its segments have in common. */
static void begin_row(FILE *f, const struct report_run *r)
{
	time_t t = (time_t)(r->head.started / NS_PER_SEC);
	char when[40] = "";
	struct tm tm;

	gmtime_r(&t, &tm);
	strftime(when, sizeof(when), ",%Y-%m-%dT%H:%M:%SZ", &tm);
	fprintf(f, "%lld", (long long)r->head.id);
	text_field(f, r->head.target);
	fputs(when, f);
	text_field(f, r->head.status);
}

static const char *mark_words(const struct report_run *r, const struct report_segment *row)
{
	for (size_t i = 0; i < r->stored.segments; i++)
		if (r->stored.segment[i].number == row->number)
			return r->stored.segment[i].text;
	return "";
}

static void segment_row(FILE *f, const struct report_run *r, const struct report_segment *row)
{
	char text[256];

	begin_row(f, r);
	fprintf(f, ",%u,", row->number);
	if (row->letter && !row->way)
		fputc(row->letter, f);
	text_field(f, row->way ? "on the way" : mark_words(r, row));
	text_field(f, workload_brief(text, sizeof(text), &row->workload));
	number_field(f, 3, report_elapsed(r, row->start_ns));
	number_field(f, 3, row->sum.elapsed_s);
	number_field(f, 3, row->sum.outage.seconds);
	figures(f, &row->sum);
	fputc('\n', f);
}

int report_csv(FILE *f, const struct report *r, struct error *e)
{
	(void)e;
	head(f);
	for (size_t i = 0; i < r->runs; i++) {
		const struct report_run *run = &r->run[i];
		begin_row(f, run);
		fputs(",all,,,,", f);
		number_field(f, 3, run->sum.elapsed_s);
		number_field(f, 3, run->sum.outage.seconds);
		figures(f, &run->sum);
		fputc('\n', f);
		for (size_t k = 0; k < run->rows; k++)
			segment_row(f, run, &run->row[k]);
	}
	return 0;
}

/* --- What may be replaced. --- */

int report_may_replace(const char *path, enum report_kind kind, struct error *e)
{
	static const char *const sign[REPORT_KINDS] = {
		"<meta name=\"generator\" content=\"lunscope ", "<!-- lunscope report -->",
		CSV_FIRST};
	static const char *const option[REPORT_KINDS] = {"--output", "--md", "--csv"};
	char text[512];
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || st.st_size == 0)
		return 0;
	FILE *in = fopen(path, "re");
	if (!in)
		return 0;
	size_t n = fread(text, 1, sizeof(text), in);
	fclose(in);
	if (memmem(text, n, sign[kind], strlen(sign[kind])))
		return 0;
	return error_set(e, EEXIST,
			 "%s: %s is there and is no report of this kind: name another file, or add "
			 "--force",
			 option[kind], path);
}
