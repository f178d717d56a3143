/* cmd_live.c - `lunscope [TARGET]`: the live screen, and the run behind it.
 *
 * The screen turns knobs of a run that this file opens for it, and asks this file for permission to
 * write. When the screen is gone the summary stands on the normal screen, with the command line that
 * would repeat the run as its last line.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "baseline.h"
#include "cmd.h"
#include "config.h"
#include "consent.h"
#include "flip/flip.h"
#include "run.h"
#include "secret.h"
#include "ui/quiet_kernel.h"
#include "ui/ui.h"
#include "unblock.h"
#include "wait_note.h"

struct live {
	const struct options *options;
	struct target *target;
	struct run *run;
	FILE *report; /* the summaries so far, written to text */
	char *text;
	size_t length;
	char command[2048 + SETTING_LONG]; /* of the run that goes on */
	bool trouble; /* a run had IO errors, lost IOs or ended by itself; or settings are left */
	pthread_mutex_t lock;
	pthread_cond_t opened;
	unsigned opening;   /* targets that threads are opening now */
	bool target_in_use; /* a thread still looks at it that the target keeps waiting */
	int interrupted;    /* by a signal; under the lock, as run is for that */
};

/* A cancelled opening gets this long to clear up when the program ends; and when a signal ends it. */
#define CLEAR_UP_NS       (2 * NS_PER_SEC)
#define CLEAR_UP_HURRY_NS (2 * NS_PER_SEC / 5)

/* --- Ending a run. --- */

/* Into l->report, which stands on the normal screen when the live one is gone. */
static void report(struct live *l, const struct summary *s, uint64_t lost, const char *ended)
{
	char *table = summary_table(s, l->options->unit, units_ascii());
	char *warnings = summary_warnings(s, run_errors(l->run));
	struct snapshot *snap = malloc(sizeof(*snap));
	FILE *f = l->report;

	fprintf(f, "%s\n", l->target->spec);
	unsigned rows = run_segments(l->run, f);
	if (rows > 1)
		fprintf(f, "\nall %u together, whatever they were asked for:\n", rows);
	if (table)
		fputs(table, f);
	run_steady(l->run, f);
	run_paths_table(l->run, f, l->options->unit);
	run_comparison(l->run, f, l->options->unit);
	if (warnings)
		fputs(warnings, f);
	if (snap) {
		run_snapshot(l->run, snap);
		cmd_print_trouble(f, "", l->target, lost, snap);
	}
	if (ended[0])
		fprintf(f, "the run ended by itself: %s\n", ended);
	if (run_id(l->run))
		options_print_kept(f, l->options, run_id(l->run));
	free(snap);
	free(table);
	free(warnings);
}

static void remember_command(struct live *l)
{
	struct workload w = run_workload(l->run);

	w.paused = false;
	options_command_shown(l->command, sizeof(l->command), l->options, &w, l->target);
}

/* A signal may come while a thread has the old run ended or a new one begun. */
static void set_run(struct live *l, struct run *run)
{
	pthread_mutex_lock(&l->lock);

	l->run = run;
	if (run && l->interrupted)
		run_interrupt(run, l->interrupted);
	pthread_mutex_unlock(&l->lock);
}

static void live_interrupt(void *ctx, int signal_number)
{
	struct live *l = ctx;

	pthread_mutex_lock(&l->lock);
	l->interrupted = signal_number;
	if (l->run)
		run_interrupt(l->run, signal_number);
	pthread_mutex_unlock(&l->lock);
}

/* Ends the run in order and closes what belongs to it. */
static void end_run(struct live *l, const char *status, bool discard)
{
	struct summary s;
	struct snapshot *snap = malloc(sizeof(*snap));
	char ended[sizeof(snap->end_reason)] = "";

	remember_command(l);
	if (snap) {
		run_snapshot(l->run, snap);
		snprintf(ended, sizeof(ended), "%s", snap->ended ? snap->end_reason : "");
		free(snap);
	}
	uint64_t lost = run_stop(l->run, ended[0] ? "stopped on error" : status, &s);
	if (discard)
		run_discard(l->run, NULL);
	report(l, &s, lost, ended);
	l->trouble |= run_error_count(l->run) > 0 || lost > 0 || ended[0];
	struct run *r = l->run;
	set_run(l, NULL);
	run_destroy(r);
	if (!l->target_in_use) {
		target_close(l->target);
		free(l->target);
	}
	l->target = NULL;
}

/* --- What the screen asks for. --- */

static int begin_run(struct live *l, struct target *t, const struct workload *wanted,
		     struct run **run, struct error *e)
{
	char command[sizeof(l->command)], notice[MARK_TEXT];
	struct workload w = *wanted;

	if (!t->may_write)
		workload_only_read(&w);
	struct run_config c = {
		.watch = l->options->watch,
		.workload = w,
		.stop_on_error = l->options->stop_on_error,
		.no_store = l->options->no_store,
		.store_path = l->options->store,
		.command = options_command(command, sizeof(command), l->options, &w, t, 0),
		.notice = flips_left_words(notice, sizeof(notice), NULL),
		.status = "live",
	};
	return run_create(run, t, &c, e);
}

/* The store is written while the run goes on: it can't be what is tested. */
static int check_store(const struct live *l, const struct target *t, struct error *e)
{
	char path[PATH_MAX];
	struct stat st;

	if (l->options->no_store)
		return 0;
	if (l->options->store)
		snprintf(path, sizeof(path), "%s", l->options->store);
	else if (store_default_path(path, sizeof(path), NULL))
		return 0;
	if (stat(path, &st) || !target_is(t, &st))
		return 0;
	return error_set(e, EINVAL, "%s is the run store: test something else, or use --store FILE",
			 t->spec);
}

static struct target_options live_options(const struct live *l, uint64_t create_size)
{
	struct target_options how = cmd_target_options(l->options);

	if (create_size)
		how.create_size = create_size;
	return how;
}

static void count_opening(struct live *l, int by)
{
	pthread_mutex_lock(&l->lock);

	l->opening += (unsigned)by;
	pthread_cond_broadcast(&l->opened);
	pthread_mutex_unlock(&l->lock);
}

/* What was typed on the screen comes before what the command line says. */
static struct backend_login live_login(const struct live *l, const struct backend_login *typed)
{
	struct backend_login login = l->options->login;

	if (!typed)
		return login;
	if (typed->user[0])
		memcpy(login.user, typed->user, sizeof(login.user));
	if (typed->secret[0])
		memcpy(login.secret, typed->secret, sizeof(login.secret));
	if (typed->target_user[0])
		memcpy(login.target_user, typed->target_user, sizeof(login.target_user));
	if (typed->target_secret[0])
		memcpy(login.target_secret, typed->target_secret, sizeof(login.target_secret));
	return login;
}

static int live_discover(void *ctx, struct found *f, const char *portals,
			 const struct backend_login *typed, const atomic_bool *cancel,
			 struct error *e)
{
	struct live *l = ctx;
	struct backend_login login = live_login(l, typed);

	secret_from_environment(&login);
	count_opening(l, 1);
	int rc = found_ask(f, portals, &login, cancel, e);
	count_opening(l, -1);
	explicit_bzero(&login, sizeof(login));
	return rc;
}

static int live_open_target(void *ctx, const char *spec, uint64_t create_size,
			    const struct backend_login *typed, struct create_progress *progress,
			    struct target **target, struct error *e)
{
	struct live *l = ctx;
	struct target_options how = live_options(l, create_size);
	struct backend_login login = live_login(l, typed);

	how.login = &login;
	how.progress = progress;
	struct target *t = malloc(sizeof(*t));
	if (!t) {
		explicit_bzero(&login, sizeof(login));
		return error_set(e, ENOMEM, "out of memory for a target");
	}
	count_opening(l, 1);
	int rc = target_open(t, spec, &how, e);
	explicit_bzero(&login, sizeof(login));
	/* Nobody may be left to take it back. */
	if (rc == 0 && create_progress_cancelled(progress)) {
		target_unmake(t);
		target_close(t);
		rc = error_set(e, ECANCELED, "%s: opening it was cancelled", spec);
	}
	count_opening(l, -1);
	if (rc)
		free(t);
	else
		*target = t;
	return rc;
}

static void live_close_target(void *ctx, struct target *t)
{
	(void)ctx;
	target_unmake(t);
	target_close(t);
	free(t);
}

static int live_begin_run(void *ctx, struct target *t, const struct workload *w, struct run **run,
			  struct error *e)
{
	struct live *l = ctx;
	struct guard_watch *watch = NULL;
	bool was_paused = l->run && run_workload(l->run).paused;

	/* Two runs never do IO at the same time; the old one goes on if the new can't. */
	if (l->run)
		run_pause(l->run, true, NULL);
	int rc = consent_watch_created(t, &watch, e);
	if (rc == 0)
		rc = check_store(l, t, e);
	if (rc == 0)
		rc = begin_run(l, t, w, run, e);
	if (rc) {
		guard_watch_stop(watch);
		if (l->run && !was_paused)
			run_pause(l->run, false, NULL);
		return rc;
	}
	if (l->run) {
		end_run(l, "done", false);
		fputc('\n', l->report);
	}
	run_watch(*run, watch);
	set_run(l, *run);
	l->target = t;
	return 0;
}

static int allow_lun(struct live *l, const struct guard_report *r, struct error *e)
{
	struct guard_lun lun = target_lun(l->target);
	struct guard_watch *watch;
	int rc = guard_open_lun(r, &lun, &guard_host, true, e);

	if (rc == 0)
		rc = guard_watch_start_lun(&watch, r, &lun, &guard_host, e);
	if (rc)
		return rc;
	rc = run_allow_write(l->run, -1, r->window_start, r->window_length, e);
	if (rc)
		guard_watch_stop(watch);
	else
		run_watch(l->run, watch);
	return rc;
}

static int live_allow_write(void *ctx, const struct guard_report *r, const char *typed,
			    struct error *e)
{
	struct live *l = ctx;
	struct guard_watch *watch;
	int rc = guard_check_typed(r, typed, e);

	if (rc)
		return rc;
	if (l->target->kind == TARGET_LUN)
		return allow_lun(l, r, e);
	int fd = guard_open(r, &guard_host, true, !l->target->direct, e);
	if (fd < 0)
		return fd;
	/* Nothing is written that nobody watches. */
	rc = guard_watch_start(&watch, r, &guard_host, e);
	if (rc) {
		close(fd);
		return rc;
	}
	rc = run_allow_write(l->run, fd, r->window_start, r->window_length, e);
	if (rc)
		guard_watch_stop(watch);
	else
		run_watch(l->run, watch);
	return rc;
}

static void live_command(void *ctx, char *out, size_t n)
{
	struct live *l = ctx;

	remember_command(l);
	snprintf(out, n, "%s", l->command);
}

/* --- The command. --- */

/* What the config says of panes and keys, and of all options that weren't given; conf stays. */
static int take_conf(struct options *o, struct conf *conf, struct setup *setup, char *unknown,
		     size_t n, struct error *e)
{
	int rc = conf_load(conf, e);

	*setup = setup_usual();
	if (rc == 0)
		rc = options_take_conf(o, conf, unknown, n, e);
	return rc ? rc : setup_read(setup, conf, e);
}

/* Where a wrong value came from that was found out late. */
static int blame(const struct options *o, const struct conf *conf, enum option_id id,
		 struct error *e)
{
	const struct conf_entry *at = conf_find(conf, "screen", option_at(id).name);

	return at && !o->given[id] ? conf_blame(conf, at, e) : -EINVAL;
}

static int screen_settings(const struct options *o, const struct conf *conf, struct ui_config *c,
			   struct error *e)
{
	c->level = GL_COUNT;
	if (o->glyphs && strcmp(o->glyphs, "auto") != 0) {
		c->level = glyph_level_find(o->glyphs);
		if (c->level == GL_COUNT) {
			error_set(e, EINVAL,
				  "--glyphs '%s': write ascii, dec, vt, half, eighth, braille or "
				  "auto",
				  o->glyphs);
			return blame(o, conf, OPT_GLYPHS, e);
		}
	}
	if (o->footer && setup_footer_parse(&c->footer, o->footer, e))
		return blame(o, conf, OPT_FOOTER, e);
	c->no_rep = o->no_rep;
	c->quiet_kernel = o->quiet_kernel;
	c->colour = COLOUR_AUTO;
	if (!o->color || strcmp(o->color, "auto") == 0)
		return 0;
	if (strcmp(o->color, "always") == 0)
		c->colour = COLOUR_ALWAYS;
	else if (strcmp(o->color, "never") == 0)
		c->colour = COLOUR_NEVER;
	else {
		error_set(e, EINVAL, "--color '%s': write auto, always or never", o->color);
		return blame(o, conf, OPT_COLOR, e);
	}
	return 0;
}

/* The same config may be read by root and by others: what others may not is told, and left. */
static void leave_to_root(const struct options *o, struct ui_config *c, char *notice, size_t n)
{
	struct error e;

	if (!c->quiet_kernel || o->given[OPT_QUIET_KERNEL] || quiet_kernel_check(&e) == 0)
		return;
	c->quiet_kernel = false;
	units_append(notice, n, "%squiet-kernel in the config takes root: left out",
		     notice[0] ? "; " : "");
	c->notice = notice;
}

/* A file that was being made when the operator went is removed by the thread that made it. */
static void await_openings(struct live *l, uint64_t limit_ns)
{
	uint64_t end = wall_ns() + limit_ns;
	struct timespec until = {(time_t)(end / NS_PER_SEC), (long)(end % NS_PER_SEC)};

	pthread_mutex_lock(&l->lock);
	while (l->opening)
		if (pthread_cond_timedwait(&l->opened, &l->lock, &until) == ETIMEDOUT)
			break;
	pthread_mutex_unlock(&l->lock);
}

static void told(const char *words, const char *from, const char *to, const char *trouble,
		 void *report)
{
	cmd_print_restored(report, words, from, to, trouble);
}

/* What was changed of this host goes back after the run: its figures are of how it was. */
static void end_flips(struct live *l, const struct ui_config *c)
{
	struct flip_entry left;

	if (!c->flips)
		return;
	/* Left behind without having been told so is trouble. */
	if (!c->leave && flips_undo_all(c->flips, false, told, l->report, NULL))
		l->trouble = true;
	if (flips_any(c->flips, &left))
		fprintf(l->report,
			"settings of this host that lunscope changed are still in force: lunscope "
			"restore\n");
	flips_close(c->flips);
}

static int finish(struct live *l, const struct ui_config *c, int rc)
{
	await_openings(l, rc > 0 ? CLEAR_UP_HURRY_NS : CLEAR_UP_NS);
	l->target_in_use = c->target_in_use;
	wait_note_late("Waiting for IOs in flight (2 s at most)");
	if (l->run)
		end_run(l, rc > 0 && rc != SIGINT ? "interrupted" : "done", c->discard);
	wait_note_over();
	end_flips(l, c);
	fclose(l->report);
	printf("%s%s%s", l->text, l->command, l->command[0] ? "\n" : "");
	fflush(stdout);
	if (rc > 0)
		return 128 + rc;
	return l->trouble ? EXIT_IO_ERRORS : EXIT_FINE;
}

/* A word that is neither a command nor anything that could be a target. */
static int check_target(const struct options *o, struct error *e)
{
	const char *spec = o->arg[0];

	if (target_is_null(spec) || secret_is_url(spec) || o->create_size ||
	    access(spec, F_OK) == 0)
		return 0;
	return error_set(e, ENOENT,
			 "'%s' is no command (see lunscope --help), and no such device or file "
			 "exists; to make a scratch file add --create SIZE",
			 spec);
}

/* Writing is asked for in words before a screen asks for consent. */
static int check_write(const struct options *o, struct error *e)
{
	char cause[32];

	if (!workload_writes(&o->workload) || o->write || target_is_null(o->arg[0]) ||
	    (o->create_size && access(o->arg[0], F_OK)))
		return 0;
	return error_set(e, EPERM,
			 "%s would write: add --write (the screen then asks for your consent), or "
			 "read only",
			 workload_write_cause(cause, sizeof(cause), &o->workload));
}

/* The target of the command line, before there is a screen. 0, or the exit status. */
static int open_first(struct live *l, struct ui_config *c)
{
	const struct options *o = l->options;
	struct target_options how = live_options(l, 0);
	struct error e;
	struct target *t = malloc(sizeof(*t));

	if (!t)
		return EXIT_USAGE;
	int rc = cmd_open_target(t, o->arg[0], &how, &e);
	if (rc) {
		free(t);
		return rc > 0 ? 128 + rc : cmd_fail(EXIT_USAGE, &e);
	}
	/* Before the first thread is made that stays. */
	ui_block_signals();
	if (live_begin_run(l, t, &o->workload, &c->run, &e)) {
		live_close_target(l, t);
		return cmd_fail(EXIT_USAGE, &e);
	}
	c->target = t;
	return 0;
}

int cmd_live(const struct options *given)
{
	/* Outlives this function: a thread that hangs in a device may still come back to it. */
	static struct live l = {
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.opened = PTHREAD_COND_INITIALIZER,
	};
	static const struct ui_host host = {
		.ctx = &l,
		.open_target = live_open_target,
		.discover = live_discover,
		.close_target = live_close_target,
		.begin_run = live_begin_run,
		.allow_write = live_allow_write,
		.command = live_command,
		.interrupt = live_interrupt,
	};
	static struct options with_conf;
	static struct conf conf;
	static struct setup setup;
	static char unknown[300];
	struct options *o = &with_conf;
	struct error e;

	*o = *given;
	if (take_conf(o, &conf, &setup, unknown, sizeof(unknown), &e))
		return cmd_fail(EXIT_USAGE, &e);
	struct ui_config c = {
		.setup = &setup,
		.notice = unknown[0] ? unknown : NULL,
		.host = &host,
		.workload = o->workload,
		.window = o->window,
		.theme = o->theme,
		.fps = o->fps,
		.baud = (double)o->baud,
		.trigger_text = o->trigger_text,
		.trigger = o->trigger_text ? &o->trigger : NULL,
		.mouse = o->mouse,
		.no_sync = o->no_sync,
		.unit = o->unit,
		.version = PACKAGE_VERSION,
		.store = o->store,
	};
	l.options = o;
	if (o->args && check_target(o, &e))
		return cmd_fail(EXIT_USAGE, &e);
	if (o->args && check_write(o, &e))
		return cmd_fail(EXIT_GUARD, &e);
	if (screen_settings(o, &conf, &c, &e))
		return cmd_fail(EXIT_USAGE, &e);
	leave_to_root(o, &c, unknown, sizeof(unknown));
	if (ui_check(&c, &e)) {
		if (strstr(e.text, "theme"))
			blame(o, &conf, OPT_THEME, &e);
		return cmd_fail(EXIT_USAGE, &e);
	}
	if (o->baseline && baseline_load(&c.baseline, o->store, (int64_t)o->baseline, &e))
		return cmd_fail(EXIT_USAGE, &e);
	l.report = open_memstream(&l.text, &l.length);
	if (!l.report) {
		baseline_free(c.baseline);
		return EXIT_USAGE;
	}
	int status = o->args ? open_first(&l, &c) : 0;
	if (status) {
		fclose(l.report);
		free(l.text);
		baseline_free(c.baseline);
		return status;
	}
	ui_block_signals();
	int rc = ui_run(&c, &e);
	status = finish(&l, &c, rc);
	unblock_stop();
	free(l.text);
	return rc < 0 ? cmd_fail(EXIT_USAGE, &e) : status;
}
