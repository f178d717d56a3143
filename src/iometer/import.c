/* import.c - see import.h. */
#include "iometer/import.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "access.h"
#include "export.h"
#include "report/table.h"
#include "store_import.h"
#include "summary.h"
#include "units.h"

#define SECTOR 512

/* --- What was asked for. --- */

/* IOs that a worker keeps outstanding on all of its targets; where they differ, on average. */
static uint64_t total_depth(const struct iometer_result *r)
{
	const struct iometer_row *all = &r->row[0];
	uint64_t sum = 0;

	if (all->outstanding)
		return (uint64_t)all->outstanding * (all->targets ? all->targets : 1);
	for (size_t i = 1; i < r->rows; i++)
		if (r->row[i].kind == IOMETER_ROW_WORKER)
			sum += (uint64_t)r->row[i].outstanding * r->row[i].targets;
	return sum;
}

static void take_depth(const struct iometer_result *r, struct workload *w)
{
	uint64_t depth = total_depth(r), workers = r->row[0].workers ? r->row[0].workers : 1;

	workers = workers < WORKERS_MAX ? workers : WORKERS_MAX;
	depth = (depth + workers / 2) / workers;
	w->workers = (uint32_t)workers;
	w->outstanding = (uint32_t)(depth < 1                 ? 1
				    : depth < OUTSTANDING_MAX ? depth
							      : OUTSTANDING_MAX);
}

/* One line without a wait is what the knobs say by themselves. */
static void take_only_line(struct workload *w)
{
	const struct access_line *l = &w->access.line[0];

	if (w->access.count != 1 || l->delay_ms)
		return;
	w->block_size = l->size;
	w->align = l->align == l->size ? 0 : l->align;
	w->read_pct = l->read_pct;
	w->random_pct = l->random_pct;
	memset(&w->access, 0, sizeof(w->access));
}

/* Nothing: they differ, or are beyond any disk. */
static uint64_t sectors(uint64_t n)
{
	return n < INT64_MAX / SECTOR ? n * SECTOR : 0;
}

bool iometer_import_workload(const struct iometer_result *r, struct workload *w, char *note,
			     size_t n)
{
	struct error e;
	bool reply = false;

	*w = workload_default();
	*note = 0;
	take_depth(r, w);
	w->share_range = true;
	w->range_start = sectors(r->row[0].start_sector);
	w->range_length = sectors(r->row[0].max_sectors);
	w->access.count = r->spec.count;
	for (uint32_t i = 0; i < r->spec.count; i++) {
		struct access_line *l = &w->access.line[i];
		*l = r->spec.line[i].line;
		l->align = l->align ? l->align : SECTOR;
		reply |= r->spec.line[i].reply != 0;
	}
	if (!r->spec.count)
		snprintf(note, n, "the file has no lines of this access specification");
	else if (access_check(&w->access, &e))
		snprintf(note, n, "its access specification: %.120s", e.text);
	else if (reply)
		snprintf(note, n, "its replies are not in the workload that is kept");
	if (!r->spec.count || access_check(&w->access, NULL)) {
		memset(&w->access, 0, sizeof(w->access));
		return false;
	}
	take_only_line(w);
	return true;
}

/* --- What came of it. --- */

static uint64_t part(double percent, double of_ns)
{
	return percent > 0 ? (uint64_t)llround(fmin(percent, 100) / 100 * of_ns) : 0;
}

/* The host's CPU time, from per cent of all its CPUs. */
static void take_cpu(const struct iometer_result *r, struct cpu_sample *c)
{
	const struct iometer_cpu *from = &r->row[0].cpu;
	double kernel = fmin(from->softirq + from->irq, from->system);
	unsigned cpus = 0;

	for (size_t i = 1; i < r->rows; i++)
		cpus += r->row[i].kind == IOMETER_ROW_PROCESSOR;
	double all = (double)r->row[0].elapsed_ns * (cpus ? cpus : 1);
	c->valid = from->known && all > 0 && all < 9e18;
	if (!c->valid)
		return;
	c->cpus = cpus;
	c->softirq = part(from->softirq * (from->softirq + from->irq > 0
						   ? kernel / (from->softirq + from->irq)
						   : 0),
			  all);
	c->irq = part(kernel, all) - c->softirq;
	c->system = part(from->system - kernel, all);
	/* Iometer's parts do not always add up to its sum, which is what counts. */
	uint64_t rest = c->softirq + c->irq + c->system, busy = part(from->busy, all);
	if (rest > busy) {
		c->softirq = c->irq = 0;
		c->system = rest = busy;
	}
	c->user = busy - rest;
	c->idle = (uint64_t)all > busy ? (uint64_t)all - busy : 0;
	double interrupts = from->interrupts_s * (double)r->row[0].elapsed_ns / 1e9;
	if (interrupts > 0 && interrupts < 9e18)
		c->interrupts = (uint64_t)interrupts;
}

static void take_segment(const struct iometer_result *r, uint64_t start_ns, uint64_t end_ns,
			 const struct workload *w, struct segment *g)
{
	const struct iometer_row *all = &r->row[0];

	memset(g, 0, sizeof(*g));
	*g = (struct segment){.number = 1, .mark = 1, .start_ns = start_ns, .end_ns = end_ns};
	g->workload = *w;
	sample_clear(&g->total);
	sample_clear(&g->gap);
	for (int k = 0; k < HISTS; k++)
		hist_clear(&g->hist[k]);
	g->total.t_ns = end_ns;
	g->total.dt_ns = all->elapsed_ns;
	g->total.depth_requested = w->workers * w->outstanding;
	g->total.device_depth = -1;
	for (unsigned op = 0; op < IO_OPS; op++) {
		const struct iometer_sums *from = &all->op[op];
		struct op_sample *to = &g->total.op[op];
		to->ios = from->ios;
		to->bytes = from->bytes;
		to->errors = from->errors;
		to->lat_sum = from->lat_ns;
		to->lat_max = from->lat_max_ns;
	}
	take_cpu(r, &g->total.cpu);
}

/* What only the program itself could have measured is not known. */
static json_t *summary_of(const struct segment *g, const char *engine)
{
	struct summary s;
	const struct op_sample *op = g->total.op;

	summary_compute(&s, &g->total, g->hist, engine);
	for (unsigned i = 0; i < IO_OPS; i++)
		s.op[i].max = op[i].ios ? (double)op[i].lat_max : NAN;
	s.op[SUM_TOTAL].max = fmax(s.op[SUM_READ].max, s.op[SUM_WRITE].max);
	s.depth_achieved = s.little = s.self_us_per_io = NAN;
	if (!g->total.cpu.cpus)
		s.cpu_us_per_io = s.cpu_s_per_gib = NAN;
	return summary_json(&s);
}

/* --- Names. --- */

/* Each target once: "sdb, sdc"; of none the manager. */
static void name_target(const struct iometer_result *r, char *out, size_t n)
{
	const char *manager = "";

	*out = 0;
	for (size_t i = 1; i < r->rows; i++) {
		const struct iometer_row *row = &r->row[i];
		bool named = false;
		if (row->kind == IOMETER_ROW_MANAGER && !*manager)
			manager = row->name;
		if (row->kind != IOMETER_ROW_DISK && row->kind != IOMETER_ROW_NETWORK)
			continue;
		for (size_t k = 1; k < i; k++)
			named |= r->row[k].kind == row->kind &&
				 strcmp(r->row[k].name, row->name) == 0;
		if (!named)
			units_append(out, n, "%s%s", *out ? ", " : "", row->name);
	}
	if (!*out)
		snprintf(out, n, "%s", *manager ? manager : "Iometer");
}

/* FNV-1a, 64 bit (Fowler, Noll, Vo): to know a test again, not to keep anybody from anything. */
static uint64_t mix(uint64_t h, const void *what, size_t n)
{
	const unsigned char *p = what;

	while (n--)
		h = (h ^ *p++) * 1099511628211ull;
	return h;
}

static uint64_t mix_number(uint64_t h, uint64_t v)
{
	return mix(h, &v, sizeof(v));
}

/* Of the figures, the names and the time, whatever file they stand in. */
static void digest_of(const struct iometer_csv_test *t, char out[40])
{
	const struct iometer_result *r = &t->result;
	uint64_t h[2] = {14695981039346656037ull, 14695981039346656037ull ^ 0x9e3779b97f4a7c15ull};

	for (int k = 0; k < 2; k++) {
		h[k] = mix(h[k], r->spec.name, strlen(r->spec.name));
		h[k] = mix(h[k], t->description, strlen(t->description) + 1);
		h[k] = mix_number(h[k], r->end_ns);
		for (size_t i = 0; i < r->rows; i++) {
			const struct iometer_row *row = &r->row[i];
			h[k] = mix(h[k], row->name, strlen(row->name) + 1);
			h[k] = mix_number(h[k], (uint64_t)row->kind);
			h[k] = mix_number(h[k], row->elapsed_ns);
			h[k] = mix_number(h[k], row->outstanding);
			for (unsigned op = 0; op < 2; op++) {
				h[k] = mix_number(h[k], row->op[op].ios);
				h[k] = mix_number(h[k], row->op[op].bytes);
				h[k] = mix_number(h[k], row->op[op].lat_ns);
			}
		}
	}
	snprintf(out, 40, "%016llx%016llx", (unsigned long long)h[0], (unsigned long long)h[1]);
}

static json_t *bins_of(const struct iometer_row *row)
{
	json_t *list = row->bins ? json_array() : json_null();

	for (unsigned i = 0; row->bins && i < IOMETER_BINS; i++)
		json_array_append_new(list, json_integer((json_int_t)row->bin[i]));
	return list;
}

static json_t *settings_of(const struct iometer_csv_test *t, const char *path, const char *engine,
			   const char *target, const struct workload *w)
{
	char digest[40];

	digest_of(t, digest);
	json_t *o = json_pack("{s:o, s:o, s:s, s:{s:o}, s:o, s:{s:o, s:o, s:i, s:s, s:o, s:b}}",
			      RUN_TEST, export_text(t->result.spec.name), "description",
			      export_text(t->description), "engine", engine, "target", "name",
			      export_text(target), "workload", export_workload(w), STORE_IMPORTED,
			      "from", export_text(engine), "file", export_text(path), "number",
			      (int)t->number, "digest", digest, "latency_bins",
			      bins_of(&t->result.row[0]), "aborted", (int)t->aborted);
	return o;
}

/* --- All of it. --- */

static int import_test(struct store *s, const char *path, uint64_t file_ns,
		       const struct iometer_csv_test *t, struct segment *g,
		       struct iometer_imported *out, struct error *e)
{
	const struct iometer_result *r = &t->result;
	struct workload w;
	char engine[64], command[600], text[MARK_TEXT];
	uint64_t end = r->end_ns ? r->end_ns : file_ns;

	iometer_import_workload(r, &w, out->note, sizeof(out->note));
	name_target(r, out->target, sizeof(out->target));
	snprintf(engine, sizeof(engine), "Iometer%s%s", t->version[0] ? " " : "", t->version);
	snprintf(command, sizeof(command), "imported from %s: %s, test %u", engine, path,
		 t->number);
	snprintf(text, sizeof(text), "%.60s%s%.90s", r->spec.name, t->description[0] ? ": " : "",
		 t->description);
	struct store_import run = {
		.started = end > r->row[0].elapsed_ns ? end - r->row[0].elapsed_ns : 0,
		.ended = end,
		.target = out->target,
		.command = command,
		.text = text,
		.segment = g};
	take_segment(r, run.started, run.ended, &w, g);
	run.settings = settings_of(t, path, engine, out->target, &w);
	run.environment = json_object();
	run.summary = summary_of(g, engine);
	if (!run.settings || !run.environment || !run.summary)
		out->run = error_set(e, ENOMEM, "%s: out of memory", path);
	else
		out->run = store_import(s, &run, &out->known, e);
	json_decref(run.settings);
	json_decref(run.environment);
	json_decref(run.summary);
	return out->run < 0 ? (int)out->run : 0;
}

int iometer_import(struct store *s, const char *path, uint64_t file_ns,
		   const struct iometer_csv_file *f, struct iometer_imported *list, struct error *e)
{
	struct segment *g = malloc(sizeof(*g));

	if (!g)
		return error_set(e, ENOMEM, "%s: out of memory", path);
	int err = store_import_begin(s, e);
	if (!err) {
		for (size_t i = 0; i < f->tests && !err; i++)
			err = import_test(s, path, file_ns, &f->test[i], g, &list[i], e);
		err = store_import_end(s, err, e);
	}
	free(g);
	return err;
}
