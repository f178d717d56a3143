/* e2e.c - reading the live screen's cells for the end-to-end tests. */
#include <setjmp.h>
#include <stdarg.h>
#include "tests/e2e.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/proc.h"

/* --- Start and end. --- */

/* The screens that are up: a test that fails leaves by longjmp and can't end them itself. */
static struct vt *up[8];

struct vt *e2e_keep(struct vt *v)
{
	for (size_t i = 0; i < sizeof up / sizeof *up; i++)
		if (!up[i])
			return up[i] = v;
	fail_msg("too many terminals at once");
	return v;
}

void e2e_free(struct vt *v)
{
	for (size_t i = 0; i < sizeof up / sizeof *up; i++)
		if (up[i] == v)
			up[i] = NULL;
	vt_free(v);
}

int e2e_free_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof up / sizeof *up; i++)
		if (up[i])
			e2e_free(up[i]);
	return 0;
}

struct vt *e2e_start(const struct vt_options *o, const char *const argv[])
{
	struct vt *v = e2e_keep(vt_start(o, argv));
	VT_TEXT(v, "lunscope");
	return v;
}

void e2e_quit(struct vt *v)
{
	vt_type(v, "q");
	VT_TEXT(v, "Go on");
	vt_type(v, "k");
	VT_EXPECT(v, vt_wait_exit(v));
	int status = vt_status(v);
	e2e_free(v);
	assert_int_equal(status, 0);
}

bool e2e_loop(struct loopdev *l, uint64_t size)
{
	static int number;
	char name[32];
	const char *missing = loopdev_missing();

	if (!missing) {
		snprintf(name, sizeof name, "loop%d.img", number++);
		int rc = loopdev_make(l, name, size, NULL);
		if (rc == 0)
			return true;
		missing = strerror(-rc);
	}
	print_message("no loop device: %s\n", missing);
	return false;
}

uint64_t e2e_file_sum(const char *path, uint64_t from, uint64_t length)
{
	static uint64_t block[1 << 13];
	uint64_t sum = 0xcbf29ce484222325ull; /* FNV-1a, by words */
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	while (length > 0) {
		size_t n = length < sizeof block ? (size_t)length : sizeof block;
		assert_int_equal(pread(fd, block, n, (off_t)from), n);
		for (size_t i = 0; i < n / sizeof *block; i++)
			sum = (sum ^ block[i]) * 0x100000001b3ull;
		from += n;
		length -= n;
	}
	close(fd);
	return sum;
}

/* --- The knob bar. --- */

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " ");
}

bool e2e_knob(struct vt *v, const char *name, char value[16], bool *focused)
{
	const char *at = strstr(vt_row(v, ROW_KNOBS), name);

	if (!at)
		return false;
	at = skip_blanks(at + strlen(name));
	if (*at != '[' && *at != '<')
		return false;
	*focused = *at == '<';
	at = skip_blanks(at + 1);
	size_t n = strcspn(at, *focused ? ">" : "]");
	if (!at[n] || n >= 16)
		return false;
	memcpy(value, at, n);
	value[n] = '\0';
	return true;
}

struct knob_wish {
	const char *name, *value;
};

static bool knob_shows(struct vt *v, void *arg)
{
	const struct knob_wish *w = arg;
	char value[16];
	bool focused;

	return e2e_knob(v, w->name, value, &focused) && !strcmp(value, w->value);
}

void e2e_expect_knob(struct vt *v, const char *name, const char *value, const char *file, int line)
{
	struct knob_wish w = {name, value};
	char what[64];

	snprintf(what, sizeof what, "the knob bar shows %s %s", name, value);
	vt_expect(v, vt_wait(v, knob_shows, &w), what, file, line);
}

const char *e2e_focus(struct vt *v)
{
	static const char *const names[] = {"Workers", "Outst", "Block", "Read", "Rand", "Rate"};
	char value[16];
	bool focused;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (e2e_knob(v, names[i], value, &focused) && focused)
			return names[i];
	return "";
}

static bool focus_is(struct vt *v, void *arg)
{
	return !strcmp(e2e_focus(v), arg);
}

void e2e_expect_focus(struct vt *v, const char *name, const char *file, int line)
{
	char what[64];

	snprintf(what, sizeof what, "the focused knob is '%s'", name);
	vt_expect(v, vt_wait(v, focus_is, (void *)name), what, file, line);
}

/* --- The answer. --- */

/* "142.9k" -> 142900; NaN for "-" and what is no number. */
static double number(const char *word)
{
	static const char prefix[] = "kMGT";
	char *end;
	double n = strtod(word, &end);

	if (end == word)
		return NAN;
	for (int i = 0; *end && i < 4; i++)
		if (*end == prefix[i])
			return n * pow(1000, i + 1);
	return *end && *end != '%' ? NAN : n;
}

/* Between the groups there is a line, in ASCII or in UTF-8. */
static void blank_lines_between(char *line)
{
	for (char *p; (p = strstr(line, "\u2502"));)
		memset(p, ' ', strlen("\u2502"));
	for (char *p; (p = strchr(line, '|'));)
		*p = ' ';
}

/* The row is pairs of a name and a figure; R and W belong to the group whose name came last. */
struct answer e2e_answer(struct vt *v)
{
	struct answer a = {{NAN, NAN, NAN}, {NAN, NAN, NAN}, NAN, NAN, NAN, ""};
	char line[1024], *rest, *name, *word;
	double *group = NULL, other[SUMS], scale = 1;

	snprintf(line, sizeof line, "%s", vt_row(v, ROW_ANSWER));
	blank_lines_between(line);
	name = strtok_r(line, " ", &rest);
	for (; name && (word = strtok_r(NULL, " ", &rest)); name = strtok_r(NULL, " ", &rest)) {
		if (!strcmp(name, "IOPS")) {
			group = a.iops;
			group[BOTH] = number(word);
		} else if (!strcmp(name, "MiB/s") || !strcmp(name, "MB/s")) {
			snprintf(a.unit, sizeof a.unit, "%s", name);
			group = a.rate;
			group[BOTH] = number(word);
		} else if (!strcmp(name, "R") && group) {
			group[READS] = number(word);
		} else if (!strcmp(name, "W") && group) {
			group[WRITES] = number(word);
		} else if (!strcmp(name, "p99")) {
			a.p99_ms = number(word) * scale;
		} else if (!strcmp(name, "CPU")) {
			a.cpu = number(word);
		} else {
			scale = !strcmp(name, "ms") ? 1 : !strcmp(name, "s") ? 1e3 : 1e-3;
			a.ms = number(word) * scale;
			group = other;
		}
	}
	return a;
}

static bool answer_holds(struct vt *v, void *arg)
{
	bool (*const *holds)(const struct answer *) = arg;
	struct answer a = e2e_answer(v);

	return (*holds)(&a);
}

bool e2e_wait_answer(struct vt *v, bool (*holds)(const struct answer *a))
{
	return vt_wait(v, answer_holds, &holds);
}

bool shows_reads(const struct answer *a)
{
	return a->iops[BOTH] > 0 && a->iops[READS] == a->iops[BOTH] && a->iops[WRITES] == 0;
}

bool shows_writes(const struct answer *a)
{
	return a->iops[WRITES] > 0;
}

bool shows_nothing(const struct answer *a)
{
	return a->iops[BOTH] == 0;
}

/* --- Panes. --- */

/* Where the event with that text stands, the newest one; the column is its time's. */
static bool find_event(struct vt *v, const char *text, int *row, int *col)
{
	int title, first;

	if (!vt_find(v, "Events", &title, &first))
		return false;
	for (int r = vt_rows(v) - 1; r > title; r--) {
		for (int c = first > 4 ? first - 4 : 0; c <= first; c++) {
			char part[128] = "";
			size_t n = 0;
			for (int i = 0; i < 90 && c + i < vt_cols(v); i++) {
				uint32_t ch = vt_cell(v, r, c + i).ch;
				part[n++] = ch < 0x80 ? (char)ch : '?';
			}
			part[n] = '\0';
			/* "12:03:58 a TEXT" */
			if (n > 11 && part[2] == ':' && part[5] == ':' && part[8] == ' ' &&
			    !strncmp(part + 11, text, strlen(text))) {
				*row = r;
				*col = c;
				return true;
			}
		}
	}
	return false;
}

static bool event_there(struct vt *v, void *arg)
{
	int row, col;

	return find_event(v, arg, &row, &col);
}

bool e2e_wait_event(struct vt *v, const char *text)
{
	if (!vt_wait(v, event_there, (void *)text))
		return false;
	/* A knob change within a second of this one would take its place. */
	vt_pump(v, 1.1);
	return true;
}

char e2e_event_letter(struct vt *v, const char *text)
{
	int row, col;

	return find_event(v, text, &row, &col) ? (char)vt_cell(v, row, col + 9).ch : '\0';
}

int e2e_count(struct vt *v, const uint32_t *set)
{
	int n = 0;

	for (int r = 0; r < vt_rows(v); r++)
		for (int c = 0; c < vt_cols(v); c++)
			for (const uint32_t *s = set; *s; s++)
				n += vt_cell(v, r, c).ch == *s;
	return n;
}

/* A colour is set by "\e[...m" with 30-49 or 90-107 among its numbers (ECMA-48 8.3.117); 39 and 49
 * are the default ones. */
static bool sets_colour(const char *sgr)
{
	for (char *end; *sgr != 'm'; sgr = *end == ';' ? end + 1 : end) {
		long n = strtol(sgr, &end, 10);
		if ((n >= 30 && n <= 49 && n != 39 && n != 49) || (n >= 90 && n <= 107))
			return true;
		if (end == sgr && *end != ';' && *end != 'm')
			return false;
	}
	return false;
}

bool e2e_colourless(struct vt *v)
{
	size_t n;

	for (const char *s = vt_raw(v, &n); (s = strstr(s, "\033[")) != NULL; s += 2) {
		size_t digits = strspn(s + 2, "0123456789;");
		if (s[2 + digits] == 'm' && sets_colour(s + 2))
			return false;
	}
	return vt_colours(v) == 0;
}

void e2e_expect_one_line(struct vt *v)
{
	size_t n;
	const char *raw = vt_raw(v, &n), *end = strchr(raw, '\n');

	VT_EXPECT(v, !strchr(raw, '\033'));
	VT_EXPECT(v, end && !end[1]);
}
