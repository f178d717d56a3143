/* io-hostile.c - headless runs in surroundings that mean no good: no standard files, results that are
 * named like what is measured, pipes without a reader, full disks. What must not be written to is
 * summed before and after.
 */
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "tests/io.h"
#include "tests/loopdev.h"
#include "tests/scratch.h"

#define MIB (1ull << 20)

static struct loopdev disk = {.number = -1};

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

static void need_loops(void)
{
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
}

static void make_disk(uint64_t size)
{
	need_loops();
	assert_int_equal(loopdev_make(&disk, "disk", size, NULL), 0);
}

static int free_disk(void **state)
{
	(void)state;
	return loopdev_free(&disk);
}

/* FNV-1a over a whole file. */
static uint64_t sum_of(const char *path, uint64_t from, uint64_t length)
{
	static unsigned char block[1 << 16];
	uint64_t sum = 0xcbf29ce484222325ull;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	while (length > 0) {
		ssize_t n = pread(fd, block, length < sizeof(block) ? length : sizeof(block),
				  (off_t)from);
		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++)
			sum = (sum ^ block[i]) * 0x100000001b3ull;
		from += (uint64_t)n;
		length -= (uint64_t)n;
	}
	close(fd);
	return sum;
}

/* A line for sh, in which $L is the program. */
static void shell(struct proc *p, const char *line)
{
	char set[PATH_MAX + 8];
	snprintf(set, sizeof(set), "L=%s", lunscope_path());
	const char *env[] = {set, NULL};
	const char *argv[] = {"sh", "-c", line, NULL};
	assert_int_equal(proc_run(p, argv, &(struct proc_options){.env = env}), 0);
	assert_false(p->timed_out);
}

/* The document in a file, whole. */
static void check_document(const char *path)
{
	json_t *doc = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
	if (!doc)
		fail_msg("%s is no whole document", path);
	assert_true(io_count(doc, "summary.total.ios") > 0);
	assert_int_equal(io_sum(doc, "samples", "read.ios"), io_count(doc, "summary.read.ios"));
	json_decref(doc);
}

/* --- Without standard files. --- */

/* What --i-own has to say comes from the refusal itself. */
static void ask_for_id(char *id, size_t n)
{
	struct proc p;
	PROC(&p, lunscope_path(), "run", disk.node, "--read", "0", "--write", "--no-store");
	assert_int_equal(p.status, 3);
	char *at = strstr(p.err, "--i-own '");
	assert_non_null(at);
	snprintf(id, n, "%.*s", (int)strcspn(at + 9, "'"), at + 9);
	proc_free(&p);
}

/* A target that were open as descriptor 1 or 2 would get the table and the warnings. */
static void without_standard_files_the_words_do_not_go_to_the_target(void **state)
{
	struct proc p;
	char id[256], line[1024];
	(void)state;
	make_disk(16 * MIB);
	ask_for_id(id, sizeof(id));
	static const char *const closed[] = {"<&- >&- 2>&-", ">&- 2>&-", "<&- >&-", "<&- 2>&-"};
	for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++) {
		uint64_t before = sum_of(disk.backing, 0, 8 * MIB);
		uint64_t window = sum_of(disk.backing, 8 * MIB, 4 * MIB);
		uint64_t after = sum_of(disk.backing, 12 * MIB, 4 * MIB);
		snprintf(line, sizeof(line),
			 "$L run %s --buffered --backend sync --outstanding 1 --read 0 --range "
			 "8m:4m --write --destroy --i-own '%s' --for 500ms --no-store %s",
			 disk.node, id, closed[i]);
		shell(&p, line);
		if (p.status)
			fail_msg("%s: status %d: %s", closed[i], p.status, p.err);
		proc_free(&p);
		int fd = open(disk.node, O_RDWR | O_CLOEXEC);
		assert_int_equal(fsync(fd), 0);
		close(fd);
		assert_true(sum_of(disk.backing, 0, 8 * MIB) == before);
		assert_true(sum_of(disk.backing, 8 * MIB, 4 * MIB) != window);
		assert_true(sum_of(disk.backing, 12 * MIB, 4 * MIB) == after);
	}
}

/* --- Results that would take the place of something. --- */

static void check_refused(const char *file, const char *const arguments[])
{
	struct proc p;
	const char *argv[16] = {lunscope_path(), "run"};
	for (size_t i = 0; arguments[i]; i++)
		argv[i + 2] = arguments[i];
	struct stat was, is;
	assert_int_equal(stat(file, &was), 0);
	uint64_t sum = sum_of(file, 0, UINT64_MAX);
	assert_int_equal(proc_run(&p, argv, NULL), 0);
	if (p.status != 2 || *p.out || !has(p.err, "lunscope: --") || !has(p.err, "name "))
		fail_msg("%s %s: status %d: %s%s", arguments[1], arguments[2], p.status, p.err,
			 p.out);
	proc_free(&p);
	assert_int_equal(stat(file, &is), 0);
	assert_int_equal(is.st_ino, was.st_ino);
	assert_true(sum_of(file, 0, UINT64_MAX) == sum);
}
#define KEPT(file, ...) check_refused(file, (const char *const[]){__VA_ARGS__, NULL})

static void a_result_never_replaces_the_target(void **state)
{
	char file[PATH_MAX], link[PATH_MAX], hard[PATH_MAX];
	(void)state;
	snprintf(file, sizeof(file), "%s", scratch_file("measured", MIB, false));
	snprintf(link, sizeof(link), "%s", scratch_path("link"));
	snprintf(hard, sizeof(hard), "%s", scratch_path("hard"));
	assert_int_equal(symlink(file, link), 0);
	assert_int_equal(linkat(AT_FDCWD, file, AT_FDCWD, hard, 0), 0);
	const char *const names[] = {file, link, hard};
	for (int i = 0; i < 3; i++) {
		KEPT(file, file, "--json", names[i], "--no-store", "--for", "200ms");
		KEPT(file, file, "--csv", names[i], "--no-store", "--for", "200ms");
		KEPT(file, file, "--store", names[i], "--for", "200ms");
	}
}

static void a_result_never_replaces_the_file_behind_a_loop_device(void **state)
{
	(void)state;
	make_disk(MIB);
	KEPT(disk.backing, disk.node, "--json", disk.backing, "--no-store", "--for", "200ms");
	KEPT(disk.backing, disk.node, "--csv", disk.backing, "--no-store", "--for", "200ms");
	KEPT(disk.backing, disk.node, "--store", disk.backing, "--for", "200ms");
	KEPT(disk.backing, disk.node, "--json", disk.node, "--no-store", "--for", "200ms");
}

static void results_and_the_store_do_not_replace_each_other(void **state)
{
	struct proc p;
	char store[PATH_MAX], json[PATH_MAX], also[PATH_MAX];
	(void)state;
	snprintf(store, sizeof(store), "%s", scratch_path("kept.db"));
	snprintf(json, sizeof(json), "%s", scratch_text("result.json", "{}"));
	snprintf(also, sizeof(also), "%s/./result.json", scratch_dir());
	PROC(&p, lunscope_path(), "run", "null:1ms", "--for", "200ms", "--store", store);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	KEPT(store, "null:1ms", "--json", store, "--store", store, "--for", "200ms");
	KEPT(store, "null:1ms", "--csv", store, "--store", store, "--for", "200ms");
	KEPT(json, "null:1ms", "--json", json, "--csv", json, "--no-store", "--for", "200ms");
	KEPT(json, "null:1ms", "--json", json, "--csv", also, "--no-store", "--for", "200ms");
	/* Names that stand for nothing yet are compared too. */
	unlink(json);
	PROC(&p, lunscope_path(), "run", "null:1ms", "--json", json, "--csv", also, "--no-store",
	     "--for", "200ms");
	assert_int_equal(p.status, 2);
	assert_int_equal(access(json, F_OK), -1);
	proc_free(&p);
	/* The standard store has no option that names it. */
	PROC(&p, lunscope_path(), "run", "null:1ms", "--for", "200ms");
	assert_int_equal(p.status, 0);
	proc_free(&p);
	const char *state_home = getenv("XDG_STATE_HOME");
	if (state_home && *state_home == '/') {
		snprintf(store, sizeof(store), "%s/lunscope/runs.db", state_home);
		KEPT(store, "null:1ms", "--json", store, "--for", "200ms");
	}
}

static void an_option_is_no_file_name(void **state)
{
	struct proc p;
	char program[PATH_MAX];
	(void)state;
	assert_non_null(realpath(lunscope_path(), program));
	const char *argv[] = {program, "run",    "null:1ms",   "--for",
			      "200ms", "--json", "--no-store", NULL};
	struct proc_options o = {.dir = scratch_dir()};
	assert_int_equal(proc_run(&p, argv, &o), 0);
	assert_int_equal(p.status, 2);
	assert_string_equal(p.out, "");
	assert_true(has(p.err, "'--json' needs a value") && has(p.err, "'--no-store'"));
	proc_free(&p);
	assert_int_equal(access(scratch_path("--no-store"), F_OK), -1);
}

/* --- Standard output. --- */

static void a_document_on_standard_output_stands_there_alone(void **state)
{
	struct proc p;
	(void)state;
	PROC(&p, lunscope_path(), "run", "null:1ms", "--for", "500ms", "--no-store", "--json", "-");
	if (p.status)
		fail_msg("status %d: %s", p.status, p.err);
	json_t *doc = json_loads(p.out, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(doc);
	assert_true(io_count(doc, "summary.read.ios") > 0);
	json_decref(doc);
	assert_true(has(p.err, "IOPS") && has(p.err, "p99.9"));
	proc_free(&p);
	PROC(&p, lunscope_path(), "run", "null:1ms", "--for", "500ms", "--no-store", "--csv", "-");
	assert_int_equal(p.status, 0);
	assert_int_equal(strncmp(p.out, "time,elapsed_s,", 15), 0);
	assert_false(has(p.out, "p99.9"));
	assert_true(has(p.err, "p99.9"));
	proc_free(&p);
}

/* By its name, /dev/stdout, the file would be replaced, and the link itself where the file is gone. */
static void standard_output_is_appended_to_and_never_replaced(void **state)
{
	struct proc p;
	struct stat st;
	const char *file = scratch_text("log", "first line\n");
	char line[PATH_MAX + 256];
	(void)state;
	assert_int_equal(stat(file, &st), 0);
	ino_t was = st.st_ino;
	snprintf(line, sizeof(line),
		 "$L run null:1ms --for 300ms --no-store --json - 2>/dev/null >>%s", file);
	shell(&p, line);
	assert_int_equal(p.status, 0);
	proc_free(&p);
	assert_int_equal(stat(file, &st), 0);
	assert_int_equal(st.st_ino, was);
	FILE *f = fopen(file, "re");
	assert_non_null(f);
	assert_non_null(fgets(line, sizeof(line), f));
	assert_string_equal(line, "first line\n");
	json_t *doc = json_loadf(f, JSON_REJECT_DUPLICATES, NULL);
	fclose(f);
	assert_non_null(doc);
	json_decref(doc);

	if (geteuid() != 0) {
		print_message("needs root for a /dev of its own\n");
		skip();
	}
	snprintf(line, sizeof(line),
		 "unshare -m sh -c 'mount -t tmpfs none /dev && mknod /dev/null c 1 3 && ln -s "
		 "/proc/self/fd/1 /dev/stdout && exec 5>%s && rm %s && $L run null:1ms --for 300ms "
		 "--no-store --json - >&5 2>/dev/null && test -L /dev/stdout'",
		 file, file);
	shell(&p, line);
	if (p.status)
		fail_msg("status %d: %s", p.status, p.err);
	proc_free(&p);
}

static void a_full_disk_behind_standard_output_is_told_and_costs_no_file(void **state)
{
	struct proc p;
	char line[PATH_MAX + 256];
	const char *json = scratch_path("full.json");
	(void)state;
	snprintf(line, sizeof(line), "$L run null:1ms --for 500ms --no-store --json %s >/dev/full",
		 json);
	shell(&p, line);
	assert_int_equal(p.status, 2);
	assert_true(has(p.err, "standard output: No space left on device"));
	check_document(json);
	proc_free(&p);
	shell(&p, "$L --help >/dev/full");
	assert_int_equal(p.status, 2);
	proc_free(&p);
}

/* It is told as what it is, and not by dying of SIGPIPE (128 + 13). */
static void a_reader_that_has_gone_costs_no_file(void **state)
{
	struct proc p;
	char line[PATH_MAX + 256];
	const char *json = scratch_path("pipe.json");
	(void)state;
	snprintf(line, sizeof(line),
		 "{ $L run null:1ms --for 500ms --no-store --json %s; echo status $? >&2; } | true",
		 json);
	shell(&p, line);
	assert_true(has(p.err, "standard output: Broken pipe"));
	assert_true(has(p.err, "status 2\n"));
	proc_free(&p);
	check_document(json);
}

static void an_interrupted_warm_up_says_so(void **state)
{
	struct proc p;
	const char *json = scratch_path("warm.json"), *store = scratch_path("warm.db");
	const char *const argv[] = {lunscope_path(), "run", "null:1ms", "--warmup", "100s",
				    "--store",       store, "--json",   json,       NULL};
	(void)state;
	assert_int_equal(proc_start(&p, argv, NULL), 0);
	io_await_told(store, "run 1, running: ");
	kill(p.pid, SIGINT);
	proc_wait(&p);
	assert_int_equal(p.status, 128 + SIGINT);
	assert_true(has(p.err, "interrupted in the warm-up"));
	proc_free(&p);
	check_document(json);
}

static void a_backend_with_a_depth_of_its_own_runs_at_that(void **state)
{
	struct outcome o;
	const char *file = scratch_file("file", MIB, false);
	(void)state;
	IO_RUN(&o, file, "--backend", "sync", "--for", "500ms");
	if (o.p.status)
		fail_msg("status %d: %s", o.p.status, o.p.err);
	assert_int_equal(io_count(o.doc, "settings.workload.outstanding"), 1);
	assert_true(io_number(o.doc, "summary.depth_requested") == 1);
	io_free(&o);
}

#define DISK_TEST(f) cmocka_unit_test_teardown(f, free_disk)

int main(void)
{
	const struct CMUnitTest tests[] = {
		DISK_TEST(without_standard_files_the_words_do_not_go_to_the_target),
		cmocka_unit_test(a_result_never_replaces_the_target),
		DISK_TEST(a_result_never_replaces_the_file_behind_a_loop_device),
		cmocka_unit_test(results_and_the_store_do_not_replace_each_other),
		cmocka_unit_test(an_option_is_no_file_name),
		cmocka_unit_test(a_document_on_standard_output_stands_there_alone),
		cmocka_unit_test(standard_output_is_appended_to_and_never_replaced),
		cmocka_unit_test(a_full_disk_behind_standard_output_is_told_and_costs_no_file),
		cmocka_unit_test(a_reader_that_has_gone_costs_no_file),
		cmocka_unit_test(an_interrupted_warm_up_says_so),
		cmocka_unit_test(a_backend_with_a_depth_of_its_own_runs_at_that),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
