/* path_marks.c - see path_marks.h. */
#include "path_marks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "export.h"
#include "units.h"

#define SEVERAL "paths "
#define ONE     "path "
#define PINNED  "pinned to path "
#define HOLD    "IO hold "

static const char *const policy_words[] = {"least busy", "round robin", "failover", "pinned"};
static const char *const act_words[] = {"taken out", "taken in", "logged in anew"};

static void say_policy(char *out, size_t n, const struct backend_paths *p)
{
	if (p->policy == PATHS_PINNED)
		snprintf(out, n, PINNED "%u", p->pinned + 1);
	else
		snprintf(out, n, "%s", policy_words[p->policy]);
}

void path_mark_policy(char *out, size_t n, const struct backend_paths *from,
		      const struct backend_paths *to)
{
	char before[40], after[40];

	say_policy(before, sizeof(before), from);
	say_policy(after, sizeof(after), to);
	out[0] = 0;
	if (strcmp(before, after) != 0)
		units_append(out, n, SEVERAL "%s > %s", before, after);
	if (from->hold_ns != to->hold_ns)
		units_append(out, n, "%s" HOLD "%.9g s > %.9g s", out[0] ? ", " : "",
			     (double)from->hold_ns / 1e9, (double)to->hold_ns / 1e9);
}

void path_mark_act(char *out, size_t n, uint32_t path, enum path_act act)
{
	if (path == PATHS_ALL)
		snprintf(out, n, "all " SEVERAL "%s", act_words[act]);
	else
		snprintf(out, n, ONE "%u %s", path + 1, act_words[act]);
}

json_t *path_marks_begin(const json_t *settings)
{
	json_t *paths = json_object_get(settings, "paths");

	if (!json_is_object(paths))
		return NULL;
	paths = json_deep_copy(paths);
	json_object_set_new(paths, "out", json_array());
	json_object_set_new(paths, "logged_in_anew", json_integer(0));
	return paths;
}

static void take_policy(json_t *paths, const char *words)
{
	struct backend_paths p = {0};
	char policy[32], name[40];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(words, ","), words);
	if (sscanf(words, PINNED "%u", &p.pinned) == 1 && p.pinned--)
		p.policy = PATHS_PINNED;
	while (p.policy < PATHS_PINNED && strcmp(name, policy_words[p.policy]) != 0)
		p.policy++;
	export_policy_words(policy, sizeof(policy), &p);
	json_object_set_new(paths, "policy", json_string(policy));
}

static void take_hold(json_t *paths, const char *words)
{
	double seconds;

	if (sscanf(words, HOLD "%*f s > %lf s", &seconds) == 1)
		json_object_set_new(paths, "hold_ns",
				    json_integer((json_int_t)llround(seconds * 1e9)));
}

/* By number, so that two ways to the same make the same list. */
static void set_out(json_t *list, unsigned path, bool out)
{
	size_t at = 0;

	while (at < json_array_size(list) &&
	       json_integer_value(json_array_get(list, at)) < (json_int_t)path)
		at++;
	bool is = json_integer_value(json_array_get(list, at)) == (json_int_t)path;
	if (out && !is)
		json_array_insert_new(list, at, json_integer(path));
	else if (!out && is)
		json_array_remove(list, at);
}

/* path 0: all of them, of which only logging in anew is done. */
static void take_act(json_t *paths, unsigned path, const char *words)
{
	json_t *anew = json_object_get(paths, "logged_in_anew");

	if (strcmp(words, act_words[PATH_RELOGIN]) == 0)
		json_integer_set(anew, json_integer_value(anew) + 1);
	else if (path && strcmp(words, act_words[PATH_TAKE_OUT]) == 0)
		set_out(json_object_get(paths, "out"), path, true);
	else if (path && strcmp(words, act_words[PATH_TAKE_IN]) == 0)
		set_out(json_object_get(paths, "out"), path, false);
}

void path_marks_apply(json_t *paths, const char *text)
{
	const char *to = strstr(text, " > "), *hold = strstr(text, HOLD);
	unsigned path;
	int at = 0;

	if (!paths)
		return;
	if (hold && (hold == text || strncmp(text, SEVERAL, strlen(SEVERAL)) == 0))
		take_hold(paths, hold);
	if (strncmp(text, SEVERAL, strlen(SEVERAL)) == 0 && to)
		take_policy(paths, to + strlen(" > "));
	else if (strncmp(text, "all " SEVERAL, strlen("all " SEVERAL)) == 0)
		take_act(paths, 0, text + strlen("all " SEVERAL));
	else if (sscanf(text, ONE "%u %n", &path, &at) == 1 && at)
		take_act(paths, path, text + at);
}
