/* unit-imbalance.c - which path is named for doing less than the others, and for what reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "imbalance.h"
#include "units.h"

static struct imbalance m;
static struct sessions s;

/* Four paths, alike in all: 1 Gb/s, MSS 1448, 1000 IOs of 1 ms. */
static int begin(void **state)
{
	(void)state;
	memset(&m, 0, sizeof(m));
	memset(&s, 0, sizeof(s));
	s.policy.policy = PATHS_LEAST;
	s.paths = 4;
	for (unsigned i = 0; i < 4; i++) {
		struct path_view *v = &s.path[i];
		*v = (struct path_view){
			.number = i + 1,
			.sessions = 2,
			.up = 2,
			.link_bits_s = 1000000000,
			.frames_s = 10000,
		};
		snprintf(v->nic, sizeof(v->nic), "eth%u", i);
		v->all.mss = 1448;
		v->all.rtt_us = 200;
	}
	return 0;
}

/* What each did in a second, and how long an IO took it, ms. */
static void did(const unsigned ios[4], const double ms[4])
{
	for (unsigned i = 0; i < 4; i++) {
		struct path_view *v = &s.path[i];
		v->ios = ios[i];
		v->wait_ns = (uint64_t)(ios[i] * ms[i] * 1e6);
		v->latency_ns = ios[i] ? ms[i] * 1e6 : -1;
	}
}

static void looks(unsigned times)
{
	while (times--)
		imbalance_look(&m, &s);
}

static const unsigned even[4] = {1000, 1000, 1000, 1000};
static const unsigned second_lame[4] = {1200, 400, 1200, 1200};
static const double alike[4] = {1, 1, 1, 1};

static void check(const char *text)
{
	if (strcmp(s.imbalance, text) != 0)
		fail_msg("'%s', and not '%s'", s.imbalance, text);
}

static void check_cause(const char *cause)
{
	char text[160];

	did(second_lame, alike);
	looks(IMBALANCE_BEGINS);
	snprintf(text, sizeof(text), "path 2 does 10 %% of the IOs and not 25 %%: %s", cause);
	check(text);
}

/* --- Whether. --- */

static void paths_that_do_the_same_are_not_named(void **state)
{
	(void)state;
	did(even, alike);
	looks(20);
	check("");
	/* Nor for a little less. */
	did((unsigned[4]){1000, 800, 1100, 1100}, alike);
	looks(20);
	check("");
}

static void one_that_does_less_is_named_after_some_seconds(void **state)
{
	(void)state;
	did(second_lame, alike);
	looks(IMBALANCE_BEGINS - 1);
	check("");
	looks(1);
	check("path 2 does 10 % of the IOs and not 25 %: nothing is seen that explains it");
	assert_int_equal(m.looks, 1);
}

static void a_second_now_and_then_is_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 20; i++) {
		did(second_lame, alike);
		looks(IMBALANCE_BEGINS - 1);
		check("");
		did(even, alike);
		looks(1);
		check("");
	}
}

static void what_is_named_stays_so_until_it_is_over(void **state)
{
	(void)state;
	did(second_lame, alike);
	looks(IMBALANCE_BEGINS);
	did(even, alike);
	looks(IMBALANCE_ENDS - 1);
	assert_string_not_equal(s.imbalance, "");
	/* Between what it takes to be named and not to be any more it stays as it was. */
	did((unsigned[4]){1050, 780, 1050, 1050}, alike);
	looks(10);
	assert_string_not_equal(s.imbalance, "");
	did(even, alike);
	looks(IMBALANCE_ENDS);
	check("");
	did((unsigned[4]){1050, 780, 1050, 1050}, alike);
	looks(10);
	check("");
	/* What it was is known at the end of a run. */
	assert_non_null(strstr(m.text, "path 2 does"));
}

static void where_one_path_is_meant_to_do_all_none_is_named(void **state)
{
	static const enum paths_policy one[] = {PATHS_FAILOVER, PATHS_PINNED};
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		s.policy.policy = one[i];
		did((unsigned[4]){4000, 0, 0, 0}, alike);
		looks(20);
		check("");
	}
	/* Nor where it is not known who chooses. */
	s.policy.policy = PATHS_LEAST;
	s.kernel = true;
	looks(20);
	check("");
}

static void a_path_that_is_down_or_out_is_not_expected_to_do_anything(void **state)
{
	(void)state;
	did((unsigned[4]){1000, 0, 0, 1000}, alike);
	s.path[1].up = 0;
	s.path[2].out = true;
	looks(20);
	check("");
	/* The shares are those of the rest. */
	did((unsigned[4]){1000, 0, 0, 300}, alike);
	looks(IMBALANCE_BEGINS);
	check("path 4 does 23 % of the IOs and not 50 %: nothing is seen that explains it");
}

static void a_few_ios_say_nothing(void **state)
{
	(void)state;
	did((unsigned[4]){20, 2, 20, 20}, alike);
	looks(20);
	check("");
}

static void one_path_alone_is_never_uneven(void **state)
{
	(void)state;
	s.paths = 1;
	did((unsigned[4]){1000, 0, 0, 0}, alike);
	looks(20);
	check("");
}

static void under_round_robin_a_slow_path_is_named_though_it_does_its_share(void **state)
{
	(void)state;
	s.policy.policy = PATHS_ROUND_ROBIN;
	s.path[2].all.rtt_us = 5000;
	did(even, (double[4]){1, 1, 6, 1});
	looks(IMBALANCE_BEGINS);
	check("path 3 takes 6.00 ms an IO, others 1.00 ms, and its turn holds them up: rtt 5.00 "
	      "ms, "
	      "others 200 us");
	/* Least busy gives it less by itself, and that it is slow is the reason. */
	begin(NULL);
	did((unsigned[4]){1200, 1200, 400, 1200}, (double[4]){1, 1, 3, 1});
	looks(IMBALANCE_BEGINS);
	check("path 3 does 10 % of the IOs and not 25 %: 3.00 ms an IO, others 1.00 ms");
}

static void the_worst_of_several_is_named(void **state)
{
	(void)state;
	did((unsigned[4]){1800, 200, 1800, 400}, alike);
	looks(IMBALANCE_BEGINS);
	assert_non_null(strstr(s.imbalance, "path 2 does 5 %"));
}

/* --- Why. --- */

static void a_slower_nic_is_a_cause(void **state)
{
	(void)state;
	s.path[1].link_bits_s = 100000000;
	check_cause("eth1 has 100 Mb/s, others 1000");
}

static void what_a_virtual_nic_calls_its_speed_is_none(void **state)
{
	(void)state;
	s.path[1].link_bits_s = 10000000;
	s.path[1].nominal = true;
	check_cause("nothing is seen that explains it");
}

static void an_unknown_speed_is_none(void **state)
{
	(void)state;
	s.path[1].link_bits_s = -1;
	check_cause("nothing is seen that explains it");
}

static void smaller_segments_are_a_cause(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		s.path[i].all.mss = i == 1 ? 1448 : 8948;
	check_cause("MSS 1448, others 8948");
}

static void segments_sent_again_are_a_cause(void **state)
{
	(void)state;
	s.path[1].again_s = 150;
	check_cause("1.5 % of the segments again or out of order");
}

static void losses_that_all_have_are_none(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 4; i++)
		s.path[i].again_s = 150;
	check_cause("nothing is seen that explains it");
}

static void a_peer_that_takes_no_more_is_a_cause(void **state)
{
	(void)state;
	s.path[1].peer_limited = 0.62;
	check_cause("62 % of the time limited by the peer's window");
}

static void a_longer_way_is_a_cause(void **state)
{
	(void)state;
	s.path[1].all.rtt_us = 12500;
	check_cause("rtt 12.5 ms, others 200 us");
}

static void a_full_target_is_a_cause(void **state)
{
	(void)state;
	s.path[1].all.limit = 4;
	check_cause("held to 4 in flight since the target was full");
}

static void sessions_that_are_missing_are_a_cause(void **state)
{
	(void)state;
	s.path[1].up = 1;
	check_cause("1 of its 2 sessions are up");
}

static void having_been_lost_more_often_is_a_cause(void **state)
{
	(void)state;
	s.path[0].all.drops = 1;
	s.path[1].all.drops = 7;
	check_cause("lost 7 times");
}

static void two_causes_are_told_the_most_certain_first(void **state)
{
	(void)state;
	s.path[1].link_bits_s = 100000000;
	s.path[1].all.drops = 7;
	s.path[1].all.limit = 4;
	check_cause(
		"held to 4 in flight since the target was full, eth1 has 100 Mb/s, others 1000");
}

#define T(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(paths_that_do_the_same_are_not_named),
		T(one_that_does_less_is_named_after_some_seconds),
		T(a_second_now_and_then_is_nothing),
		T(what_is_named_stays_so_until_it_is_over),
		T(where_one_path_is_meant_to_do_all_none_is_named),
		T(a_path_that_is_down_or_out_is_not_expected_to_do_anything),
		T(a_few_ios_say_nothing),
		T(one_path_alone_is_never_uneven),
		T(under_round_robin_a_slow_path_is_named_though_it_does_its_share),
		T(the_worst_of_several_is_named),
		T(a_slower_nic_is_a_cause),
		T(what_a_virtual_nic_calls_its_speed_is_none),
		T(an_unknown_speed_is_none),
		T(smaller_segments_are_a_cause),
		T(segments_sent_again_are_a_cause),
		T(losses_that_all_have_are_none),
		T(a_peer_that_takes_no_more_is_a_cause),
		T(a_longer_way_is_a_cause),
		T(a_full_target_is_a_cause),
		T(sessions_that_are_missing_are_a_cause),
		T(having_been_lost_more_often_is_a_cause),
		T(two_causes_are_told_the_most_certain_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
