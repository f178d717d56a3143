/* unit-iscsi-paths.c - which path an IO takes, which NICs make which paths, and what an older kernel does
 * not tell: the parts of it that need no target.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <linux/tcp.h>
#include "backends/iscsi/path.h"

#define PATHS 4u
#define NOW   (1000 * SEC_NS)

static struct iscsi_target target;
static struct path path[PATHS];
static unsigned turn;
static struct error e;

static int set_up(void **state)
{
	(void)state;
	memset(&target, 0, sizeof(target));
	memset(path, 0, sizeof(path));
	target.paths = PATHS;
	pthread_mutex_init(&target.lock, NULL);
	turn = 0;
	for (unsigned i = 0; i < PATHS; i++) {
		path_init(&path[i], &target, path, PATHS, i, i + 1);
		path[i].state = SESSION_UP;
		path[i].check.step = CHECK_DONE;
		path[i].answered_ns = NOW;
	}
	return 0;
}

static void send_on(struct path *p)
{
	path_inflight_add(p, 1);
}

/* Sends so many, and says how many each path got: as digits from the first on. */
static unsigned spread(enum paths_policy policy, unsigned pinned, unsigned n)
{
	uint32_t choice = choice_of(&(struct backend_paths){.policy = policy, .pinned = pinned});
	unsigned digits = 0;

	while (n--) {
		struct path *p = policy_choose(path, PATHS, choice, &turn, NOW);
		if (!p)
			break;
		send_on(p);
	}
	for (unsigned i = 0; i < PATHS; i++)
		digits = digits * 10 + path_inflight(&path[i]);
	return digits;
}

static void each_policy_takes_its_paths(void **state)
{
	(void)state;
	assert_int_equal(spread(PATHS_LEAST, 0, 8), 2222);
	set_up(NULL);
	assert_int_equal(spread(PATHS_ROUND_ROBIN, 0, 7), 2221);
	set_up(NULL);
	assert_int_equal(spread(PATHS_FAILOVER, 0, 5), 5000);
	set_up(NULL);
	assert_int_equal(spread(PATHS_PINNED, 2, 5), 50);
	set_up(NULL);
	path[0].state = SESSION_DOWN;
	path[2].leaving = PATH_DRAINS;
	assert_int_equal(spread(PATHS_FAILOVER, 0, 5), 500);
	set_up(NULL);
	path[0].state = SESSION_DOWN;
	path[2].leaving = PATH_DRAINS;
	assert_int_equal(spread(PATHS_ROUND_ROBIN, 0, 8), 404);
	assert_null(policy_choose(path, PATHS,
				  choice_of(&(struct backend_paths){.policy = PATHS_PINNED}), &turn,
				  NOW));
}

/* Each IO is back before the next one is sent: all paths are equal each time. */
static void the_turn_of_a_path_that_is_down_goes_to_all_others(void **state)
{
	uint32_t choice = choice_of(&(struct backend_paths){.policy = PATHS_LEAST});
	unsigned got[PATHS] = {0};

	(void)state;
	path[1].state = SESSION_DOWN;
	for (unsigned k = 0; k < 300; k++) {
		struct path *p = policy_choose(path, PATHS, choice, &turn, NOW);
		assert_non_null(p);
		got[p->index]++;
	}
	assert_int_equal(got[0], 100);
	assert_int_equal(got[1], 0);
	assert_int_equal(got[2], 100);
	assert_int_equal(got[3], 100);
}

static void least_prefers_whoever_has_fewest(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 6; i++)
		send_on(&path[1]);
	assert_int_equal(spread(PATHS_LEAST, 0, 6), 2622);
}

/* IOs come back on all paths but one, and are sent again. */
static void a_path_that_answers_nothing_gets_little_more_than_its_share(void **state)
{
	uint32_t choice = choice_of(&(struct backend_paths){.policy = PATHS_ROUND_ROBIN});
	(void)state;
	spread(PATHS_ROUND_ROBIN, 0, 64);
	for (unsigned k = 0; k < 1000; k++) {
		unsigned back = k % 3 + (k % 3 > 0); /* 0, 2, 3 */
		if (!path_inflight(&path[back]))
			continue;
		path_inflight_add(&path[back], -1);
		struct path *p = policy_choose(path, PATHS, choice, &turn, NOW);
		assert_non_null(p);
		send_on(p);
	}
	assert_true(path_inflight(&path[1]) <= 21);
	uint32_t sum = 0;
	for (unsigned i = 0; i < PATHS; i++)
		sum += path_inflight(&path[i]);
	assert_int_equal(sum, 64);
}

static void where_one_path_is_left_it_has_the_whole_depth(void **state)
{
	(void)state;
	for (unsigned i = 1; i < PATHS; i++)
		path[i].state = SESSION_DOWN;
	spread(PATHS_ROUND_ROBIN, 0, 64);
	assert_int_equal(path_inflight(&path[0]), 64);
}

static void a_path_is_stalled_only_when_others_answer(void **state)
{
	(void)state;
	send_on(&path[0]);
	path[0].answered_ns = NOW - 200 * MS_NS;
	assert_int_equal(spread(PATHS_FAILOVER, 0, 1), 1100);
	set_up(NULL);
	send_on(&path[0]);
	for (unsigned i = 0; i < PATHS; i++)
		path[i].answered_ns = NOW - 200 * MS_NS;
	assert_int_equal(spread(PATHS_FAILOVER, 0, 1), 2000);
	/* One that has nothing to answer is not. */
	set_up(NULL);
	path[0].answered_ns = NOW - SEC_NS;
	assert_int_equal(spread(PATHS_FAILOVER, 0, 1), 1000);
}

static void a_path_is_left_while_one_may_take_the_io(void **state)
{
	uint32_t any = choice_of(&(struct backend_paths){.policy = PATHS_LEAST});
	uint32_t third = choice_of(&(struct backend_paths){.policy = PATHS_PINNED, .pinned = 2});
	(void)state;
	assert_true(policy_left(path, PATHS, any));
	path[2].state = SESSION_DOWN;
	assert_true(policy_left(path, PATHS, any));
	assert_false(policy_left(path, PATHS, third));
	/* It is only away to log in again. */
	path[2].anew = true;
	assert_true(policy_left(path, PATHS, third));
	for (unsigned i = 0; i < PATHS; i++) {
		path[i].state = SESSION_LOGIN;
		path[i].anew = false;
	}
	assert_false(policy_left(path, PATHS, any));
}

static void nics_and_portals_make_paths(void **state)
{
	struct backend_paths how = {.nics = 0, .nic = {"a", "b", "c"}};
	(void)state;
	assert_int_equal(nic_paths(&how, 3, "x", &e), 3);
	assert_string_equal(iscsi_nic(&how, 2), "");
	how.nics = 1;
	assert_int_equal(nic_paths(&how, 3, "x", &e), 3);
	assert_string_equal(iscsi_nic(&how, 2), "a");
	how.nics = 3;
	assert_int_equal(nic_paths(&how, 3, "x", &e), 3);
	assert_string_equal(iscsi_nic(&how, 2), "c");
	assert_int_equal(nic_portal_of(3, 2), 2);
	assert_int_equal(nic_paths(&how, 1, "x", &e), 3);
	assert_int_equal(nic_portal_of(1, 2), 0);
	assert_int_equal(nic_paths(&how, 2, "iscsi://two", &e), -EINVAL);
	assert_non_null(strstr(e.text, "3 NICs for 2 portals"));
	assert_int_equal(nic_check("no-such-nic", &e), -ENODEV);
	assert_non_null(strstr(e.text, "no-such-nic"));
}

static void a_silent_path_is_given_up_sooner_where_others_answer(void **state)
{
	struct path *p = &path[1];
	(void)state;

	for (unsigned i = 0; i < PATHS; i++)
		path[i].heard_ns = NOW;
	/* Silence before it is pinged; where there is no other path, longer. */
	assert_true(path_ping_next_ns(p) == NOW + SEC_NS / 2);
	p->paths = 1;
	assert_true(path_ping_next_ns(p) == NOW + 2 * SEC_NS);
	p->ping_ns = NOW + 2 * SEC_NS;
	assert_true(path_ping_next_ns(p) == NOW + 6 * SEC_NS);
	p->paths = PATHS;
	p->ping_ns = NOW + SEC_NS / 2;
	/* None has answered since: the target may be slow. */
	assert_true(path_ping_next_ns(p) == NOW + 6 * SEC_NS);
	path[2].heard_ns = p->ping_ns + 1;
	assert_true(path_ping_next_ns(p) == NOW + SEC_NS);
	/* The ping waits for the target's window, too. */
	atomic_store(&p->window_limited, true);
	assert_true(path_ping_next_ns(p) == NOW + 3 * SEC_NS);
	/* An answer to one that was sent late is waited for, too. */
	atomic_store(&p->window_limited, false);
	p->ping_ns = NOW + 2 * SEC_NS;
	path[2].heard_ns = p->ping_ns + 1;
	assert_true(path_ping_next_ns(p) == NOW + 2 * SEC_NS + SEC_NS / 2);
	/* One that is not up can't answer. */
	path[2].state = SESSION_DOWN;
	assert_true(path_ping_next_ns(p) == NOW + 6 * SEC_NS);
}

/* linux/tcp.h has grown over the years; the kernel writes as much as it knows. */
static void what_an_older_kernel_does_not_tell_is_not_known(void **state)
{
	struct backend_session s;
	struct tcp_info i;
	(void)state;
	memset(&i, 0, sizeof(i));
	i.tcpi_rtt = 150;
	i.tcpi_snd_mss = 1448;
	i.tcpi_total_retrans = 3;
	i.tcpi_delivery_rate = UINT64_C(5000000000);
	i.tcpi_bytes_retrans = 77;
	i.tcpi_rcv_ooopack = 0;
	backend_tcp_take(&s, &i, sizeof(i));
	assert_int_equal(s.rtt_us, 150);
	assert_true(s.delivery_bytes_s == INT64_C(5000000000));
	assert_int_equal(s.bytes_again, 77);
	assert_int_equal(s.out_of_order, 0);
	/* Linux 2.6 to 4.0. */
	backend_tcp_take(&s, &i, offsetof(struct tcp_info, tcpi_pacing_rate));
	assert_int_equal(s.mss, 1448);
	assert_int_equal(s.retransmits, 3);
	assert_int_equal(s.delivery_bytes_s, -1);
	assert_int_equal(s.bytes_again, -1);
	assert_int_equal(s.out_of_order, -1);
	/* 4.9: no bytes_sent yet. A field that was only written in part is none. */
	backend_tcp_take(&s, &i, offsetof(struct tcp_info, tcpi_bytes_sent) + 4);
	assert_true(s.delivery_bytes_s == INT64_C(5000000000));
	assert_int_equal(s.bytes_out, -1);
	tcp_look(-1, &s);
	assert_int_equal(s.rtt_us, -1);
	assert_int_equal(s.peer_limited_us, -1);
	assert_true(tcp_silence_ns(-1) == UINT64_MAX);
}

static void a_path_that_tries_again_has_failed_once(void **state)
{
	(void)state;
	assert_false(path_has_failed(&path[0]));
	path[0].state = SESSION_LOGIN;
	assert_false(path_has_failed(&path[0]));
	strcpy(path[0].why, "refused");
	assert_true(path_has_failed(&path[0]));
	path[0].state = SESSION_DOWN;
	assert_true(path_has_failed(&path[0]));
}

static void a_target_that_was_full_long_ago_hides_no_ping(void **state)
{
	static char context;
	uint64_t ping;

	(void)state;
	path[0].session.c = (struct iscsi_context *)(void *)&context;
	path[0].heard_ns = NOW;
	ping = path_ping_next_ns(&path[0]);
	assert_true(ping > NOW);
	path[0].full_until_ns = NOW + 1;
	assert_true(path_next_ns(&path[0], NOW) == NOW + 1);
	assert_true(path_next_ns(&path[0], NOW + 1) == ping);
	assert_true(path_next_ns(&path[0], NOW + MS_NS) == ping);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(f) cmocka_unit_test_setup(f, set_up)
		T(each_policy_takes_its_paths),
		T(the_turn_of_a_path_that_is_down_goes_to_all_others),
		T(least_prefers_whoever_has_fewest),
		T(a_path_that_answers_nothing_gets_little_more_than_its_share),
		T(where_one_path_is_left_it_has_the_whole_depth),
		T(a_path_is_stalled_only_when_others_answer),
		T(a_silent_path_is_given_up_sooner_where_others_answer),
		T(a_path_is_left_while_one_may_take_the_io),
		T(nics_and_portals_make_paths),
		T(a_path_that_tries_again_has_failed_once),
		T(a_target_that_was_full_long_ago_hides_no_ping),
		T(what_an_older_kernel_does_not_tell_is_not_known),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
