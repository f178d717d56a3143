/* unit-term.c - the terminal's life cycle on a pseudo-terminal: what a child does to it, and in what
 * state it is left. The child's exit status carries what it found.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <utmp.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/scratch.h"
#include "ui/chart.h"
#include "ui/pane_util.h"
#include "ui/term.h"

#define RMCUP "\033[?1049l"
#define SMCUP "\033[?1049h"

struct session {
	char out[1 << 20]; /* all the terminal got, a string */
	size_t n;
	int status;     /* of waitpid() */
	bool canonical; /* termios afterwards */
	bool echo;
	int left; /* bytes of input that nobody has read */
};

static int terminal = -1; /* in the child: the other end, to type at */

/* Runs child() on a new terminal of that type, with input typed once line editing
 * is off; waits for its end. */
static void run(struct session *s, const char *type, const char *input, int (*child)(void))
{
	struct winsize size = {.ws_row = 24, .ws_col = 80};
	struct termios tio;
	int master, slave;
	pid_t pid;
	ssize_t n;

	memset(s, 0, sizeof(*s));
	assert_int_equal(openpty(&master, &slave, NULL, NULL, &size), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		const struct rlimit none = {0, 0};

		terminal = master;
		login_tty(slave);
		setrlimit(RLIMIT_CORE, &none);
		setenv("TERM", type, 1);
		unsetenv("LINES");
		unsetenv("COLUMNS");
		unsetenv("NO_COLOR");
		setlocale(LC_ALL, "C.UTF-8");
		_exit(child());
	}
	/* The slave stays open here too: for its settings, and so that no output is lost. */
	for (bool ended = false;;) {
		struct pollfd p = {.fd = master, .events = POLLIN};

		if (poll(&p, 1, ended ? 0 : 10) > 0) {
			n = read(master, s->out + s->n, sizeof(s->out) - 1 - s->n);
			assert_true(n > 0);
			s->n += (size_t)n;
		} else if (input && tcgetattr(slave, &tio) == 0 && !(tio.c_lflag & ICANON)) {
			assert_int_equal(write(master, input, strlen(input)), strlen(input));
			input = NULL;
		} else if (ended) {
			break;
		} else {
			ended = waitpid(pid, &s->status, WNOHANG) == pid;
		}
	}
	assert_int_equal(tcgetattr(slave, &tio), 0);
	s->canonical = tio.c_lflag & ICANON;
	s->echo = tio.c_lflag & ECHO;
	/* Else only whole lines would count. */
	tio.c_lflag &= ~(tcflag_t)ICANON;
	assert_int_equal(tcsetattr(slave, TCSANOW, &tio), 0);
	assert_int_equal(ioctl(slave, FIONREAD, &s->left), 0);
	close(slave);
	close(master);
}

/* The first of `later` comes after the last of `earlier`. */
static void assert_order(const struct session *s, const char *earlier, const char *later)
{
	const char *a = strstr(s->out, earlier), *b = strstr(s->out, later);

	if (!a || !b || a > b)
		fail_msg("not there, or not in this order: '%s', '%s'", earlier, later);
}

static void assert_given_back(const struct session *s)
{
	assert_order(s, SMCUP, RMCUP);
	assert_true(s->canonical);
	assert_true(s->echo);
}

static void start(void)
{
	struct error e;

	if (term_start(&(struct term_options){.colour = COLOUR_AUTO}, &e) < 0) {
		fprintf(stderr, "%s\n", e.text);
		_exit(2);
	}
}

static void blit(const char *text, enum style style)
{
	struct canvas c = {0};
	int rows, cols;

	term_size(&rows, &cols);
	canvas_resize(&c, rows, cols);
	canvas_text(&c, canvas_rect(&c), rows - 1, 0, text, style);
	if (term_blit(&c) < 0)
		_exit(3);
	canvas_free(&c);
}

static int draws_and_stops(void)
{
	start();
	blit("a picture \xc2\xb5", ST_READ);
	term_stop();
	term_stop();
	return 0;
}

static void after_stop_the_terminal_is_as_before(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, draws_and_stops);
	assert_int_equal(s.status, 0);
	assert_given_back(&s);
	assert_order(&s, "a picture", RMCUP);
	assert_non_null(strstr(s.out, "\xc2\xb5"));
	assert_null(strstr(s.out, "\033[?1000h"));
}

static void without_another_screen_the_last_row_is_cleared(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "vt100", NULL, draws_and_stops);
	assert_int_equal(s.status, 0);
	assert_true(s.canonical);
	assert_order(&s, "a picture", "\033[24;1H");
	assert_string_equal(s.out + s.n - 2, "\r\n");
}

static int crashes(void)
{
	start();
	fprintf(stderr, "last words\n");
	raise(SIGSEGV);
	return 0;
}

static int aborts(void)
{
	start();
	fprintf(stderr, "last words\n");
	abort();
}

static void a_crash_gives_the_terminal_back_and_keeps_its_status(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, crashes);
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), SIGSEGV);
	assert_given_back(&s);
	assert_order(&s, RMCUP, "last words");
	assert_order(&s, "last words", "fatal: SIGSEGV");
	run(&s, "xterm-256color", NULL, aborts);
	assert_true(WIFSIGNALED(s.status));
	assert_int_equal(WTERMSIG(s.status), SIGABRT);
	assert_given_back(&s);
	assert_order(&s, "last words", "fatal: SIGABRT");
}

static int exits_without_stopping(void)
{
	start();
	exit(7);
}

static void exit_gives_the_terminal_back_too(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, exits_without_stopping);
	assert_int_equal(WEXITSTATUS(s.status), 7);
	assert_given_back(&s);
}

static int prints_on_stderr(void)
{
	start();
	for (int i = 0; i < 500; i++)
		fprintf(stderr, "line %d of what a library has to say about it\n", i);
	blit("a picture", ST_NORMAL);
	term_stop();
	return 0;
}

static void htop_1651_stderr_is_kept_until_the_screen_is_gone(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, prints_on_stderr);
	assert_order(&s, RMCUP, "line 0 of");
	assert_order(&s, "line 0 of", "line 499 of");
}

static int palette(void)
{
	start();
	return 10 + (int)term_palette();
}

static int palette_without_colour(void)
{
	setenv("NO_COLOR", "1", 1);
	return palette();
}

static int palette_with_empty_no_color(void)
{
	setenv("NO_COLOR", "", 1);
	return palette();
}

static int palette_in_spite_of_no_color(void)
{
	struct error e;

	setenv("NO_COLOR", "1", 1);
	term_start(&(struct term_options){.colour = COLOUR_ALWAYS}, &e);
	return 10 + (int)term_palette();
}

static int palette_never(void)
{
	struct error e;

	term_start(&(struct term_options){.colour = COLOUR_NEVER}, &e);
	return 10 + (int)term_palette();
}

static void the_palette_follows_terminal_option_and_no_color(void **state)
{
	static const struct {
		const char *type;
		int (*child)(void);
		enum palette palette;
	} cases[] = {
		{"xterm-256color", palette, PALETTE_256},
		{"xterm", palette, PALETTE_8},
		{"linux", palette, PALETTE_8},
		{"vt100", palette, PALETTE_MONO},
		{"xterm-256color", palette_without_colour, PALETTE_MONO},
		{"xterm-256color", palette_with_empty_no_color, PALETTE_256},
		{"xterm-256color", palette_in_spite_of_no_color, PALETTE_256},
		{"xterm-256color", palette_never, PALETTE_MONO},
	};
	static struct session s;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		run(&s, cases[i].type, NULL, cases[i].child);
		assert_int_equal(WEXITSTATUS(s.status), 10 + (int)cases[i].palette);
	}
}

static void an_unknown_terminal_is_refused_or_replaced_by_its_family(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-of-tomorrow", NULL, palette);
	assert_int_equal(WEXITSTATUS(s.status), 10 + PALETTE_256);
	run(&s, "teletype", NULL, palette);
	assert_int_equal(WEXITSTATUS(s.status), 2);
	assert_non_null(strstr(s.out, "TERM=teletype is unknown"));
	run(&s, "dumb", NULL, palette);
	assert_int_equal(WEXITSTATUS(s.status), 2);
	run(&s, "", NULL, palette);
	assert_int_equal(WEXITSTATUS(s.status), 2);
	assert_non_null(strstr(s.out, "TERM is not set"));
}

/* Keys come until 'q'; printed once the terminal is back. */
static int prints_keys(void)
{
	int key[64], n = 0;

	start();
	while (n < 64) {
		struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

		key[n] = term_key();
		if (key[n] == 'q')
			break;
		if (key[n] == KEY_NONE)
			poll(&p, 1, -1);
		else
			n++;
	}
	term_stop();
	printf("keys");
	for (int i = 0; i < n; i++)
		printf(" %x", (unsigned)key[i]);
	printf(" end\n");
	fflush(stdout);
	return 0;
}

static void keys_are_known_whatever_the_terminal_sends(void **state)
{
	static const struct {
		const char *input, *keys;
	} cases[] = {
		{"\033[11~\033OP\033[[A\0331q", "keys 10001 10001 10001 10001 end"},
		{"\033[21~\0330\033[[E\033[24~q", "keys 1000a 1000a 10005 1000c end"},
		{"\033[A\033OB\033[H\033[4~\033[3~\033[Zq",
		 "keys 11006 11007 1100a 1100b 11005 11003 end"},
		{"\t\r\n\x7f\b\x0c\x01q", "keys 11002 11000 11000 11004 11004 1100e 1 end"},
		{"\xc3\xa9\xe4\xb8\x96q", "keys e9 4e16 end"},
		/* Unknown sequences, mouse reports: nothing of them may act as a key. */
		{"\033[1;5S\033[<0;10;5M\033[200~\033OIaq", "keys 61 end"},
	};
	static const char *const types[] = {"xterm-256color", "vt100", "linux", "screen"};
	static struct session s;

	(void)state;
	for (size_t t = 0; t < sizeof(types) / sizeof(types[0]); t++)
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			run(&s, types[t], cases[i].input, prints_keys);
			assert_int_equal(s.status, 0);
			if (!strstr(s.out, cases[i].keys))
				fail_msg("%s, case %zu: no '%s' in '%s'", types[t], i,
					 cases[i].keys, s.out);
		}
}

static int answers_and_draws(void)
{
	start();
	while (term_key() != 'q')
		usleep(1000);
	blit("a picture", ST_READ);
	term_stop();
	return 0;
}

static void a_frame_is_shown_as_a_whole_after_a_yes(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", "\033[?2026;2$yq", answers_and_draws);
	assert_int_equal(s.status, 0);
	assert_order(&s, "\033[?2026$p", "\033[?2026h");
	assert_order(&s, "\033[?2026h", "a picture");
	assert_order(&s, "a picture", "\033[?2026l");
	/* "I don't know that" is a no. */
	run(&s, "xterm-256color", "\033[?2026;0$yq", answers_and_draws);
	assert_int_equal(s.status, 0);
	assert_non_null(strstr(s.out, "a picture"));
	assert_null(strstr(s.out, "\033[?2026h"));
}

/* The answer comes when the screen is on its way out. */
static int ends_at_once(void)
{
	static const char answer[] = "\033[?2026;2$y";

	start();
	if (write(terminal, answer, strlen(answer)) < 0)
		return 4;
	term_stop();
	return 0;
}

static void an_answer_is_not_left_to_the_shell(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, ends_at_once);
	assert_int_equal(s.status, 0);
	assert_given_back(&s);
	assert_int_equal(s.left, 0);
}

static int presses_and_draws(void)
{
	static const char keys[] = "\033[901~\033[902~\033[903~q";

	start();
	if (write(terminal, keys, strlen(keys)) < 0)
		return 4;
	while (term_key() != 'q')
		;
	blit("a picture", ST_READ);
	term_stop();
	return 0;
}

/* curses numbers them by itself, from KEY_MAX on. */
static void a_key_that_only_this_terminal_has_is_no_answer(void **state)
{
	static struct session s;
	const char *entry = scratch_text("entry", "xterm-own|keys of its own,\n"
						  "\tkAA=\\E[901~, kAB=\\E[902~, kAC=\\E[903~,\n"
						  "\tuse=vt100,\n");
	const char *dir = scratch_path("terminfo");
	char command[1200];

	(void)state;
	snprintf(command, sizeof(command), "tic -x -o %s %s", dir, entry);
	if (system(command)) {
		print_message("there is no tic here that makes such an entry\n");
		skip();
	}
	setenv("TERMINFO", dir, 1);
	run(&s, "xterm-own", NULL, presses_and_draws);
	unsetenv("TERMINFO");
	assert_int_equal(s.status, 0);
	assert_non_null(strstr(s.out, "\033[?2026$p"));
	assert_non_null(strstr(s.out, "a picture"));
	assert_null(strstr(s.out, "\033[?2026h"));
}

static int counts_bytes(void)
{
	struct canvas c = {0};
	long first, second, third;

	start();
	canvas_resize(&c, 24, 80);
	canvas_fill(&c, canvas_rect(&c), 'x', ST_NORMAL);
	first = term_blit(&c);
	second = term_blit(&c);
	canvas_put(&c, canvas_rect(&c), 3, 3, 'y', ST_NORMAL);
	third = term_blit(&c);
	term_stop();
	if (access("/proc/self/io", R_OK) != 0)
		return 77;
	canvas_free(&c);
	return first >= 80 && second == 0 && third > 0 && third < 40 ? 0 : 1;
}

static void diskgraph_7_a_frame_s_bytes_are_counted_and_an_unchanged_one_costs_none(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, counts_bytes);
	if (WIFEXITED(s.status) && WEXITSTATUS(s.status) == 77) {
		print_message("this kernel keeps no IO account\n");
		skip();
	}
	assert_int_equal(s.status, 0);
}

/* --- A chart of 12 rows at 80x24 over a noisy minute, four frames a second: the mean bytes of a frame. --- */

static struct sample noisy[1200];

static void fill_noise(void)
{
	uint32_t state = 11;

	for (size_t i = 0; i < sizeof(noisy) / sizeof(noisy[0]); i++) {
		state = state * 1664525u + 1013904223u;
		/* 30 % up and down */
		uint64_t ios = 700 + (state >> 8) % 600;
		noisy[i] = (struct sample){.t_ns = (i + 1) * TICK_NS, .dt_ns = TICK_NS};
		noisy[i].op[IO_READ] = (struct op_sample){.ios = ios, .bytes = ios * 4096};
	}
}

static long chart_bytes(enum glyph_level level, bool sweep)
{
	struct view v = {
		.chart = noisy, .chart_span_ns = 60 * NS_PER_SEC, .level = level, .sweep = sweep};
	struct canvas c = {0};
	long bytes = 0;

	v.g = &glyph_table[level];
	for (int frame = -4; frame < 40; frame++) {
		v.now_ns = 70 * NS_PER_SEC + (uint64_t)(frame + 4) * NS_PER_SEC / 4;
		v.chart_count = v.now_ns / TICK_NS;
		canvas_resize(&c, 24, 80);
		canvas_clear(&c, ST_NORMAL);
		pane_chart_draw(&c, (struct rect){2, 0, 14, 80}, &v, PANE_IOPS, false);
		long n = term_blit(&c);
		bytes += frame < 0 ? 0 : n;
	}
	canvas_free(&c);
	return bytes / 40;
}

static int sweeps(void)
{
	static const enum glyph_level levels[] = {GL_ASCII, GL_EIGHTH, GL_BRAILLE};
	int bad = 0;

	fill_noise();
	start();
	for (int i = 0; i < 3; i++) {
		long scroll = chart_bytes(levels[i], false), sweep = chart_bytes(levels[i], true);
		fprintf(stderr, "level %d: %ld bytes a frame scrolling, %ld sweeping\n",
			(int)levels[i], scroll, sweep);
		bad += sweep > 250 || 2 * sweep > scroll || sweep < 1;
	}
	term_stop();
	return access("/proc/self/io", R_OK) ? 77 : bad;
}

static void a_sweep_takes_few_bytes_a_frame(void **state)
{
	static struct session s;

	(void)state;
	run(&s, "xterm-256color", NULL, sweeps);
	const char *words = strstr(s.out, "level 0");
	print_message("%s", words ? words : "");
	if (WIFEXITED(s.status) && WEXITSTATUS(s.status) == 77) {
		print_message("this kernel keeps no IO account\n");
		skip();
	}
	assert_int_equal(s.status, 0);
}

static void a_pipe_is_refused(void **state)
{
	struct error e = {""};
	int old = dup(STDIN_FILENO), fd = open("/dev/null", O_RDONLY);

	(void)state;
	dup2(fd, STDIN_FILENO);
	assert_int_equal(term_start(&(struct term_options){.colour = COLOUR_AUTO}, &e), -ENOTTY);
	assert_non_null(strstr(e.text, "standard input is not a terminal"));
	dup2(old, STDIN_FILENO);
	close(old);
	close(fd);
	term_stop();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(after_stop_the_terminal_is_as_before),
		cmocka_unit_test(without_another_screen_the_last_row_is_cleared),
		cmocka_unit_test(a_crash_gives_the_terminal_back_and_keeps_its_status),
		cmocka_unit_test(exit_gives_the_terminal_back_too),
		cmocka_unit_test(htop_1651_stderr_is_kept_until_the_screen_is_gone),
		cmocka_unit_test(the_palette_follows_terminal_option_and_no_color),
		cmocka_unit_test(an_unknown_terminal_is_refused_or_replaced_by_its_family),
		cmocka_unit_test(keys_are_known_whatever_the_terminal_sends),
		cmocka_unit_test(a_frame_is_shown_as_a_whole_after_a_yes),
		cmocka_unit_test(an_answer_is_not_left_to_the_shell),
		cmocka_unit_test(a_key_that_only_this_terminal_has_is_no_answer),
		cmocka_unit_test(
			diskgraph_7_a_frame_s_bytes_are_counted_and_an_unchanged_one_costs_none),
		cmocka_unit_test(a_sweep_takes_few_bytes_a_frame),
		cmocka_unit_test(a_pipe_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
