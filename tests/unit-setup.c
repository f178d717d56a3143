/* unit-setup.c - the config file: read, refused, saved; and the setup screen over it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>
#include "options.h"
#include "tests/canvas-print.h"
#include "tests/scratch.h"
#include "ui/dialogs.h"
#include "ui/key.h"
#include "ui/setup.h"

static const char *content(const char *path)
{
	static char text[4096];
	FILE *f = fopen(path, "re");

	assert_non_null(f);
	text[fread(text, 1, sizeof(text) - 1, f)] = '\0';
	fclose(f);
	return text;
}

/* --- Reading --- */

static void a_broken_line_is_named_with_file_line_and_remedy(void **state)
{
	static const struct {
		const char *text, *words;
	} bad[] = {
		{"[screen]\ntheme\n", "bad:2: write [section] or name = value"},
		{"[screen]\nfps = 99\n", "bad:2: --fps '99': a number from 1 to 20"},
		{"[screen]\n\nunits = KB\n", "bad:3: --units 'KB': write MiB or MB"},
		{"[screen]\nno-rep = maybe\n", "bad:2: no-rep is yes or no"},
		{"[screen]\nwrite = yes\n", "bad:2: write belongs on the command line"},
		{"[screen]\ntrigger = p99\n", "bad:2: trigger 'p99': write a figure"},
		{"[screen]\nquiet-kernel = 1\n", "bad:2: quiet-kernel is yes or no"},
		{"[screen]\nfps = 2\nfps = 3\n", "bad:3: 'fps' stands in line 2 already"},
		{"[panes]\nshow = iops gauges\n", "bad:2: no pane 'gauges': there are iops"},
		{"[panes]\nshow = iops iops\n", "bad:2: the pane iops stands there twice"},
		{"[panes]\nshow = iops:huge\n", "bad:2: the size of a pane is small or large"},
		{"[panes]\nshow =\n", "bad:2: no pane is shown"},
		{"[meters]\n1 = gauge\n", "bad:2: no meter 'gauge': there are iops"},
		{"[meters]\nevery = 0s\n", "bad:2: "},
		{"[keys]\nmark = m\nfly = n\n", "bad:3: no action 'fly'"},
		{"[keys]\nmark = Ctrl\n", "bad:2: no key 'Ctrl'"},
		{"[keys]\nmark = n n\n", "bad:2: the key n stands there twice"},
		{"[keys]\nmark = q\n", "bad:2: q is the key of quit"},
		{"[keys]\nmark = w\n", "bad:2: w is the key of a knob (Workers)"},
		{"[keys]\nmark = 3\n", "bad:2: 3 is the key of a pane"},
		{"[keys]\nquit =\n", "bad:2: help, setup and quit can't be without a key"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *argv[] = {(char[]){"lunscope"}, NULL}, unknown[300];
		struct options o;
		struct conf c;
		struct error e = {""};
		struct setup s = setup_usual();
		assert_int_equal(options_parse(&o, 1, argv, &e), 0);
		int rc = conf_read(&c, scratch_text("bad", bad[i].text), &e);
		if (rc == 0)
			rc = options_take_conf(&o, &c, unknown, sizeof(unknown), &e);
		if (rc == 0)
			rc = setup_read(&s, &c, &e);
		if (rc == 0 || !strstr(e.text, bad[i].words))
			fail_msg("for\n%slooked for '%s' in '%s'", bad[i].text, bad[i].words,
				 e.text);
		conf_free(&c);
	}
}

static void the_command_line_and_no_color_come_before_the_config(void **state)
{
	char *argv[] = {(char[]){"lunscope"}, (char[]){"--fps"}, (char[]){"7"}, NULL};
	char unknown[300];
	struct options o;
	struct conf c;
	struct error e;

	(void)state;
	setenv("NO_COLOR", "1", 1);
	assert_int_equal(options_parse(&o, 3, argv, &e), 0);
	assert_int_equal(conf_read(&c,
				   scratch_text("config", "[screen]\nfps = 2\nunits = MB\ncolor = "
							  "always\nwarp = 9\n[away]\nx = 1\n"),
				   &e),
			 0);
	assert_int_equal(options_take_conf(&o, &c, unknown, sizeof(unknown), &e), 0);
	assert_true(o.fps == 7);
	assert_int_equal(o.unit, RATE_MB);
	assert_null(o.color);
	assert_non_null(strstr(unknown, ":5: 'warp' in [screen] is not known"));
	unsetenv("NO_COLOR");
	assert_int_equal(options_take_conf(&o, &c, unknown, sizeof(unknown), &e), 0);
	assert_string_equal(o.color, "always");
	conf_free(&c);
}

static void a_relative_xdg_folder_is_as_good_as_none(void **state)
{
	char path[PATH_MAX];
	struct error e;

	(void)state;
	setenv("HOME", "/users/ada", 1);
	setenv("XDG_CONFIG_HOME", "etc", 1);
	assert_int_equal(conf_own_path(path, &e), 0);
	assert_string_equal(path, "/users/ada/.config/lunscope/config");
	setenv("XDG_CONFIG_HOME", "/x", 1);
	assert_int_equal(conf_own_path(path, &e), 0);
	assert_string_equal(path, "/x/lunscope/config");
	setenv("HOME", "here", 1);
	unsetenv("XDG_CONFIG_HOME");
	assert_int_equal(conf_own_path(path, &e), -ENOENT);
}

/* --- Saving --- */

static struct setup some_setup(void)
{
	struct setup s = setup_usual();

	strcpy(s.theme, "phosphor");
	s.level = GL_HALF;
	s.colour = COLOUR_NEVER;
	s.unit = RATE_MB;
	s.fps = 2;
	s.quiet_kernel = true;
	s.mouse = true;
	s.footer = FOOTER_LETTERS;
	s.plan.order[0] = PANE_LATENCY;
	s.plan.order[3] = PANE_IOPS;
	s.plan.size[PANE_LATENCY] = PANE_LARGE;
	s.keys.key[ACT_MARK][0] = 'n';
	s.keys.key[ACT_MARK][1] = ACTION_FKEY(3);
	s.meters.place[3] = (struct meter_choice){METER_PACKETS, 50000};
	s.meters.since = METER_SINCE_START;
	s.meters.every_s = 60;
	return s;
}

static void what_is_saved_is_read_again(void **state)
{
	char path[PATH_MAX], *argv[] = {(char[]){"lunscope"}, NULL}, unknown[300];
	struct setup s = some_setup(), again = setup_usual();
	struct options o;
	struct conf c;
	struct error e;
	struct stat st;

	(void)state;
	snprintf(path, sizeof(path), "%s", scratch_path("new/lunscope/config"));
	assert_int_equal(setup_save(&s, path, false, &e), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(scratch_path("new/lunscope"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_int_equal(conf_read(&c, path, &e), 0);
	assert_int_equal(setup_read(&again, &c, &e), 0);
	assert_memory_equal(&again.plan, &s.plan, sizeof(s.plan));
	assert_memory_equal(&again.keys, &s.keys, sizeof(s.keys));
	for (int i = 0; i < METER_PLACES; i++) {
		assert_int_equal(again.meters.place[i].what, s.meters.place[i].what);
		assert_true(again.meters.place[i].top == s.meters.place[i].top);
	}
	assert_int_equal(again.meters.since, METER_SINCE_START);
	assert_int_equal(again.meters.every_s, 60);
	assert_int_equal(options_parse(&o, 1, argv, &e), 0);
	assert_int_equal(options_take_conf(&o, &c, unknown, sizeof(unknown), &e), 0);
	assert_string_equal(unknown, "");
	assert_string_equal(o.theme, "phosphor");
	assert_string_equal(o.glyphs, "half");
	assert_string_equal(o.color, "never");
	assert_int_equal(o.unit, RATE_MB);
	assert_true(o.fps == 2);
	assert_true(o.quiet_kernel);
	assert_true(o.mouse);
	assert_string_equal(o.footer, "letters");
	conf_free(&c);
}

static void comments_and_unknown_keys_survive(void **state)
{
	const struct conf_edit edit[] = {{"screen", "fps", "9", false},
					 {"screen", "theme", "ember", false},
					 {"keys", "mark", "n", false},
					 {"keys", "zoom", "", true}};
	char path[PATH_MAX];
	struct error e;

	(void)state;
	snprintf(path, sizeof(path), "%s",
		 scratch_text("kept", "# mine\n[screen]\nfps=2 ; slow\nwarp = 9\n\n# below\n"
				      "[keys]\nzoom = Z\n[away]\nfps = 1"));
	assert_int_equal(conf_save(path, edit, 4, false, &e), 0);
	assert_string_equal(content(path),
			    "# mine\n[screen]\nfps = 9 ; slow\nwarp = 9\ntheme = ember\n\n"
			    "# below\n[keys]\nmark = n\n[away]\nfps = 1\n");
}

static void a_section_that_stands_there_twice_gets_no_key_twice(void **state)
{
	const struct conf_edit edit = {"screen", "fps", "9", false};
	char path[PATH_MAX];
	struct error e;

	(void)state;
	snprintf(path, sizeof(path), "%s",
		 scratch_text("twice", "[screen]\ntheme = x\n[keys]\n[screen]\nfps = 1\n"));
	assert_int_equal(conf_save(path, &edit, 1, false, &e), 0);
	assert_string_equal(content(path), "[screen]\ntheme = x\n[keys]\n[screen]\nfps = 9\n");
}

static void a_link_to_the_config_stays_a_link(void **state)
{
	const struct conf_edit edit = {"screen", "fps", "9", false};
	char real[PATH_MAX], link[PATH_MAX];
	struct error e;
	struct stat st;

	(void)state;
	snprintf(real, sizeof(real), "%s", scratch_text("dotfile", "[screen]\nfps = 2\n"));
	snprintf(link, sizeof(link), "%s", scratch_path("link"));
	assert_int_equal(symlink("dotfile", link), 0);
	assert_int_equal(conf_save(link, &edit, 1, false, &e), 0);
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_string_equal(content(real), "[screen]\nfps = 9\n");
	assert_int_equal(symlink("nothing", scratch_path("loose")), 0);
	assert_int_equal(conf_save(scratch_path("loose"), &edit, 1, false, &e), -ENOENT);
	assert_non_null(strstr(e.text, "a link that leads nowhere"));
}

static void root_saves_into_a_users_folder_only_when_told_to(void **state)
{
	const struct conf_edit edit = {"screen", "fps", "9", false};
	char path[PATH_MAX];
	struct error e;
	struct stat st;

	(void)state;
	if (geteuid() != 0) {
		print_message("not root: no folder can be given to somebody else\n");
		skip();
	}
	assert_int_equal(mkdir(scratch_path("ada"), 0755), 0);
	assert_int_equal(chown(scratch_path("ada"), 1234, 1234), 0);
	snprintf(path, sizeof(path), "%s", scratch_path("ada/lunscope/config"));
	assert_int_equal(conf_save(path, &edit, 1, false, &e), -EPERM);
	assert_non_null(strstr(e.text, "would be user 1234's"));
	assert_int_equal(stat(scratch_path("ada/lunscope"), &st), -1);
	assert_int_equal(conf_save(path, &edit, 1, true, &e), 0);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_mode & 0777, 0600);
}

static void killed_while_saving_it_is_the_old_or_the_new_one(void **state)
{
	struct conf_edit edit[2] = {{"screen", "fps", "2", false}, {"screen", "theme", "a", false}};
	char path[PATH_MAX];
	struct error e;

	(void)state;
	snprintf(path, sizeof(path), "%s", scratch_path("killed"));
	assert_int_equal(conf_save(path, edit, 2, false, &e), 0);
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();
		assert_true(child >= 0);
		for (int k = 0; child == 0; k++) {
			bool even = k % 2 == 0;
			strcpy(edit[0].value, even ? "3" : "2");
			strcpy(edit[1].value, even ? "b" : "a");
			conf_save(path, edit, 2, false, &e);
		}
		usleep(1000 + 700 * (useconds_t)i);
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		const char *text = content(path);
		if (strcmp(text, "[screen]\nfps = 2\ntheme = a\n") != 0 &&
		    strcmp(text, "[screen]\nfps = 3\ntheme = b\n") != 0)
			fail_msg("half a file: '%s'", text);
	}
}

static void touch(const char *name, time_t age_s)
{
	const struct timespec then = {.tv_sec = time(NULL) - age_s};
	const struct timespec times[2] = {then, then};

	assert_int_equal(utimensat(AT_FDCWD, scratch_text(name, "x"), times, 0), 0);
}

static bool is_there(const char *name)
{
	struct stat st;

	return lstat(scratch_path(name), &st) == 0;
}

static void what_a_killed_save_left_is_removed_and_nothing_else(void **state)
{
	static const char *const stay[] = {"swept.aaaaaanew.bak", "swept.aaa-aanew",
					   "swept.aaaaanew",      "sweptXaaaaaanew",
					   "swept.aaaaaaold",     "other.aaaaaanew"};
	const struct conf_edit edit = {"screen", "fps", "9", false};
	char path[PATH_MAX];
	struct error e;

	(void)state;
	snprintf(path, sizeof(path), "%s", scratch_text("swept", ""));
	touch("swept.Ab1cD2new", 3600);
	touch("swept.young0new", 5); /* somebody else may be writing it */
	for (size_t i = 0; i < sizeof(stay) / sizeof(*stay); i++)
		touch(stay[i], 3600);
	assert_int_equal(symlink("swept", scratch_path("swept.link00new")), 0);
	assert_int_equal(mkdir(scratch_path("swept.foldernew"), 0700), 0);
	assert_int_equal(conf_save(path, &edit, 1, false, &e), 0);
	assert_false(is_there("swept.Ab1cD2new"));
	assert_true(is_there("swept.young0new"));
	assert_true(is_there("swept.link00new"));
	assert_true(is_there("swept.foldernew"));
	for (size_t i = 0; i < sizeof(stay) / sizeof(*stay); i++)
		if (!is_there(stay[i]))
			fail_msg("%s is gone", stay[i]);
	assert_string_equal(content(path), "[screen]\nfps = 9\n");
}

/* --- The screen --- */

struct desk {
	struct setup now;
	int saves;
	bool others;
};

static const struct setup *desk_now(void *ctx)
{
	return &((struct desk *)ctx)->now;
}

static int desk_apply(void *ctx, const struct setup *s, struct error *e)
{
	(void)e;
	((struct desk *)ctx)->now = *s;
	return 0;
}

static int desk_save(void *ctx, bool others, char *path, struct error *e)
{
	struct desk *d = ctx;

	strcpy(path, "/users/ada/.config/lunscope/config");
	d->saves++;
	d->others = others;
	return others ? 0 : error_set(e, EPERM, "%s would be user 1's", path);
}

static void desk_saved(void *ctx)
{
	(void)ctx;
}

static bool desk_can_show(void *ctx, enum glyph_level level)
{
	(void)ctx;
	return level <= GL_VT;
}

static void assert_shows(struct dialog *d, int rows, int cols, const char *words)
{
	const struct view v = {.g = &glyph_table[GL_ASCII]};
	struct canvas c = {0};
	char *text;
	size_t n;

	assert_int_equal(canvas_resize(&c, rows, cols), 0);
	canvas_clear(&c, ST_NORMAL);
	d->draw(d->state, &c, canvas_rect(&c), &v);
	FILE *f = open_memstream(&text, &n);
	assert_non_null(f);
	canvas_print(&c, f);
	fclose(f);
	if (!strstr(text, words))
		fail_msg("no '%s' in\n%s", words, text);
	free(text);
	canvas_free(&c);
}

static void press(struct dialog *d, int times, int key)
{
	while (times-- > 0)
		assert_int_equal(d->key(d->state, key), DIALOG_OPEN);
}

static void everything_is_turned_on_the_setup_screen(void **state)
{
	struct desk desk = {.now = setup_usual()};
	const struct setup_desk ops = {desk_now,   desk_apply,    desk_save,
				       desk_saved, desk_can_show, &desk};
	struct dialog d = dialog_setup(&ops);

	(void)state;
	assert_shows(&d, 24, 80, "< default >");
	press(&d, 1, K_DOWN);
	press(&d, 1, K_LEFT); /* from what the terminal can: past all that it can't */
	assert_int_equal(desk.now.level, GL_VT);
	press(&d, 2, K_DOWN);
	press(&d, 1, K_RIGHT);
	assert_int_equal(desk.now.unit, RATE_MB);
	press(&d, 1, K_DOWN);
	press(&d, 30, K_RIGHT);
	assert_true(desk.now.fps == 20);
	press(&d, 1, K_DOWN);
	assert_shows(&d, 24, 80, "its messages may come over the screen");
	press(&d, 1, K_RIGHT);
	assert_true(desk.now.quiet_kernel);
	press(&d, 1, K_DOWN);
	assert_false(desk.now.mouse);
	press(&d, 1, K_RIGHT);
	assert_true(desk.now.mouse);
	press(&d, 1, K_DOWN);
	press(&d, 1, K_LEFT);
	assert_int_equal(desk.now.footer, FOOTER_LETTERS);
	assert_shows(&d, 24, 80, "< letters >");
	press(&d, 1, K_DOWN);
	press(&d, 1, '+');
	assert_int_equal(desk.now.plan.order[1], PANE_IOPS);
	press(&d, 1, K_RIGHT);
	assert_int_equal(desk.now.plan.size[PANE_IOPS], PANE_LARGE);
	assert_shows(&d, 24, 80, "[x] IOPS        large");
	press(&d, 1, ' ');
	assert_shows(&d, 24, 80, "[ ] IOPS        hidden");
	press(&d, 1, K_END);
	press(&d, 1, K_ENTER);
	assert_true(d.types(d.state));
	press(&d, 1, 'q');
	assert_shows(&d, 24, 80, "q is the key of quit");
	press(&d, 1, K_ENTER);
	press(&d, 1, '\\');
	assert_int_equal(desk.now.keys.key[ACT_COUNT - 1][0], '\\');
	press(&d, 1, K_DELETE);
	assert_int_not_equal(desk.now.keys.key[ACT_COUNT - 1][0], '\\');
	press(&d, 1, 'w');
	assert_false(desk.others);
	assert_shows(&d, 24, 80, "w again saves");
	press(&d, 1, 'w');
	assert_true(desk.others);
	assert_int_equal(desk.saves, 2);
	assert_shows(&d, 24, 80, "Saved in /users/ada/.config/lunscope/config");
	for (int rows = 1; rows <= 60; rows++)
		for (int cols = 1; cols <= 140; cols += 7)
			assert_shows(&d, rows, cols, "");
	assert_int_equal(d.key(d.state, K_ESC), DIALOG_CANCELLED);
	d.free(d.state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_broken_line_is_named_with_file_line_and_remedy),
		cmocka_unit_test(the_command_line_and_no_color_come_before_the_config),
		cmocka_unit_test(a_relative_xdg_folder_is_as_good_as_none),
		cmocka_unit_test(what_is_saved_is_read_again),
		cmocka_unit_test(comments_and_unknown_keys_survive),
		cmocka_unit_test(a_section_that_stands_there_twice_gets_no_key_twice),
		cmocka_unit_test(a_link_to_the_config_stays_a_link),
		cmocka_unit_test(root_saves_into_a_users_folder_only_when_told_to),
		cmocka_unit_test(killed_while_saving_it_is_the_old_or_the_new_one),
		cmocka_unit_test(what_a_killed_save_left_is_removed_and_nothing_else),
		cmocka_unit_test(everything_is_turned_on_the_setup_screen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
