/* io-status.c - what a headless run says and where, what it leaves behind, and how it ends. */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "config.h"
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

static struct loopdev disk = {.number = -1};

static void make_disk(void)
{
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&disk, "disk", 16 << 20, NULL), 0);
}

static int free_disk(void **state)
{
	(void)state;
	return loopdev_free(&disk);
}

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

/* Nothing on stdout, one line on stderr that has both words. */
static void check_one_line(const struct proc *p, int status, const char *culprit,
			   const char *remedy)
{
	const char *end = strchr(p->err, '\n');
	if (p->status != status || *p->out || strncmp(p->err, "lunscope: ", 10) != 0 || !end ||
	    end[1] || !has(p->err, culprit) || !has(p->err, remedy))
		fail_msg("status %d, looked for '%s' and '%s' in: %s%s", p->status, culprit, remedy,
			 p->err, p->out);
}

static void check_fine(const struct outcome *o)
{
	if (o->p.status)
		fail_msg("status %d: %s", o->p.status, o->p.err);
}

static void bad_usage_is_told_in_one_line_with_culprit_and_remedy(void **state)
{
	const char *folder = scratch_dir(), *file = scratch_file("file", 1 << 20, false);
	const char *fresh = scratch_path("fresh"), *missing = scratch_path("missing/x");
	const struct {
		const char *arguments[9], *culprit, *remedy;
	} bad[] = {
		{{NULL}, "run", "TARGET"},
		{{file, file}, "same target", "name it once"},
		{{folder}, folder, "a target is a block device, a file or null:"},
		{{"/dev/null"}, "/dev/null", "a target is a block device, a file or null:"},
		{{"/dev/zero", "--block", "1000"}, "1000", "multiple of its"},
		{{fresh}, fresh, "--create SIZE"},
		{{"/dev/sdzzz"}, "/dev/sdzzz", "lunscope targets"},
		{{"/dev/sdzzz", "--create", "1m"}, "/dev/sdzzz", "a file elsewhere"},
		{{missing, "--create", "1m"}, missing, "No such file"},
		{{"null:fast"}, "fast", "null:200us"},
		{{file, "--block", "1000"}, "1000", "multiple of its"},
		{{fresh, "--create", "1m", "--block", "1000"}, "1000", "multiple of its"},
		{{file, "--align", "777"}, "777", "multiple of its"},
		{{file, "--range", "100:4k"}, "100", "multiple of its"},
		{{file, "--range", "1M:4k"}, "range", "1048576 bytes"},
		{{file, "--range", "4k"}, "4k", "START:LENGTH"},
		{{file, "--workers", "200", "--block", "8k"}, "200 workers", "--share-range"},
		{{file, "--backend", "sync", "--outstanding", "8"},
		 "outstanding 8",
		 "outstanding 1"},
		{{file, "--buffered", "--outstanding", "1", "--backend", "libaio"},
		 "libaio",
		 "--backend sync"},
		{{file, "--backend", "aio"}, "'aio'", "lunscope backends"},
		{{"null:", "--backend", "libaio"}, "libaio", "null"},
		{{"null:", "--block", "0"}, "'0'", "1 byte to 64 MiB"},
		{{"null:", "--block", "65m"}, "'65m'", "1 byte to 64 MiB"},
		{{"null:", "--block", "4q"}, "'4q'", "k M G"},
		{{"null:", "--workers", "0"}, "'0'", "from 1 to 256"},
		{{"null:", "--workers", "257"}, "'257'", "from 1 to 256"},
		{{"null:", "--outstanding", "many"}, "'many'", "from 1 to 4096"},
		{{"null:", "--read", "101"}, "'101'", "from 0 to 100"},
		{{"null:", "--random", "-1"}, "'-1'", "from 0 to 100"},
		{{"null:", "--rate", "fast"}, "'fast'", "max"},
		{{"null:", "--for", "0"}, "'0'", "more than 0"},
		{{"null:", "--for", "soon"}, "'soon'", "30s"},
		{{"null:", "--units", "KB"}, "'KB'", "MiB or MB"},
		{{"null:", "--frobnicate"}, "--frobnicate", "lunscope --help"},
		{{"null:", "--for"}, "--for", "needs a value"},
		{{"null:", "--fps", "4"}, "--fps", "not for run, but for the live screen"},
		{{"null:", "--json", "-", "--csv", "-"}, "standard output", "name two files"},
		{{"null:", "--spin", "20"}, "'20'", "seconds; write 20us"},
		{{"null:", "--store", "x", "--no-store"}, "--no-store", "exclude"},
		{{"null:", "--i-own", "x"}, "--i-own", "add --write"},
		{{file, "--json", file}, file, "another file"},
		{{file, "--csv", file}, file, "another file"},
		{{fresh, "--create", "1m", "--json", folder}, folder, "name a file"},
		{{fresh, "--create", "1m", "--json", missing}, missing, "cannot be written"},
		{{fresh, "--create", "1m", "--csv", "/proc/x"}, "/proc/x", "cannot be written"},
		{{fresh, "--create", "1m", "--csv", "/dev/sdzzz"}, "/dev/sdzzz", "elsewhere"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct proc p;
		const char *argv[12] = {lunscope_path(), "run"};
		memcpy(argv + 2, bad[i].arguments, sizeof(bad[i].arguments));
		assert_int_equal(proc_run(&p, argv, NULL), 0);
		check_one_line(&p, 2, bad[i].culprit, bad[i].remedy);
		proc_free(&p);
		/* Found before anything is made. */
		assert_int_equal(access(fresh, F_OK), -1);
	}
	struct stat st;
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_size, 1 << 20);
}

static void the_guard_s_refusal_is_status_3_and_nothing_is_written(void **state)
{
	struct proc p;
	struct blockstat before, after;
	(void)state;
	make_disk();
	assert_int_equal(loopdev_stat(&disk, &before), 0);
	PROC(&p, lunscope_path(), "run", disk.node, "--read", "50", "--no-store");
	assert_int_equal(p.status, 3);
	assert_string_equal(p.out, "");
	assert_true(has(p.err, disk.node) && has(p.err, "--write --i-own"));
	proc_free(&p);
	PROC(&p, lunscope_path(), "run", disk.node, "--read", "0", "--write", "--i-own", "other",
	     "--destroy", "--no-store");
	assert_int_equal(p.status, 3);
	assert_string_equal(p.out, "");
	assert_true(has(p.err, "'other'"));
	proc_free(&p);
	assert_int_equal(loopdev_stat(&disk, &after), 0);
	assert_int_equal(after.write_ios, before.write_ios);
}

static void a_good_run_is_status_0_with_its_result_on_stdout(void **state)
{
	struct outcome o;
	(void)state;
	IO_RUN(&o, "null:1ms", "--for", "1500ms", "--warmup", "500ms", "--workers", "2");
	check_fine(&o);
	assert_true(has(o.p.out, "IOPS") && has(o.p.out, "p99.9") && has(o.p.out, "errors"));
	assert_false(has(o.p.err, "IOPS"));
	assert_false(has(o.p.err, "lunscope:"));
	io_check_sums(o.doc);
	assert_true(io_number(o.doc, "summary.depth_requested") == 16);
	double seconds = io_number(o.doc, "summary.elapsed_s");
	assert_true(seconds >= 1.5);
	io_free(&o);
}

static void the_zero_device_is_read_by_every_backend_and_never_written(void **state)
{
	static const char *const backends[] = {
		"libaio",
#ifdef HAVE_URING
		"io_uring",
#endif
		"sync",
	};
	struct outcome o;
	(void)state;
	for (size_t i = 0; i < sizeof(backends) / sizeof(*backends); i++) {
		IO_RUN(&o, "/dev/zero", "--backend", backends[i], "--outstanding", "1", "--for",
		       "500ms");
		check_fine(&o);
		io_check_sums(o.doc);
		assert_true(io_count(o.doc, "summary.read.ios") > 0);
		assert_int_equal(io_count(o.doc, "summary.total.errors"), 0);
		io_free(&o);
	}
	IO_RUN(&o, "/dev/zero", "--read", "0", "--write", "--i-own", "x", "--for", "500ms");
	assert_true(o.p.status == 2 || o.p.status == 3);
	assert_true(has(o.p.err, "/dev/zero: is only ever read"));
	assert_null(o.doc);
	io_free(&o);
}

/* Elsewhere, or later, the choice may be another one. */
static void the_command_that_repeats_a_run_names_its_backend(void **state)
{
	struct outcome o;
	(void)state;
	IO_RUN(&o, scratch_file("chosen", 1 << 20, false), "--for", "500ms");
	check_fine(&o);
	json_t *settings = json_object_get(o.doc, "settings");
	const char *engine = json_string_value(json_object_get(settings, "engine"));
	const char *why = json_string_value(json_object_get(settings, "engine_why"));
	char option[64], line[128];
	snprintf(option, sizeof(option), " --backend %s ", engine);
	assert_true(has(json_string_value(json_object_get(settings, "command")), option));
	assert_true(why[0]);
	snprintf(line, sizeof(line), "engine    %s\n          auto: %s\n", engine, why);
	assert_true(has(o.p.out, line));
	io_free(&o);
}

static void files_are_made_kept_and_read_again(void **state)
{
	struct outcome o;
	struct stat st;
	char path[PATH_MAX];
	(void)state;
	snprintf(path, sizeof(path), "%s", scratch_path("made"));
	IO_RUN(&o, path, "--create", "8m", "--read", "50", "--for", "1s");
	check_fine(&o);
	io_check_sums(o.doc);
	assert_true(io_count(o.doc, "summary.write.ios") > 0);
	io_free(&o);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 8 << 20);
	assert_true(st.st_blocks * 512 >= 8 << 20);
	/* An existing file is read as it is, and not made anew. */
	IO_RUN(&o, path, "--create", "16m", "--backend", "sync", "--outstanding", "1", "--for",
	       "1s");
	check_fine(&o);
	io_check_sums(o.doc);
	assert_int_equal(io_count(o.doc, "settings.target.size_bytes"), 8 << 20);
	io_free(&o);
	IO_RUN(&o, path, "--buffered", "--block", "700", "--outstanding", "1", "--for", "1s");
	check_fine(&o);
	io_check_sums(o.doc);
	assert_int_equal(io_count(o.doc, "summary.read.bytes"),
			 io_count(o.doc, "summary.read.ios") * 700);
	io_free(&o);
	/* It is the operator's now: writing needs consent. */
	IO_RUN(&o, path, "--read", "0", "--for", "1s");
	assert_int_equal(o.p.status, 3);
	assert_null(o.doc);
	io_free(&o);
}

static void io_errors_are_counted_and_do_not_end_the_run(void **state)
{
	struct outcome o;
	(void)state;
	make_disk();
	assert_int_equal(truncate(disk.backing, 0), 0);
	IO_RUN(&o, disk.node, "--for", "2s");
	assert_int_equal(o.p.status, 1);
	assert_true(io_number(o.doc, "summary.elapsed_s") >= 2);
	assert_true(io_count(o.doc, "summary.read.errors") > 0);
	io_check_sums(o.doc);
	assert_true(has(o.p.err, "EIO"));
	assert_true(has(o.p.out, "errors"));
	io_free(&o);

	IO_RUN(&o, disk.node, "--for", "25s", "--stop-on-error");
	assert_int_equal(o.p.status, 1);
	assert_true(has(o.p.err, "ended early"));
	io_check_sums(o.doc);
	io_free(&o);
}

/* A mount of our own, gone with this process. */
static void mount_small(const char *at)
{
	if (geteuid() != 0 || unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		print_message("needs root and a mount namespace\n");
		skip();
	}
	assert_int_equal(mkdir(at, 0700), 0);
	assert_int_equal(mount("tmpfs", at, "tmpfs", 0, "size=2m"), 0);
}

static void a_full_file_system_is_an_error_by_its_name(void **state)
{
	struct outcome o;
	char small[PATH_MAX / 2], file[PATH_MAX];
	(void)state;
	snprintf(small, sizeof(small), "%s", scratch_path("small"));
	mount_small(small);
	snprintf(file, sizeof(file), "%s/sparse", small);
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, 32 << 20), 0);
	close(fd);
	IO_RUN(&o, file, "--buffered", "--outstanding", "1", "--read", "0", "--for", "1s",
	       "--write", "--i-own", file, "--destroy");
	if (o.p.status != 1)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	assert_true(has(o.p.err, "ENOSPC"));
	assert_true(io_count(o.doc, "summary.write.errors") > 0);
	assert_true(io_count(o.doc, "summary.write.ios") > 0);
	io_check_sums(o.doc);
	io_free(&o);

	/* No room for a new scratch file: told before the run, and nothing is left. */
	struct proc p;
	snprintf(file, sizeof(file), "%s/new", small);
	PROC(&p, lunscope_path(), "run", file, "--create", "32m", "--no-store");
	check_one_line(&p, 2, file, "no room");
	proc_free(&p);
	assert_int_equal(access(file, F_OK), -1);
	umount(small);
}

/* Until the run has its first second in the store's write-ahead log, or long enough. */
static void let_it_run(void)
{
	nanosleep(&(struct timespec){1, 500000000}, NULL);
}

static void check_signal(int number)
{
	struct proc p;
	const char *json = scratch_path("cut.json"), *csv = scratch_path("cut.csv");
	const char *store = scratch_path("cut.db");
	const char *const argv[] = {lunscope_path(), "run", "null:1ms", "--for", "100s",
				    "--json",        json,  "--csv",    csv,     "--store",
				    store,           NULL};
	unlink(json);
	unlink(csv);
	assert_int_equal(proc_start(&p, argv, NULL), 0);
	let_it_run();
	kill(p.pid, number);
	proc_wait(&p);
	assert_false(p.timed_out);
	assert_int_equal(p.status, 128 + number);
	assert_true(has(p.out, "IOPS") && has(p.out, "kept as run"));
	json_t *doc = json_load_file(json, 0, NULL);
	assert_true(io_count(doc, "summary.total.ios") > 0);
	assert_int_equal(io_sum(doc, "samples", "read.ios"), io_count(doc, "summary.read.ios"));
	json_decref(doc);
	assert_int_equal(access(csv, R_OK), 0);
	proc_free(&p);
	PROC(&p, lunscope_path(), "list", "--store", store);
	assert_int_equal(p.status, 0);
	assert_true(has(p.out, "interrupted"));
	proc_free(&p);
}

static void a_signal_ends_the_run_in_order(void **state)
{
	(void)state;
	check_signal(SIGINT);
	check_signal(SIGTERM);
	check_signal(SIGHUP);
}

static void a_signal_while_a_file_is_made_leaves_none(void **state)
{
	struct proc p;
	const char *path = scratch_path("huge");
	const char *const argv[] = {lunscope_path(), "run", path, "--create", "8g",
				    "--no-store",    NULL};
	(void)state;
	assert_int_equal(proc_start(&p, argv, NULL), 0);
	nanosleep(&(struct timespec){0, 200000000}, NULL);
	kill(p.pid, SIGINT);
	proc_wait(&p);
	/* It may have had no room for it either. */
	assert_true(p.status == 128 + SIGINT || p.status == 2);
	proc_free(&p);
	assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_usage_is_told_in_one_line_with_culprit_and_remedy),
		cmocka_unit_test_teardown(the_guard_s_refusal_is_status_3_and_nothing_is_written,
					  free_disk),
		cmocka_unit_test(a_good_run_is_status_0_with_its_result_on_stdout),
		cmocka_unit_test(the_zero_device_is_read_by_every_backend_and_never_written),
		cmocka_unit_test(the_command_that_repeats_a_run_names_its_backend),
		cmocka_unit_test(files_are_made_kept_and_read_again),
		cmocka_unit_test_teardown(io_errors_are_counted_and_do_not_end_the_run, free_disk),
		cmocka_unit_test(a_signal_ends_the_run_in_order),
		cmocka_unit_test(a_signal_while_a_file_is_made_leaves_none),
		cmocka_unit_test(a_full_file_system_is_an_error_by_its_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
