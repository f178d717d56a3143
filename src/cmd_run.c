/* cmd_run.c - `lunscope run`: a measurement without a screen. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "consent.h"
#include "export.h"
#include "outfile.h"
#include "run.h"

#define PROGRESS_NS (NS_PER_SEC / 2)
/* So soon it is seen that a run has ended by itself; its time counts until then. */
#define LOOK_NS (50 * NS_PER_MS)

/* INT, TERM and HUP end the run in order; they are read from a descriptor, so they are blocked in
 * every thread that is made from here on. */
static int open_signals(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* The signal that came within ns, 0 if none did. */
static int wait_signal(int fd, uint64_t ns)
{
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct timespec t = {(time_t)(ns / NS_PER_SEC), (long)(ns % NS_PER_SEC)};
	struct signalfd_siginfo si;

	if (ppoll(&p, 1, &t, NULL) <= 0 || read(fd, &si, sizeof(si)) != sizeof(si))
		return 0;
	return (int)si.ssi_signo;
}

/* What is done of a rate, what is left, and what came of it: 57 columns. */
static void progress_rate(const struct snapshot *s, double dt)
{
	const struct due_sample *d = &s->second.due;
	char done[32], rate[32], backlog[32], p99[32];

	fprintf(stderr, "  %6s of %6s IOPS  backlog %6s  due p99 %8s\033[K",
		units_count(done, sizeof(done), (double)d->ios / dt),
		units_count(rate, sizeof(rate), (double)s->workload.rate_iops),
		units_count(backlog, sizeof(backlog), (double)d->backlog),
		units_latency(p99, sizeof(p99), d->p99 ? (double)d->p99 : -1, units_ascii()));
}

/* One line on the terminal, written over each time. */
static void progress(struct run *r, const struct options *o, const char *what, uint64_t done_ns,
		     uint64_t total_ns)
{
	static struct snapshot s;
	char iops[32], rate[32], lat[32], p99[32];

	run_snapshot(r, &s);
	double dt = s.second.dt_ns ? (double)s.second.dt_ns / 1e9 : 1;
	uint64_t ios = s.second.op[IO_READ].ios + s.second.op[IO_WRITE].ios;
	uint64_t bytes = s.second.op[IO_READ].bytes + s.second.op[IO_WRITE].bytes;
	uint64_t sum = s.second.op[IO_READ].lat_sum + s.second.op[IO_WRITE].lat_sum;
	fprintf(stderr, "\r%s %3.0f of %.0f s", what, (double)done_ns / 1e9,
		(double)total_ns / 1e9);
	if (s.workload.rate_iops) {
		progress_rate(&s, dt);
		fflush(stderr);
		return;
	}
	fprintf(stderr, "  %7s IOPS  %12s  mean %8s  p99 %8s\033[K",
		units_count(iops, sizeof(iops), (double)ios / dt),
		units_rate(rate, sizeof(rate), (double)bytes / dt, o->unit),
		units_latency(lat, sizeof(lat), ios ? (double)sum / (double)ios : -1,
			      units_ascii()),
		units_latency(p99, sizeof(p99), s.second.p99 ? (double)s.second.p99 : -1,
			      units_ascii()));
	fflush(stderr);
}

/* Runs for a time, or until a signal comes (returned) or the run ends by itself. */
static int pass(struct run *r, const struct options *o, int signals, const char *what,
		uint64_t length)
{
	bool tell = isatty(STDERR_FILENO);
	uint64_t start = clock_ns(), now = start, told = 0;
	int signal_number = 0;

	while (now < start + length && !signal_number && !run_wait(r, 0)) {
		uint64_t left = start + length - now;
		signal_number = wait_signal(signals, left < LOOK_NS ? left : LOOK_NS);
		now = clock_ns();
		if (tell && now - told >= PROGRESS_NS) {
			progress(r, o, what, now - start, length);
			told = now;
		}
	}
	if (tell)
		fputs("\r\033[K", stderr);
	return signal_number;
}

/* --- Results. --- */

static int write_files(struct run *r, const struct options *o, const struct summary *s)
{
	struct error e;
	int status = EXIT_FINE;

	if (o->json) {
		json_t *document = run_json(r, s);
		if (export_write_json(document, o->json, &e))
			status = cmd_fail(EXIT_USAGE, &e);
		json_decref(document);
	}
	if (o->csv && run_write_csv(r, o->csv, &e))
		status = cmd_fail(EXIT_USAGE, &e);
	return status;
}

static void print_result(struct run *r, const struct options *o, const struct target *t,
			 const struct summary *s, uint64_t lost)
{
	char *table = summary_table(s, o->unit, units_ascii());
	char *warnings = summary_warnings(s, run_errors(r));
	struct snapshot *snap = malloc(sizeof(*snap));

	/* A document on standard output is for a program to read: then the table is not. */
	bool taken = (o->json && strcmp(o->json, OPTIONS_STDOUT) == 0) ||
		     (o->csv && strcmp(o->csv, OPTIONS_STDOUT) == 0);
	FILE *out = taken ? stderr : stdout;
	if (table)
		fputs(table, out);
	if (run_id(r))
		options_print_kept(out, o, run_id(r));
	fflush(out);
	if (warnings)
		fputs(warnings, stderr);
	if (snap) {
		run_snapshot(r, snap);
		if (snap->ended)
			fprintf(stderr, "lunscope: the run ended early: %s\n", snap->end_reason);
		cmd_print_trouble(stderr, "lunscope: ", t, lost, snap);
		if (snap->store_trouble[0])
			fprintf(stderr, "lunscope: %s\n", snap->store_trouble);
	}
	free(snap);
	free(table);
	free(warnings);
}

static int finish(struct run *r, const struct options *o, const struct target *t, int signal_number)
{
	struct summary s;
	bool early = run_wait(r, 0);
	uint64_t lost = run_stop(r,
				 signal_number ? "interrupted"
				 : early       ? "stopped on error"
					       : "done",
				 &s);

	/* Files first: whatever becomes of standard output, they are kept. */
	int status = write_files(r, o, &s);
	print_result(r, o, t, &s, lost);
	if (status == EXIT_FINE && signal_number)
		status = 128 + signal_number;
	if (status == EXIT_FINE && (run_error_count(r) || lost || early))
		status = EXIT_IO_ERRORS;
	return status;
}

static int measure(struct target *t, const struct options *o, const struct workload *w,
		   struct guard_watch *watch)
{
	struct error e;
	struct run *r;
	char command[2048 + SETTING_LONG];
	int signals = open_signals();

	/* A reader of the result that goes away must not take the run's record with it. */
	signal(SIGPIPE, SIG_IGN);
	struct run_config c = {
		.workload = *w,
		.stop_on_error = o->stop_on_error,
		.no_store = o->no_store,
		.store_path = o->store,
		.command = options_command(command, sizeof(command), o, w, t, o->for_ns),
		.status = "headless",
	};
	int rc = run_create(&r, t, &c, &e);
	if (rc) {
		guard_watch_stop(watch);
		close(signals);
		target_unmake(t);
		return cmd_fail(EXIT_USAGE, &e);
	}
	run_watch(r, watch);
	int signal_number = 0;
	if (o->warmup_ns) {
		signal_number = pass(r, o, signals, "warming up", o->warmup_ns);
		if (signal_number)
			fprintf(stderr,
				"lunscope: interrupted in the warm-up: these are its figures\n");
		else
			run_reset(r, "warm-up over");
	}
	if (!signal_number)
		signal_number = pass(r, o, signals, "measuring", o->for_ns);
	int status = finish(r, o, t, signal_number);
	run_destroy(r);
	close(signals);
	return status;
}

static bool same_node(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* Whether two names stand for the same file, be it there already or not. */
static bool same_file(const char *a, const char *b)
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

/* A result file takes the place of what had its name: that must be neither the target (nor the file
 * behind a loop device), nor the run store. */
static int check_result(const char *path, const char *what, const struct target *t,
			const char *store, struct error *e)
{
	struct stat st;

	if (!path)
		return 0;
	if (stat(path, &st) == 0 && target_is(t, &st))
		return error_set(e, EINVAL, "%s: %s is the target itself: name another file", what,
				 path);
	if (store && same_file(path, store))
		return error_set(e, EINVAL, "%s: %s is the run store: name another file", what,
				 path);
	return 0;
}

static int check_results(const struct options *o, const struct target *t, struct error *e)
{
	char standard[PATH_MAX];
	struct stat st;
	const char *store = o->no_store ? NULL : o->store;

	if (!store && !o->no_store && store_default_path(standard, sizeof(standard), NULL) == 0)
		store = standard;
	if (store && stat(store, &st) == 0 && target_is(t, &st))
		return error_set(e, EINVAL, "--store: %s is the target itself: name another file",
				 store);
	if (o->json && o->csv && strcmp(o->json, OPTIONS_STDOUT) != 0 && same_file(o->json, o->csv))
		return error_set(e, EINVAL, "--json and --csv both go to %s: name two files",
				 o->json);
	int rc = check_result(o->json, "--json", t, store, e);
	return rc ? rc : check_result(o->csv, "--csv", t, store, e);
}

int cmd_run(const struct options *o)
{
	struct error e;
	struct target t;
	struct guard_watch *watch = NULL;
	struct target_options how = cmd_target_options(o);

	if ((o->json && outfile_check(o->json, "--json", &e)) ||
	    (o->csv && outfile_check(o->csv, "--csv", &e)))
		return cmd_fail(EXIT_USAGE, &e);
	int rc = cmd_open_target(&t, o->arg[0], &how, &e);
	if (rc)
		return rc > 0 ? 128 + rc : cmd_fail(EXIT_USAGE, &e);
	struct workload w = cmd_workload(o, &t);
	struct workload_limits limits = target_limits(&t);
	/* Everything but the permission is checked before the guard asks for consent. */
	limits.may_write = true;
	limits.write_length = t.size;
	limits.write_start = 0;
	int status;
	rc = check_results(o, &t, &e);
	if (rc == 0)
		rc = workload_validate(&w, &limits, &e);
	if (rc) {
		target_unmake(&t);
		status = cmd_fail(EXIT_USAGE, &e);
	} else if ((rc = consent_headless(&t, o, &watch, &e))) {
		target_unmake(&t);
		status = cmd_fail(cmd_status(rc), &e);
	} else {
		status = measure(&t, o, &w, watch);
	}
	target_close(&t);
	return status;
}
