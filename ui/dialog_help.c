/* dialog_help.c - the help screen. Keys, knobs and panes come from their tables, so that it cannot
 * say anything that isn't so; only the words around them are written here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"

#define HELP_COLUMNS 76
#define NAME_COLUMNS 17

struct help {
	int top, page;
};

static void paragraph(struct prose *t, int cols, const char *words)
{
	prose_add(t, cols, 0, ST_DIALOG, "%s", words);
}

/* Keys of actions in words as action_text() has them. */
static void row(struct prose *t, int cols, const char *name, const char *words)
{
	char *text = action_text(words);

	prose_add_row(t, cols, NAME_COLUMNS, ST_DIALOG, name, text ? text : words);
	free(text);
}

/* "F4 Space", "F1 ? h". */
static void name_keys(char *out, size_t n, enum action a)
{
	char name[8];
	size_t at = 0;

	out[0] = '\0';
	for (const int *k = action_keys(a); *k && at + 8 < n; k++)
		at += (size_t)snprintf(out + at, n - at, "%s ", action_key_name(*k, name));
}

static void add_keys(struct prose *t, int cols)
{
	char name[32];

	prose_add_heading(t, cols, "Keys");
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++) {
		name_keys(name, sizeof(name), (enum action)a);
		row(t, cols, name, actions[a].help);
	}
	row(t, cols, "Tab Shift-Tab", "next or previous: the knobs, then the panes");
	row(t, cols, "1-9", "focus this pane: the number in front of its name below");
	row(t, cols, "Left Right", "another knob; another pane");
	row(t, cols, "Up Down", "the focused knob up or down; scroll the events; choose a path");
	row(t, cols, "PgUp PgDn",
	    "the focused knob a big step (four times, or 10 %); a page of events");
	row(t, cols, "Enter", "type a value into the focused knob; zoom the focused pane");
	row(t, cols, dialog_help_key(), "on whatever is open: what it is");
	row(t, cols, "Esc", "back; Esc and a digit stand for F1 to F10");
	row(t, cols, "^L ^Z ^C",
	    "draw anew, as when the kernel has printed over the screen ({setup} or --quiet-kernel "
	    "keeps it from that); suspend; quit (twice: at once)");
	row(t, cols, "mouse",
	    "with --mouse or by the setup: a click focuses, two are Enter, the wheel turns a knob "
	    "or scrolls; where a chart has cursors a click sets one; keys that are named in the "
	    "last row or a frame can be clicked, but nothing is agreed to so. Shift selects text");
}

static void add_knobs(struct prose *t, int cols)
{
	char name[32];

	prose_add_heading(t, cols, "Knobs (key: one step down, one step up)");
	for (int k = 0; k < KNOB_COUNT; k++) {
		snprintf(name, sizeof(name), "%c %c %s", knobs[k].key_down, knobs[k].key_up,
			 knobs[k].name);
		row(t, cols, name, knobs[k].help);
	}
}

/* Which stretch of time and whose work a figure stands for. */
static void add_figures(struct prose *t, int cols)
{
	char recent[160];

	prose_add_heading(t, cols, "What the figures are of");
	row(t, cols, "IOPS MiB/s ms", "the last second: its IOs, its bytes, its mean latency");
	snprintf(recent, sizeof(recent),
		 "the last %d seconds, but not from before the last change: every IO in them",
		 HIST_WINDOW_S);
	row(t, cols, "p99 histogram", recent);
	row(t, cols, "charts",
	    "a column is the mean of its time, and around it the band of the ticks or seconds in "
	    "it: looser from the least up to the mean, dots from there to the most");
	row(t, cols, "cursors 1 2",
	    "what the samples of that column add up to (p99 max: the highest of its seconds), and "
	    "the difference 2-1 in per cent of 1; "
	    "in a chart that has the focus the arrows move one, Home and End go to marks, {cursor} "
	    "takes "
	    "the other, Esc takes them away. Beyond the edge they take the charts along, and the "
	    "axis tells the time of day; Esc leads back to now");
	row(t, cols, "~ run 7",
	    "the baseline: a run of the store, its first second where the figures of this run "
	    "begin (at its start, or where {reset} started them anew); what it did at the cursors "
	    "stands there behind ~, and vs ~ is this run in per cent of it");
	row(t, cols, "Sessions, NICs",
	    "the last whole second, renewed once a second; the second line goes up to now, so they "
	    "differ by a little, and by more while the load moves");
	row(t, cols, "lost",
	    "sessions of a path that were lost: each worker has one, so that two workers lose two "
	    "when their path goes once; the events tell of it once");
	row(t, cols, "ms of a path",
	    "from when an IO was sent on it to its answer; that it had to wait for a path is in "
	    "the latencies of the run alone");
	row(t, cols, "send ... recv",
	    "of a path in full: send RTT is from our data to their acknowledgement, recv RTT what "
	    "the kernel makes of what comes in; send rate is that of the last burst, not of the "
	    "load, and send busy for how long each session had something to send, and how much of "
	    "it the target's TCP window was shut. What the load does not do, read or write, is "
	    "left out");
	row(t, cols, "a against ...",
	    "the verdict on the last change: what is different, in per cent of what it was before "
	    "(in brackets the interval that holds the true change with 95 % confidence), and what "
	    "is within noise. It becomes sharper with time; {compare} shows every figure");
	row(t, cols, "B against A",
	    "the verdict of {ab}, which sets two things in turn, by pairs: an even drift cancels "
	    "out. "
	    "n leaves the segment out that is measured, Esc or {ab} stops it, and what was flipped "
	    "is "
	    "put back");
	row(t, cols, "steady",
	    "the IOPS of five rounds of ten seconds lie within 20 % of their mean, and rise or "
	    "fall by at most 10 %; when they leave that, an event says about when");
	row(t, cols, "CPU",
	    "the whole host's last second, whoever used it; iowait and steal are not busy");
	row(t, cols, "cost",
	    "the whole host's busy CPU time per IO, not lunscope's alone: other work on the host "
	    "counts too. What lunscope itself took stands below it where there is room");
	row(t, cols, "device",
	    "requests in flight by the kernel's own count, after it has merged and split IOs, so "
	    "that there may be fewer or more than IOs; the mean of the last second");
	row(t, cols, "STALL", "IOs are in flight, and none has come back for a second");
	row(t, cols, "WRITES", "writing is allowed to this target; where, the target pane says");
}

static void add_reading(struct prose *t, int cols)
{
	prose_add_heading(t, cols, "How to read the screen");
	paragraph(t, cols,
		  "The top lines are the knobs and the answer. Turn a knob and the IO changes "
		  "at once, without a restart; every change leaves a mark on the time line, "
		  "and the figures in the second line belong to what came after it.");
	for (int p = 0; p < PANE_COUNT; p++) {
		char name[32];
		/* Digits end at nine; the meters have a letter. */
		if (p < 9)
			snprintf(name, sizeof(name), "%d %s", p + 1, panes[p].title);
		else
			snprintf(name, sizeof(name), "%s", panes[p].title);
		row(t, cols, name, panes[p].help);
	}
}

static void add_safety(struct prose *t, int cols)
{
	prose_add_heading(t, cols, "What is safe");
	paragraph(t, cols,
		  "lunscope reads. It writes only after you have allowed it for this target, by "
		  "typing a part of its identity; a target that is mounted, used as swap, or "
		  "part of something else is never written. What would be overwritten is shown "
		  "to the byte before you are asked. A file that lunscope made itself is free.");
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct help *d = state;
	struct prose t = {0};
	char title[64];
	int cols = dialog_columns(full, HELP_COLUMNS);

	/* The last column is for the arrows that say there is more. */
	add_keys(&t, cols - 2);
	add_knobs(&t, cols - 2);
	add_figures(&t, cols - 2);
	add_reading(&t, cols - 2);
	add_safety(&t, cols - 2);
	snprintf(title, sizeof(title), "lunscope %s: help", v->version ? v->version : "");
	struct rect in = dialog_box(c, full, v, t.count, cols, title);
	d->page = in.rows > 1 ? in.rows - 1 : 1;
	prose_draw(c, in, &t, &d->top, v->g);
	hot_add(c, in, HOT_BODY, 3);
	dialog_hint_only(c, in, "Up Down PgUp PgDn scroll  Esc back");
	c->cursor_row = in.row;
	c->cursor_col = in.col;
	prose_free(&t);
}

static enum dialog_result key(void *state, int key)
{
	struct help *d = state;

	if (prose_key(&d->top, key, d->page))
		return DIALOG_OPEN;
	if (key == K_ESC || key == K_ENTER || key == 'q' || action_of_key(key) == ACT_HELP)
		return DIALOG_CANCELLED;
	return DIALOG_OPEN;
}

struct dialog dialog_help(void)
{
	struct help *d = calloc(1, sizeof(*d));

	return (struct dialog){.state = d, .draw = draw, .key = key, .free = free};
}
