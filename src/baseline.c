/* baseline.c - see baseline.h. */
#include "baseline.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "store_rows.h"

static int open_store(struct store **s, const char *path, struct error *e)
{
	char usual[PATH_MAX];

	if (path)
		return store_open_read(s, path, e);
	int rc = store_default_path(usual, sizeof(usual), e);
	return rc ? rc : store_open_read(s, usual, e);
}

static void take_target(char out[BASELINE_TARGET], sqlite3_stmt *st, int column)
{
	const unsigned char *text = sqlite3_column_text(st, column);

	snprintf(out, BASELINE_TARGET, "%s", text ? (const char *)text : "");
	error_tame(out);
}

static int out_of_memory(struct error *e)
{
	return error_set(e, ENOMEM, "out of memory for a baseline");
}

/* --- One run. --- */

static int read_run(struct store *s, struct baseline *b, struct error *e)
{
	sqlite3_stmt *st = NULL;
	int rc, err = store_prepare(s, &st, "SELECT target FROM run WHERE id = ?1", e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, b->run);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW)
		take_target(b->target, st, 0);
	else if (rc == SQLITE_DONE)
		err = error_set(e, ENOENT,
				"run store %s: there is no run %lld; lunscope list shows those "
				"there are",
				s->path, (long long)b->run);
	else
		err = store_failed(s, e);
	sqlite3_finalize(st);
	return err;
}

/* Its seconds begin where the first of them does; what a clock that was set back would put before or into
 * another is left out. */
static bool take_second(struct baseline *b, sqlite3_stmt *st, int64_t *began)
{
	int64_t end = sqlite3_column_int64(st, 0), length = sqlite3_column_int64(st, 1);
	struct baseline_second *last = b->seconds ? &b->second[b->seconds - 1] : NULL;

	if (!last)
		*began = end - length;
	if (length <= 0 || end - length < *began)
		return true;
	struct baseline_second fresh = {
		.from_ns = (uint64_t)(end - length - *began),
		.to_ns = (uint64_t)(end - *began),
		.ios = (uint64_t)sqlite3_column_int64(st, 2),
		.bytes = (uint64_t)sqlite3_column_int64(st, 3),
		.lat_sum = (uint64_t)sqlite3_column_int64(st, 4),
		.p99 = (uint64_t)sqlite3_column_int64(st, 5),
	};
	if (last && fresh.from_ns < last->to_ns)
		fresh.from_ns = last->to_ns;
	if (fresh.from_ns >= fresh.to_ns)
		return true;
	/* Whenever the number is a power of two it is full. */
	if (!(b->seconds & (b->seconds - 1))) {
		size_t room = b->seconds ? 2 * b->seconds : 1;
		struct baseline_second *more = realloc(b->second, room * sizeof(*more));
		if (!more)
			return false;
		b->second = more;
	}
	b->second[b->seconds++] = fresh;
	return true;
}

static int read_seconds(struct store *s, struct baseline *b, struct error *e)
{
	sqlite3_stmt *st = NULL;
	int64_t began = 0;
	int rc, err = store_prepare(
			s, &st,
			"SELECT time, dt, read_ios + write_ios, read_bytes + write_bytes, "
			"read_lat_sum + write_lat_sum, p99 FROM sample WHERE run = ?1 ORDER BY "
			"time",
			e);

	if (err)
		return err;
	sqlite3_bind_int64(st, 1, b->run);
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE)
		err = rc != SQLITE_ROW             ? store_failed(s, e)
		      : take_second(b, st, &began) ? 0
						   : out_of_memory(e);
	sqlite3_finalize(st);
	if (!err && !b->seconds)
		err = error_set(e, ENOENT, "run store %s: run %lld has no seconds to be drawn",
				s->path, (long long)b->run);
	return err;
}

int baseline_load(struct baseline **out, const char *store, int64_t run, struct error *e)
{
	struct store *s;
	int err = open_store(&s, store, e);

	*out = NULL;
	if (err)
		return err;
	struct baseline *b = calloc(1, sizeof(*b));
	if (b) {
		b->run = run;
		err = read_run(s, b, e);
	} else {
		err = out_of_memory(e);
	}
	if (!err)
		err = read_seconds(s, b, e);
	store_close(s);
	if (err)
		baseline_free(b);
	else
		*out = b;
	return err;
}

void baseline_free(struct baseline *b)
{
	if (b)
		free(b->second);
	free(b);
}

/* --- All there are. --- */

static double summary_iops(const char *text)
{
	json_t *summary = text ? json_loads(text, 0, NULL) : NULL;
	json_t *iops = json_object_get(json_object_get(summary, "total"), "iops");
	double value = json_is_number(iops) ? json_number_value(iops) : NAN;

	json_decref(summary);
	return value;
}

static struct baseline_title title_read(sqlite3_stmt *st)
{
	int64_t started = sqlite3_column_int64(st, 1), ended = sqlite3_column_int64(st, 2);
	struct baseline_title t = {
		.run = sqlite3_column_int64(st, 0),
		.started = (uint64_t)started,
		.length_ns = ended > started ? (uint64_t)(ended - started) : 0,
		.iops = summary_iops((const char *)sqlite3_column_text(st, 3)),
	};

	take_target(t.target, st, 4);
	return t;
}

int baseline_titles(struct baseline_title **out, size_t *n, const char *store, struct error *e)
{
	struct baseline_title *list = calloc(BASELINE_TITLES, sizeof(*list));
	struct store *s;
	sqlite3_stmt *st = NULL;
	int rc, err = list ? open_store(&s, store, e) : out_of_memory(e);

	*out = NULL;
	*n = 0;
	if (err) {
		free(list);
		return err;
	}
	/* A run that goes on, or was cut off, is as long as what is kept of it. */
	err = store_prepare(
		s, &st,
		"SELECT id, started, (SELECT MAX(time) FROM sample WHERE run = run.id), "
		"summary, target FROM run ORDER BY id DESC LIMIT ?1",
		e);
	if (!err)
		sqlite3_bind_int64(st, 1, BASELINE_TITLES);
	while (!err && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW)
			err = store_failed(s, e);
		else
			list[(*n)++] = title_read(st);
	}
	sqlite3_finalize(st);
	store_close(s);
	if (err)
		free(list);
	else
		*out = list;
	return err;
}

/* --- Parts of it. --- */

/* The first second that ends after t_ns. */
static size_t second_after(const struct baseline *b, uint64_t t_ns)
{
	size_t low = 0, high = b->seconds;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (b->second[middle].to_ns > t_ns)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

struct baseline_sum baseline_between(const struct baseline *b, uint64_t from_ns, uint64_t to_ns)
{
	struct baseline_sum sum = {0};

	for (size_t i = second_after(b, from_ns); i < b->seconds; i++) {
		const struct baseline_second *s = &b->second[i];
		uint64_t from = s->from_ns > from_ns ? s->from_ns : from_ns;
		uint64_t to = s->to_ns < to_ns ? s->to_ns : to_ns;
		if (s->from_ns >= to_ns)
			break;
		double part = (double)(to - from) / (double)(s->to_ns - s->from_ns);
		sum.seconds += (double)(to - from) / 1e9;
		sum.ios += part * (double)s->ios;
		sum.bytes += part * (double)s->bytes;
		sum.lat_sum += part * (double)s->lat_sum;
		if (s->p99 > sum.p99)
			sum.p99 = s->p99;
	}
	return sum;
}
