/* window.c - gate 11: the range of bytes that may be written.
 *
 * Of a block device or LUN only a small window is written by default, away from the first and last MiB
 * where partition tables and raid superblocks live. A file is written from end to end.
 */
#include "guard/gates.h"

#include <errno.h>
#include "units.h"

/* Blocks at both ends that don't divide the range stay unwritten. */
static uint64_t round_down(uint64_t bytes, uint32_t block)
{
	return block ? bytes - bytes % block : bytes;
}

static int given(struct guard_report *r, const struct guard_window *asked, struct error *e)
{
	struct guard_window resolved = *asked;
	const struct guard_window *w = &resolved;
	char size[32];

	if (resolved.length == 0 && resolved.start < r->size)
		resolved.length = round_down(r->size - resolved.start, r->logical_block);
	if (w->length == 0 || w->start % r->logical_block || w->length % r->logical_block)
		return error_set(e, EINVAL,
				 "%s: the write window must start and end on a multiple of its "
				 "%u-byte blocks and hold at least one",
				 r->spec, r->logical_block);
	if (w->start > r->size || w->length > r->size - w->start)
		return error_set(e, EINVAL, "%s: the write window ends beyond its %s (%llu bytes)",
				 r->spec, units_size(size, sizeof(size), r->size),
				 (unsigned long long)r->size);
	if (r->kind != GUARD_FILE && !w->whole &&
	    (w->start < GUARD_EDGE || r->size - w->start - w->length < GUARD_EDGE))
		return error_set(e, EINVAL,
				 "%s: the write window touches the first or last MiB, where "
				 "partition tables and raid superblocks live: move it, or add "
				 "--whole",
				 r->spec);
	r->window_start = w->start;
	r->window_length = w->length;
	return 0;
}

int window_set(struct guard_report *r, const struct guard_window *w, struct error *e)
{
	char size[32];

	if (w && w->given)
		return given(r, w, e);
	if (r->kind == GUARD_FILE || (w && w->whole)) {
		r->window_start = 0;
		r->window_length = round_down(r->size, r->logical_block);
		if (r->window_length == 0)
			report_add(r, GATE_WINDOW, GUARD_REFUSE,
				   "its %llu bytes are less than one block of %u: nothing to write",
				   (unsigned long long)r->size, r->logical_block);
		return 0;
	}
	if (r->size < 3 * GUARD_EDGE) {
		r->window_start = r->window_length = 0;
		report_add(r, GATE_WINDOW, GUARD_REFUSE,
			   "its %s are too few to leave the first and last MiB alone: --whole "
			   "writes all of it",
			   units_size(size, sizeof(size), r->size));
		return 0;
	}
	r->window_start = GUARD_EDGE;
	r->window_length = r->size - 2 * GUARD_EDGE;
	if (r->window_length > GUARD_WINDOW_DEFAULT)
		r->window_length = GUARD_WINDOW_DEFAULT;
	r->window_length = round_down(r->window_length, r->logical_block);
	return 0;
}
