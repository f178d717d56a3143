/* seat_table.c - see seat_table.h. */
#include "seat_table.h"

#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "segment_table.h"

/* The sum of the rows of one target, or (target NULL) of one worker. The first of them says who it is. */
static uint32_t add_up(struct seat_row *sum, const struct seat_row *row, uint32_t n,
		       const struct target *target, uint32_t worker)
{
	uint32_t found = 0;

	memset(sum, 0, sizeof(*sum));
	for (uint32_t i = 0; i < n; i++) {
		if (target ? row[i].target != target : row[i].worker != worker)
			continue;
		if (!found++) {
			sum->worker = row[i].worker;
			sum->target = row[i].target;
		}
		seat_row_add(sum, &row[i]);
	}
	return found;
}

static void print_head(FILE *f, const char *what, enum rate_unit unit)
{
	fprintf(f, "\n%-24s%9s%9s%9s%9s%9s%9s\n", what, "IOPS", units_rate_name(unit), "mean",
		"p99", "max", "errors");
}

static void print_row(FILE *f, const char *name, const struct seat_row *row, uint64_t elapsed_ns,
		      enum rate_unit unit)
{
	struct hist *both = calloc(1, sizeof(*both));
	double seconds = elapsed_ns ? (double)elapsed_ns / 1e9 : 1;
	bool ascii = units_ascii();
	char text[32];

	if (!both)
		return;
	hist_clear(both);
	for (int op = 0; op < IO_OPS; op++)
		hist_merge(both, &row->hist[op]);
	fprintf(f, "%-24.24s", name);
	table_right(f, 9, units_count(text, sizeof(text), (double)both->count / seconds));
	double rate = (double)(row->op[IO_READ].bytes + row->op[IO_WRITE].bytes) / seconds /
		      units_rate_scale(unit);
	snprintf(text, sizeof(text), rate < 100 ? "%.2f" : "%.1f", rate);
	table_right(f, 9, text);
	double mean = hist_mean(both), p99 = hist_percentile(both, 0.99);
	table_right(f, 9, units_latency(text, sizeof(text), both->count ? mean : -1, ascii));
	table_right(f, 9, units_latency(text, sizeof(text), both->count ? p99 : -1, ascii));
	table_right(f, 9,
		    units_latency(text, sizeof(text), both->count ? (double)both->max : -1, ascii));
	fprintf(f, "%9llu\n",
		(unsigned long long)(row->op[IO_READ].errors + row->op[IO_WRITE].errors));
	free(both);
}

static void print_targets(FILE *f, const struct seat_row *row, uint32_t n, uint64_t elapsed_ns,
			  enum rate_unit unit, struct seat_row *sum)
{
	print_head(f, "target", unit);
	for (uint32_t i = 0; i < n; i++) {
		bool first = true;
		for (uint32_t k = 0; k < i && first; k++)
			first = row[k].target != row[i].target;
		if (!first)
			continue;
		add_up(sum, row, n, row[i].target, 0);
		print_row(f, row[i].target->name, sum, elapsed_ns, unit);
	}
}

static void print_workers(FILE *f, const struct seat_row *row, uint32_t n, uint64_t elapsed_ns,
			  enum rate_unit unit, struct seat_row *sum)
{
	char name[40];

	print_head(f, "worker", unit);
	for (uint32_t w = 0, on; (on = add_up(sum, row, n, NULL, w)); w++) {
		if (on > 1)
			snprintf(name, sizeof(name), "%u on %u targets", w + 1, on);
		else
			snprintf(name, sizeof(name), "%u on %s", w + 1, sum->target->name);
		print_row(f, name, sum, elapsed_ns, unit);
	}
}

void seat_table(FILE *f, const struct seat_row *row, uint32_t n, uint64_t elapsed_ns,
		enum rate_unit unit)
{
	struct seat_row *sum = calloc(1, sizeof(*sum));

	if (!sum || !n) {
		free(sum);
		return;
	}
	print_targets(f, row, n, elapsed_ns, unit, sum);
	if (add_up(sum, row, n, NULL, 1))
		print_workers(f, row, n, elapsed_ns, unit, sum);
	fputc('\n', f);
	free(sum);
}

static json_t *op_json(const struct op_counters *c)
{
	json_t *mean = c->ios ? json_real((double)c->lat_sum / (double)c->ios) : json_null();
	json_t *most = c->ios ? json_integer((json_int_t)c->lat_max) : json_null();

	return json_pack("{s:I, s:I, s:I, s:o, s:o}", "ios", (json_int_t)c->ios, "bytes",
			 (json_int_t)c->bytes, "errors", (json_int_t)c->errors, "lat_mean_ns", mean,
			 "lat_max_ns", most);
}

json_t *seat_json(const struct seat_row *row, uint32_t n)
{
	json_t *all = json_array();

	for (uint32_t i = 0; all && i < n; i++)
		json_array_append_new(all, json_pack("{s:i, s:o, s:i, s:o, s:o}", "worker",
						     (int)row[i].worker + 1, "target",
						     export_text(row[i].target->spec),
						     "outstanding", (int)row[i].outstanding, "read",
						     op_json(&row[i].op[IO_READ]), "write",
						     op_json(&row[i].op[IO_WRITE])));
	return all;
}
