/* dialog.h - what lies over the main screen: help, pickers, questions.
 *
 * Dialogs form a stack; the topmost gets the keys. None runs a loop of its own: each has a draw
 * and a key function, and says when it is done. Esc always goes back.
 */
#ifndef LUNSCOPE_DIALOG_H
#define LUNSCOPE_DIALOG_H

#include <stdbool.h>
#include "canvas.h"
#include "hot.h"
#include "pane.h"

enum dialog_result { DIALOG_OPEN, DIALOG_DONE, DIALOG_CANCELLED };

/* What can be explained, each in dialog_about.c. */
enum dialog_topic {
	ABOUT_NONE, /* an explanation itself; or the dialog answers these keys by its own */
	ABOUT_AB,
	ABOUT_BASELINE,
	ABOUT_BENCH,
	ABOUT_COMMAND,
	ABOUT_CONSENT,
	ABOUT_CURVE,
	ABOUT_DIFFERENCES,
	ABOUT_ENTRY,
	ABOUT_FIND,
	ABOUT_HISTORY,
	ABOUT_LOGIN,
	ABOUT_METER,
	ABOUT_NOTE,
	ABOUT_PAGE,
	ABOUT_PATHS,
	ABOUT_PICKER,
	ABOUT_PORTAL,
	ABOUT_QUIT,
	ABOUT_SERIES,
	ABOUT_SETUP,
	ABOUT_SPEC,
	ABOUT_TRIGGER,
	ABOUT_WAIT,
	ABOUT_WORKLOAD,
	ABOUT_COUNT
};

struct dialog {
	void *state;
	/* Draws over the canvas; full is the whole screen's rectangle. */
	void (*draw)(void *state, struct canvas *c, struct rect full, const struct view *v);
	enum dialog_result (*key)(void *state, int key);
	/* Called once when it is over, before it is freed. user is the opener's. */
	void (*closed)(void *state, enum dialog_result r, void *user);
	void (*free)(void *state);
	void *user;
	/* What F1 explains, and ? where no text is typed; the dialog does not see these keys. */
	enum dialog_topic about;
	/* Characters go into a field now. NULL: never. */
	bool (*types)(const void *state);
	/* Nothing is agreed to by a click here. */
	bool typed;
};

#define DIALOG_DEPTH 8

struct dialog_stack {
	struct dialog d[DIALOG_DEPTH];
	int depth;
};

/* false (and nothing kept) when the stack is full or the dialog could not be made (no state). */
bool dialog_push(struct dialog_stack *s, struct dialog d);
bool dialog_active(const struct dialog_stack *s);
void dialog_draw(struct dialog_stack *s, struct canvas *c, const struct view *v);
void dialog_key(struct dialog_stack *s, int key);
/* Whether a click may stand for that key. */
bool dialog_clickable(const struct dialog_stack *s, int key);
/* Takes the topmost off, unasked: its closed is not called. */
void dialog_pop(struct dialog_stack *s);
void dialog_clear(struct dialog_stack *s);

/* A box centred on full with a title, at most the given inner size; returns the inner rectangle. */
struct rect dialog_box(struct canvas *c, struct rect full, const struct view *v, int rows, int cols,
		       const char *title);

/* The same with its top left corner at (row, col) of full, moved as far as needed to fit. */
struct rect dialog_box_at(struct canvas *c, struct rect full, const struct view *v, int row,
			  int col, int rows, int cols, const char *title);
/* The keys that matter here, on the frame below the inner rectangle; with F1 (or what help is bound
 * to) in the right corner where there is room. */
void dialog_hint(struct canvas *c, struct rect inner, const char *text);
/* The same where there is nothing more to explain. */
void dialog_hint_only(struct canvas *c, struct rect inner, const char *text);
/* The function key that explains what is open. Good until it is called again. */
const char *dialog_help_key(void);
/* A dialog that explains. */
struct dialog dialog_about(enum dialog_topic topic);
/* How many columns a box can have inside full, at most `most`. */
int dialog_columns(struct rect full, int most);

/* --- A one-line text field, used by knob entry, note, consent. --- */
#define FIELD_TEXT 8192 /* access lines can be long */
struct field {
	char text[FIELD_TEXT];
	int length, cursor;
};
/* True when the key was for the field. */
bool field_key(struct field *f, int key);
/* Fills it, with the cursor at the end. */
void field_set(struct field *f, const char *text);
/* Clears its memory: there was a secret in it. */
void field_wipe(struct field *f);
/* As field_draw, with an asterisk for each character. */
void field_draw_secret(struct canvas *c, struct rect r, int row, int col, int n,
		       const struct field *f);
/* Draws it (n columns wide) and puts the hardware cursor there. */
void field_draw(struct canvas *c, struct rect r, int row, int col, int n, const struct field *f);

#endif
