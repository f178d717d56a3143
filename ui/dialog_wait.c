/* dialog_wait.c - what the screen shows while a job is on: what is being done and, for a file that is
 * being made, how much of it and how long still; for all, for how long and how long at most. The screen behind it goes on.
 */
#include <stdio.h>
#include <stdlib.h>
#include "create_progress.h"
#include "dialogs.h"
#include "key.h"
#include "prose.h"
#include "units.h"

#define WAIT_COLUMNS 60

struct wait {
	char title[64], words[PATH_MAX + 64], bound[64];
	uint64_t start_ns;
	const struct create_progress *progress; /* NULL: it can't be called off */
};

static void draw_bar(struct canvas *c, struct rect r, uint64_t done, uint64_t total)
{
	int filled = (int)((double)r.cols * (double)done / (double)total);

	canvas_fill(c, r, ' ', ST_INPUT);
	r.cols = filled < r.cols ? filled : r.cols;
	canvas_fill(c, r, ' ', ST_SELECTED);
}

char *dialog_so_far(char *out, size_t n, const char *before, uint64_t start_ns)
{
	uint64_t s = (clock_ns() - start_ns) / NS_PER_SEC;
	char span[32];

	out[0] = '\0';
	if (s >= 60)
		snprintf(out, n, "%s%s so far", before,
			 units_span(span, sizeof(span), s * NS_PER_SEC));
	else if (s)
		snprintf(out, n, "%s%u s so far", before, (unsigned)s);
	return out;
}

/* "3 s so far; IOs in flight get 2 s at most". */
static void add_time(struct prose *t, int cols, const struct wait *d)
{
	char so_far[48];

	dialog_so_far(so_far, sizeof(so_far), "", d->start_ns);
	if (so_far[0] || d->bound[0])
		prose_add(t, cols, 0, ST_DIALOG, "%s%s%s", so_far,
			  so_far[0] && d->bound[0] ? "; " : "", d->bound);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct wait *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, WAIT_COLUMNS), top = 0;
	uint64_t total = d->progress ? atomic_load(&d->progress->total) : 0;
	char made[96];

	prose_add(&t, cols, 0, ST_DIALOG, "%s%s", d->words, v->g->dots);
	add_time(&t, cols, d);
	if (total)
		prose_add(&t, cols, 0, ST_DIALOG, "Making scratch file: %s",
			  create_progress_text(made, sizeof(made), d->progress));
	struct rect in = dialog_box(c, full, v, t.count + (total > 0), cols, d->title);

	prose_draw(c, in, &t, &top, v->g);
	if (total && in.rows > t.count)
		draw_bar(c, (struct rect){in.row + t.count, in.col, 1, in.cols},
			 atomic_load(&d->progress->done), total);
	dialog_hint(c, in, d->progress ? "Esc cancels" : "Can't be cancelled");
	prose_free(&t);
}

static enum dialog_result key(void *state, int key)
{
	const struct wait *d = state;

	return key == K_ESC && d->progress ? DIALOG_CANCELLED : DIALOG_OPEN;
}

struct dialog dialog_wait(const char *title, const char *words, const char *bound,
			  const struct create_progress *progress)
{
	struct wait *d = calloc(1, sizeof(*d));

	if (d) {
		snprintf(d->title, sizeof(d->title), "%s", title);
		snprintf(d->words, sizeof(d->words), "%s", words);
		snprintf(d->bound, sizeof(d->bound), "%s", bound ? bound : "");
		d->start_ns = clock_ns();
		d->progress = progress;
	}
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = free, .about = ABOUT_WAIT};
}
