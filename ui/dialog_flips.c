/* dialog_flips.c - the bench knobs: MTU, pause, offloads, sysctls, queues. Enter asks for another value and
 * then, with the command that does the same, whether it is meant; so do u and U, which put back. What the kernel
 * has to be asked for comes later, so that the screen never stands still. The figures stay in sight above.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "bench_rows.h"
#include "bench_words.h"
#include "dialogs.h"
#include "env/files.h"
#include "flip/flip.h"
#include "key.h"
#include "pane_util.h"
#include "prose.h"

#define TOP_ROWS      3
#define FLIPS_COLUMNS 100
#define VALUE_AT      33 /* behind the longest name and its star */
#define SAID_ROWS     4

enum step { LIST, VALUE, CONFIRM, BACK };
enum back { ONE, FORCED, ALL };

struct flips_dialog {
	struct bench_desk desk;
	enum step step;
	char at[FACT_WORDS]; /* the chosen row's words */
	int top, page;
	char choice[FLIP_CHOICES][FLIP_CHOICE];
	unsigned choices, chosen;
	struct field field;
	bool touched; /* the first character typed replaces the old value */
	char range[128];
	char value[FACT_VALUE]; /* what is to be confirmed */
	enum back back;
	bool asked;      /* the answer to a question is awaited */
	bool known;      /* choices or range are there */
	char sawing[16]; /* the NIC that has the operator's own ssh session, if that is meant; "" */
};

/* --- The list. --- */

static int row_of(const struct bench_rows *rows, const char *words)
{
	int first = -1;

	for (int i = 0; i < rows->count; i++) {
		if (!rows->row[i].fact)
			continue;
		if (strcmp(rows->row[i].fact->words, words) == 0)
			return i;
		if (first < 0)
			first = i;
	}
	return first;
}

static void choose(struct flips_dialog *d, const struct bench_rows *rows, int at, int dir)
{
	while (at >= 0 && at < rows->count && !rows->row[at].fact)
		at += dir;
	if (at >= 0 && at < rows->count)
		memcpy(d->at, rows->row[at].fact->words, sizeof(d->at));
}

/* What it was before its first change that is in force; NULL: it was not changed. */
static const char *was(const struct bench_view *b, const char *words)
{
	for (unsigned i = 0; i < b->count; i++)
		if (!b->changed[i].stale && strcmp(b->changed[i].words, words) == 0)
			return b->changed[i].from;
	return NULL;
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct bench_row *b,
		     const char *before, bool chosen, const struct view *v)
{
	enum style style = chosen ? ST_SELECTED : ST_DIALOG;
	char text[2 * FACT_VALUE + 32];
	int at = r.cols > VALUE_AT + 24 ? VALUE_AT : r.cols / 2;

	if (!b->fact) {
		canvas_text(c, r, row, 0, b->text, ST_DIALOG_TITLE);
		return;
	}
	canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', style);
	/* Sysctls have long names, of which the end matters. */
	const char *name = strncmp(b->text, "net.", 4) == 0 && at < 34 ? b->text + 4 : b->text;
	/* The star of a changed one stands between. */
	text_draw(c, r, row, 2, at - (before ? 5 : 3), name, v->g, style);
	if (before)
		snprintf(text, sizeof(text), "%s   (was %s)", b->fact->value, before);
	else
		snprintf(text, sizeof(text), "%s", b->fact->value);
	text_draw(c, r, row, at, r.cols - at - 1, text, v->g, style);
	if (before)
		canvas_put(c, r, row, at - 2, '*', style);
	if (!chosen)
		return;
	canvas_put(c, r, row, 0, v->g->cursor, style);
	c->cursor_row = r.row + row;
	c->cursor_col = r.col;
}

/* Down from one row to another, past headings. */
static int steps_to(const struct bench_rows *rows, int from, int to)
{
	int steps = 0;

	for (int i = from; i < to; i++)
		steps += rows->row[i + 1].fact != NULL;
	for (int i = from; i > to; i--)
		steps -= rows->row[i - 1].fact != NULL;
	return steps;
}

static void draw_list(struct canvas *c, struct rect r, struct flips_dialog *d,
		      const struct bench_view *b, const struct view *v)
{
	struct bench_rows rows = bench_rows(&b->facts);
	int at = row_of(&rows, d->at);

	d->page = r.rows > 1 ? r.rows - 1 : 1;
	/* With its heading, where it is the first below it. */
	int from = at > 0 && !rows.row[at - 1].fact ? at - 1 : at;
	if (d->top > from)
		d->top = from;
	if (at >= d->top + r.rows)
		d->top = at - r.rows + 1;
	if (d->top > rows.count - r.rows)
		d->top = rows.count - r.rows;
	if (d->top < 0)
		d->top = 0;
	for (int i = d->top; i < rows.count && i - d->top < r.rows; i++) {
		if (rows.row[i].fact && d->step == LIST)
			hot_choice(c, (struct rect){r.row + i - d->top, r.col, 1, r.cols}, HOT_ROW,
				   steps_to(&rows, at, i), 0);
		draw_row(c, r, i - d->top, &rows.row[i],
			 rows.row[i].fact ? was(b, rows.row[i].fact->words) : NULL, i == at, v);
	}
	if (d->top > 0)
		canvas_put(c, r, 0, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + r.rows < rows.count)
		canvas_put(c, r, r.rows - 1, r.cols - 1, v->g->down, ST_DIALOG);
	bench_rows_free(&rows);
}

/* --- Words. --- */

static void add_words(struct prose *t, int cols, const struct flips_dialog *d,
		      const struct bench_view *b)
{
	if (b->said.text[0])
		prose_add(t, cols, 2, b->bad ? ST_BAD : ST_DIALOG, "%s%s", b->bad ? "! " : "",
			  b->said.text);
	if (d->step == CONFIRM)
		bench_words_change(t, cols, b, d->at, d->value, d->sawing);
	else if (d->step == BACK)
		bench_words_back(t, cols, b, d->back == ALL ? NULL : d->at, d->back == FORCED,
				 d->sawing);
	else if (d->step == VALUE)
		prose_add(t, cols, 2, ST_DIALOG,
			  d->choices ? "%s: Left and Right choose" : "%s: %s", d->at,
			  d->known ? d->range : "the kernel is asked what it can be");
	else if (!b->said.text[0])
		prose_add(t, cols, 2, ST_DIALOG,
			  b->count
				  ? "* changed by lunscope, which puts it back at the end if you "
				    "agree; after a crash lunscope restore does."
				  : "What you change here is written down first, and can be undone "
				    "at any time.");
}

static const char *hint(const struct flips_dialog *d, int cols, char out[80])
{
	if (d->asked)
		return "Waiting for the kernel  Esc back";
	switch (d->step) {
	case VALUE: return "Enter goes on  Esc back";
	case CONFIRM:
		return d->sawing[0] ? "y make the change  Esc back"
				    : "Enter make the change  Esc back";
	case BACK: return d->sawing[0] ? "y put back  Esc back" : "Enter put back  Esc back";
	case LIST: break;
	}
	snprintf(out, 80,
		 cols < 72 ? "Enter change  %s ABBA  u U undo  Esc"
			   : "Enter change  %s ABBA  u undo  U all  F by force  Esc back",
		 action_key(ACT_AB));
	return out;
}

/* The value that is being asked for, on the last row. */
static void draw_value(struct canvas *c, struct rect r, const struct flips_dialog *d)
{
	int col = 2;

	if (!d->choices) {
		field_draw(c, r, r.rows - 1, 0, r.cols < 40 ? r.cols : 40, &d->field);
		return;
	}
	for (unsigned i = 0; i < d->choices; i++) {
		bool is = i == d->chosen;
		hot_choice(c,
			   (struct rect){r.row + r.rows - 1, r.col + col - 1, 1,
					 canvas_width(d->choice[i]) + 2},
			   HOT_FIELD, 0, (int)i - (int)d->chosen);
		if (is) {
			c->cursor_row = r.row + r.rows - 1;
			c->cursor_col = r.col + col - 1;
		}
		canvas_printf(c, r, r.rows - 1, col - 1, is ? ST_SELECTED : ST_DIALOG,
			      is ? "<%s>" : " %s ", d->choice[i]);
		col += canvas_width(d->choice[i]) + 3;
	}
}

/* --- Answers. --- */

static void say(struct bench_view *b, bool bad, const char *words)
{
	b->bad = bad;
	error_set(&b->said, 0, "%s", words);
}

static void take_values(struct flips_dialog *d, const struct bench_view *b)
{
	const struct bench_answer *a = b->answer;
	const char *now = facts_get(&b->facts, d->at);

	memcpy(d->choice, a->choice, sizeof(d->choice));
	memcpy(d->range, a->range, sizeof(d->range));
	d->choices = a->choices;
	d->chosen = 0;
	d->known = true;
	/* Another one than now. */
	for (unsigned i = 0; i < d->choices; i++)
		if (now && strcmp(d->choice[i], now) == 0)
			d->chosen = (i + 1) % d->choices;
}

static void take_check(struct flips_dialog *d, struct bench_view *b)
{
	const struct bench_answer *a = b->answer;
	const char *now = facts_get(&b->facts, d->at);
	char words[FACT_WORDS + FACT_VALUE + 32];

	if (a->rc) {
		b->bad = true;
		b->said = a->why;
		return;
	}
	memcpy(d->value, a->value, sizeof(d->value));
	if (now && strcmp(now, d->value) == 0) {
		snprintf(words, sizeof(words), "%s is %s already.", d->at, now);
		say(b, false, words);
		return;
	}
	d->step = CONFIRM;
}

/* What was asked for depends on where we are. */
static void take_answer(struct flips_dialog *d, struct bench_view *b)
{
	if (!d->asked || !b->answer)
		return;
	d->asked = false;
	memcpy(d->sawing, b->answer->sawing, sizeof(d->sawing));
	switch (d->step) {
	case LIST: d->step = BACK; break;
	case VALUE:
		if (d->known)
			take_check(d, b);
		else
			take_values(d, b);
		break;
	case CONFIRM:
	case BACK: break;
	}
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct flips_dialog *d = state;
	struct bench_view *b = d->desk.look(d->desk.ctx);
	int cols = dialog_columns(full, FLIPS_COLUMNS), top = 0;
	struct prose words = {0};
	char keys[80];

	take_answer(d, b);
	struct bench_rows rows = bench_rows(&b->facts);
	add_words(&words, cols, d, b);
	/* As many rows of words always, so that the box doesn't jump about. */
	int said = words.count + (d->step == VALUE);
	said = said < SAID_ROWS ? SAID_ROWS : said;
	int height = rows.count + 1 + said, most = full.rows - TOP_ROWS - 2;
	bench_rows_free(&rows);
	/* Where that leaves too little of the list, it is worth more than the figures. */
	if (height > most && most >= said + 6)
		height = most;
	struct rect in = dialog_box_at(c, full, v, TOP_ROWS, (full.cols - cols - 4) / 2, height,
				       cols, "Bench knobs");
	if (said > in.rows - 2)
		said = in.rows - 2;
	if (said < 0) {
		prose_free(&words);
		return;
	}
	struct rect below = {in.row + in.rows - said, in.col, said, in.cols};
	draw_list(c, (struct rect){in.row, in.col, in.rows - said - 1, in.cols}, d, b, v);
	prose_draw(c, below, &words, &top, v->g);
	if (d->step == VALUE)
		draw_value(c, below, d);
	dialog_hint(c, in, hint(d, in.cols, keys));
	prose_free(&words);
}

/* --- Keys. --- */

static void ask(struct flips_dialog *d, enum bench_question what, const char *words,
		const char *value)
{
	d->asked = true;
	d->desk.ask(d->desk.ctx, what, words, value);
}

static void only_read(const struct flips_dialog *d, struct bench_view *b)
{
	char words[FACT_WORDS + 32];

	snprintf(words, sizeof(words), "%s can only be read.", d->at);
	say(b, false, words);
}

static void ask_in_turn(struct flips_dialog *d, struct bench_view *b)
{
	if (flip_possible(d->at))
		d->desk.in_turn(d->desk.ctx, d->at);
	else
		only_read(d, b);
}

static void ask_value(struct flips_dialog *d, struct bench_view *b)
{
	const char *now = facts_get(&b->facts, d->at);
	char words[FACT_WORDS + FACT_VALUE + 32];

	if (!now)
		return;
	if (now[0] == '(') {
		snprintf(words, sizeof(words), "%s: %s", d->at, now);
		say(b, true, words);
		return;
	}
	if (!flip_possible(d->at)) {
		only_read(d, b);
		return;
	}
	d->choices = 0;
	d->known = false;
	ask(d, BENCH_VALUES, d->at, NULL);
	field_set(&d->field, now);
	d->touched = false;
	d->step = VALUE;
}

/* While the kernel is asked what a setting can be, what it shall be can be typed already. */
static void value_key(struct flips_dialog *d, int key)
{
	if (key == K_ESC) {
		d->step = LIST;
		d->asked = false;
		return;
	}
	if (d->asked && (d->known || key == K_ENTER))
		return;
	if (key == K_ENTER) {
		ask(d, BENCH_CHECK, d->at, d->choices ? d->choice[d->chosen] : d->field.text);
		return;
	}
	if (d->choices) {
		if (key == K_LEFT || key == K_UP || key == K_BACKTAB)
			d->chosen = (d->chosen + d->choices - 1) % d->choices;
		else if (key == K_RIGHT || key == K_DOWN || key == K_TAB || key == ' ')
			d->chosen = (d->chosen + 1) % d->choices;
		return;
	}
	if (!d->touched && key >= ' ' && key < 0x7f)
		field_set(&d->field, "");
	if (field_key(&d->field, key))
		d->touched = true;
}

static void confirm_key(struct flips_dialog *d, int key)
{
	if (key == K_ESC || key == 'n')
		d->step = VALUE;
	if (key != 'y' && (key != K_ENTER || d->sawing[0]))
		return;
	d->step = LIST;
	d->desk.make(d->desk.ctx, d->at, d->value);
}

static void ask_back(struct flips_dialog *d, struct bench_view *b, enum back back)
{
	char words[FACT_WORDS + 64] = "Nothing was changed here.";
	bool any = back != ALL && bench_newest(b, d->at);

	for (unsigned i = 0; i < b->count && back == ALL; i++)
		any |= !b->changed[i].stale;
	d->back = back;
	if (any) {
		ask(d, BENCH_REACH, back == ALL ? NULL : d->at, NULL);
		return;
	}
	if (back != ALL)
		snprintf(words, sizeof(words), "%s was not changed here.", d->at);
	say(b, false, words);
}

static void back_key(struct flips_dialog *d, int key)
{
	if (key == K_ESC || key == 'n')
		d->step = LIST;
	if (key != 'y' && (key != K_ENTER || d->sawing[0]))
		return;
	d->step = LIST;
	d->desk.undo(d->desk.ctx, d->back == ALL ? NULL : d->at, d->back == FORCED);
}

/* Until the first key the first row is chosen, whichever that comes to be. */
static void move(struct flips_dialog *d, const struct bench_view *b, int key)
{
	struct bench_rows rows = bench_rows(&b->facts);
	int at = row_of(&rows, d->at), last = rows.count - 1;

	choose(d, &rows, at, 1);

	switch (key) {
	case K_UP: choose(d, &rows, at - 1, -1); break;
	case K_DOWN: choose(d, &rows, at + 1, 1); break;
	case K_PGUP: choose(d, &rows, at > d->page ? at - d->page : 0, 1); break;
	case K_PGDN: choose(d, &rows, at + d->page < last ? at + d->page : last, -1); break;
	case K_HOME: choose(d, &rows, 0, 1); break;
	case K_END: choose(d, &rows, last, -1); break;
	}
	bench_rows_free(&rows);
}

static enum dialog_result list_key(struct flips_dialog *d, struct bench_view *b, int key)
{
	if (d->asked) {
		d->asked = key != K_ESC;
		return DIALOG_OPEN;
	}
	if (key == K_ESC || key == 'q' || action_of_key(key) == ACT_BENCH)
		return DIALOG_CANCELLED;
	move(d, b, key);
	switch (key) {
	case K_ENTER: ask_value(d, b); break;
	case 'u': ask_back(d, b, ONE); break;
	case 'F': ask_back(d, b, FORCED); break;
	case 'U': ask_back(d, b, ALL); break;
	}
	if (action_of_key(key) == ACT_AB)
		ask_in_turn(d, b);
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct flips_dialog *d = state;
	struct bench_view *b = d->desk.look(d->desk.ctx);

	take_answer(d, b);
	b->said.text[0] = '\0';
	switch (d->step) {
	case VALUE: value_key(d, key); break;
	case CONFIRM: confirm_key(d, key); break;
	case BACK: back_key(d, key); break;
	case LIST: return list_key(d, b, key);
	}
	return DIALOG_OPEN;
}

static bool types(const void *state)
{
	const struct flips_dialog *d = state;

	return d->step == VALUE && !d->choices;
}

struct dialog dialog_flips(const struct bench_desk *desk)
{
	struct flips_dialog *d = calloc(1, sizeof(*d));

	if (d)
		d->desk = *desk;
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = free,
			       .about = ABOUT_BENCH,
			       .types = types};
}
