/* unit-completion.c - the words that the shells offer behind an option are those that it takes: each of them is
 * parsed as the command line is, and each value that the program itself would print is one of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "completions/complete.h"
#include "knob.h"
#include "setting.h"
#include "tests/proc.h"
#include "tests/scratch.h"

/* --- Every word that is offered is taken. --- */

/* What is typed on behind a word that is only the beginning of a value. */
static const char *finished(const char *option, const char *word)
{
	static char text[512];
	static const struct {
		const char *option, *word, *rest;
	} beginnings[] = {
		{"data", "hex:", "c0de"},    {"goal", NULL, "5ms"},
		{"paths", "pinned:", "2"},   {"spread", "zipf:", "1.1"},
		{"spread", "hot:", "80/20"}, {"spread", "pareto:", "0.2"},
	};
	const char *rest = "";
	size_t found = 0;

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (strcmp(option, beginnings[i].option) == 0 &&
		    (!beginnings[i].word || strcmp(word, beginnings[i].word) == 0)) {
			rest = beginnings[i].rest;
			found++;
		}
	if (strcmp(word, "@") == 0) {
		rest = scratch_path("lines");
		FILE *f = fopen(rest, "we");
		assert_non_null(f);
		fputs("4k 100% read 100\n", f);
		assert_int_equal(fclose(f), 0);
		found++;
	}
	/* A new beginning needs a row here; a whole word needs none. */
	assert_int_equal(found, strchr(":<@", word[strlen(word) - 1]) ? 1 : 0);
	snprintf(text, sizeof text, "%s%s", word, rest);
	return text;
}

/* Taken only when the program starts: there it is named where it is wrong. */
static bool is_taken_late(const char *option)
{
	return !strcmp(option, "color") || !strcmp(option, "glyphs") || !strcmp(option, "backend");
}

/* Whether it is named as wrong by a program without a terminal, which has more to complain of. */
static bool program_blames(const char *option, const char *value)
{
	struct proc p;
	char dashed[64];
	bool io = strcmp(option, "backend") == 0;

	snprintf(dashed, sizeof dashed, "--%s", option);
	const char *const screen[] = {lunscope_path(), "null:", dashed, value, NULL};
	/* One that this machine doesn't have is known all the same. */
	const char *const run[] = {lunscope_path(), "run",        "null:", "--for", "1ms",
				   "--no-store",    "--buffered", dashed,  value,   NULL};
	assert_int_equal(proc_run(&p, io ? run : screen, NULL), 0);
	bool blamed = strstr(p.err, io ? "does not exist" : dashed) != NULL;
	proc_free(&p);
	return blamed;
}

static void expect_taken(int i, const char *word)
{
	struct option_info info = option_at(i);
	const char *value = finished(info.name, word);
	struct options o = {.workload = workload_default()};
	struct error e = {""};

	if (options_set(&o, i, value, &e))
		fail_msg("--%s %s is offered and refused: %s", info.name, value, e.text);
	if (is_taken_late(info.name) && program_blames(info.name, value))
		fail_msg("--%s %s is offered and refused at the start", info.name, value);
}

static void every_word_that_is_offered_is_taken(void **state)
{
	unsigned options = 0, words = 0;

	(void)state;
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info info = option_at(i);
		char list[256], *rest = list;
		if (!info.name || complete_option_kind(&info) != COMPLETE_WORDS)
			continue;
		snprintf(list, sizeof list, "%s", complete_words(&info));
		options++;
		for (char *word; (word = strsep(&rest, " "));) {
			assert_true(*word);
			expect_taken(i, word);
			words++;
		}
	}
	print_message("# %u words of %u options\n", words, options);
	assert_true(options >= 17 && words >= 55);
	/* The check itself can tell. */
	assert_true(program_blames("color", "alwais"));
	assert_true(program_blames("glyphs", "braile"));
	assert_true(program_blames("backend", "libaoi"));
}

/* --- Every word that the program has is offered. --- */

static struct option_info option_called(const char *name)
{
	for (int i = 0; i < OPTIONS_ALL; i++)
		if (option_at(i).name && strcmp(option_at(i).name, name) == 0)
			return option_at(i);
	fail_msg("there is no option --%s", name);
	return option_at(0);
}

/* It is one of the words, or goes on where one of them ends. */
static bool is_offered(const struct option_info *o, const char *value)
{
	char list[256], *rest = list;

	snprintf(list, sizeof list, "%s", complete_words(o));
	for (char *word; (word = strsep(&rest, " "));) {
		size_t n = strlen(word);
		if (strcmp(word, value) == 0 ||
		    (n && strchr(":<@", word[n - 1]) && strncmp(word, value, n) == 0))
			return true;
	}
	return false;
}

/* A figure: "20 us", "0-3". */
static bool is_number(const struct option_info *o, const char *value)
{
	return strcmp(o->name, "data") != 0 && isdigit((unsigned char)value[0]);
}

static void expect_offered(const struct option_info *o, const char *value)
{
	if (!is_number(o, value) && !is_offered(o, value))
		fail_msg("--%s %s is a value, and not offered", o->name, value);
}

/* Whatever the dialog's steps come to is a word of the option, or a figure. */
static void every_value_that_a_setting_can_be_stepped_to_is_offered(void **state)
{
	const struct workload_limits limits = {.target = "null:",
					       .backend = "null",
					       .target_size = 1ull << 30,
					       .logical_block = 512,
					       .may_write = true,
					       .write_length = 1ull << 30};
	struct error e;
	char value[SETTING_LONG];
	unsigned settings = 0;

	(void)state;
	for (int s = KNOB_COUNT; s < SETTING_COUNT; s++) {
		struct option_info info = option_at(OPT_COUNT + s - KNOB_COUNT);
		if (!info.name || complete_option_kind(&info) != COMPLETE_WORDS)
			continue;
		settings++;
		for (int dir = -1; dir <= 1; dir += 2) {
			struct workload w = workload_default();
			expect_offered(&info, setting_format(value, sizeof value, &w, s));
			for (int i = 0; i < 40 && setting_step(&w, s, dir, false, &limits, &e) == 0;
			     i++)
				expect_offered(&info, setting_format(value, sizeof value, &w, s));
		}
	}
	assert_true(settings >= 8);
}

static void every_word_of_a_table_is_offered(void **state)
{
	struct option_info o = option_called("units");
	char word[16];

	(void)state;
	for (int i = RATE_MIB; i <= RATE_MB; i++) {
		snprintf(word, sizeof word, "%s", units_rate_name((enum rate_unit)i));
		word[strcspn(word, "/")] = '\0';
		assert_true(is_offered(&o, word));
	}
	o = option_called("rate");
	struct workload w = workload_default();
	char text[64];
	assert_true(is_offered(&o, knob_format(text, sizeof text, &w, KNOB_RATE)));
	o = option_called("by");
	static const enum knob by[] = {KNOB_OUTSTANDING, KNOB_RATE};
	for (size_t i = 0; i < 2; i++)
		assert_true(is_offered(
			&o, option_at(by[i] == KNOB_RATE ? OPT_RATE : OPT_OUTSTANDING).name));
	/* What the usage spells out: auto|always|never. */
	for (int i = 0; i < OPTIONS_ALL; i++) {
		struct option_info info = option_at(i);
		char list[128], *rest = list;
		if (!info.name || !strchr(info.argument, '|'))
			continue;
		snprintf(list, sizeof list, "%s", info.argument);
		for (char *next; (next = strsep(&rest, "|"));)
			/* AUTO|BYTES and the like are no words. */
			if (islower((unsigned char)next[0]) && !is_offered(&info, next))
				fail_msg("--%s %s is in the usage, and not offered", info.name,
					 next);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_word_that_is_offered_is_taken),
		cmocka_unit_test(every_value_that_a_setting_can_be_stepped_to_is_offered),
		cmocka_unit_test(every_word_of_a_table_is_offered),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
