/* term.c - the terminal: the only file that knows curses.
 *
 * Panes draw on a canvas; term_blit() gives curses the cells that differ from the picture before,
 * and curses, which knows what the terminal shows, sends what is needed. There is only stdscr: no
 * windows that a resize could leave behind. Started with newterm(), which unlike initscr() returns
 * when it doesn't know the terminal.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>
#include "no_rep.h"
#include "quiet_kernel.h"
#include "rescue.h"
#include "sync.h"
#include "ui/term.h"
#include "units.h"
/* After our own: curses' <term.h> makes macros of many common words. */
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <term.h>
#undef cursor_visible

#define PART_MS 200

static struct {
	SCREEN *screen; /* NULL: not up */
	pthread_t thread;
	int io_account; /* /proc/self/task/TID/io, -1 if there is none */
	bool utf8;
	bool has_rmcup;
	bool no_rep;
	bool cursor_shown;
	bool sync;         /* the terminal can show a frame as a whole */
	uint64_t asked_ns; /* when it was asked whether it can; 0: it has answered */
	bool mouse;        /* is reported */
	struct mouse_event event, pressed; /* the last ones */
	enum palette palette;
	attr_t attr[ST_COUNT];
	short pair[ST_COUNT]; /* 0: the terminal's own colours */
	struct canvas shadow; /* what stdscr holds; rows 0 = nothing known */
} term = {.io_account = -1};

/* How long the end of the screen waits for the answer to a question, and when none will come any more. */
#define ANSWER_MS        100
#define ANSWER_LATEST_NS (5 * NS_PER_SEC)

/* Signals whose actions curses or we replace; put back by term_stop(). */
static const int replaced[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH, SIGCONT};
#define REPLACED (sizeof(replaced) / sizeof(replaced[0]))
static struct sigaction action_before[REPLACED];

static volatile sig_atomic_t resumed;

static void on_cont(int sig)
{
	(void)sig;
	resumed = 1;
}

/* --- Function keys --- */

/* A key of curses' as ours; KEY_NONE for one that means nothing here. */
static int of_function(wint_t code)
{
	if (code >= KEY_F(1) && code <= KEY_F(20))
		return ACTION_FKEY((int)(code - KEY_F(0)));
	switch (code) {
	case KEY_ENTER: return K_ENTER;
	case KEY_BTAB: return K_BACKTAB;
	case KEY_BACKSPACE: return K_BACKSPACE;
	case KEY_DC: return K_DELETE;
	case KEY_UP: return K_UP;
	case KEY_DOWN: return K_DOWN;
	case KEY_LEFT: return K_LEFT;
	case KEY_RIGHT: return K_RIGHT;
	case KEY_HOME: return K_HOME;
	case KEY_END: return K_END;
	case KEY_PPAGE: return K_PGUP;
	case KEY_NPAGE: return K_PGDN;
	default: return KEY_NONE;
	}
}

/* Terminfo's word stands unless it is for a key that means nothing here: the console's entry has
 * \e[Z as a second back-tab, under a name of its own. */
static void add_key(const char *sequence, int key)
{
	int now = key_defined(sequence);

	if (now == 0 || (now > 0 && of_function((wint_t)now) == KEY_NONE))
		define_key(sequence, key);
}

/* Sequences that terminals send whatever their terminfo says: PuTTY and rxvt their own F1-F4, the
 * console its \e[[A, keypads out of application mode; and Esc with a digit for F1-F10. */
static void define_keys(void)
{
	static const struct {
		const char *sequence;
		int key;
	} raw[] = {
		{"\033[11~", KEY_F(1)},  {"\033[12~", KEY_F(2)},  {"\033[13~", KEY_F(3)},
		{"\033[14~", KEY_F(4)},  {"\033[15~", KEY_F(5)},  {"\033[17~", KEY_F(6)},
		{"\033[18~", KEY_F(7)},  {"\033[19~", KEY_F(8)},  {"\033[20~", KEY_F(9)},
		{"\033[21~", KEY_F(10)}, {"\033[23~", KEY_F(11)}, {"\033[24~", KEY_F(12)},
		{"\033OP", KEY_F(1)},    {"\033OQ", KEY_F(2)},    {"\033OR", KEY_F(3)},
		{"\033OS", KEY_F(4)},    {"\033[[A", KEY_F(1)},   {"\033[[B", KEY_F(2)},
		{"\033[[C", KEY_F(3)},   {"\033[[D", KEY_F(4)},   {"\033[[E", KEY_F(5)},
		{"\033[A", KEY_UP},      {"\033[B", KEY_DOWN},    {"\033[C", KEY_RIGHT},
		{"\033[D", KEY_LEFT},    {"\033OA", KEY_UP},      {"\033OB", KEY_DOWN},
		{"\033OC", KEY_RIGHT},   {"\033OD", KEY_LEFT},    {"\033[H", KEY_HOME},
		{"\033[F", KEY_END},     {"\033OH", KEY_HOME},    {"\033OF", KEY_END},
		{"\033[1~", KEY_HOME},   {"\033[4~", KEY_END},    {"\033[7~", KEY_HOME},
		{"\033[8~", KEY_END},    {"\033[3~", KEY_DC},     {"\033[5~", KEY_PPAGE},
		{"\033[6~", KEY_NPAGE},  {"\033[Z", KEY_BTAB},
	};

	/* Reports of the mouse are read below, with the other sequences that are no keys. */
	keyok(KEY_MOUSE, FALSE);
	for (size_t i = 0; i < sizeof(raw) / sizeof(raw[0]); i++)
		add_key(raw[i].sequence, raw[i].key);
	for (int n = 1; n <= 10; n++) {
		char sequence[] = {'\033', (char)('0' + n % 10), '\0'};

		add_key(sequence, KEY_F(n));
	}
}

/* --- Start --- */

/* A capability's string, NULL if the terminal lacks it. */
static const char *capability(const char *name)
{
	const char *s = tigetstr((char *)name);

	return s && s != (char *)-1 ? s : NULL;
}

/* Whether terminfo knows the name and can move the cursor there. */
static bool usable(const char *name)
{
	bool ok;
	int err;

	if (setupterm((char *)name, STDOUT_FILENO, &err) != OK)
		return false;
	ok = capability("cup") != NULL;
	del_curterm(cur_term);
	return ok;
}

/* The terminal of the same family that every terminfo has; NULL when the name says nothing. */
static const char *relative(const char *name)
{
	static const struct {
		const char *prefix, *name;
	} family[] = {
		{"xterm", "xterm-256color"},
		{"kitty", "xterm-256color"},
		{"alacritty", "xterm-256color"},
		{"foot", "xterm-256color"},
		{"wezterm", "xterm-256color"},
		{"ghostty", "xterm-256color"},
		{"konsole", "xterm-256color"},
		{"gnome", "xterm-256color"},
		{"vte", "xterm-256color"},
		{"st-", "xterm-256color"},
		{"rxvt", "xterm-256color"},
		{"putty", "xterm-256color"},
		{"tmux", "xterm-256color"},
		{"screen", "xterm-256color"},
		{"linux", "linux"},
		{"vt", "vt100"},
	};

	for (size_t i = 0; i < sizeof(family) / sizeof(family[0]); i++)
		if (strncmp(name, family[i].prefix, strlen(family[i].prefix)) == 0)
			return family[i].name;
	return NULL;
}

/* The terminfo name to use: $TERM or a relative of it; NULL with words in e. */
static const char *choose_terminal(struct error *e)
{
	const char *name = getenv("TERM"), *other;

	if (!name || !*name) {
		error_set(e, EINVAL,
			  "TERM is not set: say what terminal this is, as in TERM=xterm-256color "
			  "or TERM=vt100");
		return NULL;
	}
	if (usable(name))
		return name;
	other = relative(name);
	if (other && usable(other))
		return other;
	error_set(
		e, EINVAL,
		"TERM=%s is unknown here or cannot move the cursor: set TERM to what the terminal "
		"is, such as xterm-256color, linux or vt100",
		name);
	return NULL;
}

static void send(const char *sequence)
{
	if (write(STDOUT_FILENO, sequence, strlen(sequence)) < 0) {
		/* The terminal has gone: the next frame says so. */
	}
}

/* What define_key() calls its answers: beyond curses' own keys, and those that it numbers from KEY_MAX on because a
 * terminal's entry has names for them. */
#define KEY_SYNC    0x4000
#define KEY_NO_SYNC 0x4001

static void sync_ask(const char *name)
{
	term.asked_ns = 0;
	if (!sync_askable(name))
		return;
	define_key(SYNC_IS_SET, KEY_SYNC);
	define_key(SYNC_IS_RESET, KEY_SYNC);
	define_key(SYNC_IS_UNKNOWN, KEY_NO_SYNC);
	define_key(SYNC_IS_ALWAYS, KEY_NO_SYNC);
	define_key(SYNC_IS_NEVER, KEY_NO_SYNC);
	send(SYNC_QUESTION);
	term.asked_ns = clock_ns();
}

static bool sync_answered(int kind, wint_t ch)
{
	if (kind != KEY_CODE_YES || (ch != KEY_SYNC && ch != KEY_NO_SYNC))
		return false;
	term.sync = ch == KEY_SYNC;
	term.asked_ns = 0;
	return true;
}

/* An answer that is still on its way would be typed at the shell. Whoever hasn't answered for long won't. */
static void await_answer(void)
{
	uint64_t now = clock_ns(), end = now + ANSWER_MS * NS_PER_MS;

	if (!term.asked_ns || now - term.asked_ns > ANSWER_LATEST_NS)
		return;
	for (; term.asked_ns && now < end; now = clock_ns()) {
		struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
		wint_t ch;
		int kind;
		if (poll(&p, 1, (int)((end - now) / NS_PER_MS)) != 1 || !(p.revents & POLLIN))
			break;
		while ((kind = get_wch(&ch)) != ERR && !sync_answered(kind, ch))
			;
	}
	tcflush(STDIN_FILENO, TCIFLUSH);
}

/* curses makes clicks of presses and releases that come together, and would leave out what is no click. So it
 * only turns the reports on and off, at the end and when the program is suspended too; they are read by
 * report(). */
bool term_set_mouse(bool on)
{
	const mmask_t wanted = BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED;
	const char *mode = capability("XM"), *off;

	if (on == term.mouse)
		return on;
	/* A crash turns it off from before it is on until after it is off. */
	off = mode ? tiparm(mode, 0) : "\033[?1000l";
	rescue_also(off, strlen(off));
	mouseinterval(0);
	term.mouse = mousemask(on ? wanted : 0, NULL) != 0;
	keyok(KEY_MOUSE, FALSE);
	if (!term.mouse)
		rescue_also("", 0);
	return term.mouse;
}

struct mouse_event term_mouse(void)
{
	return term.event;
}

static void start_colour(enum colour_mode mode)
{
	const char *no_color = getenv("NO_COLOR");

	term.palette = PALETTE_MONO;
	if (mode == COLOUR_NEVER || (mode == COLOUR_AUTO && no_color && *no_color))
		return;
	if (!has_colors() || start_color() == ERR || COLORS < 8 || COLOR_PAIRS <= ST_COUNT)
		return;
	/* Without it, "default" comes out as white on black. */
	use_default_colors();
	term.palette = COLORS >= 256 ? PALETTE_256 : PALETTE_8;
}

void term_set_colour(enum colour_mode mode)
{
	start_colour(mode);
}

/* Adds a capability without the $<5> that asks tputs() for a delay (terminfo(5)). */
static void append(char *out, size_t size, size_t *used, const char *s)
{
	for (; s && *s && *used < size; s++) {
		if (s[0] == '$' && s[1] == '<' && strchr(s, '>'))
			s = strchr(s, '>');
		else
			out[(*used)++] = *s;
	}
}

/* What a crash has to send: attributes and line drawing off, cursor on, keypad off, the main screen
 * back; where there is no other screen, a line of its own at the bottom (row 999: terminals take
 * that for their last, whatever size they have by then). */
static void arm_rescue(const struct termios *saved, bool may_sync)
{
	static const char *const names[] = {"rmacs", "sgr0", "cnorm", "rmkx", "rmcup"};
	/* First of all: else nothing of it would be shown. */
	static const char *const end = SYNC_END;
	char seq[512];
	size_t n = 0;

	if (may_sync)
		append(seq, sizeof(seq), &n, end);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		append(seq, sizeof(seq), &n, capability(names[i]));
	if (!term.has_rmcup) {
		append(seq, sizeof(seq), &n, tparm(capability("cup"), 998, 0));
		append(seq, sizeof(seq), &n, capability("el"));
	}
	append(seq, sizeof(seq), &n, "\r\n");
	rescue_arm(seq, n, saved);
}

static int open_io_account(void)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/io", (int)gettid());
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* newterm(), which returns NULL when it can't start; with words in e. */
static SCREEN *new_screen(const char *name, struct error *e)
{
	int rep = 0;
	SCREEN *screen;

	while (strnames[rep] && strcmp(strnames[rep], "rep") != 0)
		rep++;
	if (term.no_rep && no_rep_begin(name, rep, e) < 0)
		return NULL;
	screen = newterm((char *)name, stdout, stdin);
	if (term.no_rep)
		no_rep_end();
	if (!screen)
		error_set(e, EINVAL, "curses cannot start on TERM=%s", name);
	return screen;
}

int term_check(struct error *e)
{
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error_set(e, ENOTTY,
				 "%s is not a terminal, and the live screen needs one; to measure "
				 "without: lunscope run TARGET",
				 isatty(STDIN_FILENO) ? "standard output" : "standard input");
	return choose_terminal(e) ? 0 : -EINVAL;
}

int term_start(const struct term_options *o, struct error *e)
{
	struct sigaction cont = {.sa_handler = on_cont};
	static bool registered;
	struct termios saved;
	int rc = term_check(e);

	if (rc)
		return rc;
	if (tcgetattr(STDIN_FILENO, &saved) < 0)
		return error_errno(e, errno, "standard input: cannot read the terminal's settings");
	const char *name = choose_terminal(e);
	rc = o->quiet_kernel ? quiet_kernel_begin(e) : 0;
	if (rc)
		return rc;
	for (size_t i = 0; i < REPLACED; i++)
		sigaction(replaced[i], NULL, &action_before[i]);
	term.screen = new_screen(name, e);
	if (!term.screen) {
		quiet_kernel_end();
		return -EINVAL;
	}
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	if (!getenv("ESCDELAY"))
		set_escdelay(o->slow ? 100 : 25);
	leaveok(stdscr, FALSE);
	idlok(stdscr, FALSE);
	define_keys();
	term.sync = false;
	if (!o->no_sync)
		sync_ask(name);
	start_colour(o->colour);
	term.mouse = false;
	curs_set(0);
	term.cursor_shown = false;
	term.thread = pthread_self();
	term.utf8 = term_utf8();
	term.has_rmcup = capability("rmcup") != NULL;
	term.io_account = open_io_account();
	sigaction(SIGCONT, &cont, NULL);
	arm_rescue(&saved, !o->no_sync && sync_askable(name));
	if (o->mouse)
		term_set_mouse(true);
	rescue_keep_stderr();
	if (!registered)
		registered = atexit(term_stop) == 0;
	term_set_theme(&theme_builtin);
	return 0;
}

void term_stop(void)
{
	if (!term.screen)
		return;
	await_answer();
	/* Where the picture stays on the screen, what is printed next gets a line of its own. */
	if (!term.has_rmcup) {
		move(LINES - 1, 0);
		attrset(A_NORMAL);
		bkgdset(' ');
		clrtoeol();
		refresh();
	}
	endwin();
	if (!term.has_rmcup && write(STDOUT_FILENO, "\n", 1) < 0) {
		/* The terminal has gone: nobody is there to read the next line. */
	}
	quiet_kernel_end();
	rescue_disarm();
	for (size_t i = 0; i < REPLACED; i++)
		sigaction(replaced[i], &action_before[i], NULL);
	delscreen(term.screen);
	term.screen = NULL;
	canvas_free(&term.shadow);
	if (term.io_account >= 0)
		close(term.io_account);
	term.io_account = -1;
	rescue_replay_stderr();
}

/* --- Size --- */

void term_size(int *rows, int *cols)
{
	getmaxyx(stdscr, *rows, *cols);
}

void term_resized(void)
{
	struct winsize w;

	/* Serial lines and some emulators say 0x0. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_row > 0 && w.ws_col > 0)
		resizeterm(w.ws_row, w.ws_col);
	/* Two changes may come before a frame: what curses then holds is not what the shadow says,
	 * even if the last size is the old one. */
	canvas_free(&term.shadow);
	term_repaint();
}

void term_repaint(void)
{
	clearok(curscr, TRUE);
}

bool term_stopped(void)
{
	return resumed;
}

bool term_resumed(void)
{
	if (!resumed)
		return false;
	resumed = 0;
	/* curses has begun anew with it. */
	if (term.mouse)
		keyok(KEY_MOUSE, FALSE);
	/* After SIGSTOP, which nobody can catch, the shell's settings are on. */
	reset_prog_mode();
	return true;
}

/* --- What there is --- */

enum palette term_palette(void)
{
	return term.palette;
}

bool term_utf8(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

bool term_has_line_drawing(void)
{
	return capability("acsc") && capability("smacs");
}

void term_no_rep(void)
{
	term.no_rep = true;
}

bool term_has_fkeys(void)
{
	char name[] = "kf0";

	for (char n = '1'; n <= '9'; n++) {
		name[2] = n;
		if (!capability(name))
			return false;
	}
	return capability("kf10") != NULL;
}

/* --- Drawing --- */

void term_set_theme(const struct theme *t)
{
	for (int s = 0; s < ST_COUNT; s++) {
		const struct look *look = &t->look[term.palette][s];

		term.attr[s] = (look->attr & ATTR_BOLD ? A_BOLD : 0) |
			       (look->attr & ATTR_REVERSE ? A_REVERSE : 0) |
			       (look->attr & ATTR_UNDERLINE ? A_UNDERLINE : 0) |
			       (look->attr & ATTR_DIM ? A_DIM : 0);
		/* Pair 0 for what has no colour: the console can underline nothing else (ncv). */
		bool plain = look->fg == COLOUR_DEFAULT && look->bg == COLOUR_DEFAULT;

		term.pair[s] = term.palette == PALETTE_MONO || plain ? 0 : (short)(s + 1);
		if (term.pair[s])
			init_pair(term.pair[s], look->fg, look->bg);
	}
	canvas_free(&term.shadow);
}

/* The letter that a VT100's special graphics use for a code point; 0 if they lack it. */
static unsigned char acs_letter(uint32_t ch)
{
	static const struct {
		uint16_t ch;
		char letter;
	} map[] = {
		{0x2500, 'q'}, {0x2502, 'x'}, {0x250c, 'l'}, {0x2510, 'k'}, {0x2514, 'm'},
		{0x2518, 'j'}, {0x251c, 't'}, {0x2524, 'u'}, {0x252c, 'w'}, {0x2534, 'v'},
		{0x253c, 'n'}, {0x2592, 'a'}, {0x00b0, 'f'}, {0x00b1, 'g'}, {0x00b7, '~'},
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (map[i].ch == ch)
			return (unsigned char)map[i].letter;
	return 0;
}

/* Whether the locale can print it; curses would put anything else on the screen as ^X or M-x. */
static bool printable(uint32_t ch)
{
	return ch < 0x80 || (iswprint((wint_t)ch) && (term.utf8 || wctob((wint_t)ch) != EOF));
}

/* One cell to stdscr. The lower right corner "fails" after it has been stored: nothing to check. */
static void put_cell(int row, int col, const struct cell *at)
{
	wchar_t text[2] = {(wchar_t)at->ch, L'\0'};
	attr_t attr = term.attr[at->style];
	short pair = term.pair[at->style];
	unsigned char letter;
	cchar_t cell;

	if (!printable(at->ch)) {
		letter = term.utf8 ? 0 : acs_letter(at->ch);
		if (letter) {
			mvaddch(row, col, NCURSES_ACS(letter) | attr | COLOR_PAIR(pair));
			return;
		}
		text[0] = L'?';
	}
	setcchar(&cell, text, attr, pair, NULL);
	mvadd_wch(row, col, &cell);
}

/* The tail of a wide character is curses' business, unless '?' stands for the character. */
static void put_row(const struct canvas *c, int row, int cols, const struct cell *before)
{
	const struct cell *cell = &c->cell[(size_t)row * (size_t)c->cols];

	for (int col = 0; col < cols; col++) {
		if (before && cell[col].ch == before[col].ch &&
		    cell[col].style == before[col].style)
			continue;
		if (cell[col].ch)
			put_cell(row, col, &cell[col]);
		else if (col > 0 && !printable(cell[col - 1].ch))
			put_cell(row, col, &(struct cell){' ', cell[col].style});
	}
}

/* Remembers c as what stdscr holds. Without memory everything is handed to curses each time. */
static void keep_shadow(const struct canvas *c)
{
	if ((term.shadow.rows != c->rows || term.shadow.cols != c->cols) &&
	    canvas_resize(&term.shadow, c->rows, c->cols) < 0) {
		canvas_free(&term.shadow);
		return;
	}
	memcpy(term.shadow.cell, c->cell, (size_t)c->rows * (size_t)c->cols * sizeof(*c->cell));
}

static void put_cursor(const struct canvas *c, int rows, int cols)
{
	int row = c->cursor_row, col = c->cursor_col;

	row = row < 0 ? 0 : row >= rows ? rows - 1 : row;
	col = col < 0 ? 0 : col >= cols ? cols - 1 : col;
	if (c->cursor_visible != term.cursor_shown) {
		curs_set(c->cursor_visible ? 1 : 0);
		term.cursor_shown = c->cursor_visible;
	}
	move(row, col);
}

/* Bytes that this thread has written so far; 0 where the kernel doesn't count. */
static unsigned long long bytes_written(void)
{
	unsigned long long n = 0;
	const char *at;
	char text[512];
	ssize_t len;

	len = term.io_account < 0 ? -1 : pread(term.io_account, text, sizeof(text) - 1, 0);
	if (len <= 0)
		return 0;
	text[len] = '\0';
	at = strstr(text, "wchar: ");
	if (!at || sscanf(at, "wchar: %llu", &n) != 1)
		return 0;
	return n;
}

/* 0 when the terminal takes output now, else -EAGAIN or -EIO. */
static int ready(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

	if (poll(&p, 1, 0) < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	if (p.revents & (POLLHUP | POLLERR | POLLNVAL))
		return -EIO;
	return p.revents & POLLOUT ? 0 : -EAGAIN;
}

/* curses ignores SIGTSTP while it writes, so that a ^Z would be lost, on a slow line most of the time.
 * Linux keeps a signal that is blocked, even if it is ignored when it comes. */
static void update(void)
{
	sigset_t stop, before;

	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &stop, &before);
	/* By write(2), as doupdate() does: stdio's buffer would come after the frame. */
	if (term.sync)
		send(SYNC_BEGIN);
	doupdate();
	if (term.sync)
		send(SYNC_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

long term_blit(const struct canvas *c)
{
	bool known = term.shadow.rows == c->rows && term.shadow.cols == c->cols;
	int rows, cols, err = ready();
	unsigned long long before;

	assert(pthread_equal(term.thread, pthread_self()));
	if (err < 0)
		return err;
	term_size(&rows, &cols);
	for (int row = 0; row < rows && row < c->rows; row++)
		put_row(c, row, cols < c->cols ? cols : c->cols,
			known ? &term.shadow.cell[(size_t)row * (size_t)c->cols] : NULL);
	keep_shadow(c);
	before = bytes_written();
	put_cursor(c, rows, cols);
	wnoutrefresh(stdscr);
	update();
	return (long)(bytes_written() - before);
}

/* --- Keys --- */

/* Within a sequence: a network may have cut it in two, and the rest of a report would act as keys. */
static bool more_comes(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};

	return poll(&p, 1, PART_MS) > 0;
}

/* Bytes, not characters: beyond column 95 they are no UTF-8. */
static bool read_bytes(unsigned char *out, int n)
{
	for (int i = 0; i < n; i++) {
		int byte = getch();

		if (byte == ERR && more_comes())
			byte = getch();
		if (byte == ERR || byte > 0xff)
			return false;
		out[i] = (unsigned char)byte;
	}
	return true;
}

/* On a console curses may have its own connection to gpm(8), and reads it itself. */
static bool from_curses(struct mouse_event *m)
{
	MEVENT e;

	if (getmouse(&e) == ERR)
		return false;
	*m = (struct mouse_event){e.bstate & BUTTON4_PRESSED   ? MOUSE_WHEEL_UP
				  : e.bstate & BUTTON5_PRESSED ? MOUSE_WHEEL_DOWN
							       : MOUSE_CLICK,
				  e.y, e.x};
	return true;
}

/* What a control sequence says of the mouse; any other says nothing. */
static int report(const char *sequence)
{
	unsigned char bytes[3];

	if (!term.mouse)
		return KEY_NONE;
	bool is = strcmp(sequence, "M") == 0
			  ? read_bytes(bytes, 3) && mouse_of_bytes(&term.event, bytes)
			  : mouse_of_sgr(&term.event, sequence);
	return is && mouse_settle(&term.event, &term.pressed) ? K_MOUSE : KEY_NONE;
}

/* What follows Esc, when something does and curses made no key of it. CSI and SS3 sequences
 * (ECMA-48: up to a byte of 0x40-0x7e) that say nothing of the mouse are swallowed, else their digits would act
 * as keys. */
static int after_escape(void)
{
	wint_t ch;
	int kind = get_wch(&ch), n = 0;
	char sequence[32];

	if (kind == ERR)
		return K_ESC;
	if (kind == OK && ch == 'O') {
		get_wch(&ch);
		return KEY_NONE;
	}
	if (kind == OK && ch == '[') {
		do {
			kind = get_wch(&ch);
			if (kind == ERR && more_comes())
				kind = get_wch(&ch);
			if (kind == OK && n < (int)sizeof(sequence) - 1)
				sequence[n++] = ch < 0x80 ? (char)ch : '?';
		} while (kind == OK && (ch < 0x40 || ch > 0x7e));
		sequence[n] = '\0';
		return report(sequence);
	}
	if (kind == KEY_CODE_YES)
		ungetch((int)ch);
	else
		unget_wch((wchar_t)ch);
	return K_ESC;
}

static int of_character(wint_t ch)
{
	switch (ch) {
	case 0x03: return K_INTERRUPT;
	case 0x08:
	case 0x7f: return K_BACKSPACE;
	case '\t': return K_TAB;
	case '\n':
	case '\r': return K_ENTER;
	case 0x0c: return K_REDRAW;
	case 0x1b: return after_escape();
	default: return (int)ch;
	}
}

int term_key(void)
{
	wint_t ch;
	int kind, key;

	while ((kind = get_wch(&ch)) != ERR) {
		if (sync_answered(kind, ch))
			continue;
		if (kind == KEY_CODE_YES && ch == KEY_MOUSE && from_curses(&term.event))
			return K_MOUSE;
		key = kind == KEY_CODE_YES ? of_function(ch) : of_character(ch);
		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}
