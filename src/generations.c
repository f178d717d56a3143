/* generations.c - how fast the changes of a run took effect: when each generation was published, when
 * its first IO was submitted, and when the last IO of the older ones was back.
 *
 * An engine takes its record with it, so what an engine that is replaced knows is kept.
 */
#include "run_internal.h"

#include "engine.h"

/* ns after publication, null where it never came to that. */
static json_t *delay(const struct engine_generation *g, uint64_t t_ns)
{
	return t_ns < g->t_ns ? json_null() : json_integer((json_int_t)(t_ns - g->t_ns));
}

static json_t *object(const struct run *r, const struct engine_generation *g)
{
	return json_pack("{s:I, s:I, s:o, s:o, s:I, s:I, s:I}", "number",
			 (json_int_t)(r->generation_base + g->number), "time_ns",
			 (json_int_t)g->t_ns + r->wall_offset, "first_io_ns", delay(g, g->first_ns),
			 "settled_ns", delay(g, g->settled_ns), "submitted",
			 (json_int_t)g->submitted, "completed", (json_int_t)g->completed, "errors",
			 (json_int_t)g->errors);
}

void generations_keep(struct run *r)
{
	struct engine_generation g;

	if (!r->generations)
		r->generations = json_array();
	for (uint32_t i = 1; engine_generation(r->engine, i, &g); i++)
		json_array_append_new(r->generations, object(r, &g));
}
