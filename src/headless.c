/* headless.c - see headless.h. */
#include "headless.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "consent.h"
#include "export.h"
#include "flip/flip.h"
#include "outfile.h"
#include "unblock.h"
#include "wait_note.h"

/* --- Signals. --- */

/* INT, TERM and HUP end the run in order, USR1 leaves a mark, USR2 is for the task; they are read from a descriptor, so they are
 * blocked in every thread that is made from here on. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	unblock_start(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int headless_wait(struct headless *h, int fd, uint64_t ns)
{
	struct pollfd p[] = {{h->signals, POLLIN, 0}, {fd, POLLIN, 0}};
	struct timespec t = {(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};
	struct signalfd_siginfo si;

	if (ppoll(p, 2, &t, NULL) <= 0 || !p[0].revents ||
	    read(h->signals, &si, sizeof(si)) != sizeof(si))
		return 0;
	if (si.ssi_signo == SIGUSR1) {
		char letter;
		run_mark(h->run, &letter);
		return 0;
	}
	if (si.ssi_signo == SIGUSR2) {
		h->next = true;
		return 0;
	}
	return (int)si.ssi_signo;
}

/* --- Results. --- */

static int write_files(const struct headless *h, const struct headless_task *task,
		       const struct summary *s)
{
	const struct options *o = h->options;
	struct run *r = h->run;
	struct error e;
	int status = EXIT_FINE;

	if (o->json) {
		json_t *document = run_json(r, s);
		if (document && task->document)
			task->document(h, document);
		if (export_write_json(document, o->json, &e))
			status = cmd_fail(EXIT_USAGE, &e);
		json_decref(document);
	}
	if (o->csv && run_write_csv(r, o->csv, &e))
		status = cmd_fail(EXIT_USAGE, &e);
	return status;
}

static void print_result(const struct headless *h, const struct headless_task *task,
			 const struct summary *s, uint64_t lost)
{
	const struct options *o = h->options;
	struct run *r = h->run;
	/* Of many loads together there are no figures that say anything, only errors. */
	char *table = task->answer ? NULL : summary_table(s, o->unit, units_ascii());
	char *warnings = task->answer ? summary_faults(s, run_errors(r))
				      : summary_warnings(s, run_errors(r));
	struct snapshot *snap = malloc(sizeof(*snap));

	/* A document on standard output is for a program to read: then the table is not. */
	bool taken = (o->json && strcmp(o->json, OPTIONS_STDOUT) == 0) ||
		     (o->csv && strcmp(o->csv, OPTIONS_STDOUT) == 0);
	FILE *out = taken ? stderr : stdout;
	if (task->print)
		task->print(h, out);
	if (table) {
		fputs(table, out);
		run_steady(r, out);
		run_paths_table(r, out, o->unit);
		run_comparison(r, out, o->unit);
	}
	if (run_id(r))
		options_print_kept(out, o, run_id(r));
	if (task->answer)
		task->answer(h, out);
	fflush(out);
	if (warnings)
		fputs(warnings, stderr);
	if (snap) {
		run_snapshot(r, snap);
		if (snap->ended)
			fprintf(stderr, "lunscope: the run ended early: %s\n", snap->end_reason);
		cmd_print_trouble(stderr, "lunscope: ", h->target, lost, snap);
		if (snap->store_trouble[0])
			fprintf(stderr, "lunscope: %s\n", snap->store_trouble);
	}
	free(snap);
	free(table);
	free(warnings);
}

static int finish(const struct headless *h, const struct headless_task *task, int signal_number)
{
	struct run *r = h->run;
	struct summary s;
	bool early = run_wait(r, 0);

	if (signal_number) {
		unblock_ending();
		run_interrupt(r, signal_number);
	}
	wait_note_late("Waiting for IOs in flight (2 s at most)");
	uint64_t lost = run_stop(r,
				 signal_number ? "interrupted"
				 : early       ? "stopped on error"
					       : "done",
				 &s);

	wait_note_over();
	/* Files first: whatever becomes of standard output, they are kept. */
	int status = write_files(h, task, &s);
	print_result(h, task, &s, lost);
	if (status == EXIT_FINE && signal_number)
		status = 128 + signal_number;
	if (status == EXIT_FINE && (run_error_count(r) || lost || early))
		status = EXIT_IO_ERRORS;
	if (status == EXIT_FINE && task->status)
		status = task->status(h);
	return status;
}

/* --- Result files. --- */

static bool same_node(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool headless_same_file(const char *a, const char *b)
{
	char x[PATH_MAX], y[PATH_MAX];

	if (strcmp(a, b) == 0 || same_node(a, b))
		return true;
	snprintf(x, sizeof(x), "%s", a);
	snprintf(y, sizeof(y), "%s", b);
	if (strcmp(basename(x), basename(y)) != 0)
		return false;
	snprintf(x, sizeof(x), "%s", a);
	snprintf(y, sizeof(y), "%s", b);
	return same_node(dirname(x), dirname(y));
}

static bool is_target(const struct headless *h, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	for (unsigned i = 0; i < h->targets; i++) {
		if (target_is(&h->all[i], &st))
			return true;
	}
	return false;
}

/* A result file takes the place of what had its name: that must be neither the target (nor the file
 * behind a loop device), nor the run store. */
static int check_result(const char *path, const char *what, const struct headless *h,
			const char *store, struct error *e)
{
	if (!path)
		return 0;
	if (is_target(h, path))
		return error_set(e, EINVAL, "%s: %s is the target itself: name another file", what,
				 path);
	if (store && headless_same_file(path, store))
		return error_set(e, EINVAL, "%s: %s is the run store: name another file", what,
				 path);
	return 0;
}

static int check_results(const struct headless *h, struct error *e)
{
	const struct options *o = h->options;
	char standard[PATH_MAX];
	const char *store = o->no_store ? NULL : o->store;

	if (!store && !o->no_store && store_default_path(standard, sizeof(standard), NULL) == 0)
		store = standard;
	if (store && is_target(h, store))
		return error_set(e, EINVAL, "--store: %s is the target itself: name another file",
				 store);
	if (o->json && o->csv && headless_same_file(o->json, o->csv))
		return error_set(e, EINVAL, "--json and --csv both go to %s: name two files",
				 strcmp(o->json, OPTIONS_STDOUT) == 0 ? "standard output"
								      : o->json);
	int rc = check_result(o->json, "--json", h, store, e);
	return rc ? rc : check_result(o->csv, "--csv", h, store, e);
}

/* --- The run. --- */

static void stop_watches(struct guard_watch *watch[TARGETS_MAX])
{
	for (unsigned i = 0; i < TARGETS_MAX; i++)
		guard_watch_stop(watch[i]);
}

static void unmake_all(const struct headless *h)
{
	for (unsigned i = 0; i < h->targets; i++)
		target_unmake(&h->all[i]);
}

static int measure(struct headless *h, const struct headless_task *task, const struct workload *w,
		   struct guard_watch *watch[TARGETS_MAX])
{
	struct target *more[TARGETS_MAX];
	const struct options *o = h->options;
	struct error e;
	char command[2048 + SETTING_LONG], notice[MARK_TEXT];

	if (flips_left_words(notice, sizeof(notice), NULL)[0])
		fprintf(stderr, "lunscope: %s\n", notice);
	task->command(h, w, command, sizeof(command));
	for (unsigned i = 1; i < h->targets; i++)
		more[i - 1] = &h->all[i];
	struct run_config c = {
		.more = h->targets - 1,
		.more_target = more,
		.watch = o->watch,
		.workload = *w,
		.stop_on_error = o->stop_on_error,
		.no_store = o->no_store,
		.store_path = o->store,
		.command = command,
		.notice = notice,
		.status = "headless",
	};
	for (unsigned i = 0; i < WATCH_NICS && task->watch.nic[i][0]; i++)
		env_scope_add(&c.watch, task->watch.nic[i]);
	/* A sequence that goes on is the same one. */
	c.workload.warming = o->warmup_ns > 0 && !w->sequence_on;
	h->signals = open_signals();
	/* A reader of the result that goes away must not take the run's record with it. */
	signal(SIGPIPE, SIG_IGN);
	int rc = task->prepare ? task->prepare(h, &e) : 0;
	if (rc == 0)
		rc = run_create(&h->run, h->target, &c, &e);
	if (rc) {
		stop_watches(watch);
		unblock_stop();
		close(h->signals);
		unmake_all(h);
		return cmd_fail(EXIT_USAGE, &e);
	}
	for (unsigned i = 0; i < h->targets; i++)
		run_watch_target(h->run, i, watch[i]);
	int signal_number = task->measure(h, &e);
	int status = finish(h, task, signal_number > 0 ? signal_number : 0);
	if (signal_number < 0)
		status = cmd_fail(EXIT_USAGE, &e);
	run_destroy(h->run);
	unblock_stop();
	close(h->signals);
	return status;
}

/* Everything but the permission is checked before the guard asks for consent. */
static int check(struct headless *h, const struct headless_task *task, const struct workload *w,
		 struct error *e)
{
	int rc = check_results(h, e);

	/* A task that has its own knows what fits. */
	if (task->workload)
		return rc ? rc : task->check(h, w, e);
	for (unsigned i = 0; i < h->targets && rc == 0; i++) {
		struct workload_limits limits = target_limits(&h->all[i]);
		limits.may_write = true;
		limits.write_length = h->all[i].size;
		limits.write_start = 0;
		rc = workload_validate(w, &limits, e);
	}
	if (rc == 0 && task->check)
		rc = task->check(h, w, e);
	return rc;
}

/* Whether target i is one of those before it, by another name or by the same. */
static int check_twice(const struct headless *h, unsigned i, struct error *e)
{
	const struct target *t = &h->all[i];
	struct stat st, before;

	for (unsigned k = 0; k < i; k++) {
		const struct target *other = &h->all[k];
		bool same = t->kind == TARGET_LUN
				    ? other->kind == TARGET_LUN && strcmp(t->id, other->id) == 0
				    : t->fd >= 0 && other->fd >= 0 && fstat(t->fd, &st) == 0 &&
					      fstat(other->fd, &before) == 0 &&
					      (target_is(other, &st) || target_is(t, &before));
		if (same)
			return error_set(
				e, EINVAL,
				"%s and %s are the same target: name it once, and use more "
				"workers",
				other->spec, t->spec);
	}
	return 0;
}

/* 0, a number of a signal, or -errno; h->targets are open then. */
static int open_all(struct headless *h, char *const *spec, unsigned n, struct error *e)
{
	struct target_options how = cmd_target_options(h->options);
	int rc = 0;

	for (unsigned i = 0; i < n && rc == 0; i++) {
		rc = cmd_open_target(&h->all[i], spec[i], &how, e);
		if (rc)
			break;
		h->targets++;
		rc = check_twice(h, i, e);
	}
	return rc;
}

/* What all of them can do: the least outstanding that one has by default. */
static struct workload workload_of(const struct headless *h)
{
	struct workload w = cmd_workload(h->options, &h->all[0]);

	for (unsigned i = 1; i < h->targets; i++) {
		struct workload other = cmd_workload(h->options, &h->all[i]);
		if (other.outstanding < w.outstanding)
			w.outstanding = other.outstanding;
	}
	return w;
}

static int agree(struct headless *h, const struct headless_task *task, const struct workload *w,
		 struct guard_watch *watch[TARGETS_MAX], struct error *e)
{
	int rc = 0;

	for (unsigned i = 0; i < h->targets && rc == 0; i++) {
		struct workload own = task->workload ? task->workload(h, (int)i) : *w;
		rc = consent_headless(&h->all[i], h->options, &own, &watch[i], e);
	}
	return rc;
}

static int run_all(struct headless *h, const struct headless_task *task)
{
	struct guard_watch *watch[TARGETS_MAX] = {NULL};
	struct workload w = task->workload ? task->workload(h, -1) : workload_of(h);
	struct error e;
	int rc = check(h, task, &w, &e);

	if (rc) {
		unmake_all(h);
		return cmd_fail(EXIT_USAGE, &e);
	}
	rc = agree(h, task, &w, watch, &e);
	if (rc) {
		stop_watches(watch);
		unmake_all(h);
		return cmd_fail(cmd_status(rc), &e);
	}
	return measure(h, task, &w, watch);
}

int headless_targets(const struct options *o, char *const *spec, unsigned n,
		     const struct headless_task *task)
{
	struct error e;
	struct headless h = {
		.options = o,
		.tell = isatty(STDERR_FILENO),
		.ctx = task->ctx,
	};

	if ((o->json && outfile_check(o->json, "--json", &e)) ||
	    (o->csv && outfile_check(o->csv, "--csv", &e)))
		return cmd_fail(EXIT_USAGE, &e);
	h.target = h.all = calloc(n, sizeof(*h.all));
	if (!h.all) {
		error_set(&e, ENOMEM, "out of memory for the targets");
		return cmd_fail(EXIT_USAGE, &e);
	}
	int status, rc = open_all(&h, spec, n, &e);
	if (rc) {
		unmake_all(&h);
		status = rc > 0 ? 128 + rc : cmd_fail(EXIT_USAGE, &e);
	} else {
		status = run_all(&h, task);
	}
	for (unsigned i = 0; i < h.targets; i++)
		target_close(&h.all[i]);
	free(h.all);
	return status;
}

int headless_main(const struct options *o, const struct headless_task *task)
{
	return headless_targets(o, o->arg, 1, task);
}
