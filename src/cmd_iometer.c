/* cmd_iometer.c - `lunscope iometer`: a series of Iometer's, from a set-up file or a set of specifications. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"
#include "export.h"
#include "headless.h"
#include "iometer/check.h"
#include "iometer/csv_write.h"
#include "iometer/icf.h"
#include "iometer/map.h"
#include "iometer/ready.h"
#include "iometer/series.h"
#include "iometer/series_show.h"
#include "outfile.h"

#define NAMES_MOST (4 * TARGETS_MAX)

struct iometer_task {
	struct iometer_setup setup;
	struct iometer_map map;
	struct iometer_warnings warnings;
	struct iometer_plan plan;
	struct series_config config;
	struct series_target target[NAMES_MOST]; /* what each name of the set-up stands for */
	size_t open[NAMES_MOST];                 /* which of those that are opened that is */
	char *spec[TARGETS_MAX];                 /* the targets to open, each once */
	size_t specs;
	char *text[IOMETER_MAP_MOST]; /* of what was mapped in order */
	struct series *series;
	struct iometer_csv csv;
	bool own;     /* its workers are ours, and have the targets that were named */
	size_t told;  /* results that are out */
	bool trouble; /* with results.csv */
};

/* --- What is to be run. --- */

/* The set-up: a file, or what stands for a name of ours. */
static int load(struct iometer_task *t, const struct options *o, struct error *e)
{
	const char *name = o->arg[0];
	bool file = access(name, F_OK) == 0;
	size_t length = strlen(name);

	if (!file && length > 4 && strcasecmp(name + length - 4, ".icf") == 0)
		return error_errno(e, ENOENT, "%s", name);
	int rc = file ? iometer_read(&t->setup, name, &t->warnings, e)
		      : iometer_ready(&t->setup, name, e);
	bool manned = t->setup.managers > 0;
	t->own = !manned;
	/* What is only looked at needs no target. */
	char *any[] = {"TARGET"};
	bool unnamed = o->check && o->args == 1;
	if (rc == 0 && !manned)
		rc = iometer_man(&t->setup, name, o->given[OPT_WORKERS] ? o->workload.workers : 0,
				 unnamed ? any : o->arg + 1, unnamed ? 1 : (unsigned)o->args - 1,
				 e);
	else if (rc == 0 && o->args > 1 && !iometer_has_targets(&t->setup)) {
		rc = iometer_deal(&t->setup, o->arg + 1, (unsigned)o->args - 1, e);
		t->own = true;
	}
	if (rc)
		return rc;
	if (o->results && strcmp(o->results, "-") == 0)
		return error_set(
			e, EINVAL,
			"--results -: results are appended to a file; --json - is for standard "
			"output");
	if (o->given[OPT_LAYOUT] && !o->results)
		return error_set(e, EINVAL,
				 "--layout has no effect without --results: leave it out");
	if (manned && o->given[OPT_WORKERS])
		return error_set(e, EINVAL,
				 "--workers has no effect, as %s says who works: leave it out",
				 name);
	if (o->results && t->setup.record == IOMETER_RECORD_NONE)
		return error_set(
			e, EINVAL,
			"--results has no effect, as %s records no results (Record Results "
			"NONE): make that ALL, or leave it out",
			name);
	if (!manned || o->given[OPT_OUTSTANDING])
		iometer_set_outstanding(&t->setup, o->workload.outstanding);
	if (o->given[OPT_FOR] || !file)
		t->setup.run_s = (o->for_ns + NS_PER_SEC - 1) / NS_PER_SEC;
	if (o->given[OPT_WARMUP] || !file)
		t->setup.ramp_s = (o->warmup_ns + NS_PER_SEC - 1) / NS_PER_SEC;
	return iometer_plan_make(&t->plan, &t->setup, e);
}

static int map_one(struct iometer_task *t, unsigned i, const char *name, const char *spec,
		   struct error *e)
{
	char text[PATH_MAX + IOMETER_NAME];

	snprintf(text, sizeof(text), "%s=%s", name, spec);
	t->text[i] = strdup(text);
	return t->text[i] ? iometer_map_add(&t->map, t->text[i], e)
			  : error_set(e, ENOMEM, "out of memory for the targets");
}

/* Of a set-up that was manned here: its names are made from the TARGETs. */
static int map_own(struct iometer_task *t, const struct options *o, struct error *e)
{
	char name[IOMETER_NAME];
	int rc = 0;

	for (unsigned i = 0; i + 1 < (unsigned)o->args && rc == 0; i++) {
		iometer_target_name(name, o->arg + 1, i);
		rc = map_one(t, i, name, o->arg[i + 1], e);
	}
	return rc;
}

/* TARGETs on the command line stand for the set-up's names in the order in which they come. */
static int map_in_order(struct iometer_task *t, const struct options *o, struct error *e)
{
	const struct iometer_target **list;
	unsigned given = (unsigned)o->args - 1;
	size_t n;

	if (iometer_map_missing(&t->map, &t->setup, &list, &n))
		return error_set(e, ENOMEM, "out of memory for the targets");
	int rc = given == n
			 ? 0
			 : error_set(
				   e, EINVAL,
				   "%s has %zu target%s to be named, and %u %s: name each once, in "
				   "its order, or use --map (lunscope iometer %s --check lists "
				   "them)",
				   o->arg[0], n, n == 1 ? "" : "s", given,
				   given == 1 ? "is given" : "are given", o->arg[0]);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = map_one(t, (unsigned)i, list[i]->name, o->arg[i + 1], e);
	free(list);
	return rc;
}

/* Which of the targets to open this is; another one if it is none yet. */
static size_t number_of(struct iometer_task *t, const char *spec)
{
	size_t i = 0;

	while (i < t->specs && strcmp(t->spec[i], spec) != 0)
		i++;
	if (i == t->specs && i < TARGETS_MAX)
		t->spec[t->specs++] = (char *)spec;
	return i;
}

/* Whether the names know this one already. */
static bool known(const struct iometer_task *t, const char *name)
{
	for (size_t i = 0; i < t->config.targets; i++) {
		if (strcmp(t->target[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Every name that takes part, and what it stands for. */
static int note_names(struct iometer_task *t, const struct iometer_plan_test *test, struct error *e)
{
	for (size_t k = 0; k < test->parts; k++) {
		const char *name = test->part[k].target->name;
		if (known(t, name))
			continue;
		size_t n = t->config.targets;
		if (n == NAMES_MOST)
			return error_set(e, EINVAL, "more than %u names of targets", NAMES_MOST);
		t->open[n] = number_of(t, iometer_map_find(&t->map, name));
		if (t->open[n] == TARGETS_MAX)
			return error_set(e, EINVAL,
					 "more than %u targets: up to that many are possible "
					 "at a time",
					 TARGETS_MAX);
		t->target[n].name = name;
		t->config.targets++;
	}
	return 0;
}

static int find_targets(struct iometer_task *t, const struct options *o, struct error *e)
{
	int rc = 0;

	for (unsigned i = 0; i < o->maps && rc == 0; i++)
		rc = iometer_map_add(&t->map, o->map[i], e);
	if (rc == 0)
		rc = iometer_map_check(&t->map, &t->setup, e);
	if (rc == 0 && o->args > 1)
		rc = t->own ? map_own(t, o, e) : map_in_order(t, o, e);
	if (rc == 0)
		rc = iometer_map_require(&t->map, &t->setup, e);
	t->config.setup = &t->setup;
	t->config.plan = &t->plan;
	t->config.target = t->target;
	for (size_t i = 0; i < t->plan.tests && rc == 0; i++)
		rc = note_names(t, &t->plan.test[i], e);
	return rc;
}

/* --- While it runs. --- */

static void command(const struct headless *h, const struct workload *w, char *out, size_t n)
{
	const struct options *o = h->options;
	(void)w;

	out[0] = 0;
	units_append(out, n, "%s iometer", options_program());
	for (int i = 0; i < o->args; i++)
		options_append_word(out, n, o->arg[i]);
	if (o->given[OPT_WORKERS])
		units_append(out, n, " --workers %u", o->workload.workers);
	if (o->given[OPT_OUTSTANDING])
		units_append(out, n, " --outstanding %u", o->workload.outstanding);
	if (o->write)
		units_append(out, n, " --write");
	if (o->write && o->window.whole)
		units_append(out, n, " --whole");
	for (unsigned i = 0; i < o->maps; i++) {
		units_append(out, n, " --map");
		options_append_word(out, n, o->map[i]);
	}
	if (o->given[OPT_FOR])
		units_append(out, n, " --for %llus", (unsigned long long)(o->for_ns / NS_PER_SEC));
	if (o->given[OPT_WARMUP])
		units_append(out, n, " --warmup %llus",
			     (unsigned long long)(o->warmup_ns / NS_PER_SEC));
}

/* What names stand for is known once the targets are open. */
static void know_targets(const struct headless *h)
{
	struct iometer_task *t = h->ctx;

	for (size_t i = 0; i < t->config.targets; i++)
		t->target[i].target = &h->all[t->open[i]];
}

static struct workload workload(const struct headless *h, int target)
{
	struct iometer_task *t = h->ctx;
	struct workload w;

	know_targets(h);
	if (target >= 0 && series_writes(&t->config, &h->all[target], &w))
		return w;
	w = h->targets == 1 ? series_workload(&t->plan.test[0], h->target) : workload_default();
	/* It is asked for consent only where nothing writes, and before the first jobs it has only to be possible on
	 * every target. */
	workload_only_read(&w);
	w.outstanding = 1;
	/* Until the first test's workers have their jobs. */
	w.paused = target < 0;
	return w;
}

static int check(struct headless *h, const struct workload *w, struct error *e)
{
	struct iometer_task *t = h->ctx;
	const struct options *o = h->options;
	(void)w;

	int rc = series_check(&t->config, false, e);
	if (rc == 0 && o->results &&
	    ((o->json && headless_same_file(o->json, o->results)) ||
	     (o->csv && headless_same_file(o->csv, o->results))))
		return error_set(e, EINVAL,
				 "--results and --json or --csv name the same file: name two");
	return rc || !o->results ? rc : iometer_csv_check(o->results, e);
}

/* The results that have come since: into the file, and as rows. */
static void tell_results(const struct headless *h, FILE *out)
{
	struct iometer_task *t = h->ctx;
	const struct series_done *done;
	size_t n = series_results(t->series, &done);
	struct error e;

	for (; t->told < n; t->told++) {
		const struct series_done *d = &done[t->told];
		if (h->options->results && !t->trouble &&
		    iometer_csv_test(&t->csv, &d->result, &e)) {
			t->trouble = true;
			fprintf(stderr, "%slunscope: %s\n", h->tell ? "\r\033[K" : "", e.text);
		}
		if (h->tell)
			fputs("\r\033[K", stderr);
		series_show_row(out, d, &t->plan.test[d->test], t->told == 0, h->options->unit);
		fflush(out);
	}
}

static FILE *table_of(const struct options *o)
{
	return o->json && strcmp(o->json, OPTIONS_STDOUT) == 0 ? stderr : stdout;
}

static void tell_progress(const struct headless *h)
{
	struct iometer_task *t = h->ctx;
	static struct snapshot s;
	char text[128], iops[32], rate[32];

	run_snapshot(h->run, &s);
	double dt = s.second.dt_ns ? (double)s.second.dt_ns / 1e9 : 1;
	uint64_t ios = s.second.op[IO_READ].ios + s.second.op[IO_WRITE].ios;
	uint64_t bytes = s.second.op[IO_READ].bytes + s.second.op[IO_WRITE].bytes;
	fprintf(stderr, "\r%s  %7s IOPS  %12s\033[K",
		series_progress(text, sizeof(text), t->series),
		units_count(iops, sizeof(iops), (double)ios / dt),
		units_rate(rate, sizeof(rate), (double)bytes / dt, h->options->unit));
	fflush(stderr);
}

static void drain(int fd)
{
	uint64_t n;

	if (read(fd, &n, sizeof(n)) < 0) {
		/* EAGAIN: it was only time that has passed. */
	}
}

/* A test that has no end of its own ends with the signal, and has its result all the same: it comes with the next
 * whole second. */
static void finish_endless(struct headless *h, int signal_number)
{
	struct iometer_task *t = h->ctx;
	const struct series_done *done;
	size_t before = series_results(t->series, &done);
	uint64_t limit = clock_ns() + 3 * NS_PER_SEC;
	struct error e;

	if (signal_number != SIGINT || t->setup.run_s ||
	    series_state(t->series) != SERIES_MEASURING)
		return;
	series_next(t->series);
	while (series_results(t->series, &done) == before && !series_over(t->series) &&
	       clock_ns() < limit && series_tick(t->series, &e) == 0)
		nanosleep(&(struct timespec){0, (long)(20 * NS_PER_MS)}, NULL);
	tell_results(h, table_of(h->options));
}

static int steer(struct headless *h, struct error *e)
{
	struct iometer_task *t = h->ctx;
	int signal_number = 0, rc = 0, fd = run_event_fd(h->run);
	uint64_t told_ns = 0;

	while (rc == 0 && !signal_number && !series_over(t->series)) {
		signal_number = headless_wait(h, fd, HEADLESS_LOOK_NS);
		drain(fd);
		if (h->next)
			series_next(t->series);
		h->next = false;
		rc = series_tick(t->series, e);
		tell_results(h, table_of(h->options));
		if (h->tell && clock_ns() - told_ns >= HEADLESS_TELL_NS) {
			tell_progress(h);
			told_ns = clock_ns();
		}
	}
	if (h->tell)
		fputs("\r\033[K", stderr);
	if (signal_number)
		finish_endless(h, signal_number);
	series_stop(t->series);
	return rc ? rc : signal_number;
}

static int measure(struct headless *h, struct error *e)
{
	struct iometer_task *t = h->ctx;
	const struct options *o = h->options;
	int rc = 0;

	if (o->results)
		rc = iometer_csv_begin(&t->csv, o->results, o->layout, &t->setup, wall_ns(), e);
	t->trouble = rc != 0;
	if (rc == 0)
		rc = series_create(&t->series, h->run, &t->config, e);
	if (rc == 0)
		rc = steer(h, e);
	struct error why;
	bool aborted = !t->series || series_state(t->series) != SERIES_DONE;
	if (o->results && t->csv.path[0] && !t->trouble &&
	    iometer_csv_end(&t->csv, aborted, &why)) {
		t->trouble = true;
		fprintf(stderr, "lunscope: %s\n", why.text);
	}
	return rc;
}

/* --- Results. --- */

static void document(const struct headless *h, json_t *document)
{
	struct iometer_task *t = h->ctx;
	const struct series_done *done;

	if (!t->series)
		return;
	size_t n = series_results(t->series, &done);
	json_object_set_new(document, "iometer", series_json(&t->setup, &t->plan, done, n));
}

static void answer(const struct headless *h, FILE *out)
{
	struct iometer_task *t = h->ctx;
	char text[64];

	if (t->series)
		fprintf(out, "%s\n", series_progress(text, sizeof(text), t->series));
	if (h->options->results && !t->trouble)
		fprintf(out, "results are in %s\n", h->options->results);
}

static int status(const struct headless *h)
{
	const struct iometer_task *t = h->ctx;

	return t->trouble ? EXIT_USAGE : EXIT_FINE;
}

static void free_task(struct iometer_task *t)
{
	series_free(t->series);
	iometer_plan_free(&t->plan);
	iometer_setup_free(&t->setup);
	iometer_warnings_free(&t->warnings);
	for (size_t i = 0; i < IOMETER_MAP_MOST; i++)
		free(t->text[i]);
	free(t);
}

/* On standard error, each with the line that it is about. */
static void tell_warnings(const char *file, const struct iometer_warnings *w)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].line)
			fprintf(stderr, "lunscope: warning: %s:%u: %s\n", file, w->list[i].line,
				w->list[i].text);
		else
			fprintf(stderr, "lunscope: warning: %s: %s\n", file, w->list[i].text);
	}
	if (w->more)
		fprintf(stderr, "lunscope: warning: %s: %zu more\n", file, w->more);
}

static int check_only(const struct iometer_task *t, const struct options *o, struct error *e)
{
	json_t *document;

	if (o->json && cmd_check_no_store(o, o->json, "--json", e))
		return cmd_fail(EXIT_USAGE, e);
	if (!o->json) {
		iometer_check_print(stdout, &t->setup, &t->warnings);
		return EXIT_FINE;
	}
	document = iometer_check_json(&t->setup, &t->warnings);
	int rc = export_write_json(document, o->json, e);
	json_decref(document);
	return rc ? cmd_fail(EXIT_USAGE, e) : EXIT_FINE;
}

/* The set-up as a file that Iometer reads. */
static int export_setup(const struct iometer_task *t, const struct options *o, struct error *e)
{
	struct outfile out;
	int rc = cmd_check_no_store(o, o->icf, "--icf", e);

	if (rc == 0)
		rc = outfile_open(&out, o->icf, e);

	if (rc)
		return rc;
	rc = iometer_write(&t->setup, out.f, e);
	int closed = outfile_commit(&out, rc ? NULL : e);
	return rc ? rc : closed;
}

int cmd_iometer(const struct options *o)
{
	struct iometer_task *t = calloc(1, sizeof(*t));
	struct error e;
	int status_now;
	const struct headless_task task = {
		.command = command,
		.workload = workload,
		.check = check,
		.measure = measure,
		.document = document,
		.answer = answer,
		.status = status,
		.ctx = t,
	};

	if (!t) {
		error_set(&e, ENOMEM, "out of memory");
		return cmd_fail(EXIT_USAGE, &e);
	}
	if (load(t, o, &e)) {
		status_now = cmd_fail(EXIT_USAGE, &e);
	} else if (o->icf) {
		status_now = export_setup(t, o, &e) ? cmd_fail(EXIT_USAGE, &e) : EXIT_FINE;
	} else if (o->check) {
		status_now = check_only(t, o, &e);
	} else {
		tell_warnings(o->arg[0], &t->warnings);
		status_now = find_targets(t, o, &e)
				     ? cmd_fail(EXIT_USAGE, &e)
				     : headless_targets(o, t->spec, (unsigned)t->specs, &task);
	}
	free_task(t);
	return status_now;
}
