/* unit-pane-nic.c - the pane of NICs, drawn over made-up ones and read back cell by cell. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "tests/canvas-print.h"
#include "view-fixture.h"

static struct fixture fx;
static struct canvas cv;
static struct facts facts;
static char text[4096];

static const char *row(int r)
{
	return canvas_row(&cv, r, text, sizeof(text));
}

static void assert_has(int r, const char *words)
{
	if (!strstr(row(r), words)) {
		canvas_print(&cv, stderr);
		fail_msg("'%s' is not in '%s'", words, row(r));
	}
}

static enum style style_of(int r, const char *words)
{
	const char *at = strstr(row(r), words);

	assert_non_null(at);
	return (enum style)cv.cell[r * cv.cols + (at - text)].style;
}

static void draw(int rows, int cols)
{
	assert_int_equal(canvas_resize(&cv, rows, cols), 0);
	panes[PANE_NICS].draw(&cv, canvas_rect(&cv), &fx.v);
}

static int set_up(void **state)
{
	(void)state;
	fixture_make(&fx, GL_ASCII);
	fx.v.snap.net = (struct net_view){
		.nics = 2,
		.retransmits_s = 3.5,
		.nic = {{.name = "bond0",
			 .mtu = "9000",
			 .link = "up",
			 .speed = "20000 Mb/s",
			 .pause = "not supported",
			 .rx_bytes_s = 500 * (double)MIB,
			 .tx_bytes_s = 5 * (double)MIB,
			 .rx_packets_s = 58368,
			 .tx_packets_s = 29000,
			 .pause_rx_s = -1,
			 .pause_tx_s = -1},
			{.name = "ens1f0",
			 .below = true,
			 .mtu = "9000",
			 .link = "down",
			 .speed = "(not known)",
			 .pause = "rx on tx off",
			 .off = "tso, gro",
			 .rx_bytes_s = -1,
			 .tx_bytes_s = -1,
			 .rx_packets_s = -1,
			 .tx_packets_s = -1,
			 .drops_s = 12,
			 .pause_rx_s = 100,
			 .pause_tx_s = 20}},
	};
	facts_set(&facts, "bond0 mtu", "9000");
	facts_set(&facts, "a scheduler", "none");
	facts_set(&facts, "bond0 lro", "(not supported)");
	facts_set(&facts, "net.ipv4.tcp_rmem", "4096 131072 33554432");
	fx.v.facts = &facts;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	canvas_free(&cv);
	facts_free(&facts);
	return 0;
}

static void a_nic_has_a_row_with_its_settings_and_rates(void **state)
{
	(void)state;
	draw(5, 132);
	assert_has(0, "TCP retransmits of this host 3.5/s");
	assert_has(1, "NIC");
	assert_has(2, "bond0");
	assert_has(2, "20 Gb/s   9000  -           500      5.00");
	/* 500 MiB/s in 58368 packets a second. */
	assert_has(2, "8982");
	assert_has(2, "none");
	assert_int_equal(style_of(2, "up"), ST_GOOD);
}

static void what_lies_below_is_indented_and_what_is_bad_stands_out(void **state)
{
	(void)state;
	draw(5, 132);
	assert_has(3, "  ens1f0");
	assert_has(3, "rx ");
	assert_has(3, "tso, gro");
	assert_int_equal(style_of(3, "down"), ST_BAD);
	assert_int_equal(style_of(3, "120"), ST_WARN);
	/* Of what is not known there is no figure. */
	assert_has(3, "   -         -");
}

static void figures_are_in_the_unit_of_the_screen(void **state)
{
	(void)state;
	fx.v.unit = RATE_MB;
	draw(5, 132);
	assert_has(1, "rx MB/s");
	assert_has(2, "524");
}

static void on_a_narrow_screen_the_least_stays(void **state)
{
	(void)state;
	draw(4, 40);
	assert_has(1, "MTU");
	assert_has(2, "9000");
	assert_null(strstr(row(1), "offloads"));
}

static void zoomed_it_has_the_settings_the_nics_first(void **state)
{
	(void)state;
	draw(12, 80);
	assert_has(5, "bond0 mtu");
	assert_has(5, "9000");
	assert_has(6, "a scheduler");
	assert_has(5, "tcp_rmem");
	assert_has(5, "4096 131072 33554432");
	assert_has(7, "1 that the drivers do not support");
	/* In a small pane they would only be in the way. */
	draw(6, 80);
	assert_null(strstr(row(5), "scheduler"));
}

static void it_fits_any_size(void **state)
{
	(void)state;
	for (int rows = 3; rows < 40; rows++)
		for (int cols = 38; cols < 140; cols++)
			draw(rows, cols);
}

int main(void)
{
#define PANE_TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		PANE_TEST(a_nic_has_a_row_with_its_settings_and_rates),
		PANE_TEST(what_lies_below_is_indented_and_what_is_bad_stands_out),
		PANE_TEST(figures_are_in_the_unit_of_the_screen),
		PANE_TEST(on_a_narrow_screen_the_least_stays),
		PANE_TEST(zoomed_it_has_the_settings_the_nics_first),
		PANE_TEST(it_fits_any_size),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
