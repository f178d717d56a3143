/* dialog_paths.c - the paths to a LUN, to be taken out, taken in and logged in anew while IOs go on, and
 * the policy by which one is chosen. Header, knobs and answer stay in sight above it.
 */
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "path_table.h"
#include "prose.h"

#define TOP_ROWS      3
#define PATHS_COLUMNS 118

struct paths {
	struct paths_desk desk;
	unsigned at;
	bool bad; /* what was said is a refusal */
	struct error said;
};

/* --- Drawing. --- */

static void add_words(struct prose *t, int cols, const struct paths *d, const struct sessions *s)
{
	const struct path_view *p = &s->path[d->at];
	char policy[40], span[32], mss[160];

	sessions_policy_words(policy, sizeof(policy), &s->policy);
	prose_add(t, cols, 2, ST_DIALOG, "IOs take the path by policy: %s.", policy);
	if (s->policy.hold_ns)
		prose_add(t, cols, 2, ST_DIALOG, "With no path left they wait %s before they fail.",
			  units_span(span, sizeof(span), s->policy.hold_ns));
	else
		prose_add(t, cols, 2, ST_DIALOG, "With no path left they fail at once.");
	if (d->said.text[0])
		prose_add(t, cols, 2, d->bad ? ST_BAD : ST_DIALOG, "%s%s", d->bad ? "! " : "",
			  d->said.text);
	else if (path_mss_words(mss, sizeof(mss), s, p))
		prose_add(t, cols, 2, ST_DIALOG, "path %u: %s", p->number, mss);
	else if (p->all.lost[0])
		prose_add(t, cols, 2, ST_DIALOG, "path %u was lost last: %s", p->number,
			  p->all.lost);
}

static const char *hint(const struct path_view *p, int cols)
{
	if (cols < 76)
		return p->out ? "o in  r R anew  p policy  Esc" : "o out  r R anew  p policy  Esc";
	return p->out ? "Up Down path  o take in  r new login  R all  p policy  Esc back"
		      : "Up Down path  o take out  r new login  R all  p policy  Esc back";
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct paths *d = state;
	const struct sessions *s = d->desk.look(d->desk.ctx);
	int cols = dialog_columns(full, PATHS_COLUMNS), top = 0;
	struct prose words = {0};
	unsigned left_out;

	if (!s->paths)
		return;
	if (d->at >= s->paths)
		d->at = s->paths - 1;
	add_words(&words, cols, d, s);
	/* Room for two lines of words beside the rules always, so that the box doesn't jump about. */
	int said = words.count < 4 ? 4 : words.count, table = (int)s->paths + 1;
	struct rect in = dialog_box_at(c, full, v, TOP_ROWS, (full.cols - cols - 4) / 2,
				       table + 1 + said, cols, "Paths");
	if (in.rows < table + 1 + said)
		said = words.count;
	/* On a small screen some paths give way, not the words. */
	int rows = in.rows - said - 1 < table ? in.rows - said : table;
	if (rows < 2)
		rows = 2;
	path_table_draw(c, (struct rect){in.row, in.col, rows, in.cols}, v, s, (int)d->at, true,
			&left_out);
	prose_draw(c, (struct rect){in.row + in.rows - said, in.col, said, in.cols}, &words, &top,
		   v->g);
	dialog_hint(c, in, hint(&s->path[d->at], in.cols));
	prose_free(&words);
}

/* --- Keys. --- */

static void say(struct paths *d, int rc, const char *words)
{
	d->bad = rc != 0;
	if (rc == 0)
		error_set(&d->said, 0, "%s", words);
}

static void out_or_in(struct paths *d, const struct path_view *p)
{
	char words[120];
	int rc = d->desk.act(d->desk.ctx, d->at, p->out ? PATH_TAKE_IN : PATH_TAKE_OUT, &d->said);

	if (p->out)
		snprintf(words, sizeof(words), "Path %u logs in again.", p->number);
	else
		snprintf(words, sizeof(words),
			 "Path %u gets no more IOs, and logs out when those in flight are back.",
			 p->number);
	say(d, rc, words);
}

static void log_in(struct paths *d, const struct path_view *p)
{
	char words[120];

	snprintf(words, sizeof(words), "Path %u logs in anew, over a new connection.", p->number);
	say(d, d->desk.act(d->desk.ctx, d->at, PATH_RELOGIN, &d->said), words);
}

static void log_in_all(struct paths *d)
{
	say(d, d->desk.act(d->desk.ctx, PATHS_ALL, PATH_RELOGIN, &d->said),
	    "All paths log in anew, one after the other.");
}

static void next_policy(struct paths *d, const struct sessions *s)
{
	struct backend_paths how = s->policy;
	char policy[40], words[80];

	how.policy = how.policy == PATHS_PINNED ? PATHS_LEAST : how.policy + 1;
	if (how.policy == PATHS_PINNED)
		how.pinned = d->at;
	sessions_policy_words(policy, sizeof(policy), &how);
	snprintf(words, sizeof(words), "From now on: %s.", policy);
	say(d, d->desk.set(d->desk.ctx, &how, &d->said), words);
}

static enum dialog_result key(void *state, int key)
{
	struct paths *d = state;
	const struct sessions *s = d->desk.look(d->desk.ctx);

	d->said.text[0] = '\0';
	if (key == K_ESC || key == K_ENTER || key == 'q' || action_of_key(key) == ACT_PATHS)
		return DIALOG_CANCELLED;
	if (d->at >= s->paths)
		return s->paths ? DIALOG_OPEN : DIALOG_CANCELLED;
	switch (key) {
	case K_UP: d->at -= d->at > 0; break;
	case K_DOWN: d->at += d->at + 1 < s->paths; break;
	case K_HOME: d->at = 0; break;
	case K_END: d->at = s->paths - 1; break;
	case 'o': out_or_in(d, &s->path[d->at]); break;
	case 'r': log_in(d, &s->path[d->at]); break;
	case 'R': log_in_all(d); break;
	case 'p': next_policy(d, s); break;
	}
	/* Another path, another screenful of the pane below. */
	d->desk.chosen(d->desk.ctx, d->at);
	return DIALOG_OPEN;
}

struct dialog dialog_paths(const struct paths_desk *desk, unsigned at)
{
	struct paths *d = calloc(1, sizeof(*d));

	if (d) {
		d->desk = *desk;
		d->at = at;
	}
	return (struct dialog){
		.state = d, .draw = draw, .key = key, .free = free, .about = ABOUT_PATHS};
}
