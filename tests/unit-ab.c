/* unit-ab.c - `lunscope ab`: what is flipped, in which order, how segments are found again; and drift. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "ab.h"

static void flip(const char *text, const char *words, const char *a, const char *b)
{
	struct ab_flip f;
	struct error e;
	char again[512];

	if (ab_flip_parse(&f, text, &e))
		fail_msg("%s", e.text);
	assert_string_equal(f.words, words);
	assert_string_equal(f.value[AB_A], a);
	assert_string_equal(f.value[AB_B], b);
	/* As it stands in the command line that repeats a run. */
	struct ab_flip copy = f;
	assert_int_equal(ab_flip_parse(&f, ab_flip_format(again, sizeof(again), &copy), &e), 0);
	assert_string_equal(f.words, words);
	assert_string_equal(f.value[AB_B], b);
}

static void a_flip_is_a_setting_and_two_values_of_as_many_words(void **state)
{
	(void)state;
	flip("lo mtu 1500 9000", "lo mtu", "1500", "9000");
	flip("  lo   mtu\t1500 9000 ", "lo mtu", "1500", "9000");
	/* As one says it. */
	flip("mtu lo 1500 9000", "lo mtu", "1500", "9000");
	flip("pause lo rx off on", "lo pause rx", "off", "on");
	flip("lo pause rx off on", "lo pause rx", "off", "on");
	flip("net.ipv4.tcp_sack 0 1", "net.ipv4.tcp_sack", "0", "1");
	flip("net.ipv4.tcp_rmem 4096 131072 6291456 4096 65536 1048576", "net.ipv4.tcp_rmem",
	     "4096 131072 6291456", "4096 65536 1048576");
}

static void what_is_no_flip_is_said_in_one_line(void **state)
{
	static const struct {
		const char *text, *words;
	} row[] = {
		{"", "write a setting and both its values"},
		{"lo mtu", "write a setting and both its values"},
		{"lo mtu 1500", "write a setting and both its values"},
		{"lo mtu 1500 9000 1500", "write a setting and both its values"},
		{"lo colour red green", "lo colour is no setting"},
		/* Where they stand. */
		{"lo colour red green", "lunscope env NIC"},
		{"kernel.panic 0 1", "kernel.panic is no setting"},
		{"lo mtu 1500 large", "large"},
		{"lo mtu 1500 1500", "both values are the same"},
		{"net.ipv4.tcp_rmem 4096 131072 4096 65536", "tcp_rmem"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct ab_flip f;
		struct error e;
		assert_int_equal(ab_flip_parse(&f, row[i].text, &e), -22);
		if (!strstr(e.text, row[i].words))
			fail_msg("'%s': %s", row[i].text, e.text);
		assert_null(strchr(e.text, '\n'));
	}
}

static void segments_of_the_same_number_are_a_pair(void **state)
{
	/* A B B A B A A B */
	static const unsigned number[] = {1, 1, 2, 2, 3, 3, 4, 4};
	(void)state;

	for (unsigned i = 0; i < sizeof(number) / sizeof(*number); i++)
		assert_int_equal(ab_number(i), number[i]);
}

/* Times of A and of B add up to the same in every four: what drifts evenly cancels out. */
static void the_order_lets_drift_cancel_out(void **state)
{
	char order[AB_STAGES_MAX + 1];
	(void)state;

	assert_string_equal(ab_order(order, sizeof(order), 2), "ABBA");
	assert_string_equal(ab_order(order, sizeof(order), 4), "ABBABAAB");
	assert_int_equal(strlen(ab_order(order, sizeof(order), COMPARE_PAIRS)), AB_STAGES_MAX);
	for (unsigned i = 0; i < AB_STAGES_MAX; i += 4) {
		unsigned sum[2] = {0, 0};
		for (unsigned k = i; k < i + 4; k++)
			sum[ab_side(k)] += k;
		assert_int_equal(sum[AB_A], sum[AB_B]);
	}
}

static void sides_are_named_by_what_they_are_set_to(void **state)
{
	struct ab_config c = {.flips = 2};
	struct error e;
	(void)state;

	assert_int_equal(ab_flip_parse(&c.flip[0], "eth2 mtu 1500 9000", &e), 0);
	assert_int_equal(ab_flip_parse(&c.flip[1], "eth3 mtu 1500 9000", &e), 0);
	ab_name_sides(&c);
	assert_string_equal(c.name[AB_A], "eth2 mtu 1500, eth3 mtu 1500");
	assert_string_equal(c.name[AB_B], "eth2 mtu 9000, eth3 mtu 9000");
	snprintf(c.name[AB_B], sizeof(c.name[AB_B]), "jumbo");
	ab_name_sides(&c);
	assert_string_equal(c.name[AB_B], "jumbo");
}

static void marks_of_segments_in_turn_are_known_again(void **state)
{
	static const char *const others[] = {
		"",
		"mark",
		"A 1 of 4",
		"A 3 of 4, cut short: x",
		"A 3 of 4, left out: x",
		"C 1 of 4: x",
		"A 0 of 4: x",
		"A 5 of 4: x",
		"A 1 of 99: x",
		"eth2 mtu 1500 > 9000",
		"on the way to B: x",
	};
	const char *name;
	unsigned number;
	int side;
	(void)state;

	assert_true(ab_stage_scan("B 2 of 4: eth2 mtu 9000", &side, &number, &name));
	assert_int_equal(side, AB_B);
	assert_int_equal(number, 2);
	assert_string_equal(name, "eth2 mtu 9000");
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (ab_stage_scan(others[i], &side, &number, &name))
			fail_msg("'%s'", others[i]);
}

/* --- Drift. --- */

static void a_drift_that_is_there_is_told_apart_from_the_difference(void **state)
{
	double a[4], at_a[4], b[4], at_b[4];
	unsigned n[2] = {0, 0};
	struct drift d;
	(void)state;

	/* ABBABAAB, a segment each minute; 2 % less each minute, and B is half. */
	for (unsigned i = 0; i < 8; i++) {
		double off = 1 + (i % 3 ? 0.001 : -0.002), level = pow(0.98, i) * 1000 * off;
		int side = ab_side(i);
		(side == AB_A ? a : b)[n[side]] = side == AB_A ? level : level / 2;
		(side == AB_A ? at_a : at_b)[n[side]++] = 60 * i;
	}
	drift_of(&d, a, at_a, b, at_b, 4);
	assert_true(d.known && d.shown && d.p < 0.001);
	assert_true(d.low < -0.02 && -0.02 < d.high && fabs(d.per_minute + 0.02) < 0.001);
	/* Without any scatter there is no doubt, and without any slope nothing. */
	for (unsigned i = 0; i < 4; i++)
		a[i] = b[i] = 5;
	drift_of(&d, a, at_a, b, at_b, 4);
	assert_true(d.known && !d.shown && d.per_minute == 0 && d.p == 1);
	/* Nothing is known of one pair. */
	drift_of(&d, a, at_a, b, at_b, 1);
	assert_true(!d.known && !d.shown && isnan(d.per_minute));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_flip_is_a_setting_and_two_values_of_as_many_words),
		cmocka_unit_test(what_is_no_flip_is_said_in_one_line),
		cmocka_unit_test(segments_of_the_same_number_are_a_pair),
		cmocka_unit_test(the_order_lets_drift_cancel_out),
		cmocka_unit_test(sides_are_named_by_what_they_are_set_to),
		cmocka_unit_test(marks_of_segments_in_turn_are_known_again),
		cmocka_unit_test(a_drift_that_is_there_is_told_apart_from_the_difference),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
