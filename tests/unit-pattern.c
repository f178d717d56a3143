/* unit-pattern.c - the IOs that a workload makes beyond the plain ones: popular places, streams, a log, access
 * lines; that none ever leaves its place; and that the same seed makes the same sequence.
 *
 * Everything is seeded: what passes once passes always. Bounds are 5 standard deviations of the law.
 */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "access.h"
#include "pattern.h"
#include "setting.h"
#include "units.h"

static struct workload_limits disk(void)
{
	return (struct workload_limits){
		.target = "/dev/sdx",
		.target_size = GIB,
		.logical_block = 512,
		.backend = "libaio",
		.may_write = true,
		.write_length = GIB,
	};
}

/* --- A worker that makes IOs. --- */

static struct workload_limits limits;
static struct pattern_tables *tables;

static void take_up(struct pattern *p, const struct workload *w, uint32_t i)
{
	struct error e = {""};

	if (workload_validate(w, &limits, &e))
		fail_msg("%s", e.text);
	pattern_tables_free(tables);
	assert_int_equal(pattern_tables_create(&tables, NULL, w, &limits), 0);
	pattern_take_up(p, w, &limits, tables, i);
}

static void start(struct pattern *p, const struct workload *w, uint32_t i)
{
	pattern_init(p);
	take_up(p, w, i);
}

static int setup(void **state)
{
	(void)state;
	limits = disk();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	pattern_tables_free(tables);
	tables = NULL;
	return 0;
}

static void set(struct workload *w, enum setting s, const char *text)
{
	struct error e = {""};

	if (setting_parse(w, s, text, &e))
		fail_msg("%s", e.text);
}

static struct io next(struct pattern *p)
{
	struct io io = {0};

	pattern_next(p, &io);
	return io;
}

/* So many of n, when each has this chance. */
static void check_share(uint64_t got, uint64_t n, double chance)
{
	double expected = chance * (double)n, sigma = sqrt(expected * (1 - chance));

	if (fabs((double)got - expected) > 5 * sigma + 1)
		fail_msg("%" PRIu64 " of %" PRIu64 ", expected %.0f +- %.0f", got, n, expected,
			 sigma);
}

static void check_chi(const uint64_t *seen, const double *chance, unsigned cells, uint64_t n)
{
	double chi = 0, df = cells - 1;

	for (unsigned i = 0; i < cells; i++) {
		double expected = chance[i] * (double)n;
		assert_true(expected > 5);
		chi += ((double)seen[i] - expected) * ((double)seen[i] - expected) / expected;
	}
	if (chi > df + 5 * sqrt(2 * df))
		fail_msg("chi-square %.0f of %.0f degrees of freedom", chi, df);
}

/* --- Popular places: the laws. --- */

static void the_weights_of_zipf_are_its_sums(void **state)
{
	static const uint32_t milli[] = {1, 500, 999, 1000, 1001, 1100, 2500, 10000};

	(void)state;
	for (size_t i = 0; i < sizeof(milli) / sizeof(*milli); i++) {
		struct spread s = {.kind = SPREAD_ZIPF, .milli = milli[i]};
		double sum = 0, parts = 0;
		/* From the smallest on, so that rounding stays away. */
		for (uint64_t k = 300000; k > 2000; k--)
			sum += pow((double)k, -(milli[i] / 1000.0));
		for (uint64_t at = 2000; at < 300000; at += 1000)
			parts += spread_weight(&s, 1000000, at, 1000);
		assert_true(fabs(parts / sum - 1) < 2e-5);
	}
}

static void pareto_gives_all_but_h_to_h_of_the_places(void **state)
{
	(void)state;
	for (uint32_t milli = 50; milli <= 500; milli += 50) {
		struct spread s = {.kind = SPREAD_PARETO, .milli = milli};
		double h = milli / 1000.0, n = 1e6;
		double top = spread_weight(&s, 1000000, 0, (uint64_t)(h * n));
		double within = spread_weight(&s, 1000000, 0, (uint64_t)(h * h * n));
		assert_true(fabs(top - (1 - h)) < 1e-4);
		assert_true(fabs(within - (1 - h) * (1 - h)) < 1e-3);
		assert_true(fabs(spread_weight(&s, 1000000, 0, 1000000) - 1) < 1e-12);
	}
}

/* What the table makes of random numbers, computed and not drawn. */
static void check_table(const struct spread *s, uint64_t places)
{
	struct spread_table *t = spread_table_create(s, places);
	double chance[SPREAD_COLUMNS] = {0}, sum = 0;
	uint64_t at = 0;
	unsigned groups = 0;

	assert_non_null(t);
	for (unsigned i = 0; i < SPREAD_COLUMNS; i++) {
		double keep = (double)t->column[i].keep / 0x1p64;
		chance[t->column[i].own] += keep / SPREAD_COLUMNS;
		chance[t->column[i].other] += (1 - keep) / SPREAD_COLUMNS;
	}
	for (; at < places; at += t->group[groups++].count) {
		assert_int_equal(t->group[groups].first, at);
		assert_true(t->group[groups].count > 0);
		sum += spread_weight(s, places, at, t->group[groups].count);
	}
	assert_true(at == places);
	for (unsigned i = 0; i < groups; i++) {
		double want = spread_weight(s, places, t->group[i].first, t->group[i].count) / sum;
		assert_true(fabs(chance[i] - want) < 1e-9);
	}
	for (unsigned i = groups; i < SPREAD_COLUMNS; i++)
		assert_true(chance[i] < 1e-9);
	free(t);
}

static void tables_give_each_group_the_share_of_its_law(void **state)
{
	static const uint64_t places[] = {1,    2,       1000,       1024,       1025,
					  4097, 1000000, 1ull << 40, 1ull << 54, (1ull << 55) - 1};
	static const struct spread law[] = {
		{.kind = SPREAD_ZIPF, .milli = 1},    {.kind = SPREAD_ZIPF, .milli = 1000},
		{.kind = SPREAD_ZIPF, .milli = 1100}, {.kind = SPREAD_ZIPF, .milli = 10000},
		{.kind = SPREAD_PARETO, .milli = 1},  {.kind = SPREAD_PARETO, .milli = 200},
		{.kind = SPREAD_PARETO, .milli = 500}};

	(void)state;
	for (size_t i = 0; i < sizeof(law) / sizeof(*law); i++)
		for (size_t k = 0; k < sizeof(places) / sizeof(*places); k++)
			check_table(&law[i], places[k]);
}

/* --- Scattering. --- */

static void scattering_is_a_permutation(void **state)
{
	static const uint64_t more[] = {4095, 4096, 4097, 65537, 100003};
	uint8_t *seen = malloc(100003);

	(void)state;
	assert_non_null(seen);
	for (uint64_t n = 1; n <= 1005; n++) {
		uint64_t places = n <= 1000 ? n : more[n - 1001];
		memset(seen, 0, places);
		for (uint64_t rank = 0; rank < places; rank++) {
			uint64_t at = spread_scatter(rank, places, random_mix(n));
			assert_true(at < places);
			assert_int_equal(seen[at]++, 0);
		}
	}
	free(seen);
}

static void popular_places_lie_all_over_the_range(void **state)
{
	enum { SLICES = 100, TOP = 10000 };
	double even[SLICES];

	(void)state;
	for (int i = 0; i < SLICES; i++)
		even[i] = 1.0 / SLICES;
	for (uint64_t places = 1000000; places < 1ull << 50; places *= 37) {
		uint64_t seen[SLICES] = {0}, same = 0;
		for (uint64_t rank = 0; rank < TOP; rank++) {
			uint64_t at = spread_scatter(rank, places, random_mix(7));
			seen[(uint64_t)((unsigned __int128)at * SLICES / places)]++;
			same += at == spread_scatter(rank, places, random_mix(8));
		}
		check_chi(seen, even, SLICES, TOP);
		assert_true(same < 20);
	}
}

/* --- Popular places: what is drawn. --- */

enum { PLACES = 1000, DRAWS = 2000000 };

/* Makes IOs over PLACES blocks; how often each rank came. */
static void draw_ranks(const char *law, uint64_t *seen)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t rank_of[PLACES];

	w.range_start = 64 * KIB;
	w.range_length = PLACES * 4 * KIB;
	set(&w, SETTING_SPREAD, law);
	start(&p, &w, 0);
	for (uint64_t rank = 0; rank < PLACES; rank++)
		rank_of[spread_scatter(rank, PLACES, p.scatter)] = rank;
	memset(seen, 0, PLACES * sizeof(*seen));
	for (int i = 0; i < DRAWS; i++)
		seen[rank_of[(next(&p).offset - 64 * KIB) / (4 * KIB)]]++;
}

static void zipf_and_pareto_follow_their_laws(void **state)
{
	static const char *const law[] = {"zipf:0.6", "zipf:1", "zipf:1.1", "pareto:0.2",
					  "pareto:0.4"};
	uint64_t seen[PLACES];

	(void)state;
	for (size_t i = 0; i < sizeof(law) / sizeof(*law); i++) {
		struct spread s;
		double chance[PLACES], sum = 0;

		draw_ranks(law[i], seen);
		spread_parse(&s, law[i], NULL);
		for (unsigned k = 0; k < PLACES; k++)
			sum += chance[k] = spread_weight(&s, PLACES, k, 1);
		for (unsigned k = 0; k < PLACES; k++)
			chance[k] /= sum;
		check_chi(seen, chance, PLACES, DRAWS);
	}
}

static void ranks_far_out_have_their_share_too(void **state)
{
	const struct spread s = {.kind = SPREAD_ZIPF, .milli = 1100};
	const uint64_t places = 3000000;
	static const uint64_t below[] = {1, 10, 1000, 1024, 5000, 100000, 1000000};
	uint64_t seen[sizeof(below) / sizeof(*below)] = {0};
	struct spread_table *t = spread_table_create(&s, places);
	double all = spread_weight(&s, places, 0, places);

	(void)state;
	assert_non_null(t);
	for (uint64_t i = 0; i < DRAWS; i++) {
		uint64_t at = i * RANDOM_STEP;
		uint64_t rank = spread_rank(t, random_at(at), random_at(at + PATTERN_SPOT));
		assert_true(rank < places);
		for (size_t k = 0; k < sizeof(below) / sizeof(*below); k++)
			seen[k] += rank < below[k];
	}
	for (size_t k = 0; k < sizeof(below) / sizeof(*below); k++)
		check_share(seen[k], DRAWS, spread_weight(&s, places, 0, below[k]) / all);
	free(t);
}

/* Else a worker draws a rank again and again that it has no place for. */
static void tables_have_about_as_many_ranks_as_a_worker_has_places(void **state)
{
	static const struct {
		uint32_t workers, align;
		uint64_t length;
	} part[] = {{256, 0, 511 * 4096}, {256, 512, 3 * MIB}, {7, 0, 20 * 4096}, {1, 0, 4096}};
	struct pattern p;

	(void)state;
	for (size_t k = 0; k < sizeof(part) / sizeof(*part); k++) {
		struct workload w = workload_default();
		w.workers = part[k].workers;
		w.align = part[k].align;
		w.range_length = part[k].length;
		set(&w, SETTING_SPREAD, "zipf:0.5");
		for (uint32_t i = 0; i < w.workers; i++) {
			start(&p, &w, i);
			uint64_t places = p.line[0].places;
			assert_true(p.line[0].table->places >= places);
			assert_true(p.line[0].table->places <= places + places / 2);
		}
	}
}

static void a_table_is_made_once_as_long_as_law_and_places_stay(void **state)
{
	struct workload w = workload_default();
	struct pattern_tables *first, *second, *third;

	(void)state;
	set(&w, SETTING_SPREAD, "zipf:1.1");
	assert_int_equal(pattern_tables_create(&first, NULL, &w, &limits), 0);
	w.read_pct = 50;
	w.outstanding = 32;
	assert_int_equal(pattern_tables_create(&second, first, &w, &limits), 0);
	assert_ptr_equal(second->table[0], first->table[0]);
	set(&w, SETTING_SPREAD, "zipf:1.2");
	assert_int_equal(pattern_tables_create(&third, second, &w, &limits), 0);
	assert_ptr_not_equal(third->table[0], second->table[0]);
	pattern_tables_free(third);
	w.block_size *= 2;
	set(&w, SETTING_SPREAD, "zipf:1.1");
	assert_int_equal(pattern_tables_create(&third, second, &w, &limits), 0);
	assert_ptr_not_equal(third->table[0], second->table[0]);
	/* In the order in which generations go. */
	pattern_tables_free(first);
	assert_int_equal(second->table[0]->places, third->table[0]->places * 2);
	pattern_tables_free(second);
	pattern_tables_free(third);
}

static void a_hot_spot_gets_its_share_and_lies_at_the_start(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t hot = 0, first = 0, last = 0;

	(void)state;
	w.range_length = PLACES * 4 * KIB;
	set(&w, SETTING_SPREAD, "hot:80/20");
	start(&p, &w, 0);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t place = next(&p).offset / (4 * KIB);
		hot += place < 200;
		first += place < 100;
		last += place >= 600;
	}
	check_share(hot, DRAWS, 0.8);
	check_share(first, DRAWS, 0.4);
	check_share(last, DRAWS, 0.1);
}

static void a_hot_spot_is_never_empty_nor_is_the_rest_needed(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();

	(void)state;
	w.range_length = 4 * KIB;
	set(&w, SETTING_SPREAD, "hot:50/1");
	start(&p, &w, 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(next(&p).offset, 0);
	w.range_length = 8 * KIB;
	set(&w, SETTING_SPREAD, "hot:100/1");
	start(&p, &w, 0);
	for (int i = 0; i < 1000; i++)
		assert_int_equal(next(&p).offset, 0);
}

/* --- Streams. --- */

static void streams_take_turns_and_each_goes_through_its_own_part(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();

	(void)state;
	w.random_pct = 0;
	w.range_length = 4 * 10 * 4 * KIB;
	w.streams = 4;
	start(&p, &w, 0);
	for (uint64_t n = 0; n < 200; n++)
		assert_int_equal(next(&p).offset, (n % 4 * 10 + n / 4 % 10) * 4 * KIB);
}

static void random_ios_leave_the_streams_where_they_are(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t position[3] = {0}, turn = 0, sequential = 0;
	const uint64_t part = GIB / 3 / 4096 * 4096;

	(void)state;
	w.random_pct = 50;
	w.streams = 3;
	start(&p, &w, 0);
	for (int n = 0; n < 10000; n++) {
		uint64_t offset = next(&p).offset;
		if (offset != turn * part + position[turn])
			continue; /* random */
		position[turn] += 4096;
		turn = (turn + 1) % 3;
		sequential++;
	}
	check_share(sequential, 10000, 0.5);
}

/* --- Log. --- */

static void appends_go_through_the_log_and_the_rest_stays_outside(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t appends = 0;

	(void)state;
	w.log_pct = 20;
	w.range_length = 80 * 4 * KIB;
	start(&p, &w, 0);
	for (uint64_t n = 0; n < 100000; n++) {
		struct io io = next(&p);
		if (io.op == IO_READ) {
			assert_true(io.offset >= 10 * 4 * KIB);
			continue;
		}
		assert_int_equal(io.offset, appends % 10 * 4 * KIB);
		appends++;
	}
	check_share(appends, 100000, 0.2);
}

static void workers_that_share_the_range_have_logs_of_their_own(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();

	(void)state;
	w.log_pct = 100;
	w.workers = 4;
	w.share_range = true;
	for (uint32_t i = 0; i < 4; i++) {
		start(&p, &w, i);
		for (uint64_t n = 0; n < 100; n++) {
			struct io io = next(&p);
			assert_int_equal(io.op, IO_WRITE);
			assert_int_equal(io.offset, GIB / 8 / 4 * i + n * 4 * KIB);
		}
	}
}

/* --- Access lines. --- */

static void each_line_has_its_share_and_its_own_coins(void **state)
{
	enum { N = 1000000 };
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t of_line[3] = {0}, reads[3] = {0};
	static const double share[] = {0.5, 0.3, 0.2}, read[] = {1, 0.67, 0};
	static const uint32_t size[] = {4096, 8192, 65536};

	(void)state;
	set(&w, SETTING_LINES, "4k 50%; 8k 30% read 67; 64k 20% read 0 random 0 align 128k");
	start(&p, &w, 0);
	for (int i = 0; i < N; i++) {
		struct io io = next(&p);
		of_line[p.line_now]++;
		reads[p.line_now] += io.op == IO_READ;
		assert_int_equal(io.size, size[p.line_now]);
		assert_int_equal(io.offset % (p.line_now == 2 ? 128 * KIB : io.size), 0);
	}
	for (int k = 0; k < 3; k++) {
		check_share(of_line[k], N, share[k]);
		check_share(reads[k], of_line[k], read[k]);
	}
}

static void sequential_ios_of_all_lines_share_one_position(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t at = 0;

	(void)state;
	set(&w, SETTING_LINES, "4k 50% random 0; 12k 30% random 0 align 4k; 64k 20% random 0");
	w.range_length = 10 * MIB;
	start(&p, &w, 0);
	for (int i = 0; i < 10000; i++) {
		struct io io = next(&p);
		uint64_t align = io.size == 65536 ? 65536 : 4096;
		at = (at + align - 1) / align * align;
		if (at + io.size > 10 * MIB)
			at = 0;
		assert_int_equal(io.offset, at);
		at += io.size;
	}
}

static void a_hundred_lines_are_possible(void **state)
{
	static struct pattern p;
	struct workload w = workload_default();
	uint64_t seen[100] = {0};
	double even[100];

	(void)state;
	w.access.count = 100;
	for (uint32_t k = 0; k < 100; k++) {
		w.access.line[k] = (struct access_line){
			.size = (k + 1) * 512, .share = 1, .read_pct = 100, .random_pct = 100};
		even[k] = 0.01;
	}
	set(&w, SETTING_SPREAD, "zipf:1.1");
	start(&p, &w, 0);
	for (int i = 0; i < 100000; i++)
		seen[next(&p).size / 512 - 1]++;
	check_chi(seen, even, 100, 100000);
}

/* --- Bounds. --- */

static uint32_t any(struct random *r, uint32_t from, uint32_t to)
{
	return from + (uint32_t)random_below(r, to - from + 1);
}

static bool often(struct random *r)
{
	return random_below(r, 2);
}

static void any_lines(struct random *r, struct access *a)
{
	uint32_t left = 100;

	a->count = any(r, 1, 5);
	for (uint32_t k = 0; k < a->count; k++) {
		uint32_t share = k + 1 == a->count ? left : any(r, 1, left - (a->count - k - 1));
		left -= share;
		a->line[k] = (struct access_line){
			.size = any(r, 1, 64) * 512,
			.align = often(r) ? any(r, 0, 96) * 512 : 0,
			.share = (uint8_t)share,
			.read_pct = (uint8_t)any(r, 0, 100),
			.random_pct = (uint8_t)any(r, 0, 100),
		};
	}
}

static struct workload any_workload(struct random *r)
{
	static const char *const law[] = {"uniform", "zipf:0.9", "zipf:1.3", "pareto:0.2",
					  "hot:90/3"};
	struct workload w = workload_default();

	w.workers = any(r, 1, 5);
	w.block_size = any(r, 1, 64) * 512;
	w.align = often(r) ? any(r, 1, 96) * 512 : 0;
	w.read_pct = any(r, 0, 100);
	w.random_pct = often(r) ? any(r, 0, 100) : 100;
	w.share_range = often(r);
	w.range_start = any(r, 0, 1000) * 512ull;
	w.range_length = any(r, 1, often(r) ? 1000 : 8000) * 512ull;
	w.seed = random_next(r);
	set(&w, SETTING_SPREAD, law[any(r, 0, 4)]);
	if (often(r))
		w.streams = any(r, 0, 6);
	if (often(r))
		w.log_pct = any(r, 0, 100);
	if (often(r))
		any_lines(r, &w.access);
	if (random_below(r, 8) == 0)
		w.range_length = w.block_size;
	return w;
}

/* Whether io is one that this line can make. */
static bool of_line(const struct io *io, const struct access_line *line)
{
	bool op = io->op == IO_READ ? line->read_pct > 0 : line->read_pct < 100;

	return op && io->size == line->size && io->offset % line->align == 0;
}

static void check_io(const struct workload *w, const struct places *at, const struct io *io)
{
	bool in_log = io->offset >= at->log.start && io->offset + io->size <= at->log.end;
	bool in_rest = io->offset >= at->rest.start && io->offset + io->size <= at->rest.end;
	bool known = false;

	if (!in_log && !in_rest)
		fail_msg("%" PRIu64 "+%u in neither %" PRIu64 "..%" PRIu64 " nor %" PRIu64
			 "..%" PRIu64,
			 io->offset, io->size, at->log.start, at->log.end, at->rest.start,
			 at->rest.end);
	if (in_log) {
		assert_true(w->log_pct > 0);
		assert_int_equal(io->op, IO_WRITE);
		assert_int_equal(io->size, w->block_size);
		assert_int_equal(io->offset % (w->align ? w->align : w->block_size), 0);
		return;
	}
	for (uint32_t k = 0; k < workload_lines(w); k++) {
		struct access_line line = workload_line(w, k);
		known |= of_line(io, &line);
	}
	assert_true(known);
}

static void no_io_ever_leaves_its_place(void **state)
{
	static struct pattern p[5];
	struct random r;
	unsigned good = 0, special = 0;

	(void)state;
	random_seed(&r, 99);
	memset(p, 0, sizeof(p));
	for (int n = 0; n < 6000; n++) {
		struct workload w = any_workload(&r);
		struct places before = {{0}, {0}};

		if (workload_validate(&w, &limits, NULL))
			continue;
		/* Half of them go on from wherever the one before has led. */
		w.sequence_on = often(&r);
		for (uint32_t i = 0; i < w.workers; i++) {
			struct places at;
			take_up(&p[i], &w, i);
			places_of(&w, &limits, i, &at);
			assert_true(at.rest.end <= w.range_start + w.range_length);
			assert_true(at.log.start >= w.range_start);
			/* Nor do workers meet who do not share. */
			assert_true(w.share_range || at.log.start >= before.rest.end);
			assert_true(at.log.end <= at.rest.start);
			before = at;
			for (int k = 0; k < 200; k++) {
				struct io io = next(&p[i]);
				check_io(&w, &at, &io);
			}
			special += p[i].special;
		}
		good++;
	}
	assert_true(good > 2000);
	assert_true(special > 2000);
}

static void what_has_no_place_is_refused_with_the_reason(void **state)
{
	struct workload w = workload_default();
	struct error e;

	(void)state;
	w.range_length = 7 * 4 * KIB;
	w.log_pct = 10;
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text,
			    "/dev/sdx: log 10 %: a worker's log, 0 B, does not hold a block of "
			    "4096 bytes; take a longer range or fewer workers");
	w.log_pct = 0;
	w.streams = 8;
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text,
			    "/dev/sdx: streams 8: each would have 0 B, too little for an IO; use "
			    "fewer");
	w.streams = 7;
	assert_int_equal(workload_validate(&w, &limits, &e), 0);
	set(&w, SETTING_LINES, "4k 50%; 1000 50%");
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text,
			    "/dev/sdx: access line 2: size 1000 is not a multiple of its 512-byte "
			    "blocks");
	set(&w, SETTING_LINES, "4k align 700");
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text,
			    "/dev/sdx: access line 1: alignment 700 is not a multiple of its "
			    "512-byte blocks");
	/* What no text can make. */
	w.access.line[0].align = 0;
	w.access.line[0].share = 99;
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text, "the shares of the access lines add up to 99 %, not to 100 %");
	w.access.line[0] = (struct access_line){.share = 100};
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_string_equal(e.text, "access line 1 is out of bounds");
	set(&w, SETTING_LINES, "4k 50%; 32k 50%");
	assert_true(workload_validate(&w, &limits, &e) < 0);
	assert_non_null(strstr(e.text, "does not hold a block of 32"));
}

/* --- The same seed, the same sequence. --- */

enum { N = 20000 };
static struct io a[N], b[N];

static void record(struct io *out, const struct workload *w, uint32_t i)
{
	static struct pattern p;

	start(&p, w, i);
	for (int n = 0; n < N; n++)
		out[n] = next(&p);
}

static struct workload mixed(void)
{
	struct workload w = workload_default();

	w.workers = 2;
	w.read_pct = 70;
	w.random_pct = 60;
	w.log_pct = 10;
	w.streams = 3;
	set(&w, SETTING_SPREAD, "zipf:0.9");
	return w;
}

static void each_segment_has_the_same_sequence(void **state)
{
	static struct pattern p;
	struct workload w = mixed();

	(void)state;
	for (int lines = 0; lines < 2; lines++) {
		record(a, &w, 1);
		start(&p, &w, 1);
		/* Whatever came in between, and however much of it. */
		for (int n = 0; n < 1234; n++)
			next(&p);
		struct workload other = workload_default();
		other.workers = 2;
		other.random_pct = 10;
		take_up(&p, &other, 1);
		for (int n = 0; n < 777; n++)
			next(&p);
		w.outstanding = 77;
		w.rate_iops = 1000;
		take_up(&p, &w, 1);
		for (int n = 0; n < N; n++) {
			b[n] = next(&p);
			assert_memory_equal(&a[n], &b[n], sizeof(a[n]));
		}
		set(&w, SETTING_LINES, "4k 50%; 8k 50% read 20 random 30");
	}
}

static void a_sequence_that_is_to_go_on_does(void **state)
{
	static struct pattern p;
	struct workload w = mixed();

	(void)state;
	w.sequence_on = true;
	for (int special = 1; special >= 0; special--) {
		record(a, &w, 0);
		start(&p, &w, 0);
		for (int n = 0; n < N; n++) {
			b[n] = next(&p);
			assert_memory_equal(&a[n], &b[n], sizeof(a[n]));
			if (n % 777 == 0)
				take_up(&p, &w, 0);
		}
		w = workload_default();
		w.random_pct = 50;
		w.sequence_on = true;
	}
}

static unsigned same_offsets(void)
{
	unsigned same = 0;

	for (int n = 0; n < N; n++)
		same += a[n].offset == b[n].offset;
	return same;
}

static void the_share_of_reads_changes_directions_only(void **state)
{
	struct workload w = mixed();

	(void)state;
	for (int plain = 0; plain < 2; plain++) {
		uint64_t changed = 0;
		w.read_pct = 100;
		record(a, &w, 0);
		w.read_pct = 70;
		record(b, &w, 0);
		assert_int_equal(same_offsets(), N);
		for (int n = 0; n < N; n++) {
			assert_true(a[n].op == b[n].op || a[n].op == IO_READ);
			changed += a[n].op != b[n].op;
		}
		check_share(changed, N, plain ? 0.3 : 0.9 * 0.3);
		w = workload_default();
	}
}

static void the_share_of_random_ios_leaves_directions_and_random_places(void **state)
{
	struct workload w = workload_default();
	uint64_t random = 0;

	(void)state;
	w.read_pct = 50;
	record(a, &w, 0);
	w.random_pct = 40;
	record(b, &w, 0);
	for (int n = 1; n < N; n++) {
		assert_int_equal(a[n].op, b[n].op);
		if (b[n].offset != b[n - 1].offset + 4096 && b[n].offset != 0) {
			assert_int_equal(a[n].offset, b[n].offset);
			random++;
		}
	}
	check_share(random, N - 1, 0.4);
}

static void the_block_size_leaves_places_at_their_fraction_of_the_range(void **state)
{
	struct workload w = workload_default();

	(void)state;
	record(a, &w, 0);
	w.block_size = 64 * KIB;
	record(b, &w, 0);
	for (int n = 0; n < N; n++)
		assert_true(llabs((long long)a[n].offset - (long long)b[n].offset) <= 64 * 1024);
}

static void what_is_special_only_in_part_leaves_the_rest_of_the_sequence(void **state)
{
	struct workload w = workload_default();

	(void)state;
	w.random_pct = 50;
	w.read_pct = 50;
	record(a, &w, 0);
	/* One line that says what the knobs say. */
	set(&w, SETTING_LINES, "4k read 50 random 50");
	record(b, &w, 0);
	assert_memory_equal(a, b, sizeof(a));
}

static void workers_and_seeds_have_sequences_of_their_own(void **state)
{
	struct workload w = workload_default();

	(void)state;
	w.share_range = true;
	w.workers = 2;
	for (int zipf = 0; zipf < 2; zipf++) {
		record(a, &w, 0);
		record(b, &w, 1);
		assert_true(same_offsets() < N / 10);
		w.seed++;
		record(b, &w, 0);
		assert_true(same_offsets() < N / 10);
		w.seed--;
		set(&w, SETTING_SPREAD, "zipf:0.6");
	}
}

static void workers_that_share_the_range_share_its_popular_places(void **state)
{
	static uint32_t seen[2][262144];
	struct workload w = workload_default();
	uint32_t top[2] = {0};

	(void)state;
	w.share_range = true;
	w.workers = 2;
	set(&w, SETTING_SPREAD, "zipf:1.4");
	for (uint32_t i = 0; i < 2; i++) {
		record(a, &w, i);
		for (int n = 0; n < N; n++)
			seen[i][a[n].offset / 4096]++;
		for (uint32_t at = 0; at < 262144; at++)
			if (seen[i][at] > seen[i][top[i]])
				top[i] = at;
	}
	assert_int_equal(top[0], top[1]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_weights_of_zipf_are_its_sums),
		TEST(pareto_gives_all_but_h_to_h_of_the_places),
		TEST(tables_give_each_group_the_share_of_its_law),
		TEST(scattering_is_a_permutation),
		TEST(popular_places_lie_all_over_the_range),
		TEST(zipf_and_pareto_follow_their_laws),
		TEST(ranks_far_out_have_their_share_too),
		TEST(tables_have_about_as_many_ranks_as_a_worker_has_places),
		TEST(a_table_is_made_once_as_long_as_law_and_places_stay),
		TEST(a_hot_spot_gets_its_share_and_lies_at_the_start),
		TEST(a_hot_spot_is_never_empty_nor_is_the_rest_needed),
		TEST(streams_take_turns_and_each_goes_through_its_own_part),
		TEST(random_ios_leave_the_streams_where_they_are),
		TEST(appends_go_through_the_log_and_the_rest_stays_outside),
		TEST(workers_that_share_the_range_have_logs_of_their_own),
		TEST(each_line_has_its_share_and_its_own_coins),
		TEST(sequential_ios_of_all_lines_share_one_position),
		TEST(a_hundred_lines_are_possible),
		TEST(no_io_ever_leaves_its_place),
		TEST(what_has_no_place_is_refused_with_the_reason),
		TEST(each_segment_has_the_same_sequence),
		TEST(a_sequence_that_is_to_go_on_does),
		TEST(the_share_of_reads_changes_directions_only),
		TEST(the_share_of_random_ios_leaves_directions_and_random_places),
		TEST(the_block_size_leaves_places_at_their_fraction_of_the_range),
		TEST(what_is_special_only_in_part_leaves_the_rest_of_the_sequence),
		TEST(workers_and_seeds_have_sequences_of_their_own),
		TEST(workers_that_share_the_range_share_its_popular_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
