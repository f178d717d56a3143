/* check_json.c - see check.h: what a set-up says, as JSON. */
#include <inttypes.h>
#include <stdio.h>

#include "export.h"
#include "iometer/check.h"
#include "iometer/plan.h"
#include "iometer/spec_words.h"

static const char *const kinds[] = {"disk", "tcp", "vi"};

/* null for 0, as lines are where something is not from a file. */
static json_t *known(uint64_t v)
{
	return v ? json_integer((json_int_t)v) : json_null();
}

static json_t *workers_json(uint32_t workers)
{
	return workers == IOMETER_PER_CPU ? json_null() : json_integer(workers);
}

static json_t *specs_json(const struct iometer_setup *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->specs; i++) {
		json_t *spec = spec_json(&s->spec[i]);
		json_object_set_new(spec, "line", known(s->spec[i].at));
		json_array_append_new(list, spec);
	}
	return list;
}

static json_t *targets_json(const struct iometer_worker *w)
{
	json_t *list = json_array();

	for (size_t i = 0; i < w->targets; i++)
		json_array_append_new(list, json_pack("{s:o, s:s, s:o}", "name",
						      export_text(w->target[i].name), "kind",
						      kinds[w->target[i].kind], "line",
						      known(w->target[i].at)));
	return list;
}

/* All 64 bits of it, which no number of JSON is sure to have. */
static json_t *seed_json(const struct iometer_worker *w)
{
	char text[24];

	if (!w->fixed_seed)
		return json_null();
	snprintf(text, sizeof(text), "%" PRIu64, w->seed);
	return json_string(text);
}

static json_t *worker_json(const struct iometer_worker *w)
{
	json_t *specs = json_array();

	for (size_t i = 0; i < w->specs; i++)
		json_array_append_new(specs, export_text(w->spec[i]));
	return json_pack("{s:o, s:s, s:o, s:I, s:o, s:I, s:o, s:I, s:o, s:o}", "name",
			 export_text(w->name), "kind", kinds[w->kind], "line", known(w->at),
			 "outstanding", (json_int_t)w->outstanding, "seed", seed_json(w),
			 "start_sector", (json_int_t)w->start_sector, "max_sectors",
			 known(w->max_sectors), "pattern", (json_int_t)w->pattern, "specs", specs,
			 "targets", targets_json(w));
}

static json_t *managers_json(const struct iometer_setup *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->managers; i++) {
		const struct iometer_manager *m = &s->manager[i];
		json_t *workers = json_array();
		for (size_t w = 0; w < m->workers; w++)
			json_array_append_new(workers, worker_json(&m->worker[w]));
		json_array_append_new(list,
				      json_pack("{s:I, s:o, s:o, s:o, s:o}", "id",
						(json_int_t)m->id, "name", export_text(m->name),
						"address", export_known_text(m->address), "line",
						known(m->at), "workers", workers));
	}
	return list;
}

static json_t *tests_json(const struct iometer_plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->tests; i++) {
		const struct iometer_plan_test *t = &plan->test[i];
		json_array_append_new(list,
				      json_pack("{s:o, s:I, s:I, s:I}", "spec",
						t->mixed ? json_null() : export_text(t->spec->name),
						"workers", (json_int_t)t->workers, "targets",
						(json_int_t)t->targets, "outstanding",
						(json_int_t)t->outstanding));
	}
	return list;
}

static void add_plan(json_t *doc, const struct iometer_setup *s)
{
	struct iometer_plan plan = {0};
	struct error e;
	int rc = iometer_plan_make(&plan, s, &e);

	json_object_set_new(doc, "tests", tests_json(&plan));
	json_object_set_new(doc, "duration_s",
			    rc ? json_null() : known(iometer_plan_seconds(&plan, s)));
	json_object_set_new(doc, "trouble", rc ? export_text(e.text) : json_null());
	if (rc == 0)
		iometer_plan_free(&plan);
}

static void add_warnings(json_t *doc, const struct iometer_warnings *w)
{
	json_t *list = json_array();

	for (size_t i = 0; w && i < w->count; i++)
		json_array_append_new(list, json_pack("{s:o, s:o}", "line", known(w->list[i].line),
						      "text", export_text(w->list[i].text)));
	json_object_set_new(doc, "warnings", list);
	json_object_set_new(doc, "warnings_left_out", json_integer(w ? (json_int_t)w->more : 0));
}

json_t *iometer_check_json(const struct iometer_setup *s, const struct iometer_warnings *w)
{
	static const char *const record[] = {"ALL", "NO_TARGETS", "NO_WORKERS", "NO_MANAGERS",
					     "NONE"};
	json_t *doc = json_pack("{s:o, s:o, s:o, s:I, s:s, s:s, s:o, s:o, s:o, s:o}", "version",
				export_text(s->version), "description", export_text(s->description),
				"run_s", known(s->run_s), "ramp_s", (json_int_t)s->ramp_s, "record",
				record[s->record], "test_type", iometer_test_word(s->test),
				"disk_workers", workers_json(s->disk_workers), "network_workers",
				workers_json(s->net_workers), "specs", specs_json(s), "managers",
				managers_json(s));

	if (doc) {
		add_plan(doc, s);
		add_warnings(doc, w);
	}
	return doc;
}
