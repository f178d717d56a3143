/* term-demo.c - the terminal by itself: every style and every glyph table on one screen, and what the
 * keys were. For looking at a theme on a real terminal, and for driving term.c from a harness.
 *
 *     tests/term-demo [THEME]
 *     q quits, ^C too; c crashes (SIGSEGV), a aborts, t a crash in another thread, e prints on stderr
 */
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "ui/glyph.h"
#include "ui/term.h"

struct demo {
	struct canvas canvas;
	struct theme theme;
	enum glyph_level level;
	char keys[200];
	long bytes;
	bool typing;
};

static void draw_styles(struct canvas *c, struct rect r)
{
	for (int s = 0; s < ST_COUNT; s++)
		canvas_printf(c, r, 2 + s / 4, s % 4 * 20, (enum style)s, "%-18s",
			      style_name((enum style)s));
}

static void draw_glyphs(struct canvas *c, struct rect r, int row, const struct glyphs *g)
{
	int col = canvas_printf(c, r, row, 0, ST_LABEL, "%-8s", g->name);

	for (int i = 0; i <= g->fill_steps; i++)
		canvas_put(c, r, row, col++, g->fill[i], ST_READ);
	for (int i = 0; i <= g->fill_steps; i++)
		canvas_put(c, r, row, col++, g->fill[i], ST_WRITE);
	col++;
	for (int i = 0; i <= g->bar_steps; i++)
		canvas_put(c, r, row, col++, g->bar[i], ST_TOTAL);
	col++;
	for (int i = 0; i < 5; i++)
		canvas_put(c, r, row, col++, g->shade[i], ST_TOTAL);
	col++;
	for (const uint32_t *p = &g->hline; p <= &g->cursor; p++)
		canvas_put(c, r, row, col++, *p, ST_RULE);
	canvas_printf(c, r, row, col + 1, ST_NORMAL, "%s%s%s%s", g->micro, g->arrow, g->times,
		      g->dots);
}

static void draw(struct demo *d)
{
	struct canvas *c = &d->canvas;
	struct rect r;
	int rows, cols;

	term_size(&rows, &cols);
	canvas_resize(c, rows, cols);
	r = canvas_rect(c);
	canvas_printf(c, r, 0, 0, ST_TITLE, "size %dx%d palette %d level %s fkeys %d bytes %ld",
		      cols, rows, (int)term_palette(), glyph_table[d->level].name, term_has_fkeys(),
		      d->bytes);
	canvas_printf(c, r, 1, 0, ST_VALUE, "keys %s", d->keys);
	draw_styles(c, r);
	for (int level = 0; level < GL_COUNT; level++)
		draw_glyphs(c, r, 10 + level, &glyph_table[level]);
	canvas_text(c, r, 17, 0, "世蓮 e\xcc\x81 µ × → \xff end", ST_NORMAL);
	canvas_text(c, r, 18, cols - 3, "世蓮", ST_NORMAL);
	canvas_put(c, r, rows - 1, cols - 1, '$', ST_MARK);
	c->cursor_row = 1;
	c->cursor_col = 5;
	c->cursor_visible = d->typing;
	d->bytes = term_blit(c);
}

static void *crash_elsewhere(void *none)
{
	(void)none;
	abort();
}

/* False: the end. */
static bool act(struct demo *d, int key)
{
	size_t used = strlen(d->keys);
	pthread_t t;

	switch (key) {
	case 'q':
	case K_INTERRUPT: return false;
	case 'c': raise(SIGSEGV); break;
	case 'a': abort();
	case 't': pthread_create(&t, NULL, crash_elsewhere, NULL); break;
	case 'e': fprintf(stderr, "said while the screen was up\n"); break;
	case 'v': d->typing = !d->typing; break;
	case K_REDRAW: term_repaint(); break;
	}
	if (used > sizeof(d->keys) - 20)
		used = 0;
	snprintf(d->keys + used, sizeof(d->keys) - used, "%x ", (unsigned)key);
	return true;
}

static int loop(struct demo *d, int signals)
{
	struct pollfd p[] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
	struct signalfd_siginfo si;

	for (;;) {
		if (term_resumed())
			term_resized();
		draw(d);
		if (d->bytes == -EIO || (p[0].revents & (POLLHUP | POLLERR)))
			return 1;
		if (poll(p, 2, 1000) < 0)
			continue;
		while (p[1].revents && read(signals, &si, sizeof(si)) == sizeof(si)) {
			if (si.ssi_signo != SIGWINCH)
				return 128 + (int)si.ssi_signo;
			term_resized();
		}
		for (int key; (key = term_key()) != KEY_NONE;)
			if (!act(d, key))
				return 0;
	}
}

int main(int argc, char **argv)
{
	struct demo d = {.theme = theme_builtin};
	sigset_t caught;
	struct error e;
	int status;

	setlocale(LC_ALL, "");
	if (argc > 1 && theme_load(&d.theme, argv[1], &e) < 0) {
		fprintf(stderr, "term-demo: %s\n", e.text);
		return 2;
	}
	sigemptyset(&caught);
	sigaddset(&caught, SIGWINCH);
	sigaddset(&caught, SIGINT);
	sigaddset(&caught, SIGTERM);
	sigaddset(&caught, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &caught, NULL);
	if (term_start(COLOUR_AUTO, &e) < 0) {
		fprintf(stderr, "term-demo: %s\n", e.text);
		return 2;
	}
	term_set_theme(&d.theme);
	d.level = glyph_detect(STDOUT_FILENO, getenv("TERM"), term_utf8());
	status = loop(&d, signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK));
	term_stop();
	printf("last frame %ld bytes\n", d.bytes);
	canvas_free(&d.canvas);
	return status;
}
