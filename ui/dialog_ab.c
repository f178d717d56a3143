/* dialog_ab.c - A against B, in turn: what is set, and for how long. What lunscope flips by itself it shows as
 * commands first, and asks whether that is meant.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "ab_row.h"
#include "dialogs.h"
#include "env/files.h"
#include "flip/ssh.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"

#define AB_COLUMNS 70
#define LABEL      10
#define SAID_ROWS  4

enum row { ROW_WHAT, ROW_A, ROW_B, ROW_PAIRS, ROW_SEGMENT, ROW_SETTLE, ROWS };

static const char *const label[ROWS] = {"Setting", "A", "B", "Pairs", "Segment", "Settle"};

struct ab_dialog {
	struct field field[ROWS];
	const struct facts *facts;
	const char *ssh;
	int at;
	bool touched; /* the first character typed replaces what was there */
	bool confirm, sawing;
	struct ab_wish wish; /* what is to be confirmed */
	struct ab_config config;
	struct error error;
};

/* --- What is typed. --- */

static void copy(char *out, size_t n, const struct field *f)
{
	snprintf(out, n, "%.*s", (int)n - 1, f->text);
}

static struct ab_wish typed(const struct ab_dialog *d)
{
	struct ab_wish w;

	copy(w.what, sizeof(w.what), &d->field[ROW_WHAT]);
	copy(w.value[AB_A], sizeof(w.value[AB_A]), &d->field[ROW_A]);
	copy(w.value[AB_B], sizeof(w.value[AB_B]), &d->field[ROW_B]);
	copy(w.pairs, sizeof(w.pairs), &d->field[ROW_PAIRS]);
	copy(w.segment, sizeof(w.segment), &d->field[ROW_SEGMENT]);
	copy(w.settle, sizeof(w.settle), &d->field[ROW_SETTLE]);
	return w;
}

static bool blank(const char *text)
{
	return text[strspn(text, " ")] == '\0';
}

static int take_sides(const struct ab_wish *w, struct ab_config *c, struct error *e)
{
	char text[FACT_WORDS + 2 * AB_TEXT + 8];

	if (!blank(w->what)) {
		snprintf(text, sizeof(text), "%s %s %s", w->what, w->value[AB_A], w->value[AB_B]);
		if (!flip_possible(w->what))
			return error_set(
				e, EINVAL,
				"%s: no setting that lunscope can change; leave it empty to be "
				"asked to set A and B by hand, or choose one with PgUp or PgDn",
				w->what);
		if (blank(w->value[AB_A]) || blank(w->value[AB_B]))
			return error_set(e, EINVAL, "%s: which two values are compared?", w->what);
		c->flips = 1;
		return ab_flip_parse(&c->flip[0], text, e);
	}
	for (int side = 0; side < 2; side++) {
		if (blank(w->value[side]))
			return error_set(e, EINVAL,
					 "%c: in your own words what you will be asked to set, as "
					 "in: MTU %s on the switch",
					 'A' + side, side == AB_A ? "1500" : "9000");
		snprintf(c->name[side], sizeof(c->name[side]), "%s", w->value[side]);
	}
	if (strcmp(c->name[AB_A], c->name[AB_B]) == 0)
		return error_set(e, EINVAL, "A and B are the same");
	return 0;
}

int ab_wish_config(const struct ab_wish *w, struct ab_config *c, struct error *e)
{
	uint64_t pairs;

	memset(c, 0, sizeof(*c));
	int rc = units_parse_uint(w->pairs, "Pairs", 2, COMPARE_PAIRS, &pairs, e);
	if (rc == 0 && pairs % 2)
		rc = error_set(e, EINVAL, "Pairs '%s': an even number, so that drift cancels out",
			       w->pairs);
	if (rc == 0)
		rc = units_parse_duration(w->segment, &c->segment_ns, e);
	if (rc == 0 && c->segment_ns < AB_SEGMENT_LEAST)
		rc = error_set(e, EINVAL, "Segment '%s': 4s or more", w->segment);
	if (rc == 0)
		rc = units_parse_duration(w->settle, &c->settle_ns, e);
	if (rc == 0)
		rc = take_sides(w, c, e);
	if (rc)
		return rc;
	c->pairs = (unsigned)pairs;
	ab_name_sides(c);
	return 0;
}

/* --- Words. --- */

static void add_hint(struct prose *t, int cols, const struct ab_dialog *d)
{
	const char *what = d->field[ROW_WHAT].text;
	char range[128];

	switch ((enum row)d->at) {
	case ROW_WHAT:
		prose_add(
			t, cols, 0, ST_DIALOG,
			"PgUp and PgDn choose a setting that lunscope flips by itself. Empty: you "
			"are asked to set A and B, on the switch, say.");
		break;
	case ROW_A:
	case ROW_B:
		if (flip_possible(what))
			prose_add(t, cols, 0, ST_DIALOG, "%s: %s", what,
				  flip_range(range, sizeof(range), what));
		else if (!blank(what))
			prose_add(t, cols, 2, ST_BAD,
				  "! %s is no setting that lunscope can change. Above, choose one "
				  "with "
				  "PgUp or PgDn, or leave it empty and set A and B by hand.",
				  what);
		else
			prose_add(t, cols, 0, ST_DIALOG,
				  "What you will be asked to set, in your own words: MTU %s on the "
				  "switch.",
				  d->at == ROW_A ? "1500" : "9000");
		break;
	case ROW_PAIRS:
		prose_add(t, cols, 0, ST_DIALOG,
			  "Segments of each, an even number: 2 is ABBA, 4 is ABBABAAB. The more, "
			  "the smaller the differences that are found.");
		break;
	case ROW_SEGMENT:
		prose_add(t, cols, 0, ST_DIALOG, "How long each is measured, 4s or more.");
		break;
	case ROW_SETTLE:
		prose_add(t, cols, 0, ST_DIALOG,
			  "How long to wait after a change, from when IOs flow again.");
		break;
	case ROWS: break;
	}
}

static void add_length(struct prose *t, int cols, const struct ab_dialog *d)
{
	struct ab_wish w = typed(d);
	struct ab_config c;
	struct error e;
	char order[AB_STAGES_MAX + 1], span[32];

	if (ab_wish_config(&w, &c, &e))
		return;
	prose_add(t, cols, 0, ST_DIALOG, "%s: %s at least",
		  ab_row_order(order, sizeof(order), c.pairs),
		  units_span(span, sizeof(span), ab_length_ns(&c)));
}

static void add_confirm(struct prose *t, int cols, const struct ab_dialog *d)
{
	const struct ab_flip *f = &d->config.flip[0];
	char command[512];

	for (int side = 0; side < 2; side++)
		prose_add(t, cols, 4, ST_DIALOG, "%c   %s", 'A' + side,
			  flip_command(command, sizeof(command), f->words, f->value[side]));
	prose_add(t, cols, 0, ST_DIALOG,
		  "in turn, and back to what it is now at the end or when it is stopped.");
	if (d->sawing)
		prose_add(t, cols, 2, ST_BAD,
			  "! Your own ssh session comes by %.*s: it may hang or end. y begins all "
			  "the same.",
			  (int)strcspn(f->words, " "), f->words);
}

static void add_words(struct prose *t, int cols, const struct ab_dialog *d)
{
	if (d->error.text[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->error.text);
	else if (d->confirm)
		add_confirm(t, cols, d);
	else
		add_hint(t, cols, d);
	if (!d->confirm)
		add_length(t, cols, d);
}

static void draw_rows(struct canvas *c, struct rect r, const struct ab_dialog *d,
		      const struct view *v)
{
	for (int i = 0; i < ROWS; i++) {
		canvas_text(c, r, i, 0, label[i], ST_DIALOG);
		if (i < r.rows && !d->confirm)
			hot_choice(c, (struct rect){r.row + i, r.col, 1, r.cols}, HOT_FIELD,
				   i - d->at, 0);
		if (i == d->at && !d->confirm)
			field_draw(c, r, i, LABEL, r.cols - LABEL, &d->field[i]);
		else if (i == ROW_WHAT && !d->field[i].length)
			canvas_text(c, r, i, LABEL, "(set by hand)", ST_DIALOG);
		else
			text_draw(c, r, i, LABEL, r.cols - LABEL, d->field[i].text, v->g,
				  ST_DIALOG);
	}
}

static const char *hint(const struct ab_dialog *d, int cols)
{
	if (d->confirm)
		return d->sawing ? "y begin  Esc back" : "Enter begin  Esc back";
	return cols < 40 ? "Enter begin  Esc back" : "Enter begin  Up Down row  Esc back";
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct ab_dialog *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, AB_COLUMNS), top = 0;

	add_words(&t, cols, d);
	int said = t.count < SAID_ROWS ? SAID_ROWS : t.count;
	struct rect in =
		dialog_box(c, full, v, ROWS + 1 + said, cols, "A against B, in turn (ABBA)");
	draw_rows(c, in, d, v);
	struct rect below = {in.row + ROWS + 1, in.col, in.rows - ROWS - 1, in.cols};
	if (below.rows > 0)
		prose_draw(c, below, &t, &top, v->g);
	if (d->confirm) {
		c->cursor_row = in.row + ROW_WHAT;
		c->cursor_col = in.col;
	}
	dialog_hint(c, in, hint(d, in.cols));
	prose_free(&t);
}

/* --- Keys. --- */

/* The setting that was chosen: A is what it is now, and B another value where there are only so many. */
static void suggest_values(struct ab_dialog *d)
{
	const char *what = d->field[ROW_WHAT].text, *now = facts_get(d->facts, what);
	char choice[FLIP_CHOICES][FLIP_CHOICE];

	if (!now || !flip_possible(what))
		return;
	unsigned n = flip_choices(what, choice);
	field_set(&d->field[ROW_A], now);
	field_set(&d->field[ROW_B], "");
	for (unsigned i = 0; i < n; i++)
		if (strcmp(choice[i], now) != 0) {
			field_set(&d->field[ROW_B], choice[i]);
			return;
		}
}

static void next_setting(struct ab_dialog *d, int dir)
{
	const struct facts *f = d->facts;
	const char *what = d->field[ROW_WHAT].text;
	size_t n = f->count, at = dir > 0 ? n - 1 : 0;

	for (size_t i = 0; i < n; i++)
		if (strcmp(f->fact[i].words, what) == 0)
			at = i;
	for (size_t i = 0; i < n; i++) {
		at = dir > 0 ? (at + 1) % n : (at + n - 1) % n;
		/* What can't be asked for can't be set. */
		if (!flip_possible(f->fact[at].words) || f->fact[at].value[0] == '(')
			continue;
		field_set(&d->field[ROW_WHAT], f->fact[at].words);
		suggest_values(d);
		return;
	}
}

static void go_to(struct ab_dialog *d, int at)
{
	/* A setting that was typed is as good as one that was chosen. */
	if (d->at == ROW_WHAT && d->touched && blank(d->field[ROW_A].text) &&
	    blank(d->field[ROW_B].text))
		suggest_values(d);
	d->at = (at + ROWS) % ROWS;
	d->touched = false;
}

static enum dialog_result accept(struct ab_dialog *d)
{
	char nic[64];

	d->wish = typed(d);
	if (ab_wish_config(&d->wish, &d->config, &d->error))
		return DIALOG_OPEN;
	if (!d->config.flips)
		return DIALOG_DONE;
	const char *words = d->config.flip[0].words;
	snprintf(nic, sizeof(nic), "%.*s", (int)strcspn(words, " "), words);
	d->sawing = !env_is_sysctl(words) && !env_is_queue(words) && ssh_is_over(d->ssh, nic);
	d->confirm = true;
	return DIALOG_OPEN;
}

static enum dialog_result confirm_key(struct ab_dialog *d, int key)
{
	if (key == K_ESC || key == 'n')
		d->confirm = false;
	if (key == 'y' || (key == K_ENTER && !d->sawing))
		return DIALOG_DONE;
	return DIALOG_OPEN;
}

static void edit(struct ab_dialog *d, int key)
{
	struct field *f = &d->field[d->at];

	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(f, "");
	d->touched |= field_key(f, key);
}

static enum dialog_result key(void *state, int key)
{
	struct ab_dialog *d = state;

	if (d->confirm)
		return confirm_key(d, key);
	d->error.text[0] = '\0';
	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return accept(d);
	case K_UP:
	case K_BACKTAB: go_to(d, d->at - 1); break;
	case K_DOWN:
	case K_TAB: go_to(d, d->at + 1); break;
	case K_PGUP:
	case K_PGDN:
		if (d->at == ROW_WHAT)
			next_setting(d, key == K_PGUP ? -1 : 1);
		break;
	default: edit(d, key); break;
	}
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	const struct ab_dialog *d = state;

	return !d->confirm;
}

struct dialog dialog_ab(const struct ab_wish *wish, const struct facts *facts, const char *ssh)
{
	struct ab_dialog *d = calloc(1, sizeof(*d));

	if (d) {
		d->facts = facts;
		d->ssh = ssh;
		field_set(&d->field[ROW_WHAT], wish->what);
		field_set(&d->field[ROW_A], wish->value[AB_A]);
		field_set(&d->field[ROW_B], wish->value[AB_B]);
		field_set(&d->field[ROW_PAIRS], wish->pairs);
		field_set(&d->field[ROW_SEGMENT], wish->segment);
		field_set(&d->field[ROW_SETTLE], wish->settle);
		if (wish->what[0] && !wish->value[AB_A][0])
			suggest_values(d);
		/* The setting is chosen: it is the other value that is missing. */
		if (wish->what[0])
			d->at = ROW_B;
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_AB,
			       .types = types};
}

struct ab_wish ab_answer(const void *state)
{
	return ((const struct ab_dialog *)state)->wish;
}
