/* unit-icf-fuzz.c - set-up files that went wrong: whatever is done to the samples, they are read or refused with
 * a line, and what was read can be written and read again.
 *
 * The mutations follow from their number, so that one that fails can be had again (argument: its number).
 */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "iometer/icf.h"

#define MUTATIONS 20000
#define SAMPLES   4
#define ROOM      32768

static char sample[SAMPLES][ROOM];
static size_t length[SAMPLES];
static unsigned only;

static uint64_t state_of;

/* xorshift64*: small, and the same everywhere. */
static uint64_t next(void)
{
	state_of ^= state_of >> 12;
	state_of ^= state_of << 25;
	state_of ^= state_of >> 27;
	return state_of * 0x2545f4914f6cdd1dull;
}

static size_t below(size_t n)
{
	return n ? (size_t)(next() % n) : 0;
}

static int load(void **state)
{
	static const char *const name[SAMPLES] = {"oltp-1998.icf", "workers-1998.icf",
						  "md3000i-2006.icf", "all-1.1.0.icf"};
	const char *top = getenv("TEST_SRCDIR");

	(void)state;
	for (unsigned i = 0; i < SAMPLES; i++) {
		char path[4096];
		snprintf(path, sizeof(path), "%s/tests/data/iometer/%s", top ? top : "..", name[i]);
		FILE *f = fopen(path, "re");
		if (!f)
			return -1;
		length[i] = fread(sample[i], 1, ROOM / 4, f);
		fclose(f);
	}
	return 0;
}

/* Where a line begins, at or before at. */
static size_t line_start(const char *text, size_t at)
{
	while (at && text[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const char *text, size_t n, size_t at)
{
	while (at < n && text[at] != '\n')
		at++;
	return at < n ? at + 1 : n;
}

static size_t insert(char *text, size_t n, size_t at, const char *what, size_t m)
{
	if (n + m > ROOM)
		return n;
	memmove(text + at + m, text + at, n - at);
	memcpy(text + at, what, m);
	return n + m;
}

static size_t remove_part(char *text, size_t n, size_t at, size_t m)
{
	if (m > n - at)
		m = n - at;
	memmove(text + at, text + at + m, n - at - m);
	return n - m;
}

/* One thing that goes wrong with a file. */
static size_t mutate(char *text, size_t n)
{
	static const char *const token[] = {"'",
					    "\n",
					    "\t",
					    ",",
					    "-1",
					    "0",
					    "101",
					    "4294967296",
					    "99999999999999999999",
					    "\r",
					    "'End",
					    "'Worker\n",
					    "'Target\n",
					    "'MANAGER LIST\n",
					    "'END manager list\n",
					    "Version",
					    "'Bar chart 9 statistic\n",
					    "\xff\xfe",
					    "\xc3",
					    "Idle",
					    "%s%n",
					    " ",
					    "\x1b[2J",
					    "'Access specification name,default assignment\n"};
	size_t at = below(n + 1), from, to;
	char line[ROOM];

	switch (below(8)) {
	case 0: /* a bit */
		if (at < n)
			text[at] ^= (char)(1 << below(8));
		return n;
	case 1: /* a byte */
		if (at < n)
			text[at] = (char)next();
		return n;
	case 2: /* cut off */ return at;
	case 3: /* bytes gone */ return remove_part(text, n, at, 1 + below(40));
	case 4: /* something put in */
		from = below(sizeof(token) / sizeof(token[0]));
		return insert(text, n, at, token[from], strlen(token[from]));
	case 5: /* a line gone */
		from = line_start(text, at);
		return remove_part(text, n, from, line_end(text, n, from) - from);
	case 6: /* lines twice, or elsewhere */
		from = line_start(text, at);
		to = line_end(text, n, from);
		for (size_t more = below(6); more; more--)
			to = line_end(text, n, to);
		memcpy(line, text + from, to - from);
		return insert(text, n, line_start(text, below(n + 1)), line, to - from);
	default: /* a digit */
		while (at < n && !isdigit((unsigned char)text[at]))
			at++;
		if (at < n)
			text[at] = (char)('0' + below(10));
		return n;
	}
}

static void refused_with_a_line(const struct error *e, unsigned number)
{
	char *end;

	if (strncmp(e->text, "f.icf:", 6) != 0 || strtoul(e->text + 6, &end, 10) == 0 ||
	    strncmp(end, ": ", 2) != 0 || strlen(end) < 10)
		fail_msg("mutation %u: no line in: %s", number, e->text);
}

/* What was read is a set-up within its bounds, so it can be written, and read as what was written. */
static void written_and_read_again(const struct iometer_setup *s, unsigned number)
{
	struct iometer_setup again;
	struct error e = {""};
	char *text[2] = {NULL, NULL};
	size_t n[2];

	for (unsigned i = 0; i < 2; i++) {
		FILE *out = open_memstream(&text[i], &n[i]);
		assert_non_null(out);
		assert_int_equal(iometer_write(i ? &again : s, out, &e), 0);
		fclose(out);
		if (i == 0 && iometer_read_text(&again, "f.icf", text[0], n[0], NULL, &e))
			fail_msg("mutation %u: written and not read: %s", number, e.text);
	}
	iometer_setup_free(&again);
	if (n[0] != n[1] || memcmp(text[0], text[1], n[0]) != 0)
		fail_msg("mutation %u: not the same when written twice", number);
	free(text[0]);
	free(text[1]);
}

static void check_lines(const struct iometer_setup *s)
{
	for (size_t i = 0; i < s->specs; i++) {
		unsigned sum = 0;
		for (uint32_t k = 0; k < s->spec[i].count; k++) {
			const struct access_line *l = &s->spec[i].line[k].line;
			assert_in_range(l->size, 1, IOMETER_SIZE_MAX);
			assert_true(l->read_pct <= 100 && l->random_pct <= 100 && l->share >= 1);
			sum += l->share;
		}
		assert_true(sum == 100 || (sum == 0 && strcmp(s->spec[i].name, "Idle") == 0));
	}
}

static bool one(unsigned number)
{
	static char text[ROOM];
	struct iometer_warnings w = {0};
	struct iometer_setup s;
	struct error e = {""};

	state_of = 0x9e3779b97f4a7c15ull * (number + 1);
	unsigned which = (unsigned)below(SAMPLES);
	size_t n = length[which];
	memcpy(text, sample[which], n);
	for (size_t more = 1 + below(6); more; more--)
		n = mutate(text, n);
	/* In memory of its own, so that a byte read beyond the end is seen. */
	char *exact = malloc(n ? n : 1);
	assert_non_null(exact);
	memcpy(exact, text, n);
	int rc = iometer_read_text(&s, "f.icf", exact, n, &w, &e);
	free(exact);
	if (rc) {
		refused_with_a_line(&e, number);
	} else {
		check_lines(&s);
		written_and_read_again(&s, number);
	}
	iometer_setup_free(&s);
	iometer_warnings_free(&w);
	return rc == 0;
}

static void whatever_happened_to_a_file_it_is_read_or_refused_with_a_line(void **state)
{
	unsigned read = 0;

	(void)state;
	for (unsigned i = 0; i < MUTATIONS; i++)
		read += one(only ? only : i);
	/* A fuzzer all of whose files are refused at once, or none, tests nothing. */
	if (!only)
		assert_in_range(read, MUTATIONS / 20, MUTATIONS - MUTATIONS / 20);
	print_message("%u of %u were read\n", read, MUTATIONS);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whatever_happened_to_a_file_it_is_read_or_refused_with_a_line),
	};

	if (argc > 1)
		only = (unsigned)strtoul(argv[1], NULL, 10);
	return cmocka_run_group_tests(tests, load, NULL);
}
