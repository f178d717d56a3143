/* kept.c - reading a run's summary back from the run store; see kept.h. */
#include "tests/bench/kept.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *store, const char *why)
{
	fprintf(stderr, "%s: %s\n", store, why);
	exit(2);
}

json_t *kept_summary(const char *store)
{
	sqlite3 *db;
	sqlite3_stmt *s;

	if (sqlite3_open_v2(store, &db, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK ||
	    sqlite3_prepare_v2(db, "SELECT summary FROM run ORDER BY id DESC LIMIT 1", -1, &s,
			       NULL) != SQLITE_OK)
		give_up(store, sqlite3_errmsg(db));
	if (sqlite3_step(s) != SQLITE_ROW || !sqlite3_column_text(s, 0))
		give_up(store, "no run that ended");
	json_t *summary = json_loads((const char *)sqlite3_column_text(s, 0), 0, NULL);
	if (!summary)
		give_up(store, "the summary is no JSON");
	sqlite3_finalize(s);
	sqlite3_close(db);
	return summary;
}

double kept_number(const json_t *at, const char *path)
{
	char key[32];

	while (at && *path) {
		size_t n = strcspn(path, ".");
		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		at = json_object_get(at, key);
		path += path[n] ? n + 1 : n;
	}
	return json_is_number(at) ? json_number_value(at) : NAN;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

double quantile(double *v, size_t n, double q)
{
	if (!n)
		return NAN;
	qsort(v, n, sizeof(*v), ascending);
	double at = q * (double)(n - 1);
	size_t low = (size_t)at;
	return low + 1 < n ? v[low] + (at - (double)low) * (v[low + 1] - v[low]) : v[n - 1];
}
