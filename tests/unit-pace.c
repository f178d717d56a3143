/* unit-pace.c - when IOs may start (src/pace.c), by a clock that the tests turn. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "pace.h"
#include "units.h"

#define DAY    (86400 * NS_PER_SEC)
#define MANY   1000000u
#define UPTIME (53 * DAY) /* 2^52 ns are 52 days */

static struct pace pace;
static struct workload load;

static int begin(void **state)
{
	(void)state;
	memset(&pace, 0, sizeof(pace));
	load = workload_default();
	return 0;
}

static void take_up(struct pace *p, uint32_t worker, uint64_t start_ns)
{
	static uint32_t pacing;
	pace_take_up(p, &load, worker, ++pacing, start_ns);
}

/* What a new generation that asks for w does. */
static void turn_to(const struct workload *w, uint64_t start_ns)
{
	static struct workload now;
	uint32_t pacing = pace.pacing + !pace_same(&load, w);
	load = now = *w;
	pace_take_up(&pace, &now, 0, pacing, start_ns);
}

static struct pace_counters counters(uint64_t now)
{
	struct pace_counters c;
	pace_read(&pace, now, &c);
	return c;
}

/* The time when the next IO falls due, which is started then. */
static uint64_t start_next(struct pace *p)
{
	uint64_t next = pace_next(p);
	assert_true(pace_look(p, next - 1) == 0);
	assert_true(pace_look(p, next) >= 1);
	uint64_t due = pace_start(p, next);
	assert_true(due == next);
	return due;
}

/* --- Constant. --- */

static uint64_t constant_time(uint64_t start, uint64_t k, uint64_t workers, uint64_t i,
			      uint64_t rate)
{
	return start + (uint64_t)((unsigned __int128)(k * workers + i) * NS_PER_SEC / rate);
}

static void a_constant_rate_is_exact_for_each_of_a_million_ios(void **state)
{
	static const uint64_t rates[] = {1, 3, 1000, 7001, 123457, 999999937, 1000000000};
	(void)state;
	for (size_t r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
		load.rate_iops = rates[r];
		take_up(&pace, 0, 1000);
		for (uint64_t k = 0; k < MANY; k++) {
			uint64_t now = pace_next(&pace), due;
			assert_true(pace_look(&pace, now) >= 1);
			due = pace_start(&pace, now);
			if (due != constant_time(1000, k, 1, 0, rates[r]))
				fail_msg("IO %lu at %lu/s is due at %lu", k, rates[r], due);
		}
	}
}

static void an_io_is_not_due_a_nanosecond_early(void **state)
{
	(void)state;
	load.rate_iops = 7001;
	take_up(&pace, 0, UPTIME);
	for (int k = 0; k < 1000; k++)
		start_next(&pace);
}

static void workers_lie_evenly_between_each_other(void **state)
{
	struct pace worker[3];
	(void)state;
	memset(worker, 0, sizeof(worker));
	load.workers = 3;
	load.rate_iops = 7001;
	for (uint32_t i = 0; i < 3; i++)
		take_up(&worker[i], i, 5000);
	/* All together they are one constant rate. */
	for (uint64_t k = 0; k < 3000; k++)
		assert_true(start_next(&worker[k % 3]) == constant_time(5000, k, 1, 0, 7001));
}

static void a_rate_does_not_drift_in_a_hundred_days_on_a_host_that_is_up_for_long(void **state)
{
	(void)state;
	load.workers = 3;
	load.rate_iops = 7;
	take_up(&pace, 2, UPTIME);
	uint64_t k = 0, due = 0;
	for (; due < UPTIME + 100 * DAY; k++) {
		pace_look(&pace, pace_next(&pace));
		due = pace_start(&pace, 0);
	}
	assert_true(due == constant_time(UPTIME, k - 1, 3, 2, 7));
	assert_true(k > 20000000);
}

/* --- Poisson. --- */

/* Mean and coefficient of variation of n gaps, the share of those above the mean, and how much a gap has
 * to do with the one before it. */
struct gaps {
	double mean, cv, above, correlation;
};

static struct gaps measure(const uint64_t *time, size_t n)
{
	double sum = 0, squares = 0, products = 0, above = 0;
	struct gaps g;
	for (size_t i = 1; i <= n; i++)
		sum += (double)(time[i] - time[i - 1]);
	g.mean = sum / (double)n;
	for (size_t i = 1; i <= n; i++) {
		double d = (double)(time[i] - time[i - 1]) - g.mean;
		squares += d * d;
		above += d > 0;
		if (i > 1)
			products += d * ((double)(time[i - 1] - time[i - 2]) - g.mean);
	}
	g.cv = sqrt(squares / (double)n) / g.mean;
	g.above = above / (double)n;
	g.correlation = products / squares;
	return g;
}

/* Five standard errors each, of a million gaps; the seed is fixed, so it is this or never. */
static void assert_exponential(const uint64_t *time, double mean)
{
	struct gaps g = measure(time, MANY);
	if (fabs(g.mean / mean - 1) > 0.005)
		fail_msg("mean gap %.1f and not %.1f", g.mean, mean);
	if (fabs(g.cv - 1) > 0.007)
		fail_msg("CV %.4f", g.cv);
	if (fabs(g.above - exp(-1)) > 0.0025)
		fail_msg("%.4f of the gaps are above the mean", g.above);
	if (fabs(g.correlation) > 0.005)
		fail_msg("correlation %.4f", g.correlation);
}

static uint64_t *arrivals_of(uint32_t worker, uint64_t start_ns)
{
	uint64_t *time = malloc((MANY + 1) * sizeof(*time));
	memset(&pace, 0, sizeof(pace));
	take_up(&pace, worker, start_ns);
	for (size_t i = 0; i <= MANY; i++) {
		pace_look(&pace, pace_next(&pace));
		time[i] = pace_start(&pace, 0);
	}
	return time;
}

static void poisson_arrivals_have_the_mean_and_the_spread_of_chance(void **state)
{
	static const uint64_t rates[] = {50, 20000, 1000000, 400000000};
	(void)state;
	load.poisson = true;
	for (size_t r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
		load.rate_iops = rates[r];
		uint64_t *time = arrivals_of(0, UPTIME);
		double mean = 1e9 / (double)rates[r];
		struct gaps g = measure(time, MANY);
		/* Times are whole ns: of gaps of 2.5 ns only the mean can be right. */
		if (rates[r] < 100000000)
			assert_exponential(time, mean);
		else if (fabs(g.mean / mean - 1) > 0.005)
			fail_msg("mean gap %.3f and not %.3f", g.mean, mean);
		free(time);
	}
}

static int later(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}

static void the_sum_of_poisson_workers_is_poisson(void **state)
{
	(void)state;
	load.poisson = true;
	load.workers = 2;
	load.rate_iops = 10000;
	uint64_t *one = arrivals_of(0, 0), *two = arrivals_of(1, 0);
	uint64_t *all = malloc(2 * (MANY + 1) * sizeof(*all));
	memcpy(all, one, (MANY + 1) * sizeof(*all));
	memcpy(all + MANY + 1, two, (MANY + 1) * sizeof(*all));
	qsort(all, 2 * (MANY + 1), sizeof(*all), later);
	assert_exponential(all, 1e9 / 10000);
	free(one);
	free(two);
	free(all);
}

static void the_same_seed_makes_the_same_arrivals_and_another_makes_others(void **state)
{
	(void)state;
	load.poisson = true;
	load.rate_iops = 1000;
	load.workers = 2;
	uint64_t *a = arrivals_of(1, 77), *b = arrivals_of(1, 77), *c = arrivals_of(0, 77);
	load.seed = 2;
	uint64_t *d = arrivals_of(1, 77);
	assert_memory_equal(a, b, MANY * sizeof(*a));
	assert_true(a[0] != c[0] && a[1] - a[0] != c[1] - c[0]);
	assert_true(a[0] != d[0] && a[1] - a[0] != d[1] - d[0]);
	free(a);
	free(b);
	free(c);
	free(d);
}

/* --- The backlog. --- */

static void what_cannot_start_waits_and_none_is_lost_however_late_the_look(void **state)
{
	static const uint64_t gap[] = {1, 50, 999, 1000001, 37, NS_PER_SEC, 5, 20 * NS_PER_SEC};
	(void)state;
	for (int poisson = 0; poisson < 2; poisson++) {
		load.rate_iops = 12345;
		load.poisson = poisson;
		memset(&pace, 0, sizeof(pace));
		take_up(&pace, 0, 100);
		uint64_t *want = arrivals_of(0, 100);
		memset(&pace, 0, sizeof(pace));
		take_up(&pace, 0, 100);
		uint64_t now = 100, started = 0;
		for (int i = 0; i < 16; i++) {
			now += gap[i % 8];
			uint64_t due = 0, before = UINT64_MAX;
			while (want[due] <= now)
				due++;
			/* One look passes so many at most; the next goes on. */
			for (uint64_t n = 0; n != before; n = pace_look(&pace, now))
				before = n;
			assert_int_equal(pace_look(&pace, now), due - started);
			assert_int_equal(counters(now).backlog, due - started);
			assert_int_equal(counters(now).due_ns, due > started ? want[started] : 0);
			/* Three of four are started; all keep the time they had. */
			for (uint64_t n = (due - started) * 3 / 4; n; n--)
				assert_int_equal(pace_start(&pace, now), want[started++]);
		}
		assert_true(started > 100000);
		assert_int_equal(counters(now).offered,
				 counters(now).started + counters(now).backlog);
		free(want);
	}
}

static void others_see_what_fell_due_while_a_worker_slept(void **state)
{
	(void)state;
	load.rate_iops = 1000;
	take_up(&pace, 0, NS_PER_SEC);
	assert_int_equal(counters(NS_PER_SEC - 1).backlog, 0);
	assert_int_equal(counters(NS_PER_SEC - 1).due_ns, 0);
	assert_int_equal(counters(NS_PER_SEC).backlog, 1);
	assert_int_equal(counters(NS_PER_SEC + 2999999).backlog, 3);
	assert_int_equal(counters(NS_PER_SEC + 3000000).backlog, 4);
	assert_int_equal(counters(NS_PER_SEC + 3000000).due_ns, NS_PER_SEC);
	/* Asked for by nobody any more, but due before. */
	pace_look(&pace, NS_PER_SEC + 3000000);
	pace_stop(&pace, NS_PER_SEC + 3000000);
	assert_int_equal(counters(60 * NS_PER_SEC).backlog, 4);
}

static void what_falls_due_while_a_worker_hangs_is_offered(void **state)
{
	(void)state;
	load.rate_iops = 1000;
	take_up(&pace, 0, NS_PER_SEC);
	pace_look(&pace, NS_PER_SEC);
	pace_start(&pace, NS_PER_SEC);
	/* Each at its time, however soon or late that is looked at. */
	assert_int_equal(counters(NS_PER_SEC + 50 * NS_PER_MS).offered, 51);
	for (uint64_t s = 2; s < 6; s++)
		assert_int_equal(counters(s * NS_PER_SEC).offered, (s - 1) * 1000 + 1);
	assert_int_equal(counters(6 * NS_PER_SEC).offered, 5001);
	assert_int_equal(counters(6 * NS_PER_SEC).backlog, 5000);
	/* It comes back: the same, counted by itself. */
	pace_look(&pace, 6 * NS_PER_SEC);
	assert_int_equal(counters(6 * NS_PER_SEC).offered, 5001);
	assert_int_equal(counters(6 * NS_PER_SEC).backlog, 5000);
	/* And another time it comes back to an end, or to another rate. */
	struct pace before = pace;
	pace_stop(&pace, 8 * NS_PER_SEC);
	assert_int_equal(counters(60 * NS_PER_SEC).offered, 7001);
	assert_int_equal(counters(60 * NS_PER_SEC).backlog, 7000);
	pace = before;
	load.rate_iops = 10;
	take_up(&pace, 0, 8 * NS_PER_SEC);
	assert_int_equal(counters(8 * NS_PER_SEC - 1).offered, 7001);
	assert_int_equal(counters(8 * NS_PER_SEC - 1).dropped, 7000);
	assert_int_equal(counters(8 * NS_PER_SEC - 1).backlog, 0);
}

static void what_was_due_when_it_was_stopped_stays_however_late_that_is_seen(void **state)
{
	static const uint64_t rates[] = {1, 7001, 999999937};
	(void)state;
	for (int r = 0; r < 3; r++) {
		memset(&pace, 0, sizeof(pace));
		load.rate_iops = rates[r];
		take_up(&pace, 0, NS_PER_SEC);
		uint64_t due = 2 * rates[r] + 1;
		/* Of what the worker has not looked at, the fraction of an IO is not known. */
		assert_in_range(counters(3 * NS_PER_SEC).offered, due - 1, due);
		/* The worker comes back a minute later. */
		pace_stop(&pace, 3 * NS_PER_SEC);
		assert_in_range(counters(63 * NS_PER_SEC).offered, due - 1, due);
		assert_int_equal(counters(63 * NS_PER_SEC).offered,
				 counters(63 * NS_PER_SEC).backlog);
	}
}

#define LOOKS 20000

static _Atomic uint64_t look_at;
static _Atomic bool looked;

static void *look_and_start(void *arg)
{
	for (int i = 0; i < LOOKS; i++) {
		uint64_t t = look_at + NS_PER_SEC;
		look_at = t;
		uint64_t n = pace_look(&pace, t);
		for (uint64_t k = 0; i % 4 && k < n; k++)
			pace_start(&pace, t);
	}
	looked = true;
	return arg;
}

/* What the worker counts at this moment is neither counted twice nor taken for less than was started. */
static void a_backlog_that_is_read_while_the_worker_looks_is_never_more_than_fell_due(void **state)
{
	pthread_t thread;
	uint64_t reads = 0;
	(void)state;
	load.rate_iops = 1000;
	look_at = NS_PER_SEC;
	looked = false;
	take_up(&pace, 0, NS_PER_SEC);
	assert_int_equal(pthread_create(&thread, NULL, look_and_start, NULL), 0);
	struct pace_counters c = {0};
	uint64_t due = UINT64_MAX;
	for (; !looked && c.started + c.backlog <= due; reads++) {
		c = counters(look_at);
		due = (look_at - NS_PER_SEC) / NS_PER_MS + 1;
	}
	pthread_join(thread, NULL);
	if (c.started + c.backlog > due)
		fail_msg("%lu started and %lu waiting, of %lu", c.started, c.backlog, due);
	assert_true(reads > 0);
}

static void a_new_pacing_begins_without_a_backlog(void **state)
{
	(void)state;
	load.rate_iops = 1000;
	take_up(&pace, 0, 0);
	pace_look(&pace, NS_PER_SEC);
	for (int i = 0; i < 400; i++)
		pace_start(&pace, NS_PER_SEC);
	load.rate_iops = 500;
	take_up(&pace, 0, NS_PER_SEC);
	struct pace_counters c = counters(NS_PER_SEC - 1);
	assert_int_equal(c.offered, 1001);
	assert_int_equal(c.started, 400);
	assert_int_equal(c.dropped, 601);
	assert_int_equal(c.backlog, 0);
	assert_int_equal(start_next(&pace), NS_PER_SEC);
	assert_int_equal(start_next(&pace), NS_PER_SEC + 2 * NS_PER_MS);
}

static void a_pause_and_a_worker_too_many_have_nothing_due(void **state)
{
	(void)state;
	load.rate_iops = 1000;
	take_up(&pace, 0, 0);
	pace_look(&pace, NS_PER_SEC);
	load.paused = true;
	take_up(&pace, 0, NS_PER_SEC);
	assert_int_equal(counters(9 * NS_PER_SEC).backlog, 0);
	load.paused = false;
	take_up(&pace, 0, 9 * NS_PER_SEC);
	assert_int_equal(pace_look(&pace, 9 * NS_PER_SEC), 1);
	take_up(&pace, 1, 9 * NS_PER_SEC);
	assert_int_equal(counters(99 * NS_PER_SEC).backlog, 0);
}

static void the_same_pacing_goes_on_as_if_nothing_had_happened(void **state)
{
	struct workload other;
	(void)state;
	load.rate_iops = 1000;
	pace_take_up(&pace, &load, 0, 4, 0);
	pace_look(&pace, NS_PER_SEC);
	pace_start(&pace, NS_PER_SEC);
	other = load;
	other.outstanding = 99;
	assert_true(pace_same(&load, &other));
	pace_take_up(&pace, &other, 0, 4, 0);
	assert_int_equal(counters(NS_PER_SEC).backlog, 1000);
	assert_int_equal(pace_start(&pace, NS_PER_SEC), NS_PER_MS);
}

static void what_else_makes_another_pacing(void **state)
{
	struct workload a = load, b;
	(void)state;
	a.rate_iops = 1000;
	a.access.count = 2;
#define DIFFERS(change)                          \
	do {                                     \
		b = a;                           \
		b.change;                        \
		assert_false(pace_same(&a, &b)); \
	} while (0)
	DIFFERS(rate_iops = 999);
	DIFFERS(poisson = true);
	DIFFERS(workers = 2);
	DIFFERS(paused = true);
	DIFFERS(burst = 2);
	DIFFERS(think_ns = 1);
	DIFFERS(seed = 2);
	DIFFERS(access.count = 1);
	DIFFERS(access.line[1].delay_ms = 1);
	DIFFERS(access.line[1].burst = 1);
	DIFFERS(access.line[1].share = 1);
#undef DIFFERS
	/* Lines with a delay are drawn as the sequence of IOs begins: anew each time, or not at all. */
	a.rate_iops = 0;
	a.access.line[0] = (struct access_line){.share = 100, .delay_ms = 1};
	assert_false(pace_same(&a, &a));
	a.sequence_on = true;
	assert_true(pace_same(&a, &a));
}

/* --- Bursts. --- */

static void without_a_rate_or_a_think_time_nothing_holds_an_io(void **state)
{
	(void)state;
	load.burst = 4;
	take_up(&pace, 0, 0);
	assert_true(pace_look(&pace, 0) == UINT64_MAX);
	assert_int_equal(pace_next(&pace), 0);
	assert_int_equal(pace_start(&pace, 0), 0);
	assert_int_equal(counters(NS_PER_SEC).offered, 0);
}

static void a_worker_thinks_before_each_burst_from_when_the_last_was_out(void **state)
{
	(void)state;
	load.burst = 4;
	load.think_ns = 10 * NS_PER_MS;
	take_up(&pace, 0, 0);
	uint64_t now = 0;
	for (int i = 0; i < 5; i++) {
		assert_int_equal(pace_look(&pace, now + 10 * NS_PER_MS - 1), 0);
		now += 10 * NS_PER_MS;
		assert_int_equal(pace_next(&pace), now);
		assert_int_equal(pace_look(&pace, now), 4);
		assert_int_equal(pace_start(&pace, now), 0);
		/* The device takes its time over the rest. */
		now += 3 * NS_PER_MS;
		assert_int_equal(pace_look(&pace, now), 3);
		for (int k = 0; k < 3; k++)
			pace_start(&pace, now);
	}
	assert_int_equal(counters(now).offered, 0);
}

static void a_burst_is_one_io_where_none_is_set(void **state)
{
	(void)state;
	load.think_ns = NS_PER_MS;
	take_up(&pace, 0, 0);
	assert_int_equal(pace_look(&pace, NS_PER_MS), 1);
	pace_start(&pace, NS_PER_MS);
	assert_int_equal(pace_look(&pace, NS_PER_MS), 0);
}

static void each_burst_is_of_one_access_line_drawn_by_its_share(void **state)
{
	unsigned drawn[3] = {0};
	(void)state;
	load.access.count = 3;
	load.access.line[0] = (struct access_line){.share = 20, .delay_ms = 5, .burst = 8};
	load.access.line[1] = (struct access_line){.share = 0, .delay_ms = 1, .burst = 2};
	load.access.line[2] = (struct access_line){.share = 80, .delay_ms = 0, .burst = 16};
	take_up(&pace, 0, 0);
	uint64_t now = 0;
	for (int i = 0; i < 10000; i++) {
		const struct access_line *l = &load.access.line[pace.line];
		drawn[pace.line]++;
		if (l->delay_ms) {
			assert_int_equal(pace_look(&pace, now + l->delay_ms * NS_PER_MS - 1), 0);
			now += l->delay_ms * NS_PER_MS;
		}
		/* A burst without a delay is one IO. */
		unsigned n = l->delay_ms ? l->burst : 1;
		assert_int_equal(pace_look(&pace, now), n);
		while (n--)
			pace_start(&pace, now);
	}
	assert_int_equal(drawn[1], 0);
	/* Four standard deviations. */
	assert_in_range(drawn[0], 1840, 2160);
}

/* The lines of the next bursts, into line[]. */
static void draw_lines(int *line, int n)
{
	for (int i = 0; i < n; i++) {
		line[i] = pace.line;
		for (uint64_t left = pace_look(&pace, pace.hold_ns); left; left--)
			pace_start(&pace, pace.hold_ns);
	}
}

static void the_lines_of_bursts_begin_anew_with_each_generation(void **state)
{
	int first[100], again[100], on[100];
	struct workload w;
	(void)state;
	load.access.count = 2;
	load.access.line[0] = (struct access_line){.share = 40, .delay_ms = 5, .burst = 8};
	load.access.line[1] = (struct access_line){.share = 60, .delay_ms = 1, .burst = 2};
	take_up(&pace, 0, 0);
	draw_lines(first, 100);
	/* In the middle of a burst, or wherever. */
	if (pace.left > 1)
		pace_start(&pace, pace.hold_ns);
	w = load;
	w.outstanding++;
	turn_to(&w, 7 * NS_PER_SEC);
	assert_true(pace.hold_ns ==
		    7 * NS_PER_SEC + load.access.line[pace.line].delay_ms * NS_PER_MS);
	draw_lines(again, 100);
	assert_memory_equal(first, again, sizeof(first));
	w.sequence_on = true;
	turn_to(&w, 8 * NS_PER_SEC);
	draw_lines(on, 100);
	assert_memory_not_equal(first, on, sizeof(first));
}

#define PACE_TEST(f) cmocka_unit_test_setup(f, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		PACE_TEST(a_constant_rate_is_exact_for_each_of_a_million_ios),
		PACE_TEST(an_io_is_not_due_a_nanosecond_early),
		PACE_TEST(workers_lie_evenly_between_each_other),
		PACE_TEST(a_rate_does_not_drift_in_a_hundred_days_on_a_host_that_is_up_for_long),
		PACE_TEST(poisson_arrivals_have_the_mean_and_the_spread_of_chance),
		PACE_TEST(the_sum_of_poisson_workers_is_poisson),
		PACE_TEST(the_same_seed_makes_the_same_arrivals_and_another_makes_others),
		PACE_TEST(what_cannot_start_waits_and_none_is_lost_however_late_the_look),
		PACE_TEST(others_see_what_fell_due_while_a_worker_slept),
		PACE_TEST(what_falls_due_while_a_worker_hangs_is_offered),
		PACE_TEST(what_was_due_when_it_was_stopped_stays_however_late_that_is_seen),
		PACE_TEST(
			a_backlog_that_is_read_while_the_worker_looks_is_never_more_than_fell_due),
		PACE_TEST(a_new_pacing_begins_without_a_backlog),
		PACE_TEST(a_pause_and_a_worker_too_many_have_nothing_due),
		PACE_TEST(the_same_pacing_goes_on_as_if_nothing_had_happened),
		PACE_TEST(what_else_makes_another_pacing),
		PACE_TEST(without_a_rate_or_a_think_time_nothing_holds_an_io),
		PACE_TEST(a_worker_thinks_before_each_burst_from_when_the_last_was_out),
		PACE_TEST(a_burst_is_one_io_where_none_is_set),
		PACE_TEST(each_burst_is_of_one_access_line_drawn_by_its_share),
		PACE_TEST(the_lines_of_bursts_begin_anew_with_each_generation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
