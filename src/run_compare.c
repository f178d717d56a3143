/* run_compare.c - two segments of a run, compared: the figures, and what else differs between them. */
#include "run_internal.h"

#include <stdlib.h>
#include <string.h>

#include "compare/differ.h"
#include "compare/live.h"
#include "path_marks.h"

static uint64_t cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * NS_PER_SEC + (uint64_t)t.tv_nsec;
}

/* The paths to a LUN as they were when a mark was set. */
static json_t *paths_at(struct run *r, uint32_t mark)
{
	json_t *paths = path_marks_begin(r->settings);
	size_t n = 0;
	struct mark *list = paths ? timeline_all_marks(r->timeline, 0, &n) : NULL;

	for (size_t i = 0; list && i < n && list[i].id <= mark; i++)
		path_marks_apply(paths, list[i].text);
	free(list);
	return paths;
}

struct beginning {
	struct workload workload;
	json_t *environment, *paths;
};

static struct beginning beginning_of(struct run *r, uint32_t segment)
{
	struct beginning b = {.environment = run_environment_at(r, segment)};
	struct span s;

	if (timeline_span(r->timeline, segment, &s, &b.workload))
		b.paths = paths_at(r, s.mark.id);
	return b;
}

static json_t *differ(const struct beginning b[2])
{
	struct circumstances of[2];

	for (int i = 0; i < 2; i++)
		of[i] = (struct circumstances){.workload = &b[i].workload,
					       .environment = b[i].environment,
					       .paths = b[i].paths};
	json_t *list = circumstances_differ(&of[0], &of[1]);
	for (int i = 0; i < 2; i++) {
		json_decref(b[i].environment);
		json_decref(b[i].paths);
	}
	return list;
}

static json_t *look_at_differences(struct run *r, const struct live_pair *l)
{
	const struct beginning b[2] = {beginning_of(r, l->segment[l->a].number),
				       beginning_of(r, l->segment[l->b].number)};

	return differ(b);
}

json_t *run_differences(struct run *r, uint32_t a, uint32_t b, const char *const *without,
			unsigned n)
{
	const struct beginning of[2] = {beginning_of(r, a), beginning_of(r, b)};

	for (int i = 0; i < 2; i++) {
		json_t *facts = json_object_get(of[i].environment, "facts");
		for (unsigned k = 0; k < n; k++)
			json_object_del(facts, without[k]);
		json_object_del(of[i].paths, "logged_in_anew");
	}
	return differ(of);
}

struct live_pair *run_compare(struct run *r, const struct live_wish *wish,
			      const struct live_pair *before)
{
	uint64_t began = cpu_ns();
	struct live_pair *l = live_list(r->timeline, wish, before);
	json_t *differ = NULL;

	if (!l)
		return NULL;
	/* How a segment began stays as it was. */
	if (l->state != LIVE_ONE)
		differ = before && before->differ && live_same(before, l)
				 ? json_incref(before->differ)
				 : look_at_differences(r, l);
	if (live_compare(l, r->timeline, differ, before)) {
		live_free(l);
		return NULL;
	}
	l->cost_ns = cpu_ns() - began;
	return l;
}

/* --- When the run is over. --- */

static struct live_pair *last_mark(struct run *r)
{
	const struct live_wish wish = {.from_ns = r->counted_ns};

	return run_compare(r, &wish, NULL);
}

void run_comparison(struct run *r, FILE *out, enum rate_unit unit)
{
	struct live_pair *l = last_mark(r);
	char b[16], a[16];

	/* Where there is no verdict, the rows of the segments have said all there is. */
	if (l && l->state == LIVE_KNOWN) {
		fprintf(out, "\n%s against %s:\n", live_name(b, sizeof(b), &l->segment[l->b]),
			live_name(a, sizeof(a), &l->segment[l->a]));
		compare_print(out, &l->c, &l->side[0], &l->side[1], unit, units_ascii());
	}
	live_free(l);
}

json_t *run_comparison_json(struct run *r)
{
	struct live_pair *l = last_mark(r);
	json_t *object = json_null();

	if (l && l->state != LIVE_ONE) {
		object = compare_json(&l->c, &l->side[0], &l->side[1]);
		json_object_set_new(object, "a_segment", json_integer(l->segment[l->a].number));
		json_object_set_new(object, "b_segment", json_integer(l->segment[l->b].number));
		json_object_set(object, "differences", l->differ);
	}
	live_free(l);
	return object;
}

/* The lamp's words under their own name. */
void run_steady(struct run *r, FILE *out)
{
	static const char name[] = "steady";
	const char *text = r->snap.steady.text;

	if (r->snap.steady.level == LAMP_OFF || strncmp(text, name, strlen(name)) != 0)
		return;
	text += strlen(name);
	fprintf(out, "%-10s%s\n", name, text + strspn(text, ": "));
}
