/* right-screen.c - what the live screen says of devices and IOs that are not what they seem: the
 * same faults as in right-device.c, seen by the operator while they happen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/misfs.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)

static const struct vt_options wide = {.rows = 43, .cols = 132};
static struct loopdev disk = {.number = -1};

static int tidy_up(void **state)
{
	int rc = e2e_free_all(state);

	misfs_unmount();
	return loopdev_free(&disk) || rc;
}

/* fio #1668: its figures end at 17 s. Before the IO is back its age shows, then its latency. */
static bool shows_18_s(const struct answer *a)
{
	return a->ms >= 18000 && a->ms < 60000 && a->p99_ms >= 18000 && a->p99_ms < 60000;
}

static void an_io_of_18_s_shows_its_age_and_then_its_latency(void **state)
{
	struct vt *v = LIVE(NULL, "null:18s", "--outstanding", "1");
	(void)state;

	VT_TEXT(v, "an IO is stuck for ");
	VT_MATCH(v, VT_ANY, "oldest +!? *1[0-7]\\.[0-9]+ s in flight");
	ANSWER(v, shows_18_s);
	vt_shot(v, "right-18s");
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 1);
	VT_MATCH(v, VT_ANY,
		 "^1 IO not back in time is not in the figures; the oldest was out for ");
	e2e_free(v);
}

/* A LUN that is made smaller while the figures go on looking well. */
static void a_device_that_shrinks_is_an_event(void **state)
{
	(void)state;
	loopdev_need(&disk, 32 * MIB, 0);
	struct vt *v = LIVE(&wide, disk.node, "--rate", "2000");
	ANSWER(v, shows_reads);
	assert_int_equal(truncate(disk.backing, 16 * MIB), 0);
	assert_int_equal(loopdev_resized(&disk), 0);
	/* For good, where its size stood; the event goes by. */
	VT_MATCH(v, VT_ANY, "size +! has shrunk from 32 MiB to 16 MiB");
	/* It goes on with what is there. */
	ANSWER(v, shows_reads);
	vt_shot(v, "right-shrunk");
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 1);
	VT_MATCH(v, VT_ANY, "has shrunk from 32 MiB to 16 MiB: IOs behind its end fail");
	e2e_free(v);
}

static void set_block(struct vt *v, const char *value)
{
	double limit = proc_now() + proc_patience();
	while (strcmp(e2e_focus(v), "Block") != 0 && proc_now() < limit) {
		vt_key(v, "right");
		vt_settle(v, 0.1);
	}
	assert_string_equal(e2e_focus(v), "Block");
	vt_key(v, "enter");
	VT_TEXT(v, "Enter sets it");
	vt_type(v, value);
	vt_key(v, "enter");
}

/* Live as at the start: a block that the range does not hold is refused with the reason, nothing
 * changes. */
static void a_block_larger_than_the_range_is_refused_and_changes_nothing(void **state)
{
	const char *file = scratch_file("small", MIB, false);
	struct vt *v = LIVE(&wide, file, "--rate", "2000", "--range", "0:32k");
	(void)state;
	ANSWER(v, shows_reads);
	set_block(v, "64k");
	VT_TEXT(v, "a range of 32 KiB");
	VT_TEXT(v, "larger range");
	vt_shot(v, "right-block");
	vt_key(v, "esc");
	VT_GONE(v, "Enter sets it");
	KNOB(v, "Block", "4K");
	ANSWER(v, shows_reads);
	assert_int_equal(e2e_event_letter(v, "block"), 0);
	e2e_quit(v);
}

/* A disk of 4096-byte sectors: the knob ends at 4 KiB, and a smaller value is refused with the
 * reason. */
static void the_block_knob_stays_at_a_4kn_disk_s_sectors(void **state)
{
	(void)state;
	loopdev_need(&disk, 16 * MIB, 4096);
	struct vt *v = LIVE(&wide, disk.node, "--rate", "2000");
	ANSWER(v, shows_reads);
	KNOB(v, "Block", "4K");
	vt_type(v, "B");
	KNOB(v, "Block", "8K");
	vt_type(v, "bbbb");
	KNOB(v, "Block", "4K");
	vt_settle(v, 0.5);
	KNOB(v, "Block", "4K");
	set_block(v, "512");
	VT_TEXT(v, "block size 512");
	VT_TEXT(v, "4096-byte blocks");
	vt_key(v, "esc");
	VT_GONE(v, "Enter sets it");
	KNOB(v, "Block", "4K");
	ANSWER(v, shows_reads);
	e2e_quit(v);
}

/* sqliteai/warp #22: O_DIRECT is taken at open, and then nothing works. Before there is a
 * screen. */
static void o_direct_that_is_refused_at_transfer_is_one_line(void **state)
{
	const char *missing = misfs_missing();
	(void)state;
	if (missing || misfs_mount(&(struct misfs_order){.size = MIB, .block = MISFS_REFUSE})) {
		print_message("%s\n", missing ? missing : "FUSE can't be mounted here");
		skip();
	}
	struct vt *v = e2e_keep(VT_START(NULL, lunscope_path(), misfs_file()));
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	VT_TEXT(v, "takes O_DIRECT when the");
	e2e_expect_one_line(v);
	e2e_free(v);
}

#define SCREEN_TEST(f) cmocka_unit_test_teardown(f, tidy_up)

int main(void)
{
	const struct CMUnitTest tests[] = {
		SCREEN_TEST(an_io_of_18_s_shows_its_age_and_then_its_latency),
		SCREEN_TEST(a_device_that_shrinks_is_an_event),
		SCREEN_TEST(a_block_larger_than_the_range_is_refused_and_changes_nothing),
		SCREEN_TEST(the_block_knob_stays_at_a_4kn_disk_s_sectors),
		SCREEN_TEST(o_direct_that_is_refused_at_transfer_is_one_line),
	};
	return cmocka_run_group_tests(tests, private_mounts, NULL);
}
