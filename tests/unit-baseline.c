/* unit-baseline.c - a stored run behind the live one: what is read of it, where it is drawn, what the cursors
 * say of it, and how it is chosen. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "baseline.h"
#include "store.h"
#include "tests/level-check.h"
#include "tests/view-fixture.h"
#include "ui/chart.h"
#include "ui/cursor.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/pane_util.h"
#include "ui/trace.h"

#define WALL   1798761600000000000ll
#define MONO   (7000 * NS_PER_SEC)
#define SECOND NS_PER_SEC

/* --- What is read of it. --- */

static char path[64];

/* A run of that many seconds: reads of 4 KiB, 100 in the first, 200 in the second and so on. A name that a
 * terminal would obey. */
static int64_t record(struct store *s, unsigned seconds)
{
	struct timeline *t = timeline_create();
	const struct workload w = {.workers = 1, .outstanding = 1, .block_size = 4096};
	struct error e = {""};
	json_t *settings = json_object();
	int64_t run = store_begin(s, WALL, "null:\033[2J", "", settings, settings, &e);

	assert_true(run > 0);
	json_decref(settings);
	timeline_mark(t, MARK_START, MONO, 1, &w, "run start");
	for (unsigned i = 1; i <= seconds; i++) {
		struct sample second;
		sample_clear(&second);
		second.t_ns = MONO + i * SECOND;
		second.dt_ns = SECOND;
		second.op[IO_READ] = (struct op_sample){.ios = 100 * i,
							.bytes = 409600 * i,
							.lat_sum = 100 * i * 1000000ull,
							.lat_min = 1000000,
							.lat_max = 1000000};
		second.p99 = i * 1000000;
		timeline_tick(t, &second, NULL);
		timeline_second(t, &second);
	}
	json_t *summary = json_pack("{s:{s:f}}", "total", "iops", 321.0);
	assert_int_equal(store_end(s, run, t, WALL - (int64_t)MONO, "done", summary, &e), 0);
	json_decref(summary);
	timeline_destroy(t);
	return run;
}

static int make_store(void **state)
{
	struct error e = {""};
	struct store *s;

	(void)state;
	snprintf(path, sizeof(path), "/tmp/lunscope-baseline-XXXXXX");
	assert_non_null(mkdtemp(path));
	strcat(path, "/runs.db");
	assert_int_equal(store_open(&s, path, &e), 0);
	assert_int_equal(record(s, 4), 1);
	assert_int_equal(record(s, 0), 2);
	store_close(s);
	return 0;
}

static int remove_store(void **state)
{
	(void)state;
	for (const char *const *end = (const char *const[]){"-wal", "-shm", "", NULL}; *end;
	     end++) {
		char name[80];
		snprintf(name, sizeof(name), "%s%s", path, *end);
		unlink(name);
	}
	*strrchr(path, '/') = '\0';
	return rmdir(path);
}

static void the_seconds_of_a_stored_run_are_counted_from_its_beginning(void **state)
{
	struct baseline *b;
	struct error e = {""};

	(void)state;
	assert_int_equal(baseline_load(&b, path, 1, &e), 0);
	assert_int_equal(b->run, 1);
	assert_string_equal(b->target, "null:?[2J");
	assert_int_equal(b->seconds, 4);
	assert_int_equal(b->second[0].from_ns, 0);
	assert_int_equal(b->second[3].to_ns, 4 * SECOND);
	assert_int_equal(b->second[2].ios, 300);
	assert_int_equal(b->second[2].bytes, 3 * 409600);
	/* Half of the second one and all of the third. */
	struct baseline_sum sum = baseline_between(b, 1500000000, 3 * SECOND);
	assert_float_equal(sum.seconds, 1.5, 1e-9);
	assert_float_equal(sum.ios, 400, 1e-9);
	assert_int_equal(sum.p99, 3000000);
	/* Before it and behind it nothing is known, which is not 0. */
	assert_float_equal(baseline_between(b, 4 * SECOND, 9 * SECOND).seconds, 0, 0);
	sum = baseline_between(b, 4 * SECOND, 9 * SECOND);
	assert_true(isnan(trace_rate(&sum, false)));
	baseline_free(b);
}

static void a_run_that_is_missing_or_empty_is_one_clear_line(void **state)
{
	struct baseline *b;
	struct error e = {""};
	char words[200];

	(void)state;
	assert_int_equal(baseline_load(&b, path, 77, &e), -ENOENT);
	assert_null(b);
	snprintf(words, sizeof(words),
		 "run store %s: there is no run 77; lunscope list shows those there are", path);
	assert_string_equal(e.text, words);
	assert_int_equal(baseline_load(&b, path, 2, &e), -ENOENT);
	assert_non_null(strstr(e.text, "run 2 has no seconds"));
	assert_int_equal(baseline_load(&b, "/tmp/there is no such store", 1, &e), -ENOENT);
	assert_non_null(strstr(e.text, "no run has been kept there yet"));
}

static void the_list_has_the_newest_run_first(void **state)
{
	struct baseline_title *list;
	struct error e = {""};
	size_t n;

	(void)state;
	assert_int_equal(baseline_titles(&list, &n, path, &e), 0);
	assert_int_equal(n, 2);
	assert_int_equal(list[0].run, 2);
	assert_int_equal(list[0].length_ns, 0);
	assert_int_equal(list[1].run, 1);
	assert_int_equal(list[1].started, WALL);
	assert_int_equal(list[1].length_ns, 4 * SECOND);
	assert_float_equal(list[1].iops, 321, 1e-9);
	assert_string_equal(list[1].target, "null:?[2J");
	free(list);
}

/* --- Where it is drawn. --- */

static struct fixture fx;
static struct baseline_second second[800];
static struct baseline line = {.run = 7, .target = "null:5ms", .second = second};

/* A live view of a minute (made once: it takes its time), and behind it 13 minutes of so many IOPS. */
static void begin(enum glyph_level level, double iops)
{
	static struct view as_made;

	if (!as_made.chart) {
		fixture_make(&fx, level);
		as_made = fx.v;
	}
	fx.v = as_made;
	fixture_level(&fx, level);
	line.seconds = sizeof(second) / sizeof(*second);
	for (size_t i = 0; i < line.seconds; i++)
		second[i] = (struct baseline_second){.from_ns = i * SECOND,
						     .to_ns = (i + 1) * SECOND,
						     .ios = (uint64_t)iops,
						     .bytes = (uint64_t)iops * 4096,
						     .lat_sum = (uint64_t)(iops * 1e6),
						     .p99 = 3000000};
	fx.v.baseline = &line;
}

static int draw(struct canvas *c, int rows, int cols)
{
	int waves = 0;

	assert_int_equal(canvas_resize(c, rows, cols), 0);
	pane_chart_draw(c, canvas_rect(c), &fx.v, PANE_IOPS, false);
	level_check(c, fx.v.level, "a chart with a baseline");
	for (int row = 1; row < rows - 1; row++)
		for (int col = 6; col < cols; col++) {
			const struct cell *cell = &c->cell[row * cols + col];
			if (cell->ch != TRACE_SIGN)
				continue;
			assert_int_equal(cell->style, ST_DIM);
			waves++;
		}
	return waves;
}

static char *row_text(const struct canvas *c, int row)
{
	static char out[1024];

	return canvas_row(c, row, out, sizeof(out));
}

static void it_is_a_row_of_waves_at_its_height_in_every_level(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		/* The scale goes to 200k, in ten rows: 190k is in the uppermost, above the live run, and
		 * 30k in the second from below, within it. */
		begin((enum glyph_level)level, 190000);
		int all = draw(&c, 12, 80), found = 0;
		for (int col = 6; col < 74; col++)
			found += c.cell[80 + col].ch == TRACE_SIGN;
		assert_int_equal(all, found);
		/* But for the marks' columns and what the graticule has nothing to do with. */
		assert_in_range(found, 64, 68);
		begin((enum glyph_level)level, 30000);
		all = draw(&c, 12, 80);
		found = 0;
		for (int col = 6; col < 74; col++)
			found += c.cell[9 * 80 + col].ch == TRACE_SIGN;
		assert_int_equal(all, found);
		assert_in_range(found, 64, 68);
	}
	canvas_free(&c);
}

static void the_live_upper_edge_hides_it_and_never_the_other_way_round(void **state)
{
	struct canvas with = {0}, without = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++) {
		begin((enum glyph_level)level, 142000);
		draw(&with, 12, 80);
		fx.v.baseline = NULL;
		draw(&without, 12, 80);
		for (int col = 6; col < 74; col++)
			for (int row = 1; row < 11; row++) {
				const struct cell *a = &without.cell[row * 80 + col];
				if (a->ch == ' ' || a->style == ST_RULE)
					continue;
				/* The uppermost of this column. */
				assert_int_equal(with.cell[row * 80 + col].ch, a->ch);
				break;
			}
	}
	canvas_free(&with);
	canvas_free(&without);
}

static void it_has_room_in_the_scale_and_beyond_a_locked_one_an_arrow(void **state)
{
	struct chart_scales s = {0};
	struct canvas c = {0};

	(void)state;
	begin(GL_ASCII, 450000);
	chart_scales(&s, &fx.v, 60);
	assert_float_equal(fx.v.y_top[0], 500000, 0);
	assert_in_range(draw(&c, 12, 80), 64, 68);
	fx.v.locked = true;
	fx.v.y_top[0] = 200000;
	assert_int_equal(draw(&c, 12, 80), 0);
	int arrows = 0;
	for (int col = 6; col < 74; col++)
		arrows += c.cell[80 + col].ch == '^';
	assert_in_range(arrows, 64, 68);
	canvas_free(&c);
}

static void it_begins_where_the_run_did_and_ends_where_it_ends(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_VT, 190000);
	/* It was 30 s shorter than this run is now. */
	line.seconds = 731;
	int waves = draw(&c, 12, 80);
	assert_in_range(waves, 31, 35);
	assert_int_equal(c.cell[80 + 10].ch, TRACE_SIGN);
	assert_int_not_equal(c.cell[80 + 70].ch, TRACE_SIGN);
	/* Statistics that began anew a while ago let it begin there. */
	line.seconds = 800;
	fx.v.snap.start_ns = fx.v.now_ns - 20 * SECOND;
	waves = draw(&c, 12, 80);
	assert_in_range(waves, 21, 25);
	assert_int_equal(c.cell[80 + 72].ch, TRACE_SIGN);
	assert_int_not_equal(c.cell[80 + 40].ch, TRACE_SIGN);
	canvas_free(&c);
}

static void in_a_sweep_it_stands_in_the_columns_of_its_time(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_VT, 190000);
	fx.v.sweep = true;
	line.seconds = 731; /* it was over 30 s ago */
	int waves = draw(&c, 12, 80), expected = 0;
	for (int i = 0; i < 68; i++) {
		uint64_t from, to;
		chart_column_span(&fx.v, i, 68, &from, &to);
		int at = chart_column_of(&fx.v, to, 68);
		bool known = from < fx.v.snap.start_ns + 731 * SECOND;
		if (at < 0 || !known)
			continue;
		expected++;
		uint32_t ch = c.cell[80 + 6 + at].ch;
		if (ch != TRACE_SIGN && ch != fx.v.g->mark)
			fail_msg("column %d, of %d before now, has U+%04X", at, 67 - i,
				 (unsigned)ch);
	}
	assert_in_range(expected, 28, 36);
	assert_in_range(waves, expected - 3, expected); /* but for the marks' columns */
	canvas_free(&c);
}

static void the_title_names_it_at_every_width(void **state)
{
	struct canvas c = {0};

	(void)state;
	for (int level = 0; level < GL_COUNT; level++)
		for (int cols = 38; cols <= 132; cols++) {
			begin((enum glyph_level)level, 1000);
			fx.v.locked = cols % 2;
			draw(&c, 12, cols);
			const char *text = row_text(&c, 0);
			if (!strstr(text, "~ run 7") || (fx.v.locked && !strstr(text, "locked")) ||
			    (cols >= 100 && !strstr(text, "~ run 7 null:5ms")))
				fail_msg("%d columns: %s", cols, text);
		}
	canvas_free(&c);
}

static void a_cursor_has_its_value_beside_the_live_one(void **state)
{
	static struct cursors k;
	struct canvas c = {0};

	(void)state;
	begin(GL_ASCII, 2000);
	memset(&k, 0, sizeof(k));
	cursor_place(&k.at[0], fx.v.now_ns - 20 * SECOND, SECOND);
	k.at[0].sum.dt_ns = SECOND;
	k.at[0].sum.op[IO_READ] =
		(struct op_sample){.ios = 3000, .bytes = 3000 * 4096, .lat_sum = 3000 * 2000000ull};
	fx.v.cursors = &k;
	draw(&c, 14, 80);
	const char *text = row_text(&c, 13);
	if (!strstr(text, "IOPS 3.00k") || !strstr(text, "~ 2.00k"))
		fail_msg("%s", text);
	draw(&c, 14, 160);
	text = row_text(&c, 13);
	if (!strstr(text, "vs ~ +50.0 %") || !strstr(text, "run 7: 7.81 MiB/s") ||
	    !strstr(text, "mean 1.00 ms p99 3.00 ms"))
		fail_msg("%s", text);
	/* It was over before. */
	line.seconds = 10;
	draw(&c, 14, 80);
	text = row_text(&c, 13);
	if (!strstr(text, "~ -"))
		fail_msg("%s", text);
	canvas_free(&c);
}

/* --- How it is chosen. --- */

static struct dialog offer(int64_t chosen)
{
	static const struct baseline_title all[] = {
		{.run = 12,
		 .started = WALL,
		 .length_ns = 90 * SECOND,
		 .iops = 8000,
		 .target = "/dev/sdb"},
		{.run = 11, .started = WALL, .iops = NAN, .target = "null:"},
	};
	struct baseline_title *list = malloc(sizeof(all));

	assert_non_null(list);
	memcpy(list, all, sizeof(all));
	return dialog_baseline(list, 2, chosen);
}

static int64_t answer(int64_t chosen, const int *keys)
{
	struct dialog d = offer(chosen);

	for (; *keys; keys++)
		assert_int_equal(d.key(d.state, *keys), DIALOG_OPEN);
	assert_int_equal(d.key(d.state, K_ENTER), DIALOG_DONE);
	int64_t run = baseline_answer(d.state);
	d.free(d.state);
	return run;
}

static void the_dialog_offers_the_newest_and_none(void **state)
{
	(void)state;
	assert_int_equal(answer(0, (const int[]){0}), 12);
	assert_int_equal(answer(0, (const int[]){K_DOWN, 0}), 11);
	assert_int_equal(answer(0, (const int[]){K_DOWN, K_DOWN, K_DOWN, 0}), 11);
	assert_int_equal(answer(0, (const int[]){K_UP, 0}), 0);
	assert_int_equal(answer(11, (const int[]){0}), 11);
	assert_int_equal(answer(11, (const int[]){K_HOME, K_UP, 0}), 0);
	assert_int_equal(answer(0, (const int[]){K_END, 0}), 11);
}

static void the_dialog_shows_each_run_at_every_size(void **state)
{
	struct canvas c = {0};

	(void)state;
	begin(GL_ASCII, 1);
	for (int rows = 1; rows < 50; rows += 3)
		for (int cols = 1; cols < 140; cols += 7) {
			struct dialog d = offer(0);
			canvas_resize(&c, rows, cols);
			d.draw(d.state, &c, canvas_rect(&c), &fx.v);
			d.free(d.state);
		}
	canvas_resize(&c, 24, 80);
	for (int level = 0; level < GL_COUNT; level++) {
		fixture_level(&fx, (enum glyph_level)level);
		struct dialog each = offer(0);
		each.draw(each.state, &c, canvas_rect(&c), &fx.v);
		each.free(each.state);
		level_check(&c, fx.v.level, "the baseline dialog");
	}
	fixture_level(&fx, GL_ASCII);
	canvas_clear(&c, ST_NORMAL);
	struct dialog d = offer(0);
	d.draw(d.state, &c, canvas_rect(&c), &fx.v);
	d.free(d.state);
	bool first = false, second_one = false;
	for (int row = 0; row < 24; row++) {
		const char *text = row_text(&c, row);
		first |= strstr(text, "12  20") && strstr(text, "00:01:30  8.00k") &&
			 strstr(text, "/dev/sdb");
		second_one |= strstr(text, "11  20") && strstr(text, " -      -") &&
			      strstr(text, "null:");
	}
	assert_true(first);
	assert_true(second_one);
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_seconds_of_a_stored_run_are_counted_from_its_beginning),
		cmocka_unit_test(a_run_that_is_missing_or_empty_is_one_clear_line),
		cmocka_unit_test(the_list_has_the_newest_run_first),
		cmocka_unit_test(it_is_a_row_of_waves_at_its_height_in_every_level),
		cmocka_unit_test(the_live_upper_edge_hides_it_and_never_the_other_way_round),
		cmocka_unit_test(it_has_room_in_the_scale_and_beyond_a_locked_one_an_arrow),
		cmocka_unit_test(it_begins_where_the_run_did_and_ends_where_it_ends),
		cmocka_unit_test(in_a_sweep_it_stands_in_the_columns_of_its_time),
		cmocka_unit_test(the_title_names_it_at_every_width),
		cmocka_unit_test(a_cursor_has_its_value_beside_the_live_one),
		cmocka_unit_test(the_dialog_offers_the_newest_and_none),
		cmocka_unit_test(the_dialog_shows_each_run_at_every_size),
	};

	return cmocka_run_group_tests(tests, make_store, remove_store);
}
