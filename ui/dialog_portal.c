/* dialog_portal.c - iSCSI portals: a field to name them in, then what they offer, as a list of targets
 * with the ways to each and the LUNs behind it.
 *
 * All of it belongs to the desk, which outlives the dialog: what is asked over the network is asked by
 * the opener, under other dialogs.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"
#include "secret.h"
#include "units.h"

#define ENTRY_COLUMNS 70
#define LIST_COLUMNS  106
#define SAID_ROWS     3

/* --- Rows. --- */

enum row_kind { ROW_TARGET, ROW_PORTAL, ROW_LUN };
struct row {
	enum row_kind kind;
	unsigned target, index;
};

/* One portal stands behind the target's name. */
static unsigned portal_rows(const struct found_target *t)
{
	return t->portals > 1 ? t->portals : 0;
}

static int count_rows(const struct portal_desk *d)
{
	unsigned n = 0;

	for (unsigned i = 0; i < d->found.targets; i++)
		n += 1 + portal_rows(&d->found.target[i]) + d->found.target[i].luns;
	return (int)n;
}

static struct row row_at(const struct portal_desk *d, int at)
{
	unsigned n = (unsigned)at;
	struct row r = {.kind = ROW_TARGET};

	for (r.target = 0; r.target < d->found.targets; r.target++) {
		const struct found_target *t = &d->found.target[r.target];
		unsigned portals = portal_rows(t);
		if (n == 0)
			return r;
		if (n <= portals)
			return (struct row){ROW_PORTAL, r.target, n - 1};
		n -= 1 + portals;
		if (n < t->luns)
			return (struct row){ROW_LUN, r.target, n};
		n -= t->luns;
	}
	return (struct row){.kind = ROW_TARGET};
}

static bool wants_chap(const struct found_target *t)
{
	return t->err == -ENOKEY || t->err == -EKEYREJECTED;
}

static int first_row(const struct portal_desk *d,
		     bool (*is)(const struct portal_desk *, struct row))
{
	int rows = count_rows(d);

	for (int i = 0; i < rows; i++)
		if (is(d, row_at(d, i)))
			return i;
	return -1;
}

static bool is_good_lun(const struct portal_desk *d, struct row r)
{
	return r.kind == ROW_LUN && d->found.target[r.target].lun[r.index].known;
}

static bool is_of_target(const struct portal_desk *d, struct row r)
{
	return r.target == d->target && (r.kind == ROW_LUN || d->found.target[r.target].trouble[0]);
}

/* --- Drawing the list. --- */

static void draw_target(struct canvas *c, struct rect r, int row, const struct found_target *t,
			enum style s)
{
	int col = 2 + canvas_text(c, r, row, 2, t->name, s);

	if (t->portals == 1)
		col += canvas_printf(c, r, row, col, s, "  at %s", t->portal[0].address);
	if (t->trouble[0] && s == ST_DIALOG)
		s = ST_WARN;
	if (wants_chap(t))
		canvas_text(c, r, row, col + 2,
			    t->err == -ENOKEY ? "wants CHAP" : "rejects this CHAP", s);
	else if (t->trouble[0])
		canvas_text(c, r, row, col + 2, "can't be asked", s);
	else if (!t->luns)
		canvas_text(c, r, row, col + 2, "no disk", s);
}

static void draw_portal(struct canvas *c, struct rect r, int row, const struct found_portal *p,
			enum style s)
{
	canvas_printf(c, r, row, 4, s, "[%c] %s%s", p->marked ? 'x' : ' ', p->address,
		      p->asked ? "" : "  (told by the target)");
}

static void draw_lun(struct canvas *c, struct rect r, int row, const struct found_lun *l,
		     enum style s)
{
	const struct backend_facts *f = &l->facts;
	struct rect line = {r.row + row, r.col, row < r.rows ? 1 : 0, r.cols};
	bool roomy = r.cols >= 90;
	char size[32];

	canvas_printf(c, line, 0, 4, s, "LUN %d", l->lun);
	if (!l->known) {
		canvas_text(c, line, 0, 15, l->trouble, s == ST_DIALOG ? ST_WARN : s);
		return;
	}
	canvas_text_right(c, line, 0, 24, units_size(size, sizeof(size), f->size), s);
	struct rect model = line, id = line;
	model.cols = model.cols < 52 ? model.cols : 52;
	canvas_printf(c, model, 0, 26, s, "%-8s %s", f->vendor, f->model);
	id.cols = id.cols < 91 ? id.cols : 91;
	if (roomy)
		canvas_text(c, id, 0, 53, f->id[0] ? f->id : f->serial, s);
	const char *against = f->write_protected ? "write protected" : f->reserved;
	canvas_text(c, line, 0, roomy ? 91 : 53, against, s);
}

static void draw_row(struct canvas *c, struct rect r, int row, const struct portal_desk *d, int at,
		     const struct view *v)
{
	enum style s = at == d->at ? ST_SELECTED : ST_DIALOG;
	struct row what = row_at(d, at);
	const struct found_target *t = &d->found.target[what.target];

	canvas_fill(c, (struct rect){r.row + row, r.col, 1, r.cols}, ' ', s);
	hot_choice(c, (struct rect){r.row + row, r.col, 1, r.cols}, HOT_ROW, at - d->at, 0);
	switch (what.kind) {
	case ROW_TARGET: draw_target(c, r, row, t, s); break;
	case ROW_PORTAL: draw_portal(c, r, row, &t->portal[what.index], s); break;
	case ROW_LUN: draw_lun(c, r, row, &t->lun[what.index], s); break;
	}
	if (at != d->at)
		return;
	canvas_put(c, r, row, 0, v->g->cursor, s);
	c->cursor_row = r.row + row;
	c->cursor_col = r.col;
}

static void draw_rows(struct canvas *c, struct rect r, struct portal_desk *d, const struct view *v)
{
	int rows = count_rows(d);

	d->page = r.rows > 0 ? r.rows : 1;
	if (d->at < d->top)
		d->top = d->at;
	if (d->at >= d->top + d->page)
		d->top = d->at - d->page + 1;
	if (d->top > 0 && d->top + d->page > rows)
		d->top = rows > d->page ? rows - d->page : 0;
	for (int i = 0; i < r.rows && d->top + i < rows; i++)
		draw_row(c, r, i, d, d->top + i, v);
	if (d->top > 0)
		canvas_put(c, r, 0, r.cols - 1, v->g->up, ST_DIALOG);
	if (d->top + d->page < rows)
		canvas_put(c, r, r.rows - 1, r.cols - 1, v->g->down, ST_DIALOG);
}

static void say_lun(struct prose *t, int cols, const struct found_target *of,
		    const struct found_lun *l)
{
	char url[PATH_MAX];

	if (!l->known) {
		prose_add(t, cols, 2, ST_WARN, "! %s", l->trouble);
		return;
	}
	prose_add(t, cols, 2, ST_DIALOG, "%s", found_url(url, sizeof(url), of, l->lun));
	prose_add(t, cols, 2, ST_DIALOG, "%s%s%s%s%s%s", l->facts.id,
		  l->facts.serial[0] ? "  serial " : "", l->facts.serial,
		  l->facts.write_protected ? ", write protected" : "",
		  l->facts.reserved[0] ? ", " : "", l->facts.reserved);
}

/* What there is to say below the list: trouble, or the chosen row in full. */
static void say(struct prose *t, int cols, const struct portal_desk *d)
{
	struct row r = row_at(d, d->at);
	const struct found_target *of =
		r.target < d->found.targets ? &d->found.target[r.target] : NULL;

	if (d->trouble[0])
		prose_add(t, cols, 2, ST_BAD, "! %s", d->trouble);
	else if (!of)
		prose_add(t, cols, 0, ST_DIALOG, "No target is offered to this host there.");
	else if (r.kind == ROW_LUN)
		say_lun(t, cols, of, &of->lun[r.index]);
	else if (r.kind == ROW_PORTAL)
		prose_add(t, cols, 0, ST_DIALOG,
			  "Marked portals are paths to the LUN that is opened: Space marks.");
	else if (of->err == -ENOKEY)
		prose_add(t, cols, 0, ST_DIALOG, "Enter asks you for a user and a secret.");
	else if (of->trouble[0])
		prose_add(t, cols, 2, ST_WARN, "! %s", of->trouble);
	else
		prose_add(t, cols, 0, ST_DIALOG, "Nothing is written unless you allow it later.");
}

static void draw_list(struct canvas *c, struct rect full, struct portal_desk *d,
		      const struct view *v)
{
	struct prose words = {0};
	int cols = dialog_columns(full, LIST_COLUMNS), top = 0;
	int prose_cols = cols < PROSE_COLUMNS ? cols : PROSE_COLUMNS;
	char title[PORTAL_WORDS + 16];

	say(&words, prose_cols, d);
	int said = words.count < SAID_ROWS ? SAID_ROWS : words.count;
	snprintf(title, sizeof(title), "Target at %s", d->words);
	struct rect in = dialog_box(c, full, v, count_rows(d) + 1 + said, cols, title);
	int rows = in.rows - 1 - said;
	if (rows < 1) {
		rows = in.rows;
		said = 0;
	}
	draw_rows(c, (struct rect){in.row, in.col, rows, in.cols}, d, v);
	if (said)
		prose_draw(c, (struct rect){in.row + in.rows - said, in.col, said, in.cols}, &words,
			   &top, v->g);
	dialog_hint(c, in,
		    "Enter starts  Space marks paths  c CHAP  r asks anew  Esc back");
	prose_free(&words);
}

/* --- Drawing the field. --- */

static void draw_entry(struct canvas *c, struct rect full, struct portal_desk *d,
		       const struct view *v)
{
	struct prose t = {0};
	int cols = dialog_columns(full, ENTRY_COLUMNS), top = 0;
	struct field shown = d->field;

	if (d->trouble[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->trouble);
	else
		prose_add(
			&t, cols, 0, ST_DIALOG,
			"Several, with blanks in between, are asked one after the other: they may "
			"be paths to one LUN.");
	struct rect in = dialog_box(c, full, v, 3 + t.count, cols, "Target: iSCSI portal");
	bool low = in.rows < 3;
	if (!low)
		canvas_text(c, in, 0, 0, "Address, as 10.0.0.5 or 10.0.0.5:3260", ST_DIALOG);
	secret_mask(shown.text, true);
	if (in.rows > 3)
		prose_draw(c, (struct rect){in.row + 3, in.col, in.rows - 3, in.cols}, &t, &top,
			   v->g);
	field_draw(c, in, low ? 0 : 1, 0, in.cols, &shown);
	explicit_bzero(&shown, sizeof(shown));
	dialog_hint(c, in,
		    d->pasts ? "Enter asks it  Up Down those asked before  Esc back"
			     : "Enter asks it for targets and LUNs  Esc back");
	prose_free(&t);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct portal_desk *d = state;

	if (d->listing)
		draw_list(c, full, d, v);
	else
		draw_entry(c, full, d, v);
}

/* --- Keys of the field. --- */

/* Secrets and users leave the words, which are shown and remembered. False when one is too long. */
static bool take_login(struct portal_desk *d, char *words)
{
	char rest[FIELD_TEXT] = "";
	struct error e;
	char *save;

	for (char *w = strtok_r(words, " \t,", &save); w; w = strtok_r(NULL, " \t,", &save)) {
		if (secret_take_portal(w, &d->login, &e)) {
			snprintf(d->trouble, sizeof(d->trouble), "%s", e.text);
			return false;
		}
		secret_take_user(w, &d->login);
		units_append(rest, sizeof(rest), "%s%s", rest[0] ? " " : "", w);
	}
	strcpy(words, rest);
	return true;
}

static void remember(struct portal_desk *d)
{
	unsigned same = 0;

	while (same < d->pasts && strcmp(d->past[same], d->words) != 0)
		same++;
	if (same == PORTAL_HISTORY)
		same--;
	memmove(d->past[1], d->past[0], same * sizeof(d->past[0]));
	memcpy(d->past[0], d->words, sizeof(d->past[0]));
	if (same == d->pasts)
		d->pasts++;
}

static enum dialog_result accept_entry(struct portal_desk *d)
{
	char words[FIELD_TEXT];

	memcpy(words, d->field.text, sizeof(words));
	field_wipe(&d->field);
	explicit_bzero(&d->login, sizeof(d->login));
	bool good = take_login(d, words);
	if (good)
		field_set(&d->field, words);
	explicit_bzero(words, sizeof(words));
	if (good && (!d->field.length || d->field.length >= PORTAL_WORDS)) {
		snprintf(d->trouble, sizeof(d->trouble), "%s",
			 d->field.length ? "that is too long"
					 : "type the address of a portal, as 10.0.0.5");
		good = false;
	}
	if (!good)
		return DIALOG_OPEN;
	snprintf(d->words, sizeof(d->words), "%.*s", PORTAL_WORDS - 1, d->field.text);
	remember(d);
	d->recalled = 0;
	d->trouble[0] = '\0';
	d->wish = PORTAL_ASK;
	return DIALOG_DONE;
}

/* As a shell's history. */
static void recall(struct portal_desk *d, int by)
{
	int to = (int)d->recalled + by;

	if (!d->pasts)
		return;
	/* The newest stands there already. */
	if (d->recalled == 0 && by > 0 && strcmp(d->field.text, d->past[0]) == 0)
		to++;
	d->recalled = to < 0 ? 0 : to > (int)d->pasts ? d->pasts : (unsigned)to;
	field_set(&d->field, d->recalled ? d->past[d->recalled - 1] : "");
	d->trouble[0] = '\0';
}

static enum dialog_result entry_key(struct portal_desk *d, int key)
{
	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_ENTER: return accept_entry(d);
	case K_UP: recall(d, 1); return DIALOG_OPEN;
	case K_DOWN: recall(d, -1); return DIALOG_OPEN;
	}
	if (field_key(&d->field, key))
		d->trouble[0] = '\0';
	return DIALOG_OPEN;
}

/* --- Keys of the list. --- */

static void complain(struct portal_desk *d, const char *words)
{
	snprintf(d->trouble, sizeof(d->trouble), "%s", words);
}

static unsigned marked(const struct found_target *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->portals; i++)
		n += t->portal[i].marked;
	return n;
}

static void toggle(struct portal_desk *d)
{
	struct row r = row_at(d, d->at);
	struct found_target *t = &d->found.target[r.target];

	if (r.kind != ROW_PORTAL) {
		complain(d, t->portals > 1 ? "Space marks portals: go to one of this target's"
					   : "there is only one portal to this target");
		return;
	}
	if (!t->portal[r.index].marked && marked(t) == PATHS_MAX)
		complain(d, "no more than eight paths can be used at once");
	else if (t->portal[r.index].marked && marked(t) == 1)
		complain(d, "one portal has to be left");
	else
		t->portal[r.index].marked = !t->portal[r.index].marked;
}

static enum dialog_result wish(struct portal_desk *d, enum portal_wish w)
{
	d->wish = w;
	return DIALOG_DONE;
}

static enum dialog_result choose(struct portal_desk *d)
{
	struct row r = row_at(d, d->at);
	const struct found_target *t = &d->found.target[r.target];

	d->target = r.target;
	if (r.kind == ROW_LUN && !t->lun[r.index].known) {
		complain(d, t->lun[r.index].trouble);
		return DIALOG_OPEN;
	}
	if (r.kind == ROW_LUN) {
		d->lun = t->lun[r.index].lun;
		return wish(d, PORTAL_OPEN);
	}
	if (wants_chap(t))
		return wish(d, PORTAL_LOGIN);
	complain(d, t->trouble[0] ? t->trouble
		    : t->luns     ? "choose one of its LUNs"
				  : "this target has no disk");
	return DIALOG_OPEN;
}

static enum dialog_result list_key(struct portal_desk *d, int key)
{
	int last = count_rows(d) - 1;

	d->trouble[0] = '\0';
	if (key == K_ESC || key == 'q') {
		portal_forget(d);
		return DIALOG_OPEN;
	}
	if (key == 'r') {
		return wish(d, PORTAL_ASK);
	}
	if (last < 0)
		return DIALOG_OPEN;
	switch (key) {
	case K_ENTER: return choose(d);
	case ' ': toggle(d); break;
	case 'c': d->target = row_at(d, d->at).target; return wish(d, PORTAL_LOGIN);
	case K_UP: d->at--; break;
	case K_DOWN: d->at++; break;
	case K_PGUP: d->at -= d->page; break;
	case K_PGDN: d->at += d->page; break;
	case K_HOME: d->at = 0; break;
	case K_END: d->at = last; break;
	}
	d->at = d->at < 0 ? 0 : d->at > last ? last : d->at;
	return DIALOG_OPEN;
}

static enum dialog_result key(void *state, int key)
{
	struct portal_desk *d = state;

	return d->listing ? list_key(d, key) : entry_key(d, key);
}

/* --- The desk. --- */

static void keep(void *state)
{
	(void)state;
}

static bool types(const void *state)
{
	const struct portal_desk *d = state;

	return !d->listing;
}

struct dialog dialog_portal(struct portal_desk *desk)
{
	return (struct dialog){.state = desk,
			       .draw = draw,
			       .key = key,
			       .free = keep,
			       .about = ABOUT_PORTAL,
			       .types = types};
}

void portal_show(struct portal_desk *d)
{
	bool again = d->listing;

	d->listing = true;
	d->trouble[0] = '\0';
	int at = first_row(d, again ? is_of_target : is_good_lun);
	d->at = at < 0 ? 0 : at;
	d->top = 0;
}

void portal_forget(struct portal_desk *d)
{
	found_free(&d->found);
	explicit_bzero(&d->login, sizeof(d->login));
	d->listing = false;
	d->trouble[0] = '\0';
}
