/* e2e-scope.c - cursors and baseline on the live screen: what is shown there is what the run store has of those
 * seconds, whatever else the machine is busy with. null:5ms needs next to no CPU, so that more outstanding IOs are
 * more IOPS as a rule; nothing here depends on that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define WINDOW_S 300.0 /* 60 s, and three keys more */
/* What needs half a minute on a busy machine gets several times the patience. */
#define PATIENCES 4

/* For how long the run has gone on, s: the first time of the header. */
static int elapsed(struct vt *v)
{
	int h, m, sec;

	for (const char *p = vt_row(v, ROW_HEADER); *p; p++)
		if (sscanf(p, "%2d:%2d:%2d", &h, &m, &sec) == 3)
			return (h * 60 + m) * 60 + sec;
	return 0;
}

static bool goes_on_for(struct vt *v, void *seconds)
{
	return elapsed(v) >= *(const int *)seconds;
}

static void await(struct vt *v, int seconds)
{
	for (int i = 0; i < PATIENCES && elapsed(v) < seconds; i++)
		vt_wait(v, goes_on_for, &seconds);
	VT_EXPECT(v, elapsed(v) >= seconds);
}

/* --- The record. --- */

#define SECONDS_MOST 600

static struct {
	double from, to; /* s since 1970 */
	double ios, iops;
} second[SECONDS_MOST];
static int seconds;

/* The seconds of the run on this target. Returns the run's id. */
static int read_run(const char *store, const char *target)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	int run = 0;

	assert_int_equal(sqlite3_open(store, &db), SQLITE_OK);
	assert_int_equal(
		sqlite3_prepare_v2(db,
				   "SELECT time, dt, read_ios + write_ios, run FROM sample "
				   "JOIN run ON run.id = run WHERE target LIKE ?1 "
				   "ORDER BY time",
				   -1, &st, NULL),
		SQLITE_OK);
	sqlite3_bind_text(st, 1, target, -1, SQLITE_STATIC);
	for (seconds = 0; sqlite3_step(st) == SQLITE_ROW && seconds < SECONDS_MOST; seconds++) {
		double dt = (double)sqlite3_column_int64(st, 1) / 1e9;
		second[seconds].to = (double)sqlite3_column_int64(st, 0) / 1e9;
		second[seconds].from = second[seconds].to - dt;
		second[seconds].ios = (double)sqlite3_column_int64(st, 2);
		second[seconds].iops = second[seconds].ios / dt;
		run = sqlite3_column_int(st, 3);
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return run;
}

/* The IOs of (from, to]: at least those of the seconds that lie in it, at most those of all that it touches. */
static void bounds(double from, double to, double *least, double *most)
{
	*least = *most = 0;
	for (int i = 0; i < seconds; i++) {
		if (second[i].from >= from && second[i].to <= to)
			*least += second[i].ios;
		if (second[i].to > from && second[i].from < to)
			*most += second[i].ios;
	}
}

/* --- The screen. --- */

struct shown {
	double t; /* s since 1970 */
	double iops;
	char wave[24]; /* what the baseline has, "" where it isn't shown */
};

/* "142.9k" */
static double count(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return value * (*end == 'k' ? 1e3 : *end == 'M' ? 1e6 : 1);
}

static const char *row_of(struct vt *v, const char *sign)
{
	for (int row = 3; row < vt_rows(v); row++)
		if (strncmp(vt_row(v, row), sign, strlen(sign)) == 0)
			return vt_row(v, row);
	fail_msg("no row begins with '%s'", sign);
	return "";
}

/* "  1  12:04:31.4  IOPS 792  3.09 MiB/s  mean 5.05 ms  p99 max 6.29 ms  ~ 1.14k" */
static struct shown read_cursor(struct vt *v, int number)
{
	struct shown s = {.iops = NAN};
	char sign[8], iops[24];
	int h, m;
	double sec;
	time_t now = time(NULL);
	struct tm tm;

	snprintf(sign, sizeof(sign), "  %d ", number);
	const char *row = row_of(v, sign), *wave = strstr(row, "~ ");
	if (sscanf(row + 4, " %d:%d:%lf  IOPS %23s", &h, &m, &sec, iops) != 4)
		fail_msg("no cursor in '%s'", row);
	localtime_r(&now, &tm);
	tm.tm_hour = h;
	tm.tm_min = m;
	tm.tm_sec = 0;
	s.t = (double)mktime(&tm) + sec;
	if (s.t > (double)now + 3600)
		s.t -= 86400; /* it was before midnight */
	s.iops = count(iops);
	if (wave)
		sscanf(wave, "~ %23s", s.wave);
	return s;
}

/* How many IOs the column had must be what the record has of that time, wherever in the column the cursor is. */
static void compare_with_record(const struct shown *s)
{
	double width = WINDOW_S / 68, least = INFINITY, most = 0;

	for (double from = s->t - width - 0.2; from <= s->t + 0.2; from += 0.1) {
		double low, high;
		bounds(from, from + width, &low, &high);
		least = fmin(least, low);
		most = fmax(most, high);
	}
	/* Three digits are shown. */
	double ios = s->iops * width;
	if (!(least > 0) || ios < least * 0.995 || ios > most * 1.005)
		fail_msg("%.0f IOs at %.1f s are shown, %.0f to %.0f recorded", ios, s->t, least,
			 most);
}

/* One cursor before a change and one behind it, on a screen that stands still. */
static void set_cursors(struct vt *v)
{
	vt_type(v, " ");
	VT_TEXT(v, " frozen");
	vt_type(v, "ZZ");
	VT_TEXT(v, "-5 min");
	vt_type(v, "j");
	VT_MATCH(v, VT_ANY, "^  1  [0-9:.]+  IOPS ");
	vt_key(v, "home");
	vt_key(v, "left");
	vt_type(v, "j");
	VT_MATCH(v, VT_ANY, "^  2  [0-9:.]+  IOPS ");
	VT_TEXT(v, "2-1 +0.0 s");
	vt_key(v, "end");
	vt_key(v, "right");
	VT_TEXT(v, "2-1 +8.8 s");
}

static void choose_baseline(struct vt *v)
{
	vt_type(v, "g");
	VT_TEXT(v, "Baseline: a run to draw behind");
	VT_TEXT(v, "null:6ms");
	vt_key(v, "enter");
	VT_TEXT(v, "is drawn as ~");
	VT_MATCH(v, VT_ANY, "IOPS.* ~ run [12] ");
	VT_MATCH(v, VT_ANY, "^  1  .* ~ [0-9]");
	vt_shot(v, "scope");
}

/* What the baseline has at a cursor is a mean of its seconds. */
static void compare_with_baseline(const char *wave)
{
	double least = INFINITY, most = 0, iops = count(wave);

	for (int i = 0; i < seconds; i++) {
		least = fmin(least, second[i].iops);
		most = fmax(most, second[i].iops);
	}
	if (!(iops >= least * 0.99 && iops <= most * 1.01))
		fail_msg("the baseline shows %s, recorded are %.1f to %.1f", wave, least, most);
}

static void compare_difference(const char *row, double from, double to)
{
	char delta[24] = "", percent[24] = "";

	if (sscanf(row, " 2-1 +8.8 s  IOPS %23s %23s", delta, percent) != 2)
		fail_msg("no difference in '%s'", row);
	/* Three digits of each are shown. */
	assert_float_equal(count(delta), to - from, 0.02 * (to + from));
	assert_float_equal(atof(percent), 100 * (to / from - 1), 2 * to / from);
}

static void cursors_and_baseline_show_what_the_store_has_of_those_seconds(void **state)
{
	const char *store = scratch_path("scope.db");
	const struct vt_options o = {.term = "xterm", .locale = "C"};
	struct proc p;

	(void)state;
	const char *const other[] = {lunscope_path(), "run", "null:6ms", "--outstanding", "3",
				     "--for",         "26s", "--store",  store,           NULL};
	assert_int_equal(proc_start(&p, other, NULL), 0);
	struct vt *v = LIVE(&o, "null:5ms", "--outstanding", "4", "--store", store);
	await(v, 12);
	vt_type(v, "OOOO");
	KNOB(v, "Outst", "16");
	/* The column behind that of the mark must be over. */
	await(v, elapsed(v) + 12);
	proc_wait(&p);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	set_cursors(v);
	choose_baseline(v);
	struct shown a = read_cursor(v, 1), b = read_cursor(v, 2);
	/* What is on the row below is made of the same. */
	char difference[400];
	snprintf(difference, sizeof(difference), "%s", row_of(v, " 2-1 "));
	compare_difference(difference, a.iops, b.iops);

	vt_type(v, "y");
	VT_MATCH(v, VT_ANY, "IOPS.* locked  ~ run [12] ");
	vt_type(v, "g");
	VT_TEXT(v, "Baseline: a run to draw behind");
	vt_key(v, "home");
	vt_key(v, "enter");
	VT_GONE(v, "~ run");
	vt_key(v, "esc");
	vt_key(v, "esc");
	VT_GONE(v, "2-1 ");
	e2e_quit(v);

	read_run(store, "%null:5ms%");
	compare_with_record(&a);
	compare_with_record(&b);
	int run = read_run(store, "%null:6ms%");
	compare_with_baseline(a.wave);

	/* From the command line. */
	char number[16], named[40];
	snprintf(number, sizeof(number), "%d", run);
	snprintf(named, sizeof(named), "IOPS.* ~ run %d null:6ms", run);
	v = LIVE(&o, "null:5ms", "--store", store, "--baseline", number);
	VT_MATCH(v, VT_ANY, named);
	e2e_quit(v);
	v = e2e_keep(VT_START(&o, lunscope_path(), "null:", "--store", store, "--baseline", "99"));
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	/* It may be longer than a row. */
	size_t n;
	assert_non_null(strstr(vt_raw(v, &n), "there is no run 99; lunscope list shows those"));
	e2e_expect_one_line(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(cursors_and_baseline_show_what_the_store_has_of_those_seconds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
