/* dialog_login.c - the user and the secret that a portal or target wants (CHAP), and those by which the
 * target is to prove itself in turn.
 *
 * Secrets are shown as asterisks, never given to anybody but the one who logs in, and cleared from memory
 * with the dialog.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "dialogs.h"
#include "key.h"
#include "prose.h"

#define LOGIN_COLUMNS 70
#define NAME_COLUMNS  16

enum { USER, SECRET, TARGET_USER, TARGET_SECRET, FIELDS };

static const struct {
	const char *name;
	bool secret;
} about[FIELDS] = {
	{"User", false}, {"Secret", true}, {"Target's user", false}, {"Target's secret", true}};

struct login {
	char words[512], trouble[512];
	struct field field[FIELDS];
	int at;
	struct backend_login answer;
};

static void draw_field(struct canvas *c, struct rect in, int row, const struct login *d, int i)
{
	if (row >= in.rows)
		return;
	canvas_text(c, in, row, 0, about[i].name, ST_DIALOG);
	hot_choice(c, (struct rect){in.row + row, in.col, 1, in.cols}, HOT_FIELD, i - d->at, 0);
	if (about[i].secret)
		field_draw_secret(c, in, row, NAME_COLUMNS, in.cols, &d->field[i]);
	else
		field_draw(c, in, row, NAME_COLUMNS, in.cols, &d->field[i]);
}

static void draw(void *state, struct canvas *c, struct rect full, const struct view *v)
{
	struct login *d = state;
	struct prose t = {0};
	int cols = dialog_columns(full, LOGIN_COLUMNS), top = 0;

	if (d->trouble[0])
		prose_add(&t, cols, 2, ST_BAD, "! %s", d->trouble);
	else
		prose_add(&t, cols, 0, ST_DIALOG, "%s", d->words);
	prose_add(&t, cols, 0, ST_DIALOG, "%s", "");
	struct rect in = dialog_box(c, full, v, t.count + FIELDS + 2, cols, "Login by CHAP");
	/* On a screen too low the fields are what counts. */
	int said = in.rows - FIELDS - 2 < t.count ? in.rows - FIELDS - 2 : t.count;
	if (said > 0)
		prose_draw(c, (struct rect){in.row, in.col, said, in.cols}, &t, &top, v->g);
	int row = said > 0 ? said : 0, at_row = 0;
	for (int i = 0; i < FIELDS; i++) {
		if (i == TARGET_USER && in.rows >= FIELDS + 2) {
			canvas_text(
				c, in, row + 1, 0,
				"If the target is to prove itself too (mutual CHAP):", ST_DIALOG);
			row += 2;
		}
		if (i == d->at)
			at_row = row;
		draw_field(c, in, row++, d, i);
	}
	/* Once more, for the cursor. */
	draw_field(c, in, at_row < in.rows ? at_row : in.rows - 1, d, d->at);
	dialog_hint(c, in, "Enter logs in  Tab next field  Esc back");
	prose_free(&t);
}

static enum dialog_result complain(struct login *d, int at, const char *words)
{
	snprintf(d->trouble, sizeof(d->trouble), "%s", words);
	d->at = at;
	return DIALOG_OPEN;
}

static enum dialog_result accept(struct login *d)
{
	char *to[FIELDS] = {d->answer.user, d->answer.secret, d->answer.target_user,
			    d->answer.target_secret};

	for (int i = 0; i < FIELDS; i++) {
		if (d->field[i].length >= (int)sizeof(d->answer.user))
			return complain(d, i, "That is too long: 255 bytes at most.");
		memcpy(to[i], d->field[i].text, (size_t)d->field[i].length + 1);
	}
	for (int i = USER; i <= SECRET; i++)
		if (!to[i][0])
			return complain(d, i, "CHAP takes a user and a secret.");
	for (int i = TARGET_USER; i <= TARGET_SECRET; i++)
		if (!to[i][0] && to[TARGET_USER + TARGET_SECRET - i][0])
			return complain(d, i,
					"Mutual CHAP takes the target's user and its secret; leave "
					"both empty to do without.");
	return DIALOG_DONE;
}

static enum dialog_result key(void *state, int key)
{
	struct login *d = state;

	switch (key) {
	case K_ESC: return DIALOG_CANCELLED;
	case K_TAB:
	case K_DOWN: d->at = (d->at + 1) % FIELDS; return DIALOG_OPEN;
	case K_BACKTAB:
	case K_UP: d->at = (d->at + FIELDS - 1) % FIELDS; return DIALOG_OPEN;
	case K_ENTER:
		/* From the user on to the secret, as everywhere else. */
		if (d->at == USER && d->field[USER].length && !d->field[SECRET].length) {
			d->at = SECRET;
			return DIALOG_OPEN;
		}
		return accept(d);
	}
	if (field_key(&d->field[d->at], key))
		d->trouble[0] = '\0';
	return DIALOG_OPEN;
}

static void login_free(void *state)
{
	explicit_bzero(state, sizeof(struct login));
	free(state);
}

static bool types(const void *state)
{
	(void)state;
	return true;
}

struct dialog dialog_login(const char *words, bool bad, const struct backend_login *known)
{
	struct login *d = calloc(1, sizeof(*d));

	if (d) {
		snprintf(bad ? d->trouble : d->words, sizeof(d->words), "%s", words);
		field_set(&d->field[USER], known->user);
		field_set(&d->field[TARGET_USER], known->target_user);
		d->at = known->user[0] ? SECRET : USER;
	}
	return (struct dialog){.state = d,
			       .draw = draw,
			       .key = key,
			       .free = login_free,
			       .about = ABOUT_LOGIN,
			       .types = types};
}

const struct backend_login *login_answer(const void *state)
{
	return &((const struct login *)state)->answer;
}
