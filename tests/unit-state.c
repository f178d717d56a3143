/* unit-state.c - keys on the main screen, over a real run on the null: target: what they do to the
 * workload, the focus, the picture. No terminal is involved.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "knob.h"
#include "run.h"
#include "target.h"
#include "tests/sessions-fixture.h"
#include "ui/key.h"
#include "ui/screen.h"
#include "ui/state.h"

/* --- A host as the live command is one, on targets that need no disk. --- */

struct host {
	struct ui_host ops;
	struct run *run;
	struct target *target;
	int opened, asked_to_write;
	char typed[64];
	atomic_bool held;  /* an opening waits until it is cancelled */
	atomic_int closed; /* targets that nobody wanted */
	bool refuse_run;
};

static int open_target(void *ctx, const char *spec, uint64_t create_size,
		       const struct backend_login *login, struct create_progress *progress,
		       struct target **target, struct error *e)
{
	struct host *h = ctx;
	struct target_options o = {
		.create_size = create_size, .login = login, .progress = progress};

	while (atomic_load(&h->held) && !create_progress_cancelled(progress))
		usleep(1000);
	*target = malloc(sizeof(**target));
	assert_non_null(*target);
	int rc = target_open(*target, spec, &o, e);
	if (rc) {
		free(*target);
		*target = NULL;
	}
	return rc;
}

static void close_target(void *ctx, struct target *t)
{
	struct host *h = ctx;

	target_unmake(t);
	target_close(t);
	free(t);
	atomic_fetch_add(&h->closed, 1);
}

static void end_run(struct host *h)
{
	struct summary s;

	if (!h->run)
		return;
	run_stop(h->run, "done", &s);
	run_destroy(h->run);
	target_close(h->target);
	free(h->target);
	h->run = NULL;
}

static int begin_run(void *ctx, struct target *target, const struct workload *w, struct run **run,
		     struct error *e)
{
	struct host *h = ctx;
	struct run_config c = {.workload = *w, .no_store = true, .command = "", .status = "live"};

	if (h->refuse_run)
		return error_set(e, EINVAL, "this test begins no run");
	if (!target_limits(target).may_write)
		c.workload.read_pct = 100;
	int rc = run_create(run, target, &c, e);
	if (rc)
		return rc;
	end_run(h);
	h->run = *run;
	h->target = target;
	h->opened++;
	return 0;
}

/* Both at once, as before the screen is there. */
static int open_run(struct host *h, const char *spec, const struct workload *w, struct run **run,
		    struct target **target, struct error *e)
{
	struct create_progress progress = {0};
	int rc = open_target(h, spec, 0, NULL, &progress, target, e);

	return rc ? rc : begin_run(h, *target, w, run, e);
}

static int refuse_to_write(void *ctx, const struct guard_report *r, const char *typed,
			   struct error *e)
{
	struct host *h = ctx;

	(void)r;
	h->asked_to_write++;
	snprintf(h->typed, sizeof(h->typed), "%s", typed ? typed : "");
	return error_set(e, EPERM, "this test allows no writes");
}

static void command(void *ctx, char *out, size_t n)
{
	(void)ctx;
	snprintf(out, n, "lunscope run null: --outstanding 8");
}

struct fixture {
	struct host host;
	struct ui_state s;
};

static void init(struct fixture *f, const char *spec, struct workload w)
{
	struct ui_config c = {.host = &f->host.ops, .workload = w, .version = "1.0"};
	struct error e;

	f->host.ops = (struct ui_host){
		.ctx = &f->host,
		.open_target = open_target,
		.close_target = close_target,
		.begin_run = begin_run,
		.allow_write = refuse_to_write,
		.command = command,
	};
	if (spec) {
		assert_int_equal(open_run(&f->host, spec, &w, &c.run, &c.target, &e), 0);
	}
	assert_int_equal(state_init(&f->s, &c, &e), 0);
	state_resize(&f->s, 43, 132);
}

static int setup(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct workload w = workload_default();

	if (!f)
		return -1;
	/* Slow enough that the null target doesn't take a processor for itself. */
	w.rate_iops = 2000;
	init(f, "null:", w);
	*state = f;
	return 0;
}

static int setup_without_a_target(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));

	if (!f)
		return -1;
	init(f, NULL, workload_default());
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	state_free(&f->s);
	end_run(&f->host);
	free(f);
	return 0;
}

static struct workload now(struct fixture *f)
{
	return run_workload(f->s.run);
}

static const char *message(struct fixture *f)
{
	return f->s.gather.view.message;
}

static void keys(struct fixture *f, const char *text)
{
	for (; *text; text++)
		state_key(&f->s, *text);
}

/* What the loop does while a job is on. */
static void settle(struct fixture *f)
{
	while (f->s.job) {
		struct pollfd p = {state_job_fd(&f->s), POLLIN, 0};
		assert_int_equal(poll(&p, 1, 30000), 1);
		state_job_look(&f->s);
	}
}

/* Waits for a snapshot newer than seq. */
static void wait_for_news(struct run *run, uint64_t seq)
{
	struct snapshot *snap = malloc(sizeof(*snap));
	struct pollfd p = {run_event_fd(run), POLLIN, 0};
	uint64_t n;

	assert_non_null(snap);
	for (run_snapshot(run, snap); snap->seq <= seq; run_snapshot(run, snap)) {
		assert_int_equal(poll(&p, 1, 10000), 1);
		assert_int_equal(read(p.fd, &n, sizeof(n)), sizeof(n));
	}
	free(snap);
}

/* --- Knobs --- */

static void every_knob_letter_steps_its_knob(void **state)
{
	struct fixture *f = *state;

	for (int k = 0; k < KNOB_COUNT; k++) {
		for (int up = 0; up < 2; up++) {
			struct workload before = now(f);
			struct workload want = knob_step(before, (enum knob)k, up ? 1 : -1, false,
							 f->host.target->logical_block);
			char expected[32], got[32];
			struct workload after;
			state_key(&f->s, up ? knobs[k].key_up : knobs[k].key_down);
			after = now(f);
			knob_format(expected, sizeof(expected), &want, (enum knob)k);
			knob_format(got, sizeof(got), &after, (enum knob)k);
			assert_string_equal(got, expected);
		}
	}
}

static void arrows_and_pages_step_the_focused_knob(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(f->s.gather.view.focus.knob, KNOB_OUTSTANDING);
	state_key(&f->s, K_UP);
	assert_int_equal(now(f).outstanding, 12);
	state_key(&f->s, K_DOWN);
	assert_int_equal(now(f).outstanding, 8);
	state_key(&f->s, K_PGUP);
	assert_int_equal(now(f).outstanding, 32);
	state_key(&f->s, K_PGDN);
	assert_int_equal(now(f).outstanding, 8);
	state_key(&f->s, ACTION_FKEY(8));
	state_key(&f->s, '=');
	assert_int_equal(now(f).outstanding, 16);
	state_key(&f->s, ACTION_FKEY(7));
	assert_int_equal(now(f).outstanding, 12);
	state_key(&f->s, K_RIGHT);
	assert_int_equal(f->s.gather.view.focus.knob, KNOB_BLOCK);
	state_key(&f->s, K_UP);
	assert_int_equal(now(f).block_size, 8192);
	state_key(&f->s, K_LEFT);
	state_key(&f->s, K_LEFT);
	state_key(&f->s, K_LEFT);
	assert_int_equal(f->s.gather.view.focus.knob, KNOB_RATE);
}

static void a_value_can_be_typed_into_the_focused_knob(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, K_ENTER);
	assert_true(dialog_active(&f->s.dialogs));
	keys(f, "48");
	assert_int_equal(now(f).outstanding, 8); /* not before Enter */
	state_key(&f->s, K_ENTER);
	assert_false(dialog_active(&f->s.dialogs));
	assert_int_equal(now(f).outstanding, 48);
	state_key(&f->s, K_ENTER);
	keys(f, "9");
	state_key(&f->s, K_ESC);
	assert_int_equal(now(f).outstanding, 48);
}

static void the_end_of_a_knob_is_said(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, 'w');
	assert_int_equal(now(f).workers, 1);
	assert_non_null(strstr(message(f), "least"));
}

static void a_refused_change_says_why_and_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct workload w = now(f);

	w.block_size = 1000;
	state_apply(&f->s, &w);
	assert_int_equal(now(f).block_size, 4096);
	assert_true(f->s.gather.view.message_bad);
	assert_non_null(strstr(message(f), "1000"));
	assert_int_equal(f->s.undo_count, 0);
}

static void undo_goes_back_one_change_at_a_time(void **state)
{
	struct fixture *f = *state;

	keys(f, "OB");
	state_key(&f->s, 's');
	assert_true(now(f).paused);
	state_key(&f->s, 'u');
	assert_int_equal(now(f).block_size, 4096);
	assert_int_equal(now(f).outstanding, 12);
	assert_true(now(f).paused); /* undo turns knobs, it starts no IO */
	state_key(&f->s, 'u');
	assert_int_equal(now(f).outstanding, 8);
	state_key(&f->s, 'u');
	assert_int_equal(now(f).outstanding, 8);
	assert_non_null(strstr(message(f), "no knob change"));
}

static void undo_remembers_the_last_changes_only(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < UNDO_DEPTH + 3; i++)
		state_key(&f->s, i % 2 ? 'x' : 'X');
	for (int i = 0; i < UNDO_DEPTH + 3; i++)
		keys(f, i % 2 ? "o" : "O");
	assert_int_equal(f->s.undo_count, UNDO_DEPTH);
}

static void stop_stops_and_starts_the_io(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, ACTION_FKEY(9));
	assert_true(now(f).paused);
	state_key(&f->s, 's');
	assert_false(now(f).paused);
}

/* --- Permission to write --- */

/* A file that was there before is somebody's data. */
static char *make_file(char path[64])
{
	strcpy(path, "/tmp/lunscope-unit-state-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 1 << 20), 0);
	close(fd);
	return path;
}

static void the_first_write_asks_and_esc_leaves_all_as_it_was(void **state)
{
	struct fixture *f = *state;
	struct run *run;
	struct target *target;
	struct workload w = workload_default();
	struct error e;
	char path[64];

	make_file(path);
	w.rate_iops = 100;
	assert_int_equal(open_run(&f->host, path, &w, &run, &target, &e), 0);
	unlink(path);
	f->s.run = run;
	f->s.target = target;
	state_key(&f->s, 'r');
	assert_true(dialog_active(&f->s.dialogs));
	assert_true(f->s.has_pending);
	state_key(&f->s, K_ESC);
	assert_false(dialog_active(&f->s.dialogs));
	assert_false(f->s.has_pending);
	assert_int_equal(now(f).read_pct, 100);
	assert_int_equal(f->host.asked_to_write, 0);
	assert_non_null(strstr(message(f), "read only"));
	state_key(&f->s, '!');
	assert_true(dialog_active(&f->s.dialogs));
}

static void null_may_be_written_without_asking(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, 'r');
	assert_false(dialog_active(&f->s.dialogs));
	assert_int_equal(now(f).read_pct, 95);
}

/* --- Focus --- */

/* The null: target has no sessions and no NICs: their panes aren't there. */
static const enum pane_id there[] = {PANE_IOPS,   PANE_RATE,   PANE_LATENCY, PANE_CPU,
				     PANE_TARGET, PANE_EVENTS, PANE_HEAT};
#define PANES ((int)(sizeof(there) / sizeof(there[0])))

static void tab_goes_round_all_panes_and_back_to_the_knobs(void **state)
{
	struct fixture *f = *state;
	const struct focus *at = &f->s.gather.view.focus;
	bool seen[PANE_COUNT] = {false};
	int panes_seen = 0;

	for (state_key(&f->s, K_TAB); at->on_pane; state_key(&f->s, K_TAB)) {
		assert_false(seen[at->pane]);
		seen[at->pane] = true;
		panes_seen++;
	}
	assert_int_equal(panes_seen, PANES);
	for (state_key(&f->s, K_BACKTAB); at->on_pane; state_key(&f->s, K_BACKTAB))
		panes_seen--;
	assert_int_equal(panes_seen, 0);
}

static void the_ring_follows_reading_order_at_any_size(void **state)
{
	struct fixture *f = *state;
	const struct focus *at = &f->s.gather.view.focus;

	for (int rows = 10; rows <= 100; rows += 3) {
		for (int cols = 40; cols <= 300; cols += 7) {
			struct rect before = {-1, -1, 0, 0};
			state_resize(&f->s, rows, cols);
			for (state_key(&f->s, K_TAB); at->on_pane; state_key(&f->s, K_TAB)) {
				struct rect r = f->s.layout.pane[at->pane];
				assert_true(r.row > before.row ||
					    (r.row == before.row && r.col > before.col));
				before = r;
			}
		}
	}
}

static void a_digit_focuses_its_pane_and_a_hidden_one_says_so(void **state)
{
	struct fixture *f = *state;
	const struct focus *at = &f->s.gather.view.focus;

	state_key(&f->s, '1' + PANE_CPU);
	assert_true(at->on_pane);
	assert_int_equal(at->pane, PANE_CPU);
	state_resize(&f->s, 10, 40);
	int hidden = -1;
	for (int p = 0; p < PANE_HEAT; p++)
		if (f->s.layout.pane[p].rows == 0 && p < PANE_SESSIONS)
			hidden = p;
	assert_true(hidden >= 0);
	state_key(&f->s, '1' + hidden);
	assert_non_null(strstr(message(f), "no room"));
}

/* Where it has no pane of its own, l has it in that of the latencies, and its digit shows it alone. */
static void the_heat_map_is_there_once_at_any_size(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	bool seen = false;

	state_resize(&f->s, 24, 80);
	assert_int_equal(f->s.layout.pane[PANE_HEAT].rows, 0);
	state_key(&f->s, 'l');
	state_key(&f->s, 'l');
	assert_int_equal(v->latency, LATENCY_HEAT);
	state_resize(&f->s, 43, 132);
	assert_true(f->s.layout.pane[PANE_HEAT].rows > 0);
	assert_int_equal(v->latency, LATENCY_TOTAL);
	for (int i = 0; i < 4; i++) {
		state_key(&f->s, 'l');
		assert_int_not_equal(v->latency, LATENCY_HEAT);
		seen |= v->latency == LATENCY_SPLIT;
	}
	assert_true(seen);
	state_resize(&f->s, 24, 80);
	state_key(&f->s, '1' + PANE_HEAT);
	assert_int_equal(f->s.zoom, PANE_HEAT);
	assert_int_equal(v->focus.pane, PANE_HEAT);
	state_key(&f->s, K_ESC);
	assert_int_equal(f->s.zoom, PANE_COUNT);
}

static void a_pane_that_goes_away_with_a_resize_loses_the_focus(void **state)
{
	struct fixture *f = *state;

	for (int p = 0; p < PANES; p++) {
		state_resize(&f->s, 43, 132);
		state_key(&f->s, '1' + (int)there[p]);
		assert_true(f->s.gather.view.focus.on_pane);
		state_resize(&f->s, 1, 1);
		assert_false(f->s.gather.view.focus.on_pane);
	}
}

static void zoom_gives_one_pane_the_room_and_takes_it_back(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, '1' + PANE_LATENCY);
	state_key(&f->s, K_ENTER);
	assert_int_equal(f->s.zoom, PANE_LATENCY);
	for (int p = 0; p < PANE_COUNT; p++)
		assert_int_equal(f->s.layout.pane[p].rows > 0, p == PANE_LATENCY);
	state_key(&f->s, '1' + PANE_CPU); /* another one, still zoomed */
	assert_int_equal(f->s.zoom, PANE_CPU);
	assert_true(f->s.gather.view.focus.on_pane);
	state_key(&f->s, 'p');
	assert_int_equal(f->s.zoom, PANE_COUNT);
	assert_true(f->s.layout.pane[PANE_IOPS].rows > 0);
}

static void tab_takes_the_zoom_along(void **state)
{
	struct fixture *f = *state;
	const struct focus *at = &f->s.gather.view.focus;

	state_key(&f->s, '1');
	state_key(&f->s, 'p');
	for (int p = 1; p <= PANES; p++) {
		state_key(&f->s, K_TAB);
		const enum pane_id expected = there[p % PANES];
		assert_int_equal(f->s.zoom, expected);
		assert_true(at->on_pane);
		assert_int_equal(at->pane, expected);
		for (int q = 0; q < PANE_COUNT; q++)
			assert_int_equal(f->s.layout.pane[q].rows > 0, q == (int)expected);
	}
	state_key(&f->s, K_BACKTAB);
	assert_int_equal(f->s.zoom, there[PANES - 1]);
	state_key(&f->s, K_LEFT);
	assert_int_equal(f->s.zoom, there[PANES - 2]);
	state_key(&f->s, K_ESC);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	assert_int_equal(at->pane, there[PANES - 2]);
}

/* --- Meters --- */

static void the_meters_are_shown_by_their_key_and_by_the_setup_alone(void **state)
{
	struct fixture *f = *state;
	const struct view *v = &f->s.gather.view;

	state_resize(&f->s, 24, 80);
	assert_int_equal(f->s.layout.pane[PANE_METERS].rows, 0);
	state_key(&f->s, 'M');
	assert_int_equal(f->s.zoom, PANE_METERS);
	assert_true(v->focus.on_pane && v->focus.pane == PANE_METERS);
	state_key(&f->s, K_TAB);
	assert_int_equal(f->s.zoom, PANE_IOPS);
	state_key(&f->s, K_BACKTAB);
	assert_int_not_equal(f->s.zoom, PANE_METERS);
	state_key(&f->s, 'M');
	state_key(&f->s, 'M');
	assert_int_equal(f->s.zoom, PANE_COUNT);
	state_resize(&f->s, 43, 132);
	f->s.setup.plan.hidden &= ~(1u << PANE_METERS);
	state_resize(&f->s, 43, 132);
	assert_true(f->s.layout.pane[PANE_METERS].rows > 0);
	/* A tenth pane has no digit. */
	state_key(&f->s, '1');
	state_key(&f->s, '1' + PANE_METERS);
	assert_int_equal(v->focus.pane, PANE_IOPS);
	state_resize(&f->s, 5, 20);
	state_key(&f->s, 'M');
	assert_non_null(strstr(message(f), "no room for Meters"));
}

static void keys_choose_a_meter_and_what_it_shows(void **state)
{
	struct fixture *f = *state;
	const struct view *v = &f->s.gather.view;
	const struct meter_setup *m = &f->s.setup.meters;

	state_key(&f->s, 'M');
	state_key(&f->s, K_DOWN);
	assert_int_equal(v->meter, 1);
	state_key(&f->s, K_PGDN);
	assert_int_equal(m->place[1].what, METER_MIB_READ);
	state_key(&f->s, K_UP);
	state_key(&f->s, K_UP);
	assert_int_equal(v->meter, 5);
	state_key(&f->s, K_HOME);
	state_key(&f->s, K_PGUP);
	assert_int_equal(m->place[0].what, METER_ERRORS_WRITE);
	/* e is theirs here, and the command line's elsewhere. */
	state_key(&f->s, 'e');
	assert_true(dialog_active(&f->s.dialogs));
	state_key(&f->s, K_RIGHT);
	state_key(&f->s, K_ESC);
	assert_int_equal(m->place[0].what, METER_ERRORS_WRITE);
	state_key(&f->s, K_ENTER);
	state_key(&f->s, K_RIGHT);
	state_key(&f->s, K_ENTER);
	assert_false(dialog_active(&f->s.dialogs));
	assert_int_equal(m->place[0].what, METER_IOPS);
	assert_int_equal(v->meter_setup->place[0].what, METER_IOPS);
	/* Elsewhere these keys do what they did. */
	state_key(&f->s, 'M');
	state_key(&f->s, '1');
	state_key(&f->s, K_PGDN);
	assert_int_equal(m->place[0].what, METER_IOPS);
}

static bool has_an_update(struct fixture *f)
{
	state_update(&f->s, clock_ns());
	const struct meter_board *b = f->s.gather.view.meters;
	return b && b->updates && b->trace[METER_SINCE_START][METER_IOPS].now > 0;
}

static void the_meters_follow_the_run(void **state)
{
	struct fixture *f = *state;
	uint64_t end = clock_ns() + 60 * NS_PER_SEC;

	while (!has_an_update(f) && clock_ns() < end)
		usleep(50000);
	assert_true(has_an_update(f));
	const struct meter_trace *t =
		&f->s.gather.view.meters->trace[METER_SINCE_UPDATE][METER_IOPS];
	assert_true(t->low <= t->now && t->now <= t->high);
}

/* --- Sessions --- */

static void a_target_without_sessions_says_so_when_asked_for_them(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, '1' + PANE_SESSIONS);
	assert_false(f->s.gather.view.focus.on_pane);
	assert_non_null(strstr(message(f), "no sessions"));
	state_key(&f->s, 'P');
	assert_false(dialog_active(&f->s.dialogs));
	assert_non_null(strstr(message(f), "no paths"));
	assert_true(strlen(message(f)) < 80);
}

static void the_pane_of_sessions_comes_and_goes_with_them(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	sessions_fixture(&v->snap.sessions, v->snap.t_ns);
	state_resize(&f->s, 24, 80);
	state_key(&f->s, '1' + PANE_SESSIONS);
	assert_true(v->focus.on_pane);
	assert_int_equal(v->focus.pane, PANE_SESSIONS);
	state_key(&f->s, 'p');
	assert_int_equal(f->s.zoom, PANE_SESSIONS);
	state_key(&f->s, K_BACKTAB);
	assert_int_equal(f->s.zoom, PANE_EVENTS);
	state_key(&f->s, K_TAB);
	assert_int_equal(f->s.zoom, PANE_SESSIONS);
	v->snap.sessions.paths = 0;
	state_resize(&f->s, 24, 80);
	assert_int_equal(f->s.zoom, PANE_COUNT);
	assert_false(v->focus.on_pane);
	assert_true(f->s.layout.pane[PANE_IOPS].rows > 0);
}

static void the_arrows_choose_a_path_in_its_pane(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	sessions_fixture(&v->snap.sessions, v->snap.t_ns);
	state_resize(&f->s, 24, 80);
	state_key(&f->s, '1' + PANE_SESSIONS);
	state_key(&f->s, K_UP);
	assert_int_equal(v->path, 0);
	state_key(&f->s, K_DOWN);
	assert_int_equal(v->path, 1);
	state_key(&f->s, K_END);
	assert_int_equal(v->path, FIXTURE_PATHS - 1);
	state_key(&f->s, K_DOWN);
	assert_int_equal(v->path, FIXTURE_PATHS - 1);
	/* there may be fewer by now */
	v->snap.sessions.paths = 2;
	state_key(&f->s, K_UP);
	assert_int_equal(v->path, 0);
	assert_int_equal(v->focus.pane, PANE_SESSIONS);
}

/* What the run says of a change that its target can't have stands in the dialog. */
static void a_refusal_stands_in_the_dialog_of_paths(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;
	struct canvas c = {0};
	char row[512];
	bool told = false;

	sessions_fixture(&v->snap.sessions, v->snap.t_ns);
	state_key(&f->s, 'P');
	assert_true(dialog_active(&f->s.dialogs));
	state_key(&f->s, 'o');
	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	screen_draw(&c, &f->s);
	for (int r = 0; r < c.rows; r++)
		told |= strstr(canvas_row(&c, r, row, sizeof(row)), "! null:") != NULL;
	assert_true(told);
	canvas_free(&c);
	state_key(&f->s, K_ESC);
	assert_false(dialog_active(&f->s.dialogs));
	v->snap.sessions.kernel = true;
	state_key(&f->s, 'P');
	assert_false(dialog_active(&f->s.dialogs));
	assert_non_null(strstr(message(f), "the kernel's"));
	assert_true(strlen(message(f)) < 80);
}

static void keys_work_on_a_screen_that_is_too_small(void **state)
{
	struct fixture *f = *state;

	state_resize(&f->s, 1, 1);
	keys(f, "O");
	assert_int_equal(now(f).outstanding, 12);
	state_key(&f->s, '?');
	assert_true(dialog_active(&f->s.dialogs));
	state_key(&f->s, K_ESC);
	keys(f, "qq");
	assert_true(f->s.quit);
}

/* --- The picture --- */

static void freeze_keeps_the_picture_while_new_figures_come(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	wait_for_news(f->s.run, 2);
	state_update(&f->s, 0);
	assert_true(v->chart_count > 0);
	state_key(&f->s, ' ');
	assert_true(v->frozen);
	uint64_t seq = v->snap.seq, at = v->now_ns;
	size_t samples = v->chart_count, marks = v->mark_count;
	struct sample last = v->chart[samples - 1];

	wait_for_news(f->s.run, seq + 1);
	state_key(&f->s, 'O'); /* a mark, and a knob that must show the truth */
	state_update(&f->s, 0);
	assert_int_equal(v->snap.seq, seq);
	assert_int_equal(v->now_ns, at);
	assert_int_equal(v->chart_count, samples);
	assert_memory_equal(&v->chart[samples - 1], &last, sizeof(last));
	assert_int_equal(v->mark_count, marks);
	assert_int_equal(v->snap.workload.outstanding, 12);

	/* Another window shows the same frozen time. */
	state_key(&f->s, 'Z');
	assert_int_equal(v->now_ns, at);
	for (size_t i = 0; i < v->chart_count; i++)
		assert_true(v->chart[i].t_ns <= at);
	assert_int_equal(v->chart[v->chart_count - 1].t_ns, last.t_ns);

	state_key(&f->s, ACTION_FKEY(4));
	state_update(&f->s, 0);
	assert_true(v->snap.seq > seq);
	assert_true(v->mark_count > marks);
}

static void samples_are_appended_once_and_in_order(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	for (int i = 0; i < 4; i++) {
		wait_for_news(f->s.run, v->snap.seq);
		state_update(&f->s, 0);
		state_update(&f->s, 0);
	}
	assert_true(v->chart_count >= 4);
	for (size_t i = 1; i < v->chart_count; i++)
		assert_true(v->chart[i].t_ns > v->chart[i - 1].t_ns);
	for (size_t i = 1; i < v->mark_count; i++)
		assert_true(v->marks[i].id > v->marks[i - 1].id);
}

static void the_window_has_two_ends(void **state)
{
	struct fixture *f = *state;

	for (int i = 0; i < 2 * WINDOW_COUNT; i++)
		state_key(&f->s, 'Z');
	assert_int_equal(f->s.gather.view.chart_span_ns, 24 * 3600 * NS_PER_SEC);
	assert_non_null(strstr(message(f), "longest"));
	for (int i = 0; i < 2 * WINDOW_COUNT; i++)
		state_key(&f->s, 'z');
	assert_int_equal(f->s.gather.view.chart_span_ns, 15 * NS_PER_SEC);
}

static void glyphs_stay_within_what_the_locale_can_show(void **state)
{
	struct fixture *f = *state;
	struct view *v = &f->s.gather.view;

	f->s.utf8 = false;
	for (int i = 0; i < 2 * GL_COUNT; i++) {
		state_key(&f->s, 'G');
		assert_false(v->g->utf8);
		assert_ptr_equal(v->g, &glyph_table[v->level]);
	}
	f->s.utf8 = true;
	unsigned seen = 0;
	for (int i = 0; i < GL_COUNT; i++) {
		state_key(&f->s, 'G');
		seen |= 1u << v->level;
	}
	assert_int_equal(seen, (1u << GL_COUNT) - 1);
}

static void messages_go_when_their_time_is_over(void **state)
{
	struct fixture *f = *state;

	state_say(&f->s, false, "hello");
	state_update(&f->s, f->s.message_until_ns - 1);
	assert_string_equal(message(f), "hello");
	state_update(&f->s, f->s.message_until_ns);
	assert_string_equal(message(f), "");
}

static void the_next_key_that_does_something_ends_a_message(void **state)
{
	static const int telling[] = {'O', K_TAB, K_LEFT, 'i', '2', K_ENTER, K_ESC};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(telling) / sizeof(telling[0]); i++) {
		state_say(&f->s, i % 2, "hello");
		state_key(&f->s, '`'); /* no key at all */
		assert_string_equal(message(f), "hello");
		state_key(&f->s, telling[i]);
		assert_string_equal(message(f), "");
	}
	/* one that has something to say itself */
	state_say(&f->s, false, "hello");
	state_key(&f->s, 's');
	assert_non_null(strstr(message(f), "has stopped"));
	state_key(&f->s, 's');
	assert_non_null(strstr(message(f), "goes on"));
}

static void messages_stay_three_seconds_and_bad_ones_six(void **state)
{
	struct fixture *f = *state;

	for (int bad = 0; bad < 2; bad++) {
		uint64_t before = clock_ns();

		state_say(&f->s, bad, "hello");
		uint64_t span = (bad ? 6 : 3) * NS_PER_SEC;
		assert_true(f->s.message_until_ns >= before + span);
		assert_true(f->s.message_until_ns <= clock_ns() + span);
	}
}

static void the_whole_screen_draws_at_any_size(void **state)
{
	static const int size[][2] = {{1, 1}, {3, 20}, {10, 40}, {24, 80}, {43, 132}, {100, 300}};
	struct fixture *f = *state;
	struct canvas c = {0};

	wait_for_news(f->s.run, 2);
	state_update(&f->s, 0);
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++) {
		assert_int_equal(canvas_resize(&c, size[i][0], size[i][1]), 0);
		screen_draw(&c, &f->s);
		assert_in_range(c.cursor_row, 0, c.rows - 1);
		assert_in_range(c.cursor_col, 0, c.cols - 1);
		state_key(&f->s, i % 2 ? K_ESC : '?');
	}
	canvas_free(&c);
}

/* --- Marks, targets, the end --- */

static void a_note_becomes_a_mark(void **state)
{
	struct fixture *f = *state;
	struct mark m[8];

	state_key(&f->s, 'm');
	size_t before = timeline_marks(run_timeline(f->s.run), 0, m, 8);
	assert_int_equal(m[before - 1].kind, MARK_NOTE); /* at once, words or not */
	uint64_t when = m[before - 1].t_ns;
	keys(f, "moved the cable, port 3");
	assert_false(f->s.quit);
	state_key(&f->s, K_ENTER);
	size_t n = timeline_marks(run_timeline(f->s.run), 0, m, 8);
	assert_int_equal(n, before);
	assert_true(m[n - 1].t_ns == when);
	assert_non_null(strstr(m[n - 1].text, "moved the cable, port 3"));
}

static void another_target_begins_another_run_that_reads(void **state)
{
	struct fixture *f = *state;

	keys(f, "rO");
	assert_int_equal(now(f).read_pct, 95);
	state_key(&f->s, 'd');
	state_key(&f->s, K_END);
	state_key(&f->s, K_ENTER);
	settle(f);
	assert_int_equal(f->host.opened, 2);
	assert_ptr_equal(f->s.run, f->host.run);
	assert_int_equal(now(f).read_pct, 100);
	assert_int_equal(now(f).outstanding, 12);
	assert_int_equal(f->s.undo_count, 0);
	assert_int_equal(f->s.gather.view.chart_count, 0);
}

static void a_target_that_cannot_be_opened_leaves_the_run_alone(void **state)
{
	struct fixture *f = *state;
	struct run *before = f->s.run;

	state_key(&f->s, 'd');
	state_key(&f->s, K_END);
	state_key(&f->s, K_UP);
	state_key(&f->s, K_ENTER);
	keys(f, "/nonexistent/file");
	state_key(&f->s, K_ENTER);
	settle(f);
	assert_true(dialog_active(&f->s.dialogs)); /* the path once more, with the reason */
	assert_ptr_equal(f->s.run, before);
	assert_int_equal(f->host.opened, 1);
	state_key(&f->s, K_ENTER); /* nothing is chosen but that path */
	settle(f);
	assert_ptr_equal(f->s.run, before);
	assert_int_equal(f->host.opened, 1);
	state_key(&f->s, K_ESC);
	state_key(&f->s, K_ESC);
	assert_false(dialog_active(&f->s.dialogs));
	assert_false(f->s.quit);
}

static void draws(struct fixture *f)
{
	struct canvas c = {0};

	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	state_update(&f->s, clock_ns());
	screen_draw(&c, &f->s);
	canvas_free(&c);
}

static void pick_null(struct fixture *f)
{
	state_key(&f->s, 'd');
	state_key(&f->s, K_END);
	state_key(&f->s, K_ENTER);
}

/* A device that keeps its opener waiting. */
static void while_a_target_is_opened_the_run_goes_on_and_esc_gives_it_up(void **state)
{
	struct fixture *f = *state;
	struct run *before = f->s.run;
	struct snapshot *snap = malloc(sizeof(*snap));

	assert_non_null(snap);
	atomic_store(&f->host.held, true);
	pick_null(f);
	assert_non_null(f->s.job);
	assert_ptr_equal(f->s.run, before);
	run_snapshot(before, snap);
	wait_for_news(before, snap->seq);
	draws(f);
	state_key(&f->s, 'O'); /* not for the knobs now */
	assert_int_equal(now(f).outstanding, 8);
	/* The question whether to quit comes on top and goes away again. */
	state_key(&f->s, K_INTERRUPT);
	assert_int_equal(f->s.dialogs.depth, 2);
	state_key(&f->s, K_ESC);
	state_key(&f->s, K_ESC);
	assert_null(f->s.job);
	assert_int_equal(f->s.dialogs.depth, 1); /* the picker */
	state_key(&f->s, K_ESC);
	assert_false(dialog_active(&f->s.dialogs));
	assert_ptr_equal(f->s.run, before);
	assert_int_equal(f->host.opened, 1);
	/* What was opened all the same is closed by the thread that did. */
	while (atomic_load(&f->host.closed) == 0)
		usleep(1000);
	free(snap);
}

static void quitting_is_asked_before_another_run_begins(void **state)
{
	struct fixture *f = *state;
	struct run *before = f->s.run;

	pick_null(f);
	state_key(&f->s, K_INTERRUPT);
	while (!job_result(f->s.job))
		usleep(1000);
	state_job_look(&f->s);
	assert_int_equal(state_job_fd(&f->s), -1);
	assert_int_equal(f->s.dialogs.depth, 2);
	assert_ptr_equal(f->s.run, before);
	state_key(&f->s, K_ESC);
	settle(f);
	assert_int_equal(f->host.opened, 2);
}

static void a_run_that_cannot_begin_leaves_the_one_before(void **state)
{
	struct fixture *f = *state;
	struct run *before = f->s.run;

	f->host.refuse_run = true;
	pick_null(f);
	while (f->s.run) {
		struct pollfd p = {state_job_fd(&f->s), POLLIN, 0};
		assert_int_equal(poll(&p, 1, 30000), 1);
		state_job_look(&f->s);
	}
	/* Neither drawing nor a key needs a run now. */
	draws(f);
	settle(f);
	assert_ptr_equal(f->s.run, before);
	assert_int_equal(atomic_load(&f->host.closed), 1);
	assert_int_equal(f->s.dialogs.depth, 1); /* the picker, with the reason */
	state_key(&f->s, K_ESC);
	state_key(&f->s, 'O');
	assert_int_equal(now(f).outstanding, 12);
}

static void the_end_waits_for_a_run_that_is_beginning(void **state)
{
	struct fixture *f = *state;

	pick_null(f);
	while (f->s.run) {
		struct pollfd p = {state_job_fd(&f->s), POLLIN, 0};
		assert_int_equal(poll(&p, 1, 30000), 1);
		state_job_look(&f->s);
	}
	state_key(&f->s, K_INTERRUPT);
	assert_true(f->s.quit);
	/* The fixture's teardown ends whichever run the host has then: there is no other. */
}

static void without_a_target_the_picker_comes_first(void **state)
{
	struct fixture *f = *state;
	struct canvas c = {0};

	assert_true(dialog_active(&f->s.dialogs));
	assert_int_equal(canvas_resize(&c, 24, 80), 0);
	state_update(&f->s, 0);
	screen_draw(&c, &f->s);
	canvas_free(&c);
	state_key(&f->s, K_END);
	state_key(&f->s, K_ENTER);
	settle(f);
	assert_non_null(f->s.run);
	assert_false(dialog_active(&f->s.dialogs));
}

static void leaving_the_first_picker_leaves_the_program(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, K_ESC);
	assert_true(f->s.quit);
	assert_null(f->s.run);
}

static void interrupt_asks_once_from_anywhere_and_then_quits(void **state)
{
	struct fixture *f = *state;

	state_key(&f->s, '?');
	state_key(&f->s, K_INTERRUPT);
	assert_false(f->s.quit);
	assert_int_equal(f->s.dialogs.depth, 2);
	state_key(&f->s, K_ESC); /* thought better of it */
	state_key(&f->s, K_INTERRUPT);
	assert_false(f->s.quit);
	state_key(&f->s, K_INTERRUPT);
	assert_true(f->s.quit);
	assert_false(f->s.discard);
}

/* The ids of this process's threads, or of those in which SIGTSTP is not blocked; returns how many. A thread that is
 * being started has everything blocked for a moment. */
static int threads(int id[64], bool suspended)
{
	DIR *d = opendir("/proc/self/task");
	struct dirent *t;
	int n = 0;

	assert_non_null(d);
	while ((t = readdir(d))) {
		char path[300], line[200];
		unsigned long long blocked = 0;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status", t->d_name);
		FILE *f = t->d_name[0] == '.' ? NULL : fopen(path, "re");
		while (f && fgets(line, sizeof(line), f))
			if (sscanf(line, "SigBlk: %llx", &blocked) == 1 && n < 64 &&
			    !(suspended && blocked >> (SIGTSTP - 1) & 1))
				id[n++] = atoi(t->d_name);
		if (f)
			fclose(f);
	}
	closedir(d);
	return n;
}

/* One of them would take it while curses looks away, and it would be lost. */
static void threads_that_a_knob_makes_leave_suspending_to_the_screen(void **state)
{
	struct fixture *f = *state;
	int before[64], after[64], n = threads(before, false);

	assert_true(n >= 1);
	keys(f, "WWW");
	assert_int_equal(now(f).workers, 4);
	int m = threads(after, true);
	for (int i = 0; i < m; i++) {
		bool known = false;
		for (int k = 0; k < n; k++)
			known |= after[i] == before[k];
		assert_true(known);
	}
}

#define ON_NULL(test)    cmocka_unit_test_setup_teardown(test, setup, teardown)
#define ON_NOTHING(test) cmocka_unit_test_setup_teardown(test, setup_without_a_target, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		ON_NULL(every_knob_letter_steps_its_knob),
		ON_NULL(threads_that_a_knob_makes_leave_suspending_to_the_screen),
		ON_NULL(arrows_and_pages_step_the_focused_knob),
		ON_NULL(a_value_can_be_typed_into_the_focused_knob),
		ON_NULL(the_end_of_a_knob_is_said),
		ON_NULL(a_refused_change_says_why_and_changes_nothing),
		ON_NULL(undo_goes_back_one_change_at_a_time),
		ON_NULL(undo_remembers_the_last_changes_only),
		ON_NULL(stop_stops_and_starts_the_io),
		ON_NULL(the_first_write_asks_and_esc_leaves_all_as_it_was),
		ON_NULL(null_may_be_written_without_asking),
		ON_NULL(tab_goes_round_all_panes_and_back_to_the_knobs),
		ON_NULL(the_ring_follows_reading_order_at_any_size),
		ON_NULL(a_digit_focuses_its_pane_and_a_hidden_one_says_so),
		ON_NULL(the_heat_map_is_there_once_at_any_size),
		ON_NULL(the_meters_are_shown_by_their_key_and_by_the_setup_alone),
		ON_NULL(keys_choose_a_meter_and_what_it_shows),
		ON_NULL(the_meters_follow_the_run),
		ON_NULL(a_pane_that_goes_away_with_a_resize_loses_the_focus),
		ON_NULL(zoom_gives_one_pane_the_room_and_takes_it_back),
		ON_NULL(tab_takes_the_zoom_along),
		ON_NULL(a_target_without_sessions_says_so_when_asked_for_them),
		ON_NULL(the_pane_of_sessions_comes_and_goes_with_them),
		ON_NULL(the_arrows_choose_a_path_in_its_pane),
		ON_NULL(a_refusal_stands_in_the_dialog_of_paths),
		ON_NULL(keys_work_on_a_screen_that_is_too_small),
		ON_NULL(freeze_keeps_the_picture_while_new_figures_come),
		ON_NULL(samples_are_appended_once_and_in_order),
		ON_NULL(the_window_has_two_ends),
		ON_NULL(glyphs_stay_within_what_the_locale_can_show),
		ON_NULL(messages_go_when_their_time_is_over),
		ON_NULL(the_next_key_that_does_something_ends_a_message),
		ON_NULL(messages_stay_three_seconds_and_bad_ones_six),
		ON_NULL(the_whole_screen_draws_at_any_size),
		ON_NULL(a_note_becomes_a_mark),
		ON_NULL(another_target_begins_another_run_that_reads),
		ON_NULL(a_target_that_cannot_be_opened_leaves_the_run_alone),
		ON_NULL(while_a_target_is_opened_the_run_goes_on_and_esc_gives_it_up),
		ON_NULL(quitting_is_asked_before_another_run_begins),
		ON_NULL(a_run_that_cannot_begin_leaves_the_one_before),
		ON_NULL(the_end_waits_for_a_run_that_is_beginning),
		ON_NOTHING(without_a_target_the_picker_comes_first),
		ON_NOTHING(leaving_the_first_picker_leaves_the_program),
		ON_NULL(interrupt_asks_once_from_anywhere_and_then_quits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
