/* dialog_setup.c - the setup screen: one list of everything that can be chosen of the screen, from the
 * theme to the keys. What is turned is seen at once behind it; only w writes it down.
 */
#include <limits.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"

#define SETUP_COLS   92
#define NAME_COLUMNS 17

enum {
	ROW_THEME,
	ROW_GLYPHS,
	ROW_COLOUR,
	ROW_UNITS,
	ROW_FPS,
	ROW_KERNEL,
	ROW_MOUSE,
	ROW_FOOTER,
	ROW_PANES
};
#define ROW_KEYS (ROW_PANES + PANE_COUNT)
#define ROWS     (ROW_KEYS + ACT_COUNT - 1)

struct setting_up {
	struct setup_desk desk;
	int at, top, page;
	bool pressing; /* the next key is one for the chosen action */
	bool others;   /* it was said that the file is somebody else's */
	bool bad;
	char said[PATH_MAX + 64];
};

/* --- What is in a row. --- */

static enum pane_id pane_of(const struct setup *s, int row)
{
	return s->plan.order[row - ROW_PANES];
}

static enum action action_of(int row)
{
	return (enum action)(row - ROW_KEYS + 1);
}

static void row_name(int row, char out[32])
{
	static const char *const name[] = {"theme",    "characters", "colour", "units",
					   "frames/s", "kernel",     "mouse",  "footer"};

	if (row < ROW_PANES)
		snprintf(out, 32, "%s", name[row]);
	else if (row < ROW_KEYS)
		snprintf(out, 32, "pane %d", row - ROW_PANES + 1);
	else
		action_name(action_of(row), out);
}

static void pane_value(const struct setup *s, int row, char *out, size_t n)
{
	static const char *const size[] = {"small", "usual size", "large"};
	enum pane_id p = pane_of(s, row);
	bool hidden = s->plan.hidden & 1u << p;

	snprintf(out, n, "[%c] %-11s %s", hidden ? ' ' : 'x', panes[p].title,
		 hidden ? "hidden" : size[s->plan.size[p] + 1]);
}

static void keys_value(const struct setup *s, int row, char *out, size_t n)
{
	char name[8], keys[64] = "";

	for (const int *k = s->keys.key[action_of(row)]; *k; k++)
		units_append(keys, sizeof(keys), "%s ", action_key_name(*k, name));
	snprintf(out, n, "%-12s %s", keys, actions[action_of(row)].help);
}

static void row_value(const struct setup *s, int row, char *out, size_t n)
{
	static const char *const colour[] = {"as the terminal can (NO_COLOR: none)", "always",
					     "never"};
	static const char *const footer[] = {"F-keys where the terminal has them", "F-keys",
					     "letters"};

	switch (row) {
	case ROW_THEME: snprintf(out, n, "< %s >", s->theme); break;
	case ROW_GLYPHS:
		snprintf(out, n, "< %s >",
			 s->level < GL_COUNT ? glyph_table[s->level].name
					     : "what the terminal can");
		break;
	case ROW_COLOUR: snprintf(out, n, "< %s >", colour[s->colour]); break;
	case ROW_UNITS: snprintf(out, n, "< %s >", s->unit == RATE_MIB ? "MiB/s" : "MB/s"); break;
	case ROW_FPS: snprintf(out, n, "< %g >", s->fps); break;
	case ROW_KERNEL:
		snprintf(out, n, "< %s >",
			 s->quiet_kernel ? "its messages stay off the console (root)"
					 : "its messages may come over the screen (^L)");
		break;
	case ROW_MOUSE:
		snprintf(out, n, "< %s >", s->mouse ? "on: Shift selects text" : "off");
		break;
	case ROW_FOOTER: snprintf(out, n, "< %s >", footer[s->footer]); break;
	default:
		if (row < ROW_KEYS)
			pane_value(s, row, out, n);
		else
			keys_value(s, row, out, n);
	}
}

/* --- Drawing. --- */

static const char *hint(const struct setting_up *d)
{
	return d->pressing         ? "press the key  Esc none"
	       : d->at < ROW_PANES ? "Left Right change  Enter keeps  w saves  Esc back"
	       : d->at < ROW_KEYS  ? "Space show  Left Right size  - + move  w saves  Esc back"
				   : "Enter a key more  Del as usual  w saves  Esc back";
}

static void scroll_to(struct setting_up *d, int rows)
{
	d->page = rows > 1 ? rows : 1;
	if (d->at < d->top)
		d->top = d->at;
	if (d->at >= d->top + d->page)
		d->top = d->at - d->page + 1;
	if (d->top > ROWS - d->page)
		d->top = ROWS > d->page ? ROWS - d->page : 0;
}

static void draw_row(struct canvas *c, struct rect in, int line, int row, bool chosen,
		     const struct setup *s, const struct view *v)
{
	enum style style = chosen ? ST_SELECTED : ST_DIALOG;
	char name[32], value[256];

	row_name(row, name);
	row_value(s, row, value, sizeof(value));
	if (chosen)
		canvas_fill(c, (struct rect){in.row + line, in.col, 1, in.cols - 1}, ' ', style);
	text_draw(c, in, line, 1, NAME_COLUMNS - 1, name, v->g, style);
	text_draw(c, in, line, NAME_COLUMNS + 1, in.cols - NAME_COLUMNS - 2, value, v->g, style);
	if (chosen) {
		canvas_put(c, in, line, 0, v->g->cursor, style);
		c->cursor_row = in.row + line;
		c->cursor_col = in.col;
	}
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct setting_up *d = state;
	const struct setup *s = d->desk.now(d->desk.ctx);
	int cols = dialog_columns(full, SETUP_COLS), rows = full.rows * 2 / 3;

	/* At the bottom, so that what changes is seen above it. */
	rows = rows < 12 ? full.rows - 3 : rows - 3;
	struct rect in = dialog_box_at(c, full, v, full.rows, (full.cols - cols - 4) / 2,
				       rows > ROWS + 1 ? ROWS + 1 : rows, cols, "Setup");
	struct prose t = {0};
	int zero = 0;
	if (d->said[0])
		prose_add(&t, in.cols - 1, 2, d->bad ? ST_BAD : ST_VALUE, "%s", d->said);
	/* The words before the list: a reason cut short is none. */
	int told = t.count < in.rows ? t.count : in.rows - 1;
	int lines = in.rows - told;
	scroll_to(d, lines);
	for (int i = 0; i < lines && d->top + i < ROWS; i++) {
		draw_row(c, in, i, d->top + i, d->top + i == d->at, s, v);
		hot_choice(c, (struct rect){in.row + i, in.col, !d->pressing, in.cols}, HOT_FIELD,
			   d->top + i - d->at, 0);
	}
	if (d->top > 0)
		canvas_put(c, in, 0, in.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + lines < ROWS)
		canvas_put(c, in, lines - 1, in.cols - 1, v->g->down, ST_DIALOG);
	if (told > 0)
		prose_draw(c, (struct rect){in.row + lines, in.col, told, in.cols}, &t, &zero,
			   v->g);
	prose_free(&t);
	dialog_hint(c, in, hint(d));
}

/* --- Changing. --- */

static void say(struct setting_up *d, bool bad, const char *words)
{
	d->bad = bad;
	snprintf(d->said, sizeof(d->said), "%s%s", bad ? "! " : "", words);
}

static void try_it(struct setting_up *d, const struct setup *s)
{
	struct error e;

	if (d->desk.apply(d->desk.ctx, s, &e))
		say(d, true, e.text);
}

/* A theme that doesn't load is said, and can be passed by going on. */
static void turn_theme(struct setup *s, int dir)
{
	char **names;
	int n = theme_list(&names), at = 0;

	for (int i = 0; i < n; i++)
		if (strcmp(names[i], s->theme) == 0)
			at = i;
	if (n)
		snprintf(s->theme, sizeof(s->theme), "%s", names[(at + dir + n) % n]);
	for (int i = 0; i < n; i++)
		free(names[i]);
	free(names);
}

static void turn_glyphs(const struct setting_up *d, struct setup *s, int dir)
{
	int level = s->level;

	do
		level = (level + dir + GL_COUNT + 1) % (GL_COUNT + 1);
	while (level < GL_COUNT && !d->desk.can_show(d->desk.ctx, (enum glyph_level)level));
	s->level = (enum glyph_level)level;
}

static void turn_fps(struct setup *s, int dir)
{
	s->fps += dir;
	s->fps = s->fps < 1 ? 1 : s->fps > 20 ? 20 : s->fps;
}

static void turn_size(struct setup *s, int row, int dir)
{
	enum pane_id p = pane_of(s, row);
	int size = s->plan.size[p] + dir;

	s->plan.size[p] = (signed char)(size < PANE_SMALL   ? PANE_SMALL
					: size > PANE_LARGE ? PANE_LARGE
							    : size);
}

static void turn(struct setting_up *d, int dir)
{
	struct setup s = *d->desk.now(d->desk.ctx);

	switch (d->at) {
	case ROW_THEME: turn_theme(&s, dir); break;
	case ROW_GLYPHS: turn_glyphs(d, &s, dir); break;
	case ROW_COLOUR: s.colour = (enum colour_mode)(((int)s.colour + dir + 3) % 3); break;
	case ROW_UNITS: s.unit = s.unit == RATE_MIB ? RATE_MB : RATE_MIB; break;
	case ROW_FPS: turn_fps(&s, dir); break;
	case ROW_KERNEL: s.quiet_kernel = !s.quiet_kernel; break;
	case ROW_MOUSE: s.mouse = !s.mouse; break;
	case ROW_FOOTER: s.footer = (enum footer_keys)(((int)s.footer + dir + 3) % 3); break;
	default:
		if (d->at >= ROW_KEYS)
			return;
		turn_size(&s, d->at, dir);
	}
	try_it(d, &s);
}

static void toggle_pane(struct setting_up *d)
{
	struct setup s = *d->desk.now(d->desk.ctx);

	s.plan.hidden ^= 1u << pane_of(&s, d->at);
	if (s.plan.hidden == (1u << PANE_COUNT) - 1)
		say(d, true, "One pane at least stays.");
	else
		try_it(d, &s);
}

static void move_pane(struct setting_up *d, int dir)
{
	struct setup s = *d->desk.now(d->desk.ctx);
	int at = d->at - ROW_PANES, to = at + dir;

	if (to < 0 || to >= PANE_COUNT)
		return;
	enum pane_id p = s.plan.order[at];
	s.plan.order[at] = s.plan.order[to];
	s.plan.order[to] = p;
	d->at += dir;
	try_it(d, &s);
}

/* The newest is the first: the footer shows it. */
static void add_key(struct setting_up *d, int key)
{
	struct setup s = *d->desk.now(d->desk.ctx);
	enum action a = action_of(d->at);
	char name[8], words[120];
	int *list = s.keys.key[a], n = 0;

	action_key_name(key, name);
	if (key <= 0 || (key > 126 && key < ACTION_FKEY(1)) || key > ACTION_FKEY(20) ||
	    action_key_of_name(name) != key) {
		say(d, true, "That key can't be taken: characters and F1 to F20 can.");
		return;
	}
	if (setup_key_trouble(&s, a, key, words)) {
		say(d, true, words);
		return;
	}
	while (list[n] && list[n] != key)
		n++;
	if (n > ACTION_KEYS - 2)
		n = ACTION_KEYS - 2;
	memmove(list + 1, list, (size_t)n * sizeof(*list));
	list[0] = key;
	try_it(d, &s);
}

/* Its usual keys, and those alone. */
static void usual_keys(struct setting_up *d)
{
	struct setup s = *d->desk.now(d->desk.ctx);
	const struct key_map usual = action_map_usual();
	enum action a = action_of(d->at);
	char words[120];

	for (const int *k = usual.key[a]; *k; k++)
		if (setup_key_trouble(&s, a, *k, words)) {
			say(d, true, words);
			return;
		}
	memcpy(s.keys.key[a], usual.key[a], sizeof(usual.key[a]));
	try_it(d, &s);
}

/* Root's run may have the home of who called sudo: that is asked about. */
static void save(struct setting_up *d)
{
	char path[PATH_MAX], words[PATH_MAX + 32];
	struct error e;
	int rc = d->desk.save(d->desk.ctx, d->others, path, &e);

	if (rc == -EPERM && !d->others) {
		d->others = true;
		snprintf(words, sizeof(words), "%.400s: w again saves it there, as theirs", e.text);
		say(d, true, words);
		return;
	}
	d->others = false;
	if (rc) {
		say(d, true, e.text);
		return;
	}
	d->desk.saved(d->desk.ctx);
	snprintf(words, sizeof(words), "Saved in %s", path);
	say(d, false, words);
}

/* --- Keys. --- */

static bool move(struct setting_up *d, int key)
{
	switch (key) {
	case K_UP: d->at--; break;
	case K_DOWN: d->at++; break;
	case K_PGUP: d->at -= d->page; break;
	case K_PGDN: d->at += d->page; break;
	case K_HOME: d->at = 0; break;
	case K_END: d->at = ROWS - 1; break;
	default: return false;
	}
	d->at = d->at < 0 ? 0 : d->at >= ROWS ? ROWS - 1 : d->at;
	return true;
}

static void pane_key(struct setting_up *d, int key)
{
	if (key == ' ')
		toggle_pane(d);
	else if (key == '-' || key == '+')
		move_pane(d, key == '-' ? -1 : 1);
}

static enum dialog_result key(void *state, int key)
{
	struct setting_up *d = state;

	d->said[0] = '\0';
	if (d->pressing) {
		d->pressing = false;
		if (key != K_ESC)
			add_key(d, key);
		return DIALOG_OPEN;
	}
	if (key == 'w' || key == ACTION_FKEY(12)) {
		save(d);
		return DIALOG_OPEN;
	}
	d->others = false;
	if (move(d, key))
		return DIALOG_OPEN;
	if (key == K_ESC || key == 'q')
		return DIALOG_CANCELLED;
	if (key == K_LEFT || key == K_RIGHT)
		turn(d, key == K_LEFT ? -1 : 1);
	else if (key == K_ENTER && d->at < ROW_KEYS)
		return DIALOG_DONE;
	else if (key == K_ENTER)
		d->pressing = true;
	else if (key == K_DELETE && d->at >= ROW_KEYS)
		usual_keys(d);
	else if (d->at >= ROW_PANES && d->at < ROW_KEYS)
		pane_key(d, key);
	return DIALOG_OPEN;
}

/* A key that is pressed for an action goes nowhere else, whatever it is. */
static bool types(const void *state)
{
	return ((const struct setting_up *)state)->pressing;
}

struct dialog dialog_setup(const struct setup_desk *desk)
{
	struct setting_up *d = calloc(1, sizeof(*d));

	if (d)
		d->desk = *desk;
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_SETUP,
			       .types = types};
}
