/* export.c - a run as JSON and CSV; the formats are described in export.h.
 *
 * The environment is in export_host.c.
 */
#include "export.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "config.h"
#include "outfile.h"
#include "setting.h"
#include "steady.h"
#include "sessions.h"
#include "store.h"
#include "summary.h"
#include "units.h"

static json_t *number(double v)
{
	return isfinite(v) ? json_real(v) : json_null();
}

static json_t *integer(uint64_t v)
{
	return json_integer((json_int_t)v);
}

/* Length of the UTF-8 character at p, 0 when it isn't one. Jansson has the last word (overlong
 * forms, surrogates). */
static size_t character(const unsigned char *p)
{
	size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc0 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;

	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	json_t *test = n ? json_stringn((const char *)p, n) : NULL;
	json_decref(test);
	return test ? n : 0;
}

json_t *export_text(const char *text)
{
	json_t *string = json_string(text);
	char *copy = string ? NULL : strdup(text);

	if (!copy)
		return string;
	for (char *p = copy; *p;) {
		size_t n = character((const unsigned char *)p);
		if (!n)
			*p = '?';
		p += n ? n : 1;
	}
	string = json_string(copy);
	free(copy);
	return string;
}

json_t *export_known_text(const char *text)
{
	return text[0] ? export_text(text) : json_null();
}

json_t *export_known(int64_t v)
{
	return v >= 0 ? json_integer(v) : json_null();
}

/* --- The workload. --- */

enum field_kind { FIELD_U32, FIELD_U64, FIELD_BOOL };

/* clang-format off */
static const struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	int gives_way; /* as this setting does, to access lines: then it is null */
} fields[] = {
	{"workers",            FIELD_U32,  offsetof(struct workload, workers),      SETTING_COUNT},
	{"outstanding",        FIELD_U32,  offsetof(struct workload, outstanding),  SETTING_COUNT},
	{"block_bytes",        FIELD_U32,  offsetof(struct workload, block_size),   KNOB_BLOCK},
	{"align_bytes",        FIELD_U32,  offsetof(struct workload, align),        SETTING_ALIGN},
	{"read_percent",       FIELD_U32,  offsetof(struct workload, read_pct),     KNOB_READ},
	{"random_percent",     FIELD_U32,  offsetof(struct workload, random_pct),   KNOB_RANDOM},
	{"share_range",        FIELD_BOOL, offsetof(struct workload, share_range),  SETTING_COUNT},
	{"paused",             FIELD_BOOL, offsetof(struct workload, paused),       SETTING_COUNT},
	{"range_start_bytes",  FIELD_U64,  offsetof(struct workload, range_start),  SETTING_COUNT},
	{"range_length_bytes", FIELD_U64,  offsetof(struct workload, range_length), SETTING_COUNT},
	{"rate_iops",          FIELD_U64,  offsetof(struct workload, rate_iops),    SETTING_COUNT},
	{"seed",               FIELD_U64,  offsetof(struct workload, seed),         SETTING_COUNT},
};
/* clang-format on */

#define FIELDS (sizeof(fields) / sizeof(*fields))

/* The settings that have an option of their own, as they are typed: {"align": "4 KiB", ...};
 * without those that give way to access lines. */
static json_t *export_own_settings(const struct workload *w)
{
	json_t *object = json_object();

	for (int s = KNOB_COUNT; s < SETTING_COUNT; s++) {
		char value[SETTING_LONG];
		const char *option = setting_info((enum setting)s).option;
		if (option[0] && !setting_gives_way(w, (enum setting)s))
			json_object_set_new(object, option,
					    json_string(setting_format(value, sizeof(value), w,
								       (enum setting)s)));
	}
	return object;
}

/* Records of before a setting existed do not have it: then it had its default. */
static int scan_own_settings(struct workload *w, const json_t *object)
{
	for (int s = KNOB_COUNT; s < SETTING_COUNT; s++) {
		const char *option = setting_info((enum setting)s).option;
		const char *text = json_string_value(json_object_get(object, option));
		if (text && setting_scan(w, (enum setting)s, text))
			return -EINVAL;
	}
	return 0;
}

static json_t *field_json(const struct field *f, const struct workload *w)
{
	const void *at = (const char *)w + f->offset;

	switch (f->kind) {
	case FIELD_U32: return integer(*(const uint32_t *)at);
	case FIELD_U64: return integer(*(const uint64_t *)at);
	case FIELD_BOOL: return json_boolean(*(const bool *)at);
	}
	return json_null();
}

json_t *export_workload(const struct workload *w)
{
	json_t *object = json_object();

	for (size_t i = 0; i < FIELDS; i++) {
		json_t *v = json_null();
		if (!setting_gives_way(w, (enum setting)fields[i].gives_way))
			v = field_json(&fields[i], w);
		json_object_set_new(object, fields[i].name, v);
	}
	json_object_set_new(object, "settings", export_own_settings(w));
	return object;
}

int export_workload_scan(struct workload *w, const json_t *object)
{
	/* What gave way to access lines has its default, should they be cleared. */
	*w = workload_default();
	for (size_t i = 0; i < FIELDS; i++) {
		void *at = (char *)w + fields[i].offset;
		const json_t *v = json_object_get(object, fields[i].name);
		bool is_bool = fields[i].kind == FIELD_BOOL;
		if (json_is_null(v) && fields[i].gives_way != SETTING_COUNT)
			continue;
		if (is_bool ? !json_is_boolean(v) : !json_is_integer(v))
			return -EINVAL;
		switch (fields[i].kind) {
		case FIELD_U32: *(uint32_t *)at = (uint32_t)json_integer_value(v); break;
		case FIELD_U64: *(uint64_t *)at = (uint64_t)json_integer_value(v); break;
		case FIELD_BOOL: *(bool *)at = json_is_true(v); break;
		}
	}
	return scan_own_settings(w, json_object_get(object, "settings"));
}

void export_policy_words(char *out, size_t n, const struct backend_paths *p)
{
	if (p->policy == PATHS_PINNED)
		snprintf(out, n, "%s:%u", sessions_policy_name(p->policy), p->pinned + 1);
	else
		snprintf(out, n, "%s", sessions_policy_name(p->policy));
}

/* How a LUN is reached. */
static json_t *paths_settings(const struct target *t)
{
	const struct backend_paths *p = &t->paths;
	json_t *nics = json_array();
	char policy[32];

	export_policy_words(policy, sizeof(policy), p);

	for (unsigned i = 0; i < p->nics; i++)
		json_array_append_new(nics, export_text(p->nic[i]));
	return json_pack("{s:s, s:I, s:o, s:b}", "policy", policy, "hold_ns",
			 (json_int_t)p->hold_ns, "nics", nics, "header_digest",
			 (int)t->header_digest);
}

static json_t *export_target(const struct target *t)
{
	return json_pack("{s:o, s:o, s:s, s:o, s:I, s:I, s:I, s:b, s:b, s:I, s:I}", "name",
			 export_text(t->spec), "path", export_text(t->path), "kind",
			 target_kind_name(t->kind), "model", export_text(t->model), "size_bytes",
			 (json_int_t)t->size, "logical_block_bytes", (json_int_t)t->logical_block,
			 "physical_block_bytes", (json_int_t)t->physical_block, "direct",
			 (int)t->direct, "may_write", (int)t->may_write, "write_start_bytes",
			 (json_int_t)t->write_start, "write_length_bytes",
			 (json_int_t)t->write_length);
}

void export_more_targets(json_t *settings, const struct target *const *target, unsigned n)
{
	if (!settings || n < 2)
		return;
	json_t *all = json_array();
	for (unsigned i = 0; all && i < n; i++)
		json_array_append_new(all, export_target(target[i]));
	json_object_set_new(settings, "targets", all);
}

json_t *export_settings(const struct workload *w, const struct target *t, const char *mode,
			const char *command)
{
	json_t *target = export_target(t);

	json_t *settings = json_pack(
		"{s:s, s:o, s:s, s:s, s:o, s:o}", "mode", mode ? mode : "", "command",
		export_text(command ? command : ""), "engine", t->backend ? t->backend->name : "",
		"engine_why", t->backend_why, "target", target, "workload", export_workload(w));

	if (settings && t->kind == TARGET_LUN)
		json_object_set_new(settings, "paths", paths_settings(t));
	return settings;
}

/* --- What was measured. --- */

json_t *export_hist(const struct hist *h)
{
	json_t *buckets = json_array();

	for (unsigned i = 0; i < HIST_BUCKETS; i++)
		if (h->bucket[i])
			json_array_append_new(buckets,
					      json_pack("[I, I, I]", (json_int_t)hist_low(i),
							(json_int_t)hist_high(i),
							(json_int_t)h->bucket[i]));
	return json_pack("{s:I, s:I, s:o, s:o, s:o}", "count", (json_int_t)h->count, "sum_ns",
			 (json_int_t)h->sum, "min_ns", h->count ? integer(h->min) : json_null(),
			 "max_ns", h->count ? integer(h->max) : json_null(), "buckets", buckets);
}

static double seconds(const struct sample *s)
{
	return (double)s->dt_ns / 1e9;
}

static double per_second(double v, const struct sample *s)
{
	return s->dt_ns ? v / seconds(s) : NAN;
}

static double op_mean_ns(const struct op_sample *o)
{
	return o->ios ? (double)o->lat_sum / (double)o->ios : NAN;
}

static double elapsed_s(uint64_t t_ns, uint64_t start_ns)
{
	return ((double)t_ns - (double)start_ns) / 1e9;
}

static json_t *op_object(const struct sample *s, enum io_op op)
{
	const struct op_sample *o = &s->op[op];

	return json_pack("{s:I, s:I, s:I, s:o, s:o, s:{s:o, s:o, s:o}}", "ios", (json_int_t)o->ios,
			 "bytes", (json_int_t)o->bytes, "errors", (json_int_t)o->errors, "iops",
			 number(per_second((double)o->ios, s)), "mib_s",
			 number(per_second((double)o->bytes / (double)MIB, s)), "lat_ns", "mean",
			 number(op_mean_ns(o)), "min", o->ios ? integer(o->lat_min) : json_null(),
			 "max", o->ios ? integer(o->lat_max) : json_null());
}

static double cpu_percent(const struct cpu_sample *c)
{
	double busy = (double)(c->user + c->system + c->irq + c->softirq);
	double all = busy + (double)(c->idle + c->iowait + c->steal);

	return c->valid && all > 0 ? 100 * busy / all : NAN;
}

static json_t *cpu_object(const struct cpu_sample *c)
{
	if (!c->valid)
		return json_null();
	return json_pack(
		"{s:o, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:I}",
		"percent", number(cpu_percent(c)), "cpus", (json_int_t)c->cpus, "user_ns",
		(json_int_t)c->user, "system_ns", (json_int_t)c->system, "irq_ns",
		(json_int_t)c->irq, "softirq_ns", (json_int_t)c->softirq, "iowait_ns",
		(json_int_t)c->iowait, "steal_ns", (json_int_t)c->steal, "idle_ns",
		(json_int_t)c->idle, "busiest_cpu", (json_int_t)c->hot_cpu, "busiest_percent",
		100.0 * (double)c->hot_share, "context_switches", (json_int_t)c->ctx_switches,
		"interrupts", (json_int_t)c->interrupts, "self_ns", (json_int_t)c->self_ns, "ui_ns",
		(json_int_t)c->ui_ns);
}

/* Percentiles are null in a second without an IO, where the sample has 0. */
static json_t *percentile(const struct sample *s, uint64_t v)
{
	return s->op[IO_READ].ios + s->op[IO_WRITE].ios ? integer(v) : json_null();
}

static json_t *rate_object(const struct sample *s)
{
	const struct due_sample *d = &s->due;
	bool any = d->ios > 0;

	if (!d->offered && !d->started && !d->ios && !d->backlog)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:{s:o, s:o, s:o, s:o, s:o}}", "offered",
			 (json_int_t)d->offered, "started", (json_int_t)d->started, "ios",
			 (json_int_t)d->ios, "backlog", (json_int_t)d->backlog, "backlog_oldest_ns",
			 (json_int_t)d->oldest_ns, "lat_due_ns", "mean",
			 number(any ? (double)d->lat_sum / (double)d->ios : NAN), "min",
			 any ? integer(d->lat_min) : json_null(), "max",
			 any ? integer(d->lat_max) : json_null(), "p50",
			 any ? integer(d->p50) : json_null(), "p99",
			 any ? integer(d->p99) : json_null());
}

static json_t *net_object(const struct net_sample *n)
{
	if (!n->valid)
		return json_null();
	return json_pack("{s:f, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:o}", "dt_s",
			 (double)n->dt_ns / 1e9, "rx_bytes", (json_int_t)n->rx_bytes, "tx_bytes",
			 (json_int_t)n->tx_bytes, "rx_packets", (json_int_t)n->rx_packets,
			 "tx_packets", (json_int_t)n->tx_packets, "drops", (json_int_t)n->drops,
			 "errors", (json_int_t)n->errors, "retransmits",
			 n->resends ? integer(n->retransmits) : json_null(), "pause_rx",
			 n->pauses ? integer(n->pause_rx) : json_null(), "pause_tx",
			 n->pauses ? integer(n->pause_tx) : json_null());
}

static json_t *sample_object(const struct sample *s, uint64_t start_ns, int64_t offset_ns)
{
	return json_pack(
		"{s:I, s:f, s:f, s:o, s:o, s:{s:o, s:o, s:o, s:o}, s:o, s:o, s:o, s:I, s:I, "
		"s:I, s:b, s:f, s:o, s:o, s:o}",
		"time_ns", (json_int_t)s->t_ns + offset_ns, "elapsed_s",
		elapsed_s(s->t_ns, start_ns), "dt_s", seconds(s), "read", op_object(s, IO_READ),
		"write", op_object(s, IO_WRITE), "lat_ns", "p50", percentile(s, s->p50), "p95",
		percentile(s, s->p95), "p99", percentile(s, s->p99), "p999", percentile(s, s->p999),
		"depth_requested", number(per_second((double)sample_requested_ns(s) / 1e9, s)),
		"depth_achieved", number(per_second((double)s->depth_ns / 1e9, s)), "depth_device",
		s->device_depth < 0 ? json_null() : json_real(s->device_depth), "inflight",
		(json_int_t)s->inflight, "oldest_ns", (json_int_t)s->oldest_ns, "generation",
		(json_int_t)s->generation, "gap", s->gap_ns > 0, "gap_s", (double)s->gap_ns / 1e9,
		"cpu", cpu_object(&s->cpu), "rate", rate_object(s), "net", net_object(&s->net));
}

/* The seconds, oldest first. The run ends where it ends: a rest that is too short to be one is
 * added to the last whole one, which then is longer, so that rates and depth are of about a
 * second each and sums stay exact. */
static struct sample *whole_seconds(struct timeline *t, uint64_t from_ns, size_t *n)
{
	struct sample *list = timeline_all_seconds(t, from_ns, n);

	if (list && *n > 1 && list[*n - 1].dt_ns < SECOND_REST) {
		sample_add(&list[*n - 2], &list[*n - 1]);
		--*n;
	}
	return list;
}

json_t *export_samples(struct timeline *t, uint64_t from_ns, uint64_t start_ns, int64_t offset_ns)
{
	size_t n;
	struct sample *list = whole_seconds(t, from_ns, &n);

	if (!list)
		return NULL;
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++)
		json_array_append_new(array, sample_object(&list[i], start_ns, offset_ns));
	free(list);
	return array;
}

json_t *export_marks(struct timeline *t, uint64_t start_ns, int64_t offset_ns)
{
	size_t n;
	struct mark *list = timeline_all_marks(t, 0, &n);

	if (!list)
		return NULL;
	json_t *array = json_array();
	for (size_t i = 0; i < n; i++) {
		const struct mark *m = &list[i];
		json_array_append_new(
			array,
			json_pack("{s:I, s:s, s:o, s:I, s:f, s:o}", "id", (json_int_t)m->id, "kind",
				  mark_kind_name(m->kind), "letter",
				  m->letter ? json_stringn(&m->letter, 1) : json_null(), "time_ns",
				  (json_int_t)m->t_ns + offset_ns, "elapsed_s",
				  elapsed_s(m->t_ns, start_ns), "text", export_text(m->text)));
	}
	free(list);
	return array;
}

static json_t *steady_json(struct timeline *t, const struct segment *g)
{
	switch (steady_word_of(t, g->start_ns, g->end_ns)) {
	case STEADY_FALSE: return json_false();
	case STEADY_TRUE: return json_true();
	case STEADY_NOT_KNOWN: break;
	}
	return json_null();
}

json_t *export_segments(struct timeline *t, const char *engine, uint64_t start_ns,
			int64_t offset_ns)
{
	struct segment *g = malloc(sizeof(*g));

	if (!g)
		return NULL;
	json_t *array = json_array();
	uint32_t count = timeline_segments(t);
	for (uint32_t n = 1; n <= count && timeline_segment(t, n, g); n++) {
		struct summary s;
		summary_compute(&s, &g->total, g->hist, engine);
		summary_leave_out(&s, &g->total, &g->gap, timeline_gaps(t, g->start_ns, g->end_ns));
		json_array_append_new(
			array,
			json_pack(
				"{s:I, s:I, s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:{s:o, s:o, s:o}}",
				"number", (json_int_t)g->number, "mark", (json_int_t)g->mark,
				"generation", (json_int_t)g->generation, "time_ns",
				(json_int_t)g->start_ns + offset_ns, "start_s",
				elapsed_s(g->start_ns, start_ns), "end_s",
				elapsed_s(g->end_ns, start_ns), "workload",
				export_workload(&g->workload), "steady", steady_json(t, g),
				"summary", summary_json(&s), "histograms", "read",
				export_hist(&g->hist[IO_READ]), "write",
				export_hist(&g->hist[IO_WRITE]), "due",
				export_hist(&g->hist[HIST_DUE])));
	}
	free(g);
	return array;
}

json_t *export_document(json_t *settings, json_t *environment, json_t *samples, json_t *marks,
			json_t *segments, const struct hist hist[HISTS], json_t *summary)
{
	return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o, s:o}, s:o}", "schema",
			 EXPORT_SCHEMA, "lunscope", PACKAGE_VERSION, "settings", settings,
			 "environment", environment, "samples", samples, "marks", marks, "segments",
			 segments, "histograms", "read", export_hist(&hist[IO_READ]), "write",
			 export_hist(&hist[IO_WRITE]), "due", export_hist(&hist[HIST_DUE]),
			 "summary", summary);
}

/* --- Files. --- */

static void print_json(FILE *f, const json_t *v)
{
	/* Rates have 12 digits; what counts exactly is an integer. */
	json_dumpf(v, f, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
}

/* One member of the document: a long array has one element a line, which greps and diffs well. */
static void print_member(FILE *f, const char *key, const json_t *v)
{
	fprintf(f, "\"%s\": ", key);
	if (!json_is_array(v) || !json_array_size(v)) {
		print_json(f, v);
		return;
	}
	for (size_t i = 0; i < json_array_size(v); i++) {
		fputs(i ? ",\n  " : "[\n  ", f);
		print_json(f, json_array_get(v, i));
	}
	fputc(']', f);
}

int export_write_json(const json_t *document, const char *path, struct error *e)
{
	struct outfile o;
	const char *key, *before = "{\n";
	json_t *v;
	int err = outfile_open(&o, path, e);
	if (err)
		return err;
	json_object_foreach((json_t *)document, key, v)
	{
		fputs(before, o.f);
		print_member(o.f, key, v);
		before = ",\n";
	}
	fputs(json_object_size(document) ? "\n}\n" : "{}\n", o.f);

	return outfile_commit(&o, e);
}

/* "2026-11-30T11:08:08.123Z" */
static void print_time(FILE *f, uint64_t wall)
{
	time_t s = (time_t)(wall / NS_PER_SEC);
	struct tm tm;
	char text[32];

	gmtime_r(&s, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(f, "%s.%03uZ", text, (unsigned)(wall % NS_PER_SEC / NS_PER_MS));
}

/* A field; empty when not known. */
static void print_field(FILE *f, int decimals, double v)
{
	fputc(',', f);
	if (isfinite(v))
		fprintf(f, "%.*f", decimals, v);
}

/* Empty in a second without a rate. */
static void print_rate(FILE *f, const struct due_sample *d, const struct sample *s)
{
	bool rate = d->offered || d->started || d->backlog;

	print_field(f, 3, rate ? per_second((double)d->offered, s) : NAN);
	print_field(f, 0, rate ? (double)d->backlog : NAN);
	print_field(f, 6, d->ios ? (double)d->p50 / 1e6 : NAN);
	print_field(f, 6, d->ios ? (double)d->p99 / 1e6 : NAN);
}

/* Empty where no NIC is watched. */
static void print_net(FILE *f, const struct net_sample *n)
{
	double s = n->valid && n->dt_ns ? (double)n->dt_ns / 1e9 : NAN;
	double pauses = n->pauses ? (double)(n->pause_rx + n->pause_tx) : NAN;

	print_field(f, 3, (double)n->rx_bytes / (double)MIB / s);
	print_field(f, 3, (double)n->tx_bytes / (double)MIB / s);
	print_field(f, 3, (double)n->rx_packets / s);
	print_field(f, 3, (double)n->tx_packets / s);
	print_field(f, 3, (double)n->drops / s);
	print_field(f, 3, (double)n->errors / s);
	print_field(f, 3, pauses / s);
	print_field(f, 3, n->resends ? (double)n->retransmits / s : NAN);
}

static void print_second(FILE *f, const struct sample *s, uint64_t start_ns, int64_t offset_ns)
{
	struct op_sample both = s->op[IO_READ];
	const struct op_sample *w = &s->op[IO_WRITE];

	both.ios += w->ios;
	both.lat_sum += w->lat_sum;
	bool any = both.ios > 0;

	print_time(f, s->t_ns + (uint64_t)offset_ns);
	print_field(f, 3, elapsed_s(s->t_ns, start_ns));
	for (int op = 0; op < IO_OPS; op++)
		print_field(f, 3, per_second((double)s->op[op].ios, s));
	for (int op = 0; op < IO_OPS; op++)
		print_field(f, 3, per_second((double)s->op[op].bytes / (double)MIB, s));
	print_field(f, 6, op_mean_ns(&s->op[IO_READ]) / 1e6);
	print_field(f, 6, op_mean_ns(w) / 1e6);
	print_field(f, 6, op_mean_ns(&both) / 1e6);
	print_field(f, 6, any ? (double)s->p50 / 1e6 : NAN);
	print_field(f, 6, any ? (double)s->p99 / 1e6 : NAN);
	print_field(f, 3, cpu_percent(&s->cpu));
	print_field(f, 3, per_second((double)s->depth_ns / 1e9, s));
	fprintf(f, ",%" PRIu64 ",%" PRIu32, both.errors + w->errors, s->generation);
	print_rate(f, &s->due, s);
	print_field(f, 3, (double)s->gap_ns / 1e9);
	print_net(f, &s->net);
	fputc('\n', f);
}

int export_write_csv(struct timeline *t, uint64_t from_ns, uint64_t start_ns, int64_t offset_ns,
		     const char *path, struct error *e)
{
	struct outfile o;
	size_t n;
	struct sample *list = whole_seconds(t, from_ns, &n);

	if (!list)
		return error_set(e, ENOMEM, "%s: out of memory", path);
	int err = outfile_open(&o, path, e);
	if (!err) {
		fprintf(o.f, "time,elapsed_s,iops_r,iops_w,mib_s_r,mib_s_w,lat_mean_ms_r,"
			     "lat_mean_ms_w,lat_mean_ms_t,p50_ms,p99_ms,cpu_percent,depth,errors,"
			     "generation,offered_s,backlog,due_p50_ms,due_p99_ms,gap_s,"
			     "net_rx_mib_s,net_tx_mib_s,net_rx_packets_s,net_tx_packets_s,"
			     "net_drops_s,net_errors_s,net_pauses_s,net_retransmits_s\n");
		for (size_t i = 0; i < n; i++)
			print_second(o.f, &list[i], start_ns, offset_ns);
		err = outfile_commit(&o, e);
	}
	free(list);
	return err;
}
