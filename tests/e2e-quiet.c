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
#include <string.h>
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
static struct vt *start_quiet(const struct vt_options *o, const char *mount_options)
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
		 "exec %s null:1ms --rate 2000 --no-store --quiet-kernel",
		 levels_path(), where, mount_options, where, lunscope_path());
	return e2e_keep(VT_START(o, "unshare", "-m", "sh", "-c", line));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(aegis_boot_732_the_kernel_is_quiet_as_long_as_the_screen_is_up),
		E2E_TEST(a_level_that_somebody_else_has_set_meanwhile_stays),
		E2E_TEST(who_may_not_quiet_the_kernel_is_told_before_there_is_a_screen),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
