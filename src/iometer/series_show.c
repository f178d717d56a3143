/* series_show.c - see series_show.h. */
#include "iometer/series_show.h"

#include "export.h"
#include "segment_table.h"

static const char *const ops[] = {"read", "write", "total"};

static void show_head(FILE *f, enum rate_unit unit)
{
	fprintf(f, "   ------- IOPS --------   ------- %s -------   -------- ms ---------\n",
		units_rate_name(unit));
	fprintf(f, "    read   write   total    read   write   total    read   write   total  CPU "
		   "%%\n");
}

static void show_number(FILE *f, double v)
{
	char text[32];

	snprintf(text, sizeof(text),
		 v < 10     ? "%.3f"
		 : v < 100  ? "%.2f"
		 : v < 1000 ? "%.1f"
			    : "%.0f",
		 v);
	table_right(f, 8, text);
}

static bool did(const struct iometer_row *r, unsigned op)
{
	return op < 2 ? r->op[op].ios > 0 : r->op[0].ios + r->op[1].ios > 0;
}

void series_show_row(FILE *f, const struct series_done *d, const struct iometer_plan_test *t,
		     bool head, enum rate_unit unit)
{
	const struct iometer_row *all = &d->result.row[0];
	char words[96], text[32];

	if (head)
		show_head(f, unit);
	fprintf(f, "%c  %s%s: %s%s\n", d->letter ? d->letter : ' ', t->spec->name,
		t->mixed ? " and others" : "", iometer_test_words(words, sizeof(words), t),
		d->cut ? " (stopped)" : "");
	for (unsigned op = 0; op < 3; op++)
		table_right(f, 8, units_count(text, sizeof(text), iometer_row_iops(all, op)));
	for (unsigned op = 0; op < 3; op++)
		show_number(f, iometer_row_bytes_s(all, op) / units_rate_scale(unit));
	for (unsigned op = 0; op < 3; op++) {
		if (did(all, op))
			show_number(f, iometer_row_mean_ms(all, op));
		else
			table_right(f, 8, "-");
	}
	snprintf(text, sizeof(text), all->cpu.known ? "%.1f" : "-", all->cpu.busy);
	table_right(f, 7, text);
	fputc('\n', f);
}

static json_t *op_json(const struct iometer_row *r, unsigned op)
{
	const struct iometer_sums *a = &r->op[0], *b = &r->op[1];
	uint64_t ios = op == 2 ? a->ios + b->ios : r->op[op].ios;
	uint64_t bytes = op == 2 ? a->bytes + b->bytes : r->op[op].bytes;
	uint64_t errors = op == 2 ? a->errors + b->errors : r->op[op].errors;

	return json_pack("{s:I, s:I, s:I, s:f, s:f, s:o, s:o}", "ios", (json_int_t)ios, "bytes",
			 (json_int_t)bytes, "errors", (json_int_t)errors, "iops",
			 iometer_row_iops(r, op), "mib_s", iometer_row_bytes_s(r, op) / (double)MIB,
			 "lat_mean_ms", ios ? json_real(iometer_row_mean_ms(r, op)) : json_null(),
			 "lat_max_ms", ios ? json_real(iometer_row_max_ms(r, op)) : json_null());
}

static json_t *row_json(const struct iometer_row *r)
{
	static const char *const kinds[] = {"all",    "manager", "processor",
					    "worker", "disk",    "network"};
	json_t *row = json_pack("{s:s, s:o, s:f}", "kind", kinds[r->kind], "name",
				export_text(r->name), "elapsed_s", (double)r->elapsed_ns / 1e9);

	for (unsigned op = 0; op < 3 && r->kind != IOMETER_ROW_PROCESSOR; op++)
		json_object_set_new(row, ops[op], op_json(r, op));
	if (r->kind <= IOMETER_ROW_PROCESSOR)
		json_object_set_new(row, "cpu_percent",
				    r->cpu.known ? json_real(r->cpu.busy) : json_null());
	return row;
}

static json_t *test_json(const struct series_done *d, const struct iometer_plan_test *t)
{
	char letter[2] = {d->letter, 0};
	json_t *rows = json_array();

	for (size_t i = 0; i < d->result.rows; i++)
		json_array_append_new(rows, row_json(&d->result.row[i]));
	return json_pack("{s:o, s:i, s:i, s:i, s:s, s:i, s:b, s:o}", "name",
			 export_text(t->spec->name), "workers", (int)t->workers, "targets",
			 (int)t->targets, "outstanding", (int)t->outstanding, "mark", letter,
			 "segment", (int)d->segment, "cut", (int)d->cut, "rows", rows);
}

json_t *series_json(const struct iometer_setup *s, const struct iometer_plan *p,
		    const struct series_done *done, size_t n)
{
	json_t *tests = json_array();

	for (size_t i = 0; i < n; i++)
		json_array_append_new(tests, test_json(&done[i], &p->test[done[i].test]));
	return json_pack("{s:o, s:I, s:I, s:I, s:o}", "description", export_text(s->description),
			 "run_s", (json_int_t)s->run_s, "ramp_s", (json_int_t)s->ramp_s, "planned",
			 (json_int_t)p->tests, "tests", tests);
}
