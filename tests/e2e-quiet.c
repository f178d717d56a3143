/* e2e-quiet.c - --quiet-kernel: the console's log level goes down with the screen's start and is put
 * back with its end, however that comes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

#define LEVELS       "7\t4\t1\t7\n"
#define LEVELS_QUIET "1\t4\t1\t7\n"

static const char *levels_path(void)
{
	return scratch_path("printk");
}

static bool levels_are(struct vt *v, void *text)
{
	char now[64] = "";

	(void)v;
	FILE *f = fopen(levels_path(), "re");
	assert_non_null(f);
	now[fread(now, 1, sizeof now - 1, f)] = '\0';
	fclose(f);
	return !strcmp(now, text);
}

/* This host's own level is left alone: the program sees a file in its place. */
static struct vt *start(const struct vt_options *o, const char *mount_options, const char *option)
{
	static const char where[] = "/proc/sys/kernel/printk";
	char line[4500];
	struct proc p;

	assert_int_equal(PROC(&p, "unshare", "-m", "true"), 0);
	bool may = p.status == 0;
	proc_free(&p);
	if (!may) {
		print_message("# no mount namespace to be had: needs root\n");
		skip();
	}
	scratch_text("printk", LEVELS);
	snprintf(line, sizeof line,
		 "mount --bind %s %s && mount -o remount,bind,%s %s && "
		 "exec %s null:1ms --rate 2000 --no-store %s",
		 levels_path(), where, mount_options, where, lunscope_path(), option);
	return e2e_keep(VT_START(o, "unshare", "-m", "sh", "-c", line));
}

static struct vt *start_quiet(const struct vt_options *o, const char *mount_options)
{
	return start(o, mount_options, "--quiet-kernel");
}

static void aegis_boot_732_the_kernel_is_quiet_as_long_as_the_screen_is_up(void **state)
{
	static const char *const env[] = {"ASAN_OPTIONS=handle_segv=0:detect_leaks=0", NULL};
	static const int ends[] = {0, SIGTERM, SIGSEGV};
	const struct vt_options o = {.rows = 43, .env = env};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct vt *v = start_quiet(&o, "rw");

		ANSWER(v, shows_reads);
		VT_EXPECT(v, levels_are(v, LEVELS_QUIET));
		if (ends[i])
			vt_signal(v, ends[i]);
		else
			vt_type(v, "qk");
		VT_EXPECT(v, vt_wait_exit(v));
		VT_EXPECT(v, levels_are(v, LEVELS));
		e2e_free(v);
	}
}

static void a_level_that_somebody_else_has_set_meanwhile_stays(void **state)
{
	const struct vt_options o = {.rows = 43};

	(void)state;
	struct vt *v = start_quiet(&o, "rw");
	ANSWER(v, shows_reads);
	/* In place: another file would not be the one that the program sees. */
	FILE *f = fopen(levels_path(), "r+e");
	assert_non_null(f);
	fputs("3", f);
	fclose(f);
	vt_type(v, "qk");
	VT_EXPECT(v, vt_wait_exit(v));
	VT_EXPECT(v, levels_are(v, "3\t4\t1\t7\n"));
	e2e_free(v);
}

static void who_may_not_quiet_the_kernel_is_told_before_there_is_a_screen(void **state)
{
	size_t n;

	(void)state;
	struct vt *v = start_quiet(NULL, "ro");
	VT_EXPECT(v, vt_wait_exit(v));
	assert_int_equal(vt_status(v), 2);
	VT_TEXT(v, "--quiet-kernel");
	VT_TEXT(v, "can't be written");
	VT_EXPECT(v, !strstr(vt_raw(v, &n), "\033[?1049h"));
	VT_EXPECT(v, levels_are(v, LEVELS));
	e2e_free(v);
}

/* The seventh row of its list. */
static void the_setup_screen_quiets_it_at_once_and_esc_takes_that_back(void **state)
{
	const struct vt_options o = {.term = "linux", .rows = 43};

	(void)state;
	struct vt *v = start(&o, "rw", "");
	ANSWER(v, shows_reads);
	vt_send(v, "\f", 1);
	VT_TEXT(v, "or --quiet-kernel keeps them off");
	vt_key(v, "F2");
	VT_TEXT(v, "may come over the screen");
	for (int i = 0; i < 5; i++)
		vt_key(v, "down");
	vt_key(v, "right");
	VT_TEXT(v, "stay off the console");
	VT_EXPECT(v, vt_wait(v, levels_are, LEVELS_QUIET));
	vt_key(v, "esc");
	VT_EXPECT(v, vt_wait(v, levels_are, LEVELS));
	e2e_quit(v);
}

/* One config for root and for others. */
static void in_the_config_it_is_left_out_where_it_may_not_be(void **state)
{
	const struct vt_options o = {.rows = 43, .cols = 132};

	(void)state;
	mkdir(scratch_path("lunscope"), 0700);
	scratch_text("lunscope/config", "[screen]\nquiet-kernel = yes\n");
	setenv("XDG_CONFIG_HOME", scratch_dir(), 1);
	struct vt *v = start(&o, "rw", "");
	VT_EXPECT(v, vt_wait(v, levels_are, LEVELS_QUIET));
	e2e_quit(v);
	v = start(&o, "ro", "");
	VT_TEXT(v, "quiet-kernel in the config takes root: left out");
	e2e_quit(v);
	unsetenv("XDG_CONFIG_HOME");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(aegis_boot_732_the_kernel_is_quiet_as_long_as_the_screen_is_up),
		E2E_TEST(a_level_that_somebody_else_has_set_meanwhile_stays),
		E2E_TEST(the_setup_screen_quiets_it_at_once_and_esc_takes_that_back),
		E2E_TEST(in_the_config_it_is_left_out_where_it_may_not_be),
		E2E_TEST(who_may_not_quiet_the_kernel_is_told_before_there_is_a_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
