/* heatmap.h - latency over time: how the IOs of each moment were spread over the latencies, by shades.
 *
 * Time runs as in the charts, and in the same columns; latency goes up in equal steps of its logarithm.
 * A shade says which share of its column's IOs a cell has, so that a second with few IOs is as plain to
 * see as one with many.
 */
#ifndef LUNSCOPE_HEATMAP_H
#define LUNSCOPE_HEATMAP_H

#include "pane.h"

/* The seconds of the charts' window; longer windows have several in one, these many at most. */
#define HEATMAP_SLICES 512

struct heatmap {
	struct heat_slice *slice; /* oldest first */
	size_t count, room;
	uint64_t newest_ns; /* end of what was read */
};

void heatmap_free(struct heatmap *h);
/* Another window, or another run: all is read anew. */
void heatmap_clear(struct heatmap *h);
/* Reads the seconds in (from, to] that are not in it yet, forgets those before, and puts it into v. Without
 * memory it stays as it is. */
void heatmap_update(struct heatmap *h, struct view *v, struct timeline *t, uint64_t from,
		    uint64_t to);

/* The cells of a row of the map, from left to right: valid where anything is known of its time. A slice that
 * ends in a cell's time is counted there and nowhere else; cells in which none ends show the slice that they
 * lie in. out->t_ns is not set. */
struct heat_cell {
	bool valid;
	struct heat_slice sum;
};
void heatmap_cells(const struct view *v, struct heat_cell *out, int cells);

/* The cell of a time, -1 where it is in none. */
int heatmap_cell_of(const struct view *v, uint64_t t_ns, int cells);

/* Once a frame, before it is drawn there: which rows it has (v->heat_rows), by those that it had. */
void heatmap_keep_rows(struct view *v, int screen_cols, struct rect r);

/* Draws map, axis, legend and the cursors' figures into the pane's whole rectangle: its own, or the latency's. */
void heatmap_draw(struct canvas *c, struct rect r, const struct view *v, enum pane_id id);

#endif
