/* proc-self.c - the helpers that other tests stand on: programs, scratch folders, loop devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "tests/loopdev.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static void a_program_s_streams_and_status_are_kept_apart(void **state)
{
	struct proc p;
	(void)state;
	assert_int_equal(PROC(&p, "sh", "-c", "echo out; echo err >&2; exit 3"), 0);
	assert_string_equal(p.out, "out\n");
	assert_string_equal(p.err, "err\n");
	assert_int_equal(p.status, 3);
	assert_false(p.timed_out);
	proc_free(&p);
}

static void large_output_does_not_block(void **state)
{
	struct proc p;
	(void)state;
	PROC(&p, "sh", "-c", "head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2");
	assert_int_equal(p.out_length, 3000000);
	assert_int_equal(p.err_length, 1000000);
	assert_int_equal(p.status, 0);
	proc_free(&p);
}

static void input_environment_and_folder_reach_the_program(void **state)
{
	struct proc p;
	const char *env[] = {"GREETING=hello", "HOME", NULL};
	const char *argv[] = {"sh", "-c", "cat; echo $GREETING ${HOME-gone}; pwd", NULL};
	struct proc_options o = {.env = env, .dir = "/", .input = "typed\n"};
	(void)state;
	proc_run(&p, argv, &o);
	assert_string_equal(p.out, "typed\nhello gone\n/\n");
	proc_free(&p);
}

static void a_signal_and_a_missing_program_have_a_shell_s_status(void **state)
{
	struct proc p;
	(void)state;
	PROC(&p, "sh", "-c", "kill -ABRT $$");
	assert_int_equal(p.status, 128 + SIGABRT);
	proc_free(&p);
	PROC(&p, "/nonexistent/program");
	assert_int_equal(p.status, 127);
	assert_non_null(strstr(p.err, "No such file"));
	proc_free(&p);
}

static void a_program_that_hangs_is_killed_with_its_children(void **state)
{
	struct proc p;
	const char *argv[] = {"sh", "-c", "sleep 1000 & echo $!; sleep 1000", NULL};
	struct proc_options o = {.limit_s = 0.3};
	(void)state;
	proc_run(&p, argv, &o);
	assert_true(p.timed_out);
	assert_int_equal(p.status, 128 + SIGKILL);
	/* The pipe's end means that the grandchild, which held it too, is gone. */
	assert_true(atoi(p.out) > 1);
	proc_free(&p);
}

static bool wait_gone(const char *path)
{
	double end = proc_now() + proc_patience();
	while (access(path, F_OK) == 0 && proc_now() < end)
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	return access(path, F_OK) != 0;
}

static void the_scratch_folder_goes_even_after_kill_9(void **state)
{
	char path[4096] = "";
	int p[2];
	(void)state;
	assert_int_equal(pipe(p), 0);
	pid_t pid = fork();
	if (pid == 0) {
		/* A program of its own: its scratch folder isn't this test's. */
		char *const argv[] = {(char *)"proc-self", (char *)"--die", NULL};
		dup2(p[1], 1);
		close(p[0]);
		close(p[1]);
		execv("/proc/self/exe", argv);
		_exit(127);
	}
	close(p[1]);
	ssize_t n = read(p[0], path, sizeof path - 1);
	assert_true(n > 1);
	path[strcspn(path, "\n")] = 0;
	char *node = strchr(path, ' ');
	assert_non_null(node);
	*node++ = 0;
	assert_int_equal(access(path, F_OK), 0);
	kill(pid, SIGKILL);
	assert_true(wait_gone(path));
	if (*node == '/') { /* root: a loop device was attached too */
		char sys[64];
		snprintf(sys, sizeof sys, "/sys/block/%s/loop", strrchr(node, '/') + 1);
		/* Free, or already taken by somebody else with another file. */
		char backing[128];
		snprintf(backing, sizeof backing, "%s/backing_file", sys);
		FILE *f = fopen(backing, "re");
		char line[4096] = "";
		if (f) {
			char *got = fgets(line, sizeof line, f);
			(void)got;
			fclose(f);
		}
		assert_null(strstr(line, path));
	}
	close(p[0]);
}

/* What the test above starts: makes everything there is to clean up, says where, waits for the end. */
static int die(void)
{
	struct loopdev l = {.number = -1};
	const char *dir = scratch_dir();
	scratch_text("note", "left behind\n");
	if (!loopdev_missing() && loopdev_make(&l, "disk", 1 << 20, NULL))
		return 1;
	printf("%s %s\n", dir, l.number < 0 ? "-" : l.node);
	fflush(stdout);
	for (;;)
		pause();
}

static void a_scratch_file_has_its_size_and_is_full_of_data(void **state)
{
	struct stat st;
	(void)state;
	const char *path = scratch_file("full", (1 << 20) + 4096, false);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, (1 << 20) + 4096);
	assert_true(st.st_blocks * 512 >= st.st_size);
	path = scratch_file("sparse", 1 << 20, true);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_size, 1 << 20);
	assert_true(st.st_blocks * 512 < st.st_size);
}

static void a_loop_device_has_the_sectors_asked_for_and_counts_its_io(void **state)
{
	struct loopdev l;
	struct loopdev_options o = {.sector = 4096, .direct = true};
	struct blockstat before, after;
	void *buf = NULL;
	(void)state;
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&l, "disk4k", 4 << 20, &o), 0);
	char path[96], text[16] = "";
	snprintf(path, sizeof path, "/sys/block/%s/queue/logical_block_size", l.name);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof text, f));
	fclose(f);
	assert_int_equal(atoi(text), 4096);

	int fd = open(l.node, O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(posix_memalign(&buf, 4096, 8192), 0);
	assert_int_equal(loopdev_stat(&l, &before), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(pread(fd, buf, 8192, i * 8192), 8192);
	assert_int_equal(loopdev_stat(&l, &after), 0);
	assert_int_equal(after.read_ios - before.read_ios, 10);
	assert_int_equal(after.read_bytes - before.read_bytes, 81920);
	assert_int_equal(after.write_ios - before.write_ios, 0);
	close(fd);
	free(buf);
	assert_int_equal(loopdev_free(&l), 0);
	assert_int_equal(l.number, -1);
}

static void a_read_only_loop_device_refuses_writers(void **state)
{
	struct loopdev l;
	struct loopdev_options o = {.read_only = true};
	(void)state;
	if (loopdev_missing()) {
		print_message("%s\n", loopdev_missing());
		skip();
	}
	assert_int_equal(loopdev_make(&l, "readonly", 1 << 20, &o), 0);
	char path[64], text[16] = "";
	snprintf(path, sizeof path, "/sys/block/%s/ro", l.name);
	FILE *f = fopen(path, "re");
	assert_non_null(f);
	assert_non_null(fgets(text, sizeof text, f));
	fclose(f);
	assert_string_equal(text, "1\n");
	assert_int_equal(loopdev_free(&l), 0);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--die"))
		return die();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_program_s_streams_and_status_are_kept_apart),
		cmocka_unit_test(large_output_does_not_block),
		cmocka_unit_test(input_environment_and_folder_reach_the_program),
		cmocka_unit_test(a_signal_and_a_missing_program_have_a_shell_s_status),
		cmocka_unit_test(a_program_that_hangs_is_killed_with_its_children),
		cmocka_unit_test(the_scratch_folder_goes_even_after_kill_9),
		cmocka_unit_test(a_scratch_file_has_its_size_and_is_full_of_data),
		cmocka_unit_test(a_loop_device_has_the_sectors_asked_for_and_counts_its_io),
		cmocka_unit_test(a_read_only_loop_device_refuses_writers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
