/* unit-layout.c - the layout at every size a terminal may have, with panes zoomed and switched off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "ui/layout.h"

#define MAX_ROWS 100
#define MAX_COLS 300
#define ALL      ((1u << PANE_COUNT) - 1)
#define USUAL    (1u << PANE_METERS) /* hidden until they are asked for */
#define NO_PATHS 0

static void assert_same(struct rect a, int row, int col, int rows, int cols)
{
	assert_int_equal(a.row, row);
	assert_int_equal(a.col, col);
	assert_int_equal(a.rows, rows);
	assert_int_equal(a.cols, cols);
}

/* Marks r's cells; fails when one is outside or taken. */
static int occupy(unsigned char *taken, int rows, int cols, struct rect r, const char *what)
{
	if (r.rows == 0)
		return 0;
	if (r.row < 0 || r.col < 0 || r.rows < 1 || r.cols < 1 || r.row + r.rows > rows ||
	    r.col + r.cols > cols)
		fail_msg("%s is outside at %dx%d: row %d col %d, %dx%d", what, cols, rows, r.row,
			 r.col, r.cols, r.rows);
	for (int y = r.row; y < r.row + r.rows; y++)
		for (int x = r.col; x < r.col + r.cols; x++) {
			if (taken[y * cols + x])
				fail_msg("%s overlaps at %dx%d: row %d col %d", what, cols, rows, y,
					 x);
			taken[y * cols + x] = 1;
		}
	return 1;
}

static struct layout check_plan(int rows, int cols, enum pane_id zoom, const struct pane_plan *plan,
				unsigned paths, unsigned nics)
{
	static unsigned char taken[MAX_ROWS * MAX_COLS];
	struct layout l = layout_planned(rows, cols, zoom, plan, paths, nics, false);
	unsigned hidden = plan->hidden;
	int panes = 0;

	memset(taken, 0, (size_t)rows * (size_t)cols);
	assert_true(occupy(taken, rows, cols, l.header, "header"));
	occupy(taken, rows, cols, l.knobs, "knobs");
	occupy(taken, rows, cols, l.answer, "answer");
	occupy(taken, rows, cols, l.footer, "footer");
	for (int p = 0; p < PANE_COUNT; p++) {
		int min_rows, min_cols;

		if (!occupy(taken, rows, cols, l.pane[p], "a pane"))
			continue;
		panes++;
		layout_pane_min((enum pane_id)p, &min_rows, &min_cols);
		if (l.pane[p].rows < min_rows || l.pane[p].cols < min_cols)
			fail_msg("pane %d is too small at %dx%d: %dx%d", p, cols, rows,
				 l.pane[p].cols, l.pane[p].rows);
		assert_true(zoom == PANE_COUNT ? !(hidden & 1u << p) : (enum pane_id)p == zoom);
	}
	if (!paths)
		hidden |= 1u << PANE_SESSIONS;
	if (!nics)
		hidden |= 1u << PANE_NICS;
	if (l.too_small)
		assert_int_equal(panes, 0);
	else if (zoom < PANE_COUNT || hidden != ALL)
		assert_true(panes > 0);
	if (!paths)
		assert_int_equal(l.pane[PANE_SESSIONS].rows, 0);
	if (!nics)
		assert_int_equal(l.pane[PANE_NICS].rows, 0);
	assert_int_equal(l.too_small, rows < LAYOUT_MIN_ROWS || cols < LAYOUT_MIN_COLS);
	return l;
}

static struct layout check_with(int rows, int cols, enum pane_id zoom, unsigned hidden,
				unsigned paths, unsigned nics)
{
	struct pane_plan plan = pane_plan_usual;

	plan.hidden = hidden;
	return check_plan(rows, cols, zoom, &plan, paths, nics);
}

static struct layout check(int rows, int cols, enum pane_id zoom, unsigned hidden)
{
	return check_with(rows, cols, zoom, hidden, NO_PATHS, 0);
}

static void nvtop_147_every_size_from_1x1_to_300x100_holds_without_overlap(void **state)
{
	(void)state;
	for (int rows = 1; rows <= MAX_ROWS; rows++)
		for (int cols = 1; cols <= MAX_COLS; cols++)
			check(rows, cols, PANE_COUNT, 0);
}

static void with_paths_too(void **state)
{
	(void)state;
	for (unsigned paths = 1; paths <= 16; paths += 3)
		for (int rows = 1; rows <= MAX_ROWS; rows++)
			for (int cols = 1; cols <= MAX_COLS; cols++)
				check_with(rows, cols, PANE_COUNT, 0, paths, paths);
}

/* The same plans at each run: a generator of our own. */
static unsigned next_random(void)
{
	static uint32_t x = 12345;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	return x;
}

static struct pane_plan random_plan(void)
{
	struct pane_plan plan = pane_plan_usual;

	for (unsigned i = PANE_COUNT - 1; i > 0; i--) {
		unsigned k = next_random() % (i + 1);
		enum pane_id p = plan.order[i];
		plan.order[i] = plan.order[k];
		plan.order[k] = p;
	}
	plan.hidden = next_random() & next_random() & ALL;
	for (int p = 0; p < PANE_COUNT; p++)
		plan.size[p] = (signed char)((int)(next_random() % 3) - 1);
	return plan;
}

static void every_size_holds_with_any_order_sizes_and_panes(void **state)
{
	(void)state;
	for (int rows = 1; rows <= MAX_ROWS; rows++)
		for (int cols = 1; cols <= MAX_COLS; cols++) {
			const struct pane_plan plan = random_plan();
			check_plan(rows, cols, PANE_COUNT, &plan, next_random() % 9,
				   next_random() % 5);
		}
}

static void panes_stand_in_the_order_of_the_plan(void **state)
{
	(void)state;
	for (int i = 0; i < 200; i++) {
		const struct pane_plan plan = random_plan();
		struct layout l = layout_planned(90, 200, PANE_COUNT, &plan, 2, 2, false);
		int at = 0;
		for (int p = 0; p < PANE_COUNT; p++) {
			struct rect r = l.pane[plan.order[p]];
			if (!r.rows)
				continue;
			assert_true(r.row * 1000 + r.col > at);
			at = r.row * 1000 + r.col;
		}
	}
}

static void a_large_pane_has_more_rows_than_a_small_one(void **state)
{
	struct pane_plan plan = pane_plan_usual;
	int rows[3];

	(void)state;
	for (int size = PANE_SMALL; size <= PANE_LARGE; size++) {
		plan.size[PANE_RATE] = (signed char)size;
		rows[size + 1] = layout_planned(60, 100, PANE_COUNT, &plan, 0, 0, false)
					 .pane[PANE_RATE]
					 .rows;
	}
	assert_true(rows[0] < rows[1]);
	assert_true(rows[1] < rows[2]);
}

static const struct {
	int rows, cols;
} some_sizes[] = {{1, 1},   {9, 39},  {10, 40}, {12, 40},  {16, 76},  {16, 77},  {24, 80},
		  {25, 80}, {33, 80}, {50, 80}, {24, 119}, {24, 120}, {43, 132}, {100, 300}};
#define SIZES (sizeof(some_sizes) / sizeof(some_sizes[0]))

static void a_zoomed_pane_has_all_the_room_even_if_switched_off(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES; i++)
		for (int zoom = 0; zoom < PANE_COUNT; zoom++) {
			int rows = some_sizes[i].rows, cols = some_sizes[i].cols;
			struct layout l =
				check_with(rows, cols, (enum pane_id)zoom, 1u << zoom, 2, 2);

			if (!l.too_small)
				assert_same(l.pane[zoom], 3, 0, rows - 4, cols);
		}
}

static void any_set_of_panes_can_be_switched_off(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZES; i++)
		for (unsigned hidden = 0; hidden <= ALL; hidden++)
			check_with(some_sizes[i].rows, some_sizes[i].cols, PANE_COUNT, hidden,
				   hidden % 3, hidden % 4);
}

static void at_80x24_one_chart_then_two_pairs(void **state)
{
	struct layout l = check(24, 80, PANE_COUNT, USUAL);

	(void)state;
	assert_same(l.header, 0, 0, 1, 80);
	assert_same(l.knobs, 1, 0, 1, 80);
	assert_same(l.answer, 2, 0, 1, 80);
	assert_same(l.pane[PANE_IOPS], 3, 0, 9, 80);
	assert_int_equal(l.pane[PANE_RATE].rows, 0);
	assert_same(l.pane[PANE_LATENCY], 12, 0, 6, 39);
	assert_same(l.pane[PANE_CPU], 12, 40, 6, 40);
	assert_same(l.pane[PANE_TARGET], 18, 0, 5, 39);
	assert_same(l.pane[PANE_EVENTS], 18, 40, 5, 40);
	assert_same(l.footer, 23, 0, 1, 80);
}

static void at_132x43_both_charts_side_by_side(void **state)
{
	struct layout l = check(43, 132, PANE_COUNT, USUAL);

	(void)state;
	assert_same(l.pane[PANE_IOPS], 3, 0, 12, 65);
	assert_same(l.pane[PANE_RATE], 3, 66, 12, 66);
	assert_same(l.pane[PANE_HEAT], 15, 0, 11, 65);
	assert_same(l.pane[PANE_LATENCY], 15, 66, 11, 66);
	assert_same(l.pane[PANE_CPU], 26, 0, 9, 65);
	assert_same(l.pane[PANE_TARGET], 26, 66, 9, 66);
	assert_same(l.pane[PANE_EVENTS], 35, 0, 7, 132);
	assert_same(l.footer, 42, 0, 1, 132);
}

static void without_the_heat_map_the_others_are_where_they_would_be(void **state)
{
	struct layout l = check(43, 132, PANE_COUNT, USUAL | 1u << PANE_HEAT);

	(void)state;
	assert_same(l.pane[PANE_IOPS], 3, 0, 17, 65);
	assert_same(l.pane[PANE_RATE], 3, 66, 17, 66);
	assert_same(l.pane[PANE_LATENCY], 20, 0, 13, 65);
	assert_same(l.pane[PANE_CPU], 20, 66, 13, 66);
	assert_same(l.pane[PANE_TARGET], 33, 0, 9, 65);
	assert_same(l.pane[PANE_EVENTS], 33, 66, 9, 66);
}

/* It displaces nobody, makes nobody smaller than is comfortable, and does not come and go with the verdict. */
static void the_heat_map_only_takes_what_the_others_can_spare(void **state)
{
	int with = 0, without = 0;

	(void)state;
	for (int rows = LAYOUT_MIN_ROWS; rows <= MAX_ROWS; rows++)
		for (int cols = LAYOUT_MIN_COLS; cols <= MAX_COLS; cols += 13)
			for (unsigned paths = 0; paths <= 8; paths += 4) {
				struct layout l = layout_compute(rows, cols, PANE_COUNT, USUAL,
								 paths, 2, false);
				struct layout told = layout_compute(rows, cols, PANE_COUNT, USUAL,
								    paths, 2, true);
				assert_int_equal(l.pane[PANE_HEAT].rows > 0,
						 told.pane[PANE_HEAT].rows > 0);
				without += !l.pane[PANE_HEAT].rows;
				if (!l.pane[PANE_HEAT].rows)
					continue;
				with++;
				for (int p = 0; p < PANE_COUNT; p++)
					if ((p != PANE_SESSIONS || paths) && p != PANE_METERS)
						assert_true(l.pane[p].rows >= (p <= PANE_RATE ? 9
									       : p <= PANE_CPU
										       ? 6
										       : 4));
			}
	assert_true(with > 0 && without > 0);
}

/* Six rows and a title at 132x43; the other panes are all still there. */
static void meters_that_are_asked_for_have_a_row_each_where_there_is_room(void **state)
{
	struct layout l = check(43, 132, PANE_COUNT, 1u << PANE_HEAT);

	(void)state;
	for (int p = 0; p < PANE_COUNT; p++)
		assert_int_equal(l.pane[p].rows > 0,
				 p != PANE_HEAT && p != PANE_SESSIONS && p != PANE_NICS);
	assert_true(l.pane[PANE_METERS].rows >= 7);
	assert_int_equal(l.pane[PANE_METERS].cols, 132);
	assert_true(pane_plan_usual.hidden & 1u << PANE_METERS);
}

static void four_paths_at_80x24_leave_room_for_everything_else(void **state)
{
	struct layout l = check_with(24, 80, PANE_COUNT, USUAL, 4, 4);

	(void)state;
	assert_same(l.answer, 2, 0, 1, 80);
	assert_same(l.pane[PANE_IOPS], 3, 0, 6, 80);
	assert_same(l.pane[PANE_LATENCY], 9, 0, 4, 39);
	assert_same(l.pane[PANE_CPU], 9, 40, 4, 40);
	assert_same(l.pane[PANE_TARGET], 13, 0, 3, 39);
	assert_same(l.pane[PANE_EVENTS], 13, 40, 3, 40);
	/* title, heads, four paths, a remark */
	assert_same(l.pane[PANE_SESSIONS], 16, 0, 7, 80);
}

static void sessions_take_no_more_rows_than_they_have_use_for(void **state)
{
	(void)state;
	for (unsigned paths = 1; paths <= 8; paths++)
		for (int rows = LAYOUT_MIN_ROWS; rows <= MAX_ROWS; rows++) {
			struct layout l = check_with(rows, 132, PANE_COUNT, 0, paths, paths);

			assert_true(l.pane[PANE_SESSIONS].rows <= (int)paths + 4);
			assert_true(l.pane[PANE_IOPS].rows >= 5);
		}
}

static void without_paths_the_pane_of_sessions_cannot_be_zoomed(void **state)
{
	struct layout l = check(24, 80, PANE_COUNT, 0), z;

	(void)state;
	z = layout_compute(24, 80, PANE_SESSIONS, 0, NO_PATHS, 0, false);
	assert_memory_equal(&l, &z, sizeof(l));
}

static void no_row_of_the_body_is_wasted(void **state)
{
	(void)state;
	for (int rows = LAYOUT_MIN_ROWS; rows <= MAX_ROWS; rows++)
		for (int cols = LAYOUT_MIN_COLS; cols <= MAX_COLS; cols += 7) {
			struct layout l =
				layout_compute(rows, cols, PANE_COUNT, 0, (unsigned)cols % 5,
					       (unsigned)cols % 3, cols % 2);
			int bottom = 0;

			for (int p = 0; p < PANE_COUNT; p++)
				if (l.pane[p].row + l.pane[p].rows > bottom)
					bottom = l.pane[p].row + l.pane[p].rows;
			assert_int_equal(bottom, rows - 1);
		}
}

static void a_pane_switched_off_leaves_its_place_to_its_neighbour(void **state)
{
	struct layout l = check(24, 80, PANE_COUNT, USUAL | 1u << PANE_LATENCY | 1u << PANE_IOPS);

	(void)state;
	assert_int_equal(l.pane[PANE_CPU].cols, 80);
	assert_same(l.pane[PANE_RATE], 3, 0, 9, 80);
}

static void the_smallest_screen_shows_the_chart(void **state)
{
	struct layout l = check(LAYOUT_MIN_ROWS, LAYOUT_MIN_COLS, PANE_COUNT, 0);

	(void)state;
	assert_same(l.pane[PANE_IOPS], 3, 0, 6, 40);
}

static void below_the_smallest_size_the_rows_that_fit_are_kept(void **state)
{
	struct layout l = check(4, 30, PANE_COUNT, 0);

	(void)state;
	assert_same(l.header, 0, 0, 1, 30);
	assert_same(l.knobs, 1, 0, 1, 30);
	assert_same(l.answer, 2, 0, 1, 30);
	assert_same(l.footer, 3, 0, 1, 30);
	l = check(3, 300, PANE_COUNT, 0);
	assert_int_equal(l.knobs.rows, 0);
	assert_same(l.answer, 1, 0, 1, 300);
	l = check(1, 1, PANE_COUNT, 0);
	assert_same(l.header, 0, 0, 1, 1);
	assert_int_equal(l.footer.rows, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nvtop_147_every_size_from_1x1_to_300x100_holds_without_overlap),
		cmocka_unit_test(with_paths_too),
		cmocka_unit_test(every_size_holds_with_any_order_sizes_and_panes),
		cmocka_unit_test(panes_stand_in_the_order_of_the_plan),
		cmocka_unit_test(a_large_pane_has_more_rows_than_a_small_one),
		cmocka_unit_test(a_zoomed_pane_has_all_the_room_even_if_switched_off),
		cmocka_unit_test(any_set_of_panes_can_be_switched_off),
		cmocka_unit_test(at_80x24_one_chart_then_two_pairs),
		cmocka_unit_test(at_132x43_both_charts_side_by_side),
		cmocka_unit_test(without_the_heat_map_the_others_are_where_they_would_be),
		cmocka_unit_test(the_heat_map_only_takes_what_the_others_can_spare),
		cmocka_unit_test(meters_that_are_asked_for_have_a_row_each_where_there_is_room),
		cmocka_unit_test(four_paths_at_80x24_leave_room_for_everything_else),
		cmocka_unit_test(sessions_take_no_more_rows_than_they_have_use_for),
		cmocka_unit_test(without_paths_the_pane_of_sessions_cannot_be_zoomed),
		cmocka_unit_test(no_row_of_the_body_is_wasted),
		cmocka_unit_test(a_pane_switched_off_leaves_its_place_to_its_neighbour),
		cmocka_unit_test(the_smallest_screen_shows_the_chart),
		cmocka_unit_test(below_the_smallest_size_the_rows_that_fit_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
