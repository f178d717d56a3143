/* dialog_workload.c - every setting of the workload in one list, turned and typed in place: also those
 * that have no knob on the bar. The list stays open while the figures behind it follow.
 */
#include <errno.h>
#include <stdlib.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"

#define WORKLOAD_COLUMNS 76
#define NAME_AT          2
#define VALUE_AT         15 /* the bracket; the value follows */
#define VALUE_COLUMNS    11
#define HELP_LEAST       24 /* where there is less room, help stands below the list */

struct settings {
	struct workload_desk desk;
	int at, top;
	bool typing, touched; /* the first character typed replaces the old value */
	struct field field;
	struct error said;
	bool bad; /* what is said is a refusal */
};

/* --- Drawing --- */

/* Where the help begins in a row whose value has this width. */
static int help_at(int value)
{
	return VALUE_AT + (value > VALUE_COLUMNS ? value : VALUE_COLUMNS) + 4;
}

/* A field for long values has the whole row; what to type stands below then. */
static int typing_columns(int cols, enum setting s)
{
	int whole = cols - VALUE_AT - 2;

	return setting_is_long(s) && whole > VALUE_COLUMNS ? whole : VALUE_COLUMNS;
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct settings *d,
		     enum setting s, const struct view *v)
{
	const struct workload now = d->desk.now(d->desk.ctx);
	const struct setting_info info = setting_info(s);
	bool chosen = (int)s == d->at, typing = chosen && d->typing;
	enum style style = chosen ? ST_SELECTED : ST_DIALOG;
	char value[32];

	if (setting_gives_way(&now, s))
		snprintf(value, sizeof(value), "by line");
	else
		setting_brief(value, sizeof(value), &now, s);
	int width = canvas_width(value);
	if (typing)
		width = typing_columns(r.cols, s);
	int right = help_at(width) - 3, help = r.cols - help_at(width);

	canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', style);
	hot_choice(c, (struct rect){r.row + row, r.col, row < r.rows && !d->typing, r.cols},
		   HOT_ROW, (int)s - d->at, 0);
	canvas_text(c, r, row, NAME_AT, info.name, style);
	canvas_text_right(c, r, row, right, value, style);
	if (help >= HELP_LEAST)
		text_draw(c, r, row, help_at(width), help, typing ? info.example : info.help, v->g,
			  style);
	if (!chosen)
		return;
	canvas_put(c, r, row, 0, v->g->cursor, style);
	canvas_put(c, r, row, typing ? VALUE_AT : right - width - 1, '<', style);
	canvas_put(c, r, row, right, '>', style);
	c->cursor_row = r.row + row;
	c->cursor_col = r.col;
	if (typing)
		field_draw(c, r, row, VALUE_AT + 1, width, &d->field);
}

static void draw_list(struct canvas *c, struct rect r, struct settings *d, const struct view *v)
{
	/* A blank row after the knobs, where all fits. */
	int gap = r.rows > SETTING_COUNT;

	if (d->top > SETTING_COUNT - r.rows)
		d->top = SETTING_COUNT - r.rows;
	if (d->at >= d->top + r.rows)
		d->top = d->at - r.rows + 1;
	if (d->at < d->top)
		d->top = d->at;
	if (d->top < 0)
		d->top = 0;
	for (int s = d->top; s < SETTING_COUNT && s - d->top < r.rows; s++)
		draw_row(c, r, s - d->top + (s < KNOB_COUNT ? 0 : gap), d, (enum setting)s, v);
	if (d->top > 0)
		canvas_put(c, r, 0, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + r.rows < SETTING_COUNT)
		canvas_put(c, r, r.rows - 1, r.cols - 1, v->g->down, ST_DIALOG);
}

/* What the settings come to on this target. */
static void add_facts(struct prose *t, int cols, const struct settings *d)
{
	const struct workload w = d->desk.now(d->desk.ctx);
	const struct workload_limits l = d->desk.limits(d->desk.ctx);
	uint64_t start, length, part_start, part;
	char size[32], from[32], where[48] = "the whole target", share[80] = "", align[32];

	workload_range(&w, &l, &start, &length);
	workload_part(&w, &l, 0, &part_start, &part);
	if (length < l.target_size)
		snprintf(where, sizeof(where), "from %s on",
			 units_size_exact(from, sizeof(from), start));
	if (w.workers > 1 && w.share_range)
		snprintf(share, sizeof(share), ", all of it for each of %u workers", w.workers);
	else if (w.workers > 1)
		snprintf(share, sizeof(share), ", %s for each of %u workers",
			 units_size(size, sizeof(size), part), w.workers);
	if (w.access.count)
		snprintf(align, sizeof(align), "their line's size or align");
	else
		units_size_exact(align, sizeof(align), workload_align(&w));
	prose_add(t, cols, 0, ST_DIALOG, "In use: %s, %s%s. Offsets are multiples of %s.",
		  units_size(size, sizeof(size), length), where, share, align);
}

static void add_words(struct prose *t, int cols, const struct settings *d)
{
	const struct setting_info info = setting_info((enum setting)d->at);

	if (d->said.text[0])
		prose_add(t, cols, 2, d->bad ? ST_BAD : ST_DIALOG, "%s%s", d->bad ? "! " : "",
			  d->said.text);
	else if (cols - help_at(0) < HELP_LEAST ||
		 (d->typing && setting_is_long((enum setting)d->at)))
		prose_add(t, cols, 0, ST_DIALOG, "%s", d->typing ? info.example : info.help);
	else
		add_facts(t, cols, d);
}

static const char *hint(const struct settings *d, int cols, char out[80])
{
	if (d->typing)
		return "Enter sets it  Esc leaves it";
	if (cols < 66)
		return "Arrows  Enter type  Esc back";
	snprintf(out, 80, "Up Down choose  Left Right step  Enter type  %s undo  Esc back",
		 action_key(ACT_UNDO));
	return out;
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct settings *d = state;
	struct prose words = {0};
	int cols = dialog_columns(full, WORKLOAD_COLUMNS), top = 0;
	char keys[80];

	add_words(&words, cols, d);
	/* Room for two lines of words always, so that the box doesn't jump about. */
	int said = words.count < 2 ? 2 : words.count;
	struct rect in = dialog_box(c, full, v, SETTING_COUNT + 2 + said, cols, "Workload");
	int spare = in.rows - said - SETTING_COUNT;
	int rows = in.rows - said - (spare >= 1 ? 1 : 0);

	if (rows < 1) {
		rows = in.rows;
		said = 0;
	}
	draw_list(c, (struct rect){in.row, in.col, rows, in.cols}, d, v);
	if (said)
		prose_draw(c, (struct rect){in.row + in.rows - said, in.col, said, in.cols}, &words,
			   &top, v->g);
	dialog_hint(c, in, hint(d, in.cols, keys));
	prose_free(&words);
}

/* --- Keys --- */

static bool apply(struct settings *d, const struct workload *w)
{
	bool done = d->desk.apply(d->desk.ctx, w, &d->said) == 0;

	if (done)
		d->said.text[0] = '\0';
	d->bad = !done;
	return done;
}

static void step(struct settings *d, int dir, bool big)
{
	struct workload w = d->desk.now(d->desk.ctx);
	const struct workload_limits l = d->desk.limits(d->desk.ctx);

	if (setting_step(&w, (enum setting)d->at, dir, big, &l, &d->said))
		d->bad = false;
	else
		apply(d, &w);
}

static void undo(struct settings *d)
{
	int rc = d->desk.undo(d->desk.ctx, &d->said);

	if (rc == 0)
		d->said.text[0] = '\0';
	d->bad = rc != -ENOENT;
}

static void open_field(struct settings *d)
{
	const struct workload now = d->desk.now(d->desk.ctx);
	char value[SETTING_LONG];

	if (setting_check_way(&now, (enum setting)d->at, &d->said)) {
		d->bad = false;
		return;
	}
	/* Two words are not worth typing. */
	if (setting_is_words((enum setting)d->at)) {
		step(d, 1, false);
		return;
	}
	d->typing = true;
	d->touched = false;
	field_set(&d->field, setting_format(value, sizeof(value), &now, (enum setting)d->at));
}

static void accept(struct settings *d)
{
	struct workload w = d->desk.now(d->desk.ctx);

	if (setting_parse(&w, (enum setting)d->at, d->field.text, &d->said))
		d->bad = true;
	else if (apply(d, &w))
		d->typing = false;
}

static void typing_key(struct settings *d, int key)
{
	if (key == K_ENTER) {
		accept(d);
		return;
	}
	if (key == K_ESC) {
		d->typing = false;
		d->said.text[0] = '\0';
		return;
	}
	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(&d->field, "");
	if (field_key(&d->field, key)) {
		d->touched = true;
		d->said.text[0] = '\0';
	}
}

static enum dialog_result list_key(struct settings *d, int key)
{
	const int last = SETTING_COUNT - 1;

	switch (key) {
	case K_ESC:
	case 'q': return DIALOG_CANCELLED;
	case K_UP: d->at = d->at > 0 ? d->at - 1 : 0; return DIALOG_OPEN;
	case K_DOWN: d->at = d->at < last ? d->at + 1 : last; return DIALOG_OPEN;
	case K_HOME: d->at = 0; return DIALOG_OPEN;
	case K_END: d->at = last; return DIALOG_OPEN;
	case K_LEFT: step(d, -1, false); return DIALOG_OPEN;
	case K_RIGHT: step(d, 1, false); return DIALOG_OPEN;
	case K_PGUP: step(d, 1, true); return DIALOG_OPEN;
	case K_PGDN: step(d, -1, true); return DIALOG_OPEN;
	case K_ENTER: open_field(d); return DIALOG_OPEN;
	}
	switch (action_of_key(key)) {
	case ACT_LESS: step(d, -1, false); return DIALOG_OPEN;
	case ACT_MORE: step(d, 1, false); return DIALOG_OPEN;
	case ACT_UNDO: undo(d); return DIALOG_OPEN;
	case ACT_WORKLOAD: return DIALOG_CANCELLED;
	default: break;
	}
	if (key >= '0' && key <= '9' && !setting_is_words((enum setting)d->at)) {
		open_field(d);
		if (d->typing)
			typing_key(d, key);
	}
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct settings *d = state;

	if (d->typing) {
		typing_key(d, key);
		return DIALOG_OPEN;
	}
	d->said.text[0] = '\0';
	return list_key(d, key);
}

static bool types(const void *state)
{
	const struct settings *d = state;

	return d->typing;
}

struct dialog dialog_workload(const struct workload_desk *desk, enum setting at)
{
	struct settings *d = calloc(1, sizeof(*d));

	if (d) {
		d->desk = *desk;
		d->at = (int)at;
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_WORKLOAD,
			       .types = types};
}
