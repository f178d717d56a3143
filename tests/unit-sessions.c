/* unit-sessions.c - sums and rates of paths, whatever sessions come and go between two looks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "path_rows.h"
#include "sessions.h"
#include "units.h"

#define START (1000 * NS_PER_SEC)

static struct session_book *book;
static struct sessions s;
static struct backend_session told[600];
static unsigned n;
static struct backend_past past[PATHS_MAX];
static uint64_t now;

static int begin(void **state)
{
	(void)state;
	memset(&s, 0, sizeof(s));
	memset(told, 0, sizeof(told));
	memset(past, 0, sizeof(past));
	n = 0;
	now = START;
	book = session_book_new();
	return book ? 0 : -1;
}

static int end(void **state)
{
	(void)state;
	session_book_free(book);
	return 0;
}

/* A session that is up and has done nothing but to log in. */
static struct backend_session *add(uint32_t number, uint32_t path)
{
	struct backend_session *b = &told[n++];

	*b = (struct backend_session){
		.number = number,
		.path = path,
		.state = SESSION_UP,
		.rtt_us = 100,
		.mss = 1448,
		.receive_mss = 1448,
		.pmtu = 1500,
		.segments_in = 4,
		.segments_out = 4,
		.data_segments_in = 2,
		.data_segments_out = 2,
		.bytes_in = 200,
		.bytes_out = 200,
	};
	snprintf(b->portal, sizeof(b->portal), "198.51.100.%u:3260", path + 1);
	snprintf(b->local, sizeof(b->local), "198.51.100.%u:%u", 100 + path, 40000 + number);
	return b;
}

/* It reads so many more IOs of 4 KiB, 100 us each, in four segments, of which each two are answered. */
static void work(struct backend_session *b, unsigned ios)
{
	b->ios += ios;
	b->bytes += ios * 4096ull;
	b->wait_ns += ios * 100 * NS_PER_US;
	b->segments_in += 4 * ios;
	b->data_segments_in += 4 * ios;
	b->segments_out += 2 * ios;
	b->bytes_in += 4144 * ios;
	b->bytes_out += 48 * ios;
	b->busy_us += 10 * ios;
	b->peer_limited_us += 5 * ios;
}

static void look(uint64_t after_ns)
{
	now += after_ns;
	sessions_digest(&s, book, now, told, n, past);
}

/* It is gone; what it did is its path's past. */
static void remove_told(unsigned at)
{
	past[told[at].path].ios += told[at].ios;
	past[told[at].path].bytes += told[at].bytes;
	past[told[at].path].wait_ns += told[at].wait_ns;
	n--;
	memmove(&told[at], &told[at + 1], (n - at) * sizeof(*told));
}

static void check_near(double value, double expected)
{
	double off = value - expected;

	if (off < -1e-9 * expected || off > 1e-9 * expected)
		fail_msg("%.12g, and not %.12g", value, expected);
}

static void check_iops(unsigned path, double expected)
{
	check_near(s.path[path].iops, expected);
}

/* --- Rates. --- */

static void at_the_first_look_no_rate_is_known(void **state)
{
	(void)state;
	work(add(1, 0), 5000);
	look(0);
	const struct path_view *v = &s.path[0];
	assert_int_equal(s.paths, 1);
	assert_true(v->iops < 0 && v->bytes_s < 0 && v->latency_ns < 0 && v->share < 0);
	assert_true(v->received_s < 0 && v->frames_s < 0 && v->frame_bytes < 0);
	assert_true(v->peer_limited < 0);
	assert_string_equal(s.wire.text, "");
	assert_int_equal(v->all.ios, 5000);
}

static void rates_are_the_difference_over_the_real_time(void **state)
{
	(void)state;
	work(add(1, 0), 5000);
	look(0);
	work(&told[0], 3000);
	look(1500 * NS_PER_MS);
	const struct path_view *v = &s.path[0];
	check_iops(0, 2000);
	check_near(v->bytes_s, 2000 * 4096.0);
	check_near(v->latency_ns, 100e3);
	check_near(v->received_s, 2000 * 4144.0);
	check_near(v->sent_s, 2000 * 48.0);
	check_near(v->frames_s, 2000 * 6.0);
	check_near(v->frame_bytes, 1036);
	check_near(v->peer_limited, 0.5);
	check_near(v->share, 1);
	assert_int_equal(v->ios, 3000);
}

static void a_path_is_the_sum_of_its_sessions_and_has_its_share(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 4; i++)
		add(i + 1, i % 2);
	look(0);
	work(&told[0], 100);
	work(&told[1], 400);
	work(&told[2], 200);
	work(&told[3], 500);
	told[2].inflight = 3;
	told[0].inflight = 2;
	told[2].retransmits = 7;
	told[0].limit = 20;
	told[2].limit = 10;
	look(NS_PER_SEC);
	assert_int_equal(s.paths, 2);
	assert_int_equal(s.count, 4);
	assert_int_equal(s.up, 4);
	check_iops(0, 300);
	check_iops(1, 900);
	check_near(s.path[0].share, 0.25);
	check_near(s.path[1].share, 0.75);
	assert_int_equal(s.path[0].sessions, 2);
	assert_int_equal(s.path[0].all.inflight, 5);
	assert_int_equal(s.path[0].all.retransmits, 7);
	assert_int_equal(s.path[0].all.limit, 10);
	assert_int_equal(s.path[1].all.limit, 0);
	check_near(s.path[0].again_s, 7);
	assert_int_equal(s.path[1].number, 2);
}

static void the_first_session_that_is_up_stands_for_its_path(void **state)
{
	(void)state;
	add(1, 0);
	add(2, 0);
	add(3, 0);
	told[0].state = SESSION_DOWN;
	told[0].rtt_us = told[0].mss = -1;
	told[1].rtt_us = 222;
	told[2].rtt_us = 333;
	look(0);
	assert_int_equal(s.path[0].up, 2);
	assert_int_equal(s.path[0].all.rtt_us, 222);
	assert_int_equal(s.path[0].all.state, SESSION_UP);
	told[1].state = told[2].state = SESSION_DOWN;
	look(NS_PER_SEC);
	assert_int_equal(s.path[0].up, 0);
	assert_int_equal(s.path[0].all.state, SESSION_DOWN);
}

static void a_look_soon_after_another_keeps_the_rates_and_forgets_nothing(void **state)
{
	(void)state;
	add(1, 0);
	look(0);
	work(&told[0], 1000);
	look(NS_PER_SEC);
	work(&told[0], 50);
	look(10 * NS_PER_MS);
	check_iops(0, 1000);
	work(&told[0], 940);
	look(980 * NS_PER_MS);
	check_iops(0, 1000);
}

static void silence_is_no_latency_and_no_share(void **state)
{
	(void)state;
	add(1, 0);
	look(0);
	look(NS_PER_SEC);
	check_iops(0, 0);
	assert_true(s.path[0].latency_ns < 0);
	assert_true(s.path[0].share < 0);
	assert_true(s.path[0].frame_bytes < 0);
	check_near(s.path[0].peer_limited, 0);
}

/* --- Sessions that come and go. --- */

static void a_worker_that_is_added_or_removed_leaves_the_rates_right(void **state)
{
	(void)state;
	add(1, 0);
	work(add(2, 0), 100000);
	look(0);
	/* The second did 300 more before it went, the third is new. */
	work(&told[1], 300);
	remove_told(1);
	work(&told[0], 500);
	work(add(3, 0), 200);
	look(NS_PER_SEC);
	check_iops(0, 1000);
	assert_int_equal(s.path[0].sessions, 2);
	/* Nothing of it is left for the next look. */
	work(&told[0], 10);
	look(NS_PER_SEC);
	check_iops(0, 10);
	/* All go. */
	work(&told[0], 40);
	work(&told[1], 2);
	remove_told(1);
	remove_told(0);
	look(NS_PER_SEC);
	assert_int_equal(s.paths, 0);
	assert_int_equal(s.count, 0);
	sessions_whole(&s, book);
}

/* Others than ours leave no past. */
static void without_a_past_those_who_go_take_nothing_with_them(void **state)
{
	(void)state;
	add(1, 0);
	work(add(2, 0), 100000);
	s.kernel = true;
	sessions_digest(&s, book, now, told, n, NULL);
	work(&told[0], 500);
	n = 1;
	sessions_digest(&s, book, now += NS_PER_SEC, told, n, NULL);
	check_iops(0, 500);
	/* One that is seen for the first time may be older: it counts from here. */
	work(&told[0], 500);
	work(add(2, 0), 100700);
	sessions_digest(&s, book, now += NS_PER_SEC, told, n, NULL);
	check_iops(0, 500);
	work(&told[1], 70);
	sessions_digest(&s, book, now += NS_PER_SEC, told, n, NULL);
	check_iops(0, 70);
	/* And one whose counters began anew did what they say. */
	told[1].ios = 30;
	told[1].bytes = 30 * 4096;
	told[1].wait_ns = 3 * NS_PER_MS;
	sessions_digest(&s, book, now += NS_PER_SEC, told, n, NULL);
	check_iops(0, 30);
	check_near(s.path[0].latency_ns, 100e3);
}

static void their_order_does_not_matter(void **state)
{
	(void)state;
	for (uint32_t i = 0; i < 9; i++)
		work(add(i + 1, 0), 1000 * (i + 1));
	look(0);
	for (unsigned i = 0; i < 9; i++)
		work(&told[i], 10);
	for (unsigned i = 0; i < 4; i++) {
		struct backend_session b = told[i];
		told[i] = told[8 - i];
		told[8 - i] = b;
	}
	look(NS_PER_SEC);
	check_iops(0, 90);
	check_near(s.path[0].frames_s, 90 * 6);
}

static void tcp_of_a_new_connection_begins_at_nothing(void **state)
{
	(void)state;
	work(add(1, 0), 100000);
	look(0);
	/* Lost and back: its sums are those of the new one, its IOs go on. */
	told[0].drops = 1;
	strcpy(told[0].local, "198.51.100.100:50001");
	told[0].segments_in = told[0].segments_out = 4;
	told[0].data_segments_in = told[0].data_segments_out = 2;
	told[0].bytes_in = told[0].bytes_out = 200;
	told[0].busy_us = told[0].peer_limited_us = 0;
	work(&told[0], 500);
	look(NS_PER_SEC);
	check_iops(0, 500);
	check_near(s.path[0].frames_s, 500 * 6 + 8);
	check_near(s.path[0].received_s, 500 * 4144.0 + 200);
	/* It has done more meanwhile than the old one had: the address tells that it is another. */
	strcpy(told[0].local, "198.51.100.100:50002");
	told[0].relogins = 1;
	told[0].segments_in = told[0].segments_out = 4;
	told[0].data_segments_in = told[0].data_segments_out = 2;
	told[0].bytes_in = told[0].bytes_out = 200;
	work(&told[0], 3000);
	look(NS_PER_SEC);
	check_near(s.path[0].frames_s, 3000 * 6 + 8);
}

/* The one that ended took what it had carried since the last look with it. */
static void what_a_lost_connection_carried_is_as_the_rest_was(void **state)
{
	(void)state;
	work(add(1, 0), 100000);
	look(0);
	work(&told[0], 900);
	told[0].relogins = 1;
	strcpy(told[0].local, "198.51.100.100:50001");
	told[0].segments_in = told[0].segments_out = 4;
	told[0].data_segments_in = told[0].data_segments_out = 2;
	told[0].bytes_in = told[0].bytes_out = 200;
	work(&told[0], 100);
	look(NS_PER_SEC);
	check_iops(0, 1000);
	assert_true(s.path[0].frames_s > 5900 && s.path[0].frames_s < 6100);
	assert_true(s.path[0].received_s > 1000 * 4090 && s.path[0].received_s < 1000 * 4200);
	/* Of the whole time, too, in which there was no other connection for a while. */
	work(&told[0], 1000);
	told[0].state = SESSION_DOWN;
	told[0].drops = 1;
	told[0].segments_in = told[0].segments_out = told[0].bytes_in = told[0].bytes_out = -1;
	look(NS_PER_SEC);
	assert_true(s.path[0].frames_s < 0);
	assert_int_equal(s.wire.frames_s, -1);
	sessions_whole(&s, book);
	assert_true(s.path[0].frames_s > 5900 && s.path[0].frames_s < 6100);
}

static void a_connection_that_was_not_told_for_a_look_makes_no_jump(void **state)
{
	(void)state;
	work(add(1, 0), 100000);
	look(0);
	struct backend_session known = told[0];
	told[0].segments_in = told[0].segments_out = told[0].bytes_in = -1;
	look(NS_PER_SEC);
	assert_true(s.path[0].frames_s < 0);
	told[0] = known;
	work(&told[0], 100);
	look(NS_PER_SEC);
	check_iops(0, 100);
	check_near(s.path[0].frames_s, 0);
	work(&told[0], 100);
	look(NS_PER_SEC);
	check_near(s.path[0].frames_s, 600);
}

static void what_is_not_known_of_tcp_is_not_zero(void **state)
{
	(void)state;
	add(1, 0);
	told[0].segments_in = told[0].segments_out = told[0].retransmits = told[0].bytes_in = -1;
	look(0);
	told[0].ios += 100;
	look(NS_PER_SEC);
	check_iops(0, 100);
	assert_true(s.path[0].frames_s < 0 && s.path[0].received_s < 0);
	assert_true(s.path[0].again_s < 0 && s.path[0].peer_limited < 0);
	assert_int_equal(s.path[0].all.retransmits, -1);
	assert_int_equal(s.path[0].all.segments_in, -1);
	/* One that is known is told of alone. */
	add(2, 0);
	look(NS_PER_SEC);
	assert_int_equal(s.path[0].all.segments_in, 4);
}

/* --- Sums. --- */

static void sums_of_the_paths_are_those_of_the_whole_time(void **state)
{
	uint64_t ios = 0;
	(void)state;
	work(add(1, 0), 777);
	look(0);
	for (unsigned i = 0; i < 50; i++) {
		unsigned more = 100 + i % 7;
		work(add(10 + i, i % 3), more);
		work(&told[0], 11);
		ios += more + 11;
		look((600 + 50 * (i % 5)) * NS_PER_MS);
		if (i % 2) {
			work(&told[n - 1], 5);
			ios += 5;
			remove_told(n - 1);
		}
	}
	look(NS_PER_MS);
	uint64_t elapsed = now - START;
	sessions_whole(&s, book);
	uint64_t sum = 0, bytes = 0;
	double share = 0, iops = 0;
	for (unsigned i = 0; i < s.paths; i++) {
		sum += s.path[i].ios;
		bytes += s.path[i].bytes;
		share += s.path[i].share;
		iops += s.path[i].iops;
	}
	assert_int_equal(s.paths, 3);
	assert_int_equal(sum, ios);
	assert_int_equal(bytes, ios * 4096);
	check_near(share, 1);
	check_near(iops, (double)ios / ((double)elapsed / 1e9));
}

static void a_reset_begins_the_sums_anew(void **state)
{
	(void)state;
	add(1, 0);
	look(0);
	work(&told[0], 1000);
	look(NS_PER_SEC);
	sessions_reset(book, now);
	work(&told[0], 30);
	look(2 * NS_PER_SEC);
	check_iops(0, 15);
	sessions_whole(&s, book);
	assert_int_equal(s.path[0].ios, 30);
	check_iops(0, 15);
}

/* --- Losses. --- */

static void lose(struct backend_session *b, uint64_t silent, uint64_t back, uint32_t stranded)
{
	b->loss.silent_ns = silent;
	b->loss.noticed_ns = silent + 10;
	b->loss.back_ns = back;
	b->loss.moved_ns = back;
	b->loss.stranded = stranded;
	b->loss.longest_ns = stranded * 100;
}

static void an_outage_covers_the_sessions_that_had_it_together(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= 4; i++)
		add(i, 0);
	lose(&told[0], 5000, 5500, 4);
	lose(&told[1], 4990, 5600, 2);
	/* Long before, and another path's. */
	lose(&told[2], 1000, 2000, 50);
	lose(add(5, 1), 5000, 9000, 60);
	look(0);
	const struct backend_session *all = &s.path[0].all;
	assert_int_equal(all->loss.silent_ns, 4990);
	assert_int_equal(all->loss.noticed_ns, 5000);
	assert_int_equal(all->loss.back_ns, 5600);
	assert_int_equal(all->loss.moved_ns, 5600);
	assert_int_equal(all->loss.stranded, 6);
	assert_int_equal(all->loss.longest_ns, 400);
	/* One is not back yet. */
	lose(&told[0], 5000, 0, 4);
	look(NS_PER_SEC);
	assert_int_equal(all->loss.back_ns, 0);
	assert_int_equal(all->loss.silent_ns, 4990);
}

/* --- Many. --- */

static unsigned many;

static unsigned tell_many(void *target, struct backend_session *list, unsigned max)
{
	unsigned count = many < max ? many : max;
	(void)target;

	for (unsigned i = 0; i < count; i++)
		list[i] = told[i];
	return count;
}

static void all_are_asked_for_however_many_there_are(void **state)
{
	static const struct backend b = {.name = "told", .sessions = tell_many};
	struct target t = {.backend = &b, .handle = told};
	(void)state;
	for (unsigned i = 0; i < 600; i++)
		add(i + 1, i % 8);
	many = 600;
	sessions_look(&s, book, now, &t);
	assert_int_equal(s.count, 600);
	assert_int_equal(s.up, 600);
	assert_int_equal(s.paths, 8);
	assert_int_equal(s.listed, SESSIONS_MAX);
	assert_int_equal(s.path[7].sessions, 75);
	for (unsigned i = 0; i < 600; i++)
		work(&told[i], 10);
	sessions_look(&s, book, now += NS_PER_SEC, &t);
	check_iops(0, 750);
	check_iops(7, 750);
	/* As many as there is room for are all. */
	many = 16;
	sessions_look(&s, book, now += NS_PER_SEC, &t);
	assert_int_equal(s.count, 16);
}

static void a_target_without_sessions_has_none(void **state)
{
	static const struct backend b = {.name = "plain"};
	struct target t = {.backend = &b};
	(void)state;
	sessions_look(&s, book, now, &t);
	assert_int_equal(s.count, 0);
	assert_int_equal(s.paths, 0);
	assert_string_equal(s.wire.text, "");
}

/* --- What is exported. --- */

static void unknown_figures_are_exported_as_null(void **state)
{
	json_t *o = json_object();
	(void)state;
	add(1, 0);
	told[0].segments_in = told[0].bytes_out = -1;
	look(0);
	sessions_whole(&s, book);
	sessions_export(&s, o);
	const json_t *p = json_array_get(json_object_get(o, "paths"), 0);
	assert_true(json_is_null(json_object_get(p, "iops")));
	assert_true(json_is_null(json_object_get(p, "lat_mean_ns")));
	assert_true(json_is_null(json_object_get(p, "frames_s")));
	assert_true(json_is_null(json_object_get(json_object_get(p, "tcp"), "segments_in")));
	const json_t *one = json_array_get(json_object_get(o, "sessions"), 0);
	const json_t *tcp = json_object_get(one, "tcp");
	assert_true(json_is_null(json_object_get(tcp, "bytes_out")));
	assert_int_equal(json_integer_value(json_object_get(tcp, "segments_out")), 4);
	assert_true(json_is_null(json_object_get(json_object_get(o, "wire"), "used")));
	assert_true(json_is_null(json_object_get(o, "imbalance")));
	assert_true(json_is_null(json_object_get(o, "mtu")));
	assert_string_equal(
		json_string_value(json_object_get(json_object_get(o, "policy"), "name")), "least");
	json_decref(o);
}

/* --- The table. --- */

static enum rate_unit shown_in = RATE_MIB;

static char *table(bool outage)
{
	json_t *o = json_object();
	char *words = NULL;
	size_t size;

	sessions_whole(&s, book);
	sessions_export(&s, o);
	if (outage)
		json_object_set_new(o, "outage", json_object());
	FILE *f = open_memstream(&words, &size);
	assert_non_null(f);
	path_rows(f, o, shown_in);
	fclose(f);
	json_decref(o);
	for (const char *line = words; *line; line += strcspn(line, "\n") + 1)
		if (strcspn(line, "\n") > 79)
			fail_msg("%zu columns: %s", strcspn(line, "\n"), words);
	return words;
}

static void paths_are_rows_and_the_wire_is_a_line(void **state)
{
	(void)state;
	add(1, 0);
	add(2, 1);
	add(3, 1);
	look(0);
	work(&told[0], 1000);
	work(&told[1], 2000);
	work(&told[2], 1000);
	told[2].state = SESSION_DOWN;
	told[2].drops = 1;
	look(NS_PER_SEC);
	char *words = table(false);
	assert_non_null(strstr(words,
			       "path  share    IOPS    MiB/s     mean   sessions up  by\n"
			       "   1   25 %   1.00k     3.91   100 us   1/1, 0 lost  "
			       "198.51.100.1:3260\n"
			       "   2   75 %   3.00k    11.72   100 us   1/2, 1 lost  "
			       "198.51.100.2:3260\n"
			       "\n"
			       "wire      15.6 MiB/s read; ceiling not known: the NIC of path 1"));
	free(words);
	shown_in = RATE_MB;
	words = table(false);
	shown_in = RATE_MIB;
	assert_non_null(strstr(words, "IOPS     MB/s     mean"));
	assert_non_null(strstr(words, "1.00k     4.10   100 us"));
	assert_non_null(strstr(words, "wire      16.4 MB/s read; ceiling not known"));
	free(words);
	told[0].out = true;
	told[1].state = SESSION_DOWN;
	snprintf(told[1].why, sizeof(told[1].why), "portal 198.51.100.2:3260 refuses connections");
	look(NS_PER_SEC);
	words = table(false);
	assert_non_null(
		strstr(words, "\npath 2    portal 198.51.100.2:3260 refuses connections\n"));
	assert_null(strstr(words, "path 1 "));
	assert_null(strstr(words, "with the outage"));
	assert_non_null(strstr(words, "   out, 0 lost  198.51.100.1:3260\n"));
	assert_non_null(strstr(words, "   0/2, 1 lost  198.51.100.2:3260\n"));
	free(words);
	/* Unlike the means of the summary. */
	words = table(true);
	assert_non_null(strstr(words, "3260\n      of all the time, with the outage; a mean is "
				      "from being sent on the path,\n"
				      "      without the wait for one\n"));
	free(words);
}

static void of_one_path_there_is_only_the_wire(void **state)
{
	(void)state;
	add(1, 0);
	look(0);
	work(&told[0], 1000);
	look(NS_PER_SEC);
	char *words = table(false);
	assert_memory_equal(words, "wire      3.91 MiB/s read", 25);
	free(words);
}

/* A line is filled before it is broken, behind a clause where that leaves no short one. */
static void events_of_paths_are_told_in_full_lines(void **state)
{
	char *words = NULL;
	size_t size;
	(void)state;
	FILE *f = open_memstream(&words, &size);
	path_event_row(f, 8100 * NS_PER_MS,
		       "path 4 lost: portal 10.77.4.1:14777 refuses connections: is the target "
		       "running there, and the address and port right (3260 is usual)?");
	fclose(f);
	assert_string_equal(
		words,
		"   8.1 s  path 4 lost: portal 10.77.4.1:14777 refuses connections:\n"
		"          is the target running there, and the address and port right (3260 is\n"
		"          usual)?\n");
	free(words);
}

static void a_run_without_sessions_has_no_table(void **state)
{
	json_t *o = json_object();
	char *words = NULL;
	size_t size;
	(void)state;
	FILE *f = open_memstream(&words, &size);
	path_rows(f, o, RATE_MIB);
	path_rows(f, NULL, RATE_MIB);
	fclose(f);
	assert_string_equal(words, "");
	free(words);
	json_decref(o);
}

#define T(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(at_the_first_look_no_rate_is_known),
		T(rates_are_the_difference_over_the_real_time),
		T(a_path_is_the_sum_of_its_sessions_and_has_its_share),
		T(the_first_session_that_is_up_stands_for_its_path),
		T(a_look_soon_after_another_keeps_the_rates_and_forgets_nothing),
		T(silence_is_no_latency_and_no_share),
		T(a_worker_that_is_added_or_removed_leaves_the_rates_right),
		T(without_a_past_those_who_go_take_nothing_with_them),
		T(their_order_does_not_matter),
		T(tcp_of_a_new_connection_begins_at_nothing),
		T(what_a_lost_connection_carried_is_as_the_rest_was),
		T(a_connection_that_was_not_told_for_a_look_makes_no_jump),
		T(what_is_not_known_of_tcp_is_not_zero),
		T(sums_of_the_paths_are_those_of_the_whole_time),
		T(a_reset_begins_the_sums_anew),
		T(an_outage_covers_the_sessions_that_had_it_together),
		T(all_are_asked_for_however_many_there_are),
		T(a_target_without_sessions_has_none),
		T(unknown_figures_are_exported_as_null),
		T(paths_are_rows_and_the_wire_is_a_line),
		T(of_one_path_there_is_only_the_wire),
		T(events_of_paths_are_told_in_full_lines),
		T(a_run_without_sessions_has_no_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
