/* ab_result.c - what came of segments in turn; see ab.h. */
#include "ab.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static unsigned segments_of(const struct ab *ab, int side)
{
	unsigned n = 0;

	for (unsigned i = 0; i < ab->stages; i++)
		n += ab->stage[i].side == side;
	return n;
}

int ab_result(struct ab_result *r, const struct ab *ab)
{
	/* They were settled before they began, and nothing changed until they were over. */
	const struct side_cut cut = {.settle_ns = 0};
	unsigned a = segments_of(ab, AB_A), b = segments_of(ab, AB_B), taken[2] = {0, 0};
	size_t n;
	int rc = 0;

	memset(r, 0, sizeof(*r));
	r->pairs = a < b ? a : b;
	struct sample *second = timeline_all_seconds(run_timeline(ab->run), 0, &n);
	if (!second)
		return -ENOMEM;
	for (unsigned i = 0; i < ab->stages && rc == 0; i++) {
		const struct ab_stage *s = &ab->stage[i];
		if (taken[s->side] == r->pairs)
			continue;
		rc = side_take(&r->side[s->side][taken[s->side]++], ab->config.name[s->side],
			       second, n, s->start_ns, s->end_ns, &cut);
	}
	free(second);
	if (rc) {
		ab_result_free(r);
		return rc;
	}
	for (int side = 0; side < 2; side++)
		side_total(&r->total[side], ab->config.name[side], r->side[side], r->pairs);
	compare_pairs(&r->comparison, r->side[AB_A], r->side[AB_B], r->pairs);
	return 0;
}

void ab_result_free(struct ab_result *r)
{
	for (int side = 0; side < 2; side++)
		for (unsigned i = 0; i < r->pairs; i++)
			side_free(&r->side[side][i]);
	r->pairs = 0;
}

static json_t *stage_json(const struct ab_stage *s)
{
	char side[2] = {(char)('A' + s->side), 0};

	return json_pack("{s:s, s:I, s:f}", "side", side, "segment", (json_int_t)s->segment,
			 "seconds", (double)(s->end_ns - s->start_ns) / NS_PER_SEC);
}

json_t *ab_json(const struct ab *ab, const struct ab_result *r)
{
	json_t *flips = json_array(), *stages = json_array();
	char order[AB_STAGES_MAX + 1];

	for (unsigned i = 0; i < ab->config.flips; i++) {
		const struct ab_flip *f = &ab->config.flip[i];
		json_array_append_new(flips, json_pack("{s:s, s:s, s:s}", "setting", f->words, "a",
						       f->value[AB_A], "b", f->value[AB_B]));
	}
	for (unsigned i = 0; i < ab->stages; i++)
		json_array_append_new(stages, stage_json(&ab->stage[i]));
	json_t *comparison =
		r->pairs ? compare_json(&r->comparison, &r->total[AB_A], &r->total[AB_B])
			 : json_null();
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "order",
			 ab_order(order, sizeof(order), ab->config.pairs), "a",
			 ab->config.name[AB_A], "b", ab->config.name[AB_B], "flips", flips,
			 "segments", stages, "comparison", comparison);
}
