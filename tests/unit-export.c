/* unit-export.c - a run as JSON and CSV, and the host it was made on (src/export*.c,
 * src/outfile.c). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <cmocka.h>
#include "export.h"
#include "outfile.h"
#include "setting.h"
#include "summary.h"
#include "tests/hist-add.h"
#include "units.h"

/* The artificial clock starts at 2027-01-01 00:00 UTC. */
#define WALL_START 1798761600000000000ll

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder, "/tmp/lunscope-export-XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int flag, struct FTW *ftw)
{
	(void)st, (void)flag, (void)ftw;
	return remove(path);
}

static int remove_folder(void **state)
{
	(void)state;
	return nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static const char *in_folder(const char *name)
{
	static char path[4][160];
	static unsigned at;
	at = (at + 1) % 4;
	snprintf(path[at], sizeof(path[at]), "%s/%s", folder, name);
	return path[at];
}

static void write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static char *read_file(const char *path)
{
	static char text[65536];
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = 0;
	fclose(f);
	return text;
}

static unsigned files_in_folder(void)
{
	unsigned n = 0;
	DIR *d = opendir(folder);
	while (readdir(d))
		n++;
	closedir(d);
	return n - 2;
}

/* --- Three seconds: 100 reads/s of 4 KiB at 1 ms and, in the second one, 50 writes at 3 ms. --- */

static const struct workload load = {.workers = 2,
				     .outstanding = 4,
				     .block_size = 4096,
				     .align = 8192,
				     .read_pct = 70,
				     .random_pct = 30,
				     .share_range = true,
				     .range_start = 1ull << 40,
				     .range_length = 1ull << 41,
				     .rate_iops = 5000,
				     .seed = 0xfedcba9876543210};

static struct timeline *three_seconds(void)
{
	struct timeline *t = timeline_create();
	struct hist delta[HISTS];
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (unsigned i = 1; i <= 3; i++) {
		struct sample s;
		sample_clear(&s);
		hist_clear(&delta[IO_READ]);
		hist_clear(&delta[IO_WRITE]);
		hist_clear(&delta[HIST_DUE]);
		for (unsigned k = 0; k < 100; k++)
			hist_add(&delta[IO_READ], NS_PER_MS);
		for (unsigned k = 0; i == 2 && k < 50; k++)
			hist_add(&delta[IO_WRITE], 3 * NS_PER_MS);
		s.t_ns = i * NS_PER_SEC;
		s.dt_ns = NS_PER_SEC;
		for (int op = 0; op < IO_OPS; op++)
			s.op[op] = (struct op_sample){.ios = delta[op].count,
						      .bytes = delta[op].count * 4096,
						      .lat_sum = delta[op].sum,
						      .lat_min = delta[op].min,
						      .lat_max = delta[op].max};
		s.op[IO_WRITE].errors = i == 2 ? 4 : 0;
		s.depth_ns = NS_PER_SEC / 2;
		s.depth_requested = 8;
		s.generation = i;
		timeline_tick(t, &s, delta);
		if (i == 2)
			s.cpu = (struct cpu_sample){.valid = true,
						    .cpus = 4,
						    .user = NS_PER_SEC,
						    .softirq = NS_PER_SEC,
						    .iowait = NS_PER_SEC,
						    .idle = NS_PER_SEC};
		timeline_second(t, &s);
		if (i == 1)
			timeline_mark(t, MARK_NOTE, s.t_ns, 1, NULL, "say \"ä, b\"");
	}
	return t;
}

static json_int_t whole(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	assert_true(json_is_integer(v));
	return json_integer_value(v);
}

static double real(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	assert_true(json_is_number(v));
	return json_number_value(v);
}

static json_t *document(struct timeline *t, const struct target *target)
{
	struct segment *g = malloc(sizeof(*g));
	struct hist hist[HISTS];
	struct sample total;
	struct summary sum;
	sample_clear(&total);
	hist_clear(&hist[IO_READ]);
	hist_clear(&hist[IO_WRITE]);
	hist_clear(&hist[HIST_DUE]);
	for (uint32_t n = 1; n <= 2; n++) {
		assert_true(timeline_segment(t, n, g));
		sample_add(&total, &g->total);
		hist_merge(&hist[IO_READ], &g->hist[IO_READ]);
		hist_merge(&hist[IO_WRITE], &g->hist[IO_WRITE]);
	}
	free(g);
	summary_compute(&sum, &total, hist, "null");
	return export_document(export_settings(&load, target, "headless", "lunscope run x"),
			       export_environment("", target, WALL_START),
			       export_samples(t, 0, 0, WALL_START), export_marks(t, 0, WALL_START),
			       export_segments(t, "null", 0, WALL_START), hist, summary_json(&sum));
}

static void the_document_parses_again_and_its_sums_match(void **state)
{
	(void)state;
	const char *path = in_folder("run.json");
	struct error e = {""};
	struct timeline *t = three_seconds();
	struct target target = {.kind = TARGET_NULL, .spec = "null:", .name = "null", .fd = -1};
	json_t *doc = document(t, &target);
	assert_non_null(doc);
	assert_int_equal(export_write_json(doc, path, &e), 0);
	json_t *again = json_load_file(path, 0, NULL);
	assert_non_null(again);
	json_decref(doc);

	static const char *const keys[] = {"schema",      "lunscope",   "settings",
					   "environment", "samples",    "marks",
					   "segments",    "histograms", "summary"};
	assert_int_equal(json_object_size(again), 9);
	for (unsigned i = 0; i < 9; i++)
		assert_non_null(json_object_get(again, keys[i]));
	assert_int_equal(whole(again, "schema"), 1);

	/* Samples, histograms, segments and summary tell the same. */
	json_int_t ios[2] = {0}, bytes = 0, errors = 0;
	json_t *samples = json_object_get(again, "samples"), *s;
	size_t i;
	assert_int_equal(json_array_size(samples), 3);
	json_array_foreach(samples, i, s)
	{
		ios[0] += whole(json_object_get(s, "read"), "ios");
		ios[1] += whole(json_object_get(s, "write"), "ios");
		bytes += whole(json_object_get(s, "write"), "bytes");
		errors += whole(json_object_get(s, "write"), "errors");
	}
	json_t *summary = json_object_get(again, "summary");
	json_t *write = json_object_get(summary, "write");
	assert_int_equal(ios[0], 300);
	assert_int_equal(ios[1], 50);
	assert_int_equal(whole(json_object_get(summary, "read"), "ios"), ios[0]);
	assert_int_equal(whole(write, "ios"), ios[1]);
	assert_int_equal(whole(write, "bytes"), bytes);
	assert_int_equal(whole(write, "errors"), errors);
	json_t *hist = json_object_get(json_object_get(again, "histograms"), "write");
	assert_int_equal(whole(hist, "count"), 50);
	json_t *segments = json_object_get(again, "segments"), *g;
	json_int_t sum = 0;
	json_array_foreach(segments, i, g) sum +=
		whole(json_object_get(json_object_get(g, "summary"), "total"), "ios");
	assert_int_equal(sum, 350);

	/* Second 2, by hand. */
	s = json_array_get(samples, 1);
	assert_int_equal(whole(s, "time_ns"), WALL_START + 2 * NS_PER_SEC);
	assert_true(real(s, "elapsed_s") == 2.0);
	assert_true(real(json_object_get(s, "write"), "iops") == 50.0);
	assert_true(real(json_object_get(json_object_get(s, "write"), "lat_ns"), "mean") == 3e6);
	assert_true(real(json_object_get(s, "cpu"), "percent") == 50.0);
	assert_true(real(s, "depth_achieved") == 0.5);
	assert_true(real(s, "depth_requested") == 8.0);
	s = json_array_get(samples, 0);
	assert_true(json_is_null(json_object_get(s, "cpu")));
	assert_true(json_is_null(
		json_object_get(json_object_get(json_object_get(s, "write"), "lat_ns"), "mean")));

	json_t *mark = json_array_get(json_object_get(again, "marks"), 1);
	assert_string_equal(json_string_value(json_object_get(mark, "text")), "say \"ä, b\"");
	assert_string_equal(json_string_value(json_object_get(mark, "letter")), "a");
	assert_string_equal(json_string_value(json_object_get(mark, "kind")), "note");
	json_decref(again);
	timeline_destroy(t);
}

static void a_workload_read_back_is_the_same(void **state)
{
	(void)state;
	struct workload again;
	json_t *j = export_workload(&load);
	assert_int_equal(export_workload_scan(&again, j), 0);
	assert_int_equal(again.workers, 2);
	assert_int_equal(again.outstanding, 4);
	assert_int_equal(again.align, 8192);
	assert_true(again.share_range);
	assert_false(again.paused);
	assert_true(again.range_length == 1ull << 41);
	assert_true(again.seed == load.seed);
	json_t *k = export_workload(&again);
	assert_true(json_equal(j, k));
	json_decref(k);
	json_object_set_new(j, "workers", json_string("two"));
	assert_int_equal(export_workload_scan(&again, j), -EINVAL);
	json_decref(j);
}

/* Whoever can write the store must not be able to have files opened by those who read it. */
static void access_lines_of_a_record_name_no_file(void **state)
{
	struct workload again;
	struct error e;
	char typed[4200];
	const char *path = in_folder("lines");
	(void)state;
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	fputs("4k 100% read 70", f);
	fclose(f);
	snprintf(typed, sizeof(typed), "@%s", path);
	struct workload w = load;
	if (setting_parse(&w, SETTING_LINES, typed, &e))
		fail_msg("%s", e.text);
	json_t *j = export_workload(&w), *settings = json_object_get(j, "settings");
	assert_int_equal(export_workload_scan(&again, j), 0);
	assert_int_equal(again.access.line[0].read_pct, 70);
	json_object_set_new(settings, "lines", json_string(typed));
	assert_int_equal(export_workload_scan(&again, j), -EINVAL);
	json_decref(j);
}

static void text_that_is_no_utf8_is_still_text(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{"plain", "plain"},
		{"a\xffz \xc3\xa4", "a?z \xc3\xa4"},
		{"cut \xe2\x86", "cut ??"},
		{"overlong \xc0\x80", "overlong ??"},
	};
	for (unsigned i = 0; i < 4; i++) {
		json_t *j = export_text(pairs[i][0]);
		assert_non_null(j);
		assert_string_equal(json_string_value(j), pairs[i][1]);
		json_decref(j);
	}
	struct target t = {.kind = TARGET_FILE, .spec = "\xff", .path = "/\xff", .fd = -1};
	json_t *j = export_settings(&load, &t, "live", "lunscope \xff");
	assert_non_null(j);
	json_decref(j);
}

static void a_histogram_lists_its_buckets_with_bounds(void **state)
{
	(void)state;
	struct hist h;
	hist_clear(&h);
	hist_add(&h, 10);
	hist_add(&h, 10);
	hist_add(&h, 1000000);
	json_t *j = export_hist(&h);
	json_t *buckets = json_object_get(j, "buckets");
	assert_int_equal(whole(j, "count"), 3);
	assert_int_equal(whole(j, "sum_ns"), 1000020);
	assert_int_equal(whole(j, "min_ns"), 10);
	assert_int_equal(whole(j, "max_ns"), 1000000);
	assert_int_equal(json_array_size(buckets), 2);
	json_t *b = json_array_get(buckets, 0);
	assert_int_equal(json_integer_value(json_array_get(b, 0)), 10);
	assert_int_equal(json_integer_value(json_array_get(b, 1)), 11);
	assert_int_equal(json_integer_value(json_array_get(b, 2)), 2);
	b = json_array_get(buckets, 1);
	assert_true(json_integer_value(json_array_get(b, 0)) <= 1000000);
	assert_true(json_integer_value(json_array_get(b, 1)) > 1000000);
	json_decref(j);
	hist_clear(&h);
	j = export_hist(&h);
	assert_true(json_is_null(json_object_get(j, "min_ns")));
	json_decref(j);
}

static void csv_has_a_header_and_a_row_a_second(void **state)
{
	(void)state;
	const char *path = in_folder("run.csv");
	struct error e = {""};
	struct timeline *t = three_seconds();
	assert_int_equal(export_write_csv(t, 0, 0, WALL_START, path, &e), 0);
	/* p50 and p99 are the histogram's (within one bucket), the rest is exact. */
	char *text = read_file(path), *line = strtok(text, "\n");
	assert_string_equal(line, "time,elapsed_s,iops_r,iops_w,mib_s_r,mib_s_w,lat_mean_ms_r,"
				  "lat_mean_ms_w,lat_mean_ms_t,p50_ms,p99_ms,cpu_percent,depth,"
				  "errors,generation,offered_s,backlog,due_p50_ms,due_p99_ms,"
				  "gap_s,net_rx_mib_s,net_tx_mib_s,net_rx_packets_s,"
				  "net_tx_packets_s,net_drops_s,net_errors_s,net_pauses_s,"
				  "net_retransmits_s");
	line = strtok(NULL, "\n");
	assert_string_equal(line, "2027-01-01T00:00:01.000Z,1.000,100.000,0.000,0.391,0.000,"
				  "1.000000,,1.000000,1.000000,1.000000,,0.500,0,1,,,,,0.000"
				  ",,,,,,,,");
	line = strtok(NULL, "\n");
	assert_non_null(strstr(line, "2027-01-01T00:00:02.000Z,2.000,100.000,50.000,0.391,0.195,"
				     "1.000000,3.000000,1.666667,1.00"));
	assert_non_null(strstr(line, ",50.000,0.500,4,2"));
	assert_non_null(strtok(NULL, "\n"));
	assert_null(strtok(NULL, "\n"));
	/* What came before the warm-up's end is left out. */
	assert_int_equal(export_write_csv(t, 2 * NS_PER_SEC, 2 * NS_PER_SEC, WALL_START, path, &e),
			 0);
	text = read_file(path);
	strtok(text, "\n");
	line = strtok(NULL, "\n");
	assert_memory_equal(line, "2027-01-01T00:00:03.000Z,1.000,", 31);
	assert_null(strtok(NULL, "\n"));
	timeline_destroy(t);
}

/* What can't be read is no 0. */
static void retransmits_that_are_not_known_are_empty_and_null(void **state)
{
	(void)state;
	for (int known = 0; known < 2; known++) {
		const char *path = in_folder("net.csv");
		struct error e = {""};
		struct timeline *t = three_seconds();
		struct sample s;
		struct hist delta[HISTS];
		sample_clear(&s);
		s.t_ns = 4 * NS_PER_SEC;
		s.dt_ns = NS_PER_SEC;
		s.generation = 2;
		s.net = (struct net_sample){.valid = true,
					    .resends = known != 0,
					    .dt_ns = NS_PER_SEC,
					    .retransmits = known ? 7 : 0};
		for (int k = 0; k < HISTS; k++)
			hist_clear(&delta[k]);
		timeline_tick(t, &s, delta);
		timeline_second(t, &s);
		assert_int_equal(
			export_write_csv(t, 3 * NS_PER_SEC, 3 * NS_PER_SEC, WALL_START, path, &e),
			0);
		char *text = read_file(path), *line = strtok(text, "\n");
		line = strtok(NULL, "\n");
		assert_non_null(line);
		assert_string_equal(strrchr(line, ','), known ? ",7.000" : ",");
		timeline_destroy(t);
	}
}

/* The last one goes on for so long. */
static void add_rest(struct timeline *t, uint64_t ns)
{
	struct sample s;
	sample_clear(&s);
	s.t_ns = 3 * NS_PER_SEC + ns;
	s.dt_ns = ns;
	s.op[IO_READ] = (struct op_sample){.ios = 8, .bytes = 32768, .lat_sum = 8 * NS_PER_MS};
	s.depth_ns = NS_PER_SEC / 4;
	s.depth_requested = 8;
	s.due.offered = 5;
	timeline_second(t, &s);
}

static void what_is_left_over_at_the_end_is_in_the_last_second(void **state)
{
	(void)state;
	const char *path = in_folder("rest.csv");
	struct error e = {""};
	for (int whole_one = 0; whole_one < 2; whole_one++) {
		struct timeline *t = three_seconds();
		add_rest(t, whole_one ? 500 * NS_PER_MS : 44 * NS_PER_MS);
		json_t *samples = export_samples(t, 0, 0, 0), *s;
		size_t n = whole_one ? 4 : 3;
		assert_int_equal(json_array_size(samples), n);
		s = json_array_get(samples, n - 1);
		if (!whole_one) {
			assert_true(real(s, "dt_s") == 1.044);
			assert_int_equal(whole(json_object_get(s, "read"), "ios"), 108);
			assert_true(fabs(real(s, "depth_achieved") - 0.75 / 1.044) < 1e-9);
			assert_int_equal(whole(json_object_get(s, "rate"), "offered"), 5);
		}
		assert_int_equal(export_write_csv(t, 0, 0, WALL_START, path, &e), 0);
		char *text = read_file(path);
		size_t lines = 0;
		for (const char *p = text; *p; p++)
			lines += *p == '\n';
		assert_int_equal(lines, n + 1);
		/* A run that has no whole second has its rest. */
		json_decref(samples);
		samples = export_samples(t, 3 * NS_PER_SEC, 0, 0);
		assert_int_equal(json_array_size(samples), 1);
		json_decref(samples);
		timeline_destroy(t);
	}
}

static void what_gives_way_to_access_lines_is_null(void **state)
{
	struct workload w = workload_default(), again;
	(void)state;
	w.block_size = 512;
	w.read_pct = 30;
	w.think_ns = NS_PER_MS;
	w.access.count = 1;
	w.access.line[0] = (struct access_line){
		.size = 65536, .share = 100, .read_pct = 100, .random_pct = 100, .burst = 1};
	for (w.log_pct = 0; w.log_pct <= 50; w.log_pct += 50) {
		json_t *j = export_workload(&w), *settings = json_object_get(j, "settings");
		bool log = w.log_pct > 0;
		assert_true(json_is_null(json_object_get(j, "read_percent")));
		assert_true(json_is_null(json_object_get(j, "random_percent")));
		assert_null(json_object_get(settings, "think"));
		/* A log's block is the knob's. */
		assert_int_equal(json_is_null(json_object_get(j, "block_bytes")), !log);
		assert_int_equal(json_is_null(json_object_get(j, "align_bytes")), !log);
		assert_int_equal(export_workload_scan(&again, j), 0);
		assert_int_equal(again.block_size, log ? 512 : 4096);
		assert_int_equal(again.read_pct, 100);
		assert_int_equal(again.think_ns, 0);
		assert_int_equal(again.access.count, 1);
		json_t *k = export_workload(&again);
		assert_true(json_equal(j, k));
		json_decref(k);
		/* Of others it is a fault. */
		json_object_set_new(j, "workers", json_null());
		assert_int_equal(export_workload_scan(&again, j), -EINVAL);
		json_decref(j);
	}
}

/* The same, the second one at a rate of 200/s of which 50 are left. */
static struct timeline *with_rate(void)
{
	struct timeline *t = timeline_create();
	static struct hist delta[HISTS];
	struct sample s;
	timeline_mark(t, MARK_START, 0, 1, &load, "run start");
	for (unsigned i = 1; i <= 2; i++) {
		sample_clear(&s);
		for (int k = 0; k < HISTS; k++)
			hist_clear(&delta[k]);
		s.t_ns = i * NS_PER_SEC;
		s.dt_ns = NS_PER_SEC;
		if (i == 2) {
			for (unsigned k = 0; k < 150; k++)
				hist_add(&delta[HIST_DUE], 8 * NS_PER_MS);
			s.due = (struct due_sample){.offered = 200,
						    .started = 150,
						    .ios = 150,
						    .lat_sum = delta[HIST_DUE].sum,
						    .lat_min = delta[HIST_DUE].min,
						    .lat_max = delta[HIST_DUE].max,
						    .backlog = 50,
						    .oldest_ns = 250 * NS_PER_MS};
		}
		timeline_tick(t, &s, delta);
		timeline_second(t, &s);
	}
	return t;
}

static void a_rate_is_in_its_seconds_and_null_in_others(void **state)
{
	(void)state;
	const char *path = in_folder("rate.csv");
	struct error e = {""};
	struct timeline *t = with_rate();
	json_t *samples = export_samples(t, 0, 0, 0);
	assert_true(json_is_null(json_object_get(json_array_get(samples, 0), "rate")));
	const json_t *rate = json_object_get(json_array_get(samples, 1), "rate");
	const json_t *lat = json_object_get(rate, "lat_due_ns");
	assert_int_equal(whole(rate, "offered"), 200);
	assert_int_equal(whole(rate, "started"), 150);
	assert_int_equal(whole(rate, "ios"), 150);
	assert_int_equal(whole(rate, "backlog"), 50);
	assert_int_equal(whole(rate, "backlog_oldest_ns"), 250 * NS_PER_MS);
	assert_true(real(lat, "mean") == 8e6);
	assert_int_equal(whole(lat, "p99"), 8 * NS_PER_MS);
	json_t *segments = export_segments(t, "null", 0, 0), *g = json_array_get(segments, 0);
	assert_int_equal(whole(json_object_get(json_object_get(g, "histograms"), "due"), "count"),
			 150);
	assert_int_equal(whole(json_object_get(json_object_get(g, "summary"), "rate"), "offered"),
			 200);
	assert_int_equal(export_write_csv(t, 0, 0, WALL_START, path, &e), 0);
	char *text = read_file(path);
	assert_non_null(strstr(text, ",0,0,,,,,0.000,,,,,,,,\n"));
	assert_non_null(strstr(text, ",0,0,200.000,50,8.000000,8.000000,0.000,,,,,,,,\n"));
	json_decref(samples);
	json_decref(segments);
	timeline_destroy(t);
}

static void an_output_that_cannot_be_written_is_named(void **state)
{
	(void)state;
	struct error e = {""};
	json_t *doc = json_object();
	const char *path = in_folder("missing/run.json");
	assert_int_equal(export_write_json(doc, path, &e), -ENOENT);
	assert_non_null(strstr(e.text, path));
	assert_int_equal(export_write_json(doc, folder, &e), -EINVAL);
	assert_non_null(strstr(e.text, "is a folder"));
	assert_int_equal(export_write_json(doc, "/dev/lunscope-typo", &e), -EINVAL);
	assert_non_null(strstr(e.text, "nothing is created below /dev"));
	assert_int_equal(access("/dev/lunscope-typo", F_OK), -1);
	/* A disk that is full. */
	assert_int_equal(export_write_json(doc, "/dev/full", &e), -ENOSPC);
	assert_non_null(strstr(e.text, "/dev/full"));
	/* A device takes the text and stays what it is. */
	struct stat st;
	assert_int_equal(export_write_json(doc, "/dev/null", &e), 0);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	json_decref(doc);
}

static void an_old_file_stays_until_the_new_one_is_whole(void **state)
{
	(void)state;
	const char *path = in_folder("old.json"), *link = in_folder("link.json");
	struct error e = {""};
	struct outfile o;
	struct stat st;
	write_file(path, "old");
	chmod(path, 0640);
	unsigned before = files_in_folder();
	assert_int_equal(outfile_open(&o, path, &e), 0);
	fputs("new", o.f);
	fflush(o.f);
	assert_string_equal(read_file(path), "old");
	assert_int_equal(files_in_folder(), before + 1);
	assert_int_equal(outfile_commit(&o, &e), 0);
	assert_string_equal(read_file(path), "new");
	assert_int_equal(files_in_folder(), before);

	/* Through a link: the link stays one, and the mode is kept. */
	assert_int_equal(symlink(path, link), 0);
	assert_int_equal(outfile_open(&o, link, &e), 0);
	fputs("new", o.f);
	assert_int_equal(outfile_commit(&o, &e), 0);
	assert_string_equal(read_file(path), "new");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
	assert_int_equal(files_in_folder(), before + 1);

	mode_t mask = umask(027);
	assert_int_equal(outfile_open(&o, in_folder("fresh"), &e), 0);
	umask(mask);
	assert_int_equal(outfile_commit(&o, &e), 0);
	assert_int_equal(stat(in_folder("fresh"), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

/* --- The host, from a tree made here: two CPUs, a disk sdx (8:400) with a partition. --- */

static void make_path(const char *path)
{
	char at[256];
	snprintf(at, sizeof(at), "%s", path);
	for (char *p = at + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(at, 0755);
		*p = '/';
	}
}

static void put(const char *name, const char *text)
{
	const char *path = in_folder(name);
	make_path(path);
	write_file(path, text);
}

static void the_environment_is_read_below_the_root(void **state)
{
	(void)state;
	put("h/proc/sys/kernel/hostname", "labhost\n");
	put("h/proc/sys/kernel/osrelease", "6.1.0-99-amd64\n");
	put("h/proc/meminfo", "MemTotal:        8000000 kB\nMemFree:  1 kB\n");
	put("h/proc/cpuinfo", "processor\t: 0\nmodel name\t: Test CPU @ 2 GHz\n\n"
			      "processor\t: 1\nmodel name\t: Test CPU @ 2 GHz\n");
	put("h/sys/devices/x/block/sdx/queue/scheduler", "none [mq-deadline] bfq\n");
	put("h/sys/devices/x/block/sdx/queue/nr_requests", "62\n");
	put("h/sys/devices/x/block/sdx/queue/read_ahead_kb", "128\n");
	put("h/sys/devices/x/block/sdx/queue/max_sectors_kb", "1280\n");
	put("h/sys/devices/x/block/sdx/queue/rotational", "1\n");
	put("h/sys/devices/x/block/sdx/queue/write_cache", "write back\n");
	put("h/sys/devices/x/block/sdx/queue/logical_block_size", "512\n");
	put("h/sys/devices/x/block/sdx/sdx1/partition", "1\n");
	make_path(in_folder("h/sys/dev/block/"));
	assert_int_equal(
		symlink("../../devices/x/block/sdx/sdx1", in_folder("h/sys/dev/block/8:401")), 0);
	struct target t = {.kind = TARGET_BLOCK, .rdev = makedev(8, 401), .fd = -1};
	json_t *j = export_environment(in_folder("h"), &t, WALL_START);
	assert_string_equal(json_string_value(json_object_get(j, "host")), "labhost");
	assert_string_equal(json_string_value(json_object_get(j, "kernel")), "6.1.0-99-amd64");
	assert_int_equal(whole(j, "memory_bytes"), 8000000ll * 1024);
	assert_int_equal(whole(j, "time_ns"), WALL_START);
	json_t *cpu = json_object_get(j, "cpu"), *q = json_object_get(j, "queue");
	assert_int_equal(whole(cpu, "count"), 2);
	assert_string_equal(json_string_value(json_object_get(cpu, "model")), "Test CPU @ 2 GHz");
	assert_string_equal(json_string_value(json_object_get(q, "device")), "sdx");
	assert_string_equal(json_string_value(json_object_get(q, "scheduler")), "mq-deadline");
	assert_int_equal(whole(q, "nr_requests"), 62);
	assert_int_equal(whole(q, "read_ahead_kb"), 128);
	assert_int_equal(whole(q, "max_sectors_kb"), 1280);
	assert_int_equal(whole(q, "logical_block_bytes"), 512);
	assert_true(json_is_true(json_object_get(q, "rotational")));
	assert_string_equal(json_string_value(json_object_get(q, "write_cache")), "write back");
	/* What isn't there is not known, never 0. */
	assert_true(json_is_null(json_object_get(q, "physical_block_bytes")));
	json_decref(j);

	t.rdev = makedev(8, 999);
	j = export_environment(in_folder("h"), &t, WALL_START);
	assert_true(json_is_null(json_object_get(j, "queue")));
	json_decref(j);
}

static void the_settings_name_the_target(void **state)
{
	(void)state;
	struct target t = {.kind = TARGET_FILE,
			   .spec = "scratch.dat",
			   .path = "/tmp/scratch.dat",
			   .size = 1 << 30,
			   .logical_block = 512,
			   .fd = -1,
			   .direct = true,
			   .backend = backend_find("libaio"),
			   .backend_why = "some reason"};
	json_t *j = export_settings(&load, &t, "live", "lunscope scratch.dat");
	assert_non_null(j);
	json_t *target = json_object_get(j, "target");
	assert_string_equal(json_string_value(json_object_get(j, "engine")), "libaio");
	assert_string_equal(json_string_value(json_object_get(j, "engine_why")), "some reason");
	assert_string_equal(json_string_value(json_object_get(j, "mode")), "live");
	assert_string_equal(json_string_value(json_object_get(target, "path")), "/tmp/scratch.dat");
	assert_string_equal(json_string_value(json_object_get(target, "kind")), "file");
	assert_int_equal(whole(target, "size_bytes"), 1 << 30);
	assert_true(json_is_true(json_object_get(target, "direct")));
	assert_int_equal(whole(json_object_get(j, "workload"), "block_bytes"), 4096);
	json_decref(j);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_document_parses_again_and_its_sums_match),
		cmocka_unit_test(retransmits_that_are_not_known_are_empty_and_null),
		cmocka_unit_test(what_is_left_over_at_the_end_is_in_the_last_second),
		cmocka_unit_test(what_gives_way_to_access_lines_is_null),
		cmocka_unit_test(a_workload_read_back_is_the_same),
		cmocka_unit_test(access_lines_of_a_record_name_no_file),
		cmocka_unit_test(text_that_is_no_utf8_is_still_text),
		cmocka_unit_test(a_histogram_lists_its_buckets_with_bounds),
		cmocka_unit_test(csv_has_a_header_and_a_row_a_second),
		cmocka_unit_test(a_rate_is_in_its_seconds_and_null_in_others),
		cmocka_unit_test(an_output_that_cannot_be_written_is_named),
		cmocka_unit_test(an_old_file_stays_until_the_new_one_is_whole),
		cmocka_unit_test(the_environment_is_read_below_the_root),
		cmocka_unit_test(the_settings_name_the_target),
	};
	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
