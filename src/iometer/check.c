/* check.c - see check.h: what a set-up says, in words. */
#include "iometer/check.h"

#include <inttypes.h>
#include <string.h>

#include "iometer/plan.h"
#include "iometer/spec_words.h"
#include "units.h"

/* A longer series is cut in words; the JSON has all of it. */
#define TESTS_SHOWN 100u

/* "90 s", "2:10 min", "1:30:05 h" */
static char *time_words(char *out, size_t n, uint64_t s)
{
	if (s < 100)
		snprintf(out, n, "%" PRIu64 " s", s);
	else if (s < 3600)
		snprintf(out, n, "%" PRIu64 ":%02u min", s / 60, (unsigned)(s % 60));
	else
		snprintf(out, n, "%" PRIu64 ":%02u:%02u h", s / 3600, (unsigned)(s / 60 % 60),
			 (unsigned)(s % 60));
	return out;
}

static void print_workers_to_spawn(FILE *f, uint32_t workers, const char *kind)
{
	if (workers == IOMETER_PER_CPU)
		fprintf(f, "one %s worker per CPU", kind);
	else
		fprintf(f, "%" PRIu32 " %s worker%s", workers, kind, workers == 1 ? "" : "s");
}

static void print_head(FILE *f, const struct iometer_setup *s)
{
	static const char *const record[] = {"all", "all but targets", "managers and all",
					     "all together only", "none"};
	char run[32], ramp[32];

	fprintf(f, "%s\n", s->description[0] ? s->description : "(no description)");
	fprintf(f, "  file of         Iometer %s\n", s->version);
	if (s->run_s)
		fprintf(f, "  each test       %s", time_words(run, sizeof(run), s->run_s));
	else
		fprintf(f, "  each test       until it is stopped");
	fprintf(f, ", after %s of ramp up\n", time_words(ramp, sizeof(ramp), s->ramp_s));
	fprintf(f, "  series          %s\n", iometer_test_word(s->test));
	fprintf(f, "  results of      %s\n", record[s->record]);
	fprintf(f, "  a new manager   ");
	print_workers_to_spawn(f, s->disk_workers, "disk");
	fprintf(f, ", ");
	print_workers_to_spawn(f, s->net_workers, "network");
	fprintf(f, "\n");
}

static void print_specs(FILE *f, const struct iometer_setup *s)
{
	char brief[96];

	fprintf(f, "\n%zu specification%s\n", s->specs, s->specs == 1 ? "" : "s");
	for (size_t i = 0; i < s->specs; i++) {
		fprintf(f, "%s: %s\n", s->spec[i].name,
			spec_brief(brief, sizeof(brief), &s->spec[i]));
		spec_print_lines(f, &s->spec[i]);
	}
}

/* Its part of the disk; nothing where that is all of it. */
static void print_range(FILE *f, const struct iometer_worker *w)
{
	char size[32], start[32];

	if (w->max_sectors)
		fprintf(f, ", %s", units_size(size, sizeof(size), w->max_sectors * 512));
	if (w->start_sector)
		fprintf(f, ", from %s on", units_size(start, sizeof(start), w->start_sector * 512));
}

static void print_worker(FILE *f, const struct iometer_worker *w)
{
	static const char *const kind[] = {"", " (TCP, not run)", " (VI, not run)"};

	fprintf(f, "  %s%s: %" PRIu32 " outstanding per target", w->name, kind[w->kind],
		w->outstanding);
	print_range(f, w);
	if (w->pattern && w->kind == IOMETER_DISK)
		fprintf(f, ", writes %s", w->pattern == 1 ? "pseudo random" : "full random");
	if (w->fixed_seed)
		fprintf(f, ", seed %" PRIu64, w->seed);
	fprintf(f, "\n    runs     ");
	for (size_t i = 0; i < w->specs; i++)
		fprintf(f, "%s%s", i ? ", " : "", w->spec[i]);
	fprintf(f, "%s\n    targets  ", w->specs ? "" : "what is assigned by default");
	for (size_t i = 0; i < w->targets; i++)
		fprintf(f, "%s%s", i ? ", " : "", w->target[i].name);
	fprintf(f, "%s\n", w->targets ? "" : "none");
}

static void print_managers(FILE *f, const struct iometer_setup *s)
{
	for (size_t i = 0; i < s->managers; i++) {
		const struct iometer_manager *m = &s->manager[i];
		fprintf(f, "\nmanager %" PRIu32 " %s%s%s, %zu worker%s\n", m->id, m->name,
			m->address[0] ? " at " : "", m->address, m->workers,
			m->workers == 1 ? "" : "s");
		for (size_t w = 0; w < m->workers; w++)
			print_worker(f, &m->worker[w]);
	}
}

static void print_tests(FILE *f, const struct iometer_setup *s)
{
	struct iometer_plan plan;
	struct error e;
	char words[96], time[32];

	if (iometer_plan_make(&plan, s, &e)) {
		fprintf(f, "\n%s\n", e.text);
		return;
	}
	uint64_t seconds = iometer_plan_seconds(&plan, s);
	fprintf(f, "\n%zu test%s", plan.tests, plan.tests == 1 ? "" : "s");
	if (seconds)
		fprintf(f, ", %s altogether", time_words(time, sizeof(time), seconds));
	fprintf(f, "\n");
	for (size_t i = 0; i < plan.tests && i < TESTS_SHOWN; i++) {
		const struct iometer_plan_test *t = &plan.test[i];
		fprintf(f, "  %4zu  %-40s %s\n", i + 1, t->mixed ? "(several)" : t->spec->name,
			iometer_test_words(words, sizeof(words), t));
	}
	if (plan.tests > TESTS_SHOWN)
		fprintf(f, "  and %zu more\n", plan.tests - TESTS_SHOWN);
	iometer_plan_free(&plan);
}

static void print_warnings(FILE *f, const struct iometer_warnings *w)
{
	if (!w || !w->count)
		return;
	fprintf(f, "\n%zu warning%s\n", w->count + w->more, w->count + w->more == 1 ? "" : "s");
	for (size_t i = 0; i < w->count; i++) {
		if (w->list[i].line)
			fprintf(f, "  line %u: %s\n", w->list[i].line, w->list[i].text);
		else
			fprintf(f, "  %s\n", w->list[i].text);
	}
	if (w->more)
		fprintf(f, "  and %zu more\n", w->more);
}

void iometer_check_print(FILE *f, const struct iometer_setup *s, const struct iometer_warnings *w)
{
	print_head(f, s);
	print_specs(f, s);
	print_managers(f, s);
	print_tests(f, s);
	print_warnings(f, w);
}
