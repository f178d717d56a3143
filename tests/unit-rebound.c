/* unit-rebound.c - whatever names a key names the one that it is bound to: with all actions on keys that no
 * keyboard has, no pane, message, dialog or explanation speaks of those they have out of the box.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "run.h"
#include "target.h"
#include "tests/canvas-print.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/screen.h"
#include "ui/state.h"

#define FIRST_FKEY 20 /* behind all that are bound out of the box */

struct fixture {
	struct ui_host host;
	struct run *run;
	struct target target;
	struct ui_state s;
	struct canvas c;
};

static void command(void *ctx, char *out, size_t n)
{
	(void)ctx;
	snprintf(out, n, "lunscope null:1ms");
}

static int own_key(enum action a)
{
	return ACTION_FKEY(FIRST_FKEY + (int)a);
}

static struct setup all_elsewhere(void)
{
	struct setup s = setup_usual();

	memset(&s.keys, 0, sizeof(s.keys));
	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		s.keys.key[a][0] = own_key((enum action)a);
	return s;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const struct setup elsewhere = all_elsewhere();
	struct run_config rc = {.no_store = true, .command = "", .status = "live"};
	struct target_options o = {0};
	struct error e = {""};

	if (!f)
		return -1;
	rc.workload = workload_default();
	rc.workload.rate_iops = 1000;
	if (target_open(&f->target, "null:1ms", &o, &e) || run_create(&f->run, &f->target, &rc, &e))
		fail_msg("%s", e.text);
	f->host = (struct ui_host){.ctx = f, .command = command};
	struct ui_config c = {.host = &f->host,
			      .run = f->run,
			      .target = &f->target,
			      .workload = rc.workload,
			      .setup = &elsewhere,
			      .version = "1.0"};
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	action_bind(&elsewhere.keys);
	assert_int_equal(canvas_resize(&f->c, 60, 132), 0);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	const struct key_map usual = action_map_usual();
	struct summary s;

	action_bind(&usual);
	state_free(&f->s);
	canvas_free(&f->c);
	run_stop(f->run, "done", &s);
	run_destroy(f->run);
	target_close(&f->target);
	free(f);
	return 0;
}

/* --- Is a usual key named? --- */

static bool is_usual_key(const char *word)
{
	const struct key_map usual = action_map_usual();
	char name[8];

	for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
		for (const int *k = usual.key[a]; *k; k++)
			if (strcmp(word, action_key_name(*k, name)) == 0)
				return true;
	return false;
}

/* "A", "a", "B", s and 0 are words too, unless they do something; behind a number a letter is a unit, and in
 * front of one a sign. Of the signs most are drawn with, too. */
static bool is_word(const char *word, const char *before, const char *behind)
{
	static const char *const deeds[] = {"sets",    "stops",   "stop",    "starts",
					    "started", "in turn", "In turn", "ABBA"};

	if (!is_usual_key(word) || (ispunct((unsigned char)word[0]) && word[0] != '?'))
		return true;
	if (isdigit((unsigned char)before[0]) || isdigit((unsigned char)behind[0]) ||
	    strncmp(behind, "of ", 3) == 0)
		return true;
	/* "K, M, G (of 1024)": of sizes. */
	if (strcmp(word, "M") == 0 && strcmp(before, "K") == 0)
		return true;
	/* "Esc and a digit stand for F1 to F10": of the keyboard. */
	if (strncmp(behind, "to F10", 6) == 0 || strcmp(before, "to") == 0)
		return true;
	/* The arrow at the edge of what scrolls. */
	if (strcmp(word, "v") == 0 && behind[0] == '|')
		return true;
	if (word[1] || !strchr("aABs0", word[0]))
		return false;
	for (size_t i = 0; i < sizeof(deeds) / sizeof(*deeds); i++)
		if (strncmp(behind, deeds[i], strlen(deeds[i])) == 0)
			return false;
	return true;
}

static bool is_own(const char *own, const char *word)
{
	char name[8];

	for (; *own; own++)
		if (strcmp(word, action_key_name(*own, name)) == 0)
			return true;
	return false;
}

/* In a row of keys the label stands right behind its key: "?Help", "F10Quit". */
static size_t label_at(const char *word, size_t n)
{
	size_t key = word[0] == 'F' ? 1 + strspn(word + 1, "0123456789") : 1;
	bool label = key + 1 < n && isupper((unsigned char)word[key]) &&
		     islower((unsigned char)word[key + 1]);

	return label && strncmp(word, "IOs", 3) != 0 ? key : n;
}

/* own: the keys that the dialog itself has, whatever the actions'. */
static void assert_no_usual_key(const struct canvas *c, const char *own)
{
	char row[4096], before[64], word[64] = "";

	for (int r = 0; r < c->rows; r++) {
		const char *p = canvas_row(c, r, row, sizeof(row));
		while (*(p += strspn(p, " |()[],;.:'\"")) != '\0') {
			size_t n = strcspn(p, " |()[],;:'\"");
			if (n > 1 && p[n - 1] == '.')
				n--;
			strcpy(before, word);
			snprintf(word, sizeof(word), "%.*s", (int)label_at(p, n), p);
			p += n;
			const char *behind = p + strspn(p, " ");
			if (is_word(word, before, behind) || is_own(own, word))
				continue;
			canvas_print(c, stderr);
			fail_msg("row %d still names the key %s: '%s %s %.20s'", r, word, before,
				 word, behind);
		}
	}
}

static void look(struct fixture *f, const char *own)
{
	struct view *v = &f->s.gather.view;

	state_update(&f->s, 0);
	v->level = GL_ASCII;
	v->g = &glyph_table[GL_ASCII];
	screen_draw(&f->c, &f->s);
	assert_no_usual_key(&f->c, own);
}

/* The dialog on top alone: what lies behind it is cut anywhere. */
static void look_at_dialog(struct fixture *f, const char *own)
{
	const struct dialog *d = &f->s.dialogs.d[f->s.dialogs.depth - 1];

	state_update(&f->s, 0);
	struct view v = f->s.gather.view;
	v.g = &glyph_table[GL_ASCII];
	canvas_clear(&f->c, ST_NORMAL);
	d->draw(d->state, &f->c, canvas_rect(&f->c), &v);
	assert_no_usual_key(&f->c, own);
}

/* --- Everywhere. --- */

static void no_pane_or_message_names_a_key_that_was_taken_away(void **state)
{
	struct fixture *f = *state;

	look(f, "");
	for (int p = 1; p <= PANE_COUNT; p++) {
		state_key(&f->s, '0' + p);
		look(f, "");
	}
	state_key(&f->s, K_ESC);
	for (int i = 0; i < 2; i++) {
		static const enum action say[] = {ACT_STOP, ACT_LOCK, ACT_UNDO, ACT_PATHS,
						  ACT_WINDOW_LONGER};
		for (size_t k = 0; k < sizeof(say) / sizeof(*say); k++) {
			state_key(&f->s, own_key(say[k]));
			look(f, "");
		}
	}
}

/* With the keys that a dialog has of its own; in the help f is a sign of the sessions pane, and e a
 * key of the meters. */
static void no_dialog_names_a_key_that_was_taken_away(void **state)
{
	static const struct {
		enum action open;
		const char *own;
	} dialogs[] = {
		{ACT_HELP, "fe"},   {ACT_SETUP, " "},    {ACT_MARK, ""},     {ACT_TARGET, "ip"},
		{ACT_FIND, ""},     {ACT_CURVE, ""},     {ACT_COMPARE, "d"}, {ACT_AB, ""},
		{ACT_WORKLOAD, ""}, {ACT_BENCH, "uUF"},  {ACT_TRIGGER, ""},  {ACT_COMMAND, ""},
		{ACT_SERIES, "ne"}, {ACT_QUIT, "kyqdn"},
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(dialogs) / sizeof(*dialogs); i++) {
		state_key(&f->s, own_key(dialogs[i].open));
		if (f->s.dialogs.depth != 1)
			fail_msg("no dialog for %s", actions[dialogs[i].open].help);
		const struct dialog *d = &f->s.dialogs.d[0];
		look_at_dialog(f, dialogs[i].own);
		for (int page = 0; page < 12; page++) {
			d->key(d->state, K_PGDN);
			look_at_dialog(f, dialogs[i].own);
		}
		state_key(&f->s, K_ESC);
		assert_int_equal(f->s.dialogs.depth, 0);
	}
}

static void no_explanation_names_a_key_that_was_taken_away(void **state)
{
	static const char *const own[ABOUT_COUNT] = {
		[ABOUT_BENCH] = "uUF",  [ABOUT_PATHS] = "orRp", [ABOUT_PICKER] = "pi",
		[ABOUT_PORTAL] = "cr ", [ABOUT_SERIES] = "ne",  [ABOUT_QUIT] = "r",
		[ABOUT_SETUP] = "w",    [ABOUT_ENTRY] = "GM",   [ABOUT_HISTORY] = "/ svbrtn",
	};
	struct fixture *f = *state;

	for (int topic = ABOUT_NONE + 1; topic < ABOUT_COUNT; topic++) {
		assert_true(dialog_push(&f->s.dialogs, dialog_about((enum dialog_topic)topic)));
		look_at_dialog(f, own[topic] ? own[topic] : "");
		state_key(&f->s, K_ESC);
	}
}

/* --- The key of help. --- */

static bool is_there(struct fixture *f, const char *words)
{
	char row[4096];

	state_update(&f->s, 0);
	screen_draw(&f->c, &f->s);
	for (int r = 0; r < f->c.rows; r++)
		if (strstr(canvas_row(&f->c, r, row, sizeof(row)), words))
			return true;
	return false;
}

static void a_dialog_is_explained_by_the_key_that_help_has_and_by_f1_where_it_has_none(void **state)
{
	struct fixture *f = *state;
	struct key_map m = all_elsewhere().keys;

	state_key(&f->s, own_key(ACT_WORKLOAD));
	assert_true(is_there(f, "F21 help"));
	state_key(&f->s, own_key(ACT_HELP));
	assert_true(is_there(f, "About the settings of the workload"));
	state_key(&f->s, own_key(ACT_HELP));
	assert_false(is_there(f, "About the settings of the workload"));
	m.key[ACT_HELP][0] = 'H';
	action_bind(&m);
	assert_true(is_there(f, "F1 help"));
	state_key(&f->s, ACTION_FKEY(1));
	assert_true(is_there(f, "About the settings of the workload"));
	state_key(&f->s, K_ESC);
	state_key(&f->s, own_key(ACT_WORKLOAD));
	assert_int_equal(f->s.dialogs.depth, 0);
}

static void in_words_an_action_is_its_key_and_other_braces_stay(void **state)
{
	struct key_map m = action_map_usual();

	(void)state;
	m.key[ACT_MARK][1] = 0; /* F3 alone */
	memset(m.key[ACT_AB], 0, sizeof(m.key[ACT_AB]));
	action_bind(&m);
	char *text = action_text("{stop} {window-shorter}{mark} {ab} {freeze} {none} { {stop");
	assert_string_equal(text, "s zF3 (no key) Space {none} { {stop");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_pane_or_message_names_a_key_that_was_taken_away,
						setup, teardown),
		cmocka_unit_test_setup_teardown(no_dialog_names_a_key_that_was_taken_away, setup,
						teardown),
		cmocka_unit_test_setup_teardown(no_explanation_names_a_key_that_was_taken_away,
						setup, teardown),
		cmocka_unit_test_setup_teardown(
			a_dialog_is_explained_by_the_key_that_help_has_and_by_f1_where_it_has_none,
			setup, teardown),
		cmocka_unit_test(in_words_an_action_is_its_key_and_other_braces_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
