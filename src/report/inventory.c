/* inventory.c - what a run was made on and with, as tables; see tables.h.
 *
 * The store keeps settings and environment as JSON objects, whose names carry their unit. They are shown as
 * they are, so that a newer lunscope's are complete, with sizes and times in words.
 */
#include "report/tables.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "env/facts.h"
#include "report/words.h"
#include "units.h"

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), k = strlen(end);

	return n > k && strcmp(text + n - k, end) == 0;
}

/* "range_start_bytes" is "range start": the unit stands at the value. */
static void add_name(char *out, size_t n, const char *key)
{
	size_t at = strlen(out), end;

	units_append(out, n, "%s%s", at ? ": " : "", key);
	for (const char *const *unit = (const char *const[]){"_bytes", "_ns", "_percent", NULL};
	     *unit; unit++)
		if (ends_with(out, *unit))
			out[strlen(out) - strlen(*unit)] = 0;
	end = strlen(out);
	for (size_t i = at; i < end; i++)
		if (out[i] == '_')
			out[i] = ' ';
}

static void integer_cell(struct grid *g, const char *key, json_int_t v)
{
	char text[WORDS];

	if (ends_with(key, "_bytes") && v >= 0)
		grid_cell(g, "%s", units_size(text, sizeof(text), (uint64_t)v));
	else if (strcmp(key, "time_ns") == 0 && v > 0)
		grid_cell(g, "%s", words_time(text, (uint64_t)v));
	else if (ends_with(key, "_ns") && v >= 0)
		grid_cell(g, "%s", words_latency(text, (double)v));
	else if (ends_with(key, "_percent"))
		grid_cell(g, "%" JSON_INTEGER_FORMAT " %%", v);
	else
		grid_cell(g, "%" JSON_INTEGER_FORMAT, v);
}

static void value_cell(struct grid *g, const char *key, const json_t *v)
{
	char *text;

	if (json_is_string(v)) {
		grid_cell(g, "%s", json_string_value(v));
	} else if (json_is_null(v) || (json_is_array(v) && json_array_size(v) == 0)) {
		grid_cell(g, "%s", json_is_null(v) ? "not known" : "none");
	} else if (json_is_boolean(v)) {
		grid_cell(g, "%s", json_is_true(v) ? "yes" : "no");
	} else if (json_is_integer(v)) {
		integer_cell(g, key, json_integer_value(v));
	} else {
		text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
		grid_cell(g, "%s", text ? text : "");
		free(text);
	}
}

static bool all_strings(const json_t *v)
{
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)v, i, one) if (!json_is_string(one)) return false;
	return json_array_size(v) > 0;
}

static void list_cell(struct grid *g, const json_t *v)
{
	char text[1024] = "";
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)v, i, one)
		units_append(text, sizeof(text), "%s%s", i ? ", " : "", json_string_value(one));
	grid_cell(g, "%s", text);
}

static void add_object(struct grid *g, const char *within, const json_t *object);

/* Of several things, each by its number. */
static void add_list(struct grid *g, const char *name, const json_t *list)
{
	size_t i;
	json_t *v;

	json_array_foreach((json_t *)list, i, v)
	{
		char one[272];
		snprintf(one, sizeof(one), "%s %zu", name, i + 1);
		add_object(g, one, v);
	}
}

static bool all_objects(const json_t *v)
{
	size_t i;
	json_t *one;

	json_array_foreach((json_t *)v, i, one) if (!json_is_object(one)) return false;
	return json_array_size(v) > 0;
}

static void add_object(struct grid *g, const char *within, const json_t *object)
{
	const char *key;
	json_t *v;

	json_object_foreach((json_t *)object, key, v)
	{
		char name[256] = "";
		units_append(name, sizeof(name), "%s", within);
		add_name(name, sizeof(name), key);
		if (json_is_object(v)) {
			add_object(g, name, v);
			continue;
		}
		if (all_objects(v)) {
			add_list(g, name, v);
			continue;
		}
		/* What has no words says nothing. */
		if (json_is_string(v) && !json_string_length(v))
			continue;
		grid_cell(g, "%s", name);
		if (all_strings(v))
			list_cell(g, v);
		else
			value_cell(g, key, v);
	}
}

static void print_object(const struct out *o, const json_t *object, const char *caption,
			 int64_t run)
{
	struct grid g;

	grid_begin(&g, "%s of run %lld", caption, (long long)run);
	grid_column(&g, false, "Name");
	grid_column(&g, false, "Value");
	add_object(&g, "", object);
	grid_end(&g, o);
}

void table_settings(const struct out *o, const struct report_run *r)
{
	json_t *rest = json_copy(r->head.settings);

	json_object_set_new(rest, "lunscope", json_string(r->head.version));
	print_object(o, rest, "Settings", r->head.id);
	json_decref(rest);
}

void table_inventory(const struct out *o, const struct report_run *r)
{
	json_t *rest = json_copy(r->head.environment);

	json_object_del(rest, "facts");
	json_object_del(rest, "time"); /* time_ns says it in this host's words */
	print_object(o, rest, "Inventory", r->head.id);
	json_decref(rest);
}

/* --- What is set on the host. --- */

static bool is_of(const char *words, const char *who, const char **what)
{
	char name[FACT_WORDS];

	*what = fact_split(words, name, sizeof(name));
	return *what && strcmp(name, who) == 0;
}

/* Each thing that has settings ("eth2", "sda"), in the order of their words; those without one are the
 * host's. */
static void print_facts_of(const struct out *o, const struct facts *f, const char *who)
{
	struct grid g;
	const char *what;

	grid_begin(&g, who ? "Settings of %s" : "Settings of the host", who);
	grid_column(&g, false, "Setting");
	grid_column(&g, false, "Value");
	for (size_t i = 0; i < f->count; i++) {
		bool of =
			who ? is_of(f->fact[i].words, who, &what) : !strchr(f->fact[i].words, ' ');
		if (!of)
			continue;
		grid_cell(&g, "%s", who ? what : f->fact[i].words);
		grid_cell(&g, "%s", f->fact[i].value);
	}
	grid_end(&g, o);
}

void table_facts(const struct out *o, const struct report_run *r)
{
	struct facts f = {.count = 0};
	char last[FACT_WORDS] = "", who[FACT_WORDS];

	facts_scan(&f, json_object_get(r->head.environment, "facts"));
	if (f.count) {
		out_fold(o, "%zu settings of NICs, network and queues, as they were at first",
			 f.count);
		print_facts_of(o, &f, NULL);
		for (size_t i = 0; i < f.count; i++) {
			if (!strchr(f.fact[i].words, ' ') ||
			    !fact_split(f.fact[i].words, who, sizeof(who)) ||
			    strcmp(who, last) == 0)
				continue;
			snprintf(last, sizeof(last), "%s", who);
			print_facts_of(o, &f, who);
		}
		out_fold_end(o);
	}
	facts_free(&f);
}
