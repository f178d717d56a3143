/* pair.c - see pair.h. */
#include "report/pair.h"

#include <errno.h>
#include <stdlib.h>

#include "compare/parts.h"
#include "report/table_print.h"

void report_differences_print(FILE *f, const json_t *differences)
{
	size_t n = json_array_size(differences);

	if (n == 0)
		fprintf(f,
			"Settings and environment are the same, as far as they were recorded.\n\n");
	else if (n == 1)
		fprintf(f, "One thing differs:\n");
	else
		fprintf(f,
			"%zu things differ, so no single one of them explains the figures, and no\n"
			"figure that is alike shows that the runs are:\n",
			n);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "  %s\n", json_string_value(json_array_get(differences, i)));
	if (n)
		fputc('\n', f);
}

static int print_wholes(FILE *f, struct store *s, const int64_t run[2], uint64_t settle_ns,
			enum rate_unit unit, bool ascii, struct error *e)
{
	const struct report_part part[2] = {{run[0], ""}, {run[1], ""}};
	struct report_table t;
	int rc = report_table_make(&t, s, part, 2, settle_ns, e);

	if (rc)
		return rc;
	report_row_print(f, &t, 1, unit, ascii);
	report_table_free(&t);
	return 0;
}

/* Each has one segment, with seconds. */
static int print_segments(FILE *f, struct part part[2], uint64_t settle_ns, enum rate_unit unit,
			  bool ascii, struct error *e)
{
	struct comparison c;
	int rc = 0;

	for (int i = 0; i < 2 && rc == 0; i++) {
		part[i].segment[0] = &part[i].run->segment[0];
		part[i].segments = 1;
		rc = part_take(&part[i], settle_ns, e);
	}
	if (rc)
		return rc;
	json_t *differences = parts_differ(part);
	if (!differences)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	parts_compare(&c, part, differences);
	report_differences_print(f, differences);
	compare_print(f, &c, &part[0].total, &part[1].total, unit, ascii);
	json_decref(differences);
	return 0;
}

int report_pair_print(FILE *f, struct store *s, const int64_t run[2], uint64_t settle_ns,
		      enum rate_unit unit, bool ascii, struct error *e)
{
	struct stored_run loaded[2] = {{0}};
	struct part *part = calloc(2, sizeof(*part));
	bool single = true;
	int rc = part ? 0 : error_set(e, ENOMEM, "out of memory for a comparison");

	for (int i = 0; i < 2 && rc == 0; i++) {
		rc = store_load(s, run[i], &loaded[i], e);
		part[i].run = &loaded[i];
		single = single && loaded[i].segments == 1 && loaded[i].seconds;
	}
	if (rc == 0)
		rc = single ? print_segments(f, part, settle_ns, unit, ascii, e)
			    : print_wholes(f, s, run, settle_ns, unit, ascii, e);
	for (int i = 0; i < 2; i++) {
		if (part)
			part_free(&part[i]);
		stored_run_free(&loaded[i]);
	}
	free(part);
	return rc;
}
