/* io-targets.c - several targets in one run: what is said of each is what the kernel counted there, and each has
 * to be agreed to before it is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define DISK  (16u << 20)
#define TRIES 5

static struct loopdev disk[2] = {{.number = -1}, {.number = -1}};

static void make_disks(void)
{
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&disk[0], "one", DISK, NULL), 0);
	assert_int_equal(loopdev_make(&disk[1], "two", DISK, NULL), 0);
}

static int free_disks(void **state)
{
	(void)state;
	return loopdev_free(&disk[0]) | loopdev_free(&disk[1]);
}

/* Bytes of all seats on this target. */
static uint64_t seat_bytes(const json_t *doc, const char *target, const char *op)
{
	const json_t *seats = json_object_get(doc, "seats"), *seat;
	uint64_t sum = 0;
	size_t i;

	assert_true(json_is_array(seats));
	json_array_foreach(seats, i, seat)
	{
		if (strcmp(json_string_value(json_object_get(seat, "target")), target) == 0)
			sum += io_count(json_object_get(seat, op), "bytes");
	}
	return sum;
}

static void look(struct blockstat now[2])
{
	for (int i = 0; i < 2; i++)
		assert_int_equal(loopdev_stat(&disk[i], &now[i]), 0);
}

/* Of both targets and both ops; false where somebody else has read one meanwhile. */
static bool agrees(const json_t *doc, const struct blockstat before[2],
		   const struct blockstat now[2])
{
	bool same = true;

	for (int i = 0; i < 2; i++) {
		uint64_t read = now[i].read_bytes - before[i].read_bytes;
		uint64_t written = now[i].write_bytes - before[i].write_bytes;
		assert_true(read >= seat_bytes(doc, disk[i].node, "read"));
		assert_int_equal(written, seat_bytes(doc, disk[i].node, "write"));
		same &= read == seat_bytes(doc, disk[i].node, "read");
	}
	return same;
}

static void check_totals(const json_t *doc)
{
	for (int op = 0; op < 2; op++) {
		const char *name = op ? "write" : "read";
		char path[32];
		snprintf(path, sizeof(path), "summary.%s.bytes", name);
		assert_int_equal(seat_bytes(doc, disk[0].node, name) +
					 seat_bytes(doc, disk[1].node, name),
				 io_count(doc, path));
	}
}

static void what_is_said_of_each_target_is_what_the_kernel_counted_there(void **state)
{
	(void)state;
	make_disks();
	for (int try = 0;; try++) {
		struct blockstat before[2], now[2];
		struct outcome o;
		look(before);
		IO_RUN(&o, disk[0].node, disk[1].node, "--workers", "3", "--outstanding", "2",
		       "--for", "1s");
		io_expect_good(&o);
		look(now);
		assert_int_equal(json_array_size(json_object_get(o.doc, "seats")), 3);
		assert_true(seat_bytes(o.doc, disk[0].node, "read") > 0);
		assert_true(seat_bytes(o.doc, disk[1].node, "read") > 0);
		check_totals(o.doc);
		bool same = agrees(o.doc, before, now);
		io_free(&o);
		if (same)
			break;
		assert_true(try < TRIES);
	}
}

static void the_warm_up_is_in_no_row(void **state)
{
	(void)state;
	struct outcome o;

	make_disks();
	IO_RUN(&o, disk[0].node, disk[1].node, "--for", "1s", "--warmup", "500ms");
	io_expect_good(&o);
	check_totals(o.doc);
	io_free(&o);
}

/* What --i-own has to say comes from the refusal itself. */
static void read_id(const struct outcome *o, char *id, size_t n)
{
	char *at = strstr(o->p.err, "--i-own '");

	assert_non_null(at);
	at += strlen("--i-own '");
	snprintf(id, n, "%.*s", (int)strcspn(at, "'"), at);
}

static void each_target_has_to_be_agreed_to_before_any_is_written(void **state)
{
	(void)state;
	char id[2][256];
	struct blockstat before[2], now[2];
	struct outcome o;

	make_disks();
	look(before);
	IO_RUN(&o, disk[0].node, disk[1].node, "--read", "0", "--for", "1s", "--write");
	assert_int_equal(o.p.status, 3);
	read_id(&o, id[0], sizeof(id[0]));
	io_free(&o);
	/* The first one's consent is not the second one's. */
	IO_RUN(&o, disk[0].node, disk[1].node, "--read", "0", "--for", "1s", "--write", "--destroy",
	       "--i-own", id[0]);
	assert_int_equal(o.p.status, 3);
	assert_non_null(strstr(o.p.err, disk[1].node));
	io_free(&o);
	look(now);
	for (int i = 0; i < 2; i++)
		assert_int_equal(now[i].write_bytes, before[i].write_bytes);
	IO_RUN(&o, disk[1].node, "--read", "0", "--for", "1s", "--write");
	read_id(&o, id[1], sizeof(id[1]));
	io_free(&o);
	look(before);
	IO_RUN(&o, disk[0].node, disk[1].node, "--read", "0", "--for", "1s", "--write", "--destroy",
	       "--i-own", id[0], "--i-own", id[1]);
	io_expect_good(&o);
	look(now);
	for (int i = 0; i < 2; i++) {
		uint64_t written = now[i].write_bytes - before[i].write_bytes;
		assert_true(written > 0);
		assert_int_equal(written, seat_bytes(o.doc, disk[i].node, "write"));
	}
	check_totals(o.doc);
	io_free(&o);
}

static void a_target_that_is_named_twice_is_refused(void **state)
{
	(void)state;
	const char *file = scratch_file("twice", 1u << 20, false);
	char other[4096];

	snprintf(other, sizeof(other), "%s/./twice", scratch_dir());
	REFUSED(WORDS("same target", "workers"), file, other, "--for", "1s");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(
			what_is_said_of_each_target_is_what_the_kernel_counted_there, free_disks),
		cmocka_unit_test_teardown(the_warm_up_is_in_no_row, free_disks),
		cmocka_unit_test_teardown(each_target_has_to_be_agreed_to_before_any_is_written,
					  free_disks),
		cmocka_unit_test(a_target_that_is_named_twice_is_refused),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
