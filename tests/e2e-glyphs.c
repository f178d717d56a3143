/* e2e-glyphs.c - what a screen that was spoiled looks like again, which choice of characters stays, and
 * terminals that can't repeat a character.
 */
#include <fcntl.h>
#include <regex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "tests/e2e.h"
#include "tests/proc.h"

/* Somebody else writes to the terminal, as wall(1) and the kernel do: over the knobs, which stay as they
 * are, so that no frame of its own accord would repair them. */
static void spoil(struct vt *v)
{
	static const char words[] = "\0337\033[2;1HThe system is going down\0338";
	char path[64];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/fd/1", (int)vt_pid(v));
	fd = open(path, O_WRONLY | O_NOCTTY);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, words, sizeof words - 1), sizeof words - 1);
	close(fd);
	VT_ROW(v, ROW_KNOBS, "The system is going down");
}

static bool eighths(struct vt *v, void *arg)
{
	static const uint32_t some[] = {0x2588, 0};
	static const uint32_t dots[] = {0x28ff, 0x28c0, 0x28e4, 0x28f6, 0};
	(void)arg;
	return e2e_count(v, some) > 3 && e2e_count(v, dots) == 0;
}

static void a_spoiled_screen_is_whole_again_and_the_characters_chosen_stay(void **state)
{
	(void)state;
	struct vt *v = LIVE(NULL, "null:1ms", "--rate", "2000", "--glyphs", "half");

	ANSWER(v, shows_reads);
	/* Not what --glyphs said: G's choice. */
	vt_type(v, "G");
	VT_ROW(v, -1, "Characters: eighth");
	VT_EXPECT(v, vt_wait(v, eighths, NULL));
	spoil(v);
	vt_key(v, "^L");
	VT_GONE(v, "The system is going down");
	KNOB(v, "Outst", "8");
	/* The size is the same: repainted all the same. */
	spoil(v);
	vt_signal(v, SIGWINCH);
	VT_GONE(v, "The system is going down");
	KNOB(v, "Outst", "8");
	spoil(v);
	vt_signal(v, SIGSTOP);
	vt_signal(v, SIGCONT);
	VT_GONE(v, "The system is going down");
	KNOB(v, "Outst", "8");
	VT_EXPECT(v, vt_wait(v, eighths, NULL));
	e2e_quit(v);
	/* The same with a level that G has found, in the place of what the terminal can. */
	v = LIVE(NULL, "null:1ms", "--rate", "2000");
	ANSWER(v, shows_reads);
	vt_type(v, "GGGGG");
	VT_ROW(v, -1, "Characters: eighth");
	VT_EXPECT(v, vt_wait(v, eighths, NULL));
	spoil(v);
	vt_key(v, "^L");
	VT_GONE(v, "The system is going down");
	VT_EXPECT(v, vt_wait(v, eighths, NULL));
	e2e_quit(v);
}

/* How often ESC [ n b was received. */
static int repeats(struct vt *v)
{
	size_t n;
	const char *at = vt_raw(v, &n);
	regmatch_t m;
	regex_t re;
	int found = 0;

	assert_int_equal(regcomp(&re, "\033\\[[0-9]*b", REG_EXTENDED), 0);
	for (; regexec(&re, at, 1, &m, 0) == 0; at += m.rm_eo)
		found++;
	regfree(&re);
	return found;
}

static bool has_repeats(struct vt *v, void *arg)
{
	(void)arg;
	return repeats(v) > 0;
}

static void sngrep_290_no_rep_repeats_no_character(void **state)
{
	(void)state;
	struct vt_options o = {.term = "xterm", .locale = "C"};
	struct vt *v = LIVE(&o, "null:1ms", "--rate", "2000");

	/* That there is something to be turned off. */
	VT_EXPECT(v, vt_wait(v, has_repeats, NULL));
	e2e_quit(v);
	v = LIVE(&o, "null:1ms", "--rate", "2000", "--no-rep");
	ANSWER(v, shows_reads);
	vt_key(v, "F1");
	VT_TEXT(v, "Esc back");
	vt_key(v, "esc");
	VT_GONE(v, "Esc back");
	vt_key(v, "^L");
	ANSWER(v, shows_reads);
	VT_EXPECT(v, repeats(v) == 0);
	e2e_quit(v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		E2E_TEST(a_spoiled_screen_is_whole_again_and_the_characters_chosen_stay),
		E2E_TEST(sngrep_290_no_rep_repeats_no_character),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
