/* e2e-heat.c - the heat map on the live screen, over real IO on a file: its own pane on a wide screen, that of the
 * latencies on a small one; what its cursor says is what the run store has of that second.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define AXIS_COL 5 /* the line at the left */

/* Of the 256 colours, in the theme default. */
static const struct {
	uint32_t ch;
	int colour;
} shade[] = {{0x2591, 104}, {0x2592, 204}, {0x2593, 214}, {0x2588, 230}};

/* The pane's rows: from the one below the title down to the axis, whose corner is in AXIS_COL. */
static bool find_rows(struct vt *v, const char *title, int *first, int *axis)
{
	int col;

	if (!vt_find(v, title, first, &col) || col > 2)
		return false;
	++*first;
	for (*axis = *first; *axis < vt_rows(v); ++*axis)
		if (vt_cell(v, *axis, AXIS_COL).ch == 0x2514)
			return true;
	return false;
}

/* Columns that have a shade, each shade in its own colour; -1 where a colour is wrong. */
static int shaded_columns(struct vt *v, const char *title, int cols)
{
	int first, axis, n = 0;

	if (!find_rows(v, title, &first, &axis))
		return 0;
	for (int col = AXIS_COL + 1; col < cols; col++) {
		bool any = false;
		for (int row = first; row < axis; row++)
			for (int i = 0; i < 4; i++) {
				struct vt_cell c = vt_cell(v, row, col);
				if (c.ch != shade[i].ch)
					continue;
				any = true;
				if (c.fg != shade[i].colour)
					return -1;
			}
		n += any;
	}
	return n;
}

static bool has_columns(struct vt *v, void *least)
{
	return shaded_columns(v, "Heat map", 65) >= *(int *)least;
}

static bool has_small_columns(struct vt *v, void *least)
{
	return shaded_columns(v, "Latency", 39) >= *(int *)least;
}

static bool has_columns_alone(struct vt *v, void *least)
{
	return shaded_columns(v, "Heat map", 80) >= *(int *)least;
}

struct figures {
	long long ios;
	double p99_ns;
	double t; /* s since 1970 */
};

static double unit_ns(const char *unit)
{
	return strcmp(unit, "ns") == 0   ? 1
	       : strcmp(unit, "ms") == 0 ? 1e6
	       : *unit == 's'            ? 1e9
					 : 1e3;
}

/* "  1  04:20:59.3  300 IOs  p50 141 µs  p99 224 µs  of 1 s" */
static struct figures read_figures(struct vt *v)
{
	struct figures f = {0};
	int row, col, h, m;
	double sec, p50, p99;
	char one[8], two[8];
	time_t now = time(NULL);
	struct tm tm;

	VT_MATCH(v, VT_ANY, "^  1  [0-9:.]+  [0-9]+ IOs  p50 [^ ]+ [^ ]+  p99 [^ ]+ [^ ]+  of");
	assert_true(vt_find(v, " IOs  p50 ", &row, &col));
	if (sscanf(vt_row(v, row), " 1 %d:%d:%lf %lld IOs p50 %lf %7s p99 %lf %7s", &h, &m, &sec,
		   &f.ios, &p50, one, &p99, two) != 8)
		fail_msg("no figures in '%s'", vt_row(v, row));
	assert_true(p50 * unit_ns(one) <= p99 * unit_ns(two));
	f.p99_ns = p99 * unit_ns(two);
	localtime_r(&now, &tm);
	tm.tm_hour = h;
	tm.tm_min = m;
	tm.tm_sec = 0;
	f.t = (double)mktime(&tm) + sec;
	if (f.t > (double)now + 3600)
		f.t -= 86400; /* it was before midnight */
	return f;
}

/* One of the seconds at that time has just these IOs, and that p99 in three digits. */
static void compare_with_record(const char *store, const struct figures *f)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	char list[600] = "";
	bool found = false;

	assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "SELECT time, dt, read_ios + write_ios, p99 FROM sample "
				   "ORDER BY time",
				   -1, &st, NULL),
		SQLITE_OK);
	while (sqlite3_step(st) == SQLITE_ROW) {
		double to = (double)sqlite3_column_int64(st, 0) / 1e9;
		double from = to - (double)sqlite3_column_int64(st, 1) / 1e9;
		double p99 = (double)sqlite3_column_int64(st, 3);
		long long ios = sqlite3_column_int64(st, 2);
		size_t used = strlen(list);

		/* The clock has tenths, and a column is half a second. */
		if (f->t < from - 0.7 || f->t > to + 0.7)
			continue;
		snprintf(list + used, sizeof(list) - used, " %lld (%.0f ns)", ios, p99);
		found |= ios == f->ios && p99 >= f->p99_ns * 0.994 && p99 <= f->p99_ns * 1.006;
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	if (!found)
		fail_msg("shown are %lld IOs with a p99 of %.0f ns, recorded%s", f->ios, f->p99_ns,
			 list);
}

/* From the number on the axis up to the title's row there is nothing but the cursor. */
static void cursor_stands_through_it(struct vt *v)
{
	int first, axis, at = -1;

	assert_true(find_rows(v, "Heat map", &first, &axis));
	for (int col = AXIS_COL + 1; col < 65; col++)
		if (vt_cell(v, axis, col).ch == '1' && vt_cell(v, first, col).ch == 0x2502)
			at = col;
	VT_EXPECT(v, at > 0);
	for (int row = first; row < axis; row++)
		VT_EXPECT(v, vt_cell(v, row, at).ch == 0x2502);
}

static void the_heat_map_of_a_file_is_right_on_a_wide_and_on_a_small_screen(void **state)
{
	const struct vt_options o = {.rows = 43, .cols = 132};
	const char *store = scratch_path("heat.db");
	int few = 5, fewer = 2; /* a small column is a second long, and one has the cursor */

	(void)state;
	struct vt *v = LIVE(&o, scratch_file("heat.img", 8 << 20, false), "--rate", "300",
			    "--outstanding", "4", "--store", store);
	VT_TEXT(v, "% of a column's IOs");
	VT_EXPECT(v, vt_wait(v, has_columns, &few));
	vt_type(v, " ");
	VT_TEXT(v, " frozen");
	vt_type(v, "z");
	VT_TEXT(v, "-30 s");
	VT_EXPECT(v, vt_wait(v, has_columns, &few));
	/* With it in focus the arrows move the cursor: the newest second may not be over. */
	vt_type(v, "9j");
	VT_MATCH(v, VT_ANY, "^  1  [0-9:.]+  .*IOs  p50");
	for (int i = 0; i < 3; i++)
		vt_key(v, "left");
	vt_settle(v, 0.5);
	struct figures f = read_figures(v);
	cursor_stands_through_it(v);
	vt_shot(v, "heat-132x43");

	vt_resize(v, 24, 80);
	VT_GONE(v, "Heat map");
	vt_type(v, "ll");
	VT_TEXT(v, "5 20 50%");
	VT_EXPECT(v, vt_wait(v, has_small_columns, &fewer));
	vt_shot(v, "heat-80x24");
	vt_type(v, "9");
	VT_TEXT(v, "[Heat map]");
	VT_TEXT(v, "% of a column's IOs");
	VT_EXPECT(v, vt_wait(v, has_columns_alone, &few));
	vt_type(v, "p");
	VT_GONE(v, "[Heat map]");
	e2e_quit(v);
	compare_with_record(store, &f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(the_heat_map_of_a_file_is_right_on_a_wide_and_on_a_small_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
