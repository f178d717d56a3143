/* unit-wire.c - what a wire can carry, against figures worked out by hand, and what is said of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "units.h"
#include "wire.h"

#define GIGABIT INT64_C(1000000000)

static struct sessions s;

static int begin(void **state)
{
	(void)state;
	memset(&s, 0, sizeof(s));
	s.policy.policy = PATHS_ROUND_ROBIN;
	return 0;
}

/* A path over a NIC of its own that reads so many MiB/s of data, in IOs of 256 KiB. Segments that come in
 * are full, and each two of them are answered by one that goes out. */
static struct path_view *add_path(const char *nic, int64_t bits_s, double mib_s)
{
	struct path_view *v = &s.path[s.paths++];
	double data = mib_s * (double)MIB;

	*v = (struct path_view){
		.number = s.paths,
		.sessions = 1,
		.up = 1,
		.nic_mtu = 1500,
		.link_bits_s = bits_s,
		.ios = (uint64_t)(data / 262144),
		.bytes = (uint64_t)(data / 262144) * 262144,
		.iops = data / 262144,
		.bytes_s = data,
		.received_s = data * 262192 / 262144,
		.sent_s = data / 262144 * 48,
		.frames_s = data / 1448 * 1.5,
		.frame_bytes = 1448,
	};
	strcpy(v->nic, nic);
	v->all.mss = v->all.receive_mss = 1448;
	v->all.pmtu = 1500;
	strcpy(v->all.local, "10.0.0.2:50000");
	strcpy(v->all.parameters, "MaxRecvDataSegmentLength=262144 MaxBurstLength=262144");
	return v;
}

static void check_text(const char *text)
{
	wire_look(&s);
	if (strcmp(s.wire.text, text) != 0)
		fail_msg("'%s', and not '%s'", s.wire.text, text);
}

static void check_near(double value, double expected)
{
	double off = value - expected;

	if (off < -1e-6 * expected || off > 1e-6 * expected)
		fail_msg("%.10g, and not %.10g", value, expected);
}

/* --- The formulas. --- */

static void a_gigabit_at_mtu_1500_carries_117_7_megabytes(void **state)
{
	(void)state;
	/* 1538 bytes on the wire for 1448: 125e6 / 1538 x 1448 */
	check_near(wire_tcp_ceiling(GIGABIT, 1448, 52), 117685305.59);
	/* Without time stamps 1460 of them are payload. */
	check_near(wire_tcp_ceiling(GIGABIT, 1460, 40), 118660598.18);
}

static void a_gigabit_at_mtu_9000_carries_123_8_megabytes(void **state)
{
	(void)state;
	check_near(wire_tcp_ceiling(GIGABIT, 8948, 52), 123755255.59);
}

static void a_faster_link_carries_as_much_more(void **state)
{
	(void)state;
	check_near(wire_tcp_ceiling(25 * GIGABIT, 1448, 52), 25 * 117685305.59);
}

static void each_pdu_has_a_header_before_its_data(void **state)
{
	(void)state;
	check_near(wire_data_share(262144, 262144, 0, 0), 262144.0 / 262192);
	check_near(wire_data_share(4096, 262144, 0, 0), 4096.0 / 4144);
	/* 64 KiB in PDUs of 8 KiB are eight, 60 KiB too. */
	check_near(wire_data_share(65536, 8192, 0, 0), 65536.0 / (65536 + 8 * 48));
	check_near(wire_data_share(61440, 8192, 0, 0), 61440.0 / (61440 + 8 * 48));
}

static void digests_and_padding_are_no_data(void **state)
{
	(void)state;
	check_near(wire_data_share(4096, 262144, 1, 0), 4096.0 / (4096 + 52));
	check_near(wire_data_share(4096, 262144, 1, 1), 4096.0 / (4096 + 56));
	check_near(wire_data_share(4097, 262144, 0, 0), 4097.0 / (4100 + 48));
}

static void headers_are_what_the_mtu_is_larger_than_the_mss(void **state)
{
	struct backend_session b = {.mss = 1448, .pmtu = 1500, .local = "10.0.0.2:1"};
	(void)state;
	assert_int_equal(wire_headers(&b), 52);
	b.mss = 1460;
	assert_int_equal(wire_headers(&b), 40);
	strcpy(b.local, "[fd00::2]:1");
	b.mss = 1428;
	assert_int_equal(wire_headers(&b), 72);
}

static void an_mss_that_the_mtu_has_outgrown_tells_nothing_of_headers(void **state)
{
	struct backend_session b = {.mss = 1448, .pmtu = 9000, .local = "10.0.0.2:1"};
	(void)state;
	assert_int_equal(wire_headers(&b), 52);
	strcpy(b.local, "[fd00::2]:1");
	assert_int_equal(wire_headers(&b), 72);
	b.mss = b.pmtu = -1;
	assert_int_equal(wire_headers(&b), 72);
}

/* --- What is said. --- */

static void a_full_gigabit_is_told_as_such(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 110);
	/* 117685305.59 x 262144 / 262192 = 117663760.7 B/s = 112.2 MiB/s; 110 / 112.2 = 98.0 % */
	check_text("110 MiB/s read: 98 % of one 1 Gb/s link at MSS 1448; 119.5k frames/s, 1448 B "
		   "in each "
		   "with data");
	assert_int_equal(s.wire.ceiling_bytes_s, 117663761);
	check_near(s.wire.used, 110.0 * 1048576 / 117663760.6856);
	assert_int_equal(s.wire.links, 1);
}

static void large_frames_raise_the_ceiling(void **state)
{
	(void)state;
	struct path_view *v = add_path("eth0", GIGABIT, 59);
	v->all.mss = v->all.receive_mss = 8948;
	v->all.pmtu = 9000;
	wire_look(&s);
	/* 123755255.59 x 262144 / 262192 */
	assert_int_equal(s.wire.ceiling_bytes_s, 123732599);
	assert_non_null(strstr(s.wire.text, "50 % of one 1 Gb/s link at MSS 8948"));
}

static void what_is_written_fills_segments_that_go_out(void **state)
{
	(void)state;
	struct path_view *v = add_path("eth0", GIGABIT, 50);
	double in = v->received_s;
	v->received_s = v->sent_s;
	v->sent_s = in;
	/* The size of what comes in, few and small, is not theirs. */
	v->all.receive_mss = 536;
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, 117663761);
	assert_non_null(
		strstr(s.wire.text, "50.0 MiB/s written: 45 % of one 1 Gb/s link at MSS 1448"));
	/* A target that takes 8 KiB at a time: 32 headers before 256 KiB. */
	strcpy(v->all.parameters, "MaxRecvDataSegmentLength=8192 MaxBurstLength=262144");
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, 116999760);
}

static void links_of_distinct_nics_are_summed_up(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 50);
	add_path("eth1", GIGABIT, 50);
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, 235327521);
	assert_non_null(
		strstr(s.wire.text, "100 MiB/s read: 45 % of two 1 Gb/s links at MSS 1448;"));
	assert_string_equal(s.wire.brief,
			    "100 MiB/s read: 45 % of two 1 Gb/s links; 108.6k frames/s "
			    "of 1448 B");
	/* In the unit that is asked for. */
	char text[200];
	assert_string_equal(
		wire_words(text, sizeof(text), s.wire.brief, s.wire.data_bytes_s, RATE_MB),
		"105 MB/s read: 45 % of two 1 Gb/s links; 108.6k frames/s of 1448 B");
	assert_string_equal(wire_words(text, sizeof(text), s.wire.brief, -1, RATE_MB),
			    s.wire.brief);
	/* Two portals over one NIC share it. */
	add_path("eth1", GIGABIT, 0);
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, 235327521);
	assert_int_equal(s.wire.links, 2);
}

static void links_of_several_speeds_are_told_together(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 50);
	struct path_view *v = add_path("eth1", 10 * GIGABIT, 500);
	v->all.mss = v->all.receive_mss = 8948;
	v->all.pmtu = 9000;
	wire_look(&s);
	assert_non_null(strstr(s.wire.text, "of 11 Gb/s on two links at MSS 1448 to 8948;"));
}

static void a_path_that_is_down_or_out_adds_nothing(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 50);
	add_path("eth1", GIGABIT, 0)->up = 0;
	add_path("eth2", GIGABIT, 0)->out = true;
	wire_look(&s);
	assert_int_equal(s.wire.links, 1);
	assert_int_equal(s.wire.ceiling_bytes_s, 117663761);
}

static void with_failover_only_the_link_that_is_used_counts(void **state)
{
	(void)state;
	s.policy.policy = PATHS_FAILOVER;
	add_path("eth0", GIGABIT, 50);
	add_path("eth1", GIGABIT, 0);
	wire_look(&s);
	assert_int_equal(s.wire.links, 1);
	assert_non_null(strstr(s.wire.text, "of one 1 Gb/s link"));
}

static void a_virtual_links_name_is_no_ceiling(void **state)
{
	(void)state;
	add_path("veth0", 10 * GIGABIT, 500)->nominal = true;
	check_text("500 MiB/s read; ceiling not known: veth0 is a virtual link, nominal 10 Gb/s; "
		   "543.1k "
		   "frames/s, 1448 B in each with data");
	assert_string_equal(s.wire.brief,
			    "500 MiB/s read; 543.1k frames/s of 1448 B; no ceiling: veth0 is a "
			    "virtual link");
	assert_int_equal(s.wire.ceiling_bytes_s, -1);
	assert_true(s.wire.used < 0);
}

static void one_link_without_a_speed_leaves_the_whole_unknown(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 50);
	struct path_view *v = add_path("eth1", -1, 50);
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, -1);
	assert_non_null(strstr(s.wire.text, "ceiling not known: eth1 does not tell its speed;"));
	strcpy(v->nic, "lo");
	wire_look(&s);
	assert_non_null(strstr(s.wire.text, "ceiling not known: lo is no wire;"));
	v->nic[0] = 0;
	wire_look(&s);
	assert_non_null(strstr(s.wire.text, "ceiling not known: the NIC of path 2 is not known;"));
}

static void more_than_the_link_can_carry_went_another_way(void **state)
{
	(void)state;
	add_path("eth0", GIGABIT, 500);
	wire_look(&s);
	assert_int_equal(s.wire.ceiling_bytes_s, -1);
	assert_non_null(strstr(s.wire.text, "do not go by the NIC that has the address"));
}

static void connections_that_tell_nothing_are_not_made_up(void **state)
{
	(void)state;
	struct path_view *v = add_path("eth0", GIGABIT, 50);
	v->received_s = v->sent_s = v->frames_s = v->frame_bytes = -1;
	check_text("50.0 MiB/s; ceiling not known: the connections tell nothing");
	assert_true(s.wire.frames_s < 0 && s.wire.frame_bytes < 0);
}

static void before_the_first_second_nothing_is_said(void **state)
{
	(void)state;
	struct path_view *v = add_path("eth0", GIGABIT, 0);
	v->iops = v->bytes_s = v->received_s = v->sent_s = v->frames_s = v->frame_bytes = -1;
	check_text("");
}

static void silence_is_a_share_of_nothing(void **state)
{
	(void)state;
	struct path_view *v = add_path("eth0", GIGABIT, 0);
	v->frame_bytes = -1;
	check_text("0.00 MiB/s: 0.0 % of one 1 Gb/s link at MSS 1448; 0 frames/s");
}

#define T(name) cmocka_unit_test_setup(name, begin)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_gigabit_at_mtu_1500_carries_117_7_megabytes),
		T(a_gigabit_at_mtu_9000_carries_123_8_megabytes),
		T(a_faster_link_carries_as_much_more),
		T(each_pdu_has_a_header_before_its_data),
		T(digests_and_padding_are_no_data),
		T(headers_are_what_the_mtu_is_larger_than_the_mss),
		T(an_mss_that_the_mtu_has_outgrown_tells_nothing_of_headers),
		T(a_full_gigabit_is_told_as_such),
		T(large_frames_raise_the_ceiling),
		T(what_is_written_fills_segments_that_go_out),
		T(links_of_distinct_nics_are_summed_up),
		T(links_of_several_speeds_are_told_together),
		T(a_path_that_is_down_or_out_adds_nothing),
		T(with_failover_only_the_link_that_is_used_counts),
		T(a_virtual_links_name_is_no_ceiling),
		T(one_link_without_a_speed_leaves_the_whole_unknown),
		T(more_than_the_link_can_carry_went_another_way),
		T(connections_that_tell_nothing_are_not_made_up),
		T(before_the_first_second_nothing_is_said),
		T(silence_is_a_share_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
