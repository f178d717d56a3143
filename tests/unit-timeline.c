/* unit-timeline.c - samples and marks on one line of time (src/timeline.c). */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/hist-add.h"
#include "timeline.h"
#include "units.h"

static const struct workload eight = {.workers = 1, .outstanding = 8, .block_size = 4096};
static const struct workload nine = {.workers = 1, .outstanding = 9, .block_size = 4096};

/* n reads of 4 KiB with the same latency, in the tick that ends at t_ns. */
static struct sample tick_of(uint64_t t_ns, uint64_t dt_ns, unsigned n, uint64_t lat,
			     struct hist delta[HISTS])
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = t_ns;
	s.dt_ns = dt_ns;
	s.depth_requested = 8;
	s.depth_ns = 7 * dt_ns;
	hist_clear(&delta[IO_READ]);
	hist_clear(&delta[IO_WRITE]);
	hist_clear(&delta[HIST_DUE]);
	for (unsigned i = 0; i < n; i++)
		hist_add(&delta[IO_READ], lat);
	s.op[IO_READ].ios = n;
	s.op[IO_READ].bytes = n * 4096ull;
	s.op[IO_READ].lat_sum = n * lat;
	if (n)
		s.op[IO_READ].lat_min = s.op[IO_READ].lat_max = lat;
	return s;
}

static void put(struct timeline *t, uint64_t t_ns, unsigned n, uint64_t lat)
{
	struct hist delta[HISTS];
	struct sample s = tick_of(t_ns, TICK_NS, n, lat, delta);
	timeline_tick(t, &s, delta);
}

static void put_second(struct timeline *t, uint64_t t_ns, uint64_t busy_ns)
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = t_ns;
	s.dt_ns = NS_PER_SEC;
	s.depth_requested = 8;
	s.device_depth = 4;
	s.cpu.valid = true;
	s.cpu.cpus = 2;
	s.cpu.user = busy_ns;
	s.cpu.idle = 2 * NS_PER_SEC - busy_ns;
	timeline_second(t, &s);
}

static void sums_add_and_states_are_the_later_ones(void **state)
{
	(void)state;
	struct hist d[HISTS];
	struct sample a = tick_of(1 * NS_PER_SEC, NS_PER_SEC, 10, 1000, d);
	struct sample b = tick_of(3 * NS_PER_SEC, 2 * NS_PER_SEC, 5, 4000, d), sum;
	a.generation = 1;
	b.generation = 2;
	a.device_depth = 2;
	b.device_depth = 5;
	b.depth_requested = 32;
	sample_clear(&sum);
	sample_add(&sum, &b); /* in the wrong order on purpose */
	sample_add(&sum, &a);
	assert_int_equal(sum.op[IO_READ].ios, 15);
	assert_int_equal(sum.op[IO_READ].lat_sum, 10 * 1000 + 5 * 4000);
	assert_int_equal(sum.op[IO_READ].lat_min, 1000);
	assert_int_equal(sum.op[IO_READ].lat_max, 4000);
	assert_true(sum.op[IO_WRITE].lat_min == UINT64_MAX);
	assert_int_equal(sum.dt_ns, 3 * NS_PER_SEC);
	assert_int_equal(sum.t_ns, 3 * NS_PER_SEC);
	assert_int_equal(sum.generation, 2);
	assert_int_equal(sum.depth_requested, 32);
	/* 1 s at 8 and 2 s at 32; 1 s at 2 and 2 s at 5 in the device */
	assert_int_equal(sample_requested_ns(&sum), 72 * NS_PER_SEC);
	assert_true(sum.device_depth == 4.0);
}

static void cpu_figures_say_how_much_time_they_cover(void **state)
{
	(void)state;
	struct sample with, without, sum;
	sample_clear(&with);
	sample_clear(&without);
	with.dt_ns = without.dt_ns = NS_PER_SEC;
	with.t_ns = NS_PER_SEC;
	without.t_ns = 2 * NS_PER_SEC;
	with.cpu.valid = true;
	with.cpu.user = 7;
	with.cpu.hot_cpu = 3;
	with.cpu.hot_share = 0.5f;
	sample_clear(&sum);
	sample_add(&sum, &with);
	sample_add(&sum, &without);
	assert_int_equal(sum.dt_ns, 2 * NS_PER_SEC);
	assert_int_equal(sample_cpu_dt(&sum), NS_PER_SEC);
	with.cpu.hot_cpu = 1;
	with.cpu.hot_share = 0.25f;
	sample_add(&sum, &with);
	assert_int_equal(sample_cpu_dt(&sum), 2 * NS_PER_SEC);
	assert_int_equal(sum.cpu.user, 14);
	assert_int_equal(sum.cpu.hot_cpu, 3);
}

static void readers_get_the_newest_ticks_oldest_first(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct sample out[4];
	for (unsigned i = 1; i <= 10; i++)
		put(t, i * TICK_NS, i, 1000);
	assert_int_equal(timeline_ticks(t, 0, out, 4), 4);
	assert_int_equal(out[0].op[IO_READ].ios, 7);
	assert_int_equal(out[3].op[IO_READ].ios, 10);
	assert_int_equal(timeline_ticks(t, 8 * TICK_NS, out, 4), 2);
	assert_int_equal(out[0].op[IO_READ].ios, 9);
	assert_int_equal(timeline_ticks(t, 10 * TICK_NS, out, 4), 0);
	timeline_destroy(t);
}

static void ticks_older_than_ten_minutes_are_forgotten(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct sample *out = malloc(7000 * sizeof(*out)), sum;
	struct sample s;
	sample_clear(&s);
	s.dt_ns = TICK_NS;
	for (unsigned i = 1; i <= 6500; i++) {
		s.t_ns = i * TICK_NS;
		s.op[IO_READ].ios = i;
		timeline_tick(t, &s, NULL);
	}
	assert_int_equal(timeline_ticks(t, 0, out, 7000), 6000);
	for (unsigned i = 0; i < 6000; i++)
		assert_int_equal(out[i].op[IO_READ].ios, 501 + i);
	assert_int_equal(timeline_sum(t, 6000 * TICK_NS, 6003 * TICK_NS, &sum), 3);
	assert_int_equal(sum.op[IO_READ].ios, 6001 + 6002 + 6003);
	assert_int_equal(timeline_sum(t, 0, 502 * TICK_NS, &sum), 2);
	free(out);
	timeline_destroy(t);
}

static void seconds_are_kept_for_a_day(void **state)
{
	(void)state;
	const unsigned day = 86400;
	struct timeline *t = timeline_create();
	struct sample *out = malloc((day + 10) * sizeof(*out)), s;
	sample_clear(&s);
	s.dt_ns = NS_PER_SEC;
	for (unsigned i = 1; i <= day + 100; i++) {
		s.t_ns = i * NS_PER_SEC;
		s.inflight = i;
		timeline_second(t, &s);
	}
	assert_int_equal(timeline_seconds(t, 0, out, day + 10), day);
	for (unsigned i = 0; i < day; i++)
		assert_int_equal(out[i].inflight, 101 + i);
	free(out);
	timeline_destroy(t);
}

static void a_mark_starts_a_segment_of_whole_ticks(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct segment *g = malloc(sizeof(*g));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 1; i <= 5; i++)
		put(t, i * TICK_NS, 10, 1000);
	/* At the end of a tick: the next one is the new segment's first. */
	timeline_mark(t, MARK_KNOB, 5 * TICK_NS, 2, &nine, "outstanding 8 > 9");
	for (unsigned i = 6; i <= 9; i++)
		put(t, i * TICK_NS, 20, 2000);
	assert_int_equal(timeline_segments(t), 2);
	assert_true(timeline_segment(t, 1, g));
	assert_int_equal(g->start_ns, 0);
	assert_int_equal(g->end_ns, 5 * TICK_NS);
	assert_int_equal(g->total.op[IO_READ].ios, 50);
	assert_int_equal(g->hist[IO_READ].count, 50);
	assert_int_equal(g->hist[IO_READ].max, 1000);
	assert_int_equal(g->workload.outstanding, 8);
	assert_int_equal(g->total.p50, 1000);
	assert_true(timeline_segment(t, 2, g));
	assert_int_equal(g->mark, 2);
	assert_int_equal(g->generation, 2);
	assert_int_equal(g->start_ns, 5 * TICK_NS);
	assert_int_equal(g->end_ns, 9 * TICK_NS);
	assert_int_equal(g->total.op[IO_READ].ios, 80);
	assert_int_equal(g->total.dt_ns, 4 * TICK_NS);
	assert_int_equal(g->hist[IO_READ].count, 80);
	assert_int_equal(g->hist[IO_READ].bucket[hist_index(2000)], 80);
	assert_int_equal(g->workload.outstanding, 9);
	assert_false(timeline_segment(t, 0, g));
	assert_false(timeline_segment(t, 3, g));
	free(g);
	timeline_destroy(t);
}

static void a_tick_with_a_mark_in_it_goes_to_the_larger_side(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct segment *g = malloc(sizeof(*g));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	put(t, 1 * TICK_NS, 1, 1000);
	/* Early in tick 2: it is the new segment's. */
	timeline_mark(t, MARK_NOTE, TICK_NS + TICK_NS / 10, 1, NULL, "early");
	put(t, 2 * TICK_NS, 10, 2000);
	put(t, 3 * TICK_NS, 10, 2000);
	/* Late in tick 4: it still is the old one's. */
	timeline_mark(t, MARK_NOTE, 3 * TICK_NS + TICK_NS * 9 / 10, 1, NULL, "late");
	put(t, 4 * TICK_NS, 100, 3000);
	put(t, 5 * TICK_NS, 1000, 4000);
	assert_true(timeline_segment(t, 1, g));
	assert_int_equal(g->hist[IO_READ].count, 1);
	assert_int_equal(g->end_ns, TICK_NS);
	assert_true(timeline_segment(t, 2, g));
	assert_int_equal(g->start_ns, TICK_NS);
	assert_int_equal(g->end_ns, 4 * TICK_NS);
	assert_int_equal(g->total.op[IO_READ].ios, 120);
	assert_int_equal(g->hist[IO_READ].count, 120);
	assert_int_equal(g->hist[IO_READ].max, 3000);
	assert_int_equal(g->hist[IO_READ].sum, 20 * 2000 + 100 * 3000);
	assert_int_equal(g->workload.outstanding, 8); /* as before the mark */
	assert_true(timeline_segment(t, 3, g));
	assert_int_equal(g->start_ns, 4 * TICK_NS);
	assert_int_equal(g->hist[IO_READ].count, 1000);
	free(g);
	timeline_destroy(t);
}

static void three_marks_in_one_tick_lose_no_io(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct segment *g = malloc(sizeof(*g));
	uint64_t ios = 0, dt = 0;
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	put(t, TICK_NS, 1, 1000);
	for (unsigned i = 1; i <= 3; i++)
		timeline_mark(t, MARK_KNOB, TICK_NS + i * TICK_NS * 3 / 10, i, &nine, "k");
	put(t, 2 * TICK_NS, 10, 1000);
	put(t, 3 * TICK_NS, 100, 1000);
	assert_int_equal(timeline_segments(t), 4);
	for (uint32_t n = 1; n <= 4; n++) {
		assert_true(timeline_segment(t, n, g));
		assert_true(g->start_ns <= g->end_ns);
		assert_int_equal(g->total.op[IO_READ].ios, g->hist[IO_READ].count);
		ios += g->total.op[IO_READ].ios;
		dt += g->total.dt_ns;
	}
	assert_int_equal(ios, 111);
	assert_int_equal(dt, 3 * TICK_NS);
	assert_int_equal(g->hist[IO_READ].count, 100);
	free(g);
	timeline_destroy(t);
}

static void only_seconds_wholly_in_a_segment_give_it_cpu(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct segment *g = malloc(sizeof(*g));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 1; i <= 40; i++) {
		put(t, i * TICK_NS, 1, 1000);
		if (i % 10 == 0)
			put_second(t, i * TICK_NS, i * TICK_NS / 10);
		if (i == 15)
			timeline_mark(t, MARK_KNOB, i * TICK_NS, 2, &nine, "k");
	}
	assert_true(timeline_segment(t, 1, g));
	assert_true(g->total.cpu.valid);
	assert_int_equal(g->total.cpu.user, TICK_NS);
	assert_int_equal(sample_cpu_dt(&g->total), NS_PER_SEC);
	assert_int_equal(g->total.dt_ns, 15 * TICK_NS);
	assert_true(g->total.device_depth == 4.0);
	assert_true(timeline_segment(t, 2, g));
	assert_int_equal(g->total.cpu.user, 3 * TICK_NS + 4 * TICK_NS);
	assert_int_equal(sample_cpu_dt(&g->total), 2 * NS_PER_SEC);
	free(g);
	timeline_destroy(t);
}

static void a_total_has_the_cpu_of_every_second(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct hist *h = malloc(HISTS * sizeof(*h));
	struct sample total, gap;
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	/* A knob every half second: no segment has a whole second. */
	for (unsigned i = 1; i <= 40; i++) {
		put(t, i * TICK_NS, 2, 1000);
		if (i % 10 == 0)
			put_second(t, i * TICK_NS, i * TICK_NS / 10);
		if (i % 5 == 0)
			timeline_mark(t, MARK_KNOB, i * TICK_NS - 1, i, &nine, "k");
	}
	timeline_total(t, 1, &total, &gap, h);
	assert_int_equal(total.dt_ns, 4 * NS_PER_SEC);
	assert_int_equal(total.op[IO_READ].ios, 80);
	assert_int_equal(h[IO_READ].count, 80);
	assert_int_equal(total.cpu.user, (1 + 2 + 3 + 4) * TICK_NS);
	assert_int_equal(sample_cpu_dt(&total), 4 * NS_PER_SEC);
	assert_true(total.device_depth == 4.0);
	/* From the third segment on (1 s): the seconds 2, 3 and 4. */
	timeline_total(t, 3, &total, &gap, h);
	assert_int_equal(total.dt_ns, 3 * NS_PER_SEC);
	assert_int_equal(total.cpu.user, (2 + 3 + 4) * TICK_NS);
	/* From the second on (0.5 s) too: second 1 began before it. */
	timeline_total(t, 2, &total, &gap, h);
	assert_int_equal(total.dt_ns, 35 * TICK_NS);
	assert_int_equal(total.cpu.user, (2 + 3 + 4) * TICK_NS);
	free(h);
	timeline_destroy(t);
}

static void percentiles_are_those_of_the_last_whole_second(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct sample out[2];
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	put(t, TICK_NS, 99, 1000);
	put(t, 2 * TICK_NS, 1, 64000);
	timeline_ticks(t, 0, out, 1);
	assert_int_equal(out[0].p99, 0); /* no second has ended yet */
	put_second(t, 2 * TICK_NS, 0);
	timeline_seconds(t, 0, out, 1);
	assert_in_range(out[0].p50, 1000, 1016);
	assert_in_range(out[0].p99, 1000, 1016);
	assert_in_range(out[0].p999, 63000, 64000);
	put(t, 3 * TICK_NS, 5, 5000);
	timeline_ticks(t, 0, out, 1);
	assert_in_range(out[0].p999, 63000, 64000);
	/* A second without an IO has none. */
	put_second(t, 3 * TICK_NS, 0);
	put(t, 4 * TICK_NS, 0, 0);
	put_second(t, 4 * TICK_NS, 0);
	timeline_seconds(t, 0, out, 1);
	assert_int_equal(out[0].p50, 0);
	timeline_destroy(t);
}

static void put_rest(struct timeline *t, uint64_t t_ns, uint64_t dt_ns)
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = t_ns;
	s.dt_ns = dt_ns;
	timeline_second(t, &s);
}

static void a_rest_has_the_percentiles_of_the_second_before_with_its_own(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct sample out[2];
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	put(t, NS_PER_SEC, 90, 1000);
	put_rest(t, NS_PER_SEC, NS_PER_SEC);
	put(t, NS_PER_SEC + 44 * NS_PER_MS, 10, 64000);
	put_rest(t, NS_PER_SEC + 44 * NS_PER_MS, 44 * NS_PER_MS);
	timeline_seconds(t, 0, out, 2);
	assert_in_range(out[1].p50, 1000, 1016);
	assert_in_range(out[1].p95, 63000, 64000);
	/* What was before a reset is not before it. */
	timeline_mark(t, MARK_RESET, 2 * NS_PER_SEC, 1, NULL, "reset");
	put(t, 2 * NS_PER_SEC + 44 * NS_PER_MS, 10, 5000);
	put_rest(t, 2 * NS_PER_SEC + 44 * NS_PER_MS, 44 * NS_PER_MS);
	timeline_seconds(t, 0, out, 1);
	assert_in_range(out[0].p50, 4950, 5080);
	assert_in_range(out[0].p999, 4950, 5080);
	timeline_destroy(t);
}

static void the_recent_histogram_forgets_after_five_seconds_and_at_a_mark(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct hist *h = malloc(HISTS * sizeof(*h));
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 1; i <= 100; i++)
		put(t, i * TICK_NS, 1, i <= 50 ? 1000 : 9000);
	timeline_recent_hist(t, h);
	assert_int_equal(h[IO_READ].count, 50);
	assert_int_equal(h[IO_READ].min, 9000);
	put(t, 101 * TICK_NS, 1, 9000);
	timeline_recent_hist(t, h);
	assert_int_equal(h[IO_READ].count, 41); /* four whole seconds and the new one */
	timeline_mark(t, MARK_EVENT, 101 * TICK_NS, 1, NULL, "an event is no border");
	timeline_recent_hist(t, h);
	assert_int_equal(h[IO_READ].count, 41);
	timeline_mark(t, MARK_RESET, 101 * TICK_NS, 1, NULL, "reset");
	timeline_recent_hist(t, h);
	assert_int_equal(h[IO_READ].count, 0);
	put(t, 102 * TICK_NS, 3, 500);
	timeline_recent_hist(t, h);
	assert_int_equal(h[IO_READ].count, 3);
	free(h);
	timeline_destroy(t);
}

static void letters_go_round_and_events_have_none(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct mark m[64];
	timeline_mark(t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 0; i < 27; i++) {
		timeline_mark(t, MARK_NOTE, i, 1, NULL, "note");
		timeline_mark(t, MARK_EVENT, i, 1, NULL, "event");
	}
	timeline_mark(t, MARK_END, 99, 1, NULL, "end");
	assert_int_equal(timeline_marks(t, 0, m, 64), 56);
	assert_int_equal(m[0].letter, 0);
	assert_int_equal(m[1].letter, 'a');
	assert_int_equal(m[2].letter, 0);
	assert_int_equal(m[3].letter, 'b');
	assert_int_equal(m[51].letter, 'z');
	assert_int_equal(m[53].letter, 'a');
	assert_int_equal(m[55].letter, 0);
	assert_int_equal(m[55].id, 56);
	assert_int_equal(timeline_segments(t), 28);
	/* With more than there is room for: the newest. */
	assert_int_equal(timeline_marks(t, 0, m, 2), 2);
	assert_int_equal(m[1].id, 56);
	assert_int_equal(timeline_marks(t, 56, m, 2), 0);
	timeline_destroy(t);
}

static void a_long_note_is_cut_at_a_whole_character(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct mark m;
	char text[400];
	for (unsigned i = 0; i < 198; i++)
		memcpy(text + 1 + 2 * i, "µ", 2);
	text[0] = 'x';
	text[1 + 2 * 198] = 0;
	timeline_mark(t, MARK_NOTE, 0, 1, &eight, text);
	timeline_marks(t, 0, &m, 1);
	assert_int_equal(strlen(m.text), 159); /* 1 + 79 x 2 */
	for (unsigned i = 0; i < 158; i++)
		text[i] = 'y';
	memcpy(text + 158, "µ", 2);
	timeline_mark(t, MARK_NOTE, 0, 1, &eight, text);
	timeline_marks(t, 0, &m, 1);
	assert_int_equal(strlen(m.text), 158);
	timeline_destroy(t);
}

/* --- A writer and two readers: the sanitizers watch, and sums stay whole. --- */

struct race {
	struct timeline *t;
	atomic_bool done;
	atomic_uint torn; /* times that a reader saw something half done */
};

static void *reads(void *arg)
{
	struct race *r = arg;
	struct sample *out = malloc(700 * sizeof(*out)), sum;
	struct segment *g = malloc(sizeof(*g));
	struct hist *h = malloc(HISTS * sizeof(*h));
	struct mark m[16];
	while (!atomic_load(&r->done)) {
		size_t n = timeline_ticks(r->t, 0, out, 700);
		for (size_t i = 1; i < n; i++)
			r->torn += out[i].t_ns <= out[i - 1].t_ns;
		timeline_seconds(r->t, 0, out, 700);
		n = timeline_sum(r->t, 0, UINT64_MAX, &sum);
		r->torn += sum.op[IO_READ].ios != 3 * n;
		timeline_marks(r->t, 0, m, 16);
		timeline_recent_hist(r->t, h);
		r->torn += h[IO_READ].count % 3 != 0;
		uint32_t last = timeline_segments(r->t);
		if (last && timeline_segment(r->t, 1 + last / 2, g))
			r->torn += g->hist[IO_READ].count != g->total.op[IO_READ].ios;
	}
	free(out);
	free(g);
	free(h);
	return NULL;
}

static void one_writer_and_two_readers_get_along(void **state)
{
	(void)state;
	struct race r = {.t = timeline_create()};
	pthread_t reader[2];
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&reader[i], NULL, reads, &r), 0);
	timeline_mark(r.t, MARK_START, 0, 1, &eight, "run start");
	for (unsigned i = 1; i <= 3000; i++) {
		put(r.t, i * TICK_NS, 3, 1000 + i);
		if (i % 10 == 0)
			put_second(r.t, i * TICK_NS, 0);
		if (i % 7 == 0)
			timeline_mark(r.t, MARK_KNOB, i * TICK_NS, i, &nine, "k");
	}
	atomic_store(&r.done, true);
	for (int i = 0; i < 2; i++)
		pthread_join(reader[i], NULL);
	assert_int_equal(r.torn, 0);
	timeline_destroy(r.t);
}

static void a_mark_can_be_given_its_words_later(void **state)
{
	(void)state;
	struct timeline *t = timeline_create();
	struct mark m;
	uint32_t id = timeline_mark(t, MARK_NOTE, 1000, 1, NULL, "mark");
	assert_int_equal(timeline_notes(t), 0);
	timeline_note(t, id, "moved the cable");
	timeline_note(t, id + 1, "no such mark");
	assert_int_equal(timeline_notes(t), 1);
	assert_int_equal(timeline_marks(t, 0, &m, 1), 1);
	assert_int_equal(m.t_ns, 1000);
	assert_string_equal(m.text, "moved the cable");
	timeline_destroy(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_add_and_states_are_the_later_ones),
		cmocka_unit_test(cpu_figures_say_how_much_time_they_cover),
		cmocka_unit_test(readers_get_the_newest_ticks_oldest_first),
		cmocka_unit_test(ticks_older_than_ten_minutes_are_forgotten),
		cmocka_unit_test(seconds_are_kept_for_a_day),
		cmocka_unit_test(a_mark_starts_a_segment_of_whole_ticks),
		cmocka_unit_test(a_tick_with_a_mark_in_it_goes_to_the_larger_side),
		cmocka_unit_test(three_marks_in_one_tick_lose_no_io),
		cmocka_unit_test(only_seconds_wholly_in_a_segment_give_it_cpu),
		cmocka_unit_test(a_total_has_the_cpu_of_every_second),
		cmocka_unit_test(percentiles_are_those_of_the_last_whole_second),
		cmocka_unit_test(a_rest_has_the_percentiles_of_the_second_before_with_its_own),
		cmocka_unit_test(the_recent_histogram_forgets_after_five_seconds_and_at_a_mark),
		cmocka_unit_test(letters_go_round_and_events_have_none),
		cmocka_unit_test(a_long_note_is_cut_at_a_whole_character),
		cmocka_unit_test(a_mark_can_be_given_its_words_later),
		cmocka_unit_test(one_writer_and_two_readers_get_along),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
