/* cmd_compare.c - `lunscope compare RUN[:SEGMENT] [RUN[:SEGMENT]]`: two stretches of kept runs, figure by
 * figure; or several, in pairs.
 */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "compare/parts.h"
#include "config.h"
#include "export.h"
#include "outfile.h"
#include "report/pair.h"
#include "report/table_print.h"
#include "wait_note.h"

/* Takes doc's reference. */
static int write_document(json_t *doc, const char *path, json_t *differ, struct error *e)
{
	if (!doc)
		return error_set(e, ENOMEM, "out of memory for the result");
	json_object_set_new(doc, "schema", json_integer(EXPORT_SCHEMA));
	json_object_set_new(doc, "lunscope", json_string(PACKAGE_VERSION));
	json_object_set_new(doc, "differences", differ ? json_incref(differ) : json_array());
	int rc = export_write_json(doc, path, e);
	json_decref(doc);
	return rc;
}

static int compare(const struct options *o, struct part part[2], struct error *e)
{
	struct comparison c;
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	int rc = part_take(&part[0], o->settle_ns, e);

	if (rc == 0)
		rc = part_take(&part[1], o->settle_ns, e);
	if (rc)
		return rc;
	json_t *differing = parts_differ(part);
	if (!differing)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	parts_compare(&c, part, differing);
	if (!to_stdout) {
		report_differences_print(stdout, differing);
		compare_print(stdout, &c, &part[0].total, &part[1].total, o->unit, ascii);
	}
	if (o->json)
		rc = write_document(compare_json(&c, &part[0].total, &part[1].total), o->json,
				    differing, e);
	json_decref(differing);
	return rc;
}

/* What a run without seconds (one that was imported) is against another: of all of each, and without a
 * verdict. */
static int compare_wholes(const struct options *o, struct store *s, struct error *e)
{
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	struct report_part part[2];
	struct report_table t;
	int rc = 0;

	for (int i = 0; rc == 0 && i < 2; i++)
		rc = cmd_parse_part(o->arg[i], &part[i].run, &part[i].segment, e);
	if (rc == 0)
		rc = report_table_make(&t, s, part, 2, o->settle_ns, e);
	if (rc)
		return rc;
	if (!to_stdout)
		report_row_print(stdout, &t, 1, o->unit, units_ascii());
	if (o->json)
		rc = write_document(report_pair_json(&t), o->json, t.row[1].differences, e);
	report_table_free(&t);
	return rc;
}

static bool has_segment(const struct part *p, unsigned n, const struct stored_segment *g)
{
	for (unsigned i = 0; i < n; i++)
		if (p->segment[i] == g)
			return true;
	return false;
}

/* "b", "3", "" or "b,e,g". One that counts twice would make chance look like certainty. */
static int find_segments(struct part *p, const char *names, struct error *e)
{
	char name[48];
	int rc = 0;

	for (const char *at = names; at && rc == 0; at = strchr(at, ',')) {
		at += at > names;
		if (p->segments == COMPARE_PAIRS)
			return error_set(e, EINVAL, "'%.60s': %d segments at most", names,
					 COMPARE_PAIRS);
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, ","), at);
		if (!name[0] && strchr(names, ','))
			return error_set(e, EINVAL,
					 "'%.60s': a segment's name is missing by a comma", names);
		rc = stored_segment_find(p->run, name, &p->segment[p->segments], e);
		if (rc == 0 && has_segment(p, p->segments, p->segment[p->segments]))
			return error_set(e, EINVAL, "'%.60s': segment %.40s is named twice", names,
					 name);
		p->segments++;
	}
	return rc;
}

static int load(struct store *s, const struct options *o, struct stored_run run[2],
		struct part part[2], struct error *e)
{
	int64_t id[2];
	const char *segment[2];
	int rc = 0;

	for (int i = 0; rc == 0 && i < o->args; i++) {
		rc = cmd_parse_part(o->arg[i], &id[i], &segment[i], e);
		if (rc == 0) {
			wait_note_run(id[i], false);
			rc = store_load(s, id[i], &run[i], e);
			wait_note_run(id[i], true);
		}
	}
	if (rc)
		return rc;
	if (o->args == 1 && !*segment[0])
		return parts_in_turn(&run[0], part) ? 0 : parts_last_two(&run[0], part, e);
	if (o->args == 1)
		return error_set(e, EINVAL,
				 "compare '%.60s' with what? Name a second one, as in %lld:1",
				 o->arg[0], (long long)id[0]);
	for (int i = 0; rc == 0 && i < 2; i++) {
		part[i].run = &run[i];
		rc = find_segments(&part[i], segment[i], e);
	}
	if (rc == 0 && part[0].segments != part[1].segments)
		rc = error_set(e, EINVAL,
			       "%u segments against %u: pairs need as many on both sides",
			       part[0].segments, part[1].segments);
	return rc;
}

int cmd_compare(const struct options *o)
{
	struct stored_run run[2] = {{0}};
	static struct part part[2];
	struct store *s;
	struct error e;

	if ((o->json && outfile_check(o->json, "--json", &e)) || cmd_open_store(o, &s, &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = load(s, o, run, part, &e);
	if (rc == 0 && o->args == 2 && (!run[0].seconds || !run[1].seconds))
		rc = compare_wholes(o, s, &e);
	else if (rc == 0)
		rc = compare(o, part, &e);
	for (int i = 0; i < 2; i++) {
		part_free(&part[i]);
		stored_run_free(&run[i]);
	}
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
