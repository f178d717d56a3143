/* unit-run-compare.c - what a run says of its last mark: to whoever asks while it goes on, and in its document.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include "compare/live.h"
#include "run_internal.h"
#include "tests/run-fixture.h"

static json_t *document(void)
{
	json_t *doc = run_json(run, &summary);

	assert_non_null(doc);
	return doc;
}

static void the_document_has_the_comparison_at_the_last_mark(void **state)
{
	char *text;
	size_t n;
	(void)state;
	start_null(NULL);
	wait_ms(300);
	apply_outstanding(16);
	wait_ms(300);
	stop();
	json_t *doc = document(), *c = json_object_get(doc, "comparison");
	assert_int_equal(json_integer_value(json_object_get(c, "a_segment")), 1);
	assert_int_equal(json_integer_value(json_object_get(c, "b_segment")), 2);
	assert_string_equal(json_string_value(json_array_get(json_object_get(c, "differences"), 0)),
			    "workload: outstanding 8 > 16");
	assert_true(json_real_value(json_object_get(c, "more_s")) > 0);
	assert_string_equal(json_string_value(json_object_get(json_object_get(c, "b"), "name")),
			    "a: outstanding 8 > 16");
	/* Far too short for either. */
	assert_true(json_is_null(
		json_object_get(json_array_get(json_object_get(doc, "segments"), 1), "steady")));
	json_decref(doc);
	FILE *f = open_memstream(&text, &n);
	run_comparison(run, f, RATE_MIB);
	run_steady(run, f);
	fclose(f);
	assert_string_equal(text, "");
	free(text);
}

static void without_a_mark_since_the_reset_there_is_none(void **state)
{
	(void)state;
	start_null(NULL);
	wait_ms(200);
	apply_outstanding(16);
	wait_ms(200);
	run_reset(run, "reset");
	wait_ms(200);
	stop();
	json_t *doc = document();
	assert_true(json_is_null(json_object_get(doc, "comparison")));
	json_decref(doc);
}

static void what_differs_is_looked_at_once_for_a_pair(void **state)
{
	const struct live_wish wish = {0};
	(void)state;
	start_null(NULL);
	wait_ms(200);
	apply_outstanding(16);
	wait_ms(200);
	struct live_pair *first = run_compare(run, &wish, NULL);
	struct live_pair *again = run_compare(run, &wish, first);
	assert_int_equal(first->c.differences, 1);
	assert_ptr_equal(first->differ, again->differ);
	/* Not for another one. */
	wait_ms(1200);
	apply_outstanding(32);
	struct live_pair *other = run_compare(run, &wish, again);
	assert_ptr_not_equal(other->differ, again->differ);
	live_free(first);
	live_free(again);
	live_free(other);
}

/* Around that many a second: up and down by one per cent, no second like the one before. */
static void fill(struct timeline *t, uint64_t *now, unsigned seconds, uint64_t ios)
{
	static const int off[] = {0, 7, -9, 3, -5, 10, -2, 6, -8, 1, -3};

	for (unsigned i = 0; i < seconds; i++) {
		struct sample s;
		sample_clear(&s);
		*now += NS_PER_SEC;
		s.t_ns = *now;
		s.dt_ns = NS_PER_SEC;
		s.depth_requested = 8;
		s.op[IO_READ].ios = ios + (uint64_t)((int64_t)ios * off[i % 11] / 1000);
		timeline_tick(t, &s, NULL);
		timeline_second(t, &s);
	}
}

static void the_text_ends_with_the_verdicts_and_whether_it_was_steady(void **state)
{
	static struct run made; /* of a timeline alone */
	struct workload w = workload_default();
	uint64_t now = 1000 * NS_PER_SEC;
	char *text;
	size_t n;
	(void)state;
	pthread_mutex_init(&made.lock, NULL);
	made.timeline = timeline_create();
	assert_non_null(made.timeline);
	timeline_mark(made.timeline, MARK_START, now, 1, &w, "start");
	fill(made.timeline, &now, 120, 1000);
	w.outstanding *= 2;
	timeline_mark(made.timeline, MARK_KNOB, now, 2, &w, "outstanding 8 > 16");
	fill(made.timeline, &now, 120, 1500);
	made.snap.steady = (struct lamp){LAMP_GOOD, "steady: IOPS within 0.2 % for 50 s"};
	FILE *f = open_memstream(&text, &n);
	run_steady(&made, f);
	run_comparison(&made, f, RATE_MIB);
	fclose(f);
	assert_non_null(strstr(text, "steady    IOPS within 0.2 % for 50 s\n"));
	assert_non_null(strstr(text, "\na against the start:\nA  the start: start: 1"));
	double a, b, change;
	assert_int_equal(sscanf(strstr(text, "\nIOPS "), " IOPS %lf %lfk %lf %%", &a, &b, &change),
			 3);
	assert_true(a == 1000 && b == 1.5 && change > 49 && change < 51);
	assert_non_null(strstr(text, "different\n"));
	free(text);
	timeline_destroy(made.timeline);
	pthread_mutex_destroy(&made.lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		RUN_TEST(the_document_has_the_comparison_at_the_last_mark),
		RUN_TEST(without_a_mark_since_the_reset_there_is_none),
		cmocka_unit_test(the_text_ends_with_the_verdicts_and_whether_it_was_steady),
		RUN_TEST(what_differs_is_looked_at_once_for_a_pair),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
