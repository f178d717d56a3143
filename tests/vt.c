/* vt.c - a terminal for tests: a program on a pseudo-terminal, its output in libvterm. */
#include <setjmp.h>
#include <stdarg.h>
#include "tests/vt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>
#include <vterm.h>
#include <cmocka.h>
#include "tests/proc.h"

#define UTF8_MAX 4

struct vt {
	VTerm *term;
	VTermScreen *screen;
	int rows, cols;
	char name[32];     /* $TERM */
	int master, slave; /* slave: so that the line's modes can be read after the program's end */
	int pidfd;
	pid_t pid;
	int status; /* -1 while it runs */
	bool altscreen, cursor_visible;
	char *raw;
	size_t raw_length, raw_room;
};

/* --- Start and end. --- */

static int on_property(VTermProp p, VTermValue *value, void *user)
{
	struct vt *v = user;
	if (p == VTERM_PROP_ALTSCREEN)
		v->altscreen = value->boolean;
	if (p == VTERM_PROP_CURSORVISIBLE)
		v->cursor_visible = value->boolean;
	return 1;
}

static void on_output(const char *bytes, size_t n, void *user)
{
	vt_send(user, bytes, n);
}

static _Noreturn void child(const struct vt_options *o, const char *const argv[])
{
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setenv("TERM", o->term ? o->term : "xterm-256color", 1);
	setenv("LC_ALL", o->locale ? o->locale : "C.UTF-8", 1);
	setenv("LANG", o->locale ? o->locale : "C.UTF-8", 1);
	unsetenv("COLUMNS");
	unsetenv("LINES");
	for (const char *const *e = o->env; e && *e; e++)
		strchr(*e, '=') ? putenv((char *)*e) : unsetenv(*e);
	if (!o->dir || !chdir(o->dir))
		execvp(argv[0], (char *const *)argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static bool utf8_locale(const char *locale)
{
	return !locale || strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

struct vt *vt_start(const struct vt_options *o, const char *const argv[])
{
	static const struct vt_options plain;
	if (!o)
		o = &plain;
	struct vt *v = calloc(1, sizeof *v);
	assert_non_null(v);
	v->rows = o->rows ? o->rows : 24;
	v->cols = o->cols ? o->cols : 80;
	v->status = -1;
	v->cursor_visible = true;
	snprintf(v->name, sizeof v->name, "%s", o->term ? o->term : "xterm-256color");

	struct winsize ws = {.ws_row = (unsigned short)v->rows, .ws_col = (unsigned short)v->cols};
	if (o->no_size)
		ws = (struct winsize){0};
	if (openpty(&v->master, &v->slave, NULL, NULL, &ws))
		fail_msg("no pseudo-terminal: %s", strerror(errno));
	fcntl(v->master, F_SETFD, FD_CLOEXEC);
	fcntl(v->slave, F_SETFD, FD_CLOEXEC);
	fcntl(v->master, F_SETFL, O_NONBLOCK);
	fflush(NULL);
	v->pid = fork();
	if (v->pid < 0)
		fail_msg("fork: %s", strerror(errno));
	if (v->pid == 0) {
		if (login_tty(v->slave))
			_exit(126);
		child(o, argv);
	}
	v->pidfd = pidfd_open(v->pid, 0);
	if (v->pidfd < 0)
		fail_msg("pidfd_open: %s", strerror(errno));

	static const VTermScreenCallbacks callbacks = {.settermprop = on_property};
	v->term = vterm_new(v->rows, v->cols);
	assert_non_null(v->term);
	vterm_set_utf8(v->term, utf8_locale(o->locale));
	vterm_output_set_callback(v->term, on_output, v);
	v->screen = vterm_obtain_screen(v->term);
	vterm_screen_set_callbacks(v->screen, &callbacks, v);
	vterm_screen_enable_altscreen(v->screen, 1);
	vterm_screen_reset(v->screen, 1);
	return v;
}

static void reap(struct vt *v, int flags)
{
	int st;
	pid_t r;
	while ((r = waitpid(v->pid, &st, flags)) < 0 && errno == EINTR)
		;
	if (r == v->pid)
		v->status = WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

void vt_free(struct vt *v)
{
	if (!v)
		return;
	close(v->slave);
	close(v->master);
	if (v->status < 0) {
		struct pollfd p = {v->pidfd, POLLIN, 0};
		if (poll(&p, 1, 5000) <= 0)
			kill(v->pid, SIGKILL);
		reap(v, 0);
	}
	close(v->pidfd);
	vterm_free(v->term);
	free(v->raw);
	free(v);
}

/* --- Time. --- */

static void keep_raw(struct vt *v, const char *bytes, size_t n)
{
	if (v->raw_length + n + 1 > v->raw_room) {
		v->raw_room = (v->raw_length + n + 1) * 2;
		v->raw = realloc(v->raw, v->raw_room);
		assert_non_null(v->raw);
	}
	memcpy(v->raw + v->raw_length, bytes, n);
	v->raw_length += n;
	v->raw[v->raw_length] = 0;
}

/* Takes what the program has written; true when there was something. */
static bool feed(struct vt *v)
{
	char buf[65536];
	ssize_t n = read(v->master, buf, sizeof buf);
	if (n <= 0)
		return false;
	keep_raw(v, buf, (size_t)n);
	vterm_input_write(v->term, buf, (size_t)n);
	vterm_screen_flush_damage(v->screen);
	return true;
}

/* Waits for output or the program's end, at most that long; true when something came. */
static bool step(struct vt *v, double seconds)
{
	struct pollfd p[2] = {{v->master, POLLIN, 0}, {v->status < 0 ? v->pidfd : -1, POLLIN, 0}};
	if (seconds < 0)
		seconds = 0;
	if (poll(p, 2, (int)(seconds * 1000) + 1) <= 0)
		return false;
	bool some = feed(v);
	if (p[1].revents) {
		while (feed(v))
			;
		reap(v, WNOHANG);
		some = true;
	}
	return some;
}

bool vt_wait(struct vt *v, bool (*holds)(struct vt *v, void *arg), void *arg)
{
	double end = proc_now() + proc_patience();
	for (;;) {
		if (holds(v, arg))
			return true;
		if (v->status >= 0 && !feed(v))
			return holds(v, arg);
		double left = end - proc_now();
		if (left <= 0)
			return false;
		step(v, left < 1 ? left : 1);
	}
}

struct text_place {
	const char *text;
	int row;
};

static bool has_text(struct vt *v, void *arg)
{
	const char *text = arg;
	return vt_find(v, text, NULL, NULL);
}

static bool lacks_text(struct vt *v, void *arg)
{
	return !has_text(v, arg);
}

static bool row_has_text(struct vt *v, void *arg)
{
	const struct text_place *p = arg;
	return strstr(vt_row(v, p->row < 0 ? v->rows + p->row : p->row), p->text) != NULL;
}

bool vt_wait_text(struct vt *v, const char *text)
{
	return vt_wait(v, has_text, (void *)text);
}

bool vt_wait_gone(struct vt *v, const char *text)
{
	return vt_wait(v, lacks_text, (void *)text);
}

bool vt_wait_row(struct vt *v, int row, const char *text)
{
	struct text_place p = {text, row};
	return vt_wait(v, row_has_text, &p);
}

struct match_place {
	regex_t re;
	int row;
};

static bool matches(struct vt *v, void *arg)
{
	const struct match_place *m = arg;
	if (m->row != VT_ANY)
		return !regexec(&m->re, vt_row(v, m->row < 0 ? v->rows + m->row : m->row), 0, NULL,
				0);
	for (int r = 0; r < v->rows; r++)
		if (!regexec(&m->re, vt_row(v, r), 0, NULL, 0))
			return true;
	return false;
}

bool vt_wait_match(struct vt *v, int row, const char *ere)
{
	struct match_place m = {.row = row};
	if (regcomp(&m.re, ere, REG_EXTENDED | REG_NOSUB))
		fail_msg("bad regular expression: %s", ere);
	bool held = vt_wait(v, matches, &m);
	regfree(&m.re);
	return held;
}

static bool altscreen_is(struct vt *v, void *arg)
{
	return v->altscreen == *(bool *)arg;
}

bool vt_wait_altscreen(struct vt *v, bool on)
{
	return vt_wait(v, altscreen_is, &on);
}

static bool has_exited(struct vt *v, void *arg)
{
	(void)arg;
	return v->status >= 0;
}

bool vt_wait_exit(struct vt *v)
{
	bool held = vt_wait(v, has_exited, NULL);
	while (feed(v))
		;
	return held;
}

void vt_pump(struct vt *v, double seconds)
{
	double end = proc_now() + seconds;
	for (double left; (left = end - proc_now()) > 0;)
		step(v, left);
}

void vt_settle(struct vt *v, double quiet_seconds)
{
	double end = proc_now() + proc_patience();
	while (proc_now() < end && step(v, quiet_seconds))
		;
}

void vt_expect(struct vt *v, bool held, const char *what, const char *file, int line)
{
	if (held)
		return;
	vt_print(v, stdout);
	print_error("expected: %s\n", what);
	if (v->status >= 0)
		print_error("(the program has ended with status %d)\n", v->status);
	_fail(file, line);
}

/* --- The keyboard, the line. --- */

void vt_send(struct vt *v, const void *bytes, size_t n)
{
	const char *p = bytes;
	double end = proc_now() + proc_patience();
	while (n > 0 && proc_now() < end) {
		ssize_t w = write(v->master, p, n);
		if (w > 0) {
			p += w;
			n -= (size_t)w;
		} else if (errno == EAGAIN) {
			poll(&(struct pollfd){v->master, POLLOUT, 0}, 1, 100);
		} else if (errno != EINTR) {
			return;
		}
	}
}

void vt_type(struct vt *v, const char *text)
{
	vt_send(v, text, strlen(text));
}

/* Where a keyboard differs from what libvterm sends (which is xterm's); from terminfo. */
static const struct {
	const char *term, *key, *bytes;
} special_keys[] = {
	{"linux", "F1", "\033[[A"},  {"linux", "F2", "\033[[B"},    {"linux", "F3", "\033[[C"},
	{"linux", "F4", "\033[[D"},  {"linux", "F5", "\033[[E"},    {"linux", "home", "\033[1~"},
	{"linux", "end", "\033[4~"}, {"screen", "home", "\033[1~"}, {"screen", "end", "\033[4~"},
	{"tmux", "home", "\033[1~"}, {"tmux", "end", "\033[4~"},    {"vt100", "F5", "\033Ot"},
	{"vt100", "F6", "\033Ou"},   {"vt100", "F7", "\033Ov"},     {"vt100", "F8", "\033Ol"},
	{"vt100", "F9", "\033Ow"},   {"vt100", "F10", "\033Ox"},    {"", "backtab", "\033[Z"},
	{"", "esc", "\033"},
};

static const struct {
	const char *name;
	VTermKey key;
} named_keys[] = {
	{"up", VTERM_KEY_UP},        {"down", VTERM_KEY_DOWN},     {"left", VTERM_KEY_LEFT},
	{"right", VTERM_KEY_RIGHT},  {"home", VTERM_KEY_HOME},     {"end", VTERM_KEY_END},
	{"pgup", VTERM_KEY_PAGEUP},  {"pgdn", VTERM_KEY_PAGEDOWN}, {"ins", VTERM_KEY_INS},
	{"del", VTERM_KEY_DEL},      {"enter", VTERM_KEY_ENTER},   {"tab", VTERM_KEY_TAB},
	{"bs", VTERM_KEY_BACKSPACE},
};

void vt_key(struct vt *v, const char *name)
{
	for (size_t i = 0; i < sizeof special_keys / sizeof *special_keys; i++) {
		const char *term = special_keys[i].term;
		if (!strncmp(v->name, term, strlen(term)) && !strcmp(name, special_keys[i].key)) {
			vt_type(v, special_keys[i].bytes);
			return;
		}
	}
	if (name[0] == '^' && name[1] >= 'A' && name[1] <= 'Z' && !name[2]) {
		vt_send(v, &(char){(char)(name[1] & 0x1f)}, 1);
		return;
	}
	if (name[0] == 'F') {
		int n = atoi(name + 1);
		vterm_keyboard_key(v->term, (VTermKey)VTERM_KEY_FUNCTION(n), VTERM_MOD_NONE);
		return;
	}
	for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
		if (!strcmp(named_keys[i].name, name)) {
			vterm_keyboard_key(v->term, named_keys[i].key, VTERM_MOD_NONE);
			return;
		}
	fail_msg("no such key: %s", name);
}

void vt_resize(struct vt *v, int rows, int cols)
{
	/* What is under way belongs to the old size. */
	while (feed(v))
		;
	v->rows = rows;
	v->cols = cols;
	vterm_set_size(v->term, rows, cols);
	struct winsize ws = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};
	ioctl(v->master, TIOCSWINSZ, &ws);
}

void vt_signal(struct vt *v, int sig)
{
	if (v->status < 0)
		kill(v->pid, sig);
}

/* --- What is on the screen. --- */

int vt_rows(const struct vt *v)
{
	return v->rows;
}

int vt_cols(const struct vt *v)
{
	return v->cols;
}

static int colour(VTermColor c, bool background)
{
	if (background ? VTERM_COLOR_IS_DEFAULT_BG(&c) : VTERM_COLOR_IS_DEFAULT_FG(&c))
		return VT_DEFAULT;
	if (VTERM_COLOR_IS_INDEXED(&c))
		return c.indexed.idx;
	return 0x1000000 | c.rgb.red << 16 | c.rgb.green << 8 | c.rgb.blue;
}

struct vt_cell vt_cell(struct vt *v, int row, int col)
{
	VTermScreenCell c;
	memset(&c, 0, sizeof c);
	if (row < 0 || col < 0 || row >= v->rows || col >= v->cols ||
	    !vterm_screen_get_cell(v->screen, (VTermPos){row, col}, &c))
		return (struct vt_cell){.ch = ' ', .width = 1, .fg = VT_DEFAULT, .bg = VT_DEFAULT};
	return (struct vt_cell){
		.ch = c.chars[0] && c.chars[0] != (uint32_t)-1 ? c.chars[0] : ' ',
		.width = c.width > 0 ? c.width : 1,
		.fg = colour(c.fg, false),
		.bg = colour(c.bg, true),
		.bold = c.attrs.bold,
		.underline = c.attrs.underline != VTERM_UNDERLINE_OFF,
		.reverse = c.attrs.reverse,
		.blink = c.attrs.blink,
	};
}

static size_t put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(c | (n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0));
	return n;
}

/* The row as UTF-8 into out; the byte offset of each column into at, when wanted. */
static size_t row_text(struct vt *v, int row, char *out, size_t *at)
{
	size_t n = 0, end = 0;
	for (int col = 0; col < v->cols;) {
		struct vt_cell c = vt_cell(v, row, col);
		for (int i = 0; at && i < c.width && col + i < v->cols; i++)
			at[col + i] = n;
		n += put_utf8(out + n, c.ch);
		if (c.ch != ' ')
			end = n;
		col += c.width;
	}
	out[end] = 0;
	return end;
}

const char *vt_row(struct vt *v, int row)
{
	static char *line[8];
	static unsigned turn;
	char **l = &line[turn++ % 8];
	*l = realloc(*l, (size_t)v->cols * UTF8_MAX + 1);
	assert_non_null(*l);
	row_text(v, row, *l, NULL);
	return *l;
}

bool vt_find(struct vt *v, const char *text, int *row, int *col)
{
	char *line = malloc((size_t)v->cols * UTF8_MAX + 1);
	size_t *at = malloc((size_t)v->cols * sizeof *at);
	bool found = false;
	assert_non_null(line);
	assert_non_null(at);
	for (int r = 0; r < v->rows && !found; r++) {
		row_text(v, r, line, at);
		char *p = strstr(line, text);
		if (!p)
			continue;
		found = true;
		int c = 0;
		while (c < v->cols - 1 && at[c] < (size_t)(p - line))
			c++;
		if (row)
			*row = r;
		if (col)
			*col = c;
	}
	free(line);
	free(at);
	return found;
}

int vt_colours(struct vt *v)
{
	struct pair {
		int fg, bg;
	} seen[256];
	int n = 0;
	for (int r = 0; r < v->rows; r++)
		for (int col = 0; col < v->cols; col++) {
			struct vt_cell c = vt_cell(v, r, col);
			int i = 0;
			if (c.fg == VT_DEFAULT && c.bg == VT_DEFAULT)
				continue;
			while (i < n && (seen[i].fg != c.fg || seen[i].bg != c.bg))
				i++;
			if (i == n && n < 256)
				seen[n++] = (struct pair){c.fg, c.bg};
		}
	return n;
}

uint64_t vt_hash(struct vt *v)
{
	uint64_t h = 0xcbf29ce484222325ull; /* FNV-1a, by words */
	for (int r = 0; r < v->rows; r++)
		for (int col = 0; col < v->cols; col++) {
			struct vt_cell c = vt_cell(v, r, col);
			uint64_t word[] = {c.ch, (uint64_t)c.fg, (uint64_t)c.bg,
					   (uint64_t)(c.bold | c.underline << 1 | c.reverse << 2 |
						      c.blink << 3)};
			for (size_t i = 0; i < sizeof word / sizeof *word; i++)
				h = (h ^ word[i]) * 0x100000001b3ull;
		}
	return h;
}

void vt_print(struct vt *v, FILE *out)
{
	fprintf(out, "# %dx%d, TERM=%s%s\n", v->cols, v->rows, v->name,
		v->altscreen ? ", alternate screen" : "");
	for (int r = 0; r < v->rows; r++)
		fprintf(out, "# |%s\n", vt_row(v, r));
	fflush(out);
}

static void shot_colour(struct vt *v, FILE *f, VTermColor c, bool background)
{
	if (colour(c, background) == VT_DEFAULT) {
		fputs("null", f);
		return;
	}
	int index = VTERM_COLOR_IS_INDEXED(&c) ? c.indexed.idx : -1;
	vterm_screen_convert_color_to_rgb(v->screen, &c);
	fprintf(f, "[%d,%d,%d,%d]", c.rgb.red, c.rgb.green, c.rgb.blue, index);
}

static void shot_cell(struct vt *v, FILE *f, int row, int col)
{
	struct vt_cell c = vt_cell(v, row, col);
	VTermScreenCell raw;
	char text[UTF8_MAX + 1];

	if (c.ch == ' ' && !c.reverse && !c.underline && c.bg == VT_DEFAULT)
		return;
	vterm_screen_get_cell(v->screen, (VTermPos){row, col}, &raw);
	text[put_utf8(text, c.ch)] = 0;
	fprintf(f, "{\"r\":%d,\"c\":%d,\"t\":\"%s%s\",\"a\":\"%s%s%s%s\",\"fg\":", row, col,
		c.ch == '"' || c.ch == '\\' ? "\\" : "", text, c.bold ? "b" : "",
		c.underline ? "u" : "", c.reverse ? "r" : "", c.blink ? "k" : "");
	shot_colour(v, f, raw.fg, false);
	fputs(",\"bg\":", f);
	shot_colour(v, f, raw.bg, true);
	fputs("}\n", f);
}

void vt_shot(struct vt *v, const char *name)
{
	const char *dir = getenv("LUNSCOPE_SHOTS");
	char path[4096];
	int row, col;
	bool visible;

	if (!dir || !*dir)
		return;
	snprintf(path, sizeof path, "%s/%s.json", dir, name);
	FILE *f = fopen(path, "we");
	if (!f)
		fail_msg("%s: %s", path, strerror(errno));
	vt_cursor(v, &row, &col, &visible);
	fprintf(f, "{\"rows\":%d,\"cols\":%d,\"cursor\":[%d,%d,%d]}\n", v->rows, v->cols, row, col,
		visible);
	for (int r = 0; r < v->rows; r++)
		for (int c = 0; c < v->cols; c += vt_cell(v, r, c).width)
			shot_cell(v, f, r, c);
	fclose(f);
}

/* --- The state around it. --- */

pid_t vt_pid(const struct vt *v)
{
	return v->pid;
}

bool vt_altscreen(const struct vt *v)
{
	return v->altscreen;
}

void vt_cursor(struct vt *v, int *row, int *col, bool *visible)
{
	VTermPos p;
	vterm_state_get_cursorpos(vterm_obtain_state(v->term), &p);
	*row = p.row;
	*col = p.col;
	*visible = v->cursor_visible;
}

void vt_termios(struct vt *v, struct termios *t)
{
	if (tcgetattr(v->slave, t))
		fail_msg("tcgetattr: %s", strerror(errno));
}

bool vt_line_sane(struct vt *v)
{
	struct termios t;
	vt_termios(v, &t);
	tcflag_t want = ICANON | ECHO | ISIG | IEXTEN;
	return (t.c_lflag & want) == want && t.c_iflag & ICRNL && t.c_oflag & OPOST &&
	       t.c_oflag & ONLCR;
}

bool vt_exited(struct vt *v)
{
	if (v->status < 0)
		step(v, 0);
	return v->status >= 0;
}

int vt_status(struct vt *v)
{
	vt_exited(v);
	return v->status;
}

const char *vt_raw(const struct vt *v, size_t *n)
{
	*n = v->raw_length;
	return v->raw ? v->raw : "";
}

void vt_forget(struct vt *v)
{
	v->raw_length = 0;
	if (v->raw)
		*v->raw = 0;
}
