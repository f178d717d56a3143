/* unit-books.c - the extremes of a worker's books, which the reader restarts while the worker counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "books.h"

static struct op_books books;
static uint64_t low, high;

static int setup(void **state)
{
	(void)state;
	memset(&books, 0, sizeof(books));
	books_init(&books);
	return 0;
}

static void check_extremes(uint64_t least, uint64_t most)
{
	books_take_extremes(&books, &low, &high);
	assert_int_equal(low, least);
	assert_int_equal(high, most);
}

static void extremes_are_exact_and_begin_anew(void **state)
{
	(void)state;
	check_extremes(UINT64_MAX, 0);
	books_note_one(&books, 500, 1);
	books_note_one(&books, 300, 1);
	books_note_one(&books, 400, 1);
	check_extremes(300, 500);
	check_extremes(UINT64_MAX, 0);
	books_note_one(&books, 400, 1);
	check_extremes(400, 400);
}

/* By a clock that is coarse. */
static void a_latency_of_0_is_an_extreme_like_any_other(void **state)
{
	(void)state;
	books_note_one(&books, 0, 1);
	check_extremes(0, 0);
	books_note_one(&books, 0, 1);
	books_note_one(&books, 7, 1);
	check_extremes(0, 7);
}

/* The reader has taken one of the two, and not yet the other. */
static void an_io_between_the_steps_of_a_restart_is_noted(void **state)
{
	(void)state;
	books_note_one(&books, 1000, 1);
	atomic_store(&books.lat_min, UINT64_MAX);
	books_note_one(&books, 10, 1);
	check_extremes(10, 1000);
	books_note_one(&books, 1000, 1);
	atomic_store(&books.lat_end, 0);
	books_note_one(&books, 5000, 1);
	check_extremes(1000, 5000);
}

static void a_batch_notes_what_lies_outside_as_it_goes(void **state)
{
	struct tally t;

	(void)state;
	tally_open(&t, &books);
	tally_add(&t, &books, 20, 4096);
	tally_add(&t, &books, 30, 4096);
	tally_add(&t, &books, 25, 4096);
	tally_close(&t, &books);
	check_extremes(20, 30);
	assert_int_equal(books.bytes, 3 * 4096);
	assert_int_equal(books.lat_sum, 75);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(extremes_are_exact_and_begin_anew, setup),
		cmocka_unit_test_setup(a_latency_of_0_is_an_extreme_like_any_other, setup),
		cmocka_unit_test_setup(an_io_between_the_steps_of_a_restart_is_noted, setup),
		cmocka_unit_test_setup(a_batch_notes_what_lies_outside_as_it_goes, setup),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
