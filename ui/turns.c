/* turns.c - see turns.h. */
#include "turns.h"

#include <string.h>

static bool is_secondary(const struct layout *layout, enum pane_id zoom, int pane)
{
	return pane != PANE_IOPS && pane != (int)zoom && layout->pane[pane].rows > 0;
}

static bool same(struct rect a, struct rect b)
{
	return a.row == b.row && a.col == b.col && a.rows == b.rows && a.cols == b.cols;
}

/* A pane of the frame before would be put where there is another now. */
static bool moved(const struct layout *a, const struct layout *b)
{
	for (int p = 0; p < PANE_COUNT; p++)
		if (!same(a->pane[p], b->pane[p]))
			return true;
	return false;
}

static void copy_rect(struct canvas *to, const struct canvas *from, struct rect r)
{
	for (int row = r.row; row < r.row + r.rows && row < to->rows; row++)
		memcpy(&to->cell[row * to->cols + r.col], &from->cell[row * to->cols + r.col],
		       (size_t)r.cols * sizeof(*to->cell));
}

static void take_turn(struct turns *t, struct canvas *c, const struct layout *layout,
		      enum pane_id zoom)
{
	for (int tries = 0; tries < PANE_COUNT; tries++) {
		t->pane = (t->pane + 1) % PANE_COUNT;
		if (is_secondary(layout, zoom, t->pane))
			break;
	}
	for (int p = 0; p < PANE_COUNT; p++)
		if (p != t->pane && is_secondary(layout, zoom, p))
			copy_rect(c, &t->last, layout->pane[p]);
}

void turns_take(struct turns *t, struct canvas *c, const struct layout *layout, enum pane_id zoom,
		bool whole)
{
	if (!whole && t->last.rows == c->rows && t->last.cols == c->cols &&
	    !moved(&t->layout, layout))
		take_turn(t, c, layout, zoom);
	t->layout = *layout;
	if (canvas_resize(&t->last, c->rows, c->cols))
		turns_free(t);
	else
		memcpy(t->last.cell, c->cell, (size_t)c->rows * (size_t)c->cols * sizeof(*c->cell));
}

void turns_free(struct turns *t)
{
	canvas_free(&t->last);
}
