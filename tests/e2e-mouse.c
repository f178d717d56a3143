/* e2e-mouse.c - --mouse in a terminal: nothing is asked of it without, what it reports acts, and it is given
 * back as it was however the program ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include "tests/e2e.h"
#include "tests/proc.h"

#define ON  "\033[?1006;1000h"
#define OFF "\033[?1006;1000l"

static bool has_sent(struct vt *v, void *sequence)
{
	size_t n;

	return strstr(vt_raw(v, &n), sequence) != NULL;
}

#define SENT(v, sequence) VT_EXPECT(v, vt_wait(v, has_sent, (void *)(uintptr_t)(sequence)))

/* The last word said of it. */
static void expect_given_back(struct vt *v, const char *off)
{
	size_t n;
	const char *raw = vt_raw(v, &n), *last = NULL;

	for (const char *at = raw; (at = strstr(at, "1000")); at++)
		last = at;
	VT_EXPECT(v, last && last[4] == 'l');
	VT_EXPECT(v, strstr(raw, off) != NULL);
}

/* Any of the modes that report a mouse. */
static void expect_untouched(struct vt *v)
{
	static const char *const mode[] = {"?9h",  "1000", "1001", "1002",
					   "1003", "1005", "1006", "1015"};
	size_t n;
	const char *raw = vt_raw(v, &n);

	for (size_t i = 0; i < sizeof mode / sizeof *mode; i++)
		for (const char *at = raw; (at = strchr(at, '\033')); at++) {
			char sequence[32];
			snprintf(sequence, sizeof sequence, "%.*s",
				 (int)(1 + strcspn(at + 1, "\033hl") + 1), at);
			VT_EXPECT(v, sequence[1] != '[' || sequence[2] != '?' ||
					     !strstr(sequence, mode[i]));
		}
}

static void report(struct vt *v, int button, int row, int col)
{
	char text[64];

	vt_send(v, text,
		(size_t)snprintf(text, sizeof text, "\033[<%d;%d;%dM\033[<%d;%d;%dm", button,
				 col + 1, row + 1, button, col + 1, row + 1));
}

static void click_on(struct vt *v, const char *words, int times)
{
	char text[128];
	int row, col, n = 0;

	VT_TEXT(v, words);
	VT_EXPECT(v, vt_find(v, words, &row, &col));
	/* In one piece: they can't come too late to be two. */
	for (int i = 0; i < times; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "\033[<0;%d;%dM\033[<0;%d;%dm",
			      col + 2, row + 1, col + 2, row + 1);
	vt_send(v, text, (size_t)n);
}

static void what_the_terminal_reports_acts(void **state)
{
	static const char *const env[] = {"PS1=ready> ", "ENV", NULL};
	const struct vt_options o = {.env = env};
	char line[4500];
	int row, col;

	(void)state;
	struct vt *v = e2e_keep(vt_start(&o, (const char *const[]){"sh", "-i", NULL}));
	VT_TEXT(v, "ready>");
	snprintf(line, sizeof line, "%s null:1ms --rate 500 --no-store --mouse\r", lunscope_path());
	vt_type(v, line);
	SENT(v, ON);
	click_on(v, "busiest", 1);
	VT_TEXT(v, "[CPU]");
	click_on(v, "[CPU]", 2);
	VT_GONE(v, "Events");
	click_on(v, "[CPU]", 2);
	VT_TEXT(v, "Events");
	VT_EXPECT(v, vt_find(v, "Workers", &row, &col) || vt_find(v, "Wrk", &row, &col));
	report(v, 64, row, col);
	VT_MATCH(v, ROW_KNOBS, "^ W[a-z]* +<  2>");
	report(v, 65, row, col);
	VT_MATCH(v, ROW_KNOBS, "^ W[a-z]* +<  1>");
	/* Suspended, the terminal is the shell's; afterwards it is asked again. */
	vt_forget(v);
	vt_key(v, "^Z");
	VT_EXPECT(v, vt_wait_altscreen(v, false));
	VT_TEXT(v, "Stopped");
	SENT(v, OFF);
	vt_type(v, "fg\r");
	SENT(v, ON);
	VT_EXPECT(v, vt_wait_altscreen(v, true));
	VT_TEXT(v, "F1Help");
	click_on(v, "F1Help", 1);
	VT_TEXT(v, "Up Down PgUp PgDn scroll");
	click_on(v, "Esc back", 1);
	VT_GONE(v, "Up Down PgUp PgDn scroll");
	click_on(v, "F10Quit", 1);
	click_on(v, "Quit      y", 2);
	VT_EXPECT(v, vt_wait_altscreen(v, false));
	VT_TEXT(v, "reaped");
	vt_type(v, "exit\r");
	VT_EXPECT(v, vt_wait_exit(v));
	expect_given_back(v, OFF);
	e2e_free(v);
}

static void without_the_option_the_mouse_is_the_terminals_until_the_setup_asks(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "500", "--no-store");

	ANSWER(v, shows_reads);
	/* Reports that nobody asked for do nothing. */
	click_on(v, "F10Quit", 2);
	click_on(v, "busiest", 2);
	vt_type(v, "4");
	VT_TEXT(v, "[CPU]");
	VT_TEXT(v, "Events");
	VT_GONE(v, "Go on");
	expect_untouched(v);
	/* Until the setup turns it on; Esc takes that back. */
	vt_key(v, "F2");
	VT_TEXT(v, ">theme");
	for (int i = 0; i < 9 && !vt_find(v, ">mouse", &(int){0}, &(int){0}); i++) {
		vt_key(v, "down");
		vt_settle(v, 0.1);
	}
	VT_TEXT(v, ">mouse");
	vt_key(v, "right");
	SENT(v, ON);
	vt_forget(v);
	vt_key(v, "esc");
	SENT(v, OFF);
	e2e_quit(v);
}

static void it_is_given_back_however_the_program_ends(void **state)
{
	static const int signals[] = {SIGSEGV, SIGTERM, SIGABRT};

	(void)state;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		struct vt *v = LIVE(NULL, "null:1ms", "--rate", "500", "--no-store", "--mouse");
		ANSWER(v, shows_reads);
		SENT(v, ON);
		vt_signal(v, signals[i]);
		VT_EXPECT(v, vt_wait_exit(v));
		assert_int_equal(vt_status(v), 128 + signals[i]);
		expect_given_back(v, OFF);
		e2e_free(v);
	}
}

static void an_older_terminal_reports_in_bytes(void **state)
{
	static const char *const terms[] = {"screen-256color", "linux"};
	int row, col;
	char text[32];

	(void)state;
	for (int i = 0; i < 2; i++) {
		const struct vt_options o = {.term = terms[i]};
		struct vt *v = LIVE(&o, "null:1ms", "--rate", "500", "--no-store", "--mouse");
		SENT(v, "\033[?1000h");
		VT_TEXT(v, "busiest");
		VT_EXPECT(v, vt_find(v, "busiest", &row, &col));
		vt_send(v, text,
			(size_t)snprintf(text, sizeof text, "\033[M %c%c\033[M#%c%c", col + 33,
					 row + 33, col + 33, row + 33));
		VT_TEXT(v, "[CPU]");
		vt_signal(v, SIGSEGV);
		VT_EXPECT(v, vt_wait_exit(v));
		expect_given_back(v, "\033[?1000l");
		e2e_free(v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(what_the_terminal_reports_acts),
		E2E_TEST(without_the_option_the_mouse_is_the_terminals_until_the_setup_asks),
		E2E_TEST(it_is_given_back_however_the_program_ends),
		E2E_TEST(an_older_terminal_reports_in_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
