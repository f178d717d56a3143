/* cmd_live.c - `lunscope [TARGET]`: the live screen, and the run behind it.
 *
 * The screen turns knobs of a run that this file opens for it, and asks this file for permission to
 * write. When the screen is gone the summary stands on the normal screen, with the command line that
 * would repeat the run as its last line.
 */
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "config.h"
#include "consent.h"
#include "run.h"
#include "ui/ui.h"

struct live {
	const struct options *options;
	struct target *target;
	struct run *run;
	char command[2048]; /* of the run that goes on */
	bool errors;        /* a run that was ended had IO errors */
};

static bool ascii_output(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") != 0;
}

/* --- Ending a run. --- */

static void print_summary(struct live *l, const struct summary *s, uint64_t lost, bool kept)
{
	char *table = summary_table(s, l->options->unit, ascii_output());
	char *warnings = summary_warnings(s, run_errors(l->run));
	printf("%s\n", l->target->spec);
	if (table)
		fputs(table, stdout);
	if (warnings)
		fputs(warnings, stdout);
	if (lost)
		printf("%" PRIu64 " IOs never came back and are not in the figures\n", lost);
	if (kept)
		printf("kept as run %" PRId64 ": lunscope show %" PRId64 "\n", run_id(l->run),
		       run_id(l->run));
	printf("%s\n", l->command);
	fflush(stdout);
	free(table);
	free(warnings);
}

static void remember_command(struct live *l)
{
	struct workload w = run_workload(l->run);
	w.paused = false;
	options_command(l->command, sizeof(l->command), l->options, &w, l->target->spec, 0);
}

static void close_run(struct live *l)
{
	l->errors |= run_error_count(l->run) > 0;
	run_destroy(l->run);
	target_close(l->target);
	free(l->target);
	l->run = NULL;
	l->target = NULL;
}

/* --- What the screen asks for. --- */

static int begin_run(struct live *l, struct target *t, const struct workload *wanted,
		     struct run **run, struct error *e)
{
	char command[sizeof(l->command)];
	struct workload w = *wanted;
	if (!t->may_write)
		w.read_pct = 100;
	struct run_config c = {
		.workload = w,
		.stop_on_error = l->options->stop_on_error,
		.no_store = l->options->no_store,
		.store_path = l->options->store,
		.command = options_command(command, sizeof(command), l->options, &w, t->spec, 0),
		.status = "live",
	};
	return run_create(run, t, &c, e);
}

static int live_open_run(void *ctx, const char *spec, uint64_t create_size,
			 const struct workload *w, struct run **run, struct target **target,
			 struct error *e)
{
	struct live *l = ctx;
	struct target_options how = cmd_target_options(l->options);
	if (create_size)
		how.create_size = create_size;
	struct target *t = malloc(sizeof(*t));
	if (!t)
		return error_set(e, ENOMEM, "out of memory for a target");
	bool was_paused = l->run && run_workload(l->run).paused;
	int rc = target_open(t, spec, &how, e);
	if (rc == 0) {
		/* Two runs never do IO at the same time; the old one goes on if the new can't. */
		if (l->run)
			run_pause(l->run, true, NULL);
		rc = begin_run(l, t, w, run, e);
		if (rc)
			target_close(t);
	}
	if (rc) {
		if (l->run && !was_paused)
			run_pause(l->run, false, NULL);
		free(t);
		return rc;
	}
	if (l->run) {
		struct summary s;
		run_stop(l->run, "done", &s);
		close_run(l);
	}
	l->run = *run;
	l->target = *target = t;
	return 0;
}

static int live_allow_write(void *ctx, const struct guard_report *r, const char *typed,
			    struct error *e)
{
	struct live *l = ctx;
	struct guard_watch *watch;
	int rc = r->scratch ? 0 : guard_check_typed(r, typed, e);
	if (rc)
		return rc;
	int fd = guard_open(r, &guard_host, true, !l->target->direct, e);
	if (fd < 0)
		return fd;
	rc = run_allow_write(l->run, fd, r->window_start, r->window_length, e);
	if (rc == 0 && guard_watch_start(&watch, r, &guard_host, e) == 0)
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

static int screen_settings(const struct options *o, struct ui_config *c, struct error *e)
{
	c->level = GL_COUNT;
	if (o->glyphs && strcmp(o->glyphs, "auto") != 0) {
		c->level = glyph_level_find(o->glyphs);
		if (c->level == GL_COUNT)
			return error_set(e, EINVAL,
					 "--glyphs '%s': write ascii, dec, vt, half, eighth, "
					 "braille or auto",
					 o->glyphs);
	}
	c->colour = COLOUR_AUTO;
	if (!o->color || strcmp(o->color, "auto") == 0)
		return 0;
	if (strcmp(o->color, "always") == 0)
		c->colour = COLOUR_ALWAYS;
	else if (strcmp(o->color, "never") == 0)
		c->colour = COLOUR_NEVER;
	else
		return error_set(e, EINVAL, "--color '%s': write auto, always or never", o->color);
	return 0;
}

static int finish(struct live *l, const struct ui_config *c, int rc)
{
	uint64_t lost = 0;
	if (l->run) {
		struct summary s;
		struct error e;
		remember_command(l);
		lost = run_stop(l->run, rc > 0 && rc != SIGINT ? "interrupted" : "done", &s);
		bool kept = run_id(l->run) != 0;
		if (c->discard && run_discard(l->run, &e) == 0)
			kept = false;
		print_summary(l, &s, lost, kept);
		close_run(l);
	}
	if (rc > 0)
		return 128 + rc;
	return l->errors || lost ? EXIT_IO_ERRORS : EXIT_FINE;
}

int cmd_live(const struct options *o)
{
	struct error e;
	struct live l = {.options = o};
	const struct ui_host host = {&l, live_open_run, live_allow_write, live_command};
	struct ui_config c = {
		.host = &host,
		.workload = o->workload,
		.window = o->window,
		.theme = o->theme,
		.fps = o->fps,
		.unit = o->unit,
		.version = PACKAGE_VERSION,
	};
	if (screen_settings(o, &c, &e) || ui_check(&c, &e))
		return cmd_fail(EXIT_USAGE, &e);
	if (o->workload.read_pct < 100 && !o->write && o->args &&
	    strncmp(o->arg[0], "null", 4) != 0 && !o->create_size) {
		error_set(&e, 0,
			  "--read %u would write: add --write (the screen then asks for your "
			  "consent), or read only",
			  o->workload.read_pct);
		return cmd_fail(EXIT_GUARD, &e);
	}
	/* Before the first thread is made. */
	ui_block_signals();
	if (o->args &&
	    live_open_run(&l, o->arg[0], o->create_size, &o->workload, &c.run, &c.target, &e))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = ui_run(&c, &e);
	int status = finish(&l, &c, rc);
	return rc < 0 ? cmd_fail(EXIT_USAGE, &e) : status;
}
