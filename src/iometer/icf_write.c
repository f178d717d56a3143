/* icf_write.c - a set-up as an .icf file of Iometer 1.1.0.
 *
 * Iometer has no way to quote: a name ends at the end of its line, a specification's at the first comma.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <strings.h>

#include "iometer/icf.h"

#define END          "\r\n"
#define HEAD_COLUMNS 80

static const char *const assign_words[] = {"NONE", "ALL", "DISK", "NET"};
static const char *const record_words[] = {"ALL", "NO_TARGETS", "NO_WORKERS", "NO_MANAGERS",
					   "NONE"};
static const char *const kind_words[] = {"DISK", "NETWORK,TCP", "NETWORK,VI"};

static const char *on_off(bool on)
{
	return on ? "ENABLED" : "DISABLED";
}

/* 'SECTION ===== */
static void put_head(FILE *out, const char *section)
{
	int n = fprintf(out, "'%s ", section);

	for (; n < HEAD_COLUMNS; n++)
		fputc('=', out);
	fputs(END, out);
}

static void put_key(FILE *out, const char *key)
{
	fprintf(out, "'%s" END, key);
}

static void put_value(FILE *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put_value(FILE *out, const char *fmt, ...)
{
	va_list ap;

	fputc('\t', out);
	va_start(ap, fmt);
	vfprintf(out, fmt, ap);
	va_end(ap);
	fputs(END, out);
}

/* What would end a line or, with commas, a name, gives way. */
static const char *put_safe(char out[IOMETER_TEXT], const char *text, bool commas)
{
	size_t n = strnlen(text, IOMETER_TEXT - 1);

	memcpy(out, text, n);
	out[n] = '\0';
	for (char *p = out; *p; p++) {
		if (*p == '\n' || *p == '\r' || *p == '\t')
			*p = ' ';
		else if (*p == ',' && !commas)
			*p = '-';
	}
	return out;
}

static void put_name(FILE *out, const char *name)
{
	char safe[IOMETER_TEXT];

	put_value(out, "%s", put_safe(safe, name, true));
}

static void put_owned(FILE *out, uint32_t id, const char *name)
{
	char safe[IOMETER_TEXT];

	put_value(out, "%" PRIu32 ",%s", id, put_safe(safe, name, true));
}

/* --- 'TEST SETUP --- */

static void put_spawn(FILE *out, const char *key, uint32_t workers)
{
	put_key(out, key);
	if (workers == IOMETER_PER_CPU)
		put_value(out, "NUMBER_OF_CPUS");
	else
		put_value(out, "%" PRIu32, workers);
}

static void put_step(FILE *out, const char *key, const struct iometer_step *step, bool has_end)
{
	put_key(out, key);
	fprintf(out, "'\t%-11s", "start");
	if (has_end)
		fprintf(out, "%-11s", "end");
	fprintf(out, "%-11sstep type" END "\t%-11" PRIu32, "step", step->start);
	if (has_end)
		fprintf(out, "%-11" PRIu32, step->end);
	fprintf(out, "%-11" PRIu32 "%s" END, step->step,
		step->exponential ? "EXPONENTIAL" : "LINEAR");
}

static void put_setup(FILE *out, const struct iometer_setup *s)
{
	put_head(out, "TEST SETUP");
	put_key(out, "Test Description");
	put_name(out, s->description);
	put_key(out, "Run Time");
	fprintf(out, "'\t%-11s%-11sseconds" END, "hours", "minutes");
	put_value(out, "%-11" PRIu64 "%-11" PRIu64 "%" PRIu64, s->run_s / 3600, s->run_s / 60 % 60,
		  s->run_s % 60);
	put_key(out, "Ramp Up Time (s)");
	put_value(out, "%" PRIu64, s->ramp_s);
	put_spawn(out, "Default Disk Workers to Spawn", s->disk_workers);
	put_spawn(out, "Default Network Workers to Spawn", s->net_workers);
	put_key(out, "Record Results");
	put_value(out, "%s", record_words[s->record]);
	put_step(out, "Worker Cycling", &s->worker_step, false);
	put_step(out, "Disk Cycling", &s->target_step, false);
	put_step(out, "Queue Depth Cycling", &s->depth_step, true);
	put_key(out, "Test Type");
	put_value(out, "%s", iometer_test_word(s->test));
	put_key(out, "END test setup");
}

/* --- 'RESULTS DISPLAY --- */

static void put_meter(FILE *out, unsigned k, const struct iometer_meter *m)
{
	if (!m->statistic[0])
		return;
	fprintf(out, "'Bar chart %u statistic" END, k);
	put_name(out, m->statistic);
	if (!m->manager[0])
		return;
	fprintf(out, "'Bar chart %u manager ID, manager name" END, k);
	put_owned(out, m->manager_id, m->manager);
	if (!m->worker[0])
		return;
	fprintf(out, "'Bar chart %u worker ID, worker name" END, k);
	put_owned(out, m->worker_id, m->worker);
}

static void put_display(FILE *out, const struct iometer_setup *s)
{
	put_head(out, "RESULTS DISPLAY");
	put_key(out, "Record Last Update Results,Update Frequency,Update Type");
	put_value(out, "%s,%" PRIu32 ",%s", on_off(s->record_last), s->update_s,
		  s->whole_test ? "WHOLE_TEST" : "LAST_UPDATE");
	for (unsigned k = 0; k < IOMETER_METERS; k++)
		put_meter(out, k + 1, &s->meter[k]);
	put_key(out, "END results display");
}

/* --- 'ACCESS SPECIFICATIONS --- */

/* One without lines is Idle, which Iometer always has and in no file. */
static void put_spec(FILE *out, const struct iometer_spec *spec)
{
	char safe[IOMETER_TEXT];

	if (!spec->count)
		return;
	put_key(out, "Access specification name,default assignment");
	put_value(out, "%s,%s", put_safe(safe, spec->name, false), assign_words[spec->assign]);
	put_key(out, "size,% of size,% reads,% random,delay,burst,align,reply");
	for (uint32_t i = 0; i < spec->count; i++) {
		const struct access_line *l = &spec->line[i].line;
		put_value(out, "%" PRIu32 ",%u,%u,%u,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
			  l->size, l->share, l->read_pct, l->random_pct, l->delay_ms, l->burst,
			  l->align, spec->line[i].reply);
	}
}

static void put_specs(FILE *out, const struct iometer_spec *spec, size_t specs)
{
	put_head(out, "ACCESS SPECIFICATIONS");
	for (size_t i = 0; i < specs; i++)
		put_spec(out, &spec[i]);
	put_key(out, "END access specifications");
}

/* --- 'MANAGER LIST --- */

static void put_settings(FILE *out, const struct iometer_worker *w)
{
	put_key(out, "Default target settings for worker");
	put_key(out, "Number of outstanding IOs,test connection rate,transactions per "
		     "connection,use fixed seed,fixed seed value");
	put_value(out, "%" PRIu32 ",%s,%" PRIu32 ",%s,%" PRIu64, w->outstanding,
		  on_off(w->test_connections), w->transactions, on_off(w->fixed_seed), w->seed);
	if (w->kind == IOMETER_DISK) {
		put_key(out, "Disk maximum size,starting sector,Data pattern");
		put_value(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu32, w->max_sectors, w->start_sector,
			  w->pattern);
	} else {
		put_key(out, "Local network interface");
		put_name(out, w->interface);
	}
	if (w->kind == IOMETER_VI) {
		put_key(out, "VI outstanding IOs");
		put_value(out, "%" PRIu32, w->vi_outstanding);
	}
	put_key(out, "End default target settings for worker");
}

static void put_target(FILE *out, const struct iometer_target *t)
{
	put_key(out, "Target");
	put_name(out, t->name);
	put_key(out, "Target type");
	put_value(out, "%s", kind_words[t->kind]);
	if (t->kind != IOMETER_DISK) {
		put_key(out, "Target manager ID, manager name");
		put_owned(out, t->manager_id, t->manager);
	}
	put_key(out, "End target");
}

static void put_worker(FILE *out, const struct iometer_worker *w)
{
	char safe[IOMETER_TEXT];

	put_key(out, "Worker");
	put_name(out, w->name);
	put_key(out, "Worker type");
	put_value(out, "%s", kind_words[w->kind]);
	put_settings(out, w);
	put_key(out, "Assigned access specs");
	for (size_t i = 0; i < w->specs; i++)
		put_value(out, "%s", put_safe(safe, w->spec[i], false));
	put_key(out, "End assigned access specs");
	put_key(out, "Target assignments");
	for (size_t i = 0; i < w->targets; i++)
		put_target(out, &w->target[i]);
	put_key(out, "End target assignments");
	put_key(out, "End worker");
}

static void put_managers(FILE *out, const struct iometer_setup *s)
{
	put_head(out, "MANAGER LIST");
	for (size_t i = 0; i < s->managers; i++) {
		const struct iometer_manager *m = &s->manager[i];
		put_key(out, "Manager ID, manager name");
		put_owned(out, m->id, m->name);
		put_key(out, "Manager network address");
		put_name(out, m->address);
		for (size_t w = 0; w < m->workers; w++)
			put_worker(out, &m->worker[w]);
		put_key(out, "End manager");
	}
	put_key(out, "END manager list");
}

static void put_version(FILE *out)
{
	fputs("Version 1.1.0 " END, out);
}

static int written(FILE *out, struct error *e)
{
	errno = 0;
	if (fflush(out) || ferror(out))
		return error_errno(e, errno ? errno : EIO, "the set-up can't be written");
	return 0;
}

int iometer_write(const struct iometer_setup *s, FILE *out, struct error *e)
{
	put_version(out);
	put_setup(out, s);
	put_display(out, s);
	put_specs(out, s->spec, s->specs);
	put_managers(out, s);
	put_version(out);
	return written(out, e);
}

int iometer_write_specs(const struct iometer_spec *spec, size_t specs, FILE *out, struct error *e)
{
	put_version(out);
	put_specs(out, spec, specs);
	put_version(out);
	return written(out, e);
}
