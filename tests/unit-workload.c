/* unit-workload.c - knobs, what a workload may be, and the IOs that it makes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "knob.h"
#include "pattern.h"
#include "units.h"
#include "workload.h"

static struct workload_limits disk(void)
{
	return (struct workload_limits){
		.target = "/dev/sdx",
		.target_size = GIB,
		.logical_block = 512,
		.backend = "libaio",
		.may_write = true,
		.write_start = 0,
		.write_length = GIB,
	};
}

static void refused(struct workload w, struct workload_limits l, int err, const char *words)
{
	struct error e = {{0}};
	assert_int_equal(workload_validate(&w, &l, &e), -err);
	if (!strstr(e.text, words))
		fail_msg("'%s' does not say '%s'", e.text, words);
}

/* --- Validation. --- */

static void the_default_is_gentle_and_reads(void **state)
{
	(void)state;
	struct workload w = workload_default();
	struct workload_limits l = disk();
	l.may_write = false;
	assert_int_equal(workload_validate(&w, &l, NULL), 0);
	assert_int_equal(w.workers, 1);
	assert_int_equal(w.outstanding, 8);
	assert_int_equal(w.block_size, 4096);
	assert_int_equal(w.read_pct, 100);
	assert_int_equal(w.random_pct, 100);
}

static void unaligned_sizes_are_refused_with_the_reason(void **state)
{
	(void)state;
	struct workload w = workload_default();
	w.block_size = 1000;
	refused(w, disk(), EINVAL,
		"/dev/sdx: block size 1000 is not a multiple of its 512-byte blocks");
	w = workload_default();
	w.align = 700;
	refused(w, disk(), EINVAL, "alignment 700");
	w = workload_default();
	w.range_start = 100;
	refused(w, disk(), EINVAL, "range start 100");
	struct workload_limits l = disk();
	l.logical_block = 4096;
	w = workload_default();
	w.block_size = 512;
	refused(w, l, EINVAL, "4096-byte");
}

static void a_depth_that_cannot_be_reached_is_refused(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	l.backend = "sync";
	l.max_outstanding = 1;
	l.depth_reason = "it does one IO at a time per worker";
	struct workload w = workload_default();
	w.outstanding = 64;
	refused(w, l, EINVAL, "outstanding 64 cannot be reached with backend sync: it does one IO");
	w.outstanding = 1;
	assert_int_equal(workload_validate(&w, &l, NULL), 0);
}

/* What no option can set, and what the engine divides by. */
static void figures_that_nothing_can_set_are_refused(void **state)
{
	const struct workload good = workload_default();
	struct workload w;
	(void)state;
#define REFUSED(change, word)                     \
	do {                                      \
		w = good;                         \
		change;                           \
		refused(w, disk(), EINVAL, word); \
	} while (0)
	REFUSED(w.rate_iops = UINT64_MAX, "rate");
	REFUSED(w.burst = UINT32_MAX, "burst");
	REFUSED(w.think_ns = UINT64_MAX, "think");
	REFUSED(w.data.kind = DATA_WORD, "data");
	REFUSED((w.data = (struct data){.kind = DATA_WORD, .word_bytes = 3}), "data");
	REFUSED((w.data = (struct data){.kind = DATA_WORD, .word = 256, .word_bytes = 1}), "data");
	REFUSED(w.data.kind = 7, "data");
	const struct access_line line = {.size = 4096, .burst = 1, .share = 100, .read_pct = 100};
	REFUSED((w.access.count = 1, w.access.line[0] = line,
		 w.access.line[0].delay_ms = UINT32_MAX),
		"access line 1");
	REFUSED((w.access.count = 1, w.access.line[0] = line, w.access.line[0].burst = UINT32_MAX),
		"access line 1");
#undef REFUSED
	struct workload_limits l = disk();
	w.access.line[0].burst = 2;
	assert_int_equal(workload_validate(&w, &l, NULL), 0);
}

static void writes_need_permission(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	l.may_write = false;
	struct workload w = workload_default();
	w.read_pct = 99;
	refused(w, l, EPERM, "has not been allowed");
}

static void a_range_must_hold_a_block_for_each_worker(void **state)
{
	(void)state;
	struct workload w = workload_default();
	w.workers = 8;
	w.range_length = 4 * 4096;
	refused(w, disk(), EINVAL, "for each of 8 workers");
	w.share_range = true;
	struct workload_limits l = disk();
	assert_int_equal(workload_validate(&w, &l, NULL), 0);
	w.range_start = GIB;
	refused(w, disk(), EINVAL, "behind the end");
	w.range_start = 0;
	w.range_length = GIB + 512;
	refused(w, disk(), EINVAL, "behind the end");
}

static void writes_stay_in_the_window_and_reads_do_not_have_to(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	l.write_start = MIB;
	l.write_length = 64 * MIB;
	struct workload w = workload_default();
	uint64_t start, length;
	workload_range(&w, &l, &start, &length);
	assert_int_equal(start, 0);
	assert_int_equal(length, GIB);
	w.read_pct = 99;
	workload_range(&w, &l, &start, &length);
	assert_int_equal(start, MIB);
	assert_int_equal(length, 64 * MIB);
}

/* --- Parts and patterns. --- */

static void workers_split_the_range_without_gap_or_overlap(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	struct workload w = workload_default();
	for (uint32_t workers = 1; workers <= 37; workers++) {
		w.workers = workers;
		w.range_start = 8192 * 3;
		w.range_length = 100 * MIB + 512;
		uint64_t next = 8192 * 3;
		for (uint32_t i = 0; i < workers; i++) {
			uint64_t start, length;
			workload_part(&w, &l, i, &start, &length);
			assert_int_equal(start, next);
			assert_int_equal(start % w.block_size, 0);
			next = start + length;
		}
		assert_int_equal(next, 8192 * 3 + 100 * MIB);
	}
}

static void every_io_lies_in_its_workers_part_and_is_aligned(void **state)
{
	(void)state;
	static const uint32_t block[] = {512, 4096, 12288, 65536}, align[] = {0, 512, 8192};
	struct workload_limits l = disk();
	for (int b = 0; b < 4; b++)
		for (int a = 0; a < 3; a++)
			for (uint32_t i = 0; i < 3; i++) {
				struct workload w = workload_default();
				w.workers = 3;
				w.block_size = block[b];
				w.align = align[a];
				w.random_pct = 50;
				w.read_pct = 50;
				w.range_start = 3 * 512;
				w.range_length = 7 * MIB;
				uint64_t start, length;
				workload_part(&w, &l, i, &start, &length);
				struct pattern p;
				pattern_init(&p);
				pattern_take_up(&p, &w, &l, NULL, i);
				for (int n = 0; n < 20000; n++) {
					struct io io = {0};
					pattern_next(&p, &io);
					assert_int_equal(io.size, block[b]);
					assert_int_equal(io.offset % workload_align(&w), 0);
					assert_true(io.offset >= start);
					assert_true(io.offset + io.size <= start + length);
				}
			}
}

static void a_sequential_worker_covers_its_part_in_order_and_starts_over(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	struct workload w = workload_default();
	w.random_pct = 0;
	w.range_length = 10 * 4096;
	struct pattern p;
	pattern_init(&p);
	pattern_take_up(&p, &w, &l, NULL, 0);
	for (uint64_t n = 0; n < 35; n++) {
		struct io io = {0};
		pattern_next(&p, &io);
		assert_int_equal(io.offset, n % 10 * 4096);
		assert_int_equal(io.op, IO_READ);
	}
}

static void a_sequential_io_goes_on_where_a_random_one_ended(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	struct workload w = workload_default();
	w.random_pct = 50;
	struct pattern p;
	pattern_init(&p);
	pattern_take_up(&p, &w, &l, NULL, 0);
	struct io before = {0}, io = {0};
	int sequential = 0;
	pattern_next(&p, &before);
	for (int n = 0; n < 10000; n++, before = io) {
		pattern_next(&p, &io);
		sequential += io.offset == before.offset + before.size;
	}
	/* Half of 10,000 coins, 5 sigma. */
	assert_true(abs(sequential - 5000) < 250);
}

static void coins_and_offsets_are_fair(void **state)
{
	(void)state;
	enum { N = 200000, PLACES = 64 };
	struct workload_limits l = disk();
	struct workload w = workload_default();
	w.read_pct = 70;
	w.range_length = PLACES * 4096;
	struct pattern p;
	pattern_init(&p);
	pattern_take_up(&p, &w, &l, NULL, 0);
	int reads = 0, seen[PLACES] = {0};
	for (int n = 0; n < N; n++) {
		struct io io = {0};
		pattern_next(&p, &io);
		reads += io.op == IO_READ;
		seen[io.offset / 4096]++;
	}
	assert_true(fabs(reads - 0.7 * N) < 5 * sqrt(0.7 * 0.3 * N));
	double chi = 0, expected = (double)N / PLACES;
	for (int i = 0; i < PLACES; i++)
		chi += (seen[i] - expected) * (seen[i] - expected) / expected;
	/* 63 degrees of freedom: 110 is p = 0.0002. */
	assert_true(chi < 110);
}

static void the_same_seed_makes_the_same_sequence(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	struct workload w = workload_default();
	w.read_pct = 50;
	struct pattern a, b, other;
	pattern_init(&a);
	pattern_init(&b);
	pattern_init(&other);
	pattern_take_up(&a, &w, &l, NULL, 0);
	pattern_take_up(&b, &w, &l, NULL, 0);
	w.seed++;
	pattern_take_up(&other, &w, &l, NULL, 0);
	int differ = 0;
	for (int n = 0; n < 1000; n++) {
		struct io x = {0}, y = {0}, z = {0};
		pattern_next(&a, &x);
		pattern_next(&b, &y);
		pattern_next(&other, &z);
		assert_memory_equal(&x, &y, sizeof(x));
		differ += x.offset != z.offset;
	}
	assert_true(differ > 900);
}

/* --- Knobs. --- */

static void steps_go_up_and_come_back_the_same_way(void **state)
{
	(void)state;
	for (enum knob k = 0; k < KNOB_COUNT; k++) {
		struct workload w = workload_default();
		if (k == KNOB_RATE)
			w.rate_iops = 1000;
		if (k == KNOB_READ || k == KNOB_RANDOM)
			w.read_pct = w.random_pct = 50;
		char start[32], back[32], up[32];
		knob_format(start, sizeof(start), &w, k);
		w = knob_step(w, k, 1, false, 512);
		knob_format(up, sizeof(up), &w, k);
		assert_string_not_equal(start, up);
		w = knob_step(w, k, -1, false, 512);
		knob_format(back, sizeof(back), &w, k);
		assert_string_equal(start, back);
	}
}

static void stepping_never_leaves_the_bounds_and_reaches_them(void **state)
{
	(void)state;
	struct workload_limits l = disk();
	l.target_size = 1ull << 50;
	l.write_length = 1ull << 50;
	for (enum knob k = 0; k < KNOB_COUNT; k++)
		for (int big = 0; big < 2; big++)
			for (int dir = -1; dir <= 1; dir += 2) {
				struct workload w = workload_default();
				struct error e;
				char a[32] = "", b[32] = "x";
				int steps = 0;
				for (; strcmp(a, b) && steps < 1000; steps++) {
					knob_format(a, sizeof(a), &w, k);
					w = knob_step(w, k, dir, big, 512);
					knob_format(b, sizeof(b), &w, k);
					if (workload_validate(&w, &l, &e))
						fail_msg("%s", e.text);
				}
				assert_true(steps < 1000);
			}
	struct workload w = workload_default();
	for (int i = 0; i < 100; i++)
		w = knob_step(w, KNOB_BLOCK, -1, false, 4096);
	assert_int_equal(w.block_size, 4096);
}

static void outstanding_steps_by_half_octaves(void **state)
{
	(void)state;
	static const uint32_t want[] = {2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
	struct workload w = workload_default();
	w.outstanding = 1;
	for (size_t i = 0; i < sizeof(want) / sizeof(*want); i++) {
		w = knob_step(w, KNOB_OUTSTANDING, 1, false, 512);
		assert_int_equal(w.outstanding, want[i]);
	}
	w.outstanding = 33;
	assert_int_equal(knob_step(w, KNOB_OUTSTANDING, 1, false, 512).outstanding, 48);
	assert_int_equal(knob_step(w, KNOB_OUTSTANDING, -1, false, 512).outstanding, 32);
}

static void what_a_knob_shows_can_be_typed_again(void **state)
{
	(void)state;
	static const uint32_t block[] = {512, 1024, 4096, 4608, 65536, 1 << 20, 3 << 19};
	static const uint64_t rate[] = {0, 1, 999, 1000, 1234, 50000, 1200000, 1234567};
	struct error e;
	char text[32];
	for (size_t i = 0; i < sizeof(block) / sizeof(*block); i++) {
		struct workload w = workload_default(), back = w;
		w.block_size = block[i];
		assert_int_equal(knob_parse(&back, KNOB_BLOCK,
					    knob_format(text, sizeof(text), &w, KNOB_BLOCK), &e),
				 0);
		assert_int_equal(back.block_size, block[i]);
	}
	for (size_t i = 0; i < sizeof(rate) / sizeof(*rate); i++) {
		struct workload w = workload_default(), back = w;
		w.rate_iops = rate[i];
		assert_int_equal(knob_parse(&back, KNOB_RATE,
					    knob_format(text, sizeof(text), &w, KNOB_RATE), &e),
				 0);
		assert_int_equal(back.rate_iops, rate[i]);
	}
}

static void typed_nonsense_changes_nothing(void **state)
{
	(void)state;
	struct error e;
	for (enum knob k = 0; k < KNOB_COUNT; k++) {
		static const char *const bad[] = {"", "abc", "-1", "1e9999", "101%%", "4k4"};
		for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
			struct workload w = workload_default(), before = w;
			e.text[0] = 0;
			if (knob_parse(&w, k, bad[i], &e) == 0)
				fail_msg("%s took '%s'", knobs[k].name, bad[i]);
			assert_memory_equal(&w, &before, sizeof(w));
			assert_true(e.text[0]);
		}
	}
}

static void a_difference_says_what_changed_from_what_to_what(void **state)
{
	(void)state;
	char text[160];
	struct workload a = workload_default(), b = a;
	assert_string_equal(workload_diff(text, sizeof(text), &a, &b, true), "");
	b.outstanding = 32;
	b.block_size = 65536;
	assert_string_equal(workload_diff(text, sizeof(text), &a, &b, true),
			    "outstanding 8 > 32, block 4K > 64K");
	assert_non_null(strstr(workload_diff(text, sizeof(text), &a, &b, false), "8 → 32"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_default_is_gentle_and_reads),
		cmocka_unit_test(unaligned_sizes_are_refused_with_the_reason),
		cmocka_unit_test(a_depth_that_cannot_be_reached_is_refused),
		cmocka_unit_test(figures_that_nothing_can_set_are_refused),
		cmocka_unit_test(writes_need_permission),
		cmocka_unit_test(a_range_must_hold_a_block_for_each_worker),
		cmocka_unit_test(writes_stay_in_the_window_and_reads_do_not_have_to),
		cmocka_unit_test(workers_split_the_range_without_gap_or_overlap),
		cmocka_unit_test(every_io_lies_in_its_workers_part_and_is_aligned),
		cmocka_unit_test(a_sequential_worker_covers_its_part_in_order_and_starts_over),
		cmocka_unit_test(a_sequential_io_goes_on_where_a_random_one_ended),
		cmocka_unit_test(coins_and_offsets_are_fair),
		cmocka_unit_test(the_same_seed_makes_the_same_sequence),
		cmocka_unit_test(steps_go_up_and_come_back_the_same_way),
		cmocka_unit_test(stepping_never_leaves_the_bounds_and_reaches_them),
		cmocka_unit_test(outstanding_steps_by_half_octaves),
		cmocka_unit_test(what_a_knob_shows_can_be_typed_again),
		cmocka_unit_test(typed_nonsense_changes_nothing),
		cmocka_unit_test(a_difference_says_what_changed_from_what_to_what),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
