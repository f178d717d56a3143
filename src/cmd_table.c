/* cmd_table.c - `lunscope table RUN[:SEGMENT]...`: Iometer's table of any kept runs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd.h"
#include "config.h"
#include "export.h"
#include "outfile.h"
#include "report/table_print.h"

static bool to_stdout(const char *path)
{
	return path && strcmp(path, OPTIONS_STDOUT) == 0;
}

/* What can't be written is to be known before the store is read; and one document at most is for standard
 * output. */
static int check_files(const struct options *o, struct error *e)
{
	const struct {
		const char *option, *path;
	} file[] = {{"--json", o->json}, {"--csv", o->csv}, {"--md", o->md}};
	int rc = 0;

	for (int i = 0; i < 3 && rc == 0; i++) {
		rc = file[i].path ? outfile_check(file[i].path, file[i].option, e) : 0;
		if (rc == 0 && file[i].path)
			rc = cmd_check_no_store(o, file[i].path, file[i].option, e);
		for (int k = 0; k < i && rc == 0 && file[i].path; k++)
			if (file[k].path && strcmp(file[k].path, file[i].path) == 0)
				rc = error_set(e, EINVAL, "%s and %s name the same file",
					       file[k].option, file[i].option);
	}
	return rc;
}

/* Columns of the terminal; 0: as many as it takes. */
static unsigned width(void)
{
	struct winsize w;

	return isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 ? w.ws_col : 0;
}

static void print(const struct options *o, const struct report_table *t)
{
	if (o->side_by_side)
		report_table_side_by_side(stdout, t, o->unit, width(), units_ascii());
	else
		report_table_print(stdout, t, o->unit, width(), units_ascii());
}

static int write_json(const struct options *o, const struct report_table *t, struct error *e)
{
	json_t *doc = report_table_json(t);

	if (!doc)
		return error_set(e, ENOMEM, "out of memory for the result");
	json_object_set_new(doc, "schema", json_integer(EXPORT_SCHEMA));
	json_object_set_new(doc, "lunscope", json_string(PACKAGE_VERSION));
	int rc = export_write_json(doc, o->json, e);
	json_decref(doc);
	return rc;
}

static int write_text(const struct options *o, const struct report_table *t, bool md,
		      struct error *e)
{
	struct outfile out;
	int rc = outfile_open(&out, md ? o->md : o->csv, e);

	if (rc)
		return rc;
	if (!md)
		report_table_csv(out.f, t);
	else if (o->side_by_side)
		report_table_md_side_by_side(out.f, t, o->unit, false);
	else
		report_table_md(out.f, t, o->unit, false);
	return outfile_commit(&out, e);
}

static int tell(const struct options *o, const struct report_table *t, struct error *e)
{
	int rc = 0;

	if (!to_stdout(o->json) && !to_stdout(o->csv) && !to_stdout(o->md))
		print(o, t);
	if (o->json)
		rc = write_json(o, t, e);
	if (rc == 0 && o->csv)
		rc = write_text(o, t, false, e);
	if (rc == 0 && o->md)
		rc = write_text(o, t, true, e);
	return rc;
}

/* What rows there are to be. */
struct rows {
	struct report_part part[TABLE_RUNS];
	char segment[TABLE_RUNS][16];
	int count;
	bool series; /* a run was one, and has a row for each of its tests */
};

/* One that is named twice would be held against itself. */
static int add(struct rows *r, int64_t run, const char *segment, struct error *e)
{
	for (int k = 0; k < r->count; k++)
		if (r->part[k].run == run && strcmp(r->segment[k], segment) == 0)
			return error_set(e, EINVAL, "'%lld%s%.40s' is named twice", (long long)run,
					 *segment ? ":" : "", segment);
	if (r->count == TABLE_RUNS)
		return error_set(e, EINVAL, "a table has %d rows at most", TABLE_RUNS);
	snprintf(r->segment[r->count], sizeof(r->segment[0]), "%s", segment);
	r->part[r->count] = (struct report_part){run, r->segment[r->count]};
	r->count++;
	return 0;
}

static int add_run(struct rows *r, struct store *s, int64_t run, struct error *e)
{
	uint32_t number[TABLE_RUNS];
	int rc = 0, tests = report_series(s, run, number, TABLE_RUNS, e);

	if (tests <= 0)
		return tests < 0 ? tests : add(r, run, "", e);
	r->series = true;
	for (int i = 0; rc == 0 && i < tests; i++) {
		char segment[16];
		snprintf(segment, sizeof(segment), "%u", number[i]);
		rc = add(r, run, segment, e);
	}
	return rc;
}

static int find_rows(struct rows *r, struct store *s, const struct options *o, struct error *e)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < o->args; i++) {
		int64_t run;
		const char *segment;
		rc = cmd_parse_part(o->arg[i], &run, &segment, e);
		if (rc == 0)
			rc = *segment ? add(r, run, segment, e) : add_run(r, s, run, e);
	}
	return rc;
}

int cmd_table(const struct options *o)
{
	static struct rows rows;
	struct report_table t;
	struct store *s;
	struct error e;
	int rc = check_files(o, &e);

	if (rc == 0)
		rc = cmd_open_store(o, &s, &e);
	if (rc)
		return cmd_fail(EXIT_USAGE, &e);
	rc = find_rows(&rows, s, o, &e);
	/* Tests of a series are different ones: only the same test of another run says something of it. */
	if (rc == 0)
		rc = (o->side_by_side || rows.series ? report_table_make_by_test
						     : report_table_make)(
			&t, s, rows.part, (size_t)rows.count, o->settle_ns, &e);
	store_close(s);
	if (rc == 0) {
		rc = tell(o, &t, &e);
		report_table_free(&t);
	}
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
