/* unit-report.c - reports (src/report/): the page is whole and safe, and its figures are those of the store. */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "compare/compare.h"
#include "report/axis.h"
#include "report/gnuplot.h"
#include "report/out.h"
#include "report/points.h"
#include "report/report.h"
#include "tests/hist-add.h"
#include "tests/html.h"

/* The artificial clock starts at 2027-01-01 00:00 UTC. */
#define WALL_START 1798761600000000000ll

#define EVIL "<script>alert(\"1\")</script>&amp;'|`*_[x](http://x.example/)"

static char folder[64], store_path[128];

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

/* --- Runs. --- */

static const struct workload load = {.workers = 2,
				     .outstanding = 4,
				     .block_size = 4096,
				     .read_pct = 50,
				     .random_pct = 100,
				     .seed = 1};

/* A second of ten ticks, each of about rate/10 reads and as many writes of 4 KiB; it wanders a little. */
static void second(struct timeline *t, unsigned number, unsigned rate, uint64_t latency)
{
	struct hist delta[HISTS];
	struct sample s, sum;

	sample_clear(&sum);
	for (unsigned i = 1; i <= 10; i++) {
		unsigned ios = rate / 10 + (number * 7 + i * 3) % 5;
		sample_clear(&s);
		for (int k = 0; k < HISTS; k++)
			hist_clear(&delta[k]);
		s.t_ns = (number - 1) * NS_PER_SEC + i * TICK_NS;
		s.dt_ns = TICK_NS;
		for (int op = 0; op < IO_OPS; op++) {
			struct op_sample *o = &s.op[op];
			*o = (struct op_sample){
				.ios = ios, .bytes = ios * 4096, .lat_min = UINT64_MAX};
			for (unsigned k = 0; k < ios; k++) {
				uint64_t ns = latency * (unsigned)(op + 1) + k * 1000;
				hist_add(&delta[op], ns);
				o->lat_sum += ns;
				o->lat_min = ns < o->lat_min ? ns : o->lat_min;
				o->lat_max = ns > o->lat_max ? ns : o->lat_max;
			}
		}
		s.depth_ns = TICK_NS * 8;
		s.depth_requested = 8;
		timeline_tick(t, &s, delta);
		sample_add(&sum, &s);
	}
	sum.cpu = (struct cpu_sample){.valid = true,
				      .cpus = 2,
				      .user = 500 * NS_PER_MS + number % 3 * NS_PER_MS,
				      .idle = 1500 * NS_PER_MS};
	timeline_second(t, &sum);
}

static struct store *opened(void)
{
	struct error e = {""};
	struct store *s;

	if (store_open(&s, store_path, &e))
		fail_msg("%s", e.text);
	return s;
}

static int64_t begin(struct store *s, const char *target)
{
	struct error e = {""};
	json_t *settings = json_pack("{s:s, s:{s:i}, s:[s], s:s}", "engine", "null", "target",
				     "size_bytes", 1 << 30, EVIL, EVIL, "engine_why", EVIL);
	json_t *environment = json_pack("{s:s, s:{s:s, s:s}, s:[]}", "host", EVIL, "facts",
					"eth2 mtu", EVIL, "net.core.rmem_max", "212992", "nics");
	int64_t id = store_begin(s, WALL_START, target, EVIL, settings, environment, &e);

	json_decref(settings);
	json_decref(environment);
	if (id <= 0)
		fail_msg("%s", e.text);
	return id;
}

/* Of all segments, as a run that ends keeps it. */
static json_t *summary_of(struct timeline *t)
{
	struct hist hist[HISTS];
	struct sample total, gap;
	struct summary sum;

	timeline_total(t, 1, &total, &gap, hist);
	summary_compute(&sum, &total, hist, "null");
	summary_leave_out(&sum, &total, &gap, 1);
	return summary_json(&sum);
}

/* 30 s, a mark, 30 s at another rate; out: in seconds 41 to 44 a path was out. */
static int64_t record(const char *target, unsigned rate_a, unsigned rate_b, bool out)
{
	struct error e = {""};
	struct store *s = opened();
	struct timeline *t = timeline_create();
	int64_t id = begin(s, target);

	assert_true(timeline_expect_gaps(t));
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (unsigned i = 1; i <= 60; i++) {
		if (i == 31)
			timeline_mark(t, MARK_NOTE, 30 * NS_PER_SEC, 1, NULL, EVIL);
		if (i == 41 && out)
			timeline_gap(t, 0, 40 * NS_PER_SEC, 44 * NS_PER_SEC);
		second(t, i, i <= 30 ? rate_a : rate_b, 500000);
	}
	json_t *summary = summary_of(t);
	timeline_mark(t, MARK_END, 60 * NS_PER_SEC, 1, NULL, "done");
	if (store_end(s, id, t, WALL_START, "done", summary, &e))
		fail_msg("%s", e.text);
	json_decref(summary);
	timeline_destroy(t);
	store_close(s);
	return id;
}

static int64_t run_plain, run_faster, run_out, run_empty;

static int make_store(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/lunscope-report-XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(store_path, sizeof(store_path), "%s/runs.db", folder);
	run_plain = record(EVIL, 1000, 1500, false);
	run_faster = record("/dev/other", 2000, 3000, false);
	run_out = record("/dev/out", 1000, 1000, true);
	struct store *s = opened();
	run_empty = begin(s, "/dev/empty");
	store_close(s);
	return 0;
}

static int remove_store(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* --- Reports of them. --- */

static void load_runs(struct report *r, const int64_t *id, size_t n)
{
	struct error e = {""};
	struct store *s;
	int rc = store_open_read(&s, store_path, &e);

	memset(r, 0, sizeof(*r));
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = report_load(r, s, id[i], &e);
	if (rc == 0)
		rc = report_tabulate(r, s, SIDE_SETTLE_NS, &e);
	store_close(s);
	if (rc)
		fail_msg("%s", e.text);
}

static char *made(enum report_kind kind, const int64_t *id, size_t n)
{
	struct error e = {""};
	struct report r;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	load_runs(&r, id, n);
	int rc = kind == REPORT_HTML       ? report_html(f, &r, SIDE_SETTLE_NS, &e)
		 : kind == REPORT_MARKDOWN ? report_markdown(f, &r, SIDE_SETTLE_NS, &e)
					   : report_csv(f, &r, &e);
	fclose(f);
	report_free(&r);
	if (rc)
		fail_msg("%s", e.text);
	return text;
}

static void need_gnuplot(void)
{
	struct error e = {""};

	if (gnuplot_check(&e) == 0)
		return;
	print_message("skipped: %s\n", e.text);
	skip();
}

static unsigned count(const char *text, const char *words)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, words)); at += strlen(words))
		n++;
	return n;
}

static void has(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("there is no '%s'", words);
}

static void check_page(const char *page)
{
	char why[200] = "";

	if (!html_check(page, why, sizeof(why)))
		fail_msg("%s", why);
}

static void the_page_is_whole_and_refers_to_nothing_outside(void **state)
{
	const int64_t one[] = {run_plain}, all[] = {run_plain, run_faster, run_out, run_empty};
	char *page;

	(void)state;
	need_gnuplot();
	page = made(REPORT_HTML, one, 1);
	check_page(page);
	assert_int_equal(count(page, "<h1>"), 1);
	has(page, "Content-Security-Policy");
	free(page);
	page = made(REPORT_HTML, all, 4);
	check_page(page);
	free(page);
}

/* The check above has to see what is wrong. */
static void what_is_not_well_formed_is_found(void **state)
{
	static const char *const bad[] = {"<p>",
					  "<p></b>",
					  "<p>a & b</p>",
					  "<script>x</script>",
					  "<a href=\"http://x\">x</a>",
					  "<a href=\"#nowhere\">x</a>",
					  "<p id=\"a\"></p><p id=\"a\"></p>",
					  "<p onclick=\"x\"></p>",
					  "<th>x</th>",
					  "<svg></svg>",
					  "<p class=x></p>",
					  "<figure></figure>",
					  "<h3>x</h3>",
					  "<style>@import 'x';</style>",
					  "<p/>"};
	char text[200], why[200];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		snprintf(text, sizeof(text), "<!DOCTYPE html>%s", bad[i]);
		if (html_check(text, why, sizeof(why)))
			fail_msg("%s passes", bad[i]);
	}
	assert_true(html_check("<!DOCTYPE html><p>a &amp; b</p>", why, sizeof(why)));
}

static void what_a_run_was_told_stays_text(void **state)
{
	const int64_t one[] = {run_plain};
	char *md = made(REPORT_MARKDOWN, one, 1), *csv = made(REPORT_CSV, one, 1);

	(void)state;
	/* But for code, which is shown as it is. */
	assert_int_equal(count(md, "<script"), count(md, "\n              auto: <script"));
	assert_true(count(md, "&lt;script&gt;alert") >= 5);
	has(md, "\\|\\`\\*\\_\\[x\\](http");
	has(csv, "\"<script>alert(\"\"1\"\")</script>&amp;'|`*_[x](http://x.example/)\"");
	free(md);
	free(csv);
	need_gnuplot();
	char *page = made(REPORT_HTML, one, 1);
	assert_int_equal(count(page, "<script"), 0);
	/* Target, mark, command, setting with its name, host, fact. */
	assert_true(count(page, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;") >= 7);
	free(page);
}

static void text_that_steers_or_is_no_text_is_tamed(void **state)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct out o = {.f = f};

	(void)state;
	out_text(&o, "a\033[2J\177 \xff\xc0\x80 \xed\xa0\x80 \xe2\x80\xae \xc2\x9b \xc3\xa9 "
		     "\xf0\x9f\x98\x80");
	fclose(f);
	assert_string_equal(text, "a?[2J? ??? ??? ? ? \xc3\xa9 \xf0\x9f\x98\x80");
	free(text);
}

/* --- Figures. --- */

/* Field `name` of line number `line` (1: the first below the head). */
static double field(const char *csv, unsigned line, const char *name)
{
	char head[64];
	unsigned at = 0, quotes = 0;
	const char *c = csv, *row = csv;

	snprintf(head, sizeof(head), ",%s", name);
	for (; *c != '\n'; c++)
		if (*c == ',') {
			at++;
			size_t n = strlen(head);
			if (strncmp(c, head, n) == 0 && (c[n] == ',' || c[n] == '\n'))
				break;
		}
	if (*c == '\n')
		fail_msg("no column %s", name);
	for (; line; line--)
		row = strchr(row, '\n') + 1;
	for (; at; row++) {
		quotes += *row == '"';
		at -= *row == ',' && quotes % 2 == 0;
	}
	return *row == ',' || *row == '\n' ? NAN : strtod(row, NULL);
}

static double json_at(const json_t *object, const char *a, const char *b)
{
	const json_t *v = json_object_get(object, a);

	return json_number_value(b ? json_object_get(v, b) : v);
}

static void alike(double a, double b)
{
	if (!(fabs(a - b) <= 0.001 + 1e-6 * fabs(b)))
		fail_msg("%g is not %g", a, b);
}

static void figures_are_those_of_the_run(void **state)
{
	const int64_t one[] = {run_plain};
	char *csv = made(REPORT_CSV, one, 1), *md = made(REPORT_MARKDOWN, one, 1);
	struct report r;

	(void)state;
	load_runs(&r, one, 1);
	const json_t *sum = r.run[0].head.summary;
	const json_t *total = json_object_get(sum, "total"),
		     *lat = json_object_get(total, "lat_ns");
	alike(field(csv, 1, "iops_t"), json_at(total, "iops", NULL));
	alike(field(csv, 1, "iops_r"), json_at(sum, "read", "iops"));
	alike(field(csv, 1, "iops_w"), json_at(sum, "write", "iops"));
	alike(field(csv, 1, "mib_s_t"), json_at(total, "mib_s", NULL));
	alike(field(csv, 1, "mean_ms_t"), json_at(lat, "mean", NULL) / 1e6);
	alike(field(csv, 1, "p50_ms_t"), json_at(lat, "p50", NULL) / 1e6);
	alike(field(csv, 1, "p99_ms_t"), json_at(lat, "p99", NULL) / 1e6);
	alike(field(csv, 1, "max_ms_t"), json_at(lat, "max", NULL) / 1e6);
	alike(field(csv, 1, "length_s"), 60);
	/* Two segments, whose sums are the run's. */
	assert_int_equal(count(csv, "\n"), 4);
	alike(field(csv, 2, "iops_t") * 30 + field(csv, 3, "iops_t") * 30,
	      field(csv, 1, "iops_t") * 60);
	alike(field(csv, 3, "start_s"), 30);
	alike(field(csv, 2, "cpu_percent"), 100.0 * 501 / 2001);
	assert_true(field(csv, 3, "iops_t") > 1.4 * field(csv, 2, "iops_t"));
	/* And what show prints is in there. */
	char *table = summary_table(&r.run[0].sum, RATE_MIB, false), *rest = table;
	assert_non_null(table);
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n"))
		has(md, line);
	free(table);
	report_free(&r);
	free(csv);
	free(md);
}

static void marks_stand_in_the_charts_and_verdicts_say_what_they_did(void **state)
{
	const int64_t one[] = {run_plain};
	char *md = made(REPORT_MARKDOWN, one, 1);

	(void)state;
	has(md, "| a | 30.0 s | &lt;script&gt;");
	/* 1000 > 1500 of each: twice 104 becomes twice 154 in ten ticks. */
	has(md, "| IOPS | 2.04k | 3.04k | +49.0 % ");
	has(md, "Each segment against the one before it");
	has(md, "different");
	free(md);
	need_gnuplot();
	char *page = made(REPORT_HTML, one, 1);
	/* Four charts, twice each, and the heat map. */
	assert_true(count(page, "text-anchor=\"middle\">\n\t\t<text>a</text>") == 8);
	assert_int_equal(count(page, ">a</text>"), 10);
	free(page);
}

static void time_in_which_a_path_was_out_is_shaded_and_not_counted(void **state)
{
	const int64_t one[] = {run_out};
	char *csv = made(REPORT_CSV, one, 1);

	(void)state;
	alike(field(csv, 1, "outage_s"), 4);
	alike(field(csv, 1, "length_s"), 56);
	alike(field(csv, 3, "outage_s"), 4);
	free(csv);
	need_gnuplot();
	char *page = made(REPORT_HTML, one, 1);
	has(page, "Paths were out for 4.0 s, which no mean counts.");
	assert_int_equal(count(page, "<polygon fill = 'var(--c5)'"), 8);
	has(page, "Shaded: a path was out");
	free(page);
}

static void runs_stand_side_by_side_with_their_ratio(void **state)
{
	const int64_t two[] = {run_plain, run_faster}, other[] = {run_plain, run_empty};
	char *md = made(REPORT_MARKDOWN, two, 2);
	double a, b;

	(void)state;
	char *csv = made(REPORT_CSV, two, 2), want[80];
	a = field(csv, 1, "iops_t");
	b = field(csv, 4, "iops_t");
	snprintf(want, sizeof(want), "| IOPS, total | %.0f | %.0f | \303\227 %.2f, %+.1f %% |", a,
		 b, b / a, 100 * (b / a - 1));
	has(md, want);
	/* Segment by segment. */
	has(md, "**run 1, segment 1 \342\206\222 run 2, segment 1**");
	has(md, "**run 1, segment a \342\206\222 run 2, segment a: ");
	free(md);
	free(csv);
	md = made(REPORT_MARKDOWN, other, 2);
	has(md, "no verdict, as a verdict is of seconds, and the store has none of the former.");
	free(md);
}

static void a_run_without_an_end_or_without_a_second_says_so(void **state)
{
	const int64_t one[] = {run_empty};
	char *md = made(REPORT_MARKDOWN, one, 1);
	sqlite3 *db;

	(void)state;
	has(md, "This run was still going on");
	has(md, "No second of this run was kept.");
	free(md);
	assert_int_equal(sqlite3_open(store_path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "UPDATE run SET pid_start = 1 WHERE ended IS NULL", NULL,
				      NULL, NULL),
			 SQLITE_OK);
	sqlite3_close(db);
	md = made(REPORT_MARKDOWN, one, 1);
	has(md, "This run was cut off");
	free(md);
	need_gnuplot();
	char *page = made(REPORT_HTML, one, 1);
	check_page(page);
	assert_int_equal(count(page, "<svg"), 0);
	free(page);
}

static void markdown_tables_have_as_many_cells_in_each_row(void **state)
{
	const int64_t all[] = {run_plain, run_faster, run_out};
	char *md = made(REPORT_MARKDOWN, all, 3), *rest = md;
	unsigned columns = 0, tables = 0;

	(void)state;
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		unsigned bars = 0;
		if (line[0] != '|') {
			columns = 0;
			continue;
		}
		for (char *c = line; *c; c++)
			bars += *c == '|' && (c == line || c[-1] != '\\');
		tables += !columns;
		columns = columns ? columns : bars;
		if (bars != columns)
			fail_msg("%u bars instead of %u: %s", bars, columns, line);
	}
	assert_true(tables > 20);
	free(md);
}

/* --- Around it. --- */

static void without_gnuplot_there_is_one_line_that_says_what_to_install(void **state)
{
	char *path = strdup(getenv("PATH"));
	struct error e = {""};
	char *drawing;

	(void)state;
	setenv("PATH", folder, 1);
	assert_int_equal(gnuplot_check(&e), -ENOENT);
	has(e.text, "gnuplot-nox");
	assert_null(strchr(e.text, '\n'));
	int rc = gnuplot_draw(&drawing, "plot x\n", 100, 100, &e);
	setenv("PATH", path, 1);
	free(path);
	assert_true(rc < 0);
	assert_null(drawing);
}

static void what_gnuplot_complains_about_is_told(void **state)
{
	struct error e = {""};
	char *drawing;

	(void)state;
	need_gnuplot();
	assert_true(gnuplot_draw(&drawing, "plot nonsense(x)\n", 100, 100, &e) < 0);
	has(e.text, "gnuplot drew no chart");
}

static void may(int want, const char *text, enum report_kind kind)
{
	char path[160];
	struct error e = {""};

	snprintf(path, sizeof(path), "%s/there", folder);
	FILE *f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	assert_int_equal(report_may_replace(path, kind, &e), want);
	unlink(path);
}

static void only_a_report_of_its_kind_is_replaced(void **state)
{
	const int64_t one[] = {run_plain};
	struct error e = {""};

	(void)state;
	char *md = made(REPORT_MARKDOWN, one, 1), *csv = made(REPORT_CSV, one, 1);
	may(0, "", REPORT_HTML);
	may(0, md, REPORT_MARKDOWN);
	may(0, csv, REPORT_CSV);
	may(-EEXIST, md, REPORT_HTML);
	may(-EEXIST, csv, REPORT_MARKDOWN);
	may(-EEXIST, "my thesis", REPORT_HTML);
	may(-EEXIST, "a,b\n1,2\n", REPORT_CSV);
	assert_int_equal(report_may_replace("/nowhere/at/all", REPORT_HTML, &e), 0);
	free(md);
	free(csv);
	need_gnuplot();
	char *page = made(REPORT_HTML, one, 1);
	may(0, page, REPORT_HTML);
	free(page);
}

static void axes_are_round_and_reach_over_what_they_show(void **state)
{
	struct axis a;

	(void)state;
	for (double v = 0.3; v < 1e8; v *= 1.37) {
		axis_counts(&a, v);
		assert_true(a.high >= v && a.count >= 2 && a.count <= 6);
		axis_latencies(&a, v * 100, v * 100 * 30);
		assert_true(a.low <= v * 100 && a.high >= v * 3000 && a.count >= 2);
		axis_time(&a, v, 10);
		assert_true(a.high == v && a.count >= 1 && a.count <= 11);
	}
	axis_counts(&a, 1500);
	assert_string_equal(a.tic[1].text, "500");
	assert_string_equal(a.tic[2].text, "1k");
	axis_latencies(&a, 1e5, 1e6);
	assert_string_equal(a.tic[a.count - 1].text, "2 ms");
	axis_time(&a, 3700, 10);
	assert_string_equal(a.tic[1].text, "0:10:00");
}

static void points_lose_no_io_and_keep_holes(void **state)
{
	const int64_t one[] = {run_plain};
	struct report r;
	struct points p;

	(void)state;
	load_runs(&r, one, 1);
	struct report_run *run = &r.run[0];
	/* Seconds 21 to 30 were never written. */
	memmove(run->stored.second + 20, run->stored.second + 30, 30 * sizeof(*run->stored.second));
	run->stored.seconds = 50;
	for (size_t most = 7; most <= 100; most += 31) {
		double ios = 0, want = 0;
		unsigned holes = 0;
		assert_true(points_take(&p, run, most));
		for (size_t i = 0; i < p.count; i++) {
			ios += p.point[i].iops[SUM_TOTAL] * (p.point[i].to - p.point[i].from);
			holes += p.point[i].apart;
		}
		for (size_t i = 0; i < 50; i++)
			want += (double)(run->stored.second[i].op[0].ios +
					 run->stored.second[i].op[1].ios);
		alike(ios, want);
		assert_int_equal(holes, 1);
		points_free(&p);
	}
	report_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_not_well_formed_is_found),
		cmocka_unit_test(the_page_is_whole_and_refers_to_nothing_outside),
		cmocka_unit_test(what_a_run_was_told_stays_text),
		cmocka_unit_test(text_that_steers_or_is_no_text_is_tamed),
		cmocka_unit_test(figures_are_those_of_the_run),
		cmocka_unit_test(marks_stand_in_the_charts_and_verdicts_say_what_they_did),
		cmocka_unit_test(time_in_which_a_path_was_out_is_shaded_and_not_counted),
		cmocka_unit_test(runs_stand_side_by_side_with_their_ratio),
		cmocka_unit_test(a_run_without_an_end_or_without_a_second_says_so),
		cmocka_unit_test(markdown_tables_have_as_many_cells_in_each_row),
		cmocka_unit_test(without_gnuplot_there_is_one_line_that_says_what_to_install),
		cmocka_unit_test(what_gnuplot_complains_about_is_told),
		cmocka_unit_test(only_a_report_of_its_kind_is_replaced),
		cmocka_unit_test(axes_are_round_and_reach_over_what_they_show),
		cmocka_unit_test(points_lose_no_io_and_keep_holes),
	};
	return cmocka_run_group_tests(tests, make_store, remove_store);
}
