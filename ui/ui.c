/* ui.c - the loop of the live screen: one thread, one poll, eight things to wait for.
 *
 * stdin (keys), the run's eventfd (new figures), a timerfd (the frame clock), a signalfd and the ends of four
 * jobs. New figures only mark the picture as old; the clock draws it. A key draws at once, though never more
 * often than due.h allows, so that a held key can't flood a slow line.
 *
 * SIGTSTP stays with curses' own handler, in this thread only: doupdate() ignores it for a moment
 * around every update, which would throw away one that waits in a signalfd.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#include "due.h"
#include "key.h"
#include "line.h"
#include "mouse.h"
#include "quiet_kernel.h"
#include "run.h"
#include "screen.h"
#include "stall.h"
#include "state.h"
#include "term.h"
#include "turns.h"
#include "ui.h"
#include "unblock.h"

#define FPS_DEFAULT  4.0
#define FPS_LEAST    0.1
#define FPS_MOST     30.0
#define SLOW_BYTES_S 4000 /* below it the parts of a key come one by one */

struct loop {
	struct ui_state state;
	struct canvas canvas;
	int timer_fd, signal_fd;
	bool auto_level;            /* the glyph level follows the terminal */
	enum glyph_level found;     /* what that said last */
	struct font font;           /* a kernel console's, else empty */
	struct due due;             /* the next frame */
	struct line line;           /* to the terminal */
	struct turns turns;         /* of its panes on the slowest */
	struct stall stall;         /* of the terminal */
	unsigned setup_serial;      /* what was taken over of the setup */
	unsigned theme_serial;      /* what the terminal was told */
	uint64_t cpu_ns, cpu_at_ns; /* this thread's CPU time, and when it was read */
	int ended_by;               /* a signal's number */
	bool gone;                  /* the terminal has */
};

/* Whichever of them comes, from wherever, ends the program. */
static void end_set(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGQUIT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static void signal_set(sigset_t *set)
{
	end_set(set);
	sigaddset(set, SIGWINCH);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGPIPE);
}

void ui_block_signals(void)
{
	sigset_t set;

	signal_set(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void take_suspend(bool take)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	pthread_sigmask(take ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL);
}

/* --- Frames --- */

static uint64_t thread_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Once a second or less often, so that the share isn't that of a single frame. */
static void measure_self(struct loop *l, uint64_t now)
{
	uint64_t cpu = thread_cpu_ns();

	if (l->state.run)
		run_report_ui_cpu(l->state.run, cpu);
	if (now - l->cpu_at_ns < NS_PER_SEC)
		return;
	l->state.gather.view.ui_cpu_share =
		(double)(cpu - l->cpu_ns) / (double)(now - l->cpu_at_ns);
	l->cpu_ns = cpu;
	l->cpu_at_ns = now;
}

static int set_clock(const struct loop *l, double fps)
{
	if (fps <= 0)
		fps = FPS_DEFAULT;
	uint64_t ns = (uint64_t)((double)NS_PER_SEC / fmin(fmax(fps, FPS_LEAST), FPS_MOST));
	struct timespec t = {(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};
	const struct itimerspec it = {t, t};

	return timerfd_settime(l->timer_fd, 0, &it, NULL);
}

/* Somebody may have loaded another font. What --glyphs or the operator's G has chosen stays. */
static void choose_glyphs(struct loop *l)
{
	struct view *v = &l->state.gather.view;
	struct glyph_terminal t = {.term = getenv("TERM"),
				   .utf8 = term_utf8(),
				   .line_drawing = term_has_line_drawing(),
				   .console = glyph_is_console(STDOUT_FILENO),
				   .font = &l->font};
	bool follow = l->auto_level && v->level == l->found;

	font_free(&l->font);
	if (t.console)
		font_read(&l->font, STDOUT_FILENO);
	l->found = glyph_choose(&t);
	if (!follow)
		return;
	v->level = l->found;
	v->g = &glyph_table[v->level];
}

/* What the setup screen has changed and only the loop can. */
static void take_setup(struct loop *l)
{
	const struct setup *s = &l->state.setup;
	struct view *v = &l->state.gather.view;
	struct error e;

	l->setup_serial = l->state.setup_serial;
	l->auto_level = s->level >= GL_COUNT;
	if (l->auto_level) {
		v->level = l->found;
		v->g = &glyph_table[v->level];
	}
	term_set_colour(s->colour);
	term_set_theme(&l->state.theme);
	l->line.fps = s->fps;
	set_clock(l, s->fps);
	if (!s->quiet_kernel)
		quiet_kernel_end();
	else if (quiet_kernel_begin(&e))
		state_say(&l->state, true, "%s", e.text);
	if (term_set_mouse(s->mouse) != s->mouse)
		state_say(&l->state, true, "TERM=%s has no mouse, by its terminfo.",
			  getenv("TERM"));
}

static void prepare_terminal(struct loop *l)
{
	if (l->theme_serial != l->state.theme_serial) {
		l->theme_serial = l->state.theme_serial;
		term_set_theme(&l->state.theme);
	}
	if (l->setup_serial != l->state.setup_serial)
		take_setup(l);
	if (l->state.repaint) {
		l->state.repaint = false;
		term_repaint();
	}
}

/* Nothing waits for the terminal but the screen itself; when it is back, the record says how long. */
static void note_stall(struct loop *l, uint64_t began, long bytes)
{
	uint64_t lost = stall_note(&l->stall, l->line.bytes_s, began, clock_ns(), bytes);
	char text[64];

	/* Not the terminal was in the way when all of the program was stopped. */
	if (lost < STALL_TOLD_NS || !l->state.run || term_stopped())
		return;
	snprintf(text, sizeof(text), "screen was blocked %.1f s", (double)lost / 1e9);
	run_tell(l->state.run, text);
}

static void note_bytes(struct loop *l, double bytes, bool regular)
{
	char words[160];

	l->state.gather.view.frame_bytes += (bytes - l->state.gather.view.frame_bytes) / 8;
	if (!line_drew(&l->line, clock_ns(), bytes, regular))
		return;
	l->state.gather.view.sweep |= l->line.stage >= LINE_SWEEP;
	state_say(&l->state, false, "%s", line_words(words, sizeof(words), &l->line));
}

static void draw(struct loop *l, uint64_t now)
{
	bool regular = due_begin(&l->due, now);
	int rows, cols;

	state_update(&l->state, now);
	term_size(&rows, &cols);
	if (canvas_resize(&l->canvas, rows, cols))
		return;
	prepare_terminal(l);
	screen_draw(&l->canvas, &l->state);
	font_fit(&l->font, &l->canvas);
	if (l->line.stage >= LINE_IN_TURN)
		turns_take(&l->turns, &l->canvas, &l->state.layout, l->state.zoom,
			   !regular || dialog_active(&l->state.dialogs));
	uint64_t began = clock_ns();
	long bytes = term_blit(&l->canvas);
	if (bytes == -EAGAIN)
		due_left_out(&l->due, regular); /* not queued: a later tick tries again */
	else if (bytes < 0)
		l->gone = true;
	else
		note_bytes(l, (double)bytes, regular);
	note_stall(l, began, bytes);
	measure_self(l, now);
}

/* --- Events --- */

static void ask(struct loop *l)
{
	due_ask(&l->due);
}

static void signal_event(struct loop *l, const struct signalfd_siginfo *si)
{
	switch (si->ssi_signo) {
	case SIGWINCH:
		term_resized();
		ask(l);
		break;
	case SIGINT:
		/* From the keyboard it is a key; from elsewhere it is an order. */
		if (si->ssi_code == SI_KERNEL)
			state_key(&l->state, K_INTERRUPT);
		else
			l->ended_by = SIGINT;
		ask(l);
		break;
	case SIGQUIT:
	case SIGTERM:
	case SIGHUP: l->ended_by = (int)si->ssi_signo; break;
	case SIGPIPE: break; /* the write that caused it reports it */
	}
}

static void read_signals(struct loop *l)
{
	struct signalfd_siginfo si;

	while (read(l->signal_fd, &si, sizeof(si)) == (ssize_t)sizeof(si))
		signal_event(l, &si);
}

/* A terminal that has gone away is readable for ever and gives nothing. */
static bool at_end_of_input(void)
{
	int waiting = 0;

	return ioctl(STDIN_FILENO, FIONREAD, &waiting) < 0 || waiting == 0;
}

/* On a console, what has to be drawn over is mostly the kernel's. */
static void tell_of_kernel(struct loop *l)
{
	const char *name = getenv("TERM");
	bool console = name && (strncmp(name, "linux", 5) == 0 || strncmp(name, "vt", 2) == 0);

	if (console && !l->state.setup.quiet_kernel)
		state_say(&l->state, false,
			  "Drawn anew. Messages of the kernel: %s or --quiet-kernel keeps them off "
			  "the console.",
			  action_key(ACT_SETUP));
}

/* What lies under it now: a key or click just before may have changed what is to be drawn. */
static void read_mouse(struct loop *l)
{
	struct mouse_event m = term_mouse();

	if (l->due.dirty)
		screen_draw(&l->canvas, &l->state);
	state_mouse(&l->state, &l->canvas, &m, clock_ns());
}

static void take_keys(struct loop *l)
{
	for (int key; !l->state.quit && (key = term_key()) != KEY_NONE;) {
		if (key == K_REDRAW)
			choose_glyphs(l);
		if (key == K_MOUSE)
			read_mouse(l);
		else
			state_key(&l->state, key);
		if (key == K_REDRAW)
			tell_of_kernel(l);
		ask(l);
	}
}

static void read_keys(struct loop *l, short events)
{
	if ((events & (POLLHUP | POLLERR | POLLNVAL)) || at_end_of_input())
		l->gone = true;
	else
		take_keys(l);
}

static void drain(int fd)
{
	uint64_t n;

	while (read(fd, &n, sizeof(n)) == (ssize_t)sizeof(n))
		;
}

static void wait_for_event(struct loop *l)
{
	struct pollfd p[] = {
		{STDIN_FILENO, POLLIN, 0},
		{l->timer_fd, POLLIN, 0},
		{l->signal_fd, POLLIN, 0},
		{l->state.run ? run_event_fd(l->state.run) : -1, POLLIN, 0},
		{state_job_fd(&l->state), POLLIN, 0},
		{state_compare_fd(&l->state), POLLIN, 0},
		{state_ab_fd(&l->state), POLLIN, 0},
		{state_bench_fd(&l->state), POLLIN, 0},
	};

	int ready = poll(p, sizeof(p) / sizeof(*p), due_wait_ms(&l->due, clock_ns()));
	/* Suspended and back: the size and even the font may have changed while nobody looked. */
	if (term_resumed()) {
		term_resized();
		choose_glyphs(l);
		ask(l);
	}
	if (ready <= 0)
		return;
	if (p[3].revents) {
		drain(p[3].fd);
		state_pilot_tick(&l->state);
		state_ab_tick(&l->state);
		l->due.stale = true;
	}
	if (p[4].revents) {
		state_job_look(&l->state);
		ask(l);
	}
	if (p[5].revents || p[7].revents)
		ask(l);
	if (p[6].revents) {
		state_ab_tick(&l->state);
		ask(l);
	}
	if (p[2].revents)
		read_signals(l);
	if (p[0].revents)
		read_keys(l, p[0].revents);
	if (p[1].revents) {
		drain(l->timer_fd);
		/* On a console it may come by a way of curses' own, which poll can't see. */
		if (l->state.setup.mouse)
			take_keys(l);
		/* Dialogs wait for jobs, and messages for their end: both without new figures. */
		bool due = l->due.stale || dialog_active(&l->state.dialogs) ||
			   l->state.gather.view.message[0];
		if (due && line_ready(&l->line, clock_ns()))
			l->due.dirty = true;
	}
}

static void run_loop(struct loop *l)
{
	l->due.dirty = true;
	while (!l->state.quit && !l->ended_by && !l->gone) {
		uint64_t now = clock_ns();
		if (due_now(&l->due, now))
			draw(l, now);
		wait_for_event(l);
	}
	if (l->gone && !l->ended_by)
		l->ended_by = SIGHUP;
	if (l->ended_by) {
		unblock_ending();
		l->state.host->interrupt(l->state.host->ctx, l->ended_by);
	}
}

/* --- Beginning and end --- */

static int open_clock(struct loop *l, double fps, struct error *e)
{
	l->timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (l->timer_fd < 0 || set_clock(l, fps))
		return error_errno(e, errno, "the screen's frame clock (timerfd)");
	return 0;
}

static int open_signals(struct loop *l, struct error *e)
{
	sigset_t set, ends;

	signal_set(&set);
	ui_block_signals();
	end_set(&ends);
	unblock_start(&ends);
	l->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return l->signal_fd < 0 ? error_errno(e, errno, "the screen's signals (signalfd)") : 0;
}

static int start_terminal(struct loop *l, const struct ui_config *c, struct error *e)
{
	l->line.fps = c->fps > 0 ? c->fps : FPS_DEFAULT;
	l->line.bytes_s = c->baud > 0 ? line_speed_of(c->baud) : line_speed(STDOUT_FILENO);
	const struct term_options o = {
		.colour = c->colour,
		.slow = l->line.bytes_s > 0 && l->line.bytes_s < SLOW_BYTES_S,
		.no_sync = c->no_sync,
		.quiet_kernel = c->quiet_kernel,
		.mouse = c->mouse,
	};
	return term_start(&o, e);
}

static int start(struct loop *l, const struct ui_config *c, struct error *e)
{
	int rc = state_init(&l->state, c, e);

	if (rc == 0)
		rc = open_clock(l, c->fps, e);
	if (rc == 0)
		rc = open_signals(l, e);
	if (rc == 0 && c->no_rep)
		term_no_rep();
	if (rc == 0)
		rc = start_terminal(l, c, e);
	if (rc)
		return rc;
	l->state.utf8 = term_utf8();
	l->state.fkeys = term_has_fkeys();
	l->auto_level = c->level >= GL_COUNT;
	l->found = l->state.gather.view.level;
	choose_glyphs(l);
	term_set_theme(&l->state.theme);
	l->cpu_ns = thread_cpu_ns();
	l->cpu_at_ns = clock_ns();
	take_suspend(true);
	return 0;
}

static void finish(struct loop *l, struct ui_config *c)
{
	take_suspend(false);
	term_stop();
	if (l->timer_fd >= 0)
		close(l->timer_fd);
	if (l->signal_fd >= 0)
		close(l->signal_fd);
	canvas_free(&l->canvas);
	turns_free(&l->turns);
	font_free(&l->font);
	c->flips = state_take_flips(&l->state);
	state_free(&l->state);
	c->target_in_use = l->state.target_in_use;
	free(l);
}

int ui_check(const struct ui_config *c, struct error *e)
{
	struct theme *t = malloc(sizeof(*t));
	int rc = t ? term_check(e) : error_set(e, ENOMEM, "no memory for the screen");

	if (rc == 0 && c->theme)
		rc = theme_load(t, c->theme, e);
	if (rc == 0 && c->quiet_kernel)
		rc = quiet_kernel_check(e);
	free(t);
	return rc;
}

int ui_run(struct ui_config *c, struct error *e)
{
	struct loop *l = calloc(1, sizeof(*l));

	if (!l) {
		baseline_free(c->baseline);
		return error_set(e, ENOMEM, "no memory for the screen");
	}
	l->timer_fd = l->signal_fd = -1;
	int rc = start(l, c, e);
	if (rc == 0) {
		run_loop(l);
		rc = l->ended_by;
		c->discard = l->state.discard && !l->ended_by;
		c->leave = l->state.leave || l->ended_by;
	}
	finish(l, c);
	return rc;
}
