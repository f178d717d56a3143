/* unit-summary.c - a run in figures (src/summary.c): every expected number is worked out by hand in
 * the comment next to it. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "engine.h"
#include "summary.h"
#include "tests/hist-add.h"

struct stretch {
	struct sample total;
	struct hist hist[HISTS];
};

static void add(struct stretch *x, enum io_op op, unsigned n, uint32_t size, uint64_t lat)
{
	struct op_sample *o = &x->total.op[op];
	for (unsigned i = 0; i < n; i++)
		hist_add(&x->hist[op], lat);
	o->ios += n;
	o->bytes += (uint64_t)n * size;
	o->lat_sum += n * lat;
	if (n && lat < o->lat_min)
		o->lat_min = lat;
	if (n && lat > o->lat_max)
		o->lat_max = lat;
}

static void clear(struct stretch *x)
{
	sample_clear(&x->total);
	hist_clear(&x->hist[IO_READ]);
	hist_clear(&x->hist[IO_WRITE]);
	hist_clear(&x->hist[HIST_DUE]);
}

/* 2 s: 3000 reads of 64 KiB (2900 at 1 ms, 100 at 10 ms), 1000 writes of 4 KiB at 2 ms, depth 4 of
 * 4; 2 CPUs: 1 s of 4 busy. */
static void two_seconds(struct stretch *x)
{
	struct cpu_sample *c = &x->total.cpu;
	clear(x);
	x->total.t_ns = x->total.dt_ns = 2 * NS_PER_SEC;
	add(x, IO_READ, 2900, 65536, 1 * NS_PER_MS);
	add(x, IO_READ, 100, 65536, 10 * NS_PER_MS);
	add(x, IO_WRITE, 1000, 4096, 2 * NS_PER_MS);
	x->total.op[IO_WRITE].errors = 3;
	x->total.depth_requested = 4;
	x->total.depth_ns = 6 * NS_PER_SEC;
	*c = (struct cpu_sample){.valid = true,
				 .cpus = 2,
				 .user = 400 * NS_PER_MS,
				 .system = 300 * NS_PER_MS,
				 .irq = 100 * NS_PER_MS,
				 .softirq = 200 * NS_PER_MS,
				 .iowait = 500 * NS_PER_MS,
				 .steal = 250 * NS_PER_MS,
				 .idle = 2250 * NS_PER_MS,
				 .self_ns = 100 * NS_PER_MS};
}

static void near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * fabs(expected)))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void figures_are_as_worked_out_by_hand(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	const struct summary_op *r = &s.op[SUM_READ], *w = &s.op[SUM_WRITE], *t = &s.op[SUM_TOTAL];
	near(s.elapsed_s, 2);
	near(r->iops, 1500);
	near(w->iops, 500);
	near(t->iops, 2000);
	near(r->bytes_s, 1500.0 * 65536); /* 93.75 MiB/s */
	near(w->bytes_s, 500.0 * 4096);
	near(t->bytes_s, 93.75 * MIB + 500.0 * 4096);
	near(r->mean, 1.3e6); /* (2900 x 1 + 100 x 10) / 3000 ms */
	near(w->mean, 2e6);
	near(t->mean, 1.475e6); /* (3900 + 2000) / 4000 ms */
	near(r->min, 1e6);
	near(r->max, 10e6);
	near(t->min, 1e6);
	near(t->max, 10e6);
	/* 2900 of 3000 are at 1 ms: p95 is there, p99 at 10 ms; a bucket is at most 1/64 wide. */
	assert_true(fabs(r->p95 - 1e6) < 1e6 / 64);
	assert_true(fabs(r->p99 - 10e6) < 10e6 / 64);
	/* 2900 at 1, 1000 at 2, 100 at 10: p90 = the 3600th, p99 = the 3960th */
	assert_true(fabs(t->p50 - 1e6) < 1e6 / 64);
	assert_true(fabs(t->p90 - 2e6) < 2e6 / 64);
	assert_true(fabs(t->p99 - 10e6) < 10e6 / 64);
	near(s.cpu_percent, 25);    /* 1 of 4 CPU seconds */
	near(s.cpu_us_per_io, 250); /* 1 s / 4000 */
	near(s.self_us_per_io, 25); /* 0.1 s / 4000 */
	near(s.cpu_s_per_gib, 1 / ((3000.0 * 65536 + 1000.0 * 4096) / GIB));
	near(s.depth_requested, 4);
	near(s.depth_achieved, 3);
	near(s.little, 5.9 / 6); /* latencies add up to 5.9 s, depth x time to 6 */
	assert_string_equal(s.engine, "libaio");
}

static void total_is_read_plus_write(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "null");
	const struct summary_op *r = &s.op[SUM_READ], *w = &s.op[SUM_WRITE], *t = &s.op[SUM_TOTAL];
	assert_int_equal(t->ios, r->ios + w->ios);
	assert_int_equal(t->bytes, r->bytes + w->bytes);
	assert_int_equal(t->errors, r->errors + w->errors);
	near(t->iops, r->iops + w->iops);
	near(t->bytes_s, r->bytes_s + w->bytes_s);
}

static void cpu_of_half_the_time_is_scaled_to_all_of_it(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	two_seconds(&x);
	x.total.cpu.dt_ns = 1 * NS_PER_SEC;
	summary_compute(&s, &x.total, x.hist, "null");
	near(s.cpu_percent, 25);
	near(s.cpu_us_per_io, 500);
	near(s.self_us_per_io, 50);
}

static void depth_requested_is_the_mean_over_the_time(void **state)
{
	(void)state;
	struct stretch x;
	struct sample sum, half;
	struct summary s;
	clear(&x);
	sample_clear(&sum);
	sample_clear(&half);
	half.t_ns = half.dt_ns = NS_PER_SEC;
	half.depth_requested = 8;
	sample_add(&sum, &half);
	half.t_ns = 4 * NS_PER_SEC;
	half.dt_ns = 3 * NS_PER_SEC;
	half.depth_requested = 32;
	sample_add(&sum, &half);
	summary_compute(&s, &sum, x.hist, "null");
	near(s.depth_requested, 26); /* (1 x 8 + 3 x 32) / 4 */
}

static void without_an_io_there_is_null_not_nought(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	clear(&x);
	x.total.dt_ns = NS_PER_SEC;
	add(&x, IO_READ, 10, 4096, 1000);
	summary_compute(&s, &x.total, x.hist, "null");
	json_t *j = summary_json(&s);
	const json_t *write = json_object_get(j, "write"), *lat = json_object_get(write, "lat_ns");
	const char *key;
	json_t *v;
	assert_int_equal(json_object_size(lat), 8);
	json_object_foreach((json_t *)lat, key, v) assert_true(json_is_null(v));
	assert_int_equal(json_integer_value(json_object_get(write, "ios")), 0);
	near(json_number_value(json_object_get(write, "iops")), 0);
	const json_t *cpu = json_object_get(j, "cpu");
	assert_int_equal(json_object_size(cpu), 4);
	json_object_foreach((json_t *)cpu, key, v) assert_true(json_is_null(v));
	/* The text is JSON indeed: no NaN in it. */
	char *text = json_dumps(j, 0);
	assert_non_null(text);
	json_t *again = json_loads(text, 0, NULL);
	assert_non_null(again);
	assert_true(json_equal(j, again));
	json_decref(again);
	free(text);
	json_decref(j);
}

static void the_object_has_the_documented_keys(void **state)
{
	(void)state;
	static const char *const top[] = {
		"read",           "write",        "total",  "cpu", "elapsed_s", "depth_requested",
		"depth_achieved", "depth_device", "engine", "rate"};
	static const char *const op[] = {"ios", "bytes", "errors", "iops", "mib_s", "lat_ns"};
	static const char *const lat[] = {"mean", "min", "p50", "p90", "p95", "p99", "p999", "max"};
	static const char *const cpu[] = {"percent", "us_per_io", "s_per_gib", "self_us_per_io"};
	struct stretch x;
	struct summary s;
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	json_t *j = summary_json(&s);
	assert_int_equal(json_object_size(j), 13);
	assert_true(json_is_null(json_object_get(j, "outage")));
	assert_true(json_is_null(json_object_get(j, "error_lat_max_ns")));
	for (unsigned i = 0; i < 10; i++)
		assert_non_null(json_object_get(j, top[i]));
	for (unsigned i = 0; i < 3; i++) {
		json_t *o = json_object_get(j, top[i]);
		assert_int_equal(json_object_size(o), 6);
		for (unsigned k = 0; k < 6; k++)
			assert_non_null(json_object_get(o, op[k]));
		for (unsigned k = 0; k < 8; k++)
			assert_true(json_is_real(
				json_object_get(json_object_get(o, "lat_ns"), lat[k])));
	}
	for (unsigned k = 0; k < 4; k++)
		assert_true(json_is_real(json_object_get(json_object_get(j, "cpu"), cpu[k])));
	near(json_real_value(json_object_get(json_object_get(j, "read"), "mib_s")), 93.75);
	assert_true(json_is_null(json_object_get(j, "rate")));
	json_decref(j);
}

/* --- A rate. --- */

static unsigned widest(const char *text)
{
	unsigned n = 0, most = 0;
	for (; *text; text++) {
		if (*text == '\n')
			n = 0;
		else
			n += ((unsigned char)*text & 0xc0) != 0x80;
		if (n > most)
			most = n;
	}
	return most;
}

/* Of 8000 IOs that fell due in the 2 s that many were started, and the 4000 that are done were done 1 s
 * after they were due, a tenth of them 3 s. */
static void with_rate(struct stretch *x, uint64_t started)
{
	two_seconds(x);
	for (int i = 0; i < 4000; i++)
		hist_add(&x->hist[HIST_DUE], (i % 10 ? 1 : 3) * NS_PER_SEC);
	x->total.due.offered = 8000;
	x->total.due.started = started;
	x->total.due.ios = 4000;
	x->total.due.backlog = started < 8000 ? 8000 - started : 0;
}

static void a_rate_has_what_was_offered_and_latencies_from_when_ios_were_due(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s, again;
	with_rate(&x, 4100);
	summary_compute(&s, &x.total, x.hist, "libaio");
	near(s.due.offered_s, 4000);
	near(s.due.mean, 1.2e9);
	assert_true(fabs(s.due.p50 - 1e9) < 1e9 / 64);
	assert_true(fabs(s.due.p99 - 3e9) < 3e9 / 64);
	assert_false(s.due.sustained);
	char *t = summary_table(&s, RATE_MIB, false), *w = summary_warnings(&s, NULL);
	assert_non_null(strstr(t, "\nfrom due    1.00 s"));
	assert_non_null(strstr(t, "rate      4.00k/s offered, 2.00k/s done: not sustained, "
				  "backlog 3.90k\n"));
	assert_true(widest(t) <= 79);
	assert_non_null(strstr(w, "offered rate not sustained: 8000 IOs fell due, 4100 were "
				  "started, 3900 waited at the end"));
	free(t);
	free(w);
	json_t *j = summary_json(&s), *rate = json_object_get(j, "rate");
	assert_true(json_is_false(json_object_get(rate, "sustained")));
	assert_int_equal(json_integer_value(json_object_get(rate, "backlog")), 3900);
	/* How completions were met is not known here. */
	assert_true(json_is_null(json_object_get(j, "reaped")));
	assert_int_equal(summary_scan(&again, j), 0);
	json_t *k = summary_json(&again);
	assert_true(json_equal(j, k));
	json_decref(k);
	/* A record of before there was one. */
	json_object_del(j, "rate");
	assert_int_equal(summary_scan(&again, j), 0);
	assert_int_equal(again.due.offered, 0);
	json_decref(j);
}

/* As many were started as fell due, but those that were left from before wait still. */
static void a_backlog_from_before_is_no_sustained_rate(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	with_rate(&x, 8000);
	x.total.due.backlog = 400; /* what falls due in 100 ms */
	summary_compute(&s, &x.total, x.hist, "libaio");
	assert_true(s.due.sustained);
	x.total.due.backlog = 401;
	summary_compute(&s, &x.total, x.hist, "libaio");
	assert_false(s.due.sustained);
	x.total.depth_requested = 401;
	summary_compute(&s, &x.total, x.hist, "libaio");
	assert_true(s.due.sustained);
}

static void a_rate_is_sustained_within_half_a_percent_or_the_depth(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	static const struct {
		uint64_t started;
		uint32_t depth;
		bool sustained;
	} c[] = {{7960, 4, true},
		 {7959, 4, false},
		 {7959, 41, true},
		 {7958, 41, false},
		 {9000, 4, true}};
	for (size_t i = 0; i < sizeof(c) / sizeof(*c); i++) {
		with_rate(&x, c[i].started);
		x.total.depth_requested = c[i].depth;
		summary_compute(&s, &x.total, x.hist, "libaio");
		assert_int_equal(s.due.sustained, c[i].sustained);
		char *w = summary_warnings(&s, NULL);
		assert_int_equal(strstr(w, "not sustained") != NULL, !c[i].sustained);
		free(w);
	}
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	char *t = summary_table(&s, RATE_MIB, false);
	assert_null(strstr(t, "from due"));
	assert_null(strstr(t, "offered"));
	free(t);
}

static void a_summary_read_back_is_the_same(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s, again;
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	json_t *j = summary_json(&s);
	assert_int_equal(summary_scan(&again, j), 0);
	json_t *k = summary_json(&again);
	assert_true(json_equal(j, k));
	json_object_del(json_object_get(j, "write"), "ios");
	assert_true(summary_scan(&again, j) < 0);
	json_decref(k);
	json_decref(j);
}

/* --- The table. --- */

static void the_table_has_iometers_columns_and_the_figures(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	char *t = summary_table(&s, RATE_MIB, false);
	const char *head =
		"   ------- IOPS --------   ------- MiB/s -------   -------- ms ---------\n"
		"    read   write   total    read   write   total"
		"    read   write   total  CPU %\n"
		"    1500   500.0    2000   93.75   1.953   95.70"
		"   1.300   2.000   1.475   25.0\n";
	assert_memory_equal(t, head, strlen(head));
	assert_non_null(strstr(t, "\nread       1.00 ms"));
	assert_non_null(strstr(t, " 10.0 ms\nwrite      2.00 ms"));
	assert_non_null(strstr(t, "25.0 % of 2 CPUs, 250 µs/IO, 5.3"));
	assert_non_null(strstr(t, "own 25.0 µs/IO\n"));
	assert_non_null(strstr(t, "depth     4.0 requested, 3.0 achieved\n"));
	assert_non_null(strstr(t, "engine    libaio\nelapsed"));
	assert_non_null(strstr(t, "elapsed   2.0 s, 4000 IOs, 191 MiB\n"));
	assert_non_null(strstr(t, "errors    3 (0 read, 3 write)\n"));
	assert_true(widest(t) <= 79);
	free(t);
	strcpy(s.engine_why, "some reason");
	strcpy(s.engine_remark, "some remark");
	t = summary_table(&s, RATE_MIB, false);
	assert_non_null(strstr(t, "engine    libaio\n          auto: some reason\n"
				  "          some remark\nelapsed"));
	free(t);
	t = summary_table(&s, RATE_MB, true);
	for (const char *p = t; *p; p++)
		assert_true((unsigned char)*p < 0x80);
	assert_non_null(strstr(t, "- MB/s -"));
	assert_non_null(strstr(t, "   98.30")); /* 1500 x 65536 / 10^6 */
	free(t);
}

static void the_table_is_never_wider_than_79_columns(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s;
	clear(&x);
	summary_compute(&s, &x.total, x.hist, "");
	char *t = summary_table(&s, RATE_MIB, false);
	assert_non_null(strstr(t, "CPU       not known\n"));
	assert_true(widest(t) <= 79);
	free(t);

	/* Larger than any machine there is. */
	two_seconds(&x);
	x.total.dt_ns = NS_PER_SEC;
	x.total.op[IO_READ].ios = 123456789012;
	x.total.op[IO_WRITE].bytes = 1ull << 55;
	x.total.op[IO_WRITE].errors = 123456789012;
	hist_add(&x.hist[IO_READ], 9999 * NS_PER_SEC);
	x.total.depth_ns = 1048576 * NS_PER_SEC;
	x.total.depth_requested = 1048576;
	x.total.device_depth = 1048576;
	summary_compute(&s, &x.total, x.hist, "a-name-that-fills-all-31-places");
	s.cpus = 1024;
	s.cpu_percent = 100;
	s.cpu_us_per_io = s.cpu_s_per_gib = s.self_us_per_io = 1234567;
	t = summary_table(&s, RATE_MIB, false);
	assert_true(widest(t) <= 79);
	free(t);
}

static void a_blank_is_between_any_two_figures(void **state)
{
	static const uint64_t ios[] = {9999999, 10000000, 47542795, 99999999, 123456789012};
	(void)state;
	for (int i = 0; i < 5; i++) {
		struct stretch x;
		struct summary s;
		two_seconds(&x);
		x.total.dt_ns = NS_PER_SEC;
		x.total.op[IO_READ].ios = x.total.op[IO_WRITE].ios = ios[i];
		x.total.op[IO_READ].bytes = ios[i] << 20;
		summary_compute(&s, &x.total, x.hist, "null");
		char *t = summary_table(&s, RATE_MIB, false), *row = t;
		unsigned words = 0;
		for (int line = 0; line < 2; line++)
			row = strchr(row, '\n') + 1;
		for (const char *p = row; *p != '\n'; p++)
			words += *p != ' ' && p[-1] == ' ';
		assert_int_equal(words, 10);
		free(t);
	}
}

static void the_host_is_never_said_to_take_less_than_lunscope(void **state)
{
	struct stretch x;
	struct summary s;
	(void)state;
	two_seconds(&x);
	x.total.cpu.self_ns = 3 * NS_PER_SEC;
	summary_compute(&s, &x.total, x.hist, "null");
	char *t = summary_table(&s, RATE_MIB, true);
	assert_non_null(strstr(t, "CPU       25.0 % of 2 CPUs, by clock ticks\n"
				  "          lunscope alone took 750 us/IO\n"));
	assert_null(strstr(t, "250 us/IO"));
	free(t);
}

static void what_comes_back_after_the_end_is_in_littles_law(void **state)
{
	struct stretch x;
	struct summary s;
	(void)state;
	two_seconds(&x);
	x.total.drain_ns = x.total.depth_ns / 4;
	x.total.depth_ns -= x.total.drain_ns;
	summary_compute(&s, &x.total, x.hist, "null");
	near(s.little, 5.9 / 6);
	near(s.depth_achieved, 2.25);
}

/* They are in no latency. */
static void how_long_the_slowest_io_took_that_failed_is_told_and_kept(void **state)
{
	(void)state;
	struct stretch x;
	struct summary s, again;

	two_seconds(&x);
	summary_compute(&s, &x.total, x.hist, "libaio");
	char *text = summary_table(&s, RATE_MIB, true);
	assert_null(strstr(text, "the slowest failed"));
	free(text);
	s.failed_max = 3.01e9;
	json_t *j = summary_json(&s);
	assert_int_equal(summary_scan(&again, j), 0);
	json_decref(j);
	text = summary_table(&again, RATE_MIB, true);
	assert_non_null(strstr(text, ", the slowest failed after 3.01 s\n"));
	free(text);
}

static void warnings_name_what_is_wrong(void **state)
{
	(void)state;
	uint64_t errors[ERRNO_SLOTS] = {0};
	struct stretch x;
	struct summary s;

	two_seconds(&x);
	x.total.op[IO_WRITE].errors = 0;
	x.total.depth_requested = 3;
	summary_compute(&s, &x.total, x.hist, "libaio");
	char *w = summary_warnings(&s, errors);
	assert_string_equal(w, ""); /* 0.983 is within 5 % */
	free(w);

	x.total.depth_requested = 64;
	summary_compute(&s, &x.total, x.hist, "sync");
	w = summary_warnings(&s, NULL);
	assert_non_null(strstr(w, "depth 3.0 of 64.0 requested was reached"));
	assert_non_null(strstr(w, "(sync: it does one IO at a time per worker)\n"));
	free(w);

	x.total.depth_requested = 3;
	x.total.depth_ns = 7 * NS_PER_SEC;
	summary_compute(&s, &x.total, x.hist, "libaio");
	w = summary_warnings(&s, errors);
	assert_non_null(strstr(w, "Little's law is off"));
	assert_non_null(strstr(w, "0.84 x"));
	free(w);

	x.total.depth_ns = 6 * NS_PER_SEC;
	summary_compute(&s, &x.total, x.hist, "libaio");
	errors[0] = 1;
	errors[5] = 12;
	errors[28] = 1;
	w = summary_warnings(&s, errors);
	assert_string_equal(w, "1 IO came back short: less was transferred than asked for\n"
			       "12 IOs failed with EIO (Input/output error)\n"
			       "1 IO failed with ENOSPC (No space left on device)\n");
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_are_as_worked_out_by_hand),
		cmocka_unit_test(total_is_read_plus_write),
		cmocka_unit_test(cpu_of_half_the_time_is_scaled_to_all_of_it),
		cmocka_unit_test(depth_requested_is_the_mean_over_the_time),
		cmocka_unit_test(without_an_io_there_is_null_not_nought),
		cmocka_unit_test(the_object_has_the_documented_keys),
		cmocka_unit_test(a_rate_has_what_was_offered_and_latencies_from_when_ios_were_due),
		cmocka_unit_test(a_backlog_from_before_is_no_sustained_rate),
		cmocka_unit_test(a_rate_is_sustained_within_half_a_percent_or_the_depth),
		cmocka_unit_test(a_summary_read_back_is_the_same),
		cmocka_unit_test(the_table_has_iometers_columns_and_the_figures),
		cmocka_unit_test(the_table_is_never_wider_than_79_columns),
		cmocka_unit_test(a_blank_is_between_any_two_figures),
		cmocka_unit_test(the_host_is_never_said_to_take_less_than_lunscope),
		cmocka_unit_test(what_comes_back_after_the_end_is_in_littles_law),
		cmocka_unit_test(how_long_the_slowest_io_took_that_failed_is_told_and_kept),
		cmocka_unit_test(warnings_name_what_is_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
