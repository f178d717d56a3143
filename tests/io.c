/* io.c - headless runs of the real program; see io.h. */
#include "tests/io.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/scratch.h"

#define ARGUMENTS_MAX 48

void io_run(struct outcome *o, const char *const arguments[])
{
	const char *json = scratch_path("result.json"), *csv = scratch_path("result.csv");
	const char *argv[ARGUMENTS_MAX] = {lunscope_path(), "run", "--no-store", "--json", json,
					   "--csv",         csv};
	size_t n = 7;
	for (size_t i = 0; arguments[i] && n + 1 < ARGUMENTS_MAX; i++)
		argv[n++] = arguments[i];
	unlink(json);
	unlink(csv);
	memset(o, 0, sizeof(*o));
	assert_int_equal(proc_run(&o->p, argv, NULL), 0);
	assert_false(o->p.timed_out);
	o->doc = json_load_file(json, JSON_REJECT_DUPLICATES, NULL);
}

void io_free(struct outcome *o)
{
	json_decref(o->doc);
	proc_free(&o->p);
}

static const json_t *find(const json_t *from, const char *path)
{
	char name[64];
	while (from && *path) {
		size_t n = strcspn(path, ".");
		snprintf(name, sizeof(name), "%.*s", (int)n, path);
		from = json_object_get(from, name);
		path += n + (path[n] == '.');
	}
	return from;
}

double io_number(const json_t *from, const char *path)
{
	const json_t *v = find(from, path);
	if (!json_is_number(v))
		fail_msg("%s is missing", path);
	return json_number_value(v);
}

uint64_t io_count(const json_t *from, const char *path)
{
	const json_t *v = find(from, path);
	if (!json_is_integer(v))
		fail_msg("%s is missing", path);
	return (uint64_t)json_integer_value(v);
}

uint64_t io_sum(const json_t *doc, const char *array, const char *path)
{
	const json_t *a = json_object_get(doc, array), *item;
	size_t i;
	uint64_t sum = 0;
	assert_true(json_is_array(a) && json_array_size(a) > 0);
	json_array_foreach(a, i, item)
	{
		/* Segments before the start are the warm-up. */
		if (!json_object_get(item, "start_s") || io_number(item, "start_s") >= 0)
			sum += io_count(item, path);
	}
	return sum;
}

/* What a summary leaves out because a path was out; 0 where it leaves out nothing, and of errors. */
static uint64_t left_out(const json_t *summary, const char *op, const char *figure)
{
	const json_t *outage = json_object_get(summary, "outage");
	char path[64];

	snprintf(path, sizeof(path), "%s.%s", op, figure);
	return json_is_object(outage) && strcmp(figure, "errors") ? io_count(outage, path) : 0;
}

static uint64_t left_out_of_segments(const json_t *doc, const char *op, const char *figure)
{
	const json_t *g;
	size_t i;
	uint64_t sum = 0;
	json_array_foreach(json_object_get(doc, "segments"), i, g)
	{
		if (io_number(g, "start_s") >= 0)
			sum += left_out(json_object_get(g, "summary"), op, figure);
	}
	return sum;
}

static void check_op(const json_t *doc, const char *op)
{
	static const char *const figures[] = {"ios", "bytes", "errors"};
	char in_summary[64], in_sample[64], in_segment[64], text[64];
	for (int i = 0; i < 3; i++) {
		snprintf(in_summary, sizeof(in_summary), "summary.%s.%s", op, figures[i]);
		snprintf(in_sample, sizeof(in_sample), "%s.%s", op, figures[i]);
		snprintf(in_segment, sizeof(in_segment), "summary.%s.%s", op, figures[i]);
		uint64_t whole = io_count(doc, in_summary);
		uint64_t gap = left_out(json_object_get(doc, "summary"), op, figures[i]);
		assert_int_equal(io_sum(doc, "samples", in_sample), whole + gap);
		assert_int_equal(io_sum(doc, "segments", in_segment), whole);
		assert_int_equal(left_out_of_segments(doc, op, figures[i]), gap);
	}
	snprintf(in_summary, sizeof(in_summary), "summary.%s.ios", op);
	uint64_t ios = io_count(doc, in_summary), counted = 0;
	snprintf(text, sizeof(text), "histograms.%s.count", op);
	assert_int_equal(io_count(doc, text), ios);
	snprintf(text, sizeof(text), "histograms.%s.buckets", op);
	const json_t *bucket;
	size_t i;
	json_array_foreach(find(doc, text), i, bucket) counted +=
		(uint64_t)json_integer_value(json_array_get(bucket, 2));
	assert_int_equal(counted, ios);
	if (!ios)
		return;
	snprintf(text, sizeof(text), "histograms.%s.sum_ns", op);
	double mean = (double)io_count(doc, text) / (double)ios;
	snprintf(text, sizeof(text), "summary.%s.lat_ns.mean", op);
	assert_true(fabs(io_number(doc, text) / mean - 1) < 1e-6);
}

/* Rows hold rates with three digits and elapsed time in ms, so that they add up nearly. */
static void check_csv(const json_t *doc)
{
	char line[1024];
	FILE *f = fopen(scratch_path("result.csv"), "re");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_int_equal(strncmp(line, "time,elapsed_s,iops_r,iops_w,", 29), 0);
	double before = 0, elapsed, r, w, ios = 0;
	size_t rows = 0;
	while (fgets(line, sizeof(line), f)) {
		assert_int_equal(sscanf(line, "%*[^,],%lf,%lf,%lf,", &elapsed, &r, &w), 3);
		assert_non_null(strchr(line, '\n'));
		ios += (r + w) * (elapsed - before);
		before = elapsed;
		rows++;
	}
	fclose(f);
	assert_int_equal(rows, json_array_size(json_object_get(doc, "samples")));
	const json_t *outage = json_object_get(json_object_get(doc, "summary"), "outage");
	double whole = (double)io_count(doc, "summary.total.ios");
	double seconds = io_number(doc, "summary.elapsed_s");
	if (json_is_object(outage)) {
		whole += (double)io_count(outage, "total.ios");
		seconds += io_number(outage, "elapsed_s");
	}
	assert_true(fabs(before - seconds) < 0.002);
	if (fabs(ios - whole) > 0.005 * whole + 1)
		fail_msg("the CSV's rows add up to %.0f IOs of %.0f", ios, whole);
}

/* Every IO belongs to a generation of the knobs, those of the warm-up too. */
static void check_generations(const json_t *doc)
{
	const json_t *summary = json_object_get(doc, "summary");
	uint64_t good = io_sum(summary, "generations", "completed");
	uint64_t ended = good + io_sum(summary, "generations", "errors");

	assert_true(good >= io_count(doc, "summary.total.ios"));
	assert_true(io_sum(summary, "generations", "submitted") >= ended);
	const json_t *first = json_array_get(json_object_get(summary, "generations"), 0);
	assert_int_equal(io_count(first, "number"), 1);
	if (io_count(first, "submitted"))
		assert_true(io_count(first, "first_io_ns") < io_count(first, "time_ns"));
}

void io_check_sums(const json_t *doc)
{
	static const char *const figures[] = {"ios", "bytes", "errors"};
	static const char *const parts[] = {"schema",  "lunscope", "settings", "environment",
					    "samples", "marks",    "segments", "histograms"};
	assert_true(json_is_object(doc));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		assert_non_null(json_object_get(doc, parts[i]));
	check_op(doc, "read");
	check_op(doc, "write");
	for (int i = 0; i < 3; i++) {
		char r[64], w[64], t[64];
		snprintf(r, sizeof(r), "summary.read.%s", figures[i]);
		snprintf(w, sizeof(w), "summary.write.%s", figures[i]);
		snprintf(t, sizeof(t), "summary.total.%s", figures[i]);
		assert_int_equal(io_count(doc, r) + io_count(doc, w), io_count(doc, t));
	}
	check_csv(doc);
	check_generations(doc);
	if (!io_count(doc, "summary.total.ios") || io_count(doc, "summary.total.errors"))
		return;
	const json_t *outage = json_object_get(json_object_get(doc, "summary"), "outage");
	double seconds = io_number(doc, "summary.elapsed_s");
	double iops = io_number(doc, "summary.total.iops");
	assert_true(fabs(iops * seconds / (double)io_count(doc, "summary.total.ios") - 1) < 1e-6);
	double depth = io_number(doc, "summary.depth_achieved");
	/* Each end of a stretch of time cuts as many IOs in two as are in flight. */
	if (json_is_object(outage) && (double)io_count(doc, "summary.total.ios") <
					      20 * depth * (1 + io_number(outage, "gaps")))
		return;
	double little = iops * io_number(doc, "summary.total.lat_ns.mean") / 1e9 / depth;
	/* What is in flight at the end counts whole, the wait for it does not: as many IOs as the depth,
	 * none longer than the longest. On a busy machine that is a good part of a short run. */
	double cut = io_number(doc, "summary.total.lat_ns.max") / 1e9 / seconds;
	if (fabs(little - 1) > 0.05 + cut)
		fail_msg("IOPS x mean latency is %.3f of the depth", little);
}

void io_expect_refused(const char *const words[], const char *const arguments[])
{
	struct outcome o;
	io_run(&o, arguments);
	const char *end = strchr(o.p.err, '\n');
	bool all = o.p.status == 2 && !*o.p.out && !o.doc && end && !end[1];
	for (size_t i = 0; words[i]; i++)
		all &= strstr(o.p.err, words[i]) != NULL;
	if (!all)
		fail_msg("status %d: %s%s", o.p.status, o.p.err, o.p.out);
	io_free(&o);
}

void io_expect_good(const struct outcome *o)
{
	if (o->p.status)
		fail_msg("status %d: %s", o->p.status, o->p.err);
	io_check_sums(o->doc);
	assert_true(io_count(o->doc, "summary.total.ios") > 0);
	assert_int_equal(io_count(o->doc, "summary.total.errors"), 0);
}

void io_run_good(const char *const arguments[])
{
	struct outcome o;
	io_run(&o, arguments);
	io_expect_good(&o);
	io_free(&o);
}

/* --- Runs that go on. --- */

static void ask(struct proc *p, const char *command, const char *store)
{
	assert_int_equal(PROC(p, lunscope_path(), command, "1", "--store", store), 0);
}

unsigned io_told(const char *store, const char *words)
{
	unsigned n = 0;
	struct proc p;

	ask(&p, "show", store);
	for (const char *at = p.out; (at = strstr(at, words)); at++)
		n++;
	proc_free(&p);
	return n;
}

/* "elapsed   2.0 s, 200 IOs, 800 KiB", or "2.0 s without it, 200 IOs, 800 KiB" */
static uint64_t ios_on_record(const char *told)
{
	const char *at = strstr(told, "\nelapsed ");

	at = at ? strchr(at, ',') : NULL;
	return at ? strtoull(at + 1, NULL, 10) : 0;
}

uint64_t io_ios(const char *store)
{
	struct proc p;

	ask(&p, "show", store);
	uint64_t ios = ios_on_record(p.out);
	proc_free(&p);
	return ios;
}

static bool has_words(const char *told, const void *words)
{
	return strstr(told, words) != NULL;
}

static bool has_ios(const char *told, const void *least)
{
	return ios_on_record(told) >= *(const uint64_t *)least;
}

static void await(const char *command, const char *store,
		  bool (*is)(const char *told, const void *what), const void *what,
		  const char *name)
{
	for (double end = proc_now() + proc_patience();;) {
		struct proc p;
		ask(&p, command, store);
		bool there = is(p.out, what);
		if (!there && proc_now() > end)
			fail_msg("no %s in\n%s%s", name, p.out, p.err);
		proc_free(&p);
		if (there)
			return;
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
	}
}

void io_await_told(const char *store, const char *words)
{
	await("show", store, has_words, words, words);
}

void io_await_env(const char *store, const char *words)
{
	await("env", store, has_words, words, words);
}

void io_await_ios(const char *store, uint64_t ios)
{
	await("show", store, has_ios, &ios, "IOs");
}
