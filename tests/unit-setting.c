/* unit-setting.c - every setting of a workload: what it shows can be typed again, what is typed wrongly
 * changes nothing, and stepping stays on the target.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>
#include "setting.h"
#include "units.h"

static const struct workload_limits disk = {.target = "sdx",
					    .target_size = 100 * GIB + 512,
					    .logical_block = 512,
					    .backend = "libaio",
					    .may_write = true,
					    .write_length = 100 * GIB + 512};

static void assert_value(const struct workload *w, enum setting s, const char *want)
{
	char text[32];

	assert_string_equal(setting_format(text, sizeof(text), w, s), want);
}

/* Types the text; the setting must then show `want`. */
static void assert_typed(enum setting s, const char *text, const char *want)
{
	struct workload w = workload_default();
	struct error e = {""};

	if (setting_parse(&w, s, text, &e))
		fail_msg("'%s' was refused: %s", text, e.text);
	assert_value(&w, s, want);
}

static void what_is_typed_is_shown(void **state)
{
	(void)state;
	assert_typed((enum setting)KNOB_OUTSTANDING, "48", "48");
	assert_typed((enum setting)KNOB_RATE, "50k/s", "50k");
	assert_typed(SETTING_ALIGN, "64k", "64 KiB");
	assert_typed(SETTING_ALIGN, " block ", "block");
	assert_typed(SETTING_ALIGN, "0", "block");
	assert_typed(SETTING_START, "0", "0 B");
	assert_typed(SETTING_START, "1.5G", "1536 MiB");
	assert_typed(SETTING_LENGTH, "10 GiB", "10 GiB");
	assert_typed(SETTING_LENGTH, "end", "end");
	assert_typed(SETTING_LENGTH, "ALL", "end");
	assert_typed(SETTING_SHARE, "shared", "shared");
	assert_typed(SETTING_SHARE, "split", "split");
	assert_typed(SETTING_ARRIVAL, "Poisson", "poisson");
	assert_typed(SETTING_ARRIVAL, " constant ", "constant");
	assert_typed(SETTING_BURST, "16", "16");
	assert_typed(SETTING_BURST, "1", "1");
	assert_typed(SETTING_THINK, "500us", "500 us");
	assert_typed(SETTING_THINK, "1.5 ms", "1500 us");
	assert_typed(SETTING_THINK, "2", "2 s");
	assert_typed(SETTING_THINK, "1234567ns", "1234567 ns");
	assert_typed(SETTING_THINK, "none", "none");
	assert_typed(SETTING_THINK, "0", "none");
	assert_typed(SETTING_DATA, "Random", "random");
	assert_typed(SETTING_DATA, " zero ", "zero");
	assert_typed(SETTING_DATA, "AA55", "aa55");
	assert_typed(SETTING_DATA, "hex:deadbeef", "hex:DEADBEEF");
	assert_typed(SETTING_DATA, "HEX:0123456789abcdef ", "hex:0123456789ABCDEF");
	assert_typed(SETTING_DATA, "hex:000000000000000a", "hex:000000000000000A");
	assert_typed(SETTING_COMPRESS, "50", "50%");
	assert_typed(SETTING_COMPRESS, "33 %", "33%");
	assert_typed(SETTING_DEDUPE, "100%", "100%");
}

static void the_same_data_have_one_name(void **state)
{
	(void)state;
	assert_typed(SETTING_DATA, "hex:00", "zero");
	assert_typed(SETTING_DATA, "hex:0000000000000000", "zero");
	assert_typed(SETTING_DATA, "hex:ffff", "ones");
	assert_typed(SETTING_DATA, "hex:55aa55aa", "55aa");
	assert_typed(SETTING_DATA, "hex:A5A5A5A5", "a5");
	assert_typed(SETTING_DATA, "hex:DEADDEADDEADDEAD", "hex:DEAD");
	assert_typed(SETTING_DATA, "hex:00ff00fe", "hex:00FF00FE");
}

static void what_is_shown_can_be_typed_again_to_the_byte(void **state)
{
	static const uint64_t size[] = {0,           512, 4096,      1000448,        1049088,
					3 * MIB / 2, GIB, GIB + 512, 7 * GIB * 1024, 2000398934016};

	(void)state;
	for (size_t i = 0; i < sizeof(size) / sizeof(size[0]); i++)
		for (int s = 0; s < SETTING_COUNT; s++) {
			struct workload w = workload_default(), back = w;
			struct error e = {""};
			char text[32], again[32];

			w.range_start = w.range_length = size[i];
			w.align = size[i] <= ALIGN_MAX ? (uint32_t)size[i] : 0;
			w.block_size = size[i] && size[i] <= BLOCK_MAX ? (uint32_t)size[i] : 1;
			w.share_range = w.poisson = i % 2;
			w.burst = (uint32_t)i * 7;
			w.data.compress = (uint32_t)i * 11;
			w.data.dedupe = (uint32_t)i * 7;
			if (i % 3 == 1)
				w.data = (struct data){DATA_WORD, size[i], 8, 0, 0};
			w.think_ns = i ? 3600 * NS_PER_SEC / (i * i * i * 1000) : 0;
			setting_format(text, sizeof(text), &w, (enum setting)s);
			assert_int_equal(setting_parse(&back, (enum setting)s, text, &e), 0);
			setting_format(again, sizeof(again), &back, (enum setting)s);
			assert_string_equal(again, text);
			if (s == KNOB_BLOCK)
				assert_int_equal(back.block_size, w.block_size);
			if (s == SETTING_ALIGN)
				assert_int_equal(back.align, w.align);
			if (s == SETTING_START)
				assert_true(back.range_start == w.range_start);
			if (s == SETTING_LENGTH)
				assert_true(back.range_length == w.range_length);
			if (s == SETTING_DATA)
				assert_true(back.data.kind == w.data.kind);
			if (s == SETTING_COMPRESS)
				assert_int_equal(back.data.compress, w.data.compress);
			if (s == SETTING_DEDUPE)
				assert_int_equal(back.data.dedupe, w.data.dedupe);
			if (s == SETTING_THINK)
				assert_true(back.think_ns == w.think_ns);
			if (s == SETTING_BURST)
				assert_int_equal(back.burst, w.burst);
		}
}

static void nonsense_is_refused_and_changes_nothing(void **state)
{
	static const struct {
		enum setting s;
		const char *text, *culprit;
	} bad[] = {
		{SETTING_ALIGN, "2G", "2G"},
		{SETTING_ALIGN, "blocks", "blocks"},
		{SETTING_ALIGN, "", "''"},
		{SETTING_START, "-1", "-1"},
		{SETTING_START, "end", "end"},
		{SETTING_LENGTH, "0", "end"},
		{SETTING_LENGTH, "the end", "the end"},
		{SETTING_LENGTH, "10x", "'x' is no unit"},
		{SETTING_SHARE, "yes", "yes"},
		{SETTING_ARRIVAL, "normal", "normal"},
		{SETTING_ARRIVAL, "", "''"},
		{SETTING_BURST, "0", "burst"},
		{SETTING_BURST, "1000001", "1000000"},
		{SETTING_THINK, "2h", "2h"},
		{SETTING_THINK, "soon", "soon"},
		{SETTING_THINK, "3 weeks", "weeks"},
		{SETTING_DATA, "", "''"},
		{SETTING_DATA, "zeroes", "zeroes"},
		{SETTING_DATA, "hex:", "hex:"},
		{SETTING_DATA, "hex:abc", "hex:abc"},
		{SETTING_DATA, "hex:abcdef", "hex:abcdef"},
		{SETTING_DATA, "hex:0123456789abcdef00", "hex:0123456789abcdef00"},
		{SETTING_DATA, "hex:de ad", "hex:de ad"},
		{SETTING_DATA, "deadbeef", "deadbeef"},
		{SETTING_COMPRESS, "101", "101"},
		{SETTING_COMPRESS, "half", "half"},
		{SETTING_DEDUPE, "-5", "-5"},
		{SETTING_SHARE, "shared split", "shared split"},
		{(enum setting)KNOB_READ, "101", "101"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct workload w = workload_default();
		struct error e = {""};
		w.align = 8192;
		w.range_start = MIB;
		w.range_length = GIB;
		struct workload before = w;

		if (setting_parse(&w, bad[i].s, bad[i].text, &e) != -EINVAL)
			fail_msg("%s took '%s'", setting_info(bad[i].s).name, bad[i].text);
		if (!strstr(e.text, bad[i].culprit))
			fail_msg("'%s' is not named in '%s'", bad[i].culprit, e.text);
		assert_memory_equal(&w, &before, sizeof(w));
	}
}

/* Steps until there is no more; returns how often, and fails when a step goes the wrong way. */
static int step_to_the_end(struct workload *w, enum setting s, int dir)
{
	struct error e = {""};
	int n = 0, rc;

	while ((rc = setting_step(w, s, dir, false, &disk, &e)) == 0) {
		struct error why = {""};

		if (++n > 200)
			fail_msg("%s has no end", setting_info(s).name);
		if (workload_validate(w, &disk, &why) && s != SETTING_LENGTH)
			fail_msg("%s", why.text);
	}
	assert_int_equal(rc, -ERANGE);
	assert_non_null(strstr(e.text, setting_info(s).name));
	assert_non_null(strstr(e.text, dir > 0 ? "most" : "least"));
	return n;
}

static void alignment_doubles_from_the_block_of_the_target(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	assert_int_equal(setting_step(&w, SETTING_ALIGN, 1, false, &disk, &e), 0);
	assert_int_equal(w.align, 512);
	assert_int_equal(setting_step(&w, SETTING_ALIGN, 1, true, &disk, &e), 0);
	assert_int_equal(w.align, 2048);
	assert_int_equal(step_to_the_end(&w, SETTING_ALIGN, 1), 19);
	assert_int_equal(w.align, ALIGN_MAX);
	assert_int_equal(step_to_the_end(&w, SETTING_ALIGN, -1), 22);
	assert_int_equal(w.align, 0);
}

static void a_range_moves_by_its_own_length_and_stays_on_the_target(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	w.range_length = 30 * GIB;
	assert_int_equal(setting_step(&w, SETTING_START, 1, false, &disk, &e), 0);
	assert_true(w.range_start == 30 * GIB);
	assert_int_equal(step_to_the_end(&w, SETTING_START, 1), 2);
	assert_true(w.range_start == 70 * GIB + 512); /* to the last block */
	assert_int_equal(setting_step(&w, SETTING_START, -1, false, &disk, &e), 0);
	assert_true(w.range_start == 40 * GIB + 512);
	assert_int_equal(step_to_the_end(&w, SETTING_START, -1), 2);
	assert_true(w.range_start == 0);
	assert_int_equal(setting_step(&w, SETTING_START, 1, true, &disk, &e), 0);
	assert_true(w.range_start == 70 * GIB + 512);
}

static void a_range_to_the_end_moves_by_a_power_of_two(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	assert_int_equal(setting_step(&w, SETTING_START, 1, false, &disk, &e), 0);
	assert_true(w.range_start == 4 * GIB);
	step_to_the_end(&w, SETTING_START, 1);
	assert_true(w.range_start == 96 * GIB + 512);
	w.range_start = 99 * GIB; /* typed: a step up leads nowhere, but not down */
	assert_int_equal(setting_step(&w, SETTING_START, 1, false, &disk, &e), -ERANGE);
	assert_true(w.range_start == 99 * GIB);
}

static void a_length_doubles_and_ends_in_end(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	w.range_start = 50 * GIB;
	assert_int_equal(setting_step(&w, SETTING_LENGTH, 1, false, &disk, &e), -ERANGE);
	assert_int_equal(setting_step(&w, SETTING_LENGTH, -1, false, &disk, &e), 0);
	assert_true(w.range_length == 32 * GIB);
	assert_int_equal(setting_step(&w, SETTING_LENGTH, -1, true, &disk, &e), 0);
	assert_true(w.range_length == 8 * GIB);
	w.range_length = 5 * GIB;
	assert_int_equal(setting_step(&w, SETTING_LENGTH, 1, false, &disk, &e), 0);
	assert_true(w.range_length == 8 * GIB);
	assert_int_equal(step_to_the_end(&w, SETTING_LENGTH, 1), 3); /* 16, 32, end */
	assert_true(w.range_length == 0);
	step_to_the_end(&w, SETTING_LENGTH, -1);
	assert_true(w.range_length == 512);
}

static void split_and_shared_take_turns_with_any_step(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	for (int i = 0; i < 8; i++) {
		assert_int_equal(setting_step(&w, SETTING_SHARE, i & 1 ? 1 : -1, i & 2, &disk, &e),
				 0);
		assert_int_equal(w.share_range, i % 2 == 0);
	}
}

static void think_time_steps_by_1_2_5_and_a_burst_doubles(void **state)
{
	static const uint64_t us[] = {10, 20, 50, 100, 200, 500, 1000};
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	for (size_t i = 0; i < sizeof(us) / sizeof(us[0]); i++) {
		assert_int_equal(setting_step(&w, SETTING_THINK, 1, false, &disk, &e), 0);
		assert_int_equal(w.think_ns, us[i] * NS_PER_US);
	}
	w.think_ns = 30 * NS_PER_US; /* typed */
	assert_int_equal(setting_step(&w, SETTING_THINK, -1, false, &disk, &e), 0);
	assert_int_equal(w.think_ns, 20 * NS_PER_US);
	step_to_the_end(&w, SETTING_THINK, 1);
	assert_int_equal(w.think_ns, 2000 * NS_PER_SEC);
	step_to_the_end(&w, SETTING_THINK, -1);
	assert_int_equal(w.think_ns, 0);
	assert_int_equal(step_to_the_end(&w, SETTING_BURST, 1), 19);
	assert_int_equal(w.burst, 1u << 19);
	step_to_the_end(&w, SETTING_BURST, -1);
	assert_int_equal(w.burst, 0);
}

static void a_rate_and_a_think_time_exclude_each_other(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	w.think_ns = NS_PER_MS;
	w.burst = 4;
	assert_int_equal(workload_validate(&w, &disk, &e), 0);
	w.rate_iops = 100;
	assert_int_equal(workload_validate(&w, &disk, &e), -EINVAL);
	assert_string_equal(e.text, "a rate and a think time exclude each other: set rate to max, "
				    "or think to none");
	/* Access lines have their own, and the think time no say. */
	w.access.count = 1;
	w.access.line[0] = (struct access_line){
		.size = 4096, .share = 100, .read_pct = 100, .random_pct = 100, .burst = 2};
	assert_int_equal(setting_check(&w, SETTING_THINK, &disk, &e), 0);
	w.access.line[0].delay_ms = 5;
	assert_int_equal(setting_check(&w, SETTING_THINK, &disk, &e), -EINVAL);
	assert_non_null(strstr(e.text, "delay"));
	w.rate_iops = 0;
	assert_int_equal(setting_check(&w, SETTING_THINK, &disk, &e), 0);
}

static void data_go_round_through_all_names(void **state)
{
	static const char *const name[] = {"zero", "ones", "aa", "55",    "aa55",
					   "55aa", "a5",   "5a", "random"};
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	for (int i = 0; i < 9; i++) {
		assert_int_equal(setting_step(&w, SETTING_DATA, 1, i & 1, &disk, &e), 0);
		assert_value(&w, SETTING_DATA, name[i]);
	}
	for (int i = 7; i >= 0; i--) {
		assert_int_equal(setting_step(&w, SETTING_DATA, -1, false, &disk, &e), 0);
		assert_value(&w, SETTING_DATA, name[i]);
	}
	assert_int_equal(setting_step(&w, SETTING_DATA, -1, false, &disk, &e), 0);
	assert_value(&w, SETTING_DATA, "random");
	/* A word of one's own lies behind the last name. */
	for (int up = 0; up < 2; up++) {
		assert_int_equal(setting_parse(&w, SETTING_DATA, "hex:c0de", &e), 0);
		assert_int_equal(setting_step(&w, SETTING_DATA, up ? 1 : -1, false, &disk, &e), 0);
		assert_value(&w, SETTING_DATA, up ? "random" : "5a");
	}
}

static void the_dials_step_by_five_and_ten_to_their_ends(void **state)
{
	static const enum setting dial[] = {SETTING_COMPRESS, SETTING_DEDUPE};
	struct error e = {""};

	(void)state;
	for (int i = 0; i < 2; i++) {
		struct workload w = workload_default();
		assert_int_equal(setting_step(&w, dial[i], 1, false, &disk, &e), 0);
		assert_value(&w, dial[i], "5%");
		assert_int_equal(setting_step(&w, dial[i], 1, true, &disk, &e), 0);
		assert_value(&w, dial[i], "15%");
		assert_int_equal(step_to_the_end(&w, dial[i], 1), 17);
		assert_value(&w, dial[i], "100%");
		assert_int_equal(step_to_the_end(&w, dial[i], -1), 20);
		assert_value(&w, dial[i], "0%");
	}
}

static void a_word_leaves_nothing_to_the_dials(void **state)
{
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	w.data.compress = 40;
	assert_int_equal(workload_validate(&w, &disk, &e), 0);
	assert_int_equal(setting_parse(&w, SETTING_DATA, "a5", &e), 0);
	assert_int_equal(workload_validate(&w, &disk, &e), -EINVAL);
	assert_string_equal(e.text, "compress 40 % needs random data, and data is a5: set data "
				    "random, or compress 0");
	w.data.compress = 0;
	assert_int_equal(workload_validate(&w, &disk, &e), 0);
	w.data.dedupe = 10;
	assert_int_equal(workload_validate(&w, &disk, &e), -EINVAL);
	assert_non_null(strstr(e.text, "dedupe 10 %"));
	assert_int_equal(setting_parse(&w, SETTING_DATA, "random", &e), 0);
	assert_int_equal(workload_validate(&w, &disk, &e), 0);
	w.data.dedupe = 101;
	assert_int_equal(workload_validate(&w, &disk, &e), -EINVAL);
}

static void a_knob_steps_as_on_the_bar(void **state)
{
	(void)state;
	for (int k = 0; k < KNOB_COUNT; k++)
		for (int big = 0; big < 2; big++) {
			struct workload w = workload_default();
			struct error e = {""};
			char want[32];
			w.read_pct = w.random_pct = 50;
			w.rate_iops = 1000;
			struct workload on_bar = knob_step(w, (enum knob)k, 1, big, 512);

			assert_int_equal(setting_step(&w, (enum setting)k, 1, big, &disk, &e), 0);
			knob_format(want, sizeof(want), &on_bar, (enum knob)k);
			assert_value(&w, (enum setting)k, want);
		}
}

static void a_mark_names_every_setting_that_changed_exactly(void **state)
{
	struct workload a = workload_default(), b = a;
	char text[200];

	(void)state;
	b.align = 65536;
	b.range_start = 10 * GIB;
	b.range_length = GIB + 512;
	b.share_range = true;
	assert_string_equal(workload_diff(text, sizeof(text), &a, &b, true),
			    "align block > 64 KiB, range start 0 B > 10 GiB, "
			    "range length end > 1073742336 B, range split > shared");
	/* A difference of one block is one, too: it must not be taken for none. */
	a = b = workload_default();
	a.block_size = MIB;
	b.block_size = MIB + 512;
	assert_string_equal(workload_diff(text, sizeof(text), &a, &b, true), "block 1M > 1049088");
	a = b;
	a.range_start = 10 * GIB;
	b.range_start = 10 * GIB + 512;
	assert_non_null(strstr(workload_diff(text, sizeof(text), &a, &b, true), "range start"));
}

static void what_is_possible_leaves_out_the_permission_only(void **state)
{
	struct workload_limits reading = disk;
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	reading.may_write = false;
	reading.write_length = 0;
	w.read_pct = 70;
	assert_int_equal(workload_validate(&w, &reading, &e), -EPERM);
	assert_int_equal(workload_possible(&w, &reading, &e), 0);
	w.block_size = 1000;
	assert_int_equal(workload_possible(&w, &reading, &e), -EINVAL);
	assert_non_null(strstr(e.text, "1000"));
}

static void a_range_outside_of_the_write_window_is_refused_with_the_window(void **state)
{
	struct workload_limits window = disk;
	struct workload w = workload_default();
	struct error e = {""};

	(void)state;
	window.write_start = MIB;
	window.write_length = GIB;
	w.range_start = 10 * GIB;
	assert_int_equal(workload_validate(&w, &window, &e), 0); /* it only reads */
	w.read_pct = 70;
	assert_int_equal(workload_validate(&w, &window, &e), -EINVAL);
	assert_non_null(strstr(e.text, "outside of what may be written, 1 GiB from 1 MiB on"));
}

static void every_setting_has_its_words(void **state)
{
	(void)state;
	for (int s = 0; s < SETTING_COUNT; s++) {
		struct setting_info i = setting_info((enum setting)s);

		assert_true(i.mark[0] && i.name[0] && i.help[0] && i.example[0]);
		assert_true(strlen(i.name) <= 12);
		assert_true(strlen(i.help) <= 46); /* the dialog's row on 80 columns */
		for (int k = 0; k < s; k++)
			assert_string_not_equal(setting_info((enum setting)k).mark, i.mark);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_typed_is_shown),
		cmocka_unit_test(what_is_shown_can_be_typed_again_to_the_byte),
		cmocka_unit_test(nonsense_is_refused_and_changes_nothing),
		cmocka_unit_test(alignment_doubles_from_the_block_of_the_target),
		cmocka_unit_test(a_range_moves_by_its_own_length_and_stays_on_the_target),
		cmocka_unit_test(a_range_to_the_end_moves_by_a_power_of_two),
		cmocka_unit_test(a_length_doubles_and_ends_in_end),
		cmocka_unit_test(split_and_shared_take_turns_with_any_step),
		cmocka_unit_test(think_time_steps_by_1_2_5_and_a_burst_doubles),
		cmocka_unit_test(a_rate_and_a_think_time_exclude_each_other),
		cmocka_unit_test(the_same_data_have_one_name),
		cmocka_unit_test(data_go_round_through_all_names),
		cmocka_unit_test(the_dials_step_by_five_and_ten_to_their_ends),
		cmocka_unit_test(a_word_leaves_nothing_to_the_dials),
		cmocka_unit_test(a_knob_steps_as_on_the_bar),
		cmocka_unit_test(a_mark_names_every_setting_that_changed_exactly),
		cmocka_unit_test(what_is_possible_leaves_out_the_permission_only),
		cmocka_unit_test(a_range_outside_of_the_write_window_is_refused_with_the_window),
		cmocka_unit_test(every_setting_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
