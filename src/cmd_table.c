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

/* The parts stand as they are named; one that is named twice would be held against itself. */
static int parse(const struct options *o, struct report_part *part, struct error *e)
{
	int rc = 0;

	for (int i = 0; rc == 0 && i < o->args; i++) {
		rc = cmd_parse_part(o->arg[i], &part[i].run, &part[i].segment, e);
		for (int k = 0; rc == 0 && k < i; k++)
			if (part[k].run == part[i].run &&
			    strcmp(part[k].segment, part[i].segment) == 0)
				rc = error_set(e, EINVAL, "'%.60s' is named twice", o->arg[i]);
	}
	return rc;
}

int cmd_table(const struct options *o)
{
	struct report_part *part = calloc((size_t)o->args, sizeof(*part));
	struct report_table t;
	struct store *s;
	struct error e;
	int rc = part ? parse(o, part, &e) : error_set(&e, ENOMEM, "out of memory for a table");

	if (rc == 0)
		rc = check_files(o, &e);
	if (rc == 0)
		rc = cmd_open_store(o, &s, &e);
	if (rc == 0) {
		rc = (o->side_by_side ? report_table_make_by_test : report_table_make)(
			&t, s, part, (size_t)o->args, o->settle_ns, &e);
		store_close(s);
	}
	if (rc == 0) {
		rc = tell(o, &t, &e);
		report_table_free(&t);
	}
	free(part);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
