/* unit-ways-back.c - nothing on any screen is a dead end: from each dialog Esc goes back to where one came
 * from, F1 explains it, and so does ? where no text is typed; Esc goes back from that, too.
 *
 * The dialogs that null: has are opened by their keys on a screen over a real run; the rest is made here.
 */
#include <dirent.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "proc.h"
#include "run.h"
#include "target.h"
#include "tests/canvas-print.h"
#include "tests/level-check.h"
#include "tests/live-screen.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/screen.h"
#include "ui/state.h"

#define F1 ACTION_FKEY(1)

/* --- A screen over a run. --- */

static bool explained[ABOUT_COUNT];

static void command(void *ctx, char *out, size_t n)
{
	(void)ctx;
	snprintf(out, n, "lunscope null:1ms");
}

static int setup(void **state)
{
	struct live_screen *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	f->host = (struct ui_host){.ctx = f, .command = command};
	live_screen_begin(f, "null:1ms", 1000);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	live_screen_end(*state);
	free(*state);
	return 0;
}

static bool shows(struct live_screen *f, const char *words)
{
	char row[1024];

	struct view *v = &f->s.gather.view;

	state_update(&f->s, 0);
	/* Whatever is on the screen is there in all sets of characters. */
	for (int level = GL_COUNT - 1; level >= GL_ASCII; level--) {
		v->level = (enum glyph_level)level;
		v->g = &glyph_table[level];
		screen_draw(&f->c, &f->s);
		level_check(&f->c, v->level, words);
	}
	for (int r = 0; r < f->c.rows; r++)
		if (strstr(canvas_row(&f->c, r, row, sizeof(row)), words))
			return true;
	return false;
}

static void expect(struct live_screen *f, const char *words, bool there)
{
	if (shows(f, words) == there)
		return;
	canvas_print(&f->c, stderr);
	fail_msg("'%s' is %s", words, there ? "missing" : "there");
}

/* The dialog on top: F1 and, where nothing is typed, ? explain it; Esc, F1 and ? lead back to it. */
static void explain(struct live_screen *f, const char *title, const char *about)
{
	struct dialog_stack *d = &f->s.dialogs;
	int depth = d->depth;
	struct dialog top = d->d[depth - 1];
	static const int back[] = {K_ESC, F1, '?', 'q', K_ENTER};

	expect(f, title, true);
	/* It says so: where a question mark would be typed, that it is F1. */
	bool typed = top.types && top.types(top.state);
	if (typed || !(shows(f, "?Help") || shows(f, "F1Help")))
		expect(f, "F1 help", true);
	for (size_t i = 0; i < sizeof(back) / sizeof(*back); i++) {
		state_key(&f->s, F1);
		assert_int_equal(d->depth, depth + 1);
		expect(f, about, true);
		expect(f, "Esc back", true);
		state_key(&f->s, back[i]);
		assert_int_equal(d->depth, depth);
		expect(f, about, false);
		expect(f, title, true);
	}
	state_key(&f->s, '?');
	if (top.types && top.types(top.state)) {
		expect(f, "?", true);
		assert_int_equal(d->depth, depth);
		state_key(&f->s, K_BACKSPACE);
	} else {
		expect(f, about, true);
		state_key(&f->s, K_ESC);
	}
	explained[top.about] = true;
}

static void from_each_dialog_of_the_main_screen_there_is_a_way_back_and_an_explanation(void **state)
{
	static const struct {
		int key;
		const char *title, *about;
	} ways[] = {
		{'a', "Workload", "About the settings of the workload"},
		{K_ENTER, "Outstanding", "About typing a value"},
		{'m', "Mark a", "About the note"},
		{'e', "This command line repeats the run", "About the command line"},
		{'f', "Find the most load that meets a goal", "About the search for a goal"},
		{'c', "Load-latency curve", "About the load-latency curve"},
		{'A', "A against B, in turn (ABBA)", "About A against B"},
		{'v', "lunscope: compare", "How to read the comparison"},
		{'k', "Bench knobs", "About the bench knobs"},
		{'d', "Enter starts reading", "About the choice of a target"},
		{'q', "^C again quits", "About quitting"},
	};
	struct live_screen *f = *state;

	for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
		state_key(&f->s, ways[i].key);
		if (!f->s.dialogs.depth && f->s.gather.view.message[0])
			fail_msg("'%c' says: %s", ways[i].key, f->s.gather.view.message);
		assert_int_equal(f->s.dialogs.depth, 1);
		explain(f, ways[i].title, ways[i].about);
		state_key(&f->s, K_ESC);
		assert_int_equal(f->s.dialogs.depth, 0);
		expect(f, ways[i].title, false);
		assert_false(f->s.quit);
	}
}

static void from_the_portals_esc_goes_back_to_the_picker(void **state)
{
	struct live_screen *f = *state;

	state_key(&f->s, 'd');
	state_key(&f->s, 'i');
	assert_int_equal(f->s.dialogs.depth, 1);
	explain(f, "iSCSI portal", "About iSCSI portals");
	state_key(&f->s, K_ESC);
	explain(f, "Enter starts reading", "About the choice of a target");
	state_key(&f->s, K_ESC);
	assert_int_equal(f->s.dialogs.depth, 0);
	assert_false(f->s.quit);
}

static void help_is_left_by_each_key_that_says_back(void **state)
{
	static const int back[] = {K_ESC, F1, '?', 'h', 'q'};
	struct live_screen *f = *state;

	for (size_t i = 0; i < sizeof(back) / sizeof(*back); i++) {
		state_key(&f->s, i % 2 ? F1 : '?');
		expect(f, "lunscope 1.0: help", true);
		state_key(&f->s, back[i]);
		expect(f, "lunscope 1.0: help", false);
	}
}

/* --- What null: doesn't have. --- */

static const struct sessions *no_sessions(void *ctx)
{
	static const struct sessions two = {.paths = 2, .path = {{.number = 1}, {.number = 2}}};

	(void)ctx;
	return &two;
}

static void chosen(void *ctx, unsigned at)
{
	(void)ctx;
	(void)at;
}

static const struct paths_desk paths_desk = {.look = no_sessions, .chosen = chosen};
static const struct backend_login nobody;

static struct dialog consent(enum guard_level level)
{
	struct guard_report r = {.kind = GUARD_BLOCK,
				 .spec = "/dev/sdq",
				 .path = "/dev/sdq",
				 .size = 1 << 30,
				 .confirm = "8f3a91",
				 .window_length = 1 << 20,
				 .count = 1};

	r.finding[0] = (struct guard_finding){.gate = GATE_MOUNTED, .level = level};
	snprintf(r.finding[0].text, sizeof(r.finding[0].text), "something was found");
	return dialog_consent_report(&r);
}

static void walk(struct live_screen *f, struct dialog d, const char *title, const char *about)
{
	assert_true(dialog_push(&f->s.dialogs, d));
	explain(f, title, about);
	state_key(&f->s, K_ESC);
	assert_int_equal(f->s.dialogs.depth, 0);
}

static void paths_logins_permission_and_waiting_are_explained_and_left(void **state)
{
	struct live_screen *f = *state;
	struct create_progress progress = {.cancel = false};

	walk(f, dialog_paths(&paths_desk, 0), "Paths", "About the paths");
	walk(f, dialog_login("Who?", false, &nobody), "Login by CHAP", "About the login");
	walk(f, consent(GUARD_WARN), "something was found", "About permission to write");
	walk(f, consent(GUARD_REFUSE), "will not be written", "About permission to write");
	walk(f, dialog_wait("Target", "Opening x", NULL, &progress), "Opening x", "About waiting");
	walk(f, dialog_trigger(&(struct trigger_wish){.text = "p99 > 1ms"}), "p99 > 1ms",
	     "About the trigger");
	walk(f, dialog_baseline(NULL, 0, 0), "no run is kept yet", "About the baseline");
	walk(f, dialog_history(NULL, 0, &(struct history_desk){0}), "no run is kept yet",
	     "About the runs that are kept");
	walk(f, dialog_page("Run 1", "figures"), "figures", "About this page");
	walk(f, dialog_text("A and B", "differ", ABOUT_DIFFERENCES), "A and B",
	     "About what differs");
}

/* Whatever can't be called off lasts only as long as the device takes; ^C still asks whether to quit. */
static void what_cannot_be_cancelled_is_explained_too_and_can_be_quit_from(void **state)
{
	struct live_screen *f = *state;

	assert_true(dialog_push(&f->s.dialogs, dialog_wait("Target", "Ending", NULL, NULL)));
	explain(f, "Ending", "About waiting");
	state_key(&f->s, K_ESC);
	expect(f, "Ending", true);
	state_key(&f->s, K_INTERRUPT);
	explain(f, "^C again quits", "About quitting");
	state_key(&f->s, K_ESC);
	expect(f, "^C again quits", false);
}

static int work_is_done;

static void work(void *data)
{
	(void)data;
}

static void done(struct ui_state *s, void *data)
{
	(void)s;
	(void)data;
	work_is_done++;
}

static void an_explanation_over_waiting_goes_with_it(void **state)
{
	struct live_screen *f = *state;
	struct state_job j = {.title = "Target",
			      .words = "Opening",
			      .work = work,
			      .free_data = free,
			      .data = calloc(1, 1),
			      .done = done};

	work_is_done = 0;
	state_key(&f->s, 'e');
	assert_true(state_job_start(&f->s, &j));
	state_key(&f->s, F1);
	assert_int_equal(f->s.dialogs.depth, 3);
	for (double end = proc_now() + proc_patience(); !work_is_done && proc_now() < end;)
		state_update(&f->s, 0);
	assert_int_equal(work_is_done, 1);
	assert_int_equal(f->s.dialogs.depth, 1);
	expect(f, "This command line", true);
}

/* --- How long it takes. --- */

static void waits_until(struct live_screen *f, const char *words)
{
	for (double end = proc_now() + proc_patience(); !shows(f, words) && proc_now() < end;)
		usleep(20000);
	expect(f, words, true);
}

static void a_wait_says_for_how_long_and_how_long_at_most(void **state)
{
	struct live_screen *f = *state;
	struct create_progress progress = {.cancel = false};

	assert_true(dialog_push(&f->s.dialogs,
				dialog_wait("Target", "Ending", "IOs get 2 s at most", NULL)));
	expect(f, "IOs get 2 s at most", true);
	expect(f, "Can't be cancelled", true);
	expect(f, "Esc cancels", false);
	waits_until(f, "s so far; IOs get 2 s at most");
	dialog_clear(&f->s.dialogs);
	assert_true(dialog_push(&f->s.dialogs, dialog_wait("Target", "Opening", NULL, &progress)));
	expect(f, "so far", false);
	expect(f, "Esc cancels", true);
	waits_until(f, "1 s so far");
}

static atomic_bool let_go, went;
static int cancels;

static void look_for_ever(void *data)
{
	(void)data;
	while (!let_go)
		usleep(1000);
}

static void looked(void *data)
{
	free(data);
	went = true;
}

static void look_cancelled(struct ui_state *s)
{
	(void)s;
	cancels++;
}

static void start_looking(struct live_screen *f)
{
	struct create_progress *progress = calloc(1, sizeof(*progress));
	struct state_job j = {.title = "Permission to write",
			      .words = "Looking",
			      .on_target = true,
			      .progress = progress,
			      .work = look_for_ever,
			      .free_data = looked,
			      .data = progress,
			      .done = done,
			      .cancelled = look_cancelled};

	let_go = went = false;
	work_is_done = cancels = 0;
	assert_true(state_job_start(&f->s, &j));
	expect(f, "Looking", true);
}

static void a_look_at_a_target_that_hangs_is_left_by_esc_and_known_to_go_on(void **state)
{
	struct live_screen *f = *state;

	start_looking(f);
	state_key(&f->s, K_ESC);
	assert_int_equal(cancels, 1);
	assert_int_equal(f->s.dialogs.depth, 0);
	assert_true(state_job_left(&f->s));
	let_go = true;
	for (double end = proc_now() + proc_patience(); state_job_left(&f->s) && proc_now() < end;)
		usleep(1000);
	assert_false(state_job_left(&f->s));
	assert_false(f->s.target_in_use);
	assert_int_equal(work_is_done, 0);
}

/* Nor does it keep the program from its end, and the target is not closed under it. */
static void a_look_at_a_target_that_hangs_does_not_keep_the_end(void **state)
{
	struct live_screen *f = *state;

	for (int cancel = 0; cancel < 2; cancel++) {
		f->s.target_in_use = false;
		start_looking(f);
		if (cancel)
			state_key(&f->s, K_ESC);
		state_job_end(&f->s);
		assert_true(f->s.target_in_use);
		dialog_clear(&f->s.dialogs);
		let_go = true;
		for (double end = proc_now() + proc_patience(); !went && proc_now() < end;)
			usleep(1000);
		assert_true(went);
	}
}

static char *whole_file(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t n = 0;

	if (!f || getdelim(&text, &n, '\0', f) < 0)
		fail_msg("%s can't be read", path);
	fclose(f);
	return text;
}

/* A dialog that is added later is asked here what it says of itself: it has a topic, or it answers the keys
 * for help by its own. */
static void every_file_of_a_dialog_has_an_explanation(void **state)
{
	char folder[4096], path[8192], *text;
	const char *top = getenv("TEST_SRCDIR");
	int seen = 0;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/ui", top ? top : ".");
	DIR *dir = opendir(folder);
	if (!dir)
		fail_msg("no folder %s: TEST_SRCDIR is that of the sources", folder);
	for (struct dirent *e; (e = readdir(dir));) {
		if (strncmp(e->d_name, "dialog_", 7) != 0 || !strstr(e->d_name, ".c"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		text = whole_file(path);
		/* The explanations themselves are the exception. */
		if (strcmp(e->d_name, "dialog_about.c") != 0 && !strstr(text, ".about = ") &&
		    !strstr(text, "ACT_HELP"))
			fail_msg("%s: no explanation", e->d_name);
		free(text);
		seen++;
	}
	closedir(dir);
	assert_true(seen > 10);
}

static void every_explanation_is_there_and_says_what_esc_does(void **state)
{
	struct live_screen *f = *state;

	for (int t = ABOUT_NONE + 1; t < ABOUT_COUNT; t++) {
		assert_true(dialog_push(&f->s.dialogs, dialog_about((enum dialog_topic)t)));
		expect(f, "About", true);
		state_key(&f->s, K_ESC);
		assert_int_equal(f->s.dialogs.depth, 0);
	}
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(from_each_dialog_of_the_main_screen_there_is_a_way_back_and_an_explanation),
		TEST(from_the_portals_esc_goes_back_to_the_picker),
		TEST(help_is_left_by_each_key_that_says_back),
		TEST(paths_logins_permission_and_waiting_are_explained_and_left),
		TEST(what_cannot_be_cancelled_is_explained_too_and_can_be_quit_from),
		TEST(an_explanation_over_waiting_goes_with_it),
		TEST(a_wait_says_for_how_long_and_how_long_at_most),
		TEST(a_look_at_a_target_that_hangs_is_left_by_esc_and_known_to_go_on),
		TEST(a_look_at_a_target_that_hangs_does_not_keep_the_end),
		TEST(every_file_of_a_dialog_has_an_explanation),
		TEST(every_explanation_is_there_and_says_what_esc_does),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
