/* ab_result.c - what came of segments in turn; see ab.h. */
#include "ab_internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/differ.h"
#include "compare/differ_facts.h"
#include "export.h"

/* The segment of a side with this number; NULL: it is not complete. */
static const struct ab_stage *stage_of(const struct ab *ab, int side, unsigned number)
{
	for (unsigned i = 0; i < 2 * ab->config.pairs; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (s->complete && s->side == side && s->number == number)
			return s;
	}
	return NULL;
}

/* --- What else was different. --- */

static json_t *flipped(const struct ab_config *c)
{
	json_t *facts[2] = {json_object(), json_object()}, *list = json_array();

	for (unsigned i = 0; i < c->flips; i++)
		for (int side = 0; side < 2; side++)
			json_object_set_new(facts[side], c->flip[i].words,
					    json_string(c->flip[i].value[side]));
	facts_differ(list, facts[AB_A], facts[AB_B]);
	json_decref(facts[0]);
	json_decref(facts[1]);
	return list;
}

static void look(json_t *list, const struct ab *ab, uint32_t a, uint32_t b)
{
	const char *words[AB_FLIPS_MAX];

	for (unsigned i = 0; i < ab->config.flips; i++)
		words[i] = ab->config.flip[i].words;
	json_t *more = run_differences(ab->run, a, b, words, ab->config.flips);
	differences_add(list, more);
	json_decref(more);
}

/* Beside its own segment, those that a foreign mark has opened within a stage. */
static void look_at_stage(json_t *list, const struct ab *ab, const struct ab_stage *first,
			  const struct ab_stage *s)
{
	struct span span;

	for (uint32_t n = s->segment; timeline_span(run_timeline(ab->run), n, &span, NULL) &&
				      (n == s->segment || span.start_ns < s->end_ns);
	     n++)
		if (n != first->segment)
			look(list, ab, first->segment, n);
}

/* Each against the first of its side; and those two. What is set by hand may be something that is watched:
 * then it is that which differs between the sides. */
static void look_at_stages(struct ab_result *r, const struct ab *ab)
{
	const struct ab_stage *first[2] = {NULL, NULL};

	for (unsigned i = 0; i < 2 * ab->config.pairs; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (!s->complete)
			continue;
		if (!first[s->side])
			first[s->side] = s;
		look_at_stage(r->also, ab, first[s->side], s);
	}
	if (first[AB_A] && first[AB_B])
		look(ab->config.flips ? r->also : r->set, ab, first[AB_A]->segment,
		     first[AB_B]->segment);
}

/* What lunscope flips is one thing, whatever it takes to set it, and so is what nobody can see. */
static unsigned differences(const struct ab_result *r, const struct ab *ab)
{
	unsigned set = ab->config.flips ? 1 : (unsigned)json_array_size(r->set);

	return (set ? set : 1) + (unsigned)json_array_size(r->also);
}

/* --- The result. --- */

static int take_sides(struct ab_result *r, const struct ab *ab, const struct sample *second,
		      size_t n)
{
	/* They were settled before they began, and nothing changed until they were over. */
	const struct side_cut cut = {.settle_ns = 0};
	int rc = 0;

	for (unsigned k = 1; k <= ab->config.pairs && rc == 0; k++) {
		const struct ab_stage *s[2] = {stage_of(ab, AB_A, k), stage_of(ab, AB_B, k)};
		if (!s[AB_A] || !s[AB_B])
			continue;
		for (int side = 0; side < 2 && rc == 0; side++)
			rc = side_take(&r->side[side][r->pairs], ab->config.name[side], second, n,
				       s[side]->start_ns, s[side]->end_ns, &cut);
		r->pairs++;
	}
	return rc;
}

int ab_result(struct ab_result *r, const struct ab *ab)
{
	uint64_t from = UINT64_MAX, to = 0;
	size_t n;

	memset(r, 0, sizeof(*r));
	r->set = flipped(&ab->config);
	r->also = json_array();
	look_at_stages(r, ab);
	for (unsigned i = 0; i < 2 * ab->config.pairs; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (!s->complete)
			continue;
		from = s->start_ns < from ? s->start_ns : from;
		to = s->end_ns > to ? s->end_ns : to;
	}
	if (!to)
		return 0;
	struct sample *second = timeline_seconds_between(run_timeline(ab->run), from, to, &n);
	if (!second)
		return -ENOMEM;
	int rc = take_sides(r, ab, second, n);
	free(second);
	if (rc) {
		ab_result_free(r);
		return rc;
	}
	for (int side = 0; side < 2; side++)
		side_total(&r->total[side], ab->config.name[side], r->side[side], r->pairs);
	compare_pairs(&r->comparison, r->side[AB_A], r->side[AB_B], r->pairs);
	r->comparison.differences = differences(r, ab);
	return 0;
}

void ab_result_free(struct ab_result *r)
{
	for (int side = 0; side < 2; side++)
		for (unsigned i = 0; i < r->pairs; i++)
			side_free(&r->side[side][i]);
	json_decref(r->set);
	json_decref(r->also);
	*r = (struct ab_result){.pairs = 0};
}

static json_t *stage_json(const struct ab *ab, const struct ab_stage *s)
{
	char side[2] = {(char)('A' + s->side), 0};
	double figure[AB_ROW_FIGURES];
	json_t *o = json_pack("{s:s, s:i, s:I, s:f}", "side", side, "number", (int)s->number,
			      "segment", (json_int_t)s->segment, "seconds",
			      (double)(s->end_ns - s->start_ns) / NS_PER_SEC);

	ab_row_figures(ab, s, figure);
	for (unsigned i = 0; i < AB_ROW_FIGURES; i++)
		json_object_set_new(o, metrics[ab_row_metric[i]].key,
				    isfinite(figure[i]) ? json_real(figure[i]) : json_null());
	return o;
}

static json_t *left_out_json(const struct ab_stage *s)
{
	char side[2] = {(char)('A' + s->side), 0};

	return json_pack("{s:s, s:i, s:o}", "side", side, "number", (int)s->number, "why",
			 export_text(s->why));
}

static json_t *comparison_json(const struct ab_result *r)
{
	if (!r->pairs)
		return json_null();
	json_t *o = compare_json(&r->comparison, &r->total[AB_A], &r->total[AB_B]);
	json_t *differences = json_copy(r->set);
	differences_add(differences, r->also);
	json_object_set_new(o, "differences", differences);
	return o;
}

json_t *ab_json(const struct ab *ab, const struct ab_result *r)
{
	json_t *flips = json_array(), *stages = json_array(), *left_out = json_array();
	char order[AB_STAGES_MAX + 1];

	for (unsigned i = 0; i < ab->config.flips; i++) {
		const struct ab_flip *f = &ab->config.flip[i];
		json_array_append_new(flips, json_pack("{s:s, s:s, s:s}", "setting", f->words, "a",
						       f->value[AB_A], "b", f->value[AB_B]));
	}
	for (unsigned i = 0; i < 2 * ab->config.pairs; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (s->complete)
			json_array_append_new(stages, stage_json(ab, s));
		else if (s->why[0])
			json_array_append_new(left_out, left_out_json(s));
	}
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "order",
			 ab_order(order, sizeof(order), ab->config.pairs), "a",
			 ab->config.name[AB_A], "b", ab->config.name[AB_B], "flips", flips,
			 "segments", stages, "left_out", left_out, "comparison",
			 comparison_json(r));
}
