/* unit-compare.c - which seconds a side is made of, what is compared, and in which words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/compare.h"
#include "compare/differ.h"
#include "compare/differ_facts.h"
#include "path_marks.h"
#include "store_load.h"

#define MAX 120

/* A second of reads of 4 KiB that ends at t seconds: 1 ms each, 20 us of CPU. */
static struct sample second(unsigned t, uint64_t ios)
{
	struct sample s;

	sample_clear(&s);
	s.t_ns = t * NS_PER_SEC;
	s.dt_ns = NS_PER_SEC;
	s.depth_requested = 8;
	s.op[IO_READ].ios = ios;
	s.op[IO_READ].bytes = ios * 4096;
	s.op[IO_READ].lat_sum = ios * 1000000;
	s.p99 = 2000000;
	s.cpu.valid = true;
	s.cpu.user = ios * 15000;
	s.cpu.softirq = ios * 5000;
	s.cpu.idle = 2 * NS_PER_SEC - ios * 20000;
	return s;
}

/* Around this many: up and down by one per cent, no second like the one before. */
static uint64_t around(uint64_t ios, unsigned i)
{
	static const int off[] = {0, 7, -9, 3, -5, 10, -2, 6, -8, 1, -3};

	return ios + (uint64_t)((int64_t)ios * off[i % 11] / 1000);
}

static void close_to(double is, double should, double share)
{
	if (!(fabs(is - should) <= fabs(should) * share))
		fail_msg("%.9g is not %.9g", is, should);
}

static void a_side_is_what_lies_wholly_within_and_has_settled(void **state)
{
	struct sample s[MAX];
	struct side side;
	const struct side_cut cut = {.settle_ns = 3 * NS_PER_SEC};
	const struct side_cut open = {.settle_ns = 3 * NS_PER_SEC, .open_end = true};
	(void)state;

	for (unsigned i = 0; i < MAX; i++)
		s[i] = second(i + 1, 1000);
	/* From 10.5 s to 40 s: seconds that end at 15 (begun at 14) to 37. */
	assert_int_equal(side_take(&side, "x", s, MAX, 21 * NS_PER_SEC / 2, 40 * NS_PER_SEC, &cut),
			 0);
	assert_int_equal(side.count, 23);
	close_to(side.seconds, 23, 0);
	side_free(&side);
	assert_int_equal(side_take(&side, "x", s, MAX, 21 * NS_PER_SEC / 2, 40 * NS_PER_SEC, &open),
			 0);
	assert_int_equal(side.count, 26);
	side_free(&side);
	/* A segment of a second has nothing left. */
	assert_int_equal(side_take(&side, "x", s, MAX, NS_PER_SEC, 2 * NS_PER_SEC, &cut), 0);
	assert_int_equal(side.count, 0);
	side_free(&side);
}

static void warm_up_and_pauses_do_not_count(void **state)
{
	struct sample s[MAX];
	struct side side;
	const struct side_cut none = {0};
	(void)state;

	for (unsigned i = 0; i < MAX; i++) {
		s[i] = second(i + 1, around(i < 20 ? 5000 : 1000, i));
		if (i >= 50 && i < 60) {
			s[i] = second(i + 1, 0);
			s[i].depth_requested = 0;
		}
	}
	assert_int_equal(side_take(&side, "x", s, MAX, 0, MAX * NS_PER_SEC, &none), 0);
	/* In fives, and a little more where that is what scatters least. */
	assert_in_range(side.warmup, 20, 35);
	assert_int_equal(side.warmup + side.count, 110);
	close_to(series_mean(side.point[METRIC_IOPS_T], side.count), 1000, 0.01);
	side_free(&side);
}

static void seconds_in_which_a_path_was_out_do_not_count(void **state)
{
	struct sample s[MAX];
	struct side side;
	const struct side_cut whole = {.keep_warmup = true};
	(void)state;

	for (unsigned i = 0; i < MAX; i++)
		s[i] = second(i + 1, around(1000, i));
	/* Out for 4.3 s: the first and the last of its seconds only in part. */
	for (unsigned i = 40; i < 46; i++) {
		s[i] = second(i + 1, 10);
		s[i].gap_ns = i == 40 || i == 45 ? 200000000 : NS_PER_SEC;
	}
	assert_int_equal(side_take(&side, "x", s, MAX, 0, MAX * NS_PER_SEC, &whole), 0);
	assert_int_equal(side.count, MAX - 6);
	close_to(side.seconds, MAX - 6, 0);
	close_to(series_mean(side.point[METRIC_IOPS_T], side.count), 1000, 0.005);
	side_free(&side);
}

static void take(struct side *side, struct sample *s, uint64_t ios)
{
	const struct side_cut none = {0};

	for (unsigned i = 0; i < MAX; i++)
		s[i] = second(i + 1, around(ios, i * 5 + (unsigned)ios));
	assert_int_equal(side_take(side, "x", s, MAX, 0, MAX * NS_PER_SEC, &none), 0);
}

static void every_figure_is_the_arithmetic_of_its_seconds(void **state)
{
	struct sample s[MAX];
	struct side a, b;
	struct comparison c;
	(void)state;

	take(&a, s, 1000);
	take(&b, s, 1100);
	compare_sides(&c, &a, &b);
	close_to(c.verdict[METRIC_IOPS_T].a, 1000, 0.005);
	close_to(c.verdict[METRIC_IOPS_T].ratio, 1.1, 0.005);
	assert_int_equal(c.verdict[METRIC_IOPS_T].kind, VERDICT_DIFFERENT);
	close_to(c.verdict[METRIC_RATE_T].a, 4096000, 0.005);
	close_to(c.verdict[METRIC_MEAN_T].a, 1e6, 1e-9);
	assert_int_equal(c.verdict[METRIC_MEAN_T].kind, VERDICT_NOISE);
	close_to(c.verdict[METRIC_P99].b, 2e6, 1e-9);
	close_to(c.verdict[METRIC_CPU].a, 1, 0.005);          /* 20 ms of 2 s */
	close_to(c.verdict[METRIC_CPU_IO].a, 20, 1e-9);       /* us */
	close_to(c.verdict[METRIC_CPU_GIB].a, 5.24288, 1e-9); /* 262144 x 20 us */
	close_to(c.verdict[METRIC_SOFTIRQ_GIB].a, 1.31072, 1e-9);
	/* There are no writes, so reads are all there is. */
	assert_false(c.shown[METRIC_IOPS_R] || c.shown[METRIC_IOPS_W] || c.shown[METRIC_MEAN_W]);
	assert_true(c.shown[METRIC_IOPS_T]);
	side_free(&a);
	side_free(&b);
}

static void cpu_figures_of_a_part_of_the_second_are_of_as_much_work(void **state)
{
	struct sample s = second(1, 1000);
	(void)state;

	s.cpu.dt_ns = NS_PER_SEC / 2;
	s.cpu.user = 7500000;
	s.cpu.softirq = 2500000;
	struct point p = metric_point(METRIC_CPU_IO, &s);
	close_to(p.num / p.den, 20, 1e-9);
	s.cpu.valid = false;
	p = metric_point(METRIC_CPU_IO, &s);
	close_to(p.den, 0, 0);
}

static void the_words_say_how_sure_it_is(void **state)
{
	static const struct {
		struct verdict v;
		const char *change, *words;
	} row[] = {
		{{VERDICT_DIFFERENT, .ratio = 0.955, .low = 0.942, .high = 0.969},
		 "-4.5 % [-5.8, -3.1]",
		 "different"},
		{{VERDICT_NOISE, .ratio = 1.0004, .low = 0.98, .high = 1.02, .least = 0.029},
		 "0.0 % [-2.0, +2.0]",
		 "within noise; would have seen 2.9 %"},
		{{VERDICT_NOISE, .ratio = 2.81, .low = 1.546, .high = 5.1, .least = 1.2},
		 "+181 % [+54.6, +410]",
		 "undecided: alone it would be a difference, among so many figures it may be "
		 "chance"},
		{{VERDICT_NOISE, .ratio = 1.377, .low = 0.001, .high = 2153.6, .least = 3467},
		 "+37.7 % [-99.9, >999]",
		 "within noise; too little data to see anything"},
		{{VERDICT_UNKNOWN, .ratio = 2.44, .low = NAN, .high = NAN, .more = 39.2},
		 "+144 %",
		 "not enough data: about 40 s more"},
		{{VERDICT_UNKNOWN, .ratio = NAN, .more = 1},
		 "-",
		 "not enough data: about 1 s more"},
	};
	char text[96];
	(void)state;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_string_equal(verdict_change(&row[i].v, text, sizeof(text)), row[i].change);
		assert_string_equal(verdict_words(&row[i].v, text, sizeof(text)), row[i].words);
	}
}

static void the_rest_of_a_second_at_the_end_is_no_second(void **state)
{
	struct sample s[21];
	struct side side;
	const struct side_cut none = {.open_end = true};
	(void)state;

	for (unsigned i = 0; i < 20; i++)
		s[i] = second(i + 1, 300);
	s[20] = second(21, 300);
	s[20].dt_ns = NS_PER_MS;
	s[20].t_ns = 20 * NS_PER_SEC + NS_PER_MS;
	assert_int_equal(side_take(&side, "x", s, 21, 0, s[20].t_ns, &none), 0);
	assert_int_equal(side.count, 20);
	close_to(side.seconds, 20, 0);
	side_free(&side);
}

static void what_is_too_short_to_settle_has_figures_but_no_verdict(void **state)
{
	const struct side_cut cut = {.settle_ns = 3 * NS_PER_SEC, .any = true};
	struct sample s[MAX];
	struct side a, b;
	struct comparison c;
	(void)state;

	for (unsigned i = 0; i < MAX; i++)
		s[i] = second(i + 1, i < 5 ? 300 : around(600, i));
	assert_int_equal(side_take(&a, "a", s, MAX, 0, 5 * NS_PER_SEC, &cut), 0);
	assert_int_equal(side_take(&b, "b", s, MAX, 5 * NS_PER_SEC, MAX * NS_PER_SEC, &cut), 0);
	assert_true(a.unsettled);
	assert_false(b.unsettled);
	close_to(a.seconds, 5, 0);
	compare_sides(&c, &a, &b);
	close_to(c.verdict[METRIC_IOPS_T].a, 300, 1e-9);
	for (unsigned m = 0; m < METRICS; m++)
		assert_int_equal(c.verdict[m].kind, VERDICT_UNKNOWN);
	side_free(&a);
	side_free(&b);
	/* Enough for a verdict, were it settled: then it is none. */
	const struct side_cut long_cut = {.settle_ns = 10 * NS_PER_SEC, .any = true};
	assert_int_equal(side_take(&a, "a", s, MAX, 0, 18 * NS_PER_SEC, &long_cut), 0);
	assert_int_equal(a.count, 0);
	side_free(&a);
}

static void io_that_stops_is_the_greatest_difference_and_failed_ios_are_told(void **state)
{
	struct sample s[40];
	struct side a, b;
	struct comparison c;
	const struct side_cut none = {.open_end = true};
	char *text;
	size_t n;
	(void)state;

	for (unsigned i = 0; i < 40; i++) {
		s[i] = second(i + 1, i < 20 ? around(300, i) : 0);
		s[i].op[IO_READ].errors = i < 20 ? 0 : 100;
	}
	assert_int_equal(side_take(&a, "a", s, 40, 0, 20 * NS_PER_SEC, &none), 0);
	assert_int_equal(side_take(&b, "b", s, 40, 20 * NS_PER_SEC, 40 * NS_PER_SEC, &none), 0);
	assert_int_equal(b.errors, 2000);
	compare_sides(&c, &a, &b);
	assert_true(c.shown[METRIC_IOPS_T] && c.shown[METRIC_RATE_T]);
	assert_false(c.shown[METRIC_MEAN_T]);
	assert_int_equal(c.verdict[METRIC_IOPS_T].kind, VERDICT_DIFFERENT);
	FILE *f = open_memstream(&text, &n);
	compare_print(f, &c, &a, &b, RATE_MIB, true);
	fclose(f);
	assert_non_null(strstr(text, "-100 %"));
	assert_non_null(strstr(text, "IOs that failed: A 0, B 2000."));
	free(text);
	json_t *doc = compare_json(&c, &a, &b);
	json_t *told = json_object_get(json_object_get(doc, "b"), "errors");
	assert_int_equal(json_integer_value(told), 2000);
	json_decref(doc);
	side_free(&a);
	side_free(&b);
}

static void too_short_to_be_steady_is_not_called_unsteady(void **state)
{
	struct sample s[MAX];
	struct side side;
	const struct side_cut none = {.open_end = true};
	(void)state;

	for (unsigned i = 0; i < MAX; i++)
		s[i] = second(i + 1, 300);
	for (unsigned seconds = 1; seconds <= 30; seconds++) {
		assert_int_equal(side_take(&side, "x", s, MAX, 0, seconds * NS_PER_SEC, &none), 0);
		assert_int_equal(side.judged, seconds >= WARMUP_LEAST);
		assert_int_equal(side.steady, seconds >= WARMUP_LEAST);
		side_free(&side);
	}
}

static void a_host_without_cpu_left_is_told(void **state)
{
	struct sample s[40];
	struct side a, b;
	struct comparison c;
	const struct side_cut none = {.open_end = true};
	char *text;
	size_t n;
	(void)state;

	for (unsigned i = 0; i < 40; i++) {
		s[i] = second(i + 1, around(20000, i));
		s[i].cpu.idle = i < 20 ? NS_PER_SEC : 20 * NS_PER_MS;
	}
	for (int full = 0; full < 2; full++) {
		uint64_t end_s = full ? 40 : 20, from_s = full ? 20 : 0;
		assert_int_equal(side_take(&a, "a", s, 40, 0, 20 * NS_PER_SEC, &none), 0);
		assert_int_equal(
			side_take(&b, "b", s, 40, from_s * NS_PER_SEC, end_s * NS_PER_SEC, &none),
			0);
		compare_sides(&c, &a, &b);
		FILE *f = open_memstream(&text, &n);
		compare_print(f, &c, &a, &b, RATE_MIB, true);
		fclose(f);
		assert_int_equal(strstr(text, "CPUs were almost full") != NULL, full);
		free(text);
		side_free(&a);
		side_free(&b);
	}
}

static void the_table_fits_a_terminal_and_has_units(void **state)
{
	struct sample s[MAX];
	struct side a, b;
	struct comparison c;
	char *text;
	size_t n;
	(void)state;

	take(&a, s, 1000);
	take(&b, s, 2600);
	compare_sides(&c, &a, &b);
	FILE *f = open_memstream(&text, &n);
	compare_print(f, &c, &a, &b, RATE_MIB, true);
	fclose(f);
	for (char *line = text, *next; *line; line = next) {
		next = line + strcspn(line, "\n") + 1;
		if (next - line > 80)
			fail_msg("%td columns: %.*s", next - line - 1, (int)(next - line), line);
	}
	assert_non_null(strstr(text, "MiB/s"));
	assert_null(strstr(text, "MiB/s MiB/s"));
	assert_non_null(strstr(text, "2.00 ms"));
	assert_non_null(strstr(text, "different"));
	free(text);
	side_free(&a);
	side_free(&b);
}

static void figures_have_three_digits_and_no_exponent(void **state)
{
	char text[32];
	(void)state;
	assert_string_equal(metric_words(METRIC_CPU_IO, 2553.4, RATE_MIB, true, text, sizeof(text)),
			    "2553 us");
	assert_string_equal(metric_words(METRIC_CPU_IO, 26.64, RATE_MIB, true, text, sizeof(text)),
			    "26.6 us");
	assert_string_equal(
		metric_words(METRIC_CPU_GIB, 0.1234, RATE_MIB, true, text, sizeof(text)),
		"0.123 s");
	assert_string_equal(metric_words(METRIC_CPU_GIB, 1e4, RATE_MIB, true, text, sizeof(text)),
			    "10000 s");
}

static void what_else_differs_is_listed(void **state)
{
	struct workload wa = workload_default(), wb = workload_default();
	(void)state;

	wb.outstanding = wa.outstanding * 2;
	wb.workers = wa.workers + 1;
	json_t *ea = json_pack("{s:s, s:I, s:{s:s, s:i}}", "kernel", "6.1", "time_ns",
			       (json_int_t)1, "queue", "scheduler", "none", "nr_requests", 64);
	json_t *eb =
		json_pack("{s:s, s:I, s:{s:s, s:i}}", "kernel", "6.1", "time_ns", (json_int_t)2,
			  "queue", "scheduler", "mq-deadline", "nr_requests", 64);
	const struct circumstances a = {&wa, NULL, ea, NULL}, b = {&wb, NULL, eb, NULL};
	json_t *list = circumstances_differ(&a, &b);
	assert_int_equal(json_array_size(list), 3);
	assert_non_null(strstr(json_string_value(json_array_get(list, 0)), "workload: workers"));
	assert_non_null(
		strstr(json_string_value(json_array_get(list, 1)), "workload: outstanding"));
	assert_string_equal(json_string_value(json_array_get(list, 2)),
			    "environment queue.scheduler: none > mq-deadline");
	json_decref(list);
	list = circumstances_differ(&a, &a);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	json_decref(ea);
	json_decref(eb);
}

/* ABBA, 20 s each: B does twice as much, and all falls by 1 % a minute. */
static void by_pairs_a_difference_is_told_apart_from_a_drift(void **state)
{
	struct sample s[80];
	struct side a[2], b[2], total[2];
	struct comparison c;
	char *text;
	size_t n;
	const struct side_cut none = {0};
	(void)state;

	for (unsigned i = 0; i < 80; i++) {
		double level = (i / 20 == 1 || i / 20 == 2 ? 200000 : 100000) * exp(-0.01 * i / 60);
		s[i] = second(i + 1, (uint64_t)level);
	}
	struct side *const in_turn[] = {&a[0], &b[0], &b[1], &a[1]};
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(side_take(in_turn[i], "x", s, 80, i * 20 * NS_PER_SEC,
					   (i + 1) * 20 * NS_PER_SEC, &none),
				 0);
	close_to((double)a[1].at_ns / 1e9, 70 + (double)a[1].warmup / 2, 1e-9);
	compare_pairs(&c, a, b, 2);
	assert_int_equal(c.pairs, 2);
	close_to(c.verdict[METRIC_IOPS_T].ratio, 2, 0.001);
	close_to(c.drift[METRIC_IOPS_T].per_minute, expm1(-0.01), 0.01);
	assert_true(c.drift[METRIC_IOPS_T].shown);
	side_total(&total[0], "one", a, 2);
	side_total(&total[1], "other", b, 2);
	close_to(total[0].seconds, 40 - (double)total[0].warmup, 1e-9);
	FILE *f = open_memstream(&text, &n);
	compare_print(f, &c, &total[0], &total[1], RATE_MIB, true);
	fclose(f);
	assert_non_null(strstr(text, " in 2 segments"));
	assert_non_null(strstr(text, "By 2 pairs of segments"));
	assert_non_null(strstr(text, "Drift of IOPS: -1.0 % a minute ["));
	assert_non_null(strstr(text, ": it drifts."));
	for (char *line = text, *next; *line; line = next) {
		next = line + strcspn(line, "\n") + 1;
		if (next - line > 80)
			fail_msg("%td columns: %.*s", next - line - 1, (int)(next - line), line);
	}
	free(text);
	json_t *doc = compare_json(&c, &total[0], &total[1]);
	assert_int_equal(json_integer_value(json_object_get(doc, "pairs")), 2);
	json_decref(doc);
	for (unsigned i = 0; i < 4; i++)
		side_free(in_turn[i]);
}

static void settings_that_are_watched_have_their_own_words(void **state)
{
	const struct store_change change[] = {{2, {"eth2 mtu", "9000"}}, {4, {"eth2 mtu", "1500"}}};
	struct workload w = workload_default();
	(void)state;

	json_t *start = json_pack("{s:{s:s, s:s}, s:{s:s}}", "queue", "device", "sda", "scheduler",
				  "none", "facts", "eth2 mtu", "1500");
	json_t *before = environment_at(start, change, 2, 1);
	json_t *after = environment_at(start, change, 2, 3);
	json_t *end = environment_at(start, change, 2, UINT32_MAX);
	const struct circumstances a = {&w, NULL, before, NULL}, b = {&w, NULL, after, NULL},
				   c = {&w, NULL, end, NULL};
	/* The queue's settings stand among the facts. */
	json_object_set_new(json_object_get(after, "queue"), "scheduler", json_string("bfq"));
	json_t *list = circumstances_differ(&a, &b);
	assert_int_equal(json_array_size(list), 1);
	assert_string_equal(json_string_value(json_array_get(list, 0)), "eth2 mtu: 1500 > 9000");
	json_decref(list);
	list = circumstances_differ(&a, &c);
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
	json_decref(start);
	json_decref(before);
	json_decref(after);
	json_decref(end);
}

/* Facts in one side and in the other: the differences, one to a line. */
static void expect_facts(json_t *a, json_t *b, const char *lines)
{
	json_t *list = json_array();
	char text[1024] = "";
	size_t i;
	json_t *line;

	facts_differ(list, a, b);
	json_array_foreach(list, i, line)
		units_append(text, sizeof(text), "%s\n", json_string_value(line));
	assert_string_equal(text, lines);
	json_decref(list);
	json_decref(a);
	json_decref(b);
}

static void what_only_one_side_has_is_named_with_how_much_there_is_of_it(void **state)
{
	json_t *a = json_pack("{s:s, s:s, s:s, s:s}", "eth2 mtu", "1500", "eth2 tso", "on",
			      "eth3 mtu", "1500", "net.core.rmem_max", "1");
	json_t *b = json_pack("{s:s, s:s, s:s}", "eth3 mtu", "1500", "sda scheduler", "none",
			      "eth30 mtu", "1500");
	char out[256];

	(void)state;
	/* One NIC against one: these are compared with each other. */
	assert_string_equal(facts_of_one(out, sizeof(out), a, b, 0), "");
	assert_string_equal(facts_of_one(out, sizeof(out), a, b, 1), "sda (1 setting)");
	json_object_set_new(b, "eth4 mtu", json_string("1500"));
	assert_string_equal(facts_of_one(out, sizeof(out), a, b, 0), "eth2 (2 settings)");
	assert_string_equal(facts_of_one(out, sizeof(out), a, b, 1),
			    "eth30 (1 setting), eth4 (1 setting), sda (1 setting)");
	json_decref(a);
	json_decref(b);
}

static void one_change_on_several_nics_is_one_difference(void **state)
{
	(void)state;
	expect_facts(json_pack("{s:s, s:s, s:s, s:s}", "eth2 mtu", "1500", "eth2 tso", "on",
			       "eth3 mtu", "1500", "eth3 tso", "on"),
		     json_pack("{s:s, s:s, s:s, s:s}", "eth2 mtu", "9000", "eth2 tso", "on",
			       "eth3 mtu", "9000", "eth3 tso", "off"),
		     "eth2, eth3 mtu: 1500 > 9000\neth3 tso: on > off\n");
	/* To other values it is two. */
	expect_facts(json_pack("{s:s, s:s}", "eth2 mtu", "1500", "eth3 mtu", "1500"),
		     json_pack("{s:s, s:s}", "eth2 mtu", "9000", "eth3 mtu", "4000"),
		     "eth2 mtu: 1500 > 9000\neth3 mtu: 1500 > 4000\n");
	/* Sysctls are not set on anything, and each is what it is. */
	expect_facts(json_pack("{s:s, s:s}", "net.core.rmem_max", "1", "net.core.wmem_max", "1"),
		     json_pack("{s:s, s:s}", "net.core.rmem_max", "2", "net.core.wmem_max", "2"),
		     "net.core.rmem_max: 1 > 2\nnet.core.wmem_max: 1 > 2\n");
}

static void another_nic_is_a_difference_and_so_is_what_it_is_set_to(void **state)
{
	(void)state;
	expect_facts(json_pack("{s:s, s:s}", "eth2 mtu", "1500", "eth2 tso", "on"),
		     json_pack("{s:s, s:s}", "eth3 mtu", "9000", "eth3 tso", "on"),
		     "NICs: eth2 > eth3\neth2 > eth3 mtu: 1500 > 9000\n");
	expect_facts(json_pack("{s:s}", "eth2 mtu", "1500"),
		     json_pack("{s:s, s:s}", "eth2 mtu", "1500", "eth3 mtu", "1500"),
		     "NICs: eth2 > eth2, eth3\n");
	/* Where none was watched, nobody looked; and which disk it is says the target. */
	expect_facts(json_pack("{s:s}", "net.core.rmem_max", "1"),
		     json_pack("{s:s, s:s}", "net.core.rmem_max", "1", "eth3 mtu", "1500"), "");
	expect_facts(json_pack("{s:s}", "sda scheduler", "none"),
		     json_pack("{s:s}", "sdb scheduler", "bfq"),
		     "sda > sdb scheduler: none > bfq\n");
}

/* How the paths were behind these marks. */
static json_t *paths_behind(const json_t *settings, const char *const *mark, int n)
{
	json_t *paths = path_marks_begin(settings);

	assert_non_null(paths);
	for (int i = 0; i < n; i++)
		path_marks_apply(paths, mark[i]);
	return paths;
}

static void assert_differ(json_t *from, json_t *to, const char *words)
{
	struct workload w = workload_default();
	const struct circumstances a = {&w, NULL, NULL, from}, b = {&w, NULL, NULL, to};
	json_t *list = circumstances_differ(&a, &b);

	assert_int_equal(json_array_size(list), words ? 1 : 0);
	if (words)
		assert_string_equal(json_string_value(json_array_get(list, 0)), words);
	json_decref(list);
	json_decref(from);
	json_decref(to);
}

static void what_was_done_to_the_paths_differs(void **state)
{
	struct backend_paths least = {.policy = PATHS_LEAST}, pinned = {PATHS_PINNED, .pinned = 1};
	static char text[6][80];
	const char *mark[6];
	(void)state;

	path_mark_policy(text[0], 80, &least, &pinned);
	path_mark_act(text[1], 80, 0, PATH_TAKE_OUT);
	path_mark_act(text[2], 80, 0, PATH_TAKE_IN);
	path_mark_act(text[3], 80, PATHS_ALL, PATH_RELOGIN);
	path_mark_policy(text[4], 80, &pinned, &least);
	snprintf(text[5], 80, "path 2 10.0.0.5:3260 lost: taken out");
	for (int i = 0; i < 6; i++)
		mark[i] = text[i];
	json_t *s = json_pack("{s:{s:s, s:[]}}", "paths", "policy", "least", "nics");
	assert_differ(paths_behind(s, mark, 0), paths_behind(s, mark, 1),
		      "paths policy: least > pinned:2");
	assert_differ(paths_behind(s, mark + 4, 1), paths_behind(s, mark, 0), NULL);
	assert_differ(paths_behind(s, mark, 1), paths_behind(s, mark, 2), "paths out: [] > [1]");
	assert_differ(paths_behind(s, mark, 1), paths_behind(s, mark, 3), NULL);
	assert_differ(paths_behind(s, mark, 3), paths_behind(s, mark, 4),
		      "paths logged in anew, times: 0 > 1");
	/* Logging in is told of when it is all that was done. */
	assert_differ(paths_behind(s, mark + 3, 1), paths_behind(s, mark + 1, 1),
		      "paths out: [] > [1]");
	/* What happens to a path is none of its settings. */
	assert_differ(paths_behind(s, mark + 5, 1), paths_behind(s, mark, 0), NULL);
	json_decref(s);
	assert_null(path_marks_begin(NULL));
}

static void a_mark_of_the_paths_says_what_changed_and_nothing_else(void **state)
{
	struct backend_paths least = {.policy = PATHS_LEAST, .hold_ns = 30000000000},
			     shorter = {.policy = PATHS_LEAST, .hold_ns = 2500000000},
			     pinned = {PATHS_PINNED, .pinned = 1, .hold_ns = 0};
	char text[3][80];
	const char *mark[3] = {text[0], text[1], text[2]};
	(void)state;

	path_mark_policy(text[0], 80, &least, &shorter);
	path_mark_policy(text[1], 80, &shorter, &pinned);
	path_mark_policy(text[2], 80, &pinned, &pinned);
	assert_string_equal(text[0], "IO hold 30 s > 2.5 s");
	assert_string_equal(text[1], "paths least busy > pinned to path 2, IO hold 2.5 s > 0 s");
	assert_string_equal(text[2], "");
	json_t *s = json_pack("{s:{s:s, s:I, s:[]}}", "paths", "policy", "least", "hold_ns",
			      (json_int_t)least.hold_ns, "nics");
	json_t *behind = paths_behind(s, mark, 1);
	assert_int_equal(json_integer_value(json_object_get(behind, "hold_ns")), 2500000000);
	assert_string_equal(json_string_value(json_object_get(behind, "policy")), "least");
	json_decref(behind);
	behind = paths_behind(s, mark, 2);
	assert_int_equal(json_integer_value(json_object_get(behind, "hold_ns")), 0);
	assert_string_equal(json_string_value(json_object_get(behind, "policy")), "pinned:2");
	json_decref(behind);
	json_decref(s);
}

static void figures_of_the_network_are_compared_and_none_is_an_answer(void **state)
{
	struct sample s[MAX];
	struct side a, b;
	const struct side_cut cut = {.open_end = true};
	struct comparison c;
	char text[80];
	(void)state;

	for (int k = 0; k < 2; k++) {
		for (unsigned i = 0; i < MAX; i++) {
			s[i] = second(i + 1, around(1000, i));
			s[i].net = (struct net_sample){.valid = true,
						       .resends = true,
						       .dt_ns = NS_PER_SEC,
						       .rx_bytes = 9000 * around(1000, i),
						       .rx_packets = (k ? 1 : 6) * around(1000, i),
						       .tx_bytes = 66 * 500,
						       .tx_packets = 500,
						       .retransmits = k ? 3 + i % 4 : 0};
		}
		assert_int_equal(side_take(k ? &b : &a, "x", s, MAX, 0, MAX * NS_PER_SEC, &cut), 0);
	}
	compare_sides(&c, &a, &b);
	assert_true(c.shown[METRIC_FRAME]);
	close_to(c.verdict[METRIC_FRAME].a, 1500, 1e-9);
	close_to(c.verdict[METRIC_FRAME].b, 9000, 1e-9);
	assert_true(c.shown[METRIC_RETRANSMITS]);
	assert_int_equal(c.verdict[METRIC_RETRANSMITS].kind, VERDICT_DIFFERENT);
	assert_string_equal(verdict_change(&c.verdict[METRIC_RETRANSMITS], text, sizeof(text)),
			    "from none");
	/* No driver counts them. */
	assert_false(c.shown[METRIC_PAUSES]);
	compare_sides(&c, &a, &a);
	assert_true(verdict_none(&c.verdict[METRIC_RETRANSMITS]));
	assert_string_equal(verdict_words(&c.verdict[METRIC_RETRANSMITS], text, sizeof(text)),
			    "the same: none");
	assert_string_equal(
		metric_words(METRIC_RETRANSMITS, 0.25, RATE_MIB, true, text, sizeof(text)),
		"0.25/s");
	side_free(&a);
	side_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_side_is_what_lies_wholly_within_and_has_settled),
		cmocka_unit_test(warm_up_and_pauses_do_not_count),
		cmocka_unit_test(seconds_in_which_a_path_was_out_do_not_count),
		cmocka_unit_test(every_figure_is_the_arithmetic_of_its_seconds),
		cmocka_unit_test(cpu_figures_of_a_part_of_the_second_are_of_as_much_work),
		cmocka_unit_test(the_words_say_how_sure_it_is),
		cmocka_unit_test(the_rest_of_a_second_at_the_end_is_no_second),
		cmocka_unit_test(what_is_too_short_to_settle_has_figures_but_no_verdict),
		cmocka_unit_test(io_that_stops_is_the_greatest_difference_and_failed_ios_are_told),
		cmocka_unit_test(too_short_to_be_steady_is_not_called_unsteady),
		cmocka_unit_test(a_host_without_cpu_left_is_told),
		cmocka_unit_test(the_table_fits_a_terminal_and_has_units),
		cmocka_unit_test(figures_have_three_digits_and_no_exponent),
		cmocka_unit_test(what_else_differs_is_listed),
		cmocka_unit_test(what_was_done_to_the_paths_differs),
		cmocka_unit_test(a_mark_of_the_paths_says_what_changed_and_nothing_else),
		cmocka_unit_test(by_pairs_a_difference_is_told_apart_from_a_drift),
		cmocka_unit_test(settings_that_are_watched_have_their_own_words),
		cmocka_unit_test(one_change_on_several_nics_is_one_difference),
		cmocka_unit_test(what_only_one_side_has_is_named_with_how_much_there_is_of_it),
		cmocka_unit_test(another_nic_is_a_difference_and_so_is_what_it_is_set_to),
		cmocka_unit_test(figures_of_the_network_are_compared_and_none_is_an_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
