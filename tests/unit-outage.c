/* unit-outage.c - what is told of paths that go out and come back, and which time they leave out
 * (src/outage.c): from sessions as a backend would tell them, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "outage.h"
#include "units.h"

#define MS NS_PER_MS

static struct outage o;
static struct sessions s;
static struct facts host;
static struct timeline *t;
static uint64_t now_ns; /* the newest tick's end */

/* Ticks up to `ms`, each with ten reads, or with none and an IO that has waited since `stuck_ms`. */
static void run_to(unsigned ms, int stuck_ms)
{
	while (now_ns < ms * MS) {
		struct sample k;
		sample_clear(&k);
		now_ns += TICK_NS;
		k.t_ns = now_ns;
		k.dt_ns = TICK_NS;
		k.inflight = 4;
		k.op[IO_READ].ios = stuck_ms < 0 ? 10 : 0;
		k.oldest_ns = stuck_ms < 0 ? MS : now_ns - (uint64_t)stuck_ms * MS;
		timeline_tick(t, &k, NULL);
	}
}

static void look(void)
{
	outage_look(&o, &s, &host, t, now_ns, 1);
}

/* Paths with so many sessions each, all up, and the first look at them. */
static void begin(unsigned paths, unsigned sessions)
{
	static const struct workload w = {.workers = 1, .outstanding = 4, .block_size = 4096};
	memset(&o, 0, sizeof(o));
	memset(&s, 0, sizeof(s));
	now_ns = 0;
	t = timeline_create();
	assert_true(timeline_expect_gaps(t));
	timeline_mark(t, MARK_START, 0, 1, &w, "run start");
	s.paths = paths;
	s.policy.hold_ns = PATHS_HOLD_NS;
	for (unsigned i = 0; i < paths; i++) {
		struct path_view *v = &s.path[i];
		v->number = i + 1;
		v->sessions = v->up = sessions;
		v->all.state = SESSION_UP;
		snprintf(v->all.portal, sizeof(v->all.portal), "10.0.%u.5:3260", i);
		snprintf(v->all.lost, sizeof(v->all.lost), "connection reset");
	}
	look();
}

static void end(void)
{
	timeline_destroy(t);
}

/* Path n (from 1 on) loses all its sessions, which were silent from then on. */
static void lose(unsigned n, unsigned silent_ms, unsigned noticed_ms, unsigned stranded)
{
	struct path_view *v = &s.path[n - 1];
	v->up = 0;
	v->all.drops += v->sessions;
	v->all.loss = (struct backend_loss){
		.silent_ns = silent_ms * MS,
		.noticed_ns = noticed_ms * MS,
		.moved_ns = stranded ? 0 : noticed_ms * MS,
		.stranded = stranded,
	};
}

static void move(unsigned n, unsigned moved_ms, unsigned longest_ms)
{
	s.path[n - 1].all.loss.moved_ns = moved_ms * MS;
	s.path[n - 1].all.loss.longest_ns = longest_ms * MS;
}

static void come_back(unsigned n, unsigned back_ms)
{
	s.path[n - 1].up = s.path[n - 1].sessions;
	s.path[n - 1].all.loss.back_ns = back_ms * MS;
}

/* The events so far; their times must not go back. */
static unsigned events(struct mark out[32])
{
	struct mark list[64];
	size_t n = timeline_marks(t, 0, list, 64);
	unsigned found = 0;
	for (size_t i = 0; i < n; i++) {
		assert_true(i == 0 || list[i].t_ns >= list[i - 1].t_ns);
		assert_true(list[i].t_ns <= now_ns);
		if (list[i].kind == MARK_EVENT)
			out[found++] = list[i];
	}
	return found;
}

static void told(unsigned i, unsigned at_ms, const char *text)
{
	struct mark m[32];
	assert_true(events(m) > i);
	assert_string_equal(m[i].text, text);
	assert_int_equal(m[i].t_ns, at_ms * MS);
}

static void told_in_all(unsigned n)
{
	struct mark m[32];
	assert_int_equal(events(m), n);
}

/* How much of (from, to] is left out. */
static unsigned left_out_ms(unsigned from_ms, unsigned to_ms)
{
	struct sample sum;
	timeline_sum(t, from_ms * MS, to_ms * MS, &sum);
	return (unsigned)(sum.gap_ns / MS);
}

static void a_lost_path_is_told_when_it_goes_and_when_it_is_back_with_all_three_times(void **state)
{
	(void)state;
	begin(4, 1);
	run_to(2000, -1);
	lose(2, 1150, 1900, 16);
	look();
	told_in_all(1);
	told(0, 1900, "path 2 10.0.1.5:3260 lost: connection reset");
	assert_int_equal(left_out_ms(0, 2000), 900); /* goes on */
	run_to(3000, -1);
	move(2, 2210, 1130);
	look();
	told_in_all(1);
	told(0, 1900,
	     "path 2 10.0.1.5:3260 lost, 16 IOs moved within 1.06 s, the longest took 1.13 s: "
	     "connection reset");
	assert_int_equal(left_out_ms(0, 3000), 1200); /* the ticks from 1.1 to 2.3 s */
	assert_int_equal(left_out_ms(1100, 2300), 1200);
	run_to(5000, -1);
	come_back(2, 4360);
	look();
	told_in_all(2);
	told(1, 4360,
	     "path 2 is back after 3.21 s; 16 IOs moved within 1.06 s, the longest took 1.13 s");
	/* Nothing is said twice. */
	told(0, 1900, "path 2 10.0.1.5:3260 lost: connection reset");
	/* And that is that. */
	run_to(7000, -1);
	look();
	told_in_all(2);
	assert_int_equal(timeline_gaps(t, 0, now_ns), 1);
	assert_int_equal(left_out_ms(0, 7000), 1200);
	end();
}

static void one_that_was_lost_and_back_between_two_looks_is_told_too(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(2000, -1);
	lose(1, 1210, 1220, 3);
	move(1, 1230, 25);
	come_back(1, 1300);
	look();
	told_in_all(2);
	told(0, 1220, "path 1 10.0.0.5:3260 lost: connection reset");
	told(1, 1300,
	     "path 1 is back after 90.0 ms; 3 IOs moved within 20.0 ms, the longest took 25.0 ms");
	assert_int_equal(left_out_ms(0, 2000), 100);
	end();
}

static void a_path_that_is_lost_for_good_is_told_once(void **state)
{
	(void)state;
	begin(4, 1);
	run_to(1000, -1);
	lose(3, 400, 900, 1);
	move(3, 950, 560);
	for (unsigned ms = 1000; ms <= 9000; ms += 1000) {
		run_to(ms, -1);
		look();
	}
	told_in_all(1);
	told(0, 900,
	     "path 3 10.0.2.5:3260 lost, 1 IO moved within 550 ms, the longest took 560 ms: "
	     "connection reset");
	assert_int_equal(left_out_ms(0, 9000), 600);
	end();
}

static void eight_workers_on_four_paths_leave_a_mark_a_path(void **state)
{
	(void)state;
	begin(4, 8);
	run_to(1000, -1);
	lose(4, 500, 600, 32);
	move(4, 650, 160);
	look();
	told_in_all(1);
	told(0, 600,
	     "path 4 10.0.3.5:3260 lost, 32 IOs moved within 150 ms, the longest took 160 ms: "
	     "connection reset");
	end();
}

static void it_is_said_when_only_some_sessions_of_a_path_were_lost(void **state)
{
	(void)state;
	begin(2, 8);
	run_to(1000, -1);
	lose(2, 500, 600, 4);
	s.path[1].up = 5;
	s.path[1].all.drops = 3;
	look();
	told(0, 600, "3 of 8 sessions of path 2 10.0.1.5:3260 lost: connection reset");
	move(2, 650, 160);
	come_back(2, 800);
	look();
	told_in_all(2);
	told(1, 800,
	     "3 of 8 sessions of path 2 are back after 300 ms; 4 IOs moved within 150 ms, the "
	     "longest "
	     "took 160 ms");
	end();
}

static void sessions_that_go_one_after_the_other_are_one_outage(void **state)
{
	(void)state;
	begin(2, 3);
	run_to(1000, -1);
	lose(2, 500, 600, 4);
	s.path[1].up = 2;
	s.path[1].all.drops = 1;
	move(2, 650, 160);
	look();
	/* The second goes before the first is back. When that is, only the last two are told together. */
	run_to(2000, -1);
	s.path[1].all.drops = 2;
	s.path[1].all.loss.back_ns = 1500 * MS;
	look();
	run_to(3000, -1);
	s.path[1].all.drops = 3;
	lose(2, 1400, 1450, 2);
	s.path[1].all.drops = 3;
	s.path[1].up = 3;
	move(2, 1480, 90);
	come_back(2, 2500);
	look();
	told_in_all(2);
	told(0, 600, "path 2 10.0.1.5:3260 lost: connection reset");
	struct mark m[32];
	events(m);
	assert_string_equal(m[1].text,
			    "path 2 is back after 2.00 s; 2 IOs moved within 80.0 ms, the "
			    "longest took 90.0 ms");
	assert_int_equal(left_out_ms(0, 3000), 300); /* 0.5 to 0.7, 1.4 to 1.5 s */
	end();
}

static void one_session_more_that_goes_leaves_a_gap_of_its_own(void **state)
{
	(void)state;
	begin(2, 3);
	run_to(1000, -1);
	lose(2, 500, 600, 4);
	s.path[1].up = 2;
	s.path[1].all.drops = 1;
	move(2, 650, 160);
	look();
	/* The first is still out when the second goes. */
	run_to(9000, -1);
	s.path[1].up = 1;
	s.path[1].all.drops = 2;
	s.path[1].all.loss.stranded = 6;
	s.path[1].all.loss.moved_ns = 0;
	look();
	run_to(10000, -1);
	move(2, 9020, 310);
	look();
	assert_int_equal(left_out_ms(0, 10000), 200 + 400); /* 0.5 to 0.7, 8.7 to 9.1 s */
	told_in_all(1);
	end();
}

static void with_one_path_io_stands_still_until_it_flows_again(void **state)
{
	(void)state;
	begin(1, 1);
	run_to(2000, -1);
	lose(1, 2000, 2300, 4);
	run_to(3000, 1990);
	look();
	told_in_all(1);
	told(0, 2300, "path 1 10.0.0.5:3260 lost: connection reset");
	run_to(4100, 1990);
	come_back(1, 4000);
	look();
	/* It is back, but what waits for it is not done. */
	told(1, 4000, "path 1 is back after 2.00 s");
	run_to(4400, 1990);
	run_to(6000, -1);
	move(1, 4350, 2360);
	look();
	told_in_all(2);
	/* What was sent last before it went was under way for 10 ms. */
	told(1, 4000,
	     "path 1 is back after 2.00 s; IO stood still for 2.50 s, 4 IOs waited, the longest "
	     "took 2.36 s");
	told(0, 2300, "path 1 10.0.0.5:3260 lost: connection reset");
	assert_int_equal(left_out_ms(0, 6000), 2500);
	assert_int_equal(left_out_ms(2000, 4500), 2500);
	assert_int_equal(timeline_gaps(t, 0, now_ns), 1);
	end();
}

static void io_stands_still_also_when_the_last_of_several_paths_goes(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(2000, -1);
	lose(1, 1000, 1100, 0);
	look();
	run_to(3000, -1);
	lose(2, 2500, 2600, 4);
	run_to(5000, 2490);
	look();
	assert_int_equal(left_out_ms(0, 5000), 2500);
	come_back(1, 5100);
	run_to(5200, 2490);
	run_to(6000, -1);
	move(2, 5150, 2660);
	look();
	/* Nothing was in flight on path 1 when it went: that alone is no gap. */
	told(0, 1100, "path 1 10.0.0.5:3260 lost: connection reset");
	told(1, 2600,
	     "path 2 10.0.1.5:3260 lost, 4 IOs moved within 2.65 s, the longest took 2.66 s: "
	     "connection reset");
	told(2, 5100, "path 1 is back after 4.10 s; IO stood still for 2.80 s");
	assert_int_equal(left_out_ms(0, 6000), 2800);
	end();
}

static void at_a_rate_the_gap_ends_when_what_fell_due_in_it_is_started(void **state)
{
	(void)state;
	begin(1, 1);
	run_to(1000, -1);
	lose(1, 1000, 1050, 4);
	run_to(2000, 990);
	come_back(1, 2010);
	move(1, 2050, 1060);
	/* From 2.0 s on there are IOs, and of those that wait the oldest fell due at 1.5, 2.0, 2.11 s. */
	static const unsigned due_ms[] = {1500, 2000, 2110};
	for (int i = 0; i < 3; i++) {
		struct sample k;
		sample_clear(&k);
		now_ns += TICK_NS;
		k.t_ns = now_ns;
		k.dt_ns = TICK_NS;
		k.op[IO_READ].ios = 100;
		k.due.backlog = 50;
		k.due.oldest_ns = now_ns - due_ms[i] * MS;
		timeline_tick(t, &k, NULL);
	}
	run_to(3000, -1);
	look();
	told(1, 2010,
	     "path 1 is back after 1.01 s; IO stood still for 1.10 s, 4 IOs waited, the longest "
	     "took 1.06 s");
	assert_int_equal(left_out_ms(0, 3000), 1300); /* 1.0 to 2.3 s */
	end();
}

static void ios_that_may_have_failed_are_not_said_to_have_moved(void **state)
{
	(void)state;
	begin(2, 1);
	s.policy.hold_ns = 0;
	run_to(1000, -1);
	lose(1, 500, 600, 4);
	move(1, 600, 110);
	look();
	told(0, 600,
	     "path 1 10.0.0.5:3260 lost, 4 IOs moved or failed within 100 ms, the longest took 110 "
	     "ms: connection reset");
	s.policy.hold_ns = 500 * MS;
	run_to(3000, -1);
	lose(2, 2000, 2100, 4);
	move(2, 2600, 610);
	look();
	told(1, 2100,
	     "path 2 10.0.1.5:3260 lost, 4 IOs moved or failed within 600 ms, the longest took 610 "
	     "ms: connection reset");
	end();
}

static void ios_that_are_not_held_fail_with_their_only_path(void **state)
{
	(void)state;
	begin(1, 1);
	s.policy.hold_ns = 0;
	run_to(1000, -1);
	lose(1, 500, 600, 4);
	move(1, 600, 110);
	look();
	told(0, 600,
	     "path 1 10.0.0.5:3260 lost, 4 IOs failed within 100 ms, the longest took 110 ms: "
	     "connection reset");
	end();
}

static void a_gap_begins_no_earlier_than_the_ios_that_were_lost(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(5000, -1);
	/* An idle path: its last answer is long ago, and then an IO is sent and the connection reset. */
	lose(1, 1000, 4500, 1);
	move(1, 4520, 30);
	look();
	assert_int_equal(left_out_ms(0, 5000), 200); /* from 4.47 to 4.52 s: two ticks */
	end();
}

static void what_the_operator_does_to_a_path_is_no_outage(void **state)
{
	(void)state;
	begin(2, 2);
	run_to(1000, -1);
	s.path[0].out = true;
	s.path[0].up = 0;
	look();
	run_to(2000, -1);
	s.path[0].out = false;
	s.path[0].up = 2;
	s.path[0].all.relogins = 2;
	look();
	run_to(3000, -1);
	look();
	told_in_all(0);
	assert_int_equal(left_out_ms(0, 3000), 0);
	end();
}

static void io_stands_still_when_the_only_path_left_goes(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(1000, -1);
	s.path[0].out = true;
	s.path[0].up = 0;
	look();
	run_to(2000, -1);
	lose(2, 1900, 1950, 0);
	look();
	run_to(3000, 1990);
	come_back(2, 2500);
	look();
	run_to(4000, -1);
	look();
	told(1, 2500, "path 2 is back after 600 ms; IO stood still for 1.15 s");
	assert_int_equal(left_out_ms(0, 4000),
			 1200); /* nothing was lost at 1.9 s; 3.1 s is the end */
	end();
}

static void what_was_lost_before_the_run_is_not_told(void **state)
{
	(void)state;
	begin(2, 1);
	memset(&o, 0, sizeof(o));
	lose(1, 0, 1, 3);
	run_to(1000, -1);
	look();
	run_to(2000, -1);
	look();
	told_in_all(0);
	assert_int_equal(left_out_ms(0, 2000), 0);
	/* The next time it is. */
	come_back(1, 2100);
	move(1, 2100, 5);
	run_to(3000, -1);
	look();
	lose(1, 3100, 3150, 2);
	run_to(4000, -1);
	look();
	told_in_all(1);
	end();
}

static void a_path_that_comes_and_goes_is_told_each_time(void **state)
{
	(void)state;
	begin(2, 1);
	for (unsigned i = 0; i < 5; i++) {
		unsigned at = 1000 * (i + 1);
		run_to(at, -1);
		lose(1, at - 500, at - 490, 2);
		move(1, at - 480, 30);
		come_back(1, at - 100);
		look();
	}
	told_in_all(10);
	told(9, 4900,
	     "path 1 is back after 400 ms; 2 IOs moved within 20.0 ms, the longest took 30.0 ms");
	assert_int_equal(timeline_gaps(t, 0, now_ns), 5);
	end();
}

static void an_outage_whose_end_was_not_seen_ends_before_the_next(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(1000, -1);
	lose(1, 800, 900, 2);
	look();
	run_to(2000, -1);
	lose(1, 1500, 1550, 2);
	move(1, 1560, 70);
	look();
	told_in_all(2);
	/* The ticks from 0.8 to 1.5 s, and to 1.6 s. */
	assert_int_equal(left_out_ms(0, 2000), 800);
	run_to(3000, -1);
	assert_int_equal(left_out_ms(2000, 3000), 0);
	end();
}

static void a_gap_of_sessions_that_have_ended_does_not_go_on(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(1000, -1);
	lose(1, 800, 900, 2);
	look();
	/* The engine is another one: new sessions, which have lost nothing. */
	s.path[0].up = 1;
	s.path[0].all.drops = 0;
	memset(&s.path[0].all.loss, 0, sizeof(s.path[0].all.loss));
	look();
	run_to(2000, -1);
	look();
	assert_int_equal(left_out_ms(0, 2000), 200);
	told_in_all(1);
	end();
}

static void without_facts_it_is_told_what_is_seen(void **state)
{
	(void)state;
	begin(2, 1);
	s.kernel = true;
	s.path[1].all.lost[0] = 0;
	snprintf(s.path[1].all.why, sizeof(s.path[1].all.why), "FAILED");
	run_to(1000, -1);
	s.path[1].up = 0;
	look();
	told_in_all(1);
	told(0, 1000, "path 2 10.0.1.5:3260 lost: FAILED");
	run_to(3000, -1);
	look();
	s.path[1].up = 1;
	look();
	told_in_all(2);
	told(1, 3000, "path 2 is back after 2.00 s");
	look();
	told_in_all(2);
	assert_int_equal(left_out_ms(0, 3000), 0);
	/* And again. */
	run_to(4000, -1);
	s.path[1].up = 0;
	look();
	told_in_all(3);
	end();
}

static void when_the_kernels_sessions_are_all_out_the_silence_is_left_out(void **state)
{
	(void)state;
	begin(2, 1);
	s.kernel = true;
	run_to(1000, -1);
	lose(1, 1000, 1500, 0);
	look();
	/* IO goes on over the other path until that is silent, too. */
	run_to(2000, -1);
	lose(2, 2000, 12000, 0);
	run_to(13000, 2000);
	look();
	assert_int_equal(left_out_ms(0, 2000), 0);
	assert_int_equal(left_out_ms(2000, 13000), 11000);
	run_to(14000, 2000);
	come_back(2, 14000);
	look();
	run_to(15000, -1);
	look();
	assert_int_equal(left_out_ms(0, 2000), 0);
	assert_int_equal(left_out_ms(2000, 14000), 12000);
	assert_int_equal(left_out_ms(14100, 15000), 0);
	end();
}

static void words_fit_into_a_mark_with_the_essentials_first(void **state)
{
	(void)state;
	struct mark m[32];
	begin(2, 12);
	run_to(1000, -1);
	lose(2, 500, 600, 1234567);
	s.path[1].all.drops = 11;
	s.path[1].up = 1;
	snprintf(s.path[1].all.portal, sizeof(s.path[1].all.portal),
		 "[2001:0db8:1234:5678:9abc:def0:1234:5678]:3260");
	memset(s.path[1].all.lost, 'x', sizeof(s.path[1].all.lost) - 1);
	move(2, 660, 170);
	look();
	assert_int_equal(events(m), 1);
	assert_int_equal(strlen(m[0].text), MARK_TEXT - 1);
	assert_non_null(strstr(m[0].text, "lost, 1234567 IOs moved within 160 ms, the longest took "
					  "170 ms: x"));
	end();
}

static void a_path_that_owes_answers_at_the_end_is_told_and_its_silence_left_out(void **state)
{
	(void)state;
	begin(2, 1);
	run_to(2000, -1);
	look();
	run_to(3000, 2000);
	s.path[0].all.inflight = 9;
	s.path[0].all.heard_ns = s.path[0].all.answered_ns = 2000 * MS;
	/* The other one answers still. */
	s.path[1].all.inflight = 7;
	s.path[1].all.heard_ns = 3200 * MS;
	look();
	told_in_all(0);
	assert_int_equal(left_out_ms(0, 3000), 0);
	o.ended = true;
	look();
	told_in_all(1);
	told(0, 3000,
	     "path 1 10.0.0.5:3260 silent for the last 1.00 s of the run, 9 IOs not answered");
	assert_int_equal(left_out_ms(0, 2000), 0);
	assert_int_equal(left_out_ms(2000, 3000), 1000);
	end();
}

static void figures_are_doubtful_while_a_path_owes_answers(void **state)
{
	(void)state;
	begin(2, 1);
	s.path[0].all.inflight = s.path[1].all.inflight = 4;
	s.path[0].all.ios = s.path[1].all.ios = 100;
	look();
	assert_false(o.doubtful);
	s.path[0].all.ios = 200;
	look();
	assert_true(o.doubtful);
	s.path[0].all.ios = s.path[1].all.ios = 300;
	look();
	assert_false(o.doubtful);
	/* Nothing is asked of it: it owes nothing. */
	s.path[0].all.ios = 400;
	s.path[1].all.inflight = 0;
	look();
	assert_false(o.doubtful);
	s.path[0].all.ios = 500;
	run_to(1000, -1);
	lose(2, 800, 900, 4);
	look();
	assert_true(o.doubtful);
	s.path[0].all.ios = 600;
	move(2, 950, 160);
	look();
	assert_false(o.doubtful);
	end();
}

static void the_cause_names_the_nic_that_lost_its_link(void **state)
{
	(void)state;
	begin(2, 1);
	strcpy(s.path[1].nic, "p2");
	facts_set(&host, "p2 link", "up");
	run_to(1000, -1);
	look();
	facts_set(&host, "p2 link", "down");
	run_to(1200, -1);
	look();
	/* it has no address any more that would tell the NIC */
	strcpy(s.path[1].nic, "");
	lose(2, 1050, 2100, 0);
	run_to(2100, -1);
	look();
	told(0, 2100, "path 2 10.0.1.5:3260 lost: no link on p2: connection reset");
	/* Long after, it still was. */
	run_to(9000, -1);
	look();
	told(0, 2100, "path 2 10.0.1.5:3260 lost: no link on p2: connection reset");
	/* The next one has a cause of its own. */
	facts_set(&host, "p2 link", "up");
	come_back(2, 9000);
	look();
	run_to(12000, -1);
	look();
	lose(2, 11000, 12000, 0);
	look();
	told(2, 12000, "path 2 10.0.1.5:3260 lost: connection reset");
	assert_int_equal(o.marks, 3);
	facts_free(&host);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_lost_path_is_told_when_it_goes_and_when_it_is_back_with_all_three_times),
		cmocka_unit_test(one_that_was_lost_and_back_between_two_looks_is_told_too),
		cmocka_unit_test(a_path_that_is_lost_for_good_is_told_once),
		cmocka_unit_test(eight_workers_on_four_paths_leave_a_mark_a_path),
		cmocka_unit_test(it_is_said_when_only_some_sessions_of_a_path_were_lost),
		cmocka_unit_test(sessions_that_go_one_after_the_other_are_one_outage),
		cmocka_unit_test(one_session_more_that_goes_leaves_a_gap_of_its_own),
		cmocka_unit_test(with_one_path_io_stands_still_until_it_flows_again),
		cmocka_unit_test(io_stands_still_also_when_the_last_of_several_paths_goes),
		cmocka_unit_test(at_a_rate_the_gap_ends_when_what_fell_due_in_it_is_started),
		cmocka_unit_test(ios_that_may_have_failed_are_not_said_to_have_moved),
		cmocka_unit_test(ios_that_are_not_held_fail_with_their_only_path),
		cmocka_unit_test(a_gap_begins_no_earlier_than_the_ios_that_were_lost),
		cmocka_unit_test(what_the_operator_does_to_a_path_is_no_outage),
		cmocka_unit_test(io_stands_still_when_the_only_path_left_goes),
		cmocka_unit_test(what_was_lost_before_the_run_is_not_told),
		cmocka_unit_test(a_path_that_comes_and_goes_is_told_each_time),
		cmocka_unit_test(an_outage_whose_end_was_not_seen_ends_before_the_next),
		cmocka_unit_test(a_gap_of_sessions_that_have_ended_does_not_go_on),
		cmocka_unit_test(without_facts_it_is_told_what_is_seen),
		cmocka_unit_test(when_the_kernels_sessions_are_all_out_the_silence_is_left_out),
		cmocka_unit_test(words_fit_into_a_mark_with_the_essentials_first),
		cmocka_unit_test(
			a_path_that_owes_answers_at_the_end_is_told_and_its_silence_left_out),
		cmocka_unit_test(figures_are_doubtful_while_a_path_owes_answers),
		cmocka_unit_test(the_cause_names_the_nic_that_lost_its_link),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
