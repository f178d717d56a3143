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

#include "ab.h"
#include "cmd.h"
#include "compare/compare.h"
#include "compare/differ.h"
#include "config.h"
#include "export.h"
#include "outfile.h"
#include "path_marks.h"
#include "store_load.h"

/* One of the two that are compared. */
struct part {
	struct stored_run *run;
	const struct stored_segment *segment[COMPARE_PAIRS]; /* more than one: by pairs */
	unsigned segments;
	bool settled; /* before it began, and nothing changed until it ended */
	struct side side[COMPARE_PAIRS], total;
};

/* The segments in turn of lunscope ab; false: it is another kind of run. One that was cut short by the run's
 * end is none. */
static bool in_turn(struct stored_run *r, struct part part[2])
{
	uint64_t whole = 0;

	for (size_t i = 0; i < r->segments; i++) {
		const struct stored_segment *g = &r->segment[i];
		uint64_t length = g->end_ns - g->start_ns;
		int side;
		if (!ab_stage_scan(g->text, &side, NULL))
			continue;
		whole = whole ? whole : length;
		if (part[side].segments < COMPARE_PAIRS && length * 10 > whole * 9)
			part[side].segment[part[side].segments++] = g;
	}
	unsigned pairs = part[0].segments;
	if (part[1].segments < pairs)
		pairs = part[1].segments;
	for (int i = 0; i < 2; i++) {
		part[i].run = r;
		part[i].settled = pairs > 1;
		part[i].segments = pairs > 1 ? pairs : 0;
	}
	return pairs > 1;
}

/* Before and after the last mark of one run. */
static int last_two(struct stored_run *r, struct part part[2], struct error *e)
{
	size_t found = 0;

	for (size_t i = r->segments; i-- > 0 && found < 2;)
		if (!r->segment[i].passed) {
			part[1 - found].run = r;
			part[1 - found].segments = 1;
			part[1 - found++].segment[0] = &r->segment[i];
		}
	if (found == 2)
		return 0;
	return error_set(e, EINVAL,
			 "run %lld has no mark, so there is no before and after: name two runs, "
			 "or make a mark in it (m)",
			 (long long)r->id);
}

/* Nothing changes at the end of a run's last segment, and lets no IO linger. */
static bool ends_openly(const struct part *p, unsigned i)
{
	return p->segment[i] == &p->run->segment[p->run->segments - 1];
}

/* Of a mark that tells of several changes the first ones, as far as there is room. */
static void name_mark(char *out, size_t n, const char *text)
{
	int most = 57;

	if (strlen(text) <= 60) {
		units_append(out, n, ": %s", text);
		return;
	}
	while (most > 1 && text[most] != ',')
		most--;
	units_append(out, n, ": %.*s...", most > 1 ? most + 1 : 57, text);
}

/* "run 12, segment b: eth2 mtu 1500 > 9000", or "run 12, segments b, e: ...". */
static void name_part(const struct part *p, char *out, size_t n)
{
	const struct stored_segment *g = p->segment[0];
	const char *text = g->text;
	int side;

	if (p->settled)
		ab_stage_scan(g->text, &side, &text);
	out[0] = 0;
	units_append(out, n, "run %lld, segment%s ", (long long)p->run->id,
		     p->segments > 1 ? "s" : "");
	for (unsigned i = 0; i < p->segments; i++)
		if (p->segment[i]->letter)
			units_append(out, n, "%s%c", i ? ", " : "", p->segment[i]->letter);
		else
			units_append(out, n, "%s%u", i ? ", " : "", p->segment[i]->number);
	if (g->letter)
		name_mark(out, n, text);
}

static int take(struct part *p, const struct options *o, struct error *e)
{
	const struct stored_run *r = p->run;
	char name[sizeof(p->total.name)];

	name_part(p, name, sizeof(name));
	for (unsigned i = 0; i < p->segments; i++) {
		const struct stored_segment *g = p->segment[i];
		struct side_cut cut = {.settle_ns = p->settled ? 0 : o->settle_ns,
				       .open_end = ends_openly(p, i)};
		if (side_take(&p->side[i], name, r->second, r->seconds, g->start_ns, g->end_ns,
			      &cut))
			return error_set(e, ENOMEM, "out of memory for a comparison");
	}
	if (p->segments > 1)
		side_total(&p->total, name, p->side, p->segments);
	else
		p->total = p->side[0];
	return 0;
}

static int write_json(const struct options *o, const struct comparison *c,
		      const struct part part[2], json_t *differ, struct error *e)
{
	json_t *doc = compare_json(c, &part[0].total, &part[1].total);

	if (!doc)
		return error_set(e, ENOMEM, "out of memory for the result");
	json_object_set_new(doc, "schema", json_integer(EXPORT_SCHEMA));
	json_object_set_new(doc, "lunscope", json_string(PACKAGE_VERSION));
	json_object_set(doc, "differences", differ);
	int rc = export_write_json(doc, o->json, e);
	json_decref(doc);
	return rc;
}

/* The paths to a LUN as they were when the part began. */
static json_t *paths_of(const struct part *p)
{
	json_t *paths = path_marks_begin(p->run->settings);

	for (size_t i = 0; i < p->run->segments; i++)
		if (p->run->segment[i].number <= p->segment[0]->number)
			path_marks_apply(paths, p->run->segment[i].text);
	/* In turn, they are logged in anew all the time. */
	if (p->segments > 1)
		json_object_del(paths, "logged_in_anew");
	return paths;
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
	json_t *environment[2], *paths[2];
	struct comparison c;
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	int rc = take(&part[0], o, e);

	if (rc == 0)
		rc = take(&part[1], o, e);
	if (rc)
		return rc;
	for (int i = 0; i < 2; i++) {
		environment[i] = stored_environment(part[i].run, part[i].segment[0]);
		paths[i] = paths_of(&part[i]);
		of[i] = (struct circumstances){&part[i].segment[0]->workload, part[i].run->settings,
					       environment[i], paths[i]};
	}
	json_t *differ = circumstances_differ(&of[0], &of[1]);
	for (int i = 0; i < 2; i++) {
		json_decref(environment[i]);
		json_decref(paths[i]);
	}
	if (!differ)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	if (part[0].segments > 1)
		compare_pairs(&c, part[0].side, part[1].side, part[0].segments);
	else
		compare_sides(&c, &part[0].side[0], &part[1].side[0]);
	c.differences = (unsigned)json_array_size(differ);
	if (!to_stdout) {
		print_differences(stdout, differ);
		compare_print(stdout, &c, &part[0].total, &part[1].total, o->unit, ascii);
	}
	if (o->json)
		rc = write_json(o, &c, part, differ, e);
	json_decref(differ);
	return rc;
}

/* "b", "3", "" or "b,e,g". */
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
		rc = stored_segment_find(p->run, name, &p->segment[p->segments++], e);
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
		if (rc == 0)
			rc = store_load(s, id[i], &run[i], e);
	}
	if (rc)
		return rc;
	if (o->args == 1 && !*segment[0])
		return in_turn(&run[0], part) ? 0 : last_two(&run[0], part, e);
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
	if (rc == 0)
		rc = compare(o, part, &e);
	for (int i = 0; i < 2; i++) {
		for (unsigned j = 0; j < part[i].segments; j++)
			side_free(&part[i].side[j]);
		stored_run_free(&run[i]);
	}
	store_close(s);
	return rc ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
}
