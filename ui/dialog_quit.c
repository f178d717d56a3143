/* dialog_quit.c - the end of a session: what is kept, and the chance to keep nothing. */
#include <stdio.h>
#include <stdlib.h>
#include "ab_row.h"
#include "dialogs.h"
#include "key.h"
#include "prose.h"

#define CHANGES 512

enum answer { KEEP, DISCARD, STAY };

struct quit {
	bool kept;
	enum answer at;
	char changes[CHANGES]; /* "" = none */
	bool leave;            /* they stay as they are */
};

/* Without a record there is nothing to discard. */
static bool offered(const struct quit *d, enum answer a)
{
	return a != DISCARD || d->kept;
}

static const char *answer_text(const struct quit *d, enum answer a)
{
	switch (a) {
	case KEEP: return d->kept ? "Quit, keep the run      k y q Enter" : "Quit      y q Enter";
	case DISCARD: return "Quit, discard the run   d";
	case STAY: return "Go on                   n Esc";
	}
	return "";
}

static void describe(struct prose *t, int cols, const struct quit *d, const struct view *v)
{
	char span[32];
	const struct snapshot *s = &v->snap;
	uint64_t ns = s->t_ns > s->start_ns ? s->t_ns - s->start_ns : 0;

	prose_add(t, cols, 0, ST_DIALOG, "The run is %s long; %s.",
		  units_span(span, sizeof(span), ns),
		  s->running ? "IO is going on" : "the IO has stopped");
	if (s->store_trouble[0])
		prose_add(t, cols, 0, ST_BAD, "! Recording has stopped: %s", s->store_trouble);
	if (d->kept)
		prose_add(t, cols, 0, ST_DIALOG, "Run %lld is kept in %s", (long long)s->run_id,
			  s->store_path);
	else
		prose_add(t, cols, 0, ST_DIALOG, "This run is not kept: nothing is recorded.");
	if (d->changes[0]) {
		prose_add(t, cols, 4, d->leave ? ST_WARN : ST_DIALOG, "%s",
			  d->leave ? "[ ] Settings of this host stay changed; r: put them back"
				   : "[x] Settings of this host are put back; r: they stay");
		prose_add(t, cols, 4, ST_DIALOG, "    %s",
			  d->leave ? "lunscope restore does it later" : d->changes);
	}
	if (ab_row_wanted(v))
		prose_add(t, cols, 0, ST_DIALOG, "%s",
			  v->ab->config.flips ? "A against B is under way: it ends, and what it "
						"has set is put back."
					      : "A against B is under way: it ends.");
	prose_add(t, cols, 0, ST_DIALOG,
		  "The summary and the command line that repeats it are printed afterwards.");
	prose_add(t, cols, 0, ST_DIALOG, "%s", "");
}

/* Down from the chosen answer. */
static int steps_to(const struct quit *d, enum answer a)
{
	int steps = (int)a - (int)d->at;

	return offered(d, DISCARD) ? steps : (steps > 0) - (steps < 0);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct quit *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, 60), answers = d->kept ? 3 : 2, top = 0;

	describe(&t, cols, d, v);
	struct rect in = dialog_box(c, full, v, t.count + answers, cols, "Quit");
	/* The answers stay visible where the words don't fit. */
	struct rect words = {in.row, in.col, in.rows - answers, in.cols};
	if (words.rows > 0)
		prose_draw(c, words, &t, &top, v->g);
	prose_free(&t);
	int row = words.rows > 0 ? words.rows : 0;
	for (enum answer a = KEEP; a <= STAY; a++) {
		if (!offered(d, a))
			continue;
		enum style s = a == d->at ? ST_SELECTED : ST_DIALOG;
		canvas_fill(c, (struct rect){in.row + row, in.col, row < in.rows ? 1 : 0, in.cols},
			    ' ', s);
		hot_choice(c, (struct rect){in.row + row, in.col, row < in.rows, in.cols}, HOT_ROW,
			   steps_to(d, a), 0);
		canvas_printf(c, in, row, 0, s, "%c %s", a == d->at ? '>' : ' ', answer_text(d, a));
		if (a == d->at) {
			c->cursor_row = in.row + row;
			c->cursor_col = in.col;
		}
		row++;
	}
	dialog_hint(c, in, "^C again quits at once");
}

static void move(struct quit *d, int dir)
{
	do
		d->at = (enum answer)(((int)d->at + 3 + dir) % 3);
	while (!offered(d, d->at));
}

static enum dialog_result choose(struct quit *d, enum answer a)
{
	d->at = a;
	return a == STAY ? DIALOG_CANCELLED : DIALOG_DONE;
}

static enum dialog_result key(void *state, int key)
{
	struct quit *d = state;

	switch (key) {
	case K_UP:
	case K_BACKTAB: move(d, -1); return DIALOG_OPEN;
	case K_DOWN:
	case K_TAB: move(d, 1); return DIALOG_OPEN;
	case K_ENTER: return choose(d, d->at);
	case 'k':
	case 'q':
	case 'y': return choose(d, KEEP);
	case 'r': d->leave = d->changes[0] && !d->leave; return DIALOG_OPEN;
	case 'd': return d->kept ? choose(d, DISCARD) : DIALOG_OPEN;
	case 'n':
	case K_ESC: return choose(d, STAY);
	}
	return action_of_key(key) == ACT_QUIT ? choose(d, KEEP) : DIALOG_OPEN;
}

struct dialog dialog_quit(bool kept, const char *changes)
{
	struct quit *d = calloc(1, sizeof(*d));

	if (d) {
		d->kept = kept;
		snprintf(d->changes, sizeof(d->changes), "%s", changes);
	}
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = free, .about = ABOUT_QUIT};
}

bool quit_discards(const void *state)
{
	return ((const struct quit *)state)->at == DISCARD;
}

bool quit_restores(const void *state)
{
	return !((const struct quit *)state)->leave;
}
