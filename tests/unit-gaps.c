/* unit-gaps.c - what an outage leaves out of the means: a gap on the timeline (src/timeline_gap.c), in the
 * summary (src/summary.c), in the exports and in the run store.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "export.h"
#include "gaps.h"
#include "segment_table.h"
#include "store_rows.h"
#include "tail.h"
#include "tests/hist-add.h"
#include "tests/scratch.h"
#include "timeline.h"
#include "units.h"

static const struct workload eight = {.workers = 1, .outstanding = 8, .block_size = 4096};

/* A tick that ends at number i of them with n reads of 4 KiB, each after `lat`. */
static void put(struct timeline *t, unsigned i, unsigned n, uint64_t lat)
{
	static struct hist delta[HISTS];
	struct sample s;
	sample_clear(&s);
	s.t_ns = i * TICK_NS;
	s.dt_ns = TICK_NS;
	s.depth_requested = 8;
	s.depth_ns = 7 * TICK_NS;
	for (int k = 0; k < HISTS; k++)
		hist_clear(&delta[k]);
	for (unsigned k = 0; k < n; k++)
		hist_add(&delta[HIST_READ], lat);
	s.op[IO_READ] = (struct op_sample){.ios = n,
					   .bytes = n * 4096ull,
					   .lat_sum = n * lat,
					   .lat_min = n ? lat : UINT64_MAX,
					   .lat_max = n ? lat : 0};
	timeline_tick(t, &s, delta);
}

/* The second that ends with tick number i; each of its ten ticks has taken `busy` of CPU. */
static void put_second(struct timeline *t, unsigned i, uint64_t busy)
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = i * TICK_NS;
	s.dt_ns = NS_PER_SEC;
	s.depth_requested = 8;
	s.device_depth = 4;
	s.cpu = (struct cpu_sample){
		.valid = true, .cpus = 1, .user = 10 * busy, .idle = NS_PER_SEC - 10 * busy};
	timeline_second(t, &s);
}

/* Ticks up to number `last` with 10 reads of 1 ms each; from first_slow to last_slow with one of 900 ms. */
static struct timeline *with_ticks(unsigned first_slow, unsigned last_slow, unsigned last)
{
	struct timeline *t = timeline_create();
	assert_non_null(t);
	assert_true(timeline_expect_gaps(t));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 1; i <= last; i++) {
		bool slow = i >= first_slow && i <= last_slow;
		put(t, i, slow ? 1 : 10, slow ? 900 * NS_PER_MS : NS_PER_MS);
		if (i % 10 == 0)
			put_second(t, i, slow ? TICK_NS / 2 : TICK_NS / 10);
	}
	return t;
}

struct figures {
	struct segment segment;
	struct sample total, gap;
	struct hist hist[HISTS];
};

static struct figures *figures_of(struct timeline *t)
{
	static struct figures f;
	assert_true(timeline_segment(t, 1, &f.segment));
	timeline_total(t, 1, &f.total, &f.gap, f.hist);
	return &f;
}

static uint64_t flagged(struct timeline *t)
{
	static struct sample list[1000];
	size_t n = timeline_ticks(t, 0, list, 1000);
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i++) {
		assert_true(list[i].gap_ns == 0 || list[i].gap_ns == list[i].dt_ns);
		sum += list[i].gap_ns;
	}
	return sum;
}

static void a_gap_that_is_known_afterwards_takes_its_ticks_out_of_every_mean(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(21, 25, 60);
	/* The path answered last in the middle of tick 21, and the last IO moved in tick 25. */
	assert_int_equal(timeline_gap(t, 0, 20 * TICK_NS + 1, 25 * TICK_NS - 1), 1);
	struct figures *f = figures_of(t);
	assert_int_equal(f->total.dt_ns, 55 * TICK_NS);
	assert_int_equal(f->total.op[IO_READ].ios, 550);
	assert_int_equal(f->total.op[IO_READ].lat_max, NS_PER_MS);
	assert_int_equal(f->hist[HIST_READ].count, 550);
	assert_int_equal(f->hist[HIST_READ].max, NS_PER_MS);
	assert_int_equal(f->total.depth_ns, 55 * 7 * TICK_NS);
	assert_int_equal(f->gap.dt_ns, 5 * TICK_NS);
	assert_int_equal(f->gap.gap_ns, 5 * TICK_NS);
	assert_int_equal(f->gap.op[IO_READ].ios, 5);
	assert_int_equal(f->gap.op[IO_READ].lat_max, 900 * NS_PER_MS);
	assert_int_equal(f->segment.total.op[IO_READ].ios, 550);
	assert_int_equal(f->segment.gap.op[IO_READ].ios, 5);
	assert_int_equal(f->segment.hist[HIST_READ].count, 550);
	/* Nothing is taken out of the record. */
	struct sample all;
	timeline_sum(t, 0, 60 * TICK_NS, &all);
	assert_int_equal(all.op[IO_READ].ios, 555);
	assert_int_equal(all.gap_ns, 5 * TICK_NS);
	assert_int_equal(flagged(t), 5 * TICK_NS);
	timeline_destroy(t);
}

static void without_a_gap_nothing_is_left_out(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(21, 25, 60);
	struct figures *f = figures_of(t);
	assert_int_equal(f->total.op[IO_READ].ios, 555);
	assert_int_equal(f->total.dt_ns, 60 * TICK_NS);
	assert_int_equal(f->hist[HIST_READ].max, 900 * NS_PER_MS);
	assert_int_equal(f->gap.dt_ns, 0);
	assert_int_equal(timeline_gaps(t, 0, 60 * TICK_NS), 0);
	timeline_destroy(t);
}

static void ticks_that_were_taken_for_the_gap_come_back_when_it_ends_earlier(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(21, 25, 30);
	uint32_t id = timeline_gap(t, 0, 20 * TICK_NS, 0);
	for (unsigned i = 31; i <= 40; i++)
		put(t, i, 10, NS_PER_MS);
	put_second(t, 40, TICK_NS / 10);
	assert_int_equal(flagged(t), 20 * TICK_NS);
	assert_int_equal(figures_of(t)->total.op[IO_READ].ios, 200);
	assert_int_equal(timeline_gap(t, id, 20 * TICK_NS, 25 * TICK_NS), id);
	assert_int_equal(flagged(t), 5 * TICK_NS);
	struct figures *f = figures_of(t);
	assert_int_equal(f->total.op[IO_READ].ios, 350);
	assert_int_equal(f->hist[HIST_READ].count, 350);
	assert_int_equal(f->gap.op[IO_READ].ios, 5);
	/* It is over: what comes now counts. */
	put(t, 41, 10, NS_PER_MS);
	assert_int_equal(figures_of(t)->total.op[IO_READ].ios, 360);
	timeline_destroy(t);
}

static void paths_that_are_out_together_leave_their_time_out_once(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 0, 60);
	uint32_t one = timeline_gap(t, 0, 10 * TICK_NS, 20 * TICK_NS);
	uint32_t two = timeline_gap(t, 0, 15 * TICK_NS, 30 * TICK_NS);
	timeline_gap(t, 0, 40 * TICK_NS, 41 * TICK_NS);
	assert_true(one != two);
	assert_int_equal(figures_of(t)->gap.dt_ns, 21 * TICK_NS);
	assert_int_equal(timeline_gaps(t, 0, 60 * TICK_NS), 2);
	assert_int_equal(timeline_gaps(t, 31 * TICK_NS, 60 * TICK_NS), 1);
	/* What only the first had left out counts again without it. */
	timeline_gap(t, one, 10 * TICK_NS, 10 * TICK_NS);
	assert_int_equal(figures_of(t)->gap.dt_ns, 16 * TICK_NS);
	timeline_destroy(t);
}

static void cpu_comes_from_seconds_without_a_gap_in_them(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(11, 20, 40);
	struct figures *f = figures_of(t);
	assert_int_equal(f->total.cpu.user, 30 * TICK_NS / 10 + 10 * TICK_NS / 2);
	uint32_t id = timeline_gap(t, 0, 12 * TICK_NS, 13 * TICK_NS);
	f = figures_of(t);
	assert_int_equal(f->total.cpu.user, 30 * TICK_NS / 10);
	assert_int_equal(sample_cpu_dt(&f->total), 3 * NS_PER_SEC);
	assert_int_equal(f->segment.total.cpu.user, 30 * TICK_NS / 10);
	struct summary s;
	summary_compute(&s, &f->total, f->hist, "null");
	/* 10 ms of CPU in each tick, 10 IOs in most: of the nine of second 2 that count, one IO each. */
	assert_true(s.cpu_valid);
	assert_int_equal(s.op[SUM_TOTAL].ios, 309);
	assert_true(s.cpu_us_per_io > 39 * 10e3 / 309 - 1 && s.cpu_us_per_io < 39 * 10e3 / 309 + 1);
	timeline_gap(t, id, 12 * TICK_NS, 12 * TICK_NS);
	assert_int_equal(figures_of(t)->segment.total.cpu.user,
			 30 * TICK_NS / 10 + 10 * TICK_NS / 2);
	timeline_destroy(t);
}

static void errors_count_also_in_a_gap(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 0, 10);
	struct sample s;
	sample_clear(&s);
	s.t_ns = 11 * TICK_NS;
	s.dt_ns = TICK_NS;
	s.op[IO_READ].errors = 3;
	s.op[IO_WRITE].errors = 4;
	timeline_tick(t, &s, NULL);
	timeline_gap(t, 0, 10 * TICK_NS, 0);
	struct figures *f = figures_of(t);
	assert_int_equal(f->total.dt_ns, 10 * TICK_NS);
	assert_int_equal(f->total.op[IO_READ].errors, 3);
	assert_int_equal(f->total.op[IO_WRITE].errors, 4);
	assert_int_equal(f->gap.op[IO_READ].errors, 0);
	timeline_destroy(t);
}

static void a_gap_reaches_back_over_marks(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 0, 20);
	timeline_mark(t, MARK_KNOB, 20 * TICK_NS, 2, &eight, "k");
	for (unsigned i = 21; i <= 30; i++)
		put(t, i, 10, NS_PER_MS);
	timeline_gap(t, 0, 15 * TICK_NS, 25 * TICK_NS);
	struct segment *g = malloc(sizeof(*g));
	assert_true(timeline_segment(t, 1, g));
	assert_int_equal(g->total.op[IO_READ].ios, 150);
	assert_int_equal(g->hist[HIST_READ].count, 150);
	assert_int_equal(g->gap.op[IO_READ].ios, 50);
	assert_int_equal(g->end_ns, 20 * TICK_NS);
	assert_true(timeline_segment(t, 2, g));
	assert_int_equal(g->total.op[IO_READ].ios, 50);
	assert_int_equal(g->gap.op[IO_READ].ios, 50);
	free(g);
	timeline_destroy(t);
}

/* The IO's latency is seen by one tick, its bucket by the next; a mark closes the segment meanwhile. */
static void a_sum_that_stands_alone_reaches_its_segment_after_a_mark_too(void **state)
{
	(void)state;
	static struct hist delta[HISTS];
	struct timeline *t = with_ticks(0, 0, 3);
	struct sample s;
	sample_clear(&s);
	s.t_ns = 4 * TICK_NS;
	s.dt_ns = TICK_NS;
	for (int k = 0; k < HISTS; k++)
		hist_clear(&delta[k]);
	delta[HIST_READ].sum = 2000;
	timeline_tick(t, &s, delta);
	timeline_mark(t, MARK_NOTE, 4 * TICK_NS, 1, NULL, "mark");
	for (unsigned i = 5; i < TAIL_TICKS + 20; i++)
		put(t, i, 10, NS_PER_MS);
	struct figures *f = figures_of(t);
	assert_int_equal(f->segment.hist[HIST_READ].count, 30);
	assert_int_equal(f->segment.hist[HIST_READ].sum, 30 * NS_PER_MS + 2000);
	timeline_destroy(t);
}

/* As long as a tick is in the tail it can change sides; the books are right before, during and after. */
static void ios_of_segments_and_of_gaps_are_all_there_are(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	assert_true(timeline_expect_gaps(t));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	uint64_t all = 0, errors = 0;
	uint32_t id = 0;
	for (unsigned i = 1; i <= 3 * TAIL_TICKS; i++) {
		put(t, i, i % 13, (1 + i % 7) * NS_PER_MS);
		all += i % 13;
		if (i % 37 == 0)
			timeline_mark(t, MARK_KNOB, i * TICK_NS, i, &eight, "k");
		if (i % 50 == 30)
			id = timeline_gap(t, 0, (i - 20) * TICK_NS, 0);
		if (i % 50 == 40)
			timeline_gap(t, id, (i - 25) * TICK_NS, (i - 5) * TICK_NS);
		struct figures *f = figures_of(t);
		assert_int_equal(f->total.op[IO_READ].ios + f->gap.op[IO_READ].ios, all);
		assert_int_equal(f->total.dt_ns + f->gap.dt_ns, i * TICK_NS);
		assert_int_equal(f->hist[HIST_READ].count, f->total.op[IO_READ].ios);
		assert_int_equal(f->hist[HIST_READ].sum, f->total.op[IO_READ].lat_sum);
		errors += f->total.op[IO_READ].errors;
	}
	assert_int_equal(errors, 0);
	assert_int_equal(flagged(t), 3 * TAIL_TICKS / 50 * 20 * TICK_NS);
	assert_int_equal(figures_of(t)->gap.dt_ns, flagged(t));
	timeline_destroy(t);
}

static void what_lies_too_far_back_counts_as_before(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 0, TAIL_TICKS + 100);
	timeline_gap(t, 0, 50 * TICK_NS, 150 * TICK_NS);
	struct figures *f = figures_of(t);
	assert_int_equal(f->gap.dt_ns, 50 * TICK_NS);
	assert_int_equal(flagged(t), 50 * TICK_NS);
	timeline_destroy(t);
}

static void a_timeline_that_expects_none_has_none(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	put(t, 1, 10, NS_PER_MS);
	assert_int_equal(timeline_gap(t, 0, 0, TICK_NS), 0);
	assert_int_equal(figures_of(t)->total.op[IO_READ].ios, 10);
	timeline_destroy(t);
}

static void io_flows_again_when_what_waited_is_done(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 0, 10);
	struct sample s;
	sample_clear(&s);
	s.dt_ns = TICK_NS;
	s.inflight = 8;
	for (unsigned i = 11; i <= 14; i++) {
		s.t_ns = i * TICK_NS;
		/* Tick 13 brings the first IOs, and in tick 14 those are done that had waited. */
		s.op[IO_READ].ios = i < 13 ? 0 : 5;
		s.oldest_ns = i < 14 ? (i - 10) * TICK_NS : TICK_NS / 2;
		timeline_tick(t, &s, NULL);
		assert_int_equal(timeline_flows(t, 12 * TICK_NS), i < 14 ? 0 : 14 * TICK_NS);
	}
	timeline_destroy(t);
}

/* --- Summary. --- */

static void the_summary_has_the_means_without_the_gap_and_says_so(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(21, 32, 80);
	struct summary s;
	timeline_gap(t, 0, 20 * TICK_NS, 32 * TICK_NS);
	struct figures *f = figures_of(t);
	summary_compute(&s, &f->total, f->hist, "null");
	summary_leave_out(&s, &f->total, &f->gap, timeline_gaps(t, 0, 80 * TICK_NS));
	assert_true(s.op[SUM_TOTAL].iops > 99.99 && s.op[SUM_TOTAL].iops < 100.01);
	assert_true(s.op[SUM_TOTAL].max < 1.01 * NS_PER_MS);
	assert_int_equal(s.outage.gaps, 1);
	assert_int_equal(s.outage.ios[SUM_TOTAL], 12);
	assert_true(s.outage.with_iops > 86.49 && s.outage.with_iops < 86.51); /* 692 in 8 s */
	char *text = summary_table(&s, RATE_MIB, true);
	assert_non_null(strstr(
		text,
		"outage    1.2 s of path outage left out (12 IOs came back, longest 900 ms)\n"));
	assert_non_null(strstr(text, "with it 86 IOPS, 0.3 MiB/s, mean latency 16.6 ms\n"));
	assert_non_null(strstr(text, "elapsed   6.8 s without it, 680 IOs"));
	free(text);
	/* And back from the store. */
	struct summary again;
	json_t *j = summary_json(&s);
	assert_int_equal(summary_scan(&again, j), 0);
	assert_int_equal(again.outage.ios[SUM_READ], 12);
	assert_int_equal(again.outage.bytes[SUM_TOTAL], 12 * 4096);
	assert_true(again.outage.seconds > 1.19 && again.outage.seconds < 1.21);
	assert_true(again.outage.with_iops == s.outage.with_iops);
	json_decref(j);
	timeline_destroy(t);
}

static void a_run_that_is_all_gap_has_no_rate(void **state)
{
	(void)state;
	struct timeline *t = with_ticks(1, 10, 10);
	struct summary s;
	timeline_gap(t, 0, 1, 0);
	struct figures *f = figures_of(t);
	summary_compute(&s, &f->total, f->hist, "null");
	summary_leave_out(&s, &f->total, &f->gap, 1);
	json_t *j = summary_json(&s);
	assert_true(json_is_null(json_object_get(json_object_get(j, "total"), "iops")));
	char *text = summary_table(&s, RATE_MIB, true);
	assert_non_null(strstr(text, "with it 10 IOPS"));
	free(text);
	json_decref(j);
	timeline_destroy(t);
}

/* --- What is written. --- */

static void seconds_that_a_gap_reaches_into_are_flagged_in_the_exports(void **state)
{
	(void)state;
	const char *path = scratch_path("seconds.csv");
	struct timeline *t = with_ticks(21, 25, 40);
	struct error e;
	char line[512];
	timeline_gap(t, 0, 20 * TICK_NS, 25 * TICK_NS);
	json_t *list = export_samples(t, 0, 0, 0);
	for (unsigned i = 0; i < 4; i++) {
		json_t *s = json_array_get(list, i);
		assert_int_equal(json_is_true(json_object_get(s, "gap")), i == 2);
		assert_true(json_number_value(json_object_get(s, "gap_s")) == (i == 2 ? 0.5 : 0));
	}
	json_decref(list);
	json_t *segments = export_segments(t, "null", 0, 0);
	json_t *outage =
		json_object_get(json_object_get(json_array_get(segments, 0), "summary"), "outage");
	json_t *reads = json_object_get(outage, "read");
	assert_int_equal(json_integer_value(json_object_get(reads, "ios")), 5);
	assert_int_equal(json_integer_value(json_object_get(outage, "gaps")), 1);
	json_decref(segments);
	assert_int_equal(export_write_csv(t, 0, 0, 0, path, &e), 0);
	FILE *f = fopen(path, "r");
	for (int i = 0; i < 5; i++) {
		assert_non_null(fgets(line, sizeof(line), f));
		assert_non_null(strstr(line, i == 0   ? ",gap_s,net_rx_mib_s,"
					     : i == 3 ? ",0.500,,,,,,,,\n"
						      : ",0.000,,,,,,,,\n"));
	}
	fclose(f);
	timeline_destroy(t);
}

static int64_t ask(struct store *s, const char *sql)
{
	sqlite3_stmt *st;
	assert_int_equal(sqlite3_prepare_v2(s->db, sql, -1, &st, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	int64_t v = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return v;
}

static void rows_that_were_written_before_the_gap_was_known_are_written_anew(void **state)
{
	(void)state;
	const char *path = scratch_path("gaps.db");
	struct timeline *t = with_ticks(1, 0, 20);
	struct store *s;
	struct error e;
	char *text = NULL;
	size_t n;
	timeline_mark(t, MARK_KNOB, 20 * TICK_NS, 2, &eight, "k");
	for (unsigned i = 21; i <= 60; i++) {
		put(t, i, i <= 25 ? 1 : 10, i <= 25 ? 900 * NS_PER_MS : NS_PER_MS);
		if (i % 10 == 0)
			put_second(t, i, TICK_NS / 10);
	}
	json_t *none = json_object();
	assert_int_equal(store_open(&s, path, &e), 0);
	int64_t run = store_begin(s, 1, "null:0", "", none, none, &e);
	assert_int_equal(store_append(s, run, t, 0, &e), 0);
	assert_int_equal(ask(s, "SELECT total(gap) FROM sample"), 0);
	timeline_gap(t, 0, 18 * TICK_NS, 25 * TICK_NS);
	assert_int_equal(store_append(s, run, t, 0, &e), 0);
	assert_int_equal(ask(s, "SELECT count(*) FROM sample"), 6);
	assert_int_equal(ask(s, "SELECT sum(gap) FROM sample"), 7 * TICK_NS);
	assert_int_equal(ask(s, "SELECT gap FROM sample ORDER BY time LIMIT 1 OFFSET 1"),
			 2 * TICK_NS);
	assert_int_equal(ask(s, "SELECT gap_ios FROM segment WHERE number = 1"), 20);
	assert_int_equal(ask(s, "SELECT read_ios FROM segment WHERE number = 1"), 180);
	assert_int_equal(ask(s, "SELECT read_hist_count FROM segment WHERE number = 1"), 180);
	assert_int_equal(ask(s, "SELECT gap_lat_max FROM segment WHERE number = 2"),
			 900 * NS_PER_MS);
	store_close(s);
	/* Cut off, its figures come from these rows. */
	FILE *f = open_memstream(&text, &n);
	assert_int_equal(store_open_read(&s, path, &e), 0);
	assert_int_equal(store_show(s, run, f, &e), 0);
	fclose(f);
	assert_non_null(
		strstr(text, "0.7 s of path outage left out (25 IOs came back, longest 900 ms)"));
	assert_non_null(strstr(text, ", without 0.5 s of outage"));
	store_close(s);
	free(text);
	json_decref(none);
	timeline_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_gap_that_is_known_afterwards_takes_its_ticks_out_of_every_mean),
		cmocka_unit_test(without_a_gap_nothing_is_left_out),
		cmocka_unit_test(ticks_that_were_taken_for_the_gap_come_back_when_it_ends_earlier),
		cmocka_unit_test(paths_that_are_out_together_leave_their_time_out_once),
		cmocka_unit_test(cpu_comes_from_seconds_without_a_gap_in_them),
		cmocka_unit_test(errors_count_also_in_a_gap),
		cmocka_unit_test(a_gap_reaches_back_over_marks),
		cmocka_unit_test(a_sum_that_stands_alone_reaches_its_segment_after_a_mark_too),
		cmocka_unit_test(ios_of_segments_and_of_gaps_are_all_there_are),
		cmocka_unit_test(what_lies_too_far_back_counts_as_before),
		cmocka_unit_test(a_timeline_that_expects_none_has_none),
		cmocka_unit_test(io_flows_again_when_what_waited_is_done),
		cmocka_unit_test(the_summary_has_the_means_without_the_gap_and_says_so),
		cmocka_unit_test(a_run_that_is_all_gap_has_no_rate),
		cmocka_unit_test(seconds_that_a_gap_reaches_into_are_flagged_in_the_exports),
		cmocka_unit_test(rows_that_were_written_before_the_gap_was_known_are_written_anew),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
