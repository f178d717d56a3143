/* csv_read.c - see csv_read.h. */
#include "iometer/csv_read.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include "iometer/csv_row.h"
#include "units.h"

#define FILE_MOST  (64u << 20) /* bytes */
#define TESTS_MOST 10000u
#define ROWS_MOST  200000u
#define OFF_MOST   0.01 /* of a rate, from what the bytes say */

/* What the next line is, where the one before it says so. */
enum expected { ANY, TYPE_LINE, VERSION_LINE, TIME_LINE, SPEC_NAME, SPEC_LINES };

struct reader {
	const char *name;
	struct iometer_csv_file *file;
	struct error *e;
	unsigned line; /* its number */
	enum expected expected;

	/* The series. */
	char version[32], description[IOMETER_TEXT];
	unsigned type, number;
	bool timed; /* it has a time, and so will each test */
	size_t specs;
	struct iometer_spec *spec;

	/* The test. */
	bool open, headed;
	struct csv_head head;
	struct iometer_csv_test test;
	char spec_name[IOMETER_NAME]; /* of ALL */
	size_t rows;                  /* in all tests */
};

/* --- Words. --- */

static int bad(struct reader *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int bad(struct reader *r, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return error_set(r->e, EINVAL, "%.200s, line %u: %s", r->name, r->line, text);
}

static void note(struct reader *r, unsigned line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static void note(struct reader *r, unsigned line, const char *fmt, ...)
{
	struct iometer_csv_file *f = r->file;
	char text[160];
	va_list args;

	if (f->notes == IOMETER_CSV_NOTES)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	snprintf(f->note[f->notes], sizeof(f->note[0]), "line %u: %s", line, text);
	error_tame(f->note[f->notes++]);
}

/* Names from the file are shown on terminals. */
static void take_text(char *out, size_t n, const char *text)
{
	snprintf(out, n, "%s", text);
	error_tame(out);
}

static bool begins(const char *line, const char *with)
{
	return strncasecmp(line, with, strlen(with)) == 0;
}

/* --- Tests. --- */

static void drop_test(struct reader *r)
{
	iometer_result_free(&r->test.result);
	memset(&r->test, 0, sizeof(r->test));
	r->open = r->headed = false;
}

static int begin_test(struct reader *r)
{
	if (r->open && r->test.result.rows)
		note(r, r->test.line, "this test has no end, and is left out");
	drop_test(r);
	r->open = true;
	r->test.line = r->line;
	r->spec_name[0] = 0;
	return 0;
}

/* The access specification that ALL names; of several managers' different ones, or where there is only one, that. */
static void find_spec(struct reader *r)
{
	struct iometer_spec *to = &r->test.result.spec;

	for (size_t i = 0; i < r->specs; i++)
		if (strcmp(r->spec[i].name, r->spec_name) == 0 ||
		    (r->specs == 1 && !r->spec_name[0]))
			*to = r->spec[i];
	if (!to->name[0])
		snprintf(to->name, sizeof(to->name), "%s", r->spec_name);
}

static bool has_all(const struct iometer_result *r)
{
	return r->rows && r->row[0].kind == IOMETER_ROW_ALL;
}

static int end_test(struct reader *r, uint64_t end_ns)
{
	struct iometer_csv_file *f = r->file;
	struct iometer_result *of = &r->test.result;

	if (!r->open)
		return 0;
	if (f->tests == TESTS_MOST)
		return bad(r, "there are more than %u tests", TESTS_MOST);
	of->end_ns = end_ns;
	if (r->test.updates && csv_updates_sum(of))
		return bad(r, "out of memory");
	if (!has_all(of)) {
		note(r, r->test.line, "this test has no row ALL, and is left out");
		drop_test(r);
		return 0;
	}
	if (!r->test.updates)
		csv_rows_settle(of);
	of->start_ns = of->end_ns > of->row[0].elapsed_ns ? of->end_ns - of->row[0].elapsed_ns : 0;
	find_spec(r);
	snprintf(r->test.version, sizeof(r->test.version), "%s", r->version);
	snprintf(r->test.description, sizeof(r->test.description), "%s", r->description);
	r->test.type = r->type;
	r->test.number = ++r->number;
	struct iometer_csv_test *more = reallocarray(f->test, f->tests + 1, sizeof(*more));
	if (!more)
		return bad(r, "out of memory");
	f->test = more;
	f->test[f->tests++] = r->test;
	memset(&r->test, 0, sizeof(r->test));
	r->open = r->headed = false;
	return 0;
}

/* What ends a test that has no time behind it: only that of a version that writes none is whole. */
static int end_untimed(struct reader *r)
{
	if (r->open && r->test.result.rows && (r->test.updates || !r->timed))
		return end_test(r, 0);
	if (r->open && r->test.result.rows)
		note(r, r->test.line, "this test has no end, and is left out");
	drop_test(r);
	return 0;
}

/* --- Lines. --- */

static int take_type(struct reader *r, char *line)
{
	char *comma = strchr(line, ','), *end;
	unsigned long type = strtoul(line, &end, 10);

	if (end == line || (comma && end != comma))
		return bad(r, "'%.40s' is no number of a test type", line);
	r->type = type < IOMETER_TESTS ? (unsigned)type : IOMETER_NORMAL;
	take_text(r->description, sizeof(r->description), comma ? comma + 1 : "");
	return 0;
}

static int take_time(struct reader *r, const char *line)
{
	uint64_t t = csv_time(line);

	if (!t)
		return bad(r, "'%.40s' is no time, as 2009-05-17 14:03:22:118", line);
	if (r->open)
		return end_test(r, t);
	r->timed = true;
	return 0;
}

static int take_spec_name(struct reader *r, char *line)
{
	struct iometer_spec *more = reallocarray(r->spec, r->specs + 1, sizeof(*more));
	char *comma = strrchr(line, ',');

	if (!more)
		return bad(r, "out of memory");
	r->spec = more;
	if (r->specs == TESTS_MOST)
		return bad(r, "there are more than %u access specifications", TESTS_MOST);
	struct iometer_spec *s = &more[r->specs++];
	memset(s, 0, sizeof(*s));
	s->at = r->line;
	if (comma) {
		*comma = 0;
		unsigned long assign = strtoul(comma + 1, NULL, 10);
		s->assign = assign <= IOMETER_ASSIGN_NET ? (enum iometer_assign)assign
							 : IOMETER_ASSIGN_NONE;
	}
	take_text(s->name, sizeof(s->name), line);
	return 0;
}

static int take_spec_line(struct reader *r, char *line)
{
	struct error why;

	if (!r->specs)
		return bad(r, "a line of an access specification that has no name");
	return csv_spec_line_take(&r->spec[r->specs - 1], line, &why) ? bad(r, "%.200s", why.text)
								      : 0;
}

static int take_head(struct reader *r, const struct csv_fields *f)
{
	struct error why;

	if (!r->open || r->headed) {
		int rc = end_untimed(r);
		if (rc || (rc = begin_test(r)))
			return rc;
	}
	if (csv_head_take(&r->head, f, &why))
		return bad(r, "%.200s", why.text);
	r->headed = true;
	r->test.updates = r->head.time >= 0;
	return 0;
}

static int take_row(struct reader *r, const struct csv_fields *f)
{
	struct iometer_row row;
	char spec[IOMETER_NAME];
	struct error why;
	int rc = csv_row_take(&r->head, f, &row, spec, sizeof(spec), &why);

	if (rc < 0)
		return bad(r, "%.200s", why.text);
	if (f->count > CSV_FIELDS)
		return bad(r, "a row of more than %u fields", CSV_FIELDS);
	if (rc > 0) {
		unsigned at = (unsigned)r->head.at[CSV_TYPE];
		const char *kind = at < f->count ? f->field[at] : f->field[0];
		/* Iometer's own word for targets that it does not know. */
		if (strcmp(kind, "UNKNOWN") != 0)
			return bad(r, "'%.60s' is no line that results have", kind);
		note(r, r->line, "a row of '%.40s' is passed over", kind);
		return 0;
	}
	if (r->rows++ == ROWS_MOST)
		return bad(r, "there are more than %u rows", ROWS_MOST);
	if (r->test.updates) {
		unsigned at = (unsigned)r->head.time;
		row.time_ns = at < f->count ? csv_time(f->field[at]) : 0;
		row.time_ns = row.time_ns ? row.time_ns : 1;
	}
	error_tame(row.name);
	error_tame(spec);
	if (row.kind == IOMETER_ROW_ALL) {
		double off = csv_row_off(&r->head, f, &row);
		if (r->test.result.rows && !r->test.updates)
			return bad(r, "a second row ALL in the same test");
		if (fabs(off) > OFF_MOST)
			note(r, r->line,
			     "bytes over time are %+.1f %% off the MBps of this row: "
			     "the bytes are used",
			     100 * off);
		snprintf(r->spec_name, sizeof(r->spec_name), "%s", spec);
	}
	struct iometer_row *to = iometer_add_row(&r->test.result);
	if (!to)
		return bad(r, "out of memory");
	*to = row;
	return 0;
}

/* A line that begins with '. 1: it is none of those. */
static int take_key(struct reader *r, const char *line)
{
	static const struct {
		const char *key;
		enum expected expected;
	} keys[] = {
		{"'Test Type", TYPE_LINE},
		{"'Version", VERSION_LINE},
		{"'Time Stamp", TIME_LINE},
		{"'Access specification name", SPEC_NAME},
		{"'size,", SPEC_LINES},
		{"'Access specifications", ANY},
		{"'End access specifications", ANY},
		{"'End Test", ANY},
		{"'Results", ANY},
	};
	size_t k = 0;

	while (k < sizeof(keys) / sizeof(keys[0]) && !begins(line, keys[k].key))
		k++;
	if (k == sizeof(keys) / sizeof(keys[0]))
		return 1;
	r->expected = keys[k].expected;
	if (r->expected == TYPE_LINE) {
		int rc = end_untimed(r);
		r->specs = 0;
		r->number = 0;
		r->timed = false;
		r->version[0] = r->description[0] = 0;
		return rc;
	}
	if (begins(line, "'Access specifications")) {
		r->specs = 0;
		return end_untimed(r);
	}
	if (begins(line, "'Results")) {
		int rc = end_untimed(r);
		return rc ? rc : begin_test(r);
	}
	return 0;
}

static int take_expected(struct reader *r, char *line)
{
	enum expected expected = r->expected;

	if (expected != SPEC_LINES)
		r->expected = ANY;
	switch (expected) {
	case TYPE_LINE: return take_type(r, line);
	case VERSION_LINE: take_text(r->version, sizeof(r->version), line); return 0;
	case TIME_LINE: return take_time(r, line);
	case SPEC_NAME: return take_spec_name(r, line);
	default: return take_spec_line(r, line);
	}
}

static int take_abort(struct reader *r)
{
	int rc = end_untimed(r);

	if (rc == 0 && r->file->tests)
		r->file->test[r->file->tests - 1].aborted = true;
	return rc;
}

static int take_line(struct reader *r, char *line)
{
	struct csv_fields f;

	line += strspn(line, " \t");
	size_t n = strlen(line);
	while (n && strchr(" \t\r", line[n - 1]))
		line[--n] = 0;
	if (!n)
		return 0;
	int rc = *line == '\'' ? take_key(r, line) : 1;
	if (rc <= 0)
		return rc;
	if (*line != '\'' && r->expected != ANY)
		return take_expected(r, line);
	if (begins(line, "Aborted test"))
		return take_abort(r);
	char first[64];
	snprintf(first, sizeof(first), "%s", line);
	csv_split(line, &f);
	if (csv_is_head(&f))
		return take_head(r, &f);
	if (*line == '\'') {
		note(r, r->line, "'%.60s' is not known, and is passed over", first);
		return 0;
	}
	if (!r->open || !r->headed)
		return bad(r, "'%.60s' is no line of a results.csv", first);
	return take_row(r, &f);
}

/* --- The file. --- */

static int read_lines(struct reader *r, char *text, size_t n)
{
	char *at = text, *end = text + n;
	int rc = 0;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	while (rc == 0 && at < end) {
		char *next = memchr(at, '\n', (size_t)(end - at));
		char *stop = next ? next : end;
		r->line++;
		if (memchr(at, 0, (size_t)(stop - at)))
			return bad(r, "there is a byte 0 in it: this is no text");
		*stop = 0;
		if (next || !r->open)
			rc = take_line(r, at);
		else if (*at)
			/* Whether a number goes on nobody knows. */
			note(r, r->line, "the last line has no end, and is left out");
		at = stop + 1;
	}
	return rc ? rc : end_untimed(r);
}

int iometer_csv_parse(const char *text, size_t n, const char *name, struct iometer_csv_file *f,
		      struct error *e)
{
	struct reader *r = calloc(1, sizeof(*r));
	char *copy = malloc(n + 1);
	int rc;

	memset(f, 0, sizeof(*f));
	if (!r || !copy) {
		rc = error_set(e, ENOMEM, "%s: out of memory", name);
	} else {
		memcpy(copy, text, n);
		copy[n] = 0;
		*r = (struct reader){.name = name, .file = f, .e = e};
		rc = read_lines(r, copy, n);
		if (rc == 0 && !f->tests)
			rc = error_set(e, EINVAL, "%s: there is no whole test of Iometer's in it",
				       name);
		drop_test(r);
		free(r->spec);
	}
	free(copy);
	free(r);
	if (rc)
		iometer_csv_file_free(f);
	return rc;
}

void iometer_csv_file_free(struct iometer_csv_file *f)
{
	for (size_t i = 0; i < f->tests; i++)
		iometer_result_free(&f->test[i].result);
	free(f->test);
	f->test = NULL;
	f->tests = 0;
}

static int read_all(FILE *in, const char *path, char **text, size_t *n, struct error *e)
{
	size_t room = 1 << 16;

	*n = 0;
	*text = malloc(room);
	while (*text) {
		*n += fread(*text + *n, 1, room - *n, in);
		if (ferror(in))
			return error_errno(e, errno ? errno : EIO, "%s", path);
		if (*n < room)
			return 0;
		if (room >= FILE_MOST)
			return error_set(e, EFBIG, "%s: larger than %u MiB, no results.csv is",
					 path, FILE_MOST >> 20);
		char *more = realloc(*text, room *= 2);
		if (!more)
			break;
		*text = more;
	}
	return error_set(e, ENOMEM, "%s: out of memory", path);
}

int iometer_csv_read(const char *path, struct iometer_csv_file *f, struct error *e)
{
	FILE *in = fopen(path, "re");
	struct stat st;
	char *text = NULL;
	size_t n = 0;

	memset(f, 0, sizeof(*f));
	if (!in)
		return error_errno(e, errno, "%s", path);
	int rc = fstat(fileno(in), &st) == 0 && (S_ISBLK(st.st_mode) || S_ISDIR(st.st_mode))
			 ? error_set(e, EINVAL, "%s: a %s, and no results.csv", path,
				     S_ISDIR(st.st_mode) ? "folder" : "block device")
			 : read_all(in, path, &text, &n, e);
	fclose(in);
	if (rc == 0)
		rc = iometer_csv_parse(text, n, path, f, e);
	free(text);
	return rc;
}
