/* unit-line.c - what a slow line is given to carry: by made-up frames and a clock of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include "ui/line.h"
#include "ui/stall.h"
#include "ui/turns.h"
#include "units.h"

/* A minute of a clock that asks four times a second for frames of that many bytes in each stage. Returns how many
 * were drawn. */
static unsigned minute(struct line *l, const double bytes[3], double *sent)
{
	unsigned drawn = 0;

	*sent = 0;
	for (uint64_t t = NS_PER_SEC; t < 61 * NS_PER_SEC; t += NS_PER_SEC / 4) {
		if (!line_ready(l, t))
			continue;
		double b = bytes[l->stage];
		*sent += b;
		drawn++;
		line_drew(l, t, b, true);
	}
	return drawn;
}

static void without_a_limit_every_frame_is_drawn(void **state)
{
	struct line l = {.fps = 4};
	double sent;

	(void)state;
	assert_int_equal(minute(&l, (double[]){5000, 0, 0}, &sent), 240);
	assert_int_equal(l.stage, LINE_ALL);
	assert_true(line_rate(&l) == 4);
}

static void first_there_are_fewer_frames(void **state)
{
	/* 115200 bit/s: 11520 B/s, of which half. */
	struct line l = {.fps = 4, .bytes_s = line_speed_of(115200)};
	double sent;

	(void)state;
	assert_int_equal(minute(&l, (double[]){1000, 0, 0}, &sent), 240);
	l = (struct line){.fps = 4, .bytes_s = 4000};
	assert_in_range(minute(&l, (double[]){1000, 0, 0}, &sent), 115, 123);
	assert_int_equal(l.stage, LINE_ALL);
	assert_true(line_rate(&l) == 2);
	assert_true(sent <= 60 * 2000 + 1000);
	l = (struct line){.fps = 4, .bytes_s = 2400};
	assert_in_range(minute(&l, (double[]){1000, 0, 0}, &sent), 55, 75);
	assert_int_equal(l.stage, LINE_ALL);
	assert_true(line_rate(&l) == 1);
	assert_true(sent <= 60 * 1200 + 1000);
}

static void then_the_charts_sweep_and_then_panes_come_in_turn(void **state)
{
	struct line l = {.fps = 4, .bytes_s = line_speed_of(9600)};
	double sent;
	char words[120];

	(void)state;
	minute(&l, (double[]){1500, 400, 200}, &sent);
	assert_int_equal(l.stage, LINE_SWEEP);
	assert_true(sent <= 60 * 480 + 6 * 1500);
	assert_string_equal(line_words(words, sizeof(words), &l),
			    "slow line (960 B/s): 1 frame a second, the charts sweep");
	l = (struct line){.fps = 4, .bytes_s = line_speed_of(9600)};
	minute(&l, (double[]){1500, 900, 200}, &sent);
	assert_int_equal(l.stage, LINE_IN_TURN);
	/* Two a second are within the half again. */
	assert_true(line_rate(&l) == 2);
	/* Slower than the slowest stage can be, there are fewer still, and no more than half the line. */
	l = (struct line){.fps = 4, .bytes_s = 120};
	for (int i = 0; i < 4; i++)
		minute(&l, (double[]){1500, 900, 200}, &sent);
	assert_int_equal(l.stage, LINE_IN_TURN);
	minute(&l, (double[]){1500, 900, 200}, &sent);
	assert_true(sent <= 60 * 60 + 1500);
}

/* A key's answer is not the clock's to refuse, but it is paid for. */
static void what_keys_ask_for_is_drawn_at_once_and_paid_for(void **state)
{
	struct line l = {.fps = 4, .bytes_s = 2000};
	uint64_t t = NS_PER_SEC;

	(void)state;
	assert_true(line_ready(&l, t));
	for (int i = 0; i < 4; i++, t += NS_PER_SEC)
		line_drew(&l, t, 100, true);
	assert_true(line_ready(&l, t + NS_PER_SEC / 4));
	for (int i = 0; i < 5; i++)
		line_drew(&l, t + NS_PER_SEC / 4, 800, false);
	assert_false(line_ready(&l, t + NS_PER_SEC));
	assert_true(line_ready(&l, t + 3 * NS_PER_SEC));
	/* And it says nothing of what the clock's frames take. */
	assert_true(l.frame == 100);
}

static void a_pseudo_terminals_speed_means_nothing(void **state)
{
	int master, slave;

	(void)state;
	assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
	assert_true(line_speed(slave) == 0);
	close(master);
	close(slave);
	assert_true(line_speed(-1) == 0);
	assert_true(line_speed_of(9600) == 960);
}

/* Their names say how many: B134 is 134.5 (termios(3)). */
static void every_speed_of_a_serial_line_is_known(void **state)
{
#define SPEED(bits)           \
	{                     \
		B##bits, bits \
	}
	static const struct {
		speed_t speed;
		double bits;
	} all[] = {
		SPEED(50),      SPEED(75),      SPEED(110),     SPEED(150),     SPEED(200),
		SPEED(300),     SPEED(600),     SPEED(1200),    SPEED(1800),    SPEED(2400),
		SPEED(4800),    SPEED(9600),    SPEED(19200),   SPEED(38400),   SPEED(57600),
		SPEED(115200),  SPEED(230400),  SPEED(460800),  SPEED(500000),  SPEED(576000),
		SPEED(921600),  SPEED(1000000), SPEED(1152000), SPEED(1500000), SPEED(2000000),
		SPEED(2500000), SPEED(3000000), SPEED(3500000), SPEED(4000000),
	};
#undef SPEED

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_true(line_bits(all[i].speed) == all[i].bits);
	assert_true(line_bits(B134) == 134.5);
	assert_true(line_bits(B0) == 0);
}

/* 1200 bit/s: a screen of 1500 bytes takes 12.5 s, and what follows waits for it. */
static void a_slow_line_at_work_is_not_blocked(void **state)
{
	const uint64_t s = NS_PER_SEC;
	struct stall st = {0};

	(void)state;
	assert_int_equal(stall_note(&st, 120, 10 * s, 22 * s, 1500), 0);
	/* Nor was it while there was no room: until then it carried what it had. */
	assert_int_equal(stall_note(&st, 120, 23 * s, 23 * s, -1), 0);
	assert_int_equal(stall_note(&st, 120, 24 * s, 24 * s, -1), 0);
	assert_int_equal(stall_note(&st, 120, 25 * s, 25 * s, 100), 0);
	/* It was when it took so much longer than it needs. */
	assert_int_equal(stall_note(&st, 120, 100 * s, 100 * s, -1), 0);
	assert_int_equal(stall_note(&st, 120, 105 * s, 105 * s, -1), 0);
	assert_int_equal(stall_note(&st, 120, 107 * s, 107 * s, 100), 7 * s);
	assert_in_range(stall_note(&st, 120, 200 * s, 240 * s, 1200), 19 * s, 21 * s);
}

/* Wherever no speed is known, all of the wait is one: from the first frame that was left out, or in the middle
 * of one. */
static void a_terminal_without_a_speed_is_blocked_whenever_it_takes_nothing(void **state)
{
	const uint64_t s = NS_PER_SEC;
	struct stall st = {0};

	(void)state;
	assert_int_equal(stall_note(&st, 0, 10 * s, 10 * s, 5000), 0);
	assert_int_equal(stall_note(&st, 0, 11 * s, 16 * s, 5000), 5 * s);
	assert_int_equal(stall_note(&st, 0, 17 * s, 17 * s, -1), 0);
	assert_int_equal(stall_note(&st, 0, 20 * s, 20 * s, -1), 0);
	assert_int_equal(stall_note(&st, 0, 22 * s, 23 * s, 5000), 6 * s);
	/* That is over. */
	assert_int_equal(stall_note(&st, 0, 24 * s, 24 * s, 5000), 0);
}

/* --- Panes in turn. --- */

static void fill_panes(struct canvas *c, const struct layout *l, uint32_t sign)
{
	canvas_clear(c, ST_NORMAL);
	for (int p = 0; p < PANE_COUNT; p++)
		canvas_fill(c, l->pane[p], sign, ST_NORMAL);
}

/* Panes that show the sign in all their cells; the others show none of it. */
static unsigned panes_with(const struct canvas *c, const struct layout *l, uint32_t sign)
{
	unsigned found = 0;

	for (int p = 0; p < PANE_COUNT; p++) {
		const struct rect r = l->pane[p];
		int n = 0;
		for (int row = 0; row < r.rows; row++)
			for (int col = 0; col < r.cols; col++)
				n += c->cell[(r.row + row) * c->cols + r.col + col].ch == sign;
		assert_true(n == 0 || n == r.rows * r.cols);
		found |= n ? 1u << p : 0;
	}
	return found;
}

static void one_pane_a_frame_is_renewed_beside_the_chart(void **state)
{
	const struct layout l = layout_compute(43, 132, PANE_COUNT, 0, 0, 0, false);
	struct turns t = {.pane = 0};
	struct canvas c = {0};
	unsigned shown = 0, seen = 1u << PANE_IOPS;

	(void)state;
	for (int p = 0; p < PANE_COUNT; p++)
		shown |= l.pane[p].rows ? 1u << p : 0;
	assert_int_equal(canvas_resize(&c, 43, 132), 0);
	fill_panes(&c, &l, 'a');
	turns_take(&t, &c, &l, PANE_COUNT, true);
	assert_int_equal(panes_with(&c, &l, 'a'), shown);
	for (int i = 1; i < PANE_COUNT; i++) {
		fill_panes(&c, &l, 'a' + (uint32_t)i);
		turns_take(&t, &c, &l, PANE_COUNT, false);
		unsigned renewed = panes_with(&c, &l, 'a' + (uint32_t)i);
		assert_true(renewed & 1u << PANE_IOPS);
		assert_int_equal(__builtin_popcount(renewed), 2);
		seen |= renewed;
	}
	assert_int_equal(seen, shown);
	turns_free(&t);
	canvas_free(&c);
}

/* A row for the verdict has come: all are one lower, on a screen of the same size. */
static void panes_that_have_moved_are_all_renewed(void **state)
{
	const struct layout before = layout_compute(43, 132, PANE_COUNT, 0, 0, 0, false);
	const struct layout after = layout_compute(43, 132, PANE_COUNT, 0, 0, 0, true);
	struct turns t = {.pane = 0};
	struct canvas c = {0};

	(void)state;
	assert_int_equal(canvas_resize(&c, 43, 132), 0);
	fill_panes(&c, &before, 'a');
	turns_take(&t, &c, &before, PANE_COUNT, false);
	fill_panes(&c, &after, 'b');
	turns_take(&t, &c, &after, PANE_COUNT, false);
	unsigned all = panes_with(&c, &after, 'b');
	assert_int_equal(panes_with(&c, &after, 'a'), 0);
	fill_panes(&c, &after, 'c');
	turns_take(&t, &c, &after, PANE_COUNT, false);
	assert_int_equal(panes_with(&c, &after, 'b') | panes_with(&c, &after, 'c'), all);
	assert_int_equal(__builtin_popcount(panes_with(&c, &after, 'c')), 2);
	turns_free(&t);
	canvas_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_limit_every_frame_is_drawn),
		cmocka_unit_test(first_there_are_fewer_frames),
		cmocka_unit_test(then_the_charts_sweep_and_then_panes_come_in_turn),
		cmocka_unit_test(what_keys_ask_for_is_drawn_at_once_and_paid_for),
		cmocka_unit_test(a_pseudo_terminals_speed_means_nothing),
		cmocka_unit_test(every_speed_of_a_serial_line_is_known),
		cmocka_unit_test(a_slow_line_at_work_is_not_blocked),
		cmocka_unit_test(one_pane_a_frame_is_renewed_beside_the_chart),
		cmocka_unit_test(panes_that_have_moved_are_all_renewed),
		cmocka_unit_test(a_terminal_without_a_speed_is_blocked_whenever_it_takes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
