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
#include "wait_note.h"

/* One of the two that are compared. */
struct part {
	struct stored_run *run;
	const struct stored_segment *segment[COMPARE_PAIRS]; /* more than one: by pairs */
	uint64_t end_ns[COMPARE_PAIRS];                      /* of each; 0: as the segment's */
	unsigned segments;
	bool settled; /* before it began, and nothing changed until it ended */
	struct side side[COMPARE_PAIRS], total;
};

/* Segments in turn (ab.h), by side and number; those that are over and were not cut short. */
struct turns {
	const struct stored_segment *segment[2][COMPARE_PAIRS];
	uint64_t end_ns[2][COMPARE_PAIRS];
	unsigned pairs; /* of which there are both */
};

/* Where a stage that begins with segment i ends: a foreign mark within it does not end it. */
static size_t last_of_stage(const struct stored_run *r, size_t i)
{
	while (i + 1 < r->segments && !ab_mark_scan(r->segment[i + 1].text) &&
	       !r->segment[i + 1].passed)
		i++;
	return i;
}

/* The number says which two are a pair, so that one that is missing takes no other's place. The last of the
 * run is cut short where its end came before the time that all others took. */
static void find_turns(const struct stored_run *r, struct turns *t)
{
	uint64_t whole = 0;
	bool over = false;

	for (size_t i = 0; i < r->segments; i++) {
		const struct stored_segment *g = &r->segment[i];
		size_t last = last_of_stage(r, i);
		uint64_t end_ns = r->segment[last].end_ns, length = end_ns - g->start_ns;
		unsigned number;
		int side;
		/* Of several comparisons in the same run the newest, whichever of its segments were left out. */
		if (over && ab_mark_scan(g->text)) {
			memset(t, 0, sizeof(*t));
			whole = 0;
		}
		over = strcmp(g->text, AB_OVER) == 0 || (over && !ab_mark_scan(g->text));
		if (!ab_stage_scan(g->text, &side, &number, NULL))
			continue;
		whole = whole ? whole : length;
		if (last + 1 == r->segments && length * 10 <= whole * 9)
			continue;
		t->segment[side][number - 1] = g;
		t->end_ns[side][number - 1] = end_ns;
	}
	for (unsigned i = 0; i < COMPARE_PAIRS; i++)
		t->pairs += t->segment[0][i] && t->segment[1][i];
}

/* False: the run was not measured in turn. */
static bool in_turn(struct stored_run *r, struct part part[2])
{
	struct turns t = {.pairs = 0};

	find_turns(r, &t);
	for (int side = 0; side < 2; side++) {
		struct part *p = &part[side];
		p->run = r;
		p->settled = t.pairs > 0;
		for (unsigned i = 0; i < COMPARE_PAIRS; i++)
			if (t.segment[0][i] && t.segment[1][i]) {
				p->end_ns[p->segments] = t.end_ns[side][i];
				p->segment[p->segments++] = t.segment[side][i];
			}
	}
	return t.pairs > 0;
}

/* Before and after the last mark of one run; as on the screen (compare/live.h), a segment in between that is
 * too short for any verdict is passed over where there is a longer one. */
static int last_two(struct stored_run *r, struct part part[2], struct error *e)
{
	const struct stored_segment *b = NULL, *next = NULL, *a = NULL;

	for (size_t i = r->segments; i-- > 0 && !a;) {
		const struct stored_segment *g = &r->segment[i];
		if (g->passed)
			continue;
		if (!b)
			b = g;
		else if (g->end_ns - g->start_ns >= SIDE_LEAST_NS)
			a = g;
		else if (!next)
			next = g;
	}
	part[0].segment[0] = a ? a : next;
	part[1].segment[0] = b;
	for (int i = 0; i < 2; i++) {
		part[i].run = r;
		part[i].segments = 1;
	}
	if (part[0].segment[0])
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
		ab_stage_scan(g->text, &side, NULL, &text);
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
				       .open_end = ends_openly(p, i),
				       .any = p->segments == 1};
		uint64_t end_ns = p->end_ns[i] ? p->end_ns[i] : g->end_ns;
		if (side_take(&p->side[i], name, r->second, r->seconds, g->start_ns, end_ns, &cut))
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

/* The paths to a LUN as they were when a segment began. */
static json_t *paths_of(const struct part *p, const struct stored_segment *g)
{
	json_t *paths = path_marks_begin(p->run->settings);

	for (size_t i = 0; i < p->run->segments; i++)
		if (p->run->segment[i].number <= g->number)
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

/* --- What differs. --- */

/* What a segment began with. */
struct beginning {
	struct circumstances of;
	json_t *environment, *paths;
};

static struct beginning beginning_of(const struct part *p, const struct stored_segment *g)
{
	struct beginning b = {.environment = stored_environment(p->run, g),
			      .paths = paths_of(p, g)};

	b.of = (struct circumstances){&g->workload, p->run->settings, b.environment, b.paths};
	return b;
}

static json_t *differ(const struct part *p, const struct stored_segment *g, const struct part *q,
		      const struct stored_segment *h)
{
	struct beginning b[2] = {beginning_of(p, g), beginning_of(q, h)};
	json_t *list = circumstances_differ(&b[0].of, &b[1].of);

	for (int i = 0; i < 2; i++) {
		json_decref(b[i].environment);
		json_decref(b[i].paths);
	}
	return list;
}

/* Of several segments each is to be as the first of its side is, and so is what a foreign mark has opened
 * within one. */
static void add_within(json_t *list, const struct part *p)
{
	const struct stored_segment *end = p->run->segment + p->run->segments;

	for (unsigned i = 0; i < p->segments; i++)
		for (const struct stored_segment *g = p->segment[i];
		     g < end && (g == p->segment[i] || g->start_ns < p->end_ns[i]); g++) {
			json_t *more = g == p->segment[0] ? NULL : differ(p, p->segment[0], p, g);
			differences_add(list, more);
			json_decref(more);
		}
}

static json_t *differences(const struct part part[2])
{
	json_t *list = differ(&part[0], part[0].segment[0], &part[1], part[1].segment[0]);

	for (int i = 0; list && i < 2; i++)
		if (part[i].segments > 1 || part[i].settled)
			add_within(list, &part[i]);
	return list;
}

static int compare(const struct options *o, struct part part[2], struct error *e)
{
	struct comparison c;
	bool to_stdout = o->json && strcmp(o->json, OPTIONS_STDOUT) == 0;
	bool ascii = strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
	int rc = take(&part[0], o, e);

	if (rc == 0)
		rc = take(&part[1], o, e);
	if (rc)
		return rc;
	json_t *differing = differences(part);
	if (!differing)
		return error_set(e, ENOMEM, "out of memory for a comparison");
	if (part[0].segments > 1 || part[0].settled)
		compare_pairs(&c, part[0].side, part[1].side, part[0].segments);
	else
		compare_sides(&c, &part[0].side[0], &part[1].side[0]);
	c.differences = (unsigned)json_array_size(differing);
	if (!to_stdout) {
		print_differences(stdout, differing);
		compare_print(stdout, &c, &part[0].total, &part[1].total, o->unit, ascii);
	}
	if (o->json)
		rc = write_json(o, &c, part, differing, e);
	json_decref(differing);
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
