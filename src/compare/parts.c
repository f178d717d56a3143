/* parts.c - stretches of kept runs as sides of a comparison; see parts.h. */
#include "compare/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ab.h"
#include "compare/differ.h"
#include "path_marks.h"

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

bool parts_in_turn(struct stored_run *r, struct part part[2])
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

/* As on the screen (compare/live.h), a segment in between that is
 * too short for any verdict is passed over where there is a longer one. */
int parts_last_two(struct stored_run *r, struct part part[2], struct error *e)
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

int part_take(struct part *p, uint64_t settle_ns, struct error *e)
{
	const struct stored_run *r = p->run;
	char name[sizeof(p->total.name)];

	name_part(p, name, sizeof(name));
	for (unsigned i = 0; i < p->segments; i++) {
		const struct stored_segment *g = p->segment[i];
		struct side_cut cut = {.settle_ns = p->settled ? 0 : settle_ns,
				       .open_end = ends_openly(p, i),
				       .any = p->segments == 1};
		uint64_t end_ns = p->end_ns[i] ? p->end_ns[i] : g->end_ns;
		if (side_take(&p->side[i], name, r->second, r->seconds, g->start_ns, end_ns, &cut))
			return error_set(e, ENOMEM, "out of memory for a comparison");
		p->side[i].unkept = !r->seconds;
	}
	if (p->segments > 1)
		side_total(&p->total, name, p->side, p->segments);
	else
		p->total = p->side[0];
	return 0;
}

void part_free(struct part *p)
{
	for (unsigned i = 0; i < p->segments; i++)
		side_free(&p->side[i]);
}

void parts_compare(struct comparison *c, const struct part part[2], const json_t *differ)
{
	if (part[0].segments > 1 || part[0].settled)
		compare_pairs(c, part[0].side, part[1].side, part[0].segments);
	else
		compare_sides(c, &part[0].side[0], &part[1].side[0]);
	c->differences = (unsigned)json_array_size(differ);
}

/* --- What differs. --- */

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

json_t *parts_differ(const struct part part[2])
{
	json_t *list = differ(&part[0], part[0].segment[0], &part[1], part[1].segment[0]);

	for (int i = 0; list && i < 2; i++)
		if (part[i].segments > 1 || part[i].settled)
			add_within(list, &part[i]);
	return list;
}
