/* unit-iometer-csv.c - Iometer's results.csv, written and read (src/iometer/csv_*.c, bins.c).
 *
 * The files iometer-2006.csv and iometer-rc1.csv were made by hand after Iometer's source: layout, blank fields,
 * ticks of its timer and the faults of its time are those that it wrote; the figures of the first are of the test
 * of an MD3000i from 2009.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>
#include "iometer/bins.h"
#include "iometer/csv_read.h"
#include "iometer/csv_row.h"
#include "iometer/csv_write.h"
#include "tests/hist-add.h"
#include "tests/mutate.h"
#include "tests/scratch.h"
#include "units.h"

#define WALL 1798761600123000000ull

/* --- A test as a series makes it. --- */

static void fill(struct iometer_row *row, unsigned share)
{
	static const uint64_t ios[2] = {1234567, 654321};

	row->elapsed_ns = 60012345678ull;
	row->outstanding = 16;
	row->max_sectors = 2097152;
	row->bins = true;
	for (unsigned op = 0; op < 2; op++) {
		row->op[op].ios = ios[op] / share;
		row->op[op].bytes = row->op[op].ios * 8192;
		row->op[op].lat_ns = row->op[op].ios * 123457 + op;
		row->op[op].lat_max_ns = 20000001 + op * 3333333;
		row->op[op].errors = 3 * op;
	}
	row->bin[2] = row->op[0].ios;
	row->bin[10] = row->op[1].ios;
}

static struct iometer_row *add(struct iometer_result *r, enum iometer_row_kind kind,
			       const char *name)
{
	struct iometer_row *row = iometer_add_row(r);

	assert_non_null(row);
	row->kind = kind;
	row->cpu.interrupts_s = -1;
	snprintf(row->name, sizeof(row->name), "%s", name);
	return row;
}

static void cpu(struct iometer_row *row)
{
	row->cpu = (struct iometer_cpu){true, 31.25, 4.5, 26.75, 8.125, 0.5, 1234.5};
}

static struct iometer_result make_result(const char *spec)
{
	struct iometer_result r = {.start_ns = WALL, .end_ns = WALL + 61 * NS_PER_SEC};
	struct iometer_row *row;

	snprintf(r.spec.name, sizeof(r.spec.name), "%s", spec);
	r.spec.count = 1;
	r.spec.line[0].line = (struct access_line){
		.size = 8192, .share = 100, .read_pct = 65, .random_pct = 60, .burst = 1};
	row = add(&r, IOMETER_ROW_ALL, "All");
	fill(row, 1);
	cpu(row);
	row->managers = row->workers = 1;
	row->targets = 2;
	row->start_sector = UINT64_MAX;
	row->net = (struct iometer_net){true, 5000, 0, 0.25};
	row = add(&r, IOMETER_ROW_MANAGER, "host");
	fill(row, 1);
	cpu(row);
	row->workers = 1;
	row->targets = 2;
	for (int i = 0; i < 2; i++)
		cpu(add(&r, IOMETER_ROW_PROCESSOR, i ? "CPU 1" : "CPU 0"));
	row = add(&r, IOMETER_ROW_WORKER, "Worker 1");
	fill(row, 1);
	row->targets = 2;
	fill(add(&r, IOMETER_ROW_DISK, "sdb"), 2);
	fill(add(&r, IOMETER_ROW_DISK, "a, odd\nname"), 3);
	return r;
}

static struct iometer_setup make_setup(void)
{
	struct iometer_setup s;

	iometer_setup_init(&s);
	snprintf(s.description, sizeof(s.description), "array A, RAID-10");
	s.test = IOMETER_CYCLE_OUTSTANDING;
	return s;
}

static char *read_text(const char *path)
{
	static char text[1 << 16];
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

/* Line number n (0..) that begins with this, without its end. */
static const char *line_of(const char *text, const char *begin, unsigned n, char out[2048])
{
	const char *at = text;

	while (*at) {
		size_t length = strcspn(at, "\n");
		if (strncmp(at, begin, strlen(begin)) == 0 && n-- == 0) {
			snprintf(out, 2048, "%.*s", (int)length, at);
			return out;
		}
		at += length + (at[length] == '\n');
	}
	fail_msg("no line begins with '%s'", begin);
	return NULL;
}

static struct csv_fields fields_of(char *line)
{
	struct csv_fields f;

	csv_split(line, &f);
	return f;
}

static const char *write_all(const char *name, enum iometer_layout layout, struct iometer_result *r)
{
	struct iometer_setup s = make_setup();
	struct iometer_csv c;
	struct error e;
	const char *path = scratch_path(name);

	assert_int_equal(iometer_csv_begin(&c, path, layout, &s, WALL, &e), 0);
	assert_int_equal(iometer_csv_test(&c, r, &e), 0);
	assert_int_equal(iometer_csv_test(&c, r, &e), 0);
	assert_int_equal(iometer_csv_end(&c, false, &e), 0);
	return path;
}

/* --- Writing. --- */

static void the_layouts_have_56_and_80_columns_in_iometers_order(void **state)
{
	(void)state;
	unsigned n[IOMETER_LAYOUTS] = {0};
	static const struct {
		enum csv_column column;
		unsigned at_80, at_56;
	} known[] = {{CSV_IOPS, 7, 7},     {CSV_MIB, 10, 10},   {CSV_TPS, 16, 13},
		     {CSV_ERRORS, 28, 25}, {CSV_RAW_R, 37, 34}, {CSV_START, 46, 43},
		     {CSV_CPU, 49, 46},    {CSV_TICKS, 54, 51}, {CSV_RETRANSMITS, 59, 56}};

	for (unsigned c = 0; c < CSV_COLUMNS; c++) {
		for (int l = 0; l < IOMETER_LAYOUTS; l++)
			n[l] += csv_column_name(c, (enum iometer_layout)l) != NULL;
		for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
			if (known[i].column == c) {
				assert_int_equal(n[IOMETER_CSV_80], known[i].at_80);
				assert_int_equal(n[IOMETER_CSV_56], known[i].at_56);
			}
	}
	assert_int_equal(n[IOMETER_CSV_80], 80);
	assert_int_equal(n[IOMETER_CSV_56], 56);
	assert_string_equal(csv_column_name(CSV_MIB_R, IOMETER_CSV_80), "Read MiBps (Binary)");
	assert_string_equal(csv_column_name(CSV_MIB_R, IOMETER_CSV_56), "Read MBps");
}

/* Whether columns from..to (from 1 on) of a line are all blank, or all filled. */
static bool all(const struct csv_fields *f, unsigned from, unsigned to, bool blank)
{
	for (unsigned i = from; i <= to; i++)
		if ((*f->field[i - 1] == 0) != blank)
			return false;
	return true;
}

static void each_kind_of_row_leaves_those_fields_blank_that_iometer_does(void **state)
{
	(void)state;
	static const struct {
		const char *kind;
		unsigned from, to;
		bool blank;
	} rules[] = {
		{"ALL,", 1, 36, false},        {"ALL,", 37, 45, true},
		{"ALL,", 46, 53, false},       {"ALL,", 54, 54, true},
		{"ALL,", 55, 80, false},       {"MANAGER,", 4, 4, true},
		{"MANAGER,", 5, 56, false},    {"PROCESSOR,", 3, 48, true},
		{"PROCESSOR,", 49, 55, false}, {"PROCESSOR,", 56, 59, true},
		{"WORKER,", 4, 5, true},       {"WORKER,", 6, 48, false},
		{"WORKER,", 49, 53, true},     {"WORKER,", 54, 54, false},
		{"WORKER,", 55, 59, true},     {"WORKER,", 60, 80, false},
		{"DISK,", 3, 6, true},         {"DISK,", 7, 48, false},
		{"DISK,", 49, 53, true},       {"DISK,", 54, 54, false},
		{"DISK,", 55, 59, true},       {"DISK,", 60, 80, false},
	};
	struct iometer_result r = make_result("8K");
	char *text = read_text(write_all("blank.csv", IOMETER_CSV_80, &r)), line[2048];

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		line_of(text, rules[i].kind, 0, line);
		struct csv_fields f = fields_of(line);
		assert_int_equal(f.count, rules[i].kind[0] == 'P' ? 59 : 80);
		if (!all(&f, rules[i].from, rules[i].to, rules[i].blank))
			fail_msg("%s columns %u to %u", rules[i].kind, rules[i].from, rules[i].to);
	}
	iometer_result_free(&r);
}

static void what_is_written_has_the_blocks_the_figures_and_the_replacements(void **state)
{
	(void)state;
	struct iometer_result r = make_result("8K; 65%, mixed");
	char *text = read_text(write_all("blocks.csv", IOMETER_CSV_80, &r)), line[2048];
	const char *head = "'Test Type,Test Description\n6,array A- RAID-10\n'Version\n1.1.0\n"
			   "'Time Stamp\n2027-01-01 00:00:00:123\n'Access specifications\n"
			   "'Access specification name,default assignment\n8K; 65%  mixed,0\n"
			   "'size,% of size,% reads,% random,delay,burst,align,reply\n"
			   "8192,100,65,60,0,1,0,0,\n'End access specifications\n'Results\n"
			   "'Target Type,Target Name,";

	assert_memory_equal(text, head, strlen(head));
	line_of(text, "ALL,", 1, line); /* of the second test, without its specification again */
	struct csv_fields f = fields_of(line);
	assert_string_equal(f.field[2], "8K; 65%  mixed");
	assert_string_equal(f.field[6], "31474.990332"); /* 1888888 IOs in 60.012345678 s */
	assert_string_equal(f.field[9], "245.898362");   /* x 8 KiB in MiB */
	assert_string_equal(f.field[12], "257.843121");  /* and in MB */
	assert_string_equal(f.field[17], "0.123457");
	assert_string_equal(f.field[23], "20.000001");
	assert_string_equal(f.field[35], "-1");
	assert_string_equal(f.field[45], "-1");
	line_of(text, "WORKER,", 0, line);
	f = fields_of(line);
	assert_string_equal(f.field[36], "152415938119"); /* ns, with 10^9 of them a second: */
	assert_string_equal(f.field[53], "1000000000.000000");
	assert_string_equal(f.field[44], "60012345678");
	line_of(text, "DISK,a", 0, line);
	assert_memory_equal(line, "DISK,a  odd name,", 17);
	const char *end = "'Time Stamp\n2027-01-01 00:01:01:123\n'End Test\n";
	assert_string_equal(text + strlen(text) - strlen(end), end);
	assert_null(strstr(strstr(text, "'Results") + 1, "'Access specifications"));
	iometer_result_free(&r);
}

static void only_those_rows_are_written_that_the_setup_records(void **state)
{
	(void)state;
	static const unsigned rows[] = {7, 5, 4, 1};
	struct iometer_result r = make_result("8K");

	for (int record = IOMETER_RECORD_ALL; record < IOMETER_RECORD_NONE; record++) {
		struct iometer_csv c = {.record = (enum iometer_record)record};
		char *text = iometer_csv_test_text(&c, &r);
		unsigned n = 0;
		for (const char *p = text; *p; p++)
			n += p > text && p[-1] == '\n' && *p >= 'A' && *p <= 'Z';
		assert_int_equal(n, rows[record]);
		free(text);
	}
	iometer_result_free(&r);
}

static void nothing_is_appended_to_what_is_no_results_csv(void **state)
{
	(void)state;
	static const char *const others[] = {"a,b\n1,2\n", "'Test Type,Test Description\n0,x"};
	struct iometer_setup s = make_setup();
	struct iometer_csv c;
	struct error e;

	for (int i = 0; i < 2; i++) {
		const char *path = scratch_text("other.csv", others[i]);
		assert_int_equal(iometer_csv_check(path, &e), -EINVAL);
		assert_int_equal(iometer_csv_begin(&c, path, IOMETER_CSV_80, &s, WALL, &e),
				 -EINVAL);
		assert_non_null(strstr(e.text, "name another"));
		assert_string_equal(read_text(path), others[i]);
	}
	assert_int_equal(iometer_csv_check(scratch_path("not-there.csv"), &e), 0);
	assert_int_equal(access(scratch_path("not-there.csv"), F_OK), -1);
	assert_int_equal(iometer_csv_check("/dev/not-there.csv", &e), -EINVAL);
}

static void what_is_appended_ends_its_lines_as_the_file_does(void **state)
{
	(void)state;
	struct iometer_result r = make_result("8K");
	scratch_text("crlf.csv", "'Test Type,Test Description\r\n0,before\r\n");
	const char *text = read_text(write_all("crlf.csv", IOMETER_CSV_56, &r));

	for (const char *p = text; (p = strchr(p, '\n')); p++)
		assert_int_equal(p[-1], '\r');
	assert_non_null(strstr(text, "before\r\n'Test Type"));
	assert_non_null(strstr(text, "'Version\r\n2006.07.27\r\n"));
	assert_null(strstr(text, "'End Test"));
	iometer_result_free(&r);
}

static void a_test_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was(void **state)
{
	(void)state;
	struct iometer_result r = make_result("8K");
	struct iometer_setup s = make_setup();
	struct iometer_csv c;
	struct rlimit before, small;
	struct stat st;
	struct error e;
	const char *path = scratch_path("full.csv");

	assert_int_equal(iometer_csv_begin(&c, path, IOMETER_CSV_80, &s, WALL, &e), 0);
	stat(path, &st);
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = (rlim_t)st.st_size + 1000;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &small);
	int rc = iometer_csv_test(&c, &r, &e);
	setrlimit(RLIMIT_FSIZE, &before);
	off_t size = st.st_size;
	assert_int_equal(rc, -EFBIG);
	stat(path, &st);
	assert_int_equal(st.st_size, size);
	/* And it goes on once there is room. */
	assert_int_equal(iometer_csv_test(&c, &r, &e), 0);
	assert_int_equal(iometer_csv_end(&c, true, &e), 0);
	assert_non_null(strstr(read_text(path), "\nAborted test\n"));
	iometer_result_free(&r);
}

/* --- There and back. --- */

static void assert_same_row(const struct iometer_row *a, const struct iometer_row *b,
			    enum iometer_layout layout)
{
	assert_int_equal(a->kind, b->kind);
	if (a->kind == IOMETER_ROW_PROCESSOR) {
		assert_memory_equal(&a->cpu, &b->cpu, sizeof(a->cpu));
		return;
	}
	for (unsigned op = 0; op < 2; op++)
		assert_memory_equal(&a->op[op], &b->op[op], sizeof(a->op[op]));
	assert_true(a->elapsed_ns == b->elapsed_ns);
	assert_true(a->start_sector == b->start_sector && a->max_sectors == b->max_sectors);
	assert_int_equal(a->outstanding, b->outstanding);
	if (layout == IOMETER_CSV_80)
		assert_memory_equal(a->bin, b->bin, sizeof(a->bin));
	assert_int_equal(b->bins, layout == IOMETER_CSV_80);
	if (a->kind == IOMETER_ROW_ALL || a->kind == IOMETER_ROW_MANAGER)
		assert_memory_equal(&a->cpu, &b->cpu, sizeof(a->cpu));
}

static void what_was_written_reads_as_the_same_in_both_layouts(void **state)
{
	(void)state;
	for (int l = 0; l < IOMETER_LAYOUTS; l++) {
		struct iometer_result r = make_result("8K; 65%");
		struct iometer_csv_file f;
		struct error e;
		const char *path =
			write_all(l ? "back-56.csv" : "back-80.csv", (enum iometer_layout)l, &r);
		assert_int_equal(iometer_csv_read(path, &f, &e), 0);
		assert_int_equal(f.tests, 2);
		assert_int_equal(f.notes, 0);
		for (size_t t = 0; t < f.tests; t++) {
			struct iometer_csv_test *got = &f.test[t];
			assert_string_equal(got->version, l ? "2006.07.27" : "1.1.0");
			assert_string_equal(got->description, "array A- RAID-10");
			assert_int_equal(got->type, IOMETER_CYCLE_OUTSTANDING);
			assert_int_equal(got->number, t + 1);
			assert_memory_equal(got->result.spec.line, r.spec.line,
					    sizeof(r.spec.line));
			assert_string_equal(got->result.spec.name, r.spec.name);
			assert_true(got->result.end_ns == r.end_ns);
			assert_int_equal(got->result.rows, r.rows);
			for (size_t i = 0; i < r.rows; i++)
				assert_same_row(&r.row[i], &got->result.row[i],
						(enum iometer_layout)l);
		}
		iometer_csv_file_free(&f);
		iometer_result_free(&r);
	}
}

/* --- Other people's. --- */

static char *fixture(const char *name, size_t *n)
{
	char path[512];
	const char *dir = getenv("TEST_SRCDIR");
	snprintf(path, sizeof(path), "%s/tests/%s", dir ? dir : "..", name);
	FILE *f = fopen(path, "r");
	if (!f)
		fail_msg("%s is not there", path);
	char *text = malloc(1 << 16);
	*n = fread(text, 1, (1 << 16) - 1, f);
	text[*n] = 0;
	fclose(f);
	return text;
}

static void a_file_of_2006_reads_with_its_ticks_and_its_abort(void **state)
{
	(void)state;
	size_t n;
	char *text = fixture("iometer-2006.csv", &n);
	struct iometer_csv_file f;
	struct error e;

	assert_int_equal(iometer_csv_parse(text, n, "x.csv", &f, &e), 0);
	assert_int_equal(f.tests, 2);
	assert_int_equal(f.notes, 0);
	struct iometer_csv_test *t = &f.test[0];
	struct iometer_row *all = &t->result.row[0];
	assert_string_equal(t->version, "2006.07.27");
	assert_string_equal(t->result.spec.name, "Max Throughput-100%Read");
	assert_int_equal(t->result.spec.line[0].line.size, 32768);
	assert_true(fabs(iometer_row_iops(all, 2) - 6038.396695) < 1e-5);
	assert_true(fabs(iometer_row_bytes_s(all, 2) / (double)MIB - 188.699897) < 1e-5);
	assert_true(fabs(iometer_row_mean_ms(all, 0) - 10.599) < 1e-5);
	assert_true(fabs((double)all->elapsed_ns / 1e9 - 120.0312) < 1e-3);
	assert_true(all->cpu.known && fabs(all->cpu.busy - 31.42) < 1e-9);
	assert_false(all->bins);
	assert_string_equal(t->result.row[7].name, "E: \"RAID10\"");
	assert_int_equal(t->result.row[2].kind, IOMETER_ROW_PROCESSOR);
	assert_true(fabs(t->result.row[2].cpu.interrupts_s - 2280.8125) < 1e-9);
	assert_false(t->aborted);
	assert_true(f.test[1].aborted);
	all = &f.test[1].result.row[0];
	assert_true(fabs(iometer_row_mean_ms(all, 1) - 54.7) < 1e-3);
	iometer_csv_file_free(&f);
	free(text);
}

static void
a_file_of_rc1_reads_with_its_short_rows_and_several_tests_of_a_specification(void **state)
{
	(void)state;
	size_t n;
	char *text = fixture("iometer-rc1.csv", &n);
	struct iometer_csv_file f;
	struct error e;

	assert_int_equal(iometer_csv_parse(text, n, "x.csv", &f, &e), 0);
	assert_int_equal(f.tests, 2);
	assert_int_equal(f.notes, 0);
	for (int i = 0; i < 2; i++) {
		struct iometer_result *r = &f.test[i].result;
		assert_int_equal(r->spec.count, 3);
		assert_int_equal(r->row[0].outstanding, i ? 8 : 4);
		assert_int_equal(r->row[2].kind, IOMETER_ROW_PROCESSOR);
		assert_true(fabs(r->row[2].cpu.busy - (i ? 12.5 : 9.125)) < 1e-9);
		assert_true(fabs(r->row[2].cpu.interrupts_s - 2280.8125) < 1e-9);
		/* A target's ticks are its worker's: its mean is taken. */
		assert_int_equal(r->row[7].kind, IOMETER_ROW_DISK);
		assert_true(fabs(iometer_row_mean_ms(&r->row[7], 0) - (i ? 5.3 : 4.954)) < 1e-4);
	}
	iometer_csv_file_free(&f);
	free(text);
}

static void series_of_several_versions_stand_in_one_file(void **state)
{
	(void)state;
	size_t n[2];
	char *old = fixture("iometer-2006.csv", &n[0]), *rc1 = fixture("iometer-rc1.csv", &n[1]);
	char *both = malloc(n[0] + n[1] + 1);
	struct iometer_csv_file f;
	struct error e;

	memcpy(both, old, n[0]);
	memcpy(both + n[0], rc1, n[1] + 1);
	assert_int_equal(iometer_csv_parse(both, n[0] + n[1], "x.csv", &f, &e), 0);
	assert_int_equal(f.tests, 4);
	assert_string_equal(f.test[1].version, "2006.07.27");
	assert_string_equal(f.test[2].version, "1.1.0-rc1");
	assert_int_equal(f.test[2].number, 1);
	iometer_csv_file_free(&f);
	free(both);
	free(old);
	free(rc1);
}

/* Of an update file there is no copy: this is what its writer says. */
static const char updates[] =
	"TimeStamp,'Target Type,Target Name,Access Specification Name,IOps,"
	"MBps (Binary),Average Read Response Time,Average Write Response Time,"
	"Bytes Read,Bytes Written,Read I/Os,Write I/Os\n"
	"2012-03-01 10:00:01:000,WORKER,Worker 1,4K,100,0.390625,2,0,409600,0,100,0\n"
	"2012-03-01 10:00:01:000,ALL,All,4K,100,0.390625,2,0,409600,0,100,0\n"
	"2012-03-01 10:00:02:000,ALL,All,4K,300,1.171875,1,0,1228800,0,300,0\n";

static void instantaneous_results_are_added_up(void **state)
{
	(void)state;
	struct iometer_csv_file f;
	struct error e;

	assert_int_equal(iometer_csv_parse(updates, strlen(updates), "x.csv", &f, &e), 0);
	assert_int_equal(f.tests, 1);
	assert_true(f.test[0].updates);
	struct iometer_row *all = &f.test[0].result.row[0];
	assert_int_equal(all->op[0].ios, 400);
	assert_true(fabs(iometer_row_iops(all, 2) - 200) < 1e-6);
	assert_true(fabs(iometer_row_mean_ms(all, 2) - 1.25) < 1e-6);
	assert_int_equal(f.test[0].result.rows, 4);
	assert_true(f.test[0].result.row[3].time_ns == f.test[0].result.end_ns);
	iometer_csv_file_free(&f);
}

static void a_line_that_cannot_be_right_is_named_by_its_number(void **state)
{
	(void)state;
	/* what is in the file, what it becomes, where, and what is said */
	static const struct {
		const char *from, *to, *said;
	} broken[] = {
		{"2009-05-17 14:05:30:461", "yesterday", "x.csv, line 24: 'yesterday' is no time"},
		{"32768,100,100,0", "32768,100,100,x", "x.csv, line 11: an access specification"},
		{"32768,100,100,0", "0,100,100,0", "x.csv, line 11: an access specification with"},
		{"ALL,All,Max", "hello", "x.csv, line 15: "},
		{"6038.396695", "six", "x.csv, line 15: 'six' is no value for column 'IOps'"},
		{"6038.396695", "-5", "x.csv, line 15: '-5' is no value for column 'IOps'"},
		{"'Results\r\n'Target", "'Results\r\nTarget", NULL}, /* the ' may be missing */
		{",Bytes Read,", ",Bytes,", "x.csv, line 14: there is no column 'Bytes Read'"},
		{"0,MD3000i", "zero,MD3000i", "x.csv, line 2: 'zero,MD3000i"},
	};
	struct iometer_csv_file f;
	struct error e;
	size_t n;
	char *text = fixture("iometer-2006.csv", &n);

	for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
		char *at = strstr(text, broken[i].from), changed[1 << 16];
		assert_non_null(at);
		snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - text), text, broken[i].to,
			 at + strlen(broken[i].from));
		int rc = iometer_csv_parse(changed, strlen(changed), "x.csv", &f, &e);
		if (!broken[i].said) {
			assert_int_equal(rc, 0);
			iometer_csv_file_free(&f);
			continue;
		}
		assert_int_equal(rc, -EINVAL);
		if (strncmp(e.text, broken[i].said, strlen(broken[i].said)) != 0)
			fail_msg("said '%s', not '%s'", e.text, broken[i].said);
	}
	free(text);
}

static void a_test_that_was_cut_off_is_left_out_and_noted(void **state)
{
	(void)state;
	size_t n;
	char *text = fixture("iometer-2006.csv", &n);
	struct iometer_csv_file f;
	struct error e;

	*(strstr(text, "2009-05-17 14:07:38:802")) = 0;
	assert_int_equal(iometer_csv_parse(text, strlen(text), "x.csv", &f, &e), 0);
	assert_int_equal(f.tests, 1);
	assert_int_equal(f.notes, 1);
	assert_string_equal(f.note[0], "line 31: this test has no end, and is left out");
	iometer_csv_file_free(&f);
	/* Nothing else in it either. */
	*(strstr(text, "'Results")) = 0;
	assert_int_equal(iometer_csv_parse(text, strlen(text), "x.csv", &f, &e), -EINVAL);
	assert_string_equal(e.text, "x.csv: there is no whole test of Iometer's in it");
	free(text);
}

static void rates_that_the_bytes_do_not_bear_out_are_noted(void **state)
{
	(void)state;
	size_t n;
	char *text = fixture("iometer-2006.csv", &n), *at = strstr(text, "188.699897");
	struct iometer_csv_file f;
	struct error e;

	memcpy(at, "197.866185", 10); /* what it is in decimal megabytes */
	assert_int_equal(iometer_csv_parse(text, n, "x.csv", &f, &e), 0);
	assert_int_equal(f.notes, 1);
	assert_non_null(strstr(f.note[0], "line 15: bytes over time are -4.6 % off the MBps"));
	iometer_csv_file_free(&f);
	free(text);
}

static void no_mutation_of_a_file_does_harm(void **state)
{
	(void)state;
	static const char *const names[] = {"iometer-2006.csv", "iometer-rc1.csv"};
	uint64_t seed = 20090517;
	unsigned fine = 0, refused = 0;
	struct error e;

	for (int k = 0; k < 3; k++) {
		size_t n = strlen(updates), room = 1 << 16;
		char *text = k < 2 ? fixture(names[k], &n) : strdup(updates), *copy = malloc(room);
		for (int i = 0; i < 1500; i++) {
			struct iometer_csv_file f;
			memcpy(copy, text, n);
			size_t now = mutate(copy, n, room, &seed);
			int rc = iometer_csv_parse(copy, now, "x.csv", &f, &e);
			if (rc) {
				assert_int_equal(strncmp(e.text, "x.csv", 5), 0);
				refused++;
				continue;
			}
			fine++;
			for (size_t t = 0; t < f.tests; t++)
				assert_true(isfinite(iometer_row_iops(f.test[t].result.row, 2)));
			iometer_csv_file_free(&f);
		}
		free(copy);
		free(text);
	}
	assert_true(fine > 100 && refused > 100);
}

/* --- Bins. --- */

static void no_io_is_lost_between_histogram_and_bins(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	uint64_t bin[IOMETER_BINS] = {0}, sum = 0, seed = 7;

	hist_clear(h);
	for (int i = 0; i < 20000; i++)
		hist_add(h, next_random(&seed) >> (20 + next_random(&seed) % 40));
	iometer_bins_add(bin, h);
	for (unsigned i = 0; i < IOMETER_BINS; i++)
		sum += bin[i];
	assert_true(sum == h->count);
	free(h);
}

static void a_latency_falls_into_the_bin_that_its_head_names(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));

	for (unsigned i = 0; i < IOMETER_BINS; i++) {
		uint64_t low = i ? iometer_bin_end(i - 1) : 0;
		uint64_t high = i + 1 < IOMETER_BINS ? iometer_bin_end(i) - 1 : 3 * low;
		for (int end = 0; end < 2; end++) {
			uint64_t bin[IOMETER_BINS] = {0};
			hist_clear(h);
			hist_add(h, end ? high : low);
			iometer_bins_add(bin, h);
			assert_int_equal(bin[i], 1);
		}
	}
	assert_true(iometer_bin_end(17) == 4700000000ull); /* where Iometer has 4.0 s */
	assert_string_equal(iometer_bin_name(17), "2 to 4.7 s");
	free(h);
}

static void a_bucket_that_an_end_falls_into_is_divided_by_width(void **state)
{
	(void)state;
	struct hist *h = malloc(sizeof(*h));
	uint64_t bin[IOMETER_BINS] = {0}, low = hist_low(hist_index(50000)),
		 high = hist_high(hist_index(50000));

	hist_clear(h);
	for (uint64_t ns = low; ns < high; ns++)
		hist_add(h, ns);
	iometer_bins_add(bin, h);
	assert_true(low < 50000 && high > 50000);
	assert_int_equal(bin[0], 50000 - low);
	assert_int_equal(bin[1], high - 50000);
	free(h);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_layouts_have_56_and_80_columns_in_iometers_order),
		cmocka_unit_test(each_kind_of_row_leaves_those_fields_blank_that_iometer_does),
		cmocka_unit_test(what_is_written_has_the_blocks_the_figures_and_the_replacements),
		cmocka_unit_test(only_those_rows_are_written_that_the_setup_records),
		cmocka_unit_test(nothing_is_appended_to_what_is_no_results_csv),
		cmocka_unit_test(what_is_appended_ends_its_lines_as_the_file_does),
		cmocka_unit_test(a_test_that_does_not_fit_on_the_disk_leaves_the_file_as_it_was),
		cmocka_unit_test(what_was_written_reads_as_the_same_in_both_layouts),
		cmocka_unit_test(a_file_of_2006_reads_with_its_ticks_and_its_abort),
		cmocka_unit_test(
			a_file_of_rc1_reads_with_its_short_rows_and_several_tests_of_a_specification),
		cmocka_unit_test(series_of_several_versions_stand_in_one_file),
		cmocka_unit_test(instantaneous_results_are_added_up),
		cmocka_unit_test(a_line_that_cannot_be_right_is_named_by_its_number),
		cmocka_unit_test(a_test_that_was_cut_off_is_left_out_and_noted),
		cmocka_unit_test(rates_that_the_bytes_do_not_bear_out_are_noted),
		cmocka_unit_test(no_mutation_of_a_file_does_harm),
		cmocka_unit_test(no_io_is_lost_between_histogram_and_bins),
		cmocka_unit_test(a_latency_falls_into_the_bin_that_its_head_names),
		cmocka_unit_test(a_bucket_that_an_end_falls_into_is_divided_by_width),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
