/* cmd_compare.c - `lunscope compare RUN[:SEGMENT] [RUN[:SEGMENT]]`: two stretches of kept runs, figure by
 * figure.
 */
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "compare/compare.h"
#include "compare/differ.h"
#include "config.h"
#include "export.h"
#include "outfile.h"
#include "store_load.h"

/* One of the two that are compared. */
struct part {
	struct stored_run *run;
	const struct stored_segment *segment;
	struct side side;
};

/* Before and after the last mark of one run. */
static int last_two(struct stored_run *r, struct part part[2], struct error *e)
{
	size_t found = 0;

	for (size_t i = r->segments; i-- > 0 && found < 2;)
		if (!r->segment[i].passed) {
			part[1 - found].run = r;
			part[1 - found++].segment = &r->segment[i];
		}
	if (found == 2)
		return 0;
	return error_set(e, EINVAL,
			 "run %lld has no mark, so there is no before and after: name two runs, "
			 "or make a mark in it (m)",
			 (long long)r->id);
}

/* Nothing changes at the end of a run's last segment, and lets no IO linger. */
static bool ends_openly(const struct part *p)
{
	return p->segment == &p->run->segment[p->run->segments - 1];
}

static int take(struct part *p, const struct options *o, struct error *e)
{
	const struct stored_run *r = p->run;
	const struct stored_segment *g = p->segment;
	struct side_cut cut = {.settle_ns = o->settle_ns, .open_end = ends_openly(p)};
	char name[96];

	if (g->letter)
		snprintf(name, sizeof(name), "run %lld, segment %c: %.60s", (long long)r->id,
			 g->letter, g->text);
	else
		snprintf(name, sizeof(name), "run %lld, segment %u", (long long)r->id, g->number);
	if (side_take(&p->side, name, r->second, r->seconds, g->start_ns, g->end_ns, &cut))
		return error_set(e, ENOMEM, "out of memory for a comparison");
	return 0;
}

static int write_json(const struct options *o, const struct comparison *c,
		      const struct part part[2], json_t *differ, struct error *e)
{
	json_t *doc = compare_json(c, &part[0].side, &part[1].side);

	if (!doc)
		return error_set(e, ENOMEM, "out of memory for the result");
	json_object_set_new(doc, "schema", json_integer(EXPORT_SCHEMA));
	json_object_set_new(doc, "lunscope", json_string(PACKAGE_VERSION));
	json_object_set(doc, "differences", differ);
	int rc = export_write_json(doc, o->json, e);
	json_decref(doc);
	return rc;
}

/* What differs besides is to be known before the figures are. */
static void print_differences(FILE *f, const json_t *differ)
{
	size_t n = json_array_size(differ);

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
		fprintf(f, "  %s\n", json_string_value(json_array_get(differ, i)));
	if (n)
		fputc('\n', f);
}

static int compare(const struct options *o, struct part part[2], struct error *e)
{
	struct circumstances of[2];
	json_t *environment[2];
	struct comparison c;
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	int rc = take(&part[0], o, e);

	if (rc == 0)
		rc = take(&part[1], o, e);
	if (rc)
		return rc;
	for (int i = 0; i < 2; i++) {
		environment[i] = stored_environment(part[i].run, part[i].segment);
		of[i] = (struct circumstances){&part[i].segment->workload, part[i].run->settings,
					       environment[i]};
	}
	json_t *differ = circumstances_differ(&of[0], &of[1]);
	json_decref(environment[0]);
	json_decref(environment[1]);
	if (!differ)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	compare_sides(&c, &part[0].side, &part[1].side);
	c.differences = (unsigned)json_array_size(differ);
	if (!to_stdout) {
		print_differences(stdout, differ);
		compare_print(stdout, &c, &part[0].side, &part[1].side, o->unit, ascii);
	}
	if (o->json)
		rc = write_json(o, &c, part, differ, e);
	json_decref(differ);
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
		if (rc == 0)
			rc = store_load(s, id[i], &run[i], e);
	}
	if (rc)
		return rc;
	if (o->args == 1 && !*segment[0])
		return last_two(&run[0], part, e);
	if (o->args == 1)
		return error_set(e, EINVAL,
				 "compare '%.60s' with what? Name a second one, as in %lld:1",
				 o->arg[0], (long long)id[0]);
	for (int i = 0; rc == 0 && i < 2; i++) {
		part[i].run = &run[i];
		rc = stored_segment_find(&run[i], segment[i], &part[i].segment, e);
	}
	return rc;
}

int cmd_compare(const struct options *o)
{
	struct stored_run run[2] = {{0}};
	struct part part[2] = {{0}};
	struct store *s;
	struct error e;

	if ((o->json && outfile_check(o->json, "--json", &e)) || cmd_open_store(o, &s, &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = load(s, o, run, part, &e);
	if (rc == 0)
		rc = compare(o, part, &e);
	for (int i = 0; i < 2; i++) {
		side_free(&part[i].side);
		stored_run_free(&run[i]);
	}
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
