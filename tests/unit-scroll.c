/* unit-scroll.c - charts that show an earlier time: what is in them then, and how the cursors lead there and
 * back. Over a real run of a few seconds, in a window of one.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "run.h"
#include "target.h"
#include "tests/canvas-print.h"
#include "tests/proc.h"
#include "ui/key.h"
#include "ui/pane_util.h"
#include "ui/screen.h"
#include "ui/state.h"

#define WINDOW_NS NS_PER_SEC
#define RUN_NS    (4 * NS_PER_SEC)
/* More ticks than a timeline keeps. */
#define TICKS_MORE 6500

struct fixture {
	struct ui_host host;
	struct run *run;
	struct target target;
	struct ui_state s;
	struct canvas c;
};

static struct view *frame(struct fixture *f)
{
	state_update(&f->s, clock_ns());
	screen_draw(&f->c, &f->s);
	return &f->s.gather.view;
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct workload w = workload_default();
	struct target_options o = {0};
	struct run_config rc = {.no_store = true, .command = "", .status = "live"};
	struct error e = {""};

	if (!f)
		return -1;
	rc.workload = w;
	if (target_open(&f->target, "null:1ms", &o, &e) || run_create(&f->run, &f->target, &rc, &e))
		fail_msg("%s", e.text);
	struct ui_config c = {.host = &f->host,
			      .run = f->run,
			      .target = &f->target,
			      .workload = w,
			      .version = "1.0"};
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	assert_int_equal(canvas_resize(&f->c, 24, 80), 0);
	struct view *v = frame(f);
	gather_window(&f->s.gather, f->run, WINDOW_NS);
	double until = proc_now() + proc_patience();
	while (v->now_ns < v->snap.start_ns + RUN_NS && proc_now() < until) {
		usleep(50000);
		frame(f);
	}
	assert_true(v->now_ns >= v->snap.start_ns + RUN_NS);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	struct summary s;

	state_free(&f->s);
	canvas_free(&f->c);
	run_stop(f->run, "done", &s);
	run_destroy(f->run);
	target_close(&f->target);
	free(f);
	return 0;
}

/* IOs that the timeline's own ticks have in (from, to], each for as long as it lies in there. */
static double ios_between(struct fixture *f, uint64_t from, uint64_t to, double *covered)
{
	static struct sample tick[8000];
	size_t n = timeline_ticks(run_timeline(f->run), 0, tick, 8000);
	double sum = 0;

	*covered = 0;
	for (size_t i = 0; i < n; i++) {
		uint64_t start = tick[i].t_ns - tick[i].dt_ns;
		uint64_t a = start > from ? start : from, b = tick[i].t_ns < to ? tick[i].t_ns : to;
		if (a >= b)
			continue;
		sum += (double)tick[i].op[IO_READ].ios * (double)(b - a) / (double)tick[i].dt_ns;
		*covered += (double)(b - a) / 1e9;
	}
	return sum;
}

static void expect_columns_of_the_timeline(struct fixture *f)
{
	const struct view *v = &f->s.gather.view;
	struct chart_column col[7];

	chart_columns(v, false, col, 7);
	for (int i = 0; i < 7; i++) {
		uint64_t from, to;
		double covered;
		chart_column_span(v, i, 7, &from, &to);
		double ios = ios_between(f, from, to, &covered);
		assert_true(col[i].valid);
		assert_float_equal(col[i].read, ios / covered, 1e-6 * ios + 1e-6);
	}
}

static bool shows(struct fixture *f, const char *words)
{
	char row[1024];

	for (int r = 0; r < f->c.rows; r++)
		if (strstr(canvas_row(&f->c, r, row, sizeof(row)), words))
			return true;
	return false;
}

static void charts_of_an_earlier_time_have_its_samples_and_stay_there(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	uint64_t end = v->snap.start_ns + 2 * NS_PER_SEC + 50 * NS_PER_MS;

	assert_true(shows(f, " now"));
	gather_scroll(&f->s.gather, f->run, end);
	assert_int_equal(v->end_ns, end);
	expect_columns_of_the_timeline(f);
	size_t count = v->chart_count;
	uint64_t first = v->chart[0].t_ns, now = v->now_ns;
	while (v->now_ns < now + WINDOW_NS)
		frame(f);
	/* Time goes on and they don't. */
	assert_int_equal(v->chart_count, count);
	assert_int_equal(v->chart[0].t_ns, first);
	expect_columns_of_the_timeline(f);
	assert_false(shows(f, " now"));
	/* The other window ends there, too. */
	gather_window(&f->s.gather, f->run, WINDOW_NS / 2);
	expect_columns_of_the_timeline(f);
	gather_window(&f->s.gather, f->run, WINDOW_NS);
	/* And back. */
	gather_scroll(&f->s.gather, f->run, 0);
	assert_int_equal(v->end_ns, 0);
	assert_int_equal(v->chart[v->chart_count - 1].t_ns, v->now_ns);
	frame(f);
	assert_true(shows(f, " now"));
}

static void press(struct fixture *f, int key)
{
	state_key(&f->s, key);
	frame(f);
}

/* Until the cursor stands there; however long the run was. */
static void press_until(struct fixture *f, int key, const uint64_t *t_ns, uint64_t goal)
{
	for (int i = 0; i < 10000 && *t_ns != goal; i++)
		press(f, key);
	assert_int_equal(*t_ns, goal);
}

static void cursors_lead_to_the_runs_beginning_and_esc_back_to_now(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	const struct cursor *k = &f->s.cursors.at[0];

	press(f, 'j');
	assert_true(k->set);
	assert_int_equal(v->end_ns, 0);
	for (int i = 0; i < 40; i++) {
		press(f, K_PGUP);
		/* It is in the charts wherever it goes. */
		assert_true(chart_column_of(v, k->t_ns, 68) >= 0);
	}
	uint64_t start = v->marks[0].t_ns;
	start = start < v->snap.start_ns ? start : v->snap.start_ns;
	press_until(f, K_PGUP, &k->t_ns, start);
	assert_true(v->end_ns > 0 && v->end_ns < v->now_ns);
	gather_scroll(&f->s.gather, f->run, start + 2 * WINDOW_NS);
	expect_columns_of_the_timeline(f);
	/* The second one begins where the first is, and goes to now. */
	press(f, 'j');
	for (int i = 0; i < 10000 && v->end_ns; i++)
		press(f, K_PGDN);
	assert_int_equal(v->end_ns, 0);
	/* Taking the first again goes to where it stands. */
	press(f, 'j');
	assert_true(v->end_ns > 0);
	assert_true(chart_column_of(v, k->t_ns, 68) >= 0);
	for (int i = 0; i < 3 && cursors_rows(&f->s.cursors); i++)
		press(f, K_ESC);
	assert_int_equal(cursors_rows(&f->s.cursors), 0);
	assert_int_equal(v->end_ns, 0);
	assert_true(shows(f, " now"));
}

/* Whether the cursor's row in the heat map has the IOs of a second that its column touches. */
static bool shows_its_second(struct fixture *f, const struct cursor *k)
{
	static struct heat_slice all[1000];
	size_t n = timeline_heat(run_timeline(f->run), 0, UINT64_MAX, all, 1000);
	char words[40];

	for (size_t i = 0; i < n; i++) {
		snprintf(words, sizeof(words), " %llu IOs", (unsigned long long)all[i].ios);
		if (all[i].t_ns - all[i].dt_ns < k->to_ns && all[i].t_ns > k->from_ns &&
		    shows(f, words))
			return true;
	}
	return false;
}

static void the_heat_map_goes_along_with_its_cursor(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	const struct cursor *k = &f->s.cursors.at[0];

	press(f, '9');
	assert_int_equal(f->s.zoom, PANE_HEAT);
	press(f, 'j');
	assert_true(k->set);
	assert_int_equal(v->focus.pane, PANE_HEAT);
	uint64_t before = k->t_ns;
	for (int i = 0; i < 20; i++)
		press(f, K_PGUP);
	assert_true(k->t_ns < before - WINDOW_NS);
	assert_true(v->end_ns > 0);
	assert_true(shows_its_second(f, k));
	for (int i = 0; i < 5; i++)
		press(f, K_LEFT);
	assert_true(shows_its_second(f, k));
	press(f, 'z');
	assert_true(shows_its_second(f, k));
	press(f, 'Z');
	gather_window(&f->s.gather, f->run, WINDOW_NS);
	press(f, K_ESC);
	press(f, K_ESC);
	assert_int_equal(v->end_ns, 0);
	assert_int_equal(f->s.zoom, PANE_COUNT);
}

static void a_mark_beyond_the_left_edge_is_gone_to(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	const struct cursor *k = &f->s.cursors.at[0];

	press(f, 'm');
	press(f, K_ENTER);
	uint64_t mark = v->marks[v->mark_count - 1].t_ns;
	while (v->now_ns < mark + 2 * WINDOW_NS)
		frame(f);
	press(f, 'j');
	press(f, K_HOME);
	assert_int_equal(k->t_ns, mark);
	assert_true(v->end_ns > 0);
	assert_true(chart_column_of(v, mark, 68) >= 0);
	/* A display that stands still can be looked through as well. */
	press(f, ' ');
	uint64_t now = v->now_ns;
	for (int i = 0; i < 20; i++)
		press(f, K_PGUP);
	gather_scroll(&f->s.gather, f->run, mark);
	expect_columns_of_the_timeline(f);
	press_until(f, K_PGDN, &k->t_ns, now);
	assert_int_equal(v->now_ns, now);
}

static void a_reset_takes_the_cursors_away_and_comes_back_to_now(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	if (v->frozen)
		press(f, ' ');
	press(f, 'j');
	press(f, 'j');
	for (int i = 0; i < 10000 && !v->end_ns; i++)
		press(f, K_PGUP);
	assert_true(cursors_rows(&f->s.cursors) > 0);
	press(f, '0');
	assert_int_equal(cursors_rows(&f->s.cursors), 0);
	assert_int_equal(v->end_ns, 0);
}

/* In the display that stands still, where no tick comes in between. */
static void a_cursor_is_not_in_the_gap_of_a_sweep(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	const struct cursor *k = &f->s.cursors.at[0];

	for (int i = 0; i < 3 && cursors_rows(&f->s.cursors); i++)
		press(f, K_ESC);
	if (!v->frozen)
		press(f, ' ');
	gather_scroll(&f->s.gather, f->run, 0);
	v->sweep = true;
	press(f, 'j');
	assert_true(k->set && chart_sweeps(v));
	for (int i = 0; i < 100; i++) {
		int cells = pane_chart_cells(80, f->s.layout.pane[PANE_IOPS], v, PANE_IOPS);
		assert_true(chart_column_of(v, k->t_ns, chart_resolution(v->level, cells)) >= 0);
		press(f, K_LEFT);
	}
	/* It has gone on to where the charts show an earlier time. */
	assert_true(v->end_ns > 0 && k->t_ns > 0);
	v->sweep = false;
	press(f, K_ESC);
	press(f, K_ESC);
	assert_int_equal(cursors_rows(&f->s.cursors), 0);
}

/* The display has stood still for so long that the ring of ticks has gone round. */
static void what_was_frozen_is_read_in_seconds_once_its_ticks_are_gone(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	if (!v->frozen)
		press(f, ' ');
	for (unsigned i = 0; i <= TICKS_MORE; i++) {
		struct sample s;
		sample_clear(&s);
		s.t_ns = clock_ns();
		s.dt_ns = 1;
		timeline_tick(run_timeline(f->run), &s, NULL);
	}
	assert_true(timeline_ticks_since(run_timeline(f->run)) > v->now_ns);
	gather_window(&f->s.gather, f->run, 3 * NS_PER_SEC);
	assert_true(v->chart_count > 0);
	assert_true(v->chart[0].dt_ns > NS_PER_SEC / 2);
	frame(f);
	assert_false(shows(f, "no samples yet"));
	/* And of an earlier time likewise. */
	gather_scroll(&f->s.gather, f->run, v->now_ns - NS_PER_SEC);
	assert_true(v->chart_count > 0);
	/* What comes next is made of ticks again. */
	press(f, ' ');
	gather_scroll(&f->s.gather, f->run, 0);
	assert_false(v->frozen);
	double until = proc_now() + proc_patience();
	while (!v->chart_count && proc_now() < until)
		frame(f);
	assert_true(v->chart_count > 0);
	assert_true(v->chart[v->chart_count - 1].dt_ns < NS_PER_SEC / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(charts_of_an_earlier_time_have_its_samples_and_stay_there),
		cmocka_unit_test(cursors_lead_to_the_runs_beginning_and_esc_back_to_now),
		cmocka_unit_test(the_heat_map_goes_along_with_its_cursor),
		cmocka_unit_test(a_mark_beyond_the_left_edge_is_gone_to),
		cmocka_unit_test(a_reset_takes_the_cursors_away_and_comes_back_to_now),
		cmocka_unit_test(a_cursor_is_not_in_the_gap_of_a_sweep),
		cmocka_unit_test(what_was_frozen_is_read_in_seconds_once_its_ticks_are_gone),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
