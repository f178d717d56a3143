/* differ.c - see differ.h. */
#include "compare/differ.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/differ_facts.h"
#include "export.h"
#include "setting.h"

/* Of no weight: other at any time, or told elsewhere. */
static bool is_told_elsewhere(const char *path)
{
	static const char *const name[] = {
		"time",  "time_ns",        "command", "mode", "workload",    "engine_why",
		"paths", "logged_in_anew", "facts",   "test", "description", "imported"};

	for (size_t i = 0; i < sizeof(name) / sizeof(*name); i++)
		if (strcmp(path, name[i]) == 0)
			return true;
	return false;
}

static void value_words(const json_t *v, char *out, size_t n)
{
	if (!v || json_is_null(v)) {
		snprintf(out, n, "not known");
	} else if (json_is_string(v)) {
		snprintf(out, n, "%.100s", json_string_length(v) ? json_string_value(v) : "none");
	} else {
		char *text = json_dumps(v, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6) | JSON_COMPACT);
		snprintf(out, n, "%.100s", text ? text : "");
		free(text);
	}
}

static void add(json_t *list, const char *where, const char *path, const json_t *a, const json_t *b)
{
	char from[120], to[120], line[512];

	value_words(a, from, sizeof(from));
	value_words(b, to, sizeof(to));
	snprintf(line, sizeof(line), "%s %s: %s > %s", where, path, from, to);
	json_array_append_new(list, export_text(line));
}

static void compare_values(json_t *list, const char *where, const char *path, const json_t *a,
			   const json_t *b);

static void compare_members(json_t *list, const char *where, const char *path, const json_t *a,
			    const json_t *b)
{
	const char *key;
	json_t *v;
	char below[256];

	json_object_foreach((json_t *)a, key, v)
	{
		snprintf(below, sizeof(below), "%s%s%s", path, *path ? "." : "", key);
		compare_values(list, where, below, v, json_object_get(b, key));
	}
}

static void compare_values(json_t *list, const char *where, const char *path, const json_t *a,
			   const json_t *b)
{
	if (is_told_elsewhere(path) || json_equal(a, b))
		return;
	/* A member that an older record does not have is no difference: nobody looked. */
	if (!a || !b)
		return;
	if (json_is_object(a) && json_is_object(b)) {
		compare_members(list, where, path, a, b);
		return;
	}
	add(list, where, path, a, b);
}

/* The target's queue stands among the facts, too, and as it was at that time: there it is told. */
static json_t *without_queue(const json_t *environment)
{
	static const char *const told[] = {"scheduler", "nr_requests", "read_ahead_kb",
					   "max_sectors_kb", "write_cache"};
	json_t *copy = json_deep_copy(environment), *queue = json_object_get(copy, "queue");

	for (size_t i = 0; i < sizeof(told) / sizeof(*told); i++)
		json_object_del(queue, told[i]);
	return copy;
}

static void compare_environments(json_t *list, const json_t *a, const json_t *b)
{
	const json_t *facts_a = json_object_get(a, "facts"), *facts_b = json_object_get(b, "facts");

	if (!facts_a || !facts_b) {
		compare_values(list, "environment", "", a, b);
		return;
	}
	json_t *own_a = without_queue(a), *own_b = without_queue(b);
	compare_values(list, "environment", "", own_a, own_b);
	facts_differ(list, facts_a, facts_b);
	json_decref(own_a);
	json_decref(own_b);
}

/* A line a setting. */
static void compare_workloads(json_t *list, const struct workload *a, const struct workload *b)
{
	for (int s = 0; s < SETTING_COUNT; s++) {
		char from[SETTING_SHORT], to[SETTING_SHORT], line[360];
		if (setting_same(a, b, (enum setting)s))
			continue;
		snprintf(line, sizeof(line), "workload: %s %s > %s",
			 setting_info((enum setting)s).mark,
			 setting_brief(from, sizeof(from), a, (enum setting)s),
			 setting_brief(to, sizeof(to), b, (enum setting)s));
		json_array_append_new(list, export_text(line));
	}
}

/* Logging in anew is what makes another difference felt (a larger MTU); by itself it is one. */
static void compare_logins(json_t *list, const json_t *a, const json_t *b)
{
	static const char key[] = "logged_in_anew";
	const json_t *before = json_object_get(a, key), *after = json_object_get(b, key);

	if (before && after && !json_equal(before, after) && !json_array_size(list))
		add(list, "paths", "logged in anew, times", before, after);
}

json_t *circumstances_differ(const struct circumstances *a, const struct circumstances *b)
{
	json_t *list = json_array();

	if (!list)
		return NULL;
	compare_workloads(list, a->workload, b->workload);
	compare_values(list, "settings", "", a->settings, b->settings);
	compare_values(list, "paths", "", a->paths, b->paths);
	compare_environments(list, a->environment, b->environment);
	compare_logins(list, a->paths, b->paths);
	return list;
}

void differences_add(json_t *list, const json_t *more)
{
	size_t i, k;
	json_t *line, *known;

	json_array_foreach((json_t *)more, i, line)
	{
		bool is_new = true;
		json_array_foreach(list, k, known) is_new &= !json_equal(known, line);
		if (is_new)
			json_array_append(list, line);
	}
}
