/* cmd_run.c - `lunscope run`: a measurement without a screen. */
#include <stdio.h>
#include <stdlib.h>

#include "cmd.h"
#include "headless.h"
#include "seat_table.h"

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
static void progress(const struct headless *h, const char *what, uint64_t done_ns,
		     uint64_t total_ns)
{
	static struct snapshot s;
	char iops[32], rate[32], lat[32], p99[32];

	run_snapshot(h->run, &s);
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
		units_rate(rate, sizeof(rate), (double)bytes / dt, h->options->unit),
		units_latency(lat, sizeof(lat), ios ? (double)sum / (double)ios : -1,
			      units_ascii()),
		units_latency(p99, sizeof(p99), s.second.p99 ? (double)s.second.p99 : -1,
			      units_ascii()));
	fflush(stderr);
}

/* Runs for a time, or until a signal comes (returned) or the run ends by itself. */
static int pass(struct headless *h, const char *what, uint64_t length)
{
	uint64_t start = clock_ns(), now = start, told = 0;
	int signal_number = 0;

	while (now < start + length && !signal_number && !run_wait(h->run, 0)) {
		uint64_t left = start + length - now;
		signal_number =
			headless_wait(h, -1, left < HEADLESS_LOOK_NS ? left : HEADLESS_LOOK_NS);
		now = clock_ns();
		if (h->tell && now - told >= HEADLESS_TELL_NS) {
			progress(h, what, now - start, length);
			told = now;
		}
	}
	if (h->tell)
		fputs("\r\033[K", stderr);
	return signal_number;
}

/* With several targets: from where on each worker's figures count. */
struct seats_task {
	struct seat_shot from, to;
};

/* The rows of what was measured, NULL where there are none. */
static struct seat_row *seats_of(const struct headless *h, uint32_t *n, uint64_t *elapsed_ns)
{
	struct seats_task *s = h->ctx;

	if (h->targets < 2)
		return NULL;
	if (!s->to.t_ns)
		run_shoot_now(h->run, &s->to);
	*n = s->to.count;
	*elapsed_ns = s->to.t_ns - (s->from.t_ns ? s->from.t_ns : run_start_ns(h->run));
	return seat_rows(&s->from, &s->to);
}

static void document(const struct headless *h, json_t *document)
{
	uint64_t elapsed_ns;
	uint32_t n;
	struct seat_row *row = seats_of(h, &n, &elapsed_ns);

	if (row)
		json_object_set_new(document, "seats", seat_json(row, n));
	free(row);
}

static void print(const struct headless *h, FILE *out)
{
	uint64_t elapsed_ns;
	uint32_t n;
	struct seat_row *row = seats_of(h, &n, &elapsed_ns);

	if (row)
		seat_table(out, row, n, elapsed_ns, h->options->unit);
	free(row);
}

static int measure(struct headless *h, struct error *e)
{
	const struct options *o = h->options;
	struct seats_task *s = h->ctx;

	if (h->targets > 1) {
		int rc = run_keep_seats(h->run, e);
		if (rc)
			return rc;
	}
	if (o->warmup_ns) {
		int signal_number = pass(h, "warming up", o->warmup_ns);
		if (signal_number) {
			fprintf(stderr,
				"lunscope: interrupted in the warm-up: these are its figures\n");
			return signal_number;
		}
		if (h->targets > 1)
			run_shoot(h->run, &s->from);
		run_reset(h->run, "warm-up over");
	}
	return pass(h, "measuring", o->for_ns);
}

static void command(const struct headless *h, const struct workload *w, char *out, size_t n)
{
	options_command(out, n, h->options, w, h->target, h->options->for_ns);
	for (unsigned i = 1; i < h->targets; i++)
		options_append_word(out, n, h->all[i].spec);
}

int cmd_run(const struct options *o)
{
	struct seats_task seats = {0};
	const struct headless_task task = {
		.command = command,
		.measure = measure,
		.document = document,
		.print = print,
		.ctx = &seats,
	};

	int status = headless_targets(o, o->arg, (unsigned)o->args, &task);
	seat_shot_free(&seats.from);
	seat_shot_free(&seats.to);
	return status;
}
