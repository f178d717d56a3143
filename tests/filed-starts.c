/* filed-starts.c - filed issues (see filed-terminals.c) that need a start of the program of their own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include "tests/e2e.h"
#include "tests/proc.h"
#include "tests/scratch.h"

static const uint32_t full_braille[] = {0x28ff, 0};

static bool braille_is_there(struct vt *v, void *arg)
{
	(void)arg;
	return e2e_count(v, full_braille) > 3;
}

static void btop_231_lc_ctype_alone_is_seen(void **state)
{
	static const char *const env[] = {"LC_ALL", "LANG", "LC_CTYPE=C.UTF-8", NULL};
	struct vt_options o = {.env = env};
	(void)state;
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--no-store");

	ANSWER(v, shows_reads);
	VT_EXPECT(v, vt_wait(v, braille_is_there, NULL));
	e2e_quit(v);
}

static void btop_231_without_any_locale_it_starts_in_ascii(void **state)
{
	static const char *const env[] = {"LC_ALL", "LANG", "LC_CTYPE", NULL};
	struct vt_options o = {.env = env};
	size_t n;
	(void)state;
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--no-store");

	ANSWER(v, shows_reads);
	VT_TEXT(v, "Latency");
	const char *raw = vt_raw(v, &n);
	for (size_t i = 0; i < n; i++)
		assert_true((unsigned char)raw[i] < 0x80);
	e2e_quit(v);
}

static int files;

static int count_file(const char *path, const struct stat *st, int kind, struct FTW *at)
{
	(void)st;
	(void)at;
	if (kind == FTW_F)
		print_message("# %s was written\n", path);
	files += kind == FTW_F;
	return 0;
}

/* Characters, theme and units are changed, and it is left in a hurry. */
static void htop_948_nothing_is_saved_that_nobody_asked_for(void **state)
{
	char home[4096], config[4200];
	const char *env[] = {home, config, NULL};
	struct vt_options o = {.env = env};
	const char *folder = scratch_path("home");
	(void)state;

	assert_int_equal(mkdir(folder, 0700), 0);
	snprintf(home, sizeof home, "HOME=%s", folder);
	snprintf(config, sizeof config, "XDG_CONFIG_HOME=%s/.config", folder);
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000", "--no-store");
	ANSWER(v, shows_reads);
	vt_type(v, "G");
	VT_ROW(v, -1, "Characters: ");
	vt_type(v, "C");
	VT_ROW(v, -1, "Theme: ");
	vt_type(v, "i");
	VT_ROW(v, ROW_ANSWER, "MB/s");
	vt_type(v, "\003");
	VT_TEXT(v, "^C again quits at once");
	vt_type(v, "\003");
	VT_EXPECT(v, vt_wait_exit(v));
	e2e_free(v);
	files = 0;
	assert_int_equal(nftw(folder, count_file, 16, FTW_PHYS), 0);
	assert_int_equal(files, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(btop_231_lc_ctype_alone_is_seen),
		E2E_TEST(btop_231_without_any_locale_it_starts_in_ascii),
		E2E_TEST(htop_948_nothing_is_saved_that_nobody_asked_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
