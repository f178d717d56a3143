/* summary.c - a run (or a part of one) in figures.
 *
 * One computation for the final table, the JSON, `lunscope list` and `lunscope show`, so that they
 * can't disagree.
 */
#include "summary.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "engine.h"
#include "io_error.h"

#define DEPTH_REACHED    0.8   /* below this share of the requested depth there is a warning */
#define LITTLE_TOLERANCE 0.05  /* so far from 1 Little's law may be off */
#define RATE_MISSED      0.005 /* this share of what fell due may be left over */
#define RATE_RIPPLE      0.1   /* s; what fell due in so long may wait at the end, as in lamps.c */
/* IOs per place in the queue, or the ends of the run dominate; so many for each stretch between gaps, as
 * each has its ends. */
#define LITTLE_IOS 20

/* --- Arithmetic. --- */

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static void op_compute(struct summary_op *o, const struct op_sample *s, const struct hist *h,
		       double elapsed_s)
{
	o->ios = s->ios;
	o->bytes = s->bytes;
	o->errors = s->errors;
	o->iops = elapsed_s > 0 ? (double)s->ios / elapsed_s : 0;
	o->bytes_s = elapsed_s > 0 ? (double)s->bytes / elapsed_s : 0;
	o->mean = ratio((double)s->lat_sum, (double)s->ios);
	o->min = h->count ? (double)h->min : NAN;
	o->p50 = hist_percentile(h, 0.50);
	o->p90 = hist_percentile(h, 0.90);
	o->p95 = hist_percentile(h, 0.95);
	o->p99 = hist_percentile(h, 0.99);
	o->p999 = hist_percentile(h, 0.999);
	o->max = h->count ? (double)h->max : NAN;
}

static void due_compute(struct summary *s, const struct due_sample *from, const struct hist *h)
{
	struct summary_due *d = &s->due;
	double missed = (double)from->offered - (double)from->started;
	double allowed = fmax(RATE_MISSED * (double)from->offered, s->depth_requested);

	d->offered = from->offered;
	d->started = from->started;
	d->ios = from->ios;
	d->backlog = from->backlog;
	d->offered_s = s->elapsed_s > 0 ? (double)from->offered / s->elapsed_s : 0;
	/* A backlog that was there before counts as well: then these latencies are its latencies. */
	d->sustained = missed <= allowed &&
		       (double)from->backlog <= fmax(allowed, RATE_RIPPLE * d->offered_s);
	d->mean = hist_mean(h);
	d->min = h->count ? (double)h->min : NAN;
	d->p50 = hist_percentile(h, 0.50);
	d->p90 = hist_percentile(h, 0.90);
	d->p95 = hist_percentile(h, 0.95);
	d->p99 = hist_percentile(h, 0.99);
	d->p999 = hist_percentile(h, 0.999);
	d->max = h->count ? (double)h->max : NAN;
}

/* CPU % as Iometer defines it: everything but idle, iowait and steal, over all CPUs. */
static void cpu_compute(struct summary *s, const struct sample *total)
{
	const struct cpu_sample *c = &total->cpu;
	double busy = (double)(c->user + c->system + c->irq + c->softirq);
	double all = busy + (double)(c->idle + c->iowait + c->steal);
	double share = ratio((double)total->dt_ns, (double)sample_cpu_dt(total));
	double ios = (double)s->op[SUM_TOTAL].ios;
	double gib = (double)s->op[SUM_TOTAL].bytes / (double)GIB;

	s->cpu_valid = c->valid && all > 0;
	s->cpus = c->cpus;
	s->cpu_percent = s->cpu_valid ? 100 * busy / all : NAN;
	s->cpu_us_per_io = s->cpu_valid ? ratio(busy * share / 1e3, ios) : NAN;
	s->cpu_s_per_gib = s->cpu_valid ? ratio(busy * share / 1e9, gib) : NAN;
	s->self_us_per_io = s->cpu_valid ? ratio((double)c->self_ns * share / 1e3, ios) : NAN;
}

void summary_compute(struct summary *s, const struct sample *total, const struct hist hist[HISTS],
		     const char *engine)
{
	struct op_sample both = total->op[IO_READ];
	const struct op_sample *w = &total->op[IO_WRITE];
	struct hist merged = hist[IO_READ];
	double dt = (double)total->dt_ns;

	memset(s, 0, sizeof(*s));
	both.ios += w->ios;
	both.bytes += w->bytes;
	both.errors += w->errors;
	both.lat_sum += w->lat_sum;
	hist_merge(&merged, &hist[IO_WRITE]);

	s->elapsed_s = dt / 1e9;
	op_compute(&s->op[SUM_READ], &total->op[IO_READ], &hist[IO_READ], s->elapsed_s);
	op_compute(&s->op[SUM_WRITE], w, &hist[IO_WRITE], s->elapsed_s);
	op_compute(&s->op[SUM_TOTAL], &both, &merged, s->elapsed_s);
	cpu_compute(s, total);
	s->depth_requested = dt > 0 ? (double)sample_requested_ns(total) / dt : 0;
	s->depth_achieved = dt > 0 ? (double)total->depth_ns / dt : 0;
	s->depth_device = total->device_depth;
	due_compute(s, &total->due, &hist[HIST_DUE]);
	/* IOPS x mean latency = lat_sum / dt, and depth = depth_ns / dt. What came back after
	 * the end has all of its latency in lat_sum, so that the law holds for the depth with
	 * the drain. */
	s->little = ratio((double)both.lat_sum, (double)(total->depth_ns + total->drain_ns));
	snprintf(s->engine, sizeof(s->engine), "%s", engine ? engine : "");
}

void summary_leave_out(struct summary *s, const struct sample *total, const struct sample *gap,
		       unsigned gaps)
{
	struct summary_outage *o = &s->outage;
	const struct op_sample *r = &gap->op[IO_READ], *w = &gap->op[IO_WRITE];
	double all_s = (double)(total->dt_ns + gap->dt_ns) / 1e9;
	double ios = (double)(s->op[SUM_TOTAL].ios + r->ios + w->ios);
	double bytes = (double)(s->op[SUM_TOTAL].bytes + r->bytes + w->bytes);

	memset(o, 0, sizeof(*o));
	if (!gap->dt_ns)
		return;
	o->seconds = (double)gap->dt_ns / 1e9;
	o->gaps = gaps;
	for (int op = 0; op < IO_OPS; op++) {
		o->ios[op] = gap->op[op].ios;
		o->bytes[op] = gap->op[op].bytes;
	}
	o->ios[SUM_TOTAL] = r->ios + w->ios;
	o->bytes[SUM_TOTAL] = r->bytes + w->bytes;
	o->max = o->ios[SUM_TOTAL] ? fmax((double)r->lat_max, (double)w->lat_max) : NAN;
	o->with_iops = ios / all_s;
	o->with_bytes_s = bytes / all_s;
	o->with_mean = ratio((double)(total->op[IO_READ].lat_sum + total->op[IO_WRITE].lat_sum +
				      r->lat_sum + w->lat_sum),
			     ios);
	for (int i = 0; !total->dt_ns && i < SUM_COUNT; i++)
		s->op[i].iops = s->op[i].bytes_s = NAN;
}

/* --- The table. --- */

/* Columns that a text takes: its UTF-8 characters (all of those used here are one column wide). */
static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* text at the right end of width columns. */
static void print_right(FILE *f, int width, const char *text)
{
	fprintf(f, "%*s%s", width > columns(text) ? width - columns(text) : 0, "", text);
}

/* A figure of the wide row: at most 7 of its 8 columns, and as many digits as there is room for. */
static void print_figure(FILE *f, double v)
{
	char text[32];

	if (isnan(v))
		snprintf(text, sizeof(text), "-");
	else if (v == 0)
		snprintf(text, sizeof(text), "0");
	else if (v >= 9999999.5)
		units_count(text, sizeof(text), v);
	else
		snprintf(text, sizeof(text), "%.*f",
			 v < 9.9995   ? 3
			 : v < 99.995 ? 2
				      : v < 999.95,
			 v);
	print_right(f, 8, text);
}

static const char *const op_name[SUM_COUNT] = {"read", "write", "total"};

/* name between dashes, over three columns. */
static void print_group(FILE *f, const char *name)
{
	int dashes = 21 - 2 - (int)strlen(name);

	fprintf(f, "   %.*s %s %.*s", dashes / 2, "----------", name, dashes - dashes / 2,
		"----------");
}

static void print_iometer(FILE *f, const struct summary *s, enum rate_unit unit)
{
	char text[32];

	print_group(f, "IOPS");
	print_group(f, units_rate_name(unit));
	print_group(f, "ms");
	fputc('\n', f);
	for (int i = 0; i < 3 * SUM_COUNT; i++)
		print_right(f, 8, op_name[i % SUM_COUNT]);
	fprintf(f, "  CPU %%\n");
	for (int i = 0; i < SUM_COUNT; i++)
		print_figure(f, s->op[i].iops);
	for (int i = 0; i < SUM_COUNT; i++)
		print_figure(f, s->op[i].bytes_s / units_rate_scale(unit));
	for (int i = 0; i < SUM_COUNT; i++)
		print_figure(f, s->op[i].mean / 1e6);
	if (s->cpu_valid)
		snprintf(text, sizeof(text), "%.1f", s->cpu_percent);
	else
		snprintf(text, sizeof(text), "-");
	print_right(f, 7, text);
	fputc('\n', f);
}

#define LATENCIES 7

static void print_row(FILE *f, const char *name, const double v[LATENCIES], bool ascii)
{
	char text[32];

	fprintf(f, "%-8s", name);
	for (int i = 0; i < LATENCIES; i++)
		print_right(f, 10, units_latency(text, sizeof(text), v[i], ascii));
	fputc('\n', f);
}

static void print_latencies(FILE *f, const struct summary *s, bool ascii)
{
	static const char *const head[LATENCIES] = {"min", "p50",   "p90", "p95",
						    "p99", "p99.9", "max"};

	fprintf(f, "%-8s", "latency");
	for (int i = 0; i < LATENCIES; i++)
		print_right(f, 10, head[i]);
	fputc('\n', f);
	for (int op = 0; op < SUM_COUNT; op++) {
		const struct summary_op *o = &s->op[op];
		const double v[] = {o->min, o->p50, o->p90, o->p95, o->p99, o->p999, o->max};
		print_row(f, op_name[op], v, ascii);
	}
	const struct summary_due *d = &s->due;
	const double v[] = {d->min, d->p50, d->p90, d->p95, d->p99, d->p999, d->max};
	if (d->offered)
		print_row(f, "from due", v, ascii);
}

/* A cost with three digits, ", " before it when it isn't the first; nothing when not known. */
static void print_cost(FILE *f, const char *before, double v, const char *unit)
{
	if (!isnan(v))
		fprintf(f, "%s%.*f %s", before, v < 9.995 ? 2 : v < 99.95, v, unit);
}

static void print_cpu(FILE *f, const struct summary *s, bool ascii)
{
	const char *us_per_io = ascii ? "us/IO" : "µs/IO";

	fprintf(f, "%-10s", "CPU");
	if (!s->cpu_valid) {
		fprintf(f, "not known\n");
		return;
	}
	/* The host's share is counted in clock ticks, our own exactly: where it comes out
	 * larger, what the host took per IO is not known. */
	bool too_coarse = s->self_us_per_io > s->cpu_us_per_io;
	fprintf(f, "%.1f %%", s->cpu_percent);
	if (s->cpus)
		fprintf(f, " of %u CPU%s", s->cpus, s->cpus == 1 ? "" : "s");
	if (!too_coarse) {
		print_cost(f, ", ", s->cpu_us_per_io, us_per_io);
		print_cost(f, ", ", s->cpu_s_per_gib, "s/GiB");
	}
	if (!isnan(s->self_us_per_io)) {
		fprintf(f, "%s\n%-10s", too_coarse ? ", by clock ticks" : "", "");
		print_cost(f, too_coarse ? "lunscope alone took " : "of which lunscope's own ",
			   s->self_us_per_io, us_per_io);
	}
	fputc('\n', f);
}

static void print_rate(FILE *f, const struct summary *s)
{
	const struct summary_due *d = &s->due;
	char offered[16], done[16], backlog[16];
	double done_s = s->elapsed_s > 0 ? (double)d->ios / s->elapsed_s : 0;

	fprintf(f, "%-10s%s/s offered, %s/s done%s", "rate",
		units_count(offered, sizeof(offered), d->offered_s),
		units_count(done, sizeof(done), done_s), d->sustained ? "" : ": not sustained");
	if (d->backlog)
		fprintf(f, ", backlog %s",
			units_count(backlog, sizeof(backlog), (double)d->backlog));
	fputc('\n', f);
}

static void print_outage(FILE *f, const struct summary *s, enum rate_unit unit, bool ascii)
{
	const struct summary_outage *o = &s->outage;
	char span[32], longest[48] = "", latency[32], mean[32];

	if (!isnan(o->max))
		snprintf(longest, sizeof(longest), ", longest %s",
			 units_latency(latency, sizeof(latency), o->max, ascii));
	fprintf(f, "%-10s%s of path outage left out (%llu IO%s came back%s)\n", "outage",
		units_span(span, sizeof(span), (uint64_t)llround(o->seconds * 1e9)),
		(unsigned long long)o->ios[SUM_TOTAL], o->ios[SUM_TOTAL] == 1 ? "" : "s", longest);
	fprintf(f, "%-10swith it %.0f IOPS, %.1f %s, mean latency %s\n", "", o->with_iops,
		o->with_bytes_s / units_rate_scale(unit), units_rate_name(unit),
		units_latency(mean, sizeof(mean), o->with_mean, ascii));
}

static void print_rest(FILE *f, const struct summary *s, enum rate_unit unit, bool ascii)
{
	const struct summary_op *t = &s->op[SUM_TOTAL];
	char span[32], size[32], looks[128];

	fprintf(f, "%-10s%.1f requested", "depth", s->depth_requested);
	if (!isnan(s->depth_achieved))
		fprintf(f, ", %.1f achieved", s->depth_achieved);
	if (s->depth_device >= 0)
		fprintf(f, ", %.1f in the device", s->depth_device);
	fputc('\n', f);
	if (s->due.offered)
		print_rate(f, s);
	if (s->outage.seconds > 0)
		print_outage(f, s, unit, ascii);
	fprintf(f, "%-10s%s\n", "engine", s->engine[0] ? s->engine : "-");
	if (s->engine_why[0])
		fprintf(f, "%-10sauto: %s\n", "", s->engine_why);
	if (s->engine_remark[0])
		fprintf(f, "%-10s%s\n", "", s->engine_remark);
	if (*looks_describe(looks, sizeof(looks), &s->looks, ascii))
		fprintf(f, "%-10s%s\n", "reaped", looks);
	units_span(span, sizeof(span), (uint64_t)llround(s->elapsed_s * 1e9));
	units_size(size, sizeof(size), t->bytes);
	fprintf(f, "%-10s%s%s, %llu IOs, %s\n", "elapsed", span,
		s->outage.seconds > 0 ? " without it" : "", (unsigned long long)t->ios, size);
	fprintf(f, "%-10s%llu", "errors", (unsigned long long)t->errors);
	if (t->errors)
		fprintf(f, " (%llu read, %llu write)", (unsigned long long)s->op[SUM_READ].errors,
			(unsigned long long)s->op[SUM_WRITE].errors);
	if (s->failed_max > 0)
		fprintf(f, ", the slowest failed after %s",
			units_latency(span, sizeof(span), s->failed_max, ascii));
	fputc('\n', f);
}

char *summary_table(const struct summary *s, enum rate_unit unit, bool ascii)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	print_iometer(f, s, unit);
	fputc('\n', f);
	print_latencies(f, s, ascii);
	fputc('\n', f);
	print_cpu(f, s, ascii);
	print_rest(f, s, unit, ascii);
	fclose(f);
	return text;
}

/* --- Warnings. --- */

static void print_errors(FILE *f, const uint64_t *errors)
{
	if (errors[0])
		fprintf(f, "%llu IO%s came back short: less was transferred than asked for\n",
			(unsigned long long)errors[0], errors[0] == 1 ? "" : "s");
	for (int i = 1; i < ERRNO_SLOTS; i++) {
		if (!errors[i])
			continue;
		fprintf(f, "%llu IO%s failed", (unsigned long long)errors[i],
			errors[i] == 1 ? "" : "s");
		if (i == IO_BEYOND_END)
			fprintf(f, ": %s\n", io_error_words(i));
		else
			fprintf(f, " with %s (%s)\n", io_error_name(i), io_error_words(i));
		if (i == EINVAL)
			fprintf(f, "a target refuses with EINVAL what it can't transfer with "
				   "O_DIRECT: try a larger --block, or --buffered\n");
	}
}

/* The backend may know why. */
static void print_depth(FILE *f, const struct summary *s)
{
	const struct backend *b = backend_find(s->engine);
	const char *reason = b ? b->depth_reason : NULL;

	fprintf(f, "depth %.1f of %.1f requested was reached: these are figures of depth %.1f",
		s->depth_achieved, s->depth_requested, s->depth_achieved);
	if (reason)
		fprintf(f, " (%s: %s)", s->engine, reason);
	fputc('\n', f);
}

static void print_faults(FILE *f, const struct summary *s, const uint64_t *errors)
{
	if (s->unaccounted)
		fprintf(f, "the engine lost sight of %llu IOs: don't trust these figures\n",
			(unsigned long long)s->unaccounted);
	if (errors)
		print_errors(f, errors);
}

char *summary_warnings(const struct summary *s, const uint64_t *errors)
{
	const struct summary_op *t = &s->op[SUM_TOTAL];
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (t->ios && !s->rate_limited && s->depth_achieved < DEPTH_REACHED * s->depth_requested)
		print_depth(f, s);
	if (!s->due.sustained)
		fprintf(f,
			"offered rate not sustained: %llu IOs fell due, %llu were started, %llu "
			"waited at the end; latencies are those of an overload\n",
			(unsigned long long)s->due.offered, (unsigned long long)s->due.started,
			(unsigned long long)s->due.backlog);
	/* IOs that failed or have not come back are in the depth but not in the latency, so with them the law
	 * can't hold. */
	double ends = LITTLE_IOS * s->depth_requested * (1 + s->outage.gaps);
	if (!t->errors && !s->unanswered && (double)t->ios > ends &&
	    fabs(s->little - 1) > LITTLE_TOLERANCE)
		fprintf(f,
			"Little's law is off: IOPS x mean latency is %.2f x the depth in flight; "
			"don't trust these latencies\n",
			s->little);
	print_faults(f, s, errors);
	fclose(f);
	return text;
}

char *summary_faults(const struct summary *s, const uint64_t *errors)
{
	char *text = NULL;
	size_t n = 0;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	print_faults(f, s, errors);
	fclose(f);
	return text;
}

/* --- JSON. --- */

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *op_json(const struct summary_op *o)
{
	return json_pack("{s:I, s:I, s:I, s:o, s:o, s:{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}}",
			 "ios", (json_int_t)o->ios, "bytes", (json_int_t)o->bytes, "errors",
			 (json_int_t)o->errors, "iops", number(o->iops), "mib_s",
			 number(o->bytes_s / (double)MIB), "lat_ns", "mean", number(o->mean), "min",
			 number(o->min), "p50", number(o->p50), "p90", number(o->p90), "p95",
			 number(o->p95), "p99", number(o->p99), "p999", number(o->p999), "max",
			 number(o->max));
}

static json_t *due_json(const struct summary_due *d)
{
	if (!d->offered)
		return json_null();
	return json_pack(
		"{s:I, s:I, s:I, s:I, s:b, s:o, s:{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}}",
		"offered", (json_int_t)d->offered, "started", (json_int_t)d->started, "ios",
		(json_int_t)d->ios, "backlog", (json_int_t)d->backlog, "sustained",
		(int)d->sustained, "offered_iops", number(d->offered_s), "lat_due_ns", "mean",
		number(d->mean), "min", number(d->min), "p50", number(d->p50), "p90",
		number(d->p90), "p95", number(d->p95), "p99", number(d->p99), "p999",
		number(d->p999), "max", number(d->max));
}

static json_t *outage_json(const struct summary *s)
{
	const struct summary_outage *o = &s->outage;

	if (!(o->seconds > 0))
		return json_null();
	json_t *object = json_pack("{s:I, s:o}", "gaps", (json_int_t)o->gaps, "elapsed_s",
				   number(o->seconds));
	for (int i = 0; i < SUM_COUNT; i++)
		json_object_set_new(object, op_name[i],
				    json_pack("{s:I, s:I}", "ios", (json_int_t)o->ios[i], "bytes",
					      (json_int_t)o->bytes[i]));
	json_object_set_new(object, "lat_max_ns", number(o->max));
	json_object_set_new(object, "with_it",
			    json_pack("{s:o, s:o, s:o, s:o}", "elapsed_s",
				      number(s->elapsed_s + o->seconds), "iops",
				      number(o->with_iops), "mib_s",
				      number(o->with_bytes_s / (double)MIB), "lat_mean_ns",
				      number(o->with_mean)));
	return object;
}

json_t *summary_json(const struct summary *s)
{
	return json_pack("{s:o, s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:o, s:s, s:o, "
			 "s:o, s:o, s:o}",
			 "read", op_json(&s->op[SUM_READ]), "write", op_json(&s->op[SUM_WRITE]),
			 "total", op_json(&s->op[SUM_TOTAL]), "cpu", "percent",
			 number(s->cpu_percent), "us_per_io", number(s->cpu_us_per_io), "s_per_gib",
			 number(s->cpu_s_per_gib), "self_us_per_io", number(s->self_us_per_io),
			 "elapsed_s", number(s->elapsed_s), "depth_requested",
			 number(s->depth_requested), "depth_achieved", number(s->depth_achieved),
			 "depth_device", number(s->depth_device < 0 ? NAN : s->depth_device),
			 "engine", s->engine, "reaped", looks_json(&s->looks), "rate",
			 due_json(&s->due), "outage", outage_json(s), "error_lat_max_ns",
			 number(s->failed_max > 0 ? s->failed_max : NAN));
}

static double number_scan(const json_t *object, const char *key)
{
	const json_t *v = json_object_get(object, key);

	return json_is_number(v) ? json_number_value(v) : NAN;
}

static int op_scan(struct summary_op *o, const json_t *object)
{
	const json_t *ios = json_object_get(object, "ios"),
		     *bytes = json_object_get(object, "bytes"),
		     *errors = json_object_get(object, "errors"),
		     *lat = json_object_get(object, "lat_ns");

	if (!json_is_integer(ios) || !json_is_integer(bytes) || !json_is_integer(errors) ||
	    !json_is_object(lat))
		return -EINVAL;
	o->ios = (uint64_t)json_integer_value(ios);
	o->bytes = (uint64_t)json_integer_value(bytes);
	o->errors = (uint64_t)json_integer_value(errors);
	o->iops = number_scan(object, "iops");
	o->bytes_s = number_scan(object, "mib_s") * (double)MIB;
	o->mean = number_scan(lat, "mean");
	o->min = number_scan(lat, "min");
	o->p50 = number_scan(lat, "p50");
	o->p90 = number_scan(lat, "p90");
	o->p95 = number_scan(lat, "p95");
	o->p99 = number_scan(lat, "p99");
	o->p999 = number_scan(lat, "p999");
	o->max = number_scan(lat, "max");
	return 0;
}

static uint64_t count_scan(const json_t *object, const char *key)
{
	return (uint64_t)json_integer_value(json_object_get(object, key));
}

/* Records of before there was one do not have it. */
static void due_scan(struct summary_due *d, const json_t *object)
{
	const json_t *lat = json_object_get(object, "lat_due_ns");

	d->offered = count_scan(object, "offered");
	d->started = count_scan(object, "started");
	d->ios = count_scan(object, "ios");
	d->backlog = count_scan(object, "backlog");
	d->sustained = !json_is_false(json_object_get(object, "sustained"));
	d->offered_s = number_scan(object, "offered_iops");
	d->mean = number_scan(lat, "mean");
	d->min = number_scan(lat, "min");
	d->p50 = number_scan(lat, "p50");
	d->p90 = number_scan(lat, "p90");
	d->p95 = number_scan(lat, "p95");
	d->p99 = number_scan(lat, "p99");
	d->p999 = number_scan(lat, "p999");
	d->max = number_scan(lat, "max");
}

/* Likewise. */
static void outage_scan(struct summary_outage *o, const json_t *object)
{
	const json_t *with = json_object_get(object, "with_it");

	if (!json_is_object(object))
		return;
	o->seconds = number_scan(object, "elapsed_s");
	o->gaps = (unsigned)count_scan(object, "gaps");
	for (int i = 0; i < SUM_COUNT; i++) {
		const json_t *op = json_object_get(object, op_name[i]);
		o->ios[i] = count_scan(op, "ios");
		o->bytes[i] = count_scan(op, "bytes");
	}
	o->max = number_scan(object, "lat_max_ns");
	o->with_iops = number_scan(with, "iops");
	o->with_bytes_s = number_scan(with, "mib_s") * (double)MIB;
	o->with_mean = number_scan(with, "lat_mean_ns");
}

int summary_scan(struct summary *s, const json_t *object)
{
	const json_t *cpu = json_object_get(object, "cpu");
	const char *engine = json_string_value(json_object_get(object, "engine"));

	memset(s, 0, sizeof(*s));
	if (op_scan(&s->op[SUM_READ], json_object_get(object, "read")) ||
	    op_scan(&s->op[SUM_WRITE], json_object_get(object, "write")) ||
	    op_scan(&s->op[SUM_TOTAL], json_object_get(object, "total")) || !json_is_object(cpu) ||
	    !engine)
		return -EINVAL;
	due_scan(&s->due, json_object_get(object, "rate"));
	outage_scan(&s->outage, json_object_get(object, "outage"));
	s->cpu_percent = number_scan(cpu, "percent");
	s->cpu_us_per_io = number_scan(cpu, "us_per_io");
	s->cpu_s_per_gib = number_scan(cpu, "s_per_gib");
	s->self_us_per_io = number_scan(cpu, "self_us_per_io");
	s->cpu_valid = !isnan(s->cpu_percent);
	double failed = number_scan(object, "error_lat_max_ns");
	s->failed_max = failed > 0 ? failed : 0;
	s->elapsed_s = number_scan(object, "elapsed_s");
	s->depth_requested = number_scan(object, "depth_requested");
	s->depth_achieved = number_scan(object, "depth_achieved");
	s->depth_device = -1;
	s->little = NAN;
	snprintf(s->engine, sizeof(s->engine), "%s", engine);
	return 0;
}
