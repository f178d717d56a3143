/* cmd_report.c - `lunscope report RUN... --output FILE`: runs of the store as a page, as Markdown, as CSV. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "outfile.h"
#include "report/gnuplot.h"
#include "report/report.h"
#include "wait_note.h"

/* One of the files that are asked for. */
struct document {
	const char *option, *path; /* path NULL: it is not */
	char *text;
	size_t size;
};

static int check(const struct options *o, const struct document d[REPORT_KINDS], struct error *e)
{
	unsigned asked = 0;
	int rc = 0;

	for (int k = 0; k < REPORT_KINDS && rc == 0; k++) {
		if (!d[k].path)
			continue;
		asked++;
		for (int before = 0; before < k && rc == 0; before++)
			if (d[before].path && strcmp(d[before].path, d[k].path) == 0)
				rc = error_set(e, EINVAL, "%s and %s name the same file",
					       d[before].option, d[k].option);
		if (rc == 0)
			rc = outfile_check(d[k].path, d[k].option, e);
		if (rc == 0)
			rc = cmd_check_no_store(o, d[k].path, d[k].option, e);
		if (rc == 0 && !o->force && strcmp(d[k].path, OPTIONS_STDOUT) != 0)
			rc = report_may_replace(d[k].path, (enum report_kind)k, e);
	}
	if (rc == 0 && !asked)
		rc = error_set(e, EINVAL,
			       "a report of what kind? Add --output FILE for a page, --md FILE or "
			       "--csv FILE");
	return rc == 0 && d[REPORT_HTML].path ? gnuplot_check(e) : rc;
}

static int load(const struct options *o, struct report *r, struct error *e)
{
	int64_t id[REPORT_RUNS];
	struct store *s;
	int rc = 0;

	for (int i = 0; i < o->args && rc == 0; i++) {
		uint64_t number;
		rc = units_parse_uint(o->arg[i], "run", 1, INT64_MAX, &number, e);
		id[i] = (int64_t)number;
		for (int k = 0; k < i && rc == 0; k++)
			if (id[k] == id[i])
				rc = error_set(e, EINVAL, "run %lld is named twice",
					       (long long)id[i]);
	}
	if (rc == 0)
		rc = cmd_open_store(o, &s, e);
	if (rc)
		return rc;
	for (int i = 0; i < o->args && rc == 0; i++) {
		wait_note_run(id[i], false);
		rc = report_load(r, s, id[i], e);
		wait_note_run(id[i], true);
	}
	if (rc == 0)
		rc = report_tabulate(r, s, o->settle_ns, e);
	store_close(s);
	return rc;
}

/* In memory, so that nothing is written unless all of it can be. */
static int compose(const struct options *o, struct report *r, struct document *d,
		   enum report_kind kind, struct error *e)
{
	FILE *f = open_memstream(&d->text, &d->size);
	int rc;

	if (!f)
		return error_set(e, ENOMEM, "out of memory for a report");
	switch (kind) {
	case REPORT_HTML: rc = report_html(f, r, o->settle_ns, e); break;
	case REPORT_MARKDOWN: rc = report_markdown(f, r, o->settle_ns, e); break;
	default: rc = report_csv(f, r, e); break;
	}
	if (fclose(f) && rc == 0)
		rc = error_set(e, ENOMEM, "out of memory for a report");
	return rc;
}

static int write_out(const struct document *d, struct error *e)
{
	struct outfile f;
	int rc = outfile_open(&f, d->path, e);

	if (rc)
		return rc;
	fwrite(d->text, 1, d->size, f.f);
	return outfile_commit(&f, e);
}

int cmd_report(const struct options *o)
{
	struct document d[REPORT_KINDS] = {
		[REPORT_HTML] = {.option = "--output", .path = o->output},
		[REPORT_MARKDOWN] = {.option = "--md", .path = o->md},
		[REPORT_CSV] = {.option = "--csv", .path = o->csv},
	};
	struct report r = {.run = NULL};
	struct error e;
	int rc = check(o, d, &e);

	if (rc == 0)
		rc = load(o, &r, &e);
	for (int k = 0; k < REPORT_KINDS && rc == 0; k++)
		if (d[k].path)
			rc = compose(o, &r, &d[k], (enum report_kind)k, &e);
	for (int k = 0; k < REPORT_KINDS && rc == 0; k++)
		if (d[k].path)
			rc = write_out(&d[k], &e);
	for (int k = 0; k < REPORT_KINDS; k++)
		free(d[k].text);
	report_free(&r);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
